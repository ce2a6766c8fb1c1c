/* All measures in one table (docs/model.md, section 3), and how they are computed.
 *
 * A measure is one entry: its description for people and for code (pv_measure), what searches may
 * conclude from it (bound, reads, cut_loss), and its functions, which are in the file of its
 * family. The command, JSON, documents and tests read this table, and no code decides by a name.
 * How people write measures is in measure_text.c. */
#include "measure/entry.h"

#include "base/buffer.h"
#include "base/error.h"
#include "base/memory.h"
#include "plan/spelling.h"
#include "table/column.h"

#include <assert.h>
#include <string.h>

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
     .least = pv_i_least_dcn, .simple = pv_i_simple_dcn, .tuples = pv_i_tuples_dcn},
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
     .least = pv_i_least_aecs, .simple = pv_i_simple_aecs},
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

const pv_measure_entry *pv_i_measure_named(const char *name, size_t length)
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
    const pv_measure_entry *const entry = pv_i_measure_named(name, strlen(name));
    return entry != NULL ? &entry->info : NULL;
}

bool pv_measure_available(const pv_measure *measure, const pv_study *study)
{
    return !((measure->needs & PV_NEEDS_SENSITIVE) != 0 && pv_study_sensitives(study) == 0) &&
           !((measure->needs & PV_NEEDS_LABEL) != 0 && pv_study_label_column(study) == SIZE_MAX);
}

/* ------------------------------------------------------------------ computing them */

/* The sensitive columns, for the remedy. */
static void list_sensitives(const pv_study *study, pv_buffer *names)
{
    const pv_table *const table = pv_study_table(study);
    for (size_t i = 0; i < pv_study_sensitives(study); i++) {
        const char *const name = pv_table_name(table, pv_study_sensitive_column(study, i));
        pv_i_buffer_format(names, "%s`%s`", i > 0 ? ", " : "", pv_i_shown(name).text);
    }
}

static pv_status find_sensitive(pv_measure_ref ref, const pv_study *study, size_t *sensitive,
                                pv_error *error)
{
    const pv_table *const table = pv_study_table(study);
    for (size_t i = 0; i < pv_study_sensitives(study); i++) {
        if (strcmp(pv_table_name(table, pv_study_sensitive_column(study, i)), ref.column) == 0) {
            *sensitive = i;
            return PV_STATUS_OK;
        }
    }
    const bool exists = pv_table_find(table, ref.column) != SIZE_MAX;
    pv_buffer names = {0};
    list_sensitives(study, &names);
    const pv_status status =
        names.failed
            ? pv_i_no_memory(error)
            : pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                  exists
                                      ? "'%s' is asked of the column `%s`, which is not sensitive"
                                      : "'%s' is asked of `%s`, and there is no such column",
                                  ref.measure->name, pv_i_shown(ref.column).text),
                        error, "%s: %s",
                        exists ? "give it the role sensitive in the plan, or name "
                                 "a column that has it"
                               : "name a sensitive column",
                        names.data);
    pv_i_buffer_deinit(&names);
    return status;
}

pv_status pv_i_measure_check(pv_measure_ref ref, const pv_study *study, size_t *sensitive,
                             pv_error *error)
{
    const pv_measure *const measure = ref.measure;
    const bool label = (measure->needs & PV_NEEDS_LABEL) != 0;
    if (!pv_measure_available(measure, study)) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT, "measure '%s' needs a %s",
                                   measure->name, label ? "label" : "sensitive attribute"),
                         error, "give a column the role %s in the plan",
                         label ? "label" : "sensitive");
    }
    *sensitive = SIZE_MAX;
    if (ref.column[0] == '\0') {
        return PV_STATUS_OK;
    }
    return (measure->needs & PV_NEEDS_SENSITIVE) != 0 ? find_sensitive(ref, study, sensitive, error)
                                                      : pv_i_fail_of_column(measure, error);
}

pv_status pv_i_meter_init(pv_meter *meter, pv_measure_ref ref, const pv_profile *profile,
                          pv_error *error)
{
    size_t sensitive = SIZE_MAX;
    PV_TRY(pv_i_measure_check(ref, profile->study, &sensitive, error));
    if (ref.measure->needs != 0) { /* what it reads is counted when it is first asked for */
        PV_TRY(pv_i_profile_count(profile, error));
    }
    pv_meter m = {.entry = pv_i_measure_entry(ref.measure), .parameter = ref.parameter};
    if (m.entry->prepare != NULL) {
        PV_TRY(m.entry->prepare(m.entry->formula, profile, sensitive, &m.state, error));
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
    size_t sensitive = SIZE_MAX;
    PV_TRY(pv_i_measure_check(ref, profile->study, &sensitive, error));
    if (entry->rows != NULL) {
        PV_TRY(pv_i_profile_count(profile, error));
        return entry->rows(classes, sensitive, rows, n, values, error);
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
    const pv_profile *const profile = classes->profile;
    PV_TRY(pv_i_measure_rows(ref, classes, NULL, profile->n_entries, rows, error));
    for (uint64_t entry = profile->n_entries, row = profile->n_rows;
         profile->ends != NULL && entry-- > 0;) { /* from behind: no value is lost */
        const double value = rows[entry];
        while (row > (entry > 0 ? profile->ends[entry - 1] : 0)) {
            rows[--row] = value;
        }
    }
    return PV_STATUS_OK;
}
