/* Candidates and files side by side, against what is counted in the released files. */
#include "web/stage.h"

#include <math.h>

static json_t *release_of(const json_t *found, const char *name)
{
    size_t i;
    json_t *release;
    json_array_foreach(member(found, "releases"), i, release)
    {
        if (strcmp(text_at(release, "name"), name) == 0) {
            return release;
        }
    }
    fail_msg("no release is called %s", name);
    return NULL;
}

/* ---------------------------------------------------------------- distributions */

/* Suppressed people are a class of their own. */
static size_t size_of(const naive *n, size_t row)
{
    return n->suppressed[row] ? n->n_suppressed : n->size[row];
}

static void expect_class_sizes(const naive *n, const json_t *steps)
{
    json_int_t people = 0;
    double last = 0;
    for (size_t i = 0; i < json_array_size(steps); i++) {
        const json_t *const step = json_array_get(steps, i);
        const double value = json_number_value(json_array_get(step, 0));
        const json_int_t found = json_integer_value(json_array_get(step, 1));
        json_int_t expected = 0;
        for (size_t row = 0; row < n->n_rows; row++) {
            expected += fabs((double)size_of(n, row) - value) < 0.5;
        }
        assert_true(value > last);
        assert_int_equal(found, expected);
        last = value;
        people += found;
    }
    assert_int_equal(people, n->n_rows);
}

/* The mean of everyone is that of the steps, whatever the property. */
static void expect_means(const json_t *found)
{
    size_t i;
    json_t *property;
    json_array_foreach(member(found, "properties"), i, property)
    {
        const json_t *const releases =
            member(member(found, "distributions"), text_at(property, "name"));
        for (size_t r = 0; r < json_array_size(releases); r++) {
            const json_t *const steps = json_array_get(releases, r);
            double sum = 0;
            double people = 0;
            assert_true(json_array_size(steps) <= 200);
            for (size_t s = 0; s < json_array_size(steps); s++) {
                const json_t *const step = json_array_get(steps, s);
                sum += json_number_value(json_array_get(step, 0)) *
                       json_number_value(json_array_get(step, 1));
                people += json_number_value(json_array_get(step, 1));
            }
            expect_near(people, number_at(found, "compared"));
            expect_near(sum / people,
                        number_at(json_array_get(member(property, "releases"), r), "mean"));
        }
    }
}

/* -------------------------------------------------------------- random tables */

static void candidates_meet(void **state)
{
    size_t tried = 0;
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 33);
    for (size_t i = 0; i < effort(60); i++) {
        random_shape shape = records_shape(&rng);
        random_study random;
        shape.copies = 2;
        random_study_init(&random, &rng, &shape);
        stage s = stage_random(&random);
        json_t *const specs = json_array();
        json_t *const names = json_array();
        naive released[STAGE_KINDS];
        size_t n = 0;
        for (int kind = 0; kind < STAGE_KINDS; kind++) {
            json_t *const spec = stage_spec(&s, &random, kind, "k=2");
            if (spec != NULL && naive_release(&released[n], &s, spec)) {
                json_array_append(specs, spec);
                json_array_append_new(names, json_string("same"));
                n++;
            }
            json_decref(spec);
        }
        if (n >= 2) {
            static const char *const called[] = {"same", "same (2)", "same (3)"};
            json_t *const found = stage_must(
                &s, web_contest, json_pack("{sOsOss}", "specs", specs, "names", names, "by", "q0"));
            const json_t *const sizes = member(member(found, "distributions"), "class-size");
            for (size_t r = 0; r < n; r++) {
                const json_t *const release = release_of(found, called[r]);
                assert_int_equal(count_at(release, "suppressed"), released[r].n_suppressed);
                expect_class_sizes(&released[r], json_array_get(sizes, r));
            }
            expect_means(found);
            assert_true(json_array_size(member(found, "groups")) > 0);
            assert_true(strlen(text_at(found, "text")) > 10);
            assert_string_equal(text_at(found, "text"), text_at(member(found, "advice"), "text"));
            assert_string_equal(text_at(found, "command"), "compare");
            json_decref(found);
            tried++;
        }
        for (size_t r = 0; r < n; r++) {
            naive_free(&released[r]);
        }
        json_decref(specs);
        json_decref(names);
        stage_close(&s);
        random_study_deinit(&random);
    }
    assert_true(tried > 3 || !effort_is_whole());
}

/* A candidate and its own file treat everyone alike, by every property; as a file among the files
 * or among the specs. */
static void candidates_meet_their_files(void **state)
{
    size_t tried[STAGE_KINDS] = {0};
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 34);
    for (size_t i = 0; i < effort(60); i++) {
        random_shape shape = records_shape(&rng);
        random_study random;
        shape.copies = 2;
        random_study_init(&random, &rng, &shape);
        stage s = stage_random(&random);
        for (int kind = 0; kind < STAGE_KINDS; kind++) {
            json_t *const spec = stage_spec(&s, &random, kind, "k=2");
            naive n;
            if (spec != NULL && naive_release(&n, &s, spec)) {
                json_t *const params =
                    i % 2 == 0 ? json_pack("{s[O]s[{ssss}]}", "specs", spec, "files", "path",
                                           "naive.csv", "row_map", "naive.map")
                               : json_pack("{s[{ssssss}O]}", "specs", "scheme", "file", "path",
                                           "naive.csv", "row_map", "naive.map", spec);
                json_t *const found = stage_must(&s, web_contest, params);
                size_t d;
                json_t *dominance;
                json_array_foreach(member(found, "dominance"), d, dominance)
                {
                    assert_string_equal(text_at(dominance, "dominates"), "equal");
                }
                assert_int_equal(count_at(release_of(found, "naive.csv"), "suppressed"),
                                 n.n_suppressed);
                assert_string_equal(json_string_value(json_array_get(
                                        member(member(found, "joined"), "row_maps"), 0)),
                                    "naive.map");
                expect_means(found);
                json_decref(found);
                tried[kind]++;
                naive_free(&n);
            }
            json_decref(spec);
        }
        stage_close(&s);
        random_study_deinit(&random);
    }
    assert_true((tried[STAGE_LEVELS] > 3 && tried[STAGE_CUTS] > 3 && tried[STAGE_LOCAL] > 3) ||
                !effort_is_whole());
}

/* ----------------------------------------------------------------------- cases */

static void put(const char *path, const char *text)
{
    FILE *const file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static const char plan[] = "attributes:\n  name: {role: identifier}\n  age: {role: quasi}\n"
                           "  ill: {role: sensitive, unique: accepted}\n";
static const char people[] = "name,age,ill\nzann,21,flu\nzbea,21,cold\nzcyd,22,flu\nzdan,22,gout\n";

/* A file of another tool, matched by an identifier that our releases do not have. */
static void a_key_may_be_an_identifier(void **state)
{
    (void)state;
    stage s = stage_open(plan, people);
    put("other.csv", "name,age,ill\nzdan,*,gout\nzcyd,*,flu\nzbea,*,cold\nzann,*,flu\n");
    json_t *const found =
        stage_must(&s, web_contest,
                   json_pack("{s[{sss[i]}]s[{ssss}]ss}", "specs", "scheme", "levels", "levels", 0,
                             "files", "path", "other.csv", "key", "name", "by", "ill"));
    char *const text = json_dumps(found, JSON_COMPACT);
    assert_int_equal(count_at(found, "compared"), 4);
    assert_string_equal(text_at(member(found, "joined"), "key"), "name");
    assert_null(strstr(text, "zann"));
    assert_null(strstr(text, "zdan"));
    free(text);
    json_decref(found);
    stage_close(&s);
}

static json_t *two(const char *more)
{
    json_t *const params = json_loads(more, 0, NULL);
    assert_non_null(params);
    if (json_object_get(params, "specs") == NULL) {
        json_object_set_new(params, "specs",
                            json_pack("[{sss[i]}{sss[i]}]", "scheme", "levels", "levels", 0,
                                      "scheme", "levels", "levels", 1));
    }
    return params;
}

static void what_is_refused(void **state)
{
    (void)state;
    stage s = stage_open(plan, people);
    json_t *many = json_array();
    json_decref(stage_must(&s, web_contest, two("{}")));
    stage_refused(&s, web_contest, two("{\"by\": \"name\"}"), PV_STATUS_ARGUMENT, "identifies");
    stage_refused(&s, web_contest, two("{\"by\": \"none\"}"), PV_STATUS_ARGUMENT, "no column");
    stage_refused(&s, web_contest, two("{\"specs\": []}"), PV_STATUS_ARGUMENT, "two releases");
    stage_refused(&s, web_contest, two("{\"specs\": [1, 2]}"), PV_STATUS_ARGUMENT, "list of specs");
    stage_refused(&s, web_contest, two("{\"files\": [{}]}"), PV_STATUS_ARGUMENT, "`path`");
    put("a.csv", people);
    stage_refused(&s, web_contest,
                  two("{\"files\": [{\"path\": \"a.csv\", \"key\": \"name\"}, {\"path\": "
                      "\"a.csv\", \"key\": \"age\"}]}"),
                  PV_STATUS_ARGUMENT, "one key");
    stage_refused(&s, web_contest, two("{\"files\": [{\"path\": \"../a.csv\"}]}"),
                  PV_STATUS_ARGUMENT, "");
    for (int i = 0; i < 27; i++) {
        json_array_append_new(many, json_pack("{sss[i]}", "scheme", "levels", "levels", i % 2));
    }
    stage_refused(&s, web_contest, json_pack("{so}", "specs", many), PV_STATUS_LIMIT, "26");
    stage_close(&s);
}

/* More different values than a picture needs. */
static void many_values_are_few_steps(void **state)
{
    (void)state;
    pv_buffer csv = {0};
    pv_i_buffer_text(&csv, "age\n");
    for (int value = 1; value <= 260; value++) {
        for (int i = 0; i < value; i++) {
            pv_i_buffer_format(&csv, "%d\n", value);
        }
    }
    stage s = stage_open("attributes:\n  age: {role: quasi}\n", csv.data);
    json_t *const found = stage_must(&s, web_contest, two("{}"));
    const json_t *const steps =
        json_array_get(member(member(found, "distributions"), "class-size"), 0);
    assert_true(json_array_size(steps) > 100 && json_array_size(steps) <= 200);
    json_int_t sum = 0;
    for (size_t i = 0; i < json_array_size(steps); i++) {
        const json_int_t value = json_integer_value(json_array_get(json_array_get(steps, i), 0));
        sum += json_integer_value(json_array_get(json_array_get(steps, i), 1));
        assert_int_equal(sum, value * (value + 1) / 2); /* people in classes of at most that size */
    }
    json_decref(found);
    stage_close(&s);
    pv_i_buffer_deinit(&csv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(candidates_meet),
        cmocka_unit_test(candidates_meet_their_files),
        cmocka_unit_test(a_key_may_be_an_identifier),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(many_values_are_few_steps),
    };
    return cmocka_run_group_tests_name("contests", tests, NULL, NULL);
}
