/* Preferences: the release nearest to what a publisher aspires to.
 *
 *     pv_walk *walk = NULL;
 *     pv_answer *answer = NULL;
 *     const pv_walk_options options = {.k = 5};
 *     pv_status status = pv_walk_create(profile, &options, &walk, &error);
 *     if (status == PV_STATUS_OK) {
 *         status = pv_walk_aspire(walk, (pv_aspiration){.bias = 0.3, .loss = 0.2}, NULL, &answer,
 *                                 &error);
 *     }
 *
 * A publisher wishes for at most so much bias (necd: how unequally large the classes are) and at
 * most so much loss (nwp: how much detail is gone), with classes of at least k people. Among all
 * cut schemes (cuts.h) the one that comes nearest in both, or exceeds both wishes most evenly, is
 * that with the least achievement. (Dewri, Ray, Ray, Whitley: k-anonymization in the presence of
 * publisher preferences.) Another bias or loss may stand in, and diversity or closeness of
 * sensitive values may be demanded besides k. Nothing is suppressed. */
#ifndef PARAVENT_PREFER_H
#define PARAVENT_PREFER_H

#include <paravent/classes.h>
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

/* A point in bias and loss, both from 0, the best, to 1. */
typedef struct pv_aspiration {
    double bias, loss;
} pv_aspiration;

/* The achievement function of a wish: max(w (bias - u), (1 - w) (loss - u)), where u is a little
 * less than the best thinkable and the weights make the wish itself lie on the diagonal. Its
 * minimum is never beaten in both; every best compromise is the minimum for some wish. */
typedef struct pv_achievement {
    pv_aspiration wish;
    double weight; /* of the bias; that of the loss is 1 - weight */
    double utopia; /* of both */
} pv_achievement;

/* A wish that is negative, infinite or no number: PV_STATUS_ARGUMENT. */
PV_API PV_CHECKED pv_status pv_achievement_init(pv_achievement *achievement, pv_aspiration wish,
                                                pv_error *error);
PV_API double pv_achievement_value(const pv_achievement *achievement, pv_aspiration point);
/* How far a point is from the wish in both together; less is better. Decides between equal values.
 */
PV_API double pv_achievement_deviation(const pv_achievement *achievement, pv_aspiration point);
/* The value of the wish itself: whatever is at most this fulfils it. */
PV_API double pv_achievement_wish(const pv_achievement *achievement);
/* Has the point no more bias and no more loss than wished for, but for rounding? */
PV_API bool pv_achievement_fulfils(const pv_achievement *achievement, pv_aspiration point);

/* A point is strongly efficient if none is better in one and no worse in the other, weakly if none
 * is better in both. Every strongly efficient point is weakly efficient, too. */
typedef enum pv_efficiency {
    PV_INEFFICIENT = 0,
    PV_WEAKLY_EFFICIENT,
    PV_STRONGLY_EFFICIENT
} pv_efficiency;

/* Of each of n points among all of them. */
PV_API PV_CHECKED pv_status pv_efficiencies(const pv_aspiration *points, size_t n,
                                            pv_efficiency *efficiencies, pv_error *error);

/* ---------------------------------------------------------------- answers */

typedef struct pv_solution {
    pv_cuts *cuts;
    pv_aspiration point; /* what it has of bias and loss */
    uint64_t k;          /* people in its smallest class */
    uint64_t largest;    /* ... and in its largest */
    double achievement, deviation;
    /* Among everything evaluated that keeps what is demanded. */
    pv_efficiency efficiency;
} pv_solution;

typedef struct pv_answer {
    pv_achievement goal;
    uint64_t k;          /* asked for */
    pv_solution best;    /* of least achievement; of equal ones of least deviation */
    pv_solution *others; /* with more k for more achievement, by ascending k */
    size_t n_others;
    bool provable;      /* has the loss a proof? nwp, glm and leaf-utility have */
    double bound;       /* proven: no scheme has a smaller achievement */
    bool proven;        /* is the best one the best there is? */
    bool unreachable;   /* proven: no scheme fulfils both wishes */
    uint64_t evaluated; /* schemes, in all of the walk so far */
    uint64_t nodes;     /* of the proof */
    double seconds;
    bool stopped; /* by the progress callback: best so far */
} pv_answer;

PV_API void pv_answer_free(pv_answer *answer); /* NULL is fine */

/* ------------------------------------------------------------------- walk */

/* A walk remembers everything it evaluated: further wishes are answered faster. */
typedef struct pv_walk pv_walk;

/* Zero-initialised = all defaults. */
typedef struct pv_walk_options {
    uint64_t k; /* people in a class at least; 0 = 2; --k */
    /* What every class must keep besides: l-distinct, l-entropy, l-recursive, t-closeness; borrowed
     * for the call. --require */
    const pv_constraint *demands;
    size_t n_demands;
    /* What stands for bias and loss; NULL = necd and nwp. Losses are taken as shares of the largest
     * possible one. Borrowed for the call. --aspire */
    const pv_measure_ref *bias, *loss;
    const char *method; /* "memetic" or "nsga2"; NULL = memetic; --method */
    bool free_groups;   /* may groups of categories cross the branches of their tree? otherwise they
                           are whole branches, or neighbouring branches of one; --free-groups */
    uint64_t evaluations; /* for a wish; 0 = 50,000, a tenth for further ones; --evaluations */
    double prove;         /* seconds for the proof; 0 = 10; negative = no proof; --prove */
    uint64_t seed;        /* 0 = 1; --seed */
    uint64_t memory;      /* bytes; 0 = 256 MiB; --memory */
    size_t population;    /* 0 = 100 */
    double crossover;     /* 0 = 0.8; negative = never */
    double mutation;      /* nsga2, per cut: 0 = 0.001; negative = never */
} pv_walk_options;

/* The profile is borrowed and must outlive the walk. If not even all people in one class keep what
 * is demanded: PV_STATUS_UNSATISFIED. */
PV_API PV_CHECKED pv_status pv_walk_create(const pv_profile *profile,
                                           const pv_walk_options *options, pv_walk **walk,
                                           pv_error *error);
PV_API void pv_walk_free(pv_walk *walk); /* NULL is fine */

/* The measures that stand for bias and loss in it. */
PV_API pv_measure_ref pv_walk_bias(const pv_walk *walk);
PV_API pv_measure_ref pv_walk_loss(const pv_walk *walk);

/* How much an attribute counts in the loss. */
typedef struct pv_weight {
    const char *attribute;
    double weight; /* on the scale of the plan's */
} pv_weight;

/* Gives some attributes another weight for the wishes to come; the others keep theirs. What was
 * evaluated stays known. PV_STATUS_ARGUMENT if there is no such attribute, a weight is negative or
 * no number, all are 0, or the loss has no weights (only nwp has). */
PV_API PV_CHECKED pv_status pv_walk_weigh(pv_walk *walk, const pv_weight *weights, size_t n,
                                          pv_error *error);
PV_API double pv_walk_weight(const pv_walk *walk, size_t quasi); /* on the scale of the plan's */

/* The answer to a wish. Owned by the caller (pv_answer_free). */
PV_API PV_CHECKED pv_status pv_walk_aspire(pv_walk *walk, pv_aspiration wish,
                                           const pv_context *context, pv_answer **answer,
                                           pv_error *error);

/* The reference direction: from a point towards a wish in n steps, the best scheme for each,
 * without those already seen on the way. `answers` has room for n; they are not proven. Fewer if
 * the progress callback stops it. */
PV_API PV_CHECKED pv_status pv_walk_direction(pv_walk *walk, pv_aspiration from, pv_aspiration wish,
                                              size_t n, const pv_context *context,
                                              pv_answer **answers, size_t *n_answers,
                                              pv_error *error);

/* ---------------------------------------------------------------- session */

/* Keeps the walk in a file (SQLite): everything evaluated, every wish with its answer, every
 * choice, with times. A file that exists is continued: what it remembers needs not be evaluated
 * again. It holds no value of the data, only which neighbouring values go together, by their
 * places. If it belongs to another table, other attributes or other demands: PV_STATUS_INPUT.
 * PV_STATUS_UNSUPPORTED if this program was built without SQLite. To be called before the first
 * wish. */
PV_API PV_CHECKED pv_status pv_walk_keep(pv_walk *walk, const char *path, pv_error *error);
/* Notes that the publisher chose a solution of an answer: 0 = the best, then the others. */
PV_API PV_CHECKED pv_status pv_walk_accept(pv_walk *walk, const pv_answer *answer, size_t solution,
                                           pv_error *error);

/* One line of the audit trail. */
typedef struct pv_walk_entry {
    const char *kind; /* "opened", "wish", "accepted", "weights" */
    const char *time; /* UTC, 2026-01-31T12:00:00Z */
    bool has_wish;
    pv_aspiration wish, point; /* asked for, and what the answer or choice has */
    uint64_t k;
    double achievement, bound;
    bool proven;
    uint64_t evaluated; /* schemes known then */
    const char *note;   /* weights: "age=3, sex=1"; otherwise NULL */
} pv_walk_entry;

/* Reads the audit trail of a session file, first to last. Freed with pv_walk_log_free. */
typedef struct pv_walk_log {
    pv_walk_entry *entries;
    size_t n_entries;
    const char *bias, *loss; /* the measures that stand for them in the session */
    void *memory;            /* holds the texts */
} pv_walk_log;

PV_API PV_CHECKED pv_status pv_walk_log_read(const char *path, pv_walk_log **log, pv_error *error);
/* The same of the file that this walk is kept in, which nobody else can read meanwhile.
 * PV_STATUS_ARGUMENT if it is kept nowhere. */
PV_API PV_CHECKED pv_status pv_walk_log_kept(const pv_walk *walk, pv_walk_log **log,
                                             pv_error *error);
PV_API void pv_walk_log_free(pv_walk_log *log); /* NULL is fine */

#ifdef __cplusplus
}
#endif
#endif
