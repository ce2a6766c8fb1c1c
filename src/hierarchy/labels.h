/* A set of texts numbered in order of first appearance. */
#ifndef PV_HIERARCHY_LABELS_H
#define PV_HIERARCHY_LABELS_H

#include "base/arena.h"

#include <paravent/status.h>
#include <stddef.h>
#include <stdint.h>

#define PV_NO_LABEL UINT32_MAX

/* Zero-initialised = empty. */
typedef struct pv_labels {
    const char **texts; /* by number */
    uint32_t n;
    size_t capacity;
    uint32_t *slots; /* open addressing; holds numbers */
    size_t n_slots;  /* a power of two, at least twice `n` */
} pv_labels;

/* The number of a text, which is copied into `arena` when it is new. */
PV_CHECKED pv_status pv_i_labels_add(pv_labels *labels, pv_arena *arena, const char *text,
                                     uint32_t *number, pv_error *error);
/* The number of a text, or PV_NO_LABEL. */
uint32_t pv_i_labels_find(const pv_labels *labels, const char *text);
void pv_i_labels_deinit(pv_labels *labels); /* the texts stay in their arena */

#endif
