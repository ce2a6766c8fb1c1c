/* Statements, made in the dialect of an engine. The only place where SQL is put together: values
 * never are a part of it, names are, quoted by pv_i_sql_name.
 *
 * Counting, the one statement that goes over all rows:
 *
 *     SELECT CAST(c0 AS VARCHAR), CAST(c1 AS VARCHAR), CAST(n AS VARCHAR)
 *     FROM (SELECT "age" AS c0, "sex" AS c1, COUNT(*) AS n FROM "survey" s GROUP BY "age", "sex") g
 *
 * and, of a table whose rows are on several servers, one such GROUP BY for each, summed up:
 *
 *     FROM (SELECT c0, c1, SUM(n) AS n FROM (SELECT ... GROUP BY ... UNION ALL SELECT ...) p
 *           GROUP BY c0, c1) g
 *
 * Joining, where tables share a key. Rows with the same key become one, and equal ones of these are
 * counted. Columns of other tables are NULL, so that MAX finds the one value there is; m0, m1, ...
 * are how many rows each table has with a key. It is no JOIN, so that keys which come up twice or
 * are in some tables only are seen, too, and keys that come up often multiply nothing:
 *
 *     SELECT d0, d1, CAST(m0 AS VARCHAR), CAST(m1 AS VARCHAR), CAST(COUNT(*) AS VARCHAR)
 *     FROM (SELECT MAX(c0) AS d0, MAX(c1) AS d1, COUNT(CASE WHEN t = 0 THEN 1 END) AS m0, ...
 *           FROM (SELECT "id" AS k, 0 AS t, "age" AS c0, NULL AS c1 FROM "survey" s UNION ALL
 *                 SELECT "id", 1, NULL, "age" FROM "released" s) u GROUP BY k) j
 *     GROUP BY d0, d1, m0, m1
 *
 * Writing: the distinct rows with their counts are loaded into a staging table of texts c0, c1,
 * ..., n; the table to be is made from it, each row as often as it counts:
 *
 *     INSERT INTO "released~7f3a" SELECT CAST(c0 AS BIGINT), c1 FROM staging s, repeat(n) */
#ifndef PV_ENGINE_SQL_H
#define PV_ENGINE_SQL_H

#include "base/buffer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum pv_sql_type {
    PV_SQL_TEXT = 0,
    PV_SQL_INTEGER, /* 64 bits */
    PV_SQL_DECIMAL,
    PV_SQL_DATE, /* written 2024-05-31 */
    PV_SQL_TYPES
} pv_sql_type;

/* What engines do differently. In texts `%s` stands for a name or an expression that is put there;
 * where there are two, in the order that is said. */
typedef struct pv_sql {
    char quote;             /* of names: " or ` */
    bool escapes_backslash; /* in quoted names, too: \ must be doubled */
    const char *text;       /* any value as text, NULL stays NULL: "CAST(%s AS VARCHAR)" */
    /* What a column is grouped by, so that none but equal values are one; NULL = the column as it
     * is. Where texts are compared without case or accents by default: their bytes. */
    const char *key;
    /* A column as a text that is compared by its bytes, whatever its own rules are: for one that
     * folds (engine.h), and for what rows of several tables are matched by. NULL = no column folds;
     * tables are matched by `key`, or else `text`. */
    const char *unfolded;
    const char *types[PV_SQL_TYPES]; /* of columns; all of them may be NULL */
    const char *casts[PV_SQL_TYPES]; /* a text as a value of that type: "CAST(%s AS BIGINT)" */
    /* NULL = what makes and renames tables cannot be taken back by a rollback. */
    const char *begin, *commit, *rollback;
    /* What makes a staging table: up to its name, and after its columns. It is gone with the
     * connection, or is dropped. */
    const char *staging, *staging_end;
    const char *create_end; /* after the columns of a table that stays */
    /* What stands after FROM so that each row of the staging table %s, called `s`, occurs as often
     * as its column `n`, a text, says. NULL = rows are loaded as often as they count. */
    const char *repeat;
    /* The largest such number, if rows are made block by block in memory: rows that occur more
     * often are staged several times. 0 = any. */
    uint64_t repeat_most;
    const char *rename; /* from, to; NULL = no release can be written there */
    bool
        renames_to_parts; /* `to` has its schema; otherwise it is the last part of the name alone */
    /* What gives a finished table %s the name of one that is there, %s, in one step; the old one
     * has the other name then, and is dropped. NULL = drop and rename. */
    const char *exchange;
    const char *drop; /* of a table that may not be there: "DROP TABLE IF EXISTS %s" */
    /* What makes a table %s of a SELECT %s, as long as the connection or its transaction lives;
     * NULL = a finished table is counted twice: to be read back, and for the sizes of its classes.
     */
    const char *keep;
    /* What writes a SELECT %s into a Parquet file, whose name %s is a quoted literal, and what
     * makes a table %s of such a file, as long as the connection lives; NULL = it cannot. */
    const char *copy_to, *copy_of;
} pv_sql;

/* Appends a quoted name. */
void pv_i_sql_name(pv_buffer *sql, const pv_sql *dialect, const char *name);
/* Appends a table's name, part by part: public.survey -> "public"."survey". */
void pv_i_sql_table(pv_buffer *sql, const pv_sql *dialect, const char *table);
/* Appends a quoted text: for names of files only, never for values. */
void pv_i_sql_literal(pv_buffer *sql, const pv_sql *dialect, const char *text);
/* Appends the statement that counts equal rows of `columns`: the columns as texts, then the count.
 * `parts`: the tables that hold the rows if not one does, quoted; otherwise `from` is what stands
 * after FROM. */
void pv_i_sql_count(pv_buffer *sql, const pv_sql *dialect, const char *from,
                    const char *const *columns, size_t n_columns, const char *const *parts,
                    size_t n_parts);

/* A table that is joined with others: what stands after FROM, and columns. */
typedef struct pv_sql_source {
    const char *from;
    const char *const *columns;
    size_t n_columns;
} pv_sql_source;

/* Appends the statement that joins tables by a column that all of them have, and counts equal rows
 * of what comes of it: the columns of all tables as texts, how many rows of each table a key has,
 * then the count. Keys that are NULL are one key. */
void pv_i_sql_join(pv_buffer *sql, const pv_sql *dialect, const pv_sql_source *sources,
                   size_t n_sources, const char *key);
/* Appends a statement that says of the keys in a table, as texts: the first and the last in some
 * order, how many are NULL, how many begin or end with a blank, how many have a character that can
 * be in a number or a date besides digits, how many have at most `size` characters. */
void pv_i_sql_keys(pv_buffer *sql, const pv_sql *dialect, const char *from, const char *key,
                   size_t size);
/* Appends the statement that says which keys have at most `size` characters. */
void pv_i_sql_short_keys(pv_buffer *sql, const pv_sql *dialect, const char *from, const char *key,
                         size_t size);
/* Appends what stands after FROM instead of `from` so that in no column texts are equal but equal
 * ones: the same rows, of these columns alone. */
void pv_i_sql_unfolded(pv_buffer *sql, const pv_sql *dialect, const char *from,
                       const char *const *columns, const bool *folds, size_t n_columns);
/* How a column is grouped by numbers that stand for its texts: what makes the number, and what
 * makes the text of it again (%s); both NULL = the column is grouped as it is. */
typedef struct pv_sql_short {
    char *key, *text;
} pv_sql_short;

/* pv_i_sql_count of one table, with such numbers. */
void pv_i_sql_count_short(pv_buffer *sql, const pv_sql *dialect, const char *from,
                          const char *const *columns, const pv_sql_short *shorts, size_t n_columns);
/* Appends what makes a staging table; with a column of counts, unless rows are loaded one by one.
 */
void pv_i_sql_staging(pv_buffer *sql, const pv_sql *dialect, const char *name, size_t n_columns);
/* Appends what makes a table of these columns. Its name is quoted, theirs are not. */
void pv_i_sql_create(pv_buffer *sql, const pv_sql *dialect, const char *table,
                     const char *const *columns, const pv_sql_type *types, size_t n_columns);
/* Appends what fills it from a staging table, each row as often as it counts. */
void pv_i_sql_insert(pv_buffer *sql, const pv_sql *dialect, const char *table, const char *staging,
                     const pv_sql_type *types, size_t n_columns);
/* Appends the same rows as a SELECT, under the names of the columns and in the order of what they
 * show. */
void pv_i_sql_rows(pv_buffer *sql, const pv_sql *dialect, const char *staging,
                   const char *const *columns, const pv_sql_type *types, size_t n_columns);
/* Appends what counts how many rows the classes of equal `columns` have: of each size, as a text,
 * and how many classes there are of it. */
void pv_i_sql_sizes(pv_buffer *sql, const pv_sql *dialect, const char *from,
                    const char *const *columns, size_t n_columns);
/* The same two questions of a table that is gone through once: what counts its equal rows and keeps
 * that as a table; what reads it as pv_i_sql_count does; and what counts the classes of some of its
 * columns, `all` being those that were kept. */
void pv_i_sql_keep(pv_buffer *sql, const pv_sql *dialect, const char *kept, const char *from,
                   const char *const *columns, size_t n_columns);
void pv_i_sql_count_kept(pv_buffer *sql, const pv_sql *dialect, const char *kept,
                         const char *const *columns, size_t n_columns);
void pv_i_sql_sizes_kept(pv_buffer *sql, const pv_sql *dialect, const char *kept,
                         const char *const *all, size_t n_all, const char *const *columns,
                         size_t n_columns);
/* Appends a template of the dialect, `a` for its first %s and `b` for its second. */
void pv_i_sql_fill(pv_buffer *sql, const char *text, const char *a, const char *b);

#endif
