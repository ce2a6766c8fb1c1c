/* The nearest name by the number of letters to add, drop, change or swap with their neighbour
 * (optimal string alignment). A beginning of a name counts as near. */
#include "core/suggest.h"

#include "core/text.h"

#include <stdint.h>
#include <string.h>

#define LONGEST 32

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t distance(const char *a, const char *b)
{
    const size_t n = strlen(a);
    const size_t m = strlen(b);
    if (n > LONGEST || m > LONGEST) {
        return SIZE_MAX;
    }
    size_t d[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= n; i++) {
        d[i][0] = i;
    }
    for (size_t j = 0; j <= m; j++) {
        d[0][j] = j;
    }
    for (size_t i = 1; i <= n; i++) {
        for (size_t j = 1; j <= m; j++) {
            const size_t change = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            d[i][j] = least(change, least(d[i - 1][j], d[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
            }
        }
    }
    return d[n][m];
}

const char *cli_suggest(const char *typed, const char *const *names, size_t n)
{
    const char *best = NULL;
    size_t best_distance = strlen(typed) / 3 + 2; /* must stay below */
    for (size_t i = 0; i < n; i++) {
        if (names[i] == NULL) {
            continue;
        }
        const size_t d =
            strlen(typed) > 1 && cli_starts_with(names[i], typed) ? 1 : distance(typed, names[i]);
        if (d < best_distance) {
            best = names[i];
            best_distance = d;
        }
    }
    return best;
}
