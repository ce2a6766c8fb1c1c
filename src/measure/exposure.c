/* How exposed a raw table is: class sizes, and how strongly each quasi-identifier and each pair
 * singles people out.
 *
 * An attribute alone is the scheme that keeps it and lifts all others to the top; dropping it is
 * the scheme that lifts it alone. So every question here is answered by grouping the profile. */
#include "measure/exposure.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/ticker.h"
#include "classes/grouping.h"

#include <stdlib.h>
#include <string.h>

#define MOST_COUNTED ((uint64_t)1 << 20) /* combinations: 8 MB */

static const char *const bin_names[PV_EXPOSURE_BINS] = {"1",     "2",     "3-4",   "5-9",
                                                        "10-19", "20-49", "50-99", "100+"};

static const uint64_t bin_starts[PV_EXPOSURE_BINS] = {1, 2, 3, 5, 10, 20, 50, 100};

const char *pv_exposure_bin_name(size_t bin)
{
    return bin_names[bin];
}

size_t pv_exposure_bin(uint64_t class_size)
{
    size_t bin = PV_EXPOSURE_BINS - 1;
    while (bin > 0 && class_size < bin_starts[bin]) {
        bin--;
    }
    return bin;
}

typedef struct {
    const pv_profile *profile;
    uint8_t *levels; /* scratch, one per quasi-identifier */
    pv_ticker ticker;
    uint64_t done;
    pv_error *error;
} exposure_work;

static uint8_t top_of(const exposure_work *work, size_t q)
{
    return (uint8_t)pv_hierarchy_height(pv_study_hierarchy(work->profile->study, q));
}

static pv_status step(exposure_work *work)
{
    return pv_i_tick(&work->ticker, work->done++) ? PV_STATUS_OK : pv_i_cancelled(work->error);
}

static uint64_t rows_below(const pv_classes *classes, uint64_t size)
{
    uint64_t rows = 0;
    for (size_t c = 0; c < classes->n_classes; c++) {
        rows += classes->size[c] < size ? classes->size[c] : 0;
    }
    return rows;
}

static uint64_t leaves_of(const exposure_work *work, size_t q)
{
    return pv_hierarchy_leaves(pv_study_hierarchy(work->profile->study, q));
}

/* Where there are no more combinations than tuples, more or less, they are counted in a table of
 * all of them, which takes a fraction of the time of grouping. */
static pv_status count_part(const exposure_work *work, size_t a, size_t b, uint64_t rare_below,
                            pv_exposure_part *part)
{
    const pv_profile *const profile = work->profile;
    const pv_field field_a = profile->packing.fields[a];
    const pv_field field_b = profile->packing.fields[b];
    const size_t width = a == b ? 1 : (size_t)leaves_of(work, b);
    const size_t n = (size_t)leaves_of(work, a) * width;
    uint64_t *const rows = PV_NEW_ZEROED(uint64_t, n);
    if (rows == NULL) {
        return pv_i_no_memory(work->error);
    }
    for (size_t t = 0; t < profile->n_tuples; t++) {
        const uint64_t *const key = profile->keys + t * profile->packing.words;
        const size_t second = a == b ? 0 : pv_i_field_get(field_b, key);
        rows[pv_i_field_get(field_a, key) * width + second] += profile->count[t];
    }
    *part = (pv_exposure_part){.a = a, .b = b};
    for (size_t i = 0; i < n; i++) {
        part->combinations += rows[i] > 0;
        part->unique_rows += rows[i] == 1;
        part->rare_rows += rows[i] < rare_below ? rows[i] : 0;
    }
    part->mean_risk = (double)part->combinations / (double)profile->n_rows;
    pv_i_free(rows);
    return PV_STATUS_OK;
}

/* The table seen through the quasi-identifiers a and b only. n attributes make n (n + 1) / 2 of
 * these groupings, each O(tuples). */
static pv_status see_part(exposure_work *work, size_t a, size_t b, uint64_t rare_below,
                          pv_exposure_part *part)
{
    pv_classes *classes = NULL;
    PV_TRY(step(work));
    const uint64_t n_b = a == b ? 1 : leaves_of(work, b);
    const uint64_t room = 2 * (uint64_t)work->profile->n_tuples;
    if (leaves_of(work, a) <= (room < MOST_COUNTED ? room : MOST_COUNTED) / n_b) {
        return count_part(work, a, b, rare_below, part);
    }
    for (size_t q = 0; q < pv_study_quasis(work->profile->study); q++) {
        work->levels[q] = q == a || q == b ? 0 : top_of(work, q);
    }
    PV_TRY(pv_classes_create(work->profile, work->levels, NULL, &classes, work->error));
    *part =
        (pv_exposure_part){.a = a,
                           .b = b,
                           .combinations = classes->n_classes,
                           .unique_rows = rows_below(classes, 2),
                           .rare_rows = rows_below(classes, rare_below),
                           .mean_risk = (double)classes->n_classes / (double)work->profile->n_rows};
    pv_classes_free(classes);
    return PV_STATUS_OK;
}

/* Unique rows that dropping attribute q would hide among others. */
static pv_status see_without(exposure_work *work, size_t q, uint64_t unique_rows, uint64_t *saved)
{
    pv_classes *classes = NULL;
    PV_TRY(step(work));
    memset(work->levels, 0, pv_study_quasis(work->profile->study));
    work->levels[q] = top_of(work, q);
    PV_TRY(pv_classes_create(work->profile, work->levels, NULL, &classes, work->error));
    *saved = unique_rows - rows_below(classes, 2);
    pv_classes_free(classes);
    return PV_STATUS_OK;
}

static int compare_parts(const void *left, const void *right)
{
    const pv_exposure_part *const a = left;
    const pv_exposure_part *const b = right;
    if (a->unique_rows != b->unique_rows) {
        return a->unique_rows < b->unique_rows ? 1 : -1;
    }
    if (a->combinations != b->combinations) {
        return a->combinations < b->combinations ? 1 : -1;
    }
    if (a->a != b->a) {
        return a->a < b->a ? -1 : 1;
    }
    return (a->b > b->b) - (a->b < b->b);
}

pv_status pv_exposure_create(const pv_profile *profile, uint64_t rare_below,
                             const pv_context *context, pv_exposure **exposure, pv_error *error)
{
    const pv_table *const table = pv_study_table(profile->study);
    const size_t n = pv_study_quasis(profile->study);
    const size_t n_pairs = n * (n - 1) / 2;
    pv_status status = PV_STATUS_OK;
    pv_exposure *const e = PV_NEW(pv_exposure);
    if (e == NULL) {
        return pv_i_no_memory(error);
    }
    exposure_work work = {.profile = profile,
                          .levels = PV_NEW_ARRAY(uint8_t, n),
                          .ticker = pv_i_ticker(context, "inspecting", 2 * n + n_pairs),
                          .error = error};
    *e = (pv_exposure){.rows = profile->n_rows,
                       .tuples = profile->n_tuples,
                       .rare_below = rare_below,
                       .n_singles = n,
                       .n_pairs = n_pairs,
                       .singles = PV_NEW_ZEROED(pv_exposure_part, n),
                       .pairs = PV_NEW_ZEROED(pv_exposure_part, n_pairs)};
    if (e->singles == NULL || e->pairs == NULL || work.levels == NULL) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    uint64_t smallest = UINT64_MAX;
    for (size_t t = 0; t < profile->n_tuples; t++) {
        const uint64_t count = profile->count[t];
        e->unique_rows += count == 1;
        e->histogram[pv_exposure_bin(count)] += count;
        smallest = count < smallest ? count : smallest;
    }
    e->risk_max = 1 / (double)smallest;
    e->risk_mean = (double)e->tuples / (double)e->rows;
    for (size_t q = 0; q < n; q++) {
        const size_t column = pv_study_quasi_column(profile->study, q);
        PV_TRY_CLEAN(see_part(&work, q, q, rare_below, &e->singles[q]));
        PV_TRY_CLEAN(see_without(&work, q, e->unique_rows, &e->singles[q].unique_saved));
        for (uint32_t code = 0; code < pv_table_values(table, column); code++) {
            e->singles[q].rare_values += pv_table_count(table, column, code) < rare_below;
        }
    }
    size_t next = 0;
    for (size_t a = 0; a < n; a++) {
        for (size_t b = a + 1; b < n; b++) {
            PV_TRY_CLEAN(see_part(&work, a, b, rare_below, &e->pairs[next++]));
        }
    }
    qsort(e->pairs, n_pairs, sizeof *e->pairs, compare_parts);
    *exposure = e;
cleanup:
    pv_i_free(work.levels);
    if (status != PV_STATUS_OK) {
        pv_exposure_free(e);
    }
    return status;
}

void pv_exposure_free(pv_exposure *exposure)
{
    if (exposure != NULL) {
        pv_i_free(exposure->singles);
        pv_i_free(exposure->pairs);
        pv_i_free(exposure);
    }
}

/* ------------------------------------------------------------------ accessors */

/* clang-format off */
uint64_t pv_exposure_rows(const pv_exposure *e) { return e->rows; }
uint64_t pv_exposure_tuples(const pv_exposure *e) { return e->tuples; }
uint64_t pv_exposure_unique_rows(const pv_exposure *e) { return e->unique_rows; }
uint64_t pv_exposure_rare_below(const pv_exposure *e) { return e->rare_below; }
double pv_exposure_risk_max(const pv_exposure *e) { return e->risk_max; }
double pv_exposure_risk_mean(const pv_exposure *e) { return e->risk_mean; }
size_t pv_exposure_n_singles(const pv_exposure *e) { return e->n_singles; }
size_t pv_exposure_n_pairs(const pv_exposure *e) { return e->n_pairs; }
/* clang-format on */

const uint64_t *pv_exposure_histogram(const pv_exposure *exposure, size_t *n_bins)
{
    *n_bins = PV_EXPOSURE_BINS;
    return exposure->histogram;
}

/* clang-format off */
const pv_exposure_part *pv_exposure_single(const pv_exposure *e, size_t q) { return &e->singles[q]; }
const pv_exposure_part *pv_exposure_pair(const pv_exposure *e, size_t i) { return &e->pairs[i]; }
size_t pv_exposure_part_a(const pv_exposure_part *part) { return part->a; }
size_t pv_exposure_part_b(const pv_exposure_part *part) { return part->b; }
size_t pv_exposure_part_combinations(const pv_exposure_part *part) { return part->combinations; }
uint64_t pv_exposure_part_unique_rows(const pv_exposure_part *part) { return part->unique_rows; }
uint64_t pv_exposure_part_rare_rows(const pv_exposure_part *part) { return part->rare_rows; }
double pv_exposure_part_mean_risk(const pv_exposure_part *part) { return part->mean_risk; }
uint64_t pv_exposure_part_unique_saved(const pv_exposure_part *part) { return part->unique_saved; }
uint64_t pv_exposure_part_rare_values(const pv_exposure_part *part) { return part->rare_values; }
/* clang-format on */
