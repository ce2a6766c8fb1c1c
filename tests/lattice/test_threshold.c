/* Suppression decided from class sizes, against sorting them and trying every size in turn. */
#include "support/oracle.h"
#include "support/testing.h"

#include "base/rng.h"
#include "lattice/view.h"

/* --------------------------------------------------------------- the oracle */

static uint64_t rows_below(const uint32_t *sizes, size_t n, uint64_t size)
{
    uint64_t rows = 0;
    for (size_t i = 0; i < n; i++) {
        rows += sizes[i] < size ? sizes[i] : 0;
    }
    return rows;
}

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a;
    const uint32_t y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The rows lost: size by size, all of a size as long as everything so far fits. A target is met if
 * all rows in classes below it fit. */
static uint64_t plain_suppressed(const uint32_t *sizes, size_t n, const pv_suppression *rule,
                                 bool *feasible)
{
    uint32_t *const sorted = oracle_array(n, sizeof *sorted);
    uint64_t suppressed = 0;
    memcpy(sorted, sizes, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, ascending);
    *feasible = rows_below(sizes, n, rule->target_k) <= rule->budget;
    for (size_t i = 0; i < n; i++) {
        const uint64_t with = rows_below(sizes, n, (uint64_t)sorted[i] + 1);
        suppressed = with <= rule->budget ? with : suppressed;
    }
    free(sorted);
    return suppressed;
}

static void expect_decision(const uint32_t *sizes, size_t n, const pv_suppression *rule,
                            pv_threshold_scratch *scratch)
{
    pv_threshold t = {0};
    uint64_t largest = 0;
    uint64_t squares = 0;
    bool feasible;
    const uint64_t suppressed = plain_suppressed(sizes, n, rule, &feasible);
    for (size_t i = 0; i < n; i++) {
        largest = sizes[i] > largest ? sizes[i] : largest;
        squares += (uint64_t)sizes[i] * sizes[i];
    }
    assert_true(pv_i_threshold(sizes, n, rule, scratch, &t));
    assert_int_equal(t.feasible, feasible);
    assert_int_equal(t.n_suppressed, suppressed);
    assert_int_equal(rows_below(sizes, n, t.smallest_kept), suppressed);
    assert_int_equal(t.largest, largest);
    assert_int_equal(t.squares, squares);
}

/* Every budget there is, or so many of them; no target, each that matters, and ones out of reach.
 */
static void expect_decisions(pv_rng *rng, const uint32_t *sizes, size_t n,
                             pv_threshold_scratch *scratch)
{
    const uint64_t rows = rows_below(sizes, n, UINT64_MAX);
    const bool few = rows <= 40;
    for (uint64_t i = 0; i < (few ? rows : 40); i++) {
        const uint64_t budget = few ? i : pv_i_rng_below(rng, rows);
        const uint32_t size = sizes[pv_i_rng_below(rng, n)];
        const pv_suppression rules[] = {{.whole_budget = true, .budget = budget},
                                        {.budget = budget},
                                        {.budget = budget, .target_k = size},
                                        {.budget = budget, .target_k = (uint64_t)size + 1},
                                        {.budget = budget, .target_k = 1},
                                        {.budget = budget, .target_k = rows + 1},
                                        {.budget = budget, .target_k = UINT64_MAX},
                                        {.budget = rows_below(sizes, n, size)},
                                        {.budget = rows - 1}};
        for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
            expect_decision(sizes, n, &rules[r], scratch);
        }
    }
}

/* -------------------------------------------------------------- the lists */

/* Mostly small, as classes are; sometimes beyond the histogram, sometimes just at its edge. */
static uint32_t random_class_size(pv_rng *rng, unsigned kind)
{
    switch (kind) {
    case 0: return 1 + (uint32_t)pv_i_rng_below(rng, 4);
    case 1: return 1 + (uint32_t)pv_i_rng_below(rng, 1 + pv_i_rng_below(rng, 60));
    case 2: return PV_THRESHOLD_COUNTED - 2 + (uint32_t)pv_i_rng_below(rng, 5);
    case 3: return PV_THRESHOLD_COUNTED + 1 + (uint32_t)pv_i_rng_below(rng, 6);
    default: return 1 + (uint32_t)pv_i_rng_below(rng, 1 + pv_i_rng_below(rng, 3000000));
    }
}

static void random_lists_agree(void **state)
{
    pv_threshold_scratch *const scratch = oracle_array(1, sizeof *scratch);
    uint32_t sizes[64];
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 11);
    for (size_t i = 0; i < 150; i++) {
        const size_t n = 1 + (size_t)pv_i_rng_below(&rng, 1 + pv_i_rng_below(&rng, 64));
        const unsigned kind = (unsigned)pv_i_rng_below(&rng, 6);
        for (size_t c = 0; c < n; c++) {
            sizes[c] =
                random_class_size(&rng, kind == 5 ? (unsigned)pv_i_rng_below(&rng, 5) : kind);
        }
        expect_decisions(&rng, sizes, n, scratch);
    }
    free(scratch->large);
    free(scratch);
}

/* Thousands of singletons under budgets far beyond the histogram, and one class that must stay. */
static void large_budgets_agree(void **state)
{
    enum { N = 9000 };
    static const uint64_t budgets[] = {0, 4096, N - 4, N - 3, N + 13993, N + 13994, 30000, 50990};
    static const uint64_t lost[] = {0, 0, 0, N - 3, N - 3, N + 13994, N + 13994, N + 27992};
    pv_threshold_scratch *const scratch = oracle_array(1, sizeof *scratch);
    uint32_t *const sizes = oracle_array(N, sizeof *sizes);
    (void)state;
    for (size_t i = 0; i < N; i++) {
        sizes[i] = i < N - 3 ? 1 : 5000 + (uint32_t)i; /* 13997, 13998, 13999 */
    }
    for (size_t b = 0; b < sizeof budgets / sizeof *budgets; b++) {
        const pv_suppression rule = {.whole_budget = true, .budget = budgets[b]};
        pv_threshold t = {0};
        assert_true(pv_i_threshold(sizes, N, &rule, scratch, &t));
        assert_true(t.feasible);
        assert_int_equal(t.n_suppressed, lost[b]);
        assert_int_equal(rows_below(sizes, N, t.smallest_kept), lost[b]);
        assert_int_equal(t.largest, 13999);
    }
    free(scratch->large);
    free(scratch);
    free(sizes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_lists_agree),
        cmocka_unit_test(large_budgets_agree),
    };
    return cmocka_run_group_tests_name("suppression by class sizes", tests, NULL, NULL);
}
