/* Counted rows on their way from an engine to a table: lines of delimited text, each with how often
 * it occurs.
 *
 *     heard    (37, man, 1234) x 12                cells, NULL or text, the count last
 *     line     37,man,1234,12                      sorted by bytes: engines have no order
 *     table    rows 0..11 are one entry            read as any file is (table/column.h) */
#ifndef PV_ENGINE_LINES_H
#define PV_ENGINE_LINES_H

#include "base/buffer.h"
#include "engine/engine.h"

#include <paravent/table.h>

/* A line of the text, and its first bytes as a number that compares as they do. */
typedef struct pv_line {
    uint64_t first;
    size_t start, size;
} pv_line;

/* What the reader of the lines cannot count (lines.c), of a column. */
typedef struct pv_spelled {
    const char *const *spellings; /* of "missing", NULL-terminated */
    uint64_t *rows;               /* of each */
} pv_spelled;

typedef struct pv_lines {
    const char *const *columns; /* borrowed, besides the count */
    size_t n_columns;
    pv_buffer text; /* as it comes ... */
    pv_line *lines; /* ... and where its lines are */
    size_t n, capacity;
    const pv_read_options *options; /* borrowed; NULL = no table will be made */
    pv_spelled *spelled;            /* per column, if there are options */
    size_t n_spelled;
    uint64_t trimmed;
} pv_lines;

/* Deinitialise even after a failure. */
PV_CHECKED pv_status pv_i_lines_init(pv_lines *lines, const char *const *columns, size_t n_columns,
                                     const pv_read_options *options, pv_error *error);
void pv_i_lines_deinit(pv_lines *lines);
/* A pv_row_hear; `ctx` is the lines. */
PV_CHECKED pv_status pv_i_lines_hear(void *ctx, const pv_cell *cells, pv_error *error);
void pv_i_lines_sort(pv_lines *lines);

/* Appends a header and the lines. */
PV_CHECKED pv_status pv_i_lines_text(const pv_lines *lines, pv_buffer *text, pv_error *error);
/* The table that the lines are, called `name`; their own text is given up. */
PV_CHECKED pv_status pv_i_lines_table(pv_lines *lines, const char *name, const pv_context *context,
                                      pv_table **table, pv_error *error);

/* The number that a cell of digits says. */
uint64_t pv_i_cell_number(pv_cell cell);

#endif
