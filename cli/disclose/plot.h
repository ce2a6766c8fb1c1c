/* A curve of risk against utility as a plot on a terminal. */
#ifndef CLI_DISCLOSE_PLOT_H
#define CLI_DISCLOSE_PLOT_H

#include "core/report.h"

#include <paravent/paravent.h>

void cli_risk_plot(const cli_report *report, const pv_risk_curve *curve);

#endif
