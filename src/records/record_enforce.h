/* Keeping demands record by record, while it is being done. */
#ifndef PV_RECORDS_RECORD_ENFORCE_H
#define PV_RECORDS_RECORD_ENFORCE_H

#include "base/ticker.h"
#include "measure/class_rules.h"
#include "records/crowd.h"

#include <paravent/disclose.h>

typedef struct pv_enforcing {
    pv_crowds crowds;
    pv_class_rules rules;
    pv_class_scorer scorer;
    uint64_t k, budget, suppressed;
    bool is_thrifty;  /* suppresses only those whom nobody can take in */
    uint32_t *broken; /* crowds that break a demand */
    size_t n_broken;
    uint32_t *live; /* crowds that others may merge with, in no particular order */
    size_t n_live;
    uint64_t merged;
    pv_ticker ticker;
    pv_error *error;
} pv_enforcing;

bool pv_i_enforce_breaks(pv_enforcing *e, size_t crowd);
/* Lists who is there and who breaks a demand, the smallest first. Those who are `*` altogether are
 * suppressed: nothing is demanded of them. */
void pv_i_enforce_look_around(pv_enforcing *e);
void pv_i_enforce_suppress(pv_enforcing *e, size_t crowd);

/* Starts anew from one scheme of levels for everyone that keeps the demands, and makes crowds as
 * fine as was chosen where they still keep them. Nobody is released finer than chosen, unless there
 * is no other way and the choice does not keep a bound of risk. PV_STATUS_UNSATISFIED without a
 * message: no levels do; `all_seen` says whether all could be looked at. */
PV_CHECKED pv_status pv_i_enforce_from_levels(pv_enforcing *e, const pv_disclosure *chosen,
                                              bool *all_seen);

/* pv_disclosure_scheme into a scheme that is zero or initialised. */
PV_CHECKED pv_status pv_i_disclosure_scheme(const pv_disclosure *disclosure,
                                            const pv_profile *profile, const pv_constraint *demands,
                                            size_t n_demands, uint64_t budget,
                                            const pv_context *context, pv_scheme *scheme,
                                            pv_enforced *account, pv_error *error);

#endif
