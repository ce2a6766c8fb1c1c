/* How a text is delimited. */
#ifndef PV_TABLE_DIALECT_H
#define PV_TABLE_DIALECT_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define PV_QUOTE '"'

typedef struct pv_dialect {
    char delimiter;
    bool quoting; /* fields may be quoted */
    bool header;  /* the first record is the names */
} pv_dialect;

static inline bool pv_i_is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

/* Takes the blanks off both ends of a field; and the quotes around it, if blanks before them kept
 * them from being seen. Were there any blanks? */
static inline bool pv_i_trim(const char **text, size_t *length, bool quoting)
{
    const size_t before = *length;
    const char *const start = *text;
    while (*length > 0 && pv_i_is_blank((*text)[*length - 1])) {
        --*length;
    }
    while (*length > 0 && pv_i_is_blank(**text)) {
        ++*text;
        --*length;
    }
    if (quoting && *text > start && *length >= 2 && **text == PV_QUOTE &&
        memchr(*text + 1, PV_QUOTE, *length - 1) == *text + *length - 1) {
        ++*text;
        *length -= 2;
        (void)pv_i_trim(text, length, false);
    }
    return *length < before;
}

#endif
