/* Keeping demands record by record (docs/model.md, section 7c), by merging.
 *
 *     while some class breaks a demand:
 *         take the smallest one
 *         find the class with which merging costs least detail          O(classes * attributes)
 *         merge with it, or suppress it where that is cheaper and the budget allows
 *
 * Demands survive merging (class_rules.h), so a class that keeps them is never made worse; it only
 * has to take others in. Every merge makes one class fewer, so this ends.
 *
 * With millions of pairs to look at, all broken classes are first raised step by step, each in the
 * attribute where that costs least: many meet on the way, without anybody looking for partners.
 *
 * Merging is greedy and can end where nobody is left to merge with. Then it is done once more,
 * suppressing only those whom nobody can take in; and if that fails too, it starts from the other
 * end, one scheme of levels for all (record_enforce_levels.c). So whenever levels can keep the
 * demands, records can.
 *
 * **Trees.** A hierarchy is seen as one tree of numbered nodes, whatever levels its labels are on:
 *
 *     0 .. n_nodes - 1              groups, numbered as the hierarchy does
 *     n_nodes .. + n_leaves - 1     values as they are
 *     the last one                  the root, `*`
 *
 * So two values called alike on different levels meet in one node, and the lowest node above two
 * others is found by climbing from the deeper one.
 *
 * **Cost.** What merging costs is the loss that is added (glm): for every person and attribute, the
 * share of the domain covered at the common node minus that covered before. Losses never fall
 * upwards, so a sum that has reached the least cost known so far need not be finished.
 *
 * **Members.** The tuples of a draft are a linked list with its last one known: merging two lists
 * takes no time, and nothing is ever copied. */
#include "records/record_enforce.h"

#include "base/error.h"
#include "base/memory.h"
#include "classes/keys.h"
#include "hierarchy/tree.h"
#include "records/weighing.h"
#include "scheme/scheme.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* With more pairs to look at than this, all broken classes are raised a step first. */
#define MOST_PAIRS 2e8
#define NONE SIZE_MAX
#define NOBODY UINT32_MAX

/* ------------------------------------------------------------------- trees */

static void fill_nodes(pv_draft_tree *tree)
{
    const pv_hierarchy *const h = tree->hierarchy;
    const double others = pv_hierarchy_domain(h) > 1 ? (double)(pv_hierarchy_domain(h) - 1) : 1;
    for (uint32_t node = 0; node < h->n_nodes; node++) {
        const uint32_t parent = h->nodes[node].parent;
        const uint64_t leaves = h->nodes[node].leaves;
        tree->parent[node] = parent != PV_ROOT_NODE ? parent : tree->root;
        tree->loss[node] = leaves > 1 ? (double)(leaves - 1) / others : 0;
    }
    for (uint32_t leaf = 0; leaf < h->n_leaves; leaf++) {
        const uint32_t lowest = h->lowest[leaf];
        tree->parent[h->n_nodes + leaf] = lowest != PV_ROOT_NODE ? lowest : tree->root;
        tree->loss[h->n_nodes + leaf] = 0;
    }
    tree->parent[tree->root] = tree->root;
    tree->loss[tree->root] = (double)(pv_hierarchy_domain(h) - 1) / others;
}

static void tree_init(pv_draft_tree *tree, const pv_hierarchy *h, pv_arena *arena)
{
    const size_t n = (size_t)h->n_nodes + h->n_leaves + 1;
    *tree = (pv_draft_tree){.hierarchy = h,
                            .height = pv_hierarchy_height(h),
                            .root = (uint32_t)n - 1,
                            .parent = PV_ARENA_ARRAY(arena, uint32_t, n),
                            .depth = PV_ARENA_ARRAY(arena, uint16_t, n),
                            .loss = PV_ARENA_ARRAY(arena, double, n)};
    arena->failed |= n > UINT32_MAX;
    if (arena->failed) {
        return;
    }
    fill_nodes(tree);
    for (uint32_t node = 0; node < tree->root; node++) {
        for (uint32_t above = node; above != tree->root; above = tree->parent[above]) {
            tree->depth[node]++;
        }
    }
}

uint32_t pv_i_draft_node_at(const pv_draft_tree *tree, unsigned level, uint32_t leaf)
{
    const pv_hierarchy *const h = tree->hierarchy;
    const uint32_t group = pv_hierarchy_group(h, level, leaf);
    if (pv_hierarchy_is_root(h, level, group)) {
        return tree->root;
    }
    return level > 0 ? h->levels[level].nodes[group] : h->n_nodes + leaf;
}

/* The lowest level from one on at which a leaf is released as a node; above the top if there is
 * none. */
static unsigned level_from(const pv_draft_tree *tree, uint32_t node, uint32_t leaf, unsigned level)
{
    while (level <= tree->height && pv_i_draft_node_at(tree, level, leaf) != node) {
        level++;
    }
    return level;
}

/* A level at which a leaf is released as a node above it, if possible not below what was chosen. A
 * raw value that has the label of its group is released as that group, at level 0. */
static uint8_t level_of(const pv_draft_tree *tree, uint32_t node, uint32_t leaf, unsigned chosen)
{
    unsigned level = level_from(tree, node, leaf, node == tree->root ? 0 : chosen);
    if (level > tree->height) {
        level = level_from(tree, node, leaf, 0);
    }
    return (uint8_t)(level <= tree->height ? level : 0);
}

/* ------------------------------------------------------------------ drafts */

/* A draft for each tuple; those that are alike are merged next. */
bool pv_i_drafts_reset(pv_drafts *drafts, const uint8_t *levels)
{
    drafts->n = drafts->profile->n_tuples;
    for (size_t t = 0; t < drafts->n; t++) {
        for (size_t q = 0; q < drafts->n_quasi; q++) {
            const uint32_t leaf = pv_profile_leaf(drafts->profile, t, q);
            const pv_draft_tree *const tree = &drafts->trees[q];
            drafts->nodes[q][t] = pv_i_draft_node_at(tree, levels[t * drafts->n_quasi + q], leaf);
            drafts->least_depth[q][t] = tree->depth[pv_i_draft_node_at(tree, tree->highest, leaf)];
        }
        drafts->sizes[t] = drafts->profile->count[t];
        drafts->first[t] = drafts->last[t] = (uint32_t)t;
        drafts->next[t] = NOBODY;
    }
    return pv_i_drafts_merge_equal(drafts);
}

/* One for all tuples that the levels (tuples * quasi-identifiers) release alike. */
static pv_status drafts_init(pv_drafts *drafts, const pv_profile *profile, const uint8_t *levels,
                             pv_error *error)
{
    const size_t n = profile->n_tuples;
    const size_t n_quasi = pv_study_quasis(profile->study);
    pv_arena *const arena = &drafts->arena;
    drafts->profile = profile;
    drafts->n_quasi = n_quasi;
    drafts->trees = PV_ARENA_ARRAY(arena, pv_draft_tree, n_quasi);
    drafts->nodes = PV_ARENA_ARRAY(arena, uint32_t *, n_quasi);
    drafts->least_depth = PV_ARENA_ARRAY(arena, uint16_t *, n_quasi);
    drafts->sizes = PV_ARENA_ARRAY(arena, uint64_t, n);
    drafts->first = PV_ARENA_ARRAY(arena, uint32_t, n);
    drafts->last = PV_ARENA_ARRAY(arena, uint32_t, n);
    drafts->next = PV_ARENA_ARRAY(arena, uint32_t, n);
    for (size_t q = 0; !arena->failed && q < n_quasi; q++) {
        drafts->nodes[q] = PV_ARENA_ARRAY(arena, uint32_t, n);
        drafts->least_depth[q] = PV_ARENA_ARRAY(arena, uint16_t, n);
        tree_init(&drafts->trees[q], pv_study_hierarchy(profile->study, q), arena);
        pv_i_allowed_levels(profile->study, q, &drafts->trees[q].lowest, &drafts->trees[q].highest);
    }
    return !arena->failed && pv_i_drafts_reset(drafts, levels) ? PV_STATUS_OK
                                                               : pv_i_no_memory(error);
}

/* ------------------------------------------------------------------- merge */

bool pv_i_draft_is_starred(const pv_drafts *drafts, size_t draft)
{
    size_t q = 0;
    while (q < drafts->n_quasi && drafts->nodes[q][draft] == drafts->trees[q].root) {
        q++;
    }
    return q == drafts->n_quasi;
}

double pv_i_draft_loss(const pv_drafts *drafts, size_t draft)
{
    double loss = 0;
    for (size_t q = 0; q < drafts->n_quasi; q++) {
        loss += drafts->trees[q].loss[drafts->nodes[q][draft]];
    }
    return loss * (double)drafts->sizes[draft];
}

/* The lowest node above two classes, or the node they share. */
static uint32_t common_node(const pv_drafts *drafts, size_t q, size_t a, size_t b)
{
    const pv_draft_tree *const tree = &drafts->trees[q];
    uint32_t node_a = drafts->nodes[q][a];
    uint32_t node_b = drafts->nodes[q][b];
    while (node_a != node_b) {
        if (tree->depth[node_a] >= tree->depth[node_b]) {
            node_a = tree->parent[node_a];
        } else {
            node_b = tree->parent[node_b];
        }
    }
    return node_a;
}

/* What merging two costs beyond what they lose already; INFINITY if it is not less than `most`, if
 * they would be `*` in every attribute, or higher than the plan allows. */
static double merge_cost(const pv_drafts *drafts, size_t a, size_t b, double most)
{
    const double size_a = (double)drafts->sizes[a];
    const double size_b = (double)drafts->sizes[b];
    size_t starred = 0;
    double price = 0;
    for (size_t q = 0; q < drafts->n_quasi && price < most; q++) {
        const pv_draft_tree *const tree = &drafts->trees[q];
        const uint32_t node = common_node(drafts, q, a, b);
        if (tree->depth[node] < drafts->least_depth[q][a] ||
            tree->depth[node] < drafts->least_depth[q][b]) {
            return (double)INFINITY;
        }
        starred += node == tree->root;
        price += size_a * (tree->loss[node] - tree->loss[drafts->nodes[q][a]]) +
                 size_b * (tree->loss[node] - tree->loss[drafts->nodes[q][b]]);
    }
    return price < most && starred < drafts->n_quasi ? price : (double)INFINITY;
}

/* Merges `b` into `a`, at the lowest nodes above both. */
static void merge(pv_drafts *drafts, size_t a, size_t b)
{
    for (size_t q = 0; q < drafts->n_quasi; q++) {
        uint16_t *const least = drafts->least_depth[q];
        drafts->nodes[q][a] = common_node(drafts, q, a, b);
        least[a] = least[b] > least[a] ? least[b] : least[a];
    }
    drafts->next[drafts->last[a]] = drafts->first[b];
    drafts->last[a] = drafts->last[b];
    drafts->sizes[a] += drafts->sizes[b];
    drafts->sizes[b] = 0;
    drafts->first[b] = drafts->last[b] = NOBODY;
}

bool pv_i_drafts_merge_equal(pv_drafts *drafts)
{
    pv_keymap map = {0};
    uint64_t *const key = PV_NEW_ARRAY(uint64_t, drafts->n_quasi);
    uint32_t *const holder = PV_NEW_ARRAY(uint32_t, drafts->n); /* per key: the first class */
    bool ready =
        key != NULL && holder != NULL && pv_i_keymap_init(&map, (unsigned)drafts->n_quasi, 0);
    for (size_t c = 0; ready && c < drafts->n; c++) {
        if (drafts->sizes[c] == 0) {
            continue;
        }
        const size_t known = map.n;
        for (size_t q = 0; q < drafts->n_quasi; q++) {
            key[q] = drafts->nodes[q][c];
        }
        const uint32_t id = pv_i_keymap_add(&map, key);
        ready = id != PV_KEYMAP_FULL;
        if (ready && map.n > known) {
            holder[id] = (uint32_t)c;
        } else if (ready) {
            merge(drafts, holder[id], c);
        }
    }
    pv_i_keymap_deinit(&map);
    pv_i_free(holder);
    pv_i_free(key);
    return ready;
}

/* The levels of every tuple, raised as far as it takes to release it as its class is released. */
static void take_levels(const pv_drafts *drafts, uint8_t *levels)
{
    for (size_t c = 0; c < drafts->n; c++) {
        for (uint32_t t = drafts->first[c]; drafts->sizes[c] > 0 && t != NOBODY;
             t = drafts->next[t]) {
            for (size_t q = 0; q < drafts->n_quasi; q++) {
                uint8_t *const level = &levels[t * drafts->n_quasi + q];
                *level = level_of(&drafts->trees[q], drafts->nodes[q][c],
                                  pv_profile_leaf(drafts->profile, t, q), *level);
            }
        }
    }
}

/* ------------------------------------------------------------------ broken */

bool pv_i_enforce_breaks(pv_enforcing *e, size_t draft)
{
    const pv_drafts *const drafts = &e->drafts;
    if (drafts->sizes[draft] < e->k) {
        return true;
    }
    if (e->rules.n_rules == 0) {
        return false;
    }
    pv_i_class_scorer_clear(&e->scorer);
    for (uint32_t t = drafts->first[draft]; t != UINT32_MAX; t = drafts->next[t]) {
        pv_i_class_scorer_add(&e->scorer, t);
    }
    return pv_i_class_scorer_breaks(&e->scorer, false);
}

static int compare_sizes(const void *left, const void *right, void *ctx)
{
    const uint64_t *const sizes = ctx;
    const uint32_t a = *(const uint32_t *)left;
    const uint32_t b = *(const uint32_t *)right;
    return sizes[a] != sizes[b] ? (sizes[a] > sizes[b]) - (sizes[a] < sizes[b]) : (a > b) - (a < b);
}

void pv_i_enforce_survey(pv_enforcing *e)
{
    e->n_broken = e->n_live = 0;
    e->suppressed = 0;
    for (size_t c = 0; c < e->drafts.n; c++) {
        if (e->drafts.sizes[c] == 0) {
            continue;
        }
        if (pv_i_draft_is_starred(&e->drafts, c)) {
            e->suppressed += e->drafts.sizes[c];
            continue;
        }
        e->live[e->n_live++] = (uint32_t)c;
        if (pv_i_enforce_breaks(e, c)) {
            e->broken[e->n_broken++] = (uint32_t)c;
        }
    }
    qsort_r(e->broken, e->n_broken, sizeof *e->broken, compare_sizes, e->drafts.sizes);
}

/* -------------------------------------------------------------- generalize */

/* The attribute whose next node costs a class least; NONE if it is at the top everywhere, or would
 * be then. */
static size_t cheapest_step(const pv_drafts *drafts, size_t draft)
{
    size_t best = NONE;
    size_t left = 0; /* attributes below the top */
    double least = (double)INFINITY;
    for (size_t q = 0; q < drafts->n_quasi; q++) {
        const pv_draft_tree *const tree = &drafts->trees[q];
        const uint32_t node = drafts->nodes[q][draft];
        if (node == tree->root) {
            continue;
        }
        left++;
        const double cost = tree->loss[tree->parent[node]] - tree->loss[node];
        if (cost < least && tree->depth[node] > drafts->least_depth[q][draft]) {
            least = cost;
            best = q;
        }
    }
    return left > 1 || (best != NONE && drafts->trees[best].depth[drafts->nodes[best][draft]] > 1)
               ? best
               : NONE;
}

/* Some steps for every broken class: in a large table many meet on the way. Dozens of attributes
 * take hundreds of steps until they do: the further it is, the more are taken before looking who
 * has met. `moved` is false if nothing did. */
static bool generalize_broken(pv_enforcing *e, bool *moved)
{
    unsigned steps = 1;
    for (double pairs = (double)e->n_broken * (double)e->n_live; pairs > 4 * MOST_PAIRS;
         pairs /= 2) {
        steps++;
    }
    *moved = false;
    for (; steps > 0; steps--) {
        for (size_t i = 0; i < e->n_broken; i++) {
            const size_t q = cheapest_step(&e->drafts, e->broken[i]);
            if (q != NONE) {
                uint32_t *const node = &e->drafts.nodes[q][e->broken[i]];
                *node = e->drafts.trees[q].parent[*node];
                *moved = true;
            }
        }
    }
    return pv_i_drafts_merge_equal(&e->drafts);
}

/* ------------------------------------------------------------------- merge */

/* The class with which another merges at least cost; of equals the one of least number. A price is
 * given up once it exceeds the least so far: one that equals it is wanted, for its number, hence
 * the next larger number as the limit. */
static size_t cheapest_partner(const pv_enforcing *e, size_t draft, double *least)
{
    size_t best = NONE;
    *least = (double)INFINITY;
    for (size_t i = 0; i < e->n_live; i++) {
        const size_t other = e->live[i];
        if (other == draft) {
            continue;
        }
        const double price =
            merge_cost(&e->drafts, draft, other, nextafter(*least, (double)INFINITY));
        if (price < *least || (price <= *least && best != NONE && other < best)) {
            *least = price;
            best = other;
        }
    }
    return best;
}

/* It is no longer there to merge with. */
static void drop_live(pv_enforcing *e, size_t draft)
{
    size_t i = 0;
    while (e->live[i] != draft) {
        i++;
    }
    e->live[i] = e->live[--e->n_live];
}

void pv_i_enforce_suppress(pv_enforcing *e, size_t draft)
{
    for (size_t q = 0; q < e->drafts.n_quasi; q++) {
        e->drafts.nodes[q][draft] = e->drafts.trees[q].root;
    }
    e->suppressed += e->drafts.sizes[draft];
    drop_live(e, draft);
}

/* Where a class goes to be seen to again, in order of size: it has grown, so others come first.
 * Those move one place to the front, into the place it leaves. */
static void put_back(pv_enforcing *e, size_t draft, size_t from)
{
    size_t i = from;
    while (i + 1 < e->n_broken &&
           compare_sizes(&e->broken[i + 1], &(uint32_t){(uint32_t)draft}, e->drafts.sizes) < 0) {
        e->broken[i] = e->broken[i + 1];
        i++;
    }
    e->broken[i] = (uint32_t)draft;
}

/* Sees to the smallest broken class; `next` is its place in the list. */
static pv_status repair(pv_enforcing *e, size_t *next)
{
    const size_t draft = e->broken[*next];
    double price;
    const size_t partner = cheapest_partner(e, draft, &price);
    const double full = (double)e->drafts.n_quasi * (double)e->drafts.sizes[draft];
    const double suppressing = full - pv_i_draft_loss(&e->drafts, draft);
    const bool is_cheaper = !e->suppresses_last && suppressing < price;
    const bool may_suppress =
        e->suppressed <= e->budget && e->drafts.sizes[draft] <= e->budget - e->suppressed;
    if (may_suppress && (partner == NONE || is_cheaper)) {
        pv_i_enforce_suppress(e, draft);
        ++*next;
        return PV_STATUS_OK;
    }
    if (partner == NONE) {
        return PV_STATUS_UNSATISFIED;
    }
    /* The partner may be in the list itself: it is gone then, and skipped when its turn comes. */
    merge(&e->drafts, draft, partner);
    drop_live(e, partner);
    e->merged++;
    if (pv_i_enforce_breaks(e, draft)) {
        put_back(e, draft, *next);
    } else {
        ++*next;
    }
    return PV_STATUS_OK;
}

static pv_status repair_all(pv_enforcing *e)
{
    size_t next = 0;
    while (next < e->n_broken) {
        if (e->drafts.sizes[e->broken[next]] == 0) {
            next++;
            continue;
        }
        if (!pv_i_tick(&e->ticker, next)) {
            return pv_i_cancelled(e->error);
        }
        PV_TRY(repair(e, &next));
    }
    return PV_STATUS_OK;
}

static pv_status merge_once(pv_enforcing *e, const pv_context *context)
{
    bool moves = true;
    pv_i_enforce_survey(e);
    if (e->suppressed > e->budget) {
        return PV_STATUS_UNSATISFIED;
    }
    e->ticker = pv_i_ticker(context, "keeping the demands", 0);
    for (uint64_t round = 1; moves && (double)e->n_broken * (double)e->n_live > MOST_PAIRS;
         round++) {
        const size_t n_live = e->n_live;
        if (!pv_i_tick(&e->ticker, round)) {
            return pv_i_cancelled(e->error);
        }
        if (!generalize_broken(e, &moves)) {
            return pv_i_no_memory(e->error);
        }
        pv_i_enforce_survey(e);
        e->merged += n_live - e->n_live;
    }
    e->ticker = pv_i_ticker(context, "keeping the demands", e->n_broken);
    return repair_all(e);
}

/* Suppressing those of whom it is cheaper may leave the others too few to merge with: then once
 * more, suppressing only as a last resort. */
static pv_status merge_until_kept(pv_enforcing *e, const uint8_t *chosen, const pv_context *context)
{
    pv_status status = merge_once(e, context);
    if (status == PV_STATUS_UNSATISFIED && e->budget > 0) {
        e->suppresses_last = true;
        e->merged = 0;
        if (!pv_i_drafts_reset(&e->drafts, chosen)) {
            return pv_i_no_memory(e->error);
        }
        status = merge_once(e, context);
    }
    return status;
}

/* ---------------------------------------------------------- nothing to keep */

/* Lowers levels of one attribute to where its values are `*` already, and marks whom it still
 * shows. */
static bool settle_attribute(const pv_profile *profile, size_t q, uint8_t *levels, bool *is_shown)
{
    const size_t n = pv_study_quasis(profile->study);
    const pv_hierarchy *const hierarchy = pv_study_hierarchy(profile->study, q);
    const uint32_t n_leaves = pv_hierarchy_leaves(hierarchy);
    uint8_t *const root = PV_NEW_ARRAY(uint8_t, n_leaves);
    if (root == NULL) {
        return false;
    }
    for (uint32_t leaf = 0; leaf < n_leaves; leaf++) {
        root[leaf] = pv_i_root_level(hierarchy, leaf);
    }
    for (size_t t = 0; t < profile->n_tuples; t++) {
        uint8_t *const level = &levels[t * n + q];
        const uint8_t top = root[pv_profile_leaf(profile, t, q)];
        *level = *level < top ? *level : top;
        is_shown[t] |= *level < top;
    }
    pv_i_free(root);
    return true;
}

/* What classes come to where nobody has to merge: everyone stays as chosen, and those who are `*`
 * altogether are suppressed. */
static pv_status settle_alone(pv_enforcing *e, const pv_profile *profile, uint8_t *levels)
{
    bool *const is_shown = PV_NEW_ZEROED(bool, profile->n_tuples);
    bool ready = is_shown != NULL;
    for (size_t q = 0; ready && q < pv_study_quasis(profile->study); q++) {
        ready = settle_attribute(profile, q, levels, is_shown);
    }
    e->suppressed = 0;
    for (size_t t = 0; ready && t < profile->n_tuples; t++) {
        e->suppressed += is_shown[t] ? 0 : profile->count[t];
    }
    pv_i_free(is_shown);
    return ready ? PV_STATUS_OK : pv_i_no_memory(e->error);
}

static pv_status keep_demands(pv_enforcing *e, const pv_disclosure *chosen, const uint8_t *levels,
                              const pv_context *context)
{
    bool all_levels_seen = true;
    pv_status status = merge_until_kept(e, levels, context);
    if (status == PV_STATUS_UNSATISFIED) {
        status = pv_i_enforce_from_levels(e, chosen, &all_levels_seen);
    }
    if (status != PV_STATUS_UNSATISFIED) {
        return status;
    }
    return pv_i_hint(pv_i_fail(e->error, PV_STATUS_UNSATISFIED,
                               "no way was found to keep the demands record by record with no more "
                               "than %llu people suppressed%s",
                               (unsigned long long)e->budget,
                               all_levels_seen ? "" : "; not all levels could be tried"),
                     e->error, "demand less, or allow more suppression; nothing was written");
}

/* ------------------------------------------------------------------ scheme */

/* Whoever was not asked for, or has no levels that keep the bound, is `*`. */
static void copy_chosen(const pv_disclosure *disclosure, const pv_study *study, uint8_t *levels)
{
    const size_t n = disclosure->n_quasi;
    for (size_t t = 0; t < disclosure->n_tuples; t++) {
        const uint8_t *const chosen = disclosure->tuples[t].levels;
        for (size_t q = 0; q < n; q++) {
            levels[t * n + q] = chosen != NULL
                                    ? chosen[q]
                                    : (uint8_t)pv_hierarchy_height(pv_study_hierarchy(study, q));
        }
    }
}

static bool is_finer(const pv_profile *profile, size_t tuple, const uint8_t *levels,
                     const uint8_t *chosen)
{
    bool finer = false;
    for (size_t q = 0; q < pv_study_quasis(profile->study); q++) {
        const pv_hierarchy *const hierarchy = pv_study_hierarchy(profile->study, q);
        const uint32_t leaf = pv_profile_leaf(profile, tuple, q);
        finer |= levels[q] < chosen[q] &&
                 !pv_hierarchy_is_root(hierarchy, levels[q],
                                       pv_hierarchy_group(hierarchy, levels[q], leaf));
    }
    return finer;
}

static void fill_account(const pv_enforcing *e, const pv_profile *profile,
                         const pv_disclosure *disclosure, const uint8_t *all_levels,
                         pv_enforced *account)
{
    const size_t n = disclosure->n_quasi;
    *account = (pv_enforced){.suppressed = e->suppressed, .merged = e->merged};
    for (size_t t = 0; t < disclosure->n_tuples; t++) {
        const uint8_t *const chosen = disclosure->tuples[t].levels;
        const uint8_t *const levels = all_levels + t * n;
        if (chosen != NULL && memcmp(chosen, levels, n) != 0) {
            const uint64_t people = pv_profile_count(profile, t);
            account->changed += people;
            account->finer += is_finer(profile, t, levels, chosen) ? people : 0;
        }
    }
}

/* Demands that everyone keeps alone need no classes, unless too many were chosen to be `*`. */
static pv_status settle(pv_enforcing *e, const pv_disclosure *chosen, const pv_profile *profile,
                        bool has_demands, const pv_context *context, uint8_t *levels)
{
    if (e->rules.k <= 1 && e->rules.n_rules == 0) {
        PV_TRY(settle_alone(e, profile, levels));
        if (!has_demands || e->suppressed <= e->budget) {
            return PV_STATUS_OK;
        }
    }
    PV_TRY(pv_i_class_scorer_init(&e->scorer, &e->rules, e->error));
    PV_TRY(drafts_init(&e->drafts, profile, levels, e->error));
    e->broken = PV_ARENA_ARRAY(&e->drafts.arena, uint32_t, e->drafts.n);
    e->live = PV_ARENA_ARRAY(&e->drafts.arena, uint32_t, e->drafts.n);
    PV_TRY(e->drafts.arena.failed ? pv_i_no_memory(e->error)
                                  : keep_demands(e, chosen, levels, context));
    take_levels(&e->drafts, levels);
    return PV_STATUS_OK;
}

pv_status pv_i_disclosure_scheme(const pv_disclosure *disclosure, const pv_profile *profile,
                                 const pv_constraint *demands, size_t n_demands, uint64_t budget,
                                 const pv_context *context, pv_scheme *scheme, pv_enforced *account,
                                 pv_error *error)
{
    const size_t n = disclosure->n_quasi;
    uint8_t *const levels = pv_i_array(disclosure->n_tuples, n);
    uint8_t *const tops = PV_NEW_ZEROED(uint8_t, n);
    const uint64_t most = pv_profile_rows(profile) - 1; /* someone always remains */
    pv_enforcing e = {.budget = budget < most ? budget : most, .error = error};
    pv_status status = PV_STATUS_OK;
    if (levels == NULL || tops == NULL) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    copy_chosen(disclosure, pv_profile_study(profile), levels);
    PV_TRY_CLEAN(pv_i_class_rules_init(&e.rules, profile, demands, n_demands, error));
    e.k = e.rules.k;
    PV_TRY_CLEAN(settle(&e, disclosure, profile, n_demands > 0, context, levels));
    if (account != NULL) {
        fill_account(&e, profile, disclosure, levels, account);
    }
    pv_i_scheme_deinit(scheme);
    *scheme = (pv_scheme){.levels = tops, .n_levels = n, .records = levels};
cleanup:
    pv_i_arena_deinit(&e.drafts.arena);
    pv_i_class_scorer_deinit(&e.scorer);
    if (status != PV_STATUS_OK) {
        pv_i_free(levels);
        pv_i_free(tops);
    }
    return status;
}

pv_status pv_disclosure_scheme(const pv_disclosure *disclosure, const pv_profile *profile,
                               const pv_constraint *demands, size_t n_demands, uint64_t budget,
                               const pv_context *context, pv_scheme **scheme, pv_enforced *account,
                               pv_error *error)
{
    pv_scheme *const made = PV_NEW(pv_scheme);
    if (made == NULL) {
        return pv_i_no_memory(error);
    }
    const pv_status status = pv_i_disclosure_scheme(disclosure, profile, demands, n_demands, budget,
                                                    context, made, account, error);
    if (status != PV_STATUS_OK) {
        pv_i_free(made);
        return status;
    }
    *scheme = made;
    return PV_STATUS_OK;
}
