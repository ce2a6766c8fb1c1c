/* Every measure of records with levels of their own, scalar and row by row, against the oracle; and
 * against the scheme of levels that they are if all have the same. */
#include "support/random_study.h"
#include "support/same_release.h"
#include "support/testing.h"

static void compare_manner(random_records *r, records_manner manner)
{
    records_draw(r, manner);
    oracle_release release = oracle_release_records(&r->study->table);
    pv_classes *const classes = records_classes(r->study, r->levels);
    compare_classes(r->study, &release, classes);
    compare_measures(r->study, &release, classes);
    pv_classes_free(classes);
    oracle_release_free(&release);
}

static void compare_shape(pv_rng *rng, const random_shape *shape)
{
    random_study s;
    random_study_init(&s, rng, shape);
    random_records r = random_records_create(&s);
    for (size_t manner = 0; manner < RECORDS_MANNERS; manner++) {
        compare_manner(&r, (records_manner)manner);
    }
    random_records_free(&r);
    random_study_deinit(&s);
}

static void measures_agree_with_the_oracle(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 611);
    for (size_t i = 0; i < effort(250); i++) {
        const random_shape shape = records_shape(&rng);
        compare_shape(&rng, &shape);
    }
}

static void one_row_and_one_value_agree(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 612);
    for (size_t i = 0; i < 20; i++) {
        const random_shape shape = {.n_rows = i % 2 == 0 ? 1 : 8,
                                    .n_quasi = 2,
                                    .n_values = i % 2 == 0 ? 3 : 1,
                                    .n_sensitive = 1,
                                    .label = true,
                                    .missing = 4,
                                    .heights = 3};
        compare_shape(&rng, &shape);
    }
}

/* ---------------------------------------------------------- as of a scheme */

static void expect_same_rows(pv_measure_ref ref, const pv_classes *a, const pv_classes *b, size_t n)
{
    double *const rows = oracle_array(2 * n, sizeof *rows);
    assert_int_equal(pv_measure_rows(ref, a, rows, NULL), PV_STATUS_OK);
    assert_int_equal(pv_measure_rows(ref, b, rows + n, NULL), PV_STATUS_OK);
    for (size_t i = 0; i < n; i++) {
        assert_true(compare_near(rows[i], rows[n + i]));
    }
    free(rows);
}

static void expect_same_measures(const random_study *s, const pv_classes *a, const pv_classes *b)
{
    for (size_t i = 0; i < pv_n_measures(); i++) {
        const pv_measure *const measure = pv_measure_at(i);
        const pv_measure_ref ref = {.measure = measure, .parameter = measure->parameter_default};
        double values[2];
        if (!pv_measure_available(measure, s->bound.study)) {
            continue;
        }
        assert_int_equal(pv_measure_value(ref, a, &values[0], NULL), PV_STATUS_OK);
        assert_int_equal(pv_measure_value(ref, b, &values[1], NULL), PV_STATUS_OK);
        assert_true(compare_near(values[0], values[1]));
        if (measure->has_rows) {
            expect_same_rows(ref, a, b, s->table.n_rows);
        }
    }
}

/* A scheme of levels may have a class that reached `*` everywhere and is not suppressed: of records
 * it is. Where there is none, all is the same. */
static void equal_levels_measure_as_a_scheme(void **state)
{
    pv_rng rng;
    size_t compared = 0;
    (void)state;
    pv_i_rng_init(&rng, 613);
    for (size_t i = 0; i < effort(250); i++) {
        const random_shape shape = records_shape(&rng);
        random_study s;
        random_study_init(&s, &rng, &shape);
        random_records r = random_records_create(&s);
        records_draw(&r, RECORDS_EQUAL);
        pv_classes *const records = records_classes(&s, r.levels);
        pv_classes *const scheme = bound_classes(s.profile, r.levels, 0, 0);
        if (pv_classes_suppressed(records) == 0) {
            expect_same_measures(&s, records, scheme);
            compared++;
        }
        pv_classes_free(records);
        pv_classes_free(scheme);
        random_records_free(&r);
        random_study_deinit(&s);
    }
    assert_true(compared > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measures_agree_with_the_oracle),
        cmocka_unit_test(one_row_and_one_value_agree),
        cmocka_unit_test(equal_levels_measure_as_a_scheme),
    };
    return cmocka_run_group_tests_name("measures of records", tests, NULL, NULL);
}
