/* Duels: the paper's numbers, the algebra of the indices on random vectors, volumes against exact
 * integer products, ties, and vectors of millions. */
#include "base/rng.h"
#include "support/comparison_trial.h"
#include "support/testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 40 };

static pv_duel fight(const double *first, const double *second, uint64_t n)
{
    pv_duel duel;
    pv_duel_fight(first, second, n, NULL, NULL, 0, &duel);
    return duel;
}

static void assert_near(double value, double expected)
{
    assert_true(fabs(value - expected) <= 1e-12 * fmax(1, fabs(expected)));
}

/* ---------------------------------------------------------------- the paper */

static pv_duel fight_tables(size_t property, size_t first, size_t second)
{
    return fight(paper_vectors[first][property], paper_vectors[second][property], PAPER_ROWS);
}

static void assert_index(const pv_duel *d, pv_index index, double first, double second)
{
    assert_near(d->first[index], first);
    assert_near(d->second[index], second);
    assert_int_equal(d->winner[index], first > second   ? PV_FIRST_WINS
                                       : first < second ? PV_SECOND_WINS
                                                        : PV_NOBODY_WINS);
}

static void test_class_sizes_of_the_paper(void **state)
{
    (void)state;
    pv_duel d = fight_tables(PAPER_SIZE, PAPER_3A, PAPER_3B);
    assert_index(&d, PV_INDEX_COV, .3, 1);
    assert_index(&d, PV_INDEX_SPR, 0, 24);
    assert_index(&d, PV_INDEX_MIN, 3, 3);
    assert_int_equal(d.first_better, 0); /* the paper's P_binary */
    assert_int_equal(d.second_better, 7);
    assert_int_equal(d.dominance, PV_DOMINANCE_SECOND_STRONG);

    d = fight_tables(PAPER_SIZE, PAPER_3B, PAPER_4);
    assert_index(&d, PV_INDEX_COV, .7, .3);
    assert_index(&d, PV_INDEX_SPR, 9, 3);
    assert_index(&d, PV_INDEX_MIN, 3, 4);
    assert_int_equal(d.dominance, PV_DOMINANCE_NONE);

    d = fight_tables(PAPER_SIZE, PAPER_4, PAPER_3A);
    assert_index(&d, PV_INDEX_COV, 1, 0);
    assert_index(&d, PV_INDEX_SPR, 18, 0);
    assert_int_equal(d.dominance, PV_DOMINANCE_FIRST_STRONG);
}

static void test_utilities_of_the_paper(void **state)
{
    (void)state;
    const pv_duel d = fight_tables(PAPER_UTILITY, PAPER_3A, PAPER_3B);
    assert_index(&d, PV_INDEX_COV, 1, .3);
    assert_int_equal(d.dominance, PV_DOMINANCE_FIRST_STRONG);
    assert_int_equal(d.winner[PV_INDEX_HV], PV_FIRST_WINS);
}

static void test_examples_of_the_paper(void **state)
{
    (void)state;
    const double one[] = {2, 2, 3, 4, 5}, other[] = {3, 2, 4, 2, 3};
    pv_duel d = fight(one, other, 5);
    assert_index(&d, PV_INDEX_COV, .6, .6);
    assert_index(&d, PV_INDEX_SPR, 4, 2);

    const double three[] = {3, 3, 3, 5, 5, 5, 5, 5, 3, 3, 3, 4, 4, 4, 4};
    const double two[] = {2, 2, 6, 6, 6, 6, 6, 6, 3, 3, 3, 4, 4, 4, 4};
    d = fight(three, two, 15);
    assert_index(&d, PV_INDEX_SPR, 2, 8);
    assert_index(&d, PV_INDEX_COV, .6, 13 / 15.);
    assert_int_equal(d.winner[PV_INDEX_MIN], PV_FIRST_WINS);

    const double s[] = {3, 3, 3, 5, 5, 5, 5, 5}, t[] = {4, 4, 4, 4, 4, 4, 4, 4};
    d = fight(s, t, 8);
    assert_index(&d, PV_INDEX_HV, log(56727), log(37888));
}

/* ------------------------------------------------------------ random vectors */

/* Few values, so that ties are frequent. */
static uint64_t draw(pv_rng *rng, double *first, double *second, uint64_t values)
{
    const uint64_t n = 1 + pv_i_rng_below(rng, MOST);
    for (uint64_t i = 0; i < n; i++) {
        first[i] = 1 + (double)pv_i_rng_below(rng, values);
        second[i] = 1 + (double)pv_i_rng_below(rng, values);
        if (pv_i_rng_below(rng, 4) == 0) {
            second[i] = first[i];
        }
    }
    return n;
}

static bool is_weakly_better(const double *a, const double *b, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        if (a[i] < b[i]) {
            return false;
        }
    }
    return true;
}

/* Vectors of which one is often nowhere worse. */
static uint64_t draw_ordered(pv_rng *rng, double *first, double *second)
{
    const uint64_t n = draw(rng, first, second, 4);
    const uint64_t which = pv_i_rng_below(rng, 3);
    for (uint64_t i = 0; i < n && which > 0; i++) {
        double *const better = which == 1 ? first : second;
        better[i] = fmax(first[i], second[i]);
    }
    return n;
}

static void test_dominance(void **state)
{
    (void)state;
    double a[MOST], b[MOST];
    pv_rng rng;
    pv_i_rng_init(&rng, 1);
    for (size_t trial = 0; trial < 3000; trial++) {
        const uint64_t n = draw_ordered(&rng, a, b);
        const bool ab = is_weakly_better(a, b, n);
        const bool ba = is_weakly_better(b, a, n);
        const pv_duel d = fight(a, b, n);
        assert_int_equal(d.dominance, ab && ba ? PV_DOMINANCE_EQUAL
                                      : ab     ? PV_DOMINANCE_FIRST_STRONG
                                      : ba     ? PV_DOMINANCE_SECOND_STRONG
                                               : PV_DOMINANCE_NONE);
        assert_int_equal(d.first[PV_INDEX_COV] == 1 && d.second[PV_INDEX_COV] < 1, ab && !ba);
        assert_int_equal(d.second[PV_INDEX_COV] == 1 && d.first[PV_INDEX_COV] < 1, ba && !ab);
        assert_int_equal(d.first[PV_INDEX_SPR] == 0, ba);
        assert_int_equal(d.second[PV_INDEX_SPR] == 0, ab);
        assert_int_equal(isinf(d.first[PV_INDEX_HV]) != 0, ba);
        assert_int_equal(isinf(d.second[PV_INDEX_HV]) != 0, ab);
        assert_int_equal(d.second[PV_INDEX_RANK] == 0, ba);
        for (size_t i = PV_INDEX_RANK; i < PV_INDEX_COUNT && ab != ba; i++) {
            assert_int_equal(d.winner[i], ab ? PV_FIRST_WINS : PV_SECOND_WINS);
        }
    }
}

static void test_turned_round(void **state)
{
    static const pv_winner turned[] = {PV_NOBODY_WINS, PV_SECOND_WINS, PV_FIRST_WINS};
    (void)state;
    double a[MOST], b[MOST];
    pv_rng rng;
    pv_i_rng_init(&rng, 2);
    for (size_t trial = 0; trial < 2000; trial++) {
        const uint64_t n = draw(&rng, a, b, 5);
        for (uint64_t i = 0; i < n && trial % 2; i++) {
            a[i] = a[i] / 7 - (trial % 4 == 1);
            b[i] = b[i] / 7 - (trial % 4 == 1);
        }
        const pv_duel d = fight(a, b, n), e = fight(b, a, n);
        assert_int_equal(d.first_better, e.second_better);
        assert_int_equal(d.second_better, e.first_better);
        assert_memory_equal(d.first, e.second, sizeof d.first);
        assert_memory_equal(d.second, e.first, sizeof d.second);
        for (size_t i = 0; i < PV_INDEX_COUNT; i++) {
            assert_int_equal(d.winner[i], turned[e.winner[i]]);
        }
    }
}

static void test_against_definitions(void **state)
{
    (void)state;
    double a[MOST], b[MOST], target[MOST];
    pv_rng rng;
    pv_i_rng_init(&rng, 3);
    for (size_t trial = 0; trial < 2000; trial++) {
        const uint64_t n = draw(&rng, a, b, 9);
        double least[2] = {HUGE_VAL, HUGE_VAL}, squares[2] = {0}, spread[2] = {0};
        uint64_t covered[2] = {0};
        for (uint64_t i = 0; i < n; i++) {
            target[i] = (double)pv_i_rng_below(&rng, 12);
            least[0] = fmin(least[0], a[i]);
            least[1] = fmin(least[1], b[i]);
            squares[0] += (a[i] - target[i]) * (a[i] - target[i]);
            squares[1] += (b[i] - target[i]) * (b[i] - target[i]);
            spread[0] += fmax(a[i] - b[i], 0);
            spread[1] += fmax(b[i] - a[i], 0);
            covered[0] += a[i] >= b[i];
            covered[1] += b[i] >= a[i];
        }
        pv_duel d;
        pv_duel_fight(a, b, n, NULL, target, 0, &d);
        assert_index(&d, PV_INDEX_MIN, least[0], least[1]);
        assert_index(&d, PV_INDEX_SPR, spread[0], spread[1]);
        assert_index(&d, PV_INDEX_COV, (double)covered[0] / (double)n,
                     (double)covered[1] / (double)n);
        assert_near(d.first[PV_INDEX_RANK], sqrt(squares[0]));
        assert_near(d.second[PV_INDEX_RANK], sqrt(squares[1]));
        assert_int_equal(d.winner[PV_INDEX_RANK], squares[0] < squares[1]   ? PV_FIRST_WINS
                                                  : squares[0] > squares[1] ? PV_SECOND_WINS
                                                                            : PV_NOBODY_WINS);
    }
}

/* Values that stand for several people are as if each of them had it. */
static void test_several_people(void **state)
{
    enum { EACH = 5 };
    (void)state;
    double a[MOST], b[MOST], target[MOST];
    static double long_a[MOST * EACH], long_b[MOST * EACH], long_target[MOST * EACH];
    uint64_t people[MOST];
    pv_rng rng;
    pv_i_rng_init(&rng, 6);
    for (size_t trial = 0; trial < 2000; trial++) {
        const uint64_t n = draw(&rng, a, b, 9);
        uint64_t all = 0;
        for (uint64_t i = 0; i < n; i++) {
            a[i] = trial % 3 == 0 ? a[i] / 7 : a[i] - (trial % 5 == 0);
            target[i] = (double)pv_i_rng_below(&rng, 12);
            people[i] = 1 + pv_i_rng_below(&rng, EACH);
            for (uint64_t j = 0; j < people[i]; j++, all++) {
                long_a[all] = a[i];
                long_b[all] = b[i];
                long_target[all] = target[i];
            }
        }
        const bool has_target = trial % 2 != 0;
        pv_duel d, e;
        pv_duel_fight(a, b, n, people, has_target ? target : NULL, 0, &d);
        pv_duel_fight(long_a, long_b, all, NULL, has_target ? long_target : NULL, 0, &e);
        assert_int_equal(d.n, all);
        assert_int_equal(d.first_better, e.first_better);
        assert_int_equal(d.second_better, e.second_better);
        assert_int_equal(d.dominance, e.dominance);
        assert_memory_equal(d.winner, e.winner, sizeof d.winner);
        for (size_t i = 0; i < PV_INDEX_COUNT; i++) {
            assert_true(isinf(d.first[i]) == isinf(e.first[i]));
            assert_true(isinf(d.first[i]) || fabs(d.first[i] - e.first[i]) < 1e-11);
            assert_true(isinf(d.second[i]) == isinf(e.second[i]));
            assert_true(isinf(d.second[i]) || fabs(d.second[i] - e.second[i]) < 1e-11);
        }
    }
}

/* ------------------------------------------------------------------ volumes */

typedef unsigned __int128 wide; /* 9^40 fits */

static void assert_volume(double log_volume, wide exact)
{
    if (exact == 0) {
        assert_true(isinf(log_volume) && log_volume < 0);
    } else {
        const double expected = (double)logl((long double)exact);
        assert_true(fabs(log_volume - expected) <= 1e-13 * fmax(1, expected));
    }
}

static void assert_volumes(const double *a, const double *b, uint64_t n)
{
    wide first = 1, second = 1, common = 1;
    for (uint64_t i = 0; i < n; i++) {
        first *= (wide)a[i];
        second *= (wide)b[i];
        common *= (wide)fmin(a[i], b[i]);
    }
    const pv_duel d = fight(a, b, n);
    assert_volume(d.first[PV_INDEX_HV], first - common);
    assert_volume(d.second[PV_INDEX_HV], second - common);
    assert_int_equal(d.winner[PV_INDEX_HV], first > second   ? PV_FIRST_WINS
                                            : second > first ? PV_SECOND_WINS
                                                             : PV_NOBODY_WINS);
}

static void test_volumes_against_integers(void **state)
{
    (void)state;
    double a[MOST], b[MOST];
    pv_rng rng;
    pv_i_rng_init(&rng, 4);
    for (size_t trial = 0; trial < 5000; trial++) {
        const uint64_t n = draw(&rng, a, b, trial % 2 ? 9 : 3);
        if (trial % 5 == 0) { /* the same in another order: a tie */
            memcpy(b, a, n * sizeof *a);
            for (uint64_t i = n - 1; i > 0; i--) {
                const uint64_t j = pv_i_rng_below(&rng, i + 1);
                const double other = b[i];
                b[i] = b[j];
                b[j] = other;
            }
        } else if (trial % 7 == 0) {
            a[pv_i_rng_below(&rng, n)] = 0;
        } else if (trial % 11 == 0) {
            a[pv_i_rng_below(&rng, n)] = 0;
            b[pv_i_rng_below(&rng, n)] = 0;
        }
        assert_volumes(a, b, n);
    }
}

static void test_values_below_zero_have_no_volume(void **state)
{
    (void)state;
    const double good[] = {1, 2, 3}, bad[] = {1, -2, 3}, zero[] = {1, 0, 3};
    const double *const pairs[][2] = {{good, bad}, {bad, good}, {bad, bad}, {zero, bad}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const pv_duel d = fight(pairs[i][0], pairs[i][1], 3);
        assert_true(isinf(d.first[PV_INDEX_HV]) && isinf(d.second[PV_INDEX_HV]));
        assert_int_equal(d.winner[PV_INDEX_HV], PV_NOBODY_WINS);
    }
}

static void test_volumes_of_extreme_values(void **state)
{
    (void)state;
    const double a[] = {1e308, 1e300, 5e-324, 1e-310}, b[] = {1e-308, 1e-300, 1, 1};
    const double log_a = log(1e308) + log(1e300) + log(5e-324) + log(1e-310);
    const double log_b = log(1e-308) + log(1e-300);
    const pv_duel d = fight(a, b, 4);
    assert_near(d.first[PV_INDEX_HV], log_a);
    assert_near(d.second[PV_INDEX_HV], log_b);
    assert_int_equal(d.winner[PV_INDEX_HV], log_a > log_b ? PV_FIRST_WINS : PV_SECOND_WINS);
}

/* --------------------------------------------------------------------- ties */

static void test_rounding_decides_nothing(void **state)
{
    (void)state;
    const double a[] = {0.1 + 0.2 + 0.3, 1}, b[] = {0.3 + 0.2 + 0.1, 1};
    const double c[] = {.3, .2, .5}, e[] = {.1, .3, .6};
    assert_true(a[0] > b[0] || a[0] < b[0]);
    const pv_duel same = fight(a, b, 2);
    assert_int_equal(same.dominance, PV_DOMINANCE_EQUAL);
    for (size_t i = 0; i < PV_INDEX_COUNT; i++) {
        assert_int_equal(same.winner[i], PV_NOBODY_WINS);
    }
    assert_int_equal(fight(c, e, 3).winner[PV_INDEX_SPR], PV_NOBODY_WINS);
}

static void test_tolerance_of_rank(void **state)
{
    (void)state;
    const double a[] = {3, 5}, b[] = {5, 4};
    pv_duel d = fight(a, b, 2);
    assert_index(&d, PV_INDEX_SPR, 1, 2);
    assert_near(d.first[PV_INDEX_RANK], 2);
    assert_near(d.second[PV_INDEX_RANK], 1);
    assert_int_equal(d.winner[PV_INDEX_RANK], PV_SECOND_WINS);
    pv_duel_fight(a, b, 2, NULL, NULL, 0.99, &d);
    assert_int_equal(d.winner[PV_INDEX_RANK], PV_SECOND_WINS);
    pv_duel_fight(a, b, 2, NULL, NULL, 1, &d);
    assert_int_equal(d.winner[PV_INDEX_RANK], PV_NOBODY_WINS);
}

static void test_nobody(void **state)
{
    (void)state;
    const pv_duel d = fight(NULL, NULL, 0);
    assert_int_equal(d.dominance, PV_DOMINANCE_EQUAL);
    for (size_t i = 0; i < PV_INDEX_HV; i++) {
        assert_near(d.first[i], 0);
        assert_int_equal(d.winner[i], PV_NOBODY_WINS);
    }
    assert_int_equal(d.winner[PV_INDEX_HV], PV_NOBODY_WINS);
}

/* ---------------------------------------------------------------- large ones */

/* What one half gains the other loses: all indices tie. Then one person decides. */
static void test_one_among_many(void **state)
{
    enum { N = 300000 };
    (void)state;
    double *const a = malloc(N * sizeof *a), *const b = malloc(N * sizeof *b);
    for (uint64_t i = 0; i < N; i++) {
        const double low = 1 + (double)(i % 1000), high = low * 1.1 + .3;
        a[i] = i < N / 2 ? low : high;
        b[i] = i < N / 2 ? high : low;
    }
    pv_duel d = fight(a, b, N);
    for (size_t i = 0; i < PV_INDEX_COUNT; i++) {
        assert_true(isfinite(d.first[i]) && isfinite(d.second[i]));
        assert_int_equal(d.winner[i], PV_NOBODY_WINS);
    }
    a[N / 3] += .001;
    d = fight(a, b, N);
    assert_int_equal(d.winner[PV_INDEX_COV], PV_NOBODY_WINS);
    assert_int_equal(d.winner[PV_INDEX_SPR], PV_FIRST_WINS);
    assert_int_equal(d.winner[PV_INDEX_RANK], PV_FIRST_WINS);
    assert_int_equal(d.winner[PV_INDEX_HV], PV_FIRST_WINS);
    free(a);
    free(b);
}

/* Logarithms one by one, in long double. */
static void assert_long_volumes(const pv_duel *d, const double *a, const double *b, uint64_t n)
{
    long double first = 0, second = 0, common = 0;
    for (uint64_t i = 0; i < n; i++) {
        first += logl((long double)a[i]);
        second += logl((long double)b[i]);
        common += logl((long double)fmin(a[i], b[i]));
    }
    const long double expected[] = {first + log1pl(-expl(common - first)),
                                    second + log1pl(-expl(common - second))};
    assert_near(d->first[PV_INDEX_HV], (double)expected[0]);
    assert_near(d->second[PV_INDEX_HV], (double)expected[1]);
    assert_int_equal(d->winner[PV_INDEX_HV], first > second ? PV_FIRST_WINS : PV_SECOND_WINS);
}

/* Around lengths where something may change inside; the last ones have a value that is hardly
 * above 0. */
static void test_all_lengths(void **state)
{
    enum { N = 1100 };
    (void)state;
    static double a[N], b[N];
    pv_rng rng;
    pv_i_rng_init(&rng, 5);
    for (uint64_t n = 20; n < N; n += n < 500 || (n > 515 && n < 1020) ? 37 : 1) {
        double spread[2] = {0};
        uint64_t better[2] = {0};
        for (uint64_t i = 0; i < n; i++) {
            a[i] = 1 + (double)pv_i_rng_below(&rng, 1000);
            b[i] = 1 + (double)pv_i_rng_below(&rng, 1000);
        }
        a[n - 1] = n % 3 ? a[n - 1] : 0x1p-1060;
        for (uint64_t i = 0; i < n; i++) {
            better[0] += a[i] > b[i];
            better[1] += b[i] > a[i];
            spread[0] += fmax(a[i] - b[i], 0);
            spread[1] += fmax(b[i] - a[i], 0);
        }
        const pv_duel d = fight(a, b, n);
        assert_int_equal(d.first_better, better[0]);
        assert_int_equal(d.second_better, better[1]);
        assert_index(&d, PV_INDEX_SPR, spread[0], spread[1]);
        assert_long_volumes(&d, a, b, n);
    }
}

static void test_values_too_large_to_square(void **state)
{
    (void)state;
    const double a[] = {1e200, 1e200, 1}, b[] = {1, 1, 2};
    const pv_duel d = fight(a, b, 3);
    assert_near(d.first[PV_INDEX_RANK], 1);
    assert_true(isinf(d.second[PV_INDEX_RANK]));
    assert_index(&d, PV_INDEX_SPR, 2e200, 1);
}

/* -------------------------------------------------------------------- names */

static void test_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < PV_INDEX_COUNT; i++) {
        pv_index index = PV_INDEX_COUNT;
        assert_true(pv_index_parse(pv_index_name((pv_index)i), &index));
        assert_int_equal(index, i);
        assert_true(strlen(pv_index_summary(index)) > 10);
    }
    pv_index untouched = PV_INDEX_SPR;
    assert_false(pv_index_parse("coverage", &untouched));
    assert_int_equal(untouched, PV_INDEX_SPR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_class_sizes_of_the_paper),
        cmocka_unit_test(test_utilities_of_the_paper),
        cmocka_unit_test(test_examples_of_the_paper),
        cmocka_unit_test(test_dominance),
        cmocka_unit_test(test_turned_round),
        cmocka_unit_test(test_against_definitions),
        cmocka_unit_test(test_several_people),
        cmocka_unit_test(test_volumes_against_integers),
        cmocka_unit_test(test_values_below_zero_have_no_volume),
        cmocka_unit_test(test_volumes_of_extreme_values),
        cmocka_unit_test(test_rounding_decides_nothing),
        cmocka_unit_test(test_tolerance_of_rank),
        cmocka_unit_test(test_nobody),
        cmocka_unit_test(test_one_among_many),
        cmocka_unit_test(test_all_lengths),
        cmocka_unit_test(test_values_too_large_to_square),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
