/* Lists of groups, one after the other, with where each begins. */
#include "classes/consistency.h"

#include "base/error.h"
#include "base/memory.h"

uint32_t pv_i_group_below_root(const pv_hierarchy *hierarchy, unsigned level, uint32_t leaf)
{
    const uint32_t group = pv_hierarchy_group(hierarchy, level, leaf);
    return pv_hierarchy_is_root(hierarchy, level, group) ? PV_NO_GROUP : group;
}

/* Room for n values and at most n_groups groups in all. */
static pv_status allocate(pv_consistency *level, uint32_t n, size_t n_groups, pv_error *error)
{
    pv_consistency made = {.start = PV_NEW_ZEROED(uint32_t, (size_t)n + 1),
                           .group = PV_NEW_ARRAY(uint32_t, n_groups)};
    if (made.start == NULL || made.group == NULL) {
        pv_i_consistency_deinit(&made);
        return pv_i_no_memory(error);
    }
    *level = made;
    return PV_STATUS_OK;
}

pv_status pv_i_consistency_of_groups(pv_consistency *level, const uint32_t *groups, uint32_t n,
                                     pv_error *error)
{
    PV_TRY(allocate(level, n, n, error));
    uint32_t end = 0;
    for (uint32_t value = 0; value < n; value++) {
        if (groups[value] != PV_NO_GROUP) {
            level->group[end++] = groups[value];
        }
        level->start[value + 1] = end;
    }
    return PV_STATUS_OK;
}

/* Leaves ascend, so their groups do, and the same ones are neighbours. */
pv_status pv_i_consistency_of_leaves(pv_consistency *level, const pv_consistency *leaves,
                                     uint32_t n, const pv_hierarchy *hierarchy, unsigned at,
                                     pv_error *error)
{
    PV_TRY(allocate(level, n, leaves->start[n], error));
    uint32_t end = 0;
    for (uint32_t value = 0; value < n; value++) {
        for (uint32_t i = leaves->start[value]; i < leaves->start[value + 1]; i++) {
            const uint32_t group = pv_i_group_below_root(hierarchy, at, leaves->group[i]);
            const bool is_first = end == level->start[value];
            if (group != PV_NO_GROUP && (is_first || level->group[end - 1] != group)) {
                level->group[end++] = group;
            }
        }
        level->start[value + 1] = end;
    }
    return PV_STATUS_OK;
}

void pv_i_consistency_deinit(pv_consistency *level)
{
    pv_i_free(level->start);
    pv_i_free(level->group);
    *level = (pv_consistency){0};
}
