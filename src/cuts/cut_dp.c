/* The best partition of one attribute. */
#include "cuts/cut_dp.h"

#include <math.h>
#include <string.h>

/* ------------------------------------------------------------------ prices */

/* Costs of all rows together stay below 2^62. */
#define MOST_BITS 62

void pv_i_cut_prices_weigh(pv_cut_prices *prices, const pv_cut_space *space, const double *weights)
{
    int row_bits = 0;
    while (row_bits < 64 && space->n_rows >> row_bits != 0) {
        row_bits++;
    }
    uint64_t one = 0;
    *prices = (pv_cut_prices){0};
    for (size_t a = 0; a < space->n_axes && a < PV_MOST_CUT_AXES; a++) {
        const pv_cut_axis *const axis = &space->axes[a];
        const double others = axis->n > 1 ? axis->n - 1.0 : 1.0;
        prices->unit[a] = (uint64_t)llround(ldexp(weights[a] / others, MOST_BITS - row_bits));
        one += prices->unit[a] * (uint64_t)others * space->n_rows;
    }
    /* Summed from the rounded units, if the weights do sum to 1: then what loses everything loses
     * exactly 1. */
    const double whole = ldexp((double)space->n_rows, MOST_BITS - row_bits);
    prices->one = fabs((double)one - whole) < 1e-6 * whole ? (double)one : whole;
}

void pv_i_cut_prices_init(pv_cut_prices *prices, const pv_cut_space *space)
{
    double weights[PV_MOST_CUT_AXES] = {0};
    for (size_t a = 0; a < space->n_axes && a < PV_MOST_CUT_AXES; a++) {
        weights[a] = space->axes[a].weight;
    }
    pv_i_cut_prices_weigh(prices, space, weights);
}

double pv_i_cut_nwp(const pv_cut_prices *prices, uint64_t cost)
{
    return (double)cost / prices->one;
}

static uint64_t group_cost(const pv_cut_axis *axis, uint64_t unit, uint32_t first, uint32_t last)
{
    return unit * pv_i_cut_rows(axis, first, last) * (last - first);
}

uint64_t pv_i_cut_cost(const pv_cut_space *space, const pv_cut_prices *prices, const uint8_t *cuts)
{
    uint64_t cost = 0;
    for (size_t a = 0; a < space->n_axes; a++) {
        const pv_cut_axis *const axis = &space->axes[a];
        uint32_t first = 0;
        for (uint32_t v = 0; v < axis->n; v++) {
            if (v + 1 == axis->n || cuts[axis->first_bit + v] != 0) {
                cost += group_cost(axis, prices->unit[a], first, v);
                first = v + 1;
            }
        }
    }
    return cost;
}

/* -------------------------------------------------------------------- path */

static uint8_t state_of(const pv_cut_path *path, uint32_t cut)
{
    return path->state != NULL ? path->state[cut] : PV_CUT_FREE;
}

/* May a group end before value `v`, or begin with it? */
static bool is_border(const pv_cut_path *path, uint32_t v)
{
    return v == 0 || v == path->axis->n || state_of(path, v - 1) != PV_CUT_FORBIDDEN;
}

static uint64_t sum(uint64_t a, uint64_t b)
{
    return a == PV_CUT_IMPOSSIBLE || b == PV_CUT_IMPOSSIBLE ? PV_CUT_IMPOSSIBLE : a + b;
}

/* Calls for every interval first..last that may be a group; forced cuts end the search for longer
 * ones. */
#define FOR_EACH_LAST(path, first, last)                                                     \
    for (uint32_t last = (first), go = is_border(path, first); go && last < (path)->axis->n; \
         go = last + 1 < (path)->axis->n && state_of(path, last) != PV_CUT_FORCED, last++)

static bool may_be_group(const pv_cut_path *path, uint32_t first, uint32_t last)
{
    return is_border(path, last + 1) && !path->banned[(size_t)first * path->axis->n + last];
}

/* after[v]: the least cost of the values from v on. */
static void fill_after(const pv_cut_path *path, uint64_t *after)
{
    const uint32_t n = path->axis->n;
    after[n] = 0;
    for (uint32_t first = n; first-- > 0;) {
        after[first] = PV_CUT_IMPOSSIBLE;
        FOR_EACH_LAST(path, first, last)
        {
            if (may_be_group(path, first, last)) {
                const uint64_t cost =
                    sum(group_cost(path->axis, path->unit, first, last), after[last + 1]);
                after[first] = cost < after[first] ? cost : after[first];
            }
        }
    }
}

static void fill_before(const pv_cut_path *path, uint64_t *before)
{
    const uint32_t n = path->axis->n;
    before[0] = 0;
    for (uint32_t v = 1; v <= n; v++) {
        before[v] = PV_CUT_IMPOSSIBLE;
    }
    for (uint32_t first = 0; first < n; first++) {
        FOR_EACH_LAST(path, first, last)
        {
            if (before[first] != PV_CUT_IMPOSSIBLE && may_be_group(path, first, last)) {
                const uint64_t cost =
                    before[first] + group_cost(path->axis, path->unit, first, last);
                before[last + 1] = cost < before[last + 1] ? cost : before[last + 1];
            }
        }
    }
}

/* Walks along a shortest path. */
static void trace(const pv_cut_path *path, const uint64_t *after, uint8_t *cuts)
{
    const uint32_t n = path->axis->n;
    memset(cuts, 0, n - 1);
    for (uint32_t first = 0; first < n;) {
        uint32_t end = n;
        FOR_EACH_LAST(path, first, last)
        {
            if (may_be_group(path, first, last) &&
                sum(group_cost(path->axis, path->unit, first, last), after[last + 1]) ==
                    after[first]) {
                end = last + 1;
                break;
            }
        }
        if (end < n) {
            cuts[end - 1] = 1;
        }
        first = end;
    }
}

/* Without a cut some group spans its place: of all such the one on the cheapest path. For a fixed
 * first value, going down from the last one, the best so far spans every place still below. */
static void fill_excluded(const pv_cut_path *path, const uint64_t *before, const uint64_t *after,
                          uint64_t *excluded)
{
    const uint32_t n = path->axis->n;
    for (uint32_t i = 0; i + 1 < n; i++) {
        excluded[i] = PV_CUT_IMPOSSIBLE;
    }
    for (uint32_t first = 0; first < n; first++) {
        uint32_t longest = first;
        FOR_EACH_LAST(path, first, last)
        {
            longest = last;
        }
        uint64_t best = PV_CUT_IMPOSSIBLE;
        for (uint32_t last = longest; last > first && is_border(path, first); last--) {
            if (may_be_group(path, first, last)) {
                const uint64_t cost =
                    sum(sum(before[first], group_cost(path->axis, path->unit, first, last)),
                        after[last + 1]);
                best = cost < best ? cost : best;
            }
            excluded[last - 1] = best < excluded[last - 1] ? best : excluded[last - 1];
        }
    }
}

uint64_t pv_i_cut_best_path(const pv_cut_path *path, uint8_t *cuts, uint64_t *included,
                            uint64_t *excluded, uint64_t *room)
{
    const uint32_t n = path->axis->n;
    uint64_t *const after = room;
    uint64_t *const before = room + n + 1;
    fill_after(path, after);
    if (after[0] == PV_CUT_IMPOSSIBLE) {
        return PV_CUT_IMPOSSIBLE;
    }
    trace(path, after, cuts);
    if (included != NULL) {
        fill_before(path, before);
        for (uint32_t i = 0; i + 1 < n; i++) {
            included[i] = sum(before[i + 1], after[i + 1]);
        }
        fill_excluded(path, before, after, excluded);
    }
    return after[0];
}
