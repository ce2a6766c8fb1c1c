/* Several properties at once: what a combination of judgements says of two releases.
 *
 *     wtd   weighted shares: cov as it is; of the others what one side has of what both have
 *     lex   the first property that a side wins by more than its tolerance
 *     goal  squared distances of the indices from what was wished for
 *
 * Volumes (hv) are known by their logarithms: lex and goal take these; wtd needs only the ratio. */
#include "base/error.h"
#include "base/memory.h"
#include "compare/judgement.h"
#include "compare/rounding.h"

/* -------------------------------------------------------------------- terms */

/* What two releases have of a term. */
typedef struct {
    double first, second; /* the index, as the duel gives it */
    pv_winner winner;
} outcome;

/* Two releases, and where their duels have been fought already. */
typedef struct {
    const pv_comparison *comparison;
    size_t first, second;
    const pv_judgement *judgement; /* NULL = nowhere */
} rivals;

void pv_comparison_best(const pv_comparison *comparison, size_t property, double *best)
{
    for (size_t kind = 0; kind < comparison->n_kinds; kind++) {
        best[kind] = -HUGE_VAL;
    }
    for (size_t i = 0; i < comparison->n_releases; i++) {
        const double *const values = comparison->releases[i]->values[property];
        for (size_t kind = 0; values && kind < comparison->n_kinds; kind++) {
            best[kind] = values[kind] > best[kind] ? values[kind] : best[kind];
        }
    }
}

/* Between two releases the duel knows the best of everyone by itself. */
static bool needs_target(const pv_comparison *comparison, pv_index index)
{
    return index == PV_INDEX_RANK && comparison->n_releases > 2;
}

static pv_status fight(const rivals *r, const pv_term *term, pv_duel *duel, pv_error *error)
{
    const pv_comparison *const comparison = r->comparison;
    pv_duel_options options = {.people = comparison->n_of_kind};
    double *target = NULL;
    if (needs_target(comparison, term->index)) {
        target = PV_NEW_ARRAY(double, comparison->n_kinds);
        if (!target) {
            return pv_i_no_memory(error);
        }
        pv_comparison_best(comparison, term->property, target);
        options.target = target;
    }
    pv_duel_fight(comparison->releases[r->first]->values[term->property],
                  comparison->releases[r->second]->values[term->property], comparison->n_kinds,
                  &options, duel);
    pv_i_free(target);
    return PV_STATUS_OK;
}

static pv_status judge(const rivals *r, const pv_term *term, outcome *o, pv_error *error)
{
    pv_duel duel;
    if (r->judgement) {
        duel = *pv_judgement_duel(r->judgement, term->property, r->first, r->second);
    } else {
        PV_TRY(fight(r, term, &duel, error));
    }
    *o = (outcome){duel.first[term->index], duel.second[term->index], duel.winner[term->index]};
    return PV_STATUS_OK;
}

/* ---------------------------------------------------------------------- wtd */

/* What the first has of what both have; of nothing each has half. */
static double share(double first, double second)
{
    const double both = first + second;
    return both > 0 ? first / both : 0.5;
}

/* The worst off may have negative values, where less is better: then what the other lacks counts.
 * Between a positive and a negative value there is nothing to share. */
static double share_of_least(double first, double second)
{
    return first >= 0 && second >= 0   ? share(first, second)
           : first <= 0 && second <= 0 ? share(-second, -first)
           : first > second            ? 1
                                       : 0;
}

static double share_of_volume(double first, double second)
{
    const bool neither = isinf(first) && isinf(second);
    return neither ? 0.5 : 1 / (1 + exp(second - first));
}

static double normalised(pv_index index, double mine, double other)
{
    switch (index) {
    case PV_INDEX_MIN: return share_of_least(mine, other);
    case PV_INDEX_RANK: return share(other, mine);
    case PV_INDEX_SPR: return share(mine, other);
    case PV_INDEX_HV: return share_of_volume(mine, other);
    case PV_INDEX_COV:
    default: return mine; /* it is a share already */
    }
}

static double sum_of_weights(const pv_combination *combination)
{
    double sum = 0;
    for (size_t i = 0; i < combination->n_terms; i++) {
        sum += combination->terms[i].weight;
    }
    return sum;
}

static void weigh(const pv_combination *combination, const outcome *j, pv_verdict_of_two *v)
{
    const double sum = sum_of_weights(combination);
    for (size_t i = 0; i < combination->n_terms; i++) {
        const pv_term *const term = &combination->terms[i];
        const double first = normalised(term->index, j[i].first, j[i].second);
        const double second = normalised(term->index, j[i].second, j[i].first);
        const bool tie = j[i].winner == PV_NOBODY_WINS; /* and no rounding may say otherwise */
        const double both = (first + second) / 2;
        v->first += term->weight / sum * (tie ? both : first);
        v->second += term->weight / sum * (tie ? both : second);
    }
}

/* ---------------------------------------------------------------- lex, goal */

/* By how much the first is ahead, where more is better. Two volumes of 0 are no way apart. */
static double lead(pv_index index, const outcome *j)
{
    if (index == PV_INDEX_HV && isinf(j->first) && isinf(j->second)) {
        return 0;
    }
    return index == PV_INDEX_RANK ? j->second - j->first : j->first - j->second;
}

/* Who wins a property by more than its tolerance? */
static pv_winner wins_clearly(const pv_term *term, const outcome *j)
{
    const double size = fmax(fabs(j->first), fabs(j->second));
    const double rounding = isfinite(size) ? PV_ROUNDING * size : 0;
    const bool is_clear =
        !(term->tolerance > 0) || fabs(lead(term->index, j)) > term->tolerance + rounding;
    return is_clear ? j->winner : PV_NOBODY_WINS;
}

static size_t first_won(const pv_combination *combination, const outcome *j, pv_winner by)
{
    size_t i = 0;
    while (i < combination->n_terms && wins_clearly(&combination->terms[i], &j[i]) != by) {
        i++;
    }
    return i + 1;
}

static void order(const pv_combination *combination, const outcome *j, pv_verdict_of_two *v)
{
    v->first = (double)first_won(combination, j, PV_FIRST_WINS);
    v->second = (double)first_won(combination, j, PV_SECOND_WINS);
}

/* Goals for the worst off are as people see them, who are shown 0.2 where vectors have -0.2. */
static double goal_of(const pv_comparison *comparison, const pv_term *term)
{
    const bool negated = term->index == PV_INDEX_MIN && comparison->less_is_better[term->property];
    return negated ? -term->goal : term->goal;
}

static void miss(const pv_comparison *comparison, const pv_combination *combination,
                 const outcome *j, pv_verdict_of_two *v)
{
    for (size_t i = 0; i < combination->n_terms; i++) {
        const double goal = goal_of(comparison, &combination->terms[i]);
        v->first += (j[i].first - goal) * (j[i].first - goal);
        v->second += (j[i].second - goal) * (j[i].second - goal);
    }
}

/* ------------------------------------------------------------------ errors */

static bool is_known(const pv_comparison *comparison, size_t first, size_t second,
                     const pv_term *term)
{
    return comparison->releases[first]->values[term->property] &&
           comparison->releases[second]->values[term->property];
}

static pv_status check_numbers(const char *property, pv_combination_kind kind, const pv_term *term,
                               pv_error *error)
{
    if (kind == PV_COMBINE_WTD && !(term->weight >= 0 && isfinite(term->weight))) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT,
                         "the weight of '%s' must be a number of 0 or more", property);
    }
    if (kind == PV_COMBINE_LEX && !(term->tolerance >= 0)) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT,
                         "the tolerance of '%s' must be a number of 0 or more", property);
    }
    if (kind == PV_COMBINE_GOAL && !isfinite(term->goal)) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "the goal of '%s' must be a number", property);
    }
    return PV_STATUS_OK;
}

static pv_status check_term(const pv_comparison *comparison, size_t first, size_t second,
                            const pv_combination *combination, const pv_term *term, pv_error *error)
{
    if (term->property >= comparison->n_properties || (size_t)term->index >= PV_INDEX_COUNT) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT,
                         "a combination asks for a property or an index that there is not");
    }
    const char *const property = comparison->properties[term->property];
    if (!is_known(comparison, first, second, term)) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                   "not every release to compare has the property '%s'", property),
                         error, "combine properties that all of them have");
    }
    return check_numbers(property, combination->kind, term, error);
}

static pv_status check(const pv_comparison *comparison, size_t first, size_t second,
                       const pv_combination *combination, pv_error *error)
{
    if (first >= comparison->n_releases || second >= comparison->n_releases) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "there is no such release to compare");
    }
    if (combination->n_terms == 0 || (size_t)combination->kind >= PV_COMBINE_COUNT) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT, "a combination without properties"),
                         error,
                         "name at least one property with its index, such as class-size:cov");
    }
    for (size_t i = 0; i < combination->n_terms; i++) {
        PV_TRY(check_term(comparison, first, second, combination, &combination->terms[i], error));
    }
    const double sum = sum_of_weights(combination);
    if (combination->kind == PV_COMBINE_WTD && !(sum > 0 && isfinite(sum))) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT, "the weights sum to nothing"), error,
                         "give at least one property a weight above 0");
    }
    return PV_STATUS_OK;
}

/* ----------------------------------------------------------------- verdicts */

static pv_verdict_of_two decide(const pv_comparison *comparison, const pv_combination *combination,
                                const outcome *j)
{
    pv_verdict_of_two v = {0};
    if (combination->kind == PV_COMBINE_WTD) {
        weigh(combination, j, &v);
    } else if (combination->kind == PV_COMBINE_LEX) {
        order(combination, j, &v);
    } else {
        miss(comparison, combination, j, &v);
    }
    const bool more_wins = combination->kind == PV_COMBINE_WTD;
    v.winner = pv_i_exceeds(v.first, v.second)   ? more_wins ? PV_FIRST_WINS : PV_SECOND_WINS
               : pv_i_exceeds(v.second, v.first) ? more_wins ? PV_SECOND_WINS : PV_FIRST_WINS
                                                 : PV_NOBODY_WINS;
    return v;
}

static pv_status combine(const rivals *r, const pv_combination *combination,
                         pv_verdict_of_two *verdict, pv_error *error)
{
    pv_status status = PV_STATUS_OK;
    PV_TRY(check(r->comparison, r->first, r->second, combination, error));
    outcome *const outcomes = PV_NEW_ARRAY(outcome, combination->n_terms);
    if (!outcomes) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < combination->n_terms; i++) {
        PV_TRY_CLEAN(judge(r, &combination->terms[i], &outcomes[i], error));
    }
    *verdict = decide(r->comparison, combination, outcomes);
cleanup:
    pv_i_free(outcomes);
    return status;
}

pv_status pv_combine(const pv_comparison *comparison, size_t first, size_t second,
                     const pv_combination *combination, pv_verdict_of_two *verdict, pv_error *error)
{
    const rivals r = {.comparison = comparison, .first = first, .second = second};
    return combine(&r, combination, verdict, error);
}

pv_status pv_i_combine_judged(const pv_judgement *judgement, size_t first, size_t second,
                              const pv_combination *combination, pv_verdict_of_two *verdict,
                              pv_error *error)
{
    const rivals r = {.comparison = judgement->comparison,
                      .first = first,
                      .second = second,
                      .judgement = judgement};
    return combine(&r, combination, verdict, error);
}
