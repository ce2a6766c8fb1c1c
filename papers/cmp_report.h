/* What the paper on comparing anonymizations reports, made anew: its tables, its examples, every
 * number of its text, its first figure, and the page about them. */
#ifndef PV_PAPERS_CMP_REPORT_H
#define PV_PAPERS_CMP_REPORT_H

#include "report.h"

enum { TUPLES = 10 };
enum { T3A = 0, T3B, T4, TABLES };
enum { SIZE = 0, OWN_COUNT, UTILITY, LOSS, PROPERTIES };

extern const char *const cmp_tables[TABLES];         /* as the paper calls them */
extern const char *const cmp_properties[PROPERTIES]; /* as the library does */

/* The paper's three generalizations, compared. */
typedef struct tables {
    pv_comparison *comparison;
    double vectors[TABLES][PROPERTIES][TUPLES];
    uint64_t k[TABLES];
} tables;

void cmp_open(tables *t);
void cmp_close(tables *t);

const double *cmp_vector(const tables *t, size_t table, size_t property);
pv_duel cmp_duel(const tables *t, size_t property, size_t first, size_t second);

/* A vector as the paper prints it; NULL = it does not. */
const double *cmp_printed(size_t table, size_t property);

/* ------------------------------------------------------------------- page */

/* Figure 1 of the paper: the class sizes of all tuples in each table. */
void cmp_draw_sizes(pv_buffer *svg, const tables *t);
void cmp_write_page(pv_buffer *page, const tables *t);
/* Its part with all numbers of the paper's text, beside ours. */
void cmp_write_claims(pv_buffer *page, const tables *t);

#endif
