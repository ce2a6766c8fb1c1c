/* Local search over levels for any loss: attribute by attribute to its best level while the others
 * stay, until none changes; then some attributes are thrown to other levels and it begins anew from
 * there, as long as there is time. Every scheme is measured as a release is, so a demand or a loss
 * of any kind will do; nothing is proven by it. */
#include "lattice/best_moves.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/rng.h"
#include "base/tasks.h"
#include "measure/entry.h"

#include <math.h>
#include <string.h>

#define MOST_KICKS 60 /* in a row that lead nowhere */
#define KICKED 3      /* attributes that a kick throws to other levels, at most */

typedef struct {
    const pv_profile *profile;
    const pv_lattice *lattice;
    const pv_moves_settings *settings;
    unsigned threads;
    uint8_t *now;   /* levels of the axes */
    double value;   /* of `now`, less is better; INFINITY = it does not keep the demands */
    uint8_t *tried; /* per task, the levels of the hierarchies */
    double *values; /* per task */
    size_t axis;    /* whose levels are tried: task i is level i */
    uint64_t evaluated;
    pv_ticker ticker;
    pv_stop stop;
} search;

/* What a scheme loses as a release, less is better; INFINITY if too much would be suppressed. */
static pv_status evaluate(const search *run, const uint8_t *levels, double *value, pv_error *error)
{
    const pv_moves_settings *const s = run->settings;
    pv_classes *classes = NULL;
    PV_TRY(pv_classes_create_demanding(run->profile, levels, s->demands, s->n_demands, s->budget,
                                       NULL, &classes, error));
    pv_status status = PV_STATUS_OK;
    *value = (double)INFINITY;
    if (pv_classes_feasible(classes)) {
        status = pv_measure_value(s->loss, classes, value, error);
        *value = s->loss.measure->direction == PV_LESS_IS_BETTER ? *value : -*value;
    }
    pv_classes_free(classes);
    return status;
}

static void real_levels(const search *run, uint8_t *levels)
{
    for (size_t j = 0; j < run->lattice->n_axes; j++) {
        levels[j] = (uint8_t)pv_i_lattice_real(run->lattice, j, run->now[j]);
    }
}

static pv_status try_level(void *ctx, size_t number, const pv_thread *thread, pv_error *error)
{
    search *const run = ctx;
    uint8_t *const levels = run->tried + number * run->lattice->n_axes;
    if (number == run->now[run->axis] && !isinf(run->value)) {
        run->values[number] = run->value;
        return PV_STATUS_OK;
    }
    real_levels(run, levels);
    levels[run->axis] = (uint8_t)pv_i_lattice_real(run->lattice, run->axis, (unsigned)number);
    run->values[number] = (double)INFINITY;
    return pv_i_goes_on(thread, run->evaluated) ? evaluate(run, levels, &run->values[number], error)
                                                : PV_STATUS_OK;
}

static bool goes_on(search *run)
{
    const pv_moves_settings *const s = run->settings;
    if (run->stop != PV_STOP_FINISHED) {
        return false;
    }
    if (s->max_evaluations > 0 && run->evaluated >= s->max_evaluations) {
        run->stop = PV_STOP_EVALUATIONS;
    } else if (s->deadline > 0 && pv_i_now() > s->deadline) {
        run->stop = PV_STOP_TIME;
    } else if (!pv_i_tick(&run->ticker, run->evaluated)) {
        run->stop = PV_STOP_CANCELLED;
    }
    return run->stop == PV_STOP_FINISHED;
}

/* The best level of one attribute; of equally good ones the finest. `*changed` if it is another. */
static pv_status settle_axis(search *run, size_t axis, bool *changed, pv_error *error)
{
    const size_t n = run->lattice->heights[axis] + 1u;
    run->axis = axis;
    const pv_status status = pv_i_tasks_run(run->threads, n, try_level, run, &run->ticker, error);
    if (status == PV_STATUS_CANCELLED) { /* being stopped is no failure: what was found is it */
        run->stop = PV_STOP_CANCELLED;
        if (error != NULL) {
            *error = (pv_error){0};
        }
        return PV_STATUS_OK;
    }
    PV_TRY(status);
    run->evaluated += n;
    for (size_t level = 0; level < n; level++) {
        if (run->values[level] < run->value) {
            run->value = run->values[level];
            run->now[axis] = (uint8_t)level;
            *changed = true;
        }
    }
    return PV_STATUS_OK;
}

/* Until no attribute alone can be improved. */
static pv_status descend(search *run, pv_error *error)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t j = 0; j < run->lattice->n_axes && goes_on(run); j++) {
            PV_TRY(settle_axis(run, j, &changed, error));
        }
        changed &= goes_on(run);
    }
    return PV_STATUS_OK;
}

/* Throws some attributes of the best to other levels. */
static void kick(search *run, const uint8_t *best, pv_rng *rng)
{
    const size_t n_axes = run->lattice->n_axes;
    memcpy(run->now, best, n_axes);
    for (uint64_t i = 1 + pv_i_rng_below(rng, KICKED); i > 0; i--) {
        const size_t j = (size_t)pv_i_rng_below(rng, n_axes);
        run->now[j] = (uint8_t)pv_i_rng_below(rng, run->lattice->heights[j] + 1u);
    }
    run->value = (double)INFINITY; /* known when its first attribute is tried */
}

static pv_status search_moves(search *run, uint8_t *best, double *value, pv_error *error)
{
    const size_t n_axes = run->lattice->n_axes;
    pv_rng rng;
    pv_i_rng_init(&rng, run->settings->seed);
    memcpy(run->now, best, n_axes);
    for (unsigned failed = 0; failed < MOST_KICKS && run->stop == PV_STOP_FINISHED; failed++) {
        PV_TRY(descend(run, error));
        if (run->value < *value) {
            *value = run->value;
            memcpy(best, run->now, n_axes);
            failed = 0;
        }
        kick(run, best, &rng);
    }
    return PV_STATUS_OK;
}

/* The level of the axis that groups as this level of the hierarchy does. */
static uint8_t axis_level(const pv_lattice *lattice, size_t axis, unsigned real)
{
    unsigned level = 0;
    while (level < lattice->heights[axis] && pv_i_lattice_real(lattice, axis, level + 1) <= real) {
        level++;
    }
    return (uint8_t)level;
}

pv_status pv_i_best_moves(const pv_profile *profile, const pv_lattice *lattice,
                          const pv_moves_settings *settings, pv_moves_found *found, pv_error *error)
{
    const size_t n = lattice->n_axes;
    pv_status status = PV_STATUS_OK;
    search run = {.profile = profile,
                  .lattice = lattice,
                  .settings = settings,
                  .threads = pv_i_threads(settings->context),
                  .now = PV_NEW_ARRAY(uint8_t, n),
                  .tried = PV_NEW_ARRAY(uint8_t, n * (PV_MAX_HEIGHT + 1)),
                  .values = PV_NEW_ARRAY(double, PV_MAX_HEIGHT + 1),
                  .ticker = pv_i_ticker(settings->context, "searching", 0)};
    uint8_t *const best = PV_NEW_ARRAY(uint8_t, n);
    if (run.now == NULL || run.tried == NULL || run.values == NULL || best == NULL) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    PV_TRY_CLEAN(evaluate(&run, found->levels, &run.value, error));
    if (settings->start != NULL) {
        double other;
        PV_TRY_CLEAN(evaluate(&run, settings->start, &other, error));
        if (other < run.value) {
            run.value = other;
            memcpy(found->levels, settings->start, n);
        }
    }
    double value = run.value;
    for (size_t j = 0; j < n; j++) {
        best[j] = axis_level(lattice, j, found->levels[j]);
    }
    PV_TRY_CLEAN(search_moves(&run, best, &value, error));
    memcpy(run.now, best, n);
    real_levels(&run, found->levels);
    found->value = settings->loss.measure->direction == PV_LESS_IS_BETTER ? value : -value;
    found->evaluated = run.evaluated;
    found->stop = run.stop == PV_STOP_FINISHED ? PV_STOP_STALLED : run.stop;
cleanup:
    pv_i_free(run.now);
    pv_i_free(run.tried);
    pv_i_free(run.values);
    pv_i_free(best);
    return status;
}

/* Two bounds (docs/model.md, section 3): the loss of the finest scheme without suppression, where
 * the measure never falls when a scheme is generalized or a row suppressed; and what classes of at
 * least k rows lose whatever they are. */
pv_status pv_i_best_least(const pv_profile *profile, const pv_lattice *lattice,
                          const pv_moves_settings *settings, double *least, pv_error *error)
{
    const pv_measure_entry *const entry = pv_i_measure_entry(settings->loss.measure);
    pv_status status = PV_STATUS_OK;
    double k = 1;
    *least = 0;
    for (size_t i = 0; i < settings->n_demands; i++) {
        const pv_constraint *const demand = &settings->demands[i];
        if (pv_i_measure_entry(demand->ref.measure) == pv_i_measure_entry(pv_measure_find("k"))) {
            k = fmax(k, ceil(demand->bound));
        }
    }
    if (entry->least != NULL) {
        *least = entry->least(k, (double)profile->n_rows);
    }
    if (entry->bound == PV_BOUND_BELOW) {
        double raw;
        pv_classes *classes = NULL;
        uint8_t *const levels = PV_NEW_ARRAY(uint8_t, lattice->n_axes);
        if (levels == NULL) {
            return pv_i_no_memory(error);
        }
        for (size_t j = 0; j < lattice->n_axes; j++) {
            levels[j] = (uint8_t)pv_i_lattice_real(lattice, j, 0);
        }
        PV_TRY_CLEAN(
            pv_classes_create_demanding(profile, levels, NULL, 0, 0, NULL, &classes, error));
        PV_TRY_CLEAN(pv_measure_value(settings->loss, classes, &raw, error));
        *least = fmax(*least, raw);
    cleanup:
        pv_classes_free(classes);
        pv_i_free(levels);
    }
    return status;
}
