/* What a program gets that uses nothing but the public headers: the plan's word holds in every
 * call, schemes of every kind go to release and compare, a mistake is an error and no file. */
#include "support/failing_alloc.h"

#include "support/files.h"

#include <paravent/paravent.h>

/* Twelve people in four kinds of three, and one who is like nobody else. */
static const char people[] = "age,sex,illness\n"
                             "21,f,flu\n21,f,cold\n21,f,gout\n22,m,flu\n22,m,cold\n22,m,gout\n"
                             "31,f,flu\n31,f,cold\n31,f,gout\n32,m,flu\n32,m,cold\n32,m,gout\n"
                             "77,m,flu\n";

typedef struct {
    scratch_folder folder;
    char plan[128], out[128];
    pv_study *study;
} world;

static void put(const char *path, const char *text)
{
    FILE *const file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* `more` are further lines of the plan. */
static world make_world(const char *more)
{
    world w = {.folder = scratch_folder_create("people.csv")};
    char plan[1024];
    put(w.folder.file, people);
    (void)snprintf(w.plan, sizeof w.plan, "%s/plan.yaml", w.folder.path);
    (void)snprintf(w.out, sizeof w.out, "%s/out.csv", w.folder.path);
    (void)snprintf(plan, sizeof plan,
                   "data: people.csv\n%sattributes:\n"
                   "  age: {role: quasi, hierarchy: {intervals: [10, 50]}}\n"
                   "  sex: {role: quasi}\n  illness: {role: sensitive}\n",
                   more);
    put(w.plan, plan);
    return w;
}

static world open_world(const char *more)
{
    world w = make_world(more);
    pv_error error = {0};
    if (pv_open(w.plan, NULL, &w.study, &error) != PV_STATUS_OK) {
        fail_msg("%s", error.message);
    }
    return w;
}

static void close_world(world *w)
{
    pv_study_free(w->study);
    scratch_folder_remove(&w->folder);
}

static bool is_there(const world *w)
{
    return access(w->out, F_OK) == 0;
}

static pv_status release_levels(const world *w, const char *levels,
                                const pv_release_options *options, pv_error *error)
{
    pv_scheme *scheme = NULL;
    pv_status status = pv_scheme_create(w->study, &scheme, error);
    if (status == PV_STATUS_OK) {
        status = pv_scheme_parse(scheme, w->study, levels, error);
    }
    if (status == PV_STATUS_OK) {
        status = pv_release_write(w->study, scheme, w->out, options, NULL, error);
    }
    pv_scheme_free(scheme);
    return status;
}

static void what_the_plan_demands_holds(void **state)
{
    (void)state;
    world w = open_world("require: {k: 5}\nsuppression: 1\n");
    pv_error error = {0};
    assert_int_equal(release_levels(&w, "0,0", NULL, &error), PV_STATUS_UNSATISFIED); /* k = 3 */
    assert_non_null(strstr(error.message, "k >= 5"));
    assert_false(is_there(&w));
    assert_int_equal(release_levels(&w, "1,1", NULL, &error), PV_STATUS_OK); /* 6 and 6 */
    assert_true(is_there(&w));
    close_world(&w);
}

static void demands_of_a_call_come_on_top(void **state)
{
    (void)state;
    world w = open_world("require: {k: 3}\nsuppression: 1\n");
    pv_error error = {0};
    pv_constraint more[PV_MAX_CONSTRAINTS];
    size_t n = 0;
    assert_int_equal(pv_constraints_parse("k=6", more, &n, &error), PV_STATUS_OK);
    const pv_release_options options = {
        .size = sizeof options, .constraints = more, .n_constraints = n};
    assert_int_equal(release_levels(&w, "0,0", &options, &error), PV_STATUS_UNSATISFIED);
    assert_int_equal(release_levels(&w, "0,0", NULL, &error), PV_STATUS_OK);
    close_world(&w);
}

/* What does not fit is refused, not cut off. */
static void a_demand_of_any_length_counts(void **state)
{
    (void)state;
    char more[512];
    (void)snprintf(more, sizeof more,
                   "require: {k: \"1%60s,k=1%60s,k=1%60s,k=1%60s,k=1%60s,k=500\"}\n", "", "", "",
                   "", "");
    world w = open_world(more);
    pv_error error = {0};
    assert_int_not_equal(release_levels(&w, "top,top", NULL, &error), PV_STATUS_OK);
    assert_false(is_there(&w));
    close_world(&w);
}

static void nobody_is_left_alone_without_a_word(void **state)
{
    (void)state;
    world w = open_world(""); /* no budget: the one of 77 stays */
    pv_error error = {0};
    assert_int_equal(release_levels(&w, "0,0", NULL, &error), PV_STATUS_UNSATISFIED);
    assert_false(is_there(&w));
    close_world(&w);
}

static void what_was_not_picked_is_not_released(void **state)
{
    (void)state;
    world w = open_world("");
    pv_front *front = NULL;
    pv_error error = {0};
    assert_int_equal(pv_front_find(w.study, NULL, &front, &error), PV_STATUS_OK);
    assert_null(pv_front_pick(front, "k=500"));
    assert_null(pv_front_pick(NULL, "knee"));
    assert_int_equal(
        pv_release_write(w.study, pv_front_pick(front, "k=500"), w.out, NULL, NULL, &error),
        PV_STATUS_ARGUMENT);
    assert_false(is_there(&w));
    pv_front_free(front);
    close_world(&w);
}

/* A local recoding is compared like levels and cuts: by schemes, and by released files with their
 * row maps; both say the same of everyone. */
static void a_local_recoding_is_compared(void **state)
{
    (void)state;
    world w = open_world("require: {k: 3}\nsuppression: 0\n");
    const pv_ladder_options options = {
        .kinds = {true, true, true}, .ks = (const uint64_t[]){3}, .n_ks = 1};
    const char *const names[] = {"levels", "cuts", "local"};
    const pv_scheme *schemes[3];
    pv_ladder *ladder = NULL;
    pv_comparison *by_scheme = NULL;
    pv_error error = {0};
    assert_int_equal(pv_ladder_find(w.study, &options, &ladder, &error), PV_STATUS_OK);
    for (size_t i = 0; i < 3; i++) {
        schemes[i] = pv_ladder_at(ladder, (pv_scheme_kind)i, 0)->scheme;
        assert_non_null(schemes[i]);
    }
    assert_int_equal(pv_compare_schemes(w.study, schemes, names, 3, &by_scheme, &error),
                     PV_STATUS_OK);
    assert_int_equal(pv_comparison_n_releases(by_scheme), 3);
    assert_string_equal(pv_comparison_name(by_scheme, 2), "local");
    pv_comparison_free(by_scheme);
    pv_ladder_free(ladder);
    close_world(&w);
}

/* Levels, cuts and records: each is found, released, and compared with the others. */
static void schemes_of_every_kind_are_released_and_compared(void **state)
{
    (void)state;
    world w = open_world("require: {k: 3}\nsuppression: 1\n");
    pv_front *levels = NULL;
    pv_front *cuts = NULL;
    pv_disclosure *disclosure = NULL;
    pv_scheme *records = NULL;
    pv_comparison *comparison = NULL;
    pv_error error = {0};
    const pv_find_options by_cuts = {
        .size = sizeof by_cuts, .kind = PV_SCHEME_CUTS, .max_evaluations = 200};
    const pv_disclose_options half = {.size = sizeof half, .bound = 0.5, .is_share = true};
    assert_int_equal(pv_front_find(w.study, NULL, &levels, &error), PV_STATUS_OK);
    assert_int_equal(pv_front_find(w.study, &by_cuts, &cuts, &error), PV_STATUS_OK);
    assert_int_equal(pv_disclose_find(w.study, &half, &disclosure, &records, &error), PV_STATUS_OK);
    const pv_scheme *const all[] = {pv_front_pick(levels, "k=3"), pv_front_pick(cuts, "k=3"),
                                    records};
    const char *const names[] = {"levels", "cuts", "records"};
    for (size_t i = 0; i < 3; i++) {
        pv_release_result *result = NULL;
        const pv_release_options again = {.size = sizeof again, .force = true};
        assert_non_null(all[i]);
        assert_int_equal(pv_scheme_kind_of(all[i]), (pv_scheme_kind)i);
        if (pv_release_write(w.study, all[i], w.out, &again, &result, &error) != PV_STATUS_OK) {
            fail_msg("%s: %s", names[i], error.message);
        }
        assert_true(is_there(&w));
        pv_release_result_free(result);
    }
    assert_int_equal(pv_compare_schemes(w.study, all, names, 3, &comparison, &error), PV_STATUS_OK);
    assert_int_equal(pv_comparison_n_releases(comparison), 3);
    assert_string_equal(pv_comparison_name(comparison, 1), "cuts");
    pv_comparison_free(comparison);
    pv_scheme_free(records);
    pv_disclosure_free(disclosure);
    pv_front_free(cuts);
    pv_front_free(levels);
    close_world(&w);
}

static void a_wish_keeps_what_the_plan_demands(void **state)
{
    (void)state;
    world w = open_world("require: {k: 6}\n");
    pv_answer *answer = NULL;
    pv_error error = {0};
    const pv_preference_options options = {.size = sizeof options, .evaluations = 500, .prove = -1};
    assert_int_equal(pv_prefer_find(w.study, (pv_aspiration){0.5, 0.5}, &options, &answer, &error),
                     PV_STATUS_OK);
    assert_true(pv_solution_k(pv_answer_solution(answer, 0)) >= 6);
    pv_answer_free(answer);
    close_world(&w);
}

/* A program from the future: unknown options that ask for nothing are fine, others are refused. */
static void options_of_other_versions(void **state)
{
    (void)state;
    world w = make_world("");
    struct {
        pv_open_options known;
        size_t later;
    } future = {.known = {.size = sizeof future}};
    pv_error error = {0};
    assert_int_equal(pv_open(w.plan, &future.known, &w.study, &error), PV_STATUS_OK);
    pv_study_free(w.study);
    w.study = NULL;
    future.later = 1;
    assert_int_equal(pv_open(w.plan, &future.known, &w.study, &error), PV_STATUS_ARGUMENT);
    assert_null(w.study);
    /* From the past: what it does not know of is as usual. */
    const pv_open_options past = {.size = sizeof past.size, .data = "nowhere"};
    assert_int_equal(pv_open(w.plan, &past, &w.study, &error), PV_STATUS_OK);
    close_world(&w);
}

/* A scheme before it is released beside a file in the order of the original. */
static pv_status compare_with_file(const world *w, const pv_study *study, const pv_scheme *scheme,
                                   pv_error *error)
{
    const char *const name = "cuts";
    const char *const path = w->folder.file; /* the original is a release of itself */
    const pv_constraint k = {.ref.measure = pv_measure_find("k"), .bound = 2};
    const pv_context one = {.threads = 1};
    pv_classes *classes = NULL;
    pv_comparison *comparison = NULL;
    pv_status status = pv_scheme_classes(study, scheme, &k, 1, 1, &classes, error);
    if (status == PV_STATUS_OK) {
        const pv_classes *const schemes[] = {classes};
        const pv_comparison_options options = {
            .size = sizeof options, .schemes = schemes, .scheme_names = &name, .n_schemes = 1};
        status = pv_comparison_open(study, &path, 1, &options, &one, &comparison, error);
    }
    pv_comparison_free(comparison);
    pv_classes_free(classes);
    return status;
}

/* Without a search: its caches do without what they cannot have. */
static pv_status open_and_compare(void *ctx, pv_error *error)
{
    static const char text[] = "{\"cuts\": {\"age\": {\"breaks\": [30]}, \"sex\": \"*\"}}";
    const world *const w = ctx;
    const char *const names[] = {"raw", "cuts"};
    pv_study *study = NULL;
    pv_cuts *cuts = NULL;
    pv_scheme *two[2] = {NULL, NULL};
    pv_comparison *comparison = NULL;
    const pv_open_options one = {.size = sizeof one, .context.threads = 1};
    pv_status status = pv_open(w->plan, &one, &study, error);
    if (status == PV_STATUS_OK) {
        status = pv_cuts_parse("cuts", text, strlen(text), &cuts, error);
    }
    if (status == PV_STATUS_OK) {
        status = pv_scheme_create(study, &two[0], error);
    }
    if (status == PV_STATUS_OK) {
        status = pv_scheme_from_cuts(cuts, &two[1], error);
    }
    if (status == PV_STATUS_OK) {
        const pv_scheme *const both[] = {two[0], two[1]};
        status = pv_compare_schemes(study, both, names, 2, &comparison, error);
    }
    pv_comparison_free(comparison);
    if (status == PV_STATUS_OK) {
        status = compare_with_file(w, study, two[1], error);
    }
    pv_scheme_free(two[0]);
    pv_scheme_free(two[1]);
    pv_cuts_free(cuts);
    pv_study_free(study);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    world w = make_world("");
    assert_true(failing_alloc_every(open_and_compare, &w) > 0);
    close_world(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_plan_demands_holds),
        cmocka_unit_test(demands_of_a_call_come_on_top),
        cmocka_unit_test(a_demand_of_any_length_counts),
        cmocka_unit_test(nobody_is_left_alone_without_a_word),
        cmocka_unit_test(what_was_not_picked_is_not_released),
        cmocka_unit_test(schemes_of_every_kind_are_released_and_compared),
        cmocka_unit_test(a_wish_keeps_what_the_plan_demands),
        cmocka_unit_test(options_of_other_versions),
        cmocka_unit_test(a_local_recoding_is_compared),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("the interface for programs", tests, NULL, NULL);
}
