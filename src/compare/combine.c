/* Several properties at once: what a combination of judgements says of two releases, and the
 * judgement in words: which release to publish, and by which rule.
 *
 *     wtd   weighted shares: cov as it is; of the others what one side has of what both have
 *     lex   the first property that a side wins by more than its tolerance
 *     goal  squared distances of the indices from what was wished for
 *
 * Volumes (hv) are known by their logarithms: lex and goal take these; wtd needs only the ratio,
 * 1 / (1 + e^(second - first)). Whatever is computed from an index, a tie of the index stays a tie:
 * rounding must not decide it.
 *
 *     class-size:cov=0.5, glm:spr=0.5         a term is a property, an index and an amount
 *         |               |
 *     outcomes of duels: first, second, winner                       one per term
 *         |               |
 *     0.7 / 0.4       0.2 / 0.8       wtd: shares    lex: the term won first    goal: distances
 *         |               |
 *     verdict: first, second, winner
 *
 * The three are those of Dewri, Ray, Ray, Whitley: on the comparison of microdata disclosure
 * control algorithms. Nothing here looks at people: only the indices of duels count. */
#include "base/buffer.h"
#include "base/error.h"
#include "base/markup.h"
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

/* Of two numbers of 0 or more. */
static double share(double first, double second)
{
    const double both = first + second;
    return both > 0 ? first / both : 0.5;
}

/* One side's part of what both have, 0..1; of nothing each has half. */
static double normalised(pv_index index, double mine, double other)
{
    switch (index) {
    case PV_INDEX_MIN:
        /* The worst off may have negative values, where less is better: then what the other lacks
         * counts. Between a positive and a negative value there is nothing to share. */
        return mine >= 0 && other >= 0   ? share(mine, other)
               : mine <= 0 && other <= 0 ? share(-other, -mine)
               : mine > other            ? 1
                                         : 0;
    case PV_INDEX_RANK: return share(other, mine); /* a distance: less is better */
    case PV_INDEX_SPR: return share(mine, other);
    case PV_INDEX_HV: /* from the logarithms; both are infinite if neither has a volume */
        return isinf(mine) && isinf(other) ? 0.5 : 1 / (1 + exp(other - mine));
    case PV_INDEX_COV:
    default: return mine; /* it is a share already */
    }
}

/* Weights need not sum to 1: they are divided by their sum. */
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

/* lex: the number of the first term that this side wins by more than its tolerance, from 1; one
 * more than there are if it wins none. The side with the smaller number wins. */
static double first_won(const pv_combination *combination, const outcome *j, pv_winner by)
{
    for (size_t i = 0; i < combination->n_terms; i++) {
        const pv_term *const term = &combination->terms[i];
        const double size = fmax(fabs(j[i].first), fabs(j[i].second));
        const double rounding = isfinite(size) ? PV_ROUNDING * size : 0;
        const bool is_clear =
            !(term->tolerance > 0) || fabs(lead(term->index, &j[i])) > term->tolerance + rounding;
        if (is_clear && j[i].winner == by) {
            return (double)(i + 1);
        }
    }
    return (double)(combination->n_terms + 1);
}

/* goal: squared distances, summed without weights. Goals for the worst off are as people see them:
 * 0.2 where vectors have -0.2. */
static void miss(const pv_comparison *comparison, const pv_combination *combination,
                 const outcome *j, pv_verdict_of_two *v)
{
    for (size_t i = 0; i < combination->n_terms; i++) {
        const pv_term *const term = &combination->terms[i];
        const bool turned =
            term->index == PV_INDEX_MIN && comparison->less_is_better[term->property];
        const double goal = turned ? -term->goal : term->goal;
        v->first += (j[i].first - goal) * (j[i].first - goal);
        v->second += (j[i].second - goal) * (j[i].second - goal);
    }
}

/* ------------------------------------------------------------------ errors */

/* Everything that could make a verdict meaningless, before anything is fought. */
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
        const pv_term *const term = &combination->terms[i];
        if (term->property >= comparison->n_properties || (size_t)term->index >= PV_INDEX_COUNT) {
            return pv_i_fail(error, PV_STATUS_ARGUMENT,
                             "a combination asks for a property or an index that there is not");
        }
        const char *const property = comparison->properties[term->property];
        if (comparison->releases[first]->values[term->property] == NULL ||
            comparison->releases[second]->values[term->property] == NULL) {
            return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                       "not every release to compare has the property '%s'",
                                       property),
                             error, "combine properties that all of them have");
        }
        const bool wtd = combination->kind == PV_COMBINE_WTD;
        if ((wtd && !(term->weight >= 0 && isfinite(term->weight))) ||
            (combination->kind == PV_COMBINE_LEX && !(term->tolerance >= 0))) {
            return pv_i_fail(error, PV_STATUS_ARGUMENT,
                             "the %s of '%s' must be a number of 0 or more",
                             wtd ? "weight" : "tolerance", property);
        }
        if (combination->kind == PV_COMBINE_GOAL && !isfinite(term->goal)) {
            return pv_i_fail(error, PV_STATUS_ARGUMENT, "the goal of '%s' must be a number",
                             property);
        }
    }
    const double sum = sum_of_weights(combination);
    if (combination->kind == PV_COMBINE_WTD && !(sum > 0 && isfinite(sum))) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT, "the weights sum to nothing"), error,
                         "give at least one property a weight above 0");
    }
    return PV_STATUS_OK;
}

/* ----------------------------------------------------------------- verdicts */

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
    pv_verdict_of_two v = {0};
    const bool more_wins = combination->kind == PV_COMBINE_WTD; /* of lex and goal less */
    if (more_wins) {
        weigh(combination, outcomes, &v);
    } else if (combination->kind == PV_COMBINE_LEX) {
        v.first = first_won(combination, outcomes, PV_FIRST_WINS);
        v.second = first_won(combination, outcomes, PV_SECOND_WINS);
    } else {
        miss(comparison, combination, outcomes, &v);
    }
    v.winner = pv_i_exceeds(v.first, v.second)   ? more_wins ? PV_FIRST_WINS : PV_SECOND_WINS
               : pv_i_exceeds(v.second, v.first) ? more_wins ? PV_SECOND_WINS : PV_FIRST_WINS
                                                 : PV_NOBODY_WINS;
    *verdict = v;
cleanup:
    pv_i_free(outcomes);
    return status;
}

/* For programs that hold no judgement: fights the duels it needs. */
pv_status pv_combine(const pv_comparison *comparison, size_t first, size_t second,
                     const pv_combination *combination, pv_verdict_of_two *verdict, pv_error *error)
{
    return pv_i_combine(comparison, NULL, first, second, combination, verdict, error);
}

/* ================================================================= in words */

char pv_release_letter(size_t release)
{
    return release < 26 ? (char)('A' + release) : '?';
}

/* "B (gentle.csv)". */
static void name(pv_buffer *out, const pv_comparison *comparison, size_t release)
{
    pv_i_buffer_format(out, "%c (%s)", pv_release_letter(release),
                       comparison->releases[release]->name);
}

/* "A, B and D". */
static void letters(pv_buffer *out, const size_t *releases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        pv_i_buffer_text(out, i == 0 ? "" : i + 1 < n ? ", " : " and ");
        pv_i_buffer_char(out, pv_release_letter(releases[i]));
    }
}

/* --------------------------------------------------------------- the rule */

static void rule_text(pv_buffer *out, const pv_comparison *comparison,
                      const pv_combination *combination)
{
    static const char *const begins[PV_COMBINE_COUNT] = {
        [PV_COMBINE_WTD] = "weighing ",
        [PV_COMBINE_LEX] = "first ",
        [PV_COMBINE_GOAL] = "coming nearest to goals for ",
    };
    pv_i_buffer_text(out, begins[combination->kind]);
    for (size_t i = 0; i < combination->n_terms; i++) {
        pv_i_buffer_text(out, i == 0                                ? ""
                              : combination->kind == PV_COMBINE_LEX ? ", then "
                              : i + 1 < combination->n_terms        ? ", "
                                                                    : " and ");
        const pv_term *const term = &combination->terms[i];
        pv_i_buffer_format(out, "%s by %s", comparison->properties[term->property],
                           pv_index_name(term->index));
        if (combination->kind == PV_COMBINE_WTD) {
            pv_i_buffer_format(out, " (weight %s)", PV_SHORT(term->weight, 4));
        } else if (combination->kind == PV_COMBINE_GOAL) {
            pv_i_buffer_format(out, " (goal %s)", PV_SHORT(term->goal, 4));
        } else if (term->tolerance > 0.0) {
            pv_i_buffer_format(out, " (up to %s counts as equal)", PV_SHORT(term->tolerance, 4));
        }
    }
}

pv_status pv_combination_text(const pv_comparison *comparison, const pv_combination *combination,
                              char **text, pv_error *error)
{
    pv_buffer out = {0};
    rule_text(&out, comparison, combination);
    return pv_i_buffer_take(&out, text, error);
}

/* ------------------------------------------------------------ the sentence */

/* Nobody is best: they beat each other in a circle, or the first ones have equally many wins. */
static void undecided_text(pv_buffer *out, const pv_tournament *tournament)
{
    if (tournament->cycle != NULL) {
        pv_i_buffer_text(out, "There is no best one: ");
        letters(out, tournament->cycle, tournament->n_cycle);
        pv_i_buffer_text(out, " beat each other in a circle.");
        return;
    }
    size_t n_best = 0;
    while (n_best < tournament->n && tournament->wins[tournament->ranking[n_best]] ==
                                         tournament->wins[tournament->ranking[0]]) {
        n_best++;
    }
    pv_i_buffer_text(out, "There is no best one: ");
    letters(out, tournament->ranking, n_best);
    pv_i_buffer_text(out, " are equal.");
}

/* Of several combinations the first decides; its rule is said, so that nobody has to guess it. */
static void combined_text(pv_buffer *out, const pv_judgement *judgement)
{
    const pv_tournament *const tournament = judgement->overall[0];
    const size_t best = pv_tournament_best(tournament);
    if (best == SIZE_MAX) {
        undecided_text(out, tournament);
    } else {
        pv_i_buffer_text(out, "Publish ");
        name(out, judgement->comparison, best);
        pv_i_buffer_text(out, tournament->wins[best] + 1 == tournament->n
                                  ? tournament->n == 2 ? ": it beats the other."
                                                       : ": it beats all others."
                                  : ": it beats more of the others than any other does.");
    }
    pv_i_buffer_text(out, " The rule: ");
    rule_text(out, judgement->comparison, &judgement->combinations[0]);
    pv_i_buffer_char(out, '.');
}

/* Without a combination: enough people first, then detail. Where no release hides everyone among
 * enough people, none is recommended, and the nearest is named. */
static void advice_text(pv_buffer *out, const pv_judgement *judgement)
{
    const size_t best = pv_tournament_best(judgement->advice);
    const pv_number_text people = pv_i_count_text(judgement->enough);
    size_t n_enough = 0; /* releases that hide everyone */
    for (size_t r = 0; r < judgement->comparison->n_releases; r++) {
        n_enough += judgement->least[r] >= judgement->enough;
    }
    if (best == SIZE_MAX) {
        undecided_text(out, judgement->advice);
    } else if (n_enough == 0) {
        pv_i_buffer_format(out,
                           "Rather not publish any of them: none hides everyone among %s people. ",
                           people.text);
        name(out, judgement->comparison, best);
        pv_i_buffer_format(out, " comes nearest, its smallest class has %s.",
                           PV_COUNT(judgement->least[best]));
    } else {
        pv_i_buffer_text(out, "Publish ");
        name(out, judgement->comparison, best);
        if (n_enough == 1) {
            pv_i_buffer_format(out,
                               ": only there is everyone among at least %s people who look alike.",
                               people.text);
        } else {
            pv_i_buffer_format(out,
                               ": of the %zu in which everyone is among at least %s people who "
                               "look alike, it keeps more detail for more people.",
                               n_enough, people.text);
        }
    }
    pv_i_buffer_format(out,
                       " The rule: whoever is not suppressed should be among at least %s people "
                       "(class-size); then what keeps more detail (glm) for more people is better.",
                       people.text);
}

/* k does not help them: everyone in their class has the same sensitive value, so whoever finds the
 * class knows it. */
uint64_t pv_i_given_away(const pv_comparison *comparison, size_t release, size_t distinct)
{
    const pv_vectors *const vectors = comparison->releases[release];
    uint64_t n = 0;
    for (size_t kind = 0; kind < comparison->n_kinds; kind++) {
        /* With 0 all of them are missing: there is nothing to give away. */
        const double n_values = vectors->values[distinct][kind];
        if (n_values > 0 && n_values <= 1.0 &&
            !(vectors->is_suppressed != NULL && vectors->is_suppressed[kind])) {
            n += comparison->n_of_kind != NULL ? comparison->n_of_kind[kind] : 1;
        }
    }
    return n;
}

/* One sensitive value in a class gives it away of everyone in it, however many they are. */
static void caution_text(pv_buffer *out, const pv_comparison *comparison, size_t release)
{
    const pv_vectors *const vectors = comparison->releases[release];
    const size_t distinct = pv_i_compared_property(comparison, "distinct");
    if (distinct == SIZE_MAX || vectors->values[distinct] == NULL) {
        return;
    }
    const uint64_t n = pv_i_given_away(comparison, release, distinct);
    if (n == 0) {
        return;
    }
    pv_i_buffer_format(out,
                       " Beware of %c: %s %s their sensitive value with all of their class, which "
                       "gives it away.",
                       pv_release_letter(release), PV_COUNT(n),
                       n == 1 ? "person shares" : "people share");
}

/* The advice, and after it a caution for every release that gives sensitive values away. */
pv_status pv_judgement_text(const pv_judgement *judgement, char **text, pv_error *error)
{
    pv_buffer out = {0};
    if (judgement->n_combinations > 0) {
        combined_text(&out, judgement);
    } else if (judgement->advice != NULL) {
        advice_text(&out, judgement);
    } else {
        pv_i_buffer_text(&out, "There is no advice without class-size and glm, or a combination of "
                               "what was compared.");
    }
    for (size_t r = 0; r < judgement->comparison->n_releases; r++) {
        caution_text(&out, judgement->comparison, r);
    }
    return pv_i_buffer_take(&out, text, error);
}
