/* One worker of the evaluator: the lists it has at hand, and the view of a scheme's classes it
 * builds from them. Nothing here is shared between threads. */
#ifndef PV_LATTICE_WORKER_H
#define PV_LATTICE_WORKER_H

#include "lattice/evaluator.h"
#include "lattice/kept.h"
#include "lattice/layer.h"
#include "lattice/stands.h"
#include "lattice/threshold.h"

/* What all workers share; constant while they work. */
typedef struct pv_ground {
    const pv_profile *profile;
    const pv_lattice *lattice;
    pv_evaluator_options options;
    size_t n_axes;
    size_t *order;    /* position -> quasi-identifier */
    pv_layer *layers; /* the first one gives the classes their sizes */
    size_t n_layers;
    pv_groups *base; /* the layers' base lists side by side, borrowed from them */
    pv_stands stands;
} pv_ground;

/* The columns of one counted layer, class by class. */
typedef struct pv_counted {
    uint32_t *start; /* per class + 1: first group */
    uint32_t *code;  /* per group */
} pv_counted;

typedef struct pv_worker {
    const pv_ground *ground;
    pv_kept *kept; /* shared with the other workers */
    pv_rollup_scratch rollup;
    pv_threshold_scratch threshold;

    /* Lists: at each position two sides of all layers. `at[p]` is what stands for the first p
     * positions; for levels[order[p]] == 0 it is the list before. */
    pv_groups *lists;
    const pv_groups **at; /* n_axes + 1 */
    uint8_t *path;        /* the level at each position that at[] stands for */
    size_t n_valid;       /* positions of at[] that stand for path */
    uint32_t *step;       /* room for a map from groups to groups */
    uint64_t rolled;      /* groups rolled up since the evaluator last asked */

    /* The view. */
    uint8_t *levels; /* by quasi-identifier */
    uint32_t *sizes;
    uint64_t *wide_sizes;
    pv_counted *counted;       /* per layer */
    pv_class_entries *entries; /* per counted layer */
    pv_lost_class *lost;
    uint64_t *lost_keys;
    size_t lost_capacity;
} pv_worker;

PV_CHECKED pv_status pv_i_worker_init(pv_worker *worker, const pv_ground *ground, pv_kept *kept,
                                      pv_error *error);
void pv_i_worker_deinit(pv_worker *worker);

/* Makes at[position + 1] stand for `level` at `position`, whatever stood there; at[position] must
 * stand. */
PV_CHECKED bool pv_i_worker_raise(pv_worker *worker, size_t position, uint8_t level);
/* Makes at[n_axes] stand for the whole path (levels by position), starting from a stand below it;
 * if there is none, from what is kept, and keeping what it rolls up on the way. */
PV_CHECKED bool pv_i_worker_reach(pv_worker *worker, const uint8_t *path);

/* The classes of the scheme at[n_axes] stands for, valid until the worker moves. False when memory
 * runs out. */
PV_CHECKED bool pv_i_worker_view(pv_worker *worker, pv_classes *view);

#endif
