/* Hierarchies from texts, and questions about them. */
#include "support/hierarchy_support.h"

#include <paravent/table.h>

pv_table *hierarchy_table(const char *csv)
{
    const pv_read_options options = {.delimiter = ',', .header = PV_CHOICE_YES};
    pv_table *table = NULL;
    pv_error error = {0};
    if (pv_table_read_memory("data.csv", csv, strlen(csv), &options, NULL, &table, &error) !=
        PV_STATUS_OK) {
        fail_msg("%s", error.message);
    }
    return table;
}

pv_hierarchy *hierarchy_of(const pv_hierarchy_spec *spec, const pv_table *table, size_t column)
{
    pv_hierarchy *h = NULL;
    pv_error error = {0};
    if (pv_hierarchy_build(spec, table, column, &h, &error) != PV_STATUS_OK) {
        fail_msg("%s", error.message);
    }
    const char *const problem = hierarchy_problem(h);
    if (problem != NULL) {
        fail_msg("%s", problem);
    }
    return h;
}

pv_hierarchy *hierarchy_of_csv(const pv_hierarchy_spec *spec, const char *csv)
{
    pv_table *const table = hierarchy_table(csv);
    pv_hierarchy *const h = hierarchy_of(spec, table, 0);
    pv_table_free(table);
    return h;
}

void assert_level(const pv_hierarchy *h, unsigned level, const char *expected)
{
    char labels[4096] = "";
    size_t at = 0;
    for (uint32_t g = 0; g < pv_hierarchy_groups(h, level); g++) {
        at += (size_t)snprintf(labels + at, sizeof labels - at, "%s%s", g > 0 ? " " : "",
                               pv_hierarchy_label(h, level, g));
    }
    assert_string_equal(labels, expected);
}

void assert_leaves(const pv_hierarchy *h, unsigned level, const char *expected)
{
    char leaves[4096] = "";
    size_t at = 0;
    for (uint32_t g = 0; g < pv_hierarchy_groups(h, level); g++) {
        at += (size_t)snprintf(leaves + at, sizeof leaves - at, "%s%llu", g > 0 ? " " : "",
                               (unsigned long long)pv_hierarchy_group_leaves(h, level, g));
    }
    assert_string_equal(leaves, expected);
}

void assert_text(const pv_hierarchy *h, const char *expected)
{
    char *text = NULL;
    assert_int_equal(pv_hierarchy_text(h, &text, NULL), PV_STATUS_OK);
    assert_string_equal(text, expected);
    pv_string_free(text);
}

pv_error refusal_of(const pv_hierarchy_spec *spec, const char *csv, pv_status expected)
{
    pv_table *const table = hierarchy_table(csv);
    pv_hierarchy *h = NULL;
    pv_error error = {0};
    assert_int_equal(pv_hierarchy_build(spec, table, 0, &h, &error), expected);
    assert_null(h);
    assert_int_equal(error.status, expected);
    pv_table_free(table);
    return error;
}
