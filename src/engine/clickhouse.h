/* ClickHouse over its HTTP interface: what the files of this engine share.
 *
 *     clickhouse.c        the engine: statements and settings
 *     clickhouse_cluster.c  tables that are written to several servers
 *     clickhouse_rows.c   rows on their way
 *     clickhouse_http.c   one statement to the server and its answer, by libcurl
 *     clickhouse_login.c  where the server is, and who we are there
 *     clickhouse_error.c  what the server says when it refuses
 *
 * One statement is one request, on a connection of its own: nothing is ever sent twice because a
 * connection was found dead. */
#ifndef PV_ENGINE_CLICKHOUSE_H
#define PV_ENGINE_CLICKHOUSE_H

#include "base/buffer.h"
#include "engine/engine.h"
#include "engine/place.h"

#include <paravent/context.h>
#include <paravent/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ----------------------------------------------------------- clickhouse_login.c */

/* Owned texts. */
typedef struct ch_login {
    char *url; /* http://host:8123/ */
    char *user, *password;
    char *database;         /* NULL = the user's own */
    char *certificates;     /* a file of authorities to trust; NULL = the system's */
    char *cluster, *shards; /* as the place has them; NULL = not said */
} ch_login;

/* Reads `where` of a place, clickhouse://user@host:8123/database; what it does not say comes from
 * CLICKHOUSE_USER and CLICKHOUSE_PASSWORD, and then from the first configuration that
 * clickhouse-client would find. */
PV_CHECKED pv_status pv_i_ch_login_find(const pv_place *place, ch_login *login, pv_error *error);
void pv_i_ch_login_deinit(ch_login *login); /* forgets the password */

/* What a configuration says, for tests: `text` is its XML, `host` chooses among the connections
 * that it names. Fields that it does not give stay as they are. False = no memory. */
bool pv_i_ch_login_configure(ch_login *login, const char *text, const char *host);

/* ------------------------------------------------------------ clickhouse_http.c */

typedef struct ch_http ch_http;

PV_CHECKED pv_status pv_i_ch_http_open(const pv_place *place, const ch_login *login,
                                       const pv_context *context, ch_http **http, pv_error *error);
void pv_i_ch_http_close(ch_http *http); /* NULL is fine */

/* Hears a piece of the answer. */
typedef pv_status (*ch_hear)(void *ctx, const char *data, size_t size, pv_error *error);
/* Says the next piece to send: replaces what is in `piece`; nothing = there is no more. */
typedef pv_status (*ch_say)(void *ctx, pv_buffer *piece, pv_error *error);

typedef struct ch_request {
    const char *doing;      /* for messages: "counting rows" */
    const char *statement;  /* goes as the body, or, before what is said, in the address */
    const char *parameters; /* "&name=value..." of the address; "" = none */
    ch_hear hear;           /* NULL = no answer is expected */
    ch_say say;             /* NULL = nothing follows the statement */
    void *ctx;
    /* The URLs of those it is sent to, all at once; what is said is divided among them as they take
     * it. None = the login's own. */
    const char *const *servers;
    size_t n_servers;
} ch_request;

/* Sends one statement and hears its answer; on the way it looks at the progress. A statement that
 * is given up on this side, also because it failed on another server, is cancelled on the server.
 */
PV_CHECKED pv_status pv_i_ch_http_ask(ch_http *http, const ch_request *request, pv_error *error);

uint64_t pv_i_ch_http_received(const ch_http *http);
uint64_t pv_i_ch_http_sent(const ch_http *http);

/* Appends a text as a part of an address. */
void pv_i_ch_encode(pv_buffer *to, const char *text);

/* ----------------------------------------------------------------- clickhouse.c */

/* The servers that hold a table together. Owned texts. */
typedef struct ch_cluster {
    char *name; /* NULL = tables are on one server */
    char *database;
    char **servers; /* URLs, one for each shard */
    size_t n_servers;
    char *rows; /* what the rows of the table that is there are called on each of them; or NULL */
} ch_cluster;

typedef struct ch_connection {
    ch_login login;
    ch_http *http;
    const pv_place *place;
    pv_buffer settings; /* "&name=value..." that every statement takes */
    bool may_set;       /* may the user change settings? */
    ch_cluster cluster; /* of the table that is written */
} ch_connection;

/* Asks for something short: `answer` is its text, never NULL; lines of fields between tabs. */
PV_CHECKED pv_status pv_i_ch_ask(const ch_connection *c, const char *doing, const char *statement,
                                 pv_buffer *answer, pv_error *error);
/* Takes a field out of its escapes, in place; returns its size. */
size_t pv_i_ch_plain_field(char *field);
/* Runs a statement on the server that the place names, or on all servers of the cluster. */
PV_CHECKED pv_status pv_i_ch_run(const ch_connection *c, bool everywhere, const char *statement,
                                 pv_error *error);
PV_CHECKED pv_status pv_i_ch_describe(const ch_connection *c, const char *select,
                                      pv_engine_columns *columns, pv_error *error);

/* --------------------------------------------------------- clickhouse_cluster.c */

/* The functions of an engine of these names. */
PV_CHECKED pv_status pv_i_ch_spread(void *connection, const pv_place *place, const char *source,
                                    bool *is_spread, pv_error *error);
PV_CHECKED pv_status pv_i_ch_parts(void *connection, const char *table, char ***names, size_t *n,
                                   pv_error *error);
PV_CHECKED pv_status pv_i_ch_give_name(void *connection, const char *hidden, const char *table,
                                       bool replaces, pv_error *error);
void pv_i_ch_cluster_deinit(ch_cluster *cluster);

/* ------------------------------------------------------------ clickhouse_rows.c */

/* A result on its way, in pieces that end anywhere. */
typedef struct ch_rows {
    pv_cell *cells; /* room for `n` */
    size_t n;
    pv_row_hear hear;
    void *ctx;
    pv_buffer
        rest; /* the beginning of a row whose end has not come; empty at the end of a result */
    bool is_broken; /* what comes is no row: `rest` is the text of a failure */
} ch_rows;

/* A ch_hear. */
PV_CHECKED pv_status pv_i_ch_rows_hear(void *rows, const char *data, size_t size, pv_error *error);
/* Appends a cell of a row. */
void pv_i_ch_put_cell(pv_buffer *to, const pv_cell *cell);

/* ----------------------------------------------------------- clickhouse_error.c */

#define CH_ERROR_TEXT 16384 /* bytes of what a server says that are looked at */

/* The failure that the server's text tells of, in words that have no value of a row: the texts of
 * errors that may quote one are left out. `secret` = what never may be shown. */
PV_CHECKED pv_status pv_i_ch_refused(const pv_place *place, const char *doing, const char *text,
                                     const char *secret, pv_error *error);

#endif
