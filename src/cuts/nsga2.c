/* NSGA-II over cuts: Deb, Pratap, Agarwal, Meyarivan, "A fast and elitist multiobjective genetic
 * algorithm: NSGA-II", 2002, with the selection of Dewri, Ray, Ray, Whitley, "k-anonymization in
 * the presence of publisher preferences", section 7.2, which leads into the feasible region first.
 *
 *     founders()                           the coarsest, known schemes, random ones
 *     repeat                               section 7: one generation
 *         make_children()                  binary tournaments, one-point crossover, bit mutation
 *         compete()                        evaluate, sort by rank and crowding, the best stay
 *
 * A member is a scheme that the run remembers: two objectives and an id. Its cuts are unpacked only
 * to make children. The answer is what the paper takes: the best of the feasible ones in the first
 * front of the last population. Better ones may have been there before and been crowded out; the
 * run still knows them (pv_i_cut_result_of).
 *
 * With two objectives non-dominated sorting needs n log n steps instead of the paper's n^2: members
 * come by ascending value, and a front is characterised by the best k it has so far. */
#include "cuts/cut_search.h"

#include "base/checked.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/rng.h"
#include "cuts/cut_intervals.h"
#include "front/front.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Parts that k is divided into, as a power of two: it is below 2^32. */
#define FINE_BITS 20

/* --------------------------------------------------------------- selection */

const pv_nsga2_member *pv_i_nsga2_select(const pv_nsga2_member *first,
                                         const pv_nsga2_member *second)
{
    if (first->feasible != second->feasible) {
        return first->feasible ? first : second;
    }
    /* Section 7.2: feasible ones by rank; infeasible ones towards the feasible region first. */
    if (first->feasible && first->rank != second->rank) {
        return second->rank < first->rank ? second : first;
    }
    if (!first->feasible && first->k != second->k) {
        return second->k > first->k ? second : first;
    }
    if (!first->feasible && first->value != second->value) {
        return second->value < first->value ? second : first;
    }
    return second->crowding > first->crowding ? second : first;
}

/* ----------------------------------------------------------------- sorting */

/* Three total orders; `place`, the order before sorting, breaks the last ties, so that the same
 * seed gives the same population on any C library. */
static int compare_u64(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* By value; of equal ones the better first. */
static int compare_objectives(const void *left, const void *right)
{
    const pv_nsga2_member *const a = left;
    const pv_nsga2_member *const b = right;
    const int by_value = compare_u64(a->value, b->value);
    const int by_k = compare_u64(b->k, a->k);
    return by_value != 0 ? by_value : by_k != 0 ? by_k : compare_u64(a->place, b->place);
}

/* The members of a front side by side, from one end to the other. */
static int compare_fronts(const void *left, const void *right)
{
    const pv_nsga2_member *const a = left;
    const pv_nsga2_member *const b = right;
    const int by_rank = compare_u64(a->rank, b->rank);
    return by_rank != 0 ? by_rank : compare_objectives(left, right);
}

/* The crowded comparison of the paper: less rank, then more distance. */
static int compare_crowding(const void *left, const void *right)
{
    const pv_nsga2_member *const a = left;
    const pv_nsga2_member *const b = right;
    const int by_rank = compare_u64(a->rank, b->rank);
    const int by_crowding = (a->crowding < b->crowding) - (a->crowding > b->crowding);
    return by_rank != 0       ? by_rank
           : by_crowding != 0 ? by_crowding
                              : compare_u64(a->place, b->place);
}

/* The first front whose best k is less. */
static uint32_t front_for(const uint64_t *best_k, uint32_t n_fronts, uint64_t k)
{
    uint32_t low = 0;
    uint32_t high = n_fronts;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (best_k[middle] < k) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/* Members come by ascending value, so one is dominated by a member of a front before it exactly if
 * the best k of that front is at least its own; those are the first so many fronts. */
static void rank_members(pv_nsga2_member *members, size_t n, uint64_t *best_k)
{
    uint32_t n_fronts = 0;
    for (size_t i = 0; i < n; i++) {
        pv_nsga2_member *const m = &members[i];
        const bool repeats = i > 0 && m[-1].value == m->value && m[-1].k == m->k;
        m->rank = repeats ? m[-1].rank : front_for(best_k, n_fronts, m->k);
        best_k[m->rank] = m->k;
        n_fronts += m->rank == n_fronts;
    }
}

/* The crowding distance: how far a member's neighbours are apart, as a share of the front's extent
 * in each objective. Along a front value and k ascend together: one order serves both objectives.
 */
static void crowd_front(pv_nsga2_member *front, size_t n)
{
    const double values = (double)(front[n - 1].value - front[0].value);
    const double ks = (double)(front[n - 1].k - front[0].k);
    for (size_t i = 1; i + 1 < n; i++) {
        const double wide = (double)(front[i + 1].value - front[i - 1].value);
        const double high = (double)(front[i + 1].k - front[i - 1].k);
        front[i].crowding = (values > 0 ? wide / values : 0) + (ks > 0 ? high / ks : 0);
    }
    front[0].crowding = HUGE_VAL;
    front[n - 1].crowding = HUGE_VAL;
}

/* By objectives to rank, by fronts to measure crowding, by crowding for the result. */
void pv_i_nsga2_sort(pv_nsga2_member *members, size_t n, uint64_t *scratch)
{
    for (size_t i = 0; i < n; i++) {
        members[i].place = (uint32_t)i;
    }
    qsort(members, n, sizeof *members, compare_objectives);
    rank_members(members, n, scratch);
    qsort(members, n, sizeof *members, compare_fronts);
    for (size_t first = 0, end; first < n; first = end) {
        end = first + 1;
        while (end < n && members[end].rank == members[first].rank) {
            end++;
        }
        crowd_front(members + first, end - first);
    }
    qsort(members, n, sizeof *members, compare_crowding);
}

/* ---------------------------------------------------------------- children */

typedef struct {
    pv_cut_run *run;
    pv_cut_search_options options; /* with all defaults filled in */
    size_t n_bits;
    uint64_t left; /* evaluations */
    size_t population;
    pv_rng rng;

    pv_nsga2_member *members; /* the population, then its children */
    size_t n;                 /* of the population */
    uint8_t *schemes;         /* of children */
    uint32_t *ids;            /* ... and what the run calls them */
    uint64_t *scratch;        /* for sorting */
    uint64_t generations;
} nsga2;

/* One-point crossover over the whole scheme, as published: it may divide an attribute. */
static void cross(nsga2 *s, uint8_t *a, uint8_t *b)
{
    if (s->n_bits < 2 || pv_i_rng_unit(&s->rng) >= s->options.crossover) {
        return;
    }
    for (size_t i = 1 + (size_t)pv_i_rng_below(&s->rng, s->n_bits - 1); i < s->n_bits; i++) {
        const uint8_t cut = a[i];
        a[i] = b[i];
        b[i] = cut;
    }
}

/* Two and two; of an odd last pair only one will be looked at. */
static void make_children(nsga2 *s, size_t n)
{
    for (size_t i = 0; i < n; i += 2) {
        uint8_t *const a = s->schemes + i * s->n_bits;
        uint8_t *const b = a + s->n_bits;
        for (size_t p = 0; p < 2; p++) { /* binary tournaments */
            const pv_nsga2_member *const first = &s->members[pv_i_rng_below(&s->rng, s->n)];
            const pv_nsga2_member *const second = &s->members[pv_i_rng_below(&s->rng, s->n)];
            pv_i_cut_run_scheme(s->run, pv_i_nsga2_select(first, second)->id, p == 0 ? a : b);
        }
        cross(s, a, b);
        for (size_t bit = 0; s->options.mutation > 0 && bit < 2 * s->n_bits; bit++) {
            a[bit] ^= pv_i_rng_unit(&s->rng) < s->options.mutation; /* b follows a */
        }
    }
}

/* -------------------------------------------------------------- generation */

/* The second objective, with one constraint. k is finely divided, so that rules have room below a
 * whole person. A scheme that breaks another rule counts as if it had as much less than the k
 * asked for as it has of what the rule demands: then there is one constraint, as in the paper. */
static uint64_t constrained_k(const pv_cut_goal *goal, const pv_cut_outcome *outcome)
{
    const uint64_t k = outcome->sizes.smallest << FINE_BITS;
    const double fine = ldexp((double)goal->k, FINE_BITS) * outcome->compliance;
    return outcome->compliance < 1 && (double)k > fine ? (uint64_t)fine : k;
}

/* Evaluates the n schemes made last and lets them compete with the population. */
static pv_status compete(nsga2 *s, size_t n, pv_error *error)
{
    for (size_t i = 0; i < n; i++) {
        pv_i_cut_respect(s->run->space, s->schemes + i * s->n_bits);
    }
    PV_TRY(pv_i_cut_run_evaluate(s->run, s->schemes, n, s->ids, error));
    for (size_t i = 0; i < n; i++) {
        const pv_cut_outcome *const outcome = pv_i_cut_run_outcome(s->run, s->ids[i]);
        const pv_cut_goal *const goal = &s->options.goal;
        s->members[s->n + i] = (pv_nsga2_member){
            .value = pv_i_cut_value(goal, s->run->prices, outcome->cost, outcome->bias),
            .k = constrained_k(goal, outcome),
            .id = s->ids[i],
            .feasible = pv_i_cut_is_feasible(goal, outcome)};
    }
    const size_t all = s->n + n;
    pv_i_nsga2_sort(s->members, all, s->scratch);
    s->n = all < s->population ? all : s->population;
    s->left -= n;
    s->generations++;
    return PV_STATUS_OK;
}

/* The best feasible one of the population. */
static uint32_t best_of(const nsga2 *s)
{
    uint32_t best = PV_CUT_NO_SCHEME;
    for (size_t i = 0; i < s->n; i++) {
        const pv_nsga2_member *const m = &s->members[i];
        if (m->feasible && (best == PV_CUT_NO_SCHEME ||
                            pv_i_cut_is_better(s->run, &s->options.goal, m->id, best))) {
            best = m->id;
        }
    }
    return best;
}

/* The population of the first generation: the coarsest scheme, what there is to start from, and
 * schemes at random. */
static void make_founders(nsga2 *s, size_t n)
{
    memcpy(s->schemes, s->run->space->coarsest, s->n_bits);
    for (size_t i = 1; i < n; i++) {
        uint8_t *const cuts = s->schemes + i * s->n_bits;
        if (i <= s->options.n_start) {
            memcpy(cuts, s->options.start + (i - 1) * s->n_bits, s->n_bits);
        } else {
            pv_i_cut_random(s->n_bits, &s->rng, cuts);
        }
    }
}

pv_status pv_i_nsga2(pv_cut_run *run, const pv_cut_search_options *options, pv_cut_result *result,
                     pv_error *error)
{
    nsga2 s = {.run = run, .options = *options, .n_bits = run->space->n_bits};
    const pv_cut_search_options *const o = &s.options;
    pv_status status = PV_STATUS_OK;
    PV_TRY(pv_i_cut_search_fill("nsga2", &s.options, error));
    s.left = o->evaluations;
    s.population = o->population;
    pv_i_rng_init(&s.rng, o->seed);
    s.members = PV_NEW_ARRAY(pv_nsga2_member, 2 * s.population);
    s.schemes = pv_i_array(s.population + 1, s.n_bits); /* an odd child has a twin */
    s.ids = PV_NEW_ARRAY(uint32_t, s.population);
    s.scratch = PV_NEW_ARRAY(uint64_t, 2 * s.population);
    if (s.members == NULL || s.schemes == NULL || s.ids == NULL || s.scratch == NULL) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    do {
        const size_t n = s.left < s.population ? (size_t)s.left : s.population;
        if (s.generations == 0) {
            make_founders(&s, n);
        } else {
            make_children(&s, n);
        }
        PV_TRY_CLEAN(compete(&s, n, error));
    } while (s.left > 0 && (o->keep_going == NULL || o->keep_going(o->ctx, s.run, best_of(&s))));
    /* What the first front of the population has. */
    size_t n = 0;
    while (n < s.n && s.members[n].rank == 0) {
        s.ids[n] = s.members[n].id;
        n++;
    }
    PV_TRY_CLEAN(pv_i_cut_result_among(s.run, &o->goal, s.ids, n, result, error));
    result->generations = s.generations;
cleanup:
    pv_i_free(s.members);
    pv_i_free(s.schemes);
    pv_i_free(s.ids);
    pv_i_free(s.scratch);
    return status;
}
