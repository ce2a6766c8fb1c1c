/* Local recoding by trying every partition, and random tables with random demands for it. */
#include "support/recode_oracle.h"

#include <paravent/disclose.h>
#include <paravent/measure.h>

/* ------------------------------------------------------------------ demands */

double recode_score(const oracle_release *release, size_t row, pv_measure_ref ref)
{
    return random_score(release, &ref, row);
}

bool recode_keeps(const pv_constraint *demand, double score)
{
    return demand->ref.measure->direction == PV_MORE_IS_BETTER
               ? score >= demand->bound - RECODE_SLACK
               : score <= demand->bound + RECODE_SLACK;
}

bool recode_class_keeps(const oracle_release *release, size_t row, const pv_constraint *demands,
                        size_t n_demands)
{
    for (size_t i = 0; i < n_demands; i++) {
        if (!recode_keeps(&demands[i], recode_score(release, row, demands[i].ref))) {
            return false;
        }
    }
    return true;
}

/* A release of which only one class matters: the rows of a subset. */
static bool recode_subset_keeps(const recode_oracle *o, unsigned subset)
{
    const random_study *const s = o->chosen->study;
    const size_t n = s->table.n_rows;
    size_t look_alike[64];
    bool suppressed[64] = {false};
    const oracle_release release = {
        .table = &s->table, .look_alike = look_alike, .suppressed = suppressed};
    size_t first = SIZE_MAX;
    for (size_t row = 0; row < n; row++) {
        const bool member = subset >> pv_profile_tuple(s->profile, row) & 1u;
        first = member && first == SIZE_MAX ? row : first;
        look_alike[row] = member ? first : n;
    }
    return recode_class_keeps(&release, first, o->demands, o->n_demands);
}

/* -------------------------------------------------------------------- costs */

static const char *recode_text(const recode_oracle *o, size_t tuple, size_t q, unsigned level)
{
    const oracle_column *const column = &o->chosen->study->table.quasi[q];
    return oracle_group(column, column->cells[o->row[tuple]], level);
}

static unsigned recode_chosen(const recode_oracle *o, size_t tuple, size_t q)
{
    return o->chosen->levels[tuple * o->chosen->study->table.n_quasi + q];
}

/* Can a tuple be released as a label, on whatever level, without being more precise than chosen? */
static bool recode_reaches(const recode_oracle *o, size_t tuple, size_t q, const char *label)
{
    const unsigned height = oracle_height(&o->chosen->study->table.quasi[q]);
    for (unsigned level = recode_chosen(o, tuple, q); level <= height; level++) {
        if (oracle_same(recode_text(o, tuple, q, level), label)) {
            return true;
        }
    }
    return false;
}

/* The lowest level of the first of a subset at which it has a label that all of them can have. */
static unsigned recode_meeting(const recode_oracle *o, unsigned subset, size_t q)
{
    const unsigned first = (unsigned)__builtin_ctz(subset);
    for (unsigned level = recode_chosen(o, first, q);; level++) {
        bool agree = true;
        for (size_t t = first; t < o->n_tuples && agree; t++) {
            agree = !(subset >> t & 1u) || recode_reaches(o, t, q, recode_text(o, first, q, level));
        }
        if (agree) {
            return level;
        }
    }
}

static size_t recode_people(const recode_oracle *o, unsigned subset)
{
    size_t n = 0;
    for (size_t t = 0; t < o->n_tuples; t++) {
        n += (subset >> t & 1u) ? o->count[t] : 0;
    }
    return n;
}

/* glm of a subset released as one class; `starred` says whether nothing is left of it. */
static double recode_loss(const recode_oracle *o, unsigned subset, bool *starred)
{
    const oracle_table *const table = &o->chosen->study->table;
    const unsigned first = (unsigned)__builtin_ctz(subset);
    double loss = 0;
    *starred = true;
    for (size_t q = 0; q < table->n_quasi; q++) {
        const oracle_column *const column = &table->quasi[q];
        const unsigned level = recode_meeting(o, subset, q);
        const char *const group = recode_text(o, first, q, level);
        const double domain = oracle_leaves(column, table->n_rows, ORACLE_ROOT);
        const double leaves = oracle_leaves_under(column, table->n_rows, level, group);
        loss += domain > 1 ? (leaves - 1) / (domain - 1) : 0;
        *starred = *starred && oracle_same(group, ORACLE_ROOT);
    }
    return loss * (double)recode_people(o, subset);
}

/* ------------------------------------------------------------------ optimum */

static void recode_divide(recode_oracle *o)
{
    o->best[0] = 0;
    for (unsigned set = 1; set < 1u << o->n_tuples; set++) {
        const unsigned first = set & -set;
        o->best[set] = (double)INFINITY;
        for (unsigned part = set; part > 0; part = (part - 1) & set) {
            if (part & first) {
                o->best[set] = fmin(o->best[set], o->cost[part] + o->best[set ^ part]);
            }
        }
    }
}

recode_oracle recode_create(const random_records *chosen, const pv_constraint *demands,
                            size_t n_demands)
{
    const random_study *const s = chosen->study;
    recode_oracle o = {.chosen = chosen, .demands = demands, .n_demands = n_demands};
    o.n_tuples = pv_profile_tuples(s->profile);
    assert_true(o.n_tuples <= RECODE_TUPLES && s->table.n_rows <= 64);
    for (size_t row = s->table.n_rows; row-- > 0;) {
        o.row[pv_profile_tuple(s->profile, row)] = row;
        o.count[pv_profile_tuple(s->profile, row)]++;
    }
    o.cost = oracle_array((size_t)1 << o.n_tuples, sizeof *o.cost);
    o.best = oracle_array((size_t)1 << o.n_tuples, sizeof *o.best);
    for (unsigned set = 1; set < 1u << o.n_tuples; set++) {
        bool starred;
        const double loss = recode_loss(&o, set, &starred);
        o.cost[set] = !starred && recode_subset_keeps(&o, set) ? loss : (double)INFINITY;
    }
    recode_divide(&o);
    return o;
}

void recode_free(recode_oracle *o)
{
    free(o->cost);
    free(o->best);
}

double recode_optimum(const recode_oracle *o, size_t budget)
{
    const double n_quasi = (double)o->chosen->study->table.n_quasi;
    const unsigned all = (1u << o->n_tuples) - 1;
    double least = (double)INFINITY;
    for (unsigned gone = 0; gone < all; gone++) {
        const size_t people = recode_people(o, gone);
        if (people <= budget) {
            least = fmin(least, n_quasi * (double)people + o->best[all ^ gone]);
        }
    }
    return recode_subset_keeps(o, all) ? fmin(least, recode_loss(o, all, &(bool){false})) : least;
}

/* ---------------------------------------------------------- the best levels */

static bool recode_all_starred(const oracle_release *release)
{
    size_t row = 0;
    while (row < release->table->n_rows && oracle_is_starred(release, row)) {
        row++;
    }
    return row == release->table->n_rows;
}

double recode_levels_loss(const oracle_table *table, const pv_constraint *demands, size_t n_demands,
                          size_t budget)
{
    oracle_release release = oracle_release_raw(table);
    const bool all_starred = recode_all_starred(&release);
    double loss = 0;
    size_t gone = 0;
    for (size_t row = 0; row < table->n_rows && gone <= budget; row++) {
        const bool kept = (all_starred || !oracle_is_starred(&release, row)) &&
                          recode_class_keeps(&release, release.look_alike[row], demands, n_demands);
        gone += !kept;
        loss += kept ? oracle_row_glm(&release, row, 0) : (double)table->n_quasi;
    }
    oracle_release_free(&release);
    return gone <= budget && gone < table->n_rows ? loss : (double)INFINITY;
}

/* ========================================================= random demands */

/* The lowest level that releases a value as this one does, as far as `*` is concerned. */
static unsigned enforce_lowest(const oracle_column *column, const char *value, unsigned level)
{
    while (level > 0 && oracle_same(oracle_group(column, value, level), ORACLE_ROOT) &&
           oracle_same(oracle_group(column, value, level - 1), ORACLE_ROOT)) {
        level--;
    }
    return level;
}

void enforce_choose(enforce_trial *t, records_manner manner)
{
    random_study *const s = &t->study;
    const size_t n = s->table.n_quasi;
    records_draw(&t->chosen, manner);
    for (size_t row = 0; row < s->table.n_rows; row++) {
        uint8_t *const levels = t->chosen.levels + pv_profile_tuple(s->profile, row) * n;
        for (size_t q = 0; q < n; q++) {
            const oracle_column *const column = &s->table.quasi[q];
            levels[q] = (uint8_t)enforce_lowest(column, column->cells[row], levels[q]);
        }
    }
    records_spread(&t->chosen);
    for (size_t i = 0; i < t->disclosure.n_tuples; i++) {
        t->tuples[i] = (pv_disclosed){.levels = t->chosen.levels + i * n, .is_feasible = true};
    }
}

void enforce_demand(enforce_trial *t, const char *demands)
{
    pv_error error = {0};
    t->n_demands = 0;
    if (demands[0] != '\0') {
        bound_must(pv_constraints_parse(demands, t->demands, &t->n_demands, &error), &error);
    }
}

void enforce_init(enforce_trial *t, pv_rng *rng, const random_shape *shape)
{
    random_study_init(&t->study, rng, shape);
    const size_t n_tuples = pv_profile_tuples(t->study.profile);
    t->chosen = random_records_create(&t->study);
    t->tuples = oracle_array(n_tuples, sizeof *t->tuples);
    t->n_demands = 0;
    t->budget = 0;
    t->disclosure = (pv_disclosure){
        .n_quasi = shape->n_quasi, .n_tuples = n_tuples, .tuples = t->tuples, .method = "scan"};
}

void enforce_deinit(enforce_trial *t)
{
    free(t->tuples);
    random_records_free(&t->chosen);
    random_study_deinit(&t->study);
}

pv_status enforce_try(const enforce_trial *t, const pv_context *context, pv_scheme *scheme,
                      pv_enforced *account, pv_error *error)
{
    return pv_i_disclosure_scheme(&t->disclosure, t->study.profile, t->demands, t->n_demands,
                                  t->budget, context, scheme, account, error);
}

void enforce_print(const enforce_trial *t)
{
    const size_t n = t->study.table.n_quasi;
    for (size_t i = 0; i < t->n_demands; i++) {
        char text[128];
        pv_constraint_text(&t->demands[i], text, sizeof text);
        print_error("%s, ", text);
    }
    print_error("budget %llu\n%s\n%s\n", (unsigned long long)t->budget, t->study.csv.data,
                t->study.text.data);
    for (size_t row = 0; row < t->study.table.n_rows; row++) {
        const uint8_t *const levels =
            t->chosen.levels + pv_profile_tuple(t->study.profile, row) * n;
        for (size_t q = 0; q < n; q++) {
            print_error("%s%u", q == 0 ? "" : ",", levels[q]);
        }
        print_error("%s", row + 1 < t->study.table.n_rows ? "; " : "\n");
    }
}
