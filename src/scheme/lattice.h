/* The lattice of level schemes: one axis per quasi-identifier, from level 0 to its height. Nodes
 * are numbered with the first quasi-identifier turning slowest. */
#ifndef PV_SCHEME_LATTICE_H
#define PV_SCHEME_LATTICE_H

#include <paravent/plan.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pv_lattice {
    size_t n_axes;
    uint8_t *heights; /* levels of an axis are 0..height */
    /* Where not every level of a hierarchy is a level of its axis: axis by axis, PV_MAX_HEIGHT + 1
     * each, the levels of the hierarchy. NULL = all are. */
    uint8_t *real;
    uint64_t
        *strides;     /* how far apart two nodes are that differ by one level; valid if countable */
    uint64_t n_nodes; /* valid if countable */
    bool countable;   /* do the nodes fit into 64 bits? */
    double size;      /* the number of nodes, rounded */
    uint64_t *magic;  /* 2^64 / stride, rounded up: multiplying divides nodes below 2^32 */
} pv_lattice;

PV_CHECKED pv_status pv_i_lattice_init(pv_lattice *lattice, const pv_study *study, pv_error *error);
/* The same for searches: without the levels the plan rules out, and of levels that group the values
 * alike only the finest. */
PV_CHECKED pv_status pv_i_lattice_init_distinct(pv_lattice *lattice, const pv_study *study,
                                                pv_error *error);
void pv_i_lattice_deinit(pv_lattice *lattice);

/* Between a node's number and its levels; the lattice must be countable. */
uint64_t pv_i_lattice_node(const pv_lattice *lattice, const uint8_t *levels);
void pv_i_lattice_levels(const pv_lattice *lattice, uint64_t node, uint8_t *levels);

/* The level of the hierarchy that a level of an axis is. */
static inline unsigned pv_i_lattice_real(const pv_lattice *lattice, size_t axis, unsigned level)
{
    return lattice->real != NULL ? lattice->real[axis * (PV_MAX_HEIGHT + 1) + level] : level;
}

/* node / strides[axis], by a multiplication where that is exact. */
static inline uint64_t pv_i_lattice_quotient(const pv_lattice *lattice, uint64_t node, size_t axis)
{
    if (node <= UINT32_MAX && lattice->strides[axis] > 1) {
        return (uint64_t)((unsigned __int128)node * lattice->magic[axis] >> 64);
    }
    return node / lattice->strides[axis];
}

static inline uint8_t pv_i_lattice_level(const pv_lattice *lattice, uint64_t node, size_t axis)
{
    return (uint8_t)(pv_i_lattice_quotient(lattice, node, axis) % (lattice->heights[axis] + 1u));
}

#endif
