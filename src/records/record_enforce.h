/* Keeping demands record by record, while it is being done: *draft classes*, that is equivalence
 * classes under construction, people who are released alike as far as it is decided.
 *
 *     draft 0: (age 20-39, zip 130**)   tuples 4 -> 17 -> 3     3 tuples, 12 people
 *     draft 1: (age 28,    zip 13053)   tuples 9                1 tuple, 1 person
 *     merged:  (age 20-39, zip 130**)   at the lowest nodes above both
 *
 * A draft is a node of every hierarchy, on whatever levels its people reach it. Everything is
 * stored in arrays by number: searching for the draft with which another merges at least cost looks
 * at all of them. */
#ifndef PV_RECORDS_RECORD_ENFORCE_H
#define PV_RECORDS_RECORD_ENFORCE_H

#include "base/arena.h"
#include "base/ticker.h"
#include "classes/profile.h"
#include "measure/class_rules.h"
#include "records/disclosure.h"

/* A hierarchy as nodes: the groups, then the values as they are, last the root. */
typedef struct pv_draft_tree {
    const pv_hierarchy *hierarchy;
    unsigned height;
    uint32_t root;
    uint32_t *parent;        /* the root's is itself */
    uint16_t *depth;         /* steps below the root */
    double *loss;            /* share of the domain covered besides the value, 0..1 */
    uint8_t lowest, highest; /* levels that the plan allows */
} pv_draft_tree;

typedef struct pv_drafts {
    const pv_profile *profile;
    size_t n_quasi;
    pv_draft_tree *trees;
    size_t n;         /* numbers given; those that were merged into others are empty */
    uint32_t **nodes; /* per quasi-identifier: per class */
    /* ... and how deep its node must be at least for the plan to allow it for all its people. Only
     * suppressed ones are higher. */
    uint16_t **least_depth;
    uint64_t *sizes; /* people; 0 = gone */
    uint32_t *first; /* tuple; the others follow in `next`; UINT32_MAX = none */
    uint32_t *last;
    uint32_t *next; /* per tuple */
    pv_arena arena; /* holds them all */
} pv_drafts;

/* One for all tuples that the levels (tuples * quasi-identifiers) release alike. */
PV_CHECKED bool pv_i_drafts_reset(pv_drafts *drafts, const uint8_t *levels);

/* What a leaf is released as at a level. */
uint32_t pv_i_draft_node_at(const pv_draft_tree *tree, unsigned level, uint32_t leaf);

/* Is it `*` in every attribute? */
bool pv_i_draft_is_starred(const pv_drafts *drafts, size_t draft);
/* What its people lose, in all attributes together. */
double pv_i_draft_loss(const pv_drafts *drafts, size_t draft);
/* Makes one of classes that have become alike. */
PV_CHECKED bool pv_i_drafts_merge_equal(pv_drafts *drafts);

/* --------------------------------------------------------------- enforcing */

typedef struct pv_enforcing {
    pv_drafts drafts;
    pv_class_rules rules;
    pv_class_scorer scorer;
    uint64_t k, budget, suppressed;
    bool suppresses_last; /* suppresses only those whom nobody can take in */
    uint32_t *broken;     /* classes that break a demand */
    size_t n_broken;
    uint32_t *live; /* classes that others may merge with, in no particular order */
    size_t n_live;
    uint64_t merged;
    pv_ticker ticker;
    pv_error *error;
} pv_enforcing;

bool pv_i_enforce_breaks(pv_enforcing *e, size_t draft);
/* Lists who is there and who breaks a demand, the smallest first. Those who are `*` altogether are
 * suppressed: nothing is demanded of them. */
void pv_i_enforce_survey(pv_enforcing *e);
void pv_i_enforce_suppress(pv_enforcing *e, size_t draft);

/* Starts anew from one scheme of levels for everyone that keeps the demands, and makes classes as
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
