/* Demands on cut schemes by counting rows, and random tables with random demands. */
#include "support/cut_demands.h"

#include "support/oracle_measures.h"

#include <math.h>
#include <paravent/measure.h>

/* ----------------------------------------------------------- values of a column */

static size_t cut_values_find(cut_values *v, const char *text)
{
    size_t i = 0;
    while (i < v->n && !oracle_same(v->text[i], text)) {
        i++;
    }
    if (i == v->n) {
        assert_true(v->n < CUT_DEMANDS_VALUES);
        v->text[v->n++] = text;
    }
    return i;
}

static cut_values cut_values_create(const oracle_column *column, size_t n_rows)
{
    cut_values v = {.column = column, .of_row = oracle_array(n_rows, sizeof *v.of_row)};
    for (size_t row = 0; row < n_rows; row++) {
        v.of_row[row] = (uint32_t)cut_values_find(&v, column->cells[row]);
        v.in_table[v.of_row[row]] += 1.0 / (double)n_rows;
    }
    return v;
}

/* --------------------------------------------------------- scores of counts */

static double cut_counts_total(const cut_values *v, const uint32_t *counts)
{
    double total = 0;
    for (size_t i = 0; i < v->n; i++) {
        total += counts[i];
    }
    return total;
}

/* The counts above 0, largest first; a missing value is no value. */
static size_t cut_counts_sorted(const cut_values *v, const uint32_t *counts, double *sorted)
{
    size_t n = 0;
    for (size_t i = 0; i < v->n; i++) {
        if (counts[i] > 0 && v->text[i][0] != '\0') {
            sorted[n++] = counts[i];
        }
    }
    qsort(sorted, n, sizeof *sorted, oracle_descending);
    return n;
}

/* As oracle_move_on_line, by values. */
static double cut_counts_on_line(const cut_values *v, const double *surplus)
{
    double work = 0;
    for (size_t i = 0; i < v->n; i++) {
        double before = 0;
        for (size_t j = 0; j < v->n; j++) {
            before += oracle_precedes(v->text[j], v->text[i]) ? surplus[j] : 0;
        }
        work += fabs(before);
    }
    return v->n > 1 ? work / (double)(v->n - 1) : 0;
}

/* As oracle_move_in_tree, by values. */
static double cut_counts_in_tree(const cut_values *v, double *surplus)
{
    const unsigned height = v->column->distance == ORACLE_EQUAL ? 1 : oracle_height(v->column);
    double work = 0;
    for (unsigned level = 1; level <= height; level++) {
        for (size_t i = 0; i < v->n; i++) {
            for (size_t j = 0; j < v->n && surplus[i] > 0; j++) {
                if (surplus[j] < 0 && (level == height || oracle_meeting(v->column, v->text[i],
                                                                         v->text[j]) <= level)) {
                    const double moved = fmin(surplus[i], -surplus[j]);
                    surplus[i] -= moved;
                    surplus[j] += moved;
                    work += moved * level / height;
                }
            }
        }
    }
    return work;
}

static double cut_counts_distance(const cut_values *v, const uint32_t *counts)
{
    const double total = cut_counts_total(v, counts);
    double surplus[CUT_DEMANDS_VALUES];
    for (size_t i = 0; i < v->n; i++) {
        surplus[i] = counts[i] / total - v->in_table[i];
    }
    return v->column->distance == ORACLE_ORDERED ? cut_counts_on_line(v, surplus)
                                                 : cut_counts_in_tree(v, surplus);
}

static double cut_counts_score(const char *measure, const cut_values *v, const uint32_t *counts,
                               double parameter)
{
    double sorted[CUT_DEMANDS_VALUES];
    const size_t n = cut_counts_sorted(v, counts, sorted);
    if (oracle_same(measure, "t-closeness")) {
        return cut_counts_distance(v, counts);
    }
    return oracle_same(measure, "l-distinct")  ? oracle_l_distinct(sorted, n, parameter)
           : oracle_same(measure, "l-entropy") ? oracle_l_entropy(sorted, n, parameter)
                                               : oracle_l_recursive(sorted, n, parameter);
}

bool cut_demand_holds(const pv_constraint *rule, double score)
{
    return oracle_same(rule->ref.measure->name, "t-closeness") ? score <= rule->bound + 1e-9
                                                               : score >= rule->bound - 1e-9;
}

/* ---------------------------------------------------------------- demands */

static cut_demands cut_demands_create(const oracle_table *table, const cut_oracle *oracle,
                                      const pv_constraint *rules, size_t n_rules)
{
    cut_demands d = {.table = table, .oracle = oracle, .rules = rules, .n_rules = n_rules};
    assert_true(table->n_sensitive <= CUT_DEMANDS_COLUMNS);
    for (size_t i = 0; i < table->n_sensitive; i++) {
        d.sensitive[i] = cut_values_create(&table->sensitive[i], table->n_rows);
    }
    return d;
}

static void cut_demands_free(cut_demands *d)
{
    for (size_t i = 0; i < CUT_DEMANDS_COLUMNS; i++) {
        free(d->sensitive[i].of_row);
    }
}

bool cut_demands_hold(const cut_demands *d, const size_t *rows, size_t n)
{
    for (size_t i = 0; i < d->table->n_sensitive; i++) {
        const cut_values *const v = &d->sensitive[i];
        uint32_t counts[CUT_DEMANDS_VALUES] = {0};
        for (size_t row = 0; row < n; row++) {
            counts[v->of_row[rows[row]]]++;
        }
        for (size_t r = 0; r < d->n_rules; r++) {
            const pv_measure_ref *const ref = &d->rules[r].ref;
            if (random_column_of(ref) != SIZE_MAX && random_column_of(ref) != i) {
                continue;
            }
            const double score = cut_counts_score(ref->measure->name, v, counts, ref->parameter);
            if (!cut_demand_holds(&d->rules[r], score)) {
                return false;
            }
        }
    }
    return true;
}

/* The rows in one class with a row, an axis left aside (SIZE_MAX = none) of which they have values
 * first..last. */
static size_t cut_demands_class(const cut_demands *d, const uint8_t *cuts, size_t row, size_t aside,
                                uint32_t first, uint32_t last, size_t *rows)
{
    size_t n = 0;
    for (size_t i = 0; i < d->table->n_rows; i++) {
        const uint32_t place = aside == SIZE_MAX ? first : d->oracle->places[aside][i];
        if (place >= first && place <= last &&
            cut_oracle_one_class(d->oracle, cuts, aside, row, i)) {
            rows[n++] = i;
        }
    }
    return n;
}

bool cut_demands_kept(const cut_demands *d, const uint8_t *cuts)
{
    size_t *const rows = oracle_array(d->table->n_rows, sizeof *rows);
    bool kept = true;
    for (size_t row = 0; kept && row < d->table->n_rows; row++) {
        const size_t n = cut_demands_class(d, cuts, row, SIZE_MAX, 0, 0, rows);
        kept = rows[0] != row || cut_demands_hold(d, rows, n); /* once for a class */
    }
    free(rows);
    return kept;
}

bool cut_demands_invalid(const cut_demands *d, size_t axis, const uint8_t *cuts, uint64_t k,
                         uint32_t first, uint32_t last)
{
    size_t *const rows = oracle_array(d->table->n_rows, sizeof *rows);
    bool invalid = false;
    for (size_t row = 0; !invalid && row < d->table->n_rows; row++) {
        const size_t n = cut_demands_class(d, cuts, row, axis, first, last, rows);
        invalid = n > 0 && rows[0] == row && (n < k || !cut_demands_hold(d, rows, n));
    }
    free(rows);
    return invalid;
}

/* ----------------------------------------------------------- as a release */

static void cut_demands_release_row(const cut_demands *d, const uint8_t *cuts, size_t row,
                                    size_t *rows_alike, oracle_release *release)
{
    const cut_oracle *const o = d->oracle;
    for (size_t a = 0; a < o->n_axes; a++) {
        uint32_t first;
        uint32_t last;
        cut_oracle_group(o, a, cuts, o->places[a][row], &first, &last);
        release->leaves[row * o->n_axes + a] = last - first + 1.0;
    }
    release->size[row] = cut_demands_class(d, cuts, row, SIZE_MAX, 0, 0, rows_alike);
    release->look_alike[row] = rows_alike[0];
    release->n_classes += rows_alike[0] == row;
    release->k = release->size[row] < release->k ? release->size[row] : release->k;
}

oracle_release cut_demands_release(const cut_demands *d, const uint8_t *cuts)
{
    const size_t n = d->table->n_rows;
    const size_t n_axes = d->oracle->n_axes;
    size_t *const rows_alike = oracle_array(n, sizeof *rows_alike);
    oracle_release release = {.table = d->table,
                              .cells = oracle_array(n * n_axes, sizeof(char *)),
                              .leaves = oracle_array(n * n_axes, sizeof(double)),
                              .domain = oracle_array(n_axes, sizeof(double)),
                              .look_alike = oracle_array(n, sizeof(size_t)),
                              .size = oracle_array(n, sizeof(size_t)),
                              .suppressed = oracle_array(n, sizeof(bool)),
                              .k = SIZE_MAX,
                              .feasible = true};
    for (size_t a = 0; a < n_axes; a++) {
        release.domain[a] = d->oracle->n[a];
    }
    for (size_t row = 0; row < n; row++) {
        cut_demands_release_row(d, cuts, row, rows_alike, &release);
    }
    release.n_remaining = release.n_classes;
    free(rows_alike);
    return release;
}

double cut_demands_value(const oracle_release *release, const char *name, double parameter)
{
    const oracle_measure *const measure = oracle_find(name);
    double *const rows = oracle_array(release->table->n_rows, sizeof *rows);
    assert_non_null(measure);
    if (measure->row != NULL) {
        oracle_rows(measure, release, parameter, rows);
    }
    const double value = oracle_value(measure, release, rows);
    free(rows);
    return value;
}

/* Bits to find the values again: log2 of how many rows lie in a row's group for each that has its
 * value, attribute by attribute. */
static double cut_demands_bits(const cut_demands *d, const uint8_t *cuts)
{
    double bits = 0;
    for (size_t a = 0; a < d->oracle->n_axes; a++) {
        const char *const *const cells = d->table->quasi[a].cells;
        for (size_t row = 0; row < d->table->n_rows; row++) {
            double in_group = 0;
            double alike = 0;
            for (size_t i = 0; i < d->table->n_rows; i++) {
                in_group += cut_oracle_alike(d->oracle, a, cuts, row, i);
                alike += oracle_same(cells[i], cells[row]);
            }
            bits += log2(in_group / alike);
        }
    }
    return bits;
}

static double cut_demands_raw_loss(const cut_demands *d, const char *name, const uint8_t *cuts)
{
    if (oracle_same(name, "entropy")) {
        return cut_demands_bits(d, cuts);
    }
    oracle_release release = cut_demands_release(d, cuts);
    const double loss = cut_demands_value(&release, name, 0);
    oracle_release_free(&release);
    return loss;
}

/* The value with all values merged, or all apart. */
static double cut_demands_extreme(const cut_demands *d, const char *name, uint8_t cut)
{
    uint8_t *const cuts = oracle_array(d->oracle->n_bits, 1);
    memset(cuts, cut, d->oracle->n_bits);
    const double value = cut_demands_raw_loss(d, name, cuts);
    free(cuts);
    return value;
}

double cut_demands_loss(const cut_demands *d, const char *name, const uint8_t *cuts)
{
    const double n = (double)d->table->n_rows;
    const double value = cut_demands_raw_loss(d, name, cuts);
    if (oracle_same(name, "leaf-utility")) { /* what is kept, of what can be kept */
        const double most = cut_demands_extreme(d, name, 1);
        return most > 0 ? 1 - value / most : 0;
    }
    if (oracle_same(name, "entropy")) {
        const double most = cut_demands_extreme(d, name, 0);
        return most > 0 ? value / most : 0;
    }
    return value / (oracle_same(name, "glm")   ? n * (double)d->oracle->n_axes
                    : oracle_same(name, "dcn") ? n * n
                    : oracle_same(name, "nwp") ? 1
                                               : n); /* cm and aecs */
}

/* ========================================================= random demands */

/* ----------------------------------------------------------------- at random */

static double criteria_trial_choose(pv_rng *rng, const double *numbers, size_t n)
{
    return numbers[pv_i_rng_below(rng, n)];
}

/* Round bounds, which classes meet exactly, and others. */
static pv_constraint criteria_trial_rule(pv_rng *rng)
{
    static const char *const names[] = {"l-distinct", "l-entropy", "l-recursive", "t-closeness"};
    static const double entropies[] = {1, 1.3, 1.75, 2, 2.5};
    static const double distances[] = {0.1, 0.25, 0.31, 0.5, 0.72};
    static const double cs[] = {0.5, 1, 1.5, 3, 10};
    const size_t which = (size_t)pv_i_rng_below(rng, 4);
    pv_constraint rule = {.ref.measure = pv_measure_find(names[which]),
                          .bound = 1 + (double)pv_i_rng_below(rng, 3)};
    if (which == 1) {
        rule.bound = criteria_trial_choose(rng, entropies, 5);
    } else if (which == 2) {
        rule.ref.parameter = criteria_trial_choose(rng, cs, 5);
    } else if (which == 3) {
        rule.bound = criteria_trial_choose(rng, distances, 5);
    }
    return rule;
}

static random_shape criteria_trial_shape(pv_rng *rng)
{
    static const size_t values[] = {5, 4};
    const size_t more = (size_t)pv_i_rng_below(rng, 2);
    return (random_shape){.n_rows = 4 + (size_t)pv_i_rng_below(rng, 36),
                          .n_quasi = 2 + more,
                          .n_values = values[more],
                          .full = pv_i_rng_below(rng, 3) == 0,
                          .n_sensitive = 1 + (size_t)pv_i_rng_below(rng, 3),
                          .label = true,
                          .granular = pv_i_rng_below(rng, 2) == 0,
                          .missing = pv_i_rng_below(rng, 4) == 0 ? 12 : 0,
                          .heights = 4,
                          .uniform = pv_i_rng_below(rng, 2) == 0,
                          .copies = (unsigned)pv_i_rng_below(rng, 4)};
}

void criteria_trial_random(const criteria_trial *t, pv_rng *rng, uint8_t *cuts)
{
    const uint64_t tenths = pv_i_rng_below(rng, 11);
    for (size_t bit = 0; bit < t->space.n_bits; bit++) {
        cuts[bit] = pv_i_rng_below(rng, 10) < tenths;
    }
}

/* ------------------------------------------------------------------- made */

/* The rest of what it takes, once the study is there and bias, loss and rules are chosen. */
static void criteria_trial_make(criteria_trial *t, uint64_t memory)
{
    const pv_study *const study = t->study.bound.study;
    pv_error error = {0};
    cut_oracle_init(&t->oracle, study);
    assert_true(t->oracle.n_bits <= CRITERIA_TRIAL_BITS);
    t->demands = cut_demands_create(&t->study.table, &t->oracle, t->rules, t->n_rules);
    bound_must(pv_i_cut_space_init(&t->space, study, t->respects, &error), &error);
    bound_must(pv_i_cut_criteria_init(&t->criteria, t->study.profile, &t->space, t->rules,
                                      t->n_rules, &t->bias, &t->loss, &error),
               &error);
    bound_must(pv_i_cut_table_init_counting(&t->table, t->study.profile, &t->space,
                                            t->criteria.columns, t->criteria.n_columns, memory,
                                            &error),
               &error);
    pv_i_cut_criteria_prices(&t->criteria, NULL, &t->prices);
}

void criteria_trial_init(criteria_trial *t, pv_rng *rng, const char *bias, const char *loss,
                         size_t n_rules, bool respects)
{
    const random_shape shape = criteria_trial_shape(rng);
    const uint64_t memory = pv_i_rng_below(rng, 4) == 0 ? 0 : 1 << 20;
    *t = (criteria_trial){.respects = respects,
                          .n_rules = n_rules,
                          .bias.measure = pv_measure_find(bias),
                          .loss.measure = pv_measure_find(loss)};
    random_study_init(&t->study, rng, &shape);
    for (size_t i = 0; i < n_rules; i++) {
        t->rules[i] = criteria_trial_rule(rng);
        random_column(&t->study, &t->rules[i].ref);
    }
    criteria_trial_make(t, memory);
}

void criteria_trial_deinit(criteria_trial *t)
{
    pv_i_cut_table_deinit(&t->table);
    pv_i_cut_space_deinit(&t->space);
    cut_demands_free(&t->demands);
    cut_oracle_deinit(&t->oracle);
    random_study_deinit(&t->study);
}
