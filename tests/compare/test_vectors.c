/* Properties by name, and the vectors of a scheme's classes. */
#include "support/comparison_trial.h"

static void properties_are_known_by_name(void **state)
{
    (void)state;
    assert_int_equal(pv_properties(), 8);
    for (size_t i = 0; i < pv_properties(); i++) {
        const pv_property *const property = pv_property_at(i);
        assert_ptr_equal(pv_property_find(property->name), property);
        assert_true(strlen(property->summary) > 0);
    }
    assert_null(pv_property_at(pv_properties()));
    assert_null(pv_property_find("column:income"));
    assert_true(pv_property_find("risk")->less_is_better);
    assert_false(pv_property_find("class-size")->less_is_better);
    assert_int_equal(pv_property_find("distinct")->needs, PV_NEEDS_SENSITIVE);
}

static pv_vectors *vectors_of(const pv_classes *classes, const char *const *names, size_t n)
{
    pv_vectors *vectors = NULL;
    pv_error error = {0};
    bound_must(pv_vectors_of_classes(classes, "some release", names, n, &vectors, &error), &error);
    return vectors;
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

static void check_twin(size_t i, const pv_classes *classes, size_t n_rows)
{
    const pv_measure_ref ref = {.measure = pv_measure_find(twins[i].measure)};
    pv_vectors *const vectors = vectors_of(classes, &twins[i].property, 1);
    double rows[TRIAL_ROWS];
    pv_error error = {0};
    bound_must(pv_measure_rows(ref, classes, rows, &error), &error);
    assert_int_equal(vectors->n_rows, n_rows);
    assert_int_equal(vectors->suppressed, pv_classes_suppressed(classes));
    assert_string_equal(vectors->name, "some release");
    for (size_t row = 0; row < n_rows; row++) {
        assert_true(vectors->values[0][row] == (twins[i].is_turned ? -rows[row] : rows[row]));
        assert_false(vectors->values[0][row] == 0 && signbit(vectors->values[0][row]));
    }
    pv_vectors_free(vectors);
}

static void vectors_are_measures_per_row(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 1);
    for (uint8_t trial = 0; trial < 30; trial++) {
        trial_table table;
        pv_buffer csv = {0};
        trial_original(&rng, &table);
        trial_csv(&table, NULL, &csv);
        bound_study s = bound_study_create(trial_plan, csv.data);
        pv_profile *const profile = bound_profile(s.study, 1);
        const uint8_t levels[] = {(uint8_t)(trial % 3), (uint8_t)(trial % 4), (uint8_t)(trial % 2)};
        pv_classes *const classes = bound_classes(profile, levels, trial_below(&rng, table.n), 0);
        for (size_t i = 0; i < sizeof twins / sizeof *twins; i++) {
            check_twin(i, classes, table.n);
        }
        pv_classes_free(classes);
        pv_profile_free(profile);
        bound_study_free(&s);
        pv_i_buffer_deinit(&csv);
    }
}

static void what_is_not_there(void **state)
{
    static const char *const names[] = {"class-size", "own-count", "column:w", "-column:w"};
    static const char *const unknown = "-risk";
    const uint8_t levels[] = {0};
    bound_study s = bound_study_create("attributes:\n  a: {role: quasi}\n", "a,w\n1,1\n2,2\n2,3\n");
    pv_profile *const profile = bound_profile(s.study, 1);
    pv_classes *const classes = bound_classes(profile, levels, 0, 0);
    pv_vectors *vectors = vectors_of(classes, names, 4);
    pv_error error = {0};
    (void)state;
    assert_non_null(vectors->values[0]);
    for (size_t i = 1; i < 4; i++) {
        assert_null(vectors->values[i]);
    }
    pv_vectors_free(vectors);
    vectors = NULL;
    assert_int_equal(pv_vectors_of_classes(classes, "a", &unknown, 1, &vectors, &error),
                     PV_STATUS_ARGUMENT);
    assert_null(vectors);
    assert_non_null(strstr(error.hint, "class-size"));
    pv_classes_free(classes);
    pv_profile_free(profile);
    bound_study_free(&s);
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
