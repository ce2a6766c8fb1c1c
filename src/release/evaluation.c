/* What memory says of the table before and after: its classes, all measures of the registry, and
 * how many people show which label.
 *
 * The written file is checked against these numbers, and certificate, report and codebook show
 * them. Nothing here touches rows: everything is counted over the distinct tuples of the profile,
 * one task for each thing to be counted. */
#include "release/release.h"

#include "base/checked.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/tasks.h"
#include "classes/profile.h"
#include "scheme/scheme.h"

#include <string.h>

/* -------------------------------------------------------------------- measures */

/* What all measures need; none of it needs the others. */
enum { SENSITIVE_VALUES, CLASSES_BEFORE, CLASSES_AFTER, N_PREPARATIONS };

static pv_status prepare(void *ctx, size_t part, const pv_thread *thread, pv_error *error)
{
    (void)thread;
    pv_release_job *const job = ctx;
    if (part == SENSITIVE_VALUES) {
        return pv_i_profile_count(job->profile, error);
    }
    if (part == CLASSES_BEFORE && job->settings->checks_only) {
        return PV_STATUS_OK;
    }
    if (part == CLASSES_BEFORE) {
        const pv_profile *const whole = job->profile->whole;
        pv_scheme raw = {0};
        PV_TRY(pv_i_scheme_init(&raw, job->study, error));
        const pv_status status = pv_classes_create(whole != NULL ? whole : job->profile, raw.levels,
                                                   NULL, &job->before, error);
        pv_i_scheme_deinit(&raw);
        return status;
    }
    const pv_suppression *const rule = &job->settings->suppression;
    const pv_release_options *const asked = &job->settings->asked;
    return rule->whole_budget && rule->target_k == 0 && job->scheme->records == NULL
               ? pv_classes_create(job->profile, job->scheme->levels, rule, &job->after, error)
               : pv_i_scheme_classes_judged(job->profile, job->scheme, asked->constraints,
                                            asked->n_constraints, rule->budget, &job->broken,
                                            &job->after, error);
}

/* Of two tasks per measure the first is of the raw table. */
static pv_status measure(void *ctx, size_t task, const pv_thread *thread, pv_error *error)
{
    const pv_release_job *const job = ctx;
    const pv_release_result *const result = job->result;
    const size_t i = task / 2;
    const pv_measure *const entry = pv_measure_at(i);
    const pv_measure_ref ref = {.measure = entry, .parameter = entry->parameter_default};
    if (!pv_i_goes_on(thread, task) || !result->measured[i]) {
        return PV_STATUS_OK;
    }
    return task % 2 == 1 ? pv_measure_value(ref, job->after, &result->measures[i], error)
                         : pv_measure_value(ref, job->before, &result->measures_before[i], error);
}

pv_status pv_i_evaluate(pv_release_job *job, pv_error *error)
{
    pv_release_result *const result = job->result;
    const unsigned threads = pv_i_threads(job->context);
    const size_t n = result->n_measures = pv_n_measures();
    result->measures = PV_NEW_ZEROED(double, n);
    result->measures_before = PV_NEW_ZEROED(double, n);
    result->measured = PV_NEW_ZEROED(bool, n);
    if (result->measures == NULL || result->measures_before == NULL || result->measured == NULL) {
        return pv_i_no_memory(error);
    }
    PV_TRY(pv_i_tasks_run(threads, N_PREPARATIONS, prepare, job, NULL, error));
    if (job->settings->checks_only) {
        return PV_STATUS_OK;
    }
    for (size_t i = 0; i < n; i++) {
        result->measured[i] = pv_measure_available(pv_measure_at(i), job->study);
    }
    result->rows = pv_profile_rows(job->profile);
    result->suppressed = pv_classes_suppressed(job->after);
    result->left_out = job->settings->asked.drop_suppressed ? result->suppressed : 0;
    result->classes_before = pv_classes_remaining(job->before);
    result->classes_after = pv_classes_remaining(job->after);
    result->k = pv_classes_k(job->after);
    pv_ticker ticker = pv_i_ticker(job->context, "measuring", 2 * n);
    PV_TRY(pv_i_tasks_run(threads, 2 * n, measure, job, &ticker, error));
    return pv_i_count_labels(job, error);
}

pv_status pv_i_evaluated(const pv_release_job *job, pv_measure_ref ref, double *value,
                         pv_error *error)
{
    const double usual = ref.measure->parameter_default;
    const bool is_usual =
        ref.column[0] == '\0' &&
        (ref.measure->parameter == NULL || (ref.parameter <= usual && ref.parameter >= usual));
    for (size_t i = 0; is_usual && !job->measured_in_file && i < job->result->n_measures; i++) {
        if (pv_measure_at(i) == ref.measure && job->result->measured[i]) {
            *value = job->result->measures[i];
            return PV_STATUS_OK;
        }
    }
    return pv_measure_value(ref, job->after, value, error);
}

/* ---------------------------------------------------------------------- labels */

static pv_status count_labels(void *ctx, size_t q, const pv_thread *thread, pv_error *error)
{
    (void)thread;
    const pv_release_job *const job = ctx;
    const pv_classes *const classes = job->after;
    const pv_profile *const profile = pv_classes_profile(classes);
    const uint8_t *const levels = pv_classes_levels(classes);
    pv_label_counts *const counts = &job->label_counts[q];
    size_t n = 0;
    counts->hierarchy = pv_study_hierarchy(job->study, q);
    counts->n_leaves = pv_hierarchy_leaves(counts->hierarchy);
    counts->first = levels != NULL ? levels[q] : 0;
    counts->n_levels = levels != NULL ? 1 : pv_hierarchy_height(counts->hierarchy) + 1;
    const bool fits = pv_i_mul_size(counts->n_levels, counts->n_leaves, &n);
    counts->all = fits ? PV_NEW_ZEROED(uint64_t, n) : NULL;
    counts->released = fits ? PV_NEW_ZEROED(uint64_t, n) : NULL;
    if (counts->all == NULL || counts->released == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t t = 0; t < pv_profile_tuples(profile); t++) {
        const unsigned level = pv_classes_level(classes, t, q);
        const size_t place =
            (size_t)(level - counts->first) * counts->n_leaves + pv_profile_leaf(profile, t, q);
        const uint64_t rows = pv_profile_count(profile, t);
        counts->all[place] += rows;
        if (!pv_classes_is_suppressed(classes, pv_classes_of_tuple(classes, t))) {
            counts->released[place] += rows;
        }
    }
    return PV_STATUS_OK;
}

pv_status pv_i_count_labels(pv_release_job *job, pv_error *error)
{
    const size_t n = pv_study_quasis(job->study);
    job->label_counts = PV_NEW_ZEROED(pv_label_counts, n);
    return job->label_counts != NULL
               ? pv_i_tasks_run(pv_i_threads(job->context), n, count_labels, job, NULL, error)
               : pv_i_no_memory(error);
}

void pv_i_label_counts_free(pv_label_counts *counts, size_t n)
{
    for (size_t q = 0; counts != NULL && q < n; q++) {
        pv_i_free(counts[q].all);
        pv_i_free(counts[q].released);
    }
    pv_i_free(counts);
}

size_t pv_i_labels_shown(const pv_label_counts *counts, unsigned level, size_t most,
                         const char **labels)
{
    /* A group whose only member is a value that is called like it would show that value. */
    enum { ABSENT, PRESENT, IS_A_VALUE };
    const pv_hierarchy *const h = counts->hierarchy;
    const uint32_t n_groups = pv_hierarchy_groups(h, level);
    const uint64_t *const released = pv_i_counts_at(counts, counts->released, level);
    unsigned char *const groups = PV_NEW_ZEROED(unsigned char, n_groups);
    size_t n = 0;
    if (groups == NULL) {
        return SIZE_MAX;
    }
    for (uint32_t leaf = 0; leaf < counts->n_leaves; leaf++) {
        const uint32_t group = pv_hierarchy_group(h, level, leaf);
        if (released[leaf] > 0 && groups[group] != IS_A_VALUE) {
            const char *const value = pv_hierarchy_label(h, 0, pv_hierarchy_group(h, 0, leaf));
            groups[group] =
                strcmp(pv_hierarchy_label(h, level, group), value) == 0 ? IS_A_VALUE : PRESENT;
        }
    }
    for (uint32_t g = 0; g < n_groups && n < most; g++) {
        if (groups[g] == PRESENT) {
            labels[n++] = pv_hierarchy_label(h, level, g);
        }
    }
    pv_i_free(groups);
    return n;
}
