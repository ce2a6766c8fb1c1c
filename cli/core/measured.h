/* Measures as the command shows them: all that are available, those that were demanded, and what is
 * found in the columns of a released file that are no quasi-identifiers. */
#ifndef CLI_CORE_MEASURED_H
#define CLI_CORE_MEASURED_H

#include "core/command.h"

#include <jansson.h>
#include <paravent/paravent.h>

/* The registry's measures with their default parameters, by registry index: pv_n_measures(). */
typedef struct cli_measured {
    double *values;
    bool *known;
} cli_measured;

/* Of the raw table: nothing generalized, nothing suppressed. */
PV_CHECKED pv_status cli_measured_raw(const pv_profile *profile, cli_measured *measured,
                                      pv_error *error);
void cli_measured_free(cli_measured *measured);

/* {"k": 6, "glm": ...}: what is known. */
json_t *cli_measured_json(const double *values, const bool *known);
/* A table of the known measures, those of `families` (bits 1u << PV_FAMILY_...) only; with the
 * values `before` in a column of their own unless it is NULL. */
void cli_measured_print(const cli_report *report, const double *before, const double *values,
                        const bool *known, unsigned families);
#define CLI_FAMILY(family) (1u << (family))
#define CLI_ALL_FAMILIES (~0u)

/* Has it its default parameter, and is it asked of every column? */
bool cli_measure_is_default(pv_measure_ref ref);
/* Is more of it better or less? One character, explained by the legend below a table. */
const char *cli_measure_mark(const cli_report *report, const pv_measure *measure);
void cli_measure_legend(const cli_report *report);
/* A measure by name, with its column if it is asked of one. */
typedef struct cli_measure_words {
    char text[PV_MEASURE_TEXT_SIZE];
} cli_measure_words;
/* The name for files, with its parameter where that is not the default: "l-recursive(2)". */
cli_measure_words cli_measure_name(pv_measure_ref ref);
/* The name for people, always with its parameter: "risk-above(0.2)". */
cli_measure_words cli_measure_title(pv_measure_ref ref);

/* Constraints from the command line and from the plan, together. */
typedef struct cli_demands {
    pv_constraint list[PV_MAX_CONSTRAINTS];
    size_t n;
} cli_demands;

/* `text` as in --require; NULL adds nothing. */
PV_CHECKED pv_status cli_demands_add(cli_demands *demands, const char *text, pv_error *error);
/* The column that a demand is asked of, if it is asked of one, as "column". */
void cli_demand_column_json(json_t *object, const pv_constraint *constraint);
/* One entry of a list of constraints in JSON. */
json_t *cli_demand_json(const pv_constraint *constraint, bool known, double value);

/* Whom the columns that are no quasi-identifiers would single out to someone who knows them. */

/* As a table, with roles and treatments if there is a plan; NULL = there is none. */
void cli_unchanged_print(const cli_report *report, const pv_audit *audit, const pv_plan *plan);
/* Appends them to a list. */
void cli_unchanged_json(json_t *list, const pv_audit *audit, const pv_plan *plan);

#endif
