/* Disclosure record by record: the least risk at a required utility, for everyone.
 *
 *     pv_disclosure *disclosure = NULL;
 *     const pv_disclose_options options = {.utility = PV_UTILITY_LOG_LEAVES,
 *                                          .risk = PV_RISK_I,
 *                                          .bound = 0.5,
 *                                          .is_share = true};
 *     pv_status status = pv_disclose(profile, &options, NULL, &disclosure, &error);
 *
 * One level vector for the whole table wastes detail: a common person needs less hiding than a rare
 * one. Here every record gets levels of its own, chosen in its own lattice, against an attacker who
 * holds a dictionary of people and finds those consistent with what was released. (ARUBA: a
 * risk-utility-based algorithm for data disclosure.) */
#ifndef PARAVENT_DISCLOSE_H
#define PARAVENT_DISCLOSE_H

#include <paravent/attacker.h>
#include <paravent/classes.h>
#include <paravent/context.h>
#include <paravent/measure.h>
#include <paravent/scheme.h>
#include <paravent/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------ what is weighed up */

/* What a released value is worth, summed over the attributes. n = leaves under it, m = leaves in
 * all. The last two are losses: their utility is what they could be at most minus what they are. */
typedef enum pv_utility {
    PV_UTILITY_DEPTH = 0,  /* levels left above it: its depth in the tree */
    PV_UTILITY_LEAVES,     /* 1/n */
    PV_UTILITY_LOG_LEAVES, /* ln(m/n) */
    PV_UTILITY_XT,         /* loss (n-1)/m */
    PV_UTILITY_LM,         /* loss (n-1)/(m-1) */
    PV_UTILITY_COUNT
} pv_utility;

/* Phi = sum of the sensitivities of the released values; rho = dictionary records consistent with
 * them. A record that no dictionary record is consistent with cannot be found with it: its risk is
 * 0 in models I and II, and in III what it were if everyone in the dictionary were consistent. */
typedef enum pv_risk {
    PV_RISK_I = 0, /* Phi / rho */
    PV_RISK_II,    /* 1 / rho */
    PV_RISK_III,   /* -Phi ln(rho): not monotone */
    PV_RISK_COUNT
} pv_risk;

typedef enum pv_aim {
    PV_AIM_LEAST_RISK = 0, /* with at least so much utility */
    PV_AIM_MOST_UTILITY,   /* with at most so much risk */
    PV_AIM_BALANCE,        /* least risk - lambda * utility */
    PV_AIM_COUNT
} pv_aim;

/* "depth", "I", "least-risk", ...: names as options and JSON have them. Parsing returns false if
 * there is no such name. */
PV_API const char *pv_utility_name(pv_utility utility);
PV_API const char *pv_utility_summary(pv_utility utility);
PV_API bool pv_utility_parse(const char *name, pv_utility *utility);
PV_API const char *pv_risk_name(pv_risk risk);
PV_API const char *pv_risk_summary(pv_risk risk);
PV_API bool pv_risk_parse(const char *name, pv_risk *risk);
PV_API const char *pv_aim_name(pv_aim aim);

/* ------------------------------------------------------------ sensitivities */

/* How much it would hurt to have a value known. Leaves have one each; a group's is
 * 1 / sum(1 / w) over its children, that of `*` is 0. */
typedef struct pv_sensitivities pv_sensitivities;

typedef enum pv_sensitivity_source {
    PV_SENSITIVITY_PLAN = 0, /* as the plan says (`sensitivity:` of an attribute), 1 where it is
                                silent */
    PV_SENSITIVITY_CONSTANT, /* 1 for every leaf */
    PV_SENSITIVITY_RANDOM,   /* uniform in (0,1], by seed */
} pv_sensitivity_source;

/* The profile is borrowed and must outlive it. */
PV_API PV_CHECKED pv_status pv_sensitivities_create(const pv_profile *profile,
                                                    pv_sensitivity_source source, uint64_t seed,
                                                    pv_sensitivities **sensitivities,
                                                    pv_error *error);
PV_API void pv_sensitivities_free(pv_sensitivities *sensitivities); /* NULL is fine */
/* Of the group of a leaf at a level. */
PV_API double pv_sensitivity(const pv_sensitivities *sensitivities, size_t quasi, unsigned level,
                             uint32_t leaf);

/* ------------------------------------------------------------------ methods */

typedef struct pv_record_method {
    const char *name;      /* "scan", "aruba", "btda", "bnb" */
    const char *summary;   /* one line for people */
    const char *exact_for; /* the risk models it is exact for, for people */
    const char *reference; /* the paper, or NULL */
    bool needs_monotone;   /* is it only exact where risk never grows by generalizing? */
} pv_record_method;

PV_API size_t pv_n_record_methods(void);
PV_API const pv_record_method *pv_record_method_at(size_t index);
PV_API const pv_record_method *pv_record_method_find(const char *name); /* NULL if unknown */

/* Zero-initialised = all defaults. */
typedef struct pv_disclose_options {
    size_t size; /* sizeof this struct; 0 = as in this header */
    pv_utility utility;
    pv_risk risk;
    pv_aim aim;
    /* LEAST_RISK: utility at least; MOST_UTILITY: risk at most; BALANCE: lambda. */
    double bound;
    bool is_share;               /* LEAST_RISK: a share (0..1) of what the record has at most */
    const char *method;          /* registry name; NULL or "auto" = scan, if the lattice allows */
    const pv_attacker *attacker; /* NULL = the table itself, exactly */
    const pv_sensitivities *sensitivities; /* NULL = as the plan says */
    /* Only these tuples of the profile, ascending; NULL = all. Not for scan, which does all. */
    const size_t *only;
    size_t n_only;
    /* Of one record, for btda, aruba, bnb; 0 = no limit, but for auto where a lattice has more than
     * 1e8 nodes: then as many as are looked at in about a minute. */
    uint64_t max_visited;
    /* For all records together; 0 = no limit. A choice that keeps the bound is found for every
     * record whatever the time. */
    double max_seconds;
    uint64_t memory; /* bytes; 0 = 512 MiB */
} pv_disclose_options;

/* What every record is released as, by tuple of the profile: identical records are solved once. */
typedef struct pv_disclosure pv_disclosure;

PV_API PV_CHECKED pv_status pv_disclose(const pv_profile *profile,
                                        const pv_disclose_options *options,
                                        const pv_context *context, pv_disclosure **disclosure,
                                        pv_error *error);
PV_API void pv_disclosure_free(pv_disclosure *disclosure); /* NULL is fine */

/* How it was done. */
PV_API pv_aim pv_disclosure_aim(const pv_disclosure *disclosure);
PV_API const char *pv_disclosure_method(const pv_disclosure *disclosure); /* the one that ran */
/* Why `auto` chose it; NULL if it was asked for. */
PV_API const char *pv_disclosure_reason(const pv_disclosure *disclosure);
PV_API double pv_disclosure_n_nodes(const pv_disclosure *disclosure); /* of the lattice */
/* Lattice nodes looked at, in all: by scan once for all records. */
PV_API uint64_t pv_disclosure_n_visited(const pv_disclosure *disclosure);
PV_API double pv_disclosure_seconds(const pv_disclosure *disclosure);
/* Was it stopped by the progress callback? Records not reached are as infeasible. */
PV_API bool pv_disclosure_is_stopped(const pv_disclosure *disclosure);
/* Why it ended. PV_STOP_TIME, PV_STOP_EVALUATIONS (max_visited): what is not proven best
 * (is_optimal) is the best that was found. */
PV_API pv_stop pv_disclosure_stop(const pv_disclosure *disclosure);
PV_API size_t pv_disclosure_n_tuples(const pv_disclosure *disclosure);

/* One tuple. Levels, one per quasi-identifier: of equal ones the lowest; NULL if it was not asked
 * for (`only`), then everything else is 0. Borrowed. `raw` is what it were without generalization;
 * its utility is the most there can be. */
PV_API const uint8_t *pv_disclosure_levels(const pv_disclosure *disclosure, size_t tuple,
                                           size_t *n_levels);
PV_API double pv_disclosure_risk(const pv_disclosure *disclosure, size_t tuple);
PV_API double pv_disclosure_utility(const pv_disclosure *disclosure, size_t tuple);
PV_API double pv_disclosure_risk_raw(const pv_disclosure *disclosure, size_t tuple);
PV_API double pv_disclosure_utility_raw(const pv_disclosure *disclosure, size_t tuple);
/* rho: dictionary records consistent with it. */
PV_API uint64_t pv_disclosure_n_consistent(const pv_disclosure *disclosure, size_t tuple);
PV_API uint64_t pv_disclosure_n_consistent_raw(const pv_disclosure *disclosure, size_t tuple);
/* False: nothing keeps the bound; then everything is `*`. */
PV_API bool pv_disclosure_is_feasible(const pv_disclosure *disclosure, size_t tuple);
/* False: a limit was reached, or the method does not promise it. */
PV_API bool pv_disclosure_is_optimal(const pv_disclosure *disclosure, size_t tuple);

/* Over people: how a quantity is distributed. */
typedef struct pv_spread {
    double mean, least, most;
    double quantile[11]; /* 0%, 10%, ..., 100% */
} pv_spread;

typedef struct pv_disclosure_summary pv_disclosure_summary;

PV_API PV_CHECKED pv_status pv_disclosure_summarise(const pv_disclosure *disclosure,
                                                    const pv_profile *profile,
                                                    pv_disclosure_summary **summary,
                                                    pv_error *error);
PV_API void pv_disclosure_summary_free(pv_disclosure_summary *summary); /* NULL is fine */

/* People: all; those for whom nothing keeps the bound; those whose choice is proven to be the best
 * there is; those whom one dictionary record or none fits. */
PV_API uint64_t pv_disclosure_summary_n_rows(const pv_disclosure_summary *summary);
PV_API uint64_t pv_disclosure_summary_n_infeasible(const pv_disclosure_summary *summary);
PV_API uint64_t pv_disclosure_summary_n_proven(const pv_disclosure_summary *summary);
PV_API uint64_t pv_disclosure_summary_n_unique_before(const pv_disclosure_summary *summary);
PV_API uint64_t pv_disclosure_summary_n_unique_after(const pv_disclosure_summary *summary);
/* Borrowed. The utility kept is a share of what each record has at most. */
PV_API const pv_spread *pv_disclosure_summary_risk_before(const pv_disclosure_summary *summary);
PV_API const pv_spread *pv_disclosure_summary_risk_after(const pv_disclosure_summary *summary);
PV_API const pv_spread *pv_disclosure_summary_utility_kept(const pv_disclosure_summary *summary);
/* People by level of a quasi-identifier; borrowed. */
PV_API const uint64_t *pv_disclosure_summary_levels(const pv_disclosure_summary *summary,
                                                    size_t quasi, size_t *n_levels);

/* ------------------------------------------------------------------ release */

/* What it took to keep demands. */
typedef struct pv_enforced {
    uint64_t changed;    /* people released otherwise than chosen: nearly always more generally */
    uint64_t finer;      /* of them, those with more detail than chosen in some attribute */
    uint64_t suppressed; /* people who are `*` everywhere, whoever chose it; 0 if everyone is */
    uint64_t merged;     /* groups of people who would have been released alike that became part of
                            another */
} pv_enforced;

/* The scheme to release a disclosure with (pv_release_write). Where people who are released alike
 * break a demand (k, l-distinct, l-entropy, l-recursive, t-closeness), they are generalized further
 * together with those with whom it costs least detail (glm), or suppressed where that costs less
 * and the budget allows: a local recoding (paravent/local.h) of what was chosen. People who are
 * alike stay together, and nobody is released with more detail than chosen. If that leaves nothing
 * but `*` for everyone, and the aim was not a bound of risk, some may be released with more detail
 * in one attribute and less in another. Whenever one scheme of levels can keep the demands, this
 * can. Without demands everyone is released as chosen. If the demands cannot be kept:
 * PV_STATUS_UNSATISFIED. The caller frees the scheme; `account` may be NULL. */
PV_API PV_CHECKED pv_status pv_disclosure_scheme(const pv_disclosure *disclosure,
                                                 const pv_profile *profile,
                                                 const pv_constraint *demands, size_t n_demands,
                                                 uint64_t budget, const pv_context *context,
                                                 pv_scheme **scheme, pv_enforced *account,
                                                 pv_error *error);

/* A disclosure as it is released by a scheme of records: demands may have changed what was chosen,
 * and with it risk and utility. Everything else is as chosen: whether a choice was feasible and
 * optimal, how it was found. The options are those of the choice. */
PV_API PV_CHECKED pv_status pv_disclosure_released(
    const pv_disclosure *chosen, const pv_profile *profile, const pv_disclose_options *options,
    const pv_scheme *scheme, const pv_context *context, pv_disclosure **released, pv_error *error);

/* A disclosure of a study and the scheme to release it with, in one call: under the plan's budget,
 * with what the plan demands. Both are the caller's. */
PV_API PV_CHECKED pv_status pv_disclose_find(const pv_study *study,
                                             const pv_disclose_options *options,
                                             pv_disclosure **disclosure, pv_scheme **scheme,
                                             pv_error *error);

/* ------------------------------------------------------- risk against utility */

/* Everyone disclosed at the least risk that leaves them the share `asked` of their utility. */
typedef struct pv_risk_point {
    double asked;
    double kept;       /* the share that is left, mean over people; at least `asked` */
    double mean, most; /* risk over people */
    uint64_t unique;   /* people whom just one dictionary record fits */
    uint64_t visited;  /* lattice nodes */
    bool is_exact;     /* is every choice proven to be the best? */
} pv_risk_point;

/* A curve for each risk model asked for. */
typedef struct pv_risk_front pv_risk_front;

typedef struct pv_risk_front_options {
    size_t size; /* sizeof this struct; 0 = as in this header */
    /* Without its aim and bound; `risk` if only one is asked for; the limit of time is for all
     * points together. */
    pv_disclose_options disclose;
    bool one_model; /* only the curve of disclose.risk */
    size_t steps;   /* from no utility to all of it; 0 = 10 */
} pv_risk_front_options;

PV_API PV_CHECKED pv_status pv_risk_front_create(const pv_profile *profile,
                                                 const pv_risk_front_options *options,
                                                 const pv_context *context, pv_risk_front **front,
                                                 pv_error *error);
PV_API void pv_risk_front_free(pv_risk_front *front); /* NULL is fine */

PV_API pv_utility pv_risk_front_utility(const pv_risk_front *front);
PV_API const char *pv_risk_front_method(const pv_risk_front *front); /* the one that ran */
/* Why `auto` chose it; NULL if it was asked for. */
PV_API const char *pv_risk_front_reason(const pv_risk_front *front);
PV_API double pv_risk_front_n_nodes(const pv_risk_front *front); /* of the lattice of one record */
PV_API double pv_risk_front_seconds(const pv_risk_front *front);
/* Was it stopped by the progress callback? It has the points so far. */
PV_API bool pv_risk_front_is_stopped(const pv_risk_front *front);
/* PV_STOP_TIME, PV_STOP_EVALUATIONS: some points are not exact, or not there. */
PV_API pv_stop pv_risk_front_stop(const pv_risk_front *front);
PV_API size_t pv_risk_front_n_curves(const pv_risk_front *front);
/* One curve: its model, the risk of the raw table, and its points by ascending `asked`, borrowed.
 */
PV_API pv_risk pv_risk_front_risk(const pv_risk_front *front, size_t curve);
PV_API double pv_risk_front_mean_raw(const pv_risk_front *front, size_t curve);
PV_API double pv_risk_front_most_raw(const pv_risk_front *front, size_t curve);
PV_API const pv_risk_point *pv_risk_front_points(const pv_risk_front *front, size_t curve,
                                                 size_t *n_points);

/* Pictures of the curves, and a page that needs nothing but itself with pictures and numbers. The
 * same front gives the same bytes, whatever its seconds. pv_string_free. */
PV_API PV_CHECKED pv_status pv_risk_front_svg(const pv_risk_front *front, char **svg,
                                              pv_error *error);
PV_API PV_CHECKED pv_status pv_risk_front_page(const pv_risk_front *front,
                                               const pv_profile *profile, char **html,
                                               pv_error *error);

#ifdef __cplusplus
}
#endif
#endif
