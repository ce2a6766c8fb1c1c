/* The codes of a column, for loops over many rows: as narrow as the dictionary allows. */
#ifndef PV_TABLE_COLUMN_H
#define PV_TABLE_COLUMN_H

#include <paravent/status.h>
#include <paravent/table.h>
#include <stddef.h>
#include <stdint.h>

/* An array of unsigned integers of `width` bytes; of a table: borrowed, one per row, aligned. */
typedef struct pv_codes {
    unsigned width; /* 1, 2 or 4 */
    const void *data;
} pv_codes;

pv_codes pv_i_table_codes(const pv_table *table, size_t column);

static inline uint32_t pv_i_codes_at(pv_codes codes, uint64_t row)
{
    switch (codes.width) {
    case 1: return ((const uint8_t *)codes.data)[row];
    case 2: return ((const uint16_t *)codes.data)[row];
    default: return ((const uint32_t *)codes.data)[row];
    }
}

/* The codes of `n` rows from `first_row` on, into `out`. */
void pv_i_codes_unpack(pv_codes codes, uint64_t first_row, size_t n, uint32_t *out);
/* The reverse: `n` codes that fit `width` into `out`; returns the end of what was written. */
uint8_t *pv_i_codes_pack(const uint32_t *codes, size_t n, unsigned width, uint8_t *out);

/* The narrowest width, 1, 2 or 4 bytes, that has different codes for `n_values` values. */
static inline unsigned pv_i_codes_width(uint32_t n_values)
{
    return n_values <= 1u << 8 ? 1 : n_values <= 1u << 16 ? 2 : 4;
}

/* The length of pv_table_value() in bytes. */
size_t pv_i_table_value_length(const pv_table *table, size_t column, uint32_t code);

/* Columns made anew ------------------------------------------------------------------------- */

/* Row r of `table` gets the value of row rows[r] of `from`; NULL = of row r. The table must not
 * have a column of that name yet. On failure it is as it was. */
PV_CHECKED pv_status pv_i_table_graft(pv_table *table, const pv_table *from, size_t column,
                                      const uint64_t *rows, pv_error *error);

/* Makes the values whose bits are set in `codes` one value with that text, which no other value of
 * the column has. All codes of the column may change. On failure the table is as it was. */
PV_CHECKED pv_status pv_i_table_merge(pv_table *table, size_t column, const uint64_t *codes,
                                      const char *text, pv_error *error);

/* One more owner of the same table: each frees it, the last one really. Returns the table. */
pv_table *pv_i_table_share(pv_table *table);

#endif
