/* Random tables for cut schemes: numbers in several spellings, with and without granularity,
 * categories with and without a taxonomy, missing values; and random cuts of them. */
#ifndef PV_TESTS_CUT_SAMPLE_H
#define PV_TESTS_CUT_SAMPLE_H

#include "base/buffer.h"
#include "base/rng.h"
#include "scheme/cuts.h"
#include "support/bound_study.h"

#include <stdlib.h>

typedef struct cut_sample {
    bound_study bound;
    pv_cut_space space;
    uint8_t *bits;
    size_t n_bits;
} cut_sample;

static const char cut_sample_tree[] =
    "{rows: [[ant, insect, animal], [bee, insect, animal], [cow, mammal, animal], "
    "[dog, mammal, animal], [elk, mammal, animal], [fir, tree, plant], [oak, tree, plant], "
    "[rose, flower, plant], ['a, b', other], ['{x}', other]]}";
static const char *const cut_sample_words[] = {"ant", "bee", "cow",  "dog",  "elk",
                                               "fir", "oak", "rose", "a, b", "{x}"};

static inline const char *cut_sample_granularity(pv_rng *rng)
{
    static const char *const steps[] = {"", ", granularity: 5", ", granularity: 2.5",
                                        ", granularity: 0.1"};
    return steps[pv_i_rng_below(rng, 4)];
}

/* "7", "7.0", "-3", "2.25": the same numbers in several spellings. */
static inline void cut_sample_number(pv_rng *rng, bool whole, pv_buffer *csv)
{
    const int n = (int)pv_i_rng_below(rng, 40) - 8;
    if (whole) {
        pv_i_buffer_format(csv, "%d", n);
    } else {
        const unsigned quarter = (unsigned)pv_i_rng_below(rng, 4) * 25;
        pv_i_buffer_format(csv, pv_i_rng_below(rng, 3) == 0 ? "%d.%02u0" : "%d.%02u", n, quarter);
    }
}

static inline void cut_sample_cell(pv_rng *rng, size_t column, unsigned missing, pv_buffer *csv)
{
    pv_i_buffer_text(csv, column > 0 ? ";" : "");
    if (missing > 0 && pv_i_rng_below(rng, missing) == 0) {
        pv_i_buffer_text(csv, column % 2 == 0 ? "?" : "");
    } else if (column < 2) {
        cut_sample_number(rng, column == 0, csv);
    } else if (column == 2) {
        pv_i_buffer_text(csv, cut_sample_words[pv_i_rng_below(rng, 10)]);
    } else {
        pv_i_buffer_format(csv, "v%u", (unsigned)pv_i_rng_below(rng, 6));
    }
}

static inline bound_study cut_sample_bind(const char *plan_text, const char *csv)
{
    const pv_read_options reading = {
        .delimiter = ';', .header = PV_CHOICE_YES, .quoting = PV_CHOICE_NO};
    bound_study s = {.plan = bound_plan(plan_text)};
    pv_error error = {0};
    pv_table *table = NULL;
    bound_must(pv_table_read_memory("t.csv", csv, strlen(csv), &reading, NULL, &table, &error),
               &error);
    bound_must(pv_study_bind(s.plan, table, &s.study, &error), &error);
    return s;
}

static inline bound_study cut_sample_study(pv_rng *rng, size_t n_rows)
{
    const unsigned missing = pv_i_rng_below(rng, 2) == 0 ? 0 : 12;
    pv_buffer plan = {0};
    pv_buffer csv = {0};
    pv_i_buffer_format(&plan, "attributes:\n  n: {role: quasi, type: integer%s",
                       cut_sample_granularity(rng));
    pv_i_buffer_format(&plan, "}\n  d: {role: quasi, type: decimal, weight: 3%s",
                       cut_sample_granularity(rng));
    pv_i_buffer_format(&plan, "}\n  t: {role: quasi, weight: 0.5, hierarchy: %s}\n",
                       cut_sample_tree);
    pv_i_buffer_text(&plan, "  c: {role: quasi}\n");
    pv_i_buffer_text(&csv, "n;d;t;c\n");
    for (size_t row = 0; row < n_rows; row++) {
        for (size_t column = 0; column < 4; column++) {
            cut_sample_cell(rng, column, missing, &csv);
        }
        pv_i_buffer_text(&csv, "\n");
    }
    const bound_study s = cut_sample_bind(plan.data, csv.data);
    pv_i_buffer_deinit(&plan);
    pv_i_buffer_deinit(&csv);
    return s;
}

/* Any density of cuts, sometimes none or all. */
static inline void cut_sample_cut(cut_sample *s, pv_rng *rng)
{
    const uint64_t density = pv_i_rng_below(rng, 6);
    for (size_t i = 0; i < s->n_bits; i++) {
        s->bits[i] = pv_i_rng_below(rng, 5) < density;
    }
}

static inline cut_sample cut_sample_create(pv_rng *rng, size_t n_rows)
{
    cut_sample s = {.bound = cut_sample_study(rng, n_rows)};
    pv_error error = {0};
    bound_must(pv_i_cut_space_init(&s.space, s.bound.study, false, &error), &error);
    s.n_bits = s.space.n_bits;
    s.bits = calloc(s.n_bits + 1, 1);
    assert_non_null(s.bits);
    cut_sample_cut(&s, rng);
    return s;
}

static inline pv_cuts *cut_sample_cuts(const cut_sample *s)
{
    pv_cuts *cuts = NULL;
    pv_error error = {0};
    bound_must(pv_i_cuts_from_bits(&s->space, s->bound.study, s->bits, &cuts, &error), &error);
    return cuts;
}

static inline void cut_sample_free(cut_sample *s)
{
    pv_i_cut_space_deinit(&s->space);
    bound_study_free(&s->bound);
    free(s->bits);
}

#endif
