/* A random small table and a random dictionary of people, for whatever is counted or decided with
 * them. */
#ifndef PV_TESTS_ATTACKER_TRIAL_H
#define PV_TESTS_ATTACKER_TRIAL_H

#include "support/attacker_sample.h"
#include "support/random_study.h"

typedef struct attacker_trial {
    random_study study;
    attacker_people people;
    pv_buffer csv; /* of the people; empty if they are the table's */
} attacker_trial;

static inline random_shape attacker_shape(pv_rng *rng)
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
static inline const char *attacker_value(random_study *s, const oracle_column *column)
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
static inline void attacker_write_people(attacker_trial *t)
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

static inline void attacker_make_people(attacker_trial *t)
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

static inline void attacker_use_table(attacker_trial *t)
{
    random_study *const s = &t->study;
    t->people.n_rows = s->table.n_rows;
    t->people.cells = random_array(s, s->table.n_quasi, sizeof *t->people.cells);
    for (size_t q = 0; q < s->table.n_quasi; q++) {
        t->people.cells[q] = s->table.quasi[q].cells;
    }
}

static inline void attacker_trial_init(attacker_trial *t, pv_rng *rng, const random_shape *shape,
                                       bool is_table)
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

static inline void attacker_trial_deinit(attacker_trial *t)
{
    pv_i_buffer_deinit(&t->csv);
    random_study_deinit(&t->study);
}

#endif
