/* Cut schemes in terms of the data: where the numbers of an attribute are divided, and which of its
 * categories go together.
 *
 *     {"paravent": "0.1.0", "schema": 1, "cuts": {
 *       "age":     {"breaks": [25, 40, 60]},                    <25, 25-39, 40-59, >=60
 *       "marital": {"groups": [["Divorced", "Separated"], ["Single"]]},
 *       "sex":     "*",                                         one group
 *       "race":    "raw"}}                                      every value its own group
 *
 * A cut scheme is released as a scheme of levels over hierarchies made for it: the groups are the
 * one level between the values and `*` (pv_plan_with_cuts). The file holds values of the data: keep
 * it as private as the plan. */
#ifndef PARAVENT_CUTS_H
#define PARAVENT_CUTS_H

#include <paravent/decimal.h>
#include <paravent/plan.h>
#include <paravent/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum pv_cuts_kind {
    PV_CUTS_TOP = 0, /* "*": one group */
    PV_CUTS_RAW,     /* "raw": as it is */
    PV_CUTS_BREAKS,  /* numbers */
    PV_CUTS_GROUPS   /* categories */
} pv_cuts_kind;

typedef struct pv_cuts pv_cuts;

/* Reads a cuts file (JSON, or YAML). Whatever is wrong with it: PV_STATUS_INPUT with file, line and
 * column. */
PV_API PV_CHECKED pv_status pv_cuts_read(const char *path, pv_cuts **cuts, pv_error *error);
/* The same from memory; `name` is used in messages. */
PV_API PV_CHECKED pv_status pv_cuts_parse(const char *name, const char *text, size_t size,
                                          pv_cuts **cuts, pv_error *error);
PV_API void pv_cuts_free(pv_cuts *cuts); /* NULL is fine */

PV_API size_t pv_cuts_n_attributes(const pv_cuts *cuts);
/* Of an attribute, counted from 0: its name, borrowed, and how it is divided. */
PV_API const char *pv_cuts_name(const pv_cuts *cuts, size_t attribute);
PV_API pv_cuts_kind pv_cuts_kind_of(const pv_cuts *cuts, size_t attribute);
/* Into how many groups; 0 = every value is its own. A missing value that stays apart is no group.
 */
PV_API size_t pv_cuts_n_groups(const pv_cuts *cuts, size_t attribute);
/* PV_CUTS_BREAKS: where a new range begins, ascending; borrowed. */
PV_API const pv_decimal *pv_cuts_breaks(const pv_cuts *cuts, size_t attribute, size_t *n);
/* PV_CUTS_GROUPS: the values of a group, borrowed; NULL = the missing value, which comes last. */
PV_API size_t pv_cuts_n_values(const pv_cuts *cuts, size_t attribute, size_t group);
PV_API const char *pv_cuts_value(const pv_cuts *cuts, size_t attribute, size_t group, size_t value);

/* The file; the caller frees the text with pv_string_free. Names and values must be UTF-8. */
PV_API PV_CHECKED pv_status pv_cuts_text(const pv_cuts *cuts, char **text, pv_error *error);

/* The plan of the study, with hierarchies and levels that make the cut scheme: bind the table to it
 * (pv_study_rebind) and release (pv_scheme_from_plan). Every quasi-identifier needs its cuts, every
 * value of the data its group. Groups are labelled by the taxonomy where they are one of its
 * groups, by their only value, or by a list, `{Divorced, Separated}`. Measures count the values
 * that occur, numbers by the plan's granularity. The caller frees the plan with pv_plan_free. */
PV_API PV_CHECKED pv_status pv_plan_with_cuts(const pv_study *study, const pv_cuts *cuts,
                                              pv_plan **cut_plan, pv_error *error);

/* Do cuts and levels of the study lose alike, so that their losses can be compared? Not where a
 * granularity makes several values one, or where values count that only the hierarchy has. */
PV_API bool pv_cuts_lose_as_levels(const pv_study *study);

/* The study's table seen through cuts: a study of its own with such a plan, on the same table. */
PV_API PV_CHECKED pv_status pv_study_cut(const pv_study *study, const pv_cuts *cuts, pv_study **cut,
                                         pv_error *error);

#ifdef __cplusplus
}
#endif
#endif
