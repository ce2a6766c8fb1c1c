/* The best scheme that keeps demands, against brute force by the oracle: every scheme of random
 * small tables, with ragged trees, missing values and several sensitive columns, suppressed as
 * needed. */
#include "lattice/best.h"

#include "base/memory.h"
#include "support/effort.h"
#include "support/oracle_measures.h"
#include "support/random_study.h"

#include <math.h>

#define MOST_DEMANDS 3

/* What is asked of one table. */
typedef struct {
    random_study study;
    const char *loss;
    pv_constraint demands[MOST_DEMANDS];
    size_t n_demands;
    uint64_t budget;
    unsigned lowest[8], highest[8]; /* levels that may be used */
} trial;

/* What the best turned out to be. */
typedef struct {
    bool found;
    double value;
    size_t suppressed;
} truth;

static const char *const losses[] = {"glm", "nwp", "precision", "leaf-utility", "entropy"};
static const char *const rules[] = {"k", "l-distinct", "l-entropy", "l-recursive", "t-closeness"};

static double bound_for(random_study *s, const char *name)
{
    const double unit = (double)random_below(s, 1000) / 1000;
    if (oracle_same(name, "k")) {
        return (double)(1 + random_below(s, 1 + s->table.n_rows / 3));
    }
    return oracle_same(name, "t-closeness")
               ? unit
               : 1 + (oracle_same(name, "l-entropy") ? unit * 2 : (double)random_below(s, 3));
}

static void ask(trial *t)
{
    random_study *const s = &t->study;
    const size_t n = 1 + random_below(s, MOST_DEMANDS);
    t->loss = losses[random_below(s, 5)];
    for (size_t i = 0; i < n; i++) {
        const char *const name = rules[s->table.n_sensitive > 0 ? random_below(s, 5) : 0];
        const pv_measure *const measure = pv_measure_find(name);
        t->demands[t->n_demands++] =
            (pv_constraint){.ref = {.measure = measure, .parameter = measure->parameter_default},
                            .bound = bound_for(s, name)};
    }
    t->budget = random_one_in(s, 3) ? 0 : random_below(s, 1 + s->table.n_rows);
    for (size_t q = 0; q < s->table.n_quasi; q++) {
        const unsigned height = oracle_height(&s->table.quasi[q]);
        t->lowest[q] = random_one_in(s, 8) ? (unsigned)random_below(s, height + 1) : 0;
        t->highest[q] = random_one_in(s, 8)
                            ? t->lowest[q] + (unsigned)random_below(s, height + 1 - t->lowest[q])
                            : height;
    }
}

static bool is_allowed(const void *ctx, size_t quasi, unsigned level)
{
    const trial *const t = ctx;
    return level >= t->lowest[quasi] && level <= t->highest[quasi];
}

/* The release of the oracle's levels with every class suppressed that breaks a demand. */
static bool release_as_needed(const trial *t, double *value, size_t *suppressed)
{
    const oracle_table *const table = &t->study.table;
    const size_t most = t->budget < table->n_rows ? (size_t)t->budget : table->n_rows - 1;
    const oracle_measure *const loss = oracle_find(t->loss);
    bool *const broken = oracle_array(table->n_rows, sizeof *broken);
    double *const rows = oracle_array(table->n_rows, sizeof *rows);
    oracle_release release = oracle_release_raw(table);
    for (size_t i = 0; i < t->n_demands; i++) {
        const pv_constraint *const demand = &t->demands[i];
        const oracle_measure *const rule = oracle_find(demand->ref.measure->name);
        const double hair = 1e-9; /* the oracle adds in another order */
        for (size_t row = 0; row < table->n_rows; row++) {
            const double score = rule->row(&release, row, demand->ref.parameter);
            broken[row] |= demand->ref.measure->direction == PV_MORE_IS_BETTER
                               ? score < demand->bound - hair
                               : score > demand->bound + hair;
        }
    }
    for (size_t row = 0; row < table->n_rows; row++) {
        release.suppressed[row] = broken[row];
        release.n_suppressed += broken[row];
    }
    oracle_rows(loss, &release, 0, rows);
    *value = oracle_value(loss, &release, rows);
    *suppressed = release.n_suppressed;
    oracle_release_free(&release);
    free(broken);
    free(rows);
    return *suppressed <= most;
}

static bool is_better(const trial *t, double a, double b)
{
    return pv_measure_find(t->loss)->direction == PV_MORE_IS_BETTER ? a > b : a < b;
}

/* Every scheme. */
static truth brute_force(trial *t)
{
    oracle_table *const table = &t->study.table;
    truth best = {0};
    for (size_t q = 0; q < table->n_quasi; q++) {
        table->quasi[q].level = t->lowest[q];
    }
    for (size_t q = 0; q < table->n_quasi;) {
        double value;
        size_t suppressed;
        if (release_as_needed(t, &value, &suppressed) &&
            (!best.found || is_better(t, value, best.value))) {
            best = (truth){.found = true, .value = value, .suppressed = suppressed};
        }
        for (q = 0; q < table->n_quasi && table->quasi[q].level == t->highest[q]; q++) {
            table->quasi[q].level = t->lowest[q];
        }
        if (q < table->n_quasi) {
            table->quasi[q].level++;
        }
    }
    return best;
}

static void check_trial(trial *t, unsigned threads)
{
    pv_meter meter;
    pv_quest quest;
    pv_best_found found;
    const pv_context context = {.threads = threads};
    const pv_best_settings settings = {.context = &context, .seed = 1};
    const pv_measure_ref loss = {.measure = pv_measure_find(t->loss)};
    const truth best = brute_force(t);
    assert_int_equal(pv_i_meter_init(&meter, loss, t->study.profile, NULL), PV_STATUS_OK);
    assert_int_equal(pv_i_quest_init(&quest, t->study.profile, &meter, t->demands, t->n_demands,
                                     t->budget, is_allowed, t, NULL),
                     PV_STATUS_OK);
    assert_int_equal(pv_i_best(&quest, &settings, &found, NULL), PV_STATUS_OK);
    assert_true(found.proven);
    assert_int_equal(found.found, best.found);
    if (found.found) {
        double value;
        size_t suppressed;
        for (size_t q = 0; q < t->study.table.n_quasi; q++) {
            t->study.table.quasi[q].level = found.levels[q];
            assert_true(is_allowed(t, q, found.levels[q]));
        }
        assert_true(release_as_needed(t, &value, &suppressed));
        assert_int_equal(suppressed, found.suppressed);
        assert_true(fabs(value - best.value) <= 1e-9 * fmax(1, fabs(best.value)));
    }
    pv_i_free(found.levels);
    pv_i_quest_deinit(&quest);
    pv_i_meter_deinit(&meter);
}

static random_shape shape_of(pv_rng *rng)
{
    static const unsigned heights[] = {6, 5, 4, 3};
    const size_t n_quasi = 1 + (size_t)pv_i_rng_below(rng, 4);
    return (random_shape){.n_rows = 1 + (size_t)pv_i_rng_below(rng, 1 + pv_i_rng_below(rng, 30)),
                          .n_quasi = n_quasi,
                          .n_values = 1 + (size_t)pv_i_rng_below(rng, 7),
                          .n_sensitive = (size_t)pv_i_rng_below(rng, 3),
                          .missing = pv_i_rng_below(rng, 3) == 0 ? 5 : 0,
                          .heights = heights[n_quasi - 1],
                          .uniform = pv_i_rng_below(rng, 2) == 0,
                          .copies = pv_i_rng_below(rng, 3) == 0 ? 3 : 0};
}

static void test_random_tables(void **state)
{
    (void)state;
    pv_rng rng;
    pv_i_rng_init(&rng, 16);
    const size_t n = effort(3000);
    for (size_t i = 0; i < n; i++) {
        const random_shape shape = shape_of(&rng);
        trial t = {0};
        random_study_init(&t.study, &rng, &shape);
        ask(&t);
        check_trial(&t, 1 + (unsigned)(i % 3));
        random_study_deinit(&t.study);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
