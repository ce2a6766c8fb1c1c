/* The released columns: what becomes of every value, in the order of the released texts.
 *
 *     code of the table --places--> rank --starts, cells--> ,"Paris, Texas"
 *
 * Released texts are numbered by rank, the order of their bytes, so that comparing ranks compares
 * texts. A cell stands ready as it is written, with its delimiter and quotes. */
#ifndef PV_RELEASE_ROW_CELLS_H
#define PV_RELEASE_ROW_CELLS_H

#include "release/recode_rows.h"
#include "release/settings.h"
#include "table/column.h"

typedef struct pv_released_column {
    size_t column; /* of the table */
    pv_treatment treatment;
    pv_codes codes;
    uint32_t n_codes;
    size_t quasi; /* recoded: which quasi-identifier it is */
    /* The rank of each code. Recoded, with a scheme of records, level after level; the last place
     * is that of `*`. */
    uint32_t *places;
    size_t n_places;
    uint32_t n_ranks;
    size_t *starts; /* n_ranks + 1: where the cell of each rank begins in `cells` */
    char *cells;
    size_t longest;   /* cell */
    bool *is_formula; /* per rank; NULL = none is */
} pv_released_column;

typedef struct pv_released_columns {
    pv_released_column *list; /* in the order of the file */
    size_t n;
} pv_released_columns;

/* The study's columns as the scheme and the options release them. Deinitialise even after a
 * failure. */
PV_CHECKED pv_status pv_i_released_columns_init(pv_released_columns *columns,
                                                const pv_scheme *scheme, const pv_study *study,
                                                const pv_release_settings *options,
                                                pv_error *error);
void pv_i_released_columns_deinit(pv_released_columns *columns);

/* The rank of `*` in a recoded column. */
static inline uint32_t pv_i_starred_rank(const pv_released_column *column)
{
    return column->places[column->n_places - 1];
}

#endif
