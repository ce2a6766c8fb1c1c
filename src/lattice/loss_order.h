/* Schemes by the least they lose: the order `exact` takes them in, and a ladder of schemes from one
 * end of the lattice to the other. See loss_order.c. */
#ifndef PV_LATTICE_LOSS_ORDER_H
#define PV_LATTICE_LOSS_ORDER_H

#include "lattice/driver.h"

typedef struct pv_loss_order {
    const pv_run *run;
    const pv_lattice *lattice;
    const pv_meter *meter; /* of a separable objective; NULL = by likeness */
    double **likeness;     /* per axis and level */
} pv_loss_order;

PV_CHECKED pv_status pv_i_loss_order_init(pv_loss_order *order, const pv_run *run, pv_error *error);
void pv_i_loss_order_deinit(pv_loss_order *order);

/* A number that ascends with the loss. */
uint64_t pv_i_loss_order_key(const pv_loss_order *order, const uint8_t *levels);
/* All nodes by ascending key, equal ones by number; freed with pv_i_free. NULL if the run was
 * stopped. */
PV_CHECKED pv_status pv_i_loss_order_nodes(const pv_loss_order *order, pv_run *run,
                                           uint32_t **nodes, pv_error *error);

/* The schemes of the ladder, the top first, the bottom last; freed with pv_i_free. */
PV_CHECKED pv_status pv_i_ladder(const pv_run *run, uint8_t **schemes, size_t *n, pv_error *error);

#endif
