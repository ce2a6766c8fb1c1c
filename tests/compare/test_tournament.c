/* Tournaments: rankings, ties, and cycles against a search through all of them. */
#include "support/testing.h"

#include "base/rng.h"
#include "compare/judgement.h"

#include <string.h>

enum { MOST = 7 };

static pv_tournament *hold(const pv_winner *winners, size_t n)
{
    pv_tournament *t = NULL;
    pv_error error = {0};
    assert_int_equal(pv_tournament_create(winners, n, &t, &error), PV_STATUS_OK);
    return t;
}

static void test_an_order(void **state)
{
    (void)state;
    const pv_winner winners[] = {PV_NOBODY_WINS, PV_SECOND_WINS, PV_SECOND_WINS, /* */
                                 PV_NOBODY_WINS, PV_NOBODY_WINS, PV_FIRST_WINS,  /* */
                                 PV_NOBODY_WINS, PV_NOBODY_WINS, PV_NOBODY_WINS};
    pv_tournament *const t = hold(winners, 3);
    const size_t ranking[] = {1, 2, 0};
    const uint32_t wins[] = {0, 2, 1};
    assert_memory_equal(t->ranking, ranking, sizeof ranking);
    assert_memory_equal(t->wins, wins, sizeof wins);
    assert_int_equal(t->winner[1 * 3 + 0], PV_FIRST_WINS); /* filled in */
    assert_null(t->cycle);
    assert_int_equal(t->n_cycle, 0);
    pv_tournament_free(t);
}

static void test_a_cycle(void **state)
{
    (void)state;
    const pv_winner winners[] = {PV_NOBODY_WINS, PV_SECOND_WINS, PV_FIRST_WINS,  /* */
                                 PV_NOBODY_WINS, PV_NOBODY_WINS, PV_SECOND_WINS, /* */
                                 PV_NOBODY_WINS, PV_NOBODY_WINS, PV_NOBODY_WINS};
    pv_tournament *const t = hold(winners, 3);
    const size_t ranking[] = {0, 1, 2}, cycle[] = {0, 2, 1};
    assert_memory_equal(t->ranking, ranking, sizeof ranking);
    assert_int_equal(t->n_cycle, 3);
    assert_memory_equal(t->cycle, cycle, sizeof cycle);
    pv_tournament_free(t);
}

static void test_few(void **state)
{
    (void)state;
    const pv_winner nobody = PV_NOBODY_WINS;
    pv_tournament_free(hold(NULL, 0));
    pv_tournament *const t = hold(&nobody, 1);
    assert_int_equal(t->ranking[0], 0);
    assert_null(t->cycle);
    pv_tournament_free(t);
    pv_tournament_free(NULL);
    pv_tournament *none = NULL;
    pv_error error = {0};
    assert_int_equal(pv_tournament_create(NULL, SIZE_MAX / 2, &none, &error), PV_STATUS_LIMIT);
}

/* --------------------------------------------------------------- brute force */

static bool beats(const pv_tournament *t, size_t a, size_t b)
{
    return t->winner[a * t->n + b] == PV_FIRST_WINS;
}

/* The shortest way from `at` back to `start` over releases not yet `seen`; all are tried. */
static size_t shortest(const pv_tournament *t, size_t start, size_t at, unsigned seen)
{
    size_t best = SIZE_MAX;
    for (size_t next = 0; next < t->n; next++) {
        if (!beats(t, at, next)) {
            continue;
        }
        const size_t rest = next == start         ? 0
                            : seen & (1u << next) ? SIZE_MAX
                                                  : shortest(t, start, next, seen | (1u << next));
        best = rest != SIZE_MAX && rest + 1 < best ? rest + 1 : best;
    }
    return best;
}

static size_t shortest_of_all(const pv_tournament *t)
{
    size_t best = SIZE_MAX;
    for (size_t start = 0; start < t->n; start++) {
        const size_t length = shortest(t, start, start, 1u << start);
        best = length < best ? length : best;
    }
    return best == SIZE_MAX ? 0 : best;
}

static void assert_cycle(const pv_tournament *t)
{
    assert_int_equal(t->n_cycle, shortest_of_all(t));
    assert_int_equal(t->cycle != NULL, t->n_cycle > 0);
    for (size_t i = 0; i < t->n_cycle; i++) {
        assert_true(beats(t, t->cycle[i], t->cycle[(i + 1) % t->n_cycle]));
        assert_true(t->cycle[i] >= t->cycle[0]);
    }
}

static void assert_ranking(const pv_tournament *t)
{
    for (size_t i = 0; i < t->n; i++) {
        uint32_t wins = 0;
        for (size_t other = 0; other < t->n; other++) {
            wins += beats(t, i, other);
            assert_false(beats(t, i, other) && beats(t, other, i));
        }
        assert_int_equal(t->wins[i], wins);
    }
    for (size_t i = 1; i < t->n; i++) {
        const size_t a = t->ranking[i - 1], b = t->ranking[i];
        assert_true(t->wins[a] > t->wins[b] || (t->wins[a] == t->wins[b] && a < b));
    }
}

/* Many ties make long cycles the shortest. */
static void test_all_cycles(void **state)
{
    (void)state;
    pv_rng rng;
    pv_i_rng_init(&rng, 1);
    for (size_t trial = 0; trial < 1500; trial++) {
        const size_t n = 2 + trial % (MOST - 1);
        pv_winner winners[MOST * MOST] = {PV_NOBODY_WINS};
        for (size_t i = 0; i < n * n; i++) {
            const uint64_t drawn = pv_i_rng_below(&rng, 2 + trial % 4);
            winners[i] = drawn == 0 ? PV_FIRST_WINS : drawn == 1 ? PV_SECOND_WINS : PV_NOBODY_WINS;
        }
        pv_tournament *const t = hold(winners, n);
        assert_ranking(t);
        assert_cycle(t);
        pv_tournament_free(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_order),
        cmocka_unit_test(test_a_cycle),
        cmocka_unit_test(test_few),
        cmocka_unit_test(test_all_cycles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
