/* Failing well. What comes from files (names of columns, labels, paths) is cleaned of control
 * characters before it reaches a terminal. */
#include "core/fail.h"

#include "core/json.h"
#include "core/text.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *name;
    int exit_status;
} meaning;

static const meaning meanings[] = {
    [PV_STATUS_OK] = {"ok", CLI_EXIT_DONE},
    [PV_STATUS_NO_MEMORY] = {"no-memory", CLI_EXIT_FAILURE},
    [PV_STATUS_IO] = {"io", CLI_EXIT_FAILURE},
    [PV_STATUS_INPUT] = {"input", CLI_EXIT_USAGE},
    [PV_STATUS_ARGUMENT] = {"argument", CLI_EXIT_USAGE},
    [PV_STATUS_LIMIT] = {"limit", CLI_EXIT_USAGE},
    [PV_STATUS_EXISTS] = {"exists", CLI_EXIT_USAGE},
    [PV_STATUS_UNSATISFIED] = {"unsatisfied", CLI_EXIT_UNSATISFIED},
    [PV_STATUS_CANCELLED] = {"cancelled", CLI_EXIT_INTERRUPTED},
    [PV_STATUS_UNSUPPORTED] = {"unsupported", CLI_EXIT_USAGE},
    [PV_STATUS_INTERNAL] = {"internal", CLI_EXIT_FAILURE},
};
static_assert(sizeof meanings / sizeof *meanings == PV_STATUS_COUNT, "every status has a meaning");

int cli_exit_status(pv_status status)
{
    return (unsigned)status < PV_STATUS_COUNT ? meanings[status].exit_status : CLI_EXIT_FAILURE;
}

const char *cli_status_name(pv_status status)
{
    return (unsigned)status < PV_STATUS_COUNT ? meanings[status].name : "unknown";
}

PV_PRINTF(6, 0)
static void fill(pv_error *error, pv_status status, const char *file, uint64_t line,
                 uint64_t column, const char *format, va_list args)
{
    error->status = status;
    error->line = line;
    error->column = column;
    error->hint[0] = '\0';
    memset(error->phrases, 0, sizeof error->phrases);
    (void)snprintf(error->file, sizeof error->file, "%s", file);
    (void)vsnprintf(error->message, sizeof error->message, format, args);
}

pv_status cli_error(pv_error *error, pv_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fill(error, status, "", 0, 0, format, args);
    va_end(args);
    return status;
}

pv_status cli_error_at(pv_error *error, pv_status status, const char *file, uint64_t line,
                       uint64_t column, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fill(error, status, file, line, column, format, args);
    va_end(args);
    return status;
}

pv_status cli_hint(pv_status status, pv_error *error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(error->hint, sizeof error->hint, format, args);
    va_end(args);
    return status;
}

/* The library names what is meant; whoever uses the command needs to know the option. */
const char *const cli_words[PV_PHRASE_COUNT] = {
    [PV_PHRASE_NO_QUOTES] = "say --no-quotes",
    [PV_PHRASE_SKIP_BAD_ROWS] = "skip such rows with --skip-bad-rows",
    [PV_PHRASE_NO_HEADER] = "say --no-header",
    [PV_PHRASE_ROW_MAP] = "the row map that was written with the release (--row-map)",
    [PV_PHRASE_CHOOSE_LEVEL] = "give --levels, or a `level`",
    [PV_PHRASE_ALLOW_WEAKER] = "accept it with --allow-weaker",
    [PV_PHRASE_OVERWRITE] = "allow overwriting with --force",
    [PV_PHRASE_IGNORE] = "leave them aside with --ignore",
    [PV_PHRASE_FREE_GROUPS] = "groups that may cross them (--free-groups)",
    [PV_PHRASE_KEY] = "name a column that identifies the rows in both with --key COLUMN",
    [PV_PHRASE_OTHER_KEY] = "name another column with --key",
    [PV_PHRASE_KEY_MUST_BE] = "--key needs",
    [PV_PHRASE_OWN_ROW_MAP] = "give the release's row map with --row-map FILE",
    [PV_PHRASE_FIRST_ROW_MAP] = "give the release's row map with --row-map FILE (`paravent release "
                                "--row-map` writes it)",
    [PV_PHRASE_DIVIDED_BY] = "--by needs",
    [PV_PHRASE_KEEP_ORDER] = "release with --keep-order",
    [PV_PHRASE_PROOF_MEMORY] = "the memory for proofs was used up (--memory)",
    [PV_PHRASE_PROOF_TIME] = "the time for proofs was over (--prove)",
    [PV_PHRASE_NO_PROOFS] = "no proofs were asked for (--prove)",
    [PV_PHRASE_HIDDEN] = "not shown (--where)",
    [PV_PHRASE_POINT_LEVELS] = "--levels",
    [PV_PHRASE_POINT_CUTS] = "--scheme cuts --pick",
    [PV_PHRASE_POINT_CUTS_FILE] = " -o cuts.json",
};

/* Lines after the first are indented, so that several problems read as one message. */
static void print_lines(const char *text, const char *indent)
{
    for (const char *at = text; *at != '\0'; at++) {
        const unsigned char c = (unsigned char)*at;
        if (c == '\n') {
            (void)fprintf(stderr, "\n%s", indent);
        } else {
            (void)fputc(c < 0x20 || c == 0x7f ? '?' : c, stderr);
        }
    }
    (void)fputc('\n', stderr);
}

void cli_error_print(const pv_error *error)
{
    char place[PV_ERROR_FILE_SIZE + 64] = "";
    if (error->file[0] != '\0') {
        int n = snprintf(place, sizeof place, "%s:", error->file);
        if (error->line > 0) {
            n += snprintf(place + n, sizeof place - (size_t)n,
                          "%llu:", (unsigned long long)error->line);
        }
        if (error->line > 0 && error->column > 0) {
            n += snprintf(place + n, sizeof place - (size_t)n,
                          "%llu:", (unsigned long long)error->column);
        }
        (void)snprintf(place + n, sizeof place - (size_t)n, " ");
    }
    pv_error own = *error;
    pv_error_rephrase(&own, cli_words);
    const char *const message =
        own.message[0] != '\0' ? own.message : pv_status_text(error->status);
    char text[sizeof place + PV_ERROR_MESSAGE_SIZE];
    (void)snprintf(text, sizeof text, "%s%s", place, message);
    (void)fputs("paravent: ", stderr);
    print_lines(text, "  ");
    if (own.hint[0] != '\0') {
        (void)fputs("  ", stderr);
        print_lines(own.hint, "  ");
    }
}

static json_t *count_or_null(uint64_t n)
{
    return n > 0 ? cli_json_count(n) : json_null();
}

static json_t *text_or_null(const char *text)
{
    return text[0] != '\0' ? cli_json_text(text) : json_null();
}

json_t *cli_error_body(const pv_error *error)
{
    json_t *const body = json_object();
    pv_error own = *error;
    pv_error_rephrase(&own, cli_words);
    cli_json_set(body, "status", cli_json_text(cli_status_name(error->status)));
    cli_json_set(body, "message", cli_json_text(own.message));
    cli_json_set(body, "file", text_or_null(error->file));
    cli_json_set(body, "line", count_or_null(error->line));
    cli_json_set(body, "column", count_or_null(error->column));
    cli_json_set(body, "hint", text_or_null(own.hint));
    return body;
}

void cli_error_json(const char *command, const pv_error *error)
{
    json_t *const document = cli_json_document(command);
    cli_json_set(document, "error", cli_error_body(error));
    cli_json_dump(document);
}

void cli_note(const cli_run *run, const char *format, ...)
{
    if (run->common->quiet) {
        return;
    }
    va_list args;
    va_start(args, format);
    char *const text = cli_format_list(format, args);
    va_end(args);
    if (run->host != NULL) {
        run->host->note(run->host->ctx, text);
    } else {
        (void)fputs("paravent: ", stderr);
        print_lines(text, "  ");
    }
    free(text);
}
