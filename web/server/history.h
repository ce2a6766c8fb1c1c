/* The texts that the plan has had, to go back to and forth, and the candidates that were pinned:
 * what the explorer keeps in a private file beside the plan, so that ending the server, or killing
 * it, loses nothing.
 *
 *     texts[0] --what[1]--> texts[1] --what[2]--> texts[2]
 *                              ^ at: what the plan says now; what is after it can be made again */
#ifndef WEB_SERVER_HISTORY_H
#define WEB_SERVER_HISTORY_H

#include <jansson.h>
#include <paravent/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEB_MOST_STEPS 200
#define WEB_MOST_STEP_BYTES (32u << 20) /* of all texts */
#define WEB_MOST_CANDIDATES 100
#define WEB_LONGEST_NAME 200 /* bytes of a name, or of what a change is called */

typedef struct web_step {
    char *text;
    char *what; /* how it came about; of the first one, "" */
    char *time; /* 2026-01-31T12:00:00Z */
    uint64_t version;
} web_step;

typedef struct web_pinned {
    uint64_t id;
    char *name;
    char *line; /* NULL = not known */
    json_t *spec;
} web_pinned;

typedef struct web_history {
    web_step steps[WEB_MOST_STEPS];
    size_t n_steps, at;
    uint64_t version; /* counts all changes, also those to and fro */
    web_pinned pinned[WEB_MOST_CANDIDATES];
    size_t n_pinned;
    uint64_t n_ever_pinned;
} web_history;

/* Begins with a text. */
void web_history_begin(web_history *history, const char *text);
void web_history_clear(web_history *history);

const char *web_history_text(const web_history *history); /* what the plan says */
/* A change: what could have been made again is gone. */
void web_history_add(web_history *history, const char *text, const char *what);
bool web_history_can(const web_history *history, bool redo);
/* The text that undo or redo leads to; asked only if it can. */
const char *web_history_next(const web_history *history, bool redo);
void web_history_go(web_history *history, bool redo);
/* {"undo", "redo", "history": [{"version", "what", "time"}]}, added to an object. */
void web_history_json(json_t *object, const web_history *history);

/* False: there are too many. */
bool web_history_pin(web_history *history, const char *name, json_t *spec, const char *line);
bool web_history_rename(web_history *history, uint64_t id, const char *name);
bool web_history_unpin(web_history *history, uint64_t id);
/* [{"id", "name", "spec", "line"}] */
json_t *web_history_pinned_json(const web_history *history);

/* The file's text, owned; and back. What is no such file is PV_STATUS_INPUT, and the history is
 * empty. */
char *web_history_write(const web_history *history, const char *plan);
PV_CHECKED pv_status web_history_read(web_history *history, const char *path, pv_error *error);

#endif
