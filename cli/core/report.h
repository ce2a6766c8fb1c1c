/* Printing for people: wrapped paragraphs, headings, facts, numbers and small bars, fitted to the
 * terminal. Unicode only where the locale has it, colours only on a terminal and not against
 * NO_COLOR. */
#ifndef CLI_CORE_REPORT_H
#define CLI_CORE_REPORT_H

#include <paravent/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct cli_report {
    FILE *out;
    size_t width; /* columns of the terminal, 80 if it is none */
    bool utf8;
    bool color;
} cli_report;

void cli_report_init(cli_report *report, FILE *out);

/* A number as text, by value so that it can be an argument: cli_count_text(n).text. */
typedef struct cli_number {
    char text[48];
} cli_number;

cli_number cli_count_text(uint64_t n);   /* 30,162 */
cli_number cli_share_text(double share); /* 12.3%, <0.1%, 100% */
cli_number cli_value_text(double value); /* 30,162 or 0.1234: four digits that matter */
/* The count with its noun: "1 row", "30,162 rows". */
cli_number cli_plural_text(uint64_t n, const char *one, const char *many);

/* Columns that a text takes on the terminal. */
size_t cli_width(const cli_report *report, const char *text);
/* The text without control characters, cut to `width` columns with a mark of omission. Owned. */
char *cli_clean_text(const cli_report *report, const char *text, size_t width);
/* The bytes of `text` that fit into `width` columns, broken at a blank where there is one. */
size_t cli_wrap_point(const cli_report *report, const char *text, size_t width);

void cli_heading(const cli_report *report, const char *format, ...) PV_PRINTF(2, 3);
/* Wrapped and indented. */
void cli_paragraph(const cli_report *report, size_t indent, const char *format, ...)
    PV_PRINTF(3, 4);
/* Indented but not wrapped: a command to copy. */
void cli_line(const cli_report *report, const char *format, ...) PV_PRINTF(2, 3);
typedef enum cli_tone { CLI_NEUTRAL, CLI_STRONG, CLI_GOOD, CLI_BAD } cli_tone;
/* "  label      text", the text wrapped under itself; the tone is a colour where there are any. */
void cli_fact(const cli_report *report, cli_tone tone, const char *label, const char *format, ...)
    PV_PRINTF(4, 5);
void cli_blank(const cli_report *report);

#define CLI_BAR_SIZE 512
/* A bar of `width` columns (at most 100), filled to `share` of 1, padded with blanks. */
void cli_bar(const cli_report *report, double share, size_t width, char text[CLI_BAR_SIZE]);

/* Terminal attributes; nothing without colours. */
const char *cli_bold(const cli_report *report);
const char *cli_good(const cli_report *report);
const char *cli_bad(const cli_report *report);
const char *cli_plain(const cli_report *report);

#endif
