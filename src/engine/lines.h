/* Counted rows on their way into a text: sorted lines, whatever order an engine has them in.
 *
 *     heard   Male | 37 | 12          column  values  "Male," "Female,"     in order of appearance
 *             Female | 37 | 5                 codes   0 1 ...               one per row, 1-4 bytes
 *             Male | 17 | 40
 *     put     Female,37,5\nMale,17,40\nMale,37,12\n
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

typedef struct pv_line_value {
    size_t start, size; /* in the column's text, with its end */
    size_t plain;       /* how long it is without quotes */
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
    pv_line_column *columns; /* n_columns + 1: the last has the counts */
    size_t n_columns;
    size_t n, capacity; /* rows */
    size_t size;        /* of all lines */
    char delimiter;
    pv_buffer scratch;
} pv_lines;

PV_CHECKED pv_status pv_i_lines_init(pv_lines *lines, size_t n_columns, char delimiter,
                                     pv_error *error);
void pv_i_lines_deinit(pv_lines *lines); /* zero-initialised is fine */

/* A pv_row_hear: n_columns + 1 cells, of which the last is how many rows there are. */
PV_CHECKED pv_status pv_i_lines_hear(void *lines, const pv_cell *cells, pv_error *error);

/* Appends all lines in the order of their bytes. */
PV_CHECKED pv_status pv_i_lines_put(pv_lines *lines, pv_buffer *text, pv_error *error);

/* The text of a value as it was heard ("" for NULL); valid until the next call. NULL = no memory.
 */
const char *pv_i_lines_value(pv_lines *lines, size_t column, size_t value, size_t *size);

#endif
