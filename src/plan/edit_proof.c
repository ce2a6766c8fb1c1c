/* Changed trees, compared with what was meant; and new values, read. */
#include "plan/edit_proof.h"

#include "base/error.h"
#include "plan/plan.h"
#include "plan/spelling.h"

#include <string.h>

bool pv_i_is_empty(const pv_node *node)
{
    return node->kind == PV_NODE_SCALAR && node->plain && node->text[0] == '\0';
}

static bool same(const pv_node *a, const pv_node *b)
{
    if (a->kind != b->kind || a->n_items != b->n_items ||
        (a->kind == PV_NODE_SCALAR &&
         (strcmp(a->text, b->text) != 0 || pv_i_is_empty(a) != pv_i_is_empty(b)))) {
        return false;
    }
    for (a = a->first, b = b->first; a != NULL && b != NULL; a = a->next, b = b->next) {
        if ((a->key != NULL && strcmp(a->key->text, b->key->text) != 0) || !same(a, b)) {
            return false;
        }
    }
    return true;
}

bool pv_i_is_meant(const pv_node *was, const pv_node *now, pv_way w, const pv_node *value)
{
    if (w.n == 0) {
        return now != NULL && same(value, now);
    }
    if (value == NULL && (was == NULL || pv_i_is_empty(was))) {
        return now == NULL || pv_i_is_empty(now);
    }
    if (now == NULL || now->kind != PV_NODE_MAPPING) {
        return false;
    }
    const pv_way rest = {w.keys + 1, w.n - 1};
    bool is_done = false;
    const pv_node *got = now->first;
    const pv_node *old = was != NULL && was->kind == PV_NODE_MAPPING ? was->first : NULL;
    for (; old != NULL; old = old->next) {
        const bool is_here = strcmp(old->key->text, w.keys[0]) == 0;
        is_done = is_done || is_here;
        if (is_here && w.n == 1 && value == NULL) {
            continue;
        }
        if (got == NULL || strcmp(got->key->text, old->key->text) != 0 ||
            !(is_here ? pv_i_is_meant(old, got, rest, value) : same(old, got))) {
            return false;
        }
        got = got->next;
    }
    if (is_done || value == NULL) {
        return got == NULL;
    }
    return got != NULL && got->next == NULL && strcmp(got->key->text, w.keys[0]) == 0 &&
           pv_i_is_meant(NULL, got, rest, value);
}

size_t pv_i_depth(const pv_node *node)
{
    size_t deepest = 0;
    for (const pv_node *item = node->first; item != NULL; item = item->next) {
        const size_t depth = pv_i_depth(item);
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest + (node->kind != PV_NODE_SCALAR);
}

static bool has_empty(const pv_node *node)
{
    for (const pv_node *item = node->first; item != NULL; item = item->next) {
        if (has_empty(item)) {
            return true;
        }
    }
    return pv_i_is_empty(node) || (node->key != NULL && pv_i_is_empty(node->key));
}

pv_status pv_i_read_value(pv_document *document, const char *value, const char *key,
                          pv_error *error)
{
    pv_status status = pv_i_document_parse(document, NULL, value, strlen(value), error);
    if (status == PV_STATUS_NO_MEMORY) {
        return status;
    }
    if (status != PV_STATUS_OK) {
        pv_i_prefix_error(error, "value of", key);
        if (error != NULL) {
            error->status = PV_STATUS_ARGUMENT;
            error->line = error->column = 0;
        }
        return PV_STATUS_ARGUMENT;
    }
    if (document->root == NULL || has_empty(document->root)) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                   "value of `%s`: something in it has no value",
                                   pv_i_shown(key).text),
                         error, "an empty text is written \"\"");
    }
    return PV_STATUS_OK;
}
