/* People by a value of theirs: is one group systematically given the minimum? Columns with very
 * many values are not asked for each of them: those with few people are taken together. */
#include "base/bitset.h"
#include "base/checked.h"
#include "base/error.h"
#include "base/memory.h"
#include "compare/comparison_parts.h"
#include "plan/spelling.h"
#include "table/column.h"

#include <stdlib.h>
#include <string.h>

/* Groups of a column that are told apart. */
#define MOST_GROUPS 50

typedef struct {
    const pv_comparing *comparing;
    const pv_table *table;
    size_t column;
    uint64_t *count; /* compared rows per code */
    uint32_t *order; /* codes, most rows first */
    uint32_t *group; /* per code */
    uint32_t n_codes;
    size_t n_values; /* codes with compared rows */
} dividing;

void *pv_i_arena_array(pv_arena *arena, size_t n, size_t size)
{
    size_t bytes;
    return pv_i_mul_size(n, size, &bytes) ? pv_i_arena_alloc(arena, bytes) : NULL;
}

static bool is_compared(const pv_comparing *comparing, uint64_t row)
{
    return comparing->common == NULL || pv_i_bit_get(comparing->common, row);
}

/* Ties by first appearance. */
static int compare_counts(const void *a, const void *b, void *counts)
{
    const uint32_t left = *(const uint32_t *)a;
    const uint32_t right = *(const uint32_t *)b;
    const uint64_t *const count = counts;
    if (count[left] != count[right]) {
        return count[left] > count[right] ? -1 : 1;
    }
    return (left > right) - (left < right);
}

static void count_rows(dividing *d)
{
    const pv_codes codes = pv_i_table_codes(d->table, d->column);
    for (uint64_t row = 0; row < pv_table_rows(d->table); row++) {
        d->count[pv_i_codes_at(codes, row)] += is_compared(d->comparing, row);
    }
    for (uint32_t code = 0; code < d->n_codes; code++) {
        d->order[code] = code;
        d->n_values += d->count[code] > 0;
    }
    qsort_r(d->order, d->n_codes, sizeof *d->order, compare_counts, d->count);
}

/* Returns how many groups there are: the values that occur, or the most frequent and the rest. */
static size_t number_groups(dividing *d)
{
    const bool has_rest = d->n_values > MOST_GROUPS + 1;
    for (uint32_t i = 0; i < d->n_codes; i++) {
        d->group[d->order[i]] = has_rest && i > MOST_GROUPS ? MOST_GROUPS : i;
    }
    return has_rest ? MOST_GROUPS + 1 : d->n_values;
}

static const char *value_of(const dividing *d, size_t group, size_t n_groups)
{
    if (group + 1 == n_groups && d->n_values > n_groups) {
        return "(others)";
    }
    const uint32_t code = d->order[group];
    return code == pv_table_missing(d->table, d->column)
               ? "(missing)"
               : pv_table_value(d->table, d->column, code);
}

/* All groups side by side; each knows where its rows are. */
static bool place_rows(const dividing *d, pv_people *people, size_t n_groups, uint64_t n_rows,
                       pv_arena *arena)
{
    const pv_codes codes = pv_i_table_codes(d->table, d->column);
    uint64_t *next[MOST_GROUPS + 1];
    uint64_t *at = pv_i_arena_array(arena, n_rows, sizeof *at);
    uint64_t compared = 0;
    if (at == NULL) {
        return false;
    }
    for (uint32_t code = 0; code < d->n_codes; code++) {
        if (d->count[code] > 0) {
            people[d->group[code]].n_rows += d->count[code];
        }
    }
    for (size_t g = 0; g < n_groups; g++) {
        people[g].rows = next[g] = at;
        at += people[g].n_rows;
    }
    for (uint64_t row = 0; row < pv_table_rows(d->table); row++) {
        if (is_compared(d->comparing, row)) {
            *next[d->group[pv_i_codes_at(codes, row)]]++ = compared++;
        }
    }
    return true;
}

static pv_status divide(dividing *d, pv_comparison *comparison, pv_arena *arena, pv_error *error)
{
    count_rows(d);
    const size_t n_groups = number_groups(d);
    const size_t n = comparison->n_people;
    pv_people *const people = pv_i_resize(comparison->people, n + n_groups, sizeof *people);
    if (people == NULL) {
        return pv_i_no_memory(error);
    }
    comparison->people = people;
    for (size_t g = 0; g < n_groups; g++) {
        people[n + g] = (pv_people){.column = pv_table_name(d->table, d->column),
                                    .value = value_of(d, g, n_groups)};
    }
    if (!place_rows(d, people + n, n_groups, comparison->n_rows, arena)) {
        return pv_i_no_memory(error);
    }
    comparison->n_people += n_groups;
    return PV_STATUS_OK;
}

pv_status pv_i_people_add(pv_comparison *comparison, const pv_comparing *comparing,
                          const char *column, pv_arena *arena, pv_error *error)
{
    const pv_table *const table = pv_study_table(comparing->study);
    dividing d = {.comparing = comparing, .table = table, .column = pv_table_find(table, column)};
    pv_status status = PV_STATUS_OK;
    if (d.column == SIZE_MAX) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, pv_table_source(table), 0, 0,
                                      "the original has no column `%s` to divide people by",
                                      pv_i_shown(column).text),
                         error, "--by needs a column of the original");
    }
    d.n_codes = pv_table_values(table, d.column);
    d.count = PV_NEW_ZEROED(uint64_t, d.n_codes);
    d.order = PV_NEW_ARRAY(uint32_t, d.n_codes);
    d.group = PV_NEW_ARRAY(uint32_t, d.n_codes);
    status = d.count != NULL && d.order != NULL && d.group != NULL
                 ? divide(&d, comparison, arena, error)
                 : pv_i_no_memory(error);
    pv_i_free(d.count);
    pv_i_free(d.order);
    pv_i_free(d.group);
    return status;
}
