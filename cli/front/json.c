/* A front for programs: JSON and CSV. */
#include "front/json.h"

#include "core/fail.h"
#include "core/json.h"
#include "core/measured.h"
#include "core/text.h"
#include "front/against.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOSS 1 /* the second objective of a front of cuts */

static bool has_share(const cli_found *found, size_t objective)
{
    return pv_measure_reads_as_share(found->front->objectives[objective].measure,
                                     found->opened->profile);
}

static double share_of(const cli_found *found, size_t objective, size_t point)
{
    return pv_measure_share(found->front->objectives[objective].measure, found->opened->profile,
                            found->front->points[point].values[objective]);
}

/* ------------------------------------------------------------------- JSON */

static json_t *objectives_json(const pv_front *front)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < front->n_objectives; i++) {
        cli_json_append(list, cli_json_text(cli_measure_name(front->objectives[i]).text));
    }
    return list;
}

static json_t *levels_json(const pv_front *front, size_t point)
{
    json_t *const list = json_array();
    for (size_t q = 0; q < front->n_levels; q++) {
        cli_json_append(list, cli_json_count(front->points[point].levels[q]));
    }
    return list;
}

/* Without the scheme. */
static void set_point(json_t *object, const cli_found *found, size_t point)
{
    const pv_front *const front = found->front;
    const pv_point *const p = &front->points[point];
    json_t *const shares = json_object();
    cli_json_set(object, "k", cli_json_count(p->k));
    for (size_t i = 0; i < front->n_objectives; i++) {
        const cli_number name = cli_measure_name(front->objectives[i]);
        cli_json_set(object, name.text, cli_json_number(p->values[i]));
        if (has_share(found, i)) {
            cli_json_set(shares, name.text, cli_json_number(share_of(found, i, point)));
        }
    }
    cli_json_set(object, "suppressed", cli_json_count(p->suppressed));
    cli_json_set(object, "ties", cli_json_count(p->ties));
    cli_json_set(object, "shares", shares);
}

json_t *cli_point_json(const cli_found *found, size_t point)
{
    json_t *const object = json_object();
    cli_json_set(object, "levels", levels_json(found->front, point));
    set_point(object, found, point);
    return object;
}

static pv_status add_cut_point(json_t *list, const cli_found *found, size_t point, pv_error *error)
{
    const pv_point *const p = &found->front->points[point];
    json_t *cuts = NULL;
    CLI_TRY(cli_cuts_json(p->cuts, &cuts, error));
    json_t *const object = json_object();
    cli_json_set(object, "cuts", cuts);
    set_point(object, found, point);
    cli_json_set(object, "bound", cli_json_number(p->bound));
    cli_json_set(object, "gap", cli_json_number(p->values[LOSS] - p->bound));
    cli_json_set(object, "proven", cli_json_bool(pv_front_gap(found->front, point) <= 0.0));
    cli_json_append(list, object);
    return PV_STATUS_OK;
}

static pv_status points_json(json_t *list, const cli_found *found, pv_error *error)
{
    for (size_t i = 0; i < found->front->n_points; i++) {
        if (pv_front_has_cuts(found->front)) {
            CLI_TRY(add_cut_point(list, found, i, error));
        } else {
            cli_json_append(list, cli_point_json(found, i));
        }
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

static json_t *pruned_json(const pv_front *front)
{
    json_t *const object = json_object();
    cli_json_set(object, "loss", cli_json_count(front->pruned_loss));
    cli_json_set(object, "weak", cli_json_count(front->pruned_mark));
    return object;
}

static json_t *knee_json(const pv_front *front)
{
    return front->n_points > 0 ? cli_json_count(pv_front_knee(front)) : json_null();
}

/* The sides of the boxes of the objectives that are divided, or null. */
static json_t *epsilon_json(const pv_front *front)
{
    json_t *const object = json_object();
    for (size_t i = 0; i < front->n_objectives; i++) {
        if (front->epsilons[i] > 0.0) {
            cli_json_set(object, cli_measure_name(front->objectives[i]).text,
                         cli_json_number(front->epsilons[i]));
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
    json_t *const list = json_array();
    for (size_t i = 0; i < front->n_moments; i++) {
        const pv_moment *const moment = &front->moments[i];
        json_t *const entry = json_object();
        cli_json_set(entry, "evaluated", cli_json_count(moment->evaluated));
        cli_json_set(entry, "seconds", cli_json_number(moment->seconds));
        cli_json_set(entry, "points", cli_json_count(moment->points));
        cli_json_set(entry, "hypervolume", cli_json_number(moment->hypervolume));
        cli_json_append(list, entry);
    }
    return list;
}

static json_t *lattice_json(const cli_found *found)
{
    json_t *const object = json_object();
    cli_json_set(object, "heights", cli_heights_json(found->opened->study));
    cli_json_set(object, "nodes", cli_json_number(found->front->nodes));
    return object;
}

static json_t *cut_space_json(const cli_found *found)
{
    json_t *const object = json_object();
    cli_json_set(object, "schemes", cli_json_number(found->front->nodes));
    cli_json_set(object, "respect_taxonomy", cli_json_bool(found->respect_taxonomy));
    return object;
}

/* What was searched. */
static void set_question(json_t *object, const cli_found *found)
{
    const pv_front *const front = found->front;
    const bool cuts = pv_front_has_cuts(front);
    cli_json_set(object, "table", cli_opened_json(found->opened));
    cli_json_set(object, "scheme", cli_json_text(cuts ? "cuts" : "levels"));
    cli_json_set(object, "lattice", cuts ? json_null() : lattice_json(found));
    cli_json_set(object, "cuts", cuts ? cut_space_json(found) : json_null());
    cli_json_set(object, "suppression", cli_suppression_json(&found->suppression));
    cli_json_set(object, "objectives", objectives_json(front));
    cli_json_set(object, "epsilon", epsilon_json(front));
    cli_json_set(object, "archive_bound", cli_json_number(front->most_points));
    cli_json_set(object, "start", cli_json_count(found->n_start));
}

/* How it went. */
static pv_status set_family(json_t *object, const pv_front *front, pv_error *error)
{
    char *family = NULL;
    CLI_TRY(pv_front_family(front, &family, error));
    cli_json_set(object, "family", cli_json_text(family));
    pv_string_free(family);
    return PV_STATUS_OK;
}

static void set_account(json_t *object, const pv_front *front)
{
    cli_json_set(object, "method", cli_json_text(front->method));
    cli_json_set(object, "reason",
                 front->reason != NULL ? cli_json_text(front->reason) : json_null());
    cli_json_set(object, "complete", cli_json_bool(front->complete));
    cli_json_set(object, "stop", cli_json_text(cli_stop_name(front->stop)));
    cli_json_set(object, "evaluated", cli_json_count(front->evaluated));
    cli_json_set(object, "explored", cli_json_count(front->explored));
    cli_json_set(object, "pruned", pruned_json(front));
    cli_json_set(object, "proof_nodes", cli_json_count(front->proof_nodes));
    cli_json_set(object, "iterations", cli_json_count(front->iterations));
    cli_json_set(object, "moments", moments_json(front));
    cli_json_set(object, "seconds", cli_json_number(front->seconds));
    cli_json_set(object, "seed", cli_json_count(front->seed));
}

pv_status cli_found_json(json_t *object, const cli_found *found, pv_error *error)
{
    const pv_front *const front = found->front;
    set_question(object, found);
    set_account(object, front);
    CLI_TRY(set_family(object, front, error));
    json_t *const suggestions = json_array();
    json_t *const points = json_array();
    cli_json_set(object, "against",
                 found->against != NULL ? cli_compared_json(found->against) : json_null());
    cli_json_set(object, "hidden", cli_json_count(front->n_hidden));
    cli_json_set(object, "knee", knee_json(front));
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
    for (size_t i = 0; i < found->front->n_objectives; i++) {
        const cli_number name = cli_measure_name(found->front->objectives[i]);
        (void)fprintf(out, ",%s", name.text);
        if (has_share(found, i)) {
            (void)fprintf(out, ",%s-share", name.text);
        }
    }
    (void)fputs(cuts ? ",bound,gap,proven,suggestion\n" : ",suggestion\n", out);
}

static void put_levels(FILE *out, const cli_found *found, const pv_point *point)
{
    for (size_t q = 0; q < found->front->n_levels; q++) {
        (void)fprintf(out, "%u,", point->levels[q]);
    }
}

/* Into how many groups each attribute is divided. */
static void put_groups(FILE *out, const cli_found *found, const pv_point *point)
{
    for (size_t q = 0; q < pv_study_quasis(found->opened->study); q++) {
        const size_t n = pv_point_groups(point, q);
        (void)(n > 0 ? fprintf(out, "%zu,", n) : fputs("raw,", out));
    }
}

static void put_point(FILE *out, const cli_found *found, size_t point)
{
    const pv_point *const p = &found->front->points[point];
    const char *const name = pv_suggestion_name(found->suggestions, found->n_suggestions, point);
    const bool cuts = pv_front_has_cuts(found->front);
    if (cuts) {
        put_groups(out, found, p);
    } else {
        put_levels(out, found, p);
    }
    (void)fprintf(out, "%llu,%llu,%llu", (unsigned long long)p->k,
                  (unsigned long long)p->suppressed, (unsigned long long)p->ties);
    for (size_t i = 0; i < found->front->n_objectives; i++) {
        (void)fprintf(out, ",%.15g", p->values[i]);
        if (has_share(found, i)) {
            (void)fprintf(out, ",%.15g", share_of(found, i, point));
        }
    }
    if (cuts) {
        (void)fprintf(out, ",%.15g,%.15g,%s", p->bound, p->values[LOSS] - p->bound,
                      pv_front_gap(found->front, point) <= 0.0 ? "yes" : "no");
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
    for (size_t i = 0; i < found->front->n_points; i++) {
        put_point(out, found, i);
    }
    if (fclose(out) != 0) {
        cli_no_memory();
    }
    return text;
}
