/* A table: plain looks into its columns, its codes narrow and wide, and columns made anew. */
#include "table/store.h"

#include "base/bitset.h"
#include "base/error.h"
#include "base/memory.h"
#include "table/column.h"

#include <stdlib.h>
#include <string.h>

void pv_i_column_deinit(pv_column *column)
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
        pv_i_column_deinit(&table->columns[i]);
    }
    pv_i_free(table->columns);
    pv_i_free(table->by_name);
    pv_i_free(table->marks);
    pv_i_free(table->ends);
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
    return pv_i_codes_at(pv_i_table_codes(table, column), pv_i_table_entry(table, row));
}

uint64_t pv_table_first_row(const pv_table *table, size_t column, uint32_t code)
{
    const pv_codes codes = pv_i_table_codes(table, column);
    uint64_t entry = 0;
    while (entry < table->entries && pv_i_codes_at(codes, entry) != code) {
        entry++;
    }
    return table->ends == NULL ? entry : entry > 0 ? table->ends[entry - 1] : 0;
}

/* ------------------------ codes, which are as narrow as the dictionary allows */

void pv_i_codes_unpack(pv_codes codes, uint64_t first_row, size_t n, uint32_t *out)
{
    const uint8_t *const from = (const uint8_t *)codes.data + first_row * codes.width;
    if (codes.width == 1) {
        for (size_t i = 0; i < n; i++) {
            out[i] = from[i];
        }
    } else if (codes.width == 2) {
        for (size_t i = 0; i < n; i++) {
            uint16_t code;
            memcpy(&code, from + i * sizeof code, sizeof code);
            out[i] = code;
        }
    } else if (n > 0) {
        memcpy(out, from, n * sizeof *out);
    }
}

uint8_t *pv_i_codes_pack(const uint32_t *codes, size_t n, unsigned width, uint8_t *out)
{
    if (width == 1) {
        for (size_t i = 0; i < n; i++) {
            out[i] = (uint8_t)codes[i];
        }
    } else if (width == 2) {
        for (size_t i = 0; i < n; i++) {
            const uint16_t code = (uint16_t)codes[i];
            memcpy(out + i * sizeof code, &code, sizeof code);
        }
    } else if (n > 0) {
        memcpy(out, codes, n * sizeof *codes);
    }
    return out + n * width;
}

/* ---------------------------------------------------------- columns made anew */

/* Entry by entry. Only the values that occur here are taken along, numbered in order of their first
 * appearance, as in every column; those to be merged become one. */

typedef struct {
    const pv_column *from;
    pv_column column;
    uint32_t *code_of; /* from the old code to the new one */
    uint32_t *old;     /* and back; PV_NO_CODE = the merged ones */
    uint64_t n_entries;
    const uint64_t *ends;
    const uint64_t *merged; /* bits by old code; NULL = none */
    const char *merged_text;
    uint32_t merged_code;
} grafting;

static void grafting_deinit(grafting *g)
{
    pv_i_free(g->code_of);
    pv_i_free(g->old);
    pv_i_column_deinit(&g->column);
}

static pv_status grafting_init(grafting *g, pv_error *error)
{
    const uint32_t n = g->from->n_values;
    g->column = (pv_column){.name = pv_i_strdup(g->from->name),
                            .type = g->from->type,
                            .format = g->from->format,
                            .settled = g->from->settled,
                            .width = g->from->width,
                            .codes = pv_i_array(g->n_entries, g->from->width),
                            .missing = PV_NO_CODE,
                            .offsets = PV_NEW_ARRAY(uint64_t, (size_t)n + 1),
                            .counts = PV_NEW_ZEROED(uint64_t, n)};
    g->code_of = PV_NEW_ARRAY(uint32_t, n);
    g->old = PV_NEW_ARRAY(uint32_t, n);
    if (g->column.name == NULL || g->column.codes == NULL || g->column.offsets == NULL ||
        g->column.counts == NULL || g->code_of == NULL || g->old == NULL) {
        return pv_i_no_memory(error);
    }
    memset(g->code_of, 0xff, n * sizeof *g->code_of);
    return PV_STATUS_OK;
}

static uint32_t renumber(grafting *g, uint32_t old)
{
    const bool merged = g->merged != NULL && pv_i_bit_get(g->merged, old);
    uint32_t *const code = merged ? &g->merged_code : &g->code_of[old];
    if (*code == PV_NO_CODE) {
        g->old[g->column.n_values] = merged ? PV_NO_CODE : old;
        *code = g->column.n_values++;
    }
    return *code;
}

static void take_codes(grafting *g, const uint64_t *entries)
{
    const pv_codes codes = {.width = g->from->width, .data = g->from->codes};
    uint8_t *at = g->column.codes;
    for (uint64_t entry = 0; entry < g->n_entries; entry++) {
        const uint32_t code =
            renumber(g, pv_i_codes_at(codes, entries != NULL ? entries[entry] : entry));
        g->column.counts[code] += pv_i_entry_rows(g->ends, entry);
        at = pv_i_codes_pack(&code, 1, g->column.width, at);
    }
}

static pv_status take_texts(grafting *g, pv_error *error)
{
    pv_column *const column = &g->column;
    column->offsets[0] = 0;
    for (uint32_t i = 0; i < column->n_values; i++) {
        const uint32_t old = g->old[i];
        const bool merged = old == PV_NO_CODE;
        const size_t length = merged ? strlen(g->merged_text) : pv_i_column_length(g->from, old);
        column->offsets[i + 1] = column->offsets[i] + length + 1;
        column->missing = !merged && old == g->from->missing ? i : column->missing;
    }
    column->text = PV_NEW_ARRAY(char, column->offsets[column->n_values]);
    if (column->text == NULL) {
        return pv_i_no_memory(error);
    }
    for (uint32_t i = 0; i < column->n_values; i++) {
        memcpy(column->text + column->offsets[i],
               g->old[i] == PV_NO_CODE ? g->merged_text : pv_i_column_value(g->from, g->old[i]),
               column->offsets[i + 1] - column->offsets[i]);
    }
    return PV_STATUS_OK;
}

/* The index of names is made anew, beside the old one until it is there. */
static pv_status append_column(pv_table *table, pv_column *column, pv_error *error)
{
    size_t *const by_name = table->by_name;
    pv_column *const columns =
        pv_i_resize(table->columns, table->n_columns + 1, sizeof *table->columns);
    if (columns == NULL) {
        return pv_i_no_memory(error);
    }
    table->columns = columns;
    table->columns[table->n_columns++] = *column;
    const pv_status status = pv_i_table_index_names(table, error);
    if (status != PV_STATUS_OK) {
        table->n_columns--;
        table->by_name = by_name;
        return status;
    }
    pv_i_free(by_name);
    *column = (pv_column){0};
    return PV_STATUS_OK;
}

pv_status pv_i_table_graft(pv_table *table, const pv_table *from, size_t column,
                           const uint64_t *entries, pv_error *error)
{
    grafting g = {.from = &from->columns[column],
                  .n_entries = table->entries,
                  .ends = table->ends,
                  .merged_code = PV_NO_CODE};
    pv_status status;
    PV_TRY_CLEAN(grafting_init(&g, error));
    take_codes(&g, entries);
    PV_TRY_CLEAN(take_texts(&g, error));
    PV_TRY_CLEAN(append_column(table, &g.column, error));
cleanup:
    grafting_deinit(&g);
    return status;
}

pv_status pv_i_table_merge(pv_table *table, size_t column, const uint64_t *codes, const char *text,
                           pv_error *error)
{
    grafting g = {.from = &table->columns[column],
                  .n_entries = table->entries,
                  .ends = table->ends,
                  .merged = codes,
                  .merged_text = text,
                  .merged_code = PV_NO_CODE};
    pv_status status;
    PV_TRY_CLEAN(grafting_init(&g, error));
    take_codes(&g, NULL);
    PV_TRY_CLEAN(take_texts(&g, error));
    pv_column *const merged = &table->columns[column];
    const pv_column before = *merged;
    *merged = g.column;
    merged->spellings = before.spellings; /* what is missing stays missing */
    merged->n_spellings = before.n_spellings;
    merged->spellings_capacity = before.spellings_capacity;
    g.column = before;
    g.column.spellings = NULL;
    g.column.n_spellings = 0;
cleanup:
    grafting_deinit(&g);
    return status;
}
