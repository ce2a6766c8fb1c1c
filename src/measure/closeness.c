/* t-closeness (Li, Li and Venkatasubramanian, "t-Closeness: Privacy Beyond k-Anonymity and
 * l-Diversity", 2007): the earth mover's distance between a class's sensitive values and the
 * table's.
 *
 * All three ground distances are sums of differences between the two distributions:
 *   equal         half the sum over values;
 *   ordered       the sum over prefixes of the ordered values, divided by (values - 1);
 *   hierarchical  half the sum over the groups of every level below the top, divided by the height:
 * two values are as far apart as the level at which they meet; those that have only the root in
 * common meet at the top, however early a ragged tree leads them there.
 *
 * Shares are compared over their common denominator, the rows of the class times those of the
 * table: in whole numbers, of which the sum is divided once. A class that mirrors the table is at
 * distance 0, not nearly so. */
#include "measure/entry.h"
#include "measure/sensitive.h"

#include "base/error.h"
#include "base/memory.h"

typedef struct {
    pv_distance distance;
    uint32_t n_codes;
    uint64_t *table; /* rows of each code */
    uint64_t n_rows; /* of the table */
    uint32_t *order; /* codes in the order the distance walks them */
    const pv_hierarchy *hierarchy;
} ground;

static void discard_ground(void *state)
{
    ground *const g = state;
    if (g != NULL) {
        pv_i_free(g->table);
        pv_i_free(g->order);
        pv_i_free(g);
    }
}

/* Hierarchical distance walks the leaves in tree order, so that groups are runs. Ordered distance
 * does too if a hierarchy says what the order is. */
static pv_status prepare_order(ground *g, const pv_table *table, size_t column, pv_error *error)
{
    if (g->distance == PV_DISTANCE_ORDERED && g->hierarchy == NULL) {
        return pv_table_order(table, column, g->order, error);
    }
    for (uint32_t i = 0; i < g->n_codes; i++) {
        g->order[i] = g->distance != PV_DISTANCE_EQUAL ? pv_hierarchy_code(g->hierarchy, i) : i;
    }
    return PV_STATUS_OK;
}

static pv_status prepare_ground(const pv_profile *profile, size_t sensitive, void **state,
                                pv_error *error)
{
    const pv_table *const table = pv_study_table(profile->study);
    const size_t column = profile->sensitive[sensitive].column;
    const uint32_t n_codes = profile->sensitive[sensitive].n_codes;
    ground *const g = PV_NEW(ground);
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
    discard_ground(g);
    return status;
}

/* What the class has of a code beyond the table's share, over the common denominator. */
static __int128 surplus(const ground *g, const pv_tally *tally, uint32_t code)
{
    return (__int128)tally->counts[code] * g->n_rows - (__int128)g->table[code] * tally->total;
}

static __int128 size_of(__int128 difference)
{
    return difference < 0 ? -difference : difference;
}

static double divided(const ground *g, const pv_tally *tally, __int128 sum, double parts)
{
    return (double)sum / ((double)g->n_rows * (double)tally->total * parts);
}

/* The values the class lacks differ by their whole share; together with those it has, the shares
 * add up to 1. So only the values it has need a look. */
static double equal_distance(const ground *g, const pv_tally *tally)
{
    __int128 sum = (__int128)g->n_rows * tally->total;
    for (size_t i = 0; i < tally->n_touched; i++) {
        const uint32_t code = tally->touched[i];
        sum += size_of(surplus(g, tally, code)) - (__int128)g->table[code] * tally->total;
    }
    return divided(g, tally, sum, 2);
}

static double ordered_distance(const ground *g, const pv_tally *tally)
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
static __int128 level_difference(const ground *g, const pv_tally *tally, unsigned level)
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

static double hierarchical_distance(const ground *g, const pv_tally *tally)
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
    const ground *const g = state;
    (void)parameter;
    switch (g->distance) {
    case PV_DISTANCE_ORDERED: return ordered_distance(g, tally);
    case PV_DISTANCE_HIERARCHICAL: return hierarchical_distance(g, tally);
    case PV_DISTANCE_EQUAL:
    case PV_DISTANCE_AUTO: break;
    }
    return equal_distance(g, tally);
}

static const pv_scorer closeness = {.direction = PV_LESS_IS_BETTER,
                                    .score = score_distance,
                                    .prepare = prepare_ground,
                                    .discard = discard_ground};

pv_status pv_i_prepare_t(const pv_profile *profile, double parameter, void **state, pv_error *error)
{
    (void)parameter;
    return pv_i_prepare_scores(&closeness, profile, state, error);
}
