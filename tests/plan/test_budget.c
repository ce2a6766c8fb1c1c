/* The suppression budget is exact: compared with plain integer arithmetic. */
#include <paravent/plan.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static uint64_t rows_of(const char *text, uint64_t n)
{
    pv_budget budget;
    if (!pv_budget_parse(text, &budget)) {
        fail_msg("not parsed: %s", text);
    }
    return pv_budget_rows(&budget, n);
}

static void gives_known_numbers(void **state)
{
    (void)state;
    assert_int_equal(rows_of("1%", 30162), 301);
    assert_int_equal(rows_of("0.5 %", 30162), 150);
    assert_int_equal(rows_of(" 1% ", 100), 1);
    assert_int_equal(rows_of("0.01", 30162), 301);
    assert_int_equal(rows_of("1e-2", 30162), 301);
    assert_int_equal(rows_of("0.1%", 30162), 30);
    assert_int_equal(rows_of("25", 30162), 25);
    assert_int_equal(rows_of("25", 10), 9);
    assert_int_equal(rows_of("0", 30162), 0);
    assert_int_equal(rows_of("0%", 30162), 0);
    assert_int_equal(rows_of("1", 30162), 1);
    assert_int_equal(rows_of("1.0", 30162), 30161);
    assert_int_equal(rows_of("100%", 30162), 30161);
    assert_int_equal(rows_of("100%", 1), 0);
    assert_int_equal(rows_of("100%", 0), 0);
    assert_int_equal(rows_of("5", 0), 0);
    /* 29% of 100 is 29, whatever binary fractions think */
    assert_int_equal(rows_of("29%", 100), 29);
    assert_int_equal(rows_of("0.57", 100), 57);
    assert_int_equal(rows_of("99.9999999999999999%", UINT64_MAX), 18446744073709551596u);
    assert_int_equal(rows_of("18446744073709551615", UINT64_MAX), UINT64_MAX - 1);
}

static void agrees_with_whole_numbers(void **state)
{
    (void)state;
    static const uint64_t rows[] = {0, 1, 2, 99, 100, 101, 30162, 999999937, UINT64_MAX};
    for (uint64_t thousandths = 0; thousandths <= 1000; thousandths++) {
        char percent[32];
        char share[32];
        (void)snprintf(percent, sizeof percent, "%d.%d%%", (int)(thousandths / 10),
                       (int)(thousandths % 10));
        (void)snprintf(share, sizeof share, "%d.%03d", (int)(thousandths / 1000),
                       (int)(thousandths % 1000));
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            const uint64_t exact = (uint64_t)((unsigned __int128)thousandths * rows[i] / 1000);
            const uint64_t most = rows[i] > 0 ? rows[i] - 1 : 0;
            const uint64_t expected = exact < most ? exact : most;
            assert_int_equal(rows_of(percent, rows[i]), expected);
            assert_int_equal(rows_of(share, rows[i]), expected);
        }
    }
}

static void refuses_nonsense(void **state)
{
    static const char *const nonsense[] = {"",
                                           " ",
                                           "%",
                                           "-1",
                                           "-0.1",
                                           "-1%",
                                           "101%",
                                           "100.01%",
                                           "1.5",
                                           "2.0",
                                           "1e3",
                                           "nan",
                                           "inf",
                                           "ten",
                                           "1%%",
                                           "1 000",
                                           "1,000",
                                           "0x10",
                                           "+5",
                                           "1% of",
                                           "--1%",
                                           "0.1.2",
                                           "% 1",
                                           "18446744073709551616",
                                           "0.00000000000000000001%"};
    (void)state;
    for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense; i++) {
        pv_budget budget = {.rows = 77};
        if (pv_budget_parse(nonsense[i], &budget)) {
            fail_msg("parsed: %s", nonsense[i]);
        }
        assert_int_equal(budget.rows, 77); /* untouched */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_known_numbers),
        cmocka_unit_test(agrees_with_whole_numbers),
        cmocka_unit_test(refuses_nonsense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
