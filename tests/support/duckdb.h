/* DuckDB in tests: is its library here, and what is done with it. */
#ifndef PV_TESTS_DUCKDB_H
#define PV_TESTS_DUCKDB_H

#include "support/testing.h"

#include "engine/read.h"

/* Finds the library, or has it installed (tests/duckdb/library). If it cannot be had, says so and
 * is false; where CI is true, that is a failure. */
bool duckdb_is_here(void);

/* Runs statements, each of which must succeed, in a database in memory or, with `file`, in that. */
void duckdb_run(const char *file, const char *const *statements, size_t n);

/* A connection to a place that must be there; duckdb_leave ends both. */
typedef struct duckdb_place {
    pv_place place;
    pv_link link;
} duckdb_place;

void duckdb_visit(duckdb_place *there, const char *text, const pv_context *context);
void duckdb_leave(duckdb_place *there);

#endif
