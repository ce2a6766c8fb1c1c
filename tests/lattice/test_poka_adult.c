/* POkA on the Adult table: about 20% of the nodes evaluated, with nearly all of the front
 * (docs/model.md, section 5). The numbers are those of docs/papers/poka.md. */
#include "support/front_search.h"
#include "support/study.h"

static size_t common_points(const pv_front *front, const pv_front *truth)
{
    size_t n = 0;
    for (size_t i = 0; i < front->n_points; i++) {
        for (size_t j = 0; j < truth->n_points; j++) {
            n += front->points[i].values[0] == truth->points[j].values[0] &&
                 front->points[i].values[1] == truth->points[j].values[1];
        }
    }
    return n;
}

static pv_front *search(const adult *a, const char *loss, const char *method)
{
    const char *const objectives[] = {"k", loss, NULL};
    const search_request request = {.objectives = objectives,
                                    .method = method,
                                    .threads = 2,
                                    .suppression.whole_budget = true,
                                    .suppression.budget = pv_study_budget(a->study)};
    return search_front(a->profile, &request);
}

static void expect(const adult *a, const char *loss, uint64_t evaluated, size_t n_points)
{
    pv_front *const front = search(a, loss, "poka");
    assert_int_equal(front->evaluated, evaluated);
    assert_int_equal(front->n_points, n_points);
    pv_front_free(front);
}

static void eight_attributes(void **state)
{
    adult a = adult_open(ADULT "plan.yaml");
    (void)state;
    expect(&a, "glm", 4822, 42);
    expect(&a, "dcn", 2661, 29);
    pv_front *const truth = search(&a, "glm", "exact");
    pv_front *const front = search(&a, "glm", "poka");
    assert_int_equal(truth->n_points, 43);
    assert_int_equal(common_points(front, truth), 41);
    pv_front_free(front);
    pv_front_free(truth);
    adult_close(&a);
}

static void seven_attributes_and_a_label(void **state)
{
    adult a = adult_open(ADULT "plan-label.yaml");
    (void)state;
    expect(&a, "cm", 1619, 15);
    adult_close(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eight_attributes),
        cmocka_unit_test(seven_attributes_and_a_label),
    };
    return cmocka_run_group_tests_name("poka on Adult", tests, NULL, NULL);
}
