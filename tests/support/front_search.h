/* Searching a lattice in tests: fronts for objectives by name, comparing fronts, the true front by
 * brute force, and random questions whose true answer is known. */
#ifndef PV_TESTS_FRONT_SEARCH_H
#define PV_TESTS_FRONT_SEARCH_H

#include "front/front.h"
#include "scheme/lattice.h"
#include "support/oracle_measures.h"
#include "support/random_study.h"

#include <paravent/search.h>

typedef struct search_request {
    const char *const *objectives; /* up to a NULL */
    const char *method;
    pv_suppression suppression;
    const pv_constraint *demand; /* NULL = none */
    unsigned threads;
    uint64_t memory, max_evaluations;
    double max_seconds;
    unsigned depth;         /* of poka */
    const double *epsilons; /* one per objective, or NULL */
    size_t archive;
    uint64_t seed; /* this and the following: of pbg-* */
    size_t population;
    uint64_t iterations, patience;
    double crossover, mutation;
    double proof_work; /* of auto */
    const uint8_t *start;
    size_t n_start;
    pv_progress_fn progress;
    void *progress_ctx;
} search_request;

size_t search_objectives(const char *const *names, pv_measure_ref *refs);

/* The front, or NULL and the status in `error`. */
pv_front *search_try(const pv_profile *profile, const search_request *request, pv_error *error);
pv_front *search_front(const pv_profile *profile, const search_request *request);

/* What is said of a point is true of its levels, with just the classes suppressed that its k or the
 * rule asks for. */
void search_expect_measured(const pv_profile *profile, const pv_front *front, const pv_point *point,
                            pv_suppression rule);

/* How many points one scheme can be: classes of so many different sizes fit into the budget. */
uint64_t search_most_thresholds(pv_suppression rule);
void search_expect_same_points(const pv_front *a, const pv_front *b);

/* All but the time it took. */
void search_expect_same(const pv_front *a, const pv_front *b);

/* Every node is accounted for. */
void search_expect_complete(const pv_front *front, uint64_t nodes);

/* ============================================================ thresholds */

/* The classes of a scheme at each of its thresholds, as searches see them one after the other. */

/* The n-th threshold, the highest is number 0; NULL = there are no more. Where the budget is to be
 * spent there is one. A scheme that misses the target is seen once, with the budget spent in vain.
 */
pv_classes *threshold_classes(const pv_profile *profile, const uint8_t *levels, pv_suppression rule,
                              size_t n);

/* ========================================================= by brute force */

/* Fronts by brute force: every node of the lattice released and measured by the oracle, every two
 * of them compared. Nothing of the library is used. */

#define ORACLE_AXES 5

typedef struct oracle_node {
    uint8_t levels[ORACLE_AXES];
    size_t k, suppressed;
    bool feasible;
    double values[ORACLE_MEASURES]; /* of the measures asked for */
    size_t ranks[ORACLE_MEASURES];  /* the same, numbered: equal values have equal ranks */
} oracle_node;

/* Nodes are in the order of their levels, the first attribute turning slowest; where suppression is
 * as needed, every scheme is a node for each of its thresholds, the lowest first. */
typedef struct oracle_lattice {
    size_t n_axes;
    size_t n_schemes;
    size_t n_nodes;
    oracle_node *nodes;
    bool measured[ORACLE_MEASURES];
} oracle_lattice;

/* What every class must keep, besides k: a measure by name, and its bound. */
typedef struct oracle_demand {
    const char *name;
    double bound;
    bool more;        /* is more better? */
    size_t sensitive; /* the column it is asked of; SIZE_MAX = every one */
} oracle_demand;

bool oracle_breaks(const oracle_demand *demand, const oracle_release *release, size_t row);
size_t oracle_index(const oracle_measure *measure);

/* ---------------------------------------------------------------- measuring */

/* Equal by definition, whatever the order of the additions made of it. */
bool oracle_near(double a, double b);

/* ------------------------------------------------------------------ lattice */

/* Levels of hierarchies as levels of a search's lattice, which has all of them or those that group
 * differently. */
void search_levels(const pv_lattice *lattice, const uint8_t *real, uint8_t *levels);

/* Does a level group the values like the one below? Then a search leaves it out. */
bool oracle_is_alike(const oracle_column *column, size_t n_rows, unsigned level);

/* The next levels, the last attribute turning fastest. False after the last. */
bool oracle_next_levels(const oracle_table *table);

/* `whole` = the budget is spent where there is no target. `demand` may be NULL. `names` (up to a
 * NULL) are the measures that will be asked for. The levels of the table's columns are 0
 * afterwards. */
oracle_lattice oracle_lattice_create(const oracle_table *table, size_t budget, size_t target_k,
                                     bool whole, const oracle_demand *demand,
                                     const char *const *names);
void oracle_lattice_free(oracle_lattice *lattice);

/* -------------------------------------------------------------------- front */

typedef struct oracle_objectives {
    size_t n;
    size_t measure[8]; /* which of oracle_measures */
    bool more[8];      /* is more better? */
} oracle_objectives;

typedef struct oracle_point {
    const oracle_node *node;
    size_t ties;
} oracle_point;

/* 1 if a is better in an objective, -1 if b is, 0 if they are equal. */
int oracle_compare(const oracle_objectives *o, size_t i, const oracle_node *a,
                   const oracle_node *b);
bool oracle_dominates(const oracle_objectives *o, const oracle_node *a, const oracle_node *b);
bool oracle_ties(const oracle_objectives *o, const oracle_node *a, const oracle_node *b);

/* Is a node on the front, and the first of those equal to it? */
bool oracle_on_front(const oracle_lattice *lattice, const oracle_objectives *o,
                     const oracle_node *node, size_t *ties);

/* By the first objective, best last; ties by the next ones. */
bool oracle_comes_before(const oracle_objectives *o, const oracle_node *a, const oracle_node *b);

/* `points` has space for all nodes; returns how many there are. */
size_t oracle_front(const oracle_lattice *lattice, const oracle_objectives *o,
                    oracle_point *points);

/* ======================================================= random questions */

/* A random small table, a random question about it, and the true answer by brute force: for tests
 * of searches that find most of a front rather than all of it. */

#define TRIAL_OBJECTIVES 5

/* What is suppressed. */
typedef enum trial_rule {
    TRIAL_RAW,    /* nothing */
    TRIAL_BUDGET, /* as many rows as that */
    TRIAL_TARGET, /* classes smaller than a target k, if they fit the budget */
    TRIAL_STRICT, /* nothing, but there is a target */
    TRIAL_RULES
} trial_rule;

typedef struct random_trial {
    random_study study;
    pv_suppression suppression;
    const char *names[TRIAL_OBJECTIVES + 1]; /* of the objectives, up to a NULL */
    oracle_objectives objectives;
    oracle_lattice lattice;
    oracle_point *points; /* the true front */
    size_t n_points;
    double *truth; /* its values, point after point */
} random_trial;

double trial_value(const random_trial *t, const oracle_node *node, size_t objective);
void trial_values(const random_trial *t, const oracle_node *node, double *values);

/* Two to five different measures, rather few, out of all that suit: `suits` says which measures
 * may be asked for; NULL = all. */
void trial_ask(random_trial *t, bool (*suits)(const pv_measure *measure));
void trial_init(random_trial *t, pv_rng *rng, const random_shape *shape, trial_rule rule,
                bool (*suits)(const pv_measure *measure));
void trial_deinit(random_trial *t);

/* Lattices of a few to a few hundred schemes. */
random_shape trial_shape(pv_rng *rng);
search_request trial_request(const random_trial *t, const char *method);

bool trial_has_levels(const random_trial *t, const oracle_node *node, const uint8_t *levels);

/* The node of a point: of its levels, the threshold that agrees best with what is said of it. */
const oracle_node *trial_node(const random_trial *t, const pv_point *point);

/* How many nodes the scheme with most thresholds has. */
size_t trial_most_thresholds(const random_trial *t);

/* The whole question, for whoever has to find out what went wrong. */
void trial_print(const random_trial *t, const pv_front *front);

#define trial_expect(t, front, truth)       \
    do {                                    \
        if (!(truth)) {                     \
            trial_print((t), (front));      \
            fail_msg("not so: %s", #truth); \
        }                                   \
    } while (0)

#endif
