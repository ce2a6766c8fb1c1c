/* Tables whose equal rows were counted elsewhere, against the same tables row by row: every measure
 * of every scheme is the same, and so is what every person gets. */
#include "support/random_study.h"
#include "support/same_release.h"

#include "base/memory.h"
#include "classes/profile.h"
#include "table/column.h"

#define N_TABLES 400
#define N_SCHEMES 3

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The rows of a text without their numbers, equal ones once: what an engine would hand over. */
static pv_table *counted_table(random_study *s)
{
    char **const lines = random_array(s, s->shape.n_rows + 1, sizeof *lines);
    char *const copy = random_array(s, s->csv.size + 1, 1);
    pv_buffer text = {0};
    pv_table *table = NULL;
    pv_error error = {0};
    size_t n = 0;
    memcpy(copy, s->csv.data, s->csv.size);
    for (char *line = strtok(copy, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        lines[n++] = strchr(line, ',') + 1;
    }
    qsort(lines + 1, n - 1, sizeof *lines, by_text);
    pv_i_buffer_format(&text, "%s,rows\n", lines[0]);
    for (size_t i = 1, times = 1; i < n; i++, times++) {
        if (i + 1 == n || strcmp(lines[i], lines[i + 1]) != 0) {
            pv_i_buffer_format(&text, "%s,%zu\n", lines[i], times);
            times = 0;
        }
    }
    const pv_read_options options = {
        .delimiter = ',', .header = PV_CHOICE_YES, .quoting = PV_CHOICE_YES};
    bound_must(
        pv_table_read_memory("counted", text.data, text.size, &options, NULL, &table, &error),
        &error);
    bound_must(pv_i_table_take_counts(table, &error), &error);
    assert_int_equal(pv_table_rows(table), s->shape.n_rows);
    pv_i_buffer_deinit(&text);
    return table;
}

static bound_study counted_study(random_study *s, bool expanded)
{
    bound_study bound = {0};
    pv_error error = {0};
    char *const plan = random_array(s, s->text.size + 1, 1);
    memcpy(plan, s->text.data, s->text.size);
    char *const row = strstr(plan, "  row:"); /* a column that is not there */
    memmove(row, strchr(row, '\n') + 1, strlen(strchr(row, '\n') + 1) + 1);
    pv_table *const table = counted_table(s);
    if (expanded) {
        bound_must(pv_i_table_expand(table, &error), &error);
    }
    bound.plan = bound_plan(plan);
    bound_must(pv_study_bind(bound.plan, table, &bound.study, &error), &error);
    return bound;
}

static void same_rows(random_study *s, pv_measure_ref ref, const pv_classes *a, const pv_classes *b)
{
    const size_t n = s->shape.n_rows;
    double *const left = random_array(s, n, sizeof *left);
    double *const right = random_array(s, n, sizeof *right);
    pv_error error = {0};
    bound_must(pv_measure_rows(ref, a, left, &error), &error);
    bound_must(pv_measure_rows(ref, b, right, &error), &error);
    qsort(left, n, sizeof *left, by_value);
    qsort(right, n, sizeof *right, by_value);
    for (size_t i = 0; i < n; i++) {
        assert_true(compare_near(left[i], right[i]));
    }
}

static void same_measures(random_study *s, const pv_classes *a, const pv_classes *b)
{
    for (size_t i = 0; i < pv_n_measures(); i++) {
        const pv_measure *const measure = pv_measure_at(i);
        const pv_measure_ref ref = {.measure = measure, .parameter = measure->parameter_default};
        double left = 0;
        double right = 0;
        if (!pv_measure_available(measure, s->bound.study)) {
            continue;
        }
        const pv_status status = pv_measure_value(ref, a, &left, NULL);
        assert_int_equal(pv_measure_value(ref, b, &right, NULL), status);
        if (status == PV_STATUS_OK) {
            assert_true(compare_near(left, right));
        }
        if (status == PV_STATUS_OK && measure->has_rows) {
            same_rows(s, ref, a, b);
        }
    }
}

/* Rows are found through entries: what a row is released as is what its neighbours of the entry
 * are. */
static void rows_have_entries(const pv_profile *profile)
{
    const pv_table *const table = pv_study_table(profile->study);
    uint64_t *const count = pv_i_malloc((profile->n_tuples + 1) * sizeof *count);
    memset(count, 0, profile->n_tuples * sizeof *count);
    for (uint64_t row = 0; row < profile->n_rows; row++) {
        const uint64_t entry = pv_i_table_entry(table, row);
        assert_true(entry < pv_i_table_entries(table) && row < profile->ends[entry]);
        assert_true(entry == 0 || row >= profile->ends[entry - 1]);
        count[pv_profile_tuple(profile, row)]++;
    }
    for (size_t t = 0; t < profile->n_tuples; t++) {
        assert_int_equal(count[t], profile->count[t]);
    }
    pv_i_free(count);
}

/* Parts of tuples, as many rows in each as chance wants. */
static pv_profile *divided_at_random(random_study *s, const pv_profile *profile, uint64_t seed)
{
    uint32_t *const part_tuple = random_array(s, profile->n_rows, sizeof *part_tuple);
    uint64_t *const part_rows = random_array(s, profile->n_rows, sizeof *part_rows);
    pv_profile *divided = NULL;
    pv_error error = {0};
    pv_rng rng;
    size_t n = 0;
    pv_i_rng_init(&rng, seed);
    for (size_t t = 0; t < profile->n_tuples; t++) {
        for (uint64_t left = profile->count[t]; left > 0; n++) {
            part_tuple[n] = (uint32_t)t;
            part_rows[n] = 1 + pv_i_rng_below(&rng, left);
            left -= part_rows[n];
        }
    }
    bound_must(pv_i_profile_divide(profile, part_tuple, part_rows, n, &divided, &error), &error);
    return divided;
}

/* Against the same table with its entries made rows: there rows are divided one by one. */
static void same_when_divided(random_study *s, const pv_profile *profile)
{
    bound_study expanded = counted_study(s, true);
    pv_profile *const rows = bound_profile(expanded.study, 1);
    const uint64_t seed = random_below(s, 1000);
    pv_profile *const a = divided_at_random(s, rows, seed);
    pv_profile *const b = divided_at_random(s, profile, seed);
    uint8_t levels[ORACLE_LEVELS * 4];
    assert_null(rows->ends);
    assert_int_equal(a->n_tuples, b->n_tuples);
    for (uint64_t row = 0; row < a->n_rows; row++) {
        assert_int_equal(pv_profile_tuple(a, row), pv_profile_tuple(b, row));
    }
    random_levels(s, levels);
    pv_classes *const left = bound_classes(a, levels, s->budget, 2);
    pv_classes *const right = bound_classes(b, levels, s->budget, 2);
    same_measures(s, left, right);
    pv_classes_free(left);
    pv_classes_free(right);
    pv_profile_free(a);
    pv_profile_free(b);
    pv_profile_free(rows);
    bound_study_free(&expanded);
}

static void trial(pv_rng *rng)
{
    const random_shape shape = {.n_rows = 1 + pv_i_rng_below(rng, 60),
                                .n_quasi = 1 + pv_i_rng_below(rng, 4),
                                .n_values = 1 + pv_i_rng_below(rng, 6),
                                .n_sensitive = pv_i_rng_below(rng, 4),
                                .label = pv_i_rng_below(rng, 2) == 0,
                                .missing = 9 * (unsigned)pv_i_rng_below(rng, 2),
                                .heights = 3,
                                .copies = 2 * (unsigned)pv_i_rng_below(rng, 2)};
    random_study s = {0};
    random_study_init(&s, rng, &shape);
    bound_study counted = counted_study(&s, false);
    pv_profile *const profile = bound_profile(counted.study, 1);
    assert_int_equal(profile->n_rows, s.profile->n_rows);
    assert_int_equal(profile->n_tuples, s.profile->n_tuples);
    rows_have_entries(profile);
    for (size_t i = 0; i < N_SCHEMES; i++) {
        uint8_t levels[ORACLE_LEVELS * 4];
        random_levels(&s, levels);
        pv_classes *const a = bound_classes(s.profile, levels, s.budget, 2);
        pv_classes *const b = bound_classes(profile, levels, s.budget, 2);
        same_measures(&s, a, b);
        pv_classes_free(a);
        pv_classes_free(b);
    }
    same_when_divided(&s, profile);
    pv_profile_free(profile);
    bound_study_free(&counted);
    random_study_deinit(&s);
}

static void counted_is_as_good_as_rows(void **state)
{
    (void)state;
    pv_rng rng;
    pv_i_rng_init(&rng, 7);
    for (size_t i = 0; i < effort(N_TABLES); i++) {
        trial(&rng);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(counted_is_as_good_as_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
