/* Sensitivities: how much it would hurt to have a value known, from the leaves upward.
 *
 *     leaf      w(a)   w(b)   w(c)
 *     group     1/(1/w(a) + 1/w(b))      the more it may be, the less is told
 *     *         0                        nothing is told
 *
 * Harmonic sums telescope: a group's children need not be asked, its leaves will do. */
#include "base/error.h"
#include "base/memory.h"
#include "base/rng.h"
#include "classes/profile.h"
#include "classes/value_index.h"
#include "hierarchy/tree.h"
#include "table/value.h"

#include <math.h>
#include <paravent/disclose.h>
#include <string.h>

struct pv_sensitivities {
    const pv_profile *profile;
    size_t n_quasi;
    double ***of; /* by quasi-identifier, level and group */
};

/* ------------------------------------------------------- leaves by the plan */

/* Names that neither the table nor the hierarchy has are misspelt: they would be a wish that nobody
 * fulfils. */
static bool is_named(const pv_hierarchy_spec *spec, const char *text)
{
    for (size_t i = 0; i < spec->n_rows; i++) {
        if (strcmp(spec->rows[i][0], text) == 0) {
            return true;
        }
    }
    for (size_t i = 0; i < spec->n_values; i++) {
        if (strcmp(spec->values[i], text) == 0) {
            return true;
        }
    }
    return false;
}

static pv_status fail_unknown(const pv_plan *plan, const pv_plan_attribute *attribute,
                              const pv_plan_sensitivity_value *named, pv_error *error)
{
    const char *const file = attribute->sensitivity.file;
    return pv_i_hint(
        pv_i_fail_at(
            error, PV_STATUS_INPUT, file != NULL ? file : plan->path, named->line, named->column,
            "a sensitivity is given to a value that column `%s` does not have", attribute->name),
        error, "correct the value, or remove it");
}

/* Where a value of the plan is in the column; PV_NO_CODE = known, but it does not occur. */
static pv_status find_code(const pv_study *study, size_t quasi, const pv_value_index *index,
                           const pv_plan_sensitivity_value *named, uint32_t *code, pv_error *error)
{
    const pv_plan *const plan = pv_study_plan(study);
    const pv_plan_attribute *const attribute = pv_study_quasi_attribute(study, quasi);
    *code = pv_i_is_missing((const char *const *)plan->missing, named->value)
                ? pv_table_missing(pv_study_table(study), pv_study_quasi_column(study, quasi))
                : pv_i_value_index_find(index, named->value);
    const bool is_known = *code != PV_NO_CODE ||
                          pv_i_is_missing((const char *const *)plan->missing, named->value) ||
                          is_named(&attribute->hierarchy, named->value);
    return is_known ? PV_STATUS_OK : fail_unknown(plan, attribute, named, error);
}

static pv_status take_values(const pv_study *study, size_t quasi, const pv_value_index *index,
                             double *leaves, pv_error *error)
{
    const pv_plan_sensitivity *const given = &pv_study_quasi_attribute(study, quasi)->sensitivity;
    for (size_t i = 0; i < given->n_values; i++) {
        uint32_t code = PV_NO_CODE;
        PV_TRY(find_code(study, quasi, index, &given->values[i], &code, error));
        if (code != PV_NO_CODE) {
            leaves[pv_hierarchy_leaf(pv_study_hierarchy(study, quasi), code)] =
                pv_decimal_double(given->values[i].sensitivity);
        }
    }
    return PV_STATUS_OK;
}

static pv_status take_plan(const pv_study *study, size_t quasi, double *leaves, pv_error *error)
{
    const pv_plan_sensitivity *const given = &pv_study_quasi_attribute(study, quasi)->sensitivity;
    const uint32_t n = pv_hierarchy_leaves(pv_study_hierarchy(study, quasi));
    for (uint32_t leaf = 0; leaf < n; leaf++) {
        leaves[leaf] = given->is_given ? pv_decimal_double(given->others) : 1;
    }
    if (given->n_values == 0) {
        return PV_STATUS_OK;
    }
    pv_value_index index;
    pv_status status = pv_i_value_index_init(&index, pv_study_table(study),
                                             pv_study_quasi_column(study, quasi), error);
    if (status == PV_STATUS_OK) {
        status = take_values(study, quasi, &index, leaves, error);
    }
    pv_i_value_index_deinit(&index);
    return status;
}

static pv_status take_leaves(const pv_sensitivities *s, size_t quasi, pv_sensitivity_source source,
                             pv_rng *rng, double *leaves, pv_error *error)
{
    const pv_study *const study = s->profile->study;
    const uint32_t n = pv_hierarchy_leaves(pv_study_hierarchy(study, quasi));
    if (source == PV_SENSITIVITY_PLAN) {
        return take_plan(study, quasi, leaves, error);
    }
    for (uint32_t leaf = 0; leaf < n; leaf++) {
        leaves[leaf] = source == PV_SENSITIVITY_RANDOM ? 1 - pv_i_rng_unit(rng) : 1;
    }
    return PV_STATUS_OK;
}

/* -------------------------------------------------------------------- groups */

/* Of the leaves that a node covers. Rounding must not make a group more sensitive than one within
 * it: the sum only grows with the leaves, and the least of them bounds it. */
static double harmonic(const pv_hierarchy *hierarchy, const pv_hierarchy_node *node,
                       const double *leaves)
{
    double sum = 0;
    double least = leaves[hierarchy->walk[node->first]];
    for (uint32_t place = node->first; place < node->end; place++) {
        const double leaf = leaves[hierarchy->walk[place]];
        least = fmin(least, leaf);
        sum += leaf > 0 ? 1 / leaf : HUGE_VAL;
    }
    return node->end - node->first == 1 ? least : fmin(least, 1 / sum);
}

static void fill_level(const pv_hierarchy *hierarchy, unsigned level, const double *leaves,
                       double *groups)
{
    const pv_hierarchy_level *const at = &hierarchy->levels[level];
    for (uint32_t group = 0; group < at->n_groups; group++) {
        if (pv_hierarchy_is_root(hierarchy, level, group)) {
            groups[group] = 0;
        } else {
            groups[group] = level == 0
                                ? leaves[group]
                                : harmonic(hierarchy, &hierarchy->nodes[at->nodes[group]], leaves);
        }
    }
}

static pv_status fill_quasi(pv_sensitivities *s, size_t quasi, const double *leaves,
                            pv_error *error)
{
    const pv_hierarchy *const hierarchy = pv_study_hierarchy(s->profile->study, quasi);
    const unsigned height = pv_hierarchy_height(hierarchy);
    s->of[quasi] = PV_NEW_ZEROED(double *, height + 1);
    for (unsigned level = 0; s->of[quasi] != NULL && level <= height; level++) {
        s->of[quasi][level] = PV_NEW_ARRAY(double, pv_hierarchy_groups(hierarchy, level));
        if (s->of[quasi][level] == NULL) {
            return pv_i_no_memory(error);
        }
        fill_level(hierarchy, level, leaves, s->of[quasi][level]);
    }
    return s->of[quasi] != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
}

static pv_status make_quasi(pv_sensitivities *s, size_t quasi, pv_sensitivity_source source,
                            pv_rng *rng, pv_error *error)
{
    const pv_hierarchy *const hierarchy = pv_study_hierarchy(s->profile->study, quasi);
    double *const leaves = PV_NEW_ARRAY(double, pv_hierarchy_leaves(hierarchy));
    if (leaves == NULL) {
        return pv_i_no_memory(error);
    }
    pv_status status = take_leaves(s, quasi, source, rng, leaves, error);
    if (status == PV_STATUS_OK) {
        status = fill_quasi(s, quasi, leaves, error);
    }
    pv_i_free(leaves);
    return status;
}

/* --------------------------------------------------------------------- whole */

static pv_status make_all(pv_sensitivities *s, pv_sensitivity_source source, uint64_t seed,
                          pv_error *error)
{
    pv_rng rng;
    pv_i_rng_init(&rng, seed);
    s->of = PV_NEW_ZEROED(double **, s->n_quasi);
    if (s->of == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t quasi = 0; quasi < s->n_quasi; quasi++) {
        PV_TRY(make_quasi(s, quasi, source, &rng, error));
    }
    return PV_STATUS_OK;
}

pv_status pv_sensitivities_create(const pv_profile *profile, pv_sensitivity_source source,
                                  uint64_t seed, pv_sensitivities **sensitivities, pv_error *error)
{
    if ((unsigned)source > PV_SENSITIVITY_RANDOM) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "there is no such source of sensitivities");
    }
    pv_sensitivities *const made = PV_NEW(pv_sensitivities);
    if (made == NULL) {
        return pv_i_no_memory(error);
    }
    made->profile = profile;
    made->n_quasi = pv_study_quasis(profile->study);
    const pv_status status = make_all(made, source, seed, error);
    if (status != PV_STATUS_OK) {
        pv_sensitivities_free(made);
        return status;
    }
    *sensitivities = made;
    return PV_STATUS_OK;
}

static void free_quasi(const pv_sensitivities *s, size_t quasi)
{
    const unsigned height = pv_hierarchy_height(pv_study_hierarchy(s->profile->study, quasi));
    for (unsigned level = 0; s->of[quasi] != NULL && level <= height; level++) {
        pv_i_free(s->of[quasi][level]);
    }
    pv_i_free(s->of[quasi]);
}

void pv_sensitivities_free(pv_sensitivities *sensitivities)
{
    if (sensitivities == NULL) {
        return;
    }
    for (size_t quasi = 0; sensitivities->of != NULL && quasi < sensitivities->n_quasi; quasi++) {
        free_quasi(sensitivities, quasi);
    }
    pv_i_free(sensitivities->of);
    pv_i_free(sensitivities);
}

double pv_sensitivity(const pv_sensitivities *sensitivities, size_t quasi, unsigned level,
                      uint32_t leaf)
{
    const pv_hierarchy *const hierarchy = pv_study_hierarchy(sensitivities->profile->study, quasi);
    return sensitivities->of[quasi][level][pv_hierarchy_group(hierarchy, level, leaf)];
}
