/* A front of an earlier run, read back from what `front --json` wrote: to begin a search with, or
 * to compare one with. The file may be anything; nothing in it is believed unchecked, and no
 * message quotes it. */
#ifndef CLI_FRONT_REFERENCE_H
#define CLI_FRONT_REFERENCE_H

#include <jansson.h>
#include <paravent/paravent.h>

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

/* Its schemes, one after the other; they must be schemes of this study. The caller frees them. */
PV_CHECKED pv_status cli_reference_levels(const cli_reference *reference, const pv_study *study,
                                          uint8_t **levels, pv_error *error);
/* Do its objectives have the same names as these, in any order? */
PV_CHECKED pv_status cli_reference_check(const cli_reference *reference,
                                         const pv_measure_ref *objectives, size_t n,
                                         pv_error *error);
/* Their values, point by point, in the order of these objectives. The caller frees them. */
PV_CHECKED pv_status cli_reference_values(const cli_reference *reference,
                                          const pv_measure_ref *objectives, size_t n,
                                          double **values, pv_error *error);
/* Of how many rows was it made, and how many might be suppressed? Negative = it does not say. */
json_int_t cli_reference_rows(const cli_reference *reference);
json_int_t cli_reference_budget(const cli_reference *reference);

#endif
