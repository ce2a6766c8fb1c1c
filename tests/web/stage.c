/* Jobs of the explorer without connections. */
#include "web/stage.h"

#include "base/memory.h"
#include "core/fail.h"
#include "core/json.h"
#include "server/snapshot.h"
#include "table/row_map.h"

#include <math.h>

static void put(const char *path, const char *text)
{
    FILE *const file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static const web_endpoint endpoints[] = {{.kind = "candidate", .run = web_candidate_job},
                                         {.kind = "people", .run = web_people},
                                         {.kind = "rows", .run = web_rows},
                                         {.kind = "contest", .run = web_contest},
                                         {.kind = "release", .run = web_release},
                                         {.kind = NULL}};

static web_snapshot *take_snapshot(void *ctx, bool anyhow, pv_error *error)
{
    (void)anyhow;
    (void)error;
    return web_snapshot_share(ctx);
}

stage stage_open(const char *plan, const char *csv)
{
    static const char *const own[] = {"plan.yaml", NULL};
    stage s = {.folder = scratch_folder_create("data.csv")};
    char folder[512];
    pv_buffer text = {0};
    pv_error error = {0};
    assert_non_null(getcwd(s.before, sizeof s.before));
    pv_i_buffer_format(&text, "data: data.csv\n%s", plan);
    put(s.folder.file, csv);
    assert_int_equal(chdir(s.folder.path), 0);
    assert_non_null(getcwd(folder, sizeof folder)); /* free of links */
    put("plan.yaml", text.data);
    s.snapshot = web_snapshot_create(folder, "plan.yaml", text.data, 1);
    bound_must(web_snapshot_open(s.snapshot, 2, NULL, NULL, &error), &error);
    bound_must(web_files_create(folder, own, &s.files, &error), &error);
    s.jobs = web_jobs_create(endpoints, (web_source){.ctx = s.snapshot, .take = take_snapshot},
                             s.files, 2);
    pv_i_buffer_deinit(&text);
    return s;
}

stage stage_random(const random_study *s)
{
    return stage_open(s->text.data, s->csv.data);
}

void stage_close(stage *s)
{
    web_jobs_free(s->jobs);
    web_files_free(s->files);
    web_snapshot_leave(s->snapshot);
    assert_int_equal(chdir(s->before), 0);
    scratch_folder_remove(&s->folder);
}

json_t *stage_work(const stage *s, stage_job *job, json_t *params)
{
    pv_error error = {0};
    uint64_t id = 0;
    size_t i = 0;
    while (endpoints[i].run != job) {
        i++;
    }
    assert_non_null(params);
    bound_must(web_jobs_submit(s->jobs, endpoints[i].kind, "test", params, &id, &error), &error);
    json_t *const shown = web_jobs_wait(s->jobs, id, web_patience_of(300));
    assert_non_null(shown);
    json_decref(params);
    return shown;
}

/* What a status is called, the other way. */
static pv_status status_named(const char *name)
{
    int status = 0;
    while (strcmp(cli_status_name((pv_status)status), name) != 0) {
        status++;
        assert_true(status < 100);
    }
    return (pv_status)status;
}

pv_status stage_try(const stage *s, stage_job *job, json_t *params, json_t **result,
                    pv_error *error)
{
    json_t *const shown = stage_work(s, job, params);
    const json_t *const failure = json_object_get(shown, "error");
    if (json_is_object(failure)) {
        error->status = status_named(text_at(failure, "status"));
        (void)snprintf(error->message, sizeof error->message, "%s", text_at(failure, "message"));
    } else {
        error->status = PV_STATUS_OK;
        *result = json_incref(member(shown, "result"));
    }
    json_decref(shown);
    return error->status;
}

json_t *stage_must(const stage *s, stage_job *job, json_t *params)
{
    json_t *result = NULL;
    pv_error error = {0};
    bound_must(stage_try(s, job, params, &result, &error), &error);
    assert_true(json_is_object(result));
    return result;
}

void stage_refused(const stage *s, stage_job *job, json_t *params, pv_status status,
                   const char *words)
{
    json_t *result = NULL;
    pv_error error = {0};
    assert_int_equal(stage_try(s, job, params, &result, &error), status);
    assert_null(result);
    if (strstr(error.message, words) == NULL) {
        fail_msg("'%s' does not say '%s'", error.message, words);
    }
}

/* -------------------------------------------------------------- random specs */

static json_t *levels_spec(const stage *s, random_study *random)
{
    const pv_study *const study = s->snapshot->opened.study;
    json_t *const levels = json_array();
    for (size_t q = 0; q < pv_study_quasis(study); q++) {
        const unsigned height = pv_hierarchy_height(pv_study_hierarchy(study, q));
        json_array_append_new(levels, json_integer((json_int_t)random_below(random, height + 1)));
    }
    return json_pack("{ssso}", "scheme", "levels", "levels", levels);
}

static json_t *cuts_spec(const stage *s, const char *require)
{
    pv_constraint demands[PV_MAX_CONSTRAINTS];
    pv_best_options options = {.size = sizeof options,
                               .kind = PV_SCHEME_CUTS,
                               .demands = demands,
                               .max_seconds = -1,
                               .max_steps = 5};
    pv_best *best = NULL;
    json_t *cuts = NULL;
    json_t *spec = NULL;
    assert_int_equal(pv_constraints_parse(require, demands, &options.n_demands, NULL),
                     PV_STATUS_OK);
    if (pv_best_find(s->snapshot->opened.study, &options, &best, NULL) == PV_STATUS_OK &&
        pv_best_scheme(best) != NULL &&
        cli_cuts_json(pv_scheme_cuts(pv_best_scheme(best)), &cuts, NULL) == PV_STATUS_OK) {
        spec = json_pack("{ssso}", "scheme", "cuts", "cuts", cuts);
    }
    pv_best_free(best);
    return spec;
}

json_t *stage_spec(const stage *s, random_study *random, int kind, const char *require)
{
    json_t *const spec = kind == STAGE_LEVELS ? levels_spec(s, random)
                         : kind == STAGE_CUTS ? cuts_spec(s, require)
                                              : json_pack("{ss}", "scheme", "local");
    if (spec != NULL) {
        json_object_set_new(spec, "require", json_string(require));
    }
    if (kind == STAGE_LOCAL) {
        json_t *result = NULL;
        pv_error error = {0};
        const bool found = stage_try(s, web_candidate_job, json_pack("{sO}", "spec", spec), &result,
                                     &error) == PV_STATUS_OK;
        json_decref(result);
        if (!found) {
            assert_int_equal(error.status, PV_STATUS_UNSATISFIED);
            json_decref(spec);
            return NULL;
        }
    }
    return spec;
}

/* ---------------------------------------------------------- what is released */

const char *naive_cell(const naive *n, size_t row, size_t q)
{
    char name[24];
    (void)snprintf(name, sizeof name, "q%zu", q);
    const size_t column = pv_table_find(n->table, name);
    const uint32_t code = pv_table_code(n->table, column, n->place[row]);
    return code == pv_table_missing(n->table, column) ? "" : pv_table_value(n->table, column, code);
}

static bool look_alike(const naive *n, size_t a, size_t b)
{
    bool alike = true;
    for (size_t q = 0; q < n->n_quasi; q++) {
        alike = alike && strcmp(naive_cell(n, a, q), naive_cell(n, b, q)) == 0;
    }
    return alike;
}

static void count_alike(naive *n)
{
    n->alike = oracle_array(n->n_rows, sizeof *n->alike);
    n->size = oracle_array(n->n_rows, sizeof *n->size);
    n->suppressed = oracle_array(n->n_rows, sizeof *n->suppressed);
    for (size_t row = 0; row < n->n_rows; row++) {
        n->suppressed[row] = true;
        for (size_t q = 0; q < n->n_quasi; q++) {
            n->suppressed[row] = n->suppressed[row] && strcmp(naive_cell(n, row, q), "*") == 0;
        }
        for (size_t other = n->n_rows; other-- > 0;) {
            if (look_alike(n, row, other)) {
                n->size[row]++;
                n->alike[row] = other;
            }
        }
    }
}

/* If everyone is `*`, nobody is suppressed. */
static void count_suppressed(naive *n)
{
    for (size_t row = 0; row < n->n_rows; row++) {
        n->suppressed[row] = n->suppressed[row] && n->size[row] < n->n_rows;
        n->n_suppressed += n->suppressed[row];
    }
}

static void read_release(naive *n, const char *file, const char *map)
{
    const pv_read_options reading = {
        .size = sizeof reading, .header = PV_CHOICE_YES, .delimiter = ','};
    pv_error error = {0};
    uint64_t *rows = NULL;
    bound_must(pv_table_read(file, &reading, NULL, &n->table, &error), &error);
    bound_must(pv_i_row_map_read(map, n->n_rows, n->n_rows, &rows, &error), &error);
    n->place = oracle_array(n->n_rows, sizeof *n->place);
    for (size_t row = 0; row < n->n_rows; row++) {
        n->place[rows[row]] = row;
    }
    pv_i_free(rows);
    count_alike(n);
    count_suppressed(n);
}

/* The library's own way from a spec to a file. */
bool naive_release(naive *n, const stage *s, const json_t *spec)
{
    web_call call = {.snapshot = s->snapshot, .context = {.threads = 1}};
    web_candidate *c = NULL;
    pv_error error = {0};
    bound_must(web_candidate_find(&call, spec, &c, &error), &error);
    const pv_budget budget = {.rows = c->budget};
    const pv_release_options options = {.size = sizeof options,
                                        .constraints = c->demands,
                                        .n_constraints = c->n_demands,
                                        .budget = &budget,
                                        .as_needed = true,
                                        .row_map = "naive.map",
                                        .force = true};
    const pv_status status =
        pv_release_write(c->opened.study, c->scheme, "naive.csv", &options, NULL, &error);
    const uint64_t n_suppressed = pv_classes_suppressed(c->classes);
    *n = (naive){.n_rows = pv_profile_rows(c->opened.profile),
                 .n_quasi = pv_study_quasis(c->opened.study)};
    web_candidate_release(c);
    if (status == PV_STATUS_UNSATISFIED) {
        return false;
    }
    bound_must(status, &error);
    read_release(n, "naive.csv", "naive.map");
    if (n->n_suppressed != n_suppressed) { /* a class is `*` without being suppressed: texts do not
                                              tell them apart */
        naive_free(n);
        return false;
    }
    return true;
}

void naive_free(naive *n)
{
    pv_table_free(n->table);
    free(n->place);
    free(n->alike);
    free(n->size);
    free(n->suppressed);
    *n = (naive){0};
}

size_t naive_k(const naive *n)
{
    size_t k = SIZE_MAX;
    for (size_t row = 0; row < n->n_rows; row++) {
        k = !n->suppressed[row] && n->size[row] < k ? n->size[row] : k;
    }
    return k;
}

size_t naive_classes(const naive *n)
{
    size_t classes = 0;
    for (size_t row = 0; row < n->n_rows; row++) {
        classes += !n->suppressed[row] && n->alike[row] == row;
    }
    return classes;
}

/* ----------------------------------------------------------------------- JSON */

json_t *member(const json_t *object, const char *name)
{
    json_t *const value = json_object_get(object, name);
    if (value == NULL) {
        fail_msg("there is no `%s`", name);
    }
    return value;
}

size_t count_at(const json_t *object, const char *name)
{
    const json_t *const value = member(object, name);
    assert_true(json_is_integer(value));
    return (size_t)json_integer_value(value);
}

double number_at(const json_t *object, const char *name)
{
    const json_t *const value = member(object, name);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

const char *text_at(const json_t *object, const char *name)
{
    const json_t *const value = member(object, name);
    assert_true(json_is_string(value));
    return json_string_value(value);
}

void expect_near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b))))) {
        fail_msg("%.17g is not %.17g", a, b);
    }
}
