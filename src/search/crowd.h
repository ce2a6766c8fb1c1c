/* Crowds: people who are released alike, while it is still being decided how.
 *
 * A crowd is a node of every hierarchy, told by a leaf below it and a level. Two crowds become one
 * at the lowest nodes above both. Everything is kept in lists by number: searching for the crowd
 * with which another merges at least cost looks at all of them. */
#ifndef PV_SEARCH_CROWD_H
#define PV_SEARCH_CROWD_H

#include "classes/profile.h"

/* What is looked up of a hierarchy, level after level and leaf by leaf. */
typedef struct pv_crowd_tree {
    unsigned height;
    uint32_t n_leaves;
    uint32_t *group; /* [level * n_leaves + leaf] */
    double *loss;    /* the same: share of the domain covered besides the value, 0..1 */
    uint8_t *root;   /* per leaf: the lowest level that is the root */
} pv_crowd_tree;

typedef struct pv_crowds {
    const pv_profile *profile;
    size_t n_quasi;
    pv_crowd_tree *trees;
    size_t n;          /* numbers given; those that were merged into others are empty */
    uint32_t **leaves; /* per quasi-identifier: per crowd */
    uint8_t **levels;
    uint64_t *sizes; /* people; 0 = gone */
    uint32_t *first; /* tuple; the others follow in `next`; UINT32_MAX = none */
    uint32_t *last;
    uint32_t *next; /* per tuple */
} pv_crowds;

/* One for all tuples that the levels (tuples * quasi-identifiers) release alike. */
PV_CHECKED pv_status pv_i_crowds_init(pv_crowds *crowds, const pv_profile *profile,
                                      const uint8_t *levels, pv_error *error);
void pv_i_crowds_deinit(pv_crowds *crowds);
/* The same anew, with other levels. */
PV_CHECKED bool pv_i_crowds_reset(pv_crowds *crowds, const uint8_t *levels);

/* The lowest level at which two crowds are in the same group of an attribute. */
static inline unsigned pv_i_crowd_meeting(const pv_crowds *crowds, size_t q, size_t a, size_t b)
{
    const pv_crowd_tree *const tree = &crowds->trees[q];
    const uint32_t leaf_a = crowds->leaves[q][a];
    const uint32_t leaf_b = crowds->leaves[q][b];
    unsigned level =
        crowds->levels[q][a] > crowds->levels[q][b] ? crowds->levels[q][a] : crowds->levels[q][b];
    while (tree->group[(size_t)level * tree->n_leaves + leaf_a] !=
           tree->group[(size_t)level * tree->n_leaves + leaf_b]) {
        level++;
    }
    return level;
}

static inline double pv_i_crowd_loss(const pv_crowd_tree *tree, unsigned level, uint32_t leaf)
{
    return tree->loss[(size_t)level * tree->n_leaves + leaf];
}

/* A level at which the leaf is the root already is the top. */
static inline unsigned pv_i_crowd_true_level(const pv_crowd_tree *tree, uint32_t leaf,
                                             unsigned level)
{
    return level >= tree->root[leaf] ? tree->height : level;
}

/* Is it `*` in every attribute? */
bool pv_i_crowd_is_starred(const pv_crowds *crowds, size_t crowd);
/* What its people lose, in all attributes together. */
double pv_i_crowd_loses(const pv_crowds *crowds, size_t crowd);
/* What merging two costs beyond what they lose already; INFINITY if it is not less than `most`, or
 * if they would be `*` in every attribute. */
double pv_i_crowd_price(const pv_crowds *crowds, size_t a, size_t b, double most);

/* Merges `b` into `a`, at the lowest nodes above both. */
void pv_i_crowd_merge(pv_crowds *crowds, size_t a, size_t b);
/* Raises an attribute of a crowd to a level. */
static inline void pv_i_crowd_raise(pv_crowds *crowds, size_t q, size_t crowd, unsigned level)
{
    crowds->levels[q][crowd] = (uint8_t)level;
}
/* Makes one of crowds that have become alike. */
PV_CHECKED bool pv_i_crowds_unite(pv_crowds *crowds);

/* The levels of every tuple, the lowest that release it as its crowd is released. */
void pv_i_crowds_levels(const pv_crowds *crowds, uint8_t *levels);

#endif
