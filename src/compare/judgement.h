/* A judgement from the inside: what its public accessors read.
 *
 * A judgement borrows its comparison and owns everything else. Nothing in it changes once it is
 * made: threads may read it together. Values are oriented as in the vectors, more is better; the
 * public accessors turn back what people want to see the other way round. */
#ifndef PV_COMPARE_JUDGEMENT_H
#define PV_COMPARE_JUDGEMENT_H

#include "compare/comparison.h"

#include <paravent/compare.h>

struct pv_tournament {
    size_t n;          /* releases */
    pv_winner *winner; /* [first * n + second] */
    uint32_t *wins;    /* per release */
    size_t *ranking;   /* releases, best first: by wins, ties by number */
    size_t *cycle;     /* a cycle of releases each of which beats the next; NULL = none */
    size_t n_cycle;
};

/* n = releases, P = properties. Values are oriented: more is better. */
struct pv_judgement {
    const pv_comparison *comparison;
    double tolerance;
    pv_duel *duels;           /* [(property * n + first) * n + second], both ways */
    pv_tournament **by_index; /* [property * PV_INDEX_COUNT + index] */
    const pv_combination *combinations;
    size_t n_combinations;
    pv_verdict_of_two *verdicts; /* [(combination * n + first) * n + second], both ways */
    pv_tournament **overall;     /* per combination */
    pv_group_result *everyone;   /* [property * n + release] */
    pv_group_result *groups;     /* [(group * P + property) * n + release] */
    double *worst;               /* the least value, as `everyone`; NAN = no vector */
    uint64_t enough;
    uint64_t *least;       /* per release: people in the smallest class, suppressed ones aside */
    pv_tournament *advice; /* NULL = class-size or glm was not compared */
};

const pv_duel *pv_i_judgement_duel(const pv_judgement *judgement, size_t property, size_t first,
                                   size_t second);
pv_winner pv_i_turned(pv_winner winner); /* the same, seen by the other */

/* What people get who are of `n` kinds: kinds[i], NULL = of the first n ones; counts[i] of each,
 * NULL = one. */
void pv_i_group_measure(const double *values, const uint32_t *kinds, const uint64_t *counts,
                        size_t n, double worst, pv_group_result *result);

/* Is it more than bad luck that so many of `n` people have the worst value? */
bool pv_i_is_singled_out(const pv_group_result *result, const pv_group_result *everyone,
                         uint64_t n);
/* People in the smallest class of a release, suppressed ones aside. */
uint64_t pv_i_least_class(const pv_comparison *comparison, size_t release, size_t sizes);
/* People who share their sensitive value with all of their class, suppressed ones aside. */
uint64_t pv_i_given_away(const pv_comparison *comparison, size_t release, size_t distinct);

/* What a combination says; the duels of the judgement are used where there is one. */
PV_CHECKED pv_status pv_i_combine(const pv_comparison *comparison, const pv_judgement *judgement,
                                  size_t first, size_t second, const pv_combination *combination,
                                  pv_verdict_of_two *verdict, pv_error *error);

#endif
