/* Tables in Parquet, JSON and delimited files and in databases of DuckDB, by the real library. */
#include "support/duckdb.h"
#include "support/failing_alloc.h"
#include "support/files.h"
#include "support/study.h"

#include "base/memory.h"
#include "engine/spill.h"
#include "engine/sql.h"
#include "table/column.h"

#include <sys/stat.h>

#define N_OF(array) (sizeof(array) / sizeof *(array))

/* People of every kind: numbers, dates, quotes, blanks, line ends, nothing at all. */
static const char people[] =
    "age,born,name,pay,\"who, \"\"really\"\"; --\",member\n"
    "34,1990-02-28,\"O'Neil; DROP TABLE t; --\",1.25,\"a \"\"b\"\"\",true\n"
    "34,1990-02-28,\"O'Neil; DROP TABLE t; --\",1.25,\"a \"\"b\"\"\",true\n"
    "-7,2024-12-31,\xC3\x85se \xF0\x9F\x98\x80,0.05,\"two\nlines\",false\n"
    ",,,,,\n"
    "9007199254740993,0099-01-01,\"\\n %s {} $1 ?\",1234567.25,/* x */,\n";

static const char people_types[] =
    "{'age': 'BIGINT', 'born': 'DATE', 'name': 'VARCHAR', 'pay': 'DECIMAL(12,2)', "
    "'who, \"really\"; --': 'VARCHAR', 'member': 'BOOLEAN'}";

typedef struct {
    scratch_folder folder;
    pv_table *expected; /* what our own reader makes of the same rows */
} stage;

/* A template with a text in its places. */
static const char *filled(char to[1024], const char *format, const char *text)
{
    pv_buffer made = {0};
    pv_i_sql_fill(&made, format, text, text);
    (void)snprintf(to, 1024, "%s", made.data);
    pv_i_buffer_deinit(&made);
    return to;
}

static char *path_in(const stage *s, const char *format, const char *name)
{
    static char text[1024];
    char path[256];
    (void)snprintf(path, sizeof path, "%s/%s", s->folder.path, name);
    (void)filled(text, format, path);
    return text;
}

/* Lines in the order in which counted rows are: sorted. */
static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static pv_table *table_sorted(void)
{
    char copy[sizeof people];
    char *rows[8];
    size_t n = 0;
    pv_buffer text = {0};
    memcpy(copy, people, sizeof people);
    char *at = strchr(copy, '\n') + 1;
    pv_i_buffer_bytes(&text, copy, (size_t)(at - copy));
    while (*at != '\0') { /* a line end in quotes ends no row */
        rows[n++] = at;
        bool quoted = false;
        for (; *at != '\n' || quoted; at++) {
            quoted ^= *at == '"';
        }
        *at++ = '\0';
    }
    qsort(rows, n, sizeof *rows, by_bytes);
    for (size_t i = 0; i < n; i++) {
        pv_i_buffer_format(&text, "%s\n", rows[i]);
    }
    pv_table *const table = table_of(text.data, NULL);
    pv_i_buffer_deinit(&text);
    return table;
}

static pv_table *table_read(const char *place)
{
    pv_table *table = NULL;
    pv_error error = {0};
    bound_must(pv_table_read(place, NULL, NULL, &table, &error), &error);
    return table;
}

static void assert_same(const pv_table *a, const pv_table *b)
{
    assert_int_equal(pv_table_rows(a), pv_table_rows(b));
    assert_int_equal(pv_table_columns(a), pv_table_columns(b));
    for (size_t i = 0; i < pv_table_columns(a); i++) {
        assert_string_equal(pv_table_name(a, i), pv_table_name(b, i));
        assert_int_equal(pv_table_type(a, i), pv_table_type(b, i));
        assert_int_equal(pv_table_missing(a, i), pv_table_missing(b, i));
        assert_int_equal(pv_table_values(a, i), pv_table_values(b, i));
        for (uint32_t v = 0; v < pv_table_values(a, i); v++) {
            assert_string_equal(pv_table_value(a, i, v), pv_table_value(b, i, v));
            assert_int_equal(pv_table_count(a, i, v), pv_table_count(b, i, v));
        }
        for (uint64_t row = 0; row < pv_table_rows(a); row++) {
            assert_int_equal(pv_table_code(a, i, row), pv_table_code(b, i, row));
        }
    }
}

static void assert_same_at(const stage *s, const char *format, const char *name)
{
    pv_table *const table = table_read(path_in(s, format, name));
    assert_same(table, s->expected);
    pv_table_free(table);
}

/* The people as Parquet, JSON, compressed text and in a database, all made by DuckDB. */
static stage stage_set(void)
{
    stage s = {.folder = scratch_folder_create("people.csv"), .expected = table_sorted()};
    static const char *const made[] = {
        "COPY t TO '%s/people.parquet'",
        "COPY t TO '%s/people.json'",
        "COPY t TO '%s/all.json' (ARRAY true)",
        "COPY t TO '%s/people.csv.gz'",
        "COPY t TO '%s/we*ird[1].pq' (FORMAT parquet)",
        "ATTACH '%s/people.duckdb' AS d",
        "CREATE SCHEMA d.\"in\"",
        "CREATE TABLE d.\"in\".\"odd \"\" name\" AS FROM t",
    };
    char statements[1 + N_OF(made)][1024];
    const char *all[1 + N_OF(made)];
    written_file(s.folder.file, people, strlen(people));
    (void)snprintf(statements[0], sizeof statements[0],
                   "CREATE TABLE t AS FROM read_csv('%s', columns = %s, header = true)",
                   s.folder.file, people_types);
    for (size_t i = 0; i < N_OF(made); i++) {
        (void)filled(statements[1 + i], made[i], s.folder.path);
    }
    for (size_t i = 0; i < N_OF(all); i++) {
        all[i] = statements[i];
    }
    duckdb_run(NULL, all, N_OF(all));
    return s;
}

static void stage_leave(stage *s)
{
    pv_table_free(s->expected);
    scratch_folder_remove(&s->folder);
}

/* ------------------------------------------------------------------- the same rows */

static void same_table_wherever_it_is(void **state)
{
    if (!duckdb_is_here()) {
        skip();
    }
    stage s = stage_set();
    (void)state;
    assert_same_at(&s, "%s", "people.parquet");
    assert_same_at(&s, "duckdb:%s", "people.parquet");
    assert_same_at(&s, "%s", "people.json");
    assert_same_at(&s, "%s", "all.json");
    assert_same_at(&s, "duckdb:%s", "people.csv");
    assert_same_at(&s, "duckdb:%s", "people.csv.gz");
    assert_same_at(&s, "%s", "we*ird[1].pq");
    assert_same_at(&s, "duckdb:%s?table=in.\"odd \"\" name\"", "people.duckdb");
    assert_same_at(&s, "duckdb:%s?query=SELECT * FROM \"in\".\"odd \"\" name\"", "people.duckdb");
    assert_same_at(&s, "%s", "p*e.parquet");
    stage_leave(&s);
}

/* Folders and patterns; a column that folders are named after keeps its zeros. */
static void many_files_are_one_table(void **state)
{
    if (!duckdb_is_here()) {
        skip();
    }
    scratch_folder folder = scratch_folder_create("all");
    char statement[512];
    const char *const one[] = {statement};
    const char *const patterns[] = {"%s/all/*/*.parquet", "duckdb:%s/all/", "%s/all.parquet"};
    (void)state;
    (void)snprintf(statement, sizeof statement,
                   "COPY (SELECT '0' || (range %% 3) AS month, range // 3 AS x FROM range(300)) TO "
                   "'%s' (FORMAT parquet, PARTITION_BY (month))",
                   folder.file);
    duckdb_run(NULL, one, 1);
    char other[128];
    (void)snprintf(other, sizeof other, "%s/all.parquet", folder.path);
    assert_int_equal(symlink(folder.file, other), 0);
    for (size_t i = 0; i < N_OF(patterns); i++) {
        char place[1024];
        pv_table *const table = table_read(filled(place, patterns[i], folder.path));
        const size_t month = pv_table_find(table, "month");
        assert_int_equal(pv_table_rows(table), 300);
        assert_int_equal(pv_table_values(table, month), 3);
        assert_string_equal(pv_table_value(table, month, pv_table_code(table, month, 0)), "00");
        pv_table_free(table);
    }
    assert_int_equal(unlink(other), 0);
    scratch_folder_remove(&folder);
}

/* Numbers and dates as JSON and delimited text write them stay as they are written. */
/* Large tables are grouped by numbers that stand for texts, wherever there are few. A query is
 * grouped as it is. */
static void numbers_for_texts(void **state)
{
    if (!duckdb_is_here()) {
        skip();
    }
    scratch_folder folder = scratch_folder_create("large.parquet");
    char statement[1024];
    char place[1024];
    const char *const one[] = {statement};
    (void)state;
    (void)snprintf(
        statement, sizeof statement,
        "COPY (SELECT CASE range %% 5 WHEN 0 THEN NULL WHEN 1 THEN '' WHEN 2 THEN "
        "'it''s \"x\", ' ELSE 'plain' END AS \"a \"\"b\"\"\", 'v' || (range %% 1000) "
        "AS many, range %% 7 AS number, CAST(NULL AS VARCHAR) AS nothing, CASE WHEN range "
        "< 120000 THEN 'few' ELSE 'late ' || range END AS late, 'c' || (range %% 3) AS c0 "
        "FROM range(150000)) TO '%s' (FORMAT parquet)",
        folder.file);
    duckdb_run(NULL, one, 1);
    pv_table *const by_numbers = table_read(folder.file);
    (void)snprintf(place, sizeof place, "duckdb:?query=SELECT * FROM read_parquet('%s')",
                   folder.file);
    pv_table *const as_it_is = table_read(place);
    assert_int_equal(pv_table_rows(by_numbers), 150000);
    assert_same(by_numbers, as_it_is);
    pv_table_free(by_numbers);
    pv_table_free(as_it_is);
    scratch_folder_remove(&folder);
}

static void texts_stay_texts(void **state)
{
    if (!duckdb_is_here()) {
        skip();
    }
    static const char json[] = "{\"zip\": \"00501\", \"day\": \"31.05.2024\", \"n\": 7}\n"
                               "{\"zip\": \"10001\", \"day\": \"01.06.2024\", \"n\": null}\n";
    static const char csv[] = "zip,day,n\n00501,31.05.2024,7\n10001,01.06.2024,\n";
    scratch_folder folder = scratch_folder_create("a.json");
    pv_table *const expected = table_of(csv, NULL);
    char place[128];
    (void)state;
    written_file(folder.file, json, strlen(json));
    pv_table *table = table_read(folder.file);
    assert_same(table, expected);
    pv_table_free(table);
    (void)snprintf(place, sizeof place, "duckdb:%s/a.csv", folder.path);
    written_file(place + strlen("duckdb:"), csv, strlen(csv));
    table = table_read(place);
    assert_same(table, expected);
    pv_table_free(table);
    pv_table_free(expected);
    scratch_folder_remove(&folder);
}

/* Texts that differ in case are different, whatever the column says. */
static void case_matters(void **state)
{
    if (!duckdb_is_here()) {
        skip();
    }
    static const char *const statements[] = {
        "CREATE TABLE towns (town VARCHAR COLLATE NOCASE, n INTEGER)",
        "INSERT INTO towns VALUES ('Paris', 1), ('paris', 1), ('PARIS', 1), ('Paris', 1)"};
    scratch_folder folder = scratch_folder_create("a.duckdb");
    char place[128];
    (void)state;
    duckdb_run(folder.file, statements, N_OF(statements));
    (void)snprintf(place, sizeof place, "duckdb:%s?table=towns", folder.file);
    pv_table *const table = table_read(place);
    assert_int_equal(pv_table_values(table, 0), 3);
    assert_int_equal(pv_table_rows(table), 4);
    pv_table_free(table);
    scratch_folder_remove(&folder);
}

/* No line is taken for a comment or a preface, and quotes are quotes wherever they begin. */
static void no_line_is_left_out(void **state)
{
    if (!duckdb_is_here()) {
        skip();
    }
    scratch_folder folder = scratch_folder_create("a.csv");
    pv_buffer csv = {0};
    char place[128];
    (void)state;
    pv_i_buffer_text(&csv, "town,n\n");
    for (int i = 0; i < 25000; i++) {
        pv_i_buffer_format(&csv, "%s%d,%d\n", i % 5000 == 60 ? "#" : "", i % 7, i % 3);
    }
    pv_i_buffer_text(&csv, "\"5\",\"1\"\n\"a,b\",2\n");
    assert_false(csv.failed);
    written_file(folder.file, csv.data, csv.size);
    pv_table *const expected = table_of(csv.data, NULL);
    (void)snprintf(place, sizeof place, "duckdb:%s", folder.file);
    pv_table *const table = table_read(place);
    assert_int_equal(pv_table_rows(table), 25002);
    assert_int_equal(pv_table_values(table, 0), pv_table_values(expected, 0));
    assert_int_equal(pv_table_values(table, 1), 3);
    pv_table_free(table);
    pv_table_free(expected);
    pv_i_buffer_deinit(&csv);
    scratch_folder_remove(&folder);
}

/* Columns called as the statement calls its own; more of them than fit one of anything. */
static void hostile_columns(void **state)
{
    if (!duckdb_is_here()) {
        skip();
    }
    (void)state;
    pv_table *const table = table_read(
        "duckdb:?query=SELECT 'x' AS c1, 'y' AS c0, 7 AS n, 'z' AS rows, 1 AS \"a\"\"; --\"");
    assert_int_equal(pv_table_columns(table), 5);
    assert_string_equal(table_cell(table, 0, 0), "x");
    assert_string_equal(table_cell(table, 0, 1), "y");
    assert_string_equal(table_cell(table, 0, 2), "7");
    assert_string_equal(table_cell(table, 0, 3), "z");
    assert_string_equal(pv_table_name(table, 4), "a\"; --");
    pv_table_free(table);
}

/* --------------------------------------------------------------------- what is refused */

static pv_status read_status(const char *place, pv_error *error)
{
    pv_table *table = NULL;
    const pv_status status = pv_table_read(place, NULL, NULL, &table, error);
    pv_table_free(table);
    return status;
}

static void assert_refused(const char *place, pv_status status, const char *message)
{
    pv_error error = {0};
    assert_int_equal(read_status(place, &error), status);
    if (strstr(error.message, message) == NULL) {
        fail_msg("%s: \"%s\" lacks \"%s\"", place, error.message, message);
    }
    assert_true(strlen(error.hint) > 0 || strstr(message, "no rows") != NULL);
}

static void what_cannot_be_read_is_said(void **state)
{
    if (!duckdb_is_here()) {
        skip();
    }
    scratch_folder folder = scratch_folder_create("broken.parquet");
    const stage s = {.folder = folder};
    (void)state;
    written_file(folder.file, "PAR1 and nothing more", 21);
    written_file(path_in(&s, "%s", "broken.db"), "no database, but long enough to be one", 38);
    assert_refused(folder.file, PV_STATUS_INPUT, "No magic bytes");
    assert_refused("no/such/*.parquet", PV_STATUS_INPUT, "No files found");
    assert_refused(path_in(&s, "duckdb:%s?table=t", "none.db"), PV_STATUS_INPUT,
                   "no database file of that name");
    assert_refused(path_in(&s, "duckdb:%s?table=t", "broken.db"), PV_STATUS_INPUT,
                   "not a valid DuckDB database");
    assert_refused("duckdb:?table=t", PV_STATUS_INPUT, "Table with name t does not exist");
    assert_refused("duckdb:?query=SELECT 1 AS a WHERE false", PV_STATUS_INPUT, "no rows");
    assert_refused("duckdb:?query=SELEC 1", PV_STATUS_INPUT, "Parser Error");
    assert_refused("duckdb:?query=SELECT 1) a; SELECT (2", PV_STATUS_INPUT, "Parser Error");
    assert_refused("duckdb:?query=SELECT [1, 2] AS list, 1 AS a", PV_STATUS_INPUT,
                   "column `list` are no single values");
    assert_refused("duckdb:?query=SELECT {'secret': 1} AS s", PV_STATUS_INPUT,
                   "no single values, but STRUCT");
    assert_refused("duckdb:?query=SELECT '\\xAA'::BLOB AS b", PV_STATUS_INPUT, "BLOB");
    assert_int_equal(scratch_folder_files(&folder), 2);
    scratch_folder_remove(&folder);
}

/* Lists are in nobody's way who does not ask for them. */
static bool keeps_age(void *ctx, const char *column)
{
    (void)ctx;
    return strcmp(column, "age") == 0;
}

static void columns_that_nobody_wants_may_be_anything(void **state)
{
    if (!duckdb_is_here()) {
        skip();
    }
    const pv_read_options options = {.keep = keeps_age};
    pv_table *table = NULL;
    pv_error error = {0};
    (void)state;
    bound_must(pv_table_read("duckdb:?query=SELECT [1] AS list, 40 AS age", &options, NULL, &table,
                             &error),
               &error);
    assert_int_equal(pv_table_columns(table), 1);
    pv_table_free(table);
}

/* What DuckDB says of a value that does not fit shows the value. */
static void no_value_in_messages(void **state)
{
    if (!duckdb_is_here()) {
        skip();
    }
    pv_error error = {0};
    (void)state;
    assert_int_equal(read_status("duckdb:?query=SELECT CAST(chr(83) || 'ecret' || range AS INT) AS "
                                 "a FROM range(9)",
                                 &error),
                     PV_STATUS_INPUT);
    assert_null(strstr(error.message, "Secret"));
    assert_non_null(strstr(error.message, "Conversion Error"));
}

/* ------------------------------------------------------------------------ stopping */

static bool stops(void *ctx, const pv_progress *progress)
{
    uint64_t *const n = ctx;
    (void)progress;
    return ++*n < 4;
}

static void a_long_statement_stops(void **state)
{
    if (!duckdb_is_here()) {
        skip();
    }
    uint64_t n = 0;
    const pv_context context = {.threads = 2, .progress = stops, .progress_ctx = &n};
    pv_table *table = NULL;
    pv_error error = {0};
    (void)state;
    assert_int_equal(pv_table_read("duckdb:?query=SELECT (a.range * b.range) %25 7 AS x FROM "
                                   "range(10000000) a, range(10000000) b",
                                   NULL, &context, &table, &error),
                     PV_STATUS_CANCELLED);
    assert_null(table);
    assert_int_equal(n, 4);
}

/* --------------------------------------------------------------------- folders of ours */

static void what_a_killed_process_left_is_removed(void **state)
{
    scratch_folder folder = scratch_folder_create("unused");
    char left[128];
    char file[160];
    pv_spill mine = {0};
    pv_spill other = {0};
    pv_error error = {0};
    (void)state;
    assert_int_equal(setenv("TMPDIR", folder.path, 1), 0);
    (void)snprintf(left, sizeof left, "%s/paravent-spill-000000", folder.path);
    (void)snprintf(file, sizeof file, "%s/rows.tmp", left);
    assert_int_equal(mkdir(left, 0700), 0);
    written_file(file, "people", 6);
    bound_must(pv_i_spill_create(&mine, &error), &error);
    assert_int_not_equal(access(left, F_OK), 0);
    bound_must(pv_i_spill_create(&other, &error), &error); /* that of somebody at work stays */
    assert_int_equal(access(mine.path, F_OK), 0);
    pv_i_spill_remove(&mine);
    pv_i_spill_remove(&other);
    assert_int_equal(scratch_folder_files(&folder), 0);
    assert_int_equal(setenv("TMPDIR", "/no/such", 1), 0);
    assert_int_equal(pv_i_spill_create(&mine, &error), PV_STATUS_IO);
    assert_int_equal(unsetenv("TMPDIR"), 0);
    scratch_folder_remove(&folder);
}

/* ------------------------------------------------------------------------- writing */

typedef struct {
    const pv_cell (*rows)[2];
    size_t n;
} rows_to_load;

static pv_status next_row(void *ctx, const pv_cell **cells, pv_error *error)
{
    rows_to_load *const r = ctx;
    (void)error;
    *cells = r->n > 0 ? *r->rows++ : NULL;
    r->n -= r->n > 0;
    return PV_STATUS_OK;
}

#define CELL(text)               \
    {                            \
        (text), sizeof(text) - 1 \
    }

/* As a release is written: staged, each row as often as it counts, under a hidden name at first. */
static void rows_are_loaded_and_counted(void **state)
{
    if (!duckdb_is_here()) {
        skip();
    }
    static const pv_cell rows[][2] = {{CELL("it's \"one\""), CELL("3")}, {{0}, CELL("2")}};
    scratch_folder folder = scratch_folder_create("new.duckdb");
    rows_to_load r = {.rows = rows, .n = N_OF(rows)};
    char text[256];
    duckdb_place there;
    pv_buffer from = {0};
    pv_error error = {0};
    (void)state;
    (void)snprintf(text, sizeof text, "duckdb:%s?table=out", folder.file);
    duckdb_visit(&there, text, NULL);
    const pv_engine *const engine = there.link.engine;
    void *const c = there.link.connection;
    bound_must(engine->run(c, "CREATE TEMP TABLE \"stage \"\"d\" (c0 VARCHAR, n VARCHAR)", &error),
               &error);
    bound_must(engine->load(c, "\"stage \"\"d\"", 2, next_row, &r, &error), &error);
    bound_must(engine->run(c, "CREATE TABLE \"hidden~1\" (\"what it is\" VARCHAR)", &error),
               &error);
    pv_i_buffer_text(&from, "INSERT INTO \"hidden~1\" SELECT s.c0 FROM ");
    pv_i_sql_fill(&from, engine->sql->repeat, "\"stage \"\"d\"", "");
    bound_must(engine->run(c, from.data, &error), &error);
    bound_must(engine->run(c, engine->sql->begin, &error), &error);
    pv_i_buffer_clear(&from);
    pv_i_sql_fill(&from, engine->sql->rename, "\"hidden~1\"", "\"out\"");
    bound_must(engine->run(c, from.data, &error), &error);
    bound_must(engine->run(c, engine->sql->commit, &error), &error);
    pv_i_buffer_deinit(&from);
    assert_int_equal(engine->traffic(c).sent, strlen("it's \"one\"") + 2);
    duckdb_leave(&there);
    pv_table *const table = table_read(text);
    assert_int_equal(pv_table_rows(table), 5);
    assert_string_equal(table_cell(table, 0, 0), "it's \"one\"");
    pv_table_free(table);
    scratch_folder_remove(&folder);
}

/* --------------------------------------------------------------------- out of memory */

static pv_status read_all(void *ctx, pv_error *error)
{
    return read_status(ctx, error);
}

static void every_allocation_fails_once(void **state)
{
    if (!duckdb_is_here()) {
        skip();
    }
    static const char json[] = "{\"age\": 40, \"who\": \"a\"}\n";
    scratch_folder folder = scratch_folder_create("a.json");
    (void)state;
    written_file(folder.file, json, strlen(json));
    assert_true(failing_alloc_sample(read_all, folder.file) > 0);
    scratch_folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_table_wherever_it_is),
        cmocka_unit_test(many_files_are_one_table),
        cmocka_unit_test(numbers_for_texts),
        cmocka_unit_test(texts_stay_texts),
        cmocka_unit_test(no_line_is_left_out),
        cmocka_unit_test(case_matters),
        cmocka_unit_test(hostile_columns),
        cmocka_unit_test(what_cannot_be_read_is_said),
        cmocka_unit_test(columns_that_nobody_wants_may_be_anything),
        cmocka_unit_test(no_value_in_messages),
        cmocka_unit_test(a_long_statement_stops),
        cmocka_unit_test(what_a_killed_process_left_is_removed),
        cmocka_unit_test(rows_are_loaded_and_counted),
        cmocka_unit_test(every_allocation_fails_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
