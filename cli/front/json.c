/* A front for programs: JSON and CSV. */
#include "front/search.h"

#include "core/fail.h"
#include "core/json.h"
#include "core/measured.h"
#include "core/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool has_share(const cli_found *found, size_t objective)
{
    return pv_measure_reads_as_share(pv_front_objectives(found->front)[objective].measure,
                                     found->opened->profile);
}

static double share_of(const cli_found *found, size_t objective, size_t point)
{
    return pv_measure_share(pv_front_objectives(found->front)[objective].measure,
                            found->opened->profile,
                            pv_front_values(found->front, point, NULL)[objective]);
}

/* ------------------------------------------------------------------- JSON */

/* Without the scheme. */
static void set_point(json_t *object, const cli_found *found, size_t point)
{
    const pv_front *const front = found->front;
    const double *const values = pv_front_values(front, point, NULL);
    json_t *const shares = json_object();
    cli_json_set(object, "k", cli_json_count(pv_front_k(front, point)));
    for (size_t i = 0; i < pv_front_n_objectives(front); i++) {
        const cli_measure_words name = cli_measure_name(pv_front_objectives(front)[i]);
        cli_json_set(object, name.text, cli_json_number(values[i]));
        if (has_share(found, i)) {
            cli_json_set(shares, name.text, cli_json_number(share_of(found, i, point)));
        }
    }
    cli_json_set(object, "suppressed", cli_json_count(pv_front_suppressed(front, point)));
    cli_json_set(object, "ties", cli_json_count(pv_front_ties(front, point)));
    cli_json_set(object, "shares", shares);
}

json_t *cli_point_json(const cli_found *found, size_t point)
{
    json_t *const object = json_object();
    json_t *const list = json_array();
    size_t n = 0;
    const uint8_t *const levels = pv_front_levels(found->front, point, &n);
    for (size_t q = 0; q < n; q++) {
        cli_json_append(list, cli_json_count(levels[q]));
    }
    cli_json_set(object, "levels", list);
    set_point(object, found, point);
    return object;
}

static double loss_of(const pv_front *front, size_t point)
{
    return pv_front_values(front, point, NULL)[pv_front_bounded(front)];
}

static pv_status points_json(json_t *list, const cli_found *found, pv_error *error)
{
    const pv_front *const front = found->front;
    for (size_t i = 0; i < pv_front_n_points(front); i++) {
        json_t *object = NULL;
        if (pv_front_has_cuts(front)) {
            json_t *cuts = NULL;
            CLI_TRY(cli_cuts_json(pv_front_cuts(front, i), &cuts, error));
            object = json_object();
            cli_json_set(object, "cuts", cuts);
            set_point(object, found, i);
        } else {
            object = cli_point_json(found, i);
        }
        if (pv_front_has_bounds(front)) {
            const double bound = pv_front_bound(front, i);
            cli_json_set(object, "bound", cli_json_number(bound));
            cli_json_set(object, "gap", cli_json_number(loss_of(front, i) - bound));
            cli_json_set(object, "proven", cli_json_bool(pv_front_gap(front, i) <= 0.0));
        }
        cli_json_append(list, object);
    }
    return PV_STATUS_OK;
}

static pv_status suggestions_json(const cli_found *found, json_t *list, pv_error *error)
{
    for (size_t i = 0; i < found->n_suggestions; i++) {
        const pv_suggestion *const suggestion = &found->suggestions[i];
        char *text = NULL;
        CLI_TRY(pv_front_step_text(found->front, found->opened->profile, suggestion->from,
                                   suggestion->point, &text, error));
        json_t *const entry = json_object();
        cli_json_set(entry, "point", cli_json_count(suggestion->point));
        cli_json_set(entry, "name", cli_json_text(suggestion->name));
        cli_json_set(entry, "text", cli_json_text(text));
        cli_json_append(list, entry);
        pv_string_free(text);
    }
    return PV_STATUS_OK;
}

/* The sides of the boxes of the objectives that are divided, or null. */
static json_t *epsilon_json(const pv_front *front)
{
    json_t *const object = json_object();
    for (size_t i = 0; i < pv_front_n_objectives(front); i++) {
        if (pv_front_epsilons(front, NULL)[i] > 0.0) {
            cli_json_set(object, cli_measure_name(pv_front_objectives(front)[i]).text,
                         cli_json_number(pv_front_epsilons(front, NULL)[i]));
        }
    }
    if (json_object_size(object) > 0) {
        return object;
    }
    json_decref(object);
    return json_null();
}

static json_t *moments_json(const pv_front *front)
{
    size_t n = 0;
    const double *moment = pv_front_moments(front, &n);
    json_t *const list = json_array();
    for (size_t i = 0; i < n; i++, moment += PV_MOMENT_NUMBERS) {
        json_t *const entry = json_object();
        cli_json_set(entry, "evaluated", cli_json_count((uint64_t)moment[0]));
        cli_json_set(entry, "seconds", cli_json_number(moment[1]));
        cli_json_set(entry, "points", cli_json_count((uint64_t)moment[2]));
        cli_json_set(entry, "hypervolume", cli_json_number(moment[3]));
        cli_json_append(list, entry);
    }
    return list;
}

/* What was searched. */
static void set_question(json_t *object, const cli_found *found)
{
    const pv_front *const front = found->front;
    const bool cuts = pv_front_has_cuts(front);
    json_t *const space = json_object();
    json_t *const objectives = json_array();
    for (size_t i = 0; i < pv_front_n_objectives(front); i++) {
        cli_json_append(objectives,
                        cli_json_text(cli_measure_name(pv_front_objectives(front)[i]).text));
    }
    if (cuts) {
        cli_json_set(space, "schemes", cli_json_number(pv_front_n_schemes(front)));
        cli_json_set(space, "respect_taxonomy", cli_json_bool(found->respect_taxonomy));
    } else {
        cli_json_set(space, "heights", cli_heights_json(found->opened->study));
        cli_json_set(space, "nodes", cli_json_number(pv_front_n_schemes(front)));
    }
    cli_json_set(object, "table", cli_opened_json(found->opened));
    cli_json_set(object, "scheme", cli_json_text(cuts ? "cuts" : "levels"));
    cli_json_set(object, "lattice", cuts ? json_null() : space);
    cli_json_set(object, "cuts", cuts ? space : json_null());
    cli_json_set(object, "suppression", cli_suppression_json(&found->suppression));
    cli_json_set(object, "objectives", objectives);
    cli_json_set(object, "epsilon", epsilon_json(front));
    cli_json_set(object, "archive_bound", cli_json_number(pv_front_most_points(front)));
    cli_json_set(object, "start", cli_json_count(found->n_start));
}

/* How it went. */
static void set_account(json_t *object, const pv_front *front)
{
    char *const reason = cli_reason_text(front);
    json_t *const pruned = json_object();
    cli_json_set(pruned, "loss", cli_json_count(pv_front_n_pruned_by_loss(front)));
    cli_json_set(pruned, "weak", cli_json_count(pv_front_n_pruned_by_privacy(front)));
    cli_json_set(object, "method", cli_json_text(pv_front_method(front)));
    cli_json_set(object, "reason", reason != NULL ? cli_json_text(reason) : json_null());
    cli_json_set(object, "complete", cli_json_bool(pv_front_is_complete(front)));
    cli_json_set(object, "stop", cli_json_text(cli_stop_name(pv_front_stop(front))));
    cli_json_set(object, "evaluated", cli_json_count(pv_front_n_evaluated(front)));
    cli_json_set(object, "explored", cli_json_count(pv_front_n_explored(front)));
    cli_json_set(object, "pruned", pruned);
    cli_json_set(object, "proof_nodes", cli_json_count(pv_front_n_proof_nodes(front)));
    cli_json_set(object, "iterations", cli_json_count(pv_front_n_iterations(front)));
    cli_json_set(object, "moments", moments_json(front));
    cli_json_set(object, "seconds", cli_json_number(pv_front_seconds(front)));
    cli_json_set(object, "seed", cli_json_count(pv_front_seed(front)));
    free(reason);
}

pv_status cli_found_json(json_t *object, const cli_found *found, pv_error *error)
{
    const pv_front *const front = found->front;
    set_question(object, found);
    set_account(object, front);
    char *family = NULL;
    CLI_TRY(pv_front_family(front, &family, error));
    cli_json_set(object, "family", cli_json_text(family));
    pv_string_free(family);
    json_t *const suggestions = json_array();
    json_t *const points = json_array();
    cli_json_set(object, "against",
                 found->against != NULL ? cli_compared_json(found->against) : json_null());
    cli_json_set(object, "hidden", cli_json_count(pv_front_n_hidden(front)));
    cli_json_set(object, "knee",
                 pv_front_n_points(front) > 0 ? cli_json_count(pv_front_knee(front)) : json_null());
    cli_json_set(object, "suggestions", suggestions);
    cli_json_set(object, "front", points);
    CLI_TRY(points_json(points, found, error));
    return suggestions_json(found, suggestions, error);
}

/* -------------------------------------------------------------------- CSV */

/* Names are quoted where they need it. */
static void put_field(FILE *out, const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        (void)fputs(text, out);
        return;
    }
    (void)fputc('"', out);
    for (; *text != '\0'; text++) {
        (void)fprintf(out, *text == '"' ? "\"%c" : "%c", *text);
    }
    (void)fputc('"', out);
}

static void put_header(FILE *out, const cli_found *found)
{
    const bool cuts = pv_front_has_cuts(found->front);
    for (size_t q = 0; q < pv_study_quasis(found->opened->study); q++) {
        char *const name = cli_format("%s:%s", cuts ? "groups" : "level",
                                      pv_study_quasi_name(found->opened->study, q));
        put_field(out, name);
        (void)fputc(',', out);
        free(name);
    }
    (void)fputs("smallest-class,suppressed,ties", out);
    for (size_t i = 0; i < pv_front_n_objectives(found->front); i++) {
        const cli_measure_words name = cli_measure_name(pv_front_objectives(found->front)[i]);
        (void)fprintf(out, ",%s", name.text);
        if (has_share(found, i)) {
            (void)fprintf(out, ",%s-share", name.text);
        }
    }
    (void)fputs(pv_front_has_bounds(found->front) ? ",bound,gap,proven,suggestion\n"
                                                  : ",suggestion\n",
                out);
}

static void put_point(FILE *out, const cli_found *found, size_t point)
{
    const pv_front *const front = found->front;
    const char *const name = pv_suggestion_name(found->suggestions, found->n_suggestions, point);
    const double *const values = pv_front_values(front, point, NULL);
    const bool cuts = pv_front_has_cuts(front);
    for (size_t q = 0; q < pv_study_quasis(found->opened->study); q++) {
        const size_t number =
            cuts ? pv_front_groups(front, point, q) : pv_front_levels(front, point, NULL)[q];
        (void)(cuts && number == 0 ? fputs("raw,", out) : fprintf(out, "%zu,", number));
    }
    (void)fprintf(out, "%llu,%llu,%llu", (unsigned long long)pv_front_k(front, point),
                  (unsigned long long)pv_front_suppressed(front, point),
                  (unsigned long long)pv_front_ties(front, point));
    for (size_t i = 0; i < pv_front_n_objectives(front); i++) {
        (void)fprintf(out, ",%.15g", values[i]);
        if (has_share(found, i)) {
            (void)fprintf(out, ",%.15g", share_of(found, i, point));
        }
    }
    if (pv_front_has_bounds(front)) {
        const double bound = pv_front_bound(front, point);
        (void)fprintf(out, ",%.15g,%.15g,%s", bound, loss_of(front, point) - bound,
                      pv_front_gap(front, point) <= 0.0 ? "yes" : "no");
    }
    (void)fprintf(out, ",%s\n", name != NULL ? name : "");
}

char *cli_found_csv(const cli_found *found)
{
    char *text = NULL;
    size_t size = 0;
    FILE *const out = open_memstream(&text, &size);
    if (out == NULL) {
        cli_no_memory();
    }
    put_header(out, found);
    for (size_t i = 0; i < pv_front_n_points(found->front); i++) {
        put_point(out, found, i);
    }
    if (fclose(out) != 0) {
        cli_no_memory();
    }
    return text;
}
