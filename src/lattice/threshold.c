/* Suppression decided from class sizes. Most schemes of a lattice have more people alone than may
 * be suppressed: counting those first settles them. */
#include "lattice/threshold.h"

#include "base/compare.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* A pass the compiler turns into vector code. */
static uint64_t sum_up(const uint32_t *sizes, size_t n, pv_threshold *t)
{
    uint64_t squares = 0;
    uint32_t largest = 0;
    uint32_t alone = 0;
    for (size_t i = 0; i < n; i++) {
        squares += (uint64_t)sizes[i] * sizes[i];
        largest = sizes[i] > largest ? sizes[i] : largest;
        alone += sizes[i] == 1;
    }
    t->squares = squares;
    t->largest = largest;
    return alone;
}

/* Sizes from `limit` on share the last place. */
static void count_on_board(const uint32_t *sizes, size_t n, uint32_t limit, uint32_t *board)
{
    for (size_t i = 0; i < n; i++) {
        board[sizes[i] < limit ? sizes[i] : limit]++;
    }
}

/* Walks the sizes upward while their rows fit into what is left of the budget and they lie below
 * `below`. True if a size was found that remains. */
static bool walk_board(const uint32_t *board, uint32_t limit, uint64_t budget, uint64_t below,
                       pv_threshold *t)
{
    for (uint64_t size = 1; size < limit; size++) {
        const uint64_t rows = size * board[size];
        if (rows > 0 && (size >= below || rows > budget - t->n_suppressed)) {
            t->smallest_kept = size;
            return true;
        }
        t->n_suppressed += rows;
    }
    return false;
}

static bool gather_large(const uint32_t *sizes, size_t n, pv_threshold_scratch *scratch,
                         size_t *n_large)
{
    if (!pv_i_reserve((void **)&scratch->large, &scratch->large_capacity, n, sizeof(uint32_t))) {
        return false;
    }
    *n_large = 0;
    for (size_t i = 0; i < n; i++) {
        if (sizes[i] >= PV_THRESHOLD_BOARD) {
            scratch->large[(*n_large)++] = sizes[i];
        }
    }
    qsort(scratch->large, *n_large, sizeof *scratch->large, pv_i_compare_u32);
    return true;
}

/* The same walk over the sizes beyond the board. Some class always remains: the budget is less than
 * all rows. */
static bool walk_large(const uint32_t *sizes, size_t n, uint64_t budget, uint64_t below,
                       pv_threshold_scratch *scratch, pv_threshold *t)
{
    size_t n_large = 0;
    if (!gather_large(sizes, n, scratch, &n_large)) {
        return false;
    }
    for (size_t i = 0; i < n_large;) {
        const uint64_t size = scratch->large[i];
        size_t end = i;
        while (end < n_large && scratch->large[end] == size) {
            end++;
        }
        const uint64_t rows = size * (end - i);
        if (size >= below || rows > budget - t->n_suppressed) {
            t->smallest_kept = size;
            return true;
        }
        t->n_suppressed += rows;
        i = end;
    }
    return true;
}

static uint64_t smallest_from(const uint32_t *sizes, size_t n, uint32_t least)
{
    uint32_t smallest = UINT32_MAX;
    for (size_t i = 0; i < n; i++) {
        smallest = sizes[i] >= least && sizes[i] < smallest ? sizes[i] : smallest;
    }
    return smallest;
}

/* Finds what is suppressed as far as budget and target go. */
static bool walk(const uint32_t *sizes, size_t n, uint64_t budget, uint64_t below,
                 pv_threshold_scratch *scratch, pv_threshold *t)
{
    /* No class larger than the budget can go: the board need not be longer. */
    const bool is_short = budget < PV_THRESHOLD_BOARD - 1;
    const uint32_t limit = is_short ? (uint32_t)budget + 1 : PV_THRESHOLD_BOARD;
    count_on_board(sizes, n, limit, scratch->board);
    const bool found = walk_board(scratch->board, limit, budget, below, t);
    memset(scratch->board, 0, (limit + (size_t)1) * sizeof *scratch->board);
    if (found) {
        return true;
    }
    if (is_short) {
        t->smallest_kept = smallest_from(sizes, n, limit);
        return true;
    }
    return walk_large(sizes, n, budget, below, scratch, t);
}

bool pv_i_threshold(const uint32_t *sizes, size_t n, const pv_suppression *rule,
                    pv_threshold_scratch *scratch, pv_threshold *threshold)
{
    const bool targets = rule->target_k > 0;
    const uint64_t below = targets ? rule->target_k : UINT64_MAX;
    pv_threshold t = {.feasible = true};
    const uint64_t alone = sum_up(sizes, n, &t);
    if (!targets && alone > rule->budget) {
        t.smallest_kept = 1;
    } else if (!walk(sizes, n, rule->budget, below, scratch, &t)) {
        return false;
    }
    if (targets && t.smallest_kept < below) { /* the budget does not reach: nothing is suppressed */
        t.feasible = false;
        t.n_suppressed = 0;
        t.smallest_kept = smallest_from(sizes, n, 0);
    }
    *threshold = t;
    return true;
}
