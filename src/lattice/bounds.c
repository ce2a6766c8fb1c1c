/* Bounds on every scheme of a lattice, and how they spread. */
#include "lattice/bounds.h"

#include "base/bitset.h"
#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

/* Measures that are no whole numbers may differ in the last digits along the lattice. */
#define WIDENING 1e-9

pv_bound pv_i_bound_of(const pv_run *run, size_t objective)
{
    const pv_bound bound = run->meters[objective].entry->bound;
    const pv_suppression *const rule = &run->options.suppression;
    if (rule->target_k > 0) {
        return PV_BOUND_NONE; /* with a target even k may fall */
    }
    if (bound == PV_BOUND_ABOVE_RAW) {
        return rule->budget == 0 ? PV_BOUND_ABOVE : PV_BOUND_NONE;
    }
    return bound;
}

static double sign_of(const pv_bounds *b, size_t objective)
{
    return b->run->archive.signs[objective];
}

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

static double widened(double value, bool up)
{
    const bool whole = floor(value) >= value;
    const double margin = whole ? 0 : fabs(value) * WIDENING;
    return up ? value + margin : value - margin;
}

/* -------------------------------------------------------------- spread */

/* In a large lattice, spreading each bound as it is would lower the same millions of nodes again
 * and again. There bounds are spread in steps of this factor; what settles a node at once, a value
 * no longer worth having, is spread as it is. */
#define STEP 1.5
#define LARGE UINT64_C(1000000)

typedef struct {
    float *values;
    float value;
    bool upward;
    bool raises; /* keep the larger, otherwise the smaller */
} spreading;

static bool improves(const spreading *s, uint64_t node)
{
    return s->raises ? s->values[node] < s->value : s->values[node] > s->value;
}

/* Gives the value to everything beyond `node` that it improves. Every scheme of the box below (or
 * above) a node has one way to it: along the axes in their order. So each is looked at once, from
 * the one before it, and mostly next to it in memory. Bounds are monotone: where the value improves
 * nothing, it improves nothing further on either. */
static void spread_along(pv_bounds *b, const spreading *s, uint64_t node, size_t first)
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

static void spread(pv_bounds *b, uint64_t start, const spreading *s)
{
    if (improves(s, start)) {
        pv_i_lattice_levels(&b->run->lattice, start, b->levels);
        spread_along(b, s, start, 0);
    }
}

/* The next step at or above a positive value, or at or below it; other values as they are. */
static double stepped(const pv_bounds *b, double value, bool up)
{
    if (b->run->lattice.n_nodes < LARGE || !(value > 0) || isinf(value)) {
        return value;
    }
    const double exponent = log(value) / log(STEP);
    const double step = pow(STEP, up ? ceil(exponent) : floor(exponent));
    return up ? fmax(step, value) : fmin(step, value);
}

/* Spreads what an evaluated scheme says of those below it: they are no better. */
static void spread_best(pv_bounds *b, size_t o, uint64_t node, double value)
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
static void spread_sure(pv_bounds *b, size_t o, uint64_t node, double value)
{
    const double narrow = widened(value, false);
    const spreading s = {.values = b->sure[o],
                         .value = rounded(stepped(b, narrow, false), false),
                         .upward = true,
                         .raises = true};
    spread(b, node, &s);
    b->sure[o][node] = rounded(narrow, false);
}

static void learn_objective(pv_bounds *b, size_t o, uint64_t node, const pv_outcome *outcome)
{
    const double sign = sign_of(b, o);
    const pv_bound bound = pv_i_bound_of(b->run, o);
    if (bound == PV_BOUND_ABOVE) {
        const double value = sign * outcome->values[o];
        spread_best(b, o, node, value);
        spread_sure(b, o, node, value);
    } else if (bound == PV_BOUND_BELOW) {
        const spreading up = {.values = b->best[o],
                              .value = rounded(sign * outcome->unsuppressed[o], true),
                              .upward = true};
        spread(b, node, &up);
    }
}

void pv_i_bounds_learn(pv_bounds *bounds, uint64_t node, const pv_outcome *outcome)
{
    pv_i_bit_set(bounds->evaluated, node);
    for (size_t o = 0; o < bounds->run->n_objectives; o++) {
        learn_objective(bounds, o, node, outcome);
    }
}

/* -------------------------------------------------------------- answers */

void pv_i_bounds_best(const pv_bounds *bounds, uint64_t node, const uint8_t *levels, double *values)
{
    for (size_t o = 0; o < bounds->run->n_objectives; o++) {
        const pv_meter *const meter = &bounds->run->meters[o];
        values[o] = bounds->best[o] != NULL ? sign_of(bounds, o) * (double)bounds->best[o][node]
                                            : meter->entry->separable(meter->state, levels);
    }
}

void pv_i_bounds_sure(const pv_bounds *bounds, uint64_t node, double *values)
{
    for (size_t o = 0; o < bounds->run->n_objectives; o++) {
        if (bounds->sure[o] != NULL) {
            values[o] = sign_of(bounds, o) * (double)bounds->sure[o][node];
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

static bool init_objective(pv_bounds *b, size_t o, const pv_outcome *bottom, const pv_outcome *top)
{
    const uint64_t n = b->run->lattice.n_nodes;
    const double sign = sign_of(b, o);
    switch (pv_i_bound_of(b->run, o)) {
    case PV_BOUND_ABOVE:
        return fill(&b->best[o], n, rounded(widened(sign * top->values[o], true), true)) &&
               fill(&b->sure[o], n, rounded(widened(sign * bottom->values[o], false), false));
    case PV_BOUND_BELOW: return fill(&b->best[o], n, rounded(sign * bottom->unsuppressed[o], true));
    case PV_BOUND_NONE:
    case PV_BOUND_ABOVE_RAW:
    case PV_BOUND_SEPARABLE: break;
    }
    return true;
}

pv_status pv_i_bounds_init(pv_bounds *bounds, const pv_run *run, const pv_outcome *bottom,
                           const pv_outcome *top, pv_error *error)
{
    *bounds =
        (pv_bounds){.run = run,
                    .evaluated = PV_NEW_ZEROED(uint64_t, PV_BITSET_WORDS(run->lattice.n_nodes)),
                    .levels = PV_NEW_ARRAY(uint8_t, run->lattice.n_axes)};
    bool ready = bounds->evaluated != NULL && bounds->levels != NULL;
    for (size_t o = 0; o < PV_MAX_OBJECTIVES; o++) {
        bounds->hopeless[o] = (double)-INFINITY;
    }
    for (size_t o = 0; ready && o < run->n_objectives; o++) {
        ready = init_objective(bounds, o, bottom, top);
    }
    if (!ready) {
        pv_i_bounds_deinit(bounds);
        return pv_i_no_memory(error);
    }
    return PV_STATUS_OK;
}

void pv_i_bounds_deinit(pv_bounds *bounds)
{
    for (size_t o = 0; o < PV_MAX_OBJECTIVES; o++) {
        pv_i_free(bounds->best[o]);
        pv_i_free(bounds->sure[o]);
    }
    pv_i_free(bounds->evaluated);
    pv_i_free(bounds->levels);
    *bounds = (pv_bounds){0};
}
