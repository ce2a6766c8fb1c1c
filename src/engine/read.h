/* Tables that an engine holds, as tables of this process: one line for each kind of equal rows
 * travels, with how many they are.
 *
 * The lines become delimited text, which the reader of the table room reads: missing values,
 * blanks, types and dictionaries are those of any file. They are sorted before, for an engine hands
 * them over in any order: the same rows make the same table whoever counted them. */
#ifndef PV_ENGINE_READ_H
#define PV_ENGINE_READ_H

#include "engine/engine.h"
#include "engine/place.h"

#include <paravent/table.h>

/* pv_table_read, but that the rows of an engine stay counted (table/column.h). */
PV_CHECKED pv_status pv_i_table_read_counted(const char *text, const pv_read_options *options,
                                             const pv_context *context, pv_table **table,
                                             pv_error *error);

/* The statement with which a table would be read: for people. The caller frees it with
 * pv_string_free. The engine is asked for the table's columns and for nothing else. */
PV_CHECKED pv_status pv_i_table_explain(const char *text, const pv_read_options *options,
                                        const pv_context *context, char **statement,
                                        pv_error *error);

/* A connection to where a table is. Zero-initialised = none. */
typedef struct pv_link {
    const pv_engine *engine;
    const struct pv_sql *sql; /* its dialect */
    void *connection;
} pv_link;

PV_CHECKED pv_status pv_i_link_open(pv_link *link, const pv_place *place, const pv_context *context,
                                    pv_error *error);
void pv_i_link_close(pv_link *link);

/* Columns of a table, and the names of those that are wanted. Zero-initialised = none. */
typedef struct pv_wanted {
    pv_engine_columns there;
    const char **names;
    size_t n;
} pv_wanted;

/* Chooses as the readers of files do, by options->keep. Deinitialise even after a failure. */
PV_CHECKED pv_status pv_i_wanted_choose(pv_wanted *wanted, const pv_link *link,
                                        const pv_place *place, const pv_read_options *options,
                                        pv_error *error);
void pv_i_wanted_deinit(pv_wanted *wanted);

/* Appends the rows of some columns, equal ones once: the text of a file with a header and sorted
 * lines, whose last column is how many rows a line stands for. */
PV_CHECKED pv_status pv_i_count_equal_rows(const pv_link *link, const pv_place *place,
                                           const char *const *columns, size_t n_columns,
                                           pv_buffer *text, pv_error *error);

/* The same from a statement that has counted them: the columns as texts, then the count. */
PV_CHECKED pv_status pv_i_take_counted_rows(const pv_link *link, const pv_place *place,
                                            const char *statement, const char *const *columns,
                                            size_t n_columns, pv_buffer *text, pv_error *error);

/* The same of all columns of a table that is finished. */
PV_CHECKED pv_status pv_i_count_whole_table(const char *place, const pv_context *context,
                                            pv_buffer *text, pv_error *error);

#endif
