/* The front as a plot on a terminal. */
#ifndef CLI_FRONT_PLOT_H
#define CLI_FRONT_PLOT_H

#include "core/report.h"
#include "front/search.h"

/* The first objective and its price; nothing for an empty front. */
void cli_front_plot(const cli_report *report, const cli_found *found);

/* The signs of the points: one that others beat in the two objectives of the plot, an ordinary one,
 * one that is suggested, the knee. */
typedef enum cli_sign {
    CLI_NO_SIGN,
    CLI_BEATEN_SIGN,
    CLI_POINT_SIGN,
    CLI_SUGGESTED_SIGN,
    CLI_KNEE_SIGN
} cli_sign;

cli_sign cli_point_sign(const cli_found *found, size_t point);
const char *cli_sign_text(const cli_report *report, cli_sign sign);

#endif
