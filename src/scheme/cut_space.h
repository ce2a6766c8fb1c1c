/* The space of cut schemes: order-preserving partitions of every quasi-identifier.
 *
 *     values   17  18  19  20  21          Each attribute has its values in order. Between two
 *     cuts       0   1   0   0             neighbours there is a cut (1) or they are merged (0).
 *     groups  {17, 18} {19, 20, 21}
 *
 * Numbers are ordered by size, and rounded down to multiples of the plan's granularity first;
 * categories come in the order of their tree. A missing value comes last. (Dewri, Ray, Ray,
 * Whitley: k-anonymization in the presence of publisher preferences, section 7.1, after Iyengar.)
 *
 * Where the plan limits an attribute, the groups of a level divide its values into *stretches*:
 *
 *     level    a  a  b  b  b  a             `max-level`: a group stays within one stretch, so the
 *     forced        1        1              cuts between stretches are forced. `level`: the
 *                                           stretches are the groups, and there is no other cut.
 *
 * So there is a coarsest and a finest scheme, and every allowed one is between them. */
#ifndef PV_SCHEME_CUT_SPACE_H
#define PV_SCHEME_CUT_SPACE_H

#include <paravent/plan.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pv_cut_axis {
    const pv_hierarchy *hierarchy;
    uint32_t n;         /* values in order; n - 1 places for cuts */
    uint32_t *value_of; /* per leaf of the hierarchy */
    uint64_t *rows;     /* n + 1: rows with a value before each */
    size_t first_bit;   /* of its cuts in a scheme */
    bool numeric;       /* else categories, in the order of their tree */
    bool respects;      /* groups must be of one family: see pv_i_cut_joinable */
    uint32_t *stretch;  /* per value: the first of its stretch; NULL = the plan limits nothing */
    bool exact;         /* the stretches are the groups */
    double weight;      /* of nwp */
} pv_cut_axis;

typedef struct pv_cut_space {
    size_t n_axes;
    pv_cut_axis *axes; /* one per quasi-identifier */
    size_t n_bits;     /* places for cuts, all axes together */
    uint8_t *coarsest; /* the scheme that every allowed one refines; a byte per bit */
    uint8_t *finest;   /* ... and the one that refines them all */
    bool limited;      /* is there a cut that is forced or forbidden? */
    uint64_t n_rows;
} pv_cut_space;

/* With `respect_taxonomy` the groups of categories are single subtrees or unions of whole
 * neighbouring siblings; numbers stay free. Fixed and highest levels of the plan limit the groups;
 * PV_STATUS_ARGUMENT where no cuts can keep to them: a granule has values that the level keeps
 * apart; of a fixed level, values of a group are no neighbours, or only some values are `*`. The
 * study is borrowed. */
PV_CHECKED pv_status pv_i_cut_space_init(pv_cut_space *space, const pv_study *study,
                                         bool respect_taxonomy, pv_error *error);
void pv_i_cut_space_deinit(pv_cut_space *space);

/* May the values first..last be one group? */
bool pv_i_cut_joinable(const pv_cut_axis *axis, uint32_t first, uint32_t last);

/* Bans, in a table of intervals (n * n), those that may not be groups. */
void pv_i_cut_invalidate_crossing(const pv_cut_axis *axis, bool *banned);
/* May all groups of a scheme (a byte per bit, 1 = cut) be groups? */
bool pv_i_cut_respects(const pv_cut_space *space, const uint8_t *cuts);

static inline uint64_t pv_i_cut_rows(const pv_cut_axis *axis, uint32_t first, uint32_t last)
{
    return axis->rows[last + 1] - axis->rows[first];
}

#endif
