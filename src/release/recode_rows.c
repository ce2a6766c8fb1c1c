/* Applying a scheme to the rows. Each released column has a way to say a row's value: recoded,
 * hashed or as it is; identifiers that are dropped have none. */
#include "release/recode_rows.h"

#include "base/checked.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/rng.h"
#include "base/sha256.h"
#include "base/ticker.h"
#include "table/column.h"
#include "table/csv_writer.h"

#include <string.h>

#define HASH_BYTES 16

typedef struct {
    size_t column; /* of the table */
    pv_treatment treatment;
    pv_codes codes;
    size_t quasi;        /* recoded: which quasi-identifier it is */
    const char **labels; /* per dictionary code; with a scheme of records for every level */
    uint32_t n_codes;
} released_column;

typedef struct {
    const pv_table *table;
    const pv_classes *classes;
    bool by_record; /* has every tuple levels of its own? */
    const pv_release_options *options;
    released_column *columns;
    size_t n_columns;
    uint64_t *order; /* rows in the order of release; NULL = as they are */
    pv_csv_writer writer;
} rows_work;

pv_treatment pv_i_release_treatment(const pv_study *study, const pv_release_options *options,
                                    size_t column)
{
    const pv_plan *const plan = pv_study_plan(study);
    const pv_plan_attribute *const attribute =
        pv_plan_find(plan, pv_table_name(pv_study_table(study), column));
    if (attribute == NULL) {
        return plan->keep_others ? PV_TREATMENT_UNCHANGED : PV_TREATMENT_DROPPED;
    }
    switch (attribute->role) {
    case PV_ROLE_QUASI: return PV_TREATMENT_RECODED;
    case PV_ROLE_IDENTIFIER:
        return options->hash_identifiers ? PV_TREATMENT_HASHED : PV_TREATMENT_DROPPED;
    default: return PV_TREATMENT_UNCHANGED;
    }
}

static size_t quasi_of(const pv_study *study, size_t column)
{
    size_t quasi = 0;
    while (pv_study_quasi_column(study, quasi) != column) {
        quasi++;
    }
    return quasi;
}

/* The labels of all codes at every level, level after level. */
static pv_status label_levels(released_column *released, const pv_hierarchy *hierarchy,
                              pv_error *error)
{
    const unsigned height = pv_hierarchy_height(hierarchy);
    size_t n = 0;
    released->labels =
        pv_i_mul_size(height + 1, released->n_codes, &n) ? PV_NEW_ARRAY(const char *, n) : NULL;
    if (released->labels == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < n; i++) {
        const unsigned level = (unsigned)(i / released->n_codes);
        const uint32_t leaf = pv_hierarchy_leaf(hierarchy, (uint32_t)(i % released->n_codes));
        released->labels[i] =
            pv_hierarchy_label(hierarchy, level, pv_hierarchy_group(hierarchy, level, leaf));
    }
    return PV_STATUS_OK;
}

static pv_status recode_column(released_column *released, const pv_scheme *scheme,
                               const pv_study *study, pv_error *error)
{
    const uint32_t n = pv_table_values(pv_study_table(study), released->column);
    released->quasi = quasi_of(study, released->column);
    released->n_codes = n;
    if (scheme->records != NULL) {
        return label_levels(released, pv_study_hierarchy(study, released->quasi), error);
    }
    released->labels = PV_NEW_ARRAY(const char *, n);
    if (released->labels == NULL) {
        return pv_i_no_memory(error);
    }
    for (uint32_t code = 0; code < n; code++) {
        released->labels[code] = pv_scheme_label(scheme, study, released->quasi, code);
    }
    return PV_STATUS_OK;
}

static pv_status choose_columns(rows_work *work, const pv_scheme *scheme, const pv_study *study,
                                pv_error *error)
{
    const size_t n = pv_table_columns(work->table);
    work->columns = PV_NEW_ZEROED(released_column, n);
    if (work->columns == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t column = 0; column < n; column++) {
        const pv_treatment treatment = pv_i_release_treatment(study, work->options, column);
        if (treatment == PV_TREATMENT_DROPPED) {
            continue;
        }
        released_column *const released = &work->columns[work->n_columns++];
        released->column = column;
        released->codes = pv_i_table_codes(work->table, column);
        released->treatment = treatment;
        if (treatment == PV_TREATMENT_RECODED) {
            PV_TRY(recode_column(released, scheme, study, error));
        }
    }
    return PV_STATUS_OK;
}

/* Fisher and Yates: every order equally likely. */
static pv_status shuffle_rows(rows_work *work, pv_error *error)
{
    const uint64_t n = pv_table_rows(work->table);
    pv_rng rng;
    work->order = PV_NEW_ARRAY(uint64_t, n);
    if (work->order == NULL) {
        return pv_i_no_memory(error);
    }
    pv_i_rng_init(&rng, work->options->seed);
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t j = pv_i_rng_below(&rng, i + 1);
        if (j != i) {
            work->order[i] = work->order[j];
        }
        work->order[j] = i;
    }
    return PV_STATUS_OK;
}

/* A missing identifier stays missing: hashing it would make all of them one person. */
static void write_hash(rows_work *work, size_t column, uint32_t code)
{
    const char *const value = pv_table_value(work->table, column, code);
    if (code == pv_table_missing(work->table, column)) {
        pv_i_csv_field(&work->writer, value);
        return;
    }
    unsigned char digest[PV_SHA256_SIZE];
    char text[2 * HASH_BYTES + 1];
    pv_i_hmac_sha256(work->options->key, work->options->key_size, value, strlen(value), digest);
    pv_i_hex(digest, HASH_BYTES, text);
    pv_i_csv_field_bytes(&work->writer, text, 2 * (size_t)HASH_BYTES);
}

static const char *label_of(const rows_work *work, const released_column *released, size_t tuple,
                            uint32_t code)
{
    const unsigned level =
        work->by_record ? pv_classes_level(work->classes, tuple, released->quasi) : 0;
    return released->labels[(size_t)level * released->n_codes + code];
}

static void write_cell(rows_work *work, const released_column *released, uint64_t row, size_t tuple,
                       bool suppressed)
{
    const uint32_t code = pv_i_codes_at(released->codes, row);
    switch (released->treatment) {
    case PV_TREATMENT_RECODED:
        pv_i_csv_field(&work->writer,
                       suppressed ? PV_ROOT_LABEL : label_of(work, released, tuple, code));
        break;
    case PV_TREATMENT_HASHED: write_hash(work, released->column, code); break;
    default:
        pv_i_csv_field_bytes(&work->writer, pv_table_value(work->table, released->column, code),
                             pv_i_table_value_length(work->table, released->column, code));
        break;
    }
}

static pv_status write_header(rows_work *work, pv_error *error)
{
    for (size_t i = 0; i < work->n_columns; i++) {
        pv_i_csv_field(&work->writer, pv_table_name(work->table, work->columns[i].column));
    }
    return pv_i_csv_end(&work->writer, error);
}

static pv_status write_rows(rows_work *work, const pv_context *context, pv_error *error)
{
    const pv_profile *const profile = pv_classes_profile(work->classes);
    const uint64_t n = pv_table_rows(work->table);
    pv_ticker ticker = pv_i_ticker(context, "writing", n);
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t row = work->order != NULL ? work->order[i] : i;
        const size_t tuple = pv_profile_tuple(profile, row);
        const size_t c = pv_classes_of_tuple(work->classes, tuple);
        const bool suppressed = pv_classes_is_suppressed(work->classes, c);
        if (suppressed && work->options->drop_suppressed) {
            continue;
        }
        for (size_t j = 0; j < work->n_columns; j++) {
            write_cell(work, &work->columns[j], row, tuple, suppressed);
        }
        PV_TRY(pv_i_csv_end(&work->writer, error));
        if (!pv_i_tick(&ticker, i)) {
            return pv_i_cancelled(error);
        }
    }
    return pv_i_csv_flush(&work->writer, error);
}

static void work_deinit(rows_work *work)
{
    for (size_t i = 0; work->columns != NULL && i < work->n_columns; i++) {
        pv_i_free(work->columns[i].labels);
    }
    pv_i_csv_deinit(&work->writer);
    pv_i_free(work->columns);
    pv_i_free(work->order);
}

pv_status pv_i_release_rows(const pv_scheme *scheme, const pv_classes *classes,
                            const pv_release_options *options, pv_output *output,
                            const pv_context *context, pv_error *error)
{
    const pv_study *const study = pv_profile_study(pv_classes_profile(classes));
    rows_work work = {.table = pv_study_table(study),
                      .classes = classes,
                      .by_record = scheme->records != NULL,
                      .options = options};
    pv_status status = PV_STATUS_OK;
    const char delimiter =
        options->delimiter != 0 ? options->delimiter : pv_table_delimiter(work.table);
    pv_i_csv_init(&work.writer, delimiter, output);
    PV_TRY_CLEAN(choose_columns(&work, scheme, study, error));
    if (options->shuffle) {
        PV_TRY_CLEAN(shuffle_rows(&work, error));
    }
    PV_TRY_CLEAN(write_header(&work, error));
    PV_TRY_CLEAN(write_rows(&work, context, error));
cleanup:
    work_deinit(&work);
    return status;
}
