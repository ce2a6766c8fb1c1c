/* The schemes a search has evaluated, each once: found again by their levels, whatever the size of
 * the lattice. What is new is offered to the run's archive, in the order in which it was asked for.
 */
#ifndef PV_LATTICE_MEMO_H
#define PV_LATTICE_MEMO_H

#include "classes/keys.h"
#include "lattice/run.h"

typedef struct pv_memo {
    pv_run *run;
    pv_keymap map;  /* of levels, a byte each */
    double *values; /* n_objectives per scheme: oriented and settled; infeasible ones -INFINITY */
    size_t capacity;
    uint64_t *key; /* scratch: one key */
    /* The schemes of the last call that were new. */
    uint8_t *new_levels;
    pv_outcome *outcomes;
    size_t n_new, new_capacity;
} pv_memo;

PV_CHECKED pv_status pv_i_memo_init(pv_memo *memo, pv_run *run, pv_error *error);
void pv_i_memo_deinit(pv_memo *memo);

bool pv_i_memo_knows(const pv_memo *memo, const uint8_t *levels);
/* Evaluates those of n schemes that are not known yet and tells where all of them are. */
PV_CHECKED pv_status pv_i_memo_evaluate(pv_memo *memo, const uint8_t *levels, size_t n,
                                        uint32_t *ids, pv_error *error);
/* Evaluates the schemes the run is asked to begin with. */
PV_CHECKED pv_status pv_i_memo_start(pv_memo *memo, pv_error *error);
/* Begins the run's trace, given the ends of the lattice. */
void pv_i_memo_trace(pv_memo *memo, uint32_t bottom, uint32_t top);
/* Forgets everything if it has grown larger than the run's memory. True if it did. */
bool pv_i_memo_trim(pv_memo *memo);

static inline const uint8_t *pv_i_memo_levels(const pv_memo *memo, uint32_t id)
{
    return (const uint8_t *)(memo->map.keys + (size_t)id * memo->map.words);
}

static inline const double *pv_i_memo_values(const pv_memo *memo, uint32_t id)
{
    return memo->values + (size_t)id * memo->run->n_objectives;
}

#endif
