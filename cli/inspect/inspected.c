/* The exposure of a raw table. Values of the data are counted, never shown. */
#include "inspect/inspected.h"

#include "core/fail.h"
#include "core/grid.h"
#include "core/json.h"
#include "core/text.h"

#include <stdlib.h>

#define SHOWN_PAIRS 10
#define BAR_WIDTH 30

pv_status cli_inspected_take(cli_run *run, const cli_opened *opened, uint64_t rare,
                             cli_inspected *inspected, pv_error *error)
{
    *inspected = (cli_inspected){.opened = opened};
    pv_status status =
        pv_exposure_create(opened->profile, rare, &run->context, &inspected->exposure, error);
    if (status == PV_STATUS_OK) {
        status = cli_measured_raw(opened->profile, &inspected->measured, error);
    }
    if (status != PV_STATUS_OK) {
        cli_inspected_free(inspected);
    }
    return status;
}

void cli_inspected_free(cli_inspected *inspected)
{
    pv_exposure_free(inspected->exposure);
    cli_measured_free(&inspected->measured);
    inspected->exposure = NULL;
}

static double share(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0.0;
}

static void print_summary(const cli_report *report, const cli_inspected *inspected)
{
    const pv_exposure *const e = inspected->exposure;
    const pv_study *const study = inspected->opened->study;
    char *const names = cli_quasi_names(study);
    cli_paragraph(report, 0, "%s: %s, nothing generalized yet",
                  pv_table_source(pv_study_table(study)),
                  cli_plural_text(e->rows, "row", "rows").text);
    cli_blank(report);
    cli_fact(report, CLI_NEUTRAL, "quasi-identifiers", "%s: %s", cli_count_text(e->n_singles).text,
             names);
    cli_fact(report, CLI_NEUTRAL, "combinations", "%s distinct ones occur",
             cli_count_text(e->tuples).text);
    cli_fact(report, CLI_NEUTRAL, "unique rows", "%s, %s of all: no one else looks like them",
             cli_count_text(e->unique_rows).text,
             cli_share_text(share(e->unique_rows, e->rows)).text);
    cli_fact(report, CLI_NEUTRAL, "prosecutor risk", "maximum %s, mean %s",
             cli_share_text(e->risk_max).text, cli_share_text(e->risk_mean).text);
    free(names);
}

static const pv_exposure_part *most_telling(const pv_exposure *e)
{
    const pv_exposure_part *best = NULL;
    for (size_t i = 0; i < e->n_singles; i++) {
        if (best == NULL || e->singles[i].unique_saved > best->unique_saved) {
            best = &e->singles[i];
        }
    }
    return best;
}

static void print_meaning(const cli_report *report, const cli_inspected *inspected)
{
    const pv_exposure *const e = inspected->exposure;
    const pv_exposure_part *const best = most_telling(e);
    cli_heading(report, "What it means");
    cli_paragraph(report, 2,
                  "Someone who knows these attributes of a person in the table finds that person's "
                  "row with certainty in %s of %s cases; picking at random among the rows that "
                  "match, they are right %s of the time.",
                  cli_count_text(e->unique_rows).text, cli_count_text(e->rows).text,
                  cli_share_text(e->risk_mean).text);
    if (best != NULL && best->unique_saved > 0) {
        cli_paragraph(report, 2,
                      "Start with %s: without it, %s of the unique rows would no longer be unique.",
                      pv_study_quasi_name(inspected->opened->study, best->a),
                      cli_count_text(best->unique_saved).text);
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
        cli_bar(report, share(histogram[b], rows), BAR_WIDTH, bar);
        cli_grid_cell(grid, "%s", pv_exposure_bin_names[b]);
        cli_grid_cell(grid, "%s", cli_count_text(histogram[b]).text);
        cli_grid_cell(grid, "%s", cli_share_text(share(histogram[b], rows)).text);
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
    for (size_t i = 0; i < e->n_singles; i++) {
        const pv_exposure_part *const part = &e->singles[i];
        char bar[CLI_BAR_SIZE];
        cli_bar(report, share(part->unique_saved, e->unique_rows), 10, bar);
        cli_grid_cell(grid, "%s", pv_study_quasi_name(inspected->opened->study, part->a));
        cli_grid_cell(grid, "%s", cli_count_text(part->combinations).text);
        cli_grid_cell(grid, "%s", cli_count_text(e->rare_values[i]).text);
        cli_grid_cell(grid, "%s", cli_count_text(part->unique_rows).text);
        cli_grid_cell(grid, "%s", cli_count_text(part->rare_rows).text);
        cli_grid_cell(grid, "%s", cli_count_text(part->unique_saved).text);
        cli_grid_cell(grid, "%s", bar);
    }
    cli_grid_print(grid);
    cli_paragraph(report, 2,
                  "rare: values with fewer than %s rows. unique rows, rare rows: by this attribute "
                  "alone. saved without: unique rows of the whole table that would not be unique "
                  "if this attribute were left out.",
                  cli_count_text(e->rare_below).text);
}

/* The spellings are declared, so they may be shown: `""` 12, `-9` 3. */
static char *missing_text(const pv_table *table, size_t column)
{
    char *text = cli_copy("");
    for (size_t i = 0; i < pv_table_missing_spellings(table, column); i++) {
        uint64_t rows;
        const char *const spelling = pv_table_missing_spelling(table, column, i, &rows);
        char *const longer = cli_format("%s%s%s in %s", text, i > 0 ? ", " : "",
                                        spelling[0] != '\0' ? spelling : "empty",
                                        cli_plural_text(rows, "row", "rows").text);
        free(text);
        text = longer;
    }
    return text;
}

static uint64_t missing_rows(const pv_table *table, size_t column)
{
    const uint32_t code = pv_table_missing(table, column);
    return code != PV_NO_CODE ? pv_table_count(table, column, code) : 0;
}

static void print_missing(const cli_report *report, const cli_inspected *inspected)
{
    static const cli_column columns[] = {{"column", CLI_LEFT},
                                         {"missing", CLI_RIGHT},
                                         {"share", CLI_RIGHT},
                                         {"spelled", CLI_WRAP},
                                         {NULL, CLI_LEFT}};
    const pv_table *const table = pv_study_table(inspected->opened->study);
    bool any = false;
    for (size_t c = 0; c < pv_table_columns(table); c++) {
        any = any || missing_rows(table, c) > 0;
    }
    cli_heading(report, "Missing values");
    if (!any) {
        cli_paragraph(report, 2, "none");
        return;
    }
    cli_grid *const grid = cli_grid_create(report, columns);
    for (size_t c = 0; c < pv_table_columns(table); c++) {
        const uint64_t rows = missing_rows(table, c);
        if (rows > 0) {
            char *const spelled = missing_text(table, c);
            cli_grid_cell(grid, "%s", pv_table_name(table, c));
            cli_grid_cell(grid, "%s", cli_count_text(rows).text);
            cli_grid_cell(grid, "%s", cli_share_text(share(rows, pv_table_rows(table))).text);
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
    if (e->n_pairs == 0) {
        return;
    }
    cli_heading(report, "The most telling pairs");
    cli_grid *const grid = cli_grid_create(report, columns);
    for (size_t i = 0; i < e->n_pairs && i < SHOWN_PAIRS; i++) {
        const pv_exposure_part *const part = &e->pairs[i];
        cli_grid_cell(grid, "%s + %s", pv_study_quasi_name(study, part->a),
                      pv_study_quasi_name(study, part->b));
        cli_grid_cell(grid, "%s", cli_count_text(part->combinations).text);
        cli_grid_cell(grid, "%s", cli_count_text(part->unique_rows).text);
        cli_grid_cell(grid, "%s", cli_count_text(part->rare_rows).text);
        cli_grid_cell(grid, "%s", cli_share_text(part->mean_risk).text);
    }
    cli_grid_print(grid);
    if (e->n_pairs > SHOWN_PAIRS) {
        cli_paragraph(report, 2, "%s more pairs with --json",
                      cli_count_text(e->n_pairs - SHOWN_PAIRS).text);
    }
}

void cli_inspected_print(const cli_report *report, const cli_inspected *inspected, bool brief)
{
    print_summary(report, inspected);
    print_meaning(report, inspected);
    cli_class_sizes_print(report, inspected->exposure->histogram, inspected->exposure->rows);
    print_singles(report, inspected);
    if (brief) {
        return;
    }
    print_pairs(report, inspected);
    print_missing(report, inspected);
    cli_heading(report, "Measures of the raw table");
    cli_measured_print(report, NULL, &inspected->measured,
                       CLI_FAMILY(PV_FAMILY_PRIVACY) | CLI_FAMILY(PV_FAMILY_BIAS) |
                           CLI_FAMILY(PV_FAMILY_RISK));
}

/* ------------------------------------------------------------------- JSON */

static json_t *part_json(const pv_exposure_part *part)
{
    json_t *const object = json_object();
    cli_json_set(object, "combinations", cli_json_count(part->combinations));
    cli_json_set(object, "unique", cli_json_count(part->unique_rows));
    cli_json_set(object, "rare", cli_json_count(part->rare_rows));
    cli_json_set(object, "mean_risk", cli_json_number(part->mean_risk));
    return object;
}

json_t *cli_class_sizes_json(const uint64_t *histogram)
{
    json_t *const list = json_array();
    for (size_t b = 0; b < PV_EXPOSURE_BINS; b++) {
        json_t *const bin = json_object();
        cli_json_set(bin, "size", cli_json_text(pv_exposure_bin_names[b]));
        cli_json_set(bin, "rows", cli_json_count(histogram[b]));
        cli_json_append(list, bin);
    }
    return list;
}

static json_t *singles_json(const cli_inspected *inspected)
{
    const pv_exposure *const e = inspected->exposure;
    json_t *const list = json_array();
    for (size_t i = 0; i < e->n_singles; i++) {
        json_t *const entry = part_json(&e->singles[i]);
        cli_json_set(entry, "attribute",
                     cli_json_text(pv_study_quasi_name(inspected->opened->study, e->singles[i].a)));
        cli_json_set(entry, "rare_values", cli_json_count(e->rare_values[i]));
        cli_json_set(entry, "unique_saved", cli_json_count(e->singles[i].unique_saved));
        cli_json_append(list, entry);
    }
    return list;
}

static json_t *pairs_json(const cli_inspected *inspected)
{
    const pv_exposure *const e = inspected->exposure;
    const pv_study *const study = inspected->opened->study;
    json_t *const list = json_array();
    for (size_t i = 0; i < e->n_pairs; i++) {
        json_t *const entry = part_json(&e->pairs[i]);
        json_t *const names = json_array();
        cli_json_append(names, cli_json_text(pv_study_quasi_name(study, e->pairs[i].a)));
        cli_json_append(names, cli_json_text(pv_study_quasi_name(study, e->pairs[i].b)));
        cli_json_set(entry, "attributes", names);
        cli_json_append(list, entry);
    }
    return list;
}

static json_t *missing_json(const pv_table *table)
{
    json_t *const list = json_array();
    for (size_t c = 0; c < pv_table_columns(table); c++) {
        json_t *const entry = json_object();
        json_t *const spellings = json_object();
        for (size_t i = 0; i < pv_table_missing_spellings(table, c); i++) {
            uint64_t rows;
            const char *const spelling = pv_table_missing_spelling(table, c, i, &rows);
            cli_json_set(spellings, spelling, cli_json_count(rows));
        }
        cli_json_set(entry, "column", cli_json_text(pv_table_name(table, c)));
        cli_json_set(entry, "rows", cli_json_count(missing_rows(table, c)));
        cli_json_set(entry, "spellings", spellings);
        cli_json_append(list, entry);
    }
    return list;
}

void cli_inspected_json(json_t *object, const cli_inspected *inspected)
{
    const pv_exposure *const e = inspected->exposure;
    json_t *const exposure = json_object();
    cli_json_set(exposure, "unique", cli_json_count(e->unique_rows));
    cli_json_set(exposure, "unique_share", cli_json_number(share(e->unique_rows, e->rows)));
    cli_json_set(exposure, "risk_max", cli_json_number(e->risk_max));
    cli_json_set(exposure, "risk_mean", cli_json_number(e->risk_mean));
    cli_json_set(exposure, "rare_below", cli_json_count(e->rare_below));
    cli_json_set(exposure, "classes", cli_class_sizes_json(e->histogram));
    cli_json_set(exposure, "attributes", singles_json(inspected));
    cli_json_set(exposure, "pairs", pairs_json(inspected));
    cli_json_set(object, "table", cli_opened_json(inspected->opened));
    cli_json_set(object, "missing", missing_json(pv_study_table(inspected->opened->study)));
    cli_json_set(object, "exposure", exposure);
    cli_json_set(object, "measures", cli_measured_json(&inspected->measured));
}
