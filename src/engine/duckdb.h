/* What the parts of DuckDB's engine have of each other: the connection (duckdb.c), files as tables
 * (duckdb_files.c), texts that are grouped by numbers (duckdb_short.c). */
#ifndef PV_ENGINE_DUCKDB_H
#define PV_ENGINE_DUCKDB_H

#include "engine/engine.h"
#include "engine/place.h"
#include "engine/sql.h"

typedef struct pv_duckdb pv_duckdb; /* a connection */

/* Names and types of a SELECT's columns, as a SELECT of two texts. */
#define PV_DUCKDB_COLUMNS "SELECT column_name, column_type FROM (DESCRIBE %s)"

/* Runs one statement; without `hear` its result, if it has one, is not looked at. */
PV_CHECKED pv_status pv_i_duckdb_execute(pv_duckdb *connection, const char *statement,
                                         const char *doing, size_t n, pv_row_hear hear, void *ctx,
                                         pv_error *error);
/* pv_engine.fits */
bool pv_i_duckdb_fits(const char *type);

bool pv_i_duckdb_is_parquet(const char *file);
/* Makes the file of a place a view, with the name that stands after FROM (place.h). */
PV_CHECKED pv_status pv_i_duckdb_view(pv_duckdb *connection, const pv_place *place,
                                      pv_error *error);

/* pv_engine.shorten, of a view on Parquet files. */
PV_CHECKED pv_status pv_i_duckdb_shorten(void *connection, const char *from,
                                         const char *const *columns, size_t n, pv_sql_short *shorts,
                                         pv_error *error);

#endif
