/* What was found in a file, for people. */
#include "check/check.h"
#include "core/grid.h"
#include "core/text.h"
#include "inspect/inspect.h"

#include <stdlib.h>

static void print_readings(const cli_report *report, const pv_audit *audit)
{
    static const cli_column columns[] = {{"", CLI_LEFT},
                                         {"* is a value", CLI_RIGHT},
                                         {"* is anything", CLI_RIGHT},
                                         {"", CLI_WRAP},
                                         {NULL, CLI_LEFT}};
    cli_heading(report, "Both readings of a *");
    cli_grid *const grid = cli_grid_create(report, columns);
    cli_grid_cell(grid, "k");
    cli_grid_cell(grid, "%s", cli_count_text(pv_audit_k(audit)).text);
    cli_grid_cell(grid, "%s", cli_count_text(pv_audit_k_wildcard(audit)).text);
    cli_grid_cell(grid, "the smallest group of rows that look alike");
    cli_grid_cell(grid, "unique rows");
    cli_grid_cell(grid, "%s", cli_count_text(pv_audit_unique_rows(audit)).text);
    cli_grid_cell(grid, "%s", cli_count_text(pv_audit_unique_rows_wildcard(audit)).text);
    cli_grid_cell(grid, "rows that look like no other");
    cli_grid_cell(grid, "mean risk");
    cli_grid_cell(grid, "%s",
                  cli_share_text(cli_part(pv_audit_classes(audit), cli_remaining(audit))).text);
    cli_grid_cell(grid, "%s", cli_share_text(pv_audit_risk_mean_wildcard(audit)).text);
    cli_grid_cell(grid, "chance to pick the right row by its values");
    cli_grid_print(grid);
}

static void print_measures(const cli_report *report, const pv_audit *audit)
{
    static const cli_column columns[] = {{"measure", CLI_LEFT},
                                         {"value", CLI_RIGHT},
                                         {"", CLI_LEFT},
                                         {"meaning", CLI_WRAP},
                                         {NULL, CLI_LEFT}};
    size_t n = 0;
    const pv_audit_value *const values = pv_audit_values(audit, &n);
    cli_heading(report, "Measures");
    cli_grid *const grid = cli_grid_create(report, columns);
    for (size_t i = 0; i < n; i++) {
        if (values[i].available) {
            cli_grid_cell(grid, "%s", cli_measure_title(values[i].ref).text);
            cli_grid_cell(grid, "%s", cli_value_text(values[i].value).text);
            cli_grid_cell(grid, "%s", cli_measure_mark(report, values[i].ref.measure));
            cli_grid_cell(grid, "%s", values[i].ref.measure->summary);
        }
    }
    cli_grid_print(grid);
    cli_measure_legend(report);
}

static bool is_sensitive(const cli_subject *s, const char *column)
{
    bool found = s->label != NULL && cli_equal(s->label, column);
    for (size_t i = 0; s->sensitive != NULL && s->sensitive[i] != NULL; i++) {
        found = found || cli_equal(s->sensitive[i], column);
    }
    return found;
}

#define MOST_NAMES 12u

/* What a file has besides its quasi-identifiers: k says nothing about someone who knows that. */
static void print_others(const cli_report *report, const cli_subject *s, const pv_audit *audit)
{
    char *names = cli_copy("");
    size_t n = 0;
    size_t n_columns = 0;
    const pv_audit_unchanged *const columns = pv_audit_unchanged_columns(audit, &n_columns);
    cli_heading(report, "The other columns");
    cli_unchanged_print(report, audit, NULL);
    for (size_t i = 0; i < n_columns; i++) {
        if (!is_sensitive(s, columns[i].name) &&
            (columns[i].unique > 0 || (pv_audit_k(audit) > 1 && columns[i].unique_with > 0)) &&
            n++ < MOST_NAMES) {
            cli_append(&names, "%s%s", n == 1 ? "" : ", ", columns[i].name);
        }
    }
    if (n > 0) {
        cli_fact(report, CLI_BAD, "careful",
                 "%s%s: whoever knows %s of a person may find their row; if anybody can, name %s "
                 "with --quasi, too",
                 names, n > MOST_NAMES ? ", ..." : "", n == 1 ? "it" : "one of them",
                 n == 1 ? "it" : "them");
    }
    free(names);
}

static void print_demands(const cli_report *report, const cli_subject *s, const pv_audit *audit)
{
    if (s->demands.n == 0) {
        return;
    }
    cli_heading(report, "Demanded");
    for (size_t i = 0; i < s->demands.n; i++) {
        char text[PV_MEASURE_TEXT_SIZE];
        const cli_demand_found found = cli_demand_find(s, audit, i);
        pv_constraint_text(&s->demands.list[i], text, sizeof text);
        (void)fprintf(report->out, "  %s%-14s%s  %s",
                      found.holds ? cli_good(report) : cli_bad(report),
                      found.holds ? "holds" : "DOES NOT HOLD", cli_plain(report), text);
        const bool says_it = s->demands.list[i].ref.column[0] != '\0';
        if (found.column != NULL) {
            (void)fprintf(report->out, ": %s%s%s", cli_value_text(found.value).text,
                          says_it ? "" : ", for column ", says_it ? "" : found.column);
        }
        (void)fputc('\n', report->out);
    }
}

/* What was done to the fields before they were counted. */
static void print_fields(const cli_report *report, const cli_subject *s, const pv_audit *audit)
{
    if (s->plan == NULL && s->missing == NULL) {
        cli_fact(report, CLI_NEUTRAL, "missing values",
                 "none: every spelling is a value of its own (--missing names those that are not)");
    } else {
        cli_fact(report, CLI_NEUTRAL, "missing values",
                 "%s, all spellings in a column as one value",
                 cli_plural_text(pv_audit_missing(audit), "field", "fields").text);
    }
    if (pv_audit_trimmed(audit) > 0) {
        cli_fact(report, CLI_NEUTRAL, "blanks", "removed around %s (--keep-blanks keeps them)",
                 cli_plural_text(pv_audit_trimmed(audit), "field", "fields").text);
    }
}

void cli_audit_print(const cli_report *report, const cli_subject *s, const pv_audit *audit)
{
    size_t n_bins = 0;
    cli_paragraph(report, 0, "%s: %s, %s", s->file,
                  cli_plural_text(pv_audit_rows(audit), "row", "rows").text,
                  cli_plural_text(s->n_quasi, "quasi-identifier", "quasi-identifiers").text);
    cli_blank(report);
    cli_fact(report, CLI_NEUTRAL, "suppressed rows", "%s (%s): all their quasi-identifiers are *",
             cli_count_text(pv_audit_suppressed(audit)).text,
             cli_share_text(cli_part(pv_audit_suppressed(audit), pv_audit_rows(audit))).text);
    cli_fact(report, CLI_NEUTRAL, "suppressed cells", "%s, besides those rows",
             cli_count_text(pv_audit_starred_cells(audit)).text);
    cli_fact(report, CLI_NEUTRAL, "classes", "%s among the %s that remain",
             cli_count_text(pv_audit_classes(audit)).text,
             cli_plural_text(cli_remaining(audit), "row", "rows").text);
    print_fields(report, s, audit);
    print_readings(report, audit);
    cli_class_sizes_print(report, pv_audit_histogram(audit, &n_bins), cli_remaining(audit));
    print_measures(report, audit);
    print_others(report, s, audit);
    print_demands(report, s, audit);
    cli_papers_print(report, &s->papers, audit);
}
