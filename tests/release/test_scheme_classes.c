/* What schemes of any kind make of random tables before anything is written: their classes, and
 * what they show of every person, against the file that a release writes. */
#include "support/files.h"
#include "support/random_study.h"

#include "base/memory.h"
#include "scheme/scheme.h"
#include "table/row_map.h"

#include <paravent/paravent.h>

/* -------------------------------------------------------------- random schemes */

static pv_scheme *random_scheme_of_levels(random_study *s)
{
    uint8_t levels[8];
    pv_scheme *scheme = NULL;
    random_levels(s, levels);
    assert_int_equal(pv_scheme_from_levels(levels, s->table.n_quasi, &scheme, NULL), PV_STATUS_OK);
    return scheme;
}

/* Every attribute raw, one group, or its values in the groups of one of its levels. */
static pv_scheme *random_scheme_of_cuts(random_study *s)
{
    pv_buffer text = {0};
    pv_cuts *cuts = NULL;
    pv_scheme *scheme = NULL;
    pv_error error = {0};
    pv_i_buffer_text(&text, "{\"cuts\": {");
    for (size_t q = 0; q < s->table.n_quasi; q++) {
        pv_i_buffer_format(&text, "%s\"q%zu\": \"%s\"", q > 0 ? ", " : "", q,
                           random_one_in(s, 2) ? "raw" : "*");
    }
    pv_i_buffer_text(&text, "}}");
    bound_must(pv_cuts_parse("cuts.json", text.data, text.size, &cuts, &error), &error);
    bound_must(pv_scheme_from_cuts(cuts, &scheme, &error), &error);
    pv_cuts_free(cuts);
    pv_i_buffer_deinit(&text);
    return scheme;
}

/* The best cuts have groups of their own. */
static pv_scheme *best_cuts(random_study *s, const pv_constraint *demands, size_t n)
{
    const pv_best_options options = {.size = sizeof options,
                                     .kind = PV_SCHEME_CUTS,
                                     .demands = demands,
                                     .n_demands = n,
                                     .max_seconds = -1,
                                     .max_steps = 5};
    pv_best *best = NULL;
    pv_scheme *scheme = NULL;
    if (pv_best_find(s->bound.study, &options, &best, NULL) == PV_STATUS_OK &&
        pv_best_scheme(best) != NULL) {
        assert_int_equal(pv_scheme_from_cuts(pv_scheme_cuts(pv_best_scheme(best)), &scheme, NULL),
                         PV_STATUS_OK);
    }
    pv_best_free(best);
    return scheme;
}

static pv_scheme *local_recoding(random_study *s, const pv_constraint *demands, size_t n)
{
    const pv_local_options options = {
        .size = sizeof options, .demands = demands, .n_demands = n, .bound_seconds = -1};
    pv_local *local = NULL;
    pv_scheme *scheme = NULL;
    if (pv_local_find(s->bound.study, &options, &local, NULL) == PV_STATUS_OK) {
        scheme = pv_local_take_scheme(local);
    }
    pv_local_free(local);
    return scheme;
}

/* ------------------------------------------------------------------- the file */

/* The cells of a quasi-identifier as they are in the file, a missing value as "". */
static const char *cell_of(const pv_table *released, uint64_t row, size_t q)
{
    char name[24];
    (void)snprintf(name, sizeof name, "q%zu", q);
    const size_t column = pv_table_find(released, name);
    const uint32_t code = pv_table_code(released, column, row);
    return code == pv_table_missing(released, column) ? "" : pv_table_value(released, column, code);
}

static const char *shown(const char *label)
{
    return strcmp(label, "NA") == 0 || strcmp(label, "?") == 0 ? "" : label;
}

static void expect_file(const random_study *s, const pv_classes *classes, const char *file,
                        const char *map)
{
    const pv_profile *const profile = pv_classes_profile(classes);
    const uint64_t n = pv_profile_rows(profile);
    pv_table *released = NULL;
    uint64_t *rows = NULL;
    pv_error error = {0};
    bound_must(pv_table_read(file, &(pv_read_options){.header = PV_CHOICE_YES, .delimiter = ','},
                             NULL, &released, &error),
               &error);
    bound_must(pv_i_row_map_read(map, pv_table_rows(released), n, &rows, &error), &error);
    assert_int_equal(pv_table_rows(released), n);
    for (uint64_t row = 0; row < n; row++) {
        const size_t c = pv_classes_of_tuple(classes, pv_profile_tuple(profile, rows[row]));
        for (size_t q = 0; q < s->table.n_quasi; q++) {
            assert_string_equal(shown(pv_classes_label(classes, c, q)), cell_of(released, row, q));
        }
    }
    pv_i_free(rows);
    pv_table_free(released);
}

/* Beside its own file a scheme says of everyone just what the file does. */
static void expect_same_people(const random_study *s, const pv_classes *classes, const char *file,
                               const char *map)
{
    const char *const name = "before";
    const char *const group = "q0";
    const pv_comparison_options options = {.size = sizeof options,
                                           .row_maps = &map,
                                           .n_row_maps = 1,
                                           .groups = &group,
                                           .n_groups = 1,
                                           .schemes = &classes,
                                           .scheme_names = &name,
                                           .n_schemes = 1,
                                           .names = (const char *const[]){"after"}};
    pv_comparison *comparison = NULL;
    pv_error error = {0};
    bound_must(pv_comparison_open(s->bound.study, &file, 1, &options, NULL, &comparison, &error),
               &error);
    assert_int_equal(pv_comparison_n_releases(comparison), 2);
    assert_string_equal(pv_comparison_name(comparison, 0), "before");
    assert_string_equal(pv_comparison_name(comparison, 1), "after");
    assert_int_equal(pv_comparison_n_rows(comparison), s->table.n_rows);
    assert_int_equal(pv_comparison_suppressed(comparison, 0),
                     pv_comparison_suppressed(comparison, 1));
    assert_true(pv_comparison_n_groups(comparison) > 0);
    for (size_t p = 0; p < pv_comparison_n_properties(comparison); p++) {
        for (uint64_t row = 0; row < s->table.n_rows; row++) {
            const double before = pv_comparison_value(comparison, 0, p, row);
            const double after = pv_comparison_value(comparison, 1, p, row);
            assert_true(before >= after && before <= after);
        }
    }
    pv_comparison_free(comparison);
}

/* Without files a scheme is compared as pv_comparison_add does it, with groups as well. */
static void expect_scheme_alone(const random_study *s, const pv_classes *classes)
{
    const char *const name = "alone";
    const char *const group = "q0";
    const pv_comparison_options options = {.size = sizeof options,
                                           .groups = &group,
                                           .n_groups = 1,
                                           .schemes = &classes,
                                           .scheme_names = &name,
                                           .n_schemes = 1};
    pv_comparison *comparison = NULL;
    pv_comparison *added = NULL;
    pv_error error = {0};
    bound_must(pv_comparison_open(s->bound.study, NULL, 0, &options, NULL, &comparison, &error),
               &error);
    bound_must(pv_comparison_begin(s->bound.study, NULL, 0, &added, &error), &error);
    bound_must(pv_comparison_add(added, classes, name, NULL, &error), &error);
    assert_true(pv_comparison_n_kinds(comparison) <= pv_comparison_n_kinds(added));
    assert_true(pv_comparison_n_groups(comparison) > 0);
    for (size_t p = 0; p < pv_comparison_n_properties(comparison); p++) {
        for (uint64_t row = 0; row < s->table.n_rows; row++) {
            const double value = pv_comparison_value(comparison, 0, p, row);
            assert_true(value >= pv_comparison_value(added, 0, p, row) &&
                        value <= pv_comparison_value(added, 0, p, row));
        }
    }
    pv_comparison_free(comparison);
    pv_comparison_free(added);
}

static bool is_written(random_study *s, const pv_scheme *scheme, const scratch_folder *f,
                       const pv_constraint *demands, size_t n, const pv_classes *classes)
{
    const pv_study *const study = s->bound.study;
    char map[128];
    (void)snprintf(map, sizeof map, "%s/map", f->path);
    const pv_budget budget = {.rows = pv_study_budget(study)};
    const pv_release_options options = {.size = sizeof options,
                                        .constraints = demands,
                                        .n_constraints = n,
                                        .budget = &budget,
                                        .row_map = map,
                                        .force = true};
    pv_release_result *result = NULL;
    pv_error error = {0};
    pv_error sooner = {0};
    const pv_status checked = pv_release_check(study, scheme, &options, &sooner);
    const pv_status status = pv_release_write(study, scheme, f->file, &options, &result, &error);
    assert_int_equal(checked, status); /* nothing but demands can be wrong with it */
    assert_string_equal(sooner.message, error.message);
    assert_string_equal(sooner.hint, error.hint);
    if (status == PV_STATUS_UNSATISFIED) {
        return false;
    }
    bound_must(status, &error);
    assert_true(pv_classes_feasible(classes));
    assert_int_equal(pv_release_n_suppressed(result), pv_classes_suppressed(classes));
    assert_int_equal(pv_release_n_classes(result), pv_classes_remaining(classes));
    assert_int_equal(pv_release_k(result), pv_classes_k(classes));
    expect_file(s, classes, f->file, map);
    expect_same_people(s, classes, f->file, map);
    expect_scheme_alone(s, classes);
    pv_release_result_free(result);
    return true;
}

/* How often something of each kind was released. */
typedef struct {
    size_t released[3], suppressed[3];
} tried;

static void try_scheme(random_study *s, pv_scheme *scheme, size_t kind, const scratch_folder *f,
                       const pv_constraint *demands, size_t n, tried *t)
{
    pv_classes *classes = NULL;
    pv_error error = {0};
    if (scheme == NULL) {
        return;
    }
    assert_int_equal(pv_scheme_kind_of(scheme), kind);
    bound_must(pv_scheme_classes(s->bound.study, scheme, demands, n,
                                 pv_study_budget(s->bound.study), &classes, &error),
               &error);
    if (is_written(s, scheme, f, demands, n, classes)) {
        t->released[kind]++;
        t->suppressed[kind] += pv_classes_suppressed(classes) > 0;
    }
    pv_classes_free(classes);
    pv_scheme_free(scheme);
}

static void classes_show_what_is_released(void **state)
{
    const scratch_folder f = scratch_folder_create("out.csv");
    tried t = {0};
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 909);
    for (size_t i = 0; i < effort(150); i++) {
        random_shape shape = records_shape(&rng);
        pv_constraint demands[PV_MAX_CONSTRAINTS];
        size_t n = 0;
        random_study s;
        shape.copies = 2;
        random_study_init(&s, &rng, &shape);
        const char *const text = shape.n_sensitive > 0 && random_one_in(&s, 3) ? "k=2,l-distinct=2"
                                 : random_one_in(&s, 2)                        ? "k=2"
                                                                               : "k=3";
        assert_int_equal(pv_constraints_parse(text, demands, &n, NULL), PV_STATUS_OK);
        try_scheme(&s, random_scheme_of_levels(&s), 0, &f, demands, n, &t);
        try_scheme(&s, random_scheme_of_cuts(&s), 1, &f, demands, n, &t);
        try_scheme(&s, best_cuts(&s, demands, n), 1, &f, demands, n, &t);
        try_scheme(&s, local_recoding(&s, demands, n), 2, &f, demands, n, &t);
        random_study_deinit(&s);
    }
    for (size_t kind = 0; kind < 3; kind++) {
        assert_true(t.released[kind] > 5 || !effort_is_whole());
        assert_true(t.suppressed[kind] > 1 || !effort_is_whole());
    }
    scratch_folder_remove(&f);
}

/* -------------------------------------------------------------- what is refused */

static void a_scheme_of_another_table_is_refused(void **state)
{
    (void)state;
    bound_study s = bound_study_create("attributes:\n  a: {role: quasi}\n  b: {role: quasi}\n",
                                       "a,b\n1,2\n1,2\n");
    const uint8_t levels[] = {0};
    pv_scheme *scheme = NULL;
    pv_classes *classes = NULL;
    pv_error error = {0};
    assert_int_equal(pv_scheme_from_levels(levels, 1, &scheme, &error), PV_STATUS_OK);
    assert_int_equal(pv_scheme_classes(s.study, scheme, NULL, 0, 0, &classes, &error),
                     PV_STATUS_ARGUMENT);
    assert_int_equal(pv_scheme_classes(s.study, NULL, NULL, 0, 0, &classes, &error),
                     PV_STATUS_ARGUMENT);
    pv_scheme_free(scheme);
    bound_study_free(&s);
}

/* More rows break a demand than may be suppressed: then nothing is, and that is said. */
static void too_small_a_budget_suppresses_nobody(void **state)
{
    (void)state;
    bound_study s = bound_study_create("attributes:\n  a: {role: quasi}\n", "a\nx\nx\nx\ny\nz\n");
    pv_constraint demands[PV_MAX_CONSTRAINTS];
    size_t n = 0;
    pv_scheme *scheme = NULL;
    pv_classes *classes = NULL;
    pv_error error = {0};
    assert_int_equal(pv_constraints_parse("k=2", demands, &n, &error), PV_STATUS_OK);
    assert_int_equal(pv_scheme_create(s.study, &scheme, &error), PV_STATUS_OK);
    assert_int_equal(pv_scheme_classes(s.study, scheme, demands, n, 1, &classes, &error),
                     PV_STATUS_OK);
    assert_false(pv_classes_feasible(classes));
    assert_int_equal(pv_classes_suppressed(classes), 0);
    pv_classes_free(classes);
    assert_int_equal(pv_scheme_classes(s.study, scheme, demands, n, 2, &classes, &error),
                     PV_STATUS_OK);
    assert_true(pv_classes_feasible(classes));
    assert_int_equal(pv_classes_suppressed(classes), 2);
    assert_string_equal(
        pv_classes_label(
            classes, pv_classes_of_tuple(classes, pv_profile_tuple(pv_classes_profile(classes), 4)),
            0),
        "*");
    pv_classes_free(classes);
    pv_scheme_free(scheme);
    bound_study_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_show_what_is_released),
        cmocka_unit_test(a_scheme_of_another_table_is_refused),
        cmocka_unit_test(too_small_a_budget_suppresses_nobody),
    };
    return cmocka_run_group_tests_name("classes of schemes", tests, NULL, NULL);
}
