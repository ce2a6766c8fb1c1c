/* A publisher's walk: wish after wish, everything evaluated is remembered. */
#include "prefer/walk.h"

#include "base/bitset.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/pool.h"
#include "cuts/cut_search.h"
#include "prefer/achievement.h"
#include "prefer/session.h"
#include "scheme/cuts.h"

#include <math.h>
#include <string.h>

#define LEAST_K 2
#define EVALUATIONS 50000
/* Further wishes start from what is known: so much less is enough. */
#define FURTHER 10
#define PROVE_SECONDS 10.0
/* Looking for the nearest of equally good schemes takes so much longer than the proof, at most. */
#define TIE_SECONDS 1.0
#define MEMORY (UINT64_C(256) << 20)
/* The part of the memory that views of the table may take. */
#define VIEWS_PART 4
/* ... and that the memory of schemes may take, however little there is. */
#define SCHEMES_PART 4
#define LEAST_SCHEMES 200000
#define REPORT_SECONDS 0.1
/* Known schemes a search starts from. */
#define MOST_STARTS 40

/* ---------------------------------------------------------------- progress */

/* Progress and limits of one wish. */
typedef struct {
    const pv_context *context;
    const char *phase;
    uint64_t total;
    double until; /* when the proof has to end */
    double next_report;
    bool stopped;
} guard;

/* At most ten times a second. */
static bool report(guard *g, uint64_t done)
{
    const double time = pv_i_now();
    if (time < g->next_report) {
        return !g->stopped;
    }
    g->next_report = time + REPORT_SECONDS;
    const pv_progress progress = {.phase = g->phase, .done = done, .total = g->total};
    if (g->context != NULL && g->context->progress != NULL &&
        !g->context->progress(g->context->progress_ctx, &progress)) {
        g->stopped = true;
    }
    return !g->stopped;
}

static bool search_goes_on(void *ctx, const pv_cut_run *run, uint32_t best)
{
    (void)best;
    return report(ctx, run->asked);
}

static bool proof_goes_on(void *ctx, uint64_t best, uint64_t bound, uint64_t nodes)
{
    guard *const g = ctx;
    (void)best;
    (void)bound;
    return report(g, nodes) && pv_i_now() < g->until;
}

/* ------------------------------------------------------------------ set up */

static pv_status fill_options(pv_walk *walk, pv_error *error)
{
    pv_walk_options *const o = &walk->options;
    o->k = o->k > 0 ? o->k : LEAST_K;
    o->method = o->method != NULL ? o->method : "memetic";
    o->evaluations = o->evaluations > 0 ? o->evaluations : EVALUATIONS;
    o->memory = o->memory > 0 ? o->memory : MEMORY;
    o->seed = o->seed > 0 ? o->seed : 1;
    o->prove = o->prove < 0 ? 0 : o->prove > 0 ? o->prove : PROVE_SECONDS;
    if (strcmp(o->method, "memetic") != 0 && strcmp(o->method, "nsga2") != 0) {
        return pv_i_hint(
            pv_i_fail(error, PV_STATUS_ARGUMENT, "there is no method '%s' over cuts", o->method),
            error, "the methods are memetic and nsga2");
    }
    return PV_STATUS_OK;
}

/* k may be among the demands, too. */
static pv_status check_k(pv_walk *walk, pv_error *error)
{
    pv_walk_options *const o = &walk->options;
    o->k = walk->aspects.rules.k > o->k ? walk->aspects.rules.k : o->k;
    if (o->k > pv_profile_rows(walk->profile)) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_UNSATISFIED,
                                   "no release can have classes of %llu people: the table has %llu",
                                   (unsigned long long)o->k,
                                   (unsigned long long)pv_profile_rows(walk->profile)),
                         error, "ask for a smaller k");
    }
    return PV_STATUS_OK;
}

/* If not even all people in one class keep a rule, nothing does: merging never breaks one. */
static pv_status check_rules(const pv_walk *walk, pv_error *error)
{
    pv_cut_outcome merged;
    if (walk->aspects.rules.n_rules == 0) {
        return PV_STATUS_OK;
    }
    memset(walk->run.cuts, 0, walk->space.n_bits);
    if (!pv_i_cut_judge(&walk->run.judges[0], walk->run.cuts, &merged)) {
        return pv_i_no_memory(error);
    }
    return merged.kept >= 1
               ? PV_STATUS_OK
               : pv_i_hint(pv_i_fail(error, PV_STATUS_UNSATISFIED,
                                     "no release can keep what is demanded of the sensitive "
                                     "values: not even all people in one class do"),
                           error, "demand less");
}

static pv_status init_table(pv_walk *walk, pv_error *error)
{
    const pv_walk_options *const o = &walk->options;
    PV_TRY(pv_i_cut_aspects_init(&walk->aspects, walk->profile, &walk->space, o->demands,
                                 o->n_demands, o->bias, o->loss, error));
    PV_TRY(check_k(walk, error));
    PV_TRY(pv_i_cut_table_init_counting(&walk->table, walk->profile, &walk->space,
                                        walk->aspects.columns, walk->aspects.n_columns,
                                        o->memory / VIEWS_PART, error));
    for (size_t a = 0; a < walk->space.n_axes; a++) {
        walk->weights[a] = pv_study_quasi_attribute(pv_profile_study(walk->profile), a)->weight;
    }
    pv_i_cut_aspects_prices(&walk->aspects, NULL, &walk->prices);
    return PV_STATUS_OK;
}

static size_t most_schemes(const pv_walk *walk)
{
    const size_t words = PV_BITSET_WORDS(walk->space.n_bits + 1);
    const uint64_t bytes = 2 * (words * sizeof(uint64_t) + sizeof(pv_cut_outcome) + 8);
    const uint64_t most = walk->options.memory / SCHEMES_PART / bytes;
    return most > LEAST_SCHEMES ? (size_t)most : LEAST_SCHEMES;
}

pv_status pv_i_walk_begin(pv_walk *walk, pv_cut_run *run, pv_error *error)
{
    PV_TRY(pv_i_cut_run_init(run, &walk->table, &walk->prices, &walk->aspects, NULL, error));
    run->most = most_schemes(walk);
    return PV_STATUS_OK;
}

pv_status pv_walk_create(const pv_profile *profile, const pv_walk_options *options, pv_walk **walk,
                         pv_error *error)
{
    pv_walk *const w = PV_NEW(pv_walk);
    pv_status status = PV_STATUS_OK;
    if (w == NULL) {
        return pv_i_no_memory(error);
    }
    w->profile = profile;
    w->options = options != NULL ? *options : (pv_walk_options){0};
    PV_TRY_CLEAN(fill_options(w, error));
    PV_TRY_CLEAN(
        pv_i_cut_space_init(&w->space, pv_profile_study(profile), !w->options.free_groups, error));
    PV_TRY_CLEAN(init_table(w, error));
    PV_TRY_CLEAN(pv_i_walk_begin(w, &w->run, error));
    PV_TRY_CLEAN(check_rules(w, error));
    w->options.demands = NULL; /* they were borrowed for the call */
    w->options.bias = w->options.loss = NULL;
    *walk = w;
    return PV_STATUS_OK;
cleanup:
    pv_walk_free(w);
    return status;
}

void pv_walk_free(pv_walk *walk)
{
    if (walk == NULL) {
        return;
    }
    pv_i_session_close(walk->session);
    pv_i_cut_run_deinit(&walk->run);
    pv_i_cut_table_deinit(&walk->table);
    pv_i_cut_space_deinit(&walk->space);
    pv_i_free(walk);
}

/* ------------------------------------------------------------------ answer */

static void solution_deinit(pv_solution *solution)
{
    pv_cuts_free(solution->cuts);
    *solution = (pv_solution){0};
}

void pv_answer_free(pv_answer *answer)
{
    if (answer == NULL) {
        return;
    }
    solution_deinit(&answer->best);
    for (size_t i = 0; answer->others != NULL && i < answer->n_others; i++) {
        solution_deinit(&answer->others[i]);
    }
    pv_i_free(answer->others);
    pv_i_free(answer);
}

static pv_aspiration point_of(const pv_walk *walk, const pv_cut_outcome *outcome)
{
    return (pv_aspiration){.bias = outcome->bias,
                           .loss = pv_i_cut_nwp(&walk->prices, outcome->cost)};
}

/* Looks for anything evaluated, with at least the k asked for, that beats a point. */
static pv_efficiency efficiency_of(const pv_walk *walk, pv_aspiration point)
{
    const pv_cut_goal goal = {.k = walk->options.k};
    pv_efficiency efficiency = PV_STRONGLY_EFFICIENT;
    for (size_t id = 0; id < walk->run.map.n; id++) {
        const pv_cut_outcome *const outcome = pv_i_cut_run_outcome(&walk->run, (uint32_t)id);
        const pv_aspiration other = point_of(walk, outcome);
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

static pv_status tell_solution(const pv_walk *walk, const pv_achievement *goal, uint32_t id,
                               pv_solution *solution, pv_error *error)
{
    const pv_cut_outcome *const outcome = pv_i_cut_run_outcome(&walk->run, id);
    uint8_t *const bits = PV_NEW_ARRAY(uint8_t, walk->space.n_bits);
    if (bits == NULL) {
        return pv_i_no_memory(error);
    }
    pv_i_cut_run_scheme(&walk->run, id, bits);
    *solution = (pv_solution){.point = point_of(walk, outcome),
                              .k = outcome->sizes.smallest,
                              .largest = outcome->sizes.largest};
    solution->achievement = pv_achievement_value(goal, solution->point);
    solution->deviation = pv_achievement_deviation(goal, solution->point);
    solution->efficiency = efficiency_of(walk, solution->point);
    const pv_status status = pv_i_cuts_from_bits(&walk->space, pv_profile_study(walk->profile),
                                                 bits, &solution->cuts, error);
    pv_i_free(bits);
    return status;
}

/* The best, and those with more k. */
static pv_status tell(const pv_walk *walk, const pv_cut_result *result, pv_answer *answer,
                      pv_error *error)
{
    PV_TRY(tell_solution(walk, &answer->goal, result->best, &answer->best, error));
    answer->others = PV_NEW_ZEROED(pv_solution, result->n_front);
    if (answer->others == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < result->n_front; i++) {
        if (pv_i_cut_run_outcome(&walk->run, result->front[i])->sizes.smallest > answer->best.k) {
            PV_TRY(tell_solution(walk, &answer->goal, result->front[i],
                                 &answer->others[answer->n_others], error));
            answer->n_others++;
        }
    }
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------ search */

/* The best schemes known so far, to start from: the front of value and k. */
static pv_status known_starts(const pv_walk *walk, const pv_cut_goal *goal, uint8_t **starts,
                              size_t *n, pv_error *error)
{
    pv_cut_result known = {0};
    PV_TRY(pv_i_cut_result_of(&walk->run, goal, &known, error));
    *n = known.n_front < MOST_STARTS ? known.n_front : MOST_STARTS;
    *starts = pv_i_array(*n, walk->space.n_bits);
    for (size_t i = 0; *starts != NULL && i < *n; i++) {
        pv_i_cut_run_scheme(&walk->run, known.front[i], *starts + i * walk->space.n_bits);
    }
    pv_i_cut_result_deinit(&known);
    return *starts != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
}

static pv_status search(pv_walk *walk, const pv_cut_goal *goal, guard *g, pv_error *error)
{
    const pv_walk_options *const o = &walk->options;
    const bool nsga2 = strcmp(o->method, "nsga2") == 0;
    uint8_t *starts = NULL;
    size_t n_starts = 0;
    pv_cut_result found = {0};
    PV_TRY(known_starts(walk, goal, &starts, &n_starts, error));
    const pv_cut_search_options options = {
        .goal = *goal,
        .seed = o->seed + walk->wishes,
        .evaluations = walk->wishes == 0 ? o->evaluations : 1 + o->evaluations / FURTHER,
        .population = o->population,
        .crossover = o->crossover,
        .mutation = o->mutation,
        .start = starts,
        .n_start = n_starts,
        .keep_going = search_goes_on,
        .ctx = g};
    g->phase = "searching";
    g->total = walk->run.asked + options.evaluations;
    const pv_status status = nsga2 ? pv_i_nsga2(&walk->run, &options, &found, error)
                                   : pv_i_memetic(&walk->run, &options, &found, error);
    pv_i_cut_result_deinit(&found);
    pv_i_free(starts);
    return status;
}

/* Branch and bound from a known scheme, until the time for proofs is over. What it finds is
 * evaluated like any other. */
static pv_status branch(pv_walk *walk, const pv_cut_goal *goal, guard *g, uint32_t start,
                        pv_cut_proof *proof, pv_error *error)
{
    uint32_t found;
    uint8_t *const cuts = PV_NEW_ARRAY(uint8_t, walk->space.n_bits);
    if (cuts == NULL) {
        return pv_i_no_memory(error);
    }
    pv_i_cut_run_scheme(&walk->run, start, cuts);
    const pv_cut_bnb_options options = {.goal = *goal,
                                        .aspects = &walk->aspects,
                                        .start = cuts,
                                        .threads = walk->run.threads,
                                        .memory = walk->options.memory / 2,
                                        .keep_going = proof_goes_on,
                                        .ctx = g};
    pv_status status = pv_i_cut_bnb(&walk->table, &walk->prices, &options, cuts, proof, error);
    if (status == PV_STATUS_OK) {
        status = pv_i_cut_run_evaluate(&walk->run, cuts, 1, &found, error);
    }
    pv_i_free(cuts);
    return status;
}

/* What fulfils the wish has at most this value. */
static uint64_t value_of_wish(const pv_walk *walk, const pv_cut_goal *goal, pv_aspiration wish)
{
    const uint64_t cost = (uint64_t)llround(fmin(wish.loss, 1) * walk->prices.one);
    const uint64_t value = pv_i_cut_value(goal, &walk->prices, cost, fmin(wish.bias, 1));
    return value + pv_i_cut_tie(goal, &walk->prices, value);
}

/* Tries to prove that nothing is better than the best known, or finds what is. */
static pv_status prove(pv_walk *walk, const pv_cut_goal *goal, guard *g, uint32_t best,
                       pv_answer *answer, pv_error *error)
{
    pv_cut_proof proof = {0};
    g->phase = "proving";
    g->total = 0;
    g->until = pv_i_now() + walk->options.prove;
    PV_TRY(branch(walk, goal, g, best, &proof, error));
    answer->proven = proof.bound == proof.best;
    answer->nodes = proof.nodes;
    answer->bound =
        pv_i_achievement_of(&answer->goal, pv_i_cut_worth(goal, &walk->prices, proof.bound));
    answer->unreachable = proof.bound > value_of_wish(walk, goal, answer->goal.wish);
    return PV_STATUS_OK;
}

/* Of the schemes that are as good as the best, which is proven, finds the nearest to the wish in
 * bias and loss together. */
static pv_status break_ties(pv_walk *walk, const pv_cut_goal *goal, guard *g, uint32_t best,
                            pv_answer *answer, pv_error *error)
{
    const pv_cut_outcome *const outcome = pv_i_cut_run_outcome(&walk->run, best);
    const uint64_t value = pv_i_cut_value(goal, &walk->prices, outcome->cost, outcome->bias);
    pv_cut_goal nearest = *goal;
    pv_cut_proof proof = {0};
    nearest.most = value + pv_i_cut_tie(goal, &walk->prices, value);
    PV_TRY(branch(walk, &nearest, g, best, &proof, error));
    answer->nodes += proof.nodes;
    return PV_STATUS_OK;
}

static pv_status best_known(const pv_walk *walk, const pv_cut_goal *goal, pv_cut_result *result,
                            pv_error *error)
{
    pv_i_cut_result_deinit(result);
    return pv_i_cut_result_of(&walk->run, goal, result, error);
}

static pv_status prove_all(pv_walk *walk, const pv_cut_goal *goal, guard *g, pv_cut_result *result,
                           pv_answer *answer, pv_error *error)
{
    const double started = pv_i_now();
    PV_TRY(prove(walk, goal, g, result->best, answer, error));
    PV_TRY(best_known(walk, goal, result, error));
    if (answer->proven) {
        const double proven = pv_i_now();
        g->until = fmin(g->until, proven + (proven - started) + TIE_SECONDS);
        PV_TRY(break_ties(walk, goal, g, result->best, answer, error));
        PV_TRY(best_known(walk, goal, result, error));
    }
    return PV_STATUS_OK;
}

/* Whatever was evaluated for whatever wish may be the answer. */
static pv_status find(pv_walk *walk, guard *g, bool proving, pv_answer *answer, pv_error *error)
{
    const pv_cut_goal goal = pv_i_achievement_goal(&answer->goal, walk->options.k);
    pv_cut_result result = {0};
    PV_TRY(search(walk, &goal, g, error));
    PV_TRY(pv_i_cut_result_of(&walk->run, &goal, &result, error));
    pv_status status = PV_STATUS_OK;
    answer->provable = walk->aspects.loss_kind == PV_CUT_LOSS_SUM;
    if (answer->provable && proving && walk->options.prove > 0 && !g->stopped) {
        status = prove_all(walk, &goal, g, &result, answer, error);
    }
    if (status == PV_STATUS_OK) {
        status = tell(walk, &result, answer, error);
    }
    pv_i_cut_result_deinit(&result);
    return status;
}

static pv_status note(const pv_walk *walk, pv_step_kind kind, const pv_answer *answer,
                      size_t solution, pv_error *error)
{
    return walk->session != NULL
               ? pv_i_session_note(walk->session, walk, kind, answer, solution, error)
               : PV_STATUS_OK;
}

static pv_status answer_wish(pv_walk *walk, pv_aspiration wish, bool proving,
                             const pv_context *context, pv_answer **answer, pv_error *error)
{
    const double started = pv_i_now();
    guard g = {.context = context};
    pv_answer *const a = PV_NEW(pv_answer);
    pv_status status = PV_STATUS_OK;
    if (a == NULL) {
        return pv_i_no_memory(error);
    }
    a->k = walk->options.k;
    PV_TRY_CLEAN(pv_achievement_init(&a->goal, wish, error));
    PV_TRY_CLEAN(pv_i_cut_run_hire(&walk->run, context, error));
    PV_TRY_CLEAN(find(walk, &g, proving, a, error));
    a->evaluated = walk->run.evaluated;
    a->stopped = g.stopped;
    PV_TRY_CLEAN(note(walk, PV_STEP_WISH, a, 0, error));
    walk->wishes++;
    a->seconds = pv_i_now() - started;
    *answer = a;
    return PV_STATUS_OK;
cleanup:
    pv_answer_free(a);
    return status;
}

pv_status pv_walk_aspire(pv_walk *walk, pv_aspiration wish, const pv_context *context,
                         pv_answer **answer, pv_error *error)
{
    return answer_wish(walk, wish, true, context, answer, error);
}

pv_status pv_walk_accept(pv_walk *walk, const pv_answer *answer, size_t solution, pv_error *error)
{
    if (solution > answer->n_others) {
        return pv_i_hint(
            pv_i_fail(error, PV_STATUS_ARGUMENT, "the answer has no solution %zu", solution), error,
            "0 is the best; there are %zu others", answer->n_others);
    }
    return note(walk, PV_STEP_ACCEPTED, answer, solution, error);
}

/* ----------------------------------------------------------------- weights */

pv_measure_ref pv_walk_bias(const pv_walk *walk)
{
    return walk->aspects.bias;
}

pv_measure_ref pv_walk_loss(const pv_walk *walk)
{
    return walk->aspects.loss;
}

double pv_walk_weight(const pv_walk *walk, size_t quasi)
{
    return walk->weights[quasi];
}

void pv_i_walk_reprice(pv_walk *walk, const double *weights)
{
    memmove(walk->weights, weights, walk->space.n_axes * sizeof *weights);
    walk->is_weighed = true;
    pv_i_cut_aspects_prices(&walk->aspects, walk->weights, &walk->prices);
    pv_i_cut_run_reprice(&walk->run);
}

static pv_status set_weight(const pv_walk *walk, const pv_weight *weight, double *weights,
                            pv_error *error)
{
    const pv_study *const study = pv_profile_study(walk->profile);
    if (!isfinite(weight->weight) || weight->weight < 0) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "a weight must be a number of 0 or more");
    }
    for (size_t a = 0; a < walk->space.n_axes; a++) {
        if (strcmp(pv_study_quasi_name(study, a), weight->attribute) == 0) {
            weights[a] = weight->weight;
            return PV_STATUS_OK;
        }
    }
    return pv_i_fail(error, PV_STATUS_ARGUMENT, "there is no quasi-identifier '%.80s'",
                     weight->attribute);
}

pv_status pv_walk_weigh(pv_walk *walk, const pv_weight *weights, size_t n, pv_error *error)
{
    double before[PV_MOST_CUT_AXES];
    double after[PV_MOST_CUT_AXES];
    double sum = 0;
    if (!walk->aspects.loss.measure->weighted) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "the loss '%s' has no weights; nwp has",
                         walk->aspects.loss.measure->name);
    }
    memcpy(before, walk->weights, sizeof before);
    memcpy(after, walk->weights, sizeof after);
    for (size_t i = 0; i < n; i++) {
        PV_TRY(set_weight(walk, &weights[i], after, error));
    }
    for (size_t a = 0; a < walk->space.n_axes; a++) {
        sum += after[a];
    }
    if (!(sum > 0) || !isfinite(sum)) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "at least one weight must be above 0");
    }
    pv_i_walk_reprice(walk, after);
    const pv_status status = walk->session != NULL
                                 ? pv_i_session_note_weights(walk->session, walk, error)
                                 : PV_STATUS_OK;
    if (status != PV_STATUS_OK) {
        pv_i_walk_reprice(walk, before);
    }
    return status;
}

/* --------------------------------------------------------------- direction */

static bool is_same(const pv_solution *a, const pv_solution *b)
{
    return a->k == b->k && fabs(a->point.bias - b->point.bias) <= 0 &&
           fabs(a->point.loss - b->point.loss) <= 0;
}

static bool was_seen(pv_answer *const *answers, size_t n, const pv_answer *answer)
{
    for (size_t i = 0; i < n; i++) {
        if (is_same(&answers[i]->best, &answer->best)) {
            return true;
        }
    }
    return false;
}

pv_status pv_walk_direction(pv_walk *walk, pv_aspiration from, pv_aspiration wish, size_t n,
                            const pv_context *context, pv_answer **answers, size_t *n_answers,
                            pv_error *error)
{
    size_t found = 0;
    bool stopped = false;
    for (size_t m = 1; m <= n && !stopped; m++) {
        const double share = (double)m / (double)n;
        const pv_aspiration point = {.bias = from.bias + share * (wish.bias - from.bias),
                                     .loss = from.loss + share * (wish.loss - from.loss)};
        pv_answer *answer = NULL;
        const pv_status status = answer_wish(walk, point, false, context, &answer, error);
        if (status != PV_STATUS_OK) {
            while (found > 0) {
                pv_answer_free(answers[--found]);
            }
            return status;
        }
        stopped = answer->stopped;
        if (was_seen(answers, found, answer)) {
            pv_answer_free(answer);
        } else {
            answers[found++] = answer;
        }
    }
    *n_answers = found;
    return PV_STATUS_OK;
}
