/* What the endpoints share that begin with a spec: candidate, people, rows, contest and release. */
#ifndef WEB_SERVER_CANDIDATE_H
#define WEB_SERVER_CANDIDATE_H

#include "server/endpoints.h"

/* ------------------------------------------------------------------ parameters */

/* A text of an object; NULL if it has none. Anything but a text: PV_STATUS_ARGUMENT. */
PV_CHECKED pv_status web_text_of(const json_t *object, const char *key, const char **text,
                                 pv_error *error);
/* A whole number from 0 on; `usual` if it has none. */
PV_CHECKED pv_status web_count_of(const json_t *object, const char *key, uint64_t usual,
                                  uint64_t *count, pv_error *error);
/* The spec among the parameters of a call. */
PV_CHECKED pv_status web_spec_of(const web_call *call, const json_t **spec, pv_error *error);
/* A column of the table that may be shown: PV_STATUS_ARGUMENT if there is none of that name, or if
 * it identifies. */
PV_CHECKED pv_status web_column_of(const web_call *call, const char *name, size_t *column,
                                   pv_error *error);
/* Is it a column whose values never leave the server? */
bool web_is_hidden(const pv_plan *plan, const char *column);

/* -------------------------------------------------------------------- classes */

/* The class of a row. */
static inline size_t web_class_of(const web_candidate *candidate, uint64_t row)
{
    const pv_profile *const profile = candidate->opened.profile;
    return pv_classes_of_tuple(candidate->classes, pv_profile_tuple(profile, row));
}

/* A tuple of each class; the caller frees them. */
size_t *web_examples(const pv_classes *classes);

/* The share of the detail of an attribute that people of a class lose, by one of its tuples: 0 = it
 * is released as it is, 1 = as `*`, or suppressed. */
double web_lost(const pv_classes *classes, size_t tuple, size_t quasi);

/* How many labels of an attribute are shown to people who are not suppressed. */
size_t web_labels_shown(const web_candidate *candidate, size_t quasi);

/* ---------------------------------------------------------------------- files */

/* The original that files are matched with: the study of the snapshot. If the key (NULL or empty =
 * none) is a column that it has not read, an identifier, the table is read again with all of its
 * columns, of which only equality matters: `reread` is then that study, which the caller frees. */
PV_CHECKED pv_status web_original_of(const web_call *call, const char *key, pv_study **reread,
                                     const pv_study **original, pv_error *error);

/* ------------------------------------------------------------------- the line */

/* The cuts of a spec. */
PV_CHECKED pv_status web_cuts_of(const json_t *spec, pv_cuts **cuts, pv_error *error);
/* What the spec means as options of `paravent release`, by their long names; with cuts, `cuts` is
 * what their file is called. PV_STATUS_ARGUMENT if it is no spec. Owned. */
PV_CHECKED pv_status web_spec_options(const web_call *call, const json_t *spec, const char *cuts,
                                      json_t **options, pv_error *error);
/* `paravent release PLAN` with these options. Owned. */
char *web_line(const web_call *call, const json_t *options);

#endif
