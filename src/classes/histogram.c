/* The values of a column by tuple. Where there are far more rows than pairs of a tuple and a value,
 * every pair has a counter. Otherwise rows are put next to the other rows of their tuple by
 * counting, then each tuple's values are counted on a board as large as the dictionary. */
#include "classes/profile.h"

#include "base/compare.h"
#include "base/error.h"
#include "base/memory.h"
#include "table/column.h"

#include <stdlib.h>

/* -------------------------------------------------------- a counter per pair */

static void count_pairs(const pv_profile *profile, size_t column, size_t n_codes, uint64_t *pairs)
{
    const pv_codes codes = pv_i_table_codes(pv_study_table(profile->study), column);
    for (uint64_t row = 0; row < profile->n_rows; row++) {
        pairs[profile->row_tuple[row] * n_codes + pv_i_codes_at(codes, row)]++;
    }
}

static uint64_t count_those_met(const uint64_t *pairs, size_t n)
{
    uint64_t met = 0;
    for (size_t i = 0; i < n; i++) {
        met += pairs[i] > 0;
    }
    return met;
}

static void take_pairs(pv_histogram *h, const uint64_t *pairs, size_t n_tuples)
{
    uint64_t entry = 0;
    for (size_t t = 0; t < n_tuples; t++) {
        h->start[t] = entry;
        for (uint32_t code = 0; code < h->n_codes; code++) {
            const uint64_t count = pairs[t * h->n_codes + code];
            if (count > 0) {
                h->code[entry] = code;
                h->count[entry++] = count;
            }
        }
    }
    h->start[n_tuples] = entry;
}

static bool fill_by_pairs(pv_histogram *h, const pv_profile *profile)
{
    const size_t n = profile->n_tuples * h->n_codes; /* no more than rows */
    uint64_t *const pairs = PV_NEW_ZEROED(uint64_t, n);
    if (pairs == NULL) {
        return false;
    }
    count_pairs(profile, h->column, h->n_codes, pairs);
    const uint64_t n_met = count_those_met(pairs, n);
    h->code = PV_NEW_ARRAY(uint32_t, n_met);
    h->count = PV_NEW_ARRAY(uint64_t, n_met);
    const bool ready = h->code != NULL && h->count != NULL;
    if (ready) {
        take_pairs(h, pairs, profile->n_tuples);
    }
    pv_i_free(pairs);
    return ready;
}

/* ------------------------------------------------------------ a common board */

/* offset[t] = rows before those of tuple t. */
static uint64_t *row_offsets(const pv_profile *profile)
{
    uint64_t *const offset = PV_NEW_ARRAY(uint64_t, profile->n_tuples + 1);
    uint64_t sum = 0;
    for (size_t t = 0; offset != NULL && t < profile->n_tuples; t++) {
        offset[t] = sum;
        sum += profile->count[t];
    }
    if (offset != NULL) {
        offset[profile->n_tuples] = sum;
    }
    return offset;
}

/* The codes of all rows, tuple by tuple, no wider than they need be: there are as many as rows. */
typedef struct {
    void *codes;
    unsigned width;
    uint64_t *board; /* per code: rows of the tuple at hand; all zero between tuples */
    uint32_t *met;   /* codes of the tuple at hand */
} gathering;

static void put(const gathering *g, uint64_t at, uint32_t code)
{
    switch (g->width) {
    case 1: ((uint8_t *)g->codes)[at] = (uint8_t)code; break;
    case 2: ((uint16_t *)g->codes)[at] = (uint16_t)code; break;
    default: ((uint32_t *)g->codes)[at] = code; break;
    }
}

/* Leaves offset[t] at the end of tuple t. */
static void gather(const pv_profile *profile, size_t column, uint64_t *offset, const gathering *g)
{
    const pv_codes codes = pv_i_table_codes(pv_study_table(profile->study), column);
    for (uint64_t row = 0; row < profile->n_rows; row++) {
        put(g, offset[profile->row_tuple[row]]++, pv_i_codes_at(codes, row));
    }
}

/* Counts the n codes from one on; returns how many different ones were met. */
static size_t count_tuple(const gathering *g, uint64_t first, uint64_t n)
{
    const pv_codes codes = {.width = g->width, .data = g->codes};
    size_t n_met = 0;
    for (uint64_t i = first; i < first + n; i++) {
        const uint32_t code = pv_i_codes_at(codes, i);
        if (g->board[code]++ == 0) {
            g->met[n_met++] = code;
        }
    }
    return n_met;
}

static void clear_board(const gathering *g, size_t n_met)
{
    for (size_t i = 0; i < n_met; i++) {
        g->board[g->met[i]] = 0;
    }
}

#define FEW ((size_t)32)

/* Most tuples have met only a few codes. */
static void sort_codes(uint32_t *codes, size_t n)
{
    if (n > FEW) {
        qsort(codes, n, sizeof *codes, pv_i_compare_u32);
        return;
    }
    for (size_t i = 1; i < n; i++) {
        const uint32_t code = codes[i];
        size_t j = i;
        for (; j > 0 && codes[j - 1] > code; j--) {
            codes[j] = codes[j - 1];
        }
        codes[j] = code;
    }
}

/* No tuple has more entries than rows, or than there are codes. */
static uint64_t most_entries(const pv_profile *profile, uint32_t n_codes)
{
    uint64_t most = 0;
    for (size_t t = 0; t < profile->n_tuples; t++) {
        most += profile->count[t] < n_codes ? profile->count[t] : n_codes;
    }
    return most;
}

static void fill_entries(pv_histogram *h, const pv_profile *profile, const gathering *g)
{
    uint64_t first = 0;
    uint64_t entry = 0;
    for (size_t t = 0; t < profile->n_tuples; t++) {
        const size_t n_met = count_tuple(g, first, profile->count[t]);
        sort_codes(g->met, n_met);
        h->start[t] = entry;
        for (size_t i = 0; i < n_met; i++) {
            h->code[entry] = g->met[i];
            h->count[entry++] = g->board[g->met[i]];
        }
        clear_board(g, n_met);
        first += profile->count[t];
    }
    h->start[profile->n_tuples] = entry;
}

/* What was too much room is given back. */
static bool shrink(void **array, uint64_t n, size_t size)
{
    void *const smaller = pv_i_resize(*array, n, size);
    *array = smaller != NULL ? smaller : *array;
    return smaller != NULL;
}

static bool count_codes(pv_histogram *h, const pv_profile *profile, const gathering *g)
{
    const uint64_t most = most_entries(profile, h->n_codes);
    h->code = PV_NEW_ARRAY(uint32_t, most);
    h->count = PV_NEW_ARRAY(uint64_t, most);
    if (h->code == NULL || h->count == NULL) {
        return false;
    }
    fill_entries(h, profile, g);
    const uint64_t n = h->start[profile->n_tuples];
    return shrink((void **)&h->code, n, sizeof *h->code) &&
           shrink((void **)&h->count, n, sizeof *h->count);
}

static bool fill_by_board(pv_histogram *h, const pv_profile *profile)
{
    uint64_t *const offset = row_offsets(profile);
    gathering g = {.width = pv_i_codes_width(h->n_codes),
                   .board = PV_NEW_ZEROED(uint64_t, h->n_codes),
                   .met = PV_NEW_ARRAY(uint32_t, h->n_codes)};
    g.codes = pv_i_array(profile->n_rows, g.width);
    bool ready = offset != NULL && g.board != NULL && g.met != NULL && g.codes != NULL;
    if (ready) {
        gather(profile, h->column, offset, &g);
    }
    pv_i_free(offset);
    ready = ready && count_codes(h, profile, &g);
    pv_i_free(g.board);
    pv_i_free(g.met);
    pv_i_free(g.codes);
    return ready;
}

/* -------------------------------------------------------------------- either */

/* Rows for each pair from which on counters of their own pay. */
#define ROWS_PER_PAIR 4

static bool are_pairs_few(const pv_profile *profile, uint32_t n_codes)
{
    return profile->n_tuples <= profile->n_rows / ROWS_PER_PAIR / (n_codes > 0 ? n_codes : 1);
}

pv_status pv_i_histogram_init(pv_histogram *histogram, const pv_profile *profile, size_t column,
                              pv_error *error)
{
    const uint32_t n_codes = pv_table_values(pv_study_table(profile->study), column);
    pv_histogram h = {.column = column,
                      .n_codes = n_codes,
                      .missing = pv_table_missing(pv_study_table(profile->study), column),
                      .start = PV_NEW_ARRAY(uint64_t, profile->n_tuples + 1)};
    const bool ready =
        h.start != NULL &&
        (are_pairs_few(profile, n_codes) ? fill_by_pairs(&h, profile) : fill_by_board(&h, profile));
    if (ready) {
        *histogram = h;
    } else {
        pv_i_histogram_deinit(&h);
    }
    return ready ? PV_STATUS_OK : pv_i_no_memory(error);
}

void pv_i_histogram_deinit(pv_histogram *histogram)
{
    pv_i_free(histogram->start);
    pv_i_free(histogram->code);
    pv_i_free(histogram->count);
    *histogram = (pv_histogram){0};
}
