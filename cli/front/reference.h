/* A front of an earlier run, read back from what `front --json` wrote: to begin a search with, or
 * to compare one with. The file may be anything; nothing in it is believed unchecked, and no
 * message quotes it. */
#ifndef CLI_FRONT_REFERENCE_H
#define CLI_FRONT_REFERENCE_H

#include "core/report.h"
#include "front/search.h"

#include <jansson.h>

typedef struct cli_reference {
    const char *path; /* borrowed */
    json_t *document;
    const json_t *points; /* of the document; at least one */
    size_t n_points;
    bool complete; /* is it provably the whole front? */
} cli_reference;

PV_CHECKED pv_status cli_reference_read(const char *path, cli_reference *reference,
                                        pv_error *error);
void cli_reference_free(cli_reference *reference);
/* Do its objectives have the same names as these, in any order? */
PV_CHECKED pv_status cli_reference_check(const cli_reference *reference,
                                         const pv_measure_ref *objectives, size_t n,
                                         pv_error *error);

/* The schemes of a file to begin with, `n` of them, one after the other; they must be schemes of
 * this study. The caller frees them. Nothing without a path. */
PV_CHECKED pv_status cli_start_read(const char *path, const pv_study *study, uint8_t **levels,
                                    size_t *n, pv_error *error);
/* Is it a front at all? Before the table is opened no more can be said. */
PV_CHECKED pv_status cli_start_check(const char *path, pv_error *error);

/* How a front compares with a reference. */
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
