/* Searches over cuts that must keep rules besides k, with any bias and loss: the proof against all
 * schemes of hundreds of small tables, the heuristics against the proof. */
#include "support/cut_demands.h"
#include "support/testing.h"

#include "cuts/cut_search.h"

#include <math.h>

/* ------------------------------------------------------------- all schemes */

/* What comes of a scheme, by the definitions. */
typedef struct {
    double bias, loss;
    uint64_t smallest;
    bool kept; /* the rules, and the taxonomies if they are respected */
} naive_outcome;

typedef struct {
    const criteria_trial *t;
    cut_oracle_scratch scratch; /* also holds the scheme at hand */
    size_t *rows;               /* of a class */
    double *sizes;              /* of the classes */
} enumeration;

static enumeration enumeration_create(const criteria_trial *t)
{
    return (enumeration){.t = t,
                         .scratch = cut_oracle_scratch_create(&t->oracle, t->respects),
                         .rows = oracle_array(t->oracle.n_rows, sizeof(size_t)),
                         .sizes = oracle_array(t->oracle.n_rows, sizeof(double))};
}

static void enumeration_free(enumeration *e)
{
    cut_oracle_scratch_free(&e->scratch);
    free(e->rows);
    free(e->sizes);
}

/* A row's class is the first value of each of its groups. */
static void fill_keys(const enumeration *e)
{
    const cut_oracle *const o = &e->t->oracle;
    for (size_t row = 0; row < o->n_rows; row++) {
        size_t *const key = &e->scratch.keys[row];
        *key = 0;
        for (size_t a = 0; a < o->n_axes; a++) {
            uint32_t first = o->places[a][row];
            while (first > 0 && e->scratch.cuts[o->first_bit[a] + first - 1] == 0) {
                first--;
            }
            *key = *key * o->n[a] + first;
        }
    }
}

/* The rows from a row on that are in its class; 0 if an earlier one is. */
static size_t gather(const enumeration *e, size_t row)
{
    size_t n = 0;
    for (size_t i = 0; i < e->t->oracle.n_rows; i++) {
        if (e->scratch.keys[i] == e->scratch.keys[row]) {
            if (i < row) {
                return 0;
            }
            e->rows[n++] = i;
        }
    }
    return n;
}

static double gini_of(const double *sizes, size_t n, double n_rows)
{
    double differences = 0;
    double squares = 0; /* the sum of the rows' class sizes */
    for (size_t a = 0; a < n; a++) {
        squares += sizes[a] * sizes[a];
        for (size_t b = 0; b < n; b++) {
            differences += sizes[a] * sizes[b] * fabs(sizes[a] - sizes[b]);
        }
    }
    return differences / (2 * n_rows * squares);
}

static double bias_of(const criteria_trial *t, const double *sizes, size_t n)
{
    const double n_rows = (double)t->oracle.n_rows;
    double least = sizes[0];
    double most = sizes[0];
    for (size_t c = 0; c < n; c++) {
        least = fmin(least, sizes[c]);
        most = fmax(most, sizes[c]);
    }
    return oracle_same(t->bias.measure->name, "gini") ? gini_of(sizes, n, n_rows)
                                                      : (most - least) / (n_rows - 1);
}

/* The share that an attribute has in the loss when it is merged altogether. */
static double part_of(const criteria_trial *t, size_t axis)
{
    const cut_oracle *const o = &t->oracle;
    double own = 0;
    double all = 0;
    for (size_t a = 0; a < o->n_axes; a++) {
        const double n = o->n[a];
        const double part = oracle_same(t->loss.measure->name, "nwp")   ? o->weight[a]
                            : oracle_same(t->loss.measure->name, "glm") ? 1
                                                                        : (n - 1) / n;
        own = a == axis ? part : own;
        all += part;
    }
    return all > 0 ? own / all : 0;
}

/* nwp, glm or leaf-utility. */
static double loss_of(const enumeration *e)
{
    const cut_oracle *const o = &e->t->oracle;
    double loss = 0;
    for (size_t a = 0; a < o->n_axes; a++) {
        double merged = 0;
        for (uint32_t value = 0; value < o->n[a] && o->n[a] > 1; value++) {
            uint32_t first;
            uint32_t last;
            cut_oracle_group(o, a, e->scratch.cuts, value, &first, &last);
            merged += (double)o->rows[a][value] * (last - first) / (o->n[a] - 1.0);
        }
        loss += part_of(e->t, a) * merged / (double)o->n_rows;
    }
    return loss;
}

/* Rules are looked at only where classes have at least k rows. */
static naive_outcome look_at_scheme(const enumeration *e, uint64_t k)
{
    naive_outcome o = {.smallest = UINT64_MAX,
                       .kept = cut_oracle_is_allowed(&e->t->oracle, &e->scratch)};
    size_t n_classes = 0;
    fill_keys(e);
    for (size_t row = 0; o.kept && row < e->t->oracle.n_rows; row++) {
        const size_t n = gather(e, row);
        if (n > 0) {
            o.smallest = n < o.smallest ? n : o.smallest;
            o.kept = n >= k && cut_demands_hold(&e->t->demands, e->rows, n);
            e->sizes[n_classes++] = (double)n;
        }
    }
    if (o.kept) {
        o.bias = bias_of(e->t, e->sizes, n_classes);
        o.loss = loss_of(e);
    }
    return o;
}

static double naive_value(const pv_cut_goal *goal, const naive_outcome *o)
{
    return goal->bias_slope > 0 ? fmax(o->loss, goal->bias_base + goal->bias_slope * o->bias)
                                : o->loss;
}

/* The least value of all schemes; infinite if none is allowed. */
static double least_value(const criteria_trial *t, const pv_cut_goal *goal)
{
    enumeration e = enumeration_create(t);
    double least = (double)INFINITY;
    for (uint64_t number = 0; number < (uint64_t)1 << t->oracle.n_bits; number++) {
        cut_oracle_scheme(&t->oracle, number, e.scratch.cuts);
        const naive_outcome o = look_at_scheme(&e, goal->k);
        least = o.kept ? fmin(least, naive_value(goal, &o)) : least;
    }
    enumeration_free(&e);
    return least;
}

/* Of one scheme; infinite if it is not allowed. */
static double value_of(const criteria_trial *t, const pv_cut_goal *goal, const uint8_t *cuts)
{
    enumeration e = enumeration_create(t);
    memcpy(e.scratch.cuts, cuts, t->oracle.n_bits);
    const naive_outcome o = look_at_scheme(&e, goal->k);
    enumeration_free(&e);
    return o.kept ? naive_value(goal, &o) : (double)INFINITY;
}

static bool is_at_most(double a, double b)
{
    return a <= b + 1e-9 * (1 + fabs(b));
}

static bool is_about(double a, double b)
{
    return is_at_most(a, b) && is_at_most(b, a);
}

/* ------------------------------------------------------------------- proofs */

typedef struct {
    uint8_t cuts[CRITERIA_TRIAL_BITS];
    pv_cut_proof proof;
} proven;

/* The scheme keeps everything and has the value that is told. */
static proven prove(criteria_trial *t, const pv_cut_bnb_options *options)
{
    proven p = {{0}, {0}};
    pv_error error = {0};
    bound_must(pv_i_cut_bnb(&t->table, &t->prices, options, p.cuts, &p.proof, &error), &error);
    const double best = pv_i_cut_value_nwp(&options->goal, &t->prices, p.proof.best);
    assert_true(is_about(value_of(t, &options->goal, p.cuts), best));
    assert_true(p.proof.bound <= p.proof.best);
    return p;
}

static void expect_unsatisfied(criteria_trial *t, const pv_cut_bnb_options *options)
{
    uint8_t cuts[CRITERIA_TRIAL_BITS];
    pv_cut_proof proof = {.best = 77, .bound = 78};
    pv_error error = {0};
    memset(cuts, 9, sizeof cuts);
    assert_int_equal(pv_i_cut_bnb(&t->table, &t->prices, options, cuts, &proof, &error),
                     PV_STATUS_UNSATISFIED);
    assert_true(error.message[0] != '\0');
    assert_int_equal(proof.best, 77);
    assert_int_equal(proof.bound, 78);
    assert_int_equal(cuts[0], 9);
}

/* --------------------------------------------------------------- heuristics */

typedef pv_status search_fn(pv_cut_run *run, const pv_cut_search_options *options,
                            pv_cut_result *result, pv_error *error);

static pv_cut_run run_of(criteria_trial *t, unsigned threads)
{
    const pv_context context = {.threads = threads};
    pv_cut_run run;
    pv_error error = {0};
    bound_must(pv_i_cut_run_init(&run, &t->table, &t->prices, &t->criteria, &context, &error),
               &error);
    return run;
}

static pv_cut_result search_with(search_fn *search, pv_cut_run *run,
                                 const pv_cut_search_options *options)
{
    pv_cut_result result = {0};
    pv_error error = {0};
    bound_must(search(run, options, &result, &error), &error);
    return result;
}

static size_t n_found, n_best;

/* Everything that is shown keeps everything, and nothing has less than `bound`. */
static void expect_kept(criteria_trial *t, search_fn *search, const pv_cut_search_options *options,
                        uint64_t bound, uint64_t best)
{
    pv_cut_run run = run_of(t, 1);
    pv_cut_result result = search_with(search, &run, options);
    for (size_t i = 0; i < result.n_front; i++) {
        const pv_cut_outcome *const outcome = pv_i_cut_run_outcome(&run, result.front[i]);
        uint8_t cuts[CRITERIA_TRIAL_BITS];
        pv_i_cut_run_scheme(&run, result.front[i], cuts);
        const uint64_t value =
            pv_i_cut_value(&options->goal, &t->prices, outcome->cost, outcome->bias);
        const double worth = pv_i_cut_value_nwp(&options->goal, &t->prices, value);
        assert_true(is_about(value_of(t, &options->goal, cuts), worth));
        assert_true(value >= bound);
        n_best += i == 0 && value == best;
    }
    n_found += result.n_front > 0;
    if (result.n_front == 0) {
        assert_int_equal(result.best, PV_CUT_NO_SCHEME);
    } else { /* of those that are as good up to rounding the one with least deviation */
        const pv_cut_outcome *const chosen = pv_i_cut_run_outcome(&run, result.best);
        const pv_cut_outcome *const least = pv_i_cut_run_outcome(&run, result.front[0]);
        const pv_cut_goal *const goal = &options->goal;
        assert_true(is_about(
            pv_i_cut_value_nwp(goal, &t->prices,
                               pv_i_cut_value(goal, &t->prices, chosen->cost, chosen->bias)),
            pv_i_cut_value_nwp(goal, &t->prices,
                               pv_i_cut_value(goal, &t->prices, least->cost, least->bias))));
    }
    pv_i_cut_result_deinit(&result);
    pv_i_cut_run_deinit(&run);
}

static void expect_nobody(criteria_trial *t, search_fn *search, const pv_cut_goal *goal)
{
    const pv_cut_search_options options = {.goal = *goal, .evaluations = 200, .population = 10};
    pv_cut_run run = run_of(t, 1);
    pv_cut_result result = search_with(search, &run, &options);
    assert_int_equal(result.best, PV_CUT_NO_SCHEME);
    assert_int_equal(result.n_front, 0);
    pv_i_cut_result_deinit(&result);
    pv_i_cut_run_deinit(&run);
}

/* ------------------------------------------------------------ random tables */

static const char *const sums[] = {"nwp", "glm", "leaf-utility"};

/* Loss only, or with a bias that weighs little or much. */
static pv_cut_goal random_goal(pv_rng *rng)
{
    static const double slopes[] = {0, 0, 0.3, 1, 3, 40};
    static const double bases[] = {0, 0.05, -0.05};
    pv_cut_goal goal = {.k = 1 + pv_i_rng_below(rng, 4)};
    goal.bias_slope = slopes[pv_i_rng_below(rng, 6)];
    goal.bias_base = goal.bias_slope > 0 ? bases[pv_i_rng_below(rng, 3)] : 0;
    return goal;
}

typedef void visit(criteria_trial *t, pv_rng *rng);

/* One rule to three, necd and gini, all losses that can be proven least, every other time with
 * taxonomies. */
static void visit_tables(uint64_t seed, size_t n, visit *look)
{
    static const char *const biases[] = {"necd", "gini"};
    pv_rng rng;
    pv_i_rng_init(&rng, seed);
    for (size_t round = 0; round < n; round++) {
        const size_t n_rules = 1 + (size_t)pv_i_rng_below(&rng, CRITERIA_TRIAL_RULES);
        criteria_trial t;
        criteria_trial_init(&t, &rng, biases[round % 2], sums[round % 3], n_rules,
                            round / 2 % 2 == 0);
        look(&t, &rng);
        criteria_trial_deinit(&t);
    }
}

static size_t n_proven, n_by_rules; /* where rules forbid what k alone would choose */

static double least_without_rules(criteria_trial *t, const pv_cut_goal *goal)
{
    const size_t n_rules = t->demands.n_rules;
    t->demands.n_rules = 0;
    const double least = least_value(t, goal);
    t->demands.n_rules = n_rules;
    return least;
}

static void expect_optimum(criteria_trial *t, pv_rng *rng, const pv_cut_goal *goal, double least)
{
    const proven p = prove(t, &(pv_cut_bnb_options){.goal = *goal, .criteria = &t->criteria});
    const double best = pv_i_cut_value_nwp(goal, &t->prices, p.proof.best);
    if (!is_about(best, least)) {
        fail_msg("%.12g, but %.12g can be had", best, least);
    }
    assert_int_equal(p.proof.bound, p.proof.best);
    const pv_cut_bnb_options hasty = {
        .goal = *goal, .criteria = &t->criteria, .max_nodes = 1 + pv_i_rng_below(rng, 3)};
    const proven q = prove(t, &hasty);
    assert_true(is_at_most(pv_i_cut_value_nwp(goal, &t->prices, q.proof.bound), least));
    assert_true(q.proof.bound <= p.proof.best);
    const pv_cut_search_options options = {
        .goal = *goal, .seed = 1 + pv_i_rng_below(rng, 9), .evaluations = 300, .population = 10};
    expect_kept(t, pv_i_memetic, &options, p.proof.bound, p.proof.best);
    expect_kept(t, pv_i_nsga2, &options, p.proof.bound, p.proof.best);
    n_proven++;
}

static void look_for_optimum(criteria_trial *t, pv_rng *rng)
{
    const pv_cut_goal goal = random_goal(rng);
    const double least = least_value(t, &goal);
    if (isfinite(least)) {
        expect_optimum(t, rng, &goal, least);
        n_by_rules += least > least_without_rules(t, &goal) + 1e-9;
        return;
    }
    expect_unsatisfied(t, &(pv_cut_bnb_options){.goal = goal, .criteria = &t->criteria});
    expect_nobody(t, pv_i_memetic, &goal);
    expect_nobody(t, pv_i_nsga2, &goal);
}

static void the_best_that_keeps_the_rules_is_proven(void **state)
{
    const size_t n = effort(400);
    (void)state;
    n_proven = n_by_rules = n_found = n_best = 0;
    visit_tables(81, n, look_for_optimum);
    assert_true(n_proven > n / 3 || !effort_is_whole());
    assert_true(n_by_rules > n / 10 || !effort_is_whole());
    assert_true(10 * n_best > 7 * n_found); /* the heuristics are worth their while */
}

/* Any start leads there, and a start that breaks a rule is none. */
static void look_from_starts(criteria_trial *t, pv_rng *rng)
{
    const pv_cut_goal goal = random_goal(rng);
    const double least = least_value(t, &goal);
    for (int i = 0; i < 4 && isfinite(least); i++) {
        uint8_t start[CRITERIA_TRIAL_BITS];
        criteria_trial_random(t, rng, start);
        const pv_cut_bnb_options options = {.goal = goal, .criteria = &t->criteria, .start = start};
        const proven p = prove(t, &options);
        assert_true(is_about(pv_i_cut_value_nwp(&goal, &t->prices, p.proof.best), least));
    }
}

static void any_start_leads_there(void **state)
{
    (void)state;
    visit_tables(82, effort(60), look_from_starts);
}

/* ------------------------------------------------------------------ threads */

static void expect_same_search(criteria_trial *t, search_fn *search,
                               const pv_cut_search_options *options)
{
    pv_cut_run one = run_of(t, 1);
    pv_cut_run three = run_of(t, 3);
    pv_cut_result a = search_with(search, &one, options);
    pv_cut_result b = search_with(search, &three, options);
    assert_int_equal(a.best, b.best);
    assert_int_equal(a.generations, b.generations);
    assert_int_equal(a.n_front, b.n_front);
    assert_int_equal(one.map.n, three.map.n);
    assert_memory_equal(one.map.keys, three.map.keys,
                        one.map.n * one.map.words * sizeof *one.map.keys);
    assert_memory_equal(one.outcomes, three.outcomes, one.map.n * sizeof *one.outcomes);
    pv_i_cut_result_deinit(&a);
    pv_i_cut_result_deinit(&b);
    pv_i_cut_run_deinit(&one);
    pv_i_cut_run_deinit(&three);
}

static void expect_same_proof(criteria_trial *t, const pv_cut_goal *goal)
{
    pv_cut_bnb_options options = {.goal = *goal, .criteria = &t->criteria, .threads = 1};
    const proven one = prove(t, &options);
    options.threads = 3;
    const proven three = prove(t, &options);
    assert_memory_equal(one.cuts, three.cuts, t->space.n_bits);
    assert_int_equal(one.proof.best, three.proof.best);
    assert_int_equal(one.proof.bound, three.proof.bound);
    assert_int_equal(one.proof.nodes, three.proof.nodes);
    assert_int_equal(one.proof.counted, three.proof.counted);
}

static void look_at_threads(criteria_trial *t, pv_rng *rng)
{
    const pv_cut_goal goal = random_goal(rng);
    const pv_cut_search_options options = {
        .goal = goal, .seed = 7, .evaluations = 400, .population = 20};
    uint8_t merged[CRITERIA_TRIAL_BITS] = {0};
    expect_same_search(t, pv_i_memetic, &options);
    expect_same_search(t, pv_i_nsga2, &options);
    if (isfinite(value_of(t, &goal, merged))) {
        expect_same_proof(t, &goal);
    }
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    visit_tables(83, effort(60), look_at_threads);
}

/* ------------------------------------------------------------- other losses */

/* Nothing can be proven, but what is found keeps the rules and is what it is said to be. */
static void look_at_other_loss(criteria_trial *t, pv_rng *rng, search_fn *search)
{
    const pv_cut_search_options options = {
        .goal = random_goal(rng), .evaluations = 200, .population = 10};
    pv_cut_run run = run_of(t, 1);
    pv_cut_result result = search_with(search, &run, &options);
    for (size_t i = 0; i < result.n_front; i++) {
        const pv_cut_outcome *const outcome = pv_i_cut_run_outcome(&run, result.front[i]);
        uint8_t cuts[CRITERIA_TRIAL_BITS];
        pv_i_cut_run_scheme(&run, result.front[i], cuts);
        assert_true(cut_demands_kept(&t->demands, cuts));
        assert_true(!t->respects || cut_oracle_respects(&t->oracle, cuts));
        assert_true(cut_oracle_count(&t->oracle, cuts).smallest >= options.goal.k);
        assert_true(is_about(pv_i_cut_nwp(&t->prices, outcome->cost),
                             cut_demands_loss(&t->demands, t->loss.measure->name, cuts)));
    }
    pv_i_cut_result_deinit(&result);
    pv_i_cut_run_deinit(&run);
}

static void expect_no_proof(criteria_trial *t)
{
    const pv_cut_bnb_options options = {.goal.k = 1, .criteria = &t->criteria};
    uint8_t cuts[CRITERIA_TRIAL_BITS];
    pv_cut_proof proof;
    pv_error error = {0};
    assert_int_equal(pv_i_cut_bnb(&t->table, &t->prices, &options, cuts, &proof, &error),
                     PV_STATUS_ARGUMENT);
    assert_non_null(strstr(error.message, t->loss.measure->name));
}

static void other_losses_keep_the_rules(void **state)
{
    static const char *const losses[] = {"entropy", "dcn", "cm", "aecs"};
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 84);
    for (size_t round = 0; round < effort(60); round++) {
        criteria_trial t;
        criteria_trial_init(&t, &rng, round % 3 == 0 ? "gini" : "necd", losses[round % 4], 2,
                            round / 2 % 2 == 0);
        look_at_other_loss(&t, &rng, round % 2 == 0 ? pv_i_memetic : pv_i_nsga2);
        expect_no_proof(&t);
        criteria_trial_deinit(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_that_keeps_the_rules_is_proven),
        cmocka_unit_test(any_start_leads_there),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(other_losses_keep_the_rules),
    };
    return cmocka_run_group_tests_name("rules for cuts", tests, NULL, NULL);
}
