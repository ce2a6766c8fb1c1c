/* PBG on the Adult table with the paper's settings (docs/model.md, section 5): as much of the front
 * as published with as few evaluations, over twenty seeds; and all of it by the hybrid with no more
 * evaluations than that. */
#include "support/front_search.h"
#include "support/front_volume.h"
#include "support/study.h"
#include "support/testing.h"

#include <stdlib.h>

#define PLAN ADULT "plan.yaml"
#define SEEDS 20

/* The paper's numbers. */
typedef struct {
    const char *objectives[4];
    double ratio;     /* at least so much of the boxes, on average */
    double share;     /* with at most so much of the lattice, on average */
    double evaluated; /* the same in schemes, for the hybrid */
} experiment;

static const experiment experiments[] = {
    {{"k", "glm"}, 0.94, 0.051, 916},
    {{"k", "l-distinct", "glm"}, 0.93, 0.053, 946},
    {{"sum-k", "glm"}, 0.84, 0.063, 1136},
    {{"sum-k", "sum-l", "glm"}, 0.83, 0.067, 1197},
};
enum { N_EXPERIMENTS = sizeof experiments / sizeof *experiments };

/* ------------------------------------------------------------------- Adult */

/* All that the experiments ask for: its front holds those of all of them. */
static const char *const everything[] = {"k", "l-distinct", "sum-k", "sum-l", "glm", NULL};
enum { N_EVERYTHING = 5 };

/* Figures are the same under a sanitizer; one experiment is enough for it. */
static size_t n_experiments(void)
{
    return effort_is_whole() ? N_EXPERIMENTS : 1;
}

static const char *const *all_objectives(void)
{
    return effort_is_whole() ? everything : experiments[0].objectives;
}

typedef struct {
    adult table;
    pv_front *whole; /* of all objectives */
} subject;

static pv_front *search(const subject *s, const char *const *objectives, const char *method,
                        uint64_t seed)
{
    const search_request request = {.objectives = objectives,
                                    .method = method,
                                    .suppression.whole_budget = true,
                                    .suppression.budget = pv_study_budget(s->table.study),
                                    .threads = 2,
                                    .seed = seed};
    return search_front(s->table.profile, &request);
}

static int set_up(void **state)
{
    static subject s;
    if (!adult_is_here(PLAN)) {
        return 0;
    }
    s.table = adult_read(PLAN);
    s.whole = search(&s, all_objectives(), "exhaustive", 0);
    assert_true(s.whole->complete && s.whole->nodes == 17920);
    *state = &s;
    return 0;
}

static int tear_down(void **state)
{
    subject *const s = *state;
    if (s != NULL) {
        pv_front_free(s->whole);
        adult_close(&s->table);
    }
    return 0;
}

/* ------------------------------------------------------------- true fronts */

typedef struct {
    double *values;
    size_t n;
} truth;

static size_t place_of(const char *name)
{
    size_t i = 0;
    while (strcmp(all_objectives()[i], name) != 0) {
        i++;
    }
    return i;
}

/* The values of the whole front in the objectives of an experiment. */
static double *project(const subject *s, const experiment *e, box_grid *grid)
{
    const pv_front *const whole = s->whole;
    double *const values = calloc(whole->n_points * N_EVERYTHING, sizeof *values);
    assert_non_null(values);
    for (*grid = (box_grid){0}; e->objectives[grid->n] != NULL; grid->n++) {
        grid->signs[grid->n] = strcmp(e->objectives[grid->n], "glm") == 0 ? -1 : 1;
    }
    for (size_t i = 0; i < whole->n_points; i++) {
        for (size_t o = 0; o < grid->n; o++) {
            values[i * grid->n + o] = whole->points[i].values[place_of(e->objectives[o])];
        }
    }
    return values;
}

/* Of these values what nothing dominates, once: without boxes, a value is its own box. */
static truth truth_find(const subject *s, const experiment *e)
{
    box_grid grid;
    double *const all = project(s, e, &grid);
    const size_t bytes = grid.n * sizeof *all;
    truth t = {.values = calloc(s->whole->n_points, bytes)};
    assert_non_null(t.values);
    for (size_t i = 0; i < s->whole->n_points; i++) {
        if (box_matters(&grid, all, s->whole->n_points, i)) {
            memcpy(t.values + t.n++ * grid.n, all + i * grid.n, bytes);
        }
    }
    free(all);
    return t;
}

/* -------------------------------------------------------------------- means */

typedef struct {
    double ratio, least, evaluated;
} means;

static void print_means(const experiment *e, const char *method, const means *m)
{
    const char *const third = e->objectives[2];
    print_message("%-10s %s,%s%s%s: ratio %.4f, at least %.4f, evaluated %.0f\n", method,
                  e->objectives[0], e->objectives[1], third != NULL ? "," : "",
                  third != NULL ? third : "", m->ratio, m->least, m->evaluated);
}

static means search_often(const subject *s, const experiment *e, const char *method, size_t n_seeds)
{
    means m = {.least = 1};
    truth t = truth_find(s, e);
    for (uint64_t seed = 1; seed <= n_seeds; seed++) {
        pv_front *const front = search(s, e->objectives, method, seed);
        const double ratio = box_ratio(front, t.values, t.n);
        pv_indicators told;
        assert_int_equal(pv_front_compare(front, t.values, t.n, &told, NULL), PV_STATUS_OK);
        assert_true(told.representation_ratio == ratio);
        m.ratio += ratio / (double)n_seeds;
        m.least = fmin(m.least, ratio);
        m.evaluated += (double)front->evaluated / (double)n_seeds;
        pv_front_free(front);
    }
    free(t.values);
    print_means(e, method, &m);
    return m;
}

static void evolution_is_as_published(void **state)
{
    if (*state == NULL) {
        skip();
    }
    for (size_t i = 0; i < n_experiments(); i++) {
        const experiment *const e = &experiments[i];
        const means m = search_often(*state, e, "pbg-ea", SEEDS);
        assert_true(m.ratio >= e->ratio);
        assert_true(m.evaluated <= e->share * 17920);
    }
}

static void the_hybrid_finds_all(void **state)
{
    if (*state == NULL) {
        skip();
    }
    for (size_t i = 0; i < n_experiments(); i++) {
        const experiment *const e = &experiments[i];
        const means m = search_often(*state, e, "pbg-hybrid", effort(SEEDS));
        assert_true(m.least == 1);
        assert_true(m.evaluated <= e->evaluated);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evolution_is_as_published),
        cmocka_unit_test(the_hybrid_finds_all),
    };
    return cmocka_run_group_tests_name("pbg on Adult", tests, set_up, tear_down);
}
