/* What stands between the library and the heap in every test program. */
#include "support/failing_alloc.h"
#include <stdbool.h>

#include <stdatomic.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);

#define SAMPLE_STEP 7

/* Allocations may come from several threads. */
static _Atomic int64_t failing_alloc_left = INT64_MAX; /* allocations that still succeed */
static _Atomic bool failing_alloc_stays = false;       /* do those after the failing one fail? */
static _Atomic bool failing_alloc_happened = false;

static bool failing_alloc_now(void)
{
    const int64_t left = atomic_fetch_sub(&failing_alloc_left, 1);
    const bool fails = left == 0 || (left < 0 && atomic_load(&failing_alloc_stays));
    if (fails) {
        atomic_store(&failing_alloc_happened, true);
    }
    return fails;
}

void *__wrap_malloc(size_t size)
{
    return failing_alloc_now() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
    return failing_alloc_now() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return failing_alloc_now() ? NULL : __real_realloc(old, size);
}

/* ------------------------------------------------------------------ trying */

void failing_alloc_arm(int64_t n, bool stays)
{
    atomic_store(&failing_alloc_stays, stays);
    atomic_store(&failing_alloc_happened, false);
    atomic_store(&failing_alloc_left, n);
}

bool failing_alloc_disarm(void)
{
    atomic_store(&failing_alloc_stays, false);
    atomic_store(&failing_alloc_left, INT64_MAX);
    return atomic_load(&failing_alloc_happened);
}

/* Every so manieth; until none of those fails. */
static int64_t fail_by_steps(pv_status (*work)(void *ctx, pv_error *error), void *ctx, bool stays,
                             int64_t step)
{
    for (int64_t n = 0;; n += step) {
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

int64_t failing_alloc_each(pv_status (*work)(void *ctx, pv_error *error), void *ctx, bool stays)
{
    return fail_by_steps(work, ctx, stays, 1);
}

int64_t failing_alloc_sample(pv_status (*work)(void *ctx, pv_error *error), void *ctx)
{
    return fail_by_steps(work, ctx, true, effort_is_whole() ? 1 : SAMPLE_STEP);
}

int64_t failing_alloc_every(pv_status (*work)(void *ctx, pv_error *error), void *ctx)
{
    (void)failing_alloc_each(work, ctx, true);
    return failing_alloc_each(work, ctx, false);
}
