/* Fronts as results: their lifetime, and losses as shares. */
#include "front/front_values.h"

#include "base/memory.h"
#include "classes/profile.h"

#include <math.h>
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

bool pv_i_is_class_size(const pv_measure *measure)
{
    return strcmp(measure->name, "k") == 0 || strcmp(measure->name, "aecs") == 0;
}

bool pv_measure_reads_as_share(const pv_measure *measure, const pv_profile *profile)
{
    const bool of_people = measure->family == PV_FAMILY_RISK ||
                           (measure->family == PV_FAMILY_LOSS && measure->has_rows);
    return of_people && isfinite(pv_measure_share(measure, profile, 1));
}

double pv_i_front_shown(const pv_front *front, const pv_profile *profile, size_t objective,
                        double value)
{
    const pv_measure *const measure = front->objectives[objective].measure;
    return pv_measure_reads_as_share(measure, profile) ? pv_measure_share(measure, profile, value)
                                                       : value;
}
