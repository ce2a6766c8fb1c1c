/* Comparisons of files and of schemes when memory runs out at every allocation. */
#include "support/comparison_trial.h"
#include "support/failing_alloc.h"

static const char original[] = "id,a,b,c,s,t,score\n"
                               "k1,1,z10,x,u,1,5\nk2,2,z11,x,v,2,6\nk3,3,z11,y,u,,7\n"
                               "k4,4,z20,y,w,4,8\n";
static const char *const paths[] = {"comparison-alloc-1.csv", "comparison-alloc-2.csv"};
static const char *const contents[] = {
    "id,a,b,c,t,score\nk2,*,z1*,x,2,1\nk1,[0-2],z1*,x,1,2\nk4,*,*,*,4,3\nk3,[2-4],z1*,*,,1\n",
    "id,a,b,c,s,t,score\nk2,*,z1*,x,v,2,1\nk1,*,z1*,x,u,1,2\nk4,*,*,*,w,4,3\n"};

static pv_status compare_files(void *ctx, pv_error *error)
{
    static const char *const properties[] = {"class-size", "own-count",    "t-distance",
                                             "nwp",        "column:score", "distinct"};
    static const char *const groups[] = {"c", "s"};
    static const uint64_t shown[] = {0, 2};
    const pv_comparison_options options = {.key = "id",
                                           .properties = properties,
                                           .n_properties = 6,
                                           .groups = groups,
                                           .n_groups = 2,
                                           .shown = shown,
                                           .n_shown = 2};
    const pv_context context = {.threads = 1};
    pv_comparison *comparison = NULL;
    const pv_status status =
        pv_comparison_open(ctx, paths, 2, &options, &context, &comparison, error);
    assert_true((comparison != NULL) == (status == PV_STATUS_OK));
    pv_comparison_free(comparison);
    return status;
}

static pv_status compare_schemes(void *ctx, pv_error *error)
{
    static const char *const properties[] = {"class-size", "own-count", "glm", "column:score"};
    const pv_classes *const classes = ctx;
    const pv_study *const study = pv_profile_study(pv_classes_profile(classes));
    pv_comparison *comparison = NULL;
    pv_status status = pv_comparison_begin(study, properties, 4, &comparison, error);
    assert_true((comparison != NULL) == (status == PV_STATUS_OK));
    for (size_t i = 0; i < 2 && status == PV_STATUS_OK; i++) {
        status = pv_comparison_add(comparison, classes, "levels", NULL, error);
    }
    pv_comparison_free(comparison);
    return status;
}

static void comparisons_fail_cleanly(void **state)
{
    bound_study s = bound_study_create(trial_plan, original);
    (void)state;
    trial_write(paths[0], contents[0]);
    trial_write(paths[1], contents[1]);
    assert_true(failing_alloc_every(compare_files, s.study) > 100);
    (void)unlink(paths[0]);
    (void)unlink(paths[1]);
    bound_study_free(&s);
}

static void schemes_fail_cleanly(void **state)
{
    const uint8_t levels[] = {1, 1, 0};
    bound_study s = bound_study_create(trial_plan, original);
    pv_profile *const profile = bound_profile(s.study, 1);
    pv_classes *const classes = bound_classes(profile, levels, 1, 0);
    (void)state;
    assert_true(failing_alloc_every(compare_schemes, classes) > 30);
    pv_classes_free(classes);
    pv_profile_free(profile);
    bound_study_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comparisons_fail_cleanly),
        cmocka_unit_test(schemes_fail_cleanly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
