/* `columns`: what is said of every column, counted by hand. */
#include "call.h"
#include "server/endpoints.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char people[] = "name,age,pay,born,town,note,card\n"
                             "Ann,23,1000.5,2001-02-03,Rome,a,x1\n"
                             "Bob,27,900,2001-03-03,Rome,\"b, c\",x2\n"
                             "Cem,NA,3100.25,2002-03-07,Ostia,a,x3\n"
                             "Dan,61,,1999-12-31,Rome,a,x4\n";
static const char plan[] = "attributes:\n"
                           "  name: {role: identifier}\n"
                           "  age: {role: quasi, hierarchy: {intervals: [10, 50]}}\n"
                           "  pay: {role: sensitive}\n"
                           "  born: {role: quasi, hierarchy: {date: [month, year]}}\n"
                           "  town: {role: quasi}\n";

static const json_t *column(const json_t *result, const char *name)
{
    size_t i;
    json_t *entry;
    json_array_foreach(json_object_get(result, "columns"), i, entry)
    {
        if (strcmp(web_text(entry, "name"), name) == 0) {
            return entry;
        }
    }
    fail_msg("no %s", name);
    return NULL;
}

static void counts(const json_t *entry, json_int_t values, json_int_t missing, json_int_t unique)
{
    assert_int_equal(web_count(entry, "values"), values);
    assert_int_equal(web_count(entry, "missing"), missing);
    assert_int_equal(web_count(entry, "unique"), unique);
}

static void columns_of_a_study(void **state)
{
    web_sample sample;
    (void)state;
    web_sample_create(&sample, people, plan, true);
    json_t *const result = web_sample_run(&sample, web_columns, NULL);
    assert_int_equal(web_count(result, "rows"), 4);
    assert_int_equal(json_array_size(json_object_get(result, "columns")), 7);
    const json_t *const age = column(result, "age");
    counts(age, 3, 1, 3);
    assert_string_equal(web_text(age, "type"), "integer");
    assert_string_equal(web_text(age, "role"), "quasi");
    assert_string_equal(web_text(age, "hierarchy"), "intervals");
    assert_int_equal(web_count(age, "height"), 3);
    const json_t *const bins = json_object_get(age, "bins");
    assert_int_equal(json_array_size(bins), 20); /* 22-23, 24-25, ..., 60-61 */
    ASSERT_JSON(json_array_get(bins, 0), "{'label':'22-23','from':22,'to':23,'rows':1}");
    ASSERT_JSON(json_array_get(bins, 2), "{'label':'26-27','from':26,'to':27,'rows':1}");
    const json_t *const alone = json_object_get(age, "alone");
    assert_int_equal(web_count(alone, "unique"), 4);
    assert_int_equal(web_count(alone, "rare"), 4);
    const json_t *const town = column(result, "town");
    counts(town, 2, 0, 1);
    ASSERT_JSON(json_object_get(town, "bins"),
                "[{'label':'Rome','rows':3},{'label':'Ostia','rows':1}]");
    assert_string_equal(web_text(town, "hierarchy"), "suppress");
    const json_t *const pay = column(result, "pay");
    assert_true(json_is_null(json_object_get(pay, "alone")));
    assert_true(json_is_null(json_object_get(pay, "hierarchy")));
    ASSERT_JSON(json_array_get(json_object_get(pay, "bins"), 0),
                "{'label':'900 to 1000','from':900,'to':1000,'rows':1}");
    const json_t *const note = column(result, "note");
    assert_true(json_is_false(json_object_get(note, "named")));
    assert_true(json_is_null(json_object_get(note, "role")));
    /* What was shown before the exposure was there. */
    assert_true(json_is_null(json_object_get(column(sample.partial, "age"), "alone")));
    json_decref(result);
    web_sample_free(&sample);
}

/* Of identifiers, and of what may be one, nothing is said that is a value. */
static void nothing_of_identifiers(void **state)
{
    web_sample sample;
    (void)state;
    web_sample_create(&sample, people, plan, false);
    json_t *const result = web_sample_run(&sample, web_columns, NULL);
    static const char *const hidden[] = {"name", "card"};
    for (size_t i = 0; i < 2; i++) {
        const json_t *const entry = column(result, hidden[i]);
        assert_true(json_is_true(json_object_get(entry, "hidden")));
        assert_int_equal(json_array_size(json_object_get(entry, "bins")), 0);
        counts(entry, 4, 0, 4);
    }
    char *const text = json_dumps(result, 0);
    assert_null(strstr(text, "Bob"));
    assert_null(strstr(text, "x3"));
    assert_null(sample.partial);
    free(text);
    json_decref(result);
    web_sample_free(&sample);
}

static void open_questions(void **state)
{
    static const char text[] = "attributes:\n"
                               "  name: {role: \"?\"}\n"
                               "  town: {role: \"?\"}\n"
                               "  pay: {role: sensitive, decimal: \"?\"}\n";
    web_sample sample;
    (void)state;
    web_sample_create(&sample, people, text, false);
    json_t *const result = web_sample_run(&sample, web_columns, NULL);
    assert_true(json_is_true(json_object_get(column(result, "name"), "hidden")));
    assert_string_equal(web_text(column(result, "name"), "role"), "?");
    assert_true(json_is_false(json_object_get(column(result, "town"), "hidden")));
    assert_true(json_is_true(json_object_get(column(result, "town"), "open")));
    assert_true(json_is_true(json_object_get(column(result, "pay"), "open")));
    assert_true(json_is_false(json_object_get(column(result, "age"), "open")));
    json_decref(result);
    web_sample_free(&sample);
}

/* A plan that cannot be read, or names no data, is an error; a type that does not fit is none. */
static void mistakes(void **state)
{
    web_sample sample;
    pv_error error;
    (void)state;
    web_sample_create(&sample, people, "attributes: {age: {role: wrong}}\n", false);
    assert_int_equal(web_sample_fail(&sample, web_columns, NULL, &error), PV_STATUS_INPUT);
    web_sample_free(&sample);
    web_sample_create(&sample, people, "attributes: {town: {role: quasi, type: date}}\n", false);
    json_t *const result = web_sample_run(&sample, web_columns, NULL);
    assert_string_equal(web_text(column(result, "town"), "type"), "text");
    json_decref(result);
    web_sample_free(&sample);
}

/* -------------------------------------------------------------------- bins */

static char *bins_of(const char *csv)
{
    web_sample sample;
    web_sample_create(&sample, csv, "attributes: {v: {role: quasi}}\n", false);
    json_t *const result = web_sample_run(&sample, web_columns, NULL);
    char *const text = web_json(json_object_get(column(result, "v"), "bins"));
    json_decref(result);
    web_sample_free(&sample);
    return text;
}

static void bins_are_round(void **state)
{
    static const struct {
        const char *csv, *bins;
    } cases[] = {
        {"v,w\n7,a\n7,b\n", "[{'label':'7','from':7,'to':7,'rows':2}]"},
        {"v,w\n1,a\n2,b\n", "[{'label':'1','from':1,'to':1,'rows':1},"
                            "{'label':'2','from':2,'to':2,'rows':1}]"},
        {"v,w\n-1,a\n0,b\n", "[{'label':'-1','from':-1,'to':-1,'rows':1},"
                             "{'label':'0','from':0,'to':0,'rows':1}]"},
        {"v,w\n,a\n?,b\n", "[]"},
        {"v,w\n2001-02-03,a\n2001-02-04,b\nNA,c\n",
         "[{'label':'2001-02-03','from':'2001-02-03','to':'2001-02-03','rows':1},"
         "{'label':'2001-02-04','from':'2001-02-04','to':'2001-02-04','rows':1}]"},
        {"v,w\n2000-02-03,a\n2000-03-31,b\n2000-03-01,c\n2000-02-29,c\n2000-01-01,d\n", NULL},
        {"v,w\n0.5,a\n0.5,a\n", "[{'label':'0 to 1','from':0,'to':1,'rows':2}]"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *const bins = bins_of(cases[i].csv);
        if (cases[i].bins != NULL) {
            assert_string_equal(bins, cases[i].bins);
        }
        free(bins);
    }
}

/* All rows are in a bin, ranges touch, and there are at most 24; on random numbers of any size. */
static void bins_cover_all(void **state)
{
    static const double scales[] = {1e-6, 0.01, 0.1, 1, 37, 1e4, 1e9};
    (void)state;
    for (size_t s = 0; s < sizeof scales / sizeof *scales; s++) {
        for (unsigned seed = 1; seed < 20; seed++) {
            char csv[8192] = "v,w\n";
            unsigned x = seed * 7919;
            for (int i = 0; i < 100; i++) {
                x = x * 1103515245 + 12345;
                const double number = ((double)(x >> 8 & 0xffff) - 3e4) * scales[s];
                (void)snprintf(csv + strlen(csv), sizeof csv - strlen(csv), "%.*f,a\n",
                               scales[s] < 1 ? 8 : 0, number);
            }
            web_sample sample;
            web_sample_create(&sample, csv, "attributes: {v: {role: quasi}}\n", false);
            json_t *const result = web_sample_run(&sample, web_columns, NULL);
            const json_t *const bins = json_object_get(column(result, "v"), "bins");
            const size_t n = json_array_size(bins);
            json_int_t rows = 0;
            assert_true(n >= 9 && n <= 24);
            for (size_t i = 0; i < n; i++) {
                rows += web_count(json_array_get(bins, i), "rows");
            }
            assert_int_equal(rows, 100);
            assert_true(web_count(json_array_get(bins, 0), "rows") > 0);
            assert_true(web_count(json_array_get(bins, n - 1), "rows") > 0);
            json_decref(result);
            web_sample_free(&sample);
        }
    }
}

static void dates_of_long_times(void **state)
{
    static const struct {
        const char *first, *last, *label, *from, *to;
        size_t n;
    } cases[] = {
        {"2024-01-01", "2024-03-31", "2024-01-01 to 2024-01-07", "2024-01-01", "2024-01-07", 13},
        {"2023-02-28", "2024-02-29", "2023-02", "2023-02-01", "2023-02-28", 13},
        {"2019-05-01", "2024-02-29", "2019-04-01 to 2019-06-30", "2019-04-01", "2019-06-30", 20},
        {"1960-05-01", "1980-02-29", "1960", "1960-01-01", "1960-12-31", 21},
        {"1919-05-01", "2024-02-29", "1915-1919", "1915-01-01", "1919-12-31", 22},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char csv[256];
        (void)snprintf(csv, sizeof csv, "v,w\n%s,a\n%s,b\n", cases[i].first, cases[i].last);
        web_sample sample;
        web_sample_create(&sample, csv, "attributes: {v: {role: quasi}}\n", false);
        json_t *const result = web_sample_run(&sample, web_columns, NULL);
        const json_t *const bins = json_object_get(column(result, "v"), "bins");
        const json_t *const first = json_array_get(bins, 0);
        assert_string_equal(web_text(first, "label"), cases[i].label);
        assert_string_equal(web_text(first, "from"), cases[i].from);
        assert_string_equal(web_text(first, "to"), cases[i].to);
        assert_int_equal(json_array_size(bins), cases[i].n);
        assert_int_equal(web_count(json_array_get(bins, cases[i].n - 1), "rows"), 1);
        json_decref(result);
        web_sample_free(&sample);
    }
}

/* 40 values are shown; the first are those of most rows. */
static void many_values(void **state)
{
    char csv[8192] = "v,w\n";
    web_sample sample;
    (void)state;
    for (int i = 0; i < 50; i++) {
        for (int k = 0; k <= i / 10; k++) {
            (void)snprintf(csv + strlen(csv), sizeof csv - strlen(csv), "t%02d,a\n", i);
        }
    }
    web_sample_create(&sample, csv, "attributes: {v: {role: quasi}}\n", false);
    json_t *const result = web_sample_run(&sample, web_columns, NULL);
    const json_t *const v = column(result, "v");
    const json_t *const bins = json_object_get(v, "bins");
    assert_int_equal(json_array_size(bins), 40);
    assert_int_equal(web_count(v, "others"), 10);
    ASSERT_JSON(json_array_get(bins, 0), "{'label':'t40','rows':5}");
    ASSERT_JSON(json_array_get(bins, 39), "{'label':'t19','rows':2}");
    json_decref(result);
    web_sample_free(&sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_of_a_study),  cmocka_unit_test(nothing_of_identifiers),
        cmocka_unit_test(open_questions),      cmocka_unit_test(mistakes),
        cmocka_unit_test(bins_are_round),      cmocka_unit_test(bins_cover_all),
        cmocka_unit_test(dates_of_long_times), cmocka_unit_test(many_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
