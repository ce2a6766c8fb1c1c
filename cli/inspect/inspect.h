/* The exposure of a raw table, computed once and shown for people or as JSON. */
#ifndef CLI_INSPECT_INSPECT_H
#define CLI_INSPECT_INSPECT_H

#include "core/command.h"
#include "core/measured.h"
#include "core/opened.h"

#include <jansson.h>
#include <paravent/paravent.h>

typedef struct cli_inspected {
    const cli_opened *opened; /* borrowed */
    pv_exposure *exposure;
    cli_measured measured;
} cli_inspected;

/* `rare`: classes smaller than this are rare. */
PV_CHECKED pv_status cli_inspected_take(cli_run *run, const cli_opened *opened, uint64_t rare,
                                        cli_inspected *inspected, pv_error *error);
void cli_inspected_free(cli_inspected *inspected);

/* The share of a part, 0 of nothing. */
static inline double cli_part(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0.0;
}

/* `brief` leaves out pairs and measures. */
void cli_inspected_print(const cli_report *report, const cli_inspected *inspected, bool brief);
/* Adds "table", "missing", "exposure", "measures" to an object. */
void cli_inspected_json(json_t *object, const cli_inspected *inspected);

/* Rows by the size of their class, PV_EXPOSURE_BINS counts; `rows` is their sum. */
void cli_class_sizes_print(const cli_report *report, const uint64_t *histogram, uint64_t rows);
json_t *cli_class_sizes_json(const uint64_t *histogram);

#endif
