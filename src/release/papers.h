/* The papers of a release: what stands beside the table in a folder of its own.
 *
 *     release.csv                      the table
 *     release.papers-3f2a9c11/         its papers, named after what they are
 *         release.certificate.json     for anyone: certificate and codebook
 *         ...
 *         release.scheme.json          for the publisher alone: scheme and report
 *         SHA256SUMS                   the table and all papers; `sha256sum -c` reads it
 *
 * The table's rename is the one step that changes a release. Papers belong to the table whose hash
 * stands in their SHA256SUMS: at any moment the table that is there finds its own, the old ones or
 * the new ones, and never a certificate of another. The digits are of the hash of SHA256SUMS, so
 * that new papers never need the name of old ones. */
#ifndef PV_RELEASE_PAPERS_H
#define PV_RELEASE_PAPERS_H

#include "base/sha256.h"

#include <paravent/status.h>
#include <stdbool.h>
#include <stddef.h>

#define PV_PAPERS_SUMS "SHA256SUMS"

/* The last part of the table's path without its endings: out/census.csv.gz is census. pv_i_free;
 * NULL = no memory. */
char *pv_i_papers_stem(const char *table);
/* FOLDER/STEM.papers, without the digits: stands for the folder until it has its name. pv_i_free;
 * NULL = no memory. */
char *pv_i_papers_claim(const char *table);
/* A name for new papers of the table that is free now. pv_i_free. */
PV_CHECKED pv_status pv_i_papers_name(const char *table, const char *sums, char **path,
                                      pv_error *error);

/* The papers that belong to the table with this hash, NULL if there are none. If there are two, of
 * a release that was made again and interrupted, the first by name. pv_i_free. */
PV_CHECKED pv_status pv_i_papers_find(const char *table, const char *hash, char **path,
                                      pv_error *error);
/* Are there only files in it that its SHA256SUMS names? Others are somebody's own. */
PV_CHECKED pv_status pv_i_papers_are_ours(const char *path, bool *ours, pv_error *error);

#endif
