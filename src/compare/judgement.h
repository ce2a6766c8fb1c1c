/* Finding one's way in a judgement. */
#ifndef PV_COMPARE_JUDGEMENT_H
#define PV_COMPARE_JUDGEMENT_H

#include <paravent/compare.h>

/* Which of the compared properties it is; SIZE_MAX = none. */
size_t pv_i_compared_property(const pv_comparison *comparison, const char *name);
/* The value as people read it: without the sign that orients it. */
double pv_i_shown_value(const pv_comparison *comparison, size_t property, double value);

/* How people fare who are of `n` kinds: kinds[i], NULL = of the first n ones; counts[i] of each,
 * NULL = one. */
void pv_i_fare_take(const double *values, const uint32_t *kinds, const uint64_t *counts, size_t n,
                    double worst, pv_fare *fare);
/* Is it more than bad luck that so many of `n` people have the worst value? */
bool pv_i_fare_is_singled_out(const pv_fare *fare, const pv_fare *everyone, uint64_t n);

/* What a combination says, from the duels of the judgement. */
PV_CHECKED pv_status pv_i_combine_judged(const pv_judgement *judgement, size_t first, size_t second,
                                         const pv_combination *combination,
                                         pv_verdict_of_two *verdict, pv_error *error);

/* The advice on two releases, from the duel of their detail. */
pv_winner pv_i_advise(uint64_t first_least, uint64_t second_least, uint64_t enough,
                      const pv_duel *detail);
/* People in the smallest class of a release, suppressed ones aside. */
uint64_t pv_i_least_class(const pv_comparison *comparison, size_t release, size_t sizes);
/* People who share their sensitive value with all of their class, suppressed ones aside. */
uint64_t pv_i_given_away(const pv_comparison *comparison, size_t release, size_t distinct);
#endif
