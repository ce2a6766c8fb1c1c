/* Writing texts and values so that YAML reads the same back. Of the two ways to write a text, the
 * strict one leaves only plainly harmless words without quotes; values that people will read beside
 * their own lines have quotes only where a reader of YAML would otherwise take them for something
 * else. Within quotes everything that is not plainly printable is escaped. */
#include "plan/document.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define WIDTH 100u           /* lines of written values are broken here */
#define CONTINUED 4u         /* further in than the line they continue */
#define LONGEST_SIMPLE 1000u /* YAML looks 1,024 characters ahead for the colon of a key */

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

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
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
        if (!is_letter(*text) && strchr("0123456789_-./", *text) == NULL) {
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
    } else if (character <= 0xffff) {
        pv_i_buffer_format(buffer, "\\u%04x", (unsigned)character); /* as in JSON */
    } else {
        pv_i_buffer_format(buffer, "\\U%08x", (unsigned)character);
    }
}

static void write_quoted(pv_buffer *buffer, const char *text)
{
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

void pv_i_yaml_scalar(pv_buffer *buffer, const char *text)
{
    if (is_harmless(text)) {
        pv_i_buffer_text(buffer, text);
    } else {
        write_quoted(buffer, text);
    }
}

/* -------------------------------------------------------------------- values */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* 0x1f, 1_000, -0.5e3, .5, .inf: what YAML 1.1 or 1.2 takes for a number. */
static bool is_number(const char *text)
{
    text += *text == '-' || *text == '+';
    if (strcasecmp(text, ".inf") == 0 || strcasecmp(text, ".nan") == 0) {
        return true;
    }
    if (*text == '0' && text[1] != '\0' && strchr("xXoObB", text[1]) != NULL) {
        return text[2] != '\0' && text[2 + strspn(text + 2, "0123456789abcdefABCDEF_")] == '\0';
    }
    if (!is_digit(text[*text == '.'])) {
        return false;
    }
    text += strspn(text, "0123456789_.");
    if (*text == 'e' || *text == 'E') {
        text++;
        text += *text == '-' || *text == '+';
        text += strspn(text, "0123456789");
    }
    return *text == '\0';
}

/* 2001-02-03, perhaps with a time. */
static bool is_date(const char *text)
{
    for (size_t i = 0; i < 4; i++) {
        if (!is_digit(text[i])) {
            return false;
        }
    }
    return text[4] == '-' && is_digit(text[5]);
}

/* Is it read back without quotes, wherever it stands, even within brackets? Rather too often no. */
static bool is_plain(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    const bool is_signed = (*text == '-' || *text == '+') && (is_digit(text[1]) || text[1] == '.');
    if (*at < 0x80 && !is_letter(*text) && !is_digit(*text) && !is_signed &&
        (*text == '\0' || strchr("_/.", *text) == NULL)) {
        return false;
    }
    if (strncmp(text, "...", 3) == 0) { /* the end of a document */
        return false;
    }
    while (*at != '\0') {
        uint32_t character;
        const size_t size = next_character(at, &character);
        if (size == 0 || !is_printable(character) ||
            (size == 1 && strchr(",[]{}:#?\"`\\", (int)character) != NULL)) {
            return false;
        }
        at += size;
    }
    return at[-1] != ' ';
}

bool pv_i_is_json_literal(const char *text)
{
    const char *const digits = text + (*text == '-');
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0 || strcmp(text, "null") == 0) {
        return true;
    }
    if (!is_digit(*digits) || (*digits == '0' && is_digit(digits[1]))) {
        return false;
    }
    const char *at = digits + strspn(digits, "0123456789");
    if (*at == '.') {
        const size_t n = strspn(++at, "0123456789");
        at = n > 0 ? at + n : digits;
    }
    if (*at == 'e' || *at == 'E') {
        at++;
        at += *at == '-' || *at == '+';
        const size_t n = strspn(at, "0123456789");
        at = n > 0 ? at + n : digits;
    }
    return *at == '\0';
}

/* A text that was in quotes is text for every reader; one that was not may stay without. */
static void write_scalar(pv_buffer *out, const char *text, bool was_plain,
                         const pv_flow_style *style)
{
    const bool stays_text = was_plain || !(is_reserved(text) || is_number(text) || is_date(text));
    if (style->json ? was_plain && pv_i_is_json_literal(text) : stays_text && is_plain(text)) {
        pv_i_buffer_text(out, text);
    } else {
        write_quoted(out, text);
    }
}

static void cut_back(pv_buffer *out, size_t size)
{
    if (!out->failed) {
        out->size = size;
        out->data[size] = '\0';
    }
}

void pv_i_yaml_key(pv_buffer *out, const char *key, const pv_flow_style *style, size_t indent)
{
    const size_t start = out->size;
    write_scalar(out, key, false, style);
    if (out->size - start <= LONGEST_SIMPLE) {
        pv_i_buffer_char(out, ':');
        return;
    }
    cut_back(out, start);
    pv_i_buffer_text(out, "? ");
    write_scalar(out, key, false, style);
    pv_i_buffer_text(out, style->newline);
    pv_i_buffer_format(out, "%*s:", (int)indent, "");
}

/* Characters in the line so far. */
static size_t line_width(const pv_buffer *out)
{
    size_t width = 0;
    for (size_t i = out->size; !out->failed && i-- > 0;) {
        if (out->data[i] == '\n' || out->data[i] == '\r') {
            break;
        }
        width += ((unsigned char)out->data[i] & 0xc0) != 0x80;
    }
    return width;
}

/* In one line, or broken between the items of the outermost lists that are too long for one. */
static void write_value(pv_buffer *out, const pv_node *node, const pv_flow_style *style,
                        size_t indent, bool broken);

static void write_item(pv_buffer *out, const pv_node *item, const pv_flow_style *style,
                       size_t indent, bool broken)
{
    if (item->key != NULL) {
        pv_i_yaml_key(out, item->key->text, style, indent);
        pv_i_buffer_char(out, ' ');
    }
    write_value(out, item, style, indent, broken);
}

/* After the comma, if there is one: in this line, in the next one, or broken itself. */
static void place_item(pv_buffer *out, const pv_node *item, const pv_flow_style *style,
                       size_t indent, bool is_first)
{
    const size_t start = out->size;
    pv_i_buffer_text(out, is_first ? "" : " ");
    write_item(out, item, style, indent, false);
    if (line_width(out) < WIDTH) {
        return;
    }
    cut_back(out, start);
    pv_i_buffer_text(out, style->newline);
    pv_i_buffer_format(out, "%*s", (int)indent, "");
    write_item(out, item, style, indent, false);
    if (line_width(out) < WIDTH || item->kind == PV_NODE_SCALAR) {
        return;
    }
    cut_back(out, start);
    pv_i_buffer_text(out, is_first ? "" : " ");
    write_item(out, item, style, indent, true);
}

static void write_value(pv_buffer *out, const pv_node *node, const pv_flow_style *style,
                        size_t indent, bool broken)
{
    if (node->kind == PV_NODE_SCALAR) {
        write_scalar(out, node->text, node->plain, style);
        return;
    }
    const bool is_mapping = node->kind == PV_NODE_MAPPING;
    pv_i_buffer_char(out, is_mapping ? '{' : '[');
    for (const pv_node *item = node->first; item != NULL; item = item->next) {
        pv_i_buffer_text(out, item == node->first ? "" : ",");
        if (broken) {
            place_item(out, item, style, indent, item == node->first);
        } else {
            pv_i_buffer_text(out, item == node->first ? "" : " ");
            write_item(out, item, style, indent, false);
        }
    }
    pv_i_buffer_char(out, is_mapping ? '}' : ']');
}

void pv_i_yaml_flow(pv_buffer *out, const pv_node *node, const pv_flow_style *style)
{
    const size_t start = out->size;
    size_t line = start;
    while (line > 0 && !out->failed && strchr("\r\n", out->data[line - 1]) == NULL) {
        line--;
    }
    const size_t indent = CONTINUED + (out->data != NULL ? strspn(out->data + line, " ") : 0);
    write_value(out, node, style, indent, false);
    if (!style->json && line_width(out) > WIDTH && node->kind != PV_NODE_SCALAR) {
        cut_back(out, start);
        write_value(out, node, style, indent, true);
    }
}
