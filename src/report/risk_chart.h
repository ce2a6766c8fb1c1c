/* The plot of one curve of a risk front: worst and mean risk against the utility kept. */
#ifndef PV_REPORT_RISK_CHART_H
#define PV_REPORT_RISK_CHART_H

#include "records/disclosure.h"
#include "report/svg.h"

extern const char pv_i_risk_chart_style[]; /* besides the style of all charts */

/* Draws into a picture that has begun, in letters of this height. Points carry the number of the
 * curve and their own (data-p="0-3"), and in words what they are. */
void pv_i_risk_chart(pv_buffer *out, const pv_risk_curve *curve, size_t number, double letters,
                     pv_svg_box box);

/* How a curve is called: "Model I: ...". */
void pv_i_risk_title(pv_buffer *out, const pv_risk_curve *curve);

#endif
