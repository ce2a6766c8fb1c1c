/* Releases of one table side by side: what is compared, and every release as it joins. */
#include "base/checked.h"
#include "base/error.h"
#include "base/memory.h"
#include "classes/profile.h"
#include "compare/comparison_parts.h"
#include "compare/vectors.h"
#include "measure/entry.h"

#include <math.h>
#include <string.h>

void pv_comparison_free(pv_comparison *comparison)
{
    if (comparison == NULL) {
        return;
    }
    for (size_t i = 0; i < comparison->n_releases; i++) {
        pv_i_vectors_free(comparison->releases[i]);
    }
    pv_i_free(comparison->releases);
    pv_i_free(comparison->n_missing);
    pv_i_free(comparison->people);
    if (comparison->core != NULL) {
        pv_i_kinds_deinit(&comparison->core->kinds);
        pv_i_arena_deinit(&comparison->core->arena);
        pv_i_free(comparison->core);
    }
    pv_i_free(comparison);
}

void *pv_i_arena_array(pv_arena *arena, size_t n, size_t size)
{
    size_t bytes;
    return pv_i_mul_size(n, size, &bytes) ? pv_i_arena_alloc(arena, bytes) : NULL;
}

double pv_comparison_value(const pv_comparison *comparison, size_t release, size_t property,
                           uint64_t row)
{
    const double *const values = comparison->releases[release]->values[property];
    const uint64_t kind = comparison->kind_of_row != NULL ? comparison->kind_of_row[row] : row;
    return values != NULL ? values[kind] : (double)NAN;
}

/* -------------------------------------------------------------- properties */

/* Names into `names`, if there is one; returns how many. */
static size_t available_properties(const pv_study *study, const char **names)
{
    size_t n = 0;
    for (size_t i = 0; i < pv_properties(); i++) {
        if (pv_i_property_available(pv_property_at(i), study)) {
            if (names != NULL) {
                names[n] = pv_property_at(i)->name;
            }
            n++;
        }
    }
    return n;
}

static pv_status copy_names(const char *const *from, size_t n, const char **names, pv_arena *arena,
                            pv_error *error)
{
    for (size_t i = 0; i < n; i++) {
        names[i] = pv_i_arena_text(arena, from[i], strlen(from[i]));
        if (names[i] == NULL) {
            return pv_i_no_memory(error);
        }
    }
    return PV_STATUS_OK;
}

static pv_status name_properties(pv_comparison *comparison, const pv_study *study,
                                 const char *const *properties, size_t n_properties,
                                 pv_error *error)
{
    const bool all = n_properties == 0;
    const size_t n = all ? available_properties(study, NULL) : n_properties;
    const char **const names = pv_i_arena_array(&comparison->core->arena, n, sizeof *names);
    if (names == NULL) {
        return pv_i_no_memory(error);
    }
    if (all) {
        (void)available_properties(study, names);
    } else {
        PV_TRY(copy_names(properties, n, names, &comparison->core->arena, error));
    }
    comparison->properties = names;
    comparison->n_properties = n;
    return PV_STATUS_OK;
}

static pv_status check_available(const pv_property_choice *choice, const pv_study *study,
                                 pv_error *error)
{
    if (choice->property == NULL || pv_i_property_available(choice->property, study)) {
        return PV_STATUS_OK;
    }
    return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                               "property `%s` needs a sensitive attribute", choice->property->name),
                     error, "give a column the role sensitive in the plan");
}

static pv_status choose_properties(pv_comparison *comparison, const pv_study *study,
                                   pv_error *error)
{
    struct pv_comparison_core *const core = comparison->core;
    const size_t n = comparison->n_properties;
    core->properties = pv_i_arena_array(&core->arena, n, sizeof *core->properties);
    comparison->less_is_better =
        pv_i_arena_array(&core->arena, n, sizeof *comparison->less_is_better);
    if (core->properties == NULL || comparison->less_is_better == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < n; i++) {
        pv_property_choice *const choice = &core->properties[i];
        PV_TRY(pv_i_property_choose(comparison->properties[i], choice, error));
        PV_TRY(check_available(choice, study, error));
        comparison->less_is_better[i] = choice->less_is_better;
    }
    return PV_STATUS_OK;
}

/* ---------------------------------------------------------------- beginning */

static void show_kinds(pv_comparison *comparison)
{
    const pv_kinds *const kinds = &comparison->core->kinds;
    comparison->n_rows = kinds->n_rows;
    comparison->n_kinds = kinds->n;
    comparison->n_of_kind = kinds->people;
    comparison->kind_of_row = kinds->of_row;
}

pv_status pv_comparison_begin(const pv_study *study, const char *const *properties,
                              size_t n_properties, pv_comparison **comparison, pv_error *error)
{
    pv_comparison *const made = PV_NEW(pv_comparison);
    pv_status status = PV_STATUS_OK;
    if (made == NULL) {
        return pv_i_no_memory(error);
    }
    made->n_original = pv_table_rows(pv_study_table(study));
    made->core = PV_NEW(struct pv_comparison_core);
    if (made->core == NULL) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    PV_TRY_CLEAN(name_properties(made, study, properties, n_properties, error));
    PV_TRY_CLEAN(choose_properties(made, study, error));
    PV_TRY_CLEAN(pv_i_kinds_init(&made->core->kinds, made->n_original, error));
    show_kinds(made);
    *comparison = made;
    return PV_STATUS_OK;
cleanup:
    pv_comparison_free(made);
    return status;
}

/* ----------------------------------------------------------------- joining */

static pv_status make_room(pv_comparison *comparison, pv_error *error)
{
    const size_t n = comparison->n_releases + 1;
    pv_vectors **const releases =
        pv_i_resize(comparison->releases, n, sizeof *comparison->releases);
    comparison->releases = releases != NULL ? releases : comparison->releases;
    uint64_t *const missing = pv_i_resize(comparison->n_missing, n, sizeof *missing);
    comparison->n_missing = missing != NULL ? missing : comparison->n_missing;
    return releases != NULL && missing != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
}

pv_status pv_i_comparison_append(pv_comparison *comparison, pv_vectors *vectors, uint64_t n_missing,
                                 const pv_division *division, pv_error *error)
{
    const pv_status status = make_room(comparison, error);
    if (status != PV_STATUS_OK) {
        pv_i_vectors_free(vectors);
        return status;
    }
    show_kinds(comparison);
    comparison->releases[comparison->n_releases] = vectors;
    comparison->n_missing[comparison->n_releases++] = n_missing;
    for (size_t i = 0; i + 1 < comparison->n_releases; i++) {
        PV_TRY(pv_i_vectors_divide(comparison->releases[i], division->parent, comparison->n_kinds,
                                   error));
    }
    return PV_STATUS_OK;
}

/* ----------------------------------------------------------------- schemes */

static bool is_own(const pv_property_choice *properties, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (properties[i].property != NULL && pv_i_property_is_own(properties[i].property)) {
            return true;
        }
    }
    return false;
}

size_t pv_i_profile_traits(const pv_profile *profile, const pv_property_choice *properties,
                           size_t n_properties, pv_trait *traits)
{
    const pv_table *const table = pv_study_table(profile->study);
    const pv_codes tuples = {.width = sizeof *profile->row_tuple, .data = profile->row_tuple};
    size_t n = 0;
    traits[n++] = (pv_trait){.codes = tuples, .n_values = (uint32_t)profile->n_tuples};
    for (size_t i = 0; is_own(properties, n_properties) && i < profile->n_sensitive; i++) {
        const size_t column = pv_study_sensitive_column(profile->study, i);
        traits[n++] = (pv_trait){.codes = pv_i_table_codes(table, column),
                                 .n_values = pv_table_values(table, column)};
    }
    return n;
}

static pv_status divide_by_classes(pv_kinds *kinds, const pv_comparison *comparison,
                                   const pv_classes *classes, const pv_context *context,
                                   pv_division *division, pv_error *error)
{
    const pv_profile *const profile = classes->profile;
    pv_trait *const traits = PV_NEW_ARRAY(pv_trait, 1 + profile->n_sensitive);
    if (traits == NULL) {
        return pv_i_no_memory(error);
    }
    const size_t n = pv_i_profile_traits(profile, comparison->core->properties,
                                         comparison->n_properties, traits);
    const pv_status status = pv_i_kinds_divide(kinds, traits, n, NULL, context, division, error);
    pv_i_free(traits);
    return status;
}

/* A column is in files only. */
static pv_status fill(const pv_comparison *comparison, const pv_classes *classes,
                      const pv_division *division, pv_vectors *vectors, pv_error *error)
{
    const size_t n = comparison->core->kinds.n;
    for (size_t p = 0; p < comparison->n_properties; p++) {
        const pv_property_choice *const choice = &comparison->core->properties[p];
        if (choice->property == NULL) {
            continue;
        }
        vectors->values[p] = PV_NEW_ARRAY(double, n);
        if (vectors->values[p] == NULL) {
            return pv_i_no_memory(error);
        }
        PV_TRY(pv_i_measure_rows(pv_i_property_measure(choice->property), classes,
                                 division->example, n, vectors->values[p], error));
        if (choice->less_is_better) {
            pv_i_values_turn(vectors->values[p], n);
        }
    }
    return PV_STATUS_OK;
}

static pv_status mark_suppressed(const pv_classes *classes, const pv_division *division, size_t n,
                                 pv_vectors *vectors, pv_error *error)
{
    vectors->suppressed = pv_classes_suppressed(classes);
    if (vectors->suppressed == 0) {
        return PV_STATUS_OK;
    }
    bool *const marks = vectors->is_suppressed = PV_NEW_ARRAY(bool, n);
    for (size_t kind = 0; marks != NULL && kind < n; kind++) {
        const size_t tuple = classes->profile->row_tuple[division->example[kind]];
        marks[kind] = pv_classes_is_suppressed(classes, pv_classes_of_tuple(classes, tuple));
    }
    return marks != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
}

pv_status pv_comparison_add(pv_comparison *comparison, const pv_classes *classes, const char *name,
                            const pv_context *context, pv_error *error)
{
    pv_vectors *vectors = NULL;
    pv_division division = {0};
    pv_status status = PV_STATUS_OK;
    if (pv_profile_rows(classes->profile) != comparison->n_original) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT,
                         "schemes can only be compared if they are of the same table");
    }
    PV_TRY(pv_i_vectors_create(name, comparison->n_properties, &vectors, error));
    PV_TRY_CLEAN(divide_by_classes(&comparison->core->kinds, comparison, classes, context,
                                   &division, error));
    PV_TRY_CLEAN(fill(comparison, classes, &division, vectors, error));
    PV_TRY_CLEAN(mark_suppressed(classes, &division, comparison->core->kinds.n, vectors, error));
    status = pv_i_comparison_append(comparison, vectors, 0, &division, error);
    vectors = NULL;
cleanup:
    pv_i_vectors_free(vectors);
    pv_i_division_deinit(&division);
    return status;
}
