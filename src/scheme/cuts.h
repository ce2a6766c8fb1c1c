/* What cuts consist of, and the way between the bits of a cut space, which searches work on, and
 * cuts in terms of the data, which files and people hold. */
#ifndef PV_SCHEME_CUTS_H
#define PV_SCHEME_CUTS_H

#include "scheme/cut_space.h"

#include <paravent/cuts.h>

typedef struct pv_cuts_group {
    char **values;
    size_t n_values;
    bool has_missing; /* null among the values: the missing value belongs to it */
} pv_cuts_group;

typedef struct pv_cuts_attribute {
    char *name;
    pv_cuts_kind kind;
    pv_decimal *breaks; /* BREAKS: where a new range begins, ascending */
    size_t n_breaks;
    bool missing_last;     /* BREAKS: the missing value belongs to the last range */
    pv_cuts_group *groups; /* GROUPS: a missing value that none has stays apart */
    size_t n_groups;
    uint64_t line, column; /* where it is written; 0 = nowhere */
} pv_cuts_attribute;

struct pv_cuts {
    char *path; /* the file, for messages; NULL if made in memory */
    pv_cuts_attribute *attributes;
    size_t n_attributes;
};

/* `bits` has a byte per place of the space: 1 = cut. The caller frees the cuts. */
PV_CHECKED pv_status pv_i_cuts_from_bits(const pv_cut_space *space, const pv_study *study,
                                         const uint8_t *bits, pv_cuts **cuts, pv_error *error);
/* Fills `bits`; untouched on failure. Fails if a quasi-identifier has no cuts or a value no group,
 * if the values of a group are not neighbours, or if a break is not a multiple of the granularity.
 */
PV_CHECKED pv_status pv_i_cuts_to_bits(const pv_cut_space *space, const pv_study *study,
                                       const pv_cuts *cuts, uint8_t *bits, pv_error *error);

PV_CHECKED pv_status pv_i_cuts_copy(const pv_cuts *cuts, pv_cuts **copy, pv_error *error);

/* The cuts of a quasi-identifier; fails if there are none. */
PV_CHECKED pv_status pv_i_cuts_find(const pv_cuts *cuts, const char *name,
                                    const pv_cuts_attribute **attribute, pv_error *error);

#define PV_NO_GROUP UINT32_MAX

/* The group of each leaf of a quasi-identifier; a missing value that no group has gets the number
 * `n_groups`. Fails if another value has none. PV_CUTS_GROUPS only. */
PV_CHECKED pv_status pv_i_cuts_place(const pv_cuts *cuts, const pv_cuts_attribute *attribute,
                                     const pv_study *study, size_t quasi, uint32_t *group_of,
                                     pv_error *error);

#endif
