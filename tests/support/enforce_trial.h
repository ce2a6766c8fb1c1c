/* A random small table whose records chose levels, and demands on the release: for tests of keeping
 * demands record by record. The disclosure is filled in by hand. */
#ifndef PV_TESTS_ENFORCE_TRIAL_H
#define PV_TESTS_ENFORCE_TRIAL_H

#include "records/record_enforce.h"
#include "support/recode_oracle.h"

#include <paravent/disclose.h>

typedef struct enforce_trial {
    random_study study;
    random_records chosen;
    pv_disclosed *tuples;
    pv_disclosure disclosure;
    pv_constraint demands[PV_MAX_CONSTRAINTS];
    size_t n_demands;
    uint64_t budget;
} enforce_trial;

/* The lowest level that releases a value as this one does, as far as `*` is concerned. */
static inline unsigned enforce_lowest(const oracle_column *column, const char *value,
                                      unsigned level)
{
    while (level > 0 && oracle_same(oracle_group(column, value, level), ORACLE_ROOT) &&
           oracle_same(oracle_group(column, value, level - 1), ORACLE_ROOT)) {
        level--;
    }
    return level;
}

/* As a disclosure has them: of equal levels the lowest. */
static inline void enforce_choose(enforce_trial *t, records_manner manner)
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

static inline void enforce_demand(enforce_trial *t, const char *demands)
{
    pv_error error = {0};
    t->n_demands = 0;
    if (demands[0] != '\0') {
        bound_must(pv_constraints_parse(demands, t->demands, &t->n_demands, &error), &error);
    }
}

static inline void enforce_init(enforce_trial *t, pv_rng *rng, const random_shape *shape)
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

static inline void enforce_deinit(enforce_trial *t)
{
    free(t->tuples);
    random_records_free(&t->chosen);
    random_study_deinit(&t->study);
}

static inline pv_status enforce_try(const enforce_trial *t, const pv_context *context,
                                    pv_scheme *scheme, pv_enforced *account, pv_error *error)
{
    return pv_i_disclosure_scheme(&t->disclosure, t->study.profile, t->demands, t->n_demands,
                                  t->budget, context, scheme, account, error);
}

/* The whole question, for whoever has to find out what went wrong. */
static inline void enforce_print(const enforce_trial *t)
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

#define enforce_expect(t, truth)            \
    do {                                    \
        if (!(truth)) {                     \
            enforce_print(t);               \
            fail_msg("not so: %s", #truth); \
        }                                   \
    } while (0)

#endif
