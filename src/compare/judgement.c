/* Everyone against everyone: the duels of all releases by all properties, the tournaments they
 * make, what groups of people get, and what combinations and the advice say.
 *
 *     duels (property, a, b) ----> a tournament per property and index
 *                           '---> combinations ---> a tournament each
 *                           '---> the advice: class-size, then glm ---> a tournament
 *
 * A duel is fought once and stored both ways. Threads share the properties: each slot is written by
 * one of them, so the result is the same for any number.
 *
 * With n releases and P properties (docs/model.md, section 8):
 *
 *     duels      P * n * n      [property][first][second]     the diagonal is no duel
 *     by_index   P * indices    tournaments, each over n * n winners
 *     everyone   P * n          mean and share of the worst value over all people
 *     groups     groups * P * n the same for people with one value of a column
 *
 * Everything is computed over kinds of people (vectors.h), each counted as often as it has people:
 * P * n^2 / 2 passes over the kinds, which are few, and none over the rows. */
#include "compare/judgement.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/tasks.h"

#include <math.h>
#include <string.h>

/* People in a class that are enough if neither the caller nor the plan says so: a threshold that
 * many publishers use. */
#define ENOUGH 5
#define ADVISED_PRIVACY "class-size"
#define ADVISED_DETAIL "glm"

static size_t duel_place(const pv_comparison *comparison, size_t property, size_t first,
                         size_t second)
{
    return (property * comparison->n_releases + first) * comparison->n_releases + second;
}

const pv_duel *pv_i_judgement_duel(const pv_judgement *judgement, size_t property, size_t first,
                                   size_t second)
{
    return &judgement->duels[duel_place(judgement->comparison, property, first, second)];
}

/* ------------------------------------------------------------------ duels */

/* The same duel, seen by the other one. */
static pv_duel turned(const pv_duel *duel)
{
    pv_duel other = {.n = duel->n,
                     .first_better = duel->second_better,
                     .second_better = duel->first_better,
                     .dominance =
                         duel->dominance == PV_DOMINANCE_NONE
                             ? PV_DOMINANCE_NONE
                             : pv_i_dominance(duel->second_better > 0, duel->first_better > 0)};
    for (size_t i = 0; i < PV_INDEX_COUNT; i++) {
        other.first[i] = duel->second[i];
        other.second[i] = duel->first[i];
        other.winner[i] = pv_i_turned(duel->winner[i]);
    }
    return other;
}

/* Where one of them has no such property, and of a release with itself. */
static pv_duel no_duel(void)
{
    pv_duel none = {.dominance = PV_DOMINANCE_NONE};
    for (size_t i = 0; i < PV_INDEX_COUNT; i++) {
        none.first[i] = none.second[i] = (double)NAN;
    }
    return none;
}

/* What fighting takes, and a target of its own for every thread. */
typedef struct {
    pv_judgement *judgement;
    const double *wished; /* per property, or NULL */
    double *targets;      /* kinds per thread */
} judging;

/* Of two, the better of both is what a duel takes anyway. */
static bool has_target(const judging *a, size_t property)
{
    return a->judgement->comparison->n_releases > 2 ||
           (a->wished != NULL && !isnan(a->wished[property]));
}

/* Rank is the distance from a target that is the same for all pairs: what was wished for, or the
 * best that each person has in any release. */
static void take_target(const judging *a, size_t property, double *target)
{
    const pv_comparison *const comparison = a->judgement->comparison;
    if (a->wished == NULL || isnan(a->wished[property])) {
        pv_comparison_best(comparison, property, target);
        return;
    }
    const double wished = pv_comparison_shown(comparison, property, a->wished[property]);
    for (size_t kind = 0; kind < comparison->n_kinds; kind++) {
        target[kind] = wished;
    }
}

static void fight(pv_judgement *judgement, size_t property, size_t a, size_t b,
                  const double *target)
{
    const pv_comparison *const comparison = judgement->comparison;
    const double *const first = comparison->releases[a]->values[property];
    const double *const second = comparison->releases[b]->values[property];
    pv_duel duel = no_duel();
    if (first != NULL && second != NULL) {
        pv_duel_fight(first, second, comparison->n_kinds, comparison->n_of_kind, target,
                      judgement->tolerance, &duel);
    }
    judgement->duels[duel_place(comparison, property, a, b)] = duel;
    judgement->duels[duel_place(comparison, property, b, a)] = turned(&duel);
}

/* A group is singled out if it has the worst value at least so many times as often as everyone, ...
 */
#define TIMES 2.0
/* ... by more than so many standard errors. */
#define ERRORS 3.0

/* Some people at a time: their values are added up as they come, these sums with care. */
#define AT_A_TIME 256

void pv_i_group_measure(const double *values, const uint32_t *kinds, const uint64_t *counts,
                        size_t n, double worst, pv_group_result *result)
{
    pv_sum sum = {0};
    uint64_t people = 0;
    uint64_t n_worst = 0;
    for (size_t begin = 0; begin < n; begin += AT_A_TIME) {
        const size_t end = n - begin < AT_A_TIME ? n : begin + AT_A_TIME;
        double some = 0;
        for (size_t i = begin; i < end; i++) {
            const double value = values[kinds != NULL ? kinds[i] : i];
            const uint64_t count = counts != NULL ? counts[i] : 1;
            some += (double)count * value;
            people += count;
            n_worst += pv_i_exceeds(value, worst) ? 0 : count;
        }
        pv_i_sum_add(&sum, some);
    }
    result->mean = people > 0 ? pv_i_sum_value(&sum) / (double)people : (double)NAN;
    result->worst_share = people > 0 ? (double)n_worst / (double)people : (double)NAN;
    result->is_singled_out = false;
}

/* Is it more than bad luck that so many of `n` people have the worst value? The share of everyone
 * has a standard error of sqrt(p (1 - p) / n) among n people drawn at random. */
bool pv_i_is_singled_out(const pv_group_result *result, const pv_group_result *everyone, uint64_t n)
{
    const double share = everyone->worst_share;
    const double error = sqrt(share * (1.0 - share) / (double)n);
    return n > 0 && result->worst_share >= TIMES * share &&
           result->worst_share - share > ERRORS * error;
}

/* The worst value is that of this release, found over all people: a group is measured by how often
 * the release gives it that value, whatever other releases do. */
static void measure_groups(pv_judgement *judgement, size_t property, size_t release)
{
    const pv_comparison *const c = judgement->comparison;
    const double *const values = c->releases[release]->values[property];
    const size_t n = values != NULL ? c->n_kinds : 0;
    const size_t place = property * c->n_releases + release;
    double worst = n > 0 ? (double)INFINITY : (double)NAN;
    for (size_t i = 0; i < n; i++) {
        worst = values[i] < worst ? values[i] : worst;
    }
    judgement->worst[place] = worst;
    pv_group_result *const everyone = &judgement->everyone[place];
    pv_i_group_measure(values, NULL, c->n_of_kind, n, worst, everyone);
    for (size_t g = 0; g < c->n_people; g++) {
        const pv_people *const people = &c->people[g];
        pv_group_result *const result =
            &judgement->groups[(g * c->n_properties + property) * c->n_releases + release];
        pv_i_group_measure(values, people->kinds, people->n_of_kind, n > 0 ? people->n_kinds : 0,
                           worst, result);
        result->is_singled_out = pv_i_is_singled_out(result, everyone, n > 0 ? people->n_rows : 0);
    }
}

/* One property: slots of its own, the same whoever fills them. */
static pv_status judge_property(void *ctx, size_t p, const pv_thread *thread, pv_error *error)
{
    const judging *const a = ctx;
    const pv_comparison *const comparison = a->judgement->comparison;
    double *const target =
        has_target(a, p) ? a->targets + thread->number * comparison->n_kinds : NULL;
    if (target != NULL) {
        take_target(a, p, target);
    }
    for (size_t r = 0; r < comparison->n_releases; r++) {
        a->judgement->duels[duel_place(comparison, p, r, r)] = no_duel();
        measure_groups(a->judgement, p, r);
        for (size_t other = r + 1; other < comparison->n_releases; other++) {
            fight(a->judgement, p, r, other, target);
        }
    }
    (void)error;
    return PV_STATUS_OK;
}

/* No more threads than properties; a target per thread, which every property fills anew. */
static pv_status judge_kinds(pv_judgement *judgement, const double *wished,
                             const pv_context *context, pv_error *error)
{
    const pv_comparison *const comparison = judgement->comparison;
    const unsigned most = pv_i_threads(context);
    const size_t threads = comparison->n_properties < most ? comparison->n_properties : most;
    judging a = {judgement, wished, pv_i_array(threads * comparison->n_kinds, sizeof(double))};
    const pv_status status = a.targets != NULL
                                 ? pv_i_tasks_run((unsigned)threads, comparison->n_properties,
                                                  judge_property, &a, NULL, error)
                                 : pv_i_no_memory(error);
    pv_i_free(a.targets);
    return status;
}

/* ------------------------------------------------------------ tournaments */

/* `winners` is scratch of n x n in all three. */
static pv_status hold_by_index(pv_judgement *judgement, pv_winner *winners, pv_error *error)
{
    const size_t n = judgement->comparison->n_releases;
    for (size_t p = 0; p < judgement->comparison->n_properties; p++) {
        for (size_t index = 0; index < PV_INDEX_COUNT; index++) {
            for (size_t i = 0; i < n * n; i++) {
                winners[i] = judgement->duels[p * n * n + i].winner[index];
            }
            PV_TRY(pv_tournament_create(winners, n,
                                        &judgement->by_index[p * PV_INDEX_COUNT + index], error));
        }
    }
    return PV_STATUS_OK;
}

/* A verdict is made once for two releases and seen by the other one: values exchanged, winner
 * turned. So no pair can be judged differently in its two orders. */
static pv_status combine_two(pv_judgement *judgement, size_t combination, size_t a, size_t b,
                             pv_error *error)
{
    const size_t n = judgement->comparison->n_releases;
    pv_verdict_of_two *const verdicts = &judgement->verdicts[combination * n * n];
    pv_verdict_of_two *const verdict = &verdicts[a * n + b];
    PV_TRY(pv_i_combine(judgement->comparison, judgement, a, b,
                        &judgement->combinations[combination], verdict, error));
    verdicts[b * n + a] = (pv_verdict_of_two){
        .first = verdict->second, .second = verdict->first, .winner = pv_i_turned(verdict->winner)};
    return PV_STATUS_OK;
}

static pv_status hold_overall(pv_judgement *judgement, pv_winner *winners, pv_error *error)
{
    const size_t n = judgement->comparison->n_releases;
    for (size_t c = 0; c < judgement->n_combinations; c++) {
        for (size_t a = 0; a < n; a++) {
            for (size_t b = a + 1; b < n; b++) {
                PV_TRY(combine_two(judgement, c, a, b, error));
            }
        }
        for (size_t i = 0; i < n * n; i++) {
            winners[i] = judgement->verdicts[c * n * n + i].winner;
        }
        PV_TRY(pv_tournament_create(winners, n, &judgement->overall[c], error));
    }
    return PV_STATUS_OK;
}

static bool is_suppressed(const pv_vectors *vectors, size_t kind)
{
    return vectors->is_suppressed != NULL && vectors->is_suppressed[kind];
}

/* Sizes are whole numbers that were stored as doubles; rounding only undoes that. If everyone is
 * suppressed, all of them are in one class. */
uint64_t pv_i_least_class(const pv_comparison *comparison, size_t release, size_t sizes)
{
    const pv_vectors *const vectors = comparison->releases[release];
    double least = (double)INFINITY;
    for (size_t kind = 0; kind < comparison->n_kinds; kind++) {
        if (!is_suppressed(vectors, kind)) {
            least = fmin(least, vectors->values[sizes][kind]);
        }
    }
    return isfinite(least) ? (uint64_t)llround(least) : comparison->n_rows;
}

/* The advice on two releases, from the duel of their detail: more than enough is no better. */
static pv_winner advise(uint64_t first_least, uint64_t second_least, uint64_t enough,
                        const pv_duel *detail)
{
    const uint64_t first = first_least < enough ? first_least : enough;
    const uint64_t second = second_least < enough ? second_least : enough;
    if (first != second) {
        return first > second ? PV_FIRST_WINS : PV_SECOND_WINS;
    }
    return detail->winner[PV_INDEX_COV];
}

/* False if some release lacks one of the two properties that the advice is made of. */
static bool take_least(pv_judgement *judgement, size_t sizes, size_t detail)
{
    const pv_comparison *const comparison = judgement->comparison;
    for (size_t r = 0; r < comparison->n_releases; r++) {
        const pv_vectors *const release = comparison->releases[r];
        if (release->values[sizes] == NULL || release->values[detail] == NULL) {
            return false;
        }
        judgement->least[r] = pv_i_least_class(comparison, r, sizes);
    }
    return true;
}

/* Without class-size or glm, or with a release that lacks one of them, there is no advice. */
static pv_status hold_advice(pv_judgement *judgement, pv_winner *winners, pv_error *error)
{
    const pv_comparison *const comparison = judgement->comparison;
    const size_t n = comparison->n_releases;
    const size_t sizes = pv_i_compared_property(comparison, ADVISED_PRIVACY);
    const size_t detail = pv_i_compared_property(comparison, ADVISED_DETAIL);
    if (sizes == SIZE_MAX || detail == SIZE_MAX || !take_least(judgement, sizes, detail)) {
        return PV_STATUS_OK;
    }
    for (size_t i = 0; i < n * n; i++) {
        winners[i] = i / n == i % n
                         ? PV_NOBODY_WINS
                         : advise(judgement->least[i / n], judgement->least[i % n],
                                  judgement->enough, &judgement->duels[detail * n * n + i]);
    }
    return pv_tournament_create(winners, n, &judgement->advice, error);
}

/* ------------------------------------------------------------- the whole */

/* All results at once, zeroed: whatever was made before memory ran out can be freed as it is. */
static bool allocate(pv_judgement *judgement)
{
    const size_t n = judgement->comparison->n_releases;
    const size_t n_properties = judgement->comparison->n_properties;
    const size_t n_people = judgement->comparison->n_people;
    judgement->duels = PV_NEW_ZEROED(pv_duel, n_properties * n * n);
    judgement->by_index = PV_NEW_ZEROED(pv_tournament *, n_properties * PV_INDEX_COUNT);
    judgement->verdicts = PV_NEW_ZEROED(pv_verdict_of_two, judgement->n_combinations * n * n);
    judgement->overall = PV_NEW_ZEROED(pv_tournament *, judgement->n_combinations);
    judgement->everyone = PV_NEW_ZEROED(pv_group_result, n_properties * n);
    judgement->worst = PV_NEW_ZEROED(double, n_properties *n);
    judgement->groups = PV_NEW_ZEROED(pv_group_result, n_people * n_properties * n);
    judgement->least = PV_NEW_ZEROED(uint64_t, n);
    return judgement->duels != NULL && judgement->by_index != NULL && judgement->verdicts != NULL &&
           judgement->overall != NULL && judgement->everyone != NULL && judgement->worst != NULL &&
           judgement->groups != NULL && judgement->least != NULL;
}

/* All tournaments of a judgement, over one scratch table of winners. */
static pv_status hold_tournaments(pv_judgement *judgement, pv_error *error)
{
    const size_t n = judgement->comparison->n_releases;
    pv_winner *const winners = PV_NEW_ZEROED(pv_winner, n * n);
    pv_status status = PV_STATUS_OK;
    if (winners == NULL) {
        return pv_i_no_memory(error);
    }
    PV_TRY_CLEAN(hold_by_index(judgement, winners, error));
    PV_TRY_CLEAN(hold_overall(judgement, winners, error));
    PV_TRY_CLEAN(hold_advice(judgement, winners, error));
cleanup:
    pv_i_free(winners);
    return status;
}

pv_status pv_judgement_create(const pv_comparison *comparison, const pv_judgement_options *options,
                              const pv_context *context, pv_judgement **judgement, pv_error *error)
{
    pv_status status = PV_STATUS_OK;
    pv_judgement_options chosen;
    PV_TRY(PV_TAKE_OPTIONS(chosen, options, error));
    pv_judgement *made = PV_NEW(pv_judgement);
    if (made == NULL) {
        return pv_i_no_memory(error);
    }
    *made = (pv_judgement){.comparison = comparison,
                           .tolerance = chosen.tolerance,
                           .combinations = chosen.combinations,
                           .n_combinations = chosen.n_combinations,
                           .enough = chosen.enough > 0 ? chosen.enough : ENOUGH};
    if (!allocate(made)) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    PV_TRY_CLEAN(judge_kinds(made, chosen.targets, context, error));
    PV_TRY_CLEAN(hold_tournaments(made, error));
    *judgement = made;
    made = NULL;
cleanup:
    pv_judgement_free(made);
    return status;
}

static void free_tournaments(pv_tournament **tournaments, size_t n)
{
    for (size_t i = 0; tournaments != NULL && i < n; i++) {
        pv_tournament_free(tournaments[i]);
    }
    pv_i_free(tournaments);
}

void pv_judgement_free(pv_judgement *judgement)
{
    if (judgement == NULL) {
        return;
    }
    free_tournaments(judgement->by_index, judgement->comparison->n_properties * PV_INDEX_COUNT);
    free_tournaments(judgement->overall, judgement->n_combinations);
    pv_tournament_free(judgement->advice);
    pv_i_free(judgement->duels);
    pv_i_free(judgement->verdicts);
    pv_i_free(judgement->everyone);
    pv_i_free(judgement->worst);
    pv_i_free(judgement->groups);
    pv_i_free(judgement->least);
    pv_i_free(judgement);
}

/* --------------------------------------------------------------- accessors
 *
 * What a field is, is said once, in the public header. */

/* clang-format off */
const pv_comparison *pv_judgement_comparison(const pv_judgement *j) { return j->comparison; }
size_t pv_judgement_n_combinations(const pv_judgement *j) { return j->n_combinations; }
const pv_combination *pv_judgement_combination(const pv_judgement *j, size_t c) { return &j->combinations[c]; }
const pv_tournament *pv_judgement_overall(const pv_judgement *j, size_t c) { return j->overall[c]; }
const pv_tournament *pv_judgement_advice(const pv_judgement *j) { return j->advice; }
uint64_t pv_judgement_enough(const pv_judgement *j) { return j->enough; }
uint64_t pv_judgement_smallest_class(const pv_judgement *j, size_t r) { return j->least[r]; }
/* clang-format on */

double pv_judgement_index(const pv_judgement *judgement, size_t property, pv_index index,
                          size_t first, size_t second)
{
    const double value = pv_i_judgement_duel(judgement, property, first, second)->first[index];
    return index == PV_INDEX_MIN ? pv_comparison_shown(judgement->comparison, property, value)
                                 : value;
}

pv_winner pv_judgement_winner(const pv_judgement *judgement, size_t property, pv_index index,
                              size_t first, size_t second)
{
    return pv_i_judgement_duel(judgement, property, first, second)->winner[index];
}

pv_dominance pv_judgement_dominance(const pv_judgement *judgement, size_t property, size_t first,
                                    size_t second)
{
    return pv_i_judgement_duel(judgement, property, first, second)->dominance;
}

uint64_t pv_judgement_better(const pv_judgement *judgement, size_t property, size_t first,
                             size_t second)
{
    return pv_i_judgement_duel(judgement, property, first, second)->first_better;
}

pv_dominance pv_judgement_dominance_of_all(const pv_judgement *judgement, size_t first,
                                           size_t second)
{
    bool first_better = false;
    bool second_better = false;
    for (size_t p = 0; p < judgement->comparison->n_properties; p++) {
        const pv_duel *const duel = pv_i_judgement_duel(judgement, p, first, second);
        first_better = first_better || duel->first_better > 0;
        second_better = second_better || duel->second_better > 0;
    }
    return pv_i_dominance(first_better, second_better);
}

const pv_tournament *pv_judgement_tournament(const pv_judgement *judgement, size_t property,
                                             pv_index index)
{
    return judgement->by_index[property * PV_INDEX_COUNT + (size_t)index];
}

pv_verdict_of_two pv_judgement_verdict(const pv_judgement *judgement, size_t combination,
                                       size_t first, size_t second)
{
    const size_t n = judgement->comparison->n_releases;
    return judgement->verdicts[(combination * n + first) * n + second];
}

/* Means are stored as vectors have them; shares are the same either way. */
pv_group_result pv_judgement_group(const pv_judgement *judgement, size_t group, size_t property,
                                   size_t release)
{
    const pv_comparison *const c = judgement->comparison;
    pv_group_result result =
        group == PV_EVERYONE
            ? judgement->everyone[property * c->n_releases + release]
            : judgement->groups[(group * c->n_properties + property) * c->n_releases + release];
    result.mean = pv_comparison_shown(c, property, result.mean);
    return result;
}

double pv_judgement_worst(const pv_judgement *judgement, size_t property, size_t release)
{
    const pv_comparison *const c = judgement->comparison;
    return pv_comparison_shown(c, property, judgement->worst[property * c->n_releases + release]);
}
