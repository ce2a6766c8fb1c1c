/* The archive of the paper, taken literally (Dewri, Ray, Ray, Whitley: multi-objective property
 * based generalization, section 5): algorithm 1 over everything that was offered so far, beside the
 * library's, and what must hold after every single offer. */
#ifndef PV_TESTS_BOX_ORACLE_H
#define PV_TESTS_BOX_ORACLE_H

#include "base/rng.h"
#include "front/archive.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_OBJECTIVES = 5, MAX_OFFERS = 400, N_LEVELS = 2 };

typedef struct {
    double raw[MAX_OBJECTIVES];
    double values[MAX_OBJECTIVES]; /* more is better */
    uint8_t levels[N_LEVELS];      /* no two offers have the same */
} offer;

/* What was offered so far, and what the paper's archive makes of it. */
typedef struct {
    pv_measure_ref objectives[MAX_OBJECTIVES];
    size_t n_objectives;
    double epsilons[MAX_OBJECTIVES];
    offer offers[MAX_OFFERS];
    size_t n_offers;
    size_t kept[MAX_OFFERS];
    uint64_t ties[MAX_OFFERS]; /* of the kept */
    size_t n_kept;
    pv_archive archive; /* the library's */
} game;

/* ------------------------------------------------------- the paper's relations */

/* What is a multiple but for rounding is one. */
static inline double box_number(double value, double epsilon)
{
    const double steps = value / epsilon;
    return fabs(steps - round(steps)) <= fabs(steps) * 3.7e-12 ? round(steps) : floor(steps);
}

static inline double box_of(const game *g, const double *values, size_t o)
{
    return g->epsilons[o] > 0 ? box_number(values[o], g->epsilons[o]) : values[o];
}

static inline void find_box(const game *g, const double *values, double *box)
{
    for (size_t o = 0; o < g->n_objectives; o++) {
        box[o] = box_of(g, values, o);
    }
}

static inline bool at_least(const game *g, const double *a, const double *b)
{
    for (size_t o = 0; o < g->n_objectives; o++) {
        if (a[o] < b[o]) {
            return false;
        }
    }
    return true;
}

static inline bool same(const game *g, const double *a, const double *b)
{
    return at_least(g, a, b) && at_least(g, b, a);
}

static inline bool dominates(const game *g, const double *a, const double *b)
{
    return at_least(g, a, b) && !at_least(g, b, a);
}

static inline bool same_box(const game *g, const double *a, const double *b)
{
    double left[MAX_OBJECTIVES];
    double right[MAX_OBJECTIVES];
    find_box(g, a, left);
    find_box(g, b, right);
    return same(g, left, right);
}

static inline bool covers(const game *g, const double *a, const double *b)
{
    double left[MAX_OBJECTIVES];
    double right[MAX_OBJECTIVES];
    find_box(g, a, left);
    find_box(g, b, right);
    return at_least(g, left, right);
}

static inline bool box_dominates(const game *g, const double *a, const double *b)
{
    return same_box(g, a, b) ? dominates(g, a, b) : covers(g, a, b);
}

/* ------------------------------------------------------------ the paper's archive */

static inline const double *kept_values(const game *g, size_t i)
{
    return g->offers[g->kept[i]].values;
}

/* Not in the paper: equal values are one member, that of the first scheme. */
static inline bool ties(game *g, size_t candidate)
{
    for (size_t i = 0; i < g->n_kept; i++) {
        if (same(g, kept_values(g, i), g->offers[candidate].values)) {
            const uint8_t *const levels = g->offers[candidate].levels;
            g->ties[i]++;
            if (memcmp(levels, g->offers[g->kept[i]].levels, N_LEVELS) < 0) {
                g->kept[i] = candidate;
            }
            return true;
        }
    }
    return false;
}

/* Algorithm 1. True if the candidate is a member now. */
static inline bool update(game *g, size_t candidate)
{
    const double *const values = g->offers[candidate].values;
    size_t n = 0;
    bool is_dominated = false;
    bool is_taken = false;
    if (ties(g, candidate)) {
        return false;
    }
    for (size_t i = 0; i < g->n_kept; i++) { /* steps 2 and 3 */
        if (!box_dominates(g, values, kept_values(g, i))) {
            g->ties[n] = g->ties[i];
            g->kept[n++] = g->kept[i];
        }
    }
    g->n_kept = n;
    for (size_t i = 0; i < g->n_kept; i++) { /* steps 4 and 5 */
        is_dominated |= box_dominates(g, kept_values(g, i), values);
        is_taken |= same_box(g, kept_values(g, i), values);
    }
    if (!is_dominated && !is_taken) { /* step 6 */
        g->ties[g->n_kept] = 0;
        g->kept[g->n_kept++] = candidate;
    }
    return !is_dominated && !is_taken;
}

/* --------------------------------------------------------------- the same members */

static inline const pv_member *find_member(const game *g, const uint8_t *levels)
{
    for (size_t i = 0; i < g->archive.n_members; i++) {
        if (memcmp(g->archive.members[i].levels, levels, N_LEVELS) == 0) {
            return &g->archive.members[i];
        }
    }
    return NULL;
}

static inline void expect_member(const game *g, size_t kept)
{
    const offer *const o = &g->offers[g->kept[kept]];
    const pv_member *const member = find_member(g, o->levels);
    double box[MAX_OBJECTIVES];
    assert_non_null(member);
    find_box(g, o->values, box);
    assert_memory_equal(member->raw, o->raw, g->n_objectives * sizeof *box);
    assert_true(same(g, member->values, o->values));
    assert_true(same(g, member->box, box));
    assert_int_equal(member->ties, g->ties[kept]);
    assert_int_equal(member->k, g->kept[kept] + 1);
    assert_int_equal(member->suppressed, 3 * g->kept[kept]);
}

static inline void expect_same_members(const game *g)
{
    assert_int_equal(g->archive.n_members, g->n_kept);
    for (size_t i = 0; i < g->n_kept; i++) {
        expect_member(g, i);
    }
}

/* ------------------------------------------------------------------- the theorems */

/* Every box non-dominated, with one member, non-dominated among all that was offered; and no offer
 * is outside of what the boxes cover. */
static inline void expect_only_minimal(const game *g)
{
    for (size_t i = 0; i < g->archive.n_members; i++) {
        const double *const values = g->archive.members[i].values;
        for (size_t j = 0; j < i; j++) {
            const double *const other = g->archive.members[j].values;
            assert_false(covers(g, values, other) || covers(g, other, values));
        }
        for (size_t j = 0; j < g->n_offers; j++) {
            assert_false(dominates(g, g->offers[j].values, values));
        }
    }
    for (size_t j = 0; j < g->n_offers; j++) {
        size_t i = 0;
        while (i < g->archive.n_members &&
               !covers(g, g->archive.members[i].values, g->offers[j].values)) {
            i++;
        }
        assert_true(i < g->archive.n_members);
    }
}

/* The steps that an objective is divided into; undivided, as many as there are values, or as are
 * possible. */
static inline double steps_of(const game *g, size_t o, bool possible)
{
    double lowest = (double)INFINITY;
    double highest = -(double)INFINITY;
    double different = 0;
    for (size_t i = 0; i < g->n_offers; i++) {
        size_t j = 0;
        lowest = fmin(lowest, g->offers[i].values[o]);
        highest = fmax(highest, g->offers[i].values[o]);
        while (j < i && g->offers[i].values[o] != g->offers[j].values[o]) {
            j++;
        }
        different += j == i;
    }
    if (g->epsilons[o] > 0) {
        return box_number(highest, g->epsilons[o]) - box_number(lowest, g->epsilons[o]) + 1;
    }
    return possible && highest > lowest ? (double)INFINITY : different;
}

/* The product of the steps of all objectives but that with the most, or that with the fewest. */
static inline double bound_without(const game *g, bool most, bool possible)
{
    size_t left_out = 0;
    double bound = 1;
    for (size_t o = 1; o < g->n_objectives; o++) {
        const double its = steps_of(g, o, possible);
        const double least = steps_of(g, left_out, possible);
        left_out = (most ? its > least : its < least) ? o : left_out;
    }
    for (size_t o = 0; o < g->n_objectives; o++) {
        bound *= o != left_out ? steps_of(g, o, possible) : 1;
    }
    return bound;
}

static inline void expect_bounded(const game *g)
{
    const double n = (double)g->archive.n_members;
    if (g->n_offers > 0) {
        assert_true(n <= bound_without(g, false, false)); /* the paper's */
        assert_true(n <= bound_without(g, true, false));
        assert_true(pv_i_archive_bound(&g->archive) == bound_without(g, true, true));
    }
}

/* -------------------------------------------------------------------- the answers */

static inline void raw_of(const game *g, const double *values, double *raw)
{
    for (size_t o = 0; o < g->n_objectives; o++) {
        const bool more = g->objectives[o].measure->direction == PV_MORE_IS_BETTER;
        raw[o] = more ? values[o] : 0 - values[o];
    }
}

static inline void expect_answers_to(const game *g, const double *values)
{
    double raw[MAX_OBJECTIVES];
    double box[MAX_OBJECTIVES];
    double its_box[MAX_OBJECTIVES];
    bool covered = false;
    bool rejected = false;
    raw_of(g, values, raw);
    for (size_t i = 0; i < g->archive.n_members; i++) {
        covered |= covers(g, g->archive.members[i].values, values);
        rejected |= box_dominates(g, g->archive.members[i].values, values);
    }
    assert_int_equal(pv_i_archive_covers(&g->archive, raw), covered);
    assert_int_equal(pv_i_archive_rejects(&g->archive, raw), rejected);
    find_box(g, values, box);
    pv_i_archive_box(&g->archive, raw, its_box);
    assert_true(same(g, box, its_box));
}

/* Also of what is at most as good: once rejected, it is for good. */
static inline void expect_answers(pv_rng *rng, const game *g)
{
    double raw[MAX_OBJECTIVES];
    double values[MAX_OBJECTIVES];
    for (size_t o = 0; o < g->n_objectives; o++) {
        values[o] = ((double)pv_i_rng_below(rng, 48) - 20) / 4;
    }
    raw_of(g, values, raw);
    const bool rejected = pv_i_archive_rejects(&g->archive, raw);
    expect_answers_to(g, values);
    for (size_t o = 0; o < g->n_objectives; o++) {
        values[o] -= (double)pv_i_rng_below(rng, 3) / 4;
    }
    raw_of(g, values, raw);
    assert_true(!rejected || pv_i_archive_rejects(&g->archive, raw));
    if (g->n_offers > 0) {
        expect_answers_to(g, g->offers[pv_i_rng_below(rng, g->n_offers)].values);
    }
}

/* ---------------------------------------------------------------------- the games */

static inline void game_init_named(game *g, const char *const *objectives, size_t n_objectives,
                                   const double *epsilons)
{
    memset(g, 0, sizeof *g);
    g->n_objectives = n_objectives;
    for (size_t o = 0; o < n_objectives; o++) {
        g->objectives[o] = (pv_measure_ref){.measure = pv_measure_find(objectives[o])};
        assert_non_null(g->objectives[o].measure);
        g->epsilons[o] = epsilons[o];
    }
    pv_i_archive_init(&g->archive, g->objectives, n_objectives, N_LEVELS, epsilons);
}

static inline void game_init(pv_rng *rng, game *g, size_t n_objectives, const double *epsilons)
{
    static const char *const names[] = {"k",           "glm",   "l-distinct", "cm",
                                        "t-closeness", "sum-k", "dcn"};
    const size_t first = (size_t)pv_i_rng_below(rng, 7);
    const char *objectives[MAX_OBJECTIVES];
    for (size_t o = 0; o < n_objectives; o++) {
        objectives[o] = names[(first + o) % 7];
    }
    game_init_named(g, objectives, n_objectives, epsilons);
}

static inline void random_epsilons(pv_rng *rng, double *epsilons)
{
    static const double choices[] = {0, 0, 0.25, 0.3, 0.5, 0.75, 1, 1.1, 2, 3.5, 50};
    for (size_t o = 0; o < MAX_OBJECTIVES; o++) {
        epsilons[o] = choices[pv_i_rng_below(rng, sizeof choices / sizeof *choices)];
    }
}

static inline size_t random_objectives(pv_rng *rng)
{
    return 2 + (size_t)pv_i_rng_below(rng, MAX_OBJECTIVES - 1);
}

/* Offers it to both; true if the paper's archive has it now. */
static inline bool game_offer(game *g, const double *values)
{
    const size_t i = g->n_offers++;
    const uint64_t changes = g->archive.n_changes;
    offer *const o = &g->offers[i];
    assert_true(i < MAX_OFFERS);
    memcpy(o->values, values, g->n_objectives * sizeof *values);
    raw_of(g, values, o->raw);
    o->levels[0] = (uint8_t)(i * 263 % 401 / 20); /* all different, in no order */
    o->levels[1] = (uint8_t)(i * 263 % 401 % 20);
    assert_true(pv_i_archive_offer(&g->archive, o->raw, o->levels, i + 1, 3 * i));
    const bool entered = update(g, i);
    assert_int_equal(g->archive.n_changes - changes, entered);
    return entered;
}

/* Near a plane on which nothing dominates anything, so that archives grow; or anywhere. */
static inline void random_values(pv_rng *rng, const game *g, uint64_t n_values, bool plane,
                                 double *values)
{
    double sum = 0;
    for (size_t o = 0; o < g->n_objectives; o++) {
        values[o] = ((double)pv_i_rng_below(rng, n_values) - (double)(n_values / 3)) / 4;
        sum += values[o];
    }
    if (plane) {
        values[g->n_objectives - 1] -= sum - (double)pv_i_rng_below(rng, 3) / 4;
    }
}

static inline void expect_everything(pv_rng *rng, const game *g)
{
    expect_same_members(g);
    expect_only_minimal(g);
    expect_bounded(g);
    expect_answers(rng, g);
}

#endif
