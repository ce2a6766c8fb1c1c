/* pbg-ea and pbg-hybrid against brute force: random small tables with ragged hierarchies and ties,
 * with and without suppression, two to five objectives out of all measures. */
#include "support/front_search.h"
#include "support/front_volume.h"
#include "support/testing.h"

static const char *const methods[] = {"pbg-ea", "pbg-hybrid"};

/* ------------------------------------------------------------ honest results */

static void expect_measured(const random_trial *t, const pv_front *front, const pv_point *point)
{
    const oracle_node *const node = trial_node(t, point);
    trial_expect(t, front, node->feasible);
    trial_expect(t, front, point->k == node->k);
    trial_expect(t, front, point->suppressed == node->suppressed);
    for (size_t o = 0; o < t->objectives.n; o++) {
        trial_expect(t, front, oracle_near(point->values[o], trial_value(t, node, o)));
    }
}

/* No other scheme of the front is as good, nor is its box. */
static void expect_unbeaten(const random_trial *t, const pv_front *front, size_t i)
{
    const box_grid grid = box_grid_of(front);
    const oracle_node *const mine = trial_node(t, &front->points[i]);
    for (size_t j = 0; j < front->n_points; j++) {
        if (j != i) {
            const oracle_node *const other = trial_node(t, &front->points[j]);
            trial_expect(t, front, !oracle_dominates(&t->objectives, other, mine));
            trial_expect(t, front,
                         !box_covers(&grid, front->points[j].values, front->points[i].values));
        }
    }
}

/* How many other schemes are as good, and is none of them before it in the lattice? */
static size_t count_ties(const random_trial *t, const oracle_node *node, bool *is_first)
{
    size_t ties = 0;
    *is_first = true;
    for (size_t i = 0; i < t->lattice.n_nodes; i++) {
        const oracle_node *const other = &t->lattice.nodes[i];
        if (other != node && other->feasible && oracle_ties(&t->objectives, other, node)) {
            ties++;
            *is_first &= other > node;
        }
    }
    return ties;
}

/* If every scheme was evaluated, all ties were found, and the first of them stands for all. */
static void expect_ties(const random_trial *t, const pv_front *front, const pv_point *point)
{
    bool is_first;
    const size_t ties = count_ties(t, trial_node(t, point), &is_first);
    trial_expect(t, front, point->ties <= ties);
    if (front->evaluated == t->lattice.n_schemes) {
        trial_expect(t, front, point->ties == ties && is_first);
    }
}

static bool is_on_true_front(const random_trial *t, const pv_point *point)
{
    size_t ties;
    const oracle_node *const node = trial_node(t, point);
    for (size_t i = 0; i < t->n_points; i++) {
        if (oracle_ties(&t->objectives, t->points[i].node, node)) {
            return true;
        }
    }
    return oracle_on_front(&t->lattice, &t->objectives, node, &ties);
}

/* A scheme that was looked at: nothing of it is lost, at none of its thresholds. */
static void expect_covered(const random_trial *t, const pv_front *front, const uint8_t *levels)
{
    const box_grid grid = box_grid_of(front);
    size_t n = 0;
    for (size_t i = 0; i < t->lattice.n_nodes; i++) {
        const oracle_node *const node = &t->lattice.nodes[i];
        double values[TRIAL_OBJECTIVES];
        if (trial_has_levels(t, node, levels)) {
            n++;
            trial_values(t, node, values);
            trial_expect(t, front, !node->feasible || box_front_covers(&grid, front, values));
        }
    }
    assert_true(n > 0);
}

/* The ends of the lattice are always looked at. */
static void expect_ends(const random_trial *t, const pv_front *front)
{
    expect_covered(t, front, t->lattice.nodes[0].levels);
    expect_covered(t, front, t->lattice.nodes[t->lattice.n_nodes - 1].levels);
}

static void expect_order(const random_trial *t, const pv_front *front)
{
    for (size_t i = 1; i < front->n_points; i++) {
        const oracle_node *const before = trial_node(t, &front->points[i - 1]);
        const oracle_node *const after = trial_node(t, &front->points[i]);
        trial_expect(t, front, oracle_comes_before(&t->objectives, before, after));
    }
}

static void expect_account(const random_trial *t, const pv_front *front)
{
    uint64_t found = 0;
    for (size_t i = 0; i < front->n_points; i++) {
        found += 1 + front->points[i].ties;
    }
    trial_expect(t, front, found <= front->evaluated * trial_most_thresholds(t));
    trial_expect(t, front, front->evaluated <= t->lattice.n_schemes);
    trial_expect(t, front, front->nodes == (double)t->lattice.n_schemes);
    trial_expect(t, front, (double)front->n_points <= front->most_points);
    trial_expect(t, front, !front->complete);
}

/* Whatever was found, with boxes as they were from the start. */
static void expect_honest(const random_trial *t, const pv_front *front)
{
    expect_account(t, front);
    expect_order(t, front);
    expect_ends(t, front);
    for (size_t i = 0; i < front->n_points; i++) {
        expect_measured(t, front, &front->points[i]);
        expect_unbeaten(t, front, i);
        expect_ties(t, front, &front->points[i]);
    }
}

/* Every point is a true one, every box is met. */
static void expect_whole(const random_trial *t, const pv_front *front)
{
    trial_expect(t, front, (front->n_points == 0) == (t->n_points == 0));
    for (size_t i = 0; i < front->n_points; i++) {
        trial_expect(t, front, is_on_true_front(t, &front->points[i]));
    }
    trial_expect(t, front, t->n_points == 0 || box_ratio(front, t->truth, t->n_points) == 1);
}

/* ------------------------------------------------------------- random tables */

typedef struct {
    double sum, worst; /* of the representation ratios */
    size_t n, n_whole;
    uint64_t evaluated, nodes;
} score;

/* The library's own word; sparing the volumes of five objectives, which take their time. */
static void expect_told(const random_trial *t, const pv_front *front, double ratio)
{
    pv_indicators told;
    if (t->objectives.n < TRIAL_OBJECTIVES) {
        assert_int_equal(pv_front_compare(front, t->truth, t->n_points, &told, NULL), PV_STATUS_OK);
        trial_expect(t, front, told.representation_ratio == ratio);
    }
}

static void count_score(score *s, const random_trial *t, const pv_front *front)
{
    s->evaluated += front->evaluated;
    s->nodes += t->lattice.n_schemes;
    if (t->n_points == 0) {
        return;
    }
    const double ratio = box_ratio(front, t->truth, t->n_points);
    expect_told(t, front, ratio);
    s->worst = s->n == 0 || ratio < s->worst ? ratio : s->worst;
    s->sum += ratio;
    s->n++;
    s->n_whole += ratio == 1;
}

static void print_scores(const char *method, score scores[][2], size_t m)
{
    static const char *const rules[] = {"nothing suppressed", "a budget", "a budget and a target",
                                        "a target"};
    for (trial_rule rule = TRIAL_RAW; rule < TRIAL_RULES; rule++) {
        const score *const s = &scores[rule][m];
        print_error("%s, %s: mean ratio %.4f, worst %.3f, whole %zu of %zu, evaluated %.1f%%\n",
                    method, rules[rule], s->sum / (double)s->n, s->worst, s->n_whole, s->n,
                    100.0 * (double)s->evaluated / (double)s->nodes);
    }
}

static void search_random_table(random_trial *t, const char *method, score *s)
{
    const search_request request = trial_request(t, method);
    pv_front *const front = search_front(t->study.profile, &request);
    assert_string_equal(front->method, method);
    expect_honest(t, front);
    if (front->evaluated == t->lattice.n_schemes) {
        expect_whole(t, front);
    }
    count_score(s, t, front);
    pv_front_free(front);
}

/* Of the share of boxes met, on average: with all rules together, and with each. */
#define LEAST_RATIO 0.98
#define LEAST_RATIO_EACH 0.95

static void search_random_tables(trial_rule rule, score *scores)
{
    pv_rng rng;
    pv_i_rng_init(&rng, 100 + rule);
    for (size_t i = 0; i < effort(150); i++) {
        const random_shape shape = trial_shape(&rng);
        random_trial t;
        trial_init(&t, &rng, &shape, rule, NULL);
        for (size_t m = 0; m < 2; m++) {
            search_random_table(&t, methods[m], &scores[m]);
        }
        trial_deinit(&t);
    }
}

static void nearly_all_is_found(void **state)
{
    score scores[TRIAL_RULES][2] = {0};
    bool each = true;
    (void)state;
    for (trial_rule rule = TRIAL_RAW; rule < TRIAL_RULES; rule++) {
        search_random_tables(rule, scores[rule]);
    }
    for (size_t m = 0; m < 2; m++) {
        double sum = 0;
        double n = 0;
        for (trial_rule rule = TRIAL_RAW; rule < TRIAL_RULES; rule++) {
            const score *const s = &scores[rule][m];
            sum += s->sum;
            n += (double)s->n;
            each &= s->sum >= LEAST_RATIO_EACH * (double)s->n;
        }
        if (!each || sum < LEAST_RATIO * n) {
            print_scores(methods[m], scores, m);
            fail_msg("mean ratio %.4f", sum / n);
        }
    }
}

/* ------------------------------------------------------------- often repeated */

/* Calls a check on random tables of all kinds. */
static void on_tables(uint64_t seed, size_t n, void (*check)(random_trial *t))
{
    pv_rng rng;
    pv_i_rng_init(&rng, seed);
    for (size_t i = 0; i < effort(n); i++) {
        const random_shape shape = trial_shape(&rng);
        random_trial t;
        trial_init(&t, &rng, &shape, (trial_rule)(i % TRIAL_RULES), NULL);
        check(&t);
        trial_deinit(&t);
    }
}

static void find_all_of_little(random_trial *t)
{
    if (t->lattice.n_schemes > 30) {
        return;
    }
    search_request request = trial_request(t, "pbg-ea");
    request.iterations = 300;
    request.patience = UINT64_MAX;
    pv_front *const front = search_front(t->study.profile, &request);
    assert_int_equal(front->iterations, 300);
    assert_int_equal(front->stop, PV_STOP_FINISHED);
    expect_honest(t, front);
    expect_whole(t, front);
    pv_front_free(front);
}

static void evolution_finds_all_of_little(void **state)
{
    (void)state;
    on_tables(1, 200, find_all_of_little);
}

/* -------------------------------------------------------------- reproducible */

static void expect_reproducible(random_trial *t, search_request request)
{
    static const unsigned threads[] = {2, 7, 1};
    pv_front *const alone = search_front(t->study.profile, &request);
    for (size_t i = 0; i < 3; i++) {
        request.threads = threads[i];
        request.memory = 1 + random_below(&t->study, 5000);
        pv_front *const again = search_front(t->study.profile, &request);
        search_expect_same(alone, again);
        pv_front_free(again);
    }
    pv_front_free(alone);
}

static void repeat(random_trial *t)
{
    for (size_t i = 0; i < 2; i++) {
        search_request request = trial_request(t, methods[i]);
        request.seed = 1 + random_below(&t->study, 5);
        request.archive = random_below(&t->study, 6);
        expect_reproducible(t, request);
    }
}

static void the_same_seed_gives_the_same_bytes(void **state)
{
    (void)state;
    on_tables(2, 60, repeat);
}

/* Which scheme a box holds must not depend on who came first. */
static void repeat_whole(random_trial *t)
{
    search_request request = trial_request(t, "exhaustive");
    request.archive = 1 + random_below(&t->study, 8);
    expect_reproducible(t, request);
}

static void few_points_of_all_are_the_same(void **state)
{
    (void)state;
    on_tables(3, 60, repeat_whole);
}

/* ---------------------------------------------------------------- few points */

/* Sides of boxes, some of them 0; of strange lengths, so that no value is on an edge. */
static void random_sides(random_trial *t, double *sides)
{
    static const double parts[] = {0.03137, 0.10917, 0.23771, 0.5117, 1.3179};
    const size_t n = t->objectives.n;
    const size_t divided = random_below(&t->study, n);
    for (size_t o = 0; o < n; o++) {
        double low = (double)INFINITY;
        double high = -(double)INFINITY;
        for (size_t i = 0; i < t->n_points; i++) {
            low = fmin(low, t->truth[i * n + o]);
            high = fmax(high, t->truth[i * n + o]);
        }
        const double range = high > low ? high - low : 1;
        const bool is_divided = o == divided || !random_one_in(&t->study, 3);
        sides[o] = is_divided ? range * parts[random_below(&t->study, 5)] : 0;
    }
}

/* One true point in every box that matters, and no others. */
static void expect_boxed(const random_trial *t, const pv_front *front)
{
    const box_grid grid = box_grid_of(front);
    expect_order(t, front);
    expect_whole(t, front);
    trial_expect(t, front, front->n_points == box_count(&grid, t->truth, t->n_points));
    trial_expect(t, front, (double)front->n_points <= front->most_points);
    for (size_t i = 0; i < front->n_points; i++) {
        expect_measured(t, front, &front->points[i]);
        expect_unbeaten(t, front, i);
    }
}

static void box_whole(random_trial *t)
{
    static const char *const whole[] = {"exhaustive", "exact"};
    double sides[TRIAL_OBJECTIVES];
    random_sides(t, sides);
    for (size_t i = 0; i < 2; i++) {
        pv_error error;
        search_request request = trial_request(t, whole[i]);
        request.epsilons = sides;
        pv_front *const front = search_try(t->study.profile, &request, &error);
        if (front != NULL) { /* exact needs bounds */
            assert_memory_equal(front->epsilons, sides, t->objectives.n * sizeof *sides);
            expect_boxed(t, front);
            pv_front_free(front);
        }
    }
}

static void a_box_holds_one_of_the_whole_front(void **state)
{
    (void)state;
    on_tables(5, 300, box_whole);
}

static void box_found(random_trial *t)
{
    double sides[TRIAL_OBJECTIVES];
    random_sides(t, sides);
    for (size_t i = 0; i < 2; i++) {
        search_request request = trial_request(t, methods[i]);
        request.epsilons = sides;
        pv_front *const front = search_front(t->study.profile, &request);
        assert_memory_equal(front->epsilons, sides, t->objectives.n * sizeof *sides);
        expect_honest(t, front);
        if (front->evaluated == t->lattice.n_schemes) {
            expect_boxed(t, front);
        }
        pv_front_free(front);
    }
}

static void a_box_holds_one_of_what_is_found(void **state)
{
    (void)state;
    on_tables(6, 150, box_found);
}

static void keep_few(random_trial *t)
{
    static const char *const all[] = {"exhaustive", "exact", "pbg-ea", "pbg-hybrid"};
    for (size_t i = 0; i < 4; i++) {
        pv_error error;
        search_request request = trial_request(t, all[i]);
        request.archive = 1 + random_below(&t->study, 1 + random_below(&t->study, 12));
        pv_front *const front = search_try(t->study.profile, &request, &error);
        if (front == NULL) {
            assert_string_equal(all[i], "exact");
            continue;
        }
        /* As many corners as there are sides of zero always remain. */
        const size_t corners = (size_t)1 << (t->objectives.n - 1);
        trial_expect(t, front,
                     front->n_points <= (request.archive > corners ? request.archive : corners));
        trial_expect(t, front, (front->n_points == 0) == (t->n_points == 0));
        if (i < 2) {
            expect_boxed(t, front);
            trial_expect(t, front, t->n_points > request.archive || front->n_points == t->n_points);
        }
        for (size_t j = 0; j < front->n_points; j++) {
            expect_measured(t, front, &front->points[j]);
            expect_unbeaten(t, front, j);
        }
        pv_front_free(front);
    }
}

static void no_more_points_than_asked_for(void **state)
{
    (void)state;
    on_tables(7, 150, keep_few);
}

/* -------------------------------------------------------------------- start */

static void begin_with_the_answer(random_trial *t)
{
    const size_t n_axes = t->lattice.n_axes;
    uint8_t *const start = oracle_array(t->n_points * n_axes, 1);
    for (size_t i = 0; i < t->n_points; i++) {
        memcpy(start + i * n_axes, t->points[i].node->levels, n_axes);
    }
    for (size_t i = 0; i < 2; i++) {
        search_request request = trial_request(t, methods[i]);
        request.start = start;
        request.n_start = t->n_points;
        request.iterations = 1;
        pv_front *const front = search_front(t->study.profile, &request);
        expect_honest(t, front);
        expect_whole(t, front);
        pv_front_free(front);
    }
    free(start);
}

static void a_true_front_to_begin_with_stays(void **state)
{
    (void)state;
    on_tables(8, 100, begin_with_the_answer);
}

/* Of levels that group the values alike a search knows the finest. */
static void seen_as(const random_trial *t, const uint8_t *levels, uint8_t *seen)
{
    const oracle_table *const table = &t->study.table;
    for (size_t q = 0; q < t->lattice.n_axes; q++) {
        seen[q] = levels[q];
        while (oracle_is_alike(&table->quasi[q], table->n_rows, seen[q])) {
            seen[q]--;
        }
    }
}

/* Also the same scheme twice. */
static void begin_anywhere(random_trial *t)
{
    enum { N = 12 };
    const size_t n_axes = t->lattice.n_axes;
    uint8_t start[N * ORACLE_AXES], seen[N * ORACLE_AXES];
    double sides[TRIAL_OBJECTIVES];
    random_sides(t, sides);
    for (size_t i = 0; i < N; i++) {
        random_levels(&t->study, start + i * n_axes);
        seen_as(t, start + i * n_axes, seen + i * n_axes);
    }
    for (size_t i = 0; i < 4; i++) {
        search_request request = trial_request(t, methods[i % 2]);
        request.start = start;
        request.n_start = random_below(&t->study, N + 1);
        request.iterations = 2;
        request.epsilons = i < 2 ? sides : NULL;
        pv_front *const front = search_front(t->study.profile, &request);
        expect_honest(t, front);
        for (size_t j = 0; j < request.n_start; j++) {
            expect_covered(t, front, seen + j * n_axes);
        }
        pv_front_free(front);
    }
}

static void nothing_to_begin_with_is_lost(void **state)
{
    (void)state;
    on_tables(9, 100, begin_anywhere);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearly_all_is_found),
        cmocka_unit_test(evolution_finds_all_of_little),
        cmocka_unit_test(the_same_seed_gives_the_same_bytes),
        cmocka_unit_test(few_points_of_all_are_the_same),
        cmocka_unit_test(a_box_holds_one_of_the_whole_front),
        cmocka_unit_test(a_box_holds_one_of_what_is_found),
        cmocka_unit_test(no_more_points_than_asked_for),
        cmocka_unit_test(a_true_front_to_begin_with_stays),
        cmocka_unit_test(nothing_to_begin_with_is_lost),
    };
    return cmocka_run_group_tests_name("pbg against the oracle", tests, NULL, NULL);
}
