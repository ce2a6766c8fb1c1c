/* One attribute at a time is easy: with the cuts of the other attributes fixed, the best partition
 * of one ordered attribute is a shortest path over its valid intervals.
 *
 *     values     17  18  19  20  21         a node between two values, an edge per valid interval:
 *     nodes     0   1   2   3   4   5       0 -> 2 is the group {17, 18}, and costs what it loses
 *
 * An interval is valid if every class that the cuts of the others make has none or at least k of
 * its rows in it, meets the rules, and if the taxonomy allows the group. Classes of the whole
 * scheme are just these: a class of the others, and a group of this attribute.
 *
 * This is the move that makes local search over cuts strong, and, summed over the attributes, the
 * bound that makes branch and bound prove optima. Nodes of a search tree share most of their cuts:
 * which intervals are valid is remembered in a cache. */
#ifndef PV_CUTS_CUT_INTERVALS_H
#define PV_CUTS_CUT_INTERVALS_H

#include "base/rng.h"
#include "classes/keys.h"
#include "cuts/cut_evaluator.h"

/* What a cut may be. */
enum { PV_CUT_FREE = 0, PV_CUT_FORCED, PV_CUT_FORBIDDEN };

/* The question, for one axis of n values. */
typedef struct pv_cut_path {
    const pv_cut_axis *axis;
    uint64_t unit;        /* price */
    const bool *invalid;  /* n * n: intervals that may not be groups */
    const uint8_t *state; /* n - 1; NULL = all free */
    /* Instead of unit and invalid: what each interval costs, PV_CUT_IMPOSSIBLE = it may not be a
     * group; n * n. What costs `most` and more in all is impossible, too; below 2^63. */
    const uint64_t *costs;
    uint64_t most;
} pv_cut_path;

/* The least cost, and a partition that has it (n - 1 bytes; of several the one whose first groups
 * are smallest). `included[i]` and `excluded[i]` are the least costs with and without the cut i;
 * NULL if nobody asks. `scratch` is for 2 (n + 1) numbers. PV_CUT_IMPOSSIBLE, and nothing is
 * written, if no partition is allowed. O(n^2). */
uint64_t pv_i_cut_best_path(const pv_cut_path *path, uint8_t *cuts, uint64_t *included,
                            uint64_t *excluded, uint64_t *scratch);

/* Invalid intervals by axis and cuts of the others. May be used by several threads. */
typedef struct pv_cut_interval_cache {
    pv_cut_table *table;
    uint64_t k;
    pthread_mutex_t lock;
    pv_keymap keys; /* the axis, and the cuts of the others */
    bool **tables;  /* n * n each */
    size_t capacity;
    uint64_t bytes, memory;
    uint64_t made;
} pv_cut_interval_cache;

PV_CHECKED bool pv_i_cut_interval_cache_init(pv_cut_interval_cache *cache, pv_cut_table *table,
                                             uint64_t k, uint64_t memory);
void pv_i_cut_interval_cache_deinit(pv_cut_interval_cache *cache);

/* The table of an axis under the cuts of the others (n * n; the axis's own do not matter). `key` is
 * scratch memory for keys.words words. Valid until pv_i_cut_interval_cache_trim; NULL when memory
 * runs out. */
const bool *pv_i_cut_interval_cache_get(pv_cut_interval_cache *cache, pv_cut_evaluator *evaluator,
                                        size_t axis, const uint8_t *cuts, uint64_t *key);
/* Forgets everything if it has grown too large. Not while others look at tables. */
void pv_i_cut_interval_cache_trim(pv_cut_interval_cache *cache);

/* ----------------------------------------------------------- making schemes
 *
 * How searches make schemes: at random, by moves of single cuts, by repairing one with too small
 * classes, and by sweeps that give one attribute after the other its best partition. */

/* Cuts at random, as dense as chance wants: every halving from all cuts to about one in the whole
 * scheme is equally likely. (At one density, such as a half, all would be infeasible where there
 * are many places for cuts.) */
void pv_i_cut_random(size_t n_bits, pv_rng *rng, uint8_t *cuts);

/* Adds the cuts that the limits of the plan force and drops those they forbid. */
void pv_i_cut_limit(const pv_cut_space *space, uint8_t *cuts);
/* The same, and drops the cuts that must go for the scheme to respect the taxonomies its space
 * respects, and no others: all its groups are allowed then. */
void pv_i_cut_respect(const pv_cut_space *space, uint8_t *cuts);
/* What each cut may be (PV_CUT_FREE, ...) before anything is decided. */
void pv_i_cut_states(const pv_cut_space *space, uint8_t *state);

/* For one thread. */
typedef struct pv_cut_local {
    pv_cut_table *table;
    const pv_cut_space *space;
    const pv_cut_prices *prices;
    uint64_t k;
    pv_cut_evaluator evaluator;
    bool *invalid;     /* intervals of an axis */
    uint64_t *scratch; /* for pv_i_cut_best_path */
    uint8_t *state;    /* of the cuts of an axis */
    uint8_t *made;     /* a scheme being made */
    size_t *order;     /* axes in random order */
    uint64_t counted;  /* how often the table was counted */
} pv_cut_local;

PV_CHECKED pv_status pv_i_cut_local_init(pv_cut_local *local, pv_cut_table *table,
                                         const pv_cut_prices *prices,
                                         const pv_cut_criteria *criteria, uint64_t k,
                                         pv_error *error);
void pv_i_cut_local_deinit(pv_cut_local *local);

/* Adds, drops, shifts or exchanges a cut at random. */
void pv_i_cut_move(const pv_cut_local *local, pv_rng *rng, uint8_t *cuts);

/* What comes of a scheme; the table is counted once. */
PV_CHECKED bool pv_i_cut_local_evaluate(pv_cut_local *local, const uint8_t *cuts,
                                        pv_cut_outcome *outcome);
/* Do all classes meet k and the rules, and are all groups allowed? */
bool pv_i_cut_is_valid(const pv_cut_local *local, const uint8_t *cuts,
                       const pv_cut_outcome *outcome);
/* Drops cuts until it is: attribute after attribute, in random order, the best that its own cuts
 * allow. The coarsest scheme must be valid. */
PV_CHECKED bool pv_i_cut_repair(pv_cut_local *local, pv_rng *rng, uint8_t *cuts);
/* Gives attributes their best partitions, in random order, until none can be improved. The scheme
 * must be valid and stays so; what it costs never grows. */
PV_CHECKED bool pv_i_cut_sweep(pv_cut_local *local, pv_rng *rng, uint8_t *cuts);

#endif
