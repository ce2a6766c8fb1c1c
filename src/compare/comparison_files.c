/* Released files beside their original. They are read one after the other, and only their vectors
 * are kept; rows that some of them lack are left out. */
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "compare/comparison_parts.h"

#include <string.h>

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

static pv_status fill(pv_comparison *comparison, pv_comparing *comparing, const char *const *paths,
                      size_t n_paths, const pv_comparison_options *options, pv_error *error)
{
    if (options->key != NULL) {
        PV_TRY(pv_i_key_index_init(&comparing->keys, pv_study_table(comparing->study), options->key,
                                   error));
    }
    PV_TRY(pv_i_maps_init(comparing, options->row_maps, options->n_row_maps, error));
    for (size_t i = 0; i < n_paths; i++) {
        PV_TRY(
            pv_i_release_add(comparison, comparing, paths[i], name_of(paths, n_paths, i), error));
    }
    PV_TRY(pv_i_maps_check(comparing, error));
    if (comparison->n_rows == 0) {
        return pv_i_fail(error, PV_STATUS_INPUT, "no row is in all of the releases");
    }
    for (size_t i = 0; i < options->n_groups; i++) {
        PV_TRY(pv_i_people_add(comparison, comparing, options->groups[i], error));
    }
    return PV_STATUS_OK;
}

pv_status pv_comparison_open(const pv_study *study, const char *const *paths, size_t n_paths,
                             const pv_comparison_options *options, const pv_context *context,
                             pv_comparison **comparison, pv_error *error)
{
    const pv_comparison_options chosen = options != NULL ? *options : (pv_comparison_options){0};
    pv_comparison *made = NULL;
    PV_TRY(pv_comparison_begin(study, chosen.properties, chosen.n_properties, &made, error));
    pv_comparing comparing = {.study = study,
                              .context = context,
                              .key = chosen.key,
                              .properties = made->core->properties,
                              .n_properties = made->n_properties};
    const pv_status status = fill(made, &comparing, paths, n_paths, &chosen, error);
    pv_i_key_index_deinit(&comparing.keys);
    pv_i_free(comparing.maps);
    if (status != PV_STATUS_OK) {
        pv_comparison_free(made);
        return status;
    }
    *comparison = made;
    return PV_STATUS_OK;
}
