/* Random small files against a naive second opinion: every row compared with every row, every
 * formula written down as its definition says. */
#include "support/audit_support.h"

#include "base/buffer.h"
#include "base/rng.h"

#define MAX_ROWS 40
#define MAX_QUASI 6
#define MAX_SENSITIVE 2
#define N_FILES 100

/* A table as it was meant; `file` has it as text. */
typedef struct {
    size_t rows, n_quasi, n_sensitive;
    bool has_label;
    pv_distance distances[MAX_SENSITIVE]; /* what AUTO must come to */
    const char *quasi[MAX_ROWS][MAX_QUASI];
    const char *sensitive[MAX_ROWS][MAX_SENSITIVE];
    const char *label[MAX_ROWS];
} table;

/* ---- making one ---- */

static const char *const plain_values[] = {"a", "*", "b", "c"};
static const char *const odd_values[] = {"*", "x,y", "say \"hi\"", "two\nlines", "NA",
                                         "",  "?",   "1;2",        "a|b",        "*a"};
static const char *const texts[] = {"flu", "cold, bad", "NA", "gout", ""};
static const char *const numbers[] = {"9", "10", "-3", "2.5", "?", "100"};
static const char *const dates[] = {"31.12.1999", "2000-01-01", "2000/02/29", "NA"};

#define PICK(rng, list) ((list)[pv_i_rng_below(rng, sizeof(list) / sizeof *(list))])

static const char *pick_sensitive(pv_rng *rng, uint64_t kind)
{
    switch (kind) {
    case 0: return PICK(rng, texts);
    case 1: return PICK(rng, numbers);
    default: return PICK(rng, dates);
    }
}

static void make_table(pv_rng *rng, table *t)
{
    *t = (table){.rows = 1 + pv_i_rng_below(rng, MAX_ROWS),
                 .n_quasi = 1 + pv_i_rng_below(rng, MAX_QUASI),
                 .n_sensitive = pv_i_rng_below(rng, MAX_SENSITIVE + 1),
                 .has_label = pv_i_rng_below(rng, 2) == 0};
    const bool odd = pv_i_rng_below(rng, 3) == 0;
    const uint64_t suppress = pv_i_rng_below(rng, 4); /* of ten rows */
    const uint64_t kinds[MAX_SENSITIVE] = {pv_i_rng_below(rng, 3), pv_i_rng_below(rng, 3)};
    for (size_t i = 0; i < t->rows; i++) {
        const bool star = pv_i_rng_below(rng, 10) < suppress;
        for (size_t j = 0; j < t->n_quasi; j++) {
            const char *const value = odd ? PICK(rng, odd_values) : PICK(rng, plain_values);
            t->quasi[i][j] = star ? "*" : value;
        }
        for (size_t j = 0; j < t->n_sensitive; j++) {
            t->sensitive[i][j] = pick_sensitive(rng, kinds[j]);
        }
        t->label[i] = PICK(rng, plain_values);
    }
    for (size_t j = 0; j < t->n_sensitive; j++) {
        t->distances[j] = kinds[j] == 0 ? PV_DISTANCE_EQUAL : PV_DISTANCE_ORDERED;
    }
}

/* ---- writing it ---- */

typedef struct {
    pv_rng *rng;
    char delimiter;
    const char *line_end;
    pv_buffer text;
    bool line_starts;
} writer;

static void put(writer *w, const char *value)
{
    if (!w->line_starts) {
        pv_i_buffer_char(&w->text, w->delimiter);
    }
    w->line_starts = false;
    const bool needed = strpbrk(value, ",;\t|\"\n") != NULL || *value == '\0';
    if (!needed && pv_i_rng_below(w->rng, 5) > 0) {
        pv_i_buffer_text(&w->text, value);
        return;
    }
    pv_i_buffer_char(&w->text, '"');
    for (; *value != '\0'; value++) {
        pv_i_buffer_text(&w->text, *value == '"' ? "\"" : "");
        pv_i_buffer_char(&w->text, *value);
    }
    pv_i_buffer_char(&w->text, '"');
}

static void end_line(writer *w)
{
    pv_i_buffer_text(&w->text, w->line_end);
    w->line_starts = true;
}

static const char *const quasi_names[] = {"q0", "q1", "q2", "q3", "q4", "q5"};
static const char *const sensitive_names[] = {"s0", "s1"};

/* Columns interleaved, with one nobody asked for. */
static void write_table(writer *w, const table *t)
{
    for (size_t i = 0; i <= t->rows; i++) {
        for (size_t j = 0; j < t->n_sensitive; j++) {
            put(w, i == 0 ? sensitive_names[j] : t->sensitive[i - 1][j]);
        }
        put(w, i == 0 ? "other" : PICK(w->rng, odd_values));
        for (size_t j = 0; j < t->n_quasi; j++) {
            put(w, i == 0 ? quasi_names[j] : t->quasi[i - 1][j]);
        }
        put(w, i == 0 ? "label" : t->label[i - 1]);
        if (i < t->rows || pv_i_rng_below(w->rng, 2) == 0) {
            end_line(w);
        }
        if (i < t->rows && pv_i_rng_below(w->rng, 10) == 0) {
            end_line(w); /* a blank line */
        }
    }
}

/* ---- the second opinion ---- */

static bool is_missing(const char *value)
{
    return *value == '\0' || strcmp(value, "NA") == 0 || strcmp(value, "?") == 0;
}

static bool is_star(const char *value)
{
    return strcmp(value, "*") == 0;
}

static bool same(const char *a, const char *b)
{
    return strcmp(a, b) == 0 || (is_missing(a) && is_missing(b));
}

static bool same_class(const table *t, size_t a, size_t b)
{
    for (size_t j = 0; j < t->n_quasi; j++) {
        if (!same(t->quasi[a][j], t->quasi[b][j])) {
            return false;
        }
    }
    return true;
}

static bool consistent(const table *t, size_t a, size_t b)
{
    for (size_t j = 0; j < t->n_quasi; j++) {
        const char *const x = t->quasi[a][j];
        const char *const y = t->quasi[b][j];
        if (!is_star(x) && !is_star(y) && !same(x, y)) {
            return false;
        }
    }
    return true;
}

static bool all_stars(const table *t, size_t row)
{
    for (size_t j = 0; j < t->n_quasi; j++) {
        if (!is_star(t->quasi[row][j])) {
            return false;
        }
    }
    return true;
}

static bool suppressed(const table *t, size_t row)
{
    bool another = false;
    for (size_t i = 0; i < t->rows; i++) {
        another = another || !all_stars(t, i);
    }
    return another && all_stars(t, row);
}

static double class_size(const table *t, size_t row)
{
    double n = 0;
    for (size_t i = 0; i < t->rows; i++) {
        n += same_class(t, i, row);
    }
    return n;
}

/* Rows of `row`'s class with the sensitive value of `like`. */
static double count_value(const table *t, size_t row, size_t column, size_t like)
{
    double n = 0;
    for (size_t i = 0; i < t->rows; i++) {
        n += same_class(t, i, row) && same(t->sensitive[i][column], t->sensitive[like][column]);
    }
    return n;
}

static double table_share(const table *t, size_t column, size_t like)
{
    double n = 0;
    for (size_t i = 0; i < t->rows; i++) {
        n += same(t->sensitive[i][column], t->sensitive[like][column]);
    }
    return n / (double)t->rows;
}

/* Is this the first row with its sensitive value? */
static bool first_of_value(const table *t, size_t column, size_t row)
{
    for (size_t i = 0; i < row; i++) {
        if (same(t->sensitive[i][column], t->sensitive[row][column])) {
            return false;
        }
    }
    return true;
}

static double sort_value(const char *value)
{
    int a;
    int b;
    int c;
    if (is_missing(value)) {
        return HUGE_VAL;
    }
    if (sscanf(value, "%2d.%2d.%4d", &c, &b, &a) == 3 && strlen(value) == 10) {
        return a * 372 + b * 31 + c;
    }
    if (strlen(value) == 10 && sscanf(value, "%4d%*c%2d%*c%2d", &a, &b, &c) == 3) {
        return a * 372 + b * 31 + c;
    }
    return strtod(value, NULL);
}

/* How often the value of a row is in the class of another, if it is the first with it and a value
 * at all: a missing one is none. */
static double count_first(const table *t, size_t row, size_t column, size_t i)
{
    return first_of_value(t, column, i) && !is_missing(t->sensitive[i][column])
               ? count_value(t, row, column, i)
               : 0;
}

static double l_distinct(const table *t, size_t row, size_t column)
{
    double n = 0;
    for (size_t i = 0; i < t->rows; i++) {
        n += count_first(t, row, column, i) > 0;
    }
    return n;
}

static double l_entropy(const table *t, size_t row, size_t column)
{
    double product = 1;
    double total = 0;
    for (size_t i = 0; i < t->rows; i++) {
        total += count_first(t, row, column, i);
    }
    for (size_t i = 0; i < t->rows; i++) {
        const double n = count_first(t, row, column, i);
        if (n > 0) {
            product *= pow(total / n, n / total);
        }
    }
    return total > 0 ? product : 0;
}

static double l_recursive(const table *t, size_t row, size_t column, double c)
{
    double counts[MAX_ROWS];
    size_t m = 0;
    for (size_t i = 0; i < t->rows; i++) {
        const double n = count_first(t, row, column, i);
        size_t at = m;
        if (n > 0) {
            for (; at > 0 && counts[at - 1] < n; at--) {
                counts[at] = counts[at - 1];
            }
            counts[at] = n;
            m++;
        }
    }
    double best = 0;
    for (size_t l = 1; l <= m; l++) {
        double tail = 0;
        for (size_t i = l - 1; i < m; i++) {
            tail += counts[i];
        }
        best = counts[0] < c * tail ? (double)l : best;
    }
    return best;
}

static double surplus(const table *t, size_t row, size_t column, size_t like)
{
    return count_value(t, row, column, like) / class_size(t, row) - table_share(t, column, like);
}

static double t_closeness(const table *t, size_t row, size_t column)
{
    double halves = 0;
    double steps = 0;
    double m = 0;
    for (size_t i = 0; i < t->rows; i++) {
        if (first_of_value(t, column, i)) {
            double cumulative = 0;
            for (size_t j = 0; j < t->rows; j++) {
                if (first_of_value(t, column, j) &&
                    sort_value(t->sensitive[j][column]) <= sort_value(t->sensitive[i][column])) {
                    cumulative += surplus(t, row, column, j);
                }
            }
            m++;
            steps += fabs(cumulative);
            halves += fabs(surplus(t, row, column, i)) / 2;
        }
    }
    if (t->distances[column] == PV_DISTANCE_EQUAL) {
        return halves;
    }
    return m > 1 ? steps / (m - 1) : 0;
}

/* Rows of a class with the most frequent label. */
static double majority(const table *t, size_t row)
{
    double most = 0;
    for (size_t i = 0; i < t->rows; i++) {
        double n = 0;
        for (size_t j = 0; j < t->rows; j++) {
            n += same_class(t, j, row) && same(t->label[j], t->label[i]);
        }
        most = fmax(most, n);
    }
    return most;
}

/* ---- comparing ---- */

static void compare_sensitive(const table *t, const pv_audit *audit)
{
    double distinct = HUGE_VAL;
    double entropy = HUGE_VAL;
    double recursive = HUGE_VAL;
    double closeness = 0;
    double sum_l = 0;
    for (size_t i = 0; i < t->rows; i++) {
        double own = HUGE_VAL;
        for (size_t s = 0; s < t->n_sensitive; s++) {
            own = fmin(own, count_value(t, i, s, i));
            if (!suppressed(t, i)) {
                distinct = fmin(distinct, l_distinct(t, i, s));
                entropy = fmin(entropy, l_entropy(t, i, s));
                recursive = fmin(recursive, l_recursive(t, i, s, 3));
                closeness = fmax(closeness, t_closeness(t, i, s));
            }
        }
        sum_l += own;
    }
    assert_near(audit_value(audit, "l-distinct"), distinct);
    assert_near(audit_value(audit, "l-entropy"), entropy);
    assert_near(audit_value(audit, "l-recursive"), recursive);
    assert_near(audit_value(audit, "t-closeness"), closeness);
    assert_near(audit_value(audit, "sum-l"), sum_l);
}

static void compare_bias(const table *t, const pv_audit *audit)
{
    const double n = (double)t->rows;
    double differences = 0;
    double sum_k = 0;
    double smallest = HUGE_VAL;
    double largest = 0;
    for (size_t i = 0; i < t->rows; i++) {
        sum_k += class_size(t, i);
        for (size_t j = 0; j < t->rows; j++) {
            differences += fabs(class_size(t, i) - class_size(t, j));
        }
        if (!suppressed(t, i)) {
            smallest = fmin(smallest, class_size(t, i));
            largest = fmax(largest, class_size(t, i));
        }
    }
    assert_near(audit_value(audit, "sum-k"), sum_k);
    assert_near(audit_value(audit, "gini"), differences / (2 * n * n * (sum_k / n)));
    assert_near(audit_value(audit, "necd"), n > 1 ? (largest - smallest) / (n - 1) : 0);
    assert_near(audit_value(audit, "k"), smallest);
    assert_near(audit_value(audit, "risk"), 1 / smallest);
    assert_int_equal(audit->k, (uint64_t)smallest);
}

static void compare_rows(const table *t, const pv_audit *audit)
{
    double remaining = 0;
    double classes = 0;
    double above = 0;
    double dcn = 0;
    double cm = 0;
    double unique = 0;
    double stars = 0;
    for (size_t i = 0; i < t->rows; i++) {
        const double size = class_size(t, i);
        if (suppressed(t, i)) {
            dcn += (double)t->rows;
            cm += 1;
            continue;
        }
        remaining += 1;
        classes += 1 / size;
        above += 1 / size > 0.2;
        dcn += size;
        cm += (size - majority(t, i)) / size;
        unique += size < 2;
        for (size_t j = 0; j < t->n_quasi; j++) {
            stars += is_star(t->quasi[i][j]);
        }
    }
    assert_int_equal(audit->rows, t->rows);
    assert_int_equal(audit->suppressed, t->rows - (size_t)remaining);
    assert_near((double)audit->classes, classes);
    assert_near((double)audit->unique_rows, unique);
    assert_near((double)audit->starred_cells, stars);
    assert_near(audit_value(audit, "aecs"), remaining / classes);
    assert_near(audit_value(audit, "risk-mean"), classes / remaining);
    assert_near(audit_value(audit, "risk-above"), above / remaining);
    assert_near(audit_value(audit, "dcn"), dcn);
    if (t->has_label) {
        assert_near(audit_value(audit, "cm"), cm);
    }
}

static void compare_wildcards(const table *t, const pv_audit *audit)
{
    double remaining = 0;
    double risk = 0;
    double k = HUGE_VAL;
    double unique = 0;
    for (size_t i = 0; i < t->rows; i++) {
        double n = 0;
        for (size_t j = 0; j < t->rows; j++) {
            n += consistent(t, i, j);
        }
        if (!suppressed(t, i)) {
            remaining += 1;
            risk += 1 / n;
            unique += n < 2;
            k = fmin(k, n);
        }
    }
    assert_near((double)audit->k_wildcard, k);
    assert_near((double)audit->unique_rows_wildcard, unique);
    assert_near(audit->risk_mean_wildcard, risk / remaining);
}

static void compare_histogram(const table *t, const pv_audit *audit)
{
    static const double first[] = {1, 2, 3, 5, 10, 20, 50, 100, HUGE_VAL};
    for (size_t bin = 0; bin < PV_EXPOSURE_BINS; bin++) {
        uint64_t rows = 0;
        for (size_t i = 0; i < t->rows; i++) {
            const double size = class_size(t, i);
            rows += !suppressed(t, i) && size >= first[bin] && size < first[bin + 1];
        }
        assert_int_equal(audit->histogram[bin], rows);
    }
}

static void check_table(pv_rng *rng, const table *t)
{
    static const char delimiters[] = ",;\t|";
    const char *quasi[MAX_QUASI + 1] = {NULL};
    const char *sensitive[MAX_SENSITIVE + 1] = {NULL};
    memcpy(quasi, quasi_names, t->n_quasi * sizeof *quasi);
    memcpy(sensitive, sensitive_names, t->n_sensitive * sizeof *sensitive);
    const pv_audit_options options = {
        .quasi = quasi, .sensitive = sensitive, .label = t->has_label ? "label" : NULL};
    writer w = {.rng = rng,
                .delimiter = delimiters[pv_i_rng_below(rng, 4)],
                .line_end = pv_i_rng_below(rng, 2) == 0 ? "\n" : "\r\n",
                .line_starts = true};
    write_table(&w, t);
    assert_false(w.text.failed);
    pv_audit *const audit = audit_text(w.text.data, &options);
    compare_rows(t, audit);
    compare_bias(t, audit);
    compare_wildcards(t, audit);
    compare_histogram(t, audit);
    if (t->n_sensitive > 0) {
        compare_sensitive(t, audit);
    }
    pv_audit_free(audit);
    pv_i_buffer_deinit(&w.text);
}

/* The type of a column is what its values of this file show: a column of numbers only missing
 * values were drawn for is text, and whether it is ordered no longer matters with one value. */
static void agrees_with_pairwise_comparison(void **state)
{
    (void)state;
    pv_rng rng;
    pv_i_rng_init(&rng, 20240601);
    for (size_t i = 0; i < N_FILES; i++) {
        table t;
        make_table(&rng, &t);
        check_table(&rng, &t);
    }
}

/* Seventy quasi-identifiers: star patterns need more than one word. */
static void handles_many_columns(void **state)
{
    (void)state;
    enum { N = 70, ROWS = 12 };
    static char names[N][4];
    const char *quasi[N + 1] = {NULL};
    pv_buffer text = {0};
    for (size_t j = 0; j < N; j++) {
        (void)snprintf(names[j], sizeof names[j], "c%zu", j);
        quasi[j] = names[j];
        pv_i_buffer_format(&text, "%s%c", names[j], j + 1 < N ? ',' : '\n');
    }
    for (size_t i = 0; i < ROWS; i++) { /* row i differs from row 0 in column 58 + i alone */
        for (size_t j = 0; j < N; j++) {
            const char *const value = i > 0 && j == 58 + i ? (i % 2 == 0 ? "*" : "2") : "1";
            pv_i_buffer_format(&text, "%s%c", value, j + 1 < N ? ',' : '\n');
        }
    }
    const pv_audit_options options = {.quasi = quasi};
    pv_audit *const audit = audit_text(text.data, &options);
    assert_int_equal(audit->k, 1);
    assert_int_equal(audit->classes, ROWS);
    /* A row with a 2 agrees with no other; row 0 and the five with a star agree with each other. */
    assert_int_equal(audit->k_wildcard, 1);
    assert_int_equal(audit->unique_rows_wildcard, 6);
    assert_near(audit->risk_mean_wildcard, (6 + 6 * (1.0 / 6)) / ROWS);
    pv_audit_free(audit);
    pv_i_buffer_deinit(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_pairwise_comparison),
        cmocka_unit_test(handles_many_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
