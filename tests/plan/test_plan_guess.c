/* Guessed plans: they are read back, they bind, they hold no value of the data. */
#include "base/buffer.h"
#include "plan/spelling.h"
#include "plan/yaml_text.h"

#include <paravent/plan.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static pv_table *read_table(const char *text)
{
    pv_table *table = NULL;
    pv_error error;
    const pv_read_options options = {
        .header = PV_CHOICE_YES, .delimiter = ';', .quoting = PV_CHOICE_YES};
    if (pv_table_read_memory("data.csv", text, strlen(text), &options, NULL, &table, &error) !=
        PV_STATUS_OK) {
        fail_msg("%s", error.message);
    }
    return table;
}

/* Guesses, reads the plan back and binds it to the same table. */
static pv_study *round_trip(pv_table *table, pv_plan **plan, char **text)
{
    pv_study *study = NULL;
    pv_error error;
    assert_int_equal(pv_plan_guess(table, "data.csv", text, NULL), PV_STATUS_OK);
    if (pv_plan_parse("plan.yaml", *text, strlen(*text), plan, &error) != PV_STATUS_OK ||
        pv_study_bind(*plan, table, &study, &error) != PV_STATUS_OK) {
        fail_msg("%s\n%s:%u:%u: %s", *text, error.file, (unsigned)error.line,
                 (unsigned)error.column, error.message);
    }
    return study;
}

static const pv_plan_attribute *find(const pv_plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->n_attributes; i++) {
        if (strcmp(plan->attributes[i].name, name) == 0) {
            return &plan->attributes[i];
        }
    }
    fail_msg("no attribute %s", name);
    return NULL;
}

/* A table of 200 people. */
static void fill_people(pv_buffer *text)
{
    pv_i_buffer_text(text, "PatientID;firstName;age;ZIP code;birth_date;Gender;Diagnosis;income;"
                           "country name;city;height;notes;visits;code;serial no\n");
    for (unsigned i = 0; i < 200; i++) {
        pv_i_buffer_format(text, "%u;Secret%u;%u;%05u;19%02u-%02u-%02u;%s;disease%u;%u.5;c%u;",
                           100000 + i, i, 17 + i % 74, 1000 + i * 37, i % 100, i % 12 + 1,
                           i % 28 + 1, i % 2 ? "f" : "m", i % 7, 1000 + i * 3, i % 5);
        pv_i_buffer_format(text, "town%u;1.%03u;some words %u;%u;%04u;%u\n", i % 30, i * 3, i / 2,
                           i % 4, i % 50, i);
    }
}

static void guesses_sensibly(void **state)
{
    (void)state;
    pv_buffer data = {0};
    fill_people(&data);
    pv_plan *plan = NULL;
    char *text = NULL;
    pv_study *const study = round_trip(read_table(data.data), &plan, &text);
    assert_int_equal(find(plan, "PatientID")->role, PV_ROLE_IDENTIFIER);
    assert_int_equal(find(plan, "firstName")->role, PV_ROLE_IDENTIFIER);
    assert_int_equal(find(plan, "serial no")->role, PV_ROLE_IDENTIFIER);
    const pv_hierarchy_spec *const age = &find(plan, "age")->hierarchy;
    assert_int_equal(age->kind, PV_HIERARCHY_INTERVALS);
    assert_int_equal(age->n_widths, 4); /* 5, 10, 20, 40 */
    assert_int_equal(age->widths[0].mantissa, 5);
    assert_int_equal(age->widths[3].mantissa, 40);
    assert_int_equal(find(plan, "ZIP code")->hierarchy.kind, PV_HIERARCHY_MASK);
    assert_int_equal(find(plan, "birth_date")->hierarchy.kind, PV_HIERARCHY_DATE);
    assert_int_equal(find(plan, "Gender")->role, PV_ROLE_QUASI);
    assert_false(find(plan, "Gender")->has_hierarchy);
    assert_int_equal(find(plan, "Diagnosis")->role, PV_ROLE_SENSITIVE);
    assert_int_equal(find(plan, "income")->role, PV_ROLE_SENSITIVE);
    assert_int_equal(find(plan, "country name")->role, PV_ROLE_QUASI);
    assert_int_equal(find(plan, "city")->hierarchy.kind, PV_HIERARCHY_RARE);
    assert_int_equal(find(plan, "height")->role, PV_ROLE_OTHER);
    assert_int_equal(find(plan, "notes")->role, PV_ROLE_OTHER);
    assert_int_equal(find(plan, "visits")->role, PV_ROLE_QUASI);
    assert_int_equal(find(plan, "code")->hierarchy.kind, PV_HIERARCHY_MASK);
    assert_int_equal(plan->delimiter, ';');
    assert_string_equal(plan->data, "data.csv");
    assert_null(strstr(text, "Secret"));
    assert_null(strstr(text, "town"));
    assert_non_null(strstr(text, "200 rows and 15 columns"));
    assert_non_null(strstr(text, "# the name says \"age\"; integer, 74 values, none missing"));
    pv_study_free(study);
    pv_plan_free(plan);
    pv_string_free(text);
    pv_i_buffer_deinit(&data);
}

static void survives_nasty_headers(void **state)
{
    static const char *const names[] = {"a: b",
                                        "- x",
                                        "# hash",
                                        "\"\"quoted\"\"",
                                        "two\nlines",
                                        "tab\there",
                                        "back\\sl",
                                        "{brace",
                                        "[list",
                                        "&anchor",
                                        "*alias",
                                        "!tag",
                                        "'single",
                                        "| pipe",
                                        "> fold",
                                        "%percent",
                                        "@at",
                                        "`tick",
                                        "no",
                                        "null",
                                        "~",
                                        "1.5",
                                        "? question",
                                        ": colon",
                                        "trail ",
                                        " lead",
                                        "<<",
                                        "---",
                                        "...",
                                        "\xc3\xbcnic\xc3\xb6"
                                        "de",
                                        "\xe2\x80\xa8line",
                                        "\xc2\x85next",
                                        "\xef\xbb\xbf"
                                        "bom",
                                        "\xf0\x9f\x98\x80",
                                        "\x7f"
                                        "del",
                                        "\x1b[31m",
                                        ",comma",
                                        "a,b",
                                        "key:",
                                        "a #b",
                                        "",
                                        "\xff\xfe invalid",
                                        "\xed\xa0\x80 surrogate",
                                        "\xef\xbf\xbe",
                                        "not\xc3"};
    (void)state;
    const size_t n = sizeof names / sizeof *names;
    pv_buffer data = {0};
    for (size_t i = 0; i < n; i++) {
        pv_i_buffer_format(&data, "%s\"%s\"", i > 0 ? ";" : "", names[i]);
    }
    for (size_t row = 0; row < 3; row++) {
        for (size_t i = 0; i < n; i++) {
            pv_i_buffer_format(&data, "%sv%zu", i > 0 ? ";" : "\n", row);
        }
    }
    pv_i_buffer_char(&data, '\n');
    pv_plan *plan = NULL;
    char *text = NULL;
    pv_table *const table = read_table(data.data);
    pv_study *const study = round_trip(table, &plan, &text);
    size_t named = 0;
    for (size_t i = 0; i < n; i++) {
        named += pv_i_yaml_can_hold(pv_table_name(table, i));
    }
    assert_int_equal(named, n - 3); /* three are not UTF-8 */
    assert_int_equal(plan->n_attributes, named);
    for (size_t i = 0; i < plan->n_attributes; i++) {
        assert_true(pv_table_find(table, plan->attributes[i].name) != SIZE_MAX);
    }
    pv_study_free(study);
    pv_plan_free(plan);
    pv_string_free(text);
    pv_i_buffer_deinit(&data);
}

static void survives_very_long_names(void **state)
{
    (void)state;
    pv_buffer data = {0};
    for (size_t i = 0; i < 3000; i++) {
        pv_i_buffer_char(&data, 'n');
    }
    pv_i_buffer_text(&data, ";short\nx;y\nz;w\n");
    pv_plan *plan = NULL;
    char *text = NULL;
    pv_study *const study = round_trip(read_table(data.data), &plan, &text);
    assert_int_equal(plan->n_attributes, 2);
    assert_int_equal(strlen(plan->attributes[0].name), 3000);
    pv_study_free(study);
    pv_plan_free(plan);
    pv_string_free(text);
    pv_i_buffer_deinit(&data);
}

/* Tables for which a careless guess would not bind. */
static void always_binds(void **state)
{
    static const char *const tables[] = {
        "id\n1\n2\n",                         /* nothing but an identifier */
        "name;disease\na;b\n",                /* no quasi-identifier */
        "x;y\n1;\n2;\n",                      /* nothing but missing values */
        "zip\n12\n1234\n\n",                  /* codes of different length */
        "zip\n12345678901234567890123\n12\n", /* too long to mask */
        "age\n1\n2\n3\n4\n5\n6\n7\n8\n9\n",   /* a small range */
        "lat\n1e-9\n2e-9\n3e-9\n4e-9\n5e-9\n6e-9\n7e-9\n8e-9\n9e-9\n", /* a tiny one */
        "age\n-9e17\n9e17\n1\n2\n3\n4\n5\n6\n7\n",                     /* a huge one */
        ("city\nother\nother\nother\nrare\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nm\nn\no\np\n"
         "q\nr\ns\nt\n"),
        "sex\n*\n*\nf\n", /* already suppressed */
        "born\n2001-02-03\n1999-12-31\n",
        "age\nNA\n?\n12\n13\n14\n15\n16\n17\n18\n19\n20\n21\n",
        "a\n0x\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        pv_plan *plan = NULL;
        char *text = NULL;
        pv_study *const study = round_trip(read_table(tables[i]), &plan, &text);
        assert_true(pv_study_quasis(study) > 0);
        pv_study_free(study);
        pv_plan_free(plan);
        pv_string_free(text);
    }
}

static void names_the_data_as_told(void **state)
{
    static const char *const paths[] = {"-", "a: b.csv", "\"x\".csv", "dir/census.csv.gz"};
    (void)state;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        pv_table *const table = read_table("age;sex\n1;f\n");
        char *text = NULL;
        pv_plan *plan = NULL;
        assert_int_equal(pv_plan_guess(table, paths[i], &text, NULL), PV_STATUS_OK);
        assert_int_equal(pv_plan_parse("plan.yaml", text, strlen(text), &plan, NULL), PV_STATUS_OK);
        assert_string_equal(plan->data, paths[i]);
        pv_plan_free(plan);
        pv_string_free(text);
        pv_table_free(table);
    }
}

static void suggests_near_misses(void **state)
{
    static const struct {
        const char *word, *candidate;
        bool near;
    } cases[] = {
        {"supression", "suppression", true},
        {"rloe", "role", true},
        {"Role", "role", true},
        {"sex", "age", false},
        {"ag", "age", true},
        {"a", "b", false},
        {"zip", "zipcode", false},
        {"quasi", "quasi", true},
        {"marital", "martial", true},
        {"", "a", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pv_suggestion s = {.word = cases[i].word};
        pv_i_suggest(&s, "a very different word");
        pv_i_suggest(&s, cases[i].candidate);
        assert_int_equal(s.best != NULL, cases[i].near);
    }
    pv_suggestion s = {.word = "wieght"};
    pv_i_suggest(&s, "eight");
    pv_i_suggest(&s, "weight");
    pv_i_suggest(&s, "height");
    assert_string_equal(s.best, "weight");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(guesses_sensibly),         cmocka_unit_test(survives_nasty_headers),
        cmocka_unit_test(survives_very_long_names), cmocka_unit_test(always_binds),
        cmocka_unit_test(names_the_data_as_told),   cmocka_unit_test(suggests_near_misses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
