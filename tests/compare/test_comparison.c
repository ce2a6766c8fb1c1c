/* Comparisons of files against what brute force over their rows says, whoever made them. */
#include "support/comparison_trial.h"

enum { TRIALS = 40, N_RELEASES = 3 };

static const char *const properties[] = {
    "class-size",   "own-count", "distinct", "t-distance",   "risk",
    "leaf-utility", "glm",       "nwp",      "column:score", "-column:score",
};
enum { N_PROPERTIES = sizeof properties / sizeof *properties };

static const char *const paths[N_RELEASES] = {"comparison-trial-0.csv", "comparison-trial-1.csv",
                                              "comparison-trial-2.csv"};

typedef struct {
    trial_table original;
    trial_table releases[N_RELEASES];
    bound_study study;
    pv_comparison *comparison;
} trial;

/* Rows of which is asked what the releases show; trials have fewer than the last. */
static const uint64_t shown[] = {3, 0, 7, 3, 1000000};
enum { N_SHOWN = sizeof shown / sizeof *shown };

static void trial_create(trial *t, uint64_t seed, bool keyed)
{
    const char *const groups[] = {"c", "t"};
    const pv_comparison_options options = {.key = keyed ? "id" : NULL,
                                           .properties = properties,
                                           .n_properties = N_PROPERTIES,
                                           .groups = groups,
                                           .n_groups = 2,
                                           .shown = shown,
                                           .n_shown = N_SHOWN};
    const pv_context context = {.threads = 1 + (unsigned)seed % 3};
    pv_buffer csv = {0};
    pv_error error = {0};
    pv_rng rng;
    pv_i_rng_init(&rng, seed);
    trial_original(&rng, &t->original);
    trial_csv(&t->original, NULL, &csv);
    t->study = bound_study_create(trial_plan, csv.data);
    for (size_t i = 0; i < N_RELEASES; i++) {
        const trial_manner manner = trial_any_manner(&rng, keyed);
        trial_release(&rng, &t->original, &manner, &t->releases[i]);
        pv_i_buffer_clear(&csv);
        trial_csv(&t->releases[i], &manner, &csv);
        trial_write(paths[i], csv.data);
    }
    pv_i_buffer_deinit(&csv);
    bound_must(pv_comparison_open(t->study.study, paths, N_RELEASES, &options, &context,
                                  &t->comparison, &error),
               &error);
}

static void trial_free(trial *t)
{
    pv_comparison_free(t->comparison);
    bound_study_free(&t->study);
    for (size_t i = 0; i < N_RELEASES; i++) {
        (void)unlink(paths[i]);
    }
}

/* Where a release has a row of the original; its number of rows = nowhere. */
static size_t place_of(const trial_table *release, size_t original)
{
    size_t i = 0;
    while (i < release->n && release->rows[i].original != original) {
        i++;
    }
    return i;
}

static bool is_common(const trial *t, size_t original)
{
    bool common = true;
    for (size_t i = 0; i < N_RELEASES; i++) {
        common = common && place_of(&t->releases[i], original) < t->releases[i].n;
    }
    return common;
}

static void check_values(const trial *t, size_t release)
{
    const pv_vectors *const vectors = t->comparison->releases[release];
    size_t at = 0;
    assert_int_equal(vectors->n_properties, N_PROPERTIES);
    for (size_t original = 0; original < t->original.n; original++) {
        if (!is_common(t, original)) {
            continue;
        }
        const trial_table *const released = &t->releases[release];
        const trial_row *const row = &released->rows[place_of(released, original)];
        for (size_t p = 0; p < N_PROPERTIES; p++) {
            const double expected = trial_property(&t->original, released, row, properties[p]);
            const double value = pv_comparison_value(t->comparison, release, p, at);
            if (fabs(value - expected) > 1e-12) {
                fail_msg("%s of row %zu: %.17g, not %.17g", properties[p], original, value,
                         expected);
            }
        }
        at++;
    }
    assert_int_equal(t->comparison->n_rows, at);
}

static bool is_starred(const trial_row *row)
{
    return strcmp(row->quasi[0], "*") == 0 && strcmp(row->quasi[1], "*") == 0 &&
           strcmp(row->quasi[2], "*") == 0;
}

/* Rows are counted in the whole file, and people marked among those compared. */
static void check_suppressed(const trial *t, size_t release)
{
    const trial_table *const released = &t->releases[release];
    const pv_vectors *const vectors = t->comparison->releases[release];
    size_t starred = 0;
    uint64_t at = 0;
    for (size_t i = 0; i < released->n; i++) {
        starred += is_starred(&released->rows[i]);
    }
    const bool told = starred > 0 && starred < released->n;
    assert_int_equal(vectors->suppressed, told ? starred : 0);
    assert_int_equal(vectors->is_suppressed != NULL, told);
    for (size_t original = 0; told && original < t->original.n; original++) {
        if (is_common(t, original)) {
            const trial_row *const row = &released->rows[place_of(released, original)];
            assert_int_equal(vectors->is_suppressed[t->comparison->kind_of_row[at++]],
                             is_starred(row));
        }
    }
}

/* Rows that were asked for: cells as the file has them, the class counted in all of the file. */
static void check_shown(const trial *t, size_t release)
{
    static const char *const names[] = {"a", "b", "c"};
    const trial_table *const released = &t->releases[release];
    const pv_table *const original = pv_study_table(t->study.study);
    for (size_t i = 0; i < N_SHOWN; i++) {
        const pv_shown_row *const found = pv_comparison_shown_row(t->comparison, release, i);
        const size_t place = place_of(released, shown[i]);
        assert_int_equal(found != NULL, place < released->n);
        if (found == NULL) {
            continue;
        }
        const trial_row *const row = &released->rows[place];
        size_t alike = 0;
        size_t starred = 0;
        for (size_t other = 0; other < released->n; other++) {
            const trial_row *const one = &released->rows[other];
            bool same = true;
            for (size_t q = 0; q < 3; q++) {
                same = same && strcmp(one->quasi[q], row->quasi[q]) == 0;
            }
            alike += same;
            starred += is_starred(one);
        }
        assert_int_equal(found->class_size, alike);
        assert_int_equal(found->is_suppressed, is_starred(row) && starred < released->n);
        for (size_t q = 0; q < 3; q++) {
            assert_string_equal(found->cells[pv_table_find(original, names[q])], row->quasi[q]);
        }
    }
    assert_null(pv_comparison_shown_row(t->comparison, release, N_SHOWN));
}

/* The compared people of a kind who have a value. */
static uint64_t count_people(const trial *t, uint32_t kind, bool by_c, const char *value)
{
    uint64_t at = 0;
    uint64_t n = 0;
    for (size_t original = 0; original < t->original.n; original++) {
        const trial_row *const row = &t->original.rows[original];
        if (is_common(t, original) && t->comparison->kind_of_row[at++] == kind) {
            n += strcmp(by_c ? row->quasi[2] : row->sensitive[1], value) == 0;
        }
    }
    return n;
}

/* Largest first, and every compared row once per column. */
static void check_people(const trial *t)
{
    const pv_comparison *const c = t->comparison;
    uint64_t rows = 0;
    for (size_t i = 0; i < c->n_people; i++) {
        const pv_people *const people = &c->people[i];
        const bool by_c = strcmp(people->column, "c") == 0;
        const bool continues = i > 0 && strcmp(c->people[i - 1].column, people->column) == 0;
        uint64_t sum = 0;
        assert_true(people->n_rows > 0);
        assert_true(!continues || people->n_rows <= c->people[i - 1].n_rows);
        for (size_t j = 0; j < people->n_kinds; j++) {
            assert_true(people->n_of_kind[j] > 0);
            assert_int_equal(people->n_of_kind[j],
                             count_people(t, people->kinds[j], by_c, people->value));
            sum += people->n_of_kind[j];
        }
        assert_int_equal(sum, people->n_rows);
        rows += people->n_rows;
    }
    assert_int_equal(rows, 2 * c->n_rows);
}

/* Kinds count everyone once, and tell apart whoever is treated differently (check_values). */
static void check_kinds(const trial *t)
{
    const pv_comparison *const c = t->comparison;
    for (size_t kind = 0; kind < c->n_kinds; kind++) {
        uint64_t n = 0;
        for (uint64_t row = 0; row < c->n_rows; row++) {
            n += c->kind_of_row[row] == kind;
        }
        assert_true(n > 0);
        assert_int_equal(n, c->n_of_kind[kind]);
    }
}

static void check_trial(uint64_t seed, bool keyed)
{
    trial t = {0};
    trial_create(&t, seed, keyed);
    assert_int_equal(t.comparison->n_original, t.original.n);
    for (size_t i = 0; i < N_RELEASES; i++) {
        assert_int_equal(t.comparison->n_missing[i], t.original.n - t.releases[i].n);
        assert_string_equal(t.comparison->releases[i]->name, paths[i]);
        check_values(&t, i);
        check_suppressed(&t, i);
        check_shown(&t, i);
    }
    check_kinds(&t);
    check_people(&t);
    trial_free(&t);
}

static void files_in_the_same_order(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < TRIALS; seed++) {
        check_trial(seed, false);
    }
}

static void files_joined_by_a_key(void **state)
{
    (void)state;
    for (uint64_t seed = TRIALS; seed < (uint64_t)2 * TRIALS; seed++) {
        check_trial(seed, true);
    }
}

/* ------------------------------------------------- what this program releases */

static const char *released_text(const pv_classes *classes, uint64_t row, size_t q)
{
    const pv_profile *const profile = pv_classes_profile(classes);
    const size_t tuple = pv_profile_tuple(profile, row);
    const pv_hierarchy *const h = pv_study_hierarchy(pv_profile_study(profile), q);
    const unsigned level = pv_classes_level(classes, tuple, q);
    if (pv_classes_is_suppressed(classes, pv_classes_of_tuple(classes, tuple))) {
        return "*";
    }
    return pv_hierarchy_label(h, level,
                              pv_hierarchy_group(h, level, pv_profile_leaf(profile, tuple, q)));
}

static void write_classes(const pv_classes *classes, const trial_table *original, const char *path)
{
    pv_buffer csv = {0};
    pv_i_buffer_text(&csv, "a;b;c;s;t\n");
    for (size_t i = 0; i < original->n; i++) {
        pv_i_buffer_format(&csv, "\"%s\";%s;%s;%s;%s\n", released_text(classes, i, 0),
                           released_text(classes, i, 1), released_text(classes, i, 2),
                           original->rows[i].sensitive[0], original->rows[i].sensitive[1]);
    }
    assert_false(csv.failed);
    trial_write(path, csv.data);
    pv_i_buffer_deinit(&csv);
}

/* A value that occurs in suppressed rows only leaves no trace in the file. */
static bool every_value_remains(const pv_classes *classes, const trial_table *original)
{
    for (size_t q = 0; q < TRIAL_QUASIS; q++) {
        for (size_t i = 0; i < original->n; i++) {
            bool remains = false;
            for (size_t j = 0; j < original->n; j++) {
                remains = remains ||
                          (strcmp(original->rows[i].quasi[q], original->rows[j].quasi[q]) == 0 &&
                           strcmp(released_text(classes, j, q), "*") != 0);
            }
            const unsigned top = pv_hierarchy_height(
                pv_study_hierarchy(pv_profile_study(pv_classes_profile(classes)), q));
            if (!remains && pv_classes_levels(classes)[q] < top) {
                return false;
            }
        }
    }
    return true;
}

static size_t compare_with_memory(pv_rng *rng)
{
    const char *const path = "comparison-memory.csv";
    const size_t n = pv_n_properties();
    trial_table original;
    pv_buffer csv = {0};
    pv_error error = {0};
    pv_comparison *memory = NULL;
    pv_comparison *comparison = NULL;
    trial_original(rng, &original);
    trial_csv(&original, NULL, &csv);
    bound_study s = bound_study_create(trial_plan, csv.data);
    pv_profile *const profile = bound_profile(s.study, 1);
    uint8_t levels[TRIAL_QUASIS];
    for (size_t q = 0; q < TRIAL_QUASIS; q++) {
        levels[q] = (uint8_t)trial_below(rng, pv_hierarchy_height(pv_study_hierarchy(s.study, q)) +
                                                  (size_t)1);
    }
    pv_classes *const classes = bound_classes(profile, levels, trial_below(rng, original.n), 0);
    const bool details = every_value_remains(classes, &original);
    write_classes(classes, &original, path);
    bound_must(pv_comparison_open(s.study, &path, 1, NULL, NULL, &comparison, &error), &error);
    assert_int_equal(comparison->n_properties, n);
    bound_must(pv_comparison_begin(s.study, comparison->properties, n, &memory, &error), &error);
    bound_must(pv_comparison_add(memory, classes, "memory", NULL, &error), &error);
    assert_int_equal(memory->releases[0]->suppressed, comparison->releases[0]->suppressed);
    for (size_t p = 0; p < n; p++) {
        const bool is_detail = p >= 5;
        for (uint64_t row = 0; row < original.n && (details || !is_detail); row++) {
            const double in_file = pv_comparison_value(comparison, 0, p, row);
            const double in_memory = pv_comparison_value(memory, 0, p, row);
            /* A distance is a sum of shares, in an order that the table's decides. */
            const double rounding =
                strcmp(comparison->properties[p], "t-distance") == 0 ? 1e-12 : 0;
            if (fabs(in_memory - in_file) > rounding) {
                fail_msg("%s: %.17g in memory, %.17g in the file", comparison->properties[p],
                         in_memory, in_file);
            }
        }
    }
    pv_comparison_free(memory);
    pv_comparison_free(comparison);
    pv_classes_free(classes);
    pv_profile_free(profile);
    bound_study_free(&s);
    pv_i_buffer_deinit(&csv);
    (void)unlink(path);
    return details;
}

static void files_of_levels_are_as_in_memory(void **state)
{
    size_t n_details = 0;
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 5);
    for (size_t i = 0; i < 100; i++) {
        n_details += compare_with_memory(&rng);
    }
    assert_true(n_details > 0);
}

/* ------------------------------------------------------------- many values */

/* So many pairs of values that they are not counted in a table any more. */
static void many_values(void **state)
{
    static const char *const path = "comparison-values.csv";
    static const char *const property = "glm";
    enum { N = 4200, TOGETHER = 3 };
    const pv_comparison_options options = {.properties = &property, .n_properties = 1};
    pv_buffer csv = {0};
    pv_comparison *comparison = NULL;
    pv_error error = {0};
    (void)state;
    pv_i_buffer_text(&csv, "a,b\n");
    for (size_t i = 0; i < (size_t)TOGETHER * N; i++) {
        pv_i_buffer_format(&csv, "%zu,%zu\n", i, i % 2);
    }
    bound_study s = bound_study_create("attributes:\n  a: {role: quasi}\n", csv.data);
    pv_i_buffer_clear(&csv);
    pv_i_buffer_text(&csv, "a,b\n");
    for (size_t i = 0; i < (size_t)TOGETHER * N; i++) {
        pv_i_buffer_format(&csv, "g%zu,%zu\n", i % N, i % 2);
    }
    trial_write(path, csv.data);
    bound_must(pv_comparison_open(s.study, &path, 1, &options, NULL, &comparison, &error), &error);
    for (size_t i = 0; i < (size_t)TOGETHER * N; i++) {
        assert_true(pv_comparison_value(comparison, 0, 0, i) ==
                    -(double)(TOGETHER - 1) / (double)(TOGETHER * N - 1));
    }
    pv_comparison_free(comparison);
    bound_study_free(&s);
    pv_i_buffer_deinit(&csv);
    (void)unlink(path);
}

/* -------------------------------------------------------------- CMP table 1 */

static const char cmp_plan[] = "attributes:\n"
                               "  zip: {role: quasi, hierarchy: {mask: right}}\n"
                               "  age: {role: quasi}\n"
                               "  marital: {role: quasi}\n"
                               "  was: {role: sensitive}\n";
static const char cmp_original[] = "zip,age,marital,was\n" CMP_PEOPLE;
static const char *const cmp_releases[] = {
    "zip,age,marital\n1305*,(25-35],Married\n1326*,(35-45],Not Married\n1326*,(35-45],Not Married\n"
    "1305*,(25-35],Married\n1325*,(45-55],Not Married\n1325*,(45-55],Not Married\n"
    "1325*,(45-55],Not Married\n1305*,(25-35],Married\n1326*,(35-45],Not Married\n"
    "1325*,(45-55],Not Married\n",
    "zip,age,marital\n130**,(15-35],Married\n132**,(35-55],Not Married\n132**,(35-55],Not Married\n"
    "130**,(15-35],Married\n132**,(35-55],Not Married\n132**,(35-55],Not Married\n"
    "132**,(35-55],Not Married\n130**,(15-35],Married\n132**,(35-55],Not Married\n"
    "132**,(35-55],Not Married\n",
    "zip,age,marital\n13***,(20-40],*\n13***,(40-60],*\n13***,(20-40],*\n13***,(20-40],*\n"
    "13***,(40-60],*\n13***,(40-60],*\n13***,(40-60],*\n13***,(20-40],*\n13***,(40-60],*\n"
    "13***,(40-60],*\n",
};

/* Release by release: class size, own count, leaf utility in hundredths. */
static const int cmp_vectors[3][3][10] = {
    {{3, 3, 3, 3, 4, 4, 4, 3, 3, 4},
     {2, 2, 1, 2, 2, 1, 2, 1, 2, 1},
     {203, 170, 170, 203, 160, 160, 160, 203, 170, 160}},
    {{3, 7, 7, 3, 7, 7, 7, 3, 7, 7},
     {2, 3, 1, 2, 2, 1, 2, 1, 3, 3},
     {203, 97, 97, 203, 97, 97, 97, 203, 97, 97}},
    {{4, 6, 4, 4, 6, 6, 6, 4, 6, 6},
     {2, 3, 1, 2, 2, 1, 2, 1, 3, 3},
     {60, 40, 60, 60, 40, 40, 40, 60, 40, 40}},
};

static void published_vectors(void **state)
{
    static const char *const names[] = {"class-size", "own-count", "leaf-utility"};
    const pv_comparison_options options = {.properties = names, .n_properties = 3};
    bound_study s = bound_study_create(cmp_plan, cmp_original);
    pv_comparison *comparison = NULL;
    pv_error error = {0};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        trial_write(paths[i], cmp_releases[i]);
    }
    bound_must(pv_comparison_open(s.study, paths, 3, &options, NULL, &comparison, &error), &error);
    for (size_t i = 0; i < 3; i++) {
        for (size_t row = 0; row < 10; row++) {
            const double utility = pv_comparison_value(comparison, i, 2, row);
            assert_true(pv_comparison_value(comparison, i, 0, row) == cmp_vectors[i][0][row]);
            assert_true(pv_comparison_value(comparison, i, 1, row) == cmp_vectors[i][1][row]);
            assert_int_equal(lround(100 * utility), cmp_vectors[i][2][row]);
        }
        (void)unlink(paths[i]);
    }
    pv_comparison_free(comparison);
    bound_study_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_in_the_same_order),
        cmocka_unit_test(files_joined_by_a_key),
        cmocka_unit_test(files_of_levels_are_as_in_memory),
        cmocka_unit_test(many_values),
        cmocka_unit_test(published_vectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
