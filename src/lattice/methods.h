/* The registry's entries: one file per method. */
#ifndef PV_LATTICE_METHODS_H
#define PV_LATTICE_METHODS_H

#include "lattice/run.h"

typedef struct pv_search_entry {
    pv_method info;
    bool boxes_as_asked; /* an evolutionary search in the very boxes that are asked for */
    /* May the method run on this problem? Otherwise why not, as a sentence for people. */
    const char *(*refuses)(const pv_run *run);
    pv_status (*search)(pv_run *run, pv_error *error);
} pv_search_entry;

const char *pv_i_exhaustive_refuses(const pv_run *run);
pv_status pv_i_exhaustive(pv_run *run, pv_error *error);

const char *pv_i_exact_refuses(const pv_run *run);
pv_status pv_i_exact(pv_run *run, pv_error *error);

const char *pv_i_poka_refuses(const pv_run *run);
pv_status pv_i_poka(pv_run *run, pv_error *error);

/* The evolutionary methods take any lattice and any objectives. */
const char *pv_i_refuses_nothing(const pv_run *run);
pv_status pv_i_pbg_ea(pv_run *run, pv_error *error);
pv_status pv_i_pbg_hybrid(pv_run *run, pv_error *error);

/* pbg-hybrid in two steps: a first front, and everything else. Between them the archive of the run
 * may gain members. */
typedef struct pv_hybrid pv_hybrid;
PV_CHECKED pv_status pv_i_hybrid_create(pv_run *run, pv_hybrid **hybrid, pv_error *error);
void pv_i_hybrid_free(pv_hybrid *hybrid); /* NULL is fine */
PV_CHECKED pv_status pv_i_hybrid_glance(pv_hybrid *hybrid, pv_error *error);
PV_CHECKED pv_status pv_i_hybrid_explore(pv_hybrid *hybrid, pv_error *error);

/* Searches as suits the run, whose archive has the boxes of pbg-hybrid: the method whose front it
 * is in the end, and why. */
PV_CHECKED pv_status pv_i_auto(pv_run *run, const char **name, const char **reason,
                               pv_error *error);

#endif
