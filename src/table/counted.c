/* Tables whose rows were counted before they came here: entries that stand for several equal rows,
 * and how the ones become the others. */
#include "table/store.h"

#include "base/error.h"
#include "base/memory.h"
#include "table/column.h"

#include <string.h>

uint64_t pv_i_table_entries(const pv_table *table)
{
    return table->entries;
}

const uint64_t *pv_i_table_ends(const pv_table *table)
{
    return table->ends;
}

bool pv_i_table_has_order(const pv_table *table)
{
    return !table->unordered;
}

/* The first entry that ends behind the row. */
uint64_t pv_i_entry_of_row(const uint64_t *ends, uint64_t n, uint64_t row)
{
    uint64_t low = 0;
    uint64_t high = n;
    if (ends == NULL) {
        return row;
    }
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (ends[middle] <= row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

uint64_t pv_i_table_entry(const pv_table *table, uint64_t row)
{
    return pv_i_entry_of_row(table->ends, table->entries, row);
}

pv_status pv_i_table_need_rows(const pv_table *table, const char *what, pv_error *error)
{
    return table->ends == NULL
               ? PV_STATUS_OK
               : pv_i_fail(error, PV_STATUS_ARGUMENT,
                           "%s needs single rows, but those of `%s` were counted where they are",
                           what, table->source);
}

/* --------------------------------------------------------------------- counts */

/* Digits alone, below 2^63; 0 = it is no count. */
static uint64_t count_of(const char *text)
{
    uint64_t n = 0;
    for (; *text >= '0' && *text <= '9'; text++) {
        if (n > (INT64_MAX - 9) / 10) {
            return 0;
        }
        n = 10 * n + (uint64_t)(*text - '0');
    }
    return *text == '\0' ? n : 0;
}

static pv_status fill_ends(pv_table *table, const pv_column *counts, pv_error *error)
{
    const pv_codes codes = {.width = counts->width, .data = counts->codes};
    uint64_t *const rows = PV_NEW_ARRAY(uint64_t, counts->n_values);
    table->ends = PV_NEW_ARRAY(uint64_t, table->entries);
    bool fine = true;
    if (rows == NULL || table->ends == NULL) {
        pv_i_free(rows);
        return pv_i_no_memory(error);
    }
    for (uint32_t code = 0; code < counts->n_values; code++) {
        rows[code] = count_of(pv_i_column_value(counts, code));
        fine = fine && rows[code] > 0;
    }
    table->rows = 0;
    for (uint64_t entry = 0; entry < table->entries && fine; entry++) {
        const uint64_t n = rows[pv_i_codes_at(codes, entry)];
        fine = n <= INT64_MAX - table->rows;
        table->rows += fine ? n : 0;
        table->ends[entry] = table->rows;
    }
    pv_i_free(rows);
    return fine ? PV_STATUS_OK
                : pv_i_fail(error, PV_STATUS_INPUT,
                            "`%s` was counted, but its counts are no numbers of rows",
                            table->source);
}

/* The reader has counted entries; a value occurs as often as there are rows. */
static void count_rows(const pv_table *table, pv_column *column)
{
    const pv_codes codes = {.width = column->width, .data = column->codes};
    memset(column->counts, 0, column->n_values * sizeof *column->counts);
    for (uint64_t entry = 0; entry < table->entries; entry++) {
        column->counts[pv_i_codes_at(codes, entry)] += pv_i_entry_rows(table->ends, entry);
    }
}

void pv_i_table_set_missing_rows(pv_table *table, size_t column, const char *spelling,
                                 uint64_t rows)
{
    pv_column *const c = &table->columns[column];
    for (size_t i = 0; i < c->n_spellings; i++) {
        if (strcmp(c->spellings[i].text, spelling) == 0) {
            c->spellings[i].rows = rows;
        }
    }
}

void pv_i_table_set_trimmed(pv_table *table, uint64_t n_fields)
{
    table->trimmed = n_fields;
}

pv_status pv_i_table_take_counts(pv_table *table, pv_error *error)
{
    pv_column counts = table->columns[table->n_columns - 1];
    size_t n = 0;
    table->columns[--table->n_columns] = (pv_column){0};
    for (size_t i = 0; i <= table->n_columns; i++) { /* sorted by name still, without the last */
        if (table->by_name[i] != table->n_columns) {
            table->by_name[n++] = table->by_name[i];
        }
    }
    const pv_status status = fill_ends(table, &counts, error);
    for (size_t i = 0; i < table->n_columns && status == PV_STATUS_OK; i++) {
        count_rows(table, &table->columns[i]);
    }
    table->unordered = true;
    table->n_marks = 0;
    pv_i_column_deinit(&counts);
    return status;
}

/* ------------------------------------------------------------------- expanding */

static bool expand_column(const pv_table *table, pv_column *column)
{
    const size_t width = column->width;
    const uint8_t *const from = column->codes;
    uint8_t *const to = pv_i_array(table->rows, width);
    uint64_t row = 0;
    if (to == NULL) {
        return false;
    }
    for (uint64_t entry = 0; entry < table->entries; entry++) {
        for (; row < table->ends[entry]; row++) {
            memcpy(to + row * width, from + entry * width, width);
        }
    }
    pv_i_free(column->codes);
    column->codes = to;
    return true;
}

pv_status pv_i_table_expand(pv_table *table, pv_error *error)
{
    if (table->ends == NULL) {
        return PV_STATUS_OK;
    }
    for (size_t i = 0; i < table->n_columns; i++) {
        if (!expand_column(table, &table->columns[i])) {
            return pv_i_no_memory(error);
        }
    }
    pv_i_free(table->ends);
    table->ends = NULL;
    table->entries = table->rows;
    return PV_STATUS_OK;
}
