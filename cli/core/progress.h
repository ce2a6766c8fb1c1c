/* Progress on a terminal, and stopping on Ctrl-C.
 *
 * The library calls back about ten times a second. The bar appears on standard error only when that
 * is a terminal and the command has run for about a second; it is wiped when the command ends.
 * Where it is no terminal, a command that takes half a minute says once how far it is, or how to
 * bound it. The first SIGINT or SIGTERM makes the next callback answer "stop"; the second one
 * kills. */
#ifndef CLI_CORE_PROGRESS_H
#define CLI_CORE_PROGRESS_H

#include "core/options.h"
#include "core/report.h"

#include <paravent/context.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct cli_progress {
    bool draws;        /* a bar may be drawn */
    bool verbose;      /* say how long each phase took */
    bool drawn;        /* there is a bar to wipe */
    bool may_announce; /* one line may be written where no bar is drawn */
    bool announced;    /* it was */
    const char *bound; /* how to bound what is going on, for people; NULL = it cannot be, or is */
    cli_report report; /* standard error */
    double started;    /* of the command, seconds */
    const char *phase;
    uint64_t phase_total, phase_done;
    double phase_started;
    double pace;       /* units per second of late; 0 = not known yet */
    double pace_taken; /* when it was measured last, and how far the phase was then */
    uint64_t pace_done;
} cli_progress;

/* Of commands that take --seconds. */
#define CLI_SECONDS_BOUND "--seconds S bounds this"
/* Of searches for cuts: the search itself, and the proofs after it. */
#define CLI_CUTS_BOUND "--evaluations N and --prove S bound this"

/* Also takes over the signals. */
void cli_progress_init(cli_progress *progress, const cli_common *common);
/* A pv_progress_fn; `ctx` is the cli_progress. */
bool cli_progress_show(void *ctx, const pv_progress *progress);
/* Wipes the bar, so that what is printed next starts on a clean line. */
void cli_progress_wipe(cli_progress *progress);
/* Wipes the bar; with --verbose, says how long the command took. */
void cli_progress_end(cli_progress *progress);

bool cli_interrupted(void);
/* For a command that outlives what Ctrl-C stopped: as if it had not been pressed. False if the
 * command is to end nevertheless, because of SIGTERM. */
bool cli_interruption_forget(void);

#endif
