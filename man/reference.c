/* docs/commands.md: the same reference as Markdown. A test keeps the committed file up to date. */
#include "generate.h"

#include "core/command.h"
#include "core/help.h"

#include <paravent/paravent.h>
#include <stdio.h>

static void put_cell(FILE *out, const char *text)
{
    for (const char *at = text; *at != '\0'; at++) {
        (void)fprintf(out, *at == '|' || *at == '*' ? "\\%c" : "%c", *at);
    }
}

static void put_options(FILE *out, const cli_option *options)
{
    (void)fputs("| option | meaning |\n|---|---|\n", out);
    for (const cli_option *option = options; option->name != NULL; option++) {
        (void)fputs("| `", out);
        if (option->letter != 0) {
            (void)fprintf(out, "-%c`, `", option->letter);
        }
        (void)fprintf(out, "--%s", option->name);
        if (option->argument != NULL) {
            (void)fputc(' ', out);
            put_cell(out, option->argument);
        }
        (void)fputs("` | ", out);
        put_cell(out, option->help);
        (void)fputs(" |\n", out);
    }
    (void)fputc('\n', out);
}

static void put_command(FILE *out, const cli_command *command)
{
    (void)fprintf(out, "## paravent %s\n\n`paravent %s %s%s[options]`: %s.\n\n", command->name,
                  command->name, command->operands, command->operands[0] != '\0' ? " " : "",
                  command->summary);
    for (const char *const *text = command->description; *text != NULL; text++) {
        put_cell(out, *text);
        (void)fputs("\n\n", out);
    }
    put_options(out, command->options);
    (void)fputs("```\n", out);
    for (const cli_example *e = command->examples; e->line != NULL; e++) {
        (void)fprintf(out, "$ %s\n    %s\n", e->line, e->meaning);
    }
    (void)fputs("```\n\n", out);
}

static void put_measures(FILE *out)
{
    (void)fputs(
        "## Measures\n\nWhat `--require` can demand (`NAME=BOUND`: at least the bound "
        "where more is better, at most where less is better) and what the commands "
        "report. A parameter is written in parentheses: `l-recursive(2)=3`. So is a sensitive "
        "column, where something is demanded of it alone: `l-distinct(diagnosis)=3`, "
        "`l-recursive(diagnosis;2)=3`. The name of a column that has one of `;` `,` `=` "
        "`(` `)` in it, is a number, or begins or ends with a blank or a quote, is "
        "written in single or double quotes, a quote in it twice: "
        "`--require 't-closeness(\"pay, net\")=0.2'`.\n\n"
        "| name | better | needs | parameter | meaning |\n|---|---|---|---|---|\n",
        out);
    for (size_t i = 0; i < pv_n_measures(); i++) {
        const pv_measure *const m = pv_measure_at(i);
        (void)fprintf(out, "| `%s` | %s | %s | ", m->name,
                      m->direction == PV_MORE_IS_BETTER ? "more" : "less",
                      (m->needs & PV_NEEDS_SENSITIVE) != 0 ? "sensitive"
                      : (m->needs & PV_NEEDS_LABEL) != 0   ? "label"
                                                           : "");
        if (m->parameter != NULL) {
            (void)fprintf(out, "%s = %g", m->parameter, m->parameter_default);
        }
        (void)fputs(" | ", out);
        put_cell(out, m->summary);
        (void)fputs(" |\n", out);
    }
    (void)fputc('\n', out);
}

static void put_methods(FILE *out)
{
    (void)fputs(
        "## Methods\n\nHow `paravent front` can search; `auto` takes the best that fits.\n\n"
        "| name | what it is |\n|---|---|\n",
        out);
    for (size_t i = 0; i < pv_n_methods(); i++) {
        const pv_method *const method = pv_method_at(i);
        (void)fprintf(out, "| `%s` | ", method->name);
        put_cell(out, method->summary);
        if (method->reference != NULL) {
            (void)fputs("; ", out);
            put_cell(out, method->reference);
        }
        (void)fputs(" |\n", out);
    }
    (void)fputs("\nHow `paravent disclose` can search each record's levels.\n\n"
                "| name | what it is | exact for |\n|---|---|---|\n",
                out);
    for (size_t i = 0; i < pv_n_record_methods(); i++) {
        const pv_record_method *const method = pv_record_method_at(i);
        (void)fprintf(out, "| `%s` | ", method->name);
        put_cell(out, method->summary);
        (void)fputs(" | ", out);
        put_cell(out, method->exact_for);
        (void)fputs(" |\n", out);
    }
    (void)fputc('\n', out);
}

void cli_generate_markdown(FILE *out)
{
    (void)fputs("# The commands\n\nMade from the command's own tables; a test keeps it current. "
                "The JSON documents are described in [json.md](json.md).\n\n",
                out);
    (void)fputs("| command | what it does |\n|---|---|\n", out);
    for (size_t i = 0; cli_commands[i] != NULL; i++) {
        (void)fprintf(out, "| [`%s`](#paravent-%s) | %s |\n", cli_commands[i]->name,
                      cli_commands[i]->name, cli_commands[i]->summary);
    }
    (void)fputs("\n## Options of every command\n\n", out);
    put_options(out, cli_common_options);
    (void)fputs("## Exit status\n\n| status | meaning |\n|---|---|\n", out);
    for (const cli_exit_meaning *m = cli_exit_meanings; m->meaning != NULL; m++) {
        (void)fprintf(out, "| %d | %s |\n", m->status, m->meaning);
    }
    (void)fputc('\n', out);
    for (size_t i = 0; cli_commands[i] != NULL; i++) {
        put_command(out, cli_commands[i]);
    }
    put_measures(out);
    put_methods(out);
}
