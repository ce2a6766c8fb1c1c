/* NSGA-II over cuts: what its options do, where it begins, when it stops, and tables that leave it
 * little to do. */
#include "support/cut_trial.h"

/* ----------------------------------------------------------------- options */

/* A table of its own, with 7 + 3 + 2 places for cuts. */
static const char plan[] = "attributes:\n  a: {role: quasi}\n  b: {role: quasi}\n"
                           "  c: {role: quasi, hierarchy: {rows: [[x, v], [y, v], [z]]}}\n";
static const char rows[] = "a,b,c\n1,p,x\n1,q,x\n2,p,x\n3,p,y\n3,q,y\n4,q,z\n5,r,z\n6,r,x\n"
                           "7,s,x\n7,s,y\n8,p,z\n8,p,z\n1,p,x\n3,p,y\n8,s,z\n7,r,y\n";
enum { BITS = 12, ROWS = 16 };

typedef struct {
    bound_study study;
    pv_profile *profile;
    cut_trial trial;
    cut_trial_run run;
} fixture;

static fixture *fixture_create(const char *text, const char *csv)
{
    fixture *const f = oracle_array(1, sizeof *f);
    f->study = bound_study_create(text, csv);
    f->profile = bound_profile(f->study.study, 1);
    cut_trial_init(&f->trial, f->study.study, f->profile, false);
    cut_trial_run_init(&f->trial, &f->run, 1);
    return f;
}

static void fixture_free(fixture *f)
{
    cut_trial_run_deinit(&f->run);
    cut_trial_deinit(&f->trial);
    pv_profile_free(f->profile);
    bound_study_free(&f->study);
    free(f);
}

/* The scheme of an id as a number. */
static uint64_t number_of(const fixture *f, uint32_t id)
{
    return f->run.run.map.keys[(size_t)id * f->run.run.map.words];
}

static void defaults_are_the_papers(void **state)
{
    fixture *const a = fixture_create(plan, rows);
    fixture *const b = fixture_create(plan, rows);
    pv_cut_result result = nsga2_search(&a->run.run, &(pv_cut_search_options){.goal.k = 2});
    pv_cut_result same = nsga2_search(&b->run.run, &(pv_cut_search_options){.goal.k = 2,
                                                                            .seed = 1,
                                                                            .evaluations = 50000,
                                                                            .population = 100,
                                                                            .crossover = 0.8,
                                                                            .mutation = 0.001});
    (void)state;
    assert_int_equal(a->trial.space.n_bits, BITS);
    assert_int_equal(a->run.run.asked, 50000);
    assert_int_equal(result.generations, 500);
    assert_int_equal(number_of(a, 0), 0); /* everything merged comes first */
    nsga2_expect_same(&a->run.run, &result, &b->run.run, &same);
    pv_i_cut_result_deinit(&result);
    pv_i_cut_result_deinit(&same);
    fixture_free(a);
    fixture_free(b);
}

static void seeds_matter(void **state)
{
    fixture *const a = fixture_create(plan, rows);
    fixture *const b = fixture_create(plan, rows);
    pv_cut_search_options options = {.goal.k = 2, .evaluations = 50, .population = 50, .seed = 7};
    pv_cut_result one = nsga2_search(&a->run.run, &options);
    options.seed = 8;
    pv_cut_result other = nsga2_search(&b->run.run, &options);
    (void)state;
    assert_true(a->run.run.map.n != b->run.run.map.n ||
                memcmp(a->run.run.map.keys, b->run.run.map.keys,
                       a->run.run.map.n * sizeof *a->run.run.map.keys) != 0);
    pv_i_cut_result_deinit(&one);
    pv_i_cut_result_deinit(&other);
    fixture_free(a);
    fixture_free(b);
}

/* Whatever the sizes: no more than asked for, no less, generation after generation. */
static void evaluations_are_counted(void **state)
{
    static const uint64_t budgets[] = {1, 2, 7, 9, 10, 99, 101};
    static const size_t populations[] = {1, 2, 3, 10, 200};
    (void)state;
    for (size_t i = 0; i < sizeof budgets / sizeof *budgets; i++) {
        for (size_t j = 0; j < sizeof populations / sizeof *populations; j++) {
            fixture *const f = fixture_create(plan, rows);
            const pv_cut_search_options options = {
                .goal.k = 3, .evaluations = budgets[i], .population = populations[j]};
            pv_cut_result result = nsga2_search(&f->run.run, &options);
            assert_int_equal(f->run.run.asked, budgets[i]);
            assert_int_equal(result.generations,
                             (budgets[i] + populations[j] - 1) / populations[j]);
            nsga2_expect_sound(&f->trial, &f->run.run, &options.goal, &result);
            assert_true(result.n_front > 0); /* merged is feasible */
            pv_i_cut_result_deinit(&result);
            fixture_free(f);
        }
    }
}

/* Founders are of any density: some nearly merged, some nearly all cut. */
static void founders_are_of_all_densities(void **state)
{
    fixture *const f = fixture_create(plan, rows);
    const pv_cut_search_options options = {.goal.k = 2, .evaluations = 1000, .population = 1000};
    size_t with[BITS + 1] = {0};
    pv_cut_result result = nsga2_search(&f->run.run, &options);
    (void)state;
    for (uint32_t id = 0; id < f->run.run.map.n; id++) {
        with[__builtin_popcountll(number_of(f, id))]++;
    }
    for (size_t n = 0; n <= BITS; n++) {
        assert_true(with[n] > 0);
    }
    pv_i_cut_result_deinit(&result);
    fixture_free(f);
}

static void without_operators_nothing_is_new(void **state)
{
    fixture *const f = fixture_create(plan, rows);
    const pv_cut_search_options options = {
        .goal.k = 2, .evaluations = 400, .population = 20, .crossover = -1, .mutation = -1};
    pv_cut_result result = nsga2_search(&f->run.run, &options);
    (void)state;
    assert_true(f->run.run.evaluated <= 20);
    assert_int_equal(f->run.run.asked, 400);
    pv_i_cut_result_deinit(&result);
    fixture_free(f);
}

/* Is a scheme the beginning of one earlier scheme and the end of another? */
static bool is_crossed(const fixture *f, uint32_t id)
{
    const uint64_t child = number_of(f, id);
    for (unsigned point = 1; point < BITS; point++) {
        const uint64_t begin = ((uint64_t)1 << point) - 1;
        bool begins = false;
        bool ends = false;
        for (uint32_t other = 0; other < id; other++) {
            begins = begins || ((number_of(f, other) ^ child) & begin) == 0;
            ends = ends || ((number_of(f, other) ^ child) & ~begin) == 0;
        }
        if (begins && ends) {
            return true;
        }
    }
    return false;
}

static void crossover_swaps_after_one_point(void **state)
{
    fixture *const f = fixture_create(plan, rows);
    const pv_cut_search_options options = {
        .goal.k = 2, .evaluations = 120, .population = 12, .crossover = 1, .mutation = -1};
    uint32_t founders = 0;
    pv_cut_result result = nsga2_search(
        &f->run.run, &(pv_cut_search_options){.goal.k = 2, .evaluations = 12, .population = 12});
    (void)state;
    founders = (uint32_t)f->run.run.map.n;
    pv_i_cut_result_deinit(&result);
    result = nsga2_search(&f->run.run, &options); /* the same founders */
    assert_true(f->run.run.map.n > founders + 5);
    for (uint32_t id = founders; id < f->run.run.map.n; id++) {
        assert_true(is_crossed(f, id));
    }
    pv_i_cut_result_deinit(&result);
    fixture_free(f);
}

static void mutation_turns_cuts_over(void **state)
{
    fixture *const f = fixture_create(plan, rows);
    const pv_cut_search_options options = {
        .goal.k = 2, .evaluations = 11, .population = 1, .crossover = -1, .mutation = 1};
    pv_cut_result result = nsga2_search(&f->run.run, &options);
    (void)state;
    assert_int_equal(f->run.run.evaluated, 2);
    assert_int_equal(number_of(f, 1), (1 << BITS) - 1); /* of everything merged: all cuts */
    pv_i_cut_result_deinit(&result);
    fixture_free(f);
}

static void bad_options_are_refused(void **state)
{
    static const pv_cut_search_options bad[] = {
        {.crossover = 1.5},        {.mutation = 1.0001},           {.crossover = (double)NAN},
        {.mutation = (double)NAN}, {.population = (1u << 20) + 1},
    };
    fixture *const f = fixture_create(plan, rows);
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        pv_cut_result result = {.best = 77, .n_front = 78};
        pv_error error = {0};
        assert_int_equal(pv_i_nsga2(&f->run.run, &bad[i], &result, &error), PV_STATUS_ARGUMENT);
        assert_int_equal(error.status, PV_STATUS_ARGUMENT);
        assert_int_equal(result.best, 77);
        assert_int_equal(result.n_front, 78);
        assert_int_equal(f->run.run.asked, 0);
    }
    fixture_free(f);
}

/* ------------------------------------------------------------------- starts */

static void starts_are_founders(void **state)
{
    fixture *const f = fixture_create(plan, rows);
    uint8_t starts[3 * BITS];
    const pv_cut_goal goal = {.k = 3};
    const uint64_t least = cut_trial_least(&f->trial, &goal, starts + BITS);
    const pv_cut_search_options options = {
        .goal = goal, .evaluations = 8, .population = 8, .start = starts, .n_start = 3};
    (void)state;
    cut_oracle_scheme(&f->trial.oracle, 0x0f0, starts);
    cut_oracle_scheme(&f->trial.oracle, 0xaaa, starts + 2 * BITS);
    pv_cut_result result = nsga2_search(&f->run.run, &options);
    assert_int_equal(number_of(f, 0), 0);
    assert_int_equal(number_of(f, 1), 0x0f0);
    assert_int_equal(number_of(f, 3), 0xaaa);
    assert_int_equal(nsga2_value(&f->trial, &f->run.run, &goal, result.best), least);
    pv_i_cut_result_deinit(&result);
    fixture_free(f);
}

/* Those that have no place in the population are left out. */
static void starts_may_be_too_many(void **state)
{
    fixture *const f = fixture_create(plan, rows);
    uint8_t starts[9 * BITS];
    (void)state;
    for (uint64_t i = 0; i < 9; i++) {
        cut_oracle_scheme(&f->trial.oracle, 0x100 + i, starts + i * BITS);
    }
    const pv_cut_search_options options = {
        .goal.k = 2, .evaluations = 4, .population = 4, .start = starts, .n_start = 9};
    pv_cut_result result = nsga2_search(&f->run.run, &options);
    assert_int_equal(f->run.run.map.n, 4);
    for (uint32_t id = 1; id < 4; id++) {
        assert_int_equal(number_of(f, id), 0x100 + id - 1);
    }
    pv_i_cut_result_deinit(&result);
    fixture_free(f);
}

/* ----------------------------------------------------------------- stopping */

typedef struct {
    const fixture *f;
    pv_cut_goal goal;
    uint64_t asked, most;
} witness;

static bool watch(void *ctx, const pv_cut_run *run, uint32_t best)
{
    witness *const w = ctx;
    w->asked++;
    assert_int_equal(run->asked, w->asked * 10);
    if (w->goal.k > ROWS) {
        assert_int_equal(best, PV_CUT_NO_SCHEME);
    } else {
        assert_true(nsga2_value(&w->f->trial, run, &w->goal, best) != UINT64_MAX);
    }
    return w->asked < w->most;
}

static void somebody_may_stop_it(void **state)
{
    static const uint64_t ks[] = {2, 5, ROWS + 1};
    (void)state;
    for (uint64_t most = 1; most < 8; most += 3) {
        for (size_t i = 0; i < 3; i++) {
            fixture *const f = fixture_create(plan, rows);
            witness w = {.f = f, .goal.k = ks[i], .most = most};
            const pv_cut_search_options options = {.goal = w.goal,
                                                   .population = 10,
                                                   .evaluations = 1000,
                                                   .keep_going = watch,
                                                   .ctx = &w};
            pv_cut_result result = nsga2_search(&f->run.run, &options);
            assert_int_equal(w.asked, most);
            assert_int_equal(result.generations, most);
            nsga2_expect_sound(&f->trial, &f->run.run, &w.goal, &result);
            pv_i_cut_result_deinit(&result);
            fixture_free(f);
        }
    }
}

/* --------------------------------------------------------- hopeless and tiny */

static void nothing_may_be_feasible(void **state)
{
    fixture *const f = fixture_create(plan, rows);
    const pv_cut_search_options options = {.goal.k = ROWS + 1, .evaluations = 2000};
    pv_cut_result result = nsga2_search(&f->run.run, &options);
    pv_cut_result all;
    pv_error error = {0};
    (void)state;
    assert_int_equal(result.best, PV_CUT_NO_SCHEME);
    assert_int_equal(result.n_front, 0);
    assert_int_equal(f->run.run.asked, 2000);
    bound_must(pv_i_cut_result_of(&f->run.run, &options.goal, &all, &error), &error);
    assert_int_equal(all.best, PV_CUT_NO_SCHEME);
    assert_int_equal(all.n_front, 0);
    pv_i_cut_result_deinit(&all);
    pv_i_cut_result_deinit(&result);
    fixture_free(f);
}

/* No place for a cut, one, or a single row. */
static void tables_may_be_tiny(void **state)
{
    static const char *const tables[] = {"a\nx\nx\n", "a\nx\ny\nx\ny\n", "a\nx\n"};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        fixture *const f = fixture_create("attributes:\n  a: {role: quasi}\n", tables[i]);
        const pv_cut_search_options options = {.goal.k = 1, .evaluations = 300, .mutation = 0.5};
        pv_cut_result result = nsga2_search(&f->run.run, &options);
        assert_int_equal(f->run.run.evaluated, i == 1 ? 2 : 1);
        assert_int_equal(pv_i_cut_run_outcome(&f->run.run, result.best)->cost, 0);
        assert_int_equal(result.n_front, i == 1 ? 2 : 1);
        pv_i_cut_result_deinit(&result);
        fixture_free(f);
    }
}

/* A run may be searched again, for something else: what it knows is not counted anew. */
static void a_run_may_go_on(void **state)
{
    fixture *const f = fixture_create(plan, rows);
    pv_cut_search_options options = {.goal.k = 2, .evaluations = 1000};
    pv_cut_result first = nsga2_search(&f->run.run, &options);
    const uint64_t evaluated = f->run.run.evaluated;
    pv_cut_result again = nsga2_search(&f->run.run, &options);
    (void)state;
    assert_int_equal(f->run.run.evaluated, evaluated);
    assert_int_equal(again.best, first.best);
    pv_i_cut_result_deinit(&again);
    options.goal = (pv_cut_goal){.k = 4, .bias_slope = 1};
    again = nsga2_search(&f->run.run, &options);
    nsga2_expect_sound(&f->trial, &f->run.run, &options.goal, &again);
    pv_i_cut_result_deinit(&again);
    pv_i_cut_result_deinit(&first);
    fixture_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_the_papers),
        cmocka_unit_test(seeds_matter),
        cmocka_unit_test(evaluations_are_counted),
        cmocka_unit_test(founders_are_of_all_densities),
        cmocka_unit_test(without_operators_nothing_is_new),
        cmocka_unit_test(crossover_swaps_after_one_point),
        cmocka_unit_test(mutation_turns_cuts_over),
        cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(starts_are_founders),
        cmocka_unit_test(starts_may_be_too_many),
        cmocka_unit_test(somebody_may_stop_it),
        cmocka_unit_test(nothing_may_be_feasible),
        cmocka_unit_test(tables_may_be_tiny),
        cmocka_unit_test(a_run_may_go_on),
    };
    return cmocka_run_group_tests_name("options of NSGA-II", tests, NULL, NULL);
}
