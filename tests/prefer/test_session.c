/* Sessions: a preference that is closed and reopened goes on as if nothing had been, tells what
 * happened, belongs to one table, plan and k, and holds no value of the data. */
#include "support/session_sample.h"

#include <math.h>
#include <unistd.h>

#ifdef PV_HAVE_SQLITE

static bool has_bytes(const char *bytes, size_t size, const char *text)
{
    return memmem(bytes, size, text, strlen(text)) != NULL;
}

static void expect_same_point(pv_aspiration a, pv_aspiration b)
{
    assert_true(fabs(a.bias - b.bias) <= 0);
    assert_true(fabs(a.loss - b.loss) <= 0);
}

static void expect_same_answer(const pv_answer *a, const pv_answer *b)
{
    expect_same_point(a->solutions[0].point, b->solutions[0].point);
    assert_int_equal(a->solutions[0].k, b->solutions[0].k);
    assert_int_equal(a->solutions[0].largest, b->solutions[0].largest);
    assert_int_equal(a->n_solutions - 1, b->n_solutions - 1);
    assert_int_equal(a->evaluated, b->evaluated);
}

static void expect_same_run(const pv_cut_run *a, const pv_cut_run *b)
{
    assert_int_equal(a->map.n, b->map.n);
    assert_int_equal(a->evaluated, b->evaluated);
    assert_memory_equal(a->map.keys, b->map.keys, a->map.n * a->map.words * sizeof *a->map.keys);
    assert_memory_equal(a->outcomes, b->outcomes, a->map.n * sizeof *a->outcomes);
}

/* -------------------------------------------------------------- round trip */

static void a_closed_walk_goes_on(void **state)
{
    const session_folder folder = session_folder_create();
    session_sample s = session_sample_create();
    pv_preference *const whole = session_preference(&s);
    pv_preference *preference = session_keep(&s, folder.path);
    (void)state;
    for (int wish = 0; wish < 4; wish++) {
        pv_answer *const expected = session_aspire(whole, 0.1 * wish, 0.2);
        pv_answer *const answer = session_aspire(preference, 0.1 * wish, 0.2);
        expect_same_answer(answer, expected);
        pv_answer_free(answer);
        pv_answer_free(expected);
        pv_preference_free(preference);
        preference = session_keep(&s, folder.path);
        expect_same_run(&preference->search.run, &whole->search.run);
        assert_int_equal(preference->wishes, wish + 1);
    }
    pv_preference_free(preference);
    pv_preference_free(whole);
    session_sample_free(&s);
    session_folder_free(&folder);
}

/* Two programs take turns: who comes back sees that the other one has gone on. */
static void programs_take_turns(void **state)
{
    const session_folder folder = session_folder_create();
    session_sample s = session_sample_create();
    pv_preference *const mine = session_keep(&s, folder.path);
    bool is_same = false;
    pv_error error = {0};
    (void)state;
    pv_preference_pause_session(mine);
    pv_preference_pause_session(mine);
    pv_preference_log *log = NULL;
    assert_int_equal(pv_preference_log_of(mine, &log, &error), PV_STATUS_ARGUMENT);
    /* nobody else was there: the next step takes the file by itself */
    pv_answer_free(session_aspire(mine, 0.2, 0.2));
    pv_preference_pause_session(mine);
    assert_int_equal(pv_preference_resume_session(mine, &is_same, &error), PV_STATUS_OK);
    assert_true(is_same);
    assert_int_equal(pv_preference_log_of(mine, &log, &error), PV_STATUS_OK);
    size_t n = 0;
    (void)pv_preference_log_entries(log, &n);
    assert_int_equal(n, 2); /* opened, wish */
    pv_preference_log_free(log);
    pv_preference_pause_session(mine);
    /* somebody else goes on */
    pv_preference *const other = session_keep(&s, folder.path);
    assert_int_equal(pv_preference_resume_session(mine, &is_same, &error), PV_STATUS_IO);
    pv_answer *const theirs = session_aspire(other, 0.1, 0.3);
    pv_answer_free(theirs);
    pv_preference_free(other);
    assert_int_equal(pv_preference_resume_session(mine, &is_same, &error), PV_STATUS_OK);
    assert_false(is_same);
    pv_answer *answer = NULL;
    const pv_aspiration wish = {.bias = 0.3, .loss = 0.1};
    assert_int_equal(pv_preference_aspire(mine, wish, NULL, &answer, &error), PV_STATUS_EXISTS);
    assert_null(answer);
    /* the file is gone, or another one has its name */
    pv_preference *const next = session_keep(&s, folder.path);
    assert_int_equal(next->wishes, 2);
    pv_preference_pause_session(next);
    assert_int_equal(unlink(folder.path), 0);
    assert_int_equal(pv_preference_resume_session(next, &is_same, &error), PV_STATUS_OK);
    assert_false(is_same);
    pv_preference_free(next);
    pv_preference_free(mine);
    session_sample_free(&s);
    session_folder_free(&folder);
}

/* A wish that was answered before starts from its answer. */
static void a_wish_is_remembered(void **state)
{
    const session_folder folder = session_folder_create();
    session_sample s = session_sample_create();
    pv_preference *preference = session_keep(&s, folder.path);
    pv_answer *const first = session_aspire(preference, 0.1, 0.1);
    (void)state;
    pv_preference_free(preference);
    s.options.evaluations = 1;
    preference = session_keep(&s, folder.path);
    pv_answer *const again = session_aspire(preference, 0.1, 0.1);
    assert_true(again->solutions[0].achievement <= first->solutions[0].achievement);
    assert_true(again->evaluated >= first->evaluated);
    assert_true(again->evaluated <= first->evaluated + 200);
    pv_answer_free(first);
    pv_answer_free(again);
    pv_preference_free(preference);
    session_sample_free(&s);
    session_folder_free(&folder);
}

/* --------------------------------------------------------------------- log */

static void expect_solution(const pv_preference_entry *entry, const pv_answer *answer,
                            const pv_solution *solution)
{
    assert_true(entry->has_wish);
    expect_same_point(entry->wish, answer->goal.wish);
    expect_same_point(entry->point, solution->point);
    assert_int_equal(entry->k, solution->k);
    assert_true(fabs(entry->achievement - solution->achievement) <= 0);
    assert_true(fabs(entry->bound - answer->bound) <= 0);
    assert_int_equal(entry->proven, answer->proven && solution == &answer->solutions[0]);
    assert_int_equal(entry->evaluated, answer->evaluated);
}

static void expect_opened(const pv_preference_entry *entry, uint64_t evaluated)
{
    assert_false(entry->has_wish);
    assert_int_equal(entry->k, 3);
    assert_int_equal(entry->evaluated, evaluated);
}

static void expect_kinds(const pv_preference_log *log, const char *const *kinds, size_t n)
{
    assert_int_equal(log->n_entries, n);
    for (size_t i = 0; i < n; i++) {
        const char *const time = log->entries[i].time;
        assert_string_equal(log->entries[i].kind, kinds[i]);
        assert_int_equal(strlen(time), strlen("2026-01-31T12:00:00Z"));
        assert_true(i == 0 || strcmp(log->entries[i - 1].time, time) <= 0);
        assert_true(strcmp(time, "2020") > 0);
    }
}

static void the_log_tells_everything_in_order(void **state)
{
    static const char *const kinds[] = {"opened", "wish", "accepted", "accepted", "opened", "wish"};
    const session_folder folder = session_folder_create();
    session_sample s = session_sample_create();
    pv_preference_log *log = NULL;
    pv_error error = {0};
    (void)state;
    s.options.prove = 5;
    pv_preference *preference = session_keep(&s, folder.path);
    pv_answer *const first = session_aspire(preference, 0.05, 0.3);
    assert_true(first->proven && first->n_solutions > 1);
    bound_must(pv_preference_accept(preference, first, 0, &error), &error);
    bound_must(pv_preference_accept(preference, first, first->n_solutions - 1, &error), &error);
    pv_preference_free(preference);
    preference = session_keep(&s, folder.path);
    pv_answer *const second = session_aspire(preference, 0.3, 0.05);
    pv_preference_free(preference);
    bound_must(pv_preference_log_read(folder.path, &log, &error), &error);
    expect_kinds(log, kinds, 6);
    assert_string_equal(log->bias, "necd");
    assert_string_equal(log->loss, "nwp");
    expect_opened(&log->entries[0], 0);
    expect_solution(&log->entries[1], first, &first->solutions[0]);
    expect_solution(&log->entries[2], first, &first->solutions[0]);
    expect_solution(&log->entries[3], first, &first->solutions[first->n_solutions - 1]);
    expect_opened(&log->entries[4], first->evaluated);
    expect_solution(&log->entries[5], second, &second->solutions[0]);
    pv_preference_log_free(log);
    pv_preference_log_free(NULL);
    pv_answer_free(first);
    pv_answer_free(second);
    session_sample_free(&s);
    session_folder_free(&folder);
}

static void a_direction_is_as_many_wishes(void **state)
{
    const session_folder folder = session_folder_create();
    const pv_context context = {.threads = 1};
    session_sample s = session_sample_create();
    pv_preference *const preference = session_keep(&s, folder.path);
    pv_answer *answers[5] = {NULL};
    size_t n = 0;
    pv_preference_log *log = NULL;
    pv_error error = {0};
    (void)state;
    bound_must(pv_preference_direction(preference, (pv_aspiration){1, 0.2},
                                       (pv_aspiration){0.1, 0.1}, 5, &context, answers, &n, &error),
               &error);
    while (n > 0) {
        pv_answer_free(answers[--n]);
    }
    bound_must(pv_preference_log_of(preference, &log, &error), &error);
    assert_int_equal(log->n_entries, 6);
    pv_preference_log_free(log);
    pv_preference_free(preference);
    bound_must(pv_preference_log_read(folder.path, &log, &error), &error);
    assert_int_equal(log->n_entries, 6);
    pv_preference_log_free(log);
    session_sample_free(&s);
    session_folder_free(&folder);
}

static void a_walk_kept_nowhere_has_no_log(void **state)
{
    session_sample s = session_sample_create();
    pv_preference *const preference = session_preference(&s);
    pv_preference_log *log = NULL;
    pv_error error = {0};
    (void)state;
    assert_int_equal(pv_preference_log_of(preference, &log, &error), PV_STATUS_ARGUMENT);
    assert_null(log);
    pv_preference_free(preference);
    session_sample_free(&s);
}

/* ------------------------------------------------------------------- facts */

static void expect_refused(const session_sample *other, const char *path, const char *why)
{
    size_t size = 0;
    size_t size_after = 0;
    char *const before = session_bytes(path, &size);
    pv_preference *const preference = session_preference(other);
    pv_error error = {0};
    assert_int_equal(pv_preference_open_session(preference, path, &error), PV_STATUS_INPUT);
    assert_string_equal(error.file, path);
    assert_true(error.hint[0] != '\0');
    if (strstr(error.message, why) == NULL) {
        fail_msg("'%s' does not say '%s'", error.message, why);
    }
    assert_int_equal(preference->search.run.map.n, 0);
    session_wish(preference, 0.1, 0.1); /* it can go on without a session */
    pv_preference_free(preference);
    char *const after = session_bytes(path, &size_after);
    assert_int_equal(size_after, size);
    assert_memory_equal(after, before, size);
    free(before);
    free(after);
}

static void expect_other_refused(const char *path, const char *plan, char *csv, const char *why)
{
    session_sample other = session_sample_of(plan, csv);
    expect_refused(&other, path, why);
    session_sample_free(&other);
}

/* The same table, but for one person who is a year older. */
static char *older_csv(void)
{
    char *const csv = session_csv("age,town,year", SESSION_ROWS, 0);
    char *const age = strstr(csv, "70031,");
    assert_non_null(age);
    age[4] = '2';
    return csv;
}

static const char other_weights[] =
    "attributes:\n"
    "  age: {role: quasi, weight: 3}\n"
    "  town: {role: quasi, weight: 2, hierarchy: {rows: [[Quillebeuf, W], [Ostrzeszow, W], "
    "[Vlkovany, E], [Xertigny, E], [Zwettlern, E]]}}\n"
    "  year: {role: quasi, granularity: 2}\n";
static const char other_name[] = "attributes:\n"
                                 "  years: {role: quasi}\n"
                                 "  town: {role: quasi, weight: 2}\n"
                                 "  year: {role: quasi, granularity: 2}\n";
static const char other_granularity[] = "attributes:\n"
                                        "  age: {role: quasi}\n"
                                        "  town: {role: quasi, weight: 2}\n"
                                        "  year: {role: quasi, granularity: 3}\n";
/* The same order of towns, another tree. */
static const char other_tree[] =
    "attributes:\n"
    "  age: {role: quasi}\n"
    "  town: {role: quasi, weight: 2, hierarchy: {rows: [[Quillebeuf, W], [Ostrzeszow, W], "
    "[Vlkovany, W], [Xertigny, E], [Zwettlern, E]]}}\n"
    "  year: {role: quasi, granularity: 2}\n";

static void other_tables_and_plans_are_refused(void **state)
{
    const session_folder folder = session_folder_create();
    const char *const path = folder.path;
    const char *const heading = "age,town,year";
    session_sample s = session_sample_create();
    pv_preference *const preference = session_keep(&s, path);
    (void)state;
    session_wish(preference, 0.1, 0.1);
    pv_preference_free(preference);
    expect_other_refused(path, other_name, session_csv("years,town,year", SESSION_ROWS, 0),
                         "other attributes: age, town, year; here it is years, town, year");
    expect_other_refused(path, session_plan, session_csv(heading, SESSION_ROWS + 1, 0),
                         "another number of rows: 120; here it is 121");
    expect_other_refused(path, other_granularity, session_csv(heading, SESSION_ROWS, 0),
                         "other numbers of values: 9, 5, 6; here it is 9, 5, 4");
    expect_other_refused(path, other_weights, session_csv(heading, SESSION_ROWS, 0),
                         "other weights");
    expect_other_refused(path, session_plan, session_csv(heading, SESSION_ROWS, 1), "other rows");
    expect_other_refused(path, session_plan, older_csv(), "other values");
    s.options.k = 4;
    expect_refused(&s, path, "another k: 3; here it is 4");
    s.options.k = 3;
    s.options.free_groups = false;
    expect_refused(&s, path, "other hierarchies");
    session_sample_free(&s);
    session_folder_free(&folder);
}

static void another_tree_is_refused_if_it_matters(void **state)
{
    const session_folder folder = session_folder_create();
    session_sample s = session_sample_create();
    session_sample other =
        session_sample_of(other_tree, session_csv("age,town,year", SESSION_ROWS, 0));
    (void)state;
    s.options.free_groups = false;
    other.options.free_groups = false;
    pv_preference_free(session_keep(&s, folder.path));
    expect_refused(&other, folder.path, "other hierarchies");
    session_remove(&folder);
    s.options.free_groups = true;
    other.options.free_groups = true;
    pv_preference_free(session_keep(&s, folder.path));
    pv_preference_free(session_keep(&other, folder.path));
    session_sample_free(&s);
    session_sample_free(&other);
    session_folder_free(&folder);
}

/* ------------------------------------------------------------------ values */

static void no_value_enters_the_file(void **state)
{
    const session_folder folder = session_folder_create();
    session_sample s = session_sample_create();
    pv_preference *const preference = session_keep(&s, folder.path);
    pv_answer *const answer = session_aspire(preference, 0.1, 0.1);
    pv_error error = {0};
    size_t size = 0;
    (void)state;
    bound_must(pv_preference_accept(preference, answer, 0, &error), &error);
    pv_answer_free(answer);
    pv_preference_free(preference);
    char *const bytes = session_bytes(folder.path, &size);
    for (size_t i = 0; i < sizeof session_towns / sizeof *session_towns; i++) {
        assert_false(has_bytes(bytes, size, session_towns[i]));
    }
    assert_false(has_bytes(bytes, size, "waldien"));
    for (int i = 0; i < SESSION_AGES; i++) {
        char age[16];
        (void)snprintf(age, sizeof age, "%d", SESSION_FIRST_AGE + i);
        assert_false(has_bytes(bytes, size, age));
    }
    for (int i = 0; i < SESSION_YEARS; i++) {
        char year[16];
        (void)snprintf(year, sizeof year, "%d", 51900 + i);
        assert_false(has_bytes(bytes, size, year));
    }
    free(bytes);
    session_sample_free(&s);
    session_folder_free(&folder);
}

/* Nothing to cut: a scheme has no bits at all. */
static void a_table_of_one_value_has_sessions(void **state)
{
    const session_folder folder = session_folder_create();
    session_sample s = {.bound =
                            bound_study_create("attributes: {a: {role: quasi}}", "a\nx\nx\nx\nx\n"),
                        .options = {.k = 2, .evaluations = 10, .prove = -1}};
    (void)state;
    s.profile = bound_profile(s.bound.study, 1);
    for (uint64_t i = 0; i < 3; i++) {
        pv_preference *const preference = session_keep(&s, folder.path);
        assert_int_equal(preference->wishes, i);
        session_wish(preference, 0.1, 0.1);
        assert_int_equal(preference->search.run.map.n, 1);
        pv_preference_free(preference);
    }
    session_sample_free(&s);
    session_folder_free(&folder);
}

/* --------------------------------------------------------------- arguments */

static void arguments_are_checked(void **state)
{
    const session_folder folder = session_folder_create();
    session_sample s = session_sample_create();
    pv_preference *const preference = session_preference(&s);
    pv_answer *const answer = session_aspire(preference, 0.1, 0.1);
    pv_error error = {0};
    (void)state;
    assert_int_equal(pv_preference_open_session(preference, folder.path, &error),
                     PV_STATUS_ARGUMENT);
    assert_int_equal(access(folder.path, F_OK), -1);
    bound_must(pv_preference_accept(preference, answer, answer->n_solutions - 1, &error), &error);
    assert_int_equal(pv_preference_accept(preference, answer, answer->n_solutions, &error),
                     PV_STATUS_ARGUMENT);
    pv_preference *const kept = session_keep(&s, folder.path);
    assert_int_equal(pv_preference_open_session(kept, folder.path, &error), PV_STATUS_ARGUMENT);
    /* The answer of another walk. */
    assert_int_equal(pv_preference_accept(kept, answer, 0, &error), PV_STATUS_ARGUMENT);
    session_wish(kept, 0.1, 0.1);
    pv_answer_free(answer);
    pv_preference_free(kept);
    pv_preference_free(preference);
    session_sample_free(&s);
    session_folder_free(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_closed_walk_goes_on),
        cmocka_unit_test(programs_take_turns),
        cmocka_unit_test(a_wish_is_remembered),
        cmocka_unit_test(the_log_tells_everything_in_order),
        cmocka_unit_test(a_direction_is_as_many_wishes),
        cmocka_unit_test(a_walk_kept_nowhere_has_no_log),
        cmocka_unit_test(other_tables_and_plans_are_refused),
        cmocka_unit_test(another_tree_is_refused_if_it_matters),
        cmocka_unit_test(no_value_enters_the_file),
        cmocka_unit_test(a_table_of_one_value_has_sessions),
        cmocka_unit_test(arguments_are_checked),
    };
    return cmocka_run_group_tests_name("session", tests, NULL, NULL);
}

#else

static void sessions_need_sqlite(void **state)
{
    const session_folder folder = session_folder_create();
    session_sample s = session_sample_create();
    pv_preference *const preference = session_preference(&s);
    pv_preference_log *log = NULL;
    pv_error error = {0};
    (void)state;
    assert_int_equal(pv_preference_open_session(preference, folder.path, &error),
                     PV_STATUS_UNSUPPORTED);
    assert_true(error.hint[0] != '\0');
    assert_int_equal(pv_preference_log_read(folder.path, &log, &error), PV_STATUS_UNSUPPORTED);
    assert_int_equal(pv_preference_log_of(preference, &log, &error), PV_STATUS_ARGUMENT);
    assert_null(log);
    pv_preference_log_free(log);
    /* Everything else works. */
    pv_answer *const answer = session_aspire(preference, 0.1, 0.1);
    bound_must(pv_preference_accept(preference, answer, 0, &error), &error);
    pv_answer_free(answer);
    pv_preference_free(preference);
    session_sample_free(&s);
    session_folder_free(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sessions_need_sqlite)};
    return cmocka_run_group_tests_name("no session", tests, NULL, NULL);
}

#endif
