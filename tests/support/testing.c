/* The seeds stay as they are, so the cases of a shorter run are the first ones of the full run. */
#include "support/testing.h"

#include <stdlib.h>

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

/* PV_EFFORT=3 asks for a third of that. */
static size_t divisor(void)
{
    const char *const text = getenv("PV_EFFORT");
    const unsigned long given = text != NULL ? strtoul(text, NULL, 10) : 1;
    return EFFORT_SHARE * (given > 0 ? given : 1);
}

size_t effort(size_t n)
{
    return (n + divisor() - 1) / divisor();
}

bool effort_is_whole(void)
{
    return divisor() == 1;
}
