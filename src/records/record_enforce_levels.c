/* Keeping demands from the other end: one scheme of levels for everyone, made finer class by class.
 *
 * Merging greedily (record_enforce.c) can end where nobody is left to merge with. Levels cannot: if
 * any scheme of levels keeps the demands with the same budget, one is found here, unless the
 * lattice is too large and the most general scheme does not keep them. In three steps:
 *
 *     1. look through the lattice, from the most general scheme, for the one of least loss that
 *        keeps the demands with at most the budget suppressed
 *     2. lower its levels one by one, as long as that helps
 *     3. refine: divide a class along one hierarchy, one node down, into parts that keep the
 *        demands; those in parts that would break one stay as they are, together
 *
 *        (20-39, 130**)  12 people     --zip-->   (20-39, 1305*)  7 people keep k = 5
 *                                                 (20-39, 130**)  5 stay: 1306* has 3, 1307* has 2
 *
 * A record is never finer than it was chosen to be: its level is the scheme's, or the chosen one
 * where that is higher. Only if nothing but `*` for everyone comes of it, and the choice was not
 * made under a bound of risk, the choices are set aside. */
#include "records/record_enforce.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* With one scheme known, no further ones are looked at after so many values were looked up; without
 * one, after so many. */
#define ENOUGH_LOOKUPS 5e7
#define MOST_LOOKUPS 4e9

/* One level per attribute for everyone, or what was chosen where that is higher. */
typedef struct {
    pv_enforcing *e;
    const pv_disclosure *chosen;
    bool may_be_finer; /* than chosen: nobody but those without a choice is held to it */
    uint8_t *levels;   /* one per quasi-identifier */
    uint8_t *best;     /* the same: of least loss so far */
    double loss;       /* of the best; INFINITY = none */
    uint8_t *records;  /* tuples * quasi-identifiers, as they follow from the levels */
    double lookups;
    pv_arena arena; /* holds them all */
} levelling;

/* ------------------------------------------------------------------ levels */

static unsigned chosen_level(const levelling *l, size_t tuple, size_t q)
{
    const uint8_t *const chosen = l->chosen->tuples[tuple].levels;
    return chosen == NULL ? l->e->drafts.trees[q].height : chosen[q];
}

/* Makes the drafts those of a scheme of levels. */
static pv_status apply_levels(const levelling *l, const uint8_t *levels)
{
    const size_t n = l->chosen->n_quasi;
    for (size_t t = 0; t < l->chosen->n_tuples; t++) {
        const bool is_free = l->may_be_finer && l->chosen->tuples[t].levels != NULL;
        for (size_t q = 0; q < n; q++) {
            const unsigned least = is_free ? 0 : chosen_level(l, t, q);
            l->records[t * n + q] = levels[q] > least ? levels[q] : (uint8_t)least;
        }
    }
    return pv_i_drafts_reset(&l->e->drafts, l->records) ? PV_STATUS_OK
                                                        : pv_i_no_memory(l->e->error);
}

/* More than any other: `*` for everyone is the last resort. */
static double loss_of_all_starred(const pv_enforcing *e)
{
    return (double)e->drafts.n_quasi * (double)pv_profile_rows(e->drafts.profile) + 1;
}

/* What the classes lose if those that break a demand are suppressed; INFINITY if they are too many.
 * A suppressed person loses everything: 1 in each attribute. If everyone is `*`, nobody is
 * suppressed, and they are one class, of which the demands must hold; the plan may not allow it. */
static double loss_if_kept(pv_enforcing *e)
{
    const double n_quasi = (double)e->drafts.n_quasi;
    pv_i_enforce_survey(e);
    if (e->n_live == 0) {
        size_t all = 0;
        while (e->drafts.sizes[all] == 0) {
            all++;
        }
        for (size_t q = 0; q < e->drafts.n_quasi; q++) {
            if (e->drafts.least_depth[q][all] > 0) {
                return (double)INFINITY;
            }
        }
        return pv_i_enforce_breaks(e, all) ? (double)INFINITY : loss_of_all_starred(e);
    }
    uint64_t gone = e->suppressed;
    double loss = n_quasi * (double)e->suppressed;
    for (size_t i = 0; i < e->n_live; i++) {
        loss += pv_i_draft_loss(&e->drafts, e->live[i]);
    }
    for (size_t i = 0; i < e->n_broken; i++) {
        const size_t draft = e->broken[i];
        loss += n_quasi * (double)e->drafts.sizes[draft] - pv_i_draft_loss(&e->drafts, draft);
        gone += e->drafts.sizes[draft];
    }
    return gone <= e->budget ? loss : (double)INFINITY;
}

/* Looks at the levels; they become the best if they keep the demands at less loss. */
static pv_status try_levels(levelling *l, bool *improved)
{
    PV_TRY(apply_levels(l, l->levels));
    l->lookups += (double)l->chosen->n_tuples * (double)l->chosen->n_quasi;
    const double loss = loss_if_kept(l->e);
    *improved = loss < l->loss;
    if (*improved) {
        l->loss = loss;
        memcpy(l->best, l->levels, l->chosen->n_quasi);
    }
    return pv_i_tick(&l->e->ticker, 1) ? PV_STATUS_OK : pv_i_cancelled(l->e->error);
}

/* The next scheme, counting down from the most general one; false after the last. */
static bool next_levels(levelling *l)
{
    size_t q = 0;
    const pv_draft_tree *const trees = l->e->drafts.trees;
    while (q < l->chosen->n_quasi && l->levels[q] == trees[q].lowest) {
        l->levels[q] = trees[q].highest;
        q++;
    }
    if (q < l->chosen->n_quasi) {
        l->levels[q]--;
    }
    return q < l->chosen->n_quasi;
}

/* Steps 1 and 2. Where the lattice is small this finds the best scheme. Where it is large, the most
 * general one, which is the first, nearly always keeps what can be kept: only together with
 * suppression can demands be kept by finer schemes alone. */
static pv_status find_levels(levelling *l, bool *all_seen)
{
    const size_t n = l->chosen->n_quasi;
    bool improved;
    for (size_t q = 0; q < n; q++) {
        l->levels[q] = l->e->drafts.trees[q].highest;
    }
    do {
        PV_TRY(try_levels(l, &improved));
    } while (l->lookups < (isinf(l->loss) ? MOST_LOOKUPS : ENOUGH_LOOKUPS) && next_levels(l));
    *all_seen = *all_seen && (!isinf(l->loss) || l->lookups < MOST_LOOKUPS);
    for (bool helped = !isinf(l->loss); helped;) {
        helped = false;
        for (size_t q = 0; q < n; q++) {
            improved = false;
            memcpy(l->levels, l->best, n);
            if (l->levels[q] > l->e->drafts.trees[q].lowest) {
                l->levels[q]--;
                PV_TRY(try_levels(l, &improved));
            }
            helped = helped || improved;
        }
    }
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------ refine */

/* The members of a class that would be released alike one node further down. */
typedef struct {
    size_t first, n; /* in the list of members */
    uint64_t people;
    bool stays; /* as it is: alone it would break a demand, or it helps those who stay */
} part;

typedef struct {
    levelling *l;
    uint32_t *members; /* tuples of the class, by the node they would have */
    uint32_t *nodes;   /* per tuple: that node */
    part *parts;
    size_t n_members, n_parts;
    size_t empty; /* where to look for a number that no draft has */
} refining;

static int compare_nodes(const void *left, const void *right, void *ctx)
{
    const uint32_t *const nodes = ctx;
    const uint32_t a = *(const uint32_t *)left;
    const uint32_t b = *(const uint32_t *)right;
    return nodes[a] != nodes[b] ? (nodes[a] > nodes[b]) - (nodes[a] < nodes[b]) : (a > b) - (a < b);
}

/* The child of a node above a leaf; the node itself if that is what the leaf is. */
static uint32_t child_above(const pv_draft_tree *tree, uint32_t node, uint32_t leaf)
{
    uint32_t child = pv_i_draft_node_at(tree, 0, leaf);
    while (child != node && tree->parent[child] != node) {
        child = tree->parent[child];
    }
    return child;
}

/* Lists the members by the node they would have one further down. False: that is finer than chosen,
 * or there is none. */
static bool list_members(refining *r, size_t draft, size_t q)
{
    const pv_drafts *const drafts = &r->l->e->drafts;
    const pv_draft_tree *const tree = &drafts->trees[q];
    const uint32_t node = drafts->nodes[q][draft];
    bool is_finer = false;
    r->n_members = 0;
    for (uint32_t t = drafts->first[draft]; t != UINT32_MAX; t = drafts->next[t]) {
        const uint32_t leaf = pv_profile_leaf(drafts->profile, t, q);
        const uint32_t least = pv_i_draft_node_at(tree, chosen_level(r->l, t, q), leaf);
        r->nodes[t] = child_above(tree, node, leaf);
        r->members[r->n_members++] = t;
        if (r->nodes[t] != node && tree->depth[node] >= tree->depth[least]) {
            return false;
        }
        is_finer |= r->nodes[t] != node;
    }
    qsort_r(r->members, r->n_members, sizeof *r->members, compare_nodes, r->nodes);
    return is_finer;
}

/* Do these people keep the demands among themselves: one part, or (NULL) all parts that stay? */
static bool members_keep(refining *r, const part *one)
{
    pv_enforcing *const e = r->l->e;
    uint64_t people = 0;
    pv_i_class_scorer_clear(&e->scorer);
    for (const part *p = r->parts; p < r->parts + r->n_parts; p++) {
        if (one != NULL ? p != one : !p->stays) {
            continue;
        }
        people += p->people;
        for (size_t i = p->first; i < p->first + p->n; i++) {
            pv_i_class_scorer_add(&e->scorer, r->members[i]);
        }
    }
    return people == 0 || (people >= e->k &&
                           (e->rules.n_rules == 0 || !pv_i_class_scorer_breaks(&e->scorer, false)));
}

/* Divides the members by their nodes. Parts that would break a demand stay; the smallest others
 * stay too, until those who stay keep the demands among themselves. False if nobody is left. */
static bool divide_members(refining *r)
{
    r->n_parts = 0;
    for (size_t i = 0; i < r->n_members; i++) {
        const uint32_t tuple = r->members[i];
        if (i == 0 || r->nodes[tuple] != r->nodes[r->members[i - 1]]) {
            r->parts[r->n_parts++] = (part){.first = i};
        }
        r->parts[r->n_parts - 1].n++;
        r->parts[r->n_parts - 1].people += pv_profile_count(r->l->e->drafts.profile, tuple);
    }
    size_t n_going = 0;
    for (size_t p = 0; p < r->n_parts; p++) {
        r->parts[p].stays = !members_keep(r, &r->parts[p]);
        n_going += !r->parts[p].stays;
    }
    while (n_going > 0 && !members_keep(r, NULL)) {
        part *smallest = NULL;
        for (part *p = r->parts; p < r->parts + r->n_parts; p++) {
            if (!p->stays && (smallest == NULL || p->people < smallest->people)) {
                smallest = p;
            }
        }
        smallest->stays = true;
        n_going--;
    }
    return n_going > 0;
}

static void append_part(const refining *r, size_t draft, const part *p)
{
    pv_drafts *const drafts = &r->l->e->drafts;
    for (size_t i = p->first; i < p->first + p->n; i++) {
        const uint32_t tuple = r->members[i];
        if (drafts->sizes[draft] == 0) {
            drafts->first[draft] = tuple;
        } else {
            drafts->next[drafts->last[draft]] = tuple;
        }
        drafts->last[draft] = tuple;
        drafts->next[tuple] = UINT32_MAX;
        drafts->sizes[draft] += pv_profile_count(drafts->profile, tuple);
    }
}

/* Those who stay keep the draft's number, if there are any; every other part gets one that no draft
 * has. There are as many numbers as tuples, so one is left for each. */
static void split_draft(refining *r, size_t draft, size_t q)
{
    pv_drafts *const drafts = &r->l->e->drafts;
    drafts->sizes[draft] = 0;
    drafts->first[draft] = drafts->last[draft] = UINT32_MAX;
    for (size_t p = 0; p < r->n_parts; p++) {
        if (r->parts[p].stays) {
            append_part(r, draft, &r->parts[p]);
        }
    }
    for (size_t p = 0; p < r->n_parts; p++) {
        if (r->parts[p].stays) {
            continue;
        }
        while (drafts->sizes[r->empty] > 0) {
            r->empty = (r->empty + 1) % drafts->n;
        }
        for (size_t i = 0; i < drafts->n_quasi; i++) {
            drafts->nodes[i][r->empty] = drafts->nodes[i][draft];
            drafts->least_depth[i][r->empty] = drafts->least_depth[i][draft];
        }
        drafts->nodes[q][r->empty] = r->nodes[r->members[r->parts[p].first]];
        append_part(r, r->empty, &r->parts[p]);
    }
}

/* The loss that the listed members would be spared one node down, if all of them went. */
static double gain_of(const refining *r, size_t draft, size_t q)
{
    const pv_drafts *const drafts = &r->l->e->drafts;
    const double *const loss = drafts->trees[q].loss;
    double gain = 0;
    for (size_t i = 0; i < r->n_members; i++) {
        gain += (double)pv_profile_count(drafts->profile, r->members[i]) *
                (loss[drafts->nodes[q][draft]] - loss[r->nodes[r->members[i]]]);
    }
    return gain;
}

/* Divides a draft along the attribute with which that gains most detail. */
static bool refine_draft(refining *r, size_t draft)
{
    size_t best = SIZE_MAX;
    double most = -1;
    for (size_t q = 0; q < r->l->e->drafts.n_quasi; q++) {
        if (!list_members(r, draft, q)) {
            continue;
        }
        const double gain = gain_of(r, draft, q);
        if (gain > most && divide_members(r)) {
            best = q;
            most = gain;
        }
    }
    if (best == SIZE_MAX || !list_members(r, draft, best)) {
        return false;
    }
    (void)divide_members(r);
    split_draft(r, draft, best);
    return true;
}

/* Step 3, until no draft can be divided any more. */
static pv_status refine(levelling *l)
{
    pv_enforcing *const e = l->e;
    const size_t n = l->chosen->n_tuples;
    refining r = {.l = l,
                  .members = PV_ARENA_ARRAY(&l->arena, uint32_t, n),
                  .nodes = PV_ARENA_ARRAY(&l->arena, uint32_t, n),
                  .parts = PV_ARENA_ARRAY(&l->arena, part, n)};
    for (bool divided = !l->arena.failed; divided;) {
        divided = false;
        for (size_t c = 0; c < e->drafts.n; c++) {
            while (e->drafts.sizes[c] > 0 && !pv_i_draft_is_starred(&e->drafts, c) &&
                   refine_draft(&r, c)) {
                divided = true;
            }
            if (!pv_i_tick(&e->ticker, 1)) {
                return pv_i_cancelled(e->error);
            }
        }
    }
    return !l->arena.failed && pv_i_drafts_merge_equal(&e->drafts) ? PV_STATUS_OK
                                                                   : pv_i_no_memory(e->error);
}

/* -------------------------------------------------------------------- all */

static size_t count_drafts(const pv_drafts *drafts)
{
    size_t n = 0;
    for (size_t c = 0; c < drafts->n; c++) {
        n += drafts->sizes[c] > 0;
    }
    return n;
}

static pv_status keep_from_levels(levelling *l, bool *all_seen)
{
    pv_enforcing *const e = l->e;
    PV_TRY(apply_levels(l, l->levels)); /* all 0: as chosen */
    const size_t before = count_drafts(&e->drafts);
    e->ticker = pv_i_ticker(e->ticker.context, "trying levels", 0);
    PV_TRY(find_levels(l, all_seen));
    if (l->chosen->aim != PV_AIM_MOST_UTILITY && l->loss >= loss_of_all_starred(e)) {
        l->may_be_finer = true;
        l->lookups = 0;
        PV_TRY(find_levels(l, all_seen));
    }
    if (isinf(l->loss)) {
        return PV_STATUS_UNSATISFIED;
    }
    PV_TRY(apply_levels(l, l->best));
    pv_i_enforce_survey(e);
    if (e->n_live == 0) {
        e->suppressed = 0; /* everyone is `*`: one class, nobody suppressed */
    } else {
        for (size_t i = 0; i < e->n_broken; i++) {
            pv_i_enforce_suppress(e, e->broken[i]);
        }
        PV_TRY(refine(l));
    }
    const size_t after = count_drafts(&e->drafts);
    e->merged = before > after ? before - after : 0;
    return PV_STATUS_OK;
}

pv_status pv_i_enforce_from_levels(pv_enforcing *e, const pv_disclosure *chosen, bool *all_seen)
{
    const size_t n = chosen->n_quasi;
    levelling l = {.e = e, .chosen = chosen, .loss = (double)INFINITY};
    l.levels = PV_ARENA_ARRAY(&l.arena, uint8_t, n);
    l.best = PV_ARENA_ARRAY(&l.arena, uint8_t, n);
    l.records = pv_i_arena_array(&l.arena, chosen->n_tuples, n);
    *all_seen = true;
    const pv_status status =
        l.arena.failed ? pv_i_no_memory(e->error) : keep_from_levels(&l, all_seen);
    pv_i_arena_deinit(&l.arena);
    return status;
}
