/* Lists of groups, one after the other, with where each begins.
 *
 * A value lies under a chain of nodes. At a level it is consistent with every group whose node is
 * in that chain: mostly one, the group the value has there itself; but where a label stands on
 * several levels it may be others, or more than one. */
#include "records/consistency.h"

#include "base/error.h"
#include "base/memory.h"
#include "hierarchy/tree.h"

uint32_t pv_i_group_below_root(const pv_hierarchy *hierarchy, unsigned level, uint32_t leaf)
{
    const uint32_t group = pv_hierarchy_group(hierarchy, level, leaf);
    return pv_hierarchy_is_root(hierarchy, level, group) ? PV_NO_GROUP : group;
}

/* ------------------------------------------------------------- whereabouts */

/* Lists of at most one entry; `none` = no entry. */
static pv_status list_entries(pv_consistency *lists, const uint32_t *entries, uint32_t none,
                              uint32_t n, pv_error *error)
{
    uint32_t end = 0;
    lists->start = PV_NEW_ZEROED(uint32_t, (size_t)n + 1);
    lists->group = PV_NEW_ARRAY(uint32_t, n);
    if (lists->start == NULL || lists->group == NULL) {
        return pv_i_no_memory(error);
    }
    for (uint32_t value = 0; value < n; value++) {
        if (entries[value] != none) {
            lists->group[end++] = entries[value];
        }
        lists->start[value + 1] = end;
    }
    return PV_STATUS_OK;
}

pv_status pv_i_whereabouts_of_values(pv_whereabouts *where, const uint32_t *leaves,
                                     const uint32_t *nodes, uint32_t n, pv_error *error)
{
    PV_TRY(list_entries(&where->leaves, leaves, PV_NO_CODE, n, error));
    return list_entries(&where->nodes, nodes, PV_ROOT_NODE, n, error);
}

pv_status pv_i_whereabouts_of_leaves(pv_whereabouts *where, uint32_t n,
                                     const pv_hierarchy *hierarchy, pv_error *error)
{
    const pv_consistency *const leaves = &where->leaves;
    pv_consistency *const nodes = &where->nodes;
    uint32_t end = 0;
    nodes->start = PV_NEW_ZEROED(uint32_t, (size_t)n + 1);
    nodes->group = PV_NEW_ARRAY(uint32_t, leaves->start[n]);
    if (nodes->start == NULL || nodes->group == NULL) {
        return pv_i_no_memory(error);
    }
    for (uint32_t value = 0; value < n; value++) {
        for (uint32_t i = leaves->start[value]; i < leaves->start[value + 1]; i++) {
            const uint32_t node = hierarchy->lowest[leaves->group[i]];
            const bool is_new = end == nodes->start[value] || nodes->group[end - 1] != node;
            if (node != PV_ROOT_NODE && is_new) {
                nodes->group[end++] = node;
            }
        }
        nodes->start[value + 1] = end;
    }
    return PV_STATUS_OK;
}

void pv_i_whereabouts_deinit(pv_whereabouts *where)
{
    pv_i_consistency_deinit(&where->leaves);
    pv_i_consistency_deinit(&where->nodes);
}

/* ------------------------------------------------------------------- levels */

/* A level while its lists are made. */
typedef struct {
    const pv_hierarchy *hierarchy;
    uint32_t *group_of; /* by node: its group at this level, or PV_NO_GROUP */
    uint32_t *taken_by; /* by group: the value, plus 1, that was last given it */
    uint32_t *groups;
    size_t n, capacity;
} listing;

/* Keeps those of one value, from `start` on, ascending; mostly they come so. */
static pv_status take_group(listing *l, size_t start, uint32_t value, uint32_t group,
                            pv_error *error)
{
    if (group == PV_NO_GROUP || l->taken_by[group] == value + 1) {
        return PV_STATUS_OK;
    }
    if (l->n == UINT32_MAX) {
        return pv_i_fail(error, PV_STATUS_LIMIT, "the dictionary fits too much of the table");
    }
    if (!pv_i_reserve((void **)&l->groups, &l->capacity, l->n + 1, sizeof *l->groups)) {
        return pv_i_no_memory(error);
    }
    l->taken_by[group] = value + 1;
    size_t at = l->n++;
    for (; at > start && l->groups[at - 1] > group; at--) {
        l->groups[at] = l->groups[at - 1];
    }
    l->groups[at] = group;
    return PV_STATUS_OK;
}

static pv_status take_leaves(listing *l, const pv_consistency *leaves, uint32_t value,
                             pv_error *error)
{
    const size_t start = l->n;
    for (uint32_t i = leaves->start[value]; i < leaves->start[value + 1]; i++) {
        PV_TRY(take_group(l, start, value, pv_i_group_below_root(l->hierarchy, 0, leaves->group[i]),
                          error));
    }
    return PV_STATUS_OK;
}

static pv_status take_nodes(listing *l, const pv_consistency *nodes, uint32_t value,
                            pv_error *error)
{
    const size_t start = l->n;
    for (uint32_t i = nodes->start[value]; i < nodes->start[value + 1]; i++) {
        for (uint32_t node = nodes->group[i]; node != PV_ROOT_NODE;
             node = l->hierarchy->nodes[node].parent) {
            PV_TRY(take_group(l, start, value, l->group_of[node], error));
        }
    }
    return PV_STATUS_OK;
}

static pv_status listing_init(listing *l, unsigned at, pv_error *error)
{
    const pv_hierarchy_level *const level = &l->hierarchy->levels[at];
    l->group_of = PV_NEW_ARRAY(uint32_t, l->hierarchy->n_nodes);
    l->taken_by = PV_NEW_ZEROED(uint32_t, level->n_groups);
    l->groups = PV_NEW_ARRAY(uint32_t, 1); /* even if there are none */
    if (l->group_of == NULL || l->taken_by == NULL || l->groups == NULL) {
        return pv_i_no_memory(error);
    }
    l->capacity = 1;
    for (uint32_t node = 0; node < l->hierarchy->n_nodes; node++) {
        l->group_of[node] = PV_NO_GROUP;
    }
    for (uint32_t group = 0; group < level->n_groups; group++) {
        if (level->nodes[group] != PV_ROOT_NODE) {
            l->group_of[level->nodes[group]] = group;
        }
    }
    return PV_STATUS_OK;
}

pv_status pv_i_consistency_init(pv_consistency *level, const pv_whereabouts *where, uint32_t n,
                                const pv_hierarchy *hierarchy, unsigned at, pv_error *error)
{
    listing l = {.hierarchy = hierarchy};
    uint32_t *start = PV_NEW_ZEROED(uint32_t, (size_t)n + 1);
    pv_status status = start != NULL ? listing_init(&l, at, error) : pv_i_no_memory(error);
    for (uint32_t value = 0; value < n && status == PV_STATUS_OK; value++) {
        status = at == 0 ? take_leaves(&l, &where->leaves, value, error)
                         : take_nodes(&l, &where->nodes, value, error);
        start[value + 1] = (uint32_t)l.n;
    }
    if (status == PV_STATUS_OK) {
        *level = (pv_consistency){.start = start, .group = l.groups};
        start = l.groups = NULL;
    }
    pv_i_free(start);
    pv_i_free(l.groups);
    pv_i_free(l.group_of);
    pv_i_free(l.taken_by);
    return status;
}

void pv_i_consistency_deinit(pv_consistency *level)
{
    pv_i_free(level->start);
    pv_i_free(level->group);
    *level = (pv_consistency){0};
}
