/* Names with numbers, "age=3, sex=0.5 zip=1", as options and the lines of a walk have them. A name
 * may hold blanks; a number ends at a blank or a comma. */
#ifndef CLI_PREFER_PAIRS_H
#define CLI_PREFER_PAIRS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cli_pair {
    const char *name;
    double value; /* 0 or more */
} cli_pair;

typedef struct cli_pairs {
    cli_pair *list;
    size_t n;
    char *text; /* holds the names */
} cli_pairs;

/* At least one. False, and nothing to free, if the text is anything else. */
bool cli_pairs_read(const char *text, cli_pairs *pairs);
void cli_pairs_free(cli_pairs *pairs);

#endif
