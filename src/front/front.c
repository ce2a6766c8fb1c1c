/* Fronts as results: their lifetime, and losses as shares. */
#include "base/memory.h"
#include "classes/profile.h"

#include <math.h>
#include <paravent/front.h>
#include <string.h>

void pv_front_free(pv_front *front)
{
    if (front != NULL) {
        for (size_t i = 0; i < front->n_cuts; i++) {
            pv_cuts_free(front->cuts[i]);
        }
        pv_i_free(front->cuts);
        pv_i_free(front->points);
        pv_i_free(front->memory);
        pv_i_free(front->moments);
        pv_i_free(front);
    }
}

double pv_measure_share(const pv_measure *measure, const pv_profile *profile, double value)
{
    const double rows = (double)profile->n_rows;
    const double attributes = (double)pv_study_quasis(profile->study);
    const struct {
        const char *name;
        double largest;
    } shares[] = {{"glm", rows * attributes},
                  {"leaf-utility", rows * attributes},
                  {"dcn", rows * rows},
                  {"sum-k", rows * rows},
                  {"sum-l", rows * rows},
                  {"cm", rows},
                  {"aecs", rows},
                  {"nwp", 1},
                  {"precision", 1},
                  {"necd", 1},
                  {"gini", 1},
                  {"risk", 1},
                  {"risk-mean", 1},
                  {"risk-above", 1},
                  {"t-closeness", 1}};
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        if (strcmp(shares[i].name, measure->name) == 0) {
            return value / shares[i].largest;
        }
    }
    return (double)NAN;
}
