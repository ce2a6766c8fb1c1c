/* What is to be checked: the options, and which columns of the file are what, by the plan, by the
 * options or by the certificate of a release. */
#include "check/check.h"
#include "core/fail.h"
#include "core/text.h"

#include <stdlib.h>

#define OPTION(...) CLI_OPTION(cli_check_settings, __VA_ARGS__)

const cli_option cli_check_options[] = {
    OPTION("plan", FILE, "PLAN", plan,
           "take the roles of the columns, and what is required, from this plan or scheme"),
    OPTION("papers", FOLDER, "FOLDER", papers,
           "the papers of a release that was moved or renamed (default: those beside it with its "
           "hash)",
           .excludes = "plan"),
    OPTION("quasi", LIST, "COLUMNS", quasi, "the quasi-identifiers, separated by commas",
           .excludes = "papers"),
    OPTION("sensitive", LIST, "COLUMNS", sensitive, "the sensitive columns, for l and t",
           .needs = "quasi"),
    OPTION("label", TEXT, "COLUMN", label, "the class label, for cm", .needs = "quasi"),
    OPTION("require", LIST, "LIST", require,
           "demand constraints, such as k=5,l-distinct=3, or of one sensitive column "
           "l-distinct(COLUMN)=3"),
    OPTION("delimiter", BYTE, "CHAR", delimiter,
           "what separates the fields: a character, or tab, comma, semicolon, pipe (default: as "
           "the plan says, or detected)"),
    OPTION("missing", LIST, "LIST", missing,
           "take these spellings as one missing value, such as ,NA,-9 where the first is the empty "
           "field (default: as the plan says; without a plan none, every spelling is a value)"),
    OPTION("escaped-formulas", FLAG, NULL, escaped,
           "the file was released with --escape-formulas: a ' at the beginning of a value is not "
           "part of it"),
    OPTION("no-header", FLAG, NULL, no_header,
           "the file has no column names; they become column1, column2, ..."),
    OPTION("keep-blanks", FLAG, NULL, keep_blanks, "do not remove the blanks around fields"),
    CLI_EXPLAIN_OPTION(cli_check_settings, explain),
    {.name = NULL},
};

/* ------------------------------------------------ columns, from the options */

static pv_status refuse_empty(char **list, const char *option, pv_error *error)
{
    for (size_t i = 0; list[i] != NULL; i++) {
        if (list[i][0] == '\0') {
            return cli_error(error, PV_STATUS_ARGUMENT, "--%s names an empty column", option);
        }
    }
    return PV_STATUS_OK;
}

static pv_status take_options(const cli_check_settings *settings, cli_subject *s, pv_error *error)
{
    s->quasi = cli_list_split(settings->quasi, ',', &s->n_quasi);
    CLI_TRY(refuse_empty(s->quasi, "quasi", error));
    if (settings->sensitive != NULL) {
        s->sensitive = cli_list_split(settings->sensitive, ',', &s->n_sensitive);
        CLI_TRY(refuse_empty(s->sensitive, "sensitive", error));
    }
    s->label = settings->label;
    return PV_STATUS_OK;
}

/* -------------------------------------------------- columns, from the plan */

static bool keep_column(void *ctx, const char *column)
{
    return cli_equal(column, ctx);
}

/* How the file is read: as the command line says, else as the plan does. A release always has a
 * header and quotes where they are needed, whatever its data had. Without a plan nothing is taken
 * as missing unless --missing says so: what looks unlike stays unlike. */
static void choose_reading(const cli_check_settings *settings, cli_subject *s)
{
    static const char *const none[] = {NULL};
    const pv_read_options planned =
        s->plan != NULL ? pv_plan_reading(s->plan) : (pv_read_options){.missing = none};
    s->options = (pv_audit_options){
        .delimiter = settings->delimiter != 0 ? settings->delimiter : planned.delimiter,
        .no_header = settings->no_header || planned.header == PV_CHOICE_NO,
        .trim = !settings->keep_blanks && !planned.keep_blanks,
        .escaped = settings->escaped || cli_papers_escaped(&s->papers),
        .missing = s->missing != NULL ? (const char *const *)s->missing : planned.missing};
}

/* The tree over the values that the file has, for the distance between them. */
static pv_status build_hierarchy(cli_run *run, const cli_subject *s,
                                 const pv_plan_attribute *attribute, pv_hierarchy **hierarchy,
                                 pv_error *error)
{
    pv_table *table = NULL;
    pv_status status = PV_STATUS_OK;
    pv_read_options options = pv_plan_reading(s->plan);
    options.delimiter = s->options.delimiter;
    options.header = PV_CHOICE_YES;
    options.quoting = PV_CHOICE_AUTO;
    options.keep_blanks = !s->options.trim;
    options.keep = keep_column;
    options.keep_ctx = (void *)(uintptr_t)pv_attribute_name(attribute);
    CLI_TRY(pv_table_read(s->file, &options, &run->context, &table, error));
    const size_t column = pv_table_find(table, pv_attribute_name(attribute));
    if (column == SIZE_MAX) {
        status = cli_error_at(error, PV_STATUS_INPUT, s->file, 1, 0, "there is no column `%s`",
                              pv_attribute_name(attribute));
        goto cleanup;
    }
    pv_table_set_format(table, column, pv_attribute_format(attribute));
    CLI_TRY_CLEAN(pv_table_set_type(table, column, pv_attribute_type(attribute), error));
    CLI_TRY_CLEAN(
        pv_hierarchy_build(pv_attribute_hierarchy(attribute), table, column, hierarchy, error));
cleanup:
    pv_table_free(table);
    return status;
}

static pv_audit_reading reading_of(const pv_plan_attribute *attribute)
{
    return (pv_audit_reading){.type = pv_attribute_type(attribute),
                              .format = *pv_attribute_format(attribute),
                              .missing = pv_attribute_missing(attribute)};
}

static pv_status take_plan(cli_run *run, const cli_check_settings *settings, cli_subject *s,
                           pv_error *error)
{
    CLI_TRY(pv_plan_read(settings->plan, &s->plan, error));
    CLI_TRY(pv_plan_check_answered(s->plan, error));
    choose_reading(settings, s);
    const size_t n = pv_plan_n_attributes(s->plan);
    s->quasi = cli_zeroed(n + 1, sizeof *s->quasi);
    s->sensitive = cli_zeroed(n + 1, sizeof *s->sensitive);
    s->distances = cli_zeroed(n + 1, sizeof *s->distances);
    s->quasi_readings = cli_zeroed(n + 1, sizeof *s->quasi_readings);
    s->readings = cli_zeroed(n + 1, sizeof *s->readings);
    s->hierarchies = cli_zeroed(n + 1, sizeof(pv_hierarchy *));
    for (size_t a = 0; a < n; a++) {
        const pv_plan_attribute *const attribute = pv_plan_attribute_at(s->plan, a);
        if (pv_attribute_role(attribute) == PV_ROLE_QUASI) {
            s->quasi_readings[s->n_quasi] = reading_of(attribute);
            s->quasi[s->n_quasi++] = cli_copy(pv_attribute_name(attribute));
        } else if (pv_attribute_role(attribute) == PV_ROLE_SENSITIVE) {
            const size_t i = s->n_sensitive++;
            s->sensitive[i] = cli_copy(pv_attribute_name(attribute));
            s->distances[i] = pv_attribute_distance(attribute);
            s->readings[i] = reading_of(attribute);
            if (pv_attribute_has_hierarchy(attribute)) {
                CLI_TRY(build_hierarchy(run, s, attribute, &s->hierarchies[i], error));
            }
        } else if (pv_attribute_role(attribute) == PV_ROLE_LABEL && s->label == NULL) {
            s->label = pv_attribute_name(attribute);
            s->label_reading = reading_of(attribute);
        }
    }
    return pv_plan_demands(s->plan, s->demands.list, &s->demands.n, error);
}

/* Labels that look like numbers are none. */
static pv_status take_papers(const cli_check_settings *settings, cli_subject *s, pv_error *error)
{
    CLI_TRY(cli_papers_find(s->file, settings->papers, &s->papers, error));
    s->quasi = cli_papers_columns(&s->papers, "quasi", &s->n_quasi);
    s->sensitive = cli_papers_columns(&s->papers, "sensitive", &s->n_sensitive);
    s->label = cli_papers_label(&s->papers);
    s->quasi_readings = cli_zeroed(s->n_quasi + 1, sizeof *s->quasi_readings);
    for (size_t i = 0; i < s->n_quasi; i++) {
        s->quasi_readings[i].type = PV_TYPE_TEXT;
    }
    return PV_STATUS_OK;
}

pv_status cli_subject_take(cli_run *run, const cli_check_settings *settings, cli_subject *s,
                           pv_error *error)
{
    s->file = run->operands.list[0];
    if (settings->plan != NULL && settings->quasi != NULL) {
        return cli_hint(
            cli_error(error, PV_STATUS_ARGUMENT, "--plan and --quasi contradict each other"), error,
            "give either --plan PLAN or --quasi age,sex,zip");
    }
    if (settings->missing != NULL) {
        s->missing = cli_list_split(settings->missing, ',', NULL);
    }
    CLI_TRY(settings->plan != NULL    ? take_plan(run, settings, s, error)
            : settings->quasi != NULL ? take_options(settings, s, error)
                                      : take_papers(settings, s, error));
    CLI_TRY(cli_demands_add(&s->demands, settings->require, error));
    choose_reading(settings, s);
    s->options.quasi = (const char *const *)s->quasi;
    s->options.sensitive = (const char *const *)s->sensitive;
    s->options.label = s->label;
    s->options.distances = s->distances;
    s->options.quasi_readings = s->quasi_readings;
    s->options.sensitive_readings = s->readings;
    s->options.label_reading = &s->label_reading;
    s->options.sensitive_hierarchies = (const pv_hierarchy *const *)s->hierarchies;
    s->options.unchanged = true;
    s->options.extra = s->extra;
    for (size_t i = 0; i < s->demands.n; i++) {
        if (!cli_measure_is_default(s->demands.list[i].ref)) {
            s->extra[s->options.n_extra++] = s->demands.list[i].ref;
        }
    }
    return PV_STATUS_OK;
}

void cli_subject_free(cli_subject *s)
{
    for (size_t i = 0; s->hierarchies != NULL && i < s->n_sensitive; i++) {
        pv_hierarchy_free(s->hierarchies[i]);
    }
    free(s->hierarchies);
    free(s->distances);
    free(s->quasi_readings);
    free(s->readings);
    cli_list_free(s->quasi);
    cli_list_free(s->sensitive);
    cli_list_free(s->missing);
    pv_plan_free(s->plan);
    cli_papers_free(&s->papers);
}
