/* The row map of a release: which row of the original each released row is.
 *
 *     # paravent row map of release.csv: private, whoever has it undoes the order of the rows
 *     # sha256 6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b
 *     row
 *     17                     <- the first released row is the 17th of the original
 *     3
 *
 * The SHA-256 is that of the released file as it is on disk: no other release is meant. */
#ifndef PV_TABLE_ROW_MAP_H
#define PV_TABLE_ROW_MAP_H

#include "base/output.h"
#include "base/sha256.h"

#include <stdint.h>

/* `rows` are counted from 0. */
PV_CHECKED pv_status pv_i_row_map_write(pv_output *output, const char *release, const char *sha256,
                                        const uint64_t *rows, uint64_t n, pv_error *error);

/* To which release a map belongs: reads its first lines. */
PV_CHECKED pv_status pv_i_row_map_release(const char *path, char sha256[PV_SHA256_HEX],
                                          pv_error *error);
/* The rows, counted from 0, of a release of n rows; the caller frees them. Another number of rows,
 * a row that comes twice or that an original of `n_original` rows does not have: PV_STATUS_INPUT.
 */
PV_CHECKED pv_status pv_i_row_map_read(const char *path, uint64_t n, uint64_t n_original,
                                       uint64_t **rows, pv_error *error);

#endif
