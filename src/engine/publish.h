/* A table on its way into an engine: under a hidden name until it is known to be what it should be.
 *
 *     distinct rows, counted --load--> staging table --INSERT--> released~7f3a...
 *     released~7f3a... --GROUP BY--> read back, checked by whoever called --rename--> released
 *
 * Rows arrive as distinct ones and their order in the table follows from them alone: what comes of
 * an original row is nowhere near where that row was. (A join of the original with tables of labels
 * would keep the order of the original, which tells who is who.)
 *
 * Where engines have transactions, all of it is one: whatever dies, nothing is left. Elsewhere the
 * hidden name is left. It is made from the place, the machine and the user, and whoever writes
 * there holds a lock on this machine, so that the next one knows that what it finds is of nobody
 * alive. */
#ifndef PV_ENGINE_PUBLISH_H
#define PV_ENGINE_PUBLISH_H

#include "engine/read.h"
#include "engine/sql.h"

typedef struct pv_publish pv_publish;

/* Connects, and sees whether the table may be written: PV_STATUS_EXISTS if it is there already, and
 * `force` is false. Place and context are borrowed. */
PV_CHECKED pv_status pv_i_publish_open(const char *place, bool force, const pv_context *context,
                                       pv_publish **publish, pv_error *error);
/* Takes back what has not got its name, and disconnects. NULL is fine. */
void pv_i_publish_close(pv_publish *publish);
/* Will the table be a file, which the caller opens, names and removes? Then it is written by
 * pv_i_publish_copy after it is filled, read by pv_i_publish_look, and has no name here. */
bool pv_i_publish_is_file(const pv_publish *publish);
/* Hands over the bytes of the file. */
PV_CHECKED pv_status pv_i_publish_copy(pv_publish *publish,
                                       pv_status (*write)(void *ctx, const void *data, size_t size,
                                                          pv_error *error),
                                       void *ctx, pv_error *error);
/* From now on what is read and counted is the file at `path`. */
PV_CHECKED pv_status pv_i_publish_look(pv_publish *publish, const char *path, pv_error *error);
/* Is that where a table is read from? */
bool pv_i_publish_is(const pv_publish *publish, const char *place);

/* Has the table lie on all servers of a cluster, if the place says so, or a table that it replaces
 * or `source`, where its rows come from, does. */
PV_CHECKED pv_status pv_i_publish_spread(pv_publish *publish, const char *source, pv_error *error);

typedef struct pv_published_column {
    const char *name;
    pv_sql_type type;
} pv_published_column;

/* Makes the hidden table. The last of a row's `n` + 1 cells is how often it occurs. */
PV_CHECKED pv_status pv_i_publish_fill(pv_publish *publish, const pv_published_column *columns,
                                       size_t n, pv_row_next next, void *ctx, pv_error *error);
/* Reads it back: pv_i_count_equal_rows. The columns are borrowed as long as `publish` lives. */
PV_CHECKED pv_status pv_i_publish_read(pv_publish *publish, const char *const *columns, size_t n,
                                       pv_buffer *text, pv_error *error);
/* Has the engine itself count, after it was read: `hear` gets how many rows a class of equal
 * `columns` has, and how many classes have so many. */
PV_CHECKED pv_status pv_i_publish_sizes(const pv_publish *publish, const char *const *columns,
                                        size_t n,
                                        pv_status (*hear)(void *ctx, uint64_t rows,
                                                          uint64_t classes, pv_error *error),
                                        void *ctx, pv_error *error);
/* The last step: the table gets its name. */
PV_CHECKED pv_status pv_i_publish_name(pv_publish *publish, pv_error *error);

/* The statements that would run, one in a line, with the number of rows left open. Nothing is
 * connected to, unless only a connection knows the dialect. pv_string_free. */
PV_CHECKED pv_status pv_i_publish_explain(const char *place, const pv_published_column *columns,
                                          size_t n, char **statements, pv_error *error);

#endif
