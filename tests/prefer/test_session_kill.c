/* A process that keeps a session may be killed at any moment: the file ends with a whole step,
 * holds every wish that was answered, and goes on. Two processes never share a file. */
#include "support/session_sample.h"

#ifdef PV_HAVE_SQLITE

#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>

/* ------------------------------------------------------------------- child */

/* Wishes without end; a byte into the pipe for each answer. */
static void wish_on(const session_sample *s, const char *path, int answers)
{
    const pv_context context = {.threads = 1};
    pv_preference *preference = NULL;
    bool going = pv_preference_create(s->profile, &s->options, &preference, NULL) == PV_STATUS_OK &&
                 pv_preference_open_session(preference, path, NULL) == PV_STATUS_OK;
    for (unsigned i = 0; going; i++) {
        const pv_aspiration wish = {.bias = 0.01 * (i % 50), .loss = 0.013 * (i % 37)};
        pv_answer *answer = NULL;
        going = pv_preference_aspire(preference, wish, &context, &answer, NULL) == PV_STATUS_OK &&
                write(answers, "", 1) == 1;
        pv_answer_free(answer);
    }
    _exit(1);
}

/* Kills a child after so long; how many answers it had got. */
static uint64_t kill_after(const session_sample *s, const char *path, useconds_t microseconds)
{
    int ends[2];
    int status = 0;
    uint64_t n = 0;
    char byte;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        wish_on(s, path, ends[1]);
    }
    (void)close(ends[1]);
    (void)usleep(microseconds);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    while (read(ends[0], &byte, 1) == 1) {
        n++;
    }
    (void)close(ends[0]);
    return n;
}

/* ------------------------------------------------------------------ witness */

/* The first value of a result. */
static int64_t ask(const char *path, const char *sql, char *text, size_t size)
{
    sqlite3 *sqlite = NULL;
    sqlite3_stmt *statement = NULL;
    int64_t number = 0;
    assert_int_equal(sqlite3_open(path, &sqlite), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(sqlite, sql, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    number = sqlite3_column_int64(statement, 0);
    (void)snprintf(text, size, "%s", (const char *)sqlite3_column_text(statement, 0));
    assert_int_equal(sqlite3_finalize(statement), SQLITE_OK);
    assert_int_equal(sqlite3_close(sqlite), SQLITE_OK);
    return number;
}

static uint64_t wishes_in(const char *path)
{
    char text[64];
    (void)ask(path, "PRAGMA integrity_check", text, sizeof text);
    assert_string_equal(text, "ok");
    if (ask(path, "SELECT count(*) FROM sqlite_master", text, sizeof text) == 0) {
        return 0; /* killed before the session had begun */
    }
    assert_int_equal(ask(path, "SELECT count(*) FROM schemes", text, sizeof text),
                     ask(path, "SELECT max(evaluated) FROM steps", text, sizeof text));
    return (uint64_t)ask(path, "SELECT count(*) FROM steps WHERE kind = 'wish'", text, sizeof text);
}

static void killed_sessions_go_on(void **state)
{
    const session_folder folder = session_folder_create();
    session_sample s = session_sample_create();
    uint64_t before = 0;
    uint64_t answered = 0;
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 31);
    for (int round = 0; round < 15; round++) {
        const useconds_t patience = (useconds_t)pv_i_rng_below(&rng, 40000);
        const uint64_t n = kill_after(&s, folder.path, patience);
        const uint64_t after = wishes_in(folder.path);
        /* The last one may have been killed before it could tell. */
        assert_true(after == before + n || after == before + n + 1);
        pv_preference *const preference = session_keep(&s, folder.path);
        assert_int_equal(preference->wishes, after);
        session_wish(preference, 0.1, 0.1);
        pv_preference_free(preference);
        before = wishes_in(folder.path);
        assert_int_equal(before, after + 1);
        answered += n;
    }
    assert_true(answered > 0);
    session_sample_free(&s);
    session_folder_free(&folder);
}

/* --------------------------------------------------------------------- full */

/* A wish that cannot be kept fails; once there is room again the preference goes on, and nothing is
 * missing in the file. */
static void a_full_disk_loses_nothing(void **state)
{
    const session_folder folder = session_folder_create();
    const pv_context context = {.threads = 1};
    session_sample s = session_sample_create();
    pv_preference *const preference = session_keep(&s, folder.path);
    pv_answer *answer = NULL;
    pv_error error = {0};
    (void)state;
    session_wish(preference, 0.1, 0.1);
    (void)signal(SIGXFSZ, SIG_IGN);
    session_limit_files(4096);
    assert_int_equal(
        pv_preference_aspire(preference, (pv_aspiration){0.5, 0.01}, &context, &answer, &error),
        PV_STATUS_IO);
    session_limit_files(RLIM_INFINITY);
    assert_null(answer);
    assert_string_equal(error.file, folder.path);
    session_wish(preference, 0.2, 0.1);
    const size_t known = preference->search.run.map.n;
    pv_preference_free(preference);
    assert_int_equal(wishes_in(folder.path), 2);
    pv_preference *const again = session_keep(&s, folder.path);
    assert_int_equal(again->search.run.map.n, known);
    pv_preference_free(again);
    session_sample_free(&s);
    session_folder_free(&folder);
}

/* --------------------------------------------------------------------- busy */

static void expect_busy(const session_sample *s, const char *path)
{
    pv_preference *const second = session_preference(s);
    pv_preference_log *log = NULL;
    pv_error error = {0};
    assert_int_equal(pv_preference_open_session(second, path, &error), PV_STATUS_IO);
    assert_non_null(strstr(error.message, "in use"));
    assert_string_equal(error.file, path);
    assert_int_equal(pv_preference_log_read(path, &log, &error), PV_STATUS_IO);
    assert_non_null(strstr(error.message, "in use"));
    pv_preference_free(second);
}

static void one_walk_at_a_time(void **state)
{
    const session_folder folder = session_folder_create();
    session_sample s = session_sample_create();
    pv_preference *const first = session_keep(&s, folder.path);
    (void)state;
    session_wish(first, 0.1, 0.1);
    expect_busy(&s, folder.path);
    session_wish(first, 0.2, 0.1); /* and it was not disturbed */
    pv_preference_free(first);
    assert_int_equal(wishes_in(folder.path), 2);
    session_sample_free(&s);
    session_folder_free(&folder);
}

static void one_process_at_a_time(void **state)
{
    const session_folder folder = session_folder_create();
    session_sample s = session_sample_create();
    int ends[2];
    char byte;
    (void)state;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        wish_on(&s, folder.path, ends[1]);
    }
    (void)close(ends[1]);
    assert_int_equal(read(ends[0], &byte, 1), 1); /* now it has the file */
    expect_busy(&s, folder.path);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    (void)close(ends[0]);
    pv_preference_free(session_keep(&s, folder.path));
    session_sample_free(&s);
    session_folder_free(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(killed_sessions_go_on),
        cmocka_unit_test(a_full_disk_loses_nothing),
        cmocka_unit_test(one_walk_at_a_time),
        cmocka_unit_test(one_process_at_a_time),
    };
    return cmocka_run_group_tests_name("killed sessions", tests, NULL, NULL);
}

#else

int main(void)
{
    return 0; /* without SQLite there are no sessions */
}

#endif
