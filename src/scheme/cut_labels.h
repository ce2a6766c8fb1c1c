/* What the groups of a categorical attribute are called: by their only value, by the taxonomy where
 * they are one of its groups, else by a list of their values. No two have the same label. */
#ifndef PV_SCHEME_CUT_LABELS_H
#define PV_SCHEME_CUT_LABELS_H

#include "base/arena.h"

#include <paravent/cuts.h>

typedef struct pv_cut_labels {
    const char **texts;   /* by group */
    const char *missing;  /* how the data spells the missing value; NULL = it does not occur */
    size_t missing_group; /* it belongs to; SIZE_MAX = it stays apart */
    pv_arena arena;
} pv_cut_labels;

/* Zero-initialise first; deinitialise even after a failure. PV_CUTS_GROUPS only. */
PV_CHECKED pv_status pv_i_cut_labels_init(pv_cut_labels *labels, const pv_cuts_attribute *attribute,
                                          const pv_study *study, size_t quasi, pv_error *error);
void pv_i_cut_labels_deinit(pv_cut_labels *labels);

#endif
