/* The methods by which records are decided, and what they share. A method answers one record's
 * problem (record_problem.h), or those of all records at once. */
#ifndef PV_RECORDS_RECORD_METHODS_H
#define PV_RECORDS_RECORD_METHODS_H

#include "base/clock.h"
#include "records/disclosure.h"
#include "records/record_problem.h"
#include "scheme/lattice.h"

#include <paravent/context.h>

/* What all records share. */
typedef struct pv_disclose_run {
    const pv_profile *profile;
    const pv_disclose_options *options;
    const pv_attacker *attacker;
    const pv_context *context;
    unsigned threads;
    uint64_t memory;
    double until; /* when the time is over, as pv_i_now has it; 0 = never */
    pv_record_values values;
    pv_weighing weighing;
    pv_lattice lattice;
    pv_disclosure *disclosure; /* to be filled in */
    uint8_t *levels;           /* n_quasi per tuple */
    void *task;                /* of the entry, where it is not from the registry */
} pv_disclose_run;

static inline bool pv_i_disclose_is_late(const pv_disclose_run *run)
{
    return run->until > 0 && pv_i_now() > run->until;
}

/* Nodes of a lattice that no method may come to an end with. */
#define PV_ENDLESS_LATTICE 1e8

/* What was found for a record. */
typedef struct pv_record_answer {
    const uint8_t *levels; /* if it is feasible; none higher than where the value is `*` */
    bool is_feasible, is_optimal;
    uint64_t rho, raw_rho; /* dictionary rows consistent with it at these levels, and raw */
    uint64_t visited;
} pv_record_answer;

/* Writes the answer into the disclosure; different threads may report different tuples. */
void pv_i_disclose_report(pv_disclose_run *run, size_t tuple, const pv_record_answer *answer);

typedef struct pv_record_entry {
    pv_record_method info;
    /* May the method run on this? Otherwise why not, as a sentence for people. */
    const char *(*refuses)(const pv_disclose_run *run);
    pv_status (*solve)(pv_record_problem *problem, pv_error *error); /* NULL: all at once */
    pv_status (*solve_all)(pv_disclose_run *run, pv_error *error);
    bool takes_start; /* does `solve` go on from a choice that the problem has already? */
} pv_record_entry;

/* Discloses by an entry that is not in the registry. */
PV_CHECKED pv_status pv_i_disclose_by(const pv_record_entry *entry, void *task,
                                      const pv_profile *profile, const pv_disclose_options *options,
                                      const pv_context *context, pv_disclosure **disclosure,
                                      pv_error *error);

/* Queue by risk, from `*` everywhere (record_aruba.c). */
pv_status pv_i_btda(pv_record_problem *problem, pv_error *error);
/* Along the frontier. */
pv_status pv_i_aruba(pv_record_problem *problem, pv_error *error);
pv_status pv_i_record_bnb(pv_record_problem *problem, pv_error *error);
pv_status pv_i_record_scan(pv_disclose_run *run, pv_error *error);
const char *pv_i_record_scan_refuses(const pv_disclose_run *run);

#endif
