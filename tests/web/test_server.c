/* The interface as the network sees it: who is refused, and how. */
#include "web/client.h"

#include <poll.h>

static int set_up(void **state)
{
    client *const c = calloc(1, sizeof *c);
    assert_non_null(c);
    *c = client_open(200);
    json_decref(client_opened(c));
    *state = c;
    return 0;
}

static int tear_down(void **state)
{
    client_close(*state);
    free(*state);
    return 0;
}

/* With these headers, "%s" being the cookie and "%u" the port in that order, wherever they are. */
static void expect(const client *c, int status, const char *method, const char *path,
                   const char *cookie, const char *more)
{
    char headers[6000];
    (void)snprintf(headers, sizeof headers, "%s%s%s%s", cookie != NULL ? "Cookie: " : "",
                   cookie != NULL ? cookie : "", cookie != NULL ? "\r\n" : "", more);
    reply r = client_ask(c, method, path, headers, strcmp(method, "POST") == 0 ? "{}" : "");
    if (r.status != status) {
        fail_msg("%s %s: %d instead of %d (%s)", method, path, r.status, status, more);
    }
    assert_non_null(reply_header(&r, "Content-Security-Policy"));
    assert_string_equal(reply_header(&r, "X-Content-Type-Options"), "nosniff");
    assert_string_equal(reply_header(&r, "Cache-Control"), "no-store");
    assert_string_equal(reply_header(&r, "Referrer-Policy"), "no-referrer");
    assert_null(reply_header(&r, "Access-Control-Allow-Origin"));
    reply_free(&r);
}

static void nothing_without_the_cookie(void **state)
{
    static const char *const paths[] = {"/",
                                        "/app.js",
                                        "/app.css",
                                        "/icon.svg",
                                        "/api/state",
                                        "/api/jobs/1",
                                        "/api/files?path=plan.yaml",
                                        "/nothing"};
    const client *const c = *state;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        expect(c, 403, "GET", paths[i], NULL, "");
        expect(c, 403, "GET", paths[i], "paravent-1=0123456789abcdef0123456789abcdef", "");
    }
    expect(c, 403, "GET", "/?token=0123456789abcdef0123456789abcdef", NULL, "");
    char again[128];
    (void)snprintf(again, sizeof again, "/?token=%s",
                   c->token); /* it was used when the client began */
    expect(c, 403, "GET", again, NULL, "");
    expect(c, 303, "GET", again, c->cookie, "");

    /* a second browser is told in words, a program in a document */
    reply r = client_ask(c, "GET", again, "", "");
    assert_string_equal(reply_header(&r, "Content-Type"), "text/plain; charset=utf-8");
    assert_non_null(strstr(r.body, "good once"));
    reply_free(&r);
    r = client_ask(c, "GET", "/api/state", "", "");
    assert_string_equal(reply_header(&r, "Content-Type"), "application/json; charset=utf-8");
    reply_free(&r);
}

static void nothing_from_elsewhere(void **state)
{
    const client *const c = *state;
    char own[128];
    (void)snprintf(own, sizeof own, "Origin: http://127.0.0.1:%u\r\n", c->port);
    expect(c, 200, "GET", "/api/state", c->cookie, "");
    expect(c, 403, "GET", "/api/state", c->cookie, "Host: evil.example\r\n");
    expect(c, 403, "GET", "/api/state", c->cookie, "Sec-Fetch-Site: cross-site\r\n");
    expect(c, 403, "GET", "/api/state", c->cookie, "Sec-Fetch-Site: same-site\r\n");
    expect(c, 403, "POST", "/api/plan", c->cookie, "Content-Type: application/json\r\n");
    expect(c, 403, "POST", "/api/plan", c->cookie,
           "Origin: http://evil.example\r\nContent-Type: application/json\r\n");
    expect(c, 403, "DELETE", "/api/jobs/1", c->cookie, "Origin: null\r\n");
    expect(c, 415, "POST", "/api/plan", c->cookie, own);
    expect(c, 403, "OPTIONS", "/api/plan", NULL, "Origin: http://evil.example\r\n");
}

static void what_there_is_not(void **state)
{
    const client *const c = *state;
    char own[192];
    (void)snprintf(own, sizeof own,
                   "Origin: http://127.0.0.1:%u\r\nContent-Type: application/json\r\n", c->port);
    expect(c, 404, "GET", "/nothing", c->cookie, "");
    expect(c, 404, "GET", "/../plan.yaml", c->cookie, "");
    expect(c, 404, "GET", "/api/jobs/", c->cookie, "");
    expect(c, 404, "GET", "/api/jobs/-1", c->cookie, "");
    expect(c, 404, "GET", "/api/jobs/99999999999999999999", c->cookie, "");
    expect(c, 404, "GET", "/api/jobs/77", c->cookie, "");
    expect(c, 404, "DELETE", "/api/candidates/77", c->cookie, own);
    expect(c, 405, "POST", "/", c->cookie, own);
    expect(c, 405, "DELETE", "/api/state", c->cookie, own);
    expect(c, 405, "GET", "/api/plan", c->cookie, "");
    expect(c, 405, "PUT", "/api/plan", c->cookie, own);
    expect(c, 405, "BREW", "/api/plan", c->cookie, own);
    expect(c, 400, "GET", "/api/state?since=x", c->cookie, "");
}

static void the_page_is_compressed(void **state)
{
    const client *const c = *state;
    static const char *const paths[] = {"/", "/app.js", "/app.css", "/icon.svg"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        reply r = client_ask(c, "GET", paths[i], NULL, "");
        assert_int_equal(r.status, 200);
        assert_string_equal(reply_header(&r, "Content-Encoding"), "gzip");
        assert_true(r.size > 20);
        assert_memory_equal(r.body, "\x1f\x8b", 2);
        reply_free(&r);
    }
}

static void a_token_from_another_program(void **state)
{
    client *const c = *state;
    char path[128];
    client_stop(c);
    client_start(c);
    (void)snprintf(path, sizeof path, "/?token=%s", c->token);
    reply r = client_ask(c, "GET", path, "Sec-Fetch-Site: cross-site\r\n", "");
    assert_int_equal(r.status, 200); /* no redirection: the cookie would not be sent with it */
    assert_non_null(strstr(r.body, "http-equiv=\"refresh\""));
    assert_non_null(reply_header(&r, "Set-Cookie"));
    const char *const cookie = reply_header(&r, "Set-Cookie");
    (void)snprintf(c->cookie, sizeof c->cookie, "%.*s", (int)strcspn(cookie, ";"), cookie);
    reply_free(&r);
    json_decref(client_opened(c));
}

static void malformed(void **state)
{
    static const char *const bodies[] = {
        "", "{", "[]", "null", "\"x\"", "{'a':}", "{'a':1}x", "{'a':1,'a':2}", "\xff\xfe"};
    const client *const c = *state;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        json_decref(client_post(c, "/api/plan", 400, bodies[i]));
        json_decref(client_post(c, "/api/jobs", 400, bodies[i]));
        json_decref(client_post(c, "/api/candidates", 400, bodies[i]));
    }
    json_decref(client_post(c, "/api/jobs", 400, "{'kind': 'nothing'}"));
    json_decref(client_post(c, "/api/jobs", 400, "{'kind': 7}"));
    json_decref(client_post(c, "/api/jobs", 400, "{'kind': 'command', 'params': []}"));
    json_decref(client_post(c, "/api/jobs", 400, "{'kind': 'command', 'channel': 1}"));
    char *const deep = malloc(100001);
    assert_non_null(deep);
    memset(deep, '[', 100000);
    deep[100000] = '\0';
    json_decref(client_post(c, "/api/jobs", 400, deep));
    free(deep);
}

static void too_large(void **state)
{
    const client *const c = *state;
    char *text = NULL;
    char *const address = malloc(6001);
    assert_non_null(address);
    memset(address, 'a', 6000);
    memcpy(address, "/api/state?since=1", 18);
    address[6000] = '\0';
    expect(c, 414, "GET", address, c->cookie, "");
    free(address);
    assert_true(asprintf(&text,
                         "POST /api/plan HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nCookie: %s\r\n"
                         "Origin: http://127.0.0.1:%u\r\nContent-Type: application/json\r\n"
                         "Connection: close\r\nContent-Length: 5000000\r\n\r\n",
                         c->port, c->cookie, c->port) > 0);
    reply r = client_send(c, text, strlen(text)); /* refused before it is sent */
    assert_int_equal(r.status, 413);
    reply_free(&r);
    free(text);
}

/* Who does not say how much comes is stopped when it is too much. */
static void too_large_in_pieces(void **state)
{
    const client *const c = *state;
    char *head = NULL;
    const size_t most = 9u << 20;
    assert_true(asprintf(&head,
                         "POST /api/plan HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nCookie: %s\r\n"
                         "Origin: http://127.0.0.1:%u\r\nContent-Type: application/json\r\n"
                         "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n",
                         c->port, c->cookie, c->port) > 0);
    char *const all = malloc(strlen(head) + most + most / 100);
    assert_non_null(all);
    size_t n = strlen(head);
    memcpy(all, head, n);
    for (size_t sent = 0; sent < most; sent += 4096) {
        memcpy(all + n, "1000\r\n", 6);
        memset(all + n + 6, 'a', 4096);
        memcpy(all + n + 6 + 4096, "\r\n", 2);
        n += 4096 + 8;
    }
    reply r = client_send(c, all, n);
    assert_true(r.status == 413 || r.status == 0); /* or the connection is closed */
    reply_free(&r);
    free(all);
    free(head);
    json_decref(client_get(c, "/api/state", 200));
}

static void what_is_no_request(void **state)
{
    static const char *const texts[] = {"",
                                        "\r\n\r\n",
                                        "GET\r\n\r\n",
                                        "GET / HTTP/9.9\r\n\r\n",
                                        "GET /%00 HTTP/1.1\r\nHost: x\r\n\r\n",
                                        "\x16\x03\x01\x02\r\n\r\n"};
    const client *const c = *state;
    for (size_t i = 1; i < sizeof texts / sizeof *texts; i++) {
        reply r = client_send(c, texts[i], strlen(texts[i]));
        assert_true(r.status == 0 || r.status >= 400);
        reply_free(&r);
    }
    json_decref(client_get(c, "/api/state", 200));
}

static void uploads_are_files_of_their_own(void **state)
{
    const client *const c = *state;
    char headers[512];
    (void)snprintf(headers, sizeof headers,
                   "Cookie: %s\r\nOrigin: http://127.0.0.1:%u\r\n"
                   "Content-Type: application/octet-stream\r\n",
                   c->cookie, c->port);
    reply r = client_ask(c, "POST", "/api/uploads?name=../../etc/tree%20of.csv", headers,
                         "Bern;Europe;*\nRome;Europe;*\n");
    assert_int_equal(r.status, 200);
    json_t *const uploaded = json_loadb(r.body, r.size, 0, NULL);
    assert_string_equal(text_of(uploaded, "upload"), "upload:1");
    assert_string_equal(text_of(uploaded, "name"), "tree of.csv");
    assert_int_equal(number_of(uploaded, "bytes"), 28);
    json_decref(uploaded);
    reply_free(&r);
    json_t *const job = client_job(c, "{'kind': 'command', 'params': {'command': 'hierarchy', "
                                      "'operands': ['upload:1']}}");
    assert_string_equal(text_of(job, "state"), "done");
    assert_int_equal(number_of(job, "result.hierarchy.leaves"), 2);
    assert_string_equal(text_of(job, "result.line"), "paravent hierarchy 'tree of.csv'");
    json_decref(job);
    r = client_ask(c, "POST", "/api/uploads", headers, "x");
    assert_int_equal(r.status, 400); /* it needs a name */
    reply_free(&r);
    /* Only what is posted is kept, and has a number. */
    json_decref(client_get(c, "/api/uploads?name=a.csv", 405));
    json_decref(client_delete(c, "/api/uploads?name=a.csv", 405));
    r = client_ask(c, "POST", "/api/uploads?name=b.csv", headers, "x");
    assert_int_equal(r.status, 200);
    assert_non_null(strstr(r.body, "upload:2"));
    reply_free(&r);
    r = client_ask(c, "GET", "/api/files?path=upload:1", NULL, "");
    assert_int_equal(r.status, 403);
    reply_free(&r);
}

/* Those who come when too many are there are told so, and the others go on. */
static void too_many_connections(void **state)
{
    enum { MOST = 32, MORE = 4 };
    const client *const c = *state;
    int open[MOST];
    for (size_t i = 0; i < MOST; i++) {
        open[i] = client_reach(c);
    }
    for (size_t i = 0; i < MORE; i++) {
        json_decref(client_get(c, "/api/state", 503));
    }
    for (size_t i = 0; i < MOST; i++) {
        assert_int_equal(close(open[i]), 0);
    }
    for (size_t i = 0; i < 500; i++) { /* the server hears of it in its own time */
        reply r = client_ask(c, "GET", "/api/state", NULL, "");
        const int status = r.status;
        reply_free(&r);
        if (status == 200) {
            return;
        }
        assert_int_equal(status, 503);
        (void)poll(NULL, 0, 10);
    }
    fail_msg("the connections are closed, and still there are too many");
}

/* A page that waits for news does not keep the server from ending. */
static void the_server_ends_while_somebody_waits_and_works(void **state)
{
    client *const c = *state;
    json_t *const job = client_post(
        c, "/api/jobs", 200,
        "{'kind': 'command', 'params': {'command': 'front', 'operands': ['plan'], 'options': "
        "{'scheme': 'cuts', 'prove': '1000', 'evaluations': '100000000'}}}");
    assert_string_equal(text_of(job, "state"), "running");
    json_decref(job);
    json_t *const ended = client_post(c, "/api/end", 200, "{}");
    json_decref(ended);
    struct pollfd pipe = {.fd = cli_explorer_ended(c->explorer), .events = POLLIN};
    assert_int_equal(poll(&pipe, 1, 10000), 1);
    client_stop(c);
    client_start(c);
    client_enter(c);
    json_decref(client_opened(c));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_without_the_cookie),
        cmocka_unit_test(nothing_from_elsewhere),
        cmocka_unit_test(what_there_is_not),
        cmocka_unit_test(the_page_is_compressed),
        cmocka_unit_test(malformed),
        cmocka_unit_test(too_large),
        cmocka_unit_test(too_large_in_pieces),
        cmocka_unit_test(what_is_no_request),
        cmocka_unit_test(uploads_are_files_of_their_own),
        cmocka_unit_test(too_many_connections),
        cmocka_unit_test(a_token_from_another_program),
        cmocka_unit_test(the_server_ends_while_somebody_waits_and_works),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
