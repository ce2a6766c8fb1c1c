/* How groups of people fare: is one of them systematically given the minimum? */
#include "compare/told.h"

#include "core/grid.h"
#include "core/text.h"

/* Groups of a column that are shown; largest first. */
#define SHOWN_GROUPS 12

static const pv_fare *fare_of(const cli_contest *contest, size_t group, size_t property,
                              size_t release)
{
    const pv_comparison *const comparison = contest->comparison;
    return &contest->judgement
                ->fares[(group * comparison->n_properties + property) * comparison->n_releases +
                        release];
}

static bool is_singled_out(const cli_contest *contest, size_t group, size_t property)
{
    bool out = false;
    for (size_t r = 0; r < contest->comparison->n_releases; r++) {
        out = out || fare_of(contest, group, property, r)->is_singled_out;
    }
    return out;
}

static void print_fare(const cli_contest *contest, cli_grid *grid, size_t property,
                       const pv_fare *fare)
{
    cli_grid_cell(grid, "%s%s", cli_share_text(fare->worst_share).text,
                  fare->is_singled_out ? " !" : "");
    cli_grid_cell(grid, "%s",
                  cli_value_text(cli_contest_shown(contest, property, fare->mean)).text);
}

static void print_row(const cli_contest *contest, cli_grid *grid, size_t property, size_t group)
{
    const pv_comparison *const comparison = contest->comparison;
    const pv_people *const people = &comparison->people[group];
    for (size_t r = 0; r < comparison->n_releases; r++) {
        const char letter[] = {pv_release_letter(r), '\0'};
        cli_grid_cell(grid, "%s", r == 0 ? people->value : "");
        cli_grid_cell(grid, "%s", r == 0 ? cli_count_text(people->n_rows).text : "");
        cli_grid_cell(grid, "%s", letter);
        print_fare(contest, grid, property, fare_of(contest, group, property, r));
    }
}

static void print_everyone(const cli_contest *contest, cli_grid *grid, size_t property)
{
    const pv_comparison *const comparison = contest->comparison;
    for (size_t r = 0; r < comparison->n_releases; r++) {
        const char letter[] = {pv_release_letter(r), '\0'};
        cli_grid_cell(grid, "%s", r == 0 ? "everyone" : "");
        cli_grid_cell(grid, "%s", r == 0 ? cli_count_text(comparison->n_rows).text : "");
        cli_grid_cell(grid, "%s", letter);
        print_fare(contest, grid, property,
                   &contest->judgement->everyone[property * comparison->n_releases + r]);
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
    cli_heading(report, "People by %s: %s", column, comparison->properties[property]);
    cli_grid *const grid = cli_grid_create(report, columns);
    print_everyone(contest, grid, property);
    for (size_t g = 0; g < comparison->n_people; g++) {
        if (cli_equal(comparison->people[g].column, column) &&
            (n++ < SHOWN_GROUPS || contest->all || is_singled_out(contest, g, property))) {
            print_row(contest, grid, property, g);
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
    for (size_t g = 0; g < comparison->n_people; g++) {
        for (size_t p = 0;
             cli_equal(comparison->people[g].column, column) && p < comparison->n_properties; p++) {
            for (size_t r = 0; r < comparison->n_releases; r++) {
                const pv_fare *const fare = fare_of(contest, g, p, r);
                if (!fare->is_singled_out || ++n > SHOWN_GROUPS) {
                    continue;
                }
                cli_paragraph(
                    report, 2, "! %c gives %s of %s=%s the worst %s, of everyone %s.",
                    pv_release_letter(r), cli_share_text(fare->worst_share).text, column,
                    comparison->people[g].value, comparison->properties[p],
                    cli_share_text(
                        contest->judgement->everyone[p * comparison->n_releases + r].worst_share)
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

static void print_column(const cli_report *report, const cli_contest *contest, const char *column)
{
    const size_t n = contest->all ? contest->comparison->n_properties : 1;
    for (size_t p = 0; p < n; p++) {
        print_property(report, contest, column, p);
    }
    print_singled_out(report, contest, column);
}

void cli_contest_print_groups(const cli_report *report, const cli_contest *contest)
{
    const pv_comparison *const comparison = contest->comparison;
    for (size_t g = 0; g < comparison->n_people; g++) {
        if (g == 0 || !cli_equal(comparison->people[g].column, comparison->people[g - 1].column)) {
            print_column(report, contest, comparison->people[g].column);
        }
    }
    if (comparison->n_people > 0) {
        cli_paragraph(report, 2,
                      "A group is marked (!) if at least twice as many of it as of everyone have "
                      "the worst value there is, by more than chance (three standard errors).");
    }
}
