/* How the values of a front are laid out along axes: shares, logarithms, round numbers. */
#ifndef PV_REPORT_FRONT_AXIS_H
#define PV_REPORT_FRONT_AXIS_H

#include "front/front.h"
#include "report/svg.h"

/* The axis of an objective, of shown numbers, over pixels from..to with about `ticks` ticks. */
pv_svg_axis pv_i_front_axis(const pv_front *front, const pv_profile *profile, size_t objective,
                            size_t ticks, double from, double to);

/* Which of PV_SHADES steps a value is in, from the worst end of its axis (0) to the best. */
#define PV_SHADES 8
unsigned pv_i_front_shade(const pv_front *front, const pv_profile *profile, size_t objective,
                          const pv_svg_axis *axis, double value);

#endif
