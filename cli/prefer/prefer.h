/* `paravent prefer`: what its files share.
 *
 *     settings.c     the options, understood once: a wish
 *     run.c          answers the wish, writes, chooses
 *     print.c, plot.c, json.c    the answer for people, as a picture, for programs; and the
 *                    log of a session
 *     interactive.c  from wish to wish
 */
#ifndef CLI_PREFER_PREFER_H
#define CLI_PREFER_PREFER_H

#include "compare/contest.h"
#include "core/command.h"
#include "core/measured.h"
#include "core/opened.h"

#include <jansson.h>
#include <paravent/paravent.h>

/* Bias and loss lie between nothing and this. */
#define CLI_ALL_THERE_IS 1.0
/* The measures of both unless others are named. */
#define CLI_USUAL_BIAS "necd"
#define CLI_USUAL_LOSS "nwp"
/* What a bias is, in words for people; "spread" for short. */
#define CLI_SPREAD "spread of class sizes"

/* --------------------------------------------------------------- settings */

/* The options as given. */
typedef struct cli_prefer {
    cli_common common;
    cli_reading reading;
    const char *data;
    cli_count k;
    char *aspire; /* the measures of bias and loss, and how much of them: gini=0.3,cm=0.1 */
    const char *necd, *nwp;
    char *require;    /* demands besides k */
    char *weights;    /* age=3,sex=0.5 */
    const char *from; /* SPREAD,LOSS: where a reference direction starts */
    cli_count steps;
    const char *method, *prove, *memory, *crossover, *mutation;
    cli_count evaluations, seed, population;
    cli_count choose;    /* an alternative, or a step, instead of the best */
    const char *compare; /* two solutions, to be compared person by person */
    const char *output;  /* the cuts of the chosen solution */
    const char *session;
    bool free_groups, all, force, log, interactive;
} cli_prefer;

/* Names with numbers, "age=3, sex=0.5 zip=1", as options and the lines of a conversation have them.
 * A name may hold blanks; a number ends at a blank or a comma. */
typedef struct cli_pair {
    const char *name;
    double value; /* 0 or more */
} cli_pair;

typedef struct cli_pairs {
    cli_pair *list;
    size_t n;
    char *text; /* holds the names */
} cli_pairs;

/* At least one. False, and nothing to free, if the text is anything else. */
bool cli_pairs_read(const char *text, cli_pairs *pairs);
void cli_pairs_free(cli_pairs *pairs);

/* The options as understood. Nothing in it points into it: it may be copied. */
typedef struct cli_wish {
    cli_prefer given;
    pv_preference_options options; /* without demands and measures, see cli_wish_options */
    pv_measure_ref bias, loss;
    cli_demands demands; /* k may be among them */
    cli_pairs weights;   /* other than the plan's */
    pv_aspiration point;
    pv_aspiration from;
    size_t steps;      /* of the reference direction; 0 = none */
    size_t compare[2]; /* numbers of solutions, if --compare is given */
} cli_wish;

/* Whatever can be understood before the plan is read. On failure nothing is left to free. */
PV_CHECKED pv_status cli_wish_read(const cli_prefer *given, cli_wish *wish, pv_error *error);
/* What the plan demands is demanded, too. */
PV_CHECKED pv_status cli_wish_add_plan(cli_wish *wish, const pv_plan *plan, pv_error *error);
void cli_wish_free(cli_wish *wish);
/* For the library; they borrow from the wish. */
pv_preference_options cli_wish_options(const cli_wish *wish);
/* Is this about the people in every class? They are one number, however often demanded. */
bool cli_wish_is_k(const pv_constraint *demand);
/* "best" is 0, others are numbers; false if it is neither. */
bool cli_solution_parse(const char *text, size_t *solution);

/* ----------------------------------------------------------------- answer */

/* The answer to a wish with what it was made from. Everything but the preference and the answers is
 * borrowed. */
typedef struct cli_preferred {
    const cli_opened *opened;
    const char *plan; /* its path */
    const cli_wish *wish;
    pv_preference *preference;
    pv_answer *answer;
    pv_answer **steps; /* of the reference direction */
    size_t n_steps;
    size_t choice; /* 0 = the best; else an alternative or a step, from 1 */
} cli_preferred;

/* How many alternatives there are, or steps if there are any; the best is not among them. */
size_t cli_preferred_n_others(const cli_preferred *preferred);
/* 0 is the best, then the others; borrowed. */
const pv_solution *cli_preferred_solution(const cli_preferred *preferred, size_t number);
/* "the best", "alternative 2", "step 2". Owned. */
char *cli_preferred_name(const cli_preferred *preferred, size_t number);
/* Has anything been proven about what is possible? */
bool cli_preferred_has_bound(const cli_preferred *preferred);
/* The corner of what is proven empty: no scheme has both less bias and less loss than this. */
pv_aspiration cli_preferred_corner(const cli_preferred *preferred);
/* Forgets the reference direction: numbers mean alternatives again. */
void cli_preferred_forget_steps(cli_preferred *preferred);
/* Writes the cuts of the chosen solution. */
PV_CHECKED pv_status cli_preferred_write(cli_run *run, const cli_preferred *preferred,
                                         pv_error *error);
/* Notes in the session, if one is open, that the chosen solution was accepted. */
PV_CHECKED pv_status cli_preferred_accept(const cli_preferred *preferred, pv_error *error);

/* ---------------------------------------------------------------- weights */

/* Only some losses have them. */
bool cli_weights_exist(const cli_preferred *preferred);
/* Are they other than the plan's? */
bool cli_weights_changed(const cli_preferred *preferred);
/* Gives attributes other weights for the wishes to come. */
PV_CHECKED pv_status cli_weights_set(const cli_preferred *preferred, const cli_pairs *weights,
                                     pv_error *error);
typedef enum cli_weights_shown { CLI_WEIGHTS_ALL, CLI_WEIGHTS_CHANGED } cli_weights_shown;
/* "age=3,sex=1,zip=1", with what separates them. Owned. */
char *cli_weights_text(const cli_preferred *preferred, cli_weights_shown shown,
                       const char *separator, int digits);

/* ----------------------------------------------------------------- output */

/* The report for people. */
PV_CHECKED pv_status cli_preferred_print(const cli_report *report, const cli_preferred *preferred,
                                         pv_error *error);
/* Parts of it: the wish, the answer and its alternatives; */
void cli_preferred_print_briefly(const cli_report *report, const cli_preferred *preferred);
/* ... the alternatives alone, all of them; */
void cli_preferred_print_alternatives(const cli_report *report, const cli_preferred *preferred);
/* ... the steps of the reference direction, with a picture; */
void cli_preferred_print_steps(const cli_report *report, const cli_preferred *preferred);
/* ... the groups of the chosen solution under a heading; */
PV_CHECKED pv_status cli_preferred_print_groups(const cli_report *report,
                                                const cli_preferred *preferred, pv_error *error);
/* ... how the chosen solution is released, after asking for it as `given` says. */
void cli_preferred_print_release(const cli_report *report, const cli_preferred *preferred,
                                 const cli_prefer *given);
/* The command line that asks what `given` asks, without an output: "paravent prefer PLAN --k 5".
 * Owned.
 */
char *cli_prefer_line(const char *plan, const cli_prefer *given);
/* What the answer keeps, as --require has it: "k=5,l-distinct=3". Owned. */
char *cli_preferred_require(const cli_preferred *preferred);
/* What --aspire has to say for a point: "gini=0.3,nwp=0.2". Owned. */
char *cli_aspire_text(const cli_wish *wish, pv_aspiration point, int digits);
/* Bias against loss around the best solution. */
void cli_preferred_plot(const cli_report *report, const cli_preferred *preferred);
/* Adds its members to the document. */
PV_CHECKED pv_status cli_preferred_json(json_t *document, const cli_preferred *preferred,
                                        pv_error *error);
/* The entries of a session's log, a list. */
json_t *cli_session_log_json(const pv_preference_log *log);

/* ------------------------------------------------------------ conversation */

/* Answers the wish of the options, then does what standard input asks for until a solution is
 * accepted or the input ends. `preferred` has its preference, and no answer yet. */
PV_CHECKED pv_status cli_prefer_interactive(cli_run *run, cli_preferred *preferred,
                                            pv_error *error);

/* Reads the session file and shows its trail, as the run wants it. */
PV_CHECKED pv_status cli_session_log_show(cli_run *run, const char *path, pv_error *error);
/* Shows what was read from it, for people. */
void cli_session_log_print(const cli_report *report, const char *path,
                           const pv_preference_log *log);

#endif
