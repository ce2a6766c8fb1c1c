/* Classes of cut schemes for measures. */
#include "cuts/cut_classes.h"

#include "base/memory.h"

#include <string.h>

/* What tuples are sorted by: codes of a column, or values of an axis. */
static size_t most_keys(const pv_cut_table *table)
{
    size_t most = pv_i_cut_most_values(table->space);
    for (size_t c = 0; c < table->n_columns; c++) {
        most = table->columns[c].n_codes > most ? table->columns[c].n_codes : most;
    }
    return most;
}

bool pv_i_cut_room_init(pv_cut_room *room, const pv_cut_table *table)
{
    const size_t n = table->base.n;
    const size_t n_keys = most_keys(table);
    *room = (pv_cut_room){.sizes = PV_NEW_ARRAY(uint64_t, n),
                          .ends = PV_NEW_ARRAY(uint32_t, n > n_keys ? n : n_keys),
                          .by_key = PV_NEW_ARRAY(uint32_t, n),
                          .order = PV_NEW_ARRAY(uint32_t, n),
                          .n_columns = table->n_columns};
    bool ready =
        room->sizes != NULL && room->ends != NULL && room->by_key != NULL && room->order != NULL;
    for (size_t c = 0; c < table->n_columns; c++) {
        room->columns[c].start = PV_NEW_ARRAY(uint32_t, n + 1);
        room->columns[c].code = PV_NEW_ARRAY(uint32_t, n);
        room->columns[c].count = PV_NEW_ARRAY(uint32_t, n);
        ready = ready && room->columns[c].start != NULL && room->columns[c].code != NULL &&
                room->columns[c].count != NULL;
    }
    if (!ready) {
        pv_i_cut_room_deinit(room);
    }
    return ready;
}

void pv_i_cut_room_deinit(pv_cut_room *room)
{
    for (size_t c = 0; c < room->n_columns; c++) {
        pv_i_free(room->columns[c].start);
        pv_i_free(room->columns[c].code);
        pv_i_free(room->columns[c].count);
    }
    pv_i_free(room->sizes);
    pv_i_free(room->ends);
    pv_i_free(room->by_key);
    pv_i_free(room->order);
    *room = (pv_cut_room){0};
}

/* ----------------------------------------------------------------- columns */

/* Turns how often each key occurs into where its last one goes. */
static void add_up(uint32_t *ends, size_t n_keys)
{
    for (size_t i = 1; i < n_keys; i++) {
        ends[i] += ends[i - 1];
    }
}

/* Two counting sorts: by key, and then, in that order, by class. */
void pv_i_cut_room_sort(const pv_cut_room *room, const pv_cut_view *view, const uint16_t *keys,
                        size_t n_keys, const uint32_t *class_of, size_t n_classes)
{
    memset(room->ends, 0, n_keys * sizeof *room->ends);
    for (size_t t = 0; t < view->n; t++) {
        room->ends[keys[t]]++;
    }
    add_up(room->ends, n_keys);
    for (size_t t = view->n; t-- > 0;) {
        room->by_key[--room->ends[keys[t]]] = (uint32_t)t;
    }
    memset(room->ends, 0, n_classes * sizeof *room->ends);
    for (size_t t = 0; t < view->n; t++) {
        room->ends[class_of[t]]++;
    }
    add_up(room->ends, n_classes);
    for (size_t i = view->n; i-- > 0;) {
        const uint32_t t = room->by_key[i];
        room->order[--room->ends[class_of[t]]] = t;
    }
}

static void fill_entries(pv_cut_room *room, const pv_cut_table *table, size_t column,
                         const pv_cut_view *view, const uint32_t *class_of, size_t n_classes)
{
    const uint16_t *const codes = view->values[table->space->n_axes + column];
    uint32_t *const start = room->columns[column].start;
    uint32_t *const code = room->columns[column].code;
    uint32_t *const count = room->columns[column].count;
    uint32_t n = 0;
    uint32_t next_class = 0; /* the first whose start is not known */
    pv_i_cut_room_sort(room, view, codes, table->columns[column].n_codes, class_of, n_classes);
    for (size_t i = 0; i < view->n; i++) {
        const uint32_t t = room->order[i];
        const bool begins = class_of[t] == next_class;
        if (begins) {
            start[next_class++] = n;
        }
        if (begins || code[n - 1] != codes[t]) {
            code[n] = codes[t];
            count[n++] = 0;
        }
        count[n - 1] += view->counts[t];
    }
    start[n_classes] = n;
    room->entries[column] = (pv_class_entries){
        .column = table->columns[column].column, .start = start, .code = code, .count = count};
}

/* ----------------------------------------------------------------- classes */

static void sum_up(const pv_cut_room *room, size_t n_classes, pv_classes *classes)
{
    classes->k = UINT64_MAX;
    for (size_t c = 0; c < n_classes; c++) {
        const uint64_t size = room->sizes[c];
        classes->k = size < classes->k ? size : classes->k;
        classes->largest = size > classes->largest ? size : classes->largest;
        classes->squares += (pv_wide)size * size;
    }
}

bool pv_i_cut_classes(pv_cut_table *table, pv_cut_scratch *scratch, pv_cut_room *room,
                      const pv_profile *profile, const uint8_t *cuts, pv_classes *classes)
{
    const pv_cut_view *view;
    const size_t n_classes = pv_i_cut_number(table, scratch, cuts, &view);
    if (n_classes == 0) {
        return false;
    }
    memset(room->sizes, 0, n_classes * sizeof *room->sizes);
    for (size_t t = 0; t < view->n; t++) {
        room->sizes[scratch->keys[t]] += view->counts[t];
    }
    for (size_t c = 0; c < table->n_columns; c++) {
        fill_entries(room, table, c, view, scratch->keys, n_classes);
    }
    *classes = (pv_classes){.profile = profile,
                            .n_classes = n_classes,
                            .n_remaining = n_classes,
                            .size = room->sizes,
                            .feasible = true,
                            .entries = room->entries,
                            .n_entries = table->n_columns};
    sum_up(room, n_classes, classes);
    return true;
}
