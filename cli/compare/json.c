/* A comparison as JSON. */
#include "compare/contest.h"

#include "core/fail.h"
#include "core/json.h"
#include "core/text.h"

#include <math.h>

static json_t *name_json(const pv_comparison *comparison, size_t release)
{
    return cli_json_text(pv_comparison_name(comparison, release));
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
    for (size_t r = 0; r < pv_comparison_n_releases(comparison); r++) {
        json_t *const object = json_object();
        const char letter[] = {pv_release_letter(r), '\0'};
        cli_json_set(object, "name", name_json(comparison, r));
        cli_json_set(object, "letter", cli_json_text(letter));
        cli_json_set(object, "suppressed", cli_json_count(pv_comparison_suppressed(comparison, r)));
        cli_json_set(object, "missing", cli_json_count(pv_comparison_missing(comparison, r)));
        cli_json_set(object, "smallest_class",
                     pv_judgement_advice(contest->judgement) != NULL
                         ? cli_json_count(pv_judgement_smallest_class(contest->judgement, r))
                         : json_null());
        cli_json_append(list, object);
    }
    return list;
}

static json_t *properties_json(const cli_contest *contest)
{
    const pv_comparison *const comparison = contest->comparison;
    json_t *const list = json_array();
    for (size_t p = 0; p < pv_comparison_n_properties(comparison); p++) {
        json_t *const object = json_object();
        json_t *const values = json_array();
        cli_json_set(object, "name", cli_json_text(pv_comparison_property(comparison, p)));
        cli_json_set(object, "less_is_better",
                     cli_json_bool(pv_comparison_less_is_better(comparison, p)));
        cli_json_set(object, "releases", values);
        for (size_t r = 0; r < pv_comparison_n_releases(comparison); r++) {
            const pv_group_result everyone =
                pv_judgement_group(contest->judgement, PV_EVERYONE, p, r);
            json_t *const value = json_object();
            cli_json_set(value, "mean", cli_json_number(everyone.mean));
            cli_json_set(value, "worst",
                         cli_json_number(pv_judgement_worst(contest->judgement, p, r)));
            cli_json_set(value, "worst_share", cli_json_number(everyone.worst_share));
            cli_json_append(values, value);
        }
        cli_json_append(list, object);
    }
    return list;
}

/* ------------------------------------------------------------------- pairs */

static void set_pairs(json_t *document, const cli_contest *contest)
{
    static const char *const dominances[] = {
        [PV_DOMINANCE_EQUAL] = "equal",
        [PV_DOMINANCE_FIRST_STRONG] = "a",
        [PV_DOMINANCE_SECOND_STRONG] = "b",
        [PV_DOMINANCE_NONE] = "none",
    };
    const pv_comparison *const comparison = contest->comparison;
    const pv_judgement *const judgement = contest->judgement;
    const size_t n_properties = pv_comparison_n_properties(comparison);
    json_t *const pairs = json_array();
    json_t *const dominance = json_array();
    for (size_t a = 0; a < pv_comparison_n_releases(comparison); a++) {
        for (size_t b = a + 1; b < pv_comparison_n_releases(comparison); b++) {
            for (size_t p = 0; p <= n_properties; p++) { /* the last: all properties together */
                const bool all = p == n_properties;
                const pv_dominance found = all ? pv_judgement_dominance_of_all(judgement, a, b)
                                               : pv_judgement_dominance(judgement, p, a, b);
                const char *const name = all ? NULL : pv_comparison_property(comparison, p);
                json_t *const whole = pair_json(comparison, a, b);
                cli_json_set(whole, "property", all ? json_null() : cli_json_text(name));
                cli_json_set(whole, "dominates", cli_json_text(dominances[found]));
                if (!all) {
                    cli_json_set(whole, "a_better",
                                 cli_json_count(pv_judgement_better(judgement, p, a, b)));
                    cli_json_set(whole, "b_better",
                                 cli_json_count(pv_judgement_better(judgement, p, b, a)));
                }
                cli_json_append(dominance, whole);
                for (size_t i = 0; !all && i < PV_INDEX_COUNT; i++) {
                    const pv_index index = (pv_index)i;
                    if (!contest->indices[i]) {
                        continue;
                    }
                    json_t *const pair = pair_json(comparison, a, b);
                    cli_json_set(pair, "property", cli_json_text(name));
                    cli_json_set(pair, "index", cli_json_text(pv_index_name(index)));
                    cli_json_set(pair, "ab",
                                 cli_json_number(pv_judgement_index(judgement, p, index, a, b)));
                    cli_json_set(pair, "ba",
                                 cli_json_number(pv_judgement_index(judgement, p, index, b, a)));
                    cli_json_set(pair, "better",
                                 winner_json(comparison, a, b,
                                             pv_judgement_winner(judgement, p, index, a, b)));
                    cli_json_append(pairs, pair);
                }
            }
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
    size_t n = 0;
    size_t n_cycle = 0;
    const size_t *const ranking = pv_tournament_ranking(tournament, &n);
    const size_t *const cycle = pv_tournament_cycle(tournament, &n_cycle);
    for (size_t i = 0; i < n; i++) {
        cli_json_append(wins, cli_json_count(pv_tournament_wins(tournament, ranking[i])));
    }
    cli_json_set(object, "ranking", names_json(comparison, ranking, n));
    cli_json_set(object, "wins", wins);
    cli_json_set(object, "best", best != SIZE_MAX ? name_json(comparison, best) : json_null());
    cli_json_set(object, "cycle",
                 cycle != NULL ? names_json(comparison, cycle, n_cycle) : json_null());
}

static json_t *ranking_json(const cli_contest *contest)
{
    const pv_comparison *const comparison = contest->comparison;
    json_t *const list = json_array();
    for (size_t p = 0; p < pv_comparison_n_properties(comparison); p++) {
        for (size_t i = 0; i < PV_INDEX_COUNT; i++) {
            if (!contest->indices[i]) {
                continue;
            }
            json_t *const object = json_object();
            cli_json_set(object, "property", cli_json_text(pv_comparison_property(comparison, p)));
            cli_json_set(object, "index", cli_json_text(pv_index_name((pv_index)i)));
            set_tournament(object, comparison,
                           pv_judgement_tournament(contest->judgement, p, (pv_index)i));
            cli_json_append(list, object);
        }
    }
    return list;
}

static json_t *verdicts_json(const cli_contest *contest, size_t combination)
{
    const pv_comparison *const comparison = contest->comparison;
    const size_t n = pv_comparison_n_releases(comparison);
    json_t *const list = json_array();
    for (size_t a = 0; a < n; a++) {
        for (size_t b = a + 1; b < n; b++) {
            const pv_verdict_of_two verdict =
                pv_judgement_verdict(contest->judgement, combination, a, b);
            json_t *const object = pair_json(comparison, a, b);
            cli_json_set(object, "ab", cli_json_number(verdict.first));
            cli_json_set(object, "ba", cli_json_number(verdict.second));
            cli_json_set(object, "better", winner_json(comparison, a, b, verdict.winner));
            cli_json_append(list, object);
        }
    }
    return list;
}

static pv_status set_overall(json_t *document, const cli_contest *contest, pv_error *error)
{
    json_t *const list = json_array();
    cli_json_set(document, "overall", list);
    for (size_t c = 0; c < pv_judgement_n_combinations(contest->judgement); c++) {
        char *rule = NULL;
        CLI_TRY(pv_combination_text(contest->comparison,
                                    pv_judgement_combination(contest->judgement, c), &rule, error));
        const pv_combination *const combination = pv_judgement_combination(contest->judgement, c);
        json_t *const object = json_object();
        cli_json_set(object, "name", cli_json_text(combination->name));
        cli_json_set(object, "kind", cli_json_text(pv_combination_name(combination->kind)));
        cli_json_set(object, "rule", cli_json_text(rule));
        cli_json_set(object, "pairs", verdicts_json(contest, c));
        set_tournament(object, contest->comparison, pv_judgement_overall(contest->judgement, c));
        cli_json_append(list, object);
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
    cli_json_set(object, "enough", cli_json_count(pv_judgement_enough(judgement)));
    const pv_tournament *const tournament = pv_judgement_n_combinations(judgement) > 0
                                                ? pv_judgement_overall(judgement, 0)
                                                : pv_judgement_advice(judgement);
    if (tournament != NULL) {
        set_tournament(object, contest->comparison, tournament);
    } else {
        cli_json_set(object, "best", json_null());
    }
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------ groups */

static json_t *groups_json(const cli_contest *contest)
{
    const pv_comparison *const comparison = contest->comparison;
    json_t *const list = json_array();
    for (size_t g = 0; g < pv_comparison_n_groups(comparison); g++) {
        json_t *const object = json_object();
        json_t *const properties = json_object();
        cli_json_set(object, "column", cli_json_text(pv_comparison_group_column(comparison, g)));
        cli_json_set(object, "value", cli_json_text(pv_comparison_group_value(comparison, g)));
        cli_json_set(object, "rows", cli_json_count(pv_comparison_group_rows(comparison, g)));
        for (size_t p = 0; p < pv_comparison_n_properties(comparison); p++) {
            json_t *const results = json_array();
            for (size_t r = 0; r < pv_comparison_n_releases(comparison); r++) {
                const pv_group_result result = pv_judgement_group(contest->judgement, g, p, r);
                json_t *const entry = json_object();
                cli_json_set(entry, "mean", cli_json_number(result.mean));
                cli_json_set(entry, "worst_share", cli_json_number(result.worst_share));
                cli_json_set(entry, "singled_out", cli_json_bool(result.is_singled_out));
                cli_json_append(results, entry);
            }
            cli_json_set(properties, pv_comparison_property(comparison, p), results);
        }
        cli_json_set(object, "properties", properties);
        cli_json_append(list, object);
    }
    return list;
}

pv_status cli_contest_json(json_t *document, const cli_contest *contest, pv_error *error)
{
    cli_json_set(document, "compared", cli_json_count(pv_comparison_n_rows(contest->comparison)));
    cli_json_set(document, "releases", releases_json(contest));
    CLI_TRY(set_advice(document, contest, error));
    cli_json_set(document, "properties", properties_json(contest));
    set_pairs(document, contest);
    cli_json_set(document, "ranking", ranking_json(contest));
    CLI_TRY(set_overall(document, contest, error));
    cli_json_set(document, "groups", groups_json(contest));
    return PV_STATUS_OK;
}

pv_status cli_compare_json(const char *plan, const char *key, const cli_opened *opened,
                           const cli_contest_query *query, const cli_contest *contest,
                           json_t **document, pv_error *error)
{
    json_t *const object = cli_json_document("compare");
    json_t *const joined = json_object();
    json_t *const maps = json_array();
    json_t *const rank = json_object();
    json_t *const targets = json_object();
    for (size_t i = 0; i < query->n_row_maps; i++) {
        cli_json_append(maps, cli_json_text(query->row_maps[i]));
    }
    for (size_t i = 0; i < query->n_targets; i++) {
        cli_json_set(targets, query->targets[i].property, cli_json_number(query->targets[i].value));
    }
    cli_json_set(object, "table", cli_opened_json(opened));
    cli_json_set(object, "joined", joined);
    cli_json_set(joined, "plan", cli_json_text(plan));
    cli_json_set(joined, "key", key != NULL ? cli_json_text(key) : json_null());
    cli_json_set(joined, "row_maps", maps);
    cli_json_set(object, "rank", rank);
    cli_json_set(rank, "tolerance", cli_json_number(query->tolerance));
    cli_json_set(rank, "targets", targets);
    const pv_status status = cli_contest_json(object, contest, error);
    if (status != PV_STATUS_OK) {
        json_decref(object);
        return status;
    }
    *document = object;
    return PV_STATUS_OK;
}
