/* The commands that reports suggest, put together option by option. */
#ifndef CLI_CORE_AGAIN_H
#define CLI_CORE_AGAIN_H

#include "core/options.h"

/* The text as one word of a shell. Owned. */
char *cli_shell_word(const char *text);

/* A line with an option more, if it is given; takes the line and returns the longer one. */
char *cli_with_text(char *line, const char *name, const char *value);
char *cli_with_count(char *line, const char *name, cli_count count);
char *cli_with_flag(char *line, const char *name, bool given);

#endif
