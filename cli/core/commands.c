/* The one table of commands. A new command is one file and one line here. */
#include "core/commands.h"

#include "core/text.h"

const cli_command *const cli_commands[] = {
    &cli_command_init,   &cli_command_inspect,  &cli_command_hierarchy, &cli_command_front,
    &cli_command_prefer, &cli_command_disclose, &cli_command_compare,   &cli_command_release,
    &cli_command_check,  &cli_command_apply,    &cli_command_demo,      NULL,
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
