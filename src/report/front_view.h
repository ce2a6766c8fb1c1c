/* A front for people: axes, words, the plot, parallel coordinates. What its page, its picture in a
 * file and the terminal share.
 *
 *     front_words.c   what a point is, what a step costs, why the front is complete or not
 *     front_chart.c   how values are laid out along axes; one objective against the first
 *     parallel.c      all objectives at once, and narrowing them down
 *     front_page.c    the page and the picture, made of these */
#ifndef PV_REPORT_FRONT_VIEW_H
#define PV_REPORT_FRONT_VIEW_H

#include "front/front.h"
#include "report/svg.h"

/* ------------------------------------------------------------------- words */

/* Plain text, to be escaped where it becomes part of a page; where that is, it is escaped by: */
void pv_i_front_escape(pv_buffer *out, pv_buffer *plain); /* appends as markup and empties it */

/* "k", "l-recursive(2)". */
void pv_i_front_objective(pv_buffer *out, pv_measure_ref ref);
/* "10", "31.2%": the value of an objective as people read it. */
void pv_i_front_value(pv_buffer *out, const pv_front *front, const pv_profile *profile,
                      size_t objective, double value);
/* "k 10, glm 31.2%, 290 rows suppressed; age 5 of 6, sex 0 of 1", or of cuts "k 10, nwp 31.2%,
 * proven: optimal; age 5 groups, sex as it is". */
void pv_i_front_point(pv_buffer *out, const pv_front *front, const pv_profile *profile,
                      size_t point);
/* "levels 5,2,2,0", or of cuts "cuts of k=10": how it is asked for. */
void pv_i_front_asked(pv_buffer *out, const pv_front *front, size_t point);
/* pv_front_step_text. */
void pv_i_front_step(pv_buffer *out, const pv_front *front, const pv_profile *profile, size_t from,
                     size_t to);

/* Why there is no more to find, or why there may be. With the two below it is pv_front_account. */
void pv_i_front_account(pv_buffer *out, const pv_front *front);
/* "each point stands for a box of k 5 x glm 100"; only where there are boxes. */
bool pv_i_front_has_boxes(const pv_front *front);
void pv_i_front_boxes(pv_buffer *out, const pv_front *front);
/* "12 points are not shown"; only where some are hidden. */
void pv_i_front_hidden(pv_buffer *out, const pv_front *front);

/* Cuts: "optimal", "at most 1.2% above the optimum", "at most 2.3 times the optimum", "nothing". */
void pv_i_front_proven(pv_buffer *out, const pv_front *front, size_t point);
/* How many of the points that are shown are proven optimal. */
size_t pv_i_front_count_proven(const pv_front *front);

/* -------------------------------------------------------------------- axes */

/* The axis of an objective, of shown numbers, over pixels from..to with about `ticks` ticks. */
pv_svg_axis pv_i_front_axis(const pv_front *front, const pv_profile *profile, size_t objective,
                            size_t ticks, double from, double to);

/* Which of PV_SHADES steps a value is in, from the worst end of its axis (0) to the best. */
#define PV_SHADES 8
unsigned pv_i_front_shade(const pv_front *front, const pv_profile *profile, size_t objective,
                          const pv_svg_axis *axis, double value);

/* ------------------------------------------------------------ one against one */

/* Draws into a picture that has begun, in letters of this height. Points carry their number
 * (data-p), and in words what they are. */
void pv_i_front_chart(pv_buffer *out, const pv_front *front, const pv_profile *profile,
                      size_t objective, double letters, pv_svg_box box);
/* The same in words, for those who listen: a <desc>. */
void pv_i_front_chart_description(pv_buffer *out, const pv_front *front, const pv_profile *profile,
                                  size_t objective);

/* --------------------------------------------------------------- all at once */

/* Draws parallel coordinates into a picture that has begun; nothing for an empty front. Lines carry
 * the number of their point (data-p), and in words what it is. */
void pv_i_parallel(pv_buffer *out, const pv_front *front, const pv_profile *profile,
                   pv_svg_box box);
void pv_i_parallel_description(pv_buffer *out, const pv_front *front);

/* The rank of every point among the distinct values of an objective, worst first. The bounds of the
 * sliders are such ranks: each step of a slider changes something, and no number needs to be read
 * by a script. */
typedef struct pv_ranks {
    size_t n_points, n_objectives;
    size_t *ranks;                      /* [point * n_objectives + objective] */
    size_t distinct[PV_MAX_OBJECTIVES]; /* values; at least 1 where there are points */
} pv_ranks;

/* False when memory runs out. */
PV_CHECKED bool pv_i_ranks_create(const pv_front *front, pv_ranks *ranks);
void pv_i_ranks_free(pv_ranks *ranks);
/* "0 3 12": the ranks of one point, for data-r of its row in the table. */
void pv_i_ranks_text(pv_buffer *out, const pv_ranks *ranks, size_t point);

/* The sliders, hidden until the script (assets/brush.js) shows them. */
void pv_i_brush(pv_buffer *out, const pv_front *front, const pv_ranks *ranks);

#endif
