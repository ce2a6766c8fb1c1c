/* The judgement in words: which release to publish, and by which rule. */
#include "compare/judgement.h"

#include "base/buffer.h"
#include "base/markup.h"

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

static void letters(pv_buffer *out, const size_t *releases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        pv_i_buffer_text(out, i == 0 ? "" : i + 1 < n ? ", " : " and ");
        pv_i_buffer_char(out, pv_release_letter(releases[i]));
    }
}

/* --------------------------------------------------------------- the rule */

static void term_text(pv_buffer *out, const pv_comparison *comparison, pv_combination_kind kind,
                      const pv_term *term)
{
    pv_i_buffer_format(out, "%s by %s", comparison->properties[term->property],
                       pv_index_name(term->index));
    if (kind == PV_COMBINE_WTD) {
        pv_i_buffer_format(out, " (weight %s)", PV_SHORT(term->weight, 4));
    } else if (kind == PV_COMBINE_GOAL) {
        pv_i_buffer_format(out, " (goal %s)", PV_SHORT(term->goal, 4));
    } else if (term->tolerance > 0.0) {
        pv_i_buffer_format(out, " (up to %s counts as equal)", PV_SHORT(term->tolerance, 4));
    }
}

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
        term_text(out, comparison, combination->kind, &combination->terms[i]);
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
