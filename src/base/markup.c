/* Text for pages and pictures. Numbers are printed from integers, because printf's floating point
 * follows the locale. */
#include "base/markup.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
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

void pv_i_markup_between(pv_buffer *out, const char *before, const char *text, const char *after)
{
    pv_i_buffer_text(out, before);
    pv_i_markup_text(out, text);
    pv_i_buffer_text(out, after);
}

void pv_i_markup_clean(pv_buffer *out, const char *text)
{
    append_text(out, text, false);
}

/* ------------------------------------------------------------------- numbers */

#define LARGEST_EXACT 9.0e15 /* below 2^53: scaled values are still whole numbers */

pv_number_text pv_i_count_text(uint64_t n)
{
    pv_number_text out;
    char digits[24];
    const int size = snprintf(digits, sizeof digits, "%" PRIu64, n);
    char *at = out.text;
    for (int i = 0; i < size; i++) {
        if (i > 0 && (size - i) % 3 == 0) {
            *at++ = ',';
        }
        *at++ = digits[i];
    }
    *at = '\0';
    return out;
}

/* Rounded to whole numbers of 10^-decimals, which integers print the same in every locale. */
static pv_number_text number_text(double value, unsigned decimals, bool grouped)
{
    pv_number_text out;
    uint64_t unit = 1;
    for (unsigned i = 0; i < decimals; i++) {
        unit *= 10;
    }
    const double scaled = round(fabs(value) * (double)unit);
    if (!isfinite(value)) {
        (void)snprintf(out.text, sizeof out.text, "\xe2\x80\x93"); /* en dash */
        return out;
    }
    if (!(scaled <= LARGEST_EXACT)) { /* so large that it has no fraction */
        (void)snprintf(out.text, sizeof out.text, "%.0f", value);
        return out;
    }
    const uint64_t whole = (uint64_t)scaled / unit;
    uint64_t fraction = (uint64_t)scaled % unit;
    while (decimals > 0 && fraction % 10 == 0) {
        fraction /= 10;
        decimals--;
    }
    const int size = grouped ? snprintf(out.text, sizeof out.text, "%s%s",
                                        value < 0 && scaled > 0 ? "-" : "", PV_COUNT(whole))
                             : snprintf(out.text, sizeof out.text, "%s%" PRIu64,
                                        value < 0 && scaled > 0 ? "-" : "", whole);
    if (decimals > 0) {
        (void)snprintf(out.text + size, sizeof out.text - (size_t)size, ".%0*" PRIu64,
                       (int)decimals, fraction);
    }
    return out;
}

pv_number_text pv_i_short_text(double value, unsigned decimals)
{
    return number_text(value, decimals, false);
}

/* As many places as leave about four significant digits. */
pv_number_text pv_i_figure_text(double value)
{
    unsigned decimals = 0;
    for (double size = fabs(value); decimals < 6 && size < 1000; size *= 10) {
        decimals++;
    }
    return number_text(value, decimals, true);
}

/* Rounding must not turn "a few" into none, nor "nearly all" into all. */
static pv_number_text percent_text(double share, const char *below, const char *above)
{
    const double percent = share * 100;
    pv_number_text out;
    if (percent > 0 && percent < 0.01) {
        (void)snprintf(out.text, sizeof out.text, "%s0.01%%", below);
    } else if (percent < 100 && percent > 99.9) {
        (void)snprintf(out.text, sizeof out.text, "%s99.9%%", above);
    } else {
        out = number_text(percent, fabs(percent) < 10 ? 2 : 1, false);
        if (isfinite(share)) {
            strcat(out.text, "%");
        }
    }
    return out;
}

pv_number_text pv_i_percent_text(double share)
{
    return percent_text(share, "&lt;", "&gt;");
}

pv_number_text pv_i_plain_percent_text(double share)
{
    return percent_text(share, "<", ">");
}

void pv_i_markup_short(pv_buffer *out, double value, unsigned decimals)
{
    pv_i_buffer_text(out, PV_SHORT(value, decimals));
}

void pv_i_markup_figure(pv_buffer *out, double value)
{
    pv_i_buffer_text(out, PV_FIGURE(value));
}

void pv_i_markup_percent(pv_buffer *out, double share)
{
    pv_i_buffer_text(out, PV_PERCENT(share));
}
