/* A comparison for people: the advice first, then who is better off by what, and who wins. */
#include "compare/told.h"

#include "core/fail.h"
#include "core/grid.h"
#include "core/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Releases side by side in one table; more go into further tables. */
#define SIDE_BY_SIDE 5
/* Releases of a ranking that are named. */
#define RANKED 5

static const char *letter_text(size_t release)
{
    static const char letters[] = "A\0B\0C\0D\0E\0F\0G\0H\0I\0J\0K\0L\0M\0N\0O\0P\0Q\0R\0S\0T\0U\0"
                                  "V\0W\0X\0Y\0Z";
    return &letters[2 * (size_t)(pv_release_letter(release) - 'A')];
}

/* ---------------------------------------------------------------- releases */

static char *missing_text(uint64_t missing)
{
    return missing == 0 ? cli_copy("")
                        : cli_format(", %s of the original missing",
                                     cli_plural_text(missing, "row", "rows").text);
}

static void print_releases(const cli_report *report, const cli_contest *contest)
{
    const pv_comparison *const comparison = contest->comparison;
    for (size_t r = 0; r < comparison->n_releases; r++) {
        const uint64_t suppressed = comparison->releases[r]->suppressed;
        char *const missing = missing_text(comparison->n_missing[r]);
        char *const least = contest->judgement->advice != NULL
                                ? cli_format("smallest class %s, ",
                                             cli_count_text(contest->judgement->least[r]).text)
                                : cli_copy("");
        cli_fact(report, CLI_STRONG, letter_text(r), "%s: %s%s suppressed%s",
                 comparison->releases[r]->name, least,
                 suppressed > 0 ? cli_plural_text(suppressed, "person", "people").text : "nobody",
                 missing);
        free(least);
        free(missing);
    }
    if (comparison->n_rows < comparison->n_original) {
        cli_paragraph(report, 2, "Compared on the %s that all of them have, of %s.",
                      cli_plural_text(comparison->n_rows, "row", "rows").text,
                      cli_count_text(comparison->n_original).text);
    }
}

static pv_status print_advice(const cli_report *report, const cli_contest *contest, pv_error *error)
{
    char *text = NULL;
    CLI_TRY(pv_judgement_text(contest->judgement, &text, error));
    cli_heading(report, contest->are_files ? "Which one?" : "Which one, by the rule of compare?");
    cli_paragraph(report, 2, "%s", text);
    pv_string_free(text);
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------- who wins what */

typedef enum { PROTECTION, DETAIL, COLUMN } kind;

static kind kind_of(const char *property)
{
    const pv_measure *const measure = pv_measure_find(property);
    return pv_property_find(property) == NULL                     ? COLUMN
           : measure != NULL && measure->family == PV_FAMILY_LOSS ? DETAIL
                                                                  : PROTECTION;
}

static bool is_won(const cli_contest *contest, size_t property, size_t release)
{
    const pv_tournament *const tournament =
        contest->judgement->by_index[property * PV_INDEX_COUNT + PV_INDEX_COV];
    return pv_tournament_best(tournament) == release;
}

/* "class-size, distinct", of what a release wins; SIZE_MAX = of what none does. */
static char *won_text(const cli_contest *contest, kind wanted, size_t release)
{
    const pv_comparison *const comparison = contest->comparison;
    char *text = cli_copy("");
    for (size_t p = 0; p < comparison->n_properties; p++) {
        const char *const name = comparison->properties[p];
        if (kind_of(name) == wanted && is_won(contest, p, release)) {
            char *const longer = cli_format("%s%s%s", text, text[0] != '\0' ? ", " : "", name);
            free(text);
            text = longer;
        }
    }
    return text;
}

/* "C by class-size, distinct; B by risk". */
static void print_won(const cli_report *report, const cli_contest *contest, const char *label,
                      kind wanted)
{
    char *text = cli_copy("");
    for (size_t r = 0; r <= contest->comparison->n_releases; r++) {
        const bool is_last = r == contest->comparison->n_releases;
        char *const won = won_text(contest, wanted, is_last ? SIZE_MAX : r);
        if (won[0] != '\0') {
            char *const longer = cli_format("%s%s%s by %s", text, text[0] != '\0' ? "; " : "",
                                            is_last ? "none" : letter_text(r), won);
            free(text);
            text = longer;
        }
        free(won);
    }
    if (text[0] != '\0') {
        cli_fact(report, CLI_NEUTRAL, label, "%s", text);
    }
    free(text);
}

/* --------------------------------------------------------------- two of them */

static const char *dominance_text(pv_dominance dominance)
{
    static const char *const texts[] = {
        [PV_DOMINANCE_EQUAL] = "both are equal for everyone",
        [PV_DOMINANCE_FIRST_STRONG] = "nobody is worse off in A, somebody is better off",
        [PV_DOMINANCE_SECOND_STRONG] = "nobody is worse off in B, somebody is better off",
        [PV_DOMINANCE_NONE] = "some are better off in A, others in B",
    };
    return texts[dominance];
}

/* "B is better for 71% of people, A for 3%; ..." */
static char *shares_text(const pv_duel *duel)
{
    const double first = (double)duel->first_better / (double)duel->n;
    const double second = (double)duel->second_better / (double)duel->n;
    const bool is_first = first >= second;
    if (duel->first_better == 0 && duel->second_better == 0) {
        return cli_copy("the same for everyone");
    }
    return cli_format("%s is better for %s of people, %s for %s", is_first ? "A" : "B",
                      cli_share_text(is_first ? first : second).text, is_first ? "B" : "A",
                      is_first ? cli_share_text(second).text : cli_share_text(first).text);
}

static void print_duel(const cli_report *report, const cli_contest *contest, size_t property)
{
    const pv_comparison *const comparison = contest->comparison;
    const pv_duel *const duel = pv_judgement_duel(contest->judgement, property, 0, 1);
    const char *const name = comparison->properties[property];
    if (duel->n == 0) {
        cli_fact(report, CLI_NEUTRAL, name, "not known of both");
        return;
    }
    const pv_fare *const fares = &contest->judgement->everyone[property * 2];
    char *const shares = shares_text(duel);
    cli_fact(report, CLI_NEUTRAL, name,
             "%s; the worst off: %s in A, %s in B; mean: %s in A, %s in B", shares,
             cli_value_text(cli_contest_index(contest, property, PV_INDEX_MIN, duel, false)).text,
             cli_value_text(cli_contest_index(contest, property, PV_INDEX_MIN, duel, true)).text,
             cli_value_text(cli_contest_shown(contest, property, fares[0].mean)).text,
             cli_value_text(cli_contest_shown(contest, property, fares[1].mean)).text);
    free(shares);
}

static void print_two(const cli_report *report, const cli_contest *contest)
{
    cli_heading(report, "Person by person");
    for (size_t p = 0; p < contest->comparison->n_properties; p++) {
        print_duel(report, contest, p);
    }
    cli_fact(report, CLI_NEUTRAL, "all together", "%s",
             dominance_text(cli_contest_dominance(contest, 0, 1)));
}

/* --------------------------------------------------------------- more of them */

typedef double (*value_fn)(const pv_judgement *judgement, size_t place);

static double worst_of(const pv_judgement *judgement, size_t place)
{
    return judgement->worst[place];
}

static double mean_of(const pv_judgement *judgement, size_t place)
{
    return judgement->everyone[place].mean;
}

static void print_values(const cli_report *report, const cli_contest *contest, const char *what,
                         value_fn value, size_t from)
{
    const pv_comparison *const comparison = contest->comparison;
    const size_t left = comparison->n_releases - from;
    const size_t n = left < SIDE_BY_SIDE ? left : SIDE_BY_SIDE;
    cli_column columns[SIDE_BY_SIDE + 2] = {{what, CLI_LEFT}};
    for (size_t i = 0; i < n; i++) {
        columns[i + 1] = (cli_column){letter_text(from + i), CLI_RIGHT};
    }
    columns[n + 1] = (cli_column){NULL, CLI_LEFT};
    cli_grid *const grid = cli_grid_create(report, columns);
    for (size_t p = 0; p < comparison->n_properties; p++) {
        cli_grid_cell(grid, "%s", comparison->properties[p]);
        for (size_t i = 0; i < n; i++) {
            const double shown = cli_contest_shown(
                contest, p, value(contest->judgement, p * comparison->n_releases + from + i));
            cli_grid_cell(grid, "%s", isnan(shown) ? "-" : cli_value_text(shown).text);
        }
    }
    cli_grid_print(grid);
}

static void print_many(const cli_report *report, const cli_contest *contest)
{
    cli_heading(report, "How people fare");
    for (size_t from = 0; from < contest->comparison->n_releases; from += SIDE_BY_SIDE) {
        print_values(report, contest, "the worst off", worst_of, from);
        cli_blank(report);
        print_values(report, contest, "on average", mean_of, from);
    }
}

/* Who of two is no worse in anything: worth knowing before anything is weighed up. */
static void print_dominance(const cli_report *report, const cli_contest *contest)
{
    const size_t n = contest->comparison->n_releases;
    for (size_t a = 0; a < n; a++) {
        for (size_t b = 0; b < n; b++) {
            if (a != b && cli_contest_dominance(contest, a, b) == PV_DOMINANCE_FIRST_STRONG) {
                cli_paragraph(report, 2, "Nobody is worse off in %s than in %s, by any property.",
                              letter_text(a), letter_text(b));
            }
        }
    }
}

/* ------------------------------------------------------------------ winners */

/* "C > A = B", or the circle "A > B > C > A". */
static char *ranking_text(const pv_tournament *tournament)
{
    const bool turns = tournament->cycle != NULL;
    const size_t *const list = turns ? tournament->cycle : tournament->ranking;
    const size_t n = turns ? tournament->n_cycle : tournament->n;
    char *text = cli_copy("");
    for (size_t i = 0; i < n && i < RANKED; i++) {
        const bool same =
            !turns && i > 0 && tournament->wins[list[i]] == tournament->wins[list[i - 1]];
        char *const longer = cli_format("%s%s%s", text,
                                        i == 0 ? ""
                                        : same ? "="
                                               : ">",
                                        letter_text(list[i]));
        free(text);
        text = longer;
    }
    char *const whole =
        cli_format("%s%s%s", text, n > RANKED ? ".." : "", turns && n <= RANKED ? ">" : "");
    char *const closed = cli_format("%s%s", whole, turns ? letter_text(list[0]) : "");
    free(whole);
    free(text);
    return closed;
}

static bool has_volume(const pv_duel *duel)
{
    return duel->winner[PV_INDEX_HV] != PV_NOBODY_WINS || isfinite(duel->first[PV_INDEX_HV]);
}

/* Where values are 0 or less there are no volumes. */
static bool has_no_volume(const cli_contest *contest, size_t property, size_t index)
{
    const size_t n = contest->comparison->n_releases;
    bool has = index != PV_INDEX_HV || !contest->comparison->less_is_better[property];
    for (size_t pair = 0; !has && pair < n * n; pair++) {
        has = pair / n < pair % n &&
              has_volume(pv_judgement_duel(contest->judgement, property, pair / n, pair % n));
    }
    return !has;
}

/* One cell: who wins. */
static char *winner_text(const cli_contest *contest, size_t property, size_t index)
{
    const pv_tournament *const tournament =
        contest->judgement->by_index[property * PV_INDEX_COUNT + index];
    if (has_no_volume(contest, property, index)) {
        return cli_copy("-");
    }
    return ranking_text(tournament);
}

/* Adds the indices to be told, and ends the columns. */
static void add_indices(const cli_contest *contest, cli_align align, cli_column *columns)
{
    for (size_t i = 0; i < PV_INDEX_COUNT; i++) {
        if (contest->indices[i]) {
            *columns++ = (cli_column){pv_index_name((pv_index)i), align};
        }
    }
    *columns = (cli_column){NULL, CLI_LEFT};
}

static void print_rankings(const cli_report *report, const cli_contest *contest)
{
    cli_column columns[PV_INDEX_COUNT + 2] = {{"property", CLI_LEFT}};
    add_indices(contest, CLI_LEFT, columns + 1);
    cli_grid *const grid = cli_grid_create(report, columns);
    for (size_t p = 0; p < contest->comparison->n_properties; p++) {
        cli_grid_cell(grid, "%s", contest->comparison->properties[p]);
        for (size_t i = 0; i < PV_INDEX_COUNT; i++) {
            if (contest->indices[i]) {
                char *const text = winner_text(contest, p, i);
                cli_grid_cell(grid, "%s", text);
                free(text);
            }
        }
    }
    cli_grid_print(grid);
}

/* ------------------------------------------------------------------ numbers */

/* The winner's is marked. */
static char *index_text(const cli_contest *contest, size_t property, size_t index,
                        const pv_duel *duel, bool second)
{
    const double value = cli_contest_index(contest, property, index, duel, second);
    const bool wins = duel->winner[index] == (second ? PV_SECOND_WINS : PV_FIRST_WINS);
    const bool is_none = index == PV_INDEX_HV && isinf(value);
    return cli_format("%s%s", is_none ? "-" : cli_value_text(value).text, wins ? "*" : " ");
}

/* A line for each of two releases, property by property. */
static void print_duels(const cli_report *report, const cli_contest *contest, size_t a, size_t b)
{
    cli_column columns[PV_INDEX_COUNT + 3] = {{"property", CLI_LEFT}, {"in", CLI_LEFT}};
    add_indices(contest, CLI_RIGHT, columns + 2);
    cli_grid *const grid = cli_grid_create(report, columns);
    for (size_t line = 0; line < 2 * contest->comparison->n_properties; line++) {
        const size_t p = line / 2;
        const bool second = line % 2 == 1;
        const pv_duel *const duel = pv_judgement_duel(contest->judgement, p, a, b);
        cli_grid_cell(grid, "%s", second ? "" : contest->comparison->properties[p]);
        cli_grid_cell(grid, "%s", letter_text(second ? b : a));
        for (size_t i = 0; i < PV_INDEX_COUNT; i++) {
            if (contest->indices[i]) {
                char *const text = index_text(contest, p, i, duel, second);
                cli_grid_cell(grid, "%s", text);
                free(text);
            }
        }
    }
    cli_grid_print(grid);
}

static void print_winners(const cli_report *report, const cli_contest *contest)
{
    cli_heading(report, "Who wins, by property and index");
    if (contest->comparison->n_releases == 2) {
        print_duels(report, contest, 0, 1);
        cli_fact(report, CLI_NEUTRAL, "*", "wins");
    } else {
        print_rankings(report, contest);
    }
    for (size_t i = 0; i < PV_INDEX_COUNT; i++) {
        if (contest->indices[i]) {
            cli_fact(report, CLI_NEUTRAL, pv_index_name((pv_index)i), "%s",
                     pv_index_summary((pv_index)i));
        }
    }
}

/* A ranking alone would hide that A beats B, B beats C and C beats A. */
static void print_cycles(const cli_report *report, const cli_contest *contest)
{
    const pv_comparison *const comparison = contest->comparison;
    for (size_t p = 0; p < comparison->n_properties; p++) {
        for (size_t i = 0; i < PV_INDEX_COUNT; i++) {
            const pv_tournament *const tournament =
                contest->judgement->by_index[p * PV_INDEX_COUNT + i];
            if (contest->indices[i] && tournament->cycle != NULL) {
                char *const circle = ranking_text(tournament);
                cli_paragraph(report, 2,
                              "No ranking of %s by %s: they beat each other in a circle, %s.",
                              comparison->properties[p], pv_index_name((pv_index)i), circle);
                free(circle);
            }
        }
    }
}

/* Of two they are there already. */
static void print_all_numbers(const cli_report *report, const cli_contest *contest)
{
    const size_t n = contest->comparison->n_releases;
    for (size_t a = 0; a < n && n > 2; a++) {
        for (size_t b = a + 1; b < n; b++) {
            cli_heading(report, "%s and %s in numbers", letter_text(a), letter_text(b));
            print_duels(report, contest, a, b);
        }
    }
}

/* ------------------------------------------------------------------ overall */

/* Row against column: + beats it, - is beaten, = neither. */
static void print_matrix(const cli_report *report, const pv_tournament *tournament)
{
    (void)fprintf(report->out, "     ");
    for (size_t b = 0; b < tournament->n; b++) {
        (void)fprintf(report->out, " %s", letter_text(b));
    }
    (void)fputc('\n', report->out);
    for (size_t a = 0; a < tournament->n; a++) {
        (void)fprintf(report->out, "    %s", letter_text(a));
        for (size_t b = 0; b < tournament->n; b++) {
            const pv_winner winner = tournament->winner[a * tournament->n + b];
            (void)fprintf(report->out, " %c",
                          a == b                     ? '.'
                          : winner == PV_FIRST_WINS  ? '+'
                          : winner == PV_SECOND_WINS ? '-'
                                                     : '=');
        }
        (void)fputc('\n', report->out);
    }
    cli_paragraph(report, 2, "+ the row beats the column, - is beaten, = neither.");
}

static void print_tournament(const cli_report *report, const pv_tournament *tournament)
{
    char *const ranking = ranking_text(tournament);
    cli_fact(report, CLI_STRONG, tournament->cycle != NULL ? "circle" : "ranking", "%s", ranking);
    free(ranking);
    if (tournament->n > 2) {
        print_matrix(report, tournament);
    }
}

static void print_verdict(const cli_report *report, const cli_contest *contest, size_t combination)
{
    const size_t n = contest->comparison->n_releases;
    if (n == 2) {
        const pv_verdict_of_two *const verdict =
            &contest->judgement->verdicts[combination * n * n + 1];
        cli_fact(report, CLI_NEUTRAL, "values", "%s for A, %s for B",
                 cli_value_text(verdict->first).text, cli_value_text(verdict->second).text);
    }
    print_tournament(report, contest->judgement->overall[combination]);
}

static pv_status print_overall(const cli_report *report, const cli_contest *contest,
                               pv_error *error)
{
    const pv_judgement *const judgement = contest->judgement;
    for (size_t c = 0; c < judgement->n_combinations; c++) {
        char *rule = NULL;
        CLI_TRY(
            pv_combination_text(contest->comparison, &judgement->combinations[c], &rule, error));
        cli_heading(report, "Overall, by %s", judgement->combinations[c].name);
        cli_fact(report, CLI_NEUTRAL, "rule", "%s", rule);
        pv_string_free(rule);
        print_verdict(report, contest, c);
    }
    if (judgement->n_combinations == 0 && judgement->advice != NULL &&
        contest->comparison->n_releases > 2) {
        cli_heading(report, "Overall, by the rule above");
        print_tournament(report, judgement->advice);
    }
    return PV_STATUS_OK;
}

pv_status cli_contest_print(const cli_report *report, const cli_contest *contest, pv_error *error)
{
    const bool is_pair = contest->comparison->n_releases == 2;
    print_releases(report, contest);
    CLI_TRY(print_advice(report, contest, error));
    cli_heading(report, "Better for more people (cov)");
    print_won(report, contest, "in protection", PROTECTION);
    print_won(report, contest, "in detail", DETAIL);
    print_won(report, contest, "in columns", COLUMN);
    if (is_pair) {
        print_two(report, contest);
    } else {
        print_many(report, contest);
        print_dominance(report, contest);
    }
    print_winners(report, contest);
    print_cycles(report, contest);
    if (contest->all) {
        print_all_numbers(report, contest);
    }
    CLI_TRY(print_overall(report, contest, error));
    cli_contest_print_groups(report, contest);
    return PV_STATUS_OK;
}
