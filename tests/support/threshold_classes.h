/* The classes of a scheme at each of its thresholds, as searches see them one after the other. */
#ifndef PV_TESTS_THRESHOLD_CLASSES_H
#define PV_TESTS_THRESHOLD_CLASSES_H

#include "classes/grouping.h"
#include "support/bound_study.h"

/* The largest class size below `size`; 0 = there is none. */
static inline uint64_t threshold_below(const pv_classes *classes, uint64_t size)
{
    uint64_t largest = 0;
    for (size_t c = 0; c < pv_classes_total(classes); c++) {
        const uint64_t other = pv_classes_size(classes, c);
        largest = other < size && other > largest ? other : largest;
    }
    return largest;
}

/* The n-th threshold, the highest is number 0; NULL = there are no more. Where the budget is to be
 * spent there is one. A scheme that misses the target is seen once, with the budget spent in vain.
 */
static inline pv_classes *threshold_classes(const pv_profile *profile, const uint8_t *levels,
                                            pv_suppression rule, size_t n)
{
    pv_classes *const highest = bound_classes(profile, levels, rule.budget, 0);
    uint64_t k = pv_classes_k(highest);
    if (k < rule.target_k) {
        highest->feasible = false;
    }
    if (n == 0) {
        return highest;
    }
    for (size_t i = 0; i < n && k > 0; i++) {
        k = threshold_below(highest, k);
    }
    const bool none = k == 0 || k < rule.target_k || !highest->feasible ||
                      (rule.whole_budget && rule.target_k == 0);
    pv_classes_free(highest);
    return none ? NULL : bound_classes(profile, levels, rule.budget, k);
}

#endif
