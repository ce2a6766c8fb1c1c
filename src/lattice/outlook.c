/* What a scheme can be at best. */
#include "lattice/outlook.h"

#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

/* Schemes remembered; beyond that the oldest is forgotten. */
#define MOST_SCHEMES 4096

pv_status pv_i_outlook_init(pv_outlook *outlook, const pv_run *run, pv_error *error)
{
    *outlook = (pv_outlook){.run = run,
                            .levels = pv_i_array(MOST_SCHEMES, run->lattice.n_axes),
                            .values = PV_NEW_ARRAY(double, MOST_SCHEMES * run->n_objectives)};
    if (outlook->levels == NULL || outlook->values == NULL) {
        pv_i_outlook_deinit(outlook);
        return pv_i_no_memory(error);
    }
    return PV_STATUS_OK;
}

void pv_i_outlook_deinit(pv_outlook *outlook)
{
    pv_i_free(outlook->levels);
    pv_i_free(outlook->values);
    *outlook = (pv_outlook){0};
}

static pv_bound bound_of(const pv_outlook *outlook, size_t objective)
{
    const pv_bound bound = outlook->run->meters[objective].entry->bound;
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

/* ------------------------------------------------------------------ learn */

/* Does scheme `i` say nothing that the new one, which is as coarse or coarser, does not say? */
static bool is_superseded(const pv_outlook *outlook, size_t i, const uint8_t *levels,
                          const double *values)
{
    const size_t n_objectives = outlook->run->n_objectives;
    const size_t n_axes = outlook->run->lattice.n_axes;
    const double *const old = outlook->values + i * n_objectives;
    for (size_t o = 0; o < n_objectives; o++) {
        const pv_bound bound = bound_of(outlook, o);
        if (bound == PV_BOUND_BELOW || (bound == PV_BOUND_ABOVE && values[o] > old[o])) {
            return false;
        }
    }
    return is_at_least(levels, outlook->levels + i * n_axes, n_axes);
}

/* The place of a scheme that is no longer needed, a free one, or that of the oldest. */
static size_t find_place(pv_outlook *outlook, const uint8_t *levels, const double *values)
{
    for (size_t i = 0; i < outlook->n; i++) {
        if (is_superseded(outlook, i, levels, values)) {
            return i;
        }
    }
    if (outlook->n < MOST_SCHEMES) {
        return outlook->n++;
    }
    const size_t place = outlook->oldest;
    outlook->oldest = (place + 1) % MOST_SCHEMES;
    return place;
}

void pv_i_outlook_learn(pv_outlook *outlook, const uint8_t *levels, const pv_outcome *outcome)
{
    const pv_run *const run = outlook->run;
    double values[PV_MAX_OBJECTIVES];
    for (size_t o = 0; o < run->n_objectives; o++) {
        /* What is finer than an infeasible scheme is infeasible; what is coarser loses as much. */
        values[o] = bound_of(outlook, o) == PV_BOUND_BELOW
                        ? run->archive.signs[o] * outcome->unsuppressed[o]
                    : outcome->feasible ? run->archive.signs[o] * outcome->values[o]
                                        : -(double)INFINITY;
    }
    const size_t place = find_place(outlook, levels, values);
    memcpy(outlook->levels + place * run->lattice.n_axes, levels, run->lattice.n_axes);
    memcpy(outlook->values + place * run->n_objectives, values, run->n_objectives * sizeof *values);
}

/* ------------------------------------------------------------------ judge */

/* What the levels alone say. */
static void judge_alone(const pv_outlook *outlook, const uint8_t *levels, double *best)
{
    const pv_run *const run = outlook->run;
    for (size_t o = 0; o < run->n_objectives; o++) {
        const pv_meter *const meter = &run->meters[o];
        best[o] = bound_of(outlook, o) == PV_BOUND_SEPARABLE
                      ? run->archive.signs[o] * meter->entry->separable(meter->state, levels)
                      : (double)INFINITY;
    }
}

static void lower(const pv_outlook *outlook, pv_bound bound, size_t i, double *best)
{
    const double *const values = outlook->values + i * outlook->run->n_objectives;
    for (size_t o = 0; o < outlook->run->n_objectives; o++) {
        if (bound_of(outlook, o) == bound && values[o] < best[o]) {
            best[o] = values[o];
        }
    }
}

static bool has_bound(const pv_outlook *outlook, pv_bound bound)
{
    bool has = false;
    for (size_t o = 0; o < outlook->run->n_objectives; o++) {
        has |= bound_of(outlook, o) == bound;
    }
    return has;
}

bool pv_i_outlook_is_hopeless(const pv_outlook *outlook, const uint8_t *levels)
{
    const pv_run *const run = outlook->run;
    const size_t n_axes = run->lattice.n_axes;
    const bool from_above = has_bound(outlook, PV_BOUND_ABOVE);
    const bool from_below = has_bound(outlook, PV_BOUND_BELOW);
    double best[PV_MAX_OBJECTIVES];
    judge_alone(outlook, levels, best);
    for (size_t i = 0; i < outlook->n; i++) {
        const uint8_t *const known = outlook->levels + i * n_axes;
        if (from_above && is_at_least(known, levels, n_axes)) {
            lower(outlook, PV_BOUND_ABOVE, i, best);
        }
        if (from_below && is_at_least(levels, known, n_axes)) {
            lower(outlook, PV_BOUND_BELOW, i, best);
        }
    }
    for (size_t o = 0; o < run->n_objectives; o++) {
        best[o] *= run->archive.signs[o];
    }
    return pv_i_archive_covers(&run->archive, best);
}
