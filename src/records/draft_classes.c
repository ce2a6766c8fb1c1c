/* Draft classes: nodes, costs, merging (record_enforce.h has the drawing).
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

#include <math.h>
#include <string.h>

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

static bool tree_init(pv_draft_tree *tree, const pv_hierarchy *h)
{
    const size_t n = (size_t)h->n_nodes + h->n_leaves + 1;
    if (n > UINT32_MAX) {
        return false;
    }
    *tree = (pv_draft_tree){.hierarchy = h,
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
        tree->depth[node] = 0;
        for (uint32_t above = node; above != tree->root; above = tree->parent[above]) {
            tree->depth[node]++;
        }
    }
    return true;
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
            drafts->nodes[q][t] =
                pv_i_draft_node_at(&drafts->trees[q], levels[t * drafts->n_quasi + q], leaf);
        }
        drafts->sizes[t] = drafts->profile->count[t];
        drafts->first[t] = drafts->last[t] = (uint32_t)t;
        drafts->next[t] = NOBODY;
    }
    return pv_i_drafts_merge_equal(drafts);
}

pv_status pv_i_drafts_init(pv_drafts *drafts, const pv_profile *profile, const uint8_t *levels,
                           pv_error *error)
{
    const size_t n = profile->n_tuples;
    const size_t n_quasi = pv_study_quasis(profile->study);
    *drafts = (pv_drafts){.profile = profile,
                          .n_quasi = n_quasi,
                          .trees = PV_NEW_ZEROED(pv_draft_tree, n_quasi),
                          .nodes = PV_NEW_ZEROED(uint32_t *, n_quasi),
                          .sizes = PV_NEW_ARRAY(uint64_t, n),
                          .first = PV_NEW_ARRAY(uint32_t, n),
                          .last = PV_NEW_ARRAY(uint32_t, n),
                          .next = PV_NEW_ARRAY(uint32_t, n)};
    bool ready = drafts->sizes != NULL && drafts->first != NULL && drafts->last != NULL &&
                 drafts->next != NULL && drafts->trees != NULL && drafts->nodes != NULL;
    for (size_t q = 0; ready && q < n_quasi; q++) {
        drafts->nodes[q] = PV_NEW_ARRAY(uint32_t, n);
        ready = drafts->nodes[q] != NULL &&
                tree_init(&drafts->trees[q], pv_study_hierarchy(profile->study, q));
    }
    if (!ready || !pv_i_drafts_reset(drafts, levels)) {
        pv_i_drafts_deinit(drafts);
        return pv_i_no_memory(error);
    }
    return PV_STATUS_OK;
}

void pv_i_drafts_deinit(pv_drafts *drafts)
{
    for (size_t q = 0; q < drafts->n_quasi; q++) {
        if (drafts->trees != NULL) {
            pv_i_free(drafts->trees[q].parent);
            pv_i_free(drafts->trees[q].depth);
            pv_i_free(drafts->trees[q].loss);
        }
        pv_i_free(drafts->nodes != NULL ? drafts->nodes[q] : NULL);
    }
    pv_i_free(drafts->trees);
    pv_i_free(drafts->nodes);
    pv_i_free(drafts->sizes);
    pv_i_free(drafts->first);
    pv_i_free(drafts->last);
    pv_i_free(drafts->next);
    *drafts = (pv_drafts){0};
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

double pv_i_draft_merge_cost(const pv_drafts *drafts, size_t a, size_t b, double most)
{
    const double size_a = (double)drafts->sizes[a];
    const double size_b = (double)drafts->sizes[b];
    size_t starred = 0;
    double price = 0;
    for (size_t q = 0; q < drafts->n_quasi && price < most; q++) {
        const pv_draft_tree *const tree = &drafts->trees[q];
        const uint32_t node = pv_i_draft_common_node(drafts, q, a, b);
        starred += node == tree->root;
        price += size_a * (tree->loss[node] - tree->loss[drafts->nodes[q][a]]) +
                 size_b * (tree->loss[node] - tree->loss[drafts->nodes[q][b]]);
    }
    return price < most && starred < drafts->n_quasi ? price : (double)INFINITY;
}

void pv_i_draft_merge(pv_drafts *drafts, size_t a, size_t b)
{
    for (size_t q = 0; q < drafts->n_quasi; q++) {
        drafts->nodes[q][a] = pv_i_draft_common_node(drafts, q, a, b);
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
            pv_i_draft_merge(drafts, holder[id], c);
        }
    }
    pv_i_keymap_deinit(&map);
    pv_i_free(holder);
    pv_i_free(key);
    return ready;
}

void pv_i_drafts_levels(const pv_drafts *drafts, uint8_t *levels)
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
