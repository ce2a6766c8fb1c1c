/* Releases from and to ClickHouse through the command, one server and three: they are those of the
 * file, nothing is left of one that died under its final name, nobody reads a password. */
#include "support/clickhouse_servers.h"
#include "support/files.h"

#include "base/memory.h"
#include "base/rng.h"

#include <signal.h>
#include <stdarg.h>
#include <sys/wait.h>

enum { N_PEOPLE = 4000, N_SERVERS = 3 };

static ch_servers all;
static ch_server *const first = &all.servers[0];
static scratch_folder folder;
static char cluster[160]; /* the parameters of a place that is on all servers */

/* ------------------------------------------------------------------- command */

/* Runs a shell line in the folder; $P is the command, $U the database, $C the cluster. */
static int shell(const char *format, ...)
{
    char line[2048];
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    (void)snprintf(text, sizeof text, "cd %s && P=%s && U=%s && C='%s' && %s", folder.path,
                   PV_COMMAND, first->url, cluster, line);
    const int status = system(text);
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
    "Ulm", "Zo\u00eb's Ford", "\u732b", "New \"Old\" Town", "semi;colon", "a,b", "back\\slash"};

typedef struct {
    FILE *csv;
    size_t made;
    char texts[5][32];
    pv_cell row[5];
} maker;

static pv_status next_person(void *ctx, const pv_cell **cells, pv_error *error)
{
    maker *const m = ctx;
    const size_t i = m->made++;
    (void)error;
    *cells = NULL;
    if (i == N_PEOPLE) {
        return PV_STATUS_OK;
    }
    const char *const town = i % 29 == 0 ? "" : towns[i * i % 7];
    (void)snprintf(m->texts[0], sizeof m->texts[0], "%zu", 18 + i * 31 % 60);
    (void)snprintf(m->texts[1], sizeof m->texts[1], "%zu.%zu", 100 + i % 20, i % 10);
    (void)snprintf(m->texts[2], sizeof m->texts[2], "20%02zu-0%zu-1%zu", i % 24, 1 + i % 9, i % 3);
    (void)snprintf(m->texts[3], sizeof m->texts[3], "%s", town);
    (void)snprintf(m->texts[4], sizeof m->texts[4], "%s",
                   i % 11 == 0  ? ""
                   : i % 3 == 0 ? "flu"
                                : "-");
    for (size_t c = 0; c < 5; c++) {
        m->row[c] = (pv_cell){m->texts[c][0] != '\0' ? m->texts[c] : NULL, strlen(m->texts[c])};
    }
    const char *const quoted = strchr(town, '"') != NULL   ? "\"New \"\"Old\"\" Town\""
                               : strchr(town, ',') != NULL ? "\"a,b\""
                                                           : town;
    (void)fprintf(m->csv, "%s,%s,%s,%s,%s\n", m->texts[0], m->texts[1], m->texts[2], quoted,
                  m->texts[4]);
    *cells = m->row;
    return PV_STATUS_OK;
}

#define PEOPLE                                                                                    \
    "(age Int32, height Decimal(5, 1), since Date, town Nullable(String), ill Nullable(String)) " \
    "ENGINE = MergeTree ORDER BY tuple()"

/* The file, the same rows on one server, and a third of them on each. */
static void make_tables(void)
{
    char path[128];
    ch_link link;
    pv_error error = {0};
    maker m = {0};
    (void)snprintf(path, sizeof path, "%s/people.csv", folder.path);
    m.csv = fopen(path, "w");
    assert_non_null(m.csv);
    (void)fprintf(m.csv, "age,height,since,town,ill\n");
    ch_run(first,
           "CREATE TABLE raw (age Nullable(String), height Nullable(String), since "
           "Nullable(String), town Nullable(String), ill Nullable(String)) ENGINE = Log",
           "CREATE TABLE people " PEOPLE, NULL);
    for (size_t i = 0; i < N_SERVERS; i++) {
        ch_run(&all.servers[i], "CREATE TABLE third " PEOPLE, NULL);
    }
    ch_link_open(&link, first->url, NULL);
    if (link.link.engine->load(link.link.connection, "raw", 5, next_person, &m, &error) !=
        PV_STATUS_OK) {
        fail_msg("%s", error.message);
    }
    ch_link_close(&link);
    (void)fclose(m.csv);
    ch_run(first,
           "INSERT INTO people SELECT toInt32(assumeNotNull(age)), "
           "toDecimal32(assumeNotNull(height), 1), toDate(assumeNotNull(since)), town, ill FROM "
           "raw",
           "CREATE TABLE spread AS third ENGINE = Distributed(all, default, third, rand())",
           "INSERT INTO spread SELECT * FROM people", NULL);
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
    ch_servers_create(&all, N_SERVERS);
    (void)snprintf(cluster, sizeof cluster,
                   "cluster=all&shards=127.0.0.1:%d,127.0.0.1:%d,127.0.0.1:%d", all.servers[0].http,
                   all.servers[1].http, all.servers[2].http);
    make_tables();
    make_plan("file.yaml", "people.csv");
    make_plan("table.yaml", ch_table(first, "people"));
    make_plan("spread.yaml", ch_table(first, "spread"));
    return 0;
}

static int end(void **state)
{
    (void)state;
    (void)shell("rm -rf *");
    ch_servers_remove(&all);
    scratch_folder_remove(&folder);
    return 0;
}

static void assert_value(const ch_server *server, const char *select, const char *expected)
{
    char *const value = ch_value(server, select);
    assert_string_equal(value != NULL ? value : "nothing", expected);
    free(value);
}

/* ----------------------------------------------------------------------- tests */

/* What the papers say apart from what the table is called and where it is. */
#define SAID "grep -hv '\"seconds\"\\|\"source\"\\|\"file\"\\|\"scheme\":\\|sha256\\|\"place\"'"

static void test_same_as_the_file(void **state)
{
    (void)state;
    done("for x in table spread; do $P front file.yaml --json | " SAID " >a && $P front $x.yaml "
         "--json | " SAID " >b && cmp a b || exit 1; done");
    done("for x in table spread; do $P inspect file.yaml --json | " SAID " >a && $P inspect "
         "$x.yaml --json | " SAID " >b && cmp a b || exit 1; done");
    done("$P release file.yaml --require k=5 -q -o f.csv && for x in table spread; do $P release "
         "$x.yaml --require k=5 -q -o $x.csv && cmp f.csv $x.csv || exit 1; done");
    done("$P release file.yaml --require k=5 -q -o \"$U?table=from_file\" 2>err && $P release "
         "table.yaml --require k=5 -q -o \"$U?table=default.from_table\" 2>err && $P release "
         "spread.yaml --require k=5 -q -o \"$U?$C&table=from_spread\" 2>err");
    done("for x in f from_file from_table from_spread; do " SAID
         " $x.papers-*/*.certificate.json > $x.said; cmp f.said $x.said || exit 1; done");
    done("for x in from_file from_table from_spread; do (cd $x.papers-* && sha256sum --quiet -c "
         "SHA256SUMS) || exit 1; done");
    done("for x in from_table from_spread; do $P check \"$U?table=$x\" -q --require k=5 2>err || "
         "exit 1; done");
    /* The rows are those of the file. */
    done("for x in file spread; do printf 'data: \"%s\"\\nattributes:\\n  age: {role: quasi}\\n  "
         "height: {role: quasi}\\n  since: {role: quasi}\\n  town: {role: quasi}\\n  ill: {role: "
         "quasi}\\n' \"$U?table=from_$x\" >copy.yaml && $P release copy.yaml --levels 0,0,0,0,0 "
         "--k 1 -q --force -o copy.csv 2>err && sort f.csv >a && sort copy.csv >b && cmp a b || "
         "exit 1; done");
}

/* The shards hold the rows, and have made them. */
static void test_shards_hold_the_rows(void **state)
{
    (void)state;
    size_t rows = 0;
    for (size_t i = 0; i < N_SERVERS; i++) {
        char *const value = ch_value(&all.servers[i], "SELECT COUNT(*) AS x FROM `from_spread~1`");
        assert_in_range(atoi(value), 1, N_PEOPLE - 2);
        rows += (size_t)atoi(value);
        free(value);
        assert_value(&all.servers[i],
                     "SELECT COUNT(*) AS x FROM system.tables WHERE name LIKE '%~%' AND name NOT "
                     "LIKE '%~1'",
                     "0");
    }
    assert_value(first, "SELECT COUNT(*) AS x FROM from_spread", "4000");
    assert_int_equal(rows, N_PEOPLE);
}

/* What a release replaces is there until the other one is whole. */
static void test_replaced(void **state)
{
    (void)state;
    assert_int_equal(shell("$P release file.yaml --k 5 -q -o \"$U?$C&table=from_spread\" 2>err"),
                     2);
    done("grep -q 'exists already' err");
    for (size_t turn = 0; turn < 3; turn++) {
        done("$P release file.yaml --require k=9 -q --force -o \"$U?$C&table=from_spread\" 2>err "
             "&& $P check \"$U?table=from_spread\" -q --require k=9 2>err");
        assert_value(first, "SELECT COUNT(*) AS x FROM from_spread", "4000");
        assert_value(&all.servers[1],
                     "SELECT COUNT(*) AS x FROM system.tables WHERE name LIKE 'from_spread%'", "1");
    }
    /* The place does not say it, but the table that is there is on several servers. */
    assert_int_equal(
        shell("$P release file.yaml --require k=9 -q --force -o \"$U?table=from_spread\" 2>err"),
        2);
    done("grep -q 'same address' err");
    done("$P release file.yaml --require k=5 -q -o \"$U?table=plain\" 2>err && $P release "
         "file.yaml --require k=9 -q --force -o \"$U?table=plain\" 2>err && $P check "
         "\"$U?table=plain\" -q --require k=9 2>err");
}

static void test_what_is_in_the_way(void **state)
{
    static const char *const same[] = {"$U?table=people", "$U?table=default.people",
                                       "$U?$C&table=people"};
    (void)state;
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        assert_int_equal(
            shell("$P release table.yaml --require k=5 -q --force -o \"%s\" 2>err", same[i]), 2);
        done("grep -q 'data is read from' err");
    }
    assert_value(first, "SELECT COUNT(*) AS x FROM people", "4000");
    assert_int_equal(shell("$P release file.yaml --require k=5 -q -o "
                           "\"$U?cluster=none&table=x\" 2>err"),
                     2);
    done("grep -q 'no cluster' err");
    assert_int_equal(shell("$P release file.yaml --require k=5 -q -o "
                           "\"$U?cluster=all&shards=127.0.0.1:1&table=x\" 2>err"),
                     2);
    done("grep -q 'names 1 servers' err");
    assert_int_equal(shell("$P release file.yaml --require k=5 -q -o \"$U?table=no.x\" 2>err"), 2);
    assert_int_equal(shell("$P release file.yaml --require k=100000 -q -o \"$U?table=x\" 2>err"),
                     3);
    assert_value(first,
                 "SELECT COUNT(*) AS x FROM system.tables WHERE name LIKE '%~%' AND name NOT LIKE "
                 "'from_spread%' OR name = 'x'",
                 "0");
}

/* ---------------------------------------------------------------- who is killed */

static const char *victim = "table=victim";

/* Under its final name there is a whole release, or nothing. */
static void all_or_nothing(void)
{
    char *const there =
        ch_value(first, "SELECT COUNT(*) AS x FROM system.tables WHERE name = 'victim'");
    if (strcmp(there, "0") != 0) {
        assert_value(first, "SELECT COUNT(*) AS x FROM victim", "4000");
        assert_int_equal(shell("$P check \"$U?table=victim\" --plan file.yaml --require k=5 -q "
                               "2>err"),
                         0);
    }
    free(there);
}

static pid_t start_release(void)
{
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        char place[320];
        (void)snprintf(place, sizeof place, "%s?%s", first->url, victim);
        if (chdir(folder.path) == 0 && freopen("err", "w", stderr) != NULL) {
            (void)execl(PV_COMMAND, PV_COMMAND, "release", "file.yaml", "--levels", "2,2,0",
                        "--require", "k=5", "--suppression", "100%", "-q", "--force", "-o", place,
                        (char *)NULL);
        }
        _exit(127);
    }
    return pid;
}

static int ended(pid_t pid)
{
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void kill_clients(void)
{
    pv_rng rng;
    pv_i_rng_init(&rng, 19);
    for (size_t i = 0; i < effort(4); i++) {
        const pid_t pid = start_release();
        (void)usleep((useconds_t)(10000 + pv_i_rng_below(&rng, 250000)));
        (void)kill(pid, SIGKILL);
        (void)waitpid(pid, NULL, 0);
        all_or_nothing();
    }
    if (ended(start_release()) != 0) {
        (void)shell("cat err");
        fail_msg("the release fails after those that were killed");
    }
    all_or_nothing();
}

static void test_killed_client(void **state)
{
    (void)state;
    kill_clients();
}

static void kill_servers(ch_server *server)
{
    pv_rng rng;
    pv_i_rng_init(&rng, 20);
    for (size_t i = 0; i < effort(2); i++) {
        ch_run(first, "DROP TABLE IF EXISTS victim", NULL);
        const pid_t pid = start_release();
        (void)usleep((useconds_t)(30000 + pv_i_rng_below(&rng, 200000)));
        ch_server_kill(server);
        assert_in_range(ended(pid), 0, 2);
        ch_server_start(server);
        all_or_nothing();
    }
    if (ended(start_release()) != 0) {
        (void)shell("cat err");
        fail_msg("the release fails though the server is back");
    }
    all_or_nothing();
    ch_run(first, "DROP TABLE IF EXISTS victim", NULL);
}

static void test_killed_server(void **state)
{
    (void)state;
    kill_servers(first);
}

/* What a server can leave that was killed while it made a table: its folder, without the table. */
static void test_folder_left_behind(void **state)
{
    char command[512];
    (void)state;
    (void)snprintf(
        command, sizeof command,
        "$P release file.yaml --require k=5 --explain -o \"$U?table=y\" >sql && "
        "mkdir \"%s/data/data/default/$(grep -o 'paravent~rows~[0-9a-f]*' sql | head -1 | "
        "sed s/~/%%7E/g)\"",
        first->folder);
    done(command);
    done("$P release file.yaml --require k=5 -q -o \"$U?table=y\" && "
         "$P check \"$U?table=y\" --plan file.yaml --require k=5 -q");
    assert_value(
        first,
        "SELECT COUNT(*) AS x FROM system.tables WHERE name LIKE 'paravent~%' OR name LIKE "
        "'y~%'",
        "0");
    ch_run(first, "DROP TABLE y", NULL);
}

/* The same on three servers; that which is killed is not the one that the client speaks to. */
static void test_killed_with_a_cluster(void **state)
{
    char place[200];
    (void)state;
    (void)snprintf(place, sizeof place, "%s&table=victim", cluster);
    victim = place;
    kill_clients();
    kill_servers(&all.servers[2]);
    victim = "table=victim";
}

/* A server that is down from the beginning: a clear error that names it. */
static void test_server_that_is_down(void **state)
{
    (void)state;
    ch_server_kill(&all.servers[1]);
    assert_int_equal(shell("$P release file.yaml --require k=5 -q -o \"$U?$C&table=down\" 2>err"),
                     1);
    assert_int_equal(shell("grep -q '127.0.0.1:%d: no server answers' err", all.servers[1].http),
                     0);
    ch_server_start(&all.servers[1]);
    done("$P release file.yaml --require k=5 -q -o \"$U?$C&table=down\" 2>err && $P check "
         "\"$U?table=down\" -q --require k=5 2>err");
}

/* Ctrl-C is heard while the servers work. */
static void test_interrupted(void **state)
{
    char place[256];
    (void)state;
    (void)snprintf(place, sizeof place,
                   "%s?query=SELECT age %%2B sleep(3) AS age, since, town, height, ill FROM spread",
                   first->url);
    make_plan("slow.yaml", place);
    const pid_t pid = fork();
    if (pid == 0) {
        if (chdir(folder.path) == 0 && freopen("err", "w", stderr) != NULL) {
            (void)execl(PV_COMMAND, PV_COMMAND, "front", "slow.yaml", (char *)NULL);
        }
        _exit(127);
    }
    (void)usleep(300000);
    (void)kill(pid, SIGINT);
    assert_int_equal(ended(pid), 130);
}

/* It is in no output and in no paper, however much is said. */
static void test_password(void **state)
{
    (void)state;
    done("$P release table.yaml -v --require k=5 -o \"$U?table=said\" >out 2>err");
    (void)setenv("CLICKHOUSE_PASSWORD", CH_PASSWORD "!", 1);
    assert_int_equal(shell("$P front table.yaml >>out 2>>err"), 2);
    (void)setenv("CLICKHOUSE_PASSWORD", CH_PASSWORD, 1);
    assert_int_equal(shell("grep -rqi 'sesam' --exclude-dir=[0-9] ."), 1);
    assert_int_equal(
        shell("$P front --data 'clickhouse://u:s3cret@h/d?table=t' file.yaml 2>err || grep -q "
              "s3cret err"),
        1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_the_file),
        cmocka_unit_test(test_shards_hold_the_rows),
        cmocka_unit_test(test_replaced),
        cmocka_unit_test(test_what_is_in_the_way),
        cmocka_unit_test(test_killed_client),
        cmocka_unit_test(test_killed_server),
        cmocka_unit_test(test_folder_left_behind),
        cmocka_unit_test(test_killed_with_a_cluster),
        cmocka_unit_test(test_server_that_is_down),
        cmocka_unit_test(test_interrupted),
        cmocka_unit_test(test_password),
    };
    return ch_is_installed() ? cmocka_run_group_tests(tests, begin, end) : 0;
}
