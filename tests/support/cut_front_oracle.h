/* The front of k and nwp over cuts by looking at every scheme, and what must hold of any front that
 * a search hands over. */
#ifndef PV_TESTS_CUT_FRONT_ORACLE_H
#define PV_TESTS_CUT_FRONT_ORACLE_H

#include "scheme/cuts.h"
#include "support/cut_trial.h"

#include "front/front.h"

#include <paravent/search.h>

enum { CUT_FRONT_BITS = 32 };

typedef struct cut_front_oracle {
    cut_trial trial;
    const pv_profile *profile;
    cut_oracle_outcome *all; /* what comes of every scheme */
    size_t n_all;
} cut_front_oracle;

static inline void cut_front_oracle_init(cut_front_oracle *o, const pv_study *study,
                                         const pv_profile *profile, bool respects)
{
    *o = (cut_front_oracle){.profile = profile};
    cut_trial_init(&o->trial, study, profile, respects);
    assert_true(o->trial.space.n_bits <= CUT_FRONT_BITS);
    o->all = cut_oracle_all(&o->trial.oracle, o->trial.prices.unit, respects, &o->n_all);
}

static inline void cut_front_oracle_deinit(cut_front_oracle *o)
{
    free(o->all);
    cut_trial_deinit(&o->trial);
}

/* The least cost with at least this k; UINT64_MAX if nothing has it. */
static inline uint64_t cut_front_least(const cut_front_oracle *o, uint64_t k)
{
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < o->n_all; i++) {
        least = o->all[i].smallest >= k && o->all[i].cost < least ? o->all[i].cost : least;
    }
    return least;
}

static inline double cut_front_nwp(const cut_front_oracle *o, uint64_t cost)
{
    return pv_i_cut_nwp(&o->trial.prices, cost);
}

/* ------------------------------------------------------------------ points */

/* The cuts of a point make exactly what it says, and are allowed. */
static inline void cut_front_expect_true(const cut_front_oracle *o, const pv_point *point)
{
    const cut_trial *const t = &o->trial;
    uint8_t bits[CUT_FRONT_BITS];
    pv_error error = {0};
    bound_must(pv_i_cuts_to_bits(&t->space, t->oracle.study, point->cuts, bits, &error), &error);
    const cut_oracle_sizes sizes = cut_oracle_count(&t->oracle, bits);
    assert_int_equal(point->k, sizes.smallest);
    assert_true(point->values[0] == (double)sizes.smallest);
    assert_true(point->values[1] ==
                cut_front_nwp(o, cut_oracle_cost(&t->oracle, t->prices.unit, bits)));
    assert_true(!t->respects || cut_oracle_respects(&t->oracle, bits));
    assert_null(point->levels);
    assert_int_equal(point->suppressed, 0);
}

/* What it claims to be proven is true. */
static inline void cut_front_expect_bound(const cut_front_oracle *o, const pv_front *front,
                                          size_t point)
{
    const pv_point *const p = &front->points[point];
    const double least = cut_front_nwp(o, cut_front_least(o, p->k));
    assert_true(p->bound >= 0 && p->bound <= least && least <= p->values[1]);
    assert_true((pv_front_gap(front, point) <= 0) == (p->bound >= p->values[1]));
}

/* Of any front, however it was stopped. */
static inline void cut_front_expect_sound(const cut_front_oracle *o, const pv_front *front)
{
    assert_true(pv_front_has_cuts(front));
    assert_int_equal(front->n_levels, 0);
    assert_int_equal(front->n_cuts, front->n_points);
    assert_int_equal(front->n_objectives, 2);
    assert_string_equal(front->objectives[0].measure->name, "k");
    assert_string_equal(front->objectives[1].measure->name, "nwp");
    assert_true(front->nodes == (double)o->n_all);
    for (size_t i = 0; i < front->n_points; i++) {
        cut_front_expect_true(o, &front->points[i]);
        cut_front_expect_bound(o, front, i);
        if (i > 0) {
            assert_true(front->points[i].k > front->points[i - 1].k);
            assert_true(front->points[i].values[1] > front->points[i - 1].values[1]);
            assert_true(front->points[i].bound >= front->points[i - 1].bound);
        }
    }
}

/* Is it the whole front from a k on? Of points with the same nwp only the last is one. */
static inline bool cut_front_is_whole(const cut_front_oracle *o, const pv_front *front,
                                      uint64_t least_k)
{
    size_t point = 0;
    for (uint64_t k = least_k; k <= o->trial.oracle.n_rows; point++) {
        const double least = cut_front_nwp(o, cut_front_least(o, k));
        if (point == front->n_points || front->points[point].values[1] != least) {
            return false;
        }
        k = front->points[point].k + 1;
        if (k <= o->trial.oracle.n_rows && cut_front_nwp(o, cut_front_least(o, k)) <= least) {
            return false;
        }
    }
    return point == front->n_points;
}

#endif
