/* Ladders: one point for each k and kind, each the answer to a single question, monotone, and
 * released like any other scheme; in words, as a picture and as a page. */
#include "support/failing_alloc.h"
#include "support/files.h"
#include "support/random_study.h"
#include "support/testing.h"

#include "front/ladder.h"
#include <math.h>
#include <paravent/paravent.h>
#include <string.h>

static void release(const pv_study *study, const pv_ladder *ladder, pv_scheme_kind kind, size_t at)
{
    const pv_ladder_point *const point = pv_ladder_at(ladder, kind, at);
    const pv_budget budget = {.rows = pv_ladder_budget(ladder)};
    const pv_constraint k = {.ref = {.measure = pv_measure_find("k")}, .bound = (double)point->k};
    const pv_release_options options = {
        .size = sizeof options, .budget = &budget, .constraints = &k, .n_constraints = 1};
    scratch_folder folder = scratch_folder_create("out.csv");
    pv_release_result *result = NULL;
    pv_scheme *scheme = NULL;
    pv_error error = {0};
    assert_int_equal(pv_ladder_scheme(ladder, kind, at, &scheme, NULL), PV_STATUS_OK);
    assert_int_equal(pv_scheme_kind_of(scheme), kind);
    const pv_status status =
        pv_release_write(study, scheme, folder.file, &options, &result, &error);
    if (status != PV_STATUS_OK) {
        fail_msg("%s", error.message);
    }
    assert_true(pv_release_k(result) >= point->k ||
                pv_release_n_suppressed(result) == pv_release_n_rows(result));
    assert_int_equal(pv_release_n_suppressed(result), point->suppressed);
    pv_release_result_free(result);
    pv_scheme_free(scheme);
    scratch_folder_remove(&folder);
}

static void check(random_study *s)
{
    static const uint64_t ks[] = {4, 2, 3, 2};
    const pv_study *const study = s->bound.study;
    const pv_budget budget = {.rows = random_below(s, 4)};
    const pv_ladder_options options = {.size = sizeof options,
                                       .kinds = {true, true, true},
                                       .ks = ks,
                                       .n_ks = 4,
                                       .budget = &budget,
                                       .improve_seconds = -1};
    pv_ladder *ladder = NULL;
    pv_error error = {0};
    if (pv_ladder_find(study, &options, &ladder, &error) != PV_STATUS_OK) {
        fail_msg("%s", error.message);
    }
    assert_int_equal(pv_ladder_n(ladder), 3);
    assert_int_equal(pv_ladder_stop(ladder), PV_STOP_FINISHED);
    for (unsigned kind = 0; kind < PV_N_SCHEME_KINDS; kind++) {
        for (size_t i = 0; pv_ladder_has(ladder, kind) && i < 3; i++) {
            const pv_ladder_point *const point = pv_ladder_at(ladder, kind, i);
            const pv_ladder_point *const before = i > 0 ? point - 1 : point;
            assert_int_equal(point->k, 2 + i);
            assert_true(before->scheme != NULL || point->scheme == NULL);
            assert_true(before->bound <= point->bound || point->scheme == NULL);
            if (point->scheme == NULL) {
                continue;
            }
            assert_true(before->value <= point->value);
            assert_true(point->bound <= point->value);
            assert_true(point->found_for >= point->k);
            assert_int_equal(pv_ladder_pick(ladder, kind, point->k), i);
            if (i == random_below(s, 3)) {
                release(study, ladder, kind, i);
            }
        }
    }
    pv_ladder_free(ladder);
}

static void every_point_is_a_release(void **state)
{
    const unsigned n = (unsigned)effort(40);
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 17);
    for (unsigned i = 0; i < n; i++) {
        const random_shape shape = {.n_rows = 6 + i % 20,
                                    .n_quasi = 1 + i % 3,
                                    .n_values = 5,
                                    .missing = i % 2 == 0 ? 9 : 0,
                                    .heights = 3};
        random_study s;
        random_study_init(&s, &rng, &shape);
        check(&s);
        random_study_deinit(&s);
    }
}

/* ------------------------------------------------------------------ settling */

/* What a larger k found is taken over; bounds go the other way. */
static void is_monotone(void **state)
{
    bound_study s = bound_study_create("attributes:\n  age: {role: quasi}\n", "age\n1\n2\n");
    const pv_profile *profile = NULL;
    pv_scheme *schemes[3] = {NULL};
    pv_ladder_point points[3] = {{.k = 2, .found_for = 2, .value = 9, .bound = 1, .suppressed = 1},
                                 {.k = 3, .found_for = 3, .value = 5, .bound = 4, .suppressed = 2},
                                 {.k = 4, .found_for = 4, .value = 6, .bound = 2, .suppressed = 3}};
    pv_ladder ladder = {.n = 3, .loss = {.measure = pv_measure_find("glm")}};
    (void)state;
    assert_int_equal(pv_study_profile(s.study, &profile, NULL), PV_STATUS_OK);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(pv_scheme_create(s.study, &schemes[i], NULL), PV_STATUS_OK);
        points[i].scheme = schemes[i];
    }
    ladder.curves[PV_SCHEME_RECORDS] =
        (pv_ladder_curve){.searched = true, .points = points, .schemes = schemes};
    pv_i_ladder_settle(&ladder, profile);
    assert_ptr_equal(points[0].scheme, schemes[1]);
    assert_int_equal(points[0].found_for, 3);
    assert_int_equal(points[0].suppressed, 2);
    assert_true(fabs(points[0].gap - 4) < 1e-12);
    assert_true(fabs(points[1].gap - 0.25) < 1e-12);
    assert_true(fabs(points[2].bound - 4) < 1e-12);
    assert_true(fabs(points[2].gap - 0.5) < 1e-12);
    for (size_t i = 0; i < 3; i++) {
        pv_scheme_free(schemes[i]);
    }
    bound_study_free(&s);
}

/* ----------------------------------------------------------------- the plan */

static const char plan[] = "suppression: 0\nrequire: {k: 3}\nattributes:\n"
                           "  age: {role: quasi, hierarchy: {intervals: [10, 100]}}\n"
                           "  place: {role: quasi}\n";
static const char table[] = "age,place\n1,x\n1,x\n1,x\n31,x\n31,x\n32,y\n99,z\n1,x\n1,x\n33,y\n";

static void keeps_the_plans_k(void **state)
{
    bound_study s = bound_study_create(plan, table);
    pv_ladder *ladder = NULL;
    (void)state;
    assert_int_equal(pv_ladder_find(s.study, NULL, &ladder, NULL), PV_STATUS_OK);
    assert_int_equal(pv_ladder_n(ladder),
                     3); /* 3 for 2, 5, 10: more rows than that are not there */
    assert_int_equal(pv_ladder_at(ladder, PV_SCHEME_RECORDS, 0)->k, 3);
    assert_false(pv_ladder_has(ladder, PV_SCHEME_LEVELS));
    assert_int_equal(pv_ladder_pick(ladder, PV_SCHEME_RECORDS, 1000), SIZE_MAX);
    pv_ladder_free(ladder);
    bound_study_free(&s);
}

/* Names cannot be rounded, which is only for cuts: they are left out, and it is said why. */
static void says_what_was_not_searched(void **state)
{
    bound_study s = bound_study_create("suppression: 0\nattributes:\n"
                                       "  age: {role: quasi, hierarchy: {intervals: [10, 100]}}\n"
                                       "  place: {role: quasi, granularity: 5}\n",
                                       table);
    const uint64_t two = 2;
    pv_ladder_options options = {.kinds = {true, true, true}, .ks = &two, .n_ks = 1};
    pv_ladder *ladder = NULL;
    char *text = NULL;
    (void)state;
    assert_int_equal(pv_ladder_find(s.study, &options, &ladder, NULL), PV_STATUS_OK);
    assert_false(pv_ladder_has(ladder, PV_SCHEME_CUTS));
    assert_non_null(pv_ladder_refusal(ladder, PV_SCHEME_CUTS));
    assert_int_equal(pv_ladder_sentence(ladder, 0, &text, NULL), PV_STATUS_OK);
    assert_true(strncmp(text, "at k = 2: one level per attribute", 33) == 0);
    assert_null(strstr(text, "cuts"));
    pv_string_free(text);
    pv_ladder_free(ladder);
    options = (pv_ladder_options){.kinds = {false, true, false}, .ks = &two, .n_ks = 1};
    assert_int_not_equal(pv_ladder_find(s.study, &options, &ladder, NULL), PV_STATUS_OK);
    bound_study_free(&s);
}

static bool stop_at_once(void *ctx, const pv_progress *progress)
{
    (void)ctx;
    (void)progress;
    return false;
}

static void may_be_stopped(void **state)
{
    bound_study s = bound_study_create(plan, table);
    const pv_context context = {.threads = 1, .progress = stop_at_once};
    const pv_ladder_options options = {.context = &context};
    pv_ladder *ladder = NULL;
    (void)state;
    assert_int_equal(pv_ladder_find(s.study, &options, &ladder, NULL), PV_STATUS_OK);
    assert_true(pv_ladder_n_found(ladder) <= pv_ladder_n(ladder));
    pv_ladder_free(ladder);
    bound_study_free(&s);
}

/* ------------------------------------------------------------------- memory */

/* Without cuts: these do without a cache where there is no memory for one. */
static pv_status find_and_draw(void *ctx, pv_error *error)
{
    const pv_study *const study = ctx;
    const uint64_t ks[] = {3, 4};
    const pv_context context = {.threads = 1};
    const pv_ladder_options options = {.context = &context,
                                       .kinds = {true, false, true},
                                       .ks = ks,
                                       .n_ks = 2,
                                       .improve_seconds = -1};
    const pv_profile *profile = NULL;
    pv_ladder *ladder = NULL;
    pv_scheme *scheme = NULL;
    char *text = NULL;
    pv_status status = pv_study_profile(study, &profile, error);
    if (status == PV_STATUS_OK) {
        status = pv_ladder_find(study, &options, &ladder, error);
    }
    if (status == PV_STATUS_OK) {
        status = pv_ladder_scheme(ladder, PV_SCHEME_RECORDS, 0, &scheme, error);
        pv_scheme_free(scheme);
    }
    if (status == PV_STATUS_OK) {
        status = pv_ladder_svg(ladder, &text, error);
    }
    if (status == PV_STATUS_OK) {
        assert_non_null(strstr(text, "local recoding at k 3"));
        pv_string_free(text);
        status = pv_ladder_page(ladder, profile, &text, error);
    }
    if (status == PV_STATUS_OK) {
        assert_non_null(strstr(text, "data-p=\"2-1\""));
        pv_string_free(text);
    }
    pv_ladder_free(ladder);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    bound_study s = bound_study_create(plan, table);
    pv_error error = {0};
    (void)state;
    bound_must(find_and_draw(s.study, &error), &error);
    assert_true(failing_alloc_every(find_and_draw, s.study) > 20);
    bound_study_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_point_is_a_release), cmocka_unit_test(is_monotone),
        cmocka_unit_test(keeps_the_plans_k),        cmocka_unit_test(says_what_was_not_searched),
        cmocka_unit_test(may_be_stopped),           cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
