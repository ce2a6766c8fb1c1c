/* The registry's entries: one file per method. */
#ifndef PV_SEARCH_METHODS_H
#define PV_SEARCH_METHODS_H

#include "search/run.h"

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

#endif
