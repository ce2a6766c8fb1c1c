/* What the pictures of the reports have in common: the look, and curves. */
#ifndef PV_PAPERS_PICTURE_H
#define PV_PAPERS_PICTURE_H

#include "report/svg.h"

/* `style` is added to the common look. A picture ends with pv_i_svg_end. */
void picture_begin(pv_buffer *svg, double width, double height, const char *title,
                   const char *style);

/* A line with a dot at each of n places; drawn as "line CLASS" and "dot CLASS". */
typedef struct curve {
    const char *class_name; /* "one" or "two" */
    const double *xs, *ys;
    size_t n;
} curve;

void picture_curve(pv_buffer *svg, const curve *c, const pv_svg_axis *x, const pv_svg_axis *y);
/* What a dot stands for. */
void picture_key(pv_buffer *svg, const char *class_name, double radius, double x, double y,
                 const char *name);

#endif
