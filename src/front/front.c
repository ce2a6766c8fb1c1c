/* Fronts as results: their lifetime, and losses as shares. */
#include "front/front_values.h"

#include "base/memory.h"
#include "classes/profile.h"

#include <math.h>
#include <stdio.h>

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
    switch (measure->scale) {
    case PV_SCALE_ONE: return value;
    case PV_SCALE_ROWS: return value / rows;
    case PV_SCALE_CELLS: return value / (rows * (double)pv_study_quasis(profile->study));
    case PV_SCALE_PAIRS: return value / (rows * rows);
    case PV_SCALE_NONE: break;
    }
    return (double)NAN;
}

bool pv_i_is_class_size(const pv_measure *measure)
{
    return measure->class_size;
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

void pv_gap_text(double gap, pv_gap_style style, char *text, size_t size)
{
    const bool factor = gap > 1;
    char number[48];
    if (!(gap > 0) || !isfinite(gap)) {
        (void)snprintf(text, size, "%s", gap <= 0 ? "optimal" : "nothing");
        return;
    }
    const int n = snprintf(number, sizeof number, "%.1f",
                           factor ? ceil((1 + gap) * 10) / 10 : ceil(gap * 1000) / 10);
    if (style == PV_GAP_SENTENCE && n > 2 && (size_t)n < sizeof number && number[n - 1] == '0') {
        number[n - 2] = '\0'; /* 5.0 is 5 */
    }
    if (style == PV_GAP_BRIEF) {
        (void)snprintf(text, size, "within %s%s", number, factor ? "x" : "%");
    } else {
        (void)snprintf(text, size, "at most %s%s", number,
                       factor ? " times the optimum" : "% above the optimum");
    }
}
