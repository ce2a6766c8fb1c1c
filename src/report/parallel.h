/* Parallel coordinates: a front of three and more objectives in one picture.
 *
 *      k      l     glm        One upright axis per objective and one line per point. Better is at
 *      |      |   .-o          the top of every axis, whatever its direction: a line that stays
 *      o-.   .o--' |           high is good at everything, and where lines cross one objective is
 *      |  'o' |    |           traded for the next. */
#ifndef PV_REPORT_PARALLEL_H
#define PV_REPORT_PARALLEL_H

#include "report/svg.h"

#include "front/front.h"

extern const char pv_i_parallel_style[]; /* besides that of the plot of a front */

/* Draws into a picture that has begun; nothing for an empty front. Lines carry the number of their
 * point (data-p), and in words what it is. */
void pv_i_parallel(pv_buffer *out, const pv_front *front, const pv_profile *profile,
                   pv_svg_box box);
/* The same in words, for those who listen: a <desc>. */
void pv_i_parallel_description(pv_buffer *out, const pv_front *front);

#endif
