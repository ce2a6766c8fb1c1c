/* Samples made up for tests: a front by hand, random cut schemes, a certificate; and a scanner of
 * the pages that are made of them. */
#ifndef PV_TESTS_SAMPLES_H
#define PV_TESTS_SAMPLES_H

#include "front/front.h"
#include "report/certificate.h"
#include "scheme/cuts.h"
#include "support/study.h"
#include "support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SAMPLE_POINTS = 1024, SAMPLE_QUASIS = 2, SAMPLE_CELLS = 20 };

/* A front made by hand: ten people, two quasi-identifiers (heights 3 and 1), any values. */
typedef struct front_sample {
    bound_study bound;
    pv_profile *profile;
    pv_point points[SAMPLE_POINTS];
    double values[SAMPLE_POINTS][PV_MAX_OBJECTIVES];
    uint8_t levels[SAMPLE_POINTS][SAMPLE_QUASIS];
    pv_front front;
} front_sample;

pv_measure_ref front_sample_measure(const char *name);

/* `objectives` up to a NULL. The front has no points yet. */
void front_sample_init_on(front_sample *s, const char *plan, const char *table,
                          const char *const *objectives);
void front_sample_init(front_sample *s, const char *const *objectives);

/* Points are added by ascending first objective, as a search delivers them. */
void front_sample_add(front_sample *s, const double *values);
void front_sample_deinit(front_sample *s);

/* The usual one: k against glm, with a bend at k = 5. */
void front_sample_usual(front_sample *s);

/* Any number of points in up to eight objectives: the better in the first the worse in the last,
 * those between up and down at different paces. */
void front_sample_many(front_sample *s, size_t n_objectives, size_t n_points);

/* ------------------------------------------------------------ its page and picture */

char *front_sample_page(const front_sample *s);
char *front_sample_svg(const front_sample *s);

/* With PV_PAGE_SAMPLES=FOLDER in the environment: written there, to be looked at in a browser. */
void front_sample_keep(const char *name, const char *text);

/* How often a part occurs in a text. (strstr would do, but sanitizers let it look at the whole rest
 * each time.) */
size_t front_sample_count(const char *text, const char *part);

/* =================================================================== cuts */

/* Random tables for cut schemes: numbers in several spellings, with and without granularity,
 * categories with and without a taxonomy, missing values; and random cuts of them. */

typedef struct cut_sample {
    bound_study bound;
    pv_cut_space space;
    uint8_t *bits;
    size_t n_bits;
} cut_sample;

bound_study cut_sample_bind(const char *plan_text, const char *csv);
cut_sample cut_sample_create(pv_rng *rng, size_t n_rows);
pv_cuts *cut_sample_cuts(const cut_sample *s);
void cut_sample_free(cut_sample *s);

/* =========================================================== certificates */

/* A certificate made up for tests: the shape of a real one, without a release behind it. */

enum { SAMPLE_ATTRIBUTES = 9, SAMPLE_DEMANDS = 3, SAMPLE_MEASURES = 32 };

typedef struct certificate_sample {
    pv_certificate certificate;
    pv_certificate_attribute attributes[SAMPLE_ATTRIBUTES];
    pv_certificate_measure measures[SAMPLE_MEASURES];
    pv_certificate_demand demands[SAMPLE_DEMANDS];
    pv_audit audit;
    pv_audit_value values[2];
} certificate_sample;

pv_certificate_demand sample_demand(const char *name, double bound, double value);

/* `s` stays where it is: the certificate points into it. */
void sample_init(certificate_sample *s);

/* ================================================================= markup */

/* A tiny scanner of tags: are all of them closed, and in order? */

/* Elements from `at` on; `>` stands for itself only in a style sheet. */
void assert_well_formed(const char *at);
void assert_page(const char *html);

/* Nothing is fetched from anywhere. */
void assert_self_contained(const char *markup);

#endif
