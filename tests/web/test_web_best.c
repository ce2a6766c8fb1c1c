/* The endpoint `best`: against every scheme of small random tables, impossible demands, all kinds
 * of schemes. */
#include "support/random_study.h"
#include "web/by_hand.h"

#include <math.h>
#include <stdlib.h>

/* ------------------------------------------------------------- brute force */

typedef struct {
    bool found;
    double loss;
    uint64_t most_k; /* with which anything is possible */
} truth;

static bool next_levels(const pv_study *study, uint8_t *levels)
{
    for (size_t q = 0; q < pv_study_quasis(study); q++) {
        if (levels[q] < pv_hierarchy_height(pv_study_hierarchy(study, q))) {
            levels[q]++;
            return true;
        }
        levels[q] = 0;
    }
    return false;
}

/* The loss of a scheme with just the classes suppressed that k asks for; false if these are too
 * many. */
static bool loss_of(const pv_profile *profile, const uint8_t *levels, uint64_t budget, uint64_t k,
                    double *loss)
{
    const pv_suppression rule = {.budget = budget, .target_k = k};
    const pv_measure_ref glm = {.measure = pv_measure_find("glm")};
    pv_classes *classes = NULL;
    pv_error error = {0};
    bound_must(pv_classes_create(profile, levels, &rule, &classes, &error), &error);
    const bool good = pv_classes_feasible(classes);
    if (good) {
        bound_must(pv_measure_value(glm, classes, loss, &error), &error);
    }
    pv_classes_free(classes);
    return good;
}

static truth brute_force(const pv_study *study, const pv_profile *profile, uint64_t budget,
                         uint64_t k)
{
    uint8_t levels[16] = {0};
    truth t = {.loss = (double)INFINITY};
    do {
        double loss = 0;
        if (loss_of(profile, levels, budget, k, &loss)) {
            t.found = true;
            t.loss = fmin(t.loss, loss);
        }
        while (loss_of(profile, levels, budget, t.most_k + 1, &loss)) {
            t.most_k++;
        }
    } while (next_levels(study, levels));
    return t;
}

static random_shape small_shape(pv_rng *rng)
{
    return (random_shape){.n_rows = 5 + (size_t)pv_i_rng_below(rng, 30),
                          .n_quasi = 1 + (size_t)pv_i_rng_below(rng, 3),
                          .n_values = 5,
                          .n_sensitive = 1,
                          .heights = 3,
                          .copies = 3};
}

static void levels_of(const json_t *spec, uint8_t *levels)
{
    const json_t *const list = json_object_get(spec, "levels");
    for (size_t q = 0; q < json_array_size(list); q++) {
        levels[q] = (uint8_t)json_integer_value(json_array_get(list, q));
    }
}

/* The spec has what the answer says; the document is that of release. */
static void expect_best(const json_t *answer, const pv_profile *profile, const truth *t,
                        uint64_t budget, uint64_t k)
{
    const json_t *const best = json_object_get(answer, "best");
    uint8_t levels[16] = {0};
    double loss = 0;
    assert_true(json_is_null(json_object_get(answer, "impossible")));
    assert_true(json_is_true(json_object_get(best, "proven")));
    assert_string_equal(hand_text(best, "scheme"), "levels");
    assert_true(fabs(hand_number(best, "value") - t->loss) <= 1e-9 * fmax(1, t->loss));
    levels_of(json_object_get(answer, "spec"), levels);
    assert_true(loss_of(profile, levels, budget, k, &loss));
    assert_true(fabs(loss - t->loss) <= 1e-9 * fmax(1, t->loss));
    assert_int_equal(strncmp(hand_text(answer, "sentence"), "Keeps k >= ", 11), 0);
}

static void expect_impossible(const json_t *answer, const truth *t, uint64_t k)
{
    const json_t *const why = json_object_get(answer, "impossible");
    const json_t *const possible = json_object_get(why, "possible");
    assert_true(json_is_null(json_object_get(answer, "best")));
    assert_true(json_is_null(json_object_get(answer, "spec")));
    assert_true(json_is_true(json_object_get(why, "proven")));
    assert_int_equal(hand_number(json_object_get(why, "demand"), "bound"), k);
    assert_true(json_is_true(json_object_get(why, "most")));
    assert_int_equal(hand_number(possible, "bound"), t->most_k);
    assert_non_null(strstr(hand_text(answer, "sentence"), "would be possible."));
}

static void the_best_is_found(void **state)
{
    pv_rng rng;
    size_t n_impossible = 0;
    (void)state;
    pv_i_rng_init(&rng, 77);
    for (size_t i = 0; i < effort(80); i++) {
        const random_shape shape = small_shape(&rng);
        random_study s;
        hand_snapshot snapshot;
        hand_call call;
        char params[128];
        random_study_init(&s, &rng, &shape);
        hand_snapshot_init(&snapshot, &s.bound, NULL);
        const pv_profile *const profile = snapshot.snapshot.opened.profile;
        const uint64_t rows = pv_profile_rows(profile);
        const uint64_t budget = pv_i_rng_below(&rng, 2) == 0 ? 0 : pv_i_rng_below(&rng, rows / 3);
        const uint64_t k = 1 + pv_i_rng_below(&rng, rows + rows / 3);
        const truth t = brute_force(s.bound.study, profile, budget, k);
        (void)snprintf(params, sizeof params,
                       "{'require': 'k=%llu', 'suppression': '%llu', 'seconds': 60}",
                       (unsigned long long)k, (unsigned long long)budget);
        const json_t *const answer = hand_ask(&call, &snapshot, web_best, params);
        if (t.found) {
            expect_best(answer, profile, &t, budget, k);
        } else {
            expect_impossible(answer, &t, k);
            n_impossible++;
        }
        hand_free(&call);
        hand_snapshot_deinit(&snapshot);
        random_study_deinit(&s);
    }
    assert_true(n_impossible > 3 || !effort_is_whole());
}

/* ----------------------------------------------------------- a table by hand */

static const char plan[] =
    "suppression: 10%\n"
    "attributes:\n"
    "  age: {role: quasi, hierarchy: {intervals: [10, 20, 40]}}\n"
    "  town: {role: quasi, hierarchy: {rows: [[Ulm, South], [Linz, South], [Kiel, North]]}}\n"
    "  illness: {role: sensitive}\n";

static bound_study people(void)
{
    static const char *const towns[] = {"Ulm", "Linz", "Kiel"};
    static const char *const illnesses[] = {"flu", "gout", "acne", "rash"};
    pv_buffer csv = {0};
    pv_i_buffer_text(&csv, "age,town,illness\n");
    for (unsigned i = 0; i < 60; i++) {
        pv_i_buffer_format(&csv, "%u,%s,%s\n", 20 + i * 7 % 40, towns[i * 5 % 7 % 3],
                           illnesses[i % 4]);
    }
    const bound_study s = bound_study_create(plan, csv.data);
    pv_i_buffer_deinit(&csv);
    return s;
}

static void every_kind_has_a_spec(void **state)
{
    bound_study s = people();
    hand_snapshot snapshot;
    hand_call call;
    (void)state;
    hand_snapshot_init(&snapshot, &s, NULL);
    const json_t *answer =
        hand_ask(&call, &snapshot, web_best, "{'require': ['k=4', 'l-distinct=2'], 'seconds': 60}");
    const json_t *spec = json_object_get(answer, "spec");
    assert_string_equal(hand_text(spec, "scheme"), "levels");
    assert_string_equal(hand_text(spec, "require"), "k=4,l-distinct=2");
    assert_null(json_object_get(spec, "suppression"));
    assert_int_equal(json_array_size(json_object_get(spec, "levels")), 2);
    hand_free(&call);
    answer = hand_ask(&call, &snapshot, web_best,
                      "{'require': 'k=4', 'scheme': 'cuts', 'suppression': '0', 'seconds': 60}");
    spec = json_object_get(answer, "spec");
    assert_string_equal(hand_text(spec, "scheme"), "cuts");
    assert_string_equal(hand_text(spec, "suppression"), "0");
    assert_int_equal(json_object_size(json_object_get(spec, "cuts")), 2);
    assert_string_equal(hand_text(json_object_get(answer, "best"), "scheme"), "cuts");
    hand_free(&call);
    answer = hand_ask(&call, &snapshot, web_best,
                      "{'require': 'k=4', 'scheme': 'local', 'minimize': 'nwp'}");
    spec = json_object_get(answer, "spec");
    assert_string_equal(hand_text(spec, "scheme"), "local");
    assert_string_equal(hand_text(spec, "minimize"), "nwp");
    assert_string_equal(hand_text(json_object_get(answer, "local"), "measure"), "nwp");
    assert_true(json_is_null(json_object_get(answer, "best")));
    hand_free(&call);
    hand_snapshot_deinit(&snapshot);
    bound_study_free(&s);
}

static void neighbours_only_if_asked_for(void **state)
{
    bound_study s = people();
    hand_snapshot snapshot;
    hand_call call;
    (void)state;
    hand_snapshot_init(&snapshot, &s, NULL);
    const json_t *best = json_object_get(
        hand_ask(&call, &snapshot, web_best, "{'require': 'k=3', 'seconds': 60}"), "best");
    assert_int_equal(json_array_size(json_object_get(best, "neighbours")), 0);
    hand_free(&call);
    best = json_object_get(hand_ask(&call, &snapshot, web_best,
                                    "{'require': 'k=3', 'neighbours': true, 'seconds': 60}"),
                           "best");
    const json_t *const neighbours = json_object_get(best, "neighbours");
    assert_true(json_array_size(neighbours) >= 2);
    assert_string_equal(hand_text(json_array_get(neighbours, 0), "demand"), "k >= 4");
    assert_true(call.n_partials > 0); /* the best alone was there before */
    hand_free(&call);
    hand_snapshot_deinit(&snapshot);
    bound_study_free(&s);
}

/* What is too much is named, and what would be possible, by the demands in their order. */
static void what_is_too_much_is_said(void **state)
{
    bound_study s = people();
    hand_snapshot snapshot;
    hand_call call;
    (void)state;
    hand_snapshot_init(&snapshot, &s, NULL);
    const json_t *answer =
        hand_ask(&call, &snapshot, web_best,
                 "{'require': 'k=4,l-distinct=9', 'suppression': '0', 'seconds': 60}");
    const json_t *const why = json_object_get(answer, "impossible");
    assert_string_equal(hand_text(json_object_get(why, "demand"), "constraint"), "l-distinct >= 9");
    assert_string_equal(hand_text(json_object_get(why, "possible"), "constraint"),
                        "l-distinct >= 4");
    assert_true(json_is_true(json_object_get(why, "together")));
    assert_string_equal(hand_text(answer, "sentence"),
                        "No way to generalize keeps l-distinct >= 9 together with the demands "
                        "before it with at most 0 rows suppressed: this is proven. At most "
                        "l-distinct >= 4 would be possible.");
    assert_true(call.n_partials == 1);
    hand_free(&call);
    answer = hand_ask(&call, &snapshot, web_best,
                      "{'require': 'k=61', 'scheme': 'local', 'suppression': '0'}");
    assert_true(json_is_object(json_object_get(answer, "impossible")));
    hand_free(&call);
    hand_snapshot_deinit(&snapshot);
    bound_study_free(&s);
}

static void nonsense_is_refused(void **state)
{
    static const char *const wrong[] = {"{'require': 5}",
                                        "{'require': ['k=2', 3]}",
                                        "{'require': 'k=nothing'}",
                                        "{'require': 'no-such=2'}",
                                        "{'require': 'k=2', 'scheme': 'cells'}",
                                        "{'require': 'k=2', 'scheme': ['cuts']}",
                                        "{'require': 'k=2', 'suppression': 5}",
                                        "{'require': 'k=2', 'suppression': 'a few'}",
                                        "{'require': 'k=2', 'seconds': 0}",
                                        "{'require': 'k=2', 'seconds': 'long'}",
                                        "{'require': 'k=2', 'seconds': 1e300}",
                                        "{'require': 'k=2', 'neighbours': 1}",
                                        "{'require': 'k=2', 'minimize': 'k'}",
                                        "{'require': 'k=2', 'minimise': 'glm'}",
                                        "{'scheme': 'local'}"};
    bound_study s = people();
    hand_snapshot snapshot;
    (void)state;
    hand_snapshot_init(&snapshot, &s, NULL);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        hand_refuse(&snapshot, web_best, wrong[i], PV_STATUS_ARGUMENT);
    }
    hand_snapshot_deinit(&snapshot);
    bound_study_free(&s);
}

/* Nothing demanded: the raw table. Null is as if it were not there. */
static void nothing_has_to_be_demanded(void **state)
{
    bound_study s = people();
    hand_snapshot snapshot;
    hand_call call;
    (void)state;
    hand_snapshot_init(&snapshot, &s, NULL);
    const json_t *const answer =
        hand_ask(&call, &snapshot, web_best, "{'require': null, 'scheme': null}");
    assert_true(hand_number(json_object_get(answer, "best"), "value") <= 0);
    hand_free(&call);
    hand_snapshot_deinit(&snapshot);
    bound_study_free(&s);
}

/* Whatever it was told to stop at: an answer that is the best so far, or none. */
static void searches_can_be_stopped(void **state)
{
    static const char *const questions[] = {
        "{'require': 'k=5,l-distinct=3', 'scheme': 'cuts', 'seconds': 20}",
        "{'require': 'k=5', 'neighbours': true}", "{'require': 'k=5', 'scheme': 'local'}",
        "{'require': 'k=900'}"};
    bound_study s = people();
    hand_snapshot snapshot;
    (void)state;
    hand_snapshot_init(&snapshot, &s, NULL);
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        for (size_t patience = 0; patience < 6; patience++) {
            hand_call call;
            const pv_status status =
                hand_run_stopped(&call, &snapshot, web_best, patience, questions[i]);
            assert_true(status == PV_STATUS_OK || status == PV_STATUS_CANCELLED);
            assert_true(call.result == NULL || json_is_object(call.result));
            hand_free(&call);
        }
    }
    hand_snapshot_deinit(&snapshot);
    bound_study_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_is_found),
        cmocka_unit_test(every_kind_has_a_spec),
        cmocka_unit_test(neighbours_only_if_asked_for),
        cmocka_unit_test(what_is_too_much_is_said),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(nothing_has_to_be_demanded),
        cmocka_unit_test(searches_can_be_stopped),
    };
    return cmocka_run_group_tests_name("best", tests, NULL, NULL);
}
