/* Text for pages and pictures. Numbers are printed from integers, because printf's floating point
 * follows the locale. */
#include "base/markup.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* ------------------------------------------------------------------- letters */

static bool is_continuation(unsigned char c)
{
    return (c & 0xc0) == 0x80;
}

/* Length and smallest code point of the sequence a byte begins; 0 if it begins none. */
static size_t sequence_length(unsigned char first, uint32_t *smallest)
{
    static const struct {
        unsigned char mask, bits;
        uint32_t smallest;
    } forms[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if ((first & forms[i].mask) == forms[i].bits) {
            *smallest = forms[i].smallest;
            return i + 1;
        }
    }
    return 0;
}

/* Control characters, halves of surrogates and the two noncharacters of XML are no text. */
static bool is_printable(uint32_t point)
{
    return point >= 0x20 && !(point >= 0x7f && point < 0xa0) &&
           !(point >= 0xd800 && point < 0xe000) && point != 0xfffe && point != 0xffff &&
           point < 0x110000;
}

/* Bytes of the printable character that `text` begins with, or 0. Overlong forms are refused. */
static size_t character_length(const char *text)
{
    const unsigned char *const bytes = (const unsigned char *)text;
    uint32_t smallest = 0;
    const size_t length = sequence_length(bytes[0], &smallest);
    if (length == 0) {
        return 0;
    }
    uint32_t point = length == 1 ? bytes[0] : bytes[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if (!is_continuation(bytes[i])) {
            return 0;
        }
        point = point << 6 | (bytes[i] & 0x3fu);
    }
    return point >= smallest && is_printable(point) ? length : 0;
}

static const char *entity(char c)
{
    switch (c) {
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '&': return "&amp;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return NULL;
    }
}

static void append_text(pv_buffer *out, const char *text, bool escape)
{
    while (*text != '\0') {
        const size_t length = character_length(text);
        const char *const replaced = length == 0 ? REPLACEMENT : escape ? entity(*text) : NULL;
        if (replaced != NULL) {
            pv_i_buffer_text(out, replaced);
        } else {
            pv_i_buffer_bytes(out, text, length);
        }
        text += length > 0 ? length : 1;
    }
}

void pv_i_markup_text(pv_buffer *out, const char *text)
{
    append_text(out, text, true);
}

void pv_i_markup_clean(pv_buffer *out, const char *text)
{
    append_text(out, text, false);
}

/* ------------------------------------------------------------------- numbers */

#define LARGEST_EXACT 9.0e15 /* below 2^53: scaled values are still whole numbers */

static uint64_t power_of_ten(unsigned n)
{
    uint64_t power = 1;
    while (n-- > 0) {
        power *= 10;
    }
    return power;
}

/* |value| scaled and rounded to a whole number of 10^-decimals; false if that is not exact. */
static bool scale(double value, unsigned decimals, uint64_t *scaled)
{
    const double rounded = round(fabs(value) * (double)power_of_ten(decimals));
    if (!(rounded <= LARGEST_EXACT)) {
        return false;
    }
    *scaled = (uint64_t)rounded;
    return true;
}

static void append_decimals(pv_buffer *out, uint64_t fraction, unsigned decimals)
{
    while (decimals > 0 && fraction % 10 == 0) {
        fraction /= 10;
        decimals--;
    }
    if (decimals > 0) {
        pv_i_buffer_format(out, ".%0*" PRIu64, (int)decimals, fraction);
    }
}

static void append_number(pv_buffer *out, double value, unsigned decimals, bool grouped)
{
    uint64_t scaled;
    if (!isfinite(value)) {
        pv_i_buffer_text(out, "\xe2\x80\x93"); /* en dash */
        return;
    }
    if (!scale(value, decimals, &scaled)) {
        pv_i_buffer_format(out, "%.0f", value); /* so large that it has no fraction */
        return;
    }
    const uint64_t unit = power_of_ten(decimals);
    if (value < 0 && scaled > 0) {
        pv_i_buffer_char(out, '-');
    }
    if (grouped) {
        pv_i_buffer_count(out, scaled / unit);
    } else {
        pv_i_buffer_format(out, "%" PRIu64, scaled / unit);
    }
    append_decimals(out, scaled % unit, decimals);
}

void pv_i_markup_short(pv_buffer *out, double value, unsigned decimals)
{
    append_number(out, value, decimals, false);
}

/* Places that leave about four significant digits. */
static unsigned useful_decimals(double magnitude)
{
    unsigned decimals = 0;
    while (decimals < 6 && magnitude < 1000) {
        magnitude *= 10;
        decimals++;
    }
    return decimals;
}

void pv_i_markup_figure(pv_buffer *out, double value)
{
    append_number(out, value, useful_decimals(fabs(value)), true);
}

/* Rounding must not turn "a few" into none, nor "nearly all" into all. */
static void append_percent(pv_buffer *out, double share, const char *below, const char *above)
{
    const double percent = share * 100;
    if (percent > 0 && percent < 0.01) {
        pv_i_buffer_format(out, "%s0.01%%", below);
    } else if (percent < 100 && percent > 99.9) {
        pv_i_buffer_format(out, "%s99.9%%", above);
    } else {
        append_number(out, percent, fabs(percent) < 10 ? 2 : 1, false);
        pv_i_buffer_text(out, isfinite(share) ? "%" : "");
    }
}

void pv_i_markup_percent(pv_buffer *out, double share)
{
    append_percent(out, share, "&lt;", "&gt;");
}

void pv_i_plain_percent(pv_buffer *out, double share)
{
    append_percent(out, share, "<", ">");
}
