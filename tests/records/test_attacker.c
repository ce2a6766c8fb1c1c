/* The attacker's dictionary: where its values are placed among the table's groups, and what is
 * refused. */
#include "support/record_oracle.h"

#include "base/buffer.h"

/* rho of the first row of the table at a level of its only quasi-identifier, for every level. */
static void assert_rhos(const char *plan, const char *csv, const char *people,
                        const uint64_t *expected, size_t n_levels)
{
    attacker_study s = attacker_study_create(plan, csv);
    pv_attacker *const attacker = attacker_open(s.profile, people, 0, 1);
    attacker_count count = attacker_count_create(attacker);
    assert_int_equal(pv_hierarchy_height(pv_study_hierarchy(s.bound.study, 0)) + 1, n_levels);
    for (unsigned level = 0; level < n_levels; level++) {
        const uint8_t levels[] = {(uint8_t)level};
        assert_int_equal(attacker_rho(&count, s.profile, 0, levels), expected[level]);
    }
    attacker_count_free(&count);
    pv_attacker_free(attacker);
    attacker_study_free(&s);
}

#define ASSERT_RHOS(plan, csv, people, ...)                         \
    assert_rhos(plan, csv, people, (const uint64_t[]){__VA_ARGS__}, \
                sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

/* --------------------------------------------------------- unseen values */

static void masks_are_shared(void **state)
{
    (void)state;
    ASSERT_RHOS("attributes: {zip: {role: quasi, hierarchy: {mask: right}}}",
                "zip\n13053\n13268\n20000\n", "zip\n13999\n13053\n13000\n99999\n130\n", 1, 1, 2, 3,
                3, 5);
}

/* The table has whole numbers and says 30-34; the dictionary has others, too. */
static void numbers_need_not_look_alike(void **state)
{
    (void)state;
    ASSERT_RHOS("attributes: {age: {role: quasi, hierarchy: {intervals: [5, 10]}}}",
                "age\n31\n47\n", "age\n31\n34.5\n35\n32.25\n47\nold\n", 1, 3, 4, 6);
    ASSERT_RHOS("attributes: {age: {role: quasi, hierarchy: {breaks: [30, 40, 60]}}}",
                "age\n31\n47\n", "age\n31\n34.5\n30\n40\n", 1, 3, 4);
}

static void dates_are_placed(void **state)
{
    (void)state;
    ASSERT_RHOS("attributes: {born: {role: quasi, hierarchy: {date: [month, year]}}}",
                "born\n1970-05-31\n1980-01-01\n",
                "born\n1970-05-31\n1970-05-01\n1970-12-24\n1981-01-01\n", 1, 2, 3, 4);
}

/* A value that the hierarchy does not name, and one that it names but the table does not have. */
static void rows_may_not_name_a_value(void **state)
{
    static const char plan[] = "attributes: {c: {role: quasi, hierarchy: {rows: [[red, warm], "
                               "[orange, warm], [blue, cold]]}}}";
    (void)state;
    ASSERT_RHOS(plan, "c\nred\nblue\n", "c\nred\norange\nblue\nultraviolet\n", 1, 2, 4);
    attacker_study s = attacker_study_create(plan, "c\nred\nblue\n");
    pv_attacker *const attacker =
        attacker_open(s.profile, "c\nred\norange\nblue\nultraviolet\nultraviolet\n*\n", 0, 1);
    assert_int_equal(pv_attacker_n_unmatched(attacker, 0), 2);
    pv_attacker_free(attacker);
    attacker_study_free(&s);
}

/* Which values are rare is decided by the table: whoever it does not know is. */
static void rare_is_what_the_table_says(void **state)
{
    static const char plan[] = "attributes: {c: {role: quasi, hierarchy: {rare: 2}}}";
    static const char people[] = "c\nyak\nemu\ncat\ncat\nyak\nyak\n";
    (void)state;
    ASSERT_RHOS(plan, "c\nemu\ncat\ncat\n", people, 1, 4, 6);
    ASSERT_RHOS(plan, "c\ncat\nemu\ncat\n", people, 2, 2, 6);
}

/* Between two values of the natural order of the table there is no place. */
static void order_is_what_the_table_says(void **state)
{
    (void)state;
    ASSERT_RHOS("attributes: {c: {role: quasi, hierarchy: {order: [2]}}}", "c\n1\n2\n4\n5\n",
                "c\n1\n2\n3\n4\n1.5\n", 1, 2, 5);
    ASSERT_RHOS("attributes: {c: {role: quasi, hierarchy: {order: [2], values: [1, 2, 3, 4]}}}",
                "c\n3\n1\n", "c\n1\n2\n3\n4\n", 1, 2, 4);
}

static void without_hierarchy(void **state)
{
    (void)state;
    ASSERT_RHOS("attributes: {c: {role: quasi}}", "c\nx\ny\n", "c\nx\nz\nx\n", 2, 3);
}

/* Nobody is consistent: that is an answer, too. */
static void nothing_matches(void **state)
{
    (void)state;
    ASSERT_RHOS("attributes: {c: {role: quasi, hierarchy: {mask: left}}}", "c\n123\n", "c\n456\n",
                0, 0, 0, 1);
}

/* ---------------------------------------------------------------- missing */

static void missing_is_missing(void **state)
{
    (void)state;
    ASSERT_RHOS("attributes: {c: {role: quasi, hierarchy: {intervals: [5]}}}", "c\nNA\n3\n",
                "c\n?\n3\nNA\n4\n", 2, 2, 4);
    ASSERT_RHOS("attributes: {c: {role: quasi, hierarchy: {intervals: [5]}}}", "c\n3\n3\n",
                "c\n?\n3\nNA\n4\n", 1, 2, 4);
}

/* Where the missing value belongs to a group, it does so even if the table has none. */
static void missing_may_have_company(void **state)
{
    (void)state;
    ASSERT_RHOS("attributes: {c: {role: quasi, hierarchy: {breaks: [5], missing: last}}}",
                "c\n7\n3\n", "c\nNA\n3\n8\n", 0, 2, 3);
    ASSERT_RHOS("attributes: {c: {role: quasi, hierarchy: {rows: [[a, x], [b, y]], missing: x}}}",
                "c\na\nb\n", "c\nNA\nb\na\n", 1, 2, 3);
}

/* ---------------------------------------------------------------- columns */

static void some_columns_are_known(void **state)
{
    static const char plan[] = "attributes: {a: {role: quasi}, b: {role: quasi}, c: {role: quasi}, "
                               "name: {role: identifier}}";
    attacker_study s = attacker_study_create(plan, "a,b,c,name\n1,2,3,x\n1,2,4,y\n");
    pv_attacker *const attacker =
        attacker_open(s.profile, "name,c,a\nsomebody,3,1\nelse,3,2\nelse,3,2\n", 0, 1);
    attacker_count count = attacker_count_create(attacker);
    const uint8_t raw[] = {0, 0, 0};
    const uint8_t without_a[] = {1, 0, 0};
    (void)state;
    assert_int_equal(pv_attacker_n_known(attacker), 2);
    assert_true(pv_attacker_knows(attacker, 0) && !pv_attacker_knows(attacker, 1));
    assert_int_equal(pv_attacker_n_rows(attacker), 3);
    assert_int_equal(attacker->n_tuples, 2);
    assert_int_equal(attacker_rho(&count, s.profile, 0, raw), 1);
    assert_int_equal(attacker_rho(&count, s.profile, 0, without_a), 3);
    assert_int_equal(attacker_rho(&count, s.profile, 1, raw), 0);
    attacker_count_free(&count);
    pv_attacker_free(attacker);
    attacker_study_free(&s);
}

/* Many columns of many values need several words for a key. */
static void wide_tuples_are_told_apart(void **state)
{
    pv_buffer plan = {0}, csv = {0};
    (void)state;
    pv_i_buffer_text(&plan, "attributes:\n");
    for (unsigned q = 0; q < 20; q++) {
        pv_i_buffer_format(&plan, "  q%u: {role: quasi}\n", q);
        pv_i_buffer_format(&csv, "%sq%u", q > 0 ? "," : "", q);
    }
    for (unsigned row = 0; row < 500; row++) {
        pv_i_buffer_char(&csv, '\n');
        for (unsigned q = 0; q < 20; q++) {
            pv_i_buffer_format(&csv, "%s%u", q > 0 ? "," : "", row * (q + 7) % 499);
        }
    }
    pv_i_buffer_char(&csv, '\n');
    attacker_study s = attacker_study_create(plan.data, csv.data);
    pv_attacker *const file = attacker_open(s.profile, csv.data, 0, 1);
    pv_attacker *const table = attacker_open(s.profile, NULL, 0, 1);
    assert_true(table->is_table && !file->is_table);
    assert_int_equal(file->n_tuples, table->n_tuples);
    assert_int_equal(file->n_rows, 500);
    pv_attacker_free(table);
    pv_attacker_free(file);
    attacker_study_free(&s);
    pv_i_buffer_deinit(&plan);
    pv_i_buffer_deinit(&csv);
}

/* ------------------------------------------------------------- similarity */

static void similar_names_are_found(void **state)
{
    attacker_study s =
        attacker_study_create("attributes: {n: {role: quasi, hierarchy: {rows: [[MARTHA, f], "
                              "[DIXON, m], [JONES, m]]}}}",
                              "n\nMARTHA\nDIXON\nJONES\n");
    pv_attacker *const attacker =
        attacker_open(s.profile, "n\nMARHTA\nDICKSONX\nJOHNSON\nZZZ\n", 0.75, 2);
    attacker_count count = attacker_count_create(attacker);
    const uint8_t raw[] = {0}, sex[] = {1}, top[] = {2};
    (void)state;
    assert_int_equal(attacker_rho(&count, s.profile, 0, raw), 1);
    assert_int_equal(attacker_rho(&count, s.profile, 1, raw), 1);
    assert_int_equal(attacker_rho(&count, s.profile, 1, sex), 2);
    assert_int_equal(attacker_rho(&count, s.profile, 1, top), 4);
    assert_int_equal(pv_attacker_n_unmatched(attacker, 0), 1);
    attacker_count_free(&count);
    pv_attacker_free(attacker);
    attacker_study_free(&s);
}

static bool same_consistency(const pv_consistency *a, const pv_consistency *b, uint32_t n)
{
    return memcmp(a->start, b->start, ((size_t)n + 1) * sizeof *a->start) == 0 &&
           memcmp(a->group, b->group, a->start[n] * sizeof *a->group) == 0;
}

/* Enough pairs to share them out. */
static void threads_do_not_matter(void **state)
{
    pv_buffer csv = {0};
    (void)state;
    pv_i_buffer_text(&csv, "n\n");
    for (unsigned i = 0; i < 400; i++) {
        pv_i_buffer_format(&csv, "%u\n", 1000 + i * 37 % 9000);
    }
    attacker_study s =
        attacker_study_create("attributes: {n: {role: quasi, hierarchy: {mask: right}}}", csv.data);
    pv_attacker *const one = attacker_open(s.profile, NULL, 0.8, 1);
    pv_attacker *const many = attacker_open(s.profile, csv.data, 0.8, 7);
    pv_attacker *const seven = attacker_open(s.profile, NULL, 0.8, 7);
    assert_int_equal(many->known[0].n_values, 400);
    for (unsigned level = 0; level < one->known[0].height; level++) {
        assert_true(
            same_consistency(&one->known[0].levels[level], &seven->known[0].levels[level], 400));
    }
    pv_attacker_free(one);
    pv_attacker_free(many);
    pv_attacker_free(seven);
    attacker_study_free(&s);
    pv_i_buffer_deinit(&csv);
}

static bool stop(void *ctx, const pv_progress *progress)
{
    return strcmp(progress->phase, ctx) != 0;
}

static void it_stops_when_told(void **state)
{
    attacker_study s = attacker_study_create("attributes: {n: {role: quasi}}", "n\na\nb\n");
    const attacker_file file = attacker_file_write("n\na\n");
    static char phases[][16] = {"comparing", "grouping"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const pv_context context = {.threads = 1, .progress = stop, .progress_ctx = phases[i]};
        const pv_attacker_options options = {.path = i == 1 ? file.path : NULL,
                                             .similarity = i == 0 ? 0.8 : 0};
        pv_attacker *attacker = NULL;
        assert_int_equal(pv_attacker_open(s.profile, &options, &context, &attacker, NULL),
                         PV_STATUS_CANCELLED);
        assert_null(attacker);
    }
    attacker_file_remove(&file);
    attacker_study_free(&s);
}

/* ----------------------------------------------------------------- errors */

static void assert_refused(const char *people, pv_status expected, const char *message)
{
    attacker_study s = attacker_study_create("attributes: {zip: {role: quasi}, job: {role: label}}",
                                             "zip,job\n1,a\n2,b\n");
    const attacker_file file = attacker_file_write(people);
    const pv_attacker_options options = {.path = file.path};
    pv_attacker *attacker = NULL;
    pv_error error = {0};
    assert_int_equal(pv_attacker_open(s.profile, &options, NULL, &attacker, &error), expected);
    assert_null(attacker);
    assert_string_equal(error.file, file.path);
    if (strstr(error.message, message) == NULL) {
        fail_msg("%s", error.message);
    }
    assert_null(strstr(error.message, "secret"));
    attacker_file_remove(&file);
    attacker_study_free(&s);
}

static void bad_files_are_refused(void **state)
{
    (void)state;
    assert_refused("name,age\nsecret,3\n", PV_STATUS_INPUT, "none of the quasi-identifiers");
    assert_refused("zip\n", PV_STATUS_INPUT, "no rows");
    assert_refused("zip,Zip,name\n1,2,secret\n", PV_STATUS_INPUT,
                   "2 columns of the dictionary are no quasi-identifiers of the plan: `Zip` (the "
                   "plan has `zip`), `name`");
    assert_refused("zip,job\n1,secret\n", PV_STATUS_INPUT, "`job` (whose role is `label`)");
    assert_refused("zip,name\n3\n", PV_STATUS_INPUT, "");
}

/* What is left aside is as if it were not there; identifiers are, too. */
static void columns_can_be_left_aside(void **state)
{
    attacker_study s = attacker_study_create(
        "attributes: {zip: {role: quasi}, job: {role: quasi}, id: {role: identifier}}",
        "zip,job,id\n1,a,x\n2,b,y\n");
    const attacker_file file = attacker_file_write("id,zip,job,age\nx,1,a,3\n");
    const char *const ignore[] = {"age", "job", NULL};
    const char *const wrong[] = {"age", "jobb", NULL};
    pv_attacker_options options = {.path = file.path, .ignore = ignore};
    pv_attacker *attacker = NULL;
    pv_error error = {0};
    (void)state;
    bound_must(pv_attacker_open(s.profile, &options, NULL, &attacker, &error), &error);
    assert_int_equal(pv_attacker_n_known(attacker), 1);
    assert_true(pv_attacker_knows(attacker, 0));
    pv_attacker_free(attacker);
    attacker = NULL;
    options.ignore = wrong;
    assert_int_equal(pv_attacker_open(s.profile, &options, NULL, &attacker, &error),
                     PV_STATUS_INPUT);
    assert_non_null(strstr(error.message, "no column `jobb`"));
    assert_null(attacker);
    attacker_file_remove(&file);
    attacker_study_free(&s);
}

static void bad_options_are_refused(void **state)
{
    attacker_study s = attacker_study_create("attributes: {zip: {role: quasi}}", "zip\n1\n2\n");
    static const double similarities[] = {-0.1, 1.1, __builtin_nan("")};
    pv_attacker *attacker = NULL;
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        const pv_attacker_options options = {.similarity = similarities[i]};
        assert_int_equal(pv_attacker_open(s.profile, &options, NULL, &attacker, NULL),
                         PV_STATUS_ARGUMENT);
    }
    const pv_attacker_options nowhere = {.path = "/nowhere/at/all.csv"};
    assert_int_equal(pv_attacker_open(s.profile, &nowhere, NULL, &attacker, NULL), PV_STATUS_INPUT);
    assert_null(attacker);
    pv_attacker_free(NULL);
    attacker_study_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masks_are_shared),
        cmocka_unit_test(numbers_need_not_look_alike),
        cmocka_unit_test(dates_are_placed),
        cmocka_unit_test(rows_may_not_name_a_value),
        cmocka_unit_test(rare_is_what_the_table_says),
        cmocka_unit_test(order_is_what_the_table_says),
        cmocka_unit_test(without_hierarchy),
        cmocka_unit_test(nothing_matches),
        cmocka_unit_test(missing_is_missing),
        cmocka_unit_test(missing_may_have_company),
        cmocka_unit_test(some_columns_are_known),
        cmocka_unit_test(wide_tuples_are_told_apart),
        cmocka_unit_test(similar_names_are_found),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(it_stops_when_told),
        cmocka_unit_test(bad_files_are_refused),
        cmocka_unit_test(columns_can_be_left_aside),
        cmocka_unit_test(bad_options_are_refused),
    };
    return cmocka_run_group_tests_name("attacker", tests, NULL, NULL);
}
