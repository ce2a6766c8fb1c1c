/* Volumes and indicators when memory runs out at every allocation. */
#include "base/error.h"
#include "front/indicators.h"
#include "support/failing_alloc.h"

#include <string.h>

static const double values[][PV_MAX_OBJECTIVES] = {
    {1, 0.5, 0.25, 0.75, 1}, {0.5, 1, 0.5, 0.5, 1}, {0.25, 0.25, 1, 1, 0.5}};
enum { N_POINTS = 3 };

static pv_status measure(void *ctx, pv_error *error)
{
    const size_t dims = *(const size_t *)ctx;
    double points[N_POINTS * PV_MAX_OBJECTIVES];
    double volume = -1;
    bool estimated;
    for (size_t i = 0; i < N_POINTS; i++) {
        memcpy(points + i * dims, values[i], dims * sizeof *points);
    }
    if (!pv_i_hypervolume(points, N_POINTS, dims, &volume, &estimated)) {
        assert_true(volume == -1);
        return pv_i_no_memory(error);
    }
    return PV_STATUS_OK;
}

static void volumes_fail_cleanly(void **state)
{
    (void)state;
    for (size_t dims = 1; dims <= 5; dims++) {
        assert_true(failing_alloc_every(measure, &dims) >= 1);
    }
}

static const pv_measure_ref *objectives(void)
{
    static pv_measure_ref refs[3];
    refs[0].measure = pv_measure_find("k");
    refs[1].measure = pv_measure_find("glm");
    refs[2].measure = pv_measure_find("cm");
    return refs;
}

static pv_status measure_archive(void *ctx, pv_error *error)
{
    const double worst[] = {0, -1, -1};
    const double best[] = {1, 0, 0};
    double volume = -1;
    bool estimated;
    return pv_i_archive_volume(ctx, worst, best, NULL, &volume, &estimated) ? PV_STATUS_OK
                                                                            : pv_i_no_memory(error);
}

static void archives_fail_cleanly(void **state)
{
    const uint8_t levels[1] = {0};
    pv_archive archive;
    (void)state;
    pv_i_archive_init(&archive, objectives(), 3, 1, NULL);
    for (size_t i = 0; i < N_POINTS; i++) {
        assert_true(pv_i_archive_offer(&archive, values[i], levels, 1, 0));
    }
    assert_true(failing_alloc_every(measure_archive, &archive) > 2);
    pv_i_archive_deinit(&archive);
}

static pv_status compare(void *ctx, pv_error *error)
{
    static const double reference[] = {1, 0.5, 0.25, 0.5, 0.25, 0.5, 0.25, 0.25, 0.25};
    pv_indicators indicators = {.boxes = 77};
    const pv_status status = pv_front_compare(ctx, reference, 3, &indicators, error);
    assert_true((indicators.boxes == 77) == (status != PV_STATUS_OK));
    return status;
}

static void indicators_fail_cleanly(void **state)
{
    pv_point points[N_POINTS];
    pv_front front = {.n_objectives = 3, .points = points, .n_points = N_POINTS};
    (void)state;
    memcpy(front.objectives, objectives(), 3 * sizeof *front.objectives);
    for (size_t i = 0; i < N_POINTS; i++) {
        points[i] = (pv_point){.values = values[i]};
    }
    assert_true(failing_alloc_every(compare, &front) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(volumes_fail_cleanly),
        cmocka_unit_test(archives_fail_cleanly),
        cmocka_unit_test(indicators_fail_cleanly),
    };
    return cmocka_run_group_tests_name("indicators without memory", tests, NULL, NULL);
}
