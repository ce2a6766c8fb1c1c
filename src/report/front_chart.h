/* The plot of a front: one objective against the first. */
#ifndef PV_REPORT_FRONT_CHART_H
#define PV_REPORT_FRONT_CHART_H

#include "report/svg.h"

#include "front/front.h"

extern const char pv_i_front_chart_style[]; /* besides the style of all charts */

/* Draws into a picture that has begun, in letters of this height. Points carry their number
 * (data-p), and in words what they are. */
void pv_i_front_chart(pv_buffer *out, const pv_front *front, const pv_profile *profile,
                      size_t objective, double letters, pv_svg_box box);
/* The same in words, for those who listen: a <desc>. */
void pv_i_front_chart_description(pv_buffer *out, const pv_front *front, const pv_profile *profile,
                                  size_t objective);

#endif
