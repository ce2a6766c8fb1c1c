/* Commands inside the server: the documents are those of the command line, and files are those of
 * the folder. */
#include "core/command.h"
#include "core/outputs.h"
#include "core/text.h"
#include "web/client.h"

static int set_up(void **state)
{
    client *const c = calloc(1, sizeof *c);
    assert_non_null(c);
    *c = client_open(500);
    json_decref(client_opened(c));
    *state = c;
    return 0;
}

static int tear_down(void **state)
{
    client_close(*state);
    free(*state);
    return 0;
}

/* What the command itself prints with --json; standard output goes into a file meanwhile. */
static json_t *printed(const char *line)
{
    size_t n = 0;
    char **const words = cli_list_split(line, ' ', &n);
    const cli_command *const command = cli_command_find(words[0]);
    void *const settings = calloc(1, command->settings_size);
    cli_run run = {.command = command, .common = settings, .context = {.threads = 2}};
    pv_error error = {0};
    (void)fflush(stdout);
    const int kept = dup(STDOUT_FILENO);
    const int file = open("printed.json", O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert_true(kept >= 0 && file >= 0 && dup2(file, STDOUT_FILENO) >= 0);
    cli_report_init(&run.report, stdout);
    pv_status status =
        cli_options_parse(command, (int)n - 1, words + 1, settings, &run.operands, &error);
    status = status == PV_STATUS_OK ? cli_outputs_begin(&run, settings, &error) : status;
    status = status == PV_STATUS_OK ? command->run(&run, settings, &error) : status;
    cli_outputs_end(&run);
    cli_options_release(command, settings);
    (void)fflush(stdout);
    assert_true(dup2(kept, STDOUT_FILENO) >= 0);
    (void)close(kept);
    (void)close(file);
    free(run.operands.list);
    free(settings);
    cli_list_free(words);
    if (status != PV_STATUS_OK) {
        fail_msg("%s", error.message);
    }
    json_t *const document = json_load_file("printed.json", 0, NULL);
    assert_non_null(document);
    assert_int_equal(unlink("printed.json"), 0);
    return document;
}

/* How long something took is another number every time. */
static void forget_seconds(json_t *value)
{
    const char *name;
    json_t *member;
    size_t i;
    if (json_is_object(value)) {
        (void)json_object_del(value, "seconds");
        json_object_foreach(value, name, member)
        {
            forget_seconds(member);
        }
    }
    json_array_foreach(value, i, member)
    {
        forget_seconds(member);
    }
}

static void expect_same(const client *c, const char *params, const char *line, const char *words)
{
    char body[1024];
    (void)snprintf(body, sizeof body, "{'kind': 'command', 'params': %s}", params);
    json_t *const job = client_job(c, body);
    if (strcmp(text_of(job, "state"), "done") != 0) {
        fail_msg("%s: %s", params, text_of(job, "error.message"));
    }
    json_t *const result = json_deep_copy(at(job, "result"));
    json_t *const document = printed(words);
    assert_string_equal(text_of(result, "line"), line);
    (void)json_object_del(result, "line");
    forget_seconds(result);
    forget_seconds(document);
    if (!json_equal(result, document)) {
        char *const a = json_dumps(result, JSON_SORT_KEYS);
        char *const b = json_dumps(document, JSON_SORT_KEYS);
        size_t i = 0;
        while (a[i] == b[i] && a[i] != '\0') {
            i++;
        }
        i = i > 60 ? i - 60 : 0;
        fail_msg("%s: %.200s instead of %.200s", line, a + i, b + i);
    }
    json_decref(result);
    json_decref(document);
    json_decref(job);
}

static void documents_are_those_of_the_command_line(void **state)
{
    const client *const c = *state;
    expect_same(c, "{'command': 'inspect', 'operands': ['plan']}", "paravent inspect plan.yaml",
                "inspect plan.yaml --json");
    expect_same(c, "{'command': 'inspect', 'operands': ['plan'], 'options': {'rare': 7}}",
                "paravent inspect plan.yaml --rare 7", "inspect plan.yaml --rare 7 --json");
    expect_same(c,
                "{'command': 'front', 'operands': ['plan'], 'options': {'objectives': ['k', "
                "'glm'], 'all': true, 'force': false, 'suppression': '0'}}",
                "paravent front plan.yaml --objectives k --objectives glm --all --suppression 0",
                "front plan.yaml --objectives k,glm --all --suppression 0 --json");
    expect_same(c, "{'command': 'disclose', 'operands': ['plan'], 'options': {'row': 3}}",
                "paravent disclose plan.yaml --row 3", "disclose plan.yaml --row 3 --json");
    expect_same(c,
                "{'command': 'hierarchy', 'operands': ['plan'], 'options': {'attribute': 'age'}}",
                "paravent hierarchy plan.yaml --attribute age",
                "hierarchy plan.yaml --attribute age --json");
    expect_same(c, "{'command': 'hierarchy', 'operands': ['education.csv']}",
                "paravent hierarchy education.csv", "hierarchy education.csv --json");
}

static void a_release(void **state)
{
    const client *const c = *state;
    json_t *job = client_job(
        c, "{'kind': 'command', 'params': {'command': 'release', 'operands': ['plan'], 'options': "
           "{'levels': '5,1,5,3,2,1,2,2,3', 'require': 'k=5', 'output': 'out it.csv', 'row-map': "
           "'out.map'}}}");
    assert_string_equal(text_of(job, "state"), "done");
    assert_string_equal(text_of(job, "result.line"),
                        "paravent release plan.yaml --levels 5,1,5,3,2,1,2,2,3 --require k=5 "
                        "--output 'out it.csv' --row-map out.map");
    assert_int_equal(access("out it.csv", R_OK), 0);
    char *path = NULL;
    assert_true(asprintf(&path, "/api/files?path=%s", text_of(job, "result.files.page")) > 0);
    for (char *p = path; *p != '\0'; p++) { /* as an address has it */
        *p = (char)(*p == ' ' ? '+' : *p);
    }
    reply r = client_ask(c, "GET", path, NULL, "");
    assert_int_equal(r.status, 200);
    assert_string_equal(reply_header(&r, "Content-Type"), "text/html; charset=utf-8");
    assert_non_null(strstr(reply_header(&r, "Content-Security-Policy"), "sandbox"));
    reply_free(&r);
    free(path);
    json_decref(job);
    json_decref(client_get(c, "/api/files?path=census.csv", 403)); /* nobody wrote it here */
    json_decref(client_get(c, "/api/files?path=plan.explore.json", 403));
    json_decref(client_get(c, "/api/files?path=/etc/passwd", 403));
    json_decref(client_get(c, "/api/files?path=../out.map", 403));
    json_decref(client_get(c, "/api/files", 403));
    job = client_job(
        c, "{'kind': 'command', 'params': {'command': 'check', 'operands': ['out it.csv']}}");
    assert_string_equal(text_of(job, "state"), "done");
    json_decref(job);
    job = client_job(c, "{'kind': 'command', 'params': {'command': 'compare', 'operands': "
                        "['out it.csv', 'out it.csv'], 'options': {'plan': 'plan', 'row-map': "
                        "['out.map', 'out.map']}}}");
    assert_string_equal(text_of(job, "result.line"),
                        "paravent compare 'out it.csv' 'out it.csv' --plan plan.yaml --row-map "
                        "out.map --row-map out.map");
    json_decref(job);
    /* What is in the way stays there. */
    job = client_job(
        c, "{'kind': 'command', 'params': {'command': 'release', 'operands': ['plan'], 'options': "
           "{'levels': '5,1,5,3,2,1,2,2,3', 'output': 'out it.csv'}}}");
    assert_string_equal(text_of(job, "error.status"), "exists");
    json_decref(job);
}

static void refused(const client *c, const char *params, const char *words)
{
    char body[1024];
    (void)snprintf(body, sizeof body, "{'kind': 'command', 'params': %s}", params);
    json_t *const job = client_job(c, body);
    assert_string_equal(text_of(job, "state"), "failed");
    if (strstr(text_of(job, "error.message"), words) == NULL) {
        fail_msg("%s: '%s' does not say '%s'", params, text_of(job, "error.message"), words);
    }
    assert_true(json_is_null(at(job, "result")));
    json_decref(job);
}

static void what_is_no_command_here(void **state)
{
    const client *const c = *state;
    refused(c, "{}", "which command");
    refused(c, "{'command': 'init', 'operands': ['census.csv']}", "no such command");
    refused(c, "{'command': 'explore', 'operands': ['plan']}", "no such command");
    refused(c, "{'command': 'demo'}", "no such command");
    refused(c, "{'command': 'front', 'operands': ['plan'], 'options': {'json': true}}",
            "no such option");
    refused(c, "{'command': 'front', 'operands': ['plan'], 'options': {'threads': 9}}",
            "no such option");
    refused(c, "{'command': 'front', 'operands': ['plan'], 'options': {'nothing': 9}}",
            "no such option");
    refused(c, "{'command': 'front', 'operands': ['plan'], 'options': {'all': 'yes'}}", "no value");
    refused(c, "{'command': 'front', 'operands': ['plan'], 'options': {'method': true}}",
            "no value");
    refused(c, "{'command': 'front', 'operands': ['plan'], 'options': {'method': {}}}", "no value");
    refused(c, "{'command': 'front', 'operands': ['plan'], 'options': {'method': 'magic'}}", "");
    refused(c, "{'command': 'front', 'operands': ['plan'], 'options': {'seconds': ['1']}}",
            "no list");
    refused(c, "{'command': 'front', 'operands': ['plan'], 'options': []}", "an object");
    refused(c, "{'command': 'front', 'operands': 'plan'}", "a list");
    refused(c, "{'command': 'front', 'operands': [1]}", "texts");
    refused(c, "{'command': 'front'}", "needs");
    refused(c, "{'command': 'release', 'operands': ['plan'], 'options': {'papers': 'x'}}",
            "means nothing");
}

/* "[item,item,...]" in place of the %s. */
static json_t *ask_long(const client *c, const char *path, const char *form, const char *item,
                        size_t n)
{
    char *list = cli_copy("[");
    for (size_t i = 0; i < n; i++) {
        cli_append(&list, "%s%s", i > 0 ? "," : "", item);
    }
    cli_append(&list, "]");
    char *const body = strstr(form, "%s") != NULL
                           ? cli_format("%.*s%s%s", (int)(strstr(form, "%s") - form), form, list,
                                        strstr(form, "%s") + 2)
                           : NULL;
    json_t *const answer = path != NULL ? client_post(c, path, 400, body) : client_job(c, body);
    free(body);
    free(list);
    return answer;
}

/* They would be put together for hours, and nobody could stop it. */
static void lists_have_an_end(void **state)
{
    const client *const c = *state;
    json_t *job = ask_long(c, NULL,
                           "{'kind': 'command', 'params': {'command': 'front', 'operands': "
                           "['plan'], 'options': {'objectives': %s}}}",
                           "'k'", 1001);
    assert_non_null(strstr(text_of(job, "error.message"), "more than 1000 texts"));
    json_decref(job);
    job = ask_long(c, NULL, "{'kind': 'best', 'params': {'require': %s}}", "'k=5'", 33);
    assert_non_null(strstr(text_of(job, "error.message"), "a shorter list"));
    json_decref(job);
    json_decref(ask_long(c, "/api/candidates",
                         "{'name': 'x', 'spec': {'scheme': 'levels', 'levels': %s}}", "0", 10001));
}

static void files_outside_the_folder(void **state)
{
    const client *const c = *state;
    assert_int_equal(symlink("/etc/passwd", "link.csv"), 0);
    assert_int_equal(symlink("/etc", "folder"), 0);
    static const char *const paths[] = {"/etc/passwd",
                                        "../x",
                                        "./../x",
                                        "a/../../x",
                                        "link.csv",
                                        "folder/passwd",
                                        ".",
                                        "",
                                        "-",
                                        "nowhere.csv",
                                        "upload:1",
                                        "upload:x",
                                        "odbc:DSN=x?table=t",
                                        "duckdb:x?table=t",
                                        "postgresql://127.0.0.1:1/x?table=t",
                                        "~x.parquet",
                                        "file:x.parquet",
                                        "*.parquet"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        char params[256];
        (void)snprintf(params, sizeof params, "{'command': 'check', 'operands': ['%s']}", paths[i]);
        refused(c, params, "");
        (void)snprintf(params, sizeof params,
                       "{'command': 'front', 'operands': ['plan'], 'options': {'data': '%s'}}",
                       paths[i]);
        refused(c, params, "");
        (void)snprintf(params, sizeof params,
                       "{'command': 'compare', 'operands': ['education.csv', 'education.csv'], "
                       "'options': {'plan': 'plan', 'row-map': 'education.csv,%s'}}",
                       paths[i]);
        refused(c, params, "");
        if (strcmp(paths[i], "nowhere.csv") != 0) {
            (void)snprintf(params, sizeof params,
                           "{'command': 'front', 'operands': ['plan'], 'options': {'csv': '%s', "
                           "'force': true}}",
                           paths[i]);
            refused(c, params, "");
        }
    }
    refused(c, "{'command': 'front', 'operands': ['plan'], 'options': {'csv': 'folder/x.csv'}}",
            "outside");
    refused(c,
            "{'command': 'release', 'operands': ['plan'], 'options': {'require': 'k=2', 'output': "
            "'odbc:DSN=x?table=t'}}",
            "no name for a file");
    refused(c,
            "{'command': 'front', 'operands': ['plan'], 'options': {'csv': 'plan.yaml', 'force': "
            "true}}",
            "is the plan");
    refused(c,
            "{'command': 'front', 'operands': ['plan'], 'options': {'csv': 'plan.explore.json', "
            "'force': true}}",
            "belongs to the explorer");
    refused(c,
            "{'command': 'front', 'operands': ['plan'], 'options': {'csv': 'census.csv', "
            "'force': true}}",
            "");
}

static void identifiers_are_not_shown(void **state)
{
    const client *const c = *state;
    refused(c,
            "{'command': 'hierarchy', 'operands': ['census.csv'], 'options': {'attribute': "
            "'person', 'suppress': true}}",
            "identifier");
    refused(c, "{'command': 'hierarchy', 'operands': ['plan'], 'options': {'attribute': 'person'}}",
            "identifier");
    refused(c, "{'command': 'hierarchy', 'operands': ['census.csv']}", "this is the data");
    /* By another name, and by a plan that says something else. */
    refused(c,
            "{'command': 'hierarchy', 'operands': ['census.csv'], 'options': {'attribute': "
            "'column1', 'no-header': true, 'suppress': true}}",
            "no such option");
    FILE *const other = fopen("other.yaml", "w");
    assert_non_null(other);
    assert_true(fputs("data: census.csv\nattributes: {person: {role: quasi}}\n", other) >= 0);
    assert_int_equal(fclose(other), 0);
    refused(c,
            "{'command': 'hierarchy', 'operands': ['other.yaml'], 'options': {'attribute': "
            "'age'}}",
            "only the plan that is explored");
    refused(c, "{'command': 'inspect', 'operands': ['other.yaml']}", "only the plan");
    refused(c,
            "{'command': 'check', 'operands': ['census.csv'], 'options': {'plan': 'other.yaml'}}",
            "only the plan");
    assert_int_equal(unlink("other.yaml"), 0);
    /* A column that the plan does not name may be one. */
    json_decref(client_post(c, "/api/plan", 200,
                            "{'version': 1, 'what': 'x', 'edits': [{'path': ['attributes', "
                            "'person'], 'remove': true}]}"));
    json_decref(client_opened(c));
    refused(c,
            "{'command': 'hierarchy', 'operands': ['census.csv'], 'options': {'attribute': "
            "'person', 'suppress': true}}",
            "identifier");
    json_decref(client_post(c, "/api/plan/undo", 200, "{'version': 2}"));
    json_decref(client_opened(c));
    refused(c,
            "{'command': 'compare', 'operands': ['education.csv', 'education.csv'], 'options': "
            "{'plan': 'plan', 'by': 'sex,person'}}",
            "identifier");
}

/* The words of a shell are those that were meant, whatever they are made of. */
static void words_of_a_shell(void **state)
{
    static const char *const texts[] = {
        "plain",        "",           "it's $(x) `y` \\ \"z\"", "=ls",     "~", "*",
        "two\nlines\n", "\x15rm x\r", "\x1b[201~'\\\t\x7f",     "\xc3\xa9"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char back[64];
        char *const word = cli_shell_word(texts[i]);
        for (const char *at = word; *at != '\0'; at++) {
            assert_true((unsigned char)*at >= 0x20 && *at != 0x7f);
        }
        /* Of a shell that is there everywhere where this is built. */
        assert_int_equal(setenv("PV_WORDS", word, 1), 0);
        FILE *const shell = popen("bash -c 'eval \"printf %s $PV_WORDS\"'", "r");
        assert_non_null(shell);
        const size_t n = fread(back, 1, sizeof back - 1, shell);
        back[n] = '\0';
        if (pclose(shell) == 0) { /* else there is no bash */
            assert_string_equal(back, texts[i]);
        }
        free(word);
    }
    char *word = cli_shell_operand("-rf.yaml");
    assert_string_equal(word, "./-rf.yaml");
    free(word);
    word = cli_shell_operand("plan.yaml");
    assert_string_equal(word, "plan.yaml");
    free(word);
}

/* What does not keep what is demanded has a document all the same. */
static void unmet_demands_have_a_document(void **state)
{
    const client *const c = *state;
    json_t *const job = client_job(
        c, "{'kind': 'command', 'params': {'command': 'check', 'operands': ['census.csv'], "
           "'options': {'plan': 'plan', 'require': 'k=5'}}}");
    assert_string_equal(text_of(job, "state"), "failed");
    assert_string_equal(text_of(job, "error.status"), "unsatisfied");
    assert_string_equal(text_of(job, "result.command"), "check");
    json_decref(job);
}

static void a_search_is_stopped_with_what_it_has(void **state)
{
    const client *const c = *state;
    json_t *job = client_post(
        c, "/api/jobs", 200,
        "{'kind': 'command', 'channel': 'a', 'params': {'command': 'front', 'operands': ['plan'], "
        "'options': {'scheme': 'cuts', 'prove': '1000', 'evaluations': '100000000'}}}");
    assert_string_equal(text_of(job, "state"), "running");
    char path[64];
    (void)snprintf(path, sizeof path, "/api/jobs/%lld", (long long)number_of(job, "job"));
    json_decref(job);
    json_decref(client_delete(c, path, 200));
    job = client_get(c, path, 200);
    while (strcmp(text_of(job, "state"), "running") == 0) {
        char next[96];
        (void)snprintf(next, sizeof next, "%s?since=%lld", path,
                       (long long)number_of(job, "version"));
        json_decref(job);
        job = client_get(c, next, 200);
    }
    assert_string_equal(text_of(job, "state"), "cancelled");
    assert_true(json_is_null(at(job, "error")));
    json_decref(job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(documents_are_those_of_the_command_line),
        cmocka_unit_test(a_release),
        cmocka_unit_test(what_is_no_command_here),
        cmocka_unit_test(lists_have_an_end),
        cmocka_unit_test(files_outside_the_folder),
        cmocka_unit_test(identifiers_are_not_shown),
        cmocka_unit_test(words_of_a_shell),
        cmocka_unit_test(unmet_demands_have_a_document),
        cmocka_unit_test(a_search_is_stopped_with_what_it_has),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
