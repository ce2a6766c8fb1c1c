/* Properties by name, and the vectors of schemes' classes. */
#include "support/comparison_trial.h"

static void properties_are_known_by_name(void **state)
{
    (void)state;
    assert_int_equal(pv_n_properties(), 8);
    for (size_t i = 0; i < pv_n_properties(); i++) {
        const pv_property *const property = pv_property_at(i);
        assert_ptr_equal(pv_property_find(property->name), property);
        assert_true(strlen(property->summary) > 0);
    }
    assert_null(pv_property_at(pv_n_properties()));
    assert_null(pv_property_find("column:income"));
    assert_true(pv_property_find("risk")->less_is_better);
    assert_false(pv_property_find("class-size")->less_is_better);
    assert_int_equal(pv_property_find("distinct")->needs, PV_NEEDS_SENSITIVE);
}

/* The measure of each property, and whether less of it is better. */
static const struct {
    const char *property, *measure;
    bool is_turned;
} twins[] = {
    {"class-size", "k", false},
    {"own-count", "sum-l", false},
    {"distinct", "l-distinct", false},
    {"t-distance", "t-closeness", true},
    {"risk", "risk", true},
    {"leaf-utility", "leaf-utility", false},
    {"glm", "glm", true},
    {"nwp", "nwp", true},
};

static void check_twin(size_t i, const pv_classes *classes, const pv_comparison *comparison,
                       size_t release)
{
    const pv_measure_ref ref = {.measure = pv_measure_find(twins[i].measure)};
    double rows[TRIAL_ROWS];
    pv_error error = {0};
    bound_must(pv_measure_rows(ref, classes, rows, &error), &error);
    for (size_t row = 0; row < comparison->n_rows; row++) {
        const double value = pv_comparison_value(comparison, release, i, row);
        assert_true(value == (twins[i].is_turned ? -rows[row] : rows[row]));
        assert_false(value == 0 && signbit(value));
    }
}

/* Every kind has somebody, all people are of some kind, and those of one are treated alike. */
static void check_kinds(const pv_comparison *comparison)
{
    uint64_t people[TRIAL_ROWS] = {0};
    assert_true(comparison->n_kinds <= comparison->n_rows);
    for (uint64_t row = 0; row < comparison->n_rows; row++) {
        assert_true(comparison->kind_of_row[row] < comparison->n_kinds);
        people[comparison->kind_of_row[row]]++;
    }
    for (size_t kind = 0; kind < comparison->n_kinds; kind++) {
        assert_true(people[kind] > 0);
        assert_int_equal(people[kind], comparison->n_of_kind[kind]);
    }
}

enum { SCHEMES = 3 };

static pv_classes *any_scheme(const pv_profile *profile, size_t n_rows, pv_rng *rng)
{
    uint8_t levels[TRIAL_QUASIS];
    for (size_t q = 0; q < TRIAL_QUASIS; q++) {
        const pv_hierarchy *const h = pv_study_hierarchy(pv_profile_study(profile), q);
        levels[q] = (uint8_t)trial_below(rng, pv_hierarchy_height(h) + (size_t)1);
    }
    return bound_classes(profile, levels, trial_below(rng, n_rows), 0);
}

static void check_marks(const pv_classes *classes, const pv_comparison *comparison, size_t release)
{
    const bool *const marks = comparison->releases[release]->is_suppressed;
    for (uint64_t row = 0; row < comparison->n_rows; row++) {
        const size_t tuple = pv_profile_tuple(pv_classes_profile(classes), row);
        assert_int_equal(marks != NULL && marks[comparison->kind_of_row[row]],
                         pv_classes_is_suppressed(classes, pv_classes_of_tuple(classes, tuple)));
    }
}

static void add_and_check(pv_comparison *comparison, pv_profile *const *profiles, size_t n_rows,
                          pv_rng *rng)
{
    pv_classes *classes[SCHEMES];
    const pv_context context = {.threads = 1 + (unsigned)trial_below(rng, 3)};
    pv_error error = {0};
    for (size_t r = 0; r < SCHEMES; r++) {
        classes[r] = any_scheme(profiles[r % 2], n_rows, rng);
        bound_must(pv_comparison_add(comparison, classes[r], "some scheme", &context, &error),
                   &error);
        assert_int_equal(comparison->n_releases, r + 1);
        assert_int_equal(comparison->n_rows, n_rows);
        check_kinds(comparison);
        for (size_t earlier = 0; earlier <= r; earlier++) {
            const pv_vectors *const vectors = comparison->releases[earlier];
            assert_int_equal(vectors->suppressed, pv_classes_suppressed(classes[earlier]));
            assert_string_equal(vectors->name, "some scheme");
            check_marks(classes[earlier], comparison, earlier);
            for (size_t i = 0; i < sizeof twins / sizeof *twins; i++) {
                check_twin(i, classes[earlier], comparison, earlier);
            }
        }
    }
    for (size_t r = 0; r < SCHEMES; r++) {
        pv_classes_free(classes[r]);
    }
}

/* Schemes of two profiles of one table: the same rows, tuples of other plans. */
static const char other_plan[] = "attributes:\n"
                                 "  c: {role: quasi, weight: 0.5}\n"
                                 "  b: {role: quasi, hierarchy: {mask: left}}\n"
                                 "  a: {role: quasi, hierarchy: {intervals: [3]}}\n"
                                 "  t: {role: sensitive, distance: ordered}\n"
                                 "  s: {role: sensitive}\n";

static void vectors_are_measures_per_row(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 1);
    for (uint8_t trial = 0; trial < 30; trial++) {
        trial_table table;
        pv_buffer csv = {0};
        pv_comparison *comparison = NULL;
        pv_error error = {0};
        trial_original(&rng, &table);
        trial_csv(&table, NULL, &csv);
        bound_study s = bound_study_create(trial_plan, csv.data);
        bound_study other = bound_study_create(other_plan, csv.data);
        pv_profile *const profiles[] = {bound_profile(s.study, 1), bound_profile(other.study, 1)};
        bound_must(pv_comparison_begin(s.study, NULL, 0, &comparison, &error), &error);
        assert_int_equal(comparison->n_properties, sizeof twins / sizeof *twins);
        add_and_check(comparison, profiles, table.n, &rng);
        pv_comparison_free(comparison);
        pv_profile_free(profiles[0]);
        pv_profile_free(profiles[1]);
        bound_study_free(&s);
        bound_study_free(&other);
        pv_i_buffer_deinit(&csv);
    }
}

static void what_is_not_there(void **state)
{
    static const char *const names[] = {"class-size", "column:w", "-column:w"};
    static const char *const unknown = "-risk";
    static const char *const unavailable = "own-count";
    static const char plan[] = "attributes:\n  a: {role: quasi}\n";
    const uint8_t levels[] = {0};
    bound_study s = bound_study_create(plan, "a,w\n1,1\n2,2\n2,3\n");
    bound_study longer = bound_study_create(plan, "a,w\n1,1\n2,2\n2,3\n3,4\n");
    pv_profile *const profile = bound_profile(s.study, 1);
    pv_profile *const more = bound_profile(longer.study, 1);
    pv_classes *const classes = bound_classes(profile, levels, 0, 0);
    pv_classes *const others = bound_classes(more, levels, 0, 0);
    pv_comparison *comparison = NULL;
    pv_error error = {0};
    (void)state;
    bound_must(pv_comparison_begin(s.study, names, 3, &comparison, &error), &error);
    bound_must(pv_comparison_add(comparison, classes, "a", NULL, &error), &error);
    assert_non_null(comparison->releases[0]->values[0]);
    assert_null(comparison->releases[0]->values[1]);
    assert_true(isnan(pv_comparison_value(comparison, 0, 2, 1)));
    assert_int_equal(pv_comparison_add(comparison, others, "b", NULL, &error), PV_STATUS_ARGUMENT);
    pv_comparison_free(comparison);
    comparison = NULL;
    assert_int_equal(pv_comparison_begin(s.study, &unavailable, 1, &comparison, &error),
                     PV_STATUS_ARGUMENT);
    assert_int_equal(pv_comparison_begin(s.study, &unknown, 1, &comparison, &error),
                     PV_STATUS_ARGUMENT);
    assert_null(comparison);
    assert_non_null(strstr(error.hint, "class-size"));
    pv_classes_free(classes);
    pv_classes_free(others);
    pv_profile_free(profile);
    pv_profile_free(more);
    bound_study_free(&s);
    bound_study_free(&longer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(properties_are_known_by_name),
        cmocka_unit_test(vectors_are_measures_per_row),
        cmocka_unit_test(what_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
