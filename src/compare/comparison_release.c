/* A released file becomes vectors over the rows of the original, and is forgotten.
 *
 * The file is seen through a plan of its own: its quasi-identifiers are taken as they stand, so
 * that people are in one class if they look alike in the file, all of it: an attacker sees it
 * whole. The measures then tell what they tell of every table. What a file does not say itself, its
 * sensitive values if they were left out and how much its values tell, comes from the original. */
#include "base/error.h"
#include "base/memory.h"
#include "classes/profile.h"
#include "compare/comparison_parts.h"
#include "compare/vectors.h"
#include "measure/entry.h"
#include "plan/spelling.h"
#include "table/column.h"
#include "table/graft.h"
#include "table/value.h"

#include <string.h>

typedef struct {
    const pv_comparing *comparing;
    const char *path;
    pv_table *table;  /* until the study owns it */
    uint64_t *rows;   /* of the original; NULL = in the same order */
    double **numbers; /* per property that is a column: the number of each code */
    pv_plan plan;     /* only its attributes are its own */
    pv_study *study;
    pv_profile *profile;
    pv_classes *classes;
    pv_stands_for stands_for;
    pv_division division;
    size_t n_kinds;
    pv_vectors *vectors;
} release;

static void release_deinit(release *r)
{
    pv_i_vectors_free(r->vectors);
    pv_i_division_deinit(&r->division);
    pv_i_stands_for_deinit(&r->stands_for);
    pv_classes_free(r->classes);
    pv_profile_free(r->profile);
    pv_study_free(r->study);
    pv_i_free(r->plan.attributes);
    for (size_t i = 0; r->numbers != NULL && i < r->comparing->n_properties; i++) {
        pv_i_free(r->numbers[i]);
    }
    pv_i_free(r->numbers);
    pv_i_free(r->rows);
    pv_table_free(r->table);
}

/* ----------------------------------------------------------------- reading */

static bool uses_sensitive(const pv_comparing *comparing)
{
    for (size_t i = 0; i < comparing->n_properties; i++) {
        const pv_property *const property = comparing->properties[i].property;
        if (property != NULL && (property->needs & PV_NEEDS_SENSITIVE) != 0) {
            return true;
        }
    }
    return false;
}

static bool uses_detail(const pv_comparing *comparing)
{
    for (size_t i = 0; i < comparing->n_properties; i++) {
        const pv_property *const property = comparing->properties[i].property;
        if (property != NULL && pv_i_property_is_detail(property)) {
            return true;
        }
    }
    return false;
}

static bool is_wanted(void *ctx, const char *column)
{
    const pv_comparing *const comparing = ctx;
    if (comparing->key == NULL) { /* are the rows sorted? That takes all columns to say */
        return true;
    }
    if (strcmp(comparing->key, column) == 0) {
        return true;
    }
    for (size_t i = 0; i < comparing->n_properties; i++) {
        const char *const own = comparing->properties[i].column;
        if (own != NULL && strcmp(own, column) == 0) {
            return true;
        }
    }
    return pv_i_is_checked(comparing, column);
}

static pv_status fail_column(const char *path, const char *column, const char *hint,
                             pv_error *error)
{
    return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, path, 1, 0,
                                  "the release has no column `%s`", pv_i_shown(column).text),
                     error, "%s", hint);
}

static pv_status check_quasis(const release *r, pv_error *error)
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
static pv_status take_types(release *r, pv_error *error)
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

static pv_status read_table(release *r, pv_error *error)
{
    const pv_plan *const plan = pv_study_plan(r->comparing->study);
    pv_read_options reading = pv_plan_reading(plan);
    reading.keep = is_wanted;
    reading.keep_ctx = (void *)(uintptr_t)r->comparing;
    PV_TRY(pv_table_read(r->path, &reading, r->comparing->context, &r->table, error));
    PV_TRY(check_quasis(r, error));
    return take_types(r, error);
}

/* ----------------------------------------------------- columns as properties */

static pv_status fail_missing(const release *r, size_t column, pv_error *error)
{
    const uint64_t row = pv_table_first_row(r->table, column, pv_table_missing(r->table, column));
    return pv_i_fail_at(error, PV_STATUS_INPUT, r->path, pv_table_line(r->table, row), 0,
                        "column `%s` is empty in row %llu",
                        pv_i_shown(pv_table_name(r->table, column)).text,
                        (unsigned long long)row + 1);
}

static pv_status check_numbers(const release *r, size_t column, pv_error *error)
{
    pv_status status = pv_table_set_type(r->table, column, PV_TYPE_DECIMAL, error);
    if (status == PV_STATUS_OK && pv_table_missing(r->table, column) != PV_NO_CODE) {
        status = fail_missing(r, column, error);
    }
    return status == PV_STATUS_OK
               ? status
               : pv_i_hint(status, error, "a column is a property if it has a number in every row");
}

/* The number each code stands for. */
static pv_status read_column(const release *r, size_t property, pv_error *error)
{
    const pv_property_choice *const choice = &r->comparing->properties[property];
    const size_t column = pv_table_find(r->table, choice->column);
    if (column == SIZE_MAX) {
        return fail_column(r->path, choice->column,
                           "a column can only be a property if all releases have it", error);
    }
    PV_TRY(check_numbers(r, column, error));
    const uint32_t n = pv_table_values(r->table, column);
    double *const numbers = r->numbers[property] = PV_NEW_ARRAY(double, n);
    for (uint32_t code = 0; numbers != NULL && code < n; code++) {
        pv_decimal number = {0};
        (void)pv_i_table_number(r->table, column, code, &number); /* its type says that it is one */
        numbers[code] = pv_decimal_double(number);
    }
    return numbers != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
}

/* While the table is still as it was read. */
static pv_status read_columns(release *r, pv_error *error)
{
    const pv_comparing *const comparing = r->comparing;
    r->numbers = PV_NEW_ZEROED(double *, comparing->n_properties);
    if (r->numbers == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < comparing->n_properties; i++) {
        if (comparing->properties[i].property == NULL) {
            PV_TRY(read_column(r, i, error));
        }
    }
    return PV_STATUS_OK;
}

/* ------------------------------------------------------- the file as a study */

static pv_status plan_sensitive(release *r, const pv_plan_attribute *attribute, size_t sensitive,
                                pv_error *error)
{
    const pv_study *const study = r->comparing->study;
    const pv_distance distance = pv_study_distance(study, sensitive);
    pv_plan_attribute *const planned = &r->plan.attributes[r->plan.n_attributes++];
    *planned = *attribute;
    planned->distance = distance;
    planned->has_hierarchy = distance == PV_DISTANCE_HIERARCHICAL;
    if (pv_table_find(r->table, attribute->name) == SIZE_MAX) {
        PV_TRY(pv_i_table_graft(r->table, pv_study_table(study),
                                pv_study_sensitive_column(study, sensitive), r->rows, error));
    }
    planned->type = PV_TYPE_AUTO; /* as it was taken from the original */
    return PV_STATUS_OK;
}

static void plan_quasi(release *r, const pv_plan_attribute *attribute)
{
    r->plan.attributes[r->plan.n_attributes++] = (pv_plan_attribute){.name = attribute->name,
                                                                     .role = PV_ROLE_QUASI,
                                                                     .weight = attribute->weight,
                                                                     .level = -1,
                                                                     .line = attribute->line,
                                                                     .column = attribute->column};
}

static pv_status make_plan(release *r, pv_error *error)
{
    const pv_plan *const plan = pv_study_plan(r->comparing->study);
    const bool sensitives = uses_sensitive(r->comparing);
    size_t sensitive = 0;
    r->plan = (pv_plan){.path = plan->path,
                        .attributes = PV_NEW_ZEROED(pv_plan_attribute, plan->n_attributes)};
    if (r->plan.attributes == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < plan->n_attributes; i++) {
        const pv_plan_attribute *const attribute = &plan->attributes[i];
        if (attribute->role == PV_ROLE_QUASI) {
            plan_quasi(r, attribute);
        } else if (attribute->role == PV_ROLE_SENSITIVE && sensitives) {
            PV_TRY(plan_sensitive(r, attribute, sensitive++, error));
        }
    }
    return PV_STATUS_OK;
}

static pv_status group(release *r, pv_error *error)
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
 * quasi-identifier, what released values stand for. */
static pv_status count_one(void *ctx, size_t task, const pv_thread *thread, pv_error *error)
{
    (void)thread;
    release *const r = ctx;
    if (task > 0) {
        return pv_i_stands_for_count(&r->stands_for, r->comparing, r->study, r->rows, task - 1,
                                     error);
    }
    return uses_sensitive(r->comparing) ? pv_i_profile_count(r->profile, error) : PV_STATUS_OK;
}

static pv_status count(release *r, pv_error *error)
{
    const size_t n_quasis = uses_detail(r->comparing) ? pv_study_quasis(r->study) : 0;
    PV_TRY(pv_i_stands_for_init(&r->stands_for, n_quasis, error));
    return pv_i_tasks_run(pv_i_threads(r->comparing->context), 1 + n_quasis, count_one, r, NULL,
                          error);
}

/* ------------------------------------------------------------------- kinds */

/* Besides what classes tell, the columns that are properties. */
static size_t take_traits(const release *r, pv_trait *traits)
{
    const pv_comparing *const comparing = r->comparing;
    const pv_table *const table = pv_study_table(r->study);
    size_t n =
        pv_i_profile_traits(r->profile, comparing->properties, comparing->n_properties, traits);
    for (size_t i = 0; i < comparing->n_properties; i++) {
        if (comparing->properties[i].property == NULL) {
            const size_t column = pv_table_find(table, comparing->properties[i].column);
            traits[n++] = (pv_trait){.codes = pv_i_table_codes(table, column),
                                     .n_values = pv_table_values(table, column)};
        }
    }
    return n;
}

/* Where the release has each row of the original. */
static pv_status find_places(const release *r, uint64_t n_original, uint64_t **places,
                             pv_error *error)
{
    if (r->rows == NULL) {
        return PV_STATUS_OK;
    }
    uint64_t *const found = *places = PV_NEW_ARRAY(uint64_t, n_original);
    if (found == NULL) {
        return pv_i_no_memory(error);
    }
    for (uint64_t row = 0; row < n_original; row++) {
        found[row] = PV_NOWHERE;
    }
    for (uint64_t row = 0; row < r->profile->n_rows; row++) {
        found[r->rows[row]] = row;
    }
    return PV_STATUS_OK;
}

static pv_status divide(release *r, pv_comparison *comparison, pv_error *error)
{
    pv_kinds *const kinds = &comparison->core->kinds;
    const size_t most = 1 + r->profile->n_sensitive + comparison->n_properties;
    uint64_t *places = NULL;
    pv_trait *const traits = PV_NEW_ARRAY(pv_trait, most);
    pv_status status = PV_STATUS_OK;
    if (traits == NULL) {
        return pv_i_no_memory(error);
    }
    PV_TRY_CLEAN(find_places(r, comparison->n_original, &places, error));
    PV_TRY_CLEAN(pv_i_kinds_divide(kinds, traits, take_traits(r, traits), places,
                                   r->comparing->context, &r->division, error));
    r->n_kinds = kinds->n;
cleanup:
    pv_i_free(traits);
    pv_i_free(places);
    return status;
}

/* ----------------------------------------------------------------- vectors */

static pv_status fill_detail(const release *r, const pv_property *property, double *values,
                             pv_error *error)
{
    double *const per_tuple = PV_NEW_ARRAY(double, r->profile->n_tuples);
    if (per_tuple == NULL) {
        return pv_i_no_memory(error);
    }
    pv_i_detail_of_tuples(&r->stands_for, r->comparing, r->profile, property, per_tuple);
    for (size_t kind = 0; kind < r->n_kinds; kind++) {
        values[kind] = per_tuple[r->profile->row_tuple[r->division.example[kind]]];
    }
    pv_i_free(per_tuple);
    return PV_STATUS_OK;
}

static void fill_column(const release *r, size_t property, double *values)
{
    const pv_table *const table = pv_study_table(r->study);
    const char *const name = r->comparing->properties[property].column;
    const pv_codes codes = pv_i_table_codes(table, pv_table_find(table, name));
    for (size_t kind = 0; kind < r->n_kinds; kind++) {
        values[kind] = r->numbers[property][pv_i_codes_at(codes, r->division.example[kind])];
    }
}

static pv_status fill(const release *r, size_t property, double *values, pv_error *error)
{
    const pv_property *const chosen = r->comparing->properties[property].property;
    if (chosen == NULL) {
        fill_column(r, property, values);
        return PV_STATUS_OK;
    }
    return pv_i_property_is_detail(chosen)
               ? fill_detail(r, chosen, values, error)
               : pv_i_measure_rows(pv_i_property_measure(chosen), r->classes, r->division.example,
                                   r->n_kinds, values, error);
}

static pv_status fill_one(void *ctx, size_t property, const pv_thread *thread, pv_error *error)
{
    (void)thread;
    const release *const r = ctx;
    double *const values = r->vectors->values[property] = PV_NEW_ARRAY(double, r->n_kinds);
    if (values == NULL) {
        return pv_i_no_memory(error);
    }
    PV_TRY(fill(r, property, values, error));
    if (r->comparing->properties[property].less_is_better) {
        pv_i_values_turn(values, r->n_kinds);
    }
    return PV_STATUS_OK;
}

static pv_status mark_suppressed(const release *r, pv_error *error)
{
    const size_t starred = pv_i_starred_tuple(r->profile);
    if (starred == SIZE_MAX) {
        return PV_STATUS_OK;
    }
    bool *const marks = r->vectors->is_suppressed = PV_NEW_ARRAY(bool, r->n_kinds);
    for (size_t kind = 0; marks != NULL && kind < r->n_kinds; kind++) {
        marks[kind] = r->profile->row_tuple[r->division.example[kind]] == starred;
    }
    r->vectors->suppressed = pv_profile_count(r->profile, starred);
    return marks != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
}

pv_status pv_i_release_add(pv_comparison *comparison, const pv_comparing *comparing,
                           const char *path, const char *name, pv_error *error)
{
    release r = {.comparing = comparing, .path = path};
    pv_status status;
    PV_TRY_CLEAN(pv_i_vectors_create(name, comparing->n_properties, &r.vectors, error));
    PV_TRY_CLEAN(read_table(&r, error));
    PV_TRY_CLEAN(pv_i_join(comparing, path, r.table, &r.rows, error));
    PV_TRY_CLEAN(pv_i_check_rows(comparing, r.table, r.rows, error));
    PV_TRY_CLEAN(read_columns(&r, error));
    PV_TRY_CLEAN(make_plan(&r, error));
    PV_TRY_CLEAN(group(&r, error));
    PV_TRY_CLEAN(count(&r, error));
    PV_TRY_CLEAN(divide(&r, comparison, error));
    PV_TRY_CLEAN(pv_i_tasks_run(pv_i_threads(comparing->context), comparing->n_properties, fill_one,
                                &r, NULL, error));
    PV_TRY_CLEAN(mark_suppressed(&r, error));
    status = pv_i_comparison_append(comparison, r.vectors,
                                    comparison->n_original - r.profile->n_rows, &r.division, error);
    r.vectors = NULL;
cleanup:
    release_deinit(&r);
    return status;
}
