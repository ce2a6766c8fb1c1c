/* Local recoding (docs/model.md, section 7b), while it is being done: every row is released as one
 * tuple of hierarchy nodes, rows released alike form a class, and every class keeps the demands.
 *
 *     class 1: (age 20-39, zip 130**)   4 rows of tuple 17, 3 of tuple 3     7 rows
 *     class 2: (age 28,    zip 13053)   9 rows of tuple 17                   9 rows
 *     class 0: suppressed               1 row of tuple 8
 *
 * A tuple may be divided, as tuple 17 here: rows that class 2 can spare help those who are few. The
 * nodes of a class are always the lowest ones above all its rows, so that its cost is known from
 * who is in it.
 *
 *     local_space.c     trees, costs, classes: what all of the others use
 *     local.c           the search: price by price over the lattice, or block by block
 *     local_screen.c    which nodes of the lattice have something to release
 *     local_near.c      which classes are near another
 *     local_rebuild.c   one neighbourhood of classes taken apart and put together again
 *     local_divide.c    blocks of tuples divided from the top down
 *     local_levels.c    the start from levels for everyone, where nothing else works out
 *     local_budget.c    which rows to suppress, if some may be
 *     local_bound.c     what no local recoding can lose less than
 *     local_sweep.c     prices that break a condition of the bound are lowered */
#ifndef PV_RECORDS_LOCAL_H
#define PV_RECORDS_LOCAL_H

#include "base/arena.h"
#include "base/rng.h"
#include "classes/profile.h"
#include "measure/class_rules.h"
#include "scheme/scheme.h"

#include <paravent/context.h>

/* A hierarchy as a tree of numbered nodes. The *starts* are the lowest nodes that tuples may be
 * released as: the values as they are, or what is demanded of a tuple at least.
 *
 * *Rungs* are what a lattice has levels for: on rung 0 every start stands for itself, on the last
 * one for the root, on those between for its ancestor so many steps below the root (or for itself
 * if it is not that deep). Every node, also one that leaves of different levels reach, is a group
 * of some rung. */
typedef struct pv_local_tree {
    const pv_hierarchy *hierarchy;
    uint32_t n;        /* nodes; the last is the root, or where no allowed level leads */
    uint32_t n_starts; /* without demands on tuples: the leaves, numbered as they are */
    unsigned n_rungs;
    uint32_t star;    /* the node called `*` */
    uint32_t *parent; /* the root's is itself */
    uint16_t *depth;  /* steps below the root */
    double *cost;     /* what a row loses that is released as the node; INFINITY = not allowed */
    double full;      /* what it loses if it is suppressed */
    uint32_t *rungs;  /* n_rungs * n_starts: the node of each start */
    uint16_t *join;   /* n * n: the lowest node above two; NULL = too many nodes */
    uint64_t *mark;   /* per node, random: the marks of a tuple's nodes add up to its key */
} pv_local_tree;

/* The question, read-only once it is made. Costs are shares of what a suppressed row loses. */
typedef struct pv_local_space {
    const pv_profile *profile;
    size_t n_tuples, n_quasi;
    pv_local_tree *trees;
    size_t *order;    /* quasi-identifiers, those with most values first: nodes of the lattice are
                         numbered with the first of them turning slowest */
    uint32_t *starts; /* tuples * quasi-identifiers */
    uint32_t *raw;    /* the same: as nodes */
    /* Tuples that start at the same nodes are released alike while nothing is divided, and counted
     * as one until then. Per tuple: the next one that is alike (UINT32_MAX = none), and the rows of
     * all of them, at the first; 0 at the others. */
    uint32_t *alike;
    uint64_t *rows;
    size_t n_firsts; /* tuples that are the first of those alike */
    uint64_t k;      /* rows that every class has at least; >= 1 */
    uint64_t budget; /* rows that may be suppressed */
    double unit;     /* what the measure says of one suppressed row */
    pv_class_rules rules;
    bool divides; /* may a tuple be divided? Not if its sensitive values count, or if all its rows
                     are to be released alike */
    pv_arena arena;
} pv_local_space;

/* The meter is of a loss that is a sum over attributes of what groups cover (glm, nwp). `least` has
 * a level for every tuple and quasi-identifier below which it may not be released, and such tuples
 * are not divided; NULL = there are none. A tuple that may be released at no level is suppressed.
 */
PV_CHECKED pv_status pv_i_local_space_init(pv_local_space *space, const pv_profile *profile,
                                           const pv_meter *meter, const pv_constraint *demands,
                                           size_t n_demands, uint64_t budget, const uint8_t *least,
                                           pv_error *error);
void pv_i_local_space_deinit(pv_local_space *space);

static inline uint32_t pv_i_local_join(const pv_local_tree *tree, uint32_t a, uint32_t b)
{
    if (tree->join != NULL) {
        return tree->join[(size_t)a * tree->n + b];
    }
    while (a != b) {
        if (tree->depth[a] >= tree->depth[b]) {
            a = tree->parent[a];
        } else {
            b = tree->parent[b];
        }
    }
    return a;
}

/* What a leaf is released as at a level. */
uint32_t pv_i_local_node_at(const pv_local_tree *tree, unsigned level, uint32_t leaf);

/* What a row loses that is released as the lowest nodes above both; not finished, and INFINITY,
 * once it is not less than `limit`, or if all of them are `*`. `joined` may be NULL, or either of
 * the two. */
double pv_i_local_join_cost(const pv_local_space *space, const uint32_t *a, const uint32_t *b,
                            uint32_t *joined, double limit);

/* Entries of a list by what they are generalized to in one attribute: on every rung those of one
 * node follow each other, in their own order. A stretch that is on the rung below already is left
 * out. What goes through all rungs of all attributes does so stretch by stretch of the first one:
 * groups are never of two of them, so lists are short and stay in the cache. */
typedef struct pv_local_stretch {
    size_t rung, n;
    const uint32_t *entries;
} pv_local_stretch;

typedef struct pv_local_stretches {
    pv_local_stretch *list;
    size_t n, capacity;
    uint32_t *order, *places;
    size_t order_capacity, places_capacity;
} pv_local_stretches;

/* `start` is by entry. Deinitialise even after a failure; may be filled again. */
bool pv_i_local_stretches_fill(pv_local_stretches *stretches, const pv_local_tree *tree,
                               const uint32_t *start, size_t n);
void pv_i_local_stretches_deinit(pv_local_stretches *stretches);

/* ----------------------------------------------------------------- classes */

typedef struct pv_local_part {
    uint32_t tuple;
    uint64_t rows;
} pv_local_part;

typedef struct pv_local_class {
    double cost;   /* of one row */
    uint64_t size; /* rows; 0 = there is no such class */
    pv_local_part *parts;
    size_t n_parts, capacity;
} pv_local_class;

#define PV_LOCAL_LOST 0 /* the suppressed rows */

typedef struct pv_local_draft {
    const pv_local_space *space;
    pv_local_class *list;
    size_t n, capacity;
    uint32_t *nodes; /* n * quasi-identifiers */
    size_t nodes_capacity;
} pv_local_draft;

/* With the class of suppressed rows, empty. Deinitialise even after a failure. */
bool pv_i_local_classes_init(pv_local_draft *classes, const pv_local_space *space);
void pv_i_local_classes_deinit(pv_local_draft *classes);

static inline uint32_t *pv_i_local_nodes(const pv_local_draft *classes, size_t c)
{
    return classes->nodes + c * classes->space->n_quasi;
}

/* A new empty class; SIZE_MAX when memory runs out. */
size_t pv_i_local_class_new(pv_local_draft *classes);
/* Adds rows of a tuple. Its nodes and cost follow by pv_i_local_tighten. */
bool pv_i_local_class_add(pv_local_draft *classes, size_t c, uint32_t tuple, uint64_t rows);
/* Takes rows of a part away, which is gone with the last of them, and tightens. */
void pv_i_local_class_take(pv_local_draft *classes, size_t c, size_t part, uint64_t rows);
void pv_i_local_class_clear(pv_local_draft *classes, size_t c);
/* No class is left but that of the suppressed rows, which is empty. */
void pv_i_local_classes_clear(pv_local_draft *classes);
void pv_i_local_tighten(pv_local_draft *classes, size_t c);
/* Adds a class to another, and tightens. */
bool pv_i_local_merge(pv_local_draft *classes, size_t into, size_t from);
/* Makes one of classes that are released alike. */
bool pv_i_local_merge_equal(pv_local_draft *classes);
/* The loss of all classes, in suppressed rows. */
double pv_i_local_loss(const pv_local_draft *classes);
/* Does a class keep the demands? */
bool pv_i_local_keeps(const pv_local_draft *classes, pv_class_scorer *scorer, size_t c);

/* ------------------------------------------------------------------ search */

typedef struct pv_local_settings {
    const pv_context *context;
    double improve_seconds; /* 0 = the usual number of steps, negative = none */
    uint64_t improve_steps; /* 0 = no limit but that; the same steps give the same bytes */
    uint64_t seed;
} pv_local_settings;

typedef struct pv_local_account {
    uint64_t steps; /* of improvement */
    uint64_t improved;
    bool by_blocks;       /* the lattice was too large to go through */
    bool all_levels_seen; /* if no way was found: could all levels be tried? */
    double seconds;
    pv_stop stop;
} pv_local_account;

/* PV_STATUS_UNSATISFIED without a message: no way was found. */
PV_CHECKED pv_status pv_i_local_find(const pv_local_space *space, const pv_local_settings *settings,
                                     pv_local_draft *classes, pv_local_account *account,
                                     pv_error *error);

/* Everyone in one class, which may be `*` altogether: nobody is suppressed then. Whatever there was
 * before is forgotten. PV_STATUS_UNSATISFIED without a message: that breaks a demand, or some may
 * not be released so. */
PV_CHECKED pv_status pv_i_local_together(pv_local_draft *classes, pv_class_scorer *scorer,
                                         pv_error *error);

/* Divides blocks of tuples, each up to the next of `ends`, from the top down, and makes classes of
 * them. What cannot be released, since it is `*` altogether, forbidden, or breaks a demand, is not
 * marked in `released`, which is by tuple. `tuples` is reordered. */
PV_CHECKED pv_status pv_i_local_divide(pv_local_draft *classes, uint32_t *tuples,
                                       const size_t *ends, size_t n_blocks, bool *released,
                                       uint64_t seed, const pv_context *context, pv_error *error);

/* The scheme of levels for everyone of least loss, as far as it was looked for, that keeps the
 * demands. PV_STATUS_UNSATISFIED without a message: none does; `all_seen` says whether all could be
 * looked at. */
PV_CHECKED pv_status pv_i_local_find_levels(const pv_local_space *space, const pv_context *context,
                                            uint8_t *levels, bool *all_seen, pv_error *error);
/* Classes, of which there are none yet, from levels that keep the demands; PV_STATUS_UNSATISFIED
 * without a message if they do not, or are `*` for everyone. */
PV_CHECKED pv_status pv_i_local_from_levels(pv_local_draft *classes, const uint8_t *levels,
                                            uint64_t seed, const pv_context *context,
                                            pv_error *error);

/* How many nodes the lattice of rungs has, rounded. */
double pv_i_local_lattice(const pv_local_space *space);
/* A lattice of more nodes is not gone through. */
#define PV_LOCAL_MOST_NODES 200000.0

/* ------------------------------------------------------------------ screen */

/* Looks which nodes of the lattice have groups that keep the demands among those not released yet.
 */
typedef struct pv_local_screen pv_local_screen;

PV_CHECKED pv_status pv_i_local_screen_create(const pv_local_space *space,
                                              const pv_context *context, pv_local_screen **screen,
                                              pv_error *error);
void pv_i_local_screen_free(pv_local_screen *screen); /* NULL is fine */
/* The nodes that have such a group for the price, the cheapest first, but for groups that another
 * of them has for no more; borrowed until the next call. */
PV_CHECKED pv_status pv_i_local_screen_run(pv_local_screen *screen, const uint32_t *live,
                                           size_t n_live, double price, const uint32_t **nodes,
                                           size_t *n, pv_error *error);

/* ----------------------------------------------------------------- rebuild */

/* Tuples with rows to be put into classes, and the clusters made of them. */
typedef struct pv_local_pool pv_local_pool;

#define PV_LOCAL_POOL 512 /* tuples at most */

/* Memory for one pool; NULL when it runs out. */
pv_local_pool *pv_i_local_pool_create(const pv_local_space *space);
void pv_i_local_pool_free(pv_local_pool *pool); /* NULL is fine */
void pv_i_local_pool_clear(pv_local_pool *pool);
/* Adds rows of a tuple; false if there is no space for another tuple. */
bool pv_i_local_pool_add(pv_local_pool *pool, uint32_t tuple, uint64_t rows);
/* Makes clusters that keep the demands of all rows. The loss in suppressed rows; INFINITY if it
 * cannot. */
double pv_i_local_pool_build(pv_local_pool *pool, pv_rng *rng);
/* Writes the clusters as classes, the first into those given, which are empty. */
bool pv_i_local_pool_write(const pv_local_pool *pool, pv_local_draft *classes, const size_t *into,
                           size_t n_into);

/* Classes in several orders, in which those that are alike are close together. */
typedef struct pv_local_near pv_local_near;

#define PV_LOCAL_ORDERS 8
#define PV_LOCAL_WINDOW 64 /* so many on either side of a class are near it */

/* Empty; NULL when memory runs out. */
pv_local_near *pv_i_local_near_create(const pv_local_space *space);
void pv_i_local_near_free(pv_local_near *near); /* NULL is fine */
bool pv_i_local_near_fill(pv_local_near *near, const pv_local_draft *classes);
/* The classes near one in an order, itself included; none if it is newer than the order. */
const uint32_t *pv_i_local_near(const pv_local_near *near, size_t order, size_t class, size_t *n);

/* Suppresses rows where that saves most, as far as the budget goes (local_budget.c). */
PV_CHECKED pv_status pv_i_local_spend_budget(pv_local_draft *classes, const pv_context *context,
                                             pv_error *error);

/* Takes neighbouring classes apart and puts them together again where that loses less. */
PV_CHECKED pv_status pv_i_local_improve(pv_local_draft *classes, const pv_local_settings *settings,
                                        pv_local_account *account, pv_error *error);

/* ------------------------------------------------------------------- bound */

typedef struct pv_local_proof_settings {
    const pv_context *context;
    double seconds;      /* 0 = the usual effort; otherwise as long as this */
    uint64_t max_sweeps; /* per block of attributes; 0 = as many as usual, or as time allows */
} pv_local_proof_settings;

typedef struct pv_local_proof {
    double loss; /* in suppressed rows: no local recoding that keeps the demands loses less */
    uint64_t sweeps;
    size_t blocks; /* of attributes that were looked at together */
    double seconds;
    pv_stop stop;
    double *prices; /* per tuple, if there is one block and it was asked for; the caller's space */
} pv_local_proof;

/* `classes` are what was found: their costs are the prices to begin with. */
PV_CHECKED pv_status pv_i_local_bound(const pv_local_draft *classes,
                                      const pv_local_proof_settings *settings,
                                      pv_local_proof *bound, pv_error *error);

#endif
