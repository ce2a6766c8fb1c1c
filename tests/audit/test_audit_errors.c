/* What the checker refuses, how it says so, and that it can be stopped. */
#include "support/audit_support.h"

#include "base/buffer.h"

static const char *const quasi[] = {"age", "zip", NULL};
static const char *const sensitive[] = {"disease", NULL};
static const pv_audit_options options = {.quasi = quasi, .sensitive = sensitive};

#define SECRET "Jane-Doe-4711"

static void names_the_missing_file(void **state)
{
    (void)state;
    pv_audit *audit = NULL;
    pv_error error = {0};
    assert_int_equal(pv_audit_file("/no/such/file.csv", &options, NULL, &audit, &error),
                     PV_STATUS_INPUT);
    assert_string_equal(error.file, "/no/such/file.csv");
    assert_int_equal(pv_audit_file("/", &options, NULL, &audit, &error), PV_STATUS_INPUT);
    assert_non_null(strstr(error.message, "folder"));
    assert_int_equal(pv_audit_file("/", &options, NULL, &audit, NULL), PV_STATUS_INPUT);
    assert_null(audit);
}

/* What is wrong with a text, the line it is found on and a word of the message. */
static const struct {
    const char *text;
    pv_status status;
    uint64_t line;
    const char *word;
} refusals[] = {
    {"", PV_STATUS_INPUT, 0, "empty"},
    {"\n\r\n\n", PV_STATUS_INPUT, 0, "empty"},
    {"\xef\xbb\xbf", PV_STATUS_INPUT, 0, "empty"},
    {"age,zip,disease\n", PV_STATUS_INPUT, 0, "no rows"},
    {"age,zip,disease", PV_STATUS_INPUT, 0, "no rows"},
    {"age,zip,disease\n1,2,3\n" SECRET ",2\n", PV_STATUS_INPUT, 3, "2 fields"},
    {"age,zip,disease\n1,2,3\n\n1,2,3,\"" SECRET "\n\"\n", PV_STATUS_INPUT, 4, "4 fields"},
    {"age,zip,disease\n1,2,3\n1,2,\"" SECRET "\n", PV_STATUS_INPUT, 3, "never closed"},
    {"age,zip,disease,age\n1,2,3," SECRET "\n", PV_STATUS_INPUT, 1, "`age`"},
    {"age,city,disease\n1," SECRET ",3\n", PV_STATUS_ARGUMENT, 1, "`zip`"},
    {"\x7f\x45\x4c\x46\x01\x02", PV_STATUS_ARGUMENT, 1, "`age`"},
};

static void refuses_bad_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        const pv_error error = audit_refused(refusals[i].text, &options, refusals[i].status);
        assert_int_equal(error.line, refusals[i].line);
        assert_non_null(strstr(error.message, refusals[i].word));
        assert_true(error.file[0] != '\0');
        assert_true(error.hint[0] != '\0');
        assert_null(strstr(error.message, SECRET));
        assert_null(strstr(error.hint, SECRET));
    }
}

static void lists_the_columns_there_are(void **state)
{
    (void)state;
    const pv_error few = audit_refused("age,city,disease\n1,2,3\n", &options, PV_STATUS_ARGUMENT);
    assert_non_null(strstr(few.hint, "age, city, disease"));
    pv_buffer text = {0};
    for (size_t i = 0; i < 2000; i++) {
        pv_i_buffer_format(&text, "column %zu,", i);
    }
    pv_i_buffer_text(&text, "last\n");
    const pv_error many = audit_refused(text.data, &options, PV_STATUS_ARGUMENT);
    assert_non_null(strstr(many.hint, "column 5, column 6"));
    assert_non_null(strstr(many.hint, "..."));
    pv_i_buffer_deinit(&text);
}

static void refuses_bad_requests(void **state)
{
    (void)state;
    static const char text[] = "age,zip,disease\n1,2,flu\n";
    static const char *const none[] = {NULL};
    static const char *const twice[] = {"age", "age", NULL};
    static const char *const as_both[] = {"zip", NULL};
    static const pv_distance hierarchical[] = {PV_DISTANCE_HIERARCHICAL};
    static const pv_audit_reading integer[] = {{.type = PV_TYPE_INTEGER}};
    static const pv_audit_reading date[] = {{.type = PV_TYPE_DATE}};
    const pv_measure_ref glm = {.measure = pv_measure_find("glm")};
    const pv_measure_ref of_nobody = {.measure = pv_measure_find("l-distinct"), .column = "nobody"};
    const pv_measure_ref of_quasi = {.measure = pv_measure_find("l-distinct"), .column = "zip"};
    const struct {
        pv_audit_options options;
        pv_status status;
    } requests[] = {
        {{.quasi = quasi, .sensitive = sensitive, .extra = &of_nobody, .n_extra = 1},
         PV_STATUS_ARGUMENT},
        {{.quasi = quasi, .sensitive = sensitive, .extra = &of_quasi, .n_extra = 1},
         PV_STATUS_ARGUMENT},
        {{.quasi = quasi, .extra = &of_quasi, .n_extra = 1}, PV_STATUS_ARGUMENT},
        {{.quasi = none}, PV_STATUS_ARGUMENT},
        {{.quasi = NULL}, PV_STATUS_ARGUMENT},
        {{.quasi = twice}, PV_STATUS_ARGUMENT},
        {{.quasi = quasi, .sensitive = as_both}, PV_STATUS_ARGUMENT},
        {{.quasi = quasi, .label = "zip"}, PV_STATUS_ARGUMENT},
        {{.quasi = quasi, .label = "nobody"}, PV_STATUS_ARGUMENT},
        {{.quasi = quasi, .delimiter = '"'}, PV_STATUS_ARGUMENT},
        {{.quasi = quasi, .delimiter = '\n'}, PV_STATUS_ARGUMENT},
        {{.quasi = quasi, .extra = &glm, .n_extra = 1}, PV_STATUS_ARGUMENT},
        {{.quasi = quasi, .sensitive = sensitive, .distances = hierarchical}, PV_STATUS_ARGUMENT},
        {{.quasi = quasi, .sensitive = sensitive, .sensitive_readings = integer}, PV_STATUS_INPUT},
        {{.quasi = quasi, .sensitive = sensitive, .sensitive_readings = date}, PV_STATUS_INPUT},
    };
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        (void)audit_refused(text, &requests[i].options, requests[i].status);
    }
}

/* The line of the value, but not the value. */
static void names_the_line_outside_the_hierarchy(void **state)
{
    (void)state;
    static const pv_distance hierarchical[] = {PV_DISTANCE_HIERARCHICAL};
    char flu[] = "flu";
    char lung[] = "lung";
    char *path[] = {flu, lung, NULL};
    char **rows[] = {path};
    const pv_hierarchy_spec spec = {.kind = PV_HIERARCHY_ROWS, .rows = rows, .n_rows = 1};
    pv_hierarchy *hierarchy = NULL;
    assert_int_equal(pv_hierarchy_build_standalone(&spec, &hierarchy, NULL), PV_STATUS_OK);
    const pv_hierarchy *const hierarchies[] = {hierarchy};
    const pv_audit_options by_tree = {.quasi = quasi,
                                      .sensitive = sensitive,
                                      .distances = hierarchical,
                                      .sensitive_hierarchies = hierarchies};
    const pv_error error = audit_refused("age,zip,disease\n1,2,flu\n1,2," SECRET "\n1,2,flu\n",
                                         &by_tree, PV_STATUS_INPUT);
    assert_int_equal(error.line, 3);
    assert_null(strstr(error.message, SECRET));
    pv_audit *const audit = audit_text("age,zip,disease\n1,2,flu\n1,2,flu\n", &by_tree);
    assert_near(audit_value(audit, "t-closeness"), 0);
    pv_audit_free(audit);
    pv_hierarchy_free(hierarchy);
}

/* ---- stopping ---- */

typedef struct {
    size_t calls, allowed;
} patience;

static bool keep_going(void *ctx, const pv_progress *progress)
{
    patience *const p = ctx;
    assert_string_equal(progress->phase, "checking");
    return p->calls++ < p->allowed;
}

/* However often it reports, stopping at any report leaves nothing behind. */
static void stops_when_asked(void **state)
{
    (void)state;
    const audit_file file = audit_file_text("age,zip,disease\n1,2,3\n4,*,6\n*,*,6\n");
    pv_status status = PV_STATUS_CANCELLED;
    size_t allowed = 0;
    for (; status == PV_STATUS_CANCELLED; allowed++) {
        patience p = {.allowed = allowed};
        const pv_context context = {.progress = keep_going, .progress_ctx = &p};
        pv_audit *audit = NULL;
        pv_error error = {0};
        status = pv_audit_file(file.path, &options, &context, &audit, &error);
        assert_int_equal(audit != NULL, status == PV_STATUS_OK);
        pv_audit_free(audit);
    }
    assert_int_equal(status, PV_STATUS_OK);
    assert_true(allowed > 2);
    audit_file_remove(&file);
}

static void reads_standard_input(void **state)
{
    (void)state;
    const audit_file file = audit_file_text("age,zip,disease\n1,2,3\n1,2,4\n");
    pv_audit *audit = NULL;
    pv_error error = {0};
    assert_non_null(freopen(file.path, "r", stdin));
    assert_int_equal(pv_audit_file("-", &options, NULL, &audit, &error), PV_STATUS_OK);
    assert_int_equal(audit->k, 2);
    pv_audit_free(audit);
    audit = NULL;
    /* At its end now. */
    assert_int_equal(pv_audit_file("-", &options, NULL, &audit, &error), PV_STATUS_INPUT);
    assert_string_equal(error.file, "standard input");
    pv_audit_free(NULL);
    audit_file_remove(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_the_missing_file),
        cmocka_unit_test(refuses_bad_files),
        cmocka_unit_test(lists_the_columns_there_are),
        cmocka_unit_test(refuses_bad_requests),
        cmocka_unit_test(names_the_line_outside_the_hierarchy),
        cmocka_unit_test(stops_when_asked),
        cmocka_unit_test(reads_standard_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
