/* Options as data: one table per command says everything about its options, and the parser, the
 * help, the man page and the shell completions all read that table. */
#ifndef CLI_CORE_OPTIONS_H
#define CLI_CORE_OPTIONS_H

#include <paravent/paravent.h>
#include <paravent/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum cli_kind {
    CLI_FLAG,   /* bool */
    CLI_TEXT,   /* const char * */
    CLI_LIST,   /* char *, owned by the settings; given again, the texts are joined by commas */
    CLI_FILE,   /* const char *: an input */
    CLI_OUTPUT, /* const char *: a file the command writes, for `audience` */
    CLI_FOLDER, /* const char * */
    CLI_COUNT,  /* cli_count, between `min` and `max` */
    CLI_BYTE,   /* char: one character, or the words tab, comma, semicolon, pipe, space */
    CLI_CHOICE, /* const char *: one of `choices` */
} cli_kind;

typedef struct cli_count {
    bool given;
    uint64_t value;
} cli_count;

typedef struct cli_option {
    const char *name; /* without the dashes; NULL ends a table */
    char letter;      /* the short form, 0 = none */
    cli_kind kind;
    const char *argument; /* what help calls the value; NULL for flags */
    const char *help;
    size_t offset;              /* of the value in the command's settings */
    uint64_t min, max;          /* of a count */
    const char *const *choices; /* NULL-terminated, of a choice */
    pv_audience audience;       /* of an output */
    const char *needs;          /* the option without which this one means nothing */
    const char *excludes;       /* the option that contradicts this one */
    bool files;                 /* a list: of inputs */
    bool grows;                 /* a file: it is made where there is none, and written to */
    bool table;                 /* an output: may also be a table of a database */
} cli_option;

/* What every command understands; the first member of every command's settings. */
typedef struct cli_common {
    bool help, json, quiet, verbose, no_progress;
    cli_count threads;
} cli_common;

extern const cli_option cli_common_options[];

/* How a data file is to be read, where the sniffing is wrong. */
typedef struct cli_reading {
    char delimiter;
    bool header, no_header, no_quotes, keep_blanks, skip_bad_rows;
    bool explain; /* not at all: only say what SQL would run */
} cli_reading;

/* An entry of an option table: its name, its kind without CLI_, what help calls the value (NULL for
 * a flag), the member of the settings `type` where the value goes, help; then other fields by name.
 */
#define CLI_OPTION(type, name_, kind_, argument_, member, ...)     \
    {                                                              \
        .name = name_, .kind = CLI_##kind_, .argument = argument_, \
        .offset = offsetof(type, member), .help = __VA_ARGS__      \
    }

/* The entries for a member `reading` of the settings `type`. */
#define CLI_READING_OPTIONS(type)                                                               \
    CLI_OPTION(type, "delimiter", BYTE, "CHAR", reading.delimiter,                              \
               "what separates the fields of the data: a character, or tab, comma, semicolon, " \
               "pipe (default: detected)"),                                                     \
        CLI_OPTION(type, "header", FLAG, NULL, reading.header,                                  \
                   "the first row of the data holds the column names (default: detected)",      \
                   .excludes = "no-header"),                                                    \
        CLI_OPTION(type, "no-header", FLAG, NULL, reading.no_header,                            \
                   "the data has no column names; they become column1, column2, ..."),          \
        CLI_OPTION(type, "no-quotes", FLAG, NULL, reading.no_quotes,                            \
                   "quotes in the data are ordinary characters (default: detected)"),           \
        CLI_OPTION(type, "keep-blanks", FLAG, NULL, reading.keep_blanks,                        \
                   "do not remove the blanks around fields"),                                   \
        CLI_OPTION(type, "skip-bad-rows", FLAG, NULL, reading.skip_bad_rows,                    \
                   "skip and count the rows with a wrong number of fields instead of stopping")

/* Besides those, one for a member `data`: a file instead of the plan's; help calls it `table`. */
#define CLI_EXPLAIN_OPTION(type, member)            \
    CLI_OPTION(type, "explain", FLAG, NULL, member, \
               "print the SQL that would run where the data is in a database, and run nothing")

#define CLI_DATA_OPTIONS(type, table)                                              \
    CLI_OPTION(type, "data", FILE, "FILE", data,                                   \
               "read this " table                                                  \
               " instead of the one the plan names; also a place of a table in a " \
               "database, such as postgresql://HOST/DB?table=NAME"),               \
        CLI_READING_OPTIONS(type)

struct cli_command;

typedef struct cli_operands {
    const char **list; /* borrowed from argv; the array is owned */
    size_t n;
} cli_operands;

/* Fills `settings` (command->settings_size zero bytes) and `operands` from the words after the
 * command's name. Anything unknown, missing or doubled is PV_STATUS_ARGUMENT with a hint. When
 * --help is among the options, nothing else is demanded. */
PV_CHECKED pv_status cli_options_parse(const struct cli_command *command, int argc, char **argv,
                                       void *settings, cli_operands *operands, pv_error *error);
/* Frees what the parser put into the settings. */
void cli_options_release(const struct cli_command *command, void *settings);

/* ----------------------------------------------------------------- quantities */

/* A number that is not negative; false if it is none. */
bool cli_number_parse(const char *text, size_t length, double *number);
/* The value of --NAME, from 0 to 1. The library takes 0 for "not given" and a negative chance for
 * "never"; a text of NULL leaves the chance as it is. */
PV_CHECKED pv_status cli_chance_parse(const char *name, const char *text, double *chance,
                                      pv_error *error);
/* The value of --prove in seconds. The library takes 0 for "not given" and negative seconds for
 * "never"; a text of NULL leaves them as they are. */
PV_CHECKED pv_status cli_prove_parse(const char *text, double *seconds, pv_error *error);
/* The value of --seconds, more than 0; a text of NULL leaves them as they are. */
PV_CHECKED pv_status cli_seconds_parse(const char *text, double *seconds, pv_error *error);
/* The value of --memory: 256M, 2G, 1000000; a text of NULL leaves the bytes as they are. */
PV_CHECKED pv_status cli_memory_parse(const char *text, uint64_t *bytes, pv_error *error);

/* -------------------------------------------------------------- written again */

/* The commands that reports suggest are put together option by option. */

/* A line with an option more, if it is given; takes the line and returns the longer one. */
char *cli_with_text(char *line, const char *name, const char *value);
char *cli_with_count(char *line, const char *name, cli_count count);
char *cli_with_flag(char *line, const char *name, bool given);

#endif
