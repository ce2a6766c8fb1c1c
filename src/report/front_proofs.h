/* A front of cuts in words: into how many groups its points divide, what is proven about them, and
 * what is not. Plain text, to be escaped where it becomes part of a page. */
#ifndef PV_REPORT_FRONT_PROOFS_H
#define PV_REPORT_FRONT_PROOFS_H

#include "base/buffer.h"

#include "front/front.h"

/* "optimal", "at most 1.2% above the optimum", "at most 2.3 times the optimum" or "nothing". */
void pv_i_front_proven(pv_buffer *out, const pv_front *front, size_t point);
/* "age 5 groups, sex as it is, race one group". */
void pv_i_front_groups(pv_buffer *out, const pv_front *front, const pv_study *study, size_t point);
/* How many of the points that are shown are proven optimal. */
size_t pv_i_front_count_proven(const pv_front *front);
/* The part of pv_front_account about proofs. */
void pv_i_front_proofs(pv_buffer *out, const pv_front *front);

#endif
