/* Everyone against everyone: the duels of all releases by all properties, the tournaments they
 * make, and what combinations and the advice say. */
#include "compare/judgement.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/pool.h"

#include <math.h>
#include <string.h>

#define ENOUGH 5
#define ADVISED_PRIVACY "class-size"
#define ADVISED_DETAIL "glm"

size_t pv_i_compared_property(const pv_comparison *comparison, const char *name)
{
    for (size_t p = 0; p < comparison->n_properties; p++) {
        if (strcmp(comparison->properties[p], name) == 0) {
            return p;
        }
    }
    return SIZE_MAX;
}

double pv_i_shown_value(const pv_comparison *comparison, size_t property, double value)
{
    return comparison->less_is_better[property] ? 0.0 - value : value;
}

static size_t duel_place(const pv_comparison *comparison, size_t property, size_t first,
                         size_t second)
{
    return (property * comparison->n_releases + first) * comparison->n_releases + second;
}

const pv_duel *pv_judgement_duel(const pv_judgement *judgement, size_t property, size_t first,
                                 size_t second)
{
    return &judgement->duels[duel_place(judgement->comparison, property, first, second)];
}

char pv_release_letter(size_t release)
{
    return release < 26 ? (char)('A' + release) : '?';
}

size_t pv_tournament_best(const pv_tournament *tournament)
{
    if (tournament->n == 0) {
        return SIZE_MAX;
    }
    const size_t best = tournament->ranking[0];
    for (size_t r = 0; r < tournament->n; r++) {
        if (r != best && tournament->wins[r] >= tournament->wins[best]) {
            return SIZE_MAX;
        }
    }
    return best;
}

/* ------------------------------------------------------------------ duels */

static pv_winner other_winner(pv_winner winner)
{
    return winner == PV_FIRST_WINS    ? PV_SECOND_WINS
           : winner == PV_SECOND_WINS ? PV_FIRST_WINS
                                      : PV_NOBODY_WINS;
}

static pv_dominance other_dominance(pv_dominance dominance)
{
    return dominance == PV_DOMINANCE_FIRST_STRONG    ? PV_DOMINANCE_SECOND_STRONG
           : dominance == PV_DOMINANCE_SECOND_STRONG ? PV_DOMINANCE_FIRST_STRONG
                                                     : dominance;
}

/* The same duel, told by the other one. */
static pv_duel turned(const pv_duel *duel)
{
    pv_duel other = {.n = duel->n,
                     .first_better = duel->second_better,
                     .second_better = duel->first_better,
                     .dominance = other_dominance(duel->dominance)};
    for (size_t i = 0; i < PV_INDEX_COUNT; i++) {
        other.first[i] = duel->second[i];
        other.second[i] = duel->first[i];
        other.winner[i] = other_winner(duel->winner[i]);
    }
    return other;
}

static pv_duel no_duel(void)
{
    pv_duel none = {.dominance = PV_DOMINANCE_NONE};
    for (size_t i = 0; i < PV_INDEX_COUNT; i++) {
        none.first[i] = none.second[i] = (double)NAN;
    }
    return none;
}

/* What fighting takes, and a target of its own for every worker. */
typedef struct {
    pv_judgement *judgement;
    const double *wished; /* per property, or NULL */
    double **targets;
    unsigned threads;
} arena;

/* Of two, the better of both is what a duel takes anyway. */
static bool has_target(const arena *a, size_t property)
{
    return a->judgement->comparison->n_releases > 2 ||
           (a->wished != NULL && !isnan(a->wished[property]));
}

static void take_target(const arena *a, size_t property, double *target)
{
    const pv_comparison *const comparison = a->judgement->comparison;
    if (a->wished == NULL || isnan(a->wished[property])) {
        pv_comparison_best(comparison, property, target);
        return;
    }
    const double wished = pv_i_shown_value(comparison, property, a->wished[property]);
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
    const pv_duel_options options = {
        .people = comparison->n_of_kind, .target = target, .tolerance = judgement->tolerance};
    pv_duel duel = no_duel();
    if (first != NULL && second != NULL) {
        pv_duel_fight(first, second, comparison->n_kinds, &options, &duel);
    }
    judgement->duels[duel_place(comparison, property, a, b)] = duel;
    judgement->duels[duel_place(comparison, property, b, a)] = turned(&duel);
}

static void take_fares(pv_judgement *judgement, size_t property, size_t release)
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
    pv_fare *const everyone = &judgement->everyone[place];
    pv_i_fare_take(values, NULL, c->n_of_kind, n, worst, everyone);
    for (size_t g = 0; g < c->n_people; g++) {
        const pv_people *const people = &c->people[g];
        pv_fare *const fare =
            &judgement->fares[(g * c->n_properties + property) * c->n_releases + release];
        pv_i_fare_take(values, people->kinds, people->n_of_kind, n > 0 ? people->n_kinds : 0, worst,
                       fare);
        fare->is_singled_out = pv_i_fare_is_singled_out(fare, everyone, n > 0 ? people->n_rows : 0);
    }
}

/* Every worker takes its share of the properties: slots of their own, the same for any number. */
static void judge_properties(void *ctx, unsigned worker)
{
    const arena *const a = ctx;
    const pv_comparison *const comparison = a->judgement->comparison;
    for (size_t p = worker; p < comparison->n_properties; p += a->threads) {
        double *const target = has_target(a, p) ? a->targets[worker] : NULL;
        if (target != NULL) {
            take_target(a, p, target);
        }
        for (size_t r = 0; r < comparison->n_releases; r++) {
            a->judgement->duels[duel_place(comparison, p, r, r)] = no_duel();
            take_fares(a->judgement, p, r);
            for (size_t other = r + 1; other < comparison->n_releases; other++) {
                fight(a->judgement, p, r, other, target);
            }
        }
    }
}

static pv_status judge_kinds(pv_judgement *judgement, const double *wished,
                             const pv_context *context, pv_error *error)
{
    const pv_comparison *const comparison = judgement->comparison;
    double *targets[PV_MAX_THREADS] = {NULL};
    arena a = {.judgement = judgement,
               .wished = wished,
               .targets = targets,
               .threads = pv_i_threads(context)};
    pv_status status = PV_STATUS_OK;
    if (a.threads > comparison->n_properties) {
        a.threads = comparison->n_properties > 0 ? (unsigned)comparison->n_properties : 1;
    }
    for (unsigned t = 0; t < a.threads; t++) {
        targets[t] = PV_NEW_ARRAY(double, comparison->n_kinds);
        if (targets[t] == NULL) {
            status = pv_i_no_memory(error);
            goto cleanup;
        }
    }
    pv_i_pool_run(a.threads, judge_properties, &a);
cleanup:
    for (unsigned t = 0; t < a.threads; t++) {
        pv_i_free(targets[t]);
    }
    return status;
}

/* ------------------------------------------------------------ tournaments */

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

static pv_status combine_two(pv_judgement *judgement, size_t combination, size_t a, size_t b,
                             pv_error *error)
{
    const size_t n = judgement->comparison->n_releases;
    pv_verdict_of_two *const verdicts = &judgement->verdicts[combination * n * n];
    pv_verdict_of_two *const verdict = &verdicts[a * n + b];
    PV_TRY(pv_i_combine_judged(judgement, a, b, &judgement->combinations[combination], verdict,
                               error));
    verdicts[b * n + a] = (pv_verdict_of_two){.first = verdict->second,
                                              .second = verdict->first,
                                              .winner = other_winner(verdict->winner)};
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
                         : pv_i_advise(judgement->least[i / n], judgement->least[i % n],
                                       judgement->enough, &judgement->duels[detail * n * n + i]);
    }
    return pv_tournament_create(winners, n, &judgement->advice, error);
}

/* ------------------------------------------------------------- the whole */

static bool make_room(pv_judgement *judgement)
{
    const size_t n = judgement->comparison->n_releases;
    const size_t n_properties = judgement->comparison->n_properties;
    const size_t n_people = judgement->comparison->n_people;
    judgement->duels = PV_NEW_ZEROED(pv_duel, n_properties * n * n);
    judgement->by_index = PV_NEW_ZEROED(pv_tournament *, n_properties * PV_INDEX_COUNT);
    judgement->verdicts = PV_NEW_ZEROED(pv_verdict_of_two, judgement->n_combinations * n * n);
    judgement->overall = PV_NEW_ZEROED(pv_tournament *, judgement->n_combinations);
    judgement->everyone = PV_NEW_ZEROED(pv_fare, n_properties * n);
    judgement->worst = PV_NEW_ZEROED(double, n_properties *n);
    judgement->fares = PV_NEW_ZEROED(pv_fare, n_people * n_properties * n);
    judgement->least = PV_NEW_ZEROED(uint64_t, n);
    return judgement->duels != NULL && judgement->by_index != NULL && judgement->verdicts != NULL &&
           judgement->overall != NULL && judgement->everyone != NULL && judgement->worst != NULL &&
           judgement->fares != NULL && judgement->least != NULL;
}

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
    pv_judgement *made = PV_NEW(pv_judgement);
    if (made == NULL) {
        return pv_i_no_memory(error);
    }
    made->comparison = comparison;
    made->enough = options != NULL && options->enough > 0 ? options->enough : ENOUGH;
    if (options != NULL) {
        made->tolerance = options->tolerance;
        made->combinations = options->combinations;
        made->n_combinations = options->n_combinations;
    }
    if (!make_room(made)) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    PV_TRY_CLEAN(judge_kinds(made, options != NULL ? options->targets : NULL, context, error));
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
    pv_i_free(judgement->fares);
    pv_i_free(judgement->least);
    pv_i_free(judgement);
}
