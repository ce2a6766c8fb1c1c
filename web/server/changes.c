/* What pages ask to change: the plan, and the candidates. */
#include "core/fail.h"
#include "core/json.h"
#include "core/text.h"
#include "server/candidate.h"
#include "server/columns.h"
#include "server/snapshot.h"
#include "server/workspace.h"
#include "server/workspace_inside.h"

#include <stdlib.h>
#include <string.h>

#define MOST_EDITS 2000
#define DEEPEST 16
#define LARGEST_SPEC (256u << 10)

static pv_status bad(const char *what, pv_error *error)
{
    return cli_hint(
        cli_error(error, PV_STATUS_ARGUMENT, "this is no request for a change: %s", what), error,
        "docs/explorer.md says what is");
}

/* A text without NUL, of at most `longest` bytes; NULL = there is none. */
static const char *text_at(const json_t *object, const char *key, size_t longest)
{
    const json_t *const value = json_object_get(object, key);
    const char *const text = json_string_value(value);
    return text != NULL && strlen(text) == json_string_length(value) && strlen(text) <= longest
               ? text
               : NULL;
}

/* -------------------------------------------------------------------- edits */

/* One after the other; each is made in the text that the one before has left. */
static pv_status make_edit(const json_t *edit, char **text, pv_error *error)
{
    const json_t *const path = json_object_get(edit, "path");
    json_t *const value = json_object_get(edit, "value");
    const bool removes = json_is_true(json_object_get(edit, "remove"));
    const char *keys[DEEPEST];
    const json_t *key;
    size_t i;
    char *edited = NULL;
    if (!json_is_array(path) || json_array_size(path) == 0 || json_array_size(path) > DEEPEST ||
        removes == (value != NULL)) {
        return bad("an edit has a path, and either a value or `remove`", error);
    }
    json_array_foreach(path, i, key)
    {
        keys[i] = json_string_value(key);
        if (keys[i] == NULL || strlen(keys[i]) != json_string_length(key)) {
            return bad("a path is a list of keys", error);
        }
    }
    char *const written =
        removes ? NULL
                : json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(15));
    const pv_status status =
        pv_plan_edit(*text, strlen(*text), keys, json_array_size(path), written, &edited, error);
    free(written);
    if (status == PV_STATUS_OK) {
        free(*text);
        *text = cli_copy(edited);
        pv_string_free(edited);
    }
    return status;
}

static pv_status make_text(const web_workspace *w, const json_t *request, char **text,
                           pv_error *error)
{
    const json_t *const edits = json_object_get(request, "edits");
    const char *const whole = text_at(request, "text", SIZE_MAX);
    const json_t *edit;
    size_t i;
    if ((whole != NULL) == json_is_array(edits) || json_array_size(edits) > MOST_EDITS) {
        return bad("it has either `edits` or `text`", error);
    }
    *text = cli_copy(whole != NULL ? whole : web_history_text(&w->history));
    json_array_foreach(edits, i, edit)
    {
        const pv_status status = make_edit(edit, text, error);
        if (status != PV_STATUS_OK) {
            free(*text);
            *text = NULL;
            return status;
        }
    }
    return PV_STATUS_OK;
}

/* -------------------------------------------------------------------- files */

/* Files that a plan names, and where the first one is that it may not. */
typedef struct named {
    const web_workspace *workspace;
    char **list; /* those that the plan names already: whoever wrote it may have them anywhere */
    size_t n;
    bool is_outside;
} named;

static void add_named(void *ctx, const char *path)
{
    named *const f = ctx;
    char **const longer = realloc(f->list, (f->n + 2) * sizeof *f->list);
    if (longer == NULL) {
        cli_no_memory();
    }
    f->list = longer;
    f->list[f->n++] = cli_copy(path);
    f->list[f->n] = NULL;
}

static void check_named(void *ctx, const char *path)
{
    named *const f = ctx;
    bool known = false;
    for (size_t i = 0; i < f->n; i++) {
        known = known || cli_equal(f->list[i], path);
    }
    f->is_outside = f->is_outside || (!known && !web_files_is_inside(f->workspace->files, path));
}

/* A page may have the plan name files below its folder, and no others: they would be read. */
static pv_status check_files(const web_workspace *w, const char *text, pv_error *error)
{
    const char *const before = web_history_text(&w->history);
    named f = {.workspace = w};
    (void)(pv_plan_each_file(w->plan, before, strlen(before), add_named, &f, NULL) ==
           PV_STATUS_OK); /* a plan that cannot be read names none */
    const pv_status status = pv_plan_each_file(w->plan, text, strlen(text), check_named, &f, error);
    cli_list_free(f.list);
    return status == PV_STATUS_OK && f.is_outside
               ? cli_hint(cli_error_at(error, PV_STATUS_INPUT, w->plan, 0, 0,
                                       "this would be a plan with files of another folder"),
                          error, "name them in an editor, or put them into the folder of the plan")
               : status;
}

void web_workspace_refresh(web_workspace *w)
{
    (void)pthread_mutex_lock(&w->lock);
    /* A plan in memory that is open now would be seen alike: its table is what is not wanted. */
    web_workspace_forget_table(w);
    web_snapshot_leave(w->current);
    w->current =
        web_snapshot_create(w->folder, w->plan, web_history_text(&w->history), w->history.version);
    web_workspace_adopt(w);
    (void)pthread_mutex_unlock(&w->lock);
    w->changed_fn(w->changed_ctx);
}

/* What is wrong with the plan as it would be: open questions are not. */
static pv_status check_text(const web_workspace *w, const char *text, pv_error *error)
{
    pv_plan *plan = NULL;
    CLI_TRY(check_files(w, text, error));
    const pv_status status = web_plan_parse(w->plan, text, &plan, error);
    pv_plan_free(plan);
    return status;
}

/* ------------------------------------------------------------------- change */

static pv_status check_version(const web_workspace *w, const json_t *request, pv_error *error)
{
    const json_t *const version = json_object_get(request, "version");
    if (!json_is_integer(version)) {
        return bad("it has the `version` of the plan", error);
    }
    return (uint64_t)json_integer_value(version) == w->history.version
               ? PV_STATUS_OK
               : cli_hint(cli_error(error, PV_STATUS_EXISTS, "the plan has changed meanwhile"),
                          error, "look at what it says now, and try again");
}

static json_t *answer_json(const web_workspace *w, const char *text, const char *before,
                           const pv_error *problem)
{
    json_t *const object = json_object();
    cli_json_set(object, "version", cli_json_count(w->history.version));
    cli_json_set(object, "text", cli_json_text(text));
    cli_json_set(object, "before", cli_json_text(before));
    cli_json_set(object, "error",
                 problem->status != PV_STATUS_OK ? cli_error_body(problem) : json_null());
    return object;
}

/* The file first: killed after it, the server finds it changed outside when it starts again. */
static pv_status commit(web_workspace *w, const char *text, const char *what, pv_error *error)
{
    CLI_TRY(web_workspace_write(w, text, error));
    web_history_add(&w->history, text, what);
    web_workspace_adopt(w);
    return web_workspace_save(w, error);
}

static pv_status change(web_workspace *w, const json_t *request, json_t **answer, pv_error *error)
{
    const char *const what = text_at(request, "what", WEB_LONGEST_NAME);
    const bool dry = json_is_true(json_object_get(request, "dry"));
    pv_error problem = {0};
    char *text = NULL;
    pv_status status = PV_STATUS_OK;
    if (what == NULL && !dry) {
        return bad("it says in a few words `what` changes", error);
    }
    CLI_TRY(check_version(w, request, error));
    CLI_TRY(make_text(w, request, &text, error));
    char *const before = cli_copy(web_history_text(&w->history));
    problem.status = check_text(w, text, &problem);
    if (!dry && problem.status != PV_STATUS_OK) {
        *error = problem;
        status = problem.status;
    } else if (!dry && !cli_equal(text, before)) {
        status = commit(w, text, what, error);
    }
    if (status == PV_STATUS_OK || problem.status != PV_STATUS_OK) {
        *answer = answer_json(w, text, before, &problem);
    }
    free(before);
    free(text);
    return status;
}

/* All of them begin with what the file says now, and end with the jobs looking again. */
static void lock(web_workspace *w)
{
    (void)pthread_mutex_lock(&w->lock);
    (void)web_workspace_reread(w);
}

static void unlock(web_workspace *w)
{
    (void)pthread_mutex_unlock(&w->lock);
    w->changed_fn(w->changed_ctx);
}

pv_status web_workspace_change(web_workspace *w, const json_t *request, json_t **answer,
                               pv_error *error)
{
    *answer = NULL;
    lock(w);
    const pv_status status = change(w, request, answer, error);
    unlock(w);
    return status;
}

static pv_status step(web_workspace *w, const json_t *request, bool redo, json_t **answer,
                      pv_error *error)
{
    pv_error none = {0};
    CLI_TRY(check_version(w, request, error));
    if (!web_history_can(&w->history, redo)) {
        return cli_error(error, PV_STATUS_EXISTS,
                         redo ? "there is nothing to make again" : "there is nothing to take back");
    }
    CLI_TRY(web_workspace_write(w, web_history_next(&w->history, redo), error));
    char *const before = cli_copy(web_history_text(&w->history));
    web_history_go(&w->history, redo);
    web_workspace_adopt(w);
    const pv_status status = web_workspace_save(w, error);
    if (status == PV_STATUS_OK) {
        *answer = answer_json(w, web_history_text(&w->history), before, &none);
    }
    free(before);
    return status;
}

pv_status web_workspace_step(web_workspace *w, const json_t *request, bool redo, json_t **answer,
                             pv_error *error)
{
    *answer = NULL;
    lock(w);
    const pv_status status = step(w, request, redo, answer, error);
    unlock(w);
    return status;
}

/* --------------------------------------------------------------- candidates */

static json_t *pinned_json(const web_workspace *w, uint64_t id)
{
    json_t *const object = json_object();
    cli_json_set(object, "id", cli_json_count(id));
    cli_json_set(object, "candidates", web_history_pinned_json(&w->history));
    return object;
}

/* A plan that cannot be read has no command line, but its candidates are kept. *line is owned. */
static pv_status find_line(const web_workspace *w, const json_t *spec, char **line, pv_error *error)
{
    *line = NULL;
    if (w->current->opened.plan != NULL) {
        const web_call call = {.snapshot = w->current};
        json_t *options = NULL;
        CLI_TRY(web_spec_options(&call, spec, "cuts.json", &options, error));
        *line = web_line(&call, options);
        json_decref(options);
    }
    return PV_STATUS_OK;
}

void web_workspace_lines(web_workspace *w)
{
    for (size_t i = 0; i < w->history.n_pinned; i++) {
        web_pinned *const pinned = &w->history.pinned[i];
        pv_error unfit;
        free(pinned->line);
        if (find_line(w, pinned->spec, &pinned->line, &unfit) != PV_STATUS_OK) {
            pinned->line = NULL;
        }
    }
}

/* Of objects and lists in each other. */
static size_t depth_of(json_t *value)
{
    const char *key;
    json_t *item;
    size_t deepest = 0;
    size_t i;
    json_object_foreach(value, key, item)
    {
        const size_t depth = depth_of(item);
        deepest = depth > deepest ? depth : deepest;
    }
    json_array_foreach(value, i, item)
    {
        const size_t depth = depth_of(item);
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest + (json_is_object(value) || json_is_array(value));
}

/* What is kept must be read again, and is part of every state. */
static bool is_modest(json_t *spec)
{
    return depth_of(spec) <= DEEPEST && json_dumpb(spec, NULL, 0, JSON_COMPACT) <= LARGEST_SPEC;
}

static pv_status pin(web_workspace *w, const char *name, json_t *spec, pv_error *error)
{
    char *line = NULL;
    CLI_TRY(find_line(w, spec, &line, error));
    const bool pinned = web_history_pin(&w->history, name, spec, line);
    free(line);
    return pinned ? web_workspace_save(w, error)
                  : cli_hint(cli_error(error, PV_STATUS_LIMIT, "more than %d candidates",
                                       WEB_MOST_CANDIDATES),
                             error, "forget some of them first");
}

pv_status web_workspace_pin(web_workspace *w, const json_t *request, json_t **answer,
                            pv_error *error)
{
    json_t *const spec = json_object_get(request, "spec");
    const char *const name = text_at(request, "name", WEB_LONGEST_NAME);
    *answer = NULL;
    if (name == NULL || !json_is_object(spec)) {
        return bad("a candidate has a `name` and a `spec`", error);
    }
    if (!is_modest(spec)) {
        return cli_error(error, PV_STATUS_LIMIT, "a `spec` as large or deep as this is not kept");
    }
    lock(w);
    const pv_status status = pin(w, name, spec, error);
    if (status == PV_STATUS_OK) {
        *answer = pinned_json(w, w->history.n_ever_pinned);
    }
    unlock(w);
    return status;
}

static pv_status change_pinned(web_workspace *w, uint64_t id, const char *name, json_t **answer,
                               pv_error *error)
{
    lock(w);
    const bool found = name != NULL ? web_history_rename(&w->history, id, name)
                                    : web_history_unpin(&w->history, id);
    const pv_status status = found ? web_workspace_save(w, error) : PV_STATUS_OK;
    if (found && status == PV_STATUS_OK) {
        *answer = pinned_json(w, id);
    }
    unlock(w);
    return status;
}

pv_status web_workspace_rename(web_workspace *w, uint64_t id, const json_t *request,
                               json_t **answer, pv_error *error)
{
    const char *const name = text_at(request, "name", WEB_LONGEST_NAME);
    *answer = NULL;
    return name != NULL ? change_pinned(w, id, name, answer, error)
                        : bad("it has the new `name`", error);
}

pv_status web_workspace_unpin(web_workspace *w, uint64_t id, json_t **answer, pv_error *error)
{
    *answer = NULL;
    return change_pinned(w, id, NULL, answer, error);
}
