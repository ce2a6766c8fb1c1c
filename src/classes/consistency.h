/* Making the lists of groups that dictionary values are consistent with, level by level. */
#ifndef PV_CLASSES_CONSISTENCY_H
#define PV_CLASSES_CONSISTENCY_H

#include "classes/dictionary.h"

#define PV_NO_GROUP UINT32_MAX

/* Is a value consistent with a group? */
static inline bool pv_i_is_consistent(const pv_consistency *level, uint32_t value, uint32_t group)
{
    const uint32_t end = level->start[value + 1];
    uint32_t i = level->start[value];
    while (i < end && level->group[i] < group) {
        i++;
    }
    return i < end && level->group[i] == group;
}

/* At most one group for each of n values, PV_NO_GROUP = none. */
PV_CHECKED pv_status pv_i_consistency_of_groups(pv_consistency *level, const uint32_t *groups,
                                                uint32_t n, pv_error *error);
/* The groups at a level of leaves with which n values are consistent. */
PV_CHECKED pv_status pv_i_consistency_of_leaves(pv_consistency *level, const pv_consistency *leaves,
                                                uint32_t n, const pv_hierarchy *hierarchy,
                                                unsigned at, pv_error *error);
void pv_i_consistency_deinit(pv_consistency *level);

/* The group of a leaf at a level, PV_NO_GROUP = the root. */
uint32_t pv_i_group_below_root(const pv_hierarchy *hierarchy, unsigned level, uint32_t leaf);

#endif
