/* A client that speaks to an explorer in this process. */
#include "web/client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <paravent/census.h>
#include <sys/socket.h>
#include <sys/time.h>

/* ------------------------------------------------------------------- server */

void client_start(client *c)
{
    pv_error error = {0};
    const cli_explorer_options options = {
        .folder = c->folder.path, .plan = "plan.yaml", .threads = 2};
    const pv_status status = cli_explorer_start(&options, &c->explorer, &error);
    if (status != PV_STATUS_OK) {
        fail_msg("%s", error.message);
    }
    const char *const address = cli_explorer_address(c->explorer);
    assert_int_equal(sscanf(address, "http://127.0.0.1:%u/?token=%63s", &c->port, c->token), 2);
    c->cookie[0] = '\0';
}

void client_enter(client *c)
{
    char path[128];
    (void)snprintf(path, sizeof path, "/?token=%s", c->token);
    reply r = client_ask(c, "GET", path, "", "");
    assert_int_equal(r.status, 303);
    const char *const cookie = reply_header(&r, "Set-Cookie");
    assert_non_null(cookie);
    assert_non_null(strstr(cookie, "HttpOnly"));
    assert_non_null(strstr(cookie, "SameSite=Strict"));
    (void)snprintf(c->cookie, sizeof c->cookie, "%.*s", (int)strcspn(cookie, ";"), cookie);
    reply_free(&r);
}

client client_open(uint64_t rows)
{
    client c = {.folder = scratch_folder_create("plan.yaml")};
    assert_non_null(getcwd(c.before, sizeof c.before));
    assert_int_equal(pv_census_write(c.folder.path, rows, 1, false, NULL), PV_STATUS_OK);
    assert_int_equal(chdir(c.folder.path), 0);
    client_start(&c);
    client_enter(&c);
    return c;
}

void client_stop(client *c)
{
    cli_explorer_stop(c->explorer);
    c->explorer = NULL;
}

void client_close(client *c)
{
    client_stop(c);
    assert_int_equal(chdir(c->before), 0);
    scratch_folder_remove(&c->folder);
}

/* -------------------------------------------------------------------- asking */

int client_reach(const client *c)
{
    const struct sockaddr_in where = {.sin_family = AF_INET,
                                      .sin_port = htons((uint16_t)c->port),
                                      .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
    const struct timeval patience = {.tv_sec = 60};
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(fd >= 0);
    assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience), 0);
    assert_int_equal(connect(fd, (const struct sockaddr *)&where, sizeof where), 0);
    return fd;
}

reply client_send(const client *c, const char *bytes, size_t size)
{
    const int fd = client_reach(c);
    char *all = NULL;
    size_t n = 0;
    FILE *const stream = open_memstream(&all, &n);
    char part[4096];
    assert_non_null(stream);
    for (size_t sent = 0; sent < size;) { /* who is refused early may hear it before the end */
        const ssize_t got = send(fd, bytes + sent, size - sent, MSG_NOSIGNAL);
        if (got <= 0) {
            break;
        }
        sent += (size_t)got;
    }
    for (ssize_t got = recv(fd, part, sizeof part, 0); got > 0;
         got = recv(fd, part, sizeof part, 0)) {
        assert_int_equal(fwrite(part, 1, (size_t)got, stream), got);
    }
    (void)close(fd);
    assert_int_equal(fclose(stream), 0);
    reply r = {.head = all};
    char *const end = strstr(all, "\r\n\r\n");
    if (end != NULL) {
        end[2] = '\0';
        r.body = end + 4;
        r.size = n - (size_t)(r.body - all);
        (void)sscanf(all, "HTTP/1.1 %d", &r.status);
    }
    return r;
}

reply client_ask(const client *c, const char *method, const char *path, const char *headers,
                 const char *body)
{
    char page[512];
    char *text = NULL;
    (void)snprintf(page, sizeof page,
                   "Cookie: %s\r\nOrigin: http://127.0.0.1:%u\r\nSec-Fetch-Site: same-origin\r\n"
                   "Content-Type: application/json\r\n",
                   c->cookie, c->port);
    char host[64] = "";
    if (headers == NULL || strstr(headers, "Host:") == NULL) {
        (void)snprintf(host, sizeof host, "Host: 127.0.0.1:%u\r\n", c->port);
    }
    const int n =
        asprintf(&text, "%s %s HTTP/1.1\r\n%s%sConnection: close\r\nContent-Length: %zu\r\n\r\n%s",
                 method, path, host, headers != NULL ? headers : page, strlen(body), body);
    assert_true(n > 0);
    reply r = client_send(c, text, strlen(text));
    free(text);
    return r;
}

void reply_free(reply *r)
{
    free(r->head);
    *r = (reply){0};
}

const char *reply_header(const reply *r, const char *name)
{
    static char value[1024];
    const size_t n = strlen(name);
    for (const char *line = strstr(r->head, "\r\n"); line != NULL; line = strstr(line, "\r\n")) {
        line += 2;
        if (strncasecmp(line, name, n) == 0 && line[n] == ':') {
            const char *const start = line + n + 1 + strspn(line + n + 1, " ");
            (void)snprintf(value, sizeof value, "%.*s", (int)strcspn(start, "\r\n"), start);
            return value;
        }
    }
    return NULL;
}

/* --------------------------------------------------------------------- JSON */

static json_t *document_of(reply *r, int status, const char *what)
{
    json_t *const document = json_loadb(r->body != NULL ? r->body : "", r->size, 0, NULL);
    if (r->status != status) {
        fail_msg("%s: %d instead of %d: %.500s", what, r->status, status,
                 r->body != NULL ? r->body : "");
    }
    assert_non_null(document);
    assert_string_equal(reply_header(r, "Content-Type"), "application/json; charset=utf-8");
    if (status >= 400) {
        assert_true(text_of(document, "error.message")[0] != '\0');
    }
    reply_free(r);
    return document;
}

json_t *client_get(const client *c, const char *path, int status)
{
    reply r = client_ask(c, "GET", path, NULL, "");
    return document_of(&r, status, path);
}

json_t *client_post(const client *c, const char *path, int status, const char *body)
{
    char *const text = strdup(body);
    assert_non_null(text);
    for (char *p = text; *p != '\0'; p++) {
        *p = (char)(*p == '\'' ? '"' : *p);
    }
    reply r = client_ask(c, "POST", path, NULL, text);
    free(text);
    return document_of(&r, status, path);
}

json_t *client_delete(const client *c, const char *path, int status)
{
    reply r = client_ask(c, "DELETE", path, NULL, "");
    return document_of(&r, status, path);
}

json_t *client_job(const client *c, const char *body)
{
    json_t *job = client_post(c, "/api/jobs", 200, body);
    while (strcmp(text_of(job, "state"), "waiting") == 0 ||
           strcmp(text_of(job, "state"), "running") == 0) {
        char path[96];
        (void)snprintf(path, sizeof path, "/api/jobs/%lld?since=%lld",
                       (long long)number_of(job, "job"), (long long)number_of(job, "version"));
        json_decref(job);
        job = client_get(c, path, 200);
    }
    return job;
}

json_t *client_opened(const client *c)
{
    json_t *state = client_get(c, "/api/state", 200);
    while (strcmp(text_of(state, "study.state"), "opening") == 0) {
        char path[64];
        (void)snprintf(path, sizeof path, "/api/state?since=%lld",
                       (long long)number_of(state, "state"));
        json_decref(state);
        state = client_get(c, path, 200);
    }
    return state;
}

json_t *at(const json_t *object, const char *path)
{
    char part[64];
    const json_t *value = object;
    while (*path != '\0') {
        const size_t n = strcspn(path, ".");
        (void)snprintf(part, sizeof part, "%.*s", (int)n, path);
        value = json_is_array(value) ? json_array_get(value, (size_t)strtoul(part, NULL, 10))
                                     : json_object_get(value, part);
        if (value == NULL) {
            fail_msg("there is no `%s`", path);
        }
        path += n;
        path += *path == '.';
    }
    return (json_t *)(uintptr_t)value;
}

const char *text_of(const json_t *object, const char *path)
{
    const char *const text = json_string_value(at(object, path));
    assert_non_null(text);
    return text;
}

json_int_t number_of(const json_t *object, const char *path)
{
    assert_true(json_is_integer(at(object, path)));
    return json_integer_value(at(object, path));
}
