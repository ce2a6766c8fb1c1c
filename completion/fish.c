/* Completion for fish: one `complete` line per command and option. */
#include "generate.h"

#include "core/command.h"

#include <stdio.h>

static void put_quoted(FILE *out, const char *text)
{
    (void)fputc('\'', out);
    for (const char *at = text; *at != '\0'; at++) {
        (void)fprintf(out, *at == '\'' || *at == '\\' ? "\\%c" : "%c", *at);
    }
    (void)fputc('\'', out);
}

static void put_value(FILE *out, const cli_option *option)
{
    switch (option->kind) {
    case CLI_FLAG: break;
    case CLI_FILE:
    case CLI_OUTPUT: (void)fputs(" -r -F", out); break;
    case CLI_FOLDER: (void)fputs(" -x -a '(__fish_complete_directories)'", out); break;
    case CLI_CHOICE:
        (void)fputs(" -x -a '", out);
        for (const char *const *choice = option->choices; *choice != NULL; choice++) {
            (void)fprintf(out, "%s%s", choice == option->choices ? "" : " ", *choice);
        }
        (void)fputc('\'', out);
        break;
    default: (void)fputs(" -x", out); break;
    }
}

static void put_options(FILE *out, const char *condition, const cli_option *options)
{
    for (const cli_option *option = options; option->name != NULL; option++) {
        (void)fprintf(out, "complete -c paravent -n '%s' -l %s", condition, option->name);
        if (option->letter != 0) {
            (void)fprintf(out, " -s %c", option->letter);
        }
        put_value(out, option);
        (void)fputs(" -d ", out);
        put_quoted(out, option->help);
        (void)fputc('\n', out);
    }
}

void cli_generate_fish(FILE *out)
{
    (void)fputs("# fish completion for paravent\n"
                "complete -c paravent -n __fish_use_subcommand -f -l version -d 'the version'\n"
                "complete -c paravent -n __fish_use_subcommand -f -a help "
                "-d 'what a command does'\n",
                out);
    for (size_t i = 0; cli_commands[i] != NULL; i++) {
        const cli_command *const command = cli_commands[i];
        char condition[64];
        (void)snprintf(condition, sizeof condition, "__fish_seen_subcommand_from %s",
                       command->name);
        (void)fprintf(out, "complete -c paravent -n __fish_use_subcommand -f -a %s -d ",
                      command->name);
        put_quoted(out, command->summary);
        (void)fputc('\n', out);
        put_options(out, condition, command->options);
    }
    put_options(out, "not __fish_use_subcommand", cli_common_options);
}
