/* From paths to the tree.
 *
 * Leaves are numbered so that the leaves of every group of every level are neighbours. Sorting each
 * level by the rank of the parent, from the top down, does it in linear time: equal parents keep
 * their order of appearance, and `*` ranks after every other parent, so that those who reach the
 * root early come last,
 *
 *     level 2      A       B      *  *          A before B before *
 *     level 1    a   b   c   d    e  *          a b before c d before e before *
 *     leaves     1 2 3   4   5 6  7  8
 *
 * on every level at once. Then one pass over the leaves per level numbers its groups. */
#include "hierarchy/tree.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

/* ---------------------------------------------------------------- order of the leaves */

/* ranks[i] = the place of item i when the items are sorted by key, stably; keys are below n_keys.
 */
static pv_status rank_by_key(const uint32_t *keys, uint32_t n, size_t n_keys, uint32_t *ranks,
                             pv_error *error)
{
    uint32_t *const next = PV_NEW_ZEROED(uint32_t, n_keys + 1);
    if (next == NULL) {
        return pv_i_no_memory(error);
    }
    for (uint32_t i = 0; i < n; i++) {
        next[keys[i] + 1]++;
    }
    for (size_t key = 1; key <= n_keys; key++) {
        next[key] += next[key - 1];
    }
    for (uint32_t i = 0; i < n; i++) {
        ranks[i] = next[keys[i]]++;
    }
    pv_i_free(next);
    return PV_STATUS_OK;
}

/* The ranks of the nodes of one level, given those of the level above (`n_above` of them). */
static pv_status rank_nodes(const pv_path_level *level, const uint32_t *above, uint32_t n_above,
                            uint32_t **ranks, pv_error *error)
{
    const uint32_t n = level->labels.n;
    uint32_t *const keys = PV_NEW_ARRAY(uint32_t, n);
    uint32_t *const made = PV_NEW_ARRAY(uint32_t, n);
    pv_status status = keys != NULL && made != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
    if (status == PV_STATUS_OK) {
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t parent = level->nodes[i].parent;
            keys[i] = parent != PV_PATH_ROOT ? above[parent] : n_above;
        }
        status = rank_by_key(keys, n, (size_t)n_above + 1, made, error);
    }
    pv_i_free(keys);
    if (status != PV_STATUS_OK) {
        pv_i_free(made);
        return status;
    }
    *ranks = made;
    return PV_STATUS_OK;
}

/* The ranks of the nodes of level 1 (NULL when there is none). */
static pv_status rank_lowest_nodes(const pv_paths *paths, uint32_t **ranks, pv_error *error)
{
    uint32_t *above = NULL;
    uint32_t n_above = 0;
    for (unsigned level = paths->depth; level >= 1; level--) {
        uint32_t *made = NULL;
        const pv_status status =
            rank_nodes(&paths->levels[level - 1], above, n_above, &made, error);
        pv_i_free(above);
        PV_TRY(status);
        above = made;
        n_above = paths->levels[level - 1].labels.n;
    }
    *ranks = above;
    return PV_STATUS_OK;
}

static void fill_value_keys(const pv_paths *paths, const uint32_t *node_ranks, uint32_t n_nodes,
                            uint32_t *keys)
{
    for (uint32_t i = 0; i < paths->n_values; i++) {
        const pv_path_value *const value = &paths->values[i];
        if (value->is_root) {
            keys[i] = n_nodes + 1; /* after those who stand right below the root */
        } else {
            keys[i] = value->parent != PV_PATH_ROOT ? node_ranks[value->parent] : n_nodes;
        }
    }
}

/* order[i] = the value that comes i-th in the tree. */
static pv_status order_values(const pv_paths *paths, uint32_t *order, pv_error *error)
{
    const uint32_t n = paths->n_values;
    const uint32_t n_nodes = paths->depth > 0 ? paths->levels[0].labels.n : 0;
    uint32_t *node_ranks = NULL;
    uint32_t *const keys = PV_NEW_ARRAY(uint32_t, n);
    uint32_t *const ranks = PV_NEW_ARRAY(uint32_t, n);
    pv_status status = keys != NULL && ranks != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
    if (status != PV_STATUS_OK) {
        goto cleanup;
    }
    PV_TRY_CLEAN(rank_lowest_nodes(paths, &node_ranks, error));
    fill_value_keys(paths, node_ranks, n_nodes, keys);
    PV_TRY_CLEAN(rank_by_key(keys, n, (size_t)n_nodes + 2, ranks, error));
    for (uint32_t i = 0; i < n; i++) {
        order[ranks[i]] = i;
    }
cleanup:
    pv_i_free(keys);
    pv_i_free(ranks);
    pv_i_free(node_ranks);
    return status;
}

/* ---------------------------------------------------------------- groups of the levels */

/* What walks up the levels while they are made. */
typedef struct climb {
    const pv_paths *paths;
    uint32_t *node_of; /* by leaf: its node at the present level, PV_PATH_ROOT = `*` */
    uint64_t *counts;  /* by node of the present level: domain values under it */
} climb;

static bool allocate_level(pv_hierarchy_level *level, uint32_t n_leaves, uint32_t n_groups)
{
    level->group_of = PV_NEW_ARRAY(uint32_t, n_leaves);
    level->labels = PV_NEW_ARRAY(const char *, n_groups);
    level->leaves = PV_NEW_ARRAY(uint64_t, n_groups);
    return level->group_of != NULL && level->labels != NULL && level->leaves != NULL;
}

/* Level 0: every leaf is its own group. */
static pv_status make_leaves(pv_hierarchy *tree, const climb *at, const uint32_t *order,
                             pv_error *error)
{
    pv_hierarchy_level *const level = &tree->levels[0];
    if (!allocate_level(level, tree->n_leaves, tree->n_leaves)) {
        return pv_i_no_memory(error);
    }
    uint32_t leaf = 0;
    for (uint32_t i = 0; i < at->paths->n_values; i++) {
        const pv_path_value *const value = &at->paths->values[order[i]];
        if (value->code == PV_NO_CODE) {
            continue;
        }
        level->group_of[leaf] = leaf;
        level->labels[leaf] = value->text;
        level->leaves[leaf] = value->is_root ? tree->domain : 1;
        level->has_root |= value->is_root;
        at->node_of[leaf] = value->parent;
        tree->code_of[leaf] = value->code;
        tree->leaf_of[value->code] = leaf;
        leaf++;
    }
    level->n_groups = leaf;
    return PV_STATUS_OK;
}

static uint32_t count_runs(const uint32_t *nodes, uint32_t n)
{
    uint32_t runs = n > 0 ? 1 : 0;
    for (uint32_t i = 1; i < n; i++) {
        runs += nodes[i] != nodes[i - 1];
    }
    return runs;
}

/* A level from the nodes its leaves stand for: neighbours with one node are one group. */
static pv_status make_level(pv_hierarchy *tree, const climb *at, unsigned index, pv_error *error)
{
    pv_hierarchy_level *const level = &tree->levels[index];
    if (!allocate_level(level, tree->n_leaves, count_runs(at->node_of, tree->n_leaves))) {
        return pv_i_no_memory(error);
    }
    for (uint32_t leaf = 0; leaf < tree->n_leaves; leaf++) {
        const uint32_t node = at->node_of[leaf];
        if (leaf == 0 || node != at->node_of[leaf - 1]) {
            const bool is_root = node == PV_PATH_ROOT;
            level->labels[level->n_groups] =
                is_root ? PV_ROOT_LABEL : at->paths->levels[index - 1].labels.texts[node];
            level->leaves[level->n_groups] = is_root ? tree->domain : at->counts[node];
            level->has_root = is_root;
            level->n_groups++;
        }
        level->group_of[leaf] = level->n_groups - 1;
    }
    return PV_STATUS_OK;
}

static void count_lowest(climb *at, bool count_all)
{
    for (uint32_t i = 0; i < at->paths->n_values; i++) {
        const pv_path_value *const value = &at->paths->values[i];
        if (value->parent != PV_PATH_ROOT && !value->uncounted &&
            (count_all || value->code != PV_NO_CODE)) {
            at->counts[value->parent]++;
        }
    }
}

/* One step up: the leaves stand for the parents, which have the leaves of their children. */
static pv_status step_up(const pv_hierarchy *tree, climb *at, unsigned level, pv_error *error)
{
    const pv_path_level *const here = &at->paths->levels[level - 1];
    const bool is_top = level == at->paths->depth;
    uint64_t *const counts = PV_NEW_ZEROED(uint64_t, is_top ? 0 : here[1].labels.n);
    if (counts == NULL) {
        return pv_i_no_memory(error);
    }
    for (uint32_t node = 0; node < here->labels.n; node++) {
        if (here->nodes[node].parent != PV_PATH_ROOT) {
            counts[here->nodes[node].parent] += at->counts[node];
        }
    }
    for (uint32_t leaf = 0; leaf < tree->n_leaves; leaf++) {
        const uint32_t node = at->node_of[leaf];
        at->node_of[leaf] = node != PV_PATH_ROOT ? here->nodes[node].parent : PV_PATH_ROOT;
    }
    pv_i_free(at->counts);
    at->counts = counts;
    return PV_STATUS_OK;
}

static pv_status make_levels(pv_hierarchy *tree, climb *at, const uint32_t *order, bool count_all,
                             pv_error *error)
{
    PV_TRY(make_leaves(tree, at, order, error));
    count_lowest(at, count_all);
    for (unsigned level = 1; level <= tree->height; level++) {
        PV_TRY(make_level(tree, at, level, error));
        if (level < tree->height) {
            PV_TRY(step_up(tree, at, level, error));
        }
    }
    return PV_STATUS_OK;
}

/* ---------------------------------------------------------------- the tree */

static pv_status allocate_tree(const pv_paths *paths, bool count_all, pv_hierarchy **tree,
                               pv_error *error)
{
    pv_hierarchy *const made = PV_NEW(pv_hierarchy);
    if (made == NULL) {
        return pv_i_no_memory(error);
    }
    made->height = paths->depth + 1;
    made->n_leaves = paths->n_occurring;
    made->domain = (count_all ? paths->n_values : paths->n_occurring) - paths->n_repeats;
    made->levels = PV_NEW_ZEROED(pv_hierarchy_level, made->height + 1);
    made->leaf_of = PV_NEW_ARRAY(uint32_t, made->n_leaves);
    made->code_of = PV_NEW_ARRAY(uint32_t, made->n_leaves);
    if (made->levels == NULL || made->leaf_of == NULL || made->code_of == NULL) {
        pv_hierarchy_free(made);
        return pv_i_no_memory(error);
    }
    *tree = made;
    return PV_STATUS_OK;
}

pv_status pv_i_tree_create(pv_paths *paths, bool count_all, pv_hierarchy **hierarchy,
                           pv_error *error)
{
    pv_hierarchy *tree = NULL;
    climb at = {.paths = paths};
    uint32_t *order = NULL;
    pv_status status = PV_STATUS_OK;
    PV_TRY_CLEAN(allocate_tree(paths, count_all, &tree, error));
    order = PV_NEW_ARRAY(uint32_t, paths->n_values);
    at.node_of = PV_NEW_ARRAY(uint32_t, tree->n_leaves);
    at.counts = PV_NEW_ZEROED(uint64_t, paths->depth > 0 ? paths->levels[0].labels.n : 0);
    if (order == NULL || at.node_of == NULL || at.counts == NULL) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    PV_TRY_CLEAN(order_values(paths, order, error));
    PV_TRY_CLEAN(make_levels(tree, &at, order, count_all, error));
    tree->arena = paths->arena;
    paths->arena = (pv_arena){0};
    *hierarchy = tree;
    tree = NULL;
cleanup:
    pv_hierarchy_free(tree);
    pv_i_free(order);
    pv_i_free(at.node_of);
    pv_i_free(at.counts);
    return status;
}

void pv_hierarchy_free(pv_hierarchy *hierarchy)
{
    if (hierarchy == NULL) {
        return;
    }
    for (unsigned level = 0; hierarchy->levels != NULL && level <= hierarchy->height; level++) {
        pv_i_free(hierarchy->levels[level].group_of);
        pv_i_free(hierarchy->levels[level].labels);
        pv_i_free(hierarchy->levels[level].leaves);
    }
    pv_i_free(hierarchy->levels);
    pv_i_free(hierarchy->leaf_of);
    pv_i_free(hierarchy->code_of);
    pv_i_arena_deinit(&hierarchy->arena);
    pv_i_free(hierarchy);
}

/* ---------------------------------------------------------------- questions */

unsigned pv_hierarchy_height(const pv_hierarchy *hierarchy)
{
    return hierarchy->height;
}

uint32_t pv_hierarchy_leaves(const pv_hierarchy *hierarchy)
{
    return hierarchy->n_leaves;
}

uint32_t pv_hierarchy_groups(const pv_hierarchy *hierarchy, unsigned level)
{
    return hierarchy->levels[level].n_groups;
}

uint32_t pv_hierarchy_group(const pv_hierarchy *hierarchy, unsigned level, uint32_t leaf)
{
    return hierarchy->levels[level].group_of[leaf];
}

const char *pv_hierarchy_label(const pv_hierarchy *hierarchy, unsigned level, uint32_t group)
{
    return hierarchy->levels[level].labels[group];
}

uint64_t pv_hierarchy_group_leaves(const pv_hierarchy *hierarchy, unsigned level, uint32_t group)
{
    return hierarchy->levels[level].leaves[group];
}

bool pv_hierarchy_is_root(const pv_hierarchy *hierarchy, unsigned level, uint32_t group)
{
    const pv_hierarchy_level *const at = &hierarchy->levels[level];
    return at->has_root && group == at->n_groups - 1;
}

uint64_t pv_hierarchy_domain(const pv_hierarchy *hierarchy)
{
    return hierarchy->domain;
}

uint32_t pv_hierarchy_leaf(const pv_hierarchy *hierarchy, uint32_t code)
{
    return hierarchy->leaf_of[code];
}

uint32_t pv_hierarchy_code(const pv_hierarchy *hierarchy, uint32_t leaf)
{
    return hierarchy->code_of[leaf];
}
