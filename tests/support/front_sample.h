/* A front made by hand: ten people, two quasi-identifiers (heights 3 and 1), any values. */
#ifndef PV_TESTS_FRONT_SAMPLE_H
#define PV_TESTS_FRONT_SAMPLE_H

#include "support/bound_study.h"

#include <paravent/front.h>

enum { SAMPLE_POINTS = 64, SAMPLE_QUASIS = 2, SAMPLE_CELLS = 20 };

typedef struct front_sample {
    bound_study bound;
    pv_profile *profile;
    pv_point points[SAMPLE_POINTS];
    double values[SAMPLE_POINTS][PV_MAX_OBJECTIVES];
    uint8_t levels[SAMPLE_POINTS][SAMPLE_QUASIS];
    pv_front front;
} front_sample;

static const char front_sample_plan[] = "attributes:\n"
                                        "  a: {role: quasi, hierarchy: {intervals: [2, 4]}}\n"
                                        "  b: {role: quasi}\n"
                                        "  s: {role: sensitive}\n"
                                        "  c: {role: label}\n";
static const char front_sample_table[] = "a,b,s,c\n"
                                         "1,x,u,p\n2,x,v,q\n3,y,u,p\n4,x,w,q\n5,y,u,p\n"
                                         "6,x,v,p\n7,x,u,q\n8,y,w,p\n9,x,u,q\n10,y,v,p\n";

static inline pv_measure_ref front_sample_measure(const char *name)
{
    pv_measure_ref ref;
    pv_error error = {0};
    bound_must(pv_measure_parse(name, &ref, &error), &error);
    return ref;
}

/* `objectives` up to a NULL. The front has no points yet. */
static inline void front_sample_init_on(front_sample *s, const char *plan, const char *table,
                                        const char *const *objectives)
{
    *s = (front_sample){.bound = bound_study_create(plan, table)};
    s->profile = bound_profile(s->bound.study, 1);
    s->front = (pv_front){.n_levels = SAMPLE_QUASIS,
                          .points = s->points,
                          .method = "exact",
                          .complete = true,
                          .nodes = 8,
                          .evaluated = 8,
                          .seed = 1};
    for (; *objectives != NULL; objectives++) {
        s->front.objectives[s->front.n_objectives++] = front_sample_measure(*objectives);
    }
}

static inline void front_sample_init(front_sample *s, const char *const *objectives)
{
    front_sample_init_on(s, front_sample_plan, front_sample_table, objectives);
}

/* Points are added by ascending first objective, as a search delivers them. */
static inline void front_sample_add(front_sample *s, const double *values)
{
    const size_t i = s->front.n_points++;
    assert_true(i < SAMPLE_POINTS);
    memcpy(s->values[i], values, s->front.n_objectives * sizeof *values);
    s->levels[i][0] = (uint8_t)(i % 4);
    s->levels[i][1] = (uint8_t)(i % 2);
    s->points[i] = (pv_point){.levels = s->levels[i], .values = s->values[i], .k = 1};
    for (size_t o = 0; o < s->front.n_objectives; o++) {
        if (strcmp(s->front.objectives[o].measure->name, "k") == 0) {
            s->points[i].k = (uint64_t)values[o];
        }
    }
}

static inline void front_sample_deinit(front_sample *s)
{
    pv_profile_free(s->profile);
    bound_study_free(&s->bound);
}

/* The usual one: k against glm, with a bend at k = 5. */
static inline void front_sample_usual(front_sample *s)
{
    static const double values[][2] = {{1, 0}, {2, 3}, {3, 4}, {5, 5}, {6, 11}, {10, 20}};
    front_sample_init(s, (const char *const[]){"k", "glm", NULL});
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        front_sample_add(s, values[i]);
    }
}

#endif
