/* Schemes of any kind become levels, or levels record by record, of a profile; and what their
 * classes show. */
#include "classes/applied.h"

#include "base/error.h"
#include "classes/grouping.h"

static pv_status through_cuts(pv_applied *a, const pv_study *study, const pv_scheme *scheme,
                              const pv_context *context, pv_error *error)
{
    PV_TRY(pv_study_cut(study, scheme->cuts, &a->own_study, error));
    PV_TRY(pv_profile_create(a->own_study, context, &a->own_profile, error));
    PV_TRY(pv_scheme_from_plan(a->own_study, &a->own_scheme, error));
    a->study = a->own_study;
    a->profile = a->own_profile;
    a->scheme = a->own_scheme;
    return PV_STATUS_OK;
}

pv_status pv_i_applied_open(pv_applied *a, const pv_study *study, const pv_scheme *scheme,
                            const pv_context *context, pv_error *error)
{
    *a = (pv_applied){.study = study, .scheme = scheme};
    if (scheme->cuts != NULL) {
        return through_cuts(a, study, scheme, context, error);
    }
    if (scheme->n_levels != pv_study_quasis(study)) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT,
                         "the scheme is of %zu quasi-identifiers, the table has %zu",
                         scheme->n_levels, pv_study_quasis(study));
    }
    PV_TRY(pv_study_profile(study, &a->profile, error));
    if (scheme->part_tuple != NULL) { /* each part is a tuple of its own */
        PV_TRY(pv_i_profile_divide(a->profile, scheme->part_tuple, scheme->part_rows,
                                   scheme->n_parts, &a->own_profile, error));
        a->profile = a->own_profile;
    }
    return PV_STATUS_OK;
}

void pv_i_applied_close(pv_applied *a)
{
    pv_scheme_free(a->own_scheme);
    pv_profile_free(a->own_profile);
    pv_study_free(a->own_study);
    *a = (pv_applied){0};
}

/* All members of a class look alike: the first says what it shows. */
const char *pv_classes_label(const pv_classes *classes, size_t c, size_t quasi)
{
    if (pv_i_is_suppressed(classes, c)) {
        return PV_ROOT_LABEL;
    }
    const size_t tuple = classes->member[classes->member_start[c]];
    const pv_hierarchy *const hierarchy = pv_study_hierarchy(classes->profile->study, quasi);
    const unsigned level = pv_classes_level(classes, tuple, quasi);
    const uint32_t leaf = pv_profile_leaf(classes->profile, tuple, quasi);
    return pv_hierarchy_label(hierarchy, level, pv_hierarchy_group(hierarchy, level, leaf));
}
