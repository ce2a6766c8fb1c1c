/* The session file: SQLite with our errors, how a session file is recognised, and its audit trail.
 * Only for builds with SQLite. */
#ifndef PV_PREFER_SESSION_FILE_H
#define PV_PREFER_SESSION_FILE_H

#include "base/claim.h"

#include <paravent/status.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pv_db {
    sqlite3 *sqlite;
    char *path;     /* as the caller gave it, for messages */
    pv_claim *name; /* shared: no output may take it meanwhile */
} pv_db;

struct pv_session;
/* The file of an open session; borrowed. */
const pv_db *pv_i_session_db(const struct pv_session *session);

/* Opens a file as something that strangers may have written: its triggers and views do nothing.
 * With `create`, a missing file is made once something is written. */
PV_CHECKED pv_status pv_i_db_open(pv_db *db, const char *path, bool create, pv_error *error);
void pv_i_db_close(pv_db *db);

/* Fails unless it is a session file, or nothing yet, which may become one. With NULL for `is_empty`
 * it must be one. */
PV_CHECKED pv_status pv_i_db_recognise(const pv_db *db, bool *is_empty, pv_error *error);
/* The statements that make an empty file a session file. */
extern const char pv_i_db_schema[];

/* Statements without results. */
PV_CHECKED pv_status pv_i_db_run(const pv_db *db, const char *sql, pv_error *error);
/* The caller finalizes the statement. */
PV_CHECKED pv_status pv_i_db_prepare(const pv_db *db, const char *sql, sqlite3_stmt **statement,
                                     pv_error *error);
/* The next row, or its end. */
PV_CHECKED pv_status pv_i_db_next(const pv_db *db, sqlite3_stmt *statement, bool *is_row,
                                  pv_error *error);
/* Runs a statement whose values are bound, and makes it ready for the next ones. */
PV_CHECKED pv_status pv_i_db_write(const pv_db *db, sqlite3_stmt *statement, pv_error *error);

/* The first number of a result; 0 if there is none. */
PV_CHECKED pv_status pv_i_db_ask(const pv_db *db, const char *sql, sqlite3_int64 *number,
                                 pv_error *error);
/* A column that must hold a number of 0 or more. */
PV_CHECKED bool pv_i_db_count(sqlite3_stmt *statement, int column, uint64_t *count);
/* The session file holds what no session writes. */
PV_CHECKED pv_status pv_i_db_damaged(const pv_db *db, const char *what, pv_error *error);

#endif
