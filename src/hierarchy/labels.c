/* A set of texts numbered in order of first appearance: an array of texts, and beside it a hash
 * table of their numbers that is kept at most half full. */
#include "hierarchy/labels.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"

#include <string.h>

#define FIRST_SLOTS 16u

/* The slot of a text, or the free one where it belongs. */
static size_t slot_of(const pv_labels *labels, const char *text)
{
    const size_t mask = labels->n_slots - 1;
    size_t slot = (size_t)pv_i_hash_bytes(text, strlen(text)) & mask;
    while (labels->slots[slot] != PV_NO_LABEL &&
           strcmp(labels->texts[labels->slots[slot]], text) != 0) {
        slot = (slot + 1) & mask;
    }
    return slot;
}

static bool grow_slots(pv_labels *labels)
{
    const size_t n_slots = labels->n_slots > 0 ? labels->n_slots * 2 : FIRST_SLOTS;
    uint32_t *const slots = PV_NEW_ARRAY(uint32_t, n_slots);
    if (slots == NULL) {
        return false;
    }
    memset(slots, 0xff, n_slots * sizeof *slots); /* PV_NO_LABEL everywhere */
    pv_i_free(labels->slots);
    labels->slots = slots;
    labels->n_slots = n_slots;
    for (uint32_t i = 0; i < labels->n; i++) {
        slots[slot_of(labels, labels->texts[i])] = i;
    }
    return true;
}

uint32_t pv_i_labels_find(const pv_labels *labels, const char *text)
{
    return labels->n_slots > 0 ? labels->slots[slot_of(labels, text)] : PV_NO_LABEL;
}

pv_status pv_i_labels_add(pv_labels *labels, pv_arena *arena, const char *text, uint32_t *number,
                          pv_error *error)
{
    const uint32_t known = pv_i_labels_find(labels, text);
    if (known != PV_NO_LABEL) {
        *number = known;
        return PV_STATUS_OK;
    }
    if (labels->n == PV_NO_LABEL - 1) {
        return pv_i_fail(error, PV_STATUS_LIMIT, "a hierarchy has more than %u values", labels->n);
    }
    if (((size_t)labels->n + 1) * 2 > labels->n_slots && !grow_slots(labels)) {
        return pv_i_no_memory(error);
    }
    const char *const copy = pv_i_arena_text(arena, text, strlen(text));
    if (copy == NULL || !pv_i_reserve((void **)&labels->texts, &labels->capacity,
                                      (size_t)labels->n + 1, sizeof *labels->texts)) {
        return pv_i_no_memory(error);
    }
    labels->slots[slot_of(labels, text)] = labels->n;
    labels->texts[labels->n] = copy;
    *number = labels->n++;
    return PV_STATUS_OK;
}

void pv_i_labels_deinit(pv_labels *labels)
{
    pv_i_free(labels->texts);
    pv_i_free(labels->slots);
    *labels = (pv_labels){0};
}
