/* A front in words: plain text, to be escaped where it becomes part of a page. */
#ifndef PV_REPORT_FRONT_WORDS_H
#define PV_REPORT_FRONT_WORDS_H

#include "base/buffer.h"

#include "front/front.h"

/* "k", "l-recursive(2)". */
void pv_i_front_objective(pv_buffer *out, pv_measure_ref ref);
/* "10", "31.2%": the value of an objective as people read it. */
void pv_i_front_value(pv_buffer *out, const pv_front *front, const pv_profile *profile,
                      size_t objective, double value);
/* "k 10, glm 31.2%, 290 rows suppressed; age 5 of 6, sex 0 of 1", or of cuts "k 10, nwp 31.2%,
 * proven: optimal; age 5 groups, sex as it is". */
void pv_i_front_point(pv_buffer *out, const pv_front *front, const pv_profile *profile,
                      size_t point);
/* "--levels 5,2,2,0", or of cuts "--scheme cuts --pick k=10 -o cuts.json": how it is asked for. */
void pv_i_front_asked(pv_buffer *out, const pv_front *front, size_t point);

/* What "complete" is about: "level schemes with the smallest classes suppressed up to 300 rows". */
void pv_i_front_family(pv_buffer *out, const pv_front *front);
/* Why there is no more to find, or why there may be. With the two below it is pv_front_account. */
void pv_i_front_account(pv_buffer *out, const pv_front *front);
/* "each point stands for a box of k 5 x glm 100"; to be told only where there are boxes. */
bool pv_i_front_has_boxes(const pv_front *front);
void pv_i_front_boxes(pv_buffer *out, const pv_front *front);
/* "12 points are not shown (--where)"; to be told only where some are hidden. */
void pv_i_front_hidden(pv_buffer *out, const pv_front *front);
/* pv_front_step_text. */
void pv_i_front_step(pv_buffer *out, const pv_front *front, const pv_profile *profile, size_t from,
                     size_t to);

/* Appends plain text as markup and forgets it. */
void pv_i_front_escape(pv_buffer *out, pv_buffer *plain);

#endif
