/* Filling a caller's pv_error. The texts of the statuses are one table, checked to be complete. */
#include "base/error.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define PV_VERSION "0.1.0"

static const char *const status_texts[] = {
    [PV_STATUS_OK] = "done",
    [PV_STATUS_NO_MEMORY] = "out of memory",
    [PV_STATUS_IO] = "cannot write",
    [PV_STATUS_INPUT] = "bad input",
    [PV_STATUS_ARGUMENT] = "bad argument",
    [PV_STATUS_LIMIT] = "too large",
    [PV_STATUS_EXISTS] = "output exists",
    [PV_STATUS_UNSATISFIED] = "a demanded constraint does not hold",
    [PV_STATUS_CANCELLED] = "interrupted",
    [PV_STATUS_UNSUPPORTED] = "not supported by this build",
    [PV_STATUS_INTERNAL] = "internal disagreement",
};
static_assert(sizeof status_texts / sizeof *status_texts == PV_STATUS_COUNT,
              "every status needs a text");

const char *pv_status_text(pv_status status)
{
    return (unsigned)status < PV_STATUS_COUNT ? status_texts[status] : "unknown status";
}

const char *pv_version(void)
{
    return PV_VERSION;
}

static void set(pv_error *error, pv_status status, const char *file, uint64_t line, uint64_t column)
{
    error->status = status;
    error->line = line;
    error->column = column;
    error->hint[0] = '\0';
    (void)snprintf(error->file, sizeof error->file, "%s", file != NULL ? file : "");
}

pv_status pv_i_fail(pv_error *error, pv_status status, const char *format, ...)
{
    if (error != NULL) {
        va_list args;
        set(error, status, NULL, 0, 0);
        va_start(args, format);
        (void)vsnprintf(error->message, sizeof error->message, format, args);
        va_end(args);
    }
    return status;
}

pv_status pv_i_fail_at(pv_error *error, pv_status status, const char *file, uint64_t line,
                       uint64_t column, const char *format, ...)
{
    if (error != NULL) {
        va_list args;
        set(error, status, file, line, column);
        va_start(args, format);
        (void)vsnprintf(error->message, sizeof error->message, format, args);
        va_end(args);
    }
    return status;
}

pv_status pv_i_fail_errno(pv_error *error, pv_status status, const char *file, const char *what)
{
    char reason[128] = "";
    const int code = errno;
    /* strerror_r exists in two shapes; %m would not be portable either. This one is thread-safe. */
    const char *text = strerrordesc_np(code);
    (void)snprintf(reason, sizeof reason, "%s", text != NULL ? text : "unknown reason");
    return pv_i_fail_at(error, status, file, 0, 0, "%s: %s", what, reason);
}

pv_status pv_i_no_memory(pv_error *error)
{
    return pv_i_fail(error, PV_STATUS_NO_MEMORY, "out of memory");
}

pv_status pv_i_hint(pv_status status, pv_error *error, const char *format, ...)
{
    if (error != NULL) {
        va_list args;
        va_start(args, format);
        (void)vsnprintf(error->hint, sizeof error->hint, format, args);
        va_end(args);
    }
    return status;
}
