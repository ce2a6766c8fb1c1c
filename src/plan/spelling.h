/* Near misses: which word was meant, and how a word of a file looks in a message. */
#ifndef PV_PLAN_SPELLING_H
#define PV_PLAN_SPELLING_H

#include <stddef.h>

/* The candidate most like a word, found by offering one after the other. Start with
 * {.word = word}. */
typedef struct pv_suggestion {
    const char *word;
    const char *best; /* NULL = nothing is near */
    size_t distance;
} pv_suggestion;

void pv_i_suggest(pv_suggestion *suggestion, const char *candidate);

/* A word as it may appear in a message: control characters replaced, cut when long. */
typedef struct pv_shown {
    char text[72];
} pv_shown;

pv_shown pv_i_shown(const char *text);

#endif
