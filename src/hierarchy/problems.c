/* A list of everything that is wrong. Twenty problems with three cut labels each fit into the
 * message of a pv_error, so nothing that is listed gets lost. */
#include "hierarchy/problems.h"

#include "base/error.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static size_t n_shown(const pv_problems *problems)
{
    return problems->count < PV_PROBLEMS_SHOWN ? problems->count : PV_PROBLEMS_SHOWN;
}

/* Makes space in the list, which moves what comes later; NULL when the place is behind its end. */
static pv_problem *insert(pv_problems *problems, const char *unit, uint64_t number)
{
    size_t at = n_shown(problems);
    while (at > 0 && strcmp(problems->shown[at - 1].unit, unit) == 0 &&
           problems->shown[at - 1].number > number) {
        at--;
    }
    problems->count++;
    if (at == PV_PROBLEMS_SHOWN) {
        return NULL;
    }
    const size_t behind = n_shown(problems) - at - 1;
    memmove(&problems->shown[at + 1], &problems->shown[at], behind * sizeof *problems->shown);
    return &problems->shown[at];
}

void pv_i_problems_add(pv_problems *problems, const char *unit, uint64_t number, const char *format,
                       ...)
{
    va_list args;
    pv_problem *const problem = insert(problems, unit, number);
    if (problem != NULL) {
        problem->unit = unit;
        problem->number = number;
        va_start(args, format);
        (void)vsnprintf(problem->text, sizeof problem->text, format, args);
        va_end(args);
    }
}

void pv_i_problems_add_value(pv_problems *problems, const pv_table *table, size_t column,
                             uint32_t code, const char *what)
{
    if (problems->count >= PV_PROBLEMS_SHOWN) {
        problems->count++; /* finding the line takes a look at every row: only for those shown */
        return;
    }
    const uint64_t rows = pv_table_count(table, column, code);
    const uint64_t row = pv_table_first_row(table, column, code);
    const uint64_t line = pv_table_line(table, row);
    pv_i_problems_add(problems, line > 0 ? PV_LINE_UNIT : "row", line > 0 ? line : row + 1,
                      "the value %s (%" PRIu64 " %s)", what, rows, rows == 1 ? "row" : "rows");
}

/* ---------------------------------------------------------------- reporting */

static uint64_t first_line(const pv_problems *problems)
{
    for (size_t i = 0; i < n_shown(problems); i++) {
        if (strcmp(problems->shown[i].unit, PV_LINE_UNIT) == 0) {
            return problems->shown[i].number;
        }
    }
    return 0;
}

/* Appends to `text` of PV_ERROR_MESSAGE_SIZE bytes, as far as it fits. */
static void append(char *text, const char *format, ...) PV_PRINTF(2, 3);
static void append(char *text, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text + used, PV_ERROR_MESSAGE_SIZE - used, format, args);
    va_end(args);
}

static void list(const pv_problems *problems, char *text)
{
    append(text, "%zu problems:", problems->count);
    for (size_t i = 0; i < n_shown(problems); i++) {
        const pv_problem *const problem = &problems->shown[i];
        append(text, "\n  %s %" PRIu64 ": %s", problem->unit, problem->number, problem->text);
    }
    if (problems->count > PV_PROBLEMS_SHOWN) {
        append(text, "\n  ... and %zu more", problems->count - PV_PROBLEMS_SHOWN);
    }
}

pv_status pv_i_problems_report(const pv_problems *problems, pv_status status, const char *file,
                               const char *subject, pv_error *error)
{
    char text[PV_ERROR_MESSAGE_SIZE] = "";
    const pv_problem *const first = &problems->shown[0];
    const uint64_t line = first_line(problems);
    if (problems->count == 0) {
        return PV_STATUS_OK;
    }
    append(text, "%s%s", subject, subject[0] != '\0' ? ": " : "");
    if (problems->count > 1) {
        list(problems, text);
    } else if (line > 0) { /* which the error says by itself */
        append(text, "%s", first->text);
    } else {
        append(text, "%s %" PRIu64 ": %s", first->unit, first->number, first->text);
    }
    return pv_i_fail_at(error, status, file, line, 0, "%s", text);
}

pv_quoted pv_i_quoted(const char *label)
{
    pv_quoted quoted;
    const size_t most = sizeof quoted.text - sizeof "\"...\"";
    if (strlen(label) <= most) {
        (void)snprintf(quoted.text, sizeof quoted.text, "\"%s\"", label);
    } else {
        size_t length = most; /* back to the end of a character */
        while (length > 0 && ((unsigned char)label[length] & 0xc0) == 0x80) {
            length--;
        }
        (void)snprintf(quoted.text, sizeof quoted.text, "\"%.*s...\"", (int)length, label);
    }
    for (char *at = quoted.text; *at != '\0'; at++) {
        if ((unsigned char)*at < ' ' || *at == 0x7f) {
            *at = ' '; /* a label must not break the line or drive the terminal */
        }
    }
    return quoted;
}
