/* Jaro's similarity of two texts ("Advances in record-linkage methodology as applied to matching
 * the 1985 census of Tampa, Florida", 1989).
 *
 *     MARTHA        m = 6 shared characters, found within a window
 *     MARHTA        2 of them are out of order: t = 1 transposition
 *                   (m/6 + m/6 + (m - t)/m) / 3 = 0.944
 *
 * Taking for each character of one text the first free equal one of the other within the window
 * pairs the same characters whichever text comes first: windows only move on, so that one that was
 * out of reach once stays so. */
#include "base/bitset.h"

#include <paravent/attacker.h>

#define LONGEST ((size_t)4096)

typedef struct {
    const char *text;
    size_t size;
    uint64_t *shared; /* bits: characters that have a partner */
} side;

static void pair_character(const side *a, const side *b, size_t i, size_t window)
{
    const size_t first = i > window ? i - window : 0;
    const size_t end = i + window + 1 < b->size ? i + window + 1 : b->size;
    for (size_t j = first; j < end; j++) {
        if (a->text[i] == b->text[j] && !pv_i_bit_get(b->shared, j)) {
            pv_i_bit_set(a->shared, i);
            pv_i_bit_set(b->shared, j);
            return;
        }
    }
}

static size_t next_shared(const side *s, size_t i)
{
    while (i < s->size && !pv_i_bit_get(s->shared, i)) {
        i++;
    }
    return i;
}

static double score(const side *a, const side *b)
{
    size_t shared = 0;
    size_t displaced = 0;
    size_t j = next_shared(b, 0);
    for (size_t i = next_shared(a, 0); i < a->size; i = next_shared(a, i + 1)) {
        displaced += a->text[i] != b->text[j];
        shared++;
        j = next_shared(b, j + 1);
    }
    if (shared == 0) {
        return 0;
    }
    const double m = (double)shared;
    return (m / (double)a->size + m / (double)b->size + (m - (double)displaced / 2) / m) / 3;
}

double pv_jaro(const char *a, size_t a_size, const char *b, size_t b_size)
{
    uint64_t a_shared[PV_BITSET_WORDS(LONGEST)];
    uint64_t b_shared[PV_BITSET_WORDS(LONGEST)];
    const side left = {a, a_size < LONGEST ? a_size : LONGEST, a_shared};
    const side right = {b, b_size < LONGEST ? b_size : LONGEST, b_shared};
    const size_t longer = left.size > right.size ? left.size : right.size;
    const size_t window = longer > 3 ? longer / 2 - 1 : 0;
    if (longer == 0) {
        return 1;
    }
    for (size_t w = 0; w < PV_BITSET_WORDS(longer); w++) {
        a_shared[w] = b_shared[w] = 0;
    }
    for (size_t i = 0; i < left.size; i++) {
        pair_character(&left, &right, i, window);
    }
    return score(&left, &right);
}
