/* Where the rows live: one small interface to every engine that holds tables.
 *
 * Nothing after the profile touches rows, and the profile is one GROUP BY. So the engine that holds
 * the rows counts them, and what travels is one line for each distinct tuple:
 *
 *     source   people.parquet     postgresql://host/db?table=survey     odbc:DSN=x?table=t
 *     select   SELECT a, b, c, n FROM (SELECT a, b, c, COUNT(*) AS n FROM survey GROUP BY a, b, c)
 *     lines    37 | man | 1234 | 12   ->   a table whose rows have counts (table/counted.h)
 *
 * A released table takes the other way: its distinct rows with their counts are loaded into a
 * staging table, and the engine writes each as often as it counts.
 *
 * An engine is an entry of pv_i_engines: a connection that can run, fetch and load, and a dialect
 * (sql.h) in which all statements are made. Values never are a part of a statement: they travel as
 * data. Names are, quoted by pv_i_sql_name. */
#ifndef PV_ENGINE_ENGINE_H
#define PV_ENGINE_ENGINE_H

#include <paravent/context.h>
#include <paravent/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A cell on its way: `text` is NULL for NULL; not NUL-terminated. Valid for the call. */
typedef struct pv_cell {
    const char *text;
    size_t size;
} pv_cell;

/* Hears one row of a result. A failure ends the fetching and is passed on. */
typedef pv_status (*pv_row_hear)(void *ctx, const pv_cell *cells, pv_error *error);
/* Says the next row to load, or `*cells` = NULL: there are no more. */
typedef pv_status (*pv_row_next)(void *ctx, const pv_cell **cells, pv_error *error);

/* A column of a SELECT: its name, and its type as the engine calls it. */
typedef struct pv_engine_column {
    char *name;
    char *type;
    bool folds; /* may the engine take different texts in it for equal, Anna for anna? */
} pv_engine_column;

typedef struct pv_engine_columns {
    pv_engine_column *columns;
    size_t n, capacity;
} pv_engine_columns;

void pv_i_engine_columns_deinit(pv_engine_columns *columns);
/* For engines: appends one. */
PV_CHECKED pv_status pv_i_engine_columns_add(pv_engine_columns *columns, const char *name,
                                             size_t name_size, const char *type, pv_error *error);

/* Bytes that went over a connection, without what the protocol adds: to show what travels. */
typedef struct pv_traffic {
    uint64_t received, sent;
} pv_traffic;

struct pv_sql;
struct pv_sql_short;
struct pv_place;

/* What an engine can do. All functions but `close` may take long: they look at the context's
 * progress (pv_i_tick) at least ten times a second, on the caller's thread, and when that says stop
 * they cancel the statement on the server and return PV_STATUS_CANCELLED. Errors name the source
 * and what the engine said about the statement, but never a password and never a value: an engine's
 * text that may quote data (details, contexts) is left out. A connection is used by one thread. */
typedef struct pv_engine {
    const char *name;  /* before the colon of a place: "postgresql" ... */
    const char *alias; /* ... or "postgres"; NULL = none */
    const char *title; /* for people: "PostgreSQL" */
    const struct pv_sql *sql;
    /* Connects to place->where. Passwords come from where the engine's own tools look. Place and
     * context are borrowed for the life of the connection. */
    pv_status (*open)(const struct pv_place *place, const pv_context *context, void **connection,
                      pv_error *error);
    void (*close)(void *connection); /* NULL is fine; what is not committed is gone */
    /* Makes another place readable over the connection, whose `where` is the same; it is borrowed,
     * too. NULL = there is nothing to do. */
    pv_status (*add)(void *connection, const struct pv_place *place, pv_error *error);
    /* Runs a statement that has no result. */
    pv_status (*run)(void *connection, const char *statement, pv_error *error);
    /* The columns that a SELECT would have; nothing is run. */
    pv_status (*describe)(void *connection, const char *select, pv_engine_columns *columns,
                          pv_error *error);
    /* Runs a SELECT whose `n` columns all are texts (dialect.text), or NULL, and lets `hear` have
     * its rows as they come. Memory does not grow with their number. */
    pv_status (*fetch)(void *connection, const char *select, size_t n, pv_row_hear hear, void *ctx,
                       pv_error *error);
    /* Fills a table that exists (its name is quoted already) and whose `n` columns are texts; rows
     * come as long as `next` has some. */
    pv_status (*load)(void *connection, const char *table, size_t n, pv_row_next next, void *ctx,
                      pv_error *error);
    pv_traffic (*traffic)(const void *connection);
    /* The tables that a table (quoted) is divided into, on several servers, if the engine would
     * otherwise move their rows here to group them: names, quoted, each pv_i_free'd by the caller,
     * and so is their array. None: `*n` = 0. NULL = the engine groups where the rows are by itself.
     */
    pv_status (*parts)(void *connection, const char *table, char ***names, size_t *n,
                       pv_error *error);
    /* Columns of a table, or of what stands after FROM, that are grouped faster and in less memory
     * by numbers that stand for their texts (sql.h), if there are such; the others stay NULL. What
     * was made is pv_i_free'd by the caller, also after a failure. NULL = never. */
    pv_status (*shorten)(void *connection, const char *from, const char *const *columns, size_t n,
                         struct pv_sql_short *shorts, pv_error *error);
    /* A table of this place is about to be written, with rows of `source` (the text of a place or a
     * path); this finds out whether it will lie on several servers. If so, `run` and `load` go to
     * all of them from then on, and `parts` says how a table is read that they have written. NULL =
     * tables are on one server. */
    pv_status (*spread)(void *connection, const struct pv_place *place, const char *source,
                        bool *is_spread, pv_error *error);
    /* Gives a finished table its name, both quoted: the last step. NULL = as the dialect says. */
    pv_status (*give_name)(void *connection, const char *hidden, const char *table, bool replaces,
                           pv_error *error);
    /* Is a value of that type (as describe calls it) one value, which a text can say? Lists and
     * structures are not. NULL = all types are. */
    bool (*fits)(const char *type);
    /* The dialect of what is at the other end of a connection; NULL = always `sql`. */
    const struct pv_sql *(*speaks)(const void *connection);
} pv_engine;

/* What this build knows, NULL-terminated. */
extern const pv_engine *const pv_i_engines[];

extern const pv_engine
    pv_i_engine_duckdb; /* duckdb.c; its library's functions are declared there */
extern const pv_engine pv_i_engine_postgresql; /* postgresql.c, if PV_HAVE_LIBPQ */
extern const pv_engine pv_i_engine_clickhouse; /* clickhouse.c, if PV_HAVE_CURL */
extern const pv_engine pv_i_engine_odbc;       /* odbc.c, if PV_HAVE_ODBC */

#endif
