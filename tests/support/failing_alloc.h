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

#include <paravent/status.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Allocations may come from several threads. */
extern _Atomic int64_t failing_alloc_left; /* allocations that still succeed */
extern _Atomic bool failing_alloc_stays;   /* do those after the failing one fail? */
extern _Atomic bool failing_alloc_happened;

/* From now on the first `n` allocations succeed and the next one fails; with `stays`, all later
 * ones, too. */
static inline void failing_alloc_arm(int64_t n, bool stays)
{
    atomic_store(&failing_alloc_stays, stays);
    atomic_store(&failing_alloc_happened, false);
    atomic_store(&failing_alloc_left, n);
}

/* Everything succeeds again. True if something had failed. */
static inline bool failing_alloc_disarm(void)
{
    atomic_store(&failing_alloc_stays, false);
    atomic_store(&failing_alloc_left, INT64_MAX);
    return atomic_load(&failing_alloc_happened);
}

/* Returns how many allocations `work` needs. */
static inline int64_t failing_alloc_each(pv_status (*work)(void *ctx, pv_error *error), void *ctx,
                                         bool stays)
{
    for (int64_t n = 0;; n++) {
        pv_error error = {0};
        failing_alloc_arm(n, stays);
        const pv_status status = work(ctx, &error);
        if (!failing_alloc_disarm()) {
            assert_int_equal(status, PV_STATUS_OK);
            return n;
        }
        assert_int_equal(status, PV_STATUS_NO_MEMORY);
        assert_int_equal(error.status, PV_STATUS_NO_MEMORY);
    }
}

static inline int64_t failing_alloc_every(pv_status (*work)(void *ctx, pv_error *error), void *ctx)
{
    (void)failing_alloc_each(work, ctx, true);
    return failing_alloc_each(work, ctx, false);
}

#endif
