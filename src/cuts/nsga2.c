/* NSGA-II over cuts: Deb, Pratap, Agarwal, Meyarivan, "A fast and elitist multiobjective genetic
 * algorithm: NSGA-II", 2002, with the selection of Dewri, Ray, Ray, Whitley, "k-anonymization in
 * the presence of publisher preferences", section 7.2, which leads into the feasible region first.
 *
 *     founders()                           everything merged, known schemes, random ones
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

static bool wins_feasible(const pv_nsga2_member *a, const pv_nsga2_member *b)
{
    return a->rank != b->rank ? a->rank < b->rank : a->crowding > b->crowding;
}

static bool wins_infeasible(const pv_nsga2_member *a, const pv_nsga2_member *b)
{
    if (a->k != b->k) {
        return a->k > b->k;
    }
    return a->value != b->value ? a->value < b->value : a->crowding > b->crowding;
}

const pv_nsga2_member *pv_i_nsga2_select(const pv_nsga2_member *first,
                                         const pv_nsga2_member *second)
{
    if (first->feasible != second->feasible) {
        return first->feasible ? first : second;
    }
    const bool second_wins =
        first->feasible ? wins_feasible(second, first) : wins_infeasible(second, first);
    return second_wins ? second : first;
}

/* ----------------------------------------------------------------- sorting */

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

static double share(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0;
}

/* The crowding distance: how far a member's neighbours are apart, as a share of the front's extent
 * in each objective. Along a front value and k ascend together: one order serves both objectives.
 */
static void crowd_front(pv_nsga2_member *front, size_t n)
{
    const uint64_t values = front[n - 1].value - front[0].value;
    const uint64_t ks = front[n - 1].k - front[0].k;
    for (size_t i = 1; i + 1 < n; i++) {
        front[i].crowding = share(front[i + 1].value - front[i - 1].value, values) +
                            share(front[i + 1].k - front[i - 1].k, ks);
    }
    front[0].crowding = HUGE_VAL;
    front[n - 1].crowding = HUGE_VAL;
}

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

static uint32_t choose_parent(nsga2 *s)
{
    const pv_nsga2_member *const first = &s->members[pv_i_rng_below(&s->rng, s->n)];
    const pv_nsga2_member *const second = &s->members[pv_i_rng_below(&s->rng, s->n)];
    return pv_i_nsga2_select(first, second)->id;
}

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

static void mutate(nsga2 *s, uint8_t *cuts)
{
    for (size_t i = 0; s->options.mutation > 0 && i < s->n_bits; i++) {
        cuts[i] ^= pv_i_rng_unit(&s->rng) < s->options.mutation;
    }
}

/* Two and two; of an odd last pair only one will be looked at. */
static void make_children(nsga2 *s, size_t n)
{
    for (size_t i = 0; i < n; i += 2) {
        uint8_t *const a = s->schemes + i * s->n_bits;
        uint8_t *const b = a + s->n_bits;
        pv_i_cut_run_scheme(s->run, choose_parent(s), a);
        pv_i_cut_run_scheme(s->run, choose_parent(s), b);
        cross(s, a, b);
        mutate(s, a);
        mutate(s, b);
    }
}

/* Everything merged, what there is to start from, and schemes at random. */
static void make_founders(nsga2 *s, size_t n)
{
    const size_t n_start = s->options.n_start;
    memset(s->schemes, 0, s->n_bits);
    for (size_t i = 1; i < n; i++) {
        uint8_t *const cuts = s->schemes + i * s->n_bits;
        if (i <= n_start) {
            memcpy(cuts, s->options.start + (i - 1) * s->n_bits, s->n_bits);
        } else {
            pv_i_cut_random(s->n_bits, &s->rng, cuts);
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

static void join(const nsga2 *s, pv_nsga2_member *member, uint32_t id)
{
    const pv_cut_outcome *const outcome = pv_i_cut_run_outcome(s->run, id);
    const pv_cut_goal *const goal = &s->options.goal;
    *member = (pv_nsga2_member){
        .value = pv_i_cut_value(goal, s->run->prices, outcome->cost, outcome->bias),
        .k = constrained_k(goal, outcome),
        .id = id,
        .feasible = pv_i_cut_is_feasible(goal, outcome)};
}

/* Evaluates the n schemes made last and lets them compete with the population. */
static pv_status compete(nsga2 *s, size_t n, pv_error *error)
{
    for (size_t i = 0; i < n; i++) {
        pv_i_cut_respect_taxonomies(s->run->space, s->schemes + i * s->n_bits);
    }
    PV_TRY(pv_i_cut_run_evaluate(s->run, s->schemes, n, s->ids, error));
    for (size_t i = 0; i < n; i++) {
        join(s, &s->members[s->n + i], s->ids[i]);
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

static bool goes_on(const nsga2 *s)
{
    const pv_cut_search_options *const o = &s->options;
    return s->left > 0 && (o->keep_going == NULL || o->keep_going(o->ctx, s->run, best_of(s)));
}

static size_t next_size(const nsga2 *s)
{
    return s->left < s->population ? (size_t)s->left : s->population;
}

/* What the first front of the population has. */
static pv_status conclude(nsga2 *s, pv_cut_result *result, pv_error *error)
{
    size_t n = 0;
    while (n < s->n && s->members[n].rank == 0) {
        s->ids[n] = s->members[n].id;
        n++;
    }
    PV_TRY(pv_i_cut_result_among(s->run, &s->options.goal, s->ids, n, result, error));
    result->generations = s->generations;
    return PV_STATUS_OK;
}

static pv_status evolve(nsga2 *s, pv_cut_result *result, pv_error *error)
{
    make_founders(s, next_size(s));
    PV_TRY(compete(s, next_size(s), error));
    while (goes_on(s)) {
        make_children(s, next_size(s));
        PV_TRY(compete(s, next_size(s), error));
    }
    return conclude(s, result, error);
}

/* ------------------------------------------------------------------ set up */

static bool init(nsga2 *s)
{
    s->members = PV_NEW_ARRAY(pv_nsga2_member, 2 * s->population);
    s->schemes = pv_i_array(s->population + 1, s->n_bits);
    s->ids = PV_NEW_ARRAY(uint32_t, s->population);
    s->scratch = PV_NEW_ARRAY(uint64_t, 2 * s->population);
    return s->members != NULL && s->schemes != NULL && s->ids != NULL && s->scratch != NULL;
}

static void deinit(nsga2 *s)
{
    pv_i_free(s->members);
    pv_i_free(s->schemes);
    pv_i_free(s->ids);
    pv_i_free(s->scratch);
}

pv_status pv_i_nsga2(pv_cut_run *run, const pv_cut_search_options *options, pv_cut_result *result,
                     pv_error *error)
{
    nsga2 s = {.run = run, .options = *options, .n_bits = run->space->n_bits};
    PV_TRY(pv_i_cut_search_fill("nsga2", &s.options, error));
    s.left = s.options.evaluations;
    s.population = s.options.population;
    pv_i_rng_init(&s.rng, s.options.seed);
    const pv_status status = init(&s) ? evolve(&s, result, error) : pv_i_no_memory(error);
    deinit(&s);
    return status;
}
