/* Failing well: making a pv_error, showing it, and the exit status it means. */
#ifndef CLI_CORE_FAIL_H
#define CLI_CORE_FAIL_H

#include "core/command.h"

#include <jansson.h>
#include <paravent/status.h>
#include <stdint.h>

#define CLI_TRY(expr)                             \
    do {                                          \
        const pv_status cli_try_status_ = (expr); \
        if (cli_try_status_ != PV_STATUS_OK) {    \
            return cli_try_status_;               \
        }                                         \
    } while (0)

/* The same with cleanup: sets `status` and jumps to the function's one `cleanup:` label. */
#define CLI_TRY_CLEAN(expr)           \
    do {                              \
        status = (expr);              \
        if (status != PV_STATUS_OK) { \
            goto cleanup;             \
        }                             \
    } while (0)

enum {
    CLI_EXIT_DONE = 0,
    CLI_EXIT_FAILURE = 1,
    CLI_EXIT_USAGE = 2,
    CLI_EXIT_UNSATISFIED = 3,
    CLI_EXIT_INTERRUPTED = 130,
    CLI_EXIT_PIPE = 141, /* nobody reads the rest of the output: as if SIGPIPE had ended it */
};

/* Both fill `error` and return `status`. */
PV_CHECKED pv_status cli_error(pv_error *error, pv_status status, const char *format, ...)
    PV_PRINTF(3, 4);
PV_CHECKED pv_status cli_error_at(pv_error *error, pv_status status, const char *file,
                                  uint64_t line, uint64_t column, const char *format, ...)
    PV_PRINTF(6, 7);
/* Adds the remedy and passes the status on. */
PV_CHECKED pv_status cli_hint(pv_status status, pv_error *error, const char *format, ...)
    PV_PRINTF(3, 4);

/* What the command says for the phrases of the library: for pv_front_rephrase and the like. Errors
 * are printed in these words. */
extern const char *const cli_words[PV_PHRASE_COUNT];

int cli_exit_status(pv_status status);
/* The name of a status in JSON: "input", "argument", ... */
const char *cli_status_name(pv_status status);

/* `paravent: FILE:LINE:COLUMN: message` and the hint, on standard error. */
void cli_error_print(const pv_error *error);
/* The error as JSON's one document; `command` may be NULL. */
void cli_error_json(const char *command, const pv_error *error);

/* The body of that: {"status", "message", "file", "line", "column", "hint"}, in the command's
 * words. */
json_t *cli_error_body(const pv_error *error);

/* A message that is no failure, on standard error, unless --quiet; or for the host. */
void cli_note(const cli_run *run, const char *format, ...) PV_PRINTF(2, 3);

#endif
