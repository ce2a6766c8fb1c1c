/* Who may ask: every decision, without a server. */
#include "server/guard.h"
#include "support/testing.h"

#include <string.h>

#define HOST "127.0.0.1:8080"
#define ORIGIN "http://127.0.0.1:8080"
#define TYPE "application/json"
#define COOKIE "paravent-8080=0123456789abcdef0123456789abcdef"

static web_guard made(void)
{
    web_guard guard;
    pv_error error = {0};
    assert_int_equal(web_guard_init(&guard, &error), PV_STATUS_OK);
    web_guard_set_port(&guard, 8080);
    strcpy(guard.token, "fedcba9876543210fedcba9876543210");
    strcpy(guard.secret, "0123456789abcdef0123456789abcdef");
    return guard;
}

/* What a page's own requests say, and each of them with one thing wrong. */
static const struct {
    const char *why;
    web_asker asker;
    web_verdict verdict;
} cases[] = {
    {"a page", {.method = "GET", .path = "/", .host = HOST, .cookie = COOKIE}, WEB_WELCOME},
    {"in a browser",
     {.method = "GET", .path = "/", .host = HOST, .cookie = COOKIE, .fetch_site = "none"},
     WEB_WELCOME},
    {"its own script",
     {.method = "GET", .path = "/", .host = HOST, .cookie = COOKIE, .fetch_site = "same-origin"},
     WEB_WELCOME},
    {"called localhost",
     {.method = "GET", .path = "/", .host = "LocalHost:8080", .cookie = COOKIE},
     WEB_WELCOME},
    {"by the other address",
     {.method = "GET", .path = "/", .host = "[::1]:8080", .cookie = COOKIE},
     WEB_WELCOME},
    {"among other cookies",
     {.method = "GET", .path = "/", .host = HOST, .cookie = "a=1; " COOKIE ";b=2"},
     WEB_WELCOME},
    {"after a false one of the same name",
     {.method = "GET", .path = "/", .host = HOST, .cookie = "paravent-8080=x; " COOKIE},
     WEB_WELCOME},
    {"no cookie", {.method = "GET", .path = "/", .host = HOST}, WEB_FORBIDDEN},
    {"an empty cookie", {.method = "GET", .path = "/", .host = HOST, .cookie = ""}, WEB_FORBIDDEN},
    {"a wrong cookie",
     {.method = "GET",
      .path = "/",
      .host = HOST,
      .cookie = "paravent-8080=0123456789abcdef0123456789abcdee"},
     WEB_FORBIDDEN},
    {"half a cookie",
     {.method = "GET", .path = "/", .host = HOST, .cookie = "paravent-8080=0123456789abcdef"},
     WEB_FORBIDDEN},
    {"the cookie of another server",
     {.method = "GET",
      .path = "/",
      .host = HOST,
      .cookie = "paravent-8081=0123456789abcdef0123456789abcdef"},
     WEB_FORBIDDEN},
    {"another name for this machine",
     {.method = "GET", .path = "/", .host = "evil.example:8080", .cookie = COOKIE},
     WEB_FORBIDDEN},
    {"no port",
     {.method = "GET", .path = "/", .host = "127.0.0.1", .cookie = COOKIE},
     WEB_FORBIDDEN},
    {"another port",
     {.method = "GET", .path = "/", .host = "127.0.0.1:80", .cookie = COOKIE},
     WEB_FORBIDDEN},
    {"no host", {.method = "GET", .path = "/", .cookie = COOKIE}, WEB_FORBIDDEN},
    {"another site",
     {.method = "GET", .path = "/", .host = HOST, .cookie = COOKIE, .fetch_site = "cross-site"},
     WEB_FORBIDDEN},
    {"another server on this machine",
     {.method = "GET", .path = "/", .host = HOST, .cookie = COOKIE, .fetch_site = "same-site"},
     WEB_FORBIDDEN},
    {"the token",
     {.method = "GET", .path = "/", .token = "fedcba9876543210fedcba9876543210", .host = HOST},
     WEB_EXCHANGE},
    {"the token from a terminal in a browser",
     {.method = "GET",
      .path = "/",
      .token = "fedcba9876543210fedcba9876543210",
      .host = HOST,
      .fetch_site = "cross-site"},
     WEB_EXCHANGE},
    {"a wrong token",
     {.method = "GET", .path = "/", .token = "fedcba9876543210fedcba9876543211", .host = HOST},
     WEB_FORBIDDEN},
    {"an empty token", {.method = "GET", .path = "/", .token = "", .host = HOST}, WEB_FORBIDDEN},
    {"a token with the cookie",
     {.method = "GET", .path = "/", .token = "x", .host = HOST, .cookie = COOKIE},
     WEB_ENTER},
    {"a token on another site, with the cookie",
     {.method = "GET",
      .path = "/",
      .token = "x",
      .host = HOST,
      .cookie = COOKIE,
      .fetch_site = "cross-site"},
     WEB_FORBIDDEN},
    {"the token under another name",
     {.method = "GET",
      .path = "/",
      .token = "fedcba9876543210fedcba9876543210",
      .host = "evil.example:8080"},
     WEB_FORBIDDEN},
    {"the token elsewhere",
     {.method = "GET",
      .path = "/api/state",
      .token = "fedcba9876543210fedcba9876543210",
      .host = HOST},
     WEB_FORBIDDEN},
    {"the token, posted",
     {.method = "POST", .path = "/", .token = "fedcba9876543210fedcba9876543210", .host = HOST},
     WEB_FORBIDDEN},
    {"a change",
     {.method = "POST",
      .path = "/api/plan",
      .host = HOST,
      .origin = ORIGIN,
      .cookie = COOKIE,
      .content_type = TYPE},
     WEB_WELCOME},
    {"a type with parameters",
     {.method = "POST",
      .path = "/api/plan",
      .host = HOST,
      .origin = ORIGIN,
      .cookie = COOKIE,
      .content_type = "Application/JSON ; charset=utf-8"},
     WEB_WELCOME},
    {"no origin",
     {.method = "POST", .path = "/api/plan", .host = HOST, .cookie = COOKIE, .content_type = TYPE},
     WEB_FORBIDDEN},
    {"another origin",
     {.method = "POST",
      .path = "/api/plan",
      .host = HOST,
      .origin = "http://evil.example",
      .cookie = COOKIE,
      .content_type = TYPE},
     WEB_FORBIDDEN},
    {"an origin that is not the host's",
     {.method = "POST",
      .path = "/api/plan",
      .host = HOST,
      .origin = "http://localhost:8080",
      .cookie = COOKIE,
      .content_type = TYPE},
     WEB_FORBIDDEN},
    {"an origin with another scheme",
     {.method = "POST",
      .path = "/api/plan",
      .host = HOST,
      .origin = "https://127.0.0.1:8080",
      .cookie = COOKIE,
      .content_type = TYPE},
     WEB_FORBIDDEN},
    {"an origin that is null",
     {.method = "POST",
      .path = "/api/plan",
      .host = HOST,
      .origin = "null",
      .cookie = COOKIE,
      .content_type = TYPE},
     WEB_FORBIDDEN},
    {"a form",
     {.method = "POST",
      .path = "/api/plan",
      .host = HOST,
      .origin = ORIGIN,
      .cookie = COOKIE,
      .content_type = "application/x-www-form-urlencoded"},
     WEB_NO_TYPE},
    {"a type that only begins like it",
     {.method = "POST",
      .path = "/api/plan",
      .host = HOST,
      .origin = ORIGIN,
      .cookie = COOKIE,
      .content_type = "application/jsonp"},
     WEB_NO_TYPE},
    {"no type",
     {.method = "POST", .path = "/api/plan", .host = HOST, .origin = ORIGIN, .cookie = COOKIE},
     WEB_NO_TYPE},
    {"an upload as JSON",
     {.method = "POST",
      .path = "/api/uploads",
      .host = HOST,
      .origin = ORIGIN,
      .cookie = COOKIE,
      .content_type = TYPE},
     WEB_NO_TYPE},
    {"a large upload",
     {.method = "POST",
      .path = "/api/uploads",
      .host = HOST,
      .origin = ORIGIN,
      .cookie = COOKIE,
      .content_type = "application/octet-stream",
      .body_size = WEB_MOST_UPLOAD},
     WEB_WELCOME},
    {"too large an upload",
     {.method = "POST",
      .path = "/api/uploads",
      .host = HOST,
      .origin = ORIGIN,
      .cookie = COOKIE,
      .content_type = "application/octet-stream",
      .body_size = WEB_MOST_UPLOAD + 1ull},
     WEB_TOO_LARGE},
    {"too large a change",
     {.method = "POST",
      .path = "/api/plan",
      .host = HOST,
      .origin = ORIGIN,
      .cookie = COOKIE,
      .content_type = TYPE,
      .body_size = WEB_MOST_BODY + 1ull},
     WEB_TOO_LARGE},
    {"forgetting something",
     {.method = "DELETE", .path = "/api/jobs/1", .host = HOST, .origin = ORIGIN, .cookie = COOKIE},
     WEB_WELCOME},
    {"forgetting something from elsewhere",
     {.method = "DELETE", .path = "/api/jobs/1", .host = HOST, .cookie = COOKIE},
     WEB_FORBIDDEN},
    {"too long an address",
     {.method = "GET",
      .path = "/",
      .host = HOST,
      .cookie = COOKIE,
      .address_size = WEB_MOST_ADDRESS + 1},
     WEB_TOO_LONG},
    {"a method nobody knows",
     {.method = "PUT", .path = "/", .host = HOST, .origin = ORIGIN, .cookie = COOKIE},
     WEB_NO_METHOD},
    {"a question before a request",
     {.method = "OPTIONS", .path = "/api/plan", .host = HOST, .origin = "http://evil.example"},
     WEB_FORBIDDEN},
};

static void every_case(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        web_guard guard = made();
        const web_verdict verdict = web_guard_judge(&guard, &cases[i].asker);
        if (verdict != cases[i].verdict) {
            fail_msg("%s: %d instead of %d", cases[i].why, (int)verdict, (int)cases[i].verdict);
        }
    }
}

static void a_token_is_good_once(void **state)
{
    (void)state;
    web_guard guard = made();
    const web_asker asker = {.method = "GET", .path = "/", .token = guard.token, .host = HOST};
    assert_int_equal(web_guard_judge(&guard, &asker), WEB_EXCHANGE);
    assert_int_equal(web_guard_judge(&guard, &asker), WEB_FORBIDDEN);
}

static void a_wrong_token_does_not_use_it_up(void **state)
{
    (void)state;
    web_guard guard = made();
    const web_asker wrong = {.method = "GET", .path = "/", .token = "x", .host = HOST};
    const web_asker right = {.method = "GET", .path = "/", .token = guard.token, .host = HOST};
    assert_int_equal(web_guard_judge(&guard, &wrong), WEB_FORBIDDEN);
    assert_int_equal(web_guard_judge(&guard, &right), WEB_EXCHANGE);
}

static void secrets_are_drawn(void **state)
{
    (void)state;
    web_guard a;
    web_guard b;
    pv_error error = {0};
    assert_int_equal(web_guard_init(&a, &error), PV_STATUS_OK);
    assert_int_equal(web_guard_init(&b, &error), PV_STATUS_OK);
    assert_int_equal(strlen(a.token), 32);
    assert_int_equal(strspn(a.token, "0123456789abcdef"), 32);
    assert_string_not_equal(a.token, b.token);
    assert_string_not_equal(a.token, a.secret);
    assert_string_not_equal(a.secret, b.secret);
}

static void secrets_are_compared_as_a_whole(void **state)
{
    (void)state;
    assert_true(web_secret_equal("abc", "abc"));
    assert_true(web_secret_equal("", ""));
    assert_false(web_secret_equal("abc", "abd"));
    assert_false(web_secret_equal("abc", "ab"));
    assert_false(web_secret_equal("abc", "abcd"));
    assert_false(web_secret_equal("abc", NULL));
    assert_false(web_secret_equal(NULL, "abc"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_case),
        cmocka_unit_test(a_token_is_good_once),
        cmocka_unit_test(a_wrong_token_does_not_use_it_up),
        cmocka_unit_test(secrets_are_drawn),
        cmocka_unit_test(secrets_are_compared_as_a_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
