/* Groups of people by the values of a column.
 *
 * People of one kind and one value are counted together: O(entries) once, then over pairs only.
 *
 *     row     kind  value        pairs                     groups, most people first
 *      0       3      f          (3, f)  9 people          f:  kinds 0 3 7   counts 1 9 4
 *      1       0      m          (0, m)  5                 m:  kinds 0 2     counts 5 1
 *      2       3      f          (0, f)  1 ...             a kind can be in several groups
 *
 * Columns with very many values are not divided by each of them: those with few people are taken
 * together. */
#include "base/error.h"
#include "base/memory.h"
#include "classes/numbering.h"
#include "compare/comparison.h"
#include "plan/spelling.h"
#include "table/column.h"

#include <stdlib.h>
#include <string.h>

#define MOST_GROUPS 50

typedef struct {
    const pv_kinds *kinds;
    const pv_table *table;
    size_t column;
    pv_numbering numbering; /* of the pairs: a kind in the upper half of a word, a code below */
    uint64_t *n_of_pair, *n_of_code; /* people */
    uint32_t *group;                 /* per code */
} grouping;

/* The key of an entry: its kind and its value of the column. */
static void pair_entries(const void *ctx, uint64_t first, size_t n, uint32_t *scratch,
                         uint64_t *keys)
{
    const grouping *const d = ctx;
    const pv_codes codes = pv_i_table_codes(d->table, d->column);
    if (d->kinds->entry == NULL) {
        pv_i_codes_unpack(codes, first, n, scratch);
    }
    for (size_t i = 0; d->kinds->entry != NULL && i < n; i++) {
        scratch[i] = pv_i_codes_at(codes, d->kinds->entry[first + i]);
    }
    for (size_t i = 0; i < n; i++) {
        keys[i] = (uint64_t)d->kinds->of_entry[first + i] << 32 | scratch[i];
    }
}

/* Codes, most people first; ties by their texts: codes themselves are numbered as rows come. */
static int compare_counts(const void *a, const void *b, void *ctx)
{
    const grouping *const d = ctx;
    const uint32_t left = *(const uint32_t *)a;
    const uint32_t right = *(const uint32_t *)b;
    const uint32_t missing = pv_table_missing(d->table, d->column);
    if (d->n_of_code[left] != d->n_of_code[right]) {
        return d->n_of_code[left] > d->n_of_code[right] ? -1 : 1;
    }
    if (left == missing || right == missing) {
        return (right == missing) - (left == missing);
    }
    return strcmp(pv_table_value(d->table, d->column, left),
                  pv_table_value(d->table, d->column, right));
}

/* Pairs by their kinds. */
static int compare_pairs(const void *a, const void *b, void *ctx)
{
    const grouping *const d = ctx;
    const uint64_t left = d->numbering.distinct[*(const size_t *)a];
    const uint64_t right = d->numbering.distinct[*(const size_t *)b];
    return (left > right) - (left < right);
}

/* All groups side by side in two arrays, each group a stretch of them, as in a counting sort. In a
 * group of several values a kind has a place for each of them, of which the first is used. */
static bool place_pairs(const grouping *d, pv_people *people, size_t n_groups, pv_arena *arena)
{
    const size_t n = d->numbering.n;
    uint32_t *kinds = pv_i_arena_array(arena, n, sizeof *kinds);
    uint64_t *counts = pv_i_arena_array(arena, n, sizeof *counts);
    size_t *const order = PV_NEW_ARRAY(size_t, n);
    uint32_t *of_group[MOST_GROUPS + 1];
    uint64_t *count_of_group[MOST_GROUPS + 1];
    size_t places[MOST_GROUPS + 1] = {0};
    if (kinds == NULL || counts == NULL || order == NULL) {
        pv_i_free(order);
        return false;
    }
    for (size_t pair = 0; pair < n; pair++) {
        order[pair] = pair;
        places[d->group[(uint32_t)d->numbering.distinct[pair]]]++;
    }
    qsort_r(order, n, sizeof *order, compare_pairs, (void *)(uintptr_t)d);
    for (size_t g = 0; g < n_groups; g++) {
        people[g].kinds = of_group[g] = kinds;
        people[g].n_of_kind = count_of_group[g] = counts;
        kinds += places[g];
        counts += places[g];
    }
    for (size_t i = 0; i < n; i++) {
        const uint64_t key = d->numbering.distinct[order[i]];
        const uint32_t kind = (uint32_t)(key >> 32);
        const uint32_t g = d->group[(uint32_t)key];
        pv_people *const own = &people[g];
        if (own->n_kinds == 0 || of_group[g][own->n_kinds - 1] != kind) {
            of_group[g][own->n_kinds] = kind;
            count_of_group[g][own->n_kinds++] = 0;
        }
        count_of_group[g][own->n_kinds - 1] += d->n_of_pair[order[i]];
        own->n_rows += d->n_of_pair[order[i]];
    }
    pv_i_free(order);
    return true;
}

pv_status pv_i_comparison_group(pv_comparison *comparison, const pv_table *table,
                                const char *column, const pv_context *context, pv_error *error)
{
    grouping d = {
        .kinds = &comparison->kinds, .table = table, .column = pv_table_find(table, column)};
    pv_status status = PV_STATUS_OK;
    if (d.column == SIZE_MAX) {
        return pv_i_hint_phrases(pv_i_fail_at(error, PV_STATUS_INPUT, pv_table_source(table), 0, 0,
                                              "the original has no column `%s` to divide people by",
                                              pv_i_shown(column).text),
                                 error, "@ a column of the original", PV_PHRASE_DIVIDED_BY,
                                 PV_PHRASE_NONE);
    }
    const uint32_t n_codes = pv_table_values(table, d.column);
    uint32_t *const order = PV_NEW_ARRAY(uint32_t, n_codes); /* codes, most people first */
    d.n_of_code = PV_NEW_ZEROED(uint64_t, n_codes);
    d.group = PV_NEW_ARRAY(uint32_t, n_codes);
    d.numbering = (pv_numbering){.n_rows = d.kinds->n_entries,
                                 .words = 1,
                                 .keys = pair_entries,
                                 .ctx = &d,
                                 .context = context,
                                 .numbers = PV_NEW_ARRAY(uint32_t, d.kinds->n_entries)};
    if (d.n_of_code == NULL || order == NULL || d.group == NULL || d.numbering.numbers == NULL) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    PV_TRY_CLEAN(pv_i_numbering_find(&d.numbering, error));
    pv_i_numbering_settle(&d.numbering, NULL);
    d.n_of_pair = PV_NEW_ARRAY(uint64_t, d.numbering.n);
    PV_TRY_CLEAN(d.n_of_pair != NULL ? PV_STATUS_OK : pv_i_no_memory(error));
    pv_i_kinds_count(d.kinds, &d.numbering, d.n_of_pair);
    for (size_t pair = 0; pair < d.numbering.n; pair++) {
        d.n_of_code[(uint32_t)d.numbering.distinct[pair]] += d.n_of_pair[pair];
    }
    size_t n_values = 0; /* codes with people */
    for (uint32_t code = 0; code < n_codes; code++) {
        order[code] = code;
        n_values += d.n_of_code[code] > 0;
    }
    qsort_r(order, n_codes, sizeof *order, compare_counts, &d);
    /* The values that occur, or the most frequent ones and all others. */
    const bool has_others = n_values > MOST_GROUPS + 1;
    const size_t n_groups = has_others ? MOST_GROUPS + 1 : n_values;
    for (uint32_t i = 0; i < n_codes; i++) {
        d.group[order[i]] = has_others && i > MOST_GROUPS ? MOST_GROUPS : i;
    }
    pv_people *const people =
        pv_i_resize(comparison->people, comparison->n_people + n_groups, sizeof *people);
    if (people == NULL) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    comparison->people = people;
    pv_people *const added = people + comparison->n_people;
    for (size_t g = 0; g < n_groups; g++) {
        const uint32_t code = order[g];
        added[g] = (pv_people){.column = pv_table_name(table, d.column),
                               .value = has_others && g + 1 == n_groups ? "(others)"
                                        : code == pv_table_missing(table, d.column)
                                            ? "(missing)"
                                            : pv_table_value(table, d.column, code)};
    }
    PV_TRY_CLEAN(place_pairs(&d, added, n_groups, &comparison->arena) ? PV_STATUS_OK
                                                                      : pv_i_no_memory(error));
    comparison->n_people += n_groups;
cleanup:
    pv_i_free(d.numbering.numbers);
    pv_i_numbering_deinit(&d.numbering);
    pv_i_free(order);
    pv_i_free(d.n_of_code);
    pv_i_free(d.n_of_pair);
    pv_i_free(d.group);
    return status;
}
