/* Every allocation of reading a plan, binding it and guessing one may fail. */
#include "support/failing_alloc.h"

#include "plan/plan.h"

#include <stdio.h>
#include <string.h>

static const char plan_text[] =
    "data: test_plan_alloc.csv\n"
    "suppression: 1%\n"
    "missing: [NA, '?']\n"
    "delimiter: ','\n"
    "require: {k: 5, l-distinct: 3}\n"
    "promises: {k: 6}\n"
    "compare:\n"
    "  fair: {kind: wtd, terms: [{property: glm, index: cov, weight: 1}]}\n"
    "  first: {kind: lex, terms: [{property: glm, index: min}]}\n"
    "attributes:\n"
    "  name: {role: identifier}\n"
    "  zip: {role: quasi, hierarchy: {mask: right}, weight: 3, granularity: 2, sensitivity: 2}\n"
    "  age: {role: quasi, hierarchy: {intervals: [5, 10], origin: 1}, type: integer}\n"
    "  born: {role: quasi, unknown: '*', hierarchy: {date: [month, year]}}\n"
    "  sex: {role: quasi, hierarchy: {rows: [[f, x], [m, x]]}, sensitivity: {f: 2, m: 1}}\n"
    "  grade: {role: quasi, hierarchy: {order: [2], values: [a, b, c]}, "
    "sensitivity: test_plan_alloc_weights.csv}\n"
    "  town: {role: quasi, hierarchy: {rare: 2, label: few}}\n"
    "  disease: {role: sensitive, distance: hierarchical, hierarchy: test_plan_alloc_tree.csv,\n"
    "            require: {l-distinct: 2, t-closeness: 0.5}}\n"
    "  income: {role: label}\n";

static const char people[] = "name,age,zip,sex,born,grade,town,disease,income,note\n"
                             "Ann,23,12345,f,2001-02-03,a,x,flu,1200.5,a\n"
                             "Bob,27,12346,m,2001-03-03,b,x,flu,900,b\n"
                             "Cem,NA,12399,m,soon,c,y,cold,3100,c\n";

static pv_status parse(void *ctx, pv_error *error)
{
    (void)ctx;
    pv_plan *plan = NULL;
    const pv_status status = pv_plan_parse("plan.yaml", plan_text, strlen(plan_text), &plan, error);
    assert_int_equal(plan != NULL, status == PV_STATUS_OK);
    pv_plan_free(plan);
    return status;
}

static pv_status read_file(void *ctx, pv_error *error)
{
    pv_plan *plan = NULL;
    const pv_status status = pv_plan_read(ctx, &plan, error);
    pv_plan_free(plan);
    return status;
}

/* Reading a table survives some failures (giving memory back), so a study may open all the same.
 */
static void open_failing(const pv_plan *plan, bool stays)
{
    const pv_context one_thread = {.threads = 1};
    const pv_study_options options = {.all_columns = true};
    bool failed = true;
    for (int64_t n = 0; failed; n++) {
        pv_study *study = NULL;
        pv_error error = {0};
        failing_alloc_arm(n, stays);
        const pv_status status = pv_study_open(plan, &options, &one_thread, &study, &error);
        failed = failing_alloc_disarm();
        assert_true(status == PV_STATUS_OK || (failed && status == PV_STATUS_NO_MEMORY));
        assert_int_equal(study != NULL, status == PV_STATUS_OK);
        pv_study_free(study);
    }
}

/* The study takes the table only when it succeeds. */
static void bind_failing(const pv_plan *plan, bool stays)
{
    bool failed = true;
    for (int64_t n = 0; failed; n++) {
        pv_table *table = NULL;
        pv_study *study = NULL;
        pv_error error = {0};
        assert_int_equal(
            pv_table_read_memory("people.csv", people, strlen(people), NULL, NULL, &table, NULL),
            PV_STATUS_OK);
        failing_alloc_arm(n, stays);
        const pv_status status = pv_study_bind(plan, table, &study, &error);
        failed = failing_alloc_disarm();
        assert_int_equal(status, failed ? PV_STATUS_NO_MEMORY : PV_STATUS_OK);
        assert_int_equal(error.status, status);
        if (failed) {
            pv_table_free(table);
        }
        pv_study_free(study);
    }
}

static pv_status guess(void *ctx, pv_error *error)
{
    char *text = NULL;
    const pv_status status = pv_plan_guess(ctx, "people.csv", &text, error);
    assert_int_equal(text != NULL, status == PV_STATUS_OK);
    pv_string_free(text);
    return status;
}

static void write_file(const char *path, const char *text)
{
    FILE *const file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void parsing(void **state)
{
    (void)state;
    assert_true(failing_alloc_every(parse, NULL) > 50);
}

static void reading(void **state)
{
    char path[] = "test_plan_alloc.yaml";
    (void)state;
    write_file(path, plan_text);
    (void)failing_alloc_every(read_file, path);
    assert_int_equal(remove(path), 0);
}

static void studying(void **state)
{
    (void)state;
    pv_plan *plan = NULL;
    assert_int_equal(pv_plan_parse("plan.yaml", plan_text, strlen(plan_text), &plan, NULL),
                     PV_STATUS_OK);
    for (int stays = 0; stays < 2; stays++) {
        open_failing(plan, stays);
        bind_failing(plan, stays);
    }
    pv_plan_free(plan);
}

static pv_status copy(void *ctx, pv_error *error)
{
    pv_plan *made = NULL;
    const pv_status status = pv_i_plan_copy(ctx, &made, error);
    assert_int_equal(made != NULL, status == PV_STATUS_OK);
    if (made != NULL) {
        const pv_plan_sensitivity *const sensitivity = &made->attributes[5].sensitivity;
        assert_non_null(strstr(sensitivity->file, "test_plan_alloc_weights.csv"));
        assert_int_equal(sensitivity->n_values, 2);
        assert_string_equal(sensitivity->values[1].value, "b");
        assert_int_equal(sensitivity->values[1].sensitivity.mantissa, 25);
        assert_int_equal(sensitivity->values[1].line, 2);
    }
    pv_plan_free(made);
    return status;
}

static void copying(void **state)
{
    (void)state;
    pv_plan *plan = NULL;
    assert_int_equal(pv_plan_parse("plan.yaml", plan_text, strlen(plan_text), &plan, NULL),
                     PV_STATUS_OK);
    assert_true(failing_alloc_every(copy, plan) > 50);
    pv_plan_free(plan);
}

typedef struct {
    const char *text;
    const char *path[4];
    size_t n;
    const char *value;
} one_edit;

static pv_status edit(void *ctx, pv_error *error)
{
    const one_edit *const c = ctx;
    char *edited = NULL;
    const pv_status status =
        pv_plan_edit(c->text, strlen(c->text), c->path, c->n, c->value, &edited, error);
    assert_int_equal(edited != NULL, status == PV_STATUS_OK);
    pv_string_free(edited);
    return status;
}

static void editing(void **state)
{
    one_edit edits[] = {
        {plan_text, {"attributes", "age", "role"}, 3, "other"},
        {plan_text, {"attributes", "new", "hierarchy", "rows"}, 4, "[[a, b], [c, d]]"},
        {plan_text, {"attributes"}, 1, NULL},
        {"", {"attributes", "age", "role"}, 3, "\"?\""},
        {"{}", {"a"}, 1, NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        (void)failing_alloc_every(edit, &edits[i]);
    }
}

static void guessing(void **state)
{
    (void)state;
    pv_table *table = NULL;
    assert_int_equal(
        pv_table_read_memory("people.csv", people, strlen(people), NULL, NULL, &table, NULL),
        PV_STATUS_OK);
    (void)failing_alloc_every(guess, table);
    pv_table_free(table);
}

static void guessing_beside_a_hierarchy(void **state)
{
    (void)state;
    pv_table *table = NULL;
    write_file("test_plan_alloc_hierarchy_group_kind.csv", "flu;lungs\ncold;lungs\ngout;feet\n");
    write_file("test_plan_alloc_age.csv", "group kind,x\nflu,1\ncold,2\nflu,3\ngout,4\n");
    assert_int_equal(pv_table_read("test_plan_alloc_age.csv", NULL, NULL, &table, NULL),
                     PV_STATUS_OK);
    (void)failing_alloc_every(guess, table);
    pv_table_free(table);
    assert_int_equal(remove("test_plan_alloc_hierarchy_group_kind.csv"), 0);
    assert_int_equal(remove("test_plan_alloc_age.csv"), 0);
}

static int write_inputs(void **state)
{
    (void)state;
    write_file("test_plan_alloc.csv", people);
    write_file("test_plan_alloc_tree.csv", "flu;lungs;*\ncold;lungs;*\ngout;feet;*\n");
    write_file("test_plan_alloc_weights.csv", "a;1\nb;2.5\n");
    return 0;
}

static int remove_inputs(void **state)
{
    (void)state;
    return remove("test_plan_alloc.csv") | remove("test_plan_alloc_tree.csv") |
           remove("test_plan_alloc_weights.csv");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parsing),
        cmocka_unit_test(reading),
        cmocka_unit_test(studying),
        cmocka_unit_test(copying),
        cmocka_unit_test(editing),
        cmocka_unit_test(guessing),
        cmocka_unit_test(guessing_beside_a_hierarchy),
    };
    return cmocka_run_group_tests(tests, write_inputs, remove_inputs);
}
