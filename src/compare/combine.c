/* Several properties at once: what a combination of judgements says of two releases.
 *
 *     wtd   weighted shares: cov as it is; of the others what one side has of what both have
 *     lex   the first property that a side wins by more than its tolerance
 *     goal  squared distances of the indices from what was wished for
 *
 * Volumes (hv) are known by their logarithms: lex and goal take these; wtd needs only the ratio,
 * 1 / (1 + e^(second - first)). Whatever is computed from an index, a tie of the index stays a tie:
 * rounding must not decide it. */
#include "base/error.h"
#include "base/memory.h"
#include "compare/judgement.h"

#include <assert.h>
#include <string.h>

/* -------------------------------------------------------------------- names */

static const struct {
    const char *name, *summary;
} indices[] = {
    [PV_INDEX_MIN] = {"min", "the value of the person worst off"},
    [PV_INDEX_RANK] =
        {"rank", "distance from the best everyone has anywhere, or from a target; less is better"},
    [PV_INDEX_COV] = {"cov", "share of people at least as well off as in the other"},
    [PV_INDEX_SPR] = {"spr", "how much better off, summed over the people who are"},
    [PV_INDEX_HV] = {"hv", "volume of what is worse than this one only, by its logarithm; - if "
                           "there is none, as where less is better"},
};
static_assert(sizeof indices / sizeof *indices == PV_INDEX_COUNT, "every index has a name");

static const char *const combinations[] = {
    [PV_COMBINE_WTD] = "wtd",
    [PV_COMBINE_LEX] = "lex",
    [PV_COMBINE_GOAL] = "goal",
};
static_assert(sizeof combinations / sizeof *combinations == PV_COMBINE_COUNT,
              "every combination has a name");

const char *pv_index_name(pv_index index)
{
    return indices[index].name;
}

const char *pv_index_summary(pv_index index)
{
    return indices[index].summary;
}

bool pv_index_parse(const char *name, pv_index *index)
{
    for (size_t i = 0; i < PV_INDEX_COUNT; i++) {
        if (strcmp(name, indices[i].name) == 0) {
            *index = (pv_index)i;
            return true;
        }
    }
    return false;
}

const char *pv_combination_name(pv_combination_kind kind)
{
    return combinations[kind];
}

bool pv_combination_parse(const char *name, pv_combination_kind *kind)
{
    for (size_t i = 0; i < PV_COMBINE_COUNT; i++) {
        if (strcmp(name, combinations[i]) == 0) {
            *kind = (pv_combination_kind)i;
            return true;
        }
    }
    return false;
}

/* -------------------------------------------------------------------- terms */

/* What two releases have of a term. */
typedef struct {
    double first, second; /* the index, as the duel gives it */
    pv_winner winner;
} outcome;

/* Ranks are distances from the best in any release; between two the duel finds it by itself. */
static pv_status fight(const pv_comparison *comparison, size_t first, size_t second,
                       const pv_term *term, pv_duel *duel, pv_error *error)
{
    double *target = NULL;
    if (term->index == PV_INDEX_RANK && comparison->n_releases > 2) {
        target = PV_NEW_ARRAY(double, comparison->n_kinds);
        if (target == NULL) {
            return pv_i_no_memory(error);
        }
        pv_comparison_best(comparison, term->property, target);
    }
    pv_duel_fight(comparison->releases[first]->values[term->property],
                  comparison->releases[second]->values[term->property], comparison->n_kinds,
                  comparison->n_of_kind, target, 0, duel);
    pv_i_free(target);
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

/* wtd: each term gives both sides a number of 0..1, the weights are made to sum to 1, so the
 * verdict is within 0..1, too. Where the index has no winner both get the mean of the two: shares
 * computed from values that differ by rounding only must not decide. */
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

/* lex: the number of the first term that this side wins clearly, from 1; one more than there are if
 * it wins none. The side with the smaller number wins. */
static size_t first_won(const pv_combination *combination, const outcome *j, pv_winner by)
{
    size_t i = 0;
    while (i < combination->n_terms && wins_clearly(&combination->terms[i], &j[i]) != by) {
        i++;
    }
    return i + 1;
}

/* goal: squared distances, summed without weights. */
static void miss(const pv_comparison *comparison, const pv_combination *combination,
                 const outcome *j, pv_verdict_of_two *v)
{
    for (size_t i = 0; i < combination->n_terms; i++) {
        const pv_term *const term = &combination->terms[i];
        /* Goals for the worst off are as people see them: 0.2 where vectors have -0.2. */
        const double goal =
            term->index == PV_INDEX_MIN && comparison->less_is_better[term->property] ? -term->goal
                                                                                      : term->goal;
        v->first += (j[i].first - goal) * (j[i].first - goal);
        v->second += (j[i].second - goal) * (j[i].second - goal);
    }
}

/* ------------------------------------------------------------------ errors */

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
    if (comparison->releases[first]->values[term->property] == NULL ||
        comparison->releases[second]->values[term->property] == NULL) {
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

/* Of wtd more wins, of lex and goal less. */
static pv_verdict_of_two decide(const pv_comparison *comparison, const pv_combination *combination,
                                const outcome *j)
{
    pv_verdict_of_two v = {0};
    if (combination->kind == PV_COMBINE_WTD) {
        weigh(combination, j, &v);
    } else if (combination->kind == PV_COMBINE_LEX) {
        v.first = (double)first_won(combination, j, PV_FIRST_WINS);
        v.second = (double)first_won(combination, j, PV_SECOND_WINS);
    } else {
        miss(comparison, combination, j, &v);
    }
    const bool more_wins = combination->kind == PV_COMBINE_WTD;
    v.winner = pv_i_exceeds(v.first, v.second)   ? more_wins ? PV_FIRST_WINS : PV_SECOND_WINS
               : pv_i_exceeds(v.second, v.first) ? more_wins ? PV_SECOND_WINS : PV_FIRST_WINS
                                                 : PV_NOBODY_WINS;
    return v;
}

pv_status pv_i_combine(const pv_comparison *comparison, const pv_judgement *judgement, size_t first,
                       size_t second, const pv_combination *combination, pv_verdict_of_two *verdict,
                       pv_error *error)
{
    pv_status status = PV_STATUS_OK;
    PV_TRY(check(comparison, first, second, combination, error));
    outcome *const outcomes = PV_NEW_ARRAY(outcome, combination->n_terms);
    if (outcomes == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < combination->n_terms; i++) {
        const pv_term *const term = &combination->terms[i];
        pv_duel duel;
        if (judgement != NULL) {
            duel = *pv_i_judgement_duel(judgement, term->property, first, second);
        } else {
            PV_TRY_CLEAN(fight(comparison, first, second, term, &duel, error));
        }
        outcomes[i] =
            (outcome){duel.first[term->index], duel.second[term->index], duel.winner[term->index]};
    }
    *verdict = decide(comparison, combination, outcomes);
cleanup:
    pv_i_free(outcomes);
    return status;
}

pv_status pv_combine(const pv_comparison *comparison, size_t first, size_t second,
                     const pv_combination *combination, pv_verdict_of_two *verdict, pv_error *error)
{
    return pv_i_combine(comparison, NULL, first, second, combination, verdict, error);
}
