/* A publisher's wishes about one table, one after the other.
 *
 * A wish is answered in four steps, all of them by the driver of searches over cuts (cut_search.h):
 *
 *     search       from the best schemes known so far, for the least achievement
 *     prove        branch and bound from the best one: nothing is better, or it finds what is
 *     break ties   of equally good schemes the nearest to the wish in bias and loss together
 *     collect      the best, and those with more people in every class for more achievement
 *
 * What was evaluated for one wish may be the answer to another. It is remembered by cuts and class
 * sizes, so that another wish costs nothing to look at it again, and other weights only a sum. */
#include "prefer/preference.h"

#include "base/bitset.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/options.h"
#include "plan/plan.h"
#include "prefer/session.h"
#include "scheme/cuts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_K 2
/* Further wishes start from what is known: a part of this of the evaluations is enough. */
#define FURTHER 10
#define PROVE_SECONDS 10.0
/* Looking for the nearest of equally good schemes takes so much longer than the proof, at most. */
#define TIE_SECONDS 1.0
/* Of the small searches of a glance. */
#define GLANCE_EVALUATIONS 100
#define GLANCE_POPULATION 12
/* The part of the memory that remembered schemes may take; so many are remembered in any case. */
#define SCHEMES_PART 4
#define LEAST_SCHEMES 200000

/* ------------------------------------------------------------- achievement
 *
 * The achievement function: how near a point comes to a wish (docs/model.md, section 6).
 *
 *     loss |      .              A wish w makes the weights so that w lies on the line from the
 *          |     .               utopian point u on which both weighted terms are equal. Points of
 *          |  ---+ a             equal achievement a form the corner of a square hanging on that
 *          |  w. |               line: what lies in the corner is better in both. So the minimum is
 *          |  .  |               never beaten in both, whether the wish can be fulfilled or not.
 *          u----------- bias
 *
 * For the searches it is a goal in units of loss: dividing by the weight of the loss and moving by
 * u keeps the order of points, so proven bounds can be moved back. */

/* The utopian point is better than the best thinkable by this much: weights stay finite for a wish
 * of 0. */
#define BEYOND 1e-6

pv_status pv_achievement_init(pv_achievement *achievement, pv_aspiration wish, pv_error *error)
{
    if (!(isfinite(wish.bias) && wish.bias >= 0) || !(isfinite(wish.loss) && wish.loss >= 0)) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                   "bias and loss to aspire to must be numbers of 0 or more"),
                         error, "0 is none at all, 1 is all there can be");
    }
    const double bias = 1 / (wish.bias + BEYOND);
    const double loss = 1 / (wish.loss + BEYOND);
    *achievement =
        (pv_achievement){.wish = wish, .weight = bias / (bias + loss), .utopia = -BEYOND};
    return PV_STATUS_OK;
}

double pv_achievement_value(const pv_achievement *achievement, pv_aspiration point)
{
    return fmax(achievement->weight * (point.bias - achievement->utopia),
                (1 - achievement->weight) * (point.loss - achievement->utopia));
}

double pv_achievement_deviation(const pv_achievement *achievement, pv_aspiration point)
{
    return point.bias + point.loss - achievement->wish.bias - achievement->wish.loss;
}

double pv_achievement_wish(const pv_achievement *achievement)
{
    return pv_achievement_value(achievement, achievement->wish);
}

bool pv_achievement_fulfils(const pv_achievement *achievement, pv_aspiration point)
{
    const double rounding = 1e-12;
    return point.bias <= achievement->wish.bias + rounding &&
           point.loss <= achievement->wish.loss + rounding;
}

pv_cut_goal pv_i_achievement_goal(const pv_achievement *achievement, uint64_t k)
{
    const double slope = achievement->weight / (1 - achievement->weight);
    return (pv_cut_goal){.k = k,
                         .bias_base = achievement->utopia - slope * achievement->utopia,
                         .bias_slope = slope};
}

double pv_i_achievement_of(const pv_achievement *achievement, double value)
{
    return (1 - achievement->weight) * (value - achievement->utopia);
}

/* -------------------------------------------------------------- efficiency */

static int compare_points(const void *left, const void *right, void *ctx)
{
    const pv_aspiration *const points = ctx;
    const pv_aspiration *const a = &points[*(const size_t *)left];
    const pv_aspiration *const b = &points[*(const size_t *)right];
    const int by_bias = (a->bias > b->bias) - (a->bias < b->bias);
    return by_bias != 0 ? by_bias : (a->loss > b->loss) - (a->loss < b->loss);
}

/* By ascending bias, points of one bias together: a point is weakly efficient if none with less
 * bias has less loss, and strongly if, besides, none with less bias has equal loss and none with
 * equal bias less. */
pv_status pv_efficiencies(const pv_aspiration *points, size_t n, pv_efficiency *efficiencies,
                          pv_error *error)
{
    size_t *const order = PV_NEW_ARRAY(size_t, n);
    double before = (double)INFINITY; /* the least loss of the points with less bias */
    if (order == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < n; i++) {
        order[i] = i;
    }
    qsort_r(order, n, sizeof *order, compare_points, (void *)(uintptr_t)points);
    for (size_t first = 0, end; first < n; first = end) {
        const pv_aspiration *const point = &points[order[first]];
        end = first + 1;
        while (end < n && points[order[end]].bias <= point->bias) {
            end++;
        }
        for (size_t i = first; i < end; i++) {
            const double loss = points[order[i]].loss;
            efficiencies[order[i]] = loss < before && loss <= point->loss ? PV_STRONGLY_EFFICIENT
                                     : loss <= before                     ? PV_WEAKLY_EFFICIENT
                                                                          : PV_INEFFICIENT;
        }
        before = fmin(before, point->loss);
    }
    pv_i_free(order);
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------ set up */

static size_t most_schemes(const pv_cut_search *search)
{
    const size_t words = PV_BITSET_WORDS(search->space.n_bits + 1);
    /* Arrays that grow are up to twice as large as what is in them. */
    const uint64_t bytes = 2 * (words * sizeof(uint64_t) + sizeof(pv_cut_outcome) + 8);
    const uint64_t most = search->settings.memory / SCHEMES_PART / bytes;
    return most > LEAST_SCHEMES ? (size_t)most : LEAST_SCHEMES;
}

pv_status pv_i_preference_init_run(pv_preference *preference, pv_cut_run *run, pv_error *error)
{
    pv_cut_search *const s = &preference->search;
    PV_TRY(pv_i_cut_run_init(run, &s->table, &s->prices, &s->criteria, NULL, error));
    run->most = most_schemes(s);
    return PV_STATUS_OK;
}

pv_status pv_preference_create(const pv_profile *profile, const pv_preference_options *options,
                               pv_preference **preference, pv_error *error)
{
    pv_preference_options o;
    PV_TRY(PV_TAKE_OPTIONS(o, options, error));
    const pv_cut_settings settings = {.method = o.method,
                                      .k = o.k > 0 ? o.k : LEAST_K,
                                      .demands = o.demands,
                                      .n_demands = o.n_demands,
                                      .bias = o.bias,
                                      .loss = o.loss,
                                      .free_groups = o.free_groups,
                                      .evaluations = o.evaluations,
                                      .further = FURTHER,
                                      .prove = o.prove,
                                      .prove_usually = PROVE_SECONDS,
                                      .seed = o.seed,
                                      .memory = o.memory,
                                      .population = o.population,
                                      .crossover = o.crossover,
                                      .mutation = o.mutation};
    pv_preference *const p = PV_NEW(pv_preference);
    pv_status status = PV_STATUS_OK;
    if (p == NULL) {
        return pv_i_no_memory(error);
    }
    PV_TRY_CLEAN(pv_i_cut_search_init(&p->search, profile, &settings, NULL, error));
    p->search.run.most = most_schemes(&p->search);
    p->search.phase.counts = true;
    for (size_t a = 0; a < p->search.space.n_axes; a++) {
        p->weights[a] = pv_study_quasi_attribute(pv_profile_study(profile), a)->weight;
    }
    *preference = p;
    return PV_STATUS_OK;
cleanup:
    pv_preference_free(p);
    return status;
}

void pv_preference_free(pv_preference *preference)
{
    if (preference == NULL) {
        return;
    }
    pv_i_session_close(preference->session);
    pv_i_cut_search_deinit(&preference->search);
    pv_i_free(preference);
}

/* ----------------------------------------------------------------- collect */

static pv_aspiration point_of(const pv_preference *preference, const pv_cut_outcome *outcome)
{
    return (pv_aspiration){.bias = outcome->bias,
                           .loss = pv_i_cut_nwp(&preference->search.prices, outcome->cost)};
}

/* Looks for anything evaluated, with at least the k asked for, that beats a point. Ties of the
 * achievement make weakly efficient answers possible; breaking ties is meant to avoid them. */
static pv_efficiency efficiency_of(const pv_preference *preference, pv_aspiration point)
{
    const pv_cut_run *const run = &preference->search.run;
    const pv_cut_goal goal = {.k = preference->search.settings.k};
    pv_efficiency efficiency = PV_STRONGLY_EFFICIENT;
    for (size_t id = 0; id < run->map.n; id++) {
        const pv_cut_outcome *const outcome = pv_i_cut_run_outcome(run, (uint32_t)id);
        const pv_aspiration other = point_of(preference, outcome);
        if (!pv_i_cut_is_feasible(&goal, outcome) || other.bias > point.bias ||
            other.loss > point.loss) {
            continue;
        }
        if (other.bias < point.bias && other.loss < point.loss) {
            return PV_INEFFICIENT;
        }
        if (other.bias < point.bias || other.loss < point.loss) {
            efficiency = PV_WEAKLY_EFFICIENT;
        }
    }
    return efficiency;
}

static pv_status add_solution(const pv_preference *preference, uint32_t id, uint8_t *bits,
                              pv_answer *answer, pv_error *error)
{
    const pv_cut_search *const s = &preference->search;
    const pv_cut_outcome *const outcome = pv_i_cut_run_outcome(&s->run, id);
    const pv_aspiration point = point_of(preference, outcome);
    pv_solution *const solution = &answer->solutions[answer->n_solutions++];
    *solution = (pv_solution){.point = point,
                              .k = outcome->sizes.smallest,
                              .largest = outcome->sizes.largest,
                              .achievement = pv_achievement_value(&answer->goal, point),
                              .deviation = pv_achievement_deviation(&answer->goal, point),
                              .efficiency = efficiency_of(preference, point)};
    pv_i_cut_run_scheme(&s->run, id, bits);
    return pv_i_cuts_from_bits(&s->space, pv_profile_study(s->profile), bits, &solution->cuts,
                               error);
}

/* The best, and those with more k. */
static pv_status collect(const pv_preference *preference, const pv_cut_result *result,
                         pv_answer *answer, pv_error *error)
{
    const pv_cut_run *const run = &preference->search.run;
    pv_status status = PV_STATUS_OK;
    uint8_t *const bits = PV_NEW_ARRAY(uint8_t, preference->search.space.n_bits);
    answer->solutions = PV_NEW_ZEROED(pv_solution, result->n_front + 1);
    if (bits == NULL || answer->solutions == NULL) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    PV_TRY_CLEAN(add_solution(preference, result->best, bits, answer, error));
    for (size_t i = 0; i < result->n_front; i++) {
        if (pv_i_cut_run_outcome(run, result->front[i])->sizes.smallest > answer->solutions[0].k) {
            PV_TRY_CLEAN(add_solution(preference, result->front[i], bits, answer, error));
        }
    }
cleanup:
    pv_i_free(bits);
    return status;
}

/* ------------------------------------------------------------------- prove */

static pv_status best_known(const pv_preference *preference, const pv_cut_goal *goal,
                            pv_cut_result *result, pv_error *error)
{
    pv_i_cut_result_deinit(result);
    return pv_i_cut_result_of(&preference->search.run, goal, result, error);
}

/* What fulfils the wish has at most this value: if the proven bound exceeds it, no scheme fulfils
 * the wish. Rounding is given to the wish, so that the claim holds. */
static uint64_t value_of_wish(const pv_cut_prices *prices, const pv_cut_goal *goal,
                              pv_aspiration wish)
{
    const uint64_t cost = (uint64_t)llround(fmin(wish.loss, 1) * prices->one);
    const uint64_t value = pv_i_cut_value(goal, prices, cost, fmin(wish.bias, 1));
    return value + pv_i_cut_tie(goal, prices, value);
}

/* Tries to prove that nothing is better than the best known, or finds what is. The achievement is
 * the larger of two terms, so many schemes may share its minimum: once that is proven, a second
 * branch and bound among those that have it looks for the least sum of bias and loss. */
static pv_status prove(pv_preference *preference, const pv_cut_goal *goal, pv_cut_result *result,
                       pv_answer *answer, pv_error *error)
{
    pv_cut_search *const s = &preference->search;
    const double started = pv_i_now();
    pv_cut_proof proof = {0};
    s->proofs_end = started + s->settings.prove;
    PV_TRY(pv_i_cut_search_prove(s, goal, result->best, 0, &proof, error));
    answer->proven = proof.bound == proof.best;
    answer->nodes = proof.nodes;
    answer->bound =
        pv_i_achievement_of(&answer->goal, pv_i_cut_value_nwp(goal, &s->prices, proof.bound));
    answer->unreachable = proof.bound > value_of_wish(&s->prices, goal, answer->goal.wish);
    PV_TRY(best_known(preference, goal, result, error));
    if (!answer->proven) {
        return PV_STATUS_OK;
    }
    const pv_cut_outcome *const best = pv_i_cut_run_outcome(&s->run, result->best);
    const uint64_t value = pv_i_cut_value(goal, &s->prices, best->cost, best->bias);
    const double proven = pv_i_now();
    pv_cut_goal nearest = *goal;
    nearest.most = value + pv_i_cut_tie(goal, &s->prices, value);
    s->proofs_end = fmin(s->proofs_end, proven + (proven - started) + TIE_SECONDS);
    PV_TRY(pv_i_cut_search_prove(s, &nearest, result->best, 0, &proof, error));
    answer->nodes += proof.nodes;
    return best_known(preference, goal, result, error);
}

/* ------------------------------------------------------------------- wishes */

/* How much is done for a wish. */
typedef enum { GLANCE, SEARCH, SEARCH_AND_PROVE } effort;

/* Small searches, one after the other, each from what is best by then: the first population of a
 * search is made before it looks at the clock, so it must be small, too. Until the time is over or
 * nothing new comes up. */
static pv_status look_around(pv_preference *preference, const pv_cut_goal *goal,
                             pv_cut_result *result, pv_error *error)
{
    pv_cut_search *const s = &preference->search;
    const pv_cut_settings asked = s->settings;
    pv_status status = PV_STATUS_OK;
    size_t known;
    s->settings.evaluations = GLANCE_EVALUATIONS * asked.further;
    s->settings.population = GLANCE_POPULATION;
    do {
        known = s->run.map.n;
        /* Seeds of their own, and never the many evaluations of a first search. */
        const uint64_t number = 1 + preference->wishes + preference->glances++;
        status = pv_i_cut_search_find(s, goal, number, result->front, result->n_front, error);
        if (status == PV_STATUS_OK) {
            status = best_known(preference, goal, result, error);
        }
    } while (status == PV_STATUS_OK && s->stop == PV_STOP_FINISHED && pv_i_now() < s->finds_end &&
             s->run.map.n > known);
    s->settings = asked;
    return status;
}

static pv_status find(pv_preference *preference, effort how, pv_answer *answer, pv_error *error)
{
    pv_cut_search *const s = &preference->search;
    const pv_cut_goal goal = pv_i_achievement_goal(&answer->goal, s->settings.k);
    pv_cut_result result = {0};
    pv_status status = PV_STATUS_OK;
    PV_TRY_CLEAN(best_known(preference, &goal, &result, error));
    if (how == GLANCE) {
        PV_TRY_CLEAN(look_around(preference, &goal, &result, error));
    } else {
        PV_TRY_CLEAN(pv_i_cut_search_find(s, &goal, preference->wishes, result.front,
                                          result.n_front, error));
        PV_TRY_CLEAN(best_known(preference, &goal, &result, error));
    }
    answer->provable = s->criteria.loss_kind == PV_CUT_LOSS_SUM;
    if (answer->provable && how == SEARCH_AND_PROVE && s->settings.prove > 0 &&
        s->stop == PV_STOP_FINISHED) {
        PV_TRY_CLEAN(prove(preference, &goal, &result, answer, error));
    }
    PV_TRY_CLEAN(collect(preference, &result, answer, error));
cleanup:
    pv_i_cut_result_deinit(&result);
    return status;
}

static pv_status note(const pv_preference *preference, pv_step_kind kind, const pv_answer *answer,
                      size_t solution, pv_error *error)
{
    return preference->session != NULL
               ? pv_i_session_note(preference->session, preference, kind, answer, solution, error)
               : PV_STATUS_OK;
}

static pv_status answer_wish(pv_preference *preference, pv_aspiration wish, effort how,
                             const pv_context *context, pv_answer **answer, pv_error *error)
{
    const double started = pv_i_now();
    pv_answer *const a = PV_NEW(pv_answer);
    pv_status status = PV_STATUS_OK;
    if (a == NULL) {
        return pv_i_no_memory(error);
    }
    a->k = preference->search.settings.k;
    a->is_first = preference->wishes == 0 && preference->search.run.map.n == 0;
    PV_TRY_CLEAN(pv_achievement_init(&a->goal, wish, error));
    PV_TRY_CLEAN(pv_i_cut_search_begin(&preference->search, context, error));
    PV_TRY_CLEAN(find(preference, how, a, error));
    a->evaluated = preference->search.run.evaluated;
    a->stopped = preference->search.stop == PV_STOP_CANCELLED;
    if (how != GLANCE) {
        PV_TRY_CLEAN(note(preference, PV_STEP_WISH, a, 0, error));
        preference->wishes++;
    }
    a->seconds = pv_i_now() - started;
    *answer = a;
    return PV_STATUS_OK;
cleanup:
    pv_answer_free(a);
    return status;
}

pv_status pv_preference_aspire(pv_preference *preference, pv_aspiration wish,
                               const pv_context *context, pv_answer **answer, pv_error *error)
{
    return answer_wish(preference, wish, SEARCH_AND_PROVE, context, answer, error);
}

pv_status pv_preference_glance(pv_preference *preference, pv_aspiration wish, double seconds,
                               const pv_context *context, pv_answer **answer, pv_error *error)
{
    if (!(seconds > 0)) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT,
                         "the seconds for a glance must be a number above 0");
    }
    preference->search.finds_end = pv_i_now() + seconds;
    const pv_status status = answer_wish(preference, wish, GLANCE, context, answer, error);
    preference->search.finds_end = 0;
    return status;
}

pv_status pv_preference_set_prove(pv_preference *preference, double seconds, pv_error *error)
{
    pv_cut_settings *const settings = &preference->search.settings;
    if (isnan(seconds)) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "the seconds for proofs must be a number");
    }
    settings->prove = seconds < 0 ? 0 : seconds > 0 ? seconds : PROVE_SECONDS;
    return PV_STATUS_OK;
}

pv_status pv_preference_accept(pv_preference *preference, const pv_answer *answer, size_t solution,
                               pv_error *error)
{
    if (solution >= answer->n_solutions) {
        return pv_i_hint(
            pv_i_fail(error, PV_STATUS_ARGUMENT, "the answer has no solution %zu", solution), error,
            "0 is the best; there are %zu others", answer->n_solutions - 1);
    }
    return note(preference, PV_STEP_ACCEPTED, answer, solution, error);
}

pv_status pv_preference_direction(pv_preference *preference, pv_aspiration from, pv_aspiration wish,
                                  size_t n, const pv_context *context, pv_answer **answers,
                                  size_t *n_answers, pv_error *error)
{
    size_t found = 0;
    bool stopped = false;
    for (size_t m = 1; m <= n && !stopped; m++) {
        const double share = (double)m / (double)n;
        const pv_aspiration point = {.bias = from.bias + share * (wish.bias - from.bias),
                                     .loss = from.loss + share * (wish.loss - from.loss)};
        pv_answer *answer = NULL;
        const pv_status status = answer_wish(preference, point, SEARCH, context, &answer, error);
        if (status != PV_STATUS_OK) {
            while (found > 0) {
                pv_answer_free(answers[--found]);
            }
            return status;
        }
        const pv_solution *const best = &answer->solutions[0];
        bool seen = false; /* neighbouring steps may have the same answer */
        for (size_t i = 0; i < found; i++) {
            const pv_solution *const earlier = &answers[i]->solutions[0];
            seen = seen ||
                   (earlier->k == best->k && fabs(earlier->point.bias - best->point.bias) <= 0 &&
                    fabs(earlier->point.loss - best->point.loss) <= 0);
        }
        stopped = answer->stopped;
        if (seen) {
            pv_answer_free(answer);
        } else {
            answers[found++] = answer;
        }
    }
    *n_answers = found;
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------ what is known */

/* By ascending bias; of equal bias the least loss first, then the most k. A total order, but for
 * points that are alike in everything. */
static int compare_known(const void *left, const void *right)
{
    const pv_known_point *const a = left;
    const pv_known_point *const b = right;
    const int by_bias = (a->point.bias > b->point.bias) - (a->point.bias < b->point.bias);
    const int by_loss = (a->point.loss > b->point.loss) - (a->point.loss < b->point.loss);
    return by_bias != 0 ? by_bias : by_loss != 0 ? by_loss : (a->k < b->k) - (a->k > b->k);
}

/* Leaves those that nothing beats, each once; returns how many. */
static size_t keep_efficient(pv_known_point *points, size_t n)
{
    size_t kept = 0;
    qsort(points, n, sizeof *points, compare_known);
    for (size_t i = 0; i < n; i++) {
        if (kept == 0 || points[i].point.loss < points[kept - 1].point.loss) {
            points[kept++] = points[i];
        }
    }
    return kept;
}

pv_status pv_preference_known(const pv_preference *preference, size_t most, pv_known_point **points,
                              size_t *n, pv_error *error)
{
    const pv_cut_run *const run = &preference->search.run;
    const pv_cut_goal goal = {.k = preference->search.settings.k};
    pv_known_point *const known = PV_NEW_ARRAY(pv_known_point, run->map.n);
    size_t n_known = 0;
    if (known == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t id = 0; id < run->map.n; id++) {
        const pv_cut_outcome *const outcome = pv_i_cut_run_outcome(run, (uint32_t)id);
        if (pv_i_cut_is_feasible(&goal, outcome)) {
            known[n_known++] = (pv_known_point){.point = point_of(preference, outcome),
                                                .k = outcome->sizes.smallest};
        }
    }
    n_known = n_known > 0 ? keep_efficient(known, n_known) : 0;
    for (size_t i = 0; most > 0 && n_known > most && i < most; i++) {
        known[i] = known[most > 1 ? i * (n_known - 1) / (most - 1) : 0];
    }
    *points = known;
    *n = most > 0 && n_known > most ? most : n_known;
    return PV_STATUS_OK;
}

void pv_known_points_free(pv_known_point *points)
{
    pv_i_free(points);
}

/* ----------------------------------------------------------------- weights */

/* Costs are computed again from the cuts; sizes and bias do not depend on weights. */
void pv_i_preference_reprice(pv_preference *preference, const double *weights)
{
    pv_cut_search *const s = &preference->search;
    memmove(preference->weights, weights, s->space.n_axes * sizeof *weights);
    preference->is_weighed = true;
    pv_i_cut_criteria_prices(&s->criteria, preference->weights, &s->prices);
    pv_i_cut_run_reprice(&s->run);
}

pv_status pv_preference_weigh(pv_preference *preference, const pv_weight *weights, size_t n,
                              pv_error *error)
{
    const pv_cut_criteria *const criteria = &preference->search.criteria;
    double before[PV_MOST_CUT_AXES];
    double after[PV_MOST_CUT_AXES];
    double sum = 0;
    if (!criteria->loss.measure->weighted) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "the loss '%s' has no weights; nwp has",
                         criteria->loss.measure->name);
    }
    memcpy(before, preference->weights, sizeof before);
    memcpy(after, preference->weights, sizeof after);
    for (size_t i = 0; i < n; i++) {
        const pv_study *const study = pv_profile_study(preference->search.profile);
        size_t a = 0;
        if (!isfinite(weights[i].weight) || weights[i].weight < 0) {
            return pv_i_fail(error, PV_STATUS_ARGUMENT, "a weight must be a number of 0 or more");
        }
        while (a < preference->search.space.n_axes &&
               strcmp(pv_study_quasi_name(study, a), weights[i].attribute) != 0) {
            a++;
        }
        if (a == preference->search.space.n_axes) {
            return pv_i_fail(error, PV_STATUS_ARGUMENT, "there is no quasi-identifier '%.80s'",
                             weights[i].attribute);
        }
        after[a] = weights[i].weight;
    }
    for (size_t a = 0; a < preference->search.space.n_axes; a++) {
        sum += after[a];
    }
    if (!(sum > 0) || !isfinite(sum)) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "at least one weight must be above 0");
    }
    pv_i_preference_reprice(preference, after);
    const pv_status status = preference->session != NULL
                                 ? pv_i_session_note_weights(preference->session, preference, error)
                                 : PV_STATUS_OK;
    if (status != PV_STATUS_OK) {
        pv_i_preference_reprice(preference, before);
    }
    return status;
}

/* --------------------------------------------------------------- accessors
 *
 * What a field is, is said once, in the public header. */

void pv_answer_free(pv_answer *answer)
{
    if (answer == NULL) {
        return;
    }
    for (size_t i = 0; i < answer->n_solutions; i++) {
        pv_cuts_free(answer->solutions[i].cuts);
    }
    pv_i_free(answer->solutions);
    pv_i_free(answer);
}

const pv_solution *pv_answer_solution(const pv_answer *answer, size_t index)
{
    return index < answer->n_solutions ? &answer->solutions[index] : NULL;
}

/* clang-format off */
pv_measure_ref pv_preference_bias(const pv_preference *p) { return p->search.criteria.bias; }
pv_measure_ref pv_preference_loss(const pv_preference *p) { return p->search.criteria.loss; }
double pv_preference_weight(const pv_preference *p, size_t quasi) { return p->weights[quasi]; }
const pv_cuts *pv_solution_cuts(const pv_solution *s) { return s->cuts; }
pv_aspiration pv_solution_point(const pv_solution *s) { return s->point; }
uint64_t pv_solution_k(const pv_solution *s) { return s->k; }
uint64_t pv_solution_largest(const pv_solution *s) { return s->largest; }
double pv_solution_achievement(const pv_solution *s) { return s->achievement; }
double pv_solution_deviation(const pv_solution *s) { return s->deviation; }
pv_efficiency pv_solution_efficiency(const pv_solution *s) { return s->efficiency; }

const pv_achievement *pv_answer_goal(const pv_answer *a) { return &a->goal; }
uint64_t pv_answer_k(const pv_answer *a) { return a->k; }
size_t pv_answer_n_solutions(const pv_answer *a) { return a->n_solutions; }
bool pv_answer_provable(const pv_answer *a) { return a->provable; }
double pv_answer_bound(const pv_answer *a) { return a->bound; }
bool pv_answer_proven(const pv_answer *a) { return a->proven; }
bool pv_answer_unreachable(const pv_answer *a) { return a->unreachable; }
uint64_t pv_answer_evaluated(const pv_answer *a) { return a->evaluated; }
uint64_t pv_answer_nodes(const pv_answer *a) { return a->nodes; }
double pv_answer_seconds(const pv_answer *a) { return a->seconds; }
bool pv_answer_stopped(const pv_answer *a) { return a->stopped; }
bool pv_answer_is_first(const pv_answer *a) { return a->is_first; }
/* clang-format on */
