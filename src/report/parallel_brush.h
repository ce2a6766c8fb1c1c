/* Narrowing a front down in its page: bounds for every objective, by sliders or by dragging along
 * an axis of the parallel coordinates. Whatever is outside turns grey in the pictures and
 * disappears from the table. */
#ifndef PV_REPORT_PARALLEL_BRUSH_H
#define PV_REPORT_PARALLEL_BRUSH_H

#include "base/buffer.h"

#include "front/front.h"

extern const char pv_i_brush_style[];
/* Follows the script of the page that marks points, and has no characters that mean something to
 * HTML either. */
extern const char pv_i_brush_script[];

/* The place of every point among the distinct values of an objective, worst first. Bounds are such
 * places: each step of a slider changes something, and no number needs to be read by a script. */
typedef struct pv_ranks {
    size_t n_points, n_objectives;
    size_t *places;                     /* point by point, one per objective */
    size_t distinct[PV_MAX_OBJECTIVES]; /* values; at least 1 where there are points */
} pv_ranks;

/* False when memory runs out. */
PV_CHECKED bool pv_i_ranks_create(const pv_front *front, pv_ranks *ranks);
void pv_i_ranks_free(pv_ranks *ranks);
/* "0 3 12": the places of one point, for data-r of its row in the table. */
void pv_i_ranks_text(pv_buffer *out, const pv_ranks *ranks, size_t point);

/* The sliders, hidden until the script shows them. */
void pv_i_brush(pv_buffer *out, const pv_front *front, const pv_ranks *ranks);

#endif
