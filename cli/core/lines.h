/* Lines that a person types, or another program sends.
 *
 * On a terminal the line can be edited and earlier ones come back with the arrow keys, by libedit
 * where it is installed. From a pipe or a file lines are only read: no prompt, no echo. */
#ifndef CLI_CORE_LINES_H
#define CLI_CORE_LINES_H

typedef struct cli_lines cli_lines;

/* Reads standard input; before every line, what was printed is flushed. */
cli_lines *cli_lines_open(const char *prompt);
void cli_lines_close(cli_lines *lines); /* NULL is fine */
/* The next line, without its end. Owned. NULL at the end of the input and if a signal came, which
 * cli_interrupted() says. */
char *cli_lines_next(cli_lines *lines);

#endif
