/* All measures, one line each (docs/model.md, section 3). Adding one = its functions in the file of
 * its family, and a line here: the command, JSON, documents and tests read this table. */
#include "measure/entry.h"
#include "measure/sensitive.h"

#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const pv_measure_entry entries[] = {
    {{.name = "k", .summary = "smallest class: everyone shares their combination with at least k-1 others",
      .family = PV_FAMILY_PRIVACY, .counts = true, .direction = PV_MORE_IS_BETTER, .has_rows = true, .demandable = true},
     .bound = PV_BOUND_ABOVE, .value = pv_i_value_k, .tuples = pv_i_tuples_size},
    {{.name = "l-distinct", .summary = "fewest distinct sensitive values in a class",
      .family = PV_FAMILY_PRIVACY, .counts = true, .direction = PV_MORE_IS_BETTER, .needs = PV_NEEDS_SENSITIVE,
      .has_rows = true, .demandable = true},
     .bound = PV_BOUND_ABOVE_RAW, .reads = PV_READS_SIZES | PV_READS_SENSITIVES, .prepare = pv_i_prepare_l_distinct,
     .discard = pv_i_discard_scores, .value = pv_i_value_score, .tuples = pv_i_tuples_score},
    {{.name = "l-entropy", .summary = "effective number of sensitive values in the least diverse class, exp(entropy)",
      .family = PV_FAMILY_PRIVACY, .direction = PV_MORE_IS_BETTER, .needs = PV_NEEDS_SENSITIVE,
      .has_rows = true, .demandable = true},
     .bound = PV_BOUND_ABOVE_RAW, .reads = PV_READS_SIZES | PV_READS_SENSITIVES, .prepare = pv_i_prepare_l_entropy,
     .discard = pv_i_discard_scores, .value = pv_i_value_score, .tuples = pv_i_tuples_score},
    {{.name = "l-recursive", .summary = "largest l with r1 < c(rl + ... + rm) in every class: no value too frequent",
      .family = PV_FAMILY_PRIVACY, .counts = true, .direction = PV_MORE_IS_BETTER, .needs = PV_NEEDS_SENSITIVE,
      .has_rows = true, .demandable = true, .parameter = "c", .parameter_default = 3},
     .bound = PV_BOUND_ABOVE_RAW, .reads = PV_READS_SIZES | PV_READS_SENSITIVES, .prepare = pv_i_prepare_l_recursive,
     .discard = pv_i_discard_scores, .value = pv_i_value_score, .tuples = pv_i_tuples_score},
    {{.name = "t-closeness", .summary = "largest distance of a class's sensitive values from the table's",
      .family = PV_FAMILY_PRIVACY, .direction = PV_LESS_IS_BETTER, .needs = PV_NEEDS_SENSITIVE,
      .has_rows = true, .demandable = true},
     .bound = PV_BOUND_ABOVE_RAW, .reads = PV_READS_SIZES | PV_READS_SENSITIVES, .prepare = pv_i_prepare_t,
     .discard = pv_i_discard_scores, .value = pv_i_value_score, .tuples = pv_i_tuples_score},
    {{.name = "sum-k", .summary = "sum over people of the size of their class",
      .family = PV_FAMILY_PRIVACY, .counts = true, .direction = PV_MORE_IS_BETTER, .has_rows = true, .demandable = true},
     .bound = PV_BOUND_ABOVE_RAW, .value = pv_i_value_sum_k, .tuples = pv_i_tuples_size},
    {{.name = "sum-l", .summary = "sum over people of how often their own sensitive value occurs in their class",
      .family = PV_FAMILY_PRIVACY, .counts = true, .direction = PV_MORE_IS_BETTER, .needs = PV_NEEDS_SENSITIVE,
      .has_rows = true, .demandable = true},
     .bound = PV_BOUND_ABOVE_RAW, .reads = PV_READS_SIZES | PV_READS_SENSITIVES | PV_READS_JOINTLY, .prepare = pv_i_prepare_sum_l,
     .discard = pv_i_discard_tally, .value = pv_i_value_sum_l, .rows = pv_i_rows_sum_l},
    {{.name = "gini", .summary = "how unequally people are hidden: Gini coefficient of their class sizes",
      .family = PV_FAMILY_BIAS, .direction = PV_LESS_IS_BETTER, .demandable = true},
     .reads = PV_READS_SIZES, .value = pv_i_value_gini},
    {{.name = "necd", .summary = "largest minus smallest class, relative to the table",
      .family = PV_FAMILY_BIAS, .direction = PV_LESS_IS_BETTER, .demandable = true},
     .value = pv_i_value_necd},
    {{.name = "glm", .summary = "detail lost: share of the domain each released value covers, summed over cells",
      .family = PV_FAMILY_LOSS, .counts = true, .direction = PV_LESS_IS_BETTER, .has_rows = true},
     .bound = PV_BOUND_SEPARABLE, .separable = pv_i_separable_detail,
     .prepare = pv_i_prepare_glm, .discard = pv_i_discard_detail,
     .value = pv_i_value_detail, .tuples = pv_i_tuples_detail},
    {{.name = "nwp", .summary = "detail lost per person, attributes weighted, between 0 and 1",
      .family = PV_FAMILY_LOSS, .direction = PV_LESS_IS_BETTER, .has_rows = true},
     .bound = PV_BOUND_SEPARABLE, .separable = pv_i_separable_detail,
     .prepare = pv_i_prepare_nwp, .discard = pv_i_discard_detail,
     .value = pv_i_value_detail, .tuples = pv_i_tuples_detail},
    {{.name = "dcn", .summary = "sum of squared class sizes, suppressed people counting the whole table",
      .family = PV_FAMILY_LOSS, .counts = true, .direction = PV_LESS_IS_BETTER, .has_rows = true, .demandable = true},
     .bound = PV_BOUND_BELOW, .unsuppressed = pv_i_unsuppressed_dcn,
     .value = pv_i_value_dcn, .tuples = pv_i_tuples_dcn},
    {{.name = "cm", .summary = "people whose label differs from their class's majority, or who are suppressed",
      .family = PV_FAMILY_LOSS, .counts = true, .direction = PV_LESS_IS_BETTER, .needs = PV_NEEDS_LABEL,
      .has_rows = true, .demandable = true},
     .bound = PV_BOUND_BELOW, .unsuppressed = pv_i_unsuppressed_cm,
     .reads = PV_READS_SIZES | PV_READS_LABEL, .prepare = pv_i_prepare_cm, .discard = pv_i_discard_tally,
     .value = pv_i_value_cm, .rows = pv_i_rows_cm},
    {{.name = "leaf-utility", .summary = "detail kept: share of the domain excluded, summed over cells",
      .family = PV_FAMILY_LOSS, .counts = true, .direction = PV_MORE_IS_BETTER, .has_rows = true},
     .bound = PV_BOUND_SEPARABLE, .separable = pv_i_separable_detail,
     .prepare = pv_i_prepare_leaf_utility, .discard = pv_i_discard_detail,
     .value = pv_i_value_detail, .tuples = pv_i_tuples_detail},
    {{.name = "precision", .summary = "detail kept by levels: 1 minus the mean share of the hierarchy climbed",
      .family = PV_FAMILY_LOSS, .direction = PV_MORE_IS_BETTER, .has_rows = true},
     .bound = PV_BOUND_SEPARABLE, .separable = pv_i_separable_detail,
     .prepare = pv_i_prepare_precision, .discard = pv_i_discard_detail,
     .value = pv_i_value_detail, .tuples = pv_i_tuples_detail},
    {{.name = "aecs", .summary = "average size of a class",
      .family = PV_FAMILY_LOSS, .direction = PV_LESS_IS_BETTER, .demandable = true},
     .value = pv_i_value_aecs},
    {{.name = "entropy", .summary = "bits needed to restore the original values, given how common each is",
      .family = PV_FAMILY_LOSS, .direction = PV_LESS_IS_BETTER, .has_rows = true},
     .bound = PV_BOUND_SEPARABLE, .separable = pv_i_separable_detail,
     .prepare = pv_i_prepare_entropy, .discard = pv_i_discard_detail,
     .value = pv_i_value_detail, .tuples = pv_i_tuples_detail},
    {{.name = "risk", .summary = "highest chance to pick out a person whose attributes are known",
      .family = PV_FAMILY_RISK, .direction = PV_LESS_IS_BETTER, .has_rows = true, .demandable = true},
     .bound = PV_BOUND_ABOVE, .value = pv_i_value_risk, .tuples = pv_i_tuples_risk},
    {{.name = "risk-mean", .summary = "average chance to pick out a person whose attributes are known",
      .family = PV_FAMILY_RISK, .direction = PV_LESS_IS_BETTER, .has_rows = true, .demandable = true},
     .bound = PV_BOUND_ABOVE_RAW, .value = pv_i_value_risk_mean, .tuples = pv_i_tuples_risk},
    {{.name = "risk-above", .summary = "share of people whose risk exceeds a threshold",
      .family = PV_FAMILY_RISK, .direction = PV_LESS_IS_BETTER, .has_rows = true, .demandable = true,
      .parameter = "threshold", .parameter_default = 0.2},
     .bound = PV_BOUND_ABOVE_RAW, .reads = PV_READS_SIZES, .value = pv_i_value_risk_above, .tuples = pv_i_tuples_risk_above},
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

/* Also makes sure that what the measure reads is counted. */
static pv_status check_available(const pv_measure *measure, const pv_profile *profile,
                                 pv_error *error)
{
    if (pv_measure_available(measure, profile->study)) {
        return measure->needs != 0 ? pv_i_profile_count(profile, error) : PV_STATUS_OK;
    }
    return pv_i_hint(
        pv_i_fail(error, PV_STATUS_ARGUMENT, "measure '%s' needs a %s", measure->name,
                  (measure->needs & PV_NEEDS_LABEL) != 0 ? "label" : "sensitive attribute"),
        error, "give a column the role %s in the plan",
        (measure->needs & PV_NEEDS_LABEL) != 0 ? "label" : "sensitive");
}

pv_status pv_i_meter_init(pv_meter *meter, pv_measure_ref ref, const pv_profile *profile,
                          pv_error *error)
{
    PV_TRY(check_available(ref.measure, profile, error));
    pv_meter m = {.entry = find(ref.measure->name, strlen(ref.measure->name)),
                  .parameter = ref.parameter};
    if (m.entry->prepare != NULL) {
        PV_TRY(m.entry->prepare(profile, m.parameter, &m.state, error));
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

static pv_status rows_of_tuples(pv_measure_ref ref, const pv_classes *classes, const uint64_t *rows,
                                uint64_t n, double *values, pv_error *error)
{
    const pv_profile *const profile = classes->profile;
    pv_meter meter = {0};
    PV_TRY(pv_i_meter_init(&meter, ref, profile, error));
    double *const per_tuple = PV_NEW_ARRAY(double, profile->n_tuples);
    const pv_status status =
        per_tuple != NULL
            ? meter.entry->tuples(meter.state, classes, meter.parameter, per_tuple, error)
            : pv_i_no_memory(error);
    for (uint64_t i = 0; status == PV_STATUS_OK && i < n; i++) {
        values[i] = per_tuple[profile->row_tuple[rows != NULL ? rows[i] : i]];
    }
    pv_i_free(per_tuple);
    pv_i_meter_deinit(&meter);
    return status;
}

pv_status pv_i_measure_rows(pv_measure_ref ref, const pv_classes *classes, const uint64_t *rows,
                            uint64_t n, double *values, pv_error *error)
{
    const pv_measure_entry *const entry = find(ref.measure->name, strlen(ref.measure->name));
    PV_TRY(check_available(ref.measure, classes->profile, error));
    if (entry->rows != NULL) {
        return entry->rows(classes, rows, n, values, error);
    }
    if (entry->tuples != NULL) {
        return rows_of_tuples(ref, classes, rows, n, values, error);
    }
    return pv_i_fail(error, PV_STATUS_ARGUMENT, "measure '%s' has no value per row",
                     ref.measure->name);
}

pv_status pv_measure_rows(pv_measure_ref ref, const pv_classes *classes, double *rows,
                          pv_error *error)
{
    return pv_i_measure_rows(ref, classes, NULL, classes->profile->n_rows, rows, error);
}
