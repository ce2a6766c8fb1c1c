/* Fronts inside: the struct that searches fill and that reports read. */
#ifndef PV_FRONT_FRONT_H
#define PV_FRONT_FRONT_H

#include "scheme/scheme.h"

#include <paravent/front.h>

typedef struct pv_point {
    uint8_t *levels;         /* one per quasi-identifier; NULL in a front of cuts */
    pv_cuts *cuts;           /* NULL in a front of levels; owned by the front */
    const double *values;    /* one per objective */
    uint64_t k;              /* smallest remaining class, whatever the objectives */
    uint64_t suppressed;     /* rows */
    uint64_t ties;           /* other schemes evaluated with the same values */
    double bound;            /* pv_front_bound */
    const pv_scheme *scheme; /* the same for pv_front_scheme, one of the front's; or NULL */
} pv_point;

/* How good a search was, and when: a row of pv_front_moments. */
typedef struct pv_moment {
    double evaluated;
    double seconds;
    double points;      /* on the front at that moment */
    double hypervolume; /* pv_indicators, measured against the ends of the lattice */
} pv_moment;

struct pv_front {
    pv_measure_ref objectives[PV_MAX_OBJECTIVES];
    size_t n_objectives;
    size_t n_levels; /* quasi-identifiers; 0 in a front of cuts */
    pv_cuts **cuts;  /* of all points, hidden ones included; NULL in a front of levels */
    size_t n_cuts;
    pv_point *points; /* by the first objective, best last; ties by the next ones */
    size_t n_points;
    size_t n_hidden;        /* points that pv_front_where left out */
    void *memory;           /* holds levels and values of the points */
    pv_scheme *schemes;     /* of the points, each borrowing what the point has; NULL = not made */
    pv_constraint *demands; /* that every point keeps; NULL = none */
    size_t n_demands;
    const pv_profile *profile; /* of the table; NULL unless pv_front_find set it */

    /* How it was found. */
    const char *method;
    const char *reason;
    const char *alternative;
    bool complete;
    bool bounded; /* levels found point by point: pv_front_has_bounds */
    bool keeps_branches;
    pv_suppression suppression;
    pv_stop stop;
    uint64_t seed;
    double epsilons[PV_MAX_OBJECTIVES];
    double most_points;

    /* The account: see the accessors of the same names. */
    double nodes;
    uint64_t evaluated, explored, pruned_mark, pruned_loss, proof_nodes;
    uint64_t iterations;
    double seconds;
    pv_moment *moments;
    size_t n_moments;

    const char *const *words; /* pv_front_rephrase; NULL = the library's own. Borrowed */
};

/* The number people read: the share of its largest possible value, or the value itself. */
double pv_i_front_shown(const pv_front *front, const pv_profile *profile, size_t objective,
                        double value);

/* Is the first value better than the second in an objective? */
static inline bool pv_i_front_better(const pv_front *front, size_t objective, double a, double b)
{
    return front->objectives[objective].measure->direction == PV_MORE_IS_BETTER ? a > b : a < b;
}

/* Parameters of evolutionary searches as a caller asked for them. A chance: 0 = the usual one,
 * negative = never. */
double pv_i_chance(double asked, double usual);
/* Are population and chances within bounds? */
PV_CHECKED pv_status pv_i_chances_check(size_t population, double crossover, double mutation,
                                        pv_error *error);

/* "k=5,l-distinct=3": what a release of the point must demand. The caller frees the text. */
PV_CHECKED pv_status pv_i_point_demands(const pv_front *front, size_t point, char **text,
                                        pv_error *error);

#endif
