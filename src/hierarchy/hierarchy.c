/* Building a hierarchy, the same for all kinds: check the parameters, let the builder make the
 * paths, add the values that every hierarchy treats alike, say all that is wrong, make the tree. */
#include "base/bitset.h"
#include "base/error.h"
#include "hierarchy/builders.h"
#include "hierarchy/hierarchy_spec.h"
#include "hierarchy/tree.h"

#include <paravent/hierarchy.h>
#include <stdio.h>
#include <string.h>

static pv_status check_parameters(const pv_hierarchy_spec *spec, pv_error *error)
{
    const pv_hierarchy_builder *const builder = pv_i_hierarchy_builder(spec->kind);
    if (builder == NULL) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "unknown kind of hierarchy");
    }
    return builder->check != NULL ? builder->check(spec, error) : PV_STATUS_OK;
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
    return pv_i_hint(status, error, "%s", pv_i_hierarchy_builder(spec->kind)->remedy);
}

/* ---------------------------------------------------------------- of a column */

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

static pv_status report_column(pv_building *building, pv_error *error)
{
    char subject[256];
    (void)snprintf(subject, sizeof subject, "the hierarchy of column `%s`",
                   pv_table_name(building->table, building->column));
    pv_i_building_list_refused(building);
    const pv_status status = pv_i_problems_report(&building->problems, PV_STATUS_INPUT,
                                                  pv_table_source(building->table), subject, error);
    return status == PV_STATUS_OK ? status : hint(status, building, error);
}

static pv_status build_column(pv_building *building, pv_hierarchy **hierarchy, pv_error *error)
{
    const pv_hierarchy_spec *const spec = building->spec;
    PV_TRY(pv_i_hierarchy_builder(spec->kind)->build(building, error));
    PV_TRY(place_special(building, error));
    PV_TRY(pv_i_paths_join(building->paths, &building->problems, error));
    PV_TRY(report_column(building, error));
    return pv_i_tree_create(building->paths, spec->count_all_leaves, hierarchy, error);
}

pv_status pv_hierarchy_build(const pv_hierarchy_spec *spec, const pv_table *table, size_t column,
                             pv_hierarchy **hierarchy, pv_error *error)
{
    pv_building building;
    if (column >= pv_table_columns(table)) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "the table has no column %zu", column);
    }
    PV_TRY(check_parameters(spec, error));
    pv_status status = pv_i_building_init(&building, spec, table, column, error);
    if (status == PV_STATUS_OK) {
        status = build_column(&building, hierarchy, error);
    }
    pv_i_building_deinit(&building);
    return status;
}

/* Problems of the hierarchy itself are for whoever builds it. */
pv_status pv_i_hierarchy_unknown(const pv_hierarchy_spec *spec, const pv_table *table,
                                 size_t column, uint64_t *codes, pv_error *error)
{
    pv_building building;
    PV_TRY(check_parameters(spec, error));
    pv_status status = pv_i_building_init(&building, spec, table, column, error);
    if (status == PV_STATUS_OK) {
        status = pv_i_hierarchy_builder(spec->kind)->build(&building, error);
    }
    for (uint32_t i = 0; status == PV_STATUS_OK && i < building.n; i++) {
        if (pv_i_bit_get(building.refused, building.codes[i])) {
            pv_i_bit_set(codes, building.codes[i]);
        }
    }
    pv_i_building_deinit(&building);
    return status;
}

/* ---------------------------------------------------------------- of a guest */

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

static pv_status build_guest(pv_building *building, pv_hierarchy **hierarchy, pv_error *error)
{
    PV_TRY(pv_i_hierarchy_builder(building->spec->kind)->build(building, error));
    PV_TRY(place_refused(building, error));
    PV_TRY(place_special(building, error));
    PV_TRY(pv_i_paths_join(building->paths, &building->problems, error));
    PV_TRY(report_column(building, error));
    return pv_i_tree_create(building->paths, false, hierarchy, error);
}

pv_status pv_i_hierarchy_build_guest(const pv_hierarchy_spec *spec, pv_type type,
                                     const pv_table *table, size_t column, pv_hierarchy **hierarchy,
                                     pv_error *error)
{
    pv_building building;
    PV_TRY(check_parameters(spec, error));
    pv_status status = pv_i_building_init(&building, spec, table, column, error);
    building.whole = type == PV_TYPE_INTEGER;
    if (status == PV_STATUS_OK) {
        status = build_guest(&building, hierarchy, error);
    }
    pv_i_building_deinit(&building);
    return status;
}

/* ---------------------------------------------------------------- of the rows alone */

static pv_status build_rows_alone(pv_building *building, pv_error *error)
{
    const pv_hierarchy_spec *const spec = building->spec;
    PV_TRY(pv_i_build_rows.build(building, error));
    PV_TRY(pv_i_paths_join(building->paths, &building->problems, error));
    const pv_status status = pv_i_problems_report(&building->problems, PV_STATUS_INPUT, spec->file,
                                                  spec->file == NULL ? "the hierarchy" : "", error);
    return status == PV_STATUS_OK ? status : hint(status, building, error);
}

pv_status pv_i_rows_check(const pv_hierarchy_spec *spec, const pv_problems *before, pv_error *error)
{
    pv_building building;
    pv_status status = pv_i_building_init(&building, spec, NULL, 0, error);
    if (status == PV_STATUS_OK) {
        building.problems = *before;
        status = build_rows_alone(&building, error);
    }
    pv_i_building_deinit(&building);
    return status;
}

pv_status pv_hierarchy_build_standalone(const pv_hierarchy_spec *spec, pv_hierarchy **hierarchy,
                                        pv_error *error)
{
    pv_building building;
    PV_TRY(check_parameters(spec, error));
    if (spec->kind != PV_HIERARCHY_ROWS) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT,
                         "a hierarchy of kind %s needs a column to be built for",
                         pv_hierarchy_kind_name(spec->kind));
    }
    pv_status status = pv_i_building_init(&building, spec, NULL, 0, error);
    if (status == PV_STATUS_OK) {
        status = build_rows_alone(&building, error);
    }
    if (status == PV_STATUS_OK) {
        status = pv_i_tree_create(building.paths, spec->count_all_leaves, hierarchy, error);
    }
    pv_i_building_deinit(&building);
    return status;
}

pv_status pv_i_hierarchy_spec_check(const pv_hierarchy_spec *spec, pv_error *error)
{
    const pv_problems none = {0};
    PV_TRY(check_parameters(spec, error));
    return spec->kind == PV_HIERARCHY_ROWS ? pv_i_rows_check(spec, &none, error) : PV_STATUS_OK;
}
