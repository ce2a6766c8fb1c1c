/* A hash table with linear probing over keys that lie one after the other in one block. */
#include "audit/audit_tally.h"

#include "base/checked.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"

#include <stdbool.h>
#include <string.h>

#define FIRST_SLOTS 64

void pv_i_audit_tally_deinit(pv_audit_tally *tally)
{
    pv_i_free(tally->keys);
    pv_i_free(tally->entries);
    pv_i_free(tally->slots);
    *tally = (pv_audit_tally){0};
}

void pv_i_audit_tally_finish(pv_audit_tally *tally)
{
    pv_i_free(tally->slots);
    tally->slots = NULL;
    tally->n_slots = 0;
}

const char *pv_i_audit_tally_key(const pv_audit_tally *tally, uint32_t number, size_t *size)
{
    if (tally->width > 0) {
        *size = tally->width;
        return tally->keys + number * tally->width;
    }
    const size_t start = tally->entries[number].start;
    const size_t end =
        number + 1 < tally->n_entries ? tally->entries[number + 1].start : tally->keys_size;
    *size = end - start;
    return tally->keys + start;
}

static bool has_key(const pv_audit_tally *tally, uint32_t number, const void *key, size_t size)
{
    size_t its_size;
    const char *const its_key = pv_i_audit_tally_key(tally, number, &its_size);
    return its_size == size && memcmp(its_key, key, size) == 0;
}

static uint32_t tag_of(uint64_t hash)
{
    return (uint32_t)(hash >> 32);
}

/* The slot that holds the key, or the free one where it belongs. */
static size_t find_slot(const pv_audit_tally *tally, uint64_t hash, const void *key, size_t size)
{
    const size_t mask = tally->n_slots - 1;
    size_t i = (size_t)hash & mask;
    for (;;) {
        const pv_audit_tally_slot slot = tally->slots[i];
        if (slot.number == PV_AUDIT_NOT_FOUND ||
            (slot.tag == tag_of(hash) && has_key(tally, slot.number, key, size))) {
            return i;
        }
        i = (i + 1) & mask;
    }
}

static uint32_t find(const pv_audit_tally *tally, uint64_t hash, const void *key, size_t size)
{
    return tally->n_slots == 0 ? PV_AUDIT_NOT_FOUND
                               : tally->slots[find_slot(tally, hash, key, size)].number;
}

uint32_t pv_i_audit_tally_find(const pv_audit_tally *tally, const void *key, size_t size)
{
    return find(tally, pv_i_hash_bytes(key, size), key, size);
}

static void put(pv_audit_tally *tally, uint32_t number, uint64_t hash, const void *key, size_t size)
{
    tally->slots[find_slot(tally, hash, key, size)] =
        (pv_audit_tally_slot){.number = number, .tag = tag_of(hash)};
}

/* Keeps at least half of the slots free. */
static bool make_slots(pv_audit_tally *tally)
{
    if (tally->n_entries < tally->n_slots / 2) {
        return true;
    }
    const size_t n_slots = tally->n_slots > 0 ? tally->n_slots * 2 : FIRST_SLOTS;
    pv_audit_tally_slot *const slots = PV_NEW_ARRAY(pv_audit_tally_slot, n_slots);
    if (slots == NULL) {
        return false;
    }
    memset(slots, 0xff, n_slots * sizeof *slots);
    pv_i_free(tally->slots);
    tally->slots = slots;
    tally->n_slots = n_slots;
    for (uint32_t i = 0; i < tally->n_entries; i++) {
        size_t size;
        const char *const key = pv_i_audit_tally_key(tally, i, &size);
        put(tally, i, pv_i_hash_bytes(key, size), key, size);
    }
    return true;
}

/* One byte more than needed, so that even an empty key has an address. */
static bool make_room(pv_audit_tally *tally, size_t size)
{
    size_t needed;
    return pv_i_add_size(tally->keys_size + 1, size, &needed) &&
           pv_i_reserve((void **)&tally->keys, &tally->keys_capacity, needed, 1) &&
           pv_i_reserve((void **)&tally->entries, &tally->entries_capacity, tally->n_entries + 1,
                        sizeof *tally->entries) &&
           make_slots(tally);
}

static pv_status append(pv_audit_tally *tally, uint64_t hash, const void *key, size_t size,
                        pv_error *error)
{
    if (tally->n_entries == PV_AUDIT_NOT_FOUND) {
        return pv_i_fail(error, PV_STATUS_LIMIT, "more than %u different values or classes",
                         PV_AUDIT_NOT_FOUND);
    }
    if (!make_room(tally, size)) {
        return pv_i_no_memory(error);
    }
    put(tally, (uint32_t)tally->n_entries, hash, key, size);
    tally->entries[tally->n_entries++] = (pv_audit_tally_entry){.start = tally->keys_size};
    memcpy(tally->keys + tally->keys_size, key, size);
    tally->keys_size += size;
    return PV_STATUS_OK;
}

pv_status pv_i_audit_tally_add(pv_audit_tally *tally, const void *key, size_t size, uint64_t count,
                               uint32_t *number, pv_error *error)
{
    const uint64_t hash = pv_i_hash_bytes(key, size);
    uint32_t found = find(tally, hash, key, size);
    if (found == PV_AUDIT_NOT_FOUND) {
        found = (uint32_t)tally->n_entries;
        PV_TRY(append(tally, hash, key, size, error));
    }
    tally->entries[found].count += count;
    *number = found;
    return PV_STATUS_OK;
}
