/* The archive: of everything offered what nothing offered dominates, one member per box. How it
 * works: archive.c. */
#ifndef PV_FRONT_ARCHIVE_H
#define PV_FRONT_ARCHIVE_H

#include "front/front.h"

typedef struct pv_member {
    double *box;    /* one coordinate per objective */
    double *values; /* oriented and settled, one per objective */
    double *raw;    /* as offered with the levels */
    uint8_t *levels;
    uint64_t k, suppressed;
    uint64_t ties;
    unsigned mark; /* a search's own; 0 when the member is new */
} pv_member;

typedef struct pv_archive {
    size_t n_objectives;
    size_t n_levels;
    double signs[PV_MAX_OBJECTIVES]; /* 1 or -1: from raw to oriented */
    double epsilons[PV_MAX_OBJECTIVES];
    bool is_loss[PV_MAX_OBJECTIVES];
    double lowest[PV_MAX_OBJECTIVES]; /* oriented values of all that was offered */
    double highest[PV_MAX_OBJECTIVES];
    pv_member *members; /* with two objectives, ascending by the first */
    size_t n_members;
    size_t capacity;
    uint64_t n_changes; /* how often a member was added or took the place of another */
} pv_archive;

/* `epsilons` NULL = no boxes. */
void pv_i_archive_init(pv_archive *archive, const pv_measure_ref *objectives, size_t n_objectives,
                       size_t n_levels, const double *epsilons);
void pv_i_archive_deinit(pv_archive *archive);

/* Values that are equal by definition may differ in their last digits: the order of a sum depends
 * on the scheme. Rounded to fewer digits they are equal in fact. Whole numbers are exact. */
double pv_i_settled(double value);

/* floor(value / epsilon). 0.3 / 0.1 is a bit less than 3 to a computer: what is a multiple but for
 * rounding counts as one. Boxes of twice the size still hold whole boxes. */
double pv_i_box_of(double value, double epsilon);

/* Offers a scheme with raw values. False when memory runs out. */
PV_CHECKED bool pv_i_archive_offer(pv_archive *archive, const double *values, const uint8_t *levels,
                                   uint64_t k, uint64_t suppressed);
/* Offers all members of another archive. */
PV_CHECKED bool pv_i_archive_merge(pv_archive *archive, const pv_archive *other);

/* Does some member dominate anything that is at most as good as these raw values? Then whatever has
 * them as an optimistic bound can never enter, not even as a tie. */
bool pv_i_archive_rejects(const pv_archive *archive, const double *values);

/* Is some member's box at least as good, in every objective, as the one these raw values are in? */
bool pv_i_archive_covers(const pv_archive *archive, const double *values);

/* The box that raw values are in: one coordinate per objective, more is better. */
void pv_i_archive_box(const pv_archive *archive, const double *values, double *box);

/* Does a scheme represent a member? */
bool pv_i_archive_has(const pv_archive *archive, const uint8_t *levels);

/* How many members the boxes can hold at most, given the values offered so far: boxes that differ
 * in one objective only hold one member together. INFINITY if two objectives are not divided.
 * (The paper multiplies the numbers of steps of all objectives but that with fewest; leaving out
 * the one with most holds as well.) */
double pv_i_archive_bound(const pv_archive *archive);

/* Doubles the boxes until at most `most` members remain: those of losses first, since of privacy
 * the low values matter most and share one large box; the others when there are few boxes of
 * losses left. Boxes of twice the size hold whole boxes, so nothing dominated by what was ever
 * offered can come in later. Members keep their marks. */
PV_CHECKED bool pv_i_archive_coarsen(pv_archive *archive, size_t most);
/* The same for the end of a search, in fine steps: as many of the `most` members as possible. (Of
 * both, a few more may remain if very few are asked for: boxes at 0 never become one with those
 * below.) */
PV_CHECKED bool pv_i_archive_thin(pv_archive *archive, size_t most);
/* Brings the members into an order that does not depend on when they were offered. */
void pv_i_archive_sort(pv_archive *archive);
/* Puts the members into boxes of these sizes, first come first served. */
PV_CHECKED bool pv_i_archive_rebox(pv_archive *archive, const double *epsilons);

/* The members as points of a front: sorted by the first objective, best last. */
PV_CHECKED pv_status pv_i_archive_points(const pv_archive *archive, pv_front *front,
                                         pv_error *error);

#endif
