/* Rules, bias and loss of cut schemes. */
#include "cuts/cut_aspects.h"

#include "base/error.h"
#include "classes/profile.h"

#include <math.h>

/* ----------------------------------------------------------- bias and loss */

static pv_status set_bias(pv_cut_aspects *aspects, const pv_measure_ref *bias, pv_error *error)
{
    aspects->bias = bias != NULL ? *bias : (pv_measure_ref){.measure = pv_measure_find("necd")};
    aspects->is_necd = aspects->bias.measure == pv_measure_find("necd");
    if (aspects->bias.measure->family != PV_FAMILY_BIAS) {
        return pv_i_hint(
            pv_i_fail(error, PV_STATUS_ARGUMENT, "'%s' is no bias", aspects->bias.measure->name),
            error, "necd and gini are");
    }
    return PV_STATUS_OK;
}

static double times_log(uint64_t n)
{
    return n > 0 ? (double)n * log2((double)n) : 0;
}

/* sum of rows * log2(rows): with every leaf apart, and with all of them in one group. */
static void measure_bits(pv_cut_aspects *aspects)
{
    const pv_study *const study = aspects->profile->study;
    for (size_t a = 0; a < aspects->space->n_axes; a++) {
        const size_t column = pv_study_quasi_column(study, a);
        const uint32_t n = pv_table_values(pv_study_table(study), column);
        for (uint32_t code = 0; code < n; code++) {
            aspects->bits_least += times_log(pv_table_count(pv_study_table(study), column, code));
        }
        aspects->bits_most += times_log(aspects->space->n_rows);
    }
}

static pv_status set_loss(pv_cut_aspects *aspects, const pv_measure_ref *loss, pv_error *error)
{
    aspects->loss = loss != NULL ? *loss : (pv_measure_ref){.measure = pv_measure_find("nwp")};
    const pv_measure *const measure = aspects->loss.measure;
    if (pv_i_measure_entry(measure)->cut_loss == PV_CUT_LOSS_NONE) {
        return pv_i_hint(
            pv_i_fail(error, PV_STATUS_ARGUMENT, "'%s' is no loss that cuts have", measure->name),
            error, "nwp, glm, leaf-utility, entropy, dcn, cm and aecs are");
    }
    PV_TRY(pv_i_measure_check(measure, aspects->profile->study, error));
    aspects->loss_kind = pv_i_measure_entry(measure)->cut_loss;
    if (aspects->loss_kind == PV_CUT_LOSS_BITS) {
        measure_bits(aspects);
    }
    if ((measure->needs & PV_NEEDS_LABEL) != 0) {
        aspects->columns[aspects->n_columns++] = pv_study_label_column(aspects->profile->study);
    }
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------ set up */

pv_status pv_i_cut_aspects_init(pv_cut_aspects *aspects, const pv_profile *profile,
                                const pv_cut_space *space, const pv_constraint *rules,
                                size_t n_rules, const pv_measure_ref *bias,
                                const pv_measure_ref *loss, pv_error *error)
{
    *aspects = (pv_cut_aspects){.profile = profile, .space = space};
    PV_TRY(pv_i_class_rules_init(&aspects->rules, profile, rules, n_rules, error));
    for (size_t i = 0; i < aspects->rules.n_sensitive; i++) {
        aspects->columns[aspects->n_columns++] = pv_study_sensitive_column(profile->study, i);
    }
    PV_TRY(set_bias(aspects, bias, error));
    return set_loss(aspects, loss, error);
}

/* What an attribute counts: as its weight says, or as the loss has it. */
void pv_i_cut_aspects_prices(const pv_cut_aspects *aspects, const double *weights,
                             pv_cut_prices *prices)
{
    const pv_cut_space *const space = aspects->space;
    double used[PV_MOST_CUT_AXES] = {0};
    double sum = 0;
    const pv_measure_entry *const loss = pv_i_measure_entry(aspects->loss.measure);
    if (weights == NULL && loss->info.weighted) {
        pv_i_cut_prices_init(prices, space); /* they sum to 1 already */
        return;
    }
    for (size_t a = 0; a < space->n_axes; a++) {
        const double n = space->axes[a].n;
        const double weight = weights != NULL ? weights[a] : space->axes[a].weight;
        used[a] = loss->cut_weight != NULL ? loss->cut_weight(n) : weight;
        sum += used[a];
    }
    for (size_t a = 0; a < space->n_axes; a++) {
        used[a] = sum > 0 ? used[a] / sum : 0;
    }
    pv_i_cut_prices_weigh(prices, space, used);
}
