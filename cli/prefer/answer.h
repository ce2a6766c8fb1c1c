/* The answer to a wish with what it was made from, and how it is told. */
#ifndef CLI_PREFER_ANSWER_H
#define CLI_PREFER_ANSWER_H

#include "core/command.h"
#include "core/opened.h"
#include "prefer/settings.h"

#include <jansson.h>
#include <paravent/paravent.h>

/* Everything but the walk and the answers is borrowed. */
typedef struct cli_preferred {
    const cli_opened *opened;
    const char *plan; /* its path */
    const cli_prefer *settings;
    const cli_wish *wish;
    pv_walk *walk;
    pv_answer *answer;
    pv_answer **steps; /* of the reference direction */
    size_t n_steps;
    size_t choice; /* 0 = the best; else an alternative or a step, from 1 */
} cli_preferred;

void cli_preferred_free(cli_preferred *preferred);

/* The solution that was chosen; borrowed. */
const pv_solution *cli_preferred_chosen(const cli_preferred *preferred);
/* Has anything been proven about what is possible? */
bool cli_preferred_has_bound(const cli_preferred *preferred);
/* The corner of what is proven empty: no scheme has both less bias and less loss than this. */
pv_aspiration cli_preferred_corner(const cli_preferred *preferred);

/* Forgets the reference direction: numbers mean alternatives again. */
void cli_preferred_forget_steps(cli_preferred *preferred);
/* Writes the cuts of the chosen solution. */
PV_CHECKED pv_status cli_preferred_write(cli_run *run, const cli_preferred *preferred,
                                         pv_error *error);
/* Notes in the session, if one is kept, that the chosen solution was accepted. */
PV_CHECKED pv_status cli_preferred_accept(const cli_preferred *preferred, pv_error *error);

/* The report for people. */
PV_CHECKED pv_status cli_preferred_print(const cli_report *report, const cli_preferred *preferred,
                                         pv_error *error);
/* Parts of it: the wish, the answer and its alternatives; */
void cli_preferred_print_briefly(const cli_report *report, const cli_preferred *preferred);
/* ... the alternatives alone; */
void cli_preferred_print_alternatives(const cli_report *report, const cli_preferred *preferred);
/* ... the steps of the reference direction, with a picture; */
void cli_preferred_print_steps(const cli_report *report, const cli_preferred *preferred);
/* ... the groups of the chosen solution under a heading; */
PV_CHECKED pv_status cli_preferred_print_groups(const cli_report *report,
                                                const cli_preferred *preferred, pv_error *error);
/* ... how the chosen solution is released. */
void cli_preferred_print_release(const cli_report *report, const cli_preferred *preferred);
/* Bias against loss around the best solution. */
void cli_preferred_plot(const cli_report *report, const cli_preferred *preferred);
/* How each attribute is divided by the chosen solution. */
PV_CHECKED pv_status cli_preferred_groups(const cli_report *report, const cli_preferred *preferred,
                                          pv_error *error);
/* Adds its members to the document. */
PV_CHECKED pv_status cli_preferred_json(json_t *document, const cli_preferred *preferred,
                                        pv_error *error);

#endif
