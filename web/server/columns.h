/* Columns as the page sees them: the table of a plan read with all its columns, whose values must
 * not be shown, and summaries of the values of the others. */
#ifndef WEB_SERVER_COLUMNS_H
#define WEB_SERVER_COLUMNS_H

#include "server/web.h"

/* The plan of a text, which names plain files alone: a pipe or a device would be waited for, or
 * never end. The caller frees it. */
PV_CHECKED pv_status web_plan_parse(const char *path, const char *text, pv_plan **plan,
                                    pv_error *error);

/* Reads the data of a plan as the plan says, each column with the type that the plan gives it, or
 * the one its values have if they do not fit that or nothing is said. `only` NULL = all columns;
 * else this one alone. The caller frees the table. */
PV_CHECKED pv_status web_table_read(web_call *call, const pv_plan *plan, const char *only,
                                    pv_table **table, pv_error *error);

/* What one column looks like, counted under the types of the plan. */
typedef struct web_column {
    uint64_t values;  /* distinct ones, without the missing one */
    uint64_t missing; /* rows */
    uint64_t unique;  /* values that just one row has */
    pv_type type;
} web_column;

web_column web_column_look(const pv_table *table, size_t column);

/* Values of identifiers are shown to nobody. A column whose role is not decided may be one: it is
 * taken for one if the guess says so or if more than half of its rows have text values that differ.
 * `attribute` NULL = the plan does not name the column; `guessed` is the role that was guessed for
 * it. */
bool web_column_is_hidden(const pv_plan_attribute *attribute, pv_role guessed,
                          const web_column *look, uint64_t rows);

/* Numbers and dates in at most 24 ranges of the same size with round limits; other values by how
 * many rows have them, at most 40, and in *others the rows with all other values. Never the missing
 * value. */
json_t *web_column_bins(const pv_table *table, size_t column, uint64_t *others);

#endif
