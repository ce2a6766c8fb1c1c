/* A cut scheme as a plan: for every quasi-identifier a hierarchy whose one level between the values
 * and `*` are its groups, and the level that releases them. Whatever comes after (release, compare,
 * certificate) then needs to know nothing of cuts.
 *
 *     breaks [25, 40]              ->  <25 | 25-39 | >=40          level 1
 *     groups [[a, b], [c]]         ->  {a, b} | c                  level 1
 *     "*"                          ->  the top of its hierarchy
 *     "raw"                        ->  the plan's own hierarchy    level 0
 *
 * A group of categories is labelled by its only value, by the taxonomy where it is one of its
 * groups, else by a list of its values. No two have the same label; single values choose first, so
 * that what is left as it was keeps its name. */
#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/memory.h"
#include "hierarchy/hierarchy_spec.h"
#include "hierarchy/labels.h"
#include "hierarchy/numbers.h"
#include "hierarchy/tree.h"
#include "plan/plan.h"
#include "plan/spelling.h"
#include "plan/study.h"
#include "scheme/cuts.h"
#include "table/value.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST_LIST 60 /* bytes of a label that lists its values */

/* A value of a group. */
typedef struct {
    const char *text;
    uint32_t place; /* in the order of the plan's hierarchy; PV_NO_CODE = does not occur */
} member;

typedef struct {
    const char **texts;   /* by group */
    const char *missing;  /* how the data spells the missing value; NULL = it does not occur */
    size_t missing_group; /* it belongs to; SIZE_MAX = it stays apart */
    pv_arena arena;
} cut_labels;

/* Labels in the making. */
typedef struct {
    const pv_cuts_attribute *attribute;
    const pv_hierarchy *tree;
    cut_labels *labels;
    pv_labels leaves; /* the texts of the leaves, a leaf's number being the text's */
    pv_labels taken;  /* labels in use */
    pv_buffer text;   /* the label at hand */
    /* The values of the group at hand, in the order of the tree, those that do not occur last. */
    member *members;
    size_t n_members;
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

/* The group that says null, else the last one that spells the missing value, or SIZE_MAX. A missing
 * value alone in a group stays apart, too, which every hierarchy sees to. */
static size_t find_missing(const naming *n)
{
    size_t found = SIZE_MAX;
    for (size_t g = 0; g < n->attribute->n_groups; g++) {
        const pv_cuts_group *const group = &n->attribute->groups[g];
        for (size_t i = 0; i < group->n_values; i++) {
            found = is_missing(n, group->values[i]) ? g : found;
        }
        if (group->has_missing) {
            found = g;
            break;
        }
    }
    const pv_cuts_group *const group = found != SIZE_MAX ? &n->attribute->groups[found] : NULL;
    for (size_t i = 0; group != NULL && i < group->n_values; i++) {
        if (!is_missing(n, group->values[i])) {
            return found;
        }
    }
    return SIZE_MAX;
}

/* In a label the missing value is called so, however it is spelled, and comes last. */
static void gather(naming *n, size_t g)
{
    const pv_cuts_group *const group = &n->attribute->groups[g];
    n->n_members = 0;
    for (size_t i = 0; i < group->n_values; i++) {
        if (!is_missing(n, group->values[i])) {
            const uint32_t leaf = pv_i_labels_find(&n->leaves, group->values[i]);
            n->members[n->n_members++] =
                (member){.text = group->values[i],
                         .place = leaf != PV_NO_LABEL ? n->tree->place_of[leaf] : PV_NO_CODE};
        }
    }
    if (n->labels->missing_group == g) {
        n->members[n->n_members++] = (member){.text = "missing", .place = PV_NO_CODE};
    }
    qsort(n->members, n->n_members, sizeof *n->members, compare_members);
}

/* ------------------------------------------------------------------- labels */

/* The lowest group of the taxonomy that has just these values, or NULL. */
static const char *taxonomy_label(const naming *n)
{
    const pv_hierarchy *const h = n->tree;
    const uint32_t first = n->members[0].place;
    const uint32_t last = n->members[n->n_members - 1].place;
    if (last == PV_NO_CODE || last - first + 1 != n->n_members) {
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

/* By its only value or by the taxonomy; else {Divorced, Separated}, or {Divorced, ... 5 more} where
 * that gets too long. A list whose label is taken is numbered. */
static pv_status name_group(naming *n, size_t g, pv_error *error)
{
    bool claimed = false;
    const char *const label = n->n_members == 1 ? n->members[0].text : taxonomy_label(n);
    if (label != NULL && label[0] != '\0') {
        PV_TRY(claim(n, g, label, &claimed, error));
    }
    for (unsigned number = 1; !claimed; number++) {
        pv_i_buffer_clear(&n->text);
        for (size_t i = 0; i < n->n_members && n->text.size <= LONGEST_LIST; i++) {
            pv_i_buffer_format(&n->text, "%s%s", i == 0 ? "{" : ", ", n->members[i].text);
        }
        if (n->text.size >= LONGEST_LIST && n->n_members > 1) {
            pv_i_buffer_clear(&n->text);
            pv_i_buffer_format(&n->text, "{%s, ... %zu more", n->members[0].text, n->n_members - 1);
        }
        pv_i_buffer_char(&n->text, '}');
        if (number > 1) {
            pv_i_buffer_format(&n->text, " (%u)", number);
        }
        if (n->text.failed) {
            return pv_i_no_memory(error);
        }
        PV_TRY(claim(n, g, n->text.data, &claimed, error));
    }
    return PV_STATUS_OK;
}

/* The groups of one value, or the others. */
static pv_status name_groups(naming *n, bool single, pv_error *error)
{
    for (size_t g = 0; g < n->attribute->n_groups; g++) {
        gather(n, g);
        if (n->n_members > 0 && (n->n_members == 1) == single) {
            PV_TRY(name_group(n, g, error));
        }
    }
    return PV_STATUS_OK;
}

/* No group may be called as the top is, nor as a missing value that stays apart. */
static pv_status prepare(naming *n, pv_error *error)
{
    uint32_t number = 0;
    size_t largest = 0;
    for (size_t g = 0; g < n->attribute->n_groups; g++) {
        const size_t size = n->attribute->groups[g].n_values + 1;
        largest = size > largest ? size : largest;
    }
    n->labels->texts = PV_NEW_ZEROED(const char *, n->attribute->n_groups);
    n->members = PV_NEW_ARRAY(member, largest);
    if (n->labels->texts == NULL || n->members == NULL) {
        return pv_i_no_memory(error);
    }
    for (uint32_t leaf = 0; leaf < pv_hierarchy_leaves(n->tree); leaf++) {
        PV_TRY(pv_i_labels_add(&n->leaves, &n->labels->arena, pv_hierarchy_label(n->tree, 0, leaf),
                               &number, error));
    }
    n->labels->missing_group = find_missing(n);
    PV_TRY(pv_i_labels_add(&n->taken, &n->labels->arena, PV_ROOT_LABEL, &number, error));
    return n->labels->missing != NULL
               ? pv_i_labels_add(&n->taken, &n->labels->arena, n->labels->missing, &number, error)
               : PV_STATUS_OK;
}

/* Zero-initialise first; deinitialise even after a failure. PV_CUTS_GROUPS only. */
static pv_status labels_init(cut_labels *labels, const pv_cuts_attribute *attribute,
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
    pv_i_free(n.members);
    return status;
}

/* ------------------------------------------------------------------- groups */

/* Every value must have a group. The missing value has no row: where it belongs is said apart. */
static pv_status make_groups(const pv_cuts *cuts, const pv_cuts_attribute *attribute,
                             const pv_study *study, size_t quasi, pv_hierarchy_spec *spec,
                             pv_error *error)
{
    cut_labels labels = {0};
    size_t capacity = 0;
    pv_status status = PV_STATUS_OK;
    const uint32_t n_leaves = pv_hierarchy_leaves(pv_study_hierarchy(study, quasi));
    uint32_t *const group_of = PV_NEW_ARRAY(uint32_t, n_leaves);
    if (group_of == NULL) {
        return pv_i_no_memory(error);
    }
    spec->kind = PV_HIERARCHY_ROWS;
    PV_TRY_CLEAN(pv_i_cuts_place(cuts, attribute, study, quasi, group_of, error));
    PV_TRY_CLEAN(labels_init(&labels, attribute, study, quasi, error));
    for (size_t g = 0; g < attribute->n_groups; g++) {
        const pv_cuts_group *const group = &attribute->groups[g];
        for (size_t i = 0; i < group->n_values; i++) {
            const char *const cells[] = {group->values[i], labels.texts[g]};
            if (labels.missing == NULL || strcmp(cells[0], labels.missing) != 0) {
                PV_TRY_CLEAN(pv_i_hierarchy_spec_add_row(spec, &capacity, cells, 2, 0, error));
            }
        }
    }
    if (labels.missing_group != SIZE_MAX) {
        spec->missing_group = pv_i_strdup(labels.texts[labels.missing_group]);
        status = spec->missing_group != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
    }
cleanup:
    pv_i_free(group_of);
    pv_i_free(labels.texts);
    pv_i_arena_deinit(&labels.arena);
    return status;
}

/* --------------------------------------------------------------- attributes */

static bool has_only_numbers(const pv_table *table, size_t column)
{
    const pv_type type = pv_table_type(table, column);
    for (uint32_t code = 0; code < pv_table_values(table, column); code++) {
        const char *const text = pv_table_value(table, column, code);
        pv_decimal unused;
        if (code != pv_table_missing(table, column) &&
            !pv_i_number_parse(text, strlen(text), pv_table_format(table, column), &unused)) {
            return false;
        }
    }
    return type == PV_TYPE_INTEGER || type == PV_TYPE_DECIMAL;
}

/* Merged numbers are counted as in all cut schemes, as breaks of which there are none, so that what
 * is lost is the same; other merged values are the value, then `*`. */
static pv_status make_spec(const pv_cuts *cuts, const pv_cuts_attribute *attribute,
                           const pv_study *study, size_t quasi, pv_hierarchy_spec *spec,
                           pv_error *error)
{
    if (attribute->kind == PV_CUTS_GROUPS) {
        return make_groups(cuts, attribute, study, quasi, spec, error);
    }
    if (attribute->kind == PV_CUTS_TOP &&
        !has_only_numbers(pv_study_table(study), pv_study_quasi_column(study, quasi))) {
        return PV_STATUS_OK;
    }
    spec->kind = PV_HIERARCHY_BREAKS;
    spec->granularity = pv_study_quasi_attribute(study, quasi)->granularity;
    if (attribute->kind == PV_CUTS_TOP) {
        return PV_STATUS_OK;
    }
    spec->breaks = PV_NEW_ARRAY(pv_decimal, attribute->n_breaks);
    if (spec->breaks == NULL) {
        return pv_i_no_memory(error);
    }
    if (attribute->n_breaks > 0) {
        memcpy(spec->breaks, attribute->breaks, attribute->n_breaks * sizeof *spec->breaks);
    }
    spec->n_breaks = attribute->n_breaks;
    spec->missing_last = attribute->missing_last;
    return pv_i_place_error(pv_i_hierarchy_spec_check(spec, error), cuts->path, attribute->line,
                            attribute->column, error);
}

static pv_status cut_attribute(const pv_cuts *cuts, const pv_study *study, size_t quasi,
                               pv_plan_attribute *target, pv_error *error)
{
    const pv_cuts_attribute *attribute = NULL;
    pv_hierarchy_spec spec = {0};
    PV_TRY(pv_i_cuts_find(cuts, target->name, &attribute, error));
    target->level = 0;
    target->max_level = -1; /* levels of the hierarchy that is made here are no longer the plan's */
    if (attribute->kind == PV_CUTS_RAW) {
        target->hierarchy.count_all_leaves = false; /* the values that occur, as everywhere */
        return PV_STATUS_OK;
    }
    const pv_status status = make_spec(cuts, attribute, study, quasi, &spec, error);
    if (status != PV_STATUS_OK) {
        pv_hierarchy_spec_free(&spec);
        return status;
    }
    pv_hierarchy_spec_free(&target->hierarchy);
    target->hierarchy = spec;
    target->has_hierarchy = true;
    target->level = attribute->kind == PV_CUTS_TOP && spec.kind == PV_HIERARCHY_BREAKS ? 2 : 1;
    return PV_STATUS_OK;
}

static pv_plan_attribute *find_attribute(const pv_plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->n_attributes; i++) {
        if (strcmp(plan->attributes[i].name, name) == 0) {
            return &plan->attributes[i];
        }
    }
    return NULL;
}

/* Cuts of something else are a mistake that would otherwise go unseen. */
static pv_status check_names(const pv_cuts *cuts, const pv_plan *plan, pv_error *error)
{
    for (size_t i = 0; i < cuts->n_attributes; i++) {
        const pv_cuts_attribute *const attribute = &cuts->attributes[i];
        const pv_plan_attribute *const named = find_attribute(plan, attribute->name);
        pv_suggestion suggestion = {.word = attribute->name};
        if (named != NULL && named->role == PV_ROLE_QUASI) {
            continue;
        }
        for (size_t j = 0; j < plan->n_attributes; j++) {
            if (plan->attributes[j].role == PV_ROLE_QUASI) {
                pv_i_suggest(&suggestion, plan->attributes[j].name);
            }
        }
        const pv_status status = pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(cuts->path, attribute),
                                              "`%s` is no quasi-identifier of the plan",
                                              pv_i_shown(attribute->name).text);
        return suggestion.best != NULL
                   ? pv_i_hint(status, error, "did you mean `%s`?", suggestion.best)
                   : pv_i_hint(status, error, "remove its cuts");
    }
    return PV_STATUS_OK;
}

pv_status pv_plan_with_cuts(const pv_study *study, const pv_cuts *cuts, pv_plan **cut_plan,
                            pv_error *error)
{
    pv_plan *made = NULL;
    pv_status status = PV_STATUS_OK;
    PV_TRY(check_names(cuts, pv_study_plan(study), error));
    PV_TRY(pv_i_plan_copy(pv_study_plan(study), &made, error));
    for (size_t i = 0; i < pv_study_quasis(study); i++) {
        pv_plan_attribute *const target = find_attribute(made, pv_study_quasi_name(study, i));
        PV_TRY_CLEAN(cut_attribute(cuts, study, i, target, error));
    }
    *cut_plan = made;
    return PV_STATUS_OK;
cleanup:
    pv_plan_free(made);
    return status;
}

pv_status pv_study_cut(const pv_study *study, const pv_cuts *cuts, pv_study **cut, pv_error *error)
{
    pv_plan *plan = NULL;
    pv_study *made = NULL;
    PV_TRY(pv_plan_with_cuts(study, cuts, &plan, error));
    const pv_status status = pv_study_rebind(study, plan, &made, error);
    if (status != PV_STATUS_OK) {
        pv_plan_free(plan);
        return status;
    }
    pv_i_study_own_plan(made, plan);
    *cut = made;
    return PV_STATUS_OK;
}

bool pv_cuts_lose_as_levels(const pv_study *study)
{
    for (size_t q = 0; q < pv_study_quasis(study); q++) {
        const pv_hierarchy *const h = pv_study_hierarchy(study, q);
        if (pv_i_ticks(pv_study_quasi_attribute(study, q)->granularity) > 0 ||
            pv_hierarchy_domain(h) != pv_hierarchy_leaves(h)) {
            return false;
        }
    }
    return true;
}
