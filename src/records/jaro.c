/* Jaro's similarity of two texts ("Advances in record-linkage methodology as applied to matching
 * the 1985 census of Tampa, Florida", 1989).
 *
 *     MARTHA        m = 6 shared characters, found within a window
 *     MARHTA        2 of them are out of order: t = 1 transposition
 *                   (m/6 + m/6 + (m - t)/m) / 3 = 0.944
 *
 * Characters are those of Unicode, not bytes: "Müller" and "Muller" differ in one. A byte that is
 * not part of a character in UTF-8 counts as one of its own.
 *
 * Taking for each character of one text the first free equal one of the other within the window
 * pairs the same characters whichever text comes first: windows only move on, so that one that was
 * out of reach once stays so. */
#include "base/bitset.h"

#include <paravent/attacker.h>

#define LONGEST ((size_t)4096)

/* A byte that is no character: beyond all that there are. */
#define NO_CHARACTER 0x110000u

typedef struct {
    uint32_t text[LONGEST]; /* characters */
    size_t size;
    uint64_t shared[PV_BITSET_WORDS(LONGEST)]; /* bits: those that have a partner */
} side;

/* The bytes of a character by its first one; 0 = it begins none. */
static size_t length_by(unsigned char first)
{
    return first < 0x80                     ? 1
           : first >= 0xc2 && first <= 0xdf ? 2
           : (first & 0xf0) == 0xe0         ? 3
           : first >= 0xf0 && first <= 0xf4 ? 4
                                            : 0;
}

/* The character that begins `text`, and how many bytes it takes. */
static uint32_t character_at(const unsigned char *text, size_t size, size_t *length)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t n = length_by(text[0]);
    uint32_t c = n > 1 ? text[0] & (0xffu >> (n + 1)) : text[0];
    bool is_valid = n > 0 && n <= size;
    for (size_t i = 1; is_valid && i < n; i++) {
        is_valid = (text[i] & 0xc0) == 0x80;
        c = c << 6 | (text[i] & 0x3fu);
    }
    is_valid = is_valid && c >= least[n] && c < NO_CHARACTER && (c < 0xd800 || c > 0xdfff);
    *length = is_valid ? n : 1;
    return is_valid ? c : NO_CHARACTER + text[0];
}

static void read_characters(side *s, const char *text, size_t size)
{
    s->size = 0;
    for (size_t at = 0, length = 0; at < size && s->size < LONGEST; at += length) {
        s->text[s->size++] = character_at((const unsigned char *)text + at, size - at, &length);
    }
}

static void pair_character(side *a, side *b, size_t i, size_t window)
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
    side left;
    side right;
    read_characters(&left, a, a_size);
    read_characters(&right, b, b_size);
    const size_t longer = left.size > right.size ? left.size : right.size;
    const size_t window = longer > 3 ? longer / 2 - 1 : 0;
    if (longer == 0) {
        return 1;
    }
    for (size_t w = 0; w < PV_BITSET_WORDS(longer); w++) {
        left.shared[w] = right.shared[w] = 0;
    }
    for (size_t i = 0; i < left.size; i++) {
        pair_character(&left, &right, i, window);
    }
    return score(&left, &right);
}
