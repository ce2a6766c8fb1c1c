/* The names that a table has on its way into an engine.
 *
 *     paravent~rows~1f0a93c2b7d4      staging table: the distinct rows
 *     released~1f0a93c2b7d4           hidden table: what is to become `released`
 *     paravent~counts~1f0a93c2b7d4    its rows, counted
 *
 * Whoever writes to the same table from this machine makes the same names, and nobody else does: so
 * what a dead writer left is found by the next one. */
#ifndef PV_ENGINE_PUBLISH_NAMES_H
#define PV_ENGINE_PUBLISH_NAMES_H

#include "base/buffer.h"
#include "engine/place.h"
#include "engine/sql.h"

typedef struct pv_publish_names {
    char *hidden;                         /* as a place has it */
    char *table, *hidden_table, *staging; /* quoted */
    char *kept;                           /* what was counted; quoted */
    char *to;                             /* what `rename` takes */
} pv_publish_names;

/* `turn`: 0, or more where the names before cannot be used. Deinitialise even after a failure. */
PV_CHECKED pv_status pv_i_publish_names_init(pv_publish_names *names, const pv_place *place,
                                             const pv_sql *sql, unsigned turn, pv_error *error);
void pv_i_publish_names_deinit(pv_publish_names *names);
/* Appends the digits that all of them end in. */
void pv_i_publish_digits(pv_buffer *to, const pv_place *place, unsigned turn);

#endif
