/* "Did you mean ...?": the nearest of some names to what was typed. */
#ifndef CLI_CORE_SUGGEST_H
#define CLI_CORE_SUGGEST_H

#include <stddef.h>

/* The nearest name, or NULL if none is near. `names[i]` may be NULL. Ties: the first. */
const char *cli_suggest(const char *typed, const char *const *names, size_t n);

#endif
