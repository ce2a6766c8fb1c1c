/* The ledger of what is proven, against a plain list of all that was entered. */
#include "support/testing.h"

#include "base/rng.h"
#include "cuts/cut_search.h"

enum { CLAIMS = 200, LARGEST_K = 60 };

static uint64_t naive_bound(const pv_cut_claim *claims, size_t n, uint64_t k)
{
    uint64_t bound = 0;
    for (size_t i = 0; i < n; i++) {
        bound = claims[i].k <= k && claims[i].bound > bound ? claims[i].bound : bound;
    }
    return bound;
}

static uint64_t naive_tried(const pv_cut_claim *claims, size_t n, uint64_t k)
{
    uint64_t tried = 0;
    for (size_t i = 0; i < n; i++) {
        tried = claims[i].k == k && claims[i].tried > tried ? claims[i].tried : tried;
    }
    return tried;
}

static void claims_hold_for_larger_k(void **state)
{
    pv_cut_ledger ledger = {0};
    pv_cut_claim claims[CLAIMS];
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 11);
    for (size_t n = 0; n < CLAIMS; n++) {
        claims[n].k = 1 + pv_i_rng_below(&rng, LARGEST_K);
        claims[n].bound = pv_i_rng_below(&rng, 1000);
        claims[n].tried = pv_i_rng_below(&rng, 9) == 0 ? PV_CUT_TRIED_ALL : n;
        assert_true(pv_i_cut_ledger_enter(&ledger, &claims[n]));
        for (uint64_t k = 0; k <= LARGEST_K + 1; k++) {
            assert_int_equal(pv_i_cut_ledger_bound(&ledger, k), naive_bound(claims, n + 1, k));
            assert_int_equal(pv_i_cut_ledger_tried(&ledger, k), naive_tried(claims, n + 1, k));
        }
    }
    assert_true(ledger.n <= LARGEST_K);
    pv_i_cut_ledger_deinit(&ledger);
}

static void nothing_is_proven_at_first(void **state)
{
    const pv_cut_ledger ledger = {0};
    (void)state;
    assert_int_equal(pv_i_cut_ledger_bound(&ledger, 7), 0);
    assert_int_equal(pv_i_cut_ledger_tried(&ledger, 7), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_proven_at_first),
        cmocka_unit_test(claims_hold_for_larger_k),
    };
    return cmocka_run_group_tests_name("the ledger of proofs", tests, NULL, NULL);
}
