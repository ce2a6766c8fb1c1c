/* Seeds: in a large lattice the front has the best schemes for a ladder of k, as the search for the
 * one best scheme proves them; the same front on any number of threads; memory that runs out. */
#include "support/failing_alloc.h"
#include "support/front_search.h"

#include "base/error.h"
#include "base/memory.h"
#include "lattice/best.h"
#include "lattice/seeds.h"

#include <math.h>

static const char *const objectives[] = {"k", "l-distinct", "glm", NULL};

/* The least loss with at least this k, proven. */
static double least_loss(const pv_profile *profile, uint64_t k)
{
    pv_meter glm;
    pv_quest quest;
    pv_best_found found;
    const pv_best_settings settings = {.seed = 1};
    pv_error error = {0};
    assert_int_equal(
        pv_i_meter_init(&glm, (pv_measure_ref){.measure = pv_measure_find("glm")}, profile, &error),
        PV_STATUS_OK);
    assert_int_equal(pv_i_quest_init(&quest, profile, &glm, NULL, 0, 0, NULL, NULL, &error),
                     PV_STATUS_OK);
    quest.k = k;
    assert_int_equal(pv_i_best(&quest, &settings, &found, &error), PV_STATUS_OK);
    assert_true(found.found && found.proven);
    const double loss = glm.entry->separable(glm.state, found.levels);
    pv_i_free(found.levels);
    pv_i_quest_deinit(&quest);
    pv_i_meter_deinit(&glm);
    return loss;
}

static void fronts_have_the_best_schemes(void **state)
{
    static const uint64_t some[] = {2, 3, 5, 10, 20};
    search_table s = search_table_create(10, 120);
    search_request request = {.objectives = objectives,
                              .method = "pbg-hybrid",
                              .threads = 2,
                              .iterations = effort_is_whole() ? 300 : 60};
    (void)state;
    pv_front *const front = search_front(s.profile, &request);
    assert_true(front->proof_nodes > 0);
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        const double expected = least_loss(s.profile, some[i]);
        double found = HUGE_VAL;
        for (size_t p = 0; p < front->n_points; p++) {
            if (front->points[p].k >= some[i]) {
                found = fmin(found, front->points[p].values[2]);
            }
        }
        assert_true(found <= expected + 1); /* of schemes that lose the same cells one is kept */
    }
    request.threads = 1;
    pv_front *const alone = search_front(s.profile, &request);
    search_expect_same(front, alone);
    pv_front_free(alone);
    pv_front_free(front);
    search_table_free(&s);
}

/* However long nothing new comes up, it does not stall. */
static void it_does_not_give_up(void **state)
{
    search_table s = search_table_create(10, 40);
    const search_request request = {
        .objectives = objectives, .method = "pbg-hybrid", .threads = 2, .iterations = 40};
    (void)state;
    pv_front *const front = search_front(s.profile, &request);
    assert_int_equal(front->stop, PV_STOP_FINISHED);
    assert_int_equal(front->iterations, 40);
    assert_false(front->complete);
    pv_front_free(front);
    search_table_free(&s);
}

/* ------------------------------------------------------------ out of memory */

static pv_status ask_some(void *ctx, pv_error *error)
{
    const search_table *const s = ctx;
    pv_measure_ref refs[PV_MAX_OBJECTIVES];
    const pv_search_options options = {.objectives = refs,
                                       .n_objectives = search_objectives(objectives, refs)};
    pv_run run;
    pv_seeds *seeds = NULL;
    uint8_t levels[16];
    pv_status status = pv_i_run_init(&run, s->profile, &options, NULL, error);
    if (status != PV_STATUS_OK) {
        return status;
    }
    status = pv_i_seeds_create(&run, &seeds, error);
    for (size_t i = 0; i < 2 && status == PV_STATUS_OK; i++) {
        bool found;
        status = pv_i_seeds_next(seeds, levels, &found, error);
    }
    pv_i_seeds_free(seeds);
    pv_i_run_deinit(&run);
    return status;
}

static void running_out_of_memory_is_told(void **state)
{
    search_table s = search_table_create(2, 30);
    (void)state;
    assert_true(failing_alloc_every(ask_some, &s) > 20);
    search_table_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fronts_have_the_best_schemes),
        cmocka_unit_test(it_does_not_give_up),
        cmocka_unit_test(running_out_of_memory_is_told),
    };
    return cmocka_run_group_tests_name("seeds", tests, NULL, NULL);
}
