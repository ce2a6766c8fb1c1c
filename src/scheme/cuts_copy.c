/* A deep copy of cuts, for whoever keeps them longer than the file or front they came from. */
#include "scheme/cuts.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

static bool copy_group(const pv_cuts_group *group, pv_cuts_group *copy)
{
    copy->has_missing = group->has_missing;
    copy->values = PV_NEW_ZEROED(char *, group->n_values);
    for (size_t i = 0; copy->values != NULL && i < group->n_values; i++) {
        copy->values[i] = pv_i_strdup(group->values[i]);
        if (copy->values[i] == NULL) {
            return false;
        }
        copy->n_values = i + 1;
    }
    return copy->values != NULL;
}

/* What is made before memory runs out is counted, so that pv_cuts_free finds it. */
static bool copy_attribute(const pv_cuts_attribute *attribute, pv_cuts_attribute *copy)
{
    *copy = *attribute;
    copy->n_groups = 0;
    copy->name = pv_i_strdup(attribute->name);
    copy->breaks = PV_NEW_ARRAY(pv_decimal, attribute->n_breaks);
    copy->groups = PV_NEW_ZEROED(pv_cuts_group, attribute->n_groups);
    if (copy->name == NULL || copy->breaks == NULL || copy->groups == NULL) {
        return false;
    }
    if (attribute->n_breaks > 0) {
        memcpy(copy->breaks, attribute->breaks, attribute->n_breaks * sizeof *copy->breaks);
    }
    for (size_t g = 0; g < attribute->n_groups; g++) {
        copy->n_groups = g + 1;
        if (!copy_group(&attribute->groups[g], &copy->groups[g])) {
            return false;
        }
    }
    return true;
}

pv_status pv_i_cuts_copy(const pv_cuts *cuts, pv_cuts **copy, pv_error *error)
{
    pv_cuts *const made = PV_NEW(pv_cuts);
    bool fine = made != NULL;
    if (fine) {
        *made = (pv_cuts){.path = cuts->path != NULL ? pv_i_strdup(cuts->path) : NULL,
                          .attributes = PV_NEW_ZEROED(pv_cuts_attribute, cuts->n_attributes)};
        fine = made->attributes != NULL && (cuts->path == NULL || made->path != NULL);
    }
    for (size_t i = 0; fine && i < cuts->n_attributes; i++) {
        made->n_attributes = i + 1;
        fine = copy_attribute(&cuts->attributes[i], &made->attributes[i]);
    }
    if (!fine) {
        pv_cuts_free(made);
        return pv_i_no_memory(error);
    }
    *copy = made;
    return PV_STATUS_OK;
}
