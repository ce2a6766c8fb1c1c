/* Strings and memory of the command itself. A command that cannot allocate a few hundred bytes has
 * nothing left to do: these functions say so and exit with status 1 instead of returning NULL. */
#ifndef CLI_CORE_TEXT_H
#define CLI_CORE_TEXT_H

#include <paravent/status.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

_Noreturn void cli_no_memory(void);
void *cli_zeroed(size_t n, size_t size);
char *cli_copy(const char *text);
char *cli_format(const char *format, ...) PV_PRINTF(1, 2);
char *cli_format_list(const char *format, va_list args) PV_PRINTF(1, 0);
/* Makes an owned text longer. */
void cli_append(char **text, const char *format, ...) PV_PRINTF(2, 3);

bool cli_starts_with(const char *text, const char *start);
bool cli_ends_with(const char *text, const char *ending);
bool cli_equal(const char *a, const char *b);

/* Reads one UTF-8 character at `text` (not the NUL): its length in bytes, and its code point, or
 * U+FFFD with length 1 where the bytes are no UTF-8. */
size_t cli_utf8_next(const char *text, unsigned *code_point);

/* Splits "a,b,c" into a NULL-terminated array; free it with cli_list_free. Empty parts are kept. */
char **cli_list_split(const char *text, char separator, size_t *n);
void cli_list_free(char **list);

/* The text as one word of a shell. Owned. */
char *cli_shell_word(const char *text);
/* A file where options may stand, too: "./-x" is none. Owned. */
char *cli_shell_operand(const char *path);

/* ---------------------------------------------------------------- near misses */

/* The nearest name, or NULL if none is near. `names[i]` may be NULL. Ties: the first. */
const char *cli_suggest(const char *typed, const char *const *names, size_t n);

/* ---------------------------------------------------------------------- paths */

const char *cli_path_name(const char *path); /* the last part; borrowed */
char *cli_path_folder(const char *path);     /* "." if it has none */
char *cli_path_join(const char *folder, const char *name);
/* The name without .gz or .zst and without its extension: "data/adult.csv.gz" is "adult". */
char *cli_path_stem(const char *path);
/* `file` as seen from `folder`; where that cannot be found out, as an absolute path or as given. */
char *cli_path_relative(const char *file, const char *folder);

/* Creates a folder, whose parent must exist; one that exists already is fine. */
PV_CHECKED pv_status cli_folder_make(const char *path, pv_error *error);

#endif
