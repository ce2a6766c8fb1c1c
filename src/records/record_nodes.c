/* Remembering the choices of one record. */
#include "records/record_nodes.h"

#include "base/error.h"
#include "base/memory.h"

#define FEW_NODES ((size_t)256)

pv_status pv_i_nodes_init(pv_record_nodes *nodes, pv_record_problem *problem, pv_error *error)
{
    const unsigned words = (unsigned)((problem->n + 7) / 8);
    /* Doubling, keys and nodes are held twice for a moment. */
    const size_t bytes = 2 * (words * sizeof(uint64_t) + 2 * sizeof(uint32_t) +
                              sizeof(pv_record_node) + sizeof(pv_rank));
    pv_record_nodes n = {.problem = problem,
                         .key = PV_NEW_ZEROED(uint64_t, words),
                         .most = (size_t)(problem->memory / bytes)};
    if (n.key == NULL || !pv_i_keymap_init(&n.map, words, FEW_NODES)) {
        pv_i_nodes_deinit(&n);
        return pv_i_no_memory(error);
    }
    *nodes = n;
    return PV_STATUS_OK;
}

void pv_i_nodes_deinit(pv_record_nodes *nodes)
{
    pv_i_keymap_deinit(&nodes->map);
    pv_i_free(nodes->nodes);
    pv_i_free(nodes->key);
    *nodes = (pv_record_nodes){0};
}

static uint32_t add(pv_record_nodes *nodes, const uint8_t *levels)
{
    if (nodes->map.n >= nodes->most) {
        nodes->problem->is_stopped = true;
    }
    if (nodes->problem->is_stopped || !pv_i_problem_visit(nodes->problem)) {
        return PV_NO_NODE;
    }
    if (!pv_i_reserve((void **)&nodes->nodes, &nodes->capacity, nodes->map.n + 1,
                      sizeof *nodes->nodes)) {
        nodes->is_out_of_memory = true;
        return PV_NO_NODE;
    }
    const uint32_t id = pv_i_keymap_add(&nodes->map, nodes->key);
    if (id == PV_KEYMAP_FULL) {
        nodes->is_out_of_memory = true;
        return PV_NO_NODE;
    }
    nodes->nodes[id] =
        (pv_record_node){.worth = pv_i_problem_worth(nodes->problem, levels), .rho = UINT64_MAX};
    return id;
}

uint32_t pv_i_nodes_find(pv_record_nodes *nodes, const uint8_t *levels)
{
    memcpy(nodes->key, levels, nodes->problem->n);
    const uint32_t slot = nodes->map.slots[pv_i_keymap_slot(&nodes->map, nodes->key)];
    return slot != 0 ? slot - 1 : add(nodes, levels);
}

pv_record_choice pv_i_nodes_choice(pv_record_nodes *nodes, uint32_t id)
{
    pv_record_node *const node = &nodes->nodes[id];
    if (node->rho == UINT64_MAX) {
        node->rho = pv_i_problem_count(nodes->problem, pv_i_nodes_levels(nodes, id));
    }
    return pv_i_problem_choice(nodes->problem, node->worth, node->rho);
}

bool pv_i_nodes_accepts(pv_record_nodes *nodes, uint32_t id)
{
    return nodes->problem->weighing->aim == PV_AIM_LEAST_RISK
               ? nodes->nodes[id].worth.utility >= nodes->problem->floor
               : pv_i_nodes_choice(nodes, id).is_accepted;
}
