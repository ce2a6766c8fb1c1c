/* Generalizing many attributes at once, against rolling them up one after the other (which is
 * tested by itself): any levels below, keys of one and several words, counted columns, more groups
 * than fit a block, and memory that runs out. */
#include "support/failing_alloc.h"
#include "support/random_study.h"

#include "base/error.h"
#include "lattice/regroup.h"

enum { MOST_AXES = 24 };

typedef struct {
    random_study random;
    pv_lattice lattice;
    pv_layers layers;
    pv_steps steps;
} subject;

static subject subject_create(pv_rng *rng, const random_shape *shape)
{
    subject s = {0};
    random_study_init(&s.random, rng, shape);
    const pv_profile *const profile = s.random.profile;
    assert_int_equal(pv_i_lattice_init_distinct(&s.lattice, profile->study, NULL), PV_STATUS_OK);
    assert_int_equal(
        pv_i_layers_init(&s.layers, profile, shape->n_sensitive > 0, shape->label, NULL),
        PV_STATUS_OK);
    assert_true(pv_i_steps_init(&s.steps, &s.layers, &s.lattice));
    return s;
}

static void subject_free(subject *s)
{
    pv_i_steps_deinit(&s->steps);
    pv_i_layers_deinit(&s->layers);
    pv_i_lattice_deinit(&s->lattice);
    random_study_deinit(&s->random);
}

/* From one list of levels to another, attribute by attribute. */
static pv_groups roll_each(const subject *s, size_t layer, const pv_groups *from,
                           const uint8_t *below, const uint8_t *path)
{
    uint32_t *const space = oracle_array(s->steps.most_groups, sizeof *space);
    pv_rollup_scratch scratch = {0};
    pv_groups list = {0};
    assert_true(pv_i_groups_copy(from, &list));
    for (size_t p = 0; p < s->layers.n_axes; p++) {
        pv_groups next = {0};
        const uint32_t *const step = pv_i_steps_between(&s->steps, p, below[p], path[p], space);
        assert_true(pv_i_rollup(&list, s->layers.list[layer].fields[p], step, &next, &scratch));
        pv_i_groups_deinit(&list);
        list = next;
    }
    pv_i_rollup_scratch_deinit(&scratch);
    free(space);
    return list;
}

static void expect_same(const pv_groups *a, const pv_groups *b)
{
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->words, b->words);
    assert_memory_equal(a->keys, b->keys, a->n * a->words * sizeof *a->keys);
    assert_memory_equal(a->counts, b->counts, a->n * sizeof *a->counts);
}

/* The base has the lowest levels where the plan rules none out. Levels from there on, and above. */
static void random_paths(const subject *s, pv_rng *rng, uint8_t *below, uint8_t *path)
{
    const uint64_t tops = pv_i_rng_below(rng, 4); /* many at the top, as in large lattices */
    const bool from_base = pv_i_rng_below(rng, 2) == 0;
    for (size_t p = 0; p < s->steps.n_axes; p++) {
        const uint8_t height = s->steps.heights[p];
        below[p] = from_base ? 0 : (uint8_t)pv_i_rng_below(rng, height + UINT64_C(1));
        path[p] = (uint8_t)(below[p] + pv_i_rng_below(rng, (uint64_t)(height - below[p]) + 1));
        path[p] = pv_i_rng_below(rng, 4) < tops ? height : path[p];
    }
}

static void expect_regrouped(const subject *s, pv_rng *rng, pv_regroup_scratch *scratch)
{
    static const uint8_t lowest[MOST_AXES] = {0};
    uint8_t below[MOST_AXES];
    uint8_t path[MOST_AXES];
    random_paths(s, rng, below, path);
    for (size_t i = 0; i < s->layers.n; i++) {
        pv_groups found = {0};
        pv_groups from = roll_each(s, i, &s->layers.base[i], lowest, below);
        pv_groups expected = roll_each(s, i, &from, below, path);
        assert_true(
            pv_i_regroup(&from, &s->layers.list[i], &s->steps, below, path, &found, scratch));
        expect_same(&found, &expected);
        pv_i_groups_deinit(&from);
        pv_i_groups_deinit(&expected);
        pv_i_groups_deinit(&found);
    }
}

static void regrouping_is_rolling_up(void **state)
{
    const size_t n_cases = effort(60);
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 5);
    for (size_t i = 0; i < n_cases; i++) {
        const bool wide = i % 3 == 0;
        const random_shape shape = {.n_rows = i % 10 == 0 ? 1500 : 80,
                                    .n_quasi = wide ? MOST_AXES : 5,
                                    .n_values = wide ? 90 : 12,
                                    .full = wide,
                                    .n_sensitive = i % 2,
                                    .label = i % 5 == 0,
                                    .missing = 9,
                                    .heights = 3,
                                    .copies = 2};
        subject s = subject_create(&rng, &shape);
        pv_regroup_scratch scratch = {0};
        for (size_t j = 0; j < 6; j++) {
            expect_regrouped(&s, &rng, &scratch);
        }
        pv_i_regroup_scratch_deinit(&scratch);
        subject_free(&s);
    }
}

/* ------------------------------------------------------------ out of memory */

static pv_status regroup_once(void *ctx, pv_error *error)
{
    const subject *const s = ctx;
    uint8_t path[MOST_AXES];
    static const uint8_t lowest[MOST_AXES] = {0};
    pv_regroup_scratch scratch = {0};
    pv_steps steps;
    pv_groups found = {0};
    for (size_t p = 0; p < s->steps.n_axes; p++) {
        path[p] = p % 2 == 0 ? 1 : 0;
    }
    const bool ready = pv_i_steps_init(&steps, &s->layers, &s->lattice) &&
                       pv_i_regroup(&s->layers.base[0], &s->layers.list[0], &steps, lowest, path,
                                    &found, &scratch);
    pv_i_groups_deinit(&found);
    pv_i_regroup_scratch_deinit(&scratch);
    pv_i_steps_deinit(&steps);
    return ready ? PV_STATUS_OK : pv_i_no_memory(error);
}

static void running_out_of_memory_is_told(void **state)
{
    const random_shape shape = {
        .n_rows = 700, .n_quasi = 12, .n_values = 90, .full = true, .heights = 2, .uniform = true};
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 8);
    subject s = subject_create(&rng, &shape);
    assert_true(failing_alloc_every(regroup_once, &s) > 12);
    subject_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regrouping_is_rolling_up),
        cmocka_unit_test(running_out_of_memory_is_told),
    };
    return cmocka_run_group_tests_name("regrouping", tests, NULL, NULL);
}
