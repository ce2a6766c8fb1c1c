/* The attacker's dictionary of people: the table itself, or another file.
 *
 *     file:  name,zip,age       zip and age are quasi-identifiers, name is an identifier
 *            Ann,13053,28  -->  tuples  (13053, 28) x 1, (13068, 41) x 2
 *            Bob,13068,41       values are codes of the file's columns
 *            Eve,13068,41       known   zip, age; not sex: nothing is known of it
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
#include "classes/numbering.h"
#include "plan/plan.h"
#include "plan/spelling.h"
#include "table/column.h"
#include "table/value.h"

#include <string.h>

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
    const pv_role role = role_of(c->study, column);
    if (role != PV_ROLE_QUASI && role != PV_ROLE_IDENTIFIER) {
        note_strange(c, column);
    }
    return role == PV_ROLE_QUASI;
}

static pv_status check_columns(const columns *c, const char *path, const pv_table *table,
                               pv_error *error)
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
    if (c->strange.failed || c->names.failed) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; c->ignore != NULL && c->ignore[i] != NULL; i++) {
        if (!c->ignored[i]) {
            return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, path, 0, 0,
                                          "the dictionary has no column `%s` to be ignored",
                                          pv_i_shown(c->ignore[i]).text),
                             error, "name it as the first line of the file does");
        }
    }
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

/* Columns that both tables have are of one type, the original's. */
static pv_status read_table(const pv_study *study, const pv_attacker_options *options,
                            const pv_context *context, pv_table **table, pv_error *error)
{
    const pv_table *const original = pv_study_table(study);
    pv_read_options reading = pv_plan_reading(pv_study_plan(study));
    size_t n_ignore = 0;
    while (options->ignore != NULL && options->ignore[n_ignore] != NULL) {
        n_ignore++;
    }
    columns c = {
        .study = study, .ignore = options->ignore, .ignored = PV_NEW_ZEROED(bool, n_ignore)};
    pv_status status = PV_STATUS_OK;
    reading.keep = see_column;
    reading.keep_ctx = &c;
    PV_TRY_CLEAN(c.ignored == NULL ? pv_i_no_memory(error)
                                   : pv_table_read(options->path, &reading, context, table, error));
    PV_TRY_CLEAN(check_columns(&c, options->path, *table, error));
    for (size_t column = 0; column < pv_table_columns(*table); column++) {
        const size_t same = pv_table_find(original, pv_table_name(*table, column));
        PV_TRY_CLEAN(pv_i_table_take_type(*table, column, original, same, error));
    }
cleanup:
    pv_i_free(c.ignored);
    pv_i_buffer_deinit(&c.strange);
    pv_i_buffer_deinit(&c.names);
    return status;
}

/* ------------------------------------------------------------------ tuples */

/* The rows of the file as keys. */
typedef struct {
    const pv_attacker *attacker;
    const pv_table *table;
    pv_packing packing; /* a field per quasi-identifier; of no bits if it is not known */
} file_rows;

static void pack_rows(const void *ctx, uint64_t first, size_t n, uint32_t *codes, uint64_t *keys)
{
    const file_rows *const f = ctx;
    const pv_study *const study = f->attacker->profile->study;
    const unsigned words = f->packing.words;
    memset(keys, 0, n * words * sizeof *keys);
    for (size_t quasi = 0; quasi < f->packing.n_fields; quasi++) {
        const pv_field field = f->packing.fields[quasi];
        if (!f->attacker->known[quasi].is_known) {
            continue;
        }
        const size_t column = pv_table_find(f->table, pv_study_quasi_name(study, quasi));
        pv_i_codes_unpack(pv_i_table_codes(f->table, column), first, n, codes);
        for (size_t row = 0; row < n; row++) {
            keys[row * words + field.word] |= (uint64_t)codes[row] << field.shift;
        }
    }
}

/* The rows as distinct tuples, numbered in order of their first appearance. */
static pv_status group_rows(pv_attacker *attacker, const pv_table *table, const pv_context *context,
                            pv_error *error)
{
    const size_t n_quasi = pv_study_quasis(attacker->profile->study);
    file_rows f = {.attacker = attacker, .table = table};
    pv_numbering found = {
        .n_rows = pv_table_rows(table), .keys = pack_rows, .ctx = &f, .context = context};
    uint32_t *const sizes = PV_ARENA_ARRAY(&attacker->arena, uint32_t, n_quasi);
    pv_status status = PV_STATUS_OK;
    for (size_t quasi = 0; sizes != NULL && quasi < n_quasi; quasi++) {
        const pv_known *const known = &attacker->known[quasi];
        sizes[quasi] = known->is_known ? known->n_values : 1;
    }
    PV_TRY_CLEAN(sizes != NULL ? pv_i_packing_of_sizes(&f.packing, sizes, n_quasi, error)
                               : pv_i_no_memory(error));
    found.words = f.packing.words;
    found.unused = pv_i_packing_unused(&f.packing);
    PV_TRY_CLEAN(pv_i_numbering_find(&found, error));
    attacker->n_rows = found.n_rows;
    attacker->n_tuples = found.n;
    attacker->counts = PV_ARENA_ARRAY(&attacker->arena, uint64_t, found.n);
    for (size_t tuple = 0; attacker->counts != NULL && tuple < found.n; tuple++) {
        attacker->counts[tuple] = found.rows[tuple].n;
    }
    for (size_t quasi = 0; quasi < n_quasi; quasi++) {
        pv_known *const known = &attacker->known[quasi];
        known->values =
            known->is_known ? PV_ARENA_ARRAY(&attacker->arena, uint32_t, found.n) : NULL;
        for (size_t tuple = 0; known->values != NULL && tuple < found.n; tuple++) {
            known->values[tuple] =
                pv_i_unpack(&f.packing, found.distinct + tuple * found.words, quasi);
        }
    }
    status = attacker->arena.failed ? pv_i_no_memory(error) : PV_STATUS_OK;
cleanup:
    pv_i_numbering_deinit(&found);
    pv_i_packing_deinit(&f.packing);
    return status;
}

/* ------------------------------------------------------------------ the whole */

static pv_status take_file(pv_attacker *attacker, const pv_attacker_options *options,
                           const pv_context *context, pv_error *error)
{
    const pv_study *const study = attacker->profile->study;
    pv_table *table = NULL;
    pv_status status = PV_STATUS_OK;
    PV_TRY_CLEAN(read_table(study, options, context, &table, error));
    for (size_t quasi = 0; quasi < pv_study_quasis(study); quasi++) {
        const size_t column = pv_table_find(table, pv_study_quasi_name(study, quasi));
        if (column != SIZE_MAX) { /* else it stays unknown */
            PV_TRY_CLEAN(pv_i_attacker_match(attacker, quasi, table, column, options->similarity,
                                             context, error));
        }
    }
    PV_TRY_CLEAN(group_rows(attacker, table, context, error));
cleanup:
    pv_table_free(table);
    return status;
}

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
        PV_TRY(pv_i_attacker_match(attacker, quasi, NULL, 0, similarity, context, error));
    }
    return PV_STATUS_OK;
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
    made->profile = profile;
    made->known = PV_ARENA_ARRAY(&made->arena, pv_known, n_quasi);
    for (size_t quasi = 0; made->known != NULL && quasi < n_quasi; quasi++) {
        made->known[quasi].height = pv_hierarchy_height(pv_study_hierarchy(profile->study, quasi));
    }
    const pv_status status = made->known == NULL ? pv_i_no_memory(error)
                             : o.path != NULL    ? take_file(made, &o, context, error)
                                                 : take_table(made, o.similarity, context, error);
    if (status != PV_STATUS_OK) {
        pv_attacker_free(made);
        return status;
    }
    *attacker = made;
    return PV_STATUS_OK;
}

void pv_attacker_free(pv_attacker *attacker)
{
    if (attacker != NULL) {
        pv_i_arena_deinit(&attacker->arena);
        pv_i_free(attacker);
    }
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
