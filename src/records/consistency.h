/* Making the lists of groups that dictionary values are consistent with, level by level. */
#ifndef PV_RECORDS_CONSISTENCY_H
#define PV_RECORDS_CONSISTENCY_H

#include "records/dictionary.h"

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

/* Where n values may be in a hierarchy: lists as in pv_consistency. */
typedef struct pv_whereabouts {
    pv_consistency leaves; /* that they may be */
    pv_consistency nodes;  /* that they lie under, the lowest ones: those above follow */
} pv_whereabouts;

/* At most one leaf (PV_NO_CODE = none) and one lowest node (PV_ROOT_NODE = none) for each of n
 * values. */
PV_CHECKED pv_status pv_i_whereabouts_of_values(pv_whereabouts *where, const uint32_t *leaves,
                                                const uint32_t *nodes, uint32_t n, pv_error *error);
/* The leaves are known, the nodes are those above them. */
PV_CHECKED pv_status pv_i_whereabouts_of_leaves(pv_whereabouts *where, uint32_t n,
                                                const pv_hierarchy *hierarchy, pv_error *error);
void pv_i_whereabouts_deinit(pv_whereabouts *where);

/* The groups of a level that n values are consistent with: at level 0 the leaves, else the groups
 * whose nodes they lie under, at whatever level they reach them themselves. */
PV_CHECKED pv_status pv_i_consistency_init(pv_consistency *level, const pv_whereabouts *where,
                                           uint32_t n, const pv_hierarchy *hierarchy, unsigned at,
                                           pv_error *error);
void pv_i_consistency_deinit(pv_consistency *level);

/* The group of a leaf at a level, PV_NO_GROUP = the root. */
uint32_t pv_i_group_below_root(const pv_hierarchy *hierarchy, unsigned level, uint32_t leaf);

#endif
