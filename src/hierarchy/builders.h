/* Builders: one per kind of hierarchy. Each turns a specification and the values of a column into
 * paths; what follows from the paths is the same for all. To add a kind: its file build_KIND.c and
 * its line in the table. */
#ifndef PV_HIERARCHY_BUILDERS_H
#define PV_HIERARCHY_BUILDERS_H

#include "base/buffer.h"
#include "hierarchy/problems.h"
#include "hierarchy/tree.h"
#include "table/value.h"

#include <paravent/hierarchy.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a builder works on. The values it has to place are all but the missing value and `*`, which
 * have their place in every hierarchy. */
typedef struct pv_building {
    const pv_hierarchy_spec *spec;
    const pv_table *table; /* NULL = standalone: the values are those the rows name */
    size_t column;
    uint32_t *codes; /* of the values to place, in natural order */
    uint32_t n;
    uint32_t root_code; /* of the value `*`, or PV_NO_CODE */
    bool whole;         /* are all its values whole numbers, and shall labels show it? */
    uint64_t *refused;  /* bits by code: values that cannot be placed, */
    uint32_t n_refused;
    const char *complaint; /* because of this */
    pv_buffer labels;      /* of the value being placed, level 1 first, a NUL after each */
    bool repeats;          /* does it count as one with the value placed before it? */
    /* The group of level 1 that the missing value belongs to; NULL = it stays apart. */
    const char *missing_group;
    pv_paths *paths;
    pv_problems problems; /* of the rows and of the labels */
} pv_building;

typedef struct pv_hierarchy_builder {
    const char *name;
    /* Are the parameters possible at all, whatever the data? NULL = always. */
    pv_status (*check)(const pv_hierarchy_spec *spec, pv_error *error);
    /* Places every value, or refuses it. */
    pv_status (*build)(pv_building *building, pv_error *error);
    const char *remedy; /* what to do about values that were refused; NULL = none are */
} pv_hierarchy_builder;

#define PV_REMEDY_UNREADABLE \
    "correct the values, or name their spelling among the missing values of the plan"
#define PV_NO_NUMBER "is not a number"

extern const pv_hierarchy_builder pv_i_build_suppress;
extern const pv_hierarchy_builder pv_i_build_rows;
extern const pv_hierarchy_builder pv_i_build_intervals;
extern const pv_hierarchy_builder pv_i_build_mask;
extern const pv_hierarchy_builder pv_i_build_date;
extern const pv_hierarchy_builder pv_i_build_order;
extern const pv_hierarchy_builder pv_i_build_rare;
extern const pv_hierarchy_builder pv_i_build_breaks;

/* Finds the values to place. */
PV_CHECKED pv_status pv_i_building_init(pv_building *building, const pv_hierarchy_spec *spec,
                                        const pv_table *table, size_t column, pv_error *error);
void pv_i_building_deinit(pv_building *building);

/* The text of the i-th value to place. */
const char *pv_i_building_text(const pv_building *building, uint32_t i);
/* What a text of the specification or the column is known by: values of typed columns are the same
 * however they are spelled. The result is `text` itself or in `key`. */
const char *pv_i_building_key(const pv_building *building, const char *text,
                              char key[PV_CANONICAL_SIZE]);
/* Places the i-th value under the labels gathered in `labels`, and clears them. */
PV_CHECKED pv_status pv_i_building_place(pv_building *building, uint32_t i, pv_error *error);
/* Is it `*` or the missing value, which have their place in every hierarchy? */
bool pv_i_building_is_special(const pv_building *building, const char *text);
/* The same for a value that the hierarchy names but the column does not have. */
PV_CHECKED pv_status pv_i_building_place_absent(pv_building *building, const char *text,
                                                pv_error *error);
/* Notes that the i-th value cannot be placed: "is not a number". */
void pv_i_building_refuse(pv_building *building, uint32_t i, const char *complaint);

/* Reports the problems of the rows together with those found before. */
PV_CHECKED pv_status pv_i_rows_check(const pv_hierarchy_spec *spec, const pv_problems *before,
                                     pv_error *error);

/* ORDER: the names of the groups of `size` neighbours among `n` ordered values, no two of them
 * alike; the texts are kept in `arena`. */
PV_CHECKED pv_status pv_i_order_names(const char *const *values, size_t n, uint64_t size,
                                      pv_arena *arena, const char **names, pv_error *error);

/* Is there a first level, and are there no more of them than a hierarchy can have below `*`? */
PV_CHECKED pv_status pv_i_check_levels(size_t n, const char *what, pv_error *error);

/* RARE, asked also when a specification is made self-contained and when its labels are explained.
 */
/* By the threshold of the specification; the list of values kept apart is not looked at. */
bool pv_i_is_rare(const pv_hierarchy_spec *spec, const pv_table *table, size_t column,
                  uint32_t code);

/* What their group is called. */
const char *pv_i_rare_label(const pv_hierarchy_spec *spec);

#endif
