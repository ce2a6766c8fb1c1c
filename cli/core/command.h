/* What a command is: a name, texts for people, a table of options and a function to run. */
#ifndef CLI_CORE_COMMAND_H
#define CLI_CORE_COMMAND_H

#include "core/options.h"
#include "core/progress.h"
#include "core/report.h"

#include <jansson.h>
#include <paravent/paravent.h>
#include <stdbool.h>
#include <stddef.h>

struct cli_command;
struct cli_opened;

/* A program that runs commands inside itself, as the explorer does: their documents and notes are
 * its own, nothing is printed, and a run that would read the table that is open already borrows it.
 */
typedef struct cli_host {
    const struct cli_opened
        *opened;      /* the table, with all columns that a release has; NULL = none is open */
    const char *plan; /* the path of its plan, as the run's operands have it */
    json_t *document; /* what the run would have printed; the host's, NULL = nothing */
    void (*note)(void *ctx, const char *text);
    void *ctx;
} cli_host;

/* One invocation, as the command sees it. */
typedef struct cli_run {
    const struct cli_command *command;
    const cli_common *common;
    cli_operands operands;
    pv_context context;
    cli_progress progress;
    cli_report report;   /* standard output */
    pv_outputs *outputs; /* outputs.h */
    bool json_printed;   /* the one document is out */
    cli_host *host;      /* NULL = the command line */
} cli_run;

/* A way to use a command, for help and documentation. */
typedef struct cli_example {
    const char *line;
    const char *meaning;
} cli_example;

typedef struct cli_command {
    const char *name;
    const char *operands; /* as in the usage line: "PLAN", "SCHEME DATA" */
    size_t min_operands, max_operands;
    const char *summary;            /* one line, no final point */
    const char *const *description; /* paragraphs, NULL-terminated */
    const cli_option *options;      /* its own, besides the common ones */
    const cli_example *examples;    /* ends with a NULL line */
    size_t settings_size;
    pv_status (*run)(cli_run *run, const void *settings, pv_error *error);
} cli_command;

/* All commands, in the order a publisher meets them; NULL-terminated. */
extern const cli_command *const cli_commands[];

const cli_command *cli_command_find(const char *name); /* NULL if there is none */

/* Does this run print for people on standard output? */
static inline bool cli_run_talks(const cli_run *run)
{
    return !run->common->json && !run->common->quiet;
}

extern const cli_command cli_command_init;
extern const cli_command cli_command_inspect;
extern const cli_command cli_command_hierarchy;
extern const cli_command cli_command_front;
extern const cli_command cli_command_prefer;
extern const cli_command cli_command_disclose;
extern const cli_command cli_command_compare;
extern const cli_command cli_command_release;
extern const cli_command cli_command_check;
extern const cli_command cli_command_apply;
extern const cli_command cli_command_demo;
extern const cli_command cli_command_explore;

#endif
