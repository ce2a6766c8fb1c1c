/* What a ladder is made of (paravent/ladder.h). */
#ifndef PV_FRONT_LADDER_H
#define PV_FRONT_LADDER_H

#include <paravent/ladder.h>

typedef struct pv_ladder_curve {
    bool searched;
    char *refusal;           /* why it was not, though asked for */
    pv_ladder_point *points; /* n of them */
    pv_scheme **schemes;     /* what was found for each k; several points may show one of them */
} pv_ladder_curve;

struct pv_ladder {
    pv_ladder_curve curves[PV_N_SCHEME_KINDS];
    size_t n;
    pv_measure_ref loss;
    pv_constraint demands[PV_MAX_CONSTRAINTS];
    size_t n_demands;
    uint64_t budget;
    size_t n_tuples; /* of the table: how long a scheme of records is */
    double seconds;
    pv_stop stop;
};

/* Makes every curve monotone: of the schemes for a k and for larger ones the least loss is the
 * point's, and of the bounds for a k and for smaller ones the largest. Fills in gaps and shares. */
void pv_i_ladder_settle(pv_ladder *ladder, const pv_profile *profile);

#endif
