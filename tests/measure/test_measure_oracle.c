/* Every measure of the registry against the oracle, which reads the definitions row by row: random
 * tables with ragged hierarchies and missing values, random levels, budgets and targets. */
#include "support/same_release.h"

static void compare_node(random_study *s, const uint8_t *levels, pv_suppression suppression)
{
    oracle_release release =
        oracle_release_create(&s->table, suppression.budget, suppression.target_k);
    pv_classes *const classes =
        bound_classes(s->profile, levels, suppression.budget, suppression.target_k);
    assert_ptr_equal(pv_classes_profile(classes), s->profile);
    assert_memory_equal(pv_classes_levels(classes), levels, s->table.n_quasi);
    compare_classes(s, &release, classes);
    compare_measures(s, &release, classes);
    pv_classes_free(classes);
    oracle_release_free(&release);
}

/* -------------------------------------------------------------- the tables */

/* Half of the time a budget (up to more than all rows), else a target that may be out of reach. */
static pv_suppression random_suppression(random_study *s)
{
    const size_t n = s->table.n_rows;
    pv_suppression suppression = {.whole_budget = true,
                                  .budget = random_one_in(s, 3) ? 0 : random_below(s, n + 2)};
    if (random_one_in(s, 4)) {
        suppression.budget = pv_study_budget(s->bound.study);
    }
    if (random_one_in(s, 2)) {
        suppression.target_k = 1 + random_below(s, 2 + n / 4);
    }
    return suppression;
}

static void compare_study(random_study *s, size_t n_nodes)
{
    uint8_t *const levels = oracle_array(s->table.n_quasi, sizeof *levels);
    assert_int_equal(pv_study_budget(s->bound.study), s->budget);
    assert_int_equal(pv_profile_rows(s->profile), s->table.n_rows);
    for (size_t q = 0; q < s->table.n_quasi; q++) {
        assert_int_equal(pv_hierarchy_height(pv_study_hierarchy(s->bound.study, q)),
                         oracle_height(&s->table.quasi[q]));
    }
    for (size_t i = 0; i < n_nodes; i++) {
        random_levels(s, levels);
        compare_node(s, levels, random_suppression(s));
    }
    free(levels);
}

static void compare_shape(pv_rng *rng, const random_shape *shape, size_t n_nodes)
{
    random_study s;
    random_study_init(&s, rng, shape);
    compare_study(&s, n_nodes);
    random_study_deinit(&s);
}

/* Up to 40 rows, mostly few: the oracle takes its time with many. */
static random_shape small_shape(pv_rng *rng)
{
    const uint64_t most_rows = 1 + pv_i_rng_below(rng, 1 + pv_i_rng_below(rng, 40));
    return (random_shape){
        .n_rows = 1 + (size_t)pv_i_rng_below(rng, most_rows),
        .n_quasi = 1 + (size_t)pv_i_rng_below(rng, 4),
        .n_values = 1 + (size_t)pv_i_rng_below(rng, 7),
        .n_sensitive = (size_t)pv_i_rng_below(rng, 4),
        .label = pv_i_rng_below(rng, 2) == 0,
        .missing = pv_i_rng_below(rng, 2) == 0 ? 5 : 0,
        .heights = 1 + (unsigned)pv_i_rng_below(rng, 5),
        .uniform = pv_i_rng_below(rng, 2) == 0,
        .copies = pv_i_rng_below(rng, 3) == 0 ? 3 : 0,
    };
}

static void small_tables_agree(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 20240601);
    for (size_t i = 0; i < 1000; i++) {
        const random_shape shape = small_shape(&rng);
        compare_shape(&rng, &shape, 2);
    }
}

static void compare_often(uint64_t seed, size_t n_tables, const random_shape *shape)
{
    pv_rng rng;
    pv_i_rng_init(&rng, seed);
    for (size_t i = 0; i < n_tables; i++) {
        compare_shape(&rng, shape, 4);
    }
}

static void one_row_agrees(void **state)
{
    (void)state;
    compare_often(1, 8,
                  &(random_shape){.n_rows = 1,
                                  .n_quasi = 2,
                                  .n_values = 3,
                                  .n_sensitive = 2,
                                  .label = true,
                                  .missing = 3,
                                  .heights = 3});
}

static void constant_columns_agree(void **state)
{
    (void)state;
    compare_often(2, 8,
                  &(random_shape){.n_rows = 7,
                                  .n_quasi = 3,
                                  .n_values = 1,
                                  .n_sensitive = 1,
                                  .label = true,
                                  .heights = 4});
}

static void equal_rows_agree(void **state)
{
    (void)state;
    compare_often(3, 8,
                  &(random_shape){.n_rows = 12,
                                  .n_quasi = 3,
                                  .n_values = 5,
                                  .n_sensitive = 2,
                                  .label = true,
                                  .heights = 3,
                                  .copies = 1});
}

static void distinct_rows_agree(void **state)
{
    (void)state;
    compare_often(4, 4,
                  &(random_shape){.n_rows = 25,
                                  .n_quasi = 4,
                                  .n_values = 60,
                                  .full = true,
                                  .n_sensitive = 1,
                                  .label = true,
                                  .heights = 3,
                                  .uniform = true});
}

/* 60 quasi-identifiers of 150 values: 480 bits, hence keys of eight words. */
static void wide_keys_agree(void **state)
{
    (void)state;
    compare_often(5, 1,
                  &(random_shape){.n_rows = 40,
                                  .n_quasi = 60,
                                  .n_values = 150,
                                  .full = true,
                                  .n_sensitive = 1,
                                  .missing = 9,
                                  .heights = 3,
                                  .uniform = true,
                                  .copies = 2,
                                  .mostly_top = true});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_tables_agree),     cmocka_unit_test(one_row_agrees),
        cmocka_unit_test(constant_columns_agree), cmocka_unit_test(equal_rows_agree),
        cmocka_unit_test(distinct_rows_agree),    cmocka_unit_test(wide_keys_agree),
    };
    return cmocka_run_group_tests_name("measures against the oracle", tests, NULL, NULL);
}
