/* The choices a method has looked at for one record, each once: found by their levels, whatever the
 * size of the lattice. People are counted only when somebody wants to know. */
#ifndef PV_RECORDS_RECORD_NODES_H
#define PV_RECORDS_RECORD_NODES_H

#include "classes/keys.h"
#include "records/record_problem.h"

typedef struct pv_record_node {
    pv_worth worth;
    uint64_t rho; /* UINT64_MAX: not counted yet */
    bool is_marked;
} pv_record_node;

typedef struct pv_record_nodes {
    pv_record_problem *problem;
    pv_keymap map; /* of levels, a byte each */
    pv_record_node *nodes;
    size_t capacity;
    uint64_t *key; /* scratch */
    size_t most;   /* nodes that memory allows */
    bool is_out_of_memory;
} pv_record_nodes;

#define PV_NO_NODE UINT32_MAX

PV_CHECKED pv_status pv_i_nodes_init(pv_record_nodes *nodes, pv_record_problem *problem,
                                     pv_error *error);
void pv_i_nodes_deinit(pv_record_nodes *nodes);

/* PV_NO_NODE: a limit was reached, or memory ran out. */
uint32_t pv_i_nodes_find(pv_record_nodes *nodes, const uint8_t *levels);
pv_record_choice pv_i_nodes_choice(pv_record_nodes *nodes, uint32_t id);
/* The same as its choice's, without counting people where utility decides. */
bool pv_i_nodes_accepts(pv_record_nodes *nodes, uint32_t id);

static inline const uint8_t *pv_i_nodes_levels(const pv_record_nodes *nodes, uint32_t id)
{
    return (const uint8_t *)(nodes->map.keys + (size_t)id * nodes->map.words);
}

#endif
