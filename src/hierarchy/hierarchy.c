/* Specifications of hierarchies, and building from them, the same for all kinds: check the
 * parameters, let the builder make the paths, add the values that every hierarchy treats alike, say
 * all that is wrong, make the tree. */
#include "hierarchy/builders.h"

#include "base/bitset.h"
#include "base/error.h"
#include "base/memory.h"
#include "hierarchy/hierarchy_spec.h"
#include "hierarchy/tree.h"

#include <assert.h>
#include <paravent/hierarchy.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------- builders */

static const pv_hierarchy_builder *const builders[] = {
    [PV_HIERARCHY_SUPPRESS] = &pv_i_build_suppress,   [PV_HIERARCHY_ROWS] = &pv_i_build_rows,
    [PV_HIERARCHY_INTERVALS] = &pv_i_build_intervals, [PV_HIERARCHY_MASK] = &pv_i_build_mask,
    [PV_HIERARCHY_DATE] = &pv_i_build_date,           [PV_HIERARCHY_ORDER] = &pv_i_build_order,
    [PV_HIERARCHY_RARE] = &pv_i_build_rare,           [PV_HIERARCHY_BREAKS] = &pv_i_build_breaks,
};
static_assert(sizeof builders / sizeof *builders == PV_HIERARCHY_KIND_COUNT,
              "every kind of hierarchy needs a builder");

const char *pv_hierarchy_kind_name(pv_hierarchy_kind kind)
{
    return (unsigned)kind < PV_HIERARCHY_KIND_COUNT ? builders[kind]->name : "unknown";
}

/* ---------------------------------------------------------------- the values to place */

static pv_status find_values(pv_building *building, pv_error *error)
{
    const pv_table *const table = building->table;
    const uint32_t n = pv_table_values(table, building->column);
    const uint32_t missing = pv_table_missing(table, building->column);
    building->codes = PV_NEW_ARRAY(uint32_t, n);
    building->refused = PV_NEW_ZEROED(uint64_t, PV_BITSET_WORDS((size_t)n));
    if (building->codes == NULL || building->refused == NULL) {
        return pv_i_no_memory(error);
    }
    PV_TRY(pv_table_order(table, building->column, building->codes, error));
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t code = building->codes[i];
        const char *const text = pv_table_value(table, building->column, code);
        if (code == missing) {
            continue;
        }
        if (strcmp(text, PV_ROOT_LABEL) == 0) {
            building->root_code = code;
        } else {
            building->codes[building->n++] = code;
        }
    }
    return PV_STATUS_OK;
}

pv_status pv_i_building_init(pv_building *building, const pv_hierarchy_spec *spec,
                             const pv_table *table, size_t column, pv_error *error)
{
    *building = (pv_building){
        .spec = spec,
        .table = table,
        .column = column,
        .root_code = PV_NO_CODE,
        .whole = table != NULL && pv_table_type(table, column) == PV_TYPE_INTEGER,
    };
    building->paths = PV_NEW(pv_paths);
    return building->paths == NULL ? pv_i_no_memory(error)
           : table != NULL         ? find_values(building, error)
                                   : PV_STATUS_OK;
}

void pv_i_building_deinit(pv_building *building)
{
    pv_i_free(building->codes);
    pv_i_free(building->refused);
    pv_i_buffer_deinit(&building->labels);
    pv_i_paths_free(building->paths);
}

const char *pv_i_building_text(const pv_building *building, uint32_t i)
{
    return pv_table_value(building->table, building->column, building->codes[i]);
}

const char *pv_i_building_key(const pv_building *building, const char *text,
                              char key[PV_CANONICAL_SIZE])
{
    const bool found =
        building->table != NULL &&
        pv_i_table_canonical(building->table, building->column, text, strlen(text), key) > 0;
    return found ? key : text;
}

static pv_status place(pv_building *building, uint32_t code, const char *text, pv_error *error)
{
    const char *labels[PV_MAX_HEIGHT];
    size_t n = 0;
    if (building->labels.failed) {
        return pv_i_no_memory(error);
    }
    for (size_t at = 0; at < building->labels.size; n++) {
        assert(n < PV_MAX_HEIGHT);
        labels[n] = building->labels.data + at;
        at += strlen(labels[n]) + 1;
    }
    const pv_path path = {
        .code = code, .value = text, .labels = labels, .n_labels = n, .repeats = building->repeats};
    const pv_status status = pv_i_paths_add(building->paths, &path, &building->problems, error);
    pv_i_buffer_clear(&building->labels);
    return status;
}

pv_status pv_i_building_place(pv_building *building, uint32_t i, pv_error *error)
{
    return place(building, building->codes[i], pv_i_building_text(building, i), error);
}

bool pv_i_building_is_special(const pv_building *building, const char *text)
{
    const uint32_t missing =
        building->table != NULL ? pv_table_missing(building->table, building->column) : PV_NO_CODE;
    return strcmp(text, PV_ROOT_LABEL) == 0 ||
           (missing != PV_NO_CODE &&
            strcmp(pv_table_value(building->table, building->column, missing), text) == 0);
}

pv_status pv_i_building_place_absent(pv_building *building, const char *text, pv_error *error)
{
    if (pv_i_building_is_special(building, text)) {
        pv_i_buffer_clear(&building->labels);
        return PV_STATUS_OK;
    }
    return place(building, PV_NO_CODE, text, error);
}

void pv_i_building_refuse(pv_building *building, uint32_t i, const char *complaint)
{
    pv_i_bit_set(building->refused, building->codes[i]);
    building->n_refused++;
    building->complaint = complaint;
}

pv_status pv_i_check_levels(size_t n, const char *what, pv_error *error)
{
    if (n == 0) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "the hierarchy needs at least one %s", what);
    }
    if (n >= PV_MAX_HEIGHT) {
        return pv_i_fail(error, PV_STATUS_LIMIT, "the hierarchy has more than %d levels",
                         PV_MAX_HEIGHT);
    }
    return PV_STATUS_OK;
}

/* ---------------------------------------------------------------- plain suppression */

/* The value, then `*`. */
static pv_status build_suppress(pv_building *building, pv_error *error)
{
    for (uint32_t i = 0; i < building->n; i++) {
        PV_TRY(pv_i_building_place(building, i, error));
    }
    return PV_STATUS_OK;
}

const pv_hierarchy_builder pv_i_build_suppress = {.name = "suppress", .build = build_suppress};

/* ------------------------------------------------------------------- building */

static pv_status check_parameters(const pv_hierarchy_spec *spec, pv_error *error)
{
    if ((unsigned)spec->kind >= PV_HIERARCHY_KIND_COUNT) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "unknown kind of hierarchy");
    }
    return builders[spec->kind]->check != NULL ? builders[spec->kind]->check(spec, error)
                                               : PV_STATUS_OK;
}

/* The remedy for the problems found. */
static pv_status hint(pv_status status, const pv_building *building, pv_error *error)
{
    const pv_hierarchy_spec *const spec = building->spec;
    if (building->n_refused == 0) {
        return pv_i_hint(status, error,
                         "give each value one row, each label one parent wherever it stands "
                         "(groups that are not the same need labels that are not the same), and "
                         "none the spelling of a missing value");
    }
    if (spec->kind == PV_HIERARCHY_ROWS && spec->file != NULL) {
        return pv_i_hint(status, error,
                         "add the missing values to %s; `paravent hierarchy` with the plan and the "
                         "attribute lists them",
                         spec->file);
    }
    return pv_i_hint(status, error, "%s", builders[spec->kind]->remedy);
}

/* ---------------------------------------------------------------- of a column
 *
 * A builder sees neither the missing value nor `*`: they have their place in every hierarchy. What
 * a builder cannot place it refuses, value by value, and all refusals are reported together with
 * the problems of the labels: a publisher corrects a file once, not once per problem. */

/* The missing value comes after all that reach the root last, `*` itself is there already: even
 * where it is how the data spells a missing value. */
static pv_status place_special(pv_building *building, pv_error *error)
{
    const uint32_t missing = pv_table_missing(building->table, building->column);
    if (building->root_code != PV_NO_CODE) {
        PV_TRY(pv_i_paths_add_root(building->paths, building->root_code, error));
    }
    if (missing == PV_NO_CODE) {
        return PV_STATUS_OK;
    }
    const char *const text = pv_table_value(building->table, building->column, missing);
    if (strcmp(text, PV_ROOT_LABEL) == 0) {
        return pv_i_paths_add_root(building->paths, missing, error);
    }
    return building->missing_group != NULL
               ? pv_i_paths_join_missing(building->paths, missing, text, building->missing_group,
                                         error)
               : pv_i_paths_add_missing(building->paths, missing, text, &building->problems, error);
}

/* What was refused reaches the root at once. */
static pv_status place_refused(pv_building *building, pv_error *error)
{
    for (uint32_t i = 0; i < building->n && building->n_refused > 0; i++) {
        if (pv_i_bit_get(building->refused, building->codes[i])) {
            const pv_path path = {.code = building->codes[i],
                                  .value = pv_i_building_text(building, i),
                                  .is_guest = true};
            PV_TRY(pv_i_paths_add(building->paths, &path, &building->problems, error));
        }
    }
    building->n_refused = 0;
    return PV_STATUS_OK;
}

static pv_status report_column(pv_building *building, pv_error *error)
{
    const pv_table *const table = building->table;
    char subject[256];
    (void)snprintf(subject, sizeof subject, "the hierarchy of column `%s`",
                   pv_table_name(table, building->column));
    /* Codes are numbered as they first appear, so this is the order of the lines. */
    const uint32_t n = building->n_refused > 0 ? pv_table_values(table, building->column) : 0;
    for (uint32_t code = 0; code < n; code++) {
        if (pv_i_bit_get(building->refused, code)) {
            pv_i_problems_add_value(&building->problems, table, building->column, code,
                                    building->complaint);
        }
    }
    const pv_status status = pv_i_problems_report(&building->problems, PV_STATUS_INPUT,
                                                  pv_table_source(table), subject, error);
    return status == PV_STATUS_OK ? status : hint(status, building, error);
}

/* Of a guest: labelled as a column of that type, what is refused is right below the root, and what
 * the hierarchy names beyond the column does not count. */
static pv_status build_column(const pv_hierarchy_spec *spec, const pv_type *guest,
                              const pv_table *table, size_t column, pv_hierarchy **hierarchy,
                              pv_error *error)
{
    pv_building building;
    pv_status status;
    PV_TRY(check_parameters(spec, error));
    PV_TRY_CLEAN(pv_i_building_init(&building, spec, table, column, error));
    building.whole = guest != NULL ? *guest == PV_TYPE_INTEGER : building.whole;
    PV_TRY_CLEAN(builders[spec->kind]->build(&building, error));
    if (guest != NULL) {
        PV_TRY_CLEAN(place_refused(&building, error));
    }
    PV_TRY_CLEAN(place_special(&building, error));
    PV_TRY_CLEAN(pv_i_paths_join(building.paths, &building.problems, error));
    PV_TRY_CLEAN(report_column(&building, error));
    PV_TRY_CLEAN(pv_i_tree_create(building.paths, guest == NULL && spec->count_all_leaves,
                                  hierarchy, error));
cleanup:
    pv_i_building_deinit(&building);
    return status;
}

pv_status pv_hierarchy_build(const pv_hierarchy_spec *spec, const pv_table *table, size_t column,
                             pv_hierarchy **hierarchy, pv_error *error)
{
    return column < pv_table_columns(table)
               ? build_column(spec, NULL, table, column, hierarchy, error)
               : pv_i_fail(error, PV_STATUS_ARGUMENT, "the table has no column %zu", column);
}

pv_status pv_i_hierarchy_build_guest(const pv_hierarchy_spec *spec, pv_type type,
                                     const pv_table *table, size_t column, pv_hierarchy **hierarchy,
                                     pv_error *error)
{
    return build_column(spec, &type, table, column, hierarchy, error);
}

/* Problems of the hierarchy itself are for whoever builds it. */
pv_status pv_i_hierarchy_unknown(const pv_hierarchy_spec *spec, const pv_table *table,
                                 size_t column, uint64_t *codes, pv_error *error)
{
    pv_building building;
    PV_TRY(check_parameters(spec, error));
    pv_status status = pv_i_building_init(&building, spec, table, column, error);
    if (status == PV_STATUS_OK) {
        status = builders[spec->kind]->build(&building, error);
    }
    for (uint32_t i = 0; status == PV_STATUS_OK && i < building.n; i++) {
        if (pv_i_bit_get(building.refused, building.codes[i])) {
            pv_i_bit_set(codes, building.codes[i]);
        }
    }
    pv_i_building_deinit(&building);
    return status;
}

/* ---------------------------------------------------------------- of the rows alone */

/* With the problems found before; `hierarchy` NULL = they are only checked. */
static pv_status build_alone(const pv_hierarchy_spec *spec, const pv_problems *before,
                             pv_hierarchy **hierarchy, pv_error *error)
{
    pv_building building;
    pv_status status;
    PV_TRY_CLEAN(pv_i_building_init(&building, spec, NULL, 0, error));
    building.problems = *before;
    PV_TRY_CLEAN(pv_i_build_rows.build(&building, error));
    PV_TRY_CLEAN(pv_i_paths_join(building.paths, &building.problems, error));
    status = pv_i_problems_report(&building.problems, PV_STATUS_INPUT, spec->file,
                                  spec->file == NULL ? "the hierarchy" : "", error);
    if (status != PV_STATUS_OK) {
        status = hint(status, &building, error);
    } else if (hierarchy != NULL) {
        status = pv_i_tree_create(building.paths, spec->count_all_leaves, hierarchy, error);
    }
cleanup:
    pv_i_building_deinit(&building);
    return status;
}

pv_status pv_i_rows_check(const pv_hierarchy_spec *spec, const pv_problems *before, pv_error *error)
{
    return build_alone(spec, before, NULL, error);
}

pv_status pv_hierarchy_build_standalone(const pv_hierarchy_spec *spec, pv_hierarchy **hierarchy,
                                        pv_error *error)
{
    const pv_problems none = {0};
    PV_TRY(check_parameters(spec, error));
    return spec->kind == PV_HIERARCHY_ROWS
               ? build_alone(spec, &none, hierarchy, error)
               : pv_i_fail(error, PV_STATUS_ARGUMENT,
                           "a hierarchy of kind %s needs a column to be built for",
                           pv_hierarchy_kind_name(spec->kind));
}

pv_status pv_i_hierarchy_spec_check(const pv_hierarchy_spec *spec, pv_error *error)
{
    const pv_problems none = {0};
    PV_TRY(check_parameters(spec, error));
    return spec->kind == PV_HIERARCHY_ROWS ? pv_i_rows_check(spec, &none, error) : PV_STATUS_OK;
}

/* ------------------------------------------------------------- specifications */

static void free_texts(char **texts, size_t n)
{
    for (size_t i = 0; texts != NULL && i < n; i++) {
        pv_i_free(texts[i]);
    }
    pv_i_free(texts);
}

/* Copies of `n` texts and a NULL; NULL when memory runs out. */
static char **copy_texts(const char *const *texts, size_t n)
{
    char **const copies = PV_NEW_ZEROED(char *, n + 1);
    for (size_t i = 0; copies != NULL && i < n; i++) {
        copies[i] = pv_i_strdup(texts[i]);
        if (copies[i] == NULL) {
            free_texts(copies, i);
            return NULL;
        }
    }
    return copies;
}

static size_t count_texts(char *const *texts)
{
    size_t n = 0;
    while (texts[n] != NULL) {
        n++;
    }
    return n;
}

pv_status pv_i_hierarchy_spec_add_row(pv_hierarchy_spec *spec, size_t *capacity,
                                      const char *const *cells, size_t n, uint64_t line,
                                      pv_error *error)
{
    while (n > 1 && strcmp(cells[n - 1], PV_ROOT_LABEL) == 0) {
        n--;
    }
    /* Rows and lines grow together; lines only exist when the rows come from a file. */
    size_t line_capacity = *capacity;
    const size_t needed = spec->n_rows + 1;
    if (line > 0 &&
        !pv_i_reserve((void **)&spec->lines, &line_capacity, needed, sizeof *spec->lines)) {
        return pv_i_no_memory(error);
    }
    char **const row = pv_i_reserve((void **)&spec->rows, capacity, needed, sizeof *spec->rows)
                           ? copy_texts(cells, n)
                           : NULL;
    if (row == NULL) {
        return pv_i_no_memory(error);
    }
    if (line > 0) {
        spec->lines[spec->n_rows] = line;
    }
    spec->rows[spec->n_rows++] = row;
    return PV_STATUS_OK;
}

/* ---------------------------------------------------------------- whole specifications */

void pv_hierarchy_spec_free(pv_hierarchy_spec *spec)
{
    if (spec == NULL) {
        return;
    }
    for (size_t i = 0; i < spec->n_rows; i++) {
        free_texts(spec->rows[i], count_texts(spec->rows[i]));
    }
    pv_i_free(spec->file);
    pv_i_free(spec->rows);
    pv_i_free(spec->lines);
    pv_i_free(spec->missing_group);
    pv_i_free(spec->widths);
    pv_i_free(spec->breaks);
    pv_i_free(spec->units);
    pv_i_free(spec->sizes);
    free_texts(spec->values, spec->n_values);
    pv_i_free(spec->rare_label);
    *spec = (pv_hierarchy_spec){0};
}

/* A copy of `n` plain elements, or NULL for NULL; *fine turns false when memory runs out. */
static void *copy_array(const void *array, size_t n, size_t size, bool *fine)
{
    void *const copy = array != NULL ? pv_i_array(n, size) : NULL;
    if (copy != NULL && n > 0) {
        memcpy(copy, array, n * size);
    }
    *fine = *fine && (array == NULL || copy != NULL);
    return copy;
}

static char *copy_text(const char *text, bool *fine)
{
    return copy_array(text, text != NULL ? strlen(text) + 1 : 0, 1, fine);
}

pv_status pv_i_hierarchy_spec_copy(const pv_hierarchy_spec *spec, pv_hierarchy_spec *copy,
                                   pv_error *error)
{
    bool fine = true;
    size_t capacity = 0;
    pv_hierarchy_spec made = *spec;
    made.rows = NULL;
    made.lines = NULL;
    made.n_rows = 0;
    made.file = copy_text(spec->file, &fine);
    made.missing_group = copy_text(spec->missing_group, &fine);
    made.rare_label = copy_text(spec->rare_label, &fine);
    made.widths = copy_array(spec->widths, spec->n_widths, sizeof *spec->widths, &fine);
    made.breaks = copy_array(spec->breaks, spec->n_breaks, sizeof *spec->breaks, &fine);
    made.units = copy_array(spec->units, spec->n_units, sizeof *spec->units, &fine);
    made.sizes = copy_array(spec->sizes, spec->n_sizes, sizeof *spec->sizes, &fine);
    made.values =
        spec->values != NULL ? copy_texts((const char *const *)spec->values, spec->n_values) : NULL;
    fine = fine && (spec->values == NULL || made.values != NULL);
    pv_status status = fine ? PV_STATUS_OK : pv_i_no_memory(error);
    for (size_t i = 0; i < spec->n_rows && status == PV_STATUS_OK; i++) {
        status = pv_i_hierarchy_spec_add_row(&made, &capacity, (const char *const *)spec->rows[i],
                                             count_texts(spec->rows[i]),
                                             spec->lines != NULL ? spec->lines[i] : 0, error);
    }
    if (status != PV_STATUS_OK) {
        pv_hierarchy_spec_free(&made);
        return status;
    }
    *copy = made;
    return PV_STATUS_OK;
}

/* ---------------------------------------------------------------- self-contained ones */

/* Lists the values of the column in natural order; RARE lists only those it keeps apart. */
static pv_status list_values(const pv_building *building, pv_hierarchy_spec *resolved,
                             pv_error *error)
{
    const char **const texts = PV_NEW_ARRAY(const char *, building->n);
    size_t n = 0;
    if (texts == NULL) {
        return pv_i_no_memory(error);
    }
    for (uint32_t i = 0; i < building->n; i++) {
        if (resolved->kind != PV_HIERARCHY_RARE ||
            !pv_i_is_rare(resolved, building->table, building->column, building->codes[i])) {
            texts[n++] = pv_i_building_text(building, i);
        }
    }
    resolved->values = copy_texts(texts, n);
    resolved->n_values = resolved->values != NULL ? n : 0;
    pv_i_free(texts);
    return resolved->values != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
}

pv_status pv_i_hierarchy_spec_resolve(const pv_hierarchy_spec *spec, const pv_table *table,
                                      size_t column, pv_hierarchy_spec *resolved, pv_error *error)
{
    pv_hierarchy_spec copy = {0};
    pv_building building = {0};
    pv_status status = PV_STATUS_OK;
    PV_TRY(pv_i_hierarchy_spec_copy(spec, &copy, error));
    if ((spec->kind == PV_HIERARCHY_ORDER || spec->kind == PV_HIERARCHY_RARE) &&
        spec->values == NULL) {
        PV_TRY_CLEAN(pv_i_building_init(&building, spec, table, column, error));
        PV_TRY_CLEAN(list_values(&building, &copy, error));
    }
    *resolved = copy;
    copy = (pv_hierarchy_spec){0};
cleanup:
    pv_i_building_deinit(&building);
    pv_hierarchy_spec_free(&copy);
    return status;
}
