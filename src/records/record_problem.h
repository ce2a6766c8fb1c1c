/* One record's problem: at which levels to release its values.
 *
 * A choice is a level x for each attribute, from its bottom to its top: from 0 to the lowest level
 * at which the record's value is `*`, unless the plan fixes or limits its levels. Generalizing (x +
 * 1) never raises utility nor, in models I and II, risk. Looking for the least risk, the good
 * choices are general and the acceptable ones specific; looking for the most utility it is the
 * other way round. So all methods speak of two directions: `forward`, to where choices get better
 * until they are no longer accepted, and back. */
#ifndef PV_RECORDS_RECORD_PROBLEM_H
#define PV_RECORDS_RECORD_PROBLEM_H

#include "base/tasks.h"
#include "records/attacker.h"
#include "records/weighing.h"

/* What a choice comes to. */
typedef struct pv_record_choice {
    pv_worth worth;
    uint64_t rho;
    bool is_accepted; /* does it keep the bound? */
    pv_rank rank;
} pv_record_choice;

typedef struct pv_record_problem {
    const pv_weighing *weighing;
    const pv_consistent_index *index;
    pv_consistent_scratch *scratch;
    size_t n; /* attributes */
    bool is_forward_general;

    /* The record. */
    uint32_t *leaves;
    uint8_t *bottoms, *tops;
    pv_worth **worth; /* by attribute and level */
    int64_t floor;    /* utility it must keep */
    uint64_t raw_rho;
    uint64_t low_rho; /* of the bottoms; mostly they are raw */

    /* The account. */
    uint64_t visited, limit; /* choices looked at; 0 = no limit */
    uint64_t memory;         /* bytes for what is remembered of them */
    bool is_stopped;         /* by a limit, or because it was asked for */
    bool (*keep_going)(void *ctx, const pv_thread *thread); /* NULL = always */
    void *ctx;
    const pv_thread *thread; /* that answers it */

    /* The answer so far. */
    bool is_found;
    bool is_optimal;
    pv_record_choice best;
    uint8_t *levels;
    uint8_t *at; /* scratch: levels */
    pv_arena arena;
} pv_record_problem;

/* All of it is borrowed and must outlive the problem. */
PV_CHECKED pv_status pv_i_problem_init(pv_record_problem *problem, const pv_weighing *weighing,
                                       const pv_consistent_index *index, pv_error *error);
void pv_i_problem_deinit(pv_record_problem *problem);

/* Poses the problem of a tuple of the profile. */
void pv_i_problem_pose(pv_record_problem *problem, size_t tuple);
/* Answers it if there is nothing to search; false if there is. */
bool pv_i_problem_settle(pv_record_problem *problem);

pv_worth pv_i_problem_worth(const pv_record_problem *problem, const uint8_t *levels);
uint64_t pv_i_problem_count(pv_record_problem *problem, const uint8_t *levels);
/* Counts one more choice that is looked at; false: stop. */
bool pv_i_problem_visit(pv_record_problem *problem);

/* What a choice of that worth and rho comes to. */
pv_record_choice pv_i_problem_choice(const pv_record_problem *problem, pv_worth worth,
                                     uint64_t rho);
/* And at these levels, whose rho is counted. */
pv_record_choice pv_i_problem_choice_at(pv_record_problem *problem, const uint8_t *levels);
/* Keeps the choice if it is accepted and better than the best so far. */
void pv_i_problem_offer(pv_record_problem *problem, const uint8_t *levels,
                        const pv_record_choice *choice);

/* If the record at its bottoms runs no more risk than the best choice so far, which is the least
 * there is, then nothing is better: it is the most useful. */
bool pv_i_problem_bottom_is_best(pv_record_problem *problem);

/* The end of the lattice where going forward (or back) begins: the bottoms, or the tops. */
void pv_i_problem_end_of(const pv_record_problem *problem, bool forward, uint8_t *levels);

/* One step of an attribute forward or back; false where the lattice ends. */
static inline bool pv_i_problem_step(const pv_record_problem *problem, uint8_t *levels, size_t j,
                                     bool forward)
{
    const bool up = forward == problem->is_forward_general;
    if (levels[j] == (up ? problem->tops[j] : problem->bottoms[j])) {
        return false;
    }
    levels[j] = (uint8_t)(up ? levels[j] + 1 : levels[j] - 1);
    return true;
}

/* Step by step forward, each time the best that is accepted, offering all of them: a good answer
 * soon. Visits at most attributes times steps choices, whatever the limit. */
void pv_i_problem_greedy(pv_record_problem *problem);

/* ------------------------------------------------------------------- swaps */

/* A good choice soon, in a lattice of any size; nothing is proven about it. What a worker needs for
 * it: */
typedef struct pv_swapper {
    const pv_attacker *attacker;
    pv_near near;
    uint8_t *least; /* per miss: the lowest level at which its attribute would fit */
    size_t *first;  /* per attribute: where its levels begin in `more` */
    uint64_t *more; /* per attribute and level: rows that raising it there would add */
    size_t n_more;
    double *value; /* per attribute: what its next step forward is worth, by itself */
    pv_arena arena;
} pv_swapper;

/* All of it is borrowed and must outlive the swapper. */
PV_CHECKED pv_status pv_i_swapper_init(pv_swapper *swapper, const pv_attacker *attacker,
                                       const pv_record_problem *problem, pv_error *error);
void pv_i_swapper_deinit(pv_swapper *swapper);

/* Offers a choice that keeps the bound, if the most acceptable one does. Takes microseconds: each
 * attribute is judged by itself, and rows are counted only where the bound is one of risk. */
void pv_i_problem_start(pv_record_problem *problem, pv_swapper *swapper);

/* Makes the best choice so far better, as long as that can be done by raising one attribute,
 * lowering one, or both. */
void pv_i_problem_swap(pv_record_problem *problem, pv_swapper *swapper);

#endif
