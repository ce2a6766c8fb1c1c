/* The best cut scheme that keeps demands, against all cut schemes of random small tables, each
 * released and measured as any other scheme: ragged trees, missing values, several sensitive
 * columns, granules, with and without suppression. */
#include "cuts/cut_best.h"

#include "base/memory.h"
#include "classes/grouping.h"
#include "cuts/cut_needed.h"
#include "cuts/cut_search.h"
#include "scheme/cuts.h"
#include "scheme/scheme.h"
#include "support/failing_alloc.h"
#include "support/oracle_measures.h"
#include "support/random_study.h"
#include "support/testing.h"

#include <math.h>
#include <paravent/front.h>

#define MOST_DEMANDS 3
#define MOST_BITS 9

typedef struct {
    random_study study;
    pv_measure_ref loss;
    pv_constraint demands[MOST_DEMANDS];
    size_t n_demands;
    uint64_t budget;
} trial;

typedef struct {
    bool found;
    double value;
    uint64_t suppressed;
} truth;

static const char *const losses[] = {"glm", "nwp", "leaf-utility"};
static const char *const rules[] = {"k", "l-distinct", "l-entropy", "l-recursive", "t-closeness"};

static double bound_for(random_study *s, const char *name)
{
    const double unit = (double)random_below(s, 1000) / 1000;
    if (oracle_same(name, "k")) {
        return (double)(1 + random_below(s, 1 + s->table.n_rows / 3));
    }
    return oracle_same(name, "t-closeness")
               ? unit
               : 1 + (oracle_same(name, "l-entropy") ? unit * 2 : (double)random_below(s, 3));
}

static void ask(trial *t)
{
    random_study *const s = &t->study;
    const size_t n = 1 + random_below(s, MOST_DEMANDS);
    t->loss = (pv_measure_ref){.measure = pv_measure_find(losses[random_below(s, 3)])};
    for (size_t i = 0; i < n; i++) {
        const char *const name = rules[s->table.n_sensitive > 0 ? random_below(s, 5) : 0];
        const pv_measure *const measure = pv_measure_find(name);
        t->demands[t->n_demands++] =
            (pv_constraint){.ref = {.measure = measure, .parameter = measure->parameter_default},
                            .bound = bound_for(s, name)};
    }
    t->budget = random_one_in(s, 4) ? 0 : random_below(s, 1 + s->table.n_rows);
}

/* The cuts as a release measures them. False: more break a demand than may be suppressed. */
static bool measure_cuts(const trial *t, const pv_cuts *cuts, double *value, uint64_t *suppressed)
{
    pv_study *cut = NULL;
    pv_profile *profile = NULL;
    pv_scheme *scheme = NULL;
    pv_classes *classes = NULL;
    assert_int_equal(pv_study_cut(t->study.bound.study, cuts, &cut, NULL), PV_STATUS_OK);
    assert_int_equal(pv_profile_create(cut, NULL, &profile, NULL), PV_STATUS_OK);
    assert_int_equal(pv_scheme_from_plan(cut, &scheme, NULL), PV_STATUS_OK);
    assert_int_equal(pv_classes_create_demanding(profile, scheme->levels, t->demands, t->n_demands,
                                                 t->budget, NULL, &classes, NULL),
                     PV_STATUS_OK);
    *suppressed = pv_classes_suppressed(classes);
    const bool fits = classes->feasible;
    if (fits) {
        assert_int_equal(pv_measure_value(t->loss, classes, value, NULL), PV_STATUS_OK);
    }
    pv_classes_free(classes);
    pv_scheme_free(scheme);
    pv_profile_free(profile);
    pv_study_free(cut);
    return fits;
}

static bool is_less(const trial *t, double a, double b)
{
    return t->loss.measure->direction == PV_MORE_IS_BETTER ? a > b : a < b;
}

static truth brute_force(const trial *t, const pv_cut_space *space)
{
    truth best = {0};
    uint8_t bits[MOST_BITS + 1] = {0};
    for (unsigned scheme = 0; scheme < 1u << space->n_bits; scheme++) {
        double value;
        uint64_t suppressed;
        pv_cuts *cuts = NULL;
        for (size_t i = 0; i < space->n_bits; i++) {
            bits[i] = scheme >> i & 1;
        }
        if (!pv_i_cut_respects(space, bits)) {
            continue;
        }
        assert_int_equal(pv_i_cuts_from_bits(space, t->study.bound.study, bits, &cuts, NULL),
                         PV_STATUS_OK);
        if (measure_cuts(t, cuts, &value, &suppressed) &&
            (!best.found || is_less(t, value, best.value))) {
            best = (truth){.found = true, .value = value, .suppressed = suppressed};
        }
        pv_cuts_free(cuts);
    }
    return best;
}

static pv_cut_best_found search(const trial *t, unsigned threads, uint64_t max_steps)
{
    const pv_context context = {.threads = threads};
    const pv_cut_best_settings settings = {.context = &context,
                                           .demands = t->demands,
                                           .n_demands = t->n_demands,
                                           .loss = t->loss,
                                           .budget = t->budget,
                                           .max_steps = max_steps,
                                           .seed = 1};
    pv_cut_best_found found;
    assert_int_equal(pv_i_cut_best(t->study.profile, &settings, &found, NULL), PV_STATUS_OK);
    return found;
}

/* The value that a share of the largest loss is. */
static double value_of(const trial *t, const pv_cut_best_found *found, double share)
{
    return t->loss.measure->direction == PV_MORE_IS_BETTER ? found->range * (1 - share)
                                                           : found->range * share;
}

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b)));
}

/* What is said of a scheme holds for it, and the bound is not above what is possible. */
static void expect_honest(const trial *t, const pv_cut_best_found *found, const truth *best)
{
    if (found->cuts != NULL) {
        double value;
        uint64_t suppressed;
        assert_true(measure_cuts(t, found->cuts, &value, &suppressed));
        assert_true(is_near(value, value_of(t, found, found->share)));
        assert_true(found->bound <= found->share + 1e-9);
        assert_true(best->found && (is_near(value, best->value) || is_less(t, best->value, value)));
    }
    if (best->found) {
        const double bound = value_of(t, found, found->bound);
        assert_true(is_near(bound, best->value) || is_less(t, bound, best->value) ||
                    found->range == 0);
        assert_true(!found->proven || found->cuts != NULL);
    }
}

static void check_trial(const trial *t, unsigned threads)
{
    pv_cut_space space;
    const pv_status status = pv_i_cut_space_init(&space, t->study.bound.study, true, NULL);
    if (status == PV_STATUS_ARGUMENT) { /* limits that no cuts keep to: test_cut_limits.c */
        return;
    }
    assert_int_equal(status, PV_STATUS_OK);
    if (space.n_bits <= MOST_BITS) {
        const truth best = brute_force(t, &space);
        pv_cut_best_found found = search(t, threads, 0);
        assert_true(found.proven);
        assert_int_equal(found.stop, PV_STOP_FINISHED);
        assert_int_equal(found.cuts != NULL, best.found);
        expect_honest(t, &found, &best);
        if (best.found) {
            assert_true(is_near(value_of(t, &found, found.share), best.value));
        }
        pv_cuts_free(found.cuts);
        for (uint64_t steps = 1; steps < 8; steps += 2) {
            found = search(t, threads, steps);
            expect_honest(t, &found, &best);
            assert_true(found.steps <= steps);
            pv_cuts_free(found.cuts);
        }
    }
    pv_i_cut_space_deinit(&space);
}

static random_shape shape_of(pv_rng *rng)
{
    const size_t n_quasi = 1 + (size_t)pv_i_rng_below(rng, 4);
    return (random_shape){.n_rows = 1 + (size_t)pv_i_rng_below(rng, 1 + pv_i_rng_below(rng, 30)),
                          .n_quasi = n_quasi,
                          .n_values = 1 + (size_t)pv_i_rng_below(rng, 1 + 8 / n_quasi),
                          .n_sensitive = (size_t)pv_i_rng_below(rng, 3),
                          .missing = pv_i_rng_below(rng, 3) == 0 ? 5 : 0,
                          .heights = 4,
                          .uniform = pv_i_rng_below(rng, 2) == 0,
                          .copies = pv_i_rng_below(rng, 3) == 0 ? 3 : 0,
                          .granular = pv_i_rng_below(rng, 3) == 0,
                          .limited = pv_i_rng_below(rng, 2) == 0};
}

static void test_random_tables(void **state)
{
    (void)state;
    pv_rng rng;
    pv_i_rng_init(&rng, 31);
    const size_t n = effort(160);
    for (size_t i = 0; i < n; i++) {
        const random_shape shape = shape_of(&rng);
        trial t = {0};
        random_study_init(&t.study, &rng, &shape);
        ask(&t);
        check_trial(&t, 1 + (unsigned)(i % 3));
        random_study_deinit(&t.study);
    }
}

/* --------------------------------------------------- losses that are no sums */

static const char *const others[] = {"dcn", "cm", "aecs", "entropy"};

/* Nothing is proven of them, but what is told is true, and on small tables it is mostly the best.
 */
static void check_other(const trial *t, size_t *n_found, size_t *n_best)
{
    pv_cut_space space;
    if (pv_i_cut_space_init(&space, t->study.bound.study, true, NULL) != PV_STATUS_OK) {
        return;
    }
    if (space.n_bits <= MOST_BITS) {
        const truth best = brute_force(t, &space);
        pv_cut_best_found found = search(t, 2, 6);
        pv_cut_best_found alone = search(t, 1, 6);
        assert_true(alone.share == found.share && alone.steps == found.steps);
        pv_cuts_free(alone.cuts);
        assert_true(!found.proven || !best.found);
        assert_true(found.cuts == NULL || best.found);
        assert_true(found.range <= 0 && found.bound <= 0);
        *n_found += best.found;
        if (found.cuts != NULL) {
            double value;
            uint64_t suppressed;
            assert_true(measure_cuts(t, found.cuts, &value, &suppressed));
            assert_true(suppressed <= t->budget);
            assert_true(is_near(value, best.value) || is_less(t, best.value, value));
            *n_best += is_near(value, best.value);
            /* What the search compares is what a release loses. */
            const double share = pv_measure_share(t->loss.measure, t->study.profile, value);
            assert_true(oracle_same(t->loss.measure->name, "entropy") ||
                        fabs(share - found.share) <= 1e-9);
        }
        pv_cuts_free(found.cuts);
    }
    pv_i_cut_space_deinit(&space);
}

static void test_other_losses(void **state)
{
    (void)state;
    pv_rng rng;
    size_t n_found = 0;
    size_t n_best = 0;
    pv_i_rng_init(&rng, 36);
    const size_t n = effort(160);
    for (size_t i = 0; i < n; i++) {
        random_shape shape = shape_of(&rng);
        trial t = {0};
        shape.label = true;
        random_study_init(&t.study, &rng, &shape);
        ask(&t);
        t.loss = (pv_measure_ref){.measure = pv_measure_find(others[i % 4])};
        check_other(&t, &n_found, &n_best);
        random_study_deinit(&t.study);
    }
    assert_true(n_found > n / 3 || !effort_is_whole());
    assert_true(n_best >= n_found - n_found / 20);
}

/* --------------------------------------------------------- beyond enumeration */

/* Some hundred rows, six attributes of a few values. */
static void large_init(trial *t, pv_rng *rng, const char *rule, double bound)
{
    const pv_measure *const measure = pv_measure_find(rule);
    const random_shape shape = {.n_rows = 150,
                                .n_quasi = 5,
                                .n_values = 6,
                                .full = true,
                                .n_sensitive = 1,
                                .heights = 3,
                                .copies = 2};
    *t = (trial){.loss = {.measure = pv_measure_find("glm")}, .budget = 10, .n_demands = 2};
    random_study_init(&t->study, rng, &shape);
    t->demands[0] = (pv_constraint){.ref = {.measure = pv_measure_find("k")}, .bound = 3};
    t->demands[1] = (pv_constraint){
        .ref = {.measure = measure, .parameter = measure->parameter_default}, .bound = bound};
}

static const struct {
    const char *name;
    double bound;
} more[] = {{"k", 4}, {"l-distinct", 2}, {"t-closeness", 0.6}, {"l-entropy", 1.5}};

static char *text_of(const pv_cut_best_found *found)
{
    char *text = NULL;
    assert_non_null(found->cuts);
    assert_int_equal(pv_cuts_text(found->cuts, &text, NULL), PV_STATUS_OK);
    return text;
}

static void test_threads_find_the_same(void **state)
{
    (void)state;
    pv_rng rng;
    pv_i_rng_init(&rng, 32);
    for (size_t i = 0; i < (effort_is_whole() ? 4 : 2); i++) {
        trial t;
        large_init(&t, &rng, more[i].name, more[i].bound);
        for (uint64_t steps = 1; steps < 10; steps += 4) {
            pv_cut_best_found alone = search(&t, 1, steps);
            pv_cut_best_found three = search(&t, 3, steps);
            char *const a = text_of(&alone);
            char *const b = text_of(&three);
            assert_string_equal(a, b);
            assert_true(alone.bound == three.bound && alone.nodes == three.nodes);
            assert_int_equal(alone.stop, three.stop);
            assert_int_equal(alone.steps, three.steps);
            pv_string_free(a);
            pv_string_free(b);
            pv_cuts_free(alone.cuts);
            pv_cuts_free(three.cuts);
        }
        random_study_deinit(&t.study);
    }
}

/* More may be suppressed: never worse, as far as it is proven; and nothing is below a bound. */
static void test_larger_budgets_are_never_worse(void **state)
{
    (void)state;
    pv_rng rng;
    pv_i_rng_init(&rng, 33);
    for (size_t i = 0; i < (effort_is_whole() ? 4 : 2); i++) {
        trial t;
        double before = 1;
        double bound = 1;
        large_init(&t, &rng, more[i].name, more[i].bound);
        for (t.budget = 0; t.budget <= 24; t.budget += 6) {
            pv_cut_best_found found = search(&t, 2, 12);
            double value;
            uint64_t suppressed;
            assert_true(measure_cuts(&t, found.cuts, &value, &suppressed));
            assert_true(is_near(value, value_of(&t, &found, found.share)));
            assert_true(found.bound <= found.share && found.bound <= before + 1e-9);
            assert_true(!found.proven || found.share <= before + 1e-9);
            bound = fmin(bound, found.bound);
            assert_true(found.share >= bound - 1e-9);
            before = found.share;
            pv_cuts_free(found.cuts);
        }
        random_study_deinit(&t.study);
    }
}

/* ------------------------------------------------------------------- stopping */

typedef struct {
    unsigned left;
} patience;

static bool stop_soon(void *ctx, const pv_progress *progress)
{
    patience *const p = ctx;
    (void)progress;
    return p->left-- > 0;
}

static void test_being_stopped_is_no_failure(void **state)
{
    (void)state;
    pv_rng rng;
    pv_i_rng_init(&rng, 34);
    for (uint64_t budget = 0; budget < 20; budget += 10) {
        trial t;
        large_init(&t, &rng, "l-distinct", 2);
        t.budget = budget;
        pv_cut_best_found whole = search(&t, 1, 60);
        for (unsigned left = 0; left < 6; left++) {
            patience p = {.left = left};
            const pv_context context = {.threads = 2, .progress = stop_soon, .progress_ctx = &p};
            const pv_cut_best_settings settings = {.context = &context,
                                                   .demands = t.demands,
                                                   .n_demands = t.n_demands,
                                                   .loss = t.loss,
                                                   .budget = t.budget,
                                                   .max_seconds = left < 3 ? 0.02 * left : 0.2,
                                                   .max_steps = 40,
                                                   .seed = 1};
            pv_cut_best_found found;
            double value;
            uint64_t suppressed;
            assert_int_equal(pv_i_cut_best(t.study.profile, &settings, &found, NULL), PV_STATUS_OK);
            assert_true(found.proven == (found.stop == PV_STOP_FINISHED));
            assert_true(found.bound <= whole.share + 1e-9);
            if (found.cuts != NULL) {
                assert_true(measure_cuts(&t, found.cuts, &value, &suppressed));
                assert_true(found.share >= whole.bound - 1e-9);
            }
            pv_cuts_free(found.cuts);
        }
        pv_cuts_free(whole.cuts);
        random_study_deinit(&t.study);
    }
}

/* ------------------------------------------------------------------ no memory */

static void test_no_memory(void **state)
{
    (void)state;
    for (uint64_t budget = 0; budget < 4; budget += 3) {
        pv_rng rng;
        trial t;
        pv_i_rng_init(&rng, 35);
        large_init(&t, &rng, "t-closeness", 0.7);
        t.budget = budget;
        const pv_context context = {.threads = 1};
        const uint8_t levels[5] = {0};
        const pv_cut_best_settings settings = {.context = &context,
                                               .demands = t.demands,
                                               .n_demands = t.n_demands,
                                               .loss = t.loss,
                                               .budget = t.budget,
                                               .levels = levels,
                                               .n_levels = 1,
                                               .max_steps = effort_is_whole() ? 5 : 2,
                                               .seed = 1};
        /* A view that there is no memory for is done without: then it is the same answer. */
        bool failed = true;
        for (int64_t n = 0; failed; n += 1 + n / (effort_is_whole() ? 8 : 3)) {
            pv_cut_best_found found = {0};
            pv_error error = {0};
            failing_alloc_arm(n, n % 2 == 0);
            const pv_status status = pv_i_cut_best(t.study.profile, &settings, &found, &error);
            failed = failing_alloc_disarm();
            assert_true(status == PV_STATUS_OK || (failed && status == PV_STATUS_NO_MEMORY));
            assert_true(status == PV_STATUS_OK || found.cuts == NULL);
            pv_cuts_free(found.cuts);
        }
        random_study_deinit(&t.study);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_tables),
        cmocka_unit_test(test_other_losses),
        cmocka_unit_test(test_threads_find_the_same),
        cmocka_unit_test(test_larger_budgets_are_never_worse),
        cmocka_unit_test(test_being_stopped_is_no_failure),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
