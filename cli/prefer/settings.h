/* What can be said about a wish on the command line, and how it is understood. */
#ifndef CLI_PREFER_SETTINGS_H
#define CLI_PREFER_SETTINGS_H

#include "core/measured.h"
#include "core/options.h"
#include "prefer/pairs.h"

#include <paravent/paravent.h>

/* As given. */
typedef struct cli_prefer {
    cli_common common;
    cli_reading reading;
    const char *data;
    cli_count k;
    char *aspire; /* what stands for bias and loss, and how much of it: gini=0.3,cm=0.1 */
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

/* As understood. The options borrow from the settings and from here. */
typedef struct cli_wish {
    pv_walk_options options;
    pv_measure_ref bias, loss; /* what stands for them */
    cli_demands demands;       /* k may be among them */
    cli_pairs weights;         /* other than the plan's */
    pv_aspiration point;
    pv_aspiration from;
    size_t steps; /* of the reference direction; 0 = none */
} cli_wish;

/* Bias and loss lie between nothing and this. */
#define CLI_ALL_THERE_IS 1.0
/* What stands for them unless others are named. */
#define CLI_USUAL_BIAS "necd"
#define CLI_USUAL_LOSS "nwp"
/* What a bias is, in words for people; "spread" for short. */
#define CLI_SPREAD "spread of class sizes"

/* A wish for bias or loss, from 0 to 1; false if it is none. */
bool cli_wish_parse(const char *text, size_t length, double *wish);
/* Whatever can be understood before the plan is read. On failure nothing is left to free. */
PV_CHECKED pv_status cli_wish_read(const cli_prefer *settings, cli_wish *wish, pv_error *error);
/* What the plan demands is demanded, too. */
PV_CHECKED pv_status cli_wish_add_plan(cli_wish *wish, const pv_plan *plan, pv_error *error);
void cli_wish_free(cli_wish *wish);
/* The people in every class: one number, however often they are demanded. */
bool cli_wish_is_k(const pv_constraint *demand);

#endif
