/* Demanded bounds: `k=5,l-distinct>=3,t-closeness<=0.2`. */
#include "measure/bound.h"

#include "base/error.h"

#include <math.h>
#include <paravent/measure.h>
#include <stdio.h>
#include <string.h>

#define LONGEST_PART 128

/* The comparison written between name and bound. */
typedef enum { EITHER, AT_LEAST, AT_MOST } comparison;

static const char *comparison_text(pv_direction direction)
{
    return direction == PV_MORE_IS_BETTER ? ">=" : "<=";
}

/* Splits "name>=bound" at its operator; the name keeps a parameter such as "(c=2)". */
static bool split(char *part, char **bound, comparison *written)
{
    unsigned depth = 0;
    for (char *c = part; *c != '\0'; c++) {
        depth += *c == '(';
        depth -= *c == ')' && depth > 0;
        if (depth == 0 && (*c == '=' || ((*c == '<' || *c == '>') && c[1] == '='))) {
            *written = *c == '=' ? EITHER : *c == '>' ? AT_LEAST : AT_MOST;
            *bound = c + (*c == '=' ? 1 : 2);
            *c = '\0';
            return true;
        }
    }
    return false;
}

static pv_status check_direction(const pv_measure *measure, comparison written, pv_error *error)
{
    const comparison natural = measure->direction == PV_MORE_IS_BETTER ? AT_LEAST : AT_MOST;
    if (written != EITHER && written != natural) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                   "'%s' is better the %s it is; the demand is the wrong way round",
                                   measure->name, natural == AT_LEAST ? "higher" : "lower"),
                         error, "write %s%s...", measure->name,
                         comparison_text(measure->direction));
    }
    return PV_STATUS_OK;
}

static pv_status check_demandable(const pv_measure *measure, pv_error *error)
{
    if (!measure->demandable) {
        return pv_i_hint(
            pv_i_fail(error, PV_STATUS_ARGUMENT,
                      "'%s' cannot be demanded: a released file alone does not show it",
                      measure->name),
            error, "demand k, l-distinct, t-closeness, risk, ... instead");
    }
    return PV_STATUS_OK;
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
    PV_TRY(check_direction(constraint->ref.measure, written, error));
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
        const size_t length = strcspn(text, ",");
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
        PV_TRY(check_demandable(parsed[i].ref.measure, error));
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
    const pv_measure *const measure = constraint->ref.measure;
    char parameter[48] = "";
    /* Ten digits: a bound that a person writes comes out as it was written. */
    if (measure->parameter != NULL) {
        (void)snprintf(parameter, sizeof parameter, "(%.10g)", constraint->ref.parameter);
    }
    (void)snprintf(text, size, "%s%s %s %.10g", measure->name, parameter,
                   comparison_text(measure->direction), constraint->bound);
}
