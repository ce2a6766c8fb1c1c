/* Comparing the library with the oracle, and with itself. */
#include "support/same_release.h"

#include "base/buffer.h"
#include "classes/grouping.h"
#include "support/oracle.h"
#include "support/oracle_measures.h"

/* What went wrong, in full: the table is small. */
static void compare_differ(const random_study *s, const oracle_release *r, const char *what,
                           double library, double oracle)
{
    print_error("%s is %.17g, the oracle says %.17g\n%s\n%s\nlevels", what, library, oracle,
                s->csv.data, s->text.data);
    for (size_t row = 0; row < (s->table.levels != NULL ? s->table.n_rows : 1); row++) {
        for (size_t q = 0; q < s->table.n_quasi; q++) {
            print_error(" %u", oracle_level(&s->table, row, q));
        }
        print_error("\n");
    }
    fail_msg("%zu rows suppressed", r->n_suppressed);
}

static size_t compare_class_of_row(const random_study *s, const pv_classes *classes, size_t row)
{
    return pv_classes_of_tuple(classes, pv_profile_tuple(s->profile, row));
}

/* Two rows share a class exactly if they look alike. */
static void compare_partition(const random_study *s, const oracle_release *r,
                              const pv_classes *classes)
{
    for (size_t row = 0; row < s->table.n_rows; row++) {
        const size_t c = compare_class_of_row(s, classes, row);
        assert_int_equal(pv_classes_size(classes, c), r->size[row]);
        assert_int_equal(pv_classes_is_suppressed(classes, c), r->suppressed[row]);
        assert_int_equal(c, compare_class_of_row(s, classes, r->look_alike[row]));
    }
}

void compare_classes(const random_study *s, const oracle_release *r, const pv_classes *classes)
{
    if (pv_classes_suppressed(classes) != r->n_suppressed) {
        compare_differ(s, r, "suppressed", (double)pv_classes_suppressed(classes),
                       (double)r->n_suppressed);
    }
    assert_int_equal(pv_classes_feasible(classes), r->feasible);
    assert_int_equal(pv_classes_k(classes), r->k);
    assert_int_equal(pv_classes_total(classes), r->n_classes);
    assert_int_equal(pv_classes_remaining(classes), r->n_remaining);
    compare_partition(s, r, classes);
}

/* =============================================================== measures */

bool compare_near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b)));
}

static double compare_parameter(random_study *s, const pv_measure *measure)
{
    static const double cs[] = {3, 2, 1, 0.5, 4.5};
    static const double thresholds[] = {0.2, 0.05, 0.34, 1, 0.5};
    const size_t i = random_below(s, 5);
    if (measure->parameter == NULL) {
        return 0;
    }
    return oracle_same(measure->name, "risk-above") ? thresholds[i] : cs[i];
}

static void compare_rows(const random_study *s, const oracle_release *r, pv_measure_ref ref,
                         const pv_classes *classes, const double *expected)
{
    double *const rows = oracle_array(s->table.n_rows, sizeof *rows);
    assert_int_equal(pv_measure_rows(ref, classes, rows, NULL), PV_STATUS_OK);
    for (size_t i = 0; i < s->table.n_rows; i++) {
        if (!compare_near(rows[i], expected[i])) {
            print_error("row %zu: ", i);
            compare_differ(s, r, ref.measure->name, rows[i], expected[i]);
        }
    }
    free(rows);
}

static void compare_measure(random_study *s, const oracle_release *r, const pv_measure *measure,
                            const pv_classes *classes)
{
    const oracle_measure *const oracle = oracle_find(measure->name);
    assert_non_null(oracle);
    assert_int_equal(measure->has_rows, oracle->row != NULL);
    pv_measure_ref ref = {.measure = measure, .parameter = compare_parameter(s, measure)};
    random_column(s, &ref);
    const size_t sensitive = random_column_of(&ref);
    oracle_table narrow;
    const oracle_release seen = sensitive != SIZE_MAX ? oracle_through(r, sensitive, &narrow) : *r;
    double *const rows = oracle_array(s->table.n_rows, sizeof *rows);
    double value = (double)NAN;
    if (measure->has_rows) {
        oracle_rows(oracle, &seen, ref.parameter, rows);
        compare_rows(s, r, ref, classes, rows);
    } else {
        assert_int_equal(pv_measure_rows(ref, classes, rows, NULL), PV_STATUS_ARGUMENT);
    }
    assert_int_equal(pv_measure_value(ref, classes, &value, NULL), PV_STATUS_OK);
    const double expected = oracle_value(oracle, &seen, rows);
    free(rows);
    if (!compare_near(value, expected)) {
        compare_differ(s, r, measure->name, value, expected);
    }
}

static bool compare_is_there(const oracle_table *table, unsigned needs)
{
    return (!(needs & PV_NEEDS_SENSITIVE) || table->n_sensitive > 0) &&
           (!(needs & PV_NEEDS_LABEL) || table->label != NULL);
}

/* A measure without what it needs refuses, and touches nothing. */
static void compare_unavailable(const pv_measure *measure, const pv_classes *classes)
{
    const pv_measure_ref ref = {.measure = measure, .parameter = measure->parameter_default};
    double value = -1;
    pv_error error = {0};
    assert_int_equal(pv_measure_value(ref, classes, &value, &error), PV_STATUS_ARGUMENT);
    assert_int_equal(error.status, PV_STATUS_ARGUMENT);
    assert_true(error.message[0] != '\0');
    assert_true(value == -1);
    assert_int_equal(pv_measure_rows(ref, classes, &value, NULL), PV_STATUS_ARGUMENT);
    assert_true(value == -1);
}

void compare_measures(random_study *s, const oracle_release *r, const pv_classes *classes)
{
    for (size_t i = 0; i < pv_n_measures(); i++) {
        const pv_measure *const measure = pv_measure_at(i);
        const bool available = compare_is_there(&s->table, measure->needs);
        assert_int_equal(pv_measure_available(measure, s->bound.study), available);
        if (available) {
            compare_measure(s, r, measure, classes);
        } else {
            compare_unavailable(measure, classes);
        }
    }
}

/* ======================================================== classes as text */

/* Lines that are sorted when all are there. */
typedef struct class_lines {
    char **lines;
    size_t n;
} class_lines;

static class_lines class_lines_create(size_t capacity)
{
    return (class_lines){.lines = oracle_array(capacity, sizeof(char *))};
}

static void class_lines_add(class_lines *l, pv_buffer *line)
{
    pv_i_buffer_char(line, '\n');
    l->lines[l->n++] = line->data; /* taken over */
    *line = (pv_buffer){0};
}

static int class_line_compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void class_lines_end(class_lines *l, pv_buffer *text)
{
    qsort(l->lines, l->n, sizeof *l->lines, class_line_compare);
    for (size_t i = 0; i < l->n; i++) {
        pv_buffer line = {.data = l->lines[i]};
        pv_i_buffer_text(text, l->lines[i]);
        pv_i_buffer_deinit(&line);
    }
    free(l->lines);
}

/* The columns to be told, by their number in the table. */
static size_t class_columns(const pv_study *study, const class_parts *parts, size_t *columns)
{
    const size_t label = pv_study_label_column(study);
    size_t n = 0;
    for (size_t i = 0; parts->sensitives && i < pv_study_sensitives(study); i++) {
        columns[n++] = pv_study_sensitive_column(study, i);
    }
    if (parts->label && label != SIZE_MAX) {
        columns[n++] = label;
    }
    return n;
}

static void class_summary(pv_buffer *text, size_t n_classes, size_t n_remaining,
                          uint64_t suppressed, uint64_t k, bool feasible, uint64_t largest,
                          uint64_t squares)
{
    pv_i_buffer_format(text, "%zu classes, %zu remain, %llu rows lost, k %llu, %s, ", n_classes,
                       n_remaining, (unsigned long long)suppressed, (unsigned long long)k,
                       feasible ? "feasible" : "infeasible");
    pv_i_buffer_format(text, "largest %llu, squares %llu\n", (unsigned long long)largest,
                       (unsigned long long)squares);
}

/* ------------------------------------------------------- from pv_classes_create */

static void class_expected_values(pv_buffer *line, const pv_classes *classes, size_t c,
                                  size_t column)
{
    const pv_profile *const profile = pv_classes_profile(classes);
    const pv_table *const table = pv_study_table(pv_profile_study(profile));
    const uint32_t n_codes = pv_table_values(table, column);
    unsigned *const counts = oracle_array(n_codes, sizeof *counts);
    for (uint64_t row = 0; row < pv_profile_rows(profile); row++) {
        counts[pv_table_code(table, column, row)] +=
            pv_classes_of_tuple(classes, pv_profile_tuple(profile, row)) == c;
    }
    pv_i_buffer_char(line, '|');
    for (uint32_t code = 0; code < n_codes; code++) {
        if (counts[code] > 0) {
            pv_i_buffer_format(line, " %u:%u", code, counts[code]);
        }
    }
    free(counts);
}

static void class_expected_lost(pv_buffer *line, const pv_classes *classes, size_t c)
{
    const pv_profile *const profile = pv_classes_profile(classes);
    const pv_study *const study = pv_profile_study(profile);
    size_t tuple = 0;
    while (pv_classes_of_tuple(classes, tuple) != c) {
        tuple++;
    }
    pv_i_buffer_format(line, "lost %llu:", (unsigned long long)pv_classes_size(classes, c));
    for (size_t q = 0; q < pv_study_quasis(study); q++) {
        pv_i_buffer_format(line, " %u",
                           pv_hierarchy_group(pv_study_hierarchy(study, q),
                                              pv_classes_levels(classes)[q],
                                              pv_profile_leaf(profile, tuple, q)));
    }
}

char *class_text_expected(const pv_classes *classes, const class_parts *parts)
{
    const size_t n = pv_classes_total(classes);
    class_lines lines = class_lines_create(2 * n);
    size_t columns[8];
    const size_t n_columns =
        class_columns(pv_profile_study(pv_classes_profile(classes)), parts, columns);
    pv_buffer text = {0};
    uint64_t largest = 0;
    uint64_t squares = 0;
    for (size_t c = 0; c < n; c++) {
        const uint64_t size = pv_classes_size(classes, c);
        pv_buffer line = {0};
        largest = size > largest ? size : largest;
        squares += size * size;
        pv_i_buffer_format(&line, "class of %llu", parts->sizes ? (unsigned long long)size : 0ULL);
        for (size_t i = 0; i < n_columns; i++) {
            class_expected_values(&line, classes, c, columns[i]);
        }
        class_lines_add(&lines, &line);
        if (pv_classes_is_suppressed(classes, c)) {
            class_expected_lost(&line, classes, c);
            class_lines_add(&lines, &line);
        }
    }
    class_summary(&text, n, pv_classes_remaining(classes), pv_classes_suppressed(classes),
                  pv_classes_k(classes), pv_classes_feasible(classes), largest, squares);
    class_lines_end(&lines, &text);
    return text.data;
}

/* ------------------------------------------------------------ from the evaluator */

static const pv_class_entries *class_find_entries(const pv_classes *view, size_t column)
{
    for (size_t i = 0; i < view->n_entries; i++) {
        if (view->entries[i].column == column) {
            return &view->entries[i];
        }
    }
    return NULL;
}

static void class_shown_values(pv_buffer *line, const pv_classes *view, size_t c, size_t column)
{
    const pv_class_entries *const e = class_find_entries(view, column);
    pv_i_buffer_char(line, '|');
    if (e == NULL) {
        pv_i_buffer_text(line, " nothing");
        return;
    }
    for (uint32_t i = e->start[c]; i < e->start[c + 1]; i++) {
        pv_i_buffer_format(line, " %u:%u", e->code[i], e->count[i]);
    }
}

/* What contradicts itself gets a line nobody expects. */
static void class_shown_lost(pv_buffer *line, const pv_classes *view, size_t i, bool by_size)
{
    const pv_packing *const packing = &view->profile->packing;
    const pv_lost_class *const lost = &view->lost[i];
    const pv_lost_class *const before = i > 0 ? &view->lost[i - 1] : NULL;
    const bool in_order =
        before == NULL || (by_size && before->size != lost->size ? before->size < lost->size
                                                                 : before->number < lost->number);
    const bool small = lost->size < view->smallest_kept;
    pv_i_buffer_format(line, "%s%s%llu:", in_order ? "lost " : "disorder ",
                       small ? "" : "although kept ", (unsigned long long)lost->size);
    for (size_t q = 0; q < packing->n_fields; q++) {
        pv_i_buffer_format(line, " %u",
                           pv_i_unpack(packing, view->lost_keys + i * packing->words, q));
    }
}

char *class_text_shown(const pv_classes *view, const class_parts *parts)
{
    class_lines lines = class_lines_create(view->n_classes + view->n_lost);
    size_t columns[8];
    const size_t n_columns = class_columns(view->profile->study, parts, columns);
    pv_buffer text = {0};
    for (size_t c = 0; c < view->n_classes; c++) {
        pv_buffer line = {0};
        pv_i_buffer_format(&line, "class of %llu",
                           parts->sizes ? (unsigned long long)view->size[c] : 0ULL);
        for (size_t i = 0; i < n_columns; i++) {
            class_shown_values(&line, view, c, columns[i]);
        }
        class_lines_add(&lines, &line);
    }
    for (size_t i = 0; i < view->n_lost; i++) {
        pv_buffer line = {0};
        class_shown_lost(&line, view, i, parts->by_size);
        if (parts->sizes && view->size[view->lost[i].number] != view->lost[i].size) {
            pv_i_buffer_text(&line, " of another size");
        }
        class_lines_add(&lines, &line);
    }
    class_summary(&text, view->n_classes, view->n_remaining, view->n_suppressed, view->k,
                  view->feasible, view->largest, (uint64_t)view->squares);
    class_lines_end(&lines, &text);
    return text.data;
}

void class_text_free(char *text)
{
    pv_buffer buffer = {.data = text};
    pv_i_buffer_deinit(&buffer);
}
