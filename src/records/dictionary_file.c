/* The dictionary from a file: a table of other people with some of the columns. Its rows become
 * distinct tuples of values, numbered in order of their first appearance. */
#include "base/buffer.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/ticker.h"
#include "classes/keys.h"
#include "plan/spelling.h"
#include "records/dictionary_parts.h"
#include "table/column.h"
#include "table/value.h"

#include <string.h>

#define CHUNK_ROWS ((size_t)2048)

/* ---------------------------------------------------------------- reading */

/* The columns of the file, as they are met. */
typedef struct {
    const pv_study *study;
    const char *const *ignore; /* NULL-terminated or NULL */
    bool *ignored;             /* by place in that list: the file has it */
    size_t n_strange;
    pv_buffer strange; /* those that are not recognised, for a message */
    pv_buffer option;  /* ... and for `--ignore` */
} columns;

static bool is_quasi(const pv_study *study, const char *column)
{
    for (size_t quasi = 0; quasi < pv_study_quasis(study); quasi++) {
        if (strcmp(pv_study_quasi_name(study, quasi), column) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_ignored(const columns *c, const char *column)
{
    bool found = false;
    for (size_t i = 0; c->ignore != NULL && c->ignore[i] != NULL; i++) {
        if (strcmp(c->ignore[i], column) == 0) {
            c->ignored[i] = found = true;
        }
    }
    return found;
}

/* The role that the plan gives a column; PV_ROLE_COUNT = it does not name it. */
static pv_role role_of(const pv_study *study, const char *column)
{
    const pv_plan *const plan = pv_study_plan(study);
    for (size_t i = 0; i < plan->n_attributes; i++) {
        if (strcmp(plan->attributes[i].name, column) == 0) {
            return plan->attributes[i].role;
        }
    }
    return PV_ROLE_COUNT;
}

/* Why it is not recognised: "`Age` (the plan has `age`)". */
static void note_strange(columns *c, const char *column)
{
    const pv_role role = role_of(c->study, column);
    pv_suggestion near = {.word = column};
    for (size_t quasi = 0; quasi < pv_study_quasis(c->study); quasi++) {
        pv_i_suggest(&near, pv_study_quasi_name(c->study, quasi));
    }
    pv_i_buffer_format(&c->strange, "%s`%s`", c->n_strange > 0 ? ", " : "",
                       pv_i_shown(column).text);
    if (role != PV_ROLE_COUNT) {
        pv_i_buffer_format(&c->strange, " (whose role is `%s`)", pv_role_name(role));
    } else if (near.best != NULL) {
        pv_i_buffer_format(&c->strange, " (the plan has `%s`)", pv_i_shown(near.best).text);
    }
    pv_i_buffer_format(&c->option, "%s%s", c->n_strange > 0 ? "," : "", pv_i_shown(column).text);
    c->n_strange++;
}

/* Identifiers are recognised, but not released: nobody can be found by them. */
static bool see_column(void *ctx, const char *column)
{
    columns *const c = ctx;
    if (is_ignored(c, column)) {
        return false;
    }
    if (is_quasi(c->study, column)) {
        return true;
    }
    if (role_of(c->study, column) != PV_ROLE_IDENTIFIER) {
        note_strange(c, column);
    }
    return false;
}

static pv_status check_ignored(const columns *c, const char *path, pv_error *error)
{
    for (size_t i = 0; c->ignore != NULL && c->ignore[i] != NULL; i++) {
        if (!c->ignored[i]) {
            return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, path, 0, 0,
                                          "the dictionary has no column `%s` to be ignored",
                                          pv_i_shown(c->ignore[i]).text),
                             error, "name it as the first line of the file does");
        }
    }
    return PV_STATUS_OK;
}

static pv_status check_columns(const columns *c, const char *path, pv_error *error)
{
    if (c->strange.failed || c->option.failed) {
        return pv_i_no_memory(error);
    }
    PV_TRY(check_ignored(c, path, error));
    if (c->n_strange == 0) {
        return PV_STATUS_OK;
    }
    return pv_i_hint(
        pv_i_fail_at(error, PV_STATUS_INPUT, path, 0, 0,
                     "%zu column%s of the dictionary %s no quasi-identifier%s of the plan: %s",
                     c->n_strange, c->n_strange == 1 ? "" : "s", c->n_strange == 1 ? "is" : "are",
                     c->n_strange == 1 ? "" : "s", c->strange.data),
        error,
        "what the attacker knows must not be overlooked: name columns as in the plan, give them "
        "the role quasi there, or leave them aside with --ignore %s",
        c->option.data);
}

static pv_status check_table(const pv_table *table, const char *path, pv_error *error)
{
    if (pv_table_columns(table) == 0) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, path, 0, 0,
                                      "the dictionary has none of the quasi-identifiers"),
                         error,
                         "name its columns as in the plan; it is read with the plan's delimiter, "
                         "quotes and header");
    }
    if (pv_table_rows(table) == 0) {
        return pv_i_fail_at(error, PV_STATUS_INPUT, path, 0, 0, "the dictionary has no rows");
    }
    return PV_STATUS_OK;
}

static pv_status read_columns(columns *c, const char *path, const pv_context *context,
                              pv_table **table, pv_error *error)
{
    const pv_plan *const plan = pv_study_plan(c->study);
    pv_read_options reading = pv_plan_reading(plan);
    reading.keep = see_column;
    reading.keep_ctx = c;
    pv_table *made = NULL;
    PV_TRY(pv_table_read(path, &reading, context, &made, error));
    pv_status status = check_table(made, path, error);
    if (status == PV_STATUS_OK) {
        status = check_columns(c, path, error);
    }
    const pv_table *const original = pv_study_table(c->study);
    for (size_t column = 0; column < pv_table_columns(made) && status == PV_STATUS_OK; column++) {
        const size_t same = pv_table_find(original, pv_table_name(made, column));
        status = pv_i_table_take_type(made, column, original, same, error);
    }
    if (status != PV_STATUS_OK) {
        pv_table_free(made);
        return status;
    }
    *table = made;
    return PV_STATUS_OK;
}

static pv_status read_table(const pv_study *study, const pv_dictionary_options *options,
                            const pv_context *context, pv_table **table, pv_error *error)
{
    size_t n_ignore = 0;
    while (options->ignore != NULL && options->ignore[n_ignore] != NULL) {
        n_ignore++;
    }
    columns c = {
        .study = study, .ignore = options->ignore, .ignored = PV_NEW_ZEROED(bool, n_ignore)};
    const pv_status status = c.ignored != NULL
                                 ? read_columns(&c, options->path, context, table, error)
                                 : pv_i_no_memory(error);
    pv_i_free(c.ignored);
    pv_i_buffer_deinit(&c.strange);
    pv_i_buffer_deinit(&c.option);
    return status;
}

/* ------------------------------------------------------------------ tuples */

/* What grouping the rows needs. */
typedef struct {
    pv_dictionary *dictionary;
    const pv_table *table;
    pv_packing packing; /* a field per quasi-identifier; of no bits if it is not known */
    pv_keymap map;
    uint64_t *keys; /* of CHUNK_ROWS rows */
    uint32_t *codes;
    size_t capacity; /* of the dictionary's counts */
} grouping;

static pv_status grouping_init(grouping *g, pv_error *error)
{
    const size_t n = pv_study_quasis(g->dictionary->profile->study);
    uint32_t *const sizes = PV_NEW_ARRAY(uint32_t, n);
    if (sizes == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t quasi = 0; quasi < n; quasi++) {
        const pv_known *const known = &g->dictionary->known[quasi];
        sizes[quasi] = known->is_known ? known->n_values : 1;
    }
    const pv_status status = pv_i_packing_of_sizes(&g->packing, sizes, n, error);
    pv_i_free(sizes);
    PV_TRY(status);
    g->keys = PV_NEW_ARRAY(uint64_t, CHUNK_ROWS * g->packing.words);
    g->codes = PV_NEW_ARRAY(uint32_t, CHUNK_ROWS);
    const bool fine = g->keys != NULL && g->codes != NULL &&
                      pv_i_keymap_init(&g->map, g->packing.words, CHUNK_ROWS);
    return fine ? PV_STATUS_OK : pv_i_no_memory(error);
}

static void grouping_deinit(grouping *g)
{
    pv_i_packing_deinit(&g->packing);
    pv_i_keymap_deinit(&g->map);
    pv_i_free(g->keys);
    pv_i_free(g->codes);
}

static void pack_chunk(const grouping *g, uint64_t first, size_t n)
{
    const pv_study *const study = g->dictionary->profile->study;
    const unsigned words = g->packing.words;
    memset(g->keys, 0, n * words * sizeof *g->keys);
    for (size_t quasi = 0; quasi < g->packing.n_fields; quasi++) {
        const pv_field field = g->packing.fields[quasi];
        if (!g->dictionary->known[quasi].is_known) {
            continue;
        }
        const size_t column = pv_table_find(g->table, pv_study_quasi_name(study, quasi));
        pv_i_codes_unpack(pv_i_table_codes(g->table, column), first, n, g->codes);
        for (size_t row = 0; row < n; row++) {
            g->keys[row * words + field.word] |= (uint64_t)g->codes[row] << field.shift;
        }
    }
}

static bool count_chunk(grouping *g, size_t n)
{
    pv_dictionary *const dictionary = g->dictionary;
    for (size_t row = 0; row < n; row++) {
        const uint32_t tuple = pv_i_keymap_add(&g->map, g->keys + row * g->packing.words);
        if (tuple == PV_KEYMAP_FULL || !pv_i_reserve((void **)&dictionary->counts, &g->capacity,
                                                     g->map.n, sizeof *dictionary->counts)) {
            return false;
        }
        if (tuple == dictionary->n_tuples) {
            dictionary->counts[dictionary->n_tuples++] = 0;
        }
        dictionary->counts[tuple]++;
    }
    return true;
}

static pv_status count_rows(grouping *g, const pv_context *context, pv_error *error)
{
    const uint64_t n_rows = pv_table_rows(g->table);
    pv_ticker ticker = pv_i_ticker(context, "grouping", n_rows);
    for (uint64_t row = 0; row < n_rows; row += CHUNK_ROWS) {
        const size_t n = n_rows - row < CHUNK_ROWS ? (size_t)(n_rows - row) : CHUNK_ROWS;
        pack_chunk(g, row, n);
        if (!count_chunk(g, n)) {
            return pv_i_no_memory(error);
        }
        if (!pv_i_tick(&ticker, row)) {
            return pv_i_cancelled(error);
        }
    }
    g->dictionary->n_rows = n_rows;
    return PV_STATUS_OK;
}

static pv_status take_tuples(const grouping *g, pv_error *error)
{
    const pv_dictionary *const dictionary = g->dictionary;
    for (size_t quasi = 0; quasi < g->packing.n_fields; quasi++) {
        pv_known *const known = &dictionary->known[quasi];
        if (!known->is_known) {
            continue;
        }
        known->values = PV_NEW_ARRAY(uint32_t, dictionary->n_tuples);
        if (known->values == NULL) {
            return pv_i_no_memory(error);
        }
        for (size_t tuple = 0; tuple < dictionary->n_tuples; tuple++) {
            known->values[tuple] =
                pv_i_unpack(&g->packing, g->map.keys + tuple * g->packing.words, quasi);
        }
    }
    return PV_STATUS_OK;
}

static pv_status group_rows(pv_dictionary *dictionary, const pv_table *table,
                            const pv_context *context, pv_error *error)
{
    grouping g = {.dictionary = dictionary, .table = table};
    pv_status status;
    PV_TRY_CLEAN(grouping_init(&g, error));
    PV_TRY_CLEAN(count_rows(&g, context, error));
    PV_TRY_CLEAN(take_tuples(&g, error));
cleanup:
    grouping_deinit(&g);
    return status;
}

/* --------------------------------------------------------------------- all */

/* A column that the file does not have stays unknown. */
static pv_status take_column(pv_dictionary *dictionary, size_t quasi, const pv_table *table,
                             double similarity, const pv_context *context, pv_error *error)
{
    const pv_study *const study = dictionary->profile->study;
    const size_t column = pv_table_find(table, pv_study_quasi_name(study, quasi));
    pv_known *const known = &dictionary->known[quasi];
    if (column == SIZE_MAX) {
        return PV_STATUS_OK;
    }
    known->is_known = true;
    known->n_values = pv_table_values(table, column);
    return pv_i_known_match_column(known, study, quasi, table, column, similarity, context, error);
}

pv_status pv_i_dictionary_take_file(pv_dictionary *dictionary, const pv_dictionary_options *options,
                                    const pv_context *context, pv_error *error)
{
    const pv_study *const study = dictionary->profile->study;
    pv_table *table = NULL;
    pv_status status = PV_STATUS_OK;
    PV_TRY(read_table(study, options, context, &table, error));
    for (size_t quasi = 0; quasi < pv_study_quasis(study); quasi++) {
        PV_TRY_CLEAN(take_column(dictionary, quasi, table, options->similarity, context, error));
    }
    PV_TRY_CLEAN(group_rows(dictionary, table, context, error));
cleanup:
    pv_table_free(table);
    return status;
}
