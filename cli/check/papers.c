/* A release and its papers: do they belong together, and is the table what the certificate says? */
#include "check/check.h"

#include "core/fail.h"
#include "core/json.h"
#include "core/options.h"
#include "core/report.h"
#include "core/text.h"

#include <stdlib.h>
#include <sys/stat.h>

#define CERTIFICATE ".certificate.json"
#define LARGEST_CERTIFICATE (1 << 24)

static const char *const states[] = {
    [PV_PAPER_INTACT] = "intact", [PV_PAPER_CHANGED] = "changed", [PV_PAPER_MISSING] = "missing"};

/* ------------------------------------------------------------------- find */

/* NULL if it is missing or was changed. */
static json_t *read_certificate(const pv_papers *papers)
{
    const size_t file = pv_papers_find(papers, CERTIFICATE);
    if (file == SIZE_MAX || pv_papers_state(papers, file) != PV_PAPER_INTACT) {
        return NULL;
    }
    char *const path = pv_papers_path(papers, file);
    struct stat info;
    json_t *const certificate =
        path != NULL && stat(path, &info) == 0 && info.st_size <= LARGEST_CERTIFICATE
            ? json_load_file(path, 0, NULL)
            : NULL;
    pv_string_free(path);
    return certificate;
}

static pv_status no_papers(const char *table, pv_error *error)
{
    return cli_hint(cli_error_at(error, PV_STATUS_ARGUMENT, table, 0, 0,
                                 "no papers beside it belong to this table; which of its columns "
                                 "are the quasi-identifiers?"),
                    error,
                    "give --plan PLAN or --quasi age,sex,zip; or --papers FOLDER, if they are "
                    "elsewhere");
}

pv_status cli_papers_find(const char *table, const char *folder, cli_papers *papers,
                          pv_error *error)
{
    *papers = (cli_papers){0};
    if (cli_equal(table, "-")) {
        return no_papers(table, error);
    }
    CLI_TRY(pv_papers_check(table, folder, &papers->found, error));
    if (pv_papers_folder(papers->found) == NULL) {
        cli_papers_free(papers);
        return no_papers(table, error);
    }
    papers->certificate = read_certificate(papers->found);
    if (papers->certificate == NULL) {
        const pv_status status = cli_hint(
            cli_error_at(error, PV_STATUS_UNSATISFIED, pv_papers_folder(papers->found), 0, 0,
                         "the certificate is missing, or is not the one that was written"),
            error, "ask whoever released the table for it");
        cli_papers_free(papers);
        return status;
    }
    return PV_STATUS_OK;
}

void cli_papers_free(cli_papers *papers)
{
    pv_papers_free(papers->found);
    json_decref(papers->certificate);
    free(papers->faults);
    *papers = (cli_papers){0};
}

/* ------------------------------------------------- what the certificate says */

char **cli_papers_columns(const cli_papers *papers, const char *role, size_t *n)
{
    const json_t *const list = json_object_get(json_object_get(papers->certificate, "table"), role);
    char **const names = cli_zeroed(json_array_size(list) + 1, sizeof *names);
    *n = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *const name = json_string_value(json_array_get(list, i));
        if (name != NULL) {
            names[(*n)++] = cli_copy(name);
        }
    }
    return names;
}

bool cli_papers_escaped(const cli_papers *papers)
{
    const json_t *const released = json_object_get(papers->certificate, "released");
    return json_is_true(json_object_get(json_object_get(released, "formulas"), "escaped"));
}

const char *cli_papers_label(const cli_papers *papers)
{
    return json_string_value(
        json_object_get(json_object_get(papers->certificate, "table"), "label"));
}

/* -1 = it says nothing. */
static json_int_t certified(const cli_papers *papers, const char *group, const char *name)
{
    const json_t *const within =
        group != NULL ? json_object_get(papers->certificate, group) : papers->certificate;
    const json_t *const value = json_object_get(within, name);
    return json_is_integer(value) ? json_integer_value(value) : -1;
}

/* ------------------------------------------------------------------ judge */

/* What is missing may have been kept by the publisher; what was changed belongs to nothing. */
pv_status cli_papers_judge(const char *table, cli_papers *papers, const pv_audit *audit,
                           pv_error *error)
{
    if (papers->found == NULL) {
        return PV_STATUS_OK;
    }
    const json_int_t k = certified(papers, "measures", "k");
    const json_int_t suppressed = certified(papers, NULL, "suppressed");
    papers->faults = cli_copy("");
    if (pv_papers_table(papers->found) != PV_PAPER_INTACT) {
        cli_append(&papers->faults, "\nit is not the table that these papers were written for");
    }
    for (size_t i = 0; i < pv_papers_n_files(papers->found); i++) {
        if (pv_papers_state(papers->found, i) == PV_PAPER_CHANGED) {
            cli_append(&papers->faults, "\n%s was changed", pv_papers_name(papers->found, i));
        }
    }
    if (k != (json_int_t)pv_audit_k(audit)) {
        cli_append(&papers->faults, "\nthe certificate says k = %lld, the file has k = %llu",
                   (long long)k, (unsigned long long)pv_audit_k(audit));
    }
    if (suppressed >= 0 && suppressed != (json_int_t)pv_audit_suppressed(audit) &&
        !json_is_true(json_object_get(papers->certificate, "drops_suppressed"))) {
        cli_append(&papers->faults,
                   "\nthe certificate says %lld rows are suppressed, in the file %llu are",
                   (long long)suppressed, (unsigned long long)pv_audit_suppressed(audit));
    }
    return papers->faults[0] == '\0'
               ? PV_STATUS_OK
               : cli_hint(cli_error_at(error, PV_STATUS_UNSATISFIED, table, 0, 0,
                                       "the release and its papers in %s do not belong together:%s",
                                       pv_papers_folder(papers->found), papers->faults),
                          error, "take neither for what the other says");
}

/* ------------------------------------------------------------------- show */

void cli_papers_print(const cli_report *report, const cli_papers *papers, const pv_audit *audit)
{
    size_t n[PV_PAPER_MISSING + 1] = {0};
    if (papers->found == NULL) {
        return;
    }
    const bool good = papers->faults[0] == '\0';
    const char *const verdict = json_string_value(json_object_get(papers->certificate, "verdict"));
    for (size_t i = 0; i < pv_papers_n_files(papers->found); i++) {
        n[pv_papers_state(papers->found, i)]++;
    }
    cli_heading(report, "Its papers");
    cli_fact(report, good ? CLI_GOOD : CLI_BAD, good ? "belong together" : "DO NOT BELONG",
             "%s/: %zu as written, %zu changed, %zu not there", pv_papers_folder(papers->found),
             n[PV_PAPER_INTACT], n[PV_PAPER_CHANGED], n[PV_PAPER_MISSING]);
    cli_fact(report, CLI_NEUTRAL, "the certificate", "%s; k = %lld, the file has k = %s",
             verdict != NULL ? verdict : "says nothing",
             (long long)certified(papers, "measures", "k"), cli_count_text(pv_audit_k(audit)).text);
}

json_t *cli_papers_json(const cli_papers *papers)
{
    if (papers->found == NULL) {
        return json_null();
    }
    json_t *const object = json_object();
    json_t *const files = json_array();
    const json_t *const verdict = json_object_get(papers->certificate, "verdict");
    cli_json_set(object, "folder", cli_json_text(pv_papers_folder(papers->found)));
    cli_json_set(object, "table", cli_json_text(states[pv_papers_table(papers->found)]));
    cli_json_set(object, "verdict",
                 json_is_string(verdict) ? cli_json_text(json_string_value(verdict)) : json_null());
    for (size_t i = 0; i < pv_papers_n_files(papers->found); i++) {
        json_t *const file = json_object();
        cli_json_set(file, "name", cli_json_text(pv_papers_name(papers->found, i)));
        cli_json_set(file, "state", cli_json_text(states[pv_papers_state(papers->found, i)]));
        cli_json_append(files, file);
    }
    cli_json_set(object, "files", files);
    return object;
}
