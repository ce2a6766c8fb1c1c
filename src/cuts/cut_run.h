/* A run over cuts: evaluates schemes on threads, each once, and remembers them.
 *
 * What is known of a scheme is what it loses, how large its classes are, its bias and whether it
 * keeps the rules; from that follow k and the value of any goal. So everything evaluated for one
 * wish of a publisher answers further wishes, too. */
#ifndef PV_CUTS_CUT_RUN_H
#define PV_CUTS_CUT_RUN_H

#include "classes/keys.h"
#include "cuts/cut_bnb.h"

#include <paravent/context.h>

typedef struct pv_cut_run {
    pv_cut_table *table;
    const pv_cut_space *space;
    const pv_cut_prices *prices;
    const pv_cut_aspects *aspects; /* NULL = only k, necd and nwp */
    unsigned threads;
    pv_cut_judge *judges; /* one per thread */

    pv_keymap map; /* of the bits of schemes */
    pv_cut_outcome *outcomes;
    size_t capacity;
    uint64_t *key; /* room for one */
    uint8_t *cuts; /* ... and for a scheme */

    size_t most;        /* schemes to remember; 0 = any number */
    uint64_t evaluated; /* schemes counted, now or when they were remembered */
    uint64_t asked;     /* ... and asked for: some were known */
} pv_cut_run;

/* Table, prices and aspects are borrowed. */
PV_CHECKED pv_status pv_i_cut_run_init(pv_cut_run *run, pv_cut_table *table,
                                       const pv_cut_prices *prices, const pv_cut_aspects *aspects,
                                       const pv_context *context, pv_error *error);
void pv_i_cut_run_deinit(pv_cut_run *run);

/* Makes room for the threads of another context. */
PV_CHECKED pv_status pv_i_cut_run_hire(pv_cut_run *run, const pv_context *context, pv_error *error);

/* Evaluates n schemes of n_bits bytes; ids[i] is where the i-th is remembered. On failure the run
 * knows what it knew before. PV_STATUS_LIMIT if there are too many to remember. */
PV_CHECKED pv_status pv_i_cut_run_evaluate(pv_cut_run *run, const uint8_t *schemes, size_t n,
                                           uint32_t *ids, pv_error *error);
/* Adds a scheme whose outcome is known, be it from an earlier run over the same table. One that is
 * remembered already stays as it is. `id` may be NULL. */
PV_CHECKED pv_status pv_i_cut_run_remember(pv_cut_run *run, const uint8_t *cuts,
                                           const pv_cut_outcome *outcome, uint32_t *id,
                                           pv_error *error);
/* What every scheme costs now that the prices have changed. Only for losses that the prices make.
 */
void pv_i_cut_run_reprice(pv_cut_run *run);
/* Where a scheme is remembered; PV_KEYMAP_FULL = nowhere. */
uint32_t pv_i_cut_run_find(const pv_cut_run *run, const uint8_t *cuts);
static inline const pv_cut_outcome *pv_i_cut_run_outcome(const pv_cut_run *run, uint32_t id)
{
    return &run->outcomes[id];
}
/* The cuts of a remembered scheme, a byte each. */
void pv_i_cut_run_scheme(const pv_cut_run *run, uint32_t id, uint8_t *cuts);

#endif
