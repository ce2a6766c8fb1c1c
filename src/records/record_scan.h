/* What the three files of the scan share (record_scan.c says how the search goes).
 *
 *     record_scan_tables.c   what is constant: attributes in the order they are fixed, numbered
 *                            suffixes of records, bounds on what the open attributes can add
 *     record_scan_lists.c    lists of all records with some attributes fixed, and fixing one more
 *     record_scan.c          the search over all combinations of levels, on threads
 *
 * A *position* is a place in the order in which attributes are fixed. */
#ifndef PV_RECORDS_RECORD_SCAN_H
#define PV_RECORDS_RECORD_SCAN_H

#include "records/record_methods.h"

#include <assert.h>
#include <math.h>

/* ------------------------------------------------------------------ tables */

/* The attribute fixed at one position. */
typedef struct pv_scan_attribute {
    size_t quasi;
    unsigned height;
    unsigned lowest, highest; /* levels that may be chosen */
    uint32_t stride;   /* how far apart two nodes of the lattice are that differ by one level */
    uint32_t **group;  /* by level and leaf */
    uint32_t n_groups; /* the most of a level */
    pv_worth *const *worth;    /* by level and leaf; borrowed */
    const uint8_t *root_level; /* by leaf; borrowed */
    bool has_root_leaf;        /* is `*` itself a value of the table? */
    const pv_known *known;     /* what the attacker knows of it; NULL = nothing */
} pv_scan_attribute;

/* Suffixes: what is left of a tuple from a position on, numbered.
 *
 *     position 0: suffix 7 = value 2, then suffix 4 of position 1
 *     position 1: suffix 4 = value 0, then suffix 1 of position 2 ...
 *
 * They are numbered in order: by the value at the position, then by the next suffix. With some
 * attributes generalized and all after them raw, a tuple is known by its generalized part and one
 * number, however many attributes and values there are. */
typedef struct pv_suffixes {
    uint32_t *n;        /* per position, and 1 at the end: different suffixes */
    uint32_t **value;   /* per position and suffix: the value there */
    uint32_t **next;    /* per position and suffix: the suffix from the next position on */
    uint32_t *of_tuple; /* per tuple: its suffix from position 0 on */
} pv_suffixes;

/* A suffix released raw. */
typedef struct pv_raw_suffix {
    pv_worth worth;
    uint32_t node; /* what its levels add to the number of a node: 0, but for values that are `*` */
} pv_raw_suffix;

/* The least sensitivity that some utility costs, piece by piece, the cheapest first. */
typedef struct pv_price_list {
    size_t n;
    double *utility, *phi; /* n + 1 each: sum of all pieces before, in units */
} pv_price_list;

/* What the attributes from a position on can add. */
typedef struct pv_scan_remaining {
    pv_worth most;               /* raw */
    bool may_be_raw, may_be_top; /* all of them: does the plan allow that? */
    int64_t top_utility;         /* all of them being `*` */
    uint32_t top_node;           /* what the top levels add to the number of a node */
    int64_t least_phi;           /* of any value of them but `*` */
    pv_price_list prices;        /* of utility beyond top_utility */
    pv_raw_suffix *raw;          /* per suffix; NULL at position 0: see pv_i_scan_raw_worth */
} pv_scan_remaining;

/* Constant while workers search. */
typedef struct pv_scan_tables {
    const pv_disclose_run *run;
    const pv_weighing *weighing;
    size_t n; /* positions */
    pv_scan_attribute *attributes;
    /* Does the attacker know the table itself, and is no label on several levels? Then who fits a
     * class are its own records, and one list serves for both. Otherwise the attributes the
     * attacker knows come first, n_known of them, and lists have a second side: dictionary entries.
     */
    bool is_table;
    size_t n_known;
    pv_suffixes suffixes;         /* of the records: leaves */
    pv_suffixes dict;             /* of the dictionary: its values at the first n_known positions;
                                     empty if is_table */
    pv_scan_remaining *remaining; /* per position, and one for the end */
    pv_arena arena;               /* holds them all */
} pv_scan_tables;

/* The arena is to be deinitialised even after a failure. */
PV_CHECKED pv_status pv_i_scan_tables_init(pv_scan_tables *tables, const pv_disclose_run *run,
                                           pv_error *error);

/* What a suffix of position 0, that is a record, is worth raw. */
pv_worth pv_i_scan_raw_worth(const pv_scan_tables *tables, uint32_t suffix);
/* The least sensitivity for so much utility beyond the top, in units. */
int64_t pv_i_scan_price(const pv_price_list *prices, int64_t utility);

/* ------------------------------------------------------------------- lists */

/* The best choice found for a record, in the scan's own terms. */
typedef struct pv_scan_best {
    pv_rank rank;  /* first = HUGE_VAL: none */
    uint32_t node; /* of the lattice */
    uint32_t rho;
} pv_scan_best;

#define PV_NO_BEST ((pv_scan_best){{HUGE_VAL, HUGE_VAL}, UINT32_MAX, 0})

/* Limits of records for which no choice is of use any more, and of those for which any is. */
#define PV_NOTHING_WANTED ((pv_rank){-HUGE_VAL, -HUGE_VAL})
#define PV_ANYTHING_WANTED ((pv_rank){HUGE_VAL, HUGE_VAL})

/* All records with the attributes before a position fixed; record_scan_lists.c has a drawing. */
typedef struct pv_scan_list {
    size_t n, n_runs;
    size_t capacity; /* entries, and runs, that fit in */
    /* Per entry. */
    uint32_t *suffix;
    uint32_t *count; /* rows; only where the dictionary is the table */
    pv_rank *limit;  /* no record in it has use for anything worse */
    /* Per run. */
    uint32_t *start;   /* n_runs + 1: first entry */
    pv_worth *worth;   /* of the fixed attributes */
    uint32_t *total;   /* dictionary rows consistent with them */
    bool *is_improved; /* has anything been found for its entries since it was divided? */
    /* The dictionary's side, unless it is the table: what is left of those consistent rows. */
    uint32_t *dict_start; /* n_runs + 1 */
    uint32_t *dict_suffix, *dict_count;
    size_t n_dict, dict_capacity;
    pv_arena arena; /* holds all but the dictionary's entries */
} pv_scan_list;

/* Entries of one run with one value at a position. */
typedef struct pv_scan_part {
    uint32_t start, end; /* entries */
    uint32_t leaf, run;
    uint32_t total;   /* rows; only where the dictionary is the table */
    bool is_finished; /* nothing comes of it at lower levels */
    pv_rank limit;    /* no better than that of any of its entries */
} pv_scan_part;

/* The entries that a run of the child comes from. */
typedef struct pv_scan_origin {
    uint32_t start, end;
    uint32_t run;
} pv_scan_origin;

/* Fixing the attribute of one position. */
typedef struct pv_scan_frame {
    pv_scan_part *parts;
    size_t n_parts;
    pv_scan_list child;     /* with the attribute at one level */
    pv_scan_origin *origin; /* per run of the child */
    uint32_t *map;          /* per entry of the list before, where it has an origin: of the child */
    pv_scan_best *best;     /* per entry of the child */
    size_t capacity;        /* of all these */
    pv_arena arena;         /* holds them, but not the child */
} pv_scan_frame;

/* A set of suffixes as bits, with a second set for the words of the first that have any, so that
 * reading it in order takes no longer than there are members. */
typedef struct pv_suffix_marks {
    uint64_t *bits;    /* per suffix; all 0 between calls */
    uint64_t *summary; /* per word of bits */
    uint32_t *number;  /* per suffix */
    size_t n_summary;
} pv_suffix_marks;

/* Which different suffixes are among n, and which is which? They go to `distinct`, ascending;
 * number[i] is the place there of suffix i, and may be the list of suffixes itself. Returns how
 * many there are. */
size_t pv_i_scan_distinct(pv_suffix_marks *marks, const uint32_t *suffixes, size_t n,
                          uint32_t *distinct, uint32_t *number);

/* One thread of the scan, with all the memory it needs. */
typedef struct pv_scan_worker {
    const pv_scan_tables *tables;
    pv_scan_frame *frames; /* one per position but the last */
    pv_suffix_marks marks;
    uint32_t *scratch; /* 3 * scratch_capacity: of the dictionary's entries to be merged */
    size_t scratch_capacity;
    uint32_t *group_total, *group_run; /* scratch: per group of an attribute; the latter is
                                          PV_NOWHERE between calls */
    int64_t floor;                     /* utility that the records of this pass must keep */
    bool is_counting;                  /* nothing is left out or refused: only rho is wanted */
    pv_arena arena;                    /* holds all but the scratch for merging */
} pv_scan_worker;

#define PV_NOWHERE UINT32_MAX

/* To be deinitialised even after a failure, which is lack of memory. */
PV_CHECKED bool pv_i_scan_worker_init(pv_scan_worker *worker, const pv_scan_tables *tables);
void pv_i_scan_worker_deinit(pv_scan_worker *worker);

/* False when memory runs out. What the list holds is lost. */
bool pv_i_scan_list_reserve(pv_scan_list *list, size_t n);
void pv_i_scan_list_deinit(pv_scan_list *list);

/* Divides the runs of a list by the values at the position. */
bool pv_i_scan_divide(pv_scan_worker *worker, size_t position, const pv_scan_list *list);
/* Makes the child of the position the list with its attribute at a level, which makes `node` of the
 * levels fixed so far. Levels must be taken from the top down: parts of which nothing can come
 * below are dropped. Choices that are known without going on are offered at once: they go to
 * `best`. */
bool pv_i_scan_fix(pv_scan_worker *worker, size_t position, pv_scan_list *list, unsigned level,
                   uint32_t node, pv_scan_best *best);
/* The best choices at the wanted levels of the last attribute, for the entries of the list there.
 */
void pv_i_scan_fix_last(pv_scan_worker *worker, const pv_scan_list *list, uint8_t wanted,
                        uint32_t node, pv_scan_best *best);

/* A total order, so that it does not matter who finds what when: of equal ranks the lower node. */
static inline bool pv_i_scan_is_better(const pv_scan_best *a, const pv_scan_best *b)
{
    const int order = pv_i_rank_compare(a->rank, b->rank);
    return order < 0 || (order == 0 && a->node < b->node);
}

/* Keeps a choice for an entry of a list if it is better. Is it? */
static inline bool pv_i_scan_offer(const pv_scan_best *choice, pv_scan_best *best, pv_rank *limit)
{
    if (!pv_i_scan_is_better(choice, best)) {
        return false;
    }
    *best = *choice;
    *limit = pv_i_rank_compare(best->rank, *limit) < 0 ? best->rank : *limit;
    return true;
}

/* ------------------------------------------------------------------ levels */

/* Levels of a position that a search goes through: one of them, or these. */
#define PV_LEVELS_ANY UINT8_MAX
#define PV_LEVELS_RAW (UINT8_MAX - 1)       /* 0, and for a value that is `*` itself, the top */
#define PV_LEVELS_ENDS (UINT8_MAX - 2)      /* the lowest and the highest */
#define PV_LEVELS_NEAR_ENDS (UINT8_MAX - 3) /* the lowest but one and the highest */
static_assert(PV_MAX_HEIGHT < PV_LEVELS_NEAR_ENDS, "a level is none of these");

/* Whatever the plan allows, raw is what a record was: only its people are counted there. */
static inline bool pv_i_scan_wants(const pv_scan_attribute *attribute, uint8_t wanted,
                                   unsigned level)
{
    if (wanted == PV_LEVELS_RAW) {
        return level == 0 || (level == attribute->height && attribute->has_root_leaf);
    }
    if (level < attribute->lowest || level > attribute->highest) {
        return false;
    }
    switch (wanted) {
    case PV_LEVELS_ANY: return true;
    case PV_LEVELS_ENDS: return level == attribute->lowest || level == attribute->highest;
    case PV_LEVELS_NEAR_ENDS: return level == attribute->lowest + 1 || level == attribute->highest;
    default: return level == wanted;
    }
}

#endif
