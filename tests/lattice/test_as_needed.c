/* Suppression as needed, what it is for: a larger budget is never worse, nor is anything worse than
 * with the whole budget spent; and the best scheme is on the front. On random tables. */
#include "lattice/best.h"

#include "base/memory.h"
#include "support/front_search.h"
#include "support/testing.h"

/* No worse in any objective. */
static bool covers(const pv_front *front, const pv_point *a, const pv_point *b)
{
    for (size_t o = 0; o < front->n_objectives; o++) {
        const bool more = front->objectives[o].measure->direction == PV_MORE_IS_BETTER;
        const bool worse = more ? a->values[o] < b->values[o] : a->values[o] > b->values[o];
        if (worse && !oracle_near(a->values[o], b->values[o])) {
            return false;
        }
    }
    return true;
}

static void expect_covered(const random_study *s, const pv_front *better, const pv_front *worse)
{
    for (size_t i = 0; i < worse->n_points; i++) {
        bool covered = false;
        for (size_t j = 0; j < better->n_points; j++) {
            covered |= covers(better, &better->points[j], &worse->points[i]);
        }
        if (!covered) {
            fail_msg("%s with budget %llu has a point that is lost with budget %llu\n%s\n%s",
                     worse->objectives[1].measure->name,
                     (unsigned long long)worse->suppression.budget,
                     (unsigned long long)better->suppression.budget, s->csv.data, s->text.data);
        }
    }
}

static pv_front *front_of(const random_study *s, const char *const *objectives, const char *method,
                          pv_suppression rule)
{
    const search_request request = {
        .objectives = objectives, .method = method, .suppression = rule, .threads = 1};
    return search_front(s->profile, &request);
}

static void on_tables(uint64_t seed, size_t n, void (*check)(random_study *s))
{
    pv_rng rng;
    pv_i_rng_init(&rng, seed);
    for (size_t i = 0; i < effort(n); i++) {
        const random_shape shape = trial_shape(&rng);
        random_study s;
        random_study_init(&s, &rng, &shape);
        check(&s);
        random_study_deinit(&s);
    }
}

/* ------------------------------------------------------------- larger budgets */

static void enlarge_budget(random_study *s)
{
    static const char *const questions[][4] = {
        {"k", "glm"}, {"k", "nwp"}, {"k", "dcn"}, {"k", "glm", "dcn"}, {"risk", "nwp", "glm"}};
    const size_t n = s->table.n_rows;
    const char *const *const objectives = questions[random_below(s, 5)];
    const char *const method = random_one_in(s, 2) ? "exact" : "exhaustive";
    const uint64_t target = random_one_in(s, 3) ? 1 + random_below(s, 1 + n / 3) : 0;
    pv_suppression rule = {.target_k = target};
    pv_front *before = front_of(s, objectives, method, rule);
    for (size_t i = 0; i < 3; i++) {
        rule.budget += 1 + random_below(s, 1 + n / 4);
        pv_front *const after = front_of(s, objectives, method, rule);
        expect_covered(s, after, before);
        pv_front_free(before);
        before = after;
    }
    pv_front_free(before);
}

static void a_larger_budget_is_never_worse(void **state)
{
    (void)state;
    on_tables(61, 600, enlarge_budget);
}

/* ----------------------------------------------------------- the whole budget */

static void spend_all(random_study *s)
{
    random_trial t = {.study = *s};
    pv_suppression rule = {.budget = random_below(s, s->table.n_rows + 2)};
    trial_ask(&t, NULL);
    pv_front *const needed = front_of(s, t.names, "exhaustive", rule);
    rule.whole_budget = true;
    pv_front *const whole = front_of(s, t.names, "exhaustive", rule);
    expect_covered(s, needed, whole);
    for (size_t i = 0; i < whole->n_points; i++) { /* that is, the rule was another one */
        search_expect_measured(s->profile, whole, &whole->points[i], rule);
    }
    pv_front_free(needed);
    pv_front_free(whole);
}

static void spending_the_whole_budget_is_never_better(void **state)
{
    (void)state;
    on_tables(62, 600, spend_all);
}

/* With a target there is one rule only. */
static void spend_for_a_target(random_study *s)
{
    static const char *const objectives[] = {"k", "glm", NULL};
    const size_t n = s->table.n_rows;
    pv_suppression rule = {.budget = random_below(s, n + 2),
                           .target_k = 1 + random_below(s, 1 + n / 3)};
    pv_front *const needed = front_of(s, objectives, "exact", rule);
    rule.whole_budget = true;
    pv_front *const whole = front_of(s, objectives, "exact", rule);
    search_expect_same(needed, whole);
    pv_front_free(needed);
    pv_front_free(whole);
}

static void with_a_target_there_is_one_rule(void **state)
{
    (void)state;
    on_tables(63, 100, spend_for_a_target);
}

/* ------------------------------------------------------------ the best scheme */

static double glm_of(const pv_profile *profile, const uint8_t *levels, uint64_t budget, uint64_t k)
{
    const pv_measure_ref glm = {.measure = pv_measure_find("glm")};
    pv_classes *const classes = bound_classes(profile, levels, budget, k);
    double value = -1;
    assert_true(pv_classes_feasible(classes));
    assert_int_equal(pv_measure_value(glm, classes, &value, NULL), PV_STATUS_OK);
    pv_classes_free(classes);
    return value;
}

/* The least loss with this k; infinite if there is none. */
static double best_loss(const pv_profile *profile, uint64_t budget, uint64_t k)
{
    const pv_constraint demand = {.ref = {.measure = pv_measure_find("k")}, .bound = (double)k};
    const pv_measure_ref glm = {.measure = pv_measure_find("glm")};
    const pv_context context = {.threads = 1};
    const pv_best_settings settings = {.context = &context};
    pv_meter meter;
    pv_quest quest;
    pv_best_found found;
    assert_int_equal(pv_i_meter_init(&meter, glm, profile, NULL), PV_STATUS_OK);
    assert_int_equal(pv_i_quest_init(&quest, profile, &meter, &demand, 1, budget, NULL, NULL, NULL),
                     PV_STATUS_OK);
    assert_int_equal(pv_i_best(&quest, &settings, &found, NULL), PV_STATUS_OK);
    assert_true(found.proven);
    const double loss = found.found ? glm_of(profile, found.levels, budget, k) : (double)INFINITY;
    pv_i_free(found.levels);
    pv_i_quest_deinit(&quest);
    pv_i_meter_deinit(&meter);
    return loss;
}

static void find_best(random_study *s)
{
    static const char *const objectives[] = {"k", "glm", NULL};
    const size_t n = s->table.n_rows;
    const pv_suppression rule = {.budget = random_below(s, n + 2)};
    pv_front *const front = front_of(s, objectives, "exact", rule);
    for (uint64_t k = 1; k <= n + 1; k++) {
        double least = (double)INFINITY;
        for (size_t i = 0; i < front->n_points; i++) {
            least = front->points[i].k >= k ? fmin(least, front->points[i].values[1]) : least;
        }
        const double best = best_loss(s->profile, rule.budget, k);
        if (isinf(least) ? !isinf(best) : !oracle_near(best, least)) {
            fail_msg("k = %llu costs %.17g, but %.17g on the front\n%s\n%s", (unsigned long long)k,
                     best, least, s->csv.data, s->text.data);
        }
    }
    pv_front_free(front);
}

static void the_best_scheme_is_on_the_front(void **state)
{
    (void)state;
    on_tables(64, 300, find_best);
}

static void find_better(random_study *s)
{
    const size_t n = s->table.n_rows;
    const uint64_t k = 1 + random_below(s, 1 + n / 2);
    double before = (double)INFINITY;
    for (uint64_t budget = 0; budget <= n; budget += 1 + random_below(s, 1 + n / 4)) {
        const double loss = best_loss(s->profile, budget, k);
        assert_true(loss <= before || oracle_near(loss, before));
        before = loss;
    }
}

static void with_a_larger_budget_the_best_loses_no_more(void **state)
{
    (void)state;
    on_tables(65, 300, find_better);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_larger_budget_is_never_worse),
        cmocka_unit_test(spending_the_whole_budget_is_never_better),
        cmocka_unit_test(with_a_target_there_is_one_rule),
        cmocka_unit_test(the_best_scheme_is_on_the_front),
        cmocka_unit_test(with_a_larger_budget_the_best_loses_no_more),
    };
    return cmocka_run_group_tests_name("suppression as needed", tests, NULL, NULL);
}
