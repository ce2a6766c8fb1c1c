/* Every allocation of the room fails once: the status says so, and nothing is left behind. */
#include "support/failing_alloc.h"
#include "support/hierarchy_support.h"

#include "base/error.h"
#include "hierarchy/hierarchy_spec.h"

static const char *const file_text = "a;A;AB;*\nb;B;AB;*\n\"c;c\";C\nd\n?;Q\n";

static pv_status read_file(void *ctx, pv_error *error)
{
    (void)ctx;
    pv_hierarchy_spec spec = {0};
    const pv_status status =
        pv_i_hierarchy_spec_parse("h.csv", file_text, strlen(file_text), &spec, error);
    pv_hierarchy_spec_free(&spec);
    return status;
}

/* Problems are found even so, when there is memory to find them. */
static pv_status read_bad_file(void *ctx, pv_error *error)
{
    (void)ctx;
    const char *const text = "a;X;U\nb;X;V\n\"c\"c;X\na;Y;U\nd;;U\n";
    pv_hierarchy_spec spec = {0};
    const pv_status status = pv_i_hierarchy_spec_parse("h.csv", text, strlen(text), &spec, error);
    assert_null(spec.rows);
    return status == PV_STATUS_INPUT ? PV_STATUS_OK : status;
}

static void test_reading(void **state)
{
    (void)state;
    assert_true(failing_alloc_every(read_file, NULL) > 20);
    assert_true(failing_alloc_every(read_bad_file, NULL) > 20);
}

/* A specification and the table it is for. */
typedef struct job {
    const pv_hierarchy_spec *spec;
    const pv_table *table;
} job;

static pv_status describe(const pv_hierarchy *h, pv_error *error)
{
    char *text = NULL, *drawing = NULL;
    pv_status status = pv_hierarchy_text(h, &text, error);
    if (status == PV_STATUS_OK) {
        status = pv_hierarchy_tree(h, 0, &drawing, error);
    }
    pv_string_free(text);
    pv_string_free(drawing);
    return status;
}

/* Copies, resolves, builds, writes and draws. */
static pv_status build_all(void *ctx, pv_error *error)
{
    const job *const at = ctx;
    pv_hierarchy_spec copy = {0}, resolved = {0};
    pv_hierarchy *h = NULL;
    pv_status status = PV_STATUS_OK;
    PV_TRY_CLEAN(pv_i_hierarchy_spec_copy(at->spec, &copy, error));
    PV_TRY_CLEAN(pv_i_hierarchy_spec_resolve(&copy, at->table, 0, &resolved, error));
    PV_TRY_CLEAN(pv_i_hierarchy_spec_check(&resolved, error));
    PV_TRY_CLEAN(pv_hierarchy_build(&resolved, at->table, 0, &h, error));
    PV_TRY_CLEAN(describe(h, error));
cleanup:
    pv_hierarchy_free(h);
    pv_hierarchy_spec_free(&copy);
    pv_hierarchy_spec_free(&resolved);
    return status;
}

static void exercise(const pv_hierarchy_spec *spec, const char *csv)
{
    pv_table *const table = hierarchy_table(csv);
    job at = {.spec = spec, .table = table};
    assert_true(failing_alloc_every(build_all, &at) > 10);
    pv_table_free(table);
}

static void test_building_rows(void **state)
{
    (void)state;
    pv_hierarchy_spec spec = {0};
    assert_int_equal(pv_i_hierarchy_spec_parse("h.csv", file_text, strlen(file_text), &spec, NULL),
                     PV_STATUS_OK);
    exercise(&spec, "x\nb\n?\nd\nc;c\n*\n");
    spec.missing_group = strdup("A");
    assert_non_null(spec.missing_group);
    exercise(&spec, "x\nb\n?\nd\nc;c\n*\n");
    pv_hierarchy_spec_free(&spec);
}

static void test_building_others(void **state)
{
    (void)state;
    pv_decimal widths[] = {{5, 0}, {10, 0}};
    uint64_t sizes[] = {2, 4};
    pv_date_unit units[] = {PV_DATE_MONTH, PV_DATE_YEAR};
    char *values[] = {TEXT("a"), TEXT("b"), TEXT("c")};
    const struct {
        pv_hierarchy_spec spec;
        const char *csv;
    } cases[] = {
        {{.kind = PV_HIERARCHY_SUPPRESS}, "x\na\nb\n?\n"},
        {{.kind = PV_HIERARCHY_INTERVALS, .widths = widths, .n_widths = 2}, "x\n1\n22\n?\n"},
        {{.kind = PV_HIERARCHY_BREAKS, .breaks = widths, .n_breaks = 2, .missing_last = true},
         "x\n1\n22\n?\n"},
        {{.kind = PV_HIERARCHY_MASK}, "x\nabc\nde\n?\n"},
        {{.kind = PV_HIERARCHY_DATE, .units = units, .n_units = 2}, "x\n2020-01-01\n2021-01-01\n"},
        {{.kind = PV_HIERARCHY_ORDER, .sizes = sizes, .n_sizes = 2}, "x\na\nb\n?\n"},
        {{.kind = PV_HIERARCHY_ORDER,
          .sizes = sizes,
          .n_sizes = 2,
          .values = values,
          .n_values = 3},
         "x\na\nb\n?\n"},
        {{.kind = PV_HIERARCHY_RARE, .rare_rows = 2, .rare_label = TEXT("few")}, "x\na\na\nb\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        exercise(&cases[i].spec, cases[i].csv);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reading),
        cmocka_unit_test(test_building_rows),
        cmocka_unit_test(test_building_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
