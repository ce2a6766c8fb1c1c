/* The checker on threads: random small files in blocks of any size, counted by any number of
 * threads, against a naive count that goes through the text byte by byte and row by row. Numbers,
 * counts and lines must be the same, whoever counted. */
#include "support/audit_support.h"

#include "audit/audit.h"
#include "base/buffer.h"
#include "base/rng.h"

#define N_FILES 60
#define N_COLUMNS 6
#define MAX_ROWS 40
#define MAX_KEYS (MAX_ROWS + 1)

static const char *const quasi[] = {"q0", "q1", NULL};
static const char *const sensitive[] = {"s0", NULL};
static const char *const names[N_COLUMNS] = {"o0", "q1", "s0", "q0", "o1", "l0"};
/* In which order the count has them: quasi-identifiers, sensitive, label, others. */
static const size_t fields[N_COLUMNS] = {3, 1, 2, 5, 0, 4};
static const pv_audit_reading as_text[] = {{.type = PV_TYPE_TEXT}, {.type = PV_TYPE_TEXT}};

static pv_audit_options options_of(bool trim)
{
    return (pv_audit_options){.delimiter = ';',
                              .trim = trim,
                              .quasi = quasi,
                              .sensitive = sensitive,
                              .label = "l0",
                              .quasi_readings = as_text,
                              .sensitive_readings = as_text,
                              .label_reading = as_text,
                              .unchanged = true};
}

/* ---- files ---- */

static const char *const spellings[] = {
    "a",
    "*",
    "b",
    "NA",
    "?",
    " a ",
    "\"a\"",
    "\"x;\"\"y\"\"\"",
    "\"two\nlines\"",
    "\"\"",
    "\"b\r\n\"",
    "c\"d\"",
    " \"a\"",
    "\"a\"b",
    "\"*\"",
    "",
};

static void put_line_end(pv_buffer *text, pv_rng *rng)
{
    pv_i_buffer_text(text, pv_i_rng_below(rng, 3) == 0 ? "\r\n" : "\n");
}

static void put_row(pv_buffer *text, pv_rng *rng, size_t n_spellings)
{
    for (size_t i = 0; i < N_COLUMNS; i++) {
        pv_i_buffer_text(text, i > 0 ? ";" : "");
        pv_i_buffer_text(text, spellings[pv_i_rng_below(rng, n_spellings)]);
    }
}

/* With few spellings the same lines come again and again. */
static pv_buffer make_text(pv_rng *rng)
{
    static const size_t numbers[] = {2, 3, 6, sizeof spellings / sizeof *spellings};
    const size_t n_spellings = numbers[pv_i_rng_below(rng, 4)];
    const size_t rows = 1 + pv_i_rng_below(rng, MAX_ROWS);
    pv_buffer text = {0};
    pv_i_buffer_text(&text, pv_i_rng_below(rng, 4) == 0 ? "\n\r\n" : "");
    for (size_t i = 0; i < N_COLUMNS; i++) {
        pv_i_buffer_format(&text, "%s%s", i > 0 ? ";" : "", names[i]);
    }
    for (size_t i = 0; i < rows; i++) {
        put_line_end(&text, rng);
        while (pv_i_rng_below(rng, 8) == 0) {
            put_line_end(&text, rng);
        }
        put_row(&text, rng, n_spellings);
    }
    if (pv_i_rng_below(rng, 2) == 0) {
        put_line_end(&text, rng);
    }
    return text;
}

/* ---- the naive reader ---- */

typedef struct {
    pv_buffer cells[MAX_ROWS + 1][N_COLUMNS]; /* the header first */
    uint64_t lines[MAX_ROWS + 1];
    size_t n;
} table;

typedef struct {
    const char *at, *end;
    uint64_t line;
} bytes;

static int peek(const bytes *b)
{
    return b->at < b->end ? *b->at : EOF;
}

static int next(bytes *b)
{
    const int byte = peek(b);
    b->at += byte != EOF;
    b->line += byte == '\n';
    return byte;
}

static bool at_line_end(const bytes *b)
{
    const bool returns = peek(b) == '\r' && (b->at + 1 == b->end || b->at[1] == '\n');
    return peek(b) == EOF || peek(b) == '\n' || returns;
}

static void read_cell(bytes *b, pv_buffer *cell)
{
    pv_i_buffer_text(cell, "");
    if (peek(b) == '"') {
        (void)next(b);
        while (peek(b) != '"' || (b->at + 1 < b->end && b->at[1] == '"')) {
            (void)(peek(b) == '"' ? next(b) : 0);
            pv_i_buffer_char(cell, (char)next(b));
        }
        (void)next(b);
    }
    while (!at_line_end(b) && peek(b) != ';') {
        pv_i_buffer_char(cell, (char)next(b));
    }
}

static void read_table(const pv_buffer *text, table *t)
{
    bytes b = {.at = text->data, .end = text->data + text->size, .line = 1};
    *t = (table){0};
    while (peek(&b) != EOF) {
        const uint64_t line = b.line;
        size_t n = 0;
        while (!at_line_end(&b)) {
            read_cell(&b, &t->cells[t->n][n++]);
            while (peek(&b) == ';') {
                (void)next(&b);
                read_cell(&b, &t->cells[t->n][n++]);
            }
        }
        (void)(peek(&b) == '\r' ? next(&b) : 0);
        (void)next(&b);
        if (n > 0) {
            assert_int_equal(n, N_COLUMNS);
            t->lines[t->n++] = line;
        }
    }
}

static void free_table(table *t)
{
    for (size_t i = 0; i < t->n; i++) {
        for (size_t j = 0; j < N_COLUMNS; j++) {
            pv_i_buffer_deinit(&t->cells[i][j]);
        }
    }
}

/* ---- the naive count ---- */

typedef struct {
    char keys[MAX_KEYS][64];
    size_t sizes[MAX_KEYS];
    uint64_t counts[MAX_KEYS], lines[MAX_KEYS];
    size_t n;
} tally;

static uint32_t add(tally *t, const void *key, size_t size, uint64_t line)
{
    size_t i = 0;
    while (i < t->n && (t->sizes[i] != size || memcmp(t->keys[i], key, size) != 0)) {
        i++;
    }
    if (i == t->n) {
        assert_true(size <= sizeof t->keys[i]);
        memcpy(t->keys[i], key, size);
        t->sizes[i] = size;
        t->lines[i] = line;
        t->n++;
    }
    t->counts[i]++;
    return (uint32_t)i;
}

static void assert_same_tally(const pv_audit_tally *found, const tally *expected)
{
    assert_int_equal(found->n_entries, expected->n);
    for (uint32_t i = 0; i < expected->n; i++) {
        size_t size;
        const char *const key = pv_i_audit_tally_key(found, i, &size);
        assert_int_equal(size, expected->sizes[i]);
        assert_memory_equal(key, expected->keys[i], size);
        assert_int_equal(found->entries[i].count, expected->counts[i]);
    }
}

typedef struct {
    tally values[N_COLUMNS], pairs[N_COLUMNS], classes, parts, together;
    uint64_t trimmed, missing;
    uint32_t star[N_COLUMNS], gone[N_COLUMNS]; /* codes of `*` and of what is missing */
} naive;

static uint32_t count_cell(naive *n, const table *t, size_t row, size_t column, bool trim)
{
    const pv_buffer *const cell = &t->cells[row][fields[column]];
    const char *text = cell->data;
    size_t size = cell->size;
    if (trim) {
        n->trimmed += pv_i_audit_trim(&text, &size);
    }
    const bool gone =
        size == 0 || (size == 2 && memcmp(text, "NA", 2) == 0) || (size == 1 && *text == '?');
    const uint32_t code = add(&n->values[column], gone ? "" : text, gone ? 0 : size, t->lines[row]);
    n->missing += gone;
    n->gone[column] = gone ? code : n->gone[column];
    n->star[column] = size == 1 && *text == '*' ? code : n->star[column];
    return code;
}

static void count_naively(const table *t, bool trim, naive *n)
{
    *n = (naive){0};
    memset(n->star, 0xff, sizeof n->star);
    memset(n->gone, 0xff, sizeof n->gone);
    for (size_t row = 1; row < t->n; row++) {
        uint32_t codes[N_COLUMNS];
        for (size_t c = 0; c < N_COLUMNS; c++) {
            codes[c] = count_cell(n, t, row, c, trim);
        }
        const uint32_t class_number = add(&n->classes, codes, 2 * sizeof *codes, 0);
        const uint32_t part[] = {class_number, codes[2], codes[3]};
        const uint32_t together[] = {class_number, codes[4], codes[5]};
        (void)add(&n->parts, part, sizeof part, 0);
        (void)add(&n->together, together, sizeof together, 0);
        for (size_t c = 2; c < N_COLUMNS; c++) {
            const uint32_t pair[] = {class_number, codes[c]};
            (void)add(&n->pairs[c], pair, sizeof pair, 0);
        }
    }
}

static void assert_counted(const pv_audit_count *count, const table *t, const naive *n)
{
    assert_int_equal(count->rows, t->n - 1);
    assert_int_equal(count->trimmed, n->trimmed);
    assert_int_equal(count->n_missing, n->missing);
    assert_int_equal(count->n_columns, N_COLUMNS);
    for (size_t c = 0; c < N_COLUMNS; c++) {
        const pv_audit_column *const column = &count->columns[c];
        assert_string_equal(column->name, names[fields[c]]);
        assert_same_tally(&column->values, &n->values[c]);
        assert_same_tally(&column->pairs, &n->pairs[c]);
        assert_int_equal(column->star, n->star[c]);
        assert_int_equal(column->missing, n->gone[c]);
        for (size_t i = 0; i < n->values[c].n; i++) {
            assert_int_equal(column->lines[i], n->values[c].lines[i]);
        }
    }
    assert_same_tally(&count->classes, &n->classes);
    assert_same_tally(&count->parts, &n->parts);
    assert_same_tally(&count->together, &n->together);
}

/* ---- the comparison ---- */

static const size_t block_sizes[] = {1, 2, 3, 7, 16, 50, 200, 0};
static const unsigned thread_counts[] = {1, 2, 7};

static void counts_as_one_would_by_hand(void **state)
{
    (void)state;
    pv_rng rng;
    pv_i_rng_init(&rng, 14);
    table *const t = malloc(sizeof *t);
    naive *const n = malloc(sizeof *n);
    for (size_t f = 0; f < N_FILES; f++) {
        pv_buffer text = make_text(&rng);
        const audit_file file = audit_file_bytes(".csv", text.data, text.size);
        const bool trim = f % 2 == 0;
        const pv_audit_options options = options_of(trim);
        read_table(&text, t);
        count_naively(t, trim, n);
        for (size_t i = 0; i < sizeof block_sizes / sizeof *block_sizes; i++) {
            for (size_t j = 0; j < sizeof thread_counts / sizeof *thread_counts; j++) {
                pv_audit_count count = {0};
                const pv_context context = {.threads = thread_counts[j]};
                const pv_audit_limits limits = {.block_size = block_sizes[i],
                                                .cache_size = pv_i_rng_below(&rng, 200)};
                assert_int_equal(
                    pv_i_audit_count(file.path, &options, &limits, &context, &count, NULL),
                    PV_STATUS_OK);
                assert_counted(&count, t, n);
                pv_i_audit_count_deinit(&count);
            }
        }
        free_table(t);
        pv_i_buffer_deinit(&text);
        audit_file_remove(&file);
    }
    free(t);
    free(n);
}

/* ---- the whole audit ---- */

static void assert_same_audit(const pv_audit *a, const pv_audit *b)
{
    assert_memory_equal(&a->together, &b->together, sizeof a->together);
    assert_memory_equal(a->histogram, b->histogram, sizeof a->histogram);
    assert_memory_equal(a->quasi_values, b->quasi_values, a->n_quasi * sizeof *a->quasi_values);
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->trimmed, b->trimmed);
    assert_int_equal(a->missing, b->missing);
    assert_int_equal(a->suppressed, b->suppressed);
    assert_int_equal(a->starred_cells, b->starred_cells);
    assert_int_equal(a->classes, b->classes);
    assert_int_equal(a->k, b->k);
    assert_int_equal(a->k_wildcard, b->k_wildcard);
    assert_int_equal(a->unique_rows, b->unique_rows);
    assert_int_equal(a->unique_rows_wildcard, b->unique_rows_wildcard);
    assert_memory_equal(&a->risk_mean_wildcard, &b->risk_mean_wildcard, sizeof(double));
    assert_int_equal(a->n_values, b->n_values);
    for (size_t i = 0; i < a->n_values; i++) {
        assert_memory_equal(&a->values[i].value, &b->values[i].value, sizeof(double));
        assert_int_equal(a->values[i].sensitive, b->values[i].sensitive);
    }
    assert_int_equal(a->n_unchanged, b->n_unchanged);
    for (size_t i = 0; i < a->n_unchanged; i++) {
        assert_string_equal(a->unchanged[i].name, b->unchanged[i].name);
        assert_int_equal(a->unchanged[i].values, b->unchanged[i].values);
        assert_int_equal(a->unchanged[i].missing, b->unchanged[i].missing);
        assert_int_equal(a->unchanged[i].unique, b->unchanged[i].unique);
        assert_int_equal(a->unchanged[i].unique_with, b->unchanged[i].unique_with);
        assert_int_equal(a->unchanged[i].k_with, b->unchanged[i].k_with);
    }
}

static pv_audit *audit_in_blocks(const audit_file *file, const pv_audit_options *options,
                                 size_t block_size, unsigned threads)
{
    pv_audit *audit = NULL;
    const pv_context context = {.threads = threads};
    const pv_audit_limits limits = {.block_size = block_size, .cache_size = block_size / 3};
    assert_int_equal(pv_i_audit_file(file->path, options, &limits, &context, &audit, NULL),
                     PV_STATUS_OK);
    return audit;
}

/* Thousands of rows with numbers in several spellings: the last bit of every double, too. */
static void finds_the_same_to_the_last_bit(void **state)
{
    (void)state;
    static const size_t sizes[] = {100, 3000, 20000};
    pv_rng rng;
    pv_i_rng_init(&rng, 5);
    pv_buffer text = {0};
    pv_i_buffer_text(&text, "q0,q1,s0,o0,o1\n");
    for (size_t i = 0; i < 5000; i++) {
        pv_i_buffer_format(&text, "%s%u,%u,%u%s,%u,x%u\n", i % 9 == 0 ? " " : "",
                           (unsigned)pv_i_rng_below(&rng, 30), (unsigned)pv_i_rng_below(&rng, 12),
                           (unsigned)pv_i_rng_below(&rng, 50), i % 3 == 0 ? ".0" : "",
                           (unsigned)pv_i_rng_below(&rng, 4), (unsigned)pv_i_rng_below(&rng, 3));
    }
    const audit_file file = audit_file_bytes(".csv", text.data, text.size);
    const pv_audit_options options = {
        .trim = true, .quasi = quasi, .sensitive = sensitive, .unchanged = true};
    pv_audit *const one = audit_in_blocks(&file, &options, 0, 1);
    assert_int_equal(one->rows, 5000);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (unsigned threads = 1; threads <= 7; threads += 3) {
            pv_audit *const other = audit_in_blocks(&file, &options, sizes[i], threads);
            assert_same_audit(one, other);
            pv_audit_free(other);
        }
    }
    pv_audit_free(one);
    pv_i_buffer_deinit(&text);
    audit_file_remove(&file);
}

/* ---- trouble ---- */

/* Of several bad lines the first in the file is told, whoever comes upon which one. */
static void tells_the_first_trouble(void **state)
{
    (void)state;
    static const struct {
        uint64_t line;
        const char *row, *word;
    } troubles[] = {{700, "1,2\n", "2 fields"},
                    {900, "1,2,3,4,5,6\n", "6 fields"},
                    {1990, "\"1,2,3", "closed"}};
    for (size_t skip = 0; skip < 3; skip++) {
        pv_buffer text = {0};
        pv_i_buffer_text(&text, "q0,q1,s0\n");
        for (uint64_t line = 2; line <= 2000; line++) {
            const char *row = line % 50 == 0 ? "\n" : line < 1990 ? "1,2,\"3\"\n" : "1,2,3\n";
            for (size_t i = skip; i < 3; i++) {
                row = troubles[i].line == line ? troubles[i].row : row;
            }
            pv_i_buffer_text(&text, row);
        }
        const audit_file file = audit_file_bytes(".csv", text.data, text.size);
        for (size_t round = 0; round < 40; round++) {
            pv_error error = {0};
            pv_audit *audit = NULL;
            const pv_context context = {.threads = 1 + (unsigned)round % 7};
            const pv_audit_limits limits = {.block_size = 1 + round * round};
            const pv_audit_options options = {.quasi = quasi, .sensitive = sensitive};
            assert_int_equal(
                pv_i_audit_file(file.path, &options, &limits, &context, &audit, &error),
                PV_STATUS_INPUT);
            assert_int_equal(error.line, troubles[skip].line);
            assert_non_null(strstr(error.message, troubles[skip].word));
        }
        pv_i_buffer_deinit(&text);
        audit_file_remove(&file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_as_one_would_by_hand),
        cmocka_unit_test(finds_the_same_to_the_last_bit),
        cmocka_unit_test(tells_the_first_trouble),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
