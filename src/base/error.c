/* Filling a caller's pv_error. The texts of the statuses are one table, checked to be complete. */
#include "base/error.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
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

static const char *const phrase_texts[] = {
    [PV_PHRASE_NONE] = "",
    [PV_PHRASE_NO_QUOTES] = "read it without quoting",
    [PV_PHRASE_SKIP_BAD_ROWS] = "have such rows skipped",
    [PV_PHRASE_NO_HEADER] = "read it without a header",
    [PV_PHRASE_ROW_MAP] = "the row map that was written with the release",
    [PV_PHRASE_CHOOSE_LEVEL] = "choose its level, or write a `level`",
    [PV_PHRASE_ALLOW_WEAKER] = "allow the release to be weaker",
    [PV_PHRASE_OVERWRITE] = "allow overwriting",
    [PV_PHRASE_IGNORE] = "leave them aside: ignored",
    [PV_PHRASE_FREE_GROUPS] = "groups that may cross them",
    [PV_PHRASE_KEY] = "name a column that identifies the rows in both",
    [PV_PHRASE_OTHER_KEY] = "name another column",
    [PV_PHRASE_KEY_MUST_BE] = "the key must be",
    [PV_PHRASE_OWN_ROW_MAP] = "give the release's row map",
    [PV_PHRASE_FIRST_ROW_MAP] = "give the release's row map",
    [PV_PHRASE_DIVIDED_BY] = "people can only be divided by",
    [PV_PHRASE_KEEP_ORDER] = "release the rows in their order",
    [PV_PHRASE_PROOF_MEMORY] = "the memory for proofs was used up",
    [PV_PHRASE_PROOF_TIME] = "the time for proofs was over",
    [PV_PHRASE_NO_PROOFS] = "no proofs were asked for",
    [PV_PHRASE_HIDDEN] = "not shown",
    [PV_PHRASE_POINT_LEVELS] = "levels",
    [PV_PHRASE_POINT_CUTS] = "cuts of",
    [PV_PHRASE_POINT_CUTS_FILE] = "",
};
static_assert(sizeof phrase_texts / sizeof *phrase_texts == PV_PHRASE_COUNT,
              "every phrase needs a text");

const char *pv_phrase_text(pv_phrase phrase)
{
    return (unsigned)phrase < PV_PHRASE_COUNT ? phrase_texts[phrase] : "";
}

const char *pv_i_say(const char *const *words, pv_phrase phrase)
{
    return words != NULL && words[phrase] != NULL ? words[phrase] : phrase_texts[phrase];
}

pv_status pv_i_has_phrase(pv_status status, pv_error *error, pv_phrase phrase)
{
    size_t i = 0;
    while (error != NULL && i + 1 < PV_ERROR_PHRASES && error->phrases[i] != PV_PHRASE_NONE) {
        i++;
    }
    if (error != NULL) {
        error->phrases[i] = phrase;
    }
    return status;
}

pv_status pv_i_hint_phrases(pv_status status, pv_error *error, const char *text, pv_phrase first,
                            pv_phrase second)
{
    const pv_phrase phrases[PV_ERROR_PHRASES] = {first, second};
    size_t n = 0, size = 0;
    if (error == NULL) {
        return status;
    }
    error->hint[0] = '\0';
    for (; *text != '\0' && size < sizeof error->hint; text++) {
        const bool is_place = *text == '@' && n < PV_ERROR_PHRASES;
        size += (size_t)snprintf(error->hint + size, sizeof error->hint - size, "%.*s",
                                 is_place ? PV_ERROR_HINT_SIZE : 1,
                                 is_place ? phrase_texts[phrases[n++]] : text);
    }
    memcpy(error->phrases, phrases, sizeof phrases);
    return status;
}

/* A text that is too long loses its end, as everywhere in an error. */
static void rephrase(char *text, size_t size, const char *phrase, const char *words)
{
    char after[PV_ERROR_MESSAGE_SIZE];
    char *const at = strstr(text, phrase);
    if (at != NULL) {
        (void)snprintf(after, sizeof after, "%s", at + strlen(phrase));
        (void)snprintf(at, size - (size_t)(at - text), "%s%s", words, after);
    }
}

void pv_error_rephrase(pv_error *error, const char *const *words)
{
    for (size_t i = 0; i < PV_ERROR_PHRASES; i++) {
        const pv_phrase phrase = error->phrases[i];
        error->phrases[i] = PV_PHRASE_NONE; /* a second call finds nothing more to say */
        if (phrase != PV_PHRASE_NONE && words[phrase] != NULL) {
            rephrase(error->message, sizeof error->message, phrase_texts[phrase], words[phrase]);
            rephrase(error->hint, sizeof error->hint, phrase_texts[phrase], words[phrase]);
        }
    }
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
    memset(error->phrases, 0, sizeof error->phrases);
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
