/* Places of tables as people write them, and names in statements. */
#include "support/testing.h"

#include "base/memory.h"
#include "engine/engine.h"
#include "engine/place.h"
#include "engine/sql.h"

#include <string.h>

/* ---------------------------------------------------------------------- names */

static void check_name(char quote, bool escapes, const char *name, const char *expected)
{
    const pv_sql dialect = {.quote = quote, .escapes_backslash = escapes};
    pv_buffer sql = {0};
    pv_i_sql_name(&sql, &dialect, name);
    assert_false(sql.failed);
    assert_string_equal(sql.data, expected);
    pv_i_buffer_deinit(&sql);
}

/* Whatever a column is called, it is one name. */
static void names_are_quoted(void **state)
{
    (void)state;
    check_name('"', false, "age", "\"age\"");
    check_name('"', false, "a\"; DROP TABLE t; --", "\"a\"\"; DROP TABLE t; --\"");
    check_name('"', false, "a\\", "\"a\\\"");
    check_name('`', true, "a\\` b", "`a\\\\`` b`");
    check_name('`', false, "\"x\"", "`\"x\"`");
}

static void check_table(const char *table, const char *expected)
{
    const pv_sql dialect = {.quote = '"'};
    pv_buffer sql = {0};
    pv_i_sql_table(&sql, &dialect, table);
    assert_false(sql.failed);
    assert_string_equal(sql.data, expected);
    pv_i_buffer_deinit(&sql);
}

static void tables_have_parts(void **state)
{
    (void)state;
    check_table("survey", "\"survey\"");
    check_table("public.survey", "\"public\".\"survey\"");
    check_table("\"a.b\".c", "\"a.b\".\"c\"");
    check_table("\"a\"\"b\"", "\"a\"\"b\"");
    check_table("a\"b; --", "\"a\"\"b; --\"");
    check_table("\"open", "\"open\"");
    check_table("a..b", "\"a\".\"\".\"b\"");
    check_table("", "\"\"");
}

static void templates_are_filled(void **state)
{
    pv_buffer sql = {0};
    (void)state;
    pv_i_sql_fill(&sql, "RENAME %s TO %s 5%", "a%s", "b");
    assert_string_equal(sql.data, "RENAME a%s TO b 5%");
    pv_i_buffer_deinit(&sql);
}

/* --------------------------------------------------------------------- counting */

static void check_count(const char *const *columns, size_t n_columns, const char *const *parts,
                        size_t n_parts, const char *expected)
{
    const pv_sql dialect = {.quote = '"', .text = "T(%s)"};
    pv_buffer sql = {0};
    pv_i_sql_count(&sql, &dialect, "t", columns, n_columns, parts, n_parts);
    assert_false(sql.failed);
    assert_string_equal(sql.data, expected);
    pv_i_buffer_deinit(&sql);
}

static void equal_rows_are_counted(void **state)
{
    static const char *const columns[] = {"age", "sex"};
    static const char *const parts[] = {"a", "b"};
    (void)state;
    check_count(
        columns, 2, NULL, 0,
        "SELECT T(c0), T(c1), T(n) FROM (SELECT \"age\" AS c0, \"sex\" AS c1, COUNT(*) AS n "
        "FROM t s GROUP BY \"age\", \"sex\") g");
    check_count(columns, 1, parts, 2,
                "SELECT T(c0), T(n) FROM (SELECT c0, SUM(n) AS n FROM (SELECT \"age\" AS c0, "
                "COUNT(*) AS n FROM a s GROUP BY \"age\" UNION ALL SELECT \"age\" AS c0, COUNT(*) "
                "AS n FROM b s GROUP BY \"age\") p GROUP BY c0) g");
}

/* Columns may be called like what a statement calls them: in ClickHouse, c0 would then be another
 * one. */
static void columns_may_be_called_like_ours(void **state)
{
    static const char *const cells[] = {"c1", "C0__", "c"};
    static const char *const counts[] = {"n"};
    static const char *const others[] = {"c1x", "n1"};
    (void)state;
    check_count(
        cells, 3, NULL, 0,
        "SELECT T(c0___), T(c1___), T(c2___), T(n___) FROM (SELECT \"c1\" AS c0___, \"C0__\" "
        "AS c1___, \"c\" AS c2___, COUNT(*) AS n___ FROM t s GROUP BY \"c1\", \"C0__\", "
        "\"c\") g");
    check_count(counts, 1, NULL, 0,
                "SELECT T(c0_), T(n_) FROM (SELECT \"n\" AS c0_, COUNT(*) AS n_ FROM t s GROUP BY "
                "\"n\") g");
    check_count(others, 2, NULL, 0,
                "SELECT T(c0), T(c1), T(n) FROM (SELECT \"c1x\" AS c0, \"n1\" AS c1, COUNT(*) AS n "
                "FROM t s GROUP BY \"c1x\", \"n1\") g");
}

/* --------------------------------------------------------------------- places */

static void places_are_told_from_files(void **state)
{
    (void)state;
    assert_true(pv_i_is_place("postgresql://localhost/db?table=t"));
    assert_true(pv_i_is_place("postgres:///db?table=t"));
    assert_true(pv_i_is_place("clickhouse://localhost/db"));
    assert_true(pv_i_is_place("duckdb:x.db?table=t"));
    assert_true(pv_i_is_place("odbc:DSN=x"));
    assert_true(pv_i_is_place("people/*.parquet"));
    assert_true(pv_i_is_place("people.JSONL"));
    assert_false(pv_i_is_place("people.csv"));
    assert_false(pv_i_is_place("postgres:people.csv"));
    assert_false(pv_i_is_place(".parquet"));
    assert_false(pv_i_is_place("-"));
    assert_false(pv_i_is_place(""));
}

static void check_refused(const char *text, pv_status expected, const char *part)
{
    pv_place place = {0};
    pv_error error = {0};
    const pv_status status = pv_i_place_parse(text, &place, &error);
    assert_int_equal(status, expected);
    assert_non_null(strstr(error.message, part));
    assert_null(strstr(error.message, "secret"));
    assert_null(strstr(error.hint, "secret"));
}

static void passwords_are_refused(void **state)
{
    static const char *const texts[] = {
        "postgresql://me:secret@host/db?table=t", "postgresql://host/db?password=secret&table=t",
        "clickhouse://me:secret@host/db?table=t", "odbc:DSN=x;PWD=secret?table=t",
        "odbc:DSN=x;Pwd=secret?table=t",          "odbc:PASSWORD=secret?table=t",
        "odbc:DSN=x; PWD = secret?table=t"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        check_refused(texts[i], PV_STATUS_INPUT, "password");
    }
}

static void relative_places_are_beside_their_plan(void **state)
{
    static const struct {
        const char *text, *plan, *expected, *path;
    } cases[] = {
        {"people/*.parquet", "plans/p.yaml", "plans/people/*.parquet", "plans/people/*.parquet"},
        {"/people.parquet", "plans/p.yaml", "/people.parquet", "/people.parquet"},
        {"duckdb:a.db?table=t", "plans/p.yaml", "duckdb:plans/a.db?table=t", "plans/a.db"},
        {"duckdb:?query=SELECT 1", "plans/p.yaml", "duckdb:?query=SELECT 1", ""},
        {"postgresql:///db?table=t", "plans/p.yaml", "postgresql:///db?table=t", ""},
        {"odbc:DSN=x?table=t", "plans/p.yaml", "odbc:DSN=x?table=t", ""},
        {"people.parquet", "p.yaml", "people.parquet", "people.parquet"},
        {"what?.csv", "plans/p.yaml", "plans/what?.csv", "plans/what?.csv"},
        {"-", "plans/p.yaml", "-", "-"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *const place = pv_i_place_beside(cases[i].plan, cases[i].text);
        char *const path = pv_i_place_path(place);
        assert_string_equal(place, cases[i].expected);
        assert_string_equal(path, cases[i].path);
        pv_i_free(place);
        pv_i_free(path);
    }
}

static void places_are_made_of_parts(void **state)
{
    static const struct {
        const char *scheme, *where, *table, *query, *expected;
    } cases[] = {
        {"odbc", "survey", "t", NULL, "odbc:DSN=survey?table=t"},
        {"odbc", "DSN=survey;UID=me", NULL, "SELECT a, 1+1 FROM t",
         "odbc:DSN=survey;UID=me?query=SELECT%20a,%201%2B1%20FROM%20t"},
        {"postgresql", "host/db", "a&b?c%d", NULL, "postgresql://host/db?table=a%26b%3Fc%25d"},
        {"clickhouse", "host/db?secure=1", "t", NULL, "clickhouse://host/db?secure=1&table=t"},
        {"duckdb", "a.db", "t", NULL, "duckdb:a.db?table=t"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *const text =
            pv_i_place_of_parts(cases[i].scheme, cases[i].where, cases[i].table, cases[i].query);
        assert_string_equal(text, cases[i].expected);
        assert_true(pv_i_is_place(text));
        assert_true(pv_i_is_scheme(cases[i].scheme));
        pv_i_free(text);
    }
    assert_false(pv_i_is_scheme("table"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_quoted),
        cmocka_unit_test(tables_have_parts),
        cmocka_unit_test(templates_are_filled),
        cmocka_unit_test(equal_rows_are_counted),
        cmocka_unit_test(columns_may_be_called_like_ours),
        cmocka_unit_test(places_are_told_from_files),
        cmocka_unit_test(passwords_are_refused),
        cmocka_unit_test(relative_places_are_beside_their_plan),
        cmocka_unit_test(places_are_made_of_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
