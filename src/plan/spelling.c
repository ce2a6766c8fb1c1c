/* Near misses, by the optimal string alignment distance: insertions, deletions, replacements and
 * swaps of neighbours, each counting one; capitals do not matter. */
#include "plan/spelling.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#define MAX_WORD 64 /* longer words are not compared */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static bool same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static size_t distance_between(const char *a, size_t length_a, const char *b, size_t length_b)
{
    /* The last three rows of the table suffice. */
    size_t rows[3][MAX_WORD + 1];
    for (size_t j = 0; j <= length_b; j++) {
        rows[0][j] = j;
    }
    for (size_t i = 1; i <= length_a; i++) {
        size_t *const row = rows[i % 3];
        const size_t *const above = rows[(i - 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= length_b; j++) {
            const size_t replaced = above[j - 1] + !same(a[i - 1], b[j - 1]);
            row[j] = least(replaced, 1 + least(above[j], row[j - 1]));
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1])) {
                row[j] = least(row[j], rows[(i - 2) % 3][j - 2] + 1);
            }
        }
    }
    return rows[length_a % 3][length_b];
}

void pv_i_suggest(pv_suggestion *suggestion, const char *candidate)
{
    const size_t length = strlen(suggestion->word);
    const size_t other = strlen(candidate);
    if (length == 0 || length > MAX_WORD || other == 0 || other > MAX_WORD) {
        return;
    }
    /* A third of the letters may differ: more is a different word. */
    const size_t allowed = length < 3 ? 1 : least(length / 3, 3);
    const size_t distance = distance_between(suggestion->word, length, candidate, other);
    const bool nearer = suggestion->best == NULL || distance < suggestion->distance;
    if (distance <= allowed && distance < length && nearer) {
        suggestion->best = candidate;
        suggestion->distance = distance;
    }
}

pv_shown pv_i_shown(const char *text)
{
    pv_shown shown = {""};
    const size_t most = sizeof shown.text - sizeof "...";
    size_t n = 0;
    for (; text[n] != '\0' && n < most; n++) {
        const unsigned char c = (unsigned char)text[n];
        shown.text[n] = c < ' ' || c == 0x7f ? '?' : text[n];
    }
    if (text[n] != '\0') {
        while (n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80) {
            n--; /* a character is kept whole */
        }
        memcpy(shown.text + n, "...", sizeof "...");
    }
    return shown;
}
