/* Packed keys: numbering them and sorting them, against the slow way. */
#include "support/testing.h"

#include "base/rng.h"
#include "classes/keys.h"

#include <stdlib.h>

/* ------------------------------------------------------------------ keymap */

/* The id a key should have: the number of different keys before its first appearance. */
static size_t slow_id(const uint64_t *keys, unsigned words, size_t key)
{
    size_t ids = 0;
    for (size_t i = 0; i <= key; i++) {
        size_t first = 0;
        while (memcmp(keys + first * words, keys + i * words, words * sizeof *keys) != 0) {
            first++;
        }
        if (memcmp(keys + i * words, keys + key * words, words * sizeof *keys) == 0) {
            return ids;
        }
        ids += first == i;
    }
    return SIZE_MAX;
}

/* Few different words, so that keys repeat and differ in one word only. */
static uint64_t *random_keys(pv_rng *rng, size_t n, unsigned words, uint64_t different)
{
    uint64_t *const keys = malloc(n * words * sizeof *keys + 1);
    assert_non_null(keys);
    for (size_t i = 0; i < n * words; i++) {
        keys[i] = pv_i_rng_below(rng, different) * UINT64_C(0x0101010101010101);
    }
    return keys;
}

static void keymap_numbers_in_order_of_appearance(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 41);
    for (unsigned words = 1; words <= 5; words++) {
        enum { N = 300 };
        uint64_t *const keys = random_keys(&rng, N, words, words == 1 ? 150 : 5);
        pv_keymap map = {0};
        assert_true(pv_i_keymap_init(&map, words, 0));
        for (size_t i = 0; i < N; i++) {
            const uint32_t id = pv_i_keymap_add(&map, keys + i * words);
            assert_int_equal(id, slow_id(keys, words, i));
            assert_memory_equal(map.keys + (size_t)id * words, keys + i * words,
                                words * sizeof *keys);
        }
        pv_i_keymap_deinit(&map);
        free(keys);
    }
}

/* Many more than were expected: every id survives every doubling. */
static void keymap_grows(void **state)
{
    enum { N = 20000 };
    pv_keymap map = {0};
    (void)state;
    assert_true(pv_i_keymap_init(&map, 2, 3));
    for (unsigned round = 0; round < 2; round++) {
        for (uint64_t i = 0; i < N; i++) {
            const uint64_t key[] = {i % 7, i << 40};
            assert_int_equal(pv_i_keymap_add(&map, key), i);
        }
    }
    assert_int_equal(map.n, N);
    assert_true(map.capacity >= N);
    pv_i_keymap_deinit(&map);
    assert_null(map.keys);
    assert_int_equal(map.n, 0);
}

static void keymap_takes_the_zero_key(void **state)
{
    const uint64_t zero[3] = {0};
    const uint64_t one[3] = {0, 0, 1};
    pv_keymap map = {0};
    (void)state;
    assert_true(pv_i_keymap_init(&map, 3, 100));
    assert_int_equal(pv_i_keymap_add(&map, one), 0);
    assert_int_equal(pv_i_keymap_add(&map, zero), 1);
    assert_int_equal(pv_i_keymap_add(&map, one), 0);
    assert_int_equal(map.n, 2);
    pv_i_keymap_deinit(&map);
}

static void keymap_knows_its_limits(void **state)
{
    pv_keymap map = {0};
    (void)state;
    assert_false(pv_i_keymap_init(&map, 1, SIZE_MAX));
    assert_null(map.keys);
    assert_null(map.slots);
}

/* -------------------------------------------------------------------- sort */

/* An index with its key, for qsort; ties by index make the expected order stable. */
typedef struct {
    const uint64_t *key;
    unsigned words;
    uint32_t index;
} item;

static int compare_items(const void *left, const void *right)
{
    const item *const a = left;
    const item *const b = right;
    for (unsigned word = 0; word < a->words; word++) {
        if (a->key[word] != b->key[word]) {
            return a->key[word] < b->key[word] ? -1 : 1;
        }
    }
    return (a->index > b->index) - (a->index < b->index);
}

static void expect_sorted(const uint64_t *keys, size_t n, unsigned words)
{
    item *const items = malloc(n * sizeof *items + 1);
    uint32_t *const order = malloc(n * sizeof *order + 1);
    assert_true(items != NULL && order != NULL);
    for (size_t i = 0; i < n; i++) {
        items[i] = (item){keys + i * words, words, (uint32_t)i};
    }
    if (n > 0) {
        qsort(items, n, sizeof *items, compare_items);
    }
    assert_true(pv_i_keys_order(keys, n, words, order));
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(order[i], items[i].index);
    }
    free(items);
    free(order);
}

static void keys_are_sorted(void **state)
{
    static const size_t sizes[] = {0, 1, 2, 3, 17, 1000};
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 42);
    for (unsigned words = 1; words <= 4; words++) {
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            for (uint64_t different = 1; different <= 256; different *= 4) {
                uint64_t *const keys = random_keys(&rng, sizes[i], words, different);
                expect_sorted(keys, sizes[i], words);
                free(keys);
            }
        }
    }
}

/* Keys that differ in a few bits only, at any place of any word. */
static void any_bits_are_sorted(void **state)
{
    enum { N = 200, WORDS = 3 };
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 43);
    for (size_t round = 0; round < 100; round++) {
        uint64_t keys[N * WORDS];
        uint64_t masks[WORDS];
        for (size_t word = 0; word < WORDS; word++) {
            masks[word] = pv_i_rng_next(&rng) & pv_i_rng_next(&rng) & pv_i_rng_next(&rng) &
                          pv_i_rng_next(&rng);
        }
        for (size_t i = 0; i < N * WORDS; i++) {
            keys[i] = pv_i_rng_next(&rng) & masks[i % WORDS];
        }
        expect_sorted(keys, N, WORDS);
    }
}

static int compare_numbers(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left;
    const uint64_t b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* Numbers of any length: one digit, several, none that differ. */
static void numbers_are_sorted(void **state)
{
    enum { N = 500 };
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 44);
    for (unsigned bits = 0; bits <= 64; bits++) {
        const size_t n = bits % 9 == 0 ? bits / 9 : N;
        uint64_t numbers[N];
        uint64_t sorted[N];
        for (size_t i = 0; i < n; i++) {
            numbers[i] = sorted[i] = bits > 0 ? pv_i_rng_next(&rng) >> (64 - bits) : 7;
        }
        if (n > 0) {
            qsort(sorted, n, sizeof *sorted, compare_numbers);
        }
        assert_true(pv_i_sort_u64(numbers, n));
        assert_memory_equal(numbers, sorted, n * sizeof *sorted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keymap_numbers_in_order_of_appearance),
        cmocka_unit_test(keymap_grows),
        cmocka_unit_test(keymap_takes_the_zero_key),
        cmocka_unit_test(keymap_knows_its_limits),
        cmocka_unit_test(keys_are_sorted),
        cmocka_unit_test(any_bits_are_sorted),
        cmocka_unit_test(numbers_are_sorted),
    };
    return cmocka_run_group_tests_name("keys", tests, NULL, NULL);
}
