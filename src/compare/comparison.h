/* A comparison from the inside: what its public accessors read.
 *
 *     kinds            people whom all releases treat alike (vectors.h)
 *     releases[r]      the vectors of a release, one value per kind (vectors.h)
 *     people[g]        groups of people by a value of a column: their kinds, and how many of each
 *
 *               kind 0  kind 1  kind 2 ...          n_of_kind = people: 312      40       1
 *     r = 0 p0:    5       5      12                 a duel is over kinds, each counted as
 *     r = 1 p0:   20       5       7                 often as it has people */
#ifndef PV_COMPARE_COMPARISON_H
#define PV_COMPARE_COMPARISON_H

#include "base/arena.h"
#include "compare/vectors.h"

#include <paravent/compare.h>

/* Some people, by a value of a column. */
typedef struct pv_people {
    const char *column;
    const char *value;
    uint64_t n_rows;
    size_t n_kinds; /* of which kinds they are, and how many of each */
    const uint32_t *kinds;
    const uint64_t *n_of_kind;
} pv_people;

struct pv_comparison {
    const char *const *properties; /* names */
    size_t n_properties;
    bool *less_is_better;  /* per property */
    pv_vectors **releases; /* as given */
    size_t n_releases;
    uint64_t n_rows;     /* compared */
    uint64_t n_original; /* rows of the original */
    uint64_t *n_missing; /* per release */
    size_t n_kinds;
    const uint64_t *n_of_kind;   /* people of each kind; NULL = one */
    const uint32_t *kind_of_row; /* of each compared row; NULL = every row is of its own, or an
                                    entry of the original stands for several (vectors.h) */
    pv_people *people;           /* column by column, largest first */
    size_t n_people;
    /* Its memory, and what the fields above are made of. */
    pv_arena arena;
    pv_property_choice *choices; /* per property */
    pv_kinds kinds;
};

/* Which of the compared properties it is; SIZE_MAX = none. */
size_t pv_i_compared_property(const pv_comparison *comparison, const char *name);

/* The traits that properties of classes depend on: tuples, and sensitive values if some property is
 * about a person's own. Returns how many, at most 1 + the profile's sensitive attributes. */
size_t pv_i_profile_traits(const pv_comparison *comparison, const pv_profile *profile,
                           pv_trait *traits);
/* Takes a release in, whose traits divided the kinds: the vectors are the comparison's, even after
 * a failure. */
PV_CHECKED pv_status pv_i_comparison_append(pv_comparison *comparison, pv_vectors *vectors,
                                            uint64_t n_missing, const pv_division *division,
                                            pv_error *error);
/* Once releases are there: kinds that have the same values in all of them become one, and kinds are
 * numbered by their values. So sums over them are the same, to the last bit, in whatever order the
 * rows were read and by whatever way they were matched. */
PV_CHECKED pv_status pv_i_comparison_settle(pv_comparison *comparison, pv_error *error);
/* Appends the people of a column of the original, once all releases are there. */
PV_CHECKED pv_status pv_i_comparison_group(pv_comparison *comparison, const pv_table *original,
                                           const char *column, const pv_context *context,
                                           pv_error *error);

#endif
