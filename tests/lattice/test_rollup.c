/* Rolling up sorted lists, against raising every key by itself and adding up what became equal:
 * keys of one and several words, attributes at every place and with one value only, jumps over
 * several levels. */
#include "support/oracle.h"
#include "support/testing.h"

#include "base/checked.h"
#include "base/rng.h"
#include "lattice/rollup.h"

#include <stdio.h>

enum { MAX_AXES = 7, MAX_DOMAIN = 40 };

/* ---------------------------------------------------------- random layouts */

typedef struct {
    unsigned words;
    size_t n_axes;
    pv_field places[MAX_AXES];
    uint32_t domain[MAX_AXES]; /* groups the attribute has now */
} layout;

/* Most significant first, never across words, sometimes with bits unused between them. */
static layout random_layout(pv_rng *rng, unsigned words)
{
    layout l = {.words = words, .n_axes = 1 + (size_t)pv_i_rng_below(rng, MAX_AXES)};
    unsigned word = 0;
    unsigned top = 64;
    for (size_t a = 0; a < l.n_axes; a++) {
        const bool constant = pv_i_rng_below(rng, 5) == 0;
        l.domain[a] = constant ? 1 : 1 + (uint32_t)pv_i_rng_below(rng, MAX_DOMAIN);
        const unsigned bits = pv_i_bits_for(l.domain[a]);
        const unsigned gap = pv_i_rng_below(rng, 3) == 0 ? (unsigned)pv_i_rng_below(rng, 4) : 0;
        const bool next_word = word + 1 < words && pv_i_rng_below(rng, 3) == 0;
        word += next_word;
        top = next_word ? 64 : top - (gap + bits <= top ? gap : 0);
        top -= bits;
        l.places[a] = (pv_field){.word = word,
                                 .shift = (uint8_t)(bits == 0 ? 0 : top),
                                 .mask = ((uint64_t)1 << bits) - 1};
    }
    return l;
}

static uint32_t field(const uint64_t *key, pv_field place)
{
    return (uint32_t)((key[place.word] >> place.shift) & place.mask);
}

static void set_field(uint64_t *key, pv_field place, uint32_t value)
{
    key[place.word] &= ~(place.mask << place.shift);
    key[place.word] |= (uint64_t)value << place.shift;
}

/* Never falls, begins at 0 and leaves no group out; returns how many groups there are then. */
static uint32_t random_step(pv_rng *rng, uint32_t domain, uint32_t *step)
{
    const uint64_t keeps = 1 + pv_i_rng_below(rng, 6);
    const bool all = pv_i_rng_below(rng, 4) == 0;
    uint32_t group = 0;
    for (uint32_t i = 0; i < domain; i++) {
        group += i > 0 && !all && pv_i_rng_below(rng, keeps) == 0;
        step[i] = group;
    }
    return group + 1;
}

/* --------------------------------------------------------------- the oracle */

typedef struct {
    size_t n;
    unsigned words;
    uint64_t *keys;
    uint64_t *counts;
} plain_list;

static bool same_key(const uint64_t *a, const uint64_t *b, unsigned words)
{
    return memcmp(a, b, words * sizeof *a) == 0;
}

static bool key_precedes(const uint64_t *a, const uint64_t *b, unsigned words)
{
    unsigned w = 0;
    while (w < words && a[w] == b[w]) {
        w++;
    }
    return w < words && a[w] < b[w];
}

static plain_list plain_create(size_t capacity, unsigned words)
{
    return (plain_list){.words = words,
                        .keys = oracle_array(capacity * words, sizeof(uint64_t)),
                        .counts = oracle_array(capacity, sizeof(uint64_t))};
}

static void plain_free(plain_list *list)
{
    free(list->keys);
    free(list->counts);
}

/* Into its place, by looking at all of them. */
static void plain_add(plain_list *list, const uint64_t *key, uint64_t count)
{
    const unsigned words = list->words;
    size_t at = 0;
    while (at < list->n && key_precedes(list->keys + at * words, key, words)) {
        at++;
    }
    if (at == list->n || !same_key(list->keys + at * words, key, words)) {
        const size_t behind = list->n - at;
        memmove(list->keys + (at + 1) * words, list->keys + at * words,
                behind * words * sizeof *key);
        memmove(list->counts + at + 1, list->counts + at, behind * sizeof *list->counts);
        memcpy(list->keys + at * words, key, words * sizeof *key);
        list->counts[at] = 0;
        list->n++;
    }
    list->counts[at] += count;
}

static plain_list plain_rollup(const pv_groups *from, pv_field place, const uint32_t *step)
{
    plain_list list = plain_create(from->n, from->words);
    for (size_t i = 0; i < from->n; i++) {
        uint64_t key[4];
        memcpy(key, from->keys + i * from->words, from->words * sizeof *key);
        set_field(key, place, step[field(key, place)]);
        plain_add(&list, key, from->counts[i]);
    }
    return list;
}

static void expect_list(const pv_groups *groups, const plain_list *list)
{
    assert_int_equal(groups->n, list->n);
    assert_int_equal(groups->words, list->words);
    assert_true(groups->n <= groups->capacity);
    for (size_t i = 0; i < list->n; i++) {
        assert_true(
            same_key(groups->keys + i * list->words, list->keys + i * list->words, list->words));
        assert_int_equal(groups->counts[i], list->counts[i]);
    }
}

/* ------------------------------------------------------------- random lists */

static void random_key(pv_rng *rng, const layout *l, uint64_t *key)
{
    memset(key, 0, l->words * sizeof *key);
    for (size_t a = 0; a < l->n_axes; a++) {
        set_field(key, l->places[a], (uint32_t)pv_i_rng_below(rng, l->domain[a]));
    }
}

static void random_groups(pv_rng *rng, const layout *l, size_t n, pv_groups *groups)
{
    plain_list list = plain_create(n, l->words);
    for (size_t i = 0; i < n; i++) {
        uint64_t key[4];
        random_key(rng, l, key);
        plain_add(&list, key, 1 + pv_i_rng_below(rng, 1000));
    }
    assert_true(pv_i_groups_reserve(groups, list.n, l->words));
    groups->n = list.n;
    memcpy(groups->keys, list.keys, list.n * l->words * sizeof *list.keys);
    for (size_t i = 0; i < list.n; i++) {
        groups->counts[i] = (uint32_t)list.counts[i];
    }
    plain_free(&list);
}

/* From list to list, one attribute after the other, any of them several times. */
static void roll_up_often(pv_rng *rng, layout *l, pv_groups sides[2], pv_rollup_scratch *scratch)
{
    uint32_t step[MAX_DOMAIN];
    const size_t n_steps = 1 + (size_t)pv_i_rng_below(rng, 2 * l->n_axes);
    for (size_t i = 0; i < n_steps; i++) {
        const size_t a = (size_t)pv_i_rng_below(rng, l->n_axes);
        l->domain[a] = random_step(rng, l->domain[a], step);
        plain_list expected = plain_rollup(&sides[i % 2], l->places[a], step);
        assert_true(pv_i_rollup(&sides[i % 2], l->places[a], step, &sides[1 - i % 2], scratch));
        expect_list(&sides[1 - i % 2], &expected);
        plain_free(&expected);
    }
}

/* The lists and the scratch are used again and again, as a worker does. */
static void roll_up_tables(uint64_t seed, size_t n_tables, size_t most_rows)
{
    pv_rollup_scratch scratch = {0};
    pv_groups sides[2] = {{0}, {0}};
    pv_rng rng;
    pv_i_rng_init(&rng, seed);
    for (size_t i = 0; i < n_tables; i++) {
        layout l = random_layout(&rng, 1 + (unsigned)pv_i_rng_below(&rng, 4));
        random_groups(&rng, &l, (size_t)pv_i_rng_below(&rng, most_rows + 1), &sides[0]);
        roll_up_often(&rng, &l, sides, &scratch);
    }
    pv_i_groups_deinit(&sides[0]);
    pv_i_groups_deinit(&sides[1]);
    pv_i_rollup_scratch_deinit(&scratch);
}

static void short_lists_roll_up(void **state)
{
    (void)state;
    roll_up_tables(1, 4000, 12);
}

static void long_lists_roll_up(void **state)
{
    (void)state;
    roll_up_tables(2, 120, 700);
}

/* ------------------------------------------------------- every place by name */

/* Raises one attribute of four to `groups` groups of neighbours, and compares. */
static void expect_raised(pv_rng *rng, const layout *l, size_t axis, uint32_t width)
{
    pv_rollup_scratch scratch = {0};
    pv_groups from = {0};
    pv_groups to = {0};
    uint32_t step[MAX_DOMAIN];
    for (uint32_t i = 0; i < l->domain[axis]; i++) {
        step[i] = i / width;
    }
    random_groups(rng, l, 300, &from);
    plain_list expected = plain_rollup(&from, l->places[axis], step);
    assert_true(pv_i_rollup(&from, l->places[axis], step, &to, &scratch));
    expect_list(&to, &expected);
    plain_free(&expected);
    pv_i_groups_deinit(&from);
    pv_i_groups_deinit(&to);
    pv_i_rollup_scratch_deinit(&scratch);
}

/* Four attributes of 16 values, in one word or one to a word: the first, the inner ones and the
 * last; in pairs, in one jump to groups of eight, and to the top; with many runs to a stretch. */
static void every_place_rolls_up(void **state)
{
    static const uint32_t widths[] = {1, 2, 8, 16};
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 3);
    for (unsigned words = 1; words <= 4; words += 3) {
        layout l = {.words = words, .n_axes = 4};
        for (size_t a = 0; a < 4; a++) {
            l.domain[a] = 16;
            l.places[a] = (pv_field){.word = words == 1 ? 0 : (uint32_t)a,
                                     .shift = (uint8_t)(words == 1 ? 12 - 4 * a : 60 * (a % 2)),
                                     .mask = 15};
        }
        for (size_t i = 0; i < 16; i++) {
            expect_raised(&rng, &l, i / 4, widths[i % 4]);
        }
    }
}

static void empty_lists_roll_up(void **state)
{
    pv_rollup_scratch scratch = {0};
    pv_groups from = {0};
    pv_groups to = {0};
    const uint32_t step[2] = {0, 0};
    (void)state;
    assert_true(pv_i_groups_reserve(&from, 0, 2));
    from.n = 0;
    assert_true(pv_i_rollup(&from, (pv_field){.word = 1, .mask = 1}, step, &to, &scratch));
    assert_int_equal(to.n, 0);
    pv_i_groups_deinit(&from);
    pv_i_groups_deinit(&to);
    pv_i_rollup_scratch_deinit(&scratch);
}

/* ------------------------------------------------------- settling and copying */

static void settle_once(pv_rng *rng, pv_groups *groups, pv_rollup_scratch *scratch)
{
    const layout l = random_layout(rng, 1 + (unsigned)pv_i_rng_below(rng, 3));
    const size_t n = (size_t)pv_i_rng_below(rng, 90);
    plain_list expected = plain_create(n, l.words);
    assert_true(pv_i_groups_reserve(groups, n, l.words));
    groups->n = n;
    for (size_t i = 0; i < n; i++) {
        random_key(rng, &l, groups->keys + i * l.words);
        groups->counts[i] = 1 + (uint32_t)pv_i_rng_below(rng, 9);
        plain_add(&expected, groups->keys + i * l.words, groups->counts[i]);
    }
    assert_true(pv_i_groups_settle(groups, scratch));
    expect_list(groups, &expected);
    plain_free(&expected);
}

static void lists_settle(void **state)
{
    pv_rollup_scratch scratch = {0};
    pv_groups groups = {0};
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 4);
    for (size_t i = 0; i < 1000; i++) {
        settle_once(&rng, &groups, &scratch);
    }
    pv_i_groups_deinit(&groups);
    pv_i_rollup_scratch_deinit(&scratch);
}

/* A copy is the same list in memory of its own, and says how much that is. */
static void copies_are_exact(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 5);
    for (size_t i = 0; i < 50; i++) {
        const layout l = random_layout(&rng, 1 + (unsigned)pv_i_rng_below(&rng, 3));
        pv_groups from = {0};
        pv_groups to = {0};
        random_groups(&rng, &l, (size_t)pv_i_rng_below(&rng, 60), &from);
        assert_true(pv_i_groups_copy(&from, &to));
        assert_true(to.keys != from.keys && to.counts != from.counts);
        assert_int_equal(to.n, from.n);
        assert_int_equal(to.words, from.words);
        assert_memory_equal(to.keys, from.keys, from.n * from.words * sizeof *from.keys);
        assert_memory_equal(to.counts, from.counts, from.n * sizeof *from.counts);
        pv_i_groups_deinit(&from);
        pv_i_groups_deinit(&to);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_lists_roll_up),  cmocka_unit_test(long_lists_roll_up),
        cmocka_unit_test(every_place_rolls_up), cmocka_unit_test(empty_lists_roll_up),
        cmocka_unit_test(lists_settle),         cmocka_unit_test(copies_are_exact),
    };
    return cmocka_run_group_tests_name("sorted groups", tests, NULL, NULL);
}
