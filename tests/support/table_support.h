/* Tables from texts, for tests. */
#ifndef PV_TESTS_TABLE_SUPPORT_H
#define PV_TESTS_TABLE_SUPPORT_H

/* cmocka.h needs these four before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <paravent/table.h>
#include <string.h>

static inline pv_status table_status(const char *text, const pv_read_options *options,
                                     pv_table **table, pv_error *error)
{
    return pv_table_read_memory("test.csv", text, strlen(text), options, NULL, table, error);
}

/* A text that must be in order. */
static inline pv_table *table_of(const char *text, const pv_read_options *options)
{
    pv_table *table = NULL;
    pv_error error = {0};
    const pv_status status = table_status(text, options, &table, &error);
    if (status != PV_STATUS_OK) {
        print_error("line %llu: %s\n", (unsigned long long)error.line, error.message);
    }
    assert_int_equal(status, PV_STATUS_OK);
    return table;
}

static inline const char *table_cell(const pv_table *table, uint64_t row, size_t column)
{
    return pv_table_value(table, column, pv_table_code(table, column, row));
}

#endif
