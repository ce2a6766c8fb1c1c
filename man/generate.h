/* What is made from the tables of commands and options at build time. Each function writes one
 * document to `out`. */
#ifndef CLI_GENERATE_H
#define CLI_GENERATE_H

#include <stdio.h>

void cli_generate_man(FILE *out);      /* man/man_page.c: paravent.1 */
void cli_generate_markdown(FILE *out); /* man/reference.c: docs/commands.md */
void cli_generate_bash(FILE *out);     /* completion/bash.c */
void cli_generate_zsh(FILE *out);      /* completion/zsh.c */
void cli_generate_fish(FILE *out);     /* completion/fish.c */

#endif
