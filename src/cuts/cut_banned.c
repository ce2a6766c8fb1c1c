/* Banned intervals, remembered. */
#include "cuts/cut_banned.h"

#include "base/bitset.h"
#include "base/memory.h"

#include <string.h>

bool pv_i_cut_banned_init(pv_cut_banned *banned, pv_cut_table *table, uint64_t k, uint64_t memory)
{
    const unsigned words = 1 + (unsigned)PV_BITSET_WORDS(table->space->n_bits + 1);
    *banned = (pv_cut_banned){.table = table, .k = k, .memory = memory};
    if (!pv_i_keymap_init(&banned->keys, words, 0)) {
        return false;
    }
    (void)pthread_mutex_init(&banned->lock, NULL);
    return true;
}

static void forget(pv_cut_banned *banned)
{
    for (size_t i = 0; i < banned->keys.n; i++) {
        pv_i_free(banned->tables[i]);
    }
    banned->keys.n = 0;
    banned->bytes = 0;
}

void pv_i_cut_banned_deinit(pv_cut_banned *banned)
{
    if (banned->table == NULL) {
        return;
    }
    if (banned->keys.keys != NULL) {
        forget(banned);
        (void)pthread_mutex_destroy(&banned->lock);
    }
    pv_i_free(banned->tables);
    pv_i_keymap_deinit(&banned->keys);
    *banned = (pv_cut_banned){0};
}

void pv_i_cut_banned_trim(pv_cut_banned *banned)
{
    if (banned->bytes > banned->memory) {
        forget(banned);
        memset(banned->keys.slots, 0, (banned->keys.slot_mask + 1) * sizeof *banned->keys.slots);
    }
}

/* -------------------------------------------------------------------- find */

static void fill_key(const pv_cut_banned *banned, size_t axis, const uint8_t *cuts, uint64_t *key)
{
    const pv_cut_space *const space = banned->table->space;
    const pv_cut_axis *const own = &space->axes[axis];
    memset(key, 0, banned->keys.words * sizeof *key);
    key[0] = axis;
    for (size_t i = 0; i < space->n_bits; i++) {
        if (cuts[i] != 0 && (i < own->first_bit || i >= own->first_bit + own->n - 1)) {
            pv_i_bit_set(key + 1, i);
        }
    }
}

static bool *make(const pv_cut_banned *banned, pv_cut_judge *judge, size_t axis,
                  const uint8_t *cuts)
{
    const pv_cut_axis *const own = &banned->table->space->axes[axis];
    bool *const table = PV_NEW_ARRAY(bool, (size_t)own->n * own->n);
    if (table == NULL || !pv_i_cut_unfit(judge, axis, cuts, banned->k, table)) {
        pv_i_free(table);
        return NULL;
    }
    pv_i_cut_ban_strangers(own, table);
    return table;
}

static const bool *look_up(pv_cut_banned *banned, const uint64_t *key)
{
    (void)pthread_mutex_lock(&banned->lock);
    const uint32_t slot = banned->keys.slots[pv_i_keymap_slot(&banned->keys, key)];
    const bool *const table = slot > 0 ? banned->tables[slot - 1] : NULL;
    (void)pthread_mutex_unlock(&banned->lock);
    return table;
}

/* Another thread may have made the same one meanwhile: then that one is kept. */
static const bool *keep(pv_cut_banned *banned, const uint64_t *key, bool *table, size_t bytes)
{
    const bool *kept = NULL;
    (void)pthread_mutex_lock(&banned->lock);
    const size_t known = banned->keys.n;
    if (pv_i_reserve((void **)&banned->tables, &banned->capacity, known + 1,
                     sizeof *banned->tables)) {
        const uint32_t id = pv_i_keymap_add(&banned->keys, key);
        if (id != PV_KEYMAP_FULL && banned->keys.n > known) {
            banned->tables[id] = table;
            banned->bytes += bytes;
            banned->made++;
        }
        kept = id != PV_KEYMAP_FULL ? banned->tables[id] : NULL;
    }
    (void)pthread_mutex_unlock(&banned->lock);
    if (kept != table) {
        pv_i_free(table);
    }
    return kept;
}

const bool *pv_i_cut_banned_find(pv_cut_banned *banned, pv_cut_judge *judge, size_t axis,
                                 const uint8_t *cuts, uint64_t *key)
{
    const size_t n = banned->table->space->axes[axis].n;
    fill_key(banned, axis, cuts, key);
    const bool *const known = look_up(banned, key);
    if (known != NULL) {
        return known;
    }
    bool *const table = make(banned, judge, axis, cuts);
    return table != NULL ? keep(banned, key, table, n * n) : NULL;
}
