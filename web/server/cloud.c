/* `cloud`: what a search looked at, as points behind the front.
 *
 * Where there are few schemes, all of them are looked at (the method `exhaustive`); otherwise the
 * cloud is what the search for the front evaluated. If that is more than was asked for, every
 * second point is forgotten, again and again: a sample that is even over the search, and the same
 * every time. */
#include "core/fail.h"
#include "core/json.h"
#include "core/text.h"
#include "front/search.h"
#include "server/asked.h"
#include "server/endpoints.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define USUAL_MOST 100000
#define LARGEST_MOST 500000
#define USUAL_SECONDS 10.0 /* for a lattice that is too large to look at whole */
#define MOST_SECONDS 3600.0
/* More schemes than `exhaustive` takes. */
#define TOO_MANY 1e9
/* Partial results: how often, how many points, and after how many schemes the clock is looked at.
 */
#define PARTIAL_SECONDS 0.5
#define PARTIAL_POINTS 10000
/* Digits that a picture needs, with room to zoom. */
#define DIGITS 6
/* Levels are written with one digit of this base, or two where a hierarchy is higher. */
#define BASE 36u

typedef struct {
    web_call *call;
    web_demands demands;
    cli_demands rules; /* those that a search can keep: rules for classes */
    pv_measure_ref objectives[PV_MAX_OBJECTIVES];
    size_t n_objectives;
    size_t n_levels;
    uint64_t most;
    double seconds;

    /* The points: every `stride`-th of those that were told of. */
    double *values;  /* n * n_objectives */
    uint8_t *levels; /* n * n_levels */
    size_t n;
    uint64_t stride, told, unfit;
    double n_schemes; /* of the lattice */
    bool complete;    /* all of them were looked at */
    size_t capacity;
    double next_partial;
} cloud;

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ----------------------------------------------------------------- asking */

/* "k,glm": as --objectives. */
static pv_status read_objectives(cloud *c, pv_error *error)
{
    char *text = NULL;
    pv_status status = PV_STATUS_OK;
    CLI_TRY(web_asked_list(c->call->params, "objectives", &text, error));
    const cli_search search = {.objectives = text};
    cli_request request = {0};
    CLI_TRY_CLEAN(cli_request_read(&search, &request, error));
    c->n_objectives = request.options.n_objectives;
    memcpy(c->objectives, request.objectives, sizeof c->objectives);
cleanup:
    free(text);
    return status;
}

static pv_status read_asked(web_call *call, cloud *c, pv_error *error)
{
    static const char *const names[] = {"objectives", "require", "suppression",
                                        "most",       "seconds", NULL};
    *c = (cloud){.call = call,
                 .n_levels = pv_study_quasis(call->snapshot->opened.study),
                 .most = USUAL_MOST,
                 .seconds = USUAL_SECONDS,
                 .stride = 1};
    CLI_TRY(web_asked_only(call->params, names, error));
    CLI_TRY(web_asked_count(call->params, "most", 1, LARGEST_MOST, &c->most, error));
    CLI_TRY(web_asked_number(call->params, "seconds", 0.01, MOST_SECONDS, &c->seconds, error));
    CLI_TRY(read_objectives(c, error));
    CLI_TRY(web_demands_read(call, &c->demands, error));
    for (size_t i = 0; i < c->demands.all.n; i++) {
        if (c->demands.all.list[i].ref.measure->rule != PV_RULE_NONE) {
            c->rules.list[c->rules.n++] = c->demands.all.list[i];
        }
    }
    return PV_STATUS_OK;
}

static void free_cloud(cloud *c)
{
    web_demands_free(&c->demands);
    free(c->values);
    free(c->levels);
}

/* ----------------------------------------------------------------- points */

/* Every second point stays: the first, the third, ... */
static void halve(cloud *c)
{
    for (size_t i = 0; 2 * i < c->n; i++) {
        memcpy(c->values + i * c->n_objectives, c->values + 2 * i * c->n_objectives,
               c->n_objectives * sizeof *c->values);
        memcpy(c->levels + i * c->n_levels, c->levels + 2 * i * c->n_levels, c->n_levels);
    }
    c->n = (c->n + 1) / 2;
    c->stride *= 2;
}

static void reserve(cloud *c)
{
    if (c->n < c->capacity) {
        return;
    }
    const size_t wanted = c->capacity > 0 ? 2 * c->capacity : 1024;
    c->capacity = wanted < c->most ? wanted : (size_t)c->most;
    c->values = realloc(c->values, c->capacity * c->n_objectives * sizeof *c->values);
    c->levels = realloc(c->levels, c->capacity * (c->n_levels > 0 ? c->n_levels : 1));
    if (c->values == NULL || c->levels == NULL) {
        cli_no_memory();
    }
}

static json_t *cloud_json(const cloud *c, size_t most);

static void show_partial(cloud *c)
{
    if (c->n > 0 && now() >= c->next_partial) {
        web_partial(c->call, cloud_json(c, PARTIAL_POINTS));
        c->next_partial = now() + PARTIAL_SECONDS;
    }
}

/* A pv_observe_fn: on the thread of the job. */
static void take_point(void *ctx, const uint8_t *levels, const double *values, size_t n_values)
{
    cloud *const c = ctx;
    show_partial(c);
    if (values == NULL) {
        c->unfit++;
        return;
    }
    if (c->told++ % c->stride != 0) {
        return;
    }
    if (c->n == c->most) {
        halve(c);
        if ((c->told - 1) % c->stride != 0) {
            return;
        }
    }
    reserve(c);
    memcpy(c->values + c->n * c->n_objectives, values, n_values * sizeof *values);
    memcpy(c->levels + c->n * c->n_levels, levels, c->n_levels);
    c->n++;
}

static int compare_levels(const void *left, const void *right, void *ctx)
{
    const cloud *const c = ctx;
    const size_t a = *(const size_t *)left;
    const size_t b = *(const size_t *)right;
    const int order = memcmp(c->levels + a * c->n_levels, c->levels + b * c->n_levels, c->n_levels);
    return order != 0 ? order : (a > b) - (a < b);
}

/* A search may evaluate a scheme twice: of each only the first point stays. */
static void drop_doubles(cloud *c)
{
    size_t *const order = cli_zeroed(c->n > 0 ? c->n : 1, sizeof *order);
    bool *const twice = cli_zeroed(c->n > 0 ? c->n : 1, sizeof *twice);
    size_t kept = 0;
    for (size_t i = 0; i < c->n; i++) {
        order[i] = i;
    }
    qsort_r(order, c->n, sizeof *order, compare_levels, c);
    for (size_t i = 1; i < c->n; i++) {
        twice[order[i]] = memcmp(c->levels + order[i] * c->n_levels,
                                 c->levels + order[i - 1] * c->n_levels, c->n_levels) == 0;
    }
    for (size_t i = 0; i < c->n; i++) {
        if (!twice[i]) {
            memmove(c->values + kept * c->n_objectives, c->values + i * c->n_objectives,
                    c->n_objectives * sizeof *c->values);
            memmove(c->levels + kept * c->n_levels, c->levels + i * c->n_levels, c->n_levels);
            kept++;
        }
    }
    c->n = kept;
    free(order);
    free(twice);
}

/* ----------------------------------------------------------------- answer */

/* Rounded to so many digits as a picture needs. */
static json_t *rounded(double value)
{
    char text[32];
    if (!isfinite(value)) {
        return json_null();
    }
    (void)snprintf(text, sizeof text, "%.*g", DIGITS, value);
    return cli_json_number(strtod(text, NULL));
}

/* One digit per level, two if any hierarchy is higher than a digit says. */
static unsigned digits_of(const cloud *c)
{
    const pv_study *const study = c->call->snapshot->opened.study;
    unsigned digits = 1;
    for (size_t q = 0; q < c->n_levels; q++) {
        digits = pv_hierarchy_height(pv_study_hierarchy(study, q)) >= BASE ? 2 : digits;
    }
    return digits;
}

static json_t *levels_json(const uint8_t *levels, size_t n, unsigned digits, char *scratch)
{
    static const char digit[BASE + 1] = "0123456789abcdefghijklmnopqrstuvwxyz";
    char *at = scratch;
    for (size_t q = 0; q < n; q++) {
        if (digits == 2) {
            *at++ = digit[levels[q] / BASE];
        }
        *at++ = digit[levels[q] % BASE];
    }
    return json_stringn(scratch, (size_t)(at - scratch));
}

/* At most `most` of the points, evenly. */
static json_t *cloud_json(const cloud *c, size_t most)
{
    const size_t step = c->n > most ? (c->n + most - 1) / most : 1;
    const unsigned digits = digits_of(c);
    json_t *const answer = json_object();
    json_t *const names = json_array();
    json_t *const values = json_array();
    json_t *const levels = json_array();
    char *const scratch = cli_zeroed(2 * c->n_levels + 1, 1);
    size_t n = 0;
    for (size_t o = 0; o < c->n_objectives; o++) {
        json_t *const list = json_array();
        cli_json_append(names, cli_json_text(cli_measure_name(c->objectives[o]).text));
        cli_json_append(values, list);
        for (size_t i = 0; i < c->n; i += step) {
            cli_json_append(list, rounded(c->values[i * c->n_objectives + o]));
        }
    }
    for (size_t i = 0; i < c->n; i += step, n++) {
        cli_json_append(levels,
                        levels_json(c->levels + i * c->n_levels, c->n_levels, digits, scratch));
    }
    free(scratch);
    cli_json_set(answer, "objectives", names);
    cli_json_set(answer, "n", cli_json_count(n));
    cli_json_set(answer, "values", values);
    cli_json_set(answer, "levels", levels);
    cli_json_set(answer, "digits", cli_json_count(digits));
    cli_json_set(answer, "schemes", cli_json_number(c->n_schemes));
    cli_json_set(answer, "looked_at", cli_json_count(c->told + c->unfit));
    cli_json_set(answer, "unfit", cli_json_count(c->unfit));
    cli_json_set(answer, "complete", cli_json_bool(c->complete && step == 1 && c->stride == 1));
    return answer;
}

/* ------------------------------------------------------------------ search */

static pv_search_options options_of(cloud *c)
{
    return (pv_search_options){.size = sizeof(pv_search_options),
                               .objectives = c->objectives,
                               .n_objectives = c->n_objectives,
                               .suppression = c->demands.suppression,
                               .demands = c->rules.list,
                               .n_demands = c->rules.n,
                               .observe = take_point,
                               .observe_ctx = c};
}

/* How many schemes a search has to choose from: levels that group the values alike are one, which
 * only a search knows. One that looks at a single scheme says it. */
static pv_status count_schemes(cloud *c, pv_error *error)
{
    const pv_study *const study = c->call->snapshot->opened.study;
    pv_search_options options = options_of(c);
    pv_front *front = NULL;
    c->n_schemes = 1;
    for (size_t q = 0; q < c->n_levels; q++) {
        c->n_schemes *= pv_hierarchy_height(pv_study_hierarchy(study, q)) + 1;
    }
    if (c->n_schemes > TOO_MANY) {
        return PV_STATUS_OK;
    }
    options.method = "exhaustive";
    options.max_evaluations = 1;
    options.observe = NULL;
    CLI_TRY(
        pv_search(c->call->snapshot->opened.profile, &options, &c->call->context, &front, error));
    c->n_schemes = pv_front_n_schemes(front);
    pv_front_free(front);
    return PV_STATUS_OK;
}

static pv_status look(cloud *c, json_t **result, pv_error *error)
{
    pv_search_options options = options_of(c);
    pv_front *front = NULL;
    CLI_TRY(count_schemes(c, error));
    const bool whole = c->n_schemes <= (double)c->most;
    /* Of the searches for the front of a large lattice, the one that looks at most of it: the best
     * way to k and a loss, point by point, sees little but the front itself. */
    options.method = whole ? "exhaustive" : "pbg-hybrid";
    options.max_seconds = whole ? 0 : c->seconds;
    c->next_partial = now() + PARTIAL_SECONDS;
    CLI_TRY(
        pv_search(c->call->snapshot->opened.profile, &options, &c->call->context, &front, error));
    const bool cancelled = pv_front_stop(front) == PV_STOP_CANCELLED;
    c->complete = whole && pv_front_is_complete(front);
    pv_front_free(front);
    drop_doubles(c);
    *result = cloud_json(c, c->n);
    return cancelled ? cli_error(error, PV_STATUS_CANCELLED, "interrupted") : PV_STATUS_OK;
}

pv_status web_cloud(web_call *call, json_t **result, pv_error *error)
{
    cloud c;
    pv_status status = read_asked(call, &c, error);
    if (status == PV_STATUS_OK) {
        status = look(&c, result, error);
    }
    free_cloud(&c);
    return status;
}
