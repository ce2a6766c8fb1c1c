/* Who may ask. */
#include "server/guard.h"

#include "core/fail.h"
#include "core/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

/* ------------------------------------------------------------------ secrets */

pv_status web_secret_draw(char *text, size_t size, pv_error *error)
{
    for (size_t i = 0; i + 1 < size;) {
        unsigned char bytes[32];
        const ssize_t n = getrandom(bytes, sizeof bytes, 0);
        if (n < 0 && errno != EINTR) {
            return cli_error(error, PV_STATUS_IO, "the system gives no random numbers: %s",
                             strerror(errno));
        }
        for (ssize_t b = 0; b < n && i + 1 < size; b++, i++) {
            text[i] = "0123456789abcdef"[bytes[b] & 15];
        }
    }
    text[size - 1] = '\0';
    return PV_STATUS_OK;
}

/* All of `a` is looked at, whatever the first difference is. That the lengths differ may be seen:
 * how long a secret is is no secret. */
static bool equal_bytes(const char *a, const char *b, size_t n)
{
    unsigned char different = 0;
    for (size_t i = 0; i < n; i++) {
        different |= (unsigned char)(a[i] ^ b[i]);
    }
    return different == 0;
}

bool web_secret_equal(const char *a, const char *b)
{
    if (a == NULL || b == NULL) {
        return false;
    }
    const size_t n = strlen(a);
    return strlen(b) == n && equal_bytes(a, b, n);
}

pv_status web_guard_init(web_guard *guard, pv_error *error)
{
    memset(guard->hosts, 0, sizeof guard->hosts);
    memset(guard->cookie, 0, sizeof guard->cookie);
    atomic_init(&guard->is_token_used, false);
    atomic_init(&guard->port, 0);
    CLI_TRY(web_secret_draw(guard->token, sizeof guard->token, error));
    return web_secret_draw(guard->secret, sizeof guard->secret, error);
}

void web_guard_set_port(web_guard *guard, unsigned port)
{
    static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
    for (size_t i = 0; i < 3; i++) {
        (void)snprintf(guard->hosts[i], sizeof guard->hosts[i], "%s:%u", names[i], port);
    }
    (void)snprintf(guard->cookie, sizeof guard->cookie, "paravent-%u", port);
    atomic_store(&guard->port, port);
}

unsigned web_guard_port(const web_guard *guard)
{
    return atomic_load(&guard->port);
}

/* ---------------------------------------------------------------- judgement */

static bool is_own_host(const web_guard *guard, const char *host)
{
    for (size_t i = 0; host != NULL && i < 3; i++) {
        if (strcasecmp(host, guard->hosts[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* Sent by browsers alone; whoever is no browser proves by the cookie who it is. */
static bool is_from_here(const char *fetch_site)
{
    return fetch_site == NULL || cli_equal(fetch_site, "same-origin") ||
           cli_equal(fetch_site, "none");
}

static bool is_own_origin(const web_asker *asker)
{
    static const char scheme[] = "http://";
    return asker->origin != NULL && asker->host != NULL &&
           strncasecmp(asker->origin, scheme, strlen(scheme)) == 0 &&
           strcasecmp(asker->origin + strlen(scheme), asker->host) == 0;
}

/* Among the cookies of the header, "a=1; b=2". A cookie may be there twice, set by someone else for
 * a narrower path: each of them is tried. */
static bool has_cookie(const web_guard *guard, const char *header)
{
    const size_t name_size = strlen(guard->cookie);
    const size_t secret_size = strlen(guard->secret);
    bool found = false;
    for (const char *at = header; at != NULL && name_size > 0;) {
        at += strspn(at, "; ");
        const size_t n = strcspn(at, ";");
        if (n == name_size + 1 + secret_size && strncmp(at, guard->cookie, name_size) == 0 &&
            at[name_size] == '=') {
            found = equal_bytes(guard->secret, at + name_size + 1, secret_size) || found;
        }
        at = at[n] != '\0' ? at + n : NULL;
    }
    return found;
}

/* "application/json", perhaps with parameters: "; charset=utf-8". */
static bool is_type(const char *header, const char *type)
{
    const size_t n = strlen(type);
    if (header == NULL || strncasecmp(header, type, n) != 0) {
        return false;
    }
    const char *const rest = header + n + strspn(header + n, " \t");
    return *rest == '\0' || *rest == ';';
}

static web_verdict judge_change(const web_asker *asker)
{
    const bool upload = cli_equal(asker->path, "/api/uploads");
    if (!is_own_origin(asker)) {
        return WEB_FORBIDDEN;
    }
    if (cli_equal(asker->method, "POST") &&
        !is_type(asker->content_type, upload ? "application/octet-stream" : "application/json")) {
        return WEB_NO_TYPE;
    }
    return asker->body_size > (upload ? WEB_MOST_UPLOAD : WEB_MOST_BODY) ? WEB_TOO_LARGE
                                                                         : WEB_WELCOME;
}

/* The token is a secret of its own: it is good wherever the address is followed from, a terminal in
 * a browser, too. */
static web_verdict judge_token(web_guard *guard, const web_asker *asker, bool knows_cookie)
{
    if (knows_cookie) {
        return WEB_ENTER;
    }
    const bool is_good = web_secret_equal(guard->token, asker->token);
    return is_good && !atomic_exchange(&guard->is_token_used, true) ? WEB_EXCHANGE : WEB_FORBIDDEN;
}

web_verdict web_guard_judge(web_guard *guard, const web_asker *asker)
{
    const bool reads = cli_equal(asker->method, "GET");
    const bool changes = cli_equal(asker->method, "POST") || cli_equal(asker->method, "DELETE");
    if (web_guard_port(guard) == 0) {
        return WEB_FORBIDDEN;
    }
    const bool knows_cookie = has_cookie(guard, asker->cookie);
    if (asker->address_size > WEB_MOST_ADDRESS) {
        return WEB_TOO_LONG;
    }
    if (!is_own_host(guard, asker->host)) {
        return WEB_FORBIDDEN;
    }
    if (reads && asker->token != NULL && cli_equal(asker->path, "/")) {
        return judge_token(guard, asker, knows_cookie && is_from_here(asker->fetch_site));
    }
    if (!is_from_here(asker->fetch_site) || !knows_cookie) {
        return WEB_FORBIDDEN;
    }
    if (!reads && !changes) {
        return WEB_NO_METHOD;
    }
    return changes ? judge_change(asker) : WEB_WELCOME;
}
