/* A random small table, a random question about it, and the true answer by brute force: for tests
 * of searches that find most of a front rather than all of it. */
#ifndef PV_TESTS_RANDOM_TRIAL_H
#define PV_TESTS_RANDOM_TRIAL_H

#include "support/oracle_lattice.h"
#include "support/random_study.h"
#include "support/search_support.h"

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

static inline bool trial_can_ask(const oracle_table *table, const pv_measure *measure)
{
    return !((measure->needs & PV_NEEDS_SENSITIVE) != 0 && table->n_sensitive == 0) &&
           !((measure->needs & PV_NEEDS_LABEL) != 0 && table->label == NULL) &&
           !(oracle_same(measure->name, "sum-l") && table->n_sensitive > 1);
}

static inline bool trial_has(const random_trial *t, const char *name)
{
    for (size_t i = 0; i < t->objectives.n; i++) {
        if (oracle_same(t->names[i], name)) {
            return true;
        }
    }
    return false;
}

static inline void trial_add(random_trial *t, const pv_measure *measure)
{
    const size_t i = t->objectives.n++;
    t->names[i] = measure->name;
    t->objectives.measure[i] = oracle_index(oracle_find(measure->name));
    t->objectives.more[i] = measure->direction == PV_MORE_IS_BETTER;
}

/* Two to five different measures, rather few, out of all that suit. */
static inline void trial_ask(random_trial *t, bool (*suits)(const pv_measure *measure))
{
    const size_t n = 2 + random_below(&t->study, 1 + random_below(&t->study, TRIAL_OBJECTIVES - 1));
    while (t->objectives.n < n) {
        const pv_measure *const measure = pv_measure_at(random_below(&t->study, pv_n_measures()));
        if ((suits == NULL || suits(measure)) && trial_can_ask(&t->study.table, measure) &&
            !trial_has(t, measure->name)) {
            trial_add(t, measure);
        }
    }
}

static inline pv_suppression trial_suppression(random_study *s, trial_rule rule)
{
    const size_t n = s->table.n_rows;
    pv_suppression suppression = {.whole_budget = random_one_in(s, 2)};
    if (rule == TRIAL_BUDGET || rule == TRIAL_TARGET) {
        suppression.budget = random_below(s, 1 + n / 2);
    }
    if (rule == TRIAL_TARGET || rule == TRIAL_STRICT) {
        suppression.target_k = 1 + random_below(s, 1 + n / 3);
    }
    return suppression;
}

static inline double trial_value(const random_trial *t, const oracle_node *node, size_t objective)
{
    return node->values[t->objectives.measure[objective]];
}

static inline void trial_values(const random_trial *t, const oracle_node *node, double *values)
{
    for (size_t o = 0; o < t->objectives.n; o++) {
        values[o] = trial_value(t, node, o);
    }
}

/* What the answer should be. */
static inline void trial_answer(random_trial *t)
{
    const size_t n = t->objectives.n;
    t->lattice = oracle_lattice_create(&t->study.table, (size_t)t->suppression.budget,
                                       (size_t)t->suppression.target_k, t->suppression.whole_budget,
                                       NULL, t->names);
    t->points = oracle_array(t->lattice.n_nodes, sizeof *t->points);
    t->n_points = oracle_front(&t->lattice, &t->objectives, t->points);
    t->truth = oracle_array(t->n_points * n, sizeof *t->truth);
    for (size_t i = 0; i < t->n_points; i++) {
        trial_values(t, t->points[i].node, t->truth + i * n);
    }
}

/* `suits` says which measures may be asked for; NULL = all. */
static inline void trial_init(random_trial *t, pv_rng *rng, const random_shape *shape,
                              trial_rule rule, bool (*suits)(const pv_measure *measure))
{
    *t = (random_trial){0};
    random_study_init(&t->study, rng, shape);
    t->suppression = trial_suppression(&t->study, rule);
    trial_ask(t, suits);
    trial_answer(t);
}

static inline void trial_deinit(random_trial *t)
{
    oracle_lattice_free(&t->lattice);
    free(t->points);
    free(t->truth);
    random_study_deinit(&t->study);
}

/* Lattices of a few to a few hundred schemes. */
static inline random_shape trial_shape(pv_rng *rng)
{
    static const unsigned heights[] = {6, 6, 6, 5, 4};
    const size_t n_quasi = 1 + (size_t)pv_i_rng_below(rng, 5);
    return (random_shape){
        .n_rows = 1 + (size_t)pv_i_rng_below(rng, 1 + pv_i_rng_below(rng, 24)),
        .n_quasi = n_quasi,
        .n_values = 1 + (size_t)pv_i_rng_below(rng, 7),
        .n_sensitive = (size_t)pv_i_rng_below(rng, 3),
        .label = pv_i_rng_below(rng, 3) > 0,
        .missing = pv_i_rng_below(rng, 3) == 0 ? 5 : 0,
        .heights = heights[n_quasi - 1],
        .uniform = pv_i_rng_below(rng, 2) == 0,
        .copies = pv_i_rng_below(rng, 3) == 0 ? 3 : 0,
    };
}

static inline search_request trial_request(const random_trial *t, const char *method)
{
    return (search_request){
        .objectives = t->names, .method = method, .suppression = t->suppression, .threads = 1};
}

static inline bool trial_has_levels(const random_trial *t, const oracle_node *node,
                                    const uint8_t *levels)
{
    return memcmp(node->levels, levels, t->lattice.n_axes) == 0;
}

/* The node of a point: its levels and its threshold. */
static inline const oracle_node *trial_node(const random_trial *t, const pv_point *point)
{
    for (size_t i = 0; i < t->lattice.n_nodes; i++) {
        const oracle_node *const node = &t->lattice.nodes[i];
        if (trial_has_levels(t, node, point->levels) && node->k == point->k) {
            return node;
        }
    }
    fail_msg("a point that the lattice has not");
    return NULL;
}

/* How many nodes the scheme with most thresholds has. */
static inline size_t trial_most_thresholds(const random_trial *t)
{
    size_t most = 0;
    size_t n = 0;
    for (size_t i = 0; i < t->lattice.n_nodes; i++) {
        const oracle_node *const node = &t->lattice.nodes[i];
        n = i > 0 && trial_has_levels(t, node, node[-1].levels) ? n + 1 : 1;
        most = n > most ? n : most;
    }
    return most;
}

/* The whole question, for whoever has to find out what went wrong. */
static inline void trial_print(const random_trial *t, const pv_front *front)
{
    print_error("%s of", front->method);
    for (size_t o = 0; o < t->objectives.n; o++) {
        print_error(" %s", t->names[o]);
    }
    print_error(", budget %llu, target %llu\n%s\n%s\n", (unsigned long long)t->suppression.budget,
                (unsigned long long)t->suppression.target_k, t->study.csv.data, t->study.text.data);
    for (size_t i = 0; i < t->n_points + front->n_points; i++) {
        const bool ours = i >= t->n_points;
        const pv_point *const point = ours ? &front->points[i - t->n_points] : NULL;
        const oracle_node *const node = ours ? NULL : t->points[i].node;
        print_error("%s", ours ? "library" : "oracle ");
        for (size_t a = 0; a < t->lattice.n_axes; a++) {
            print_error("%s%u", a == 0 ? " " : ",", ours ? point->levels[a] : node->levels[a]);
        }
        for (size_t o = 0; o < t->objectives.n; o++) {
            print_error(" %.17g", ours ? point->values[o] : trial_value(t, node, o));
        }
        print_error("\n");
    }
}

#define trial_expect(t, front, truth)       \
    do {                                    \
        if (!(truth)) {                     \
            trial_print((t), (front));      \
            fail_msg("not so: %s", #truth); \
        }                                   \
    } while (0)

#endif
