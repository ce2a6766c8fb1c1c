/* Everything evaluated: schemes are evaluated on threads, each once, and remembered.
 *
 * What is known of a scheme is what it loses, how large its classes are, its bias and whether it
 * meets the rules; from that follow k and the value of any goal. So everything evaluated for one
 * wish of a publisher answers further wishes, too. */
#ifndef PV_CUTS_CUT_RUN_H
#define PV_CUTS_CUT_RUN_H

#include "classes/keys.h"
#include "cuts/cut_evaluator.h"

#include <paravent/context.h>

typedef struct pv_cut_run {
    pv_cut_table *table;
    const pv_cut_space *space;
    const pv_cut_prices *prices;
    const pv_cut_criteria *criteria; /* NULL = only k, necd and nwp */
    unsigned threads;
    pv_cut_evaluator *evaluators; /* one per thread */

    pv_keymap map;            /* of the bits of schemes: a scheme's id is its place */
    pv_cut_outcome *outcomes; /* by id */
    size_t capacity;
    uint64_t *key; /* scratch memory for one */
    uint8_t *cuts; /* ... and for a scheme */

    size_t most;        /* schemes to remember; 0 = any number */
    uint64_t evaluated; /* schemes counted, now or when they were remembered */
    uint64_t asked;     /* ... and asked for: some were known */
} pv_cut_run;

/* Table, prices and criteria are borrowed. */
PV_CHECKED pv_status pv_i_cut_run_init(pv_cut_run *run, pv_cut_table *table,
                                       const pv_cut_prices *prices, const pv_cut_criteria *criteria,
                                       const pv_context *context, pv_error *error);
void pv_i_cut_run_deinit(pv_cut_run *run);

/* An evaluator for each thread of another context. */
PV_CHECKED pv_status pv_i_cut_run_set_threads(pv_cut_run *run, const pv_context *context,
                                              pv_error *error);

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

/* ------------------------------------------------------------------ result */

#define PV_CUT_NO_SCHEME UINT32_MAX

/* For a goal, the best of what is remembered, and what has more k at more value. */
typedef struct pv_cut_result {
    /* Feasible, of least value; of those equal in it, but for rounding, of least bias + loss; then
     * of most k. PV_CUT_NO_SCHEME if nothing feasible was found. */
    uint32_t best;
    uint32_t *front; /* feasible and non-dominated in (value, k), by ascending k; owned */
    size_t n_front;
    uint64_t generations; /* of a search */
} pv_cut_result;

void pv_i_cut_result_deinit(pv_cut_result *result);

/* Is the first better: of less value, or of equal value and less bias + loss, or of more k? */
bool pv_i_cut_is_better(const pv_cut_run *run, const pv_cut_goal *goal, uint32_t a, uint32_t b);
/* Among everything the run remembers. */
PV_CHECKED pv_status pv_i_cut_result_of(const pv_cut_run *run, const pv_cut_goal *goal,
                                        pv_cut_result *result, pv_error *error);
/* Among some of them. */
PV_CHECKED pv_status pv_i_cut_result_among(const pv_cut_run *run, const pv_cut_goal *goal,
                                           const uint32_t *ids, size_t n, pv_cut_result *result,
                                           pv_error *error);

#endif
