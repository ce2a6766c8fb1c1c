/* One statement to a ClickHouse server and its answer, by libcurl.
 *
 * The transfer runs in steps of at most a twentieth of a second, so that the caller's progress is
 * looked at between them, however long the server is silent. Name and password are headers: an
 * address ends up in logs. Neither a proxy nor another server that an answer points to ever sees
 * them. */
#ifdef PV_HAVE_CURL

#include "engine/clickhouse.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/ticker.h"
#include "engine/library.h"

#include <curl/curl.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#define STEP_MS 50
#define CONNECT_MS 10000L
#define CANCEL_MS 3000L     /* for asking the server to cancel */
#define GIVE_UP_SECONDS 2.0 /* for the other servers, when one has failed */
#define RECEIVE_SIZE 262144L
#define QUERY_ID 41 /* "paravent-" and 31 digits, with the NUL */

#define FUNCTIONS(X)            \
    X(curl_global_init)         \
    X(curl_easy_init)           \
    X(curl_easy_cleanup)        \
    X(curl_easy_setopt)         \
    X(curl_easy_getinfo)        \
    X(curl_easy_strerror)       \
    X(curl_slist_append)        \
    X(curl_slist_free_all)      \
    X(curl_multi_init)          \
    X(curl_multi_cleanup)       \
    X(curl_multi_add_handle)    \
    X(curl_multi_remove_handle) \
    X(curl_multi_perform)       \
    X(curl_multi_wait)          \
    X(curl_multi_info_read)

/* curl.h makes macros of some of these names, which look at types. */
#undef curl_easy_setopt
#undef curl_easy_getinfo

/* NOLINTBEGIN(bugprone-macro-parentheses) */
typedef struct {
#define X(name) __typeof__(name) *name;
    FUNCTIONS(X)
#undef X
} functions;
/* NOLINTEND(bugprone-macro-parentheses) */

static const char *const symbols[] = {
#define X(name) #name,
    FUNCTIONS(X)
#undef X
};

#define N_SYMBOLS (sizeof symbols / sizeof *symbols)
_Static_assert(sizeof(functions) == N_SYMBOLS * sizeof(void *), "one pointer for each symbol");

struct ch_http {
    const pv_place *place; /* borrowed */
    const ch_login *login; /* borrowed */
    const pv_context *context;
    void *library;
    functions curl;
    CURLM *multi;
    struct curl_slist *headers, *long_headers; /* of statements; of those that rows follow */
    uint64_t received, sent;
};

/* A request on its way to one server. */
typedef struct {
    ch_http *http;
    const ch_request *request;
    const char *server; /* its URL */
    CURL *easy;
    bool is_done;
    CURLcode code; /* of what is done */
    long answer;
    pv_status status; /* of what hears and says */
    pv_error *error;
    pv_buffer piece; /* said, and how much of it was sent */
    size_t piece_sent;
    pv_buffer refusal; /* what the server says instead of an answer */
    bool is_refused;
    uint64_t heard;
    char id[QUERY_ID];
} transfer;

/* ------------------------------------------------------------------ addresses */

void pv_i_ch_encode(pv_buffer *to, const char *text)
{
    for (; *text != '\0'; text++) {
        const unsigned char c = (unsigned char)*text;
        const bool is_plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
                              (c >= 'a' && c <= 'z') || (c != '\0' && strchr("-_.~", c) != NULL);
        if (is_plain) {
            pv_i_buffer_char(to, (char)c);
        } else {
            pv_i_buffer_format(to, "%%%02X", (unsigned)c);
        }
    }
}

static void make_address(const transfer *t, pv_buffer *url)
{
    pv_i_buffer_format(url, "%s?query_id=%s", t->server, t->id);
    if (t->http->login->database != NULL) {
        pv_i_buffer_text(url, "&database=");
        pv_i_ch_encode(url, t->http->login->database);
    }
    pv_i_buffer_text(url, t->request->parameters);
    if (t->request->say != NULL) {
        pv_i_buffer_text(url, "&query=");
        pv_i_ch_encode(url, t->request->statement);
    }
}

/* No two statements of anyone have the same. */
static pv_status make_id(char id[QUERY_ID], pv_error *error)
{
    uint64_t words[2];
    if (getrandom(words, sizeof words, 0) != (ssize_t)sizeof words) {
        return pv_i_fail_errno(error, PV_STATUS_IO, NULL, "the system has no random numbers");
    }
    (void)snprintf(id, QUERY_ID, "paravent-%016" PRIx64 "%015" PRIx64, words[0], words[1] >> 4);
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------ what curl calls */

/* An answer that is no success is text. */
static size_t hear_bytes(char *data, size_t size, size_t n, void *ctx)
{
    transfer *const t = ctx;
    const size_t bytes = size * n;
    long code = 0;
    t->http->received += bytes;
    t->heard += bytes;
    (void)t->http->curl.curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &code);
    if (code != 200 || t->request->hear == NULL) {
        const size_t room = CH_ERROR_TEXT - t->refusal.size;
        t->is_refused = true;
        pv_i_buffer_bytes(&t->refusal, data, bytes < room ? bytes : room);
        return bytes;
    }
    t->status = t->request->hear(t->request->ctx, data, bytes, t->error);
    return t->status == PV_STATUS_OK ? bytes : 0;
}

static size_t say_bytes(char *data, size_t size, size_t n, void *ctx)
{
    transfer *const t = ctx;
    if (t->piece_sent == t->piece.size) {
        pv_i_buffer_clear(&t->piece);
        t->piece_sent = 0;
        t->status = t->request->say(t->request->ctx, &t->piece, t->error);
        if (t->status == PV_STATUS_OK && t->piece.failed) {
            t->status = pv_i_no_memory(t->error);
        }
        if (t->status != PV_STATUS_OK) {
            return CURL_READFUNC_ABORT;
        }
    }
    const size_t left = t->piece.size - t->piece_sent;
    const size_t bytes = left < size * n ? left : size * n;
    if (bytes > 0) {
        memcpy(data, t->piece.data + t->piece_sent, bytes);
    }
    t->piece_sent += bytes;
    t->http->sent += bytes;
    return bytes;
}

/* --------------------------------------------------------------- one transfer */

static bool set_common(const ch_http *http, CURL *easy, const char *url)
{
    const functions *const curl = &http->curl;
    CURLcode code = CURLE_OK;
#define SET(option, value) \
    code = code != CURLE_OK ? code : curl->curl_easy_setopt(easy, option, value)
    SET(CURLOPT_URL, url);
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_PROXY, "");
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_FRESH_CONNECT, 1L);
    SET(CURLOPT_FORBID_REUSE, 1L);
    SET(CURLOPT_CONNECTTIMEOUT_MS, CONNECT_MS);
    SET(CURLOPT_TCP_KEEPALIVE, 1L);
    SET(CURLOPT_BUFFERSIZE, RECEIVE_SIZE);
    SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    SET(CURLOPT_HTTPHEADER, http->headers);
    SET(CURLOPT_POST, 1L);
    if (http->login->certificates != NULL) {
        SET(CURLOPT_CAINFO, http->login->certificates);
    }
#undef SET
    return code == CURLE_OK;
}

static bool set_transfer(transfer *t, const char *url)
{
    const functions *const curl = &t->http->curl;
    CURLcode code = CURLE_OK;
    if (!set_common(t->http, t->easy, url)) {
        return false;
    }
#define SET(option, value) \
    code = code != CURLE_OK ? code : curl->curl_easy_setopt(t->easy, option, value)
    SET(CURLOPT_WRITEFUNCTION, hear_bytes);
    SET(CURLOPT_WRITEDATA, (void *)t);
    if (t->request->say != NULL) {
        SET(CURLOPT_READFUNCTION, say_bytes);
        SET(CURLOPT_READDATA, (void *)t);
        SET(CURLOPT_HTTPHEADER, t->http->long_headers);
    } else {
        SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)strlen(t->request->statement));
        SET(CURLOPT_POSTFIELDS, t->request->statement);
    }
#undef SET
    return code == CURLE_OK;
}

/* The server goes on with a statement whose client is gone, until it has something to say. */
static size_t hear_nothing(char *data, size_t size, size_t n, void *ctx)
{
    (void)data;
    (void)ctx;
    return size * n;
}

/* Tells the server; whether it hears is not waited for long. */
static void cancel_on_server(const transfer *t)
{
    const functions *const curl = &t->http->curl;
    char statement[128];
    CURL *const easy = curl->curl_easy_init();
    CURLM *const multi = curl->curl_multi_init();
    (void)snprintf(statement, sizeof statement, "KILL QUERY WHERE query_id = '%s'", t->id);
    if (easy != NULL && multi != NULL && set_common(t->http, easy, t->server) &&
        curl->curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, CANCEL_MS) == CURLE_OK &&
        curl->curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, hear_nothing) == CURLE_OK &&
        curl->curl_easy_setopt(easy, CURLOPT_POSTFIELDS, statement) == CURLE_OK &&
        curl->curl_multi_add_handle(multi, easy) == CURLM_OK) {
        int running = 1;
        while (curl->curl_multi_perform(multi, &running) == CURLM_OK && running > 0) {
            int n = 0;
            (void)curl->curl_multi_wait(multi, NULL, 0, STEP_MS, &n);
        }
        (void)curl->curl_multi_remove_handle(multi, easy);
    }
    if (multi != NULL) {
        (void)curl->curl_multi_cleanup(multi);
    }
    if (easy != NULL) {
        curl->curl_easy_cleanup(easy);
    }
}

/* The transfers of one request: to one server mostly. */
typedef struct {
    transfer *each;
    size_t n;
    double end; /* when those that are left are given up, because one has failed; 0 = never */
} transfers;

static bool has_failed(const transfer *t)
{
    return t->code != CURLE_OK || t->is_refused || t->answer != 200;
}

static void take_ended(transfers *ts, ch_http *http)
{
    const CURLMsg *message = NULL;
    int left = 0;
    while ((message = http->curl.curl_multi_info_read(http->multi, &left)) != NULL) {
        for (size_t i = 0; i < ts->n; i++) {
            transfer *const t = &ts->each[i];
            if (message->msg == CURLMSG_DONE && message->easy_handle == t->easy) {
                t->is_done = true;
                t->code = message->data.result;
                (void)http->curl.curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &t->answer);
                if (has_failed(t) && ts->end <= 0) {
                    ts->end = pv_i_now() + GIVE_UP_SECONDS;
                }
            }
        }
    }
}

static uint64_t heard_by(const transfers *ts)
{
    uint64_t heard = 0;
    for (size_t i = 0; i < ts->n; i++) {
        heard += ts->each[i].heard;
    }
    return heard;
}

/* Until all have ended; or one has failed, and the others had a moment to end. */
static pv_status step_through(transfers *ts, ch_http *http, const char *doing, pv_error *error)
{
    static const struct timespec pause = {.tv_nsec = STEP_MS * 1000000L / 5};
    const functions *const curl = &http->curl;
    pv_ticker ticker = pv_i_ticker(http->context, doing, 0);
    int running = 1;
    for (;;) {
        int n = 0;
        if (curl->curl_multi_perform(http->multi, &running) != CURLM_OK) {
            return pv_i_no_memory(error);
        }
        take_ended(ts, http);
        if (running == 0 || (ts->end > 0 && pv_i_now() > ts->end)) {
            return PV_STATUS_OK;
        }
        if (!pv_i_tick(&ticker, heard_by(ts))) {
            return pv_i_cancelled(error);
        }
        if (curl->curl_multi_wait(http->multi, NULL, 0, STEP_MS, &n) != CURLM_OK) {
            return pv_i_no_memory(error);
        }
        if (n == 0) { /* a name is looked up: there is nothing to wait for */
            (void)nanosleep(&pause, NULL);
        }
    }
}

/* For messages: which of several servers. */
static void name_server(const transfer *t, char *name, size_t size)
{
    const char *const slashes = strstr(t->server, "://");
    const char *const host = slashes != NULL ? slashes + 3 : t->server;
    (void)snprintf(name, size, "%s%.*s", t->request->n_servers > 0 ? " at " : "",
                   t->request->n_servers > 0 ? (int)strcspn(host, "/") : 0, host);
}

/* What curl says. */
static pv_status failed_transfer(const transfer *t)
{
    const char *const file = t->http->place->text;
    const char *const reason = t->http->curl.curl_easy_strerror(t->code);
    char at[256];
    name_server(t, at, sizeof at);
    switch (t->code) {
    case CURLE_OUT_OF_MEMORY: return pv_i_no_memory(t->error);
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
    case CURLE_OPERATION_TIMEDOUT:
        return pv_i_hint(
            pv_i_fail_at(t->error, PV_STATUS_IO, file, 0, 0, "no connection to ClickHouse%s: %s",
                         at,
                         t->code != CURLE_COULDNT_RESOLVE_HOST ? "no server answers there"
                                                               : "the host is not known"),
            t->error, "look whether the server runs, and at the port, which is that of HTTP");
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CACERT_BADFILE:
        return pv_i_hint(pv_i_fail_at(t->error, PV_STATUS_IO, file, 0, 0,
                                      "no connection to ClickHouse%s: %s", at, reason),
                         t->error,
                         "clickhouses:// is for servers with TLS; who signed their certificates is "
                         "openSSL/client/caConfig of clickhouse-client's configuration");
    default:
        return pv_i_hint(pv_i_fail_at(t->error, PV_STATUS_IO, file, 0, 0,
                                      "lost the connection to ClickHouse%s while %s: %s", at,
                                      t->request->doing, reason),
                         t->error, "look whether the server runs, and try again");
    }
}

/* Of one that has ended: what the server said, or else what curl says. */
static pv_status outcome(const transfer *t)
{
    char doing[512];
    char at[256];
    if (t->refusal.failed) {
        return pv_i_no_memory(t->error);
    }
    if (!t->is_refused && (t->answer == 200 || t->answer == 0)) {
        return t->code == CURLE_OK ? PV_STATUS_OK : failed_transfer(t);
    }
    name_server(t, at, sizeof at);
    (void)snprintf(doing, sizeof doing, "%s%s", t->request->doing, at);
    return pv_i_ch_refused(t->http->place, doing, t->refusal.data != NULL ? t->refusal.data : "",
                           t->http->login->password, t->error);
}

/* The first failure; what was given up because of it is none. */
static pv_status outcomes(const transfers *ts)
{
    for (size_t i = 0; i < ts->n; i++) {
        const transfer *const t = &ts->each[i];
        if (t->status != PV_STATUS_OK || (t->is_done && has_failed(t))) {
            return t->status != PV_STATUS_OK ? t->status : outcome(t);
        }
    }
    return PV_STATUS_OK;
}

static pv_status run_transfers(transfers *ts, ch_http *http, const char *doing, pv_error *error)
{
    size_t n = 0;
    bool are_added = true;
    while (n < ts->n && are_added) {
        are_added = http->curl.curl_multi_add_handle(http->multi, ts->each[n].easy) == CURLM_OK;
        n += are_added;
    }
    pv_status status = are_added ? step_through(ts, http, doing, error) : pv_i_no_memory(error);
    for (size_t i = 0; i < n; i++) {
        (void)http->curl.curl_multi_remove_handle(http->multi, ts->each[i].easy);
    }
    for (size_t i = 0; i < n; i++) { /* given up on our side */
        if (!ts->each[i].is_done || ts->each[i].status != PV_STATUS_OK) {
            cancel_on_server(&ts->each[i]);
        }
    }
    return status == PV_STATUS_OK ? outcomes(ts) : status;
}

static pv_status prepare(transfer *t, pv_error *error)
{
    pv_buffer url = {0};
    pv_status status = make_id(t->id, error);
    if (status == PV_STATUS_OK) {
        make_address(t, &url);
        t->easy = t->http->curl.curl_easy_init();
        status = url.failed || t->easy == NULL || !set_transfer(t, url.data) ? pv_i_no_memory(error)
                                                                             : PV_STATUS_OK;
        t->http->sent += t->request->say == NULL ? strlen(t->request->statement) : 0;
    }
    pv_i_buffer_deinit(&url);
    return status;
}

pv_status pv_i_ch_http_ask(ch_http *http, const ch_request *request, pv_error *error)
{
    const char *const own[] = {http->login->url};
    const char *const *const servers = request->n_servers > 0 ? request->servers : own;
    transfers ts = {.n = request->n_servers > 0 ? request->n_servers : 1};
    pv_status status = PV_STATUS_OK;
    ts.each = PV_NEW_ZEROED(transfer, ts.n);
    if (ts.each == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < ts.n && status == PV_STATUS_OK; i++) {
        transfer *const t = &ts.each[i];
        *t = (transfer){.http = http, .request = request, .server = servers[i], .error = error};
        status = prepare(t, error);
    }
    if (status == PV_STATUS_OK) {
        status = run_transfers(&ts, http, request->doing, error);
    }
    for (size_t i = 0; i < ts.n; i++) {
        if (ts.each[i].easy != NULL) {
            http->curl.curl_easy_cleanup(ts.each[i].easy);
        }
        pv_i_buffer_deinit(&ts.each[i].piece);
        pv_i_buffer_deinit(&ts.each[i].refusal);
    }
    pv_i_free(ts.each);
    return status;
}

uint64_t pv_i_ch_http_received(const ch_http *http)
{
    return http->received;
}

uint64_t pv_i_ch_http_sent(const ch_http *http)
{
    return http->sent;
}

/* ---------------------------------------------------------- opening and closing */

static bool add_header(ch_http *http, struct curl_slist **list, const char *name, const char *value)
{
    pv_buffer line = {0};
    /* Without a value curl sends a header whose line ends with a semicolon. */
    pv_i_buffer_format(&line, "%s%s%s", name, *value != '\0' ? ": " : ";", value);
    struct curl_slist *const more =
        line.failed ? NULL : http->curl.curl_slist_append(*list, line.data);
    if (line.data != NULL) {
        explicit_bzero(line.data, line.size);
    }
    pv_i_buffer_deinit(&line);
    *list = more != NULL ? more : *list;
    return more != NULL;
}

/* Expect: whoever asks first whether a long body is wanted waits for an answer that may not come.
 * That we do not use a connection twice is not said: a server that knows closes it before we have
 * read why it wants no more rows. */
static bool make_headers(ch_http *http, struct curl_slist **list)
{
    struct curl_slist *const first = http->curl.curl_slist_append(NULL, "Expect:");
    *list = first;
    return first != NULL && add_header(http, list, "Content-Type", "application/octet-stream") &&
           add_header(http, list, "X-ClickHouse-User", http->login->user) &&
           add_header(http, list, "X-ClickHouse-Key", http->login->password);
}

static pv_status open_library(ch_http *http, pv_error *error)
{
    static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4", "libcurl.4.dylib",
                                        NULL};
    void *found[N_SYMBOLS];
    PV_TRY(pv_i_library_open("ClickHouse", names, "install libcurl (Debian: libcurl4)",
                             &http->library, error));
    PV_TRY(pv_i_library_find(http->library, "ClickHouse", symbols, N_SYMBOLS, found, error));
    memcpy(&http->curl, found, sizeof found);
    return http->curl.curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK ? PV_STATUS_OK
                                                                        : pv_i_no_memory(error);
}

pv_status pv_i_ch_http_open(const pv_place *place, const ch_login *login, const pv_context *context,
                            ch_http **http, pv_error *error)
{
    ch_http *const made = PV_NEW(ch_http);
    if (made == NULL) {
        return pv_i_no_memory(error);
    }
    made->place = place;
    made->login = login;
    made->context = context;
    pv_status status = open_library(made, error);
    if (status == PV_STATUS_OK) {
        made->multi = made->curl.curl_multi_init();
        const bool is_made = made->multi != NULL && make_headers(made, &made->headers) &&
                             make_headers(made, &made->long_headers) &&
                             add_header(made, &made->long_headers, "Transfer-Encoding", "chunked");
        status = is_made ? PV_STATUS_OK : pv_i_no_memory(error);
    }
    if (status == PV_STATUS_OK) {
        *http = made;
    } else {
        pv_i_ch_http_close(made);
    }
    return status;
}

/* One of the headers has the password. */
static void free_headers(const ch_http *http, struct curl_slist *list)
{
    for (const struct curl_slist *line = list; line != NULL; line = line->next) {
        explicit_bzero(line->data, strlen(line->data));
    }
    if (list != NULL) {
        http->curl.curl_slist_free_all(list);
    }
}

/* The library stays: its TLS keeps what is undone only when the program ends. */
void pv_i_ch_http_close(ch_http *http)
{
    if (http == NULL) {
        return;
    }
    free_headers(http, http->headers);
    free_headers(http, http->long_headers);
    if (http->multi != NULL) {
        (void)http->curl.curl_multi_cleanup(http->multi);
    }
    pv_i_free(http);
}

#endif
