/* Session files that strangers wrote, that lost bytes, or that are none at all: a clear answer,
 * never a crash, and never a scheme remembered as what it is not. */
#include "support/session_sample.h"

#ifdef PV_HAVE_SQLITE

#include <sqlite3.h>

typedef struct {
    session_folder folder;
    session_sample sample;
    char *bytes; /* of a good session */
    size_t size;
    pv_preference *preference; /* that wrote it */
} fixture;

static int setup(void **state)
{
    fixture *const f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->folder = session_folder_create();
    f->sample = session_sample_create();
    f->preference = session_keep(&f->sample, f->folder.path);
    session_wish(f->preference, 0.1, 0.1);
    session_wish(f->preference, 0.2, 0.1);
    /* Everything is in the file; closing it changes nothing. */
    f->bytes = session_bytes(f->folder.path, &f->size);
    session_remove(&f->folder);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    fixture *const f = *state;
    pv_preference_free(f->preference);
    session_remove(&f->folder);
    session_folder_free(&f->folder);
    session_sample_free(&f->sample);
    free(f->bytes);
    free(f);
    return 0;
}

static void write_again(const fixture *f)
{
    session_remove(&f->folder);
    session_write(f->folder.path, f->bytes, f->size);
}

/* ------------------------------------------------------------------ answers */

/* Whatever was read is what was written. */
static void expect_known(const fixture *f, const pv_preference *preference)
{
    const pv_cut_run *const good = &f->preference->search.run;
    assert_true(preference->search.run.map.n == 0 || preference->search.run.map.n == good->map.n);
    assert_memory_equal(preference->search.run.map.keys, good->map.keys,
                        preference->search.run.map.n * good->map.words * sizeof *good->map.keys);
    for (uint32_t id = 0; id < preference->search.run.map.n; id++) {
        assert_memory_equal(&preference->search.run.outcomes[id], &good->outcomes[id],
                            sizeof *good->outcomes);
    }
}

static pv_status keep(const fixture *f, const char *path, pv_error *error)
{
    pv_preference *const preference = session_preference(&f->sample);
    const pv_status status = pv_preference_open_session(preference, path, error);
    expect_known(f, preference);
    assert_int_equal(preference->search.run.map.n > 0 || preference->wishes > 0,
                     status == PV_STATUS_OK);
    pv_preference_free(preference);
    return status;
}

static void expect_clear(const pv_error *error, const char *path)
{
    assert_string_equal(error->file, path);
    assert_true(error->message[0] != '\0');
    for (const char *c = error->message; *c != '\0'; c++) {
        assert_true((unsigned char)*c >= ' ');
    }
}

static pv_status read_log(const char *path, pv_error *error)
{
    pv_preference_log *log = NULL;
    const pv_status status = pv_preference_log_read(path, &log, error);
    assert_int_equal(log != NULL, status == PV_STATUS_OK);
    pv_preference_log_free(log);
    return status;
}

/* ---------------------------------------------------------------- statements */

static void tamper(const char *path, const char *sql)
{
    sqlite3 *sqlite = NULL;
    char *message = NULL;
    assert_int_equal(sqlite3_open(path, &sqlite), SQLITE_OK);
    if (sqlite3_exec(sqlite, sql, NULL, NULL, &message) != SQLITE_OK) {
        fail_msg("%s: %s", sql, message);
    }
    assert_int_equal(sqlite3_close(sqlite), SQLITE_OK);
}

/* A table without any promises about what it holds. */
#define LOOSE(table)                                                        \
    "CREATE TABLE loose AS SELECT * FROM " table "; DROP TABLE " table "; " \
    "ALTER TABLE loose RENAME TO " table "; "

static void strange_schemes_are_refused(void **state)
{
    static const char *const tamperings[] = {
        "DROP TABLE schemes",
        "DROP TABLE meta",
        "DROP TABLE steps",
        "ALTER TABLE schemes RENAME bits TO bats",
        "ALTER TABLE steps RENAME kind TO sort",
        LOOSE("schemes") "UPDATE schemes SET bits = NULL WHERE id = 3",
        LOOSE("schemes") "UPDATE schemes SET id = NULL WHERE id = 0",
        LOOSE("schemes") "UPDATE schemes SET cost = NULL WHERE id = 3",
        LOOSE("schemes") "UPDATE schemes SET seal = NULL WHERE id = 3",
        LOOSE("schemes") "UPDATE schemes SET cost = 'dear' WHERE id = 3",
        LOOSE("schemes") "UPDATE schemes SET smallest = 2.5 WHERE id = 3",
        "UPDATE schemes SET bits = x'' WHERE id = 3",
        "UPDATE schemes SET bits = x'00' WHERE id = 3",
        "UPDATE schemes SET bits = bits || x'00' WHERE id = 3",
        "UPDATE schemes SET bits = CAST(bits AS TEXT)",
        "UPDATE schemes SET bits = zeroblob(900000) WHERE id = 3",
        "UPDATE schemes SET bits = zeroblob(90000000) WHERE id = 3",
        "UPDATE schemes SET bits = x'ffffff' WHERE id = 3",
        "UPDATE schemes SET bits = (SELECT bits FROM schemes WHERE id = 4)",
        "UPDATE schemes SET cost = -1 WHERE id = 3",
        "UPDATE schemes SET cost = cost + 1 WHERE id = 3",
        "UPDATE schemes SET smallest = 0 WHERE id = 3",
        "UPDATE schemes SET smallest = smallest + 1 WHERE id = 3",
        "UPDATE schemes SET smallest = -smallest",
        "UPDATE schemes SET largest = 9223372036854775807 WHERE id = 3",
        "UPDATE schemes SET n_classes = -5 WHERE id = 3",
        "UPDATE schemes SET n_classes = n_classes + 1 WHERE id = 3",
        "UPDATE schemes SET bias = bias + 0.1 WHERE id = 3",
        "UPDATE schemes SET bias = 'x' WHERE id = 3",
        "UPDATE schemes SET kept = 0.5 WHERE id = 3",
        "UPDATE schemes SET kept = 1e300 WHERE id = 3",
        "UPDATE schemes SET seal = seal + 1 WHERE id = 3",
        "INSERT INTO weights VALUES (1, 0, 1)",
        "INSERT INTO weights VALUES (1, 0, -1), (1, 1, 1), (1, 2, 1), (1, 3, 1)",
        "INSERT INTO weights VALUES (1, 0, 1e999)",
        "INSERT INTO weights VALUES (1, 7, 1)",
        "UPDATE schemes SET id = id + 1000000",
        "UPDATE schemes SET id = -1 WHERE id = 3",
        "DELETE FROM schemes WHERE id = 3",
        "DELETE FROM schemes WHERE id = (SELECT max(id) FROM schemes)",
        "DELETE FROM schemes",
        "DELETE FROM steps",
        "INSERT INTO schemes SELECT id + 1000, bits, cost, smallest, largest, n_classes,"
        " bias, kept, seal FROM schemes WHERE id = 3",
        "INSERT INTO schemes SELECT (SELECT count(*) FROM schemes), bits, cost, smallest, largest,"
        " n_classes, bias, kept, seal FROM schemes WHERE id = 3",
        "DELETE FROM meta",
        "DELETE FROM meta WHERE name = 'k'",
        "UPDATE meta SET value = x'00' WHERE name = 'rows'",
        "UPDATE meta SET value = char(27) || '[2J' WHERE name = 'rows'",
        "UPDATE meta SET value = value || char(27, 10, 7) WHERE name = 'attributes'",
        LOOSE("meta") "UPDATE meta SET value = NULL",
        LOOSE("steps") "UPDATE steps SET evaluated = NULL",
        "UPDATE steps SET evaluated = -1",
        "UPDATE steps SET evaluated = 1e300",
        "ALTER TABLE schemes RENAME TO hidden; CREATE VIEW schemes AS SELECT * FROM hidden",
        "PRAGMA application_id = 0",
        "PRAGMA application_id = 77",
        "PRAGMA user_version = 0",
        "PRAGMA user_version = 1",
        "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = 'CREATE TABLE' || char(27)",
        "PRAGMA writable_schema = ON; UPDATE sqlite_master SET rootpage = 99999",
    };
    const fixture *const f = *state;
    const char *const path = f->folder.path;
    for (size_t i = 0; i < sizeof tamperings / sizeof *tamperings; i++) {
        pv_error error = {0};
        write_again(f);
        tamper(path, tamperings[i]);
        if (keep(f, path, &error) != PV_STATUS_INPUT) {
            fail_msg("accepted: %s", tamperings[i]);
        }
        expect_clear(&error, path);
        (void)read_log(path, &error);
    }
}

static void strange_steps_are_refused(void **state)
{
    static const char *const tamperings[] = {
        "DELETE FROM meta WHERE name = 'measures'",
        "UPDATE meta SET value = 'necd' WHERE name = 'measures'",
        "UPDATE meta SET value = 'necd and ' WHERE name = 'measures'",
        "UPDATE meta SET value = 'necd and ' || char(27) || '[2J' WHERE name = 'measures'",
        "UPDATE steps SET kind = 'x'",
        "UPDATE steps SET kind = x'00'",
        "UPDATE steps SET time = 'now' || char(27) || '[2J'",
        "UPDATE steps SET time = '2026-01-31T12:00:00' || char(10)",
        "UPDATE steps SET time = '2026-01-31T12:00:00Z' || char(27) WHERE id = 2",
        "UPDATE steps SET time = ''",
        "UPDATE steps SET k = -1",
        "UPDATE steps SET evaluated = -1",
        "UPDATE steps SET wish_bias = NULL",
        "UPDATE steps SET wish_loss = 'much'",
        "UPDATE steps SET achievement = 1e999",
        "UPDATE steps SET proven = 2",
        "UPDATE steps SET proven = NULL",
        LOOSE("steps") "UPDATE steps SET kind = NULL, time = NULL",
        "DROP TABLE steps",
        "ALTER TABLE steps RENAME TO hidden; CREATE VIEW steps AS SELECT * FROM hidden",
    };
    const fixture *const f = *state;
    const char *const path = f->folder.path;
    for (size_t i = 0; i < sizeof tamperings / sizeof *tamperings; i++) {
        pv_error error = {0};
        write_again(f);
        tamper(path, tamperings[i]);
        if (read_log(path, &error) != PV_STATUS_INPUT) {
            fail_msg("accepted: %s", tamperings[i]);
        }
        expect_clear(&error, path);
    }
}

/* What a stranger wants to happen does not happen. */
static void triggers_do_nothing(void **state)
{
    const fixture *const f = *state;
    pv_error error = {0};
    write_again(f);
    tamper(f->folder.path, "CREATE TRIGGER t AFTER INSERT ON steps BEGIN DELETE FROM schemes; END");
    for (int i = 0; i < 2; i++) {
        bound_must(keep(f, f->folder.path, &error), &error);
    }
}

/* -------------------------------------------------------------------- bytes */

static void expect_answer(pv_status status, const pv_error *error, const char *path)
{
    if (status != PV_STATUS_OK) {
        assert_true(status == PV_STATUS_INPUT || status == PV_STATUS_IO);
        expect_clear(error, path);
    }
}

static void lost_bytes_are_noticed(void **state)
{
    const fixture *const f = *state;
    const char *const path = f->folder.path;
    pv_rng rng;
    pv_i_rng_init(&rng, 21);
    for (size_t round = 0; round < 60; round++) {
        const size_t size = round < 20 ? round * 8 + 1 : (size_t)pv_i_rng_below(&rng, f->size);
        pv_error error = {0};
        session_remove(&f->folder);
        session_write(path, f->bytes, size > 0 ? size : 1);
        assert_int_equal(keep(f, path, &error), PV_STATUS_INPUT);
        expect_clear(&error, path);
        expect_answer(read_log(path, &error), &error, path);
    }
}

static void changed_bytes_are_noticed_or_harmless(void **state)
{
    const fixture *const f = *state;
    const char *const path = f->folder.path;
    pv_rng rng;
    pv_i_rng_init(&rng, 22);
    for (size_t round = 0; round < 100; round++) {
        char *const bytes = malloc(f->size);
        assert_non_null(bytes);
        memcpy(bytes, f->bytes, f->size);
        for (uint64_t n = 1 + pv_i_rng_below(&rng, 4); n > 0; n--) {
            const uint64_t reach = round % 2 == 0 ? 200 : f->size;
            bytes[pv_i_rng_below(&rng, reach)] ^= (char)(1 + pv_i_rng_below(&rng, 255));
        }
        session_remove(&f->folder);
        session_write(path, bytes, f->size);
        free(bytes);
        pv_error error = {0};
        expect_answer(read_log(path, &error), &error, path);
        expect_answer(keep(f, path, &error), &error, path);
    }
}

/* -------------------------------------------------------------- other files */

static void expect_no_session(const fixture *f, const char *path)
{
    pv_error error = {0};
    assert_int_equal(keep(f, path, &error), PV_STATUS_INPUT);
    expect_clear(&error, path);
    assert_int_equal(read_log(path, &error), PV_STATUS_INPUT);
    expect_clear(&error, path);
}

static void other_files_are_no_sessions(void **state)
{
    static const char text[] = "age,town\n34,Vienna\n";
    const fixture *const f = *state;
    const char *const path = f->folder.path;
    session_remove(&f->folder);
    session_write(path, text, sizeof text - 1);
    expect_no_session(f, path);
    char *const bytes = session_bytes(path, NULL);
    assert_string_equal(bytes, text);
    free(bytes);
    session_remove(&f->folder);
    tamper(path, "CREATE TABLE people (name TEXT)");
    expect_no_session(f, path);
    session_remove(&f->folder);
    expect_no_session(f, f->folder.name); /* a folder */
    assert_int_equal(mkfifo(path, 0600), 0);
    expect_no_session(f, path);
}

static void an_empty_file_becomes_a_session(void **state)
{
    const fixture *const f = *state;
    const char *const path = f->folder.path;
    pv_error error = {0};
    session_remove(&f->folder);
    session_write(path, "", 0);
    assert_int_equal(read_log(path, &error), PV_STATUS_INPUT);
    pv_preference_free(session_keep(&f->sample, path));
    bound_must(read_log(path, &error), &error);
}

static void folders_must_exist(void **state)
{
    const fixture *const f = *state;
    char path[128];
    pv_error error = {0};
    (void)snprintf(path, sizeof path, "%s/none/walk.pvs", f->folder.name);
    assert_int_equal(keep(f, path, &error), PV_STATUS_IO);
    expect_clear(&error, path);
    assert_non_null(strstr(error.message, "No such file"));
    assert_int_equal(read_log(path, &error), PV_STATUS_INPUT);
    expect_clear(&error, path);
    session_remove(&f->folder);
    assert_int_equal(read_log(f->folder.path, &error), PV_STATUS_INPUT);
    assert_int_equal(access(f->folder.path, F_OK), -1);
}

/* Where nobody may write. The superuser may write everywhere. */
static void files_must_be_writable(void **state)
{
    const fixture *const f = *state;
    const char *const path = f->folder.path;
    pv_error error = {0};
    if (geteuid() == 0) {
        skip();
    }
    write_again(f);
    assert_int_equal(chmod(path, 0400), 0);
    assert_int_equal(keep(f, path, &error), PV_STATUS_IO);
    expect_clear(&error, path);
    bound_must(read_log(path, &error), &error);
    session_remove(&f->folder);
    assert_int_equal(chmod(f->folder.name, 0500), 0);
    assert_int_equal(keep(f, path, &error), PV_STATUS_IO);
    expect_clear(&error, path);
    assert_int_equal(chmod(f->folder.name, 0700), 0);
}

/* A path is a path, whatever SQLite makes of such names. */
static void odd_names_are_names(void **state)
{
    static const char *const names[] = {":memory:", "file:x?mode=memory", "-", "a b;c'd\"e"};
    const fixture *const f = *state;
    char *const here = getcwd(NULL, 0);
    assert_int_equal(chdir(f->folder.name), 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        pv_error error = {0};
        pv_preference_free(session_keep(&f->sample, names[i]));
        bound_must(read_log(names[i], &error), &error);
        assert_int_equal(unlink(names[i]), 0);
    }
    assert_int_equal(chdir(here), 0);
    free(here);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strange_schemes_are_refused),
        cmocka_unit_test(strange_steps_are_refused),
        cmocka_unit_test(triggers_do_nothing),
        cmocka_unit_test(lost_bytes_are_noticed),
        cmocka_unit_test(changed_bytes_are_noticed_or_harmless),
        cmocka_unit_test(other_files_are_no_sessions),
        cmocka_unit_test(an_empty_file_becomes_a_session),
        cmocka_unit_test(folders_must_exist),
        cmocka_unit_test(files_must_be_writable),
        cmocka_unit_test(odd_names_are_names),
    };
    return cmocka_run_group_tests_name("damaged sessions", tests, setup, teardown);
}

#else

int main(void)
{
    return 0; /* without SQLite there is nothing to damage */
}

#endif
