/* Measuring the table before and after. */
#include "release/evaluation.h"
#include "scheme/scheme.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/tasks.h"
#include "base/ticker.h"
#include "classes/profile.h"

/* Of tasks 2i and 2i + 1 the first measures before, the second after. */
/* Of two tasks per measure the first is of the raw table. */
static pv_status measure_one(void *ctx, size_t task, const pv_thread *thread, pv_error *error)
{
    pv_evaluation *const e = ctx;
    const size_t index = task / 2;
    const pv_measure *const measure = pv_measure_at(index);
    const pv_measure_ref ref = {.measure = measure, .parameter = measure->parameter_default};
    if (!pv_i_goes_on(thread, task) || !e->available[index]) {
        return PV_STATUS_OK;
    }
    return task % 2 == 1 ? pv_measure_value(ref, e->after, &e->value_after[index], error)
                         : pv_measure_value(ref, e->before, &e->value_before[index], error);
}

static pv_status measure_all(pv_evaluation *e, const pv_context *context, pv_error *error)
{
    const pv_study *const study = pv_profile_study(pv_classes_profile(e->after));
    pv_ticker ticker = pv_i_ticker(context, "measuring", 2 * e->n_measures);
    for (size_t i = 0; i < e->n_measures; i++) {
        e->available[i] = pv_measure_available(pv_measure_at(i), study);
    }
    return pv_i_tasks_run(pv_i_threads(context), 2 * e->n_measures, measure_one, e, &ticker, error);
}

static pv_status group_raw(pv_evaluation *e, const pv_profile *profile, pv_error *error)
{
    pv_scheme raw = {0};
    PV_TRY(pv_i_scheme_init(&raw, pv_profile_study(profile), error));
    const pv_status status = pv_classes_create(profile, raw.levels, NULL, &e->before, error);
    pv_i_scheme_deinit(&raw);
    return status;
}

/* What the measures stand on; none of it needs the others. */
typedef struct {
    pv_evaluation *evaluation;
    const pv_scheme *scheme;
    const pv_profile *profile;
    const pv_suppression *suppression;
} preparing;

enum { SENSITIVE_VALUES, CLASSES_BEFORE, CLASSES_AFTER, N_PARTS };

static pv_status prepare(void *ctx, size_t part, const pv_thread *thread, pv_error *error)
{
    (void)thread;
    const preparing *const p = ctx;
    pv_evaluation *const e = p->evaluation;
    switch (part) {
    case SENSITIVE_VALUES: return pv_i_profile_count(p->profile, error);
    case CLASSES_BEFORE: return group_raw(e, p->profile, error);
    default:
        return p->scheme->records != NULL
                   ? pv_classes_create_records(p->profile, p->scheme->records, &e->after, error)
                   : pv_classes_create(p->profile, p->scheme->levels, p->suppression, &e->after,
                                       error);
    }
}

pv_status pv_i_evaluation_init(pv_evaluation *evaluation, const pv_scheme *scheme,
                               const pv_profile *profile, const pv_suppression *suppression,
                               const pv_context *context, pv_error *error)
{
    const size_t n = pv_n_measures();
    pv_status status = PV_STATUS_OK;
    pv_evaluation e = {.value_before = PV_NEW_ZEROED(double, n),
                       .value_after = PV_NEW_ZEROED(double, n),
                       .available = PV_NEW_ZEROED(bool, n),
                       .n_measures = n};
    if (e.value_before == NULL || e.value_after == NULL || e.available == NULL) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    preparing p = {&e, scheme, profile, suppression};
    PV_TRY_CLEAN(pv_i_tasks_run(pv_i_threads(context), N_PARTS, prepare, &p, NULL, error));
    PV_TRY_CLEAN(measure_all(&e, context, error));
    PV_TRY_CLEAN(pv_i_shown_create(e.after, context, &e.shown, error));
    *evaluation = e;
    return PV_STATUS_OK;
cleanup:
    pv_i_evaluation_deinit(&e);
    return status;
}

static bool has_default(pv_measure_ref ref)
{
    return ref.measure->parameter == NULL || (ref.parameter <= ref.measure->parameter_default &&
                                              ref.parameter >= ref.measure->parameter_default);
}

pv_status pv_i_evaluation_value(const pv_evaluation *evaluation, pv_measure_ref ref, double *value,
                                pv_error *error)
{
    for (size_t i = 0; i < evaluation->n_measures && !evaluation->is_of_file; i++) {
        if (pv_measure_at(i) == ref.measure && evaluation->available[i] && has_default(ref)) {
            *value = evaluation->value_after[i];
            return PV_STATUS_OK;
        }
    }
    return pv_measure_value(ref, evaluation->after, value, error);
}

void pv_i_evaluation_deinit(pv_evaluation *evaluation)
{
    if (evaluation->after != NULL) {
        const pv_profile *const profile = pv_classes_profile(evaluation->after);
        pv_i_shown_free(evaluation->shown, pv_study_quasis(pv_profile_study(profile)));
    }
    pv_classes_free(evaluation->before);
    pv_classes_free(evaluation->after);
    pv_i_free(evaluation->value_before);
    pv_i_free(evaluation->value_after);
    pv_i_free(evaluation->available);
    *evaluation = (pv_evaluation){0};
}
