/* Writes the release of a candidate, by the command whose line is shown; or says, without writing,
 * what it would have and why it would be refused. */
#include "server/candidate.h"

#include "core/fail.h"
#include "core/json.h"
#include "core/measured.h"
#include "core/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ----------------------------------------------------------------------- words */

/* Of the command's options those that do not say what the spec says already. */
static const char *const allowed[] = {
    "force",           "row-map",         "shuffle",          "keep-order",       "seed",
    "drop-suppressed", "escape-formulas", "hash-identifiers", "output-delimiter", NULL};

static pv_status take_options(const json_t *given, json_t *options, pv_error *error)
{
    const char *name;
    json_t *value;
    if (given != NULL && !json_is_null(given) && !json_is_object(given)) {
        return cli_error(error, PV_STATUS_ARGUMENT, "`options` are an object by name");
    }
    json_object_foreach((json_t *)(uintptr_t)given, name, value)
    {
        size_t i = 0;
        while (allowed[i] != NULL && !cli_equal(allowed[i], name)) {
            i++;
        }
        if (allowed[i] == NULL) {
            return cli_hint(cli_error(error, PV_STATUS_ARGUMENT,
                                      "--%s is no option of writing a release", name),
                            error, "levels, cuts and demands are those of the spec");
        }
        cli_json_set(options, name, json_incref(value));
    }
    return PV_STATUS_OK;
}

static pv_status take_output(const web_call *call, const char **output, pv_error *error)
{
    static const char *const endings[] = {".csv", ".tsv", ".gz", ".zst"};
    CLI_TRY(web_text_of(call->params, "output", output, error));
    for (size_t i = 0; *output != NULL && i < sizeof endings / sizeof *endings; i++) {
        if (cli_ends_with(*output, endings[i])) {
            return PV_STATUS_OK;
        }
    }
    return cli_hint(cli_error(error, PV_STATUS_ARGUMENT, "`output` needs the name of a table"),
                    error, "such as release.csv; .gz and .zst compress");
}

/* "out/census.csv.gz": the cuts are in "out/census.cuts.json". Owned. */
static char *cuts_name(const char *output)
{
    char *const stem = cli_path_stem(output);
    const char *const name = cli_path_name(output);
    char *const path = cli_format("%.*s%s.cuts.json", (int)(name - output), output, stem);
    free(stem);
    return path;
}

/* ------------------------------------------------------------------------ cuts */

/* The file of cuts that the line names. It is there before the release, and what it was before if
 * there is none. */
typedef struct {
    char *file;   /* NULL = none is needed */
    char *before; /* what it said; NULL = it was not there */
    bool is_written;
} cuts_file;

/* All of a small file; NULL if there is none. Owned. */
static char *read_small(const char *path)
{
    FILE *const file = fopen(path, "rb");
    char *text = NULL;
    size_t size = 0;
    size_t got = 1;
    while (file != NULL && got > 0) {
        char *const longer = realloc(text, size + BUFSIZ + 1);
        if (longer == NULL) {
            cli_no_memory();
        }
        text = longer;
        got = fread(text + size, 1, BUFSIZ, file);
        size += got;
        text[size] = '\0';
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return text;
}

/* For the publisher alone, since it has values of the data. */
static pv_status write_cuts(web_call *call, const json_t *spec, const char *path, bool force,
                            cuts_file *written, pv_error *error)
{
    pv_cuts *cuts = NULL;
    char *text = NULL;
    CLI_TRY(web_path(call, path, true, &written->file, error));
    CLI_TRY(web_cuts_of(spec, &cuts, error));
    pv_status status = pv_cuts_text(cuts, &text, error);
    pv_cuts_free(cuts);
    CLI_TRY(status);
    written->before = read_small(written->file);
    status = pv_text_write(written->file, text, PV_AUDIENCE_PUBLISHER, force, error);
    written->is_written = status == PV_STATUS_OK;
    pv_string_free(text);
    return status;
}

/* Nothing was released: the file of another release is given back. */
static void undo_cuts(const cuts_file *written)
{
    if (written->is_written && written->before == NULL) {
        (void)unlink(written->file);
    } else if (written->is_written) {
        pv_error ignored;
        (void)(pv_text_write(written->file, written->before, PV_AUDIENCE_PUBLISHER, true,
                             &ignored) == PV_STATUS_OK);
    }
}

/* ----------------------------------------------------------------------- write */

/* The options of the command that writes it: what the spec says, where to, and how. */
static pv_status gather(const web_call *call, const json_t *spec, json_t **options, char **cuts,
                        pv_error *error)
{
    const char *output = NULL;
    CLI_TRY(take_output(call, &output, error));
    *cuts = cuts_name(output);
    CLI_TRY(web_spec_options(call, spec, *cuts, options, error));
    cli_json_set(*options, "output", cli_json_text(output));
    return take_options(json_object_get(call->params, "options"), *options, error);
}

static pv_status write_release(web_call *call, const json_t *spec, json_t **result, pv_error *error)
{
    char *cuts = NULL;
    cuts_file written = {0};
    pv_status status = PV_STATUS_OK;
    json_t *options = NULL;
    json_t *const operands = json_pack("[s]", "plan");
    CLI_TRY_CLEAN(gather(call, spec, &options, &cuts, error));
    if (json_object_get(options, "cuts") != NULL) {
        const bool force = json_is_true(json_object_get(options, "force"));
        CLI_TRY_CLEAN(write_cuts(call, spec, cuts, force, &written, error));
    }
    status = web_command_run(call, "release", options, operands, result, error);
    if (status != PV_STATUS_OK) {
        undo_cuts(&written);
    }
cleanup:
    json_decref(options);
    json_decref(operands);
    free(cuts);
    free(written.file);
    free(written.before);
    return status;
}

/* ------------------------------------------------------------------------- dry */

/* What an attacker who knows the quasi-identifiers and this column could tell: as the auditor
 * counts it in the file. */
typedef struct {
    uint64_t values, unique;
    uint64_t unique_with, k_with;
} exposed;

/* Rows by class, those that are suppressed as one class: starts[i] .. starts[i+1]-1. */
typedef struct {
    uint64_t *rows, *starts;
    size_t n;       /* the last one is that of the suppressed */
    uint64_t alone; /* rows that nobody looks like */
} classed;

static classed class_rows(const web_candidate *c)
{
    const uint64_t n_rows = pv_profile_rows(c->opened.profile);
    classed by = {.n = pv_classes_total(c->classes) + 1};
    by.starts = cli_zeroed(by.n + 2, sizeof *by.starts);
    by.rows = cli_zeroed(n_rows + 1, sizeof *by.rows);
    for (int pass = 0; pass < 2; pass++) { /* counts, then places */
        for (uint64_t row = 0; row < n_rows; row++) {
            const size_t own = web_class_of(c, row);
            const size_t class = pv_classes_is_suppressed(c->classes, own) ? by.n - 1 : own;
            if (pass == 0) {
                by.starts[class + 2]++;
            } else {
                by.rows[by.starts[class + 1]++] = row;
            }
        }
        for (size_t i = 2; pass == 0 && i < by.n + 2; i++) {
            by.starts[i] += by.starts[i - 1];
        }
    }
    for (size_t i = 0; i < by.n; i++) {
        by.alone += by.starts[i + 1] - by.starts[i] == 1;
    }
    return by;
}

static exposed expose(const classed *by, const pv_table *table, size_t column)
{
    const uint32_t n_codes = pv_table_values(table, column);
    uint64_t *const count = cli_zeroed(n_codes + (size_t)1, sizeof *count);
    exposed e = {.values = n_codes};
    for (uint32_t code = 0; code < n_codes; code++) {
        e.unique += pv_table_count(table, column, code) == 1;
    }
    for (size_t i = 0; i < by->n; i++) {
        for (uint64_t at = by->starts[i]; at < by->starts[i + 1]; at++) {
            count[pv_table_code(table, column, by->rows[at])]++;
        }
        for (uint64_t at = by->starts[i]; at < by->starts[i + 1]; at++) {
            uint64_t *const same = &count[pv_table_code(table, column, by->rows[at])];
            if (*same > 0) {
                e.unique_with += *same == 1;
                e.k_with = i + 1 < by->n && (e.k_with == 0 || *same < e.k_with) ? *same : e.k_with;
                *same = 0;
            }
        }
    }
    free(count);
    return e;
}

static uint64_t demanded_k(const web_candidate *c)
{
    double k = 2; /* nobody shall be alone anyway */
    for (size_t i = 0; i < c->n_demands; i++) {
        const pv_constraint *const demand = &c->demands[i];
        k = demand->ref.measure->rule == PV_RULE_SIZE && demand->bound > k ? demand->bound : k;
    }
    return k < (double)UINT32_MAX ? (uint64_t)k + ((double)(uint64_t)k < k) : UINT32_MAX;
}

/* Why the column stops the release, as the library judges the written file; NULL = it does not.
 * Owned. */
static char *problem_of(const web_candidate *c, const classed *by, const exposed *e, pv_role role,
                        uint64_t missing)
{
    const uint64_t rows = pv_profile_rows(c->opened.profile);
    const uint64_t least = demanded_k(c);
    if (role !=
        PV_ROLE_OTHER) { /* taken to be known by nobody, but for values that each name a row */
        return 2 * e->unique > rows - missing
                   ? cli_format("%s of its %s values occur in one row only",
                                cli_count_text(e->unique).text, cli_count_text(e->values).text)
                   : NULL;
    }
    return e->unique > 0
               ? cli_format("%s of its %s values %s in one row only",
                            cli_count_text(e->unique).text, cli_count_text(e->values).text,
                            e->unique == 1 ? "occurs" : "occur")
           : e->unique_with > by->alone
               ? cli_format("with the quasi-identifiers %s alone",
                            cli_plural_text(e->unique_with, "row is", "rows are").text)
           : pv_classes_k(c->classes) >= least && e->k_with < least && e->k_with > 0
               ? cli_format("with the quasi-identifiers only %s alike",
                            cli_plural_text(e->k_with, "row looks", "rows look").text)
               : NULL;
}

static json_t *unchanged_json(const web_candidate *c, const classed *by, size_t column, bool drops)
{
    const pv_table *const table = pv_study_table(c->opened.study);
    const char *const name = pv_table_name(table, column);
    const pv_plan_attribute *const attribute = pv_plan_find(c->opened.plan, name);
    const pv_role role = attribute != NULL ? pv_attribute_role(attribute) : PV_ROLE_OTHER;
    const bool is_accepted = attribute != NULL && pv_attribute_is_unique_accepted(attribute);
    const exposed e = expose(by, table, column);
    /* With rows left out the file is another one than was looked at here. */
    char *const problem =
        is_accepted || drops ? NULL : problem_of(c, by, &e, role, cli_missing_rows(table, column));
    json_t *const object = json_object();
    cli_json_set(object, "name", cli_json_text(name));
    cli_json_set(object, "role", cli_json_text(pv_role_name(role)));
    cli_json_set(object, "treatment", cli_json_text("unchanged"));
    cli_json_set(object, "values", cli_json_count(e.values));
    cli_json_set(object, "unique", cli_json_count(e.unique));
    cli_json_set(object, "unique_with_quasi", cli_json_count(e.unique_with));
    cli_json_set(object, "k_with_quasi", e.k_with > 0 ? cli_json_count(e.k_with) : json_null());
    cli_json_set(object, "accepted", cli_json_bool(is_accepted));
    cli_json_set(object, "problem", problem != NULL ? cli_json_text(problem) : json_null());
    free(problem);
    return object;
}

/* Every released column, the quasi-identifiers first, and those that are dropped. */
static void set_columns(const web_call *call, const web_candidate *c, json_t *object)
{
    const pv_study *const study = c->opened.study;
    const pv_table *const table = pv_study_table(study);
    const pv_plan *const plan = c->opened.plan;
    const bool drops =
        json_is_true(json_object_get(json_object_get(call->params, "options"), "drop-suppressed"));
    json_t *const columns = json_array();
    json_t *const dropped = json_array();
    for (size_t q = 0; q < pv_study_quasis(study); q++) {
        json_t *const column = json_object();
        cli_json_set(column, "name", cli_json_text(pv_study_quasi_name(study, q)));
        cli_json_set(column, "role", cli_json_text(pv_role_name(PV_ROLE_QUASI)));
        cli_json_set(column, "treatment", cli_json_text("generalized"));
        cli_json_set(column, "values", cli_json_count(web_labels_shown(c, q)));
        cli_json_set(column, "unique", json_null());
        cli_json_set(column, "problem", json_null());
        cli_json_append(columns, column);
    }
    classed by = class_rows(c);
    for (size_t column = 0; column < pv_table_columns(table); column++) {
        const char *const name = pv_table_name(table, column);
        const pv_plan_attribute *const attribute = pv_plan_find(plan, name);
        const bool is_quasi = attribute != NULL && pv_attribute_role(attribute) == PV_ROLE_QUASI;
        if (!is_quasi && !web_is_hidden(plan, name)) {
            cli_json_append(columns, unchanged_json(c, &by, column, drops));
        }
    }
    free(by.rows);
    free(by.starts);
    for (size_t i = 0; i < pv_plan_n_attributes(plan); i++) {
        const pv_plan_attribute *const attribute = pv_plan_attribute_at(plan, i);
        if (pv_attribute_role(attribute) == PV_ROLE_IDENTIFIER) {
            cli_json_append(dropped, cli_json_text(pv_attribute_name(attribute)));
        }
    }
    for (size_t i = 0; i < pv_study_unnamed(call->snapshot->opened.study); i++) {
        cli_json_append(dropped,
                        cli_json_text(pv_study_unnamed_name(call->snapshot->opened.study, i)));
    }
    cli_json_set(object, "columns", columns);
    cli_json_set(object, "dropped", dropped);
}

static pv_status set_judgement(const web_call *call, const web_candidate *c, json_t *object,
                               pv_error *error)
{
    json_t *const demands = json_array();
    cli_json_set(object, "demands", demands);
    for (size_t i = 0; i < c->n_demands; i++) {
        double value = 0;
        CLI_TRY(pv_measure_value(c->demands[i].ref, c->classes, &value, error));
        cli_json_append(demands, cli_demand_json(&c->demands[i], true, value));
    }
    const pv_budget budget = {.rows = c->budget};
    const pv_release_options options = {.size = sizeof options,
                                        .context = &call->context,
                                        .constraints = c->demands,
                                        .n_constraints = c->n_demands,
                                        .budget = &budget,
                                        .as_needed = true};
    pv_error blocked = {0};
    const pv_status status = pv_release_check(c->opened.study, c->scheme, &options, &blocked);
    if (status != PV_STATUS_OK && status != PV_STATUS_UNSATISFIED) {
        *error = blocked;
        return status;
    }
    blocked.status = status;
    cli_json_set(object, "blocked",
                 status == PV_STATUS_OK ? json_null() : cli_error_body(&blocked));
    return PV_STATUS_OK;
}

static pv_status describe_release(web_call *call, const json_t *spec, json_t **result,
                                  pv_error *error)
{
    web_candidate *c = NULL;
    json_t *options = NULL;
    char *cuts = NULL;
    pv_status status = PV_STATUS_OK;
    CLI_TRY_CLEAN(gather(call, spec, &options, &cuts, error));
    CLI_TRY_CLEAN(web_candidate_find(call, spec, &c, error));
    json_t *const object = json_object();
    char *const line = web_line(call, options);
    cli_json_set(object, "line", cli_json_text(line));
    free(line);
    set_columns(call, c, object);
    status = set_judgement(call, c, object, error);
    if (status == PV_STATUS_OK) {
        *result = object;
    } else {
        json_decref(object);
    }
cleanup:
    web_candidate_release(c);
    json_decref(options);
    free(cuts);
    return status;
}

pv_status web_release(web_call *call, json_t **result, pv_error *error)
{
    const json_t *spec = NULL;
    CLI_TRY(web_spec_of(call, &spec, error));
    return json_is_true(json_object_get(call->params, "dry"))
               ? describe_release(call, spec, result, error)
               : write_release(call, spec, result, error);
}
