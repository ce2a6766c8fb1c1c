/* Any bytes as a hierarchy file: it is read or refused, and what is read is a tree that keeps the
 * invariants of hierarchies and survives being written and read again. */
#include "support/hierarchy_invariants.h"

#include "hierarchy/hierarchy_spec.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MUST(condition)   \
    do {                  \
        if (!(condition)) \
            abort();      \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static pv_hierarchy *build(const pv_hierarchy_spec *spec)
{
    pv_hierarchy *h = NULL;
    MUST(pv_hierarchy_build_standalone(spec, &h, NULL) == PV_STATUS_OK);
    MUST(hierarchy_problem(h) == NULL);
    return h;
}

/* The file form is a fixed point: reading it gives the tree it was written from. */
static void check_round_trip(const pv_hierarchy *h)
{
    char *text = NULL, *again = NULL, *drawing = NULL;
    pv_hierarchy_spec spec = {0};
    MUST(pv_hierarchy_text(h, &text, NULL) == PV_STATUS_OK);
    MUST(pv_i_hierarchy_spec_parse("again", text, strlen(text), &spec, NULL) == PV_STATUS_OK);
    pv_hierarchy *const copy = build(&spec);
    MUST(pv_hierarchy_text(copy, &again, NULL) == PV_STATUS_OK);
    MUST(strcmp(text, again) == 0);
    MUST(pv_hierarchy_domain(copy) == pv_hierarchy_domain(h));
    MUST(pv_hierarchy_tree(h, 5, &drawing, NULL) == PV_STATUS_OK);
    pv_hierarchy_free(copy);
    pv_hierarchy_spec_free(&spec);
    pv_string_free(text);
    pv_string_free(again);
    pv_string_free(drawing);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pv_hierarchy_spec spec = {0};
    pv_error error = {0};
    const pv_status status =
        pv_i_hierarchy_spec_parse("fuzz", (const char *)data, size, &spec, &error);
    if (status != PV_STATUS_OK) {
        MUST(status == PV_STATUS_INPUT && error.message[0] != '\0' && spec.rows == NULL);
        return 0;
    }
    pv_hierarchy *const h = build(&spec);
    check_round_trip(h);
    pv_hierarchy_free(h);
    pv_hierarchy_spec_free(&spec);
    return 0;
}
