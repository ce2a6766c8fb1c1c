/* What can be said about a wish on the command line, and how it is understood. */
#ifndef CLI_PREFER_SETTINGS_H
#define CLI_PREFER_SETTINGS_H

#include "options.h"

#include <paravent/paravent.h>

/* As given. */
typedef struct cli_prefer {
    cli_common common;
    cli_reading reading;
    const char *data;
    cli_count k;
    const char *necd, *nwp;
    const char *from; /* NECD,NWP: where a reference direction starts */
    cli_count steps;
    const char *method, *prove, *memory, *crossover, *mutation;
    cli_count evaluations, seed, population;
    cli_count choose;   /* an alternative, or a step, instead of the best */
    const char *output; /* the cuts of the chosen solution */
    const char *session;
    bool respect_taxonomy, all, force, log, interactive;
} cli_prefer;

/* As understood. The options borrow from the settings. */
typedef struct cli_wish {
    pv_walk_options options;
    pv_aspiration point;
    pv_aspiration from;
    size_t steps; /* of the reference direction; 0 = none */
} cli_wish;

/* Bias and loss lie between nothing and this. */
#define CLI_ALL_THERE_IS 1.0

/* A wish for bias or loss, from 0 to 1; false if it is none. */
bool cli_wish_parse(const char *text, size_t length, double *wish);
PV_CHECKED pv_status cli_wish_read(const cli_prefer *settings, cli_wish *wish, pv_error *error);
/* The options that would ask the same again: " --k 5 --necd 0.3". Owned. */
char *cli_wish_again(const cli_prefer *settings);

#endif
