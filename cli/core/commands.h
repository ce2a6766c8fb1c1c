/* The commands there are, each defined in its cmd_*.c. */
#ifndef CLI_CORE_COMMANDS_H
#define CLI_CORE_COMMANDS_H

#include "core/command.h"

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

#endif
