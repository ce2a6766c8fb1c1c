/* Preferences: the release nearest to what a publisher aspires to.
 *
 *     pv_preference *preference = NULL;
 *     pv_answer *answer = NULL;
 *     const pv_preference_options options = {.size = sizeof options, .k = 5};
 *     pv_status status = pv_preference_create(profile, &options, &preference, &error);
 *     if (status == PV_STATUS_OK) {
 *         status = pv_preference_aspire(preference, (pv_aspiration){.bias = 0.3, .loss = 0.2},
 * NULL, &answer, &error);
 *     }
 *     if (status == PV_STATUS_OK) {
 *         const pv_solution *best = pv_answer_solution(answer, 0);
 *         printf("k = %llu\n", (unsigned long long)pv_solution_k(best));
 *     }
 *
 * A publisher wishes for at most so much bias (necd: how unequally large the classes are) and at
 * most so much loss (nwp: how much detail is gone), with classes of at least k people. Among all
 * cut schemes (cuts.h) the one that comes nearest in both, or exceeds both wishes most evenly, is
 * that with the least achievement. (Dewri, Ray, Ray, Whitley: k-anonymization in the presence of
 * publisher preferences.) Another bias or loss may be chosen, and diversity or closeness of
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

/* A scheme that answers a wish. Borrowed from its answer. */
typedef struct pv_solution pv_solution;

PV_API const pv_cuts *pv_solution_cuts(const pv_solution *solution); /* borrowed */
PV_API pv_aspiration pv_solution_point(const pv_solution *solution); /* its bias and loss */
PV_API uint64_t pv_solution_k(const pv_solution *solution);       /* people in its smallest class */
PV_API uint64_t pv_solution_largest(const pv_solution *solution); /* ... and in its largest */
PV_API double pv_solution_achievement(const pv_solution *solution);
PV_API double pv_solution_deviation(const pv_solution *solution);
/* Among everything evaluated that keeps what is demanded. */
PV_API pv_efficiency pv_solution_efficiency(const pv_solution *solution);

/* What answers a wish: the best solution, others with more people in every class, and what is
 * proven. Owned by the caller. */
typedef struct pv_answer pv_answer;

PV_API void pv_answer_free(pv_answer *answer); /* NULL is fine */

PV_API const pv_achievement *pv_answer_goal(const pv_answer *answer); /* with the wish; borrowed */
PV_API uint64_t pv_answer_k(const pv_answer *answer);                 /* asked for */
/* 0 is the best: of least achievement; of equal ones of least deviation. The others have more k for
 * more achievement, by ascending k. NULL if there is no such solution. */
PV_API size_t pv_answer_n_solutions(const pv_answer *answer);
PV_API const pv_solution *pv_answer_solution(const pv_answer *answer, size_t index);
/* Has the loss a proof? nwp, glm and leaf-utility have. */
PV_API bool pv_answer_provable(const pv_answer *answer);
PV_API double pv_answer_bound(const pv_answer *answer); /* proven: nothing has less achievement */
PV_API bool pv_answer_proven(const pv_answer *answer);  /* is the best the best there is? */
PV_API bool pv_answer_unreachable(const pv_answer *answer);   /* proven: nothing fulfils the wish */
PV_API uint64_t pv_answer_evaluated(const pv_answer *answer); /* schemes, for all wishes so far */
PV_API uint64_t pv_answer_nodes(const pv_answer *answer);     /* of the proof */
PV_API double pv_answer_seconds(const pv_answer *answer);
/* By the progress callback: best so far. */
PV_API bool pv_answer_stopped(const pv_answer *answer);
/* Was nothing known before it was looked for? Then whoever asks the same again, from the beginning,
 * is answered the same; later wishes start from what earlier ones have found. */
PV_API bool pv_answer_is_first(const pv_answer *answer);

/* ------------------------------------------------------------- preferences */

/* A publisher's wishes about one table, one after the other. It remembers everything it evaluated:
 * further wishes are answered faster. */
typedef struct pv_preference pv_preference;

/* Zero-initialised = all defaults. */
typedef struct pv_preference_options {
    size_t size; /* sizeof this struct; 0 = as in this header */
    uint64_t k;  /* people in a class at least; 0 = 2 */
    /* What every class must keep besides: l-distinct, l-entropy, l-recursive, t-closeness; borrowed
     * for the call. */
    const pv_constraint *demands;
    size_t n_demands;
    /* The measures of bias and loss; NULL = necd and nwp. Losses are taken as shares of the largest
     * possible one. Borrowed for the call. */
    const pv_measure_ref *bias, *loss;
    const char *method; /* of pv_cut_method_at; NULL = the usual one */
    bool free_groups;   /* may groups of categories cross the branches of their tree? otherwise they
                           are whole branches, or neighbouring branches of one */
    uint64_t evaluations; /* for a wish, a tenth for further ones; 0 = the method's */
    double prove;         /* seconds for the proof; 0 = 10; negative = no proof */
    uint64_t seed;        /* 0 = 1 */
    uint64_t memory;      /* bytes; 0 = 256 MiB */
    size_t population;    /* 0 = the method's */
    double crossover;     /* 0 = the method's; negative = never */
    double mutation;      /* per cut; 0 = the method's; negative = never */
} pv_preference_options;

/* The profile is borrowed and must outlive it. If not even all people in one class keep what is
 * demanded: PV_STATUS_UNSATISFIED. */
PV_API PV_CHECKED pv_status pv_preference_create(const pv_profile *profile,
                                                 const pv_preference_options *options,
                                                 pv_preference **preference, pv_error *error);
PV_API void pv_preference_free(pv_preference *preference); /* NULL is fine */

/* The measures of bias and loss. */
PV_API pv_measure_ref pv_preference_bias(const pv_preference *preference);
PV_API pv_measure_ref pv_preference_loss(const pv_preference *preference);

/* How much an attribute counts in the loss. */
typedef struct pv_weight {
    const char *attribute;
    double weight; /* on the scale of the plan's */
} pv_weight;

/* Gives some attributes another weight for the wishes to come; the others keep theirs. What was
 * evaluated stays known. PV_STATUS_ARGUMENT if there is no such attribute, a weight is negative or
 * no number, all are 0, or the loss has no weights (only nwp has). */
PV_API PV_CHECKED pv_status pv_preference_weigh(pv_preference *preference, const pv_weight *weights,
                                                size_t n, pv_error *error);
/* On the scale of the plan's. */
PV_API double pv_preference_weight(const pv_preference *preference, size_t quasi);

/* The answer to a wish. Owned by the caller (pv_answer_free). */
PV_API PV_CHECKED pv_status pv_preference_aspire(pv_preference *preference, pv_aspiration wish,
                                                 const pv_context *context, pv_answer **answer,
                                                 pv_error *error);

/* The best known for a wish after searching for so many seconds at most: for a wish that is being
 * dragged. Nothing is proven, and a session does not note it among the wishes; what was evaluated
 * stays known. A clock decides how far it comes, so the same is not answered everywhere. Owned by
 * the caller. */
PV_API PV_CHECKED pv_status pv_preference_glance(pv_preference *preference, pv_aspiration wish,
                                                 double seconds, const pv_context *context,
                                                 pv_answer **answer, pv_error *error);
/* Seconds for the proof of each of the wishes to come, as `prove` of the options: 0 = 10; negative
 * = no proof. What is no number is PV_STATUS_ARGUMENT. */
PV_API PV_CHECKED pv_status pv_preference_set_prove(pv_preference *preference, double seconds,
                                                    pv_error *error);

/* A release that is known. */
typedef struct pv_known_point {
    pv_aspiration point;
    uint64_t k;
} pv_known_point;

/* Of everything evaluated so far that keeps what is demanded: the strongly efficient points, by
 * ascending bias; at most `most` (0 = all), an even sample with both ends if there are more. The
 * caller frees them with pv_known_points_free. */
PV_API PV_CHECKED pv_status pv_preference_known(const pv_preference *preference, size_t most,
                                                pv_known_point **points, size_t *n,
                                                pv_error *error);
PV_API void pv_known_points_free(pv_known_point *points); /* NULL is fine */

/* The reference direction: from a point towards a wish in n steps, the best scheme for each,
 * without those already seen on the way. `answers` has space for n; they are not proven. Fewer if
 * the progress callback stops it. */
PV_API PV_CHECKED pv_status pv_preference_direction(pv_preference *preference, pv_aspiration from,
                                                    pv_aspiration wish, size_t n,
                                                    const pv_context *context, pv_answer **answers,
                                                    size_t *n_answers, pv_error *error);

/* One wish about a study, in one call: with what the plan demands, besides the options' own (k and
 * rules that merging classes cannot break). Solutions become schemes by pv_scheme_from_cuts. */
PV_API PV_CHECKED pv_status pv_prefer_find(const pv_study *study, pv_aspiration wish,
                                           const pv_preference_options *options, pv_answer **answer,
                                           pv_error *error);

/* ---------------------------------------------------------------- session */

/* From now on everything goes into a session file (SQLite), too: everything evaluated, every wish
 * with its answer, every choice, with times. A file that exists is continued: what it remembers
 * needs not be evaluated again. It holds no value of the data, only which neighbouring values go
 * together, by their places. If it belongs to another table, other attributes or other demands:
 * PV_STATUS_INPUT. PV_STATUS_UNSUPPORTED if this program was built without SQLite. To be called
 * before the first wish. */
PV_API PV_CHECKED pv_status pv_preference_open_session(pv_preference *preference, const char *path,
                                                       pv_error *error);
/* Gives the session file back: other programs can continue the session meanwhile. What is
 * remembered stays, and the next step takes the file again, if nobody has continued it. Without a
 * session nothing happens. */
PV_API void pv_preference_pause_session(pv_preference *preference);
/* Takes the file again. *is_same is false if somebody has continued it, or it is gone: the session
 * stays paused, and a new preference goes on from what the file says. */
PV_API PV_CHECKED pv_status pv_preference_resume_session(pv_preference *preference, bool *is_same,
                                                         pv_error *error);
/* Notes that the publisher chose a solution of an answer: 0 = the best, then the others. */
PV_API PV_CHECKED pv_status pv_preference_accept(pv_preference *preference, const pv_answer *answer,
                                                 size_t solution, pv_error *error);

/* One line of the audit trail. */
typedef struct pv_preference_entry {
    const char *kind; /* "opened", "wish", "accepted", "weights" */
    const char *time; /* UTC, 2026-01-31T12:00:00Z */
    bool has_wish;
    pv_aspiration wish, point; /* asked for, and what the answer or choice has */
    uint64_t k;
    double achievement, bound;
    bool proven;
    uint64_t evaluated; /* schemes known then */
    const char *note;   /* weights: "age=3, sex=1"; otherwise NULL */
} pv_preference_entry;

/* The audit trail of a session. */
typedef struct pv_preference_log pv_preference_log;

/* Reads it from a session file. Owned by the caller. */
PV_API PV_CHECKED pv_status pv_preference_log_read(const char *path, pv_preference_log **log,
                                                   pv_error *error);
/* The same of the session that is open, whose file nobody else can read meanwhile.
 * PV_STATUS_ARGUMENT if there is none, or it is paused. */
PV_API PV_CHECKED pv_status pv_preference_log_of(const pv_preference *preference,
                                                 pv_preference_log **log, pv_error *error);
PV_API void pv_preference_log_free(pv_preference_log *log); /* NULL is fine */

/* First to last; borrowed. */
PV_API const pv_preference_entry *pv_preference_log_entries(const pv_preference_log *log,
                                                            size_t *n);
/* The names of the measures of bias and loss. */
PV_API const char *pv_preference_log_bias(const pv_preference_log *log);
PV_API const char *pv_preference_log_loss(const pv_preference_log *log);

#ifdef __cplusplus
}
#endif
#endif
