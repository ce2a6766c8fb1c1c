/* How much of a random test to run: under a sanitizer everything takes ten times as long. */
#ifndef PV_TESTS_EFFORT_H
#define PV_TESTS_EFFORT_H

#include <stddef.h>

#if defined(__has_feature)
#define EFFORT_CLANG(feature) __has_feature(feature)
#else
#define EFFORT_CLANG(feature) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || EFFORT_CLANG(address_sanitizer)
#define EFFORT_SHARE 5
#elif defined(__SANITIZE_THREAD__) || EFFORT_CLANG(thread_sanitizer)
#define EFFORT_SHARE 20
#else
#define EFFORT_SHARE 1
#endif

/* Of `n` cases, so many as there is time for. */
static inline size_t effort(size_t n)
{
    return (n + EFFORT_SHARE - 1) / EFFORT_SHARE;
}

#endif
