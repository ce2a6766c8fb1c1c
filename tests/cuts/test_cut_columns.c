/* Columns that are counted in the classes of cut schemes: how often each value occurs in each
 * class, against the rows one by one; the limits; and that counting them changes nothing else. */
#include "support/cut_oracle.h"
#include "support/random_study.h"
#include "support/testing.h"

#include "cuts/cut_table.h"

#define PLENTY (UINT64_C(1) << 30)

typedef struct {
    random_study study;
    cut_oracle oracle;
    pv_cut_space space;
    size_t columns[3]; /* the sensitive ones and the label */
    const char *const *cells[3];
    size_t n_columns;
    pv_cut_table table;
    pv_cut_scratch scratch;
    pv_cut_class_scratch room;
    uint8_t *cuts;
} fixture;

static void find_columns(fixture *f)
{
    const pv_study *const study = f->study.bound.study;
    for (size_t i = 0; i < pv_study_sensitives(study); i++) {
        f->cells[f->n_columns] = f->study.table.sensitive[i].cells;
        f->columns[f->n_columns++] = pv_study_sensitive_column(study, i);
    }
    if (pv_study_label_column(study) != SIZE_MAX) {
        f->cells[f->n_columns] = f->study.table.label;
        f->columns[f->n_columns++] = pv_study_label_column(study);
    }
}

static void fixture_init(fixture *f, pv_rng *rng, const random_shape *shape, uint64_t memory)
{
    pv_error error = {0};
    *f = (fixture){0};
    random_study_init(&f->study, rng, shape);
    cut_oracle_init(&f->oracle, f->study.bound.study);
    find_columns(f);
    bound_must(pv_i_cut_space_init(&f->space, f->study.bound.study, false, &error), &error);
    bound_must(pv_i_cut_table_init_counting(&f->table, f->study.profile, &f->space, f->columns,
                                            f->n_columns, memory, &error),
               &error);
    assert_true(pv_i_cut_scratch_init(&f->scratch, &f->table));
    assert_true(pv_i_cut_class_scratch_init(&f->room, &f->table));
    f->cuts = oracle_array(f->space.n_bits, 1);
}

static void fixture_deinit(fixture *f)
{
    free(f->cuts);
    pv_i_cut_class_scratch_deinit(&f->room);
    pv_i_cut_class_scratch_deinit(&f->room); /* once more does no harm */
    pv_i_cut_scratch_deinit(&f->scratch);
    pv_i_cut_table_deinit(&f->table);
    pv_i_cut_space_deinit(&f->space);
    cut_oracle_deinit(&f->oracle);
    random_study_deinit(&f->study);
}

/* ------------------------------------------------------------------ classes */

/* The rows of a class, by its leader: how many, and how many have the leader's value in a column,
 * given as some row that has it. */
static uint64_t naive_count(const fixture *f, size_t leader, size_t column, size_t like)
{
    uint64_t n = 0;
    for (size_t row = 0; row < f->oracle.n_rows; row++) {
        n += cut_oracle_one_class(&f->oracle, f->cuts, SIZE_MAX, leader, row) &&
             (like == SIZE_MAX || oracle_same(f->cells[column][row], f->cells[column][like]));
    }
    return n;
}

/* The count of a value in a class of the library; every value stands there at most once. */
static uint64_t entry_count(const pv_class_entries *entries, size_t c, uint32_t code)
{
    uint64_t n = 0;
    size_t found = 0;
    for (uint32_t e = entries->start[c]; e < entries->start[c + 1]; e++) {
        if (entries->code[e] == code) {
            n += entries->count[e];
            found++;
        }
    }
    assert_true(found <= 1 && (found == 0 || n > 0));
    return n;
}

static bool is_leader(const fixture *f, size_t row)
{
    for (size_t i = 0; i < row; i++) {
        if (cut_oracle_one_class(&f->oracle, f->cuts, SIZE_MAX, i, row)) {
            return false;
        }
    }
    return true;
}

/* Does a class of the library have the rows' counts of every value of every column? */
static bool is_class_of(const fixture *f, const pv_classes *classes, size_t c, size_t leader)
{
    const pv_table *const table = pv_study_table(f->study.bound.study);
    bool same = classes->size[c] == naive_count(f, leader, 0, SIZE_MAX);
    for (size_t column = 0; same && column < f->n_columns; column++) {
        for (size_t row = 0; same && row < f->oracle.n_rows; row++) {
            const uint32_t code = pv_table_code(table, f->columns[column], row);
            same = entry_count(&classes->entries[column], c, code) ==
                   naive_count(f, leader, column, row);
        }
    }
    return same;
}

/* Every class of the rows is one of the library, which has no others. */
static void expect_classes(fixture *f)
{
    pv_classes classes;
    size_t n = 0;
    assert_true(
        pv_i_cut_classes(&f->table, &f->scratch, &f->room, f->study.profile, f->cuts, &classes));
    bool *const taken = oracle_array(classes.n_classes, sizeof *taken);
    for (size_t row = 0; row < f->oracle.n_rows; row++) {
        if (is_leader(f, row)) {
            size_t c = 0;
            while (c < classes.n_classes && (taken[c] || !is_class_of(f, &classes, c, row))) {
                c++;
            }
            assert_true(c < classes.n_classes);
            taken[c] = true;
            n++;
        }
    }
    assert_int_equal(classes.n_classes, n);
    assert_int_equal(classes.n_remaining, n);
    assert_int_equal(classes.n_entries, f->n_columns);
    free(taken);
}

static void random_cuts(const fixture *f, pv_rng *rng)
{
    const uint64_t tenths = pv_i_rng_below(rng, 11);
    for (size_t a = 0; a < f->space.n_axes; a++) {
        const pv_cut_axis *const axis = &f->space.axes[a];
        const bool merged = pv_i_rng_below(rng, 3) == 0;
        for (size_t i = 0; i + 1 < axis->n; i++) {
            f->cuts[axis->first_bit + i] = !merged && pv_i_rng_below(rng, 10) < tenths;
        }
    }
}

/* Sizes are those of a table that counts no columns. */
static void expect_sizes(fixture *f)
{
    const cut_oracle_sizes expected = cut_oracle_count(&f->oracle, f->cuts);
    pv_cut_sizes sizes;
    assert_true(pv_i_cut_count(&f->table, &f->scratch, f->cuts, &sizes));
    assert_int_equal(sizes.smallest, expected.smallest);
    assert_int_equal(sizes.largest, expected.largest);
    assert_int_equal(sizes.n_classes, expected.n_classes);
}

static void expect_intervals(fixture *f, size_t axis, uint64_t k)
{
    const uint32_t n = f->space.axes[axis].n;
    bool *const too_small = oracle_array((size_t)n * n, sizeof *too_small);
    assert_true(pv_i_cut_too_small(&f->table, &f->scratch, axis, f->cuts, k, too_small));
    for (uint32_t first = 0; first < n; first++) {
        for (uint32_t last = first; last < n; last++) {
            assert_int_equal(too_small[(size_t)first * n + last],
                             cut_oracle_too_small(&f->oracle, axis, f->cuts, k, first, last));
        }
    }
    free(too_small);
}

static random_shape small_shape(pv_rng *rng)
{
    return (random_shape){.n_rows = 1 + (size_t)pv_i_rng_below(rng, 30),
                          .n_quasi = 1 + (size_t)pv_i_rng_below(rng, 4),
                          .n_values = 1 + (size_t)pv_i_rng_below(rng, 6),
                          .n_sensitive = (size_t)pv_i_rng_below(rng, 3),
                          .label = pv_i_rng_below(rng, 2) == 1,
                          .missing = (unsigned)pv_i_rng_below(rng, 2) * 7,
                          .heights = 3,
                          .granular = pv_i_rng_below(rng, 2) == 1,
                          .uniform = pv_i_rng_below(rng, 2) == 0,
                          .copies = (unsigned)pv_i_rng_below(rng, 2) * 2};
}

static void values_are_counted_in_classes(void **state)
{
    static const uint64_t memories[] = {0, 1, 700, PLENTY};
    pv_rng rng;
    pv_i_rng_init(&rng, 611);
    (void)state;
    for (size_t round = 0; round < effort(120); round++) {
        const random_shape shape = small_shape(&rng);
        fixture f;
        fixture_init(&f, &rng, &shape, memories[round % 4]);
        for (int i = 0; i < 4; i++) {
            random_cuts(&f, &rng);
            expect_classes(&f);
            expect_sizes(&f);
            expect_intervals(&f, (size_t)pv_i_rng_below(&rng, f.space.n_axes),
                             pv_i_rng_below(&rng, 5));
        }
        memset(f.cuts, 0, f.space.n_bits);
        expect_classes(&f);
        memset(f.cuts, 1, f.space.n_bits);
        expect_classes(&f);
        fixture_deinit(&f);
    }
}

/* Keys of so many attributes must be renumbered, with the columns beside them. */
static void many_attributes_are_counted(void **state)
{
    const random_shape shape = {.n_rows = 40,
                                .n_quasi = 61,
                                .n_values = 5,
                                .full = true,
                                .n_sensitive = 2,
                                .label = true,
                                .heights = 2,
                                .copies = 2};
    pv_rng rng;
    fixture f;
    pv_i_rng_init(&rng, 612);
    fixture_init(&f, &rng, &shape, PLENTY);
    (void)state;
    assert_int_equal(f.space.n_axes + f.n_columns, PV_MOST_CUT_AXES);
    for (int i = 0; i < 3; i++) {
        random_cuts(&f, &rng);
        expect_classes(&f);
        expect_sizes(&f);
    }
    fixture_deinit(&f);
}

/* ------------------------------------------------------------------- limits */

/* A table of so many quasi-identifiers and other columns, the values of which are row numbers. */
static bound_study wide_study(size_t n_axes, size_t n_columns, size_t n_rows)
{
    pv_buffer plan = {0};
    pv_buffer csv = {0};
    pv_i_buffer_text(&plan, "attributes:\n");
    for (size_t i = 0; i < n_axes + n_columns; i++) {
        pv_i_buffer_format(&plan, "  c%zu: {role: %s}\n", i, i < n_axes ? "quasi" : "sensitive");
        pv_i_buffer_format(&csv, "%sc%zu", i > 0 ? "," : "", i);
    }
    for (size_t row = 0; row < n_rows; row++) {
        for (size_t i = 0; i < n_axes + n_columns; i++) {
            pv_i_buffer_format(&csv, "%c%zu", i > 0 ? ',' : '\n', i < n_axes ? row % 2 : row);
        }
    }
    pv_i_buffer_char(&csv, '\n');
    const bound_study s = bound_study_create(plan.data, csv.data);
    pv_i_buffer_deinit(&plan);
    pv_i_buffer_deinit(&csv);
    return s;
}

/* Counts all sensitive columns. */
static pv_status count_all(bound_study *s, pv_error *error)
{
    pv_profile *const profile = bound_profile(s->study, 1);
    size_t columns[PV_MOST_CUT_COLUMNS + 2];
    const size_t n = pv_study_sensitives(s->study);
    pv_cut_space space;
    pv_cut_table table;
    assert_true(n <= PV_MOST_CUT_COLUMNS + 2);
    for (size_t i = 0; i < n; i++) {
        columns[i] = pv_study_sensitive_column(s->study, i);
    }
    bound_must(pv_i_cut_space_init(&space, s->study, false, error), error);
    const pv_status status =
        pv_i_cut_table_init_counting(&table, profile, &space, columns, n, PLENTY, error);
    assert_true(status != PV_STATUS_OK || table.n_columns == n);
    pv_i_cut_table_deinit(&table); /* also when there is none */
    pv_i_cut_space_deinit(&space);
    pv_profile_free(profile);
    return status;
}

static void expect_limit(size_t n_axes, size_t n_columns, size_t n_rows, pv_status expected)
{
    bound_study s = wide_study(n_axes, n_columns, n_rows);
    pv_error error = {0};
    const pv_status status = count_all(&s, &error);
    assert_int_equal(status, expected);
    assert_int_equal(error.message[0] != '\0', expected != PV_STATUS_OK);
    bound_study_free(&s);
}

static void there_are_limits(void **state)
{
    (void)state;
    expect_limit(1, PV_MOST_CUT_COLUMNS, 4, PV_STATUS_OK);
    expect_limit(1, PV_MOST_CUT_COLUMNS + 1, 4, PV_STATUS_LIMIT);
    expect_limit(PV_MOST_CUT_AXES - 3, 3, 4, PV_STATUS_OK);
    expect_limit(PV_MOST_CUT_AXES - 3, 4, 4, PV_STATUS_LIMIT);
    expect_limit(PV_MOST_CUT_AXES, 0, 4, PV_STATUS_OK);
    expect_limit(PV_MOST_CUT_AXES, 1, 4, PV_STATUS_LIMIT);
    expect_limit(PV_MOST_CUT_AXES + 1, 0, 4, PV_STATUS_LIMIT);
    expect_limit(1, 1, UINT16_MAX, PV_STATUS_OK);
    expect_limit(1, 1, UINT16_MAX + 1, PV_STATUS_LIMIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_counted_in_classes),
        cmocka_unit_test(many_attributes_are_counted),
        cmocka_unit_test(there_are_limits),
    };
    return cmocka_run_group_tests_name("columns counted with cuts", tests, NULL, NULL);
}
