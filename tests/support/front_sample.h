/* A front made by hand: ten people, two quasi-identifiers (heights 3 and 1), any values. */
#ifndef PV_TESTS_FRONT_SAMPLE_H
#define PV_TESTS_FRONT_SAMPLE_H

#include "support/bound_study.h"

#include "front/front.h"
#include <stdio.h>
#include <stdlib.h>

enum { SAMPLE_POINTS = 1024, SAMPLE_QUASIS = 2, SAMPLE_CELLS = 20 };

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

/* Any number of points in up to eight objectives: the better in the first the worse in the last,
 * those between up and down at different paces. */
static inline void front_sample_many(front_sample *s, size_t n_objectives, size_t n_points)
{
    static const char *const names[] = {"k",    "l-distinct", "t-closeness", "sum-k",
                                        "gini", "dcn",        "risk-mean",   "glm"};
    const char *objectives[PV_MAX_OBJECTIVES + 1] = {NULL};
    memcpy(objectives, names, (n_objectives - 1) * sizeof *objectives);
    objectives[n_objectives - 1] = "glm";
    front_sample_init(s, objectives);
    for (size_t i = 0; i < n_points; i++) {
        const double values[] = {1 + (double)(i * 9) / (double)n_points,
                                 1 + (double)(i * 7 % 3),
                                 (double)(i * 5 % 17) / 17,
                                 10 + (double)(i * 11 % 91),
                                 (double)(i * 3 % 13) / 13,
                                 10 + (double)(i * 17 % 90),
                                 0.1 + (double)(i * 29 % 90) / 100,
                                 20 * (double)i / (double)n_points};
        double row[PV_MAX_OBJECTIVES];
        memcpy(row, values, sizeof row);
        row[n_objectives - 1] = values[PV_MAX_OBJECTIVES - 1];
        front_sample_add(s, row);
    }
}

/* ------------------------------------------------------------ its page and picture */

/* Inlined, gcc takes what strstr finds in the text for a pointer to the local variable. */
#define FRONT_SAMPLE_TEXT static __attribute__((noinline, unused))

FRONT_SAMPLE_TEXT char *front_sample_page(const front_sample *s)
{
    char *html = NULL;
    pv_error error = {0};
    bound_must(pv_front_page(&s->front, s->profile, &html, &error), &error);
    return html;
}

FRONT_SAMPLE_TEXT char *front_sample_svg(const front_sample *s)
{
    char *svg = NULL;
    pv_error error = {0};
    bound_must(pv_front_svg(&s->front, s->profile, &svg, &error), &error);
    return svg;
}

/* With PV_PAGE_SAMPLES=FOLDER in the environment: written there, to be looked at in a browser. */
static inline void front_sample_keep(const char *name, const char *text)
{
    const char *const folder = getenv("PV_PAGE_SAMPLES");
    if (folder != NULL) {
        char path[512];
        (void)snprintf(path, sizeof path, "%s/%s", folder, name);
        FILE *const file = fopen(path, "w");
        assert_non_null(file);
        (void)fputs(text, file);
        (void)fclose(file);
    }
}

/* How often a part occurs in a text. (strstr would do, but sanitizers let it look at the whole rest
 * each time.) */
static inline size_t front_sample_count(const char *text, const char *part)
{
    const size_t length = strlen(part);
    size_t n = 0;
    while ((text = strchr(text, part[0])) != NULL) {
        const bool found = strncmp(text, part, length) == 0;
        text += found ? length : 1;
        n += found;
    }
    return n;
}

#endif
