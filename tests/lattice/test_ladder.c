/* The ladder: from the top to the bottom, every rung above the next, and by the definition the best
 * rise at every step. */
#include "support/random_study.h"

#include "base/memory.h"
#include "lattice/loss_order.h"

#include <math.h>

typedef struct {
    random_study study;
    pv_run run;
    uint8_t *rungs;
    size_t n;
} subject;

static subject subject_create(pv_rng *rng, const char *privacy, const char *loss)
{
    const random_shape shape = {.n_rows = 60,
                                .n_quasi = 1 + (size_t)pv_i_rng_below(rng, 5),
                                .n_values = 2 + (size_t)pv_i_rng_below(rng, 8),
                                .heights = 3};
    subject s = {0};
    pv_measure_ref objectives[2];
    pv_error error = {0};
    random_study_init(&s.study, rng, &shape);
    bound_must(pv_measure_parse(privacy, &objectives[0], &error), &error);
    bound_must(pv_measure_parse(loss, &objectives[1], &error), &error);
    const pv_search_options options = {.objectives = objectives, .n_objectives = 2};
    bound_must(pv_i_run_init(&s.run, s.study.profile, &options, NULL, &error), &error);
    bound_must(pv_i_ladder(&s.run, &s.rungs, &s.n, &error), &error);
    return s;
}

static void subject_free(subject *s)
{
    pv_i_free(s->rungs);
    pv_i_run_deinit(&s->run);
    random_study_deinit(&s->study);
}

static size_t rises_between(const subject *s, size_t lower, size_t *axis)
{
    const size_t n_axes = s->run.lattice.n_axes;
    const uint8_t *const low = s->rungs + lower * n_axes;
    const uint8_t *const high = low - n_axes;
    size_t n = 0;
    for (size_t a = 0; a < n_axes; a++) {
        assert_true(high[a] >= low[a]);
        if (high[a] > low[a]) {
            *axis = a;
            n++;
        }
    }
    return n;
}

static void it_leads_from_end_to_end(void **state)
{
    static const char *const losses[] = {"glm", "nwp", "dcn", "precision"};
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 5);
    for (size_t i = 0; i < 100; i++) {
        subject s = subject_create(&rng, "k", losses[i % 4]);
        const size_t n_axes = s.run.lattice.n_axes;
        size_t axis;
        assert_memory_equal(s.rungs, s.run.lattice.heights, n_axes);
        for (size_t a = 0; a < n_axes; a++) {
            assert_int_equal(s.rungs[(s.n - 1) * n_axes + a], 0);
        }
        for (size_t r = 1; r < s.n; r++) {
            assert_int_equal(rises_between(&s, r, &axis), 1);
        }
        subject_free(&s);
    }
}

/* The chance that two different draws of a person fall into one group of an attribute, at a level
 * of the search's lattice. */
static double chance_alike(const subject *s, size_t axis, unsigned level)
{
    const pv_study *const study = pv_profile_study(s->study.profile);
    const pv_hierarchy *const h = pv_study_hierarchy(study, axis);
    const unsigned real = pv_i_lattice_real(&s->run.lattice, axis, level);
    const size_t column = pv_study_quasi_column(study, axis);
    const pv_table *const table = pv_study_table(study);
    double chance = 0;
    for (uint32_t a = 0; a < pv_hierarchy_leaves(h); a++) {
        for (uint32_t b = 0; b < pv_hierarchy_leaves(h); b++) {
            if (pv_hierarchy_group(h, real, a) == pv_hierarchy_group(h, real, b)) {
                chance += (double)pv_table_count(table, column, pv_hierarchy_code(h, a)) *
                          (double)pv_table_count(table, column, pv_hierarchy_code(h, b));
            }
        }
    }
    return chance;
}

static double worth(const subject *s, const uint8_t *from, size_t axis, unsigned level)
{
    const pv_meter *const glm = &s->run.meters[1];
    uint8_t to[16];
    memcpy(to, from, s->run.lattice.n_axes);
    to[axis] = (uint8_t)level;
    const double lost =
        pv_i_run_separable(&s->run, glm, to) - pv_i_run_separable(&s->run, glm, from);
    const double gained = log(chance_alike(s, axis, level) / chance_alike(s, axis, from[axis]));
    return lost > 0 ? gained / lost : (double)INFINITY;
}

static void every_rise_is_the_best(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 6);
    for (size_t i = 0; i < 50; i++) {
        subject s = subject_create(&rng, "k", "glm");
        const size_t n_axes = s.run.lattice.n_axes;
        for (size_t r = 1; r < s.n; r++) {
            const uint8_t *const from = s.rungs + r * n_axes;
            size_t axis = 0;
            assert_int_equal(rises_between(&s, r, &axis), 1);
            const double taken = worth(&s, from, axis, (from - n_axes)[axis]);
            for (size_t a = 0; a < n_axes; a++) {
                for (unsigned l = from[a] + 1u; l <= s.run.lattice.heights[a]; l++) {
                    assert_true(worth(&s, from, a, l) <= taken + 1e-9 * fabs(taken));
                }
            }
        }
        subject_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_leads_from_end_to_end),
        cmocka_unit_test(every_rise_is_the_best),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
