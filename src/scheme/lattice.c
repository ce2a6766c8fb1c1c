/* The lattice of level schemes. */
#include "scheme/lattice.h"

#include "base/checked.h"
#include "base/error.h"
#include "base/memory.h"

/* The levels of an axis: of those alike the finest. Nested levels with as many groups have the same
 * groups. Returns how many there are. */
static unsigned find_distinct(const pv_study *study, size_t axis, uint8_t *real)
{
    const pv_hierarchy *const h = pv_study_hierarchy(study, axis);
    unsigned n = 0;
    for (unsigned level = 0; level <= pv_hierarchy_height(h); level++) {
        const bool alike =
            n > 0 && pv_hierarchy_groups(h, real[n - 1]) == pv_hierarchy_groups(h, level);
        if (pv_study_allows(study, axis, level) && !alike) {
            real[n++] = (uint8_t)level;
        }
    }
    return n;
}

static pv_status init_lattice(pv_lattice *lattice, const pv_study *study, bool distinct,
                              pv_error *error)
{
    const size_t n = pv_study_quasis(study);
    pv_lattice l = {.n_axes = n,
                    .real = distinct ? PV_NEW_ARRAY(uint8_t, n * (PV_MAX_HEIGHT + 1)) : NULL,
                    .heights = PV_NEW_ARRAY(uint8_t, n),
                    .strides = PV_NEW_ZEROED(uint64_t, n),
                    .magic = PV_NEW_ZEROED(uint64_t, n),
                    .n_nodes = 1,
                    .countable = true,
                    .size = 1};
    if (l.heights == NULL || l.strides == NULL || l.magic == NULL || (distinct && l.real == NULL)) {
        pv_i_lattice_deinit(&l);
        return pv_i_no_memory(error);
    }
    for (size_t axis = n; axis-- > 0;) {
        l.heights[axis] =
            distinct
                ? (uint8_t)(find_distinct(study, axis, l.real + axis * (PV_MAX_HEIGHT + 1)) - 1)
                : (uint8_t)pv_hierarchy_height(pv_study_hierarchy(study, axis));
        l.strides[axis] = l.n_nodes;
        l.magic[axis] = l.n_nodes > 1 ? UINT64_MAX / l.n_nodes + 1 : 0;
        l.countable = l.countable && pv_i_mul_u64(l.n_nodes, l.heights[axis] + 1u, &l.n_nodes);
        l.size *= l.heights[axis] + 1.0;
    }
    *lattice = l;
    return PV_STATUS_OK;
}

pv_status pv_i_lattice_init(pv_lattice *lattice, const pv_study *study, pv_error *error)
{
    return init_lattice(lattice, study, false, error);
}

pv_status pv_i_lattice_init_distinct(pv_lattice *lattice, const pv_study *study, pv_error *error)
{
    return init_lattice(lattice, study, true, error);
}

void pv_i_lattice_deinit(pv_lattice *lattice)
{
    pv_i_free(lattice->real);
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
