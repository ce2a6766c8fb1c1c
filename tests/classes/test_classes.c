/* Profile and classes: who looks alike, and the corners of suppression. */
#include "support/random_study.h"
#include "support/study.h"

#include "classes/grouping.h"
#include "classes/keys.h"

/* ----------------------------------------------------------------- profile */

static uint32_t leaf_of_row(const pv_study *study, uint64_t row, size_t quasi)
{
    const uint32_t code =
        pv_table_code(pv_study_table(study), pv_study_quasi_column(study, quasi), row);
    return pv_hierarchy_leaf(pv_study_hierarchy(study, quasi), code);
}

/* Every row's tuple shows its leaves, tuples ascend strictly, and the counts are those of rows. */
static void expect_profile(const pv_profile *profile)
{
    const pv_study *const study = pv_profile_study(profile);
    const size_t n_tuples = pv_profile_tuples(profile);
    const size_t n_quasi = pv_study_quasis(study);
    uint64_t *const counts = oracle_array(n_tuples, sizeof *counts);
    for (uint64_t row = 0; row < pv_profile_rows(profile); row++) {
        const size_t tuple = pv_profile_tuple(profile, row);
        counts[tuple]++;
        for (size_t q = 0; q < n_quasi; q++) {
            assert_int_equal(pv_profile_leaf(profile, tuple, q), leaf_of_row(study, row, q));
        }
    }
    for (size_t t = 0; t < n_tuples; t++) {
        size_t q = 0;
        assert_int_equal(pv_profile_count(profile, t), counts[t]);
        while (t > 0 && q < n_quasi &&
               pv_profile_leaf(profile, t - 1, q) == pv_profile_leaf(profile, t, q)) {
            q++;
        }
        assert_true(t == 0 || (q < n_quasi && pv_profile_leaf(profile, t - 1, q) <
                                                  pv_profile_leaf(profile, t, q)));
    }
    free(counts);
}

static void profiles_show_the_rows(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 51);
    for (size_t i = 0; i < 100; i++) {
        const random_shape shape = {.n_rows = 1 + (size_t)pv_i_rng_below(&rng, 60),
                                    .n_quasi = 1 + (size_t)pv_i_rng_below(&rng, 30),
                                    .n_values = 1 + (size_t)pv_i_rng_below(&rng, 40),
                                    .missing = 9,
                                    .heights = 3,
                                    .copies = 2};
        random_study s;
        random_study_init(&s, &rng, &shape);
        assert_ptr_equal(pv_profile_study(s.profile), s.bound.study);
        assert_int_equal(pv_profile_rows(s.profile), shape.n_rows);
        expect_profile(s.profile);
        random_study_deinit(&s);
    }
}

static void expect_same_profile(const pv_profile *a, const pv_profile *b)
{
    assert_int_equal(pv_profile_tuples(a), pv_profile_tuples(b));
    for (size_t t = 0; t < pv_profile_tuples(a); t++) {
        assert_int_equal(pv_profile_count(a, t), pv_profile_count(b, t));
        for (size_t q = 0; q < pv_study_quasis(pv_profile_study(a)); q++) {
            assert_int_equal(pv_profile_leaf(a, t, q), pv_profile_leaf(b, t, q));
        }
    }
    for (uint64_t row = 0; row < pv_profile_rows(a); row++) {
        assert_int_equal(pv_profile_tuple(a, row), pv_profile_tuple(b, row));
    }
}

/* Enough rows for each of seven threads to have a share. */
static void write_long_table(pv_buffer *csv)
{
    pv_rng rng;
    pv_i_rng_init(&rng, 52);
    pv_i_buffer_text(csv, "a,b,c,d\n");
    for (size_t row = 0; row < 20500; row++) {
        pv_i_buffer_format(csv, "%u,v%u,%u,%u\n", (unsigned)pv_i_rng_below(&rng, 90),
                           (unsigned)pv_i_rng_below(&rng, 12), (unsigned)pv_i_rng_below(&rng, 5),
                           (unsigned)pv_i_rng_below(&rng, 3));
    }
}

static void threads_do_not_matter(void **state)
{
    static const unsigned threads[] = {2, 7};
    pv_buffer csv = {0};
    (void)state;
    write_long_table(&csv);
    bound_study s = bound_study_create("attributes:\n"
                                       "  a: {role: quasi, hierarchy: {intervals: [5, 10]}}\n"
                                       "  b: {role: quasi}\n  c: {role: quasi}\n"
                                       "  d: {role: sensitive}\n",
                                       csv.data);
    pv_profile *const alone = bound_profile(s.study, 1);
    assert_int_equal(pv_profile_rows(alone), 20500);
    expect_profile(alone);
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        pv_profile *const shared = bound_profile(s.study, threads[i]);
        expect_same_profile(alone, shared);
        pv_profile_free(shared);
    }
    pv_profile_free(alone);
    bound_study_free(&s);
    pv_i_buffer_deinit(&csv);
}

static bool stop(void *ctx, const pv_progress *progress)
{
    (void)ctx;
    (void)progress;
    return false;
}

static void it_stops_when_told(void **state)
{
    const pv_context context = {.threads = 1, .progress = stop};
    bound_study s = bound_study_create("attributes: {a: {role: quasi}}\n", "a\n1\n2\n");
    pv_profile *profile = NULL;
    pv_error error = {0};
    (void)state;
    assert_int_equal(pv_profile_create(s.study, &context, &profile, &error), PV_STATUS_CANCELLED);
    assert_int_equal(error.status, PV_STATUS_CANCELLED);
    assert_null(profile);
    bound_study_free(&s);
}

/* ----------------------------------------------------------------- packing */

/* 60 attributes of 150 values and more: fields never straddle words, and never overlap. */
static void fields_fit_their_words(void **state)
{
    pv_rng rng;
    const random_shape shape = {
        .n_rows = 300, .n_quasi = 60, .n_values = 200, .heights = 1, .uniform = true};
    random_study s;
    pv_packing packing = {0};
    uint64_t used[60] = {0};
    (void)state;
    pv_i_rng_init(&rng, 53);
    random_study_init(&s, &rng, &shape);
    assert_int_equal(pv_i_packing_init(&packing, s.bound.study, NULL), PV_STATUS_OK);
    assert_int_equal(packing.n_fields, 60);
    for (size_t q = 0; q < packing.n_fields; q++) {
        const pv_field f = packing.fields[q];
        const uint32_t leaves = pv_hierarchy_leaves(pv_study_hierarchy(s.bound.study, q));
        const uint64_t place = f.mask << f.shift;
        assert_true(f.word < packing.words);
        assert_true(f.mask + 1 >= leaves);
        assert_true(place >> f.shift == f.mask);
        assert_true((used[f.word] & place) == 0);
        used[f.word] |= place;
    }
    pv_i_packing_deinit(&packing);
    random_study_deinit(&s);
}

/* ------------------------------------------------------------- suppression */

/* Classes of 1, 1, 2, 3 and 5 rows. */
static const char plan[] = "attributes: {a: {role: quasi}}\n";
static const char table[] = "a\nu\nv\nw\nw\nx\nx\nx\ny\ny\ny\ny\ny\n";

typedef struct {
    uint64_t budget, target_k;
    bool feasible;
    uint64_t suppressed, k;
    size_t remaining;
} corner;

static const corner corners[] = {
    {0, 0, true, 0, 1, 5},          {1, 0, true, 0, 1, 5}, /* not one of two classes of size 1 */
    {2, 0, true, 2, 2, 3},          {3, 0, true, 2, 2, 3},
    {4, 0, true, 4, 3, 2},          {6, 0, true, 4, 3, 2},
    {7, 0, true, 7, 5, 1},          {11, 0, true, 7, 5, 1},
    {12, 0, true, 7, 5, 1}, /* everything would fit, but some class always remains */
    {UINT64_MAX, 0, true, 7, 5, 1}, {0, 1, true, 0, 1, 5},
    {1, 2, false, 0, 1, 5},         {2, 2, true, 2, 2, 3},
    {12, 2, true, 2, 2, 3}, /* no more than asked for */
    {12, 3, true, 4, 3, 2},         {12, 4, true, 7, 5, 1},
    {6, 4, false, 0, 1, 5},         {12, 5, true, 7, 5, 1},
    {12, 6, false, 0, 1, 5},        {UINT64_MAX, UINT64_MAX, false, 0, 1, 5},
};

static void suppression_corners(void **state)
{
    bound_study s = bound_study_create(plan, table);
    pv_profile *const profile = bound_profile(s.study, 1);
    const uint8_t levels[] = {0};
    (void)state;
    for (size_t i = 0; i < sizeof corners / sizeof *corners; i++) {
        pv_classes *const c =
            bound_classes(profile, levels, corners[i].budget, corners[i].target_k);
        assert_int_equal(pv_classes_feasible(c), corners[i].feasible);
        assert_int_equal(pv_classes_suppressed(c), corners[i].suppressed);
        assert_int_equal(pv_classes_k(c), corners[i].k);
        assert_int_equal(pv_classes_total(c), 5);
        assert_int_equal(pv_classes_remaining(c), corners[i].remaining);
        for (size_t j = 0; j < pv_classes_total(c); j++) {
            assert_int_equal(pv_classes_is_suppressed(c, j),
                             corners[i].suppressed > 0 && pv_classes_size(c, j) < corners[i].k);
        }
        pv_classes_free(c);
    }
    pv_profile_free(profile);
    bound_study_free(&s);
}

static void no_rule_suppresses_nothing(void **state)
{
    bound_study s = bound_study_create(plan, table);
    pv_profile *const profile = bound_profile(s.study, 1);
    const uint8_t levels[] = {1};
    pv_classes *classes = NULL;
    (void)state;
    assert_int_equal(pv_classes_create(profile, levels, NULL, &classes, NULL), PV_STATUS_OK);
    assert_int_equal(pv_classes_total(classes), 1);
    assert_int_equal(pv_classes_k(classes), 12);
    assert_int_equal(pv_classes_suppressed(classes), 0);
    pv_classes_free(classes);
    pv_classes_free(NULL);
    pv_profile_free(profile);
    pv_profile_free(NULL);
    bound_study_free(&s);
}

static void levels_must_exist(void **state)
{
    bound_study s = bound_study_create(plan, table);
    pv_profile *const profile = bound_profile(s.study, 1);
    const uint8_t levels[] = {2};
    pv_classes *classes = NULL;
    pv_error error = {0};
    (void)state;
    assert_int_equal(pv_classes_create(profile, levels, NULL, &classes, &error),
                     PV_STATUS_ARGUMENT);
    assert_int_equal(error.status, PV_STATUS_ARGUMENT);
    assert_non_null(strstr(error.message, "'a'"));
    assert_null(classes);
    pv_profile_free(profile);
    bound_study_free(&s);
}

/* --------------------------------------------------------------- histograms */

/* Every tuple's entries ascend and count what its rows have. */
static void expect_histogram(const pv_profile *profile, const pv_histogram *h)
{
    const pv_table *const source = pv_study_table(pv_profile_study(profile));
    uint64_t entries = 0;
    uint64_t rows = 0;
    for (size_t t = 0; t < pv_profile_tuples(profile); t++) {
        assert_int_equal(h->start[t], entries);
        for (; entries < h->start[t + 1]; entries++) {
            uint64_t count = 0;
            for (uint64_t row = 0; row < pv_profile_rows(profile); row++) {
                count += pv_profile_tuple(profile, row) == t &&
                         pv_table_code(source, h->column, row) == h->code[entries];
            }
            assert_int_equal(h->count[entries], count);
            assert_true(entries == h->start[t] || h->code[entries - 1] < h->code[entries]);
            rows += count;
        }
    }
    assert_int_equal(rows, pv_profile_rows(profile));
}

/* Sensitive values of one byte and of two, few and many to a tuple, in no order. */
static void histograms_count_the_rows(void **state)
{
    static const unsigned values[] = {2, 40, 256, 257, 400};
    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char *const csv = oracle_array(1, 20000);
        pv_error error = {0};
        int at = sprintf(csv, "a,s\n");
        for (unsigned row = 0; row < 700; row++) {
            at += sprintf(csv + at, "%u,v%u\n", row % 3 == 0 ? 0 : row % 7,
                          (row * 97 + 13) % values[i]);
        }
        bound_study s =
            bound_study_create("attributes:\n  a: {role: quasi}\n  s: {role: sensitive}\n", csv);
        pv_profile *const profile = bound_profile(s.study, 1);
        bound_must(pv_i_profile_count(profile, &error), &error);
        expect_histogram(profile, &profile->sensitive[0]);
        pv_profile_free(profile);
        bound_study_free(&s);
        free(csv);
    }
}

/* ---------------------------------------------------------------------- raw */

/* With all values kept apart every tuple is a class, and what is suppressed has its own key. */
static void raw_classes_are_the_tuples(void **state)
{
    bound_study s = bound_study_create("attributes:\n  a: {role: quasi}\n  b: {role: quasi}\n",
                                       "a,b\nx,1\ny,1\nx,2\nx,1\nz,2\n");
    pv_profile *const profile = bound_profile(s.study, 1);
    const uint8_t levels[] = {0, 0};
    const pv_suppression rule = {.whole_budget = true, .budget = 3};
    pv_classes *classes = NULL;
    pv_error error = {0};
    (void)state;
    bound_must(pv_classes_create(profile, levels, &rule, &classes, &error), &error);
    assert_int_equal(pv_classes_total(classes), pv_profile_tuples(profile));
    assert_int_equal(pv_classes_remaining(classes), 1);
    assert_int_equal(pv_classes_suppressed(classes), 3);
    for (size_t t = 0; t < pv_profile_tuples(profile); t++) {
        assert_int_equal(pv_classes_of_tuple(classes, t), t);
        assert_int_equal(pv_classes_size(classes, t), pv_profile_count(profile, t));
    }
    for (size_t i = 0; i < classes->n_lost; i++) {
        assert_int_equal(classes->lost_keys[i], profile->keys[classes->lost[i].number]);
    }
    pv_classes_free(classes);
    pv_profile_free(profile);
    bound_study_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(profiles_show_the_rows),     cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(it_stops_when_told),         cmocka_unit_test(fields_fit_their_words),
        cmocka_unit_test(suppression_corners),        cmocka_unit_test(no_rule_suppresses_nothing),
        cmocka_unit_test(levels_must_exist),          cmocka_unit_test(histograms_count_the_rows),
        cmocka_unit_test(raw_classes_are_the_tuples),
    };
    return cmocka_run_group_tests_name("profile and classes", tests, NULL, NULL);
}
