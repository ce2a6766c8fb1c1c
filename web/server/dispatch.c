/* Requests and answers. */
#include "server/dispatch.h"

#include "core/fail.h"
#include "core/json.h"
#include "core/text.h"
#include "server/page.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define JSON "application/json; charset=utf-8"
#define LARGEST_FILE (256u << 20) /* that is shown */

/* ------------------------------------------------------------------ answers */

void web_answer_free(web_answer *answer)
{
    free(answer->owned);
    *answer = (web_answer){0};
}

/* Takes the document over. */
static void answer_json(web_answer *answer, unsigned status, json_t *document)
{
    char *const text = json_dumps(document, JSON_COMPACT | JSON_REAL_PRECISION(15));
    json_decref(document);
    if (text == NULL) {
        cli_no_memory();
    }
    *answer = (web_answer){.status = status, .type = JSON, .owned = text, .size = strlen(text)};
}

void web_answer_fail(web_answer *answer, unsigned status, const pv_error *error)
{
    json_t *const document = json_object();
    cli_json_set(document, "error", cli_error_body(error));
    answer_json(answer, status, document);
}

static unsigned status_of(pv_status status)
{
    switch (status) {
    case PV_STATUS_OK: return 200;
    case PV_STATUS_ARGUMENT:
    case PV_STATUS_INPUT:
    case PV_STATUS_LIMIT: return 400;
    case PV_STATUS_EXISTS: return 409;
    case PV_STATUS_UNSATISFIED: return 422;
    case PV_STATUS_UNSUPPORTED: return 400;
    default: return 500;
    }
}

static void answer_status(web_answer *answer, pv_status status, pv_error *error)
{
    error->status = status;
    web_answer_fail(answer, status_of(status), error);
}

static void refuse(web_answer *answer, unsigned status, pv_status kind, const char *message)
{
    pv_error error = {0};
    error.status = cli_error(&error, kind, "%s", message);
    web_answer_fail(answer, status, &error);
}

void web_answer_busy(web_answer *answer)
{
    refuse(answer, 503, PV_STATUS_LIMIT, "there are too many connections: try again in a moment");
}

/* Of a document that is there, or not. */
static void answer_with(web_answer *answer, pv_status status, json_t *document, pv_error *error)
{
    if (document == NULL) {
        answer_status(answer, status, error);
    } else {
        answer_json(answer, status_of(status), document);
    }
}

/* -------------------------------------------------------------------- guard */

/* Where the browser shall go after the token is exchanged. Followed from another program, a page
 * that goes on by itself is needed: a redirection would be part of what that program began, and a
 * strict cookie is not sent with it. */
static void answer_token(web_answer *answer, const web_asker *asker, bool sets_cookie)
{
    static const char onwards[] = "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">"
                                  "<meta http-equiv=\"refresh\" content=\"0; url=/\">"
                                  "<title>Paravent</title></head>"
                                  "<body><a href=\"/\">Paravent</a></body></html>\n";
    const bool foreign = asker->fetch_site != NULL && !cli_equal(asker->fetch_site, "none") &&
                         !cli_equal(asker->fetch_site, "same-origin");
    *answer = (web_answer){.status = foreign ? 200 : 303,
                           .type = "text/html; charset=utf-8",
                           .bytes = onwards,
                           .size = sizeof onwards - 1,
                           .location = foreign ? NULL : "/",
                           .sets_cookie = sets_cookie};
}

/* Whoever opens the address in a second browser reads this there: plain words, not a document. */
static void refuse_stranger(web_answer *answer, const web_asker *asker)
{
    static const char words[] =
        "This page belongs to the browser that opened the address first.\n\n"
        "The address that the terminal shows is good once. To use another browser, end the program "
        "(Ctrl-C), start it again, and open the new address. Nothing is lost by that.\n";
    if (asker->path != NULL && strncmp(asker->path, "/api/", 5) != 0) {
        *answer = (web_answer){.status = 403,
                               .type = "text/plain; charset=utf-8",
                               .bytes = words,
                               .size = sizeof words - 1};
        return;
    }
    refuse(answer, 403, PV_STATUS_ARGUMENT,
           "this page is for whoever started it: open the address that the terminal shows");
}

bool web_dispatch_early(web_explorer *explorer, const web_asker *asker, web_answer *answer)
{
    switch (web_guard_judge(&explorer->guard, asker)) {
    case WEB_WELCOME: return false;
    case WEB_EXCHANGE: answer_token(answer, asker, true); return true;
    case WEB_ENTER: answer_token(answer, asker, false); return true;
    case WEB_NO_METHOD:
        refuse(answer, 405, PV_STATUS_ARGUMENT, "there is no such method");
        return true;
    case WEB_NO_TYPE:
        refuse(answer, 415, PV_STATUS_ARGUMENT, "this is not the type of what is asked for");
        return true;
    case WEB_TOO_LARGE:
        refuse(answer, 413, PV_STATUS_LIMIT, "the request is too large");
        return true;
    case WEB_TOO_LONG: refuse(answer, 414, PV_STATUS_LIMIT, "the address is too long"); return true;
    default: refuse_stranger(answer, asker); return true;
    }
}

/* ------------------------------------------------------------------- routes */

/* A request on its way: what it says in its body, and the number in its path. */
typedef struct route_call {
    web_explorer *explorer;
    const web_request *request;
    const json_t *body; /* an object; NULL = the route takes none */
    uint64_t id;
} route_call;

typedef void (*route_fn)(const route_call *call, web_answer *answer);

/* Digits alone, "17"; or nothing at all is `none`. */
static bool parse_number(const char *text, uint64_t none, uint64_t *number)
{
    char *end = NULL;
    if (text == NULL) {
        *number = none;
        return true;
    }
    errno = 0;
    *number = strtoull(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0;
}

static web_patience patience_of(const route_call *call)
{
    web_patience patience = web_patience_of(WEB_POLL_SECONDS);
    patience.is_gone = call->request->is_gone;
    patience.ctx = call->request->is_gone_ctx;
    return patience;
}

static void get_state(const route_call *call, web_answer *answer)
{
    uint64_t since = 0;
    if (!parse_number(call->request->since, 0, &since)) {
        refuse(answer, 400, PV_STATUS_ARGUMENT, "`since` is a number");
        return;
    }
    answer_json(answer, 200,
                web_workspace_state(call->explorer->workspace, since, patience_of(call)));
}

static void change_plan(const route_call *call, web_answer *answer)
{
    pv_error error = {0};
    json_t *document = NULL;
    const pv_status status =
        web_workspace_change(call->explorer->workspace, call->body, &document, &error);
    answer_with(answer, status, document, &error);
}

static void step(const route_call *call, bool redo, web_answer *answer)
{
    pv_error error = {0};
    json_t *document = NULL;
    const pv_status status =
        web_workspace_step(call->explorer->workspace, call->body, redo, &document, &error);
    answer_with(answer, status, document, &error);
}

static void undo_plan(const route_call *call, web_answer *answer)
{
    step(call, false, answer);
}

static void redo_plan(const route_call *call, web_answer *answer)
{
    step(call, true, answer);
}

static void reread(const route_call *call, web_answer *answer)
{
    json_t *const document = json_object();
    web_workspace_refresh(call->explorer->workspace);
    cli_json_set(document, "reading", json_true());
    answer_json(answer, 200, document);
}

static void start_job(const route_call *call, web_answer *answer)
{
    pv_error error = {0};
    uint64_t id = 0;
    const json_t *const channel = json_object_get(call->body, "channel");
    const char *const kind = json_string_value(json_object_get(call->body, "kind"));
    json_t *const params = json_object_get(call->body, "params");
    if (kind == NULL || (channel != NULL && !json_is_string(channel) && !json_is_null(channel)) ||
        (params != NULL && !json_is_object(params))) {
        refuse(answer, 400, PV_STATUS_ARGUMENT,
               "a job has a `kind`, perhaps a `channel`, and `params`, an object");
        return;
    }
    json_t *const given = params != NULL ? json_incref(params) : json_object();
    const pv_status status =
        web_jobs_submit(call->explorer->jobs, kind, json_string_value(channel), given, &id, &error);
    json_decref(given);
    if (status != PV_STATUS_OK) {
        error.status = status;
        web_answer_fail(answer, status == PV_STATUS_LIMIT ? 503 : 400, &error);
        return;
    }
    json_t *const job = web_jobs_wait(call->explorer->jobs, id, web_patience_of(WEB_SOON_SECONDS));
    if (job == NULL) {
        refuse(answer, 404, PV_STATUS_ARGUMENT, "there is no such job any more");
        return;
    }
    answer_json(answer, 200, job);
}

static void show_job(const route_call *call, uint64_t since, web_patience patience,
                     web_answer *answer)
{
    json_t *const job = web_jobs_show(call->explorer->jobs, call->id, since, patience);
    if (job == NULL) {
        refuse(answer, 404, PV_STATUS_ARGUMENT, "there is no such job, or it has been forgotten");
        return;
    }
    answer_json(answer, 200, job);
}

static void get_job(const route_call *call, web_answer *answer)
{
    uint64_t since = 0;
    if (!parse_number(call->request->since, 0, &since)) {
        refuse(answer, 400, PV_STATUS_ARGUMENT, "`since` is a number");
        return;
    }
    show_job(call, since, patience_of(call), answer);
}

static void cancel_job(const route_call *call, web_answer *answer)
{
    (void)web_jobs_cancel(call->explorer->jobs, call->id);
    show_job(call, 0, web_patience_of(0), answer);
}

static void pin(const route_call *call, web_answer *answer)
{
    pv_error error = {0};
    json_t *document = NULL;
    const pv_status status =
        web_workspace_pin(call->explorer->workspace, call->body, &document, &error);
    answer_with(answer, status, document, &error);
}

static void change_pinned(const route_call *call, bool forget, web_answer *answer)
{
    pv_error error = {0};
    json_t *document = NULL;
    web_workspace *const workspace = call->explorer->workspace;
    const pv_status status =
        forget ? web_workspace_unpin(workspace, call->id, &document, &error)
               : web_workspace_rename(workspace, call->id, call->body, &document, &error);
    if (status == PV_STATUS_OK && document == NULL) {
        refuse(answer, 404, PV_STATUS_ARGUMENT, "there is no such candidate");
        return;
    }
    answer_with(answer, status, document, &error);
}

static void rename_pinned(const route_call *call, web_answer *answer)
{
    change_pinned(call, false, answer);
}

static void forget_pinned(const route_call *call, web_answer *answer)
{
    change_pinned(call, true, answer);
}

static void upload(const route_call *call, web_answer *answer)
{
    pv_error error = {0};
    unsigned number = 0;
    uint64_t size = 0;
    if (call->request->upload == NULL) {
        refuse(answer, 400, PV_STATUS_ARGUMENT, "an upload has a name");
        return;
    }
    const pv_status status = web_upload_end(call->request->upload, &number, &size, &error);
    if (status != PV_STATUS_OK) {
        answer_status(answer, status, &error);
        return;
    }
    json_t *const document = json_object();
    char *const text = cli_format("upload:%u", number);
    cli_json_set(document, "upload", cli_json_text(text));
    cli_json_set(document, "name", cli_json_text(cli_path_name(call->request->name)));
    cli_json_set(document, "bytes", cli_json_count(size));
    free(text);
    answer_json(answer, 200, document);
}

static void end(const route_call *call, web_answer *answer)
{
    json_t *const document = json_object();
    cli_json_set(document, "ended", json_true());
    answer_json(answer, 200, document);
    call->explorer->end(call->explorer->end_ctx);
}

/* -------------------------------------------------------------------- files */

static const char *type_of(const char *path)
{
    static const char *const types[][2] = {
        {".html", "text/html; charset=utf-8"}, {".json", "application/json; charset=utf-8"},
        {".csv", "text/csv; charset=utf-8"},   {".tsv", "text/tab-separated-values; charset=utf-8"},
        {".txt", "text/plain; charset=utf-8"}, {".svg", "image/svg+xml"}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (cli_ends_with(path, types[i][0])) {
            return types[i][1];
        }
    }
    return "application/octet-stream";
}

static bool read_whole(const char *path, web_answer *answer)
{
    struct stat found;
    FILE *const file = fopen(path, "rb");
    bool good = file != NULL && fstat(fileno(file), &found) == 0 && S_ISREG(found.st_mode) &&
                found.st_size <= (off_t)LARGEST_FILE;
    if (good) {
        const size_t size = (size_t)found.st_size;
        char *const text = cli_zeroed(size + 1, 1);
        good = fread(text, 1, size, file) == size;
        *answer = (web_answer){.status = 200, .owned = text, .size = size, .is_file = true};
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return good;
}

static void get_file(const route_call *call, web_answer *answer)
{
    pv_error error = {0};
    char *file = NULL;
    const char *const path = call->request->file != NULL ? call->request->file : "";
    const pv_status status = web_files_find(call->explorer->files, path, false, &file, &error);
    if (status != PV_STATUS_OK) {
        error.status = status;
        web_answer_fail(answer, 403, &error);
    } else if (!web_files_was_written(call->explorer->files, file)) {
        refuse(answer, 403, PV_STATUS_ARGUMENT, "only what was written in this session is shown");
    } else if (!read_whole(file, answer)) {
        web_answer_free(answer);
        refuse(answer, 404, PV_STATUS_INPUT, "the file cannot be read");
    } else {
        answer->type = type_of(file);
    }
    free(file);
}

static bool get_page(const char *path, web_answer *answer)
{
    for (const web_page_file *f = web_page_files; f->path != NULL; f++) {
        if (cli_equal(f->path, path)) {
            *answer = (web_answer){.status = 200,
                                   .type = f->type,
                                   .bytes = f->bytes,
                                   .size = (size_t)(f->end - f->bytes),
                                   .is_compressed = true};
            return true;
        }
    }
    return false;
}

/* ----------------------------------------------------------------- dispatch */

/* A path that ends with a slash has a number after it. */
static const struct route {
    const char *method, *path;
    bool has_body;
    route_fn run;
} routes[] = {
    {"GET", "/api/state", false, get_state},
    {"POST", "/api/plan", true, change_plan},
    {"POST", "/api/plan/undo", true, undo_plan},
    {"POST", "/api/plan/redo", true, redo_plan},
    {"POST", "/api/reread", true, reread},
    {"POST", "/api/jobs", true, start_job},
    {"GET", "/api/jobs/", false, get_job},
    {"DELETE", "/api/jobs/", false, cancel_job},
    {"POST", "/api/candidates", true, pin},
    {"POST", "/api/candidates/", true, rename_pinned},
    {"DELETE", "/api/candidates/", false, forget_pinned},
    {"POST", "/api/uploads", false, upload},
    {"GET", "/api/files", false, get_file},
    {"POST", "/api/end", false, end},
};

static bool matches(const struct route *route, const char *path, uint64_t *id)
{
    const size_t n = strlen(route->path);
    *id = 0;
    return route->path[n - 1] == '/'
               ? cli_starts_with(path, route->path) && parse_number(path + n, 0, id)
               : cli_equal(path, route->path);
}

static void run_route(const struct route *route, route_call *call, web_answer *answer)
{
    json_error_t problem;
    json_t *body = NULL;
    if (route->has_body) {
        body = json_loadb(call->request->body, (size_t)call->request->asker.body_size,
                          JSON_REJECT_DUPLICATES, &problem);
        if (!json_is_object(body)) {
            json_decref(body);
            refuse(answer, 400, PV_STATUS_ARGUMENT, "the request is no JSON object");
            return;
        }
    }
    call->body = body;
    route->run(call, answer);
    json_decref(body);
}

void web_dispatch(web_explorer *explorer, const web_request *request, web_answer *answer)
{
    const char *const path = request->asker.path;
    route_call call = {.explorer = explorer, .request = request};
    bool is_known = false;
    *answer = (web_answer){0};
    web_workspace_look(explorer->workspace);
    for (size_t i = 0; i < sizeof routes / sizeof *routes; i++) {
        if (matches(&routes[i], path, &call.id)) {
            is_known = true;
            if (cli_equal(routes[i].method, request->asker.method)) {
                run_route(&routes[i], &call, answer);
                return;
            }
        }
    }
    const bool is_page = get_page(path, answer);
    if (is_page && cli_equal(request->asker.method, "GET")) {
        return;
    }
    *answer = (web_answer){0};
    if (is_known || is_page) {
        refuse(answer, 405, PV_STATUS_ARGUMENT, "there is no such method here");
    } else {
        refuse(answer, 404, PV_STATUS_ARGUMENT, "there is nothing here");
    }
}
