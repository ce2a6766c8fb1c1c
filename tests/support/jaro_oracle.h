/* Jaro's similarity by its definition: characters are marked as used, the common ones copied out of
 * both texts, and the copies compared. */
#ifndef PV_TESTS_JARO_ORACLE_H
#define PV_TESTS_JARO_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define JARO_ORACLE_SIZE 128

/* The characters of `a` that have a partner in `b`, in the order of `a`. */
static inline size_t jaro_common(const char *a, size_t n, const char *b, size_t m, char *common)
{
    const long longer = (long)(n > m ? n : m);
    const long window = longer / 2 - 1 > 0 ? longer / 2 - 1 : 0;
    bool used[JARO_ORACLE_SIZE] = {false};
    size_t n_common = 0;
    for (long i = 0; i < (long)n; i++) {
        for (long j = 0; j < (long)m; j++) {
            const bool is_near = j >= i - window && j <= i + window;
            if (is_near && !used[j] && a[i] == b[j]) {
                used[j] = true;
                common[n_common++] = a[i];
                break;
            }
        }
    }
    return n_common;
}

static inline double jaro_oracle(const char *a, size_t n, const char *b, size_t m)
{
    char left[JARO_ORACLE_SIZE], right[JARO_ORACLE_SIZE];
    const size_t shared = jaro_common(a, n, b, m, left);
    (void)jaro_common(b, m, a, n, right);
    double transpositions = 0;
    for (size_t i = 0; i < shared; i++) {
        transpositions += left[i] != right[i] ? 0.5 : 0;
    }
    if (n == 0 && m == 0) {
        return 1;
    }
    const double c = (double)shared;
    return shared == 0 ? 0 : (c / (double)n + c / (double)m + (c - transpositions) / c) / 3;
}

#endif
