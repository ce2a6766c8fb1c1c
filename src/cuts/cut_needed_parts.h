/* What the search and the proof of cut_needed.h share. */
#ifndef PV_CUTS_CUT_NEEDED_PARTS_H
#define PV_CUTS_CUT_NEEDED_PARTS_H

#include "base/clock.h"
#include "base/tasks.h"
#include "base/ticker.h"
#include "cuts/cut_heap.h"
#include "cuts/cut_needed.h"

#define PV_CUT_TASKS 16 /* of a step */
#define PV_CUT_POOL 16  /* schemes that children are made of */
/* What nothing costs: costs are below it, and so are prices times the budget. */
#define PV_CUT_COST_LIMIT (UINT64_C(1) << 62)

/* A scheme within the budget, and the price that led to it. */
typedef struct {
    uint8_t *cuts;
    pv_cut_account account;
    uint64_t price;
    bool found;
} pv_cut_candidate;

/* A node at hand, or a child of the local search in the making. */
typedef struct {
    uint8_t *state;                /* per bit: PV_CUT_FREE, ... */
    uint8_t *forced;               /* per bit */
    uint8_t *chosen;               /* the best partitions side by side */
    uint64_t *cost;                /* per axis */
    uint64_t *included, *excluded; /* per bit: the cost of its axis with it, without it */
    uint64_t bound;                /* of the node */
    uint64_t summed;       /* ... that the paths add up to; the one it came with may be higher */
    bool done;             /* false = it was interrupted */
    pv_cut_candidate best; /* what it found */
} pv_cut_job;

/* What a thread works with. */
typedef struct {
    pv_cut_deaths deaths;
    uint64_t *scratch; /* for pv_i_cut_best_path */
    uint8_t *path;     /* per bit: of the round at hand */
    uint8_t *trial;    /* a partition of an axis */
    size_t *order;     /* of the axes */
    uint64_t *cost;    /* per axis */
    uint64_t price;    /* of the bound at hand */
    const pv_thread *thread;
    bool late;
} pv_cut_worker;

typedef struct {
    const pv_cut_question *question;
    const pv_cut_needed_options *options;
    size_t n_bits;
    unsigned threads;
    pv_cut_worker *workers;
    pv_cut_job jobs[PV_CUT_TASKS];
    size_t n_jobs;
    pv_cut_candidate pool[PV_CUT_POOL + 1]; /* the best first */
    size_t n_pool;
    pv_cut_heap open;
    bool begun;       /* the proof */
    bool full;        /* open nodes were dropped for want of memory */
    uint64_t dropped; /* the least bound of those */
    uint64_t nodes, steps;
    pv_ticker ticker;
    char note[96];
    pv_stop stop;
} pv_cut_needing;

static inline const pv_cut_axis *pv_i_cut_axis_at(const pv_cut_needing *n, size_t a)
{
    return &n->question->space->axes[a];
}

/* Between two looks at the table: is there time left? */
bool pv_i_cut_needed_goes_on(const pv_cut_needing *n, pv_cut_worker *w);
/* The shortest path of an axis at a price into `cuts` (its own bits). */
uint64_t pv_i_cut_needed_path(const pv_cut_needing *n, pv_cut_worker *w, size_t a,
                              const uint8_t *state, const uint8_t *forced, uint64_t most_dead,
                              uint64_t price, uint64_t most, uint8_t *cuts);
/* Keeps what is better. */
void pv_i_cut_candidate_take(pv_cut_candidate *to, const uint8_t *cuts,
                             const pv_cut_account *account, uint64_t price, size_t n_bits);
/* A task of the search (cut_needed_search.c): a child of the best known schemes. */
pv_status pv_i_cut_needed_child(void *ctx, size_t number, const pv_thread *thread, pv_error *error);

#endif
