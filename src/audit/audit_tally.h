/* A tally: how often each key was seen. Keys are byte strings of any length (a cell's text, a tuple
 * of codes); they are numbered in the order of their first appearance. */
#ifndef PV_AUDIT_AUDIT_TALLY_H
#define PV_AUDIT_AUDIT_TALLY_H

#include <paravent/status.h>
#include <stddef.h>
#include <stdint.h>

#define PV_AUDIT_NOT_FOUND UINT32_MAX

typedef struct pv_audit_tally_entry {
    size_t start; /* of the key in `keys`; it ends where the next one starts */
    uint64_t count;
} pv_audit_tally_entry;

/* With part of the key's hash, so that other keys are rarely compared. */
typedef struct pv_audit_tally_slot {
    uint32_t number; /* of the entry, or PV_AUDIT_NOT_FOUND = free */
    uint32_t tag;
} pv_audit_tally_slot;

/* Zero-initialised = empty. */
typedef struct pv_audit_tally {
    char *keys;
    size_t width; /* of every key, if all have one: found without their entries; or 0 */
    size_t keys_size, keys_capacity;
    pv_audit_tally_entry *entries;
    size_t n_entries, entries_capacity;
    pv_audit_tally_slot *slots; /* open addressing */
    size_t n_slots;             /* a power of two, at least twice n_entries; or 0 */
} pv_audit_tally;

void pv_i_audit_tally_deinit(pv_audit_tally *tally);

/* Adds `count` to a key and returns its number. */
PV_CHECKED pv_status pv_i_audit_tally_add(pv_audit_tally *tally, const void *key, size_t size,
                                          uint64_t count, uint32_t *number, pv_error *error);
/* The number of a key, or PV_AUDIT_NOT_FOUND. */
uint32_t pv_i_audit_tally_find(const pv_audit_tally *tally, const void *key, size_t size);
/* Frees the memory of the slots: nothing can be found or added any more. */
void pv_i_audit_tally_finish(pv_audit_tally *tally);
/* A key by number; borrowed until the next addition. Not NUL-terminated. */
const char *pv_i_audit_tally_key(const pv_audit_tally *tally, uint32_t number, size_t *size);

#endif
