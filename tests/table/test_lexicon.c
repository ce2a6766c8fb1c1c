/* Dictionaries: codes in order of first appearance, texts of every length, growth. */
#include "support/study.h"

#include "table/lexicon.h"

#include <stdio.h>

static void text_comes_back(const pv_lexicon *d, uint32_t code, const char *text, size_t length)
{
    const pv_key *const key = pv_i_lexicon_key(d, code);
    assert_int_equal(pv_i_key_length(key), length);
    assert_memory_equal(pv_i_key_text(key), text, length);
}

/* 0..100 bytes of the same letter, and of others that differ in one byte only. */
static void texts_of_every_length(void **state)
{
    pv_lexicon d;
    char text[101];
    (void)state;
    assert_true(pv_i_lexicon_init(&d, 0));
    for (int round = 0; round < 2; round++) {
        uint32_t expected = 0;
        for (size_t length = 0; length <= 100; length++) {
            memset(text, 'a', sizeof text);
            assert_int_equal(pv_i_lexicon_add(&d, text, length), expected);
            text_comes_back(&d, expected++, text, length);
            for (size_t i = 0; i < length; i++) {
                text[i] = 'b';
                assert_int_equal(pv_i_lexicon_add(&d, text, length), expected);
                text_comes_back(&d, expected++, text, length);
                text[i] = 'a';
            }
        }
        assert_int_equal(d.n, expected);
    }
    pv_i_lexicon_deinit(&d);
}

static void many_texts(void **state)
{
    enum { N = 200000 };
    pv_lexicon d;
    char text[64];
    (void)state;
    assert_true(pv_i_lexicon_init(&d, 0));
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < N; i++) {
            const int length = snprintf(text, sizeof text, i % 7 == 0 ? "%040u" : "%u", i);
            assert_int_equal(pv_i_lexicon_add(&d, text, (size_t)length), i);
        }
    }
    pv_i_lexicon_deinit(&d);
}

static void keys_of_another_dictionary(void **state)
{
    static const char long_text[] = "a text that is longer than thirty-two bytes";
    pv_lexicon a;
    pv_lexicon b;
    (void)state;
    assert_true(pv_i_lexicon_init(&a, 0));
    assert_true(pv_i_lexicon_init(&b, 0));
    assert_int_equal(pv_i_lexicon_add(&a, "x", 1), 0);
    assert_int_equal(pv_i_lexicon_add(&a, long_text, strlen(long_text)), 1);
    assert_int_equal(pv_i_lexicon_add(&b, long_text, strlen(long_text)), 0);
    assert_int_equal(pv_i_lexicon_lookup(&b, pv_i_lexicon_key(&a, 0)), UINT32_MAX);
    assert_int_equal(pv_i_lexicon_lookup(&b, pv_i_lexicon_key(&a, 1)), 0);
    assert_int_equal(pv_i_lexicon_add_key(&b, pv_i_lexicon_key(&a, 0)), 1);
    assert_int_equal(pv_i_lexicon_add_key(&b, pv_i_lexicon_key(&a, 1)), 0);
    pv_i_lexicon_deinit(&a);
    pv_i_lexicon_deinit(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_of_every_length),
        cmocka_unit_test(many_texts),
        cmocka_unit_test(keys_of_another_dictionary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
