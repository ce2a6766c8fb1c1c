/* What was found in a file, for programs. */
#include "core/json.h"
#include "check/check.h"
#include "inspect/inspect.h"

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

static json_t *demands_json(const cli_subject *s, const pv_audit *audit)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < s->demands.n; i++) {
        const cli_demand_found found = cli_demand_find(s, audit, i);
        json_t *const object = cli_demand_json(&s->demands.list[i], found.known, found.value);
        cli_json_set(object, "sensitive",
                     found.column != NULL ? cli_json_text(found.column) : json_null());
        cli_json_append(list, object);
    }
    return list;
}

json_t *cli_audit_json(const cli_subject *s, const pv_audit *audit, bool satisfied)
{
    json_t *const document = cli_json_document("check");
    json_t *const table = json_object();
    json_t *const readings = json_object();
    json_t *const measures = json_object();
    json_t *const others = json_array();
    size_t n = 0;
    const pv_audit_value *const values = pv_audit_values(audit, &n);
    for (size_t i = 0; i < n; i++) {
        if (values[i].available) {
            cli_json_set(measures, cli_measure_name(values[i].ref).text,
                         cli_json_number(values[i].value));
        }
    }
    cli_json_set(table, "source", cli_json_text(s->file));
    cli_json_set(table, "rows", cli_json_count(pv_audit_rows(audit)));
    cli_json_set(table, "quasi", names_json(s->quasi));
    cli_json_set(table, "sensitive", names_json(s->sensitive));
    cli_json_set(table, "label", s->label != NULL ? cli_json_text(s->label) : json_null());
    cli_json_set(readings, "category",
                 reading_json(pv_audit_k(audit), pv_audit_unique_rows(audit),
                              cli_part(pv_audit_classes(audit), cli_remaining(audit))));
    cli_json_set(readings, "wildcard",
                 reading_json(pv_audit_k_wildcard(audit), pv_audit_unique_rows_wildcard(audit),
                              pv_audit_risk_mean_wildcard(audit)));
    cli_json_set(table, "missing_taken", cli_json_bool(s->plan != NULL || s->missing != NULL));
    cli_json_set(table, "missing", cli_json_count(pv_audit_missing(audit)));
    cli_json_set(table, "trimmed", cli_json_count(pv_audit_trimmed(audit)));
    cli_json_set(document, "table", table);
    cli_json_set(document, "suppressed", cli_json_count(pv_audit_suppressed(audit)));
    cli_json_set(document, "suppressed_cells", cli_json_count(pv_audit_starred_cells(audit)));
    cli_json_set(document, "n_classes", cli_json_count(pv_audit_classes(audit)));
    cli_json_set(document, "classes", cli_class_sizes_json(pv_audit_histogram(audit, &n)));
    cli_json_set(document, "readings", readings);
    cli_json_set(document, "measures", measures);
    cli_unchanged_json(others, audit, NULL);
    cli_json_set(document, "unchanged", others);
    cli_json_set(document, "papers", cli_papers_json(&s->papers));
    cli_json_set(document, "require", demands_json(s, audit));
    cli_json_set(document, "satisfied", cli_json_bool(satisfied));
    return document;
}
