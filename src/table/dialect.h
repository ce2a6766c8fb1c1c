/* How a text is delimited. */
#ifndef PV_TABLE_DIALECT_H
#define PV_TABLE_DIALECT_H

#include <stdbool.h>

#define PV_QUOTE '"'

typedef struct pv_dialect {
    char delimiter;
    bool quoting; /* fields may be quoted */
    bool header;  /* the first record is the names */
} pv_dialect;

#endif
