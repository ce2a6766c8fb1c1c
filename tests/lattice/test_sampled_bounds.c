/* The bounds never calls hopeless what is better than all the archive has, where its bounds are
 * certain (docs/model.md, section 3): whatever was learned, in whatever order. */
#include "lattice/scheme_bounds.h"

#include "support/front_search.h"
#include "support/front_volume.h"
#include "support/testing.h"

/* ------------------------------------------------------- what bounds there are */

/* Without suppression everything that has a bound keeps it. */
static bool suits_any(const pv_measure *measure)
{
    (void)measure;
    return true;
}

/* With suppression only k and what follows from it, and the losses as they are without. */
static bool suits_suppression(const pv_measure *measure)
{
    static const char *const certain[] = {"k",         "risk",    "glm",  "nwp",
                                          "dcn",       "cm",      "aecs", "leaf-utility",
                                          "precision", "entropy", "gini"};
    for (size_t i = 0; i < sizeof certain / sizeof *certain; i++) {
        if (oracle_same(measure->name, certain[i])) {
            return true;
        }
    }
    return false;
}

/* -------------------------------------------------------------------- learning */

typedef struct {
    random_trial trial;
    pv_run run;
    pv_sampled_bounds bounds;
    box_grid grid;
    size_t n_judged, n_hopeless;
} lesson;

/* Boxes of all sizes, or none. */
static void choose_boxes(lesson *l)
{
    static const double sides[] = {0, 0, 1, 0.2137, 3.3171};
    random_trial *const t = &l->trial;
    l->grid = (box_grid){.n = t->objectives.n};
    for (size_t o = 0; o < t->objectives.n; o++) {
        l->grid.signs[o] = t->objectives.more[o] ? 1 : -1;
        l->grid.sides[o] = sides[random_below(&t->study, 5)];
    }
    pv_i_archive_deinit(&l->run.archive);
    pv_i_archive_init(&l->run.archive, l->run.objectives, l->run.n_objectives, t->lattice.n_axes,
                      l->grid.sides);
}

static void lesson_init(lesson *l, pv_rng *rng, trial_rule rule,
                        bool (*suits)(const pv_measure *measure))
{
    static const pv_context context = {.threads = 1};
    const random_shape shape = trial_shape(rng);
    pv_measure_ref refs[PV_MAX_OBJECTIVES];
    pv_error error = {0};
    *l = (lesson){0};
    trial_init(&l->trial, rng, &shape, rule, suits);
    const pv_search_options options = {.objectives = refs,
                                       .n_objectives = search_objectives(l->trial.names, refs),
                                       .suppression = l->trial.suppression};
    bound_must(pv_i_run_init(&l->run, l->trial.study.profile, &options, &context, &error), &error);
    choose_boxes(l);
    bound_must(pv_i_sampled_bounds_init(&l->bounds, &l->run, &error), &error);
}

static void lesson_deinit(lesson *l)
{
    pv_i_sampled_bounds_deinit(&l->bounds);
    pv_i_run_deinit(&l->run);
    trial_deinit(&l->trial);
}

/* From a scheme in levels of the search's lattice. */
static void learn(lesson *l, const uint8_t *levels)
{
    pv_outcome outcome;
    pv_error error = {0};
    bound_must(pv_i_run_evaluate(&l->run, levels, 1, &outcome, &error), &error);
    bound_must(pv_i_run_offer(&l->run, levels, &outcome, &error), &error);
    pv_i_sampled_bounds_learn(&l->bounds, levels, &outcome);
}

/* --------------------------------------------------------------------- judging */

static bool archive_covers(const lesson *l, const double *values)
{
    for (size_t i = 0; i < l->run.archive.n_members; i++) {
        if (box_covers(&l->grid, l->run.archive.members[i].raw, values)) {
            return true;
        }
    }
    return false;
}

static void print_case(const lesson *l, const oracle_node *node)
{
    const random_trial *const t = &l->trial;
    print_error("budget %llu, target %llu\n%s\n%s\nlevels",
                (unsigned long long)t->suppression.budget,
                (unsigned long long)t->suppression.target_k, t->study.csv.data, t->study.text.data);
    for (size_t a = 0; a < t->lattice.n_axes; a++) {
        print_error(" %u", node->levels[a]);
    }
    for (size_t o = 0; o < t->objectives.n; o++) {
        print_error(", %s %.17g in steps of %g", t->names[o], trial_value(t, node, o),
                    l->grid.sides[o]);
    }
    print_error("; learned from %zu schemes\n", l->bounds.n);
}

/* Every scheme of the lattice, the true front among them. */
static void judge_all(lesson *l)
{
    const random_trial *const t = &l->trial;
    for (size_t i = 0; i < t->lattice.n_nodes; i++) {
        const oracle_node *const node = &t->lattice.nodes[i];
        double values[TRIAL_OBJECTIVES];
        trial_values(t, node, values);
        uint8_t levels[ORACLE_AXES];
        search_levels(&l->run.lattice, node->levels, levels);
        const bool hopeless = pv_i_sampled_bounds_hopeless(&l->bounds, levels);
        l->n_judged++;
        l->n_hopeless += hopeless;
        if (hopeless && node->feasible && !archive_covers(l, values)) {
            print_case(l, node);
            fail_msg("a scheme better than all the archive has was called hopeless");
        }
    }
}

/* Judges before anything was learned, and again and again while schemes are learned from. */
static void study_once(lesson *l)
{
    judge_all(l);
    for (size_t round = 0; round < 4; round++) {
        const size_t n = 1 + random_below(&l->trial.study, 6);
        for (size_t i = 0; i < n; i++) {
            const size_t node = random_below(&l->trial.study, l->trial.lattice.n_nodes);
            uint8_t levels[ORACLE_AXES];
            search_levels(&l->run.lattice, l->trial.lattice.nodes[node].levels, levels);
            learn(l, levels);
        }
        judge_all(l);
    }
}

static void study_often(uint64_t seed, trial_rule rule, bool (*suits)(const pv_measure *measure))
{
    size_t n_judged = 0;
    size_t n_hopeless = 0;
    pv_rng rng;
    pv_i_rng_init(&rng, seed);
    for (size_t i = 0; i < effort(300); i++) {
        lesson l;
        lesson_init(&l, &rng, rule, suits);
        study_once(&l);
        n_judged += l.n_judged;
        n_hopeless += l.n_hopeless;
        lesson_deinit(&l);
    }
    assert_true(n_hopeless > n_judged / 20); /* otherwise it is good for nothing */
}

static void nothing_good_is_hopeless(void **state)
{
    (void)state;
    study_often(1, TRIAL_RAW, suits_any);
}

static void nothing_good_is_hopeless_with_a_budget(void **state)
{
    (void)state;
    study_often(2, TRIAL_BUDGET, suits_suppression);
}

/* What is finer than an infeasible scheme is infeasible; what is coarser may be the best. */
static void nothing_good_is_hopeless_beside_infeasible_schemes(void **state)
{
    (void)state;
    study_often(3, TRIAL_STRICT, suits_any);
}

/* ------------------------------------------------------------------ forgetting */

/* More schemes than it remembers. */
static void forgetting_is_safe(void **state)
{
    const random_shape shape = {
        .n_rows = 8, .n_quasi = 9, .n_values = 6, .full = true, .heights = 5, .label = true};
    static const pv_context context = {.threads = 1};
    const pv_measure_ref refs[] = {{.measure = pv_measure_find("k")},
                                   {.measure = pv_measure_find("cm")}};
    const pv_search_options options = {.objectives = refs, .n_objectives = 2};
    pv_error error = {0};
    pv_rng rng;
    lesson l = {.grid = {.n = 2, .signs = {1, -1}}};
    (void)state;
    pv_i_rng_init(&rng, 4);
    random_study_init(&l.trial.study, &rng, &shape);
    bound_must(pv_i_run_init(&l.run, l.trial.study.profile, &options, &context, &error), &error);
    bound_must(pv_i_sampled_bounds_init(&l.bounds, &l.run, &error), &error);
    for (size_t i = 0; i < 6000; i++) {
        uint8_t levels[9];
        pv_outcome outcome;
        for (size_t a = 0; a < shape.n_quasi; a++) {
            levels[a] = (uint8_t)random_below(&l.trial.study, l.run.lattice.heights[a] + 1u);
        }
        const bool hopeless = i % 16 == 0 && pv_i_sampled_bounds_hopeless(&l.bounds, levels);
        bound_must(pv_i_run_evaluate(&l.run, levels, 1, &outcome, &error), &error);
        assert_true(!hopeless || archive_covers(&l, outcome.values));
        learn(&l, levels);
    }
    pv_i_sampled_bounds_deinit(&l.bounds);
    pv_i_run_deinit(&l.run);
    random_study_deinit(&l.trial.study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_good_is_hopeless),
        cmocka_unit_test(nothing_good_is_hopeless_with_a_budget),
        cmocka_unit_test(nothing_good_is_hopeless_beside_infeasible_schemes),
        cmocka_unit_test(forgetting_is_safe),
    };
    return cmocka_run_group_tests_name("bounds", tests, NULL, NULL);
}
