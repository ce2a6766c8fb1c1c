/* What the rows show of a quasi-identifier: how many have which value at which level. Counted once,
 * for certificate, report, codebook and terminal. */
#ifndef PV_RELEASE_SHOWN_H
#define PV_RELEASE_SHOWN_H

#include <paravent/classes.h>
#include <paravent/context.h>

typedef struct pv_shown {
    const pv_hierarchy *hierarchy;
    uint32_t n_leaves;
    unsigned first, n_levels; /* levels that occur are among those; one, unless by record */
    uint64_t *all;            /* rows by level and leaf, */
    uint64_t *released;       /* and those that are not suppressed */
} pv_shown;

/* One for each quasi-identifier; pv_i_shown_free. */
PV_CHECKED pv_status pv_i_shown_create(const pv_classes *classes, const pv_context *context,
                                       pv_shown **shown, pv_error *error);
void pv_i_shown_free(pv_shown *shown, size_t n); /* NULL is fine */

/* Where the rows of a level begin. */
static inline const uint64_t *pv_i_shown_at(const pv_shown *shown, const uint64_t *rows,
                                            unsigned level)
{
    return rows + (size_t)(level - shown->first) * shown->n_leaves;
}

/* Labels of a level that released people have and that are not the value of one of them, at most so
 * many, in the order of the hierarchy; borrowed from it. How many there are; SIZE_MAX = memory ran
 * out. */
size_t pv_i_shown_labels(const pv_shown *shown, unsigned level, size_t most, const char **labels);

#endif
