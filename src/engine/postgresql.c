/* PostgreSQL, through libpq.
 *
 * Everything is asked for without blocking: while the server works, we wait for its socket a moment
 * at a time and look whether the caller wants to stop. Statements go by the extended protocol,
 * which takes one statement at a time: whatever a name or a query holds, no second one can hide in
 * it. */
#ifdef PV_HAVE_LIBPQ

#include "engine/postgresql.h"

#include "base/buffer.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "engine/library.h"
#include "engine/place.h"
#include "engine/sql.h"

#include <assert.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#define TITLE "PostgreSQL"
#define WAIT_MS 50
#define ABANDON_SECONDS 3.0 /* for the server to end a statement that was cancelled */

static const char *const symbols[] = {
#define X(name) #name,
    PV_PQ_FUNCTIONS(X)
#undef X
};

#define N_SYMBOLS (sizeof symbols / sizeof *symbols)

static_assert(sizeof(pv_pq_functions) == N_SYMBOLS * sizeof(void *), "one pointer each");

/* ------------------------------------------------------------------- failures */

/* What codes of failures (SQLSTATE) mean for whoever publishes: the longest one that fits. Of all
 * others, the words may quote values: functions and triggers choose their own (P0001). */
static const struct {
    const char *code;
    pv_status status;
    const char *what; /* instead of the server's words, which quote values there; or NULL */
    const char *hint; /* or NULL */
} failures[] = {
    {"08", PV_STATUS_IO, NULL,
     "see whether all servers that hold the table run and can be reached, and run it again"},
    {"0A", PV_STATUS_INPUT, NULL, NULL},
    {"22", PV_STATUS_INPUT, "a value does not fit its type", NULL},
    {"22021", PV_STATUS_INPUT, "there is text that the encoding of the database cannot have",
     "PostgreSQL takes UTF-8 without NUL: convert the file first"},
    {"23", PV_STATUS_INPUT, "a rule of the table forbids a row", NULL},
    {"25", PV_STATUS_IO, NULL, NULL},
    {"25006", PV_STATUS_INPUT, NULL,
     "a table is read without changing anything: the query must not write, and a standby server "
     "takes no release"},
    {"28", PV_STATUS_INPUT, NULL,
     "user and password come from the place, ~/.pgpass, a service file or the environment"},
    {"3D000", PV_STATUS_INPUT, NULL, "`psql -l` lists the databases"},
    {"40", PV_STATUS_IO, NULL, "somebody else's statement was in the way: try again"},
    {"3F000", PV_STATUS_INPUT, NULL, "create the schema first, or write the table elsewhere"},
    {"42501", PV_STATUS_INPUT, NULL,
     "the user needs SELECT on what is read, and CREATE on the schema that is written to: GRANT "
     "gives them"},
    {"42883", PV_STATUS_INPUT, NULL,
     "values of some types (json, xml, point) cannot be compared: leave the column out, or cast it "
     "to text in a query"},
    {"42P01", PV_STATUS_INPUT, NULL,
     "names are taken as they are written, capitals too; a schema stands before them: "
     "table=survey.people"},
    {"42", PV_STATUS_INPUT, NULL, NULL},
    {"53100", PV_STATUS_IO, NULL, "make room on the disk of the server, and run it again"},
    {"53", PV_STATUS_IO, NULL, "the server is short of memory, disk or connections: try again"},
    {"54", PV_STATUS_INPUT, NULL, NULL},
    {"55", PV_STATUS_IO, NULL, NULL},
    {"55P03", PV_STATUS_IO, NULL, "somebody else has locked the table: try again"},
    {"57014", PV_STATUS_IO, NULL,
     "its administrator or a limit of time (statement_timeout) ended the statement"},
    {"57", PV_STATUS_IO, NULL, "run it again when the server is back"},
    {"58", PV_STATUS_IO, NULL, "look at the server's disk and log"},
    {"HV", PV_STATUS_IO, NULL,
     "see whether all servers that hold the table run and can be reached, and run it again"},
};

/* The first line of a text of libpq, which ends its texts with a line end. */
static int first_line(const char *text)
{
    return (int)strcspn(text, "\n");
}

static pv_status lost(pv_pq *c, pv_error *error)
{
    const char *const why = c->f.PQerrorMessage(c->conn);
    return pv_i_hint(pv_i_fail_at(error, PV_STATUS_IO, c->place->text, 0, 0,
                                  "lost the connection to " TITLE " while %s: %.*s", c->doing,
                                  first_line(why), why),
                     error, "run it again when the server is back: nothing was left half-done");
}

pv_status pv_i_pq_failed(pv_pq *c, PGresult *result, pv_error *error)
{
    const char *const code =
        result != NULL ? c->f.PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
    const char *words =
        result != NULL ? c->f.PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY) : NULL;
    if (code == NULL || c->f.PQstatus(c->conn) == CONNECTION_BAD) {
        const pv_status status = lost(c, error);
        c->f.PQclear(result);
        return status;
    }
    size_t best = SIZE_MAX;
    size_t longest = 0;
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
        const size_t n = strlen(failures[i].code);
        if (n > longest && strncmp(failures[i].code, code, n) == 0) {
            best = i;
            longest = n;
        }
    }
    const bool is_known = best != SIZE_MAX;
    words = !is_known                     ? "its message may show values and is left out"
            : failures[best].what != NULL ? failures[best].what
                                          : words;
    pv_status status = pv_i_fail_at(error, is_known ? failures[best].status : PV_STATUS_IO,
                                    c->place->text, 0, 0, TITLE " failed while %s: %s (%.5s)",
                                    c->doing, words != NULL ? words : "", code);
    const char *const hint =
        is_known ? failures[best].hint : "try the query with `psql`, or look at the server's log";
    if (hint != NULL) {
        status = pv_i_hint(status, error, "%s", hint);
    }
    c->f.PQclear(result);
    return status;
}

/* -------------------------------------------------------------------- waiting */

/* The server hears of it by a connection of its own, so the statement's is not disturbed. */
static void ask_to_cancel(pv_pq *c)
{
    char why[256];
    PGcancel *const cancel = c->f.PQgetCancel(c->conn);
    if (cancel != NULL) {
        (void)c->f.PQcancel(cancel, why, sizeof why);
        c->f.PQfreeCancel(cancel);
    }
}

/* Reads what still comes, and throws it away. False = nothing more comes. */
static bool drain(pv_pq *c)
{
    char *data = NULL;
    (void)c->f.PQflush(c->conn);
    while (!c->f.PQisBusy(c->conn)) {
        PGresult *const result = c->f.PQgetResult(c->conn);
        const ExecStatusType is = c->f.PQresultStatus(result);
        c->f.PQclear(result);
        if (result == NULL) {
            return false;
        }
        if (is == PGRES_COPY_IN && c->f.PQputCopyEnd(c->conn, "abandoned") < 0) {
            return false;
        }
        if (is != PGRES_COPY_OUT) {
            continue;
        }
        int n = 0;
        while ((n = c->f.PQgetCopyData(c->conn, &data, true)) > 0) {
            c->f.PQfreemem(data);
        }
        if (n == 0) {
            return true;
        }
    }
    return true;
}

void pv_i_pq_abandon(pv_pq *c)
{
    if (c->f.PQtransactionStatus(c->conn) == PQTRANS_ACTIVE) {
        ask_to_cancel(c);
    }
    const double end = pv_i_now() + ABANDON_SECONDS;
    while (c->f.PQstatus(c->conn) == CONNECTION_OK && drain(c) && pv_i_now() < end) {
        struct pollfd socket = {.fd = c->f.PQsocket(c->conn), .events = POLLIN};
        (void)poll(&socket, 1, WAIT_MS);
        if (!c->f.PQconsumeInput(c->conn)) {
            return;
        }
    }
}

pv_status pv_i_pq_wait(pv_pq *c, bool writing, pv_error *error)
{
    struct pollfd socket = {.fd = c->f.PQsocket(c->conn),
                            .events = (short)(writing ? POLLIN | POLLOUT : POLLIN)};
    (void)poll(&socket, 1, WAIT_MS);
    if (!pv_i_tick(&c->ticker, c->traffic.received + c->traffic.sent)) {
        pv_i_pq_abandon(c);
        return pv_i_cancelled(error);
    }
    return PV_STATUS_OK;
}

pv_status pv_i_pq_next(pv_pq *c, PGresult **result, pv_error *error)
{
    int unsent = c->f.PQflush(c->conn);
    while (unsent >= 0 && c->f.PQisBusy(c->conn)) {
        PV_TRY(pv_i_pq_wait(c, unsent > 0, error));
        if (!c->f.PQconsumeInput(c->conn)) {
            return lost(c, error);
        }
        unsent = unsent > 0 ? c->f.PQflush(c->conn) : 0;
    }
    if (unsent < 0) {
        return lost(c, error);
    }
    *result = c->f.PQgetResult(c->conn);
    return PV_STATUS_OK;
}

pv_status pv_i_pq_send(pv_pq *c, const char *doing, const char *statement,
                       const char *const *values, int n_values, pv_error *error)
{
    c->doing = doing;
    c->ticker = pv_i_ticker(c->context, doing, 0);
    return c->f.PQsendQueryParams(c->conn, statement, n_values, NULL, values, NULL, NULL, 0)
               ? PV_STATUS_OK
               : lost(c, error);
}

pv_status pv_i_pq_finish(pv_pq *c, pv_error *error)
{
    pv_status status = PV_STATUS_OK;
    PGresult *result = NULL;
    for (;;) {
        const pv_status heard = pv_i_pq_next(c, &result, status == PV_STATUS_OK ? error : NULL);
        if (heard != PV_STATUS_OK || result == NULL) {
            return status != PV_STATUS_OK ? status : heard;
        }
        const ExecStatusType is = c->f.PQresultStatus(result);
        if (is == PGRES_COMMAND_OK || is == PGRES_TUPLES_OK || status != PV_STATUS_OK) {
            c->f.PQclear(result);
        } else {
            status = pv_i_pq_failed(c, result, error);
        }
    }
}

/* Waits for the one result that has rows. */
static pv_status rows_of(pv_pq *c, PGresult **rows, pv_error *error)
{
    PGresult *result = NULL;
    PV_TRY(pv_i_pq_next(c, &result, error));
    if (c->f.PQresultStatus(result) != PGRES_TUPLES_OK) {
        const pv_status status = pv_i_pq_failed(c, result, error);
        pv_i_pq_abandon(c);
        return status;
    }
    const pv_status status = pv_i_pq_finish(c, error);
    if (status == PV_STATUS_OK) {
        *rows = result;
    } else {
        c->f.PQclear(result);
    }
    return status;
}

/* ---------------------------------------------------------------- connecting */

static void hear_no_notices(void *ctx, const char *text)
{
    (void)ctx;
    (void)text;
}

/* A password may be spelled so that only libpq sees it: passw%6Frd=... */
static pv_status check_where(pv_pq *c, const char *where, pv_error *error)
{
    char *why = NULL;
    bool has_password = false;
    PQconninfoOption *const options = c->f.PQconninfoParse(where, &why);
    if (options == NULL) {
        const pv_status status = pv_i_fail(
            error, PV_STATUS_INPUT, "the place of the table is not one that " TITLE " knows: %.*s",
            why != NULL ? first_line(why) : 0, why != NULL ? why : "");
        c->f.PQfreemem(why);
        return status;
    }
    for (const PQconninfoOption *o = options; o->keyword != NULL; o++) {
        const bool is_secret =
            strcmp(o->keyword, "password") == 0 || strcmp(o->keyword, "sslpassword") == 0;
        has_password = has_password || (is_secret && o->val != NULL && o->val[0] != '\0');
    }
    c->f.PQconninfoFree(options);
    return has_password
               ? pv_i_hint(pv_i_fail(error, PV_STATUS_INPUT,
                                     "the place of the table has a password in it, which would be "
                                     "kept and shown"),
                           error, "leave it in ~/.pgpass, a service file or the environment")
               : PV_STATUS_OK;
}

static double seconds_to_connect(pv_pq *c)
{
    double seconds = 0;
    PQconninfoOption *const options = c->f.PQconninfo(c->conn);
    for (const PQconninfoOption *o = options; o != NULL && o->keyword != NULL; o++) {
        if (strcmp(o->keyword, "connect_timeout") == 0 && o->val != NULL) {
            seconds = strtod(o->val, NULL);
        }
    }
    c->f.PQconninfoFree(options);
    return seconds > 0 ? seconds : 1e9;
}

static pv_status no_connection(pv_pq *c, pv_error *error)
{
    const char *const why = c->f.PQerrorMessage(c->conn);
    return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, c->place->text, 0, 0,
                                  "no connection to " TITLE ": %.*s", first_line(why), why),
                     error,
                     "see whether `psql` gets there: host, port and database come from the place, "
                     "passwords from ~/.pgpass, a service file or the environment");
}

static pv_status connect_to(pv_pq *c, const char *where, pv_error *error)
{
    /* What people's own settings would change: how values look as texts. */
    static const char *const names[] = {"dbname", "client_encoding", "fallback_application_name",
                                        NULL};
    const char *const values[] = {where, "UTF8", "paravent", NULL};
    c->doing = "connecting";
    c->ticker = pv_i_ticker(c->context, c->doing, 0);
    c->conn = c->f.PQconnectStartParams(names, values, 1);
    if (c->conn == NULL) {
        return pv_i_no_memory(error);
    }
    c->f.PQsetNoticeProcessor(c->conn, hear_no_notices, NULL);
    const double end = pv_i_now() + seconds_to_connect(c);
    PostgresPollingStatusType is = PGRES_POLLING_WRITING;
    while (c->f.PQstatus(c->conn) != CONNECTION_BAD && is != PGRES_POLLING_OK &&
           is != PGRES_POLLING_FAILED) {
        struct pollfd socket = {.fd = c->f.PQsocket(c->conn),
                                .events = is == PGRES_POLLING_WRITING ? POLLOUT : POLLIN};
        if (poll(&socket, 1, WAIT_MS) > 0) {
            is = c->f.PQconnectPoll(c->conn);
        }
        if (!pv_i_tick(&c->ticker, 0)) {
            return pv_i_cancelled(error);
        }
        if (pv_i_now() > end) {
            return pv_i_fail_at(error, PV_STATUS_INPUT, c->place->text, 0, 0,
                                "no connection to " TITLE " within the time of connect_timeout");
        }
    }
    return c->f.PQstatus(c->conn) == CONNECTION_OK && c->f.PQsetnonblocking(c->conn, 1) == 0
               ? PV_STATUS_OK
               : no_connection(c, error);
}

static pv_status run(void *connection, const char *statement, pv_error *error)
{
    pv_pq *const c = connection;
    PV_TRY(pv_i_pq_send(c, "running a statement", statement, NULL, 0, error));
    return pv_i_pq_finish(c, error);
}

/* The same values look alike whoever asks, and functions and types are found where they belong. */
static pv_status settle(pv_pq *c, pv_error *error)
{
    static const char *const settings[] = {
        "SET datestyle = 'ISO, YMD'", "SET intervalstyle = 'postgres'", "SET timezone = 'UTC'",
        "SET extra_float_digits = 1", "SET bytea_output = 'hex'", "SET lc_monetary = 'C'",
        "SET xmloption = 'content'", "SET standard_conforming_strings = on",
        "SET client_min_messages = error",
        /* A server works no longer for a client that died; older ones do not know this. */
        ("SELECT pg_catalog.set_config(name, '1s', false) FROM pg_catalog.pg_settings WHERE "
         "name = 'client_connection_check_interval'"),
        /* Statements of ours go through whole tables. What processes hand to each other costs a
         * fraction of what PostgreSQL takes it for, and so it would leave such a GROUP BY to one of
         * them. How many there may be is the server's to say. */
        ("SELECT pg_catalog.set_config(name, '0.02', false) FROM pg_catalog.pg_settings WHERE "
         "name = 'parallel_tuple_cost' AND CAST(setting AS DOUBLE PRECISION) > 0.02")};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        PV_TRY(run(c, settings[i], error));
    }
    return PV_STATUS_OK;
}

static void close_connection(void *connection)
{
    pv_pq *const c = connection;
    if (c == NULL) {
        return;
    }
    if (c->conn != NULL) {
        c->f.PQfinish(c->conn);
    }
    pv_i_library_close(c->library);
    pv_i_free(c);
}

static pv_status open_connection(const pv_place *place, const pv_context *context,
                                 void **connection, pv_error *error)
{
    static const char *const names[] = {"libpq.so.5", "libpq.so", NULL};
    void *found[N_SYMBOLS];
    pv_status status = PV_STATUS_OK;
    pv_pq *const c = PV_NEW(pv_pq);
    if (c == NULL) {
        return pv_i_no_memory(error);
    }
    c->place = place;
    c->context = context;
    PV_TRY_CLEAN(pv_i_library_open(TITLE, names, "install it: on Debian, `apt install libpq5`",
                                   &c->library, error));
    PV_TRY_CLEAN(pv_i_library_find(c->library, TITLE, symbols, N_SYMBOLS, found, error));
    memcpy(&c->f, found, sizeof found);
    PV_TRY_CLEAN(check_where(c, place->where, error));
    PV_TRY_CLEAN(connect_to(c, place->where, error));
    PV_TRY_CLEAN(settle(c, error));
    *connection = c;
cleanup:
    if (status != PV_STATUS_OK) {
        close_connection(c);
    }
    return status;
}

static pv_traffic traffic(const void *connection)
{
    return ((const pv_pq *)connection)->traffic;
}

/* -------------------------------------------------------------------- columns */

/* Types are numbers in a result; format_type says how people call them. Texts that differ may be
 * equal in columns of citext, and in those of a table whose collation says so (from version 12 on).
 */
static const char types_of[] =
    "SELECT pg_catalog.format_type(t.o, t.m), "
    "CAST(EXISTS (SELECT 1 FROM pg_catalog.pg_type y LEFT JOIN pg_catalog.pg_type b ON b.oid = "
    "y.typbasetype WHERE y.oid = t.o AND 'citext' IN (y.typname, b.typname)) OR "
    "EXISTS (SELECT 1 FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_collation k ON k.oid = "
    "a.attcollation WHERE a.attrelid = t.r AND a.attnum = t.c AND "
    "pg_catalog.to_jsonb(k)->>'collisdeterministic' = 'false') AS INTEGER) "
    "FROM ROWS FROM (pg_catalog.unnest($1::oid[]), pg_catalog.unnest($2::int4[]), "
    "pg_catalog.unnest($3::oid[]), pg_catalog.unnest($4::int4[])) "
    "WITH ORDINALITY AS t(o, m, r, c, i) ORDER BY t.i";

enum { N_LISTS = 4 };

static pv_status add_columns(pv_pq *c, const PGresult *of, pv_engine_columns *columns,
                             pv_error *error)
{
    pv_buffer lists[N_LISTS] = {0};
    const char *values[N_LISTS];
    PGresult *types = NULL;
    pv_status status = PV_STATUS_OK;
    const int n = c->f.PQnfields(of);
    for (int i = 0; i < n; i++) {
        const char mark = i > 0 ? ',' : '{';
        pv_i_buffer_format(&lists[0], "%c%u", mark, c->f.PQftype(of, i));
        pv_i_buffer_format(&lists[1], "%c%d", mark, c->f.PQfmod(of, i));
        pv_i_buffer_format(&lists[2], "%c%u", mark, c->f.PQftable(of, i));
        pv_i_buffer_format(&lists[3], "%c%d", mark, c->f.PQftablecol(of, i));
    }
    for (size_t i = 0; i < N_LISTS; i++) {
        pv_i_buffer_text(&lists[i], n > 0 ? "}" : "{}");
        values[i] = lists[i].data;
        status = lists[i].failed ? pv_i_no_memory(error) : status;
    }
    PV_TRY_CLEAN(status);
    PV_TRY_CLEAN(pv_i_pq_send(c, "asking for columns", types_of, values, N_LISTS, error));
    PV_TRY_CLEAN(rows_of(c, &types, error));
    for (int i = 0; i < n && i < c->f.PQntuples(types); i++) {
        const char *const name = c->f.PQfname(of, i);
        PV_TRY_CLEAN(pv_i_engine_columns_add(columns, name, strlen(name),
                                             c->f.PQgetvalue(types, i, 0), error));
        columns->columns[columns->n - 1].folds = c->f.PQgetvalue(types, i, 1)[0] == '1';
    }
cleanup:
    c->f.PQclear(types);
    for (size_t i = 0; i < N_LISTS; i++) {
        pv_i_buffer_deinit(&lists[i]);
    }
    return status;
}

static pv_status describe(void *connection, const char *select, pv_engine_columns *columns,
                          pv_error *error)
{
    pv_pq *const c = connection;
    PGresult *found = NULL;
    c->doing = "asking for columns";
    c->ticker = pv_i_ticker(c->context, c->doing, 0);
    if (!c->f.PQsendPrepare(c->conn, "", select, 0, NULL)) {
        return lost(c, error);
    }
    PV_TRY(pv_i_pq_finish(c, error));
    if (!c->f.PQsendDescribePrepared(c->conn, "")) {
        return lost(c, error);
    }
    PV_TRY(pv_i_pq_next(c, &found, error));
    if (c->f.PQresultStatus(found) != PGRES_COMMAND_OK) {
        const pv_status status = pv_i_pq_failed(c, found, error);
        pv_i_pq_abandon(c);
        return status;
    }
    pv_status status = pv_i_pq_finish(c, error);
    if (status == PV_STATUS_OK) {
        status = add_columns(c, found, columns, error);
    }
    c->f.PQclear(found);
    return status;
}

/* ------------------------------------------------------------ rows elsewhere
 *
 * PostgreSQL lets other servers group their own rows (postgres_fdw), but of a table that is divided
 * among several servers it brings all rows here and groups them itself. So each part is grouped by
 * a statement of its own. Not where policies choose rows of the whole table or of a part: what they
 * show of the whole is not what they show of its parts; nor where a part may not be read by itself.
 */
static const char parts_of[] =
    "WITH RECURSIVE tree(id) AS (SELECT pg_catalog.to_regclass($1)::pg_catalog.oid UNION "
    "SELECT i.inhrelid FROM pg_catalog.pg_inherits i JOIN tree t ON i.inhparent = t.id), "
    "parts AS (SELECT c.oid AS id, c.relkind AS kind, n.nspname AS schema, c.relname AS name "
    "FROM tree t JOIN pg_catalog.pg_class c ON c.oid = t.id "
    "JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'f')) "
    "SELECT pg_catalog.format('ONLY %I.%I', schema, name) FROM parts WHERE "
    "(SELECT pg_catalog.count(*) FROM parts) > 1 AND "
    "(SELECT pg_catalog.bool_or(kind = 'f') FROM parts) AND "
    "(SELECT pg_catalog.bool_and(pg_catalog.has_table_privilege(id, 'SELECT')) FROM parts) AND "
    "NOT (SELECT pg_catalog.bool_or(pg_catalog.row_security_active(id)) FROM parts) AND "
    "NOT pg_catalog.row_security_active(pg_catalog.to_regclass($1)::pg_catalog.oid) "
    "ORDER BY schema, name";

static pv_status parts(void *connection, const char *table, char ***names, size_t *n,
                       pv_error *error)
{
    pv_pq *const c = connection;
    PGresult *found = NULL;
    PV_TRY(pv_i_pq_send(c, "asking for partitions", parts_of, &table, 1, error));
    PV_TRY(rows_of(c, &found, error));
    const size_t count = (size_t)c->f.PQntuples(found);
    char **const made = PV_NEW_ZEROED(char *, count);
    bool fine = made != NULL;
    for (size_t i = 0; fine && i < count; i++) {
        made[i] = pv_i_strdup(c->f.PQgetvalue(found, (int)i, 0));
        fine = made[i] != NULL;
    }
    c->f.PQclear(found);
    if (!fine) {
        for (size_t i = 0; made != NULL && i < count; i++) {
            pv_i_free(made[i]);
        }
        pv_i_free(made);
        return pv_i_no_memory(error);
    }
    *names = made;
    *n = count;
    return PV_STATUS_OK;
}

/* -------------------------------------------------------------------- engine */

static const pv_sql dialect = {
    .quote = '"',
    .text = "CAST(%s AS TEXT)",
    .unfolded = "CAST(%s AS TEXT) COLLATE \"C\"",
    .types = {"TEXT", "BIGINT", "NUMERIC", "DATE"},
    .casts = {"%s", "CAST(%s AS BIGINT)", "CAST(%s AS NUMERIC)", "CAST(%s AS DATE)"},
    .begin = "BEGIN",
    .commit = "COMMIT",
    .rollback = "ROLLBACK",
    .staging = "CREATE TEMPORARY TABLE ",
    .staging_end = "",
    .create_end = "",
    /* With its schema and of these very types: anybody who may make a function could have made one
     * of that name that fits better, and it would run as whoever releases. */
    .repeat = "%s s, pg_catalog.generate_series(CAST(1 AS BIGINT), CAST(s.n AS BIGINT)) r",
    .rename = "ALTER TABLE %s RENAME TO %s",
    .drop = "DROP TABLE IF EXISTS %s",
    .keep = "CREATE TEMPORARY TABLE %s ON COMMIT DROP AS %s",
};

const pv_engine pv_i_engine_postgresql = {
    .name = "postgresql",
    .alias = "postgres",
    .title = TITLE,
    .sql = &dialect,
    .open = open_connection,
    .close = close_connection,
    .run = run,
    .describe = describe,
    .fetch = pv_i_pq_fetch,
    .load = pv_i_pq_load,
    .traffic = traffic,
    .parts = parts,
};

#endif
