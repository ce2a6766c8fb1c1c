/* Files that cannot be compared: the message says where and what to do, and quotes no one's data.
 */
#include "support/comparison_trial.h"

static const char plan[] = "attributes:\n"
                           "  a: {role: quasi}\n"
                           "  b: {role: quasi}\n"
                           "  s: {role: sensitive, distance: hierarchical,\n"
                           "      hierarchy: {rows: [[secret1, g], [secret2, g], [secret3]]}}\n";
static const char original[] = "id,a,b,s\n"
                               "key1,10,p,secret1\nkey2,20,q,secret2\nkey3,30,q,secret3\n";

typedef struct {
    const char *release;
    const char *key;
    const char *property;
    const char *by;
    pv_status status;
    uint64_t line;
    const char *message, *hint; /* parts of them */
} error_case;

static const error_case cases[] = {
    {.release = "a,b\n10,p\n20,q\n",
     .line = 3,
     .message = "2 rows",
     .hint = "identifies the rows in both"},
    {.release = "a,b\n10,p\n20,q\n30,q\n40,q\n50,q\n",
     .line = 5,
     .message = "has 5 rows, the original 3",
     .hint = "identifies the rows in both"},
    {.release = "id,a,b\nkey1,10,p\nkey2,20,q\nkey1,30,q\n",
     .key = "id",
     .line = 4,
     .message = "earlier row",
     .hint = "another column"},
    {.release = "id,a,b\nkey1,10,p\nkey9,20,q\n",
     .key = "id",
     .line = 3,
     .message = "the original has no row",
     .hint = "made from"},
    {.release = "id,a,b\nkey1,10,p\n,20,q\n",
     .key = "id",
     .line = 3,
     .message = "the original has no row"},
    {.release = "a,b\n10,p\n20,q\n30,q\n", .key = "id", .message = "no column `id`"},
    {.release = "id,a,b\nkey1,10,p\n", .key = "b", .message = "earlier row", .line = 4},
    {.release = "id,a,b\nkey1,10,p\n", .key = "nothing", .message = "no column `nothing`"},
    {.release = "a,c\n10,p\n20,q\n30,q\n",
     .line = 1,
     .message = "no column `b`",
     .hint = "all quasi-identifiers"},
    {.release = "a,b\n10,p\n20\n30,q\n", .line = 3},
    {.release = NULL, .message = "cannot"},
    {.release = "id,a,b\n", .key = "id", .message = "no rows"},
    {.release = "a,b,w\n10,p,1\n20,q,hidden\n30,q,2\n",
     .property = "column:w",
     .line = 3,
     .message = "column \"w\"",
     .hint = "a number in every row"},
    {.release = "a,b,w\n10,p,1\n20,q,2\n30,q,\n",
     .property = "-column:w",
     .line = 4,
     .message = "empty in row 3",
     .hint = "a number in every row"},
    {.release = "a,b\n10,p\n20,q\n30,q\n", .property = "column:w", .line = 1, .message = "`w`"},
    {.release = "a,b\n10,p\n20,q\n30,q\n",
     .property = "beauty",
     .status = PV_STATUS_ARGUMENT,
     .message = "no property `beauty`",
     .hint = "class-size"},
    {.release = "a,b\n10,p\n20,q\n30,q\n",
     .property = "column:",
     .status = PV_STATUS_ARGUMENT,
     .message = "no property"},
    {.release = "a,b\n10,p\n20,q\n30,q\n",
     .by = "shoes",
     .message = "`shoes`",
     .hint = "a column of the original"},
    /* Rows in another order, or of another table. */
    {.release = "a,b,s\n10,p,secret1\n20,q,hidden\n30,q,secret3\n",
     .line = 3,
     .message = "1 of 3 rows contradict the original, in the columns `s`",
     .hint = "identifies the rows in both"},
    {.release = "a,b\n20,q\n10,p\n30,q\n",
     .line = 2,
     .message = "2 of 3 rows contradict the original, in the columns `a`, `b`",
     .hint = "identifies the rows in both"},
    {.release = "id,a,b\nkey1,20,p\nkey2,20,q\n",
     .key = "id",
     .line = 2,
     .message = "1 of 2 rows contradict the original, in the columns `a`",
     .hint = "made from"},
    {.release = "a,b\n*,*\n[10;20),q\n>=30,q\n", .line = 3, .message = "1 of 3 rows"},
    {.release = "a,b\n<=10,p\n20-29,q\n<30,q\n", .line = 4, .message = "1 of 3 rows"},
    {.release = "a,b\n10+,*\n(10;20],q\n(30;40],q\n", .line = 4, .message = "1 of 3 rows"},
};

/* What contradicts nothing: `*`, missing values, other spellings, labels that nobody knows. */
static const char *const fitting[] = {
    "a,b,s\n10,p,secret1\n20.0,q,secret2\n30,q,secret3\n",
    "a,b,s\n*,*,*\n,NA,\n1,letters,secret3\n",
    "a,b\n5-15,{p}\n[20;30],q\n<31,q or r\n",
    "b,a\n*,<20\n*,20-29\n*,> 25\n",
};

/* What nobody may read in a message. */
static const char *const data[] = {"key1", "key2", "key9", "secret", "hidden", "10,", "20,"};

static void check_case(const error_case *c, const pv_study *study)
{
    const char *const path = "comparison-error.csv";
    const pv_comparison_options options = {.key = c->key,
                                           .properties = &c->property,
                                           .n_properties = c->property != NULL,
                                           .groups = &c->by,
                                           .n_groups = c->by != NULL};
    pv_comparison *const untouched = (pv_comparison *)(uintptr_t)&options;
    pv_comparison *comparison = untouched;
    pv_error error = {0};
    if (c->release != NULL) {
        trial_write(path, c->release);
    }
    const pv_status status =
        pv_comparison_open(study, &path, 1, &options, NULL, &comparison, &error);
    assert_int_equal(status, c->status != PV_STATUS_OK ? c->status : PV_STATUS_INPUT);
    assert_ptr_equal(comparison, untouched);
    assert_true(c->line == 0 || error.line == c->line);
    assert_true(c->status == PV_STATUS_ARGUMENT || error.file[0] != '\0');
    assert_true(c->message == NULL || strstr(error.message, c->message) != NULL);
    assert_true(c->hint == NULL || strstr(error.hint, c->hint) != NULL);
    for (size_t i = 0; i < sizeof data / sizeof *data; i++) {
        assert_null(strstr(error.message, data[i]));
        assert_null(strstr(error.hint, data[i]));
    }
    (void)unlink(path);
}

static void what_fits_is_compared(void **state)
{
    bound_study s = bound_study_create(plan, original);
    (void)state;
    for (size_t i = 0; i < sizeof fitting / sizeof *fitting; i++) {
        const char *const path = "comparison-fits.csv";
        const char *const property = "class-size";
        const pv_comparison_options options = {.properties = &property, .n_properties = 1};
        pv_comparison *comparison = NULL;
        pv_error error = {0};
        trial_write(path, fitting[i]);
        bound_must(pv_comparison_open(s.study, &path, 1, &options, NULL, &comparison, &error),
                   &error);
        pv_comparison_free(comparison);
        (void)unlink(path);
    }
    bound_study_free(&s);
}

static void errors_say_where(void **state)
{
    bound_study s = bound_study_create(plan, original);
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_case(&cases[i], s.study);
    }
    bound_study_free(&s);
}

/* Rows that one release has are not those of another. */
static void no_common_row(void **state)
{
    static const char *const paths[] = {"comparison-error-1.csv", "comparison-error-2.csv"};
    const pv_comparison_options options = {.key = "id"};
    bound_study s = bound_study_create(plan, original);
    pv_comparison *comparison = NULL;
    pv_error error = {0};
    (void)state;
    trial_write(paths[0], "id,a,b\nkey1,10,p\n");
    trial_write(paths[1], "id,a,b\nkey2,20,q\n");
    assert_int_equal(pv_comparison_open(s.study, paths, 2, &options, NULL, &comparison, &error),
                     PV_STATUS_INPUT);
    assert_null(comparison);
    assert_non_null(strstr(error.message, "no row"));
    (void)unlink(paths[0]);
    (void)unlink(paths[1]);
    bound_study_free(&s);
}

/* Without a sensitive attribute: not among all, and refused when asked for. */
static void nothing_sensitive(void **state)
{
    static const char *const path = "comparison-plain.csv";
    static const char *const asked = "own-count";
    const pv_comparison_options options = {.properties = &asked, .n_properties = 1};
    bound_study s = bound_study_create("attributes:\n  a: {role: quasi}\n", "a\n1\n2\n2\n");
    pv_comparison *comparison = NULL;
    pv_error error = {0};
    (void)state;
    trial_write(path, "a\ny\ny\nx\n");
    assert_int_equal(pv_comparison_open(s.study, &path, 1, &options, NULL, &comparison, &error),
                     PV_STATUS_ARGUMENT);
    bound_must(pv_comparison_open(s.study, &path, 1, NULL, NULL, &comparison, &error), &error);
    assert_int_equal(comparison->n_properties, 5);
    assert_string_equal(comparison->properties[0], "class-size");
    assert_string_equal(comparison->properties[1], "risk");
    assert_false(comparison->less_is_better[0]);
    assert_true(comparison->less_is_better[1]);
    pv_comparison_free(comparison);
    bound_study_free(&s);
    (void)unlink(path);
}

/* Files of the same name are told by their folders. */
static void names_of_releases(void **state)
{
    static const char *const paths[] = {"comparison-same.csv", "./comparison-same.csv"};
    bound_study s = bound_study_create("attributes:\n  a: {role: quasi}\n", "a\n1\n2\n2\n");
    pv_comparison *comparison = NULL;
    pv_error error = {0};
    (void)state;
    trial_write(paths[0], "a\ny\ny\nx\n");
    bound_must(pv_comparison_open(s.study, paths, 2, NULL, NULL, &comparison, &error), &error);
    assert_string_equal(comparison->releases[0]->name, "comparison-same.csv");
    assert_string_equal(comparison->releases[1]->name, "./comparison-same.csv");
    pv_comparison_free(comparison);
    bound_study_free(&s);
    (void)unlink(paths[0]);
}

/* Of 120 values the 50 most frequent are told apart, the others together. */
static void many_groups(void **state)
{
    static const char *const path = "comparison-many.csv";
    static const char *const by = "a";
    const pv_comparison_options options = {.groups = &by, .n_groups = 1};
    pv_buffer csv = {0};
    pv_comparison *comparison = NULL;
    pv_error error = {0};
    (void)state;
    pv_i_buffer_text(&csv, "a\n");
    for (size_t value = 0; value < 120; value++) {
        for (size_t i = 0; i <= value / 10; i++) {
            pv_i_buffer_format(&csv, "v%zu\n", value);
        }
    }
    pv_i_buffer_text(&csv, "NA\nNA\n?\n?\n?\n?\n?\n?\n?\n?\n?\n?\n?\n?\n?\n");
    bound_study s = bound_study_create("attributes:\n  a: {role: quasi}\n", csv.data);
    trial_write(path, csv.data);
    bound_must(pv_comparison_open(s.study, &path, 1, &options, NULL, &comparison, &error), &error);
    assert_int_equal(comparison->n_people, 51);
    assert_string_equal(comparison->people[0].value, "(missing)");
    assert_int_equal(comparison->people[0].n_rows, 15);
    assert_string_equal(comparison->people[1].value, "v110");
    assert_string_equal(comparison->people[50].value, "(others)");
    assert_int_equal(comparison->people[49].n_rows, 8);
    assert_int_equal(comparison->people[50].n_rows, 8 + 10 * (7 + 6 + 5 + 4 + 3 + 2 + 1));
    pv_comparison_free(comparison);
    bound_study_free(&s);
    pv_i_buffer_deinit(&csv);
    (void)unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_fits_is_compared), cmocka_unit_test(errors_say_where),
        cmocka_unit_test(no_common_row),         cmocka_unit_test(nothing_sensitive),
        cmocka_unit_test(names_of_releases),     cmocka_unit_test(many_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
