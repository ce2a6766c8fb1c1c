/* A release that was written, for people. */
#include "core/fail.h"
#include "core/grid.h"
#include "core/json.h"
#include "core/measured.h"
#include "core/outputs.h"
#include "core/text.h"
#include "release/release.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ------------------------------------------------------- what both forms show */

bool cli_published_value(const cli_published *p, const pv_constraint *constraint, double *value)
{
    size_t n = 0;
    const double *const measures = pv_release_measures(p->result, &n);
    const bool *const known = pv_release_measured(p->result, &n);
    for (size_t i = 0; cli_measure_is_default(constraint->ref) && i < n; i++) {
        if (pv_measure_at(i) == constraint->ref.measure && known[i]) {
            *value = measures[i];
            return true;
        }
    }
    const pv_audit_value *const found = pv_audit_find(pv_release_audit(p->result), constraint->ref);
    if (found == NULL || !found->available) {
        return false;
    }
    *value = found->value;
    return true;
}

const char *cli_published_column(const cli_published *p, const pv_constraint *constraint)
{
    const pv_study *const study = p->opened.study;
    const pv_audit_value *const found = pv_audit_find(pv_release_audit(p->result), constraint->ref);
    return found != NULL && found->available && found->sensitive != SIZE_MAX &&
                   pv_study_sensitives(study) > 1
               ? pv_table_name(pv_study_table(study),
                               pv_study_sensitive_column(study, found->sensitive))
               : NULL;
}

const char **cli_published_dropped(const cli_published *p, size_t *n_identifiers)
{
    const pv_plan *const plan = p->opened.plan;
    const size_t n_unnamed = pv_study_unnamed(p->opened.study);
    const char **const names =
        cli_zeroed(pv_plan_n_attributes(plan) + n_unnamed + 1, sizeof *names);
    size_t n = 0;
    for (size_t i = 0; i < pv_plan_n_attributes(plan) && !p->hashed; i++) {
        const pv_plan_attribute *const attribute = pv_plan_attribute_at(plan, i);
        if (pv_attribute_role(attribute) == PV_ROLE_IDENTIFIER) {
            names[n++] = pv_attribute_name(attribute);
        }
    }
    *n_identifiers = n;
    for (size_t i = 0; i < n_unnamed; i++) {
        names[n + i] = pv_study_unnamed_name(p->opened.study, i);
    }
    return names;
}

/* --------------------------------------------------------------------- columns */

static void print_levels(const cli_report *report, const cli_published *p)
{
    static const cli_column columns[] = {{"attribute", CLI_LEFT},      {"level", CLI_RIGHT},
                                         {"values before", CLI_RIGHT}, {"after", CLI_RIGHT},
                                         {"released as", CLI_WRAP},    {NULL, CLI_LEFT}};
    size_t n_levels = 0;
    const uint8_t *const levels = pv_scheme_levels(p->scheme, &n_levels);
    if (levels == NULL) {
        return; /* to each record something else */
    }
    size_t n_values = 0; /* one for each level */
    const uint64_t *const values = pv_audit_quasi_values(pv_release_audit(p->result), &n_values);
    cli_heading(report, "What happened to each attribute");
    cli_grid *const grid = cli_grid_create(report, columns);
    for (size_t q = 0; q < n_levels; q++) {
        const pv_hierarchy *const hierarchy = pv_study_hierarchy(p->opened.study, q);
        cli_grid_cell(grid, "%s", pv_study_quasi_name(p->opened.study, q));
        cli_grid_cell(grid, "%u of %u", levels[q], pv_hierarchy_height(hierarchy));
        cli_grid_cell(grid, "%s", cli_count_text(pv_hierarchy_leaves(hierarchy)).text);
        cli_grid_cell(grid, "%s", cli_count_text(values[q]).text);
        cli_grid_cell(grid, "%s", levels[q] == 0 ? "as it was" : pv_release_labels(p->result, q));
    }
    cli_grid_print(grid);
}

/* "name and zip", "a, b and 3 more". */
static char *some_names(const char *const *names, size_t n)
{
    enum { MOST = 12 };
    char *list = cli_copy("");
    for (size_t i = 0; i < n && i < MOST; i++) {
        cli_append(&list, "%s%s", i == 0 ? "" : i + 1 == n ? " and " : ", ", names[i]);
    }
    if (n > MOST) {
        cli_append(&list, " and %s more", cli_count_text(n - MOST).text);
    }
    return list;
}

static void print_dropped(const cli_report *report, const cli_published *p)
{
    size_t n = 0;
    const char **const names = cli_published_dropped(p, &n);
    const size_t n_unnamed = pv_study_unnamed(p->opened.study);
    char *const identifiers = some_names(names, n);
    char *const unnamed = some_names(names + n, n_unnamed);
    if (n > 0) {
        cli_fact(report, CLI_NEUTRAL, "dropped", "%s: identifier%s", identifiers,
                 n == 1 ? "" : "s");
    }
    if (n_unnamed > 0) {
        cli_fact(report, CLI_NEUTRAL, "dropped",
                 "%s: not named in the plan (`others: keep` would release %s)", unnamed,
                 n_unnamed == 1 ? "it" : "them");
    }
    free(identifiers);
    free(unnamed);
    free(names);
}

/* --------------------------------------------------------------------- summary */

/* A point of a front that is not known to be whole may be beaten by what nobody looked at. */
static void print_pick(const cli_report *report, const cli_published *p)
{
    if (p->pick == NULL) {
        return;
    }
    const pv_front *const front = p->found.front;
    const bool complete = pv_front_is_complete(front);
    const bool knee = cli_equal(p->pick, "knee");
    char *const point = cli_point_text(&p->found, p->point);
    char *family = NULL;
    char *account = NULL;
    const bool named = pv_front_family(front, &family, NULL) == PV_STATUS_OK;
    cli_fact(report, CLI_NEUTRAL, "picked", "%s: %s%s%s, from %s that %s among the %s", point,
             knee ? "the knee" : "", knee ? "" : "the best that keeps ", knee ? "" : p->pick,
             cli_plural_text(pv_front_n_points(front), "point", "points").text,
             complete ? "nothing beats" : "nothing found beats", named ? family : "schemes");
    if (!complete && pv_front_account(front, &account, NULL) == PV_STATUS_OK) {
        cli_fact(report, CLI_NEUTRAL, "not proven", "the front is %s", account);
    }
    pv_string_free(account);
    pv_string_free(family);
    free(point);
}

char *cli_best_loss_text(const pv_profile *profile, const pv_best *best, double value)
{
    const pv_measure *const measure = pv_best_loss(best).measure;
    const double share = pv_measure_share(measure, profile, value);
    return isfinite(share) ? cli_format("%.2f%% %s", 100 * share, measure->name)
                           : cli_format("%s %s", cli_value_text(value).text, measure->name);
}

/* A gap that says nothing: the bound is the least that can be thought of. */
#define NOTHING_KNOWN 0.99

/* Cuts are mostly too many to write them out. */
static cli_number count_of_schemes(const pv_best *best)
{
    const double n = pv_best_n_schemes(best);
    cli_number text = {0};
    if (n < 1e15) {
        return cli_count_text((uint64_t)n);
    }
    (void)snprintf(text.text, sizeof text.text, "%.0e", n);
    return text;
}

/* What another question was about: "k >= 6", "up to 2 rows suppressed", "--scheme cuts". Owned. */
static char *question_text(const cli_published *p, const cli_neighbour *other)
{
    if (other->demand < p->demands.n) {
        char text[PV_MEASURE_TEXT_SIZE];
        pv_constraint demand = p->demands.list[other->demand];
        demand.bound = other->bound;
        pv_constraint_text(&demand, text, sizeof text);
        return cli_copy(text);
    }
    return other->demand == p->demands.n
               ? cli_format("up to %s suppressed",
                            cli_plural_text((uint64_t)other->bound, "row", "rows").text)
               : cli_format("--scheme %s", other->kind == PV_SCHEME_CUTS ? "cuts" : "levels");
}

/* How far from the best possible what was found may be: nothing to say if it is proven. Owned. */
static char *doubt_text(const pv_best *best)
{
    const double bound = pv_best_bound(best);
    if (pv_best_is_proven(best)) {
        return cli_copy("");
    }
    return pv_best_loss(best).measure->direction == PV_LESS_IS_BETTER &&
                   bound > 0.5 * pv_best_value(best)
               ? cli_format(", at most %.1f%% above the least possible",
                            100 * (pv_best_value(best) / bound - 1))
               : cli_copy(" or better");
}

char *cli_best_proof_text(const pv_profile *profile, const pv_best *best, const char *more_time)
{
    const bool cuts = pv_scheme_kind_of(pv_best_scheme(best)) == PV_SCHEME_CUTS;
    const char *const kind = cuts ? "cuts" : "levels";
    const cli_number schemes = count_of_schemes(best);
    if (pv_best_is_proven(best)) {
        return cli_format("proven, nothing among %s schemes of %s is better (%s looked at)",
                          schemes.text, kind, cli_count_text(pv_best_nodes(best)).text);
    }
    if (pv_best_gap(best) >= NOTHING_KNOWN) {
        return cli_format("nothing is proven of how much better any other of the %s schemes of %s "
                          "is%s%s",
                          schemes.text, kind,
                          pv_best_stop(best) == PV_STOP_TIME ? "; more time may help" : "",
                          pv_best_stop(best) == PV_STOP_TIME ? more_time : "");
    }
    char *const bound = cli_best_loss_text(profile, best, pv_best_bound(best));
    char *const text =
        cli_format("nothing among %s schemes of %s can be better than %s, which leaves a gap of "
                   "%.1f%%; more time may close it%s",
                   schemes.text, kind, bound, 100 * pv_best_gap(best), more_time);
    free(bound);
    return text;
}

/* How good the best is, why rows are suppressed, and what the neighbouring questions would cost. */
static void print_best(const cli_report *report, const cli_published *p)
{
    const pv_best *const best = p->best;
    if (best == NULL) {
        return;
    }
    char *const loss = cli_best_loss_text(p->opened.profile, best, pv_best_value(best));
    char *const proof = cli_best_proof_text(p->opened.profile, best, " (--seconds)");
    const bool proven = pv_best_is_proven(best);
    cli_fact(report, proven ? CLI_GOOD : CLI_NEUTRAL, proven ? "best" : "best found", "%s%s %s",
             loss, proven ? ":" : ";", proof);
    size_t n = 0;
    const pv_constraint *const demands = pv_best_demands(best, &n);
    const uint64_t *const broken = pv_best_broken(best, &n);
    for (size_t i = 0; i < n; i++) {
        char text[PV_MEASURE_TEXT_SIZE];
        pv_constraint_text(&demands[i], text, sizeof text);
        if (broken[i] > 0) {
            cli_fact(report, CLI_NEUTRAL, "suppressed for", "%s: %s in classes that break it", text,
                     cli_plural_text(broken[i], "row", "rows").text);
        }
    }
    for (size_t i = 0; i < p->n_neighbours; i++) {
        const cli_neighbour *const other = &p->neighbours[i];
        char *const text = question_text(p, other);
        if (pv_best_scheme(other->best) == NULL) {
            cli_fact(report, CLI_NEUTRAL, "with", "%s: %s", text,
                     pv_best_is_proven(other->best) ? "impossible" : "none found");
        } else {
            char *const cost =
                cli_best_loss_text(p->opened.profile, best, pv_best_value(other->best));
            char *const doubt = doubt_text(other->best);
            cli_fact(report, CLI_NEUTRAL, "with", "%s it would be %s%s", text, cost, doubt);
            free(cost);
            free(doubt);
        }
        free(text);
    }
    free(loss);
    free(proof);
}

static void print_k(const cli_report *report, const cli_published *p)
{
    const uint64_t k = pv_release_k(p->result);
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

/* What was demanded, and a warning: five people who look alike and share a diagnosis protect
 * nobody's diagnosis. */
static void print_demands(const cli_report *report, const cli_published *p)
{
    for (size_t i = 0; i < p->demands.n; i++) {
        char text[PV_MEASURE_TEXT_SIZE];
        double value = 0.0;
        pv_constraint_text(&p->demands.list[i], text, sizeof text);
        const bool known = cli_published_value(p, &p->demands.list[i], &value);
        const char *const column = p->demands.list[i].ref.column[0] == '\0'
                                       ? cli_published_column(p, &p->demands.list[i])
                                       : NULL; /* it says so itself */
        cli_fact(report, CLI_NEUTRAL, "demanded", "%s: holds%s%s%s%s", text,
                 known ? ", it is " : "", known ? cli_value_text(value).text : "",
                 column != NULL ? ", for column " : "", column != NULL ? column : "");
    }
    const pv_measure_ref diversity = {.measure = pv_measure_find("l-distinct")};
    const pv_audit_value *const found = pv_audit_find(pv_release_audit(p->result), diversity);
    if (found != NULL && found->available && found->value < 2 && pv_release_k(p->result) >= 2) {
        const pv_constraint asked = {.ref = diversity, .bound = 2};
        const char *const column = cli_published_column(p, &asked);
        cli_fact(report, CLI_BAD, "careful",
                 "in some class everybody has the same %s%s: whoever is known to belong "
                 "to it has given it away; demand --require l-distinct=2 to rule that out",
                 column != NULL ? "value of the column " : "sensitive value",
                 column != NULL ? column : "");
    }
}

static void print_verified(const cli_report *report, const cli_published *p)
{
    const pv_audit *const audit = pv_release_audit(p->result);
    const uint64_t suppressed = pv_release_n_suppressed(p->result);
    const char *const verdict = pv_release_verdict(p->result);
    const cli_tone tone = cli_equal(verdict, "verified") ? CLI_GOOD : CLI_BAD;
    const cli_number k = cli_count_text(pv_audit_k(audit));
    const char *const how = pv_is_place(p->output)
                                ? "the table was counted by the database and read back"
                                : "the file was read back from disk";
    if (cli_equal(verdict, "accepted")) {
        cli_fact(report, CLI_BAD, "accepted",
                 "a column that singles people out is released, as the plan accepts");
    }
    if (pv_release_n_left_out(p->result) > 0) {
        cli_fact(report, tone, "verified",
                 "%s by the independent checker, which found k = %s in its %s", how, k.text,
                 cli_plural_text(pv_audit_rows(audit), "row", "rows").text);
    } else if (pv_audit_suppressed(audit) > suppressed) {
        cli_fact(
            report, tone, "verified",
            "%s by the independent checker. Without being suppressed, %s `*` in every "
            "quasi-identifier, because their values are unknown to the hierarchies, or end early "
            "in them; there they look suppressed. The checker counts them as suppressed and found "
            "k = %s among the others",
            how,
            cli_plural_text(pv_audit_suppressed(audit) - suppressed, "row is", "rows are").text,
            k.text);
    } else {
        cli_fact(
            report, tone, "verified",
            "%s by the independent checker, which found k = %s and %s too", how, k.text,
            cli_plural_text(pv_audit_suppressed(audit), "suppressed row", "suppressed rows").text);
    }
}

static void print_order(const cli_report *report, const cli_published *p)
{
    if (p->order == PV_ORDER_SHUFFLED) {
        cli_fact(report, CLI_NEUTRAL, "row order",
                 "shuffled with seed %llu; keep it to yourself, it undoes the shuffle",
                 (unsigned long long)p->seed);
    } else if (p->order == PV_ORDER_KEPT) {
        cli_fact(report, CLI_BAD, "row order",
                 "kept: if the data is sorted, the place of a row tells what was generalized");
    } else {
        cli_fact(report, CLI_NEUTRAL, "row order", "sorted by the released values");
    }
}

/* Cells that a spreadsheet would run: where, never which. */
static void print_formulas(const cli_report *report, const cli_published *p)
{
    size_t n = 0;
    const pv_formula_column *const formulas = pv_release_formulas(p->result, &n);
    for (size_t i = 0; i < n; i++) {
        cli_fact(report, p->escaped ? CLI_NEUTRAL : CLI_BAD, "formulas",
                 "%s of column `%s`%s would be run by a spreadsheet; %s",
                 cli_plural_text(formulas[i].cells, "cell", "cells").text, formulas[i].name,
                 formulas[i].heading ? " and its name" : "",
                 p->escaped ? "a ' stands before them"
                            : "if the table will be opened in one, use --escape-formulas");
    }
}

static void print_summary(const cli_report *report, const cli_published *p)
{
    const pv_release_result *const r = p->result;
    const uint64_t rows = pv_release_n_rows(r);
    const uint64_t suppressed = pv_release_n_suppressed(r);
    const uint64_t left_out = pv_release_n_left_out(r);
    cli_paragraph(report, 0, "Released %s to %s",
                  cli_plural_text(rows - left_out, "row", "rows").text,
                  cli_is_stream(p->output) ? PV_STREAM_NAME : p->output);
    cli_blank(report);
    print_pick(report, p);
    print_best(report, p);
    cli_local_print(report, p);
    print_k(report, p);
    cli_fact(report, CLI_NEUTRAL, "suppressed", "%s (%s of all)%s; %s allowed",
             cli_plural_text(suppressed, "row", "rows").text,
             cli_share_text(rows > 0 ? (double)suppressed / (double)rows : 0.0).text,
             left_out > 0 ? ", left out of the file" : "",
             cli_count_text(p->suppression.budget).text);
    cli_fact(report, CLI_NEUTRAL, "classes", "%s before, %s after",
             cli_count_text(pv_release_n_classes_before(r)).text,
             cli_count_text(pv_release_n_classes(r)).text);
    print_demands(report, p);
    print_verified(report, p);
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
        char text[PV_MEASURE_TEXT_SIZE];
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

/* ----------------------------------------------------------------------- files */

static const char *name_of(const cli_published *p, pv_release_file file)
{
    return cli_path_name(pv_release_path(p->result, file));
}

/* Papers by their names alone: they are in one folder. */
static void print_files(const cli_report *report, const cli_published *p)
{
    const char *const papers = pv_release_path(p->result, PV_FILE_PAPERS);
    const char *const row_map = pv_release_path(p->result, PV_FILE_ROW_MAP);
    const bool streams = cli_is_stream(p->output);
    if (streams && papers == NULL && row_map == NULL) {
        return;
    }
    cli_heading(report, "Look at");
    if (!streams) {
        cli_fact(report, CLI_NEUTRAL, "the table", "%s", p->output);
    }
    if (papers != NULL) {
        const bool scheme = pv_release_path(p->result, PV_FILE_SCHEME) != NULL;
        cli_fact(report, CLI_NEUTRAL, "its papers", "%s/", papers);
        cli_fact(report, CLI_NEUTRAL, "for anyone",
                 "%s (the certificate: open it in a browser), %s (what the released values stand "
                 "for); for programs %s, %s",
                 name_of(p, PV_FILE_CERTIFICATE_PAGE), name_of(p, PV_FILE_CODEBOOK_TEXT),
                 name_of(p, PV_FILE_CERTIFICATE), name_of(p, PV_FILE_CODEBOOK));
        cli_fact(report, CLI_NEUTRAL, "for you alone",
                 "%s (what the original was like; not to be published)%s%s%s",
                 name_of(p, PV_FILE_REPORT_PAGE), scheme ? ", " : "",
                 scheme ? name_of(p, PV_FILE_SCHEME) : "",
                 scheme ? " (for new rows: paravent apply)" : "");
    }
    if (row_map != NULL) {
        cli_fact(report, CLI_NEUTRAL, "the row map",
                 "%s (for you alone: whoever has it undoes the order of the rows)", row_map);
    }
}

void cli_published_print(const cli_report *report, const cli_published *p, bool brief)
{
    print_summary(report, p);
    print_promises(report, p);
    print_levels(report, p);
    cli_heading(report, "The other columns");
    cli_unchanged_print(report, pv_release_audit(p->result), p->opened.plan);
    print_dropped(report, p);
    if (!brief) {
        size_t n = 0;
        const double *const before = pv_release_measures_before(p->result, &n);
        const double *const after = pv_release_measures(p->result, &n);
        const bool *const known = pv_release_measured(p->result, &n);
        cli_heading(report, "Privacy");
        cli_measured_print(report, before, after, known,
                           CLI_FAMILY(PV_FAMILY_PRIVACY) | CLI_FAMILY(PV_FAMILY_RISK) |
                               CLI_FAMILY(PV_FAMILY_BIAS));
        cli_heading(report, "What it costs");
        cli_measured_print(report, before, after, known, CLI_FAMILY(PV_FAMILY_LOSS));
    }
    print_files(report, p);
}

/* "age=5,sex=0": as --levels takes it. Owned. */
static char *levels_text(const pv_study *study, const uint8_t *levels, size_t n)
{
    char *text = cli_copy("");
    for (size_t q = 0; q < n; q++) {
        cli_append(&text, "%s%s=%u", q > 0 ? "," : "", pv_study_quasi_name(study, q), levels[q]);
    }
    return text;
}

void cli_best_so_far_show(cli_run *run, const cli_published *p)
{
    const pv_scheme *const scheme = pv_best_scheme(p->best);
    if (run->common->json) {
        json_t *const document = cli_json_document(run->command->name);
        cli_best_so_far_json(document, p);
        cli_json_print(run, document);
    } else if (cli_run_talks(run) && scheme != NULL) {
        size_t n = 0;
        const uint8_t *const levels = pv_scheme_levels(scheme, &n);
        cli_heading(&run->report, "The best so far (interrupted)");
        print_best(&run->report, p);
        if (levels != NULL) {
            char *const text = levels_text(p->opened.study, levels, n);
            cli_fact(&run->report, CLI_NEUTRAL, "to release it", "--levels %s", text);
            free(text);
        }
    }
}

void cli_published_show(cli_run *run, const cli_published *p)
{
    if (run->common->json) {
        json_t *const document = cli_json_document(run->command->name);
        cli_published_json(document, p);
        cli_json_print(run, document);
    } else if (cli_run_talks(run)) {
        cli_published_print(&run->report, p, false);
    }
}
