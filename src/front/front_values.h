/* Values of a front as people read them and as indicators compare them. */
#ifndef PV_FRONT_FRONT_VALUES_H
#define PV_FRONT_FRONT_VALUES_H

#include <paravent/front.h>

/* Sizes of classes differ by factors: they are compared by their logarithm. */
bool pv_i_is_class_size(const pv_measure *measure);

/* The number people read: the share of its largest possible value, or the value itself. */
double pv_i_front_shown(const pv_front *front, const pv_profile *profile, size_t objective,
                        double value);

/* Is the first value better than the second in an objective? */
static inline bool pv_i_front_better(const pv_front *front, size_t objective, double a, double b)
{
    return front->objectives[objective].measure->direction == PV_MORE_IS_BETTER ? a > b : a < b;
}

#endif
