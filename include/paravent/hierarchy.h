/* Hierarchies: how the values of an attribute become coarser, level by level.
 *
 * A hierarchy is bound to the domain of one column (or to a bare list of values). Level 0 is the
 * raw values, level `height` the single group `*`. Leaves are numbered in the order of a
 * depth-first order of the tree, so that the leaves of every group at every level are neighbours:
 * generalizing keeps sorted tuples sorted.
 *
 * A pv_hierarchy_spec says how to build one; it comes from a plan, a file or the caller. */
#ifndef PARAVENT_HIERARCHY_H
#define PARAVENT_HIERARCHY_H

#include <paravent/decimal.h>
#include <paravent/status.h>
#include <paravent/table.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PV_MAX_HEIGHT 250
#define PV_ROOT_LABEL "*"

typedef enum pv_hierarchy_kind {
    PV_HIERARCHY_SUPPRESS = 0, /* value, then * */
    PV_HIERARCHY_ROWS,         /* given value by value, in a file or inline */
    PV_HIERARCHY_INTERVALS,    /* numbers into intervals of growing width */
    PV_HIERARCHY_MASK,         /* characters replaced by * one by one from one end */
    PV_HIERARCHY_DATE,         /* day, then month, year, ... */
    PV_HIERARCHY_ORDER,        /* ordered categories in groups of n */
    PV_HIERARCHY_RARE,         /* rare values merged into one group */
    PV_HIERARCHY_BREAKS,       /* numbers into ranges that begin where it is said */
    PV_HIERARCHY_KIND_COUNT
} pv_hierarchy_kind;

typedef enum pv_date_unit {
    PV_DATE_DAY = 0, /* of values that have a time */
    PV_DATE_WEEK,
    PV_DATE_MONTH,
    PV_DATE_QUARTER,
    PV_DATE_YEAR,
    PV_DATE_LUSTRUM, /* five years */
    PV_DATE_DECADE,
    PV_DATE_CENTURY,
    PV_DATE_UNIT_COUNT
} pv_date_unit;

/* The parts of a specification that its kind does not use are zero. Everything it points to is
 * owned by the specification (pv_hierarchy_spec_free). */
typedef struct pv_hierarchy_spec {
    pv_hierarchy_kind kind;
    bool count_all_leaves; /* leaves(g) counts every value the hierarchy names (`domain: hierarchy`)
                            */

    /* ROWS: n_rows paths, each value then its ancestors upward, without the final `*`s. */
    char *file;      /* where the rows came from, for messages; NULL = inline */
    char ***rows;    /* rows[i][j], NULL-terminated each */
    uint64_t *lines; /* the line of each row in `file`; NULL if inline */
    size_t n_rows;
    /* The group of level 1 that the missing value belongs to; NULL = it stays apart. */
    char *missing_group;

    /* INTERVALS: widths ascending, each a multiple of the one before. */
    pv_decimal *widths;
    size_t n_widths;
    pv_decimal origin;
    bool closed_right; /* (25,35] rather than [25,35) */

    bool mask_left; /* MASK: from the left rather than from the right */

    pv_date_unit *units; /* DATE: ascending, each containing the one before */
    size_t n_units;

    /* ORDER: group sizes ascending, each a multiple of the one before, over `values` in that order
     * (NULL = the column's natural order). RARE: `values` are the ones kept apart (NULL = decided
     * by the threshold). */
    uint64_t *sizes;
    size_t n_sizes;
    char **values;
    size_t n_values;

    /* RARE: values with fewer rows than this share of the table (share > 0) or than `rare_rows`. */
    pv_decimal rare_share; /* 0.01 = 1% */
    uint64_t rare_rows;
    char *rare_label; /* NULL = "other" */

    /* BREAKS: where a new range begins, ascending. Numbers are counted, not spellings; with a
     * granularity, multiples of it to which they are rounded down. */
    pv_decimal *breaks;
    size_t n_breaks;
    pv_decimal granularity; /* 0 = none */
    bool missing_last;      /* the missing value belongs to the last range; else it stays apart */
} pv_hierarchy_spec;

typedef struct pv_hierarchy pv_hierarchy;

PV_API void pv_hierarchy_spec_free(
    pv_hierarchy_spec *spec); /* frees what it points to, not `spec`; zeroes it */

/* Reads the file form `value;level1;...;*` (delimiter sniffed, ragged rows allowed) into `spec`.
 * Lists all problems of the file at once. */
PV_API PV_CHECKED pv_status pv_hierarchy_spec_read(const char *path, pv_hierarchy_spec *spec,
                                                   pv_error *error);

/* Builds the hierarchy of a column. The missing value is a group of its own below the top. Lists
 * the first 20 problems at once: values not covered (by line of the data), values placed twice,
 * levels that are not nested, values that are no numbers or dates. `attribute` is the name used in
 * messages. The caller owns the result, which keeps no reference to `spec` or `table`. */
PV_API PV_CHECKED pv_status pv_hierarchy_build(const pv_hierarchy_spec *spec, const pv_table *table,
                                               size_t column, pv_hierarchy **hierarchy,
                                               pv_error *error);

/* The hierarchy of the values that a ROWS specification names itself, in file order of appearance.
 */
PV_API PV_CHECKED pv_status pv_hierarchy_build_standalone(const pv_hierarchy_spec *spec,
                                                          pv_hierarchy **hierarchy,
                                                          pv_error *error);

PV_API void pv_hierarchy_free(pv_hierarchy *hierarchy); /* NULL is fine */

PV_API unsigned
pv_hierarchy_height(const pv_hierarchy *hierarchy); /* index of the top level; >= 1 */
PV_API uint32_t pv_hierarchy_leaves(const pv_hierarchy *hierarchy); /* values of the domain */
PV_API uint32_t pv_hierarchy_groups(const pv_hierarchy *hierarchy, unsigned level);
/* The group of a leaf at a level; groups are numbered in tree order, so this never falls as `leaf`
 * grows. In a ragged tree the leaves that reached `*` early share one group, the last of the level.
 */
PV_API uint32_t pv_hierarchy_group(const pv_hierarchy *hierarchy, unsigned level, uint32_t leaf);
PV_API const char *pv_hierarchy_label(const pv_hierarchy *hierarchy, unsigned level,
                                      uint32_t group);
/* leaves(g) of docs/model.md, section 1: for the root group at any level, the whole domain. */
PV_API uint64_t pv_hierarchy_group_leaves(const pv_hierarchy *hierarchy, unsigned level,
                                          uint32_t group);
PV_API bool pv_hierarchy_is_root(const pv_hierarchy *hierarchy, unsigned level, uint32_t group);
uint64_t
pv_hierarchy_domain(const pv_hierarchy *hierarchy); /* |domain| that leaves() is relative to */
/* Between dictionary codes of the column and leaves in tree order. */
PV_API uint32_t pv_hierarchy_leaf(const pv_hierarchy *hierarchy, uint32_t code);
PV_API uint32_t pv_hierarchy_code(const pv_hierarchy *hierarchy, uint32_t leaf);

/* The file form, one row per leaf in tree order, `;`-separated, into a malloc'ed string the caller
 * frees with pv_string_free. */
PV_API PV_CHECKED pv_status pv_hierarchy_text(const pv_hierarchy *hierarchy, char **text,
                                              pv_error *error);
/* A drawing of the tree for a terminal, at most `max_leaves` leaves (0 = all). */
PV_API PV_CHECKED pv_status pv_hierarchy_tree(const pv_hierarchy *hierarchy, size_t max_leaves,
                                              char **text, pv_error *error);

PV_API const char *pv_hierarchy_kind_name(pv_hierarchy_kind kind);
PV_API const char *pv_date_unit_name(pv_date_unit unit);

#ifdef __cplusplus
}
#endif
#endif
