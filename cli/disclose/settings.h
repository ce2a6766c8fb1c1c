/* What can be asked of `disclose`, as it was written and as it was understood. */
#ifndef CLI_DISCLOSE_SETTINGS_H
#define CLI_DISCLOSE_SETTINGS_H

#include "core/publish.h"

#include <paravent/paravent.h>

typedef struct cli_disclose {
    cli_publish publish; /* how to release it; first, because its options are found by offsets */
    const char *utility, *max_risk, *balance; /* one of them at most */
    bool absolute;
    const char *measure, *risk, *method;
    const char *dictionary, *ignore, *similarity;
    const char *sensitivity;
    cli_count seed, row, limit;
    const char *memory, *seconds;
    const char *assign;
    bool front;
    cli_count steps;
    const char *svg, *html;
} cli_disclose;

typedef struct cli_query {
    pv_disclose_options options; /* all but dictionary and sensitivities */
    double similarity;           /* 0 = exact */
    pv_sensitivity_source source;
    uint64_t seed;
    size_t steps;
} cli_query;

/* Checks everything that can be checked before a file is read. */
PV_CHECKED pv_status cli_query_read(const cli_disclose *settings, cli_query *query,
                                    pv_error *error);

/* The options with which the same is asked again, each after a blank: with -o, or of a front, which
 * has no aim. Owned. */
char *cli_disclose_again(const cli_disclose *settings, bool of_front);

const char *cli_sensitivity_name(pv_sensitivity_source source);

/* The choices of options, NULL-terminated. */
extern const char *const cli_measure_choices[];
extern const char *const cli_risk_choices[];
extern const char *const cli_record_method_choices[];
extern const char *const cli_sensitivity_choices[];

#endif
