/* Writing a text so that YAML reads the same text back. Only plainly harmless words go without
 * quotes; within quotes everything that is not plainly printable is escaped. */
#include "plan/yaml_text.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

/* ----------------------------------------------------------------- UTF-8 */

/* Reads one character; 0 bytes used = not UTF-8 (overlong forms and surrogates included). */
static size_t next_character(const unsigned char *at, uint32_t *character)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (at[0] < 0x80) {
        *character = at[0];
        return 1;
    }
    const size_t size = at[0] >= 0xf8   ? 0
                        : at[0] >= 0xf0 ? 4
                        : at[0] >= 0xe0 ? 3
                        : at[0] >= 0xc0 ? 2
                                        : 0;
    uint32_t value = size > 0 ? at[0] & (0x7fu >> size) : 0;
    for (size_t i = 1; i < size; i++) {
        if ((at[i] & 0xc0) != 0x80) {
            return 0; /* the final NUL stops here too */
        }
        value = value << 6 | (at[i] & 0x3f);
    }
    const bool fits = value >= least[size] && value <= 0x10ffff;
    const bool surrogate = value >= 0xd800 && value <= 0xdfff;
    *character = value;
    return fits && !surrogate ? size : 0;
}

bool pv_i_yaml_can_hold(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    while (*at != '\0') {
        uint32_t character;
        const size_t size = next_character(at, &character);
        if (size == 0) {
            return false;
        }
        at += size;
    }
    return true;
}

/* --------------------------------------------------------------- scalars */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Words that other readers of YAML take for something else than text. */
static bool is_reserved(const char *text)
{
    static const char *const words[] = {"y",   "n",    "yes",   "no",   "on",
                                        "off", "true", "false", "null", "nan"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcasecmp(words[i], text) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_harmless(const char *text)
{
    if ((!is_letter(text[0]) && text[0] != '/') || is_reserved(text)) {
        return false;
    }
    for (; *text != '\0'; text++) {
        if (!is_letter(*text) && !is_digit(*text) && strchr("_-./", *text) == NULL) {
            return false;
        }
    }
    return true;
}

/* Line breaks of Unicode and the byte order mark count as unprintable: YAML would fold or drop
 * them. */
static bool is_printable(uint32_t character)
{
    return (character >= ' ' && character < 0x7f) ||
           (character >= 0xa0 && character != 0x2028 && character != 0x2029 &&
            character != 0xfeff && (character & 0xfffe) != 0xfffe);
}

static void escape(pv_buffer *buffer, const unsigned char *at, size_t size, uint32_t character)
{
    if (character == '"' || character == '\\') {
        pv_i_buffer_char(buffer, '\\');
    }
    if (is_printable(character)) {
        pv_i_buffer_bytes(buffer, at, size);
    } else if (character == '\n') {
        pv_i_buffer_text(buffer, "\\n");
    } else if (character == '\t') {
        pv_i_buffer_text(buffer, "\\t");
    } else {
        pv_i_buffer_format(buffer, "\\U%08x", (unsigned)character);
    }
}

void pv_i_yaml_scalar(pv_buffer *buffer, const char *text)
{
    if (is_harmless(text)) {
        pv_i_buffer_text(buffer, text);
        return;
    }
    pv_i_buffer_char(buffer, '"');
    const unsigned char *at = (const unsigned char *)text;
    while (*at != '\0') {
        uint32_t character;
        const size_t size = next_character(at, &character);
        if (size == 0) {
            break; /* see pv_i_yaml_can_hold */
        }
        escape(buffer, at, size, character);
        at += size;
    }
    pv_i_buffer_char(buffer, '"');
}
