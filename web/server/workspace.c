/* The plan file, its table, and the state. */
#include "server/workspace.h"

#include "core/fail.h"
#include "core/json.h"
#include "core/text.h"
#include "server/columns.h"
#include "server/snapshot.h"
#include "server/state.h"
#include "server/workspace_inside.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_PLAN (16u << 20)
#define TOLD_EVERY 0.2  /* seconds: the state is large, and progress goes by ten times a second */
#define FILES_EVERY 1.0 /* seconds between looks at the files that a plan names */
#define OUTSIDE "changed outside the explorer"

/* Whoever waits for a new state gets it. */
static void touch(web_workspace *w)
{
    w->state++;
    (void)pthread_cond_broadcast(&w->changed);
}

static void tell(const web_workspace *w)
{
    w->changed_fn(w->changed_ctx);
}

/* ---------------------------------------------------------------- plan file */

/* All of a text file; NULL, and an error, if it cannot be had. */
static char *read_text(const char *path, pv_error *error)
{
    struct stat found;
    if (stat(path, &found) == 0 && !S_ISREG(found.st_mode)) { /* a pipe would be waited for */
        error->status =
            cli_error_at(error, PV_STATUS_INPUT, path, 0, 0, "the plan is no plain file");
        return NULL;
    }
    FILE *const file = fopen(path, "rb");
    char *const text = cli_zeroed(LARGEST_PLAN + 1, 1);
    const size_t n = file != NULL ? fread(text, 1, LARGEST_PLAN + 1, file) : 0;
    const bool failed = file == NULL || ferror(file) != 0;
    const int reason = errno;
    if (file != NULL) {
        (void)fclose(file);
    }
    if (failed || n > LARGEST_PLAN || strlen(text) < n) {
        error->status = failed
                            ? cli_error_at(error, PV_STATUS_INPUT, path, 0, 0,
                                           "cannot read the plan: %s", strerror(reason))
                            : cli_error_at(error, PV_STATUS_INPUT, path, 0, 0, "this is no plan");
        free(text);
        return NULL;
    }
    char *const fitted = realloc(text, n + 1);
    return fitted != NULL ? fitted : text;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

pv_status web_workspace_write(web_workspace *w, const char *text, pv_error *error)
{
    CLI_TRY(pv_text_write(w->plan, text, PV_AUDIENCE_PUBLIC, true, error));
    (void)stat(w->plan, &w->stamp);
    return PV_STATUS_OK;
}

pv_status web_workspace_save(web_workspace *w, pv_error *error)
{
    char *const text = web_history_write(&w->history, w->plan);
    const pv_status status = pv_text_write(w->file, text, PV_AUDIENCE_PUBLISHER, true, error);
    free(text);
    touch(w);
    return status;
}

static json_t *questions_of(const pv_plan *plan)
{
    json_t *const list = json_array();
    for (size_t i = 0; plan != NULL && i < pv_plan_n_attributes(plan); i++) {
        const pv_plan_attribute *const a = pv_plan_attribute_at(plan, i);
        if (pv_attribute_role(a) == PV_ROLE_UNDECIDED || pv_attribute_open_format(a) != '\0') {
            cli_json_append(list, cli_json_text(pv_attribute_name(a)));
        }
    }
    return list;
}

void web_workspace_adopt(web_workspace *w)
{
    const char *const text = web_history_text(&w->history);
    web_snapshot *const next = web_snapshot_create(w->folder, w->plan, text, w->history.version);
    pv_plan *plan = NULL;
    pv_error error = {0};
    error.status = web_plan_parse(w->plan, text, &plan, &error);
    w->plan_error = error;
    if (plan != NULL) {
        error.status = pv_plan_check_answered(plan, &error);
    }
    json_decref(w->questions);
    w->questions = questions_of(plan);
    next->opened.plan = plan;
    if (w->current != NULL && web_snapshot_sees_alike(next, w->current)) {
        web_snapshot_leave(w->before);
        w->before = w->current;
    } else {
        if (w->before != NULL && !web_snapshot_sees_alike(next, w->before)) {
            web_workspace_forget_table(w);
        }
        web_snapshot_leave(w->current);
    }
    w->current = next;
    w->turn++;
    web_workspace_lines(w);
    json_decref(w->progress);
    w->progress = NULL;
    w->study_error = error;
    w->study = error.status == PV_STATUS_OK ? WEB_OPENING : WEB_REFUSED;
    w->is_wanted = w->study == WEB_OPENING;
    touch(w);
}

void web_workspace_forget_table(web_workspace *w)
{
    web_snapshot_leave(w->before);
    w->before = NULL;
}

/* Has somebody changed the data, or a hierarchy? It is said, and read again when somebody asks: it
 * may be half written. Looked at now and then. */
static void look_at_files(web_workspace *w)
{
    if (w->study != WEB_OPEN || web_now() - w->files_looked < FILES_EVERY) {
        return;
    }
    w->files_looked = web_now();
    json_t *const changed = web_snapshot_changed_files(w->current);
    const bool is_news = !json_equal(changed, w->changed_files);
    json_decref(w->changed_files);
    w->changed_files = changed;
    if (is_news) {
        touch(w);
    }
}

bool web_workspace_reread(web_workspace *w)
{
    look_at_files(w);
    struct stat found = {0};
    pv_error error = {0};
    const bool exists = stat(w->plan, &found) == 0;
    if (exists ? is_same(&found, &w->stamp) : w->stamp.st_ino == 0) {
        return false;
    }
    w->stamp = found;
    char *const text = read_text(w->plan, &error);
    if (text == NULL) { /* what it said last goes on, until it is written again */
        w->plan_error = error;
        touch(w);
        return false;
    }
    const bool is_new = !cli_equal(text, web_history_text(&w->history));
    if (is_new) {
        web_history_add(&w->history, text, OUTSIDE);
        (void)(web_workspace_save(w, &error) == PV_STATUS_OK); /* the next change says why not */
    }
    if (is_new || w->plan_error.status != PV_STATUS_OK) {
        web_workspace_adopt(w);
    }
    free(text);
    return is_new;
}

void web_workspace_look(web_workspace *w)
{
    (void)pthread_mutex_lock(&w->lock);
    const bool is_new = web_workspace_reread(w);
    (void)pthread_mutex_unlock(&w->lock);
    if (is_new) {
        tell(w);
    }
}

/* ------------------------------------------------------------------- opener */

typedef struct opening {
    web_workspace *workspace;
    uint64_t turn; /* whose table is opened */
} opening;

/* What is opened for a plan that has changed again is not wanted any more. */
static bool watch(void *ctx, const pv_progress *at)
{
    const opening *const o = ctx;
    web_workspace *const w = o->workspace;
    (void)pthread_mutex_lock(&w->lock);
    const bool is_wanted = !w->is_ending && w->turn == o->turn;
    if (is_wanted && web_now() - w->progress_told >= TOLD_EVERY) {
        json_decref(w->progress);
        w->progress = json_object();
        cli_json_set(w->progress, "phase", cli_json_text(at->phase));
        cli_json_set(w->progress, "done", cli_json_count(at->done));
        cli_json_set(w->progress, "total", cli_json_count(at->total));
        w->progress_told = web_now();
        touch(w);
    }
    (void)pthread_mutex_unlock(&w->lock);
    return is_wanted;
}

/* With the lock, which is given back while the table is read. */
static void open_table(web_workspace *w)
{
    opening o = {.workspace = w, .turn = w->turn};
    pv_error error = {0};
    web_snapshot *const next =
        web_snapshot_create(w->folder, w->plan, web_history_text(&w->history), w->history.version);
    web_snapshot *const before = w->before != NULL ? web_snapshot_share(w->before) : NULL;
    w->is_wanted = false;
    (void)pthread_mutex_unlock(&w->lock);
    error.status = before != NULL ? web_snapshot_reopen(next, before, &error)
                                  : web_snapshot_open(next, w->threads, watch, &o, &error);
    web_snapshot_leave(before);
    (void)pthread_mutex_lock(&w->lock);
    web_snapshot *left = next;
    const bool is_current = !w->is_ending && w->turn == o.turn;
    if (is_current) {
        web_workspace_forget_table(w);
        w->n_read += before == NULL;
        w->files_looked = 0;
    }
    if (is_current && error.status == PV_STATUS_OK) {
        left = w->current;
        w->current = next;
        w->study = WEB_OPEN;
    } else if (is_current) {
        w->study = WEB_REFUSED;
        w->study_error = error;
    }
    json_decref(w->progress);
    w->progress = NULL;
    touch(w);
    (void)pthread_mutex_unlock(&w->lock);
    web_snapshot_leave(left); /* a table of millions of rows takes its time */
    tell(w);
    (void)pthread_mutex_lock(&w->lock);
}

static void *opener(void *argument)
{
    web_workspace *const w = argument;
    (void)pthread_mutex_lock(&w->lock);
    while (!w->is_ending) {
        if (w->is_wanted) {
            open_table(w);
        } else {
            (void)pthread_cond_wait(&w->changed, &w->lock);
        }
    }
    (void)pthread_mutex_unlock(&w->lock);
    return NULL;
}

web_snapshot *web_workspace_take(void *workspace, bool anyhow, pv_error *error)
{
    web_workspace *const w = workspace;
    web_snapshot *snapshot = NULL;
    (void)pthread_mutex_lock(&w->lock);
    if (anyhow || w->study != WEB_OPENING) {
        snapshot = web_snapshot_share(w->current);
        *error = w->study_error;
    }
    (void)pthread_mutex_unlock(&w->lock);
    return snapshot;
}

/* -------------------------------------------------------------------- state */

static json_t *error_or_null(const pv_error *error)
{
    return error->status != PV_STATUS_OK ? cli_error_body(error) : json_null();
}

static json_t *plan_json(const web_workspace *w)
{
    json_t *const object = json_object();
    cli_json_set(object, "path", cli_json_text(w->plan));
    cli_json_set(object, "folder", cli_json_text(w->folder));
    cli_json_set(object, "version", cli_json_count(w->history.version));
    cli_json_set(object, "text", cli_json_text(web_history_text(&w->history)));
    cli_json_set(object, "error", error_or_null(&w->plan_error));
    cli_json_set(object, "questions", json_incref(w->questions));
    web_history_json(object, &w->history);
    return object;
}

static json_t *study_json(const web_workspace *w, const web_snapshot *snapshot)
{
    static const char *const names[] = {
        [WEB_OPENING] = "opening", [WEB_OPEN] = "open", [WEB_REFUSED] = "refused"};
    json_t *const object = json_object();
    cli_json_set(object, "state", json_string(names[w->study]));
    cli_json_set(object, "error",
                 w->study == WEB_REFUSED ? error_or_null(&w->study_error) : json_null());
    cli_json_set(object, "progress", w->progress != NULL ? json_incref(w->progress) : json_null());
    if (w->study == WEB_OPEN) {
        web_study_json(object, snapshot);
        cli_json_set(object, "changed_files", json_incref(w->changed_files));
        cli_json_set(object, "reading", cli_json_count(w->n_read));
    }
    return object;
}

json_t *web_workspace_state(web_workspace *w, uint64_t since, web_patience patience)
{
    json_t *const object = json_object();
    (void)pthread_mutex_lock(&w->lock);
    while (w->state <= since && !w->is_ending &&
           web_patience_wait(&patience, &w->changed, &w->lock)) {
        if (web_workspace_reread(w)) { /* nobody else may ask for a while */
            (void)pthread_mutex_unlock(&w->lock);
            tell(w);
            (void)pthread_mutex_lock(&w->lock);
        }
    }
    cli_json_set(object, "state", cli_json_count(w->state));
    cli_json_set(object, "paravent", cli_json_text(pv_version()));
    cli_json_set(object, "plan", plan_json(w));
    cli_json_set(object, "study", study_json(w, w->current));
    cli_json_set(object, "measures", web_measures_json(w->current->opened.study));
    cli_json_set(object, "methods", web_methods_json());
    cli_json_set(object, "candidates", web_history_pinned_json(&w->history));
    (void)pthread_mutex_unlock(&w->lock);
    return object;
}

/* --------------------------------------------------------------------- life */

char *web_workspace_file(const char *plan)
{
    char *const stem = cli_path_stem(plan);
    char *const file = cli_format("%s.explore.json", stem);
    free(stem);
    return file;
}

/* Two servers would overwrite each other's history. */
static pv_status claim(web_workspace *w, pv_error *error)
{
    char *const name = cli_format("%.*s", (int)(strlen(w->file) - strlen(".json")), w->file);
    CLI_TRY(pv_outputs_create(true, &w->claim, error));
    const pv_status status = pv_outputs_add(w->claim, name, PV_AUDIENCE_PUBLISHER, error);
    free(name);
    return status == PV_STATUS_OK ? status
                                  : cli_hint(status, error,
                                             "is this plan being explored already? One server is "
                                             "enough for any number of pages");
}

/* The plan as it is, after what is known of it. */
static pv_status begin(web_workspace *w, pv_error *error)
{
    char *const text = read_text(w->plan, error);
    if (text == NULL) {
        return error->status;
    }
    pv_status status = PV_STATUS_OK;
    (void)stat(w->plan, &w->stamp);
    struct stat unused;
    if (lstat(w->file, &unused) == 0) {
        status = web_history_read(&w->history, w->file, error);
        if (status == PV_STATUS_OK && !cli_equal(text, web_history_text(&w->history))) {
            web_history_add(&w->history, text, OUTSIDE);
        }
    } else {
        web_history_begin(&w->history, text);
    }
    free(text);
    return status;
}

pv_status web_workspace_open(const web_workspace_options *options, web_files *files,
                             web_workspace **workspace, pv_error *error)
{
    web_workspace *const w = cli_zeroed(1, sizeof *w);
    pv_status status = PV_STATUS_OK;
    *w = (web_workspace){.folder = cli_copy(options->folder),
                         .plan = cli_copy(options->plan),
                         .file = web_workspace_file(options->plan),
                         .files = files,
                         .threads = options->threads,
                         .changed_fn = options->changed,
                         .changed_ctx = options->changed_ctx};
    w->changed_files = json_array();
    (void)pthread_mutex_init(&w->lock, NULL);
    web_cond_init(&w->changed);
    CLI_TRY_CLEAN(claim(w, error));
    CLI_TRY_CLEAN(begin(w, error));
    web_workspace_adopt(w);
    if (pthread_create(&w->opener, NULL, opener, w) != 0) {
        CLI_TRY_CLEAN(cli_error(error, PV_STATUS_IO, "cannot start a thread"));
    }
    w->has_opener = true;
    *workspace = w;
    return PV_STATUS_OK;
cleanup:
    web_workspace_free(w);
    return status;
}

void web_workspace_stop(web_workspace *w)
{
    (void)pthread_mutex_lock(&w->lock);
    w->is_ending = true;
    (void)pthread_cond_broadcast(&w->changed);
    (void)pthread_mutex_unlock(&w->lock);
}

void web_workspace_free(web_workspace *w)
{
    if (w == NULL) {
        return;
    }
    web_workspace_stop(w);
    if (w->has_opener) {
        (void)pthread_join(w->opener, NULL);
    }
    web_snapshot_leave(w->current);
    web_snapshot_leave(w->before);
    json_decref(w->changed_files);
    web_history_clear(&w->history);
    json_decref(w->questions);
    json_decref(w->progress);
    pv_outputs_free(w->claim);
    (void)pthread_cond_destroy(&w->changed);
    (void)pthread_mutex_destroy(&w->lock);
    free(w->folder);
    free(w->plan);
    free(w->file);
    free(w);
}
