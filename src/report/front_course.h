/* How a search went: how much of what it has in the end it had when. */
#ifndef PV_REPORT_FRONT_COURSE_H
#define PV_REPORT_FRONT_COURSE_H

#include "base/buffer.h"

#include "front/front.h"

extern const char pv_i_course_style[];

/* A figure for a page: the hypervolume over the schemes measured, with one sentence; nothing for a
 * front without moments. */
void pv_i_front_course(pv_buffer *out, const pv_front *front);

#endif
