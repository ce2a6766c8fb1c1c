/* A local recoding that begins with one scheme of levels for everyone.
 *
 * Releasing price by price can end where nobody is left to join. Levels cannot: if any scheme of
 * levels keeps the demands with the same budget, one is found here, unless the lattice is too large
 * and the most general scheme does not keep them. In three steps:
 *
 *     1. look through the lattice, from the most general scheme, for the one of least loss that
 *        keeps the demands with at most the budget suppressed
 *     2. lower its levels one by one, as long as that helps
 *     3. divide each of its classes from the top down (local_divide.c)
 *
 * So whenever levels can keep the demands, records can. A tuple is never lower than where it
 * starts: its node is the scheme's, or its start where that is higher. */
#include "records/local.h"
#include "records/local_table.h"
#include "records/weighing.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/ticker.h"
#include "hierarchy/tree.h"

#include <math.h>
#include <string.h>

/* With one scheme known, no further ones are looked at after so many values were looked up; without
 * one, after so many. */
#define ENOUGH_LOOKUPS 5e7
#define MOST_LOOKUPS 4e9
#define NOBODY UINT32_MAX

/* Tuples that a scheme releases alike. */
typedef struct {
    uint64_t rows;
    double cost;
    uint32_t first; /* tuple; the others follow in `next` */
    bool lost;      /* it breaks a demand */
} group;

typedef struct {
    const pv_local_space *space;
    pv_class_scorer scorer;
    uint8_t *lowest, *highest; /* per quasi-identifier: levels that the plan allows */
    uint32_t **nodes;          /* per quasi-identifier: levels * leaves */
    uint8_t *levels, *best;    /* one per quasi-identifier; of least loss so far */
    double loss;               /* of the best; INFINITY = none */
    double lookups;
    pv_local_table table;
    group *groups;
    size_t n_groups;
    uint32_t *next;    /* per tuple */
    uint64_t hopeless; /* rows that are in no group: `*` altogether, or where they may not be */
    bool forbidden;    /* is one of them where it may not be? */
    pv_arena arena;
} levelling;

static uint32_t node_at(const levelling *l, size_t tuple, size_t q, const uint8_t *levels)
{
    const pv_local_tree *const tree = &l->space->trees[q];
    const uint32_t leaf = pv_profile_leaf(l->space->profile, tuple, q);
    const uint32_t shown = l->nodes[q][levels[q] * (size_t)tree->hierarchy->n_leaves + leaf];
    const uint32_t least = l->space->raw[tuple * l->space->n_quasi + q];
    return tree->depth[shown] < tree->depth[least] ? shown : least;
}

/* Puts a tuple into the group of its nodes. */
static void group_tuple(levelling *l, uint32_t tuple, const uint8_t *levels)
{
    const uint64_t rows = l->space->profile->count[tuple];
    uint64_t key = 0;
    double cost = 0;
    bool starred = true;
    for (size_t q = 0; q < l->space->n_quasi; q++) {
        const pv_local_tree *const tree = &l->space->trees[q];
        const uint32_t node = node_at(l, tuple, q, levels);
        key += tree->mark[node];
        cost += tree->cost[node];
        starred &= node == tree->star;
    }
    if (starred || isinf(cost)) {
        l->hopeless += rows;
        l->forbidden |= isinf(cost);
        return;
    }
    const uint32_t at = pv_i_local_table_find(&l->table, key, (uint32_t)l->n_groups);
    if (at == l->n_groups) {
        l->groups[l->n_groups++] = (group){.cost = cost, .first = NOBODY};
    }
    l->groups[at].rows += rows;
    l->next[tuple] = l->groups[at].first;
    l->groups[at].first = tuple;
}

static void group_all(levelling *l, const uint8_t *levels)
{
    const size_t n = l->space->n_tuples;
    l->n_groups = 0;
    l->hopeless = 0;
    l->forbidden = false;
    pv_i_local_table_clear(&l->table, n);
    for (size_t t = n; t-- > 0;) { /* so that members of a group ascend */
        group_tuple(l, (uint32_t)t, levels);
    }
}

static bool group_keeps(levelling *l, const group *g)
{
    if (g->rows < l->space->k || l->space->rules.n_rules == 0) {
        return g->rows >= l->space->k;
    }
    pv_i_class_scorer_clear(&l->scorer);
    for (uint32_t t = g->first; t != NOBODY; t = l->next[t]) {
        pv_i_class_scorer_add(&l->scorer, t);
    }
    return !pv_i_class_scorer_breaks(&l->scorer, false);
}

/* If everyone is `*`, nobody is suppressed, and they are one class, of which the demands must hold.
 * That loses more than any other scheme: it is the last resort. */
static double loss_together(levelling *l)
{
    const uint64_t rows = pv_profile_rows(l->space->profile);
    pv_i_class_scorer_clear(&l->scorer);
    for (size_t t = 0; l->space->rules.n_rules > 0 && t < l->space->n_tuples; t++) {
        pv_i_class_scorer_add(&l->scorer, t);
    }
    const bool keeps =
        !l->forbidden && rows >= l->space->k &&
        (l->space->rules.n_rules == 0 || !pv_i_class_scorer_breaks(&l->scorer, false));
    return keeps ? (double)rows + 1 : (double)INFINITY;
}

/* What a scheme loses, in suppressed rows, if the groups that break a demand are suppressed;
 * INFINITY if they are too many. */
static double loss_of(levelling *l, const uint8_t *levels)
{
    group_all(l, levels);
    if (l->n_groups == 0) {
        return loss_together(l);
    }
    uint64_t lost = l->hopeless;
    double loss = (double)l->hopeless;
    for (size_t g = 0; g < l->n_groups; g++) {
        group *const own = &l->groups[g];
        own->lost = !group_keeps(l, own);
        lost += own->lost ? own->rows : 0;
        loss += own->lost ? (double)own->rows : own->cost * (double)own->rows;
    }
    return lost <= l->space->budget ? loss : (double)INFINITY;
}

/* ------------------------------------------------------------------ search */

/* Looks at the levels; they become the best if they keep the demands at less loss. */
static bool try_levels(levelling *l)
{
    const double loss = loss_of(l, l->levels);
    const bool improved = loss < l->loss;
    l->lookups += (double)l->space->n_tuples * (double)l->space->n_quasi;
    if (improved) {
        l->loss = loss;
        memcpy(l->best, l->levels, l->space->n_quasi);
    }
    return improved;
}

/* The next scheme, counting down from the most general one; false after the last. */
static bool next_levels(levelling *l)
{
    size_t q = 0;
    while (q < l->space->n_quasi && l->levels[q] == l->lowest[q]) {
        l->levels[q] = l->highest[q];
        q++;
    }
    if (q < l->space->n_quasi) {
        l->levels[q]--;
    }
    return q < l->space->n_quasi;
}

/* Steps 1 and 2. Where the lattice is small this finds the best scheme. Where it is large, the most
 * general one, which is the first, nearly always keeps what can be kept: only together with
 * suppression can demands be kept by finer schemes alone. */
static pv_status find_levels(levelling *l, const pv_context *context, bool *all_seen,
                             pv_error *error)
{
    const size_t n = l->space->n_quasi;
    pv_ticker ticker = pv_i_ticker(context, "trying levels", 0);
    uint64_t tried = 0;
    memcpy(l->levels, l->highest, n);
    do {
        (void)try_levels(l);
        if (!pv_i_tick(&ticker, ++tried)) {
            return pv_i_cancelled(error);
        }
    } while (l->lookups < (isinf(l->loss) ? MOST_LOOKUPS : ENOUGH_LOOKUPS) && next_levels(l));
    *all_seen = !isinf(l->loss) || l->lookups < MOST_LOOKUPS;
    for (bool helped = !isinf(l->loss); helped;) {
        helped = false;
        for (size_t q = 0; q < n; q++) {
            memcpy(l->levels, l->best, n);
            if (l->levels[q] > l->lowest[q]) {
                l->levels[q]--;
                helped |= try_levels(l);
            }
            if (!pv_i_tick(&ticker, ++tried)) {
                return pv_i_cancelled(error);
            }
        }
    }
    return PV_STATUS_OK;
}

static pv_status levelling_init(levelling *l, pv_error *error)
{
    const pv_local_space *const space = l->space;
    const size_t n = space->n_quasi;
    l->loss = (double)INFINITY;
    l->lowest = PV_ARENA_ARRAY(&l->arena, uint8_t, n);
    l->highest = PV_ARENA_ARRAY(&l->arena, uint8_t, n);
    l->levels = PV_ARENA_ARRAY(&l->arena, uint8_t, n);
    l->best = PV_ARENA_ARRAY(&l->arena, uint8_t, n);
    l->nodes = PV_ARENA_ARRAY(&l->arena, uint32_t *, n);
    l->groups = PV_ARENA_ARRAY(&l->arena, group, space->n_tuples);
    l->next = PV_ARENA_ARRAY(&l->arena, uint32_t, space->n_tuples);
    for (size_t q = 0; !l->arena.failed && q < n; q++) {
        const pv_local_tree *const tree = &space->trees[q];
        const size_t n_leaves = tree->hierarchy->n_leaves;
        const size_t n_levels = pv_hierarchy_height(tree->hierarchy) + 1;
        pv_i_allowed_levels(space->profile->study, q, &l->lowest[q], &l->highest[q]);
        l->nodes[q] = PV_ARENA_ARRAY(&l->arena, uint32_t, n_levels * n_leaves);
        for (size_t i = 0; l->nodes[q] != NULL && i < n_levels * n_leaves; i++) {
            l->nodes[q][i] =
                pv_i_local_node_at(tree, (unsigned)(i / n_leaves), (uint32_t)(i % n_leaves));
        }
    }
    return l->arena.failed || !pv_i_local_table_reserve(&l->table, space->n_tuples)
               ? pv_i_no_memory(error)
               : pv_i_class_scorer_init(&l->scorer, &space->rules, error);
}

static void levelling_deinit(levelling *l)
{
    pv_i_class_scorer_deinit(&l->scorer);
    pv_i_local_table_deinit(&l->table);
    pv_i_arena_deinit(&l->arena);
}

pv_status pv_i_local_find_levels(const pv_local_space *space, const pv_context *context,
                                 uint8_t *levels, bool *all_seen, pv_error *error)
{
    levelling l = {.space = space};
    pv_status status = PV_STATUS_OK;
    *all_seen = true;
    PV_TRY_CLEAN(levelling_init(&l, error));
    PV_TRY_CLEAN(find_levels(&l, context, all_seen, error));
    if (isinf(l.loss)) {
        status = PV_STATUS_UNSATISFIED;
    } else {
        memcpy(levels, l.best, space->n_quasi);
    }
cleanup:
    levelling_deinit(&l);
    return status;
}

/* ------------------------------------------------------------------ divide */

/* Those who are lost go to the class of suppressed rows, all others into blocks. */
static bool take_groups(const levelling *l, pv_local_draft *classes, uint32_t *tuples, size_t *ends,
                        bool *placed)
{
    size_t n = 0;
    for (size_t g = 0; g < l->n_groups; g++) {
        for (uint32_t t = l->groups[g].first; !l->groups[g].lost && t != NOBODY; t = l->next[t]) {
            tuples[n++] = t;
            placed[t] = true;
        }
        ends[g] = n;
    }
    bool ready = true;
    for (uint32_t t = 0; t < l->space->n_tuples; t++) {
        if (!placed[t]) {
            ready &= pv_i_local_class_add(classes, PV_LOCAL_LOST, t, l->space->profile->count[t]);
        }
        placed[t] = !placed[t]; /* from now on: is it released, or suppressed? */
    }
    pv_i_local_tighten(classes, PV_LOCAL_LOST);
    return ready;
}

pv_status pv_i_local_from_levels(pv_local_draft *classes, const uint8_t *levels, uint64_t seed,
                                 const pv_context *context, pv_error *error)
{
    const pv_local_space *const space = classes->space;
    const size_t n = space->n_tuples;
    levelling l = {.space = space};
    pv_status status = PV_STATUS_OK;
    uint32_t *const tuples = PV_ARENA_ARRAY(&l.arena, uint32_t, n);
    size_t *const ends = PV_ARENA_ARRAY(&l.arena, size_t, n);
    bool *const placed = PV_ARENA_ARRAY(&l.arena, bool, n);
    PV_TRY_CLEAN(levelling_init(&l, error));
    if (isinf(loss_of(&l, levels)) || l.n_groups == 0) {
        status = PV_STATUS_UNSATISFIED; /* `*` for everyone is no class here */
        goto cleanup;
    }
    PV_TRY_CLEAN(take_groups(&l, classes, tuples, ends, placed) ? PV_STATUS_OK
                                                                : pv_i_no_memory(error));
    PV_TRY_CLEAN(
        pv_i_local_divide(classes, tuples, ends, l.n_groups, placed, seed, context, error));
    for (size_t t = 0; t < n; t++) {
        status = placed[t] ? status : PV_STATUS_UNSATISFIED;
    }
cleanup:
    levelling_deinit(&l);
    return status;
}
