/* What a released value is worth and how sensitive it is.
 *
 * Both depend on nothing but the attribute, the level and the leaf, so they are looked up. A group
 * never is worth more, nor more sensitive, than one below it, to the last bit: searches that stop
 * early rely on it. */
#include "records/record_values.h"

#include "base/error.h"
#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ------------------------------------------------------------------ names */

typedef struct {
    const char *name, *summary;
} choice;

static const choice utilities[] = {
    [PV_UTILITY_DEPTH] = {"depth", "levels left above the value, summed over the attributes"},
    [PV_UTILITY_LEAVES] = {"leaves", "1/n, n being the values it may stand for"},
    [PV_UTILITY_LOG_LEAVES] = {"log-leaves", "ln(m/n), m being all values of the attribute"},
    [PV_UTILITY_XT] = {"xt", "what the loss (n-1)/m leaves of its largest value"},
    [PV_UTILITY_LM] = {"lm", "what the loss (n-1)/(m-1) leaves of its largest value"},
};
static_assert(sizeof utilities / sizeof *utilities == PV_UTILITY_COUNT,
              "every utility needs a name");

static const choice risks[] = {
    [PV_RISK_I] = {"I", "sensitivity of what is told / people whom it fits"},
    [PV_RISK_II] = {"II", "1 / people whom it fits"},
    [PV_RISK_III] = {"III", "-sensitivity * ln(people whom it fits); not monotone"},
};
static_assert(sizeof risks / sizeof *risks == PV_RISK_COUNT, "every risk model needs a name");

static const choice aims[] = {
    [PV_AIM_LEAST_RISK] = {"least-risk", "least risk with at least so much utility"},
    [PV_AIM_MOST_UTILITY] = {"most-utility", "most utility with at most so much risk"},
    [PV_AIM_BALANCE] = {"balance", "least risk - lambda * utility"},
};
static_assert(sizeof aims / sizeof *aims == PV_AIM_COUNT, "every aim needs a name");

static const choice *choice_at(const choice *choices, size_t n, size_t i)
{
    static const choice unknown = {"unknown", ""};
    return i < n ? &choices[i] : &unknown;
}

/* The place of a name, or n. */
static size_t find_choice(const choice *choices, size_t n, const char *name)
{
    size_t i = 0;
    while (i < n && strcmp(choices[i].name, name) != 0) {
        i++;
    }
    return i;
}

const char *pv_utility_name(pv_utility utility)
{
    return choice_at(utilities, PV_UTILITY_COUNT, (size_t)utility)->name;
}

const char *pv_utility_summary(pv_utility utility)
{
    return choice_at(utilities, PV_UTILITY_COUNT, (size_t)utility)->summary;
}

bool pv_utility_parse(const char *name, pv_utility *utility)
{
    const size_t i = find_choice(utilities, PV_UTILITY_COUNT, name);
    if (i < PV_UTILITY_COUNT) {
        *utility = (pv_utility)i;
    }
    return i < PV_UTILITY_COUNT;
}

const char *pv_risk_name(pv_risk risk)
{
    return choice_at(risks, PV_RISK_COUNT, (size_t)risk)->name;
}

const char *pv_risk_summary(pv_risk risk)
{
    return choice_at(risks, PV_RISK_COUNT, (size_t)risk)->summary;
}

bool pv_risk_parse(const char *name, pv_risk *risk)
{
    const size_t i = find_choice(risks, PV_RISK_COUNT, name);
    if (i < PV_RISK_COUNT) {
        *risk = (pv_risk)i;
    }
    return i < PV_RISK_COUNT;
}

const char *pv_aim_name(pv_aim aim)
{
    return choice_at(aims, PV_AIM_COUNT, (size_t)aim)->name;
}

/* ------------------------------------------------------------------- risk */

double pv_i_record_risk(pv_risk model, double phi, uint64_t rho, uint64_t n_rows)
{
    switch (model) {
    case PV_RISK_I: return rho > 0 ? phi / (double)rho : 0;
    case PV_RISK_II: return rho > 0 ? 1 / (double)rho : 0;
    default: {
        const uint64_t fitting = rho > 0 ? rho : n_rows;
        return fitting > 1 ? -phi * log((double)fitting) : 0;
    }
    }
}

/* ---------------------------------------------------------------- utility */

/* A group of n leaves, m in all. */
static double worth(pv_utility utility, unsigned depth, double n, double m)
{
    switch (utility) {
    case PV_UTILITY_DEPTH: return depth;
    case PV_UTILITY_LEAVES: return 1 / n;
    case PV_UTILITY_LOG_LEAVES: return log(m / n);
    case PV_UTILITY_XT: return (m - n) / m;
    default: return m > 1 ? (m - n) / (m - 1) : 0;
    }
}

/* The lowest level at which a leaf is the root. */
static uint8_t root_level(const pv_hierarchy *hierarchy, uint32_t leaf)
{
    unsigned level = 0;
    while (!pv_hierarchy_is_root(hierarchy, level, pv_hierarchy_group(hierarchy, level, leaf))) {
        level++;
    }
    return (uint8_t)level;
}

static void fill_level(const pv_record_values *values, size_t quasi, unsigned level,
                       pv_utility utility, const pv_sensitivities *sensitivities)
{
    const pv_hierarchy *const hierarchy = pv_study_hierarchy(values->profile->study, quasi);
    const pv_record_level *const at = &values->levels[quasi][level];
    const double m = (double)pv_hierarchy_domain(hierarchy);
    for (uint32_t leaf = 0; leaf < pv_hierarchy_leaves(hierarchy); leaf++) {
        const uint32_t group = pv_hierarchy_group(hierarchy, level, leaf);
        const unsigned root = values->root_level[quasi][leaf];
        at->utility[leaf] = worth(utility, level < root ? root - level : 0,
                                  (double)pv_hierarchy_group_leaves(hierarchy, level, group), m);
        at->sensitivity[leaf] = pv_sensitivity(sensitivities, quasi, level, leaf);
    }
}

/* ----------------------------------------------------------------- tables */

static bool allocate_quasi(pv_record_values *values, size_t quasi)
{
    const pv_hierarchy *const hierarchy = pv_study_hierarchy(values->profile->study, quasi);
    const uint32_t n_leaves = pv_hierarchy_leaves(hierarchy);
    values->heights[quasi] = pv_hierarchy_height(hierarchy);
    values->root_level[quasi] = PV_NEW_ARRAY(uint8_t, n_leaves);
    values->levels[quasi] = PV_NEW_ZEROED(pv_record_level, values->heights[quasi] + 1);
    bool fine = values->root_level[quasi] != NULL && values->levels[quasi] != NULL;
    for (unsigned level = 0; fine && level <= values->heights[quasi]; level++) {
        pv_record_level *const at = &values->levels[quasi][level];
        at->utility = PV_NEW_ARRAY(double, n_leaves);
        at->sensitivity = PV_NEW_ARRAY(double, n_leaves);
        fine = at->utility != NULL && at->sensitivity != NULL;
    }
    return fine;
}

static bool allocate(pv_record_values *values, const pv_profile *profile)
{
    const size_t n = pv_study_quasis(profile->study);
    *values = (pv_record_values){.profile = profile,
                                 .n_quasi = n,
                                 .levels = PV_NEW_ZEROED(pv_record_level *, n),
                                 .heights = PV_NEW_ZEROED(unsigned, n),
                                 .root_level = PV_NEW_ZEROED(uint8_t *, n)};
    bool fine = values->levels != NULL && values->heights != NULL && values->root_level != NULL;
    for (size_t quasi = 0; fine && quasi < n; quasi++) {
        fine = allocate_quasi(values, quasi);
    }
    return fine;
}

static void fill(pv_record_values *values, pv_utility utility,
                 const pv_sensitivities *sensitivities)
{
    for (size_t quasi = 0; quasi < values->n_quasi; quasi++) {
        const pv_hierarchy *const hierarchy = pv_study_hierarchy(values->profile->study, quasi);
        for (uint32_t leaf = 0; leaf < pv_hierarchy_leaves(hierarchy); leaf++) {
            values->root_level[quasi][leaf] = root_level(hierarchy, leaf);
        }
        for (unsigned level = 0; level <= values->heights[quasi]; level++) {
            fill_level(values, quasi, level, utility, sensitivities);
        }
    }
}

pv_status pv_i_record_values_init(pv_record_values *values, const pv_profile *profile,
                                  pv_utility utility, const pv_sensitivities *sensitivities,
                                  pv_error *error)
{
    pv_sensitivities *planned = NULL;
    pv_record_values made = {0};
    pv_status status = PV_STATUS_OK;
    if ((unsigned)utility >= PV_UTILITY_COUNT) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "there is no such utility");
    }
    if (sensitivities == NULL) {
        PV_TRY(pv_sensitivities_create(profile, PV_SENSITIVITY_PLAN, 0, &planned, error));
    }
    if (allocate(&made, profile)) {
        fill(&made, utility, sensitivities != NULL ? sensitivities : planned);
        *values = made;
    } else {
        pv_i_record_values_deinit(&made);
        status = pv_i_no_memory(error);
    }
    pv_sensitivities_free(planned);
    return status;
}

static void free_quasi(pv_record_values *values, size_t quasi)
{
    pv_record_level *const levels = values->levels[quasi];
    for (unsigned level = 0; levels != NULL && level <= values->heights[quasi]; level++) {
        pv_i_free(levels[level].utility);
        pv_i_free(levels[level].sensitivity);
    }
    pv_i_free(levels);
}

void pv_i_record_values_deinit(pv_record_values *values)
{
    for (size_t quasi = 0; values->levels != NULL && quasi < values->n_quasi; quasi++) {
        free_quasi(values, quasi);
    }
    for (size_t quasi = 0; values->root_level != NULL && quasi < values->n_quasi; quasi++) {
        pv_i_free(values->root_level[quasi]);
    }
    pv_i_free(values->levels);
    pv_i_free(values->heights);
    pv_i_free(values->root_level);
    *values = (pv_record_values){0};
}
