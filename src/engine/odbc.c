/* ODBC: everything that has a driver. Plain SQL; what differs is in odbc_dialects.c.
 *
 *     odbc:DSN=survey?table=people          a data source of odbc.ini, with its user and password
 *     odbc:Driver=SQLite3;Database=x.db?table=people
 *
 * Texts go both ways as UTF-16, which every driver manager can translate: what drivers make of
 * bytes depends on the locale. Statements run on a thread of their own, for a driver's call returns
 * when the database has answered; meanwhile the caller is asked ten times a second whether to go
 * on, and if not, SQLCancel is called, the one function that another thread may call. */
#ifdef PV_HAVE_ODBC
#include "engine/odbc.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/ticker.h"
#include "engine/library.h"
#include "engine/place.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

#define TITLE "ODBC"

enum { PIECE = 512 }; /* of names and messages, in units */

static const char *const symbols[] = {
#define X(name) #name,
    PV_ODBC_FUNCTIONS(X)
#undef X
};

#define N_SYMBOLS (sizeof symbols / sizeof *symbols)
_Static_assert(sizeof(pv_odbc_functions) == N_SYMBOLS * sizeof(void *),
               "one pointer for each symbol");
/* -------------------------------------------------------------------- failures */

/* By class of SQLSTATE: what databases say of these names things, not values. */
static const struct {
    const char *state, *remedy;
    pv_status status;
} shown_errors[] = {
    {"08", "check that the server runs and can be reached, and try again", PV_STATUS_INPUT},
    {"28", "check the user and the password where ODBC has them: odbc.ini", PV_STATUS_INPUT},
    {"IM", "see which drivers and data sources there are: odbcinst -q -d, odbcinst -q -s",
     PV_STATUS_INPUT},
    {"42", "check the names of tables and columns, and what the user may do", PV_STATUS_INPUT},
    {"S0", "check the names of tables and columns", PV_STATUS_INPUT},
    {"HYT", "try again, or give the database more time", PV_STATUS_INPUT},
    {"57", "try again when the server is back", PV_STATUS_INPUT},
    {"53", "make room on the server", PV_STATUS_IO},
};

static pv_status explain(const pv_odbc *d, const char *doing, const char *state, const char *text,
                         pv_error *error)
{
    for (size_t i = 0; i < sizeof shown_errors / sizeof *shown_errors; i++) {
        if (strncmp(state, shown_errors[i].state, strlen(shown_errors[i].state)) == 0) {
            return pv_i_hint(pv_i_fail_at(error, shown_errors[i].status, d->place->text, 0, 0,
                                          "%s failed: the database says \"%.*s\" (%s)", doing,
                                          (int)strcspn(text, "\n"), text, state),
                             error, "%s", shown_errors[i].remedy);
        }
    }
    if (d->dialect != NULL && d->dialect->is_open) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, d->place->text, 0, 0,
                                      "%s failed: the database says \"%.*s\"", doing,
                                      (int)strcspn(text, "\n"), text),
                         error, "check the names of tables and columns, and the query");
    }
    return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, d->place->text, 0, 0,
                                  "%s failed: the database reports SQLSTATE %s; its message may "
                                  "show values and is left out",
                                  doing, state),
                     error, "try the query with the database's own tools");
}

pv_status pv_i_odbc_fail(const pv_odbc *d, SQLSMALLINT kind, SQLHANDLE handle, const char *doing,
                         pv_error *error)
{
    SQLWCHAR state[6] = {0};
    SQLWCHAR text[PIECE] = {0};
    SQLINTEGER code = 0;
    SQLSMALLINT size = 0;
    pv_buffer state_text = {0};
    pv_buffer message = {0};
    (void)d->api.SQLGetDiagRecW(kind, handle, 1, state, &code, text, PIECE, &size);
    size_t n = 0;
    while (n < PIECE - 1 && text[n] != 0) {
        n++;
    }
    (void)pv_i_odbc_to_utf8(&state_text, state, state[0] != 0 ? 5 : 0);
    (void)pv_i_odbc_to_utf8(&message, text, n);
    const pv_status status = explain(d, doing, state_text.data != NULL ? state_text.data : "?",
                                     message.data != NULL ? message.data : "", error);
    pv_i_buffer_deinit(&state_text);
    pv_i_buffer_deinit(&message);
    return status;
}

/* ---------------------------------------------------------------------- waiting */

/* A call that takes as long as the database does. */
typedef struct {
    const pv_odbc_functions *api;
    SQLHANDLE statement;
    SQLWCHAR *text; /* to be executed; NULL = what was prepared */
    SQLRETURN result;
} call;

static void *run_call(void *ctx)
{
    call *const c = ctx;
    c->result = c->text != NULL ? c->api->SQLExecDirectW(c->statement, c->text, SQL_NTS)
                                : c->api->SQLExecute(c->statement);
    return NULL;
}

static bool wait_shortly(pthread_t thread)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 20000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    return pthread_timedjoin_np(thread, NULL, &until) == 0;
}

/* The call on its own thread; *stopped: the caller did not want to wait for its end. */
static SQLRETURN call_and_wait(pv_odbc *d, call *c, pv_ticker *ticker, bool *stopped)
{
    pthread_t thread;
    *stopped = !pv_i_tick(ticker, 0);
    if (*stopped) {
        return SQL_ERROR;
    }
    if (d->context == NULL || d->context->progress == NULL ||
        pthread_create(&thread, NULL, run_call, c) != 0) {
        (void)run_call(c);
        return c->result;
    }
    while (!wait_shortly(thread)) {
        *stopped = *stopped || !pv_i_tick(ticker, 0);
        if (*stopped) {
            (void)d->api.SQLCancel(c->statement);
        }
    }
    return c->result;
}

pv_status pv_i_odbc_execute(pv_odbc *d, SQLHANDLE statement, SQLWCHAR *text, const char *doing,
                            pv_ticker *ticker, pv_error *error)
{
    call c = {.api = &d->api, .statement = statement, .text = text};
    bool stopped = false;
    const SQLRETURN result = call_and_wait(d, &c, ticker, &stopped);
    if (stopped) {
        return pv_i_cancelled(error);
    }
    return SQL_SUCCEEDED(result) || result == SQL_NO_DATA
               ? PV_STATUS_OK
               : pv_i_odbc_fail(d, SQL_HANDLE_STMT, statement, doing, error);
}

/* A statement that runs, with its result if it has one. The caller frees the handle. */
pv_status pv_i_odbc_start(pv_odbc *d, const char *text, const char *doing, pv_ticker *ticker,
                          SQLHANDLE *statement, pv_error *error)
{
    pv_buffer wide = {0};
    pv_status status = PV_STATUS_OK;
    static const SQLWCHAR end = 0;
    pv_i_odbc_to_utf16(&wide, text, strlen(text));
    pv_i_buffer_bytes(&wide, &end, sizeof end);
    if (wide.failed) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    if (!SQL_SUCCEEDED(d->api.SQLAllocHandle(SQL_HANDLE_STMT, d->connection, statement))) {
        PV_TRY_CLEAN(pv_i_odbc_fail(d, SQL_HANDLE_DBC, d->connection, doing, error));
    }
    PV_TRY_CLEAN(
        pv_i_odbc_execute(d, *statement, (SQLWCHAR *)(void *)wide.data, doing, ticker, error));
cleanup:
    pv_i_buffer_deinit(&wide);
    return status;
}

void pv_i_odbc_end(const pv_odbc *d, SQLHANDLE statement)
{
    if (statement != SQL_NULL_HANDLE) {
        (void)d->api.SQLFreeHandle(SQL_HANDLE_STMT, statement);
    }
}

/* -------------------------------------------------------------------- connecting */

static void close_database(void *connected)
{
    pv_odbc *const d = connected;
    if (d == NULL) {
        return;
    }
    if (d->is_connected) {
        if (d->in_transaction) {
            (void)d->api.SQLEndTran(SQL_HANDLE_DBC, d->connection, SQL_ROLLBACK);
        }
        (void)d->api.SQLDisconnect(d->connection);
    }
    if (d->connection != SQL_NULL_HANDLE) {
        (void)d->api.SQLFreeHandle(SQL_HANDLE_DBC, d->connection);
    }
    if (d->environment != SQL_NULL_HANDLE) {
        (void)d->api.SQLFreeHandle(SQL_HANDLE_ENV, d->environment);
    }
    pv_i_library_close(d->library);
    pv_i_free(d);
}

static pv_status connect_to(pv_odbc *d, pv_error *error)
{
    pv_buffer wide = {0};
    pv_status status = PV_STATUS_OK;
    pv_i_odbc_to_utf16(&wide, d->place->where, strlen(d->place->where));
    if (wide.failed) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    if (!SQL_SUCCEEDED(d->api.SQLAllocHandle(SQL_HANDLE_ENV, SQL_NULL_HANDLE, &d->environment)) ||
        !SQL_SUCCEEDED(d->api.SQLSetEnvAttr(d->environment, SQL_ATTR_ODBC_VERSION,
                                            pv_i_odbc_number(SQL_OV_ODBC3), 0)) ||
        !SQL_SUCCEEDED(d->api.SQLAllocHandle(SQL_HANDLE_DBC, d->environment, &d->connection))) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    (void)d->api.SQLSetConnectAttr(d->connection, SQL_ATTR_LOGIN_TIMEOUT, pv_i_odbc_number(15), 0);
    d->is_connected = SQL_SUCCEEDED(d->api.SQLDriverConnectW(
        d->connection, NULL, (SQLWCHAR *)(void *)wide.data,
        (SQLSMALLINT)(wide.size / sizeof(SQLWCHAR)), NULL, 0, NULL, SQL_DRIVER_NOPROMPT));
    if (!d->is_connected) {
        status = pv_i_odbc_fail(d, SQL_HANDLE_DBC, d->connection, "connecting", error);
    }
cleanup:
    pv_i_buffer_deinit(&wide);
    return status;
}

static pv_status begin_with(pv_odbc *d, const char *text, pv_error *error)
{
    pv_ticker ticker = pv_i_ticker(d->context, "connecting", 0);
    SQLHANDLE statement = SQL_NULL_HANDLE;
    if (text == NULL) {
        return PV_STATUS_OK;
    }
    const pv_status status = pv_i_odbc_start(d, text, "connecting", &ticker, &statement, error);
    pv_i_odbc_end(d, statement);
    return status;
}

/* What is at the other end, and what its driver can do. */
static pv_status get_to_know(pv_odbc *d, pv_error *error)
{
    char name[64] = "";
    SQLSMALLINT size = 0;
    SQLUINTEGER extensions = 0;
    const SQLUINTEGER needed = SQL_GD_BLOCK | SQL_GD_BOUND | SQL_GD_ANY_COLUMN;
    (void)d->api.SQLGetInfo(d->connection, SQL_DBMS_NAME, name, sizeof name, &size);
    (void)d->api.SQLGetInfo(d->connection, SQL_GETDATA_EXTENSIONS, &extensions, sizeof extensions,
                            &size);
    name[sizeof name - 1] = '\0';
    d->dialect = pv_i_odbc_dialect(name);
    d->has_blocks = (extensions & needed) == needed;
    PV_TRY(begin_with(d, d->dialect->begins, error));
    return d->place->query != NULL ? begin_with(d, d->dialect->guards, error) : PV_STATUS_OK;
}

/* Several statements in one are no SELECT, and drivers would run them all. */
static pv_status check_query(const pv_place *place, pv_error *error)
{
    return place->query == NULL || strchr(place->query, ';') == NULL
               ? PV_STATUS_OK
               : pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, place->text, 0, 0,
                                        "the query has a semicolon: it must be one SELECT"),
                           error, "if a value or a name has one, make a view in the database");
}

static pv_status open_database(const pv_place *place, const pv_context *context, void **connected,
                               pv_error *error)
{
    static const char *const names[] = {"libodbc.so.2", "libodbc.so", NULL};
    pv_odbc *const d = PV_NEW(pv_odbc);
    void *found[N_SYMBOLS];
    pv_status status = PV_STATUS_OK;
    if (d == NULL) {
        return pv_i_no_memory(error);
    }
    d->place = place;
    d->context = context;
    PV_TRY_CLEAN(check_query(place, error));
    PV_TRY_CLEAN(pv_i_library_open(TITLE, names,
                                   "install unixODBC (package unixodbc) and the "
                                   "driver of the database",
                                   &d->library, error));
    PV_TRY_CLEAN(pv_i_library_find(d->library, TITLE, symbols, N_SYMBOLS, found, error));
    memcpy(&d->api, found, sizeof found);
    PV_TRY_CLEAN(connect_to(d, error));
    PV_TRY_CLEAN(get_to_know(d, error));
    *connected = d;
cleanup:
    if (status != PV_STATUS_OK) {
        close_database(d);
    }
    return status;
}

static const pv_sql *speaks(const void *connected)
{
    const pv_odbc *const d = connected;
    return &d->dialect->sql;
}

/* -------------------------------------------------------------------- statements */

/* Transactions are the driver's: databases begin them in different words, or before every
 * statement. */
static pv_status end_transaction(pv_odbc *d, SQLSMALLINT how, pv_error *error)
{
    const bool ok = SQL_SUCCEEDED(d->api.SQLEndTran(SQL_HANDLE_DBC, d->connection, how));
    if (!ok) {
        return pv_i_odbc_fail(d, SQL_HANDLE_DBC, d->connection, "ending the transaction", error);
    }
    d->in_transaction = false;
    return SQL_SUCCEEDED(d->api.SQLSetConnectAttr(d->connection, SQL_ATTR_AUTOCOMMIT,
                                                  pv_i_odbc_number(SQL_AUTOCOMMIT_ON), 0))
               ? PV_STATUS_OK
               : pv_i_odbc_fail(d, SQL_HANDLE_DBC, d->connection, "ending the transaction", error);
}

static pv_status run(void *connected, const char *text, pv_error *error)
{
    pv_odbc *const d = connected;
    const pv_sql *const sql = &d->dialect->sql;
    if (sql->begin != NULL && strcmp(text, sql->begin) == 0) {
        d->in_transaction = SQL_SUCCEEDED(d->api.SQLSetConnectAttr(
            d->connection, SQL_ATTR_AUTOCOMMIT, pv_i_odbc_number(SQL_AUTOCOMMIT_OFF), 0));
        return d->in_transaction ? PV_STATUS_OK
                                 : pv_i_odbc_fail(d, SQL_HANDLE_DBC, d->connection,
                                                  "beginning a transaction", error);
    }
    if (sql->begin != NULL &&
        (strcmp(text, sql->commit) == 0 || strcmp(text, sql->rollback) == 0)) {
        return end_transaction(d, strcmp(text, sql->commit) == 0 ? SQL_COMMIT : SQL_ROLLBACK,
                               error);
    }
    pv_ticker ticker = pv_i_ticker(d->context, "writing", 0);
    SQLHANDLE statement = SQL_NULL_HANDLE;
    const pv_status status = pv_i_odbc_start(d, text, "writing", &ticker, &statement, error);
    pv_i_odbc_end(d, statement);
    return status;
}

static pv_status add_column(pv_odbc *d, SQLHANDLE statement, SQLUSMALLINT column,
                            pv_engine_columns *columns, pv_error *error)
{
    SQLWCHAR name[PIECE] = {0};
    SQLWCHAR type[PIECE] = {0};
    SQLSMALLINT name_size = 0;
    SQLSMALLINT type_size = 0; /* in bytes */
    pv_buffer name_text = {0};
    pv_buffer type_text = {0};
    pv_status status = PV_STATUS_OK;
    if (!SQL_SUCCEEDED(d->api.SQLDescribeColW(statement, column, name, PIECE, &name_size, NULL,
                                              NULL, NULL, NULL)) ||
        !SQL_SUCCEEDED(d->api.SQLColAttributeW(statement, column, SQL_DESC_TYPE_NAME, type,
                                               sizeof type, &type_size, NULL))) {
        return pv_i_odbc_fail(d, SQL_HANDLE_STMT, statement, "reading the columns", error);
    }
    pv_i_buffer_text(&name_text, "");
    pv_i_buffer_text(&type_text, "");
    if (name_size >= PIECE ||
        !pv_i_odbc_to_utf8(&name_text, name, (size_t)(name_size > 0 ? name_size : 0))) {
        PV_TRY_CLEAN(pv_i_fail_at(error, PV_STATUS_INPUT, d->place->text, 0, 0,
                                  "the name of column %u is too long, or no text", column));
    }
    size_t n = 0;
    while (n < PIECE - 1 && type[n] != 0) {
        n++;
    }
    (void)pv_i_odbc_to_utf8(&type_text, type, n);
    status = name_text.failed || type_text.failed
                 ? pv_i_no_memory(error)
                 : pv_i_engine_columns_add(columns, name_text.data, name_text.size, type_text.data,
                                           error);
cleanup:
    pv_i_buffer_deinit(&name_text);
    pv_i_buffer_deinit(&type_text);
    return status;
}

/* Not every driver knows the columns of a statement that has not run: none of its rows do. */
static pv_status describe(void *connected, const char *select, pv_engine_columns *columns,
                          pv_error *error)
{
    pv_odbc *const d = connected;
    pv_ticker ticker = pv_i_ticker(d->context, "reading", 0);
    SQLHANDLE statement = SQL_NULL_HANDLE;
    SQLSMALLINT n = 0;
    pv_buffer none = {0};
    pv_status status = PV_STATUS_OK;
    pv_i_buffer_format(&none, "SELECT * FROM (%s) d WHERE 1 = 0", select);
    if (none.failed) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    PV_TRY_CLEAN(pv_i_odbc_start(d, none.data, "reading the columns", &ticker, &statement, error));
    if (!SQL_SUCCEEDED(d->api.SQLNumResultCols(statement, &n))) {
        PV_TRY_CLEAN(pv_i_odbc_fail(d, SQL_HANDLE_STMT, statement, "reading the columns", error));
    }
    for (SQLSMALLINT i = 1; i <= n; i++) {
        PV_TRY_CLEAN(add_column(d, statement, (SQLUSMALLINT)i, columns, error));
    }
cleanup:
    pv_i_odbc_end(d, statement);
    pv_i_buffer_deinit(&none);
    return status;
}

static pv_traffic traffic(const void *connected)
{
    const pv_odbc *const d = connected;
    return (pv_traffic){.received = d->received, .sent = d->sent};
}

const pv_engine pv_i_engine_odbc = {
    .name = "odbc",
    .title = TITLE,
    .open = open_database,
    .close = close_database,
    .run = run,
    .describe = describe,
    .fetch = pv_i_odbc_fetch,
    .load = pv_i_odbc_load,
    .traffic = traffic,
    .fits = pv_i_odbc_fits,
    .speaks = speaks,
};
#endif
