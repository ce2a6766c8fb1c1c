/* The built-in synthetic census: people who do not exist, to try everything on. */
#ifndef PARAVENT_CENSUS_H
#define PARAVENT_CENSUS_H

#include <paravent/status.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes census.csv with `rows` people, plan.yaml and the hierarchy files into `folder`, which must
 * exist. The same rows and seed give the same bytes on every machine. Files that exist are in the
 * way unless `force`. */
PV_API PV_CHECKED pv_status pv_census_write(const char *folder, uint64_t rows, uint64_t seed,
                                            bool force, pv_error *error);

#ifdef __cplusplus
}
#endif
#endif
