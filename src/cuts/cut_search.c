/* What the searches over cuts share: which scheme is better, what came of a search, and how a
 * scheme is made to respect the taxonomies.
 *
 * Of the schemes that keep the constraint, those stay that no other equals in value with more k, or
 * in k with less value. By ascending k their values ascend, too:
 *
 *     value |            o           A newcomer is compared with the first that has at least its
 *           |       o                k: if that one is no worse, it is not needed. Otherwise it
 *           |    o                   goes before it, and replaces those just before it whose
 *           | o                      value is no less.
 *           +-------------- k
 */
#include "cuts/cut_search.h"

#include "base/checked.h"
#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

/* ------------------------------------------------------------------ better */

static uint64_t value_of(const pv_cut_run *run, const pv_cut_goal *goal, uint32_t id)
{
    const pv_cut_outcome *const outcome = pv_i_cut_run_outcome(run, id);
    return pv_i_cut_value(goal, run->prices, outcome->cost, outcome->bias);
}

/* Bias and loss: how far from a wish a scheme is in both together, but for a constant. */
static double deviation_of(const pv_cut_run *run, uint32_t id)
{
    const pv_cut_outcome *const outcome = pv_i_cut_run_outcome(run, id);
    return outcome->bias + pv_i_cut_nwp(run->prices, outcome->cost);
}

bool pv_i_cut_is_better(const pv_cut_run *run, const pv_cut_goal *goal, uint32_t a, uint32_t b)
{
    const uint64_t value_a = value_of(run, goal, a);
    const uint64_t value_b = value_of(run, goal, b);
    if (value_a != value_b) {
        return value_a < value_b;
    }
    const double deviation_a = deviation_of(run, a);
    const double deviation_b = deviation_of(run, b);
    if (deviation_a < deviation_b || deviation_a > deviation_b) {
        return deviation_a < deviation_b;
    }
    return pv_i_cut_run_outcome(run, a)->sizes.smallest >
           pv_i_cut_run_outcome(run, b)->sizes.smallest;
}

/* ------------------------------------------------------------------- front */

typedef struct {
    uint64_t k, value;
    double deviation;
    uint32_t id;
} point;

typedef struct {
    const pv_cut_run *run;
    const pv_cut_goal *goal;
    point *points; /* k and value ascend */
    size_t n, capacity;
    uint64_t least; /* value of all that were looked at */
} collection;

/* The first point with at least this k. */
static size_t place_of(const collection *c, uint64_t k)
{
    size_t low = 0;
    size_t high = c->n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (c->points[middle].k < k) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Puts a point in the place of those from `first` to before `end`. */
static bool put(collection *c, size_t first, size_t end, const point *newcomer)
{
    if (!pv_i_reserve((void **)&c->points, &c->capacity, c->n + 1, sizeof *c->points)) {
        return false;
    }
    memmove(c->points + first + 1, c->points + end, (c->n - end) * sizeof *c->points);
    c->points[first] = *newcomer;
    c->n = c->n + 1 - (end - first);
    return true;
}

static bool is_needed(const point *newcomer, const point *old)
{
    if (newcomer->k == old->k && newcomer->value == old->value) {
        const bool nearer = newcomer->deviation < old->deviation;
        const bool farther = newcomer->deviation > old->deviation;
        return nearer || (!farther && newcomer->id < old->id);
    }
    return newcomer->value < old->value;
}

static bool offer(collection *c, const point *newcomer)
{
    const size_t place = place_of(c, newcomer->k);
    if (place < c->n && !is_needed(newcomer, &c->points[place])) {
        return true;
    }
    const size_t end = place + (place < c->n && c->points[place].k == newcomer->k);
    size_t first = place;
    while (first > 0 && c->points[first - 1].value >= newcomer->value) {
        first--;
    }
    return put(c, first, end, newcomer);
}

static bool look_at(collection *c, uint32_t id)
{
    const pv_cut_outcome *const outcome = pv_i_cut_run_outcome(c->run, id);
    if (!pv_i_cut_is_feasible(c->goal, outcome)) {
        return true;
    }
    const uint64_t value = value_of(c->run, c->goal, id);
    c->least = value < c->least ? value : c->least;
    return offer(c, &(point){.k = outcome->sizes.smallest,
                             .value = value,
                             .deviation = deviation_of(c->run, id),
                             .id = id});
}

/* -------------------------------------------------------------------- best */

/* Deviations closer than this are equal. */
#define DEVIATION_TIE 1e-12

static bool is_tied(const collection *c, uint32_t id)
{
    return pv_i_cut_is_feasible(c->goal, pv_i_cut_run_outcome(c->run, id)) &&
           value_of(c->run, c->goal, id) <=
               c->least + pv_i_cut_tie(c->goal, c->run->prices, c->least);
}

/* Of those of least value, the one with least deviation, then most k; of equals the first known.
 * Compared with the least of all, never pair by pair: being nearly equal is not transitive. */
static uint32_t best_of(const collection *c, const uint32_t *ids, size_t n)
{
    uint32_t best = PV_CUT_NOBODY;
    double least = (double)INFINITY;
    for (size_t i = 0; i < n; i++) {
        const uint32_t id = ids != NULL ? ids[i] : (uint32_t)i;
        if (is_tied(c, id)) {
            least = fmin(least, deviation_of(c->run, id));
        }
    }
    for (size_t i = 0; i < n; i++) {
        const uint32_t id = ids != NULL ? ids[i] : (uint32_t)i;
        if (!is_tied(c, id) || deviation_of(c->run, id) > least + DEVIATION_TIE) {
            continue;
        }
        const uint64_t k = pv_i_cut_run_outcome(c->run, id)->sizes.smallest;
        const uint64_t most =
            best != PV_CUT_NOBODY ? pv_i_cut_run_outcome(c->run, best)->sizes.smallest : 0;
        if (best == PV_CUT_NOBODY || k > most || (k == most && id < best)) {
            best = id;
        }
    }
    return best;
}

/* ------------------------------------------------------------------ result */

static bool hand_over(const collection *c, uint32_t best, pv_cut_result *result)
{
    uint32_t *const front = PV_NEW_ARRAY(uint32_t, c->n);
    if (front == NULL) {
        return false;
    }
    for (size_t i = 0; i < c->n; i++) {
        front[i] = c->points[i].id;
    }
    *result = (pv_cut_result){.best = best, .front = front, .n_front = c->n};
    return true;
}

pv_status pv_i_cut_result_among(const pv_cut_run *run, const pv_cut_goal *goal, const uint32_t *ids,
                                size_t n, pv_cut_result *result, pv_error *error)
{
    collection c = {.run = run, .goal = goal, .least = UINT64_MAX};
    bool ready = true;
    for (size_t i = 0; i < n && ready; i++) {
        ready = look_at(&c, ids != NULL ? ids[i] : (uint32_t)i);
    }
    ready = ready && hand_over(&c, ready ? best_of(&c, ids, n) : PV_CUT_NOBODY, result);
    pv_i_free(c.points);
    return ready ? PV_STATUS_OK : pv_i_no_memory(error);
}

pv_status pv_i_cut_result_of(const pv_cut_run *run, const pv_cut_goal *goal, pv_cut_result *result,
                             pv_error *error)
{
    return pv_i_cut_result_among(run, goal, NULL, run->map.n, result, error);
}

void pv_i_cut_result_deinit(pv_cut_result *result)
{
    pv_i_free(result->front);
    *result = (pv_cut_result){.best = PV_CUT_NOBODY};
}

/* ------------------------------------------------------------------ random */

void pv_i_cut_scatter(size_t n_bits, pv_rng *rng, uint8_t *cuts)
{
    const uint64_t halvings = 1 + pv_i_rng_below(rng, 1 + pv_i_bits_for(n_bits + 1));
    const double density = ldexp(1 + pv_i_rng_unit(rng), -(int)halvings);
    for (size_t i = 0; i < n_bits; i++) {
        cuts[i] = pv_i_rng_unit(rng) < density;
    }
}

/* ---------------------------------------------------------------- taxonomy */

/* The last value of the group that begins with `first`. */
static uint32_t end_of(const pv_cut_axis *axis, const uint8_t *cuts, uint32_t first)
{
    uint32_t last = first;
    while (last + 1 < axis->n && cuts[last] == 0) {
        last++;
    }
    return last;
}

/* The first value of the group that ends with `last`. */
static uint32_t start_of(const uint8_t *cuts, uint32_t last)
{
    uint32_t first = last;
    while (first > 0 && cuts[first - 1] == 0) {
        first--;
    }
    return first;
}

/* Extends a group by whole neighbours to the smallest that is allowed. There is one: of two
 * families around it, what they have in common is a family, too. */
static void widen(const pv_cut_axis *axis, const uint8_t *cuts, uint32_t *first, uint32_t *last)
{
    uint32_t best_first = 0;
    uint32_t best_last = axis->n - 1; /* everything may always be one group */
    for (uint32_t from = *first;; from = start_of(cuts, from - 1)) {
        for (uint32_t to = *last; to < axis->n && to - from < best_last - best_first;
             to = end_of(axis, cuts, to + 1)) {
            if (pv_i_cut_joinable(axis, from, to)) {
                best_first = from;
                best_last = to;
            }
        }
        if (from == 0) {
            break;
        }
    }
    *first = best_first;
    *last = best_last;
}

static void respect_axis(const pv_cut_axis *axis, uint8_t *cuts)
{
    for (uint32_t first = 0; first < axis->n;) {
        uint32_t last = end_of(axis, cuts, first);
        if (!pv_i_cut_joinable(axis, first, last)) {
            widen(axis, cuts, &first, &last);
            memset(cuts + first, 0, last - first);
        }
        first = last + 1;
    }
}

void pv_i_cut_respect(const pv_cut_space *space, uint8_t *cuts)
{
    for (size_t a = 0; a < space->n_axes; a++) {
        if (space->axes[a].respects) {
            respect_axis(&space->axes[a], cuts + space->axes[a].first_bit);
        }
    }
}
