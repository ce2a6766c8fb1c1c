/* Exact decimals: what parses, how they compare and print. */
#include "support/testing.h"

#include "base/rng.h"

#include <paravent/decimal.h>
#include <stdio.h>
#include <string.h>
// cmocka.h needs the headers above first

static const struct {
    const char *text;
    int64_t mantissa;
    uint8_t scale;
} good[] = {
    {"0", 0, 0},
    {"-0", 0, 0},
    {"12", 12, 0},
    {"+12", 12, 0},
    {"-12", -12, 0},
    {"0.25", 25, 2},
    {".5", 5, 1},
    {"3.", 3, 0},
    {"1.50", 150, 2},
    {"1e3", 1000, 0},
    {"1.5e1", 15, 0},
    {"1.5E-2", 15, 3},
    {"007", 7, 0},
    {"9223372036854775807", INT64_MAX, 0},
    {"-9223372036854775808", INT64_MIN, 0},
    {"0.000000000000000001", 1, 18},
    {"0.0000000000000000010", 1, 18},
};

static const char *const bad[] = {"",
                                  "-",
                                  "+",
                                  ".",
                                  "e5",
                                  "1e",
                                  "1e+",
                                  "1 ",
                                  " 1",
                                  "1,000",
                                  "1.2.3",
                                  "--1",
                                  "0x10",
                                  "nan",
                                  "inf",
                                  "1e99",
                                  "12a",
                                  "1_0",
                                  "9223372036854775808",
                                  "-9223372036854775809",
                                  "0.0000000000000000001"};

static void parses_plain_numbers_exactly(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        pv_decimal d = {.mantissa = 99, .scale = 9};
        assert_true(pv_decimal_parse(good[i].text, strlen(good[i].text), &d));
        assert_int_equal(d.mantissa, good[i].mantissa);
        assert_int_equal(d.scale, good[i].scale);
    }
}

static void refuses_everything_else_and_leaves_the_result(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        pv_decimal d = {.mantissa = 99, .scale = 9};
        assert_false(pv_decimal_parse(bad[i], strlen(bad[i]), &d));
        assert_int_equal(d.mantissa, 99);
    }
}

static void compares_across_scales(void **state)
{
    (void)state;
    const pv_decimal half = {.mantissa = 5, .scale = 1};
    const pv_decimal also_half = {.mantissa = 500, .scale = 3};
    const pv_decimal largest = {.mantissa = INT64_MAX, .scale = 0};
    const pv_decimal tiny = {.mantissa = INT64_MIN, .scale = 18};
    assert_int_equal(pv_decimal_compare(half, also_half), 0);
    assert_int_equal(pv_decimal_compare(largest, tiny), 1);
    assert_int_equal(pv_decimal_compare(tiny, largest), -1);
}

static void what_is_printed_parses_to_the_same_number(void **state)
{
    (void)state;
    pv_rng rng;
    pv_i_rng_init(&rng, 7);
    for (unsigned i = 0; i < 20000; i++) {
        const unsigned shift = (unsigned)pv_i_rng_below(&rng, 64);
        const pv_decimal d = {.mantissa = (int64_t)(pv_i_rng_next(&rng) >> shift),
                              .scale = (uint8_t)pv_i_rng_below(&rng, 19)};
        char text[32];
        pv_decimal again;
        pv_decimal_text(d, text, sizeof text);
        assert_true(pv_decimal_parse(text, strlen(text), &again));
        assert_int_equal(pv_decimal_compare(d, again), 0);
    }
}

static void becomes_the_nearest_double(void **state)
{
    (void)state;
    pv_decimal d;
    assert_true(pv_decimal_parse("0.1", 3, &d));
    assert_true(pv_decimal_double(d) == 0.1);
    assert_true(pv_decimal_parse("-2.5", 4, &d));
    assert_true(pv_decimal_double(d) == -2.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parses_plain_numbers_exactly),
        cmocka_unit_test(refuses_everything_else_and_leaves_the_result),
        cmocka_unit_test(compares_across_scales),
        cmocka_unit_test(what_is_printed_parses_to_the_same_number),
        cmocka_unit_test(becomes_the_nearest_double),
    };
    return cmocka_run_group_tests_name("decimal", tests, NULL, NULL);
}
