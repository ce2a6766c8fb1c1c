/* What a scheme can be at best, judged by schemes that were evaluated: nothing is more private than
 * what is coarser, nothing loses less than what is finer.
 *
 * That is certain of k, and of losses as they are without suppression; of other measures of privacy
 * it holds without suppression and is a good guess with it. For a search that proves nothing
 * anyway. Needs memory for some thousand schemes, whatever the size of the lattice. */
#ifndef PV_LATTICE_OUTLOOK_H
#define PV_LATTICE_OUTLOOK_H

#include "lattice/run.h"

typedef struct pv_outlook {
    const pv_run *run;
    uint8_t *levels; /* of the schemes learned from */
    double *values;  /* oriented, per scheme: as measured, or of losses as without suppression */
    size_t n, oldest;
} pv_outlook;

PV_CHECKED pv_status pv_i_outlook_init(pv_outlook *outlook, const pv_run *run, pv_error *error);
void pv_i_outlook_deinit(pv_outlook *outlook);

void pv_i_outlook_learn(pv_outlook *outlook, const uint8_t *levels, const pv_outcome *outcome);
/* Has the archive something at least as good as the best the scheme can be? */
bool pv_i_outlook_is_hopeless(const pv_outlook *outlook, const uint8_t *levels);

#endif
