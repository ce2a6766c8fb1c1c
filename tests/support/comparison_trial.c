/* The example of the paper, and random releases with the properties of every person by counting. */
#include "support/comparison_trial.h"

#include "base/buffer.h"
#include "base/rng.h"
#include "compare/judgement.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ================================================================ vectors */

const double paper_vectors[PAPER_TABLES][PAPER_PROPERTIES][PAPER_ROWS] = {
    {{3, 3, 3, 3, 4, 4, 4, 3, 3, 4},
     {2, 2, 1, 2, 2, 1, 2, 1, 2, 1},
     {61 / 30., 1.7, 1.7, 61 / 30., 1.6, 1.6, 1.6, 61 / 30., 1.7, 1.6}},
    {{3, 7, 7, 3, 7, 7, 7, 3, 7, 7},
     {2, 3, 1, 2, 2, 1, 2, 1, 3, 3},
     {61 / 30., 29 / 30., 29 / 30., 61 / 30., 29 / 30., 29 / 30., 29 / 30., 61 / 30., 29 / 30.,
      29 / 30.}},
    {{4, 6, 4, 4, 6, 6, 6, 4, 6, 6},
     {2, 3, 1, 2, 2, 1, 2, 1, 3, 3},
     {.6, .4, .6, .6, .4, .4, .4, .6, .4, .4}},
};

void sample_comparison_init(sample_comparison *s, size_t n_releases, size_t n_properties,
                            uint64_t n_rows)
{
    *s = (sample_comparison){0};
    for (size_t i = 0; i < n_releases; i++) {
        s->vectors[i] = (pv_vectors){.values = s->values[i], .n_properties = n_properties};
        s->releases[i] = &s->vectors[i];
    }
    for (size_t i = 0; i < n_properties; i++) {
        s->properties[i] = "property";
    }
    s->comparison = (pv_comparison){.properties = s->properties,
                                    .n_properties = n_properties,
                                    .less_is_better = s->less_is_better,
                                    .releases = s->releases,
                                    .n_releases = n_releases,
                                    .n_rows = n_rows,
                                    .n_kinds = n_rows};
}

void sample_comparison_paper(sample_comparison *s)
{
    sample_comparison_init(s, PAPER_TABLES, PAPER_PROPERTIES, PAPER_ROWS);
    for (size_t i = 0; i < PAPER_TABLES; i++) {
        for (size_t p = 0; p < PAPER_PROPERTIES; p++) {
            s->values[i][p] = (double *)(uintptr_t)paper_vectors[i][p];
        }
    }
}

/* ======================================================== random releases */

const char trial_plan[] = "attributes:\n"
                          "  a: {role: quasi, weight: 2, hierarchy: {intervals: [2, 4]}}\n"
                          "  b: {role: quasi, hierarchy: {mask: right}}\n"
                          "  c: {role: quasi, weight: 0.5}\n"
                          "  s: {role: sensitive}\n"
                          "  t: {role: sensitive, distance: ordered}\n";

size_t trial_below(pv_rng *rng, size_t n)
{
    return (size_t)pv_i_rng_below(rng, n);
}

void trial_original(pv_rng *rng, trial_table *t)
{
    t->n = 1 + trial_below(rng, TRIAL_ROWS);
    for (size_t i = 0; i < t->n; i++) {
        trial_row *const row = &t->rows[i];
        row->original = i;
        (void)snprintf(row->quasi[0], TRIAL_TEXT, "%zu", trial_below(rng, 9));
        (void)snprintf(row->quasi[1], TRIAL_TEXT, "z%zu", 10 + trial_below(rng, 12));
        (void)snprintf(row->quasi[2], TRIAL_TEXT, "%s", trial_below(rng, 2) == 0 ? "x" : "y");
        (void)snprintf(row->sensitive[0], TRIAL_TEXT, "s%zu", trial_below(rng, 4));
        (void)snprintf(row->sensitive[1], TRIAL_TEXT, "%zu", 8 + trial_below(rng, 5));
        row->score = (int)trial_below(rng, 100) - 50;
    }
}

trial_manner trial_any_manner(pv_rng *rng, bool keyed)
{
    trial_manner m;
    m.by_cell = trial_below(rng, 2) == 0;
    m.foreign = trial_below(rng, 2) == 0;
    m.suppresses = trial_below(rng, 2) == 0;
    m.misses = keyed && trial_below(rng, 2) == 0;
    m.shuffles = keyed && trial_below(rng, 2) == 0;
    m.no_sensitive = trial_below(rng, 3) == 0;
    return m;
}

static void trial_recode(trial_text cell, size_t quasi, size_t level, bool foreign)
{
    if (level == 2) {
        (void)snprintf(cell, TRIAL_TEXT, "*");
    } else if (level == 1) {
        const int group = quasi == 2 ? 0 : cell[strlen(cell) - 1] / 3;
        (void)snprintf(cell, TRIAL_TEXT, foreign ? "<%zu|%d>" : "g%zu-%d", quasi, group);
    }
}

void trial_release(pv_rng *rng, const trial_table *original, const trial_manner *m,
                   trial_table *release)
{
    size_t levels[TRIAL_QUASIS];
    for (size_t q = 0; q < TRIAL_QUASIS; q++) {
        levels[q] = trial_below(rng, 3);
    }
    release->n = 0;
    for (size_t i = 0; i < original->n; i++) {
        if (m->misses && i > 0 && trial_below(rng, 6) == 0) {
            continue;
        }
        trial_row *const row = &release->rows[release->n++];
        const bool suppressed = m->suppresses && trial_below(rng, 5) == 0;
        *row = original->rows[i];
        for (size_t q = 0; q < TRIAL_QUASIS; q++) {
            const size_t level = m->by_cell ? trial_below(rng, 3) : levels[q];
            trial_recode(row->quasi[q], q, suppressed ? 2 : level, m->foreign);
        }
    }
    for (size_t i = release->n; m->shuffles && i > 1; i--) {
        const size_t other = trial_below(rng, i);
        const trial_row moved = release->rows[i - 1];
        release->rows[i - 1] = release->rows[other];
        release->rows[other] = moved;
    }
}

void trial_csv(const trial_table *t, const trial_manner *m, pv_buffer *csv)
{
    const bool all = m == NULL || !m->no_sensitive;
    pv_i_buffer_format(csv, "score,c,%sid,b,a,t\n", all ? "s," : "");
    for (size_t i = 0; i < t->n; i++) {
        const trial_row *const row = &t->rows[i];
        pv_i_buffer_format(csv, "%d,%s,%s%sk%zu,%s,%s,%s\n", row->score, row->quasi[2],
                           all ? row->sensitive[0] : "", all ? "," : "", row->original,
                           row->quasi[1], row->quasi[0], row->sensitive[1]);
    }
    assert_false(csv->failed);
}

/* ------------------------------------------------------------------ oracle */

static bool trial_alike(const trial_row *a, const trial_row *b)
{
    return strcmp(a->quasi[0], b->quasi[0]) == 0 && strcmp(a->quasi[1], b->quasi[1]) == 0 &&
           strcmp(a->quasi[2], b->quasi[2]) == 0;
}

static double trial_class_size(const trial_table *t, const trial_row *row)
{
    double n = 0;
    for (size_t i = 0; i < t->n; i++) {
        n += trial_alike(&t->rows[i], row);
    }
    return n;
}

/* Rows with a sensitive value: in the class of a row, or with NULL in the whole table. */
static double trial_count(const trial_table *t, const trial_row *row, size_t s, const char *value)
{
    double n = 0;
    for (size_t i = 0; i < t->n; i++) {
        n += (row == NULL || trial_alike(&t->rows[i], row)) &&
             strcmp(t->rows[i].sensitive[s], value) == 0;
    }
    return n;
}

static double trial_own_count(const trial_table *t, const trial_row *row)
{
    return fmin(trial_count(t, row, 0, row->sensitive[0]),
                trial_count(t, row, 1, row->sensitive[1]));
}

/* The distinct values of the table, ascending; the numbers among them by what they are. */
static int trial_compare(const void *a, const void *b)
{
    const char *const left = *(const char *const *)a;
    const char *const right = *(const char *const *)b;
    const int difference = atoi(left) - atoi(right);
    return difference != 0 ? difference : strcmp(left, right);
}

static size_t trial_sensitive_values(const trial_table *t, size_t s, const char **values)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++) {
        bool known = false;
        for (size_t v = 0; v < n; v++) {
            known = known || strcmp(values[v], t->rows[i].sensitive[s]) == 0;
        }
        if (!known) {
            values[n++] = t->rows[i].sensitive[s];
        }
    }
    qsort(values, n, sizeof *values, trial_compare);
    return n;
}

static double trial_distinct(const trial_table *t, const trial_row *row)
{
    double least = (double)INFINITY;
    for (size_t s = 0; s < TRIAL_SENSITIVES; s++) {
        const char *values[TRIAL_ROWS];
        const size_t n = trial_sensitive_values(t, s, values);
        double met = 0;
        for (size_t v = 0; v < n; v++) {
            met += trial_count(t, row, s, values[v]) > 0;
        }
        least = fmin(least, met);
    }
    return least;
}

/* The first sensitive attribute by equal, the second by ordered distance. */
static double trial_t_distance(const trial_table *t, const trial_row *row)
{
    double worst = 0;
    for (size_t s = 0; s < TRIAL_SENSITIVES; s++) {
        const char *values[TRIAL_ROWS];
        const size_t n = trial_sensitive_values(t, s, values);
        double sum = 0;
        double carried = 0;
        for (size_t v = 0; v < n; v++) {
            const double surplus = trial_count(t, row, s, values[v]) / trial_class_size(t, row) -
                                   trial_count(t, NULL, s, values[v]) / (double)t->n;
            carried += surplus;
            sum += fabs(s == 0 ? surplus : carried);
        }
        worst = fmax(worst, s == 0 ? sum / 2 : n > 1 ? sum / (double)(n - 1) : 0);
    }
    return worst;
}

static double trial_domain(const trial_table *original, size_t q)
{
    double n = 0;
    for (size_t i = 0; i < original->n; i++) {
        bool first = true;
        for (size_t j = 0; j < i; j++) {
            first = first && strcmp(original->rows[i].quasi[q], original->rows[j].quasi[q]) != 0;
        }
        n += first;
    }
    return n;
}

/* How many original values are released like a row's. */
static double trial_stands_for(const trial_table *original, const trial_table *t,
                               const trial_row *row, size_t q)
{
    double n = 0;
    if (strcmp(row->quasi[q], "*") == 0) {
        return trial_domain(original, q);
    }
    for (size_t i = 0; i < t->n; i++) {
        const char *const value = original->rows[t->rows[i].original].quasi[q];
        bool first = strcmp(t->rows[i].quasi[q], row->quasi[q]) == 0;
        for (size_t j = 0; j < i; j++) {
            first = first && (strcmp(t->rows[j].quasi[q], row->quasi[q]) != 0 ||
                              strcmp(original->rows[t->rows[j].original].quasi[q], value) != 0);
        }
        n += first;
    }
    return n;
}

/* A row that is `*` everywhere, if not all are: it was suppressed. */
static bool trial_is_suppressed(const trial_table *t, const trial_row *row)
{
    size_t starred = 0;
    for (size_t i = 0; i < t->n; i++) {
        bool is_starred = true;
        for (size_t q = 0; q < TRIAL_QUASIS; q++) {
            is_starred = is_starred && strcmp(t->rows[i].quasi[q], "*") == 0;
        }
        starred += is_starred;
        if (&t->rows[i] == row && !is_starred) {
            return false;
        }
    }
    return starred < t->n;
}

/* Who is suppressed loses every attribute, even one that has a single value. */
static double trial_detail(const trial_table *original, const trial_table *t, const trial_row *row,
                           const char *property)
{
    static const double weights[TRIAL_QUASIS] = {2 / 3.5, 1 / 3.5, 0.5 / 3.5};
    double sum = 0;
    for (size_t q = 0; q < TRIAL_QUASIS; q++) {
        const double domain = trial_domain(original, q);
        const double n = trial_stands_for(original, t, row, q);
        const double lost = trial_is_suppressed(t, row) ? 1
                            : domain > 1                ? (n - 1) / (domain - 1)
                                                        : 0;
        sum += strcmp(property, "leaf-utility") == 0 ? 1 - n / domain
               : strcmp(property, "nwp") == 0        ? weights[q] * lost
                                                     : lost;
    }
    return sum;
}

double trial_property(const trial_table *original, const trial_table *t, const trial_row *row,
                      const char *property)
{
    if (strcmp(property, "class-size") == 0) {
        return trial_class_size(t, row);
    }
    if (strcmp(property, "risk") == 0) {
        return -1 / trial_class_size(t, row);
    }
    if (strcmp(property, "own-count") == 0) {
        return trial_own_count(t, row);
    }
    if (strcmp(property, "distinct") == 0) {
        return trial_distinct(t, row);
    }
    if (strcmp(property, "t-distance") == 0) {
        return -trial_t_distance(t, row);
    }
    if (strcmp(property, "column:score") == 0) {
        return row->score;
    }
    if (strcmp(property, "-column:score") == 0) {
        return -row->score;
    }
    const double detail = trial_detail(original, t, row, property);
    return strcmp(property, "leaf-utility") == 0 ? detail : -detail;
}

/* ------------------------------------------------------------------- files */

void trial_write(const char *path, const char *text)
{
    FILE *const file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}
