/* What the paper on ARUBA reports, made anew: its experiments on a table of items, their pictures
 * and the page about them. */
#ifndef PV_PAPERS_ARUBA_REPORT_H
#define PV_PAPERS_ARUBA_REPORT_H

#include "records/attacker.h"
#include "report.h"

/* ----------------------------------------------------------------- records */

enum {
    RUNS = 5,   /* each with sensitivities and records of its own, as in the paper */
    SAMPLE = 8, /* records of a run */
    FEW = 2,    /* the same with many attributes */
    MOST_RECORDS = RUNS * SAMPLE,
    MOST_ATTRIBUTES = 20,
};

extern const double aruba_similarity; /* of consistent values, as in the paper */

/* Somebody with the whole table, and what it takes to count in it. */
typedef struct attacker {
    pv_attacker *attacker;
    pv_consistent_index *index;
} attacker;

/* A table, who attacks it, and the records that are to be disclosed. */
typedef struct stage {
    opened table;
    attacker similar; /* the paper's: similar values are consistent */
    attacker exact;   /* another, for whom values are the same or not */
    pv_sensitivities *sensitivities[RUNS];
    size_t samples[RUNS][SAMPLE]; /* tuples, ascending */
    size_t n_sample;              /* of each run */
} stage;

/* With the first `n_attributes` of the table of the folder. */
void aruba_stage_open(stage *s, const char *folder, size_t n_attributes, size_t n_sample);
void aruba_stage_close(stage *s);
/* The sum of all heights: the utility of a record as it is. */
double aruba_most_utility(const stage *s);

/* ------------------------------------------------------------- one question */

typedef enum search_kind { BTDA = 0, ARUBA, BNB, METHODS } search_kind;

extern const char *const aruba_methods[METHODS];

typedef struct question {
    search_kind method;
    pv_risk risk;
    double utility; /* c: the sum of depths to be kept at least */
    uint64_t limit; /* of nodes visited for a record; 0 = none */
    bool is_exact;  /* the attacker */
} question;

/* What became of the records of all runs: means. */
typedef struct trial {
    size_t n, n_proven;
    double risk, utility;
    double seconds, visited;
    double risks[MOST_RECORDS]; /* one by one */
} trial;

trial aruba_ask(const stage *s, const question *q);
/* For how many records the first has more risk than the second. */
size_t aruba_count_worse(const trial *a, const trial *b);

/* ------------------------------------------------------------ the frontier */

/* Nodes of a lattice of given heights by their utility, the sum of depths; n of them, which add up
 * to 1. With this utility the frontier for c is all nodes of utility c. */
size_t aruba_utility_shares(const unsigned *heights, size_t n_heights, double *shares);
/* The share of frontier nodes by the definition, node by node. */
double aruba_frontier_share(const stage *s, double c);

/* ------------------------------------------------------- k-anonymous tables */

enum { KS = 12, ARBITRARY = 10 /* tables for each k, as in the paper */ };

extern const uint64_t aruba_ks[KS];

/* Means over the records of all runs. */
typedef struct released {
    double utility;
    double risk[PV_RISK_COUNT];
} released;

typedef struct anonymous {
    released best;               /* the scheme of most utility */
    released suppressed;         /* the same with 1% of the rows suppressed */
    released arbitrary;          /* schemes that cannot be more specific, drawn at random */
    double least[PV_RISK_COUNT]; /* the risk of records disclosed one by one with the utility of
                                    the best */
} anonymous;

void aruba_anonymize(const stage *s, anonymous tables[KS]);

/* ------------------------------------------------------------- experiments */

enum {
    THRESHOLDS = 12,
    ATTRIBUTES = 10, /* where their number does not vary */
    SIZES = 10,      /* 2, 4, ..., 20 attributes */
    LIMIT = 300000,  /* of nodes visited for a record, with many attributes */
    PAPER_ATTRIBUTES = 70,
    PAPER_MOST = PAPER_ATTRIBUTES * 3, /* the sum of heights 1, 2, ..., 5, 1, 2, ... */
};

typedef struct threshold {
    double c;
    double frontier;             /* share of nodes */
    trial btda;                  /* model I */
    trial aruba[PV_RISK_COUNT];  /* by model */
    trial bnb[PV_RISK_COUNT];    /* exact */
    trial greedy[PV_RISK_COUNT]; /* bnb that is stopped at once */
    trial exact_attacker;        /* bnb, model I */
} threshold;

typedef struct size_trial {
    size_t n_attributes;
    double nodes, c;
    bool is_tried[METHODS]; /* not any more once it never finished */
    trial trials[METHODS];
} size_trial;

/* Everyone at once, with the attacker for whom values are the same or not. */
typedef struct scan_trial {
    double c, seconds, risk_before, risk_after;
} scan_trial;

typedef struct experiments {
    stage stage;
    double nodes;
    double most; /* utility */
    threshold thresholds[THRESHOLDS];
    double paper_shares[PAPER_MOST + 1]; /* of the nodes, by utility, of the paper's lattice */
    anonymous tables[KS];
    size_trial sizes[SIZES];
    scan_trial scan;
} experiments;

void aruba_run(experiments *e, const char *folder);
void aruba_free(experiments *e);

/* Did the method solve all of the records? */
bool aruba_is_finished(const size_trial *t, size_t method);

/* --------------------------------------------------------------- pictures */

void aruba_draw_frontier(pv_buffer *svg, const experiments *e);   /* figure 7a */
void aruba_draw_thresholds(pv_buffer *svg, const experiments *e); /* figure 7b, and nodes visited */
void aruba_draw_sizes(pv_buffer *svg, const experiments *e);      /* figures 7c and 7d */
void aruba_draw_risks(pv_buffer *svg, const experiments *e);      /* figure 9 */

/* ------------------------------------------------------------------- page */

void aruba_write_page(pv_buffer *page, const experiments *e);
/* Its part in words: what agrees with the paper, what does not, and what is weaker. */
void aruba_write_words(pv_buffer *page, const experiments *e);

#endif
