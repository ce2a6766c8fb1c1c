/* Labels of groups. Single values choose first: what is left as it was keeps its name. */
#include "scheme/cut_labels.h"

#include "base/buffer.h"
#include "base/error.h"
#include "base/memory.h"
#include "hierarchy/labels.h"
#include "hierarchy/tree.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST_LIST 60 /* bytes of a label that lists its values */

/* A value of a group. */
typedef struct {
    const char *text;
    uint32_t place; /* in a walk of the plan's hierarchy; PV_NO_CODE = does not occur */
} member;

/* The values of one group, in the order of the tree, those that do not occur last. */
typedef struct {
    member *members; /* room for the largest group */
    size_t n;
} group_members;

typedef struct {
    const pv_cuts_attribute *attribute;
    const pv_hierarchy *tree;
    pv_cut_labels *labels;
    pv_labels leaves; /* the texts of the leaves, a leaf's number being the text's */
    pv_labels taken;  /* labels in use */
    pv_buffer text;   /* the label being thought of */
    group_members group;
} naming;

/* ------------------------------------------------------------------ members */

static int compare_members(const void *left, const void *right)
{
    const member *const a = left;
    const member *const b = right;
    if (a->place != b->place) {
        return a->place < b->place ? -1 : 1;
    }
    return strcmp(a->text, b->text); /* of two that do not occur */
}

static bool is_missing(const naming *n, const char *text)
{
    return n->labels->missing != NULL && strcmp(text, n->labels->missing) == 0;
}

/* The group that says null, else the one that spells the missing value, or SIZE_MAX. */
static size_t group_with_missing(const naming *n)
{
    size_t spelled = SIZE_MAX;
    for (size_t g = 0; g < n->attribute->n_groups; g++) {
        const pv_cuts_group *const group = &n->attribute->groups[g];
        if (group->has_missing) {
            return g;
        }
        for (size_t i = 0; i < group->n_values; i++) {
            spelled = is_missing(n, group->values[i]) ? g : spelled;
        }
    }
    return spelled;
}

/* A missing value alone in a group stays apart, which every hierarchy sees to. */
static size_t find_missing(const naming *n)
{
    const size_t g = group_with_missing(n);
    const pv_cuts_group *const group = g != SIZE_MAX ? &n->attribute->groups[g] : NULL;
    for (size_t i = 0; group != NULL && i < group->n_values; i++) {
        if (!is_missing(n, group->values[i])) {
            return g;
        }
    }
    return SIZE_MAX;
}

static void add_member(naming *n, const char *text, uint32_t place)
{
    n->group.members[n->group.n++] = (member){.text = text, .place = place};
}

static uint32_t place_of(const naming *n, const char *text)
{
    const uint32_t leaf = pv_i_labels_find(&n->leaves, text);
    return leaf != PV_NO_LABEL ? n->tree->place_of[leaf] : PV_NO_CODE;
}

/* In a label the missing value is called so, however it is spelled, and comes last. */
static void gather(naming *n, size_t g)
{
    const pv_cuts_group *const group = &n->attribute->groups[g];
    n->group.n = 0;
    for (size_t i = 0; i < group->n_values; i++) {
        if (!is_missing(n, group->values[i])) {
            add_member(n, group->values[i], place_of(n, group->values[i]));
        }
    }
    if (n->labels->missing_group == g) {
        add_member(n, "missing", PV_NO_CODE);
    }
    qsort(n->group.members, n->group.n, sizeof *n->group.members, compare_members);
}

/* ------------------------------------------------------------------- labels */

/* The lowest group of the taxonomy that has just these values, or NULL. */
static const char *taxonomy_label(const naming *n)
{
    const pv_hierarchy *const h = n->tree;
    const uint32_t first = n->group.members[0].place;
    const uint32_t last = n->group.members[n->group.n - 1].place;
    if (last == PV_NO_CODE || last - first + 1 != n->group.n) {
        return NULL;
    }
    uint32_t node = h->lowest[h->depth_first[first]];
    while (node != PV_ROOT_NODE && h->nodes[node].end <= last) {
        node = h->nodes[node].parent;
    }
    const bool is_whole =
        node != PV_ROOT_NODE && h->nodes[node].first == first && h->nodes[node].end == last + 1;
    return is_whole ? h->nodes[node].label : NULL;
}

/* {Divorced, Separated}, or {Divorced, ... 5 more} where that gets too long. */
static void list_members(naming *n)
{
    pv_i_buffer_clear(&n->text);
    for (size_t i = 0; i < n->group.n && n->text.size <= LONGEST_LIST; i++) {
        pv_i_buffer_format(&n->text, "%s%s", i == 0 ? "{" : ", ", n->group.members[i].text);
    }
    if (n->text.size >= LONGEST_LIST && n->group.n > 1) {
        pv_i_buffer_clear(&n->text);
        pv_i_buffer_format(&n->text, "{%s, ... %zu more", n->group.members[0].text, n->group.n - 1);
    }
    pv_i_buffer_char(&n->text, '}');
}

/* False if another group has the label. */
static pv_status claim(naming *n, size_t g, const char *label, bool *claimed, pv_error *error)
{
    uint32_t number = 0;
    *claimed = pv_i_labels_find(&n->taken, label) == PV_NO_LABEL;
    if (*claimed) {
        PV_TRY(pv_i_labels_add(&n->taken, &n->labels->arena, label, &number, error));
        n->labels->texts[g] = n->taken.texts[number];
    }
    return PV_STATUS_OK;
}

/* A list whose label is taken is numbered. */
static pv_status claim_list(naming *n, size_t g, pv_error *error)
{
    bool claimed = false;
    for (unsigned i = 1; !claimed; i++) {
        list_members(n);
        if (i > 1) {
            pv_i_buffer_format(&n->text, " (%u)", i);
        }
        if (n->text.failed) {
            return pv_i_no_memory(error);
        }
        PV_TRY(claim(n, g, n->text.data, &claimed, error));
    }
    return PV_STATUS_OK;
}

static pv_status name_group(naming *n, size_t g, pv_error *error)
{
    bool claimed = false;
    const char *const label = n->group.n == 1 ? n->group.members[0].text : taxonomy_label(n);
    if (label != NULL && label[0] != '\0') {
        PV_TRY(claim(n, g, label, &claimed, error));
    }
    return claimed ? PV_STATUS_OK : claim_list(n, g, error);
}

/* The groups of one value, or the others. */
static pv_status name_groups(naming *n, bool single, pv_error *error)
{
    for (size_t g = 0; g < n->attribute->n_groups; g++) {
        gather(n, g);
        if (n->group.n > 0 && (n->group.n == 1) == single) {
            PV_TRY(name_group(n, g, error));
        }
    }
    return PV_STATUS_OK;
}

/* -------------------------------------------------------------------- all */

static size_t largest_group(const pv_cuts_attribute *attribute)
{
    size_t largest = 0;
    for (size_t g = 0; g < attribute->n_groups; g++) {
        const size_t n = attribute->groups[g].n_values + 1;
        largest = n > largest ? n : largest;
    }
    return largest;
}

/* No group may be called as the top is, nor as a missing value that stays apart. */
static pv_status reserve_labels(naming *n, pv_error *error)
{
    uint32_t number = 0;
    PV_TRY(pv_i_labels_add(&n->taken, &n->labels->arena, PV_ROOT_LABEL, &number, error));
    return n->labels->missing != NULL
               ? pv_i_labels_add(&n->taken, &n->labels->arena, n->labels->missing, &number, error)
               : PV_STATUS_OK;
}

static pv_status prepare(naming *n, pv_error *error)
{
    uint32_t number = 0;
    n->labels->texts = PV_NEW_ZEROED(const char *, n->attribute->n_groups);
    n->group.members = PV_NEW_ARRAY(member, largest_group(n->attribute));
    if (n->labels->texts == NULL || n->group.members == NULL) {
        return pv_i_no_memory(error);
    }
    for (uint32_t leaf = 0; leaf < pv_hierarchy_leaves(n->tree); leaf++) {
        PV_TRY(pv_i_labels_add(&n->leaves, &n->labels->arena, pv_hierarchy_label(n->tree, 0, leaf),
                               &number, error));
    }
    n->labels->missing_group = find_missing(n);
    return reserve_labels(n, error);
}

pv_status pv_i_cut_labels_init(pv_cut_labels *labels, const pv_cuts_attribute *attribute,
                               const pv_study *study, size_t quasi, pv_error *error)
{
    const pv_table *const table = pv_study_table(study);
    const size_t column = pv_study_quasi_column(study, quasi);
    const uint32_t missing = pv_table_missing(table, column);
    naming n = {.attribute = attribute, .tree = pv_study_hierarchy(study, quasi), .labels = labels};
    pv_status status = PV_STATUS_OK;
    labels->missing = missing != PV_NO_CODE ? pv_table_value(table, column, missing) : NULL;
    PV_TRY_CLEAN(prepare(&n, error));
    PV_TRY_CLEAN(name_groups(&n, true, error));
    PV_TRY_CLEAN(name_groups(&n, false, error));
cleanup:
    pv_i_labels_deinit(&n.leaves);
    pv_i_labels_deinit(&n.taken);
    pv_i_buffer_deinit(&n.text);
    pv_i_free(n.group.members);
    return status;
}

void pv_i_cut_labels_deinit(pv_cut_labels *labels)
{
    pv_i_free(labels->texts);
    pv_i_arena_deinit(&labels->arena);
    *labels = (pv_cut_labels){0};
}
