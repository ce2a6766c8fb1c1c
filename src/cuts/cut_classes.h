/* The classes of a cut scheme as the measures see them: sizes, and how often the values of the
 * counted columns occur in each. Measures that look at levels cannot be read from them. */
#ifndef PV_CUTS_CUT_CLASSES_H
#define PV_CUTS_CUT_CLASSES_H

#include "classes/grouping.h"
#include "cuts/cut_table.h"

/* Room for them; one per thread. */
typedef struct pv_cut_room {
    uint64_t *sizes;          /* per class */
    uint32_t *ends;           /* per class or key, for sorting */
    uint32_t *by_key, *order; /* tuples, sorted by key; then by class */
    struct {
        uint32_t *start, *code, *count;
    } columns[PV_MOST_CUT_COLUMNS];
    pv_class_entries entries[PV_MOST_CUT_COLUMNS];
    size_t n_columns;
} pv_cut_room;

PV_CHECKED bool pv_i_cut_room_init(pv_cut_room *room, const pv_cut_table *table);
void pv_i_cut_room_deinit(pv_cut_room *room);

/* Sorts the tuples of a view by class and, within it, by key (below n_keys), into `order`. */
void pv_i_cut_room_sort(const pv_cut_room *room, const pv_cut_view *view, const uint16_t *keys,
                        size_t n_keys, const uint32_t *class_of, size_t n_classes);

/* Valid until the room is used again. False when memory runs out. */
PV_CHECKED bool pv_i_cut_classes(pv_cut_table *table, pv_cut_scratch *scratch, pv_cut_room *room,
                                 const pv_profile *profile, const uint8_t *cuts,
                                 pv_classes *classes);

#endif
