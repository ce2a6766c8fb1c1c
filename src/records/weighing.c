/* Names of utilities, risks and aims; the values of what is released; and how they are weighed up.
 *
 * The unit of utility, and that of sensitivity, is the power of two of which 2^60 are enough for
 * the largest sum there can be. Adding whole numbers is exact, in any order, and nothing overflows.
 * What is missed by less than 2^20 units (40 bits are left then) is rounding. */
#include "records/weighing.h"

#include "base/error.h"

#include <assert.h>
#include <math.h>

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

static choice choice_at(const choice *choices, size_t n, size_t i)
{
    return i < n ? choices[i] : (choice){"unknown", ""};
}

/* The place of a name; -1 = there is none. */
static int find_choice(const choice *choices, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(choices[i].name, name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

const char *pv_utility_name(pv_utility utility)
{
    return choice_at(utilities, PV_UTILITY_COUNT, (size_t)utility).name;
}

const char *pv_utility_summary(pv_utility utility)
{
    return choice_at(utilities, PV_UTILITY_COUNT, (size_t)utility).summary;
}

bool pv_utility_parse(const char *name, pv_utility *utility)
{
    const int found = find_choice(utilities, PV_UTILITY_COUNT, name);
    *utility = found >= 0 ? (pv_utility)found : *utility;
    return found >= 0;
}

const char *pv_risk_name(pv_risk risk)
{
    return choice_at(risks, PV_RISK_COUNT, (size_t)risk).name;
}

const char *pv_risk_summary(pv_risk risk)
{
    return choice_at(risks, PV_RISK_COUNT, (size_t)risk).summary;
}

bool pv_risk_parse(const char *name, pv_risk *risk)
{
    const int found = find_choice(risks, PV_RISK_COUNT, name);
    *risk = found >= 0 ? (pv_risk)found : *risk;
    return found >= 0;
}

const char *pv_aim_name(pv_aim aim)
{
    return choice_at(aims, PV_AIM_COUNT, (size_t)aim).name;
}

/* ------------------------------------------------------------------- risk */

/* Nobody fits: in models I and II there is no risk, since the attacker finds no one. Model III has
 * no such limit; it takes the least risk that this sensitivity can have, as if everyone fitted. */
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

/* Of a group of n leaves, m in all, so many levels below the root. The losses `xt` and `lm` count
 * as what they leave of the largest loss there can be, so that more is better for all five. */
static double utility_of(pv_utility utility, unsigned depth, double n, double m)
{
    switch (utility) {
    case PV_UTILITY_DEPTH: return depth;
    case PV_UTILITY_LEAVES: return 1 / n;
    case PV_UTILITY_LOG_LEAVES: return log(m / n);
    case PV_UTILITY_XT: return (m - n) / m;
    default: return m > 1 ? (m - n) / (m - 1) : 0;
    }
}

uint8_t pv_i_root_level(const pv_hierarchy *hierarchy, uint32_t leaf)
{
    unsigned level = 0;
    while (!pv_hierarchy_is_root(hierarchy, level, pv_hierarchy_group(hierarchy, level, leaf))) {
        level++;
    }
    return (uint8_t)level;
}

/* The tables of one attribute. */
void pv_i_allowed_levels(const pv_study *study, size_t quasi, uint8_t *lowest, uint8_t *highest)
{
    unsigned low = 0;
    unsigned high = pv_hierarchy_height(pv_study_hierarchy(study, quasi));
    while (!pv_study_allows(study, quasi, low)) {
        low++;
    }
    while (!pv_study_allows(study, quasi, high)) {
        high--;
    }
    *lowest = (uint8_t)low;
    *highest = (uint8_t)high;
}

static bool fill_attribute(pv_record_values *values, size_t quasi, pv_utility utility,
                           const pv_sensitivities *sensitivities)
{
    const pv_hierarchy *const hierarchy = pv_study_hierarchy(values->profile->study, quasi);
    const uint32_t n_leaves = pv_hierarchy_leaves(hierarchy);
    const double m = (double)pv_hierarchy_domain(hierarchy);
    const unsigned height = values->heights[quasi] = pv_hierarchy_height(hierarchy);
    uint8_t *const root = PV_ARENA_ARRAY(&values->arena, uint8_t, n_leaves);
    pv_record_level *const levels = PV_ARENA_ARRAY(&values->arena, pv_record_level, height + 1);
    values->root_level[quasi] = root;
    values->levels[quasi] = levels;
    for (uint32_t leaf = 0; root != NULL && leaf < n_leaves; leaf++) {
        root[leaf] = pv_i_root_level(hierarchy, leaf);
    }
    pv_i_allowed_levels(values->profile->study, quasi, &values->lowest[quasi],
                        &values->highest[quasi]);
    for (unsigned level = 0; !values->arena.failed && level <= height; level++) {
        pv_record_level *const at = &levels[level];
        at->utility = PV_ARENA_ARRAY(&values->arena, double, n_leaves);
        at->sensitivity = PV_ARENA_ARRAY(&values->arena, double, n_leaves);
        for (uint32_t leaf = 0; !values->arena.failed && leaf < n_leaves; leaf++) {
            const uint32_t group = pv_hierarchy_group(hierarchy, level, leaf);
            at->utility[leaf] =
                utility_of(utility, level < root[leaf] ? root[leaf] - level : 0,
                           (double)pv_hierarchy_group_leaves(hierarchy, level, group), m);
            at->sensitivity[leaf] = pv_sensitivity(sensitivities, quasi, level, leaf);
        }
    }
    return !values->arena.failed;
}

pv_status pv_i_record_values_init(pv_record_values *values, const pv_profile *profile,
                                  pv_utility utility, const pv_sensitivities *sensitivities,
                                  pv_error *error)
{
    const size_t n = pv_study_quasis(profile->study);
    pv_sensitivities *planned = NULL; /* as the plan says, if none are given */
    if ((unsigned)utility >= PV_UTILITY_COUNT) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "there is no such utility");
    }
    if (sensitivities == NULL) {
        PV_TRY(pv_sensitivities_create(profile, PV_SENSITIVITY_PLAN, 0, &planned, error));
    }
    *values = (pv_record_values){.profile = profile, .n_quasi = n};
    values->levels = PV_ARENA_ARRAY(&values->arena, pv_record_level *, n);
    values->heights = PV_ARENA_ARRAY(&values->arena, unsigned, n);
    values->root_level = PV_ARENA_ARRAY(&values->arena, uint8_t *, n);
    values->lowest = PV_ARENA_ARRAY(&values->arena, uint8_t, n);
    values->highest = PV_ARENA_ARRAY(&values->arena, uint8_t, n);
    bool ready = !values->arena.failed;
    for (size_t quasi = 0; ready && quasi < n; quasi++) {
        ready =
            fill_attribute(values, quasi, utility, sensitivities != NULL ? sensitivities : planned);
    }
    pv_sensitivities_free(planned);
    if (!ready) {
        pv_i_record_values_deinit(values);
        return pv_i_no_memory(error);
    }
    return PV_STATUS_OK;
}

void pv_i_record_values_deinit(pv_record_values *values)
{
    pv_i_arena_deinit(&values->arena);
    *values = (pv_record_values){0};
}

/* ------------------------------------------------------------------ units */

#define SUM_BITS 60
#define SLACK ((int64_t)1 << 20)
#define MOST_UNITS ((int64_t)1 << 61)
#define GRID_BITS 40
#define MOST_FACTORS ((uint64_t)1 << 16)

static uint32_t leaves_of(const pv_record_values *values, size_t quasi)
{
    return pv_hierarchy_leaves(pv_study_hierarchy(values->profile->study, quasi));
}

static double largest(const double *x, uint32_t n)
{
    double most = 0;
    for (uint32_t i = 0; i < n; i++) {
        most = x[i] > most ? x[i] : most;
    }
    return most;
}

/* The power of two of which 2^60 are enough for `most`. */
static double unit_for(double most)
{
    int exponent = 0;
    (void)frexp(most, &exponent);
    return ldexp(1, exponent - SUM_BITS);
}

/* The values in units. Rounding keeps order: what is worth no more stays so, and monotone stays
 * monotone. */
static void fill_worth(pv_weighing *w, double phi_unit)
{
    const pv_record_values *const values = w->values;
    w->worth = PV_ARENA_ARRAY(&w->arena, pv_worth **, values->n_quasi);
    for (size_t q = 0; !w->arena.failed && q < values->n_quasi; q++) {
        const uint32_t n_leaves = leaves_of(values, q);
        w->worth[q] = PV_ARENA_ARRAY(&w->arena, pv_worth *, values->heights[q] + 1);
        for (unsigned level = 0; !w->arena.failed && level <= values->heights[q]; level++) {
            const pv_record_level *const from = &values->levels[q][level];
            pv_worth *const to = w->worth[q][level] = PV_ARENA_ARRAY(&w->arena, pv_worth, n_leaves);
            for (uint32_t leaf = 0; to != NULL && leaf < n_leaves; leaf++) {
                to[leaf].utility = llrint(from->utility[leaf] / w->utility_unit);
                to[leaf].phi = llrint(from->sensitivity[leaf] / phi_unit);
            }
        }
    }
}

/* The factor of a risk model for each rho up to 2^16; larger ones are computed when asked for. A
 * risk is then a product of two numbers that every method takes from here: equal ones are equal to
 * the last bit. */
static void fill_factors(pv_weighing *w)
{
    w->n_factors = w->n_rows < MOST_FACTORS ? w->n_rows + 1 : MOST_FACTORS;
    w->factors = PV_ARENA_ARRAY(&w->arena, double, w->n_factors);
    for (uint64_t rho = 0; w->factors != NULL && rho < w->n_factors; rho++) {
        w->factors[rho] = pv_i_record_risk(w->model, 1, rho, w->n_rows);
    }
}

/* The largest risk there can be, without its sign. */
static double most_risk(const pv_weighing *w, double phi)
{
    switch (w->model) {
    case PV_RISK_I: return phi;
    case PV_RISK_II: return 1;
    default: return fabs(pv_i_record_risk(w->model, phi, w->n_rows, w->n_rows));
    }
}

pv_status pv_i_weighing_init(pv_weighing *weighing, const pv_record_values *values,
                             const pv_disclose_options *options, uint64_t n_rows, pv_error *error)
{
    double most_utility = 0; /* a raw value has more of both than any group */
    double most_phi = 0;
    for (size_t q = 0; q < values->n_quasi; q++) {
        most_utility += largest(values->levels[q][0].utility, leaves_of(values, q));
        most_phi += largest(values->levels[q][0].sensitivity, leaves_of(values, q));
    }
    const double phi_unit = unit_for(most_phi);
    const bool is_even = options->risk == PV_RISK_II;
    pv_weighing w = {.values = values,
                     .model = options->risk,
                     .aim = options->aim,
                     .bound = options->bound,
                     .is_share = options->is_share,
                     .n_rows = n_rows,
                     .utility_unit = unit_for(most_utility),
                     .phi_unit = is_even ? 0 : phi_unit,
                     .phi_base = is_even ? 1 : 0};
    /* A balance is a difference: what two choices differ by after cancellation is rounding if it is
     * below 2^-40 of the largest risk or utility. */
    w.grid = unit_for(most_risk(&w, most_phi) + fabs(w.bound) * most_utility) *
             ldexp(1, SUM_BITS - GRID_BITS);
    fill_worth(&w, phi_unit);
    fill_factors(&w);
    if (w.arena.failed) {
        pv_i_weighing_deinit(&w);
        return pv_i_no_memory(error);
    }
    *weighing = w;
    return PV_STATUS_OK;
}

void pv_i_weighing_deinit(pv_weighing *weighing)
{
    pv_i_arena_deinit(&weighing->arena);
    *weighing = (pv_weighing){0};
}

/* A little less than was asked for, so that a choice that keeps the bound but for rounding keeps
 * it. */
int64_t pv_i_weighing_floor(const pv_weighing *weighing, int64_t most)
{
    if (weighing->aim != PV_AIM_LEAST_RISK) {
        return -MOST_UNITS;
    }
    const double units = weighing->is_share ? weighing->bound * (double)most
                                            : weighing->bound / weighing->utility_unit;
    const double limit = (double)MOST_UNITS;
    return (int64_t)(units < -limit ? -limit : units > limit ? limit : units) - SLACK;
}
