/* What a table is made of; private to this room.
 *
 *     column  name, type
 *             codes    [3 0 0 1 2 ...]        one per row, 1, 2 or 4 bytes each
 *             text     "Male\0Female\0..."    the values, in order of first appearance
 *             offsets  [0 5 12 ...]           where each begins, and the end
 *             counts   [20380 9782 ...]       rows per value
 *
 * Equal rows that were counted elsewhere are stored once, as one entry: then `codes` has one per
 * entry, and `ends` says how many rows each stands for (column.h).
 */
#ifndef PV_TABLE_STORE_H
#define PV_TABLE_STORE_H

#include "table/column.h"

#include <paravent/table.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One of the ways in which the missing value is spelled. */
typedef struct pv_spelling {
    char *text;
    uint64_t rows;
} pv_spelling;

typedef struct pv_column {
    char *name;
    pv_type type;
    pv_format format;
    bool settled;   /* have equal values one code? */
    unsigned width; /* of a code, in bytes */
    void *codes;    /* one per entry */
    uint32_t n_values;
    uint32_t missing; /* code of the missing value, or PV_NO_CODE */
    char *text;
    uint64_t *offsets; /* n_values + 1 */
    uint64_t *counts;
    pv_spelling *spellings; /* of the missing value, in order of first appearance */
    size_t n_spellings, spellings_capacity;
} pv_column;

/* From `row` on, up to the next mark, row r is on line + (r - row); line 0 = not known. */
typedef struct pv_line_mark {
    uint64_t row;
    uint64_t line;
} pv_line_mark;

struct pv_table {
    atomic_uint n_owners; /* besides the first: pv_i_table_share */
    char *source;
    char delimiter;
    uint64_t rows;
    uint64_t entries; /* as many as rows, unless these were counted */
    uint64_t *ends;   /* NULL = every entry is one row */
    bool unordered;   /* their order is ours, and says nothing about them */
    uint64_t skipped;
    uint64_t trimmed; /* fields */
    pv_column *columns;
    size_t n_columns;
    size_t *by_name; /* columns sorted by name, to find them */
    pv_line_mark *marks;
    size_t n_marks;
};

void pv_i_column_deinit(pv_column *column);
/* Sorts the columns by name once all names are there. */
PV_CHECKED pv_status pv_i_table_index_names(pv_table *table, pv_error *error);

/* The narrowest type that all values of the column fit. */
pv_type pv_i_column_infer(const pv_column *column);

static inline const char *pv_i_column_value(const pv_column *column, uint32_t code)
{
    return column->text + column->offsets[code];
}

static inline size_t pv_i_column_length(const pv_column *column, uint32_t code)
{
    return (size_t)(column->offsets[code + 1] - column->offsets[code] - 1);
}

/* Reading with every knob, for tests of the seams between blocks: pv_table_read_memory with blocks
 * of `block_size` > 0 bytes (larger where a record is). */
PV_CHECKED pv_status pv_i_table_read_blocks(const char *name, const void *data, size_t size,
                                            size_t block_size, const pv_read_options *options,
                                            const pv_context *context, pv_table **table,
                                            pv_error *error);

#endif
