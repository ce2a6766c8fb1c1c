/* Counted rows on their way from an engine to a table: lines of delimited text, each with how often
 * it occurs, sorted, whatever order an engine has them in.
 *
 *     heard   Male | 37 | 12          column  values  "Male," "Female,"     in order of appearance
 *             Female | 37 | 5                 codes   0 1 ...               one per row, 1-4 bytes
 *             Male | 17 | 40
 *     text    Female,37,5\nMale,17,40\nMale,37,12\n
 *     table   rows 0..4 are one entry               read as any file is (table/column.h)
 *
 * There are far fewer values than rows. So values are kept once, as they stand in a line, and a row
 * is a few small numbers. What ends a value, the delimiter, is a part of it: then none is the
 * beginning of another, and lines compare as the ranks of their values do, column by column. They
 * are sorted by counting, from the last columns to the first, and no text is compared but those of
 * the values. (Sorting whole lines took longer than everything else together.) */
#ifndef PV_ENGINE_LINES_H
#define PV_ENGINE_LINES_H

#include "base/buffer.h"
#include "engine/engine.h"

#include <paravent/table.h>

typedef struct pv_line_value {
    size_t start, size; /* in the column's text, with its end */
    size_t plain;       /* where it begins without quotes ... */
    size_t plain_size;  /* ... and how long it is then */
    uint64_t rows;      /* that have it; of a count, the count */
    uint32_t hash;
} pv_line_value;

typedef struct pv_line_column {
    pv_buffer text;
    pv_line_value *values;
    size_t n, capacity;
    uint32_t *slots; /* open addressing: index of a value + 1, 0 = free */
    size_t n_slots;  /* a power of two */
    void *codes;     /* one per row */
    unsigned width;  /* of a code, in bytes */
    char end;
} pv_line_column;

typedef struct pv_lines {
    const char *const
        *names;              /* borrowed, besides that of the count; NULL = there will be no text */
    pv_line_column *columns; /* n_columns + 1: the last has the counts */
    size_t n_columns;
    size_t n, capacity; /* rows */
    size_t size;        /* of all lines */
    uint32_t *order;    /* of the rows, once they are sorted; NULL = as they were heard */
} pv_lines;

/* Deinitialise even after a failure. */
PV_CHECKED pv_status pv_i_lines_init(pv_lines *lines, const char *const *names, size_t n_columns,
                                     pv_error *error);
void pv_i_lines_deinit(pv_lines *lines); /* zero-initialised is fine */
/* A pv_row_hear; `ctx` is the lines. The last of n_columns + 1 cells is how many rows there are. */
PV_CHECKED pv_status pv_i_lines_hear(void *ctx, const pv_cell *cells, pv_error *error);
/* By their bytes. */
PV_CHECKED pv_status pv_i_lines_sort(pv_lines *lines, pv_error *error);

/* A cell of the i-th line as it was heard (NULL: ""), and the number that it says. */
pv_cell pv_i_lines_cell(const pv_lines *lines, size_t i, size_t column);
uint64_t pv_i_lines_number(const pv_lines *lines, size_t i, size_t column);

/* Appends a header and the lines. */
PV_CHECKED pv_status pv_i_lines_text(pv_lines *lines, pv_buffer *text, pv_error *error);
/* The table that the lines are, called `name`; the lines themselves are given up. */
PV_CHECKED pv_status pv_i_lines_table(pv_lines *lines, const char *name,
                                      const pv_read_options *options, const pv_context *context,
                                      pv_table **table, pv_error *error);

/* The number that a cell of digits says. */
uint64_t pv_i_cell_number(pv_cell cell);

#endif
