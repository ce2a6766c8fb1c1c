/* A copy of a column, row by row. Only the values that occur here are taken along, numbered in
 * order of their first appearance, as in every column; those to be merged become one. */
#include "table/graft.h"

#include "base/bitset.h"
#include "base/error.h"
#include "base/memory.h"
#include "table/store.h"

#include <string.h>

typedef struct {
    const pv_column *from;
    pv_column column;
    uint32_t *code_of; /* from the old code to the new one */
    uint32_t *old;     /* and back; PV_NO_CODE = the merged ones */
    uint64_t n_rows;
    const uint64_t *merged; /* bits by old code; NULL = none */
    const char *merged_text;
    uint32_t merged_code;
} grafting;

static void grafting_deinit(grafting *g)
{
    pv_i_free(g->code_of);
    pv_i_free(g->old);
    pv_i_free(g->column.name);
    pv_i_free(g->column.codes);
    pv_i_free(g->column.text);
    pv_i_free(g->column.offsets);
    pv_i_free(g->column.counts);
}

static pv_status grafting_init(grafting *g, pv_error *error)
{
    const uint32_t n = g->from->n_values;
    g->column = (pv_column){.name = pv_i_strdup(g->from->name),
                            .type = g->from->type,
                            .format = g->from->format,
                            .settled = g->from->settled,
                            .width = g->from->width,
                            .codes = pv_i_array(g->n_rows, g->from->width),
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

static uint32_t number_merged(grafting *g)
{
    if (g->merged_code == PV_NO_CODE) {
        g->old[g->column.n_values] = PV_NO_CODE;
        g->merged_code = g->column.n_values++;
    }
    return g->merged_code;
}

static uint32_t renumber(grafting *g, uint32_t old)
{
    if (g->merged != NULL && pv_i_bit_get(g->merged, old)) {
        return number_merged(g);
    }
    if (g->code_of[old] == PV_NO_CODE) {
        g->old[g->column.n_values] = old;
        g->code_of[old] = g->column.n_values++;
    }
    return g->code_of[old];
}

static void take_rows(grafting *g, const uint64_t *rows)
{
    const pv_codes codes = {.width = g->from->width, .data = g->from->codes};
    uint8_t *at = g->column.codes;
    for (uint64_t row = 0; row < g->n_rows; row++) {
        const uint32_t code = renumber(g, pv_i_codes_at(codes, rows != NULL ? rows[row] : row));
        g->column.counts[code]++;
        at = pv_i_codes_pack(&code, 1, g->column.width, at);
    }
}

static bool is_merged(const grafting *g, uint32_t code)
{
    return g->old[code] == PV_NO_CODE;
}

static size_t length_of(const grafting *g, uint32_t code)
{
    return is_merged(g, code) ? strlen(g->merged_text) : pv_i_column_length(g->from, g->old[code]);
}

static pv_status take_texts(grafting *g, pv_error *error)
{
    pv_column *const column = &g->column;
    column->offsets[0] = 0;
    for (uint32_t i = 0; i < column->n_values; i++) {
        column->offsets[i + 1] = column->offsets[i] + length_of(g, i) + 1;
        column->missing = !is_merged(g, i) && g->old[i] == g->from->missing ? i : column->missing;
    }
    column->text = PV_NEW_ARRAY(char, column->offsets[column->n_values]);
    if (column->text == NULL) {
        return pv_i_no_memory(error);
    }
    for (uint32_t i = 0; i < column->n_values; i++) {
        memcpy(column->text + column->offsets[i],
               is_merged(g, i) ? g->merged_text : pv_i_column_value(g->from, g->old[i]),
               column->offsets[i + 1] - column->offsets[i]);
    }
    return PV_STATUS_OK;
}

/* The index of names is made anew, beside the old one until it is there. */
static pv_status append(pv_table *table, pv_column *column, pv_error *error)
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
                           const uint64_t *rows, pv_error *error)
{
    grafting g = {.from = &from->columns[column], .n_rows = table->rows, .merged_code = PV_NO_CODE};
    pv_status status;
    PV_TRY_CLEAN(grafting_init(&g, error));
    take_rows(&g, rows);
    PV_TRY_CLEAN(take_texts(&g, error));
    PV_TRY_CLEAN(append(table, &g.column, error));
cleanup:
    grafting_deinit(&g);
    return status;
}

pv_status pv_i_table_merge(pv_table *table, size_t column, const uint64_t *codes, const char *text,
                           pv_error *error)
{
    grafting g = {.from = &table->columns[column],
                  .n_rows = table->rows,
                  .merged = codes,
                  .merged_text = text,
                  .merged_code = PV_NO_CODE};
    pv_status status;
    PV_TRY_CLEAN(grafting_init(&g, error));
    take_rows(&g, NULL);
    PV_TRY_CLEAN(take_texts(&g, error));
    pv_column *const merged = &table->columns[column];
    const pv_column before = *merged;
    *merged = g.column;
    merged->spellings = before.spellings; /* what is missing stays missing */
    merged->n_spellings = before.n_spellings;
    merged->spellings_capacity = before.spellings_capacity;
    g.column = before;
cleanup:
    grafting_deinit(&g);
    return status;
}
