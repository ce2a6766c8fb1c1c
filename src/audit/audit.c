/* The checker: what a file keeps, seen from outside. The steps:
 *
 *     count      the file's distinct rows, classes and values         audit_count.h
 *     facts      spreads of sensitive values over the classes         audit_measures.h
 *     measures   every demandable one of the registry, and extras     audit_measures.h
 *     unchanged  whom each column that is no quasi-identifier exposes (here)
 *     wildcard   the same classes with `*` as "any value"             audit_wildcard.c
 *
 * The room takes names of measures and the shape of hierarchies from public headers, and no code
 * from the rooms that make releases. A release is written only if this room and those agree. */
#include "audit/audit_measures.h"
#include "base/error.h"
#include "base/memory.h"

#include <paravent/audit.h>
#include <stdlib.h>

/* Finer where it matters: a row in a class of 2 is much safer than a unique one, in a class of 200
 * hardly safer than in one of 100. */
static size_t bin_of(uint64_t size)
{
    static const uint64_t largest_in_bin[PV_EXPOSURE_BINS] = {1, 2, 4, 9, 19, 49, 99, UINT64_MAX};
    size_t bin = 0;
    while (size > largest_in_bin[bin]) {
        bin++;
    }
    return bin;
}

static void summarise(const pv_audit_facts *facts, pv_audit *audit)
{
    const pv_audit_count *const count = facts->count;
    audit->rows = count->rows;
    audit->trimmed = count->trimmed;
    audit->missing = count->n_missing;
    audit->suppressed = count->suppressed;
    audit->classes = facts->remaining_classes;
    audit->k = facts->smallest;
    for (uint32_t i = 0; i < count->classes.n_entries; i++) {
        const uint64_t size = count->classes.entries[i].count;
        if (!pv_i_audit_remains(count, i)) {
            continue;
        }
        audit->histogram[bin_of(size)] += size;
        audit->unique_rows += size == 1;
        for (size_t j = 0; j < count->n_quasi; j++) {
            const bool is_star = pv_i_audit_code(&count->classes, i, j) == count->columns[j].star;
            audit->starred_cells += is_star ? size : 0;
        }
    }
}

/* The mean risk is over rows: all rows of a class hide among the same consistent ones. */
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

/* Every demandable measure with its default parameter, then what the caller asked for besides. */
static pv_status measure_all(const pv_audit_facts *facts, const pv_audit_options *options,
                             pv_audit *audit, pv_error *error)
{
    audit->values = PV_NEW_ZEROED(pv_audit_value, pv_n_measures() + options->n_extra);
    if (audit->values == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < pv_n_measures(); i++) {
        const pv_measure *const measure = pv_measure_at(i);
        pv_measure_ref ref = {.measure = measure, .parameter = measure->parameter_default};
        if (options->risk_threshold > 0 && measure->family == PV_FAMILY_RISK &&
            measure->parameter != NULL) {
            ref.parameter = options->risk_threshold;
        }
        if (measure->demandable) {
            PV_TRY(pv_i_audit_measure(facts, ref, &audit->values[audit->n_values++], error));
        }
    }
    for (size_t i = 0; i < options->n_extra; i++) {
        PV_TRY(
            pv_i_audit_measure(facts, options->extra[i], &audit->values[audit->n_values++], error));
    }
    return PV_STATUS_OK;
}

/* Distinct values of the remaining rows: a value that only suppressed rows have does not count. */
static pv_status count_quasi_values(const pv_audit_count *count, pv_audit *audit, pv_error *error)
{
    audit->quasi_values = PV_NEW_ZEROED(uint64_t, count->n_quasi);
    if (audit->quasi_values == NULL) {
        return pv_i_no_memory(error);
    }
    audit->n_quasi = count->n_quasi;
    for (size_t j = 0; j < count->n_quasi; j++) {
        bool *const occurs = PV_NEW_ZEROED(bool, count->columns[j].values.n_entries);
        if (occurs == NULL) {
            return pv_i_no_memory(error);
        }
        for (uint32_t i = 0; i < count->classes.n_entries; i++) {
            bool *const known = &occurs[pv_i_audit_code(&count->classes, i, j)];
            if (pv_i_audit_remains(count, i) && !*known) {
                *known = true;
                audit->quasi_values[j]++;
            }
        }
        pv_i_free(occurs);
    }
    return PV_STATUS_OK;
}

/* ---- columns that are no quasi-identifiers ---- */

/* Of a tally of classes together with something else: the rows that are alone, and the fewest
 * remaining rows that look alike. */
static void count_alone(const pv_audit_count *count, const pv_audit_tally *tally,
                        uint64_t *unique_with, uint64_t *k_with)
{
    for (uint32_t p = 0; p < tally->n_entries; p++) {
        const uint64_t rows = tally->entries[p].count;
        *unique_with += rows == 1;
        if (pv_i_audit_remains(count, pv_i_audit_code(tally, p, 0))) {
            *k_with = *k_with == 0 || rows < *k_with ? rows : *k_with;
        }
    }
}

/* In the order of the file. */
static int compare_fields(const void *left, const void *right)
{
    const pv_audit_column *const a = *(const pv_audit_column *const *)left;
    const pv_audit_column *const b = *(const pv_audit_column *const *)right;
    return (a->field > b->field) - (a->field < b->field);
}

/* The columns after the quasi-identifiers, one by one, then those judged together. */
static pv_status judge_columns(const pv_audit_count *count, pv_audit *audit, pv_error *error)
{
    const size_t n = count->n_columns - count->n_quasi;
    const pv_audit_column **const columns = PV_NEW_ARRAY(const pv_audit_column *, n);
    audit->unchanged = PV_NEW_ZEROED(pv_audit_unchanged, n);
    bool fine = columns != NULL && audit->unchanged != NULL;
    for (size_t i = 0; i < n && fine; i++) {
        columns[i] = &count->columns[count->n_quasi + i];
    }
    if (fine) {
        qsort(columns, n, sizeof *columns, compare_fields);
    }
    for (size_t i = 0; i < n && fine; i++) {
        const pv_audit_column *const column = columns[i];
        pv_audit_unchanged *const unchanged = &audit->unchanged[i];
        unchanged->name = pv_i_strdup(column->name);
        fine = unchanged->name != NULL;
        unchanged->values = column->values.n_entries;
        for (uint32_t v = 0; v < column->values.n_entries; v++) {
            unchanged->unique += column->values.entries[v].count == 1;
        }
        if (column->missing != PV_AUDIT_NOT_FOUND) {
            unchanged->missing = column->values.entries[column->missing].count;
        }
        count_alone(count, &column->pairs, &unchanged->unique_with, &unchanged->k_with);
        audit->n_unchanged = i + 1;
    }
    audit->together.columns = count->n_together;
    count_alone(count, &count->together, &audit->together.unique_with, &audit->together.k_with);
    pv_i_free(columns);
    return fine ? PV_STATUS_OK : pv_i_no_memory(error);
}

static pv_status measure_count(const pv_audit_count *count, const pv_audit_options *options,
                               const pv_context *context, pv_audit *audit, pv_error *error)
{
    pv_audit_facts facts = {0};
    PV_TRY(pv_i_audit_facts(count, options, &facts, error));
    pv_status status = PV_STATUS_OK;
    summarise(&facts, audit);
    PV_TRY_CLEAN(measure_all(&facts, options, audit, error));
    PV_TRY_CLEAN(count_quasi_values(count, audit, error));
    if (count->judges) {
        PV_TRY_CLEAN(judge_columns(count, audit, error));
    }
    PV_TRY_CLEAN(read_stars_as_wildcards(&facts, context, audit, error));
cleanup:
    pv_i_audit_facts_deinit(&facts);
    return status;
}

pv_status pv_audit_file(const char *path, const pv_audit_options *options,
                        const pv_context *context, pv_audit **audit, pv_error *error)
{
    return pv_i_audit_file(path, options, &(pv_audit_limits){0}, context, audit, error);
}

/* The count can be large; it is freed as soon as the numbers are there. */
pv_status pv_i_audit_file(const char *path, const pv_audit_options *options,
                          const pv_audit_limits *limits, const pv_context *context,
                          pv_audit **audit, pv_error *error)
{
    pv_audit_count count = {0};
    PV_TRY(pv_i_audit_count(path, options, limits, context, &count, error));
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
        for (size_t i = 0; i < audit->n_unchanged; i++) {
            pv_i_free(audit->unchanged[i].name);
        }
        pv_i_free(audit->unchanged);
        pv_i_free(audit->quasi_values);
        pv_i_free(audit->values);
        pv_i_free(audit);
    }
}

/* Parameters come from the same place or not at all: two are the same if neither is larger. */
const pv_audit_value *pv_audit_find(const pv_audit *audit, pv_measure_ref ref)
{
    for (size_t i = 0; i < audit->n_values; i++) {
        const pv_measure_ref a = audit->values[i].ref;
        if (a.measure == ref.measure &&
            (ref.measure->parameter == NULL ||
             (!(a.parameter < ref.parameter) && !(a.parameter > ref.parameter)))) {
            return &audit->values[i];
        }
    }
    return NULL;
}
