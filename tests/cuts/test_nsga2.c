/* NSGA-II over cuts: its sorting and crowding against their definitions, every case of its
 * selection, and its answers against all cut schemes of small tables. */
#include "support/cut_trial.h"

/* --------------------------------------------------------------- selection */

typedef struct {
    const char *what;
    pv_nsga2_member winner, loser;
} tournament;

/* What is not told does not matter: where the winner leads, the loser leads in all that comes
 * later. */
static const tournament tournaments[] = {
    {"both feasible: rank",
     {.feasible = true, .rank = 1, .value = 9, .k = 5},
     {.feasible = true, .rank = 2, .value = 3, .k = 9, .crowding = 2}},
    {"both feasible, of one rank: crowding",
     {.feasible = true, .rank = 1, .value = 9, .k = 5, .crowding = 1.5},
     {.feasible = true, .rank = 1, .value = 3, .k = 9, .crowding = 1.25}},
    {"both feasible: an end of the front",
     {.feasible = true, .rank = 1, .crowding = HUGE_VAL},
     {.feasible = true, .rank = 1, .crowding = 2}},
    {"one feasible",
     {.feasible = true, .rank = 7, .value = 90, .k = 5},
     {.feasible = false, .rank = 0, .value = 3, .k = 4, .crowding = HUGE_VAL}},
    {"none feasible: k",
     {.feasible = false, .rank = 7, .value = 90, .k = 4},
     {.feasible = false, .rank = 0, .value = 3, .k = 3, .crowding = HUGE_VAL}},
    {"none feasible, equal k: value",
     {.feasible = false, .rank = 7, .value = 3, .k = 4},
     {.feasible = false, .rank = 0, .value = 4, .k = 4, .crowding = HUGE_VAL}},
    {"none feasible, equal objectives: crowding",
     {.feasible = false, .rank = 7, .value = 3, .k = 4, .crowding = 0.5},
     {.feasible = false, .rank = 0, .value = 3, .k = 4, .crowding = 0.25}},
};

static void tournaments_follow_the_rule(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof tournaments / sizeof *tournaments; i++) {
        const tournament *const t = &tournaments[i];
        if (pv_i_nsga2_select(&t->winner, &t->loser) != &t->winner ||
            pv_i_nsga2_select(&t->loser, &t->winner) != &t->winner) {
            fail_msg("%s", t->what);
        }
    }
}

static void the_first_wins_what_is_unresolved(void **state)
{
    static const pv_nsga2_member alike[] = {
        {.feasible = true, .rank = 1, .value = 4, .k = 6, .crowding = 1},
        {.feasible = true, .rank = 1, .value = 3, .k = 5, .crowding = 1},
        {.feasible = true, .rank = 2, .crowding = HUGE_VAL, .id = 5},
        {.feasible = true, .rank = 2, .crowding = HUGE_VAL, .id = 4},
        {.feasible = false, .rank = 2, .value = 3, .k = 2, .crowding = 1},
        {.feasible = false, .rank = 1, .value = 3, .k = 2, .crowding = 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof alike / sizeof *alike; i += 2) {
        assert_ptr_equal(pv_i_nsga2_select(&alike[i], &alike[i + 1]), &alike[i]);
        assert_ptr_equal(pv_i_nsga2_select(&alike[i + 1], &alike[i]), &alike[i + 1]);
    }
}

/* ----------------------------------------------------------------- sorting */

static bool dominates(const pv_nsga2_member *a, const pv_nsga2_member *b)
{
    return a->value <= b->value && a->k >= b->k && (a->value < b->value || a->k > b->k);
}

/* Fronts are taken away one after the other. */
static void rank_naively(const pv_nsga2_member *points, size_t n, uint32_t *ranks)
{
    size_t left = n;
    for (size_t i = 0; i < n; i++) {
        ranks[i] = UINT32_MAX;
    }
    for (uint32_t rank = 0; left > 0; rank++) {
        for (size_t i = 0; i < n; i++) {
            bool free = ranks[i] == UINT32_MAX;
            for (size_t j = 0; j < n && free; j++) {
                free = ranks[j] < rank || !dominates(&points[j], &points[i]);
            }
            ranks[i] = free ? rank : ranks[i];
            left -= free;
        }
    }
}

/* Along a front; members with equal objectives stand as they came. */
static bool is_before(const pv_nsga2_member *points, size_t a, size_t b)
{
    return points[a].value != points[b].value ? points[a].value < points[b].value : a < b;
}

static double gap(uint64_t a, uint64_t b)
{
    return a > b ? (double)(a - b) : (double)(b - a);
}

/* The distance of the neighbours on both sides relative to that of the ends, over both objectives;
 * infinite where there is no neighbour. */
static double crowding_naively(const pv_nsga2_member *points, const uint32_t *ranks, size_t n,
                               size_t i)
{
    size_t before = n;
    size_t after = n;
    size_t first = i;
    size_t last = i;
    for (size_t j = 0; j < n; j++) {
        if (ranks[j] != ranks[i]) {
            continue;
        }
        first = is_before(points, j, first) ? j : first;
        last = is_before(points, last, j) ? j : last;
        if (is_before(points, j, i) && (before == n || is_before(points, before, j))) {
            before = j;
        }
        if (is_before(points, i, j) && (after == n || is_before(points, j, after))) {
            after = j;
        }
    }
    if (before == n || after == n) {
        return HUGE_VAL;
    }
    const double values = gap(points[first].value, points[last].value);
    const double ks = gap(points[first].k, points[last].k);
    return (values > 0 ? gap(points[before].value, points[after].value) / values : 0) +
           (ks > 0 ? gap(points[before].k, points[after].k) / ks : 0);
}

static void expect_in_order(const pv_nsga2_member *a, const pv_nsga2_member *b)
{
    assert_true(a->rank <= b->rank);
    if (a->rank == b->rank) {
        assert_true(a->crowding >= b->crowding);
        assert_true(a->crowding > b->crowding || a->place < b->place);
    }
}

enum { MOST_POINTS = 80 };

static void expect_sorted(const pv_nsga2_member *points, size_t n)
{
    pv_nsga2_member sorted[MOST_POINTS];
    uint32_t ranks[MOST_POINTS];
    uint64_t room[MOST_POINTS];
    bool seen[MOST_POINTS] = {false};
    memcpy(sorted, points, n * sizeof *points);
    rank_naively(points, n, ranks);
    pv_i_nsga2_sort(sorted, n, room);
    for (size_t i = 0; i < n; i++) {
        const size_t was = sorted[i].place;
        assert_true(was < n && !seen[was]);
        seen[was] = true;
        assert_int_equal(sorted[i].id, points[was].id);
        assert_int_equal(sorted[i].value, points[was].value);
        assert_int_equal(sorted[i].k, points[was].k);
        assert_int_equal(sorted[i].feasible, points[was].feasible);
        assert_int_equal(sorted[i].rank, ranks[was]);
        assert_true(sorted[i].crowding == crowding_naively(points, ranks, n, was));
        if (i > 0) {
            expect_in_order(&sorted[i - 1], &sorted[i]);
        }
    }
}

/* Few values make many equals; many make long fronts; large ones must not overflow. */
static void members_are_ranked_and_crowded(void **state)
{
    static const uint64_t ranges[] = {1, 2, 5, 20, 1000, UINT64_MAX};
    enum { RANGES = sizeof ranges / sizeof *ranges };
    pv_nsga2_member points[MOST_POINTS];
    pv_rng rng;
    pv_i_rng_init(&rng, 921);
    (void)state;
    for (size_t round = 0; round < 200; round++) {
        const size_t n = (size_t)pv_i_rng_below(&rng, MOST_POINTS + 1);
        const uint64_t values = ranges[pv_i_rng_below(&rng, RANGES)];
        const uint64_t ks = ranges[pv_i_rng_below(&rng, RANGES)];
        for (size_t i = 0; i < n; i++) {
            points[i] = (pv_nsga2_member){.value = pv_i_rng_below(&rng, values),
                                          .k = pv_i_rng_below(&rng, ks),
                                          .id = (uint32_t)(1000 + i),
                                          .feasible = i % 2 == 0};
        }
        expect_sorted(points, n);
    }
}

/* All of one front, or each a front of its own. */
static void extremes_are_sorted(void **state)
{
    pv_nsga2_member chain[MOST_POINTS];
    pv_nsga2_member front[MOST_POINTS];
    uint64_t room[MOST_POINTS];
    (void)state;
    for (size_t i = 0; i < MOST_POINTS; i++) {
        chain[i] = (pv_nsga2_member){.value = MOST_POINTS - i, .k = i};
        front[i] = (pv_nsga2_member){.value = i * i, .k = 3 * i};
    }
    expect_sorted(chain, MOST_POINTS);
    expect_sorted(front, MOST_POINTS);
    pv_i_nsga2_sort(chain, MOST_POINTS, room);
    pv_i_nsga2_sort(front, MOST_POINTS, room);
    assert_int_equal(chain[MOST_POINTS - 1].rank, MOST_POINTS - 1);
    assert_int_equal(front[MOST_POINTS - 1].rank, 0);
}

/* ------------------------------------------------------------------ answers */

typedef struct {
    size_t searches, optimal;
} tally;

/* With the paper's operators; most of the schemes are never looked at. */
static void search_optimum(cut_trial *t, pv_rng *rng, tally *sum)
{
    uint8_t best[NSGA2_BITS];
    const pv_cut_goal goal = cut_trial_goal(t, rng);
    const pv_cut_search_options options = {
        .goal = goal, .seed = pv_i_rng_next(rng), .evaluations = 2000};
    const uint64_t least = cut_trial_least(t, &goal, best);
    cut_trial_run r;
    cut_trial_run_init(t, &r, 1);
    pv_cut_result result = nsga2_search(&r.run, &options);
    nsga2_expect_sound(t, &r.run, &goal, &result);
    const uint64_t found =
        result.n_front > 0 ? nsga2_value(t, &r.run, &goal, result.best) : UINT64_MAX;
    assert_true(found >= least);
    sum->searches++;
    sum->optimal += found == least;
    pv_i_cut_result_deinit(&result);
    cut_trial_run_deinit(&r);
}

static void most_answers_are_optimal_none_better(void **state)
{
    tally sum = {0};
    pv_rng rng;
    pv_i_rng_init(&rng, 922);
    (void)state;
    for (int round = 0; round < 60; round++) {
        random_shape shape = cut_trial_shape(&rng);
        random_study s;
        cut_trial t;
        shape.n_rows = 5 + shape.n_rows / 2;
        shape.full = true;
        random_study_init(&s, &rng, &shape);
        cut_trial_init(&t, s.bound.study, s.profile, round % 3 == 0);
        search_optimum(&t, &rng, &sum);
        cut_trial_deinit(&t);
        random_study_deinit(&s);
    }
    if (sum.optimal * 10 < sum.searches * 8) {
        fail_msg("only %zu of %zu answers are optimal", sum.optimal, sum.searches);
    }
}

/* ----------------------------------------------------------------- threads */

static void look_on_threads(cut_trial *t, pv_rng *rng)
{
    const pv_cut_search_options options = {
        .goal = cut_trial_goal(t, rng), .seed = pv_i_rng_next(rng), .evaluations = 1000};
    cut_trial_run alone;
    cut_trial_run_init(t, &alone, 1);
    pv_cut_result result = nsga2_search(&alone.run, &options);
    for (unsigned threads = 1; threads < 5; threads++) {
        cut_trial_run r;
        cut_trial_run_init(t, &r, threads);
        pv_cut_result same = nsga2_search(&r.run, &options);
        nsga2_expect_same(&alone.run, &result, &r.run, &same);
        pv_i_cut_result_deinit(&same);
        cut_trial_run_deinit(&r);
    }
    pv_i_cut_result_deinit(&result);
    cut_trial_run_deinit(&alone);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    cut_trial_tables(923, 12, look_on_threads);
}

/* ---------------------------------------------------------------- taxonomy */

static void look_at_respect(cut_trial *t, pv_rng *rng)
{
    uint8_t starts[3 * NSGA2_BITS];
    uint8_t cuts[NSGA2_BITS];
    for (size_t i = 0; i < 3; i++) {
        cut_trial_random(t, rng, starts + i * t->space.n_bits);
    }
    const pv_cut_search_options options = {.goal = cut_trial_goal(t, rng),
                                           .evaluations = 500,
                                           .population = 20,
                                           .mutation = 0.1,
                                           .start = starts,
                                           .n_start = 3};
    cut_trial_run r;
    cut_trial_run_init(t, &r, 1);
    pv_cut_result result = nsga2_search(&r.run, &options);
    for (uint32_t id = 0; id < r.run.map.n; id++) {
        pv_i_cut_run_scheme(&r.run, id, cuts);
        assert_true(!t->respects || cut_oracle_respects(&t->oracle, cuts));
    }
    pv_i_cut_result_deinit(&result);
    cut_trial_run_deinit(&r);
}

static void every_scheme_respects_the_taxonomies(void **state)
{
    (void)state;
    cut_trial_tables(924, 60, look_at_respect);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tournaments_follow_the_rule),
        cmocka_unit_test(the_first_wins_what_is_unresolved),
        cmocka_unit_test(members_are_ranked_and_crowded),
        cmocka_unit_test(extremes_are_sorted),
        cmocka_unit_test(most_answers_are_optimal_none_better),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(every_scheme_respects_the_taxonomies),
    };
    return cmocka_run_group_tests_name("NSGA-II over cuts", tests, NULL, NULL);
}
