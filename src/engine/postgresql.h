/* PostgreSQL, from inside: a connection (postgresql.c) and what travels over it
 * (postgresql_copy.c). */
#ifndef PV_ENGINE_POSTGRESQL_H
#define PV_ENGINE_POSTGRESQL_H

#include "base/ticker.h"
#include "engine/engine.h"
#include "engine/place.h"

#include <libpq-fe.h>

#define PV_PQ_FUNCTIONS(X)    \
    X(PQclear)                \
    X(PQcancel)               \
    X(PQconninfo)             \
    X(PQconninfoFree)         \
    X(PQconninfoParse)        \
    X(PQconnectPoll)          \
    X(PQconnectStartParams)   \
    X(PQconsumeInput)         \
    X(PQerrorMessage)         \
    X(PQfinish)               \
    X(PQflush)                \
    X(PQfname)                \
    X(PQfmod)                 \
    X(PQfreeCancel)           \
    X(PQfreemem)              \
    X(PQftable)               \
    X(PQftablecol)            \
    X(PQftype)                \
    X(PQgetCancel)            \
    X(PQgetCopyData)          \
    X(PQgetResult)            \
    X(PQgetvalue)             \
    X(PQisBusy)               \
    X(PQnfields)              \
    X(PQntuples)              \
    X(PQputCopyData)          \
    X(PQputCopyEnd)           \
    X(PQresultErrorField)     \
    X(PQresultStatus)         \
    X(PQsendDescribePrepared) \
    X(PQsendPrepare)          \
    X(PQsendQueryParams)      \
    X(PQsetNoticeProcessor)   \
    X(PQsetnonblocking)       \
    X(PQsocket)               \
    X(PQstatus)               \
    X(PQtransactionStatus)

typedef struct pv_pq_functions {
#define X(name) __typeof__(name) *name;
    PV_PQ_FUNCTIONS(X)
#undef X
} pv_pq_functions;

typedef struct pv_pq {
    pv_pq_functions f;
    void *library;
    PGconn *conn;
    const pv_place *place;
    const pv_context *context;
    pv_ticker ticker;
    const char *doing; /* for messages: "counting rows" */
    pv_traffic traffic;
} pv_pq;

/* Waits a moment, at most, for the socket to be readable (and writable, if something is still to be
 * sent), and asks whether to stop: then the statement is cancelled on the server. */
PV_CHECKED pv_status pv_i_pq_wait(pv_pq *c, bool writing, pv_error *error);
/* Waits for the next result of what was sent, NULL if there is none any more. The caller frees it
 * with PQclear. */
PV_CHECKED pv_status pv_i_pq_next(pv_pq *c, PGresult **result, pv_error *error);
/* Sends one statement, with texts for its $1, $2, ... `doing` is for messages. */
PV_CHECKED pv_status pv_i_pq_send(pv_pq *c, const char *doing, const char *statement,
                                  const char *const *values, int n_values, pv_error *error);
/* Waits for all results of what was sent. The first failure is the one that is told. */
PV_CHECKED pv_status pv_i_pq_finish(pv_pq *c, pv_error *error);
/* What the server says of a statement that failed, without values; frees the result. NULL: the
 * connection is lost. */
PV_CHECKED pv_status pv_i_pq_failed(pv_pq *c, PGresult *result, pv_error *error);
/* Ends what is under way, after a failure of our own: cancelled on the server, results thrown
 * away. */
void pv_i_pq_abandon(pv_pq *c);

/* The engine's functions that move rows. */
pv_status pv_i_pq_fetch(void *connection, const char *select, size_t n, pv_row_hear hear, void *ctx,
                        pv_error *error);
pv_status pv_i_pq_load(void *connection, const char *table, size_t n, pv_row_next next, void *ctx,
                       pv_error *error);

#endif
