/* Reading a mapping by a table of its keys, and its values by what they must be. */
#include "plan/keys.h"

#include "base/error.h"
#include "base/memory.h"
#include "plan/spelling.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------ keys */

/* "a, b or c" of at most what fits. */
typedef struct {
    char text[PV_ERROR_HINT_SIZE];
    size_t used;
} listing;

static void list(listing *names, const char *name, bool last)
{
    const char *const joint = names->used == 0 ? "" : last ? " or " : ", ";
    const size_t room = sizeof names->text - names->used;
    const int size = snprintf(names->text + names->used, room, "%s%s", joint, name);
    if (size > 0 && (size_t)size < room) {
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

static const pv_plan_key *find_key(const pv_plan_key *keys, const char *name)
{
    while (keys->name != NULL && strcmp(keys->name, name) != 0) {
        keys++;
    }
    return keys->name != NULL ? keys : NULL;
}

pv_status pv_i_take_keys(const pv_plan_key *keys, const char *where, const char *file,
                         const pv_node *mapping, void *target, pv_error *error)
{
    for (const pv_node *value = mapping->first; value != NULL; value = value->next) {
        const pv_plan_key *const key = find_key(keys, value->key->text);
        if (key == NULL) {
            return pv_i_fail_key(keys, where, file, value->key, error);
        }
        PV_TRY(key->take(file, value, target, error));
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

static pv_status fail_count(const char *name, const char *file, const pv_node *node,
                            uint64_t lowest, uint64_t highest, pv_error *error)
{
    if (highest >= INT64_MAX) {
        return pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, node),
                            "`%s` must be a whole number of at least %" PRIu64,
                            pv_i_shown(name).text, lowest);
    }
    return pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, node),
                        "`%s` must be a whole number from %" PRIu64 " to %" PRIu64,
                        pv_i_shown(name).text, lowest, highest);
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
        return fail_count(name, file, node, lowest, highest, error);
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

/* `texts` begins as all NULL, so what is there so far can be freed at any time. */
static pv_status copy_items(const char *name, const char *file, const pv_node *first, char **texts,
                            pv_error *error)
{
    size_t n = 0;
    for (const pv_node *item = first; item != NULL; item = item->next) {
        PV_TRY(pv_i_take_text(name, file, item, &texts[n++], error));
    }
    return PV_STATUS_OK;
}

pv_status pv_i_take_texts(const char *name, const char *file, const pv_node *node, char ***texts,
                          size_t *n_texts, pv_error *error)
{
    const bool is_list = node->kind == PV_NODE_SEQUENCE;
    const size_t n = is_list ? node->n_items : 1;
    char **const made = PV_NEW_ZEROED(char *, n + 1);
    if (made == NULL) {
        return pv_i_no_memory(error);
    }
    const pv_status status = is_list ? copy_items(name, file, node->first, made, error)
                                     : pv_i_take_text(name, file, node, &made[0], error);
    if (status != PV_STATUS_OK) {
        pv_i_texts_free(made);
        return status;
    }
    *texts = made;
    *n_texts = n;
    return PV_STATUS_OK;
}
