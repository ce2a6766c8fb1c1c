/* Releases with demands of one sensitive column, of another, and of all, on random tables: what is
 * written keeps them by the definitions and by the checker, what the oracle cannot release is
 * refused with the column that breaks a demand; the best schemes and those of fronts carry their
 * demands into the release, and the scheme file into the next one. */
#include "release/release.h"

#include "support/failing_alloc.h"
#include "support/files.h"
#include "support/oracle_measures.h"
#include "support/random_study.h"
#include "support/testing.h"

#include <math.h>
#include <paravent/paravent.h>
#include <stdio.h>

#define MOST_DEMANDS 3

typedef struct {
    random_study study;
    pv_constraint demands[MOST_DEMANDS + 1];
    size_t n_demands;
    uint64_t budget;
} trial;

static random_shape shape_of(pv_rng *rng)
{
    return (random_shape){.n_rows = 6 + (size_t)pv_i_rng_below(rng, 25),
                          .n_quasi = 1 + (size_t)pv_i_rng_below(rng, 3),
                          .n_values = 2 + (size_t)pv_i_rng_below(rng, 5),
                          .n_sensitive = 2 + (size_t)pv_i_rng_below(rng, 2),
                          .missing = pv_i_rng_below(rng, 2) == 0 ? 5 : 0,
                          .heights = 1 + (unsigned)pv_i_rng_below(rng, 3),
                          .uniform = pv_i_rng_below(rng, 2) == 0,
                          .copies = 2};
}

/* k = 1 lets people be unique. */
static void ask(trial *t)
{
    static const char *const rules[] = {"l-distinct", "l-entropy", "l-recursive", "t-closeness"};
    random_study *const s = &t->study;
    const size_t n = 1 + random_below(s, MOST_DEMANDS);
    t->demands[0] = (pv_constraint){.ref = {.measure = pv_measure_find("k")}, .bound = 1};
    t->n_demands = 1;
    for (size_t i = 0; i < n; i++) {
        const size_t which = random_below(s, 4);
        pv_constraint *const demand = &t->demands[t->n_demands++];
        *demand = (pv_constraint){.ref = {.measure = pv_measure_find(rules[which])}};
        demand->ref.parameter = which == 2 ? 1 + (double)random_below(s, 4) : 0;
        demand->bound = which == 3 ? (double)random_below(s, 100) / 100
                                   : 1 + (double)random_below(s, 150) / 100;
        random_column(s, &demand->ref);
    }
    t->budget = random_below(s, s->table.n_rows);
}

static bool breaks(const pv_constraint *demand, double score)
{
    const double hair = 1e-9 * fmax(1, demand->bound);
    return demand->ref.measure->direction == PV_MORE_IS_BETTER ? score < demand->bound - hair
                                                               : score > demand->bound + hair;
}

/* Rows whose class breaks a demand; true if they may all go. */
static bool oracle_suppresses(const trial *t, oracle_release *release, bool *rows)
{
    size_t n = 0;
    for (size_t row = 0; row < t->study.table.n_rows; row++) {
        for (size_t d = 1; d < t->n_demands; d++) {
            rows[row] |= breaks(&t->demands[d], random_score(release, &t->demands[d].ref, row));
        }
        n += rows[row];
    }
    if (n <= t->budget && n < t->study.table.n_rows) {
        oracle_suppress_rows(release, rows);
        return true;
    }
    return false;
}

/* What the checker found in the file is what the definitions say of the rows that remain. */
static void expect_values(const trial *t, const oracle_release *release, const pv_audit *audit)
{
    for (size_t d = 1; d < t->n_demands; d++) {
        const pv_constraint *const demand = &t->demands[d];
        const pv_audit_value *const found = pv_audit_find(audit, demand->ref);
        const bool more = demand->ref.measure->direction == PV_MORE_IS_BETTER;
        double worst = more ? (double)INFINITY : -(double)INFINITY;
        for (size_t row = 0; row < t->study.table.n_rows; row++) {
            if (!release->suppressed[row]) {
                const double score = random_score(release, &demand->ref, row);
                worst = more ? fmin(worst, score) : fmax(worst, score);
            }
        }
        assert_non_null(found);
        assert_true(found->available && fabs(found->value - worst) < 1e-9);
        assert_true(demand->ref.column[0] == '\0' ||
                    found->sensitive == random_column_of(&demand->ref));
    }
}

/* The refusal names columns that are at fault: of a demand of one column that, else all of them. */
static void expect_named(const trial *t, const oracle_release *raw, const char *message)
{
    for (size_t d = 1; d < t->n_demands; d++) {
        const pv_constraint *const demand = &t->demands[d];
        char text[PV_MEASURE_TEXT_SIZE + 64] = "break ";
        pv_constraint_text(demand, text + 6, PV_MEASURE_TEXT_SIZE);
        const char *glue = " for ";
        bool broken = false;
        for (size_t s = 0; s < t->study.table.n_sensitive; s++) {
            pv_measure_ref alone = demand->ref;
            bool at_fault = false;
            (void)snprintf(alone.column, sizeof alone.column, "s%zu", s);
            for (size_t row = 0; row < t->study.table.n_rows; row++) {
                at_fault |= breaks(demand, random_score(raw, &alone, row));
            }
            if (demand->ref.column[0] == '\0' && at_fault) {
                (void)snprintf(text + strlen(text), 32, "%s`s%zu`", glue, s);
                glue = " and ";
            }
            broken |=
                at_fault && (demand->ref.column[0] == '\0' || random_column_of(&demand->ref) == s);
        }
        if (broken && strstr(message, text) == NULL) {
            fail_msg("'%s' lacks '%s'", message, text);
        }
    }
}

static bool is_starred(const oracle_release *release)
{
    bool any = false;
    for (size_t row = 0; row < release->table->n_rows; row++) {
        any |= oracle_is_starred(release, row);
    }
    return any;
}

static void write_levels(trial *t, const char *path, size_t *written)
{
    uint8_t levels[3];
    random_levels(&t->study, levels);
    oracle_release release = oracle_release_raw(&t->study.table);
    bool *const rows = oracle_array(t->study.table.n_rows, sizeof *rows);
    const bool starred = is_starred(&release); /* the file shows them as suppressed */
    oracle_release raw = oracle_release_raw(&t->study.table);
    const bool possible = oracle_suppresses(t, &release, rows);
    const pv_context context = {.threads = 1};
    const pv_budget budget = {.rows = t->budget};
    const pv_release_options options = {.context = &context,
                                        .constraints = t->demands,
                                        .n_constraints = t->n_demands,
                                        .budget = &budget,
                                        .force = true};
    pv_scheme *scheme = NULL;
    pv_release_result *result = NULL;
    pv_error error = {0};
    bound_must(pv_scheme_from_levels(levels, t->study.table.n_quasi, &scheme, &error), &error);
    const pv_status status =
        pv_release_write(t->study.bound.study, scheme, path, &options, &result, &error);
    if (status != (possible ? PV_STATUS_OK : PV_STATUS_UNSATISFIED) && !starred) {
        fail_msg("%s\n%s\n%s", error.message, t->study.csv.data, t->study.text.data);
    }
    if (!possible) {
        expect_named(t, &raw, error.message);
    } else if (!starred) {
        expect_values(t, &release, pv_release_audit(result));
        ++*written;
    }
    pv_release_result_free(result);
    pv_scheme_free(scheme);
    oracle_release_free(&raw);
    oracle_release_free(&release);
    free(rows);
}

static void on_tables(uint64_t seed, size_t n,
                      void (*check)(trial *t, const char *path, size_t *written))
{
    scratch_folder folder = scratch_folder_create("out.csv");
    size_t written = 0;
    pv_rng rng;
    pv_i_rng_init(&rng, seed);
    for (size_t i = 0; i < effort(n); i++) {
        const random_shape shape = shape_of(&rng);
        trial t = {0};
        random_study_init(&t.study, &rng, &shape);
        ask(&t);
        check(&t, folder.file, &written);
        random_study_deinit(&t.study);
    }
    assert_true(written > effort(n) / 10 || !effort_is_whole()); /* a share of many */
    scratch_folder_remove(&folder);
}

static void levels_keep_demands_of_columns(void **state)
{
    (void)state;
    on_tables(81, 150, write_levels);
}

/* ------------------------------------------------- schemes that remember demands */

/* Neither is told the demands again: they come with the scheme. */
static void write_found(trial *t, const char *path, size_t *written)
{
    const pv_study *const study = t->study.bound.study;
    const pv_context context = {.threads = 1};
    const pv_budget budget = {.rows = t->budget};
    const pv_best_options question = {
        .demands = t->demands, .n_demands = t->n_demands, .budget = &budget, .context = &context};
    const pv_search_options search = {
        .demands = t->demands, .n_demands = t->n_demands, .suppression = {.budget = t->budget}};
    const pv_release_options options = {.context = &context, .budget = &budget, .force = true};
    pv_best *best = NULL;
    pv_front *front = NULL;
    pv_error error = {0};
    bound_must(pv_best_find(study, &question, &best, &error), &error);
    bound_must(pv_search(t->study.profile, &search, &context, &front, &error), &error);
    assert_int_equal(pv_best_scheme(best) != NULL, pv_front_n_points(front) > 0);
    for (size_t i = 0; i < 2 && pv_best_scheme(best) != NULL; i++) {
        pv_scheme *scheme = NULL;
        pv_release_result *result = NULL;
        bound_must(pv_front_scheme(front, random_below(&t->study, pv_front_n_points(front)),
                                   &scheme, &error),
                   &error);
        const pv_status status = pv_release_write(study, i == 0 ? pv_best_scheme(best) : scheme,
                                                  path, &options, &result, &error);
        if (status == PV_STATUS_OK) {
            for (size_t d = 1; d < t->n_demands; d++) {
                const pv_audit_value *const found =
                    pv_audit_find(pv_release_audit(result), t->demands[d].ref);
                assert_non_null(found);
                assert_true(!found->available || pv_constraint_holds(&t->demands[d], found->value));
            }
            ++*written;
        } else { /* people who are `*` without being suppressed look suppressed in the file */
            assert_int_equal(status, PV_STATUS_UNSATISFIED);
        }
        pv_release_result_free(result);
        pv_scheme_free(scheme);
    }
    pv_front_free(front);
    pv_best_free(best);
}

static void found_schemes_keep_demands_of_columns(void **state)
{
    (void)state;
    on_tables(82, 60, write_found);
}

/* --------------------------------------------------------------- without memory */

typedef struct {
    const pv_study *study;
    const char *path;
    uint8_t level;
} question;

/* Demands by a name that needs quotes, written and refused. */
static pv_status release_by_name(void *ctx, pv_error *error)
{
    const question *const q = ctx;
    const pv_context context = {.threads = 1};
    pv_constraint demands[PV_MAX_CONSTRAINTS];
    pv_release_result *result = NULL;
    pv_scheme *scheme = NULL;
    size_t n = 0;
    pv_status status = pv_constraints_parse(
        "l-distinct('s; t')=2,l-recursive('s; t';2)=1,l-entropy=1", demands, &n, error);
    const pv_release_options options = {
        .context = &context, .constraints = demands, .n_constraints = 3, .force = true};
    if (status == PV_STATUS_OK) {
        status = pv_scheme_from_levels(&q->level, 1, &scheme, error);
    }
    if (status == PV_STATUS_OK) {
        status = pv_release_write(q->study, scheme, q->path, &options, &result, error);
    }
    assert_int_equal(result != NULL, status == PV_STATUS_OK);
    if (q->level == 0 && status == PV_STATUS_UNSATISFIED) {
        assert_non_null(strstr(error->message, "break l-distinct(\"s; t\") >= 2"));
        status = PV_STATUS_OK;
    }
    pv_release_result_free(result);
    pv_scheme_free(scheme);
    return status;
}

static void memory_may_run_out(void **state)
{
    scratch_folder folder = scratch_folder_create("out.csv");
    bound_study s =
        bound_study_create("attributes:\n  a: {role: quasi, hierarchy: {intervals: [4]}}\n"
                           "  's; t': {role: sensitive, require: {l-distinct: 1}}\n"
                           "  u: {role: sensitive}\n",
                           "a,s; t,u\n1,x,p\n1,x,q\n2,y,p\n2,z,q\n1,x,p\n");
    question q = {.study = s.study, .path = folder.file, .level = 0};
    (void)state;
    assert_true(failing_alloc_every(release_by_name, &q) > 50);
    assert_int_equal(scratch_folder_files(&folder), 0);
    q.level = 1;
    assert_true(failing_alloc_every(release_by_name, &q) > 100);
    assert_true(scratch_folder_files(&folder) > 0);
    bound_study_free(&s);
    scratch_folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_keep_demands_of_columns),
        cmocka_unit_test(found_schemes_keep_demands_of_columns),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests_name("releases with demands of columns", tests, NULL, NULL);
}
