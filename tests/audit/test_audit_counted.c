/* Equal rows in one line that says how many they are, against the same rows one by one: every
 * figure of the checker must be the same. */
#include "support/audit_support.h"

#include "base/buffer.h"
#include "base/rng.h"

#define N_FILES 300
#define MOST_LINES 30
#define MOST_TIMES 5

static const char *const quasi[] = {"age", "sex", NULL};
static const char *const sensitive[] = {"disease", NULL};
static const char header[] = "age,sex,disease,town,income";

static const pv_audit_options plain = {
    .quasi = quasi, .sensitive = sensitive, .label = "income", .trim = true, .unchanged = true};

static pv_audit *audited(const pv_buffer *text, bool counted)
{
    pv_audit_options options = plain;
    options.counted = counted;
    return audit_text(text->data, &options);
}

static void put(pv_buffer *text, const char *line, uint64_t times, bool counted)
{
    if (counted) {
        pv_i_buffer_format(text, "%s,%u\n", line, (unsigned)times);
        return;
    }
    for (uint64_t i = 0; i < times; i++) {
        pv_i_buffer_format(text, "%s\n", line);
    }
}

/* Lines may be equal: then their numbers add up. */
static void make(pv_rng *rng, pv_buffer *rows, pv_buffer *lines)
{
    static const char *const ages[] = {"*", "0-39", "40-79", "", " 80"};
    static const char *const diseases[] = {"flu", "1", "1.0", "NA", "\"a,b\""};
    const uint64_t n = 1 + pv_i_rng_below(rng, MOST_LINES);
    pv_i_buffer_format(rows, "%s\n", header);
    pv_i_buffer_format(lines, "%s,age\n", header); /* the name of the number does not count */
    for (uint64_t i = 0; i < n; i++) {
        char line[128];
        (void)snprintf(line, sizeof line, "%s,%s,%s,t%u,%u", ages[pv_i_rng_below(rng, 5)],
                       pv_i_rng_below(rng, 2) == 0 ? "*" : "m", diseases[pv_i_rng_below(rng, 5)],
                       (unsigned)pv_i_rng_below(rng, 3), (unsigned)pv_i_rng_below(rng, 2));
        const uint64_t times = 1 + pv_i_rng_below(rng, MOST_TIMES);
        put(rows, line, times, false);
        put(lines, line, times, true);
    }
}

static void same_values(const pv_audit *a, const pv_audit *b)
{
    size_t n;
    size_t m;
    const pv_audit_value *const left = pv_audit_values(a, &n);
    const pv_audit_value *const right = pv_audit_values(b, &m);
    assert_int_equal(n, m);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(left[i].available, right[i].available);
        assert_memory_equal(&left[i].value, &right[i].value, sizeof(double));
        assert_int_equal(left[i].sensitive, right[i].sensitive);
    }
}

static void same_unchanged(const pv_audit *a, const pv_audit *b)
{
    size_t n;
    size_t m;
    const pv_audit_unchanged *const left = pv_audit_unchanged_columns(a, &n);
    const pv_audit_unchanged *const right = pv_audit_unchanged_columns(b, &m);
    assert_int_equal(n, m);
    for (size_t i = 0; i < n; i++) {
        assert_string_equal(left[i].name, right[i].name);
        assert_int_equal(left[i].values, right[i].values);
        assert_int_equal(left[i].missing, right[i].missing);
        assert_int_equal(left[i].unique, right[i].unique);
        assert_int_equal(left[i].unique_with, right[i].unique_with);
        assert_int_equal(left[i].k_with, right[i].k_with);
    }
}

static void same(const pv_audit *a, const pv_audit *b)
{
    size_t n;
    size_t m;
    assert_int_equal(pv_audit_rows(a), pv_audit_rows(b));
    assert_int_equal(pv_audit_trimmed(a), pv_audit_trimmed(b));
    assert_int_equal(pv_audit_missing(a), pv_audit_missing(b));
    assert_int_equal(pv_audit_suppressed(a), pv_audit_suppressed(b));
    assert_int_equal(pv_audit_starred_cells(a), pv_audit_starred_cells(b));
    assert_int_equal(pv_audit_classes(a), pv_audit_classes(b));
    assert_int_equal(pv_audit_k(a), pv_audit_k(b));
    assert_int_equal(pv_audit_unique_rows(a), pv_audit_unique_rows(b));
    assert_int_equal(pv_audit_k_wildcard(a), pv_audit_k_wildcard(b));
    assert_int_equal(pv_audit_unique_rows_wildcard(a), pv_audit_unique_rows_wildcard(b));
    assert_near(pv_audit_risk_mean_wildcard(a), pv_audit_risk_mean_wildcard(b));
    const uint64_t *const left = pv_audit_histogram(a, &n);
    const uint64_t *const right = pv_audit_histogram(b, &m);
    assert_int_equal(n, m);
    assert_memory_equal(left, right, n * sizeof *left);
    same_values(a, b);
    same_unchanged(a, b);
}

static void equal_rows_in_one_line(void **state)
{
    (void)state;
    pv_rng rng;
    pv_i_rng_init(&rng, 19);
    for (size_t i = 0; i < effort(N_FILES); i++) {
        pv_buffer rows = {0};
        pv_buffer lines = {0};
        make(&rng, &rows, &lines);
        pv_audit *const a = audited(&rows, false);
        pv_audit *const b = audited(&lines, true);
        same(a, b);
        pv_audit_free(a);
        pv_audit_free(b);
        pv_i_buffer_deinit(&rows);
        pv_i_buffer_deinit(&lines);
    }
}

static void what_is_no_number(void **state)
{
    (void)state;
    static const char *const wrong[] = {"0",   "-1",   "1.5",           "", "x", "+3",
                                        "1e3", "0x10", "99999999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[128];
        pv_audit_options options = plain;
        options.counted = true;
        (void)snprintf(text, sizeof text, "%s,n\n1,m,flu,t,1,2\n1,m,flu,t,1,%s\n", header,
                       wrong[i]);
        const pv_error error = audit_refused(text, &options, PV_STATUS_INPUT);
        assert_int_equal(error.line, 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equal_rows_in_one_line),
                                       cmocka_unit_test(what_is_no_number)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
