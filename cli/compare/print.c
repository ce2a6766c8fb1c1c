/* A comparison for people: the advice first, then who is better off by what, who wins, and what
 * groups of people get. */
#include "compare/contest.h"

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
/* Groups of a column that are shown, largest first. */
#define SHOWN_GROUPS 12

static const char *letter_text(size_t release)
{
    static const char letters[] = "A\0B\0C\0D\0E\0F\0G\0H\0I\0J\0K\0L\0M\0N\0O\0P\0Q\0R\0S\0T\0U\0"
                                  "V\0W\0X\0Y\0Z";
    return &letters[2 * (size_t)(pv_release_letter(release) - 'A')];
}

/* ---------------------------------------------------------------- releases */

static void print_releases(const cli_report *report, const cli_contest *contest)
{
    const pv_comparison *const comparison = contest->comparison;
    for (size_t r = 0; r < pv_comparison_n_releases(comparison); r++) {
        const uint64_t suppressed = pv_comparison_suppressed(comparison, r);
        const uint64_t n_missing = pv_comparison_missing(comparison, r);
        char *const missing = n_missing == 0
                                  ? cli_copy("")
                                  : cli_format(", %s of the original missing",
                                               cli_plural_text(n_missing, "row", "rows").text);
        char *const least =
            pv_judgement_advice(contest->judgement) != NULL
                ? cli_format(
                      "smallest class %s, ",
                      cli_count_text(pv_judgement_smallest_class(contest->judgement, r)).text)
                : cli_copy("");
        cli_fact(report, CLI_STRONG, letter_text(r), "%s: %s%s suppressed%s",
                 pv_comparison_name(comparison, r), least,
                 suppressed > 0 ? cli_plural_text(suppressed, "person", "people").text : "nobody",
                 missing);
        free(least);
        free(missing);
    }
    if (pv_comparison_n_rows(comparison) < pv_comparison_n_original(comparison)) {
        cli_paragraph(report, 2, "Compared on the %s that all of them have, of %s.",
                      cli_plural_text(pv_comparison_n_rows(comparison), "row", "rows").text,
                      cli_count_text(pv_comparison_n_original(comparison)).text);
    }
}

/* ------------------------------------------------------------- who wins what */

typedef enum { PROTECTION, DETAIL, COLUMN } kind;

/* "class-size, distinct", of what a release wins; SIZE_MAX = of what none does. */
static char *won_text(const cli_contest *contest, kind wanted, size_t release)
{
    const pv_comparison *const comparison = contest->comparison;
    char *text = cli_copy("");
    for (size_t p = 0; p < pv_comparison_n_properties(comparison); p++) {
        const char *const name = pv_comparison_property(comparison, p);
        const pv_property *const known = pv_property_find(name);
        const kind own = known == NULL ? COLUMN : known->is_detail ? DETAIL : PROTECTION;
        if (own == wanted && pv_tournament_best(pv_judgement_tournament(contest->judgement, p,
                                                                        PV_INDEX_COV)) == release) {
            cli_append(&text, "%s%s", text[0] != '\0' ? ", " : "", name);
        }
    }
    return text;
}

/* "C by class-size, distinct; B by risk". */
static void print_won(const cli_report *report, const cli_contest *contest, const char *label,
                      kind wanted)
{
    char *text = cli_copy("");
    for (size_t r = 0; r <= pv_comparison_n_releases(contest->comparison); r++) {
        const bool is_last = r == pv_comparison_n_releases(contest->comparison);
        char *const won = won_text(contest, wanted, is_last ? SIZE_MAX : r);
        if (won[0] != '\0') {
            cli_append(&text, "%s%s by %s", text[0] != '\0' ? "; " : "",
                       is_last ? "none" : letter_text(r), won);
        }
        free(won);
    }
    if (text[0] != '\0') {
        cli_fact(report, CLI_NEUTRAL, label, "%s", text);
    }
    free(text);
}

/* "B is better for 71% of people, A for 3%; ..." */
static char *shares_text(const cli_contest *contest, size_t property)
{
    const uint64_t n = pv_comparison_n_rows(contest->comparison);
    const uint64_t first_better = pv_judgement_better(contest->judgement, property, 0, 1);
    const uint64_t second_better = pv_judgement_better(contest->judgement, property, 1, 0);
    const double first = (double)first_better / (double)n;
    const double second = (double)second_better / (double)n;
    const bool is_first = first >= second;
    if (first_better == 0 && second_better == 0) {
        return cli_copy("the same for everyone");
    }
    return cli_format("%s is better for %s of people, %s for %s", is_first ? "A" : "B",
                      cli_share_text(is_first ? first : second).text, is_first ? "B" : "A",
                      is_first ? cli_share_text(second).text : cli_share_text(first).text);
}

static void print_duel(const cli_report *report, const cli_contest *contest, size_t property)
{
    const pv_judgement *const judgement = contest->judgement;
    const char *const name = pv_comparison_property(contest->comparison, property);
    const double worst = pv_judgement_index(judgement, property, PV_INDEX_MIN, 0, 1);
    if (isnan(worst)) { /* one of them has no such property */
        cli_fact(report, CLI_NEUTRAL, name, "not known of both");
        return;
    }
    char *const shares = shares_text(contest, property);
    cli_fact(report, CLI_NEUTRAL, name,
             "%s; the worst off: %s in A, %s in B; mean: %s in A, %s in B", shares,
             cli_value_text(worst).text,
             cli_value_text(pv_judgement_index(judgement, property, PV_INDEX_MIN, 1, 0)).text,
             cli_value_text(pv_judgement_group(judgement, PV_EVERYONE, property, 0).mean).text,
             cli_value_text(pv_judgement_group(judgement, PV_EVERYONE, property, 1).mean).text);
    free(shares);
}

/* --------------------------------------------------------------- more of them */

typedef double (*value_fn)(const pv_judgement *judgement, size_t property, size_t release);

static double mean_of(const pv_judgement *judgement, size_t property, size_t release)
{
    return pv_judgement_group(judgement, PV_EVERYONE, property, release).mean;
}

static void print_values(const cli_report *report, const cli_contest *contest, const char *what,
                         value_fn value, size_t from)
{
    const pv_comparison *const comparison = contest->comparison;
    const size_t left = pv_comparison_n_releases(comparison) - from;
    const size_t n = left < SIDE_BY_SIDE ? left : SIDE_BY_SIDE;
    cli_column columns[SIDE_BY_SIDE + 2] = {{what, CLI_LEFT}};
    for (size_t i = 0; i < n; i++) {
        columns[i + 1] = (cli_column){letter_text(from + i), CLI_RIGHT};
    }
    columns[n + 1] = (cli_column){NULL, CLI_LEFT};
    cli_grid *const grid = cli_grid_create(report, columns);
    for (size_t p = 0; p < pv_comparison_n_properties(comparison); p++) {
        cli_grid_cell(grid, "%s", pv_comparison_property(comparison, p));
        for (size_t i = 0; i < n; i++) {
            const double shown = value(contest->judgement, p, from + i);
            cli_grid_cell(grid, "%s", isnan(shown) ? "-" : cli_value_text(shown).text);
        }
    }
    cli_grid_print(grid);
}

static void print_many(const cli_report *report, const cli_contest *contest)
{
    cli_heading(report, "How people fare");
    for (size_t from = 0; from < pv_comparison_n_releases(contest->comparison);
         from += SIDE_BY_SIDE) {
        print_values(report, contest, "the worst off", pv_judgement_worst, from);
        cli_blank(report);
        print_values(report, contest, "on average", mean_of, from);
    }
}

/* ------------------------------------------------------------------ winners */

/* "C > A = B", or the circle "A > B > C > A". */
static char *ranking_text(const pv_tournament *tournament)
{
    size_t n = 0;
    const size_t *list = pv_tournament_cycle(tournament, &n);
    const bool turns = list != NULL;
    if (!turns) {
        list = pv_tournament_ranking(tournament, &n);
    }
    char *text = cli_copy("");
    for (size_t i = 0; i < n && i < RANKED; i++) {
        const bool same =
            !turns && i > 0 &&
            pv_tournament_wins(tournament, list[i]) == pv_tournament_wins(tournament, list[i - 1]);
        cli_append(&text, "%s%s", i == 0 ? "" : same ? "=" : ">", letter_text(list[i]));
    }
    cli_append(&text, "%s%s%s", n > RANKED ? ".." : "", turns && n <= RANKED ? ">" : "",
               turns ? letter_text(list[0]) : "");
    return text;
}

/* Where values are 0 or less there are no volumes. */
static bool has_no_volume(const cli_contest *contest, size_t property, size_t index)
{
    const size_t n = pv_comparison_n_releases(contest->comparison);
    bool has = index != PV_INDEX_HV || !pv_comparison_less_is_better(contest->comparison, property);
    for (size_t a = 0; a < n; a++) {
        for (size_t b = a + 1; b < n; b++) {
            has = has ||
                  pv_judgement_winner(contest->judgement, property, PV_INDEX_HV, a, b) !=
                      PV_NOBODY_WINS ||
                  isfinite(pv_judgement_index(contest->judgement, property, PV_INDEX_HV, a, b));
        }
    }
    return !has;
}

/* Adds the indices to be shown, and ends the columns. */
static void add_indices(const cli_contest *contest, cli_align align, cli_column *columns)
{
    for (size_t i = 0; i < PV_INDEX_COUNT; i++) {
        if (contest->indices[i]) {
            *columns++ = (cli_column){pv_index_name((pv_index)i), align};
        }
    }
    *columns = (cli_column){NULL, CLI_LEFT};
}

/* ------------------------------------------------------------------ numbers */

/* Of the first beside the second. The winner's is marked. */
static char *index_text(const pv_judgement *judgement, size_t property, pv_index index,
                        size_t first, size_t second)
{
    const double value = pv_judgement_index(judgement, property, index, first, second);
    const bool wins =
        pv_judgement_winner(judgement, property, index, first, second) == PV_FIRST_WINS;
    const bool is_none = index == PV_INDEX_HV && isinf(value);
    return cli_format("%s%s", is_none ? "-" : cli_value_text(value).text, wins ? "*" : " ");
}

/* A line for each of two releases, property by property. */
static void print_duels(const cli_report *report, const cli_contest *contest, size_t a, size_t b)
{
    cli_column columns[PV_INDEX_COUNT + 3] = {{"property", CLI_LEFT}, {"in", CLI_LEFT}};
    add_indices(contest, CLI_RIGHT, columns + 2);
    cli_grid *const grid = cli_grid_create(report, columns);
    for (size_t line = 0; line < 2 * pv_comparison_n_properties(contest->comparison); line++) {
        const size_t p = line / 2;
        const bool second = line % 2 == 1;
        cli_grid_cell(grid, "%s", second ? "" : pv_comparison_property(contest->comparison, p));
        cli_grid_cell(grid, "%s", letter_text(second ? b : a));
        for (size_t i = 0; i < PV_INDEX_COUNT; i++) {
            if (contest->indices[i]) {
                char *const text =
                    index_text(contest->judgement, p, (pv_index)i, second ? b : a, second ? a : b);
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
    if (pv_comparison_n_releases(contest->comparison) == 2) {
        print_duels(report, contest, 0, 1);
        cli_fact(report, CLI_NEUTRAL, "*", "wins");
    } else {
        cli_column columns[PV_INDEX_COUNT + 2] = {{"property", CLI_LEFT}};
        add_indices(contest, CLI_LEFT, columns + 1);
        cli_grid *const grid = cli_grid_create(report, columns);
        for (size_t p = 0; p < pv_comparison_n_properties(contest->comparison); p++) {
            cli_grid_cell(grid, "%s", pv_comparison_property(contest->comparison, p));
            for (size_t i = 0; i < PV_INDEX_COUNT; i++) {
                if (contest->indices[i]) {
                    char *const text = has_no_volume(contest, p, i)
                                           ? cli_copy("-")
                                           : ranking_text(pv_judgement_tournament(
                                                 contest->judgement, p, (pv_index)i));
                    cli_grid_cell(grid, "%s", text);
                    free(text);
                }
            }
        }
        cli_grid_print(grid);
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
    for (size_t p = 0; p < pv_comparison_n_properties(comparison); p++) {
        for (size_t i = 0; i < PV_INDEX_COUNT; i++) {
            const pv_tournament *const tournament =
                pv_judgement_tournament(contest->judgement, p, (pv_index)i);
            size_t n = 0;
            if (contest->indices[i] && pv_tournament_cycle(tournament, &n) != NULL) {
                char *const circle = ranking_text(tournament);
                cli_paragraph(
                    report, 2, "No ranking of %s by %s: they beat each other in a circle, %s.",
                    pv_comparison_property(comparison, p), pv_index_name((pv_index)i), circle);
                free(circle);
            }
        }
    }
}

/* ------------------------------------------------------------------ overall */

/* Row against column: + beats it, - is beaten, = neither. */
static void print_matrix(const cli_report *report, const pv_tournament *tournament, size_t n)
{
    (void)fprintf(report->out, "     ");
    for (size_t b = 0; b < n; b++) {
        (void)fprintf(report->out, " %s", letter_text(b));
    }
    (void)fputc('\n', report->out);
    for (size_t a = 0; a < n; a++) {
        (void)fprintf(report->out, "    %s", letter_text(a));
        for (size_t b = 0; b < n; b++) {
            const pv_winner winner = pv_tournament_winner(tournament, a, b);
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
    size_t n = 0;
    cli_fact(report, CLI_STRONG, pv_tournament_cycle(tournament, &n) != NULL ? "circle" : "ranking",
             "%s", ranking);
    free(ranking);
    (void)pv_tournament_ranking(tournament, &n);
    if (n > 2) {
        print_matrix(report, tournament, n);
    }
}

static pv_status print_overall(const cli_report *report, const cli_contest *contest,
                               pv_error *error)
{
    const pv_judgement *const judgement = contest->judgement;
    for (size_t c = 0; c < pv_judgement_n_combinations(judgement); c++) {
        const pv_combination *const combination = pv_judgement_combination(judgement, c);
        char *rule = NULL;
        CLI_TRY(pv_combination_text(contest->comparison, combination, &rule, error));
        cli_heading(report, "Overall, by %s", combination->name);
        cli_fact(report, CLI_NEUTRAL, "rule", "%s", rule);
        pv_string_free(rule);
        if (pv_comparison_n_releases(contest->comparison) == 2) {
            const pv_verdict_of_two verdict = pv_judgement_verdict(judgement, c, 0, 1);
            cli_fact(report, CLI_NEUTRAL, "values", "%s for A, %s for B",
                     cli_value_text(verdict.first).text, cli_value_text(verdict.second).text);
        }
        print_tournament(report, pv_judgement_overall(judgement, c));
    }
    if (pv_judgement_n_combinations(judgement) == 0 && pv_judgement_advice(judgement) != NULL &&
        pv_comparison_n_releases(contest->comparison) > 2) {
        cli_heading(report, "Overall, by the rule above");
        print_tournament(report, pv_judgement_advice(judgement));
    }
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------- groups */

/* A line per release of a group, or of everyone. */
static void print_group(const cli_contest *contest, cli_grid *grid, size_t property, size_t group)
{
    const pv_comparison *const comparison = contest->comparison;
    const bool is_all = group == PV_EVERYONE;
    const char *const value = is_all ? "everyone" : pv_comparison_group_value(comparison, group);
    const uint64_t rows =
        is_all ? pv_comparison_n_rows(comparison) : pv_comparison_group_rows(comparison, group);
    for (size_t r = 0; r < pv_comparison_n_releases(comparison); r++) {
        const pv_group_result result = pv_judgement_group(contest->judgement, group, property, r);
        cli_grid_cell(grid, "%s", r == 0 ? value : "");
        cli_grid_cell(grid, "%s", r == 0 ? cli_count_text(rows).text : "");
        cli_grid_cell(grid, "%s", letter_text(r));
        cli_grid_cell(grid, "%s%s", cli_share_text(result.worst_share).text,
                      result.is_singled_out ? " !" : "");
        cli_grid_cell(grid, "%s", cli_value_text(result.mean).text);
    }
}

/* The first property of all groups; of the others, with --all, too. */
static void print_property(const cli_report *report, const cli_contest *contest, const char *column,
                           size_t property)
{
    static const cli_column columns[] = {{"people", CLI_LEFT}, {"number", CLI_RIGHT},
                                         {"in", CLI_LEFT},     {"have the worst", CLI_RIGHT},
                                         {"mean", CLI_RIGHT},  {NULL, CLI_LEFT}};
    const pv_comparison *const comparison = contest->comparison;
    size_t n = 0;
    cli_heading(report, "People by %s: %s", column, pv_comparison_property(comparison, property));
    cli_grid *const grid = cli_grid_create(report, columns);
    print_group(contest, grid, property, PV_EVERYONE);
    for (size_t g = 0; g < pv_comparison_n_groups(comparison); g++) {
        if (!cli_equal(pv_comparison_group_column(comparison, g), column)) {
            continue;
        }
        bool shown = n++ < SHOWN_GROUPS || contest->all;
        for (size_t r = 0; r < pv_comparison_n_releases(comparison); r++) {
            shown = shown || pv_judgement_group(contest->judgement, g, property, r).is_singled_out;
        }
        if (shown) {
            print_group(contest, grid, property, g);
        }
    }
    cli_grid_print(grid);
    if (n > SHOWN_GROUPS && !contest->all) {
        cli_paragraph(report, 2, "%s in all; --all shows every one.",
                      cli_plural_text(n, "group", "groups").text);
    }
}

static void print_singled_out(const cli_report *report, const cli_contest *contest,
                              const char *column)
{
    const pv_comparison *const comparison = contest->comparison;
    size_t n = 0;
    for (size_t g = 0; g < pv_comparison_n_groups(comparison); g++) {
        for (size_t p = 0; cli_equal(pv_comparison_group_column(comparison, g), column) &&
                           p < pv_comparison_n_properties(comparison);
             p++) {
            for (size_t r = 0; r < pv_comparison_n_releases(comparison); r++) {
                const pv_group_result result = pv_judgement_group(contest->judgement, g, p, r);
                if (!result.is_singled_out || ++n > SHOWN_GROUPS) {
                    continue;
                }
                cli_paragraph(
                    report, 2, "! %c gives %s of %s=%s the worst %s, of everyone %s.",
                    pv_release_letter(r), cli_share_text(result.worst_share).text, column,
                    pv_comparison_group_value(comparison, g), pv_comparison_property(comparison, p),
                    cli_share_text(
                        pv_judgement_group(contest->judgement, PV_EVERYONE, p, r).worst_share)
                        .text);
            }
        }
    }
    if (n == 0) {
        cli_paragraph(report, 2, "No group by %s is systematically given the worst of anything.",
                      column);
    } else if (n > SHOWN_GROUPS) {
        cli_paragraph(report, 2, "... and %s; --json and --html have them all.",
                      cli_plural_text(n - SHOWN_GROUPS, "other", "others").text);
    }
}

static void print_groups(const cli_report *report, const cli_contest *contest)
{
    const pv_comparison *const comparison = contest->comparison;
    for (size_t g = 0; g < pv_comparison_n_groups(comparison); g++) {
        if (g == 0 || !cli_equal(pv_comparison_group_column(comparison, g),
                                 pv_comparison_group_column(comparison, g - 1))) {
            const char *const column = pv_comparison_group_column(comparison, g);
            const size_t n = contest->all ? pv_comparison_n_properties(comparison) : 1;
            for (size_t p = 0; p < n; p++) {
                print_property(report, contest, column, p);
            }
            print_singled_out(report, contest, column);
        }
    }
    if (pv_comparison_n_groups(comparison) > 0) {
        cli_paragraph(report, 2,
                      "A group is marked (!) if at least twice as many of it as of everyone have "
                      "the worst value there is, by more than chance (three standard errors).");
    }
}

/* ---------------------------------------------------------------- the whole */

pv_status cli_contest_print(const cli_report *report, const cli_contest *contest, pv_error *error)
{
    static const char *const dominances[] = {
        [PV_DOMINANCE_EQUAL] = "both are equal for everyone",
        [PV_DOMINANCE_FIRST_STRONG] = "nobody is worse off in A, somebody is better off",
        [PV_DOMINANCE_SECOND_STRONG] = "nobody is worse off in B, somebody is better off",
        [PV_DOMINANCE_NONE] = "some are better off in A, others in B",
    };
    const pv_judgement *const judgement = contest->judgement;
    const size_t n = pv_comparison_n_releases(contest->comparison);
    char *advice = NULL;
    print_releases(report, contest);
    CLI_TRY(pv_judgement_text(judgement, &advice, error));
    cli_heading(report, contest->are_files ? "Which one?" : "Which one, by the rule of compare?");
    cli_paragraph(report, 2, "%s", advice);
    pv_string_free(advice);
    cli_heading(report, "Better for more people (cov)");
    print_won(report, contest, "in protection", PROTECTION);
    print_won(report, contest, "in detail", DETAIL);
    print_won(report, contest, "in columns", COLUMN);
    if (n == 2) {
        cli_heading(report, "Person by person");
        for (size_t p = 0; p < pv_comparison_n_properties(contest->comparison); p++) {
            print_duel(report, contest, p);
        }
        cli_fact(report, CLI_NEUTRAL, "all together", "%s",
                 dominances[pv_judgement_dominance_of_all(judgement, 0, 1)]);
    } else {
        print_many(report, contest);
    }
    /* Who of two is no worse in anything: worth knowing before anything is weighed up. */
    for (size_t a = 0; n != 2 && a < n; a++) {
        for (size_t b = 0; b < n; b++) {
            if (a != b &&
                pv_judgement_dominance_of_all(judgement, a, b) == PV_DOMINANCE_FIRST_STRONG) {
                cli_paragraph(report, 2, "Nobody is worse off in %s than in %s, by any property.",
                              letter_text(a), letter_text(b));
            }
        }
    }
    print_winners(report, contest);
    print_cycles(report, contest);
    for (size_t a = 0; contest->all && n > 2 && a < n; a++) { /* of two they are there already */
        for (size_t b = a + 1; b < n; b++) {
            cli_heading(report, "%s and %s in numbers", letter_text(a), letter_text(b));
            print_duels(report, contest, a, b);
        }
    }
    CLI_TRY(print_overall(report, contest, error));
    print_groups(report, contest);
    return PV_STATUS_OK;
}
