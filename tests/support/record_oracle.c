/* What an attacker learns of each record, by counting people. */
#include "support/record_oracle.h"

#include "plan/plan.h"
#include "support/oracle.h"
#include "support/study.h"

#include <paravent/attacker.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define JARO_ORACLE_SIZE 128

/* The characters of `a` that have a partner in `b`, in the order of `a`. */
static size_t jaro_common(const char *a, size_t n, const char *b, size_t m, char *common)
{
    const long longer = (long)(n > m ? n : m);
    const long window = longer / 2 - 1 > 0 ? longer / 2 - 1 : 0;
    bool used[JARO_ORACLE_SIZE] = {false};
    size_t n_common = 0;
    for (long i = 0; i < (long)n; i++) {
        for (long j = 0; j < (long)m; j++) {
            const bool is_near = j >= i - window && j <= i + window;
            if (is_near && !used[j] && a[i] == b[j]) {
                used[j] = true;
                common[n_common++] = a[i];
                break;
            }
        }
    }
    return n_common;
}

double jaro_oracle(const char *a, size_t n, const char *b, size_t m)
{
    char left[JARO_ORACLE_SIZE], right[JARO_ORACLE_SIZE];
    const size_t shared = jaro_common(a, n, b, m, left);
    (void)jaro_common(b, m, a, n, right);
    double transpositions = 0;
    for (size_t i = 0; i < shared; i++) {
        transpositions += left[i] != right[i] ? 0.5 : 0;
    }
    if (n == 0 && m == 0) {
        return 1;
    }
    const double c = (double)shared;
    return shared == 0 ? 0 : (c / (double)n + c / (double)m + (c - transpositions) / c) / 3;
}

/* =========================================================== dictionaries */

/* ------------------------------------------------------------------ files */

attacker_file attacker_file_write(const char *text)
{
    attacker_file file;
    const char *const folder = getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp";
    (void)snprintf(file.path, sizeof file.path, "%s/pv_people_XXXXXX", folder);
    const int fd = mkstemp(file.path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    (void)close(fd);
    return file;
}

void attacker_file_remove(const attacker_file *file)
{
    (void)unlink(file->path);
}

/* ------------------------------------------------------- tables and attackers */

/* A dictionary is read as the plan says. */
static void attacker_read_plainly(pv_plan *plan)
{
    plan->delimiter = ',';
    plan->header = PV_CHOICE_YES;
    plan->quoting = PV_CHOICE_NO;
}

attacker_study attacker_study_create(const char *plan, const char *csv)
{
    attacker_study s = {.bound = bound_study_create(plan, csv)};
    attacker_read_plainly(s.bound.plan);
    s.profile = bound_profile(s.bound.study, 1);
    return s;
}

void attacker_study_free(attacker_study *s)
{
    pv_profile_free(s->profile);
    bound_study_free(&s->bound);
}

pv_attacker *attacker_open(const pv_profile *profile, const char *csv, double similarity,
                           unsigned threads)
{
    const pv_context context = {.threads = threads};
    pv_attacker *attacker = NULL;
    pv_error error = {0};
    attacker_file file = {""};
    const char *const extra[] = {"extra", NULL};
    pv_attacker_options options = {.similarity = similarity};
    if (csv != NULL) {
        options.ignore = strstr(csv, extra[0]) != NULL ? extra : NULL;
        file = attacker_file_write(csv);
        options.path = file.path;
    }
    const pv_status status = pv_attacker_open(profile, &options, &context, &attacker, &error);
    attacker_file_remove(&file);
    bound_must(status, &error);
    return attacker;
}

/* ----------------------------------------------------------------- counting */

attacker_count attacker_count_create(const pv_attacker *attacker)
{
    attacker_count c = {0};
    pv_error error = {0};
    bound_must(pv_i_consistent_index_create(attacker, 0, &c.index, &error), &error);
    c.scratch = pv_i_consistent_scratch(c.index, &c.arena);
    assert_false(c.arena.failed);
    return c;
}

void attacker_count_free(attacker_count *c)
{
    pv_i_arena_deinit(&c->arena);
    pv_i_consistent_index_free(c->index);
}

uint64_t attacker_rho(const attacker_count *c, const pv_profile *profile, uint64_t row,
                      const uint8_t *levels)
{
    uint32_t leaves[64];
    const size_t tuple = pv_profile_tuple(profile, row);
    for (size_t q = 0; q < pv_study_quasis(pv_profile_study(profile)); q++) {
        leaves[q] = pv_profile_leaf(profile, tuple, q);
    }
    return pv_i_consistent_count(c->index, c->scratch, leaves, levels);
}

/* ------------------------------------------------------------------- oracle */

static bool attacker_similar(const char *a, const char *b, double similarity)
{
    if (a[0] == '\0' || b[0] == '\0') {
        return a[0] == b[0];
    }
    return jaro_oracle(a, strlen(a), b, strlen(b)) >= similarity;
}

/* Is a value of the dictionary consistent with the group of a cell at the column's level? */
static bool attacker_fits(const oracle_column *column, size_t n_rows, const char *cell,
                          const char *value, double similarity)
{
    const char *const group = oracle_group(column, cell, column->level);
    if (oracle_same(group, ORACLE_ROOT)) {
        return true;
    }
    if (!(similarity > 0)) {
        return oracle_lies_under(column, column->level, value, group);
    }
    for (size_t row = 0; row < n_rows; row++) {
        if (oracle_lies_under(column, column->level, column->cells[row], group) &&
            attacker_similar(column->cells[row], value, similarity)) {
            return true;
        }
    }
    return false;
}

uint64_t attacker_oracle(const oracle_table *table, const attacker_people *people, size_t row,
                         double similarity)
{
    uint64_t n = 0;
    for (size_t person = 0; person < people->n_rows; person++) {
        bool fits = true;
        for (size_t q = 0; fits && q < table->n_quasi; q++) {
            const oracle_column *const column = &table->quasi[q];
            fits =
                people->cells[q] == NULL || attacker_fits(column, table->n_rows, column->cells[row],
                                                          people->cells[q][person], similarity);
        }
        n += fits;
    }
    return n;
}

/* ==================================================== random dictionaries */

random_shape attacker_shape(pv_rng *rng)
{
    random_shape shape = {.copies = 3};
    shape.n_rows = 1 + (size_t)pv_i_rng_below(rng, 40);
    shape.n_quasi = 1 + (size_t)pv_i_rng_below(rng, 4);
    shape.n_values = 1 + (size_t)pv_i_rng_below(rng, 9);
    shape.missing = pv_i_rng_below(rng, 2) == 0 ? 6 : 0;
    shape.heights = 1 + (unsigned)pv_i_rng_below(rng, 5);
    shape.uniform = pv_i_rng_below(rng, 2) == 0;
    return shape;
}

/* A value of the table, one that its hierarchy names, one that nobody knows, or none. */
static const char *attacker_value(random_study *s, const oracle_column *column)
{
    switch (random_below(s, 8)) {
    case 0: return "";
    case 1: return random_text(s, "u%zu", random_below(s, 3));
    case 2:
    case 3:
        if (column->n_paths > 0) {
            return column->paths[random_below(s, column->n_paths)].at[0];
        }
        break;
    default: break;
    }
    return column->cells[random_below(s, s->table.n_rows)];
}

/* At least one column, whose value is never missing where it is the only one: a row is a row. */
static void attacker_write_people(attacker_trial *t)
{
    random_study *const s = &t->study;
    pv_i_buffer_text(&t->csv, "extra");
    for (size_t q = 0; q < s->table.n_quasi; q++) {
        if (t->people.cells[q] != NULL) {
            pv_i_buffer_format(&t->csv, ",q%zu", q);
        }
    }
    for (size_t row = 0; row < t->people.n_rows; row++) {
        pv_i_buffer_text(&t->csv, "\nx");
        for (size_t q = 0; q < s->table.n_quasi; q++) {
            if (t->people.cells[q] != NULL) {
                const char *const cell = t->people.cells[q][row];
                pv_i_buffer_format(&t->csv, ",%s", cell[0] != '\0' ? cell : "NA");
            }
        }
    }
    pv_i_buffer_char(&t->csv, '\n');
}

static void attacker_make_people(attacker_trial *t)
{
    random_study *const s = &t->study;
    const size_t certain = random_below(s, s->table.n_quasi);
    t->people.n_rows = 1 + random_below(s, 30);
    t->people.cells = random_array(s, s->table.n_quasi, sizeof *t->people.cells);
    for (size_t q = 0; q < s->table.n_quasi; q++) {
        if (q != certain && random_one_in(s, 3)) {
            continue;
        }
        t->people.cells[q] = random_array(s, t->people.n_rows, sizeof *t->people.cells[q]);
        for (size_t row = 0; row < t->people.n_rows; row++) {
            t->people.cells[q][row] = attacker_value(s, &s->table.quasi[q]);
        }
    }
    attacker_write_people(t);
}

static void attacker_use_table(attacker_trial *t)
{
    random_study *const s = &t->study;
    t->people.n_rows = s->table.n_rows;
    t->people.cells = random_array(s, s->table.n_quasi, sizeof *t->people.cells);
    for (size_t q = 0; q < s->table.n_quasi; q++) {
        t->people.cells[q] = s->table.quasi[q].cells;
    }
}

void attacker_trial_init(attacker_trial *t, pv_rng *rng, const random_shape *shape, bool is_table)
{
    *t = (attacker_trial){0};
    random_study_init(&t->study, rng, shape);
    attacker_read_plainly(t->study.bound.plan);
    if (is_table) {
        attacker_use_table(t);
    } else {
        attacker_make_people(t);
    }
}

void attacker_trial_deinit(attacker_trial *t)
{
    pv_i_buffer_deinit(&t->csv);
    random_study_deinit(&t->study);
}

/* ================================================================ choices */

#define RECORD_SAME 1e-10 /* numbers nearer than that are equal */

static void record_prepare_level(record_oracle *o, size_t q, unsigned level,
                                 const pv_sensitivities *sensitivities, double similarity)
{
    random_study *const s = &o->trial->study;
    const attacker_people *const people = &o->trial->people;
    oracle_column *const column = &s->table.quasi[q];
    const size_t n = s->table.n_rows;
    o->leaves[q][level] = random_array(s, n, sizeof(double));
    o->phi[q][level] = random_array(s, n, sizeof(double));
    o->fits[q][level] = random_array(s, n * people->n_rows, sizeof(bool));
    column->level = level;
    for (size_t row = 0; row < n; row++) {
        const char *const group = oracle_group(column, column->cells[row], level);
        const size_t tuple = pv_profile_tuple(s->profile, row);
        o->leaves[q][level][row] = oracle_leaves(column, n, group);
        o->phi[q][level][row] =
            pv_sensitivity(sensitivities, q, level, pv_profile_leaf(s->profile, tuple, q));
        if (oracle_same(group, ORACLE_ROOT) && o->tops[q][row] > level) {
            o->tops[q][row] = level;
        }
        for (size_t person = 0; person < people->n_rows; person++) {
            o->fits[q][level][row * people->n_rows + person] =
                people->cells[q] == NULL ||
                attacker_fits(column, n, column->cells[row], people->cells[q][person], similarity);
        }
    }
}

void record_prepare(record_oracle *o, attacker_trial *trial, const pv_sensitivities *sensitivities,
                    double similarity)
{
    random_study *const s = &trial->study;
    *o = (record_oracle){.trial = trial};
    for (size_t q = 0; q < s->table.n_quasi; q++) {
        const oracle_column *const column = &s->table.quasi[q];
        o->heights[q] = oracle_height(column);
        o->domain[q] = oracle_leaves(column, s->table.n_rows, ORACLE_ROOT);
        o->tops[q] = random_array(s, s->table.n_rows, sizeof(unsigned));
        for (size_t row = 0; row < s->table.n_rows; row++) {
            o->tops[q][row] = o->heights[q];
        }
        for (unsigned level = 0; level <= o->heights[q]; level++) {
            record_prepare_level(o, q, level, sensitivities, similarity);
        }
    }
}

/* ------------------------------------------------------------ definitions */

static double record_worth(const record_oracle *o, pv_utility utility, size_t q, size_t row,
                           unsigned level)
{
    const double n = o->leaves[q][level][row];
    const double m = o->domain[q];
    switch (utility) {
    case PV_UTILITY_DEPTH: return o->tops[q][row] - level;
    case PV_UTILITY_LEAVES: return 1 / n;
    case PV_UTILITY_LOG_LEAVES: return log(m / n);
    case PV_UTILITY_XT: return (m - 1) / m - (n - 1) / m;
    default: return m > 1 ? 1 - (n - 1) / (m - 1) : 0;
    }
}

static double record_risk(pv_risk risk, double phi, uint64_t rho, uint64_t n_people)
{
    switch (risk) {
    case PV_RISK_I: return rho > 0 ? phi / (double)rho : 0;
    case PV_RISK_II: return rho > 0 ? 1 / (double)rho : 0;
    default: return -phi * log((double)(rho > 0 ? rho : n_people));
    }
}

/* Does the plan allow a level for a row? A value that is `*` sooner is there at every higher one.
 */
static bool record_allows(const record_oracle *o, size_t q, size_t row, unsigned level)
{
    bool allows = false;
    for (unsigned l = 0; l <= o->heights[q]; l++) {
        allows |= pv_study_allows(o->trial->study.bound.study, q, l) &&
                  (l < o->tops[q][row] ? l : o->tops[q][row]) == level;
    }
    return allows;
}

void record_evaluate(const record_oracle *o, const record_question *question, size_t row,
                     record_choice *choice)
{
    const size_t n_quasi = o->trial->study.table.n_quasi;
    const size_t n_people = o->trial->people.n_rows;
    double phi = 0;
    choice->utility = 0;
    choice->rho = 0;
    choice->is_forbidden = false;
    for (size_t q = 0; q < n_quasi; q++) {
        choice->is_forbidden |= !record_allows(o, q, row, choice->levels[q]);
        choice->utility += record_worth(o, question->utility, q, row, choice->levels[q]);
        phi += o->phi[q][choice->levels[q]][row];
    }
    for (size_t person = 0; person < n_people; person++) {
        bool fits = true;
        for (size_t q = 0; fits && q < n_quasi; q++) {
            fits = o->fits[q][choice->levels[q]][row * n_people + person];
        }
        choice->rho += fits;
    }
    choice->risk = record_risk(question->risk, phi, choice->rho, n_people);
}

/* The next choice in lexicographic order; false after the last one. */
static bool record_next(const record_oracle *o, size_t row, uint8_t *levels)
{
    for (size_t q = o->trial->study.table.n_quasi; q-- > 0;) {
        if (levels[q] < o->tops[q][row]) {
            levels[q]++;
            return true;
        }
        levels[q] = 0;
    }
    return false;
}

record_choice *record_choices(const record_oracle *o, const record_question *question, size_t row,
                              size_t *n_choices)
{
    size_t n = 1;
    for (size_t q = 0; q < o->trial->study.table.n_quasi; q++) {
        n *= o->tops[q][row] + 1;
    }
    record_choice *const choices = oracle_array(n, sizeof *choices);
    uint8_t levels[RECORD_QUASIS] = {0};
    *n_choices = 0;
    do {
        record_choice *const choice = &choices[(*n_choices)++];
        memcpy(choice->levels, levels, sizeof levels);
        record_evaluate(o, question, row, choice);
    } while (record_next(o, row, levels));
    assert_int_equal(*n_choices, n);
    return choices;
}

/* -------------------------------------------------------------- decisions */

bool record_accepts(const record_question *question, const record_choice *choice, double most)
{
    if (choice->is_forbidden) {
        return false;
    }
    switch (question->aim) {
    case PV_AIM_LEAST_RISK:
        return choice->utility >=
               (question->is_share ? question->bound * most : question->bound) - RECORD_SAME;
    case PV_AIM_MOST_UTILITY: return choice->risk <= question->bound + RECORD_SAME;
    default: return true;
    }
}

static double record_first(const record_question *question, const record_choice *choice)
{
    switch (question->aim) {
    case PV_AIM_LEAST_RISK: return choice->risk;
    case PV_AIM_MOST_UTILITY: return -choice->utility;
    default: return choice->risk - question->bound * choice->utility;
    }
}

static double record_second(const record_question *question, const record_choice *choice)
{
    return question->aim == PV_AIM_MOST_UTILITY ? choice->risk : -choice->utility;
}

const record_choice *record_best(const record_question *question, const record_choice *choices,
                                 size_t n)
{
    const double most = choices[0].utility;
    double first = HUGE_VAL;
    double second = HUGE_VAL;
    for (size_t i = 0; i < n; i++) {
        if (record_accepts(question, &choices[i], most)) {
            first = fmin(first, record_first(question, &choices[i]));
        }
    }
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < n; i++) {
            const record_choice *const choice = &choices[i];
            if (!record_accepts(question, choice, most) ||
                record_first(question, choice) > first + RECORD_SAME) {
                continue;
            }
            if (pass == 0) {
                second = fmin(second, record_second(question, choice));
            } else if (record_second(question, choice) <= second + RECORD_SAME) {
                return choice;
            }
        }
    }
    return NULL;
}
