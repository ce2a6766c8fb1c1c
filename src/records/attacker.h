/* The attacker: a dictionary of people (the paper's word), as distinct tuples of what is known of
 * them, and with which groups of the table's hierarchies each of their values is consistent.
 *
 *     value of the dictionary ---> at level 0: groups {3}, at level 1: {1}, at level 2: {0}
 *
 * Exactly: the group it lies under, or none if the table has no such value there. By similarity:
 * every group with a leaf similar enough, so there may be several. At `*` (in a ragged tree: the
 * root, wherever it is reached) everything is consistent. A value consistent with a leaf is so with
 * every group above it: for a record and a value there is a least level. */
#ifndef PV_RECORDS_ATTACKER_H
#define PV_RECORDS_ATTACKER_H

#include "base/arena.h"
#include "classes/profile.h"

#include <paravent/attacker.h>

/* The groups that the values of an attribute are consistent with at one level below the top, the
 * root group left out (attacker_match.c makes them): those of value v are group[start[v]] ..
 * group[start[v + 1] - 1], ascending.
 *
 *     start  0 1 3 3      value 0 is consistent with group 2, value 1 with 0 and 4,
 *     group  2 0 4        value 2 with none */
typedef struct pv_consistency {
    uint32_t *start; /* n_values + 1 */
    uint32_t *group;
} pv_consistency;

/* What the attacker knows of one attribute. */
typedef struct pv_known {
    bool is_known;        /* does the dictionary have the attribute? All below is NULL otherwise */
    uint32_t n_values;    /* distinct, of the dictionary */
    uint32_t n_unmatched; /* of them, consistent with nothing but `*` */
    uint32_t *values;     /* per tuple of the dictionary; NULL: they are the leaves of the profile's
                             tuples, see pv_i_known_value */
    unsigned height;      /* of the table's hierarchy */
    pv_consistency *levels; /* height of them: levels 0 .. height - 1 */
} pv_known;

struct pv_attacker {
    const pv_profile *profile; /* of the table that is disclosed */
    bool is_table;             /* the table itself, exactly: tuples and values are the profile's
                                  tuples and leaves */
    size_t n_tuples;
    uint64_t n_rows;
    uint64_t *counts; /* rows per tuple; of the table: borrowed from the profile */
    pv_known *known;  /* one per quasi-identifier */
    pv_arena arena;   /* holds all that is not borrowed */
};

/* The value of a tuple of the dictionary in an attribute that it knows. */
static inline uint32_t pv_i_known_value(const pv_attacker *attacker, size_t quasi, size_t tuple)
{
    const uint32_t *const values = attacker->known[quasi].values;
    return values != NULL ? values[tuple] : pv_profile_leaf(attacker->profile, tuple, quasi);
}

/* ------------------------------------------------------------------ matching */

#define PV_NO_GROUP UINT32_MAX

/* The group of a leaf at a level, PV_NO_GROUP = the root. */
uint32_t pv_i_group_below_root(const pv_hierarchy *hierarchy, unsigned level, uint32_t leaf);

/* Is a value consistent with a group? */
static inline bool pv_i_is_consistent(const pv_consistency *level, uint32_t value, uint32_t group)
{
    const uint32_t end = level->start[value + 1];
    uint32_t i = level->start[value];
    while (i < end && level->group[i] < group) {
        i++;
    }
    return i < end && level->group[i] == group;
}

/* Finds the groups that the values of an attribute are consistent with: codes of a column of
 * another table, or (NULL) leaves of the table itself; exactly (similarity 0) or by similarity. */
PV_CHECKED pv_status pv_i_attacker_match(pv_attacker *attacker, size_t quasi, const pv_table *table,
                                         size_t column, double similarity,
                                         const pv_context *context, pv_error *error);

/* -------------------------------------------------------------------- index */

/* How many dictionary rows are consistent with a record's tuple at any levels, without looking at
 * all of them: sets of dictionary tuples by attribute and group, as lists where they are short and
 * as bits where they are long. May be used by several threads. */
typedef struct pv_consistent_index pv_consistent_index;

PV_CHECKED pv_status pv_i_consistent_index_create(const pv_attacker *attacker, uint64_t memory,
                                                  pv_consistent_index **index, pv_error *error);
void pv_i_consistent_index_free(pv_consistent_index *index); /* NULL is fine */
/* The values of the dictionary's tuples in an attribute that it knows. */
const uint32_t *pv_i_consistent_values(const pv_consistent_index *index, size_t quasi);

/* Scratch memory to count in, one per thread, from an arena (look whether that has failed). */
typedef struct pv_consistent_scratch pv_consistent_scratch;
pv_consistent_scratch *pv_i_consistent_scratch(const pv_consistent_index *index, pv_arena *arena);

/* rho: `leaves` and `levels` have one entry per quasi-identifier. Allocates nothing. */
uint64_t pv_i_consistent_count(const pv_consistent_index *index, pv_consistent_scratch *scratch,
                               const uint32_t *leaves, const uint8_t *levels);
/* The rows consistent with a record's value in one attribute, whatever the others are. */
uint64_t pv_i_consistent_alone(const pv_consistent_index *index, size_t quasi, unsigned level,
                               uint32_t leaf);

/* The dictionary tuples around a record at its levels: those it fits, and those that miss it by one
 * attribute alone. What any change of one attribute, or generalizing one and refining another,
 * comes to can be counted among them. */
typedef struct pv_near {
    uint32_t *fits;   /* tuples, ascending */
    uint32_t *misses; /* tuples, ascending */
    uint32_t *missed; /* of each of the latter: the attribute */
    size_t n_fits, n_misses;
} pv_near;

/* Memory for all tuples, one per thread, from an arena (look whether that has failed). */
pv_near pv_i_near(const pv_consistent_index *index, pv_arena *arena);
/* Allocates nothing. */
void pv_i_consistent_near(const pv_consistent_index *index, pv_consistent_scratch *scratch,
                          const uint32_t *leaves, const uint8_t *levels, pv_near *near);

#endif
