/* Fixed and highest levels of a plan in searches over cuts, against all cut schemes of random small
 * tables: which are allowed is asked of every two values, by the labels of the hierarchy. */
#include "cuts/cut_intervals.h"
#include "cuts/cut_search.h"
#include "front/front.h"
#include "scheme/cuts.h"
#include "support/cut_trial.h"
#include "support/random_study.h"
#include "support/testing.h"

#include <paravent/search.h>

enum { MOST_BITS = 10 };

typedef struct {
    random_study study;
    bool respects;
    pv_cut_space space;
    cut_oracle oracle;
    unsigned highest[CUT_ORACLE_AXES]; /* level */
    bool fixed[CUT_ORACLE_AXES];
} trial;

/* ------------------------------------------------------------------- allowed */

static bool same_group(const trial *t, size_t axis, unsigned level, uint32_t a, uint32_t b)
{
    const pv_hierarchy *const h = pv_study_hierarchy(t->study.bound.study, axis);
    return pv_hierarchy_group(h, level, a) == pv_hierarchy_group(h, level, b);
}

/* Of every two leaves: together only if the highest level has them together, and of a fixed level
 * always then; and of every group, that the taxonomy allows it, unless the plan asks for it. */
static bool axis_obeys(const trial *t, size_t a, const uint8_t *cuts)
{
    const pv_cut_axis *const axis = &t->space.axes[a];
    const uint32_t n_leaves = pv_hierarchy_leaves(axis->hierarchy);
    for (uint32_t x = 0; x < n_leaves; x++) {
        for (uint32_t y = 0; y < n_leaves; y++) {
            uint32_t first;
            uint32_t last;
            cut_oracle_group(&t->oracle, a, cuts, axis->value_of[x], &first, &last);
            const bool joined = axis->value_of[y] >= first && axis->value_of[y] <= last;
            const bool may = same_group(t, a, t->highest[a], x, y);
            if (joined ? !may : may && t->fixed[a]) {
                return false;
            }
            if (t->respects && !axis->numeric && !t->fixed[a] &&
                !cut_oracle_joinable(axis->hierarchy, first, last)) {
                return false;
            }
        }
    }
    return true;
}

static bool obeys(const trial *t, const uint8_t *cuts)
{
    for (size_t a = 0; a < t->space.n_axes; a++) {
        if (!axis_obeys(t, a, cuts)) {
            return false;
        }
    }
    return true;
}

/* -------------------------------------------------------------------- tables */

static void read_limits(trial *t)
{
    const pv_study *const study = t->study.bound.study;
    for (size_t q = 0; q < pv_study_quasis(study); q++) {
        const unsigned height = pv_hierarchy_height(pv_study_hierarchy(study, q));
        size_t n_allowed = 0;
        for (unsigned level = 0; level <= height; level++) {
            if (pv_study_allows(study, q, level)) {
                t->highest[q] = level;
                n_allowed++;
            }
        }
        t->fixed[q] = n_allowed == 1; /* level 0 as the highest is the only one, too */
    }
}

typedef void visit(trial *t, pv_rng *rng);

static void visit_tables(uint64_t seed, size_t n, visit *look)
{
    pv_rng rng;
    size_t n_seen = 0;
    size_t n_limited = 0;
    pv_i_rng_init(&rng, seed);
    for (size_t i = 0; i < n; i++) {
        const size_t n_quasi = 1 + (size_t)pv_i_rng_below(&rng, 3);
        const random_shape shape = {.n_rows = 2 + (size_t)pv_i_rng_below(&rng, 30),
                                    .n_quasi = n_quasi,
                                    .n_values = 2 + (size_t)pv_i_rng_below(&rng, 9 / n_quasi),
                                    .missing = pv_i_rng_below(&rng, 3) == 0 ? 5 : 0,
                                    .heights = 4,
                                    .granular = pv_i_rng_below(&rng, 3) == 0,
                                    .limited = true};
        trial t = {.respects = pv_i_rng_below(&rng, 3) > 0};
        pv_error error = {0};
        random_study_init(&t.study, &rng, &shape);
        const pv_study *const study = t.study.bound.study;
        const pv_status status = pv_i_cut_space_init(&t.space, study, t.respects, &error);
        if (status != PV_STATUS_OK) {
            assert_int_equal(status, PV_STATUS_ARGUMENT);
            assert_true(error.message[0] != '\0' && error.hint[0] != '\0');
        } else if (t.space.n_bits <= MOST_BITS) {
            cut_oracle_init(&t.oracle, study);
            read_limits(&t);
            look(&t, &rng);
            cut_oracle_deinit(&t.oracle);
            n_seen++;
            n_limited += t.space.limited;
        }
        pv_i_cut_space_deinit(&t.space);
        random_study_deinit(&t.study);
    }
    assert_true((n_limited > n / 4 && n_seen > n / 2) || !effort_is_whole()); /* shares of many */
}

/* --------------------------------------------------------------------- space */

static void expect_between(const trial *t, const uint8_t *cuts)
{
    for (size_t i = 0; i < t->space.n_bits; i++) {
        assert_true(t->space.coarsest[i] <= cuts[i] && cuts[i] <= t->space.finest[i]);
    }
}

static void look_at_space(trial *t, pv_rng *rng)
{
    uint8_t cuts[MOST_BITS + 1] = {0};
    double n_allowed = 0;
    double ways = 0;
    (void)rng;
    assert_true(obeys(t, t->space.coarsest) && obeys(t, t->space.finest));
    for (uint64_t number = 0; number < (uint64_t)1 << t->space.n_bits; number++) {
        cut_oracle_scheme(&t->oracle, number, cuts);
        const bool allowed = obeys(t, cuts);
        assert_int_equal(pv_i_cut_respects(&t->space, cuts), allowed);
        n_allowed += allowed;
        uint8_t made[MOST_BITS + 1];
        memcpy(made, cuts, sizeof made);
        pv_i_cut_respect(&t->space, made);
        assert_true(obeys(t, made));
        if (allowed) {
            expect_between(t, cuts);
            assert_memory_equal(made, cuts, t->space.n_bits);
        }
    }
    assert_true(pv_i_cut_ways(&t->space, &ways));
    assert_true(ways == n_allowed);
}

static void the_space_is_what_is_allowed(void **state)
{
    (void)state;
    visit_tables(71, effort(400), look_at_space);
}

/* ------------------------------------------------------------------- methods */

/* The least cost of an allowed scheme with at least this k; UINT64_MAX if there is none. */
static uint64_t least_cost(const trial *t, const pv_cut_prices *prices, uint64_t k)
{
    uint8_t cuts[MOST_BITS + 1] = {0};
    uint64_t least = UINT64_MAX;
    for (uint64_t number = 0; number < (uint64_t)1 << t->space.n_bits; number++) {
        cut_oracle_scheme(&t->oracle, number, cuts);
        if (obeys(t, cuts) && cut_oracle_count(&t->oracle, cuts).smallest >= k) {
            const uint64_t cost = cut_oracle_cost(&t->oracle, prices->unit, cuts);
            least = cost < least ? cost : least;
        }
    }
    return least;
}

static void look_at_method(trial *t, pv_rng *rng, const char *method)
{
    const uint64_t k = 1 + pv_i_rng_below(rng, 4);
    const pv_cut_settings settings = {.method = method,
                                      .k = k,
                                      .free_groups = !t->respects,
                                      .evaluations = 1 + pv_i_rng_below(rng, 300),
                                      .further = 1,
                                      .population = 6,
                                      .mutation = 0.2,
                                      .prove = 1,
                                      .seed = 1 + pv_i_rng_below(rng, 1000)};
    const pv_context context = {.threads = 2};
    pv_cut_search search;
    pv_error error = {0};
    const pv_status status =
        pv_i_cut_search_init(&search, t->study.profile, &settings, &context, &error);
    if (status != PV_STATUS_OK) {
        assert_int_equal(status, PV_STATUS_UNSATISFIED);
        const bool kept = cut_oracle_count(&t->oracle, t->space.coarsest).smallest >= k;
        assert_true(k > t->oracle.n_rows || !kept);
        return;
    }
    const pv_cut_goal goal = {.k = k};
    pv_cut_result found = {0};
    pv_cut_proof proof = {0};
    uint8_t cuts[MOST_BITS + 1] = {0};
    bound_must(pv_i_cut_search_find(&search, &goal, 0, NULL, 0, &error), &error);
    bound_must(pv_i_cut_result_of(&search.run, &goal, &found, &error), &error);
    search.proofs_end = HUGE_VAL;
    bound_must(pv_i_cut_search_prove(&search, &goal, found.best, 0, &proof, &error), &error);
    const uint64_t least = least_cost(t, &search.prices, k);
    assert_true(proof.best == least && proof.bound == least);
    assert_true(pv_i_cut_run_outcome(&search.run, found.best)->cost >= least);
    for (size_t id = 0; id < search.run.map.n; id++) { /* nothing else was ever looked at */
        pv_i_cut_run_scheme(&search.run, (uint32_t)id, cuts);
        assert_true(obeys(t, cuts));
    }
    pv_i_cut_result_deinit(&found);
    pv_i_cut_search_deinit(&search);
}

static void look_at_methods(trial *t, pv_rng *rng)
{
    look_at_method(t, rng, "memetic");
    look_at_method(t, rng, "nsga2");
}

static void every_method_keeps_to_them(void **state)
{
    (void)state;
    visit_tables(72, effort(160), look_at_methods);
}

/* --------------------------------------------------------------------- front */

static void look_at_front(trial *t, pv_rng *rng)
{
    const pv_cut_front_options options = {.size = sizeof options,
                                          .free_groups = !t->respects,
                                          .evaluations = 1,
                                          .population = 2,
                                          .prove = (double)INFINITY,
                                          .seed = 1 + pv_i_rng_below(rng, 1000)};
    cut_trial priced;
    pv_front *front = NULL;
    pv_error error = {0};
    bound_must(pv_search_cuts(t->study.profile, &options, NULL, &front, &error), &error);
    cut_trial_init(&priced, t->study.bound.study, t->study.profile, t->respects);
    assert_true(front->complete && front->n_points > 0);
    uint64_t k = 1;
    for (size_t i = 0; i < front->n_points; i++) {
        uint8_t cuts[MOST_BITS + 1] = {0};
        bound_must(
            pv_i_cuts_to_bits(&t->space, t->study.bound.study, front->points[i].cuts, cuts, &error),
            &error);
        assert_true(obeys(t, cuts));
        const double least = pv_i_cut_nwp(&priced.prices, least_cost(t, &priced.prices, k));
        assert_true(front->points[i].values[1] == least && front->points[i].bound == least);
        k = front->points[i].k + 1;
    }
    assert_true(least_cost(t, &priced.prices, k) == UINT64_MAX);
    cut_trial_deinit(&priced);
    pv_front_free(front);
}

static void fronts_are_whole(void **state)
{
    (void)state;
    visit_tables(73, effort(160), look_at_front);
}

/* ------------------------------------------------------------------- refused */

static void expect_refused(const char *attribute, const char *csv, const char *words)
{
    char plan[300];
    pv_cut_space space;
    pv_error error = {0};
    (void)snprintf(plan, sizeof plan, "attributes:\n  a: {role: quasi%s}\n", attribute);
    bound_study s = bound_study_create(plan, csv);
    const pv_status status = pv_i_cut_space_init(&space, s.study, true, &error);
    if (words == NULL) {
        assert_int_equal(status, PV_STATUS_OK);
        pv_i_cut_space_deinit(&space);
    } else {
        assert_int_equal(status, PV_STATUS_ARGUMENT);
        assert_non_null(strstr(error.message, words));
        assert_true(error.hint[0] != '\0');
    }
    bound_study_free(&s);
}

/* Limits that no cuts can keep to, and the nearest that they can. */
static void what_has_no_meaning_is_refused(void **state)
{
    (void)state;
    static const char numbers[] = "a\n1\n2\n3\n4\n12\n";
    expect_refused(", granularity: 2, level: 0", numbers, "granularity");
    expect_refused(", granularity: 2, hierarchy: {intervals: [3]}, max-level: 1", numbers,
                   "granularity");
    expect_refused(", granularity: 2, hierarchy: {intervals: [4]}, max-level: 1", numbers, NULL);
    expect_refused(", granularity: 2, hierarchy: {intervals: [4]}, level: 1", numbers, NULL);
    expect_refused(", hierarchy: {rows: [[1, odd], [2, even], [3, odd], [4, even], [12, even]]}"
                   ", level: 1",
                   numbers, "neighbouring");
    expect_refused(", hierarchy: {rows: [[1, odd], [2, even], [3, odd], [4, even], [12, even]]}"
                   ", max-level: 1",
                   numbers, NULL);
    expect_refused(", hierarchy: {rows: [[x, g], [y, g], [z]]}, level: 1", "a\nx\ny\nz\n", "`*`");
    expect_refused(", hierarchy: {rows: [[x, g], [y, g], [z]]}, max-level: 1", "a\nx\ny\nz\n",
                   NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_space_is_what_is_allowed),
        cmocka_unit_test(every_method_keeps_to_them),
        cmocka_unit_test(fronts_are_whole),
        cmocka_unit_test(what_has_no_meaning_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
