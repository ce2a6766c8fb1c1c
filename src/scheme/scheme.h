/* What a scheme is made of. */
#ifndef PV_SCHEME_SCHEME_H
#define PV_SCHEME_SCHEME_H

#include <paravent/scheme.h>

/* One of the three is set. Whoever makes a scheme owns what it points to: pv_scheme_free and
 * pv_i_scheme_deinit free it, and a scheme that only borrows (a point of a front) is given to
 * neither. */
struct pv_scheme {
    uint8_t *levels; /* one per quasi-identifier, in the order of the study */
    size_t n_levels;
    uint8_t *records; /* instead: n_levels for each tuple of the profile */
    /* Of records, if tuples are divided: n_levels for each part instead, by ascending tuple. The
     * rows of a tuple belong to its parts in the order of the table. NULL = every tuple is whole.
     */
    uint32_t *part_tuple;
    uint64_t *part_rows;
    size_t n_parts;
    pv_cuts *cuts; /* instead of both */
    /* What it was chosen for, such as "k=5,l-distinct=3": a release demands it, too, since it
     * decides what is suppressed. NULL = nothing. */
    char *demands;
};

PV_CHECKED pv_status pv_i_scheme_init(pv_scheme *scheme, const pv_study *study, pv_error *error);
/* Takes the levels that the plan fixes; all quasi-identifiers need one. */
PV_CHECKED pv_status pv_i_scheme_take_plan(pv_scheme *scheme, const pv_study *study,
                                           pv_error *error);
void pv_i_scheme_deinit(pv_scheme *scheme);
/* Of whatever kind; one of records is as long as its table has distinct tuples. */
PV_CHECKED pv_status pv_i_scheme_copy(const pv_scheme *scheme, size_t n_tuples, pv_scheme **copy,
                                      pv_error *error);

#endif
