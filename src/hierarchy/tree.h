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
    uint32_t *nodes;     /* by group; PV_ROOT_NODE = `*`, and every group of level 0 */
    bool has_root;       /* is the last group `*`? */
} pv_hierarchy_level;

/* A node above the values: a label. It is the group of those values that reach it at one level, and
 * covers those that reach it at others as well. */
typedef struct pv_hierarchy_node {
    const char *label;
    uint32_t parent;     /* PV_ROOT_NODE = `*` */
    uint32_t first, end; /* the leaves it covers: walk[first] .. walk[end - 1] */
    uint64_t leaves;     /* of the domain */
} pv_hierarchy_node;

#define PV_ROOT_NODE UINT32_MAX

/* A value of the domain that does not occur. */
typedef struct pv_absent_value {
    const char *text;
    uint32_t lowest; /* the lowest node that covers it, or PV_ROOT_NODE */
} pv_absent_value;

struct pv_hierarchy {
    unsigned height;
    uint32_t n_leaves;
    uint64_t domain;
    pv_hierarchy_level *levels; /* height + 1 */
    uint32_t *leaf_of;          /* by code */
    uint32_t *code_of;          /* by leaf */
    pv_hierarchy_node *nodes;   /* below the root; some may cover no leaf */
    uint32_t n_nodes;
    uint32_t *lowest;        /* by leaf: the lowest node that covers it, or PV_ROOT_NODE */
    pv_absent_value *absent; /* if they count as leaves (`domain: hierarchy`) */
    uint32_t n_absent;
    /* The leaves in the order of a depth-first walk, and each one's place in it. Leaves are
     * numbered so that those of a *group of a level* are neighbours; here those of a *node* are.
     * The two differ only if a node stands on several levels: Europe covers Paris and Vatican, but
     * at level 2 Vatican is with those of other continents, at the root. */
    uint32_t *walk, *place_of;
    bool is_level_wise; /* is every group all that its node covers? Then the walk is 0, 1, 2, ... */
    pv_arena arena;     /* all texts */
};

/* Makes the tree of `paths`, whose codes are 0..n_occurring-1, each once. Takes the texts out of
 * `paths` on success. `count_all` counts the values that do not occur as leaves, too. */
PV_CHECKED pv_status pv_i_tree_create(pv_paths *paths, bool count_all, pv_hierarchy **hierarchy,
                                      pv_error *error);

#endif
