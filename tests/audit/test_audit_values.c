/* The checker takes numbers and dates by value: a file in many spellings measures like the same
 * file in one. */
#include "support/audit_support.h"

enum { ROWS = 400 };

static const char *const quasi[] = {"age", "day", NULL};
static const char *const sensitive[] = {"cost", NULL};

static char *put_number(char *csv, unsigned way, unsigned number)
{
    static const char *const ways[][2] = {{"", ""},  {"", ".0"},  {"+", ""},
                                          {"", "."}, {"", ".00"}, {"", "e0"}};
    return csv + sprintf(csv, "%s%u%s", ways[way % 6][0], number, ways[way % 6][1]);
}

static char *put_day(char *csv, unsigned way, unsigned day)
{
    static const char *const ways[][2] = {
        {"2024-05-", ""}, {"0", ".05.2024"}, {"", ".5.2024"}, {"2024/05/0", ""}};
    return csv + sprintf(csv, "%s%u%s", ways[way % 4][0], day, ways[way % 4][1]);
}

/* Some `*`, some missing, and the rest spelled in `ways` ways. */
static void write_file(unsigned seed, unsigned ways, char *csv)
{
    unsigned random = seed * 2654435761u + 1;
    csv += sprintf(csv, "age,day,cost,label\n");
    for (unsigned r = 0; r < ROWS; r++) {
        unsigned parts[4];
        for (size_t i = 0; i < 4; i++) {
            random = random * 1664525u + 1013904223u;
            parts[i] = random >> 16;
        }
        const unsigned way = parts[3] % ways;
        if (parts[0] % 37 == 0) {
            csv += sprintf(csv, "*,*,");
        } else {
            csv = put_number(csv, way, 20 + parts[0] % 5);
            csv += sprintf(csv, ",");
            csv =
                parts[1] % 29 == 0 ? csv + sprintf(csv, "NA") : put_day(csv, way, 1 + parts[1] % 3);
            csv += sprintf(csv, ",");
        }
        csv = put_number(csv, way / 2 + way, 100 + parts[2] % 7);
        csv += sprintf(csv, ",");
        csv = put_number(csv, way + 1, parts[2] % 2);
        csv += sprintf(csv, "\n");
    }
}

static pv_audit *check(const char *csv)
{
    return audit_text(
        csv, &(pv_audit_options){
                 .delimiter = ',', .quasi = quasi, .sensitive = sensitive, .label = "label"});
}

static void spellings_do_not_matter(void **state)
{
    static char one[ROWS * 64];
    static char many[ROWS * 64];
    (void)state;
    for (unsigned seed = 1; seed <= 20; seed++) {
        write_file(seed, 1, one);
        write_file(seed, 12, many);
        pv_audit *const plain = check(one);
        pv_audit *const mixed = check(many);
        assert_int_equal(mixed->k, plain->k);
        assert_int_equal(mixed->classes, plain->classes);
        assert_int_equal(mixed->suppressed, plain->suppressed);
        assert_int_equal(mixed->starred_cells, plain->starred_cells);
        assert_int_equal(mixed->k_wildcard, plain->k_wildcard);
        assert_int_equal(mixed->n_values, plain->n_values);
        for (size_t i = 0; i < plain->n_values; i++) {
            assert_int_equal(mixed->values[i].available, plain->values[i].available);
            assert_near(mixed->values[i].value, plain->values[i].value);
        }
        pv_audit_free(plain);
        pv_audit_free(mixed);
    }
}

static const char codes[] = "age,day,cost\n1,a,1\n1,a,1.0\n1,a,01\n1,a,1\n";

static void declared_types_count(void **state)
{
    const pv_audit_reading as_number = {.type = PV_TYPE_DECIMAL};
    const pv_audit_reading as_text = {.type = PV_TYPE_TEXT};
    pv_audit_options options = {.delimiter = ',', .quasi = quasi, .sensitive = sensitive};
    (void)state;
    pv_audit *audit = audit_text(codes, &options); /* 01 is a code, so all are */
    assert_near(audit_value(audit, "l-distinct"), 3);
    pv_audit_free(audit);
    options.sensitive_readings = &as_number;
    audit = audit_text(codes, &options);
    assert_near(audit_value(audit, "l-distinct"), 1);
    pv_audit_free(audit);
    options.sensitive_readings = &as_text;
    audit = audit_text(codes, &options);
    assert_near(audit_value(audit, "l-distinct"), 3);
    pv_audit_free(audit);
}

/* One value in the format of its row, and what it must equal. */
static void formats_are_read(void **state)
{
    static const struct {
        pv_type type;
        pv_format format;
        const char *a, *b;
        bool equal;
    } cases[] = {
        {PV_TYPE_DECIMAL, {.decimal = ','}, "\"1.234,50\"", "\"1234,5\"", true},
        {PV_TYPE_DECIMAL, {.decimal = ','}, "1.234", "1234", true},
        {PV_TYPE_DECIMAL, {.decimal = ','}, "1'234", "1234", true},
        {PV_TYPE_DECIMAL, {.decimal = '.'}, "\"1,234.50\"", "1234.5", true},
        {PV_TYPE_DECIMAL, {.decimal = '.'}, "1.234", "1234", false},
        {PV_TYPE_DATE, {.date = "dd/mm/yyyy"}, "02/01/2024", "2024-01-02", true},
        {PV_TYPE_DATE, {.date = "mm/dd/yyyy"}, "02/01/2024", "1.2.2024", true},
        {PV_TYPE_DATE, {.date = "dd.mm.yy", .first_year = 1930}, "01.02.30", "1930-02-01", true},
        {PV_TYPE_DATE, {.date = "dd.mm.yy", .first_year = 1930}, "01.02.29", "2029-02-01", true},
        {PV_TYPE_DATE, {.date = ""}, "2024-05-31 13:45", "2024-05-31T13:45:00", true},
        {PV_TYPE_DATE, {.date = ""}, "2024-05-31 00:00", "20240531", true},
        {PV_TYPE_DATE, {.date = ""}, "2024-05-31 13:45", "2024-05-31", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char csv[256];
        const pv_audit_reading reading = {.type = cases[i].type, .format = cases[i].format};
        const pv_audit_options options = {.delimiter = ',',
                                          .quasi = quasi,
                                          .sensitive = sensitive,
                                          .sensitive_readings = &reading};
        (void)snprintf(csv, sizeof csv, "age,day,cost\n1,a,%s\n1,a,%s\n", cases[i].a, cases[i].b);
        pv_audit *const audit = audit_text(csv, &options);
        assert_near(audit_value(audit, "l-distinct"), cases[i].equal ? 1 : 2);
        pv_audit_free(audit);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spellings_do_not_matter),
        cmocka_unit_test(declared_types_count),
        cmocka_unit_test(formats_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
