/* What the files of the engine ODBC share: a database's dialect, texts as drivers have them. */
#ifndef PV_ENGINE_ODBC_H
#define PV_ENGINE_ODBC_H

#include "base/buffer.h"
#include "base/ticker.h"
#include "engine/engine.h"
#include "engine/place.h"
#include "engine/sql.h"

#include <sql.h>
#include <sqlext.h>
#include <sqlucode.h>

/* clang-format off */
#define PV_ODBC_FUNCTIONS(X) \
    X(SQLAllocHandle) X(SQLSetEnvAttr) X(SQLSetConnectAttr) X(SQLDriverConnectW) \
    X(SQLDisconnect) X(SQLFreeHandle) X(SQLGetInfo) X(SQLExecDirectW) \
    X(SQLCancel) X(SQLNumResultCols) X(SQLDescribeColW) X(SQLColAttributeW) \
    X(SQLSetStmtAttr) X(SQLBindCol) X(SQLFetch) X(SQLGetData) \
    X(SQLSetPos) X(SQLGetDiagRecW) X(SQLEndTran) X(SQLPrepareW) \
    X(SQLBindParameter) X(SQLExecute)
/* clang-format on */

typedef struct pv_odbc_functions {
#define X(name) __typeof__(name) *name;
    PV_ODBC_FUNCTIONS(X)
#undef X
} pv_odbc_functions;

_Static_assert(sizeof(SQLWCHAR) == 2, "texts are UTF-16");

/* What databases do differently. */
typedef struct pv_odbc_dialect {
    const char *dbms;   /* how SQL_DBMS_NAME begins, in any case; NULL = all others */
    const char *begins; /* a statement for every new connection; NULL = none */
    const char *guards; /* the same for one whose query somebody wrote: nothing can be changed */
    bool is_open;       /* do its messages of no particular kind (HY000) never quote values? */
    pv_sql sql;
} pv_odbc_dialect;

/* A connection. */
typedef struct pv_odbc {
    pv_odbc_functions api;
    void *library;
    const pv_place *place;
    const pv_context *context;
    SQLHANDLE environment, connection;
    const pv_odbc_dialect *dialect;
    bool is_connected;
    bool in_transaction;
    /* Can the rest of a text that did not fit be asked for, whichever row of a block it is in? */
    bool has_blocks;
    uint64_t received, sent;
} pv_odbc;

/* What the driver says of the handle whose call failed. */
PV_CHECKED pv_status pv_i_odbc_fail(const pv_odbc *d, SQLSMALLINT kind, SQLHANDLE handle,
                                    const char *doing, pv_error *error);
/* Runs a text, or with NULL what was prepared, and waits for its end or the caller's stop. */
PV_CHECKED pv_status pv_i_odbc_execute(pv_odbc *d, SQLHANDLE statement, SQLWCHAR *text,
                                       const char *doing, pv_ticker *ticker, pv_error *error);
/* A statement that runs, with its result if it has one; pv_i_odbc_end also if that failed. */
PV_CHECKED pv_status pv_i_odbc_start(pv_odbc *d, const char *text, const char *doing,
                                     pv_ticker *ticker, SQLHANDLE *statement, pv_error *error);
void pv_i_odbc_end(const pv_odbc *d, SQLHANDLE statement);
/* Attributes that are numbers go where pointers go. */
static inline SQLPOINTER pv_i_odbc_number(uintptr_t n)
{
    return (SQLPOINTER)n;
}

/* pv_engine.fetch and load. */
PV_CHECKED pv_status pv_i_odbc_fetch(void *connected, const char *select, size_t n,
                                     pv_row_hear hear, void *ctx, pv_error *error);
PV_CHECKED pv_status pv_i_odbc_load(void *connected, const char *table, size_t n, pv_row_next next,
                                    void *ctx, pv_error *error);

const pv_odbc_dialect *pv_i_odbc_dialect(const char *dbms);
/* Is a value of that type one value? */
bool pv_i_odbc_fits(const char *type);

/* Appends UTF-16 made from UTF-8; what is no UTF-8 becomes a question mark. The size is in units.
 */
void pv_i_odbc_to_utf16(pv_buffer *to, const char *text, size_t size);
/* Appends UTF-8; false if it is no UTF-16. */
bool pv_i_odbc_to_utf8(pv_buffer *to, const SQLWCHAR *text, size_t size);

#endif
