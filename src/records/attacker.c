/* The attacker's dictionary of people: the table itself, or another file.
 *
 *     file:  name,zip,age        zip and age are quasi-identifiers of the plan, name is an
 * identifier Ann,13053,28   -->  tuples   (13053, 28) x 1, (13068, 41) x 2 Bob,13068,41 values are
 * codes of the file's columns Eve,13068,41        known    zip, age; not sex: nothing is known of
 * it
 *
 * Either way it ends as distinct tuples of values with the rows that have them, and for each value
 * the groups of the table's hierarchies that it may be in (attacker_match.c). How many people fit a
 * released record is then a matter of sets (attacker_index.c).
 *
 * What an attacker knows must not be overlooked because a column has another name: every column of
 * a file must be a quasi-identifier, an identifier of the plan, or expressly ignored. */
#include "records/attacker.h"

#include "base/buffer.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/ticker.h"
#include "classes/keys.h"
#include "plan/plan.h"
#include "plan/spelling.h"
#include "table/column.h"
#include "table/value.h"

#include <string.h>

#define CHUNK_ROWS ((size_t)2048)

/* ------------------------------------------------------- columns of a file */

/* The columns of the file, as they are met. */
typedef struct {
    const pv_study *study;
    const char *const *ignore; /* NULL-terminated or NULL */
    bool *ignored;             /* by place in that list: the file has it */
    size_t n_strange;
    pv_buffer strange; /* those that are not recognised, for a message */
    pv_buffer names;   /* ... and just their names, with commas */
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
    pv_i_buffer_format(&c->names, "%s%s", c->n_strange > 0 ? "," : "", pv_i_shown(column).text);
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
    if (c->strange.failed || c->names.failed) {
        return pv_i_no_memory(error);
    }
    PV_TRY(check_ignored(c, path, error));
    if (c->n_strange == 0) {
        return PV_STATUS_OK;
    }
    const pv_status status = pv_i_hint(
        pv_i_fail_at(error, PV_STATUS_INPUT, path, 0, 0,
                     "%zu column%s of the dictionary %s no quasi-identifier%s of the plan: %s",
                     c->n_strange, c->n_strange == 1 ? "" : "s", c->n_strange == 1 ? "is" : "are",
                     c->n_strange == 1 ? "" : "s", c->strange.data),
        error,
        "what the attacker knows must not be overlooked: name columns as in the plan, give them "
        "the role quasi there, or %s %s",
        pv_phrase_text(PV_PHRASE_IGNORE), c->names.data);
    return pv_i_has_phrase(status, error, PV_PHRASE_IGNORE);
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

static pv_status read_table(const pv_study *study, const pv_attacker_options *options,
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
    pv_i_buffer_deinit(&c.names);
    return status;
}

/* ------------------------------------------------------------------ tuples */

/* The rows of the file as distinct tuples, numbered in order of their first appearance. */
typedef struct {
    pv_attacker *attacker;
    const pv_table *table;
    pv_packing packing; /* a field per quasi-identifier; of no bits if it is not known */
    pv_keymap map;
    uint64_t *keys; /* of CHUNK_ROWS rows */
    uint32_t *codes;
    size_t capacity; /* of the dictionary's counts */
} grouping;

static pv_status grouping_init(grouping *g, pv_error *error)
{
    const size_t n = pv_study_quasis(g->attacker->profile->study);
    uint32_t *const sizes = PV_NEW_ARRAY(uint32_t, n);
    if (sizes == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t quasi = 0; quasi < n; quasi++) {
        const pv_known *const known = &g->attacker->known[quasi];
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
    const pv_study *const study = g->attacker->profile->study;
    const unsigned words = g->packing.words;
    memset(g->keys, 0, n * words * sizeof *g->keys);
    for (size_t quasi = 0; quasi < g->packing.n_fields; quasi++) {
        const pv_field field = g->packing.fields[quasi];
        if (!g->attacker->known[quasi].is_known) {
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
    pv_attacker *const attacker = g->attacker;
    for (size_t row = 0; row < n; row++) {
        const uint32_t tuple = pv_i_keymap_add(&g->map, g->keys + row * g->packing.words);
        if (tuple == PV_KEYMAP_FULL || !pv_i_reserve((void **)&attacker->counts, &g->capacity,
                                                     g->map.n, sizeof *attacker->counts)) {
            return false;
        }
        if (tuple == attacker->n_tuples) {
            attacker->counts[attacker->n_tuples++] = 0;
        }
        attacker->counts[tuple]++;
    }
    return true;
}

/* Chunks of rows: a column is unpacked for 2,048 rows at a time, and their keys stay in the cache.
 */
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
    g->attacker->n_rows = n_rows;
    return PV_STATUS_OK;
}

static pv_status take_tuples(const grouping *g, pv_error *error)
{
    const pv_attacker *const attacker = g->attacker;
    for (size_t quasi = 0; quasi < g->packing.n_fields; quasi++) {
        pv_known *const known = &attacker->known[quasi];
        if (!known->is_known) {
            continue;
        }
        known->values = PV_NEW_ARRAY(uint32_t, attacker->n_tuples);
        if (known->values == NULL) {
            return pv_i_no_memory(error);
        }
        for (size_t tuple = 0; tuple < attacker->n_tuples; tuple++) {
            known->values[tuple] =
                pv_i_unpack(&g->packing, g->map.keys + tuple * g->packing.words, quasi);
        }
    }
    return PV_STATUS_OK;
}

static pv_status group_rows(pv_attacker *attacker, const pv_table *table, const pv_context *context,
                            pv_error *error)
{
    grouping g = {.attacker = attacker, .table = table};
    pv_status status;
    PV_TRY_CLEAN(grouping_init(&g, error));
    PV_TRY_CLEAN(count_rows(&g, context, error));
    PV_TRY_CLEAN(take_tuples(&g, error));
cleanup:
    grouping_deinit(&g);
    return status;
}

/* ------------------------------------------------------------------ a file */

static pv_status take_file(pv_attacker *attacker, const pv_attacker_options *options,
                           const pv_context *context, pv_error *error)
{
    const pv_study *const study = attacker->profile->study;
    pv_table *table = NULL;
    pv_status status = PV_STATUS_OK;
    PV_TRY(read_table(study, options, context, &table, error));
    for (size_t quasi = 0; quasi < pv_study_quasis(study); quasi++) {
        const size_t column = pv_table_find(table, pv_study_quasi_name(study, quasi));
        pv_known *const known = &attacker->known[quasi];
        if (column == SIZE_MAX) {
            continue; /* stays unknown */
        }
        known->is_known = true;
        known->n_values = pv_table_values(table, column);
        PV_TRY_CLEAN(pv_i_known_match_column(known, study, quasi, table, column,
                                             options->similarity, context, error));
    }
    PV_TRY_CLEAN(group_rows(attacker, table, context, error));
cleanup:
    pv_table_free(table);
    return status;
}

/* ------------------------------------------------------------ the table itself */

/* The attacker knows everyone in the table, and every quasi-identifier of them: tuples and counts
 * are the profile's, values are leaves. */
static pv_status take_table(pv_attacker *attacker, double similarity, const pv_context *context,
                            pv_error *error)
{
    const pv_profile *const profile = attacker->profile;
    attacker->is_table = !(similarity > 0);
    attacker->n_tuples = profile->n_tuples;
    attacker->n_rows = profile->n_rows;
    attacker->counts = profile->count;
    for (size_t quasi = 0; quasi < pv_study_quasis(profile->study); quasi++) {
        pv_known *const known = &attacker->known[quasi];
        known->is_known = true;
        known->n_values = pv_hierarchy_leaves(pv_study_hierarchy(profile->study, quasi));
        PV_TRY(pv_i_known_match_leaves(known, profile->study, quasi, similarity, context, error));
    }
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------ the whole */

/* Consistent with a leaf or a group is consistent with all above: the level below the root is the
 * last to know, but in a ragged tree that is not the same for all. */
static bool is_unmatched(const pv_known *known, uint32_t value)
{
    for (unsigned level = 0; level < known->height; level++) {
        if (known->levels[level].start[value] < known->levels[level].start[value + 1]) {
            return false;
        }
    }
    return true;
}

static void count_unmatched(pv_attacker *attacker)
{
    for (size_t quasi = 0; quasi < pv_study_quasis(attacker->profile->study); quasi++) {
        pv_known *const known = &attacker->known[quasi];
        for (uint32_t value = 0; known->is_known && value < known->n_values; value++) {
            known->n_unmatched += is_unmatched(known, value);
        }
    }
}

pv_status pv_attacker_open(const pv_profile *profile, const pv_attacker_options *options,
                           const pv_context *context, pv_attacker **attacker, pv_error *error)
{
    const size_t n_quasi = pv_study_quasis(profile->study);
    pv_attacker_options o = {0};
    PV_TRY(PV_TAKE_OPTIONS(o, options, error));
    if (!(o.similarity >= 0 && o.similarity <= 1)) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "a similarity is between 0 and 1");
    }
    pv_attacker *const made = PV_NEW(pv_attacker);
    if (made == NULL) {
        return pv_i_no_memory(error);
    }
    pv_status status = PV_STATUS_OK;
    made->profile = profile;
    made->known = PV_NEW_ZEROED(pv_known, n_quasi);
    if (made->known == NULL) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    for (size_t quasi = 0; quasi < n_quasi; quasi++) {
        made->known[quasi].height = pv_hierarchy_height(pv_study_hierarchy(profile->study, quasi));
    }
    PV_TRY_CLEAN(o.path != NULL ? take_file(made, &o, context, error)
                                : take_table(made, o.similarity, context, error));
    count_unmatched(made);
    *attacker = made;
    return PV_STATUS_OK;
cleanup:
    pv_attacker_free(made);
    return status;
}

void pv_attacker_free(pv_attacker *attacker)
{
    if (attacker == NULL) {
        return;
    }
    const size_t n = pv_study_quasis(attacker->profile->study);
    for (size_t quasi = 0; attacker->known != NULL && quasi < n; quasi++) {
        pv_known *const known = &attacker->known[quasi];
        for (unsigned level = 0; known->levels != NULL && level < known->height; level++) {
            pv_i_consistency_deinit(&known->levels[level]);
        }
        pv_i_free(known->levels);
        pv_i_free(known->values);
    }
    pv_i_free(attacker->known);
    if (attacker->counts != attacker->profile->count) {
        pv_i_free(attacker->counts);
    }
    pv_i_free(attacker);
}

/* ------------------------------------------------------------------ questions */

uint64_t pv_attacker_n_rows(const pv_attacker *attacker)
{
    return attacker->n_rows;
}

size_t pv_attacker_n_known(const pv_attacker *attacker)
{
    size_t n = 0;
    for (size_t quasi = 0; quasi < pv_study_quasis(attacker->profile->study); quasi++) {
        n += attacker->known[quasi].is_known;
    }
    return n;
}

bool pv_attacker_knows(const pv_attacker *attacker, size_t quasi)
{
    return attacker->known[quasi].is_known;
}

uint32_t pv_attacker_n_unmatched(const pv_attacker *attacker, size_t quasi)
{
    return attacker->known[quasi].n_unmatched;
}
