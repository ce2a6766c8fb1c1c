/* A column given to another table: in the same order or another one, with the values that occur. */
#include "support/study.h"
#include "table/column.h"

static void graft(pv_table *table, const pv_table *from, const char *name, const uint64_t *rows)
{
    pv_error error = {0};
    assert_int_equal(pv_i_table_graft(table, from, pv_table_find(from, name), rows, &error),
                     PV_STATUS_OK);
}

static void same_order(void **state)
{
    pv_table *const from = table_of("a,b\n7,x\nNA,y\n8,x\n7,\n", NULL);
    pv_table *const table = table_of("c,z\n1,p\n2,q\n3,p\n4,q\n", NULL);
    (void)state;
    graft(table, from, "b", NULL);
    graft(table, from, "a", NULL);
    assert_int_equal(pv_table_columns(table), 4);
    const size_t a = pv_table_find(table, "a");
    const size_t b = pv_table_find(table, "b");
    assert_true(pv_table_find(table, "c") == 0 && pv_table_find(table, "z") == 1);
    for (uint64_t row = 0; row < 4; row++) {
        assert_string_equal(table_cell(table, row, a),
                            table_cell(from, row, pv_table_find(from, "a")));
        assert_string_equal(table_cell(table, row, b),
                            table_cell(from, row, pv_table_find(from, "b")));
    }
    assert_int_equal(pv_table_missing(table, a), 1);
    assert_int_equal(pv_table_count(table, a, 0), 2);
    assert_int_equal(pv_table_type(table, a), PV_TYPE_INTEGER);
    pv_table_free(table);
    pv_table_free(from);
}

static void another_order(void **state)
{
    const uint64_t rows[] = {3, 0, 3};
    pv_table *const from = table_of("a,b\n7,x\nNA,y\n8,w\n9,z\n", NULL);
    pv_table *const table = table_of("c\n1\n2\n3\n", NULL);
    (void)state;
    graft(table, from, "a", rows);
    graft(table, from, "b", rows);
    const size_t a = pv_table_find(table, "a");
    assert_int_equal(pv_table_values(table, a), 2);
    assert_string_equal(pv_table_value(table, a, 0), "9");
    assert_string_equal(pv_table_value(table, a, 1), "7");
    assert_int_equal(pv_table_count(table, a, 0), 2);
    assert_int_equal(pv_table_missing(table, a), PV_NO_CODE);
    assert_string_equal(table_cell(table, 1, pv_table_find(table, "b")), "x");
    pv_table_free(table);
    pv_table_free(from);
}

/* Some values become one; the others, and which rows have them, stay. */
static void merged_values(void **state)
{
    static const char *const expected[] = {"*", "8", "NA", "*", "*", "8"};
    pv_table *const table = table_of("a,b\n7,x\n8,x\nNA,x\n9,x\n*,x\n8,y\n", NULL);
    pv_error error = {0};
    uint64_t codes = 0;
    (void)state;
    for (uint32_t code = 0; code < pv_table_values(table, 0); code++) {
        const char *const text = pv_table_value(table, 0, code);
        codes |= (uint64_t)(strchr("79*", text[0]) != NULL) << code;
    }
    assert_int_equal(pv_i_table_merge(table, 0, &codes, "*", &error), PV_STATUS_OK);
    assert_int_equal(pv_table_values(table, 0), 3);
    for (uint64_t row = 0; row < 6; row++) {
        assert_string_equal(table_cell(table, row, 0), expected[row]);
    }
    assert_int_equal(pv_table_count(table, 0, pv_table_code(table, 0, 0)), 3);
    assert_int_equal(pv_table_missing(table, 0), pv_table_code(table, 0, 2));
    assert_int_equal(pv_table_find(table, "a"), 0);
    pv_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_order),
        cmocka_unit_test(another_order),
        cmocka_unit_test(merged_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
