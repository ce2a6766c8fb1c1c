/* What local recoding works on: hierarchies as trees of nodes, tuples as the lowest nodes allowed,
 * and classes of rows with the lowest nodes above all of them. */
#include "records/local.h"
#include "records/local_table.h"

#include "base/error.h"
#include "base/memory.h"
#include "classes/keys.h"
#include "hierarchy/tree.h"

#include <math.h>
#include <string.h>

/* Trees of up to so many nodes have a table of joins: 128 KB at most. */
#define MOST_JOINED 256

/* ------------------------------------------------------------------- trees */

/* Numbered so: the groups as the hierarchy does, the values as they are, `*`; and one more above it
 * all, which costs INFINITY, if not every value may become `*`. */
uint32_t pv_i_local_node_at(const pv_local_tree *tree, unsigned level, uint32_t leaf)
{
    const pv_hierarchy *const h = tree->hierarchy;
    const uint32_t group = pv_hierarchy_group(h, level, leaf);
    if (pv_hierarchy_is_root(h, level, group)) {
        return tree->star;
    }
    return level > 0 ? h->levels[level].nodes[group] : h->n_nodes + leaf;
}

/* Follows every leaf up the levels that are allowed. A node above which a leaf of it may not go has
 * no parent but the forbidden one: what cannot be released together must not be joined. */
static void link_nodes(pv_local_tree *tree, const pv_study *study, size_t q)
{
    const pv_hierarchy *const h = tree->hierarchy;
    const uint32_t nowhere = tree->n - 1;
    for (uint32_t node = 0; node < tree->n; node++) {
        tree->parent[node] = UINT32_MAX;
    }
    for (uint32_t leaf = 0; leaf < h->n_leaves; leaf++) {
        uint32_t below = UINT32_MAX;
        for (unsigned level = 0; level <= pv_hierarchy_height(h); level++) {
            if (!pv_study_allows(study, q, level)) {
                continue;
            }
            const uint32_t node = pv_i_local_node_at(tree, level, leaf);
            if (below != UINT32_MAX && node != below && tree->parent[below] == UINT32_MAX) {
                tree->parent[below] = node;
            }
            below = node;
        }
        tree->parent[below] = nowhere;
    }
    tree->parent[nowhere] = nowhere;
}

/* What a row loses at a node, from what it keeps: both in the measure's own unit. */
static void price_nodes(pv_local_tree *tree, const pv_study *study, size_t q, const pv_meter *meter)
{
    const pv_hierarchy *const h = tree->hierarchy;
    tree->full = 0;
    for (uint32_t leaf = 0; leaf < h->n_leaves; leaf++) { /* but for a value called `*` */
        tree->full = fmax(tree->full, pv_i_detail_kept(meter->state, q, 0, leaf));
    }
    for (uint32_t node = 0; node < tree->n; node++) {
        tree->cost[node] = (double)INFINITY;
    }
    for (unsigned level = 0; level <= pv_hierarchy_height(h); level++) {
        for (uint32_t leaf = 0; leaf < h->n_leaves && pv_study_allows(study, q, level); leaf++) {
            const double kept =
                pv_i_detail_kept(meter->state, q, level, pv_hierarchy_group(h, level, leaf));
            tree->cost[pv_i_local_node_at(tree, level, leaf)] = tree->full - kept;
        }
    }
}

static void fill_joins(pv_local_tree *tree, pv_arena *arena)
{
    uint16_t *const join = PV_ARENA_ARRAY(arena, uint16_t, (size_t)tree->n * tree->n);
    for (uint32_t a = 0; join != NULL && a < tree->n; a++) {
        for (uint32_t b = 0; b < tree->n; b++) {
            join[(size_t)a * tree->n + b] = (uint16_t)pv_i_local_join(tree, a, b);
        }
    }
    tree->join = join;
}

/* But for starts and rungs. The forbidden node is left out where nothing is below it but `*`: that
 * is the root then. */
static void tree_init(pv_local_tree *tree, const pv_local_space *space, size_t q,
                      const pv_meter *meter, pv_rng *rng, pv_arena *arena)
{
    const pv_study *const study = space->profile->study;
    const pv_hierarchy *const h = pv_study_hierarchy(study, q);
    const size_t n = (size_t)h->n_nodes + h->n_leaves + 2;
    *tree = (pv_local_tree){.hierarchy = h,
                            .n = (uint32_t)n,
                            .star = (uint32_t)n - 2,
                            .parent = PV_ARENA_ARRAY(arena, uint32_t, n),
                            .depth = PV_ARENA_ARRAY(arena, uint16_t, n),
                            .cost = PV_ARENA_ARRAY(arena, double, n),
                            .mark = PV_ARENA_ARRAY(arena, uint64_t, n)};
    arena->failed |= n > UINT32_MAX / 2;
    if (arena->failed) {
        return;
    }
    link_nodes(tree, study, q);
    price_nodes(tree, study, q, meter);
    bool star_is_root = true;
    for (uint32_t node = 0; node < tree->star; node++) {
        star_is_root &= tree->parent[node] != tree->n - 1;
    }
    if (star_is_root) {
        tree->parent[tree->star] = tree->star;
        tree->n--;
    }
    for (uint32_t node = 0; node < tree->n; node++) {
        tree->mark[node] = pv_i_rng_next(rng);
        for (uint32_t above = node; above != UINT32_MAX && above != tree->parent[above];
             above = tree->parent[above]) {
            tree->depth[node]++;
        }
        if (tree->parent[node] == UINT32_MAX) { /* of no leaf */
            tree->parent[node] = tree->n - 1;
        }
    }
    if (tree->n <= MOST_JOINED) {
        fill_joins(tree, arena);
    }
}

/* ------------------------------------------------------------------ starts */

/* The lowest node a leaf may be released as, not below a level; the forbidden one if there is none,
 * but for a leaf that is the same node at the highest level allowed. */
static uint32_t lowest_from(const pv_local_tree *tree, const pv_study *study, size_t q,
                            uint32_t leaf, unsigned least)
{
    const unsigned height = pv_hierarchy_height(tree->hierarchy);
    const uint32_t wanted = pv_i_local_node_at(tree, least < height ? least : height, leaf);
    for (unsigned level = 0; level <= height; level++) {
        if (pv_study_allows(study, q, level)) {
            const uint32_t node = pv_i_local_node_at(tree, level, leaf);
            if (level >= least || node == wanted) {
                return node;
            }
        }
    }
    return tree->n - 1;
}

static void fill_rungs(pv_local_tree *tree, const uint32_t *lowest, pv_arena *arena)
{
    unsigned deepest = 0;
    for (uint32_t start = 0; start < tree->n_starts; start++) {
        const unsigned depth = tree->depth[lowest[start]];
        deepest = depth > deepest ? depth : deepest;
    }
    tree->n_rungs = deepest + 1;
    tree->rungs = PV_ARENA_ARRAY(arena, uint32_t, (size_t)tree->n_rungs * tree->n_starts);
    for (uint32_t start = 0; tree->rungs != NULL && start < tree->n_starts; start++) {
        uint32_t node = lowest[start];
        for (unsigned rung = 0; rung < tree->n_rungs; rung++) {
            while (tree->depth[node] > deepest - rung) {
                node = tree->parent[node];
            }
            tree->rungs[(size_t)rung * tree->n_starts + start] = node;
        }
    }
}

/* Every leaf is a start, whether or not a tuple has it. */
static void start_at_leaves(pv_local_space *space, size_t q)
{
    pv_local_tree *const tree = &space->trees[q];
    uint32_t *const lowest = PV_ARENA_ARRAY(&space->arena, uint32_t, tree->hierarchy->n_leaves);
    tree->n_starts = tree->hierarchy->n_leaves;
    for (uint32_t leaf = 0; lowest != NULL && leaf < tree->n_starts; leaf++) {
        lowest[leaf] = lowest_from(tree, space->profile->study, q, leaf, 0);
    }
    for (size_t t = 0; lowest != NULL && t < space->n_tuples; t++) {
        const uint32_t leaf = pv_profile_leaf(space->profile, t, q);
        space->starts[t * space->n_quasi + q] = leaf;
        space->raw[t * space->n_quasi + q] = lowest[leaf];
    }
    if (lowest != NULL) {
        fill_rungs(tree, lowest, &space->arena);
    }
}

/* The nodes that some tuple is released as at least, in order of first appearance. */
static void start_at_least(pv_local_space *space, size_t q, const uint8_t *least)
{
    const pv_profile *const profile = space->profile;
    pv_local_tree *const tree = &space->trees[q];
    const uint32_t n_leaves = tree->hierarchy->n_leaves;
    const unsigned height = pv_hierarchy_height(tree->hierarchy);
    uint32_t *const node_of =
        PV_ARENA_ARRAY(&space->arena, uint32_t, (size_t)(height + 1) * n_leaves);
    uint32_t *const number = PV_ARENA_ARRAY(&space->arena, uint32_t, tree->n);
    uint32_t *const lowest = PV_ARENA_ARRAY(&space->arena, uint32_t, tree->n);
    if (space->arena.failed) {
        return;
    }
    for (size_t i = 0; i < (size_t)(height + 1) * n_leaves; i++) {
        node_of[i] = lowest_from(tree, profile->study, q, (uint32_t)(i % n_leaves),
                                 (unsigned)(i / n_leaves));
    }
    for (uint32_t node = 0; node < tree->n; node++) {
        number[node] = UINT32_MAX;
    }
    for (size_t t = 0; t < space->n_tuples; t++) {
        const size_t at = t * space->n_quasi + q;
        const size_t level = least[at] < height ? least[at] : height;
        const uint32_t node = node_of[level * n_leaves + pv_profile_leaf(profile, t, q)];
        if (number[node] == UINT32_MAX) {
            number[node] = tree->n_starts;
            lowest[tree->n_starts++] = node;
        }
        space->starts[at] = number[node];
        space->raw[at] = node;
    }
    fill_rungs(tree, lowest, &space->arena);
}

static bool starts_alike(const pv_local_space *space, size_t a, size_t b)
{
    return memcmp(space->raw + a * space->n_quasi, space->raw + b * space->n_quasi,
                  space->n_quasi * sizeof *space->raw) == 0;
}

/* Chains the tuples that are alike. Should two others have the same key, the second is a first one
 * of its own every time. */
static bool find_alike(pv_local_space *space)
{
    pv_local_table table = {0};
    uint32_t *const last = PV_NEW_ARRAY(uint32_t, space->n_tuples); /* of those alike, by first */
    const bool ready = last != NULL && pv_i_local_table_reserve(&table, space->n_tuples);
    if (ready) {
        pv_i_local_table_clear(&table, space->n_tuples);
    }
    for (uint32_t t = 0; ready && t < space->n_tuples; t++) {
        uint64_t key = 0;
        for (size_t q = 0; q < space->n_quasi; q++) {
            key += space->trees[q].mark[space->raw[t * space->n_quasi + q]];
        }
        uint32_t first = pv_i_local_table_find(&table, key, t);
        first = starts_alike(space, first, t) ? first : t;
        space->alike[t] = UINT32_MAX;
        if (first != t) {
            space->alike[last[first]] = t;
        }
        last[first] = t;
        space->n_firsts += first == t;
        space->rows[t] = 0;
        space->rows[first] += space->profile->count[t];
    }
    pv_i_local_table_deinit(&table);
    pv_i_free(last);
    return ready;
}

/* ------------------------------------------------------------------- space */

/* Costs become shares of what a suppressed row loses. */
static void normalise(pv_local_space *space)
{
    space->unit = 0;
    for (size_t q = 0; q < space->n_quasi; q++) {
        space->unit += space->trees[q].full;
    }
    const double unit = space->unit > 0 ? space->unit : 1;
    for (size_t q = 0; q < space->n_quasi; q++) {
        pv_local_tree *const tree = &space->trees[q];
        tree->full /= unit;
        for (uint32_t node = 0; node < tree->n; node++) {
            tree->cost[node] = tree->cost[node] > 0 ? tree->cost[node] / unit : 0;
        }
    }
}

static void order_axes(pv_local_space *space)
{
    for (size_t q = 0; q < space->n_quasi; q++) {
        size_t i = q;
        for (; i > 0 && space->trees[space->order[i - 1]].n_starts < space->trees[q].n_starts;
             i--) {
            space->order[i] = space->order[i - 1];
        }
        space->order[i] = q;
    }
}

static pv_status find_least_rows(pv_local_space *space, pv_error *error)
{
    pv_class_scorer scorer;
    PV_TRY(pv_i_class_scorer_init(&scorer, &space->rules, error));
    space->k = pv_i_class_scorer_least_rows(&scorer);
    pv_i_class_scorer_deinit(&scorer);
    return PV_STATUS_OK;
}

pv_status pv_i_local_space_init(pv_local_space *space, const pv_profile *profile,
                                const pv_meter *meter, const pv_constraint *demands,
                                size_t n_demands, uint64_t budget, const uint8_t *least,
                                pv_error *error)
{
    pv_arena *const arena = &space->arena;
    const size_t n = pv_study_quasis(profile->study);
    pv_rng rng;
    pv_i_rng_init(&rng, 1);
    PV_TRY(pv_i_class_rules_init(&space->rules, profile, demands, n_demands, error));
    space->profile = profile;
    space->n_tuples = profile->n_tuples;
    space->n_quasi = n;
    PV_TRY(find_least_rows(space, error));
    space->budget = budget < profile->n_rows ? budget : profile->n_rows - 1;
    space->divides = space->rules.n_rules == 0 && least == NULL;
    space->trees = PV_ARENA_ARRAY(arena, pv_local_tree, n);
    space->order = PV_ARENA_ARRAY(arena, size_t, n);
    space->starts = pv_i_arena_array(arena, space->n_tuples, n * sizeof *space->starts);
    space->raw = pv_i_arena_array(arena, space->n_tuples, n * sizeof *space->raw);
    space->alike = PV_ARENA_ARRAY(arena, uint32_t, space->n_tuples);
    space->rows = PV_ARENA_ARRAY(arena, uint64_t, space->n_tuples);
    for (size_t q = 0; !arena->failed && q < n; q++) {
        tree_init(&space->trees[q], space, q, meter, &rng, arena);
        if (!arena->failed && least == NULL) {
            start_at_leaves(space, q);
        } else if (!arena->failed) {
            start_at_least(space, q, least);
        }
    }
    if (arena->failed || !find_alike(space)) {
        return pv_i_no_memory(error);
    }
    order_axes(space);
    normalise(space);
    return PV_STATUS_OK;
}

void pv_i_local_space_deinit(pv_local_space *space)
{
    pv_i_arena_deinit(&space->arena);
    *space = (pv_local_space){0};
}

double pv_i_local_lattice(const pv_local_space *space)
{
    double nodes = 1;
    for (size_t q = 0; q < space->n_quasi; q++) {
        nodes *= space->trees[q].n_rungs;
    }
    return nodes;
}

double pv_i_local_join_cost(const pv_local_space *space, const uint32_t *a, const uint32_t *b,
                            uint32_t *joined, double limit)
{
    double cost = 0;
    bool starred = true;
    for (size_t i = space->n_quasi; i-- > 0;) { /* few values first: to differ in them costs most */
        const size_t q = space->order[i];
        const pv_local_tree *const tree = &space->trees[q];
        const uint32_t node = pv_i_local_join(tree, a[q], b[q]);
        cost += tree->cost[node];
        if (cost >= limit) {
            return (double)INFINITY;
        }
        starred = starred && node == tree->star;
        if (joined != NULL) {
            joined[q] = node;
        }
    }
    return starred ? (double)INFINITY : cost;
}

/* --------------------------------------------------------------- stretches */

/* Sorts the entries of a rung by node. `end` is where each node's end; `before` the same of the
 * rung below, but as numbers of entries. */
static bool add_rung(pv_local_stretches *s, const pv_local_tree *tree, const uint32_t *start,
                     size_t n, size_t rung)
{
    const uint32_t *const nodes = tree->rungs + rung * tree->n_starts;
    uint32_t *const order = s->order + rung * n;
    uint32_t *const end = s->places;
    uint32_t *const before = s->places + tree->n + 1;
    memset(end, 0, (tree->n + 1) * sizeof *end);
    for (size_t i = 0; i < n; i++) {
        end[nodes[start[i]] + 1]++;
    }
    for (uint32_t node = 0; node < tree->n; node++) {
        const uint32_t own = end[node + 1];
        if (own > 0 && (rung == 0 || before[node] != own)) {
            if (!pv_i_reserve((void **)&s->list, &s->capacity, s->n + 1, sizeof *s->list)) {
                return false;
            }
            s->list[s->n++] =
                (pv_local_stretch){.rung = rung, .n = own, .entries = order + end[node]};
        }
        before[node] = own;
        end[node + 1] += end[node];
    }
    for (size_t i = 0; i < n; i++) {
        order[end[nodes[start[i]]]++] = (uint32_t)i;
    }
    return true;
}

bool pv_i_local_stretches_fill(pv_local_stretches *s, const pv_local_tree *tree,
                               const uint32_t *start, size_t n)
{
    bool ready = pv_i_reserve((void **)&s->order, &s->order_capacity, tree->n_rungs * n + 1,
                              sizeof *s->order) &&
                 pv_i_reserve((void **)&s->places, &s->places_capacity, 2 * (size_t)tree->n + 1,
                              sizeof *s->places);
    s->n = 0;
    for (size_t rung = 0; ready && rung < tree->n_rungs; rung++) {
        ready = add_rung(s, tree, start, n, rung);
    }
    return ready;
}

void pv_i_local_stretches_deinit(pv_local_stretches *stretches)
{
    pv_i_free(stretches->list);
    pv_i_free(stretches->order);
    pv_i_free(stretches->places);
    *stretches = (pv_local_stretches){0};
}

/* ----------------------------------------------------------------- classes */

size_t pv_i_local_class_new(pv_local_draft *classes)
{
    if (!pv_i_reserve((void **)&classes->list, &classes->capacity, classes->n + 1,
                      sizeof *classes->list) ||
        !pv_i_reserve((void **)&classes->nodes, &classes->nodes_capacity,
                      (classes->n + 1) * classes->space->n_quasi, sizeof *classes->nodes)) {
        return SIZE_MAX;
    }
    classes->list[classes->n] = (pv_local_class){0};
    return classes->n++;
}

bool pv_i_local_classes_init(pv_local_draft *classes, const pv_local_space *space)
{
    *classes = (pv_local_draft){.space = space};
    return pv_i_local_class_new(classes) == PV_LOCAL_LOST;
}

void pv_i_local_classes_deinit(pv_local_draft *classes)
{
    for (size_t c = 0; c < classes->n; c++) {
        pv_i_free(classes->list[c].parts);
    }
    pv_i_free(classes->list);
    pv_i_free(classes->nodes);
    *classes = (pv_local_draft){0};
}

bool pv_i_local_class_add(pv_local_draft *classes, size_t c, uint32_t tuple, uint64_t rows)
{
    pv_local_class *const own = &classes->list[c];
    if (rows == 0) {
        return true;
    }
    own->size += rows;
    const bool is_whole = rows == classes->space->profile->count[tuple];
    for (size_t i = 0; !is_whole && i < own->n_parts; i++) {
        if (own->parts[i].tuple == tuple) {
            own->parts[i].rows += rows;
            return true;
        }
    }
    if (!pv_i_reserve((void **)&own->parts, &own->capacity, own->n_parts + 1, sizeof *own->parts)) {
        return false;
    }
    own->parts[own->n_parts++] = (pv_local_part){.tuple = tuple, .rows = rows};
    return true;
}

void pv_i_local_class_clear(pv_local_draft *classes, size_t c)
{
    classes->list[c].n_parts = 0;
    classes->list[c].size = 0;
    classes->list[c].cost = 0;
}

void pv_i_local_classes_clear(pv_local_draft *classes)
{
    for (size_t c = PV_LOCAL_LOST + 1; c < classes->n; c++) {
        pv_i_free(classes->list[c].parts);
    }
    classes->n = PV_LOCAL_LOST + 1;
    pv_i_local_class_clear(classes, PV_LOCAL_LOST);
}

void pv_i_local_tighten(pv_local_draft *classes, size_t c)
{
    const pv_local_space *const space = classes->space;
    pv_local_class *const own = &classes->list[c];
    uint32_t *const nodes = pv_i_local_nodes(classes, c);
    own->cost = c == PV_LOCAL_LOST ? 1 : 0;
    for (size_t q = 0; q < space->n_quasi && own->n_parts > 0; q++) {
        const pv_local_tree *const tree = &space->trees[q];
        uint32_t node = space->raw[own->parts[0].tuple * space->n_quasi + q];
        for (size_t i = 1; i < own->n_parts; i++) {
            node =
                pv_i_local_join(tree, node, space->raw[own->parts[i].tuple * space->n_quasi + q]);
        }
        nodes[q] = c == PV_LOCAL_LOST ? tree->star : node;
        own->cost += c == PV_LOCAL_LOST ? 0 : tree->cost[node];
    }
}

void pv_i_local_class_take(pv_local_draft *classes, size_t c, size_t part, uint64_t rows)
{
    pv_local_class *const own = &classes->list[c];
    own->parts[part].rows -= rows;
    own->size -= rows;
    if (own->parts[part].rows == 0) {
        own->parts[part] = own->parts[--own->n_parts];
    }
    pv_i_local_tighten(classes, c);
}

bool pv_i_local_merge(pv_local_draft *classes, size_t into, size_t from)
{
    const pv_local_class *const other = &classes->list[from];
    for (size_t i = 0; i < other->n_parts; i++) {
        if (!pv_i_local_class_add(classes, into, other->parts[i].tuple, other->parts[i].rows)) {
            return false;
        }
    }
    pv_i_local_class_clear(classes, from);
    pv_i_local_tighten(classes, into);
    return true;
}

bool pv_i_local_merge_equal(pv_local_draft *classes)
{
    const size_t n = classes->space->n_quasi;
    pv_keymap map = {0};
    uint64_t *const key = PV_NEW_ARRAY(uint64_t, n);
    size_t *const holder = PV_NEW_ARRAY(size_t, classes->n); /* per key: the first class */
    bool ready = key != NULL && holder != NULL && pv_i_keymap_init(&map, (unsigned)n, 0);
    for (size_t c = PV_LOCAL_LOST + 1; ready && c < classes->n; c++) {
        if (classes->list[c].size == 0) {
            continue;
        }
        for (size_t q = 0; q < n; q++) {
            key[q] = pv_i_local_nodes(classes, c)[q];
        }
        const size_t known = map.n;
        const uint32_t id = pv_i_keymap_add(&map, key);
        ready = id != PV_KEYMAP_FULL;
        if (ready && map.n > known) {
            holder[id] = c;
        } else if (ready) {
            ready = pv_i_local_merge(classes, holder[id], c);
        }
    }
    pv_i_keymap_deinit(&map);
    pv_i_free(holder);
    pv_i_free(key);
    return ready;
}

double pv_i_local_loss(const pv_local_draft *classes)
{
    double loss = 0;
    for (size_t c = 0; c < classes->n; c++) {
        loss += (double)classes->list[c].size * classes->list[c].cost;
    }
    return loss;
}

bool pv_i_local_keeps(const pv_local_draft *classes, pv_class_scorer *scorer, size_t c)
{
    const pv_local_class *const own = &classes->list[c];
    if (own->size < classes->space->k) {
        return false;
    }
    if (classes->space->rules.n_rules == 0) {
        return true;
    }
    pv_i_class_scorer_clear(scorer);
    for (size_t i = 0; i < own->n_parts; i++) {
        pv_i_class_scorer_add(scorer, own->parts[i].tuple);
    }
    return !pv_i_class_scorer_breaks(scorer, false);
}
