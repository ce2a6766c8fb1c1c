/* The codes of a column, for loops over many rows: as narrow as the dictionary allows.
 *
 * Where an engine has counted equal rows (engine/read.h), they are stored once. An *entry* is what
 * is stored: a row, or several equal ones. Loops go over entries and count each as often as it
 * stands for rows; whatever needs single rows asks for them (pv_i_table_need_rows).
 *
 *     codes   [3  0  1]      of entries 0, 1, 2
 *     ends    [2  3  7]      entry 0 is rows 0..1, entry 1 row 2, entry 2 rows 3..6; NULL = 1 each
 */
#ifndef PV_TABLE_COLUMN_H
#define PV_TABLE_COLUMN_H

#include <paravent/status.h>
#include <paravent/table.h>
#include <stddef.h>
#include <stdint.h>

/* An array of unsigned integers of `width` bytes; of a table: borrowed, one per entry, aligned. */
typedef struct pv_codes {
    unsigned width; /* 1, 2 or 4 */
    const void *data;
} pv_codes;

pv_codes pv_i_table_codes(const pv_table *table, size_t column);

uint64_t pv_i_table_entries(const pv_table *table);
const uint64_t *
pv_i_table_ends(const pv_table *table); /* borrowed; NULL = every entry is one row */
/* How many rows an entry stands for. */
static inline uint64_t pv_i_entry_rows(const uint64_t *ends, uint64_t entry)
{
    return ends == NULL ? 1 : ends[entry] - (entry > 0 ? ends[entry - 1] : 0);
}
/* The entry that a row is of, among `n`. */
uint64_t pv_i_entry_of_row(const uint64_t *ends, uint64_t n, uint64_t row);
uint64_t pv_i_table_entry(const pv_table *table, uint64_t row);
/* Fails if equal rows are stored once. `what` needs single rows: "comparing person by person". */
PV_CHECKED pv_status pv_i_table_need_rows(const pv_table *table, const char *what, pv_error *error);
/* Had the rows an order before they were read? */
bool pv_i_table_has_order(const pv_table *table);

/* The last column of a table says how often each row occurs: takes it away, and rows become
 * entries. Lines of the text that was read are no lines of a file then. On failure the table can
 * only be freed. */
PV_CHECKED pv_status pv_i_table_take_counts(pv_table *table, pv_error *error);
/* What the reader has counted by lines: in how many rows "missing" is spelled so in a column, and
 * from how many fields blanks were removed. */
void pv_i_table_set_missing_rows(pv_table *table, size_t column, const char *spelling,
                                 uint64_t rows);
void pv_i_table_set_trimmed(pv_table *table, uint64_t n_fields);
/* Every row becomes an entry of its own. On failure the table can only be freed. */
PV_CHECKED pv_status pv_i_table_expand(pv_table *table, pv_error *error);

static inline uint32_t pv_i_codes_at(pv_codes codes, uint64_t row)
{
    switch (codes.width) {
    case 1: return ((const uint8_t *)codes.data)[row];
    case 2: return ((const uint16_t *)codes.data)[row];
    default: return ((const uint32_t *)codes.data)[row];
    }
}

/* The codes of `n` entries from `first_row` on, into `out`. */
void pv_i_codes_unpack(pv_codes codes, uint64_t first_row, size_t n, uint32_t *out);
/* The reverse: `n` codes that fit `width` into `out`; returns the end of what was written. */
uint8_t *pv_i_codes_pack(const uint32_t *codes, size_t n, unsigned width, uint8_t *out);

/* The narrowest width, 1, 2 or 4 bytes, that has different codes for `n_values` values. */
static inline unsigned pv_i_codes_width(uint32_t n_values)
{
    return n_values <= 1u << 8 ? 1 : n_values <= 1u << 16 ? 2 : 4;
}

/* pv_table_read of a file. That one, in engine/read.c, also reads what engines hold. */
PV_CHECKED pv_status pv_i_table_read_file(const char *path, const pv_read_options *options,
                                          const pv_context *context, pv_table **table,
                                          pv_error *error);

/* The length of pv_table_value() in bytes. */
size_t pv_i_table_value_length(const pv_table *table, size_t column, uint32_t code);

/* Columns made anew ------------------------------------------------------------------------- */

/* Entry e of `table` gets the value of entry entries[e] of `from`; NULL = of entry e. The table
 * must not have a column of that name yet. On failure it is as it was. */
PV_CHECKED pv_status pv_i_table_graft(pv_table *table, const pv_table *from, size_t column,
                                      const uint64_t *entries, pv_error *error);

/* Makes the values whose bits are set in `codes` one value with that text, which no other value of
 * the column has. All codes of the column may change. On failure the table is as it was. */
PV_CHECKED pv_status pv_i_table_merge(pv_table *table, size_t column, const uint64_t *codes,
                                      const char *text, pv_error *error);

/* One more owner of the same table: each frees it, the last one really. Returns the table. */
pv_table *pv_i_table_share(pv_table *table);

#endif
