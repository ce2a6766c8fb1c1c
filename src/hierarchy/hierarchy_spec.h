/* What other rooms do with a specification of a hierarchy: check, copy, make self-contained. */
#ifndef PV_HIERARCHY_HIERARCHY_SPEC_H
#define PV_HIERARCHY_HIERARCHY_SPEC_H

#include "base/buffer.h"
#include "hierarchy/labels.h"

#include <paravent/hierarchy.h>
#include <stddef.h>
#include <stdint.h>

/* Appends a row (value, then its ancestors; all copied) to a ROWS specification. `capacity` is the
 * caller's, starting at 0. Final `*`s are left out. `line` 0 = inline. On failure the specification
 * is as before and still to be freed. */
PV_CHECKED pv_status pv_i_hierarchy_spec_add_row(pv_hierarchy_spec *spec, size_t *capacity,
                                                 const char *const *cells, size_t n, uint64_t line,
                                                 pv_error *error);

/* Are the parameters possible, whatever the data? PV_STATUS_ARGUMENT says what is wrong. For ROWS
 * all problems of the rows are listed (PV_STATUS_INPUT). */
PV_CHECKED pv_status pv_i_hierarchy_spec_check(const pv_hierarchy_spec *spec, pv_error *error);

/* Sets the bits of the codes of a column for which the hierarchy has no place. */
PV_CHECKED pv_status pv_i_hierarchy_unknown(const pv_hierarchy_spec *spec, const pv_table *table,
                                            size_t column, uint64_t *codes, pv_error *error);

/* The hierarchy of a column of another table, labelled like that of a column of `type`, so that
 * equal groups are recognised. Values that cannot be placed are right below `*`. */
PV_CHECKED pv_status pv_i_hierarchy_build_guest(const pv_hierarchy_spec *spec, pv_type type,
                                                const pv_table *table, size_t column,
                                                pv_hierarchy **hierarchy, pv_error *error);

/* A deep copy, which the caller frees with pv_hierarchy_spec_free. */
PV_CHECKED pv_status pv_i_hierarchy_spec_copy(const pv_hierarchy_spec *spec,
                                              pv_hierarchy_spec *copy, pv_error *error);

/* A copy that depends no longer on the table it was used on: ORDER lists its values, RARE the ones
 * it keeps apart (`values` is not NULL even if there are none). */
PV_CHECKED pv_status pv_i_hierarchy_spec_resolve(const pv_hierarchy_spec *spec,
                                                 const pv_table *table, size_t column,
                                                 pv_hierarchy_spec *resolved, pv_error *error);

/* Appends to words[i] what the i-th label of a level above 0 means: a range in words, or the
 * values that the specification puts under it. Says nothing about the missing value. `words` are
 * the caller's, labels->n of them; running out of memory shows there, too. */
PV_CHECKED pv_status pv_i_hierarchy_explain(const pv_hierarchy_spec *spec, const pv_labels *labels,
                                            pv_buffer *words, pv_error *error);

/* What pv_hierarchy_spec_read does with the content of a file; `name` is used in messages. */
PV_CHECKED pv_status pv_i_hierarchy_spec_parse(const char *name, const char *data, size_t size,
                                               pv_hierarchy_spec *spec, pv_error *error);

#endif
