/* `tree`: hierarchies leaf by leaf, and what is wrong with them. */
#include "call.h"
#include "server/endpoints.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char people[] = "name,age,town,pay,note\n"
                             "Ann,23,Rome,10.5,a\n"
                             "Bob,27,Rome,9,b\n"
                             "Cem,NA,Ostia,31,c\n"
                             "Dan,61,Vatican,31,d\n"
                             "Eve,23,Rome,9,e\n";
static const char plan[] =
    "attributes:\n"
    "  name: {role: identifier}\n"
    "  age: {role: quasi, hierarchy: {intervals: [10, 50]}}\n"
    "  town: {role: quasi, hierarchy: {rows: [[Rome, Italy], [Ostia, Italy], [Vatican]]}}\n"
    "  pay: {role: sensitive, require: {l-distinct: 2}}\n";

static json_t *ask(const char *attribute, const char *hierarchy)
{
    json_t *const params = json_object();
    (void)json_object_set_new(params, "attribute", json_string(attribute));
    if (hierarchy != NULL) {
        json_t *const given = json_loads(hierarchy, JSON_DECODE_ANY, NULL);
        assert_non_null(given);
        (void)json_object_set_new(params, "hierarchy", given);
    }
    return params;
}

static const json_t *get(const json_t *object, const char *key)
{
    return json_object_get(object, key);
}

static void trees_of_the_plan(void **state)
{
    (void)state;
    for (int open = 0; open < 2; open++) {
        web_sample sample;
        web_sample_create(&sample, people, plan, open);
        json_t *tree = web_sample_run(&sample, web_tree, ask("town", NULL));
        assert_true(json_is_null(get(tree, "error")));
        assert_string_equal(web_text(tree, "kind"), "rows");
        assert_int_equal(web_count(tree, "height"), 2);
        ASSERT_JSON(get(tree, "levels"), "[{'level':1,'groups':2},{'level':2,'groups':1}]");
        ASSERT_JSON(get(tree, "leaves"), "[{'value':'Rome','rows':3,'path':['Italy','*']},"
                                         "{'value':'Ostia','rows':1,'path':['Italy','*']},"
                                         "{'value':'Vatican','rows':1,'path':['*','*']}]");
        ASSERT_JSON(get(tree, "rows"), "[['Rome','Italy'],['Ostia','Italy'],['Vatican']]");
        ASSERT_JSON(get(tree, "spec"), "{'rows':[['Rome','Italy'],['Ostia','Italy'],['Vatican']]}");
        assert_int_equal(json_array_size(get(tree, "bins")), 0);
        json_decref(tree);
        tree = web_sample_run(&sample, web_tree, ask("age", NULL));
        assert_int_equal(web_count(tree, "height"), 3);
        assert_int_equal(web_count(tree, "missing"), 1);
        assert_true(json_is_true(get(tree, "numeric")));
        ASSERT_JSON(get(tree, "spec"), "{'intervals':[10,50]}");
        assert_int_equal(json_array_size(get(tree, "bins")), 20);
        assert_int_equal(json_array_size(get(tree, "rows")), 3);
        assert_int_equal(json_array_size(get(tree, "leaves")), 4);
        json_decref(tree);
        web_sample_free(&sample);
    }
}

/* The tree written out as rows is the same tree. */
static void rows_can_be_given_back(void **state)
{
    static const struct {
        const char *attribute, *hierarchy;
    } cases[] = {
        {"age", "{\"intervals\": [10, 50]}"},
        {"age", "{\"breaks\": [25, 40]}"},
        {"age", "{\"breaks\": [25, 40], \"missing\": \"last\"}"},
        {"age", "{\"order\": [2]}"},
        {"age", "{\"suppress\": true}"},
        {"town", "{\"mask\": \"right\"}"},
        {"town", "{\"mask\": \"left\"}"},
        {"town", "{\"rare\": 2}"},
        {"town", "{\"rare\": \"30%\", \"label\": \"few\"}"},
        {"town", "{\"order\": [2], \"values\": [\"Vatican\", \"Rome\", \"Ostia\"]}"},
        {"town", "{\"rows\": [[\"Rome\", \"Italy\", \"EU\"], [\"Ostia\", \"Italy\", \"EU\"], "
                 "[\"Vatican\", \"EU\", \"EU\"]]}"},
        {"pay", "{\"intervals\": [2.5, 5, 10]}"},
    };
    web_sample sample;
    (void)state;
    web_sample_create(&sample, people, plan, true);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *const tree =
            web_sample_run(&sample, web_tree, ask(cases[i].attribute, cases[i].hierarchy));
        if (!json_is_null(get(tree, "error"))) {
            fail_msg("case %zu: %s", i, web_text(get(tree, "error"), "message"));
        }
        json_t *const params = ask(cases[i].attribute, NULL);
        json_t *const given = json_object();
        (void)json_object_set(given, "rows", json_object_get(tree, "rows"));
        if (!json_is_null(get(tree, "missing_group"))) {
            (void)json_object_set(given, "missing", json_object_get(tree, "missing_group"));
        }
        (void)json_object_set_new(params, "hierarchy", given);
        json_t *const again = web_sample_run(&sample, web_tree, params);
        if (!json_is_null(get(again, "error"))) {
            char *const rows = web_json(get(tree, "rows"));
            fail_msg("case %zu: %s in %s", i, web_text(get(again, "error"), "message"), rows);
        }
        assert_int_equal(web_count(again, "height"), web_count(tree, "height"));
        const json_t *const before = get(tree, "leaves"), *const after = get(again, "leaves");
        for (size_t a = 0; a < json_array_size(before); a++) {
            bool found = false;
            for (size_t b = 0; b < json_array_size(after); b++) {
                found = found || json_equal(json_array_get(before, a), json_array_get(after, b));
            }
            if (!found) {
                fail_msg("case %zu: %s against %s", i, web_json(before), web_json(after));
            }
        }
        json_decref(tree);
        json_decref(again);
    }
    web_sample_free(&sample);
}

/* What is wrong is said, and the values are there. */
static void wrong_hierarchies(void **state)
{
    static const struct {
        const char *attribute, *hierarchy, *message;
    } cases[] = {
        {"age", "{\"intervals\": [10, 15]}", "multiple"},
        {"age", "{\"intervall\": [10]}", "unknown key"},
        {"town", "{\"intervals\": [10]}", "number"},
        {"town", "{\"rows\": [[\"Rome\", \"Italy\"]]}", "value"},
        {"town", "{\"rows\": [[\"Rome\", \"a\", \"x\"], [\"Ostia\", \"a\", \"y\"], [\"Vatican\"]]}",
         ""},
        {"town", "{}", "empty"},
        {"town", "[1]", "list"},
        {"town", "\"nowhere.csv\"", ""},
    };
    (void)state;
    for (int open = 0; open < 2; open++) {
        web_sample sample;
        web_sample_create(&sample, people, plan, open);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            json_t *const tree =
                web_sample_run(&sample, web_tree, ask(cases[i].attribute, cases[i].hierarchy));
            const char *const message = web_text(get(tree, "error"), "message");
            assert_non_null(message);
            if (strstr(message, cases[i].message) == NULL || strstr(message, "Ostia") != NULL) {
                fail_msg("case %zu: %s", i, message);
            }
            assert_int_equal(web_count(tree, "height"), 0);
            assert_true(json_is_null(get(tree, "rows")));
            assert_int_equal(json_array_size(get(tree, "leaves")),
                             cases[i].attribute[0] == 'a' ? 4 : 3);
            ASSERT_JSON(get(json_array_get(get(tree, "leaves"), 0), "path"), "[]");
            json_decref(tree);
        }
        web_sample_free(&sample);
    }
}

/* The column's own hierarchy is what makes the plan unreadable. */
static void wrong_in_the_plan(void **state)
{
    static const char text[] = "attributes:\n"
                               "  town: {role: quasi, hierarchy: {mask: top}}\n"
                               "  age: {role: quasi}\n";
    web_sample sample;
    pv_error error;
    (void)state;
    web_sample_create(&sample, people, text, false);
    json_t *tree = web_sample_run(&sample, web_tree, ask("town", NULL));
    assert_non_null(strstr(web_text(get(tree, "error"), "message"), "mask"));
    assert_true(json_is_null(get(tree, "spec")));
    json_decref(tree);
    tree = web_sample_run(&sample, web_tree, ask("town", "{\"mask\": \"right\"}"));
    assert_true(json_is_null(get(tree, "error")));
    assert_int_equal(web_count(tree, "height"), 7);
    json_decref(tree);
    assert_int_equal(web_sample_fail(&sample, web_tree, ask("age", NULL), &error), PV_STATUS_INPUT);
    web_sample_free(&sample);
}

static void other_columns(void **state)
{
    web_sample sample;
    pv_error error;
    (void)state;
    for (int open = 0; open < 2; open++) {
        web_sample_create(&sample, people, plan, open);
        json_t *const tree = web_sample_run(&sample, web_tree, ask("pay", NULL));
        assert_string_equal(web_text(tree, "kind"), "suppress");
        assert_int_equal(web_count(tree, "height"), 1);
        json_decref(tree);
        assert_int_equal(web_sample_fail(&sample, web_tree, ask("name", NULL), &error),
                         PV_STATUS_ARGUMENT);
        assert_int_equal(
            web_sample_fail(&sample, web_tree, ask("name", "{\"mask\": \"right\"}"), &error),
            PV_STATUS_ARGUMENT);
        /* All of its values differ, and the plan does not say what it is. */
        assert_int_equal(web_sample_fail(&sample, web_tree, ask("note", NULL), &error),
                         PV_STATUS_ARGUMENT);
        assert_int_equal(web_sample_fail(&sample, web_tree, ask("none", NULL), &error),
                         PV_STATUS_ARGUMENT);
        assert_int_equal(web_sample_fail(&sample, web_tree, NULL, &error), PV_STATUS_ARGUMENT);
        assert_int_equal(web_sample_fail(&sample, web_tree, ask("town", "\"../town.csv\""), &error),
                         PV_STATUS_ARGUMENT);
        assert_int_equal(
            web_sample_fail(&sample, web_tree, ask("town", "{\"file\": \"/etc/passwd\"}"), &error),
            PV_STATUS_ARGUMENT);
        web_sample_free(&sample);
    }
}

static void open_questions(void **state)
{
    static const char text[] = "attributes: {town: {role: \"?\"}, note: {role: \"?\"}}\n";
    web_sample sample;
    pv_error error;
    (void)state;
    web_sample_create(&sample, people, text, false);
    json_t *const tree = web_sample_run(&sample, web_tree, ask("age", "{\"intervals\": [10]}"));
    assert_true(json_is_null(get(tree, "error")));
    json_decref(tree);
    assert_int_equal(
        web_sample_fail(&sample, web_tree, ask("note", "{\"mask\": \"left\"}"), &error),
        PV_STATUS_ARGUMENT);
    web_sample_free(&sample);
}

static void files(void **state)
{
    web_sample sample;
    FILE *const file = fopen("test_web_town.csv", "w");
    (void)state;
    assert_non_null(file);
    assert_true(fputs("Rome;Italy\nOstia;Italy\nVatican;Holy See\n", file) >= 0);
    assert_int_equal(fclose(file), 0);
    web_sample_create(&sample, people, plan, true);
    json_t *const tree = web_sample_run(&sample, web_tree, ask("town", "\"test_web_town.csv\""));
    assert_true(json_is_null(get(tree, "error")));
    assert_int_equal(web_count(tree, "height"), 2);
    json_decref(tree);
    web_sample_free(&sample);
    assert_int_equal(unlink("test_web_town.csv"), 0);
}

static void many_leaves(void **state)
{
    const size_t size = 100000;
    char *const csv = calloc(1, size);
    web_sample sample;
    (void)state;
    assert_non_null(csv);
    size_t used = (size_t)snprintf(csv, size, "v,w\n");
    for (int i = 0; i < 2500; i++) {
        used += (size_t)snprintf(csv + used, size - used, "%d,a\n%d,b\n", i, i);
    }
    web_sample_create(&sample, csv, "attributes: {v: {role: quasi}}\n", false);
    json_t *const tree = web_sample_run(&sample, web_tree, ask("v", "{\"intervals\": [100]}"));
    assert_int_equal(json_array_size(get(tree, "leaves")), 2000);
    assert_int_equal(web_count(tree, "more"), 500);
    assert_true(json_is_null(get(tree, "rows")));
    json_decref(tree);
    web_sample_free(&sample);
    free(csv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_of_the_plan),
        cmocka_unit_test(rows_can_be_given_back),
        cmocka_unit_test(wrong_hierarchies),
        cmocka_unit_test(wrong_in_the_plan),
        cmocka_unit_test(other_columns),
        cmocka_unit_test(open_questions),
        cmocka_unit_test(files),
        cmocka_unit_test(many_leaves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
