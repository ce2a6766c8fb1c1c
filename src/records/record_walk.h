/* One worker of a scan, and the lists it has at hand: one per position, of all records with the
 * attributes before it generalized to the levels of the worker's path.
 *
 *     run 0: age 20-39, sex M    tail 3 (2 people), tail 9 (1), tail 12 (4)
 *     run 1: age 20-39, sex F    tail 3 (1), tail 7 (6)
 *
 * A run is what the fixed attributes have become, an entry of it what is left of some records. To
 * fix one more attribute, runs are divided by its values (parts), parts of one group are merged
 * again, and `map` says which entry went where. What is found for an entry is found for all records
 * in it: it comes back along the maps. Runs never meet again, so that one that cannot lead to
 * anything better for any of its records is left out. */
#ifndef PV_RECORDS_RECORD_WALK_H
#define PV_RECORDS_RECORD_WALK_H

#include "records/record_ground.h"
#include "records/record_merge.h"

#include <assert.h>
#include <math.h>

/* The best choice found for a record, in the scan's own terms. */
typedef struct pv_record_best {
    pv_rank rank;  /* first = HUGE_VAL: none */
    uint32_t node; /* of the lattice */
    uint32_t rho;
} pv_record_best;

#define PV_NO_BEST ((pv_record_best){{HUGE_VAL, HUGE_VAL}, UINT32_MAX, 0})

static inline bool pv_i_best_is_better(const pv_record_best *a, const pv_record_best *b)
{
    const int order = pv_i_rank_compare(a->rank, b->rank);
    return order < 0 || (order == 0 && a->node < b->node);
}

typedef struct pv_record_list {
    size_t n, n_runs;
    size_t capacity; /* entries, and runs, there is room for */
    /* Per entry. */
    uint32_t *tail;
    uint32_t *count; /* rows; only where the dictionary is the table */
    pv_rank *limit;  /* no record in it has use for anything worse */
    /* Per run. */
    uint32_t *start; /* n_runs + 1: first entry */
    pv_worth *worth; /* of the fixed attributes */
    uint32_t *total; /* dictionary rows consistent with them */
    bool *has_news;  /* has anything been found for its entries since it was divided? */
    /* The dictionary's side, unless it is the table: what is left of those consistent rows. */
    uint32_t *theta_start; /* n_runs + 1 */
    uint32_t *theta_tail, *theta_count;
    size_t n_theta, theta_capacity;
} pv_record_list;

/* Entries of one run with one value at a position. */
typedef struct pv_record_part {
    uint32_t start, end; /* entries */
    uint32_t leaf, run;
    uint32_t total; /* rows; only where the dictionary is the table */
    bool is_over;   /* nothing comes of it at lower levels */
    pv_rank limit;  /* no less than that of any of its entries */
} pv_record_part;

/* The entries that a run of the child comes from. */
typedef struct pv_record_origin {
    uint32_t start, end;
    uint32_t run;
} pv_record_origin;

/* Fixing the attribute of one position. */
typedef struct pv_record_frame {
    pv_record_part *parts;
    size_t n_parts;
    pv_record_list child;     /* with the attribute at one level */
    pv_record_origin *origin; /* per run of the child */
    uint32_t *map;        /* per entry of the list before, where it has an origin: of the child */
    pv_record_best *best; /* per entry of the child */
    size_t capacity;      /* of all these */
} pv_record_frame;

#define PV_NOWHERE UINT32_MAX

typedef struct pv_record_walker {
    const pv_record_ground *ground;
    pv_record_frame *frames; /* one per position but the last */
    pv_tail_marks marks;
    uint32_t *tails, *distinct, *number; /* scratch: of the dictionary's entries to be
                                            merged */
    size_t scratch_capacity;
    uint32_t *group_total, *group_run; /* scratch: per group of an attribute; the latter is
                                          PV_NOWHERE between calls */
    int64_t floor;                     /* utility that the records of this walk must keep */
    bool is_counting;                  /* nothing is left out or refused: only rho is wanted */
} pv_record_walker;

PV_CHECKED pv_status pv_i_walker_init(pv_record_walker *walker, const pv_record_ground *ground,
                                      pv_error *error);
void pv_i_walker_deinit(pv_record_walker *walker);

/* False when memory runs out. What the list holds is lost. */
bool pv_i_record_list_reserve(pv_record_list *list, size_t n);
void pv_i_record_list_deinit(pv_record_list *list);

/* Room for n entries of the dictionary to be merged. */
bool pv_i_walker_reserve(pv_record_walker *walker, size_t n);

/* Divides the runs of a list by the values at the position. */
bool pv_i_walker_divide(pv_record_walker *walker, size_t position, const pv_record_list *list);
/* Makes the child of the position stand for a level of its attribute, which makes the path end at
 * `node`. Levels must be taken from the top down: parts of which nothing can come below are
 * dropped. What can be told of some entries without going on is told at once: it goes to `best`. */
bool pv_i_walker_raise(pv_record_walker *walker, size_t position, pv_record_list *list,
                       unsigned level, uint32_t node, pv_record_best *best);

/* Keeps a choice for an entry of a list if it is better. Is it? */
static inline bool pv_i_best_offer(const pv_record_best *choice, pv_record_best *best,
                                   pv_rank *limit)
{
    if (!pv_i_best_is_better(choice, best)) {
        return false;
    }
    *best = *choice;
    *limit = pv_i_rank_compare(best->rank, *limit) < 0 ? best->rank : *limit;
    return true;
}

/* What telling something of that worth, in units, and that rho comes to. False: not accepted. */
static inline bool pv_i_walker_weigh(const pv_record_walker *walker, pv_worth worth, uint32_t rho,
                                     pv_record_best *choice)
{
    const pv_weighing *const w = walker->ground->weighing;
    choice->rho = rho;
    if (walker->is_counting) { /* of what is equally good the lowest levels win */
        choice->rank = (pv_rank){0, 0};
        return true;
    }
    const double risk = pv_i_weighing_risk(w, worth.phi, rho);
    choice->rank = pv_i_weighing_rank(w, worth.utility, risk);
    return pv_i_weighing_accepts(w, walker->floor, worth.utility, risk);
}

/* In a ragged tree a value may be `*` below the top: there it is met again, with everyone. */
static inline bool pv_i_is_early_root(const pv_record_axis *axis, uint32_t leaf, unsigned level)
{
    return level < axis->height && axis->root_level[leaf] <= level;
}

/* Levels of a position that a walk goes through: one of them, or these. */
#define PV_LEVELS_ANY UINT8_MAX
#define PV_LEVELS_RAW (UINT8_MAX - 1)       /* 0, and for a value that is `*` itself, the top */
#define PV_LEVELS_ENDS (UINT8_MAX - 2)      /* the lowest and the top */
#define PV_LEVELS_NEAR_ENDS (UINT8_MAX - 3) /* the lowest but one and the top */
static_assert(PV_MAX_HEIGHT < PV_LEVELS_NEAR_ENDS, "a level is none of these");

static inline bool pv_i_is_wanted(const pv_record_axis *axis, uint8_t pinned, unsigned level)
{
    switch (pinned) {
    case PV_LEVELS_ANY: return true;
    case PV_LEVELS_ENDS: return level == 0 || level == axis->height;
    case PV_LEVELS_NEAR_ENDS: return level == 1 || level == axis->height;
    case PV_LEVELS_RAW: return level == 0 || (level == axis->height && axis->has_root_leaf);
    default: return level == pinned;
    }
}

/* The best choices at the wanted levels of the last attribute, for the entries of the list there.
 */
void pv_i_walker_read_last(pv_record_walker *walker, const pv_record_list *list, uint8_t wanted,
                           uint32_t node, pv_record_best *best);

/* The dictionary's side of raising one run: how many rows go to each group (added to group_total),
 * then what is left of them to the child's runs from `first_new` on (group_run, PV_NOWHERE for
 * groups left out). */
void pv_i_theta_count(pv_record_walker *walker, size_t position, const pv_record_list *list,
                      size_t run, unsigned level);
bool pv_i_theta_send(pv_record_walker *walker, size_t position, const pv_record_list *list,
                     size_t run, unsigned level, size_t first_new);

/* Of records for which nothing is wanted, and of those for which anything is. */
#define PV_NO_INTEREST ((pv_rank){-HUGE_VAL, -HUGE_VAL})
#define PV_ANY_INTEREST ((pv_rank){HUGE_VAL, HUGE_VAL})

#endif
