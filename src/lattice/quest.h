/* What is asked of a search for the best scheme, and the tuples it works on.
 *
 * The question is fixed: axes with the levels that may be used and differ, what each group of each
 * level keeps, the demands, the budget. The tuples are not. A search looks at boxes of schemes; in
 * a box where age is at least in decades, two people who differ only in years are never told apart.
 * They are one tuple there, and everything that is done in the box costs less:
 *
 *     tuples of the table   24 F Rome | 25 F Rome | 27 M Rome | 31 F Oslo      rows 1 2 1 3
 *     of the box            2x F Rome |           | 2x M Rome | 3x F Oslo           3   1 3
 *
 * Merged tuples are numbered in the order of the partition they are merged for, so that its classes
 * are read from front to back. */
#ifndef PV_LATTICE_QUEST_H
#define PV_LATTICE_QUEST_H

#include "measure/class_rules.h"

#define PV_MOST_LEVELS 256 /* of an attribute: their numbers are bytes */

/* One level of an attribute, as far as searches care. */
typedef struct pv_quest_level {
    uint8_t level; /* of the hierarchy */
    uint32_t n_groups;
    uint32_t *group; /* per leaf */
    double *kept;    /* per group: what one row of it keeps of this attribute */
    uint32_t *up;    /* per group: its group on the next level; NULL on the last */
} pv_quest_level;

/* An attribute: its levels from the finest to the coarsest. Levels that group the values alike are
 * one, the finest of them. */
typedef struct pv_quest_axis {
    unsigned n_levels;
    unsigned first_bit; /* its levels are neighbouring bits of a box */
    pv_quest_level *levels;
} pv_quest_axis;

/* The values of one sensitive column that occur with each tuple: entries start[t] .. start[t+1]-1.
 */
typedef struct pv_tuple_values {
    uint32_t *start; /* one more than tuples */
    uint32_t *code;
    uint32_t *count;
    size_t n_most; /* entries that there is space for */
} pv_tuple_values;

typedef struct pv_quest_tuples {
    size_t n;
    uint32_t **leaf;         /* per axis, per tuple */
    uint32_t *count;         /* rows per tuple */
    uint32_t *origin;        /* per tuple: one tuple of the profile that it stands for */
    pv_tuple_values *values; /* per sensitive column, where demands speak of them */
    uint64_t *set;           /* instead, per tuple, where quest->sets ... */
    uint32_t *cells;         /* ... or quest->n_codes per tuple: rows by sensitive value */
    size_t n_axes, n_columns;
    size_t n_most; /* tuples that there is space for */
} pv_quest_tuples;

/* So many different values of a sensitive column in every class. */
typedef struct pv_variety {
    size_t column;
    uint32_t least;
    unsigned first_bit; /* in sets: one bit for each value ... */
    uint64_t bits;      /* ... but the missing one */
} pv_variety;

/* What is asked: the table, the demands and the loss. Shared by all threads. */
typedef struct pv_quest {
    const pv_profile *profile;
    size_t n_axes;
    pv_quest_axis *axes;
    pv_quest_tuples tuples; /* those of the profile */
    size_t n_columns;       /* sensitive columns whose values are at hand, as lists */
    size_t n_bits;          /* levels of all axes */
    size_t most_groups;
    uint64_t k;           /* at least 1 */
    uint64_t budget;      /* rows that may be suppressed */
    pv_class_rules rules; /* all demands on sensitive values */
    bool breakable; /* are there rules besides l-distinct, which a finer class may keep again? */
    pv_variety varieties[PV_MOST_RULED_COLUMNS];
    size_t n_varieties;
    bool sets; /* only the number of values is asked, and they are so few that a set is a word */
    /* Otherwise, where they are few: every value of the columns that demands speak of has a cell;
     * those that fill up the last block are zero. */
    size_t n_codes, first_code[PV_MOST_RULED_COLUMNS];
    bool counted[PV_MOST_RULED_COLUMNS]; /* is a column among them? */
    double everything;                   /* what all rows keep at the finest levels */
    double *all_rows; /* per bit: what all rows keep of an attribute at a level */
} pv_quest;

/* Are these sensitive values as various as is demanded? Only where quest->sets. */
static inline bool pv_i_set_is_various(const pv_quest *quest, uint64_t set)
{
    for (size_t i = 0; i < quest->n_varieties; i++) {
        const uint64_t own = set & quest->varieties[i].bits;
        if ((uint32_t)__builtin_popcountll(own) < quest->varieties[i].least) {
            return false;
        }
    }
    return true;
}

/* Cells are added up a block at a time: two registers of the plainest vector unit. */
#define PV_CELL_BLOCK 8

static inline void pv_i_cells_add(uint32_t *restrict to, const uint32_t *restrict from, size_t n)
{
    for (size_t block = 0; block < n; block += PV_CELL_BLOCK) {
        for (size_t i = block; i < block + PV_CELL_BLOCK; i++) {
            to[i] += from[i];
        }
    }
}

/* Levels that may be used: `allowed(ctx, quasi, level)`; NULL = all. The meter is of a separable
 * loss and borrowed, as is the profile. */
typedef bool (*pv_allowed_fn)(const void *ctx, size_t quasi, unsigned level);
PV_CHECKED pv_status pv_i_quest_init(pv_quest *quest, const pv_profile *profile,
                                     const pv_meter *loss, const pv_constraint *demands,
                                     size_t n_demands, uint64_t budget, pv_allowed_fn allowed,
                                     const void *ctx, pv_error *error);
void pv_i_quest_deinit(pv_quest *quest);

/* Zero-initialised = none, without space. */
void pv_i_tuples_deinit(pv_quest_tuples *tuples);

/* Scratch memory for merging, of one thread. */
typedef struct pv_merger {
    uint64_t *hash;   /* per tuple of the partition */
    uint32_t *into;   /* per tuple of the partition: its merged tuple */
    uint32_t *first;  /* per merged tuple: the first that became it, then where its members begin */
    uint32_t *member; /* places in the partition, merged tuple by merged tuple */
    uint32_t *slots;  /* hash table of merged tuples, each + 1; 0 = free */
    uint32_t *seen;   /* per sensitive code: the merged tuple, + 1, that had it last ... */
    uint32_t *entry;  /* ... and its entry there */
} pv_merger;

PV_CHECKED bool pv_i_merger_init(pv_merger *merger, const pv_quest *quest);
void pv_i_merger_deinit(pv_merger *merger);

/* Merges what no level from low[axis] up tells apart. `places` are n tuples of `from`; merged ones
 * are numbered in the order in which they come up there, and merger->into has the number of each.
 * `*n_merged` is 0, and nothing has changed, if they would be more than `worth`. False when memory
 * runs out. */
PV_CHECKED bool pv_i_tuples_merge(pv_merger *merger, const pv_quest *quest,
                                  const pv_quest_tuples *from, const uint32_t *places, size_t n,
                                  const uint8_t *low, size_t worth, pv_quest_tuples *to,
                                  size_t *n_merged);

#endif
