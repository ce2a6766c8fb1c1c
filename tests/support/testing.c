/* The seeds stay as they are, so the cases of a shorter run are the first ones of the full run. */
#include "support/testing.h"

#if defined(__has_feature)
#define EFFORT_CLANG(feature) __has_feature(feature)
#else
#define EFFORT_CLANG(feature) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || EFFORT_CLANG(address_sanitizer)
enum { EFFORT_SHARE = 5 };
#elif defined(__SANITIZE_THREAD__) || EFFORT_CLANG(thread_sanitizer)
enum { EFFORT_SHARE = 20 };
#else
enum { EFFORT_SHARE = 1 };
#endif

size_t effort(size_t n)
{
    return (n + EFFORT_SHARE - 1) / EFFORT_SHARE;
}

bool effort_is_whole(void)
{
    return EFFORT_SHARE == 1;
}
