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

/* What stands behind c0, d0, m0, ..., k, n, t so that no column is called like one of them: some
 * engines take such a name for the column, others for what was given that name, and then count
 * something else.
 */
static void see_name(size_t *longest, const char *name)
{
    const bool has_number = *name != '\0' && strchr("cdmCDM", *name) != NULL;
    const bool is_alone = *name != '\0' && strchr("kntKNT", *name) != NULL;
    const size_t size = 1 + (has_number ? strspn(name + 1, "0123456789") : 0);
    const size_t tail_size = has_number || is_alone ? strspn(name + size, "_") : 0;
    if ((has_number || is_alone) && name[size + tail_size] == '\0' && tail_size >= *longest) {
        *longest = tail_size + 1;
    }
}

static void put_tail(pv_buffer *tail, size_t longest)
{
    pv_i_buffer_text(tail, "");
    for (size_t i = 0; i < longest; i++) {
        pv_i_buffer_char(tail, '_');
    }
}

static void put_tail_of(pv_buffer *tail, const char *const *columns, size_t n_columns)
{
    size_t longest = 0;
    for (size_t i = 0; i < n_columns; i++) {
        see_name(&longest, columns[i]);
    }
    put_tail(tail, longest);
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

/* The whole statement for one table. */
static void count_one(pv_buffer *sql, const pv_sql *dialect, const char *from, bool is_counted,
                      const char *const *columns, const pv_sql_short *shorts, size_t n_columns)
{
    pv_buffer tail = {0};
    put_tail_of(&tail, columns, n_columns);
    sql->failed = sql->failed || tail.failed;
    if (!tail.failed) {
        pv_i_buffer_text(sql, "SELECT ");
        texts(sql, dialect, shorts, n_columns, tail.data);
        group(sql, dialect, from, is_counted, columns, shorts, n_columns, tail.data);
        pv_i_buffer_text(sql, ") g");
    }
    pv_i_buffer_deinit(&tail);
}

void pv_i_sql_count(pv_buffer *sql, const pv_sql *dialect, const char *from,
                    const char *const *columns, size_t n_columns, const char *const *parts,
                    size_t n_parts)
{
    pv_buffer tail = {0};
    if (n_parts <= 1) {
        count_one(sql, dialect, n_parts > 0 ? parts[0] : from, false, columns, NULL, n_columns);
        return;
    }
    put_tail_of(&tail, columns, n_columns);
    sql->failed = sql->failed || tail.failed;
    if (!tail.failed) {
        pv_i_buffer_text(sql, "SELECT ");
        texts(sql, dialect, NULL, n_columns, tail.data);
        group_parts(sql, dialect, columns, n_columns, parts, n_parts, tail.data);
        pv_i_buffer_text(sql, ") g");
    }
    pv_i_buffer_deinit(&tail);
}

void pv_i_sql_count_short(pv_buffer *sql, const pv_sql *dialect, const char *from,
                          const char *const *columns, const pv_sql_short *shorts, size_t n_columns)
{
    count_one(sql, dialect, from, false, columns, shorts, n_columns);
}

void pv_i_sql_count_kept(pv_buffer *sql, const pv_sql *dialect, const char *kept,
                         const char *const *columns, size_t n_columns)
{
    count_one(sql, dialect, kept, true, columns, NULL, n_columns);
}

/* (SELECT CAST("town" AS TEXT) COLLATE "C" AS "town", "age" FROM "survey" f) */
void pv_i_sql_unfolded(pv_buffer *sql, const pv_sql *dialect, const char *from,
                       const char *const *columns, const bool *folds, size_t n_columns)
{
    for (size_t i = 0; i < n_columns; i++) {
        pv_buffer name = {0};
        pv_i_sql_name(&name, dialect, columns[i]);
        sql->failed = sql->failed || name.failed;
        const char *const quoted_name = name.failed ? "" : name.data;
        pv_i_buffer_text(sql, i > 0 ? ", " : "(SELECT ");
        pv_i_sql_fill(sql, folds[i] ? dialect->unfolded : "%s", quoted_name, "");
        pv_i_buffer_format(sql, " AS %s", quoted_name);
        pv_i_buffer_deinit(&name);
    }
    pv_i_buffer_format(sql, " FROM %s f)", from);
}

/* -------------------------------------------------------------------- joining */

/* A column, or NULL, as it is matched and grouped. */
static void put_joint(pv_buffer *sql, const pv_sql *dialect, const char *column)
{
    const char *const joint = dialect->unfolded != NULL ? dialect->unfolded
                              : dialect->key != NULL    ? dialect->key
                                                        : dialect->text;
    pv_buffer name = {0};
    pv_i_buffer_text(&name, column == NULL ? "NULL" : "");
    if (column != NULL) {
        pv_i_sql_name(&name, dialect, column);
    }
    sql->failed = sql->failed || name.failed;
    pv_i_sql_fill(sql, joint, name.failed ? "" : name.data, "");
    pv_i_buffer_deinit(&name);
}

/* SELECT "id" AS k, 1 AS t, NULL AS c0, "age" AS c1 FROM "released" s */
static void put_source(pv_buffer *sql, const pv_sql *dialect, const pv_sql_source *sources,
                       size_t n_sources, size_t own, const char *key, const char *tail)
{
    size_t column = 0;
    pv_i_buffer_text(sql, own > 0 ? " UNION ALL SELECT " : "SELECT ");
    put_joint(sql, dialect, key);
    pv_i_buffer_format(sql, " AS k%s, %zu AS t%s", tail, own, tail);
    for (size_t s = 0; s < n_sources; s++) {
        for (size_t i = 0; i < sources[s].n_columns; i++) {
            pv_i_buffer_text(sql, ", ");
            put_joint(sql, dialect, s == own ? sources[s].columns[i] : NULL);
            pv_i_buffer_format(sql, " AS c%zu%s", column++, tail);
        }
    }
    pv_i_buffer_format(sql, " FROM %s s", sources[own].from);
}

static void put_text(pv_buffer *sql, const pv_sql *dialect, const char *expression)
{
    pv_i_sql_fill(sql, dialect->text, expression, "");
}

void pv_i_sql_join(pv_buffer *sql, const pv_sql *dialect, const pv_sql_source *sources,
                   size_t n_sources, const char *key)
{
    pv_buffer tail = {0};
    size_t longest = 0;
    size_t n = 0; /* columns */
    see_name(&longest, key);
    for (size_t s = 0; s < n_sources; s++) {
        for (size_t i = 0; i < sources[s].n_columns; i++, n++) {
            see_name(&longest, sources[s].columns[i]);
        }
    }
    put_tail(&tail, longest);
    sql->failed = sql->failed || tail.failed;
    const char *const end = tail.failed ? "" : tail.data;
    pv_i_buffer_text(sql, "SELECT ");
    for (size_t i = 0; i < n; i++) {
        pv_i_buffer_format(sql, "d%zu%s, ", i, end);
    }
    for (size_t s = 0; s < n_sources; s++) {
        pv_buffer name = {0};
        pv_i_buffer_format(&name, "m%zu%s", s, end);
        sql->failed = sql->failed || name.failed;
        put_text(sql, dialect, name.failed ? "" : name.data);
        pv_i_buffer_text(sql, ", ");
        pv_i_buffer_deinit(&name);
    }
    put_text(sql, dialect, "COUNT(*)");
    pv_i_buffer_text(sql, " FROM (SELECT ");
    for (size_t i = 0; i < n; i++) {
        pv_i_buffer_format(sql, "MAX(c%zu%s) AS d%zu%s, ", i, end, i, end);
    }
    for (size_t s = 0; s < n_sources; s++) {
        pv_i_buffer_format(sql, "%sCOUNT(CASE WHEN t%s = %zu THEN 1 END) AS m%zu%s",
                           s > 0 ? ", " : "", end, s, s, end);
    }
    pv_i_buffer_text(sql, " FROM (");
    for (size_t s = 0; s < n_sources; s++) {
        put_source(sql, dialect, sources, n_sources, s, key, end);
    }
    pv_i_buffer_format(sql, ") u GROUP BY k%s) j GROUP BY ", end);
    for (size_t i = 0; i < n; i++) {
        pv_i_buffer_format(sql, "d%zu%s, ", i, end);
    }
    for (size_t s = 0; s < n_sources; s++) {
        pv_i_buffer_format(sql, "%sm%zu%s", s > 0 ? ", " : "", s, end);
    }
    pv_i_buffer_deinit(&tail);
}

/* FROM (SELECT "id" AS k FROM "survey" s) g */
static void put_keys(pv_buffer *sql, const pv_sql *dialect, const char *from, const char *key,
                     const char *tail)
{
    pv_i_buffer_text(sql, " FROM (SELECT ");
    put_joint(sql, dialect, key);
    pv_i_buffer_format(sql, " AS k%s FROM %s s) g", tail, from);
}

/* k NOT LIKE '___%' for texts of at most two characters. */
static void put_short(pv_buffer *sql, const char *name, size_t size)
{
    pv_i_buffer_format(sql, "%s NOT LIKE '", name);
    for (size_t i = 0; i <= size; i++) {
        pv_i_buffer_char(sql, '_');
    }
    pv_i_buffer_text(sql, "%'");
}

void pv_i_sql_keys(pv_buffer *sql, const pv_sql *dialect, const char *from, const char *key,
                   size_t size)
{
    static const char *const patterns[][8] = {
        {" %", "% ", "\t%", "%\t", NULL}, /* what readers take off */
        {"%+%", "%-%", "%.%", "%/%", "%:%", "%e%", "%E%", NULL},
    };
    pv_buffer tail = {0};
    pv_buffer name = {0};
    pv_buffer count = {0};
    put_tail_of(&tail, &key, 1);
    pv_i_buffer_format(&name, "k%s", tail.failed ? "" : tail.data);
    const char *const k = name.failed ? "" : name.data;
    pv_i_buffer_format(sql, "SELECT MIN(%s), MAX(%s), ", k, k);
    pv_i_buffer_format(&count, "COUNT(CASE WHEN %s IS NULL THEN 1 END)", k);
    put_text(sql, dialect, count.failed ? "" : count.data);
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
        pv_i_buffer_clear(&count);
        pv_i_buffer_text(&count, "COUNT(CASE WHEN ");
        for (size_t i = 0; patterns[p][i] != NULL; i++) {
            pv_i_buffer_format(&count, "%s%s LIKE '%s'", i > 0 ? " OR " : "", k, patterns[p][i]);
        }
        pv_i_buffer_text(&count, " THEN 1 END)");
        pv_i_buffer_text(sql, ", ");
        put_text(sql, dialect, count.failed ? "" : count.data);
    }
    pv_i_buffer_clear(&count);
    pv_i_buffer_text(&count, "COUNT(CASE WHEN ");
    put_short(&count, k, size);
    pv_i_buffer_text(&count, " THEN 1 END)");
    pv_i_buffer_text(sql, ", ");
    put_text(sql, dialect, count.failed ? "" : count.data);
    put_keys(sql, dialect, from, key, tail.failed ? "" : tail.data);
    sql->failed = sql->failed || tail.failed || name.failed || count.failed;
    pv_i_buffer_deinit(&tail);
    pv_i_buffer_deinit(&name);
    pv_i_buffer_deinit(&count);
}

void pv_i_sql_short_keys(pv_buffer *sql, const pv_sql *dialect, const char *from, const char *key,
                         size_t size)
{
    pv_buffer tail = {0};
    pv_buffer name = {0};
    put_tail_of(&tail, &key, 1);
    pv_i_buffer_format(&name, "k%s", tail.failed ? "" : tail.data);
    sql->failed = sql->failed || tail.failed || name.failed;
    pv_i_buffer_format(sql, "SELECT %s", name.failed ? "" : name.data);
    put_keys(sql, dialect, from, key, tail.failed ? "" : tail.data);
    pv_i_buffer_text(sql, " WHERE ");
    put_short(sql, name.failed ? "" : name.data, size);
    pv_i_buffer_deinit(&tail);
    pv_i_buffer_deinit(&name);
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
    put_tail_of(&tail, columns, n_columns);
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
    put_tail_of(&tail, columns, n_columns);
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

void pv_i_sql_sizes_kept(pv_buffer *sql, const pv_sql *dialect, const char *kept,
                         const char *const *all, size_t n_all, const char *const *columns,
                         size_t n_columns)
{
    pv_buffer tail = {0};
    put_tail_of(&tail, all, n_all);
    sql->failed = sql->failed || tail.failed;
    sizes(sql, dialect, kept, true, columns, n_columns, tail.failed ? "" : tail.data);
    pv_i_buffer_deinit(&tail);
}
