/* Measures that score the sensitive values of each class: the three forms of l-diversity, and
 * t-closeness.
 *
 *     class --tally--> counts of one sensitive attribute's values --score--> a number
 *
 * The measure is the worst number over all classes and all sensitive attributes. What the four
 * differ in is the score, and what it must know of an attribute beforehand (its `basis`). */
#include "measure/entry.h"

#include "base/compare.h"
#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

struct pv_scorer {
    pv_direction direction; /* which score is the worst */
    double (*score)(void *basis, const pv_tally *tally, double parameter);
    /* Optional: whatever the score needs to know of a sensitive attribute, and scratch. */
    pv_status (*prepare)(const pv_profile *profile, size_t sensitive, void **basis,
                         pv_error *error);
    void (*discard)(void *basis); /* NULL is fine */
};

/* -------------------------------------------------------------------- l-diversity
 *
 * Machanavajjhala et al., "l-Diversity: Privacy Beyond k-Anonymity", 2007. A missing value is no
 * value: it makes a class no more diverse, and a class of nothing else has l = 0. */

static uint64_t count_missing(const pv_tally *tally)
{
    return tally->missing != PV_NO_CODE ? tally->counts[tally->missing] : 0;
}

static double score_distinct(void *basis, const pv_tally *tally, double parameter)
{
    (void)basis;
    (void)parameter;
    return (double)(tally->n_touched - (count_missing(tally) > 0));
}

/* exp(H) with H = ln n - (1/n) sum c ln c. */
static double score_entropy(void *basis, const pv_tally *tally, double parameter)
{
    (void)basis;
    (void)parameter;
    const double n = (double)(tally->total - count_missing(tally));
    double sum = 0;
    for (size_t i = 0; i < tally->n_touched; i++) {
        const double count = (double)tally->counts[tally->touched[i]];
        sum += tally->touched[i] != tally->missing ? count * log(count) : 0;
    }
    return n > 0 ? exp(log(n) - sum / n) : 0;
}

/* The largest l with r_1 < c (r_l + ... + r_m): the tails shrink as l grows, so l goes from m down.
 * The basis is scratch for the counts. */
static double score_recursive(void *basis, const pv_tally *tally, double c)
{
    uint64_t *const sorted = basis;
    uint64_t tail = 0;
    size_t n = 0;
    for (size_t i = 0; i < tally->n_touched; i++) {
        if (tally->touched[i] != tally->missing) {
            sorted[n++] = tally->counts[tally->touched[i]];
        }
    }
    if (n == 0) {
        return 0;
    }
    qsort(sorted, n, sizeof *sorted, pv_i_compare_u64);
    const double largest = (double)sorted[n - 1];
    for (size_t i = 0; i < n; i++) {
        tail += sorted[i];
        if (largest < c * (double)tail) {
            return (double)(n - i);
        }
    }
    return 0;
}

static pv_status prepare_scratch(const pv_profile *profile, size_t sensitive, void **basis,
                                 pv_error *error)
{
    *basis = PV_NEW_ARRAY(uint64_t, profile->sensitive[sensitive].n_codes);
    return *basis != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
}

const pv_scorer pv_i_l_distinct = {.direction = PV_MORE_IS_BETTER, .score = score_distinct};
const pv_scorer pv_i_l_entropy = {.direction = PV_MORE_IS_BETTER, .score = score_entropy};
const pv_scorer pv_i_l_recursive = {.direction = PV_MORE_IS_BETTER,
                                    .score = score_recursive,
                                    .prepare = prepare_scratch,
                                    .discard = pv_i_free};

/* -------------------------------------------------------------------- t-closeness
 *
 * Li, Li and Venkatasubramanian, "t-Closeness: Privacy Beyond k-Anonymity and l-Diversity", 2007:
 * the earth mover's distance between a class's sensitive values and the table's.
 *
 * All three distances are sums of differences between the two distributions:
 *   equal         half the sum over values;
 *   ordered       the sum over prefixes of the ordered values, divided by (values - 1);
 *   hierarchical  half the sum over the groups of every level below the top, divided by the height:
 * two values are as far apart as the level at which they meet; those that have only the root in
 * common meet at the top, however early a ragged tree leads them there.
 *
 * Shares are compared over their common denominator, the rows of the class times those of the
 * table: in whole numbers, of which the sum is divided once. A class that mirrors the table is at
 * distance 0, not nearly so. */

typedef struct {
    pv_distance distance;
    uint32_t n_codes;
    uint64_t *table; /* rows of each code */
    uint64_t n_rows; /* of the table */
    uint32_t *order; /* codes in the order in which the distance adds them up */
    const pv_hierarchy *hierarchy;
} target;

static void discard_target(void *state)
{
    target *const g = state;
    if (g != NULL) {
        pv_i_free(g->table);
        pv_i_free(g->order);
        pv_i_free(g);
    }
}

/* Hierarchical distance takes the leaves in tree order, so that groups are runs. Ordered distance
 * does too if a hierarchy says what the order is. */
static pv_status prepare_order(target *g, const pv_table *table, size_t column, pv_error *error)
{
    if (g->distance == PV_DISTANCE_ORDERED && g->hierarchy == NULL) {
        return pv_table_order(table, column, g->order, error);
    }
    for (uint32_t i = 0; i < g->n_codes; i++) {
        g->order[i] = g->distance != PV_DISTANCE_EQUAL ? pv_hierarchy_code(g->hierarchy, i) : i;
    }
    return PV_STATUS_OK;
}

static pv_status prepare_target(const pv_profile *profile, size_t sensitive, void **state,
                                pv_error *error)
{
    const pv_table *const table = pv_study_table(profile->study);
    const size_t column = profile->sensitive[sensitive].column;
    const uint32_t n_codes = profile->sensitive[sensitive].n_codes;
    target *const g = PV_NEW(target);
    pv_status status = PV_STATUS_OK;
    if (g == NULL) {
        return pv_i_no_memory(error);
    }
    g->distance = pv_study_distance(profile->study, sensitive);
    g->hierarchy = pv_study_sensitive_hierarchy(profile->study, sensitive);
    g->n_codes = n_codes;
    g->n_rows = profile->n_rows;
    g->table = PV_NEW_ARRAY(uint64_t, n_codes);
    g->order = PV_NEW_ARRAY(uint32_t, n_codes);
    if (g->table == NULL || g->order == NULL) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    for (uint32_t code = 0; code < n_codes; code++) {
        g->table[code] = pv_table_count(table, column, code);
    }
    PV_TRY_CLEAN(prepare_order(g, table, column, error));
    *state = g;
    return PV_STATUS_OK;
cleanup:
    discard_target(g);
    return status;
}

/* What the class has of a code beyond the table's share, over the common denominator. */
static __int128 surplus(const target *g, const pv_tally *tally, uint32_t code)
{
    return (__int128)tally->counts[code] * g->n_rows - (__int128)g->table[code] * tally->total;
}

static __int128 size_of(__int128 difference)
{
    return difference < 0 ? -difference : difference;
}

static double divided(const target *g, const pv_tally *tally, __int128 sum, double parts)
{
    return (double)sum / ((double)g->n_rows * (double)tally->total * parts);
}

/* The values the class lacks differ by their whole share; together with those it has, the shares
 * add up to 1. So only the values it has need a look. */
static double equal_distance(const target *g, const pv_tally *tally)
{
    __int128 sum = (__int128)g->n_rows * tally->total;
    for (size_t i = 0; i < tally->n_touched; i++) {
        const uint32_t code = tally->touched[i];
        sum += size_of(surplus(g, tally, code)) - (__int128)g->table[code] * tally->total;
    }
    return divided(g, tally, sum, 2);
}

static double ordered_distance(const target *g, const pv_tally *tally)
{
    __int128 sum = 0;
    __int128 carried = 0;
    for (uint32_t i = 0; i + 1 < g->n_codes; i++) {
        carried += surplus(g, tally, g->order[i]);
        sum += size_of(carried);
    }
    return g->n_codes > 1 ? divided(g, tally, sum, (double)(g->n_codes - 1)) : 0;
}

/* Do a leaf and the next one lie in one group at a level? Reaching the root early joins no one: a
 * leaf then stays with those of its last group below the root. */
static bool is_joined(const pv_hierarchy *hierarchy, unsigned level, uint32_t leaf)
{
    while (level > 0 &&
           pv_hierarchy_is_root(hierarchy, level, pv_hierarchy_group(hierarchy, level, leaf))) {
        level--;
    }
    return pv_hierarchy_group(hierarchy, level, leaf) ==
           pv_hierarchy_group(hierarchy, level, leaf + 1);
}

/* The sum over the groups of one level of the difference between class and table. */
static __int128 level_difference(const target *g, const pv_tally *tally, unsigned level)
{
    __int128 sum = 0;
    __int128 carried = 0;
    for (uint32_t leaf = 0; leaf < g->n_codes; leaf++) {
        carried += surplus(g, tally, g->order[leaf]);
        if (leaf + 1 == g->n_codes || !is_joined(g->hierarchy, level, leaf)) {
            sum += size_of(carried);
            carried = 0;
        }
    }
    return sum;
}

static double hierarchical_distance(const target *g, const pv_tally *tally)
{
    const unsigned height = pv_hierarchy_height(g->hierarchy);
    __int128 sum = 0;
    for (unsigned level = 0; level < height; level++) {
        sum += level_difference(g, tally, level);
    }
    return divided(g, tally, sum, 2 * (double)height);
}

static double score_distance(void *state, const pv_tally *tally, double parameter)
{
    const target *const g = state;
    (void)parameter;
    switch (g->distance) {
    case PV_DISTANCE_ORDERED: return ordered_distance(g, tally);
    case PV_DISTANCE_HIERARCHICAL: return hierarchical_distance(g, tally);
    case PV_DISTANCE_EQUAL:
    case PV_DISTANCE_AUTO: break;
    }
    return equal_distance(g, tally);
}

const pv_scorer pv_i_t_closeness = {.direction = PV_LESS_IS_BETTER,
                                    .score = score_distance,
                                    .prepare = prepare_target,
                                    .discard = discard_target};

/* ------------------------------------------------------- the worst class and attribute */

typedef struct {
    const pv_histogram *histogram;
    void *basis; /* the scorer's */
    pv_tally tally;
} scored_attribute;

typedef struct {
    const pv_scorer *scorer;
    scored_attribute *attributes; /* one per sensitive attribute */
    size_t n_attributes;
} score_state;

static double worse(pv_direction direction, double a, double b)
{
    return direction == PV_MORE_IS_BETTER ? fmin(a, b) : fmax(a, b);
}

static double best_possible(pv_direction direction)
{
    return direction == PV_MORE_IS_BETTER ? (double)INFINITY : (double)-INFINITY;
}

static pv_status prepare_attribute(scored_attribute *attribute, const pv_scorer *scorer,
                                   const pv_profile *profile, size_t sensitive, pv_error *error)
{
    attribute->histogram = &profile->sensitive[sensitive];
    PV_TRY(pv_i_tally_init(&attribute->tally, attribute->histogram, error));
    return scorer->prepare != NULL ? scorer->prepare(profile, sensitive, &attribute->basis, error)
                                   : PV_STATUS_OK;
}

void pv_i_discard_scores(void *state)
{
    score_state *const s = state;
    if (s == NULL) {
        return;
    }
    for (size_t i = 0; s->attributes != NULL && i < s->n_attributes; i++) {
        pv_i_tally_deinit(&s->attributes[i].tally);
        if (s->scorer->discard != NULL) {
            s->scorer->discard(s->attributes[i].basis);
        }
    }
    pv_i_free(s->attributes);
    pv_i_free(s);
}

pv_status pv_i_prepare_scores(const void *formula, const pv_profile *profile, void **state,
                              pv_error *error)
{
    const pv_scorer *const scorer = formula;
    pv_status status = PV_STATUS_OK;
    score_state *const s = PV_NEW(score_state);
    if (s == NULL) {
        return pv_i_no_memory(error);
    }
    s->scorer = scorer;
    s->n_attributes = profile->n_sensitive;
    s->attributes = PV_NEW_ZEROED(scored_attribute, s->n_attributes);
    if (s->attributes == NULL) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    for (size_t i = 0; i < s->n_attributes; i++) {
        PV_TRY_CLEAN(prepare_attribute(&s->attributes[i], scorer, profile, i, error));
    }
    *state = s;
    return PV_STATUS_OK;
cleanup:
    pv_i_discard_scores(s);
    return status;
}

double pv_i_score_tally(void *state, size_t sensitive, const pv_tally *tally, double parameter)
{
    score_state *const s = state;
    return s->scorer->score(s->attributes[sensitive].basis, tally, parameter);
}

/* The worst score of one class over all sensitive attributes. */
static double score_class(score_state *s, const pv_classes *classes, size_t c, double parameter)
{
    double worst = best_possible(s->scorer->direction);
    for (size_t i = 0; i < s->n_attributes; i++) {
        scored_attribute *const a = &s->attributes[i];
        pv_i_tally_class(&a->tally, a->histogram, classes, c);
        worst =
            worse(s->scorer->direction, worst, s->scorer->score(a->basis, &a->tally, parameter));
    }
    return worst;
}

static double score_suppressed(score_state *s, const pv_classes *classes, double parameter)
{
    double worst = best_possible(s->scorer->direction);
    for (size_t i = 0; i < s->n_attributes; i++) {
        scored_attribute *const a = &s->attributes[i];
        pv_i_tally_suppressed(&a->tally, a->histogram, classes);
        worst =
            worse(s->scorer->direction, worst, s->scorer->score(a->basis, &a->tally, parameter));
    }
    return worst;
}

pv_status pv_i_value_score(void *state, const pv_classes *classes, double parameter, double *value,
                           pv_error *error)
{
    (void)error;
    score_state *const s = state;
    double worst = best_possible(s->scorer->direction);
    for (size_t c = 0; c < classes->n_classes; c++) {
        if (!pv_i_is_suppressed(classes, c)) {
            worst = worse(s->scorer->direction, worst, score_class(s, classes, c, parameter));
        }
    }
    *value = worst;
    return PV_STATUS_OK;
}

/* The worst score of the remaining classes in one sensitive attribute. */
static double score_attribute(score_state *s, size_t attribute, const pv_classes *classes,
                              double parameter)
{
    scored_attribute *const a = &s->attributes[attribute];
    double worst = best_possible(s->scorer->direction);
    for (size_t c = 0; c < classes->n_classes; c++) {
        if (!pv_i_is_suppressed(classes, c)) {
            pv_i_tally_class(&a->tally, a->histogram, classes, c);
            worst = worse(s->scorer->direction, worst,
                          s->scorer->score(a->basis, &a->tally, parameter));
        }
    }
    return worst;
}

size_t pv_i_worst_sensitive(void *state, const pv_classes *classes, double parameter)
{
    score_state *const s = state;
    size_t worst = 0;
    double score = score_attribute(s, 0, classes, parameter);
    for (size_t i = 1; i < s->n_attributes; i++) {
        const double other = score_attribute(s, i, classes, parameter);
        if (s->scorer->direction == PV_MORE_IS_BETTER ? other < score : other > score) {
            worst = i;
            score = other;
        }
    }
    return worst;
}

void pv_i_tuples_score(void *state, const pv_classes *classes, double parameter, double *per_tuple)
{
    score_state *const s = state;
    const double lost = classes->n_lost > 0 ? score_suppressed(s, classes, parameter) : (double)NAN;
    for (size_t c = 0; c < classes->n_classes; c++) {
        const double score =
            pv_i_is_suppressed(classes, c) ? lost : score_class(s, classes, c, parameter);
        for (uint32_t m = classes->member_start[c]; m < classes->member_start[c + 1]; m++) {
            per_tuple[classes->member[m]] = score;
        }
    }
}
