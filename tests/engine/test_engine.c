/* Columns of a SELECT, client libraries that are not there. */
#include "support/testing.h"

#include "engine/engine.h"
#include "engine/library.h"

static void test_columns(void **state)
{
    pv_engine_columns columns = {0};
    (void)state;
    assert_int_equal(pv_i_engine_columns_add(&columns, "age, of all", 3, "integer", NULL),
                     PV_STATUS_OK);
    assert_int_equal(pv_i_engine_columns_add(&columns, "b", 1, "text", NULL), PV_STATUS_OK);
    assert_int_equal(columns.n, 2);
    assert_string_equal(columns.columns[0].name, "age");
    assert_string_equal(columns.columns[1].type, "text");
    pv_i_engine_columns_deinit(&columns);
    assert_int_equal(columns.n, 0);
}

static void test_library_that_is_not_there(void **state)
{
    static const char *const names[] = {"libparavent-has-no-such.so.1", NULL};
    void *library = NULL;
    pv_error error = {0};
    (void)state;
    assert_int_equal(pv_i_library_open("Nothing", names, "install it", &library, &error),
                     PV_STATUS_UNSUPPORTED);
    assert_null(library);
    assert_string_equal(error.hint, "install it");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_library_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
