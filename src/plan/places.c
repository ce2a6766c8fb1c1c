/* Where in a text the parts of a document are.
 *
 * libyaml says where scalars and flow collections begin and end, in characters. A block collection
 * ends where its last scalar or flow collection does. What stands between two parts is blanks,
 * line ends, comments and indicators; whoever has to find an indicator (a colon, a comma, a `?`)
 * goes to the next thing that is none of the first three. */
#include "plan/places.h"

#include <string.h>

static const char byte_order_mark[] = "\xef\xbb\xbf";

char pv_i_char_at(const pv_source *s, size_t at)
{
    return at < s->size ? s->text[at] : '\0';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* ------------------------------------------------------------------ line ends
 *
 * YAML 1.1 knows five: LF, CR, CR LF, and of Unicode NEL, LS and PS. */

static bool has(const pv_source *s, size_t at, const char *bytes)
{
    const size_t n = strlen(bytes);
    return at < s->size && s->size - at >= n && memcmp(s->text + at, bytes, n) == 0;
}

size_t pv_i_after_break(const pv_source *s, size_t at)
{
    static const char *const breaks[] = {"\r\n",     "\n",           "\r",
                                         "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"};
    for (size_t i = 0; i < sizeof breaks / sizeof *breaks; i++) {
        if (has(s, at, breaks[i])) {
            return at + strlen(breaks[i]);
        }
    }
    return at;
}

size_t pv_i_before_break(const pv_source *s, size_t at)
{
    for (size_t n = 3; n > 0; n--) {
        if (at >= s->head + n && pv_i_after_break(s, at - n) == at) {
            return at - n;
        }
    }
    return at;
}

static bool ends_here(const pv_source *s, size_t at)
{
    return at >= s->size || pv_i_after_break(s, at) > at;
}

/* The one of the first line. */
static const char *find_newline(const pv_source *s)
{
    const char *const first = s->size > 0 ? memchr(s->text, '\n', s->size) : NULL;
    const char *const other = s->size > 0 ? memchr(s->text, '\r', s->size) : NULL;
    if (other == NULL || (first != NULL && first < other)) {
        return "\n";
    }
    return first == other + 1 ? "\r\n" : "\r";
}

pv_source pv_i_source_begin(const char *text, size_t size)
{
    pv_source s = {.text = text, .size = size};
    s.head = has(&s, 0, byte_order_mark) ? strlen(byte_order_mark) : 0;
    s.known_byte = s.head;
    s.newline = find_newline(&s);
    return s;
}

size_t pv_i_after_blanks(const pv_source *s, size_t at)
{
    while (is_blank(pv_i_char_at(s, at))) {
        at++;
    }
    return at;
}

size_t pv_i_line_end(const pv_source *s, size_t at)
{
    at = pv_i_after_blanks(s, at);
    if (pv_i_char_at(s, at) == '#') {
        while (!ends_here(s, at)) {
            at++;
        }
    }
    return at;
}

bool pv_i_ends_line(const pv_source *s, size_t at)
{
    return ends_here(s, pv_i_line_end(s, at));
}

/* libyaml takes one at the beginning of any line for nothing. */
static size_t after_mark(const pv_source *s, size_t at)
{
    return has(s, at, byte_order_mark) ? at + strlen(byte_order_mark) : at;
}

size_t pv_i_next_token(const pv_source *s, size_t at)
{
    at = at == s->head ? after_mark(s, at) : at;
    for (;;) {
        const size_t end = pv_i_line_end(s, at);
        const size_t next = pv_i_after_break(s, end);
        if (next == end) {
            return end;
        }
        at = after_mark(s, next);
    }
}

size_t pv_i_line_start(const pv_source *s, size_t at)
{
    while (at > s->head && pv_i_before_break(s, at) == at) {
        at--;
    }
    return at;
}

bool pv_i_only_blank(const pv_source *s, size_t from, size_t to)
{
    for (size_t at = from; at < to;) {
        const size_t end = pv_i_after_blanks(s, at);
        const size_t next = pv_i_after_break(s, end);
        const size_t after = next > end ? after_mark(s, next) : end;
        if (after == at) {
            return false;
        }
        at = after;
    }
    return true;
}

bool pv_i_begins_line(const pv_source *s, size_t at)
{
    return pv_i_after_blanks(s, after_mark(s, pv_i_line_start(s, at))) >= at;
}

/* --------------------------------------------------------------------- places */

size_t pv_i_byte(pv_source *s, uint32_t character)
{
    if (character < s->known_character) {
        s->known_character = 0;
        s->known_byte = s->head;
    }
    while (s->known_character < character && s->known_byte < s->size) {
        do {
            s->known_byte++;
        } while (((unsigned char)pv_i_char_at(s, s->known_byte) & 0xc0) == 0x80);
        s->known_character++;
    }
    return s->known_byte;
}

bool pv_i_is_flow(pv_source *s, const pv_node *collection)
{
    const char first = pv_i_char_at(s, pv_i_byte(s, collection->start));
    return collection->kind != PV_NODE_SCALAR && (first == '{' || first == '[');
}

bool pv_i_is_block_text(pv_source *s, const pv_node *node)
{
    const char first = pv_i_char_at(s, pv_i_byte(s, node->start));
    return node->kind == PV_NODE_SCALAR && !node->plain && (first == '|' || first == '>');
}

static size_t scalar_end(pv_source *s, const pv_node *node)
{
    size_t end = pv_i_byte(s, node->end);
    if (!pv_i_is_block_text(s, node)) {
        return end;
    }
    for (;;) {
        size_t before = pv_i_before_break(s, end);
        while (before > s->head && is_blank(s->text[before - 1])) {
            before--;
        }
        if (before == end) {
            return end;
        }
        end = before;
    }
}

size_t pv_i_after_colon(pv_source *s, const pv_node *mapping, const pv_node *value)
{
    const size_t at = pv_i_next_token(s, scalar_end(s, value->key));
    const char after = pv_i_char_at(s, at + 1);
    const bool stands_alone = is_blank(after) || ends_here(s, at + 1);
    return pv_i_char_at(s, at) == ':' && (stands_alone || pv_i_is_flow(s, mapping)) ? at + 1
                                                                                    : PV_NOWHERE;
}

const pv_node *pv_i_node_last(const pv_node *collection)
{
    const pv_node *item = collection->first;
    while (item != NULL && item->next != NULL) {
        item = item->next;
    }
    return item;
}

const pv_node *pv_i_node_before(const pv_node *collection, const pv_node *item)
{
    const pv_node *before = collection->first != item ? collection->first : NULL;
    while (before != NULL && before->next != item) {
        before = before->next;
    }
    return before;
}

const pv_node *pv_i_last_part(pv_source *s, const pv_node *value)
{
    while (value->kind != PV_NODE_SCALAR && !pv_i_is_flow(s, value)) {
        value = pv_i_node_last(value);
    }
    return value;
}

size_t pv_i_entry_end(pv_source *s, const pv_node *mapping, const pv_node *value)
{
    while (value->kind != PV_NODE_SCALAR && !pv_i_is_flow(s, value)) {
        mapping = value;
        value = pv_i_node_last(value);
    }
    if (value->kind != PV_NODE_SCALAR) {
        return pv_i_byte(s, value->end);
    }
    /* A value that is empty may be said to be where the next thing is. */
    if (value->start == value->end && value->key != NULL) {
        const size_t after = pv_i_after_colon(s, mapping, value);
        return after != PV_NOWHERE ? after : scalar_end(s, value->key);
    }
    return scalar_end(s, value);
}

size_t pv_i_entry_start(pv_source *s, const pv_node *mapping, const pv_node *before,
                        const pv_node *value)
{
    const bool is_flow = pv_i_is_flow(s, mapping);
    size_t at = pv_i_byte(s, mapping->start) + is_flow;
    if (before != NULL) {
        at = pv_i_next_token(s, pv_i_entry_end(s, mapping, before));
        at += is_flow && pv_i_char_at(s, at) == ',';
    }
    at = pv_i_next_token(s, at);
    const size_t key = pv_i_byte(s, value->key->start);
    return at < key && pv_i_char_at(s, at) == '?' ? at : key;
}
