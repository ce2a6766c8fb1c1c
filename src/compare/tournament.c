/* Everyone against everyone.
 *
 * "Better than" need not be an order: A may beat B, B beat C and C beat A. Releases are ranked by
 * how many others they beat (Copeland); a cycle is said to be one, and the shortest says it best.
 */
#include "base/checked.h"
#include "base/error.h"
#include "base/memory.h"

#include <paravent/compare.h>

static bool beats(const pv_tournament *t, size_t a, size_t b)
{
    return t->winner[a * t->n + b] == PV_FIRST_WINS;
}

static pv_winner turned(pv_winner winner)
{
    return winner == PV_FIRST_WINS    ? PV_SECOND_WINS
           : winner == PV_SECOND_WINS ? PV_FIRST_WINS
                                      : PV_NOBODY_WINS;
}

static void fill(pv_tournament *t, const pv_winner *winners)
{
    for (size_t a = 0; a < t->n; a++) {
        for (size_t b = a + 1; b < t->n; b++) {
            const pv_winner winner = winners[a * t->n + b];
            t->winner[a * t->n + b] = winner;
            t->winner[b * t->n + a] = turned(winner);
            t->wins[a] += winner == PV_FIRST_WINS;
            t->wins[b] += winner == PV_SECOND_WINS;
        }
    }
}

/* Insertion keeps those with equal wins in order; there are few releases. */
static void rank(pv_tournament *t)
{
    for (size_t i = 0; i < t->n; i++) {
        size_t at = i;
        for (; at > 0 && t->wins[t->ranking[at - 1]] < t->wins[i]; at--) {
            t->ranking[at] = t->ranking[at - 1];
        }
        t->ranking[at] = i;
    }
}

/* ------------------------------------------------------------------- cycles */

/* A walk in widening circles along victories. */
typedef struct {
    size_t *queue;  /* releases in order of discovery */
    size_t *before; /* who beat them; SIZE_MAX = not met yet */
    size_t n;       /* met so far */
} walk;

static void walk_from(const pv_tournament *t, walk *w, size_t start)
{
    for (size_t i = 0; i < t->n; i++) {
        w->before[i] = SIZE_MAX;
    }
    w->before[start] = start;
    w->queue[0] = start;
    w->n = 1;
}

static void meet_beaten(const pv_tournament *t, walk *w, size_t start, size_t who)
{
    for (size_t other = start; other < t->n; other++) {
        if (w->before[other] == SIZE_MAX && beats(t, who, other)) {
            w->before[other] = who;
            w->queue[w->n++] = other;
        }
    }
}

/* The last of a shortest cycle through `start` and releases after it, which is also its first;
 * SIZE_MAX = there is none. */
static size_t find_back(const pv_tournament *t, walk *w, size_t start)
{
    walk_from(t, w, start);
    for (size_t i = 0; i < w->n; i++) {
        if (beats(t, w->queue[i], start)) {
            return w->queue[i];
        }
        meet_beaten(t, w, start, w->queue[i]);
    }
    return SIZE_MAX;
}

static size_t length_to(const walk *w, size_t start, size_t last)
{
    size_t length = 1;
    for (size_t at = last; at != start; at = w->before[at]) {
        length++;
    }
    return length;
}

static void keep_cycle(pv_tournament *t, const walk *w, size_t start, size_t last, size_t length)
{
    t->n_cycle = length;
    t->cycle[0] = start;
    for (size_t at = last, i = length; at != start; at = w->before[at]) {
        t->cycle[--i] = at;
    }
}

/* Of the shortest the one with the lowest number. */
static void find_cycle(pv_tournament *t, walk *w)
{
    for (size_t start = 0; start < t->n && t->n_cycle != 3; start++) {
        const size_t last = find_back(t, w, start);
        const size_t length = last == SIZE_MAX ? 0 : length_to(w, start, last);
        if (length > 0 && (t->n_cycle == 0 || length < t->n_cycle)) {
            keep_cycle(t, w, start, last, length);
        }
    }
}

static pv_status search_cycle(pv_tournament *t, pv_error *error)
{
    walk w = {.queue = PV_NEW_ARRAY(size_t, t->n), .before = PV_NEW_ARRAY(size_t, t->n)};
    const bool has_memory = w.queue && w.before;
    if (has_memory) {
        find_cycle(t, &w);
    }
    pv_i_free(w.queue);
    pv_i_free(w.before);
    if (t->n_cycle == 0) {
        pv_i_free(t->cycle);
        t->cycle = NULL;
    }
    return has_memory ? PV_STATUS_OK : pv_i_no_memory(error);
}

/* ---------------------------------------------------------------- lifetime */

static pv_status make_room(pv_tournament *t, size_t n, pv_error *error)
{
    size_t pairs;
    if (!pv_i_mul_size(n, n, &pairs)) {
        return pv_i_fail(error, PV_STATUS_LIMIT, "too many releases to compare each with each");
    }
    t->n = n;
    t->winner = PV_NEW_ZEROED(pv_winner, pairs);
    t->wins = PV_NEW_ZEROED(uint32_t, n);
    t->ranking = PV_NEW_ZEROED(size_t, n);
    t->cycle = PV_NEW_ZEROED(size_t, n);
    return t->winner && t->wins && t->ranking && t->cycle ? PV_STATUS_OK : pv_i_no_memory(error);
}

pv_status pv_tournament_create(const pv_winner *winners, size_t n, pv_tournament **tournament,
                               pv_error *error)
{
    pv_status status = PV_STATUS_OK;
    pv_tournament *t = PV_NEW(pv_tournament);
    if (!t) {
        return pv_i_no_memory(error);
    }
    PV_TRY_CLEAN(make_room(t, n, error));
    fill(t, winners);
    rank(t);
    PV_TRY_CLEAN(search_cycle(t, error));
    *tournament = t;
    t = NULL;
cleanup:
    pv_tournament_free(t);
    return status;
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
