/* A table as wide as wanted for searches: attributes of 16 values with 4 levels each, a sensitive
 * column and a label. */
#ifndef PV_TESTS_SEARCH_TABLE_H
#define PV_TESTS_SEARCH_TABLE_H

#include "base/buffer.h"
#include "base/rng.h"
#include "support/bound_study.h"

typedef struct search_table {
    bound_study study;
    pv_profile *profile;
    uint64_t n_nodes; /* of its lattice, if that has up to 31 attributes */
} search_table;

static inline void search_table_rows(pv_buffer *csv, size_t axes, size_t rows)
{
    pv_rng rng;
    pv_i_rng_init(&rng, axes);
    for (size_t row = 0; row < rows; row++) {
        pv_i_buffer_format(csv, "\nv%u,v%u", (unsigned)pv_i_rng_below(&rng, 5),
                           (unsigned)pv_i_rng_below(&rng, 3));
        for (size_t a = 0; a < axes; a++) {
            pv_i_buffer_format(csv, ",%u",
                               (unsigned)pv_i_rng_below(&rng, 1 + pv_i_rng_below(&rng, 16)));
        }
    }
    pv_i_buffer_char(csv, '\n');
}

static inline search_table search_table_create(size_t axes, size_t rows)
{
    search_table t = {.n_nodes = 1};
    pv_buffer plan = {0};
    pv_buffer csv = {0};
    pv_i_buffer_text(&plan, "attributes:\n  s: {role: sensitive}\n  c: {role: label}\n");
    pv_i_buffer_text(&csv, "s,c");
    for (size_t a = 0; a < axes; a++) {
        pv_i_buffer_format(&plan, "  q%zu: {role: quasi, hierarchy: {intervals: [2, 8]}}\n", a);
        pv_i_buffer_format(&csv, ",q%zu", a);
        t.n_nodes *= 4;
    }
    search_table_rows(&csv, axes, rows);
    t.study = bound_study_create(plan.data, csv.data);
    t.profile = bound_profile(t.study.study, 1);
    pv_i_buffer_deinit(&plan);
    pv_i_buffer_deinit(&csv);
    return t;
}

static inline void search_table_free(search_table *t)
{
    pv_profile_free(t->profile);
    bound_study_free(&t->study);
}

#endif
