/* Cuts in terms of the data: from bits to a file and back, and as hierarchies with their labels. */
#include "support/samples.h"

#include "plan/plan.h"
#include "scheme/scheme.h"
#include <paravent/scheme.h>

/* -------------------------------------------------------------- round trips */

static void expect_bits(const cut_sample *s, const pv_cuts *cuts)
{
    uint8_t *const again = malloc(s->n_bits + 1);
    pv_error error = {0};
    assert_non_null(again);
    bound_must(pv_i_cuts_to_bits(&s->space, s->bound.study, cuts, again, &error), &error);
    assert_memory_equal(again, s->bits, s->n_bits);
    free(again);
}

static pv_cuts *parse(const char *text)
{
    pv_cuts *cuts = NULL;
    pv_error error = {0};
    bound_must(pv_cuts_parse("c.json", text, strlen(text), &cuts, &error), &error);
    return cuts;
}

/* Written, read and written again: the same text. What was read. */
static pv_cuts *through_a_file(const pv_cuts *cuts)
{
    char *text = NULL, *again = NULL;
    pv_error error = {0};
    bound_must(pv_cuts_text(cuts, &text, &error), &error);
    pv_cuts *const read = parse(text);
    bound_must(pv_cuts_text(read, &again, &error), &error);
    assert_string_equal(text, again);
    pv_string_free(text);
    pv_string_free(again);
    return read;
}

static void bits_survive_the_file(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 1);
    for (int trial = 0; trial < 200; trial++) {
        cut_sample s = cut_sample_create(&rng, 1 + (size_t)pv_i_rng_below(&rng, 60));
        pv_cuts *const cuts = cut_sample_cuts(&s);
        expect_bits(&s, cuts);
        pv_cuts *const read = through_a_file(cuts);
        expect_bits(&s, read);
        pv_cuts_free(cuts);
        pv_cuts_free(read);
        cut_sample_free(&s);
    }
}

/* However a number is spelled, it is written in one way. */
static void numbers_survive_the_file(void **state)
{
    static const char *const spelled[] = {
        "7", "7.0", "-0.50", "100000001068928660.0", "9007199254740993.25", "0.000000000000000001"};
    (void)state;
    for (size_t i = 0; i < sizeof spelled / sizeof *spelled; i++) {
        pv_buffer given = {0};
        pv_i_buffer_format(&given, "{\"cuts\": {\"x\": {\"breaks\": [%s]}}}", spelled[i]);
        pv_cuts *const cuts = parse(given.data);
        pv_cuts_free(through_a_file(cuts));
        pv_cuts_free(cuts);
        pv_i_buffer_deinit(&given);
    }
}

/* ------------------------------------------------------------------- labels */

/* The labels of all rows of the first attribute, joined by blanks. */
static void expect_labels(const char *plan, const char *csv, const char *cuts_text,
                          const char *expected)
{
    bound_study s = cut_sample_bind(plan, csv);
    pv_cuts *const cuts = parse(cuts_text);
    bound_study cut = {0};
    pv_scheme scheme;
    pv_error error = {0};
    pv_buffer labels = {0};
    bound_must(pv_plan_with_cuts(s.study, cuts, &cut.plan, &error), &error);
    bound_must(pv_study_rebind(s.study, cut.plan, &cut.study, &error), &error);
    bound_must(pv_i_scheme_init(&scheme, cut.study, &error), &error);
    bound_must(pv_i_scheme_take_plan(&scheme, cut.study, &error), &error);
    const pv_table *const table = pv_study_table(cut.study);
    for (uint64_t row = 0; row < pv_table_rows(table); row++) {
        const uint32_t code = pv_table_code(table, pv_study_quasi_column(cut.study, 0), row);
        pv_i_buffer_format(&labels, "%s%s", row > 0 ? " " : "",
                           pv_scheme_label(&scheme, cut.study, 0, code));
    }
    assert_string_equal(labels.data, expected);
    pv_i_buffer_deinit(&labels);
    pv_i_scheme_deinit(&scheme);
    pv_cuts_free(cuts);
    bound_study_free(&cut);
    bound_study_free(&s);
}

#define NUMBERS "attributes:\n  x: {role: quasi}\n"
#define TREE                                                                                  \
    "attributes:\n  x: {role: quasi, hierarchy: {rows: [[a, A, AB], [b, A, AB], [c, C, AB], " \
    "[d, D], [e, D]]}}\n"

static void numbers_have_open_ends(void **state)
{
    (void)state;
    expect_labels(NUMBERS, "x;y\n17;\n25;\n39;\n40;\n90;\n", "{cuts: {x: {breaks: [25, 40, 60]}}}",
                  "<25 25-39 25-39 40-59 >=60");
    expect_labels(NUMBERS, "x;y\n1;\n2.5;\n3;\n7;\n", "{cuts: {x: {breaks: [2.5, 4, 6]}}}",
                  "<2.5 [2.5,4) [2.5,4) >=6");
    expect_labels(NUMBERS, "x;y\n-7;\n-2;\n5;\n6;\n", "{cuts: {x: {breaks: [-5, 5, 6]}}}",
                  "<-5 [-5,5) 5 >=6");
    expect_labels(NUMBERS, "x;y\n1;\n2;\nNA;\n", "{cuts: {x: {breaks: [2]}}}", "<2 >=2 NA");
    expect_labels(NUMBERS, "x;y\n1;\n2;\nNA;\n", "{cuts: {x: {breaks: [2], missing: last}}}",
                  "<2 >=2 or missing >=2 or missing");
    expect_labels(NUMBERS, "x;y\n1;\n2;\nNA;\n", "{cuts: {x: {breaks: []}}}",
                  "any number any number NA");
    expect_labels(NUMBERS, "x;y\n1;\n2;\n", "{cuts: {x: '*'}}", "* *");
    expect_labels(NUMBERS, "x;y\n1;\n2;\n", "{cuts: {x: raw}}", "1 2");
}

static void categories_are_called_by_their_tree(void **state)
{
    (void)state;
    const char *const csv = "x;y\na;\nb;\nc;\nd;\ne;\n";
    expect_labels(TREE, csv, "{cuts: {x: {groups: [[b, a], [c], [d, e]]}}}", "A A c D D");
    expect_labels(TREE, csv, "{cuts: {x: {groups: [[a, b, c], [d], [e]]}}}", "AB AB AB d e");
    expect_labels(TREE, csv, "{cuts: {x: {groups: [[a], [c, b], [d, e]]}}}", "a {b, c} {b, c} D D");
    /* whoever else is expected belongs to the group, too */
    expect_labels(TREE, csv, "{cuts: {x: {groups: [[a, b, z, c], [d, e]]}}}",
                  "{a, b, c, z} {a, b, c, z} {a, b, c, z} D D");
    expect_labels(TREE, "x;y\na;\nNA;\nb;\nc;\nd;\ne;\n",
                  "{cuts: {x: {groups: [[a, b, c], [e, d, null]]}}}",
                  "AB {d, e, missing} AB AB {d, e, missing} {d, e, missing}");
    expect_labels(TREE, "x;y\na;\nNA;\nb;\nc;\nd;\ne;\n",
                  "{cuts: {x: {groups: [[a, b, c], [d, e], [null]]}}}", "AB NA AB AB D D");
    expect_labels(TREE, "x;y\na;\nNA;\nb;\nc;\nd;\ne;\n",
                  "{cuts: {x: {groups: [[a, b, c], [d, e, 'NA']]}}}",
                  "AB {d, e, missing} AB AB {d, e, missing} {d, e, missing}");
}

#define LONG "0123456789012345678901234567890123456789"

static void labels_stay_short_and_distinct(void **state)
{
    (void)state;
    const char *const plain = "attributes:\n  x: {role: quasi}\n";
    expect_labels(plain, "x;y\na" LONG ";\nb" LONG ";\nc" LONG ";\n",
                  "{cuts: {x: {groups: [[a" LONG ", b" LONG ", c" LONG "]]}}}",
                  "{a" LONG ", ... 2 more} {a" LONG ", ... 2 more} {a" LONG ", ... 2 more}");
    /* a value that looks like the label of another group keeps its name */
    expect_labels(plain, "x;y\na;\nb;\n{a, b};\n{a, b} (2);\n",
                  "{cuts: {x: {groups: [[a, b], ['{a, b}'], ['{a, b} (2)']]}}}",
                  "{a, b} (3) {a, b} (3) {a, b} {a, b} (2)");
    expect_labels("attributes:\n  x: {role: quasi, hierarchy: {rows: [[a, c], [b, c], [c]]}}\n",
                  "x;y\na;\nb;\nc;\n", "{cuts: {x: {groups: [[a, b], [c]]}}}", "{a, b} {a, b} c");
}

/* --------------------------------------------------------------- measuring */

static void granules_are_counted(void **state)
{
    (void)state;
    bound_study s = cut_sample_bind("attributes:\n  x: {role: quasi, granularity: 5}\n",
                                    "x;y\n1;\n2;\n7;\n12;\n13;\n14;\nNA;\n");
    pv_cuts *const cuts = parse("{cuts: {x: {breaks: [10]}}}");
    bound_study cut = {0};
    pv_error error = {0};
    bound_must(pv_plan_with_cuts(s.study, cuts, &cut.plan, &error), &error);
    bound_must(pv_study_rebind(s.study, cut.plan, &cut.study, &error), &error);
    const pv_hierarchy *const h = pv_study_hierarchy(cut.study, 0);
    assert_int_equal(pv_hierarchy_domain(h), 4);
    assert_int_equal(pv_hierarchy_group_leaves(h, 0, 0), 1);
    assert_int_equal(pv_hierarchy_group_leaves(h, 1, 0), 2);
    assert_int_equal(pv_hierarchy_group_leaves(h, 1, 1), 1);
    assert_int_equal(pv_hierarchy_group_leaves(h, 1, 2), 1);
    assert_int_equal(pv_hierarchy_group_leaves(h, 2, 0), 4);
    pv_cuts_free(cuts);
    bound_study_free(&cut);
    bound_study_free(&s);
}

/* The study that gave its table away can be freed, and nothing else. */
static void the_scheme_file_treats_new_rows_alike(void **state)
{
    (void)state;
    bound_study s =
        cut_sample_bind("attributes:\n  x: {role: quasi, granularity: 5}\n  y: {role: quasi}\n",
                        "x;y\n11;a\n17;b\n34;?\n");
    pv_cuts *const cuts =
        parse("{cuts: {x: {breaks: [15, 30]}, y: {groups: [[a, z], [b, null]]}}}");
    bound_study cut = {0}, new = {0};
    pv_scheme scheme;
    pv_error error = {0};
    char *text = NULL;
    bound_must(pv_plan_with_cuts(s.study, cuts, &cut.plan, &error), &error);
    bound_must(pv_study_rebind(s.study, cut.plan, &cut.study, &error), &error);
    bound_must(pv_i_scheme_init(&scheme, cut.study, &error), &error);
    bound_must(pv_i_scheme_take_plan(&scheme, cut.study, &error), &error);
    bound_must(pv_scheme_text(&scheme, cut.study, &(pv_scheme_record){0}, &text, &error), &error);
    new = cut_sample_bind(text, "x;y\n-5;z\n20;NA\n99;b\n");
    const char *const expected[][2] = {
        {"<15", "{a, z}"}, {"15-29", "{b, missing}"}, {">=30", "{b, missing}"}};
    for (uint64_t row = 0; row < 3; row++) {
        for (size_t q = 0; q < 2; q++) {
            assert_string_equal(pv_scheme_label(&scheme, new.study, q,
                                                pv_table_code(pv_study_table(new.study), q, row)),
                                expected[row][q]);
        }
    }
    assert_int_equal(pv_hierarchy_domain(pv_study_hierarchy(new.study, 0)), 3);
    pv_string_free(text);
    pv_i_scheme_deinit(&scheme);
    pv_cuts_free(cuts);
    bound_study_free(&new);
    bound_study_free(&cut);
    bound_study_free(&s);
}

/* ----------------------------------------------------------------- refusals */

static void files_are_refused_at_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t line, column;
    } cases[] = {
        {"", 0, 0},
        {"[]", 1, 1},
        {"{schema: 1}", 1, 1},
        {"{schema: 2, cuts: {}}", 1, 10},
        {"{cuts: {}, extra: 1}", 1, 12},
        {"{cuts: []}", 1, 8},
        {"{cuts: {x: top}}", 1, 12},
        {"{cuts: {x: [1]}}", 1, 12},
        {"{cuts: {x: {}}}", 1, 12},
        {"{cuts: {x: {breaks: 5}}}", 1, 21},
        {"{cuts: {x: {breaks: [a]}}}", 1, 22},
        {"{cuts: {x: {breaks: [1, 2,\n 2.0]}}}", 2, 2},
        {"{cuts: {x: {breaks: [2, 1]}}}", 1, 25},
        {"{cuts: {x: {breaks: [1], groups: [[a]]}}}", 1, 26},
        {"{cuts: {x: {breaks: [1], missing: first}}}", 1, 35},
        {"{cuts: {x: {groups: a}}}", 1, 21},
        {"{cuts: {x: {groups: [a]}}}", 1, 22},
        {"{cuts: {x: {groups: [[]]}}}", 1, 22},
        {"{cuts: {x: {groups: [[[a]]]}}}", 1, 23},
        {"{cuts: {x: {groups: [[a], [b, a]]}}}", 1, 31},
        {"{cuts: {x: {groups: [[null], [b, null]]}}}", 1, 34},
        {"{cuts: {x: {groups: [[a, '*']]}}}", 1, 26},
        {"{cuts: {x: raw, x: raw}}", 1, 17},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pv_cuts *cuts = NULL;
        pv_error error = {0};
        assert_int_equal(
            pv_cuts_parse("c.json", cases[i].text, strlen(cases[i].text), &cuts, &error),
            PV_STATUS_INPUT);
        assert_null(cuts);
        assert_string_equal(error.file, "c.json");
        assert_int_equal(error.line, cases[i].line);
        assert_int_equal(error.column, cases[i].column);
        assert_true(error.hint[0] != '\0');
    }
}

/* What the plan, and what the bits of the table, make of cuts: PV_STATUS_OK or a refusal. */
static void cuts_must_fit_the_table(void **state)
{
    (void)state;
    static const struct {
        const char *cuts;
        pv_status plan, bits;
    } cases[] = {
        {"{cuts: {n: '*', t: '*'}}", PV_STATUS_OK, PV_STATUS_OK},
        {"{cuts: {n: {breaks: [5, 500]}, t: raw}}", PV_STATUS_OK, PV_STATUS_OK},
        {"{cuts: {n: '*'}}", PV_STATUS_INPUT, PV_STATUS_INPUT},
        {"{cuts: {n: '*', t: '*', u: raw}}", PV_STATUS_INPUT, PV_STATUS_OK},
        {"{cuts: {n: '*', t: '*', s: raw}}", PV_STATUS_INPUT, PV_STATUS_OK},
        {"{cuts: {n: {breaks: [7]}, t: '*'}}", PV_STATUS_OK, PV_STATUS_INPUT},
        {"{cuts: {n: raw, t: '*'}}", PV_STATUS_OK, PV_STATUS_INPUT},
        {"{cuts: {n: {groups: [['1', '2'], ['7']]}, t: '*'}}", PV_STATUS_OK, PV_STATUS_INPUT},
        {"{cuts: {n: '*', t: {groups: [[a, b]]}}}", PV_STATUS_INPUT, PV_STATUS_INPUT},
        {"{cuts: {n: '*', t: {groups: [[a, c], [b]]}}}", PV_STATUS_OK, PV_STATUS_INPUT},
        {"{cuts: {n: '*', t: {breaks: [1]}}}", PV_STATUS_OK, PV_STATUS_INPUT},
    };
    bound_study s = cut_sample_bind("attributes:\n  n: {role: quasi, granularity: 5}\n"
                                    "  t: {role: quasi}\n  s: {role: sensitive}\n",
                                    "n;t;s\n1;a;1\n2;b;1\n7;c;1\n");
    pv_cut_space space;
    pv_error error = {0};
    bound_must(pv_i_cut_space_init(&space, s.study, false, &error), &error);
    assert_int_equal(space.n_bits, 3);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pv_cuts *const cuts = parse(cases[i].cuts);
        uint8_t bits[3] = {9, 9, 9};
        pv_plan *plan = NULL;
        assert_int_equal(pv_plan_with_cuts(s.study, cuts, &plan, &error), cases[i].plan);
        assert_true((plan != NULL) == (cases[i].plan == PV_STATUS_OK));
        assert_int_equal(pv_i_cuts_to_bits(&space, s.study, cuts, bits, &error), cases[i].bits);
        assert_true((bits[0] == 9) == (cases[i].bits != PV_STATUS_OK));
        pv_plan_free(plan);
        pv_cuts_free(cuts);
    }
    pv_i_cut_space_deinit(&space);
    bound_study_free(&s);
}

/* `*` among the values means all of them: it can stand alone, but in no group. */
static void a_star_shares_no_group(void **state)
{
    (void)state;
    bound_study s = cut_sample_bind("attributes:\n  x: {role: quasi}\n", "x;y\na;\nb;\n*;\n");
    pv_cut_space space;
    pv_error error = {0};
    bound_must(pv_i_cut_space_init(&space, s.study, false, &error), &error);
    pv_cuts *cuts = NULL;
    const uint8_t alone[] = {0, 1};
    const uint8_t joined[] = {1, 0};
    bound_must(pv_i_cuts_from_bits(&space, s.study, alone, &cuts, &error), &error);
    assert_int_equal(cuts->attributes[0].n_groups, 1);
    pv_cuts_free(cuts);
    cuts = NULL;
    assert_int_equal(pv_i_cuts_from_bits(&space, s.study, joined, &cuts, &error), PV_STATUS_INPUT);
    assert_null(cuts);
    pv_i_cut_space_deinit(&space);
    bound_study_free(&s);
}

static void text_must_be_utf8(void **state)
{
    (void)state;
    char name[] = "x", value[] = "\xff";
    char *values[] = {value};
    pv_cuts_group group = {.values = values, .n_values = 1};
    pv_cuts_attribute attribute = {
        .name = name, .kind = PV_CUTS_GROUPS, .groups = &group, .n_groups = 1};
    const pv_cuts cuts = {.attributes = &attribute, .n_attributes = 1};
    char *text = NULL;
    pv_error error = {0};
    assert_int_equal(pv_cuts_text(&cuts, &text, &error), PV_STATUS_INPUT);
    assert_null(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_survive_the_file),
        cmocka_unit_test(numbers_survive_the_file),
        cmocka_unit_test(numbers_have_open_ends),
        cmocka_unit_test(categories_are_called_by_their_tree),
        cmocka_unit_test(labels_stay_short_and_distinct),
        cmocka_unit_test(granules_are_counted),
        cmocka_unit_test(the_scheme_file_treats_new_rows_alike),
        cmocka_unit_test(files_are_refused_at_their_place),
        cmocka_unit_test(cuts_must_fit_the_table),
        cmocka_unit_test(a_star_shares_no_group),
        cmocka_unit_test(text_must_be_utf8),
    };
    return cmocka_run_group_tests_name("cuts", tests, NULL, NULL);
}
