/* paravent.1, in the man macros. */
#include "generate.h"

#include "core/command.h"
#include "core/help.h"

#include <paravent/paravent.h>
#include <stdio.h>

/* roff takes backslashes, a point or quote at the start of a line, and hyphens for its own. */
static void put(FILE *out, const char *text)
{
    for (const char *at = text; *at != '\0'; at++) {
        switch (*at) {
        case '\\': (void)fputs("\\e", out); break;
        case '-': (void)fputs("\\-", out); break;
        case '.':
        case '\'': (void)fprintf(out, "\\&%c", *at); break;
        default: (void)fputc(*at, out); break;
        }
    }
}

static void put_line(FILE *out, const char *text)
{
    put(out, text);
    (void)fputc('\n', out);
}

static void section(FILE *out, const char *name)
{
    (void)fprintf(out, ".SH %s\n", name);
}

static void put_option(FILE *out, const cli_option *option)
{
    (void)fputs(".TP\n", out);
    if (option->letter != 0) {
        (void)fprintf(out, "\\fB\\-%c\\fR, ", option->letter);
    }
    (void)fputs("\\fB\\-\\-", out);
    put(out, option->name);
    (void)fputs("\\fR", out);
    if (option->argument != NULL) {
        (void)fputs(" \\fI", out);
        put(out, option->argument);
        (void)fputs("\\fR", out);
    }
    (void)fputc('\n', out);
    put_line(out, option->help);
}

static void put_options(FILE *out, const cli_option *options)
{
    for (const cli_option *option = options; option->name != NULL; option++) {
        put_option(out, option);
    }
}

static void put_command(FILE *out, const cli_command *command)
{
    (void)fputs(".SS ", out);
    (void)fprintf(out, "\"paravent %s %s\"\n", command->name, command->operands);
    for (const char *const *text = command->description; *text != NULL; text++) {
        (void)fputs(".PP\n", out);
        put_line(out, *text);
    }
    put_options(out, command->options);
}

static void put_examples(FILE *out)
{
    section(out, "EXAMPLES");
    for (size_t i = 0; cli_commands[i] != NULL; i++) {
        for (const cli_example *e = cli_commands[i]->examples; e->line != NULL; e++) {
            (void)fputs(".TP\n\\fB", out);
            put(out, e->line);
            (void)fputs("\\fR\n", out);
            put_line(out, e->meaning);
        }
    }
}

static void put_measures(FILE *out)
{
    section(out, "MEASURES");
    put_line(out, "What --require can demand and what the commands report. A constraint is "
                  "NAME=BOUND: at least the bound where more is better, at most where less is "
                  "better.");
    for (size_t i = 0; i < pv_n_measures(); i++) {
        const pv_measure *const measure = pv_measure_at(i);
        (void)fputs(".TP\n\\fB", out);
        put(out, measure->name);
        (void)fputs("\\fR\n", out);
        put(out, measure->summary);
        (void)fprintf(out, " (%s is better)\n",
                      measure->direction == PV_MORE_IS_BETTER ? "more" : "less");
    }
}

static void put_methods(FILE *out)
{
    section(out, "METHODS");
    put_line(out, "How a front can be searched (--method); auto takes the best that fits.");
    for (size_t i = 0; i < pv_n_methods(); i++) {
        const pv_method *const method = pv_method_at(i);
        (void)fputs(".TP\n\\fB", out);
        put(out, method->name);
        (void)fputs("\\fR\n", out);
        put_line(out, method->summary);
        if (method->reference != NULL) {
            put_line(out, method->reference);
        }
    }
    (void)fputs(".PP\n", out);
    put_line(out, "How disclose can search each record's levels (--method):");
    for (size_t i = 0; i < pv_n_record_methods(); i++) {
        const pv_record_method *const method = pv_record_method_at(i);
        (void)fputs(".TP\n\\fB", out);
        put(out, method->name);
        (void)fputs("\\fR\n", out);
        put_line(out, method->summary);
        put_line(out, method->exact_for);
    }
}

static void put_exit_statuses(FILE *out)
{
    section(out, "EXIT STATUS");
    for (const cli_exit_meaning *m = cli_exit_meanings; m->meaning != NULL; m++) {
        (void)fprintf(out, ".TP\n\\fB%d\\fR\n", m->status);
        put_line(out, m->meaning);
    }
}

void cli_generate_man(FILE *out)
{
    (void)fprintf(out, ".TH PARAVENT 1 \"\" \"paravent %s\" \"User Commands\"\n", pv_version());
    section(out, "NAME");
    put_line(out, "paravent - " CLI_TAGLINE);
    section(out, "SYNOPSIS");
    (void)fputs("\\fBparavent\\fR \\fICOMMAND\\fR [\\fIoptions\\fR]\n", out);
    section(out, "DESCRIPTION");
    put_line(out, "A data publisher describes a table in a plan, sees how exposed the people in it "
                  "are and what privacy would cost, chooses a trade-off, and writes a release that "
                  "was verified from disk, with a certificate.");
    (void)fputs(".PP\n", out);
    put_line(out, "Tables for people and JSON documents (--json) go to standard output; messages, "
                  "warnings and progress go to standard error. The same input, options and seed "
                  "give the same bytes on any number of threads. Outputs are written beside their "
                  "target and renamed: they are complete or not there.");
    section(out, "COMMANDS");
    for (size_t i = 0; cli_commands[i] != NULL; i++) {
        put_command(out, cli_commands[i]);
    }
    section(out, "OPTIONS OF EVERY COMMAND");
    put_options(out, cli_common_options);
    put_measures(out);
    put_methods(out);
    put_exit_statuses(out);
    section(out, "ENVIRONMENT");
    (void)fputs(".TP\n\\fBNO_COLOR\\fR\n", out);
    put_line(out, "If set and not empty, nothing is coloured.");
    (void)fputs(".TP\n\\fBLC_ALL\\fR, \\fBLC_CTYPE\\fR, \\fBLANG\\fR\n", out);
    put_line(out, "Bars and trees are drawn in Unicode if the locale is a UTF-8 one.");
    put_examples(out);
}
