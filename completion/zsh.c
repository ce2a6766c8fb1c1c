/* Completion for zsh: _arguments with a specification per option. */
#include "generate.h"

#include "core/command.h"

#include <stdio.h>

/* Inside '...' and [...]: quotes, brackets, colons and backslashes have a meaning. */
static void put_text(FILE *out, const char *text)
{
    for (const char *at = text; *at != '\0'; at++) {
        switch (*at) {
        case '\'': (void)fputs("'\\''", out); break;
        case '[':
        case ']':
        case ':':
        case '\\': (void)fprintf(out, "\\%c", *at); break;
        default: (void)fputc(*at, out); break;
        }
    }
}

static void put_action(FILE *out, const cli_option *option)
{
    if (option->kind == CLI_FLAG) {
        return;
    }
    (void)fputc(':', out);
    put_text(out, option->argument);
    (void)fputc(':', out);
    switch (option->kind) {
    case CLI_FILE:
    case CLI_OUTPUT: (void)fputs("_files", out); break;
    case CLI_FOLDER: (void)fputs("_files -/", out); break;
    case CLI_CHOICE:
        (void)fputc('(', out);
        for (const char *const *choice = option->choices; *choice != NULL; choice++) {
            (void)fprintf(out, "%s%s", choice == option->choices ? "" : " ", *choice);
        }
        (void)fputc(')', out);
        break;
    default: (void)fputc(' ', out); break;
    }
}

static void put_specification(FILE *out, const cli_option *option, const char *dashes,
                              const char *name)
{
    (void)fprintf(out, "                '%s%s%s[", option->kind == CLI_LIST ? "*" : "", dashes,
                  name);
    put_text(out, option->help);
    (void)fputc(']', out);
    put_action(out, option);
    (void)fputs("' \\\n", out);
}

static void put_options(FILE *out, const cli_option *options)
{
    for (const cli_option *option = options; option->name != NULL; option++) {
        const char letter[] = {option->letter, '\0'};
        if (option->letter != 0) {
            put_specification(out, option, "-", letter);
        }
        put_specification(out, option, "--", option->name);
    }
}

static void put_command(FILE *out, const cli_command *command)
{
    (void)fprintf(out, "        %s)\n            _arguments -s \\\n", command->name);
    put_options(out, command->options);
    put_options(out, cli_common_options);
    (void)fprintf(out, "                %s ;;\n",
                  command->max_operands > 0 ? "'*:file:_files'" : "");
}

void cli_generate_zsh(FILE *out)
{
    (void)fputs("#compdef paravent\n\n_paravent() {\n    local -a commands\n    commands=(\n", out);
    for (size_t i = 0; cli_commands[i] != NULL; i++) {
        (void)fprintf(out, "        '%s:", cli_commands[i]->name);
        put_text(out, cli_commands[i]->summary);
        (void)fputs("'\n", out);
    }
    (void)fputs("        'help:what a command does'\n    )\n"
                "    if ((CURRENT == 2)); then\n"
                "        _describe command commands\n"
                "        return\n    fi\n"
                "    local command=$words[2]\n"
                "    shift words\n    ((CURRENT--))\n"
                "    case $command in\n"
                "        help) _describe command commands ;;\n",
                out);
    for (size_t i = 0; cli_commands[i] != NULL; i++) {
        put_command(out, cli_commands[i]);
    }
    (void)fputs("    esac\n}\n\n_paravent \"$@\"\n", out);
}
