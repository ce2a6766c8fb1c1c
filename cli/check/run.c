/* `paravent check FILE`: does any file, whoever made it, satisfy k, l, t...? */
#include "check/check.h"
#include "core/fail.h"
#include "core/json.h"
#include "core/opened.h"
#include "core/text.h"

#include <stdlib.h>

cli_demand_found cli_demand_find(const cli_subject *s, const pv_audit *audit, size_t demand)
{
    const pv_constraint *const constraint = &s->demands.list[demand];
    const pv_audit_value *const value = pv_audit_find(audit, constraint->ref);
    if (value == NULL || !value->available) {
        return (cli_demand_found){0};
    }
    return (cli_demand_found){.known = true,
                              .holds = pv_constraint_holds(constraint, value->value),
                              .value = value->value,
                              .column = value->sensitive != SIZE_MAX && s->n_sensitive > 1
                                            ? s->sensitive[value->sensitive]
                                            : NULL};
}

/* Unmet demands as one failure that lists them. */
static pv_status judge(const cli_subject *s, const pv_audit *audit, pv_error *error)
{
    char *list = cli_copy("");
    size_t unmet = 0;
    for (size_t i = 0; i < s->demands.n; i++) {
        const cli_demand_found found = cli_demand_find(s, audit, i);
        if (!found.holds) {
            char text[PV_MEASURE_TEXT_SIZE];
            const char *const column =
                s->demands.list[i].ref.column[0] == '\0' ? found.column : NULL;
            pv_constraint_text(&s->demands.list[i], text, sizeof text);
            cli_append(&list, "\n%s does not hold: %s%s%s", text,
                       found.known ? cli_value_text(found.value).text : "it could not be measured",
                       column != NULL ? ", for column " : "", column != NULL ? column : "");
            unmet++;
        }
    }
    const pv_status status = unmet == 0 ? PV_STATUS_OK
                                        : cli_error_at(error, PV_STATUS_UNSATISFIED, s->file, 0, 0,
                                                       "%zu of %zu demanded constraints unmet%s",
                                                       unmet, s->demands.n, list);
    free(list);
    return status;
}

static pv_status explain(cli_run *run, pv_error *error)
{
    const char *const file = run->operands.list[0];
    char *sql = NULL;
    if (!pv_is_place(file)) {
        char *const text = cli_format("-- %s is a file, which is read without SQL;\n", file);
        cli_explain_print(run, text);
        free(text);
        return PV_STATUS_OK;
    }
    CLI_TRY(pv_place_explain(file, &run->context, &sql, error));
    char *const text = cli_format("%s;\n", sql);
    cli_explain_print(run, text);
    free(text);
    pv_string_free(sql);
    return PV_STATUS_OK;
}

static pv_status run_check(cli_run *run, const void *given, pv_error *error)
{
    pv_status status = PV_STATUS_OK;
    pv_error of_papers = {0};
    pv_audit *audit = NULL;
    cli_subject s = {0};
    if (((const cli_check_settings *)given)->explain) {
        return explain(run, error);
    }
    CLI_TRY_CLEAN(cli_subject_take(run, given, &s, error));
    CLI_TRY_CLEAN((pv_is_place(s.file) ? pv_place_audit : pv_audit_file)(
        s.file, &s.options, &run->context, &audit, error));
    const pv_status belongs = cli_papers_judge(s.file, &s.papers, audit, &of_papers);
    status = judge(&s, audit, error);
    if (status == PV_STATUS_OK && belongs != PV_STATUS_OK) {
        status = belongs;
        *error = of_papers;
    }
    if (run->common->json) {
        cli_json_print(run, cli_audit_json(&s, audit, status == PV_STATUS_OK));
    } else if (cli_run_talks(run)) {
        cli_audit_print(&run->report, &s, audit);
    }
cleanup:
    pv_audit_free(audit);
    cli_subject_free(&s);
    return status;
}

static const char *const description[] = {
    "Measures a finished file with the independent checker: its own simple reader, its own counter "
    "and its own formulas. It does not matter who made the file. Rows whose quasi-identifiers are "
    "all * count as suppressed.",
    "A single * can be read in two ways, and both are reported: as a value of its own, which only "
    "other * equal, or as a wildcard that may stand for anything, on either side of the "
    "comparison.",
    "A table that `paravent release` wrote needs no more than its name: its papers are found by "
    "its "
    "hash, they say which columns are what, and it is checked that table, certificate and scheme "
    "belong together and that the file is what the certificate says.",
    "With --require (or a plan that has `require`) the exit status is 3 if a demand is not met, "
    "and "
    "so it is if a release and its papers do not belong together.",
    NULL,
};

static const cli_example examples[] = {
    {"paravent check release.csv", "is a release of ours what its certificate says?"},
    {"paravent check release.csv --plan plan.yaml", "measure it by a plan"},
    {"paravent check 'postgresql://host/db?table=released'",
     "the same of a table in a database: its equal rows are counted there"},
    {"paravent check theirs.csv --quasi age,sex,zip --sensitive disease --require k=5,l-distinct=3",
     "does someone else's file keep what it promises?"},
    {NULL, NULL},
};

const cli_command cli_command_check = {
    .name = "check",
    .operands = "FILE",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "does any file satisfy k, l, t...? Measures of a table whoever made it",
    .description = description,
    .options = cli_check_options,
    .examples = examples,
    .settings_size = sizeof(cli_check_settings),
    .run = run_check,
};
