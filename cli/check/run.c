/* `paravent check FILE`: does any file, whoever made it, satisfy k, l, t...? */
#include "check/papers.h"
#include "core/command.h"
#include "core/fail.h"
#include "core/grid.h"
#include "core/json.h"
#include "core/measured.h"
#include "core/text.h"
#include "core/unchanged.h"
#include "inspect/inspect.h"

#include <paravent/paravent.h>
#include <stdlib.h>

typedef struct {
    cli_common common;
    const char *plan;
    const char *papers;
    char *quasi, *sensitive;
    const char *label;
    char *require;
    char *missing;
    char delimiter;
    bool no_header, keep_blanks, escaped;
} check_settings;

/* Which columns of the file are what, and what is demanded of it. */
typedef struct {
    pv_plan *plan;     /* NULL = columns named elsewhere: */
    cli_papers papers; /* by the certificate of a release, or on the command line */
    char **quasi, **sensitive;
    size_t n_quasi, n_sensitive;
    char *label;    /* NULL = none */
    char **missing; /* as --missing says; NULL = it does not */
    pv_distance *distances;
    pv_audit_reading *quasi_readings, *readings, label_reading;
    pv_hierarchy **hierarchies; /* of the sensitive attributes that need one */
    cli_demands demands;
} subject;

static void subject_free(subject *s)
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
    free(s->label);
    pv_plan_free(s->plan);
    cli_papers_free(&s->papers);
}

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

static pv_status take_options(const check_settings *settings, subject *s, pv_error *error)
{
    s->quasi = cli_list_split(settings->quasi, ',', &s->n_quasi);
    CLI_TRY(refuse_empty(s->quasi, "quasi", error));
    if (settings->sensitive != NULL) {
        s->sensitive = cli_list_split(settings->sensitive, ',', &s->n_sensitive);
        CLI_TRY(refuse_empty(s->sensitive, "sensitive", error));
    }
    s->label = settings->label != NULL ? cli_copy(settings->label) : NULL;
    return PV_STATUS_OK;
}

/* -------------------------------------------------- columns, from the plan */

static bool keep_column(void *ctx, const char *column)
{
    return cli_equal(column, ctx);
}

/* The tree over the values that the file has, for the distance between them. */
static pv_status build_hierarchy(cli_run *run, const pv_audit_options *reading, const pv_plan *plan,
                                 const pv_plan_attribute *attribute, pv_hierarchy **hierarchy,
                                 pv_error *error)
{
    const char *const file = run->operands.list[0];
    pv_table *table = NULL;
    pv_read_options options = pv_plan_reading(plan);
    options.delimiter = reading->delimiter;
    options.header = PV_CHOICE_YES;
    options.quoting = PV_CHOICE_AUTO;
    options.keep_blanks = !reading->trim;
    options.keep = keep_column;
    options.keep_ctx = (void *)(uintptr_t)pv_attribute_name(attribute);
    CLI_TRY(pv_table_read(file, &options, &run->context, &table, error));
    const size_t column = pv_table_find(table, pv_attribute_name(attribute));
    pv_status status = column == SIZE_MAX
                           ? cli_error_at(error, PV_STATUS_INPUT, file, 1, 0,
                                          "there is no column `%s`", pv_attribute_name(attribute))
                           : PV_STATUS_OK;
    if (status == PV_STATUS_OK) {
        pv_table_set_format(table, column, pv_attribute_format(attribute));
        status = pv_table_set_type(table, column, pv_attribute_type(attribute), error);
    }
    if (status == PV_STATUS_OK) {
        status =
            pv_hierarchy_build(pv_attribute_hierarchy(attribute), table, column, hierarchy, error);
    }
    pv_table_free(table);
    return status;
}

static pv_audit_reading reading_of(const pv_plan_attribute *attribute)
{
    return (pv_audit_reading){.type = pv_attribute_type(attribute),
                              .format = *pv_attribute_format(attribute),
                              .missing = pv_attribute_missing(attribute)};
}

static pv_status take_attribute(cli_run *run, const pv_audit_options *reading,
                                const pv_plan_attribute *attribute, subject *s, pv_error *error)
{
    if (pv_attribute_role(attribute) == PV_ROLE_QUASI) {
        s->quasi_readings[s->n_quasi] = reading_of(attribute);
        s->quasi[s->n_quasi++] = cli_copy(pv_attribute_name(attribute));
    } else if (pv_attribute_role(attribute) == PV_ROLE_SENSITIVE) {
        const size_t i = s->n_sensitive++;
        s->sensitive[i] = cli_copy(pv_attribute_name(attribute));
        s->distances[i] = pv_attribute_distance(attribute);
        s->readings[i] = reading_of(attribute);
        if (pv_attribute_has_hierarchy(attribute)) {
            return build_hierarchy(run, reading, s->plan, attribute, &s->hierarchies[i], error);
        }
    } else if (pv_attribute_role(attribute) == PV_ROLE_LABEL && s->label == NULL) {
        s->label = cli_copy(pv_attribute_name(attribute));
        s->label_reading = reading_of(attribute);
    }
    return PV_STATUS_OK;
}

/* How the file is read: as the command line says, else as the plan does. A release always has a
 * header and quotes where they are needed, whatever its data had. Without a plan nothing is taken
 * as missing unless --missing says so: what looks unlike stays unlike. */
static pv_audit_options how_to_read(const check_settings *settings, const subject *s)
{
    static const char *const none[] = {NULL};
    const pv_read_options planned =
        s->plan != NULL ? pv_plan_reading(s->plan) : (pv_read_options){.missing = none};
    return (pv_audit_options){
        .delimiter = settings->delimiter != 0 ? settings->delimiter : planned.delimiter,
        .no_header = settings->no_header || planned.header == PV_CHOICE_NO,
        .trim = !settings->keep_blanks && !planned.keep_blanks,
        .escaped = settings->escaped || cli_papers_escaped(&s->papers),
        .missing = s->missing != NULL ? (const char *const *)s->missing : planned.missing};
}

static pv_status take_plan(cli_run *run, const check_settings *settings, subject *s,
                           pv_error *error)
{
    CLI_TRY(pv_plan_read(settings->plan, &s->plan, error));
    CLI_TRY(pv_plan_check_answered(s->plan, error));
    const size_t n = pv_plan_n_attributes(s->plan);
    s->quasi = cli_zeroed(n + 1, sizeof *s->quasi);
    s->sensitive = cli_zeroed(n + 1, sizeof *s->sensitive);
    s->distances = cli_zeroed(n + 1, sizeof *s->distances);
    s->quasi_readings = cli_zeroed(n + 1, sizeof *s->quasi_readings);
    s->readings = cli_zeroed(n + 1, sizeof *s->readings);
    s->hierarchies = cli_zeroed(n + 1, sizeof(pv_hierarchy *));
    const pv_audit_options reading = how_to_read(settings, s);
    for (size_t i = 0; i < n; i++) {
        CLI_TRY(take_attribute(run, &reading, pv_plan_attribute_at(s->plan, i), s, error));
    }
    return cli_demands_add_plan(&s->demands, s->plan, error);
}

/* Labels that look like numbers are none. */
static pv_status take_papers(const char *file, const check_settings *settings, subject *s,
                             pv_error *error)
{
    CLI_TRY(cli_papers_find(file, settings->papers, &s->papers, error));
    s->quasi = cli_papers_columns(&s->papers, "quasi", &s->n_quasi);
    s->sensitive = cli_papers_columns(&s->papers, "sensitive", &s->n_sensitive);
    const char *const label = cli_papers_label(&s->papers);
    s->label = label != NULL ? cli_copy(label) : NULL;
    s->quasi_readings = cli_zeroed(s->n_quasi + 1, sizeof *s->quasi_readings);
    for (size_t i = 0; i < s->n_quasi; i++) {
        s->quasi_readings[i].type = PV_TYPE_TEXT;
    }
    return PV_STATUS_OK;
}

static pv_status understand(cli_run *run, const check_settings *settings, subject *s,
                            pv_error *error)
{
    if (settings->plan != NULL && settings->quasi != NULL) {
        return cli_hint(
            cli_error(error, PV_STATUS_ARGUMENT, "--plan and --quasi contradict each other"), error,
            "give either --plan PLAN or --quasi age,sex,zip");
    }
    if (settings->missing != NULL) {
        size_t n_missing = 0;
        s->missing = cli_list_split(settings->missing, ',', &n_missing);
    }
    CLI_TRY(settings->plan != NULL    ? take_plan(run, settings, s, error)
            : settings->quasi != NULL ? take_options(settings, s, error)
                                      : take_papers(run->operands.list[0], settings, s, error));
    return cli_demands_add(&s->demands, settings->require, error);
}

/* ------------------------------------------------------------------ audit */

static pv_status audit(cli_run *run, const check_settings *settings, const subject *s,
                       pv_audit **result, pv_error *error)
{
    pv_measure_ref extra[PV_MAX_CONSTRAINTS];
    size_t n_extra = 0;
    for (size_t i = 0; i < s->demands.n; i++) {
        if (!cli_measure_is_default(s->demands.list[i].ref)) {
            extra[n_extra++] = s->demands.list[i].ref;
        }
    }
    pv_audit_options options = how_to_read(settings, s);
    options.quasi = (const char *const *)s->quasi;
    options.sensitive = (const char *const *)s->sensitive;
    options.label = s->label;
    options.distances = s->distances;
    options.quasi_readings = s->quasi_readings;
    options.sensitive_readings = s->readings;
    options.label_reading = &s->label_reading;
    options.sensitive_hierarchies = (const pv_hierarchy *const *)s->hierarchies;
    options.extra = extra;
    options.n_extra = n_extra;
    options.unchanged = true;
    return pv_audit_file(run->operands.list[0], &options, &run->context, result, error);
}

static bool demand_holds(const pv_audit *audit, const pv_constraint *constraint)
{
    const pv_audit_value *const found = pv_audit_find(audit, constraint->ref);
    return found != NULL && found->available && pv_constraint_holds(constraint, found->value);
}

/* Of several sensitive columns the one that decides a constraint, the worst of them; or NULL. */
static const char *column_of(const subject *s, const pv_audit_value *found)
{
    return found != NULL && found->available && found->sensitive != SIZE_MAX && s->n_sensitive > 1
               ? s->sensitive[found->sensitive]
               : NULL;
}

/* Unmet demands as one failure that lists them. */
static pv_status judge(const char *file, const subject *s, const pv_audit *audit, pv_error *error)
{
    char *list = cli_copy("");
    size_t unmet = 0;
    for (size_t i = 0; i < s->demands.n; i++) {
        const pv_constraint *const constraint = &s->demands.list[i];
        if (demand_holds(audit, constraint)) {
            continue;
        }
        char text[128];
        const pv_audit_value *const found = pv_audit_find(audit, constraint->ref);
        pv_constraint_text(constraint, text, sizeof text);
        const char *const column = column_of(s, found);
        char *const longer =
            cli_format("%s\n%s does not hold: %s%s%s", list, text,
                       found != NULL && found->available ? cli_value_text(found->value).text
                                                         : "it could not be measured",
                       column != NULL ? ", for column " : "", column != NULL ? column : "");
        free(list);
        list = longer;
        unmet++;
    }
    const pv_status status = unmet == 0 ? PV_STATUS_OK
                                        : cli_error_at(error, PV_STATUS_UNSATISFIED, file, 0, 0,
                                                       "%zu of %zu demanded constraints unmet%s",
                                                       unmet, s->demands.n, list);
    free(list);
    return status;
}

/* --------------------------------------------------------------- printing */

static uint64_t remaining(const pv_audit *audit)
{
    return audit->rows - audit->suppressed;
}

static double ratio(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0.0;
}

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
    cli_grid_cell(grid, "%s", cli_count_text(audit->k).text);
    cli_grid_cell(grid, "%s", cli_count_text(audit->k_wildcard).text);
    cli_grid_cell(grid, "the smallest group of rows that look alike");
    cli_grid_cell(grid, "unique rows");
    cli_grid_cell(grid, "%s", cli_count_text(audit->unique_rows).text);
    cli_grid_cell(grid, "%s", cli_count_text(audit->unique_rows_wildcard).text);
    cli_grid_cell(grid, "rows that look like no other");
    cli_grid_cell(grid, "mean risk");
    cli_grid_cell(grid, "%s", cli_share_text(ratio(audit->classes, remaining(audit))).text);
    cli_grid_cell(grid, "%s", cli_share_text(audit->risk_mean_wildcard).text);
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
    cli_heading(report, "Measures");
    cli_grid *const grid = cli_grid_create(report, columns);
    for (size_t i = 0; i < audit->n_values; i++) {
        const pv_audit_value *const value = &audit->values[i];
        if (value->available) {
            cli_grid_cell(grid, "%s", cli_measure_title(value->ref).text);
            cli_grid_cell(grid, "%s", cli_value_text(value->value).text);
            cli_grid_cell(grid, "%s", cli_measure_mark(report, value->ref.measure));
            cli_grid_cell(grid, "%s", value->ref.measure->summary);
        }
    }
    cli_grid_print(grid);
    cli_measure_legend(report);
}

static bool is_sensitive(const subject *s, const char *column)
{
    bool found = s->label != NULL && cli_equal(s->label, column);
    for (size_t i = 0; s->sensitive != NULL && s->sensitive[i] != NULL; i++) {
        found = found || cli_equal(s->sensitive[i], column);
    }
    return found;
}

#define MOST_NAMES 12u

/* What a file has besides its quasi-identifiers: k says nothing about someone who knows that. */
static void print_others(const cli_report *report, const subject *s, const pv_audit *audit)
{
    char *names = cli_copy("");
    size_t n = 0;
    cli_heading(report, "The other columns");
    cli_unchanged_print(report, audit, NULL);
    for (size_t i = 0; i < audit->n_unchanged; i++) {
        const pv_audit_unchanged *const column = &audit->unchanged[i];
        if (!is_sensitive(s, column->name) &&
            (column->unique > 0 || (audit->k > 1 && column->unique_with > 0)) && n++ < MOST_NAMES) {
            char *const longer = cli_format("%s%s%s", names, n == 1 ? "" : ", ", column->name);
            free(names);
            names = longer;
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

static void print_demands(const cli_report *report, const subject *s, const pv_audit *audit)
{
    if (s->demands.n == 0) {
        return;
    }
    cli_heading(report, "Demanded");
    for (size_t i = 0; i < s->demands.n; i++) {
        char text[128];
        const pv_constraint *const constraint = &s->demands.list[i];
        const bool holds = demand_holds(audit, constraint);
        const pv_audit_value *const found = pv_audit_find(audit, constraint->ref);
        const char *const column = column_of(s, found);
        pv_constraint_text(constraint, text, sizeof text);
        (void)fprintf(report->out, "  %s%-14s%s  %s", holds ? cli_good(report) : cli_bad(report),
                      holds ? "holds" : "DOES NOT HOLD", cli_plain(report), text);
        if (column != NULL) {
            (void)fprintf(report->out, ": %s, for column %s", cli_value_text(found->value).text,
                          column);
        }
        (void)fputc('\n', report->out);
    }
}

/* What was done to the fields before they were counted. */
static void print_fields(const cli_report *report, const subject *s, const pv_audit *audit)
{
    if (s->plan == NULL && s->missing == NULL) {
        cli_fact(report, CLI_NEUTRAL, "missing values",
                 "none: every spelling is a value of its own (--missing names those that are not)");
    } else {
        cli_fact(report, CLI_NEUTRAL, "missing values",
                 "%s, all spellings in a column as one value",
                 cli_plural_text(audit->missing, "field", "fields").text);
    }
    if (audit->trimmed > 0) {
        cli_fact(report, CLI_NEUTRAL, "blanks", "removed around %s (--keep-blanks keeps them)",
                 cli_plural_text(audit->trimmed, "field", "fields").text);
    }
}

static void print_audit(const cli_report *report, const char *file, const subject *s,
                        const pv_audit *audit)
{
    cli_paragraph(report, 0, "%s: %s, %s", file, cli_plural_text(audit->rows, "row", "rows").text,
                  cli_plural_text(s->n_quasi, "quasi-identifier", "quasi-identifiers").text);
    cli_blank(report);
    cli_fact(report, CLI_NEUTRAL, "suppressed rows", "%s (%s): all their quasi-identifiers are *",
             cli_count_text(audit->suppressed).text,
             cli_share_text(ratio(audit->suppressed, audit->rows)).text);
    cli_fact(report, CLI_NEUTRAL, "suppressed cells", "%s, besides those rows",
             cli_count_text(audit->starred_cells).text);
    cli_fact(report, CLI_NEUTRAL, "classes", "%s among the %s that remain",
             cli_count_text(audit->classes).text,
             cli_plural_text(remaining(audit), "row", "rows").text);
    print_fields(report, s, audit);
    print_readings(report, audit);
    cli_class_sizes_print(report, audit->histogram, remaining(audit));
    print_measures(report, audit);
    print_others(report, s, audit);
    print_demands(report, s, audit);
    cli_papers_print(report, &s->papers, audit);
}

static json_t *names_json(char **names)
{
    json_t *const list = json_array();
    for (size_t i = 0; names != NULL && names[i] != NULL; i++) {
        cli_json_append(list, cli_json_text(names[i]));
    }
    return list;
}

static json_t *reading_json(uint64_t k, uint64_t unique, double risk)
{
    json_t *const object = json_object();
    cli_json_set(object, "k", cli_json_count(k));
    cli_json_set(object, "unique", cli_json_count(unique));
    cli_json_set(object, "risk_mean", cli_json_number(risk));
    return object;
}

static json_t *measures_json(const pv_audit *audit)
{
    json_t *const object = json_object();
    for (size_t i = 0; i < audit->n_values; i++) {
        const pv_audit_value *const value = &audit->values[i];
        if (value->available) {
            cli_json_set(object, cli_measure_name(value->ref).text, cli_json_number(value->value));
        }
    }
    return object;
}

static json_t *demands_json(const subject *s, const pv_audit *audit)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < s->demands.n; i++) {
        const pv_audit_value *const found = pv_audit_find(audit, s->demands.list[i].ref);
        const bool known = found != NULL && found->available;
        const char *const column = column_of(s, found);
        json_t *const object =
            cli_demand_json(&s->demands.list[i], known, known ? found->value : 0.0);
        cli_json_set(object, "sensitive", column != NULL ? cli_json_text(column) : json_null());
        cli_json_append(list, object);
    }
    return list;
}

static json_t *audit_json(const char *file, const subject *s, const pv_audit *audit, bool satisfied)
{
    json_t *const document = cli_json_document("check");
    json_t *const table = json_object();
    json_t *const readings = json_object();
    cli_json_set(table, "source", cli_json_text(file));
    cli_json_set(table, "rows", cli_json_count(audit->rows));
    cli_json_set(table, "quasi", names_json(s->quasi));
    cli_json_set(table, "sensitive", names_json(s->sensitive));
    cli_json_set(table, "label", s->label != NULL ? cli_json_text(s->label) : json_null());
    cli_json_set(
        readings, "category",
        reading_json(audit->k, audit->unique_rows, ratio(audit->classes, remaining(audit))));
    cli_json_set(
        readings, "wildcard",
        reading_json(audit->k_wildcard, audit->unique_rows_wildcard, audit->risk_mean_wildcard));
    cli_json_set(table, "missing_taken", cli_json_bool(s->plan != NULL || s->missing != NULL));
    cli_json_set(table, "missing", cli_json_count(audit->missing));
    cli_json_set(table, "trimmed", cli_json_count(audit->trimmed));
    cli_json_set(document, "table", table);
    cli_json_set(document, "suppressed", cli_json_count(audit->suppressed));
    cli_json_set(document, "suppressed_cells", cli_json_count(audit->starred_cells));
    cli_json_set(document, "n_classes", cli_json_count(audit->classes));
    cli_json_set(document, "classes", cli_class_sizes_json(audit->histogram));
    cli_json_set(document, "readings", readings);
    cli_json_set(document, "measures", measures_json(audit));
    json_t *const others = json_array();
    cli_unchanged_json(others, audit, NULL);
    cli_json_set(document, "unchanged", others);
    cli_json_set(document, "papers", cli_papers_json(&s->papers));
    cli_json_set(document, "require", demands_json(s, audit));
    cli_json_set(document, "satisfied", cli_json_bool(satisfied));
    return document;
}

static pv_status run_check(cli_run *run, const void *given, pv_error *error)
{
    const check_settings *const settings = given;
    const char *const file = run->operands.list[0];
    pv_status status = PV_STATUS_OK;
    pv_audit *found = NULL;
    subject s = {0};
    CLI_TRY_CLEAN(understand(run, settings, &s, error));
    CLI_TRY_CLEAN(audit(run, settings, &s, &found, error));
    status = judge(file, &s, found, error);
    if (status == PV_STATUS_OK) {
        status = cli_papers_judge(file, &s.papers, found, error);
    }
    if (run->common->json) {
        cli_json_print(run, audit_json(file, &s, found, status == PV_STATUS_OK));
    } else if (cli_run_talks(run)) {
        print_audit(&run->report, file, &s, found);
    }
cleanup:
    pv_audit_free(found);
    subject_free(&s);
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

static const cli_option options[] = {
    {.name = "plan",
     .kind = CLI_FILE,
     .argument = "PLAN",
     .offset = offsetof(check_settings, plan),
     .help = "take the roles of the columns, and what is required, from this plan or scheme"},
    {.name = "papers",
     .kind = CLI_FOLDER,
     .argument = "FOLDER",
     .offset = offsetof(check_settings, papers),
     .excludes = "plan",
     .help = "the papers of a release that was moved or renamed (default: those beside it with its "
             "hash)"},
    {.name = "quasi",
     .kind = CLI_LIST,
     .argument = "COLUMNS",
     .excludes = "papers",
     .offset = offsetof(check_settings, quasi),
     .help = "the quasi-identifiers, separated by commas"},
    {.name = "sensitive",
     .kind = CLI_LIST,
     .argument = "COLUMNS",
     .needs = "quasi",
     .offset = offsetof(check_settings, sensitive),
     .help = "the sensitive columns, for l and t"},
    {.name = "label",
     .kind = CLI_TEXT,
     .argument = "COLUMN",
     .needs = "quasi",
     .offset = offsetof(check_settings, label),
     .help = "the class label, for cm"},
    {.name = "require",
     .kind = CLI_LIST,
     .argument = "LIST",
     .offset = offsetof(check_settings, require),
     .help = "demand constraints, such as k=5,l-distinct=3"},
    {.name = "delimiter",
     .kind = CLI_BYTE,
     .argument = "CHAR",
     .offset = offsetof(check_settings, delimiter),
     .help = "what separates the fields: a character, or tab, comma, semicolon, pipe (default: as "
             "the plan says, or detected)"},
    {.name = "missing",
     .kind = CLI_LIST,
     .argument = "LIST",
     .offset = offsetof(check_settings, missing),
     .help =
         "take these spellings as one missing value, such as ,NA,-9 where the first is the empty "
         "field (default: as the plan says; without a plan none, every spelling is a value)"},
    {.name = "escaped-formulas",
     .kind = CLI_FLAG,
     .offset = offsetof(check_settings, escaped),
     .help = "the file was released with --escape-formulas: a ' at the beginning of a value is not "
             "part of it"},
    {.name = "no-header",
     .kind = CLI_FLAG,
     .offset = offsetof(check_settings, no_header),
     .help = "the file has no column names; they become column1, column2, ..."},
    {.name = "keep-blanks",
     .kind = CLI_FLAG,
     .offset = offsetof(check_settings, keep_blanks),
     .help = "do not remove the blanks around fields"},
    {.name = NULL},
};

static const cli_example examples[] = {
    {"paravent check release.csv", "is a release of ours what its certificate says?"},
    {"paravent check release.csv --plan plan.yaml", "measure it by a plan"},
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
    .options = options,
    .examples = examples,
    .settings_size = sizeof(check_settings),
    .run = run_check,
};
