/* The exposure of a raw table for programs. */
#include "inspect/inspect.h"

#include "core/json.h"

static json_t *part_json(const pv_exposure_part *part)
{
    json_t *const object = json_object();
    cli_json_set(object, "combinations", cli_json_count(pv_exposure_part_combinations(part)));
    cli_json_set(object, "unique", cli_json_count(pv_exposure_part_unique_rows(part)));
    cli_json_set(object, "rare", cli_json_count(pv_exposure_part_rare_rows(part)));
    cli_json_set(object, "mean_risk", cli_json_number(pv_exposure_part_mean_risk(part)));
    return object;
}

json_t *cli_class_sizes_json(const uint64_t *histogram)
{
    json_t *const list = json_array();
    for (size_t b = 0; b < PV_EXPOSURE_BINS; b++) {
        json_t *const bin = json_object();
        cli_json_set(bin, "size", cli_json_text(pv_exposure_bin_name(b)));
        cli_json_set(bin, "rows", cli_json_count(histogram[b]));
        cli_json_append(list, bin);
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
        cli_json_set(entry, "rows", cli_json_count(cli_missing_rows(table, c)));
        cli_json_set(entry, "spellings", spellings);
        cli_json_append(list, entry);
    }
    return list;
}

void cli_inspected_json(json_t *object, const cli_inspected *inspected)
{
    const pv_exposure *const e = inspected->exposure;
    const pv_study *const study = inspected->opened->study;
    json_t *const exposure = json_object();
    json_t *const singles = json_array();
    json_t *const pairs = json_array();
    size_t n_bins = 0;
    for (size_t i = 0; i < pv_exposure_n_singles(e); i++) {
        const pv_exposure_part *const part = pv_exposure_single(e, i);
        json_t *const entry = part_json(part);
        cli_json_set(entry, "attribute", cli_json_text(pv_study_quasi_name(study, i)));
        cli_json_set(entry, "rare_values", cli_json_count(pv_exposure_part_rare_values(part)));
        cli_json_set(entry, "unique_saved", cli_json_count(pv_exposure_part_unique_saved(part)));
        cli_json_append(singles, entry);
    }
    for (size_t i = 0; i < pv_exposure_n_pairs(e); i++) {
        const pv_exposure_part *const part = pv_exposure_pair(e, i);
        json_t *const entry = part_json(part);
        json_t *const names = json_array();
        cli_json_append(names, cli_json_text(pv_study_quasi_name(study, pv_exposure_part_a(part))));
        cli_json_append(names, cli_json_text(pv_study_quasi_name(study, pv_exposure_part_b(part))));
        cli_json_set(entry, "attributes", names);
        cli_json_append(pairs, entry);
    }
    cli_json_set(exposure, "unique", cli_json_count(pv_exposure_unique_rows(e)));
    cli_json_set(exposure, "unique_share",
                 cli_json_number(cli_part(pv_exposure_unique_rows(e), pv_exposure_rows(e))));
    cli_json_set(exposure, "risk_max", cli_json_number(pv_exposure_risk_max(e)));
    cli_json_set(exposure, "risk_mean", cli_json_number(pv_exposure_risk_mean(e)));
    cli_json_set(exposure, "rare_below", cli_json_count(pv_exposure_rare_below(e)));
    cli_json_set(exposure, "classes", cli_class_sizes_json(pv_exposure_histogram(e, &n_bins)));
    cli_json_set(exposure, "attributes", singles);
    cli_json_set(exposure, "pairs", pairs);
    cli_json_set(object, "table", cli_opened_json(inspected->opened));
    cli_json_set(object, "missing", missing_json(pv_study_table(study)));
    cli_json_set(object, "exposure", exposure);
    cli_json_set(object, "measures",
                 cli_measured_json(inspected->measured.values, inspected->measured.known));
}
