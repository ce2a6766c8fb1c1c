/* How people write measures and demands, and what a plan demands.
 *
 *     demands     k=5, l-distinct(diagnosis)=3, t-closeness("cause, or none")<=0.2
 *     demand      MEASURE = BOUND, or with >= or <= as the measure's direction is
 *     measure     NAME or NAME(ARGUMENT) or NAME(ARGUMENT;ARGUMENT)
 *     argument    a number, or the name of the parameter and a number (c=3): the parameter;
 *                 anything else, or anything in quotes: a sensitive column
 *
 * Quotes, single or double, begin an argument and end it; one that belongs to the name is doubled.
 * What is not in quotes has none of ; , = ( ) in it, so that a mistake is never taken for a name.
 * There are two kinds of quotes because shells and YAML have their own use for one or the other. */
#include "measure/entry.h"

#include "base/error.h"
#include "plan/plan.h"
#include "plan/spelling.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LONGEST_PART 1024 /* of a list of demands, with its end */
#define SPECIAL ";,=()"   /* what a name has in quotes only */

/* ----------------------------------------------------------------- arguments */

static bool is_quote(char c)
{
    return c == '\'' || c == '"';
}

/* Behind the quote that ends what begins here; NULL = it does not end. */
static const char *quoted_end(const char *text)
{
    for (const char *c = text + 1; *c != '\0'; c++) {
        if (*c == *text && c[1] == *text) {
            c++;
        } else if (*c == *text) {
            return c + 1;
        }
    }
    return NULL;
}

/* The `;` or `)` that ends the argument that begins here; NULL = there is none. */
static const char *argument_end(const char *text)
{
    const char *c = text + strspn(text, " ");
    if (is_quote(*c)) {
        c = quoted_end(c);
    }
    if (c != NULL) {
        c += strcspn(c, ";)");
    }
    return c != NULL && *c != '\0' ? c : NULL;
}

/* The parenthesis that closes the one here; NULL = there is none. */
static const char *arguments_end(const char *open)
{
    const char *c = open;
    do {
        c = argument_end(c + 1);
    } while (c != NULL && *c == ';');
    return c;
}

static pv_status bad_parameter(const pv_measure *measure, pv_error *error)
{
    return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                               "the parameter of '%s' is no positive number", measure->name),
                     error, "write %s(%g)", measure->name, measure->parameter_default);
}

static pv_status take_parameter(const char *number, size_t size, pv_measure_ref *ref,
                                bool *is_known, pv_error *error)
{
    const pv_measure *const measure = ref->measure;
    pv_decimal parsed;
    if (measure->parameter == NULL) {
        return pv_i_hint(
            pv_i_fail(error, PV_STATUS_ARGUMENT, "measure '%s' takes no parameter", measure->name),
            error,
            (measure->needs & PV_NEEDS_SENSITIVE) != 0
                ? "if it is the name of a column, put it in quotes"
                : "leave out the parentheses");
    }
    if (*is_known) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "'%s' has one parameter, not two",
                         measure->name);
    }
    if (!pv_decimal_parse(number, size, &parsed) || parsed.mantissa <= 0) {
        return bad_parameter(measure, error);
    }
    ref->parameter = pv_decimal_double(parsed);
    *is_known = true;
    return PV_STATUS_OK;
}

pv_status pv_i_fail_of_column(const pv_measure *measure, pv_error *error)
{
    return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                               "'%s' is not about sensitive values: it cannot be asked of a column",
                               measure->name),
                     error,
                     "leave out the parentheses; l-distinct(COLUMN), t-closeness(COLUMN) "
                     "and the like are possible");
}

/* A name, its quotes and their doubles removed. */
static pv_status take_column(const char *text, size_t size, pv_measure_ref *ref, pv_error *error)
{
    const pv_measure *const measure = ref->measure;
    const char quote = is_quote(*text) ? *text : '\0';
    size_t n = 0;
    if ((measure->needs & PV_NEEDS_SENSITIVE) == 0) {
        return measure->parameter != NULL ? bad_parameter(measure, error)
                                          : pv_i_fail_of_column(measure, error);
    }
    if (ref->column[0] != '\0') {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                   "'%s' is asked of two columns at once", measure->name),
                         error, "write it once for each of them");
    }
    for (size_t i = quote != '\0'; i < size - (quote != '\0'); i++) {
        if (n + 1 == sizeof ref->column) {
            return pv_i_fail(error, PV_STATUS_LIMIT,
                             "the name of a column in a demand is longer than %zu bytes",
                             sizeof ref->column - 1);
        }
        ref->column[n++] = text[i];
        i += quote != '\0' && text[i] == quote;
    }
    ref->column[n] = '\0';
    return n > 0 ? PV_STATUS_OK
                 : pv_i_fail(error, PV_STATUS_ARGUMENT, "'%s' is asked of a column without a name",
                             measure->name);
}

/* Does a number belong here, and does it begin behind "c="? */
static size_t parameter_begins(const pv_measure *measure, const char *text, size_t size)
{
    const size_t length = measure->parameter != NULL ? strlen(measure->parameter) : 0;
    return length > 0 && size > length && strncmp(text, measure->parameter, length) == 0 &&
                   text[length] == '='
               ? length + 1
               : 0;
}

static pv_status take_argument(const char *text, size_t size, pv_measure_ref *ref, bool *is_known,
                               pv_error *error)
{
    const pv_measure *const measure = ref->measure;
    pv_decimal number;
    while (size > 0 && *text == ' ') {
        text++;
        size--;
    }
    while (size > 0 && text[size - 1] == ' ') {
        size--;
    }
    if (size == 0) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                   "there is nothing between the parentheses of '%s', or between "
                                   "them and a semicolon",
                                   measure->name),
                         error, "write a column, a parameter, or no parentheses");
    }
    if (is_quote(*text)) {
        return quoted_end(text) == text + size
                   ? take_column(text, size, ref, error)
                   : pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                         "there is something behind the name in quotes that '%s' "
                                         "is asked of",
                                         measure->name),
                               error, "write a quote that belongs to the name twice");
    }
    const size_t begin = parameter_begins(measure, text, size);
    if (begin > 0 || pv_decimal_parse(text, size, &number)) {
        return take_parameter(text + begin, size - begin, ref, is_known, error);
    }
    if (strcspn(text, SPECIAL) < size) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                   "what is in the parentheses of '%s' is neither a parameter nor "
                                   "the plain name of one column",
                                   measure->name),
                         error, "put a name that has one of ; , = ( ) in quotes: %s(\"a, b\")",
                         measure->name);
    }
    return take_column(text, size, ref, error);
}

/* -------------------------------------------------------------- measures */

static pv_status take_arguments(const char *open, pv_measure_ref *ref, pv_error *error)
{
    bool is_known = false;
    const char *end = open;
    do {
        const char *const begin = end + 1;
        end = argument_end(begin);
        if (end == NULL) {
            return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                       "a parenthesis or a quote of '%s' is not closed",
                                       ref->measure->name),
                             error, "write %s(\"COLUMN\"), or %s without parentheses",
                             ref->measure->name, ref->measure->name);
        }
        PV_TRY(take_argument(begin, (size_t)(end - begin), ref, &is_known, error));
    } while (*end == ';');
    return end[1] == '\0' ? PV_STATUS_OK
                          : pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                                "there is something behind the parentheses of '%s'",
                                                ref->measure->name),
                                      error, "put a name that has parentheses in quotes");
}

pv_status pv_measure_parse(const char *text, pv_measure_ref *ref, pv_error *error)
{
    const size_t length = strcspn(text, "(");
    const pv_measure_entry *const entry = pv_i_measure_named(text, length);
    if (entry == NULL) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT, "there is no measure '%.*s'",
                                   (int)(length < 80 ? length : 80), text),
                         error,
                         "measures are k, l-distinct, t-closeness, glm, ...: see the manual");
    }
    pv_measure_ref parsed = {.measure = &entry->info, .parameter = entry->info.parameter_default};
    if (text[length] == '(') {
        PV_TRY(take_arguments(text + length, &parsed, error));
    }
    *ref = parsed;
    return PV_STATUS_OK;
}

bool pv_measure_same(const pv_measure_ref *a, const pv_measure_ref *b)
{
    return a->measure == b->measure &&
           (a->measure->parameter == NULL || fabs(a->parameter - b->parameter) <= 0) &&
           strcmp(a->column, b->column) == 0;
}

static bool needs_quotes(const char *name)
{
    pv_decimal number;
    const size_t size = strlen(name);
    return strpbrk(name, SPECIAL) != NULL || is_quote(name[0]) || name[0] == ' ' ||
           name[size - 1] == ' ' || pv_decimal_parse(name, size, &number);
}

/* The name as an argument; `text` has twice its length and three bytes more. */
static void write_column(const char *name, char *text)
{
    const bool quoted = needs_quotes(name);
    size_t n = 0;
    if (quoted) {
        text[n++] = '"';
    }
    for (; *name != '\0'; name++) {
        text[n++] = *name;
        if (quoted && *name == '"') {
            text[n++] = '"';
        }
    }
    if (quoted) {
        text[n++] = '"';
    }
    text[n] = '\0';
}

/* Ten digits: a parameter that a person writes comes out as it was written. */
void pv_measure_text(pv_measure_ref ref, char *text, size_t size)
{
    const pv_measure *const measure = ref.measure;
    char column[2 * sizeof ref.column + 2] = "";
    char parameter[32] = "";
    if (ref.column[0] != '\0') {
        write_column(ref.column, column);
    }
    if (measure->parameter != NULL) {
        (void)snprintf(parameter, sizeof parameter, "%.10g", ref.parameter);
    }
    if (column[0] == '\0' && parameter[0] == '\0') {
        (void)snprintf(text, size, "%s", measure->name);
    } else {
        (void)snprintf(text, size, "%s(%s%s%s)", measure->name, column,
                       column[0] != '\0' && parameter[0] != '\0' ? ";" : "", parameter);
    }
}

/* ---------------------------------------------------------------- demands */

/* The comparison written between name and bound. */
typedef enum { EITHER, AT_LEAST, AT_MOST } comparison;

static const char *comparison_text(pv_direction direction)
{
    return direction == PV_MORE_IS_BETTER ? ">=" : "<=";
}

/* Where an entry of a list ends: at a comma that is in no parentheses. */
static size_t part_length(const char *text)
{
    const char *c = text + strcspn(text, "(,");
    while (*c == '(') {
        const char *const close = arguments_end(c);
        if (close == NULL) {
            return strlen(text);
        }
        c = close + strcspn(close, "(,");
    }
    return (size_t)(c - text);
}

/* Splits "name>=bound" at its operator; the name keeps its parentheses. */
static bool split(char *part, char **bound, comparison *written)
{
    char *c = part + strcspn(part, "(<=>");
    if (*c == '(') {
        const char *const close = arguments_end(c);
        c = close != NULL ? part + (close - part) : c;
        c += strcspn(c, "<=>");
    }
    if (*c != '=' && (*c == '\0' || c[1] != '=')) {
        return false;
    }
    *written = *c == '=' ? EITHER : *c == '>' ? AT_LEAST : AT_MOST;
    *bound = c + (*c == '=' ? 1 : 2);
    *c = '\0';
    return true;
}

static void trim(char **text)
{
    while (**text == ' ') {
        ++*text;
    }
    size_t length = strlen(*text);
    while (length > 0 && (*text)[length - 1] == ' ') {
        (*text)[--length] = '\0';
    }
}

static pv_status parse_part(char *part, pv_constraint *constraint, pv_error *error)
{
    char *name = part;
    char *bound = NULL;
    comparison written = EITHER;
    pv_decimal number;
    if (!split(part, &bound, &written)) {
        return pv_i_hint(
            pv_i_fail(error, PV_STATUS_ARGUMENT, "a demand is a measure and a bound, such as k=5"),
            error, "several are separated by commas: k=5,l-distinct=3");
    }
    trim(&name);
    trim(&bound);
    PV_TRY(pv_measure_parse(name, &constraint->ref, error));
    const pv_measure *const measure = constraint->ref.measure;
    const comparison natural = measure->direction == PV_MORE_IS_BETTER ? AT_LEAST : AT_MOST;
    if (written != EITHER && written != natural) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                   "'%s' is better the %s it is; the demand is the wrong way round",
                                   measure->name, natural == AT_LEAST ? "higher" : "lower"),
                         error, "write %s%s...", measure->name,
                         comparison_text(measure->direction));
    }
    if (!pv_decimal_parse(bound, strlen(bound), &number) || number.mantissa < 0) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "the bound of '%s' is no number of 0 or more",
                         name);
    }
    constraint->bound = pv_decimal_double(number);
    return PV_STATUS_OK;
}

pv_status pv_i_bounds_parse(const char *text, pv_constraint *bounds, size_t *n_bounds,
                            pv_error *error)
{
    pv_constraint parsed[PV_MAX_CONSTRAINTS];
    size_t n = 0;
    while (true) {
        const size_t length = part_length(text);
        char part[LONGEST_PART];
        if (length >= sizeof part) {
            return pv_i_fail(error, PV_STATUS_ARGUMENT, "a demand is longer than %d characters",
                             LONGEST_PART - 1);
        }
        if (n == PV_MAX_CONSTRAINTS) {
            return pv_i_fail(error, PV_STATUS_LIMIT, "more than %d demands", PV_MAX_CONSTRAINTS);
        }
        memcpy(part, text, length);
        part[length] = '\0';
        PV_TRY(parse_part(part, &parsed[n], error));
        n++;
        if (text[length] == '\0') {
            break;
        }
        text += length + 1;
    }
    memcpy(bounds, parsed, n * sizeof *parsed);
    *n_bounds = n;
    return PV_STATUS_OK;
}

pv_status pv_constraints_parse(const char *text, pv_constraint *constraints, size_t *n_constraints,
                               pv_error *error)
{
    pv_constraint parsed[PV_MAX_CONSTRAINTS];
    size_t n = 0;
    PV_TRY(pv_i_bounds_parse(text, parsed, &n, error));
    for (size_t i = 0; i < n; i++) {
        const pv_measure *const measure = parsed[i].ref.measure;
        if (!measure->demandable) {
            return pv_i_hint(
                pv_i_fail(error, PV_STATUS_ARGUMENT,
                          "'%s' cannot be demanded: a released file alone does not show it",
                          measure->name),
                error, "demand k, l-distinct, t-closeness, risk, ... instead");
        }
    }
    memcpy(constraints, parsed, n * sizeof *parsed);
    *n_constraints = n;
    return PV_STATUS_OK;
}

bool pv_constraint_holds(const pv_constraint *constraint, double value)
{
    /* Measures of real numbers may differ in the last bits from what was asked for. */
    const double slack = 1e-9 * fmax(1, fabs(constraint->bound));
    return constraint->ref.measure->direction == PV_MORE_IS_BETTER
               ? value >= constraint->bound - slack
               : value <= constraint->bound + slack;
}

void pv_constraint_text(const pv_constraint *constraint, char *text, size_t size)
{
    char name[PV_MEASURE_TEXT_SIZE];
    pv_measure_text(constraint->ref, name, sizeof name);
    (void)snprintf(text, size, "%s %s %.10g", name,
                   comparison_text(constraint->ref.measure->direction), constraint->bound);
}

/* ----------------------------------------------------------------- in a plan
 *
 * What a plan demands of every release, and what a scheme file promises of new rows: lists of
 * constraints in which nothing stands twice. */

pv_status pv_constraints_add(pv_constraint *list, size_t *n, const pv_constraint *constraint,
                             pv_error *error)
{
    for (size_t i = 0; i < *n; i++) {
        if (pv_measure_same(&list[i].ref, &constraint->ref) &&
            fabs(list[i].bound - constraint->bound) <= 0) {
            return PV_STATUS_OK;
        }
    }
    if (*n == PV_MAX_CONSTRAINTS) {
        return pv_i_fail(error, PV_STATUS_LIMIT, "more than %d constraints are demanded",
                         PV_MAX_CONSTRAINTS);
    }
    list[(*n)++] = *constraint;
    return PV_STATUS_OK;
}

static pv_status ask_of_attribute(pv_measure_ref *ref, const char *column, pv_error *error)
{
    const size_t size = strlen(column);
    if ((ref->measure->needs & PV_NEEDS_SENSITIVE) == 0) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                   "'%s' is not about sensitive values: it cannot be demanded of "
                                   "an attribute",
                                   ref->measure->name),
                         error, "write it in the `require` of the whole plan");
    }
    if (ref->column[0] != '\0') {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                   "what is demanded of an attribute names no column"),
                         error,
                         "leave out the column, or write it in the `require` of the whole plan");
    }
    if (size >= sizeof ref->column) {
        return pv_i_fail(error, PV_STATUS_LIMIT,
                         "the name of a column in a demand is longer than %zu bytes",
                         sizeof ref->column - 1);
    }
    memcpy(ref->column, column, size + 1);
    return PV_STATUS_OK;
}

static pv_status check_column(const pv_plan *plan, const pv_measure_ref *ref, pv_error *error)
{
    const pv_plan_attribute *const attribute = pv_plan_find(plan, ref->column);
    if (attribute != NULL && attribute->role == PV_ROLE_SENSITIVE) {
        return PV_STATUS_OK;
    }
    return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                               attribute != NULL
                                   ? "'%s' is asked of the column `%s`, which is not sensitive"
                                   : "'%s' is asked of `%s`, which is no attribute of the plan",
                               ref->measure->name, pv_i_shown(ref->column).text),
                     error, "give it the role sensitive, or name a column that has it");
}

/* A demand of the plan, `name: value`. Of an attribute's own (`column` is its name) it is asked of
 * that; any other that names a column names one that the plan calls sensitive. */
static pv_status parse_required(const pv_plan *plan, const pv_plan_require *required,
                                const char *column, pv_constraint *parsed, size_t *n,
                                pv_error *error)
{
    char text[2 * LONGEST_PART];
    const int length = snprintf(text, sizeof text, "%s=%s", required->name, required->value);
    /* Cut off, a list of demands would still read well, and the last ones would be lost. */
    if (length < 0 || (size_t)length >= sizeof text) {
        return pv_i_fail(error, PV_STATUS_LIMIT, "a demand is longer than %zu characters",
                         sizeof text - 1);
    }
    PV_TRY(pv_constraints_parse(text, parsed, n, error));
    for (size_t i = 0; i < *n; i++) {
        pv_measure_ref *const ref = &parsed[i].ref;
        if (column != NULL) {
            PV_TRY(ask_of_attribute(ref, column, error));
        } else if (ref->column[0] != '\0') {
            PV_TRY(check_column(plan, ref, error));
        }
    }
    return PV_STATUS_OK;
}

/* An error names the place in the plan. */
static pv_status take(const pv_plan *plan, const pv_plan_require *required, size_t n_required,
                      const char *column, pv_constraint *list, size_t *n, pv_error *error)
{
    for (size_t i = 0; i < n_required; i++) {
        pv_constraint parsed[PV_MAX_CONSTRAINTS];
        size_t n_parsed = 0;
        pv_status status = parse_required(plan, &required[i], column, parsed, &n_parsed, error);
        for (size_t j = 0; j < n_parsed && status == PV_STATUS_OK; j++) {
            status = pv_constraints_add(list, n, &parsed[j], error);
        }
        if (status != PV_STATUS_OK) {
            if (error != NULL && plan->path != NULL) {
                (void)snprintf(error->file, sizeof error->file, "%s", plan->path);
            }
            if (error != NULL) {
                error->line = required[i].line;
                error->column = required[i].column;
            }
            return status;
        }
    }
    return PV_STATUS_OK;
}

pv_status pv_plan_demands(const pv_plan *plan, pv_constraint *list, size_t *n, pv_error *error)
{
    *n = 0;
    PV_TRY(take(plan, plan->require, plan->n_require, NULL, list, n, error));
    for (size_t i = 0; i < plan->n_attributes; i++) {
        const pv_plan_attribute *const a = &plan->attributes[i];
        PV_TRY(take(plan, a->require, a->n_require, a->name, list, n, error));
    }
    return PV_STATUS_OK;
}

pv_status pv_plan_promises(const pv_plan *plan, pv_constraint *list, size_t *n, pv_error *error)
{
    *n = 0;
    return take(plan, plan->promises, plan->n_promises, NULL, list, n, error);
}
