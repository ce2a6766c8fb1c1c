/* Classes of a table in which every tuple has levels of its own.
 *
 * Only what is released matters: two people with the same labels are alike, whichever levels the
 * labels are from. So the groups of all levels of a hierarchy are numbered by their labels, and a
 * tuple's key is the numbers of its labels, two to a word. */
#include "classes/grouping.h"

#include "base/error.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* The groups of a hierarchy, all levels together, by label. */
typedef struct {
    const pv_hierarchy *hierarchy;
    size_t *first; /* per level: where its groups begin in `number` */
    uint32_t *number;
    uint32_t root; /* of `*` */
} labels;

typedef struct {
    const char *text;
    size_t place;
} label;

static int compare_labels(const void *left, const void *right)
{
    return strcmp(((const label *)left)->text, ((const label *)right)->text);
}

static void labels_deinit(labels *l)
{
    pv_i_free(l->first);
    pv_i_free(l->number);
}

static size_t count_groups(labels *l)
{
    size_t n = 0;
    for (unsigned level = 0; level <= pv_hierarchy_height(l->hierarchy); level++) {
        l->first[level] = n;
        n += pv_hierarchy_groups(l->hierarchy, level);
    }
    return n;
}

static void number_labels(labels *l, label *sorted, size_t n)
{
    uint32_t number = 0;
    for (unsigned level = 0; level <= pv_hierarchy_height(l->hierarchy); level++) {
        for (uint32_t g = 0; g < pv_hierarchy_groups(l->hierarchy, level); g++) {
            const size_t place = l->first[level] + g;
            sorted[place] =
                (label){.text = pv_hierarchy_label(l->hierarchy, level, g), .place = place};
        }
    }
    qsort(sorted, n, sizeof *sorted, compare_labels);
    for (size_t i = 0; i < n; i++) {
        number += i > 0 && strcmp(sorted[i - 1].text, sorted[i].text) != 0;
        l->number[sorted[i].place] = number;
        if (strcmp(sorted[i].text, PV_ROOT_LABEL) == 0) {
            l->root = number;
        }
    }
}

static bool labels_init(labels *l, const pv_hierarchy *hierarchy)
{
    *l = (labels){.hierarchy = hierarchy,
                  .first = PV_NEW_ARRAY(size_t, pv_hierarchy_height(hierarchy) + 1)};
    const size_t n = l->first != NULL ? count_groups(l) : 0;
    label *const sorted = PV_NEW_ARRAY(label, n);
    l->number = PV_NEW_ARRAY(uint32_t, n);
    const bool ready = l->first != NULL && sorted != NULL && l->number != NULL;
    if (ready) {
        number_labels(l, sorted, n);
    }
    pv_i_free(sorted);
    return ready;
}

static uint32_t label_number(const labels *l, unsigned level, uint32_t leaf)
{
    return l->number[l->first[level] + pv_hierarchy_group(l->hierarchy, level, leaf)];
}

/* ---------------------------------------------------------------- grouping */

/* Fills in the key of a tuple; returns whether it is `*` everywhere. */
static bool fill_key(const pv_classes *classes, const labels *all, size_t n, size_t tuple,
                     uint64_t *key)
{
    bool starred = true;
    for (size_t q = 0; q < n; q++) {
        const uint32_t leaf = pv_profile_leaf(classes->profile, tuple, q);
        const uint32_t number = label_number(&all[q], classes->records[tuple * n + q], leaf);
        key[q / 2] = q % 2 == 0 ? number : key[q / 2] | (uint64_t)number << 32;
        starred = starred && number == all[q].root;
    }
    return starred;
}

static bool number_classes(pv_grouping *g, const labels *all, size_t n)
{
    pv_classes *const classes = g->classes;
    const unsigned words = (unsigned)(n + 1) / 2;
    uint64_t *const key = PV_NEW_ARRAY(uint64_t, words);
    classes->class_of = g->class_of = PV_NEW_ARRAY(uint32_t, classes->profile->n_tuples);
    bool ready = key != NULL && g->class_of != NULL && pv_i_keymap_init(&g->map, words, 0);
    for (size_t t = 0; ready && t < classes->profile->n_tuples; t++) {
        const bool starred = fill_key(classes, all, n, t, key);
        g->class_of[t] = pv_i_keymap_add(&g->map, key);
        ready = g->class_of[t] != PV_KEYMAP_FULL;
        classes->starred = ready && starred ? g->class_of[t] + 1 : classes->starred;
    }
    classes->n_classes = g->map.n;
    pv_i_free(key);
    return ready;
}

static bool group_by_labels(pv_grouping *g)
{
    const pv_study *const study = g->classes->profile->study;
    const size_t n = pv_study_quasis(study);
    labels *const all = PV_NEW_ZEROED(labels, n);
    bool ready = all != NULL;
    for (size_t q = 0; ready && q < n; q++) {
        ready = labels_init(&all[q], pv_study_hierarchy(study, q));
    }
    ready = ready && number_classes(g, all, n);
    for (size_t q = 0; all != NULL && q < n; q++) {
        labels_deinit(&all[q]);
    }
    pv_i_free(all);
    return ready;
}

/* If everyone is `*`, nobody is suppressed. */
static bool sum_up(pv_classes *classes)
{
    classes->starred = classes->n_classes > 1 ? classes->starred : 0;
    classes->n_lost = classes->starred > 0;
    classes->n_remaining = classes->n_classes - classes->n_lost;
    classes->feasible = true;
    classes->k = UINT64_MAX;
    pv_lost_class *const lost = PV_NEW_ARRAY(pv_lost_class, classes->n_lost);
    classes->lost = lost;
    if (lost == NULL) {
        return false;
    }
    for (size_t c = 0; c < classes->n_classes; c++) {
        const uint64_t size = classes->size[c];
        classes->squares += (pv_wide)size * size;
        if (pv_i_is_suppressed(classes, c)) {
            lost[0] = (pv_lost_class){.number = (uint32_t)c, .size = size};
            classes->n_suppressed = size;
        } else {
            classes->k = size < classes->k ? size : classes->k;
            classes->largest = size > classes->largest ? size : classes->largest;
        }
    }
    return true;
}

static pv_status copy_levels(pv_classes *classes, const uint8_t *levels, pv_error *error)
{
    const pv_study *const study = classes->profile->study;
    const size_t n = pv_study_quasis(study);
    const size_t n_levels = n * classes->profile->n_tuples;
    for (size_t i = 0; i < n_levels; i++) {
        if (levels[i] > pv_hierarchy_height(pv_study_hierarchy(study, i % n))) {
            return pv_i_fail(error, PV_STATUS_ARGUMENT, "a level of '%s' is out of range",
                             pv_study_quasi_name(study, i % n));
        }
    }
    uint8_t *const copy = PV_NEW_ARRAY(uint8_t, n_levels);
    if (copy == NULL) {
        return pv_i_no_memory(error);
    }
    memcpy(copy, levels, n_levels);
    classes->records = copy;
    return PV_STATUS_OK;
}

pv_status pv_classes_create_records(const pv_profile *profile, const uint8_t *levels,
                                    pv_classes **classes, pv_error *error)
{
    pv_classes *const c = PV_NEW(pv_classes);
    if (c == NULL) {
        return pv_i_no_memory(error);
    }
    pv_grouping g = {.classes = c};
    c->profile = profile;
    pv_status status = copy_levels(c, levels, error);
    if (status == PV_STATUS_OK &&
        (!group_by_labels(&g) || !pv_i_collect_members(&g) || !sum_up(c))) {
        status = pv_i_no_memory(error);
    }
    pv_i_keymap_deinit(&g.map);
    if (status == PV_STATUS_OK) {
        *classes = c;
    } else {
        pv_classes_free(c);
    }
    return status;
}
