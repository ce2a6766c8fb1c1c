/* A table with its attackers and the records to be disclosed. */
#include "aruba_report.h"

#include "base/rng.h"

#include <stdlib.h>

const double aruba_similarity = 0.8;

/* ----------------------------------------------------------------- attackers */

static attacker open_attacker(const stage *s, double similarity)
{
    const pv_attacker_options options = {.similarity = similarity};
    attacker a = {0};
    pv_error error = {0};
    require(pv_attacker_open(s->table.profile, &options, &report_context, &a.attacker, &error) ==
                    PV_STATUS_OK &&
                pv_i_consistent_index_create(a.attacker, 0, &a.index, &error) == PV_STATUS_OK,
            error.message);
    return a;
}

static void close_attacker(attacker *a)
{
    pv_i_consistent_index_free(a->index);
    pv_attacker_free(a->attacker);
}

/* ------------------------------------------------------------------ records */

static pv_sensitivities *draw_sensitivities(const stage *s, uint64_t seed)
{
    pv_sensitivities *sensitivities = NULL;
    pv_error error = {0};
    require(pv_sensitivities_create(s->table.profile, PV_SENSITIVITY_RANDOM, seed, &sensitivities,
                                    &error) == PV_STATUS_OK,
            error.message);
    return sensitivities;
}

static int compare_tuples(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a;
    const size_t y = *(const size_t *)b;
    return (x > y) - (x < y);
}

static bool has(const size_t *tuples, size_t n, size_t tuple)
{
    for (size_t i = 0; i < n; i++) {
        if (tuples[i] == tuple) {
            return true;
        }
    }
    return false;
}

/* Rows are drawn, so that frequent records come up as often as they are; none twice. With other
 * attributes the same rows come up, unless they are no longer different. */
static void draw_sample(const stage *s, uint64_t seed, size_t *tuples)
{
    const pv_profile *const profile = s->table.profile;
    pv_rng rng;
    pv_i_rng_init(&rng, seed);
    for (size_t n = 0; n < s->n_sample;) {
        const size_t tuple =
            pv_profile_tuple(profile, pv_i_rng_below(&rng, pv_profile_rows(profile)));
        if (!has(tuples, n, tuple)) {
            tuples[n++] = tuple;
        }
    }
    qsort(tuples, s->n_sample, sizeof *tuples, compare_tuples);
}

/* ------------------------------------------------------------------- stage */

void aruba_stage_open(stage *s, const char *folder, size_t n_attributes, size_t n_sample)
{
    pv_plan *const plan = report_plan(folder, "items.yaml");
    report_leave_out(plan, n_attributes);
    *s = (stage){.table = report_open_plan(plan), .n_sample = n_sample};
    s->similar = open_attacker(s, aruba_similarity);
    s->exact = open_attacker(s, 0);
    for (size_t run = 0; run < RUNS; run++) {
        s->sensitivities[run] = draw_sensitivities(s, run + 1);
        draw_sample(s, run + 1, s->samples[run]);
    }
}

void aruba_stage_close(stage *s)
{
    for (size_t run = 0; run < RUNS; run++) {
        pv_sensitivities_free(s->sensitivities[run]);
    }
    close_attacker(&s->similar);
    close_attacker(&s->exact);
    report_close(&s->table);
}

double aruba_most_utility(const stage *s)
{
    double sum = 0;
    for (size_t q = 0; q < pv_study_quasis(s->table.study); q++) {
        sum += pv_hierarchy_height(pv_study_hierarchy(s->table.study, q));
    }
    return sum;
}
