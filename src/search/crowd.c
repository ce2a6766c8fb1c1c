/* Crowds of people who are released alike. */
#include "search/crowd.h"

#include "base/checked.h"
#include "base/error.h"
#include "base/memory.h"
#include "classes/keymap.h"

#include <math.h>
#include <string.h>

#define NOBODY UINT32_MAX

/* ------------------------------------------------------------------- trees */

static void tree_deinit(pv_crowd_tree *tree)
{
    pv_i_free(tree->group);
    pv_i_free(tree->loss);
    pv_i_free(tree->root);
}

static void fill_level(pv_crowd_tree *tree, const pv_hierarchy *h, unsigned level)
{
    const double others = pv_hierarchy_domain(h) > 1 ? (double)(pv_hierarchy_domain(h) - 1) : 1;
    for (uint32_t leaf = 0; leaf < tree->n_leaves; leaf++) {
        const size_t place = (size_t)level * tree->n_leaves + leaf;
        const uint32_t group = pv_hierarchy_group(h, level, leaf);
        tree->group[place] = group;
        tree->loss[place] = (double)(pv_hierarchy_group_leaves(h, level, group) - 1) / others;
        if (pv_hierarchy_is_root(h, level, group) && level < tree->root[leaf]) {
            tree->root[leaf] = (uint8_t)level;
        }
    }
}

static bool tree_init(pv_crowd_tree *tree, const pv_hierarchy *h)
{
    size_t n = 0;
    *tree = (pv_crowd_tree){.height = pv_hierarchy_height(h), .n_leaves = pv_hierarchy_leaves(h)};
    if (!pv_i_mul_size(tree->height + 1, tree->n_leaves, &n)) {
        return false;
    }
    tree->group = PV_NEW_ARRAY(uint32_t, n);
    tree->loss = PV_NEW_ARRAY(double, n);
    tree->root = PV_NEW_ARRAY(uint8_t, tree->n_leaves);
    if (tree->group == NULL || tree->loss == NULL || tree->root == NULL) {
        return false;
    }
    memset(tree->root, (int)tree->height, tree->n_leaves);
    for (unsigned level = 0; level <= tree->height; level++) {
        fill_level(tree, h, level);
    }
    return true;
}

/* ------------------------------------------------------------------ crowds */

static bool reserve(pv_crowds *crowds, size_t n)
{
    bool ready = crowds->trees != NULL && crowds->leaves != NULL && crowds->levels != NULL;
    for (size_t q = 0; ready && q < crowds->n_quasi; q++) {
        crowds->leaves[q] = PV_NEW_ARRAY(uint32_t, n);
        crowds->levels[q] = PV_NEW_ARRAY(uint8_t, n);
        ready = crowds->leaves[q] != NULL && crowds->levels[q] != NULL;
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
            crowds->leaves[q][t] = leaf;
            crowds->levels[q][t] = (uint8_t)pv_i_crowd_true_level(&crowds->trees[q], leaf,
                                                                  levels[t * crowds->n_quasi + q]);
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
                          .leaves = PV_NEW_ZEROED(uint32_t *, n_quasi),
                          .levels = PV_NEW_ZEROED(uint8_t *, n_quasi),
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
        pv_i_free(crowds->leaves != NULL ? crowds->leaves[q] : NULL);
        pv_i_free(crowds->levels != NULL ? crowds->levels[q] : NULL);
    }
    pv_i_free(crowds->trees);
    pv_i_free(crowds->leaves);
    pv_i_free(crowds->levels);
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
    while (q < crowds->n_quasi && crowds->levels[q][crowd] == crowds->trees[q].height) {
        q++;
    }
    return q == crowds->n_quasi;
}

double pv_i_crowd_loses(const pv_crowds *crowds, size_t crowd)
{
    double loss = 0;
    for (size_t q = 0; q < crowds->n_quasi; q++) {
        loss +=
            pv_i_crowd_loss(&crowds->trees[q], crowds->levels[q][crowd], crowds->leaves[q][crowd]);
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
        const uint32_t leaf_a = crowds->leaves[q][a];
        const uint32_t leaf_b = crowds->leaves[q][b];
        const unsigned level = pv_i_crowd_meeting(crowds, q, a, b);
        starred += level >= tree->root[leaf_a];
        price += size_a * (pv_i_crowd_loss(tree, level, leaf_a) -
                           pv_i_crowd_loss(tree, crowds->levels[q][a], leaf_a)) +
                 size_b * (pv_i_crowd_loss(tree, level, leaf_b) -
                           pv_i_crowd_loss(tree, crowds->levels[q][b], leaf_b));
    }
    return price < most && starred < crowds->n_quasi ? price : (double)INFINITY;
}

void pv_i_crowd_merge(pv_crowds *crowds, size_t a, size_t b)
{
    for (size_t q = 0; q < crowds->n_quasi; q++) {
        const pv_crowd_tree *const tree = &crowds->trees[q];
        crowds->levels[q][a] = (uint8_t)pv_i_crowd_true_level(tree, crowds->leaves[q][a],
                                                              pv_i_crowd_meeting(crowds, q, a, b));
    }
    crowds->next[crowds->last[a]] = crowds->first[b];
    crowds->last[a] = crowds->last[b];
    crowds->sizes[a] += crowds->sizes[b];
    crowds->sizes[b] = 0;
    crowds->first[b] = crowds->last[b] = NOBODY;
}

/* The node of every attribute: its level and group. */
static void fill_key(const pv_crowds *crowds, size_t crowd, uint64_t *key)
{
    for (size_t q = 0; q < crowds->n_quasi; q++) {
        const pv_crowd_tree *const tree = &crowds->trees[q];
        const size_t level = crowds->levels[q][crowd];
        key[q] =
            (uint64_t)level << 32 | tree->group[level * tree->n_leaves + crowds->leaves[q][crowd]];
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
                const uint8_t root = crowds->trees[q].root[pv_profile_leaf(crowds->profile, t, q)];
                const uint8_t level = crowds->levels[q][c];
                levels[t * crowds->n_quasi + q] = level < root ? level : root;
            }
        }
    }
}
