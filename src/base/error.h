/* Filling a caller's pv_error, and forwarding failures. */
#ifndef PV_BASE_ERROR_H
#define PV_BASE_ERROR_H

#include <paravent/status.h>
#include <stdint.h>

/* Forwards a failing status to the caller at once; for functions that own nothing yet. */
#define PV_TRY(expr)                             \
    do {                                         \
        const pv_status pv_try_status_ = (expr); \
        if (pv_try_status_ != PV_STATUS_OK) {    \
            return pv_try_status_;               \
        }                                        \
    } while (0)

/* The same with cleanup: sets `status` and jumps to the function's one `cleanup:` label. */
#define PV_TRY_CLEAN(expr)            \
    do {                              \
        status = (expr);              \
        if (status != PV_STATUS_OK) { \
            goto cleanup;             \
        }                             \
    } while (0)

/* All of them return `status`, so that a failure is one line: return pv_i_fail(error, ...).
 * `error` may be NULL. The message of a former failure is replaced. */
PV_CHECKED pv_status pv_i_fail(pv_error *error, pv_status status, const char *format, ...)
    PV_PRINTF(3, 4);
PV_CHECKED pv_status pv_i_fail_at(pv_error *error, pv_status status, const char *file,
                                  uint64_t line, uint64_t column, const char *format, ...)
    PV_PRINTF(6, 7);
/* With the operating system's reason (errno) appended. */
PV_CHECKED pv_status pv_i_fail_errno(pv_error *error, pv_status status, const char *file,
                                     const char *what);
PV_CHECKED pv_status pv_i_no_memory(pv_error *error);

/* Adds the remedy to a failure and passes its status on:
 * return pv_i_hint(pv_i_fail(error, ...), error, "do this"). */
PV_CHECKED pv_status pv_i_hint(pv_status status, pv_error *error, const char *format, ...)
    PV_PRINTF(3, 4);

/* The same with phrases that a program may say in its own words: each `@` of the text is the next
 * of them. PV_PHRASE_NONE where there is no second one. */
PV_CHECKED pv_status pv_i_hint_phrases(pv_status status, pv_error *error, const char *text,
                                       pv_phrase first, pv_phrase second);
/* Says that the message or the hint of a failure has this phrase in the words of pv_phrase_text;
 * passes the status on. */
PV_CHECKED pv_status pv_i_has_phrase(pv_status status, pv_error *error, pv_phrase phrase);
/* The caller's words for a phrase; the library's own where there are none, or no `words` at all. */
const char *pv_i_say(const char *const *words, pv_phrase phrase);

#endif
