/* The parts of a comparison, each in a file of its own.
 *
 *     kinds    people whom all releases treat alike (kinds.h)
 *     files    released files beside their original, one after the other
 *     join     which row of the original is a row of a release?
 *     check    does what it says fit that row?
 *     detail   how many original values does a released one stand for?
 *     release  a file becomes vectors, and is forgotten
 *     people   the people of the original by the values of a column */
#ifndef PV_COMPARE_COMPARISON_PARTS_H
#define PV_COMPARE_COMPARISON_PARTS_H

#include "base/arena.h"
#include "base/tasks.h"
#include "classes/value_index.h"
#include "compare/kinds.h"
#include "compare/property.h"
#include "table/row_map.h"

#include <paravent/compare.h>

/* ------------------------------------------------------------------ common */

/* The keys of the original. */
typedef struct pv_key_index {
    size_t column; /* of the original's table */
    pv_value_index values;
    uint64_t *row; /* of each code */
} pv_key_index;

/* A row map and the release it belongs to. */
typedef struct pv_map_choice {
    const char *path;
    char sha256[PV_SHA256_HEX];
    bool used; /* one of the releases is its own */
} pv_map_choice;

/* What all files of a comparison share. */
typedef struct pv_comparing {
    const pv_study *study; /* of the original */
    const pv_context *context;
    const char *key; /* NULL = rows are matched by row order */
    pv_key_index keys;
    pv_map_choice *maps;
    size_t n_maps;
    const pv_property_choice *properties;
    size_t n_properties;
} pv_comparing;

/* What a comparison keeps to itself. */
struct pv_comparison_core {
    pv_arena arena;
    pv_property_choice *properties;
    pv_kinds kinds;
};

/* The traits that properties of classes depend on: tuples, and sensitive values if some property is
 * about a person's own. Returns how many; there is room for 1 + the profile's sensitive attributes.
 */
size_t pv_i_profile_traits(const pv_profile *profile, const pv_property_choice *properties,
                           size_t n_properties, pv_trait *traits);

/* Takes a release in, whose traits divided the kinds: the vectors are the comparison's, even after
 * a failure. */
PV_CHECKED pv_status pv_i_comparison_append(pv_comparison *comparison, pv_vectors *vectors,
                                            uint64_t n_missing, const pv_division *division,
                                            pv_error *error);

/* -------------------------------------------------------------------- join */

/* Fails if the original does not have the column, or has a key twice. Deinitialise even then. */
PV_CHECKED pv_status pv_i_key_index_init(pv_key_index *index, const pv_table *original,
                                         const char *key, pv_error *error);
void pv_i_key_index_deinit(pv_key_index *index);

/* Reads to which releases the maps belong. */
PV_CHECKED pv_status pv_i_maps_init(pv_comparing *comparing, const char *const *paths, size_t n,
                                    pv_error *error);
/* PV_STATUS_INPUT if a map belongs to none of the releases that were joined. */
PV_CHECKED pv_status pv_i_maps_check(const pv_comparing *comparing, pv_error *error);

/* The row of the original that each row of the release in the file `path` is: by its row map, by
 * key, or NULL = they have the same order. The caller frees the rows. */
PV_CHECKED pv_status pv_i_join(const pv_comparing *comparing, const char *path,
                               const pv_table *release, uint64_t **rows, pv_error *error);

/* A row of a release beside the one before it: negative if it comes after it by the bytes of its
 * values, column after column, as in the order of our releases; 0 if they are equal. */
int pv_i_compare_neighbours(const pv_table *release, uint64_t row);
/* Do all rows of a release stand in that order? Then equal ones stand side by side; `n_runs` is how
 * many different ones there are. */
bool pv_i_is_sorted(const pv_table *release, uint64_t *n_runs);

/* ------------------------------------------------------------------- check */

/* Is a column of a release looked at when its rows are checked? */
bool pv_i_is_checked(const pv_comparing *comparing, const char *column);
/* PV_STATUS_INPUT if rows of a release contradict the rows of the original that they were joined
 * with; says in how many, and in which columns. So it is if rows matched by row order stand in the
 * order in which releases are sorted: it is then not known whose they are. */
PV_CHECKED pv_status pv_i_check_rows(const pv_comparing *comparing, const pv_table *release,
                                     const uint64_t *rows, pv_error *error);

/* ------------------------------------------------------------------ detail */

/* Of each quasi-identifier, how many values of the original each released one stands for. */
typedef struct pv_stands_for {
    uint64_t **counts; /* per quasi-identifier and code of the release */
    size_t n;          /* quasi-identifiers */
} pv_stands_for;

/* Room for the counts. Deinitialise even after a failure. */
PV_CHECKED pv_status pv_i_stands_for_init(pv_stands_for *s, size_t n_quasis, pv_error *error);
/* Counts for one quasi-identifier; several threads may do so for several. `study` is of the
 * release, `rows` as joined. */
PV_CHECKED pv_status pv_i_stands_for_count(pv_stands_for *s, const pv_comparing *comparing,
                                           const pv_study *study, const uint64_t *rows,
                                           size_t quasi, pv_error *error);
void pv_i_stands_for_deinit(pv_stands_for *s);

/* The detail that each tuple of a release keeps or loses. */
void pv_i_detail_of_tuples(const pv_stands_for *s, const pv_comparing *comparing,
                           const pv_profile *release, const pv_property *property,
                           double *per_tuple);

/* The tuple of a release that is `*` in every quasi-identifier; SIZE_MAX = there is none, or all
 * rows are of it: then nobody was treated differently. */
size_t pv_i_starred_tuple(const pv_profile *release);

/* ----------------------------------------------------------------- release */

/* Reads a file and adds its vectors. */
PV_CHECKED pv_status pv_i_release_add(pv_comparison *comparison, const pv_comparing *comparing,
                                      const char *path, const char *name, pv_error *error);

/* ------------------------------------------------------------------ people */

/* Appends the people of a column to those of a comparison, whose releases are all there. */
PV_CHECKED pv_status pv_i_people_add(pv_comparison *comparison, const pv_comparing *comparing,
                                     const char *column, pv_error *error);

/* An array of an arena; NULL when memory runs out or the size does not fit. */
void *pv_i_arena_array(pv_arena *arena, size_t n, size_t size);

#endif
