/* Every method for every record against all choices there are, on random small tables. */
#include "records/disclosure.h"
#include "support/record_oracle.h"
#include "support/testing.h"

#include "scheme/scheme.h"

typedef struct {
    attacker_trial base;
    record_oracle oracle;
    pv_attacker *attacker;
    pv_sensitivities *sensitivities;
    double similarity;
    record_question question;
} trial;

/* ------------------------------------------------------------- questions */

static random_shape shape_of(pv_rng *rng)
{
    random_shape shape = {.copies = 3};
    shape.n_rows = 1 + (size_t)pv_i_rng_below(rng, 20);
    shape.n_quasi = 1 + (size_t)pv_i_rng_below(rng, 4);
    shape.n_values = 1 + (size_t)pv_i_rng_below(rng, 8);
    shape.missing = pv_i_rng_below(rng, 3) == 0 ? 6 : 0;
    shape.heights = shape.n_quasi < 4 ? 4 : 3;
    shape.uniform = pv_i_rng_below(rng, 2) == 0;
    shape.limited = pv_i_rng_below(rng, 3) == 0;
    return shape;
}

static void trial_init(trial *t, pv_rng *rng, bool is_table, bool is_similar)
{
    const random_shape shape = shape_of(rng);
    pv_error error = {0};
    *t = (trial){.similarity = is_similar ? 0.5 + 0.1 * (double)pv_i_rng_below(rng, 6) : 0};
    attacker_trial_init(&t->base, rng, &shape, is_table);
    t->attacker = attacker_open(t->base.study.profile, t->base.csv.data, t->similarity, 1);
    const pv_sensitivity_source source =
        pv_i_rng_below(rng, 2) == 0 ? PV_SENSITIVITY_CONSTANT : PV_SENSITIVITY_RANDOM;
    const uint64_t seed = pv_i_rng_next(rng);
    bound_must(
        pv_sensitivities_create(t->base.study.profile, source, seed, &t->sensitivities, &error),
        &error);
    record_prepare(&t->oracle, &t->base, t->sensitivities, t->similarity);
}

static void trial_deinit(trial *t)
{
    pv_sensitivities_free(t->sensitivities);
    pv_attacker_free(t->attacker);
    attacker_trial_deinit(&t->base);
}

/* What some choice of some record comes to: a bound that is met exactly. */
static record_choice some_choice(trial *t)
{
    random_study *const s = &t->base.study;
    record_choice choice = {.utility = 0};
    const size_t row = random_below(s, s->table.n_rows);
    for (size_t q = 0; q < s->table.n_quasi; q++) {
        choice.levels[q] = (uint8_t)random_below(s, t->oracle.tops[q][row] + 1);
    }
    record_evaluate(&t->oracle, &t->question, row, &choice);
    return choice;
}

static void ask(trial *t, pv_aim aim)
{
    random_study *const s = &t->base.study;
    t->question.utility = (pv_utility)random_below(s, PV_UTILITY_COUNT);
    t->question.risk = (pv_risk)random_below(s, PV_RISK_COUNT);
    t->question.aim = aim;
    t->question.is_share = aim == PV_AIM_LEAST_RISK && random_one_in(s, 2);
    const record_choice met = some_choice(t);
    const bool is_met = random_one_in(s, 2);
    switch (aim) {
    case PV_AIM_LEAST_RISK:
        t->question.bound = t->question.is_share ? 0.125 * (double)random_below(s, 9)
                            : is_met             ? met.utility
                                                 : met.utility + 0.01;
        break;
    case PV_AIM_MOST_UTILITY: t->question.bound = is_met ? met.risk : met.risk + 0.003; break;
    default: t->question.bound = is_met ? 0.25 : 0.013 * (double)random_below(s, 50); break;
    }
}

/* ------------------------------------------------------------ comparison */

static pv_disclose_options options_of(const trial *t, const char *method)
{
    return (pv_disclose_options){.utility = t->question.utility,
                                 .risk = t->question.risk,
                                 .aim = t->question.aim,
                                 .bound = t->question.bound,
                                 .is_share = t->question.is_share,
                                 .method = method,
                                 .attacker = t->attacker,
                                 .sensitivities = t->sensitivities};
}

static pv_disclosure *disclose(const trial *t, const pv_disclose_options *options, unsigned threads)
{
    const pv_context context = {.threads = threads};
    pv_disclosure *disclosure = NULL;
    pv_error error = {0};
    bound_must(pv_disclose(t->base.study.profile, options, &context, &disclosure, &error), &error);
    return disclosure;
}

static void print_levels(const char *who, const uint8_t *levels, size_t n, double utility,
                         double risk, uint64_t rho)
{
    print_error("%s", who);
    for (size_t q = 0; q < n; q++) {
        print_error(" %u", levels[q]);
    }
    print_error(": utility %.17g, risk %.17g, rho %llu\n", utility, risk, (unsigned long long)rho);
}

static void complain(const trial *t, const char *method, size_t row, const record_choice *truth,
                     const pv_disclosed *told)
{
    const random_study *const s = &t->base.study;
    const size_t n = s->table.n_quasi;
    print_error("%s\n%s\n%s\n", s->csv.data, s->text.data,
                t->base.csv.data != NULL ? t->base.csv.data : "");
    print_error("%s, row %zu: utility %s, risk %s, %s %.17g%s, similarity %g\n", method, row,
                pv_utility_name(t->question.utility), pv_risk_name(t->question.risk),
                pv_aim_name(t->question.aim), t->question.bound,
                t->question.is_share ? " (share)" : "", t->similarity);
    if (truth != NULL) {
        print_levels("oracle ", truth->levels, n, truth->utility, truth->risk, truth->rho);
    }
    print_levels(told->is_feasible ? "library" : "library (infeasible)", told->levels, n,
                 told->utility, told->risk, told->consistent);
    fail_msg("another choice than the best");
}

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * (1 + fabs(a));
}

static bool agrees(const trial *t, const record_choice *truth, const pv_disclosed *told)
{
    if (truth == NULL || !told->is_feasible) {
        return truth == NULL && !told->is_feasible;
    }
    return memcmp(truth->levels, told->levels, t->base.study.table.n_quasi) == 0 &&
           is_near(truth->utility, told->utility) && is_near(truth->risk, told->risk) &&
           truth->rho == told->consistent;
}

/* A method that promises nothing must still keep the bound. */
static bool keeps_bound(const trial *t, size_t row, const pv_disclosed *told, double most)
{
    record_choice choice = {.utility = 0};
    memcpy(choice.levels, told->levels, t->base.study.table.n_quasi);
    record_evaluate(&t->oracle, &t->question, row, &choice);
    return !told->is_optimal && is_near(choice.utility, told->utility) &&
           is_near(choice.risk, told->risk) &&
           (!told->is_feasible || record_accepts(&t->question, &choice, most));
}

static void check_raw(const record_choice *raw, const pv_disclosed *told)
{
    assert_true(is_near(raw->utility, told->most));
    assert_true(is_near(raw->risk, told->risk_raw));
    assert_int_equal(raw->rho, told->consistent_raw);
}

static void check_row(const trial *t, const char *method, bool is_exact, size_t row,
                      const pv_disclosed *told)
{
    size_t n = 0;
    record_choice *const choices = record_choices(&t->oracle, &t->question, row, &n);
    const record_choice *const truth = record_best(&t->question, choices, n);
    check_raw(&choices[0], told);
    if (is_exact ? !agrees(t, truth, told) || !told->is_optimal
                 : !keeps_bound(t, row, told, choices[0].utility) && !told->is_optimal) {
        complain(t, method, row, truth, told);
    }
    free(choices);
}

/* `seconds` is 0 for no limit, or far more than it takes: that changes nothing. */
static void check_method(const trial *t, const char *method, bool is_exact, double seconds,
                         unsigned threads)
{
    const random_study *const s = &t->base.study;
    pv_disclose_options options = options_of(t, method);
    options.max_seconds = seconds;
    pv_disclosure *const d = disclose(t, &options, threads);
    assert_int_equal(d->n_tuples, pv_profile_tuples(s->profile));
    assert_false(d->stopped);
    assert_int_equal(d->stop, PV_STOP_FINISHED);
    for (size_t row = 0; row < s->table.n_rows; row++) {
        const size_t tuple = pv_profile_tuple(s->profile, row);
        check_row(t, method, is_exact, row, &d->tuples[tuple]);
    }
    pv_disclosure_free(d);
}

/* Without any time everyone has something that keeps the bound, if anything does and a search is
 * not needed to know that; and what is called proven is. */
static void check_late_row(const trial *t, const char *method, size_t row, const pv_disclosed *told)
{
    size_t n = 0;
    record_choice *const choices = record_choices(&t->oracle, &t->question, row, &n);
    const record_choice *const truth = record_best(&t->question, choices, n);
    const bool is_known = t->question.risk != PV_RISK_III || t->question.aim != PV_AIM_MOST_UTILITY;
    check_raw(&choices[0], told);
    if (told->is_optimal ? !agrees(t, truth, told)
                         : !keeps_bound(t, row, told, choices[0].utility) ||
                               (is_known && told->is_feasible != (truth != NULL))) {
        complain(t, method, row, truth, told);
    }
    free(choices);
}

static void check_late(const trial *t, const char *method)
{
    const random_study *const s = &t->base.study;
    pv_disclose_options options = options_of(t, method);
    options.max_seconds = 1e-9;
    pv_disclosure *const d = disclose(t, &options, 2);
    assert_false(d->stopped);
    assert_int_equal(d->stop, PV_STOP_TIME);
    for (size_t row = 0; row < s->table.n_rows; row++) {
        check_late_row(t, method, row, &d->tuples[pv_profile_tuple(s->profile, row)]);
    }
    pv_disclosure_free(d);
}

/* The scan refuses levels that the plan limits where some values are `*` already. */
static bool scans(const trial *t)
{
    const random_study *const s = &t->base.study;
    bool refuses = false;
    for (size_t q = 0; q < s->table.n_quasi; q++) {
        unsigned highest = 0;
        for (unsigned level = 0; level <= t->oracle.heights[q]; level++) {
            highest = pv_study_allows(s->bound.study, q, level) ? level : highest;
        }
        for (size_t row = 0; row < s->table.n_rows && highest < t->oracle.heights[q]; row++) {
            refuses |= t->oracle.tops[q][row] <= highest;
        }
    }
    if (refuses) {
        const pv_disclose_options options = options_of(t, "scan");
        pv_disclosure *disclosure = NULL;
        assert_int_equal(pv_disclose(s->profile, &options, NULL, &disclosure, NULL),
                         PV_STATUS_ARGUMENT);
    }
    return !refuses;
}

static void check_all(const trial *t)
{
    const bool is_monotone = t->question.risk != PV_RISK_III;
    const double generous = 1e6;
    check_method(t, "auto", true, 0, 1);
    if (scans(t)) {
        check_method(t, "scan", true, 0, 1);
        check_method(t, "scan", true, generous, 1);
        check_late(t, "scan");
    }
    check_method(t, "bnb", true, 0, 1);
    check_method(t, "bnb", true, generous, 1);
    check_late(t, "bnb");
    if (t->question.aim != PV_AIM_BALANCE) {
        check_method(t, "btda", is_monotone, 0, 1);
        check_method(t, "aruba", is_monotone, 0, 1);
        check_method(t, "btda", is_monotone, generous, 1);
        check_method(t, "aruba", is_monotone, generous, 1);
        check_late(t, "btda");
    }
}

/* --------------------------------------------------------------- released */

/* Other levels than chosen for some, none above where the value is `*`. */
static pv_scheme change_some(trial *t, const pv_disclosure *chosen)
{
    random_study *const s = &t->base.study;
    const size_t n = s->table.n_quasi;
    pv_scheme scheme = {.n_levels = n, .records = oracle_array(chosen->n_tuples, n)};
    for (size_t row = 0; row < s->table.n_rows; row++) {
        const size_t tuple = pv_profile_tuple(s->profile, row);
        const bool is_changed = random_one_in(s, 2);
        for (size_t q = 0; q < n; q++) {
            scheme.records[tuple * n + q] =
                is_changed ? (uint8_t)random_below(s, t->oracle.tops[q][row] + 1)
                           : chosen->tuples[tuple].levels[q];
        }
    }
    return scheme;
}

static void check_released(const trial *t, size_t row, const uint8_t *levels,
                           const pv_disclosed *chosen, const pv_disclosed *told)
{
    const size_t n = t->base.study.table.n_quasi;
    record_choice truth = {.utility = 0};
    memcpy(truth.levels, levels, n);
    record_evaluate(&t->oracle, &t->question, row, &truth);
    assert_memory_equal(told->levels, levels, n);
    if (!is_near(truth.utility, told->utility) || !is_near(truth.risk, told->risk) ||
        truth.rho != told->consistent) {
        complain(t, "released", row, &truth, told);
    }
    assert_true(told->risk_raw == chosen->risk_raw && told->most == chosen->most);
    assert_int_equal(told->consistent_raw, chosen->consistent_raw);
    assert_int_equal(told->is_feasible, chosen->is_feasible);
    assert_int_equal(told->is_optimal, chosen->is_optimal);
}

static void check_release(trial *t, unsigned threads)
{
    const random_study *const s = &t->base.study;
    const pv_context context = {.threads = threads};
    const char *const method = scans(t) ? "scan" : "bnb";
    const pv_disclose_options options = options_of(t, method);
    pv_disclosure *const chosen = disclose(t, &options, 1);
    pv_scheme scheme = change_some(t, chosen);
    pv_disclosure *released = NULL;
    pv_error error = {0};
    bound_must(
        pv_disclosure_released(chosen, s->profile, &options, &scheme, &context, &released, &error),
        &error);
    assert_string_equal(released->method, method);
    assert_int_equal(released->visited, chosen->visited);
    for (size_t row = 0; row < s->table.n_rows; row++) {
        const size_t tuple = pv_profile_tuple(s->profile, row);
        check_released(t, row, scheme.records + tuple * s->table.n_quasi, &chosen->tuples[tuple],
                       &released->tuples[tuple]);
    }
    pv_disclosure_free(released);
    pv_disclosure_free(chosen);
    free(scheme.records);
}

static void as_released(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 5);
    for (size_t i = 0; i < effort(300); i++) {
        trial t;
        trial_init(&t, &rng, i % 2 == 0, i % 3 == 0);
        for (int question = 0; question < 3; question++) {
            ask(&t, (pv_aim)(question % PV_AIM_COUNT));
            check_release(&t, 1 + (unsigned)i % 3);
        }
        trial_deinit(&t);
    }
}

/* -------------------------------------------------------------------- all */

static void run_trials(uint64_t seed, size_t n, bool is_table, bool is_similar)
{
    pv_rng rng;
    pv_i_rng_init(&rng, seed);
    for (size_t i = 0; i < effort(n); i++) {
        trial t;
        trial_init(&t, &rng, is_table, is_similar);
        for (int question = 0; question < 6; question++) {
            ask(&t, (pv_aim)(question % PV_AIM_COUNT));
            check_all(&t);
        }
        trial_deinit(&t);
    }
}

static void the_table_itself(void **state)
{
    (void)state;
    run_trials(1, 300, true, false);
}

static void another_file(void **state)
{
    (void)state;
    run_trials(2, 300, false, false);
}

static void by_similarity(void **state)
{
    (void)state;
    run_trials(3, 150, true, true);
    run_trials(4, 150, false, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_itself),
        cmocka_unit_test(another_file),
        cmocka_unit_test(by_similarity),
        cmocka_unit_test(as_released),
    };
    return cmocka_run_group_tests_name("record methods", tests, NULL, NULL);
}
