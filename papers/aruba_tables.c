/* k-anonymous tables to compare with: one level vector for everyone, and what this comes to for the
 * records of all runs. */
#include "aruba_report.h"

#include "base/memory.h"
#include "base/rng.h"
#include "lattice/evaluator.h"
#include "records/weighing.h"

#include <math.h>

#define SUPPRESSED_SHARE 100 /* one row of so many */

const uint64_t aruba_ks[KS] = {1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100};

/* ----------------------------------------------------------------- records */

/* Says what a scheme comes to. */
typedef struct {
    const stage *stage;
    pv_consistent_scratch *scratch;
    pv_record_values values[RUNS];
    size_t n_quasi;
} judge;

static void judge_init(judge *j, const stage *s)
{
    pv_error error = {0};
    *j = (judge){.stage = s, .n_quasi = pv_study_quasis(s->table.study)};
    require(pv_i_consistent_scratch_create(s->similar.index, &j->scratch, &error) == PV_STATUS_OK,
            error.message);
    for (size_t run = 0; run < RUNS; run++) {
        require(pv_i_record_values_init(&j->values[run], s->table.profile, PV_UTILITY_DEPTH,
                                        s->sensitivities[run], &error) == PV_STATUS_OK,
                error.message);
    }
}

static void judge_deinit(judge *j)
{
    for (size_t run = 0; run < RUNS; run++) {
        pv_i_record_values_deinit(&j->values[run]);
    }
    pv_i_consistent_scratch_free(j->scratch);
}

/* A suppressed record is `*` everywhere. */
static void levels_of(const judge *j, const pv_classes *classes, size_t tuple, uint8_t *levels)
{
    const bool is_suppressed =
        pv_classes_is_suppressed(classes, pv_classes_of_tuple(classes, tuple));
    for (size_t q = 0; q < j->n_quasi; q++) {
        levels[q] = (uint8_t)(is_suppressed ? j->values[0].heights[q]
                                            : pv_classes_level(classes, tuple, q));
    }
}

static void add_record(judge *j, const pv_classes *classes, size_t run, size_t tuple, released *sum)
{
    const pv_profile *const profile = j->stage->table.profile;
    uint8_t levels[MOST_ATTRIBUTES];
    uint32_t leaves[MOST_ATTRIBUTES];
    double phi = 0;
    levels_of(j, classes, tuple, levels);
    for (size_t q = 0; q < j->n_quasi; q++) {
        const pv_record_level *const level = &j->values[run].levels[q][levels[q]];
        leaves[q] = pv_profile_leaf(profile, tuple, q);
        phi += level->sensitivity[leaves[q]];
        sum->utility += level->utility[leaves[q]];
    }
    const uint64_t rho = pv_i_consistent_count(j->stage->similar.index, j->scratch, leaves, levels);
    for (int risk = 0; risk < PV_RISK_COUNT; risk++) {
        sum->risk[risk] += pv_i_record_risk((pv_risk)risk, phi, rho, pv_profile_rows(profile));
    }
}

static void divide(released *sum, double n)
{
    sum->utility /= n;
    for (int risk = 0; risk < PV_RISK_COUNT; risk++) {
        sum->risk[risk] /= n;
    }
}

static released judge_scheme(judge *j, const uint8_t *levels, uint64_t budget)
{
    const stage *const s = j->stage;
    const pv_suppression suppression = {.budget = budget};
    pv_classes *classes = NULL;
    pv_error error = {0};
    released mean = {0};
    require(pv_classes_create(s->table.profile, levels, &suppression, &classes, &error) ==
                PV_STATUS_OK,
            error.message);
    for (size_t run = 0; run < RUNS; run++) {
        for (size_t i = 0; i < s->n_sample; i++) {
            add_record(j, classes, run, s->samples[run][i], &mean);
        }
    }
    divide(&mean, (double)(RUNS * s->n_sample));
    pv_classes_free(classes);
    return mean;
}

/* ----------------------------------------------------------------- schemes */

/* The k of every node of the lattice. */
typedef struct {
    pv_lattice lattice;
    uint64_t budget;
    uint64_t *k_of;
} landscape;

static pv_status keep_k(void *ctx, unsigned worker, uint64_t node, const pv_classes *classes)
{
    const landscape *const l = ctx;
    (void)worker;
    l->k_of[node] = pv_classes_k(classes);
    return PV_STATUS_OK;
}

static void landscape_init(landscape *l, const stage *s, uint64_t budget)
{
    const pv_evaluator_options options = {
        .suppression.budget = budget, .sizes = true, .threads = THREADS};
    pv_evaluator *evaluator = NULL;
    pv_error error = {0};
    *l = (landscape){.budget = budget};
    require(pv_i_lattice_init(&l->lattice, s->table.study, &error) == PV_STATUS_OK, error.message);
    l->k_of = PV_NEW_ZEROED(uint64_t, l->lattice.n_nodes);
    require(l->k_of != NULL, "out of memory");
    require(pv_i_evaluator_create(s->table.profile, &l->lattice, &options, &evaluator, &error) ==
                    PV_STATUS_OK &&
                pv_i_evaluate_all(evaluator, keep_k, l, NULL, 0, &error) == PV_STATUS_OK,
            error.message);
    pv_i_evaluator_free(evaluator);
}

static void landscape_deinit(landscape *l)
{
    pv_i_free(l->k_of);
    pv_i_lattice_deinit(&l->lattice);
}

static unsigned steps_up(const landscape *l, uint64_t node)
{
    unsigned sum = 0;
    for (size_t q = 0; q < l->lattice.n_axes; q++) {
        sum += pv_i_lattice_level(&l->lattice, node, q);
    }
    return sum;
}

/* The most useful scheme; of several that with the most k. */
static uint64_t find_best(const landscape *l, uint64_t k)
{
    uint64_t best = l->lattice.n_nodes - 1;
    unsigned least = steps_up(l, best);
    for (uint64_t node = 0; node < l->lattice.n_nodes; node++) {
        const unsigned steps = l->k_of[node] >= k ? steps_up(l, node) : UINT32_MAX;
        if (steps < least || (steps == least && l->k_of[node] > l->k_of[best])) {
            best = node;
            least = steps;
        }
    }
    return best;
}

/* From `*` everywhere by random steps, as long as there is one that keeps k. */
static uint64_t draw_scheme(const landscape *l, pv_rng *rng, uint64_t k)
{
    uint64_t node = l->lattice.n_nodes - 1;
    for (;;) {
        uint64_t steps[MOST_ATTRIBUTES];
        size_t n = 0;
        for (size_t q = 0; q < l->lattice.n_axes; q++) {
            const uint64_t next = node - l->lattice.strides[q];
            if (pv_i_lattice_level(&l->lattice, node, q) > 0 && l->k_of[next] >= k) {
                steps[n++] = next;
            }
        }
        if (n == 0) {
            return node;
        }
        node = steps[pv_i_rng_below(rng, n)];
    }
}

/* -------------------------------------------------------------------- tables */

static released judge_node(judge *j, const landscape *l, uint64_t node)
{
    uint8_t levels[MOST_ATTRIBUTES];
    pv_i_lattice_levels(&l->lattice, node, levels);
    return judge_scheme(j, levels, l->budget);
}

static released judge_arbitrary(judge *j, const landscape *l, uint64_t k)
{
    pv_rng rng;
    released mean = {0};
    pv_i_rng_init(&rng, k);
    for (size_t i = 0; i < ARBITRARY; i++) {
        const released one = judge_node(j, l, draw_scheme(l, &rng, k));
        mean.utility += one.utility;
        for (int risk = 0; risk < PV_RISK_COUNT; risk++) {
            mean.risk[risk] += one.risk[risk];
        }
    }
    divide(&mean, ARBITRARY);
    return mean;
}

static void find_least(const stage *s, anonymous *a)
{
    for (int risk = 0; risk < PV_RISK_COUNT; risk++) {
        const question q = {.method = BNB, .risk = (pv_risk)risk, .utility = a->best.utility};
        a->least[risk] = aruba_ask(s, &q).risk;
    }
}

void aruba_anonymize(const stage *s, anonymous tables[KS])
{
    judge j;
    landscape all;
    landscape suppressing;
    judge_init(&j, s);
    landscape_init(&all, s, 0);
    landscape_init(&suppressing, s, pv_profile_rows(s->table.profile) / SUPPRESSED_SHARE);
    for (size_t i = 0; i < KS; i++) {
        const uint64_t k = aruba_ks[i];
        tables[i].best = judge_node(&j, &all, find_best(&all, k));
        tables[i].suppressed = judge_node(&j, &suppressing, find_best(&suppressing, k));
        tables[i].arbitrary = judge_arbitrary(&j, &all, k);
        find_least(s, &tables[i]);
    }
    landscape_deinit(&suppressing);
    landscape_deinit(&all);
    judge_deinit(&j);
}
