/* How the values of a front are laid out along axes. */
#include "report/front_axis.h"

#include <assert.h>
#include <math.h>
#include <string.h>

typedef struct range {
    double smallest, largest;
} range;

/* Of all points, or of those in which nobody is alone. */
static range range_of(const pv_front *front, const pv_profile *profile, size_t objective, bool safe)
{
    range r = {(double)INFINITY, -(double)INFINITY};
    for (size_t i = 0; i < front->n_points; i++) {
        if (!safe || front->points[i].k > 1) {
            const double value = front->points[i].values[objective];
            const double shown = pv_i_front_shown(front, profile, objective, value);
            r.smallest = fmin(r.smallest, shown);
            r.largest = fmax(r.largest, shown);
        }
    }
    return r;
}

/* Is k traded, and are the points in which somebody is alone so few that they may be set aside?
 * One, mostly; with more objectives there can be as many as others. */
static bool few_are_unsafe(const pv_front *front)
{
    size_t unsafe = 0;
    bool trades_k = false;
    for (size_t i = 0; i < front->n_points; i++) {
        unsafe += front->points[i].k <= 1;
    }
    for (size_t i = 0; i < front->n_objectives; i++) {
        trades_k = trades_k || front->objectives[i].measure->class_size;
    }
    return trades_k && (unsafe <= 2 || unsafe <= front->n_points / 20);
}

/* A front from k=1 on begins with the table as it is, which is far from all that is safe: where it
 * would take more than this of an axis for itself, the axis is broken. */
#define FAR 0.25

static double length_of(double from, double to, bool logarithmic)
{
    return logarithmic ? log(to / from) : to - from;
}

/* How much of an axis of all would be left unused by the values that have one of their own. */
static double unused(const pv_svg_axis *own, range all)
{
    const double whole =
        length_of(fmin(all.smallest, own->min), fmax(all.largest, own->max), own->logarithmic);
    return 1 - length_of(own->min, own->max, own->logarithmic) / whole;
}

pv_svg_axis pv_i_front_axis(const pv_front *front, const pv_profile *profile, size_t objective,
                            size_t ticks, double from, double to)
{
    const pv_measure *const measure = front->objectives[objective].measure;
    const range all = range_of(front, profile, objective, false);
    const range safe = range_of(front, profile, objective, true);
    const pv_svg_unit unit =
        pv_measure_reads_as_share(measure, profile) ? PV_SVG_PERCENT : PV_SVG_NUMBER;
    /* Sizes differ by factors, unless there are none. From 1 to 2 is no gap. */
    const bool logarithmic = measure->class_size && !(all.smallest <= 0);
    const bool next = logarithmic && safe.smallest <= 2 * all.smallest;
    if (few_are_unsafe(front) && safe.smallest < safe.largest && !next) {
        /* A broken axis says that it does not begin at 0. */
        const pv_svg_axis own =
            logarithmic ? pv_i_svg_log_axis(safe.smallest, safe.largest, ticks, from, to)
                        : pv_i_svg_near_axis(safe.smallest, safe.largest, ticks, unit, from, to);
        if (unused(&own, all) >= FAR) {
            return pv_i_svg_break(own, all.smallest, all.largest);
        }
    }
    return logarithmic ? pv_i_svg_log_axis(all.smallest, all.largest, ticks, from, to)
                       : pv_i_svg_range_axis(all.smallest, all.largest, ticks, unit, from, to);
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
                      .broken_low = drawn.broken_low,
                      .broken_high = drawn.broken_high,
                      .below = drawn.below,
                      .above = drawn.above,
                      .n_ticks = pv_i_svg_ticks(&drawn, values)};
    for (size_t i = 0; i < axis->n_ticks; i++) {
        axis->ticks[i] = (pv_tick){.shown = values[i], .place = pv_i_svg_at(&drawn, values[i])};
    }
}

double pv_axis_place(const pv_axis *axis, double value)
{
    const pv_svg_axis drawn = {.min = axis->from,
                               .max = axis->to,
                               .from = 0,
                               .to = 1,
                               .logarithmic = axis->logarithmic,
                               .broken_low = axis->broken_low,
                               .broken_high = axis->broken_high,
                               .below = axis->below,
                               .above = axis->above};
    return pv_i_svg_at(&drawn, value / axis->unit);
}
