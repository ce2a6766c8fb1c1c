/* How the values of a front are laid out along axes. */
#include "front/front_axis.h"

#include <assert.h>
#include <math.h>
#include <string.h>

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

static void range_of(const pv_front *front, size_t objective, double *smallest, double *largest)
{
    *smallest = (double)INFINITY;
    *largest = -(double)INFINITY;
    for (size_t i = 0; i < front->n_points; i++) {
        *smallest = fmin(*smallest, front->points[i].values[objective]);
        *largest = fmax(*largest, front->points[i].values[objective]);
    }
}

pv_svg_axis pv_i_front_axis(const pv_front *front, const pv_profile *profile, size_t objective,
                            size_t ticks, double from, double to)
{
    const pv_measure *const measure = front->objectives[objective].measure;
    double smallest;
    double largest;
    range_of(front, objective, &smallest, &largest);
    if (pv_i_is_class_size(measure)) {
        return pv_i_svg_log_axis(smallest, largest, ticks, from, to);
    }
    return pv_i_svg_range_axis(
        pv_i_front_shown(front, profile, objective, smallest),
        pv_i_front_shown(front, profile, objective, largest), ticks,
        pv_measure_reads_as_share(measure, profile) ? PV_SVG_PERCENT : PV_SVG_NUMBER, from, to);
}

unsigned pv_i_front_shade(const pv_front *front, const pv_profile *profile, size_t objective,
                          const pv_svg_axis *axis, double value)
{
    const double shown = pv_i_front_shown(front, profile, objective, value);
    const double place = (pv_i_svg_at(axis, shown) - axis->from) / (axis->to - axis->from);
    const bool more = front->objectives[objective].measure->direction == PV_MORE_IS_BETTER;
    const double step = floor((more ? place : 1 - place) * PV_SHADES);
    return (unsigned)fmin(fmax(step, 0), PV_SHADES - 1);
}

static_assert(PV_MAX_TICKS == PV_SVG_MAX_TICKS, "the same axis on paper and on a terminal");

void pv_front_axis(const pv_front *front, const pv_profile *profile, size_t objective, size_t ticks,
                   pv_axis *axis)
{
    const pv_svg_axis drawn = pv_i_front_axis(front, profile, objective, ticks, 0, 1);
    double values[PV_SVG_MAX_TICKS];
    *axis = (pv_axis){.unit = 1 / pv_i_front_shown(front, profile, objective, 1),
                      .from = drawn.min,
                      .to = drawn.max,
                      .as_share = drawn.unit == PV_SVG_PERCENT,
                      .logarithmic = drawn.logarithmic,
                      .n_ticks = pv_i_svg_ticks(&drawn, values)};
    for (size_t i = 0; i < axis->n_ticks; i++) {
        axis->ticks[i] = (pv_tick){.shown = values[i], .place = pv_i_svg_at(&drawn, values[i])};
    }
}

double pv_axis_place(const pv_axis *axis, double value)
{
    const pv_svg_axis drawn = {
        .min = axis->from, .max = axis->to, .from = 0, .to = 1, .logarithmic = axis->logarithmic};
    return pv_i_svg_at(&drawn, value / axis->unit);
}
