/* What is true of every hierarchy, by looking at every leaf and group. */
#include "support/hierarchy_invariants.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int hierarchy_compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* A group is known by its label: no two groups of a level have the same one. */
static bool hierarchy_labels_differ(const pv_hierarchy *h, unsigned level)
{
    const uint32_t n = pv_hierarchy_groups(h, level);
    const char **const labels = malloc((n + 1) * sizeof *labels);
    bool differ = labels != NULL;
    for (uint32_t g = 0; differ && g < n; g++) {
        labels[g] = pv_hierarchy_label(h, level, g);
    }
    if (differ && n > 1) {
        qsort(labels, n, sizeof *labels, hierarchy_compare_texts);
    }
    for (uint32_t g = 1; differ && g < n; g++) {
        differ = strcmp(labels[g - 1], labels[g]) != 0;
    }
    free(labels);
    return differ;
}

/* NULL, or what is wrong with one level. */
static const char *hierarchy_level_problem(const pv_hierarchy *h, unsigned level)
{
    const uint32_t n = pv_hierarchy_leaves(h);
    uint32_t former = 0;
    for (uint32_t leaf = 0; leaf < n; leaf++) {
        const uint32_t group = pv_hierarchy_group(h, level, leaf);
        if (leaf == 0 ? group != 0 : group != former && group != former + 1) {
            return "groups are not numbered in tree order";
        }
        if (level > 0 && leaf > 0 && group != former &&
            pv_hierarchy_group(h, level - 1, leaf) == pv_hierarchy_group(h, level - 1, leaf - 1)) {
            return "levels are not nested";
        }
        if (level > 0 &&
            pv_hierarchy_is_root(h, level - 1, pv_hierarchy_group(h, level - 1, leaf)) &&
            !pv_hierarchy_is_root(h, level, group)) {
            return "the root is left again";
        }
        former = group;
    }
    if (pv_hierarchy_groups(h, level) != (n > 0 ? former + 1 : 0)) {
        return "the number of groups is wrong";
    }
    return hierarchy_labels_differ(h, level) ? NULL : "two groups have one label";
}

/* NULL, or what is wrong with the groups of one level. */
static const char *hierarchy_groups_problem(const pv_hierarchy *h, unsigned level)
{
    for (uint32_t g = 0; g < pv_hierarchy_groups(h, level); g++) {
        const bool is_root = pv_hierarchy_is_root(h, level, g);
        const bool is_starred = strcmp(pv_hierarchy_label(h, level, g), PV_ROOT_LABEL) == 0;
        const uint64_t leaves = pv_hierarchy_group_leaves(h, level, g);
        if (is_root != is_starred) {
            return "the root is not labelled `*`";
        }
        if (is_root &&
            (g + 1 != pv_hierarchy_groups(h, level) || leaves != pv_hierarchy_domain(h))) {
            return "the root is not the last group or does not hold the whole domain";
        }
        if (leaves < 1 || leaves > pv_hierarchy_domain(h)) {
            return "the leaves of a group are out of range";
        }
    }
    return NULL;
}

const char *hierarchy_problem(const pv_hierarchy *h)
{
    const unsigned height = pv_hierarchy_height(h);
    const uint32_t n = pv_hierarchy_leaves(h);
    if (height < 1 || height > PV_MAX_HEIGHT) {
        return "the height is out of range";
    }
    for (unsigned level = 0; level <= height; level++) {
        const char *const order = hierarchy_level_problem(h, level);
        const char *const groups = hierarchy_groups_problem(h, level);
        if (order != NULL || groups != NULL) {
            return order != NULL ? order : groups;
        }
    }
    if (n > 0 && (pv_hierarchy_groups(h, 0) != n || pv_hierarchy_groups(h, height) != 1 ||
                  !pv_hierarchy_is_root(h, height, 0))) {
        return "the lowest or the highest level is wrong";
    }
    for (uint32_t leaf = 0; leaf < n; leaf++) {
        if (pv_hierarchy_leaf(h, pv_hierarchy_code(h, leaf)) != leaf) {
            return "leaves and codes do not match";
        }
    }
    return NULL;
}
