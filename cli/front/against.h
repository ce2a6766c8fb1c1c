/* How a front compares with one of an earlier run, best a complete one. */
#ifndef CLI_FRONT_AGAINST_H
#define CLI_FRONT_AGAINST_H

#include "core/report.h"
#include "front/reference.h"
#include "front/search.h"

typedef struct cli_compared {
    const char *path; /* of the reference, borrowed */
    bool complete;    /* was the reference the whole front? */
    size_t n_points;  /* of the front that was compared */
    pv_indicators indicators;
} cli_compared;

/* Notes on standard error if the two are of different tables. */
PV_CHECKED pv_status cli_compare(const cli_run *run, const cli_found *found,
                                 const cli_reference *reference, cli_compared *compared,
                                 pv_error *error);
json_t *cli_compared_json(const cli_compared *compared);
void cli_compared_print(const cli_report *report, const cli_compared *compared);

#endif
