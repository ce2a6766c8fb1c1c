/* Detail lost or kept by generalizing: glm, nwp, leaf-utility, precision, non-uniform entropy.
 *
 * All five are sums over rows and attributes of a cost that depends only on the row's leaf, the
 * attribute's level and whether the row is suppressed. Without suppression the sum needs no classes
 * at all: it is a term per attribute and level. With it, each lost class adds what its groups still
 * kept. Costs are numerators over a divisor the whole attribute shares: sums of whole numbers stay
 * exact, whatever their order, and are divided once. */
#include "measure/entry.h"

#include "base/error.h"
#include "base/memory.h"
#include "hierarchy/tree.h"

#include <math.h>

typedef struct {
    const pv_profile *profile;
    const pv_hierarchy *hierarchy;
    size_t q; /* the quasi-identifier */
    uint32_t leaf;
    unsigned level;
    bool suppressed;
    const uint64_t *rows_before; /* per leaf in depth-first order, one more: rows of those before */
} cell;

/* By what the attributes' sums are divided. */
typedef struct {
    double rows;      /* each of them, while it is still exact, */
    double divide_by; /* and then their sum */
    double per_row;   /* the sum of one row, for the property vector */
} scale;

struct pv_detail {
    double (*cost)(const cell *c);                     /* the numerator */
    double (*divisor)(const pv_hierarchy *hierarchy);  /* NULL = 1 */
    double (*weight)(const pv_study *study, size_t q); /* NULL = 1 */
    scale (*scale)(const pv_profile *profile);         /* NULL = by 1 */
};

static uint64_t leaves_of(const cell *c)
{
    return pv_hierarchy_group_leaves(c->hierarchy, c->level,
                                     pv_hierarchy_group(c->hierarchy, c->level, c->leaf));
}

static bool at_root(const cell *c)
{
    return pv_hierarchy_is_root(c->hierarchy, c->level,
                                pv_hierarchy_group(c->hierarchy, c->level, c->leaf));
}

/* |domain| - 1, or 1 for an attribute with one value, which then costs 0/1. */
static double others_in_domain(const pv_hierarchy *hierarchy)
{
    const uint64_t domain = pv_hierarchy_domain(hierarchy);
    return domain > 1 ? (double)(domain - 1) : 1;
}

static double others_in_group(const cell *c)
{
    return c->suppressed ? others_in_domain(c->hierarchy) : (double)(leaves_of(c) - 1);
}

static double whole_domain(const pv_hierarchy *hierarchy)
{
    return (double)pv_hierarchy_domain(hierarchy);
}

static double outside_group(const cell *c)
{
    return c->suppressed ? 0 : (double)(pv_hierarchy_domain(c->hierarchy) - leaves_of(c));
}

static double height_of(const pv_hierarchy *hierarchy)
{
    return (double)pv_hierarchy_height(hierarchy);
}

/* Levels left below the top; the root is the top wherever it is reached (Sweeney, "Achieving
 * k-anonymity privacy protection using generalization and suppression", 2002). */
static double levels_left(const cell *c)
{
    return c->suppressed || at_root(c) ? 0 : height_of(c->hierarchy) - (double)c->level;
}

static uint64_t leaf_rows(const cell *c, uint32_t leaf)
{
    const pv_study *const study = c->profile->study;
    return pv_table_count(pv_study_table(study), pv_study_quasi_column(study, c->q),
                          pv_hierarchy_code(c->hierarchy, leaf));
}

/* Rows of the table whose value lies under what the cell is released as. */
static uint64_t group_rows(const cell *c)
{
    const pv_hierarchy *const h = c->hierarchy;
    if (c->suppressed || at_root(c)) {
        return c->profile->n_rows;
    }
    if (c->level == 0) {
        return leaf_rows(c, c->leaf);
    }
    const pv_hierarchy_level *const level = &h->levels[c->level];
    const pv_hierarchy_node *const node = &h->nodes[level->nodes[level->group_of[c->leaf]]];
    return c->rows_before[node->end] - c->rows_before[node->first];
}

/* Bits to find the value again among the rows of its group (Gionis and Tassa, "k-Anonymization with
 * minimal loss of information", 2009). */
static double bits_lost(const cell *c)
{
    return log2((double)group_rows(c) / (double)leaf_rows(c, c->leaf));
}

/* Weights sum to 1, but for rounding; divided by their sum in the same order, a table that loses
 * everything loses exactly 1. */
static scale per_person(const pv_profile *profile)
{
    double weights = 0;
    for (size_t q = 0; q < pv_study_quasis(profile->study); q++) {
        weights += pv_study_weight(profile->study, q);
    }
    return (scale){(double)profile->n_rows, weights, weights};
}

static scale per_cell(const pv_profile *profile)
{
    const double quasis = (double)pv_study_quasis(profile->study);
    return (scale){1, (double)profile->n_rows * quasis, quasis};
}

const pv_detail pv_i_glm = {.cost = others_in_group, .divisor = others_in_domain};
const pv_detail pv_i_nwp = {.cost = others_in_group,
                            .divisor = others_in_domain,
                            .weight = pv_study_weight,
                            .scale = per_person};
const pv_detail pv_i_leaf_utility = {.cost = outside_group, .divisor = whole_domain};
const pv_detail pv_i_precision = {.cost = levels_left, .divisor = height_of, .scale = per_cell};
const pv_detail pv_i_bits = {.cost = bits_lost};

/* --- What all of them share --- */

/* The costs of one attribute at one level. */
typedef struct {
    double all_rows; /* numerators summed over all rows, none suppressed */
    double *by_leaf; /* the numerator of each leaf */
    double *by_loss; /* per group: what a row of it adds when it is suppressed */
} level_costs;

typedef struct {
    level_costs *levels; /* height + 1 */
    double *suppressed;  /* the numerator of each leaf in a suppressed row */
    unsigned height;
    double weight, divisor;
} attribute_costs;

typedef struct {
    attribute_costs *attributes; /* one per quasi-identifier */
    size_t n_attributes;
    scale scale;
    /* Of the last list of lost classes that came several times, for an attribute after the other:
     * the numerators with the first 0, 1, 2, ... of them lost. */
    double *running;
    size_t capacity, n_running;
    uint64_t list;
} detail_state;

void pv_i_discard_detail(void *state)
{
    detail_state *const s = state;
    if (s == NULL) {
        return;
    }
    for (size_t q = 0; s->attributes != NULL && q < s->n_attributes; q++) {
        attribute_costs *const costs = &s->attributes[q];
        for (unsigned level = 0; costs->levels != NULL && level <= costs->height; level++) {
            pv_i_free(costs->levels[level].by_leaf);
            pv_i_free(costs->levels[level].by_loss);
        }
        pv_i_free(costs->levels);
        pv_i_free(costs->suppressed);
    }
    pv_i_free(s->running);
    pv_i_free(s->attributes);
    pv_i_free(s);
}

/* Rows of one group all lose the same when they are suppressed, in every one of the measures: what
 * a leaf costs when it is suppressed, less what it costs now, depends on the group alone (for bits:
 * log of table over group, the leaf's own count cancels). So a lost class needs one lookup per
 * attribute, by its group, and not its tuples. */
static bool prepare_level(level_costs *costs, const pv_detail *d, cell *c, const double *suppressed)
{
    const uint32_t n = pv_hierarchy_leaves(c->hierarchy);
    costs->by_leaf = PV_NEW_ARRAY(double, n);
    costs->by_loss = PV_NEW_ARRAY(double, pv_hierarchy_groups(c->hierarchy, c->level));
    if (costs->by_leaf == NULL || costs->by_loss == NULL) {
        return false;
    }
    for (c->leaf = 0; c->leaf < n; c->leaf++) {
        const double cost = d->cost(c);
        costs->by_leaf[c->leaf] = cost;
        costs->by_loss[pv_hierarchy_group(c->hierarchy, c->level, c->leaf)] =
            suppressed[c->leaf] - cost;
        costs->all_rows += (double)leaf_rows(c, c->leaf) * cost;
    }
    return true;
}

/* So that the rows of a group are a difference: an attribute of 20,000 values has groups of
 * thousands, and every leaf asks for its group's. NULL when memory runs out. */
static uint64_t *count_before(const cell *c)
{
    const uint32_t n = pv_hierarchy_leaves(c->hierarchy);
    uint64_t *const before = PV_NEW_ARRAY(uint64_t, (size_t)n + 1);
    for (uint32_t place = 0; before != NULL && place <= n; place++) {
        before[place] =
            place == 0 ? 0 : before[place - 1] + leaf_rows(c, c->hierarchy->depth_first[place - 1]);
    }
    return before;
}

static bool prepare_attribute(attribute_costs *costs, const pv_detail *d, const pv_profile *profile,
                              size_t q)
{
    const pv_hierarchy *const hierarchy = pv_study_hierarchy(profile->study, q);
    const uint32_t n = pv_hierarchy_leaves(hierarchy);
    cell c = {.profile = profile, .hierarchy = hierarchy, .q = q, .suppressed = true};
    costs->height = pv_hierarchy_height(hierarchy);
    costs->weight = d->weight != NULL ? d->weight(profile->study, q) : 1;
    costs->divisor = d->divisor != NULL ? d->divisor(hierarchy) : 1;
    costs->levels = PV_NEW_ZEROED(level_costs, costs->height + 1);
    costs->suppressed = PV_NEW_ARRAY(double, n);
    uint64_t *const before = count_before(&c);
    bool ready = costs->levels != NULL && costs->suppressed != NULL && before != NULL;
    c.rows_before = before;
    for (c.leaf = 0; ready && c.leaf < n; c.leaf++) {
        costs->suppressed[c.leaf] = d->cost(&c);
    }
    c.suppressed = false;
    for (c.level = 0; ready && c.level <= costs->height; c.level++) {
        ready = prepare_level(&costs->levels[c.level], d, &c, costs->suppressed);
    }
    pv_i_free(before);
    return ready;
}

pv_status pv_i_prepare_detail(const void *formula, const pv_profile *profile, size_t sensitive,
                              void **state, pv_error *error)
{
    (void)sensitive;
    const pv_detail *const d = formula;
    const size_t n = pv_study_quasis(profile->study);
    detail_state *const s = PV_NEW(detail_state);
    bool ready = s != NULL;
    if (ready) {
        *s = (detail_state){.attributes = PV_NEW_ZEROED(attribute_costs, n),
                            .n_attributes = n,
                            .scale = d->scale != NULL ? d->scale(profile) : (scale){1, 1, 1}};
        ready = s->attributes != NULL;
    }
    for (size_t q = 0; ready && q < n; q++) {
        ready = prepare_attribute(&s->attributes[q], d, profile, q);
    }
    if (!ready) {
        pv_i_discard_detail(s);
        return pv_i_no_memory(error);
    }
    *state = s;
    return PV_STATUS_OK;
}

static double scaled(const detail_state *s, size_t q, double numerators)
{
    const attribute_costs *const costs = &s->attributes[q];
    return costs->weight * (numerators / costs->divisor / s->scale.rows);
}

/* The numerator of one tuple in one attribute. */
static double numerator_of(const detail_state *s, const pv_classes *classes, size_t tuple, size_t q)
{
    const attribute_costs *const costs = &s->attributes[q];
    const double *const by_leaf =
        pv_i_is_suppressed(classes, classes->class_of[tuple])
            ? costs->suppressed
            : costs->levels[pv_i_level_of(classes, tuple, q, s->n_attributes)].by_leaf;
    return by_leaf[pv_profile_leaf(classes->profile, tuple, q)];
}

/* What the i-th lost class adds to an attribute's numerators. */
static double numerator_of_lost(const detail_state *s, const pv_classes *classes, size_t i,
                                size_t q)
{
    const pv_packing *const packing = &classes->profile->packing;
    const uint64_t *const key = classes->lost_keys + i * packing->words;
    return (double)classes->lost[i].size *
           s->attributes[q].levels[classes->levels[q]].by_loss[pv_i_unpack(packing, key, q)];
}

/* A scheme comes once for each threshold of suppression, the highest first: its lost classes are
 * added up once, and every lower threshold is a look-up. False when memory runs out. */
static bool add_up_list(detail_state *s, const pv_classes *classes)
{
    const size_t n = classes->n_lost;
    if (s->list == classes->lost_list) {
        return true;
    }
    if (!pv_i_reserve((void **)&s->running, &s->capacity, s->n_attributes * (n + 1),
                      sizeof *s->running)) {
        return false;
    }
    for (size_t q = 0; q < s->n_attributes; q++) {
        double *const running = s->running + q * (n + 1);
        running[0] = s->attributes[q].levels[classes->levels[q]].all_rows;
        for (size_t i = 0; i < n; i++) {
            running[i + 1] = running[i] + numerator_of_lost(s, classes, i, q);
        }
    }
    s->n_running = n;
    s->list = classes->lost_list;
    return true;
}

/* All rows as if none were suppressed, which is one number per attribute and level, then what the
 * lost ones add: O(lost classes), however many rows and tuples there are. Where every tuple has its
 * own levels, it is a sum over tuples. */
pv_status pv_i_value_detail(void *state, const pv_classes *classes, double parameter, double *value,
                            pv_error *error)
{
    (void)parameter;
    (void)error;
    detail_state *const s = state;
    double sum = 0;
    const pv_profile *const profile = classes->profile;
    const bool records = classes->records != NULL;
    const bool known = !records && classes->lost_list != 0 && add_up_list(s, classes);
    for (size_t q = 0; q < s->n_attributes; q++) {
        double numerators = 0;
        if (known) {
            numerators = s->running[q * (s->n_running + 1) + classes->n_lost];
        } else if (!records) {
            numerators = s->attributes[q].levels[classes->levels[q]].all_rows;
            for (size_t i = 0; i < classes->n_lost; i++) {
                numerators += numerator_of_lost(s, classes, i, q);
            }
        }
        for (size_t t = 0; records && t < profile->n_tuples; t++) {
            numerators += (double)profile->count[t] * numerator_of(s, classes, t, q);
        }
        sum += scaled(s, q, numerators);
    }
    *value = sum / s->scale.divide_by;
    return PV_STATUS_OK;
}

double pv_i_separable_detail(const void *state, const uint8_t *levels)
{
    const detail_state *const s = state;
    double sum = 0;
    for (size_t q = 0; q < s->n_attributes; q++) {
        sum += scaled(s, q, s->attributes[q].levels[levels[q]].all_rows);
    }
    return sum / s->scale.divide_by;
}

/* A suppressed row keeps nothing; so does one at the root of every hierarchy. */
double pv_i_detail_kept(const void *state, size_t quasi, unsigned level, uint32_t group)
{
    const detail_state *const s = state;
    return fabs(scaled(s, quasi, s->attributes[quasi].levels[level].by_loss[group])) /
           s->scale.divide_by;
}

void pv_i_tuples_detail(void *state, const pv_classes *classes, double parameter, double *per_tuple)
{
    (void)parameter;
    const detail_state *const s = state;
    for (size_t t = 0; t < classes->profile->n_tuples; t++) {
        double sum = 0;
        for (size_t q = 0; q < s->n_attributes; q++) {
            const attribute_costs *const costs = &s->attributes[q];
            sum += costs->weight * (numerator_of(s, classes, t, q) / costs->divisor);
        }
        per_tuple[t] = sum / s->scale.per_row;
    }
}
