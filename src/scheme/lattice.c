/* The lattice of level schemes. */
#include "scheme/lattice.h"

#include "base/checked.h"
#include "base/error.h"
#include "base/memory.h"

pv_status pv_i_lattice_init(pv_lattice *lattice, const pv_study *study, pv_error *error)
{
    const size_t n = pv_study_quasis(study);
    pv_lattice l = {.n_axes = n,
                    .heights = PV_NEW_ARRAY(uint8_t, n),
                    .strides = PV_NEW_ZEROED(uint64_t, n),
                    .magic = PV_NEW_ZEROED(uint64_t, n),
                    .n_nodes = 1,
                    .countable = true,
                    .size = 1};
    if (l.heights == NULL || l.strides == NULL || l.magic == NULL) {
        pv_i_lattice_deinit(&l);
        return pv_i_no_memory(error);
    }
    for (size_t axis = n; axis-- > 0;) {
        l.heights[axis] = (uint8_t)pv_hierarchy_height(pv_study_hierarchy(study, axis));
        l.strides[axis] = l.n_nodes;
        l.magic[axis] = l.n_nodes > 1 ? UINT64_MAX / l.n_nodes + 1 : 0;
        l.countable = l.countable && pv_i_mul_u64(l.n_nodes, l.heights[axis] + 1u, &l.n_nodes);
        l.size *= l.heights[axis] + 1.0;
    }
    *lattice = l;
    return PV_STATUS_OK;
}

void pv_i_lattice_deinit(pv_lattice *lattice)
{
    pv_i_free(lattice->heights);
    pv_i_free(lattice->strides);
    pv_i_free(lattice->magic);
    *lattice = (pv_lattice){0};
}

uint64_t pv_i_lattice_node(const pv_lattice *lattice, const uint8_t *levels)
{
    uint64_t node = 0;
    for (size_t axis = 0; axis < lattice->n_axes; axis++) {
        node += lattice->strides[axis] * levels[axis];
    }
    return node;
}

void pv_i_lattice_levels(const pv_lattice *lattice, uint64_t node, uint8_t *levels)
{
    for (size_t axis = 0; axis < lattice->n_axes; axis++) {
        const uint64_t level = pv_i_lattice_quotient(lattice, node, axis);
        levels[axis] = (uint8_t)level;
        node -= level * lattice->strides[axis];
    }
}
