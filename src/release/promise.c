/* The scheme of a release as a file for `apply`, and what it promises of new rows. */
#include "release/promise.h"
#include "plan/plan.h"
#include "release/settings.h"

#define LONGEST_NAME 64

typedef struct {
    pv_named_value values[PV_MAX_CONSTRAINTS];
    char names[PV_MAX_CONSTRAINTS][LONGEST_NAME];
    size_t n;
} named_list;

static void add_named(named_list *list, pv_measure_ref ref, double value)
{
    if (list->n == PV_MAX_CONSTRAINTS) {
        return;
    }
    char *const name = list->names[list->n];
    pv_measure_text(ref, name, LONGEST_NAME);
    list->values[list->n++] = (pv_named_value){.name = name, .value = value};
}

pv_status pv_i_release_scheme(const pv_scheme *scheme, const pv_evaluation *evaluation,
                              const pv_release_settings *options, char **text, pv_error *error)
{
    const pv_study *const study = pv_profile_study(pv_classes_profile(evaluation->after));
    named_list require = {.n = 0};
    named_list promises = {.n = 0};
    for (size_t i = 0; i < options->n_constraints; i++) {
        add_named(&require, options->constraints[i].ref, options->constraints[i].bound);
    }
    for (size_t i = 0; i < evaluation->n_measures; i++) {
        const pv_measure *const measure = pv_measure_at(i);
        if (measure->promised && evaluation->available[i]) {
            add_named(&promises, (pv_measure_ref){measure, measure->parameter_default},
                      evaluation->value_after[i]);
        }
    }
    const pv_scheme_record record = {.suppression = options->budget != NULL
                                                        ? *options->budget
                                                        : pv_study_plan(study)->suppression,
                                     .target_k = options->suppression.target_k,
                                     .require = require.values,
                                     .n_require = require.n,
                                     .promises = promises.values,
                                     .n_promises = promises.n};
    return pv_scheme_text(scheme, study, &record, text, error);
}
