/* Kinds: people whom all releases treat alike.
 *
 *     people      . . . . . . . . . .       one kind: nobody was treated yet
 *     release A   [. . . . .][. . . . .]    two classes: two kinds
 *     release B   [. .|. . .][. . .|. .]    the classes of B cut across: four kinds
 *
 * Of millions of people few are unlike all others: whatever is computed is computed for a kind, and
 * counted as often as it has people. Every release that joins a comparison divides the kinds there
 * are by its *traits*, what it shows of people; kinds are never merged. */
#ifndef PV_COMPARE_KINDS_H
#define PV_COMPARE_KINDS_H

#include "table/column.h"

#include <paravent/context.h>
#include <paravent/status.h>

typedef struct pv_kinds {
    uint64_t n_rows;  /* compared: those that all releases have */
    uint64_t *row;    /* of the original, ascending; NULL = all of them */
    uint32_t *of_row; /* per compared row; NULL = all are of one kind */
    size_t n;         /* kinds */
    uint64_t *people; /* per kind */
} pv_kinds;

/* Everyone is of one kind. Deinitialise even after a failure. */
PV_CHECKED pv_status pv_i_kinds_init(pv_kinds *kinds, uint64_t n_rows, pv_error *error);
void pv_i_kinds_deinit(pv_kinds *kinds);

/* What distinguishes people in a release: a number for each of its rows. */
typedef struct pv_trait {
    pv_codes codes;
    uint32_t n_values;
} pv_trait;

/* What became of the kinds. */
typedef struct pv_division {
    uint32_t *parent;  /* per kind: which one it was part of */
    uint64_t *example; /* per kind: a row of the release */
} pv_division;

#define PV_NOWHERE UINT64_MAX

/* Leaves out the rows that a release lacks, then divides. `places` says for each row of the
 * original where the release has it, or PV_NOWHERE; NULL = in the same place. Deinitialise the
 * division even after a failure; the kinds are then good for nothing else either. */
PV_CHECKED pv_status pv_i_kinds_divide(pv_kinds *kinds, const pv_trait *traits, size_t n_traits,
                                       const uint64_t *places, const pv_context *context,
                                       pv_division *division, pv_error *error);
void pv_i_division_deinit(pv_division *division);

#endif
