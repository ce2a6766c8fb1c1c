#include "engine/sql.h"

#include <stdio.h>
#include <string.h>

/* Doubles what would end the name; and what would begin an escape, where engines know such. */
static void quoted(pv_buffer *sql, const pv_sql *dialect, char quote, const char *text, size_t size)
{
    pv_i_buffer_char(sql, quote);
    for (size_t i = 0; i < size; i++) {
        if (text[i] == quote || (dialect->escapes_backslash && text[i] == '\\')) {
            pv_i_buffer_char(sql, text[i]);
        }
        pv_i_buffer_char(sql, text[i]);
    }
    pv_i_buffer_char(sql, quote);
}

void pv_i_sql_name(pv_buffer *sql, const pv_sql *dialect, const char *name)
{
    quoted(sql, dialect, dialect->quote, name, strlen(name));
}

void pv_i_sql_literal(pv_buffer *sql, const pv_sql *dialect, const char *text)
{
    quoted(sql, dialect, '\'', text, strlen(text));
}

/* A part in double quotes may have dots, and "" for a quote; what follows its end is the next part.
 */
void pv_i_sql_table(pv_buffer *sql, const pv_sql *dialect, const char *table)
{
    const char *at = table;
    for (;;) {
        pv_buffer part = {0};
        if (*at == '"') {
            for (at++; *at != '\0' && (*at != '"' || at[1] == '"'); at++) {
                at += *at == '"';
                pv_i_buffer_char(&part, *at);
            }
            at += *at == '"';
        }
        const size_t plain = strcspn(at, ".");
        pv_i_buffer_bytes(&part, at, plain);
        at += plain;
        sql->failed = sql->failed || part.failed;
        quoted(sql, dialect, dialect->quote, part.data != NULL ? part.data : "", part.size);
        pv_i_buffer_deinit(&part);
        if (*at == '\0') {
            return;
        }
        pv_i_buffer_char(sql, *at++);
    }
}

void pv_i_sql_fill(pv_buffer *sql, const char *text, const char *a, const char *b)
{
    const char *next = a;
    for (; *text != '\0'; text++) {
        if (text[0] == '%' && text[1] == 's') {
            pv_i_buffer_text(sql, next);
            next = b;
            text++;
        } else {
            pv_i_buffer_char(sql, *text);
        }
    }
}

/* ------------------------------------------------------------------- counting */

/* What stands behind c0, c1, ..., n so that no column is called like one of them: some engines take
 * such a name for the column, others for what was given that name, and then count something else.
 */
static void put_tail(pv_buffer *tail, const char *const *columns, size_t n_columns)
{
    size_t longest = 0;
    for (size_t i = 0; i < n_columns; i++) {
        const char *const name = columns[i];
        const bool is_cell = *name == 'c' || *name == 'C';
        const bool is_count = *name == 'n' || *name == 'N';
        const size_t size = 1 + (is_cell ? strspn(name + 1, "0123456789") : 0);
        const size_t tail_size = is_cell || is_count ? strspn(name + size, "_") : 0;
        if ((is_cell || is_count) && name[size + tail_size] == '\0' && tail_size >= longest) {
            longest = tail_size + 1;
        }
    }
    pv_i_buffer_text(tail, "");
    for (size_t i = 0; i < longest; i++) {
        pv_i_buffer_char(tail, '_');
    }
}

static void numbered(pv_buffer *sql, size_t n_columns, const char *tail)
{
    for (size_t i = 0; i < n_columns; i++) {
        pv_i_buffer_format(sql, "%sc%zu%s", i > 0 ? ", " : "", i, tail);
    }
}

static void put_key(pv_buffer *sql, const pv_sql *dialect, const char *column,
                    const pv_sql_short *is_short)
{
    pv_buffer name = {0};
    if (is_short != NULL && is_short->key != NULL) {
        pv_i_buffer_text(sql, is_short->key);
        return;
    }
    pv_i_sql_name(&name, dialect, column);
    sql->failed = sql->failed || name.failed;
    pv_i_sql_fill(sql, dialect->key != NULL ? dialect->key : "%s", name.failed ? "" : name.data,
                  "");
    pv_i_buffer_deinit(&name);
}

/* SELECT "age" AS c0, ..., COUNT(*) AS n FROM "survey" s GROUP BY "age", ...
 * Of rows that are counted already: SUM(n). */
static void group(pv_buffer *sql, const pv_sql *dialect, const char *from, bool is_counted,
                  const char *const *columns, const pv_sql_short *shorts, size_t n_columns,
                  const char *tail)
{
    pv_i_buffer_text(sql, "SELECT ");
    for (size_t i = 0; i < n_columns; i++) {
        put_key(sql, dialect, columns[i], shorts != NULL ? &shorts[i] : NULL);
        pv_i_buffer_format(sql, " AS c%zu%s, ", i, tail);
    }
    if (is_counted) {
        pv_i_buffer_format(sql, "SUM(n%s)", tail);
    } else {
        pv_i_buffer_text(sql, "COUNT(*)");
    }
    pv_i_buffer_format(sql, " AS n%s FROM %s s GROUP BY ", tail, from);
    for (size_t i = 0; i < n_columns; i++) {
        pv_i_buffer_text(sql, i > 0 ? ", " : "");
        put_key(sql, dialect, columns[i], shorts != NULL ? &shorts[i] : NULL);
    }
}

/* Every column as a text, then the count. */
static void texts(pv_buffer *sql, const pv_sql *dialect, const pv_sql_short *shorts,
                  size_t n_columns, const char *tail)
{
    for (size_t i = 0; i <= n_columns; i++) {
        pv_buffer name = {0};
        if (i < n_columns) {
            pv_i_buffer_format(&name, "c%zu%s", i, tail);
        } else {
            pv_i_buffer_format(&name, "n%s", tail);
        }
        sql->failed = sql->failed || name.failed;
        const char *const number = name.failed ? "" : name.data;
        const bool is_short = i < n_columns && shorts != NULL && shorts[i].text != NULL;
        pv_i_sql_fill(sql, is_short ? shorts[i].text : dialect->text, number, number);
        pv_i_buffer_text(sql, i < n_columns ? ", " : " FROM (");
        pv_i_buffer_deinit(&name);
    }
}

/* The sums over several tables' groups. */
static void group_parts(pv_buffer *sql, const pv_sql *dialect, const char *const *columns,
                        size_t n_columns, const char *const *parts, size_t n_parts,
                        const char *tail)
{
    pv_i_buffer_text(sql, "SELECT ");
    numbered(sql, n_columns, tail);
    pv_i_buffer_format(sql, ", SUM(n%s) AS n%s FROM (", tail, tail);
    for (size_t i = 0; i < n_parts; i++) {
        pv_i_buffer_text(sql, i > 0 ? " UNION ALL " : "");
        group(sql, dialect, parts[i], false, columns, NULL, n_columns, tail);
    }
    pv_i_buffer_text(sql, ") p GROUP BY ");
    numbered(sql, n_columns, tail);
}

void pv_i_sql_count(pv_buffer *sql, const pv_sql *dialect, const char *from,
                    const char *const *columns, size_t n_columns, const char *const *parts,
                    size_t n_parts)
{
    pv_buffer tail = {0};
    put_tail(&tail, columns, n_columns);
    sql->failed = sql->failed || tail.failed;
    if (!tail.failed) {
        pv_i_buffer_text(sql, "SELECT ");
        texts(sql, dialect, NULL, n_columns, tail.data);
        if (n_parts <= 1) {
            group(sql, dialect, n_parts > 0 ? parts[0] : from, false, columns, NULL, n_columns,
                  tail.data);
        } else {
            group_parts(sql, dialect, columns, n_columns, parts, n_parts, tail.data);
        }
        pv_i_buffer_text(sql, ") g");
    }
    pv_i_buffer_deinit(&tail);
}

void pv_i_sql_count_short(pv_buffer *sql, const pv_sql *dialect, const char *from,
                          const char *const *columns, const pv_sql_short *shorts, size_t n_columns)
{
    pv_buffer tail = {0};
    put_tail(&tail, columns, n_columns);
    sql->failed = sql->failed || tail.failed;
    if (!tail.failed) {
        pv_i_buffer_text(sql, "SELECT ");
        texts(sql, dialect, shorts, n_columns, tail.data);
        group(sql, dialect, from, false, columns, shorts, n_columns, tail.data);
        pv_i_buffer_text(sql, ") g");
    }
    pv_i_buffer_deinit(&tail);
}

/* -------------------------------------------------------------------- writing */

void pv_i_sql_staging(pv_buffer *sql, const pv_sql *dialect, const char *name, size_t n_columns)
{
    pv_i_buffer_format(sql, "%s%s (", dialect->staging, name);
    for (size_t i = 0; i < n_columns; i++) {
        pv_i_buffer_format(sql, "%sc%zu %s", i > 0 ? ", " : "", i, dialect->types[PV_SQL_TEXT]);
    }
    if (dialect->repeat != NULL) {
        pv_i_buffer_format(sql, ", n %s", dialect->types[PV_SQL_TEXT]);
    }
    pv_i_buffer_format(sql, ")%s", dialect->staging_end);
}

void pv_i_sql_create(pv_buffer *sql, const pv_sql *dialect, const char *table,
                     const char *const *columns, const pv_sql_type *types, size_t n_columns)
{
    pv_i_buffer_format(sql, "CREATE TABLE %s (", table);
    for (size_t i = 0; i < n_columns; i++) {
        pv_i_buffer_text(sql, i > 0 ? ", " : "");
        pv_i_sql_name(sql, dialect, columns[i]);
        pv_i_buffer_format(sql, " %s", dialect->types[types[i]]);
    }
    pv_i_buffer_format(sql, ")%s", dialect->create_end);
}

void pv_i_sql_insert(pv_buffer *sql, const pv_sql *dialect, const char *table, const char *staging,
                     const pv_sql_type *types, size_t n_columns)
{
    pv_i_buffer_format(sql, "INSERT INTO %s SELECT ", table);
    for (size_t i = 0; i < n_columns; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "s.c%zu", i);
        pv_i_buffer_text(sql, i > 0 ? ", " : "");
        pv_i_sql_fill(sql, dialect->casts[types[i]], name, name);
    }
    pv_i_buffer_text(sql, " FROM ");
    pv_i_sql_fill(sql, dialect->repeat != NULL ? dialect->repeat : "%s s", staging, "");
}

void pv_i_sql_rows(pv_buffer *sql, const pv_sql *dialect, const char *staging,
                   const char *const *columns, const pv_sql_type *types, size_t n_columns)
{
    pv_i_buffer_text(sql, "SELECT ");
    for (size_t i = 0; i < n_columns; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "s.c%zu", i);
        pv_i_buffer_text(sql, i > 0 ? ", " : "");
        pv_i_sql_fill(sql, dialect->casts[types[i]], name, name);
        pv_i_buffer_text(sql, " AS ");
        pv_i_sql_name(sql, dialect, columns[i]);
    }
    pv_i_buffer_text(sql, " FROM ");
    pv_i_sql_fill(sql, dialect->repeat != NULL ? dialect->repeat : "%s s", staging, "");
    for (size_t i = 0; i < n_columns; i++) {
        pv_i_buffer_format(sql, "%ss.c%zu", i > 0 ? ", " : " ORDER BY ", i);
    }
}

static void sizes(pv_buffer *sql, const pv_sql *dialect, const char *from, bool is_counted,
                  const char *const *columns, size_t n_columns, const char *tail)
{
    pv_i_buffer_text(sql, "SELECT ");
    pv_i_sql_fill(sql, dialect->text, "n", "");
    pv_i_buffer_text(sql, ", ");
    pv_i_sql_fill(sql, dialect->text, "m", "");
    pv_i_buffer_format(sql, " FROM (SELECT n%s AS n, COUNT(*) AS m FROM (", tail);
    group(sql, dialect, from, is_counted, columns, NULL, n_columns, tail);
    pv_i_buffer_format(sql, ") g GROUP BY n%s) h", tail);
}

void pv_i_sql_sizes(pv_buffer *sql, const pv_sql *dialect, const char *from,
                    const char *const *columns, size_t n_columns)
{
    pv_buffer tail = {0};
    put_tail(&tail, columns, n_columns);
    sql->failed = sql->failed || tail.failed;
    sizes(sql, dialect, from, false, columns, n_columns, tail.failed ? "" : tail.data);
    pv_i_buffer_deinit(&tail);
}

/* --------------------------------------------------------------- counting once */

void pv_i_sql_keep(pv_buffer *sql, const pv_sql *dialect, const char *kept, const char *from,
                   const char *const *columns, size_t n_columns)
{
    pv_buffer tail = {0};
    pv_buffer select = {0};
    put_tail(&tail, columns, n_columns);
    pv_i_buffer_text(&select, "SELECT ");
    for (size_t i = 0; i < n_columns; i++) {
        put_key(&select, dialect, columns[i], NULL);
        pv_i_buffer_text(&select, " AS ");
        pv_i_sql_name(&select, dialect, columns[i]);
        pv_i_buffer_text(&select, ", ");
    }
    pv_i_buffer_format(&select, "COUNT(*) AS n%s FROM %s s GROUP BY ", tail.failed ? "" : tail.data,
                       from);
    for (size_t i = 0; i < n_columns; i++) {
        pv_i_buffer_text(&select, i > 0 ? ", " : "");
        put_key(&select, dialect, columns[i], NULL);
    }
    sql->failed = sql->failed || tail.failed || select.failed;
    if (!select.failed) {
        pv_i_sql_fill(sql, dialect->keep, kept, select.data);
    }
    pv_i_buffer_deinit(&select);
    pv_i_buffer_deinit(&tail);
}

void pv_i_sql_count_kept(pv_buffer *sql, const pv_sql *dialect, const char *kept,
                         const char *const *columns, size_t n_columns)
{
    pv_buffer tail = {0};
    put_tail(&tail, columns, n_columns);
    sql->failed = sql->failed || tail.failed;
    if (!tail.failed) {
        pv_i_buffer_text(sql, "SELECT ");
        texts(sql, dialect, NULL, n_columns, tail.data);
        group(sql, dialect, kept, true, columns, NULL, n_columns, tail.data);
        pv_i_buffer_text(sql, ") g");
    }
    pv_i_buffer_deinit(&tail);
}

void pv_i_sql_sizes_kept(pv_buffer *sql, const pv_sql *dialect, const char *kept,
                         const char *const *all, size_t n_all, const char *const *columns,
                         size_t n_columns)
{
    pv_buffer tail = {0};
    put_tail(&tail, all, n_all);
    sql->failed = sql->failed || tail.failed;
    sizes(sql, dialect, kept, true, columns, n_columns, tail.failed ? "" : tail.data);
    pv_i_buffer_deinit(&tail);
}
