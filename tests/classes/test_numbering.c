/* Numbers of rows by their keys: in order of first appearance, with counts, on any number of
 * threads; ranks; and stopping. */
#include "support/testing.h"

#include "base/rng.h"
#include "classes/numbering.h"

#include <stdlib.h>

enum { ROWS = 20000 };

/* Keys of one or two words, from a list of values; the lowest bits of one may be unused. */
typedef struct {
    uint32_t values[ROWS];
    unsigned words, unused;
} source;

static void keys_of(const void *ctx, uint64_t first, size_t n, uint32_t *room, uint64_t *keys)
{
    const source *const s = ctx;
    for (size_t i = 0; i < n; i++) {
        room[i] = s->values[first + i];
        keys[i * s->words] = s->words == 1 ? (uint64_t)room[i] << s->unused : room[i] % 7;
        if (s->words == 2) {
            keys[i * 2 + 1] = room[i] / 7;
        }
    }
}

static unsigned unused_bits(uint64_t n_values)
{
    unsigned bits = 1;
    while ((uint64_t)1 << bits < n_values) {
        bits++;
    }
    return 64 - bits;
}

static void fill(source *s, uint64_t seed, uint64_t n_values, unsigned words)
{
    pv_rng rng;
    pv_i_rng_init(&rng, seed);
    s->words = words;
    s->unused = words == 1 && seed % 2 == 0 ? unused_bits(n_values) : 0;
    for (size_t i = 0; i < ROWS; i++) {
        s->values[i] = (uint32_t)pv_i_rng_below(&rng, n_values);
    }
}

static void check(const source *s, const pv_numbering *numbering, const uint32_t *rank)
{
    static uint32_t expected[ROWS]; /* per value: its number + 1 */
    static uint64_t count[ROWS];
    uint32_t n = 0;
    memset(expected, 0, sizeof expected);
    memset(count, 0, sizeof count);
    for (uint64_t row = 0; row < ROWS; row++) {
        const uint32_t value = s->values[row];
        if (expected[value] == 0) {
            assert_int_equal(numbering->rows[n].first, row);
            expected[value] = ++n;
        }
        const uint32_t number = expected[value] - 1;
        count[number]++;
        assert_int_equal(numbering->numbers[row], rank != NULL ? rank[number] : number);
    }
    assert_int_equal(numbering->n, n);
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(numbering->rows[i].n, count[i]);
    }
}

static void rows_are_numbered(void **state)
{
    static source s;
    static uint32_t numbers[ROWS], rank[ROWS];
    (void)state;
    for (uint64_t trial = 0; trial < 36; trial++) {
        const uint64_t n_values = trial % 3 == 0 ? 5 : trial % 3 == 1 ? 700 : ROWS;
        const pv_context context = {.threads = 1 + (unsigned)trial % 4};
        pv_numbering numbering = {.n_rows = ROWS,
                                  .words = 1 + (unsigned)(trial / 24),
                                  .keys = keys_of,
                                  .ctx = &s,
                                  .context = &context,
                                  .numbers = numbers};
        fill(&s, trial, n_values, numbering.words);
        numbering.unused = s.unused;
        assert_int_equal(pv_i_numbering_find(&numbering, NULL), PV_STATUS_OK);
        const bool ranked = trial % 5 == 0;
        for (size_t i = 0; i < numbering.n; i++) {
            rank[i] = (uint32_t)(numbering.n - 1 - i);
        }
        pv_i_numbering_settle(&numbering, ranked ? rank : NULL);
        check(&s, &numbering, ranked ? rank : NULL);
        pv_i_numbering_deinit(&numbering);
    }
}

static void no_rows_have_no_numbers(void **state)
{
    static source s = {.words = 1};
    uint32_t numbers[1];
    pv_numbering numbering = {.words = 1, .keys = keys_of, .ctx = &s, .numbers = numbers};
    (void)state;
    assert_int_equal(pv_i_numbering_find(&numbering, NULL), PV_STATUS_OK);
    pv_i_numbering_settle(&numbering, NULL);
    assert_int_equal(numbering.n, 0);
    pv_i_numbering_deinit(&numbering);
}

static bool stop(void *ctx, const pv_progress *progress)
{
    (void)ctx;
    (void)progress;
    return false;
}

static void it_can_be_stopped(void **state)
{
    static source s;
    static uint32_t numbers[ROWS];
    const pv_context context = {.threads = 2, .progress = stop};
    pv_numbering numbering = {.n_rows = ROWS,
                              .words = 1,
                              .keys = keys_of,
                              .ctx = &s,
                              .context = &context,
                              .numbers = numbers};
    (void)state;
    fill(&s, 1, 10, 1);
    assert_int_equal(pv_i_numbering_find(&numbering, NULL), PV_STATUS_CANCELLED);
    pv_i_numbering_deinit(&numbering);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_numbered),
        cmocka_unit_test(no_rows_have_no_numbers),
        cmocka_unit_test(it_can_be_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
