/* The evaluator: the classes of many schemes, each rolled up from the shortest list at hand.
 *
 * Results go to a callback with the number of the scheme, never in the order of completion. */
#ifndef PV_LATTICE_EVALUATOR_H
#define PV_LATTICE_EVALUATOR_H

#include "classes/grouping.h"
#include "measure/class_rules.h"

#include "scheme/lattice.h"

#include <paravent/context.h>

typedef struct pv_evaluator pv_evaluator;

typedef struct pv_evaluator_options {
    pv_suppression suppression;
    const pv_class_rules *demands; /* besides k; borrowed; NULL = none. They need `sensitives` */
    bool by_variety;  /* thresholds of l-distinct, besides those of k; needs `sensitives` */
    uint64_t memory;  /* bytes for lists cached between batches, all workers together */
    bool sizes;       /* shall the classes have sizes? */
    bool sensitives;  /* ... the entries of all sensitive columns? */
    bool label;       /* ... the entries of the label? */
    unsigned threads; /* >= 1 */
} pv_evaluator_options;

/* Takes the classes of one scheme, valid for the call, on the thread of a worker. Unless the budget
 * is to be spent, it is called for every threshold of suppression, one after the other, the highest
 * first. Returning anything but OK ends the evaluation with that status. */
typedef pv_status (*pv_visit_fn)(void *ctx, unsigned worker, uint64_t number,
                                 const pv_classes *classes);

/* The profile and the lattice are borrowed and must outlive the evaluator. */
PV_CHECKED pv_status pv_i_evaluator_create(const pv_profile *profile, const pv_lattice *lattice,
                                           const pv_evaluator_options *options,
                                           pv_evaluator **evaluator, pv_error *error);
void pv_i_evaluator_free(pv_evaluator *evaluator); /* NULL is fine */

/* Every scheme of a countable lattice, or the first `limit` in the order of visiting (0 = all);
 * `number` is its node. `keep_going` is asked now and then on the caller's thread with the number
 * of schemes done; false stops early, which is no failure. */
PV_CHECKED pv_status pv_i_evaluate_all(pv_evaluator *evaluator, pv_visit_fn visit, void *ctx,
                                       bool (*keep_going)(void *ctx, uint64_t done), uint64_t limit,
                                       pv_error *error);

/* The same for a part of them: the schemes from the place `first` in the order of visiting to the
 * one before `end`. The order is that of the evaluator, whatever its threads. `done` counts within
 * the part. */
PV_CHECKED pv_status pv_i_evaluate_part(pv_evaluator *evaluator, pv_visit_fn visit, void *ctx,
                                        bool (*keep_going)(void *ctx, uint64_t done),
                                        uint64_t first, uint64_t end, pv_error *error);

/* The schemes levels[0..n-1] (n * axes levels); `number` is the place in the list. */
PV_CHECKED pv_status pv_i_evaluate_batch(pv_evaluator *evaluator, const uint8_t *levels, size_t n,
                                         pv_visit_fn visit, void *ctx, pv_error *error);

/* Says that schemes above this one are about to be asked for: its groups are cached. */
PV_CHECKED pv_status pv_i_evaluator_anchor(pv_evaluator *evaluator, const uint8_t *levels,
                                           pv_error *error);

#endif
