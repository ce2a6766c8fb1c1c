/* Cells of the page's tables. A row begins with a bar; each cell ends with the next one. */
#ifndef PV_PAPERS_PREF_CELLS_H
#define PV_PAPERS_PREF_CELLS_H

#include "pref_report.h"

void pref_row(pv_buffer *page);     /* begins one */
void pref_row_end(pv_buffer *page); /* ends it */
void pref_text_cell(pv_buffer *page, const char *text);
void pref_count_cell(pv_buffer *page, uint64_t n);
void pref_number_cell(pv_buffer *page, double value, unsigned decimals); /* all of them */
/* A gap: "0", "1.23%". */
void pref_gap_cell(pv_buffer *page, double gap);
/* Least, mean and largest gap of a method, three cells. */
void pref_gap_cells(pv_buffer *page, const answer *a, const trial *t);
/* Effective k, NECD and NWP, three cells. */
void pref_solution_cells(pv_buffer *page, const solution *s);
/* To two digits: more would not be the same the next time. "0.42 s" */
void pref_seconds(pv_buffer *page, double seconds);

#endif
