/* One bar per class and value, made from the parts of the count, merged and sorted. */
#include "audit/audit_histogram.h"

#include "base/error.h"
#include "base/memory.h"

#include <stdlib.h>

void pv_i_audit_histogram_deinit(pv_audit_histogram *histogram)
{
    pv_i_free(histogram->bars);
    pv_i_free(histogram->starts);
    pv_i_free(histogram->rank_of);
    pv_i_free(histogram->totals);
    *histogram = (pv_audit_histogram){0};
}

static int compare_bars(const void *a, const void *b)
{
    const pv_audit_bar *const left = a;
    const pv_audit_bar *const right = b;
    if (left->class_number != right->class_number) {
        return left->class_number < right->class_number ? -1 : 1;
    }
    return (left->rank > right->rank) - (left->rank < right->rank);
}

static void rank_values(pv_audit_histogram *h, const pv_audit_tally *values, const uint32_t *order)
{
    for (uint32_t rank = 0; rank < h->n_values; rank++) {
        h->rank_of[order[rank]] = rank;
        h->totals[rank] = values->entries[order[rank]].count;
    }
}

/* A part per combination with the other columns; the same class and value may come several times.
 */
static void collect_bars(pv_audit_histogram *h, const pv_audit_tally *parts, size_t position)
{
    for (uint32_t i = 0; i < parts->n_entries; i++) {
        h->bars[i] = (pv_audit_bar){.class_number = pv_i_audit_code(parts, i, 0),
                                    .rank = h->rank_of[pv_i_audit_code(parts, i, 1 + position)],
                                    .count = parts->entries[i].count};
    }
    qsort(h->bars, parts->n_entries, sizeof *h->bars, compare_bars);
}

static void merge_bars(pv_audit_histogram *h, size_t n_collected)
{
    for (size_t i = 0; i < n_collected; i++) {
        if (h->n_bars > 0 && compare_bars(&h->bars[h->n_bars - 1], &h->bars[i]) == 0) {
            h->bars[h->n_bars - 1].count += h->bars[i].count;
        } else {
            h->bars[h->n_bars++] = h->bars[i];
        }
    }
}

/* Every class has a bar, so each start is found on the way. */
static void find_starts(pv_audit_histogram *h, size_t n_classes)
{
    for (size_t i = h->n_bars; i-- > 0;) {
        h->starts[h->bars[i].class_number] = i;
    }
    h->starts[n_classes] = h->n_bars;
}

pv_status pv_i_audit_histogram(const pv_audit_count *count, size_t position, const uint32_t *order,
                               pv_audit_histogram *histogram, pv_error *error)
{
    const pv_audit_tally *const values = &count->columns[count->n_quasi + position].values;
    const size_t n_parts = count->parts.n_entries;
    const size_t n_classes = count->classes.n_entries;
    pv_audit_histogram h = {.n_values = (uint32_t)values->n_entries,
                            .bars = PV_NEW_ARRAY(pv_audit_bar, n_parts),
                            .starts = PV_NEW_ARRAY(size_t, n_classes + 1),
                            .rank_of = PV_NEW_ARRAY(uint32_t, values->n_entries),
                            .totals = PV_NEW_ARRAY(uint64_t, values->n_entries)};
    if (h.bars == NULL || h.starts == NULL || h.rank_of == NULL || h.totals == NULL) {
        pv_i_audit_histogram_deinit(&h);
        return pv_i_no_memory(error);
    }
    rank_values(&h, values, order);
    collect_bars(&h, &count->parts, position);
    merge_bars(&h, n_parts);
    find_starts(&h, n_classes);
    *histogram = h;
    return PV_STATUS_OK;
}

uint64_t pv_i_audit_bar_count(const pv_audit_histogram *histogram, uint32_t class_number,
                              uint32_t rank)
{
    const pv_audit_bar wanted = {.class_number = class_number, .rank = rank};
    const size_t start = histogram->starts[class_number];
    const size_t n = histogram->starts[class_number + (size_t)1] - start;
    const pv_audit_bar *const bar =
        bsearch(&wanted, histogram->bars + start, n, sizeof wanted, compare_bars);
    return bar != NULL ? bar->count : 0;
}
