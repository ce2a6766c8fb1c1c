/* A good choice soon, in a lattice of any size; nothing is proven about it. */
#ifndef PV_RECORDS_RECORD_SWAP_H
#define PV_RECORDS_RECORD_SWAP_H

#include "records/record_problem.h"

/* What a worker needs for it. */
typedef struct pv_swapper {
    const pv_dictionary *dictionary;
    pv_near near;
    uint8_t *least; /* per miss: the lowest level at which its attribute would fit */
    size_t *first;  /* per attribute: where its levels begin in `more` */
    uint64_t *more; /* per attribute and level: rows that raising it there would add */
    size_t n_more;
    double *value; /* per attribute: what its next step forward is worth, by itself */
} pv_swapper;

/* All of it is borrowed and must outlive the swapper. */
PV_CHECKED pv_status pv_i_swapper_init(pv_swapper *swapper, const pv_dictionary *dictionary,
                                       const pv_record_problem *problem, pv_error *error);
void pv_i_swapper_deinit(pv_swapper *swapper);

/* Offers a choice that keeps the bound, if the most acceptable one does. Takes microseconds: each
 * attribute is judged by itself, and rows are counted only where the bound is one of risk. */
void pv_i_problem_start(pv_record_problem *problem, pv_swapper *swapper);

/* Makes the best choice so far better, as long as that can be done by raising one attribute,
 * lowering one, or both. */
void pv_i_problem_swap(pv_record_problem *problem, pv_swapper *swapper);

#endif
