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
 * on every level at once. Then one pass over the leaves per level numbers its groups.
 *
 * A label may occur on several levels: the node it names covers the leaves of all its groups. They
 * are not neighbours in that order (nobody's numbering could keep both together: of three
 * continents with a value right below each, the three values are one group, the root, at the level
 * of the continents); a second order, depth first, has them side by side. */
#include "hierarchy/tree.h"

#include "base/error.h"
#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

/* ---------------------------------------------------------------------- paths
 *
 * Paths, as the tree they form: a path is added from its topmost label down, and at each
 * level the node with that label is found or made under the node above. */

void pv_i_paths_free(pv_paths *paths)
{
    if (paths == NULL) {
        return;
    }
    for (unsigned i = 0; i < paths->depth; i++) {
        pv_i_labels_deinit(&paths->levels[i].labels);
        pv_i_free(paths->levels[i].nodes);
    }
    pv_i_labels_deinit(&paths->names);
    pv_i_free(paths->nodes);
    pv_i_free(paths->values);
    pv_i_arena_deinit(&paths->arena);
    pv_i_free(paths);
}

static pv_status add_value(pv_paths *paths, pv_path_value value, pv_error *error)
{
    if (paths->n_values == UINT32_MAX - 1) {
        return pv_i_fail(error, PV_STATUS_LIMIT, "a hierarchy has more than %" PRIu32 " values",
                         paths->n_values);
    }
    value.text = pv_i_arena_text(&paths->arena, value.text, strlen(value.text));
    if (value.text == NULL || !pv_i_reserve((void **)&paths->values, &paths->capacity,
                                            (size_t)paths->n_values + 1, sizeof *paths->values)) {
        return pv_i_no_memory(error);
    }
    paths->values[paths->n_values++] = value;
    paths->n_occurring += value.code != PV_NO_CODE;
    return PV_STATUS_OK;
}

/* Number of the node with a label; *is_new says whether it was made just now. */
static pv_status intern(pv_paths *paths, unsigned level, const char *label, pv_path_node node,
                        uint32_t *number, bool *is_new, pv_error *error)
{
    pv_path_level *const at = &paths->levels[level - 1];
    const uint32_t before = at->labels.n;
    if (level > paths->depth) {
        paths->depth = level;
    }
    if (!pv_i_reserve((void **)&at->nodes, &at->capacity, (size_t)before + 1, sizeof *at->nodes)) {
        return pv_i_no_memory(error);
    }
    PV_TRY(pv_i_labels_add(&at->labels, &paths->arena, label, number, error));
    *is_new = at->labels.n > before;
    if (*is_new) {
        at->nodes[*number] = node;
    }
    return PV_STATUS_OK;
}

static const char *label_of(const pv_paths *paths, unsigned level, uint32_t node)
{
    return node != PV_PATH_ROOT ? paths->levels[level - 1].labels.texts[node] : PV_ROOT_LABEL;
}

static void report_two_parents(const pv_paths *paths, unsigned level, uint32_t number,
                               pv_path_node other, pv_problems *problems)
{
    const pv_path_node *const first = &paths->levels[level - 1].nodes[number];
    if (paths->unit == NULL) {
        pv_i_problems_add(problems, "level", level,
                          "two groups under different parents would have the same label");
        return;
    }
    pv_i_problems_add(problems, paths->unit, other.place,
                      "%s at level %u is under %s here but under %s in %s %" PRIu64,
                      pv_i_quoted(label_of(paths, level, number)).text, level,
                      pv_i_quoted(label_of(paths, level + 1, other.parent)).text,
                      pv_i_quoted(label_of(paths, level + 1, first->parent)).text, paths->unit,
                      first->place);
}

pv_status pv_i_paths_add(pv_paths *paths, const pv_path *path, pv_problems *problems,
                         pv_error *error)
{
    uint32_t parent = PV_PATH_ROOT;
    if (path->n_labels >= PV_MAX_HEIGHT) {
        return pv_i_fail(error, PV_STATUS_LIMIT, "a hierarchy has more than %d levels",
                         PV_MAX_HEIGHT);
    }
    for (unsigned level = (unsigned)path->n_labels; level >= 1; level--) {
        const pv_path_node node = {.parent = parent, .place = path->place};
        uint32_t number = PV_PATH_ROOT;
        bool is_new = false;
        PV_TRY(intern(paths, level, path->labels[level - 1], node, &number, &is_new, error));
        if (!is_new && paths->levels[level - 1].nodes[number].parent != parent) {
            report_two_parents(paths, level, number, node, problems);
        }
        parent = number;
    }
    const bool has_last_parent =
        paths->n_values > 0 && paths->values[paths->n_values - 1].parent == parent;
    const pv_path_value value = {.text = path->value,
                                 .code = path->code,
                                 .parent = parent,
                                 .place = path->place,
                                 .is_guest = path->is_guest,
                                 .uncounted = path->repeats && has_last_parent};
    paths->n_repeats += path->repeats;
    return add_value(paths, value, error);
}

pv_status pv_i_paths_add_root(pv_paths *paths, uint32_t code, pv_error *error)
{
    const pv_path_value root = {
        .text = PV_ROOT_LABEL, .code = code, .parent = PV_PATH_ROOT, .is_root = true};
    return add_value(paths, root, error);
}

pv_status pv_i_paths_join_missing(pv_paths *paths, uint32_t code, const char *value,
                                  const char *group, pv_error *error)
{
    uint32_t parent = PV_PATH_ROOT;
    bool is_new = false;
    PV_TRY(
        intern(paths, 1, group, (pv_path_node){.parent = PV_PATH_ROOT}, &parent, &is_new, error));
    return add_value(paths, (pv_path_value){.text = value, .code = code, .parent = parent}, error);
}

pv_status pv_i_paths_add_missing(pv_paths *paths, uint32_t code, const char *value,
                                 pv_problems *problems, pv_error *error)
{
    uint32_t parent = PV_PATH_ROOT;
    for (unsigned level = paths->depth; level >= 1; level--) {
        bool is_new = false;
        PV_TRY(
            intern(paths, level, value, (pv_path_node){.parent = parent}, &parent, &is_new, error));
        if (!is_new) {
            pv_i_problems_add(problems, "level", level,
                              "a group has the label that stands for a missing value in the data");
        }
    }
    return add_value(paths, (pv_path_value){.text = value, .code = code, .parent = parent}, error);
}

/* ---------------------------------------------------------------- one node for each label */

static const char *name_text(const pv_paths *paths, uint32_t name)
{
    return name != PV_PATH_ROOT ? paths->names.texts[name] : PV_ROOT_LABEL;
}

/* `level` 0 = it is a value. */
static void report_two_places(const pv_paths *paths, uint32_t name, unsigned level, uint32_t parent,
                              uint64_t place, pv_problems *problems)
{
    const pv_path_name *const first = &paths->nodes[name];
    if (paths->unit == NULL) {
        pv_i_problems_add(problems, "level", level > 0 ? level : first->level,
                          "a group has the label of another that is under another parent");
        return;
    }
    pv_i_problems_add(problems, paths->unit, place,
                      "%s is under %s here but under %s in %s %" PRIu64 ", on another level",
                      pv_i_quoted(name_text(paths, name)).text,
                      pv_i_quoted(name_text(paths, parent)).text,
                      pv_i_quoted(name_text(paths, first->parent)).text, paths->unit, first->place);
}

/* Parents have their names already. A label repeated from level to level is one node. */
static pv_status join_node(pv_paths *paths, unsigned level, uint32_t number, size_t *capacity,
                           pv_problems *problems, pv_error *error)
{
    pv_path_node *const node = &paths->levels[level - 1].nodes[number];
    const uint32_t parent =
        node->parent != PV_PATH_ROOT ? paths->levels[level].nodes[node->parent].name : PV_PATH_ROOT;
    const uint32_t before = paths->names.n;
    if (!pv_i_reserve((void **)&paths->nodes, capacity, (size_t)before + 1, sizeof *paths->nodes)) {
        return pv_i_no_memory(error);
    }
    PV_TRY(pv_i_labels_add(&paths->names, &paths->arena,
                           paths->levels[level - 1].labels.texts[number], &node->name, error));
    if (node->name == before) {
        paths->nodes[before] =
            (pv_path_name){.parent = parent, .level = level, .place = node->place};
    } else if (parent != node->name && parent != paths->nodes[node->name].parent) {
        report_two_places(paths, node->name, level, parent, node->place, problems);
    }
    return PV_STATUS_OK;
}

static void join_value(pv_paths *paths, pv_path_value *value, pv_problems *problems)
{
    const uint32_t own =
        value->is_root ? PV_NO_LABEL : pv_i_labels_find(&paths->names, value->text);
    value->name =
        value->parent != PV_PATH_ROOT ? paths->levels[0].nodes[value->parent].name : PV_PATH_ROOT;
    if (own == PV_NO_LABEL || own == value->name) {
        return;
    }
    if (!value->is_guest && value->name != paths->nodes[own].parent) {
        report_two_places(paths, own, 0, value->name, value->place, problems);
    }
    value->name = own;
}

pv_status pv_i_paths_join(pv_paths *paths, pv_problems *problems, pv_error *error)
{
    size_t capacity = 0;
    for (unsigned level = paths->depth; level >= 1; level--) {
        for (uint32_t number = 0; number < paths->levels[level - 1].labels.n; number++) {
            PV_TRY(join_node(paths, level, number, &capacity, problems, error));
        }
    }
    for (uint32_t i = 0; i < paths->n_values; i++) {
        join_value(paths, &paths->values[i], problems);
    }
    return PV_STATUS_OK;
}

/* ---------------------------------------------------------------- order of the leaves */

/* ranks[i] = the place of item i when the items are sorted by key, stably; keys are below n_keys. A
 * counting sort: O(n + n_keys). */
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

/* order[i] = the value that comes i-th in the tree: the nodes of each level are ranked by the ranks
 * of their parents, from the top down, and at last the values by the nodes of level 1. `*` ranks
 * after all of them, and the value `*` itself after those right below the root. */
static pv_status order_values(const pv_paths *paths, uint32_t *order, pv_error *error)
{
    const uint32_t n = paths->n_values;
    uint32_t most = n; /* items on any level */
    for (unsigned i = 0; i < paths->depth; i++) {
        most = paths->levels[i].labels.n > most ? paths->levels[i].labels.n : most;
    }
    uint32_t n_above = 0;
    uint32_t *const keys = PV_NEW_ARRAY(uint32_t, most);
    uint32_t *const ranks = PV_NEW_ARRAY(uint32_t, most);
    pv_status status = keys != NULL && ranks != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
    for (unsigned i = paths->depth; i-- > 0 && status == PV_STATUS_OK;) {
        const pv_path_level *const level = &paths->levels[i];
        for (uint32_t node = 0; node < level->labels.n; node++) {
            const uint32_t parent = level->nodes[node].parent;
            keys[node] = parent != PV_PATH_ROOT ? ranks[parent] : n_above;
        }
        status = rank_by_key(keys, level->labels.n, (size_t)n_above + 1, ranks, error);
        n_above = level->labels.n;
    }
    for (uint32_t i = 0; i < n && status == PV_STATUS_OK; i++) {
        const pv_path_value *const value = &paths->values[i];
        keys[i] = value->is_root                  ? n_above + 1
                  : value->parent != PV_PATH_ROOT ? ranks[value->parent]
                                                  : n_above;
    }
    if (status == PV_STATUS_OK) {
        status = rank_by_key(keys, n, (size_t)n_above + 2, ranks, error);
    }
    for (uint32_t i = 0; i < n && status == PV_STATUS_OK; i++) {
        order[ranks[i]] = i;
    }
    pv_i_free(keys);
    pv_i_free(ranks);
    return status;
}

/* ---------------------------------------------------------------- groups of the levels */

static bool allocate_level(pv_hierarchy_level *level, uint32_t n_leaves, uint32_t n_groups)
{
    level->group_of = PV_NEW_ARRAY(uint32_t, n_leaves);
    level->labels = PV_NEW_ARRAY(const char *, n_groups);
    level->leaves = PV_NEW_ARRAY(uint64_t, n_groups);
    level->nodes = PV_NEW_ARRAY(uint32_t, n_groups);
    return level->group_of != NULL && level->labels != NULL && level->leaves != NULL &&
           level->nodes != NULL;
}

/* Level 0: every leaf is its own group. `at` becomes the node of level 1 that each is in. */
static pv_status make_leaves(pv_hierarchy *tree, const pv_paths *paths, const uint32_t *order,
                             uint32_t *at, pv_error *error)
{
    pv_hierarchy_level *const level = &tree->levels[0];
    if (!allocate_level(level, tree->n_leaves, tree->n_leaves)) {
        return pv_i_no_memory(error);
    }
    uint32_t leaf = 0;
    for (uint32_t i = 0; i < paths->n_values; i++) {
        const pv_path_value *const value = &paths->values[order[i]];
        if (value->code == PV_NO_CODE) {
            continue;
        }
        level->group_of[leaf] = leaf;
        level->labels[leaf] = value->text;
        level->leaves[leaf] = value->is_root ? tree->domain : 1;
        level->nodes[leaf] = PV_ROOT_NODE;
        level->has_root |= value->is_root;
        at[leaf] = value->parent;
        tree->lowest[leaf] = value->name;
        tree->code_of[leaf] = value->code;
        tree->leaf_of[value->code] = leaf;
        leaf++;
    }
    level->n_groups = leaf;
    return PV_STATUS_OK;
}

/* A level from the nodes of the paths that its leaves are in: neighbours with one node are one
 * group, which has all the leaves of the label. */
static pv_status make_level(pv_hierarchy *tree, const pv_paths *paths, unsigned index,
                            const uint32_t *at, pv_error *error)
{
    pv_hierarchy_level *const level = &tree->levels[index];
    uint32_t n_groups = tree->n_leaves > 0;
    for (uint32_t leaf = 1; leaf < tree->n_leaves; leaf++) {
        n_groups += at[leaf] != at[leaf - 1];
    }
    if (!allocate_level(level, tree->n_leaves, n_groups)) {
        return pv_i_no_memory(error);
    }
    for (uint32_t leaf = 0; leaf < tree->n_leaves; leaf++) {
        if (leaf == 0 || at[leaf] != at[leaf - 1]) {
            const bool is_root = at[leaf] == PV_PATH_ROOT;
            const uint32_t node =
                is_root ? PV_ROOT_NODE : paths->levels[index - 1].nodes[at[leaf]].name;
            level->labels[level->n_groups] = is_root ? PV_ROOT_LABEL : tree->nodes[node].label;
            level->leaves[level->n_groups] = is_root ? tree->domain : tree->nodes[node].leaves;
            level->nodes[level->n_groups] = node;
            level->has_root = is_root;
            level->n_groups++;
        }
        level->group_of[leaf] = level->n_groups - 1;
    }
    return PV_STATUS_OK;
}

/* ---------------------------------------------------------------- nodes and what they cover */

static void make_nodes(pv_hierarchy *tree, const pv_paths *paths, bool count_all)
{
    for (uint32_t node = 0; node < tree->n_nodes; node++) {
        tree->nodes[node] = (pv_hierarchy_node){.label = paths->names.texts[node],
                                                .parent = paths->nodes[node].parent};
    }
    for (uint32_t i = 0; i < paths->n_values; i++) {
        const pv_path_value *const value = &paths->values[i];
        if (value->uncounted || (!count_all && value->code == PV_NO_CODE)) {
            continue;
        }
        for (uint32_t node = value->name; node != PV_ROOT_NODE; node = tree->nodes[node].parent) {
            tree->nodes[node].leaves++;
        }
    }
}

/* The values that count without occurring. */
static pv_status note_absent(pv_hierarchy *tree, const pv_paths *paths, bool count_all,
                             pv_error *error)
{
    const uint32_t n = count_all ? paths->n_values - paths->n_occurring : 0;
    tree->absent = PV_NEW_ARRAY(pv_absent_value, n);
    if (tree->absent == NULL) {
        return pv_i_no_memory(error);
    }
    for (uint32_t i = 0; n > 0 && i < paths->n_values; i++) {
        const pv_path_value *const value = &paths->values[i];
        if (value->code == PV_NO_CODE) {
            tree->absent[tree->n_absent++] =
                (pv_absent_value){.text = value->text, .lowest = value->name};
        }
    }
    return PV_STATUS_OK;
}

/* Depth first, children in the order of their first leaves. Every node that a leaf is the first of
 * is placed before the leaf, from the top down. */
static void order_leaves(pv_hierarchy *tree, const uint32_t *size, uint32_t *met)
{
    uint32_t chain[PV_MAX_HEIGHT];
    uint32_t root_end = 0;
    for (uint32_t leaf = 0; leaf < tree->n_leaves; leaf++) {
        unsigned n = 0;
        uint32_t node = tree->lowest[leaf];
        for (; node != PV_ROOT_NODE && met[node] == 0; node = tree->nodes[node].parent) {
            met[node] = 1;
            chain[n++] = node;
        }
        /* A node that is met for the first time gets its part of the part of its parent, which has
         * been met: `end` is how far that is taken, and `size` how many leaves a node covers. */
        while (n > 0) {
            pv_hierarchy_node *const at = &tree->nodes[chain[--n]];
            uint32_t *const taken =
                at->parent != PV_ROOT_NODE ? &tree->nodes[at->parent].end : &root_end;
            at->first = at->end = *taken;
            *taken += size[chain[n]];
        }
        const uint32_t lowest = tree->lowest[leaf];
        const uint32_t place = lowest != PV_ROOT_NODE ? tree->nodes[lowest].end++ : root_end++;
        tree->depth_first[place] = leaf;
        tree->place_of[leaf] = place;
    }
}

static bool is_level_wise(const pv_hierarchy *tree)
{
    for (unsigned l = 1; l <= tree->height; l++) {
        const pv_hierarchy_level *const level = &tree->levels[l];
        for (uint32_t leaf = 0, first = 0; leaf < tree->n_leaves; leaf++) {
            const uint32_t group = level->group_of[leaf];
            const bool ends = leaf + 1 == tree->n_leaves || level->group_of[leaf + 1] != group;
            const uint32_t node = level->nodes[group];
            if (ends && node != PV_ROOT_NODE &&
                leaf + 1 - first != tree->nodes[node].end - tree->nodes[node].first) {
                return false;
            }
            first = ends ? leaf + 1 : first;
        }
    }
    return true;
}

static pv_status cover_leaves(pv_hierarchy *tree, pv_error *error)
{
    uint32_t *const size = PV_NEW_ZEROED(uint32_t, tree->n_nodes);
    uint32_t *const met = PV_NEW_ZEROED(uint32_t, tree->n_nodes);
    const bool ready = size != NULL && met != NULL;
    for (uint32_t leaf = 0; ready && leaf < tree->n_leaves; leaf++) {
        for (uint32_t node = tree->lowest[leaf]; node != PV_ROOT_NODE;
             node = tree->nodes[node].parent) {
            size[node]++;
        }
    }
    if (ready) {
        order_leaves(tree, size, met);
        tree->is_level_wise = is_level_wise(tree);
    }
    pv_i_free(size);
    pv_i_free(met);
    return ready ? PV_STATUS_OK : pv_i_no_memory(error);
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
    made->n_nodes = paths->names.n;
    made->levels = PV_NEW_ZEROED(pv_hierarchy_level, made->height + 1);
    made->leaf_of = PV_NEW_ARRAY(uint32_t, made->n_leaves);
    made->code_of = PV_NEW_ARRAY(uint32_t, made->n_leaves);
    made->nodes = PV_NEW_ARRAY(pv_hierarchy_node, made->n_nodes);
    made->lowest = PV_NEW_ARRAY(uint32_t, made->n_leaves);
    made->depth_first = PV_NEW_ARRAY(uint32_t, made->n_leaves);
    made->place_of = PV_NEW_ARRAY(uint32_t, made->n_leaves);
    if (made->levels == NULL || made->leaf_of == NULL || made->code_of == NULL ||
        made->nodes == NULL || made->lowest == NULL || made->depth_first == NULL ||
        made->place_of == NULL) {
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
    uint32_t *order = NULL;
    uint32_t *at = NULL;
    pv_status status = PV_STATUS_OK;
    PV_TRY_CLEAN(allocate_tree(paths, count_all, &tree, error));
    order = PV_NEW_ARRAY(uint32_t, paths->n_values);
    at = PV_NEW_ARRAY(uint32_t, tree->n_leaves);
    if (order == NULL || at == NULL) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    PV_TRY_CLEAN(order_values(paths, order, error));
    make_nodes(tree, paths, count_all);
    PV_TRY_CLEAN(note_absent(tree, paths, count_all, error));
    PV_TRY_CLEAN(make_leaves(tree, paths, order, at, error));
    for (unsigned level = 1; level <= tree->height; level++) {
        PV_TRY_CLEAN(make_level(tree, paths, level, at, error));
        for (uint32_t leaf = 0; level < tree->height && leaf < tree->n_leaves; leaf++) {
            if (at[leaf] != PV_PATH_ROOT) { /* one step up: the leaves are in the parents */
                at[leaf] = paths->levels[level - 1].nodes[at[leaf]].parent;
            }
        }
    }
    PV_TRY_CLEAN(cover_leaves(tree, error));
    tree->arena = paths->arena;
    paths->arena = (pv_arena){0};
    *hierarchy = tree;
    tree = NULL;
cleanup:
    pv_hierarchy_free(tree);
    pv_i_free(order);
    pv_i_free(at);
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
        pv_i_free(hierarchy->levels[level].nodes);
    }
    pv_i_free(hierarchy->levels);
    pv_i_free(hierarchy->leaf_of);
    pv_i_free(hierarchy->code_of);
    pv_i_free(hierarchy->nodes);
    pv_i_free(hierarchy->lowest);
    pv_i_free(hierarchy->absent);
    pv_i_free(hierarchy->depth_first);
    pv_i_free(hierarchy->place_of);
    pv_i_arena_deinit(&hierarchy->arena);
    pv_i_free(hierarchy);
}

/* ---------------------------------------------------------------- accessors */

bool pv_hierarchy_is_root(const pv_hierarchy *hierarchy, unsigned level, uint32_t group)
{
    const pv_hierarchy_level *const at = &hierarchy->levels[level];
    return at->has_root && group == at->n_groups - 1;
}

/* clang-format off */
unsigned pv_hierarchy_height(const pv_hierarchy *h) { return h->height; }
uint32_t pv_hierarchy_leaves(const pv_hierarchy *h) { return h->n_leaves; }
uint32_t pv_hierarchy_groups(const pv_hierarchy *h, unsigned level) { return h->levels[level].n_groups; }
uint32_t pv_hierarchy_group(const pv_hierarchy *h, unsigned level, uint32_t leaf) { return h->levels[level].group_of[leaf]; }
const char *pv_hierarchy_label(const pv_hierarchy *h, unsigned level, uint32_t group) { return h->levels[level].labels[group]; }
uint64_t pv_hierarchy_group_leaves(const pv_hierarchy *h, unsigned level, uint32_t group) { return h->levels[level].leaves[group]; }
uint64_t pv_hierarchy_domain(const pv_hierarchy *h) { return h->domain; }
uint32_t pv_hierarchy_leaf(const pv_hierarchy *h, uint32_t code) { return h->leaf_of[code]; }
uint32_t pv_hierarchy_code(const pv_hierarchy *h, uint32_t leaf) { return h->code_of[leaf]; }
/* clang-format on */
