/* What `disclose` found, for programs: JSON, and one line per record. */
#include "core/json.h"

#include "core/text.h"
#include "disclose/disclose.h"
#include "release/release.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------------------- question */

static json_t *aim_json(const pv_disclose_options *options)
{
    json_t *const object = json_object();
    cli_json_set(object, "name", cli_json_text(pv_aim_name(options->aim)));
    cli_json_set(object, "bound", cli_json_number(options->bound));
    cli_json_set(object, "share", cli_json_bool(options->is_share));
    return object;
}

static json_t *known_json(const cli_disclosed *d)
{
    const pv_study *const study = cli_disclosed_opened(d)->study;
    json_t *const list = json_array();
    for (size_t q = 0; q < pv_study_quasis(study); q++) {
        if (pv_attacker_knows(d->attacker, q)) {
            cli_json_append(list, cli_json_text(pv_study_quasi_name(study, q)));
        }
    }
    return list;
}

static json_t *unmatched_json(const cli_disclosed *d)
{
    const pv_study *const study = cli_disclosed_opened(d)->study;
    json_t *const object = json_object();
    for (size_t q = 0; q < pv_study_quasis(study); q++) {
        if (pv_attacker_knows(d->attacker, q)) {
            cli_json_set(object, pv_study_quasi_name(study, q),
                         cli_json_count(pv_attacker_n_unmatched(d->attacker, q)));
        }
    }
    return object;
}

static json_t *dictionary_json(const cli_disclosed *d)
{
    const char *const path = d->query.given->dictionary;
    const double similarity = d->query.similarity;
    json_t *const object = json_object();
    json_t *const ignored = json_array();
    for (size_t i = 0; i < d->query.n_ignore; i++) {
        cli_json_append(ignored, cli_json_text(d->query.ignore[i]));
    }
    cli_json_set(object, "source", path != NULL ? cli_json_text(path) : json_null());
    cli_json_set(object, "rows", cli_json_count(pv_attacker_n_rows(d->attacker)));
    cli_json_set(object, "known", known_json(d));
    cli_json_set(object, "ignored", ignored);
    cli_json_set(object, "unmatched", unmatched_json(d));
    cli_json_set(object, "similarity",
                 similarity > 0.0 ? cli_json_number(similarity) : json_null());
    return object;
}

static json_t *sensitivity_json(const cli_query *query)
{
    json_t *const object = json_object();
    cli_json_set(object, "source", cli_json_text(cli_sensitivity_name(query->source)));
    cli_json_set(object, "seed",
                 query->source == PV_SENSITIVITY_RANDOM ? cli_json_count(query->seed)
                                                        : json_null());
    return object;
}

void cli_question_json(json_t *object, const cli_disclosed *d)
{
    cli_json_set(object, "table", cli_opened_json(cli_disclosed_opened(d)));
    cli_json_set(object, "dictionary", dictionary_json(d));
    cli_json_set(object, "sensitivity", sensitivity_json(&d->query));
    if (!d->query.given->front) {
        cli_json_set(object, "aim", aim_json(&d->query.options));
    }
}

static void set_effort(json_t *object, const cli_disclosed *d)
{
    const pv_disclosure *const found = d->disclosure;
    json_t *const lattice = json_object();
    cli_json_set(lattice, "heights", cli_heights_json(cli_disclosed_opened(d)->study));
    cli_json_set(lattice, "nodes", cli_json_number(pv_disclosure_n_nodes(found)));
    cli_json_set(object, "lattice", lattice);
    cli_json_set(object, "method", cli_json_text(pv_disclosure_method(found)));
    cli_json_set(object, "reason",
                 pv_disclosure_reason(found) != NULL ? cli_json_text(pv_disclosure_reason(found))
                                                     : json_null());
    cli_json_set(object, "exact", cli_json_bool(cli_disclosed_is_exact(d)));
    cli_json_set(object, "proven",
                 d->summary != NULL ? cli_json_count(pv_disclosure_summary_n_proven(d->summary))
                                    : json_null());
    cli_json_set(object, "stopped", cli_json_bool(pv_disclosure_is_stopped(found)));
    cli_json_set(object, "stop", cli_json_text(cli_stop_name(pv_disclosure_stop(found))));
    cli_json_set(object, "visited", cli_json_count(pv_disclosure_n_visited(found)));
    cli_json_set(object, "seconds", cli_json_number(pv_disclosure_seconds(found)));
}

/* ----------------------------------------------------------------- answer */

static json_t *spread_json(const pv_spread *spread)
{
    json_t *const object = json_object();
    json_t *const quantiles = json_array();
    for (size_t i = 0; i < sizeof spread->quantile / sizeof *spread->quantile; i++) {
        cli_json_append(quantiles, cli_json_number(spread->quantile[i]));
    }
    cli_json_set(object, "mean", cli_json_number(spread->mean));
    cli_json_set(object, "min", cli_json_number(spread->least));
    cli_json_set(object, "max", cli_json_number(spread->most));
    cli_json_set(object, "quantiles", quantiles);
    return object;
}

static json_t *risk_json(const cli_disclosed *d)
{
    json_t *const object = json_object();
    cli_json_set(object, "model", cli_json_text(pv_risk_name(d->query.options.risk)));
    cli_json_set(object, "before", spread_json(pv_disclosure_summary_risk_before(d->summary)));
    cli_json_set(object, "after", spread_json(pv_disclosure_summary_risk_after(d->summary)));
    return object;
}

static json_t *utility_json(const cli_disclosed *d)
{
    json_t *const object = json_object();
    cli_json_set(object, "measure", cli_json_text(pv_utility_name(d->query.options.utility)));
    cli_json_set(object, "kept", spread_json(pv_disclosure_summary_utility_kept(d->summary)));
    return object;
}

static json_t *change_json(json_t *before, json_t *after)
{
    json_t *const object = json_object();
    cli_json_set(object, "before", before);
    cli_json_set(object, "after", after);
    return object;
}

static void set_fitting(json_t *object, const cli_disclosed *d)
{
    const cli_fitting before = cli_people_fitting(d, false);
    const cli_fitting after = cli_people_fitting(d, true);
    cli_json_set(object, "unique",
                 change_json(cli_json_count(before.one), cli_json_count(after.one)));
    cli_json_set(object, "absent",
                 change_json(cli_json_count(before.none), cli_json_count(after.none)));
}

static json_t *levels_json(const cli_disclosed *d)
{
    const pv_study *const study = cli_disclosed_opened(d)->study;
    json_t *const object = json_object();
    for (size_t q = 0; q < cli_disclosed_n_quasi(d); q++) {
        const unsigned height = pv_hierarchy_height(pv_study_hierarchy(study, q));
        uint64_t *const people = cli_people_by_level(d, q);
        json_t *const list = json_array();
        for (unsigned level = 0; level <= height; level++) {
            cli_json_append(list, cli_json_count(people[level]));
        }
        cli_json_set(object, pv_study_quasi_name(study, q), list);
        free(people);
    }
    return object;
}

static json_t *pattern_json(const cli_pattern *pattern, size_t n_quasi)
{
    json_t *const object = json_object();
    json_t *const levels = json_array();
    json_t *const risk = json_object();
    for (size_t q = 0; q < n_quasi; q++) {
        cli_json_append(levels, cli_json_count(pattern->levels[q]));
    }
    cli_json_set(risk, "mean", cli_json_number(pattern->mean));
    cli_json_set(risk, "max", cli_json_number(pattern->worst));
    cli_json_set(object, "levels", levels);
    cli_json_set(object, "people", cli_json_count(pattern->people));
    cli_json_set(object, "consistent", cli_json_count(pattern->fewest));
    cli_json_set(object, "risk", risk);
    return object;
}

static json_t *exposed_json(const cli_disclosed *d)
{
    cli_patterns patterns = cli_patterns_take(d);
    json_t *const list = json_array();
    for (size_t i = 0; i < patterns.n && i < CLI_SHOWN_PATTERNS; i++) {
        cli_json_append(list, pattern_json(&patterns.list[i], cli_disclosed_n_quasi(d)));
    }
    cli_patterns_free(&patterns);
    return list;
}

static json_t *released_json(const cli_disclosed *d)
{
    if (!d->is_released) {
        return json_null();
    }
    json_t *const object = json_object();
    json_t *const enforced = json_object();
    cli_json_set(enforced, "changed", cli_json_count(d->enforced.changed));
    cli_json_set(enforced, "finer", cli_json_count(d->enforced.finer));
    cli_json_set(enforced, "merged", cli_json_count(d->enforced.merged));
    cli_json_set(enforced, "risk_chosen", cli_json_number(d->risk_chosen));
    cli_published_json(object, &d->published);
    cli_json_set(object, "enforced", enforced);
    return object;
}

void cli_disclosed_json(json_t *object, const cli_disclosed *d)
{
    const char *const assign = d->query.given->assign;
    cli_question_json(object, d);
    cli_json_set(object, "risk", risk_json(d));
    cli_json_set(object, "utility", utility_json(d));
    set_fitting(object, d);
    cli_json_set(object, "infeasible",
                 cli_json_count(pv_disclosure_summary_n_infeasible(d->summary)));
    cli_json_set(object, "levels", levels_json(d));
    cli_json_set(object, "exposed", exposed_json(d));
    set_effort(object, d);
    cli_json_set(object, "assigned", assign != NULL ? cli_json_text(assign) : json_null());
    cli_json_set(object, "released", released_json(d));
}

/* ------------------------------------------------------------- one record */

void cli_record_json(json_t *object, const cli_disclosed *d)
{
    const pv_disclosure *const found = d->disclosure;
    const size_t t =
        pv_profile_tuple(cli_disclosed_opened(d)->profile, d->query.given->row.value - 1);
    const double utility = pv_disclosure_utility(found, t);
    const double most = pv_disclosure_utility_raw(found, t);
    json_t *const levels = json_array();
    for (size_t q = 0; q < cli_disclosed_n_quasi(d); q++) {
        cli_json_append(levels, cli_json_count(cli_shown_level(d, t, q)));
    }
    json_t *const record = json_object();
    cli_json_set(record, "row", cli_json_count(d->query.given->row.value));
    cli_json_set(record, "levels", levels);
    cli_json_set(record, "model", cli_json_text(pv_risk_name(d->query.options.risk)));
    cli_json_set(record, "risk",
                 change_json(cli_json_number(pv_disclosure_risk_raw(found, t)),
                             cli_json_number(pv_disclosure_risk(found, t))));
    cli_json_set(record, "measure", cli_json_text(pv_utility_name(d->query.options.utility)));
    cli_json_set(record, "utility", change_json(cli_json_number(most), cli_json_number(utility)));
    cli_json_set(record, "kept", cli_json_number(most > 0.0 ? utility / most : 1.0));
    cli_json_set(record, "consistent",
                 change_json(cli_json_count(pv_disclosure_n_consistent_raw(found, t)),
                             cli_json_count(pv_disclosure_n_consistent(found, t))));
    cli_json_set(record, "feasible", cli_json_bool(pv_disclosure_is_feasible(found, t)));
    cli_question_json(object, d);
    cli_json_set(object, "record", record);
    set_effort(object, d);
}

/* ----------------------------------------------------------------- assign */

/* Names of columns are quoted where they need it. */
static void put_name(FILE *out, const char *text)
{
    const bool quoted = strpbrk(text, ",\"\r\n") != NULL;
    (void)fputs(quoted ? "\"" : "", out);
    for (; *text != '\0'; text++) {
        (void)fputs(*text == '"' ? "\"" : "", out);
        (void)fputc(*text, out);
    }
    (void)fputs(quoted ? "\"" : "", out);
}

static void put_header(FILE *out, const pv_study *study)
{
    (void)fputs("row,", out);
    for (size_t q = 0; q < pv_study_quasis(study); q++) {
        char *const name = cli_format("level:%s", pv_study_quasi_name(study, q));
        put_name(out, name);
        (void)fputc(',', out);
        free(name);
    }
    (void)fputs("risk,utility\n", out);
}

static void put_row(FILE *out, const cli_disclosed *d, uint64_t row)
{
    const size_t tuple = pv_profile_tuple(cli_disclosed_opened(d)->profile, row);
    (void)fprintf(out, "%llu,", (unsigned long long)row + 1);
    for (size_t q = 0; q < cli_disclosed_n_quasi(d); q++) {
        (void)fprintf(out, "%u,", cli_shown_level(d, tuple, q));
    }
    (void)fprintf(out, "%.15g,%.15g\n", pv_disclosure_risk(d->disclosure, tuple),
                  pv_disclosure_utility(d->disclosure, tuple));
}

char *cli_assign_csv(const cli_disclosed *d)
{
    const cli_opened *const opened = cli_disclosed_opened(d);
    char *text = NULL;
    size_t size = 0;
    FILE *const out = open_memstream(&text, &size);
    if (out == NULL) {
        cli_no_memory();
    }
    put_header(out, opened->study);
    for (uint64_t row = 0; row < pv_profile_rows(opened->profile); row++) {
        put_row(out, d, row);
    }
    if (fclose(out) != 0) {
        cli_no_memory();
    }
    return text;
}
