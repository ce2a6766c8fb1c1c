/* What NSGA-II decides: who wins a tournament, and who stays when there are too many. */
#ifndef PV_CUTS_NSGA2_H
#define PV_CUTS_NSGA2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The paper's second objective, f2 = k_pref - k, is less where k is more. */
typedef struct pv_nsga2_member {
    uint64_t value;  /* f1: less is better */
    uint64_t k;      /* more is better */
    double crowding; /* distance of its neighbours in its front; infinite at the ends */
    uint32_t rank;   /* of its front: 0 = nothing dominates it, 1 = nothing but those, ... */
    uint32_t id;     /* in the run */
    uint32_t place;  /* before sorting: the tie of ties */
    bool feasible;   /* k >= k_pref */
} pv_nsga2_member;

/* The winner of a tournament. Both feasible: the one of less rank, then the less crowded. One
 * feasible: that one. None: more k, then less value, then the less crowded. Else the first. */
const pv_nsga2_member *pv_i_nsga2_select(const pv_nsga2_member *first,
                                         const pv_nsga2_member *second);

/* Sorts by rank, then the least crowded first, then as they were before; fills in all three.
 * Members with equal objectives have equal ranks. `scratch` is for n numbers. n log n steps. */
void pv_i_nsga2_sort(pv_nsga2_member *members, size_t n, uint64_t *scratch);

#endif
