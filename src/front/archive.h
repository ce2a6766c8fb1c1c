/* The archive: everything offered that nothing offered dominates.
 *
 * Values are compared oriented, more is better, and settled: what differs only in the last digits
 * of a sum is equal. Equal values are one member, represented by the scheme that comes first in the
 * lattice's order; so the content does not depend on the order of the offers. */
#ifndef PV_FRONT_ARCHIVE_H
#define PV_FRONT_ARCHIVE_H

#include <paravent/front.h>

typedef struct pv_member {
    double *values; /* oriented and settled, one per objective */
    double *raw;    /* as offered with the levels */
    uint8_t *levels;
    uint64_t k, suppressed;
    uint64_t ties;
} pv_member;

typedef struct pv_archive {
    size_t n_objectives;
    size_t n_levels;
    double signs[PV_MAX_OBJECTIVES]; /* 1 or -1: from raw to oriented */
    pv_member *members;              /* with two objectives, ascending by the first */
    size_t n_members;
    size_t capacity;
} pv_archive;

void pv_i_archive_init(pv_archive *archive, const pv_measure_ref *objectives, size_t n_objectives,
                       size_t n_levels);
void pv_i_archive_deinit(pv_archive *archive);

/* Values that are equal by definition may differ in their last digits: the order of a sum depends
 * on the scheme. Rounded to fewer digits they are equal in fact. Whole numbers are exact. */
double pv_i_settled(double value);

/* Offers a scheme with raw values. False when memory runs out. */
PV_CHECKED bool pv_i_archive_offer(pv_archive *archive, const double *values, const uint8_t *levels,
                                   uint64_t k, uint64_t suppressed);
/* Offers all members of another archive. */
PV_CHECKED bool pv_i_archive_merge(pv_archive *archive, const pv_archive *other);

/* Does some member dominate anything that is at most as good as these raw values? Then whatever has
 * them as an optimistic bound can never enter, not even as a tie. */
bool pv_i_archive_rejects(const pv_archive *archive, const double *values);

/* The members as points of a front: sorted by the first objective, best last. */
PV_CHECKED pv_status pv_i_archive_points(const pv_archive *archive, pv_front *front,
                                         pv_error *error);

#endif
