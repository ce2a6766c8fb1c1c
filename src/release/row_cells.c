/* From the values of a column to the cells of the release, each made once. */
#include "release/row_cells.h"
#include "plan/plan.h"
#include "release/settings.h"
#include "scheme/scheme.h"

#include "base/buffer.h"
#include "base/checked.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sha256.h"
#include "table/csv_writer.h"

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
} face;

/* A column in the making. */
typedef struct {
    pv_released_column *column;
    const pv_table *table;
    const pv_release_settings *options;
    char delimiter;
    bool leads;   /* the first of the line: no delimiter before its cells */
    bool alone;   /* the only one: an empty cell would be a blank line */
    face *faces;  /* per place, then by their bytes */
    char *hashes; /* texts of HASH_TEXT bytes, one per code */
    pv_error *error;
} making;

pv_treatment pv_i_release_treatment(const pv_study *study, const pv_release_settings *options,
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

/* -------------------------------------------------------------------- texts */

static size_t quasi_of(const pv_study *study, size_t column)
{
    size_t quasi = 0;
    while (pv_study_quasi_column(study, quasi) != column) {
        quasi++;
    }
    return quasi;
}

static void set_face(making *m, size_t place, const char *text, size_t length)
{
    m->faces[place] =
        (face){.text = text,
               .length = length,
               .place = place,
               .escaped = m->options->escape_formulas && pv_i_is_escaped(text, length)};
}

static pv_status make_room(making *m, size_t n)
{
    m->column->n_places = n;
    m->column->places = PV_NEW_ARRAY(uint32_t, n);
    m->faces = PV_NEW_ARRAY(face, n);
    return m->column->places != NULL && m->faces != NULL ? PV_STATUS_OK : pv_i_no_memory(m->error);
}

/* The labels of all codes: of the scheme's level, or at every level. Then `*`. */
static pv_status take_labels(making *m, const pv_scheme *scheme, const pv_study *study)
{
    pv_released_column *const column = m->column;
    column->quasi = quasi_of(study, column->column);
    const pv_hierarchy *const hierarchy = pv_study_hierarchy(study, column->quasi);
    const size_t levels = scheme->records != NULL ? pv_hierarchy_height(hierarchy) + 1u : 1;
    size_t n = 0;
    if (!pv_i_mul_size(levels, column->n_codes, &n)) {
        return pv_i_no_memory(m->error);
    }
    PV_TRY(make_room(m, n + 1));
    for (size_t i = 0; i < n; i++) {
        const unsigned level = (unsigned)(i / column->n_codes);
        const uint32_t code = (uint32_t)(i % column->n_codes);
        const uint32_t leaf = pv_hierarchy_leaf(hierarchy, code);
        const char *const label =
            scheme->records != NULL
                ? pv_hierarchy_label(hierarchy, level, pv_hierarchy_group(hierarchy, level, leaf))
                : pv_scheme_label(scheme, study, column->quasi, code);
        set_face(m, i, label, strlen(label));
    }
    set_face(m, n, PV_ROOT_LABEL, strlen(PV_ROOT_LABEL));
    return PV_STATUS_OK;
}

static pv_status take_values(making *m)
{
    const size_t column = m->column->column;
    PV_TRY(make_room(m, m->column->n_codes));
    for (uint32_t code = 0; code < m->column->n_codes; code++) {
        set_face(m, code, pv_table_value(m->table, column, code),
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
    PV_TRY(take_values(m));
    size_t size = 0;
    m->hashes = pv_i_mul_size(m->column->n_codes, HASH_TEXT, &size) ? pv_i_malloc(size + 1) : NULL;
    if (m->hashes == NULL) {
        return pv_i_no_memory(m->error);
    }
    pv_i_hmac_init(&hmac, m->options->key, m->options->key_size);
    for (uint32_t code = 0; code < m->column->n_codes; code++) {
        unsigned char digest[PV_SHA256_SIZE];
        char *const text = m->hashes + code * HASH_TEXT;
        if (code != pv_table_missing(m->table, column)) {
            pv_i_hmac_add(&hmac, name, strlen(name) + 1);
            pv_i_hmac_add(&hmac, m->faces[code].text, m->faces[code].length);
            pv_i_hmac_end(&hmac, digest);
            pv_i_hex(digest, HASH_BYTES, text); /* its NUL is where the next one begins */
            set_face(m, code, text, HASH_TEXT);
        }
    }
    explicit_bzero(&hmac, sizeof hmac);
    return PV_STATUS_OK;
}

/* -------------------------------------------------------------------- ranks */

/* By their bytes as a reader of the file gets them. */
static int compare_faces(const void *left, const void *right)
{
    const face *const a = left;
    const face *const b = right;
    if (a->escaped != b->escaped) { /* then the other begins with something else than ' */
        const face *const plain = a->escaped ? b : a;
        const bool plain_first =
            plain->length == 0 || (unsigned char)plain->text[0] < (unsigned char)'\'';
        return plain_first == (plain == a) ? -1 : 1;
    }
    const size_t n = a->length < b->length ? a->length : b->length;
    const int order = memcmp(a->text, b->text, n);
    return order != 0 ? order : (a->length > b->length) - (a->length < b->length);
}

static void rank_faces(making *m)
{
    pv_released_column *const column = m->column;
    qsort(m->faces, column->n_places, sizeof *m->faces, compare_faces);
    size_t n = 0;
    for (size_t i = 0; i < column->n_places; i++) {
        column->places[m->faces[i].place] =
            (uint32_t)(n - (i > 0 && compare_faces(&m->faces[n - 1], &m->faces[i]) == 0));
        if (column->places[m->faces[i].place] == n) {
            m->faces[n++] = m->faces[i]; /* the first of each rank stays */
        }
    }
    column->n_ranks = (uint32_t)n;
}

static pv_status mark_formulas(making *m)
{
    pv_released_column *const column = m->column;
    for (uint32_t rank = 0; rank < column->n_ranks; rank++) {
        if (!pv_i_is_formula(m->faces[rank].text, m->faces[rank].length)) {
            continue;
        }
        if (column->is_formula == NULL) {
            column->is_formula = PV_NEW_ZEROED(bool, column->n_ranks);
        }
        if (column->is_formula == NULL) {
            return pv_i_no_memory(m->error);
        }
        column->is_formula[rank] = true;
    }
    return PV_STATUS_OK;
}

/* Only now, of each distinct text once. */
static pv_status make_cells(making *m)
{
    pv_released_column *const column = m->column;
    pv_buffer cells = {0};
    column->starts = PV_NEW_ARRAY(size_t, (size_t)column->n_ranks + 1);
    if (column->starts == NULL) {
        return pv_i_no_memory(m->error);
    }
    column->starts[0] = 0;
    for (uint32_t rank = 0; rank < column->n_ranks; rank++) {
        const face *const f = &m->faces[rank];
        if (!m->leads) {
            pv_i_buffer_char(&cells, m->delimiter);
        }
        if (m->alone && f->length == 0) {
            pv_i_buffer_text(&cells, "\"\"");
        }
        pv_i_csv_append(&cells, m->delimiter, m->options->escape_formulas, f->text, f->length);
        column->starts[rank + 1] = cells.size;
        const size_t length = cells.size - column->starts[rank];
        column->longest = length > column->longest ? length : column->longest;
    }
    column->cells = cells.data;
    return cells.failed ? pv_i_no_memory(m->error) : mark_formulas(m);
}

/* ------------------------------------------------------------------ columns */

static pv_status make_column(making *m, const pv_scheme *scheme, const pv_study *study)
{
    pv_status status;
    switch (m->column->treatment) {
    case PV_TREATMENT_RECODED: status = take_labels(m, scheme, study); break;
    case PV_TREATMENT_HASHED: status = take_hashes(m); break;
    default: status = take_values(m); break;
    }
    if (status == PV_STATUS_OK) {
        rank_faces(m);
        status = make_cells(m);
    }
    pv_i_free(m->faces);
    pv_i_free(m->hashes);
    return status;
}

static void choose_columns(pv_released_columns *columns, const pv_study *study,
                           const pv_release_settings *options)
{
    const pv_table *const table = pv_study_table(study);
    for (size_t column = 0; column < pv_table_columns(table); column++) {
        const pv_treatment treatment = pv_i_release_treatment(study, options, column);
        if (treatment != PV_TREATMENT_DROPPED) {
            columns->list[columns->n++] =
                (pv_released_column){.column = column,
                                     .treatment = treatment,
                                     .codes = pv_i_table_codes(table, column),
                                     .n_codes = pv_table_values(table, column)};
        }
    }
}

pv_status pv_i_released_columns_init(pv_released_columns *columns, const pv_scheme *scheme,
                                     const pv_study *study, const pv_release_settings *options,
                                     pv_error *error)
{
    const pv_table *const table = pv_study_table(study);
    *columns =
        (pv_released_columns){.list = PV_NEW_ZEROED(pv_released_column, pv_table_columns(table))};
    if (columns->list == NULL) {
        return pv_i_no_memory(error);
    }
    choose_columns(columns, study, options);
    for (size_t i = 0; i < columns->n; i++) {
        making m = {.column = &columns->list[i],
                    .table = table,
                    .options = options,
                    .delimiter =
                        options->delimiter != 0 ? options->delimiter : pv_table_delimiter(table),
                    .leads = i == 0,
                    .alone = columns->n == 1,
                    .error = error};
        PV_TRY(make_column(&m, scheme, study));
    }
    return PV_STATUS_OK;
}

void pv_i_released_columns_deinit(pv_released_columns *columns)
{
    for (size_t i = 0; columns->list != NULL && i < columns->n; i++) {
        pv_i_free(columns->list[i].places);
        pv_i_free(columns->list[i].starts);
        pv_i_free(columns->list[i].cells);
        pv_i_free(columns->list[i].is_formula);
    }
    pv_i_free(columns->list);
    *columns = (pv_released_columns){0};
}
