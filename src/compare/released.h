/* Released files beside their original, one after the other:
 *
 *     file -- read --> table -- join --> whose row is it? -- check --> does it fit that person?
 *          -- a study of its own --> classes -- detail --> how much do its values show?
 *          -- divide the kinds --> vectors, and the file is forgotten
 *
 *     released_file.c    reading, matching rows with the original, the vectors
 *     released_check.c   a row must not contradict the person it is said to be of
 *     released_detail.c  how many original values a released one covers
 *     released_join.c    tables that a database matches: read and joined in one
 *     released_scheme.c  a scheme that is not released yet, as the table it would be
 *
 * Everything is by codes of columns: a value is looked at once, however many rows have it. Nothing
 * of a file is believed: rows that contradict the original are refused, because the wrong rows
 * would give numbers that look right. Files are not trusted to be ours, either: any table with the
 * plan's quasi-identifiers will do, in whatever spelling its maker chose. */
#ifndef PV_COMPARE_RELEASED_H
#define PV_COMPARE_RELEASED_H

#include "base/tasks.h"
#include "classes/value_index.h"
#include "compare/comparison.h"
#include "engine/join.h"
#include "table/row_map.h"

/* A row map and the release it belongs to. */
typedef struct pv_map_choice {
    const char *path;
    char sha256[PV_SHA256_HEX];
    bool used; /* one of the releases is its own */
} pv_map_choice;

/* What all files of a comparison share. */
typedef struct pv_comparing {
    const pv_plan *plan;
    const pv_study *study; /* of the original */
    const pv_context *context;
    const char *key; /* NULL = rows are matched by row order */
    struct {
        size_t column; /* of the original's table */
        pv_value_index values;
        uint64_t *row; /* of each code */
    } keys;
    pv_map_choice *maps;
    size_t n_maps;
    const pv_property_choice *properties;
    size_t n_properties;
    bool needs_sensitive, needs_detail; /* is some property about them? */
    const uint64_t *shown;              /* rows of the original of which the cells are kept */
    size_t n_shown;
} pv_comparing;

/* pv_comparison_open. `joined`: the study's table and those at `paths`, which are not read then and
 * are taken out of it; NULL = they are read. */
PV_CHECKED pv_status pv_i_comparison_open(const pv_study *study, const char *const *paths,
                                          size_t n_paths, const pv_comparison_options *options,
                                          pv_joined *joined, const pv_context *context,
                                          pv_comparison **comparison, pv_error *error);

/* Two columns that divide the rows in the same way have the same codes, which are numbered in order
 * of first appearance: one that was left as it is, or got other words. Then only values need a
 * look, no rows. */
bool pv_i_divides_alike(const pv_table *a, size_t column_a, const pv_table *b, size_t column_b);

/* ------------------------------------------------------------------- check */

/* A pv_read_options.keep for releases; `ctx` is the pv_comparing. */
bool pv_i_is_wanted(void *ctx, const char *column);
/* Is a column a property? Is it looked at when rows of a release are checked? */
bool pv_i_is_property(const pv_comparing *comparing, const char *column);
bool pv_i_is_checked(const pv_comparing *comparing, const char *column);
/* PV_STATUS_INPUT if rows of a release contradict the rows of the original that they were joined
 * with (`from`: of each entry, the original's; NULL = in the same order); says in how many, and in
 * which columns. So it is if rows matched by row order are sorted by their values: it is then not
 * known whose they are. */
PV_CHECKED pv_status pv_i_check_rows(const pv_comparing *comparing, const pv_table *release,
                                     const uint64_t *from, pv_error *error);

/* ------------------------------------------------------------------ scheme */

/* The quasi-identifiers as a release with these classes shows them, in the order of the original,
 * read with the missing values of the plan. */
PV_CHECKED pv_status pv_i_released_scheme(const pv_comparing *comparing, const pv_classes *classes,
                                          const char *name, pv_table **table, pv_error *error);

/* ------------------------------------------------------------------ detail */

/* Of each quasi-identifier, how many values of the original each released one covers. */
typedef struct pv_covered {
    uint64_t **counts; /* per quasi-identifier and code of the release */
    size_t n;          /* quasi-identifiers */
} pv_covered;

/* No counts yet. Deinitialise even after a failure. */
PV_CHECKED pv_status pv_i_covered_init(pv_covered *s, size_t n_quasis, pv_error *error);
/* Counts for one quasi-identifier; several threads may do so for several. `study` is of the
 * release, `from` as joined. */
PV_CHECKED pv_status pv_i_covered_count(pv_covered *s, const pv_comparing *comparing,
                                        const pv_study *study, const uint64_t *from, size_t quasi,
                                        pv_error *error);
void pv_i_covered_deinit(pv_covered *s);

/* The detail that each tuple of a release keeps or loses. */
void pv_i_detail_of_tuples(const pv_covered *s, const pv_comparing *comparing,
                           const pv_profile *release, const pv_property *property,
                           double *per_tuple);

/* The tuple of a release that is `*` in every quasi-identifier; SIZE_MAX = there is none, or all
 * rows are of it: then nobody was treated differently. */
size_t pv_i_starred_tuple(const pv_profile *release);

#endif
