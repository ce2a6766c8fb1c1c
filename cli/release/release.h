/* `release`, and what `apply`, `disclose` and `demo` take from it: writing a table at chosen levels
 * or cuts, and showing what was written.
 *
 *     run.c     which levels, and the command
 *     local.c   local recoding
 *     around.c  what neighbouring questions would cost
 *     print.c   what was written, for people
 *     json.c    the same for programs */
#ifndef CLI_RELEASE_RELEASE_H
#define CLI_RELEASE_RELEASE_H

#include "core/publish.h"

#include <jansson.h>

/* Opens `plan` on `data` (NULL = the plan's own; otherwise new rows), and writes and verifies it
 * with the levels that the settings choose. */
PV_CHECKED pv_status cli_publish_write(cli_run *run, const cli_publish *settings, const char *plan,
                                       const char *data, cli_published *published, pv_error *error);
/* Shows what was written, as the run wants it; the command names the JSON document. */
void cli_published_show(cli_run *run, const cli_published *published);
/* A search for the best was interrupted: shows what was found until then, and its gap. */
void cli_best_so_far_show(cli_run *run, const cli_published *published);
/* `brief` leaves out the measures. */
void cli_published_print(const cli_report *report, const cli_published *published, bool brief);
/* Adds its members to an object. */
void cli_published_json(json_t *object, const cli_published *published);
/* What an interrupted search has found. */
void cli_best_so_far_json(json_t *object, const cli_published *published);

/* Local recoding (`local.c`): is it asked for; finds one; what is said of it, nothing if there is
 * none. */
bool cli_wants_local(const cli_publish *settings);
PV_CHECKED pv_status cli_check_local(const cli_publish *settings, pv_error *error);
PV_CHECKED pv_status cli_take_local(cli_run *run, const cli_publish *settings,
                                    cli_published *published, pv_error *error);
/* The same for new rows and the scheme file of a local recoding. */
PV_CHECKED pv_status cli_fit_local(cli_run *run, const cli_publish *settings,
                                   cli_published *published, pv_error *error);
json_t *cli_fit_json(const cli_published *published);
void cli_local_print(const cli_report *report, const cli_published *published);
json_t *cli_local_json(const cli_published *published);

/* What the best release is made of. */
pv_scheme_kind cli_kind_of(const cli_publish *settings);

/* What one step more of each demand would cost, what twice the budget would save, and the other
 * kind of scheme (`around.c`): asked while the table is written. */
typedef struct cli_around {
    struct cli_asking *asking; /* NULL = nobody asks */
} cli_around;
void cli_around_begin(cli_around *around, const cli_run *run, const cli_publish *settings,
                      const cli_published *published);
/* Waits for the answers, and has them join what was written. If that failed, nobody waits. Returns
 * the status given, or the failure of a search. */
PV_CHECKED pv_status cli_around_end(cli_around *around, cli_published *published, pv_status status,
                                    pv_error *error);

/* The value a constraint speaks of in the release; false if it was not measured. */
bool cli_published_value(const cli_published *published, const pv_constraint *constraint,
                         double *value);
/* Of several sensitive columns the one that decides a constraint, the worst of them; or NULL. */
const char *cli_published_column(const cli_published *published, const pv_constraint *constraint);
/* Columns of the original that the release does not have: identifiers first, then those the plan
 * does not name. The array is owned and ends with NULL. */
const char **cli_published_dropped(const cli_published *published, size_t *n_identifiers);

#endif
