/* Where a table is, as people write it: a file of this process, or rows that an engine holds.
 *
 *     postgresql://host/db?table=survey           also postgres://; libpq's parameters may follow
 *     clickhouse://user@host:8123/db?table=survey clickhouses:// speaks TLS
 *     people/year=*.parquet                       .parquet .pq .json .jsonl .ndjson: by DuckDB
 *     duckdb:people.csv.gz   duckdb:people/       so are other files and folders, if asked for
 *     duckdb:people.duckdb?table=survey           a database file of DuckDB
 *     odbc:DSN=survey;UID=reader?table=survey     what comes after `odbc:` is ODBC's
 *
 * Instead of `table=` there may be `query=`, any SELECT. Both are percent-encoded (%20, %3F; a `+`
 * is a `+`). A table may have a schema before it, `public.survey`; a dot within a name needs double
 * quotes, `"a.b"`.
 *
 * Passwords have no place in it: they come from where the engine's own tools look. */
#ifndef PV_ENGINE_PLACE_H
#define PV_ENGINE_PLACE_H

#include "base/buffer.h"

#include <paravent/status.h>
#include <stdbool.h>

struct pv_engine;
struct pv_sql;

/* Owned texts; zero-initialised = none. */
typedef struct pv_place {
    const struct pv_engine *engine;
    char *text;  /* as written, for messages */
    char *where; /* what pv_engine.open takes: without table and query, decoded no further */
    char *table; /* decoded; NULL = a query, a file, or only a database */
    char *query; /* decoded; NULL = a table */
    char *file;  /* the path or pattern that DuckDB reads as a table; NULL = none */
} pv_place;

/* Is this the text of such a place? Else it is a path, which the readers of this process open. */
bool pv_i_is_place(const char *text);
/* Is it a path all the same, of a file that an engine of this process reads (people.parquet)? */
bool pv_i_place_is_file(const char *text);

/* PV_STATUS_INPUT, saying what is wrong and how it would be right: unknown or missing parts, a
 * password, an engine this build was made without (PV_STATUS_UNSUPPORTED). */
PV_CHECKED pv_status pv_i_place_parse(const char *text, pv_place *place, pv_error *error);
void pv_i_place_deinit(pv_place *place);

/* Appends what stands after FROM: the quoted table, the quoted path, or the query in parentheses.
 */
void pv_i_place_from(const pv_place *place, const struct pv_sql *dialect, pv_buffer *sql);

/* The text as it is understood in a file `beside` (a plan): paths of files, and what is no place,
 * are relative to that. The caller frees it with pv_i_free; NULL = no memory. */
char *pv_i_place_beside(const char *beside, const char *text);
/* The file that is read there, so that nobody writes over it; "" = none. Of a plain path itself.
 * The caller frees it with pv_i_free; NULL = no memory. */
char *pv_i_place_path(const char *text);

/* Is that path, which need not exist, one of the files that a place reads as one table? */
bool pv_i_place_covers(const char *place, const char *path);

/* What papers call the table: its own name without a schema, the name of a file, or "query". And
 * where it is, without users, parameters and folders. Of a path: its last part. The caller frees
 * them with pv_i_free; NULL = no memory. */
char *pv_i_place_name(const char *text);
char *pv_i_place_shown(const char *text);
/* Where the last part of a table's name begins: "my.schema".survey, at survey. */
const char *pv_i_table_last(const char *table);
/* Appends that part without the quotes around it. */
void pv_i_table_plain(pv_buffer *to, const char *part);

/* Without percent signs: %20 is a blank. One that begins no code is itself; so is one that stands
 * for NUL. The caller frees it with pv_i_free; NULL = no memory. */
char *pv_i_place_decoded(const char *text, size_t size);
/* The text of a place in a plan that gives its parts: `where` is what stands after the colon (and
 * slashes), of ODBC the name of a source or a connection string. `table` or `query` may be NULL.
 * The caller frees it with pv_i_free; NULL = no memory. */
char *pv_i_place_of_parts(const char *scheme, const char *where, const char *table,
                          const char *query);
bool pv_i_is_scheme(const char *word); /* does a place begin like that: "odbc"? */

#endif
