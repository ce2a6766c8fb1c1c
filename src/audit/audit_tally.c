/* A hash table with linear probing, whose keys lie one after the other in one block:
 *
 *     keys      Berlin|Rome|Oslo|...              a key ends where the next one starts
 *               ^0     ^1   ^2
 *     entries   (start, count) by number          numbers in the order of first appearance
 *     slots     [-] [1|tag] [-] [0|tag] [2|tag]   number and part of the hash
 *
 * Growing makes only the slots anew; keys and entries keep their numbers. At least half of the
 * slots are free, so a search looks at few of them. Nothing is ever removed. */
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

/* Rows of codes have one width and are by far the most keys: theirs need one access to memory, not
 * two. */
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

/* The upper half: the lower bits choose the slot, and would be alike in all keys that meet there.
 */
static uint32_t tag_of(uint64_t hash)
{
    return (uint32_t)(hash >> 32);
}

/* The slot that holds the key, or the free one where it belongs. */
static pv_audit_tally_slot *find_slot(const pv_audit_tally *tally, uint64_t hash, const void *key,
                                      size_t size)
{
    const size_t mask = tally->n_slots - 1;
    for (size_t i = (size_t)hash & mask;; i = (i + 1) & mask) {
        pv_audit_tally_slot *const slot = &tally->slots[i];
        if (slot->number == PV_AUDIT_NOT_FOUND) {
            return slot;
        }
        if (slot->tag == tag_of(hash)) {
            size_t its_size;
            const char *const its_key = pv_i_audit_tally_key(tally, slot->number, &its_size);
            if (its_size == size && memcmp(its_key, key, size) == 0) {
                return slot;
            }
        }
    }
}

static uint32_t find(const pv_audit_tally *tally, uint64_t hash, const void *key, size_t size)
{
    return tally->n_slots == 0 ? PV_AUDIT_NOT_FOUND : find_slot(tally, hash, key, size)->number;
}

uint32_t pv_i_audit_tally_find(const pv_audit_tally *tally, const void *key, size_t size)
{
    return find(tally, pv_i_hash_bytes(key, size), key, size);
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
    memset(slots, 0xff, n_slots * sizeof *slots); /* every number is NOT_FOUND */
    pv_i_free(tally->slots);
    tally->slots = slots;
    tally->n_slots = n_slots;
    /* Hashes are not stored, which saves memory; they are computed again, once per doubling. */
    for (uint32_t i = 0; i < tally->n_entries; i++) {
        size_t size;
        const char *const key = pv_i_audit_tally_key(tally, i, &size);
        const uint64_t hash = pv_i_hash_bytes(key, size);
        *find_slot(tally, hash, key, size) =
            (pv_audit_tally_slot){.number = i, .tag = tag_of(hash)};
    }
    return true;
}

static pv_status append(pv_audit_tally *tally, uint64_t hash, const void *key, size_t size,
                        pv_error *error)
{
    const size_t n = tally->n_entries;
    size_t needed; /* one byte more than the keys have, so that even an empty key has an address */
    if (n == PV_AUDIT_NOT_FOUND) {
        return pv_i_fail(error, PV_STATUS_LIMIT, "more than %u different values or classes",
                         PV_AUDIT_NOT_FOUND);
    }
    if (!pv_i_add_size(tally->keys_size + 1, size, &needed) ||
        !pv_i_reserve((void **)&tally->keys, &tally->keys_capacity, needed, 1) ||
        !pv_i_reserve((void **)&tally->entries, &tally->entries_capacity, n + 1,
                      sizeof *tally->entries) ||
        !make_slots(tally)) {
        return pv_i_no_memory(error);
    }
    *find_slot(tally, hash, key, size) =
        (pv_audit_tally_slot){.number = (uint32_t)n, .tag = tag_of(hash)};
    tally->entries[n] = (pv_audit_tally_entry){.start = tally->keys_size};
    tally->n_entries++;
    memcpy(tally->keys + tally->keys_size, key, size);
    tally->keys_size += size;
    return PV_STATUS_OK;
}

/* `count` may be 0, to number a key without counting it. */
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
