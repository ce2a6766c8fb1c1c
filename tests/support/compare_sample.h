/* The vectors of the paper on comparing anonymizations (docs/model.md section 9, CMP table 1), and
 * a comparison made of vectors at hand. */
#ifndef PV_TESTS_COMPARE_SAMPLE_H
#define PV_TESTS_COMPARE_SAMPLE_H

#include "compare/judgement.h"

enum { PAPER_ROWS = 10, PAPER_TABLES = 3, PAPER_PROPERTIES = 3 };
enum { PAPER_3A = 0, PAPER_3B, PAPER_4 };
enum { PAPER_SIZE = 0, PAPER_OWN, PAPER_UTILITY };

/* Utilities are those of the definition, not rounded: 1 - leaves/domain, summed. */
static const double paper_vectors[PAPER_TABLES][PAPER_PROPERTIES][PAPER_ROWS] = {
    {{3, 3, 3, 3, 4, 4, 4, 3, 3, 4},
     {2, 2, 1, 2, 2, 1, 2, 1, 2, 1},
     {61 / 30., 1.7, 1.7, 61 / 30., 1.6, 1.6, 1.6, 61 / 30., 1.7, 1.6}},
    {{3, 7, 7, 3, 7, 7, 7, 3, 7, 7},
     {2, 3, 1, 2, 2, 1, 2, 1, 3, 3},
     {61 / 30., 29 / 30., 29 / 30., 61 / 30., 29 / 30., 29 / 30., 29 / 30., 61 / 30., 29 / 30.,
      29 / 30.}},
    {{4, 6, 4, 4, 6, 6, 6, 4, 6, 6},
     {2, 3, 1, 2, 2, 1, 2, 1, 3, 3},
     {.6, .4, .6, .6, .4, .4, .4, .6, .4, .4}},
};

enum { SAMPLE_MOST = 8 };

/* A comparison that borrows vectors, [release][property]. */
typedef struct sample_comparison {
    pv_comparison comparison;
    pv_vectors vectors[SAMPLE_MOST];
    pv_vectors *releases[SAMPLE_MOST];
    double *values[SAMPLE_MOST][SAMPLE_MOST];
    const char *properties[SAMPLE_MOST];
    bool less_is_better[SAMPLE_MOST];
} sample_comparison;

static inline void sample_comparison_init(sample_comparison *s, size_t n_releases,
                                          size_t n_properties, uint64_t n_rows)
{
    *s = (sample_comparison){0};
    for (size_t i = 0; i < n_releases; i++) {
        s->vectors[i] = (pv_vectors){.values = s->values[i], .n_properties = n_properties};
        s->releases[i] = &s->vectors[i];
    }
    for (size_t i = 0; i < n_properties; i++) {
        s->properties[i] = "property";
    }
    s->comparison = (pv_comparison){.properties = s->properties,
                                    .n_properties = n_properties,
                                    .less_is_better = s->less_is_better,
                                    .releases = s->releases,
                                    .n_releases = n_releases,
                                    .n_rows = n_rows,
                                    .n_kinds = n_rows};
}

static inline void sample_comparison_paper(sample_comparison *s)
{
    sample_comparison_init(s, PAPER_TABLES, PAPER_PROPERTIES, PAPER_ROWS);
    for (size_t i = 0; i < PAPER_TABLES; i++) {
        for (size_t p = 0; p < PAPER_PROPERTIES; p++) {
            s->values[i][p] = (double *)(uintptr_t)paper_vectors[i][p];
        }
    }
}

#endif
