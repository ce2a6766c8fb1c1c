/* What a job was asked for: its params, each checked to be what it should be, before anything takes
 * time. A member that is absent or null leaves the caller's default as it is. */
#ifndef WEB_SERVER_ASKED_H
#define WEB_SERVER_ASKED_H

#include "core/measured.h"
#include "server/web.h"

/* Are there no members but these? `names` ends with NULL. */
PV_CHECKED pv_status web_asked_only(const json_t *params, const char *const *names,
                                    pv_error *error);
/* Borrowed from the params. */
PV_CHECKED pv_status web_asked_text(const json_t *params, const char *name, const char **text,
                                    pv_error *error);
/* A text, or a list of texts, which are put together with commas: as options take them. Owned; NULL
 * if it is absent. */
PV_CHECKED pv_status web_asked_list(const json_t *params, const char *name, char **text,
                                    pv_error *error);
/* From `least` to `most`. */
PV_CHECKED pv_status web_asked_number(const json_t *params, const char *name, double least,
                                      double most, double *number, pv_error *error);
PV_CHECKED pv_status web_asked_count(const json_t *params, const char *name, uint64_t least,
                                     uint64_t most, uint64_t *count, pv_error *error);
PV_CHECKED pv_status web_asked_flag(const json_t *params, const char *name, bool *flag,
                                    pv_error *error);
/* An object; borrowed. */
PV_CHECKED pv_status web_asked_object(const json_t *params, const char *name, const json_t **object,
                                      pv_error *error);

/* What a release has to keep: the plan's demands and those of `require`, and how many rows may be
 * suppressed, by the plan or by `suppression`. */
typedef struct web_demands {
    cli_demands all;
    pv_budget budget;
    pv_suppression suppression; /* the same in rows, with the plan's rule */
    char *require; /* as asked for, of a command line; NULL = nothing more than the plan */
    const char *budget_text; /* as asked for; borrowed; NULL = the plan's */
} web_demands;

PV_CHECKED pv_status web_demands_read(const web_call *call, web_demands *demands, pv_error *error);
void web_demands_free(web_demands *demands);
/* "k >= 5 and l-distinct >= 3"; NULL if nothing is demanded. Owned. */
char *web_demands_words(const cli_demands *demands);
/* Adds `require` and `suppression`, where they were asked for, to a spec. */
void web_demands_to_spec(const web_demands *demands, json_t *spec);

#endif
