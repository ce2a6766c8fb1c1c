/* Measuring the table before and after. */
#include "release/evaluation.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/ticker.h"

static pv_status measure_one(pv_evaluation *e, size_t index, pv_error *error)
{
    const pv_measure *const measure = pv_measure_at(index);
    const pv_measure_ref ref = {.measure = measure, .parameter = measure->parameter_default};
    const pv_study *const study = pv_profile_study(pv_classes_profile(e->after));
    e->available[index] = pv_measure_available(measure, study);
    if (e->available[index]) {
        PV_TRY(pv_measure_value(ref, e->before, &e->value_before[index], error));
        PV_TRY(pv_measure_value(ref, e->after, &e->value_after[index], error));
    }
    return PV_STATUS_OK;
}

static pv_status measure_all(pv_evaluation *e, const pv_context *context, pv_error *error)
{
    pv_ticker ticker = pv_i_ticker(context, "measuring", e->n_measures);
    for (size_t i = 0; i < e->n_measures; i++) {
        PV_TRY(measure_one(e, i, error));
        if (!pv_i_tick(&ticker, i)) {
            return pv_i_cancelled(error);
        }
    }
    return PV_STATUS_OK;
}

static pv_status group_raw(pv_evaluation *e, const pv_profile *profile, pv_error *error)
{
    pv_scheme raw = {0};
    PV_TRY(pv_scheme_init(&raw, pv_profile_study(profile), error));
    const pv_status status = pv_classes_create(profile, raw.levels, NULL, &e->before, error);
    pv_scheme_deinit(&raw);
    return status;
}

pv_status pv_i_evaluation_init(pv_evaluation *evaluation, const pv_scheme *scheme,
                               const pv_profile *profile, const pv_suppression *suppression,
                               const pv_context *context, pv_error *error)
{
    const size_t n = pv_measures();
    pv_status status = PV_STATUS_OK;
    pv_evaluation e = {.value_before = PV_NEW_ZEROED(double, n),
                       .value_after = PV_NEW_ZEROED(double, n),
                       .available = PV_NEW_ZEROED(bool, n),
                       .n_measures = n};
    if (e.value_before == NULL || e.value_after == NULL || e.available == NULL) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    PV_TRY_CLEAN(group_raw(&e, profile, error));
    PV_TRY_CLEAN(scheme->records != NULL
                     ? pv_classes_create_records(profile, scheme->records, &e.after, error)
                     : pv_classes_create(profile, scheme->levels, suppression, &e.after, error));
    PV_TRY_CLEAN(measure_all(&e, context, error));
    *evaluation = e;
    return PV_STATUS_OK;
cleanup:
    pv_i_evaluation_deinit(&e);
    return status;
}

void pv_i_evaluation_deinit(pv_evaluation *evaluation)
{
    pv_classes_free(evaluation->before);
    pv_classes_free(evaluation->after);
    pv_i_free(evaluation->value_before);
    pv_i_free(evaluation->value_after);
    pv_i_free(evaluation->available);
    *evaluation = (pv_evaluation){0};
}
