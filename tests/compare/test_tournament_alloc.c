/* Memory running out in tournaments and combinations. */
#include "support/comparison_trial.h"
#include "support/failing_alloc.h"

static pv_status hold_tournament(void *ctx, pv_error *error)
{
    const bool *const has_cycle = ctx;
    pv_winner winners[9] = {PV_NOBODY_WINS};
    pv_tournament *t = NULL;
    winners[1] = PV_FIRST_WINS;
    winners[2] = *has_cycle ? PV_SECOND_WINS : PV_FIRST_WINS;
    winners[5] = PV_FIRST_WINS;
    const pv_status status = pv_tournament_create(winners, 3, &t, error);
    assert_int_equal(t != NULL, status == PV_STATUS_OK);
    pv_tournament_free(t);
    return status;
}

static void test_tournament(void **state)
{
    (void)state;
    bool has_cycle = false;
    assert_true(failing_alloc_every(hold_tournament, &has_cycle) >= 5);
    has_cycle = true;
    assert_true(failing_alloc_every(hold_tournament, &has_cycle) >= 5);
}

static pv_status combine(void *ctx, pv_error *error)
{
    const pv_term terms[] = {{.property = PAPER_SIZE, .index = PV_INDEX_RANK, .weight = 1},
                             {.property = PAPER_UTILITY, .index = PV_INDEX_RANK, .weight = 1}};
    const pv_combination combination = {.kind = PV_COMBINE_WTD, .terms = terms, .n_terms = 2};
    pv_verdict_of_two verdict;
    return pv_combine(ctx, 0, 1, &combination, &verdict, error);
}

static void test_combine(void **state)
{
    (void)state;
    sample_comparison s;
    sample_comparison_paper(&s);
    assert_int_equal(failing_alloc_every(combine, &s.comparison), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tournament),
        cmocka_unit_test(test_combine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
