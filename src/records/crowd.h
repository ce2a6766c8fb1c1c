/* Crowds: people who are released alike, while it is still being decided how.
 *
 * A crowd is a node of every hierarchy. Two crowds become one at the lowest nodes above both, on
 * whatever levels their people reach them. Everything is kept in lists by number: searching for the
 * crowd with which another merges at least cost looks at all of them. */
#ifndef PV_RECORDS_CROWD_H
#define PV_RECORDS_CROWD_H

#include "classes/profile.h"

/* A hierarchy as nodes: the groups, then the values as they are, last the root. */
typedef struct pv_crowd_tree {
    const pv_hierarchy *hierarchy;
    unsigned height;
    uint32_t root;
    uint32_t *parent; /* the root's is itself */
    uint16_t *depth;  /* steps below the root */
    double *loss;     /* share of the domain covered besides the value, 0..1 */
} pv_crowd_tree;

typedef struct pv_crowds {
    const pv_profile *profile;
    size_t n_quasi;
    pv_crowd_tree *trees;
    size_t n;         /* numbers given; those that were merged into others are empty */
    uint32_t **nodes; /* per quasi-identifier: per crowd */
    uint64_t *sizes;  /* people; 0 = gone */
    uint32_t *first;  /* tuple; the others follow in `next`; UINT32_MAX = none */
    uint32_t *last;
    uint32_t *next; /* per tuple */
} pv_crowds;

/* One for all tuples that the levels (tuples * quasi-identifiers) release alike. */
PV_CHECKED pv_status pv_i_crowds_init(pv_crowds *crowds, const pv_profile *profile,
                                      const uint8_t *levels, pv_error *error);
void pv_i_crowds_deinit(pv_crowds *crowds);
/* The same anew, with other levels. */
PV_CHECKED bool pv_i_crowds_reset(pv_crowds *crowds, const uint8_t *levels);

/* The lowest node above two crowds, or the node they share. */
static inline uint32_t pv_i_crowd_meeting(const pv_crowds *crowds, size_t q, size_t a, size_t b)
{
    const pv_crowd_tree *const tree = &crowds->trees[q];
    uint32_t node_a = crowds->nodes[q][a];
    uint32_t node_b = crowds->nodes[q][b];
    while (node_a != node_b) {
        if (tree->depth[node_a] >= tree->depth[node_b]) {
            node_a = tree->parent[node_a];
        } else {
            node_b = tree->parent[node_b];
        }
    }
    return node_a;
}

/* What a leaf is released as at a level. */
uint32_t pv_i_crowd_node_at(const pv_crowd_tree *tree, unsigned level, uint32_t leaf);

/* Is it `*` in every attribute? */
bool pv_i_crowd_is_starred(const pv_crowds *crowds, size_t crowd);
/* What its people lose, in all attributes together. */
double pv_i_crowd_loses(const pv_crowds *crowds, size_t crowd);
/* What merging two costs beyond what they lose already; INFINITY if it is not less than `most`, or
 * if they would be `*` in every attribute. */
double pv_i_crowd_price(const pv_crowds *crowds, size_t a, size_t b, double most);

/* Merges `b` into `a`, at the lowest nodes above both. */
void pv_i_crowd_merge(pv_crowds *crowds, size_t a, size_t b);
/* Makes one of crowds that have become alike. */
PV_CHECKED bool pv_i_crowds_unite(pv_crowds *crowds);

/* The levels of every tuple, raised as far as it takes to release it as its crowd is released. */
void pv_i_crowds_levels(const pv_crowds *crowds, uint8_t *levels);

#endif
