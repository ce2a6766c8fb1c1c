/* What is weighed up for a record: the utility of what is released against the risk of releasing
 * it.
 *
 * **Values.** Utility and sensitivity of a released value depend on nothing but the attribute, the
 * level and the leaf: they are looked up. A group never is worth more, nor more sensitive, than one
 * below it, to the last bit: searches that stop early rely on it.
 *
 * **Units.** Utility and sensitivity of a record are sums over the attributes. Different methods
 * add them up in different orders, and equal answers must not depend on that: both are added as
 * whole numbers of a tiny unit.
 *
 * **Ranks.** All three risk models are a sensitivity times a factor that rho decides. What is
 * compared in the end is blurred to 40 significant bits, so that what is equal but for rounding is
 * a tie, in every method the same. */
#ifndef PV_RECORDS_WEIGHING_H
#define PV_RECORDS_WEIGHING_H

#include "base/arena.h"
#include "classes/profile.h"

#include <paravent/disclose.h>
#include <string.h>

/* ------------------------------------------------------------------- values */

typedef struct pv_record_level {
    double *utility;     /* per leaf: of its group at this level */
    double *sensitivity; /* per leaf; 0 at the root */
} pv_record_level;

typedef struct pv_record_values {
    const pv_profile *profile;
    size_t n_quasi;
    pv_record_level **levels; /* per quasi-identifier: height + 1 */
    unsigned *heights;
    /* per quasi-identifier and leaf: the lowest level at which it is the root */
    uint8_t **root_level;
    uint8_t *lowest, *highest; /* per quasi-identifier: the levels that the plan allows */
    pv_arena arena;            /* holds them all */
} pv_record_values;

PV_CHECKED pv_status pv_i_record_values_init(pv_record_values *values, const pv_profile *profile,
                                             pv_utility utility,
                                             const pv_sensitivities *sensitivities,
                                             pv_error *error);
void pv_i_record_values_deinit(pv_record_values *values);

/* The lowest and highest level that the plan allows; all between them are allowed, too. */
void pv_i_allowed_levels(const pv_study *study, size_t quasi, uint8_t *lowest, uint8_t *highest);

/* The lowest level at which a leaf is the root. */
uint8_t pv_i_root_level(const pv_hierarchy *hierarchy, uint32_t leaf);

/* From Phi and rho; `n_rows` of the dictionary. */
double pv_i_record_risk(pv_risk model, double phi, uint64_t rho, uint64_t n_rows);

/* ----------------------------------------------------------------- weighing */

/* Of a group, in units. */
typedef struct pv_worth {
    int64_t utility, phi;
} pv_worth;

typedef struct pv_weighing {
    const pv_record_values *values; /* borrowed */
    pv_risk model;
    pv_aim aim;
    double bound;
    bool is_share;
    uint64_t n_rows;   /* of the dictionary */
    pv_worth ***worth; /* by quasi-identifier, level and leaf */
    /* Worth of the unit; powers of two. In model II all are equally sensitive: phi_base 1, unit 0.
     */
    double utility_unit, phi_unit, phi_base;
    double grid;     /* of balance: what is nearer than that is equal */
    double *factors; /* of small rho */
    uint64_t n_factors;
    pv_arena arena; /* holds worth and factors */
} pv_weighing;

/* The values are borrowed and must outlive it. */
PV_CHECKED pv_status pv_i_weighing_init(pv_weighing *weighing, const pv_record_values *values,
                                        const pv_disclose_options *options, uint64_t n_rows,
                                        pv_error *error);
void pv_i_weighing_deinit(pv_weighing *weighing);

/* The utility that a record must keep, in units, given what it has at most. */
int64_t pv_i_weighing_floor(const pv_weighing *weighing, int64_t most);

/* Does generalizing never raise the risk? */
static inline bool pv_i_weighing_is_monotone(const pv_weighing *weighing)
{
    return weighing->model != PV_RISK_III;
}

/* -------------------------------------------------------------------- ranks */

/* How good a choice is, to be compared in order; less is better. */
typedef struct pv_rank {
    double first, second;
} pv_rank;

static inline int pv_i_rank_compare(pv_rank a, pv_rank b)
{
    if (a.first < b.first || a.first > b.first) {
        return a.first < b.first ? -1 : 1;
    }
    return (a.second > b.second) - (a.second < b.second);
}

static inline pv_rank pv_i_rank_worse(pv_rank a, pv_rank b)
{
    return pv_i_rank_compare(a, b) > 0 ? a : b;
}

#define PV_BLURRED_BITS 13

static inline double pv_i_blur(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = (bits + ((uint64_t)1 << (PV_BLURRED_BITS - 1))) >> PV_BLURRED_BITS << PV_BLURRED_BITS;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline double pv_i_weighing_risk(const pv_weighing *w, int64_t phi, uint64_t rho)
{
    const double factor =
        rho < w->n_factors ? w->factors[rho] : pv_i_record_risk(w->model, 1, rho, w->n_rows);
    return (w->phi_base + (double)phi * w->phi_unit) * factor;
}

static inline bool pv_i_weighing_bears(const pv_weighing *w, double risk)
{
    return risk <= w->bound + (w->bound < 0 ? -w->bound : w->bound) * 0x1p-38;
}

/* How good a choice of a utility (in units) and a risk is, if it keeps the bound. */
static inline pv_rank pv_i_weighing_rank(const pv_weighing *w, int64_t utility, double risk)
{
    const double useful = (double)utility * w->utility_unit;
    switch (w->aim) {
    case PV_AIM_LEAST_RISK: return (pv_rank){pv_i_blur(risk), -pv_i_blur(useful)};
    case PV_AIM_MOST_UTILITY: return (pv_rank){-pv_i_blur(useful), pv_i_blur(risk)};
    default:
        return (pv_rank){__builtin_rint((risk - w->bound * useful) / w->grid), -pv_i_blur(useful)};
    }
}

/* Does it keep the bound? `floor` is the record's. */
static inline bool pv_i_weighing_accepts(const pv_weighing *w, int64_t floor, int64_t utility,
                                         double risk)
{
    switch (w->aim) {
    case PV_AIM_LEAST_RISK: return utility >= floor;
    case PV_AIM_MOST_UTILITY: return pv_i_weighing_bears(w, risk);
    default: return true;
    }
}

/* ------------------------------------------------------------------- bounds */

/* All that is known of some choices: none has more utility, less or more sensitivity, fits more
 * people, in units. */
typedef struct pv_prospect {
    int64_t utility;
    int64_t least_phi, most_phi;
    uint64_t rho;
} pv_prospect;

/* No choice has less risk, provided that rho is not 0 for any of them, or the model is III. */
static inline double pv_i_prospect_risk(const pv_weighing *w, const pv_prospect *p)
{
    return pv_i_weighing_is_monotone(w) ? pv_i_weighing_risk(w, p->least_phi, p->rho)
                                        : pv_i_weighing_risk(w, p->most_phi, p->rho);
}

#endif
