/* A release that was written, as JSON. */
#include "core/json.h"

#include "core/measured.h"
#include "release/release.h"

#include <stdlib.h>

static json_t *text_or_null(const char *text)
{
    return text != NULL ? cli_json_text(text) : json_null();
}

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
        json_t *const object = cli_demand_json(&demands->list[i], known, value);
        cli_json_set(object, "sensitive", text_or_null(cli_published_column(p, &demands->list[i])));
        cli_json_append(list, object);
    }
    return list;
}

static json_t *pick_json(const cli_published *p)
{
    const pv_front *const front = p->found.front;
    if (p->pick == NULL) {
        return json_null();
    }
    json_t *const object = json_object();
    cli_json_set(object, "asked", cli_json_text(p->pick));
    cli_json_set(object, "method", cli_json_text(pv_front_method(front)));
    cli_json_set(object, "complete", cli_json_bool(pv_front_is_complete(front)));
    cli_json_set(object, "stop", cli_json_text(cli_stop_name(pv_front_stop(front))));
    cli_json_set(object, "points", cli_json_count(pv_front_n_points(front)));
    cli_json_set(object, "point", cli_point_json(&p->found, p->point));
    return object;
}

/* What a search for the best found; `scheme` is null if there is none. */
static void put_best(json_t *object, const pv_best *best)
{
    const bool found = pv_best_scheme(best) != NULL;
    cli_json_set(object, "measure", cli_json_text(cli_measure_name(pv_best_loss(best)).text));
    cli_json_set(object, "value", found ? cli_json_number(pv_best_value(best)) : json_null());
    cli_json_set(object, "bound", found ? cli_json_number(pv_best_bound(best)) : json_null());
    cli_json_set(object, "gap", found ? cli_json_number(pv_best_gap(best)) : json_null());
    cli_json_set(object, "proven", cli_json_bool(pv_best_is_proven(best)));
    cli_json_set(object, "suppressed", cli_json_count(pv_best_suppressed(best)));
    cli_json_set(object, "budget", cli_json_count(pv_best_budget(best)));
    cli_json_set(object, "schemes", cli_json_number(pv_best_n_schemes(best)));
    cli_json_set(object, "nodes", cli_json_count(pv_best_nodes(best)));
    cli_json_set(object, "steps", cli_json_count(pv_best_steps(best)));
    cli_json_set(object, "seconds", cli_json_number(pv_best_seconds(best)));
    cli_json_set(object, "stop", cli_json_text(cli_stop_name(pv_best_stop(best))));
}

/* One neighbouring question: null if it is no demand that is stricter. */
static json_t *neighbour_json(const cli_neighbour *other, const cli_demands *demands)
{
    json_t *const entry = json_object();
    char text[PV_MEASURE_TEXT_SIZE] = "";
    if (other->demand < demands->n) {
        pv_constraint demand = demands->list[other->demand];
        demand.bound = other->bound;
        pv_constraint_text(&demand, text, sizeof text);
    }
    cli_json_set(entry, "demand", text[0] != '\0' ? cli_json_text(text) : json_null());
    cli_json_set(entry, "scheme", json_string(other->kind == PV_SCHEME_CUTS ? "cuts" : "levels"));
    put_best(entry, other->best);
    return entry;
}

json_t *cli_best_json(const pv_best *best, const cli_demands *own_demands,
                      const cli_neighbour *neighbours, size_t n_neighbours)
{
    json_t *const object = json_object();
    json_t *const reasons = json_array();
    json_t *const others = json_array();
    size_t n = 0;
    const pv_constraint *const demands = pv_best_demands(best, &n);
    const uint64_t *const broken = pv_best_broken(best, &n);
    const pv_scheme_kind own = pv_scheme_kind_of(pv_best_scheme(best));
    cli_json_set(object, "scheme", json_string(own == PV_SCHEME_CUTS ? "cuts" : "levels"));
    put_best(object, best);
    for (size_t i = 0; i < n; i++) {
        json_t *const reason = json_object();
        char text[PV_MEASURE_TEXT_SIZE];
        pv_constraint_text(&demands[i], text, sizeof text);
        cli_json_set(reason, "demand", cli_json_text(text));
        cli_json_set(reason, "rows", cli_json_count(broken[i]));
        cli_json_append(reasons, reason);
    }
    for (size_t i = 0; i < n_neighbours; i++) {
        cli_json_append(others, neighbour_json(&neighbours[i], own_demands));
    }
    cli_json_set(object, "broken", reasons);
    cli_json_set(object, "neighbours", others);
    return object;
}

static json_t *best_json(const cli_published *p)
{
    return p->best != NULL ? cli_best_json(p->best, &p->demands, p->neighbours, p->n_neighbours)
                           : json_null();
}

void cli_best_so_far_json(json_t *object, const cli_published *p)
{
    const pv_scheme *const scheme = pv_best_scheme(p->best);
    size_t n = 0;
    const uint8_t *const levels = scheme != NULL ? pv_scheme_levels(scheme, &n) : NULL;
    json_t *const list = levels != NULL ? json_array() : json_null();
    cli_json_set(object, "released", cli_json_bool(false));
    cli_json_set(object, "best", scheme != NULL ? best_json(p) : json_null());
    for (size_t q = 0; levels != NULL && q < n; q++) {
        cli_json_append(list, json_integer(levels[q]));
    }
    cli_json_set(object, "levels", list);
}

static json_t *audit_json(const pv_audit *audit)
{
    json_t *const object = json_object();
    cli_json_set(object, "rows", cli_json_count(pv_audit_rows(audit)));
    cli_json_set(object, "suppressed", cli_json_count(pv_audit_suppressed(audit)));
    cli_json_set(object, "k", cli_json_count(pv_audit_k(audit)));
    cli_json_set(object, "k_wildcard", cli_json_count(pv_audit_k_wildcard(audit)));
    return object;
}

/* Every released column with its treatment; the quasi-identifiers in the order of the plan first.
 */
static json_t *columns_json(const cli_published *p)
{
    json_t *const list = json_array();
    const pv_audit *const audit = pv_release_audit(p->result);
    size_t n_quasi = 0;
    const uint64_t *const quasi_values = pv_audit_quasi_values(audit, &n_quasi);
    for (size_t q = 0; q < n_quasi; q++) {
        json_t *const column = json_object();
        cli_json_set(column, "name", cli_json_text(pv_study_quasi_name(p->opened.study, q)));
        cli_json_set(column, "role", cli_json_text(pv_role_name(PV_ROLE_QUASI)));
        cli_json_set(column, "treatment", cli_json_text("generalized"));
        cli_json_set(column, "values", cli_json_count(quasi_values[q]));
        cli_json_append(list, column);
    }
    cli_unchanged_json(list, audit, p->opened.plan);
    return list;
}

static json_t *dropped_json(const cli_published *p)
{
    size_t n_identifiers = 0;
    const char **const names = cli_published_dropped(p, &n_identifiers);
    json_t *const list = json_array();
    for (size_t i = 0; names[i] != NULL; i++) {
        cli_json_append(list, cli_json_text(names[i]));
    }
    free(names);
    return list;
}

static json_t *files_json(const pv_release_result *result)
{
    static const struct {
        const char *name;
        pv_release_file file;
    } files[] = {{"table", PV_FILE_TABLE},
                 {"papers", PV_FILE_PAPERS},
                 {"scheme", PV_FILE_SCHEME},
                 {"certificate", PV_FILE_CERTIFICATE},
                 {"page", PV_FILE_CERTIFICATE_PAGE},
                 {"codebook", PV_FILE_CODEBOOK},
                 {"codebook_text", PV_FILE_CODEBOOK_TEXT},
                 {"publisher", PV_FILE_REPORT},
                 {"publisher_page", PV_FILE_REPORT_PAGE},
                 {"row_map", PV_FILE_ROW_MAP}};
    json_t *const object = json_object();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        cli_json_set(object, files[i].name, text_or_null(pv_release_path(result, files[i].file)));
    }
    return object;
}

static json_t *formulas_json(const cli_published *p)
{
    json_t *const object = json_object();
    json_t *const columns = json_array();
    size_t n = 0;
    const pv_formula_column *const formulas = pv_release_formulas(p->result, &n);
    for (size_t i = 0; i < n; i++) {
        json_t *const column = json_object();
        cli_json_set(column, "name", cli_json_text(formulas[i].name));
        cli_json_set(column, "cells", cli_json_count(formulas[i].cells));
        cli_json_set(column, "heading", cli_json_bool(formulas[i].heading));
        cli_json_append(columns, column);
    }
    cli_json_set(object, "escaped", cli_json_bool(p->escaped));
    cli_json_set(object, "columns", columns);
    return object;
}

void cli_published_json(json_t *object, const cli_published *p)
{
    const pv_release_result *const r = p->result;
    size_t n = 0;
    const bool *const known = pv_release_measured(r, &n);
    json_t *const lattice = json_object();
    cli_json_set(lattice, "heights", cli_heights_json(p->opened.study));
    cli_json_set(object, "verdict", cli_json_text(pv_release_verdict(r)));
    cli_json_set(object, "table", cli_opened_json(&p->opened));
    cli_json_set(object, "lattice", lattice);
    cli_json_set(object, "levels", levels_json(p));
    cli_json_set(object, "pick", pick_json(p));
    cli_json_set(object, "best", best_json(p));
    cli_json_set(object, "fit", cli_fit_json(p));
    cli_json_set(object, "local", cli_local_json(p));
    cli_json_set(object, "suppression", cli_suppression_json(&p->suppression));
    cli_json_set(object, "suppressed", cli_json_count(pv_release_n_suppressed(r)));
    cli_json_set(object, "left_out", cli_json_count(pv_release_n_left_out(r)));
    cli_json_set(object, "columns", columns_json(p));
    cli_json_set(object, "dropped", dropped_json(p));
    cli_json_set(object, "measures", cli_measured_json(pv_release_measures(r, &n), known));
    cli_json_set(object, "before", cli_measured_json(pv_release_measures_before(r, &n), known));
    cli_json_set(object, "require", constraints_json(p, &p->demands));
    cli_json_set(object, "promises", constraints_json(p, &p->promises));
    cli_json_set(object, "verified", audit_json(pv_release_audit(r)));
    cli_json_set(object, "order", cli_json_text(pv_row_order_name(p->order)));
    cli_json_set(object, "seed",
                 p->order == PV_ORDER_SHUFFLED ? cli_json_count(p->seed) : json_null());
    cli_json_set(object, "formulas", formulas_json(p));
    cli_json_set(object, "files", files_json(r));
}
