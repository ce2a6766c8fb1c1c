/* The checker: count the file, measure the count, read `*` both ways. */
#include "base/error.h"
#include "base/memory.h"
#include "release/audit_measures.h"
#include "release/audit_wildcard.h"

#include <paravent/release.h>
#include <string.h>

static void count_stars(const pv_audit_count *count, pv_audit *audit)
{
    for (uint32_t i = 0; i < count->classes.n_entries; i++) {
        for (size_t j = 0; pv_i_audit_remains(count, i) && j < count->n_quasi; j++) {
            if (pv_i_audit_code(&count->classes, i, j) == count->columns[j].star) {
                audit->starred_cells += count->classes.entries[i].count;
            }
        }
    }
}

static size_t bin_of(uint64_t size)
{
    static const uint64_t last_in_bin[PV_EXPOSURE_BINS] = {1, 2, 4, 9, 19, 49, 99, UINT64_MAX};
    size_t bin = 0;
    while (size > last_in_bin[bin]) {
        bin++;
    }
    return bin;
}

static void summarise(const pv_audit_facts *facts, pv_audit *audit)
{
    const pv_audit_count *const count = facts->count;
    audit->rows = count->rows;
    audit->suppressed = count->suppressed;
    audit->classes = facts->remaining_classes;
    audit->k = facts->smallest;
    for (uint32_t i = 0; i < count->classes.n_entries; i++) {
        const uint64_t size = count->classes.entries[i].count;
        if (pv_i_audit_remains(count, i)) {
            audit->histogram[bin_of(size)] += size;
            audit->unique_rows += size == 1;
        }
    }
    count_stars(count, audit);
}

static pv_status read_stars_as_wildcards(const pv_audit_facts *facts, const pv_context *context,
                                         pv_audit *audit, pv_error *error)
{
    const pv_audit_count *const count = facts->count;
    uint64_t *const consistent = PV_NEW_ARRAY(uint64_t, count->classes.n_entries);
    if (consistent == NULL) {
        return pv_i_no_memory(error);
    }
    const pv_status status = pv_i_audit_wildcard(count, context, consistent, error);
    double risk = 0;
    audit->k_wildcard = UINT64_MAX;
    for (uint32_t i = 0; status == PV_STATUS_OK && i < count->classes.n_entries; i++) {
        if (pv_i_audit_remains(count, i)) {
            const uint64_t n = consistent[i];
            audit->k_wildcard = n < audit->k_wildcard ? n : audit->k_wildcard;
            audit->unique_rows_wildcard += n == 1;
            risk += (double)count->classes.entries[i].count / (double)n;
        }
    }
    audit->risk_mean_wildcard = risk / (double)facts->remaining_rows;
    pv_i_free(consistent);
    return status;
}

/* A measure of the registry with the parameter it is asked for by default. */
static pv_measure_ref by_default(const pv_measure *measure, const pv_audit_options *options)
{
    const bool threshold_given =
        options->risk_threshold > 0 && strcmp(measure->name, "risk-above") == 0;
    return (pv_measure_ref){.measure = measure,
                            .parameter = threshold_given ? options->risk_threshold
                                                         : measure->parameter_default};
}

static pv_status measure_all(const pv_audit_facts *facts, const pv_audit_options *options,
                             pv_audit *audit, pv_error *error)
{
    audit->values = PV_NEW_ZEROED(pv_audit_value, pv_measures() + options->n_extra);
    if (audit->values == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < pv_measures(); i++) {
        const pv_measure *const measure = pv_measure_at(i);
        if (measure->demandable) {
            PV_TRY(pv_i_audit_measure(facts, by_default(measure, options),
                                      &audit->values[audit->n_values++], error));
        }
    }
    for (size_t i = 0; i < options->n_extra; i++) {
        PV_TRY(
            pv_i_audit_measure(facts, options->extra[i], &audit->values[audit->n_values++], error));
    }
    return PV_STATUS_OK;
}

static pv_status measure_count(const pv_audit_count *count, const pv_audit_options *options,
                               const pv_context *context, pv_audit *audit, pv_error *error)
{
    pv_audit_facts facts = {0};
    PV_TRY(pv_i_audit_facts(count, options, &facts, error));
    pv_status status = PV_STATUS_OK;
    summarise(&facts, audit);
    PV_TRY_CLEAN(measure_all(&facts, options, audit, error));
    PV_TRY_CLEAN(read_stars_as_wildcards(&facts, context, audit, error));
cleanup:
    pv_i_audit_facts_deinit(&facts);
    return status;
}

pv_status pv_audit_file(const char *path, const pv_audit_options *options,
                        const pv_context *context, pv_audit **audit, pv_error *error)
{
    pv_audit_count count = {0};
    PV_TRY(pv_i_audit_count(path, options, context, &count, error));
    pv_audit *result = PV_NEW(pv_audit);
    const pv_status status = result != NULL ? measure_count(&count, options, context, result, error)
                                            : pv_i_no_memory(error);
    if (status == PV_STATUS_OK) {
        *audit = result;
        result = NULL;
    }
    pv_audit_free(result);
    pv_i_audit_count_deinit(&count);
    return status;
}

void pv_audit_free(pv_audit *audit)
{
    if (audit != NULL) {
        pv_i_free(audit->values);
        pv_i_free(audit);
    }
}

/* Parameters come from the same place or not at all: they are the same, or neither is larger. */
static bool is_same(pv_measure_ref a, pv_measure_ref b)
{
    return a.measure == b.measure &&
           (a.measure->parameter == NULL ||
            (!(a.parameter < b.parameter) && !(a.parameter > b.parameter)));
}

const pv_audit_value *pv_audit_find(const pv_audit *audit, pv_measure_ref ref)
{
    for (size_t i = 0; i < audit->n_values; i++) {
        if (is_same(audit->values[i].ref, ref)) {
            return &audit->values[i];
        }
    }
    return NULL;
}
