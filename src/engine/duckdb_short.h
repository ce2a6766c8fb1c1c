/* Texts of Parquet files, grouped by small numbers. */
#ifndef PV_ENGINE_DUCKDB_SHORT_H
#define PV_ENGINE_DUCKDB_SHORT_H

#include "engine/engine.h"
#include "engine/sql.h"

/* pv_engine.shorten, of a view on Parquet files. */
PV_CHECKED pv_status pv_i_duckdb_shorten(void *connection, const char *from,
                                         const char *const *columns, size_t n, pv_sql_short *shorts,
                                         pv_error *error);

#endif
