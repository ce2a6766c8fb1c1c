/* What `disclose` found, for programs: JSON, and one line per record. */
#include "core/json.h"
#include "core/text.h"
#include "disclose/answer.h"

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
        if (pv_dictionary_knows(d->dictionary, q)) {
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
        if (pv_dictionary_knows(d->dictionary, q)) {
            cli_json_set(object, pv_study_quasi_name(study, q),
                         cli_json_count(pv_dictionary_unmatched(d->dictionary, q)));
        }
    }
    return object;
}

static json_t *ignored_json(const cli_disclosed *d)
{
    size_t n = 0;
    json_t *const list = json_array();
    char **const ignored =
        d->settings->ignore != NULL ? cli_list_split(d->settings->ignore, ',', &n) : NULL;
    for (size_t i = 0; i < n; i++) {
        cli_json_append(list, cli_json_text(ignored[i]));
    }
    cli_list_free(ignored);
    return list;
}

static json_t *dictionary_json(const cli_disclosed *d)
{
    const char *const path = d->settings->dictionary;
    const double similarity = d->query->similarity;
    json_t *const object = json_object();
    cli_json_set(object, "source", path != NULL ? cli_json_text(path) : json_null());
    cli_json_set(object, "rows", cli_json_count(pv_dictionary_rows(d->dictionary)));
    cli_json_set(object, "known", known_json(d));
    cli_json_set(object, "ignored", ignored_json(d));
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
    cli_json_set(object, "sensitivity", sensitivity_json(d->query));
    if (!d->settings->front) {
        cli_json_set(object, "aim", aim_json(&d->query->options));
    }
}

void cli_effort_json(json_t *object, const cli_disclosed *d)
{
    const pv_disclosure *const found = d->disclosure;
    json_t *const lattice = json_object();
    cli_json_set(lattice, "heights", cli_heights_json(cli_disclosed_opened(d)->study));
    cli_json_set(lattice, "nodes", cli_json_number(found->nodes));
    cli_json_set(object, "lattice", lattice);
    cli_json_set(object, "method", cli_json_text(found->method));
    cli_json_set(object, "reason",
                 found->reason != NULL ? cli_json_text(found->reason) : json_null());
    cli_json_set(object, "exact", cli_json_bool(cli_disclosed_is_exact(d)));
    cli_json_set(object, "proven",
                 d->summary != NULL ? cli_json_count(d->summary->proven) : json_null());
    cli_json_set(object, "stopped", cli_json_bool(found->stopped));
    cli_json_set(object, "stop", cli_json_text(cli_stop_name(found->stop)));
    cli_json_set(object, "visited", cli_json_count(found->visited));
    cli_json_set(object, "seconds", cli_json_number(found->seconds));
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
    cli_json_set(object, "model", cli_json_text(pv_risk_name(d->query->options.risk)));
    cli_json_set(object, "before", spread_json(&d->summary->risk_before));
    cli_json_set(object, "after", spread_json(&d->summary->risk_after));
    return object;
}

static json_t *utility_json(const cli_disclosed *d)
{
    json_t *const object = json_object();
    cli_json_set(object, "measure", cli_json_text(pv_utility_name(d->query->options.utility)));
    cli_json_set(object, "kept", spread_json(&d->summary->utility_kept));
    return object;
}

static json_t *change_json(uint64_t before, uint64_t after)
{
    json_t *const object = json_object();
    cli_json_set(object, "before", cli_json_count(before));
    cli_json_set(object, "after", cli_json_count(after));
    return object;
}

static void set_fitting(json_t *object, const cli_disclosed *d)
{
    const cli_fitting before = cli_people_fitting(d, false);
    const cli_fitting after = cli_people_fitting(d, true);
    cli_json_set(object, "unique", change_json(before.one, after.one));
    cli_json_set(object, "absent", change_json(before.none, after.none));
}

static json_t *levels_json(const cli_disclosed *d)
{
    const pv_study *const study = cli_disclosed_opened(d)->study;
    json_t *const object = json_object();
    for (size_t q = 0; q < d->disclosure->n_quasi; q++) {
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
        cli_json_append(list, pattern_json(&patterns.list[i], d->disclosure->n_quasi));
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
    const char *const assign = d->settings->assign;
    cli_question_json(object, d);
    cli_json_set(object, "risk", risk_json(d));
    cli_json_set(object, "utility", utility_json(d));
    set_fitting(object, d);
    cli_json_set(object, "infeasible", cli_json_count(d->summary->infeasible));
    cli_json_set(object, "levels", levels_json(d));
    cli_json_set(object, "exposed", exposed_json(d));
    cli_effort_json(object, d);
    cli_json_set(object, "assigned", assign != NULL ? cli_json_text(assign) : json_null());
    cli_json_set(object, "released", released_json(d));
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
    const pv_disclosed *const record = &d->disclosure->tuples[tuple];
    (void)fprintf(out, "%llu,", (unsigned long long)row + 1);
    for (size_t q = 0; q < d->disclosure->n_quasi; q++) {
        (void)fprintf(out, "%u,", cli_shown_level(d, tuple, q));
    }
    (void)fprintf(out, "%.15g,%.15g\n", record->risk, record->utility);
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
