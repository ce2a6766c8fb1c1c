/* The scheme of a release as a file for `apply`: with it goes what was demanded, and what was
 * achieved and is promised of other rows. */
#ifndef PV_RELEASE_PROMISE_H
#define PV_RELEASE_PROMISE_H

#include "release/evaluation.h"
#include "release/settings.h"

/* The caller frees the text with pv_string_free. */
PV_CHECKED pv_status pv_i_release_scheme(const pv_scheme *scheme, const pv_evaluation *evaluation,
                                         const pv_release_settings *options, char **text,
                                         pv_error *error);

#endif
