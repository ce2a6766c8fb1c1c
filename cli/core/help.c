/* The help texts. */
#include "core/help.h"

#include "core/fail.h"
#include "core/grid.h"
#include "core/measured.h"
#include "core/text.h"

#include <stdlib.h>

/* --------------------------------------------------------------- the commands */

/* A new command is one folder and one line here. */
const cli_command *const cli_commands[] = {
    &cli_command_explore,
    &cli_command_init,
    &cli_command_inspect,
    &cli_command_hierarchy,
    &cli_command_front,
    &cli_command_prefer,
    &cli_command_disclose,
    &cli_command_compare,
    &cli_command_release,
    &cli_command_check,
    &cli_command_apply,
    &cli_command_demo,
    NULL,
};

const cli_command *cli_command_find(const char *name)
{
    for (size_t i = 0; cli_commands[i] != NULL; i++) {
        if (cli_equal(cli_commands[i]->name, name)) {
            return cli_commands[i];
        }
    }
    return NULL;
}

/* ----------------------------------------------------------------------- help */

#define HELP_COLUMN 28

const cli_exit_meaning cli_exit_meanings[] = {
    {CLI_EXIT_DONE, "done"},
    {CLI_EXIT_FAILURE, "failure: a disk is full, memory ran out"},
    {CLI_EXIT_USAGE, "bad usage or bad input: the message says where and what to do"},
    {CLI_EXIT_UNSATISFIED,
     "what is demanded does not hold, or people would be exposed; no file was written"},
    {CLI_EXIT_INTERRUPTED,
     "interrupted; no release was written; the front or the best so far was reported"},
    {CLI_EXIT_PIPE, "whoever read the output stopped reading, as `head` does"},
    {0, NULL},
};

/* "  left      right", the right side wrapped under itself; on its own line if the left is long. */
static void print_entry(const cli_report *report, const char *left, size_t column,
                        const char *right)
{
    const size_t used = 2 + cli_width(report, left);
    (void)fprintf(report->out, "  %s", left);
    const bool fits = used + 2 <= column;
    if (!fits) {
        cli_blank(report);
    }
    size_t margin = fits ? column - used : column;
    const size_t width = report->width > column + 20 ? report->width - column : 20;
    while (*right != '\0') {
        const size_t n = cli_wrap_point(report, right, width);
        (void)fprintf(report->out, "%*s%.*s\n", (int)margin, "", (int)n, right);
        right += n;
        right += *right == ' ';
        margin = column;
    }
}

static void print_options(const cli_report *report, const char *heading, const cli_option *options)
{
    if (options->name == NULL) {
        return;
    }
    cli_heading(report, "%s", heading);
    for (const cli_option *option = options; option->name != NULL; option++) {
        const char letter[] = {'-', option->letter, ',', ' ', '\0'};
        char *const left = cli_format("%s--%s%s%s", option->letter != 0 ? letter : "    ",
                                      option->name, option->argument != NULL ? " " : "",
                                      option->argument != NULL ? option->argument : "");
        print_entry(report, left, HELP_COLUMN, option->help);
        free(left);
    }
}

static void print_exit_statuses(const cli_report *report)
{
    cli_heading(report, "Exit status");
    for (const cli_exit_meaning *m = cli_exit_meanings; m->meaning != NULL; m++) {
        char number[16];
        (void)snprintf(number, sizeof number, "%3d", m->status);
        print_entry(report, number, 8, m->meaning);
    }
}

void cli_help_overview(const cli_report *report)
{
    cli_paragraph(report, 0, "paravent %s: %s", pv_version(), CLI_TAGLINE);
    cli_heading(report, "Usage");
    cli_paragraph(report, 2, "paravent COMMAND [options]");
    cli_heading(report, "Commands, in the order a publisher meets them");
    for (size_t i = 0; cli_commands[i] != NULL; i++) {
        const cli_command *const command = cli_commands[i];
        char *const left = cli_format("%s %s", command->name, command->operands);
        print_entry(report, left, HELP_COLUMN, command->summary);
        free(left);
    }
    cli_heading(report, "Help");
    print_entry(report, "help COMMAND", HELP_COLUMN,
                "what a command does, its options and examples (also: COMMAND --help)");
    print_entry(report, "help measures", HELP_COLUMN,
                "what can be demanded with --require, and what is reported");
    print_entry(report, "help methods", HELP_COLUMN,
                "how `paravent front` and `paravent disclose` can search");
    print_entry(report, "--version", HELP_COLUMN, "the version");
    print_exit_statuses(report);
    cli_blank(report);
    cli_paragraph(report, 0,
                  "New here? `paravent demo` shows all of it on people who do not exist.");
}

void cli_help_measures(const cli_report *report)
{
    static const cli_column columns[] = {{"measure", CLI_LEFT},
                                         {"better", CLI_LEFT},
                                         {"needs", CLI_LEFT},
                                         {"meaning", CLI_WRAP},
                                         {NULL, CLI_LEFT}};
    cli_paragraph(report, 0,
                  "Demand them with --require NAME=BOUND,...: at least the bound where more is "
                  "better, at most where less is better. A parameter stands in parentheses, and so "
                  "does a sensitive column, where something is demanded of it alone: "
                  "l-distinct(diagnosis)=3, l-recursive(diagnosis;2)=3. The name of a column that "
                  "has one of ; , = ( ) in it, or is a number, stands in quotes: "
                  "'t-closeness(\"pay, net\")=0.2'.");
    cli_blank(report);
    cli_grid *const grid = cli_grid_create(report, columns);
    for (size_t i = 0; i < pv_n_measures(); i++) {
        const pv_measure *const m = pv_measure_at(i);
        const pv_measure_ref ref = {.measure = m, .parameter = m->parameter_default};
        cli_grid_cell(grid, "%s", cli_measure_title(ref).text);
        cli_grid_cell(grid, "%s", m->direction == PV_MORE_IS_BETTER ? "more" : "less");
        cli_grid_cell(grid, "%s",
                      (m->needs & PV_NEEDS_SENSITIVE) != 0 ? "sensitive"
                      : (m->needs & PV_NEEDS_LABEL) != 0   ? "label"
                                                           : "");
        cli_grid_cell(grid, "%s", m->summary);
    }
    cli_grid_print(grid);
}

static void print_method(const cli_report *report, const char *name, const char *summary,
                         const char *exact_for, const char *reference)
{
    char *text = cli_copy(summary);
    if (exact_for != NULL) {
        cli_append(&text, "; exact for the risk models %s", exact_for);
    }
    if (reference != NULL) {
        cli_append(&text, "; %s", reference);
    }
    print_entry(report, name, HELP_COLUMN, text);
    free(text);
}

void cli_help_methods(const cli_report *report)
{
    const char *const automatic = "the best that fits; it says which, and why (default)";
    cli_paragraph(report, 0, "For a front: `paravent front PLAN --method NAME`.");
    cli_blank(report);
    print_method(report, "auto", automatic, NULL, NULL);
    for (size_t i = 0; i < pv_n_methods(); i++) {
        const pv_method *const method = pv_method_at(i);
        print_method(report, method->name, method->summary, NULL, method->reference);
    }
    cli_blank(report);
    cli_paragraph(report, 0,
                  "The pbg methods breed schemes with random numbers: --seed, --population, "
                  "--iterations, --crossover, --mutation, --patience and --start are theirs. Every "
                  "method keeps few points for all with --archive or --epsilon, stops with "
                  "--seconds or --evaluations, and can be compared with --against.");
    cli_blank(report);
    cli_paragraph(report, 0, "Record by record: `paravent disclose PLAN --method NAME`.");
    cli_blank(report);
    print_method(report, "auto", automatic, NULL, NULL);
    for (size_t i = 0; i < pv_n_record_methods(); i++) {
        const pv_record_method *const method = pv_record_method_at(i);
        print_method(report, method->name, method->summary, method->exact_for, method->reference);
    }
}

void cli_help_command(const cli_report *report, const cli_command *command)
{
    cli_paragraph(report, 0, "paravent %s: %s", command->name, command->summary);
    cli_heading(report, "Usage");
    cli_paragraph(report, 2, "paravent %s %s%s[options]", command->name, command->operands,
                  command->operands[0] != '\0' ? " " : "");
    for (const char *const *text = command->description; *text != NULL; text++) {
        cli_blank(report);
        cli_paragraph(report, 0, "%s", *text);
    }
    print_options(report, "Options", command->options);
    print_options(report, "Options of every command", cli_common_options);
    cli_heading(report, "Examples");
    for (const cli_example *example = command->examples; example->line != NULL; example++) {
        cli_paragraph(report, 2, "%s", example->line);
        cli_paragraph(report, 6, "%s", example->meaning);
    }
}
