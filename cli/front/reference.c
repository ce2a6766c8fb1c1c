/* A front of an earlier run: read back, to begin with or to compare with. */
#include "front/search.h"

#include "core/fail.h"
#include "core/json.h"
#include "core/measured.h"
#include "core/text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES ((size_t)256 << 20)
#define MOST_POINTS 1000000
/* What is 0 by definition may have come out a little below it. */
#define NOISE 1e-9
/* A document has 15 digits of a number, the last of which is rounded. */
#define WRITTEN 1e-13

/* ---------------------------------------------------------------- reading */

typedef struct {
    FILE *file;
    size_t n_read;
    int failure; /* errno */
} source;

/* A json_load_callback_t. */
static size_t pull(void *buffer, size_t size, void *data)
{
    source *const from = data;
    const size_t n = fread(buffer, 1, size, from->file);
    from->failure = ferror(from->file) != 0 ? errno : 0;
    from->n_read += n;
    return from->failure != 0 || from->n_read > MOST_BYTES ? (size_t)-1 : n;
}

static pv_status cannot_read(const char *path, int reason, pv_error *error)
{
    return cli_error_at(error, PV_STATUS_INPUT, path, 0, 0, "cannot read it: %s", strerror(reason));
}

/* For jansson, which takes some failed allocations for mistakes in the text. */
static void *allocate(size_t size)
{
    void *const memory = malloc(size);
    if (memory == NULL) {
        cli_no_memory();
    }
    return memory;
}

static pv_status load_stream(source *from, const char *path, json_t **document, pv_error *error)
{
    json_error_t at;
    json_malloc_t usual_malloc = NULL;
    json_free_t usual_free = NULL;
    json_get_alloc_funcs(&usual_malloc, &usual_free);
    json_set_alloc_funcs(allocate, free);
    *document = json_load_callback(pull, from, JSON_REJECT_DUPLICATES, &at);
    json_set_alloc_funcs(usual_malloc, usual_free);
    if (*document != NULL) {
        return PV_STATUS_OK;
    }
    if (from->failure != 0) {
        return cannot_read(path, from->failure, error);
    }
    if (from->n_read > MOST_BYTES) {
        return cli_error_at(error, PV_STATUS_LIMIT, path, 0, 0, "the file is larger than %zu MiB",
                            MOST_BYTES >> 20);
    }
    return cli_hint(cli_error_at(error, PV_STATUS_INPUT, path, at.line > 0 ? (uint64_t)at.line : 0,
                                 at.column > 0 ? (uint64_t)at.column : 0, "here it is not JSON"),
                    error, "give a file that `paravent front PLAN --json` wrote");
}

static pv_status understand(cli_reference *reference, pv_error *error)
{
    const json_t *const document = reference->document;
    const json_t *const points = json_object_get(document, "front");
    const char *const command = json_string_value(json_object_get(document, "command"));
    if (command == NULL || !cli_equal(command, "front") || !json_is_array(points)) {
        return cli_hint(cli_error_at(error, PV_STATUS_INPUT, reference->path, 0, 0,
                                     "this is not the document of a front"),
                        error, "give a file that `paravent front PLAN --json` wrote");
    }
    if (json_integer_value(json_object_get(document, "schema")) != CLI_JSON_SCHEMA) {
        return cli_error_at(error, PV_STATUS_INPUT, reference->path, 0, 0,
                            "its schema is not %d, the one that is understood", CLI_JSON_SCHEMA);
    }
    reference->points = points;
    reference->n_points = json_array_size(points);
    reference->complete = json_is_true(json_object_get(document, "complete")) &&
                          json_integer_value(json_object_get(document, "hidden")) == 0;
    if (reference->n_points == 0 || reference->n_points > MOST_POINTS) {
        return cli_error_at(error, PV_STATUS_INPUT, reference->path, 0, 0,
                            "its front needs 1 to %d points, not %zu", MOST_POINTS,
                            reference->n_points);
    }
    return PV_STATUS_OK;
}

pv_status cli_reference_read(const char *path, cli_reference *reference, pv_error *error)
{
    cli_reference read = {.path = path};
    source from = {.file = fopen(path, "rb")};
    if (from.file == NULL) {
        return cannot_read(path, errno, error);
    }
    pv_status status = load_stream(&from, path, &read.document, error);
    (void)fclose(from.file);
    if (status == PV_STATUS_OK) {
        status = understand(&read, error);
    }
    if (status != PV_STATUS_OK) {
        cli_reference_free(&read);
        return status;
    }
    *reference = read;
    return PV_STATUS_OK;
}

void cli_reference_free(cli_reference *reference)
{
    json_decref(reference->document);
    *reference = (cli_reference){0};
}

/* ----------------------------------------------------------------- levels */

/* Names are compared as the document writes them. */
static bool is_name(const json_t *found, const char *name)
{
    json_t *const expected = cli_json_text(name);
    const bool same = found != NULL && json_equal(found, expected) == 1;
    json_decref(expected);
    return same;
}

static pv_status check_quasis(const cli_reference *reference, const pv_study *study,
                              pv_error *error)
{
    const json_t *const names =
        json_object_get(json_object_get(reference->document, "table"), "quasi");
    const size_t n = pv_study_quasis(study);
    if (json_array_size(names) != n) {
        return cli_hint(cli_error_at(error, PV_STATUS_INPUT, reference->path, 0, 0,
                                     "it was made with %zu quasi-identifiers, the plan has %zu",
                                     json_array_size(names), n),
                        error, "begin with a front of the same plan");
    }
    for (size_t q = 0; q < n; q++) {
        if (!is_name(json_array_get(names, q), pv_study_quasi_name(study, q))) {
            return cli_hint(cli_error_at(error, PV_STATUS_INPUT, reference->path, 0, 0,
                                         "its quasi-identifier %zu is not `%s`", q + 1,
                                         pv_study_quasi_name(study, q)),
                            error,
                            "begin with a front of the same plan, attributes in the same "
                            "order");
        }
    }
    return PV_STATUS_OK;
}

static pv_status take_levels(const cli_reference *reference, const pv_study *study, size_t point,
                             uint8_t *levels, pv_error *error)
{
    const json_t *const list = json_object_get(json_array_get(reference->points, point), "levels");
    const size_t n = pv_study_quasis(study);
    if (json_array_size(list) != n) {
        return cli_error_at(error, PV_STATUS_INPUT, reference->path, 0, 0,
                            "front[%zu].levels is not a list of %zu levels", point, n);
    }
    for (size_t q = 0; q < n; q++) {
        const json_t *const level = json_array_get(list, q);
        const json_int_t height = pv_hierarchy_height(pv_study_hierarchy(study, q));
        if (!json_is_integer(level) || json_integer_value(level) < 0 ||
            json_integer_value(level) > height) {
            return cli_error_at(error, PV_STATUS_INPUT, reference->path, 0, 0,
                                "front[%zu].levels[%zu] is none of the levels 0 to %d of `%s`",
                                point, q, (int)height, pv_study_quasi_name(study, q));
        }
        levels[q] = (uint8_t)json_integer_value(level);
    }
    return PV_STATUS_OK;
}

pv_status cli_start_read(const char *path, const pv_study *study, uint8_t **levels, size_t *n,
                         pv_error *error)
{
    const size_t n_quasis = pv_study_quasis(study);
    cli_reference reference = {0};
    if (path == NULL) {
        return PV_STATUS_OK;
    }
    CLI_TRY(cli_reference_read(path, &reference, error));
    uint8_t *const taken = cli_zeroed(reference.n_points, n_quasis);
    pv_status status = check_quasis(&reference, study, error);
    for (size_t i = 0; i < reference.n_points && status == PV_STATUS_OK; i++) {
        status = take_levels(&reference, study, i, taken + i * n_quasis, error);
    }
    if (status == PV_STATUS_OK) {
        *levels = taken;
        *n = reference.n_points;
    } else {
        free(taken);
    }
    cli_reference_free(&reference);
    return status;
}

pv_status cli_start_check(const char *path, pv_error *error)
{
    cli_reference reference = {0};
    if (path == NULL) {
        return PV_STATUS_OK;
    }
    CLI_TRY(cli_reference_read(path, &reference, error));
    cli_reference_free(&reference);
    return PV_STATUS_OK;
}

/* ----------------------------------------------------------------- values */

/* How the document calls each of the objectives. */
static pv_status find_names(const cli_reference *reference, const pv_measure_ref *objectives,
                            size_t n, const char *names[PV_MAX_OBJECTIVES], pv_error *error)
{
    const json_t *const list = json_object_get(reference->document, "objectives");
    bool good = json_array_size(list) == n;
    for (size_t i = 0; i < n; i++) {
        names[i] = NULL;
    }
    for (size_t i = 0; i < n && good; i++) {
        const char *const name = json_string_value(json_array_get(list, i));
        pv_measure_ref ref;
        const size_t objective = name != NULL && pv_measure_parse(name, &ref, error) == PV_STATUS_OK
                                     ? cli_objective_find(objectives, n, ref)
                                     : SIZE_MAX;
        good = objective != SIZE_MAX && names[objective] == NULL;
        if (good) {
            names[objective] = name;
        }
    }
    if (good) {
        return PV_STATUS_OK;
    }
    char *const ours = cli_objective_list(objectives, n);
    const pv_status status = cli_hint(cli_error_at(error, PV_STATUS_INPUT, reference->path, 0, 0,
                                                   "its objectives are not %s", ours),
                                      error, "compare with a front that has the same --objectives");
    free(ours);
    return status;
}

pv_status cli_reference_check(const cli_reference *reference, const pv_measure_ref *objectives,
                              size_t n, pv_error *error)
{
    const char *names[PV_MAX_OBJECTIVES];
    return find_names(reference, objectives, n, names, error);
}

static pv_status take_values(const cli_reference *reference, size_t point,
                             const pv_measure_ref *objectives, size_t n, const char *const *names,
                             double *values, pv_error *error)
{
    for (size_t i = 0; i < n; i++) {
        const json_t *const found =
            json_object_get(json_array_get(reference->points, point), names[i]);
        const double value = json_number_value(found);
        if (!json_is_number(found) || !isfinite(value) || value < -NOISE) {
            return cli_error_at(error, PV_STATUS_INPUT, reference->path, 0, 0,
                                "front[%zu] has no value of `%s`", point,
                                cli_measure_name(objectives[i]).text);
        }
        values[i] = fmax(value, 0.0);
    }
    return PV_STATUS_OK;
}

/* Their values, point by point, in the order of these objectives. The caller frees them. */
static pv_status read_values(const cli_reference *reference, const pv_measure_ref *objectives,
                             size_t n, double **values, pv_error *error)
{
    const char *names[PV_MAX_OBJECTIVES];
    CLI_TRY(find_names(reference, objectives, n, names, error));
    double *const taken = cli_zeroed(reference->n_points * n, sizeof *taken);
    for (size_t i = 0; i < reference->n_points; i++) {
        const pv_status status =
            take_values(reference, i, objectives, n, names, taken + i * n, error);
        if (status != PV_STATUS_OK) {
            free(taken);
            return status;
        }
    }
    *values = taken;
    return PV_STATUS_OK;
}

/* ---------------------------------------------------------------- compare */

static int compare_values(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The nearest of some ascending values. */
static double nearest(const double *sorted, size_t n, double value)
{
    size_t low = 0;
    size_t high = n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (sorted[middle] < value) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const double above = sorted[low < n ? low : n - 1];
    const double below = sorted[low > 0 ? low - 1 : 0];
    return fabs(above - value) < fabs(value - below) ? above : below;
}

/* A value of the reference that differs from one of ours only behind the digits that were written
 * is ours: otherwise equal points might fall into neighbouring boxes. */
static void restore_digits(const pv_front *front, size_t objective, double *values, size_t n)
{
    double *const ours = cli_zeroed(pv_front_n_points(front), sizeof *ours);
    for (size_t i = 0; i < pv_front_n_points(front); i++) {
        ours[i] = pv_front_values(front, i, NULL)[objective];
    }
    qsort(ours, pv_front_n_points(front), sizeof *ours, compare_values);
    for (size_t i = 0; i < n && pv_front_n_points(front) > 0; i++) {
        double *const value = &values[i * pv_front_n_objectives(front) + objective];
        const double same = nearest(ours, pv_front_n_points(front), *value);
        *value = fabs(same - *value) <= WRITTEN * fabs(*value) ? same : *value;
    }
    free(ours);
}

/* -1 = it does not say. */
static json_int_t whole_number(const cli_reference *reference, const char *part, const char *key)
{
    const json_t *const number = json_object_get(json_object_get(reference->document, part), key);
    return json_is_integer(number) ? json_integer_value(number) : -1;
}

/* Numbers of two tables can be compared, but they mean little. */
static void note_difference(const cli_run *run, const cli_found *found,
                            const cli_reference *reference)
{
    const json_int_t rows = whole_number(reference, "table", "rows");
    const json_int_t budget = whole_number(reference, "suppression", "budget");
    const uint64_t ours = pv_profile_rows(found->opened->profile);
    if (rows >= 0 && (uint64_t)rows != ours) {
        cli_note(run, "%s was made from a table of %s, this one has %s", reference->path,
                 cli_plural_text((uint64_t)rows, "row", "rows").text, cli_count_text(ours).text);
    } else if (budget >= 0 && (uint64_t)budget != found->suppression.budget) {
        cli_note(run, "%s allowed %s to be suppressed, this front %s", reference->path,
                 cli_plural_text((uint64_t)budget, "row", "rows").text,
                 cli_count_text(found->suppression.budget).text);
    }
}

pv_status cli_compare(const cli_run *run, const cli_found *found, const cli_reference *reference,
                      cli_compared *compared, pv_error *error)
{
    const pv_front *const front = found->front;
    double *values = NULL;
    CLI_TRY(read_values(reference, pv_front_objectives(front), pv_front_n_objectives(front),
                        &values, error));
    *compared = (cli_compared){.path = reference->path,
                               .complete = reference->complete,
                               .n_points = pv_front_n_points(front)};
    for (size_t i = 0; i < pv_front_n_objectives(front); i++) {
        restore_digits(front, i, values, reference->n_points);
    }
    const pv_status status =
        pv_front_compare(front, values, reference->n_points, &compared->indicators, error);
    free(values);
    if (status == PV_STATUS_OK) {
        note_difference(run, found, reference);
    }
    return status;
}

json_t *cli_compared_json(const cli_compared *compared)
{
    const pv_indicators *const indicators = &compared->indicators;
    json_t *const object = json_object();
    cli_json_set(object, "file", cli_json_text(compared->path));
    cli_json_set(object, "complete", cli_json_bool(compared->complete));
    cli_json_set(object, "points", cli_json_count(indicators->reference_points));
    cli_json_set(object, "ce", cli_json_number(indicators->convergence_error));
    cli_json_set(object, "rr", cli_json_number(indicators->representation_ratio));
    cli_json_set(object, "boxes", cli_json_count(indicators->boxes));
    cli_json_set(object, "boxes_met", cli_json_count(indicators->boxes_met));
    cli_json_set(object, "hypervolume", cli_json_number(indicators->hypervolume));
    cli_json_set(object, "reference_hypervolume",
                 cli_json_number(indicators->reference_hypervolume));
    cli_json_set(object, "estimated", cli_json_bool(indicators->estimated));
    return object;
}

/* ------------------------------------------------------------------ words */

static void print_meaning(const cli_report *report, const cli_compared *compared)
{
    const pv_indicators *const i = &compared->indicators;
    const bool all_met = i->boxes_met == i->boxes;
    const bool all_own = i->convergence_error <= 0.0;
    if (!compared->complete && i->hypervolume > i->reference_hypervolume) {
        cli_paragraph(report, 2,
                      "This front reaches further than the reference, which is not "
                      "complete: take it as the reference from now on.");
    } else if (all_met && all_own) {
        cli_paragraph(report, 2,
                      "Nothing of the reference is missing, and every point here is one "
                      "of its points.");
    } else if (all_met) {
        cli_paragraph(report, 2,
                      "Every kind of trade-off of the reference is represented here, "
                      "though not always by one of its points.");
    } else {
        cli_paragraph(report, 2, "%s of the reference %s missing here%s",
                      cli_plural_text(i->boxes - i->boxes_met, "trade-off", "trade-offs").text,
                      i->boxes - i->boxes_met == 1 ? "is" : "are",
                      all_own              ? "; every point found is one of its points."
                      : compared->complete ? ", and some points found are beaten by its points."
                                           : ", and some points found are not among its points.");
    }
}

void cli_compared_print(const cli_report *report, const cli_compared *compared)
{
    const pv_indicators *const indicators = &compared->indicators;
    cli_heading(report, "Compared with %s", cli_path_name(compared->path));
    cli_fact(report, CLI_NEUTRAL, "reference", "%s, %s",
             cli_plural_text(indicators->reference_points, "point", "points").text,
             compared->complete ? "the whole front" : "not known to be the whole front");
    cli_fact(report, CLI_NEUTRAL, "represented", "%s of %s, %s",
             cli_count_text(indicators->boxes_met).text,
             cli_plural_text(indicators->boxes, "box", "boxes").text,
             cli_share_text(indicators->representation_ratio).text);
    cli_fact(report, CLI_NEUTRAL, "convergence error", "%s over %s",
             cli_value_text(indicators->convergence_error).text,
             cli_plural_text(compared->n_points, "point", "points").text);
    if (indicators->reference_hypervolume > 0.0) {
        cli_fact(report, CLI_NEUTRAL, "hypervolume", "%s of the reference's%s",
                 cli_share_text(indicators->hypervolume / indicators->reference_hypervolume).text,
                 indicators->estimated ? ", estimated" : "");
    } else {
        cli_fact(report, CLI_NEUTRAL, "hypervolume", "the reference has none: it is too small");
    }
    print_meaning(report, compared);
}
