/* The accessors of a table: plain looks into its columns. */
#include "base/error.h"
#include "base/memory.h"
#include "table/share.h"
#include "table/store.h"

#include <stdlib.h>
#include <string.h>

static void column_deinit(pv_column *column)
{
    pv_i_free(column->name);
    pv_i_free(column->codes);
    pv_i_free(column->text);
    pv_i_free(column->offsets);
    pv_i_free(column->counts);
    for (size_t i = 0; i < column->n_spellings; i++) {
        pv_i_free(column->spellings[i].text);
    }
    pv_i_free(column->spellings);
}

pv_table *pv_i_table_share(pv_table *table)
{
    (void)atomic_fetch_add(&table->n_owners, 1);
    return table;
}

void pv_table_free(pv_table *table)
{
    if (table == NULL || atomic_fetch_sub(&table->n_owners, 1) > 0) {
        return;
    }
    for (size_t i = 0; table->columns != NULL && i < table->n_columns; i++) {
        column_deinit(&table->columns[i]);
    }
    pv_i_free(table->columns);
    pv_i_free(table->by_name);
    pv_i_free(table->marks);
    pv_i_free(table->source);
    pv_i_free(table);
}

uint64_t pv_table_rows(const pv_table *table)
{
    return table->rows;
}

size_t pv_table_columns(const pv_table *table)
{
    return table->n_columns;
}

uint64_t pv_table_skipped(const pv_table *table)
{
    return table->skipped;
}

uint64_t pv_table_trimmed(const pv_table *table)
{
    return table->trimmed;
}

char pv_table_delimiter(const pv_table *table)
{
    return table->delimiter;
}

const char *pv_table_source(const pv_table *table)
{
    return table->source;
}

/* The last mark at or before a row rules it. */
uint64_t pv_table_line(const pv_table *table, uint64_t row)
{
    size_t low = 0;
    size_t high = table->n_marks;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (table->marks[middle].row <= row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == 0 || table->marks[low - 1].line == 0 || row >= table->rows) {
        return 0;
    }
    return table->marks[low - 1].line + (row - table->marks[low - 1].row);
}

const char *pv_table_name(const pv_table *table, size_t column)
{
    return table->columns[column].name;
}

static int compare_names(const void *a, const void *b, void *table)
{
    const pv_column *const columns = ((const pv_table *)table)->columns;
    return strcmp(columns[*(const size_t *)a].name, columns[*(const size_t *)b].name);
}

pv_status pv_i_table_index_names(pv_table *table, pv_error *error)
{
    table->by_name = PV_NEW_ARRAY(size_t, table->n_columns);
    if (table->by_name == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < table->n_columns; i++) {
        table->by_name[i] = i;
    }
    qsort_r(table->by_name, table->n_columns, sizeof *table->by_name, compare_names, table);
    return PV_STATUS_OK;
}

size_t pv_table_find(const pv_table *table, const char *name)
{
    size_t low = 0;
    size_t high = table->n_columns;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = strcmp(table->columns[table->by_name[middle]].name, name);
        if (order == 0) {
            return table->by_name[middle];
        }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return SIZE_MAX;
}

uint32_t pv_table_values(const pv_table *table, size_t column)
{
    return table->columns[column].n_values;
}

const char *pv_table_value(const pv_table *table, size_t column, uint32_t code)
{
    return pv_i_column_value(&table->columns[column], code);
}

size_t pv_i_table_value_length(const pv_table *table, size_t column, uint32_t code)
{
    return pv_i_column_length(&table->columns[column], code);
}

uint64_t pv_table_count(const pv_table *table, size_t column, uint32_t code)
{
    return table->columns[column].counts[code];
}

uint32_t pv_table_missing(const pv_table *table, size_t column)
{
    return table->columns[column].missing;
}

size_t pv_table_missing_spellings(const pv_table *table, size_t column)
{
    return table->columns[column].n_spellings;
}

const char *pv_table_missing_spelling(const pv_table *table, size_t column, size_t i,
                                      uint64_t *rows)
{
    *rows = table->columns[column].spellings[i].rows;
    return table->columns[column].spellings[i].text;
}

pv_codes pv_i_table_codes(const pv_table *table, size_t column)
{
    const pv_column *const c = &table->columns[column];
    return (pv_codes){.width = c->width, .data = c->codes};
}

uint32_t pv_table_code(const pv_table *table, size_t column, uint64_t row)
{
    return pv_i_codes_at(pv_i_table_codes(table, column), row);
}

uint64_t pv_table_first_row(const pv_table *table, size_t column, uint32_t code)
{
    const pv_codes codes = pv_i_table_codes(table, column);
    uint64_t row = 0;
    while (row < table->rows && pv_i_codes_at(codes, row) != code) {
        row++;
    }
    return row;
}
