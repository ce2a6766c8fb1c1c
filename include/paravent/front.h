/* Fronts: the trade-offs that nothing beats.
 *
 * A scheme dominates another if it is no worse in every objective and better in one; the front is
 * what no scheme dominates. Schemes equal in every objective are one point of the front,
 * represented by the first in the order of the lattice; the others are counted as ties.
 *
 * Schemes are levels of hierarchies (pv_search) or cuts between ordered values (pv_search_cuts). A
 * front of cuts trades k for nwp, and says of every point what is proven. */
#ifndef PARAVENT_FRONT_H
#define PARAVENT_FRONT_H

#include <paravent/context.h>
#include <paravent/cuts.h>
#include <paravent/measure.h>
#include <paravent/scheme.h>
#include <paravent/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PV_MAX_OBJECTIVES 8

/* What a search found, with its account of the work. Owned by the caller (pv_front_free). What is
 * read of it is borrowed and valid as long as the front. */
typedef struct pv_front pv_front;

PV_API void pv_front_free(pv_front *front); /* NULL is fine */

/* ----------------------------------------------------------------- points */

/* Points are numbered from 0, by the first objective, the best last; ties by the next ones. */
PV_API size_t pv_front_n_points(const pv_front *front);
PV_API size_t pv_front_n_hidden(const pv_front *front); /* points that pv_front_where left out */

PV_API size_t pv_front_n_objectives(const pv_front *front);
PV_API const pv_measure_ref *pv_front_objectives(const pv_front *front);
/* The value of each objective; `n`, which may be NULL, is how many. */
PV_API const double *pv_front_values(const pv_front *front, size_t point, size_t *n);

/* Is this a front of cuts? Otherwise its points have a level per quasi-identifier; `n`, which may
 * be NULL, is how many. */
PV_API bool pv_front_has_cuts(const pv_front *front);
PV_API const uint8_t *pv_front_levels(const pv_front *front, size_t point, size_t *n); /* or NULL */
PV_API const pv_cuts *pv_front_cuts(const pv_front *front, size_t point);              /* or NULL */
/* The scheme of a point, levels or cuts, for release and compare. Owned by the caller. */
PV_API PV_CHECKED pv_status pv_front_scheme(const pv_front *front, size_t point, pv_scheme **scheme,
                                            pv_error *error);
/* Into how many groups a point of a front of cuts divides the values of a quasi-identifier; 0 =
 * every value stays as it is. */
PV_API size_t pv_front_groups(const pv_front *front, size_t point, size_t quasi);

/* The smallest remaining class, whatever the objectives. */
PV_API uint64_t pv_front_k(const pv_front *front, size_t point);
PV_API uint64_t pv_front_suppressed(const pv_front *front, size_t point); /* rows */
/* Other schemes evaluated with the same values. */
PV_API uint64_t pv_front_ties(const pv_front *front, size_t point);

/* Are points proven one by one? So in fronts of cuts, and of levels found point by point. */
PV_API bool pv_front_has_bounds(const pv_front *front);
PV_API size_t pv_front_bounded(const pv_front *front); /* the objective that bounds are about */
/* It is proven that no scheme of this kind with at least this k loses less; the loss of the point
 * itself = it is proven optimal; 0 = nothing is proven. NAN without bounds. */
PV_API double pv_front_bound(const pv_front *front, size_t point);
/* How far above the least possible loss a point can be, as a share of that: 0 = it is proven
 * optimal, INFINITY = nothing is proven. NAN without bounds. */
PV_API double pv_front_gap(const pv_front *front, size_t point);

/* How a gap is written: in a sentence, "at most 5% above the optimum"; in a column, always with one
 * decimal, "at most 5.0% above the optimum"; or briefly, "within 5.0%". */
typedef enum pv_gap_style { PV_GAP_SENTENCE = 0, PV_GAP_COLUMN, PV_GAP_BRIEF } pv_gap_style;

/* A gap in words, rounded up, so that the claim holds; beyond 1 as a factor: "at most 2.3 times the
 * optimum". 0 is "optimal", and where nothing is proven it is "nothing". Cut to size. */
PV_API void pv_gap_text(double gap, pv_gap_style style, char *text, size_t size);

/* ------------------------------------------------------ how it was found */

PV_API const char *pv_front_method(const pv_front *front); /* registry name of what ran */
/* Why `auto` chose it, one sentence; NULL if it was asked for. */
PV_API const char *pv_front_reason(const pv_front *front);
/* What another method would do about that reason, beginning with its name: "exact tries it". NULL
 * = none would. */
PV_API const char *pv_front_alternative(const pv_front *front);
/* Is this provably the whole front of these schemes under this rule? */
PV_API bool pv_front_is_complete(const pv_front *front);
/* The rule all schemes were measured under. */
PV_API pv_suppression pv_front_suppression(const pv_front *front);
/* Cuts: are groups of categories branches of their hierarchy? */
PV_API bool pv_front_keeps_branches(const pv_front *front);
PV_API pv_stop pv_front_stop(const pv_front *front);
PV_API uint64_t pv_front_seed(const pv_front *front);
/* The sides of the boxes of which each holds one point, one per objective; all 0 = every point is
 * there. `n` may be NULL. */
PV_API const double *pv_front_epsilons(const pv_front *front, size_t *n);
/* How many points these boxes can hold at most; INFINITY = no bound. */
PV_API double pv_front_most_points(const pv_front *front);

/* The account of the work. */
PV_API double pv_front_n_schemes(const pv_front *front);     /* there are; exact up to 2^53 */
PV_API uint64_t pv_front_n_evaluated(const pv_front *front); /* grouped and measured */
/* ... before that, for a first front to prove or to improve on. */
PV_API uint64_t pv_front_n_explored(const pv_front *front);
/* Never grouped, because something known dominates the best they can be: those below a scheme found
 * too weak, and all others: what they lose at least is lost for nothing. */
PV_API uint64_t pv_front_n_pruned_by_privacy(const pv_front *front);
PV_API uint64_t pv_front_n_pruned_by_loss(const pv_front *front);
PV_API uint64_t pv_front_n_proof_nodes(const pv_front *front); /* of cuts: of branch and bound */
PV_API uint64_t pv_front_n_iterations(const pv_front *front);  /* generations of pbg-*; else 0 */
PV_API double pv_front_seconds(const pv_front *front);
/* Of pbg-*: how the search went, first to last. `n` rows of PV_MOMENT_NUMBERS numbers: schemes
 * evaluated, seconds, points on the front, hypervolume (pv_indicators, measured against the ends of
 * the lattice). NULL if there are none. */
#define PV_MOMENT_NUMBERS 4
PV_API const double *pv_front_moments(const pv_front *front, size_t *n);

/* ---------------------------------------------------------------- choosing */

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
PV_API PV_CHECKED pv_status pv_front_choose(const pv_front *front, const pv_profile *profile,
                                            const char *text, size_t *point, pv_error *error);

/* The scheme of the point that pv_front_choose chooses, in one call: for pv_release_write and the
 * like. Borrowed from the front. NULL if there is none, or if the front was not found by
 * pv_front_find. */
PV_API const pv_scheme *pv_front_pick(const pv_front *front, const char *text);

/* Leaves only the points that keep the bounds ("k>=5,l-distinct>=3", as for pv_front_choose).
 * PV_STATUS_ARGUMENT if it is no such text or speaks of no objective; PV_STATUS_UNSATISFIED if no
 * point keeps them. On failure the front is as before. */
PV_API PV_CHECKED pv_status pv_front_where(pv_front *front, const pv_profile *profile,
                                           const char *text, pv_error *error);

/* Would these texts for pv_front_choose and pv_front_where make sense on a front with these
 * objectives? So that nobody waits for a search to learn that they do not. PV_STATUS_ARGUMENT if
 * not. Without a profile (NULL) only their spelling is checked. */
PV_API PV_CHECKED pv_status pv_pick_check(const pv_measure_ref *objectives, size_t n,
                                          const pv_profile *profile, const char *text,
                                          pv_error *error);
PV_API PV_CHECKED pv_status pv_where_check(const pv_measure_ref *objectives, size_t n,
                                           const pv_profile *profile, const char *text,
                                           pv_error *error);
/* The first measure that the bounds of such a text speak of and that is no objective: what
 * pv_front_choose and pv_front_where refuse. False if there is none. */
PV_API bool pv_pick_misses(const pv_measure_ref *objectives, size_t n, const char *text,
                           pv_measure_ref *missing);

/* --------------------------------------------------------------- comparing */

/* How well a front represents another one, best the whole front of an exhaustive search. */
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

/* ---------------------------------------------------------- words, pictures */

/* Texts and pages about this front say phrases (pv_phrase) in these words. They are borrowed. */
PV_API void pv_front_rephrase(pv_front *front, const char *const *words);

/* In words: what going from one point to another costs ("from k=7 to k=10 costs 4.6% more of the
 * detail"), and how complete the front is and why. pv_string_free. */
PV_API PV_CHECKED pv_status pv_front_step_text(const pv_front *front, const pv_profile *profile,
                                               size_t from, size_t to, char **text,
                                               pv_error *error);
/* Which schemes the front is about, and under which rule: "level schemes with what each k needs
 * suppressed, and nothing else, up to 300 rows". Freed with pv_string_free. */
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
