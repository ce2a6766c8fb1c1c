/* Failures of other rooms, told where the plan led to them. */
#include "plan/plan_parts.h"

#include "base/error.h"
#include "plan/spelling.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

pv_status pv_i_place_error(pv_status status, const char *file, uint64_t line, uint64_t column,
                           pv_error *error)
{
    if (status == PV_STATUS_OK || status == PV_STATUS_NO_MEMORY) {
        return status;
    }
    if (error != NULL) {
        error->status = PV_STATUS_INPUT;
        if (error->file[0] == '\0' && file != NULL) {
            (void)snprintf(error->file, sizeof error->file, "%s", file);
            error->line = line;
            error->column = column;
        }
    }
    return PV_STATUS_INPUT;
}

static bool is_open(const pv_plan_attribute *attribute)
{
    return attribute->role == PV_ROLE_UNDECIDED || attribute->open_format != '\0';
}

static const char *question_of(const pv_plan_attribute *attribute)
{
    return attribute->role == PV_ROLE_UNDECIDED ? ""
           : attribute->open_format == 'd'      ? ": `decimal`, comma or point?"
                                                : ": `format` of its dates?";
}

/* "line 12: `glucose`" for as many as fit; pv_i_fail_at cuts nothing off in the middle of one. */
static void list_questions(const pv_plan *plan, char *list, size_t size)
{
    size_t used = 0;
    size_t left = 0;
    for (size_t i = 0; i < plan->n_attributes; i++) {
        const pv_plan_attribute *const attribute = &plan->attributes[i];
        if (!is_open(attribute)) {
            continue;
        }
        char line[192];
        const int length =
            snprintf(line, sizeof line, "\n  line %" PRIu64 ": `%s`%s", attribute->line,
                     pv_i_shown(attribute->name).text, question_of(attribute));
        if (left > 0 || used + (size_t)length + 32 > size) {
            left++;
            continue;
        }
        memcpy(list + used, line, (size_t)length + 1);
        used += (size_t)length;
    }
    if (left > 0) {
        (void)snprintf(list + used, size - used, "\n  and %zu more", left);
    }
}

pv_status pv_plan_check_answered(const pv_plan *plan, pv_error *error)
{
    const pv_plan_attribute *first = NULL;
    size_t n = 0;
    size_t n_roles = 0;
    for (size_t i = 0; i < plan->n_attributes; i++) {
        if (is_open(&plan->attributes[i])) {
            first = first == NULL ? &plan->attributes[i] : first;
            n_roles += plan->attributes[i].role == PV_ROLE_UNDECIDED;
            n++;
        }
    }
    if (n == 0) {
        return PV_STATUS_OK;
    }
    char list[3072];
    list_questions(plan, list, sizeof list);
    if (n_roles < n) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, plan->path, first->line,
                                      first->column, "the plan has %zu open question%s%s", n,
                                      n == 1 ? "" : "s", list),
                         error,
                         "the comments in the plan say what was seen; in place of each \"?\" write "
                         "a role (quasi, sensitive, identifier, other), a decimal sign (comma if "
                         "1,234 is less than two, point if it is more than a thousand) or a "
                         "date format (dd/mm/yyyy or mm/dd/yyyy; years of two digits as dd.mm.yy "
                         "with `first-year: 1930`)");
    }
    return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, plan->path, first->line, first->column,
                                  "the plan has %zu open question%s: the role of %s is \"?\"%s", n,
                                  n == 1 ? "" : "s", n == 1 ? "this column" : "these columns",
                                  list),
                     error,
                     "the comments in the plan say what was seen; in place of each \"?\" write\n"
                     "quasi       if others may know it of a person: it is generalized\n"
                     "sensitive   if nobody shall learn it of a person: released as it is\n"
                     "identifier  if the release does not need it: it is dropped\n"
                     "other       if it says nothing about a person: released as it is");
}

void pv_i_prefix_error(pv_error *error, const char *what, const char *name)
{
    char prefix[128];
    char message[sizeof error->message];
    if (error == NULL || error->status == PV_STATUS_NO_MEMORY) {
        return;
    }
    const int length = snprintf(prefix, sizeof prefix, "%s `%s`: ", what, pv_i_shown(name).text);
    (void)snprintf(message, sizeof message, "%s%.*s", prefix, (int)sizeof message - length - 1,
                   error->message);
    memcpy(error->message, message, sizeof message);
}
