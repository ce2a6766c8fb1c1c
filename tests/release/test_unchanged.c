/* Columns that are released without being generalized: what the checker counts of them, against
 * counting by hand on random tables; what a release refuses; and that the certificate does not know
 * more than the released file. */
#include "audit/audit.h"
#include "release/release.h"
#include "support/files.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "base/rng.h"

#include "scheme/scheme.h"
#include <paravent/paravent.h>

/* ------------------------------------------------------ the checker's count */

enum { ROWS = 12, COLUMNS = 4 }; /* two quasi-identifiers, two others */

typedef struct {
    unsigned cell[ROWS][COLUMNS]; /* 0 = missing; in a quasi-identifier: `*` */
    size_t n;
} small_table;

static small_table draw_table(pv_rng *rng)
{
    small_table t = {.n = 1 + pv_i_rng_below(rng, ROWS)};
    for (size_t row = 0; row < t.n; row++) {
        for (size_t c = 0; c < COLUMNS; c++) {
            t.cell[row][c] = (unsigned)pv_i_rng_below(rng, c < 2 ? 3 : 5);
        }
    }
    return t;
}

static void write_small(const small_table *t, const char *path)
{
    FILE *const file = fopen(path, "w");
    assert_non_null(file);
    (void)fputs("a,x,b,y\n", file); /* quasi-identifiers and others in turn */
    for (size_t row = 0; row < t->n; row++) {
        static const size_t order[COLUMNS] = {0, 2, 1, 3};
        for (size_t i = 0; i < COLUMNS; i++) {
            const unsigned value = t->cell[row][order[i]];
            (void)fputs(i > 0 ? "," : "", file);
            if (value > 0) {
                (void)fprintf(file, "v%u", value);
            } else {
                (void)fputs(order[i] < 2 ? "*" : "NA", file);
            }
        }
        (void)fputs("\n", file);
    }
    assert_int_equal(fclose(file), 0);
}

static bool is_starred(const small_table *t, size_t row)
{
    return t->cell[row][0] == 0 && t->cell[row][1] == 0;
}

/* A table that is nothing but stars has nobody suppressed. */
static bool is_suppressed(const small_table *t, size_t row)
{
    bool all = true;
    for (size_t i = 0; i < t->n; i++) {
        all = all && is_starred(t, i);
    }
    return !all && is_starred(t, row);
}

static uint64_t alike(const small_table *t, size_t row, size_t column, bool with_quasi)
{
    uint64_t n = 0;
    for (size_t i = 0; i < t->n; i++) {
        n +=
            t->cell[i][column] == t->cell[row][column] &&
            (!with_quasi || (t->cell[i][0] == t->cell[row][0] && t->cell[i][1] == t->cell[row][1]));
    }
    return n;
}

/* In the columns from `first` on: also in all of them. */
static uint64_t alike_in_all(const small_table *t, size_t row, size_t first)
{
    uint64_t n = 0;
    for (size_t i = 0; i < t->n; i++) {
        bool same = t->cell[i][0] == t->cell[row][0] && t->cell[i][1] == t->cell[row][1];
        for (size_t c = first; c < COLUMNS; c++) {
            same = same && t->cell[i][c] == t->cell[row][c];
        }
        n += same;
    }
    return n;
}

static pv_audit_unchanged by_hand(const small_table *t, size_t column)
{
    pv_audit_unchanged found = {0};
    for (size_t row = 0; row < t->n; row++) {
        const uint64_t n = alike(t, row, column, true);
        bool first = true;
        for (size_t i = 0; i < row; i++) {
            first = first && t->cell[i][column] != t->cell[row][column];
        }
        found.values += first;
        found.missing += t->cell[row][column] == 0;
        found.unique += alike(t, row, column, false) == 1;
        found.unique_with += n == 1;
        if (!is_suppressed(t, row)) {
            found.k_with = found.k_with == 0 || n < found.k_with ? n : found.k_with;
        }
    }
    return found;
}

static void check_quasi_values(const small_table *t, const pv_audit *audit)
{
    for (size_t q = 0; q < 2; q++) {
        uint64_t values = 0;
        for (unsigned v = 0; v < 3; v++) {
            bool occurs = false;
            for (size_t row = 0; row < t->n; row++) {
                occurs = occurs || (t->cell[row][q] == v && !is_suppressed(t, row));
            }
            values += occurs;
        }
        assert_int_equal(audit->quasi_values[q], values);
    }
}

static void check_together(const small_table *t, const pv_audit *audit)
{
    uint64_t unique = 0;
    uint64_t k = 0;
    for (size_t row = 0; row < t->n; row++) {
        const uint64_t n = alike_in_all(t, row, 2);
        unique += n == 1;
        k = !is_suppressed(t, row) && (k == 0 || n < k) ? n : k;
    }
    assert_int_equal(audit->together.columns, COLUMNS - 2);
    assert_int_equal(audit->together.unique_with, unique);
    assert_int_equal(audit->together.k_with, k);
}

static void check_small(const small_table *t, const char *path, bool with_sensitive)
{
    static const char *const quasi[] = {"a", "b", NULL};
    static const char *const sensitive[] = {"y", NULL};
    const pv_audit_options options = {
        .quasi = quasi, .sensitive = with_sensitive ? sensitive : NULL, .unchanged = true};
    pv_audit *audit = NULL;
    write_small(t, path);
    assert_int_equal(pv_audit_file(path, &options, NULL, &audit, NULL), PV_STATUS_OK);
    assert_int_equal(audit->n_unchanged, 2);
    assert_string_equal(audit->unchanged[0].name, "x");
    assert_string_equal(audit->unchanged[1].name, "y");
    for (size_t i = 0; i < 2; i++) {
        const pv_audit_unchanged expected = by_hand(t, 2 + i);
        assert_int_equal(audit->unchanged[i].values, expected.values);
        assert_int_equal(audit->unchanged[i].missing, expected.missing);
        assert_int_equal(audit->unchanged[i].unique, expected.unique);
        assert_int_equal(audit->unchanged[i].unique_with, expected.unique_with);
        assert_int_equal(audit->unchanged[i].k_with, expected.k_with);
    }
    check_quasi_values(t, audit);
    if (with_sensitive) {
        assert_int_equal(audit->together.columns, 0); /* one column is no company */
    } else {
        check_together(t, audit);
    }
    pv_audit_free(audit);
}

static void counts_agree_with_counting_by_hand(void **state)
{
    (void)state;
    const scratch_folder folder = scratch_folder_create("t.csv");
    pv_rng rng;
    pv_i_rng_init(&rng, 13);
    for (unsigned trial = 0; trial < 400; trial++) {
        const small_table t = draw_table(&rng);
        check_small(&t, folder.file, trial % 2 == 0);
    }
    scratch_folder_remove(&folder);
}

/* ------------------------------------------------------- what is released */

/* Two of each combination; `pair` occurs twice each, but never twice with the same combination;
 * `key` is another one in every row; everyone over 100 is suppressed. */
static const char people[] = "age,sex,pair,key,colour,pay,gap\n"
                             "21,f,p1,11.5,red,1,yes\n"
                             "22,f,p2,12.5,red,1,\n"
                             "31,m,p1,13.5,red,2,yes\n"
                             "32,m,p2,14.5,red,2,yes\n"
                             "41,f,p3,15.5,blue,1,yes\n"
                             "42,f,p4,16.5,blue,1,yes\n"
                             "51,m,p3,17.5,blue,2,yes\n"
                             "52,m,p4,18.5,blue,2,yes\n"
                             "113,m,p1,19.5,red,1,yes\n";

/* Sixteen people, four of each combination; `left` and `right` each leave two of them alike, both
 * together nobody; `half` has a number of its own for half of the people. */
static const char crowd[] = "age,sex,left,right,half\n"
                            "21,f,a,c,1\n21,f,a,d,2\n21,f,b,c,\n21,f,b,d,\n"
                            "21,m,a,c,3\n21,m,a,d,4\n21,m,b,c,\n21,m,b,d,\n"
                            "41,f,a,c,5\n41,f,a,d,6\n41,f,b,c,\n41,f,b,d,\n"
                            "41,m,a,c,7\n41,m,a,d,8\n41,m,b,c,\n41,m,b,d,\n";

typedef struct {
    scratch_folder folder;
    pv_status status;
    pv_release_result *result;
    pv_error error;
} attempt;

static attempt release_rows(const char *rows, const char *columns, uint64_t k)
{
    attempt a = {.folder = scratch_folder_create("out.csv")};
    pv_plan *plan = NULL;
    pv_table *table = NULL;
    pv_study *study = NULL;
    pv_profile *profile = NULL;
    pv_scheme scheme;
    char text[1024];
    (void)snprintf(text, sizeof text,
                   "suppression: 1\n%sattributes:\n"
                   "  age: {role: quasi, hierarchy: {intervals: [10, 20]}}\n  sex: {role: quasi}\n"
                   "%s",
                   strncmp(columns, "others", 6) == 0 ? "others: keep\n" : "",
                   strncmp(columns, "others", 6) == 0 ? "" : columns);
    assert_int_equal(pv_plan_parse("plan.yaml", text, strlen(text), &plan, &a.error), 0);
    assert_int_equal(
        pv_table_read_memory("people.csv", rows, strlen(rows), NULL, NULL, &table, &a.error), 0);
    assert_int_equal(pv_study_bind(plan, table, &study, &a.error), 0);
    assert_int_equal(pv_profile_create(study, NULL, &profile, &a.error), 0);
    assert_int_equal(pv_i_scheme_init(&scheme, study, &a.error), 0);
    assert_int_equal(pv_scheme_parse(&scheme, study, "1,0", &a.error), 0);
    const pv_constraint demand = {.ref = {.measure = pv_measure_find("k")}, .bound = (double)k};
    const pv_release_settings options = {
        .output = a.folder.file,
        .suppression = {.whole_budget = true, .budget = pv_study_budget(study)},
        .asked.constraints = &demand,
        .asked.n_constraints = k > 0};
    a.status = pv_i_release_write(&scheme, profile, &options, NULL, &a.result, &a.error);
    pv_i_scheme_deinit(&scheme);
    pv_profile_free(profile);
    pv_study_free(study);
    pv_plan_free(plan);
    return a;
}

static attempt release_people(const char *columns)
{
    return release_rows(people, columns, 0);
}

static void attempt_end(attempt *a)
{
    pv_release_result_free(a->result);
    scratch_folder_remove(&a->folder);
}

static void assert_header(const attempt *a, const char *expected)
{
    assert_int_equal(a->status, PV_STATUS_OK);
    char *const text = scratch_text(pv_release_path(a->result, PV_FILE_TABLE));
    text[strcspn(text, "\n")] = '\0';
    assert_string_equal(text, expected);
    pv_i_free(text);
}

static void columns_that_are_not_named_are_dropped(void **state)
{
    (void)state;
    attempt a = release_people("");
    assert_header(&a, "age,sex");
    attempt_end(&a);
}

static void refuse_rows(const char *rows, const char *columns, uint64_t k, const char *about)
{
    attempt a = release_rows(rows, columns, k);
    assert_int_equal(a.status, PV_STATUS_UNSATISFIED);
    assert_non_null(strstr(a.error.message, about));
    assert_non_null(strstr(a.error.hint, "unique: accepted"));
    assert_int_equal(scratch_folder_files(&a.folder), 0);
    assert_null(strstr(a.error.message, "p1"));
    assert_null(strstr(a.error.message, "11.5"));
    attempt_end(&a);
}

static void refuse(const char *columns, const char *about)
{
    refuse_rows(people, columns, 0, about);
}

static void what_singles_people_out_is_refused(void **state)
{
    (void)state;
    refuse("  key: {role: other}\n",
           "`key` would be released unchanged and singles people out: 9 of its 9 values");
    refuse("  pair: {role: other}\n", "with the quasi-identifiers 9 rows are alone");
    refuse("  gap: {role: other}\n", "1 of its 2 values occur in one row only");
    refuse("  key: {role: sensitive}\n", "`key`");
    refuse("  key: {role: label}\n", "`key`");
    refuse("others", "`pair`");
}

static void what_undoes_the_demanded_k_is_refused(void **state)
{
    (void)state;
    attempt a = release_rows(crowd, "  left: {role: other}\n", 0);
    assert_header(&a, "age,sex,left");
    attempt_end(&a);
    refuse_rows(crowd, "  left: {role: other}\n", 4, "only 2 rows look alike, not 4");
}

static void columns_are_judged_together_too(void **state)
{
    (void)state;
    refuse_rows(crowd, "  left: {role: other}\n  right: {role: other}\n", 0,
                "the 2 columns with the role `other` would be released unchanged and single "
                "people out together: with the quasi-identifiers 16 rows are alone");
    attempt a =
        release_rows(crowd, "  left: {role: other, unique: accepted}\n  right: {role: other}\n", 0);
    assert_header(&a, "age,sex,left,right");
    attempt_end(&a);
}

static void a_sensitive_key_with_gaps_is_a_key(void **state)
{
    (void)state;
    refuse_rows(crowd, "  half: {role: sensitive}\n", 0, "`half`");
}

static void what_singles_nobody_out_is_released(void **state)
{
    (void)state;
    attempt a = release_people("  colour: {role: other}\n  pay: {role: other}\n");
    assert_header(&a, "age,sex,colour,pay");
    assert_int_equal(pv_release_audit(a.result)->n_unchanged, 2);
    assert_int_equal(pv_release_audit(a.result)->unchanged[0].k_with, 2);
    assert_int_equal(pv_release_audit(a.result)->together.k_with, 2);
    attempt_end(&a);
    a = release_people("  pair: {role: sensitive}\n");
    assert_header(&a, "age,sex,pair");
    attempt_end(&a);
}

static bool file_has(const char *path, const char *word)
{
    char *const text = scratch_text(path);
    const bool has = strstr(text, word) != NULL;
    pv_i_free(text);
    return has;
}

static void what_was_accepted_is_released_but_not_under_a_green_mark(void **state)
{
    (void)state;
    attempt a = release_people("  key: {role: other, unique: accepted}\n");
    assert_header(&a, "age,sex,key");
    assert_true(
        file_has(pv_release_path(a.result, PV_FILE_CERTIFICATE), "\"verdict\": \"accepted\""));
    assert_true(file_has(pv_release_path(a.result, PV_FILE_CERTIFICATE), "\"name\": \"key\""));
    assert_true(file_has(pv_release_path(a.result, PV_FILE_CERTIFICATE_PAGE),
                         "singles people out, accepted"));
    attempt_end(&a);
}

/* The oldest person is suppressed: the release has nobody over 59. */
static void the_certificate_knows_no_more_than_the_release(void **state)
{
    (void)state;
    attempt a = release_people("");
    const pv_release_result *const r = a.result;
    assert_int_equal(r->suppressed, 1);
    assert_false(file_has(pv_release_path(r, PV_FILE_TABLE), "110-119"));
    assert_false(file_has(pv_release_path(r, PV_FILE_CERTIFICATE), "110-119"));
    assert_false(file_has(pv_release_path(r, PV_FILE_CERTIFICATE_PAGE), "110-119"));
    assert_false(file_has(pv_release_path(r, PV_FILE_CERTIFICATE), "before"));
    assert_false(file_has(pv_release_path(r, PV_FILE_CERTIFICATE_PAGE), "before: "));
    assert_false(file_has(pv_release_path(r, PV_FILE_CERTIFICATE), "people.csv"));
    assert_false(file_has(pv_release_path(r, PV_FILE_CERTIFICATE_PAGE), "people.csv"));
    assert_false(file_has(pv_release_path(r, PV_FILE_CERTIFICATE), "colour"));
    assert_true(file_has(pv_release_path(r, PV_FILE_CERTIFICATE), "\"after\": 4"));
    assert_true(file_has(pv_release_path(r, PV_FILE_REPORT), "\"dropped\""));
    assert_true(file_has(pv_release_path(r, PV_FILE_REPORT), "colour"));
    assert_true(file_has(pv_release_path(r, PV_FILE_REPORT_PAGE), "not for publication"));
    attempt_end(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_agree_with_counting_by_hand),
        cmocka_unit_test(columns_that_are_not_named_are_dropped),
        cmocka_unit_test(what_singles_people_out_is_refused),
        cmocka_unit_test(what_undoes_the_demanded_k_is_refused),
        cmocka_unit_test(columns_are_judged_together_too),
        cmocka_unit_test(a_sensitive_key_with_gaps_is_a_key),
        cmocka_unit_test(what_singles_nobody_out_is_released),
        cmocka_unit_test(what_was_accepted_is_released_but_not_under_a_green_mark),
        cmocka_unit_test(the_certificate_knows_no_more_than_the_release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
