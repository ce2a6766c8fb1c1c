/* The help texts, made from the tables of commands and options. */
#ifndef CLI_CORE_HELP_H
#define CLI_CORE_HELP_H

#include "core/command.h"
#include "core/report.h"

#define CLI_TAGLINE "release tables about people without exposing anyone"

void cli_help_overview(const cli_report *report);
/* `help measures`: what can be demanded and what is reported. */
void cli_help_measures(const cli_report *report);
/* `help methods`: how a front, and the levels of records, can be searched. */
void cli_help_methods(const cli_report *report);
void cli_help_command(const cli_report *report, const cli_command *command);

/* What the exit statuses mean, for help and the man page; ends with a NULL meaning. */
typedef struct cli_exit_meaning {
    int status;
    const char *meaning;
} cli_exit_meaning;

extern const cli_exit_meaning cli_exit_meanings[];

#endif
