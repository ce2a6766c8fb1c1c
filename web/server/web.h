/* The explorer: one publisher, one plan, one page (or several) on this machine.
 *
 *     page --HTTP--> server.c --guard.c--> who may ask
 *                       |
 *                       +--> workspace.c   the plan file and its history, candidates, the study
 * that is open
 *                       +--> jobs.c        work on threads: progress, partial results, cancelling
 *                               |
 *                               +--> endpoints: command.c columns.c tree.c best.c cloud.c prefer.c
 * candidate.c people.c rows.c contest.c
 *
 * docs/explorer.md is the interface. Everything stands on public headers of the library and on the
 * command (cli/), whose documents the endpoints answer with. */
#ifndef WEB_SERVER_WEB_H
#define WEB_SERVER_WEB_H

#include "core/opened.h"

#include <jansson.h>
#include <paravent/paravent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The plan as it was at one moment, with its table: immutable, shared by all jobs that began with
 * it, freed by the last of them. */
typedef struct web_snapshot {
    char *folder; /* of the plan, absolute; what may be read and written is below it. It is also the
                   * folder in which the server runs, so that paths relative to it can be opened as
                   * they are */
    char *plan_path;   /* the plan's name in that folder */
    char *plan_text;   /* what it says */
    uint64_t version;  /* of the plan */
    cli_opened opened; /* plan, study (with all columns that a release has) and profile; study NULL
                          = refused */
} web_snapshot;

/* One job as an endpoint sees it. */
typedef struct web_call {
    const web_snapshot *snapshot; /* opened.study is there unless the endpoint said it needs none */
    json_t *params;               /* an object; borrowed */
    pv_context context; /* progress and cancelling of the job; hand it to every long call */
    void *job;          /* of web_partial, web_note, web_path */
} web_call;

/* What came of it: *result is an object that the caller owns. PV_STATUS_CANCELLED with a result:
 * the best so far. */
typedef pv_status (*web_endpoint_fn)(web_call *call, json_t **result, pv_error *error);

typedef struct web_endpoint {
    const char *kind;
    bool without_study; /* works while the plan is refused */
    web_endpoint_fn run;
} web_endpoint;

/* All kinds of jobs; ends with a NULL kind (endpoints.c). */
extern const web_endpoint web_endpoints[];

/* Shows a result that is not complete yet; takes `partial` over. */
void web_partial(web_call *call, json_t *partial);
/* A message that is no failure. */
void web_note(web_call *call, const char *text);
/* The file of a path the page gave: under the folder, or an upload. Owned by the caller. Anything
 * else is PV_STATUS_ARGUMENT. */
PV_CHECKED pv_status web_path(web_call *call, const char *path, bool for_writing, char **file,
                              pv_error *error);

/* Runs a command as its command line would (command.c): `options` is an object by long names (text,
 * number, true, a list of texts), `operands` a list of texts in which "plan" stands for the plan;
 * NULL = none. Files are checked with web_path; the table is the snapshot's. *document is that of
 * --json with "line", the command line that does the same. It may be there on failure, too: what
 * was found before the work was cancelled, or what does not keep the demands; else it is NULL. */
PV_CHECKED pv_status web_command_run(web_call *call, const char *command, json_t *options,
                                     json_t *operands, json_t **document, pv_error *error);

/* Something that an endpoint keeps with a snapshot, such as a cache: made by `create` when it is
 * first asked for, freed by `destroy` with the snapshot. `key` is an address that nobody else has,
 * such as that of the caller's static function. One caller makes it while the others wait. Access
 * to what is in it is the endpoint's to guard. NULL = `create` said so. */
void *web_kept(const web_call *call, const void *key, void *(*create)(const web_snapshot *snapshot),
               void (*destroy)(void *kept));

/* A spec (docs/explorer.md) as a scheme: what candidate, people, rows, contest and release begin
 * with. Cached: asking again costs nothing. */
typedef struct web_candidate {
    cli_opened
        opened; /* what the scheme is of: the snapshot's, or seen through its cuts; borrowed */
    const pv_scheme *scheme;      /* borrowed */
    const pv_classes *classes;    /* with what the demands need suppressed; borrowed */
    const pv_constraint *demands; /* the plan's and the spec's */
    size_t n_demands;
    const pv_local *local; /* how it was found, if it is local; else NULL */
    const char *line;      /* the command line, without -o */
    uint64_t budget;       /* rows */
} web_candidate;

PV_CHECKED pv_status web_candidate_find(web_call *call, const json_t *spec,
                                        web_candidate **candidate, pv_error *error);
void web_candidate_release(web_candidate *candidate); /* gives it back to the cache; NULL is fine */

#endif
