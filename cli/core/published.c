/* Telling about a release that was written, for people and as JSON. */
#include "core/publish.h"

#include "core/fail.h"
#include "core/grid.h"
#include "core/json.h"
#include "core/outputs.h"
#include "core/text.h"
#include "core/unchanged.h"

#include <stdlib.h>

/* Views of the result, which owns the values. */
static cli_measured after(const cli_published *p)
{
    return (cli_measured){
        .values = p->result->measures, .known = p->result->measured, .n = p->result->n_measures};
}

static cli_measured before(const cli_published *p)
{
    return (cli_measured){.values = p->result->measures_before,
                          .known = p->result->measured,
                          .n = p->result->n_measures};
}

bool cli_published_value(const cli_published *p, const pv_constraint *constraint, double *value)
{
    const pv_measure *const measure = constraint->ref.measure;
    const bool standard = cli_measure_is_default(constraint->ref);
    for (size_t i = 0; standard && i < p->result->n_measures; i++) {
        if (pv_measure_at(i) == measure && p->result->measured[i]) {
            *value = p->result->measures[i];
            return true;
        }
    }
    const pv_audit_value *const found = pv_audit_find(p->result->audit, constraint->ref);
    if (found == NULL || !found->available) {
        return false;
    }
    *value = found->value;
    return true;
}

static double share(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0.0;
}

static void print_levels(const cli_report *report, const cli_published *p)
{
    static const cli_column columns[] = {{"attribute", CLI_LEFT},      {"level", CLI_RIGHT},
                                         {"values before", CLI_RIGHT}, {"after", CLI_RIGHT},
                                         {"released as", CLI_WRAP},    {NULL, CLI_LEFT}};
    const pv_study *const study = p->opened.study;
    size_t n_levels = 0;
    const uint8_t *const levels = pv_scheme_levels(p->scheme, &n_levels);
    if (levels == NULL) {
        return; /* to each record something else */
    }
    cli_heading(report, "What happened to each attribute");
    cli_grid *const grid = cli_grid_create(report, columns);
    for (size_t q = 0; q < n_levels; q++) {
        const pv_hierarchy *const hierarchy = pv_study_hierarchy(study, q);
        const unsigned level = levels[q];
        const unsigned height = pv_hierarchy_height(hierarchy);
        cli_grid_cell(grid, "%s", pv_study_quasi_name(study, q));
        cli_grid_cell(grid, "%u of %u", level, height);
        cli_grid_cell(grid, "%s", cli_count_text(pv_hierarchy_leaves(hierarchy)).text);
        cli_grid_cell(grid, "%s", cli_count_text(p->result->audit->quasi_values[q]).text);
        cli_grid_cell(grid, "%s", level == 0 ? "as it was" : p->result->released_as[q]);
    }
    cli_grid_print(grid);
}

/* "name and zip", "a, b and 3 more". */
static char *some_names(const char *const *names, size_t n)
{
    enum { MOST = 12 };
    const size_t shown = n > MOST ? MOST : n;
    char *list = cli_copy("");
    for (size_t i = 0; i < shown; i++) {
        const char *const glue = i == 0 ? "" : i + 1 == n ? " and " : ", ";
        char *const longer = cli_format("%s%s%s", list, glue, names[i]);
        free(list);
        list = longer;
    }
    if (shown < n) {
        char *const longer = cli_format("%s and %s more", list, cli_count_text(n - shown).text);
        free(list);
        list = longer;
    }
    return list;
}

static void print_dropped(const cli_report *report, const cli_published *p)
{
    const pv_plan *const plan = p->opened.plan;
    const size_t n_unnamed = pv_study_unnamed(p->opened.study);
    const char **const names = cli_zeroed(plan->n_attributes + n_unnamed + 1, sizeof *names);
    size_t n = 0;
    for (size_t i = 0; i < plan->n_attributes && !p->hashed; i++) {
        if (plan->attributes[i].role == PV_ROLE_IDENTIFIER) {
            names[n++] = plan->attributes[i].name;
        }
    }
    if (n > 0) {
        char *const list = some_names(names, n);
        cli_fact(report, CLI_NEUTRAL, "dropped", "%s: identifier%s", list, n == 1 ? "" : "s");
        free(list);
    }
    for (size_t i = 0; i < n_unnamed; i++) {
        names[i] = pv_study_unnamed_name(p->opened.study, i);
    }
    if (n_unnamed > 0) {
        char *const list = some_names(names, n_unnamed);
        cli_fact(report, CLI_NEUTRAL, "dropped",
                 "%s: not named in the plan (`others: keep` would release %s)", list,
                 n_unnamed == 1 ? "it" : "them");
        free(list);
    }
    free(names);
}

/* Of several sensitive columns the one that decides a constraint, the worst of them; or NULL. */
static const char *column_of(const cli_published *p, const pv_constraint *constraint)
{
    const pv_study *const study = p->opened.study;
    const pv_audit_value *const found = pv_audit_find(p->result->audit, constraint->ref);
    return found != NULL && found->available && found->sensitive != SIZE_MAX &&
                   pv_study_sensitives(study) > 1
               ? pv_table_name(pv_study_table(study),
                               pv_study_sensitive_column(study, found->sensitive))
               : NULL;
}

static void print_demands(const cli_report *report, const cli_published *p)
{
    for (size_t i = 0; i < p->demands.n; i++) {
        char text[128];
        double value = 0.0;
        pv_constraint_text(&p->demands.list[i], text, sizeof text);
        const bool known = cli_published_value(p, &p->demands.list[i], &value);
        const char *const column = column_of(p, &p->demands.list[i]);
        cli_fact(report, CLI_NEUTRAL, "demanded", "%s: holds%s%s%s%s", text,
                 known ? ", it is " : "", known ? cli_value_text(value).text : "",
                 column != NULL ? ", for column " : "", column != NULL ? column : "");
    }
}

static void print_k(const cli_report *report, const cli_published *p)
{
    const uint64_t k = p->result->k;
    if (k < 2) {
        cli_fact(report, CLI_BAD, "k", "%s: SOME PEOPLE ARE STILL UNIQUE; %s",
                 cli_count_text(k).text,
                 pv_scheme_kind_of(p->scheme) == PV_SCHEME_RECORDS
                     ? "to rule that out, demand it: --require k=5"
                     : "raise levels or allow more suppression");
    } else {
        cli_fact(report, CLI_STRONG, "k",
                 "%s: every row that is not suppressed looks like at least %s",
                 cli_count_text(k).text, cli_plural_text(k - 1, "other", "others").text);
    }
}

/* Five people who look alike and share a diagnosis protect nobody's diagnosis. */
static void print_agreement(const cli_report *report, const cli_published *p)
{
    const pv_measure *const diversity = pv_measure_find("l-distinct");
    const pv_audit_value *const found =
        pv_audit_find(p->result->audit, (pv_measure_ref){.measure = diversity});
    if (found != NULL && found->available && found->value < 2 && p->result->k >= 2) {
        cli_fact(report, CLI_BAD, "careful",
                 "in some class everybody has the same sensitive value: whoever is known to belong "
                 "to it has given it away; demand --require l-distinct=2 to rule that out");
    }
}

/* A point of a front that is not known to be whole may be beaten by what nobody looked at. */
static void print_unproven(const cli_report *report, const pv_front *front)
{
    char *account = NULL;
    if (!pv_front_is_complete(front) && pv_front_account(front, &account, NULL) == PV_STATUS_OK) {
        cli_fact(report, CLI_NEUTRAL, "not proven", "the front is %s", account);
    }
    pv_string_free(account);
}

static void print_pick(const cli_report *report, const cli_published *p)
{
    if (p->pick == NULL) {
        return;
    }
    const pv_front *const front = p->found.front;
    const cli_number points = cli_plural_text(pv_front_n_points(front), "point", "points");
    const bool knee = cli_equal(p->pick, "knee");
    char *const point = cli_point_text(&p->found, p->point);
    char *family = NULL;
    const bool named = pv_front_family(front, &family, NULL) == PV_STATUS_OK;
    cli_fact(report, CLI_NEUTRAL, "picked", "%s: %s%s%s, from %s that %s among the %s", point,
             knee ? "the knee" : "", knee ? "" : "the best that keeps ", knee ? "" : p->pick,
             points.text, pv_front_is_complete(front) ? "nothing beats" : "nothing found beats",
             named ? family : "schemes");
    pv_string_free(family);
    free(point);
    print_unproven(report, front);
}

static void print_order(const cli_report *report, const cli_published *p)
{
    switch (p->order) {
    case PV_ORDER_SHUFFLED:
        cli_fact(report, CLI_NEUTRAL, "row order",
                 "shuffled with seed %llu; keep it to yourself, it undoes the shuffle",
                 (unsigned long long)p->seed);
        break;
    case PV_ORDER_KEPT:
        cli_fact(report, CLI_BAD, "row order",
                 "kept: if the data is sorted, the place of a row tells what was generalized");
        break;
    default: cli_fact(report, CLI_NEUTRAL, "row order", "sorted by the released values"); break;
    }
}

/* Cells that a spreadsheet would run: where, never which. */
static void print_formulas(const cli_report *report, const cli_published *p)
{
    for (size_t i = 0; i < p->result->n_formulas; i++) {
        const pv_formula_column *const column = &p->result->formulas[i];
        cli_fact(report, p->escaped ? CLI_NEUTRAL : CLI_BAD, "formulas",
                 "%s of column `%s`%s would be run by a spreadsheet; %s",
                 cli_plural_text(column->cells, "cell", "cells").text, column->name,
                 column->heading ? " and its name" : "",
                 p->escaped ? "a ' stands before them"
                            : "if the table will be opened in one, use --escape-formulas");
    }
}

static void print_summary(const cli_report *report, const cli_published *p)
{
    const pv_release_result *const r = p->result;
    cli_paragraph(report, 0, "Released %s to %s",
                  cli_plural_text(r->rows - r->left_out, "row", "rows").text,
                  cli_is_stream(r->table_path) ? PV_STREAM_NAME : r->table_path);
    cli_blank(report);
    print_pick(report, p);
    print_k(report, p);
    cli_fact(report, CLI_NEUTRAL, "suppressed", "%s (%s of all)%s; %s allowed",
             cli_plural_text(r->suppressed, "row", "rows").text,
             cli_share_text(share(r->suppressed, r->rows)).text,
             r->left_out > 0 ? ", left out of the file" : "",
             cli_count_text(p->suppression.budget).text);
    cli_fact(report, CLI_NEUTRAL, "classes", "%s before, %s after",
             cli_count_text(r->classes_before).text, cli_count_text(r->classes_after).text);
    print_demands(report, p);
    print_agreement(report, p);
    const cli_tone mood = cli_equal(r->verdict, "verified") ? CLI_GOOD : CLI_BAD;
    if (cli_equal(r->verdict, "accepted")) {
        cli_fact(report, CLI_BAD, "accepted",
                 "a column that singles people out is released, as the plan accepts");
    }
    if (r->left_out > 0) {
        cli_fact(report, mood, "verified",
                 "the file was read back from disk by the independent checker, which found k = %s "
                 "in its %s",
                 cli_count_text(r->audit->k).text,
                 cli_plural_text(r->audit->rows, "row", "rows").text);
    } else if (r->audit->suppressed > r->suppressed) {
        cli_fact(report, mood, "verified",
                 "the file was read back from disk by the independent checker. Without "
                 "being suppressed, %s `*` in every quasi-identifier, because their values are "
                 "unknown to the hierarchies, or end early in them; in the file they look "
                 "suppressed. The checker counts "
                 "them as suppressed and found k = %s among the others",
                 cli_plural_text(r->audit->suppressed - r->suppressed, "row is", "rows are").text,
                 cli_count_text(r->audit->k).text);
    } else {
        cli_fact(report, mood, "verified",
                 "the file was read back from disk by the independent checker, which found k = %s "
                 "and %s too",
                 cli_count_text(r->audit->k).text,
                 cli_plural_text(r->audit->suppressed, "suppressed row", "suppressed rows").text);
    }
    print_order(report, p);
    print_formulas(report, p);
}

static void print_promises(const cli_report *report, const cli_published *p)
{
    static const cli_column columns[] = {
        {"promised", CLI_LEFT}, {"now", CLI_RIGHT}, {"", CLI_LEFT}, {NULL, CLI_LEFT}};
    if (p->promises.n == 0) {
        return;
    }
    size_t broken = 0;
    cli_heading(report, "What the scheme promised for the rows it was made from");
    cli_grid *const grid = cli_grid_create(report, columns);
    for (size_t i = 0; i < p->promises.n; i++) {
        char text[128];
        double value = 0.0;
        const bool known = cli_published_value(p, &p->promises.list[i], &value);
        const bool holds = known && pv_constraint_holds(&p->promises.list[i], value);
        pv_constraint_text(&p->promises.list[i], text, sizeof text);
        cli_grid_cell(grid, "%s", text);
        cli_grid_cell(grid, "%s", known ? cli_value_text(value).text : "-");
        cli_grid_cell(grid, "%s", holds ? "holds" : "NO LONGER HOLDS");
        broken += !holds;
    }
    cli_grid_print(grid);
    cli_paragraph(report, 2,
                  broken == 0 ? "Everything promised still holds."
                              : "The release is weaker than promised; the certificate says so.");
}

/* By their names alone: they are in one folder. */
static void print_papers(const cli_report *report, const pv_release_result *r)
{
    cli_fact(report, CLI_NEUTRAL, "its papers", "%s/", r->papers_path);
    cli_fact(report, CLI_NEUTRAL, "for anyone",
             "%s (the certificate: open it in a browser), %s (what the released values stand for); "
             "for programs %s, %s",
             cli_path_name(r->page_path), cli_path_name(r->codebook_text_path),
             cli_path_name(r->certificate_path), cli_path_name(r->codebook_path));
    cli_fact(report, CLI_NEUTRAL, "for you alone",
             "%s (what the original was like; not to be published)%s%s%s",
             cli_path_name(r->report_page_path), r->scheme_path != NULL ? ", " : "",
             r->scheme_path != NULL ? cli_path_name(r->scheme_path) : "",
             r->scheme_path != NULL ? " (for new rows: paravent apply)" : "");
}

static void print_files(const cli_report *report, const pv_release_result *r)
{
    const bool streams = cli_is_stream(r->table_path);
    if (streams && r->papers_path == NULL && r->row_map_path == NULL) {
        return;
    }
    cli_heading(report, "Look at");
    if (!streams) {
        cli_fact(report, CLI_NEUTRAL, "the table", "%s", r->table_path);
    }
    if (r->papers_path != NULL) {
        print_papers(report, r);
    }
    if (r->row_map_path != NULL) {
        cli_fact(report, CLI_NEUTRAL, "the row map",
                 "%s (for you alone: whoever has it undoes the order of the rows)",
                 r->row_map_path);
    }
}

static void print_measures(const cli_report *report, const cli_published *p)
{
    const cli_measured raw = before(p);
    const cli_measured released = after(p);
    cli_heading(report, "Privacy");
    cli_measured_print(report, &raw, &released,
                       CLI_FAMILY(PV_FAMILY_PRIVACY) | CLI_FAMILY(PV_FAMILY_RISK) |
                           CLI_FAMILY(PV_FAMILY_BIAS));
    cli_heading(report, "What it costs");
    cli_measured_print(report, &raw, &released, CLI_FAMILY(PV_FAMILY_LOSS));
}

void cli_published_print(const cli_report *report, const cli_published *p, bool brief)
{
    print_summary(report, p);
    print_promises(report, p);
    print_levels(report, p);
    cli_heading(report, "The other columns");
    cli_unchanged_print(report, p->result->audit, p->opened.plan);
    print_dropped(report, p);
    if (!brief) {
        print_measures(report, p);
    }
    print_files(report, p->result);
}

/* ------------------------------------------------------------------- JSON */

static json_t *levels_json(const cli_published *p)
{
    size_t n_levels = 0;
    const uint8_t *const levels = pv_scheme_levels(p->scheme, &n_levels);
    if (levels == NULL) {
        return json_null();
    }
    json_t *const list = json_array();
    for (size_t q = 0; q < n_levels; q++) {
        cli_json_append(list, cli_json_count(levels[q]));
    }
    return list;
}

static json_t *constraints_json(const cli_published *p, const cli_demands *demands)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < demands->n; i++) {
        double value = 0.0;
        const bool known = cli_published_value(p, &demands->list[i], &value);
        const char *const column = column_of(p, &demands->list[i]);
        json_t *const object = cli_demand_json(&demands->list[i], known, value);
        cli_json_set(object, "sensitive", column != NULL ? cli_json_text(column) : json_null());
        cli_json_append(list, object);
    }
    return list;
}

static json_t *pick_json(const cli_published *p)
{
    if (p->pick == NULL) {
        return json_null();
    }
    json_t *const object = json_object();
    cli_json_set(object, "asked", cli_json_text(p->pick));
    cli_json_set(object, "method", cli_json_text(pv_front_method(p->found.front)));
    cli_json_set(object, "complete", cli_json_bool(pv_front_is_complete(p->found.front)));
    cli_json_set(object, "stop", cli_json_text(cli_stop_name(pv_front_stop(p->found.front))));
    cli_json_set(object, "points", cli_json_count(pv_front_n_points(p->found.front)));
    cli_json_set(object, "point", cli_point_json(&p->found, p->point));
    return object;
}

static json_t *audit_json(const pv_audit *audit)
{
    json_t *const object = json_object();
    cli_json_set(object, "rows", cli_json_count(audit->rows));
    cli_json_set(object, "suppressed", cli_json_count(audit->suppressed));
    cli_json_set(object, "k", cli_json_count(audit->k));
    cli_json_set(object, "k_wildcard", cli_json_count(audit->k_wildcard));
    return object;
}

/* Every released column with its treatment; the quasi-identifiers in the order of the plan first.
 */
static json_t *columns_json(const cli_published *p)
{
    json_t *const list = json_array();
    const pv_audit *const audit = p->result->audit;
    for (size_t q = 0; q < audit->n_quasi; q++) {
        json_t *const column = json_object();
        cli_json_set(column, "name", cli_json_text(pv_study_quasi_name(p->opened.study, q)));
        cli_json_set(column, "role", cli_json_text(pv_role_name(PV_ROLE_QUASI)));
        cli_json_set(column, "treatment", cli_json_text("generalized"));
        cli_json_set(column, "values", cli_json_count(audit->quasi_values[q]));
        cli_json_append(list, column);
    }
    cli_unchanged_json(list, audit, p->opened.plan);
    return list;
}

/* Columns of the original that the release does not have. */
static json_t *dropped_json(const cli_published *p)
{
    const pv_plan *const plan = p->opened.plan;
    json_t *const list = json_array();
    for (size_t i = 0; i < plan->n_attributes && !p->hashed; i++) {
        if (plan->attributes[i].role == PV_ROLE_IDENTIFIER) {
            cli_json_append(list, cli_json_text(plan->attributes[i].name));
        }
    }
    for (size_t i = 0; i < pv_study_unnamed(p->opened.study); i++) {
        cli_json_append(list, cli_json_text(pv_study_unnamed_name(p->opened.study, i)));
    }
    return list;
}

static json_t *path_json(const char *path)
{
    return path != NULL ? cli_json_text(path) : json_null();
}

static json_t *files_json(const pv_release_result *r)
{
    json_t *const object = json_object();
    cli_json_set(object, "table", path_json(r->table_path));
    cli_json_set(object, "papers", path_json(r->papers_path));
    cli_json_set(object, "scheme", path_json(r->scheme_path));
    cli_json_set(object, "certificate", path_json(r->certificate_path));
    cli_json_set(object, "page", path_json(r->page_path));
    cli_json_set(object, "codebook", path_json(r->codebook_path));
    cli_json_set(object, "codebook_text", path_json(r->codebook_text_path));
    cli_json_set(object, "publisher", path_json(r->report_path));
    cli_json_set(object, "publisher_page", path_json(r->report_page_path));
    cli_json_set(object, "row_map", path_json(r->row_map_path));
    return object;
}

static json_t *formulas_json(const cli_published *p)
{
    json_t *const object = json_object();
    json_t *const columns = json_array();
    for (size_t i = 0; i < p->result->n_formulas; i++) {
        json_t *const column = json_object();
        cli_json_set(column, "name", cli_json_text(p->result->formulas[i].name));
        cli_json_set(column, "cells", cli_json_count(p->result->formulas[i].cells));
        cli_json_set(column, "heading", cli_json_bool(p->result->formulas[i].heading));
        cli_json_append(columns, column);
    }
    cli_json_set(object, "escaped", cli_json_bool(p->escaped));
    cli_json_set(object, "columns", columns);
    return object;
}

void cli_published_json(json_t *object, const cli_published *p)
{
    const cli_measured raw = before(p);
    const cli_measured released = after(p);
    json_t *const lattice = json_object();
    cli_json_set(lattice, "heights", cli_heights_json(p->opened.study));
    cli_json_set(object, "verdict", cli_json_text(p->result->verdict));
    cli_json_set(object, "table", cli_opened_json(&p->opened));
    cli_json_set(object, "lattice", lattice);
    cli_json_set(object, "levels", levels_json(p));
    cli_json_set(object, "pick", pick_json(p));
    cli_json_set(object, "suppression", cli_suppression_json(&p->suppression));
    cli_json_set(object, "suppressed", cli_json_count(p->result->suppressed));
    cli_json_set(object, "left_out", cli_json_count(p->result->left_out));
    cli_json_set(object, "columns", columns_json(p));
    cli_json_set(object, "dropped", dropped_json(p));
    cli_json_set(object, "measures", cli_measured_json(&released));
    cli_json_set(object, "before", cli_measured_json(&raw));
    cli_json_set(object, "require", constraints_json(p, &p->demands));
    cli_json_set(object, "promises", constraints_json(p, &p->promises));
    cli_json_set(object, "verified", audit_json(p->result->audit));
    cli_json_set(object, "order", cli_json_text(pv_row_order_name(p->order)));
    cli_json_set(object, "seed",
                 p->order == PV_ORDER_SHUFFLED ? cli_json_count(p->seed) : json_null());
    cli_json_set(object, "formulas", formulas_json(p));
    cli_json_set(object, "files", files_json(p->result));
}

void cli_published_show(cli_run *run, const char *command, const cli_published *p)
{
    if (run->common->json) {
        json_t *const document = cli_json_document(command);
        cli_published_json(document, p);
        cli_json_print(run, document);
    } else if (cli_run_talks(run)) {
        cli_published_print(&run->report, p, false);
    }
}
