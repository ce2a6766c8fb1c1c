/* Which intervals of an attribute may not be groups, given the cuts of the others; remembered,
 * since nodes of a search tree share most of their cuts. May be used by several threads. */
#ifndef PV_CUTS_CUT_BANNED_H
#define PV_CUTS_CUT_BANNED_H

#include "classes/keys.h"
#include "cuts/cut_judge.h"

typedef struct pv_cut_banned {
    pv_cut_table *table;
    uint64_t k;
    pthread_mutex_t lock;
    pv_keymap keys; /* the axis, and the cuts of the others */
    bool **tables;
    size_t capacity;
    uint64_t bytes, memory;
    uint64_t made;
} pv_cut_banned;

PV_CHECKED bool pv_i_cut_banned_init(pv_cut_banned *banned, pv_cut_table *table, uint64_t k,
                                     uint64_t memory);
void pv_i_cut_banned_deinit(pv_cut_banned *banned);

/* The table of an axis under the cuts of the others (n * n; the axis's own do not matter). `key` is
 * room for one key. Valid until pv_i_cut_banned_trim; NULL when memory runs out. */
const bool *pv_i_cut_banned_find(pv_cut_banned *banned, pv_cut_judge *judge, size_t axis,
                                 const uint8_t *cuts, uint64_t *key);
/* Forgets everything if it has grown too large. Not while others look at tables. */
void pv_i_cut_banned_trim(pv_cut_banned *banned);

#endif
