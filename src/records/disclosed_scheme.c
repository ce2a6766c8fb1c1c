/* The scheme with which a disclosure is released (docs/model.md, section 7c).
 *
 * What was chosen for each record alone need not keep k, l or t once people who look alike form
 * classes. Keeping them at least loss is local recoding (local.h), but for two things: nobody may
 * be released finer than what was chosen for them, so every tuple starts there; and people who are
 * alike are released alike, since the choice is a matter of what they are, so no tuple is divided.
 *
 *     chosen: (age 28, zip 130**)  x1      released: (20-39, 130**)  x5
 *             (20-39,  zip 13053)  x4
 *
 * Where the choices leave nothing but `*` for everyone, and were not made under a bound of risk,
 * they are loosened: then nobody is finer than what was chosen or what the best levels for everyone
 * show, whichever is finer, attribute by attribute. */
#include "records/disclosure.h"
#include "records/local.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/ticker.h"
#include "hierarchy/tree.h"
#include "records/weighing.h"
#include "scheme/scheme.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const pv_disclosure *chosen;
    const pv_profile *profile;
    const pv_constraint *demands;
    size_t n_demands;
    uint64_t budget;
    const pv_context *context;
    uint8_t *least;  /* tuples * quasi-identifiers: nobody is released below */
    uint8_t *levels; /* the same: what comes out */
    pv_meter meter;
    pv_local_space space;
    pv_local_draft classes;
    uint64_t suppressed, merged;
    bool all_levels_seen;
    pv_error *error;
} settling;

/* ------------------------------------------------------------------ levels */

/* The lowest level from one on at which a leaf is released as a node; above the top if there is
 * none. */
static unsigned level_from(const pv_local_tree *tree, uint32_t node, uint32_t leaf, unsigned level)
{
    while (level <= pv_hierarchy_height(tree->hierarchy) &&
           pv_i_local_node_at(tree, level, leaf) != node) {
        level++;
    }
    return level;
}

/* A level at which a leaf is released as a node above it, if possible not below what was chosen. A
 * raw value that has the label of its group is released as that group, at level 0. */
static uint8_t level_of(const pv_local_tree *tree, uint32_t node, uint32_t leaf, unsigned chosen)
{
    const unsigned height = pv_hierarchy_height(tree->hierarchy);
    unsigned level = level_from(tree, node, leaf, node == tree->star ? 0 : chosen);
    if (level > height) {
        level = level_from(tree, node, leaf, 0);
    }
    return (uint8_t)(level <= height ? level : 0);
}

static unsigned height_of(const settling *s, size_t q)
{
    return pv_hierarchy_height(pv_study_hierarchy(s->profile->study, q));
}

/* Whoever was not asked for, or has no levels that keep the bound, is `*`. */
static void copy_chosen(const settling *s, uint8_t *levels)
{
    const size_t n = s->chosen->n_quasi;
    for (size_t t = 0; t < s->chosen->n_tuples; t++) {
        const uint8_t *const chosen = s->chosen->tuples[t].levels;
        for (size_t q = 0; q < n; q++) {
            levels[t * n + q] = chosen != NULL ? chosen[q] : (uint8_t)height_of(s, q);
        }
    }
}

static void take_levels(settling *s)
{
    const size_t n = s->chosen->n_quasi;
    copy_chosen(s, s->levels);
    for (size_t c = 0; c < s->classes.n; c++) {
        const pv_local_class *const own = &s->classes.list[c];
        for (size_t i = 0; i < own->n_parts; i++) {
            const size_t tuple = own->parts[i].tuple;
            for (size_t q = 0; q < n; q++) {
                uint8_t *const level = &s->levels[tuple * n + q];
                *level = level_of(&s->space.trees[q], pv_i_local_nodes(&s->classes, c)[q],
                                  pv_profile_leaf(s->profile, tuple, q), *level);
            }
        }
    }
}

/* ---------------------------------------------------------- nothing to keep */

/* Lowers levels of one attribute to where its values are `*` already, and marks whom it still
 * shows. */
static bool settle_attribute(const pv_profile *profile, size_t q, uint8_t *levels, bool *is_shown)
{
    const size_t n = pv_study_quasis(profile->study);
    const pv_hierarchy *const hierarchy = pv_study_hierarchy(profile->study, q);
    const uint32_t n_leaves = pv_hierarchy_leaves(hierarchy);
    uint8_t *const root = PV_NEW_ARRAY(uint8_t, n_leaves);
    if (root == NULL) {
        return false;
    }
    for (uint32_t leaf = 0; leaf < n_leaves; leaf++) {
        root[leaf] = pv_i_root_level(hierarchy, leaf);
    }
    for (size_t t = 0; t < profile->n_tuples; t++) {
        uint8_t *const level = &levels[t * n + q];
        const uint8_t top = root[pv_profile_leaf(profile, t, q)];
        *level = *level < top ? *level : top;
        is_shown[t] |= *level < top;
    }
    pv_i_free(root);
    return true;
}

/* What classes come to where demands are kept by everyone alone: everyone stays as chosen, and
 * those who are `*` altogether are suppressed. */
static pv_status settle_alone(settling *s)
{
    bool *const is_shown = PV_NEW_ZEROED(bool, s->profile->n_tuples);
    bool ready = is_shown != NULL;
    copy_chosen(s, s->levels);
    for (size_t q = 0; ready && q < s->chosen->n_quasi; q++) {
        ready = settle_attribute(s->profile, q, s->levels, is_shown);
    }
    s->suppressed = 0;
    for (size_t t = 0; ready && t < s->profile->n_tuples; t++) {
        s->suppressed += is_shown[t] ? 0 : s->profile->count[t];
    }
    pv_i_free(is_shown);
    return ready ? PV_STATUS_OK : pv_i_no_memory(s->error);
}

/* ------------------------------------------------------------------ search */

static void forget(settling *s)
{
    pv_i_local_classes_deinit(&s->classes);
    pv_i_local_space_deinit(&s->space);
}

static pv_status open_space(settling *s)
{
    forget(s);
    return pv_i_local_space_init(&s->space, s->profile, &s->meter, s->demands, s->n_demands,
                                 s->budget, s->least, s->error);
}

static pv_status search(settling *s)
{
    const pv_local_settings settings = {.context = s->context, .seed = 1};
    pv_local_account account = {0};
    PV_TRY(open_space(s));
    if (!pv_i_local_classes_init(&s->classes, &s->space)) {
        return pv_i_no_memory(s->error);
    }
    PV_TRY(pv_i_local_find(&s->space, &settings, &s->classes, &account, s->error));
    return account.stop == PV_STOP_CANCELLED ? pv_i_cancelled(s->error) : PV_STATUS_OK;
}

/* Is there one class, and nothing left of it? */
static bool is_starred(const settling *s)
{
    bool starred = true;
    for (size_t c = PV_LOCAL_LOST + 1; c < s->classes.n; c++) {
        for (size_t q = 0; q < s->chosen->n_quasi && s->classes.list[c].size > 0; q++) {
            starred &= pv_i_local_nodes(&s->classes, c)[q] == s->space.trees[q].star;
        }
    }
    return starred;
}

/* Lets everyone who has a choice be as fine as the best levels for everyone. */
static pv_status loosen(settling *s)
{
    const size_t n = s->chosen->n_quasi;
    uint8_t *const levels = PV_NEW_ARRAY(uint8_t, n);
    pv_status status = levels != NULL ? PV_STATUS_OK : pv_i_no_memory(s->error);
    for (size_t i = 0; i < s->chosen->n_tuples * n; i++) {
        s->least[i] = s->chosen->tuples[i / n].levels != NULL ? 0 : (uint8_t)height_of(s, i % n);
    }
    PV_TRY_CLEAN(status);
    PV_TRY_CLEAN(open_space(s));
    PV_TRY_CLEAN(
        pv_i_local_find_levels(&s->space, s->context, levels, &s->all_levels_seen, s->error));
    copy_chosen(s, s->least);
    for (size_t i = 0; i < s->chosen->n_tuples * n; i++) {
        const bool is_free = s->chosen->tuples[i / n].levels != NULL;
        s->least[i] = is_free && levels[i % n] < s->least[i] ? levels[i % n] : s->least[i];
    }
cleanup:
    pv_i_free(levels);
    return status;
}

static pv_status keep_demands(settling *s)
{
    const pv_measure_ref glm = {.measure = pv_measure_find("glm")};
    PV_TRY(pv_i_meter_init(&s->meter, glm, s->profile, s->error));
    copy_chosen(s, s->least);
    pv_status status = search(s);
    if (s->chosen->aim != PV_AIM_MOST_UTILITY &&
        (status == PV_STATUS_UNSATISFIED || (status == PV_STATUS_OK && is_starred(s)))) {
        status = loosen(s);
        status = status == PV_STATUS_OK ? search(s) : status;
    }
    if (status != PV_STATUS_UNSATISFIED) {
        return status;
    }
    return pv_i_hint(pv_i_fail(s->error, PV_STATUS_UNSATISFIED,
                               "no way was found to keep the demands record by record with no more "
                               "than %llu people suppressed%s",
                               (unsigned long long)s->budget,
                               s->all_levels_seen ? "" : "; not all levels could be tried"),
                     s->error, "demand less, or allow more suppression; nothing was written");
}

/* ----------------------------------------------------------------- account */

static bool is_finer(const pv_profile *profile, size_t tuple, const uint8_t *levels,
                     const uint8_t *chosen)
{
    bool finer = false;
    for (size_t q = 0; q < pv_study_quasis(profile->study); q++) {
        const pv_hierarchy *const hierarchy = pv_study_hierarchy(profile->study, q);
        const uint32_t leaf = pv_profile_leaf(profile, tuple, q);
        finer |= levels[q] < chosen[q] &&
                 !pv_hierarchy_is_root(hierarchy, levels[q],
                                       pv_hierarchy_group(hierarchy, levels[q], leaf));
    }
    return finer;
}

static void fill_account(const settling *s, pv_enforced *account)
{
    const size_t n = s->chosen->n_quasi;
    *account = (pv_enforced){.suppressed = s->suppressed, .merged = s->merged};
    for (size_t t = 0; t < s->chosen->n_tuples; t++) {
        const uint8_t *const chosen = s->chosen->tuples[t].levels;
        const uint8_t *const levels = s->levels + t * n;
        if (chosen != NULL && memcmp(chosen, levels, n) != 0) {
            const uint64_t people = pv_profile_count(s->profile, t);
            account->changed += people;
            account->finer += is_finer(s->profile, t, levels, chosen) ? people : 0;
        }
    }
}

static int compare_keys(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left;
    const uint64_t b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* How many groups of people who would have been released alike are in a class, besides one. */
static uint64_t count_merged(const settling *s, size_t c, uint64_t *keys)
{
    const pv_local_class *const own = &s->classes.list[c];
    const size_t n = s->chosen->n_quasi;
    uint64_t merged = 0;
    for (size_t i = 0; i < own->n_parts; i++) {
        keys[i] = 0;
        for (size_t q = 0; q < n; q++) {
            keys[i] += s->space.trees[q].mark[s->space.raw[own->parts[i].tuple * n + q]];
        }
    }
    qsort(keys, own->n_parts, sizeof *keys, compare_keys);
    for (size_t i = 1; i < own->n_parts; i++) {
        merged += keys[i] != keys[i - 1];
    }
    return merged;
}

static pv_status take_classes(settling *s)
{
    uint64_t *const keys = PV_NEW_ARRAY(uint64_t, s->profile->n_tuples);
    if (keys == NULL) {
        return pv_i_no_memory(s->error);
    }
    take_levels(s);
    s->suppressed = s->classes.list[PV_LOCAL_LOST].size;
    s->merged = 0;
    for (size_t c = PV_LOCAL_LOST + 1; c < s->classes.n; c++) {
        s->merged += count_merged(s, c, keys);
    }
    pv_i_free(keys);
    return PV_STATUS_OK;
}

/* --------------------------------------------------------------------- all */

/* Demands that everyone keeps alone need no classes, unless too many were chosen to be `*`. */
static pv_status settle(settling *s)
{
    pv_class_rules rules = {0};
    PV_TRY(pv_i_class_rules_init(&rules, s->profile, s->demands, s->n_demands, s->error));
    if (rules.k <= 1 && rules.n_rules == 0) {
        PV_TRY(settle_alone(s));
        if (s->n_demands == 0 || s->suppressed <= s->budget) {
            return PV_STATUS_OK;
        }
    }
    PV_TRY(keep_demands(s));
    return take_classes(s);
}

pv_status pv_i_disclosure_scheme(const pv_disclosure *disclosure, const pv_profile *profile,
                                 const pv_constraint *demands, size_t n_demands, uint64_t budget,
                                 const pv_context *context, pv_scheme *scheme, pv_enforced *account,
                                 pv_error *error)
{
    const size_t n = disclosure->n_quasi;
    const uint64_t most = pv_profile_rows(profile) - 1; /* someone always remains */
    settling s = {.chosen = disclosure,
                  .profile = profile,
                  .demands = demands,
                  .n_demands = n_demands,
                  .budget = budget < most ? budget : most,
                  .context = context,
                  .least = pv_i_array(disclosure->n_tuples, n),
                  .levels = pv_i_array(disclosure->n_tuples, n),
                  .all_levels_seen = true,
                  .error = error};
    uint8_t *const tops = PV_NEW_ZEROED(uint8_t, n);
    pv_status status = PV_STATUS_OK;
    if (s.least == NULL || s.levels == NULL || tops == NULL) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    PV_TRY_CLEAN(settle(&s));
    if (account != NULL) {
        fill_account(&s, account);
    }
    pv_i_scheme_deinit(scheme);
    *scheme = (pv_scheme){.levels = tops, .n_levels = n, .records = s.levels};
cleanup:
    forget(&s);
    pv_i_meter_deinit(&s.meter);
    pv_i_free(s.least);
    if (status != PV_STATUS_OK) {
        pv_i_free(s.levels);
        pv_i_free(tops);
    }
    return status;
}

pv_status pv_disclosure_scheme(const pv_disclosure *disclosure, const pv_profile *profile,
                               const pv_constraint *demands, size_t n_demands, uint64_t budget,
                               const pv_context *context, pv_scheme **scheme, pv_enforced *account,
                               pv_error *error)
{
    pv_scheme *const made = PV_NEW(pv_scheme);
    if (made == NULL) {
        return pv_i_no_memory(error);
    }
    const pv_status status = pv_i_disclosure_scheme(disclosure, profile, demands, n_demands, budget,
                                                    context, made, account, error);
    if (status != PV_STATUS_OK) {
        pv_i_free(made);
        return status;
    }
    *scheme = made;
    return PV_STATUS_OK;
}
