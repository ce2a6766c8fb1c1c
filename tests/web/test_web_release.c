/* Writing the release of a candidate, and what is said of it before: against the library, and
 * against the command line that is shown. */
#include "web/stage.h"

#include "base/memory.h"

#include <sys/stat.h>

static const char people[] =
    "name,age,sex,illness,note\n"
    "zann,21,f,flu,x\nzbea,21,f,cold,x\nzcyd,22,m,flu,y\nzdan,22,m,gout,x\n"
    "zeve,31,f,flu,y\nzfay,77,m,flu,y\n";
static const char plan[] = "suppression: 2\nattributes:\n"
                           "  name: {role: identifier}\n"
                           "  age: {role: quasi, hierarchy: {intervals: [10, 50]}}\n"
                           "  sex: {role: quasi}\n  illness: {role: sensitive, unique: accepted}\n"
                           "  note: {role: other, unique: accepted}\n";

static json_t *params_of(const char *text)
{
    json_error_t error;
    json_t *const params = json_loads(text, 0, &error);
    if (params == NULL) {
        fail_msg("%s: %s", error.text, text);
    }
    return params;
}

/* --------------------------------------------------------------------- dry run */

#define LEVELS "\"spec\": {\"scheme\": \"levels\", \"levels\": [1, 0], \"require\": \"k=2\"}"

static void a_dry_run_says_what_would_be_written(void **state)
{
    (void)state;
    stage s = stage_open(plan, people);
    const size_t files = scratch_folder_files(&s.folder);
    json_t *found = stage_must(
        &s, web_release,
        params_of("{" LEVELS
                  ", \"output\": \"o ut.csv\", \"dry\": true, \"options\": {\"row-map\": "
                  "\"out.map\", \"shuffle\": true, \"seed\": 7, \"force\": false}}"));
    assert_string_equal(text_at(found, "line"),
                        "paravent release plan.yaml --levels 1,0 --require k=2 --output 'o ut.csv' "
                        "--row-map out.map --shuffle --seed 7");
    const json_t *const columns = member(found, "columns");
    assert_int_equal(json_array_size(columns), 4);
    const json_t *const age = json_array_get(columns, 0);
    assert_string_equal(text_at(age, "name"), "age");
    assert_string_equal(text_at(age, "treatment"), "generalized");
    assert_int_equal(count_at(age, "values"), 1);
    const json_t *const illness = json_array_get(columns, 2);
    assert_string_equal(text_at(illness, "role"), "sensitive");
    assert_string_equal(text_at(illness, "treatment"), "unchanged");
    assert_int_equal(count_at(illness, "values"), 3);
    assert_int_equal(count_at(illness, "unique"), 2);
    assert_true(json_is_null(member(illness, "problem"))); /* the plan accepts it */
    assert_string_equal(json_string_value(json_array_get(member(found, "dropped"), 0)), "name");
    assert_true(json_is_null(member(found, "blocked")));
    assert_true(json_is_true(member(json_array_get(member(found, "demands"), 0), "holds")));
    json_decref(found);
    found =
        stage_must(&s, web_release,
                   params_of("{\"spec\": {\"scheme\": \"levels\", \"levels\": [0, 0], \"require\": "
                             "\"k=3\"}, \"output\": \"out.csv.gz\", \"dry\": true}"));
    assert_non_null(
        strstr(text_at(member(found, "blocked"), "message"), "only 2 may be suppressed"));
    json_decref(found);
    found = stage_must(
        &s, web_release,
        params_of("{\"spec\": {\"scheme\": \"cuts\", \"cuts\": {\"age\": {\"breaks\": [30]}, "
                  "\"sex\": \"*\"}}, \"output\": \"sub/out.csv.gz\", \"dry\": true}"));
    assert_string_equal(
        text_at(found, "line"),
        "paravent release plan.yaml --cuts sub/out.cuts.json --output sub/out.csv.gz");
    json_decref(found);
    assert_int_equal(scratch_folder_files(&s.folder), files);
    stage_close(&s);
}

/* Nobody may be alone, though nothing is demanded. */
static void who_would_be_alone_blocks_a_release(void **state)
{
    (void)state;
    stage s = stage_open(plan, people);
    json_t *const found = stage_must(&s, web_release,
                                     params_of("{\"spec\": {\"scheme\": \"levels\", \"levels\": "
                                               "[0, 0]}, \"output\": \"a.csv\", \"dry\": true}"));
    assert_non_null(strstr(text_at(member(found, "blocked"), "message"), "unique in the release"));
    json_decref(found);
    stage_close(&s);
}

static void what_is_refused(void **state)
{
    static const struct {
        const char *params, *words;
    } wrong[] = {
        {"{\"output\": \"out.csv\"}", "spec"},
        {"{" LEVELS "}", "name of a table"},
        {"{" LEVELS ", \"output\": 3}", "no text"},
        {"{" LEVELS ", \"output\": \"out.html\"}", "name of a table"},
        {"{" LEVELS ", \"output\": \"out.csv\", \"options\": 1}", "object"},
        {"{" LEVELS ", \"output\": \"out.csv\", \"options\": {\"levels\": \"0,0\"}}", "no option"},
        {"{" LEVELS ", \"output\": \"out.csv\", \"options\": {\"data\": \"x\"}}", "no option"},
        {"{" LEVELS ", \"output\": \"out.csv\", \"options\": {\"papers\": \"x\"}}", "no option"},
        {"{\"spec\": {\"scheme\": \"levels\", \"levels\": [0.5, 0]}, \"output\": \"out.csv\"}",
         "whole"},
        {"{\"spec\": {\"scheme\": \"cuts\"}, \"output\": \"out.csv\"}", "by attribute"},
    };
    (void)state;
    stage s = stage_open(plan, people);
    const size_t files = scratch_folder_files(&s.folder);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        stage_refused(&s, web_release, params_of(wrong[i].params), PV_STATUS_ARGUMENT,
                      wrong[i].words);
    }
    assert_int_equal(scratch_folder_files(&s.folder), files);
    stage_close(&s);
}

/* ------------------------------------------------------------ what is exposed */

/* Tables with two columns that nobody generalizes and one that is sensitive. */
static char *random_table(pv_rng *rng)
{
    static const char *const illnesses[] = {"flu", "cold", "gout", "cough", "mumps"};
    const size_t n = 6 + (size_t)pv_i_rng_below(rng, 25);
    const uint64_t notes = 1 + pv_i_rng_below(rng, 4);
    const uint64_t marks = 1 + pv_i_rng_below(rng, 3);
    const uint64_t names = pv_i_rng_below(rng, 3) == 0 ? 1000 : 1 + pv_i_rng_below(rng, 5);
    pv_buffer csv = {0};
    pv_i_buffer_text(&csv, "age,sex,note,mark,illness\n");
    for (size_t i = 0; i < n; i++) {
        pv_i_buffer_format(&csv, "%d,%c,n%d,m%d,", 20 + (int)pv_i_rng_below(rng, 4),
                           pv_i_rng_below(rng, 2) == 0 ? 'f' : 'm', (int)pv_i_rng_below(rng, notes),
                           (int)pv_i_rng_below(rng, marks));
        if (names == 1000) {
            pv_i_buffer_format(&csv, "i%d\n", (int)pv_i_rng_below(rng, names));
        } else {
            pv_i_buffer_format(&csv, "%s\n", illnesses[pv_i_rng_below(rng, names)]);
        }
    }
    return csv.data;
}

/* The library, which looks at the written file, against what was said before. Together columns may
 * expose what none of them does: that is known of the file only. */
static void expect_problems(const stage *s, const json_t *spec, size_t *n_problems, size_t *n_fine)
{
    json_t *const dry = stage_must(
        s, web_release, json_pack("{sOsssb}", "spec", spec, "output", "out.csv", "dry", 1));
    web_call call = {.snapshot = s->snapshot, .context = {.threads = 1}};
    web_candidate *c = NULL;
    pv_error error = {0};
    bound_must(web_candidate_find(&call, spec, &c, &error), &error);
    const pv_budget budget = {.rows = c->budget};
    const pv_release_options options = {.size = sizeof options,
                                        .constraints = c->demands,
                                        .n_constraints = c->n_demands,
                                        .budget = &budget,
                                        .force = true};
    const pv_status status =
        pv_release_write(c->opened.study, c->scheme, "naive.csv", &options, NULL, &error);
    const bool is_blocked = !json_is_null(member(dry, "blocked"));
    size_t i;
    json_t *column;
    json_array_foreach(member(dry, "columns"), i, column)
    {
        char quoted[64];
        (void)snprintf(quoted, sizeof quoted, "`%s` would be released unchanged",
                       text_at(column, "name"));
        const bool is_named = strstr(error.message, quoted) != NULL;
        const bool is_problem = !json_is_null(member(column, "problem"));
        if (!is_blocked && is_named != is_problem) {
            fail_msg("%s: %s, but %s", text_at(column, "name"),
                     is_problem ? text_at(column, "problem") : "no problem", error.message);
        }
        *n_problems += is_problem && !is_blocked;
    }
    if (is_blocked) {
        assert_int_equal(status, PV_STATUS_UNSATISFIED);
        assert_string_equal(text_at(member(dry, "blocked"), "message"), error.message);
    }
    *n_fine += status == PV_STATUS_OK;
    web_candidate_release(c);
    json_decref(dry);
}

static void columns_that_expose_are_known_before(void **state)
{
    size_t n_problems = 0;
    size_t n_fine = 0;
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 99);
    for (size_t i = 0; i < effort(150); i++) {
        char *const csv = random_table(&rng);
        stage s = stage_open(
            "suppression: 30%\nattributes:\n  age: {role: quasi}\n  sex: {role: quasi}\n"
            "  note: {role: other}\n  mark: {role: other}\n  illness: {role: sensitive}\n",
            csv);
        json_t *const spec = json_pack("{sss[ii]ss}", "scheme", "levels", "levels",
                                       (int)pv_i_rng_below(&rng, 2), (int)pv_i_rng_below(&rng, 2),
                                       "require", pv_i_rng_below(&rng, 2) == 0 ? "k=2" : "k=3");
        expect_problems(&s, spec, &n_problems, &n_fine);
        json_decref(spec);
        stage_close(&s);
        pv_string_free(csv);
    }
    assert_true(n_problems > 10 || !effort_is_whole());
    assert_true(n_fine > 3 || !effort_is_whole());
}

/* ------------------------------------------------------------------- the files */

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

/* The line, as somebody would type it in the folder. */
static void type_line(const char *line)
{
    pv_buffer typed = {0};
    pv_i_buffer_format(&typed, "PATH='%s':\"$PATH\" && export PATH && %s --quiet",
                       PV_COMMAND_FOLDER, line);
    if (system(typed.data) != 0) {
        fail_msg("%s", line);
    }
    pv_i_buffer_deinit(&typed);
}

static void expect_same_file(const char *path, const char *other)
{
    char *const text = scratch_text(path);
    char *const same = scratch_text(other);
    assert_string_equal(text, same);
    pv_i_free(text);
    pv_i_free(same);
}

static void expect_mode(const char *path, mode_t mode)
{
    struct stat found;
    assert_int_equal(stat(path, &found), 0);
    assert_int_equal(found.st_mode & 0777, mode);
}

/* Written by the job; put aside; written again by the line that it showed: the same bytes. */
static void expect_same_as_line(const stage *s, const json_t *spec, json_t *options)
{
    json_t *const shown =
        stage_work(s, web_release,
                   json_pack("{sOsssO}", "spec", spec, "output", "out.csv", "options", options));
    if (strcmp(text_at(shown, "state"), "done") != 0) {
        fail_msg("%s", json_dumps(shown, JSON_COMPACT));
    }
    const json_t *const document = member(shown, "result");
    assert_string_equal(text_at(document, "command"), "release");
    json_t *const dry = stage_must(
        s, web_release,
        json_pack("{sOsssOsb}", "spec", spec, "output", "out.csv", "options", options, "dry", 1));
    assert_string_equal(text_at(dry, "line"), text_at(document, "line"));
    assert_int_equal(rename("out.csv", "web.csv"), 0);
    assert_int_equal(rename("out.map", "web.map"), 0);
    scratch_remove_at(AT_FDCWD, text_at(member(document, "files"), "papers"));
    type_line(text_at(document, "line"));
    expect_same_file("out.csv", "web.csv");
    expect_same_file("out.map", "web.map");
    json_decref(dry);
    json_decref(shown);
}

/* Everything in the folder but the plan and its data. */
static void tidy_up(void)
{
    assert_int_equal(system("rm -rf out.* web.* naive.*"), 0);
}

static void releases_are_those_of_the_line(void **state)
{
    size_t tried[STAGE_KINDS] = {0};
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 1234);
    for (size_t i = 0; i < effort(12); i++) {
        random_shape shape = records_shape(&rng);
        random_study random;
        shape.copies = 2;
        random_study_init(&random, &rng, &shape);
        stage s = stage_random(&random);
        for (int kind = 0; kind < STAGE_KINDS; kind++) {
            json_t *const spec = stage_spec(&s, &random, kind, "k=2");
            naive n;
            if (spec != NULL && naive_release(&n, &s, spec)) {
                json_t *const options = json_pack("{ss}", "row-map", "out.map");
                if (i % 2 == 1) {
                    json_object_set_new(options, "shuffle", json_true());
                    json_object_set_new(options, "seed", json_integer((json_int_t)i));
                }
                expect_same_as_line(&s, spec, options);
                if (kind == STAGE_CUTS) {
                    expect_mode("out.cuts.json", 0600);
                }
                tried[kind]++;
                json_decref(options);
                naive_free(&n);
            }
            tidy_up();
            json_decref(spec);
        }
        stage_close(&s);
        random_study_deinit(&random);
    }
    assert_true((tried[STAGE_LEVELS] > 0 && tried[STAGE_CUTS] > 0 && tried[STAGE_LOCAL] > 0) ||
                !effort_is_whole());
}

#define CUTS                                                                                     \
    "\"spec\": {\"scheme\": \"cuts\", \"cuts\": {\"age\": {\"breaks\": [30]}, \"sex\": \"*\"}, " \
    "\"require\": "

/* A file in the way is not replaced, and given back where it was and nothing is released. */
static void files_of_cuts(void **state)
{
    (void)state;
    stage s = stage_open(plan, people);
    json_t *shown =
        stage_work(&s, web_release, params_of("{" CUTS "\"k=5\"}, \"output\": \"a.csv\"}"));
    assert_string_equal(text_at(shown, "state"), "failed"); /* 2 and 4 */
    assert_string_equal(text_at(member(shown, "error"), "status"), "unsatisfied");
    assert_false(is_there("a.cuts.json"));
    assert_false(is_there("a.csv"));
    json_decref(shown);
    FILE *const file = fopen("a.cuts.json", "w");
    assert_true(file != NULL && fputs("mine", file) >= 0 && fclose(file) == 0);
    shown = stage_work(&s, web_release, params_of("{" CUTS "\"k=2\"}, \"output\": \"a.csv\"}"));
    assert_string_equal(text_at(member(shown, "error"), "status"), "exists");
    assert_false(is_there("a.csv"));
    json_decref(shown);
    shown = stage_work(
        &s, web_release,
        params_of("{" CUTS "\"k=5\"}, \"output\": \"a.csv\", \"options\": {\"force\": true}}"));
    assert_string_equal(text_at(shown, "state"), "failed");
    json_decref(shown);
    char *const text = scratch_text("a.cuts.json");
    assert_string_equal(text, "mine");
    pv_i_free(text);
    shown = stage_work(
        &s, web_release,
        params_of("{" CUTS "\"k=2\"}, \"output\": \"a.csv\", \"options\": {\"force\": true}}"));
    assert_string_equal(text_at(shown, "state"), "done");
    assert_true(is_there("a.csv"));
    json_decref(shown);
    stage_close(&s);
}

static void nothing_is_written_elsewhere(void **state)
{
    static const char *const places[] = {"../a.csv", "/tmp/a.csv", "none/a.csv"};
    (void)state;
    stage s = stage_open(plan, people);
    const size_t files = scratch_folder_files(&s.folder);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        json_t *const params = params_of("{" LEVELS "}");
        json_object_set_new(params, "output", json_string(places[i]));
        json_t *const shown = stage_work(&s, web_release, params);
        assert_string_equal(text_at(member(shown, "error"), "status"), "argument");
        assert_int_equal(scratch_folder_files(&s.folder), files);
        json_decref(shown);
    }
    stage_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dry_run_says_what_would_be_written),
        cmocka_unit_test(who_would_be_alone_blocks_a_release),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(columns_that_expose_are_known_before),
        cmocka_unit_test(releases_are_those_of_the_line),
        cmocka_unit_test(files_of_cuts),
        cmocka_unit_test(nothing_is_written_elsewhere),
    };
    return cmocka_run_group_tests_name("releases from the page", tests, NULL, NULL);
}
