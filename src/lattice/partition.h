/* Partitions of the table, refined from the top: what the search for the best scheme works on.
 *
 * A partition holds the tuples of the table so that those of one class are neighbours, and only the
 * ones that are alive. A class that has fewer than k rows or too few sensitive values can only
 * break up further when the scheme gets finer, so it stays that way: its rows are suppressed in
 * every finer scheme (docs/model.md, section 2) and leave the partition for good. Work shrinks as
 * schemes get finer.
 *
 *     tuples    4 7 9 12 | 1 2 | 3 5 8      three classes of alive tuples; 0, 6, 10, 11 are dead
 *     classes   0          4     6          first place, rows, and what each row still shows
 *
 * Detail is counted as what is kept, not as what is lost: a row at the root of every hierarchy
 * keeps nothing, exactly like a suppressed one, and what a row keeps depends only on the groups it
 * is in. All rows of a class therefore keep the same. */
#ifndef PV_LATTICE_PARTITION_H
#define PV_LATTICE_PARTITION_H

#include "lattice/quest.h"

typedef struct pv_part_class {
    uint32_t first; /* place of its first tuple; it ends where the next one begins */
    uint32_t rows;
    double kept;   /* by each of its rows, in the coarsest scheme of the box */
    uint32_t live; /* of its rows, so many at most live on under breakable rules; 0 = not judged */
} pv_part_class;

typedef struct pv_partition {
    uint32_t *tuples;
    pv_part_class *classes; /* with one more behind the last, whose `first` is n_tuples */
    size_t n_tuples, n_classes;
    uint64_t dead;      /* rows suppressed so far */
    size_t most_tuples; /* that there is space for */
} pv_partition;

PV_CHECKED bool pv_i_partition_init(pv_partition *part, const pv_quest *quest);
/* Space for whatever another one may be split into. */
PV_CHECKED bool pv_i_partition_reserve(pv_partition *part, const pv_partition *like);
void pv_i_partition_deinit(pv_partition *part);
void pv_i_partition_copy(pv_partition *to, const pv_partition *from);
/* What all its rows keep in the coarsest scheme. */
double pv_i_partition_kept(const pv_partition *part);

/* Scratch memory for counting all levels of an attribute at once (partition_levels.c). */
typedef struct pv_level_counter {
    bool fits; /* is it worth it? Not where sensitive values are lists */
    struct pv_level_node *nodes;
    uint32_t *index; /* per group of the level at hand: its node + 1; all zero between calls */
    uint32_t *cells; /* per node, as those of a tuple */
    uint32_t *sum;   /* of one class */
} pv_level_counter;

PV_CHECKED bool pv_i_level_counter_init(pv_level_counter *counter, const pv_quest *quest);
void pv_i_level_counter_deinit(pv_level_counter *counter);

/* Scratch memory of one thread. */
typedef struct pv_splitter {
    const pv_quest *quest;
    const pv_quest_tuples *tuples; /* those that partitions are of: the quest's, or merged ones */
    struct pv_slot *slots, *odd_slots; /* per group: all zero between calls */
    uint32_t *touched;
    uint32_t *groups; /* per tuple of a class */
    uint32_t *seen;   /* per sensitive code: the last stamp */
    size_t n_seen;
    uint32_t stamp;
    uint32_t victim; /* a tuple that pv_i_splits_alive saw dying */
    pv_partition spare;
    pv_class_scorer scorer;
    pv_level_counter counter;
    uint64_t work; /* tuples counted so far: the same on every machine, unlike time */
} pv_splitter;

PV_CHECKED pv_status pv_i_splitter_init(pv_splitter *splitter, const pv_quest *quest,
                                        pv_error *error);
void pv_i_splitter_deinit(pv_splitter *splitter);

/* What splitting every class by one attribute does. */
typedef struct pv_split_sums {
    uint64_t dead;     /* rows that die */
    double dead_kept;  /* what they kept */
    double alive_gain; /* what the others gain of this attribute */
    uint64_t doomed; /* rows that die in every finer scheme by a breakable rule, whoever they are */
    double doomed_kept; /* what they kept; they are not among those that gain */
} pv_split_sums;

/* Splits every class of `from` by a level of an axis that was at level `high` when the class's
 * `kept` was counted (n_levels = not counted yet); `kept` stays as it is. What dies is left out of
 * `to`; where `killed` is given (per tuple), the tuples that die get level + 1. `to` NULL = only
 * the sums are wanted. False: more than the budget would be dead; then only `killed` may have
 * changed. */
PV_CHECKED bool pv_i_split(pv_splitter *s, const pv_partition *from, size_t axis, unsigned high,
                           unsigned level, pv_partition *to, uint8_t *killed, bool judged,
                           pv_split_sums *sums);
/* Splitting by each level from `low` to below `high` alone: the sums of every level that is asked
 * for go to sums[level], the classes judged. `killed` (per tuple; NULL = nobody asks) gets the
 * coarsest level that kills a tuple, + 1, or 0. Returns the finest level that does not kill more
 * than the budget; sums and `killed` say nothing of finer ones. Only if counter.fits. */
PV_CHECKED unsigned pv_i_split_levels(pv_splitter *s, const pv_partition *from, size_t axis,
                                      unsigned high, unsigned low, const bool *asked,
                                      uint8_t *killed, pv_split_sums *sums);
/* Would splitting by a level kill nobody? All that matters where nothing may be suppressed. */
bool pv_i_splits_alive(pv_splitter *s, const pv_partition *from, size_t axis, unsigned level);
/* After a split that is to stay: every class keeps what its new level keeps. */
void pv_i_partition_lower(const pv_splitter *s, pv_partition *part, size_t axis, unsigned high,
                          unsigned level);
/* All tuples with every axis at its coarsest level. False: more than the budget is dead. */
PV_CHECKED bool pv_i_partition_start(pv_splitter *s, pv_partition *part);

/* Rules that merging may mend and splitting may break or keep again (t-closeness and the like),
 * looked at class by class. `broken`: rows in classes that break one, `kept_broken` what they keep.
 * `doomed`: rows that are suppressed in every finer scheme, too, whoever they are, and
 * `kept_doomed` the least they keep. Classes of which nobody can live on leave the partition. */
typedef struct pv_part_check {
    uint64_t broken, doomed;
    double kept_broken, kept_doomed;
} pv_part_check;
void pv_i_partition_check(pv_splitter *s, pv_partition *part, pv_part_check *check);
/* Of a partition that is not split further: rows in classes that break such a rule, and what they
 * keep. False, and not counted to the end, if more than `most_rows` are, or if they keep
 * `most_kept` or more. */
PV_CHECKED bool pv_i_partition_broken(pv_splitter *s, const pv_partition *part, uint64_t most_rows,
                                      double most_kept, pv_part_check *check);
/* Where quest->n_codes: are these sensitive values as various as is demanded? How many of the rows
 * live on at most under the other rules, 0 if fewer than k? */
bool pv_i_cells_are_various(const pv_quest *quest, const uint32_t *cells);
uint64_t pv_i_cells_survivors(pv_splitter *s, const uint32_t *cells, uint64_t rows);

#endif
