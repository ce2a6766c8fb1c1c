/* Boxes of schemes: what the search for the best works on, thread by thread. What a box is and how
 * it is bounded is told in best.c and box_bounds.c. */
#ifndef PV_LATTICE_BOXES_H
#define PV_LATTICE_BOXES_H

#include "base/arena.h"
#include "base/rng.h"
#include "base/tasks.h"
#include "lattice/partition.h"

#define PV_WITNESSES 16 /* rows that are hard to keep alive */

/* Bounds are sums of millions of terms: differences below this share of everything are rounding. */
#define PV_ROUNDING 1e-11
#define PV_LISTED 14 /* axes with a choice in a box whose schemes are listed */

/* A box that waits. */
typedef struct {
    double bound;
    uint64_t number; /* of boxes with one bound the first made goes first */
    uint64_t bits[];
} pv_box;

/* The highest bound first. */
typedef struct {
    size_t words, node_size;
    unsigned char *nodes;
    size_t n, capacity;
    uint64_t made;
    bool full;
} pv_box_heap;

/* An attribute with a choice, as witnesses see it. */
typedef struct {
    const pv_quest_axis *axis;
    size_t number;   /* of the axis */
    uint8_t *places; /* the allowed levels, finest first */
    unsigned n;
    double most; /* that it and the attributes after it can gain */
} pv_meeting;

/* A scheme that keeps the demands. */
typedef struct {
    bool found;
    double kept;
    uint64_t suppressed;
    uint8_t *levels; /* as places among the levels of the axes */
} pv_candidate;

/* What one thread works with. */
typedef struct {
    const pv_quest *quest;
    pv_arena arena; /* of all arrays */
    pv_splitter splitter;
    pv_partition here, next;        /* of the box at hand, and while it changes */
    pv_partition chain[2];          /* of one attribute, lowered level by level */
    pv_partition base;              /* of a repair: its first box */
    pv_partition listed[PV_LISTED]; /* of a small box: with so many axes decided */
    pv_merger merger;
    pv_quest_tuples merged[2];   /* of the box at hand: one in use, one for the next */
    pv_quest_tuples base_tuples; /* of a repair */
    uint8_t *low;                /* per axis: the finest level allowed when tuples were merged */
    uint64_t *bits;              /* the box at hand */
    uint64_t *other;             /* a child of it */
    uint8_t *base_high;          /* of a repair: the coarsest levels of its first box ... */
    uint8_t *base_low;           /* ... and the finest */
    uint8_t *high;               /* per axis: the coarsest allowed level */
    bool *open;                  /* per axis: was there a choice when the box was looked at? */
    double *gain, *loss;         /* per bit: D and B */
    uint64_t *deaths;            /* per bit: the rows that B is of */
    pv_split_sums level_sums[PV_MOST_LEVELS]; /* of one axis, by level */
    double *value;                            /* per bit: D less what it claims */
    double *share;                            /* per axis: m_j */
    uint8_t *best;                            /* per axis: the level of most value */
    double *worth, *factor; /* per axis, of a descent: what a step seemed to be worth; its noise */
    uint8_t *to_level;      /* ... where it leads ... */
    bool *fresh;            /* ... and whether it was looked at since the last one was taken */
    uint8_t *killed;        /* axes * tuples: coarsest level + 1 at which it dies; 0 = at none */
    uint8_t *claims;        /* axes * tuples: how often the axis killed the tuple so far */
    uint16_t *claimants;    /* per tuple: the sum of its claims */
    double *claimed;        /* per bit: what the level claims, row by row */
    pv_box *taken;          /* of the heap of a repair */
    pv_box_heap waiting;    /* boxes of a repair */
    uint64_t nodes;         /* boxes looked at */
    double kept;            /* by the coarsest scheme of the box */
    double bound;
    double target; /* the best known: what is not above it is of no use */
    pv_part_check check;
    pv_candidate best_here; /* the best scheme of the task at hand */
    size_t most_listed;     /* schemes of a box that are looked at one by one */
    double deadline;        /* of pv_i_now; 0 = none */
    uint64_t most_work;     /* of the splitter, when the task is late; 0 = no limit */
    const pv_thread *thread;
    double summed; /* the bound that `value` adds up to; `bound` may be lower for other reasons */
    bool failed;   /* memory ran out */
    bool late;     /* told to stop: the box at hand is not finished */
    uint32_t witnesses[PV_WITNESSES]; /* tuples, the one that said most first */
    size_t n_witnesses;
    pv_meeting *meetings;
    size_t n_meetings;
    uint8_t *meeting_levels; /* of all of them, per bit */
    uint64_t asked;          /* fellows looked at */
} pv_box_searcher;

/* --------------------------------------------------------------------- levels */

static inline bool pv_i_box_has(const uint64_t *bits, size_t bit)
{
    return (bits[bit / 64] >> (bit % 64) & 1) != 0;
}

static inline void pv_i_box_drop(uint64_t *bits, size_t bit)
{
    bits[bit / 64] &= ~(UINT64_C(1) << (bit % 64));
}

static inline void pv_i_box_put(uint64_t *bits, size_t bit)
{
    bits[bit / 64] |= UINT64_C(1) << (bit % 64);
}

static inline unsigned pv_i_box_coarsest(const pv_quest_axis *axis, const uint64_t *bits)
{
    unsigned level = axis->n_levels;
    while (level-- > 0) {
        if (pv_i_box_has(bits, axis->first_bit + level)) {
            return level;
        }
    }
    return axis->n_levels; /* none is left */
}

static inline bool pv_i_box_is_fixed(const pv_quest_axis *axis, const uint64_t *bits)
{
    unsigned n = 0;
    for (unsigned level = 0; level < axis->n_levels; level++) {
        n += pv_i_box_has(bits, axis->first_bit + level);
    }
    return n <= 1;
}

static inline void pv_i_box_fix(const pv_quest_axis *axis, uint64_t *bits, unsigned level)
{
    for (unsigned l = 0; l < axis->n_levels; l++) {
        pv_i_box_drop(bits, axis->first_bit + l);
    }
    pv_i_box_put(bits, axis->first_bit + level);
}

/* ---------------------------------------------------------------- box_search.c */

pv_box *pv_i_box_heap_at(const pv_box_heap *heap, size_t i);
/* False when memory runs out. A full heap takes nothing: what is left out is remembered. */
PV_CHECKED bool pv_i_box_heap_push(pv_box_heap *heap, double bound, const uint64_t *bits);
/* Takes the first out, into `to`. */
void pv_i_box_heap_pop(pv_box_heap *heap, pv_box *to);

size_t pv_i_box_words(const pv_quest *quest); /* of its bits */
PV_CHECKED pv_status pv_i_searcher_init(pv_box_searcher *s, const pv_quest *quest, pv_error *error);
void pv_i_searcher_deinit(pv_box_searcher *s);

/* Begins with a box, at a partition of `tuples` whose axes are at the levels `high`. */
void pv_i_box_begin(pv_box_searcher *s, const pv_quest_tuples *tuples, const pv_partition *part,
                    const uint8_t *high, const uint64_t *bits);
/* Lowers the partition at hand to the coarsest scheme of the box, from where `high` says it is.
 * False: there is no scheme left, or more than the budget is dead. */
PV_CHECKED bool pv_i_box_catch_up(pv_box_searcher *s);
/* If the box lost fine levels since its tuples were merged last, they are merged into `to`, which
 * is not what the partition is of now; s->failed when memory runs out. */
void pv_i_box_merge(pv_box_searcher *s, pv_quest_tuples *to);
/* Makes the partition fit the box and offers its coarsest scheme. False: nothing is left in it. */
bool pv_i_box_arrive(pv_box_searcher *s);
/* Bounds the box and removes what is of no use. False: nothing is left, or it is late. */
PV_CHECKED bool pv_i_box_look(pv_box_searcher *s);
/* From a box down to a single scheme, always by the best child; the others go to the heap. False
 * when memory runs out. */
PV_CHECKED bool pv_i_box_dive(pv_box_searcher *s, pv_box_heap *children);
/* From the top always the step that gains most, give or take some noise, for its part of the budget
 * if there is thrift. */
void pv_i_box_descend(pv_box_searcher *s, pv_rng *rng, double noise, double thrift);

/* ---------------------------------------------------------------- box_bounds.c */

/* Lowers one attribute alone to each of its allowed levels: what lives gains, what dies has lost.
 * Levels that kill more than the budget are removed. */
void pv_i_box_lower(pv_box_searcher *s, size_t axis);
/* Bounds the box at hand and removes what cannot beat the target. False: nothing in it can. */
PV_CHECKED bool pv_i_box_bound(pv_box_searcher *s);
/* The best level of an axis under the values of the bound goes to s->best; returns its value.
 * `margin`, if not NULL, is the difference to the second best. */
double pv_i_box_best(pv_box_searcher *s, size_t axis, double *margin);

#endif
