/* Counted rows as sorted lines: against the lines themselves, made and sorted one by one. */
#include "support/failing_alloc.h"
#include "support/testing.h"

#include "base/rng.h"
#include "engine/lines.h"
#include "table/csv_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 3, LONGEST = 80 };

static const char *const names[COLUMNS] = {"a", "rows", "c"};
#define HEADER "a,rows,c,rows_\n" /* the counts are called like no other column */

typedef struct {
    char text[COLUMNS + 1][LONGEST];
    pv_cell cells[COLUMNS + 1];
} row;

/* Some texts are each other's beginnings, some need quotes; columns of few values and of many. */
static void draw(pv_rng *rng, size_t i, row *r)
{
    static const pv_cell texts[] = {{NULL, 0},     {"", 0},    {"a", 1},      {"a b", 3},
                                    {"a,b", 3},    {"a\"", 2}, {"\"a\",", 4}, {"a\n", 2},
                                    {"a\0b", 3},   {"a\0", 2}, {"!", 1},      {"\xC3\x85se", 5},
                                    {"\"\"\"", 3}, {",", 1},   {"-", 1},      {"ab", 2}};
    const size_t n = sizeof texts / sizeof *texts;
    r->cells[0] = texts[pv_i_rng_below(rng, n)];
    (void)snprintf(r->text[1], LONGEST, "%zu", (size_t)pv_i_rng_below(rng, 300));
    (void)snprintf(r->text[2], LONGEST, "%s%zu", i % 3 == 0 ? "x, " : "", i * 7919 % 70001);
    (void)snprintf(r->text[3], LONGEST, "%zu", 1 + (size_t)pv_i_rng_below(rng, 12));
    for (size_t c = 1; c <= COLUMNS; c++) {
        r->cells[c] = (pv_cell){r->text[c], strlen(r->text[c])};
    }
}

static int compare_texts(const void *a, const void *b)
{
    const pv_buffer *const left = a;
    const pv_buffer *const right = b;
    const int by_bytes =
        memcmp(left->data, right->data, left->size < right->size ? left->size : right->size);
    return by_bytes != 0 ? by_bytes : (left->size > right->size) - (left->size < right->size);
}

static void check_rows(size_t n, uint64_t seed)
{
    pv_buffer *const expected = calloc(n + 1, sizeof *expected);
    pv_buffer all = {0};
    pv_buffer text = {0};
    pv_lines lines = {0};
    pv_error error = {0};
    pv_rng rng;
    row r;
    assert_non_null(expected);
    pv_i_rng_init(&rng, seed);
    assert_int_equal(pv_i_lines_init(&lines, names, COLUMNS, &error), PV_STATUS_OK);
    for (size_t i = 0; i < n; i++) {
        draw(&rng, i, &r);
        assert_int_equal(pv_i_lines_hear(&lines, r.cells, &error), PV_STATUS_OK);
        for (size_t c = 0; c <= COLUMNS; c++) {
            pv_i_csv_append(&expected[i], ',', false,
                            r.cells[c].text != NULL ? r.cells[c].text : "", r.cells[c].size);
            pv_i_buffer_char(&expected[i], c < COLUMNS ? ',' : '\n');
        }
    }
    qsort(expected, n, sizeof *expected, compare_texts);
    pv_i_buffer_text(&all, HEADER);
    for (size_t i = 0; i < n; i++) {
        pv_i_buffer_bytes(&all, expected[i].data, expected[i].size);
        pv_i_buffer_deinit(&expected[i]);
    }
    assert_int_equal(pv_i_lines_sort(&lines, &error), PV_STATUS_OK);
    assert_int_equal(pv_i_lines_text(&lines, &text, &error), PV_STATUS_OK);
    assert_int_equal(text.size, all.size);
    assert_memory_equal(text.data, all.data, all.size + 1);
    pv_i_lines_deinit(&lines);
    pv_i_buffer_deinit(&text);
    pv_i_buffer_deinit(&all);
    free(expected);
}

static void test_order(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        check_rows(seed * seed * 37, seed);
    }
    check_rows(80000, 21); /* codes of one, two and four bytes */
}

/* Every value once, as it was heard, with all rows that have it. */
static void test_values(void **state)
{
    static const char *const texts[] = {"a\"b", "plain", "", "a\"b", "x,\"\"y"};
    static const char *const counts[] = {"2", "3", "4", "50", "6"};
    static const uint64_t rows[] = {52, 3, 4, 6};
    static const char *const values[] = {"a\"b", "plain", "", "x,\"\"y"};
    pv_lines lines = {0};
    pv_error error = {0};
    (void)state;
    assert_int_equal(pv_i_lines_init(&lines, names, 1, &error), PV_STATUS_OK);
    for (size_t i = 0; i < 5; i++) {
        const pv_cell cells[] = {{*texts[i] != '\0' ? texts[i] : NULL, strlen(texts[i])},
                                 {counts[i], strlen(counts[i])}};
        assert_int_equal(pv_i_lines_hear(&lines, cells, &error), PV_STATUS_OK);
    }
    assert_int_equal(lines.columns[0].n, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(lines.columns[0].values[i].plain_size, strlen(values[i]));
        assert_int_equal(lines.columns[0].values[i].rows, rows[i]);
    }
    for (size_t i = 0; i < 5; i++) {
        const pv_cell cell = pv_i_lines_cell(&lines, i, 0);
        assert_int_equal(cell.size, strlen(texts[i]));
        assert_memory_equal(cell.text, texts[i], cell.size);
        assert_int_equal(pv_i_lines_number(&lines, i, 1), strtoull(counts[i], NULL, 10));
    }
    pv_i_lines_deinit(&lines);
}

static pv_status hear_and_put(void *ctx, pv_error *error)
{
    pv_lines lines = {0};
    pv_buffer text = {0};
    pv_rng rng;
    row r;
    pv_i_rng_init(&rng, *(const uint64_t *)ctx);
    pv_status status = pv_i_lines_init(&lines, names, COLUMNS, error);
    for (size_t i = 0; i < 1500 && status == PV_STATUS_OK; i++) {
        draw(&rng, i, &r);
        status = pv_i_lines_hear(&lines, r.cells, error);
    }
    if (status == PV_STATUS_OK) {
        status = pv_i_lines_sort(&lines, error);
    }
    if (status == PV_STATUS_OK) {
        status = pv_i_lines_text(&lines, &text, error);
    }
    pv_i_lines_deinit(&lines);
    pv_i_buffer_deinit(&text);
    return status;
}

static void test_out_of_memory(void **state)
{
    uint64_t seed = 7;
    (void)state;
    assert_true(failing_alloc_each(hear_and_put, &seed, true) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
