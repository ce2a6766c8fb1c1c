/* The driver of all searches over cuts: set-up, progress, what to start from, proofs, and the
 * registry of the methods. A wish of a publisher (prefer) and each k of a front (cut_front.c) is a
 * goal; a method looks for the best scheme for it, and for those that have more k at little more
 * cost; branch and bound proves it best or finds a better one. Everything evaluated stays in the
 * run, and is where the next goal starts from. */
#ifndef PV_CUTS_CUT_SEARCH_H
#define PV_CUTS_CUT_SEARCH_H

#include "base/rng.h"
#include "classes/keys.h"
#include "cuts/cut_evaluator.h"

#include <paravent/context.h>
#include <paravent/search.h>

/* ----------------------------------------------------- everything evaluated
 *
 * Schemes are evaluated on threads, each once, and remembered.
 *
 * What is known of a scheme is what it loses, how large its classes are, its bias and whether it
 * meets the rules; from that follow k and the value of any goal. So everything evaluated for one
 * wish of a publisher answers further wishes, too. */

typedef struct pv_cut_run {
    pv_cut_table *table;
    const pv_cut_space *space;
    const pv_cut_prices *prices;
    const pv_cut_criteria *criteria; /* NULL = only k, necd and nwp */
    unsigned threads;
    pv_cut_evaluator *evaluators; /* one per thread */

    pv_keymap map;            /* of the bits of schemes: a scheme's id is its place */
    pv_cut_outcome *outcomes; /* by id */
    size_t capacity;
    uint64_t *key; /* scratch memory for one */
    uint8_t *cuts; /* ... and for a scheme */

    size_t most;        /* schemes to remember; 0 = any number */
    uint64_t evaluated; /* schemes counted, now or when they were remembered */
    uint64_t asked;     /* ... and asked for: some were known */
} pv_cut_run;

/* Table, prices and criteria are borrowed. */
PV_CHECKED pv_status pv_i_cut_run_init(pv_cut_run *run, pv_cut_table *table,
                                       const pv_cut_prices *prices, const pv_cut_criteria *criteria,
                                       const pv_context *context, pv_error *error);
void pv_i_cut_run_deinit(pv_cut_run *run);

/* An evaluator for each thread of another context. */
PV_CHECKED pv_status pv_i_cut_run_set_threads(pv_cut_run *run, const pv_context *context,
                                              pv_error *error);

/* Evaluates n schemes of n_bits bytes; ids[i] is where the i-th is remembered. On failure the run
 * knows what it knew before. PV_STATUS_LIMIT if there are too many to remember. */
PV_CHECKED pv_status pv_i_cut_run_evaluate(pv_cut_run *run, const uint8_t *schemes, size_t n,
                                           uint32_t *ids, pv_error *error);
/* Adds a scheme whose outcome is known, be it from an earlier run over the same table. One that is
 * remembered already stays as it is. `id` may be NULL. */
PV_CHECKED pv_status pv_i_cut_run_remember(pv_cut_run *run, const uint8_t *cuts,
                                           const pv_cut_outcome *outcome, uint32_t *id,
                                           pv_error *error);
/* What every scheme costs now that the prices have changed. Only for losses that the prices make.
 */
void pv_i_cut_run_reprice(pv_cut_run *run);
/* Where a scheme is remembered; PV_KEYMAP_FULL = nowhere. */
uint32_t pv_i_cut_run_find(const pv_cut_run *run, const uint8_t *cuts);
static inline const pv_cut_outcome *pv_i_cut_run_outcome(const pv_cut_run *run, uint32_t id)
{
    return &run->outcomes[id];
}
/* The cuts of a remembered scheme, a byte each. */
void pv_i_cut_run_scheme(const pv_cut_run *run, uint32_t id, uint8_t *cuts);

/* ------------------------------------------------------------------ result */

#define PV_CUT_NO_SCHEME UINT32_MAX

/* For a goal, the best of what is remembered, and what has more k at more value. */
typedef struct pv_cut_result {
    /* Feasible, of least value; of those equal in it, but for rounding, of least bias + loss; then
     * of most k. PV_CUT_NO_SCHEME if nothing feasible was found. */
    uint32_t best;
    uint32_t *front; /* feasible and non-dominated in (value, k), by ascending k; owned */
    size_t n_front;
    uint64_t generations; /* of a search */
} pv_cut_result;

void pv_i_cut_result_deinit(pv_cut_result *result);

/* Is the first better: of less value, or of equal value and less bias + loss, or of more k? */
bool pv_i_cut_is_better(const pv_cut_run *run, const pv_cut_goal *goal, uint32_t a, uint32_t b);
/* Among everything the run remembers. */
PV_CHECKED pv_status pv_i_cut_result_of(const pv_cut_run *run, const pv_cut_goal *goal,
                                        pv_cut_result *result, pv_error *error);
/* Among some of them. */
PV_CHECKED pv_status pv_i_cut_result_among(const pv_cut_run *run, const pv_cut_goal *goal,
                                           const uint32_t *ids, size_t n, pv_cut_result *result,
                                           pv_error *error);

/* ------------------------------------------------------------------- proofs
 *
 * The best cut scheme with classes of at least k people that meet all other rules, with a proof:
 * branch and bound. Always reports the best found and the proven lower bound, and so the gap. */

typedef struct pv_cut_bnb_options {
    pv_cut_goal goal;
    /* NULL = only k, necd and nwp. A loss that is no sum over attributes: PV_STATUS_ARGUMENT. With
     * another bias than necd only the loss is bounded. */
    const pv_cut_criteria *criteria;
    const uint8_t *start; /* a feasible scheme to beat; NULL = the coarsest */
    unsigned threads;     /* 0 = 1 */
    uint64_t max_nodes;   /* 0 = no limit */
    uint64_t memory;      /* bytes for nodes and interval tables; 0 = PV_CUT_MEMORY */
    /* Asked now and then with the best value and the bound; false stops. NULL = never asked. */
    bool (*keep_going)(void *ctx, uint64_t best, uint64_t bound, uint64_t nodes);
    void *ctx;
} pv_cut_bnb_options;

typedef struct pv_cut_proof {
    uint64_t best;            /* value of the scheme found */
    uint64_t bound;           /* no feasible scheme has less; equal to `best` = proven optimal */
    uint64_t nodes;           /* looked at */
    uint64_t tables, counted; /* interval tables made, schemes counted */
} pv_cut_proof;

/* Bytes for all of a search over cuts, unless the caller says otherwise. */
#define PV_CUT_MEMORY (UINT64_C(256) << 20)

/* The best scheme into `cuts` (a byte per bit). If not even the coarsest is feasible:
 * PV_STATUS_UNSATISFIED. */
PV_CHECKED pv_status pv_i_cut_bnb(pv_cut_table *table, const pv_cut_prices *prices,
                                  const pv_cut_bnb_options *options, uint8_t *cuts,
                                  pv_cut_proof *proof, pv_error *error);

/* What is proven about cut schemes so far: of all that have at least so much k, none costs less.
 *
 * Whoever demands more k is among those who demand less: a bound holds for every larger k, too. */
typedef struct pv_cut_claim {
    uint64_t k;
    uint64_t bound; /* no scheme with at least this k costs less */
    uint64_t tried; /* nodes of the longest attempt to prove more */
} pv_cut_claim;

/* More nodes would not help. */
#define PV_CUT_TRIED_ALL UINT64_MAX

/* Zero-initialised = nothing is proven. */
typedef struct pv_cut_ledger {
    pv_cut_claim *claims; /* by ascending k, each once */
    size_t n, capacity;
} pv_cut_ledger;

void pv_i_cut_ledger_deinit(pv_cut_ledger *ledger);

/* Enters what came of an attempt; an older claim about the same k is never weakened. False when
 * memory runs out. */
bool pv_i_cut_ledger_enter(pv_cut_ledger *ledger, const pv_cut_claim *claim);
/* The best that is proven for schemes with at least this k; 0 if nothing is. */
uint64_t pv_i_cut_ledger_bound(const pv_cut_ledger *ledger, uint64_t k);
/* How many nodes were spent on exactly this k at once. */
uint64_t pv_i_cut_ledger_tried(const pv_cut_ledger *ledger, uint64_t k);

/* ----------------------------------------------------------------- methods */

/* Two objectives: the value of the goal (loss, or the larger of loss and bias) and k, the smallest
 * class. What is 0 gets the default of the method. */
typedef struct pv_cut_search_options {
    pv_cut_goal goal;
    uint64_t seed;        /* 0 = 1 */
    uint64_t evaluations; /* schemes asked for, known ones included */
    size_t population;
    double crossover;     /* negative = never */
    double mutation;      /* per cut; negative = never */
    const uint8_t *start; /* schemes to begin with, n_start * n_bits bytes */
    size_t n_start;
    /* Asked after every generation; false stops. NULL = never asked. */
    bool (*keep_going)(void *ctx, const pv_cut_run *run, uint32_t best);
    void *ctx;
} pv_cut_search_options;

typedef pv_status pv_cut_search_function(pv_cut_run *run, const pv_cut_search_options *options,
                                         pv_cut_result *result, pv_error *error);

typedef struct pv_cut_method_entry {
    pv_cut_method about; /* with its defaults */
    pv_cut_search_function *search;
} pv_cut_method_entry;

/* By name; NULL = the usual one. NULL if there is none. */
const pv_cut_method_entry *pv_i_cut_method(const char *name);
/* The options of a method with all defaults filled in, and checked. */
PV_CHECKED pv_status pv_i_cut_search_fill(const char *method, pv_cut_search_options *options,
                                          pv_error *error);

/* What NSGA-II decides: who wins a tournament, and who stays when there are too many. The paper's
 * second objective, f2 = k_pref - k, is less where k is more. */
typedef struct pv_nsga2_member {
    uint64_t value;  /* f1: less is better */
    uint64_t k;      /* more is better */
    double crowding; /* distance of its neighbours in its front; infinite at the ends */
    uint32_t rank;   /* of its front: 0 = nothing dominates it, 1 = nothing but those, ... */
    uint32_t id;     /* in the run */
    uint32_t place;  /* before sorting: the tie of ties */
    bool feasible;   /* k >= k_pref */
} pv_nsga2_member;

/* The winner of a tournament. Both feasible: the one of less rank, then the less crowded. One
 * feasible: that one. None: more k, then less value, then the less crowded. Else the first. */
const pv_nsga2_member *pv_i_nsga2_select(const pv_nsga2_member *first,
                                         const pv_nsga2_member *second);

/* Sorts by rank, then the least crowded first, then as they were before; fills in all three.
 * Members with equal objectives have equal ranks. `scratch` is for n numbers. n log n steps. */
void pv_i_nsga2_sort(pv_nsga2_member *members, size_t n, uint64_t *scratch);

/* NSGA-II (nsga2.c). */
PV_CHECKED pv_cut_search_function pv_i_nsga2;
/* Evolution with local search (memetic.c). */
PV_CHECKED pv_cut_search_function pv_i_memetic;

/* ------------------------------------------------------------------ driver */

/* What a caller asked for; 0 or NULL is the default. */
typedef struct pv_cut_settings {
    const char *method;
    uint64_t k; /* people in a class at least; may grow by what is demanded */
    /* Demands besides, bias and loss; borrowed until the search is set up. */
    const pv_constraint *demands;
    size_t n_demands;
    const pv_measure_ref *bias, *loss;
    bool free_groups;
    bool suppresses;      /* not even the coarsest scheme need keep the rules */
    uint64_t evaluations; /* of the first search */
    uint64_t further;     /* searches after it start from what is known: a part of this is enough */
    double prove;         /* seconds; negative = no proof, and 0 once the search is set up */
    double prove_usually; /* ... where 0 was asked for */
    uint64_t seed, memory;
    size_t population;
    double crossover, mutation;
} pv_cut_settings;

typedef struct pv_cut_search {
    const pv_profile *profile;
    pv_cut_settings settings; /* with all defaults filled in */
    const pv_cut_method_entry *method;
    pv_cut_space space;
    pv_cut_criteria criteria;
    pv_cut_table table;
    pv_cut_prices prices;
    pv_cut_run run;

    const pv_context *context;
    struct {
        const char *name;
        uint64_t done, total;
        bool counts; /* `done` is what the method or the proof has counted */
    } phase;
    pv_stop stop; /* PV_STOP_FINISHED until something stops it */
    double next_report;
    double finds_end;  /* moment (pv_i_now); 0 = none */
    double proofs_end; /* moment */
} pv_cut_search;

/* The profile is borrowed. Fails if k is more than there are rows, or if not even the coarsest
 * scheme that the plan allows has k and meets the rules: PV_STATUS_UNSATISFIED; and as
 * pv_i_cut_space_init does. */
PV_CHECKED pv_status pv_i_cut_search_init(pv_cut_search *search, const pv_profile *profile,
                                          const pv_cut_settings *settings,
                                          const pv_context *context, pv_error *error);
void pv_i_cut_search_deinit(pv_cut_search *search);

/* In how many ways the values of all axes can be divided. False when memory runs out. */
PV_CHECKED bool pv_i_cut_ways(const pv_cut_space *space, double *ways);

/* Begins something new: nothing has stopped it yet. */
PV_CHECKED pv_status pv_i_cut_search_begin(pv_cut_search *search, const pv_context *context,
                                           pv_error *error);
/* Looks for schemes for a goal, starting from some that are known, the first ones of a list.
 * `number` counts the searches from 0: each has a seed of its own. */
PV_CHECKED pv_status pv_i_cut_search_find(pv_cut_search *search, const pv_cut_goal *goal,
                                          uint64_t number, const uint32_t *known, size_t n_known,
                                          pv_error *error);
/* Branch and bound from a known scheme, until the time for proofs is over. What it finds is
 * evaluated like any other. max_nodes 0 = any number. */
PV_CHECKED pv_status pv_i_cut_search_prove(pv_cut_search *search, const pv_cut_goal *goal,
                                           uint32_t start, uint64_t max_nodes, pv_cut_proof *proof,
                                           pv_error *error);

#endif
