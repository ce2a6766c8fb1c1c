/* Everyone against everyone.
 *
 * "Better than" need not be an order: A may beat B, B beat C and C beat A. Releases are ranked by
 * how many others they beat (Copeland); a cycle is reported as one, and the shortest explains it
 * best.
 *
 * A shortest cycle is found by a breadth-first search along victories from every release: the first
 * release found that beats the start closes a shortest cycle through it. Only releases after the
 * start are visited, so that every cycle is found from its lowest number, once. O(n^3), and there
 * are at most 26 releases.
 *
 *     winner      A B C        row beats column (+), is beaten (-)
 *         A       . + -        A > B > C > A: every one has one win, the ranking alone would show
 *         B       - . +        three equals and hide the cycle
 *         C       + - .
 *
 * Invariant: winner[a][b] and winner[b][a] are the same victory seen by both. */
#include "base/checked.h"
#include "base/error.h"
#include "base/memory.h"
#include "compare/judgement.h"

static bool beats(const pv_tournament *t, size_t a, size_t b)
{
    return t->winner[a * t->n + b] == PV_FIRST_WINS;
}

pv_winner pv_i_turned(pv_winner winner)
{
    return winner == PV_FIRST_WINS    ? PV_SECOND_WINS
           : winner == PV_SECOND_WINS ? PV_FIRST_WINS
                                      : PV_NOBODY_WINS;
}

/* ------------------------------------------------------------------- cycles */

/* A breadth-first search from `start` along victories, over it and the releases after it. `queue`
 * has the releases in order of discovery, `before` who beat them (SIZE_MAX = not met yet). Returns
 * the end of a shortest cycle, which beats the start; SIZE_MAX = there is none. */
static size_t find_back(const pv_tournament *t, size_t start, size_t *queue, size_t *before)
{
    size_t n = 1; /* met so far */
    for (size_t i = 0; i < t->n; i++) {
        before[i] = SIZE_MAX;
    }
    before[start] = start;
    queue[0] = start;
    for (size_t i = 0; i < n; i++) {
        const size_t who = queue[i];
        if (beats(t, who, start)) {
            return who;
        }
        for (size_t other = start; other < t->n; other++) {
            if (before[other] == SIZE_MAX && beats(t, who, other)) {
                before[other] = who;
                queue[n++] = other;
            }
        }
    }
    return SIZE_MAX;
}

/* Of the shortest the one with the lowest number. None is shorter than 3, as no two beat each other
 * both: the search ends with the first of those. */
static void find_cycle(pv_tournament *t, size_t *queue, size_t *before)
{
    for (size_t start = 0; start < t->n && t->n_cycle != 3; start++) {
        const size_t end = find_back(t, start, queue, before);
        size_t length = 1;
        for (size_t at = end; end != SIZE_MAX && at != start; at = before[at]) {
            length++;
        }
        if (end == SIZE_MAX || (t->n_cycle > 0 && length >= t->n_cycle)) {
            continue;
        }
        t->n_cycle = length;
        t->cycle[0] = start;
        for (size_t at = end, i = length; at != start; at = before[at]) {
            t->cycle[--i] = at;
        }
    }
}

pv_status pv_tournament_create(const pv_winner *winners, size_t n, pv_tournament **tournament,
                               pv_error *error)
{
    size_t pairs;
    if (!pv_i_mul_size(n, n, &pairs)) {
        return pv_i_fail(error, PV_STATUS_LIMIT, "too many releases to compare each with each");
    }
    pv_tournament *const t = PV_NEW(pv_tournament);
    if (t == NULL) {
        return pv_i_no_memory(error);
    }
    *t = (pv_tournament){.n = n,
                         .winner = PV_NEW_ZEROED(pv_winner, pairs),
                         .wins = PV_NEW_ZEROED(uint32_t, n),
                         .ranking = PV_NEW_ZEROED(size_t, n),
                         .cycle = PV_NEW_ZEROED(size_t, n)};
    size_t *const queue = PV_NEW_ARRAY(size_t, n);
    size_t *const before = PV_NEW_ARRAY(size_t, n);
    const bool ready = t->winner != NULL && t->wins != NULL && t->ranking != NULL &&
                       t->cycle != NULL && queue != NULL && before != NULL;
    /* Both halves of the table from the upper one: a winner seen from the other side. */
    for (size_t a = 0; ready && a < n; a++) {
        for (size_t b = a + 1; b < n; b++) {
            const pv_winner winner = winners[a * n + b];
            t->winner[a * n + b] = winner;
            t->winner[b * n + a] = pv_i_turned(winner);
            t->wins[a] += winner == PV_FIRST_WINS;
            t->wins[b] += winner == PV_SECOND_WINS;
        }
    }
    /* Insertion keeps those with equal wins in order; there are few releases. */
    for (size_t i = 0; ready && i < n; i++) {
        size_t at = i;
        for (; at > 0 && t->wins[t->ranking[at - 1]] < t->wins[i]; at--) {
            t->ranking[at] = t->ranking[at - 1];
        }
        t->ranking[at] = i;
    }
    if (ready) {
        find_cycle(t, queue, before);
    }
    pv_i_free(queue);
    pv_i_free(before);
    if (!ready) {
        pv_tournament_free(t);
        return pv_i_no_memory(error);
    }
    if (t->n_cycle == 0) {
        pv_i_free(t->cycle);
        t->cycle = NULL;
    }
    *tournament = t;
    return PV_STATUS_OK;
}

void pv_tournament_free(pv_tournament *tournament)
{
    if (!tournament) {
        return;
    }
    pv_i_free(tournament->winner);
    pv_i_free(tournament->wins);
    pv_i_free(tournament->ranking);
    pv_i_free(tournament->cycle);
    pv_i_free(tournament);
}

/* --------------------------------------------------------------- accessors */

pv_winner pv_tournament_winner(const pv_tournament *tournament, size_t first, size_t second)
{
    return tournament->winner[first * tournament->n + second];
}

size_t pv_tournament_wins(const pv_tournament *tournament, size_t release)
{
    return tournament->wins[release];
}

const size_t *pv_tournament_ranking(const pv_tournament *tournament, size_t *n)
{
    *n = tournament->n;
    return tournament->ranking;
}

const size_t *pv_tournament_cycle(const pv_tournament *tournament, size_t *n)
{
    *n = tournament->n_cycle;
    return tournament->cycle;
}

/* The one with more wins than any other; SIZE_MAX = several share the first place, or it is a cycle
 * of all. Beating most is not beating all: the advice says which of the two it is. */
size_t pv_tournament_best(const pv_tournament *tournament)
{
    if (tournament->n == 0) {
        return SIZE_MAX;
    }
    const size_t best = tournament->ranking[0];
    for (size_t r = 0; r < tournament->n; r++) {
        if (r != best && tournament->wins[r] >= tournament->wins[best]) {
            return SIZE_MAX;
        }
    }
    return best;
}
