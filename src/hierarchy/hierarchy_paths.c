/* Paths, kept as the tree they form: a path is walked from its topmost label down, and at each
 * level the node with that label is found or made under the node above. */
#include "hierarchy/hierarchy_paths.h"

#include "base/error.h"
#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

pv_status pv_i_paths_create(pv_paths **paths, pv_error *error)
{
    pv_paths *const created = PV_NEW(pv_paths);
    if (created == NULL) {
        return pv_i_no_memory(error);
    }
    *paths = created;
    return PV_STATUS_OK;
}

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

/* Is this where the value added last stands? */
static bool is_last_parent(const pv_paths *paths, uint32_t parent)
{
    return paths->n_values > 0 && paths->values[paths->n_values - 1].parent == parent;
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
    const pv_path_value value = {.text = path->value,
                                 .code = path->code,
                                 .parent = parent,
                                 .place = path->place,
                                 .is_guest = path->is_guest,
                                 .uncounted = path->repeats && is_last_parent(paths, parent)};
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

/* Parents have their names already. A label repeated from level to level stands still. */
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
