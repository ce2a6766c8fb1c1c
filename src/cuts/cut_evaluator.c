/* What comes of a cut scheme.
 *
 * Most searches need only the sizes of the classes (cut_count.c) and a sum over attributes, both in
 * whole numbers: then the same scheme has the same cost whoever computes it, a bound can be
 * compared with a cost exactly, and a proof does not depend on rounding. Only if a publisher
 * demands diversity or closeness, or chose another bias or loss, are the classes themselves listed
 * for the measures. Losses of that kind are turned into costs as shares of the largest possible
 * loss, so that goals and searches need not know which loss it is. */
#include "cuts/cut_evaluator.h"

#include "base/error.h"
#include "base/memory.h"

#include <paravent/front.h>

#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------- criteria */

static double times_log(double n)
{
    return n > 0 ? n * log2(n) : 0;
}

/* sum of rows * log2(rows): with every leaf apart, and with all of them in one group. */
static void measure_bits(pv_cut_criteria *criteria)
{
    const pv_study *const study = criteria->profile->study;
    const pv_table *const table = pv_study_table(study);
    for (size_t a = 0; a < criteria->space->n_axes; a++) {
        const size_t column = pv_study_quasi_column(study, a);
        for (uint32_t code = 0; code < pv_table_values(table, column); code++) {
            criteria->bits_least += times_log((double)pv_table_count(table, column, code));
        }
        criteria->bits_most += times_log((double)criteria->space->n_rows);
    }
}

/* What classes are asked for decides what is counted: the sensitive columns only if there is a rule
 * about them, the label only if the loss reads it. */
pv_status pv_i_cut_criteria_init(pv_cut_criteria *criteria, const pv_profile *profile,
                                 const pv_cut_space *space, const pv_constraint *rules,
                                 size_t n_rules, const pv_measure_ref *bias,
                                 const pv_measure_ref *loss, pv_error *error)
{
    const pv_measure *const necd = pv_measure_find("necd");
    pv_cut_criteria c = {.profile = profile, .space = space};
    PV_TRY(pv_i_class_rules_init(&c.rules, profile, rules, n_rules, error));
    for (size_t i = 0; i < c.rules.n_sensitive; i++) {
        c.columns[c.n_columns++] = pv_study_sensitive_column(profile->study, i);
    }
    c.bias = bias != NULL ? *bias : (pv_measure_ref){.measure = necd};
    c.is_necd = c.bias.measure == necd;
    if (c.bias.measure->family != PV_FAMILY_BIAS) {
        return pv_i_hint(
            pv_i_fail(error, PV_STATUS_ARGUMENT, "'%s' is no bias", c.bias.measure->name), error,
            "necd and gini are");
    }
    c.loss = loss != NULL ? *loss : (pv_measure_ref){.measure = pv_measure_find("nwp")};
    c.loss_kind = pv_i_measure_entry(c.loss.measure)->cut_loss;
    if (c.loss_kind == PV_CUT_LOSS_NONE) {
        return pv_i_hint(
            pv_i_fail(error, PV_STATUS_ARGUMENT,
                      "'%s' is no loss that cuts have: it counts levels of hierarchies",
                      c.loss.measure->name),
            error, "nwp, glm, leaf-utility, entropy, dcn, cm and aecs are");
    }
    size_t sensitive = SIZE_MAX;
    PV_TRY(pv_i_measure_check(c.loss, profile->study, &sensitive, error));
    if (c.loss_kind == PV_CUT_LOSS_BITS) {
        measure_bits(&c);
    }
    if ((c.loss.measure->needs & PV_NEEDS_LABEL) != 0) {
        c.columns[c.n_columns++] = pv_study_label_column(profile->study);
    }
    *criteria = c;
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------ prices */

/* nwp (docs/model.md, section 3) is a weighted mean over people and attributes of the share of the
 * domain that a value was merged with:
 *
 *     nwp = sum over attributes a of  w_a * sum over groups g of  rows(g) * (|g| - 1) / (|a| - 1) /
 * N
 *
 * In whole numbers: unit_a = w_a / (|a| - 1), scaled by a power of two so that a cost, rows(g) *
 * (|g| - 1) * unit_a summed over everything, stays below 2^62. The weights sum to 1, so the sum is
 * at most N * scale: the scale has 62 bits less those of N. Sums of integers do not depend on their
 * order, so costs are the same for any number of threads, and equal costs are equal. */
#define MOST_BITS 62

void pv_i_cut_prices_weigh(pv_cut_prices *prices, const pv_cut_space *space, const double *weights)
{
    int row_bits = 0;
    while (row_bits < 64 && space->n_rows >> row_bits != 0) {
        row_bits++;
    }
    uint64_t one = 0;
    *prices = (pv_cut_prices){0};
    for (size_t a = 0; a < space->n_axes && a < PV_MOST_CUT_AXES; a++) {
        const pv_cut_axis *const axis = &space->axes[a];
        const double others = axis->n > 1 ? axis->n - 1.0 : 1.0;
        prices->unit[a] = (uint64_t)llround(ldexp(weights[a] / others, MOST_BITS - row_bits));
        one += prices->unit[a] * (uint64_t)others * space->n_rows;
    }
    /* Summed from the rounded units, if the weights do sum to 1: then what loses everything loses
     * exactly 1. */
    const double whole = ldexp((double)space->n_rows, MOST_BITS - row_bits);
    prices->one = fabs((double)one - whole) < 1e-6 * whole ? (double)one : whole;
}

void pv_i_cut_prices_init(pv_cut_prices *prices, const pv_cut_space *space)
{
    double weights[PV_MOST_CUT_AXES] = {0};
    for (size_t a = 0; a < space->n_axes && a < PV_MOST_CUT_AXES; a++) {
        weights[a] = space->axes[a].weight;
    }
    pv_i_cut_prices_weigh(prices, space, weights);
}

/* glm and leaf-utility are nwp with weights of their own (measure/registry.c, cut_weight): one way
 * of counting costs serves all three, and the proofs with it. */
void pv_i_cut_criteria_prices(const pv_cut_criteria *criteria, const double *weights,
                              pv_cut_prices *prices)
{
    const pv_cut_space *const space = criteria->space;
    const pv_measure_entry *const loss = pv_i_measure_entry(criteria->loss.measure);
    double used[PV_MOST_CUT_AXES] = {0};
    double sum = 0;
    if (weights == NULL && loss->info.weighted) {
        pv_i_cut_prices_init(prices, space); /* they sum to 1 already: dividing would round */
        return;
    }
    for (size_t a = 0; a < space->n_axes; a++) {
        const double weight = weights != NULL ? weights[a] : space->axes[a].weight;
        used[a] = loss->cut_weight != NULL ? loss->cut_weight(space->axes[a].n) : weight;
        sum += used[a];
    }
    for (size_t a = 0; a < space->n_axes; a++) {
        used[a] = sum > 0 ? used[a] / sum : 0;
    }
    pv_i_cut_prices_weigh(prices, space, used);
}

double pv_i_cut_nwp(const pv_cut_prices *prices, uint64_t cost)
{
    return (double)cost / prices->one;
}

/* O(values of all attributes), no look at the table: rows of a group are a difference of two sums.
 */
uint64_t pv_i_cut_cost(const pv_cut_space *space, const pv_cut_prices *prices, const uint8_t *cuts)
{
    uint64_t cost = 0;
    for (size_t a = 0; a < space->n_axes; a++) {
        const pv_cut_axis *const axis = &space->axes[a];
        uint32_t first = 0;
        for (uint32_t v = 0; v < axis->n; v++) {
            if (v + 1 == axis->n || cuts[axis->first_bit + v] != 0) {
                cost += pv_i_cut_group_cost(axis, prices->unit[a], first, v);
                first = v + 1;
            }
        }
    }
    return cost;
}

/* --------------------------------------------------------------- evaluator */

static pv_status init_meters(pv_cut_evaluator *evaluator, pv_error *error)
{
    const pv_cut_criteria *const criteria = evaluator->criteria;
    PV_TRY(pv_i_class_scorer_init(&evaluator->scorer, &criteria->rules, error));
    if (!criteria->is_necd) {
        PV_TRY(pv_i_meter_init(&evaluator->bias, criteria->bias, criteria->profile, error));
    }
    if (criteria->loss_kind == PV_CUT_LOSS_CLASSES) {
        PV_TRY(pv_i_meter_init(&evaluator->loss, criteria->loss, criteria->profile, error));
    }
    return PV_STATUS_OK;
}

/* Scratch memory and meters of one thread; evaluating allocates nothing but counters. */
pv_status pv_i_cut_evaluator_init(pv_cut_evaluator *evaluator, pv_cut_table *table,
                                  const pv_cut_prices *prices, const pv_cut_criteria *criteria,
                                  pv_error *error)
{
    pv_cut_evaluator e = {.table = table,
                          .prices = prices,
                          .criteria = criteria,
                          .reads_classes = !pv_i_cut_criteria_plain(criteria)};
    pv_status status = PV_STATUS_OK;
    if (!pv_i_cut_scratch_init(&e.scratch, table) ||
        (e.reads_classes && !pv_i_cut_class_scratch_init(&e.classes, table))) {
        status = pv_i_no_memory(error);
    } else if (e.reads_classes) {
        status = init_meters(&e, error);
    }
    if (status == PV_STATUS_OK) {
        *evaluator = e;
    } else {
        pv_i_cut_evaluator_deinit(&e);
    }
    return status;
}

void pv_i_cut_evaluator_deinit(pv_cut_evaluator *evaluator)
{
    pv_i_class_scorer_deinit(&evaluator->scorer);
    pv_i_meter_deinit(&evaluator->bias);
    pv_i_meter_deinit(&evaluator->loss);
    pv_i_cut_class_scratch_deinit(&evaluator->classes);
    pv_i_cut_scratch_deinit(&evaluator->scratch);
    *evaluator = (pv_cut_evaluator){0};
}

/* How near a value comes to what a rule demands: 1 = it meets it, less than 1 = it does not. This
 * is what leads NSGA-II from schemes that break a rule towards those that meet it. A value that
 * misses the bound by rounding only must not count as meeting it. */
static double nearness(const pv_constraint *rule, double value)
{
    if (pv_constraint_holds(rule, value)) {
        return 1;
    }
    const double near = rule->ref.measure->direction == PV_MORE_IS_BETTER ? value / rule->bound
                                                                          : rule->bound / value;
    return near < 1 ? fmax(near, 0) : nextafter(1, 0);
}

/* On the scale of prices, where 1 is the loss of everything merged. */
static uint64_t share_to_cost(const pv_cut_evaluator *evaluator, double share)
{
    return (uint64_t)llround(fmin(fmax(share, 0), 1) * evaluator->prices->one);
}

/* Entropy as a share: rows * log2(rows) of the groups, between every value apart and all merged. */
static double share_of_bits(const pv_cut_criteria *criteria, const uint8_t *cuts)
{
    double bits = 0;
    for (size_t a = 0; a < criteria->space->n_axes; a++) {
        const pv_cut_axis *const axis = &criteria->space->axes[a];
        uint32_t first = 0;
        for (uint32_t v = 0; v < axis->n; v++) {
            if (v + 1 == axis->n || cuts[axis->first_bit + v] != 0) {
                bits += times_log((double)pv_i_cut_rows(axis, first, v));
                first = v + 1;
            }
        }
    }
    const double range = criteria->bits_most - criteria->bits_least;
    return range > 0 ? (bits - criteria->bits_least) / range : 0;
}

static bool read_meter(const pv_meter *meter, const pv_classes *classes, double *value)
{
    return pv_i_meter_read(meter, classes, value, NULL) == PV_STATUS_OK;
}

/* The rules, the bias and the loss that need more than the sizes. */
static bool read_classes(pv_cut_evaluator *evaluator, const uint8_t *cuts, pv_cut_outcome *outcome)
{
    const pv_cut_criteria *const criteria = evaluator->criteria;
    pv_classes classes;
    double value = 0;
    bool ready = pv_i_cut_classes(evaluator->table, &evaluator->scratch, &evaluator->classes,
                                  criteria->profile, cuts, &classes);
    for (size_t i = 0; ready && i < criteria->rules.n_rules; i++) {
        ready = read_meter(&evaluator->scorer.meters[i], &classes, &value);
        outcome->compliance = fmin(outcome->compliance, nearness(&criteria->rules.rules[i], value));
    }
    if (ready && !criteria->is_necd) {
        ready = read_meter(&evaluator->bias, &classes, &outcome->bias);
    }
    if (ready && criteria->loss_kind == PV_CUT_LOSS_CLASSES) {
        ready = read_meter(&evaluator->loss, &classes, &value);
        outcome->cost = share_to_cost(
            evaluator, pv_measure_share(criteria->loss.measure, criteria->profile, value));
    }
    return ready;
}

bool pv_i_cut_evaluate(pv_cut_evaluator *evaluator, const uint8_t *cuts, pv_cut_outcome *outcome)
{
    const pv_cut_criteria *const criteria = evaluator->criteria;
    pv_cut_outcome o = {.compliance = 1};
    if (!pv_i_cut_count(evaluator->table, &evaluator->scratch, cuts, &o.sizes)) {
        return false;
    }
    /* necd: the range of class sizes, as a share of the largest range there can be. */
    const double others = o.sizes.n_rows > 1 ? (double)(o.sizes.n_rows - 1) : 1;
    o.bias = (double)(o.sizes.largest - o.sizes.smallest) / others;
    o.cost = criteria != NULL && criteria->loss_kind == PV_CUT_LOSS_BITS
                 ? share_to_cost(evaluator, share_of_bits(criteria, cuts))
                 : pv_i_cut_cost(evaluator->table->space, evaluator->prices, cuts);
    if (evaluator->reads_classes && !read_classes(evaluator, cuts, &o)) {
        return false;
    }
    *outcome = o;
    return true;
}

/* ------------------------------------------------------- invalid intervals */

/* One class of the other axes: its tuples, sorted by value of the axis, are order[start..end). For
 * each first value with rows the interval grows to the right, value by value, and its sensitive
 * values are tallied as they come. All starts after the value before (`from`) give the same
 * classes, and all ends up to the next value with rows, too: a whole rectangle of intervals is
 * marked at once, and tested only if some of it is still valid. */
static void mark_class(pv_cut_evaluator *evaluator, const pv_cut_view *view, size_t axis,
                       size_t start, size_t end, bool *invalid)
{
    const uint32_t *const order = evaluator->classes.order;
    const uint16_t *const values = view->values[axis];
    const uint32_t n = evaluator->table->space->axes[axis].n;
    const size_t n_axes = evaluator->table->space->n_axes;
    uint32_t from = 0;
    for (size_t i = start; i < end;) {
        const uint32_t own = values[order[i]]; /* the first value with rows */
        pv_i_class_scorer_clear(&evaluator->scorer);
        for (size_t next = i; next < end;) {
            const uint32_t value = values[order[next]];
            for (; next < end && values[order[next]] == value; next++) {
                const uint32_t t = order[next];
                for (size_t s = 0; s < evaluator->criteria->rules.n_sensitive; s++) {
                    if (evaluator->scorer.reads[s]) {
                        pv_i_tally_add(&evaluator->scorer.tallies[s], view->values[n_axes + s][t],
                                       view->counts[t]);
                    }
                }
            }
            const uint32_t until = next < end ? values[order[next]] : n;
            bool some_valid = false;
            for (uint32_t first = from; first <= own && !some_valid; first++) {
                some_valid = memchr(invalid + (size_t)first * n + value, 0, until - value) != NULL;
            }
            if (some_valid && pv_i_class_scorer_breaks(&evaluator->scorer, true)) {
                for (uint32_t first = from; first <= own; first++) {
                    memset(invalid + (size_t)first * n + value, 1, until - value);
                }
            }
        }
        from = own + 1;
        while (i < end && values[order[i]] == own) {
            i++;
        }
    }
}

/* Sizes first: they are far cheaper, and what they rule out needs no tally. */
bool pv_i_cut_find_invalid(pv_cut_evaluator *evaluator, size_t axis, const uint8_t *cuts,
                           uint64_t k, bool *invalid)
{
    pv_cut_scratch *const scratch = &evaluator->scratch;
    const pv_cut_view *view;
    if (!pv_i_cut_too_small(evaluator->table, scratch, axis, cuts, k, invalid)) {
        return false;
    }
    if (evaluator->criteria == NULL || evaluator->criteria->rules.n_rules == 0) {
        return true;
    }
    const size_t n_classes = pv_i_cut_number_others(evaluator->table, scratch, axis, cuts, &view);
    if (n_classes == 0) {
        return false;
    }
    pv_i_cut_class_sort(&evaluator->classes, view, view->values[axis],
                        evaluator->table->space->axes[axis].n, scratch->keys, n_classes);
    const uint32_t *const order = evaluator->classes.order;
    for (size_t start = 0, end; start < view->n; start = end) {
        end = start + 1;
        while (end < view->n && scratch->keys[order[end]] == scratch->keys[order[start]]) {
            end++;
        }
        mark_class(evaluator, view, axis, start, end, invalid);
    }
    return true;
}

/* -------------------------------------------------------------------- goal */

/* A wish of 0 for the bias and 1 for the loss makes the slope a million: priced in units of loss,
 * the bias would need 20 bits more than a cost has left. Values are therefore in units of 2^shift
 * costs, with just so many bits that base + slope * 1 fits. */
unsigned pv_i_cut_shift(const pv_cut_goal *goal)
{
    int bits = 0;
    if (goal->bias_slope > 0) {
        (void)frexp(fabs(goal->bias_base) + goal->bias_slope, &bits);
    }
    return bits > 0 ? (unsigned)bits : 0;
}

/* The shift undone: for people and for achievements. */
double pv_i_cut_value_nwp(const pv_cut_goal *goal, const pv_cut_prices *prices, uint64_t value)
{
    return ldexp((double)value, (int)pv_i_cut_shift(goal)) / prices->one;
}

/* Prices are exact to about 2^-52 of all there is to lose, and shifting drops bits. */
uint64_t pv_i_cut_tie(const pv_cut_goal *goal, const pv_cut_prices *prices, uint64_t value)
{
    const double exact = ldexp(1e-13 * prices->one, -(int)pv_i_cut_shift(goal));
    return 2 + (uint64_t)(exact + 1e-13 * (double)value);
}

/* Monotone in cost and in bias, which is what makes a bound on both a bound on the value. */
uint64_t pv_i_cut_value(const pv_cut_goal *goal, const pv_cut_prices *prices, uint64_t cost,
                        double bias)
{
    uint64_t value = cost;
    if (goal->bias_slope > 0) {
        const unsigned shift = pv_i_cut_shift(goal);
        const double priced = goal->bias_base + goal->bias_slope * bias;
        const uint64_t as_loss =
            priced > 0 ? (uint64_t)llround(ldexp(priced * prices->one, -(int)shift)) : 0;
        value = as_loss > cost >> shift ? as_loss : cost >> shift;
    }
    if (goal->most == 0) {
        return value;
    }
    /* Half of bias and loss together: it must not overflow. */
    return value > goal->most ? PV_CUT_IMPOSSIBLE
                              : cost / 2 + (uint64_t)llround(fmin(bias, 1) * prices->one / 2);
}
