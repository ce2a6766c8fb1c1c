/* The codebook of a release: what the released values stand for, for readers who have nothing but
 * the released table. It holds exactly the labels of that table. */
#ifndef PV_RELEASE_CODEBOOK_H
#define PV_RELEASE_CODEBOOK_H

#include "release/shown.h"

#include "release/settings.h"

/* As CSV (column, label, meaning) and as Markdown; the caller frees both with pv_string_free.
 * `title` names the table. */
PV_CHECKED pv_status pv_i_codebook(const pv_classes *classes, const pv_shown *shown,
                                   const pv_release_settings *options, const char *title,
                                   char **csv, char **markdown, pv_error *error);

#endif
