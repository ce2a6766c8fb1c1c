/* The view: the classes of one scheme as measures see them, made from its sorted groups. */
#ifndef PV_LATTICE_VIEW_H
#define PV_LATTICE_VIEW_H

#include "classes/grouping.h"
#include "lattice/rollup.h"

/* Sizes up to this are counted in a histogram; larger ones, rarely suppressed, are sorted. */
#define PV_THRESHOLD_COUNTED 4096

/* Suppression (docs/model.md, section 2) decided from class sizes alone. */
typedef struct pv_threshold {
    uint64_t smallest_kept; /* classes smaller than this are suppressed */
    uint64_t n_suppressed;  /* rows */
    uint64_t largest;
    uint64_t squares; /* sum over all classes; fits while there are fewer than 2^32 rows */
    bool feasible;
} pv_threshold;

/* One per thread. Zero-initialised = no memory yet; `large` is freed by the owner. */
typedef struct pv_threshold_scratch {
    uint32_t counted[PV_THRESHOLD_COUNTED + 1]; /* classes of each size; all 0 between calls */
    uint32_t *large;                            /* sizes beyond that */
    size_t large_capacity;
} pv_threshold_scratch;

/* The highest threshold that the budget allows; feasible if it reaches the target. `rule->budget`
 * is at most the number of rows less one. False when memory runs out. */
bool pv_i_threshold(const uint32_t *sizes, size_t n, const pv_suppression *rule,
                    pv_threshold_scratch *scratch, pv_threshold *threshold);

/* What one thread needs to make views. */
typedef struct pv_view {
    const pv_layers *layers;
    pv_suppression rule;
    pv_threshold_scratch threshold;
    uint8_t *levels;           /* by quasi-identifier */
    uint32_t *sizes;           /* of classes, where groups are not classes */
    uint64_t *wide_sizes;      /* the same for measures; NULL = they need none */
    uint32_t **starts;         /* per counted layer: per class + 1 the first group */
    uint32_t **codes;          /* per counted layer: per group the counted value */
    pv_class_entries *entries; /* per counted layer */
    pv_lost_class *lost;       /* suppressed classes */
    uint64_t *lost_keys;
    size_t lost_capacity;
} pv_view;

/* `rule->budget` as for pv_i_threshold; `sizes`: shall the classes have sizes? False when memory
 * runs out; to be freed also then. */
PV_CHECKED bool pv_i_view_init(pv_view *view, const pv_layers *layers, const pv_suppression *rule,
                               bool sizes);
void pv_i_view_deinit(pv_view *view);

/* The classes of the scheme with these levels by position, given its lists, one per layer, with as
 * many of the smallest suppressed as the budget allows. Valid until the next call and as long as
 * the lists are. False when memory runs out. */
PV_CHECKED bool pv_i_view_classes(pv_view *view, const pv_groups *lists, const uint8_t *path,
                                  pv_classes *classes);
/* The same scheme with the next lower threshold: the largest of its suppressed classes remain.
 * False, with nothing changed, if there is none: nothing is suppressed any more, the target would
 * be missed, or the rule is to spend the budget. */
bool pv_i_view_next(const pv_view *view, pv_classes *classes);

#endif
