/* The tables of a weighing. */
#include "records/weighing.h"

#include "base/error.h"
#include "base/memory.h"

#include <math.h>

/* Sums stay below 2^60 units; what a bound is missed by less than 2^20 of them is rounding. */
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

typedef struct {
    double utility, phi;
} sums;

/* The most that utility and sensitivity can be: a value as it is has more of both than any group.
 */
static sums most_of_all(const pv_record_values *values)
{
    sums most = {0};
    for (size_t q = 0; q < values->n_quasi; q++) {
        most.utility += largest(values->levels[q][0].utility, leaves_of(values, q));
        most.phi += largest(values->levels[q][0].sensitivity, leaves_of(values, q));
    }
    return most;
}

static void fill_level(const pv_weighing *w, size_t quasi, unsigned level, double phi_unit)
{
    const pv_record_level *const values = &w->values->levels[quasi][level];
    pv_worth *const worth = w->worth[quasi][level];
    for (uint32_t leaf = 0; leaf < leaves_of(w->values, quasi); leaf++) {
        worth[leaf].utility = llrint(values->utility[leaf] / w->utility_unit);
        worth[leaf].phi = llrint(values->sensitivity[leaf] / phi_unit);
    }
}

static bool fill_worth(pv_weighing *w, double phi_unit)
{
    const pv_record_values *const values = w->values;
    w->worth = PV_NEW_ZEROED(pv_worth **, values->n_quasi);
    for (size_t q = 0; w->worth != NULL && q < values->n_quasi; q++) {
        w->worth[q] = PV_NEW_ZEROED(pv_worth *, values->heights[q] + 1);
        for (unsigned level = 0; w->worth[q] != NULL && level <= values->heights[q]; level++) {
            w->worth[q][level] = PV_NEW_ARRAY(pv_worth, leaves_of(values, q));
            if (w->worth[q][level] == NULL) {
                return false;
            }
            fill_level(w, q, level, phi_unit);
        }
        if (w->worth[q] == NULL) {
            return false;
        }
    }
    return w->worth != NULL;
}

static bool fill_factors(pv_weighing *w)
{
    w->n_factors = w->n_rows < MOST_FACTORS ? w->n_rows + 1 : MOST_FACTORS;
    w->factors = PV_NEW_ARRAY(double, w->n_factors);
    for (uint64_t rho = 0; w->factors != NULL && rho < w->n_factors; rho++) {
        w->factors[rho] = pv_i_record_risk(w->model, 1, rho, w->n_rows);
    }
    return w->factors != NULL;
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
    const sums most = most_of_all(values);
    const double phi_unit = unit_for(most.phi);
    const bool is_even = options->risk == PV_RISK_II;
    pv_weighing w = {.values = values,
                     .model = options->risk,
                     .aim = options->aim,
                     .bound = options->bound,
                     .is_share = options->is_share,
                     .n_rows = n_rows,
                     .utility_unit = unit_for(most.utility),
                     .phi_unit = is_even ? 0 : phi_unit,
                     .phi_base = is_even ? 1 : 0};
    w.grid = unit_for(most_risk(&w, most.phi) + fabs(w.bound) * most.utility) *
             ldexp(1, SUM_BITS - GRID_BITS);
    if (!fill_worth(&w, phi_unit) || !fill_factors(&w)) {
        pv_i_weighing_deinit(&w);
        return pv_i_no_memory(error);
    }
    *weighing = w;
    return PV_STATUS_OK;
}

void pv_i_weighing_deinit(pv_weighing *weighing)
{
    for (size_t q = 0; weighing->worth != NULL && q < weighing->values->n_quasi; q++) {
        pv_worth **const levels = weighing->worth[q];
        for (unsigned level = 0; levels != NULL && level <= weighing->values->heights[q]; level++) {
            pv_i_free(levels[level]);
        }
        pv_i_free(levels);
    }
    pv_i_free(weighing->worth);
    pv_i_free(weighing->factors);
    *weighing = (pv_weighing){0};
}

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
