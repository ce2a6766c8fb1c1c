/* The plan, its history, and candidates, over the interface: nothing is lost, nothing is
 * overwritten unseen. */
#include "web/client.h"

#include "base/memory.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static int set_up(void **state)
{
    client *const c = calloc(1, sizeof *c);
    assert_non_null(c);
    *c = client_open(200);
    *state = c;
    return 0;
}

static int tear_down(void **state)
{
    client_close(*state);
    free(*state);
    return 0;
}

static json_int_t version_of(const client *c)
{
    json_t *const state = client_get(c, "/api/state", 200);
    const json_int_t version = number_of(state, "plan.version");
    json_decref(state);
    return version;
}

/* "%s" in the body stands for the version. */
static json_t *change(const client *c, const char *path, int status, json_int_t version,
                      const char *rest)
{
    char body[4096];
    (void)snprintf(body, sizeof body, "{'version': %lld%s%s}", (long long)version,
                   rest[0] != '\0' ? ", " : "", rest);
    return client_post(c, path, status, body);
}

static bool plan_has(const char *words)
{
    char *const text = scratch_text("plan.yaml");
    const bool has = strstr(text, words) != NULL;
    pv_i_free(text);
    return has;
}

static void the_state(void **state)
{
    const client *const c = *state;
    json_t *const s = client_opened(c);
    assert_string_equal(text_of(s, "study.state"), "open");
    assert_string_equal(text_of(s, "plan.path"), "plan.yaml");
    assert_string_equal(text_of(s, "plan.folder"), c->folder.path);
    assert_int_equal(number_of(s, "plan.version"), 1);
    assert_true(json_is_null(at(s, "plan.error")));
    assert_true(json_is_null(at(s, "plan.undo")));
    assert_true(json_is_null(at(s, "plan.redo")));
    assert_int_equal(json_array_size(at(s, "plan.history")), 0);
    assert_int_equal(json_array_size(at(s, "plan.questions")), 0);
    assert_string_equal(text_of(s, "study.data"), "census.csv");
    assert_int_equal(number_of(s, "study.rows"), 200);
    assert_int_equal(number_of(s, "study.budget"), 2);
    assert_string_equal(text_of(s, "study.suppression"), "1%");
    assert_int_equal(json_array_size(at(s, "study.quasi")), 9);
    assert_string_equal(text_of(s, "study.quasi.0.name"), "age");
    assert_int_equal(number_of(s, "study.quasi.0.height"), 5);
    assert_string_equal(text_of(s, "study.quasi.0.type"), "integer");
    assert_true(json_is_null(at(s, "study.quasi.0.level")));
    assert_string_equal(text_of(s, "study.sensitive.0"), "diagnosis");
    assert_string_equal(text_of(s, "measures.0.name"), "k");
    assert_string_equal(text_of(s, "measures.0.family"), "privacy");
    assert_string_equal(text_of(s, "measures.0.rule"), "size");
    assert_true(json_array_size(at(s, "methods")) > 2);
    assert_int_equal(json_array_size(at(s, "candidates")), 0);
    json_decref(s);
}

/* No value of the identifier, whatever is asked. */
static void the_state_has_no_identifiers(void **state)
{
    json_t *const s = client_opened(*state);
    char *const text = json_dumps(s, 0);
    char *const data = scratch_text("census.csv");
    const char *const second = strchr(data, '\n') + 1;
    char person[64];
    (void)snprintf(person, sizeof person, "\"%.*s\"", (int)strcspn(second, ","), second);
    assert_null(strstr(text, person));
    pv_i_free(data);
    free(text);
    json_decref(s);
}

static void the_plan_is_changed_and_changed_back(void **state)
{
    const client *const c = *state;
    static const char role[] =
        "'what': 'role of income', 'edits': [{'path': ['attributes', 'income', 'role'], "
        "'value': 'quasi'}]";
    json_t *answer = change(c, "/api/plan", 200, 1, role);
    assert_int_equal(number_of(answer, "version"), 2);
    assert_non_null(strstr(text_of(answer, "text"), "income:     {role: quasi}"));
    assert_non_null(strstr(text_of(answer, "before"), "income:     {role: sensitive}"));
    assert_true(json_is_null(at(answer, "error")));
    assert_true(plan_has("income:     {role: quasi}"));
    assert_true(plan_has("# thousand")); /* what else it says stays */
    json_decref(answer);
    json_t *s = client_opened(c);
    assert_string_equal(text_of(s, "plan.undo"), "role of income");
    assert_string_equal(text_of(s, "plan.history.0.what"), "role of income");
    assert_int_equal(json_array_size(at(s, "study.quasi")), 10);
    json_decref(s);
    json_decref(change(c, "/api/plan", 409, 1, role)); /* somebody was faster */
    json_decref(change(c, "/api/plan/undo", 409, 1, ""));
    answer = change(c, "/api/plan/undo", 200, 2, "");
    assert_int_equal(number_of(answer, "version"), 3);
    json_decref(answer);
    assert_true(plan_has("income:     {role: sensitive}"));
    s = client_get(c, "/api/state", 200);
    assert_true(json_is_null(at(s, "plan.undo")));
    assert_string_equal(text_of(s, "plan.redo"), "role of income");
    json_decref(s);
    json_decref(change(c, "/api/plan/undo", 409, 3, "")); /* there is nothing more */
    json_decref(change(c, "/api/plan/redo", 200, 3, ""));
    assert_true(plan_has("income:     {role: quasi}"));
    json_decref(change(c, "/api/plan/redo", 409, 4, ""));
}

static void a_dry_change_changes_nothing(void **state)
{
    const client *const c = *state;
    json_t *answer = change(c, "/api/plan", 200, 1,
                            "'dry': true, 'edits': [{'path': ['suppression'], 'remove': true}]");
    assert_null(strstr(text_of(answer, "text"), "\nsuppression"));
    assert_int_equal(number_of(answer, "version"), 1);
    json_decref(answer);
    answer = change(c, "/api/plan", 200, 1,
                    "'dry': true, 'edits': [{'path': ['suppression'], 'value': 'much'}]");
    assert_string_equal(text_of(answer, "error.status"), "input");
    json_decref(answer);
    assert_true(plan_has("suppression: 1%"));
    assert_int_equal(version_of(c), 1);
    assert_int_equal(access("plan.explore.json", F_OK), -1);
}

static void a_wrong_plan_is_not_written(void **state)
{
    const client *const c = *state;
    static const char *const wrong[] = {
        "'what': 'x', 'text': 'nothing'",
        "'what': 'x', 'text': ''",
        "'what': 'x', 'edits': [{'path': ['suppression'], 'value': 'much'}]",
        "'what': 'x', 'edits': [{'path': ['nothing'], 'value': 1}]",
        "'what': 'x', 'edits': [{'path': ['attributes', 'age', 'role'], 'value': 'king'}]",
        "'what': 'x', 'edits': [{'path': ['attributes', 'age', 'hierarchy'], 'value': 'no.csv'}]",
        /* and requests that are none */
        "'edits': [{'path': ['suppression'], 'value': '2%'}]",
        "'what': 'x'",
        "'what': 'x', 'text': 'a', 'edits': []",
        "'what': 'x', 'edits': [{'value': 1}]",
        "'what': 'x', 'edits': [{'path': [], 'value': 1}]",
        "'what': 'x', 'edits': [{'path': ['a']}]",
        "'what': 'x', 'edits': [{'path': ['a'], 'value': 1, 'remove': true}]",
        "'what': 'x', 'edits': [{'path': [1], 'value': 1}]",
        "'what': 'x', 'edits': 'all'",
    };
    char *const before = scratch_text("plan.yaml");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        json_decref(change(c, "/api/plan", 400, 1, wrong[i]));
    }
    char *const after = scratch_text("plan.yaml");
    assert_string_equal(before, after);
    pv_i_free(before);
    pv_i_free(after);
    assert_int_equal(version_of(c), 1);
}

/* A page cannot have files read that are none of the folder's. */
static void a_plan_names_files_of_its_folder(void **state)
{
    const client *const c = *state;
    static const char *const outside[] = {
        "'what': 'x', 'edits': [{'path': ['data'], 'value': '/etc/passwd'}]",
        "'what': 'x', 'edits': [{'path': ['data'], 'value': '../x.csv'}]",
        "'what': 'x', 'edits': [{'path': ['data'], 'value': '-'}]",
        "'what': 'x', 'edits': [{'path': ['data'], 'value': 'link.csv'}]",
        "'what': 'x', 'edits': [{'path': ['data'], 'value': "
        "'postgresql://127.0.0.1:1/x?table=t'}]",
        "'what': 'x', 'edits': [{'path': ['data'], 'value': 'odbc:DSN=x?table=t'}]",
        "'what': 'x', 'edits': [{'path': ['data'], 'value': "
        "'duckdb:?query=SELECT 1 AS age'}]",
        "'what': 'x', 'edits': [{'path': ['data'], 'value': {'duckdb': 'x', 'table': 't'}}]",
        "'what': 'x', 'edits': [{'path': ['data'], 'value': '~/x.parquet'}]",
        "'what': 'x', 'edits': [{'path': ['data'], 'value': 'file:/etc/x.parquet'}]",
        "'what': 'x', 'edits': [{'path': ['data'], 'value': 'https://127.0.0.1/x.parquet'}]",
        "'what': 'x', 'edits': [{'path': ['data'], 'value': '*/x.parquet'}]",
        "'what': 'x', 'edits': [{'path': ['attributes', 'age', 'hierarchy'], 'value': "
        "'/etc/passwd'}]",
        "'what': 'x', 'edits': [{'path': ['attributes', 'age', 'sensitivity'], 'value': "
        "'../../etc/passwd'}]",
    };
    assert_int_equal(symlink("/etc/passwd", "link.csv"), 0);
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
        json_t *const answer = change(c, "/api/plan", 400, 1, outside[i]);
        assert_non_null(strstr(text_of(answer, "error.message"), "another folder"));
        json_decref(answer);
    }
    assert_int_equal(version_of(c), 1);
}

/* A pipe that nobody writes to is waited for by nobody. */
static void a_plan_names_plain_files(void **state)
{
    client *const c = *state;
    static const char *const pipes[] = {
        "'what': 'x', 'edits': [{'path': ['data'], 'value': 'pipe.csv'}]",
        "'what': 'x', 'edits': [{'path': ['attributes', 'age', 'hierarchy'], 'value': 'pipe.csv'}]",
    };
    assert_int_equal(mkfifo("pipe.csv", 0600), 0);
    for (size_t i = 0; i < sizeof pipes / sizeof *pipes; i++) {
        json_t *const answer = change(c, "/api/plan", 400, 1, pipes[i]);
        assert_non_null(strstr(text_of(answer, "error.message"), "no plain file"));
        json_decref(answer);
    }
    /* Nor if the plan itself is one, or what is kept beside it. */
    assert_int_equal(rename("plan.yaml", "kept.yaml"), 0);
    assert_int_equal(mkfifo("plan.yaml", 0600), 0);
    json_t *s = client_get(c, "/api/state", 200);
    assert_non_null(strstr(text_of(s, "plan.error.message"), "no plain file"));
    json_decref(s);
    assert_int_equal(rename("kept.yaml", "plan.yaml"), 0);
    client_stop(c);
    (void)unlink("plan.explore.json");
    assert_int_equal(mkfifo("plan.explore.json", 0600), 0);
    cli_explorer *none = NULL;
    pv_error error = {0};
    const cli_explorer_options options = {.folder = c->folder.path, .plan = "plan.yaml"};
    assert_int_equal(cli_explorer_start(&options, &none, &error), PV_STATUS_INPUT);
    assert_int_equal(unlink("plan.explore.json"), 0);
    client_start(c);
    client_enter(c);
}

static void an_editor_changes_the_plan(void **state)
{
    const client *const c = *state;
    char *text = scratch_text("plan.yaml");
    char *const budget = strstr(text, "1%");
    memcpy(budget, "2%", 2);
    FILE *file = fopen("plan.yaml", "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    json_t *s = client_opened(c);
    assert_int_equal(number_of(s, "plan.version"), 2);
    assert_string_equal(text_of(s, "study.suppression"), "2%");
    assert_non_null(strstr(text_of(s, "plan.undo"), "outside"));
    json_decref(s);
    /* What a page knew is stale now. */
    json_decref(change(c, "/api/plan", 409, 1,
                       "'what': 'x', 'edits': [{'path': ['suppression'], 'value': '3%'}]"));
    json_decref(change(c, "/api/plan/undo", 200, 2, ""));
    assert_true(plan_has("suppression: 1%"));
    /* A mistake made there is shown, and the plan can be mended here. */
    file = fopen("plan.yaml", "w");
    assert_non_null(file);
    assert_true(fputs("data: [\n", file) >= 0);
    assert_int_equal(fclose(file), 0);
    s = client_opened(c);
    assert_string_equal(text_of(s, "study.state"), "refused");
    assert_string_equal(text_of(s, "plan.error.status"), "input");
    json_decref(s);
    json_t *const job = client_job(
        c, "{'kind': 'command', 'params': {'command': 'inspect', 'operands': ['plan']}}");
    assert_string_equal(text_of(job, "state"), "failed");
    json_decref(job);
    json_decref(change(c, "/api/plan/undo", 200, version_of(c), ""));
    s = client_opened(c);
    assert_string_equal(text_of(s, "study.state"), "open");
    json_decref(s);
    pv_i_free(text);
    assert_int_equal(unlink("plan.yaml"), 0);
    s = client_get(c, "/api/state", 200);
    assert_string_equal(text_of(s, "plan.error.status"), "input");
    json_decref(s);
}

static void open_questions(void **state)
{
    const client *const c = *state;
    json_decref(change(c, "/api/plan", 200, 1,
                       "'what': 'ask', 'edits': [{'path': ['attributes', 'sex', 'role'], 'value': "
                       "'?'}]"));
    json_t *const s = client_opened(c);
    assert_string_equal(text_of(s, "study.state"), "refused");
    assert_string_equal(text_of(s, "plan.questions.0"), "sex");
    assert_true(json_is_null(at(s, "plan.error"))); /* it is no mistake */
    assert_string_equal(text_of(s, "study.error.status"), "input");
    json_decref(s);
}

static void news_are_waited_for(void **state)
{
    const client *const c = *state;
    json_t *const s = client_opened(c);
    char path[64];
    (void)snprintf(path, sizeof path, "/api/state?since=%lld", (long long)number_of(s, "state"));
    const json_int_t number = number_of(s, "state");
    json_decref(s);
    FILE *const file = fopen("plan.yaml", "a");
    assert_non_null(file);
    assert_true(fputs("# more\n", file) >= 0);
    assert_int_equal(fclose(file), 0);
    json_t *const later = client_get(c, path, 200);
    assert_true(number_of(later, "state") > number);
    assert_int_equal(number_of(later, "plan.version"), 2);
    json_decref(later);
}

static void candidates_are_pinned(void **state)
{
    const client *const c = *state;
    json_decref(client_opened(c));
    json_t *answer = client_post(
        c, "/api/candidates", 200,
        "{'name': 'all <b>', 'spec': {'scheme': 'levels', 'levels': [1,0,1,0,0,0,0,0,0], "
        "'require': 'k=5', 'suppression': '1%'}}");
    assert_int_equal(number_of(answer, "id"), 1);
    json_decref(answer);
    answer = client_post(c, "/api/candidates", 200,
                         "{'name': 'another', 'spec': {'scheme': 'local', 'require': 'k=2'}}");
    assert_int_equal(number_of(answer, "id"), 2);
    assert_string_equal(text_of(answer, "candidates.0.name"), "all <b>");
    assert_string_equal(
        text_of(answer, "candidates.0.line"),
        "paravent release plan.yaml --levels 1,0,1,0,0,0,0,0,0 --require k=5 --suppression 1%");
    json_decref(answer);
    json_decref(client_post(c, "/api/candidates/2", 200, "{'name': 'local'}"));
    json_decref(client_post(c, "/api/candidates/2", 400, "{}"));
    json_decref(client_post(c, "/api/candidates/3", 404, "{'name': 'x'}"));
    json_decref(client_post(c, "/api/candidates", 400, "{'name': 'x'}"));
    json_decref(client_post(c, "/api/candidates", 400, "{'name': 'x', 'spec': {}}"));
    /* What could not be read again is not kept. */
    char deep[2100] = "{'name': 'x', 'spec': {'scheme': 'local', 'x': ";
    const size_t n = strlen(deep);
    memset(deep + n, '[', 1000);
    memset(deep + n + 1000, ']', 1000);
    memcpy(deep + n + 2000, "}}", 3);
    json_decref(client_post(c, "/api/candidates", 400, deep));
    answer = client_delete(c, "/api/candidates/1", 200);
    assert_int_equal(json_array_size(at(answer, "candidates")), 1);
    assert_string_equal(text_of(answer, "candidates.0.name"), "local");
    json_decref(answer);
    json_decref(client_delete(c, "/api/candidates/1", 404));
}

static void nothing_is_lost_by_a_restart(void **state)
{
    client *const c = *state;
    struct stat found;
    json_decref(client_opened(c));
    json_decref(change(c, "/api/plan", 200, 1,
                       "'what': 'more', 'edits': [{'path': ['suppression'], 'value': '2%'}]"));
    json_decref(change(c, "/api/plan", 200, 2,
                       "'what': 'much more', 'edits': [{'path': ['suppression'], 'value': '3%'}]"));
    json_decref(change(c, "/api/plan/undo", 200, 3, ""));
    json_decref(client_post(c, "/api/candidates", 200,
                            "{'name': 'kept', 'spec': {'scheme': 'levels', 'levels': "
                            "[5,1,5,3,2,1,2,2,3]}}"));
    assert_int_equal(stat("plan.explore.json", &found), 0);
    assert_int_equal(found.st_mode & 0777, 0600);
    client_stop(c);
    client_start(c);
    json_t *r = client_get(c, "/api/state", 403); /* another server has another cookie */
    json_decref(r);
    client_enter(c);
    json_t *s = client_opened(c);
    assert_int_equal(number_of(s, "plan.version"), 4);
    assert_string_equal(text_of(s, "plan.undo"), "more");
    assert_string_equal(text_of(s, "plan.redo"), "much more");
    assert_string_equal(text_of(s, "candidates.0.name"), "kept");
    json_decref(s);
    json_decref(change(c, "/api/plan/redo", 200, 4, ""));
    assert_true(plan_has("suppression: 3%"));
    /* Nobody shall copy into a shell what only a file says. */
    client_stop(c);
    json_t *const kept = json_load_file("plan.explore.json", 0, NULL);
    json_t *const first = at(kept, "candidates.0");
    assert_int_equal(json_object_set_new(first, "line", json_string("echo gotcha")), 0);
    assert_int_equal(json_dump_file(kept, "plan.explore.json", 0), 0);
    json_decref(kept);
    client_start(c);
    client_enter(c);
    s = client_opened(c);
    assert_string_equal(text_of(s, "candidates.0.line"),
                        "paravent release plan.yaml --levels 5,1,5,3,2,1,2,2,3");
    json_decref(s);
    /* A file that is none of ours is no reason to forget what it may be. */
    client_stop(c);
    FILE *const file = fopen("plan.explore.json", "w");
    assert_non_null(file);
    assert_true(fputs("{\"explorer\": 1, \"steps\": []}", file) >= 0);
    assert_int_equal(fclose(file), 0);
    cli_explorer *none = NULL;
    pv_error error = {0};
    const cli_explorer_options options = {.folder = c->folder.path, .plan = "plan.yaml"};
    assert_int_equal(cli_explorer_start(&options, &none, &error), PV_STATUS_INPUT);
    assert_string_equal(error.file, "plan.explore.json");
    assert_int_equal(unlink("plan.explore.json"), 0);
    client_start(c);
}

static void one_server_for_one_plan(void **state)
{
    const client *const c = *state;
    cli_explorer *second = NULL;
    pv_error error = {0};
    const cli_explorer_options options = {.folder = c->folder.path, .plan = "plan.yaml"};
    assert_int_not_equal(cli_explorer_start(&options, &second, &error), PV_STATUS_OK);
    assert_non_null(strstr(error.hint, "explored already"));
    assert_null(second);
}

/* What is demanded is of the plan: the table stays, and is seen with the new demands. */
static void other_demands_keep_the_table(void **state)
{
    const client *const c = *state;
    json_t *s = client_opened(c);
    const json_int_t reading = number_of(s, "study.reading");
    assert_int_equal(reading, 1);
    json_decref(s);
    json_decref(change(c, "/api/plan", 200, 1,
                       "'what': 'k', 'edits': [{'path': ['require', 'k'], 'value': 7}, "
                       "{'path': ['suppression'], 'value': '3%'}]"));
    s = client_opened(c);
    assert_int_equal(number_of(s, "study.reading"), 1);
    assert_int_equal(number_of(s, "study.budget"), 6);
    assert_int_equal(number_of(s, "study.demands.0.bound"), 7);
    json_decref(s);
    json_t *job = client_job(c, "{'kind': 'best', 'params': {'seconds': 0.1}}");
    assert_string_equal(text_of(job, "state"), "done");
    assert_non_null(strstr(text_of(job, "result.sentence"), "k >= 7"));
    json_decref(job);
    json_decref(change(c, "/api/plan", 200, 2,
                       "'what': 'role', 'edits': [{'path': ['attributes', 'income', 'role'], "
                       "'value': 'quasi'}]"));
    s = client_opened(c); /* anything else is looked at anew */
    assert_int_equal(number_of(s, "study.reading"), 2);
    assert_int_equal(json_array_size(at(s, "study.quasi")), 10);
    json_decref(s);
}

/* Waits for the server to look at the files. */
static json_t *until_changed(const client *c, size_t n)
{
    for (size_t i = 0; i < 500; i++) {
        json_t *const s = client_opened(c);
        if (json_array_size(at(s, "study.changed_files")) == n) {
            return s;
        }
        json_decref(s);
        (void)usleep(10000);
    }
    fail_msg("nobody noticed");
    return NULL;
}

static void a_changed_file_is_noticed(void **state)
{
    const client *const c = *state;
    json_t *s = until_changed(c, 0);
    assert_int_equal(number_of(s, "study.rows"), 200);
    json_decref(s);
    char *const text = scratch_text("census.csv");
    *strrchr(text, 'P') = '\0'; /* without the last person */
    FILE *const file = fopen("census.csv", "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    pv_i_free(text);
    s = until_changed(c, 1);
    assert_string_equal(text_of(s, "study.changed_files.0"), "census.csv");
    assert_int_equal(number_of(s, "study.rows"), 200); /* still as it was read */
    json_decref(s);
    json_decref(client_post(c, "/api/reread", 200, "{}"));
    s = until_changed(c, 0);
    assert_int_equal(number_of(s, "study.rows"), 199);
    assert_int_equal(number_of(s, "study.reading"), 2);
    json_decref(s);
    /* Demands alone do not hide that a file is another one. */
    assert_int_equal(utimensat(AT_FDCWD, "education.csv", NULL, 0), 0);
    json_decref(change(c, "/api/plan", 200, version_of(c),
                       "'what': 'k', 'edits': [{'path': ['require', 'k'], 'value': 3}]"));
    s = until_changed(c, 0);
    assert_int_equal(number_of(s, "study.reading"), 3);
    json_decref(s);
}

int main(void)
{
#define STEP(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        STEP(the_state),
        STEP(the_state_has_no_identifiers),
        STEP(the_plan_is_changed_and_changed_back),
        STEP(a_dry_change_changes_nothing),
        STEP(a_wrong_plan_is_not_written),
        STEP(a_plan_names_files_of_its_folder),
        STEP(a_plan_names_plain_files),
        STEP(an_editor_changes_the_plan),
        STEP(open_questions),
        STEP(news_are_waited_for),
        STEP(candidates_are_pinned),
        STEP(nothing_is_lost_by_a_restart),
        STEP(one_server_for_one_plan),
        STEP(other_demands_keep_the_table),
        STEP(a_changed_file_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
