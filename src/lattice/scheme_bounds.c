/* Bounds on every scheme of a lattice, how they spread; and bounds from a sample of schemes.
 *
 * Of an objective that never gets worse upward, an evaluated scheme x bounds two cones:
 *
 *           \  /           all schemes above x are at least as good:  `least` is raised
 *            \/
 *     -------x-------
 *            /\
 *           /  \           all schemes below x are at most as good:   `best` is lowered
 *
 * Each array is monotone at all times: `best` of a scheme is never below that of a scheme under it.
 * So a new value is spread from x outward only as far as it changes something; where it does not,
 * nothing further on would change either.
 *
 * Bounds are floats, rounded to the side on which they stay true: half the memory, and the searches
 * are bound by it. */
#include "lattice/scheme_bounds.h"

#include "base/bitset.h"
#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

/* Measures that are no whole numbers may differ in their last digits along the lattice, because
 * sums are added up in another order. */
#define WIDENING 1e-9

/* The nearest float that is no less, or no more. */
static float rounded(double value, bool up)
{
    const float nearest = (float)value;
    if (up && (double)nearest < value) {
        return nextafterf(nearest, INFINITY);
    }
    if (!up && (double)nearest > value) {
        return nextafterf(nearest, -INFINITY);
    }
    return nearest;
}

/* Whole numbers (k, counts) are exact and stay as they are. */
static double widened(double value, bool up)
{
    const bool whole = floor(value) >= value;
    const double margin = whole ? 0 : fabs(value) * WIDENING;
    return up ? value + margin : value - margin;
}

/* ----------------------------------------------------------------- spread */

/* In a large lattice, spreading each bound as it is would lower the same millions of nodes again
 * and again. There bounds are spread in steps of this factor; what settles a node at once, a value
 * no longer worth having, is spread as it is. */
#define STEP 1.5
#define LARGE UINT64_C(1000000)

typedef struct {
    float *values;
    float value;
    bool upward;
    bool lifts; /* keep the larger, otherwise the smaller */
} spreading;

static bool improves(const spreading *s, uint64_t node)
{
    return s->lifts ? s->values[node] < s->value : s->values[node] > s->value;
}

/* Gives the value to everything beyond `node` that it improves. Every scheme of the box below (or
 * above) a node has one way to it: along the axes in their order. So each is looked at once, from
 * the one before it, and mostly next to it in memory. Bounds are monotone: where the value improves
 * nothing, it improves nothing further on either. */
static void spread_along(pv_scheme_bounds *b, const spreading *s, uint64_t node, size_t first)
{
    const pv_lattice *const lattice = &b->run->lattice;
    s->values[node] = s->value;
    b->touched++;
    for (size_t axis = first; axis < lattice->n_axes; axis++) {
        const uint8_t level = b->levels[axis];
        if (level == (s->upward ? lattice->heights[axis] : 0)) {
            continue;
        }
        const uint64_t stride = lattice->strides[axis];
        const uint64_t next = s->upward ? node + stride : node - stride;
        if (improves(s, next)) {
            b->levels[axis] = (uint8_t)(s->upward ? level + 1 : level - 1);
            spread_along(b, s, next, axis);
            b->levels[axis] = level;
        }
    }
}

static void spread(pv_scheme_bounds *b, uint64_t start, const spreading *s)
{
    if (improves(s, start)) {
        pv_i_lattice_levels(&b->run->lattice, start, b->levels);
        spread_along(b, s, start, 0);
    }
}

/* The next step at or above a positive value, or at or below it; other values as they are. A bound
 * rounded away from the truth is weaker but still true. */
static double stepped(const pv_scheme_bounds *b, double value, bool up)
{
    if (b->run->lattice.n_nodes < LARGE || !(value > 0) || isinf(value)) {
        return value;
    }
    const double exponent = log(value) / log(STEP);
    const double step = pow(STEP, up ? ceil(exponent) : floor(exponent));
    return up ? fmax(step, value) : fmin(step, value);
}

/* Spreads what an evaluated scheme says of those below it: they are no better. A value that no
 * unsettled scheme can do anything with is spread as the largest such value, so that a region is
 * overwritten once and not again with every smaller one. The scheme itself gets its own value. */
static void spread_best(pv_scheme_bounds *b, size_t o, uint64_t node, double value)
{
    const double hopeless = b->hopeless[o];
    const double wide = widened(value, true);
    const spreading s = {.values = b->best[o],
                         .value =
                             rounded(wide <= hopeless ? hopeless : stepped(b, wide, true), true)};
    spread(b, node, &s);
    b->best[o][node] = rounded(wide, true);
}

/* ... and of those above it: they are no worse. */
static void spread_least(pv_scheme_bounds *b, size_t o, uint64_t node, double value)
{
    const double narrow = widened(value, false);
    const spreading s = {.values = b->least[o],
                         .value = rounded(stepped(b, narrow, false), false),
                         .upward = true,
                         .lifts = true};
    spread(b, node, &s);
    b->least[o][node] = rounded(narrow, false);
}

/* Rows that break a demand never grow upward, or the objective has no such bound (pv_i_run_bound):
 * what is finer than an infeasible scheme is infeasible, and what is above a feasible one is
 * feasible. So being feasible spreads as privacy does, with less than any value for not being. */
static double privacy_of(const pv_scheme_bounds *b, size_t o, const pv_outcome *outcome)
{
    return outcome->feasible ? b->run->archive.signs[o] * outcome->values[o] : (double)-INFINITY;
}

static void learn_objective(pv_scheme_bounds *b, size_t o, uint64_t node, const pv_outcome *outcome)
{
    const pv_bound bound = pv_i_run_bound(b->run, o);
    if (bound == PV_BOUND_ABOVE) {
        const double value = privacy_of(b, o, outcome);
        spread_best(b, o, node, value);
        spread_least(b, o, node, value);
    } else if (bound == PV_BOUND_BELOW) {
        const spreading up = {
            .values = b->best[o],
            .value = rounded(b->run->archive.signs[o] * outcome->unsuppressed[o], true),
            .upward = true};
        spread(b, node, &up);
    }
}

void pv_i_scheme_bounds_learn(pv_scheme_bounds *bounds, uint64_t node, const pv_outcome *outcome)
{
    pv_i_bit_set(bounds->evaluated, node);
    for (size_t o = 0; o < bounds->run->n_objectives; o++) {
        learn_objective(bounds, o, node, outcome);
    }
}

/* -------------------------------------------------------------- answers */

static bool is_finite_privacy(const pv_scheme_bounds *b, float *const *bound, uint64_t node)
{
    for (size_t o = 0; o < b->run->n_objectives; o++) {
        if (b->least[o] != NULL && isinf(bound[o][node]) && bound[o][node] < 0) {
            return false;
        }
    }
    return true;
}

bool pv_i_scheme_bounds_may_keep(const pv_scheme_bounds *bounds, uint64_t node)
{
    return is_finite_privacy(bounds, bounds->best, node);
}

bool pv_i_scheme_bounds_surely_keeps(const pv_scheme_bounds *bounds, uint64_t node)
{
    return is_finite_privacy(bounds, bounds->least, node);
}

void pv_i_scheme_bounds_best(const pv_scheme_bounds *bounds, uint64_t node, const uint8_t *levels,
                             double *values)
{
    for (size_t o = 0; o < bounds->run->n_objectives; o++) {
        const pv_meter *const meter = &bounds->run->meters[o];
        values[o] = bounds->best[o] != NULL
                        ? bounds->run->archive.signs[o] * (double)bounds->best[o][node]
                        : pv_i_run_separable(bounds->run, meter, levels);
    }
}

void pv_i_scheme_bounds_least(const pv_scheme_bounds *bounds, uint64_t node, double *values)
{
    for (size_t o = 0; o < bounds->run->n_objectives; o++) {
        if (bounds->least[o] != NULL) {
            values[o] = bounds->run->archive.signs[o] * (double)bounds->least[o][node];
        }
    }
}

/* ------------------------------------------------------------- lifetime */

static bool fill(float **values, uint64_t n, float value)
{
    *values = PV_NEW_ARRAY(float, n);
    for (uint64_t i = 0; *values != NULL && i < n; i++) {
        (*values)[i] = value;
    }
    return *values != NULL;
}

static bool init_objective(pv_scheme_bounds *b, size_t o, const pv_outcome *bottom,
                           const pv_outcome *top)
{
    const uint64_t n = b->run->lattice.n_nodes;
    const double sign = b->run->archive.signs[o];
    switch (pv_i_run_bound(b->run, o)) {
    case PV_BOUND_ABOVE:
        return fill(&b->best[o], n, rounded(widened(privacy_of(b, o, top), true), true)) &&
               fill(&b->least[o], n, rounded(widened(privacy_of(b, o, bottom), false), false));
    case PV_BOUND_BELOW: return fill(&b->best[o], n, rounded(sign * bottom->unsuppressed[o], true));
    case PV_BOUND_NONE:
    case PV_BOUND_ABOVE_RAW:
    case PV_BOUND_SEPARABLE: break;
    }
    return true;
}

pv_status pv_i_scheme_bounds_init(pv_scheme_bounds *bounds, const pv_run *run,
                                  const pv_outcome *bottom, const pv_outcome *top, pv_error *error)
{
    *bounds = (pv_scheme_bounds){.run = run,
                                 .evaluated =
                                     PV_NEW_ZEROED(uint64_t, PV_BITSET_WORDS(run->lattice.n_nodes)),
                                 .levels = PV_NEW_ARRAY(uint8_t, run->lattice.n_axes)};
    bool ready = bounds->evaluated != NULL && bounds->levels != NULL;
    for (size_t o = 0; o < PV_MAX_OBJECTIVES; o++) {
        bounds->hopeless[o] = (double)-INFINITY;
    }
    for (size_t o = 0; ready && o < run->n_objectives; o++) {
        ready = init_objective(bounds, o, bottom, top);
    }
    if (!ready) {
        pv_i_scheme_bounds_deinit(bounds);
        return pv_i_no_memory(error);
    }
    return PV_STATUS_OK;
}

void pv_i_scheme_bounds_deinit(pv_scheme_bounds *bounds)
{
    for (size_t o = 0; o < PV_MAX_OBJECTIVES; o++) {
        pv_i_free(bounds->best[o]);
        pv_i_free(bounds->least[o]);
    }
    pv_i_free(bounds->evaluated);
    pv_i_free(bounds->levels);
    *bounds = (pv_scheme_bounds){0};
}

/* --------------------------------------------------------- sampled bounds */

/* Schemes remembered; beyond that the oldest is forgotten. */
#define MOST_SCHEMES 4096

pv_status pv_i_sampled_bounds_init(pv_sampled_bounds *bounds, const pv_run *run, pv_error *error)
{
    *bounds = (pv_sampled_bounds){.run = run,
                                  .levels = pv_i_array(MOST_SCHEMES, run->lattice.n_axes),
                                  .values = PV_NEW_ARRAY(double, MOST_SCHEMES * run->n_objectives)};
    if (bounds->levels == NULL || bounds->values == NULL) {
        pv_i_sampled_bounds_deinit(bounds);
        return pv_i_no_memory(error);
    }
    return PV_STATUS_OK;
}

void pv_i_sampled_bounds_deinit(pv_sampled_bounds *bounds)
{
    pv_i_free(bounds->levels);
    pv_i_free(bounds->values);
    *bounds = (pv_sampled_bounds){0};
}

/* What holds without suppression is a good guess with it. */
static pv_bound assumed_bound(const pv_sampled_bounds *bounds, size_t objective)
{
    const pv_bound bound = bounds->run->meters[objective].entry->bound;
    return bound == PV_BOUND_ABOVE_RAW ? PV_BOUND_ABOVE : bound;
}

static bool is_at_least(const uint8_t *a, const uint8_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (a[i] < b[i]) {
            return false;
        }
    }
    return true;
}

/* Does scheme `i` say nothing that the new one, which is as coarse or coarser, does not say? */
static bool is_superseded(const pv_sampled_bounds *bounds, size_t i, const uint8_t *levels,
                          const double *values)
{
    const size_t n_objectives = bounds->run->n_objectives;
    const size_t n_axes = bounds->run->lattice.n_axes;
    const double *const old = bounds->values + i * n_objectives;
    for (size_t o = 0; o < n_objectives; o++) {
        const pv_bound bound = assumed_bound(bounds, o);
        if (bound == PV_BOUND_BELOW || (bound == PV_BOUND_ABOVE && values[o] > old[o])) {
            return false;
        }
    }
    return is_at_least(levels, bounds->levels + i * n_axes, n_axes);
}

void pv_i_sampled_bounds_learn(pv_sampled_bounds *bounds, const uint8_t *levels,
                               const pv_outcome *outcome)
{
    const pv_run *const run = bounds->run;
    double values[PV_MAX_OBJECTIVES];
    for (size_t o = 0; o < run->n_objectives; o++) {
        /* What is finer than an infeasible scheme is infeasible; what is coarser loses as much. */
        values[o] = assumed_bound(bounds, o) == PV_BOUND_BELOW
                        ? run->archive.signs[o] * outcome->unsuppressed[o]
                    : outcome->feasible ? run->archive.signs[o] * outcome->values[o]
                                        : -(double)INFINITY;
    }
    /* In the place of a scheme that is no longer needed, in a free one, or in that of the oldest.
     */
    size_t place = 0;
    while (place < bounds->n && !is_superseded(bounds, place, levels, values)) {
        place++;
    }
    if (place == MOST_SCHEMES) {
        place = bounds->oldest;
        bounds->oldest = (place + 1) % MOST_SCHEMES;
    } else if (place == bounds->n) {
        bounds->n++;
    }
    memcpy(bounds->levels + place * run->lattice.n_axes, levels, run->lattice.n_axes);
    memcpy(bounds->values + place * run->n_objectives, values, run->n_objectives * sizeof *values);
}

/* Lowers the optimistic values of objectives with this kind of bound to those of scheme `i`. */
static void lower(const pv_sampled_bounds *bounds, pv_bound bound, size_t i, double *best)
{
    const double *const values = bounds->values + i * bounds->run->n_objectives;
    for (size_t o = 0; o < bounds->run->n_objectives; o++) {
        if (assumed_bound(bounds, o) == bound && values[o] < best[o]) {
            best[o] = values[o];
        }
    }
}

bool pv_i_sampled_bounds_hopeless(const pv_sampled_bounds *bounds, const uint8_t *levels)
{
    const pv_run *const run = bounds->run;
    const size_t n_axes = run->lattice.n_axes;
    bool from_above = false;
    bool from_below = false;
    double best[PV_MAX_OBJECTIVES];
    for (size_t o = 0; o < run->n_objectives; o++) {
        const pv_meter *const meter = &run->meters[o];
        const pv_bound bound = assumed_bound(bounds, o);
        from_above |= bound == PV_BOUND_ABOVE;
        from_below |= bound == PV_BOUND_BELOW;
        best[o] = bound == PV_BOUND_SEPARABLE
                      ? run->archive.signs[o] * pv_i_run_separable(run, meter, levels)
                      : (double)INFINITY;
    }
    for (size_t i = 0; i < bounds->n; i++) {
        const uint8_t *const known = bounds->levels + i * n_axes;
        if (from_above && is_at_least(known, levels, n_axes)) {
            lower(bounds, PV_BOUND_ABOVE, i, best);
        }
        if (from_below && is_at_least(levels, known, n_axes)) {
            lower(bounds, PV_BOUND_BELOW, i, best);
        }
    }
    for (size_t o = 0; o < run->n_objectives; o++) {
        best[o] *= run->archive.signs[o];
    }
    return pv_i_archive_covers(&run->archive, best);
}
