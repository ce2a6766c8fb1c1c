/* All measures, one line each (MODEL section 3). Adding one = its functions in the file of its
 * family, and a line here: the command, JSON, documents and tests read this table. */
#include "measure/entry.h"

#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const pv_measure_entry entries[] = {
    {{.name = "k", .summary = "smallest class: everyone shares their combination with at least k-1 others",
      .family = PV_FAMILY_PRIVACY, .direction = PV_MORE_IS_BETTER, .has_rows = true, .demandable = true},
     .value = pv_i_value_k, .tuples = pv_i_tuples_size},
    {{.name = "l-distinct", .summary = "fewest distinct sensitive values in a class",
      .family = PV_FAMILY_PRIVACY, .direction = PV_MORE_IS_BETTER, .needs = PV_NEEDS_SENSITIVE,
      .has_rows = true, .demandable = true},
     .value = pv_i_value_l_distinct, .tuples = pv_i_tuples_l_distinct},
    {{.name = "l-entropy", .summary = "effective number of sensitive values in the least diverse class, exp(entropy)",
      .family = PV_FAMILY_PRIVACY, .direction = PV_MORE_IS_BETTER, .needs = PV_NEEDS_SENSITIVE,
      .has_rows = true, .demandable = true},
     .value = pv_i_value_l_entropy, .tuples = pv_i_tuples_l_entropy},
    {{.name = "l-recursive", .summary = "largest l with r1 < c(rl + ... + rm) in every class: no value too frequent",
      .family = PV_FAMILY_PRIVACY, .direction = PV_MORE_IS_BETTER, .needs = PV_NEEDS_SENSITIVE,
      .has_rows = true, .demandable = true, .parameter = "c", .parameter_default = 3},
     .value = pv_i_value_l_recursive, .tuples = pv_i_tuples_l_recursive},
    {{.name = "t-closeness", .summary = "largest distance of a class's sensitive values from the table's",
      .family = PV_FAMILY_PRIVACY, .direction = PV_LESS_IS_BETTER, .needs = PV_NEEDS_SENSITIVE,
      .has_rows = true, .demandable = true},
     .value = pv_i_value_t, .tuples = pv_i_tuples_t},
    {{.name = "sum-k", .summary = "sum over people of the size of their class",
      .family = PV_FAMILY_PRIVACY, .direction = PV_MORE_IS_BETTER, .has_rows = true, .demandable = true},
     .value = pv_i_value_sum_k, .tuples = pv_i_tuples_size},
    {{.name = "sum-l", .summary = "sum over people of how often their own sensitive value occurs in their class",
      .family = PV_FAMILY_PRIVACY, .direction = PV_MORE_IS_BETTER, .needs = PV_NEEDS_SENSITIVE,
      .has_rows = true, .demandable = true},
     .value = pv_i_value_sum_l, .rows = pv_i_rows_sum_l},
    {{.name = "gini", .summary = "how unequally people are hidden: Gini coefficient of their class sizes",
      .family = PV_FAMILY_BIAS, .direction = PV_LESS_IS_BETTER, .demandable = true},
     .value = pv_i_value_gini},
    {{.name = "necd", .summary = "largest minus smallest class, relative to the table",
      .family = PV_FAMILY_BIAS, .direction = PV_LESS_IS_BETTER, .demandable = true},
     .value = pv_i_value_necd},
    {{.name = "glm", .summary = "detail lost: share of the domain each released value covers, summed over cells",
      .family = PV_FAMILY_LOSS, .direction = PV_LESS_IS_BETTER, .has_rows = true},
     .value = pv_i_value_glm, .tuples = pv_i_tuples_glm},
    {{.name = "nwp", .summary = "detail lost per person, attributes weighted, between 0 and 1",
      .family = PV_FAMILY_LOSS, .direction = PV_LESS_IS_BETTER, .has_rows = true},
     .value = pv_i_value_nwp, .tuples = pv_i_tuples_nwp},
    {{.name = "dcn", .summary = "sum of squared class sizes, suppressed people counting the whole table",
      .family = PV_FAMILY_LOSS, .direction = PV_LESS_IS_BETTER, .has_rows = true, .demandable = true},
     .value = pv_i_value_dcn, .tuples = pv_i_tuples_dcn},
    {{.name = "cm", .summary = "people whose label differs from their class's majority, or who are suppressed",
      .family = PV_FAMILY_LOSS, .direction = PV_LESS_IS_BETTER, .needs = PV_NEEDS_LABEL,
      .has_rows = true, .demandable = true},
     .value = pv_i_value_cm, .rows = pv_i_rows_cm},
    {{.name = "leaf-utility", .summary = "detail kept: share of the domain excluded, summed over cells",
      .family = PV_FAMILY_LOSS, .direction = PV_MORE_IS_BETTER, .has_rows = true},
     .value = pv_i_value_leaf_utility, .tuples = pv_i_tuples_leaf_utility},
    {{.name = "precision", .summary = "detail kept by levels: 1 minus the mean share of the hierarchy climbed",
      .family = PV_FAMILY_LOSS, .direction = PV_MORE_IS_BETTER, .has_rows = true},
     .value = pv_i_value_precision, .tuples = pv_i_tuples_precision},
    {{.name = "aecs", .summary = "average size of a class",
      .family = PV_FAMILY_LOSS, .direction = PV_LESS_IS_BETTER, .demandable = true},
     .value = pv_i_value_aecs},
    {{.name = "entropy", .summary = "bits needed to restore the original values, given how common each is",
      .family = PV_FAMILY_LOSS, .direction = PV_LESS_IS_BETTER, .has_rows = true},
     .value = pv_i_value_entropy, .tuples = pv_i_tuples_entropy},
    {{.name = "risk", .summary = "highest chance to pick out a person whose attributes are known",
      .family = PV_FAMILY_RISK, .direction = PV_LESS_IS_BETTER, .has_rows = true, .demandable = true},
     .value = pv_i_value_risk, .tuples = pv_i_tuples_risk},
    {{.name = "risk-mean", .summary = "average chance to pick out a person whose attributes are known",
      .family = PV_FAMILY_RISK, .direction = PV_LESS_IS_BETTER, .has_rows = true, .demandable = true},
     .value = pv_i_value_risk_mean, .tuples = pv_i_tuples_risk},
    {{.name = "risk-above", .summary = "share of people whose risk exceeds a threshold",
      .family = PV_FAMILY_RISK, .direction = PV_LESS_IS_BETTER, .has_rows = true, .demandable = true,
      .parameter = "threshold", .parameter_default = 0.2},
     .value = pv_i_value_risk_above, .tuples = pv_i_tuples_risk_above},
};
/* clang-format on */

#define N_ENTRIES (sizeof entries / sizeof *entries)

size_t pv_measures(void)
{
    return N_ENTRIES;
}

const pv_measure *pv_measure_at(size_t index)
{
    return index < N_ENTRIES ? &entries[index].info : NULL;
}

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

static pv_status check_available(const pv_measure *measure, const pv_classes *classes,
                                 pv_error *error)
{
    if (pv_measure_available(measure, classes->profile->study)) {
        return PV_STATUS_OK;
    }
    return pv_i_hint(
        pv_i_fail(error, PV_STATUS_ARGUMENT, "measure '%s' needs a %s", measure->name,
                  (measure->needs & PV_NEEDS_LABEL) != 0 ? "label" : "sensitive attribute"),
        error, "give a column the role %s in the plan",
        (measure->needs & PV_NEEDS_LABEL) != 0 ? "label" : "sensitive");
}

pv_status pv_measure_value(pv_measure_ref ref, const pv_classes *classes, double *value,
                           pv_error *error)
{
    PV_TRY(check_available(ref.measure, classes, error));
    return find(ref.measure->name, strlen(ref.measure->name))
        ->value(classes, ref.parameter, value, error);
}

pv_status pv_measure_rows(pv_measure_ref ref, const pv_classes *classes, double *rows,
                          pv_error *error)
{
    PV_TRY(check_available(ref.measure, classes, error));
    const pv_measure_entry *const entry = find(ref.measure->name, strlen(ref.measure->name));
    const pv_profile *const profile = classes->profile;
    if (entry->rows != NULL) {
        return entry->rows(classes, rows, error);
    }
    if (entry->tuples == NULL) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "measure '%s' has no value per row",
                         ref.measure->name);
    }
    double *const per_tuple = PV_NEW_ARRAY(double, profile->n_tuples);
    if (per_tuple == NULL) {
        return pv_i_no_memory(error);
    }
    const pv_status status = entry->tuples(classes, ref.parameter, per_tuple, error);
    for (uint64_t row = 0; status == PV_STATUS_OK && row < profile->n_rows; row++) {
        rows[row] = per_tuple[profile->row_tuple[row]];
    }
    pv_i_free(per_tuple);
    return status;
}
