/* A run over cuts: evaluates schemes on threads, each once, and remembers them.
 *
 * What is known of a scheme is what it loses and how large its classes are; from that follow k,
 * necd, nwp and the value of any goal. So everything evaluated for one wish of a publisher answers
 * further wishes, too. */
#ifndef PV_SEARCH_CUT_RUN_H
#define PV_SEARCH_CUT_RUN_H

#include "classes/keymap.h"
#include "search/cut_bnb.h"

#include <paravent/context.h>

typedef struct pv_cut_outcome {
    uint64_t cost;
    pv_cut_sizes sizes;
} pv_cut_outcome;

typedef struct pv_cut_run {
    pv_cut_table *table;
    const pv_cut_space *space;
    const pv_cut_prices *prices;
    unsigned threads;
    pv_cut_scratch *scratches; /* one per thread */

    pv_keymap map; /* of the bits of schemes */
    pv_cut_outcome *outcomes;
    size_t capacity;
    uint64_t *key;

    uint64_t evaluated; /* schemes counted, now or when they were remembered */
    uint64_t asked;     /* ... and asked for: some were known */
} pv_cut_run;

/* Table and prices are borrowed. */
PV_CHECKED pv_status pv_i_cut_run_init(pv_cut_run *run, pv_cut_table *table,
                                       const pv_cut_prices *prices, const pv_context *context,
                                       pv_error *error);
void pv_i_cut_run_deinit(pv_cut_run *run);

/* Makes room for the threads of another context. */
PV_CHECKED pv_status pv_i_cut_run_hire(pv_cut_run *run, const pv_context *context, pv_error *error);

/* Evaluates n schemes of n_bits bytes; ids[i] is where the i-th is remembered. On failure the run
 * knows what it knew before. */
PV_CHECKED pv_status pv_i_cut_run_evaluate(pv_cut_run *run, const uint8_t *schemes, size_t n,
                                           uint32_t *ids, pv_error *error);
/* Adds a scheme whose outcome is known from an earlier run over the same table. One that is known
 * already stays as it is. */
PV_CHECKED pv_status pv_i_cut_run_remember(pv_cut_run *run, const uint8_t *cuts,
                                           const pv_cut_outcome *outcome, pv_error *error);
/* Where a scheme is remembered; PV_KEYMAP_FULL = nowhere. */
uint32_t pv_i_cut_run_find(const pv_cut_run *run, const uint8_t *cuts);
static inline const pv_cut_outcome *pv_i_cut_run_outcome(const pv_cut_run *run, uint32_t id)
{
    return &run->outcomes[id];
}
/* The cuts of a remembered scheme, a byte each. */
void pv_i_cut_run_scheme(const pv_cut_run *run, uint32_t id, uint8_t *cuts);

static inline bool pv_i_cut_is_feasible(const pv_cut_goal *goal, const pv_cut_outcome *outcome)
{
    return outcome->sizes.smallest >= goal->k;
}

#endif
