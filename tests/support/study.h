/* Studies for tests: from two texts, a plan and a table, as a publisher would write them; tables
 * from a text alone; the Adult table; a table as wide as a search wants it. */
#ifndef PV_TESTS_STUDY_H
#define PV_TESTS_STUDY_H

#include "base/buffer.h"
#include "base/rng.h"
#include "support/testing.h"

#include <paravent/classes.h>
#include <string.h>
#include <unistd.h>

typedef struct bound_study {
    pv_plan *plan;
    pv_study *study;
} bound_study;

void bound_must(pv_status status, const pv_error *error);
pv_plan *bound_plan(const char *text);
bound_study bound_study_create(const char *plan, const char *csv);
void bound_study_free(bound_study *s);
pv_profile *bound_profile(const pv_study *study, unsigned threads);

/* Without a target the whole budget is spent. */
pv_classes *bound_classes(const pv_profile *profile, const uint8_t *levels, uint64_t budget,
                          uint64_t target_k);

/* ================================================================= tables */

/* Tables from texts, for tests. */

pv_status table_status(const char *text, const pv_read_options *options, pv_table **table,
                       pv_error *error);

/* A text that must be in order. */
pv_table *table_of(const char *text, const pv_read_options *options);
const char *table_cell(const pv_table *table, uint64_t row, size_t column);

/* ======================================================== the Adult table */

/* The Adult table, which does not come with the sources: tests that need it are skipped where it
 * is not at hand beside them. */

/* The folder of its plans. */
#define ADULT PV_SOURCE_DIR "/../shared/data/adult/"

typedef struct adult {
    pv_plan *plan;
    pv_study *study;
    pv_profile *profile;
} adult;

/* If not, says so. */
bool adult_is_here(const char *path);
adult adult_read(const char *path);
adult adult_open(const char *path);
void adult_close(adult *a);

/* =========================================================== a wide table */

/* A table as wide as wanted for searches: attributes of 16 values with 4 levels each, a sensitive
 * column and a label. */

typedef struct search_table {
    bound_study study;
    pv_profile *profile;
    uint64_t n_nodes; /* of its lattice, if that has up to 31 attributes */
} search_table;

search_table search_table_create(size_t axes, size_t rows);
void search_table_free(search_table *t);

#endif
