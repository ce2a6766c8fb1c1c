/* `release`, and what `apply`, `disclose` and `demo` take from it: writing a table at chosen levels
 * or cuts, and showing what was written.
 *
 *     run.c     which levels, and the command
 *     question.c  asking for the best, and which demand is too much if there is none
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
/* What a search for the best found, and what neighbouring questions would cost: the `best` of a
 * document. There must be a scheme. */
json_t *cli_best_json(const pv_best *best, const cli_demands *demands,
                      const cli_neighbour *neighbours, size_t n_neighbours);
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

/* "30.70% glm": as a share where there is one. Owned. */
char *cli_best_loss_text(const pv_profile *profile, const pv_best *best, double value);
/* "proven, nothing among 1,000 schemes of levels is better (12 looked at)": what is known of how
 * good it is. `more_time` is what to say of time that may help. Owned. */
char *cli_best_proof_text(const pv_profile *profile, const pv_best *best, const char *more_time);

/* What the best release is made of. */
pv_scheme_kind cli_kind_of(const cli_publish *settings);

/* What is asked of a search for the best (`question.c`). Everything is borrowed. */
typedef struct cli_question {
    const pv_study *study;
    const pv_context *context;
    pv_scheme_kind kind;
    const cli_demands *demands;
    const pv_budget *budget;
    double seconds;
    uint64_t max_steps; /* 0 = no limit */
    const char *minimize;
    const pv_best *known; /* where to begin; NULL = nowhere */
} cli_question;
PV_CHECKED pv_status cli_question_ask(const cli_question *question, pv_best **best,
                                      pv_error *error);

/* Why nothing was found that keeps the demands. */
typedef struct cli_too_much {
    bool proven;           /* that nothing keeps them */
    bool possible;         /* something does, but it was not found in the time given */
    size_t n;              /* so many of the demands, from the first, are too much together */
    pv_constraint demand;  /* the last of these */
    bool found;            /* is anything of it possible? */
    bool sure;             /* that it is the most */
    pv_constraint nearest; /* what is possible */
} cli_too_much;
/* Takes some searches. PV_STATUS_CANCELLED if the context stops one of them. */
PV_CHECKED pv_status cli_too_much_find(const cli_question *question, bool proven,
                                       cli_too_much *too_much, pv_error *error);
/* "no way to generalize keeps k >= 5 with at most 3 rows suppressed: this is proven". Owned. */
char *cli_too_much_text(const cli_too_much *too_much, uint64_t budget);
/* "at most k >= 4 would be possible"; NULL = nothing is known to be. Owned. */
char *cli_too_much_nearest(const cli_too_much *too_much);

/* What one step more of each demand would cost, what twice the budget would save, and the other
 * kind of scheme (`around.c`): asked while the table is written. */
typedef struct cli_around {
    struct cli_asking *asking; /* NULL = nobody asks */
} cli_around;
/* `best` answers the question; both stay until the end. */
void cli_around_begin(cli_around *around, const cli_question *question, const pv_best *best);
/* Waits for the answers, and has them join what was written. If that failed, nobody waits. Returns
 * the status given, or the failure of a search. */
PV_CHECKED pv_status cli_around_end(cli_around *around, cli_published *published, pv_status status,
                                    pv_error *error);
/* The same at once: up to CLI_MOST_NEIGHBOURS neighbours, whose answers the caller frees. Nothing
 * of what the question's context stops. */
PV_CHECKED pv_status cli_around_find(const cli_question *question, const pv_best *best,
                                     cli_neighbour *neighbours, size_t *n, pv_error *error);

/* The value a constraint speaks of in the release; false if it was not measured. */
bool cli_published_value(const cli_published *published, const pv_constraint *constraint,
                         double *value);
/* Of several sensitive columns the one that decides a constraint, the worst of them; or NULL. */
const char *cli_published_column(const cli_published *published, const pv_constraint *constraint);
/* Columns of the original that the release does not have: identifiers first, then those the plan
 * does not name. The array is owned and ends with NULL. */
const char **cli_published_dropped(const cli_published *published, size_t *n_identifiers);

#endif
