/* What stands between the library and the heap in every test program. */
#include "support/failing_alloc.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);

/* Allocations may come from several threads. */
_Atomic int64_t failing_alloc_left = INT64_MAX; /* allocations that still succeed */
_Atomic bool failing_alloc_stays = false;       /* do those after the failing one fail? */
_Atomic bool failing_alloc_happened = false;

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
