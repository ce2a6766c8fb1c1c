/* A released file becomes vectors over the rows of the original, and is forgotten.
 *
 * The file is seen through a plan of its own: its quasi-identifiers are taken as they are, so that
 * people are in one class if they look alike in the file, all of it: an attacker sees it whole. The
 * measures then say what they say of every table. What a file does not say itself, its sensitive
 * values if they were left out and how much its values show, comes from the original.
 *
 * Files are read one after the other, and only their vectors stay in memory; rows that some of them
 * lack are left out.
 *
 *     file row        0     1     2                       from[] says whose it is, by map or key;
 *     from[]          4     0     2                       NULL = row i is row i of the original
 *     places[]        1  -  2  -  0                       its inverse, PV_NOWHERE where the release
 *     original row    0  1  2  3  4                       lacks the row
 *
 * Where a database has matched the rows (released_join.c), all of this is said of entries, each of
 * which stands for several people (table/column.h).
 *
 * Memory at any time: the original, one file, and 8 bytes per kind, property and release. */
#include "base/bitset.h"
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/options.h"
#include "classes/profile.h"
#include "compare/released.h"
#include "measure/entry.h"
#include "plan/plan.h"
#include "plan/spelling.h"
#include "table/column.h"
#include "table/value.h"

#include <string.h>

/* =========================================================== whose row is it?
 * Rows of a release are matched with those of the original by the release's row map; by a key, a
 * column whose values identify them; or by row order.
 *
 *     row map     written with the release, for the publisher alone: exact, any order
 *     key         a column that was released unchanged: exact, any order, rows may be missing
 *     row order   only if nothing speaks against it (released_check.c): sorted files do
 *
 * A map belongs to the file whose SHA-256 it names; maps may be given in any order, and one that
 * belongs to no file is an error, not a habit. */

/* -------------------------------------------------------------------- keys */

/* In the original and in every release: the key must be called the same everywhere. */
static pv_status find_key(const pv_table *table, const char *key, size_t *column, pv_error *error)
{
    *column = pv_table_find(table, key);
    if (*column != SIZE_MAX) {
        return PV_STATUS_OK;
    }
    return pv_i_hint_phrases(pv_i_fail_at(error, PV_STATUS_INPUT, pv_table_source(table), 0, 0,
                                          "there is no column `%s` to match rows by",
                                          pv_i_shown(key).text),
                             error, "@ a column that the original and all releases have",
                             PV_PHRASE_KEY_MUST_BE, PV_PHRASE_NONE);
}

/* Codes are fewer than rows only if some key comes up again: where does the first one? Equal rows
 * may have been counted: then they are one entry. */
static pv_status check_distinct(const pv_table *table, size_t column, pv_error *error)
{
    const pv_codes codes = pv_i_table_codes(table, column);
    const uint64_t *const ends = pv_i_table_ends(table);
    const uint32_t n_codes = pv_table_values(table, column);
    if (n_codes == pv_table_rows(table)) {
        return PV_STATUS_OK;
    }
    uint64_t *const seen = PV_NEW_ZEROED(uint64_t, PV_BITSET_WORDS((size_t)n_codes));
    if (seen == NULL) {
        return pv_i_no_memory(error);
    }
    uint64_t row = 0;
    uint64_t entry = 0;
    for (; !pv_i_bit_get(seen, pv_i_codes_at(codes, entry)); entry++, row++) {
        pv_i_bit_set(seen, pv_i_codes_at(codes, entry));
        if (pv_i_entry_rows(ends, entry) > 1) {
            row++;
            break;
        }
    }
    pv_i_free(seen);
    return pv_i_hint_phrases(
        pv_i_fail_at(error, PV_STATUS_INPUT, pv_table_source(table), pv_table_line(table, row), 0,
                     "the key in column `%s` of row %llu is that of an earlier row",
                     pv_i_shown(pv_table_name(table, column)).text, (unsigned long long)row + 1),
        error, "a key must be unique in every file: correct the file, or @", PV_PHRASE_OTHER_KEY,
        PV_PHRASE_NONE);
}

/* Where the original has each key. */
static pv_status index_keys(pv_comparing *c, pv_error *error)
{
    const pv_table *const original = pv_study_table(c->study);
    PV_TRY(find_key(original, c->key, &c->keys.column, error));
    PV_TRY(check_distinct(original, c->keys.column, error));
    PV_TRY(pv_i_value_index_init(&c->keys.values, original, c->keys.column, error));
    c->keys.row = PV_NEW_ARRAY(uint64_t, pv_table_values(original, c->keys.column));
    if (c->keys.row == NULL) {
        return pv_i_no_memory(error);
    }
    const pv_codes codes = pv_i_table_codes(original, c->keys.column);
    for (uint64_t row = 0; row < pv_table_rows(original); row++) {
        c->keys.row[pv_i_codes_at(codes, row)] = row;
    }
    return PV_STATUS_OK;
}

static pv_status join_by_key(const pv_comparing *comparing, const pv_table *release,
                             uint64_t **rows, pv_error *error)
{
    const pv_table *const original = pv_study_table(comparing->study);
    size_t column = 0;
    PV_TRY(find_key(release, comparing->key, &column, error));
    PV_TRY(check_distinct(release, column, error));
    uint64_t *const found = PV_NEW_ARRAY(uint64_t, pv_table_rows(release));
    if (found == NULL) {
        return pv_i_no_memory(error);
    }
    const pv_codes codes = pv_i_table_codes(release, column);
    for (uint64_t row = 0; row < pv_table_rows(release); row++) {
        /* The code of the key in the original. All spellings of a missing key are one key. */
        const uint32_t own = pv_i_codes_at(codes, row);
        const uint32_t code = own == pv_table_missing(release, column)
                                  ? pv_table_missing(original, comparing->keys.column)
                                  : pv_i_value_index_find(&comparing->keys.values,
                                                          pv_table_value(release, column, own));
        if (code == PV_NO_CODE) {
            pv_i_free(found);
            return pv_i_hint(
                pv_i_fail_at(
                    error, PV_STATUS_INPUT, pv_table_source(release), pv_table_line(release, row),
                    0, "the original has no row with the key in column `%s` of row %llu",
                    pv_i_shown(pv_table_name(release, column)).text, (unsigned long long)row + 1),
                error, "compare releases with the table they were made from");
        }
        found[row] = comparing->keys.row[code];
    }
    *rows = found;
    return PV_STATUS_OK;
}

/* The row of the original that each row of a release is: by its row map, which says by a hash to
 * which file it belongs, by key, or NULL = they have the same order. The caller frees the rows. */
static pv_status join(const pv_comparing *comparing, const char *path, const pv_table *release,
                      uint64_t **rows, pv_error *error)
{
    const uint64_t n_original = pv_table_rows(pv_study_table(comparing->study));
    const uint64_t n = pv_table_rows(release);
    char sha256[PV_SHA256_HEX] = "";
    pv_map_choice *map = NULL;
    if (comparing->n_maps > 0 && strcmp(path, "-") != 0) { /* which cannot be read twice */
        PV_TRY(pv_i_file_hash(path, sha256, error));
    }
    for (size_t i = 0; sha256[0] != '\0' && i < comparing->n_maps; i++) {
        if (strcmp(comparing->maps[i].sha256, sha256) == 0) {
            map = &comparing->maps[i];
            map->used = true;
        }
    }
    if (map != NULL) {
        return pv_i_row_map_read(map->path, n, n_original, rows, error);
    }
    if (comparing->key != NULL) {
        return join_by_key(comparing, release, rows, error);
    }
    *rows = NULL;
    if (n == n_original) {
        return PV_STATUS_OK;
    }
    /* The line of the first row too many, or of the last there is. */
    const uint64_t row = n > n_original ? n_original : n > 0 ? n - 1 : 0;
    return pv_i_hint_phrases(pv_i_fail_at(error, PV_STATUS_INPUT, pv_table_source(release),
                                          pv_table_line(release, row), 0,
                                          "the release has %llu rows, the original %llu",
                                          (unsigned long long)n, (unsigned long long)n_original),
                             error, "rows are matched by row order: if some were left out, @, or @",
                             PV_PHRASE_KEY, PV_PHRASE_OWN_ROW_MAP);
}

/* ============================================================== the one file */

typedef struct {
    const pv_comparing *comparing;
    const char *path;
    pv_table *table;  /* until the study owns it */
    uint64_t *from;   /* per entry: that of the original; NULL = in the same order */
    double **numbers; /* per property that is a column: the number of each code */
    pv_plan plan;     /* only its attributes are its own */
    pv_study *study;
    pv_profile *profile;
    pv_classes *classes;
    pv_shown_row **shown; /* the comparison's; NULL where the release lacks the row */
    uint64_t *shown_at;   /* where the release has it, or PV_NOWHERE */
    pv_covered covered;
    pv_division division;
    size_t n_kinds;
    pv_vectors *vectors;
} release;

/* The study owns the table once it is bound. */
static void release_deinit(release *r)
{
    pv_i_vectors_free(r->vectors);
    pv_i_division_deinit(&r->division);
    pv_i_covered_deinit(&r->covered);
    pv_classes_free(r->classes);
    pv_profile_free(r->profile);
    pv_study_free(r->study);
    pv_i_free(r->plan.attributes);
    for (size_t i = 0; r->numbers != NULL && i < r->comparing->n_properties; i++) {
        pv_i_free(r->numbers[i]);
    }
    pv_i_free(r->numbers);
    pv_i_free(r->from);
    pv_i_free(r->shown);
    pv_i_free(r->shown_at);
    pv_table_free(r->table);
}

/* ----------------------------------------------------------------- reading */

/* Columns that are read: with a key only what is matched, compared or checked. */
bool pv_i_is_wanted(void *ctx, const char *column)
{
    const pv_comparing *const comparing = ctx;
    if (comparing->key == NULL) { /* are the rows sorted? That takes all columns to say */
        return true;
    }
    return strcmp(comparing->key, column) == 0 || pv_i_is_property(comparing, column) ||
           pv_i_is_checked(comparing, column);
}

/* Files are written by others: what is missing is said with what a file should have. */
static pv_status fail_column(const char *path, const char *column, const char *hint,
                             pv_error *error)
{
    return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, path, 1, 0,
                                  "the release has no column `%s`", pv_i_shown(column).text),
                     error, "%s", hint);
}

/* Engines hand rows over in any order. */
static pv_status check_order(const release *r, pv_error *error)
{
    const pv_table *const original = pv_study_table(r->comparing->study);
    const pv_table *const unordered = !pv_i_table_has_order(original)   ? original
                                      : !pv_i_table_has_order(r->table) ? r->table
                                                                        : NULL;
    return unordered == NULL || r->comparing->key != NULL
               ? PV_STATUS_OK
               : pv_i_hint_phrases(
                     pv_i_fail_at(error, PV_STATUS_INPUT, pv_table_source(unordered), 0, 0,
                                  "the rows of a table in a database have no order "
                                  "by which they could be matched"),
                     error, "@; row maps are for files", PV_PHRASE_KEY, PV_PHRASE_NONE);
}

static pv_status read_table(release *r, pv_error *error)
{
    pv_read_options reading = pv_plan_reading(r->comparing->plan);
    reading.keep = pv_i_is_wanted;
    reading.keep_ctx = (void *)(uintptr_t)r->comparing;
    PV_TRY(pv_table_read(r->path, &reading, r->comparing->context, &r->table, error));
    return check_order(r, error);
}

static pv_status check_columns(const release *r, pv_error *error)
{
    const pv_study *const study = r->comparing->study;
    for (size_t quasi = 0; quasi < pv_study_quasis(study); quasi++) {
        const char *const name = pv_study_quasi_name(study, quasi);
        if (pv_table_find(r->table, name) == SIZE_MAX) {
            return fail_column(r->path, name,
                               "a release has all quasi-identifiers, named as in the plan; it is "
                               "read with the plan's delimiter, quotes and header",
                               error);
        }
    }
    return PV_STATUS_OK;
}

/* Numbers and dates are the same however the two files spell them; generalized values are text. */
static pv_status take_types(const release *r, pv_error *error)
{
    const pv_table *const original = pv_study_table(r->comparing->study);
    for (size_t column = 0; column < pv_table_columns(r->table); column++) {
        const size_t same = pv_table_find(original, pv_table_name(r->table, column));
        if (same != SIZE_MAX) {
            PV_TRY(pv_i_table_take_type(r->table, column, original, same, error));
        }
    }
    return PV_STATUS_OK;
}

/* ----------------------------------------------------- columns as properties */

/* The number of each code of a column that is a property, while the table is as it was read. */
static pv_status read_column(const release *r, size_t property, pv_error *error)
{
    const pv_property_choice *const choice = &r->comparing->properties[property];
    const size_t column = pv_table_find(r->table, choice->column);
    if (column == SIZE_MAX) {
        return fail_column(r->path, choice->column,
                           "a column can only be a property if all releases have it", error);
    }
    pv_status status = pv_table_set_type(r->table, column, PV_TYPE_DECIMAL, error);
    const uint32_t missing = pv_table_missing(r->table, column);
    if (status == PV_STATUS_OK && missing != PV_NO_CODE) {
        const uint64_t row = pv_table_first_row(r->table, column, missing);
        status = pv_i_fail_at(error, PV_STATUS_INPUT, r->path, pv_table_line(r->table, row), 0,
                              "column `%s` is empty in row %llu",
                              pv_i_shown(pv_table_name(r->table, column)).text,
                              (unsigned long long)row + 1);
    }
    if (status != PV_STATUS_OK) {
        return pv_i_hint(status, error, "a column is a property if it has a number in every row");
    }
    const uint32_t n = pv_table_values(r->table, column);
    double *const numbers = r->numbers[property] = PV_NEW_ARRAY(double, n);
    for (uint32_t code = 0; numbers != NULL && code < n; code++) {
        pv_decimal number = {0};
        (void)pv_i_table_number(r->table, column, code, &number); /* its type says that it is one */
        numbers[code] = pv_decimal_double(number);
    }
    return numbers != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
}

/* ----------------------------------------------------- rows that are shown */

/* The entry of the release that a row of the original is in. */
static uint64_t place_of(const release *r, uint64_t row)
{
    const uint64_t n = pv_i_table_entries(r->table);
    const uint64_t entry = pv_i_table_entry(pv_study_table(r->comparing->study), row);
    if (r->from == NULL) {
        return entry < n ? entry : PV_NOWHERE;
    }
    for (uint64_t place = 0; place < n; place++) {
        if (r->from[place] == entry) {
            return place;
        }
    }
    return PV_NOWHERE;
}

/* The cells of a row in the order of the original's columns; NULL = no memory. */
static const char **copy_cells(const release *r, uint64_t place, pv_arena *arena)
{
    const pv_table *const original = pv_study_table(r->comparing->study);
    const size_t n = pv_table_columns(original);
    const char **const cells = pv_i_arena_array(arena, n, sizeof *cells);
    for (size_t i = 0; cells != NULL && i < n; i++) {
        const size_t column = pv_table_find(r->table, pv_table_name(original, i));
        if (column != SIZE_MAX) {
            const pv_codes codes = pv_i_table_codes(r->table, column);
            const char *const value = pv_table_value(r->table, column, pv_i_codes_at(codes, place));
            cells[i] = pv_i_arena_text(arena, value, strlen(value));
            if (cells[i] == NULL) {
                return NULL;
            }
        }
    }
    return cells;
}

/* While the table is as it was read: what is taken from the original later is not in the file. */
static pv_status keep_cells(release *r, pv_arena *arena, pv_error *error)
{
    const size_t n = r->comparing->n_shown;
    if (n == 0) {
        return PV_STATUS_OK;
    }
    r->shown = PV_NEW_ZEROED(pv_shown_row *, n);
    r->shown_at = PV_NEW_ARRAY(uint64_t, n);
    if (r->shown == NULL || r->shown_at == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < n; i++) {
        r->shown_at[i] = place_of(r, r->comparing->shown[i]);
        if (r->shown_at[i] == PV_NOWHERE) {
            continue;
        }
        r->shown[i] = PV_ARENA_ARRAY(arena, pv_shown_row, 1);
        const char **const cells =
            r->shown[i] != NULL ? copy_cells(r, r->shown_at[i], arena) : NULL;
        if (cells == NULL) {
            return pv_i_no_memory(error);
        }
        r->shown[i]->cells = cells;
    }
    return PV_STATUS_OK;
}

/* Once people are in classes; the vectors take the rows over. */
static void hand_rows_over(release *r)
{
    const size_t starred = pv_i_starred_tuple(r->profile);
    for (size_t i = 0; i < r->comparing->n_shown; i++) {
        if (r->shown[i] != NULL) {
            const size_t tuple = r->profile->row_tuple[r->shown_at[i]];
            r->shown[i]->is_suppressed = tuple == starred;
            r->shown[i]->class_size =
                pv_classes_size(r->classes, pv_classes_of_tuple(r->classes, tuple));
        }
    }
    r->vectors->shown = r->shown;
    r->vectors->n_shown = r->comparing->n_shown;
    r->shown = NULL;
}

/* ------------------------------------------------------- the file as a study */

/* The plan of the released file: its quasi-identifiers without hierarchies (values are equal or
 * not), and sensitive attributes if some property needs them. A sensitive column that the file
 * lacks is taken from the original, row by row as joined: a release that drops it hides it from
 * readers, but whoever knows it of a person knows it anyway. */
static pv_status make_plan(release *r, pv_error *error)
{
    const pv_study *const study = r->comparing->study;
    const pv_plan *const plan = pv_study_plan(study);
    size_t n_sensitive = 0;
    r->plan = (pv_plan){.path = plan->path,
                        .attributes = PV_NEW_ZEROED(pv_plan_attribute, plan->n_attributes)};
    if (r->plan.attributes == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < plan->n_attributes; i++) {
        const pv_plan_attribute *const attribute = &plan->attributes[i];
        pv_plan_attribute *const planned = &r->plan.attributes[r->plan.n_attributes];
        if (attribute->role == PV_ROLE_QUASI) {
            *planned = (pv_plan_attribute){.name = attribute->name,
                                           .role = PV_ROLE_QUASI,
                                           .weight = attribute->weight,
                                           .level = -1,
                                           .line = attribute->line,
                                           .column = attribute->column};
        } else if (attribute->role == PV_ROLE_SENSITIVE && r->comparing->needs_sensitive) {
            const size_t sensitive = n_sensitive++;
            *planned = *attribute;
            planned->distance = pv_study_distance(study, sensitive);
            planned->has_hierarchy = planned->distance == PV_DISTANCE_HIERARCHICAL;
            planned->type = PV_TYPE_AUTO; /* as it was taken from the original */
            if (pv_table_find(r->table, attribute->name) == SIZE_MAX) {
                PV_TRY(pv_i_table_graft(r->table, pv_study_table(study),
                                        pv_study_sensitive_column(study, sensitive), r->from,
                                        error));
            }
        } else {
            continue;
        }
        r->plan.n_attributes++;
    }
    return PV_STATUS_OK;
}

/* People are alike if they look alike in the file: level 0 of hierarchies that nobody generalized.
 * Nothing is suppressed here: suppressed people are `*` in the file, and so a class of their own.
 */
static pv_status group_rows(release *r, pv_error *error)
{
    const pv_context *const context = r->comparing->context;
    uint8_t *const levels = PV_NEW_ZEROED(uint8_t, r->plan.n_attributes);
    pv_status status = PV_STATUS_OK;
    if (levels == NULL) {
        return pv_i_no_memory(error);
    }
    PV_TRY_CLEAN(pv_study_bind(&r->plan, r->table, &r->study, error));
    r->table = NULL;
    PV_TRY_CLEAN(pv_profile_create(r->study, context, &r->profile, error));
    PV_TRY_CLEAN(pv_classes_create(r->profile, levels, &(pv_suppression){0}, &r->classes, error));
cleanup:
    pv_i_free(levels);
    return status;
}

/* What several properties need: the sensitive values of each tuple, and then, quasi-identifier by
 * quasi-identifier, how many values released ones cover. */
static pv_status count_one(void *ctx, size_t task, const pv_thread *thread, pv_error *error)
{
    (void)thread;
    release *const r = ctx;
    if (task > 0) {
        return pv_i_covered_count(&r->covered, r->comparing, r->study, r->from, task - 1, error);
    }
    return r->comparing->needs_sensitive ? pv_i_profile_count(r->profile, error) : PV_STATUS_OK;
}

/* ------------------------------------------------------------------- kinds */

/* By what classes show, and by the columns that are properties. `places` is where the release has
 * each entry of the original, the inverse of `from`: kinds are numbered in the original's order. */
static pv_status divide(release *r, pv_comparison *comparison, pv_error *error)
{
    const pv_table *const table = pv_study_table(r->study);
    const size_t most = 1 + r->profile->n_sensitive + comparison->n_properties;
    const uint64_t n_original = pv_i_table_entries(pv_study_table(r->comparing->study));
    pv_trait *const traits = PV_NEW_ARRAY(pv_trait, most);
    uint64_t *const places = r->from != NULL ? PV_NEW_ARRAY(uint64_t, n_original) : NULL;
    pv_status status = PV_STATUS_OK;
    if (traits == NULL || (r->from != NULL && places == NULL)) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    for (uint64_t entry = 0; places != NULL && entry < n_original; entry++) {
        places[entry] = PV_NOWHERE;
    }
    for (uint64_t entry = 0; places != NULL && entry < r->profile->n_entries; entry++) {
        places[r->from[entry]] = entry;
    }
    size_t n = pv_i_profile_traits(comparison, r->profile, traits);
    for (size_t i = 0; i < r->comparing->n_properties; i++) {
        if (r->comparing->properties[i].property == NULL) {
            const size_t column = pv_table_find(table, r->comparing->properties[i].column);
            traits[n++] = (pv_trait){.codes = pv_i_table_codes(table, column),
                                     .n_values = pv_table_values(table, column)};
        }
    }
    PV_TRY_CLEAN(pv_i_kinds_divide(&comparison->kinds, traits, n, places, r->comparing->context,
                                   &r->division, error));
    r->n_kinds = comparison->kinds.n;
cleanup:
    pv_i_free(traits);
    pv_i_free(places);
    return status;
}

/* ----------------------------------------------------------------- vectors */

/* One property. What a kind has is read from its example row, as all of its people have it: a
 * number of the file, the detail of its tuple, or what a measure says of its class. */
static pv_status fill_one(void *ctx, size_t property, const pv_thread *thread, pv_error *error)
{
    (void)thread;
    const release *const r = ctx;
    const pv_property_choice *const choice = &r->comparing->properties[property];
    const uint64_t *const example = r->division.example;
    const size_t n = r->n_kinds;
    double *const values = r->vectors->values[property] = PV_NEW_ARRAY(double, n);
    if (values == NULL) {
        return pv_i_no_memory(error);
    }
    if (choice->property == NULL) {
        const pv_table *const table = pv_study_table(r->study);
        const pv_codes codes = pv_i_table_codes(table, pv_table_find(table, choice->column));
        for (size_t kind = 0; kind < n; kind++) {
            values[kind] = r->numbers[property][pv_i_codes_at(codes, example[kind])];
        }
    } else if (choice->property->is_detail) {
        double *const per_tuple = PV_NEW_ARRAY(double, r->profile->n_tuples);
        if (per_tuple == NULL) {
            return pv_i_no_memory(error);
        }
        pv_i_detail_of_tuples(&r->covered, r->comparing, r->profile, choice->property, per_tuple);
        for (size_t kind = 0; kind < n; kind++) {
            values[kind] = per_tuple[r->profile->row_tuple[example[kind]]];
        }
        pv_i_free(per_tuple);
    } else {
        PV_TRY(pv_i_measure_rows(pv_i_property_measure(choice->property), r->classes, example, n,
                                 values, error));
    }
    if (choice->less_is_better) {
        pv_i_values_turn(values, n);
    }
    return PV_STATUS_OK;
}

/* What a release shows, and whose rows they are. */
static pv_status take_table(release *r, const pv_classes *scheme, pv_joined *joined, size_t place,
                            pv_error *error)
{
    const pv_comparing *const comparing = r->comparing;
    if (scheme != NULL) { /* its rows are those of the original, one by one */
        PV_TRY(pv_i_released_scheme(comparing, scheme, r->path, &r->table, error));
        return take_types(r, error);
    }
    if (joined != NULL) {
        r->table = joined->tables[place];
        r->from = joined->from[place];
        joined->tables[place] = NULL;
        joined->from[place] = NULL;
    } else {
        PV_TRY(read_table(r, error));
    }
    PV_TRY(check_columns(r, error));
    PV_TRY(take_types(r, error));
    if (joined == NULL) {
        PV_TRY(join(comparing, r->path, r->table, &r->from, error));
    }
    return pv_i_check_rows(comparing, r->table, r->from, error);
}

/* Reads a file and adds its vectors; in the order of the picture in released.h. Or does so for a
 * scheme (not NULL) that is no file yet: `path` is then its name; or for a table that has been
 * joined (not NULL), at its place there. */
static pv_status add_release(pv_comparison *comparison, const pv_comparing *comparing,
                             const char *path, const pv_classes *scheme, pv_joined *joined,
                             size_t place, const char *name, pv_error *error)
{
    const unsigned threads = pv_i_threads(comparing->context);
    const size_t n_properties = comparing->n_properties;
    release r = {.comparing = comparing, .path = path};
    pv_status status;
    PV_TRY_CLEAN(pv_i_vectors_create(name, n_properties, &r.vectors, error));
    PV_TRY_CLEAN(take_table(&r, scheme, joined, place, error));
    PV_TRY_CLEAN(keep_cells(&r, &comparison->arena, error));
    r.numbers = PV_NEW_ZEROED(double *, n_properties);
    PV_TRY_CLEAN(r.numbers != NULL ? PV_STATUS_OK : pv_i_no_memory(error));
    for (size_t i = 0; i < n_properties; i++) {
        if (comparing->properties[i].property == NULL) {
            PV_TRY_CLEAN(read_column(&r, i, error));
        }
    }
    PV_TRY_CLEAN(make_plan(&r, error));
    PV_TRY_CLEAN(group_rows(&r, error));
    hand_rows_over(&r);
    const size_t n_counted = comparing->needs_detail ? pv_study_quasis(r.study) : 0;
    PV_TRY_CLEAN(pv_i_covered_init(&r.covered, n_counted, error));
    PV_TRY_CLEAN(pv_i_tasks_run(threads, 1 + n_counted, count_one, &r, NULL, error));
    PV_TRY_CLEAN(divide(&r, comparison, error));
    PV_TRY_CLEAN(pv_i_tasks_run(threads, n_properties, fill_one, &r, NULL, error));
    const size_t starred = pv_i_starred_tuple(r.profile);
    if (starred != SIZE_MAX) {
        bool *const marks = r.vectors->is_suppressed = PV_NEW_ARRAY(bool, r.n_kinds);
        for (size_t kind = 0; marks != NULL && kind < r.n_kinds; kind++) {
            marks[kind] = r.profile->row_tuple[r.division.example[kind]] == starred;
        }
        r.vectors->suppressed = pv_profile_count(r.profile, starred);
        PV_TRY_CLEAN(marks != NULL ? PV_STATUS_OK : pv_i_no_memory(error));
    }
    status = pv_i_comparison_append(comparison, r.vectors,
                                    comparison->n_original - r.profile->n_rows, &r.division, error);
    r.vectors = NULL;
cleanup:
    release_deinit(&r);
    return status;
}

/* =============================================================== all of them */

/* The file's name without its folder, unless another file has the same. */
static const char *name_of(const char *const *paths, size_t n_paths, size_t file)
{
    const char *const name = pv_i_base_name(paths[file]);
    for (size_t other = 0; other < n_paths; other++) {
        if (other != file && strcmp(pv_i_base_name(paths[other]), name) == 0) {
            return paths[file];
        }
    }
    return name;
}

pv_status pv_i_comparison_open(const pv_study *study, const char *const *paths, size_t n_paths,
                               const pv_comparison_options *options, pv_joined *joined,
                               const pv_context *context, pv_comparison **comparison,
                               pv_error *error)
{
    pv_comparison_options chosen;
    pv_comparison *made = NULL;
    pv_status status = PV_STATUS_OK;
    PV_TRY(PV_TAKE_OPTIONS(chosen, options, error));
    PV_TRY(pv_comparison_begin(study, chosen.properties, chosen.n_properties, &made, error));
    pv_comparing c = {.plan = pv_study_plan(study),
                      .study = study,
                      .context = context,
                      .key = chosen.key,
                      .maps = PV_NEW_ZEROED(pv_map_choice, chosen.n_row_maps),
                      .shown = chosen.shown,
                      .n_shown = chosen.n_shown,
                      .properties = made->choices,
                      .n_properties = made->n_properties};
    for (size_t i = 0; i < c.n_properties; i++) {
        const pv_property *const property = c.properties[i].property;
        c.needs_sensitive |= property != NULL && (property->needs & PV_NEEDS_SENSITIVE) != 0;
        c.needs_detail |= property != NULL && property->is_detail;
    }
    if (c.key != NULL && joined == NULL) {
        PV_TRY_CLEAN(index_keys(&c, error));
    }
    PV_TRY_CLEAN(c.maps != NULL ? PV_STATUS_OK : pv_i_no_memory(error));
    for (size_t i = 0; i < chosen.n_row_maps; i++) {
        c.maps[c.n_maps].path = chosen.row_maps[i];
        PV_TRY_CLEAN(pv_i_row_map_release(chosen.row_maps[i], c.maps[c.n_maps++].sha256, error));
    }
    for (size_t i = 0; i < chosen.n_schemes; i++) {
        const char *const name = chosen.scheme_names[i];
        PV_TRY_CLEAN(n_paths > 0
                         ? add_release(made, &c, name, chosen.schemes[i], NULL, 0, name, error)
                         : pv_comparison_add(made, chosen.schemes[i], name, context, error));
    }
    for (size_t i = 0; i < n_paths; i++) {
        const char *const called = chosen.names != NULL ? chosen.names[i] : NULL;
        PV_TRY_CLEAN(add_release(made, &c, paths[i], NULL, joined, i + 1,
                                 called != NULL ? called : name_of(paths, n_paths, i), error));
    }
    for (size_t i = 0; i < c.n_maps; i++) {
        if (!c.maps[i].used) {
            PV_TRY_CLEAN(pv_i_hint(
                pv_i_fail_at(error, PV_STATUS_INPUT, c.maps[i].path, 2, 0,
                             "this row map belongs to none of these releases"),
                error, "a map fits the very file it was written with: give that one, unchanged"));
        }
    }
    if (made->n_rows == 0) {
        PV_TRY_CLEAN(pv_i_fail(error, PV_STATUS_INPUT, "no row is in all of the releases"));
    }
    PV_TRY_CLEAN(pv_i_comparison_settle(made, error));
    for (size_t i = 0; i < chosen.n_groups; i++) {
        PV_TRY_CLEAN(
            pv_i_comparison_group(made, pv_study_table(study), chosen.groups[i], context, error));
    }
    *comparison = made;
    made = NULL;
cleanup:
    pv_i_value_index_deinit(&c.keys.values);
    pv_i_free(c.keys.row);
    pv_i_free(c.maps);
    pv_comparison_free(made);
    return status;
}

pv_status pv_comparison_open(const pv_study *study, const char *const *paths, size_t n_paths,
                             const pv_comparison_options *options, const pv_context *context,
                             pv_comparison **comparison, pv_error *error)
{
    return pv_i_comparison_open(study, paths, n_paths, options, NULL, context, comparison, error);
}
