/* The exposure of a raw table for people. Values of the data are counted, never shown. */
#include "inspect/inspect.h"

#include "core/fail.h"
#include "core/grid.h"
#include "core/json.h"
#include "core/text.h"

#include <stdlib.h>

#define SHOWN_PAIRS 10
#define BAR_WIDTH 30

static void print_summary(const cli_report *report, const cli_inspected *inspected)
{
    const pv_exposure *const e = inspected->exposure;
    const pv_study *const study = inspected->opened->study;
    char *const names = cli_quasi_names(study);
    cli_paragraph(report, 0, "%s: %s, nothing generalized yet",
                  pv_table_source(pv_study_table(study)),
                  cli_plural_text(pv_exposure_rows(e), "row", "rows").text);
    cli_blank(report);
    cli_fact(report, CLI_NEUTRAL, "quasi-identifiers", "%s: %s",
             cli_count_text(pv_exposure_n_singles(e)).text, names);
    cli_fact(report, CLI_NEUTRAL, "combinations", "%s distinct ones occur",
             cli_count_text(pv_exposure_tuples(e)).text);
    cli_fact(report, CLI_NEUTRAL, "unique rows", "%s, %s of all: no one else looks like them",
             cli_count_text(pv_exposure_unique_rows(e)).text,
             cli_share_text(cli_part(pv_exposure_unique_rows(e), pv_exposure_rows(e))).text);
    cli_fact(report, CLI_NEUTRAL, "prosecutor risk", "maximum %s, mean %s",
             cli_share_text(pv_exposure_risk_max(e)).text,
             cli_share_text(pv_exposure_risk_mean(e)).text);
    free(names);
}

static void print_meaning(const cli_report *report, const cli_inspected *inspected)
{
    const pv_exposure *const e = inspected->exposure;
    const pv_exposure_part *best = NULL; /* the attribute that singles most people out */
    for (size_t i = 0; i < pv_exposure_n_singles(e); i++) {
        const pv_exposure_part *const part = pv_exposure_single(e, i);
        if (best == NULL ||
            pv_exposure_part_unique_saved(part) > pv_exposure_part_unique_saved(best)) {
            best = part;
        }
    }
    cli_heading(report, "What it means");
    cli_paragraph(report, 2,
                  "Someone who knows these attributes of a person in the table finds that person's "
                  "row with certainty in %s of %s cases; picking at random among the rows that "
                  "match, they are right %s of the time.",
                  cli_count_text(pv_exposure_unique_rows(e)).text,
                  cli_count_text(pv_exposure_rows(e)).text,
                  cli_share_text(pv_exposure_risk_mean(e)).text);
    if (best != NULL && pv_exposure_part_unique_saved(best) > 0) {
        cli_paragraph(report, 2,
                      "Start with %s: without it, %s of the unique rows would no longer be unique.",
                      pv_study_quasi_name(inspected->opened->study, pv_exposure_part_a(best)),
                      cli_count_text(pv_exposure_part_unique_saved(best)).text);
    }
}

void cli_class_sizes_print(const cli_report *report, const uint64_t *histogram, uint64_t rows)
{
    static const cli_column columns[] = {{"rows alike", CLI_RIGHT},
                                         {"rows", CLI_RIGHT},
                                         {"share", CLI_RIGHT},
                                         {"", CLI_RAW},
                                         {NULL, CLI_LEFT}};
    cli_heading(report, "How many rows look alike");
    cli_grid *const grid = cli_grid_create(report, columns);
    for (size_t b = 0; b < PV_EXPOSURE_BINS; b++) {
        char bar[CLI_BAR_SIZE];
        cli_bar(report, cli_part(histogram[b], rows), BAR_WIDTH, bar);
        cli_grid_cell(grid, "%s", pv_exposure_bin_name(b));
        cli_grid_cell(grid, "%s", cli_count_text(histogram[b]).text);
        cli_grid_cell(grid, "%s", cli_share_text(cli_part(histogram[b], rows)).text);
        cli_grid_cell(grid, "%s", bar);
    }
    cli_grid_print(grid);
}

static void print_singles(const cli_report *report, const cli_inspected *inspected)
{
    static const cli_column columns[] = {{"attribute", CLI_LEFT},
                                         {"values", CLI_RIGHT},
                                         {"rare", CLI_RIGHT},
                                         {"unique rows", CLI_RIGHT},
                                         {"rare rows", CLI_RIGHT},
                                         {"saved without", CLI_RIGHT},
                                         {"", CLI_RAW},
                                         {NULL, CLI_LEFT}};
    const pv_exposure *const e = inspected->exposure;
    cli_heading(report, "What each attribute gives away");
    cli_grid *const grid = cli_grid_create(report, columns);
    for (size_t i = 0; i < pv_exposure_n_singles(e); i++) {
        const pv_exposure_part *const part = pv_exposure_single(e, i);
        char bar[CLI_BAR_SIZE];
        cli_bar(report, cli_part(pv_exposure_part_unique_saved(part), pv_exposure_unique_rows(e)),
                10, bar);
        cli_grid_cell(grid, "%s",
                      pv_study_quasi_name(inspected->opened->study, pv_exposure_part_a(part)));
        cli_grid_cell(grid, "%s", cli_count_text(pv_exposure_part_combinations(part)).text);
        cli_grid_cell(grid, "%s", cli_count_text(pv_exposure_part_rare_values(part)).text);
        cli_grid_cell(grid, "%s", cli_count_text(pv_exposure_part_unique_rows(part)).text);
        cli_grid_cell(grid, "%s", cli_count_text(pv_exposure_part_rare_rows(part)).text);
        cli_grid_cell(grid, "%s", cli_count_text(pv_exposure_part_unique_saved(part)).text);
        cli_grid_cell(grid, "%s", bar);
    }
    cli_grid_print(grid);
    cli_paragraph(report, 2,
                  "rare: values with fewer than %s rows. unique rows, rare rows: by this attribute "
                  "alone. saved without: unique rows of the whole table that would not be unique "
                  "if this attribute were left out.",
                  cli_count_text(pv_exposure_rare_below(e)).text);
}

/* The spellings are declared, so they may be shown: `""` 12, `-9` 3. */
static char *missing_text(const pv_table *table, size_t column)
{
    char *text = cli_copy("");
    for (size_t i = 0; i < pv_table_missing_spellings(table, column); i++) {
        uint64_t rows;
        const char *const spelling = pv_table_missing_spelling(table, column, i, &rows);
        cli_append(&text, "%s%s in %s", i > 0 ? ", " : "", spelling[0] != '\0' ? spelling : "empty",
                   cli_plural_text(rows, "row", "rows").text);
    }
    return text;
}

static void print_missing(const cli_report *report, const cli_inspected *inspected)
{
    static const cli_column columns[] = {{"column", CLI_LEFT},
                                         {"missing", CLI_RIGHT},
                                         {"share", CLI_RIGHT},
                                         {"spelled", CLI_WRAP},
                                         {NULL, CLI_LEFT}};
    const pv_table *const table = pv_study_table(inspected->opened->study);
    size_t c = 0;
    while (c < pv_table_columns(table) && cli_missing_rows(table, c) == 0) {
        c++;
    }
    cli_heading(report, "Missing values");
    if (c == pv_table_columns(table)) {
        cli_paragraph(report, 2, "none");
        return;
    }
    cli_grid *const grid = cli_grid_create(report, columns);
    for (; c < pv_table_columns(table); c++) {
        const uint64_t rows = cli_missing_rows(table, c);
        if (rows > 0) {
            char *const spelled = missing_text(table, c);
            cli_grid_cell(grid, "%s", pv_table_name(table, c));
            cli_grid_cell(grid, "%s", cli_count_text(rows).text);
            cli_grid_cell(grid, "%s", cli_share_text(cli_part(rows, pv_table_rows(table))).text);
            cli_grid_cell(grid, "%s", spelled);
            free(spelled);
        }
    }
    cli_grid_print(grid);
}

static void print_pairs(const cli_report *report, const cli_inspected *inspected)
{
    static const cli_column columns[] = {{"two attributes", CLI_WRAP}, {"distinct", CLI_RIGHT},
                                         {"unique rows", CLI_RIGHT},   {"rare rows", CLI_RIGHT},
                                         {"mean risk", CLI_RIGHT},     {NULL, CLI_LEFT}};
    const pv_exposure *const e = inspected->exposure;
    const pv_study *const study = inspected->opened->study;
    if (pv_exposure_n_pairs(e) == 0) {
        return;
    }
    cli_heading(report, "The most telling pairs");
    cli_grid *const grid = cli_grid_create(report, columns);
    for (size_t i = 0; i < pv_exposure_n_pairs(e) && i < SHOWN_PAIRS; i++) {
        const pv_exposure_part *const part = pv_exposure_pair(e, i);
        cli_grid_cell(grid, "%s + %s", pv_study_quasi_name(study, pv_exposure_part_a(part)),
                      pv_study_quasi_name(study, pv_exposure_part_b(part)));
        cli_grid_cell(grid, "%s", cli_count_text(pv_exposure_part_combinations(part)).text);
        cli_grid_cell(grid, "%s", cli_count_text(pv_exposure_part_unique_rows(part)).text);
        cli_grid_cell(grid, "%s", cli_count_text(pv_exposure_part_rare_rows(part)).text);
        cli_grid_cell(grid, "%s", cli_share_text(pv_exposure_part_mean_risk(part)).text);
    }
    cli_grid_print(grid);
    if (pv_exposure_n_pairs(e) > SHOWN_PAIRS) {
        cli_paragraph(report, 2, "%s more pairs with --json",
                      cli_count_text(pv_exposure_n_pairs(e) - SHOWN_PAIRS).text);
    }
}

void cli_inspected_print(const cli_report *report, const cli_inspected *inspected, bool brief)
{
    size_t n_bins = 0;
    print_summary(report, inspected);
    print_meaning(report, inspected);
    cli_class_sizes_print(report, pv_exposure_histogram(inspected->exposure, &n_bins),
                          pv_exposure_rows(inspected->exposure));
    print_singles(report, inspected);
    if (brief) {
        return;
    }
    print_pairs(report, inspected);
    print_missing(report, inspected);
    cli_heading(report, "Measures of the raw table");
    cli_measured_print(report, NULL, inspected->measured.values, inspected->measured.known,
                       CLI_FAMILY(PV_FAMILY_PRIVACY) | CLI_FAMILY(PV_FAMILY_BIAS) |
                           CLI_FAMILY(PV_FAMILY_RISK));
}
