/* ClickHouse itself: types, hostile names and values, results that end too soon, servers that die,
 * statements that are cancelled, what a user may not do. */
#include "support/clickhouse_servers.h"
#include "support/failing_alloc.h"
#include "support/files.h"

#include "base/clock.h"
#include "base/memory.h"
#include "engine/engine.h"
#include "engine/sql.h"

#include <paravent/table.h>

static ch_servers all;
static ch_server *const one = &all.servers[0];

static void must(pv_status status, const pv_error *error)
{
    if (status != PV_STATUS_OK) {
        fail_msg("%s", error->message);
    }
}

static int start(void **state)
{
    (void)state;
    ch_servers_create(&all, 1);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    ch_servers_remove(&all);
    return 0;
}

static char *counted(const char *place, const char *const *columns, size_t n)
{
    ch_link link;
    pv_buffer text = {0};
    pv_error error = {0};
    ch_link_open(&link, place, NULL);
    must(pv_i_count_equal_rows(&link.link, &link.place, columns, n, &text, &error), &error);
    ch_link_close(&link);
    return text.data;
}

static char *query_place(const char *query)
{
    return pv_i_place_of_parts("clickhouse", one->url + strlen("clickhouse://"), NULL, query);
}

/* As another user. */
static char *place_of(const char *user, const char *table)
{
    char where[128];
    (void)snprintf(where, sizeof where, "%s@127.0.0.1:%d/default", user, one->http);
    return pv_i_place_of_parts("clickhouse", where, table, NULL);
}

static pv_status count_status(const char *place, const pv_context *context, pv_error *error)
{
    pv_table *table = NULL;
    const pv_status status = pv_i_table_read_counted(place, NULL, context, &table, error);
    pv_table_free(table);
    return status;
}

/* Never is a password shown. */
static void fails(const char *place, pv_status wanted, const char *says)
{
    pv_error error = {0};
    const pv_status status = count_status(place, NULL, &error);
    if (status != wanted || strstr(error.message, says) == NULL) {
        fail_msg("%d: %s: does not say %s", status, error.message, says);
    }
    assert_true(error.hint[0] != '\0');
    assert_null(strstr(error.message, CH_PASSWORD));
    assert_null(strstr(error.hint, CH_PASSWORD));
}

/* ---------------------------------------------------------------------- types */

static void test_types(void **state)
{
    static const char *const columns[] = {"i", "u", "d", "f", "day", "at", "e", "c", "t", "m"};
    (void)state;
    ch_run(one,
           "CREATE TABLE typed (i Int8, u UInt64, d Decimal(12, 2), f Float64, day Date, at "
           "DateTime, e Enum8('it''s' = 1), c FixedString(5), t String, m Nullable(Int64)) ENGINE "
           "= MergeTree ORDER BY tuple()",
           "INSERT INTO typed SELECT -7, 18446744073709551615, 12.5, 0.1, '2024-05-31', "
           "'2024-05-31 12:00:00', 'it''s', 'ab', 'Zo\u00eb \"the\" \u732b, ''x''; -- \\\\ \\n/* "
           "', NULL FROM system.numbers LIMIT 3",
           "INSERT INTO typed SELECT -7, 18446744073709551615, 12.5, 0.1, '2024-05-31', "
           "'2024-05-31 12:00:00', 'it''s', 'ab', '', -9223372036854775808",
           NULL);
    char *const text = counted(ch_table(one, "typed"), columns, 10);
    assert_string_equal(
        text, "i,u,d,f,day,at,e,c,t,m,rows\n"
              "-7,18446744073709551615,12.50,0.1,2024-05-31,2024-05-31 12:00:00,it's,ab,\"Zo\u00eb "
              "\"\"the\"\" \u732b, 'x'; -- \\ \n/* \",,3\n"
              "-7,18446744073709551615,12.50,0.1,2024-05-31,2024-05-31 12:00:00,it's,ab,,"
              "-9223372036854775808,1\n");
    pv_i_free(text);
}

static void test_description(void **state)
{
    ch_link link;
    pv_engine_columns columns = {0};
    pv_error error = {0};
    (void)state;
    ch_run(one,
           "CREATE TABLE described (`a.B` Decimal(5, 1), `new\\nline\\t` Enum8('x' = 1), t "
           "Nullable(String)) ENGINE = Log",
           NULL);
    ch_link_open(&link, one->url, NULL);
    must(link.link.engine->describe(link.link.connection, "SELECT * FROM described s", &columns,
                                    &error),
         &error);
    assert_int_equal(columns.n, 3);
    assert_string_equal(columns.columns[0].name, "a.B");
    assert_string_equal(columns.columns[0].type, "Decimal(5, 1)");
    assert_string_equal(columns.columns[1].name, "new\nline\t");
    assert_string_equal(columns.columns[1].type, "Enum8('x' = 1)");
    assert_string_equal(columns.columns[2].type, "Nullable(String)");
    pv_i_engine_columns_deinit(&columns);
    ch_link_close(&link);
}

/* ------------------------------------------------------------- hostile texts */

static const char *const hostile[] = {
    "plain",
    "Capital",
    "a\"b",
    "a`b",
    "x'; DROP TABLE victim; --",
    "\"; DROP TABLE victim; --",
    "`; DROP TABLE victim; --",
    "\\`; DROP TABLE victim; --",
    "/* c */",
    "per%cent & more",
    "\\' OR 1=1",
    "back\\",
    "SELECT",
    "  blanks  ",
    "\u732b \U0001f431",
    "dot.ted",
    "$1",
    "new\nline",
    "{curly}",
    "?",
    "c0",
    "c1",
    "n",
    "s",
    "g",
    "one",
};

#define N_HOSTILE (sizeof hostile / sizeof *hostile)

typedef struct {
    size_t next;
    pv_cell row[2];
} hostile_rows;

static pv_status hostile_next(void *ctx, const pv_cell **cells, pv_error *error)
{
    hostile_rows *const rows = ctx;
    (void)error;
    if (rows->next == N_HOSTILE) {
        *cells = NULL;
        return PV_STATUS_OK;
    }
    const char *const text = hostile[rows->next];
    rows->row[0] = (pv_cell){text, strlen(text)};
    rows->row[1] = rows->next % 3 == 0 ? (pv_cell){0} : (pv_cell){"", 0};
    rows->next++;
    *cells = rows->row;
    return PV_STATUS_OK;
}

static void put_name(pv_buffer *sql, const char *name)
{
    pv_i_sql_name(sql, pv_i_engine_clickhouse.sql, name);
}

/* As people write it in a place. */
static void put_quoted(pv_buffer *text, const char *name)
{
    pv_i_buffer_char(text, '"');
    for (; *name != '\0'; name++) {
        pv_i_buffer_text(text, *name == '"' ? "\"\"" : "");
        pv_i_buffer_bytes(text, name, *name != '"');
    }
    pv_i_buffer_char(text, '"');
}

/* Every name is a table with a column of that name, which has all the texts as values. */
static void check_hostile(const char *name)
{
    ch_link link;
    pv_buffer quoted = {0};
    pv_buffer table = {0};
    pv_buffer sql = {0};
    pv_buffer text = {0};
    pv_error error = {0};
    hostile_rows rows = {0};
    put_name(&quoted, name);
    pv_i_buffer_format(&sql,
                       "CREATE TABLE %s (%s Nullable(String), other Nullable(String)) ENGINE = Log",
                       quoted.data, quoted.data);
    ch_run(one, sql.data, NULL);
    char *const place =
        pv_i_place_of_parts("clickhouse", one->url + strlen("clickhouse://"), NULL, NULL);
    ch_link_open(&link, place, NULL);
    must(link.link.engine->load(link.link.connection, quoted.data, 2, hostile_next, &rows, &error),
         &error);
    assert_true(link.link.engine->traffic(link.link.connection).sent > 100);
    put_quoted(&table, name);
    link.place.table = pv_i_strdup(table.data);
    must(pv_i_count_equal_rows(&link.link, &link.place, (const char *const[]){name, "other"}, 2,
                               &text, &error),
         &error);
    for (size_t v = 0; v < N_HOSTILE; v++) {
        assert_true(strchr(hostile[v], '"') != NULL || strstr(text.data, hostile[v]) != NULL);
    }
    ch_link_close(&link);
    pv_i_buffer_deinit(&text);
    pv_i_buffer_deinit(&quoted);
    pv_i_buffer_deinit(&table);
    pv_i_buffer_deinit(&sql);
    pv_i_free(place);
}

static void test_hostile_names_and_values(void **state)
{
    (void)state;
    ch_run(one, "CREATE TABLE victim (x String) ENGINE = Log", "INSERT INTO victim VALUES ('x')",
           NULL);
    for (size_t i = 0; i < N_HOSTILE; i++) {
        check_hostile(hostile[i]);
    }
    char *const count = ch_value(one, "SELECT COUNT(*) AS x FROM victim");
    assert_string_equal(count, "1");
    free(count);
}

/* Columns called like those of our statement: each keeps its own values. */
static void test_names_of_ours(void **state)
{
    static const char *const columns[] = {"c1", "c0", "n", "s"};
    (void)state;
    ch_run(one, "CREATE TABLE ours (c0 Int32, c1 Int32, n Int32, s Int32, g Int32) ENGINE = Log",
           "INSERT INTO ours VALUES (10, 11, 12, 13, 14), (10, 11, 12, 13, 15)", NULL);
    char *const text = counted(ch_table(one, "ours"), columns, 4);
    assert_string_equal(text, "c1,c0,n,s,rows\n11,10,12,13,2\n");
    pv_i_free(text);
}

/* Cells with every byte, longer than one piece of an answer. */
typedef struct {
    size_t next;
    char *text;
    size_t size;
} long_cells;

static pv_status long_next(void *ctx, const pv_cell **cells, pv_error *error)
{
    static pv_cell row;
    long_cells *const l = ctx;
    (void)error;
    row = (pv_cell){l->text, l->next == 0 ? l->size : l->next};
    *cells = l->next++ < 300 ? &row : NULL;
    return PV_STATUS_OK;
}

static pv_status long_hear(void *ctx, const pv_cell *cells, pv_error *error)
{
    long_cells *const l = ctx;
    (void)error;
    assert_true(cells[0].size == l->size || cells[0].size < 300);
    assert_memory_equal(cells[0].text, l->text, cells[0].size);
    l->next++;
    return PV_STATUS_OK;
}

static void test_every_byte(void **state)
{
    ch_link link;
    pv_error error = {0};
    long_cells l = {.size = 3000000};
    (void)state;
    l.text = malloc(l.size);
    for (size_t i = 0; i < l.size; i++) {
        l.text[i] = (char)(i * 7);
    }
    ch_run(one, "CREATE TABLE bytes (c0 Nullable(String)) ENGINE = Log", NULL);
    ch_link_open(&link, one->url, NULL);
    must(link.link.engine->load(link.link.connection, "bytes", 1, long_next, &l, &error), &error);
    l.next = 0;
    must(link.link.engine->fetch(link.link.connection, "SELECT c0 FROM bytes", 1, long_hear, &l,
                                 &error),
         &error);
    assert_int_equal(l.next, 300);
    assert_true(link.link.engine->traffic(link.link.connection).received > 3000000);
    ch_link_close(&link);
    free(l.text);
}

/* A query is one statement that changes nothing. */
static void test_query(void **state)
{
    static const char *const bad[] = {
        "SELECT 1) s; DROP TABLE kept; --",
        "SELECT x FROM kept; DROP TABLE kept",
        "INSERT INTO kept VALUES (5)",
        "DROP TABLE kept",
    };
    (void)state;
    ch_run(one, "CREATE TABLE kept (x Int32) ENGINE = Log", "INSERT INTO kept VALUES (1), (1), (2)",
           NULL);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char *const place = query_place(bad[i]);
        fails(place, PV_STATUS_INPUT, "yntax");
        pv_i_free(place);
    }
    char *const place = query_place("SELECT x + 10 AS y FROM kept WHERE x < 5");
    char *const text = counted(place, (const char *const[]){"y"}, 1);
    assert_string_equal(text, "y,rows\n11,2\n12,1\n");
    pv_i_free(text);
    pv_i_free(place);
}

/* --------------------------------------------------------------- what goes wrong */

static void test_failures(void **state)
{
    char place[128];
    (void)state;
    fails(ch_table(one, "nobody_made_it"), PV_STATUS_INPUT, "doesn't exist");
    (void)snprintf(place, sizeof place, "clickhouse://127.0.0.1:%d/none?table=t", one->http);
    fails(place, PV_STATUS_INPUT, "none");
    fails("clickhouse://127.0.0.1:1/none?table=t", PV_STATUS_IO, "no server answers there");
    fails("clickhouse://nobody.invalid/none?table=t", PV_STATUS_IO, "the host is not known");
    (void)snprintf(place, sizeof place, "clickhouse://127.0.0.1:%d/none?table=t", one->tcp);
    fails(place, PV_STATUS_INPUT, "no ClickHouse");
    (void)snprintf(place, sizeof place, "clickhouses://127.0.0.1:%d/none?table=t", one->tcp);
    fails(place, PV_STATUS_IO, "no connection");
    fails("clickhouse://127.0.0.1:8123/a/b?table=t", PV_STATUS_INPUT, "address");
    fails("clickhouse://127.0.0.1:8123/a?x=y&table=t", PV_STATUS_INPUT, "address");
    fails("clickhouse://bad host/a?table=t", PV_STATUS_INPUT, "address");
    fails("clickhouse:///a?table=t", PV_STATUS_INPUT, "address");
    fails("clickhouse://host:/a?table=t", PV_STATUS_INPUT, "address");
    fails("clickhouse://a%0Ab@127.0.0.1/a?table=t", PV_STATUS_INPUT, "control character");
}

/* A value that a server quotes is not shown. */
static void test_quoted_value(void **state)
{
    pv_error error = {0};
    (void)state;
    ch_run(one, "CREATE TABLE texts (x String) ENGINE = Log", "INSERT INTO texts VALUES ('qwertz')",
           NULL);
    char *const place = query_place("SELECT toInt32(x) AS x FROM texts");
    assert_int_equal(count_status(place, NULL, &error), PV_STATUS_IO);
    assert_non_null(strstr(error.message, "error 6"));
    assert_null(strstr(error.message, "qwertz"));
    pv_i_free(place);
}

/* A failure after millions of rows have come: no version of it is a result. */
static pv_status count_rows(void *ctx, const pv_cell *cells, pv_error *error)
{
    (void)cells;
    (void)error;
    ++*(size_t *)ctx;
    return PV_STATUS_OK;
}

static void test_failure_in_the_middle(void **state)
{
    static const char *const columns[] = {"toNullable(toString(number))",
                                          "toNullable(toString(throwIf(number = 1000000)))",
                                          "CAST(NULL AS Nullable(String))"};
    (void)state;
    for (size_t n = 2; n <= 3; n++) {
        ch_link link;
        pv_error error = {0};
        char sql[256];
        size_t rows = 0;
        ch_link_open(&link, one->url, NULL);
        (void)snprintf(sql, sizeof sql, "SELECT %s, %s%s%s FROM system.numbers LIMIT 2000000",
                       columns[0], columns[1], n > 2 ? ", " : "", n > 2 ? columns[2] : "");
        assert_int_equal(
            link.link.engine->fetch(link.link.connection, sql, n, count_rows, &rows, &error),
            PV_STATUS_IO);
        assert_in_range(rows, 100000, 1000000);
        assert_non_null(strstr(error.message, "error 395"));
        ch_link_close(&link);
    }
}

/* ------------------------------------------------------------------------ users */

static void test_wrong_password(void **state)
{
    (void)state;
    (void)setenv("CLICKHOUSE_PASSWORD", CH_PASSWORD "x", 1);
    fails(ch_table(one, "typed"), PV_STATUS_INPUT, "does not accept the user or the password");
    (void)setenv("CLICKHOUSE_PASSWORD", "two\nlines", 1);
    fails(ch_table(one, "typed"), PV_STATUS_INPUT, "control character");
    (void)setenv("CLICKHOUSE_PASSWORD", CH_PASSWORD, 1);
    char *const place = place_of("nobody", "typed");
    fails(place, PV_STATUS_INPUT, "does not accept the user or the password");
    pv_i_free(place);
}

static void test_user_of_the_environment(void **state)
{
    (void)state;
    (void)setenv("CLICKHOUSE_USER", "nobody", 1);
    fails(ch_table(one, "typed"), PV_STATUS_INPUT, "does not accept the user or the password");
    char *const place = place_of("reader", "typed");
    pv_error error = {0};
    must(count_status(place, NULL, &error), &error);
    (void)unsetenv("CLICKHOUSE_USER");
    pv_i_free(place);
}

/* Who may change nothing may read, and is told what else fails. */
static void test_reader(void **state)
{
    ch_link link;
    pv_error error = {0};
    (void)state;
    char *const place = place_of("reader", "typed");
    must(count_status(place, NULL, &error), &error);
    ch_link_open(&link, place, NULL);
    assert_int_equal(link.link.engine->run(link.link.connection, "DROP TABLE typed", &error),
                     PV_STATUS_INPUT);
    assert_non_null(strstr(error.message, "readonly"));
    ch_link_close(&link);
    pv_i_free(place);
}

/* A profile that lets groups be left out is overridden; where that is not allowed, nothing is read.
 */
static void test_profile_that_leaves_out_rows(void **state)
{
    (void)state;
    ch_run(one, "CREATE TABLE groups (x UInt64) ENGINE = Log",
           "INSERT INTO groups SELECT number FROM system.numbers LIMIT 1000", NULL);
    char *place = place_of("breaker", "groups");
    fails(place, PV_STATUS_LIMIT, "GROUP BY");
    pv_i_free(place);
    place = place_of("sloppy", "groups");
    fails(place, PV_STATUS_INPUT, "skip_unavailable_shards");
    pv_i_free(place);
}

/* ------------------------------------------------------------------- cancelling */

static bool stop_soon(void *ctx, const pv_progress *progress)
{
    unsigned *const calls = ctx;
    (void)progress;
    return ++*calls < 8;
}

static void check_nothing_runs(void)
{
    char *left = NULL;
    for (int i = 0; i < 100 && (left == NULL || strcmp(left, "0") != 0); i++) {
        free(left);
        (void)usleep(20000);
        left = ch_value(one, "SELECT COUNT(*) AS x FROM system.processes WHERE query LIKE "
                             "'%uniqExact%' AND query NOT LIKE '%processes%'");
    }
    assert_string_equal(left, "0");
    free(left);
}

#define ENDLESS "SELECT uniqExact(number % 1000) AS x FROM system.numbers"

static void test_cancel(void **state)
{
    unsigned calls = 0;
    const pv_context context = {.progress = stop_soon, .progress_ctx = &calls};
    pv_error error = {0};
    (void)state;
    char *const place = query_place(ENDLESS);
    const double begin = pv_i_now();
    assert_int_equal(count_status(place, &context, &error), PV_STATUS_CANCELLED);
    assert_true(pv_i_now() - begin < 3);
    check_nothing_runs();
    pv_i_free(place);
}

/* Whoever hears the rows has enough of them. */
static pv_status hear_few(void *ctx, const pv_cell *cells, pv_error *error)
{
    size_t *const rows = ctx;
    (void)cells;
    (void)error;
    return ++*rows < 1000 ? PV_STATUS_OK : PV_STATUS_LIMIT;
}

static void test_enough(void **state)
{
    ch_link link;
    size_t rows = 0;
    (void)state;
    ch_link_open(&link, one->url, NULL);
    assert_int_equal(link.link.engine->fetch(
                         link.link.connection,
                         "SELECT toNullable(toString(number)) FROM system.numbers /* uniqExact */",
                         1, hear_few, &rows, NULL),
                     PV_STATUS_LIMIT);
    assert_int_equal(rows, 1000);
    check_nothing_runs();
    ch_link_close(&link);
}

enum { SOME = 1000000, MOST = 2000000 };

static pv_status never_enough(void *ctx, const pv_cell **cells, pv_error *error)
{
    static const pv_cell row = {"x", 1};
    size_t *const rows = ctx;
    (void)error;
    *cells = *rows != SOME ? &row : NULL;
    return ++*rows < MOST ? PV_STATUS_OK : PV_STATUS_LIMIT;
}

/* Rows that do not come to their end are never a part of a table. */
static void test_load_that_fails(void **state)
{
    ch_link link;
    pv_error error = {0};
    size_t rows = SOME + 1;
    (void)state;
    ch_run(one, "CREATE TABLE loaded (c0 Nullable(String)) ENGINE = Log", NULL);
    ch_link_open(&link, one->url, NULL);
    assert_int_equal(
        link.link.engine->load(link.link.connection, "loaded", 1, never_enough, &rows, &error),
        PV_STATUS_LIMIT);
    rows = 0;
    assert_int_equal(
        link.link.engine->load(link.link.connection, "not_there", 1, never_enough, &rows, &error),
        PV_STATUS_INPUT);
    assert_non_null(strstr(error.message, "doesn't exist"));
    ch_link_close(&link);
}

/* --------------------------------------------------------------- like the file */

static const char people[] = "name,age,born,height,note\n"
                             "Zo\u00eb,37,1987-03-01,1.70,\"a, \"\"b\"\"\"\n"
                             "Zo\u00eb,37,1987-03-01,1.70,\"a, \"\"b\"\"\"\n"
                             "Ann,5,2019-12-31,0.50,\n"
                             "Bo,,,1.25,' OR 1=1 --\n"
                             "Cy,-1,1999-01-02,2.00,\\\n";

static uint64_t rows_with(const pv_table *table, size_t column, const char *value)
{
    uint64_t n = 0;
    for (uint32_t code = 0; code < pv_table_values(table, column); code++) {
        const bool is_it = strcmp(pv_table_value(table, column, code), value) == 0;
        n += is_it ? pv_table_count(table, column, code) : 0;
    }
    return n;
}

/* The same columns of the same types, with the same values in as many rows. */
static void assert_same_table(const pv_table *a, const pv_table *b)
{
    assert_int_equal(pv_table_columns(a), pv_table_columns(b));
    assert_int_equal(pv_table_rows(a), pv_table_rows(b));
    for (size_t i = 0; i < pv_table_columns(a); i++) {
        assert_string_equal(pv_table_name(a, i), pv_table_name(b, i));
        assert_int_equal(pv_table_type(a, i), pv_table_type(b, i));
        assert_int_equal(pv_table_values(a, i), pv_table_values(b, i));
        for (uint32_t code = 0; code < pv_table_values(a, i); code++) {
            assert_int_equal(pv_table_count(a, i, code),
                             rows_with(b, i, pv_table_value(a, i, code)));
        }
    }
}

static void test_same_as_the_file(void **state)
{
    pv_table *file = NULL;
    pv_table *table = NULL;
    pv_error error = {0};
    (void)state;
    ch_run(one,
           "CREATE TABLE people (name String, age Nullable(Int32), born Nullable(Date), height "
           "Decimal(5, 2), note Nullable(String)) ENGINE = MergeTree ORDER BY tuple()",
           "INSERT INTO people VALUES ('Zo\u00eb', 37, '1987-03-01', 1.70, 'a, \"b\"'), "
           "('Zo\u00eb', 37, '1987-03-01', 1.70, 'a, \"b\"'), ('Ann', 5, '2019-12-31', 0.5, NULL), "
           "('Bo', NULL, NULL, 1.25, ''' OR 1=1 --'), ('Cy', -1, '1999-01-02', 2, '\\\\')",
           NULL);
    must(pv_table_read_memory("people.csv", people, strlen(people), NULL, NULL, &file, &error),
         &error);
    must(pv_table_read(ch_table(one, "people"), NULL, NULL, &table, &error), &error);
    assert_same_table(file, table);
    pv_table_free(file);
    pv_table_free(table);
}

/* Counting with every allocation failing in turn; those of libcurl are not touched. */
static pv_status count_people(void *ctx, pv_error *error)
{
    return count_status(ctx, NULL, error);
}

static void test_every_allocation(void **state)
{
    (void)state;
    ch_run(one, "CREATE TABLE few (x Nullable(String)) ENGINE = Log",
           "INSERT INTO few VALUES ('x'), (NULL)", NULL);
    assert_true(failing_alloc_each(count_people, (void *)(uintptr_t)ch_table(one, "few"), true) >
                0);
}

/* ------------------------------------------------------------ killed and restarted */

static bool kill_soon(void *ctx, const pv_progress *progress)
{
    unsigned *const calls = ctx;
    (void)progress;
    if (++*calls == 8) {
        ch_server_kill(one);
    }
    return true;
}

static void test_server_that_dies(void **state)
{
    unsigned calls = 0;
    const pv_context context = {.progress = kill_soon, .progress_ctx = &calls};
    pv_error error = {0};
    (void)state;
    char *const place = query_place(ENDLESS);
    assert_int_equal(count_status(place, &context, &error), PV_STATUS_IO);
    assert_non_null(strstr(error.message, "lost the connection"));
    assert_true(error.hint[0] != '\0');
    fails(ch_table(one, "people"), PV_STATUS_IO, "no server answers");
    ch_server_start(one);
    must(count_status(ch_table(one, "people"), NULL, &error), &error);
    pv_i_free(place);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_description),
        cmocka_unit_test(test_hostile_names_and_values),
        cmocka_unit_test(test_names_of_ours),
        cmocka_unit_test(test_every_byte),
        cmocka_unit_test(test_query),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_quoted_value),
        cmocka_unit_test(test_failure_in_the_middle),
        cmocka_unit_test(test_wrong_password),
        cmocka_unit_test(test_user_of_the_environment),
        cmocka_unit_test(test_reader),
        cmocka_unit_test(test_profile_that_leaves_out_rows),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_enough),
        cmocka_unit_test(test_load_that_fails),
        cmocka_unit_test(test_same_as_the_file),
        cmocka_unit_test(test_every_allocation),
        cmocka_unit_test(test_server_that_dies),
    };
    return ch_is_installed() ? cmocka_run_group_tests(tests, start, stop) : 0;
}
