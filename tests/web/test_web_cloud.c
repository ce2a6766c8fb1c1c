/* The endpoint `cloud`: every scheme of small tables with its values, by the oracle; an even sample
 * where there are more than asked for. */
#include "support/front_search.h"
#include "support/random_study.h"
#include "web/by_hand.h"

#include <math.h>
#include <stdlib.h>

/* The level a text says; `digits` for each. */
static unsigned level_in(const char *text, size_t quasi, unsigned digits)
{
    unsigned level = 0;
    for (unsigned d = 0; d < digits; d++) {
        const char c = text[quasi * digits + d];
        assert_true((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z'));
        level = 36 * level + (unsigned)(c <= '9' ? c - '0' : 10 + c - 'a');
    }
    return level;
}

/* Six digits of a value. */
static bool is_near(double shown, double value)
{
    return fabs(shown - value) <= 1e-5 * fabs(value) + 1e-12;
}

/* What a scheme is with its highest threshold: nodes have the lowest first. */
static const oracle_node *node_of(const random_trial *t, const char *levels)
{
    const oracle_node *found = NULL;
    for (size_t i = 0; i < t->lattice.n_nodes; i++) {
        const oracle_node *const node = &t->lattice.nodes[i];
        bool same = true;
        for (size_t q = 0; q < t->lattice.n_axes; q++) {
            same = same && level_in(levels, q, 1) == node->levels[q];
        }
        found = same ? node : found;
    }
    return found;
}

static size_t fitting_schemes(const random_trial *t)
{
    size_t n = 0;
    for (size_t i = 0; i < t->lattice.n_nodes; i++) {
        const oracle_node *const node = &t->lattice.nodes[i];
        n += node->feasible && (i == 0 || !trial_has_levels(t, node, node[-1].levels));
    }
    return n;
}

static void expect_points(const random_trial *t, const json_t *answer)
{
    const json_t *const levels = json_object_get(answer, "levels");
    const size_t n = (size_t)hand_number(answer, "n");
    assert_int_equal(json_array_size(levels), n);
    assert_int_equal(json_array_size(json_object_get(answer, "values")), t->objectives.n);
    for (size_t i = 0; i < n; i++) {
        const char *const text = json_string_value(json_array_get(levels, i));
        assert_int_equal(strlen(text), t->lattice.n_axes);
        const oracle_node *const node = node_of(t, text);
        assert_non_null(node);
        assert_true(node->feasible);
        for (size_t o = 0; o < t->objectives.n; o++) {
            const json_t *const list = json_array_get(json_object_get(answer, "values"), o);
            assert_int_equal(json_array_size(list), n);
            assert_true(
                is_near(json_number_value(json_array_get(list, i)), trial_value(t, node, o)));
        }
        for (size_t j = 0; j < i; j++) {
            assert_string_not_equal(text, json_string_value(json_array_get(levels, j)));
        }
    }
}

static bool suits(const pv_measure *measure)
{
    return strcmp(measure->name, "l-distinct") != 0; /* has thresholds of its own */
}

/* The question of a trial as params. */
static void params_of(const random_trial *t, unsigned most, char *text, size_t size)
{
    int n = snprintf(text, size, "{'suppression': '%llu', 'most': %u, 'objectives': [",
                     (unsigned long long)t->suppression.budget, most);
    for (size_t o = 0; t->names[o] != NULL; o++) {
        n += snprintf(text + n, size - (size_t)n, "%s'%s'", o > 0 ? "," : "", t->names[o]);
    }
    n += snprintf(text + n, size - (size_t)n, "]");
    if (t->suppression.target_k > 0) {
        n += snprintf(text + n, size - (size_t)n, ", 'require': 'k=%llu'",
                      (unsigned long long)t->suppression.target_k);
    }
    (void)snprintf(text + n, size - (size_t)n, "}");
}

static void all_schemes_are_there(void **state)
{
    static const trial_rule rules[] = {TRIAL_RAW, TRIAL_TARGET, TRIAL_STRICT, TRIAL_BUDGET};
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 5);
    for (size_t i = 0; i < effort(60); i++) {
        const random_shape shape = trial_shape(&rng);
        random_trial t;
        hand_snapshot snapshot;
        hand_call call;
        char params[512];
        trial_init(&t, &rng, &shape, rules[i % 4], suits);
        hand_snapshot_init(&snapshot, &t.study.bound, NULL);
        if (t.suppression.whole_budget && t.suppression.budget > 0) {
            hand_snapshot_deinit(&snapshot); /* plans by themselves suppress as needed */
            trial_deinit(&t);
            continue;
        }
        params_of(&t, 100000, params, sizeof params);
        const json_t *answer = hand_ask(&call, &snapshot, web_cloud, params);
        assert_true(json_is_true(json_object_get(answer, "complete")));
        assert_int_equal(hand_number(answer, "n"), fitting_schemes(&t));
        assert_int_equal(hand_number(answer, "schemes"), t.lattice.n_schemes);
        assert_int_equal(hand_number(answer, "looked_at"), t.lattice.n_schemes);
        assert_int_equal(hand_number(answer, "unfit"), t.lattice.n_schemes - fitting_schemes(&t));
        expect_points(&t, answer);
        hand_free(&call);
        params_of(&t, 3, params, sizeof params);
        answer = hand_ask(&call, &snapshot, web_cloud, params);
        assert_true(hand_number(answer, "n") <= 3);
        assert_true(json_is_true(json_object_get(answer, "complete")) ==
                    (t.lattice.n_schemes <= 3));
        expect_points(&t, answer);
        hand_free(&call);
        hand_snapshot_deinit(&snapshot);
        trial_deinit(&t);
    }
}

/* A larger lattice: the same sample every time, of any number of threads. */
static void samples_are_the_same_every_time(void **state)
{
    static const char params[] =
        "{'most': 100, 'seconds': 3000, 'objectives': 'k,l-entropy,glm,dcn,cm'}";
    search_table s = search_table_create(8, 2000);
    hand_snapshot snapshot;
    hand_call one;
    hand_call three;
    (void)state;
    hand_snapshot_init(&snapshot, &s.study, NULL);
    assert_int_equal(hand_run(&one, &snapshot, web_cloud, 1, params), PV_STATUS_OK);
    assert_int_equal(hand_run(&three, &snapshot, web_cloud, 3, params), PV_STATUS_OK);
    assert_true(json_equal(one.result, three.result));
    const double n = hand_number(one.result, "n");
    assert_true(n > 30 && n <= 100);
    assert_false(json_is_true(json_object_get(one.result, "complete")));
    hand_free(&one);
    hand_free(&three);
    hand_snapshot_deinit(&snapshot);
    search_table_free(&s);
}

/* A hierarchy of more levels than a digit can say. */
static void high_hierarchies_have_two_digits(void **state)
{
    static const char plan[] = "attributes:\n"
                               "  code: {role: quasi, hierarchy: {mask: right}}\n"
                               "  sex: {role: quasi}\n";
    static const char csv[] = "code,sex\n"
                              "abcdefghijabcdefghijabcdefghijabcdefghij,f\n"
                              "abcdefghijabcdefghijabcdefghijabcdefghix,m\n"
                              "bbcdefghijabcdefghijabcdefghijabcdefghij,f\n"
                              "bbcdefghijabcdefghixabcdefghijabcdefghij,m\n";
    bound_study s = bound_study_create(plan, csv);
    hand_snapshot snapshot;
    hand_call call;
    unsigned highest = 0;
    (void)state;
    hand_snapshot_init(&snapshot, &s, NULL);
    const unsigned height = pv_hierarchy_height(pv_study_hierarchy(s.study, 0));
    assert_true(height > 35);
    const json_t *const answer = hand_ask(&call, &snapshot, web_cloud, "{}");
    const json_t *const levels = json_object_get(answer, "levels");
    assert_int_equal(hand_number(answer, "digits"), 2);
    for (size_t i = 0; i < json_array_size(levels); i++) {
        const char *const text = json_string_value(json_array_get(levels, i));
        assert_int_equal(strlen(text), 4);
        const unsigned level = level_in(text, 0, 2);
        assert_true(level <= height && level_in(text, 1, 2) <= 1);
        highest = level > highest ? level : highest;
    }
    assert_true(highest > 35);
    hand_free(&call);
    hand_snapshot_deinit(&snapshot);
    bound_study_free(&s);
}

/* What was looked at before it was stopped. */
static void clouds_can_be_stopped(void **state)
{
    search_table s = search_table_create(8, 400);
    hand_snapshot snapshot;
    (void)state;
    hand_snapshot_init(&snapshot, &s.study, NULL);
    for (size_t patience = 0; patience < 4; patience++) {
        hand_call call;
        const pv_status status =
            hand_run_stopped(&call, &snapshot, web_cloud, patience, "{'most': 100000}");
        assert_true(json_is_object(call.result));
        /* What was done before it heard of it is no failure. */
        if (status != PV_STATUS_OK || patience == 0) {
            assert_int_equal(status, PV_STATUS_CANCELLED);
            assert_false(json_is_true(json_object_get(call.result, "complete")));
        }
        hand_free(&call);
    }
    hand_snapshot_deinit(&snapshot);
    search_table_free(&s);
}

/* The cloud grows while it is looked at: stopped after a second at the earliest, of a table that
 * takes much longer. */
static void partial_clouds_are_shown(void **state)
{
    search_table s = search_table_create(10, 4000);
    hand_snapshot snapshot;
    hand_call call;
    (void)state;
    hand_snapshot_init(&snapshot, &s.study, NULL);
    const pv_status status = hand_run_stopped(&call, &snapshot, web_cloud, 12, "{'most': 500000}");
    assert_true(status == PV_STATUS_CANCELLED || status == PV_STATUS_OK);
    assert_true(call.n_partials >= 1);
    assert_true(hand_number(call.partial, "n") > 0);
    assert_true(hand_number(call.partial, "n") <= 10000);
    assert_false(json_is_true(json_object_get(call.partial, "complete")));
    hand_free(&call);
    hand_snapshot_deinit(&snapshot);
    search_table_free(&s);
}

static void nonsense_is_refused(void **state)
{
    static const char *const wrong[] = {
        "{'objectives': 'k'}",      "{'objectives': ['k', 'no-such']}",
        "{'objectives': [1, 2]}",   "{'most': 0}",
        "{'most': 500001}",         "{'most': 1.5}",
        "{'require': 'no-such=1'}", "{'suppression': 'all'}",
        "{'seconds': -1}",          "{'more': 5}"};
    search_table s = search_table_create(2, 30);
    hand_snapshot snapshot;
    (void)state;
    hand_snapshot_init(&snapshot, &s.study, NULL);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        hand_refuse(&snapshot, web_cloud, wrong[i], PV_STATUS_ARGUMENT);
    }
    hand_snapshot_deinit(&snapshot);
    search_table_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_schemes_are_there),
        cmocka_unit_test(samples_are_the_same_every_time),
        cmocka_unit_test(high_hierarchies_have_two_digits),
        cmocka_unit_test(clouds_can_be_stopped),
        cmocka_unit_test(partial_clouds_are_shown),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests_name("cloud", tests, NULL, NULL);
}
