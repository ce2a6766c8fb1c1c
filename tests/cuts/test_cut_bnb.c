/* Branch and bound over cuts, against all cut schemes of hundreds of small tables. */
#include "support/cut_oracle.h"
#include "support/random_study.h"

#include "cuts/cut_search.h"

#define PLENTY (UINT64_C(1) << 30)

enum { MOST_BITS = 32 };

/* A table with what comes of each of its schemes. */
typedef struct {
    const pv_study *study;
    bool respects;
    cut_oracle oracle;
    pv_cut_space space;
    pv_cut_table table;
    pv_cut_prices prices;
    cut_oracle_outcome *all;
    size_t n_all;
} trial;

static void trial_init(trial *t, const pv_study *study, const pv_profile *profile, bool respects,
                       uint64_t memory)
{
    pv_error error = {0};
    *t = (trial){.study = study, .respects = respects};
    cut_oracle_init(&t->oracle, study);
    bound_must(pv_i_cut_space_init(&t->space, study, respects, &error), &error);
    bound_must(pv_i_cut_table_init(&t->table, profile, &t->space, memory, &error), &error);
    assert_true(t->space.n_bits <= MOST_BITS);
    pv_i_cut_prices_init(&t->prices, &t->space);
    t->all = cut_oracle_all(&t->oracle, t->prices.unit, respects, &t->n_all);
}

static void trial_deinit(trial *t)
{
    free(t->all);
    pv_i_cut_table_deinit(&t->table);
    pv_i_cut_space_deinit(&t->space);
    cut_oracle_deinit(&t->oracle);
}

/* The least cost with classes of at least k rows. */
static uint64_t least_cost(const trial *t, uint64_t k)
{
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < t->n_all; i++) {
        if (t->all[i].smallest >= k && t->all[i].cost < least) {
            least = t->all[i].cost;
        }
    }
    return least;
}

typedef struct {
    uint8_t cuts[MOST_BITS];
    pv_cut_proof proof;
} outcome;

/* The scheme is what it is said to be, and the bound is one. */
static void expect_sound(const trial *t, uint64_t k, const outcome *found)
{
    const uint64_t least = least_cost(t, k);
    for (size_t bit = 0; bit < t->space.n_bits; bit++) {
        assert_true(found->cuts[bit] <= 1);
    }
    assert_true(cut_oracle_count(&t->oracle, found->cuts).smallest >= k);
    assert_int_equal(cut_oracle_cost(&t->oracle, t->prices.unit, found->cuts), found->proof.best);
    assert_true(!t->respects || cut_oracle_respects(&t->oracle, found->cuts));
    assert_true(found->proof.best >= least);
    assert_true(found->proof.bound <= least);
}

static outcome prove(trial *t, const pv_cut_bnb_options *options)
{
    outcome found;
    pv_error error = {0};
    memset(&found, 0xaa, sizeof found);
    bound_must(pv_i_cut_bnb(&t->table, &t->prices, options, found.cuts, &found.proof, &error),
               &error);
    expect_sound(t, options->goal.k, &found);
    return found;
}

static void expect_optimum(trial *t, const pv_cut_bnb_options *options)
{
    const outcome found = prove(t, options);
    assert_int_equal(found.proof.best, least_cost(t, options->goal.k));
    assert_int_equal(found.proof.bound, found.proof.best);
}

static void expect_unsatisfied(trial *t, uint64_t k, const uint8_t *start)
{
    const pv_cut_bnb_options options = {.goal.k = k, .start = start};
    const pv_cut_proof untouched = {.best = 77, .bound = 78};
    pv_cut_proof proof = untouched;
    uint8_t cuts[MOST_BITS];
    pv_error error = {0};
    memset(cuts, 9, sizeof cuts);
    assert_int_equal(pv_i_cut_bnb(&t->table, &t->prices, &options, cuts, &proof, &error),
                     PV_STATUS_UNSATISFIED);
    assert_int_equal(error.status, PV_STATUS_UNSATISFIED);
    assert_int_equal(proof.best, untouched.best);
    assert_int_equal(proof.bound, untouched.bound);
    for (size_t bit = 0; bit < MOST_BITS; bit++) {
        assert_int_equal(cuts[bit], 9);
    }
}

/* ------------------------------------------------------------ random tables */

/* Two to four attributes of up to six values. */
static random_shape small_shape(pv_rng *rng)
{
    static const size_t values[] = {6, 5, 4};
    const size_t more = (size_t)pv_i_rng_below(rng, 3);
    const uint64_t most_rows = pv_i_rng_below(rng, 2) == 0 ? 20 : 56;
    return (random_shape){.n_rows = 5 + (size_t)pv_i_rng_below(rng, most_rows),
                          .n_quasi = 2 + more,
                          .n_values = values[more],
                          .full = pv_i_rng_below(rng, 3) == 0,
                          .missing = pv_i_rng_below(rng, 4) == 0 ? 20 : 0,
                          .heights = 4,
                          .uniform = pv_i_rng_below(rng, 3) == 0,
                          .copies = (unsigned)pv_i_rng_below(rng, 4)};
}

typedef void visit(trial *t, pv_rng *rng);

/* Every other table respects taxonomies; some keep no views. */
static void visit_tables(uint64_t seed, int n, visit *look)
{
    pv_rng rng;
    pv_i_rng_init(&rng, seed);
    for (int round = 0; round < n; round++) {
        const random_shape shape = small_shape(&rng);
        random_study s;
        trial t;
        random_study_init(&s, &rng, &shape);
        trial_init(&t, s.bound.study, s.profile, round % 2 == 0, round % 5 == 0 ? 0 : PLENTY);
        look(&t, &rng);
        trial_deinit(&t);
        random_study_deinit(&s);
    }
}

static void look_for_optimum(trial *t, pv_rng *rng)
{
    const uint64_t rows = t->oracle.n_rows;
    const uint64_t ks[] = {1, 2, 3, 5, rows / 3 + 1, rows};
    (void)rng;
    for (size_t i = 0; i < sizeof ks / sizeof *ks; i++) {
        expect_optimum(t, &(pv_cut_bnb_options){.goal.k = ks[i]});
    }
    expect_unsatisfied(t, rows + 1, NULL);
}

static void the_optimum_is_found(void **state)
{
    (void)state;
    visit_tables(801, 150, look_for_optimum);
}

/* -------------------------------------------------------------- stopping it */

static void look_stopped_by_nodes(trial *t, pv_rng *rng)
{
    const uint64_t k = 2 + pv_i_rng_below(rng, 3);
    const outcome full = prove(t, &(pv_cut_bnb_options){.goal.k = k});
    uint64_t bound = 0;
    for (uint64_t nodes = 1; nodes <= full.proof.nodes; nodes++) {
        const outcome found = prove(t, &(pv_cut_bnb_options){.goal.k = k, .max_nodes = nodes});
        assert_true(found.proof.nodes <= full.proof.nodes);
        assert_true(found.proof.bound >= bound); /* going on never unproves anything */
        bound = found.proof.bound;
    }
    expect_optimum(t, &(pv_cut_bnb_options){.goal.k = k, .max_nodes = full.proof.nodes + 1});
}

static void nodes_may_be_limited(void **state)
{
    (void)state;
    visit_tables(802, 30, look_stopped_by_nodes);
}

typedef struct {
    uint64_t least;
    uint64_t asked, most; /* how often it was, and may be, asked */
    uint64_t best, bound; /* what it was told last */
} witness;

static bool watch(void *ctx, uint64_t best, uint64_t bound, uint64_t nodes)
{
    witness *const w = ctx;
    (void)nodes;
    assert_true(best >= w->least && bound <= w->least);
    assert_true(w->asked == 0 || (best <= w->best && bound >= w->bound));
    w->best = best;
    w->bound = bound;
    return ++w->asked <= w->most;
}

static void look_stopped_by_somebody(trial *t, pv_rng *rng)
{
    const uint64_t k = 2 + pv_i_rng_below(rng, 2);
    for (uint64_t most = 0; most < 3; most++) {
        witness w = {.least = least_cost(t, k), .most = most};
        const pv_cut_bnb_options options = {.goal.k = k, .keep_going = watch, .ctx = &w};
        const outcome found = prove(t, &options);
        assert_true(w.asked <= most + 1); /* who said no is not asked again */
        assert_true(w.asked == most + 1 || found.proof.bound == found.proof.best);
    }
    witness patient = {.least = least_cost(t, k), .most = UINT64_MAX};
    expect_optimum(t, &(pv_cut_bnb_options){.goal.k = k, .keep_going = watch, .ctx = &patient});
}

static void somebody_may_stop_it(void **state)
{
    (void)state;
    visit_tables(803, 30, look_stopped_by_somebody);
}

static void look_with_little_memory(trial *t, pv_rng *rng)
{
    static const uint64_t memories[] = {1, 60, 200, 1000, 5000};
    const uint64_t k = 1 + pv_i_rng_below(rng, 4);
    for (size_t i = 0; i < sizeof memories / sizeof *memories; i++) {
        (void)prove(t, &(pv_cut_bnb_options){.goal.k = k, .memory = memories[i]});
    }
    expect_optimum(t, &(pv_cut_bnb_options){.goal.k = k, .memory = 1 << 20});
}

static void little_memory_leaves_valid_bounds(void **state)
{
    (void)state;
    visit_tables(804, 40, look_with_little_memory);
}

/* ---------------------------------------------------------------- beginning */

static void random_start(const trial *t, pv_rng *rng, uint8_t *cuts)
{
    const uint64_t tenths = pv_i_rng_below(rng, 11);
    for (size_t bit = 0; bit < t->space.n_bits; bit++) {
        cuts[bit] = pv_i_rng_below(rng, 10) < tenths;
    }
}

static bool is_feasible(const trial *t, uint64_t k, const uint8_t *cuts)
{
    return cut_oracle_count(&t->oracle, cuts).smallest >= k &&
           (!t->respects || cut_oracle_respects(&t->oracle, cuts));
}

/* From a scheme: the optimum all the same, and never worse than the scheme when stopped at once. */
static void expect_from(trial *t, uint64_t k, const uint8_t *start)
{
    const outcome hasty =
        prove(t, &(pv_cut_bnb_options){.goal.k = k, .start = start, .max_nodes = 1});
    expect_optimum(t, &(pv_cut_bnb_options){.goal.k = k, .start = start});
    if (is_feasible(t, k, start)) {
        assert_true(hasty.proof.best <= cut_oracle_cost(&t->oracle, t->prices.unit, start));
    }
}

static void look_from_starts(trial *t, pv_rng *rng)
{
    const uint64_t k = 1 + pv_i_rng_below(rng, 5);
    const outcome best = prove(t, &(pv_cut_bnb_options){.goal.k = k});
    uint8_t start[MOST_BITS] = {0};
    expect_from(t, k, best.cuts);
    expect_from(t, k, start);
    memset(start, 1, sizeof start);
    expect_from(t, k, start);
    expect_from(t, t->oracle.n_rows, start);
    expect_unsatisfied(t, t->oracle.n_rows + 1, start);
    for (int i = 0; i < 5; i++) {
        random_start(t, rng, start);
        expect_from(t, k, start);
    }
}

static void any_start_leads_to_the_optimum(void **state)
{
    (void)state;
    visit_tables(805, 40, look_from_starts);
}

/* The same again, whatever was counted before. */
static void look_again(trial *t, pv_rng *rng)
{
    const uint64_t k = 2 + pv_i_rng_below(rng, 3);
    const outcome first = prove(t, &(pv_cut_bnb_options){.goal.k = k});
    const outcome second = prove(t, &(pv_cut_bnb_options){.goal.k = k});
    assert_memory_equal(first.cuts, second.cuts, t->space.n_bits);
    assert_int_equal(first.proof.nodes, second.proof.nodes);
    assert_int_equal(first.proof.best, second.proof.best);
}

static void the_same_comes_out_again(void **state)
{
    (void)state;
    visit_tables(806, 20, look_again);
}

/* ------------------------------------------------------------ bias and loss */

static double naive_value(const trial *t, const pv_cut_goal *goal, const cut_oracle_outcome *o)
{
    const double nwp = (double)o->cost / t->prices.one;
    const double necd = (double)(o->largest - o->smallest) / (double)(t->oracle.n_rows - 1);
    const double bias = goal->bias_base + goal->bias_slope * necd;
    return goal->bias_slope > 0 && bias > nwp ? bias : nwp;
}

static double least_value(const trial *t, const pv_cut_goal *goal)
{
    double least = HUGE_VAL;
    for (size_t i = 0; i < t->n_all; i++) {
        if (t->all[i].smallest >= goal->k) {
            least = fmin(least, naive_value(t, goal, &t->all[i]));
        }
    }
    return least;
}

/* Less than, or equal but for rounding. */
static bool is_at_most(double a, double b)
{
    return a <= b + 1e-9 * (1 + fabs(b));
}

static bool is_about(double a, double b)
{
    return is_at_most(a, b) && is_at_most(b, a);
}

/* The value is that of the scheme, which is feasible, and the bound is one. Returns the proof. */
static pv_cut_proof prove_goal(trial *t, const pv_cut_bnb_options *options)
{
    uint8_t cuts[MOST_BITS];
    pv_cut_proof proof;
    pv_error error = {0};
    bound_must(pv_i_cut_bnb(&t->table, &t->prices, options, cuts, &proof, &error), &error);
    const cut_oracle_sizes sizes = cut_oracle_count(&t->oracle, cuts);
    const cut_oracle_outcome found = {.cost = cut_oracle_cost(&t->oracle, t->prices.unit, cuts),
                                      .smallest = sizes.smallest,
                                      .largest = sizes.largest};
    const double least = least_value(t, &options->goal);
    const double best = pv_i_cut_value_nwp(&options->goal, &t->prices, proof.best);
    assert_true(sizes.smallest >= options->goal.k);
    assert_true(!t->respects || cut_oracle_respects(&t->oracle, cuts));
    assert_true(is_about(best, naive_value(t, &options->goal, &found)));
    assert_true(is_at_most(least, best));
    assert_true(is_at_most(pv_i_cut_value_nwp(&options->goal, &t->prices, proof.bound), least));
    return proof;
}

static pv_cut_goal random_goal(pv_rng *rng)
{
    static const double slopes[] = {0.05, 0.3, 1, 2, 5, 50, 2000, 1e6};
    static const double bases[] = {0, -1e-6, 0.1, -0.1};
    return (pv_cut_goal){.k = 1 + pv_i_rng_below(rng, 4),
                         .bias_base = bases[pv_i_rng_below(rng, 4)],
                         .bias_slope = slopes[pv_i_rng_below(rng, 8)]};
}

static void look_at_goals(trial *t, pv_rng *rng)
{
    for (int i = 0; i < 4; i++) {
        const pv_cut_goal goal = random_goal(rng);
        const pv_cut_proof proof = prove_goal(t, &(pv_cut_bnb_options){.goal = goal});
        const double best = pv_i_cut_value_nwp(&goal, &t->prices, proof.best);
        if (!is_about(best, least_value(t, &goal))) {
            fail_msg("k %llu, bias %g + %g necd: %.12g, but %.12g can be had",
                     (unsigned long long)goal.k, goal.bias_base, goal.bias_slope, best,
                     least_value(t, &goal));
        }
        assert_int_equal(proof.bound, proof.best);
        (void)prove_goal(t, &(pv_cut_bnb_options){.goal = goal, .max_nodes = 1 + (uint64_t)i});
        (void)prove_goal(t, &(pv_cut_bnb_options){.goal = goal, .memory = 300});
    }
}

static void bias_and_loss_are_weighed(void **state)
{
    (void)state;
    visit_tables(807, 60, look_at_goals);
}

/* ------------------------------------------------------- the paper's table 2 */

static const char codes[] = "code,class\n"
                            "81521,C1\n81522,C1\n81523,C1\n82635,C2\n82636,C2\n82647,C2\n"
                            "82648,C2\n81634,C3\n81631,C3\n81632,C3\n81639,C3\n81630,C3\n";
static const char codes_plan[] =
    "attributes:\n"
    "  code: {role: quasi, weight: 0.3, hierarchy: {mask: right}}\n"
    "  class: {role: quasi, weight: 0.7, hierarchy: {rows: [[C1, both], [C2, both], [C3]]}}\n";

typedef struct {
    unsigned masked;
    bool merged;
    double necd, nwp;
    uint64_t k;
} table_2;

static const table_2 rows_of_table_2[] = {
    {1, false, .27, .07, 2}, {2, false, .18, .09, 3}, {3, false, .18, .15, 3},
    {4, false, .18, .30, 3}, {1, true, .27, .27, 2},  {2, true, .18, .29, 3},
    {3, true, .18, .36, 3},  {4, true, .18, .50, 5},
};

static unsigned shared_digits(const char *a, const char *b)
{
    unsigned n = 0;
    while (a[n] != '\0' && a[n] == b[n]) {
        n++;
    }
    return n;
}

/* Cuts between codes that differ before the masked digits, and between C1, C2 and C3. */
static void cut_as_row(const table_2 *row, uint8_t *cuts)
{
    static const char *const sorted[] = {"81521", "81522", "81523", "81630", "81631", "81632",
                                         "81634", "81639", "82635", "82636", "82647", "82648"};
    for (size_t i = 0; i < 11; i++) {
        cuts[i] = shared_digits(sorted[i], sorted[i + 1]) < 5 - row->masked;
    }
    cuts[11] = !row->merged;
    cuts[12] = 1;
}

static void expect_row(trial *t, const table_2 *row)
{
    uint8_t cuts[MOST_BITS] = {0};
    pv_cut_scratch scratch;
    pv_cut_sizes sizes;
    cut_as_row(row, cuts);
    assert_true(pv_i_cut_scratch_init(&scratch, &t->table));
    assert_true(pv_i_cut_count(&t->table, &scratch, cuts, &sizes));
    pv_i_cut_scratch_deinit(&scratch);
    const uint64_t cost = pv_i_cut_cost(&t->space, &t->prices, cuts);
    const double necd = (double)(sizes.largest - sizes.smallest) / (12 - 1);
    assert_int_equal(sizes.smallest, row->k);
    assert_true(fabs(necd - row->necd) < .0051);
    assert_true(fabs(pv_i_cut_nwp(&t->prices, cost) - row->nwp) < .0051);
    const outcome found = prove(t, &(pv_cut_bnb_options){.goal.k = row->k, .start = cuts});
    assert_true(found.proof.best <= cost);
    assert_int_equal(found.proof.best, least_cost(t, row->k));
}

static void table_2_is_reproduced_and_beaten(void **state)
{
    bound_study s = bound_study_create(codes_plan, codes);
    pv_profile *const profile = bound_profile(s.study, 1);
    (void)state;
    for (int respects = 0; respects < 2; respects++) {
        trial t;
        trial_init(&t, s.study, profile, respects != 0, PLENTY);
        assert_int_equal(t.space.n_bits, 13);
        for (size_t i = 0; i < sizeof rows_of_table_2 / sizeof *rows_of_table_2; i++) {
            expect_row(&t, &rows_of_table_2[i]);
        }
        for (uint64_t k = 1; k <= 12; k++) {
            expect_optimum(&t, &(pv_cut_bnb_options){.goal.k = k});
        }
        trial_deinit(&t);
    }
    pv_profile_free(profile);
    bound_study_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_optimum_is_found),
        cmocka_unit_test(nodes_may_be_limited),
        cmocka_unit_test(somebody_may_stop_it),
        cmocka_unit_test(little_memory_leaves_valid_bounds),
        cmocka_unit_test(any_start_leads_to_the_optimum),
        cmocka_unit_test(the_same_comes_out_again),
        cmocka_unit_test(bias_and_loss_are_weighed),
        cmocka_unit_test(table_2_is_reproduced_and_beaten),
    };
    return cmocka_run_group_tests_name("branch and bound over cuts", tests, NULL, NULL);
}
