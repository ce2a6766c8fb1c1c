/* A plan file as a small tree of nodes. The tree is built without recursion: a stack of the open
 * sequences and mappings, its height limited, receives each node as libyaml's events bring it. */
#include "plan/document.h"

#include "base/error.h"
#include "base/memory.h"
#include "plan/spelling.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

/* A sequence or mapping that has begun and not yet ended. */
typedef struct {
    pv_node *node;
    pv_node *last; /* item so far */
    pv_node *key;  /* of a mapping: read, its value is still to come */
} frame;

typedef struct {
    pv_document *document;
    const char *file;
    frame open[PV_DOCUMENT_MAX_DEPTH];
    size_t depth;
    bool finished; /* the one document has ended */
} builder;

/* ------------------------------------------------------------- failures */

/* The reader's problems come with a byte offset only. */
static pv_status fail_at_offset(const builder *b, const char *text, size_t size, size_t offset,
                                const char *problem, pv_error *error)
{
    uint64_t line = 1;
    uint64_t column = 1;
    for (size_t i = 0; i < offset && i < size; i++) {
        const bool continues = ((unsigned char)text[i] & 0xc0) == 0x80;
        line += text[i] == '\n';
        column = text[i] == '\n' ? 1 : column + !continues;
    }
    const pv_status status = pv_i_fail_at(error, PV_STATUS_INPUT, b->file, line, column,
                                          "this is not a text file in UTF-8: %s", problem);
    return pv_i_hint(status, error, "a plan is a text file; save it in the encoding UTF-8");
}

/* A `?` alone where a value is expected; marks count characters. */
static bool is_bare_question(const char *text, size_t size, size_t character)
{
    size_t at = 0;
    for (size_t n = 0; at < size; at++) {
        const bool continues = ((unsigned char)text[at] & 0xc0) == 0x80;
        if (!continues && n++ == character) {
            break;
        }
    }
    return at < size && text[at] == '?' &&
           (at + 1 == size || strchr(" ,}]#\t\r\n", text[at + 1]) != NULL);
}

static pv_status fail_parser(const builder *b, const yaml_parser_t *parser, const char *text,
                             size_t size, pv_error *error)
{
    if (parser->error == YAML_MEMORY_ERROR || parser->error == YAML_NO_ERROR) {
        return pv_i_no_memory(error);
    }
    const char *const problem = parser->problem != NULL ? parser->problem : "unknown problem";
    if (parser->error == YAML_READER_ERROR) {
        return fail_at_offset(b, text, size, parser->problem_offset, problem, error);
    }
    if (is_bare_question(text, size, parser->problem_mark.index)) {
        return pv_i_hint(
            pv_i_fail_at(error, PV_STATUS_INPUT, b->file, parser->problem_mark.line + 1,
                         parser->problem_mark.column + 1, "YAML does not take a bare ? as text"),
            error, "put it in quotes: \"?\"; an open question is written role: \"?\"");
    }
    const bool has_context = parser->context != NULL;
    const pv_status status =
        pv_i_fail_at(error, PV_STATUS_INPUT, b->file, parser->problem_mark.line + 1,
                     parser->problem_mark.column + 1, "this is not valid YAML: %s%s%s",
                     has_context ? parser->context : "", has_context ? ", " : "", problem);
    return pv_i_hint(status, error,
                     "indent with spaces, close every bracket, and put names with special "
                     "characters (: # , [ ] { } & * ! | > %% @) in quotes");
}

static pv_status fail_event(const builder *b, const yaml_event_t *event, pv_error *error,
                            const char *problem, const char *hint)
{
    const pv_status status =
        pv_i_fail_at(error, PV_STATUS_INPUT, b->file, event->start_mark.line + 1,
                     event->start_mark.column + 1, "%s", problem);
    return pv_i_hint(status, error, "%s", hint);
}

/* ---------------------------------------------------------- single nodes */

static pv_status add_node(builder *b, const yaml_event_t *event, pv_node_kind kind, pv_node **node,
                          pv_error *error)
{
    if (b->document->n_nodes == PV_DOCUMENT_MAX_NODES) {
        return pv_i_fail_at(error, PV_STATUS_INPUT, b->file, event->start_mark.line + 1,
                            event->start_mark.column + 1, "more than %zu entries in one file",
                            PV_DOCUMENT_MAX_NODES);
    }
    pv_node *const made = pv_i_arena_alloc(&b->document->arena, sizeof *made);
    if (made == NULL) {
        return pv_i_no_memory(error);
    }
    *made = (pv_node){.kind = kind,
                      .line = (uint32_t)event->start_mark.line + 1,
                      .column = (uint32_t)event->start_mark.column + 1};
    b->document->n_nodes++;
    *node = made;
    return PV_STATUS_OK;
}

static pv_status fail_key(const builder *b, const yaml_event_t *event, pv_error *error)
{
    return fail_event(b, event, error, "a key must be text, not a list or a mapping",
                      "write `key: value`; put a name that begins with [ or { in quotes");
}

/* Puts a node where the reading stands: as the root, as an item, as a key or as the value of the
 * key before it. */
static pv_status attach(builder *b, const yaml_event_t *event, pv_node *node, pv_error *error)
{
    if (b->depth == 0) {
        b->document->root = node;
        return PV_STATUS_OK;
    }
    frame *const top = &b->open[b->depth - 1];
    if (top->node->kind == PV_NODE_MAPPING && top->key == NULL) {
        if (node->kind != PV_NODE_SCALAR) {
            return fail_key(b, event, error);
        }
        top->key = node;
        return PV_STATUS_OK;
    }
    node->key = top->key;
    top->key = NULL;
    *(top->last != NULL ? &top->last->next : &top->node->first) = node;
    top->last = node;
    top->node->n_items++;
    return PV_STATUS_OK;
}

static pv_status check_plain_node(const builder *b, const yaml_event_t *event, bool has_anchor,
                                  bool has_tag, pv_error *error)
{
    if (has_anchor) {
        return fail_event(b, event, error, "anchors (&name) are not allowed in a plan",
                          "put the text in quotes if the & belongs to it");
    }
    if (has_tag) {
        return fail_event(b, event, error, "tags (!name) are not allowed in a plan",
                          "put the text in quotes if the ! belongs to it");
    }
    return PV_STATUS_OK;
}

static pv_status add_scalar(builder *b, const yaml_event_t *event, pv_error *error)
{
    const char *const text = (const char *)event->data.scalar.value;
    const size_t length = event->data.scalar.length;
    pv_node *node = NULL;
    PV_TRY(check_plain_node(b, event, event->data.scalar.anchor != NULL,
                            event->data.scalar.tag != NULL, error));
    if (memchr(text, '\0', length) != NULL) {
        return fail_event(b, event, error, "text with a NUL character",
                          "remove the \\0 from the text");
    }
    PV_TRY(add_node(b, event, PV_NODE_SCALAR, &node, error));
    node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    node->text = pv_i_arena_text(&b->document->arena, text, length);
    if (node->text == NULL) {
        return pv_i_no_memory(error);
    }
    return attach(b, event, node, error);
}

/* -------------------------------------------------- sequences and mappings */

static pv_status begin(builder *b, const yaml_event_t *event, pv_node_kind kind, pv_error *error)
{
    pv_node *node = NULL;
    if (b->depth == PV_DOCUMENT_MAX_DEPTH) {
        return fail_event(b, event, error, "lists and mappings nested too deeply",
                          "a plan needs no more than a few levels of nesting");
    }
    PV_TRY(add_node(b, event, kind, &node, error));
    PV_TRY(attach(b, event, node, error));
    b->open[b->depth++] = (frame){.node = node};
    return PV_STATUS_OK;
}

/* By text, then by place: of two equal keys the later one stands second. */
static int compare_keys(const void *a, const void *b)
{
    const pv_node *const left = *(const pv_node *const *)a;
    const pv_node *const right = *(const pv_node *const *)b;
    const int by_text = strcmp(left->text, right->text);
    if (by_text != 0) {
        return by_text;
    }
    if (left->line != right->line) {
        return left->line < right->line ? -1 : 1;
    }
    return (left->column > right->column) - (left->column < right->column);
}

static bool comes_before(const pv_node *a, const pv_node *b)
{
    return a->line < b->line || (a->line == b->line && a->column < b->column);
}

/* The repeated key that comes first in the file, or NULL; `keys` must be sorted. */
static const pv_node *first_repeated(const pv_node *const *keys, size_t n, const pv_node **original)
{
    const pv_node *repeated = NULL;
    for (size_t i = 1; i < n; i++) {
        if (strcmp(keys[i - 1]->text, keys[i]->text) == 0 &&
            (repeated == NULL || comes_before(keys[i], repeated))) {
            repeated = keys[i];
            *original = keys[i - 1];
        }
    }
    return repeated;
}

static pv_status check_repeated_keys(const builder *b, const pv_node *mapping, pv_error *error)
{
    const pv_node **const keys = PV_NEW_ARRAY(const pv_node *, mapping->n_items);
    if (keys == NULL) {
        return pv_i_no_memory(error);
    }
    size_t n = 0;
    for (const pv_node *item = mapping->first; item != NULL; item = item->next) {
        keys[n++] = item->key;
    }
    qsort(keys, n, sizeof *keys, compare_keys);
    const pv_node *original = NULL;
    const pv_node *const repeated = first_repeated(keys, n, &original);
    pv_i_free(keys);
    if (repeated == NULL) {
        return PV_STATUS_OK;
    }
    const pv_status status = pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(b->file, repeated),
                                          "`%s` is written twice", pv_i_shown(repeated->text).text);
    return pv_i_hint(status, error, "it stands already in line %u; keep one of the two",
                     (unsigned)original->line);
}

static pv_status end(builder *b, pv_error *error)
{
    const pv_node *const node = b->open[--b->depth].node;
    return node->kind == PV_NODE_MAPPING ? check_repeated_keys(b, node, error) : PV_STATUS_OK;
}

/* ---------------------------------------------------------------- events */

static pv_status begin_sequence(builder *b, const yaml_event_t *event, pv_error *error)
{
    PV_TRY(check_plain_node(b, event, event->data.sequence_start.anchor != NULL,
                            event->data.sequence_start.tag != NULL, error));
    return begin(b, event, PV_NODE_SEQUENCE, error);
}

static pv_status begin_mapping(builder *b, const yaml_event_t *event, pv_error *error)
{
    PV_TRY(check_plain_node(b, event, event->data.mapping_start.anchor != NULL,
                            event->data.mapping_start.tag != NULL, error));
    return begin(b, event, PV_NODE_MAPPING, error);
}

static pv_status take_event(builder *b, const yaml_event_t *event, pv_error *error)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT: return add_scalar(b, event, error);
    case YAML_SEQUENCE_START_EVENT: return begin_sequence(b, event, error);
    case YAML_MAPPING_START_EVENT: return begin_mapping(b, event, error);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: return end(b, error);
    case YAML_ALIAS_EVENT:
        return fail_event(b, event, error, "aliases (*name) are not allowed in a plan",
                          "write the value out, or put the text in quotes if the * belongs to it");
    case YAML_DOCUMENT_START_EVENT:
        return !b->finished ? PV_STATUS_OK
                            : fail_event(b, event, error, "a second document begins here",
                                         "a plan file holds one document: remove the `---`");
    case YAML_DOCUMENT_END_EVENT: b->finished = true; return PV_STATUS_OK;
    default: return PV_STATUS_OK;
    }
}

static pv_status take_events(builder *b, yaml_parser_t *parser, const char *text, size_t size,
                             pv_error *error)
{
    for (;;) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event)) {
            return fail_parser(b, parser, text, size, error);
        }
        const bool last = event.type == YAML_STREAM_END_EVENT;
        const pv_status status = take_event(b, &event, error);
        yaml_event_delete(&event);
        if (last || status != PV_STATUS_OK) {
            return status;
        }
    }
}

pv_status pv_i_document_parse(pv_document *document, const char *file, const char *text,
                              size_t size, pv_error *error)
{
    builder b = {.document = document, .file = file};
    yaml_parser_t parser;
    if (size > PV_DOCUMENT_MAX_SIZE) {
        return pv_i_fail_at(error, PV_STATUS_INPUT, file, 0, 0,
                            "is larger than %zu bytes, too large for a plan", PV_DOCUMENT_MAX_SIZE);
    }
    if (!yaml_parser_initialize(&parser)) {
        return pv_i_no_memory(error);
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    const pv_status status = take_events(&b, &parser, text, size, error);
    yaml_parser_delete(&parser);
    return status;
}

void pv_i_document_deinit(pv_document *document)
{
    pv_i_arena_deinit(&document->arena);
    *document = (pv_document){0};
}

const pv_node *pv_i_node_get(const pv_node *mapping, const char *key)
{
    const pv_node *item = mapping->kind == PV_NODE_MAPPING ? mapping->first : NULL;
    while (item != NULL && strcmp(item->key->text, key) != 0) {
        item = item->next;
    }
    return item;
}
