/* Released files beside their original, row by row. Files are read one after the other, and only
 * their vectors are kept. When all are there, the rows that some of them lack are left out. */
#include "base/bitset.h"
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "compare/comparison_parts.h"

#include <string.h>

void pv_comparison_free(pv_comparison *comparison)
{
    if (comparison == NULL) {
        return;
    }
    for (size_t i = 0; comparison->releases != NULL && i < comparison->n_releases; i++) {
        pv_vectors_free(comparison->releases[i]);
    }
    pv_i_free(comparison->releases);
    pv_i_free(comparison->people);
    if (comparison->memory != NULL) {
        pv_i_arena_deinit(comparison->memory);
        pv_i_free(comparison->memory);
    }
    pv_i_free(comparison);
}

static pv_status create(size_t n_releases, pv_comparison **comparison, pv_error *error)
{
    pv_comparison *const made = PV_NEW(pv_comparison);
    if (made == NULL) {
        return pv_i_no_memory(error);
    }
    made->n_releases = n_releases;
    made->releases = PV_NEW_ZEROED(pv_vectors *, n_releases);
    made->memory = PV_NEW(pv_arena);
    if (made->releases != NULL && made->memory != NULL) {
        made->n_missing = pv_i_arena_array(made->memory, n_releases, sizeof *made->n_missing);
    }
    if (made->n_missing == NULL) {
        pv_comparison_free(made);
        return pv_i_no_memory(error);
    }
    *comparison = made;
    return PV_STATUS_OK;
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
                                 const pv_comparison_options *options, pv_error *error)
{
    const bool all = options->n_properties == 0;
    const size_t n = all ? available_properties(study, NULL) : options->n_properties;
    const char **const names = pv_i_arena_array(comparison->memory, n, sizeof *names);
    if (names == NULL) {
        return pv_i_no_memory(error);
    }
    if (all) {
        (void)available_properties(study, names);
    } else {
        PV_TRY(copy_names(options->properties, n, names, comparison->memory, error));
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

static pv_status choose_properties(pv_comparison *comparison, pv_comparing *comparing,
                                   const pv_comparison_options *options, pv_error *error)
{
    PV_TRY(name_properties(comparison, comparing->study, options, error));
    const size_t n = comparison->n_properties;
    pv_property_choice *const choices = pv_i_arena_array(comparison->memory, n, sizeof *choices);
    comparison->less_is_better =
        pv_i_arena_array(comparison->memory, n, sizeof *comparison->less_is_better);
    if (choices == NULL || comparison->less_is_better == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < n; i++) {
        PV_TRY(pv_i_property_choose(comparison->properties[i], &choices[i], error));
        PV_TRY(check_available(&choices[i], comparing->study, error));
        comparison->less_is_better[i] = choices[i].less_is_better;
    }
    comparing->properties = choices;
    comparing->n_properties = n;
    return PV_STATUS_OK;
}

/* ---------------------------------------------------------------- releases */

/* The file's name without its folder, unless another file has the same. */
static const char *name_of(const char *const *paths, size_t n, size_t i)
{
    const char *const name = pv_i_base_name(paths[i]);
    for (size_t other = 0; other < n; other++) {
        if (other != i && strcmp(pv_i_base_name(paths[other]), name) == 0) {
            return paths[i];
        }
    }
    return name;
}

static pv_status read_releases(pv_comparison *comparison, const pv_comparing *comparing,
                               const char *const *paths, pv_error *error)
{
    for (size_t i = 0; i < comparison->n_releases; i++) {
        PV_TRY(pv_i_release_vectors(comparing, paths[i], name_of(paths, comparison->n_releases, i),
                                    &comparison->releases[i], &comparison->n_missing[i], error));
    }
    return PV_STATUS_OK;
}

/* -------------------------------------------------------------- common rows */

static pv_status prepare_join(pv_comparing *comparing, const pv_comparison_options *options,
                              pv_error *error)
{
    const pv_table *const original = pv_study_table(comparing->study);
    const size_t n_words = PV_BITSET_WORDS((size_t)pv_table_rows(original));
    comparing->key = options->key;
    if (options->key == NULL) {
        return PV_STATUS_OK;
    }
    PV_TRY(pv_i_key_index_init(&comparing->keys, original, options->key, error));
    comparing->common = PV_NEW_ARRAY(uint64_t, n_words);
    if (comparing->common == NULL) {
        return pv_i_no_memory(error);
    }
    memset(comparing->common, 0xff, n_words * sizeof *comparing->common);
    return PV_STATUS_OK;
}

static void squeeze(double *values, const uint64_t *common, uint64_t n)
{
    uint64_t kept = 0;
    for (uint64_t row = 0; row < n; row++) {
        if (pv_i_bit_get(common, row)) {
            values[kept++] = values[row];
        }
    }
}

static uint64_t count_common(const uint64_t *common, uint64_t n)
{
    uint64_t kept = 0;
    for (uint64_t row = 0; row < n; row++) {
        kept += pv_i_bit_get(common, row);
    }
    return kept;
}

static pv_status keep_common(pv_comparison *comparison, const uint64_t *common, pv_error *error)
{
    const uint64_t n = comparison->n_original;
    comparison->n_rows = common != NULL ? count_common(common, n) : n;
    if (comparison->n_rows == 0) {
        return pv_i_fail(error, PV_STATUS_INPUT, "no row is in all of the releases");
    }
    for (size_t i = 0; comparison->n_rows < n && i < comparison->n_releases; i++) {
        pv_vectors *const vectors = comparison->releases[i];
        vectors->n_rows = comparison->n_rows;
        for (size_t p = 0; p < vectors->n_properties; p++) {
            squeeze(vectors->values[p], common, n);
        }
    }
    return PV_STATUS_OK;
}

static pv_status divide_people(pv_comparison *comparison, const pv_comparing *comparing,
                               const pv_comparison_options *options, pv_error *error)
{
    for (size_t i = 0; i < options->n_groups; i++) {
        PV_TRY(
            pv_i_people_add(comparison, comparing, options->groups[i], comparison->memory, error));
    }
    return PV_STATUS_OK;
}

/* --------------------------------------------------------------------- all */

static pv_status fill(pv_comparison *comparison, pv_comparing *comparing, const char *const *paths,
                      const pv_comparison_options *options, pv_error *error)
{
    PV_TRY(choose_properties(comparison, comparing, options, error));
    PV_TRY(prepare_join(comparing, options, error));
    PV_TRY(read_releases(comparison, comparing, paths, error));
    PV_TRY(keep_common(comparison, comparing->common, error));
    return divide_people(comparison, comparing, options, error);
}

pv_status pv_comparison_open(const pv_study *study, const char *const *paths, size_t n_paths,
                             const pv_comparison_options *options, const pv_context *context,
                             pv_comparison **comparison, pv_error *error)
{
    const pv_comparison_options defaults = {0};
    pv_comparing comparing = {.study = study, .context = context};
    pv_comparison *made = NULL;
    PV_TRY(create(n_paths, &made, error));
    made->n_original = pv_table_rows(pv_study_table(study));
    const pv_status status =
        fill(made, &comparing, paths, options != NULL ? options : &defaults, error);
    pv_i_key_index_deinit(&comparing.keys);
    pv_i_free(comparing.common);
    if (status != PV_STATUS_OK) {
        pv_comparison_free(made);
        return status;
    }
    *comparison = made;
    return PV_STATUS_OK;
}
