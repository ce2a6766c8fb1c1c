/* What comparisons of releases are tested with: the example of the paper on comparing
 * anonymizations (docs/model.md, section 9, CMP table 1), and random releases of random tables with
 * the naive properties of every person. */
#ifndef PV_TESTS_COMPARISON_TRIAL_H
#define PV_TESTS_COMPARISON_TRIAL_H

#include "compare/comparison.h"
#include "support/study.h"

/* The paper's ten people as rows without a header: zip code, age, marital status, and that again. A
 * column has one role, and the first is generalized while the second is counted as what somebody
 * wants to know. */
#define CMP_PEOPLE                             \
    "13053,28,CF-Spouse,CF-Spouse\n"           \
    "13268,41,Separated,Separated\n"           \
    "13268,39,Never Married,Never Married\n"   \
    "13053,26,CF-Spouse,CF-Spouse\n"           \
    "13253,50,Divorced,Divorced\n"             \
    "13253,55,Spouse Absent,Spouse Absent\n"   \
    "13250,49,Divorced,Divorced\n"             \
    "13052,31,Spouse Present,Spouse Present\n" \
    "13269,42,Separated,Separated\n"           \
    "13250,47,Separated,Separated\n"

/* ================================================================ vectors */

enum { PAPER_ROWS = 10, PAPER_TABLES = 3, PAPER_PROPERTIES = 3 };

enum { PAPER_3A = 0, PAPER_3B, PAPER_4 };

enum { PAPER_SIZE = 0, PAPER_OWN, PAPER_UTILITY };

/* Utilities are those of the definition, not rounded: 1 - leaves/domain, summed. */
extern const double paper_vectors[PAPER_TABLES][PAPER_PROPERTIES][PAPER_ROWS];

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

void sample_comparison_init(sample_comparison *s, size_t n_releases, size_t n_properties,
                            uint64_t n_rows);
void sample_comparison_paper(sample_comparison *s);

/* ======================================================== random releases */

/* Random small tables and random releases of them, whoever may have made them: by levels, cell by
 * cell, in foreign spellings, some people suppressed, some left out, in another order. All of it as
 * strings, with the properties of every person counted from the strings. */

enum { TRIAL_ROWS = 40, TRIAL_QUASIS = 3, TRIAL_SENSITIVES = 2, TRIAL_TEXT = 24 };

extern const char trial_plan[];

typedef char trial_text[TRIAL_TEXT];

typedef struct trial_row {
    size_t original; /* whose row it is */
    trial_text quasi[TRIAL_QUASIS];
    trial_text sensitive[TRIAL_SENSITIVES];
    int score;
} trial_row;

typedef struct trial_table {
    size_t n;
    trial_row rows[TRIAL_ROWS];
} trial_table;

size_t trial_below(pv_rng *rng, size_t n);
void trial_original(pv_rng *rng, trial_table *t);

/* How a release of the table shall look. */
typedef struct trial_manner {
    bool by_cell;      /* every cell as it pleases, rather than all of a column alike */
    bool foreign;      /* in spellings of another tool */
    bool suppresses;   /* some people are `*` everywhere */
    bool misses;       /* some people are left out */
    bool shuffles;     /* in another order */
    bool no_sensitive; /* the first sensitive column is left out */
} trial_manner;

trial_manner trial_any_manner(pv_rng *rng, bool keyed);
void trial_release(pv_rng *rng, const trial_table *original, const trial_manner *m,
                   trial_table *release);

/* As a file with its columns in an order of its own. */
void trial_csv(const trial_table *t, const trial_manner *m, pv_buffer *csv);

/* ------------------------------------------------------------------ oracle */

/* A property of a row of a release, turned so that more is better. */
double trial_property(const trial_table *original, const trial_table *t, const trial_row *row,
                      const char *property);

/* ------------------------------------------------------------------- files */

/* A file in the working directory of the test; the caller removes it. */
void trial_write(const char *path, const char *text);

#endif
