/* People by a value of theirs: is one group systematically given the minimum? Columns with very
 * many values are not asked for each of them: those with few people are taken together. */
#include "base/error.h"
#include "base/memory.h"
#include "classes/numbering.h"
#include "compare/comparison_parts.h"
#include "plan/spelling.h"
#include "table/column.h"

#include <stdlib.h>

/* Groups of a column that are told apart. */
#define MOST_GROUPS 50

typedef struct {
    const pv_kinds *kinds;
    const pv_table *table;
    size_t column;
    uint32_t n_codes;
    pv_numbering numbering; /* of the pairs of a kind and a code */
    uint64_t *count;        /* people per code */
    uint32_t *order;        /* codes, most people first */
    uint32_t *group;        /* per code */
    size_t n_values;        /* codes with people */
} dividing;

static void dividing_deinit(dividing *d)
{
    pv_i_free(d->numbering.numbers);
    pv_i_numbering_deinit(&d->numbering);
    pv_i_free(d->count);
    pv_i_free(d->order);
    pv_i_free(d->group);
}

/* ------------------------------------------------------------------- pairs */

static void pair_rows(const void *ctx, uint64_t first, size_t n, uint32_t *room, uint64_t *keys)
{
    const dividing *const d = ctx;
    const pv_codes codes = pv_i_table_codes(d->table, d->column);
    if (d->kinds->row == NULL) {
        pv_i_codes_unpack(codes, first, n, room);
    }
    for (size_t i = 0; d->kinds->row != NULL && i < n; i++) {
        room[i] = pv_i_codes_at(codes, d->kinds->row[first + i]);
    }
    for (size_t i = 0; i < n; i++) {
        keys[i] = (uint64_t)d->kinds->of_row[first + i] << 32 | room[i];
    }
}

static uint32_t kind_of(const dividing *d, size_t pair)
{
    return (uint32_t)(d->numbering.distinct[pair] >> 32);
}

static uint32_t code_of(const dividing *d, size_t pair)
{
    return (uint32_t)d->numbering.distinct[pair];
}

static pv_status find_pairs(dividing *d, const pv_context *context, pv_error *error)
{
    d->numbering = (pv_numbering){.n_rows = d->kinds->n_rows,
                                  .words = 1,
                                  .keys = pair_rows,
                                  .ctx = d,
                                  .context = context,
                                  .numbers = PV_NEW_ARRAY(uint32_t, d->kinds->n_rows)};
    return d->numbering.numbers != NULL ? pv_i_numbering_find(&d->numbering, error)
                                        : pv_i_no_memory(error);
}

/* ------------------------------------------------------------------ groups */

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

static void count_people(dividing *d)
{
    for (size_t pair = 0; pair < d->numbering.n; pair++) {
        d->count[code_of(d, pair)] += d->numbering.rows[pair].n;
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

/* All groups side by side; each knows where its kinds are. */
static bool place_pairs(const dividing *d, pv_people *people, size_t n_groups, pv_arena *arena)
{
    const size_t n = d->numbering.n;
    uint32_t *kinds = pv_i_arena_array(arena, n, sizeof *kinds);
    uint64_t *counts = pv_i_arena_array(arena, n, sizeof *counts);
    uint32_t *next_kind[MOST_GROUPS + 1];
    uint64_t *next_count[MOST_GROUPS + 1];
    if (kinds == NULL || counts == NULL) {
        return false;
    }
    for (size_t pair = 0; pair < n; pair++) {
        people[d->group[code_of(d, pair)]].n_kinds++;
    }
    for (size_t g = 0; g < n_groups; g++) {
        people[g].kinds = next_kind[g] = kinds;
        people[g].n_of_kind = next_count[g] = counts;
        kinds += people[g].n_kinds;
        counts += people[g].n_kinds;
    }
    for (size_t pair = 0; pair < n; pair++) {
        const uint32_t g = d->group[code_of(d, pair)];
        *next_kind[g]++ = kind_of(d, pair);
        *next_count[g]++ = d->numbering.rows[pair].n;
        people[g].n_rows += d->numbering.rows[pair].n;
    }
    return true;
}

static pv_status divide(dividing *d, pv_comparison *comparison, pv_error *error)
{
    count_people(d);
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
    if (!place_pairs(d, people + n, n_groups, &comparison->core->arena)) {
        return pv_i_no_memory(error);
    }
    comparison->n_people += n_groups;
    return PV_STATUS_OK;
}

pv_status pv_i_people_add(pv_comparison *comparison, const pv_comparing *comparing,
                          const char *column, pv_error *error)
{
    const pv_table *const table = pv_study_table(comparing->study);
    dividing d = {
        .kinds = &comparison->core->kinds, .table = table, .column = pv_table_find(table, column)};
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
    if (d.count == NULL || d.order == NULL || d.group == NULL) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    PV_TRY_CLEAN(find_pairs(&d, comparing->context, error));
    PV_TRY_CLEAN(divide(&d, comparison, error));
cleanup:
    dividing_deinit(&d);
    return status;
}
