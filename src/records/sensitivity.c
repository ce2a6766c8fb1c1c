/* Sensitivities: how much it would hurt to have a value known, from the leaves upward.
 *
 *     leaf      w(a)   w(b)   w(c)
 *     group     1/(1/w(a) + 1/w(b))      the more it may be, the less it says
 *     *         0                        says nothing
 *
 * Harmonic sums telescope: a group's children need not be asked, its leaves will do. */
#include "base/arena.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/rng.h"
#include "classes/profile.h"
#include "classes/value_index.h"
#include "hierarchy/labels.h"
#include "hierarchy/tree.h"
#include "plan/plan.h"
#include "table/value.h"

#include <math.h>
#include <paravent/disclose.h>

struct pv_sensitivities {
    const pv_profile *profile;
    size_t n_quasi;
    double ***of; /* by quasi-identifier, level and group */
    pv_arena arena;
};

/* Of one attribute: by leaf, and of the values of its domain that do not occur (`domain:
 * hierarchy`), which make the groups they belong to less sensitive all the same. */
typedef struct {
    const pv_study *study;
    size_t quasi;
    const pv_hierarchy *hierarchy;
    double *leaves;
    double *absent; /* as hierarchy->absent has them */
    double *others; /* by node: sum of 1 / w over the absent values it covers */
    double *least;  /* by node: the least w of them; INFINITY = none */
    pv_arena arena; /* holds them, and the labels below */
} weights;

/* ------------------------------------------------------- leaves by the plan */

/* A sensitivity of a value that is neither in the column nor counts without being there would be a
 * wish that nobody fulfils; most are misspelt. */
static pv_status fail_unknown(const weights *w, const pv_plan_sensitivity_value *named,
                              pv_error *error)
{
    const pv_plan_attribute *const attribute = pv_study_quasi_attribute(w->study, w->quasi);
    const char *const file = attribute->sensitivity.file;
    return pv_i_hint(
        pv_i_fail_at(error, PV_STATUS_INPUT, file != NULL ? file : pv_study_plan(w->study)->path,
                     named->line, named->column,
                     "a sensitivity is given to a value that column `%s` does not have",
                     attribute->name),
        error,
        attribute->hierarchy.count_all_leaves
            ? "correct the value, or remove it"
            : "correct the value, or remove it; values that only the hierarchy names count with "
              "`domain: hierarchy`");
}

static pv_status take_value(weights *w, const pv_value_index *column,
                            const pv_labels *absent_values, const pv_plan_sensitivity_value *named,
                            pv_error *error)
{
    const char *const *const missing = (const char *const *)pv_study_plan(w->study)->missing;
    const uint32_t code =
        pv_i_is_missing(missing, named->value)
            ? pv_table_missing(pv_study_table(w->study), pv_study_quasi_column(w->study, w->quasi))
            : pv_i_value_index_find(column, named->value);
    const uint32_t absent =
        code == PV_NO_CODE ? pv_i_labels_find(absent_values, named->value) : PV_NO_LABEL;
    if (code == PV_NO_CODE && absent == PV_NO_LABEL) {
        return fail_unknown(w, named, error);
    }
    *(code != PV_NO_CODE ? &w->leaves[pv_hierarchy_leaf(w->hierarchy, code)] : &w->absent[absent]) =
        pv_decimal_double(named->sensitivity);
    return PV_STATUS_OK;
}

static void set_all(double *values, uint32_t n, double value)
{
    for (uint32_t i = 0; i < n; i++) {
        values[i] = value;
    }
}

static pv_status take_plan(weights *w, pv_error *error)
{
    const pv_plan_sensitivity *const given =
        &pv_study_quasi_attribute(w->study, w->quasi)->sensitivity;
    const double others = given->is_given ? pv_decimal_double(given->others) : 1;
    set_all(w->leaves, w->hierarchy->n_leaves, others);
    set_all(w->absent, w->hierarchy->n_absent, others);
    if (given->n_values == 0) {
        return PV_STATUS_OK;
    }
    pv_value_index column = {0};
    pv_labels absent = {0}; /* values of the hierarchy that do not occur */
    pv_status status = pv_i_value_index_init(&column, pv_study_table(w->study),
                                             pv_study_quasi_column(w->study, w->quasi), error);
    for (uint32_t i = 0; status == PV_STATUS_OK && i < w->hierarchy->n_absent; i++) {
        uint32_t number; /* each is named once, so this is i */
        status = pv_i_labels_add(&absent, &w->arena, w->hierarchy->absent[i].text, &number, error);
    }
    for (size_t i = 0; status == PV_STATUS_OK && i < given->n_values; i++) {
        status = take_value(w, &column, &absent, &given->values[i], error);
    }
    pv_i_value_index_deinit(&column);
    pv_i_labels_deinit(&absent);
    return status;
}

/* The sensitivities of the leaves, and of the values that do not occur. */
static pv_status take_leaves(weights *w, pv_sensitivity_source source, pv_rng *rng, pv_error *error)
{
    if (source == PV_SENSITIVITY_PLAN) {
        return take_plan(w, error);
    }
    for (uint32_t leaf = 0; leaf < w->hierarchy->n_leaves; leaf++) {
        w->leaves[leaf] = source == PV_SENSITIVITY_RANDOM ? 1 - pv_i_rng_unit(rng) : 1;
    }
    set_all(w->absent, w->hierarchy->n_absent, 1);
    return PV_STATUS_OK;
}

/* -------------------------------------------------------------------- groups */

static double inverse(double w)
{
    return w > 0 ? 1 / w : HUGE_VAL;
}

static void add_absent(weights *w)
{
    const pv_hierarchy *const h = w->hierarchy;
    for (uint32_t node = 0; node < h->n_nodes; node++) {
        w->others[node] = 0;
        w->least[node] = HUGE_VAL;
    }
    for (uint32_t i = 0; i < h->n_absent; i++) {
        for (uint32_t node = h->absent[i].lowest; node != PV_ROOT_NODE;
             node = h->nodes[node].parent) {
            w->others[node] += inverse(w->absent[i]);
            w->least[node] = fmin(w->least[node], w->absent[i]);
        }
    }
}

/* Of the leaves that a node covers. Rounding must not make a group more sensitive than one within
 * it: the sum only grows with the leaves, and the least of them bounds it. */
static double harmonic(const weights *w, uint32_t number)
{
    const pv_hierarchy_node *const node = &w->hierarchy->nodes[number];
    double sum = w->others[number];
    double least = w->least[number];
    for (uint32_t place = node->first; place < node->end; place++) {
        const double leaf = w->leaves[w->hierarchy->depth_first[place]];
        least = fmin(least, leaf);
        sum += inverse(leaf);
    }
    const bool is_single = node->end - node->first == 1 && !(w->others[number] > 0);
    return is_single ? least : fmin(least, 1 / sum);
}

static pv_status make_quasi(pv_sensitivities *s, size_t quasi, pv_sensitivity_source source,
                            pv_rng *rng, pv_error *error)
{
    const pv_hierarchy *const h = pv_study_hierarchy(s->profile->study, quasi);
    const unsigned height = pv_hierarchy_height(h);
    weights w = {.study = s->profile->study, .quasi = quasi, .hierarchy = h};
    w.leaves = PV_ARENA_ARRAY(&w.arena, double, h->n_leaves);
    w.absent = PV_ARENA_ARRAY(&w.arena, double, h->n_absent);
    w.others = PV_ARENA_ARRAY(&w.arena, double, h->n_nodes);
    w.least = PV_ARENA_ARRAY(&w.arena, double, h->n_nodes);
    double **const of = s->of[quasi] = PV_ARENA_ARRAY(&s->arena, double *, height + 1);
    pv_status status = w.arena.failed || s->arena.failed ? pv_i_no_memory(error)
                                                         : take_leaves(&w, source, rng, error);
    if (status == PV_STATUS_OK) {
        add_absent(&w);
    }
    for (unsigned level = 0; status == PV_STATUS_OK && level <= height; level++) {
        const pv_hierarchy_level *const at = &h->levels[level];
        of[level] = PV_ARENA_ARRAY(&s->arena, double, at->n_groups);
        status = of[level] != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
        for (uint32_t group = 0; status == PV_STATUS_OK && group < at->n_groups; group++) {
            of[level][group] = pv_hierarchy_is_root(h, level, group) ? 0
                               : level == 0                          ? w.leaves[group]
                                            : harmonic(&w, at->nodes[group]);
        }
    }
    pv_i_arena_deinit(&w.arena);
    return status;
}

/* --------------------------------------------------------------------- whole */

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
    pv_rng rng;
    pv_i_rng_init(&rng, seed);
    made->profile = profile;
    made->n_quasi = pv_study_quasis(profile->study);
    made->of = PV_ARENA_ARRAY(&made->arena, double **, made->n_quasi);
    pv_status status = made->of != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
    for (size_t quasi = 0; status == PV_STATUS_OK && quasi < made->n_quasi; quasi++) {
        status = make_quasi(made, quasi, source, &rng, error);
    }
    if (status != PV_STATUS_OK) {
        pv_sensitivities_free(made);
        return status;
    }
    *sensitivities = made;
    return PV_STATUS_OK;
}

void pv_sensitivities_free(pv_sensitivities *sensitivities)
{
    if (sensitivities != NULL) {
        pv_i_arena_deinit(&sensitivities->arena);
        pv_i_free(sensitivities);
    }
}

double pv_sensitivity(const pv_sensitivities *sensitivities, size_t quasi, unsigned level,
                      uint32_t leaf)
{
    const pv_hierarchy *const hierarchy = pv_study_hierarchy(sensitivities->profile->study, quasi);
    return sensitivities->of[quasi][level][pv_hierarchy_group(hierarchy, level, leaf)];
}
