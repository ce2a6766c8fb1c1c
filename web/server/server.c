/* HTTP. What a request means is decided elsewhere: here are sockets, headers and bodies. */
#include "server/server.h"

#include "core/fail.h"
#include "core/text.h"
#include "server/peer.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MOST_CONNECTIONS 32 /* that are served */
/* Some more are told that there are too many. Together 64: nearly everybody comes by 127.0.0.1. */
#define CONNECTIONS_4 52
#define CONNECTIONS_6 12
#define SILENCE_SECONDS 30
#define BODY_SECONDS 120.0 /* an upload from this machine takes one or two */
#define HEADER_BYTES (32u << 10)
#define FIRST_BODY 4096

struct web_server {
    web_explorer *explorer;
    struct MHD_Daemon *daemons[2];
    int sockets[2]; /* after quiescing they are ours */
    unsigned port;
    atomic_size_t n_connections;
    atomic_bool has_told; /* of strangers */
};

/* -------------------------------------------------------------- connections */

/* Other users of this machine get no answer, and take no place: see peer.h. */
static enum MHD_Result let_in(void *ctx, const struct sockaddr *peer, socklen_t size)
{
    web_server *const server = ctx;
    web_explorer *const explorer = server->explorer;
    uint64_t user = 0;
    (void)size;
    const unsigned port = web_guard_port(&explorer->guard);
    const web_peer who = port != 0 ? web_peer_of(peer, port, &user) : WEB_PEER_UNKNOWN;
    if (who == WEB_PEER_STRANGER && explorer->stranger != NULL &&
        !atomic_exchange(&server->has_told, true)) {
        explorer->stranger(explorer->end_ctx, user);
    }
    return who == WEB_PEER_OWN ? MHD_YES : MHD_NO;
}

/* What is kept with a connection that is one too many. */
static const char too_many;

static void count_connection(void *ctx, struct MHD_Connection *connection, void **place,
                             enum MHD_ConnectionNotificationCode what)
{
    web_server *const server = ctx;
    (void)connection;
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        const size_t others = atomic_fetch_add(&server->n_connections, 1);
        *place = others >= MOST_CONNECTIONS ? (void *)(uintptr_t)&too_many : NULL;
    } else {
        (void)atomic_fetch_sub(&server->n_connections, 1);
    }
}

static bool is_one_too_many(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *const info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info != NULL && info->socket_context == &too_many;
}

/* -------------------------------------------------------------- one request */

typedef struct request {
    web_request asked;
    size_t address_size;
    char *body;
    size_t size, capacity;
    web_upload *upload;
    double until; /* its body must have come */
    bool is_refused;
    web_answer answer; /* if it is refused */
} request;

/* Called with the whole address, before it is taken apart. */
static void *begin(void *ctx, const char *address, struct MHD_Connection *connection)
{
    (void)ctx;
    (void)connection;
    request *const r = cli_zeroed(1, sizeof *r);
    r->address_size = strlen(address);
    r->until = web_now() + BODY_SECONDS;
    return r;
}

static void forget(void *ctx, struct MHD_Connection *connection, void **place,
                   enum MHD_RequestTerminationCode how)
{
    request *const r = *place;
    (void)ctx;
    (void)connection;
    (void)how;
    if (r != NULL) {
        web_upload_drop(r->upload);
        web_answer_free(&r->answer);
        free(r->body);
        free(r);
    }
    *place = NULL;
}

static const char *header(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static const char *argument(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, name);
}

static uint64_t announced_size(struct MHD_Connection *connection)
{
    const char *const text = header(connection, MHD_HTTP_HEADER_CONTENT_LENGTH);
    return text != NULL ? strtoull(text, NULL, 10) : 0; /* the library has checked it */
}

/* A page that asked for news may have been closed since. */
static bool is_gone(void *ctx)
{
    const union MHD_ConnectionInfo *const info =
        MHD_get_connection_info(ctx, MHD_CONNECTION_INFO_CONNECTION_FD);
    struct pollfd peer = {.fd = info != NULL ? info->connect_fd : -1, .events = POLLRDHUP};
    return poll(&peer, 1, 0) == 1;
}

static void read_head(request *r, struct MHD_Connection *connection, const char *address,
                      const char *method)
{
    r->asked =
        (web_request){.asker = {.method = method,
                                .path = address,
                                .token = argument(connection, "token"),
                                .host = header(connection, MHD_HTTP_HEADER_HOST),
                                .origin = header(connection, MHD_HTTP_HEADER_ORIGIN),
                                .fetch_site = header(connection, "Sec-Fetch-Site"),
                                .cookie = header(connection, MHD_HTTP_HEADER_COOKIE),
                                .content_type = header(connection, MHD_HTTP_HEADER_CONTENT_TYPE),
                                .address_size = r->address_size,
                                .body_size = announced_size(connection)},
                      .since = argument(connection, "since"),
                      .name = argument(connection, "name"),
                      .file = argument(connection, "path"),
                      .is_gone = is_gone,
                      .is_gone_ctx = connection};
}

/* ------------------------------------------------------------------- answer */

static void add(struct MHD_Response *response, const char *name, const char *value)
{
    if (MHD_add_response_header(response, name, value) != MHD_YES) {
        cli_no_memory();
    }
}

/* A page of a release has its styles and scripts in itself. It is shown without being of our
 * origin: it can ask nothing of us, and nothing of anybody else. */
static void add_policy(struct MHD_Response *response, bool is_file)
{
    add(response, "Content-Security-Policy",
        is_file ? "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
                  "img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; "
                  "sandbox allow-scripts"
                : "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: "
                  "blob:; connect-src 'self'; frame-src 'self'; form-action 'none'; "
                  "base-uri 'none'; frame-ancestors 'none'");
    add(response, "X-Content-Type-Options", "nosniff");
    add(response, "Referrer-Policy", "no-referrer");
    add(response, "Cross-Origin-Opener-Policy", "same-origin");
    add(response, "Cross-Origin-Resource-Policy", "same-origin");
    add(response, "Cache-Control", "no-store");
}

static void add_cookie(struct MHD_Response *response, const web_guard *guard)
{
    char *const cookie =
        cli_format("%s=%s; Path=/; HttpOnly; SameSite=Strict", guard->cookie, guard->secret);
    add(response, MHD_HTTP_HEADER_SET_COOKIE, cookie);
    free(cookie);
}

/* Sends the answer and frees it. */
static enum MHD_Result send_answer(const web_server *server, struct MHD_Connection *connection,
                                   web_answer *answer)
{
    struct MHD_Response *const response =
        answer->owned != NULL
            ? MHD_create_response_from_buffer(answer->size, answer->owned, MHD_RESPMEM_MUST_FREE)
            : MHD_create_response_from_buffer(answer->size, (void *)(uintptr_t)answer->bytes,
                                              MHD_RESPMEM_PERSISTENT);
    if (response == NULL) {
        web_answer_free(answer);
        return MHD_NO;
    }
    add(response, MHD_HTTP_HEADER_CONTENT_TYPE, answer->type);
    add_policy(response, answer->is_file);
    if (answer->is_compressed) {
        add(response, MHD_HTTP_HEADER_CONTENT_ENCODING, "gzip");
    }
    if (answer->location != NULL) {
        add(response, MHD_HTTP_HEADER_LOCATION, answer->location);
    }
    if (answer->sets_cookie) {
        add_cookie(response, &server->explorer->guard);
    }
    if (is_one_too_many(connection)) {
        add(response, MHD_HTTP_HEADER_CONNECTION, "close");
    }
    const enum MHD_Result result = MHD_queue_response(connection, answer->status, response);
    MHD_destroy_response(response);
    *answer = (web_answer){0};
    return result;
}

/* --------------------------------------------------------------------- body */

static void refuse(request *r, unsigned status, pv_status kind, const char *message)
{
    pv_error error = {0};
    error.status = cli_error(&error, kind, "%s", message);
    web_answer_free(&r->answer); /* it may have been refused for something else */
    web_answer_fail(&r->answer, status, &error);
    r->is_refused = true;
}

static void begin_upload(request *r, const web_server *server)
{
    pv_error error = {0};
    const char *const name = r->asked.name != NULL ? r->asked.name : "";
    error.status = web_upload_begin(server->explorer->files, name, &r->upload, &error);
    if (error.status != PV_STATUS_OK) {
        web_answer_fail(&r->answer, error.status == PV_STATUS_IO ? 500 : 400, &error);
        r->is_refused = true;
    }
}

static void add_body(request *r, const char *bytes, size_t size)
{
    if (r->capacity - r->size < size) {
        size_t capacity = r->capacity > 0 ? r->capacity : FIRST_BODY;
        while (capacity - r->size < size) {
            capacity *= 2;
        }
        char *const longer = realloc(r->body, capacity);
        if (longer == NULL) {
            cli_no_memory();
        }
        r->body = longer;
        r->capacity = capacity;
    }
    memcpy(r->body + r->size, bytes, size);
}

/* A piece of the body. What was refused, or is too large though it did not say so, is read no
 * further than its end. */
static enum MHD_Result take_body(request *r, const char *bytes, size_t size)
{
    const size_t most = r->upload != NULL ? WEB_MOST_UPLOAD : WEB_MOST_BODY;
    if (web_now() > r->until || r->size > most) {
        return MHD_NO; /* the connection is closed */
    }
    if (r->size + size > most) {
        refuse(r, 413, PV_STATUS_LIMIT, "the request is too large");
    } else if (!r->is_refused && r->upload != NULL) {
        pv_error error = {0};
        error.status = web_upload_add(r->upload, bytes, size, &error);
        if (error.status != PV_STATUS_OK) {
            web_answer_fail(&r->answer, 500, &error);
            r->is_refused = true;
        }
    } else if (!r->is_refused) {
        add_body(r, bytes, size);
    }
    r->size += size;
    return MHD_YES;
}

/* Called with the head, with every piece of the body, and at its end. */
static enum MHD_Result answer(void *ctx, struct MHD_Connection *connection, const char *address,
                              const char *method, const char *version, const char *bytes,
                              size_t *size, void **place)
{
    const web_server *const server = ctx;
    request *const r = *place;
    web_answer made = {0};
    (void)version;
    if (r == NULL) {
        return MHD_NO;
    }
    if (r->asked.asker.path == NULL) { /* the head */
        read_head(r, connection, address, method);
        if (is_one_too_many(connection)) {
            web_answer_busy(&made);
            return send_answer(server, connection, &made);
        }
        if (web_dispatch_early(server->explorer, &r->asked.asker, &made)) {
            return send_answer(server, connection, &made);
        }
        if (cli_equal(address, "/api/uploads") && cli_equal(method, MHD_HTTP_METHOD_POST)) {
            begin_upload(r, server);
        }
        return MHD_YES;
    }
    if (*size > 0) {
        const size_t n = *size;
        *size = 0;
        return take_body(r, bytes, n);
    }
    if (r->is_refused) {
        return send_answer(server, connection, &r->answer);
    }
    r->asked.asker.body_size = r->size;
    r->asked.body = r->body != NULL ? r->body : "";
    r->asked.upload = r->upload;
    r->upload = NULL;
    web_dispatch(server->explorer, &r->asked, &made);
    return send_answer(server, connection, &made);
}

/* --------------------------------------------------------------------- life */

#define FLAGS \
    (MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL | MHD_USE_ITC)

static struct MHD_Daemon *listen_at(web_server *server, const struct sockaddr *where, unsigned port,
                                    unsigned connections, unsigned flags)
{
    return MHD_start_daemon(FLAGS | flags, (uint16_t)port, let_in, server, answer, server,
                            MHD_OPTION_SOCK_ADDR, where, MHD_OPTION_CONNECTION_LIMIT, connections,
                            MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SILENCE_SECONDS,
                            MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEADER_BYTES,
                            MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_URI_LOG_CALLBACK, begin,
                            NULL, MHD_OPTION_NOTIFY_COMPLETED, forget, NULL,
                            MHD_OPTION_NOTIFY_CONNECTION, count_connection, server, MHD_OPTION_END);
}

pv_status web_server_start(web_explorer *explorer, unsigned port, web_server **server,
                           pv_error *error)
{
    const struct sockaddr_in here = {.sin_family = AF_INET,
                                     .sin_port = htons((uint16_t)port),
                                     .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
    CLI_TRY(web_peer_check(error));
    web_server *const made = cli_zeroed(1, sizeof *made);
    *made = (web_server){.explorer = explorer, .sockets = {-1, -1}};
    atomic_init(&made->n_connections, 0);
    atomic_init(&made->has_told, false);
    errno = 0;
    made->daemons[0] = listen_at(made, (const struct sockaddr *)&here, port, CONNECTIONS_4, 0);
    const int reason = errno;
    const union MHD_DaemonInfo *const info =
        made->daemons[0] != NULL ? MHD_get_daemon_info(made->daemons[0], MHD_DAEMON_INFO_BIND_PORT)
                                 : NULL;
    if (info == NULL) {
        web_server_stop(made);
        return cli_hint(cli_error(error, PV_STATUS_IO, "cannot listen on 127.0.0.1:%u: %s", port,
                                  reason != 0 ? strerror(reason) : "no reason is given"),
                        error, "choose another port with --port, or none");
    }
    made->port = info->port;
    web_guard_set_port(&explorer->guard, made->port);
    /* Some machines have no second address, or somebody else has the port there. */
    const struct sockaddr_in6 there = {.sin6_family = AF_INET6,
                                       .sin6_port = htons((uint16_t)made->port),
                                       .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    made->daemons[1] =
        listen_at(made, (const struct sockaddr *)&there, made->port, CONNECTIONS_6, MHD_USE_IPv6);
    *server = made;
    return PV_STATUS_OK;
}

unsigned web_server_port(const web_server *server)
{
    return server->port;
}

void web_server_quiesce(web_server *server)
{
    for (size_t i = 0; i < 2; i++) {
        if (server->daemons[i] != NULL && server->sockets[i] < 0) {
            server->sockets[i] = MHD_quiesce_daemon(server->daemons[i]);
        }
    }
}

void web_server_stop(web_server *server)
{
    if (server == NULL) {
        return;
    }
    for (size_t i = 0; i < 2; i++) {
        if (server->daemons[i] != NULL) {
            MHD_stop_daemon(server->daemons[i]);
        }
        if (server->sockets[i] >= 0) {
            (void)close(server->sockets[i]);
        }
    }
    free(server);
}
