/* The codebook of a release: what every kind of label stands for, and nothing about people whose
 * rows are suppressed. */
#include "release/release.h"
#include "support/study.h"

#include "scheme/scheme.h"
#include <paravent/scheme.h>
#include <stdio.h>

static const char plan[] =
    "missing: [NA]\n"
    "attributes:\n"
    "  id: {role: identifier}\n"
    "  age: {role: quasi, hierarchy: {intervals: [10]}}\n"
    "  pay: {role: quasi, hierarchy: {intervals: [10], closed: right}}\n"
    "  temp: {role: quasi, hierarchy: {breaks: [-5, 0, 20], missing: last}}\n"
    "  day: {role: quasi, hierarchy: {date: [month, quarter]}}\n"
    "  seen: {role: quasi, hierarchy: {date: [week]}}\n"
    "  zip: {role: quasi, hierarchy: {mask: right}}\n"
    "  'a|b': {role: quasi, hierarchy: {rows: [['x\"y', g], [z|z, g], [never, g], [w, h]]}}\n"
    "  rank: {role: quasi, hierarchy: {order: [2], values: [low, mid, high, top, never]}}\n"
    "  size: {role: quasi, hierarchy: {order: [2]}}\n"
    "  town: {role: quasi, hierarchy: {rare: 2}}\n"
    "  sex: {role: quasi}\n"
    "  ill: {role: sensitive}\n";

/* The last person is alone, and suppressed. */
static const char table[] = "id,age,pay,temp,day,seen,zip,a|b,rank,size,town,sex,ill\n"
                            "1,23,10.5,-7,2024-05-31,2024-01-01,1234,x\"y,low,a,Rome,m,flu\n"
                            "2,24,11,-8,2024-06-01,2024-01-02,1235,z|z,mid,b,Oslo,m,flu\n"
                            "3,25,12,-9,2024-04-01,2024-01-03,1236,z|z,mid,b,Bern,m,cold\n"
                            "4,NA,33,NA,2031-01-01,2031-01-01,9,w,top,d,Lima,f,gout\n";

static pv_status explain(pv_classes *classes, bool hash, char **csv, char **markdown)
{
    const pv_release_settings settings = {.output = "out/t.csv", .asked.hash_identifiers = hash};
    char shown[] = "t.csv";
    pv_release_job job = {.study = pv_profile_study(pv_classes_profile(classes)),
                          .settings = &settings,
                          .shown = shown,
                          .after = classes};
    pv_error error = {0};
    pv_status status = pv_i_count_labels(&job, &error);
    if (status == PV_STATUS_OK) {
        status = pv_i_codebook(&job, csv, markdown, &error);
    }
    pv_i_label_counts_free(job.label_counts, pv_study_quasis(job.study));
    pv_i_arena_deinit(&job.arena);
    return status;
}

static pv_classes *classify(const pv_profile *profile, const char *levels)
{
    const pv_suppression suppression = {.whole_budget = true, .budget = 1};
    const pv_study *const study = pv_profile_study(profile);
    pv_classes *classes = NULL;
    pv_scheme scheme;
    pv_error error = {0};
    bound_must(pv_i_scheme_init(&scheme, study, &error), &error);
    bound_must(pv_scheme_parse(&scheme, study, levels, &error), &error);
    bound_must(pv_classes_create(profile, scheme.levels, &suppression, &classes, &error), &error);
    pv_i_scheme_deinit(&scheme);
    return classes;
}

static void every_kind_of_label(void **state)
{
    static const char star[] = "*,not shown: it may be any value\n";
    bound_study s = bound_study_create(plan, table);
    pv_profile *const profile = bound_profile(s.study, 1);
    pv_classes *const classes = classify(profile, "1,1,1,2,1,2,1,1,1,1,1");
    char *csv = NULL;
    char *markdown = NULL;
    char expected[2048];
    (void)state;
    assert_int_equal(explain(classes, false, &csv, &markdown), PV_STATUS_OK);
    (void)snprintf(expected, sizeof expected,
                   "column,label,meaning\n"
                   "age,20-29,20 to 29\nage,%s"
                   "pay,\"(10,20]\",\"more than 10, at most 20\"\npay,%s"
                   "temp,<-5,less than -5\ntemp,%s"
                   "day,2024-Q2,April to June 2024\nday,%s"
                   "seen,2024-W01,\"week 1 of 2024, Monday to Sunday (ISO 8601)\"\nseen,%s"
                   "zip,12**,4 characters that begin with 12\nzip,%s"
                   "a|b,g,\"x\"\"y; z|z; never\"\na|b,%s"
                   "rank,low..mid,low; mid\nrank,%s"
                   "size,a..b,\"from a to b, in the order of the values\"\nsize,%s"
                   "town,other,values that are rare in the table\ntown,%s"
                   "sex,%s"
                   "ill,(any value),as in the original table\n",
                   star, star, star, star, star, star, star, star, star, star, star);
    assert_string_equal(csv, expected);
    assert_non_null(strstr(markdown, "# Codebook of t.csv\n"));
    assert_non_null(strstr(markdown, "\n## a\\|b\n\n| released as | stands for |\n|---|---|\n"
                                     "| g | x\"y; z\\|z; never |\n| \\* |"));
    assert_null(strstr(markdown, "Lima"));
    pv_string_free(csv);
    pv_string_free(markdown);
    pv_classes_free(classes);
    pv_profile_free(profile);
    bound_study_free(&s);
}

static void columns_left_as_they_were_name_no_values(void **state)
{
    bound_study s = bound_study_create(plan, table);
    pv_profile *const profile = bound_profile(s.study, 1);
    pv_classes *classes = NULL;
    const uint8_t raw[11] = {0};
    char *csv = NULL;
    char *markdown = NULL;
    (void)state;
    assert_int_equal(pv_classes_create(profile, raw, NULL, &classes, NULL), PV_STATUS_OK);
    assert_int_equal(explain(classes, true, &csv, &markdown), PV_STATUS_OK);
    assert_non_null(strstr(csv, "\nid,(any value),a hash of"));
    assert_non_null(strstr(csv, "\nage,(any value),as in the original table\npay,(any value)"));
    assert_null(strstr(csv, "Rome"));
    assert_null(strstr(markdown, "2024"));
    pv_string_free(csv);
    pv_string_free(markdown);
    pv_classes_free(classes);
    pv_profile_free(profile);
    bound_study_free(&s);
}

static void missing_values_are_called_so(void **state)
{
    static const char small[] =
        "missing: [NA]\n"
        "attributes:\n"
        "  a: {role: quasi, hierarchy: {intervals: [10]}}\n"
        "  b: {role: quasi, hierarchy: {breaks: [10], missing: last}}\n"
        "  c: {role: quasi, hierarchy: {rows: [[x, g], [y, h]], missing: h}}\n";
    bound_study s = bound_study_create(small, "a,b,c\n1,1,x\n2,2,y\nNA,NA,NA\n1,12,x\n");
    pv_profile *const profile = bound_profile(s.study, 1);
    pv_classes *const classes = classify(profile, "1,1,1");
    char *csv = NULL;
    char *markdown = NULL;
    (void)state;
    assert_int_equal(explain(classes, false, &csv, &markdown), PV_STATUS_OK);
    assert_non_null(strstr(csv, "\na,NA,missing\n"));
    assert_non_null(strstr(csv, "\nb,>=10 or missing,\"10 or more, or missing\"\n"));
    assert_non_null(strstr(csv, "\nc,h,y; missing\n"));
    pv_string_free(csv);
    pv_string_free(markdown);
    pv_classes_free(classes);
    pv_profile_free(profile);
    bound_study_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_label),
        cmocka_unit_test(columns_left_as_they_were_name_no_values),
        cmocka_unit_test(missing_values_are_called_so),
    };
    return cmocka_run_group_tests_name("codebook", tests, NULL, NULL);
}
