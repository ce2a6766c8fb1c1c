/* What the POkA paper reports, made anew: the experiments, their pictures and the page about them.
 */
#ifndef PV_PAPERS_POKA_REPORT_H
#define PV_PAPERS_POKA_REPORT_H

#include "report.h"

enum {
    DEPTHS = 6, /* the paper's table 3: depths 1..6 */
    FEWEST = 2, /* its figure 6: 2..8 attributes */
    MOST = 8,
    SIZES = MOST - FEWEST + 1,
};

/* ------------------------------------------------------------ experiments */

/* A loss with k, on all attributes. */
typedef struct trade_off {
    opened table;
    const char *loss;
    double *k_of, *loss_of; /* of every node of the lattice */
    size_t n_nodes;
    pv_front *truth; /* by exhaustive search */
    pv_front *exact;
    pv_front *poka[DEPTHS + 1]; /* by depth; [0] is the default depth */
    double truth_seconds, exact_seconds, poka_seconds;
} trade_off;

/* A loss with k, on some of the attributes. */
typedef struct size_trial {
    size_t n_attributes;
    unsigned depth; /* POkA's default */
    pv_front *exact, *poka;
} size_trial;

trade_off poka_trade_off(const source *from, const char *loss);
void poka_trade_off_free(trade_off *t);
size_trial poka_size_trial(const source *from, const char *loss, size_t n_attributes);
void poka_size_trial_free(size_trial *t);

unsigned poka_default_depth(const pv_study *study);
/* How many points of a front are on another. */
size_t poka_common(const pv_front *front, const pv_front *other);
double poka_share(const pv_front *front); /* evaluated, of all nodes */

/* --------------------------------------------------------------- pictures */

/* The paper's figure 4: all nodes, the exact front, and POkA's points over it. */
void poka_draw_front(pv_buffer *svg, const trade_off *t);

typedef struct share_curve {
    const char *name;
    const char *class_name;
    const double *values; /* shares */
} share_curve;

/* Shares over whole numbers from `first` on, at most MOST of them. */
void poka_draw_curves(pv_buffer *svg, const char *title, const char *what, size_t first, size_t n,
                      const share_curve *curves, size_t n_curves);

/* ------------------------------------------------------------------- page */

typedef struct report {
    const source *from;
    const trade_off *trade_offs; /* glm, dcn, cm */
    size_t n_trade_offs;
    const size_trial *sizes[2]; /* dcn, glm; SIZES each */
} report;

void poka_write_page(pv_buffer *page, const report *r);

#endif
