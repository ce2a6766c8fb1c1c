/* Judging cut schemes: sizes, bias, loss and rules against the definitions, and against releasing
 * the cuts; intervals that would break a rule against a look at all classes and intervals. */
#include "support/cut_demands.h"
#include "support/testing.h"

#include "scheme/cuts.h"

#include "scheme/scheme.h"
#include <math.h>
#include <paravent/scheme.h>

static const char *const biases[] = {"necd", "gini"};
static const char *const losses[] = {"nwp", "glm", "leaf-utility", "entropy", "dcn", "cm", "aecs"};
enum { N_LOSSES = sizeof losses / sizeof *losses };

static bool is_about(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(1, fabs(b));
}

static pv_cut_evaluator evaluator_of(criteria_trial *t)
{
    pv_cut_evaluator evaluator;
    pv_error error = {0};
    bound_must(pv_i_cut_evaluator_init(&evaluator, &t->table, &t->prices, &t->criteria, &error),
               &error);
    return evaluator;
}

/* ----------------------------------------------------------------- outcome */

/* How near the values come to what is demanded. */
static double naive_kept(const criteria_trial *t, const oracle_release *release)
{
    double kept = 1;
    for (size_t i = 0; i < t->n_rules; i++) {
        const pv_constraint *const rule = &t->rules[i];
        const size_t column = random_column_of(&rule->ref);
        oracle_table narrow;
        const oracle_release seen =
            column != SIZE_MAX ? oracle_through(release, column, &narrow) : *release;
        const double value = cut_demands_value(&seen, rule->ref.measure->name, rule->ref.parameter);
        const bool less = oracle_same(rule->ref.measure->name, "t-closeness");
        if (!cut_demand_holds(rule, value)) {
            kept = fmin(kept, less ? rule->bound / value : value / rule->bound);
        }
    }
    return kept;
}

static void expect_outcome(const criteria_trial *t, pv_cut_evaluator *evaluator,
                           const uint8_t *cuts)
{
    const cut_oracle_sizes sizes = cut_oracle_count(&t->oracle, cuts);
    const double loss = cut_demands_loss(&t->demands, t->loss.measure->name, cuts);
    oracle_release release = cut_demands_release(&t->demands, cuts);
    const double bias = cut_demands_value(&release, t->bias.measure->name, 0);
    const double kept = naive_kept(t, &release);
    pv_cut_outcome outcome;
    assert_true(pv_i_cut_evaluate(evaluator, cuts, &outcome));
    assert_int_equal(outcome.sizes.smallest, sizes.smallest);
    assert_int_equal(outcome.sizes.largest, sizes.largest);
    assert_int_equal(outcome.sizes.n_classes, sizes.n_classes);
    assert_int_equal(outcome.sizes.n_rows, t->oracle.n_rows);
    if (!is_about(outcome.bias, bias) || !is_about(pv_i_cut_nwp(&t->prices, outcome.cost), loss)) {
        fail_msg("%s %.12g, not %.12g; %s %.12g, not %.12g", t->bias.measure->name, outcome.bias,
                 bias, t->loss.measure->name, pv_i_cut_nwp(&t->prices, outcome.cost), loss);
    }
    assert_true(is_about(outcome.compliance, kept));
    assert_int_equal(outcome.compliance >= 1, kept >= 1);
    assert_int_equal(outcome.compliance >= 1, cut_demands_kept(&t->demands, cuts));
    oracle_release_free(&release);
}

typedef void visit(criteria_trial *t, pv_rng *rng);

/* Every loss with every bias, no rule to three, free cuts and such that respect taxonomies. */
static void visit_tables(uint64_t seed, size_t n, visit *look)
{
    pv_rng rng;
    pv_i_rng_init(&rng, seed);
    for (size_t round = 0; round < n; round++) {
        const size_t n_rules = (size_t)pv_i_rng_below(&rng, CRITERIA_TRIAL_RULES + 1);
        criteria_trial t;
        criteria_trial_init(&t, &rng, biases[round / N_LOSSES % 2], losses[round % N_LOSSES],
                            n_rules, pv_i_rng_below(&rng, 2) == 1);
        look(&t, &rng);
        criteria_trial_deinit(&t);
    }
}

static void look_at_outcomes(criteria_trial *t, pv_rng *rng)
{
    pv_cut_evaluator evaluator = evaluator_of(t);
    uint8_t cuts[CRITERIA_TRIAL_BITS];
    for (int i = 0; i < 4; i++) {
        criteria_trial_random(t, rng, cuts);
        expect_outcome(t, &evaluator, cuts);
    }
    memset(cuts, 0, sizeof cuts);
    expect_outcome(t, &evaluator, cuts);
    memset(cuts, 1, sizeof cuts);
    expect_outcome(t, &evaluator, cuts);
    pv_i_cut_evaluator_deinit(&evaluator);
}

static void outcomes_are_as_defined(void **state)
{
    (void)state;
    visit_tables(71, effort(420), look_at_outcomes);
}

/* ----------------------------------------------------------------- release */

/* The study of the cuts, to which the table now belongs. */
typedef struct {
    bound_study bound;
    pv_profile *profile;
    pv_classes *classes;
} released;

static released release_cuts(const criteria_trial *t, const uint8_t *bits)
{
    pv_study *const study = t->study.bound.study;
    released r = {0};
    pv_scheme scheme;
    pv_cuts *cuts = NULL;
    pv_error error = {0};
    bound_must(pv_i_cuts_from_bits(&t->space, study, bits, &cuts, &error), &error);
    bound_must(pv_plan_with_cuts(study, cuts, &r.bound.plan, &error), &error);
    bound_must(pv_study_rebind(study, r.bound.plan, &r.bound.study, &error), &error);
    bound_must(pv_i_scheme_init(&scheme, r.bound.study, &error), &error);
    bound_must(pv_i_scheme_take_plan(&scheme, r.bound.study, &error), &error);
    r.profile = bound_profile(r.bound.study, 1);
    r.classes = bound_classes(r.profile, scheme.levels, 0, 0);
    pv_i_scheme_deinit(&scheme);
    pv_cuts_free(cuts);
    return r;
}

static void released_free(released *r)
{
    pv_classes_free(r->classes);
    pv_profile_free(r->profile);
    bound_study_free(&r->bound);
}

static double measured(const released *r, pv_measure_ref ref)
{
    double value = 0;
    pv_error error = {0};
    bound_must(pv_measure_value(ref, r->classes, &value, &error), &error);
    return value;
}

/* The value of the release, read as the share that searches take it for. */
static double measured_loss(const released *r, const released *most, const pv_measure_ref *loss)
{
    const double value = measured(r, *loss);
    if (oracle_same(loss->measure->name, "leaf-utility")) {
        return measured(most, *loss) > 0 ? 1 - value / measured(most, *loss) : 0;
    }
    if (oracle_same(loss->measure->name, "entropy")) {
        return measured(most, *loss) > 0 ? value / measured(most, *loss) : 0;
    }
    const double n = (double)pv_profile_rows(r->profile);
    return value / (oracle_same(loss->measure->name, "nwp") ? 1
                    : oracle_same(loss->measure->name, "glm")
                        ? n * (double)pv_study_quasis(r->bound.study)
                    : oracle_same(loss->measure->name, "dcn") ? n * n
                                                              : n);
}

static void expect_released(const criteria_trial *t, const released *r, const released *most,
                            const pv_cut_outcome *outcome)
{
    bool kept = true;
    assert_int_equal(pv_classes_total(r->classes), outcome->sizes.n_classes);
    assert_int_equal(pv_classes_k(r->classes), outcome->sizes.smallest);
    assert_true(is_about(outcome->bias, measured(r, t->bias)));
    assert_true(
        is_about(pv_i_cut_nwp(&t->prices, outcome->cost), measured_loss(r, most, &t->loss)));
    for (size_t i = 0; i < t->n_rules; i++) {
        kept = kept && pv_constraint_holds(&t->rules[i], measured(r, t->rules[i].ref));
    }
    assert_int_equal(outcome->compliance >= 1, kept);
}

/* Leaf-utility is largest with every value apart, entropy with all merged. Releasing takes the
 * table away, and releasing something else from the release takes it further. */
static void look_at_release(criteria_trial *t, pv_rng *rng)
{
    const bool keeps = oracle_same(t->loss.measure->name, "leaf-utility");
    pv_cut_evaluator evaluator = evaluator_of(t);
    uint8_t cuts[CRITERIA_TRIAL_BITS];
    uint8_t extreme[CRITERIA_TRIAL_BITS];
    pv_cut_outcome outcome;
    pv_error error = {0};
    memset(extreme, keeps, sizeof extreme);
    criteria_trial_random(t, rng, cuts);
    assert_true(pv_i_cut_evaluate(&evaluator, cuts, &outcome));
    pv_i_cut_evaluator_deinit(&evaluator);
    random_study twin = {.rng = rng};
    twin.bound = bound_study_create(t->study.text.data, t->study.csv.data);
    twin.profile = bound_profile(twin.bound.study, 1);
    criteria_trial other = {.study = twin};
    bound_must(pv_i_cut_space_init(&other.space, twin.bound.study, t->respects, &error), &error);
    released most = release_cuts(&other, extreme);
    released r = release_cuts(t, cuts);
    expect_released(t, &r, &most, &outcome);
    released_free(&r);
    released_free(&most);
    pv_i_cut_space_deinit(&other.space);
    pv_profile_free(twin.profile);
    bound_study_free(&twin.bound);
}

static void outcomes_are_those_of_the_release(void **state)
{
    (void)state;
    visit_tables(72, effort(280), look_at_release);
}

/* --------------------------------------------------------------- intervals */

static void expect_invalid(criteria_trial *t, pv_cut_evaluator *evaluator, const uint8_t *cuts,
                           uint64_t k)
{
    bool invalid[CRITERIA_TRIAL_BITS * CRITERIA_TRIAL_BITS];
    for (size_t axis = 0; axis < t->space.n_axes; axis++) {
        const uint32_t n = t->space.axes[axis].n;
        assert_true(pv_i_cut_find_invalid(evaluator, axis, cuts, k, invalid));
        for (uint32_t first = 0; first < n; first++) {
            for (uint32_t last = first; last < n; last++) {
                const bool expected = cut_demands_invalid(&t->demands, axis, cuts, k, first, last);
                if (invalid[(size_t)first * n + last] != expected) {
                    fail_msg("axis %zu: %u..%u of %u", axis, first, last, n);
                }
            }
        }
    }
}

static size_t n_by_rule; /* tables with an interval that only a rule forbids */

static bool forbids_by_rule(criteria_trial *t, const uint8_t *cuts)
{
    for (size_t axis = 0; axis < t->space.n_axes; axis++) {
        for (uint32_t value = 0; value < t->space.axes[axis].n; value++) {
            if (cut_demands_invalid(&t->demands, axis, cuts, 1, value, value)) {
                return true;
            }
        }
    }
    return false;
}

static void look_at_intervals(criteria_trial *t, pv_rng *rng)
{
    pv_cut_evaluator evaluator = evaluator_of(t);
    uint8_t cuts[CRITERIA_TRIAL_BITS];
    for (uint64_t k = 1; k <= 3; k++) {
        criteria_trial_random(t, rng, cuts);
        expect_invalid(t, &evaluator, cuts, k);
        n_by_rule += k == 1 && forbids_by_rule(t, cuts);
    }
    memset(cuts, 0, sizeof cuts);
    expect_invalid(t, &evaluator, cuts, 2);
    pv_i_cut_evaluator_deinit(&evaluator);
}

static void intervals_that_break_rules_are_found(void **state)
{
    const size_t n = effort(300);
    (void)state;
    n_by_rule = 0;
    visit_tables(73, n, look_at_intervals);
    assert_true(n_by_rule > n / 4 || !effort_is_whole());
}

/* Without criteria only k, necd and nwp are looked at. */
static void an_evaluator_needs_no_criteria(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 74);
    for (size_t round = 0; round < effort(40); round++) {
        criteria_trial t;
        pv_cut_evaluator plain;
        pv_error error = {0};
        uint8_t cuts[CRITERIA_TRIAL_BITS];
        criteria_trial_init(&t, &rng, "necd", "nwp", 0, round % 2 == 0);
        bound_must(pv_i_cut_evaluator_init(&plain, &t.table, &t.prices, NULL, &error), &error);
        for (int i = 0; i < 4; i++) {
            criteria_trial_random(&t, &rng, cuts);
            expect_outcome(&t, &plain, cuts);
            expect_invalid(&t, &plain, cuts, 2);
        }
        pv_i_cut_evaluator_deinit(&plain);
        pv_i_cut_evaluator_deinit(&plain); /* once more does no harm */
        criteria_trial_deinit(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outcomes_are_as_defined),
        cmocka_unit_test(outcomes_are_those_of_the_release),
        cmocka_unit_test(intervals_that_break_rules_are_found),
        cmocka_unit_test(an_evaluator_needs_no_criteria),
    };
    return cmocka_run_group_tests_name("judging cuts", tests, NULL, NULL);
}
