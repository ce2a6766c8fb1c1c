/* Curves of risk against utility: points are disclosures, and pictures hold no value. */
#include "records/disclosure.h"
#include "support/random_study.h"
#include "support/record_oracle.h"
#include "support/samples.h"

#include <math.h>

enum { TRIALS = 20, STEPS = 4 };

static pv_risk_front *must_draw(const pv_profile *profile, const pv_risk_front_options *options,
                                const pv_context *context)
{
    pv_risk_front *front = NULL;
    pv_error error = {0};
    bound_must(pv_risk_front_create(profile, options, context, &front, &error), &error);
    return front;
}

static void assert_near(double found, double expected)
{
    assert_true(fabs(found - expected) <= 1e-9);
}

/* ----------------------------------------------------------------- points */

static void assert_is_disclosure(const pv_profile *profile, const pv_risk_curve *curve,
                                 const pv_risk_point *point)
{
    const pv_disclose_options options = {.utility = PV_UTILITY_LOG_LEAVES,
                                         .risk = curve->risk,
                                         .bound = point->asked,
                                         .is_share = true};
    pv_disclosure *disclosure = NULL;
    pv_error error = {0};
    uint64_t unique = 0;
    double sum = 0;
    double kept = 0;
    double most = -(double)INFINITY;
    bound_must(pv_disclose(profile, &options, NULL, &disclosure, &error), &error);
    for (size_t t = 0; t < disclosure->n_tuples; t++) {
        const pv_disclosed *const record = &disclosure->tuples[t];
        const double people = (double)pv_profile_count(profile, t);
        unique += record->consistent == 1 ? pv_profile_count(profile, t) : 0;
        sum += people * record->risk;
        kept += people * (record->most > 0 ? record->utility / record->most : 1);
        most = fmax(most, record->risk);
    }
    const double rows = (double)pv_profile_rows(profile);
    assert_near(point->mean, sum / rows);
    assert_near(point->kept, kept / rows);
    assert_near(point->most, most);
    assert_int_equal(point->unique, unique);
    assert_true(point->is_exact);
    pv_disclosure_free(disclosure);
}

/* Whoever must keep more has no less risk. */
static void assert_rises(const pv_risk_curve *curve)
{
    for (size_t i = 0; i < curve->n_points; i++) {
        const pv_risk_point *const point = &curve->points[i];
        assert_near(point->asked, (double)i / STEPS);
        assert_true(point->kept >= point->asked - 1e-9);
        if (i > 0) {
            assert_true(point->mean >= point[-1].mean - 1e-9);
            assert_true(point->most >= point[-1].most - 1e-9);
        }
    }
}

static void points_are_disclosures(void **state)
{
    const random_shape shape = {
        .n_rows = 20, .n_quasi = 3, .n_values = 5, .heights = 3, .copies = 3, .missing = 9};
    const pv_risk_front_options options = {.disclose = {.utility = PV_UTILITY_LOG_LEAVES},
                                           .steps = STEPS};
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 1);
    for (size_t trial = 0; trial < TRIALS; trial++) {
        random_study s;
        random_study_init(&s, &rng, &shape);
        pv_risk_front *const front = must_draw(s.profile, &options, NULL);
        assert_int_equal(front->n_curves, PV_RISK_COUNT);
        for (size_t c = 0; c < front->n_curves; c++) {
            assert_int_equal(front->curves[c].n_points, STEPS + 1);
            assert_rises(&front->curves[c]);
            for (size_t i = 0; i <= STEPS; i++) {
                assert_is_disclosure(s.profile, &front->curves[c], &front->curves[c].points[i]);
            }
        }
        pv_risk_front_free(front);
        random_study_deinit(&s);
    }
}

/* ---------------------------------------------------------------- options */

static const char plan[] = "attributes:\n"
                           "  age: {role: quasi, hierarchy: {intervals: [10, 100]}}\n"
                           "  place: {role: quasi}\n";
static const char table[] = "age,place\n1,xyzzy\n31,xyzzy\n31,xyzzy\n32,plugh\n99,plover\n";

static bool stop_at_once(void *ctx, const pv_progress *progress)
{
    (void)ctx;
    (void)progress;
    return false;
}

static void one_model_and_default_steps(void **state)
{
    bound_study s = bound_study_create(plan, table);
    pv_profile *const profile = bound_profile(s.study, 1);
    const pv_risk_front_options options = {.disclose = {.risk = PV_RISK_II, .method = "bnb"},
                                           .one_model = true};
    pv_risk_front *const front = must_draw(profile, &options, NULL);
    (void)state;
    assert_int_equal(front->n_curves, 1);
    assert_int_equal(front->curves[0].risk, PV_RISK_II);
    assert_int_equal(front->curves[0].n_points, 11);
    assert_near(front->curves[0].most_raw, 1);
    assert_string_equal(front->method, "bnb");
    assert_null(front->reason);
    assert_false(front->stopped);
    pv_risk_front_free(front);
    pv_profile_free(profile);
    bound_study_free(&s);
}

static void stopping_keeps_what_is_there(void **state)
{
    bound_study s = bound_study_create(plan, table);
    pv_profile *const profile = bound_profile(s.study, 1);
    const pv_context context = {.threads = 1, .progress = stop_at_once};
    const pv_risk_front_options options = {.disclose = {.method = "bnb"}};
    pv_risk_front *const front = must_draw(profile, &options, &context);
    char *page = NULL;
    pv_error error = {0};
    (void)state;
    assert_true(front->stopped);
    assert_int_equal(front->n_curves, 1);
    bound_must(pv_risk_front_page(front, profile, &page, &error), &error);
    assert_non_null(strstr(page, "Interrupted"));
    assert_page(page);
    pv_string_free(page);
    pv_risk_front_free(front);
    pv_profile_free(profile);
    bound_study_free(&s);
}

static void what_a_method_cannot_do_is_refused(void **state)
{
    bound_study s = bound_study_create(plan, table);
    pv_profile *const profile = bound_profile(s.study, 1);
    const pv_risk_front_options options = {.disclose = {.method = "magic"}};
    pv_risk_front *front = NULL;
    pv_error error = {0};
    (void)state;
    assert_int_equal(pv_risk_front_create(profile, &options, NULL, &front, &error),
                     PV_STATUS_ARGUMENT);
    assert_null(front);
    pv_profile_free(profile);
    bound_study_free(&s);
}

/* --------------------------------------------------------------- pictures */

static void assert_holds_no_value(const char *markup)
{
    assert_null(strstr(markup, "xyzzy"));
    assert_null(strstr(markup, "plugh"));
    assert_null(strstr(markup, "nan"));
    assert_null(strstr(markup, "inf"));
    assert_self_contained(markup);
}

static void pictures_are_well_formed(void **state)
{
    bound_study s = bound_study_create(plan, table);
    pv_profile *const profile = bound_profile(s.study, 1);
    const pv_risk_front_options options = {.steps = 3};
    pv_risk_front *const front = must_draw(profile, &options, NULL);
    char *svg = NULL;
    char *page = NULL;
    pv_error error = {0};
    (void)state;
    bound_must(pv_risk_front_svg(front, &svg, &error), &error);
    bound_must(pv_risk_front_page(front, profile, &page, &error), &error);
    assert_well_formed(strstr(svg, "<svg"));
    assert_page(page);
    assert_holds_no_value(svg);
    assert_holds_no_value(page);
    assert_non_null(strstr(page, "Not monotone"));
    assert_non_null(strstr(svg, "<title>Risk against the detail kept</title>"));
    assert_non_null(strstr(svg, "<desc>One picture per model of risk"));
    assert_non_null(strstr(svg, ">worst</text>")); /* at the ends of the curves */
    assert_non_null(strstr(page, "<tr data-p=\"0-1\">"));
    assert_non_null(strstr(page, "<g class=\"risk\" data-p=\"0-1\""));
    pv_string_free(svg);
    pv_string_free(page);
    pv_risk_front_free(front);
    pv_profile_free(profile);
    bound_study_free(&s);
}

static size_t count(const char *text, const char *part)
{
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at++) {
        n++;
    }
    return n;
}

/* Where risks differ by factors there is no place for 0: neither a point nor the line goes there,
 * and it is said. */
static void no_risk_is_not_drawn_by_factors(void **state)
{
    pv_risk_point points[] = {{.asked = 0, .kept = 0, .mean = 0, .most = 0},
                              {.asked = 0.5, .kept = 0.5, .mean = 1e-5, .most = 0.1},
                              {.asked = 0.7, .kept = 0.7, .mean = 0, .most = 0.2},
                              {.asked = 1, .kept = 1, .mean = 0.5, .most = 1}};
    const pv_risk_front front = {.curves = {{.risk = PV_RISK_II, .points = points, .n_points = 4}},
                                 .n_curves = 1};
    char *svg = NULL;
    pv_error error = {0};
    (void)state;
    bound_must(pv_risk_front_svg(&front, &svg, &error), &error);
    assert_well_formed(strstr(svg, "<svg"));
    assert_int_equal(count(svg, "<g class=\"risk\""), 2);
    assert_int_equal(count(svg, "<path class=\"mean\""), 2); /* interrupted by the third */
    assert_int_equal(count(svg, "<path class=\"most\""), 1);
    assert_non_null(strstr(svg, "not drawn: 2 with risk 0"));
    pv_string_free(svg);
    for (size_t i = 0; i < 4; i++) { /* nobody has any */
        points[i].mean = points[i].most = 0;
    }
    bound_must(pv_risk_front_svg(&front, &svg, &error), &error);
    assert_well_formed(strstr(svg, "<svg"));
    assert_int_equal(count(svg, "<g class=\"risk\""), 4);
    assert_null(strstr(svg, "not drawn"));
    pv_string_free(svg);
}

/* Without any time there is one point; with a lot of it all, and they are exact. */
static void time_may_be_limited(void **state)
{
    attacker_study s = attacker_study_create(
        "attributes:\n  a: {role: quasi, hierarchy: {intervals: [2, 4]}}\n  b: {role: quasi}\n",
        "a,b\n1,x\n2,y\n3,x\n7,z\n5,y\n");
    pv_risk_front_options options = {.disclose = {.max_seconds = 1e-9}, .steps = 4};
    pv_risk_front *front = NULL;
    pv_error error = {0};
    (void)state;
    bound_must(pv_risk_front_create(s.profile, &options, NULL, &front, &error), &error);
    assert_int_equal(front->stop, PV_STOP_TIME);
    assert_false(front->stopped);
    assert_int_equal(front->n_curves, 1);
    assert_int_equal(front->curves[0].n_points, 1);
    pv_risk_front_free(front);
    options.disclose.max_seconds = 1e6;
    bound_must(pv_risk_front_create(s.profile, &options, NULL, &front, &error), &error);
    assert_int_equal(front->stop, PV_STOP_FINISHED);
    for (size_t c = 0; c < PV_RISK_COUNT; c++) {
        assert_int_equal(front->curves[c].n_points, 5);
        for (size_t i = 0; i < 5; i++) {
            assert_true(front->curves[c].points[i].is_exact);
        }
    }
    pv_risk_front_free(front);
    options.disclose.max_seconds = -1;
    assert_int_equal(pv_risk_front_create(s.profile, &options, NULL, &front, &error),
                     PV_STATUS_ARGUMENT);
    attacker_study_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_disclosures),
        cmocka_unit_test(one_model_and_default_steps),
        cmocka_unit_test(stopping_keeps_what_is_there),
        cmocka_unit_test(what_a_method_cannot_do_is_refused),
        cmocka_unit_test(pictures_are_well_formed),
        cmocka_unit_test(time_may_be_limited),
        cmocka_unit_test(no_risk_is_not_drawn_by_factors),
    };
    return cmocka_run_group_tests_name("risk against utility", tests, NULL, NULL);
}
