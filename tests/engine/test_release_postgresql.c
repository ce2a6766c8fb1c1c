/* Releases from and to PostgreSQL through the command: they are those of the file, nothing is left
 * of one that died, nobody reads a password. */
#include "support/files.h"
#include "support/postgres_server.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "base/rng.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define N_PEOPLE 4000
#define SECRET "s3cret-of-the-test"

static pg_server server;
static scratch_folder folder;

/* ------------------------------------------------------------------- command */

/* Runs a shell line in the folder; $P is the command, $U the database. */
static int shell(const char *format, ...)
{
    char line[2048];
    char all[4096];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    (void)snprintf(all, sizeof all, "cd %s && P=%s && U=%s && %s", folder.path, PV_COMMAND,
                   server.url, line);
    const int status = system(all);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void done(const char *line)
{
    if (shell("%s", line) != 0) {
        (void)shell("cat err");
        fail_msg("%s", line);
    }
}

/* ------------------------------------------------------------------- the table */

static const char *const towns[] = {
    "Ulm", "Zo\u00eb's Ford", "\u732b", "New \"Old\" Town", "semi;colon", "a,b", ""};

static size_t made;

static pv_status next_person(void *ctx, const pv_cell **cells, pv_error *error)
{
    static char texts[5][32];
    static pv_cell row[5];
    FILE *const csv = ctx;
    const size_t i = made++;
    (void)error;
    *cells = NULL;
    if (i == N_PEOPLE) {
        return PV_STATUS_OK;
    }
    const char *const town = towns[i * i % 7];
    (void)snprintf(texts[0], sizeof texts[0], "%zu", 18 + i * 31 % 60);
    (void)snprintf(texts[1], sizeof texts[1], "%zu.%zu", 100 + i % 20, i % 10);
    (void)snprintf(texts[2], sizeof texts[2], "20%02zu-0%zu-1%zu", i % 24, 1 + i % 9, i % 3);
    (void)snprintf(texts[3], sizeof texts[3], "%s", town);
    (void)snprintf(texts[4], sizeof texts[4], "%s", i % 11 == 0 ? "" : i % 3 == 0 ? "flu" : "-");
    for (size_t c = 0; c < 5; c++) {
        row[c] = (pv_cell){texts[c][0] != '\0' ? texts[c] : NULL, strlen(texts[c])};
    }
    const char *const quoted = strchr(town, '"') != NULL   ? "\"New \"\"Old\"\" Town\""
                               : strchr(town, ',') != NULL ? "\"a,b\""
                                                           : town;
    (void)fprintf(csv, "%s,%s,%s,%s,%s\n", texts[0], texts[1], texts[2], quoted, texts[4]);
    *cells = row;
    return PV_STATUS_OK;
}

static void make_table(void)
{
    char path[128];
    pg_link link;
    pv_error error = {0};
    (void)snprintf(path, sizeof path, "%s/people.csv", folder.path);
    FILE *const csv = fopen(path, "w");
    assert_non_null(csv);
    (void)fprintf(csv, "age,height,since,town,ill\n");
    pg_run(&server, "CREATE TABLE raw (age TEXT, height TEXT, since TEXT, town TEXT, ill TEXT)",
           NULL);
    pg_link_open(&link, server.url, NULL);
    if (link.link.engine->load(link.link.connection, "raw", 5, next_person, csv, &error) !=
        PV_STATUS_OK) {
        fail_msg("%s", error.message);
    }
    pg_link_close(&link);
    (void)fclose(csv);
    pg_run(&server,
           "CREATE TABLE people AS SELECT CAST(age AS INTEGER) AS age, CAST(height AS "
           "NUMERIC(5,1)) AS height, CAST(since AS DATE) AS since, town, ill FROM raw",
           NULL);
}

static void make_plan(const char *name, const char *data)
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s/%s", folder.path, name);
    FILE *const plan = fopen(path, "w");
    assert_non_null(plan);
    (void)fprintf(plan,
                  "data: \"%s\"\nsuppression: 1%%\nattributes:\n"
                  "  age: {role: quasi, hierarchy: {intervals: [5, 20]}}\n"
                  "  since: {role: quasi, hierarchy: {date: [month, year]}}\n"
                  "  town: {role: quasi}\n"
                  "  height: {role: sensitive}\n  ill: {role: sensitive}\n",
                  data);
    (void)fclose(plan);
}

static int begin(void **state)
{
    (void)state;
    folder = scratch_folder_create("none");
    pg_server_create(&server, NULL);
    pg_server_start(&server);
    make_table();
    make_plan("file.yaml", "people.csv");
    make_plan("table.yaml", pg_table(&server, "people"));
    return 0;
}

static int end(void **state)
{
    (void)state;
    (void)shell("rm -rf *");
    pg_server_remove(&server);
    scratch_folder_remove(&folder);
    return 0;
}

/* ----------------------------------------------------------------------- tests */

/* What the papers say apart from what the table is called and where it is. */
#define SAID "grep -hv '\"seconds\"\\|\"source\"\\|\"file\"\\|\"scheme\":\\|sha256\\|\"place\"'"

static void test_same_as_the_file(void **state)
{
    (void)state;
    done("$P front file.yaml --json | " SAID " >a && $P front table.yaml --json | " SAID
         " >b && cmp a b");
    done("$P inspect file.yaml --json | " SAID " >a && $P inspect table.yaml --json | " SAID
         " >b && cmp a b");
    done("$P release file.yaml --require k=5 -q -o f.csv && $P release table.yaml --require k=5 "
         "-q -o t.csv && cmp f.csv t.csv");
    done("$P release file.yaml --require k=5 -q -o \"$U?table=from_file\" 2>err && $P release "
         "table.yaml --require k=5 -q -o \"$U?table=public.from_table\" 2>err");
    done("for x in f t from_file from_table; do " SAID " $x.papers-*/*.certificate.json > $x.said; "
         "cmp f.said $x.said || exit 1; done");
    done("for x in from_file from_table; do (cd $x.papers-* && sha256sum --quiet -c SHA256SUMS) || "
         "exit 1; done");
    done("$P check \"$U?table=from_table\" -q --require k=5 2>err");
    /* The rows are those of the file, of the types of the source. */
    done("printf 'data: \"%s\"\\nattributes:\\n  age: {role: quasi}\\n  height: {role: quasi}\\n"
         "  since: {role: quasi}\\n  town: {role: quasi}\\n  ill: {role: quasi}\\n' "
         "\"$U?table=from_file\" >copy.yaml && $P release copy.yaml --levels 0,0,0,0,0 --k 1 -q -o "
         "copy.csv 2>err && sort f.csv >a && sort copy.csv >b && cmp a b");
    char *const type = pg_value(&server, "SELECT string_agg(data_type, ',' ORDER BY column_name) "
                                         "FROM information_schema.columns WHERE table_name = "
                                         "'from_file' AND column_name IN ('height', 'ill')");
    assert_string_equal(type, "numeric,text");
    free(type);
}

/* Somebody else's function of the name of one that is used is not run as whoever releases. */
static void test_functions_of_others(void **state)
{
    (void)state;
    pg_run(&server, "CREATE TABLE caught (who TEXT)",
           "CREATE FUNCTION generate_series(INTEGER, BIGINT) RETURNS SETOF BIGINT LANGUAGE plpgsql "
           "AS 'BEGIN INSERT INTO caught VALUES (current_user); RETURN QUERY SELECT "
           "pg_catalog.generate_series(CAST(1 AS BIGINT), $2); END'",
           NULL);
    done("$P release file.yaml --require k=5 -q -o \"$U?table=lured\" 2>err");
    char *const caught = pg_value(&server, "SELECT CAST(count(*) AS TEXT) FROM caught");
    assert_string_equal(caught, "0");
    free(caught);
    pg_run(&server, "DROP FUNCTION generate_series(INTEGER, BIGINT)", NULL);
}

static void test_what_is_in_the_way(void **state)
{
    (void)state;
    pg_run(&server, "CREATE TABLE theirs (x INTEGER)", NULL);
    assert_int_equal(shell("$P release file.yaml --k 5 -q -o \"$U?table=theirs\" 2>err"), 2);
    done("grep -q 'exists already' err");
    done("$P release file.yaml --require k=5 -q --force -o \"$U?table=theirs\" 2>err && $P check "
         "\"$U?table=theirs\" -q 2>err");
    assert_int_equal(
        shell("$P release table.yaml --require k=5 -q --force -o \"$U?table=people\" 2>err"), 2);
    done("grep -q 'data is read from' err");
    /* The same by other names. */
    for (size_t i = 0; i < 3; i++) {
        static const char *const edits[] = {"127.0.0.1/localhost", "table=/table=public.",
                                            "postgresql:/postgres:"};
        assert_int_equal(shell("$P release table.yaml --require k=5 -q --force -o \"$(echo "
                               "\"$U?table=people\" | sed 's/%s/')\" 2>err",
                               edits[i]),
                         2);
        done("grep -q 'data is read from' err");
    }
    done("$P release table.yaml --require k=5 -q -o \"$U?table=People\" 2>err");
    assert_int_equal(
        shell("$P release file.yaml --require k=5 -q --keep-order -o \"$U?table=x\" 2>err"), 2);
    assert_int_equal(shell("$P release file.yaml --require k=100000 -q -o \"$U?table=x\" 2>err"),
                     3);
    assert_int_equal(shell("$P release file.yaml --require k=5 -q -o \"$U?table=no.x\" 2>err"), 2);
    char *const left = pg_value(&server, "SELECT CAST(COUNT(*) AS TEXT) FROM pg_tables WHERE "
                                         "tablename LIKE '%~%' OR tablename = 'x'");
    assert_string_equal(left, "0");
    free(left);
}

/* Under its final name there is a whole release, or nothing. */
static void all_or_nothing(void)
{
    char *const state = pg_value(
        &server, "SELECT CASE WHEN to_regclass('victim') IS NULL THEN 'none' ELSE (SELECT "
                 "CAST(xpath('/row/n/text()', query_to_xml('SELECT COUNT(*) AS n FROM victim', "
                 "false, true, '')) AS TEXT)) END");
    assert_true(strcmp(state, "none") == 0 || strcmp(state, "{4000}") == 0);
    if (strcmp(state, "none") != 0) {
        assert_int_equal(shell("$P check \"$U?table=victim\" --plan file.yaml --require k=5 -q "
                               "2>err"),
                         0);
    }
    free(state);
}

static pid_t start_release(void)
{
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        char place[256];
        (void)snprintf(place, sizeof place, "%s?table=victim", server.url);
        if (chdir(folder.path) == 0 && freopen("err", "w", stderr) != NULL) {
            (void)execl(PV_COMMAND, PV_COMMAND, "release", "file.yaml", "--levels", "2,2,0",
                        "--require", "k=5", "--suppression", "100%", "-q", "--force", "-o", place,
                        (char *)NULL);
        }
        _exit(127);
    }
    return pid;
}

static void test_killed_client(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 19);
    for (size_t i = 0; i < effort(8); i++) {
        const pid_t pid = start_release();
        (void)usleep((useconds_t)(10000 + pv_i_rng_below(&rng, 300000)));
        (void)kill(pid, SIGKILL);
        (void)waitpid(pid, NULL, 0);
        all_or_nothing();
    }
    int status = 0;
    (void)waitpid(start_release(), &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        (void)shell("cat err");
        fail_msg("the release fails after those that were killed");
    }
    all_or_nothing();
}

static void test_killed_server(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 20);
    for (size_t i = 0; i < effort(3); i++) {
        int status = 0;
        pg_run(&server, "DROP TABLE IF EXISTS victim", NULL);
        const pid_t pid = start_release();
        (void)usleep((useconds_t)(30000 + pv_i_rng_below(&rng, 250000)));
        pg_server_kill(&server);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_true(WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) < 3));
        pg_server_start(&server);
        all_or_nothing();
    }
}

/* Ctrl-C is heard while the server works. */
static void test_interrupted(void **state)
{
    int status = 0;
    (void)state;
    pg_run(&server,
           "CREATE VIEW slow AS SELECT age, height, since, town, ill FROM people, "
           "(SELECT pg_sleep(30)) s",
           NULL);
    make_plan("slow.yaml", pg_table(&server, "slow"));
    const pid_t pid = fork();
    if (pid == 0) {
        if (chdir(folder.path) == 0 && freopen("err", "w", stderr) != NULL) {
            (void)execl(PV_COMMAND, PV_COMMAND, "front", "slow.yaml", (char *)NULL);
        }
        _exit(127);
    }
    (void)usleep(500000);
    (void)kill(pid, SIGINT);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 130);
    char *const left = pg_value(&server, "SELECT CAST(COUNT(*) AS TEXT) FROM pg_stat_activity "
                                         "WHERE state = 'active' AND query LIKE '%slow%' AND pid "
                                         "<> pg_backend_pid()");
    assert_string_equal(left, "0");
    free(left);
}

/* The server wants one; it comes from the file that psql reads, and is seen nowhere. */
static void test_password(void **state)
{
    char hba[128];
    (void)state;
    (void)snprintf(hba, sizeof hba, "%s/data/pg_hba.conf", server.folder);
    char *const rules = scratch_text(hba);
    FILE *const file = fopen(hba, "w");
    assert_non_null(file);
    (void)fprintf(file, "host all locked 127.0.0.1/32 scram-sha-256\n%s", rules);
    (void)fclose(file);
    pv_i_free(rules);
    pg_run(&server, "CREATE ROLE locked LOGIN PASSWORD '" SECRET "'",
           "GRANT SELECT ON people TO locked", "GRANT CREATE ON SCHEMA public TO locked",
           "SELECT pg_reload_conf()", NULL);
    (void)usleep(100000);
    done("echo '*:*:*:locked:" SECRET "' >pass && chmod 600 pass");
    char locked[512];
    (void)snprintf(locked, sizeof locked,
                   "postgresql://locked@127.0.0.1:%d/postgres?table=", server.port);
    char place[600];
    (void)snprintf(place, sizeof place, "%speople", locked);
    make_plan("locked.yaml", place);
    assert_int_equal(shell("$P front locked.yaml >out 2>err"), 2);
    done("grep -q 'password' err");
    assert_int_equal(
        shell("PGPASSFILE=pass $P release locked.yaml -v --require k=5 -o '%slocked_release' "
              ">>out 2>>err",
              locked),
        0);
    assert_int_equal(shell("PGPASSFILE=wrong $P front locked.yaml >>out 2>>err"), 2);
    assert_int_equal(shell("rm pass; grep -rq '" SECRET "' ."), 1);
    assert_int_equal(shell("$P front --data 'postgresql://u:" SECRET
                           "@h/d?table=t' file.yaml 2>err || grep -q '" SECRET "' err"),
                     1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_the_file),   cmocka_unit_test(test_functions_of_others),
        cmocka_unit_test(test_what_is_in_the_way), cmocka_unit_test(test_killed_client),
        cmocka_unit_test(test_killed_server),      cmocka_unit_test(test_interrupted),
        cmocka_unit_test(test_password),
    };
    return pg_is_installed() ? cmocka_run_group_tests(tests, begin, end) : 0;
}
