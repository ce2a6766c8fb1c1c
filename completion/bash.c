/* Completion for bash: a case per command, options that take files or choices complete those. */
#include "generate.h"

#include "core/command.h"

#include <stdio.h>

static void put_words(FILE *out, const cli_option *options)
{
    for (const cli_option *option = options; option->name != NULL; option++) {
        if (option->letter != 0) {
            (void)fprintf(out, " -%c", option->letter);
        }
        (void)fprintf(out, " --%s", option->name);
    }
}

static void put_choices(FILE *out, const cli_option *option)
{
    for (const char *const *choice = option->choices; *choice != NULL; choice++) {
        (void)fprintf(out, "%s%s", choice == option->choices ? "" : " ", *choice);
    }
}

/* What may follow an option that takes a value. */
static void put_value(FILE *out, const char *command, const cli_option *option)
{
    if (option->kind == CLI_FLAG) {
        return;
    }
    (void)fprintf(out, "        \"%s --%s\"", command, option->name);
    if (option->letter != 0) {
        (void)fprintf(out, " | \"%s -%c\"", command, option->letter);
    }
    (void)fputs(")\n", out);
    switch (option->kind) {
    case CLI_FILE:
    case CLI_OUTPUT: (void)fputs("            compopt -o default; return ;;\n", out); break;
    case CLI_FOLDER:
        (void)fputs("            COMPREPLY=($(compgen -d -- \"$word\")); return ;;\n", out);
        break;
    case CLI_CHOICE:
        (void)fputs("            COMPREPLY=($(compgen -W \"", out);
        put_choices(out, option);
        (void)fputs("\" -- \"$word\")); return ;;\n", out);
        break;
    default: (void)fputs("            return ;;\n", out); break;
    }
}

static void put_values(FILE *out)
{
    (void)fputs("    case \"$command $before\" in\n", out);
    for (size_t i = 0; cli_commands[i] != NULL; i++) {
        const cli_command *const command = cli_commands[i];
        for (const cli_option *option = command->options; option->name != NULL; option++) {
            put_value(out, command->name, option);
        }
    }
    (void)fputs("        *\" --threads\") return ;;\n    esac\n", out);
}

static void put_options(FILE *out)
{
    (void)fputs("    local options=\"\"\n    case \"$command\" in\n", out);
    for (size_t i = 0; cli_commands[i] != NULL; i++) {
        (void)fprintf(out, "        %s) options=\"", cli_commands[i]->name);
        put_words(out, cli_commands[i]->options);
        (void)fputs("\" ;;\n", out);
    }
    (void)fputs("    esac\n    options=\"$options", out);
    put_words(out, cli_common_options);
    (void)fputs("\"\n", out);
}

void cli_generate_bash(FILE *out)
{
    (void)fputs("# bash completion for paravent\n_paravent() {\n"
                "    local word=\"${COMP_WORDS[COMP_CWORD]}\" before=\"\" command=\"\"\n"
                "    ((COMP_CWORD > 0)) && before=\"${COMP_WORDS[COMP_CWORD - 1]}\"\n"
                "    ((COMP_CWORD > 1)) && command=\"${COMP_WORDS[1]}\"\n"
                "    COMPREPLY=()\n"
                "    if [[ -z $command || $command == help ]]; then\n"
                "        COMPREPLY=($(compgen -W \"",
                out);
    for (size_t i = 0; cli_commands[i] != NULL; i++) {
        (void)fprintf(out, "%s ", cli_commands[i]->name);
    }
    (void)fputs("help --help --version\" -- \"$word\"))\n        return\n    fi\n", out);
    put_values(out);
    put_options(out);
    (void)fputs("    if [[ $word == -* ]]; then\n"
                "        COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
                "    else\n"
                "        compopt -o default\n"
                "    fi\n}\ncomplete -F _paravent paravent\n",
                out);
}
