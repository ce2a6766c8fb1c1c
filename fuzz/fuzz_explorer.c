/* Any request at all to the explorer, without sockets: it is answered as docs/explorer.md says or
 * refused, nobody without the secrets gets anything, and the plan on disk stays one that can be
 * read.
 *
 *     METHOD PATH?since=..&name=..&path=..&token=..
 *     Header: value
 *                          an empty line
 *     the body */
#include "server/dispatch.h"

#include <jansson.h>
#include <paravent/paravent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TOKEN "fedcba9876543210fedcba9876543210"
#define SECRET "0123456789abcdef0123456789abcdef"

static const char plan[] = "data: a.csv\nsuppression: 1%\nattributes:\n"
                           "  who: {role: identifier}\n  age: {role: quasi} # years\n"
                           "  ill: {role: sensitive}\n";

static void require_that(int holds)
{
    if (!holds) {
        abort();
    }
}

static void put(const char *path, const char *text)
{
    FILE *const file = fopen(path, "w");
    require_that(file != NULL && fputs(text, file) >= 0);
    require_that(fclose(file) == 0);
}

static char folder[] = "/dev/shm/paravent-fuzz-XXXXXX";

/* The server works in the folder of its plan, so that the paths on the fuzzer's command line must
 * not depend on where one is. */
static void make_absolute(char **word)
{
    static const char prefix[] = "-artifact_prefix=";
    const bool is_prefix = strncmp(*word, prefix, strlen(prefix)) == 0;
    const char *const path = is_prefix ? *word + strlen(prefix) : *word;
    char here[4096];
    char *made = NULL;
    if (path[0] == '/' || path[0] == '-') {
        return;
    }
    require_that(getcwd(here, sizeof here) != NULL);
    require_that(asprintf(&made, "%s%s/%s", is_prefix ? prefix : "", here, path) > 0);
    *word = made; /* for the life of the process */
}

/* Nothing is left of it, unless something was found. */
static void remove_folder(void)
{
    static const char *const names[] = {"a.csv", "plan.yaml", "plan.explore.json"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        (void)unlink(names[i]);
    }
    (void)rmdir(folder);
}

int LLVMFuzzerInitialize(int *argc, char ***argv);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    for (int i = 1; i < *argc; i++) {
        make_absolute(&(*argv)[i]);
    }
    require_that(mkdtemp(folder) != NULL && chdir(folder) == 0);
    put("a.csv", "who,age,ill\nAnn,1,a\nBob,2,b\n");
    return atexit(remove_folder);
}

/* ------------------------------------------------------------------ request */

typedef struct text_request {
    web_request request;
    char *text; /* cut into strings */
} text_request;

/* The value of a name in "a=1&b=2", which is cut into strings already, each with its end at `end`
 * at the latest. */
static const char *value_of(const char *query, const char *end, const char *name)
{
    const size_t n = strlen(name);
    for (const char *at = query; at < end; at += strlen(at) + 1) {
        if (strncmp(at, name, n) == 0 && at[n] == '=') {
            return at + n + 1;
        }
    }
    return NULL;
}

static void take_query(web_request *request, char *query)
{
    const char *const end = query + strlen(query) + 1;
    for (char *at = query; at < end; at++) {
        *at = (char)(*at == '&' ? '\0' : *at);
    }
    request->asker.token = value_of(query, end, "token");
    request->since = value_of(query, end, "since");
    request->name = value_of(query, end, "name");
    request->file = value_of(query, end, "path");
}

static void take_header(web_asker *asker, char *line)
{
    struct {
        const char *name, **place;
    } const headers[] = {{"Host", &asker->host},
                         {"Origin", &asker->origin},
                         {"Sec-Fetch-Site", &asker->fetch_site},
                         {"Cookie", &asker->cookie},
                         {"Content-Type", &asker->content_type}};
    char *const colon = strstr(line, ": ");
    if (colon == NULL) {
        return;
    }
    *colon = '\0';
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        if (strcmp(line, headers[i].name) == 0) {
            *headers[i].place = colon + 2;
        }
    }
}

static bool nobody_waits(void *ctx)
{
    (void)ctx;
    return true;
}

/* False: it is no request at all, which the library of the server has refused. */
static bool take(const uint8_t *data, size_t size, text_request *r)
{
    *r = (text_request){.text = calloc(size + 1, 1)};
    require_that(r->text != NULL);
    memcpy(r->text, data, size);
    char *const end = memmem(r->text, size, "\n\n", 2);
    char *const blank = strchr(r->text, ' ');
    if (end == NULL || blank == NULL || blank > end ||
        memchr(r->text, 0, (size_t)(end - r->text))) {
        return false;
    }
    *end = '\0';
    *blank = '\0';
    web_asker *const asker = &r->request.asker;
    asker->method = r->text;
    asker->path = blank + 1;
    asker->body_size = size - (size_t)(end + 2 - r->text);
    r->request.body = end + 2;
    r->request.is_gone = nobody_waits;
    char *line = strchr(blank + 1, '\n');
    while (line != NULL) {
        *line++ = '\0';
        char *const next = strchr(line, '\n');
        if (next != NULL) {
            *next = '\0';
        }
        take_header(asker, line);
        line = next;
    }
    asker->address_size = strlen(asker->path);
    char *const mark = strchr(blank + 1, '?');
    if (mark != NULL) {
        *mark = '\0';
        take_query(&r->request, mark + 1);
    }
    return true;
}

/* ------------------------------------------------------------------- server */

static pv_status echo(web_call *call, json_t **result, pv_error *error)
{
    (void)error;
    *result = json_incref(call->params);
    return PV_STATUS_OK;
}

static const web_endpoint endpoints[] = {{"command", true, echo}, {NULL, false, NULL}};

static web_snapshot *take_snapshot(void *ctx, bool anyhow, pv_error *error)
{
    const web_explorer *const e = ctx;
    return web_workspace_take(e->workspace, anyhow, error);
}

static void wake(void *ctx)
{
    const web_explorer *const e = ctx;
    web_jobs_wake(e->jobs);
}

static void end(void *ctx)
{
    (void)ctx;
}

static void start(web_explorer *e)
{
    static const char *const own[] = {"plan.yaml", "plan.explore.json", NULL};
    pv_error error = {0};
    *e = (web_explorer){.end = end};
    put("plan.yaml", plan);
    (void)unlink("plan.explore.json");
    require_that(web_guard_init(&e->guard, &error) == PV_STATUS_OK);
    web_guard_set_port(&e->guard, 8080);
    strcpy(e->guard.token, TOKEN);
    strcpy(e->guard.secret, SECRET);
    require_that(web_files_create(folder, own, &e->files, &error) == PV_STATUS_OK);
    const web_source source = {.ctx = e, .take = take_snapshot};
    const web_workspace_options options = {
        .folder = folder, .plan = "plan.yaml", .threads = 1, .changed = wake, .changed_ctx = e};
    e->jobs = web_jobs_create(endpoints, source, e->files, 1);
    require_that(web_workspace_open(&options, e->files, &e->workspace, &error) == PV_STATUS_OK);
}

static void stop(web_explorer *e)
{
    web_workspace_stop(e->workspace);
    web_jobs_stop(e->jobs);
    web_workspace_free(e->workspace);
    web_jobs_free(e->jobs);
    web_files_free(e->files);
}

/* ------------------------------------------------------------------- answer */

static void check_answer(const web_answer *answer)
{
    static const unsigned known[] = {200, 303, 400, 403, 404, 405, 409, 413, 414, 415, 422, 503};
    bool is_known = false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        is_known = is_known || answer->status == known[i];
    }
    require_that(is_known && answer->type != NULL);
    if (answer->owned != NULL && !answer->is_file) {
        json_t *const document = json_loadb(answer->owned, answer->size, 0, NULL);
        require_that(json_is_object(document));
        const json_t *const error = json_object_get(document, "error");
        require_that(answer->status < 400 || json_is_string(json_object_get(error, "message")));
        json_decref(document);
    }
}

/* Only who has a secret is let in. */
static void check_secret(const text_request *r, const web_answer *answer)
{
    const web_asker *const a = &r->request.asker;
    const bool knows = (a->cookie != NULL && strstr(a->cookie, SECRET) != NULL) ||
                       (a->token != NULL && strcmp(a->token, TOKEN) == 0);
    require_that(knows || answer->status == 403 || answer->status == 414);
}

static void check_plan(void)
{
    pv_plan *read = NULL;
    pv_error error = {0};
    require_that(pv_plan_read("plan.yaml", &read, &error) == PV_STATUS_OK);
    pv_plan_free(read);
}

static void serve(web_explorer *e, text_request *r, web_answer *answer)
{
    pv_error error = {0};
    web_upload *upload = NULL;
    if (web_dispatch_early(e, &r->request.asker, answer)) {
        return;
    }
    if (strcmp(r->request.asker.path, "/api/uploads") == 0 &&
        web_upload_begin(e->files, r->request.name != NULL ? r->request.name : "", &upload,
                         &error) == PV_STATUS_OK) {
        require_that(web_upload_add(upload, r->request.body, r->request.asker.body_size, &error) ==
                     PV_STATUS_OK);
        if (strcmp(r->request.asker.method, "POST") == 0) {
            r->request.upload = upload;
        } else {
            web_upload_drop(upload);
        }
    }
    web_dispatch(e, &r->request, answer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    text_request r;
    if (take(data, size, &r)) {
        web_explorer explorer;
        web_answer answer = {0};
        start(&explorer);
        serve(&explorer, &r, &answer);
        check_answer(&answer);
        check_secret(&r, &answer);
        web_answer_free(&answer);
        check_plan();
        stop(&explorer);
    }
    free(r.text);
    return 0;
}
