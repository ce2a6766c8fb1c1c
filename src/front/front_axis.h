/* How the values of a front are laid out along axes: shares, logarithms, round numbers. */
#ifndef PV_FRONT_FRONT_AXIS_H
#define PV_FRONT_FRONT_AXIS_H

#include "base/svg.h"

#include <paravent/front.h>

/* Sizes of classes differ by factors: they are compared by their logarithm. */
bool pv_i_is_class_size(const pv_measure *measure);

/* The number people read: the share of its largest possible value, or the value itself. */
double pv_i_front_shown(const pv_front *front, const pv_profile *profile, size_t objective,
                        double value);

/* The axis of an objective, of shown numbers, over pixels from..to with about `ticks` ticks. */
pv_svg_axis pv_i_front_axis(const pv_front *front, const pv_profile *profile, size_t objective,
                            size_t ticks, double from, double to);

/* Which of PV_SHADES steps a value is in, from the worst end of its axis (0) to the best. */
#define PV_SHADES 8
unsigned pv_i_front_shade(const pv_front *front, const pv_profile *profile, size_t objective,
                          const pv_svg_axis *axis, double value);

/* Is the first value better than the second in an objective? */
static inline bool pv_i_front_better(const pv_front *front, size_t objective, double a, double b)
{
    return front->objectives[objective].measure->direction == PV_MORE_IS_BETTER ? a > b : a < b;
}

#endif
