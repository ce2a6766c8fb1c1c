/* Groups: the classes of a partly generalized table as one sorted list, and its roll-up.
 *
 * Leaves are numbered in tree order, so generalizing an attribute never changes the order of two of
 * its values. A list sorted by packed keys therefore falls, when one attribute is raised, into
 * stretches (equal more significant attributes, equal new group) of a few sorted runs (one per old
 * group): rolling up is merging the runs of each stretch. For the least significant attribute even
 * that is only adding up neighbours. */
#ifndef PV_LATTICE_GROUPS_H
#define PV_LATTICE_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pv_groups {
    size_t n;
    size_t capacity;  /* groups there is room for */
    unsigned words;   /* per key */
    uint64_t *keys;   /* ascending, distinct */
    uint32_t *counts; /* rows */
} pv_groups;

/* Where an attribute sits in a key. */
typedef struct pv_place {
    uint32_t word;
    uint8_t shift;
    uint64_t mask; /* before shifting */
} pv_place;

/* Room that roll-ups need besides their result; one per thread. Zero-initialised = none yet. */
typedef struct pv_rollup_scratch {
    pv_groups spare[2];
    size_t *runs;
    size_t runs_capacity;
} pv_rollup_scratch;

/* False when memory runs out. What the list holds is lost. */
bool pv_i_groups_reserve(pv_groups *groups, size_t capacity, unsigned words);
void pv_i_groups_deinit(pv_groups *groups);
/* What copies of some lists would take. */
size_t pv_i_groups_bytes(const pv_groups *groups, size_t n_lists);
/* An exact copy in memory of just its size. */
bool pv_i_groups_copy(const pv_groups *from, pv_groups *to);

void pv_i_rollup_scratch_deinit(pv_rollup_scratch *scratch);

/* Sorts groups by key and adds up equal ones, in place. */
bool pv_i_groups_settle(pv_groups *groups, pv_rollup_scratch *scratch);

/* Raises one attribute: `step` maps its old groups to the new ones and never falls. `to` is another
 * list, whose memory is reused. False when memory runs out. */
bool pv_i_rollup(const pv_groups *from, pv_place place, const uint32_t *step, pv_groups *to,
                 pv_rollup_scratch *scratch);

#endif
