/* Changing one value of a plan's text and nothing else.
 *
 * The text is copied from front to back, piece by piece, with something put in or left out at one
 * place:
 *
 *     attributes:
 *       age: {role: quasi}  # in years
 *                   ^^^^^ left out, `sensitive` put in
 *       zip: {role: quasi}
 *                         ^ a new entry of `attributes`: a line break, the indent, key and value
 *
 * What the place is depends on how the mapping is written (lines or braces), on what there is (a
 * value, no value, no entry, no mapping) and on what stands beside it. All these cases are judged
 * by what they are meant to do: the new text is read again, and must be the old document but for
 * this one value. Whatever else comes out is not handed over. */
#include "plan/edit_proof.h"
#include "plan/places.h"

#include "base/error.h"
#include "base/memory.h"
#include "plan/plan.h"
#include "plan/spelling.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    pv_source source;
    pv_flow_style style;
    pv_buffer out;
    size_t done;          /* so much of the text is copied or left out */
    pv_arena *arena;      /* of nodes for what is new */
    const pv_node *value; /* NULL = the key is removed */
    pv_error *error;
} editor;

static void keep(editor *e, size_t to)
{
    if (to > e->done) {
        pv_i_buffer_bytes(&e->out, e->source.text + e->done, to - e->done);
        e->done = to;
    }
}

static void leave_out(editor *e, size_t to)
{
    e->done = to > e->done ? to : e->done;
}

static void put(editor *e, const char *text)
{
    pv_i_buffer_text(&e->out, text);
}

static void put_line(editor *e, size_t indent)
{
    put(e, e->source.newline);
    pv_i_buffer_format(&e->out, "%*s", (int)indent, "");
}

static pv_status fail_node(const editor *e, pv_status status, const pv_node *node,
                           const char *problem, const char *hint)
{
    return pv_i_hint(pv_i_fail_at(e->error, status, NULL, node->line, node->column, "%s", problem),
                     e->error, "%s", hint);
}

/* -------------------------------------------------------------------- values */

/* {b: {c: value}} for what comes after the first key of a way; NULL: memory ran out. */
static const pv_node *wrap(editor *e, pv_way w, const pv_node *value)
{
    for (size_t i = w.n; i-- > 1 && value != NULL;) {
        pv_node *const nodes = PV_ARENA_ARRAY(e->arena, pv_node, 3);
        if (nodes == NULL) {
            return NULL;
        }
        nodes[0] = (pv_node){.kind = PV_NODE_SCALAR, .text = w.keys[i]};
        nodes[1] = *value;
        nodes[1].key = &nodes[0];
        nodes[1].next = NULL;
        nodes[2] = (pv_node){.kind = PV_NODE_MAPPING, .first = &nodes[1], .n_items = 1};
        value = &nodes[2];
    }
    return value;
}

static pv_status put_value(editor *e, pv_way w, const pv_node *value)
{
    const pv_node *const whole = wrap(e, w, value);
    if (whole == NULL) {
        return pv_i_no_memory(e->error);
    }
    pv_i_yaml_flow(&e->out, whole, &e->style);
    return PV_STATUS_OK;
}

/* A comment directly after a value would become part of it. */
static void put_distance(editor *e)
{
    if (pv_i_char_at(&e->source, e->done) == '#') {
        put(e, " ");
    }
}

/* `key: value`; or, since `attributes` and its kind have one line for each entry,
 *
 *     key:
 *       key: value */
static pv_status put_entry(editor *e, pv_way w, size_t indent, bool in_lines)
{
    const pv_way rest = {w.keys + 1, w.n - 1};
    pv_i_yaml_key(&e->out, w.keys[0], &e->style, indent);
    if (in_lines) {
        put_line(e, indent + 2);
        return put_entry(e, rest, indent + 2, false);
    }
    put(e, " ");
    return put_value(e, w, e->value);
}

/* Is a new entry of the top level written in lines? */
static bool goes_in_lines(const editor *e, pv_way w)
{
    return w.n > 2 || (w.n == 2 && e->value->kind == PV_NODE_MAPPING && e->value->n_items > 0);
}

/* ---------------------------------------------------------- another value */

/* Without one in the text, that is: `? key`, or `{key}`, perhaps over several lines. */
static bool can_have_colon(pv_source *s, const pv_node *mapping, const pv_node *key)
{
    const size_t start = pv_i_byte(s, key->start);
    const size_t end = pv_i_byte(s, key->end);
    return pv_i_is_flow(s, mapping) && end - start <= 1000 && pv_i_line_start(s, end) <= start;
}

/* `key:`, or `{key}`. */
static pv_status fill_empty(editor *e, const pv_node *mapping, const pv_node *node, pv_way w,
                            const pv_node *value, bool in_lines)
{
    pv_source *const s = &e->source;
    const size_t after = pv_i_after_colon(s, mapping, node);
    if (after == PV_NOWHERE && !can_have_colon(s, mapping, node->key)) {
        return fail_node(e, PV_STATUS_INPUT, node->key, "a key without a colon",
                         "write it as `key: value`");
    }
    if (in_lines) {
        const pv_way rest = {w.keys + 1, w.n - 1};
        const size_t indent = node->key->column - 1 + 2;
        keep(e, pv_i_line_end(s, after));
        put_line(e, indent);
        return put_entry(e, rest, indent, false);
    }
    keep(e, after != PV_NOWHERE ? after : pv_i_byte(s, node->key->end));
    put(e, after != PV_NOWHERE ? " " : ": ");
    PV_TRY(put_value(e, w, value));
    put_distance(e);
    return PV_STATUS_OK;
}

/* The lines go; the comment after the key stays. */
static pv_status replace_block(editor *e, const pv_node *mapping, const pv_node *node,
                               const pv_node *value)
{
    pv_source *const s = &e->source;
    const size_t end = pv_i_entry_end(s, mapping, node);
    const size_t after = pv_i_after_colon(s, mapping, node);
    if (after == PV_NOWHERE || !pv_i_ends_line(s, after)) {
        keep(e, pv_i_byte(s, node->start)); /* it begins in the line of the colon */
        PV_TRY(put_value(e, (pv_way){0}, value));
        leave_out(e, end);
        return PV_STATUS_OK;
    }
    keep(e, after);
    put(e, " ");
    PV_TRY(put_value(e, (pv_way){0}, value));
    keep(e, pv_i_line_end(s, after));
    leave_out(e, pv_i_line_end(s, end));
    return PV_STATUS_OK;
}

/* |+2: how the text after it is to be read. */
static size_t after_signs(const pv_source *s, size_t at)
{
    while (at < s->size && strchr("|>+-0123456789", s->text[at]) != NULL) {
        at++;
    }
    return at;
}

/* A text after | or >: what stands behind the sign in its line stays, the lines go. */
static pv_status replace_block_text(editor *e, const pv_node *mapping, const pv_node *node,
                                    const pv_node *value)
{
    pv_source *const s = &e->source;
    const size_t start = pv_i_byte(s, node->start);
    keep(e, start);
    PV_TRY(put_value(e, (pv_way){0}, value));
    leave_out(e, after_signs(s, start));
    keep(e, pv_i_line_end(s, e->done));
    leave_out(e, pv_i_line_end(s, pv_i_entry_end(s, mapping, node)));
    return PV_STATUS_OK;
}

static pv_status replace(editor *e, const pv_node *mapping, const pv_node *node,
                         const pv_node *value)
{
    pv_source *const s = &e->source;
    if (node->kind != PV_NODE_SCALAR && !pv_i_is_flow(s, node)) {
        return replace_block(e, mapping, node, value);
    }
    if (pv_i_is_block_text(s, node)) {
        return replace_block_text(e, mapping, node, value);
    }
    if (pv_i_is_empty(node)) {
        return fill_empty(e, mapping, node, (pv_way){0}, value, false);
    }
    keep(e, pv_i_byte(s, node->start));
    PV_TRY(put_value(e, (pv_way){0}, value));
    leave_out(e, pv_i_byte(s, node->end));
    put_distance(e);
    return PV_STATUS_OK;
}

/* -------------------------------------------------------------- a new entry */

/* `key:` and then a comma or brace would be another key. */
static const char *distance_after(pv_source *s, const pv_node *mapping, const pv_node *value)
{
    return pv_i_is_empty(value) && pv_i_after_colon(s, mapping, value) != PV_NOWHERE ? " " : "";
}

static pv_status put_flow_entry(editor *e, pv_way w)
{
    PV_TRY(put_entry(e, w, 0, false));
    put_distance(e);
    return PV_STATUS_OK;
}

/* In a line of its own if the last entry has one. */
static pv_status add_to_flow(editor *e, const pv_node *mapping, pv_way w)
{
    pv_source *const s = &e->source;
    const pv_node *const last = pv_i_node_last(mapping);
    if (last == NULL) {
        keep(e, pv_i_byte(s, mapping->start) + 1);
        return put_flow_entry(e, w);
    }
    const size_t end = pv_i_entry_end(s, mapping, last);
    const size_t start = pv_i_entry_start(s, mapping, pv_i_node_before(mapping, last), last);
    const size_t comma = pv_i_next_token(s, end);
    const bool has_comma = pv_i_char_at(s, comma) == ',';
    const char *const distance = distance_after(s, mapping, last);
    keep(e, end);
    if (!pv_i_begins_line(s, start)) {
        put(e, distance);
        put(e, ", ");
        return put_flow_entry(e, w);
    }
    if (!has_comma) {
        put(e, distance);
        put(e, ",");
    }
    const size_t after = has_comma ? comma + 1 : end;
    const size_t line = pv_i_line_start(s, start);
    keep(e, pv_i_ends_line(s, after) ? pv_i_line_end(s, after) : after);
    put(e, s->newline);
    pv_i_buffer_bytes(&e->out, s->text + line, start - line);
    PV_TRY(put_flow_entry(e, w));
    put(e, has_comma ? "," : "");
    return PV_STATUS_OK;
}

/* Behind the line of the last entry, before comments and blank lines. */
static pv_status add_to_block(editor *e, const pv_node *mapping, pv_way w, bool in_lines)
{
    pv_source *const s = &e->source;
    const pv_node *const last = pv_i_node_last(mapping);
    const pv_node *const part = pv_i_last_part(s, last);
    const size_t indent = mapping->column - 1;
    const size_t sign = pv_i_byte(s, part->start);
    /* Blank lines at the end of a text after |+ belong to it. */
    if (pv_i_is_block_text(s, part) &&
        memchr(s->text + sign, '+', after_signs(s, sign) - sign) != NULL) {
        keep(e, pv_i_byte(s, part->end));
        pv_i_buffer_format(&e->out, "%*s", (int)indent, "");
        PV_TRY(put_entry(e, w, indent, in_lines));
        put(e, s->newline);
        return PV_STATUS_OK;
    }
    keep(e, pv_i_line_end(s, pv_i_entry_end(s, mapping, last)));
    put_line(e, indent);
    return put_entry(e, w, indent, in_lines);
}

/* Nothing but comments, or a bare `---`. */
static pv_status add_to_nothing(editor *e, const pv_node *root, pv_way w)
{
    pv_source *const s = &e->source;
    const size_t at = root != NULL ? pv_i_byte(s, root->start) : s->size;
    keep(e, at);
    if (at > s->head && pv_i_before_break(s, at) == at) {
        put(e, s->newline);
    }
    PV_TRY(put_entry(e, w, 0, goes_in_lines(e, w)));
    put(e, s->newline);
    return PV_STATUS_OK;
}

/* ------------------------------------------------------- an entry less */

static size_t before_blanks(const pv_source *s, size_t at)
{
    while (at > s->head && (s->text[at - 1] == ' ' || s->text[at - 1] == '\t')) {
        at--;
    }
    return at;
}

/* What else is between the braces stays, if it is a comment. */
static void remove_only_one(editor *e, const pv_node *mapping, const pv_node *node)
{
    pv_source *const s = &e->source;
    const size_t open = pv_i_byte(s, mapping->start) + 1;
    const size_t close = pv_i_byte(s, mapping->end) - 1;
    const size_t start = pv_i_entry_start(s, mapping, NULL, node);
    size_t end = pv_i_next_token(s, pv_i_entry_end(s, mapping, node));
    end = pv_i_char_at(s, end) == ',' ? end + 1 : pv_i_entry_end(s, mapping, node);
    end = pv_i_ends_line(s, end) ? pv_i_line_end(s, end) : end;
    const bool nothing_else = pv_i_only_blank(s, open, start) && pv_i_only_blank(s, end, close);
    keep(e, nothing_else ? open : start);
    leave_out(e, nothing_else ? close : end);
}

/* `{-, b}`: a dash alone is a key only because of the comma. */
static bool needs_comma(pv_source *s, const pv_node *mapping, const pv_node *value)
{
    const pv_node *const key = value->key;
    return key->plain && key->end == key->start + 1 && strchr("-?:", key->text[0]) != NULL &&
           pv_i_after_colon(s, mapping, value) == PV_NOWHERE;
}

/* The comma before the last entry goes with it, one after it stays. */
static void remove_last(editor *e, const pv_node *mapping, const pv_node *before,
                        const pv_node *node)
{
    pv_source *const s = &e->source;
    const size_t start = pv_i_entry_start(s, mapping, before, node);
    const size_t end = pv_i_entry_end(s, mapping, node);
    const size_t end_before = pv_i_entry_end(s, mapping, before);
    const size_t comma = pv_i_next_token(s, end_before);
    const bool is_last_in_line = pv_i_ends_line(s, end);
    const bool keeps_comma = needs_comma(s, mapping, before);
    const size_t next = pv_i_next_token(s, end);
    const size_t to = keeps_comma && pv_i_char_at(s, next) == ',' ? next + 1
                      : is_last_in_line                           ? pv_i_line_end(s, end)
                                                                  : end;
    const bool has_own_line = pv_i_begins_line(s, start) && is_last_in_line;
    const bool contiguous = !has_own_line && pv_i_only_blank(s, end_before, comma) &&
                            pv_i_only_blank(s, comma + 1, start);
    const size_t kept = keeps_comma ? comma + 1 : contiguous ? end_before : comma;
    keep(e, kept);
    put(e, distance_after(s, mapping, before)); /* `{key:}` would be another key */
    leave_out(e, contiguous ? to : comma + 1);
    put_distance(e);
    keep(e, is_last_in_line ? pv_i_before_break(s, pv_i_line_start(s, start)) : start);
    leave_out(e, to);
}

static void remove_from_flow(editor *e, const pv_node *mapping, const pv_node *node)
{
    pv_source *const s = &e->source;
    const pv_node *const before = pv_i_node_before(mapping, node);
    const size_t start = pv_i_entry_start(s, mapping, before, node);
    const size_t end = pv_i_entry_end(s, mapping, node);
    const size_t comma = pv_i_next_token(s, end);
    const bool has_comma = pv_i_char_at(s, comma) == ',';
    if (mapping->n_items == 1) {
        remove_only_one(e, mapping, node);
    } else if (has_comma && pv_i_begins_line(s, start) && pv_i_ends_line(s, comma + 1)) {
        keep(e, pv_i_line_start(s, start));
        leave_out(e, pv_i_after_break(s, pv_i_line_end(s, comma + 1)));
    } else if (node->next == NULL) {
        remove_last(e, mapping, before, node);
    } else {
        const bool is_last_in_line = pv_i_ends_line(s, comma + 1);
        keep(e, is_last_in_line ? before_blanks(s, start) : start);
        leave_out(e,
                  is_last_in_line ? pv_i_line_end(s, comma + 1) : pv_i_after_blanks(s, comma + 1));
    }
}

static void remove_from_block(editor *e, const pv_node *mapping, const pv_node *node)
{
    pv_source *const s = &e->source;
    const pv_node *const before = pv_i_node_before(mapping, node);
    const size_t start = pv_i_entry_start(s, mapping, before, node);
    const size_t line = pv_i_line_start(s, start);
    const size_t end = pv_i_line_end(s, pv_i_entry_end(s, mapping, node));
    if (!pv_i_begins_line(s, start)) { /* the first one, in the line of something else */
        keep(e, start);
        leave_out(e, pv_i_next_token(s, end));
        return;
    }
    /* A file without a line end at its end stays one; but a text after | needs it. */
    const bool needs_break = before == NULL || pv_i_is_block_text(s, pv_i_last_part(s, before));
    keep(e, end < s->size || needs_break ? line : pv_i_before_break(s, line));
    leave_out(e, pv_i_after_break(s, end));
}

/* A mapping that becomes empty stays one. */
static pv_status remove_entry(editor *e, const pv_node *parent, const pv_node *mapping,
                              const pv_node *node)
{
    static const pv_node nothing = {.kind = PV_NODE_MAPPING};
    pv_source *const s = &e->source;
    if (pv_i_is_flow(s, mapping)) {
        remove_from_flow(e, mapping, node);
    } else if (mapping->n_items > 1) {
        remove_from_block(e, mapping, node);
    } else if (parent != NULL) {
        return replace(e, parent, mapping, &nothing);
    } else {
        keep(e, pv_i_byte(s, mapping->start));
        put(e, "{}");
        leave_out(e, pv_i_line_end(s, pv_i_entry_end(s, mapping, node)));
    }
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------ the place */

static pv_status add(editor *e, const pv_node *parent, const pv_node *mapping, pv_way w)
{
    const bool in_lines = parent == NULL && goes_in_lines(e, w);
    return pv_i_is_flow(&e->source, mapping) ? add_to_flow(e, mapping, w)
                                             : add_to_block(e, mapping, w, in_lines);
}

/* The entry is there; the way ends at it, or at something that is no mapping. */
static pv_status change(editor *e, const pv_node *parent, const pv_node *mapping,
                        const pv_node *node, pv_way w)
{
    if (w.n == 1 && e->value == NULL) {
        return remove_entry(e, parent, mapping, node);
    }
    if (w.n == 1) {
        return replace(e, mapping, node, e->value);
    }
    if (!pv_i_is_empty(node)) {
        return pv_i_hint(pv_i_fail_at(e->error, PV_STATUS_ARGUMENT, NULL, node->line, node->column,
                                      "`%s` is no mapping of keys to values",
                                      pv_i_shown(w.keys[0]).text),
                         e->error, "set its whole value instead");
    }
    if (e->value == NULL) {
        return PV_STATUS_OK;
    }
    const bool in_lines =
        parent == NULL && !pv_i_is_flow(&e->source, mapping) && goes_in_lines(e, w);
    return fill_empty(e, mapping, node, w, e->value, in_lines);
}

/* Removing what is not there changes nothing. */
static pv_status edit(editor *e, const pv_node *root, pv_way w)
{
    const pv_node *parent = NULL;
    const pv_node *mapping = root;
    if (root == NULL || pv_i_is_empty(root)) {
        return e->value == NULL ? PV_STATUS_OK : add_to_nothing(e, root, w);
    }
    if (root->kind != PV_NODE_MAPPING) {
        return fail_node(e, PV_STATUS_INPUT, root,
                         "a plan is a mapping of keys to values, this is not",
                         "begin with `data: FILE.csv` and `attributes:`");
    }
    for (;;) {
        const pv_node *const node = pv_i_node_get(mapping, w.keys[0]);
        if (node == NULL) {
            return e->value == NULL ? PV_STATUS_OK : add(e, parent, mapping, w);
        }
        if (w.n == 1 || node->kind != PV_NODE_MAPPING) {
            return change(e, parent, mapping, node, w);
        }
        parent = mapping;
        mapping = node;
        w = (pv_way){w.keys + 1, w.n - 1};
    }
}

/* ------------------------------------------------------------------ the proof */

static bool has_block_text(pv_source *s, const pv_node *node)
{
    if (node == NULL || node->kind == PV_NODE_SCALAR) {
        return node != NULL && pv_i_is_block_text(s, node);
    }
    for (const pv_node *item = node->first; item != NULL; item = item->next) {
        if ((item->key != NULL && pv_i_is_block_text(s, item->key)) || has_block_text(s, item)) {
            return true;
        }
    }
    return false;
}

/* Is what was made what was meant? Blank lines and comments after a text in block style may become
 * part of it when what was between them goes. */
static pv_status prove(editor *e, const pv_node *root, pv_way w)
{
    pv_error cause = {0};
    pv_document made = {0};
    pv_status status = pv_i_document_parse(&made, NULL, e->out.data, e->out.size, &cause);
    if (status == PV_STATUS_NO_MEMORY) {
        status = pv_i_no_memory(e->error);
    } else if (status != PV_STATUS_OK || !pv_i_is_meant(root, made.root, w, e->value)) {
        status = has_block_text(&e->source, root)
                     ? pv_i_hint(pv_i_fail(e->error, PV_STATUS_INPUT,
                                           "a text in block style (after | or >) stands in the "
                                           "way of this change"),
                                 e->error, "write that text in quotes, or change the plan by hand")
                     : pv_i_fail(e->error, PV_STATUS_INTERNAL,
                                 "the plan would not have become what was meant");
    }
    pv_i_document_deinit(&made);
    return status;
}

/* ------------------------------------------------------------------ the whole */

static pv_status check_path(pv_way w, pv_error *error)
{
    if (w.n == 0) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "no key was given");
    }
    for (size_t i = 0; i < w.n; i++) {
        if (!pv_i_yaml_can_hold(w.keys[i])) {
            return pv_i_fail(error, PV_STATUS_ARGUMENT, "a plan cannot name what is not UTF-8");
        }
    }
    return PV_STATUS_OK;
}

static pv_status check_encoding(const char *text, size_t size, pv_error *error)
{
    if (size >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0)) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_INPUT, "the plan is written in UTF-16"), error,
                         "save it in the encoding UTF-8");
    }
    return PV_STATUS_OK;
}

static pv_status check_limits(const editor *e, const pv_document *old, const pv_document *value,
                              pv_way w)
{
    if (value->root != NULL && pv_i_depth(value->root) + w.n > PV_DOCUMENT_MAX_DEPTH) {
        return pv_i_fail(e->error, PV_STATUS_ARGUMENT, "the value would be nested too deeply");
    }
    if (e->out.size > PV_DOCUMENT_MAX_SIZE ||
        old->n_nodes + value->n_nodes + 2 * w.n > PV_DOCUMENT_MAX_NODES) {
        return pv_i_fail(e->error, PV_STATUS_LIMIT, "the plan would become too large");
    }
    return PV_STATUS_OK;
}

/* Could a reader of JSON read it? Then it shall stay so. */
static bool is_json(pv_source *s, const pv_node *node)
{
    const char first = pv_i_char_at(s, pv_i_byte(s, node->start));
    if (node->kind == PV_NODE_SCALAR) {
        return node->plain ? pv_i_is_json_literal(node->text) : first == '"';
    }
    for (const pv_node *item = node->first; item != NULL; item = item->next) {
        if ((item->key != NULL && (item->key->plain || !is_json(s, item->key))) ||
            !is_json(s, item)) {
            return false;
        }
    }
    return first == '{' || first == '[';
}

pv_status pv_plan_edit(const char *text, size_t size, const char *const *path, size_t n_path,
                       const char *value, char **edited, pv_error *error)
{
    pv_document old = {0}, new = {0};
    const pv_way w = {path, n_path};
    editor e = {.source = pv_i_source_begin(text, size), .arena = &new.arena, .error = error};
    pv_status status = check_path(w, error);
    if (status != PV_STATUS_OK) {
        return status;
    }
    PV_TRY_CLEAN(check_encoding(text, size, error));
    PV_TRY_CLEAN(pv_i_document_parse(&old, NULL, text, size, error));
    if (value != NULL) {
        PV_TRY_CLEAN(pv_i_read_value(&new, value, path[n_path - 1], error));
        e.value = new.root;
    }
    const bool has_entries = old.root != NULL && old.root->n_items > 0;
    e.style = (pv_flow_style){.json = has_entries && is_json(&e.source, old.root),
                              .newline = e.source.newline};
    if (!pv_i_is_meant(old.root, old.root, w, e.value)) {
        PV_TRY_CLEAN(edit(&e, old.root, w));
    }
    keep(&e, size);
    PV_TRY_CLEAN(check_limits(&e, &old, &new, w));
    pv_i_buffer_text(&e.out, ""); /* an empty text is one, too */
    if (e.out.failed) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    PV_TRY_CLEAN(prove(&e, old.root, w));
    status = pv_i_buffer_take(&e.out, edited, error);
cleanup:
    pv_i_buffer_deinit(&e.out);
    pv_i_document_deinit(&old);
    pv_i_document_deinit(&new);
    return status;
}
