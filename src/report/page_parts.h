/* The sections of the certificate's page, in the order they stand on it. */
#ifndef PV_REPORT_PAGE_PARTS_H
#define PV_REPORT_PAGE_PARTS_H

#include "report/certificate.h"
#include "report/page_frame.h"

void pv_i_page_verdict(pv_buffer *out, const pv_certificate *certificate);
void pv_i_page_figures(pv_buffer *out, const pv_certificate *certificate);
void pv_i_page_pictures(pv_buffer *out, const pv_certificate *certificate);
void pv_i_page_attributes(pv_buffer *out, const pv_certificate *certificate);
void pv_i_page_unchanged(pv_buffer *out, const pv_certificate *certificate);
void pv_i_page_demands(pv_buffer *out, const pv_certificate *certificate);
void pv_i_page_measures(pv_buffer *out, const pv_certificate *certificate);
void pv_i_page_audit(pv_buffer *out, const pv_certificate *certificate);
void pv_i_page_limits(pv_buffer *out, const pv_certificate *certificate);

/* --- what the sections share (page.c) --- */

/* "1 person", "30,162 people". */
void pv_i_page_people(pv_buffer *out, uint64_t n);
/* "k >= 5" with proper signs. */
void pv_i_page_constraint(pv_buffer *out, const pv_constraint *constraint);
/* A measure of the certificate by registry name, or NULL if it is not there or unavailable. */
const pv_certificate_measure *pv_i_page_measure(const pv_certificate *certificate,
                                                const char *name);
/* The share of detail lost over all cells, suppressed ones included; negative = not known. */
double pv_i_page_loss(const pv_certificate *certificate);

#endif
