/* A plan applied to its table. */
#include <paravent/plan.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define DATA "test_study.csv"

static const char people[] = "name,age,zip,sex,disease,income,note\n"
                             "Ann,23,12345,f,flu,1200.5,a\n"
                             "Bob,27,12346,m,flu,900,b\n"
                             "Cem,41,12399,m,cold,3100,c\n"
                             "Dea,NA,12399,f,gout,10,d\n";

static const char plan_text[] = "data: " DATA "\n"
                                "suppression: 50%\n"
                                "attributes:\n"
                                "  name: {role: identifier}\n"
                                "  zip: {role: quasi, hierarchy: {mask: right}, weight: 3}\n"
                                "  age: {role: quasi, hierarchy: {intervals: [5, 10]}}\n"
                                "  disease: {role: sensitive}\n"
                                "  income: {role: sensitive}\n"
                                "  sex: {role: label}\n";

static void write_file(const char *path, const char *text)
{
    FILE *const file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static pv_plan *parse(const char *text)
{
    pv_plan *plan = NULL;
    pv_error error;
    if (pv_plan_parse("plan.yaml", text, strlen(text), &plan, &error) != PV_STATUS_OK) {
        fail_msg("%s", error.message);
    }
    return plan;
}

static pv_study *open_study(const pv_plan *plan, const pv_study_options *options)
{
    pv_study *study = NULL;
    pv_error error;
    if (pv_study_open(plan, options, NULL, &study, &error) != PV_STATUS_OK) {
        fail_msg("%s:%u: %s", error.file, (unsigned)error.line, error.message);
    }
    return study;
}

static pv_table *read_table(const char *text)
{
    pv_table *table = NULL;
    const pv_read_options options = {.header = PV_CHOICE_YES, .delimiter = ','};
    assert_int_equal(
        pv_table_read_memory("people.csv", text, strlen(text), &options, NULL, &table, NULL),
        PV_STATUS_OK);
    return table;
}

static void sees_the_table_through_the_plan(void **state)
{
    (void)state;
    write_file(DATA, people);
    pv_plan *const plan = parse(plan_text);
    pv_study *const study = open_study(plan, NULL);
    const pv_table *const table = pv_study_table(study);
    assert_ptr_equal(pv_study_plan(study), plan);
    assert_int_equal(pv_table_rows(table), 4);
    assert_int_equal(pv_study_budget(study), 2);
    assert_int_equal(pv_study_quasis(study), 2);
    assert_string_equal(pv_study_quasi_name(study, 0), "zip"); /* the order of the plan */
    assert_string_equal(pv_study_quasi_name(study, 1), "age");
    assert_int_equal(pv_study_quasi_column(study, 1), pv_table_find(table, "age"));
    assert_int_equal(pv_hierarchy_height(pv_study_hierarchy(study, 0)), 5);
    assert_int_equal(pv_hierarchy_height(pv_study_hierarchy(study, 1)), 3);
    assert_true(pv_study_weight(study, 0) == 0.75);
    assert_true(pv_study_weight(study, 1) == 0.25);
    assert_int_equal(pv_study_sensitives(study), 2);
    assert_int_equal(pv_study_sensitive_column(study, 0), pv_table_find(table, "disease"));
    assert_int_equal(pv_study_distance(study, 0), PV_DISTANCE_EQUAL);
    assert_int_equal(pv_study_distance(study, 1), PV_DISTANCE_ORDERED);
    assert_null(pv_study_sensitive_hierarchy(study, 0));
    assert_int_equal(pv_study_label_column(study), pv_table_find(table, "sex"));
    pv_study_free(study);
    pv_plan_free(plan);
    pv_study_free(NULL);
}

static void keeps_only_the_columns_needed(void **state)
{
    static const struct {
        pv_study_options options;
        bool has_name, has_note;
    } cases[] = {
        {{0}, false, false},
        {{.all_columns = true}, false, false},
        {{.identifiers = true}, true, false},
        {{.all_columns = true, .identifiers = true}, true, false},
        {{.unnamed = true}, false, true},
    };
    (void)state;
    write_file(DATA, people);
    pv_plan *const plan = parse(plan_text);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pv_study *const study = open_study(plan, &cases[i].options);
        const pv_table *const table = pv_study_table(study);
        assert_int_equal(pv_table_find(table, "name") != SIZE_MAX, cases[i].has_name);
        assert_int_equal(pv_table_find(table, "note") != SIZE_MAX, cases[i].has_note);
        assert_true(pv_table_find(table, "disease") != SIZE_MAX);
        assert_int_equal(pv_study_unnamed(study), 1);
        assert_string_equal(pv_study_unnamed_name(study, 0), "note");
        pv_study_free(study);
    }
    pv_plan_free(plan);
}

static void keeps_columns_it_does_not_name_only_if_told(void **state)
{
    (void)state;
    write_file(DATA, people);
    char text[sizeof plan_text + 32];
    (void)snprintf(text, sizeof text, "others: keep\n%s", plan_text);
    pv_plan *const plan = parse(text);
    pv_study *study = open_study(plan, &(pv_study_options){.all_columns = true});
    assert_true(pv_table_find(pv_study_table(study), "note") != SIZE_MAX);
    assert_int_equal(pv_study_unnamed(study), 0);
    pv_study_free(study);
    study = open_study(plan, NULL);
    assert_true(pv_table_find(pv_study_table(study), "note") == SIZE_MAX);
    pv_study_free(study);
    pv_plan_free(plan);
}

static void passes_the_reading_options_on(void **state)
{
    (void)state;
    write_file("test_study_odd.csv", "x^none\n'a^1\nbad\n");
    pv_plan *const plan = parse("data: nowhere.csv\ndelimiter: '^'\nheader: no\nquotes: no\n"
                                "missing: none\nattributes: {column2: {role: quasi}}\n");
    const pv_study_options options = {.data = "test_study_odd.csv", .skip_bad_rows = true};
    pv_study *const study = open_study(plan, &options);
    const pv_table *const table = pv_study_table(study);
    assert_int_equal(pv_table_rows(table), 2);
    assert_int_equal(pv_table_skipped(table), 1);
    assert_int_equal(pv_table_missing(table, 0), 0);
    pv_study_free(study);
    pv_plan_free(plan);
    assert_int_equal(remove("test_study_odd.csv"), 0);
}

static void reads_standard_input(void **state)
{
    (void)state;
    write_file(DATA, people);
    pv_plan *const plan = parse(plan_text);
    assert_non_null(freopen(DATA, "r", stdin));
    const pv_study_options options = {.data = "-"};
    pv_study *const study = open_study(plan, &options);
    assert_int_equal(pv_table_rows(pv_study_table(study)), 4);
    pv_study_free(study);
    pv_plan_free(plan);
}

static void builds_sensitive_hierarchies_and_sets_types(void **state)
{
    (void)state;
    pv_plan *const plan =
        parse("attributes:\n  zip: {role: quasi, type: text}\n"
              "  age: {role: sensitive, type: text, distance: ordered}\n"
              "  disease: {role: sensitive, distance: hierarchical,\n"
              "            hierarchy: {rows: [[flu, lungs], [cold, lungs], [gout, feet]]}}\n");
    pv_study *study = NULL;
    pv_table *const table = read_table(people);
    assert_int_equal(pv_study_bind(plan, table, &study, NULL), PV_STATUS_OK);
    assert_int_equal(pv_table_type(table, pv_table_find(table, "zip")), PV_TYPE_TEXT);
    assert_int_equal(pv_study_distance(study, 0), PV_DISTANCE_ORDERED);
    assert_int_equal(pv_study_distance(study, 1), PV_DISTANCE_HIERARCHICAL);
    assert_int_equal(pv_hierarchy_height(pv_study_sensitive_hierarchy(study, 1)), 2);
    assert_int_equal(pv_study_label_column(study), SIZE_MAX);
    pv_study_free(study);
    pv_plan_free(plan);
}

static void accepts_columns_of_one_value(void **state)
{
    (void)state;
    pv_plan *const plan = parse("suppression: 100%\nattributes: {a: {role: quasi}}\n");
    pv_study *study = NULL;
    assert_int_equal(pv_study_bind(plan, read_table("a,b\n1,2\n1,3\n"), &study, NULL),
                     PV_STATUS_OK);
    assert_int_equal(pv_hierarchy_leaves(pv_study_hierarchy(study, 0)), 1);
    assert_int_equal(pv_study_budget(study), 1);
    assert_true(pv_study_weight(study, 0) == 1);
    pv_study_free(study);
    pv_plan_free(plan);
}

/* ------------------------------------------------------------ what is wrong */

typedef struct {
    const char *plan;
    const char *file; /* where the mistake is reported */
    unsigned line, column;
    const char *message, *hint;
} mistake;

static const mistake mistakes[] = {
    {"data: x\n", "plan.yaml", 0, 0, "no quasi-identifier", "role: quasi"},
    {"data: x\nattributes: {age: {role: quasi}, sex: {role: '?'}}\n", "plan.yaml", 2, 34,
     "1 open question", "identifier"},
    {"data: x\nattributes: {age: {role: sensitive}}\n", "plan.yaml", 0, 0, "no quasi-identifier",
     "role: quasi"},
    {"attributes: {age: {role: quasi}}\n", "plan.yaml", 0, 0, "names no data", "data: FILE"},
    {"data: nowhere.csv\nattributes: {age: {role: quasi}}\n", "nowhere.csv", 0, 0, "cannot open",
     ""},
    {"data: " DATA "\nattributes:\n  age: {role: quasi}\n  nmae: {role: identifier}\n", "plan.yaml",
     4, 3, "no column `nmae`", "did you mean `name`?"},
    {"data: " DATA "\nattributes:\n  Zip: {role: quasi}\n", "plan.yaml", 3, 3, "no column `Zip`",
     "did you mean `zip`?"},
    {"data: " DATA "\nattributes:\n  age: {role: quasi}\n  nte: {role: other}\n", "plan.yaml", 4, 3,
     "no column `nte`", "did you mean `note`?"},
    {"data: " DATA "\nattributes:\n  elephant: {role: quasi}\n", "plan.yaml", 3, 3,
     "no column `elephant`", "header"},
    {"data: " DATA "\nattributes:\n  age: {role: quasi, weight: 0}\n", "plan.yaml", 0, 0,
     "weights of all", "above 0"},
    {"data: " DATA "\nattributes:\n  disease: {role: quasi, type: integer}\n", DATA, 2, 0,
     "disease", ""},
    {"data: " DATA "\nattributes:\n  sex: {role: quasi, hierarchy: {rows: [[f, x]]}}\n", DATA, 3, 0,
     "`sex`", ""},
    {"data: " DATA "\nattributes:\n  sex: {role: quasi, hierarchy: {intervals: [5]}}\n", DATA, 2, 0,
     "`sex`", ""},
    {"data: " DATA "\nattributes:\n  sex: {role: quasi}\n  disease: {role: quasi, "
     "hierarchy: {rare: 1, label: flu}}\n",
     "plan.yaml", 4, 3, "hierarchy of `disease`", "label"},
};

static void finds_every_mistake(void **state)
{
    (void)state;
    write_file(DATA, people);
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        const mistake *const m = &mistakes[i];
        pv_plan *const plan = parse(m->plan);
        pv_study *study = NULL;
        pv_error error = {0};
        const pv_status status = pv_study_open(plan, NULL, NULL, &study, &error);
        if (status != PV_STATUS_INPUT || error.status != PV_STATUS_INPUT || study != NULL ||
            strcmp(error.file, m->file) != 0 || error.line != m->line ||
            error.column != m->column || strstr(error.message, m->message) == NULL ||
            strstr(error.hint, m->hint) == NULL) {
            fail_msg("%s\n  gave status %d, %s:%u:%u: %s (%s)", m->plan, (int)status, error.file,
                     (unsigned)error.line, (unsigned)error.column, error.message, error.hint);
        }
        assert_null(strstr(error.message, "Ann")); /* never a value of the data */
        assert_int_equal(pv_study_open(plan, NULL, NULL, &study, NULL), status);
        pv_plan_free(plan);
    }
}

static void leaves_the_table_to_the_caller_on_failure(void **state)
{
    (void)state;
    pv_table *const table = read_table(people);
    pv_plan *const wrong = parse("attributes: {agee: {role: quasi}}\n");
    pv_plan *const unfit = parse("attributes: {sex: {role: quasi, hierarchy: {date: [year]}}}\n");
    pv_study *study = NULL;
    pv_error error;
    assert_int_equal(pv_study_bind(wrong, table, &study, &error), PV_STATUS_INPUT);
    assert_string_equal(error.message, "people.csv has no column `agee`");
    assert_int_equal(pv_study_bind(unfit, table, &study, &error), PV_STATUS_INPUT);
    assert_null(study);
    pv_table_free(table);
    pv_plan_free(wrong);
    pv_plan_free(unfit);
}

/* ------------------------------------------------------------------- Adult */

static bool adult_path(char *path, size_t size, const char *name)
{
    (void)snprintf(path, size, "%s/../shared/data/adult/%s", PV_SOURCE_DIR, name);
    return access(path, R_OK) == 0;
}

static void binds_the_adult_plans(void **state)
{
    static const struct {
        const char *plan;
        uint64_t budget;
        size_t n_quasis;
        size_t nodes;
        bool has_label;
    } cases[] = {
        {"plan.yaml", 301, 8, 17920, false},
        {"plan-label.yaml", 301, 7, 8960, true},
        {"plan-cuts.yaml", 0, 9, 0, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[1024];
        if (!adult_path(path, sizeof path, cases[i].plan)) {
            print_message("the Adult data is not here\n");
            skip();
        }
        pv_plan *plan = NULL;
        assert_int_equal(pv_plan_read(path, &plan, NULL), PV_STATUS_OK);
        pv_study *const study = open_study(plan, NULL);
        assert_int_equal(pv_table_rows(pv_study_table(study)), 30162);
        assert_int_equal(pv_study_budget(study), cases[i].budget);
        assert_int_equal(pv_study_quasis(study), cases[i].n_quasis);
        size_t nodes = 1;
        for (size_t j = 0; j < pv_study_quasis(study); j++) {
            nodes *= pv_hierarchy_height(pv_study_hierarchy(study, j)) + 1;
        }
        if (cases[i].nodes > 0) {
            assert_int_equal(nodes, cases[i].nodes);
        }
        assert_int_equal(pv_study_label_column(study) != SIZE_MAX, cases[i].has_label);
        pv_study_free(study);
        pv_plan_free(plan);
    }
}

/* Is the value `*` at every level, at the cost of everything? */
static void assert_lost(const pv_study *study, size_t quasi, uint64_t row)
{
    const pv_table *const table = pv_study_table(study);
    const size_t column = pv_study_quasi_column(study, quasi);
    const pv_hierarchy *const h = pv_study_hierarchy(study, quasi);
    const uint32_t leaf = pv_hierarchy_leaf(h, pv_table_code(table, column, row));
    for (unsigned level = 0; level <= pv_hierarchy_height(h); level++) {
        const uint32_t group = pv_hierarchy_group(h, level, leaf);
        assert_string_equal(pv_hierarchy_label(h, level, group), "*");
        assert_int_equal(pv_hierarchy_group_leaves(h, level, group), pv_hierarchy_domain(h));
    }
}

static void unknown_values_become_the_root(void **state)
{
    static const char rows[] = "job,age,day\n"
                               "nurse,31,2024-05-31\npilot,old,soon\n*,32,2024-06-01\n"
                               "judge,x,2024-06-01\npilot,NA,never\n";
    static const char text[] =
        "attributes:\n"
        "  job: {role: quasi, unknown: '*', hierarchy: {order: [2], values: [cook, nurse]}}\n"
        "  age: {role: quasi, unknown: '*', type: integer, hierarchy: {intervals: [10]}}\n"
        "  day: {role: quasi, unknown: '*', hierarchy: {date: [month]}}\n";
    pv_plan *const plan = parse(text);
    pv_study *study = NULL;
    pv_study *again = NULL;
    (void)state;
    assert_int_equal(pv_study_bind(plan, read_table(rows), &study, NULL), PV_STATUS_OK);
    for (unsigned round = 0; round < 2; round++) {
        assert_int_equal(pv_study_unknown(study, 0).values, 2);
        assert_int_equal(pv_study_unknown(study, 0).rows, 3);
        assert_int_equal(pv_study_unknown(study, 1).rows, 2);
        assert_int_equal(pv_study_unknown(study, 2).values, 2);
        assert_int_equal(pv_hierarchy_leaves(pv_study_hierarchy(study, 0)), 2);
        for (uint64_t row = 1; row < 5; row++) {
            assert_lost(study, 0, row);
        }
        assert_lost(study, 1, 1);
        assert_lost(study, 1, 3);
        assert_lost(study, 2, 4);
        assert_int_equal(pv_table_type(pv_study_table(study), 1), PV_TYPE_INTEGER);
        assert_int_equal(pv_table_type(pv_study_table(study), 2), PV_TYPE_DATE);
        const pv_hierarchy *const ages = pv_study_hierarchy(study, 1);
        assert_string_equal(pv_hierarchy_label(ages, 1, 0), "30-39");
        if (round == 0) {
            assert_int_equal(pv_study_rebind(study, plan, &again, NULL), PV_STATUS_OK);
            pv_study_free(study);
            study = again;
        }
    }
    pv_study_free(study);
    pv_plan_free(plan);
}

/* Two studies share the table: each may be freed first, and the other still reads it. */
static void rebinding_leaves_the_first_study_usable(void **state)
{
    (void)state;
    for (int round = 0; round < 2; round++) {
        pv_plan *const plans[] = {
            parse("attributes:\n  age: {role: quasi, hierarchy: {intervals: [10]}}\n"),
            parse("attributes:\n  age: {role: quasi, hierarchy: {intervals: [50]}}\n")};
        pv_study *studies[2] = {NULL};
        assert_int_equal(
            pv_study_bind(plans[0], read_table("age\n31\n38\n61\n"), &studies[0], NULL),
            PV_STATUS_OK);
        assert_int_equal(pv_study_rebind(studies[0], plans[1], &studies[1], NULL), PV_STATUS_OK);
        assert_ptr_equal(pv_study_table(studies[0]), pv_study_table(studies[1]));
        pv_study_free(studies[round]);
        const pv_study *const other = studies[1 - round];
        assert_int_equal(pv_table_rows(pv_study_table(other)), 3);
        assert_string_equal(pv_table_value(pv_study_table(other), 0, 2), "61");
        assert_string_equal(pv_hierarchy_label(pv_study_hierarchy(other, 0), 1, 0),
                            round == 1 ? "30-39" : "0-49");
        pv_study_free(studies[1 - round]);
        pv_plan_free(plans[0]);
        pv_plan_free(plans[1]);
    }
}

static int remove_data(void **state)
{
    (void)state;
    return remove(DATA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sees_the_table_through_the_plan),
        cmocka_unit_test(keeps_only_the_columns_needed),
        cmocka_unit_test(keeps_columns_it_does_not_name_only_if_told),
        cmocka_unit_test(passes_the_reading_options_on),
        cmocka_unit_test(reads_standard_input),
        cmocka_unit_test(builds_sensitive_hierarchies_and_sets_types),
        cmocka_unit_test(accepts_columns_of_one_value),
        cmocka_unit_test(finds_every_mistake),
        cmocka_unit_test(leaves_the_table_to_the_caller_on_failure),
        cmocka_unit_test(binds_the_adult_plans),
        cmocka_unit_test(unknown_values_become_the_root),
        cmocka_unit_test(rebinding_leaves_the_first_study_usable),
    };
    return cmocka_run_group_tests(tests, NULL, remove_data);
}
