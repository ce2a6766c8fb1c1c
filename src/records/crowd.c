/* Crowds of people who are released alike. */
#include "records/crowd.h"

#include "base/error.h"
#include "base/memory.h"
#include "classes/keys.h"
#include "hierarchy/tree.h"

#include <math.h>
#include <string.h>

#define NOBODY UINT32_MAX

/* ------------------------------------------------------------------- trees */

static void tree_deinit(pv_crowd_tree *tree)
{
    pv_i_free(tree->parent);
    pv_i_free(tree->depth);
    pv_i_free(tree->loss);
}

static void fill_nodes(pv_crowd_tree *tree)
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

static uint16_t depth_of(const pv_crowd_tree *tree, uint32_t node)
{
    uint16_t depth = 0;
    for (; node != tree->root; node = tree->parent[node]) {
        depth++;
    }
    return depth;
}

static bool tree_init(pv_crowd_tree *tree, const pv_hierarchy *h)
{
    const size_t n = (size_t)h->n_nodes + h->n_leaves + 1;
    if (n > UINT32_MAX) {
        return false;
    }
    *tree = (pv_crowd_tree){.hierarchy = h,
                            .height = pv_hierarchy_height(h),
                            .root = (uint32_t)n - 1,
                            .parent = PV_NEW_ARRAY(uint32_t, n),
                            .depth = PV_NEW_ARRAY(uint16_t, n),
                            .loss = PV_NEW_ARRAY(double, n)};
    if (tree->parent == NULL || tree->depth == NULL || tree->loss == NULL) {
        return false;
    }
    fill_nodes(tree);
    for (uint32_t node = 0; node <= tree->root; node++) {
        tree->depth[node] = depth_of(tree, node);
    }
    return true;
}

uint32_t pv_i_crowd_node_at(const pv_crowd_tree *tree, unsigned level, uint32_t leaf)
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
static unsigned level_from(const pv_crowd_tree *tree, uint32_t node, uint32_t leaf, unsigned level)
{
    while (level <= tree->height && pv_i_crowd_node_at(tree, level, leaf) != node) {
        level++;
    }
    return level;
}

/* A level at which a leaf is released as a node above it, if it can be not below what was chosen. A
 * value that is called like the group it is in is so as it is. */
static uint8_t level_of(const pv_crowd_tree *tree, uint32_t node, uint32_t leaf, unsigned chosen)
{
    unsigned level = level_from(tree, node, leaf, node == tree->root ? 0 : chosen);
    if (level > tree->height) {
        level = level_from(tree, node, leaf, 0);
    }
    return (uint8_t)(level <= tree->height ? level : 0);
}

/* ------------------------------------------------------------------ crowds */

static bool reserve(pv_crowds *crowds, size_t n)
{
    bool ready = crowds->trees != NULL && crowds->nodes != NULL;
    for (size_t q = 0; ready && q < crowds->n_quasi; q++) {
        crowds->nodes[q] = PV_NEW_ARRAY(uint32_t, n);
        ready = crowds->nodes[q] != NULL;
    }
    return ready;
}

static bool init_trees(pv_crowds *crowds)
{
    const pv_study *const study = crowds->profile->study;
    bool ready = crowds->trees != NULL;
    for (size_t q = 0; ready && q < crowds->n_quasi; q++) {
        ready = tree_init(&crowds->trees[q], pv_study_hierarchy(study, q));
    }
    return ready;
}

/* A crowd for each tuple; those alike are united next. */
static void fill(pv_crowds *crowds, const uint8_t *levels)
{
    crowds->n = crowds->profile->n_tuples;
    for (size_t t = 0; t < crowds->n; t++) {
        for (size_t q = 0; q < crowds->n_quasi; q++) {
            const uint32_t leaf = pv_profile_leaf(crowds->profile, t, q);
            crowds->nodes[q][t] =
                pv_i_crowd_node_at(&crowds->trees[q], levels[t * crowds->n_quasi + q], leaf);
        }
        crowds->sizes[t] = crowds->profile->count[t];
        crowds->first[t] = crowds->last[t] = (uint32_t)t;
        crowds->next[t] = NOBODY;
    }
}

bool pv_i_crowds_reset(pv_crowds *crowds, const uint8_t *levels)
{
    fill(crowds, levels);
    return pv_i_crowds_unite(crowds);
}

pv_status pv_i_crowds_init(pv_crowds *crowds, const pv_profile *profile, const uint8_t *levels,
                           pv_error *error)
{
    const size_t n = profile->n_tuples;
    const size_t n_quasi = pv_study_quasis(profile->study);
    *crowds = (pv_crowds){.profile = profile,
                          .n_quasi = n_quasi,
                          .trees = PV_NEW_ZEROED(pv_crowd_tree, n_quasi),
                          .nodes = PV_NEW_ZEROED(uint32_t *, n_quasi),
                          .sizes = PV_NEW_ARRAY(uint64_t, n),
                          .first = PV_NEW_ARRAY(uint32_t, n),
                          .last = PV_NEW_ARRAY(uint32_t, n),
                          .next = PV_NEW_ARRAY(uint32_t, n)};
    const bool ready = crowds->sizes != NULL && crowds->first != NULL && crowds->last != NULL &&
                       crowds->next != NULL && reserve(crowds, n) && init_trees(crowds);
    if (!ready || !pv_i_crowds_reset(crowds, levels)) {
        pv_i_crowds_deinit(crowds);
        return pv_i_no_memory(error);
    }
    return PV_STATUS_OK;
}

void pv_i_crowds_deinit(pv_crowds *crowds)
{
    for (size_t q = 0; q < crowds->n_quasi; q++) {
        if (crowds->trees != NULL) {
            tree_deinit(&crowds->trees[q]);
        }
        pv_i_free(crowds->nodes != NULL ? crowds->nodes[q] : NULL);
    }
    pv_i_free(crowds->trees);
    pv_i_free(crowds->nodes);
    pv_i_free(crowds->sizes);
    pv_i_free(crowds->first);
    pv_i_free(crowds->last);
    pv_i_free(crowds->next);
    *crowds = (pv_crowds){0};
}

/* ------------------------------------------------------------------- merge */

bool pv_i_crowd_is_starred(const pv_crowds *crowds, size_t crowd)
{
    size_t q = 0;
    while (q < crowds->n_quasi && crowds->nodes[q][crowd] == crowds->trees[q].root) {
        q++;
    }
    return q == crowds->n_quasi;
}

double pv_i_crowd_loses(const pv_crowds *crowds, size_t crowd)
{
    double loss = 0;
    for (size_t q = 0; q < crowds->n_quasi; q++) {
        loss += crowds->trees[q].loss[crowds->nodes[q][crowd]];
    }
    return loss * (double)crowds->sizes[crowd];
}

double pv_i_crowd_price(const pv_crowds *crowds, size_t a, size_t b, double most)
{
    const double size_a = (double)crowds->sizes[a];
    const double size_b = (double)crowds->sizes[b];
    size_t starred = 0;
    double price = 0;
    for (size_t q = 0; q < crowds->n_quasi && price < most; q++) {
        const pv_crowd_tree *const tree = &crowds->trees[q];
        const uint32_t node = pv_i_crowd_meeting(crowds, q, a, b);
        starred += node == tree->root;
        price += size_a * (tree->loss[node] - tree->loss[crowds->nodes[q][a]]) +
                 size_b * (tree->loss[node] - tree->loss[crowds->nodes[q][b]]);
    }
    return price < most && starred < crowds->n_quasi ? price : (double)INFINITY;
}

void pv_i_crowd_merge(pv_crowds *crowds, size_t a, size_t b)
{
    for (size_t q = 0; q < crowds->n_quasi; q++) {
        crowds->nodes[q][a] = pv_i_crowd_meeting(crowds, q, a, b);
    }
    crowds->next[crowds->last[a]] = crowds->first[b];
    crowds->last[a] = crowds->last[b];
    crowds->sizes[a] += crowds->sizes[b];
    crowds->sizes[b] = 0;
    crowds->first[b] = crowds->last[b] = NOBODY;
}

static void fill_key(const pv_crowds *crowds, size_t crowd, uint64_t *key)
{
    for (size_t q = 0; q < crowds->n_quasi; q++) {
        key[q] = crowds->nodes[q][crowd];
    }
}

bool pv_i_crowds_unite(pv_crowds *crowds)
{
    pv_keymap map = {0};
    uint64_t *const key = PV_NEW_ARRAY(uint64_t, crowds->n_quasi);
    uint32_t *const holder = PV_NEW_ARRAY(uint32_t, crowds->n); /* per key: the first crowd */
    bool ready =
        key != NULL && holder != NULL && pv_i_keymap_init(&map, (unsigned)crowds->n_quasi, 0);
    for (size_t c = 0; ready && c < crowds->n; c++) {
        if (crowds->sizes[c] == 0) {
            continue;
        }
        const size_t known = map.n;
        fill_key(crowds, c, key);
        const uint32_t id = pv_i_keymap_add(&map, key);
        ready = id != PV_KEYMAP_FULL;
        if (ready && map.n > known) {
            holder[id] = (uint32_t)c;
        } else if (ready) {
            pv_i_crowd_merge(crowds, holder[id], c);
        }
    }
    pv_i_keymap_deinit(&map);
    pv_i_free(holder);
    pv_i_free(key);
    return ready;
}

void pv_i_crowds_levels(const pv_crowds *crowds, uint8_t *levels)
{
    for (size_t c = 0; c < crowds->n; c++) {
        for (uint32_t t = crowds->first[c]; crowds->sizes[c] > 0 && t != NOBODY;
             t = crowds->next[t]) {
            for (size_t q = 0; q < crowds->n_quasi; q++) {
                uint8_t *const level = &levels[t * crowds->n_quasi + q];
                *level = level_of(&crowds->trees[q], crowds->nodes[q][c],
                                  pv_profile_leaf(crowds->profile, t, q), *level);
            }
        }
    }
}
