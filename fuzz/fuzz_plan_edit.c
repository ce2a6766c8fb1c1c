/* Any text at all as a plan of which something is changed: a new value at any of its keys, a new
 * key in any of its mappings, any of its keys removed. What is handed over is proven by the library
 * itself, which says so where it is not what was meant; here that is a failure. The first
 * line is the new value. */
#include "plan/document.h"
#include <paravent/plan.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MOST 12 /* edits of one input */

typedef struct {
    const char *text;
    size_t size;
    const char *value;
    const char *path[PV_DOCUMENT_MAX_DEPTH + 1];
    size_t edits;
} trial;

static void require_that(int holds)
{
    if (!holds) {
        abort();
    }
}

/* The edited text, or NULL. */
static char *edit(trial *t, const char *text, size_t size, size_t n, const char *value)
{
    char *edited = NULL;
    pv_error error = {0};
    const pv_status status = pv_plan_edit(text, size, t->path, n, value, &edited, &error);
    t->edits++;
    require_that(status != PV_STATUS_INTERNAL);
    require_that((status == PV_STATUS_OK) == (edited != NULL));
    require_that(status == PV_STATUS_OK || (error.status == status && error.message[0] != '\0'));
    return edited;
}

/* Setting it again changes nothing; nor does removing what was removed. */
static void try_edit(trial *t, size_t n, const char *value)
{
    char *const once = edit(t, t->text, t->size, n, value);
    if (once != NULL) {
        char *const twice = edit(t, once, strlen(once), n, value);
        require_that(twice != NULL && strcmp(once, twice) == 0);
        pv_string_free(twice);
    }
    pv_string_free(once);
}

static void try_all(trial *t, const pv_node *mapping, size_t depth)
{
    t->path[depth] = "new: key";
    if (mapping->kind != PV_NODE_MAPPING || pv_i_node_get(mapping, t->path[depth]) == NULL) {
        try_edit(t, depth + 1, t->value);
        try_edit(t, depth + 1, "{a: [b]}");
    }
    for (const pv_node *node = mapping->first; node != NULL && t->edits < MOST; node = node->next) {
        if (node->key == NULL) {
            continue;
        }
        t->path[depth] = node->key->text;
        try_edit(t, depth + 1, NULL);
        try_edit(t, depth + 1, t->value);
        try_edit(t, depth + 1, "[x, 1]");
        try_all(t, node, depth + 1);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *const line = size > 0 ? memchr(data, '\n', size) : NULL;
    const size_t length = line != NULL ? (size_t)(line - data) : 0;
    char *const value = malloc(length + 1);
    require_that(value != NULL);
    memcpy(value, data, length);
    value[length] = '\0';
    const size_t skipped = line != NULL ? length + 1 : 0;
    trial t = {.text = (const char *)data + skipped, .size = size - skipped, .value = value};
    pv_document document = {0};
    pv_error error = {0};
    if (pv_i_document_parse(&document, "plan.yaml", t.text, t.size, &error) == PV_STATUS_OK) {
        static const pv_node nothing = {.kind = PV_NODE_SCALAR, .plain = true, .text = ""};
        try_all(&t, document.root != NULL ? document.root : &nothing, 0);
    } else {
        t.path[0] = "a";
        pv_string_free(edit(&t, t.text, t.size, 1, value));
    }
    pv_i_document_deinit(&document);
    free(value);
    return 0;
}
