/* Grouping the profile's tuples under a scheme, and suppression (docs/model.md, section 2).
 *
 * Every tuple's key is recoded through per-attribute tables and looked up: equal keys, equal class.
 * Classes are numbered in the order of their first tuple.
 *
 *     tuple         0   1   2   3   4   5
 *     class_of      0   1   0   2   1   0          by a map of recoded keys
 *     member_start  0           3       5   6      class c has member[start[c] .. start[c+1]-1]
 *     member        0   2   5 | 1   4 | 3          its tuples, ascending
 *     size          rows of its tuples, summed
 *
 * Invariants: every tuple is in exactly one class; the sizes sum to the rows; at least one class
 * remains. Everything is O(tuples), but for suppression, which sorts the sizes (radix, O(classes)).
 * This is the exact grouping of one scheme, made when a release, a measure of every person or a
 * judgement needs it. Searches that group thousands of schemes have the evaluator (src/lattice). */
#include "classes/grouping.h"

#include "base/error.h"
#include "base/memory.h"
#include "classes/keys.h"

#include <stdlib.h>
#include <string.h>

/* --------------------------------------------- counting the values in a class
 *
 * A counter per value of the column, and a list of those that are not 0: clearing costs as much as
 * counting did, not as much as the dictionary is long.
 *
 *     counts   0 0 3 0 0 0 1 0 2 ...      by code
 *     touched  2 8 6                      in order of first sight */

pv_status pv_i_tally_init(pv_tally *tally, const pv_histogram *histogram, pv_error *error)
{
    *tally = (pv_tally){.counts = PV_NEW_ZEROED(uint64_t, histogram->n_codes),
                        .touched = PV_NEW_ARRAY(uint32_t, histogram->n_codes),
                        .missing = histogram->missing};
    if (tally->counts == NULL || tally->touched == NULL) {
        pv_i_tally_deinit(tally);
        return pv_i_no_memory(error);
    }
    return PV_STATUS_OK;
}

void pv_i_tally_deinit(pv_tally *tally)
{
    pv_i_free(tally->counts);
    pv_i_free(tally->touched);
    *tally = (pv_tally){0};
}

void pv_i_tally_clear(pv_tally *tally)
{
    for (size_t i = 0; i < tally->n_touched; i++) {
        tally->counts[tally->touched[i]] = 0;
    }
    tally->n_touched = 0;
    tally->total = 0;
}

void pv_i_tally_add(pv_tally *tally, uint32_t code, uint64_t count)
{
    if (tally->counts[code] == 0) {
        tally->touched[tally->n_touched++] = code;
    }
    tally->counts[code] += count;
    tally->total += count;
}

/* What the evaluator has counted is read from its entries; otherwise the histograms of the class's
 * tuples are added up. Either way the codes of a class come in some fixed order, so that sums of
 * doubles made from a tally are the same in every run. */
static void add_class(pv_tally *tally, const pv_histogram *h, const pv_classes *classes, size_t c)
{
    for (size_t i = 0; i < classes->n_entries; i++) {
        const pv_class_entries *const entries = &classes->entries[i];
        if (entries->column == h->column) {
            for (uint32_t e = entries->start[c]; e < entries->start[c + 1]; e++) {
                pv_i_tally_add(tally, entries->code[e], entries->count[e]);
            }
            return;
        }
    }
    for (uint32_t m = classes->member_start[c]; m < classes->member_start[c + 1]; m++) {
        const uint32_t tuple = classes->member[m];
        for (uint64_t e = h->start[tuple]; e < h->start[tuple + 1]; e++) {
            pv_i_tally_add(tally, h->code[e], h->count[e]);
        }
    }
}

void pv_i_tally_class(pv_tally *tally, const pv_histogram *histogram, const pv_classes *classes,
                      size_t c)
{
    pv_i_tally_clear(tally);
    add_class(tally, histogram, classes, c);
}

/* Whoever is hidden is hidden among all who are. */
void pv_i_tally_suppressed(pv_tally *tally, const pv_histogram *histogram,
                           const pv_classes *classes)
{
    pv_i_tally_clear(tally);
    for (size_t i = 0; i < classes->n_lost; i++) {
        add_class(tally, histogram, classes, classes->lost[i].number);
    }
}

/* ------------------------------------------------------- one scheme of levels */

/* Classes in the making: what becomes const to everyone else. */
typedef struct {
    pv_classes *classes;
    pv_keymap map;      /* keys of classes */
    uint32_t *class_of; /* per tuple */
    uint32_t *member_start, *member;
    uint64_t *size;
} grouping;

/* Do the levels keep all values apart? Then every tuple is a class, and nothing needs hashing: the
 * raw table is measured with every release. */
static bool keeps_apart(const pv_study *study, const uint8_t *levels)
{
    bool apart = true;
    for (size_t q = 0; apart && q < pv_study_quasis(study); q++) {
        const pv_hierarchy *const h = pv_study_hierarchy(study, q);
        apart = pv_hierarchy_groups(h, levels[q]) == pv_hierarchy_leaves(h);
    }
    return apart;
}

/* Tables hold groups already shifted into their field (keys.c): an OR per attribute. */
static void recode_key(const pv_packing *packing, const pv_recoding *recoding, const uint64_t *from,
                       uint64_t *to)
{
    memset(to, 0, packing->words * sizeof *to);
    for (size_t i = 0; i < packing->n_fields; i++) {
        to[packing->fields[i].word] |= recoding->tables[i][pv_i_unpack(packing, from, i)];
    }
}

/* Equal recoded keys, equal class. `recoding` NULL = every tuple is a class of its own. */
static bool group_by_levels(grouping *g, const pv_recoding *recoding)
{
    const pv_profile *const profile = g->classes->profile;
    const pv_packing *const packing = &profile->packing;
    uint64_t *const key = PV_NEW_ARRAY(uint64_t, packing->words);
    g->classes->class_of = g->class_of = PV_NEW_ARRAY(uint32_t, profile->n_tuples);
    bool ready = key != NULL && g->class_of != NULL && pv_i_keymap_init(&g->map, packing->words, 0);
    for (size_t t = 0; ready && recoding == NULL && t < profile->n_tuples; t++) {
        g->class_of[t] = (uint32_t)t;
    }
    for (size_t t = 0; ready && recoding != NULL && t < profile->n_tuples; t++) {
        recode_key(packing, recoding, profile->keys + t * packing->words, key);
        g->class_of[t] = pv_i_keymap_add(&g->map, key);
        ready = g->class_of[t] != PV_KEYMAP_FULL;
    }
    g->classes->n_classes = recoding != NULL ? g->map.n : profile->n_tuples;
    pv_i_free(key);
    return ready;
}

/* Sizes, and the tuples of each class side by side (a counting sort). False = no memory. */
static bool collect_members(grouping *g)
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

/* Suppress as many of the smallest sizes as the budget allows, whole sizes only: which of two
 * classes of the same size to hide would be arbitrary, and k would not rise before both are hidden.
 */
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

/* Suppress the classes smaller than k if the budget allows, otherwise nothing: rows that are hidden
 * in vain are only a loss. */
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

/* Sizes sorted ascending say it all: which are suppressed is a prefix of them, so one number,
 * smallest_kept, decides about every class. */
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
    if (rule->whole_budget && rule->target_k == 0) {
        spend_budget(classes, sorted, budget);
    } else {
        reach_target(classes, sorted, budget, rule->target_k);
    }
    classes->k = classes->smallest_kept;
    classes->largest = sorted[classes->n_classes - 1];
    pv_i_free(sorted);
    return true;
}

/* The same with demands that only their maker can judge, class by class. */
static bool drop_broken(pv_classes *classes, const pv_suppression *rule, pv_breaks_fn breaks,
                        void *ctx)
{
    const uint64_t n_rows = classes->profile->n_rows;
    const uint64_t budget = rule->budget < n_rows ? rule->budget : n_rows - 1;
    uint8_t *const dropped = PV_NEW_ZEROED(uint8_t, classes->n_classes);
    classes->dropped = dropped;
    if (dropped == NULL) {
        return false;
    }
    uint64_t rows = 0;
    for (size_t c = 0; c < classes->n_classes; c++) {
        dropped[c] = breaks(ctx, classes, c) || classes->size[c] < rule->target_k;
        rows += dropped[c] != 0 ? classes->size[c] : 0;
    }
    classes->feasible = rows <= budget;
    if (!classes->feasible) { /* hidden in vain, they would only be a loss */
        memset(dropped, 0, classes->n_classes);
        rows = 0;
    }
    classes->n_suppressed = rows;
    classes->k = UINT64_MAX;
    for (size_t c = 0; c < classes->n_classes; c++) {
        const uint64_t size = classes->size[c];
        if (dropped[c] == 0) {
            classes->n_remaining++;
            classes->k = size < classes->k ? size : classes->k;
            classes->largest = size > classes->largest ? size : classes->largest;
        }
    }
    return true;
}

/* Suppressed classes by number, with the packed groups of each: measures of detail need to know
 * what those rows would have shown. */
static bool list_lost(grouping *g, const pv_recoding *recoding)
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

/* A copy of levels that are within range: one per quasi-identifier, `n_tuples` times (1 = for all
 * tuples). */
static pv_status copy_levels(const pv_study *study, const uint8_t *levels, size_t n_tuples,
                             uint8_t **copy, pv_error *error)
{
    const size_t n = pv_study_quasis(study);
    for (size_t i = 0; i < n * n_tuples; i++) {
        const unsigned height = pv_hierarchy_height(pv_study_hierarchy(study, i % n));
        if (levels[i] > height) {
            const char *const name = pv_study_quasi_name(study, i % n);
            return n_tuples == 1 ? pv_i_fail(error, PV_STATUS_ARGUMENT,
                                             "level %u of '%s' is out of range 0..%u", levels[i],
                                             name, height)
                                 : pv_i_fail(error, PV_STATUS_ARGUMENT,
                                             "a level of '%s' is out of range", name);
        }
    }
    *copy = PV_NEW_ARRAY(uint8_t, n * n_tuples);
    if (*copy == NULL) {
        return pv_i_no_memory(error);
    }
    memcpy(*copy, levels, n * n_tuples);
    return PV_STATUS_OK;
}

/* The steps of docs/model.md, section 2: recode, group, suppress; then what measures ask for. */
pv_status pv_i_classes_create_ruled(const pv_profile *profile, const uint8_t *levels,
                                    const pv_suppression *rule, pv_breaks_fn breaks, void *ctx,
                                    pv_classes **classes, pv_error *error)
{
    pv_recoding recoding = {0};
    pv_status status = PV_STATUS_OK;
    pv_classes *const c = PV_NEW(pv_classes);
    if (c == NULL) {
        return pv_i_no_memory(error);
    }
    grouping g = {.classes = c};
    c->profile = profile;
    uint8_t *copy = NULL;
    PV_TRY_CLEAN(copy_levels(profile->study, levels, 1, &copy, error));
    c->levels = copy;
    PV_TRY_CLEAN(
        pv_i_recoding_of_levels(&recoding, &profile->packing, profile->study, levels, error));
    if (!group_by_levels(&g, keeps_apart(profile->study, levels) ? NULL : &recoding) ||
        !collect_members(&g) ||
        !(breaks != NULL ? drop_broken(c, rule, breaks, ctx) : choose_suppressed(c, rule)) ||
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

pv_status pv_classes_create(const pv_profile *profile, const uint8_t *levels,
                            const pv_suppression *suppression, pv_classes **classes,
                            pv_error *error)
{
    static const pv_suppression nothing = {0};
    return pv_i_classes_create_ruled(profile, levels, suppression != NULL ? suppression : &nothing,
                                     NULL, NULL, classes, error);
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
    free_const(classes->dropped);
    free_const(classes->lost);
    free_const(classes->lost_keys);
    free_const(classes->class_of);
    free_const(classes->member_start);
    free_const(classes->member);
    pv_profile_free(classes->own_profile);
    pv_study_free(classes->own_study);
    pv_i_free(classes);
}

unsigned pv_classes_level(const pv_classes *classes, size_t tuple, size_t quasi)
{
    return pv_i_level_of(classes, tuple, quasi, pv_study_quasis(classes->profile->study));
}

/* clang-format off */
const pv_profile *pv_classes_profile(const pv_classes *cs) { return cs->profile; }
const uint8_t *pv_classes_levels(const pv_classes *cs) { return cs->levels; }
size_t pv_classes_total(const pv_classes *cs) { return cs->n_classes; }
size_t pv_classes_remaining(const pv_classes *cs) { return cs->n_remaining; }
uint64_t pv_classes_size(const pv_classes *cs, size_t c) { return cs->size[c]; }
bool pv_classes_is_suppressed(const pv_classes *cs, size_t c) { return pv_i_is_suppressed(cs, c); }
size_t pv_classes_of_tuple(const pv_classes *cs, size_t tuple) { return cs->class_of[tuple]; }
uint64_t pv_classes_suppressed(const pv_classes *cs) { return cs->n_suppressed; }
uint64_t pv_classes_k(const pv_classes *cs) { return cs->k; }
bool pv_classes_feasible(const pv_classes *cs) { return cs->feasible; }
/* clang-format on */

/* ---------------------------------------------------------- levels per record
 *
 * Classes of a table in which every tuple has levels of its own.
 *
 * Only what is released matters: two people with the same labels are alike, whichever levels the
 * labels are from. So the groups of all levels of a hierarchy are numbered by their labels, and a
 * tuple's key is the numbers of its labels, two to a word:
 *
 *     level 0   17  18  19  40          first[0] = 0    numbers  0 1 2 3
 *     level 1   17-19   40              first[1] = 4             4 3      40 is 40 on either level
 *     level 2   *                       first[2] = 6             5
 *
 * Suppression is not chosen here: who is `*` in every attribute is suppressed, whatever the size of
 * that class. */

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

/* Sorting all labels of a hierarchy brings equal ones together: O(groups log groups), once per
 * attribute. */
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

/* False when memory runs out; deinitialised by the caller in any case. */
static bool labels_init(labels *l, const pv_hierarchy *hierarchy)
{
    *l = (labels){.hierarchy = hierarchy,
                  .first = PV_NEW_ARRAY(size_t, pv_hierarchy_height(hierarchy) + 1)};
    size_t n = 0;
    for (unsigned level = 0; l->first != NULL && level <= pv_hierarchy_height(hierarchy); level++) {
        l->first[level] = n;
        n += pv_hierarchy_groups(hierarchy, level);
    }
    label *const sorted = PV_NEW_ARRAY(label, n);
    l->number = PV_NEW_ARRAY(uint32_t, n);
    const bool ready = l->first != NULL && sorted != NULL && l->number != NULL;
    if (ready) {
        number_labels(l, sorted, n);
    }
    pv_i_free(sorted);
    return ready;
}

/* Two labels to a word: a number of a label has 32 bits, so keys need no layout of their own. */
static bool group_by_labels(grouping *g)
{
    pv_classes *const classes = g->classes;
    const pv_study *const study = classes->profile->study;
    const size_t n = pv_study_quasis(study);
    const unsigned words = (unsigned)(n + 1) / 2;
    labels *const all = PV_NEW_ZEROED(labels, n);
    uint64_t *const key = PV_NEW_ARRAY(uint64_t, words);
    classes->class_of = g->class_of = PV_NEW_ARRAY(uint32_t, classes->profile->n_tuples);
    bool ready = all != NULL && key != NULL && g->class_of != NULL;
    for (size_t q = 0; ready && q < n; q++) {
        ready = labels_init(&all[q], pv_study_hierarchy(study, q));
    }
    ready = ready && pv_i_keymap_init(&g->map, words, 0);
    for (size_t t = 0; ready && t < classes->profile->n_tuples; t++) {
        bool starred = true; /* is it `*` everywhere? */
        for (size_t q = 0; q < n; q++) {
            const labels *const own = &all[q];
            const unsigned level = classes->records[t * n + q];
            const uint32_t leaf = pv_profile_leaf(classes->profile, t, q);
            const uint32_t number =
                own->number[own->first[level] + pv_hierarchy_group(own->hierarchy, level, leaf)];
            key[q / 2] = q % 2 == 0 ? number : key[q / 2] | (uint64_t)number << 32;
            starred = starred && number == own->root;
        }
        g->class_of[t] = pv_i_keymap_add(&g->map, key);
        ready = g->class_of[t] != PV_KEYMAP_FULL;
        classes->starred = ready && starred ? g->class_of[t] + 1 : classes->starred;
    }
    classes->n_classes = g->map.n;
    for (size_t q = 0; all != NULL && q < n; q++) {
        pv_i_free(all[q].first);
        pv_i_free(all[q].number);
    }
    pv_i_free(all);
    pv_i_free(key);
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

/* The same for levels record by record (src/records). */
pv_status pv_classes_create_records(const pv_profile *profile, const uint8_t *levels,
                                    pv_classes **classes, pv_error *error)
{
    pv_classes *const c = PV_NEW(pv_classes);
    if (c == NULL) {
        return pv_i_no_memory(error);
    }
    grouping g = {.classes = c};
    c->profile = profile;
    uint8_t *copy = NULL;
    pv_status status = copy_levels(profile->study, levels, profile->n_tuples, &copy, error);
    c->records = copy;
    if (status == PV_STATUS_OK && (!group_by_labels(&g) || !collect_members(&g) || !sum_up(c))) {
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
