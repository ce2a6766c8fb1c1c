/* Fronts: the trade-offs that nothing beats.
 *
 * A scheme dominates another if it is no worse in every objective and better in one; the front is
 * what no scheme dominates. Schemes equal in every objective are one point of the front,
 * represented by the first in the order of the lattice; the others are counted as ties.
 *
 * Schemes are levels of hierarchies (pv_search) or cuts between ordered values (pv_search_cuts). A
 * front of cuts trades k for nwp, and of every point it tells what is proven. */
#ifndef PARAVENT_FRONT_H
#define PARAVENT_FRONT_H

#include <paravent/context.h>
#include <paravent/cuts.h>
#include <paravent/measure.h>
#include <paravent/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PV_MAX_OBJECTIVES 8

typedef struct pv_point {
    const uint8_t *levels; /* one per quasi-identifier; NULL in a front of cuts */
    const pv_cuts *cuts;   /* NULL in a front of levels; owned by the front */
    const double *values;  /* one per objective */
    uint64_t k;            /* smallest remaining class, whatever the objectives */
    uint64_t suppressed;   /* rows */
    uint64_t ties;         /* other schemes evaluated with the same values */
    /* Cuts: it is proven that no cut scheme with at least this k loses less; the loss of the point
     * itself = it is proven optimal; 0 = nothing is proven. Levels: NAN. */
    double bound;
} pv_point;

/* How good a search was, and when. */
typedef struct pv_moment {
    uint64_t evaluated;
    double seconds;
    size_t points;      /* on the front at that moment */
    double hypervolume; /* pv_indicators, measured against the ends of the lattice */
} pv_moment;

/* What a search found, with its account of the work. Owned by the caller (pv_front_free). */
typedef struct pv_front {
    pv_measure_ref objectives[PV_MAX_OBJECTIVES];
    size_t n_objectives;
    size_t n_levels; /* quasi-identifiers; 0 in a front of cuts */
    pv_cuts **cuts;  /* of all points, hidden ones included; NULL in a front of levels */
    size_t n_cuts;
    pv_point *points; /* by the first objective, best last; ties by the next ones */
    size_t n_points;
    const char *method; /* registry name of the search that ran */
    const char *reason; /* why `auto` chose it, one sentence; NULL if it was asked for */
    bool complete;      /* is this provably the whole front of these schemes under this rule? */
    pv_suppression suppression; /* the rule all schemes were measured under */
    bool keeps_branches;        /* cuts: groups of categories are branches of their hierarchy */
    pv_stop stop;
    double nodes;       /* schemes there are; exact up to 2^53 */
    uint64_t evaluated; /* schemes grouped and measured */
    uint64_t explored;  /* ... before that, for a first front to prove or to improve on */
    /* Never grouped, because something known dominates the best they can be: */
    uint64_t pruned_mark; /* those below a scheme found too weak */
    uint64_t pruned_loss; /* all others: what they lose at least is lost for nothing */
    uint64_t proof_nodes; /* of cuts: looked at by branch and bound */
    double seconds;
    uint64_t seed;
    /* The sides of the boxes of which each holds one point; all 0 = every point is there. */
    double epsilons[PV_MAX_OBJECTIVES];
    double most_points;  /* that these boxes can hold at most; INFINITY = no bound */
    uint64_t iterations; /* generations of pbg-*; else 0 */
    pv_moment *moments;  /* of pbg-*: how the search went, first to last */
    size_t n_moments;
    size_t n_hidden; /* points that pv_front_where left out */
    void *memory;    /* holds the points */
} pv_front;

PV_API void pv_front_free(pv_front *front); /* NULL is fine */

/* Is this a front of cuts? */
static inline bool pv_front_has_cuts(const pv_front *front)
{
    return front->cuts != NULL;
}

/* How far above the least possible loss a point of a front of cuts can be, as a share of that: 0 =
 * it is proven optimal, INFINITY = nothing is proven. NAN in a front of levels. */
PV_API double pv_front_gap(const pv_front *front, size_t point);

/* How a gap is written: in a sentence, "at most 5% above the optimum"; in a column, always with one
 * decimal, "at most 5.0% above the optimum"; or briefly, "within 5.0%". */
typedef enum pv_gap_style { PV_GAP_SENTENCE = 0, PV_GAP_COLUMN, PV_GAP_BRIEF } pv_gap_style;

/* A gap in words, rounded up, so that the claim holds; beyond 1 as a factor: "at most 2.3 times the
 * optimum". 0 is "optimal", and where nothing is proven it is "nothing". Cut to size. */
PV_API void pv_gap_text(double gap, pv_gap_style style, char *text, size_t size);
/* Into how many groups a point of a front of cuts divides the values of a quasi-identifier; 0 =
 * every value stays as it is. */
PV_API size_t pv_point_groups(const pv_point *point, size_t quasi);

/* The objective that the first one is paid with: the first loss; if the first is a loss itself, the
 * first that is none; otherwise the second. */
PV_API size_t pv_front_price(const pv_front *front);

/* The point where giving up one more step of privacy buys the least and one more costs the most:
 * with all objectives scaled to [0,1] (k and the l's by the risk they leave, 1/k), of the points
 * between the ends the one farthest from the line between them, towards the ideal. The mean of the
 * objectives of the first one's kind (losses or not) is weighed against that of the others. Points
 * with k=1 do not count beside others. Where there is no point between the ends, it is the
 * cheapest. The front must not be empty. */
PV_API size_t pv_front_knee(const pv_front *front);

/* Points worth a look, by ascending gain: the knee, and the knees of the two parts into which it
 * divides the front, where they differ from it by a tenth of the scale or more. */
#define PV_MAX_SUGGESTIONS 3

typedef struct pv_suggestion {
    size_t point;
    size_t from;      /* the one before it, or the cheapest: for pv_front_step_text */
    const char *name; /* "gentle", "knee", "strong" */
} pv_suggestion;

PV_API size_t pv_front_suggest(const pv_front *front,
                               pv_suggestion suggestions[PV_MAX_SUGGESTIONS]);
/* What a point is called among `n` suggestions; NULL if it is none of them. */
PV_API const char *pv_suggestion_name(const pv_suggestion *suggestions, size_t n, size_t point);

/* Chooses a point: "knee"; or bounds, several separated by commas: "k=5" (of the points that keep
 * it the one that loses least), "glm<=0.3" (a bound of up to 1 on a loss that is a sum counts as
 * its share; of the points that keep it the best in the first objective). PV_STATUS_ARGUMENT if it
 * is no such text; PV_STATUS_UNSATISFIED if no point keeps it. */
PV_API PV_CHECKED pv_status pv_front_pick(const pv_front *front, const pv_profile *profile,
                                          const char *text, size_t *point, pv_error *error);

/* Leaves only the points that keep the bounds ("k>=5,l-distinct>=3", as for pv_front_pick).
 * PV_STATUS_ARGUMENT if it is no such text or speaks of no objective; PV_STATUS_UNSATISFIED if no
 * point keeps them. On failure the front is as before. */
PV_API PV_CHECKED pv_status pv_front_where(pv_front *front, const pv_profile *profile,
                                           const char *text, pv_error *error);

/* How well a front stands for another one, best the whole front of an exhaustive search. */
typedef struct pv_indicators {
    size_t reference_points;
    /* Sum over the points of the distance to the nearest of the reference, objectives divided by
     * their largest value there. 0 = every point is one of the reference's. */
    double convergence_error;
    /* Of the boxes of the reference that no other dominates, how many the front has a point in. */
    size_t boxes, boxes_met;
    double representation_ratio; /* boxes_met / boxes */
    /* The part of the space between the worst and the best values of the reference that the points
     * dominate, class sizes taken by their logarithm: 0..1. */
    double hypervolume, reference_hypervolume;
    bool estimated; /* the last two by sampling: more than four objectives */
} pv_indicators;

/* `reference` has n * n_objectives raw values, in the order of the front's objectives; n > 0. The
 * boxes are those of the front. */
PV_API PV_CHECKED pv_status pv_front_compare(const pv_front *front, const double *reference,
                                             size_t n, pv_indicators *indicators, pv_error *error);

/* The share of its largest possible value a loss is (glm / (rows * attributes), dcn / rows^2, cm /
 * rows), or NAN for measures that have no such share. */
PV_API double pv_measure_share(const pv_measure *measure, const pv_profile *profile, double value);
/* Is its share how people should read it? True for losses over people, and for risks. */
PV_API bool pv_measure_reads_as_share(const pv_measure *measure, const pv_profile *profile);

/* ------------------------------------------------------- telling and showing */

/* In words: what going from one point to another costs ("from k=7 to k=10 costs 4.6% more of the
 * detail"), and how complete the front is and why. pv_string_free. */
PV_API PV_CHECKED pv_status pv_front_step_text(const pv_front *front, const pv_profile *profile,
                                               size_t from, size_t to, char **text,
                                               pv_error *error);
/* Which schemes the front is about, and under which rule: "level schemes with the smallest classes
 * suppressed up to 300 rows". Freed with pv_string_free. */
PV_API PV_CHECKED pv_status pv_front_family(const pv_front *front, char **text, pv_error *error);
PV_API PV_CHECKED pv_status pv_front_account(const pv_front *front, char **text, pv_error *error);

/* The axis of an objective in a plot of the front: class sizes by their logarithm, losses as
 * shares, round numbers along it. */
typedef struct pv_tick {
    double shown; /* the number to write: the value, or its share of 1 */
    double place; /* 0..1 along the axis */
} pv_tick;

#define PV_MAX_TICKS 64

typedef struct pv_axis {
    double unit;     /* a value divided by this is the number shown */
    double from, to; /* shown at its ends */
    bool as_share, logarithmic;
    bool broken_low, broken_high; /* a short piece at that end is for what lies far outside */
    double below, above;          /* of what is there the number shown farthest off */
    pv_tick ticks[PV_MAX_TICKS];
    size_t n_ticks;
} pv_axis;

/* With about `ticks` ticks. */
PV_API void pv_front_axis(const pv_front *front, const pv_profile *profile, size_t objective,
                          size_t ticks, pv_axis *axis);
PV_API double pv_axis_place(const pv_axis *axis, double value); /* 0..1 along it */

/* A picture of the front (three and more objectives also in parallel coordinates), and a page that
 * needs nothing but itself, with the picture, the suggestions and all points. The same front gives
 * the same bytes. pv_string_free. */
PV_API PV_CHECKED pv_status pv_front_svg(const pv_front *front, const pv_profile *profile,
                                         char **svg, pv_error *error);
PV_API PV_CHECKED pv_status pv_front_page(const pv_front *front, const pv_profile *profile,
                                          char **html, pv_error *error);

#ifdef __cplusplus
}
#endif
#endif
