/* Grouping the profile's tuples under a scheme, and suppression (docs/model.md, section 2).
 *
 * Every tuple's key is recoded through per-attribute tables and looked up: equal keys, equal class.
 * Classes are numbered in the order of their first tuple. */
#include "classes/grouping.h"

#include "base/error.h"
#include "base/memory.h"
#include "classes/sort.h"

#include <string.h>

static void recode_key(const pv_packing *packing, const pv_recoding *recoding, const uint64_t *from,
                       uint64_t *to)
{
    memset(to, 0, packing->words * sizeof *to);
    for (size_t i = 0; i < packing->n_fields; i++) {
        to[packing->fields[i].word] |= recoding->tables[i][pv_i_unpack(packing, from, i)];
    }
}

static bool number_classes(pv_grouping *g, const pv_recoding *recoding, uint64_t *key)
{
    const pv_profile *const profile = g->classes->profile;
    const unsigned words = profile->packing.words;
    for (size_t t = 0; t < profile->n_tuples; t++) {
        recode_key(&profile->packing, recoding, profile->keys + t * words, key);
        g->class_of[t] = pv_i_keymap_add(&g->map, key);
        if (g->class_of[t] == PV_KEYMAP_FULL) {
            return false;
        }
    }
    return true;
}

/* Do the levels keep all values apart? Then every tuple is a class. */
static bool keeps_apart(const pv_study *study, const uint8_t *levels)
{
    size_t q = 0;
    while (q < pv_study_quasis(study) &&
           pv_hierarchy_groups(pv_study_hierarchy(study, q), levels[q]) ==
               pv_hierarchy_leaves(pv_study_hierarchy(study, q))) {
        q++;
    }
    return q == pv_study_quasis(study);
}

static bool take_tuples(pv_grouping *g)
{
    const size_t n = g->classes->profile->n_tuples;
    g->class_of = PV_NEW_ARRAY(uint32_t, n);
    g->classes->class_of = g->class_of;
    g->classes->n_classes = n;
    for (size_t t = 0; g->class_of != NULL && t < n; t++) {
        g->class_of[t] = (uint32_t)t;
    }
    return g->class_of != NULL;
}

static bool group_tuples(pv_grouping *g, const pv_recoding *recoding)
{
    const unsigned words = g->classes->profile->packing.words;
    uint64_t *const key = PV_NEW_ARRAY(uint64_t, words);
    g->class_of = PV_NEW_ARRAY(uint32_t, g->classes->profile->n_tuples);
    g->classes->class_of = g->class_of;
    const bool ready = key != NULL && g->class_of != NULL && pv_i_keymap_init(&g->map, words, 0) &&
                       number_classes(g, recoding, key);
    g->classes->n_classes = g->map.n;
    pv_i_free(key);
    return ready;
}

bool pv_i_collect_members(pv_grouping *g)
{
    pv_classes *const classes = g->classes;
    const pv_profile *const profile = classes->profile;
    classes->size = g->size = PV_NEW_ZEROED(uint64_t, classes->n_classes);
    classes->member_start = g->member_start = PV_NEW_ZEROED(uint32_t, classes->n_classes + 2);
    classes->member = g->member = PV_NEW_ARRAY(uint32_t, profile->n_tuples);
    if (g->size == NULL || g->member_start == NULL || g->member == NULL) {
        return false;
    }
    /* Counted two places up, so that filling leaves every start in its place. */
    uint32_t *const next = g->member_start + 1;
    for (size_t t = 0; t < profile->n_tuples; t++) {
        g->size[g->class_of[t]] += profile->count[t];
        g->member_start[g->class_of[t] + 2]++;
    }
    for (size_t c = 0; c < classes->n_classes; c++) {
        next[c + 1] += next[c];
    }
    for (size_t t = 0; t < profile->n_tuples; t++) {
        g->member[next[g->class_of[t]]++] = (uint32_t)t;
    }
    return true;
}

/* Suppress as many of the smallest sizes as the budget allows, whole sizes only. */
static void spend_budget(pv_classes *classes, const uint64_t *sorted, uint64_t budget)
{
    size_t i = 0;
    while (i < classes->n_classes) {
        size_t end = i;
        uint64_t rows = 0;
        for (; end < classes->n_classes && sorted[end] == sorted[i]; end++) {
            rows += sorted[end];
        }
        if (rows > budget - classes->n_suppressed) {
            break;
        }
        classes->n_suppressed += rows;
        i = end;
    }
    classes->n_remaining = classes->n_classes - i;
    classes->smallest_kept = sorted[i];
}

/* Suppress the classes smaller than k if the budget allows, otherwise nothing. */
static void reach_target(pv_classes *classes, const uint64_t *sorted, uint64_t budget, uint64_t k)
{
    size_t i = 0;
    uint64_t rows = 0;
    while (i < classes->n_classes && sorted[i] < k) {
        rows += sorted[i++];
    }
    classes->feasible = rows <= budget;
    if (!classes->feasible) {
        i = 0;
        rows = 0;
    }
    classes->n_suppressed = rows;
    classes->n_remaining = classes->n_classes - i;
    classes->smallest_kept = sorted[i];
}

static bool choose_suppressed(pv_classes *classes, const pv_suppression *rule)
{
    const uint64_t n_rows = classes->profile->n_rows;
    uint64_t *const sorted = PV_NEW_ARRAY(uint64_t, classes->n_classes);
    if (sorted == NULL) {
        return false;
    }
    memcpy(sorted, classes->size, classes->n_classes * sizeof *sorted);
    if (!pv_i_sort_u64(sorted, classes->n_classes)) {
        pv_i_free(sorted);
        return false;
    }
    /* Some class always remains. */
    const uint64_t budget = rule->budget < n_rows ? rule->budget : n_rows - 1;
    classes->feasible = true;
    if (rule->target_k > 0) {
        reach_target(classes, sorted, budget, rule->target_k);
    } else {
        spend_budget(classes, sorted, budget);
    }
    classes->k = classes->smallest_kept;
    classes->largest = sorted[classes->n_classes - 1];
    pv_i_free(sorted);
    return true;
}

static bool list_lost(pv_grouping *g, const pv_recoding *recoding)
{
    pv_classes *const classes = g->classes;
    const pv_profile *const profile = classes->profile;
    const unsigned words = profile->packing.words;
    const size_t n = classes->n_classes - classes->n_remaining;
    pv_lost_class *const lost = PV_NEW_ARRAY(pv_lost_class, n);
    uint64_t *const keys = PV_NEW_ARRAY(uint64_t, n * words);
    classes->lost = lost;
    classes->lost_keys = keys;
    if (lost == NULL || keys == NULL) {
        return false;
    }
    for (size_t c = 0; c < classes->n_classes; c++) {
        const uint64_t size = classes->size[c];
        classes->squares += (pv_wide)size * size;
        if (pv_i_is_suppressed(classes, c)) {
            const size_t member = g->member[g->member_start[c]];
            recode_key(&profile->packing, recoding, profile->keys + member * words,
                       keys + classes->n_lost * words);
            lost[classes->n_lost++] = (pv_lost_class){.number = (uint32_t)c, .size = size};
        }
    }
    return true;
}

static pv_status copy_levels(pv_classes *classes, const uint8_t *levels, pv_error *error)
{
    const pv_study *const study = classes->profile->study;
    const size_t n = pv_study_quasis(study);
    for (size_t i = 0; i < n; i++) {
        const unsigned height = pv_hierarchy_height(pv_study_hierarchy(study, i));
        if (levels[i] > height) {
            return pv_i_fail(error, PV_STATUS_ARGUMENT, "level %u of '%s' is out of range 0..%u",
                             levels[i], pv_study_quasi_name(study, i), height);
        }
    }
    uint8_t *const copy = PV_NEW_ARRAY(uint8_t, n);
    if (copy == NULL) {
        return pv_i_no_memory(error);
    }
    memcpy(copy, levels, n);
    classes->levels = copy;
    return PV_STATUS_OK;
}

pv_status pv_classes_create(const pv_profile *profile, const uint8_t *levels,
                            const pv_suppression *suppression, pv_classes **classes,
                            pv_error *error)
{
    static const pv_suppression nothing = {0};
    pv_recoding recoding = {0};
    pv_status status = PV_STATUS_OK;
    pv_classes *const c = PV_NEW(pv_classes);
    if (c == NULL) {
        return pv_i_no_memory(error);
    }
    pv_grouping g = {.classes = c};
    c->profile = profile;
    PV_TRY_CLEAN(copy_levels(c, levels, error));
    PV_TRY_CLEAN(
        pv_i_recoding_of_levels(&recoding, &profile->packing, profile->study, levels, error));
    const bool grouped =
        keeps_apart(profile->study, levels) ? take_tuples(&g) : group_tuples(&g, &recoding);
    if (!grouped || !pv_i_collect_members(&g) ||
        !choose_suppressed(c, suppression != NULL ? suppression : &nothing) ||
        !list_lost(&g, &recoding)) {
        status = pv_i_no_memory(error);
    }
cleanup:
    pv_i_keymap_deinit(&g.map);
    pv_i_recoding_deinit(&recoding);
    if (status == PV_STATUS_OK) {
        *classes = c;
    } else {
        pv_classes_free(c);
    }
    return status;
}

/* The arrays are const to everyone but their maker. */
static void free_const(const void *memory)
{
    pv_i_free((void *)(uintptr_t)memory);
}

void pv_classes_free(pv_classes *classes)
{
    if (classes == NULL) {
        return;
    }
    free_const(classes->levels);
    free_const(classes->records);
    free_const(classes->size);
    free_const(classes->lost);
    free_const(classes->lost_keys);
    free_const(classes->class_of);
    free_const(classes->member_start);
    free_const(classes->member);
    pv_i_free(classes);
}

const pv_profile *pv_classes_profile(const pv_classes *classes)
{
    return classes->profile;
}

const uint8_t *pv_classes_levels(const pv_classes *classes)
{
    return classes->levels;
}

unsigned pv_classes_level(const pv_classes *classes, size_t tuple, size_t quasi)
{
    return pv_i_level_of(classes, tuple, quasi, pv_study_quasis(classes->profile->study));
}

size_t pv_classes_total(const pv_classes *classes)
{
    return classes->n_classes;
}

size_t pv_classes_remaining(const pv_classes *classes)
{
    return classes->n_remaining;
}

uint64_t pv_classes_size(const pv_classes *classes, size_t c)
{
    return classes->size[c];
}

bool pv_classes_is_suppressed(const pv_classes *classes, size_t c)
{
    return pv_i_is_suppressed(classes, c);
}

size_t pv_classes_of_tuple(const pv_classes *classes, size_t tuple)
{
    return classes->class_of[tuple];
}

uint64_t pv_classes_suppressed(const pv_classes *classes)
{
    return classes->n_suppressed;
}

uint64_t pv_classes_k(const pv_classes *classes)
{
    return classes->k;
}

bool pv_classes_feasible(const pv_classes *classes)
{
    return classes->feasible;
}
