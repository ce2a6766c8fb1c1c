/* Detail lost or kept by generalizing: glm, nwp, leaf-utility, precision, non-uniform entropy.
 *
 * All five are sums over rows and attributes of a cost that depends only on the row's leaf, the
 * attribute's level and whether the row is suppressed. So the scalar needs only how many rows each
 * leaf has (the marginals), and the property vector one addition per tuple and attribute. Costs are
 * numerators over a divisor the whole attribute shares: sums of whole numbers stay exact and are
 * divided once. */
#include "measure/entry.h"

#include "base/error.h"
#include "base/memory.h"

#include <math.h>

typedef struct {
    const pv_profile *profile;
    const pv_hierarchy *hierarchy;
    size_t q; /* the quasi-identifier */
    uint32_t leaf;
    unsigned level;
    bool suppressed;
} cell;

typedef struct {
    double (*cost)(const cell *c);                     /* the numerator */
    double (*divisor)(const pv_hierarchy *hierarchy);  /* NULL = 1 */
    double (*weight)(const pv_study *study, size_t q); /* NULL = 1 */
} detail;

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

/* Rows of the table whose value lies in the cell's group: its leaves are neighbours. */
static uint64_t group_rows(const cell *c)
{
    if (c->suppressed || at_root(c)) {
        return c->profile->n_rows;
    }
    const uint32_t group = pv_hierarchy_group(c->hierarchy, c->level, c->leaf);
    uint32_t first = c->leaf;
    while (first > 0 && pv_hierarchy_group(c->hierarchy, c->level, first - 1) == group) {
        first--;
    }
    uint64_t rows = 0;
    for (uint32_t leaf = first; leaf < pv_hierarchy_leaves(c->hierarchy) &&
                                pv_hierarchy_group(c->hierarchy, c->level, leaf) == group;
         leaf++) {
        rows += leaf_rows(c, leaf);
    }
    return rows;
}

/* Bits to find the value again among the rows of its group (Gionis and Tassa, "k-Anonymization with
 * minimal loss of information", 2009). */
static double bits_lost(const cell *c)
{
    return log2((double)group_rows(c) / (double)leaf_rows(c, c->leaf));
}

static const detail glm = {.cost = others_in_group, .divisor = others_in_domain};
static const detail nwp = {
    .cost = others_in_group, .divisor = others_in_domain, .weight = pv_study_weight};
static const detail leaf_utility = {.cost = outside_group, .divisor = whole_domain};
static const detail precision = {.cost = levels_left, .divisor = height_of};
static const detail bits = {.cost = bits_lost};

/* --- The two walks all of them share --- */

/* One attribute: the cost of each leaf at the scheme's level, and in a suppressed row. */
typedef struct {
    double *kept;
    double *suppressed;
    double weight, divisor;
} attribute_costs;

static void costs_deinit(attribute_costs *costs)
{
    pv_i_free(costs->kept);
    pv_i_free(costs->suppressed);
}

static pv_status costs_init(attribute_costs *costs, const detail *d, const pv_classes *classes,
                            size_t q, pv_error *error)
{
    const pv_study *const study = classes->profile->study;
    const pv_hierarchy *const hierarchy = pv_study_hierarchy(study, q);
    const uint32_t n = pv_hierarchy_leaves(hierarchy);
    *costs = (attribute_costs){.kept = PV_NEW_ARRAY(double, n),
                               .suppressed = PV_NEW_ARRAY(double, n),
                               .weight = d->weight != NULL ? d->weight(study, q) : 1,
                               .divisor = d->divisor != NULL ? d->divisor(hierarchy) : 1};
    if (costs->kept == NULL || costs->suppressed == NULL) {
        costs_deinit(costs);
        return pv_i_no_memory(error);
    }
    cell c = {
        .profile = classes->profile, .hierarchy = hierarchy, .q = q, .level = classes->levels[q]};
    for (c.leaf = 0; c.leaf < n; c.leaf++) {
        c.suppressed = false;
        costs->kept[c.leaf] = d->cost(&c);
        c.suppressed = true;
        costs->suppressed[c.leaf] = d->cost(&c);
    }
    return PV_STATUS_OK;
}

static double cost_of_tuple(const attribute_costs *costs, const pv_classes *classes, size_t tuple,
                            size_t q)
{
    const bool lost = pv_i_is_suppressed(classes, classes->class_of[tuple]);
    return (lost ? costs->suppressed : costs->kept)[pv_profile_leaf(classes->profile, tuple, q)];
}

static double scaled(const attribute_costs *costs, double sum)
{
    return costs->weight * (sum / costs->divisor);
}

static pv_status sum_over_rows(const detail *d, const pv_classes *classes, double *sum,
                               pv_error *error)
{
    const pv_profile *const profile = classes->profile;
    double result = 0;
    for (size_t q = 0; q < pv_study_quasis(profile->study); q++) {
        attribute_costs costs;
        PV_TRY(costs_init(&costs, d, classes, q, error));
        double numerators = 0;
        for (size_t t = 0; t < profile->n_tuples; t++) {
            numerators += (double)profile->count[t] * cost_of_tuple(&costs, classes, t, q);
        }
        result += scaled(&costs, numerators);
        costs_deinit(&costs);
    }
    *sum = result;
    return PV_STATUS_OK;
}

/* values[t] = the mean over attributes if `divide_by` is their number, the sum if it is 1. */
static pv_status sum_per_tuple(const detail *d, const pv_classes *classes, double divide_by,
                               double *values, pv_error *error)
{
    const pv_profile *const profile = classes->profile;
    for (size_t t = 0; t < profile->n_tuples; t++) {
        values[t] = 0;
    }
    for (size_t q = 0; q < pv_study_quasis(profile->study); q++) {
        attribute_costs costs;
        PV_TRY(costs_init(&costs, d, classes, q, error));
        for (size_t t = 0; t < profile->n_tuples; t++) {
            values[t] += scaled(&costs, cost_of_tuple(&costs, classes, t, q)) / divide_by;
        }
        costs_deinit(&costs);
    }
    return PV_STATUS_OK;
}

static double n_quasis(const pv_classes *classes)
{
    return (double)pv_study_quasis(classes->profile->study);
}

static double n_rows(const pv_classes *classes)
{
    return (double)classes->profile->n_rows;
}

pv_status pv_i_value_glm(const pv_classes *classes, double parameter, double *value,
                         pv_error *error)
{
    (void)parameter;
    return sum_over_rows(&glm, classes, value, error);
}

pv_status pv_i_value_nwp(const pv_classes *classes, double parameter, double *value,
                         pv_error *error)
{
    (void)parameter;
    PV_TRY(sum_over_rows(&nwp, classes, value, error));
    *value /= n_rows(classes);
    return PV_STATUS_OK;
}

pv_status pv_i_value_leaf_utility(const pv_classes *classes, double parameter, double *value,
                                  pv_error *error)
{
    (void)parameter;
    return sum_over_rows(&leaf_utility, classes, value, error);
}

pv_status pv_i_value_precision(const pv_classes *classes, double parameter, double *value,
                               pv_error *error)
{
    (void)parameter;
    PV_TRY(sum_over_rows(&precision, classes, value, error));
    *value /= n_rows(classes) * n_quasis(classes);
    return PV_STATUS_OK;
}

pv_status pv_i_value_entropy(const pv_classes *classes, double parameter, double *value,
                             pv_error *error)
{
    (void)parameter;
    return sum_over_rows(&bits, classes, value, error);
}

pv_status pv_i_tuples_glm(const pv_classes *classes, double parameter, double *per_tuple,
                          pv_error *error)
{
    (void)parameter;
    return sum_per_tuple(&glm, classes, 1, per_tuple, error);
}

pv_status pv_i_tuples_nwp(const pv_classes *classes, double parameter, double *per_tuple,
                          pv_error *error)
{
    (void)parameter;
    return sum_per_tuple(&nwp, classes, 1, per_tuple, error);
}

pv_status pv_i_tuples_leaf_utility(const pv_classes *classes, double parameter, double *per_tuple,
                                   pv_error *error)
{
    (void)parameter;
    return sum_per_tuple(&leaf_utility, classes, 1, per_tuple, error);
}

pv_status pv_i_tuples_precision(const pv_classes *classes, double parameter, double *per_tuple,
                                pv_error *error)
{
    (void)parameter;
    return sum_per_tuple(&precision, classes, n_quasis(classes), per_tuple, error);
}

pv_status pv_i_tuples_entropy(const pv_classes *classes, double parameter, double *per_tuple,
                              pv_error *error)
{
    (void)parameter;
    return sum_per_tuple(&bits, classes, 1, per_tuple, error);
}
