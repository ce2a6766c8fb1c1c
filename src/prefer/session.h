/* A session file: everything evaluated, every wish with its answer, every choice, with times.
 *
 *     meta     what the session belongs to: table, plan and k, by counts and hashes
 *     schemes  everything evaluated: a bit per place for a cut, and what came of it
 *     steps    the audit trail: opened, wish, accepted, weights
 *     weights  of the attributes, by step and place; the last ones hold
 *
 * A step and the schemes evaluated for it are one transaction: a process killed at any moment
 * leaves a file that ends with a whole step. No value of the data is in it; schemes are bits by
 * places. While a session is open and not paused, nobody else can use its file. */
#ifndef PV_PREFER_SESSION_H
#define PV_PREFER_SESSION_H

#include "prefer/preference.h"

typedef enum pv_step_kind {
    PV_STEP_OPENED = 0,
    PV_STEP_WISH,
    PV_STEP_ACCEPTED,
    PV_STEP_WEIGHTS,
    PV_STEP_COUNT
} pv_step_kind;

/* As they are written in the file. */
extern const char *const pv_i_step_names[PV_STEP_COUNT];

/* Writes what was evaluated since the last step, and a step that chose a solution of an
 * answer: 0 = the best, then the others. All of it or nothing. */
PV_CHECKED pv_status pv_i_session_note(pv_session *session, const pv_preference *preference,
                                       pv_step_kind kind, const pv_answer *answer, size_t solution,
                                       pv_error *error);
/* Writes a step that gave the attributes the weights they now have. */
PV_CHECKED pv_status pv_i_session_note_weights(pv_session *session, const pv_preference *preference,
                                               pv_error *error);
void pv_i_session_close(pv_session *session); /* NULL is fine */

/* -------------------------------------------------------------------- file
 *
 * SQLite with our errors, how a session file is recognised, and its audit trail. */

#ifdef PV_HAVE_SQLITE
#include "base/claim.h"

#include <sqlite3.h>

typedef struct pv_db {
    sqlite3 *sqlite;
    char *path;     /* as the caller gave it, for messages */
    pv_claim *name; /* shared: no output may take it meanwhile */
} pv_db;

/* The file of an open session; borrowed. NULL while it is paused. */
const pv_db *pv_i_session_db(const pv_session *session);

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

#endif
