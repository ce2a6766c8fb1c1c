/* Searches: which schemes are worth having.
 *
 *     pv_front *front = NULL;
 *     pv_status status = pv_search(profile, NULL, NULL, &front, &error); // k against glm
 *
 * Methods are entries of one registry; one driver gives all of them threads, progress,
 * cancellation, limits and statistics. Whatever a search found before it was stopped is its result,
 * marked incomplete. */
#ifndef PARAVENT_SEARCH_H
#define PARAVENT_SEARCH_H

#include <paravent/classes.h>
#include <paravent/context.h>
#include <paravent/front.h>
#include <paravent/measure.h>
#include <paravent/scheme.h>
#include <paravent/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Hears of a scheme that was evaluated: see pv_search_options. */
typedef void (*pv_observe_fn)(void *ctx, const uint8_t *levels, const double *values,
                              size_t n_values);

/* How to find a front. Zero-initialised = as the plan says, in the best way there is. */
typedef struct pv_find_options {
    size_t size;               /* sizeof this struct; 0 = as in this header */
    const pv_context *context; /* NULL = the one the study was opened with */
    pv_scheme_kind kind;       /* levels, or cuts (which trade k for nwp); records have no front */
    const char *objectives;    /* "k,l-distinct,glm"; levels only; NULL = "k,glm" */
    const char *method;        /* of levels, by registry name; NULL = the best that fits */
    const pv_budget *budget;   /* rows that may be suppressed; levels only; NULL = the plan's */
    uint64_t max_evaluations;  /* 0 = no limit; of cuts: 50,000 */
    double max_seconds;        /* 0 = no limit; of cuts for the proofs: 30 */
    uint64_t seed;             /* 0 = 1 */
    pv_observe_fn observe;     /* of levels only; see pv_search_options; NULL = nobody listens */
    void *observe_ctx;
} pv_find_options;

/* All trade-offs that nothing beats, among the schemes of one kind, under the plan's suppression
 * and weights. Being stopped is no failure: see pv_front_stop. The study must outlive the front. */
PV_API PV_CHECKED pv_status pv_front_find(const pv_study *study, const pv_find_options *options,
                                          pv_front **front, pv_error *error);

/* ------------------------------------------------------- the one best scheme */

/* What to look for. Zero-initialised = the least glm that keeps what the plan demands. */
typedef struct pv_best pv_best;

typedef struct pv_best_options {
    size_t size;                  /* sizeof this struct; 0 = as in this header */
    const pv_context *context;    /* NULL = the one the study was opened with */
    pv_scheme_kind kind;          /* levels, which is 0, or cuts; records: PV_STATUS_ARGUMENT */
    const char *minimize;         /* a loss by registry name; NULL = glm; one that is no sum over
                                     attributes (dcn, cm, aecs) is proven among few levels, and has
                                     a simple bound among many; among cuts nothing is proven of
                                     these and of entropy, and there is no precision */
    const pv_constraint *demands; /* besides those of the plan; borrowed for the call */
    size_t n_demands;
    const pv_budget *budget; /* rows that may be suppressed; NULL = the plan's */
    double max_seconds;      /* 0 = 10; negative = no limit */
    uint64_t max_steps;      /* 0 = no limit; the same steps give the same bytes */
    uint64_t seed;           /* 0 = 1 */
    const pv_scheme *start;  /* levels to begin with, such as the best of a similar question; NULL =
                                none; borrowed for the call */
    uint64_t max_work;       /* distinct tuples that may be counted, about three nanoseconds each;
                                0 = no limit; the same work gives the same bytes. Any limit
                                makes a search for cuts brief: from the best levels once over
                                the attributes, and nothing is proven */
    const pv_best *known;    /* the best of a similar question for the same study: where the
                                search begins, and what it proves of this question, too, if that
                                demands no less and has no larger budget; NULL = none; borrowed */
} pv_best_options;

/* The scheme of least loss that keeps the demands, with a proof that nothing among the schemes of
 * its kind is better, or with the gap that is left when the time is over. Where levels are cuts,
 * too (cuts.h, pv_cuts_lose_as_levels; trees whose values all reach the root at the top), the best
 * cuts are never worse. Groups of cuts keep to the branches of their tree. Classes that break a
 * demand are suppressed, within the budget, and nothing else. That no scheme keeps the demands is
 * no failure: then pv_best_scheme is NULL. Being stopped is none either. The study must outlive the
 * result. */
PV_API PV_CHECKED pv_status pv_best_find(const pv_study *study, const pv_best_options *options,
                                         pv_best **best, pv_error *error);
/* Several questions at once, one on each thread of the study's context, or of the first question's.
 * best[i] is the answer to options[i], or NULL if there is no search for it (PV_STATUS_ARGUMENT,
 * PV_STATUS_INPUT or PV_STATUS_LIMIT of pv_best_find). The answers are those of pv_best_find, as
 * long as no question is limited by time. After a failure all are NULL. */
PV_API PV_CHECKED pv_status pv_best_find_many(const pv_study *study,
                                              const pv_best_options *const *options, size_t n,
                                              pv_best **best, pv_error *error);
PV_API void pv_best_free(pv_best *best); /* NULL is fine */

/* NULL = none was found; proven = there is none. Borrowed. */
PV_API const pv_scheme *pv_best_scheme(const pv_best *best);
/* That nothing is better, or that there is nothing. */
PV_API bool pv_best_is_proven(const pv_best *best);
/* The measure that was minimised (or, if more of it is better, maximised), what the scheme has of
 * it, and what no scheme can be better than. */
PV_API pv_measure_ref pv_best_loss(const pv_best *best);
PV_API double pv_best_value(const pv_best *best);
PV_API double pv_best_bound(const pv_best *best);
/* How far the value may be from the best possible, as a share of the value; 0 = proven. */
PV_API double pv_best_gap(const pv_best *best);
/* All demands, the plan's included, and for each of them the rows in classes that break it: why
 * rows are suppressed. Rows may be counted by several. */
PV_API const pv_constraint *pv_best_demands(const pv_best *best, size_t *n_demands);
PV_API const uint64_t *pv_best_broken(const pv_best *best, size_t *n_demands);
PV_API uint64_t pv_best_suppressed(const pv_best *best); /* rows */
PV_API uint64_t pv_best_budget(const pv_best *best);     /* rows */
/* How it was found: schemes in all, boxes of schemes looked at, steps, seconds, why it ended. */
PV_API double pv_best_n_schemes(const pv_best *best);
PV_API uint64_t pv_best_nodes(const pv_best *best);
PV_API uint64_t pv_best_steps(const pv_best *best);
/* Distinct tuples that were counted: how much work it was, on any machine; 0 among cuts. */
PV_API uint64_t pv_best_work(const pv_best *best);
PV_API double pv_best_seconds(const pv_best *best);
PV_API pv_stop pv_best_stop(const pv_best *best);

/* ------------------------------------------------------------- every knob */

typedef struct pv_method {
    const char *name;      /* "exact", ... */
    const char *summary;   /* one line for people */
    const char *reference; /* the paper, or NULL */
    bool evolves;          /* draws random numbers: takes a seed, a population and so on */
    bool has_depth;        /* takes a depth */
} pv_method;

PV_API size_t pv_n_methods(void);
PV_API const pv_method *pv_method_at(size_t index);
PV_API const pv_method *pv_method_find(const char *name); /* NULL if unknown */

/* Zero-initialised = all defaults. */
typedef struct pv_search_options {
    size_t size;                      /* sizeof this struct; 0 = as in this header */
    const pv_measure_ref *objectives; /* at least two; NULL = k and glm */
    size_t n_objectives;
    const char *method; /* registry name; NULL or "auto" = the best that fits */
    pv_suppression suppression;
    /* What every point keeps, rules for classes only (k, the l's, t): classes that break one are
     * suppressed within the budget. Borrowed for the call. */
    const pv_constraint *demands;
    size_t n_demands;
    uint64_t memory;          /* bytes for cached groupings; 0 = 48 MiB */
    uint64_t max_evaluations; /* 0 = no limit */
    double max_seconds;       /* 0 = no limit */
    uint64_t seed;            /* 0 = 1 */
    unsigned depth;           /* poka: its depth; 0 = ceil(sum of heights / attributes) */

    /* A front of few points that stand for all. The values of each objective are divided into
     * steps of this size, and of the points within one box of steps one is kept. Given for one
     * objective, it is given for all: 0 then means that the objective is not divided. All 0: pbg-*
     * take 1 for measures that count people, rows or cells, the others take none. */
    double epsilons[PV_MAX_OBJECTIVES];
    /* Or: choose the steps so that about this many points remain, and no more (unless fewer are
     * asked for than there are corners: what is 0 and what is not never share a box). 0: pbg-* take
     * 1000, the others keep all. */
    size_t archive;

    /* pbg-ea, pbg-hybrid. 0 = the paper's values. */
    size_t population;   /* schemes per generation; 0 = 25 */
    uint64_t iterations; /* generations; 0 = 100; among over a million schemes pbg-ea 2000, and
                            pbg-hybrid as many as its work allows: see patience */
    /* Chances: that two parents are crossed (0 = 0.8), that an attribute moves a level (0 = 1 /
     * attributes). Negative = never. */
    double crossover, mutation;
    /* Ends the search after so many generations in which nothing new came up; 0 = 50; UINT64_MAX =
     * never. Among over a million schemes pbg-hybrid never ends so unless asked to, but when
     * max_seconds are over, or without them when what it looked at, times the distinct tuples, is
     * about ten seconds of work on one thread: counted, the same on every machine. */
    uint64_t patience;
    /* auto: how much work a proof may take before pbg-hybrid goes on instead, counted in schemes
     * times distinct tuples; 0 = 4e9, about a minute. */
    double proof_work;
    /* Schemes to begin with, n_start * quasi-identifiers levels; borrowed. */
    const uint8_t *start;
    size_t n_start;

    /* Hears of every scheme that is evaluated, on the caller's thread and in the order in which
     * results are merged: the same on any number of threads, unless a limit of time or the progress
     * callback ends the search. `levels` are those of the hierarchies, one per quasi-identifier;
     * `values` one per objective, with as many rows suppressed as the budget allows (the highest
     * threshold of class size); NULL = the scheme cannot keep what is demanded within the budget.
     * Both are valid for the call. A search that evaluates a scheme again tells of it again;
     * pointwise evaluates only what may be a point. NULL = nobody listens, which costs nothing. */
    pv_observe_fn observe;
    void *observe_ctx;
} pv_search_options;

/* Searches the lattice of level schemes. Being stopped (by the progress callback or a limit) is no
 * failure: see pv_front_stop. The profile is borrowed for the call. */
PV_API PV_CHECKED pv_status pv_search(const pv_profile *profile, const pv_search_options *options,
                                      const pv_context *context, pv_front **front, pv_error *error);

/* ------------------------------------------------------------------- cuts */

/* A search over cut schemes, with the defaults of what it takes. */
typedef struct pv_cut_method {
    const char *name;      /* "memetic", "nsga2" */
    const char *summary;   /* one line for people */
    const char *reference; /* the paper, or NULL */
    uint64_t evaluations;
    size_t population;
    double crossover;
    double mutation; /* 0 = it does not mutate */
} pv_cut_method;

PV_API size_t pv_n_cut_methods(void);
PV_API const pv_cut_method *pv_cut_method_at(size_t index);       /* 0 = the usual one */
PV_API const pv_cut_method *pv_cut_method_find(const char *name); /* NULL if unknown */

/* Zero-initialised = all defaults. */
typedef struct pv_cut_front_options {
    size_t size;      /* sizeof this struct; 0 = as in this header */
    bool free_groups; /* may groups of categories cross the branches of their tree? otherwise they
                         are whole branches, or neighbouring branches of one */
    uint64_t least_k; /* no points with less k; 0 = 1; target-k of the plan */
    /* Schemes to look at for the first k; a quarter of that for every further one. 0 = 50,000 */
    uint64_t evaluations;
    double prove;       /* seconds for all proofs together; 0 = 30; negative = none */
    uint64_t max_nodes; /* for all proofs together; 0 = no limit. Without a limit of time (prove
                         * INFINITY) the same bytes come out every time */
    uint64_t seed;      /* 0 = 1 */
    uint64_t memory;    /* bytes; 0 = 256 MiB */
    size_t population;  /* 0 = 100 */
    double crossover;   /* 0 = 0.8; negative = never */
} pv_cut_front_options;

/* The front of k and nwp over cut schemes (cuts.h); nothing is suppressed. A search finds points,
 * then branch and bound proves them best one by one, or finds better ones, as long as there is
 * time: pv_front_bound says what is proven of a point, pv_front_is_complete that nothing is
 * missing. Being stopped is no failure. least_k beyond the rows: PV_STATUS_UNSATISFIED. */
PV_API PV_CHECKED pv_status pv_search_cuts(const pv_profile *profile,
                                           const pv_cut_front_options *options,
                                           const pv_context *context, pv_front **front,
                                           pv_error *error);

#ifdef __cplusplus
}
#endif
#endif
