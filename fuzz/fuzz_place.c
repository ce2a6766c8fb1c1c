/* Places of tables and names in statements: any text is a place or refused, and what papers show of
 * it has no user. Whatever a column or a table is called, the statement is the one that a harmless
 * name makes: read as an engine reads it, only what stands between quotes differs. */
#include "base/memory.h"
#include "engine/engine.h"
#include "engine/place.h"
#include "engine/sql.h"

#include <stdlib.h>
#include <string.h>

static void require(bool holds)
{
    if (!holds) {
        abort();
    }
}

/* The statement with every quoted name as Q and every text as T: what a parser sees of it. Where a
 * column is called like one of ours, c0 or n, these have a _ behind them: it does not count. */
static void skeleton(pv_buffer *to, const pv_sql *dialect, const char *sql)
{
    while (*sql != '\0') {
        const char quote = *sql;
        if (quote == '_') { /* how many, depends on whether columns are called like ours */
            sql++;
            continue;
        }
        if (quote != dialect->quote && quote != '\'') {
            if (quote != '_') {
                pv_i_buffer_char(to, quote);
            }
            sql++;
            continue;
        }
        for (sql++; *sql != quote || sql[1] == quote; sql++) {
            require(*sql != '\0'); /* it does not end */
            sql += *sql == quote || (dialect->escapes_backslash && *sql == '\\');
            require(*sql != '\0');
        }
        sql++;
        pv_i_buffer_char(to, quote == '\'' ? 'T' : 'Q');
    }
}

static void put_all(pv_buffer *sql, const pv_sql *dialect, const char *name)
{
    const char *const columns[] = {name, "plain", name};
    const pv_sql_type types[] = {PV_SQL_TEXT, PV_SQL_INTEGER, PV_SQL_DATE};
    pv_buffer table = {0};
    pv_i_sql_name(&table, dialect, name);
    pv_i_sql_count(sql, dialect, table.data, columns, 3, NULL, 0);
    pv_i_sql_count(sql, dialect, "", columns, 3, (const char *const[]){table.data, table.data}, 2);
    pv_i_sql_sizes(sql, dialect, table.data, columns, 3);
    const pv_sql_source sources[] = {{table.data, columns, 3}, {table.data, columns, 2}};
    pv_i_sql_join(sql, dialect, sources, 2, name);
    pv_i_sql_keys(sql, dialect, table.data, name, 2);
    pv_i_sql_short_keys(sql, dialect, table.data, name, 2);
    if (dialect->keep != NULL) {
        pv_i_sql_keep(sql, dialect, table.data, table.data, columns, 3);
    }
    pv_i_sql_count_kept(sql, dialect, table.data, columns, 3);
    pv_i_sql_sizes_kept(sql, dialect, table.data, columns, 3, columns, 2);
    pv_i_sql_staging(sql, dialect, table.data, 3);
    pv_i_sql_create(sql, dialect, table.data, columns, types, 3);
    pv_i_sql_insert(sql, dialect, table.data, table.data, types, 3);
    pv_i_sql_literal(sql, dialect, name);
    pv_i_buffer_deinit(&table);
}

static void check_statements(const pv_sql *dialect, const char *name)
{
    pv_buffer hostile = {0};
    pv_buffer plain = {0};
    pv_buffer seen = {0};
    pv_buffer expected = {0};
    put_all(&hostile, dialect, name);
    put_all(&plain, dialect, "plain");
    skeleton(&seen, dialect, hostile.data);
    skeleton(&expected, dialect, plain.data);
    require(strcmp(seen.data, expected.data) == 0);
    pv_i_buffer_deinit(&hostile);
    pv_i_buffer_deinit(&plain);
    pv_i_buffer_deinit(&seen);
    pv_i_buffer_deinit(&expected);
}

/* A table's name has parts: between them stand dots, and nothing else. */
static void check_table(const pv_sql *dialect, const char *table)
{
    pv_buffer sql = {0};
    pv_buffer seen = {0};
    pv_i_sql_table(&sql, dialect, table);
    skeleton(&seen, dialect, sql.data);
    require(strspn(seen.data, "Q.") == seen.size && seen.data[0] == 'Q');
    require(strstr(seen.data, "QQ") == NULL && strstr(seen.data, "..") == NULL);
    pv_i_buffer_deinit(&sql);
    pv_i_buffer_deinit(&seen);
}

static void check_place(const char *text)
{
    pv_place place = {0};
    char *const shown = pv_i_place_shown(text);
    char *const name = pv_i_place_name(text);
    require(shown != NULL && name != NULL);
    if (pv_i_is_place(text) && pv_i_place_parse(text, &place, NULL) == PV_STATUS_OK) {
        const char *const slashes = strstr(shown, "://");
        const size_t host = slashes != NULL ? strcspn(slashes + 3, "/?") : 0;
        require(slashes == NULL || memchr(slashes + 3, '@', host) == NULL);
        require(place.table == NULL || place.query == NULL);
    }
    pv_i_place_deinit(&place);
    pv_i_free(shown);
    pv_i_free(name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const pv_sql backtick = {.quote = '`',
                                    .escapes_backslash = true,
                                    .text = "toString(%s)",
                                    .types = {"String", "Int64", "String", "Date"},
                                    .casts = {"%s", "toInt64(%s)", "%s", "toDate(%s)"},
                                    .staging = "CREATE TABLE ",
                                    .staging_end = "",
                                    .create_end = " ENGINE = Memory"};
    static const pv_sql doubled = {.quote = '"',
                                   .text = "CAST(%s AS TEXT)",
                                   .types = {"TEXT", "BIGINT", "NUMERIC", "DATE"},
                                   .casts = {"%s", "CAST(%s AS BIGINT)", "%s", "%s"},
                                   .staging = "CREATE TEMPORARY TABLE ",
                                   .staging_end = "",
                                   .create_end = "",
                                   .repeat = "%s s, generate_series(1, s.n) r",
                                   .keep = "CREATE TEMPORARY TABLE %s AS %s"};
    char *const text = pv_i_strndup((const char *)data, size);
    require(text != NULL);
    check_place(text);
    check_statements(&backtick, text);
    check_statements(&doubled, text);
    check_table(&backtick, text);
    check_table(&doubled, text);
    pv_i_free(text);
    return 0;
}
