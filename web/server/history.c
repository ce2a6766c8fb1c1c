/* The texts that the plan has had, and the candidates. */
#include "server/history.h"

#include "core/fail.h"
#include "core/json.h"
#include "core/text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define SCHEMA 1

/* -------------------------------------------------------------------- steps */

static char *time_now(void)
{
    char text[32];
    const time_t seconds = time(NULL);
    struct tm parts;
    (void)gmtime_r(&seconds, &parts);
    (void)strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return cli_copy(text);
}

static void step_free(web_step *step)
{
    free(step->text);
    free(step->what);
    free(step->time);
    *step = (web_step){0};
}

static void drop_first(web_history *history)
{
    step_free(&history->steps[0]);
    history->n_steps--;
    history->at--;
    memmove(history->steps, history->steps + 1, history->n_steps * sizeof *history->steps);
    memset(&history->steps[history->n_steps], 0, sizeof *history->steps);
}

static size_t bytes_of(const web_history *history)
{
    size_t n = 0;
    for (size_t i = 0; i < history->n_steps; i++) {
        n += strlen(history->steps[i].text);
    }
    return n;
}

void web_history_begin(web_history *history, const char *text)
{
    history->version = 1;
    history->n_steps = 1;
    history->at = 0;
    history->steps[0] =
        (web_step){.text = cli_copy(text), .what = cli_copy(""), .time = time_now(), .version = 1};
}

void web_history_clear(web_history *history)
{
    for (size_t i = 0; i < history->n_steps; i++) {
        step_free(&history->steps[i]);
    }
    for (size_t i = 0; i < history->n_pinned; i++) {
        free(history->pinned[i].name);
        free(history->pinned[i].line);
        json_decref(history->pinned[i].spec);
    }
    *history = (web_history){0};
}

const char *web_history_text(const web_history *history)
{
    return history->steps[history->at].text;
}

void web_history_add(web_history *history, const char *text, const char *what)
{
    while (history->n_steps > history->at + 1) {
        step_free(&history->steps[--history->n_steps]);
    }
    if (history->n_steps == WEB_MOST_STEPS) {
        drop_first(history);
    }
    history->steps[history->n_steps++] = (web_step){.text = cli_copy(text),
                                                    .what = cli_copy(what),
                                                    .time = time_now(),
                                                    .version = ++history->version};
    history->at = history->n_steps - 1;
    while (history->n_steps > 2 && bytes_of(history) > WEB_MOST_STEP_BYTES) {
        drop_first(history);
    }
}

bool web_history_can(const web_history *history, bool redo)
{
    return redo ? history->at + 1 < history->n_steps : history->at > 0;
}

const char *web_history_next(const web_history *history, bool redo)
{
    return history->steps[redo ? history->at + 1 : history->at - 1].text;
}

void web_history_go(web_history *history, bool redo)
{
    history->at = redo ? history->at + 1 : history->at - 1;
    history->version++;
}

void web_history_json(json_t *object, const web_history *history)
{
    json_t *const list = json_array();
    const size_t at = history->at;
    for (size_t i = 1; i <= at; i++) {
        const web_step *const step = &history->steps[i];
        json_t *const entry = json_object();
        cli_json_set(entry, "version", cli_json_count(step->version));
        cli_json_set(entry, "what", cli_json_text(step->what));
        cli_json_set(entry, "time", cli_json_text(step->time));
        cli_json_append(list, entry);
    }
    cli_json_set(object, "undo", at > 0 ? cli_json_text(history->steps[at].what) : json_null());
    cli_json_set(object, "redo",
                 web_history_can(history, true) ? cli_json_text(history->steps[at + 1].what)
                                                : json_null());
    cli_json_set(object, "history", list);
}

/* --------------------------------------------------------------- candidates */

static size_t find_pinned(const web_history *history, uint64_t id)
{
    size_t i = 0;
    while (i < history->n_pinned && history->pinned[i].id != id) {
        i++;
    }
    return i;
}

bool web_history_pin(web_history *history, const char *name, json_t *spec, const char *line)
{
    if (history->n_pinned == WEB_MOST_CANDIDATES) {
        return false;
    }
    history->pinned[history->n_pinned++] =
        (web_pinned){.id = ++history->n_ever_pinned,
                     .name = cli_copy(name),
                     .line = line != NULL ? cli_copy(line) : NULL,
                     .spec = json_incref(spec)};
    return true;
}

bool web_history_rename(web_history *history, uint64_t id, const char *name)
{
    const size_t i = find_pinned(history, id);
    if (i == history->n_pinned) {
        return false;
    }
    free(history->pinned[i].name);
    history->pinned[i].name = cli_copy(name);
    return true;
}

bool web_history_unpin(web_history *history, uint64_t id)
{
    const size_t i = find_pinned(history, id);
    if (i == history->n_pinned) {
        return false;
    }
    free(history->pinned[i].name);
    free(history->pinned[i].line);
    json_decref(history->pinned[i].spec);
    history->n_pinned--;
    memmove(&history->pinned[i], &history->pinned[i + 1],
            (history->n_pinned - i) * sizeof *history->pinned);
    return true;
}

json_t *web_history_pinned_json(const web_history *history)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < history->n_pinned; i++) {
        const web_pinned *const p = &history->pinned[i];
        json_t *const entry = json_object();
        cli_json_set(entry, "id", cli_json_count(p->id));
        cli_json_set(entry, "name", cli_json_text(p->name));
        cli_json_set(entry, "spec", json_incref(p->spec));
        cli_json_set(entry, "line", p->line != NULL ? cli_json_text(p->line) : json_null());
        cli_json_append(list, entry);
    }
    return list;
}

/* ----------------------------------------------------------------- the file */

char *web_history_write(const web_history *history, const char *plan)
{
    json_t *const object = json_object();
    json_t *const steps = json_array();
    cli_json_set(object, "explorer", cli_json_count(SCHEMA));
    cli_json_set(object, "plan", cli_json_text(plan));
    cli_json_set(object, "version", cli_json_count(history->version));
    cli_json_set(object, "at", cli_json_count(history->at));
    for (size_t i = 0; i < history->n_steps; i++) {
        const web_step *const step = &history->steps[i];
        json_t *const entry = json_object();
        cli_json_set(entry, "version", cli_json_count(step->version));
        cli_json_set(entry, "what", cli_json_text(step->what));
        cli_json_set(entry, "time", cli_json_text(step->time));
        cli_json_set(entry, "text", cli_json_text(step->text));
        cli_json_append(steps, entry);
    }
    cli_json_set(object, "steps", steps);
    cli_json_set(object, "pinned", cli_json_count(history->n_ever_pinned));
    cli_json_set(object, "candidates", web_history_pinned_json(history));
    char *const text = json_dumps(object, JSON_INDENT(1));
    json_decref(object);
    if (text == NULL) {
        cli_no_memory();
    }
    return text;
}

static bool read_step(web_step *step, const json_t *entry)
{
    const char *const text = json_string_value(json_object_get(entry, "text"));
    const char *const what = json_string_value(json_object_get(entry, "what"));
    const char *const time = json_string_value(json_object_get(entry, "time"));
    const json_int_t version = json_integer_value(json_object_get(entry, "version"));
    if (text == NULL || what == NULL || time == NULL || version < 1) {
        return false;
    }
    *step = (web_step){.text = cli_copy(text),
                       .what = cli_copy(what),
                       .time = cli_copy(time),
                       .version = (uint64_t)version};
    return true;
}

/* Its line is made anew: nobody shall copy into a shell what only a file says. */
static bool read_pinned(web_pinned *pinned, const json_t *entry, uint64_t most)
{
    json_t *const spec = json_object_get(entry, "spec");
    const char *const name = json_string_value(json_object_get(entry, "name"));
    const json_int_t id = json_integer_value(json_object_get(entry, "id"));
    if (!json_is_object(spec) || name == NULL || id < 1 || (uint64_t)id > most) {
        return false;
    }
    *pinned = (web_pinned){.id = (uint64_t)id, .name = cli_copy(name), .spec = json_incref(spec)};
    return true;
}

static bool read_all(web_history *history, const json_t *object)
{
    const json_t *const steps = json_object_get(object, "steps");
    const json_t *const candidates = json_object_get(object, "candidates");
    const json_int_t at = json_integer_value(json_object_get(object, "at"));
    const json_int_t version = json_integer_value(json_object_get(object, "version"));
    const json_int_t pinned = json_integer_value(json_object_get(object, "pinned"));
    const json_t *entry;
    size_t i;
    if (json_integer_value(json_object_get(object, "explorer")) != SCHEMA || at < 0 ||
        version < 1 || pinned < 0 || (size_t)at >= json_array_size(steps) ||
        json_array_size(steps) > WEB_MOST_STEPS ||
        json_array_size(candidates) > WEB_MOST_CANDIDATES) {
        return false;
    }
    json_array_foreach(steps, i, entry)
    {
        if (!read_step(&history->steps[history->n_steps], entry)) {
            return false;
        }
        history->n_steps++;
    }
    json_array_foreach(candidates, i, entry)
    {
        if (!read_pinned(&history->pinned[history->n_pinned], entry, (uint64_t)pinned)) {
            return false;
        }
        history->n_pinned++;
    }
    history->at = (size_t)at;
    history->version = (uint64_t)version;
    history->n_ever_pinned = (uint64_t)pinned;
    return true;
}

pv_status web_history_read(web_history *history, const char *path, pv_error *error)
{
    json_error_t problem;
    struct stat found;
    const bool is_plain = stat(path, &found) == 0 && S_ISREG(found.st_mode);
    json_t *const object = is_plain ? json_load_file(path, 0, &problem) : NULL;
    *history = (web_history){0};
    const bool good = object != NULL && read_all(history, object);
    json_decref(object);
    if (good) {
        return PV_STATUS_OK;
    }
    web_history_clear(history);
    return cli_hint(
        cli_error_at(error, PV_STATUS_INPUT, path, 0, 0, "this is no file of the explorer"), error,
        "it holds earlier texts of the plan and pinned candidates; move it away "
        "to begin without them");
}
