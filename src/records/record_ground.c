/* Laying the ground of a scan. */
#include "records/record_ground.h"

#include "base/error.h"
#include "base/memory.h"
#include "classes/attribute_order.h"
#include "hierarchy/tree.h"

static const pv_hierarchy *hierarchy_of(const pv_record_ground *ground, size_t quasi)
{
    return pv_study_hierarchy(ground->run->profile->study, quasi);
}

static bool fill_groups(const pv_record_ground *ground, pv_record_axis *axis)
{
    const pv_hierarchy *const hierarchy = hierarchy_of(ground, axis->quasi);
    const uint32_t n_leaves = pv_hierarchy_leaves(hierarchy);
    axis->group = PV_NEW_ZEROED(uint32_t *, axis->height + 1);
    for (unsigned level = 0; axis->group != NULL && level <= axis->height; level++) {
        const uint32_t n_groups = pv_hierarchy_groups(hierarchy, level);
        axis->n_groups = n_groups > axis->n_groups ? n_groups : axis->n_groups;
        axis->group[level] = PV_NEW_ARRAY(uint32_t, n_leaves);
        if (axis->group[level] == NULL) {
            return false;
        }
        for (uint32_t leaf = 0; leaf < n_leaves; leaf++) {
            axis->group[level][leaf] = pv_hierarchy_group(hierarchy, level, leaf);
            axis->has_root_leaf |= axis->root_level[leaf] == 0;
        }
    }
    return axis->group != NULL;
}

static bool fill_axis(const pv_record_ground *ground, pv_record_axis *axis, size_t quasi)
{
    const pv_disclose_run *const run = ground->run;
    const pv_known *const known = &run->dictionary->known[quasi];
    axis->quasi = quasi;
    axis->height = run->values.heights[quasi];
    axis->stride = (uint32_t)run->lattice.strides[quasi];
    axis->worth = run->weighing.worth[quasi];
    axis->root_level = run->values.root_level[quasi];
    axis->known = known->is_known ? known : NULL;
    return fill_groups(ground, axis);
}

static int64_t most_utility(const pv_record_ground *ground, size_t quasi)
{
    const pv_worth *const raw = ground->weighing->worth[quasi][0];
    int64_t most = 0;
    for (uint32_t leaf = 0; leaf < pv_hierarchy_leaves(hierarchy_of(ground, quasi)); leaf++) {
        most = raw[leaf].utility > most ? raw[leaf].utility : most;
    }
    return most;
}

/* What decides most about utility comes first: then it is known soon what is out of reach. On Adult
 * this halves the work. Otherwise the order stays. */
static void useful_first(const pv_record_ground *ground, size_t *order)
{
    for (size_t i = 1; i < ground->n; i++) {
        const size_t quasi = order[i];
        const int64_t most = most_utility(ground, quasi);
        size_t p = i;
        for (; p > 0 && most_utility(ground, order[p - 1]) < most; p--) {
            order[p] = order[p - 1];
        }
        order[p] = quasi;
    }
}

/* Those the dictionary knows come first; otherwise the order stays. */
static void known_first(const pv_dictionary *dictionary, size_t *order, size_t n)
{
    size_t n_known = 0;
    for (size_t p = 0; p < n; p++) {
        const size_t quasi = order[p];
        if (dictionary->known[quasi].is_known) {
            memmove(order + n_known + 1, order + n_known, (p - n_known) * sizeof *order);
            order[n_known++] = quasi;
        }
    }
}

static pv_status fill_axes(pv_record_ground *ground, pv_error *error)
{
    size_t *const order = PV_NEW_ARRAY(size_t, ground->n);
    pv_status status = PV_STATUS_OK;
    ground->axes = PV_NEW_ZEROED(pv_record_axis, ground->n);
    if (order == NULL || ground->axes == NULL) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    PV_TRY_CLEAN(pv_i_attribute_order(ground->run->profile, order, error));
    useful_first(ground, order);
    known_first(ground->run->dictionary, order, ground->n);
    for (size_t p = 0; p < ground->n; p++) {
        if (!fill_axis(ground, &ground->axes[p], order[p])) {
            status = pv_i_no_memory(error);
            goto cleanup;
        }
        ground->n_known += ground->axes[p].known != NULL;
    }
cleanup:
    pv_i_free(order);
    return status;
}

static uint32_t leaf_at(const void *ctx, size_t tuple, size_t position)
{
    const pv_record_ground *const ground = ctx;
    return pv_profile_leaf(ground->run->profile, tuple, ground->axes[position].quasi);
}

static uint32_t known_at(const void *ctx, size_t tuple, size_t position)
{
    const pv_record_ground *const ground = ctx;
    return pv_i_known_value(ground->run->dictionary, ground->axes[position].quasi, tuple);
}

/* Is the dictionary the table, and does a group at a level hold everybody who fits it? */
static bool is_table(const pv_disclose_run *run)
{
    bool is_so = run->dictionary->is_table;
    for (size_t quasi = 0; quasi < run->values.n_quasi; quasi++) {
        is_so = is_so && pv_study_hierarchy(run->profile->study, quasi)->is_level_wise;
    }
    return is_so;
}

pv_status pv_i_record_ground_init(pv_record_ground *ground, const pv_disclose_run *run,
                                  pv_error *error)
{
    pv_record_ground g = {.run = run,
                          .weighing = &run->weighing,
                          .n = run->values.n_quasi,
                          .is_table = is_table(run)};
    pv_status status = PV_STATUS_OK;
    PV_TRY_CLEAN(fill_axes(&g, error));
    PV_TRY_CLEAN(pv_i_tails_init(&g.tails, g.n, run->profile->n_tuples, leaf_at, &g, error));
    PV_TRY_CLEAN(pv_i_record_rests_init(&g, error));
    if (!g.is_table) {
        PV_TRY_CLEAN(
            pv_i_tails_init(&g.theta, g.n_known, run->dictionary->n_tuples, known_at, &g, error));
    }
    *ground = g;
    return PV_STATUS_OK;
cleanup:
    pv_i_record_ground_deinit(&g);
    return status;
}

void pv_i_record_ground_deinit(pv_record_ground *ground)
{
    for (size_t p = 0; ground->axes != NULL && p < ground->n; p++) {
        uint32_t **const group = ground->axes[p].group;
        for (unsigned level = 0; group != NULL && level <= ground->axes[p].height; level++) {
            pv_i_free(group[level]);
        }
        pv_i_free(group);
    }
    pv_i_record_rests_deinit(ground);
    pv_i_free(ground->axes);
    pv_i_tails_deinit(&ground->tails);
    pv_i_tails_deinit(&ground->theta);
    *ground = (pv_record_ground){0};
}
