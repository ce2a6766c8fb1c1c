/* What every test starts with: cmocka, and how much of a random test to run. */
#ifndef PV_TESTS_TESTING_H
#define PV_TESTS_TESTING_H

/* cmocka.h needs these before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Of `n` random cases, so many as there is time for: all of them, but under a sanitizer, where
 * everything takes ten times as long, a part; and a part of that if PV_EFFORT says so, as `make
 * check` does. */
size_t effort(size_t n);

/* Is there time for all of them? */
bool effort_is_whole(void);

#endif
