/* The finished hierarchy, and the one constructor that all builders end in. */
#ifndef PV_HIERARCHY_TREE_H
#define PV_HIERARCHY_TREE_H

#include "base/arena.h"
#include "hierarchy/hierarchy_paths.h"

#include <paravent/hierarchy.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct pv_hierarchy_level {
    uint32_t *group_of; /* by leaf; never falls */
    uint32_t n_groups;
    const char **labels; /* by group */
    uint64_t *leaves;    /* by group: leaves(g) */
    bool has_root;       /* is the last group `*`? */
} pv_hierarchy_level;

struct pv_hierarchy {
    unsigned height;
    uint32_t n_leaves;
    uint64_t domain;
    pv_hierarchy_level *levels; /* height + 1 */
    uint32_t *leaf_of;          /* by code */
    uint32_t *code_of;          /* by leaf */
    pv_arena arena;             /* all texts */
};

/* Makes the tree of `paths`, whose codes are 0..n_occurring-1, each once. Takes the texts out of
 * `paths` on success. `count_all` counts the values that do not occur as leaves, too. */
PV_CHECKED pv_status pv_i_tree_create(pv_paths *paths, bool count_all, pv_hierarchy **hierarchy,
                                      pv_error *error);

#endif
