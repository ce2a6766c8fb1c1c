/* Tables through ODBC: SQLite in a file, PostgreSQL on a server of our own. */
#ifdef PV_HAVE_ODBC
#include "support/failing_alloc.h"
#include "support/files.h"
#include "support/postgres_server.h"
#include "support/study.h"

#include "base/memory.h"
#include "engine/odbc.h"
#include "table/column.h"

#include <glob.h>

#define N_OF(array) (sizeof(array) / sizeof *(array))

typedef struct {
    const char *name;
    char where[256]; /* a place without its table */
    scratch_folder folder;
    pg_server server;
} database;

enum { SQLITE, POSTGRES, N_DATABASES };

static database databases[N_DATABASES];
static bool has_sqlite, has_postgres;

static bool is_driver(const char *pattern)
{
    const char *const ci = getenv("CI");
    glob_t found = {0};
    const bool is_there = glob(pattern, 0, NULL, &found) == 0;
    globfree(&found);
    if (!is_there) {
        print_message("skipped: there is no %s\n", pattern);
        if (ci != NULL && strcmp(ci, "true") == 0) {
            fail_msg("%s", "tests of ODBC may not be skipped here");
        }
    }
    return is_there;
}

static int start(void **state)
{
    (void)state;
    has_sqlite = is_driver("/usr/lib/*/odbc/libsqlite3odbc.so");
    has_postgres = is_driver("/usr/lib/*/odbc/psqlodbcw.so") && pg_is_installed();
    database *const lite = &databases[SQLITE];
    lite->name = "SQLite";
    lite->folder = scratch_folder_create("people.db");
    (void)strcat(strcpy(lite->where, "odbc:Driver=SQLite3;Database="), lite->folder.file);
    if (has_postgres) {
        database *const pg = &databases[POSTGRES];
        pg->name = "PostgreSQL";
        pg_server_create(&pg->server, NULL);
        pg_server_start(&pg->server);
        (void)snprintf(pg->where, sizeof pg->where,
                       "odbc:Driver=PostgreSQL Unicode;Server=127.0.0.1;Port=%d;Database=postgres;"
                       "UID=paravent",
                       pg->server.port);
    }
    return 0;
}

static int stop(void **state)
{
    (void)state;
    if (has_postgres) {
        pg_server_remove(&databases[POSTGRES].server);
    }
    scratch_folder_remove(&databases[SQLITE].folder);
    return 0;
}

/* The databases that are here, one after the other. */
static const database *next_database(size_t *i)
{
    while (*i < N_DATABASES) {
        const size_t at = (*i)++;
        if (at == SQLITE ? has_sqlite : has_postgres) {
            return &databases[at];
        }
    }
    return NULL;
}

#define EACH_DATABASE(d)   \
    size_t i_database = 0; \
    for (const database *d = next_database(&i_database); d != NULL; d = next_database(&i_database))

static void run(const database *d, const char *statement)
{
    pg_link link;
    pv_error error = {0};
    pg_link_open(&link, d->where, NULL);
    bound_must(link.link.engine->run(link.link.connection, statement, &error), &error);
    pg_link_close(&link);
}

static char *place_of(const database *d, const char *table, const char *query)
{
    return pv_i_place_of_parts("odbc", d->where + strlen("odbc:"), table, query);
}

static pv_status read_status(const database *d, const char *table, const char *query,
                             const pv_context *context, pv_table **table_read, pv_error *error)
{
    char *const place = place_of(d, table, query);
    const pv_status status = pv_table_read(place, NULL, context, table_read, error);
    pv_i_free(place);
    return status;
}

/* ----------------------------------------------------------------------- there and back */

enum { N_ROWS = 1300, N_CELLS = 3, LONGEST = 3000 };

static const char *const texts[] = {"plain",
                                    "O'Neil; DROP TABLE victim; --",
                                    "a \"b\"",
                                    "",
                                    "\xC3\x85se \xF0\x9F\x98\x80",
                                    "two\nlines",
                                    "\\' OR 1=1",
                                    "?",
                                    "{fn NOW()}",
                                    "%s $1",
                                    "/* */"};

typedef struct {
    size_t at;
    char number[24], text[LONGEST + 64];
    pv_cell cells[N_CELLS];
} source;

/* Rows of many lengths; the long ones have pairs of units wherever a piece may end. */
static pv_status next_row(void *ctx, const pv_cell **cells, pv_error *error)
{
    source *const s = ctx;
    (void)error;
    *cells = NULL;
    if (s->at == N_ROWS) {
        return PV_STATUS_OK;
    }
    (void)snprintf(s->number, sizeof s->number, "%zu", s->at);
    (void)strcpy(s->text, texts[s->at % N_OF(texts)]);
    for (size_t n = 500; s->at % 100 == 7 && n < 500 + s->at; n += 4) {
        (void)strcat(s->text, "\xF0\x9F\x98\x80");
    }
    s->cells[0] = (pv_cell){s->number, strlen(s->number)};
    s->cells[1] = (pv_cell){s->text, strlen(s->text)};
    s->cells[2] = s->at % 2 == 0 ? (pv_cell){0} : (pv_cell){"x", 1};
    s->at++;
    *cells = s->cells;
    return PV_STATUS_OK;
}

typedef struct {
    bool seen[N_ROWS];
    size_t n;
} sink;

static pv_status hear_row(void *ctx, const pv_cell *cells, pv_error *error)
{
    sink *const s = ctx;
    char number[24] = "";
    source expected = {0};
    const pv_cell *row = NULL;
    assert_true(cells[0].size < sizeof number);
    memcpy(number, cells[0].text, cells[0].size);
    expected.at = strtoull(number, NULL, 10);
    assert_true(expected.at < N_ROWS && !s->seen[expected.at]);
    s->seen[expected.at] = true;
    s->n++;
    assert_int_equal(next_row(&expected, &row, error), PV_STATUS_OK);
    for (size_t i = 0; i < N_CELLS; i++) {
        assert_int_equal(cells[i].size, row[i].size);
        assert_true((cells[i].text == NULL) == (row[i].text == NULL));
        assert_true(cells[i].size == 0 || memcmp(cells[i].text, row[i].text, row[i].size) == 0);
    }
    return PV_STATUS_OK;
}

static void rows_there_and_back(void **state)
{
    (void)state;
    EACH_DATABASE(d)
    {
        source from = {0};
        sink to = {0};
        pg_link link;
        pv_error error = {0};
        run(d, "CREATE TABLE \"t\"\"1\" (\"c 0\" TEXT, c1 TEXT, \"SELECT\" TEXT)");
        pg_link_open(&link, d->where, NULL);
        const pv_engine *const engine = link.link.engine;
        bound_must(
            engine->load(link.link.connection, "\"t\"\"1\"", N_CELLS, next_row, &from, &error),
            &error);
        bound_must(engine->fetch(link.link.connection,
                                 "SELECT \"c 0\", c1, \"SELECT\" FROM \"t\"\"1\"", N_CELLS,
                                 hear_row, &to, &error),
                   &error);
        assert_int_equal(to.n, N_ROWS);
        const pv_traffic traffic = engine->traffic(link.link.connection);
        assert_int_equal(traffic.sent, traffic.received);
        assert_true(traffic.sent > N_ROWS);
        pg_link_close(&link);
    }
}

/* ------------------------------------------------------------------- as a table */

static const char people[] = "age,born,name,pay,c0\n"
                             ",,,,\n"
                             "-7,2024-12-31,\xC3\x85se \xF0\x9F\x98\x80,0.05,n\n"
                             "34,1990-02-28,\"O'Neil; \"\"x\"\"\",1.25,rows\n"
                             "34,1990-02-28,\"O'Neil; \"\"x\"\"\",1.25,rows\n"
                             "9007199254740993,1999-01-01,\"two\nlines\",1234567.25,\n";

static void same_table_as_a_file(void **state)
{
    static const char *const makes[N_DATABASES] = {
        "CREATE TABLE people (age INTEGER, born TEXT, name TEXT COLLATE NOCASE, pay NUMERIC, "
        "\"c0\" TEXT)",
        "CREATE TABLE people (age BIGINT, born DATE, name VARCHAR(40), pay NUMERIC(12, 2), \"c0\" "
        "TEXT)"};
    static const char row[] =
        "INSERT INTO people VALUES (34, '1990-02-28', 'O''Neil; \"x\"', 1.25, 'rows')";
    pv_table *const expected = table_of(people, NULL);
    (void)state;
    EACH_DATABASE(d)
    {
        pv_table *table = NULL;
        pv_error error = {0};
        run(d, makes[d - databases]);
        run(d, row);
        run(d, "INSERT INTO people VALUES (9007199254740993, '1999-01-01', 'two\nlines', "
               "1234567.25, NULL)");
        run(d, row);
        run(d, "INSERT INTO people VALUES (NULL, NULL, NULL, NULL, NULL)");
        /* SQLite's driver does not take a pair of units in a statement. */
        run(d, d == &databases[SQLITE] ? "INSERT INTO people VALUES (-7, '2024-12-31', '\xC3\x85se "
                                         "' || char(128512), 0.05, 'n')"
                                       : "INSERT INTO people VALUES (-7, '2024-12-31', '\xC3\x85se "
                                         "\xF0\x9F\x98\x80', 0.05, 'n')");
        bound_must(read_status(d, "people", NULL, NULL, &table, &error), &error);
        assert_int_equal(pv_table_rows(table), pv_table_rows(expected));
        assert_int_equal(pv_table_columns(table), pv_table_columns(expected));
        for (size_t i = 0; i < pv_table_columns(table); i++) {
            assert_string_equal(pv_table_name(table, i), pv_table_name(expected, i));
            assert_int_equal(pv_table_type(table, i), pv_table_type(expected, i));
            for (uint64_t r = 0; r < pv_table_rows(table); r++) {
                assert_string_equal(table_cell(table, r, i), table_cell(expected, r, i));
            }
        }
        pv_table_free(table);
    }
    pv_table_free(expected);
}

/* Texts that differ in case are different, whatever the column says. */
static void case_matters(void **state)
{
    pv_table *table = NULL;
    pv_error error = {0};
    if (!has_sqlite) {
        skip();
    }
    (void)state;
    run(&databases[SQLITE], "CREATE TABLE towns (town TEXT COLLATE NOCASE)");
    run(&databases[SQLITE], "INSERT INTO towns VALUES ('Paris'), ('paris'), ('PARIS'), ('Paris')");
    bound_must(read_status(&databases[SQLITE], "towns", NULL, NULL, &table, &error), &error);
    assert_int_equal(pv_table_values(table, 0), 3);
    pv_table_free(table);
}

/* --------------------------------------------------------------------- what is refused */

static void assert_refused(const database *d, const char *table, const char *query,
                           const char *message)
{
    pv_table *made = NULL;
    pv_error error = {0};
    assert_int_equal(read_status(d, table, query, NULL, &made, &error), PV_STATUS_INPUT);
    if (strstr(error.message, message) == NULL) {
        fail_msg("%s: \"%s\" lacks \"%s\"", d->name, error.message, message);
    }
    assert_true(strlen(error.hint) > 0);
}

static void what_fails_is_said(void **state)
{
    (void)state;
    EACH_DATABASE(d)
    {
        run(d, "CREATE TABLE victim (x TEXT)");
        assert_refused(d, "no such", NULL, "no such");
        assert_refused(d, NULL, "SELECT 1) x; DROP TABLE victim; SELECT (2", "semicolon");
        assert_refused(d, NULL, "SELEC 1", "syntax error");
        run(d, "DROP TABLE victim"); /* it was there */
    }
    database none = {.name = "none"};
    (void)strcpy(none.where, "odbc:DSN=there is no such source");
    if (has_sqlite) {
        assert_refused(&none, "t", NULL, "connecting failed");
    }
}

/* A value that does not fit is not shown. */
static void no_value_in_messages(void **state)
{
    pv_table *table = NULL;
    pv_error error = {0};
    if (!has_postgres) {
        skip();
    }
    (void)state;
    assert_int_equal(read_status(&databases[POSTGRES], NULL,
                                 "SELECT CAST(chr(83) || 'ecret' AS INTEGER) AS x", NULL, &table,
                                 &error),
                     PV_STATUS_INPUT);
    assert_null(strstr(error.message, "Secret"));
    assert_non_null(strstr(error.message, "22P02"));
}

/* -------------------------------------------------------------------------- stopping */

static bool stops(void *ctx, const pv_progress *progress)
{
    int *const n = ctx;
    (void)progress;
    return ++*n < 6;
}

static void a_long_statement_stops(void **state)
{
    static const char *const long_ones[N_DATABASES] = {
        "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r WHERE x < 4000000000) "
        "SELECT max(x) AS x FROM r",
        "SELECT pg_sleep(60) IS NULL AS x"};
    (void)state;
    EACH_DATABASE(d)
    {
        int n = 0;
        const pv_context context = {.progress = stops, .progress_ctx = &n};
        pv_table *table = NULL;
        pv_error error = {0};
        assert_int_equal(read_status(d, NULL, long_ones[d - databases], &context, &table, &error),
                         PV_STATUS_CANCELLED);
        assert_null(table);
        assert_int_equal(n, 6);
    }
}

/* ---------------------------------------------------------------------- transactions */

static void what_is_rolled_back_is_gone(void **state)
{
    (void)state;
    EACH_DATABASE(d)
    {
        pg_link link;
        pv_error error = {0};
        pg_link_open(&link, d->where, NULL);
        const pv_sql *const sql = link.link.sql;
        const pv_engine *const engine = link.link.engine;
        void *const c = link.link.connection;
        bound_must(engine->run(c, sql->begin, &error), &error);
        bound_must(engine->run(c, "CREATE TABLE passing (x TEXT)", &error), &error);
        bound_must(engine->run(c, sql->rollback, &error), &error);
        bound_must(engine->run(c, sql->begin, &error), &error);
        bound_must(engine->run(c, "CREATE TABLE staying (x TEXT)", &error), &error);
        bound_must(engine->run(c, sql->commit, &error), &error);
        bound_must(engine->run(c, sql->begin, &error), &error);
        bound_must(engine->run(c, "CREATE TABLE forgotten (x TEXT)", &error), &error);
        pg_link_close(&link);
        assert_refused(d, "passing", NULL, "passing");
        assert_refused(d, "forgotten", NULL, "forgotten");
        run(d, "DROP TABLE staying");
    }
}

/* ------------------------------------------------------------------------- dialects */

static void every_dialect_can_read(void **state)
{
    static const char *const names[] = {"SQLite",
                                        "PostgreSQL",
                                        "Microsoft SQL Server",
                                        "Oracle",
                                        "MySQL",
                                        "MariaDB",
                                        "Spark SQL",
                                        "Trino",
                                        "Snowflake",
                                        "something",
                                        ""};
    (void)state;
    for (size_t i = 0; i < N_OF(names); i++) {
        const pv_odbc_dialect *const dialect = pv_i_odbc_dialect(names[i]);
        assert_true(dialect->dbms == NULL || strncmp(dialect->dbms, names[i], 3) == 0);
        assert_non_null(strstr(dialect->sql.text, "%s"));
        assert_true(dialect->sql.quote == '"' || dialect->sql.quote == '`');
        for (size_t type = 0; type < PV_SQL_TYPES; type++) {
            assert_non_null(dialect->sql.types[type]);
            assert_non_null(dialect->sql.casts[type]);
        }
    }
    assert_null(pv_i_odbc_dialect("Microsoft SQL Server")->sql.rename); /* nothing is released */
    assert_in_range(pv_i_odbc_dialect("SQLite")->sql.repeat_most, 1, 1000000);
    assert_false(pv_i_odbc_fits("_int4"));
    assert_false(pv_i_odbc_fits("JSONB"));
    assert_true(pv_i_odbc_fits("nvarchar"));
}

static void texts_become_utf16_and_back(void **state)
{
    static const char text[] = "a\xC3\x85\xE7\x8C\xAB\xF0\x9F\x98\x80z";
    static const char broken[] = "\xC3(\xF0\x9F\x98\xED\xA0\x80\xFF";
    static const SQLWCHAR lone[] = {'a', 0xD83D, 'b'};
    pv_buffer wide = {0};
    pv_buffer narrow = {0};
    (void)state;
    pv_i_odbc_to_utf16(&wide, text, sizeof text - 1);
    assert_int_equal(wide.size, 2 * (1 + 1 + 1 + 2 + 1));
    assert_true(pv_i_odbc_to_utf8(&narrow, (const SQLWCHAR *)(const void *)wide.data,
                                  wide.size / sizeof(SQLWCHAR)));
    assert_string_equal(narrow.data, text);
    pv_i_buffer_clear(&wide);
    pv_i_buffer_clear(&narrow);
    pv_i_odbc_to_utf16(&wide, broken, sizeof broken - 1);
    assert_true(pv_i_odbc_to_utf8(&narrow, (const SQLWCHAR *)(const void *)wide.data,
                                  wide.size / sizeof(SQLWCHAR)));
    assert_non_null(strchr(narrow.data, '('));
    assert_false(pv_i_odbc_to_utf8(&narrow, lone, N_OF(lone)));
    pv_i_buffer_deinit(&wide);
    pv_i_buffer_deinit(&narrow);
}

/* --------------------------------------------------------------------- out of memory */

static pv_status read_people(void *ctx, pv_error *error)
{
    pv_table *table = NULL;
    const pv_status status = pv_table_read(ctx, NULL, NULL, &table, error);
    pv_table_free(table);
    return status;
}

static pv_status load_rows(void *ctx, pv_error *error)
{
    source from = {.at = N_ROWS - 20};
    pv_place place = {0};
    pv_link link = {0};
    pv_status status = pv_i_place_parse(((database *)ctx)->where, &place, error);
    if (status == PV_STATUS_OK) {
        status = pv_i_link_open(&link, &place, NULL, error);
    }
    if (status == PV_STATUS_OK) {
        status = link.engine->load(link.connection, "\"t\"\"1\"", N_CELLS, next_row, &from, error);
    }
    pv_i_link_close(&link);
    pv_i_place_deinit(&place);
    return status;
}

static void every_allocation_fails_once(void **state)
{
    (void)state;
    EACH_DATABASE(d)
    {
        char *const place = place_of(d, "people", NULL);
        assert_true(failing_alloc_each(load_rows, (void *)(uintptr_t)d, true) > 0);
        assert_true(failing_alloc_each(read_people, place, true) > 0);
        pv_i_free(place);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_there_and_back),
        cmocka_unit_test(same_table_as_a_file),
        cmocka_unit_test(case_matters),
        cmocka_unit_test(what_fails_is_said),
        cmocka_unit_test(no_value_in_messages),
        cmocka_unit_test(a_long_statement_stops),
        cmocka_unit_test(what_is_rolled_back_is_gone),
        cmocka_unit_test(every_dialect_can_read),
        cmocka_unit_test(texts_become_utf16_and_back),
        cmocka_unit_test(every_allocation_fails_once),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
#else
int main(void)
{
    return 0;
}
#endif
