/* All measures in one table (docs/model.md, section 3), how people write them, and how they are
 * computed.
 *
 * A measure is one entry: its description for people and for code (pv_measure), what searches may
 * conclude from it (bound, reads, cut_loss), and its functions, which are in the file of its
 * family. The command, JSON, documents and tests read this table, and no code decides by a name. */
#include "measure/entry.h"

#include "base/error.h"
#include "base/memory.h"
#include "plan/plan.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define LONGEST_PART 128 /* of a list of demands, with its end */

/* glm weighs all attributes alike. */
static double alike(double n)
{
    (void)n;
    return 1;
}

/* leaf-utility weighs attributes with many values a little more: a group of one value covers
 * 1/|domain| already. */
static double by_values(double n)
{
    return (n - 1) / n;
}

/* clang-format off */
static const pv_measure_entry entries[] = {
    {{.name = "k", .summary = "smallest class: everyone shares their combination with at least k-1 others",
      .family = PV_FAMILY_PRIVACY, .counts = true, .direction = PV_MORE_IS_BETTER, .has_rows = true, .demandable = true,
      .rule = PV_RULE_SIZE, .class_size = true, .alternatives = true, .promised = true, .remaining_alone = true},
     .bound = PV_BOUND_ABOVE, .breaks_for_good = true, .simple = pv_i_simple_k, .tuples = pv_i_tuples_size},
    {{.name = "l-distinct", .summary = "fewest distinct sensitive values in a class",
      .family = PV_FAMILY_PRIVACY, .counts = true, .direction = PV_MORE_IS_BETTER, .needs = PV_NEEDS_SENSITIVE,
      .has_rows = true, .demandable = true,
      .rule = PV_RULE_SENSITIVE, .alternatives = true, .promised = true, .remaining_alone = true},
     .bound = PV_BOUND_ABOVE_RAW, .reads = PV_READS_SIZES | PV_READS_SENSITIVES, .prepare = pv_i_prepare_scores, .formula = &pv_i_l_distinct,
     .breaks_for_good = true, .discard = pv_i_discard_scores, .value = pv_i_value_score, .tuples = pv_i_tuples_score},
    {{.name = "l-entropy", .summary = "effective number of sensitive values in the least diverse class, exp(entropy)",
      .family = PV_FAMILY_PRIVACY, .direction = PV_MORE_IS_BETTER, .needs = PV_NEEDS_SENSITIVE,
      .has_rows = true, .demandable = true,
      .rule = PV_RULE_SENSITIVE, .alternatives = true, .promised = true, .remaining_alone = true},
     .bound = PV_BOUND_ABOVE_RAW, .reads = PV_READS_SIZES | PV_READS_SENSITIVES, .prepare = pv_i_prepare_scores, .formula = &pv_i_l_entropy,
     .discard = pv_i_discard_scores, .value = pv_i_value_score, .tuples = pv_i_tuples_score},
    {{.name = "l-recursive", .summary = "largest l with r1 < c(rl + ... + rm) in every class: no value too frequent",
      .family = PV_FAMILY_PRIVACY, .counts = true, .direction = PV_MORE_IS_BETTER, .needs = PV_NEEDS_SENSITIVE,
      .has_rows = true, .demandable = true, .parameter = "c", .parameter_default = 3,
      .rule = PV_RULE_SENSITIVE, .alternatives = true, .promised = true, .remaining_alone = true},
     .bound = PV_BOUND_ABOVE_RAW, .reads = PV_READS_SIZES | PV_READS_SENSITIVES, .prepare = pv_i_prepare_scores, .formula = &pv_i_l_recursive,
     .discard = pv_i_discard_scores, .value = pv_i_value_score, .tuples = pv_i_tuples_score},
    {{.name = "t-closeness", .summary = "largest distance of a class's sensitive values from the table's",
      .family = PV_FAMILY_PRIVACY, .direction = PV_LESS_IS_BETTER, .needs = PV_NEEDS_SENSITIVE,
      .has_rows = true, .demandable = true,
      .scale = PV_SCALE_ONE, .rule = PV_RULE_SENSITIVE, .promised = true},
     .bound = PV_BOUND_ABOVE_RAW, .reads = PV_READS_SIZES | PV_READS_SENSITIVES, .prepare = pv_i_prepare_scores, .formula = &pv_i_t_closeness,
     .is_distance = true, .discard = pv_i_discard_scores, .value = pv_i_value_score, .tuples = pv_i_tuples_score},
    {{.name = "sum-k", .summary = "sum over people of the size of their class",
      .family = PV_FAMILY_PRIVACY, .counts = true, .direction = PV_MORE_IS_BETTER, .has_rows = true, .demandable = true,
      .scale = PV_SCALE_PAIRS},
     .bound = PV_BOUND_ABOVE_RAW, .simple = pv_i_simple_sum_k, .tuples = pv_i_tuples_size},
    {{.name = "sum-l", .summary = "sum over people of how often their own sensitive value occurs in their class",
      .family = PV_FAMILY_PRIVACY, .counts = true, .direction = PV_MORE_IS_BETTER, .needs = PV_NEEDS_SENSITIVE,
      .has_rows = true, .demandable = true,
      .scale = PV_SCALE_PAIRS},
     .bound = PV_BOUND_ABOVE_RAW, .reads = PV_READS_SIZES | PV_READS_SENSITIVES | PV_READS_JOINTLY, .prepare = pv_i_prepare_sum_l,
     .discard = pv_i_discard_tally, .value = pv_i_value_sum_l, .rows = pv_i_rows_sum_l},
    {{.name = "gini", .summary = "how unequally people are hidden: Gini coefficient of their class sizes",
      .family = PV_FAMILY_BIAS, .direction = PV_LESS_IS_BETTER, .demandable = true,
      .scale = PV_SCALE_ONE},
     .reads = PV_READS_SIZES, .value = pv_i_value_gini},
    {{.name = "necd", .summary = "largest minus smallest class, relative to the table",
      .family = PV_FAMILY_BIAS, .direction = PV_LESS_IS_BETTER, .demandable = true,
      .scale = PV_SCALE_ONE},
     .simple = pv_i_simple_necd},
    {{.name = "glm", .summary = "detail lost: share of the domain each released value covers, summed over cells",
      .family = PV_FAMILY_LOSS, .counts = true, .direction = PV_LESS_IS_BETTER, .has_rows = true,
      .scale = PV_SCALE_CELLS, .detail_share = true},
     .cut_loss = PV_CUT_LOSS_SUM, .cut_weight = alike,
     .bound = PV_BOUND_SEPARABLE, .separable = pv_i_separable_detail,
     .prepare = pv_i_prepare_detail, .formula = &pv_i_glm, .discard = pv_i_discard_detail,
     .value = pv_i_value_detail, .tuples = pv_i_tuples_detail},
    {{.name = "nwp", .summary = "detail lost per person, attributes weighted, between 0 and 1",
      .family = PV_FAMILY_LOSS, .direction = PV_LESS_IS_BETTER, .has_rows = true,
      .scale = PV_SCALE_ONE, .detail_share = true, .weighted = true},
     .cut_loss = PV_CUT_LOSS_SUM,
     .bound = PV_BOUND_SEPARABLE, .separable = pv_i_separable_detail,
     .prepare = pv_i_prepare_detail, .formula = &pv_i_nwp, .discard = pv_i_discard_detail,
     .value = pv_i_value_detail, .tuples = pv_i_tuples_detail},
    {{.name = "dcn", .summary = "sum of squared class sizes, suppressed people counting the whole table",
      .family = PV_FAMILY_LOSS, .counts = true, .direction = PV_LESS_IS_BETTER, .has_rows = true, .demandable = true,
      .scale = PV_SCALE_PAIRS},
     .cut_loss = PV_CUT_LOSS_CLASSES,
     .bound = PV_BOUND_BELOW, .unsuppressed = pv_i_unsuppressed_dcn,
     .simple = pv_i_simple_dcn, .tuples = pv_i_tuples_dcn},
    {{.name = "cm", .summary = "people whose label differs from their class's majority, or who are suppressed",
      .family = PV_FAMILY_LOSS, .counts = true, .direction = PV_LESS_IS_BETTER, .needs = PV_NEEDS_LABEL,
      .has_rows = true, .demandable = true,
      .scale = PV_SCALE_ROWS},
     .cut_loss = PV_CUT_LOSS_CLASSES,
     .bound = PV_BOUND_BELOW, .unsuppressed = pv_i_unsuppressed_cm,
     .reads = PV_READS_SIZES | PV_READS_LABEL, .prepare = pv_i_prepare_cm, .discard = pv_i_discard_tally,
     .value = pv_i_value_cm, .rows = pv_i_rows_cm},
    {{.name = "leaf-utility", .summary = "detail kept: share of the domain excluded, summed over cells",
      .family = PV_FAMILY_LOSS, .counts = true, .direction = PV_MORE_IS_BETTER, .has_rows = true,
      .scale = PV_SCALE_CELLS},
     .cut_loss = PV_CUT_LOSS_SUM, .cut_weight = by_values,
     .bound = PV_BOUND_SEPARABLE, .separable = pv_i_separable_detail,
     .prepare = pv_i_prepare_detail, .formula = &pv_i_leaf_utility, .discard = pv_i_discard_detail,
     .value = pv_i_value_detail, .tuples = pv_i_tuples_detail},
    {{.name = "precision", .summary = "detail kept by levels: 1 minus the mean share of the hierarchy climbed",
      .family = PV_FAMILY_LOSS, .direction = PV_MORE_IS_BETTER, .has_rows = true,
      .scale = PV_SCALE_ONE},
     .bound = PV_BOUND_SEPARABLE, .separable = pv_i_separable_detail,
     .prepare = pv_i_prepare_detail, .formula = &pv_i_precision, .discard = pv_i_discard_detail,
     .value = pv_i_value_detail, .tuples = pv_i_tuples_detail},
    {{.name = "aecs", .summary = "average size of a class",
      .family = PV_FAMILY_LOSS, .direction = PV_LESS_IS_BETTER, .demandable = true,
      .scale = PV_SCALE_ROWS, .class_size = true},
     .cut_loss = PV_CUT_LOSS_CLASSES,
     .simple = pv_i_simple_aecs},
    {{.name = "entropy", .summary = "bits needed to restore the original values, given how common each is",
      .family = PV_FAMILY_LOSS, .direction = PV_LESS_IS_BETTER, .has_rows = true},
     .cut_loss = PV_CUT_LOSS_BITS,
     .bound = PV_BOUND_SEPARABLE, .separable = pv_i_separable_detail,
     .prepare = pv_i_prepare_detail, .formula = &pv_i_bits, .discard = pv_i_discard_detail,
     .value = pv_i_value_detail, .tuples = pv_i_tuples_detail},
    {{.name = "risk", .summary = "highest chance to pick out a person whose attributes are known",
      .family = PV_FAMILY_RISK, .direction = PV_LESS_IS_BETTER, .has_rows = true, .demandable = true,
      .scale = PV_SCALE_ONE, .promised = true, .remaining_alone = true},
     .bound = PV_BOUND_ABOVE, .simple = pv_i_simple_risk, .tuples = pv_i_tuples_risk},
    {{.name = "risk-mean", .summary = "average chance to pick out a person whose attributes are known",
      .family = PV_FAMILY_RISK, .direction = PV_LESS_IS_BETTER, .has_rows = true, .demandable = true,
      .scale = PV_SCALE_ONE, .remaining_alone = true},
     .bound = PV_BOUND_ABOVE_RAW, .simple = pv_i_simple_risk_mean, .tuples = pv_i_tuples_risk},
    {{.name = "risk-above", .summary = "share of people whose risk exceeds a threshold",
      .family = PV_FAMILY_RISK, .direction = PV_LESS_IS_BETTER, .has_rows = true, .demandable = true,
      .parameter = "threshold", .parameter_default = 0.2,
      .scale = PV_SCALE_ONE, .promised = true, .remaining_alone = true},
     .bound = PV_BOUND_ABOVE_RAW, .reads = PV_READS_SIZES, .simple = pv_i_simple_risk_above, .tuples = pv_i_tuples_risk_above},
};
/* clang-format on */

#define N_ENTRIES (sizeof entries / sizeof *entries)

size_t pv_n_measures(void)
{
    return N_ENTRIES;
}

const pv_measure *pv_measure_at(size_t index)
{
    return index < N_ENTRIES ? &entries[index].info : NULL;
}

/* A registered measure by the first `length` characters of `name`. */
static const pv_measure_entry *find(const char *name, size_t length)
{
    for (size_t i = 0; i < N_ENTRIES; i++) {
        if (strlen(entries[i].info.name) == length &&
            memcmp(entries[i].info.name, name, length) == 0) {
            return &entries[i];
        }
    }
    return NULL;
}

/* Every description is the beginning of an entry: there are no others. */
const pv_measure_entry *pv_i_measure_entry(const pv_measure *measure)
{
    static_assert(offsetof(pv_measure_entry, info) == 0, "an entry begins with its description");
    return (const pv_measure_entry *)measure;
}

const pv_measure *pv_measure_find(const char *name)
{
    const pv_measure_entry *const entry = find(name, strlen(name));
    return entry != NULL ? &entry->info : NULL;
}

bool pv_measure_available(const pv_measure *measure, const pv_study *study)
{
    return !((measure->needs & PV_NEEDS_SENSITIVE) != 0 && pv_study_sensitives(study) == 0) &&
           !((measure->needs & PV_NEEDS_LABEL) != 0 && pv_study_label_column(study) == SIZE_MAX);
}

/* -------------------------------------------------------------- as people write them */

/* "(2)" or "(c=2)" after the name. */
static pv_status parse_parameter(const char *text, pv_measure_ref *ref, pv_error *error)
{
    const pv_measure *const measure = ref->measure;
    if (measure->parameter == NULL) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "measure '%s' takes no parameter",
                         measure->name);
    }
    const char *number = text + 1;
    const size_t length = strlen(measure->parameter);
    if (strncmp(number, measure->parameter, length) == 0 && number[length] == '=') {
        number += length + 1;
    }
    pv_decimal parsed;
    const size_t size = strlen(number);
    if (size < 2 || number[size - 1] != ')' || !pv_decimal_parse(number, size - 1, &parsed) ||
        parsed.mantissa <= 0) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                   "the parameter of '%s' is no positive number", measure->name),
                         error, "write %s(%g)", measure->name, measure->parameter_default);
    }
    ref->parameter = pv_decimal_double(parsed);
    return PV_STATUS_OK;
}

pv_status pv_measure_parse(const char *text, pv_measure_ref *ref, pv_error *error)
{
    const size_t length = strcspn(text, "(");
    const pv_measure_entry *const entry = find(text, length);
    if (entry == NULL) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT, "there is no measure '%.*s'",
                                   (int)(length < 80 ? length : 80), text),
                         error,
                         "measures are k, l-distinct, t-closeness, glm, ...: see the manual");
    }
    pv_measure_ref parsed = {.measure = &entry->info, .parameter = entry->info.parameter_default};
    if (text[length] == '(') {
        PV_TRY(parse_parameter(text + length, &parsed, error));
    }
    *ref = parsed;
    return PV_STATUS_OK;
}

/* Ten digits: a parameter that a person writes comes out as it was written. */
void pv_measure_text(pv_measure_ref ref, char *text, size_t size)
{
    if (ref.measure->parameter != NULL) {
        (void)snprintf(text, size, "%s(%.10g)", ref.measure->name, ref.parameter);
    } else {
        (void)snprintf(text, size, "%s", ref.measure->name);
    }
}

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
    char name[LONGEST_PART];
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
        if (list[i].ref.measure == constraint->ref.measure &&
            fabs(list[i].ref.parameter - constraint->ref.parameter) <= 0 &&
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

/* An error names the place in the plan. */
static pv_status take(const pv_plan *plan, const pv_plan_require *required, size_t n_required,
                      pv_constraint *list, size_t *n, pv_error *error)
{
    *n = 0;
    for (size_t i = 0; i < n_required; i++) {
        char text[256];
        pv_constraint parsed[PV_MAX_CONSTRAINTS];
        size_t n_parsed = 0;
        pv_status status = PV_STATUS_OK;
        const int length =
            snprintf(text, sizeof text, "%s=%s", required[i].name, required[i].value);
        /* Cut off, a list of demands would still read well, and the last ones would be lost. */
        status = length >= 0 && (size_t)length < sizeof text
                     ? pv_constraints_parse(text, parsed, &n_parsed, error)
                     : pv_i_fail(error, PV_STATUS_LIMIT, "a demand is longer than %zu characters",
                                 sizeof text - 1);
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
    return take(plan, plan->require, plan->n_require, list, n, error);
}

pv_status pv_plan_promises(const pv_plan *plan, pv_constraint *list, size_t *n, pv_error *error)
{
    return take(plan, plan->promises, plan->n_promises, list, n, error);
}

/* ------------------------------------------------------------------ computing them */

pv_status pv_i_measure_check(const pv_measure *measure, const pv_study *study, pv_error *error)
{
    const bool label = (measure->needs & PV_NEEDS_LABEL) != 0;
    return pv_measure_available(measure, study)
               ? PV_STATUS_OK
               : pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT, "measure '%s' needs a %s",
                                     measure->name, label ? "label" : "sensitive attribute"),
                           error, "give a column the role %s in the plan",
                           label ? "label" : "sensitive");
}

pv_status pv_i_meter_init(pv_meter *meter, pv_measure_ref ref, const pv_profile *profile,
                          pv_error *error)
{
    PV_TRY(pv_i_measure_check(ref.measure, profile->study, error));
    if (ref.measure->needs != 0) { /* what it reads is counted when it is first asked for */
        PV_TRY(pv_i_profile_count(profile, error));
    }
    pv_meter m = {.entry = pv_i_measure_entry(ref.measure), .parameter = ref.parameter};
    if (m.entry->prepare != NULL) {
        PV_TRY(m.entry->prepare(m.entry->formula, profile, &m.state, error));
    }
    *meter = m;
    return PV_STATUS_OK;
}

void pv_i_meter_deinit(pv_meter *meter)
{
    if (meter->entry != NULL && meter->entry->discard != NULL) {
        meter->entry->discard(meter->state);
    }
    *meter = (pv_meter){0};
}

pv_status pv_i_meter_read(const pv_meter *meter, const pv_classes *classes, double *value,
                          pv_error *error)
{
    if (meter->entry->simple != NULL) {
        *value = meter->entry->simple(classes, meter->parameter);
        return PV_STATUS_OK;
    }
    return meter->entry->value(meter->state, classes, meter->parameter, value, error);
}

pv_status pv_measure_value(pv_measure_ref ref, const pv_classes *classes, double *value,
                           pv_error *error)
{
    pv_meter meter = {0};
    PV_TRY(pv_i_meter_init(&meter, ref, classes->profile, error));
    const pv_status status = pv_i_meter_read(&meter, classes, value, error);
    pv_i_meter_deinit(&meter);
    return status;
}

pv_status pv_measure_sensitive(pv_measure_ref ref, const pv_classes *classes, size_t *sensitive,
                               pv_error *error)
{
    pv_meter meter = {0};
    PV_TRY(pv_i_meter_init(&meter, ref, classes->profile, error));
    *sensitive = meter.entry->value == pv_i_value_score
                     ? pv_i_worst_sensitive(meter.state, classes, meter.parameter)
                     : SIZE_MAX;
    pv_i_meter_deinit(&meter);
    return PV_STATUS_OK;
}

pv_status pv_i_measure_rows(pv_measure_ref ref, const pv_classes *classes, const uint64_t *rows,
                            uint64_t n, double *values, pv_error *error)
{
    const pv_measure_entry *const entry = pv_i_measure_entry(ref.measure);
    const pv_profile *const profile = classes->profile;
    pv_meter meter = {0};
    PV_TRY(pv_i_measure_check(ref.measure, profile->study, error));
    if (entry->rows != NULL) {
        PV_TRY(pv_i_profile_count(profile, error));
        return entry->rows(classes, rows, n, values, error);
    }
    if (entry->tuples == NULL) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "measure '%s' has no value per row",
                         ref.measure->name);
    }
    PV_TRY(pv_i_meter_init(&meter, ref, profile, error));
    double *const per_tuple = PV_NEW_ARRAY(double, profile->n_tuples);
    if (per_tuple != NULL) {
        entry->tuples(meter.state, classes, meter.parameter, per_tuple);
        for (uint64_t i = 0; i < n; i++) {
            values[i] = per_tuple[profile->row_tuple[rows != NULL ? rows[i] : i]];
        }
    }
    pv_i_meter_deinit(&meter);
    pv_i_free(per_tuple);
    return per_tuple != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
}

pv_status pv_measure_rows(pv_measure_ref ref, const pv_classes *classes, double *rows,
                          pv_error *error)
{
    return pv_i_measure_rows(ref, classes, NULL, classes->profile->n_rows, rows, error);
}
