/* PostgreSQL itself: types, hostile names and values, rows on three servers, servers that die,
 * statements that are cancelled. */
#include "support/postgres_server.h"

#include "base/memory.h"
#include "engine/engine.h"
#include "engine/sql.h"

#include <paravent/table.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pg_server one;
static pg_server parts[3];

static void must(pv_status status, const pv_error *error)
{
    if (status != PV_STATUS_OK) {
        fail_msg("%s", error->message);
    }
}

static int start_one(void **state)
{
    (void)state;
    pg_server_create(&one, NULL);
    for (size_t i = 0; i < 3; i++) {
        pg_server_create(&parts[i], &one);
    }
    pg_server_start(&one);
    return 0;
}

static int stop_all(void **state)
{
    (void)state;
    pg_server_remove(&one);
    for (size_t i = 0; i < 3; i++) {
        pg_server_remove(&parts[i]);
    }
    return 0;
}

/* The equal rows of a table, counted where they are. */
static char *counted(const char *place, const char *const *columns, size_t n)
{
    pg_link link;
    pv_buffer text = {0};
    pv_error error = {0};
    pg_link_open(&link, place, NULL);
    must(pv_i_count_equal_rows(&link.link, &link.place, columns, n, &text, &error), &error);
    pg_link_close(&link);
    return text.data;
}

/* A query of the first server as a place; freed with pv_i_free. */
static char *query_place(const char *query)
{
    return pv_i_place_of_parts("postgresql", one.url + strlen("postgresql://"), NULL, query);
}

static pv_status count_status(const char *place, const pv_context *context, pv_error *error)
{
    pv_table *table = NULL;
    const pv_status status = pv_i_table_read_counted(place, NULL, context, &table, error);
    pv_table_free(table);
    return status;
}

/* ---------------------------------------------------------------------- types */

static void test_types(void **state)
{
    static const char *const columns[] = {"i", "s", "d", "f", "n", "day", "at", "yes", "c", "t"};
    (void)state;
    pg_run(
        &one,
        "CREATE TABLE typed (i INTEGER, s SMALLINT, d NUMERIC(12,2), f DOUBLE PRECISION, n "
        "BIGINT, day DATE, at TIMESTAMP WITH TIME ZONE, yes BOOLEAN, c CHAR(5), t TEXT)",
        "INSERT INTO typed VALUES (-7, 3, 12.50, 0.1, 9223372036854775807, '2024-05-31', "
        "'2024-05-31 12:00:00+02', true, 'ab', 'Zo\u00eb \"the\" \u732b, ''x''; -- \\ \n/* ')",
        "INSERT INTO typed VALUES (-7, 3, 12.50, 0.1, 9223372036854775807, '2024-05-31', "
        "'2024-05-31 10:00:00+00', true, 'ab   ', 'Zo\u00eb \"the\" \u732b, ''x''; -- \\ \n/* ')",
        "INSERT INTO typed VALUES (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)",
        NULL);
    char *const text = counted(pg_table(&one, "typed"), columns, 10);
    assert_string_equal(text,
                        "i,s,d,f,n,day,at,yes,c,t,rows\n"
                        ",,,,,,,,,,1\n"
                        "-7,3,12.50,0.1,9223372036854775807,2024-05-31,2024-05-31 10:00:00+00,true,"
                        "ab,\"Zo\u00eb \"\"the\"\" \u732b, 'x'; -- \\ \n/* \",2\n");
    pv_i_free(text);
}

static void test_description(void **state)
{
    pg_link link;
    pv_engine_columns columns = {0};
    pv_error error = {0};
    (void)state;
    pg_run(&one, "CREATE TABLE described (\"a.B\" NUMERIC(5,1), day DATE, t VARCHAR(7))", NULL);
    pg_link_open(&link, one.url, NULL);
    must(link.link.engine->describe(link.link.connection, "SELECT * FROM described", &columns,
                                    &error),
         &error);
    assert_int_equal(columns.n, 3);
    assert_string_equal(columns.columns[0].name, "a.B");
    assert_string_equal(columns.columns[0].type, "numeric(5,1)");
    assert_string_equal(columns.columns[1].type, "date");
    assert_string_equal(columns.columns[2].type, "character varying(7)");
    pv_i_engine_columns_deinit(&columns);
    pg_link_close(&link);
}

/* ------------------------------------------------------------- hostile texts */

static const char *const hostile[] = {
    "plain",
    "Capital",
    "a\"b",
    "x'; DROP TABLE victim; --",
    "\"; DROP TABLE victim; --",
    "/* c */",
    "per%cent & more",
    "\\' OR 1=1",
    "SELECT",
    "  blanks  ",
    "\u732b \U0001f431",
    "dot.ted",
    "$1",
    "new\nline",
    "{curly}",
    "?",
};

#define N_HOSTILE (sizeof hostile / sizeof *hostile)

static void quote_name(char *to, const char *name)
{
    pv_buffer sql = {0};
    pv_i_sql_name(&sql, pv_i_engine_postgresql.sql, name);
    (void)strcpy(to, sql.data);
    pv_i_buffer_deinit(&sql);
}

static size_t next_of;

static pv_status hostile_next(void *ctx, const pv_cell **cells, pv_error *error)
{
    pv_cell *const row = ctx;
    (void)error;
    if (next_of == N_HOSTILE) {
        *cells = NULL;
        return PV_STATUS_OK;
    }
    row[0] = (pv_cell){hostile[next_of], strlen(hostile[next_of])};
    row[1] = next_of % 3 == 0 ? (pv_cell){0} : (pv_cell){"", 0};
    next_of++;
    *cells = row;
    return PV_STATUS_OK;
}

/* Every name is a table with a column of that name, which has all the texts as values. */
static void test_hostile_names_and_values(void **state)
{
    (void)state;
    pg_run(&one, "CREATE TABLE victim (x TEXT)", NULL);
    for (size_t i = 0; i < N_HOSTILE; i++) {
        char name[128];
        char sql[512];
        pg_link link;
        pv_cell row[2];
        pv_error error = {0};
        quote_name(name, hostile[i]);
        (void)snprintf(sql, sizeof sql, "CREATE TABLE %s (%s TEXT, other TEXT)", name, name);
        pg_run(&one, sql, NULL);
        char *const place =
            pv_i_place_of_parts("postgresql", one.url + strlen("postgresql://"), name, NULL);
        pg_link_open(&link, place, NULL);
        next_of = 0;
        must(link.link.engine->load(link.link.connection, name, 2, hostile_next, row, &error),
             &error);
        assert_true(link.link.engine->traffic(link.link.connection).sent > 100);
        pg_link_close(&link);
        char *const text = counted(place, (const char *const[]){hostile[i], "other"}, 2);
        for (size_t v = 0; v < N_HOSTILE; v++) {
            assert_true(strchr(hostile[v], '"') != NULL || strstr(text, hostile[v]) != NULL);
        }
        pv_i_free(text);
        pv_i_free(place);
    }
    char *const count = pg_value(&one, "SELECT CAST(COUNT(*) AS TEXT) FROM victim");
    assert_string_equal(count, "0");
    free(count);
}

/* Texts that differ in case are different, whatever the database takes as equal. */
static void test_case_matters(void **state)
{
    pv_buffer text = {0};
    pv_error error = {0};
    (void)state;
    pg_run(&one, "CREATE EXTENSION citext",
           "CREATE COLLATION alike (provider = icu, locale = 'und-u-ks-level2', deterministic = "
           "false)",
           "CREATE TABLE towns (town TEXT COLLATE alike, other citext)",
           "INSERT INTO towns SELECT x, x FROM unnest(ARRAY['Ulm', 'ulm', 'ULM', 'Ulm']) x", NULL);
    must(pv_i_count_whole_table(pg_table(&one, "towns"), NULL, &text, &error), &error);
    assert_string_equal(text.data, "town,other,rows\nULM,ULM,1\nUlm,Ulm,2\nulm,ulm,1\n");
    pv_i_buffer_deinit(&text);
}

/* A query is one statement that changes nothing. */
static void test_query(void **state)
{
    static const char *const bad[] = {
        "SELECT 1) s; DROP TABLE kept; --",
        "WITH gone AS (DELETE FROM kept RETURNING x) SELECT x FROM gone",
        "SELECT grow() AS x",
        "SELECT x FROM kept; DROP TABLE kept",
    };
    (void)state;
    pg_run(&one, "CREATE TABLE kept (x INTEGER)", "INSERT INTO kept VALUES (1), (1), (2)",
           "CREATE FUNCTION grow() RETURNS integer LANGUAGE SQL AS 'INSERT INTO kept VALUES (5) "
           "RETURNING x'",
           NULL);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        pv_error error = {0};
        char *const place = query_place(bad[i]);
        assert_int_equal(count_status(place, NULL, &error), PV_STATUS_INPUT);
        pv_i_free(place);
    }
    char *const place = query_place("SELECT x + 10 AS y FROM kept WHERE x < 5");
    char *const text = counted(place, (const char *const[]){"y"}, 1);
    assert_string_equal(text, "y,rows\n11,2\n12,1\n");
    pv_i_free(text);
    pv_i_free(place);
}

/* --------------------------------------------------------------- what goes wrong */

static void fails(const char *place, pv_status wanted, const char *says)
{
    pv_error error = {0};
    assert_int_equal(count_status(place, NULL, &error), wanted);
    if (strstr(error.message, says) == NULL) {
        fail_msg("%s: does not say %s", error.message, says);
    }
    assert_true(error.hint[0] != '\0');
}

static void test_failures(void **state)
{
    char place[512];
    (void)state;
    fails(pg_table(&one, "nobody_made_it"), PV_STATUS_INPUT, "does not exist");
    (void)snprintf(place, sizeof place, "postgresql://paravent@127.0.0.1:%d/none?table=t",
                   one.port);
    fails(place, PV_STATUS_INPUT, "none");
    fails("postgresql://paravent@127.0.0.1:1/none?table=t", PV_STATUS_INPUT, "no connection");
    pg_run(&one, "CREATE TABLE secret (x INTEGER)", "INSERT INTO secret VALUES (424242)",
           "CREATE ROLE guest LOGIN", "CREATE TABLE texts (x TEXT)",
           "INSERT INTO texts VALUES ('qwertz')", NULL);
    (void)snprintf(place, sizeof place, "postgresql://guest@127.0.0.1:%d/postgres?table=secret",
                   one.port);
    fails(place, PV_STATUS_INPUT, "permission denied");
    char *const cast = query_place("SELECT CAST(x AS INTEGER) AS x FROM texts");
    pv_error error = {0};
    assert_int_equal(count_status(cast, NULL, &error), PV_STATUS_INPUT);
    assert_null(strstr(error.message, "qwertz")); /* a value of the data */
    pv_i_free(cast);
    /* Functions choose their own words. */
    pg_run(&one,
           "CREATE FUNCTION shout(x TEXT) RETURNS TEXT LANGUAGE plpgsql AS "
           "'BEGIN RAISE EXCEPTION ''no %'', x; END'",
           "CREATE VIEW shouts AS SELECT shout(x) AS x FROM texts", NULL);
    error = (pv_error){0};
    assert_int_equal(count_status(pg_table(&one, "shouts"), NULL, &error), PV_STATUS_IO);
    assert_null(strstr(error.message, "qwertz"));
    assert_non_null(strstr(error.message, "P0001"));
    (void)snprintf(place, sizeof place, "%s?passw%%6Frd=hush&table=t", one.url);
    error = (pv_error){0};
    assert_int_equal(count_status(place, NULL, &error), PV_STATUS_INPUT);
    assert_null(strstr(error.message, "hush"));
}

/* ------------------------------------------------------------------- cancelling */

static bool stop_soon(void *ctx, const pv_progress *progress)
{
    unsigned *const calls = ctx;
    (void)progress;
    return ++*calls < 8;
}

static void test_cancel(void **state)
{
    unsigned calls = 0;
    const pv_context context = {.progress = stop_soon, .progress_ctx = &calls};
    pv_error error = {0};
    (void)state;
    char *const place = query_place("SELECT pg_sleep(20)::text AS x");
    assert_int_equal(count_status(place, &context, &error), PV_STATUS_CANCELLED);
    assert_in_range(calls, 8, 40);
    char *const left = pg_value(&one, "SELECT CAST(COUNT(*) AS TEXT) FROM pg_stat_activity "
                                      "WHERE state = 'active' AND query LIKE '%pg_sleep(20)%' AND "
                                      "pid <> pg_backend_pid()");
    assert_string_equal(left, "0");
    free(left);
    pv_i_free(place);
}

/* ------------------------------------------------------- rows on three servers */

#define N_PEOPLE 30000

static void make_people(const char *name)
{
    char sql[768];
    (void)snprintf(sql, sizeof sql,
                   "INSERT INTO %s SELECT i, 18 + i * 79 %% 70, CASE WHEN i %% 17 = 0 THEN NULL "
                   "ELSE 'town ' || i * 31 %% 40 END, (i * 1047 %% 1000) / 10.0, DATE "
                   "'2020-01-01' + i * 13 %% 300 FROM generate_series(1, %d) i",
                   name, N_PEOPLE);
    pg_run(&one, sql, NULL);
}

#define PEOPLE_COLUMNS "(id INTEGER, age INTEGER, town TEXT, income NUMERIC(8,2), day DATE)"

static void spread_people(void)
{
    pg_run(&one, "CREATE EXTENSION postgres_fdw", "CREATE TABLE alone " PEOPLE_COLUMNS,
           "CREATE TABLE spread " PEOPLE_COLUMNS " PARTITION BY HASH (id)", NULL);
    for (int i = 0; i < 3; i++) {
        char server[256];
        char table[256];
        pg_server_start(&parts[i]);
        pg_run(&parts[i], "CREATE TABLE third " PEOPLE_COLUMNS, NULL);
        (void)snprintf(server, sizeof server,
                       "CREATE SERVER s%d FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host "
                       "'127.0.0.1', port '%d', dbname 'postgres', async_capable 'true')",
                       i, parts[i].port);
        (void)snprintf(table, sizeof table,
                       "CREATE FOREIGN TABLE \"part %d\" PARTITION OF spread FOR VALUES WITH "
                       "(MODULUS 3, REMAINDER %d) SERVER s%d OPTIONS (table_name 'third')",
                       i, i, i);
        char user[128];
        (void)snprintf(user, sizeof user,
                       "CREATE USER MAPPING FOR paravent SERVER s%d OPTIONS (user 'paravent')", i);
        pg_run(&one, server, user, table, NULL);
    }
    make_people("alone");
    make_people("spread");
}

static char *explained(const char *place)
{
    char *statement = NULL;
    pv_error error = {0};
    must(pv_i_table_explain(place, NULL, NULL, &statement, &error), &error);
    return statement;
}

static pv_status join_lines(void *ctx, const pv_cell *cells, pv_error *error)
{
    (void)error;
    pv_i_buffer_bytes(ctx, cells[0].text, cells[0].size);
    pv_i_buffer_char(ctx, '\n');
    return PV_STATUS_OK;
}

/* The server's own plan, which only EXPLAIN tells: by a function that returns its lines. */
static char *plan_of(const char *statement)
{
    pg_link link;
    pv_buffer sql = {0};
    pv_buffer text = {0};
    pv_error error = {0};
    pg_run(&one,
           "CREATE OR REPLACE FUNCTION explained(q text) RETURNS SETOF text LANGUAGE plpgsql AS "
           "'BEGIN RETURN QUERY EXECUTE ''EXPLAIN (VERBOSE) '' || q; END'",
           NULL);
    pg_link_open(&link, one.url, NULL);
    pv_i_buffer_text(&sql, "SELECT explained($q$");
    pv_i_buffer_text(&sql, statement);
    pv_i_buffer_text(&sql, "$q$)");
    must(link.link.engine->fetch(link.link.connection, sql.data, 1, join_lines, &text, &error),
         &error);
    pv_i_buffer_deinit(&sql);
    pg_link_close(&link);
    return text.data;
}

static size_t times_in(const char *text, const char *word)
{
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++) {
        n++;
    }
    return n;
}

static void test_three_servers(void **state)
{
    static const char *const columns[] = {"age", "town", "income", "day"};
    (void)state;
    spread_people();
    for (size_t n = 1; n <= 4; n++) {
        char *const left = counted(pg_table(&one, "alone"), columns, n);
        char *const right = counted(pg_table(&one, "spread"), columns, n);
        assert_string_equal(left, right);
        pv_i_free(left);
        pv_i_free(right);
    }
    char *const statement = explained(pg_table(&one, "spread"));
    assert_int_equal(times_in(statement, "COUNT(*)"), 3);
    char *const plan = plan_of(statement);
    /* Each server gets a statement that groups; no row of it comes here before. */
    if (times_in(plan, "Relations: Aggregate on") != 3) {
        fail_msg("%s", plan);
    }
    pv_string_free(statement);
    pv_i_free(plan);
}

/* Who reads the whole sees all rows, whatever policies its parts have for those who read them. */
static void test_policies_of_parts(void **state)
{
    char place[512];
    (void)state;
    pg_run(&one, "CREATE TABLE ruled (age INTEGER) PARTITION BY LIST (age)",
           "CREATE TABLE ruled_here PARTITION OF ruled FOR VALUES IN (1, 2)",
           "CREATE FOREIGN TABLE ruled_there PARTITION OF ruled FOR VALUES IN (3) SERVER s0 "
           "OPTIONS (table_name 'ruled')",
           "CREATE ROLE watcher LOGIN", "GRANT SELECT ON ruled, ruled_here, ruled_there TO watcher",
           "CREATE USER MAPPING FOR watcher SERVER s0 OPTIONS (user 'paravent', "
           "password_required 'false')",
           "INSERT INTO ruled VALUES (1), (2), (2)",
           "CREATE POLICY ones ON ruled_here TO watcher USING (age = 1)", NULL);
    pg_run(&parts[0], "CREATE TABLE ruled (age INTEGER)", "INSERT INTO ruled VALUES (3)", NULL);
    (void)snprintf(place, sizeof place, "postgresql://watcher@127.0.0.1:%d/postgres?table=ruled",
                   one.port);
    for (int ruled = 0; ruled < 2; ruled++) {
        char *const text = counted(place, (const char *const[]){"age"}, 1);
        assert_string_equal(text, "age,rows\n1,1\n2,2\n3,1\n");
        pv_i_free(text);
        pg_run(&one, "ALTER TABLE ruled_here ENABLE ROW LEVEL SECURITY", NULL);
    }
}

static bool kill_soon(void *ctx, const pv_progress *progress)
{
    unsigned *const calls = ctx;
    (void)progress;
    if (++*calls == 3) {
        pg_server_kill(&parts[1]);
    }
    return *calls < 300;
}

/* One of the servers dies while they count. */
static void test_server_killed_while_counting(void **state)
{
    unsigned calls = 0;
    const pv_context context = {.progress = kill_soon, .progress_ctx = &calls};
    pv_error error = {0};
    (void)state;
    char *const before = counted(pg_table(&one, "alone"), (const char *const[]){"age"}, 1);
    pg_run(&parts[1], "ALTER TABLE third RENAME TO fast",
           "CREATE FUNCTION slow(x integer) RETURNS integer VOLATILE LANGUAGE plpgsql AS 'BEGIN IF "
           "x % 100 = 1 THEN PERFORM pg_sleep(0.05); END IF; RETURN x; END'",
           "CREATE VIEW third AS SELECT id, slow(age) AS age, town, income, day FROM fast", NULL);
    pv_table *table = NULL;
    assert_int_equal(
        pv_i_table_read_counted(pg_table(&one, "spread"), NULL, &context, &table, &error),
        PV_STATUS_IO);
    assert_true(error.hint[0] != '\0');
    pg_server_start(&parts[1]);
    pg_run(&parts[1], "DROP VIEW third", "ALTER TABLE fast RENAME TO third", NULL);
    char *const after = counted(pg_table(&one, "spread"), (const char *const[]){"age"}, 1);
    assert_string_equal(before, after);
    pv_i_free(before);
    pv_i_free(after);
}

static bool kill_one(void *ctx, const pv_progress *progress)
{
    unsigned *const calls = ctx;
    (void)progress;
    if (++*calls == 4) {
        pg_server_kill(&one);
    }
    return *calls < 300;
}

static void test_own_server_killed(void **state)
{
    unsigned calls = 0;
    const pv_context context = {.progress = kill_one, .progress_ctx = &calls};
    pv_error error = {0};
    (void)state;
    char *const place = query_place("SELECT pg_sleep(20)::text AS x");
    assert_int_equal(count_status(place, &context, &error), PV_STATUS_IO);
    pv_i_free(place);
    pg_server_start(&one);
    char *const text = counted(pg_table(&one, "alone"), (const char *const[]){"age"}, 1);
    pv_i_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_description),
        cmocka_unit_test(test_hostile_names_and_values),
        cmocka_unit_test(test_case_matters),
        cmocka_unit_test(test_query),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_three_servers),
        cmocka_unit_test(test_policies_of_parts),
        cmocka_unit_test(test_server_killed_while_counting),
        cmocka_unit_test(test_own_server_killed),
    };
    return pg_is_installed() ? cmocka_run_group_tests(tests, start_one, stop_all) : 0;
}
