/* A comparison as JSON. */
#include "compare/told.h"

#include "core/fail.h"
#include "core/json.h"
#include "core/text.h"

#include <math.h>

static json_t *name_json(const pv_comparison *comparison, size_t release)
{
    return cli_json_text(comparison->releases[release]->name);
}

static json_t *winner_json(const pv_comparison *comparison, size_t a, size_t b, pv_winner winner)
{
    return winner == PV_NOBODY_WINS ? json_null()
                                    : name_json(comparison, winner == PV_FIRST_WINS ? a : b);
}

static json_t *pair_json(const pv_comparison *comparison, size_t a, size_t b)
{
    json_t *const object = json_object();
    cli_json_set(object, "a", name_json(comparison, a));
    cli_json_set(object, "b", name_json(comparison, b));
    return object;
}

/* ---------------------------------------------------------------- releases */

static json_t *releases_json(const cli_contest *contest)
{
    const pv_comparison *const comparison = contest->comparison;
    json_t *const list = json_array();
    for (size_t r = 0; r < comparison->n_releases; r++) {
        json_t *const object = json_object();
        const char letter[] = {pv_release_letter(r), '\0'};
        cli_json_set(object, "name", name_json(comparison, r));
        cli_json_set(object, "letter", cli_json_text(letter));
        cli_json_set(object, "suppressed", cli_json_count(comparison->releases[r]->suppressed));
        cli_json_set(object, "missing", cli_json_count(comparison->n_missing[r]));
        cli_json_set(object, "smallest_class",
                     contest->judgement->advice != NULL
                         ? cli_json_count(contest->judgement->least[r])
                         : json_null());
        cli_json_append(list, object);
    }
    return list;
}

static json_t *properties_json(const cli_contest *contest)
{
    const pv_comparison *const comparison = contest->comparison;
    json_t *const list = json_array();
    for (size_t p = 0; p < comparison->n_properties; p++) {
        json_t *const object = json_object();
        json_t *const values = json_array();
        cli_json_set(object, "name", cli_json_text(comparison->properties[p]));
        cli_json_set(object, "less_is_better", cli_json_bool(comparison->less_is_better[p]));
        cli_json_set(object, "releases", values);
        for (size_t r = 0; r < comparison->n_releases; r++) {
            const size_t place = p * comparison->n_releases + r;
            const pv_fare *const fare = &contest->judgement->everyone[place];
            json_t *const value = json_object();
            cli_json_set(value, "mean", cli_json_number(cli_contest_shown(contest, p, fare->mean)));
            cli_json_set(
                value, "worst",
                cli_json_number(cli_contest_shown(contest, p, contest->judgement->worst[place])));
            cli_json_set(value, "worst_share", cli_json_number(fare->worst_share));
            cli_json_append(values, value);
        }
        cli_json_append(list, object);
    }
    return list;
}

/* ------------------------------------------------------------------- pairs */

static void append_pair(json_t *pairs, const cli_contest *contest, size_t property, size_t a,
                        size_t b)
{
    const pv_comparison *const comparison = contest->comparison;
    const pv_duel *const duel = pv_judgement_duel(contest->judgement, property, a, b);
    for (size_t i = 0; i < PV_INDEX_COUNT; i++) {
        if (!contest->indices[i]) {
            continue;
        }
        json_t *const object = pair_json(comparison, a, b);
        cli_json_set(object, "property", cli_json_text(comparison->properties[property]));
        cli_json_set(object, "index", cli_json_text(pv_index_name((pv_index)i)));
        cli_json_set(object, "ab",
                     cli_json_number(cli_contest_index(contest, property, i, duel, false)));
        cli_json_set(object, "ba",
                     cli_json_number(cli_contest_index(contest, property, i, duel, true)));
        cli_json_set(object, "better", winner_json(comparison, a, b, duel->winner[i]));
        cli_json_append(pairs, object);
    }
}

static const char *dominance_name(pv_dominance dominance)
{
    static const char *const names[] = {
        [PV_DOMINANCE_EQUAL] = "equal",
        [PV_DOMINANCE_FIRST_STRONG] = "a",
        [PV_DOMINANCE_SECOND_STRONG] = "b",
        [PV_DOMINANCE_NONE] = "none",
    };
    return names[dominance];
}

static void append_dominance(json_t *list, const cli_contest *contest, size_t property, size_t a,
                             size_t b)
{
    const pv_comparison *const comparison = contest->comparison;
    const pv_duel *const duel = pv_judgement_duel(contest->judgement, property, a, b);
    json_t *const object = pair_json(comparison, a, b);
    cli_json_set(object, "property", cli_json_text(comparison->properties[property]));
    cli_json_set(object, "dominates", cli_json_text(dominance_name(duel->dominance)));
    cli_json_set(object, "a_better", cli_json_count(duel->first_better));
    cli_json_set(object, "b_better", cli_json_count(duel->second_better));
    cli_json_append(list, object);
}

static void append_whole_dominance(json_t *list, const cli_contest *contest, size_t a, size_t b)
{
    json_t *const object = pair_json(contest->comparison, a, b);
    cli_json_set(object, "property", json_null());
    cli_json_set(object, "dominates",
                 cli_json_text(dominance_name(cli_contest_dominance(contest, a, b))));
    cli_json_append(list, object);
}

static void set_pairs(json_t *document, const cli_contest *contest)
{
    const pv_comparison *const comparison = contest->comparison;
    json_t *const pairs = json_array();
    json_t *const dominance = json_array();
    for (size_t a = 0; a < comparison->n_releases; a++) {
        for (size_t b = a + 1; b < comparison->n_releases; b++) {
            for (size_t p = 0; p < comparison->n_properties; p++) {
                append_pair(pairs, contest, p, a, b);
                append_dominance(dominance, contest, p, a, b);
            }
            append_whole_dominance(dominance, contest, a, b);
        }
    }
    cli_json_set(document, "pairs", pairs);
    cli_json_set(document, "dominance", dominance);
}

/* ------------------------------------------------------------- tournaments */

static json_t *names_json(const pv_comparison *comparison, const size_t *releases, size_t n)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < n; i++) {
        cli_json_append(list, name_json(comparison, releases[i]));
    }
    return list;
}

static void set_tournament(json_t *object, const pv_comparison *comparison,
                           const pv_tournament *tournament)
{
    json_t *const wins = json_array();
    const size_t best = pv_tournament_best(tournament);
    for (size_t i = 0; i < tournament->n; i++) {
        cli_json_append(wins, cli_json_count(tournament->wins[tournament->ranking[i]]));
    }
    cli_json_set(object, "ranking", names_json(comparison, tournament->ranking, tournament->n));
    cli_json_set(object, "wins", wins);
    cli_json_set(object, "best", best != SIZE_MAX ? name_json(comparison, best) : json_null());
    cli_json_set(object, "cycle",
                 tournament->cycle != NULL
                     ? names_json(comparison, tournament->cycle, tournament->n_cycle)
                     : json_null());
}

static json_t *ranking_json(const cli_contest *contest)
{
    const pv_comparison *const comparison = contest->comparison;
    json_t *const list = json_array();
    for (size_t p = 0; p < comparison->n_properties; p++) {
        for (size_t i = 0; i < PV_INDEX_COUNT; i++) {
            if (!contest->indices[i]) {
                continue;
            }
            json_t *const object = json_object();
            cli_json_set(object, "property", cli_json_text(comparison->properties[p]));
            cli_json_set(object, "index", cli_json_text(pv_index_name((pv_index)i)));
            set_tournament(object, comparison,
                           contest->judgement->by_index[p * PV_INDEX_COUNT + i]);
            cli_json_append(list, object);
        }
    }
    return list;
}

static json_t *verdicts_json(const cli_contest *contest, size_t combination)
{
    const pv_comparison *const comparison = contest->comparison;
    const size_t n = comparison->n_releases;
    json_t *const list = json_array();
    for (size_t a = 0; a < n; a++) {
        for (size_t b = a + 1; b < n; b++) {
            const pv_verdict_of_two *const verdict =
                &contest->judgement->verdicts[(combination * n + a) * n + b];
            json_t *const object = pair_json(comparison, a, b);
            cli_json_set(object, "ab", cli_json_number(verdict->first));
            cli_json_set(object, "ba", cli_json_number(verdict->second));
            cli_json_set(object, "better", winner_json(comparison, a, b, verdict->winner));
            cli_json_append(list, object);
        }
    }
    return list;
}

static json_t *overall_json(const cli_contest *contest, size_t c, const char *rule)
{
    const pv_combination *const combination = &contest->judgement->combinations[c];
    json_t *const object = json_object();
    cli_json_set(object, "name", cli_json_text(combination->name));
    cli_json_set(object, "kind", cli_json_text(pv_combination_name(combination->kind)));
    cli_json_set(object, "rule", cli_json_text(rule));
    cli_json_set(object, "pairs", verdicts_json(contest, c));
    set_tournament(object, contest->comparison, contest->judgement->overall[c]);
    return object;
}

static pv_status set_overall(json_t *document, const cli_contest *contest, pv_error *error)
{
    json_t *const list = json_array();
    cli_json_set(document, "overall", list);
    for (size_t c = 0; c < contest->judgement->n_combinations; c++) {
        char *rule = NULL;
        CLI_TRY(pv_combination_text(contest->comparison, &contest->judgement->combinations[c],
                                    &rule, error));
        cli_json_append(list, overall_json(contest, c, rule));
        pv_string_free(rule);
    }
    return PV_STATUS_OK;
}

static pv_status set_advice(json_t *document, const cli_contest *contest, pv_error *error)
{
    const pv_judgement *const judgement = contest->judgement;
    json_t *const object = json_object();
    char *text = NULL;
    cli_json_set(document, "advice", object);
    CLI_TRY(pv_judgement_text(judgement, &text, error));
    cli_json_set(object, "text", cli_json_text(text));
    pv_string_free(text);
    cli_json_set(object, "enough", cli_json_count(judgement->enough));
    const pv_tournament *const tournament =
        judgement->n_combinations > 0 ? judgement->overall[0] : judgement->advice;
    if (tournament != NULL) {
        set_tournament(object, contest->comparison, tournament);
    } else {
        cli_json_set(object, "best", json_null());
    }
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------ groups */

static json_t *fares_json(const cli_contest *contest, size_t group, size_t property)
{
    const pv_comparison *const comparison = contest->comparison;
    json_t *const list = json_array();
    for (size_t r = 0; r < comparison->n_releases; r++) {
        const pv_fare *const fare =
            &contest->judgement
                 ->fares[(group * comparison->n_properties + property) * comparison->n_releases +
                         r];
        json_t *const object = json_object();
        cli_json_set(object, "mean",
                     cli_json_number(cli_contest_shown(contest, property, fare->mean)));
        cli_json_set(object, "worst_share", cli_json_number(fare->worst_share));
        cli_json_set(object, "singled_out", cli_json_bool(fare->is_singled_out));
        cli_json_append(list, object);
    }
    return list;
}

static json_t *groups_json(const cli_contest *contest)
{
    const pv_comparison *const comparison = contest->comparison;
    json_t *const list = json_array();
    for (size_t g = 0; g < comparison->n_people; g++) {
        const pv_people *const people = &comparison->people[g];
        json_t *const object = json_object();
        json_t *const properties = json_object();
        cli_json_set(object, "column", cli_json_text(people->column));
        cli_json_set(object, "value", cli_json_text(people->value));
        cli_json_set(object, "rows", cli_json_count(people->n_rows));
        for (size_t p = 0; p < comparison->n_properties; p++) {
            cli_json_set(properties, comparison->properties[p], fares_json(contest, g, p));
        }
        cli_json_set(object, "properties", properties);
        cli_json_append(list, object);
    }
    return list;
}

pv_status cli_contest_json(json_t *document, const cli_contest *contest, pv_error *error)
{
    cli_json_set(document, "compared", cli_json_count(contest->comparison->n_rows));
    cli_json_set(document, "releases", releases_json(contest));
    CLI_TRY(set_advice(document, contest, error));
    cli_json_set(document, "properties", properties_json(contest));
    set_pairs(document, contest);
    cli_json_set(document, "ranking", ranking_json(contest));
    CLI_TRY(set_overall(document, contest, error));
    cli_json_set(document, "groups", groups_json(contest));
    return PV_STATUS_OK;
}
