/* The table with which lists of tuples are rolled up: from the key of a group to its entry.
 *
 *     slots:  [ key, stamp, entry ] ...     a slot counts only with the present stamp
 *
 * So it need not be emptied from list to list, and a list uses no more of it than its length asks
 * for: short lists stay in the cache. Keys are sums of random marks, random already. */
#ifndef PV_RECORDS_LOCAL_TABLE_H
#define PV_RECORDS_LOCAL_TABLE_H

#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pv_local_slot {
    uint64_t key;
    uint32_t stamp, entry;
} pv_local_slot;

typedef struct pv_local_table {
    pv_local_slot *slots;
    size_t n_slots, mask;
    uint32_t stamp;
} pv_local_table;

static inline size_t pv_i_local_table_slots(size_t n)
{
    size_t slots = 16;
    while (slots < 2 * n) {
        slots *= 2;
    }
    return slots;
}

/* Makes room for so many entries. */
static inline bool pv_i_local_table_reserve(pv_local_table *table, size_t n)
{
    const size_t slots = pv_i_local_table_slots(n);
    if (slots > table->n_slots) {
        pv_i_free(table->slots);
        table->slots = PV_NEW_ZEROED(pv_local_slot, slots);
        table->stamp = 0;
        table->n_slots = table->slots != NULL ? slots : 0;
    }
    return table->n_slots >= slots;
}

/* Forgets everything; at most `n` entries follow, for which there is room. */
static inline void pv_i_local_table_clear(pv_local_table *table, size_t n)
{
    table->mask = pv_i_local_table_slots(n) - 1;
    table->stamp++;
}

/* The entry of a key; if it is new, that is `next`. */
static inline uint32_t pv_i_local_table_find(pv_local_table *table, uint64_t key, uint32_t next)
{
    size_t at = (size_t)key & table->mask;
    while (table->slots[at].stamp == table->stamp && table->slots[at].key != key) {
        at = (at + 1) & table->mask;
    }
    pv_local_slot *const slot = &table->slots[at];
    if (slot->stamp != table->stamp) {
        *slot = (pv_local_slot){.key = key, .stamp = table->stamp, .entry = next};
    }
    return slot->entry;
}

static inline void pv_i_local_table_deinit(pv_local_table *table)
{
    pv_i_free(table->slots);
    *table = (pv_local_table){0};
}

#endif
