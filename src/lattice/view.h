/* The view: the classes of one scheme as measures see them, made from its sorted groups. */
#ifndef PV_LATTICE_VIEW_H
#define PV_LATTICE_VIEW_H

#include "classes/grouping.h"
#include "lattice/rollup.h"
#include "measure/class_rules.h"
#include "scheme/lattice.h"

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

/* What decides which classes are suppressed. */
typedef struct pv_view_rule {
    const pv_lattice *lattice;  /* which the paths are of */
    pv_suppression suppression; /* the budget at most the number of rows less one */
    const pv_class_rules
        *demands;    /* besides k: classes that break one are suppressed; NULL = none */
    bool by_variety; /* is l-distinct an objective? Then it has thresholds, too, as k has */
} pv_view_rule;

/* What one thread needs to make views. */
typedef struct pv_view {
    const pv_layers *layers;
    const pv_lattice *lattice;
    pv_suppression rule;
    pv_class_scorer scorer; /* of the demands; rules NULL = there are none */
    uint8_t *broken;        /* per class: does it break a demand? */
    uint8_t *dropped;       /* ... or has too few sensitive values for the threshold? */
    uint32_t *alive;        /* the sizes of the others */
    uint32_t *variety; /* per class: sensitive values, fewest of all columns; NULL = not asked */
    pv_tally *tallies; /* to count them: one per sensitive column */
    const uint32_t *class_sizes; /* of the scheme at hand */
    const pv_groups *lists;      /* ... and where they are from */
    uint32_t least_variety;      /* the threshold */
    size_t n_dropped;            /* of the lost classes, which stay lost: the first ones */
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
    uint64_t n_lists; /* of lost classes, made so far */
} pv_view;

/* `sizes`: shall the classes have sizes? To be freed also after a failure. */
PV_CHECKED pv_status pv_i_view_init(pv_view *view, const pv_layers *layers,
                                    const pv_view_rule *rule, bool sizes, pv_error *error);
void pv_i_view_deinit(pv_view *view);

/* The classes of the scheme with these levels by position, given its lists, one per layer, with as
 * many of the smallest suppressed as the budget allows. Valid until the next call and as long as
 * the lists are. False when memory runs out. */
PV_CHECKED bool pv_i_view_classes(pv_view *view, const pv_groups *lists, const uint8_t *path,
                                  pv_classes *classes);
/* The same scheme with the next lower threshold of class sizes: the largest of its suppressed
 * classes remain; then, where l-distinct is an objective, with the next higher threshold of
 * variety. False if there is none: nothing is suppressed any more that a demand does not ask for,
 * the target would be missed, or the rule is to spend the budget. `failed` is set when memory runs
 * out. */
bool pv_i_view_next(pv_view *view, pv_classes *classes, bool *failed);

#endif
