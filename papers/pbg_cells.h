/* Cells of the page's tables. A row begins with a bar; each cell ends with the next one. */
#ifndef PV_PAPERS_PBG_CELLS_H
#define PV_PAPERS_PBG_CELLS_H

#include "pbg_report.h"

void pbg_text_cell(pv_buffer *page, const char *text);
void pbg_count_cell(pv_buffer *page, double n);               /* rounded */
void pbg_number_cell(pv_buffer *page, double value);          /* with up to three decimals */
void pbg_ratio_cell(pv_buffer *page, const statistic *ratio); /* NULL = the paper does not say */
void pbg_error_cell(pv_buffer *page, const statistic *error); /* the same */
void pbg_seeds_cell(pv_buffer *page, size_t n);               /* "20 of 20" */
void pbg_evaluated_cell(pv_buffer *page, double n, const answer *a); /* "763 (4.26%)" */
void pbg_sides_cell(pv_buffer *page, const box_answer *b);

void pbg_sides(pv_buffer *page, const box_answer *b); /* "k=5, glm=100" */

#endif
