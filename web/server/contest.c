/* Candidates and files side by side, person by person: the document of `paravent compare`, with the
 * verdict in words and with what pictures need. */
#include "server/candidate.h"

#include "compare/contest.h"
#include "core/fail.h"
#include "core/json.h"
#include "core/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_RELEASES 26 /* they are called A to Z */
#define MOST_STEPS 200

/* Who meets whom. Candidates come first. */
typedef struct {
    web_candidate *candidates[MOST_RELEASES];
    const pv_classes *classes[MOST_RELEASES];
    char *names[MOST_RELEASES]; /* of candidates */
    size_t n;
    char *paths[MOST_RELEASES];
    char *file_names[MOST_RELEASES];
    size_t n_files;
    cli_contest_query query;
    const char *key;
    const char *by;
    json_t *maps;    /* as the page calls them */
    pv_study *study; /* the table once more, if the key is not in that of the snapshot */
} rivals;

static void rivals_free(rivals *r)
{
    for (size_t i = 0; i < MOST_RELEASES; i++) {
        web_candidate_release(r->candidates[i]);
        free(r->names[i]);
        free(r->paths[i]);
        free(r->file_names[i]);
    }
    cli_contest_query_free(&r->query);
    json_decref(r->maps);
    pv_study_free(r->study);
}

/* ---------------------------------------------------------------------- rivals */

static bool is_taken(const rivals *r, const char *name)
{
    bool taken = false;
    for (size_t i = 0; i < r->n; i++) {
        taken |= cli_equal(r->names[i], name);
    }
    for (size_t i = 0; i < r->n_files; i++) {
        taken |= cli_equal(r->file_names[i], name);
    }
    return taken;
}

/* The document tells releases apart by their names, so no two have the same. Owned. */
static char *own_name(const rivals *r, const char *name)
{
    char *own = cli_copy(name);
    for (unsigned i = 2; is_taken(r, own); i++) {
        free(own);
        own = cli_format("%s (%u)", name, i);
    }
    return own;
}

static pv_status check_room(const rivals *r, pv_error *error)
{
    return r->n + r->n_files < MOST_RELEASES
               ? PV_STATUS_OK
               : cli_error(error, PV_STATUS_LIMIT, "at most %d releases are compared",
                           MOST_RELEASES);
}

static pv_status add_file(rivals *r, web_call *call, const json_t *file, const char *name,
                          pv_error *error)
{
    const char *path = NULL;
    const char *map = NULL;
    const char *key = NULL;
    CLI_TRY(check_room(r, error));
    CLI_TRY(web_text_of(file, "path", &path, error));
    CLI_TRY(web_text_of(file, "row_map", &map, error));
    CLI_TRY(web_text_of(file, "key", &key, error));
    if (path == NULL) {
        return cli_error(error, PV_STATUS_ARGUMENT, "a file needs a `path`");
    }
    if (key != NULL && key[0] != '\0') {
        if (r->key != NULL && !cli_equal(r->key, key)) {
            return cli_error(error, PV_STATUS_ARGUMENT, "all files are matched by one key");
        }
        r->key = key;
    }
    CLI_TRY(web_path(call, path, false, &r->paths[r->n_files], error));
    r->file_names[r->n_files] = own_name(r, name != NULL ? name : cli_path_name(path));
    r->n_files++;
    if (map != NULL && map[0] != '\0') {
        CLI_TRY(web_path(call, map, false, &r->query.row_maps[r->query.n_row_maps], error));
        r->query.n_row_maps++;
        cli_json_append(r->maps, cli_json_text(map));
    }
    return PV_STATUS_OK;
}

static pv_status add_candidate(rivals *r, web_call *call, const json_t *spec, const char *name,
                               pv_error *error)
{
    CLI_TRY(check_room(r, error));
    if (!json_is_object(spec)) {
        return cli_error(error, PV_STATUS_ARGUMENT, "`specs` is a list of specs");
    }
    CLI_TRY(web_candidate_find(call, spec, &r->candidates[r->n], error));
    char *const usual = cli_format("candidate %zu", r->n + 1);
    r->names[r->n] = own_name(r, name != NULL && name[0] != '\0' ? name : usual);
    r->classes[r->n] = r->candidates[r->n]->classes;
    r->n++;
    free(usual);
    return PV_STATUS_OK;
}

/* `names` are those of the specs, and after them of the files. */
static pv_status take_rivals(rivals *r, web_call *call, pv_error *error)
{
    const json_t *const specs = json_object_get(call->params, "specs");
    const json_t *const files = json_object_get(call->params, "files");
    const json_t *const names = json_object_get(call->params, "names");
    const size_t n_specs = json_array_size(specs);
    r->maps = json_array();
    r->query.row_maps = cli_zeroed(MOST_RELEASES + 1, sizeof *r->query.row_maps);
    for (size_t i = 0; i < n_specs + json_array_size(files); i++) {
        const json_t *const given =
            i < n_specs ? json_array_get(specs, i) : json_array_get(files, i - n_specs);
        const char *const name = json_string_value(json_array_get(names, i));
        const char *const kind = json_string_value(json_object_get(given, "scheme"));
        const bool is_file = i >= n_specs || (kind != NULL && cli_equal(kind, "file"));
        CLI_TRY(is_file ? add_file(r, call, given, name, error)
                        : add_candidate(r, call, given, name, error));
    }
    if (r->n + r->n_files < 2) {
        return cli_error(error, PV_STATUS_ARGUMENT, "it takes two releases to compare");
    }
    return PV_STATUS_OK;
}

pv_status web_original_of(const web_call *call, const char *key, pv_study **reread,
                          const pv_study **original, pv_error *error)
{
    const cli_opened *const opened = &call->snapshot->opened;
    const pv_table *const table = pv_study_table(opened->study);
    *original = opened->study;
    if (key == NULL || key[0] == '\0' || pv_table_find(table, key) != SIZE_MAX) {
        return PV_STATUS_OK;
    }
    const pv_study_options options = {.size = sizeof options,
                                      .data = pv_table_source(table),
                                      .all_columns = true,
                                      .identifiers = true,
                                      .unnamed = true,
                                      .skip_bad_rows = pv_table_skipped(table) > 0};
    CLI_TRY(pv_study_open(opened->plan, &options, &call->context, reread, error));
    *original = *reread;
    return PV_STATUS_OK;
}

/* -------------------------------------------------------------------- pictures */

typedef struct {
    double value;
    uint64_t people;
} step;

static int by_value(const void *a, const void *b)
{
    const double left = ((const step *)a)->value;
    const double right = ((const step *)b)->value;
    return (left > right) - (left < right);
}

/* Ascending, each value once. */
static size_t merge_equal(step *steps, size_t n)
{
    size_t kept = 0;
    qsort(steps, n, sizeof *steps, by_value);
    for (size_t i = 0; i < n; i++) {
        if (kept > 0 && by_value(&steps[kept - 1], &steps[i]) == 0) {
            steps[kept - 1].people += steps[i].people;
        } else {
            steps[kept++] = steps[i];
        }
    }
    return kept;
}

/* So many people have this value; where values are many, so many have more than that of the step
 * before and at most this one. Sums from the first step on are exact either way. */
static json_t *steps_json(step *steps, size_t n, uint64_t people)
{
    json_t *const list = json_array();
    const uint64_t least = n > MOST_STEPS ? people / MOST_STEPS + 1 : 1;
    uint64_t pending = 0;
    for (size_t i = 0; i < n; i++) {
        pending += steps[i].people;
        if (pending >= least || i + 1 == n) {
            json_t *const pair = json_array();
            cli_json_append(pair, cli_json_number(steps[i].value));
            cli_json_append(pair, cli_json_count(pending));
            cli_json_append(list, pair);
            pending = 0;
        }
    }
    return list;
}

static json_t *distribution_json(const pv_comparison *comparison, size_t property, size_t release)
{
    size_t n = 0;
    const double *const values = pv_comparison_values(comparison, release, property, &n);
    const uint64_t *const people = pv_comparison_people(comparison);
    if (values == NULL) {
        return json_null();
    }
    step *const steps = cli_zeroed(n + 1, sizeof *steps);
    for (size_t kind = 0; kind < n; kind++) {
        steps[kind] = (step){.value = pv_comparison_shown(comparison, property, values[kind]),
                             .people = people[kind]};
    }
    n = merge_equal(steps, n);
    json_t *const list = steps_json(steps, n, pv_comparison_n_rows(comparison));
    free(steps);
    return list;
}

/* {"class-size": [[[5, 812], ...] of each release], ...} */
static json_t *distributions_json(const pv_comparison *comparison)
{
    json_t *const object = json_object();
    for (size_t p = 0; p < pv_comparison_n_properties(comparison); p++) {
        json_t *const releases = json_array();
        for (size_t r = 0; r < pv_comparison_n_releases(comparison); r++) {
            cli_json_append(releases, distribution_json(comparison, p, r));
        }
        cli_json_set(object, pv_comparison_property(comparison, p), releases);
    }
    return object;
}

/* -------------------------------------------------------------------- endpoint */

static pv_status describe(const web_call *call, const rivals *r, const pv_comparison *comparison,
                          json_t **document, pv_error *error)
{
    const pv_judgement_options options = {.size = sizeof options, .enough = r->query.enough};
    pv_judgement *judgement = NULL;
    char *text = NULL;
    pv_status status = PV_STATUS_OK;
    CLI_TRY(pv_judgement_create(comparison, &options, &call->context, &judgement, error));
    cli_contest contest = {
        .comparison = comparison, .judgement = judgement, .all = true, .are_files = r->n == 0};
    memset(contest.indices, true, sizeof contest.indices);
    CLI_TRY_CLEAN(pv_judgement_text(judgement, &text, error));
    CLI_TRY_CLEAN(cli_compare_json(call->snapshot->plan_path, r->key, &call->snapshot->opened,
                                   &r->query, &contest, document, error));
    cli_json_set(json_object_get(*document, "joined"), "row_maps", json_incref(r->maps));
    cli_json_set(*document, "text", cli_json_text(text));
    cli_json_set(*document, "distributions", distributions_json(comparison));
cleanup:
    pv_string_free(text);
    pv_judgement_free(judgement);
    return status;
}

static pv_status contest(web_call *call, rivals *r, json_t **document, pv_error *error)
{
    const pv_study *original = NULL;
    pv_comparison *comparison = NULL;
    size_t column = 0;
    CLI_TRY(web_text_of(call->params, "by", &r->by, error));
    if (r->by != NULL && r->by[0] != '\0') {
        CLI_TRY(web_column_of(call, r->by, &column, error));
    }
    CLI_TRY(take_rivals(r, call, error));
    CLI_TRY(web_original_of(call, r->n_files > 0 ? r->key : NULL, &r->study, &original, error));
    r->query.enough = cli_contest_enough(call->snapshot->opened.plan);
    const pv_comparison_options options = {.size = sizeof options,
                                           .key = r->n_files > 0 ? r->key : NULL,
                                           .row_maps = (const char *const *)r->query.row_maps,
                                           .n_row_maps = r->query.n_row_maps,
                                           .groups = &r->by,
                                           .n_groups = r->by != NULL && r->by[0] != '\0',
                                           .names = (const char *const *)r->file_names,
                                           .schemes = r->classes,
                                           .scheme_names = (const char *const *)r->names,
                                           .n_schemes = r->n};
    CLI_TRY(pv_comparison_open(original, (const char *const *)r->paths, r->n_files, &options,
                               &call->context, &comparison, error));
    const pv_status status = describe(call, r, comparison, document, error);
    pv_comparison_free(comparison);
    return status;
}

pv_status web_contest(web_call *call, json_t **result, pv_error *error)
{
    rivals r = {0};
    const pv_status status = contest(call, &r, result, error);
    rivals_free(&r);
    return status;
}
