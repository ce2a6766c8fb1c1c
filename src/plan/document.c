/* Plan files: read as a tree of nodes, taken apart by tables of keys.
 *
 * The tree is built without recursion: a stack of the open sequences and mappings, its height
 * limited, receives each node as libyaml's events bring it. */
#include "plan/document.h"

#include "base/error.h"
#include "base/memory.h"
#include "plan/spelling.h"

#include <assert.h>
#include <inttypes.h>
#include <paravent/table.h>
#include <stdint.h>
#include <stdio.h>
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
                      .column = (uint32_t)event->start_mark.column + 1,
                      .start = (uint32_t)event->start_mark.index,
                      .end = (uint32_t)event->end_mark.index};
    b->document->n_nodes++;
    *node = made;
    return PV_STATUS_OK;
}

/* Puts a node where the reading is: as the root, as an item, as a key or as the value of the
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
            return fail_event(b, event, error, "a key must be text, not a list or a mapping",
                              "write `key: value`; put a name that begins with [ or { in quotes");
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

static pv_status begin(builder *b, const yaml_event_t *event, pv_node_kind kind, bool has_anchor,
                       bool has_tag, pv_error *error)
{
    pv_node *node = NULL;
    PV_TRY(check_plain_node(b, event, has_anchor, has_tag, error));
    if (b->depth == PV_DOCUMENT_MAX_DEPTH) {
        return fail_event(b, event, error, "lists and mappings nested too deeply",
                          "a plan needs no more than a few levels of nesting");
    }
    PV_TRY(add_node(b, event, kind, &node, error));
    PV_TRY(attach(b, event, node, error));
    b->open[b->depth++] = (frame){.node = node};
    return PV_STATUS_OK;
}

/* Where in the file two nodes are, as qsort wants it. */
static int compare_places(const pv_node *a, const pv_node *b)
{
    return a->line != b->line ? (a->line > b->line) - (a->line < b->line)
                              : (a->column > b->column) - (a->column < b->column);
}

/* By text, then by place: of two equal keys the later one comes second. */
static int compare_keys(const void *a, const void *b)
{
    const pv_node *const left = *(const pv_node *const *)a;
    const pv_node *const right = *(const pv_node *const *)b;
    const int by_text = strcmp(left->text, right->text);
    return by_text != 0 ? by_text : compare_places(left, right);
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
    /* Of the repeated keys the one that comes first in the file. */
    const pv_node *original = NULL;
    const pv_node *repeated = NULL;
    for (size_t i = 1; i < n; i++) {
        if (strcmp(keys[i - 1]->text, keys[i]->text) == 0 &&
            (repeated == NULL || compare_places(keys[i], repeated) < 0)) {
            repeated = keys[i];
            original = keys[i - 1];
        }
    }
    pv_i_free(keys);
    if (repeated == NULL) {
        return PV_STATUS_OK;
    }
    const pv_status status = pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(b->file, repeated),
                                          "`%s` is written twice", pv_i_shown(repeated->text).text);
    return pv_i_hint(status, error, "it stands already in line %u; keep one of the two",
                     (unsigned)original->line);
}

static pv_status end(builder *b, const yaml_event_t *event, pv_error *error)
{
    pv_node *const node = b->open[--b->depth].node;
    node->end = (uint32_t)event->end_mark.index;
    return node->kind == PV_NODE_MAPPING ? check_repeated_keys(b, node, error) : PV_STATUS_OK;
}

/* ---------------------------------------------------------------- events */

static pv_status take_event(builder *b, const yaml_event_t *event, pv_error *error)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT: return add_scalar(b, event, error);
    case YAML_SEQUENCE_START_EVENT:
        return begin(b, event, PV_NODE_SEQUENCE, event->data.sequence_start.anchor != NULL,
                     event->data.sequence_start.tag != NULL, error);
    case YAML_MAPPING_START_EVENT:
        return begin(b, event, PV_NODE_MAPPING, event->data.mapping_start.anchor != NULL,
                     event->data.mapping_start.tag != NULL, error);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: return end(b, event, error);
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
    pv_status status = PV_STATUS_OK;
    for (bool last = false; !last && status == PV_STATUS_OK;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            status = fail_parser(&b, &parser, text, size, error);
            break;
        }
        last = event.type == YAML_STREAM_END_EVENT;
        status = take_event(&b, &event, error);
        yaml_event_delete(&event);
    }
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

/* ------------------------------------------------------------------ keys */

/* "a, b or c" of at most what fits. */
typedef struct {
    char text[PV_ERROR_HINT_SIZE];
    size_t used;
} listing;

static void list(listing *names, const char *name, bool last)
{
    const char *const joint = names->used == 0 ? "" : last ? " or " : ", ";
    const size_t left = sizeof names->text - names->used;
    const int size = snprintf(names->text + names->used, left, "%s%s", joint, name);
    if (size > 0 && (size_t)size < left) {
        names->used += (size_t)size;
    }
    names->text[names->used] = '\0';
}

static pv_status hint_words(pv_status status, const char *meant, const listing *names,
                            pv_error *error)
{
    if (meant != NULL) {
        return pv_i_hint(status, error, "did you mean `%s`? Allowed: %s", meant, names->text);
    }
    return pv_i_hint(status, error, "allowed: %s", names->text);
}

pv_status pv_i_fail_key(const pv_plan_key *keys, const char *where, const char *file,
                        const pv_node *key, pv_error *error)
{
    listing names = {0};
    pv_suggestion suggestion = {.word = key->text};
    for (; keys->name != NULL; keys++) {
        list(&names, keys->name, keys[1].name == NULL);
        pv_i_suggest(&suggestion, keys->name);
    }
    const pv_status status =
        pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, key), "unknown key `%s` in %s",
                     pv_i_shown(key->text).text, where);
    return hint_words(status, suggestion.best, &names, error);
}

static_assert(sizeof(pv_choice) == sizeof(int), "a choice is written as an int");

/* The field is of the type that the kind says. A table of keys that all come later has no target.
 */
static pv_status take_field(const pv_plan_key *key, const char *file, const pv_node *value,
                            void *target, pv_error *error)
{
    void *const field = target != NULL ? (char *)target + key->at : NULL;
    int chosen = 0;
    size_t n = 0;
    switch (key->kind) {
    case PV_KEY_LATER: return PV_STATUS_OK;
    case PV_KEY_TEXT: return pv_i_take_text(key->name, file, value, field, error);
    case PV_KEY_TEXTS: return pv_i_take_texts(key->name, file, value, field, &n, error);
    case PV_KEY_DECIMAL: return pv_i_take_decimal(key->name, file, value, field, error);
    default: PV_TRY(pv_i_take_word(key->name, key->words, file, value, &chosen, error));
    }
    if (key->kind == PV_KEY_SWITCH) {
        *(bool *)field = chosen;
    } else if (key->kind == PV_KEY_CHOICE) {
        memcpy(field, &chosen, sizeof chosen);
    }
    return PV_STATUS_OK;
}

pv_status pv_i_take_keys(const pv_plan_key *keys, const char *where, const char *file,
                         const pv_node *mapping, void *target, pv_error *error)
{
    for (const pv_node *value = mapping->first; value != NULL; value = value->next) {
        const pv_plan_key *key = keys;
        while (key->name != NULL && strcmp(key->name, value->key->text) != 0) {
            key++;
        }
        if (key->name == NULL) {
            return pv_i_fail_key(keys, where, file, value->key, error);
        }
        PV_TRY(key->take != NULL ? key->take(file, value, target, error)
                                 : take_field(key, file, value, target, error));
    }
    return PV_STATUS_OK;
}

/* ----------------------------------------------------------------- words */

static pv_status fail_word(const char *name, const pv_word *words, const char *file,
                           const pv_node *node, pv_error *error)
{
    listing names = {0};
    pv_suggestion suggestion = {.word = node->text};
    for (; words->text != NULL; words++) {
        list(&names, words->text, words[1].text == NULL);
        pv_i_suggest(&suggestion, words->text);
    }
    const pv_status status = pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, node),
                                          "`%s` cannot be `%s`", name, pv_i_shown(node->text).text);
    return hint_words(status, suggestion.best, &names, error);
}

pv_status pv_i_take_word(const char *name, const pv_word *words, const char *file,
                         const pv_node *node, int *value, pv_error *error)
{
    PV_TRY(pv_i_need_text(name, file, node, error));
    for (const pv_word *word = words; word->text != NULL; word++) {
        if (strcmp(word->text, node->text) == 0) {
            *value = word->value;
            return PV_STATUS_OK;
        }
    }
    return fail_word(name, words, file, node, error);
}

/* ---------------------------------------------------------------- values */

pv_status pv_i_need_mapping(const char *name, const char *file, const pv_node *node,
                            const char *example, pv_error *error)
{
    if (node->kind == PV_NODE_MAPPING) {
        return PV_STATUS_OK;
    }
    return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, node),
                                  "`%s` must be a mapping of keys to values",
                                  pv_i_shown(name).text),
                     error, "for example %s", example);
}

pv_status pv_i_need_list(const char *name, const char *file, const pv_node *node,
                         const char *example, pv_error *error)
{
    if (node->kind == PV_NODE_SEQUENCE && node->n_items > 0) {
        return PV_STATUS_OK;
    }
    return pv_i_hint(
        pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, node), "`%s` %s", pv_i_shown(name).text,
                     node->kind == PV_NODE_SEQUENCE ? "is an empty list" : "must be a list"),
        error, "for example %s", example);
}

pv_status pv_i_need_text(const char *name, const char *file, const pv_node *node, pv_error *error)
{
    if (node->kind != PV_NODE_SCALAR) {
        return pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, node),
                            "`%s` must be a single value, not a %s", pv_i_shown(name).text,
                            node->kind == PV_NODE_SEQUENCE ? "list" : "mapping");
    }
    if (node->plain && node->text[0] == '\0') {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, node),
                                      "`%s` has no value", pv_i_shown(name).text),
                         error, "write one after the colon, or remove the key");
    }
    return PV_STATUS_OK;
}

pv_status pv_i_take_decimal(const char *name, const char *file, const pv_node *node,
                            pv_decimal *decimal, pv_error *error)
{
    PV_TRY(pv_i_need_text(name, file, node, error));
    if (!pv_decimal_parse(node->text, strlen(node->text), decimal)) {
        const pv_status status =
            pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, node), "`%s`: `%s` is not a number",
                         pv_i_shown(name).text, pv_i_shown(node->text).text);
        return pv_i_hint(status, error,
                         "write digits with a decimal point if needed, such as 5 or 0.25");
    }
    return PV_STATUS_OK;
}

pv_status pv_i_take_decimals(const char *name, const char *file, const pv_node *node,
                             pv_decimal **decimals, size_t *n, pv_error *error)
{
    pv_status status = PV_STATUS_OK;
    size_t i = 0;
    if (node->kind != PV_NODE_SEQUENCE) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, node),
                                      "`%s` must be a list of numbers", pv_i_shown(name).text),
                         error, "for example %s: [5, 10]", pv_i_shown(name).text);
    }
    pv_decimal *const made = PV_NEW_ZEROED(pv_decimal, node->n_items);
    if (made == NULL) {
        return pv_i_no_memory(error);
    }
    for (const pv_node *item = node->first; item != NULL; item = item->next) {
        PV_TRY_CLEAN(pv_i_take_decimal(name, file, item, &made[i++], error));
    }
    *decimals = made;
    *n = i;
    return PV_STATUS_OK;
cleanup:
    pv_i_free(made);
    return status;
}

pv_status pv_i_take_count(const char *name, const char *file, const pv_node *node, uint64_t lowest,
                          uint64_t highest, uint64_t *count, pv_error *error)
{
    pv_decimal decimal;
    PV_TRY(pv_i_take_decimal(name, file, node, &decimal, error));
    while (decimal.scale > 0 && decimal.mantissa % 10 == 0) {
        decimal.mantissa /= 10;
        decimal.scale--;
    }
    if (decimal.scale > 0 || decimal.mantissa < 0 || (uint64_t)decimal.mantissa < lowest ||
        (uint64_t)decimal.mantissa > highest) {
        return highest >= INT64_MAX
                   ? pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, node),
                                  "`%s` must be a whole number of at least %" PRIu64,
                                  pv_i_shown(name).text, lowest)
                   : pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, node),
                                  "`%s` must be a whole number from %" PRIu64 " to %" PRIu64,
                                  pv_i_shown(name).text, lowest, highest);
    }
    *count = (uint64_t)decimal.mantissa;
    return PV_STATUS_OK;
}

pv_status pv_i_take_text(const char *name, const char *file, const pv_node *node, char **text,
                         pv_error *error)
{
    PV_TRY(pv_i_need_text(name, file, node, error));
    char *const copy = pv_i_strdup(node->text);
    if (copy == NULL) {
        return pv_i_no_memory(error);
    }
    pv_i_free(*text);
    *text = copy;
    return PV_STATUS_OK;
}

void pv_i_texts_free(char **texts)
{
    for (size_t i = 0; texts != NULL && texts[i] != NULL; i++) {
        pv_i_free(texts[i]);
    }
    pv_i_free(texts);
}

pv_status pv_i_take_texts(const char *name, const char *file, const pv_node *node, char ***texts,
                          size_t *n_texts, pv_error *error)
{
    const bool is_list = node->kind == PV_NODE_SEQUENCE;
    const pv_node *item = is_list ? node->first : node;
    const size_t n = is_list ? node->n_items : 1;
    char **const made = PV_NEW_ZEROED(char *, n + 1); /* all NULL: to be freed at any time */
    pv_status status = made != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
    for (size_t i = 0; i < n && status == PV_STATUS_OK; i++, item = item->next) {
        status = pv_i_take_text(name, file, item, &made[i], error);
    }
    if (status != PV_STATUS_OK) {
        pv_i_texts_free(made);
        return status;
    }
    *texts = made;
    *n_texts = n;
    return PV_STATUS_OK;
}
