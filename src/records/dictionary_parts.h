/* The ways by which a dictionary comes to know which groups its values are consistent with. */
#ifndef PV_RECORDS_DICTIONARY_PARTS_H
#define PV_RECORDS_DICTIONARY_PARTS_H

#include "base/arena.h"
#include "records/consistency.h"
#include "records/dictionary.h"

/* Level by level, from where the values may be in the table's hierarchy. */
PV_CHECKED pv_status pv_i_known_match(pv_known *known, const pv_whereabouts *where,
                                      const pv_hierarchy *hierarchy, pv_error *error);

/* Texts to compare; borrowed from a table, but for numbers and dates, which are compared in one
 * spelling. The missing value is similar to itself only. */
typedef struct pv_texts {
    uint32_t n;
    const char **text; /* NULL = missing */
    size_t *size;
    pv_arena arena;
} pv_texts;

/* The values of a column: by code, or by leaf of a hierarchy. Deinitialise even after a failure. */
PV_CHECKED pv_status pv_i_texts_init(pv_texts *texts, const pv_table *table, size_t column,
                                     const pv_hierarchy *hierarchy, pv_error *error);
void pv_i_texts_deinit(pv_texts *texts);

/* By similarity of the values to the leaves of the table's hierarchy. */
PV_CHECKED pv_status pv_i_known_match_similar(pv_known *known, const pv_hierarchy *hierarchy,
                                              const pv_texts *leaves, const pv_texts *values,
                                              double similarity, const pv_context *context,
                                              pv_error *error);

/* A column of another table, whose values are numbered by their codes, exactly (similarity 0) or by
 * similarity. */
PV_CHECKED pv_status pv_i_known_match_column(pv_known *known, const pv_study *study, size_t quasi,
                                             const pv_table *table, size_t column,
                                             double similarity, const pv_context *context,
                                             pv_error *error);

/* Everything from a file. */
PV_CHECKED pv_status pv_i_dictionary_take_file(pv_dictionary *dictionary,
                                               const pv_dictionary_options *options,
                                               const pv_context *context, pv_error *error);

#endif
