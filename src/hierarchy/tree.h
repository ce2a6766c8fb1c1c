/* The finished hierarchy, and the one constructor that all builders end in. */
#ifndef PV_HIERARCHY_TREE_H
#define PV_HIERARCHY_TREE_H

#include "base/arena.h"
#include "hierarchy/labels.h"
#include "hierarchy/problems.h"

#include <paravent/hierarchy.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---------------------------------------------------------------------- paths */

/* Paths: what every builder of hierarchies produces. For each value of the domain the labels of its
 * ancestors, from level 1 upward; a value without a further ancestor is right below `*`.
 *
 * A group is known by its label, on whatever level: in
 *
 *     Vatican;Europe;*
 *     Paris;France;Europe;*
 *
 * there is one Europe, of both values, although it is at level 1 for the one and at level 2 for the
 * other. So a label that would need two parents is a problem; and so is one that has two parents at
 * one level, even if they are called alike higher up: the levels are not nested. */

#define PV_PATH_ROOT UINT32_MAX

typedef struct pv_path_node {
    uint32_t parent; /* number one level up, or PV_PATH_ROOT */
    uint64_t place;  /* line or row that first named it, 0 = not known */
    uint32_t name;   /* number of its label among those of all levels (pv_i_paths_join) */
} pv_path_node;

/* A label, all levels together: a node of the tree. */
typedef struct pv_path_name {
    uint32_t parent; /* name, or PV_PATH_ROOT */
    unsigned level;  /* the highest it occurs on, */
    uint64_t place;  /* where that was read */
} pv_path_name;

typedef struct pv_path_level {
    pv_labels labels; /* a node's number is its label's */
    pv_path_node *nodes;
    size_t capacity;
} pv_path_level;

typedef struct pv_path_value {
    const char *text;
    uint32_t code;   /* in the dictionary of the column; PV_NO_CODE = named but not occurring */
    uint32_t parent; /* node of level 1, or PV_PATH_ROOT */
    uint64_t place;  /* where it was read, 0 = not known */
    uint32_t name;   /* of the lowest group that covers it, or PV_PATH_ROOT (pv_i_paths_join) */
    bool is_root;    /* the value itself is `*` */
    bool
        is_guest; /* it has no place of its own, but that of a group of its name, if there is one */
    bool uncounted; /* counts as one with another value of its group */
} pv_path_value;

typedef struct pv_paths {
    pv_arena arena; /* all texts */
    pv_path_level levels[PV_MAX_HEIGHT - 1];
    unsigned depth; /* levels in use: the longest path */
    pv_path_value *values;
    uint32_t n_values;
    size_t capacity;
    uint32_t n_occurring;
    uint32_t n_repeats;  /* that count as one with the value before them */
    pv_labels names;     /* the labels of all levels */
    pv_path_name *nodes; /* by number of the name */
    const char *unit; /* what places count, "line" or "hierarchy row"; NULL = labels are made from
                         values and must not be quoted */
} pv_paths;

/* A value to add, borrowed. */
typedef struct pv_path {
    uint32_t code; /* PV_NO_CODE = named but not occurring */
    const char *value;
    const char *const *labels; /* of level 1, 2, ... */
    size_t n_labels;
    uint64_t place; /* where it was read, in units of the paths */
    bool repeats;   /* it counts as one with the value added before it */
    bool is_guest;  /* no row places it; it may still be called like a group */
} pv_path;

void pv_i_paths_free(pv_paths *paths); /* NULL is fine */

/* Adds a value with its ancestors. Labels that are not nested go to `problems`. */
PV_CHECKED pv_status pv_i_paths_add(pv_paths *paths, const pv_path *path, pv_problems *problems,
                                    pv_error *error);
/* Adds the value `*`, which is the root already at level 0. */
PV_CHECKED pv_status pv_i_paths_add_root(pv_paths *paths, uint32_t code, pv_error *error);
/* Adds the missing value to the group of level 1 with that label. */
PV_CHECKED pv_status pv_i_paths_join_missing(pv_paths *paths, uint32_t code, const char *value,
                                             const char *group, pv_error *error);
/* Adds the missing value, alone in a group of its own at every level below the top. To be called
 * after all others, when the depth is known. */
PV_CHECKED pv_status pv_i_paths_add_missing(pv_paths *paths, uint32_t code, const char *value,
                                            pv_problems *problems, pv_error *error);

/* To be called once, after all were added: makes one node of all that have a label. A value that is
 * called like a group is one of those that the group covers. Labels with two parents go to
 * `problems`. */
PV_CHECKED pv_status pv_i_paths_join(pv_paths *paths, pv_problems *problems, pv_error *error);

/* ----------------------------------------------------- the finished hierarchy */

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
    uint32_t first, end; /* the leaves it covers: depth_first[first] .. depth_first[end - 1] */
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
    /* The leaves in depth-first order, and each one's place in it. Leaves are
     * numbered so that those of a *group of a level* are neighbours; here those of a *node* are.
     * The two differ only if a node is on several levels: Europe covers Paris and Vatican, but
     * at level 2 Vatican is with those of other continents, at the root. */
    uint32_t *depth_first, *place_of;
    bool is_level_wise; /* is every group all that its node covers? Then both orders are the same */
    pv_arena arena;     /* all texts */
};

/* Makes the tree of `paths`, whose codes are 0..n_occurring-1, each once. Takes the texts out of
 * `paths` on success. `count_all` counts the values that do not occur as leaves, too. */
PV_CHECKED pv_status pv_i_tree_create(pv_paths *paths, bool count_all, pv_hierarchy **hierarchy,
                                      pv_error *error);

#endif
