/* Local recoding for programs: the plan's demands, budget and weights, carried into the search, and
 * its classes made a scheme of records. */
#include "records/local.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/options.h"
#include "plan/plan.h"

#include <math.h>
#include <paravent/local.h>

struct pv_local {
    pv_scheme *scheme;
    pv_measure_ref loss;
    double value, bound;
    pv_constraint demands[PV_MAX_CONSTRAINTS];
    size_t n_demands;
    uint64_t suppressed, budget, n_classes, divided, steps, sweeps;
    double seconds, bound_seconds;
    pv_stop stop;
};

void pv_local_free(pv_local *local)
{
    if (local != NULL) {
        pv_scheme_free(local->scheme);
        pv_i_free(local);
    }
}

/* ----------------------------------------------------------------- demands */

static pv_status take_demands(pv_local *local, const pv_study *study, const pv_local_options *asked,
                              pv_error *error)
{
    pv_constraint planned[PV_MAX_CONSTRAINTS];
    size_t n_planned = 0;
    PV_TRY(pv_plan_demands(pv_study_plan(study), planned, &n_planned, error));
    for (size_t i = 0; i < n_planned; i++) {
        PV_TRY(pv_constraints_add(local->demands, &local->n_demands, &planned[i], error));
    }
    const uint64_t target_k = pv_plan_target_k(pv_study_plan(study));
    if (target_k > 0) {
        const pv_constraint k = {.ref = {.measure = pv_measure_find("k")},
                                 .bound = (double)target_k};
        PV_TRY(pv_constraints_add(local->demands, &local->n_demands, &k, error));
    }
    for (size_t i = 0; i < asked->n_demands; i++) {
        PV_TRY(pv_constraints_add(local->demands, &local->n_demands, &asked->demands[i], error));
    }
    return PV_STATUS_OK;
}

static pv_status take_loss(pv_local *local, const pv_local_options *asked, pv_error *error)
{
    PV_TRY(
        pv_measure_parse(asked->minimize != NULL ? asked->minimize : "glm", &local->loss, error));
    const pv_measure_entry *const entry = pv_i_measure_entry(local->loss.measure);
    if (entry->cut_loss != PV_CUT_LOSS_SUM || local->loss.measure->direction != PV_LESS_IS_BETTER) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                   "local recoding does not minimise '%s'",
                                   local->loss.measure->name),
                         error, "minimise glm or nwp");
    }
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------ scheme */

/* How many values that occur are under each node. */
static uint32_t *count_leaves(const pv_local_tree *tree)
{
    uint32_t *const n = PV_NEW_ZEROED(uint32_t, tree->n);
    for (uint32_t leaf = 0; n != NULL && leaf < tree->n_starts; leaf++) {
        uint32_t node = tree->rungs[leaf];
        n[node]++;
        while (tree->parent[node] != node) {
            node = tree->parent[node];
            n[node]++;
        }
    }
    return n;
}

/* The lowest level allowed at which a leaf is released as a node, or as another that stands for the
 * same values: a group is never written in two spellings (`25` and `20-29`, where nobody else is in
 * their twenties; a group with two names). Of nodes above one leaf those with as many leaves are
 * one group. */
static uint8_t level_of(const pv_local_space *space, const uint32_t *n_leaves, size_t q,
                        uint32_t leaf, uint32_t node)
{
    const pv_local_tree *const tree = &space->trees[q];
    const unsigned height = pv_hierarchy_height(tree->hierarchy);
    for (unsigned level = 0; level < height; level++) {
        const uint32_t at = pv_i_local_node_at(tree, level, leaf);
        if (pv_study_allows(space->profile->study, q, level) &&
            (at == node || n_leaves[at] == n_leaves[node])) {
            return (uint8_t)level;
        }
    }
    return (uint8_t)height;
}

/* Where the parts of each tuple begin among all, if they are sorted by tuple. */
static bool place_parts(const pv_local_draft *classes, size_t *place)
{
    const size_t n_tuples = classes->space->n_tuples;
    for (size_t t = 0; t <= n_tuples; t++) {
        place[t] = 0;
    }
    for (size_t c = 0; c < classes->n; c++) {
        for (size_t i = 0; i < classes->list[c].n_parts; i++) {
            place[classes->list[c].parts[i].tuple + 1]++;
        }
    }
    bool divided = false;
    for (size_t t = 0; t < n_tuples; t++) {
        divided |= place[t + 1] > 1;
        place[t + 1] += place[t];
    }
    return divided;
}

static void fill_scheme(pv_scheme *scheme, const pv_local_draft *classes, uint32_t *const *n_leaves,
                        size_t *place, uint32_t *tuples, uint64_t *rows)
{
    const pv_local_space *const space = classes->space;
    const size_t n = space->n_quasi;
    for (size_t c = 0; c < classes->n; c++) {
        for (size_t i = 0; i < classes->list[c].n_parts; i++) {
            const pv_local_part *const part = &classes->list[c].parts[i];
            const size_t at = place[part->tuple]++;
            tuples[at] = part->tuple;
            rows[at] = part->rows;
            for (size_t q = 0; q < n; q++) {
                scheme->records[at * n + q] =
                    c == PV_LOCAL_LOST ? (uint8_t)pv_hierarchy_height(space->trees[q].hierarchy)
                                       : level_of(space, n_leaves[q], q,
                                                  pv_profile_leaf(space->profile, part->tuple, q),
                                                  pv_i_local_nodes(classes, c)[q]);
            }
        }
    }
}

/* Rows that are in no class with others are `*`; whole tuples need no list of parts. */
static pv_status make_scheme(pv_local *local, const pv_local_draft *classes, pv_error *error)
{
    const pv_local_space *const space = classes->space;
    size_t *const place = PV_NEW_ARRAY(size_t, space->n_tuples + 1);
    pv_scheme *const scheme = local->scheme = PV_NEW(pv_scheme);
    if (place == NULL || scheme == NULL) {
        pv_i_free(place);
        return pv_i_no_memory(error);
    }
    const bool divided = place_parts(classes, place);
    const size_t n_parts = place[space->n_tuples];
    for (size_t t = 0; t < space->n_tuples; t++) {
        local->divided += place[t + 1] - place[t] > 1;
    }
    scheme->n_levels = space->n_quasi;
    scheme->levels = PV_NEW_ZEROED(uint8_t, space->n_quasi);
    scheme->records = pv_i_array(n_parts, space->n_quasi);
    scheme->part_tuple = PV_NEW_ARRAY(uint32_t, n_parts);
    scheme->part_rows = PV_NEW_ARRAY(uint64_t, n_parts);
    scheme->n_parts = n_parts;
    uint32_t **const n_leaves = PV_NEW_ZEROED(uint32_t *, space->n_quasi);
    bool ready = scheme->levels != NULL && scheme->records != NULL && scheme->part_tuple != NULL &&
                 scheme->part_rows != NULL && n_leaves != NULL;
    for (size_t q = 0; ready && q < space->n_quasi; q++) {
        n_leaves[q] = count_leaves(&space->trees[q]);
        ready = n_leaves[q] != NULL;
    }
    if (ready) {
        fill_scheme(scheme, classes, n_leaves, place, scheme->part_tuple, scheme->part_rows);
    }
    for (size_t q = 0; n_leaves != NULL && q < space->n_quasi; q++) {
        pv_i_free(n_leaves[q]);
    }
    pv_i_free(n_leaves);
    if (!divided) {
        pv_i_free(scheme->part_tuple);
        pv_i_free(scheme->part_rows);
        scheme->part_tuple = NULL;
        scheme->part_rows = NULL;
        scheme->n_parts = 0;
    }
    pv_i_free(place);
    return ready ? PV_STATUS_OK : pv_i_no_memory(error);
}

/* The scheme knows what it was found for. */
static pv_status write_demands(pv_local *local, pv_error *error)
{
    pv_buffer out = {0};
    for (size_t i = 0; i < local->n_demands; i++) {
        char name[64];
        pv_measure_text(local->demands[i].ref, name, sizeof name);
        pv_i_buffer_format(&out, "%s%s=%.17g", i > 0 ? "," : "", name, local->demands[i].bound);
    }
    return pv_i_buffer_take(&out, &local->scheme->demands, error);
}

/* ----------------------------------------------------------------- measure */

/* Measures the scheme as a release would be measured. */
static pv_status measure(pv_local *local, const pv_study *study, pv_error *error)
{
    pv_classes *classes = NULL;
    PV_TRY(pv_scheme_classes(study, local->scheme, NULL, 0, 0, &classes, error));
    local->suppressed = pv_classes_suppressed(classes);
    local->n_classes = pv_classes_remaining(classes);
    const pv_status status = pv_measure_value(local->loss, classes, &local->value, error);
    pv_classes_free(classes);
    return status;
}

static pv_status find_bound(pv_local *local, const pv_local_draft *classes,
                            const pv_local_options *asked, const pv_context *context,
                            pv_error *error)
{
    const pv_local_proof_settings settings = {.context = context, .seconds = asked->bound_seconds};
    pv_local_proof bound = {0};
    if (asked->bound_seconds < 0 || local->stop == PV_STOP_CANCELLED) {
        return PV_STATUS_OK;
    }
    PV_TRY(pv_i_local_bound(classes, &settings, &bound, error));
    local->bound = fmin(bound.loss * classes->space->unit, local->value);
    local->bound_seconds = bound.seconds;
    local->sweeps = bound.sweeps;
    local->stop = bound.stop != PV_STOP_FINISHED ? bound.stop : local->stop;
    return PV_STATUS_OK;
}

static pv_status find_classes(pv_local *local, const pv_local_space *space,
                              const pv_local_options *asked, const pv_context *context,
                              pv_error *error)
{
    const pv_local_settings settings = {.context = context,
                                        .improve_seconds = asked->improve_seconds,
                                        .improve_steps = asked->improve_steps,
                                        .seed = asked->seed > 0 ? asked->seed : 1};
    pv_local_draft classes = {0};
    pv_local_account account = {0};
    pv_status status = PV_STATUS_OK;
    if (!pv_i_local_classes_init(&classes, space)) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    status = pv_i_local_find(space, &settings, &classes, &account, error);
    if (status == PV_STATUS_UNSATISFIED) {
        status = pv_i_hint(pv_i_fail(error, status,
                                     "no local recoding was found that keeps the demands with no "
                                     "more than %llu rows suppressed",
                                     (unsigned long long)space->budget),
                           error, "demand less, or allow more suppression; nothing was written");
    }
    PV_TRY_CLEAN(status);
    local->steps = account.steps;
    local->seconds = account.seconds;
    local->stop = account.stop;
    PV_TRY_CLEAN(make_scheme(local, &classes, error));
    PV_TRY_CLEAN(write_demands(local, error));
    PV_TRY_CLEAN(measure(local, space->profile->study, error));
    PV_TRY_CLEAN(find_bound(local, &classes, asked, context, error));
cleanup:
    pv_i_local_classes_deinit(&classes);
    return status;
}

static pv_status find(pv_local *local, const pv_study *study, const pv_local_options *asked,
                      pv_error *error)
{
    const pv_context *const context =
        asked->context != NULL ? asked->context : pv_study_context(study);
    const pv_budget *const budget =
        asked->budget != NULL ? asked->budget : &pv_study_plan(study)->suppression;
    const pv_profile *profile = NULL;
    pv_meter meter = {0};
    pv_local_space space = {0};
    pv_status status = PV_STATUS_OK;
    PV_TRY(pv_study_profile(study, &profile, error));
    PV_TRY(take_demands(local, study, asked, error));
    PV_TRY(take_loss(local, asked, error));
    local->budget = pv_budget_rows(budget, pv_profile_rows(profile));
    PV_TRY(pv_i_meter_init(&meter, local->loss, profile, error));
    PV_TRY_CLEAN(pv_i_local_space_init(&space, profile, &meter, local->demands, local->n_demands,
                                       local->budget, NULL, error));
    PV_TRY_CLEAN(find_classes(local, &space, asked, context, error));
cleanup:
    pv_i_local_space_deinit(&space);
    pv_i_meter_deinit(&meter);
    return status;
}

pv_status pv_local_find(const pv_study *study, const pv_local_options *options, pv_local **local,
                        pv_error *error)
{
    pv_local_options asked;
    PV_TRY(PV_TAKE_OPTIONS(asked, options, error));
    pv_local *const found = PV_NEW(pv_local);
    if (found == NULL) {
        return pv_i_no_memory(error);
    }
    const pv_status status = find(found, study, &asked, error);
    if (status != PV_STATUS_OK) {
        pv_local_free(found);
        return status;
    }
    *local = found;
    return PV_STATUS_OK;
}

double pv_local_gap(const pv_local *local)
{
    return local->value <= 0  ? 0
           : local->bound > 0 ? fmax(local->value / local->bound - 1, 0)
                              : (double)INFINITY;
}

pv_scheme *pv_local_take_scheme(pv_local *local)
{
    pv_scheme *const scheme = local->scheme;
    local->scheme = NULL;
    return scheme;
}

const pv_constraint *pv_local_demands(const pv_local *local, size_t *n_demands)
{
    *n_demands = local->n_demands;
    return local->demands;
}

/* clang-format off */
const pv_scheme *pv_local_scheme(const pv_local *l) { return l->scheme; }
pv_measure_ref pv_local_loss(const pv_local *l) { return l->loss; }
double pv_local_value(const pv_local *l) { return l->value; }
double pv_local_bound(const pv_local *l) { return l->bound; }
uint64_t pv_local_suppressed(const pv_local *l) { return l->suppressed; }
uint64_t pv_local_budget(const pv_local *l) { return l->budget; }
uint64_t pv_local_classes(const pv_local *l) { return l->n_classes; }
uint64_t pv_local_divided(const pv_local *l) { return l->divided; }
uint64_t pv_local_steps(const pv_local *l) { return l->steps; }
uint64_t pv_local_sweeps(const pv_local *l) { return l->sweeps; }
double pv_local_seconds(const pv_local *l) { return l->seconds; }
double pv_local_bound_seconds(const pv_local *l) { return l->bound_seconds; }
pv_stop pv_local_stop(const pv_local *l) { return l->stop; }
/* clang-format on */
