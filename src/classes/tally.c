/* Counting the values of a column class by class, from the tuples' histograms. */
#include "classes/grouping.h"

#include "base/error.h"
#include "base/memory.h"

pv_status pv_i_tally_init(pv_tally *tally, const pv_histogram *histogram, pv_error *error)
{
    *tally = (pv_tally){.counts = PV_NEW_ZEROED(uint64_t, histogram->n_codes),
                        .touched = PV_NEW_ARRAY(uint32_t, histogram->n_codes),
                        .missing = histogram->missing};
    if (tally->counts == NULL || tally->touched == NULL) {
        pv_i_tally_deinit(tally);
        return pv_i_no_memory(error);
    }
    return PV_STATUS_OK;
}

void pv_i_tally_deinit(pv_tally *tally)
{
    pv_i_free(tally->counts);
    pv_i_free(tally->touched);
    *tally = (pv_tally){0};
}

void pv_i_tally_clear(pv_tally *tally)
{
    for (size_t i = 0; i < tally->n_touched; i++) {
        tally->counts[tally->touched[i]] = 0;
    }
    tally->n_touched = 0;
    tally->total = 0;
}

void pv_i_tally_add(pv_tally *tally, uint32_t code, uint64_t count)
{
    if (tally->counts[code] == 0) {
        tally->touched[tally->n_touched++] = code;
    }
    tally->counts[code] += count;
    tally->total += count;
}

static void add_members(pv_tally *tally, const pv_histogram *h, const pv_classes *classes, size_t c)
{
    for (uint32_t m = classes->member_start[c]; m < classes->member_start[c + 1]; m++) {
        const uint32_t tuple = classes->member[m];
        for (uint64_t e = h->start[tuple]; e < h->start[tuple + 1]; e++) {
            pv_i_tally_add(tally, h->code[e], h->count[e]);
        }
    }
}

static void add_entries(pv_tally *tally, const pv_class_entries *entries, size_t c)
{
    for (uint32_t e = entries->start[c]; e < entries->start[c + 1]; e++) {
        pv_i_tally_add(tally, entries->code[e], entries->count[e]);
    }
}

static void add_class(pv_tally *tally, const pv_histogram *h, const pv_classes *classes, size_t c)
{
    for (size_t i = 0; i < classes->n_entries; i++) {
        if (classes->entries[i].column == h->column) {
            add_entries(tally, &classes->entries[i], c);
            return;
        }
    }
    add_members(tally, h, classes, c);
}

void pv_i_tally_class(pv_tally *tally, const pv_histogram *histogram, const pv_classes *classes,
                      size_t c)
{
    pv_i_tally_clear(tally);
    add_class(tally, histogram, classes, c);
}

void pv_i_tally_suppressed(pv_tally *tally, const pv_histogram *histogram,
                           const pv_classes *classes)
{
    pv_i_tally_clear(tally);
    for (size_t i = 0; i < classes->n_lost; i++) {
        add_class(tally, histogram, classes, classes->lost[i].number);
    }
}
