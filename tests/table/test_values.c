/* Dates, numbers, types and the natural order of values. */
#include "support/study.h"

#include "table/value.h"

#include <math.h>
#include <stdio.h>

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
        {"1970-01-01", true, 0},
        {"1970/01/02", true, 1},
        {"31.12.1969", true, -1},
        {"2000-02-29", true, 11016},
        {"0000-03-01", true, -719468},
        {"1900-02-29", false, 0},
        {"2001-02-29", false, 0},
        {"2000-13-01", false, 0},
        {"2000-00-01", false, 0},
        {"2000-01-00", false, 0},
        {"2000-01/01", false, 0},
        {"2000-1-1", true, 10957},
        {"01-01-2000", false, 0},
        {"01.01.20x0", false, 0},
        {"20000101", true, 10957},
        {"2000-01-01 ", false, 0},
        {"1.2.1970", true, 31},
        {"01/02/1970", false, 0},
        {"1.2.70", false, 0},
        {"1970-01-02 13:45", true, 1},
        {"1970-01-02T13:45:10", true, 1},
        {"1970-01-02T1:45Z", true, 1},
        {"1970-01-02 24:00", false, 0},
        {"1970-01-02 13:60", false, 0},
        {"1970-01-02 13", false, 0},
        {"1970-01-02 13:45:10.5", true, 1},
        {"2000101", false, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t days = 0;
        const bool found = pv_i_date_parse(cases[i].text, strlen(cases[i].text), NULL, &days);
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
        assert_int_equal(pv_i_value_type(cases[i].text, strlen(cases[i].text), NULL),
                         cases[i].type);
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
    pv_moment moment;
    assert_true(pv_i_table_number(table, 1, 1, &number));
    assert_true(number.mantissa == 25 && number.scale == 1);
    assert_false(pv_i_table_number(table, 1, pv_table_missing(table, 1), &number));
    assert_false(pv_i_table_number(table, 4, 0, &number));
    assert_true(pv_i_table_moment(table, 2, 0, &moment));
    assert_int_equal(moment.days, 18262);
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

static pv_format format_of(char decimal, const char *date, int first_year)
{
    pv_format format = {.decimal = decimal, .first_year = first_year};
    assert_true(date == NULL || pv_date_format_parse(date, &format));
    return format;
}

static void numbers_with_signs(void **state)
{
    static const struct {
        char decimal;
        const char *text;
        const char *canonical; /* NULL = no number */
    } cases[] = {
        {',', "1,5", "1.5"},
        {',', "1.234,50", "1234.5"},
        {',', "1.234", "1234"},
        {',', "-1.234.567", "-1234567"},
        {',', "1.5", NULL},
        {',', "1234.567", NULL},
        {',', "1.23,4", NULL},
        {',', "1,2,3", NULL},
        {',', "1,234.5", NULL},
        {',', "12", "12"},
        {',', "1 234,5", "1234.5"},
        {',', "1'234,5", "1234.5"},
        {',',
         "1\xc2\xa0"
         "234",
         "1234"},
        {',', "1 234.567", NULL},
        {',', ",5", "0.5"},
        {',', "", NULL},
        {',', ".", NULL},
        {',', "1,5e1", "15"},
        {'.', "1,234.5", "1234.5"},
        {'.', "1,234", "1234"},
        {'.', "1,23", NULL},
        {'.', "1.5", "1.5"},
        {'.', "12,345,678", "12345678"},
        {'.', "1,2345", NULL},
        {'.', "1.234,5", NULL},
        {'\0', "1,234", NULL},
        {'\0', "1.50", "1.5"},
        {'\0', "-0", "0"},
        {'\0', "+01", "1"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const pv_format format = format_of(cases[i].decimal, NULL, 0);
        char text[PV_CANONICAL_SIZE] = "";
        const size_t length = pv_i_value_canonical(cases[i].text, strlen(cases[i].text),
                                                   PV_TYPE_DECIMAL, &format, text);
        assert_int_equal(length > 0, cases[i].canonical != NULL);
        assert_string_equal(text, length > 0 ? cases[i].canonical : "");
    }
}

static void dates_of_formats(void **state)
{
    static const struct {
        const char *format;
        int first_year;
        const char *text;
        const char *canonical; /* NULL = no date */
    } cases[] = {
        {"dd/mm/yyyy", 0, "31/05/2024", "2024-05-31"},
        {"dd/mm/yyyy", 0, "1/5/2024", "2024-05-01"},
        {"dd/mm/yyyy", 0, "05/31/2024", NULL},
        {"mm/dd/yyyy", 0, "05/31/2024", "2024-05-31"},
        {"M/D/YYYY", 0, "5/1/2024 13:45", "2024-05-01T13:45:00"},
        {"dd/mm/yyyy", 0, "2024-05-31", "2024-05-31"},
        {"dd/mm/yyyy", 0, "31.05.2024", "2024-05-31"},
        {"mm.dd.yyyy", 0, "31.05.2024", NULL},
        {"mm.dd.yyyy", 0, "05.31.2024", "2024-05-31"},
        {"dd.mm.yy", 1930, "31.05.29", "2029-05-31"},
        {"dd.mm.yy", 1930, "31.05.30", "1930-05-31"},
        {"dd.mm.yy", 2000, "01.02.00", "2000-02-01"},
        {"dd.mm.yy", 1999, "01.02.98", "2098-02-01"},
        {"yymmdd", 1950, "500102", "1950-01-02"},
        {"ddmmyyyy", 0, "31052024", "2024-05-31"},
        {"yyyymmdd", 0, "20240531", "2024-05-31"},
        {"yyyymmdd", 0, "20240532", NULL},
        {"dd-mm-yyyy", 0, "31-05-2024", "2024-05-31"},
        {"dd-mm-yyyy", 0, "31-05-2024T00:00:00.000001", "2024-05-31T00:00:00.000001"},
    };
    pv_format none = {0};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const pv_format format = format_of('\0', cases[i].format, cases[i].first_year);
        char text[PV_CANONICAL_SIZE] = "";
        const size_t length =
            pv_i_value_canonical(cases[i].text, strlen(cases[i].text), PV_TYPE_DATE, &format, text);
        assert_int_equal(length > 0, cases[i].canonical != NULL);
        assert_string_equal(text, length > 0 ? cases[i].canonical : "");
    }
    static const char *const wrong[] = {
        "",       "dd/mm",      "dd/mm/yyyyy",      "dd/mm/yyy", "dd/mm-yyyy",
        "dmyyyy", "dd/dd/yyyy", "dd/mm/yyyy hh:mm", "ddd/mm/yy", "dd/mm/yyyy ",
        "x"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(pv_date_format_parse(wrong[i], &none));
    }
}

/* A number in tenths, or a day of May, in one of several spellings. */
static void spell(unsigned value, unsigned way, bool is_date, char text[40])
{
    static const char *const numbers[][2] = {{"", ""},  {"+", ""},  {"0", ""},
                                             {"", "0"}, {"", "e0"}, {"00", "00"}};
    static const char *const days[][2] = {{"2024-05-", ""}, {"", ".05.2024"},
                                          {"", ".5.2024"},  {"2024/05/", ""},
                                          {"202405", ""},   {"2024-05-", " 00:00"}};
    if (is_date) {
        (void)snprintf(text, 40, "%s%02u%s", days[way][0], value + 1, days[way][1]);
    } else {
        (void)snprintf(text, 40, "%s%u.%u%s", numbers[way][0], value / 10, value % 10,
                       numbers[way][1]);
    }
}

/* Against the obvious: two rows have one code if, and only if, they have one value. */
static void spellings_become_one_value(void **state)
{
    enum { ROWS = 600, WAYS = 6 };
    (void)state;
    for (unsigned round = 0; round < 40; round++) {
        const bool is_date = round % 2 == 1;
        const unsigned n_values = 1 + round % 7 * 4 + round / 7; /* at most 31 */
        static char csv[ROWS * 48];
        unsigned values[ROWS];
        char first[ROWS][40];
        size_t size = (size_t)sprintf(csv, "v,x\n");
        for (unsigned r = 0; r < ROWS; r++) {
            values[r] = (r * 7919 + round * 31 + r * r) % n_values;
            spell(values[r], (r * 31 + r / 7 + round) % WAYS, is_date, first[r]);
            const bool missing = r % 11 == 0;
            values[r] = missing ? UINT32_MAX : values[r];
            size += (size_t)sprintf(csv + size, "%s,1\n", missing ? "NA" : first[r]);
        }
        pv_table *const table = table_of(csv, NULL);
        assert_int_equal(
            pv_table_set_type(table, 0, is_date ? PV_TYPE_DATE : PV_TYPE_DECIMAL, NULL),
            PV_STATUS_OK);
        uint64_t counted = 0;
        uint32_t distinct = 0;
        for (unsigned r = 0; r < ROWS; r++) {
            unsigned earliest = 0;
            while (values[earliest] != values[r]) {
                earliest++;
            }
            const uint32_t code = pv_table_code(table, 0, r);
            assert_string_equal(table_cell(table, r, 0),
                                values[r] == UINT32_MAX ? "NA" : first[earliest]);
            assert_int_equal(code == pv_table_missing(table, 0), values[r] == UINT32_MAX);
            assert_int_equal(code, pv_table_code(table, 0, earliest));
            distinct += earliest == r;
            counted += earliest == r ? pv_table_count(table, 0, code) : 0;
        }
        assert_int_equal(counted, ROWS);
        assert_int_equal(pv_table_values(table, 0), distinct);
        pv_table_free(table);
    }
}

static void text_is_told_by_its_spelling(void **state)
{
    pv_table *const table = table_of("v,w\n1,1\n1.0,1.5\n01,1.50\n", NULL);
    (void)state;
    assert_int_equal(pv_table_values(table, 1), 3);
    assert_int_equal(pv_table_set_type(table, 1, PV_TYPE_TEXT, NULL), PV_STATUS_OK);
    assert_int_equal(pv_table_values(table, 1), 3);
    assert_int_equal(pv_table_set_type(table, 1, PV_TYPE_AUTO, NULL), PV_STATUS_OK);
    assert_int_equal(pv_table_values(table, 1), 2);
    assert_int_equal(pv_table_set_type(table, 0, PV_TYPE_AUTO, NULL), PV_STATUS_OK);
    assert_int_equal(pv_table_values(table, 0), 3); /* 01 is a code */
    assert_int_equal(pv_table_set_type(table, 0, PV_TYPE_DECIMAL, NULL), PV_STATUS_OK);
    assert_int_equal(pv_table_values(table, 0), 1);
    assert_string_equal(table_cell(table, 2, 0), "1");
    pv_table_free(table);
}

static void type_names(void **state)
{
    (void)state;
    assert_string_equal(pv_type_name(PV_TYPE_INTEGER), "integer");
    assert_string_equal(pv_type_name(PV_TYPE_TEXT), "text");
}

/* What programs get to see of them. */
static void numbers_of_codes(void **state)
{
    static const char csv[] = "n,d,t\n1.5,1970-01-02,x\n-2,1969-12-31 12:00,y\n,,z\n";
    pv_table *table = NULL;
    (void)state;
    assert_int_equal(pv_table_read_memory("t", csv, sizeof csv - 1, NULL, NULL, &table, NULL),
                     PV_STATUS_OK);
    for (size_t column = 0; column < 3; column++) {
        assert_int_equal(pv_table_set_type(table, column, PV_TYPE_AUTO, NULL), PV_STATUS_OK);
    }
    assert_true(pv_table_number(table, 0, 0) == 1.5);
    assert_true(pv_table_number(table, 0, 1) == -2);
    assert_true(pv_table_number(table, 1, 0) == 1);
    assert_true(pv_table_number(table, 1, 1) == -0.5);
    assert_true(isnan(pv_table_number(table, 0, 2)));
    assert_true(isnan(pv_table_number(table, 1, 2)));
    assert_true(isnan(pv_table_number(table, 2, 0)));
    pv_table_free(table);
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
        cmocka_unit_test(numbers_with_signs),
        cmocka_unit_test(dates_of_formats),
        cmocka_unit_test(spellings_become_one_value),
        cmocka_unit_test(text_is_told_by_its_spelling),
        cmocka_unit_test(type_names),
        cmocka_unit_test(numbers_of_codes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
