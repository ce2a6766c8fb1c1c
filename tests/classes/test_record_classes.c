/* Classes of records with levels of their own: whoever is released with the same texts is alike,
 * counted row by row; whoever is `*` everywhere is suppressed, unless everyone is. */
#include "support/random_study.h"
#include "support/same_release.h"
#include "support/testing.h"

/* ------------------------------------------------------------------- random */

/* The levels are those asked for. */
static void expect_levels(const random_records *r, const pv_classes *classes)
{
    const size_t n = r->study->table.n_quasi;
    assert_null(pv_classes_levels(classes));
    assert_ptr_equal(pv_classes_profile(classes), r->study->profile);
    for (size_t i = 0; i < pv_profile_tuples(r->study->profile) * n; i++) {
        assert_int_equal(pv_classes_level(classes, i / n, i % n), r->levels[i]);
    }
}

static void compare_manner(random_records *r, records_manner manner)
{
    records_draw(r, manner);
    oracle_release release = oracle_release_records(&r->study->table);
    pv_classes *const classes = records_classes(r->study, r->levels);
    expect_levels(r, classes);
    compare_classes(r->study, &release, classes);
    pv_classes_free(classes);
    oracle_release_free(&release);
}

static void classes_are_equal_texts(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 601);
    for (size_t i = 0; i < effort(800); i++) {
        const random_shape shape = records_shape(&rng);
        random_study s;
        random_study_init(&s, &rng, &shape);
        random_records r = random_records_create(&s);
        for (size_t manner = 0; manner < RECORDS_MANNERS; manner++) {
            compare_manner(&r, (records_manner)manner);
        }
        random_records_free(&r);
        random_study_deinit(&s);
    }
}

/* 33 attributes: keys of many words, the last one half full. */
static void wide_tables_agree(void **state)
{
    const random_shape shape = {.n_rows = 40,
                                .n_quasi = 33,
                                .n_values = 90,
                                .full = true,
                                .missing = 9,
                                .heights = 3,
                                .copies = 2};
    random_study s;
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 602);
    random_study_init(&s, &rng, &shape);
    random_records r = random_records_create(&s);
    for (size_t manner = 0; manner < RECORDS_MANNERS; manner++) {
        compare_manner(&r, (records_manner)manner);
    }
    random_records_free(&r);
    random_study_deinit(&s);
}

/* Without a class of `*`, equal levels for all make the classes of that scheme. */
static void expect_scheme(const random_records *r, const pv_classes *records)
{
    const random_study *const s = r->study;
    pv_classes *const scheme = bound_classes(s->profile, r->levels, 0, 0);
    assert_int_equal(pv_classes_total(records), pv_classes_total(scheme));
    if (pv_classes_suppressed(records) == 0) {
        assert_int_equal(pv_classes_k(records), pv_classes_k(scheme));
        assert_int_equal(pv_classes_remaining(records), pv_classes_remaining(scheme));
    }
    for (size_t t = 0; t < pv_profile_tuples(s->profile); t++) {
        const size_t c = pv_classes_of_tuple(records, t);
        assert_int_equal(pv_classes_size(records, c),
                         pv_classes_size(scheme, pv_classes_of_tuple(scheme, t)));
        assert_int_equal(pv_classes_level(scheme, t, 0), r->levels[0]);
    }
    pv_classes_free(scheme);
}

static void equal_levels_are_a_scheme(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 603);
    for (size_t i = 0; i < effort(300); i++) {
        const random_shape shape = records_shape(&rng);
        random_study s;
        random_study_init(&s, &rng, &shape);
        random_records r = random_records_create(&s);
        records_draw(&r, RECORDS_EQUAL);
        pv_classes *const classes = records_classes(&s, r.levels);
        expect_scheme(&r, classes);
        pv_classes_free(classes);
        random_records_free(&r);
        random_study_deinit(&s);
    }
}

/* -------------------------------------------------------------------- cases */

typedef struct {
    bound_study bound;
    pv_profile *profile;
} cities;

/* `West` stands on levels 1 and 2, for different cities; a value may be called like the group it is
 * in, and one is called `*`. Tuples are sorted by leaves, so they are found by their rows. */
static cities cities_open(void)
{
    static const char plan[] = "attributes:\n"
                               "  city: {role: quasi, hierarchy: {rows: [[a, West], "
                               "[b, West], [c, Mid, West], [West]]}}\n"
                               "  sex: {role: quasi}\n";
    static const char table[] = "city,sex\na,f\nb,f\nc,f\nWest,f\n*,f\n*,*\nc,m\n";
    cities c = {.bound = bound_study_create(plan, table)};
    c.profile = bound_profile(c.bound.study, 1);
    return c;
}

static void cities_close(cities *c)
{
    pv_profile_free(c->profile);
    bound_study_free(&c->bound);
}

enum { CITIES = 7 };

static pv_classes *cities_classes(const cities *c, const uint8_t (*by_row)[2])
{
    uint8_t levels[CITIES][2];
    pv_classes *classes = NULL;
    pv_error error = {0};
    for (size_t row = 0; row < CITIES; row++) {
        memcpy(levels[pv_profile_tuple(c->profile, row)], by_row[row], 2);
    }
    bound_must(pv_classes_create_records(c->profile, levels[0], &classes, &error), &error);
    return classes;
}

static size_t city_class(const cities *c, const pv_classes *classes, size_t row)
{
    return pv_classes_of_tuple(classes, pv_profile_tuple(c->profile, row));
}

/* a and b at level 1, c at level 2 and the city of that name at level 0 are all `West`. */
static void one_label_is_one_class_whatever_its_level(void **state)
{
    const uint8_t levels[CITIES][2] = {{1, 0}, {1, 0}, {2, 0}, {0, 0}, {0, 0}, {0, 0}, {3, 1}};
    cities c = cities_open();
    (void)state;
    pv_classes *const classes = cities_classes(&c, levels);
    assert_int_equal(pv_classes_size(classes, city_class(&c, classes, 0)), 4);
    for (size_t row = 1; row < 4; row++) {
        assert_int_equal(city_class(&c, classes, row), city_class(&c, classes, 0));
    }
    /* `*,f` is nobody else; `*,*` as it was read and as it was made are the same, and gone. */
    assert_int_equal(pv_classes_total(classes), 3);
    assert_int_equal(pv_classes_remaining(classes), 2);
    assert_int_equal(city_class(&c, classes, 5), city_class(&c, classes, 6));
    assert_true(pv_classes_is_suppressed(classes, city_class(&c, classes, 5)));
    assert_int_equal(pv_classes_suppressed(classes), 2);
    assert_int_equal(pv_classes_k(classes), 1);
    pv_classes_free(classes);
    cities_close(&c);
}

static void if_everyone_is_starred_nobody_is_suppressed(void **state)
{
    const uint8_t levels[CITIES][2] = {{3, 1}, {3, 1}, {3, 1}, {3, 1}, {0, 1}, {0, 0}, {3, 1}};
    cities c = cities_open();
    (void)state;
    pv_classes *const classes = cities_classes(&c, levels);
    assert_int_equal(pv_classes_total(classes), 1);
    assert_int_equal(pv_classes_suppressed(classes), 0);
    assert_int_equal(pv_classes_k(classes), CITIES);
    assert_false(pv_classes_is_suppressed(classes, 0));
    pv_classes_free(classes);
    cities_close(&c);
}

static void levels_out_of_range_are_refused(void **state)
{
    uint8_t levels[CITIES * 2] = {0};
    pv_classes *classes = NULL;
    pv_error error = {0};
    cities c = cities_open();
    (void)state;
    levels[CITIES * 2 - 1] = 2;
    assert_int_equal(pv_classes_create_records(c.profile, levels, &classes, &error),
                     PV_STATUS_ARGUMENT);
    assert_null(classes);
    assert_non_null(strstr(error.message, "'sex'"));
    assert_int_equal(pv_classes_create_records(c.profile, levels, &classes, NULL),
                     PV_STATUS_ARGUMENT);
    cities_close(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_are_equal_texts),
        cmocka_unit_test(wide_tables_agree),
        cmocka_unit_test(equal_levels_are_a_scheme),
        cmocka_unit_test(one_label_is_one_class_whatever_its_level),
        cmocka_unit_test(if_everyone_is_starred_nobody_is_suppressed),
        cmocka_unit_test(levels_out_of_range_are_refused),
    };
    return cmocka_run_group_tests_name("classes of records", tests, NULL, NULL);
}
