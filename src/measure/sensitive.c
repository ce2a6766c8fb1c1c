/* Measures that score the sensitive values of each class: the three forms of l-diversity, and
 * t-closeness.
 *
 *     class --tally--> counts of one sensitive attribute's values --score--> a number
 *
 * The measure is the worst number over all classes and all sensitive attributes, or the one it is
 * asked of. What the four
 * differ in is the score, and what it must know of an attribute beforehand (its `basis`). The same
 * scores, class by class, are the rules that searches keep while they merge classes. */
#include "measure/class_rules.h"

#include "base/compare.h"
#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

struct pv_scorer {
    pv_direction direction; /* which score is the worst */
    double (*score)(void *basis, const pv_tally *tally, double parameter);
    /* Of the rows tallied at most so many can be in classes that keep the rule, however the tally
     * is divided into classes: the size of the largest part of it that keeps the rule, for a union
     * of classes that keep it keeps it. Never too small; rounding is forgiven. */
    uint64_t (*survivors)(void *basis, const pv_tally *tally, double bound, double parameter);
    /* Optional: so many rows a class has at least that keeps the rule. */
    uint64_t (*least)(void *basis, double bound);
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

static uint64_t survivors_distinct(void *basis, const pv_tally *tally, double bound,
                                   double parameter)
{
    return score_distinct(basis, tally, parameter) >= bound ? tally->total : 0;
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
        sum += tally->touched[i] != tally->missing && count > 1 ? count * log(count) : 0;
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

/* The part of a tally that is most diverse for its size has no count above some cap: rows of
 * frequent values go first. As the cap rises, what is left gets less diverse (entropy falls while
 * rows join the most frequent values; r_1 < c (r_l + ...) compares the cap with a concave function
 * of it). So the largest cap that keeps the rule is found by halving. Under the next cap it is
 * broken; entropy may still keep all but one of the rows in between. Rows without a value stay. */
typedef bool (*keeps_under)(uint64_t *scratch, const pv_tally *tally, uint64_t cap, double bound,
                            double parameter);

static uint64_t survivors_capped(uint64_t *scratch, const pv_tally *tally, keeps_under keeps,
                                 double bound, double parameter)
{
    uint64_t least = 0; /* a cap that keeps the rule: of nothing */
    uint64_t most = tally->total + 1;
    uint64_t rows = 0;
    while (most - least > 1) {
        const uint64_t cap = least + (most - least) / 2;
        if (keeps(scratch, tally, cap, bound, parameter)) {
            least = cap;
        } else {
            most = cap;
        }
    }
    for (size_t i = 0; least > 0 && i < tally->n_touched; i++) {
        const uint64_t count = tally->counts[tally->touched[i]];
        rows += tally->touched[i] == tally->missing || count < most ? count : most;
    }
    return rows;
}

static bool entropy_under(uint64_t *scratch, const pv_tally *tally, uint64_t cap, double bound,
                          double parameter)
{
    double n = 0;
    double sum = 0;
    (void)scratch;
    (void)parameter;
    for (size_t i = 0; i < tally->n_touched; i++) {
        const uint64_t all = tally->counts[tally->touched[i]];
        const double count = (double)(all < cap ? all : cap);
        if (tally->touched[i] != tally->missing) {
            n += count;
            sum += count * log(count);
        }
    }
    return n > 0 && exp(log(n) - sum / n) >= bound * (1 - 1e-9);
}

static uint64_t survivors_entropy(void *basis, const pv_tally *tally, double bound,
                                  double parameter)
{
    return survivors_capped(basis, tally, entropy_under, bound, parameter);
}

static bool recursive_under(uint64_t *scratch, const pv_tally *tally, uint64_t cap, double bound,
                            double c)
{
    size_t n = 0;
    uint64_t tail = 0;
    for (size_t i = 0; i < tally->n_touched; i++) {
        const uint64_t all = tally->counts[tally->touched[i]];
        if (tally->touched[i] != tally->missing) {
            scratch[n++] = all < cap ? all : cap;
        }
    }
    qsort(scratch, n, sizeof *scratch, pv_i_compare_u64);
    const size_t l = bound > 1 ? (size_t)ceil(fmin(bound, 0x1p32)) : 1;
    for (size_t i = 0; i + l <= n; i++) { /* all but the l - 1 largest */
        tail += scratch[i];
    }
    return n > 0 && (double)scratch[n - 1] < c * (double)tail;
}

static uint64_t survivors_recursive(void *basis, const pv_tally *tally, double bound, double c)
{
    return survivors_capped(basis, tally, recursive_under, bound, c);
}

const pv_scorer pv_i_l_distinct = {
    .direction = PV_MORE_IS_BETTER, .score = score_distinct, .survivors = survivors_distinct};
const pv_scorer pv_i_l_entropy = {
    .direction = PV_MORE_IS_BETTER, .score = score_entropy, .survivors = survivors_entropy};
const pv_scorer pv_i_l_recursive = {.direction = PV_MORE_IS_BETTER,
                                    .score = score_recursive,
                                    .survivors = survivors_recursive,
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
    double *rests;   /* scratch, by code */
    const pv_hierarchy *hierarchy;
} target;

static void discard_target(void *state)
{
    target *const g = state;
    if (g != NULL) {
        pv_i_free(g->table);
        pv_i_free(g->order);
        pv_i_free(g->rests);
        pv_i_free(g);
    }
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
    g->rests = PV_NEW_ARRAY(double, n_codes);
    if (g->table == NULL || g->order == NULL || g->rests == NULL) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    for (uint32_t code = 0; code < n_codes; code++) {
        g->table[code] = pv_table_count(table, column, code);
    }
    /* Hierarchical distance takes the leaves in tree order, so that groups are runs. Ordered
     * distance does too if a hierarchy says what the order is. */
    if (g->distance == PV_DISTANCE_ORDERED && g->hierarchy == NULL) {
        PV_TRY_CLEAN(pv_table_order(table, column, g->order, error));
    } else {
        for (uint32_t i = 0; i < n_codes; i++) {
            g->order[i] = g->distance != PV_DISTANCE_EQUAL ? pv_hierarchy_code(g->hierarchy, i) : i;
        }
    }
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

static double hierarchical_distance(const target *g, const pv_tally *tally)
{
    const unsigned height = pv_hierarchy_height(g->hierarchy);
    __int128 sum = 0;
    for (unsigned level = 0; level < height; level++) {
        __int128 carried = 0; /* of the group at hand */
        for (uint32_t leaf = 0; leaf < g->n_codes; leaf++) {
            carried += surplus(g, tally, g->order[leaf]);
            if (leaf + 1 == g->n_codes || !is_joined(g->hierarchy, level, leaf)) {
                sum += size_of(carried);
                carried = 0;
            }
        }
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

/* Equal distance: m rows of a tally c are nearest to the table's shares p when they have min(c_v,
 * p_v m) of every value v, and 1 less their distance is the sum of that, divided by m. So m rows
 * can be near enough if g(m) = sum of min(c_v, p_v m) - (1 - t) m >= 0. g is concave and 0 at 0:
 * from the right, Newton's steps end at its last root after as many as there are values. */
static uint64_t survivors_equal(const target *g, const pv_tally *tally, double t)
{
    const double needed = (1 - t) * (1 - 1e-9);
    double m = (double)tally->total;
    for (;;) {
        double capped = 0; /* rows of values that the class has fewer of than p_v m */
        double share = 0;  /* of the table, the other values of the class */
        for (size_t i = 0; i < tally->n_touched; i++) {
            const uint32_t code = tally->touched[i];
            const double p = (double)g->table[code] / (double)g->n_rows;
            const double count = (double)tally->counts[code];
            if (count < p * m) {
                capped += count;
            } else {
                share += p;
            }
        }
        if (capped + share * m >= needed * m) {
            return (uint64_t)(m * (1 + 1e-9));
        }
        const double root = capped / (needed - share);
        if (root < 1 - 1e-9) {
            return 0;
        }
        m = root < m ? root : m * (1 - 1e-12);
    }
}

/* Of a class of n rows at distance d, r rows must go until the others are at distance t. A distance
 * between distributions is convex and at most 1: d <= (1 - r/n) t + (r/n) 1, so r >= n (d - t) /
 * (1 - t). */
static uint64_t survivors_near(void *state, const pv_tally *tally, double bound, double parameter)
{
    const target *const g = state;
    if (bound >= 1) {
        return tally->total;
    }
    if (g->distance == PV_DISTANCE_EQUAL || g->distance == PV_DISTANCE_AUTO) {
        return survivors_equal(g, tally, bound);
    }
    const double far = (score_distance(state, tally, parameter) - bound) / (1 - bound);
    return far > 0 ? tally->total - (uint64_t)(far * (double)tally->total * (1 - 1e-9))
                   : tally->total;
}

static int compare_shares(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a < b) - (a > b);
}

/* 1 less the least equal distance of any n rows: with c_v rows of value v that is the sum of
 * min(c_v / n, p_v), most if every value has floor(p_v n) rows and those with the largest rests one
 * more. */
static double most_alike(const target *g, uint64_t n)
{
    double whole = 0;
    for (uint32_t code = 0; code < g->n_codes; code++) {
        const double wanted = (double)g->table[code] / (double)g->n_rows * (double)n;
        whole += floor(wanted);
        g->rests[code] = wanted - floor(wanted);
    }
    qsort(g->rests, g->n_codes, sizeof *g->rests, compare_shares);
    double sum = whole;
    for (uint32_t i = 0; i < g->n_codes && whole + i < (double)n; i++) {
        sum += g->rests[i];
    }
    return sum / (double)n;
}

/* Few rows cannot be like the whole table. More than so many are not asked of anyone. */
#define MOST_LEAST 256

static uint64_t least_near(void *basis, double bound)
{
    const target *const g = basis;
    uint64_t n = 1;
    const bool is_equal = g->distance == PV_DISTANCE_EQUAL || g->distance == PV_DISTANCE_AUTO;
    while (is_equal && n < MOST_LEAST && most_alike(g, n) < 1 - bound - 1e-9) {
        n++;
    }
    return n;
}

const pv_scorer pv_i_t_closeness = {.direction = PV_LESS_IS_BETTER,
                                    .score = score_distance,
                                    .survivors = survivors_near,
                                    .least = least_near,
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
    size_t first, end; /* those it is asked of: all, or one; the others are empty */
} score_state;

static double worse(pv_direction direction, double a, double b)
{
    return direction == PV_MORE_IS_BETTER ? fmin(a, b) : fmax(a, b);
}

static double best_possible(pv_direction direction)
{
    return direction == PV_MORE_IS_BETTER ? (double)INFINITY : (double)-INFINITY;
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

pv_status pv_i_prepare_scores(const void *formula, const pv_profile *profile, size_t sensitive,
                              void **state, pv_error *error)
{
    const pv_scorer *const scorer = formula;
    pv_status status = PV_STATUS_OK;
    score_state *const s = PV_NEW(score_state);
    if (s == NULL) {
        return pv_i_no_memory(error);
    }
    s->scorer = scorer;
    s->n_attributes = profile->n_sensitive;
    s->first = sensitive != SIZE_MAX ? sensitive : 0;
    s->end = sensitive != SIZE_MAX ? sensitive + 1 : s->n_attributes;
    s->attributes = PV_NEW_ZEROED(scored_attribute, s->n_attributes);
    if (s->attributes == NULL) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    for (size_t i = s->first; i < s->end; i++) {
        scored_attribute *const a = &s->attributes[i];
        a->histogram = &profile->sensitive[i];
        PV_TRY_CLEAN(pv_i_tally_init(&a->tally, a->histogram, error));
        if (scorer->prepare != NULL) {
            PV_TRY_CLEAN(scorer->prepare(profile, i, &a->basis, error));
        }
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

uint64_t pv_i_score_survivors(void *state, size_t sensitive, const pv_tally *tally,
                              const pv_constraint *rule)
{
    score_state *const s = state;
    return s->scorer->survivors(s->attributes[sensitive].basis, tally, rule->bound,
                                rule->ref.parameter);
}

static uint64_t least_of_rule(const score_state *s, size_t sensitive, double bound)
{
    return s->scorer->least != NULL ? s->scorer->least(s->attributes[sensitive].basis, bound) : 1;
}

#define SUPPRESSED SIZE_MAX /* the suppressed rows, as the one class they form */

/* The score of one class in one sensitive attribute. */
static double score(score_state *s, size_t attribute, const pv_classes *classes, size_t c,
                    double parameter)
{
    scored_attribute *const a = &s->attributes[attribute];
    if (c == SUPPRESSED) {
        pv_i_tally_suppressed(&a->tally, a->histogram, classes);
    } else {
        pv_i_tally_class(&a->tally, a->histogram, classes, c);
    }
    return s->scorer->score(a->basis, &a->tally, parameter);
}

/* The worst score of one class over the sensitive attributes it is asked of. */
static double score_class(score_state *s, const pv_classes *classes, size_t c, double parameter)
{
    double worst = best_possible(s->scorer->direction);
    for (size_t i = s->first; i < s->end; i++) {
        worst = worse(s->scorer->direction, worst, score(s, i, classes, c, parameter));
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

/* The attribute in which the remaining classes have the worst score; of equals the first. */
size_t pv_i_worst_sensitive(void *state, const pv_classes *classes, double parameter)
{
    score_state *const s = state;
    const pv_direction direction = s->scorer->direction;
    size_t worst = s->first;
    double least = 0;
    for (size_t i = s->first; i < s->end; i++) {
        double here = best_possible(direction);
        for (size_t c = 0; c < classes->n_classes; c++) {
            if (!pv_i_is_suppressed(classes, c)) {
                here = worse(direction, here, score(s, i, classes, c, parameter));
            }
        }
        if (i == s->first || (direction == PV_MORE_IS_BETTER ? here < least : here > least)) {
            worst = i;
            least = here;
        }
    }
    return worst;
}

void pv_i_tuples_score(void *state, const pv_classes *classes, double parameter, double *per_tuple)
{
    score_state *const s = state;
    const double lost =
        classes->n_lost > 0 ? score_class(s, classes, SUPPRESSED, parameter) : (double)NAN;
    for (size_t c = 0; c < classes->n_classes; c++) {
        const double own =
            pv_i_is_suppressed(classes, c) ? lost : score_class(s, classes, c, parameter);
        for (uint32_t m = classes->member_start[c]; m < classes->member_start[c + 1]; m++) {
            per_tuple[classes->member[m]] = own;
        }
    }
}

/* =============================================================== class rules */

static pv_status add_rule(pv_class_rules *rules, const pv_constraint *demand, pv_error *error)
{
    const pv_measure *const measure = demand->ref.measure;
    if (measure->rule == PV_RULE_SIZE) {
        const uint64_t k = (uint64_t)fmin(ceil(fmax(demand->bound, 0)), 0x1p62);
        rules->k = k > rules->k ? k : rules->k;
        return PV_STATUS_OK;
    }
    if (measure->rule != PV_RULE_SENSITIVE) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                   "'%s' cannot be demanded here: merging classes may break it",
                                   measure->name),
                         error, "k, l-distinct, l-entropy, l-recursive and t-closeness can");
    }
    if (rules->n_rules == PV_MOST_RULES) {
        return pv_i_fail(error, PV_STATUS_LIMIT, "more than %d demands", PV_MOST_RULES);
    }
    PV_TRY(pv_i_measure_check(demand->ref, rules->profile->study, &rules->about[rules->n_rules],
                              error));
    rules->rules[rules->n_rules++] = *demand;
    return PV_STATUS_OK;
}

pv_status pv_i_class_rules_init(pv_class_rules *rules, const pv_profile *profile,
                                const pv_constraint *demands, size_t n_demands, pv_error *error)
{
    const size_t n_sensitive = pv_study_sensitives(profile->study);
    *rules = (pv_class_rules){.profile = profile};
    for (size_t i = 0; i < n_demands; i++) {
        PV_TRY(add_rule(rules, &demands[i], error));
    }
    if (rules->n_rules > 0 && n_sensitive > PV_MOST_RULED_COLUMNS) {
        return pv_i_fail(error, PV_STATUS_LIMIT,
                         "there are more than %d sensitive attributes to be counted",
                         PV_MOST_RULED_COLUMNS);
    }
    rules->n_sensitive = rules->n_rules > 0 ? n_sensitive : 0;
    return PV_STATUS_OK;
}

pv_status pv_i_class_scorer_init(pv_class_scorer *scorer, const pv_class_rules *rules,
                                 pv_error *error)
{
    pv_class_scorer s = {.rules = rules};
    pv_status status = PV_STATUS_OK;
    for (size_t i = 0; i < rules->n_rules; i++) {
        PV_TRY_CLEAN(pv_i_meter_init(&s.meters[i], rules->rules[i].ref, rules->profile, error));
    }
    for (size_t i = 0; i < rules->n_sensitive; i++) {
        for (size_t r = 0; r < rules->n_rules; r++) {
            s.reads[i] = s.reads[i] || pv_i_rule_is_about(rules, r, i);
        }
        if (s.reads[i]) {
            PV_TRY_CLEAN(pv_i_tally_init(&s.tallies[i], &rules->profile->sensitive[i], error));
        }
    }
    *scorer = s;
    return PV_STATUS_OK;
cleanup:
    pv_i_class_scorer_deinit(&s);
    return status;
}

void pv_i_class_scorer_deinit(pv_class_scorer *scorer)
{
    for (size_t i = 0; i < PV_MOST_RULES; i++) {
        pv_i_meter_deinit(&scorer->meters[i]);
    }
    for (size_t i = 0; i < PV_MOST_RULED_COLUMNS; i++) {
        pv_i_tally_deinit(&scorer->tallies[i]);
    }
    *scorer = (pv_class_scorer){0};
}

void pv_i_class_scorer_clear(pv_class_scorer *scorer)
{
    for (size_t i = 0; i < scorer->rules->n_sensitive; i++) {
        if (scorer->reads[i]) {
            pv_i_tally_clear(&scorer->tallies[i]);
        }
    }
}

void pv_i_class_scorer_add(pv_class_scorer *scorer, size_t tuple)
{
    for (size_t i = 0; i < scorer->rules->n_sensitive; i++) {
        const pv_histogram *const h = &scorer->rules->profile->sensitive[i];
        for (uint64_t e = h->start[tuple]; scorer->reads[i] && e < h->start[tuple + 1]; e++) {
            pv_i_tally_add(&scorer->tallies[i], h->code[e], h->count[e]);
        }
    }
}

static bool breaks(const pv_class_scorer *scorer, size_t r, size_t sensitive, bool loosely)
{
    const pv_constraint *const rule = &scorer->rules->rules[r];
    const double slack = loosely ? 1e-9 * fmax(1, fabs(rule->bound)) : 0;
    const double score = pv_i_score_tally(scorer->meters[r].state, sensitive,
                                          &scorer->tallies[sensitive], rule->ref.parameter);
    return !pv_constraint_holds(
        rule, rule->ref.measure->direction == PV_MORE_IS_BETTER ? score + slack : score - slack);
}

bool pv_i_class_scorer_breaks(const pv_class_scorer *scorer, bool loosely)
{
    const pv_class_rules *const rules = scorer->rules;
    for (size_t r = 0; r < rules->n_rules; r++) {
        for (size_t i = 0; i < rules->n_sensitive; i++) {
            if (pv_i_rule_is_about(rules, r, i) && breaks(scorer, r, i, loosely)) {
                return true;
            }
        }
    }
    return false;
}

/* All of them ask for so many different values, which take a row each. */
static double least_for_variety(const pv_constraint *rule)
{
    const pv_measure *const measure = rule->ref.measure;
    return measure->direction == PV_MORE_IS_BETTER ? ceil(rule->bound) : 1;
}

uint64_t pv_i_class_scorer_least_rows(const pv_class_scorer *scorer)
{
    const pv_class_rules *const rules = scorer->rules;
    double least = rules->k > 1 ? (double)rules->k : 1;
    for (size_t r = 0; r < rules->n_rules; r++) {
        least = fmax(least, least_for_variety(&rules->rules[r]));
        for (size_t i = 0; i < rules->n_sensitive; i++) {
            if (pv_i_rule_is_about(rules, r, i)) {
                const score_state *const s = scorer->meters[r].state;
                least = fmax(least, (double)least_of_rule(s, i, rules->rules[r].bound));
            }
        }
    }
    return least < 1e18 ? (uint64_t)least : UINT64_MAX;
}

uint64_t pv_i_class_scorer_survivors(const pv_class_scorer *scorer, bool *holds)
{
    const pv_class_rules *const rules = scorer->rules;
    uint64_t least = UINT64_MAX;
    *holds = true;
    for (size_t r = 0; r < rules->n_rules; r++) {
        const pv_constraint *const rule = &rules->rules[r];
        for (size_t i = 0; i < rules->n_sensitive; i++) {
            const pv_tally *const tally = &scorer->tallies[i];
            if (!pv_i_rule_is_about(rules, r, i) ||
                pv_constraint_holds(rule, pv_i_score_tally(scorer->meters[r].state, i, tally,
                                                           rule->ref.parameter))) {
                continue;
            }
            const uint64_t rows = pv_i_score_survivors(scorer->meters[r].state, i, tally, rule);
            const uint64_t most = rows < tally->total ? rows : tally->total - 1;
            least = most < least ? most : least;
            *holds = false;
        }
    }
    return least;
}
