/* The archive with boxes against algorithm 1 of the paper, and the paper's two theorems after every
 * single offer: all members are non-dominated among everything ever offered, and there are at most
 * so many of them. */
#include "support/testing.h"

#include "base/rng.h"
#include "front/archive.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------ oracle */

/* The archive of the paper, taken literally (Dewri, Ray, Ray, Whitley: multi-objective property
 * based generalization, section 5): algorithm 1 over everything that was offered so far, beside the
 * library's, and what must hold after every single offer, follows. */

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
static double box_number(double value, double epsilon)
{
    const double steps = value / epsilon;
    return fabs(steps - round(steps)) <= fabs(steps) * 3.7e-12 ? round(steps) : floor(steps);
}

static double box_of(const game *g, const double *values, size_t o)
{
    return g->epsilons[o] > 0 ? box_number(values[o], g->epsilons[o]) : values[o];
}

static void find_box(const game *g, const double *values, double *box)
{
    for (size_t o = 0; o < g->n_objectives; o++) {
        box[o] = box_of(g, values, o);
    }
}

static bool at_least(const game *g, const double *a, const double *b)
{
    for (size_t o = 0; o < g->n_objectives; o++) {
        if (a[o] < b[o]) {
            return false;
        }
    }
    return true;
}

static bool same(const game *g, const double *a, const double *b)
{
    return at_least(g, a, b) && at_least(g, b, a);
}

static bool dominates(const game *g, const double *a, const double *b)
{
    return at_least(g, a, b) && !at_least(g, b, a);
}

static bool same_box(const game *g, const double *a, const double *b)
{
    double left[MAX_OBJECTIVES];
    double right[MAX_OBJECTIVES];
    find_box(g, a, left);
    find_box(g, b, right);
    return same(g, left, right);
}

static bool covers(const game *g, const double *a, const double *b)
{
    double left[MAX_OBJECTIVES];
    double right[MAX_OBJECTIVES];
    find_box(g, a, left);
    find_box(g, b, right);
    return at_least(g, left, right);
}

static bool box_dominates(const game *g, const double *a, const double *b)
{
    return same_box(g, a, b) ? dominates(g, a, b) : covers(g, a, b);
}

/* ------------------------------------------------------------ the paper's archive */

static const double *kept_values(const game *g, size_t i)
{
    return g->offers[g->kept[i]].values;
}

/* Not in the paper: equal values are one member, that of the first scheme. */
static bool ties(game *g, size_t candidate)
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
static bool update(game *g, size_t candidate)
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

static const pv_member *find_member(const game *g, const uint8_t *levels)
{
    for (size_t i = 0; i < g->archive.n_members; i++) {
        if (memcmp(g->archive.members[i].levels, levels, N_LEVELS) == 0) {
            return &g->archive.members[i];
        }
    }
    return NULL;
}

static void expect_member(const game *g, size_t kept)
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

static void expect_same_members(const game *g)
{
    assert_int_equal(g->archive.n_members, g->n_kept);
    for (size_t i = 0; i < g->n_kept; i++) {
        expect_member(g, i);
    }
}

/* ------------------------------------------------------------------- the theorems */

/* Every box non-dominated, with one member, non-dominated among all that was offered; and no offer
 * is outside of what the boxes cover. */
static void expect_only_minimal(const game *g)
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
static double steps_of(const game *g, size_t o, bool possible)
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
static double bound_without(const game *g, bool most, bool possible)
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

static void expect_bounded(const game *g)
{
    const double n = (double)g->archive.n_members;
    if (g->n_offers > 0) {
        assert_true(n <= bound_without(g, false, false)); /* the paper's */
        assert_true(n <= bound_without(g, true, false));
        assert_true(pv_i_archive_bound(&g->archive) == bound_without(g, true, true));
    }
}

/* -------------------------------------------------------------------- the answers */

static void raw_of(const game *g, const double *values, double *raw)
{
    for (size_t o = 0; o < g->n_objectives; o++) {
        const bool more = g->objectives[o].measure->direction == PV_MORE_IS_BETTER;
        raw[o] = more ? values[o] : 0 - values[o];
    }
}

static void expect_answers_to(const game *g, const double *values)
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
static void expect_answers(pv_rng *rng, const game *g)
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

static void game_init_named(game *g, const char *const *objectives, size_t n_objectives,
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

static void game_init(pv_rng *rng, game *g, size_t n_objectives, const double *epsilons)
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

static void random_epsilons(pv_rng *rng, double *epsilons)
{
    static const double choices[] = {0, 0, 0.25, 0.3, 0.5, 0.75, 1, 1.1, 2, 3.5, 50};
    for (size_t o = 0; o < MAX_OBJECTIVES; o++) {
        epsilons[o] = choices[pv_i_rng_below(rng, sizeof choices / sizeof *choices)];
    }
}

static size_t random_objectives(pv_rng *rng)
{
    return 2 + (size_t)pv_i_rng_below(rng, MAX_OBJECTIVES - 1);
}

/* Offers it to both; true if the paper's archive has it now. */
static bool game_offer(game *g, const double *values)
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
static void random_values(pv_rng *rng, const game *g, uint64_t n_values, bool plane, double *values)
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

static void expect_everything(pv_rng *rng, const game *g)
{
    expect_same_members(g);
    expect_only_minimal(g);
    expect_bounded(g);
    expect_answers(rng, g);
}

/* ------------------------------------------------------------------------- tests */

/* Boxes of 5 people and 10 cells. */
static void a_worked_example(void **state)
{
    static const double epsilons[] = {5, 10};
    static const struct {
        double raw[2];   /* k, glm */
        double after[2]; /* the member in its place */
        size_t n_members;
    } steps[] = {
        {{7, 12}, {7, 12}, 1},  /* alone */
        {{6, 11}, {7, 12}, 1},  /* neither is better: the older stays */
        {{8, 11}, {8, 11}, 1},  /* better in both */
        {{8, 13}, {8, 11}, 1},  /* worse */
        {{5, 9}, {5, 9}, 1},    /* fewer people, but in a better box */
        {{12, 25}, {12, 25}, 2} /* more of both */
    };
    const pv_measure_ref objectives[] = {{.measure = pv_measure_find("k")},
                                         {.measure = pv_measure_find("glm")}};
    pv_archive archive;
    (void)state;
    pv_i_archive_init(&archive, objectives, 2, N_LEVELS, epsilons);
    assert_false(pv_i_archive_covers(&archive, steps[0].raw));
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        const uint8_t levels[N_LEVELS] = {(uint8_t)i, 0};
        assert_true(pv_i_archive_offer(&archive, steps[i].raw, levels, 1, 0));
        assert_int_equal(archive.n_members, steps[i].n_members);
        const pv_member *const last = &archive.members[archive.n_members - 1];
        assert_memory_equal(last->raw, steps[i].after, sizeof steps[i].after);
        assert_int_equal(last->mark, 0);
    }
    /* Two steps from 5 to 12 people, three from 25 to 9 cells: two members at most. */
    assert_true(pv_i_archive_bound(&archive) == 2);
    pv_i_archive_deinit(&archive);
}

static void streams_agree_with_the_paper(void **state)
{
    static game g;
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 61);
    for (size_t i = 0; i < effort(300); i++) {
        double epsilons[MAX_OBJECTIVES];
        double values[MAX_OBJECTIVES];
        const uint64_t n_values = 1 + pv_i_rng_below(&rng, 24);
        const bool plane = pv_i_rng_below(&rng, 2) == 0;
        random_epsilons(&rng, epsilons);
        game_init(&rng, &g, random_objectives(&rng), epsilons);
        for (size_t left = (size_t)pv_i_rng_below(&rng, 60); left > 0; left--) {
            random_values(&rng, &g, n_values, plane, values);
            (void)game_offer(&g, values);
            expect_everything(&rng, &g);
        }
        pv_i_archive_deinit(&g.archive);
    }
}

/* Epsilons of 0, or of 1 where all values are whole numbers: plain dominance, in any order. */
static void no_boxes_keep_whatever_is_not_dominated(void **state)
{
    static game g;
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 62);
    for (size_t i = 0; i < effort(300); i++) {
        const double side = (double)pv_i_rng_below(&rng, 2);
        const double epsilons[] = {side, side, side, side, side};
        game_init(&rng, &g, random_objectives(&rng), epsilons);
        for (size_t left = (size_t)pv_i_rng_below(&rng, 60); left > 0; left--) {
            double values[MAX_OBJECTIVES];
            for (size_t o = 0; o < g.n_objectives; o++) {
                values[o] = (double)pv_i_rng_below(&rng, 7) - 2;
            }
            (void)game_offer(&g, values);
        }
        expect_everything(&rng, &g);
        for (size_t j = 0; j < g.n_offers; j++) {
            bool beaten = false;
            bool present = false;
            for (size_t l = 0; l < g.n_offers; l++) {
                beaten |= dominates(&g, g.offers[l].values, g.offers[j].values);
            }
            for (size_t m = 0; m < g.archive.n_members; m++) {
                present |= same(&g, g.archive.members[m].values, g.offers[j].values);
            }
            assert_int_equal(present, !beaten);
        }
        pv_i_archive_deinit(&g.archive);
    }
}

/* --------------------------------------------------------------- boxes of other sizes */

/* The fewest members that boxes can be made to hold: those at 0 never grow together with those
 * below it, so that as many sets of objectives remain as do not contain each other. */
static size_t fewest(size_t n_objectives)
{
    static const size_t sets[] = {1, 1, 2, 3, 6, 10};
    return sets[n_objectives];
}

/* The members are some of those before, with their marks; the epsilons have not shrunk. */
static void expect_subset(const game *g, const pv_archive *before)
{
    for (size_t o = 0; o < g->n_objectives; o++) {
        assert_true(g->archive.epsilons[o] >= before->epsilons[o]);
        assert_true(g->archive.lowest[o] == before->lowest[o]);
        assert_true(g->archive.highest[o] == before->highest[o]);
    }
    for (size_t i = 0; i < g->archive.n_members; i++) {
        const pv_member *const member = &g->archive.members[i];
        size_t j = 0;
        while (memcmp(before->members[j].levels, member->levels, N_LEVELS) != 0) {
            j++;
            assert_true(j < before->n_members);
        }
        assert_int_equal(member->mark, before->members[j].mark);
        assert_int_equal(member->k, before->members[j].k);
        assert_true(same(g, member->values, before->members[j].values));
    }
}

static pv_archive copy_of(const game *g)
{
    pv_archive copy;
    pv_i_archive_init(&copy, g->objectives, g->n_objectives, N_LEVELS, g->archive.epsilons);
    assert_true(pv_i_archive_merge(&copy, &g->archive));
    assert_int_equal(copy.n_members, g->archive.n_members);
    return copy;
}

/* From here on the paper's archive has what the library's has. */
static void adopt(game *g)
{
    memcpy(g->epsilons, g->archive.epsilons, sizeof g->epsilons);
    g->n_kept = g->archive.n_members;
    for (size_t i = 0; i < g->n_kept; i++) {
        g->kept[i] = (size_t)g->archive.members[i].k - 1;
        g->ties[i] = g->archive.members[i].ties;
    }
}

static void mark_members(game *g)
{
    for (size_t i = 0; i < g->archive.n_members; i++) {
        g->archive.members[i].mark = 1 + (unsigned)g->archive.members[i].k;
    }
}

static void coarsen(game *g, size_t most)
{
    mark_members(g);
    pv_archive before = copy_of(g);
    assert_true(pv_i_archive_coarsen(&g->archive, most));
    assert_true(g->archive.n_members <= most);
    expect_subset(g, &before);
    for (size_t o = 0; o < g->n_objectives; o++) {
        if (before.epsilons[o] > 0) {
            const double times = g->archive.epsilons[o] / before.epsilons[o];
            assert_true(exp2(floor(log2(times) + 0.5)) == times);
        }
    }
    pv_i_archive_deinit(&before);
    adopt(g);
}

/* Offers go on after it; the theorems still hold for everything ever offered. */
static void coarser_boxes_keep_the_theorems(void **state)
{
    static game g;
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 63);
    for (size_t i = 0; i < effort(80); i++) {
        double epsilons[MAX_OBJECTIVES] = {0};
        double values[MAX_OBJECTIVES];
        const uint64_t n_values = 4 + pv_i_rng_below(&rng, 60);
        if (i % 2 == 0) {
            random_epsilons(&rng, epsilons);
        }
        game_init(&rng, &g, random_objectives(&rng), epsilons);
        const size_t most = fewest(g.n_objectives) + (size_t)pv_i_rng_below(&rng, 20);
        for (size_t left = 120; left > 0; left--) {
            random_values(&rng, &g, n_values, i % 3 != 0, values);
            (void)game_offer(&g, values);
            if (g.archive.n_members > most + pv_i_rng_below(&rng, 10)) {
                coarsen(&g, most);
            }
            expect_everything(&rng, &g);
        }
        pv_i_archive_deinit(&g.archive);
    }
}

/* Decimals as people write them, against whole numbers: n/10^p in steps of e/10^p. */
static void multiples_are_in_their_own_box(void **state)
{
    (void)state;
    for (int64_t step = 1; step <= 60; step++) {
        for (int64_t n = -400; n <= 400; n++) {
            for (int places = 0; places <= 6; places++) {
                char text[40];
                (void)snprintf(text, sizeof text, "%llde-%d", (long long)step, places);
                const double epsilon = strtod(text, NULL);
                (void)snprintf(text, sizeof text, "%llde-%d", (long long)n, places);
                const double value = strtod(text, NULL);
                const int64_t rest = (n % step + step) % step;
                const int64_t expected = (n - rest) / step;
                assert_true(pv_i_box_of(value, epsilon) == (double)expected);
                assert_true(pv_i_box_of(pv_i_settled(value), epsilon) == (double)expected);
                /* and as a sum, or a product, comes out */
                assert_true(rest != 0 ||
                            pv_i_box_of((double)(n / step) * epsilon, epsilon) == (double)expected);
            }
        }
    }
}

/* The boxes of the members, whatever their sizes: the same as of an archive that gets to see only
 * the members. */
static void expect_reboxed(game *g, const pv_archive *before, const double *epsilons)
{
    game again = {.n_objectives = g->n_objectives};
    memcpy(again.epsilons, epsilons, sizeof again.epsilons);
    for (size_t i = 0; i < before->n_members; i++) {
        const pv_member *const member = &before->members[i];
        size_t n_better = 0;
        size_t n_there = 0;
        for (size_t j = 0; j < before->n_members; j++) {
            const double *const other = before->members[j].values;
            n_better +=
                covers(&again, other, member->values) && !same_box(&again, other, member->values);
        }
        for (size_t j = 0; j < g->archive.n_members; j++) {
            n_there += same_box(&again, g->archive.members[j].values, member->values);
        }
        assert_int_equal(n_there, n_better == 0);
    }
}

static void other_boxes_hold_some_of_the_members(void **state)
{
    static game g;
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 64);
    for (size_t i = 0; i < effort(300); i++) {
        double epsilons[MAX_OBJECTIVES] = {0};
        double values[MAX_OBJECTIVES];
        game_init(&rng, &g, random_objectives(&rng), epsilons);
        for (size_t left = (size_t)pv_i_rng_below(&rng, 100); left > 0; left--) {
            random_values(&rng, &g, 40, i % 2 == 0, values);
            (void)game_offer(&g, values);
        }
        mark_members(&g);
        pv_archive before = copy_of(&g);
        random_epsilons(&rng, epsilons);
        assert_true(pv_i_archive_rebox(&g.archive, epsilons));
        expect_subset(&g, &before);
        expect_reboxed(&g, &before, epsilons);
        adopt(&g);
        expect_everything(&rng, &g);
        pv_i_archive_deinit(&before);
        pv_i_archive_deinit(&g.archive);
    }
}

/* On a front without gaps nearly as many as asked for remain, and never more. */
static void thin_smooth_front(pv_rng *rng, game *g, size_t n_offers)
{
    double values[MAX_OBJECTIVES];
    for (size_t n = 0; n < n_offers; n++) {
        random_values(rng, g, 10000, true, values);
        (void)game_offer(g, values);
    }
    const size_t n_before = g->archive.n_members;
    const size_t most = 10 + (size_t)pv_i_rng_below(rng, n_before / 2);
    mark_members(g);
    pv_archive before = copy_of(g);
    assert_true(pv_i_archive_thin(&g->archive, most));
    assert_true(g->archive.n_members <= most);
    assert_true(2 * g->archive.n_members >= (most < n_before ? most : n_before));
    expect_subset(g, &before);
    expect_reboxed(g, &before, g->archive.epsilons);
    adopt(g);
    expect_everything(rng, g);
    pv_i_archive_deinit(&before);
    pv_i_archive_deinit(&g->archive);
}

static void thinning_leaves_about_as_many_as_asked_for(void **state)
{
    static game g;
    const double epsilons[MAX_OBJECTIVES] = {0};
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 65);
    for (size_t i = 0; i < effort(40); i++) {
        game_init(&rng, &g, random_objectives(&rng), epsilons);
        thin_smooth_front(&rng, &g, 100);
    }
}

/* Also where there are no losses, or hardly anything else. */
static void objectives_of_one_kind_are_thinned_as_well(void **state)
{
    static const char *const kinds[][MAX_OBJECTIVES] = {
        {"k", "l-distinct", "sum-k", "gini", "t-closeness"}, {"k", "glm", "cm", "dcn", "nwp"}};
    static game g;
    const double epsilons[MAX_OBJECTIVES] = {0};
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 66);
    for (size_t i = 0; i < effort(10); i++) {
        game_init_named(&g, kinds[i % 2], 3 + i % 3, epsilons);
        thin_smooth_front(&rng, &g, 300);
    }
}

/* An archive that was never offered anything has no range of values to add. */
static void merging_nothing_changes_nothing(void **state)
{
    static game g;
    const double epsilons[] = {1, 1};
    pv_archive empty;
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 67);
    game_init(&rng, &g, 2, epsilons);
    pv_i_archive_init(&empty, g.objectives, 2, N_LEVELS, epsilons);
    (void)game_offer(&g, (double[]){3, 4});
    (void)game_offer(&g, (double[]){5, 1});
    assert_true(pv_i_archive_merge(&g.archive, &empty));
    expect_everything(&rng, &g);
    assert_true(pv_i_archive_merge(&empty, &g.archive));
    assert_true(pv_i_archive_bound(&empty) == pv_i_archive_bound(&g.archive));
    pv_i_archive_deinit(&empty);
    pv_i_archive_deinit(&g.archive);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(multiples_are_in_their_own_box),
        cmocka_unit_test(a_worked_example),
        cmocka_unit_test(streams_agree_with_the_paper),
        cmocka_unit_test(no_boxes_keep_whatever_is_not_dominated),
        cmocka_unit_test(coarser_boxes_keep_the_theorems),
        cmocka_unit_test(other_boxes_hold_some_of_the_members),
        cmocka_unit_test(thinning_leaves_about_as_many_as_asked_for),
        cmocka_unit_test(objectives_of_one_kind_are_thinned_as_well),
        cmocka_unit_test(merging_nothing_changes_nothing),
    };
    return cmocka_run_group_tests_name("boxes", tests, NULL, NULL);
}
