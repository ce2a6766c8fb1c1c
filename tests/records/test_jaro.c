/* Jaro's similarity: known answers, and the laws it obeys. */
#include "support/record_oracle.h"
#include "support/study.h"

#include "base/rng.h"

#include <math.h>
#include <paravent/attacker.h>
#include <stdlib.h>

static double jaro(const char *a, const char *b)
{
    return pv_jaro(a, strlen(a), b, strlen(b));
}

static void known_answers(void **state)
{
    static const struct {
        const char *a, *b;
        double similarity;
    } known[] = {
        {"MARTHA", "MARHTA", 0.944444},
        {"DWAYNE", "DUANE", 0.822222},
        {"DIXON", "DICKSONX", 0.766667},
        {"JONES", "JOHNSON", 0.790476},
        {"ABROMS", "ABRAMS", 0.888889},
        {"HARDIN", "MARTINEZ", 0.722222},
        {"ITMAN", "SMITH", 0.466667},
        {"CRATE", "TRACE", 0.733333},
        {"JELLYFISH", "SMELLYFISH", 0.896296},
        {"same", "same", 1},
        {"abc", "xyz", 0},
        {"a", "a", 1},
        {"a", "b", 0},
        {"", "", 1},
        {"", "a", 0},
        {"ab", "ba", 0},
        /* Characters, not bytes: as if each were one letter. */
        {"M\u00dcLLER", "MULLER", 0.888889}, /* as ABROMS and ABRAMS */
        {"\u041c\u0410\u0420\u0422\u0425\u0410", "\u041c\u0410\u0420\u0425\u0422\u0410", 0.944444},
        {"\u0394WAYNE", "\u0394UANE", 0.822222},    /* as DWAYNE and DUANE */
        {"JOS\u00c9", "JOSE", 0.833333},            /* (3/4 + 3/4 + 1)/3 */
        {"\u00e9", "\u00ea", 0},                    /* two bytes each, the first the same */
        {"\u5f20\u4f1f", "\u5f20\u4e3d", 0.666667}, /* (1/2 + 1/2 + 1)/3 */
        {"\U0001F600a", "\U0001F601a", 0.666667},
    };
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (fabs(jaro(known[i].a, known[i].b) - known[i].similarity) > 5e-7) {
            fail_msg("%s and %s: %.6f", known[i].a, known[i].b, jaro(known[i].a, known[i].b));
        }
    }
}

/* Half the characters that are out of order, even if their number is odd. */
static void half_transpositions_count(void **state)
{
    (void)state;
    assert_true(fabs(jaro("abcdef", "bcadef") - (1 + 1 + (6 - 1.5) / 6) / 3) < 1e-12);
}

static size_t random_bytes(pv_rng *rng, char *text, size_t longest)
{
    const size_t n = (size_t)pv_i_rng_below(rng, longest + 1);
    for (size_t i = 0; i < n; i++) {
        text[i] = (char)('a' + (char)pv_i_rng_below(rng, 4));
    }
    return n;
}

static void laws_hold(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 20);
    for (int trial = 0; trial < 20000; trial++) {
        char a[80], b[80];
        const size_t longest = trial % 10 == 0 ? sizeof a : 12;
        const size_t n = random_bytes(&rng, a, longest);
        const size_t m = random_bytes(&rng, b, longest);
        const double there = pv_jaro(a, n, b, m);
        assert_true(there >= 0 && there <= 1);
        assert_true(there == pv_jaro(b, m, a, n));
        assert_true(fabs(there - jaro_oracle(a, n, b, m)) < 1e-12);
        assert_true(pv_jaro(a, n, a, n) == 1);
        assert_true(there < 1 || (n == m && memcmp(a, b, n) == 0));
    }
}

static void bytes_are_any_bytes(void **state)
{
    (void)state;
    assert_true(pv_jaro("a\0b", 3, "a\0b", 3) == 1);
    assert_true(pv_jaro("a\0b", 3, "a\0c", 3) < 1);
    assert_true(jaro("\xc3\xa9t\xc3\xa9", "\xc3\xa9t\xc3\xa9") == 1);
    /* What is no UTF-8 counts byte by byte: cut off, overlong, a surrogate, beyond the last. */
    assert_true(fabs(jaro("ab\xe9", "ab\xe8") - (2.0 / 3 + 2.0 / 3 + 1) / 3) < 1e-12);
    assert_true(fabs(jaro("ab\xe2\x82", "ab\xe2\x83") - (3.0 / 4 + 3.0 / 4 + 1) / 3) < 1e-12);
    assert_true(fabs(jaro("\xc0\xaf"
                          "a",
                          "\xc0\xae"
                          "a") -
                     (2.0 / 3 + 2.0 / 3 + 1) / 3) < 1e-12);
    assert_true(fabs(jaro("\xed\xa0\x80", "\xed\xa0\x81") - (2.0 / 3 + 2.0 / 3 + 1) / 3) < 1e-12);
    assert_true(fabs(jaro("\xf5\x80\x80\x80", "\xf5\x80\x80\x81") - (3.0 / 4 + 3.0 / 4 + 1) / 3) <
                1e-12);
}

/* No text is too long; what is beyond the limit is not looked at. */
static void long_texts_are_cut(void **state)
{
    enum { SIZE = 5000 };
    char *const a = malloc(SIZE);
    char *const b = malloc(SIZE);
    (void)state;
    assert_true(a != NULL && b != NULL);
    memset(a, 'x', SIZE);
    memset(b, 'x', SIZE);
    b[SIZE - 1] = 'y';
    assert_true(pv_jaro(a, SIZE, b, SIZE) == 1);
    b[0] = 'y';
    assert_true(pv_jaro(a, SIZE, b, SIZE) < 1);
    assert_true(pv_jaro(a, SIZE, "", 0) == 0);
    free(a);
    free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),      cmocka_unit_test(half_transpositions_count),
        cmocka_unit_test(laws_hold),          cmocka_unit_test(bytes_are_any_bytes),
        cmocka_unit_test(long_texts_are_cut),
    };
    return cmocka_run_group_tests_name("jaro", tests, NULL, NULL);
}
