/* Dates, numbers, types and the natural order of values. */
#include "support/table_support.h"

#include "table/value.h"

static void every_day_of_1200_years(void **state)
{
    (void)state;
    static const unsigned lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int64_t days = pv_i_date_days((pv_date){.year = 1300, .month = 1, .day = 1});
    for (int year = 1300; year < 2500; year++) {
        const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
        for (unsigned month = 1; month <= 12; month++) {
            const unsigned length = lengths[month - 1] + (month == 2 && leap);
            for (unsigned day = 1; day <= length; day++, days++) {
                const pv_date date = {.year = year, .month = month, .day = day};
                const pv_date back = pv_i_date_of_days(days);
                assert_int_equal(pv_i_date_days(date), days);
                assert_true(back.year == year && back.month == month && back.day == day);
            }
            assert_true(pv_i_date_valid((pv_date){year, month, length}));
            assert_false(pv_i_date_valid((pv_date){year, month, length + 1}));
        }
    }
}

static void known_days(void **state)
{
    static const struct {
        const char *text;
        bool is_date;
        int64_t days;
    } cases[] = {
        {"1970-01-01", true, 0},     {"1970/01/02", true, 1},       {"31.12.1969", true, -1},
        {"2000-02-29", true, 11016}, {"0000-03-01", true, -719468}, {"1900-02-29", false, 0},
        {"2001-02-29", false, 0},    {"2000-13-01", false, 0},      {"2000-00-01", false, 0},
        {"2000-01-00", false, 0},    {"2000-01/01", false, 0},      {"2000-1-1", false, 0},
        {"01-01-2000", false, 0},    {"01.01.20x0", false, 0},      {"20000101", false, 0},
        {"2000-01-01 ", false, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t days = 0;
        const bool found = pv_i_date_parse(cases[i].text, strlen(cases[i].text), &days);
        assert_int_equal(found, cases[i].is_date);
        assert_int_equal(days, cases[i].days);
    }
}

static void types_of_values(void **state)
{
    static const struct {
        const char *text;
        pv_type type;
    } cases[] = {
        {"0", PV_TYPE_INTEGER},       {"-0", PV_TYPE_INTEGER},
        {"+7", PV_TYPE_INTEGER},      {"9223372036854775807", PV_TYPE_INTEGER},
        {"1.5", PV_TYPE_DECIMAL},     {".5", PV_TYPE_DECIMAL},
        {"0.5", PV_TYPE_DECIMAL},     {"1e3", PV_TYPE_DECIMAL},
        {"00123", PV_TYPE_TEXT},      {"-01", PV_TYPE_TEXT},
        {"007.5", PV_TYPE_TEXT},      {"9999999999999999999999", PV_TYPE_TEXT},
        {"1,000", PV_TYPE_TEXT},      {"12 ", PV_TYPE_TEXT},
        {"0x10", PV_TYPE_TEXT},       {"nan", PV_TYPE_TEXT},
        {"2024-02-29", PV_TYPE_DATE}, {"2023-02-29", PV_TYPE_TEXT},
        {"29.02.2024", PV_TYPE_DATE}, {"", PV_TYPE_TEXT},
        {"-", PV_TYPE_TEXT},          {"Ada", PV_TYPE_TEXT},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(pv_i_value_type(cases[i].text, strlen(cases[i].text)), cases[i].type);
    }
}

static void types_of_columns(void **state)
{
    pv_table *const table = table_of("int,dec,date,mixed,zip,gone,half\n"
                                     "1,1,2020-01-01,1,00501,NA,1\n"
                                     "?,2.5,01.02.2020,2020-01-01,10001,?,x\n"
                                     "-3,NA,,2,,,2\n",
                                     NULL);
    static const pv_type types[] = {PV_TYPE_INTEGER, PV_TYPE_DECIMAL, PV_TYPE_DATE, PV_TYPE_TEXT,
                                    PV_TYPE_TEXT,    PV_TYPE_TEXT,    PV_TYPE_TEXT};
    (void)state;
    for (size_t c = 0; c < 7; c++) {
        assert_int_equal(pv_table_type(table, c), types[c]);
    }
    pv_decimal number;
    int64_t days;
    assert_true(pv_i_table_number(table, 1, 1, &number));
    assert_true(number.mantissa == 25 && number.scale == 1);
    assert_false(pv_i_table_number(table, 1, pv_table_missing(table, 1), &number));
    assert_false(pv_i_table_number(table, 4, 0, &number));
    assert_true(pv_i_table_day(table, 2, 0, &days));
    assert_int_equal(days, 18262);
    pv_table_free(table);
}

static void declared_types_are_checked(void **state)
{
    pv_table *const table = table_of("zip,n\n00501,1\n\n10001,1.5\nx,NA\n", NULL);
    pv_error error = {0};
    (void)state;
    assert_int_equal(pv_table_set_type(table, 0, PV_TYPE_INTEGER, &error), PV_STATUS_INPUT);
    assert_int_equal(error.line, 5);
    assert_non_null(strstr(error.message, "\"zip\""));
    assert_null(strstr(error.message, "x\""));
    assert_int_equal(pv_table_type(table, 0), PV_TYPE_TEXT);
    assert_int_equal(pv_table_set_type(table, 1, PV_TYPE_INTEGER, &error), PV_STATUS_INPUT);
    assert_int_equal(error.line, 4);
    assert_int_equal(pv_table_set_type(table, 1, PV_TYPE_TEXT, &error), PV_STATUS_OK);
    assert_int_equal(pv_table_type(table, 1), PV_TYPE_TEXT);
    assert_int_equal(pv_table_set_type(table, 1, PV_TYPE_AUTO, &error), PV_STATUS_OK);
    assert_int_equal(pv_table_type(table, 1), PV_TYPE_DECIMAL);
    pv_table_free(table);
    pv_table *const codes = table_of("zip,x\n00501,a\n10001,b\n", NULL);
    assert_int_equal(pv_table_set_type(codes, 0, PV_TYPE_INTEGER, &error), PV_STATUS_OK);
    pv_table_free(codes);
}

static void check_order(const char *text, const char *const *expected)
{
    pv_table *const table = table_of(text, NULL);
    uint32_t order[16];
    assert_int_equal(pv_table_order(table, 0, order, NULL), PV_STATUS_OK);
    for (uint32_t i = 0; i < pv_table_values(table, 0); i++) {
        assert_string_equal(pv_table_value(table, 0, order[i]), expected[i]);
    }
    pv_table_free(table);
}

static void natural_orders(void **state)
{
    (void)state;
    check_order("n,x\n10,a\nNA,a\n9,a\n-1,a\n2.5,a\n2.50,a\n",
                (const char *const[]){"-1", "2.5", "2.50", "9", "10", "NA"});
    check_order("d,x\n01.03.2020,a\n2020-02-29,a\n?,a\n2019/12/31,a\n",
                (const char *const[]){"2019/12/31", "2020-02-29", "01.03.2020", "?"});
    check_order("t,x\nb,1\n,1\nB,1\na,1\n10,1\n9,1\n",
                (const char *const[]){"10", "9", "B", "a", "b", ""});
}

static void type_names(void **state)
{
    (void)state;
    assert_string_equal(pv_type_name(PV_TYPE_INTEGER), "integer");
    assert_string_equal(pv_type_name(PV_TYPE_TEXT), "text");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_day_of_1200_years),
        cmocka_unit_test(known_days),
        cmocka_unit_test(types_of_values),
        cmocka_unit_test(types_of_columns),
        cmocka_unit_test(declared_types_are_checked),
        cmocka_unit_test(natural_orders),
        cmocka_unit_test(type_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
