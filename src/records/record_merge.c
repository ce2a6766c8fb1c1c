/* Numbering tails by sorting or by marking. */
#include "records/record_merge.h"

#include "base/bitset.h"
#include "base/error.h"
#include "base/memory.h"

#define FEW ((size_t)16)

pv_status pv_i_tail_marks_init(pv_tail_marks *marks, uint32_t n_tails, pv_error *error)
{
    const size_t n_words = PV_BITSET_WORDS((size_t)n_tails);
    pv_tail_marks m = {.bits = PV_NEW_ZEROED(uint64_t, n_words),
                       .n_summary = PV_BITSET_WORDS(n_words),
                       .number = PV_NEW_ARRAY(uint32_t, n_tails)};
    m.summary = PV_NEW_ZEROED(uint64_t, m.n_summary);
    if (m.bits == NULL || m.summary == NULL || m.number == NULL) {
        pv_i_tail_marks_deinit(&m);
        return pv_i_no_memory(error);
    }
    *marks = m;
    return PV_STATUS_OK;
}

void pv_i_tail_marks_deinit(pv_tail_marks *marks)
{
    pv_i_free(marks->bits);
    pv_i_free(marks->summary);
    pv_i_free(marks->number);
    *marks = (pv_tail_marks){0};
}

static size_t merge_few(const uint32_t *tails, size_t n, uint32_t *distinct, uint32_t *number)
{
    uint64_t sorted[FEW];
    for (size_t i = 0; i < n; i++) {
        const uint64_t item = (uint64_t)tails[i] << 32 | i;
        size_t j = i;
        for (; j > 0 && sorted[j - 1] > item; j--) {
            sorted[j] = sorted[j - 1];
        }
        sorted[j] = item;
    }
    size_t m = 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t tail = (uint32_t)(sorted[i] >> 32);
        if (m == 0 || distinct[m - 1] != tail) {
            distinct[m++] = tail;
        }
        number[(uint32_t)sorted[i]] = (uint32_t)(m - 1);
    }
    return m;
}

/* The marks of one word, in order; the word is cleared. */
static size_t read_word(pv_tail_marks *marks, size_t word, size_t m, uint32_t *distinct)
{
    for (uint64_t bits = marks->bits[word]; bits != 0; bits &= bits - 1) {
        const uint32_t tail = (uint32_t)(word * 64 + (unsigned)__builtin_ctzll(bits));
        marks->number[tail] = (uint32_t)m;
        distinct[m++] = tail;
    }
    marks->bits[word] = 0;
    return m;
}

static size_t merge_many(pv_tail_marks *marks, const uint32_t *tails, size_t n, uint32_t *distinct,
                         uint32_t *number)
{
    size_t m = 0;
    for (size_t i = 0; i < n; i++) {
        pv_i_bit_set(marks->bits, tails[i]);
        pv_i_bit_set(marks->summary, tails[i] / 64);
    }
    for (size_t s = 0; s < marks->n_summary; s++) {
        for (uint64_t words = marks->summary[s]; words != 0; words &= words - 1) {
            m = read_word(marks, s * 64 + (unsigned)__builtin_ctzll(words), m, distinct);
        }
        marks->summary[s] = 0;
    }
    for (size_t i = 0; i < n; i++) {
        number[i] = marks->number[tails[i]];
    }
    return m;
}

size_t pv_i_merge_tails(pv_tail_marks *marks, const uint32_t *tails, size_t n, uint32_t *distinct,
                        uint32_t *number)
{
    return n <= FEW ? merge_few(tails, n, distinct, number)
                    : merge_many(marks, tails, n, distinct, number);
}
