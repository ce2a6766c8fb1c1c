/* Properties of a row that depend on its own sensitive value or label: how often it occurs in the
 * row's class (sum-l), and whether it is the majority there (cm; Iyengar, "Transforming data to
 * satisfy privacy constraints", 2002).
 *
 * All rows with the same tuple and the same value share such a property, so it is computed once for
 * each entry of the column's histogram and then handed to the rows. */
#include "measure/entry.h"

#include "base/error.h"
#include "base/memory.h"
#include "table/column.h"

#include <math.h>

/* The property of each value of a class: fills `per_code` for the codes the tally has seen. */
typedef void (*value_property)(const pv_tally *tally, bool suppressed, double *per_code);

static void own_count(const pv_tally *tally, bool suppressed, double *per_code)
{
    (void)suppressed;
    for (size_t i = 0; i < tally->n_touched; i++) {
        per_code[tally->touched[i]] = (double)tally->counts[tally->touched[i]];
    }
}

/* Ties go to the value that appears first in the table. */
static uint32_t majority(const pv_tally *tally)
{
    uint32_t best = tally->touched[0];
    for (size_t i = 1; i < tally->n_touched; i++) {
        const uint32_t code = tally->touched[i];
        if (tally->counts[code] > tally->counts[best] ||
            (tally->counts[code] == tally->counts[best] && code < best)) {
            best = code;
        }
    }
    return best;
}

static void misplaced(const pv_tally *tally, bool suppressed, double *per_code)
{
    const uint32_t winner = majority(tally);
    for (size_t i = 0; i < tally->n_touched; i++) {
        const uint32_t code = tally->touched[i];
        per_code[code] = suppressed || code != winner ? 1 : 0;
    }
}

static void copy_to_entries(const pv_histogram *h, const pv_classes *classes, size_t c,
                            const double *per_code, double *per_entry)
{
    for (uint32_t m = classes->member_start[c]; m < classes->member_start[c + 1]; m++) {
        const uint32_t tuple = classes->member[m];
        for (uint64_t e = h->start[tuple]; e < h->start[tuple + 1]; e++) {
            per_entry[e] = per_code[h->code[e]];
        }
    }
}

/* Class by class: the counts of a class say what each of its values is worth, and every entry of
 * its tuples gets that. The suppressed rows come last, as one class. */
static void fill_entries(const pv_histogram *h, const pv_classes *classes, value_property property,
                         pv_tally *tally, double *per_code, double *per_entry)
{
    for (size_t c = 0; c < classes->n_classes; c++) {
        if (!pv_i_is_suppressed(classes, c)) {
            pv_i_tally_class(tally, h, classes, c);
            property(tally, false, per_code);
            copy_to_entries(h, classes, c, per_code, per_entry);
        }
    }
    if (classes->n_suppressed == 0) {
        return;
    }
    pv_i_tally_suppressed(tally, h, classes);
    property(tally, true, per_code);
    for (size_t c = 0; c < classes->n_classes; c++) {
        if (pv_i_is_suppressed(classes, c)) {
            copy_to_entries(h, classes, c, per_code, per_entry);
        }
    }
}

/* The entry of a code among those of a tuple, which ascend: as far from the first one as the code
 * says, less the codes that the tuple lacks. */
static uint64_t find_entry(const pv_histogram *h, uint32_t tuple, uint32_t code)
{
    const uint64_t n = h->start[tuple + 1] - h->start[tuple];
    const uint64_t lacking = h->n_codes - n;
    uint64_t low = h->start[tuple] + (code > lacking ? code - lacking : 0);
    uint64_t high = h->start[tuple] + (code < n ? code : n - 1);
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (h->code[middle] < code) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Each value becomes the lesser of what it was and the property of its row; `rows` NULL = all. */
static pv_status lower_rows(const pv_histogram *h, const pv_classes *classes,
                            value_property property, const uint64_t *rows, uint64_t n,
                            double *values, pv_error *error)
{
    const pv_profile *const profile = classes->profile;
    const pv_codes codes = pv_i_table_codes(pv_study_table(profile->study), h->column);
    pv_tally tally = {0};
    pv_status status = PV_STATUS_OK;
    double *const per_code = PV_NEW_ARRAY(double, h->n_codes);
    double *const per_entry = PV_NEW_ARRAY(double, h->start[profile->n_tuples]);
    if (per_code == NULL || per_entry == NULL) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    PV_TRY_CLEAN(pv_i_tally_init(&tally, h, error));
    fill_entries(h, classes, property, &tally, per_code, per_entry);
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t row = rows != NULL ? rows[i] : i;
        const uint32_t code = pv_i_codes_at(codes, pv_i_profile_entry(profile, row));
        const uint64_t entry = find_entry(h, profile->row_tuple[row], code);
        values[i] = per_entry[entry] < values[i] ? per_entry[entry] : values[i];
    }
cleanup:
    pv_i_tally_deinit(&tally);
    pv_i_free(per_code);
    pv_i_free(per_entry);
    return status;
}

pv_status pv_i_rows_sum_l(const pv_classes *classes, size_t sensitive, const uint64_t *rows,
                          uint64_t n, double *values, pv_error *error)
{
    const bool all = sensitive == SIZE_MAX;
    for (uint64_t i = 0; i < n; i++) {
        values[i] = (double)INFINITY;
    }
    for (size_t i = all ? 0 : sensitive; all ? i < classes->profile->n_sensitive : i <= sensitive;
         i++) {
        PV_TRY(lower_rows(&classes->profile->sensitive[i], classes, own_count, rows, n, values,
                          error));
    }
    return PV_STATUS_OK;
}

pv_status pv_i_rows_cm(const pv_classes *classes, size_t sensitive, const uint64_t *rows,
                       uint64_t n, double *values, pv_error *error)
{
    (void)sensitive;
    for (uint64_t i = 0; i < n; i++) {
        values[i] = (double)INFINITY;
    }
    return lower_rows(classes->profile->label, classes, misplaced, rows, n, values, error);
}

static pv_wide sum_of_squares(const pv_tally *tally)
{
    pv_wide sum = 0;
    for (size_t i = 0; i < tally->n_touched; i++) {
        const uint64_t count = tally->counts[tally->touched[i]];
        sum += (pv_wide)count * count;
    }
    return sum;
}

typedef struct {
    pv_tally tally;
    const pv_histogram *histogram; /* NULL = the values of several columns count together */
} own_state;

static pv_status prepare_tally(const pv_histogram *histogram, bool alone, void **state,
                               pv_error *error)
{
    own_state *const own = PV_NEW(own_state);
    if (own == NULL) {
        return pv_i_no_memory(error);
    }
    own->histogram = alone ? histogram : NULL;
    const pv_status status = pv_i_tally_init(&own->tally, histogram, error);
    if (status != PV_STATUS_OK) {
        pv_i_free(own);
        return status;
    }
    *state = own;
    return PV_STATUS_OK;
}

void pv_i_discard_tally(void *state)
{
    own_state *const own = state;
    if (own != NULL) {
        pv_i_tally_deinit(&own->tally);
        pv_i_free(own);
    }
}

pv_status pv_i_prepare_sum_l(const void *formula, const pv_profile *profile, size_t sensitive,
                             void **state, pv_error *error)
{
    (void)formula;
    return prepare_tally(&profile->sensitive[sensitive != SIZE_MAX ? sensitive : 0],
                         sensitive != SIZE_MAX || profile->n_sensitive == 1, state, error);
}

pv_status pv_i_prepare_cm(const void *formula, const pv_profile *profile, size_t sensitive,
                          void **state, pv_error *error)
{
    (void)formula;
    (void)sensitive;
    return prepare_tally(profile->label, true, state, error);
}

pv_status pv_i_value_sum_l(void *state, const pv_classes *classes, double parameter, double *value,
                           pv_error *error)
{
    own_state *const own = state;
    (void)parameter;
    if (own->histogram != NULL) {
        /* Each value of a class adds the square of its count: no rows needed. */
        const pv_histogram *const h = own->histogram;
        pv_wide sum = 0;
        for (size_t c = 0; c < classes->n_classes; c++) {
            if (!pv_i_is_suppressed(classes, c)) {
                pv_i_tally_class(&own->tally, h, classes, c);
                sum += sum_of_squares(&own->tally);
            }
        }
        pv_i_tally_suppressed(&own->tally, h, classes);
        *value = (double)(sum + sum_of_squares(&own->tally));
        return PV_STATUS_OK;
    }
    const pv_profile *const profile = classes->profile;
    double *const rows = PV_NEW_ARRAY(double, profile->n_entries);
    if (rows == NULL) {
        return pv_i_no_memory(error);
    }
    const pv_status status =
        pv_i_rows_sum_l(classes, SIZE_MAX, NULL, profile->n_entries, rows, error);
    if (status == PV_STATUS_OK) {
        double sum = 0; /* of whole numbers: exact up to 2^53 */
        for (uint64_t row = 0; row < profile->n_entries; row++) {
            sum += rows[row] * (double)pv_i_entry_rows(profile->ends, row);
        }
        *value = sum;
    }
    pv_i_free(rows);
    return status;
}

static uint64_t misplaced_in(own_state *own, const pv_classes *classes, size_t c)
{
    pv_tally *const tally = &own->tally;
    pv_i_tally_class(tally, classes->profile->label, classes, c);
    return tally->total - tally->counts[majority(tally)];
}

double pv_i_unsuppressed_cm(void *state, const pv_classes *classes)
{
    uint64_t rows = 0;
    for (size_t c = 0; c < classes->n_classes; c++) {
        rows += misplaced_in(state, classes, c);
    }
    return (double)rows;
}

pv_status pv_i_value_cm(void *state, const pv_classes *classes, double parameter, double *value,
                        pv_error *error)
{
    (void)parameter;
    (void)error;
    uint64_t rows = classes->n_suppressed;
    for (size_t c = 0; c < classes->n_classes; c++) {
        if (!pv_i_is_suppressed(classes, c)) {
            rows += misplaced_in(state, classes, c);
        }
    }
    *value = (double)rows;
    return PV_STATUS_OK;
}
