/* Who is suppressed under cuts, as needed (docs/model.md, section 2).
 *
 * With the cuts of the other attributes fixed, they make classes c; with a group I of one attribute
 * these become the classes (c, I) of the whole scheme. A class that breaks a demand dies: its rows
 * lose everything. So an interval is not valid or invalid any more, it has a cost,
 *
 *     own(I)  = what its living rows lose of this attribute
 *     kept(I) = what its dead rows would have kept of all attributes
 *     dead(I) = how many they are, each at a price that keeps their sum within the budget
 *
 * and the best partition is a shortest path again (cut_intervals.h). The same table serves two
 * readers. A move of a local search fixes the others as they are: then the cost is exact. A bound
 * knows only the cuts that every scheme of a box has, the forced ones: then whoever is dead under
 * them is dead in the whole box, and what an interval kills besides is killed at least. There a row
 * may be killed by several attributes and must be charged once: each row has shares of the
 * attributes that sum to at most one (PV_CUT_SHARE). */
#ifndef PV_CUTS_CUT_DEATHS_H
#define PV_CUTS_CUT_DEATHS_H

#include "classes/grouping.h"
#include "cuts/cut_evaluator.h"
#include "cuts/cut_intervals.h"

/* A whole share. */
#define PV_CUT_SHARE 256

/* What is asked of everybody, read-only, shared by all threads. */
typedef struct pv_cut_question {
    pv_cut_table *table;
    const pv_cut_space *space;
    const pv_cut_prices *prices;
    const pv_class_rules *rules;
    pv_class_rules for_good;         /* those that no splitting mends, and k */
    bool mixed;                      /* are there others, too? */
    const pv_cut_criteria *criteria; /* of a loss that is no sum over attributes; NULL = it is */
    uint64_t k, budget;
    uint64_t full;    /* what a suppressed row loses */
    uint64_t trivial; /* ... of it, of attributes with one value: no other row loses it */
    bool *banned[PV_MOST_CUT_AXES];    /* n * n: intervals that cross a branch of the taxonomy */
    uint64_t *mixer[PV_MOST_CUT_AXES]; /* per value: adds up to the number of a tuple */
} pv_cut_question;

PV_CHECKED pv_status pv_i_cut_question_init(pv_cut_question *question, pv_cut_table *table,
                                            const pv_cut_prices *prices,
                                            const pv_class_rules *rules, uint64_t budget,
                                            pv_error *error);
void pv_i_cut_question_deinit(pv_cut_question *question);

/* What the rows of an interval that die lose. Shares are counted in PV_CUT_SHARE. */
typedef struct pv_cut_toll {
    uint64_t dead;   /* rows */
    uint64_t kept;   /* what they would keep under the cuts that are known, by their shares */
    uint64_t shares; /* the sum of their shares */
} pv_cut_toll;

/* The tuples of a view as one attribute sees them: those of one class of the others side by side,
 * by value. */
typedef struct pv_cut_line {
    const pv_cut_view *view;
    uint32_t *order; /* tuples */
    uint32_t *ends;  /* per class: where it ends in the order */
    size_t n_classes;
    uint64_t *kept;   /* per class: what a row keeps under the cuts of the others */
    uint64_t *own;    /* per value: what it keeps of the axis itself; 0 if its cuts are not known */
    uint32_t *bucket; /* per tuple: whose shares are its own */
    pv_cut_toll *tolls; /* (n + 1)^2: of the interval first..last at first * (n + 1) + last */
    uint64_t *alive;    /* n + 1: rows with a value before each that may live */
    uint64_t *costs;    /* n * n: with a price */
} pv_cut_line;

/* For a loss that is no sum over attributes (cut_other_loss.c). */
typedef struct pv_cut_other {
    uint8_t *dropped;    /* per class: it breaks a demand */
    pv_lost_class *lost; /* these, listed */
    double *bits;        /* per axis and value: what a row keeps; axes side by side */
    pv_meter meter;
} pv_cut_other;

/* What one thread works with. */
typedef struct pv_cut_deaths {
    const pv_cut_question *question;
    pv_cut_scratch scratch;
    pv_cut_class_scratch classes;
    pv_class_scorer scorer, for_good;
    pv_cut_line *lines; /* per axis */
    uint64_t *worth;    /* per axis and value: what a row keeps of the axis; axes side by side */
    uint64_t *sizes;    /* per class */
    struct pv_cut_stretch *stretches; /* of a class: rows with one value */
    uint16_t *shares;                 /* per bucket and axis; at most PV_CUT_SHARE in all */
    uint64_t *kills;                  /* per bucket and axis */
    size_t n_buckets;                 /* a power of 2 */
    uint64_t counted;                 /* how often the table was counted */
    pv_cut_other other;
} pv_cut_deaths;

PV_CHECKED pv_status pv_i_cut_deaths_init(pv_cut_deaths *deaths, const pv_cut_question *question,
                                          pv_error *error);
void pv_i_cut_deaths_deinit(pv_cut_deaths *deaths);

/* What comes of a whole scheme: what it loses, the dead included, and how many die. */
typedef struct pv_cut_account {
    uint64_t cost, dead;
} pv_cut_account;
PV_CHECKED bool pv_i_cut_deaths_evaluate(pv_cut_deaths *deaths, const uint8_t *cuts,
                                         pv_cut_account *account);

/* False when memory runs out; what else may fail goes to `status`. */
PV_CHECKED bool pv_i_cut_other_init(pv_cut_other *other, const pv_cut_question *question,
                                    pv_status *status, pv_error *error);
void pv_i_cut_other_deinit(pv_cut_other *other);
/* What a scheme whose dropped classes are known costs. False when memory runs out. */
PV_CHECKED bool pv_i_cut_other_cost(pv_cut_deaths *deaths, const uint8_t *cuts,
                                    const pv_cut_view *view, uint64_t *cost);

/* Lists the tuples as an axis sees them, given the cuts of the others; with `own` the cuts of the
 * axis are known, too, and count for what rows keep. False when memory runs out. */
PV_CHECKED bool pv_i_cut_line_list(pv_cut_deaths *deaths, size_t axis, const uint8_t *cuts,
                                   bool own);
/* Fills in the tolls of the intervals between the forced cuts of the axis (NULL = none). `exact`:
 * the others' cuts are all there are, and every row is this axis's own; otherwise shares count, and
 * a class that breaks a rule which splitting may mend costs at least one of its rows. Returns the
 * rows that are dead whatever the axis does. */
uint64_t pv_i_cut_line_toll(pv_cut_deaths *deaths, size_t axis, const uint8_t *forced, bool exact);
/* The costs of the intervals at a price per dead row. Those that kill more than `most_dead`, cross
 * a branch, or cost `most` and more are impossible. */
void pv_i_cut_line_price(pv_cut_deaths *deaths, size_t axis, const uint8_t *forced,
                         uint64_t most_dead, uint64_t price, uint64_t most);
/* Puts the tuples into buckets by their values of some axes, which every line that is compared has:
 * the axes that are cut. */
void pv_i_cut_line_fill(pv_cut_deaths *deaths, size_t axis, const uint8_t *cuts);
/* Adds up, bucket by bucket, whom a partition of the axis kills (not `exact`). */
void pv_i_cut_line_kills(pv_cut_deaths *deaths, size_t axis, const uint8_t *cuts);
/* What a partition of an axis takes in all. */
pv_cut_toll pv_i_cut_line_sum(const pv_cut_deaths *deaths, size_t axis, const uint8_t *cuts);

#endif
