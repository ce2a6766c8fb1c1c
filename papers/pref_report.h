/* What the paper on publisher preferences reports, made anew: its small example, the experiments
 * on the Adult table, their pictures and the page about them. */
#ifndef PV_PAPERS_PREF_REPORT_H
#define PV_PAPERS_PREF_REPORT_H

#include "cuts/cut_search.h"
#include "report.h"

#include <paravent/prefer.h>

/* ------------------------------------------------------------ the example */

enum {
    GENERALIZATIONS = 8,
    WISHES = 5,
    STEPS = 10, /* of the reference direction */
};

/* A row of table 2. */
typedef struct example_row {
    pv_aspiration point;
    uint64_t k;
    pv_efficiency efficient;
    double achievement[WISHES];
    double deviation; /* from the last wish */
} example_row;

typedef struct example {
    example_row rows[GENERALIZATIONS];
    size_t best[WISHES];    /* of least achievement, then deviation */
    size_t equals[WISHES];  /* how many share that achievement */
    bool fulfilled[WISHES]; /* by the best */
    size_t most_k;          /* of those the last wish cannot tell apart */
    pv_aspiration tighter;  /* the last wish with less loss */
    size_t tighter_best, tighter_equals, tighter_same_k; /* what becomes of it */
    size_t steps[STEPS];                                 /* the best along the direction */
    bool found[GENERALIZATIONS];                         /* along the direction */
    size_t found_later; /* not found before, along the directions from those found */
} example;

extern const char *const pref_generalizations[GENERALIZATIONS]; /* as the paper writes them */
extern const pv_aspiration pref_wishes[WISHES];
extern const example_row pref_printed[GENERALIZATIONS];
extern const pv_aspiration pref_from, pref_towards;

example pref_example(void);

/* -------------------------------------------------------------- the Adult */

enum {
    SEEDS = 20, /* 1, 2, ... */
    KS = 6,
    POPULATIONS = 3,
    VECTORS = 5,
    BIASES = 5,
    COLUMNS = 9,
    COUNTRY = 7, /* the column of native-country */
    MOST_BITS = 128,
    USUAL_K = 5,              /* where k does not vary */
    PROOF_NODES = 200000,     /* for other weights */
    BIAS_PROOF_NODES = 50000, /* where the bias decides: a node takes longer */
};

extern const uint64_t pref_ks[KS];
extern const size_t pref_populations[POPULATIONS];
extern const double pref_biases[BIASES];
extern const double pref_loss; /* the wish for NWP, always */
extern const unsigned pref_values[COLUMNS];
extern const char *const pref_vectors[VECTORS]; /* in words */

/* The table as cuts see it. */
typedef struct adult {
    opened table;
    pv_cut_space space;
    pv_cut_table cuts;
    pv_cut_prices prices;
} adult;

/* A scheme that was found. */
typedef struct solution {
    uint8_t cuts[MOST_BITS];
    pv_aspiration point;
    uint64_t k;
    double achievement, deviation;
} solution;

/* A method with all seeds. */
typedef struct trial {
    solution found[SEEDS];
    size_t best, worst;
    double achievement, deviation; /* means */
    double returned;               /* non-dominated solutions, mean */
    bool has_next;                 /* with the first seed: that with the next higher k */
    solution next;
    double seconds; /* mean */
} trial;

typedef struct proof {
    solution best;
    double bound;   /* of the achievement */
    bool is_proven; /* is the best one optimal? */
    bool by_loss;   /* by the least loss alone, whatever the bias */
    uint64_t nodes;
    double seconds;
} proof;

typedef struct answer {
    pv_achievement goal;
    uint64_t k;
    trial nsga2, memetic;
    proof proof;
    double least_loss; /* proven bound of NWP */
} answer;

/* The searches and the proof of one wish. With `known`, an answer for the same weights and k whose
 * proof was by loss, the least loss is not proven again. */
answer pref_answer(adult *a, uint64_t k, pv_aspiration wish, uint64_t max_nodes,
                   const answer *known);

typedef struct population_trial {
    size_t population;
    trial nsga2, memetic;
} population_trial;

typedef struct experiments {
    example example;
    adult adult; /* with equal weights */
    answer by_k[KS];
    population_trial by_population[POPULATIONS];
    double weights[VECTORS][COLUMNS]; /* summing to 1 */
    answer by_weight[VECTORS];
    answer by_bias[BIASES]; /* with the second vector */
} experiments;

void pref_run(experiments *e, const char *folder);
void pref_free(experiments *e);

/* With this k, in the experiment on k. */
const answer *pref_by_k(const experiments *e, uint64_t k);
/* How far above the proven bound, as a share of it. */
double pref_gap(const answer *a, double achievement);
/* Runs that found the proven optimum. */
size_t pref_hits(const answer *a, const trial *t);
unsigned pref_groups(const adult *a, const solution *s, size_t column);

/* --------------------------------------------------------------- pictures */

/* Figure 2 of the paper: bias and loss of what was found for each k. */
void pref_draw_solutions(pv_buffer *svg, const experiments *e);
/* Figure 5 of the paper: what comes of ever stricter wishes for the bias. */
void pref_draw_biases(pv_buffer *svg, const experiments *e);

/* ------------------------------------------------------------------- page */

void pref_write_page(pv_buffer *page, const experiments *e);
/* Its parts: the example; the Adult table, figures 2 to 5 and the time; differences and weaknesses.
 */
void pref_write_example(pv_buffer *page, const example *x);
void pref_write_results(pv_buffer *page, const experiments *e);
void pref_write_words(pv_buffer *page, const experiments *e);

#endif
