/* Which columns of a table a plan speaks of. Names are looked up by binary search, so that ten
 * thousand columns against ten thousand attributes cost nothing worth speaking of. */
#include "plan/columns.h"

#include "base/error.h"
#include "base/memory.h"
#include "plan/spelling.h"

#include <stdlib.h>
#include <string.h>

static int compare_attributes(const void *a, const void *b)
{
    const pv_plan_attribute *const left = *(const pv_plan_attribute *const *)a;
    const pv_plan_attribute *const right = *(const pv_plan_attribute *const *)b;
    return strcmp(left->name, right->name);
}

static int compare_name(const void *name, const void *entry)
{
    return strcmp(name, (*(const pv_plan_attribute *const *)entry)->name);
}

pv_status pv_i_columns_init(pv_columns *columns, const pv_plan *plan, pv_error *error)
{
    const size_t n = plan->n_attributes;
    columns->plan = plan;
    columns->by_name = PV_NEW_ARRAY(const pv_plan_attribute *, n);
    columns->met = PV_NEW_ZEROED(bool, n);
    if (columns->by_name == NULL || columns->met == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < n; i++) {
        columns->by_name[i] = &plan->attributes[i];
    }
    qsort(columns->by_name, n, sizeof *columns->by_name, compare_attributes);
    return PV_STATUS_OK;
}

void pv_i_columns_deinit(pv_columns *columns)
{
    pv_i_free(columns->by_name);
    pv_i_free(columns->met);
    pv_i_free(columns->names);
    pv_i_arena_deinit(&columns->arena);
    *columns = (pv_columns){0};
}

static const pv_plan_attribute **find(const pv_columns *columns, const char *name)
{
    return bsearch(name, columns->by_name, columns->plan->n_attributes, sizeof *columns->by_name,
                   compare_name);
}

static void remember(pv_columns *columns, const char *name)
{
    char *const copy = pv_i_arena_text(&columns->arena, name, strlen(name));
    if (copy == NULL || !pv_i_reserve((void **)&columns->names, &columns->names_capacity,
                                      columns->n_names + 1, sizeof *columns->names)) {
        columns->failed = true;
        return;
    }
    columns->names[columns->n_names++] = copy;
}

static bool is_wanted(const pv_columns *columns, pv_role role)
{
    switch (role) {
    case PV_ROLE_OTHER: return columns->all_columns;
    case PV_ROLE_IDENTIFIER: return columns->identifiers;
    default: return true;
    }
}

bool pv_i_columns_see(void *ctx, const char *column)
{
    pv_columns *const columns = ctx;
    remember(columns, column);
    const pv_plan_attribute **const entry = find(columns, column);
    if (entry == NULL) {
        columns->n_unnamed++;
        return columns->unnamed || (columns->plan->keep_others && columns->all_columns);
    }
    columns->met[entry - columns->by_name] = true;
    return is_wanted(columns, (*entry)->role);
}

bool pv_i_columns_named(const pv_columns *columns, const char *column)
{
    return find(columns, column) != NULL;
}

static pv_status fail_unknown(const pv_columns *columns, const pv_plan_attribute *attribute,
                              const char *source, pv_error *error)
{
    pv_suggestion suggestion = {.word = attribute->name};
    for (size_t i = 0; i < columns->n_names; i++) {
        pv_i_suggest(&suggestion, columns->names[i]);
    }
    const pv_status status = pv_i_fail_at(
        error, PV_STATUS_INPUT, columns->plan->path, attribute->line, attribute->column,
        "%s has no column `%s`", source, pv_i_shown(attribute->name).text);
    if (suggestion.best != NULL) {
        return pv_i_hint(status, error, "did you mean `%s`?", pv_i_shown(suggestion.best).text);
    }
    return pv_i_hint(status, error,
                     "names must be written exactly as in the first line of the data; check that "
                     "it has a header and that the delimiter is right");
}

pv_status pv_i_columns_check(const pv_columns *columns, const char *source, pv_error *error)
{
    if (columns->failed) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < columns->plan->n_attributes; i++) {
        const pv_plan_attribute *const attribute = &columns->plan->attributes[i];
        const pv_plan_attribute **const entry = find(columns, attribute->name);
        if (entry == NULL || !columns->met[entry - columns->by_name]) {
            return fail_unknown(columns, attribute, source, error);
        }
    }
    return PV_STATUS_OK;
}
