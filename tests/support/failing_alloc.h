/* Making the n-th allocation fail, for every n.
 *
 * Test programs are linked so that malloc, calloc and realloc of the library come through here.
 * Allocations of other shared libraries are not touched.
 *
 *     static pv_status work(void *ctx, pv_error *error) { ... clean up, return the status }
 *
 *     failing_alloc_every(work, ctx);
 *
 * runs `work` with the first allocation failing, then the second, ... until it needs no more of
 * them; once with that one alone failing and once with all that follow failing as well. Every
 * time the status must be PV_STATUS_NO_MEMORY. That nothing leaks is for the leak sanitizer to
 * say. */
#ifndef PV_TESTS_FAILING_ALLOC_H
#define PV_TESTS_FAILING_ALLOC_H

#include "support/testing.h"

#include <paravent/status.h>

/* From now on the first `n` allocations succeed and the next one fails; with `stays`, all later
 * ones, too. */
void failing_alloc_arm(int64_t n, bool stays);

/* Everything succeeds again. True if something had failed. */
bool failing_alloc_disarm(void);

/* Both return how many allocations `work` needs; `each` tries one of the two ways only. */
int64_t failing_alloc_each(pv_status (*work)(void *ctx, pv_error *error), void *ctx, bool stays);
/* Where one try takes long, a server is asked for example: a part of them, if not all shall be
 * tried (effort_is_whole). */
int64_t failing_alloc_sample(pv_status (*work)(void *ctx, pv_error *error), void *ctx);
int64_t failing_alloc_every(pv_status (*work)(void *ctx, pv_error *error), void *ctx);

#endif
