/* The archive against comparing every offer with every other one: few different values, hence many
 * ties; both directions; two to five objectives; any order of the offers. */
#include "support/oracle.h"
#include "support/testing.h"

#include "base/memory.h"
#include "base/rng.h"
#include "front/archive.h"

#include <math.h>

enum { MAX_OBJECTIVES = 5, MAX_OFFERS = 120, N_LEVELS = 3 };

typedef struct {
    double values[MAX_OBJECTIVES];
    uint8_t levels[N_LEVELS];
    uint64_t k, suppressed;
} offer;

typedef struct {
    pv_measure_ref objectives[MAX_OBJECTIVES];
    size_t n_objectives;
    offer offers[MAX_OFFERS];
    size_t n_offers;
} contest;

/* --------------------------------------------------------------- the oracle */

/* 1 if a is better, -1 if b is, 0 if they are equal. */
static int compare_value(const contest *c, size_t objective, double a, double b)
{
    const bool more = c->objectives[objective].measure->direction == PV_MORE_IS_BETTER;
    return more ? (a > b) - (a < b) : (a < b) - (a > b);
}

static bool plain_dominates(const contest *c, const double *a, const double *b)
{
    bool better = false;
    for (size_t o = 0; o < c->n_objectives; o++) {
        const int sign = compare_value(c, o, a[o], b[o]);
        if (sign < 0) {
            return false;
        }
        better |= sign > 0;
    }
    return better;
}

static bool plain_equal(const contest *c, const double *a, const double *b)
{
    for (size_t o = 0; o < c->n_objectives; o++) {
        if (compare_value(c, o, a[o], b[o]) != 0) {
            return false;
        }
    }
    return true;
}

/* Does any of the offers dominate these values? */
static bool plain_rejects(const contest *c, const double *values)
{
    for (size_t i = 0; i < c->n_offers; i++) {
        if (plain_dominates(c, c->offers[i].values, values)) {
            return true;
        }
    }
    return false;
}

/* Is offer i the one that stands for its values? Counts those it stands for. */
static bool plain_represents(const contest *c, size_t i, uint64_t *ties)
{
    *ties = 0;
    for (size_t j = 0; j < c->n_offers; j++) {
        if (j != i && plain_equal(c, c->offers[i].values, c->offers[j].values)) {
            ++*ties;
            if (memcmp(c->offers[j].levels, c->offers[i].levels, N_LEVELS) < 0) {
                return false;
            }
        }
    }
    return true;
}

/* Does a come before b in a front? By the first objective, best last, then by the next ones. */
static bool plain_precedes(const contest *c, const double *a, const double *b)
{
    for (size_t o = 0; o < c->n_objectives; o++) {
        const int sign = compare_value(c, o, a[o], b[o]);
        if (sign != 0) {
            return sign < 0;
        }
    }
    return false;
}

/* ---------------------------------------------------------- random contests */

static const char *const names[] = {"k", "glm", "l-distinct", "cm", "t-closeness", "sum-k", "gini"};

static void random_contest(pv_rng *rng, contest *c)
{
    const uint64_t n_values = 1 + pv_i_rng_below(rng, 9);
    const size_t first = (size_t)pv_i_rng_below(rng, 7);
    c->n_objectives = 2 + (size_t)pv_i_rng_below(rng, MAX_OBJECTIVES - 1);
    for (size_t o = 0; o < c->n_objectives; o++) {
        c->objectives[o] = (pv_measure_ref){.measure = pv_measure_find(names[(first + o) % 7])};
        assert_non_null(c->objectives[o].measure);
    }
    c->n_offers = (size_t)pv_i_rng_below(rng, MAX_OFFERS + 1);
    for (size_t i = 0; i < c->n_offers; i++) {
        offer *const f = &c->offers[i];
        for (size_t o = 0; o < c->n_objectives; o++) {
            f->values[o] = (double)pv_i_rng_below(rng, n_values) / 4;
        }
        f->levels[0] = (uint8_t)(i * 53 % 127 / 30); /* all different, in no order */
        f->levels[1] = (uint8_t)(i * 53 % 127 / 5 % 6);
        f->levels[2] = (uint8_t)(i * 53 % 127 % 5);
        f->k = 1 + i;
        f->suppressed = 1000 + 3 * i;
    }
}

static void shuffle(pv_rng *rng, size_t *order, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const size_t j = (size_t)pv_i_rng_below(rng, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
}

static void offer_all(pv_archive *archive, const contest *c, const size_t *order, size_t from,
                      size_t to)
{
    for (size_t i = from; i < to; i++) {
        const offer *const f = &c->offers[order[i]];
        assert_true(pv_i_archive_offer(archive, f->values, f->levels, f->k, f->suppressed));
    }
}

/* ----------------------------------------------------------------- comparing */

static const pv_point *find_point(const pv_front *front, const uint8_t *levels)
{
    for (size_t i = 0; i < front->n_points; i++) {
        if (memcmp(front->points[i].levels, levels, N_LEVELS) == 0) {
            return &front->points[i];
        }
    }
    return NULL;
}

static void expect_point(const contest *c, const offer *f, uint64_t ties, const pv_point *point)
{
    assert_non_null(point);
    assert_int_equal(point->k, f->k);
    assert_int_equal(point->suppressed, f->suppressed);
    assert_int_equal(point->ties, ties);
    for (size_t o = 0; o < c->n_objectives; o++) {
        assert_true(point->values[o] == f->values[o]);
        assert_false(signbit(point->values[o])); /* nobody wants to read -0 */
    }
}

static void expect_front(const contest *c, const pv_front *front)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n_offers; i++) {
        uint64_t ties;
        const bool stays = plain_represents(c, i, &ties) && !plain_rejects(c, c->offers[i].values);
        const pv_point *const point = find_point(front, c->offers[i].levels);
        assert_int_equal(stays, point != NULL);
        if (stays) {
            expect_point(c, &c->offers[i], ties, point);
            n++;
        }
    }
    assert_int_equal(front->n_points, n);
    for (size_t i = 1; i < front->n_points; i++) {
        assert_true(plain_precedes(c, front->points[i - 1].values, front->points[i].values));
    }
}

static void expect_archive(const contest *c, const pv_archive *archive)
{
    pv_front *const front = PV_NEW(pv_front);
    pv_error error = {0};
    assert_non_null(front);
    assert_int_equal(pv_i_archive_points(archive, front, &error), PV_STATUS_OK);
    expect_front(c, front);
    pv_front_free(front);
}

static void expect_rejections(pv_rng *rng, const contest *c, const pv_archive *archive)
{
    for (size_t i = 0; i < 60; i++) {
        double values[MAX_OBJECTIVES];
        for (size_t o = 0; o < c->n_objectives; o++) {
            values[o] = (double)pv_i_rng_below(rng, 20) / 8 - 0.125;
        }
        assert_int_equal(pv_i_archive_rejects(archive, values), plain_rejects(c, values));
    }
    for (size_t i = 0; i < c->n_offers; i++) {
        const double *const values = c->offers[i].values;
        assert_int_equal(pv_i_archive_rejects(archive, values), plain_rejects(c, values));
    }
}

/* --------------------------------------------------------------------- tests */

static void any_order_gives_the_front(void **state)
{
    contest *const c = oracle_array(1, sizeof *c);
    size_t order[MAX_OFFERS];
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 21);
    for (size_t i = 0; i < 400; i++) {
        random_contest(&rng, c);
        for (size_t again = 0; again < 3; again++) {
            pv_archive archive;
            shuffle(&rng, order, c->n_offers);
            pv_i_archive_init(&archive, c->objectives, c->n_objectives, N_LEVELS, NULL);
            offer_all(&archive, c, order, 0, c->n_offers);
            expect_archive(c, &archive);
            expect_rejections(&rng, c, &archive);
            pv_i_archive_deinit(&archive);
        }
    }
    free(c);
}

/* Offered here and there, then brought together: the same as offered to one. */
static void merging_is_offering(void **state)
{
    enum { N_PARTS = 3 };
    contest *const c = oracle_array(1, sizeof *c);
    size_t order[MAX_OFFERS];
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 22);
    for (size_t i = 0; i < 400; i++) {
        pv_archive parts[N_PARTS];
        random_contest(&rng, c);
        shuffle(&rng, order, c->n_offers);
        for (size_t p = 0; p < N_PARTS; p++) {
            pv_i_archive_init(&parts[p], c->objectives, c->n_objectives, N_LEVELS, NULL);
            offer_all(&parts[p], c, order, c->n_offers * p / N_PARTS,
                      c->n_offers * (p + 1) / N_PARTS);
        }
        for (size_t p = 1; p < N_PARTS; p++) {
            assert_true(pv_i_archive_merge(&parts[0], &parts[p]));
        }
        expect_archive(c, &parts[0]);
        expect_rejections(&rng, c, &parts[0]);
        for (size_t p = 0; p < N_PARTS; p++) {
            pv_i_archive_deinit(&parts[p]);
        }
    }
    free(c);
}

/* At every moment it is the front of what was offered so far. */
static void it_is_a_front_all_the_time(void **state)
{
    contest *const c = oracle_array(1, sizeof *c);
    size_t order[MAX_OFFERS];
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 23);
    for (size_t i = 0; i < 40; i++) {
        pv_archive archive;
        random_contest(&rng, c);
        const size_t n_offers = c->n_offers;
        for (size_t j = 0; j < n_offers; j++) {
            order[j] = j;
        }
        pv_i_archive_init(&archive, c->objectives, c->n_objectives, N_LEVELS, NULL);
        for (c->n_offers = 0; c->n_offers < n_offers; c->n_offers++) {
            expect_archive(c, &archive);
            offer_all(&archive, c, order, c->n_offers, c->n_offers + 1);
        }
        pv_i_archive_deinit(&archive);
    }
    free(c);
}

/* 0.3 and 0.1 + 0.2 are one value, that of the first scheme; whole numbers are exact however large.
 */
static void last_digits_do_not_count(void **state)
{
    const pv_measure_ref objectives[] = {{.measure = pv_measure_find("sum-k")},
                                         {.measure = pv_measure_find("glm")}};
    const double large = 1125899906842624; /* 2^50 */
    const double third = 0.1 + 0.2;
    const offer offers[] = {{.values = {large, third}, .levels = {1}, .k = 1},
                            {.values = {large, 0.3}, .levels = {0}, .k = 2},
                            {.values = {large, third}, .levels = {2}, .k = 3},
                            {.values = {large + 1, 0.4}, .levels = {3}, .k = 4}};
    (void)state;
    assert_true(third > 0.3);
    for (size_t first = 0; first < 4; first++) {
        pv_archive archive;
        pv_front *const front = PV_NEW(pv_front);
        pv_i_archive_init(&archive, objectives, 2, N_LEVELS, NULL);
        for (size_t i = 0; i < 4; i++) {
            const offer *const f = &offers[(first + i) % 4];
            assert_true(pv_i_archive_offer(&archive, f->values, f->levels, f->k, 0));
        }
        assert_false(pv_i_archive_rejects(&archive, offers[0].values));
        assert_true(pv_i_archive_rejects(&archive, (const double[]){large, 0.3 + 1e-9}));
        assert_int_equal(pv_i_archive_points(&archive, front, NULL), PV_STATUS_OK);
        assert_int_equal(front->n_points, 2);
        assert_int_equal(front->points[0].k, 2);
        assert_int_equal(front->points[0].ties, 2);
        assert_true(front->points[0].values[1] == 0.3);
        assert_true(front->points[1].values[0] == large + 1);
        pv_front_free(front);
        pv_i_archive_deinit(&archive);
    }
}

static void an_empty_archive_rejects_nothing(void **state)
{
    const pv_measure_ref objectives[] = {{.measure = pv_measure_find("k")},
                                         {.measure = pv_measure_find("glm")}};
    const double values[] = {0, 1e300};
    pv_archive archive;
    pv_front *const front = PV_NEW(pv_front);
    (void)state;
    pv_i_archive_init(&archive, objectives, 2, N_LEVELS, NULL);
    assert_false(pv_i_archive_rejects(&archive, values));
    assert_int_equal(pv_i_archive_points(&archive, front, NULL), PV_STATUS_OK);
    assert_int_equal(front->n_points, 0);
    pv_front_free(front);
    pv_i_archive_deinit(&archive);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_order_gives_the_front),
        cmocka_unit_test(merging_is_offering),
        cmocka_unit_test(it_is_a_front_all_the_time),
        cmocka_unit_test(last_digits_do_not_count),
        cmocka_unit_test(an_empty_archive_rejects_nothing),
    };
    return cmocka_run_group_tests_name("archive", tests, NULL, NULL);
}
