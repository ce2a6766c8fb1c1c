/* t-closeness's distance between a class and the whole table: the work of moving one distribution
 * of a sensitive value into the other, by the ground distance between values (docs/model.md,
 * section 3). */
#ifndef PV_AUDIT_AUDIT_DISTANCE_H
#define PV_AUDIT_AUDIT_DISTANCE_H

#include "audit/audit_histogram.h"

typedef unsigned __int128 pv_audit_wide;

/* A sensitive column ready to be measured. Zero-initialised = empty. */
typedef struct pv_audit_ground {
    pv_distance distance; /* never AUTO */
    pv_audit_histogram histogram;
    /* ORDERED: by rank, rows up to and with the value, and the sum of those numbers before it. */
    uint64_t *cumulative;
    pv_audit_wide *cumulative_before;
    /* HIERARCHICAL: for each level below the top and each rank, the group and its rows. */
    unsigned height;
    uint32_t *groups;       /* [level * n_values + rank] */
    uint64_t *group_totals; /* the same shape */
} pv_audit_ground;

/* Of sensitive attribute `sensitive` of the options. */
PV_CHECKED pv_status pv_i_audit_ground(const pv_audit_count *count, const pv_audit_options *options,
                                       size_t sensitive, pv_audit_ground *ground, pv_error *error);
void pv_i_audit_ground_deinit(pv_audit_ground *ground);

/* In [0, 1]. */
double pv_i_audit_distance(const pv_audit_ground *ground, const pv_audit_count *count,
                           uint32_t class_number);

#endif
