/* From the values of a column to the cells of the release, each made once.
 *
 *     code of the table --places--> rank --starts, cells--> ,"Paris, Texas"
 *
 * A column of millions of rows has few distinct texts. They are numbered by rank, the order of
 * their bytes, so that comparing ranks compares texts, and two codes that are released alike have
 * one rank. A cell is ready as it is written, with its delimiter and quotes. */
#include "release/release.h"

#include "base/buffer.h"
#include "base/checked.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sha256.h"
#include "scheme/scheme.h"
#include "table/csv_writer.h"
#include "table/value.h"

#include <stdlib.h>
#include <string.h>

#define HASH_BYTES 16
#define HASH_TEXT (2 * (size_t)HASH_BYTES)

/* The released text of one place, before it is quoted. */
typedef struct {
    const char *text;
    size_t length;
    size_t place;
    bool escaped; /* a ' comes before it */
} released_text;

/* A column in the making. */
typedef struct {
    pv_released_column *column;
    const pv_release_job *job;
    const pv_table *table;
    const pv_release_options *asked;
    released_text *texts; /* per place, then by their bytes */
    char *hashes;         /* texts of HASH_TEXT bytes, one per code */
    pv_error *error;
} making;

pv_treatment pv_i_treatment(const pv_release_job *job, size_t column)
{
    const pv_plan *const plan = pv_study_plan(job->study);
    const pv_plan_attribute *const attribute =
        pv_plan_find(plan, pv_table_name(pv_study_table(job->study), column));
    if (attribute == NULL) {
        return plan->keep_others ? PV_TREATMENT_UNCHANGED : PV_TREATMENT_DROPPED;
    }
    switch (attribute->role) {
    case PV_ROLE_QUASI: return PV_TREATMENT_RECODED;
    case PV_ROLE_IDENTIFIER:
        return job->settings->asked.hash_identifiers ? PV_TREATMENT_HASHED : PV_TREATMENT_DROPPED;
    default: return PV_TREATMENT_UNCHANGED;
    }
}

size_t pv_i_quasi_of_column(const pv_study *study, size_t column)
{
    size_t quasi = 0;
    while (pv_study_quasi_column(study, quasi) != column) {
        quasi++;
    }
    return quasi;
}

/* ----------------------------------------------------------------------- texts */

static void set_text(making *m, size_t place, const char *text, size_t length)
{
    m->texts[place] =
        (released_text){.text = text,
                        .length = length,
                        .place = place,
                        .escaped = m->asked->escape_formulas && pv_i_is_escaped(text, length)};
}

static pv_status make_places(making *m, size_t n)
{
    m->column->n_places = n;
    m->column->places = PV_NEW_ARRAY(uint32_t, n);
    m->texts = PV_NEW_ARRAY(released_text, n);
    return m->column->places != NULL && m->texts != NULL ? PV_STATUS_OK : pv_i_no_memory(m->error);
}

/* The labels of all codes: of the scheme's level, or at every level. Then `*`. */
static pv_status take_labels(making *m)
{
    const pv_scheme *const scheme = m->job->scheme;
    const pv_study *const study = m->job->study;
    pv_released_column *const column = m->column;
    column->quasi = pv_i_quasi_of_column(study, column->column);
    const pv_hierarchy *const hierarchy = pv_study_hierarchy(study, column->quasi);
    const size_t levels = scheme->records != NULL ? pv_hierarchy_height(hierarchy) + 1u : 1;
    size_t n = 0;
    if (!pv_i_mul_size(levels, column->n_codes, &n)) {
        return pv_i_no_memory(m->error);
    }
    PV_TRY(make_places(m, n + 1));
    for (size_t i = 0; i < n; i++) {
        const unsigned level = (unsigned)(i / column->n_codes);
        const uint32_t code = (uint32_t)(i % column->n_codes);
        const uint32_t leaf = pv_hierarchy_leaf(hierarchy, code);
        const char *const label =
            scheme->records != NULL
                ? pv_hierarchy_label(hierarchy, level, pv_hierarchy_group(hierarchy, level, leaf))
                : pv_scheme_label(scheme, study, column->quasi, code);
        set_text(m, i, label, strlen(label));
    }
    set_text(m, n, PV_ROOT_LABEL, strlen(PV_ROOT_LABEL));
    return PV_STATUS_OK;
}

static pv_status take_values(making *m)
{
    const size_t column = m->column->column;
    PV_TRY(make_places(m, m->column->n_codes));
    for (uint32_t code = 0; code < m->column->n_codes; code++) {
        set_text(m, code, pv_table_value(m->table, column, code),
                 pv_i_table_value_length(m->table, column, code));
    }
    return PV_STATUS_OK;
}

/* The keyed hash of the column's name, a zero byte, which neither name nor value can have, and the
 * value: the same number in two columns is two hashes. A missing identifier stays missing: hashing
 * it would make all of them one person. */
static pv_status take_hashes(making *m)
{
    const size_t column = m->column->column;
    const char *const name = pv_table_name(m->table, column);
    pv_hmac hmac;
    size_t size = 0;
    PV_TRY(take_values(m));
    m->hashes = pv_i_mul_size(m->column->n_codes, HASH_TEXT, &size) ? pv_i_malloc(size + 1) : NULL;
    if (m->hashes == NULL) {
        return pv_i_no_memory(m->error);
    }
    pv_i_hmac_init(&hmac, m->asked->key, m->asked->key_size);
    for (uint32_t code = 0; code < m->column->n_codes; code++) {
        unsigned char digest[PV_SHA256_SIZE];
        char *const text = m->hashes + code * HASH_TEXT;
        if (code != pv_table_missing(m->table, column)) {
            pv_i_hmac_add(&hmac, name, strlen(name) + 1);
            pv_i_hmac_add(&hmac, m->texts[code].text, m->texts[code].length);
            pv_i_hmac_end(&hmac, digest);
            pv_i_hex(digest, HASH_BYTES, text); /* its NUL is where the next one begins */
            set_text(m, code, text, HASH_TEXT);
        }
    }
    explicit_bzero(&hmac, sizeof hmac);
    return PV_STATUS_OK;
}

/* ----------------------------------------------------------------------- ranks */

/* By their bytes as a reader of the file gets them. */
static int compare_texts(const void *left, const void *right)
{
    const released_text *const a = left;
    const released_text *const b = right;
    if (a->escaped != b->escaped) { /* then the other begins with something else than ' */
        const released_text *const plain = a->escaped ? b : a;
        const bool plain_first =
            plain->length == 0 || (unsigned char)plain->text[0] < (unsigned char)'\'';
        return plain_first == (plain == a) ? -1 : 1;
    }
    const size_t n = a->length < b->length ? a->length : b->length;
    const int order = memcmp(a->text, b->text, n);
    return order != 0 ? order : (a->length > b->length) - (a->length < b->length);
}

static void rank_texts(making *m)
{
    pv_released_column *const column = m->column;
    qsort(m->texts, column->n_places, sizeof *m->texts, compare_texts);
    size_t n = 0;
    for (size_t i = 0; i < column->n_places; i++) {
        const bool again = i > 0 && compare_texts(&m->texts[n - 1], &m->texts[i]) == 0;
        column->places[m->texts[i].place] = (uint32_t)(again ? n - 1 : n);
        if (!again) {
            m->texts[n++] = m->texts[i]; /* the first of each rank stays */
        }
    }
    column->n_ranks = (uint32_t)n;
}

static pv_status find_formulas(making *m)
{
    pv_released_column *const column = m->column;
    for (uint32_t rank = 0; rank < column->n_ranks; rank++) {
        if (pv_i_is_formula(m->texts[rank].text, m->texts[rank].length)) {
            if (column->is_formula == NULL) {
                column->is_formula = PV_NEW_ZEROED(bool, column->n_ranks);
            }
            if (column->is_formula == NULL) {
                return pv_i_no_memory(m->error);
            }
            column->is_formula[rank] = true;
        }
    }
    return PV_STATUS_OK;
}

/* Only now, of each distinct text once. The first cell of a line has no delimiter before it; an
 * empty one that is the only one would be a blank line, unless it is quoted. */
static pv_status make_cells(making *m, bool leads, bool alone)
{
    pv_released_column *const column = m->column;
    const char delimiter =
        m->asked->delimiter != 0 ? m->asked->delimiter : pv_table_delimiter(m->table);
    pv_buffer cells = {0};
    column->starts = PV_NEW_ZEROED(size_t, (size_t)column->n_ranks + 1);
    for (uint32_t rank = 0; column->starts != NULL && rank < column->n_ranks; rank++) {
        const released_text *const t = &m->texts[rank];
        if (!leads) {
            pv_i_buffer_char(&cells, delimiter);
        }
        if (alone && t->length == 0) {
            pv_i_buffer_text(&cells, "\"\"");
        }
        pv_i_csv_append(&cells, delimiter, m->asked->escape_formulas, t->text, t->length);
        column->starts[rank + 1] = cells.size;
        const size_t length = cells.size - column->starts[rank];
        column->longest = length > column->longest ? length : column->longest;
    }
    column->cells = cells.data;
    return column->starts == NULL || cells.failed ? pv_i_no_memory(m->error) : PV_STATUS_OK;
}

/* --------------------------------------------------------------------- columns */

/* In a table of an engine missing values are NULL, if "" says so when it is read: no text has to be
 * a number then. */
static void find_missing(making *m)
{
    pv_released_column *const column = m->column;
    const uint32_t missing = pv_table_missing(m->table, column->column);
    const char *const name = pv_table_name(m->table, column->column);
    const char *const *spellings = pv_plan_missing(pv_study_plan(m->job->study), name);
    spellings = spellings != NULL ? spellings : pv_i_default_missing;
    while (*spellings != NULL && **spellings != '\0') {
        spellings++;
    }
    column->missing = UINT32_MAX;
    if (missing == PV_NO_CODE || *spellings == NULL) {
        return;
    }
    const char *const text = pv_table_value(m->table, column->column, missing);
    for (uint32_t rank = 0; rank < column->n_ranks; rank++) {
        if (!m->texts[rank].escaped && strlen(text) == m->texts[rank].length &&
            memcmp(text, m->texts[rank].text, m->texts[rank].length) == 0) {
            column->missing = rank;
        }
    }
}

/* For a table of an engine: neither delimiters nor quotes. */
static pv_status make_values(making *m)
{
    pv_released_column *const column = m->column;
    pv_buffer cells = {0};
    column->starts = PV_NEW_ZEROED(size_t, (size_t)column->n_ranks + 1);
    pv_i_buffer_text(&cells, "");
    for (uint32_t rank = 0; column->starts != NULL && rank < column->n_ranks; rank++) {
        pv_i_buffer_text(&cells, m->texts[rank].escaped ? "'" : "");
        pv_i_buffer_bytes(&cells, m->texts[rank].text, m->texts[rank].length);
        column->starts[rank + 1] = cells.size;
    }
    column->cells = cells.data;
    if (column->starts == NULL || cells.failed) {
        return pv_i_no_memory(m->error);
    }
    find_missing(m);
    column->type = pv_i_released_type(m->job, column);
    return PV_STATUS_OK;
}

static pv_status make_column(making *m, bool leads, bool alone)
{
    pv_status status;
    switch (m->column->treatment) {
    case PV_TREATMENT_RECODED: status = take_labels(m); break;
    case PV_TREATMENT_HASHED: status = take_hashes(m); break;
    default: status = take_values(m); break;
    }
    if (status == PV_STATUS_OK) {
        rank_texts(m);
        status = m->job->publish != NULL ? make_values(m) : make_cells(m, leads, alone);
    }
    if (status == PV_STATUS_OK) {
        status = find_formulas(m);
    }
    pv_i_free(m->texts);
    pv_i_free(m->hashes);
    return status;
}

pv_status pv_i_released_columns(const pv_release_job *job, pv_released_column **columns, size_t *n,
                                pv_error *error)
{
    const pv_table *const table = pv_study_table(job->study);
    pv_released_column *const list = *columns =
        PV_NEW_ZEROED(pv_released_column, pv_table_columns(table));
    if (list == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t column = 0; column < pv_table_columns(table); column++) {
        const pv_treatment treatment = pv_i_treatment(job, column);
        if (treatment != PV_TREATMENT_DROPPED) {
            list[(*n)++] = (pv_released_column){.column = column,
                                                .treatment = treatment,
                                                .codes = pv_i_table_codes(table, column),
                                                .n_codes = pv_table_values(table, column)};
        }
    }
    for (size_t i = 0; i < *n; i++) {
        making m = {.column = &list[i],
                    .job = job,
                    .table = table,
                    .asked = &job->settings->asked,
                    .error = error};
        PV_TRY(make_column(&m, i == 0, *n == 1));
    }
    return PV_STATUS_OK;
}

void pv_i_released_columns_free(pv_released_column *columns, size_t n)
{
    for (size_t i = 0; columns != NULL && i < n; i++) {
        pv_i_free(columns[i].places);
        pv_i_free(columns[i].starts);
        pv_i_free(columns[i].cells);
        pv_i_free(columns[i].is_formula);
    }
    pv_i_free(columns);
}
