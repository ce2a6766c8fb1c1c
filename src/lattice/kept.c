/* Lists kept at hand. */
#include "lattice/kept.h"

#include "base/compare.h"
#include "base/memory.h"

#include <stdlib.h>

/* Prefixes of a position are kept only while there are not more of them than this. */
#define MOST_PREFIXES ((uint64_t)1 << 16)

static uint64_t prefixes_of(const pv_kept *kept, size_t position)
{
    uint64_t n = 1;
    for (size_t p = 0; p <= position && n <= MOST_PREFIXES; p++) {
        n *= kept->lattice->heights[kept->order[p]] + 1u;
    }
    return n;
}

bool pv_i_kept_init(pv_kept *kept, const pv_lattice *lattice, const size_t *order, size_t n_layers,
                    uint64_t memory)
{
    *kept = (pv_kept){.lattice = lattice,
                      .order = order,
                      .n_layers = n_layers,
                      .lists = PV_NEW_ZEROED(pv_kept_list *, lattice->n_axes),
                      .memory = memory,
                      .left = memory};
    (void)pthread_mutex_init(&kept->lock, NULL);
    bool ready = kept->lists != NULL;
    for (size_t p = 0; ready && p + 1 < lattice->n_axes; p++) {
        const uint64_t n = prefixes_of(kept, p);
        if (n > MOST_PREFIXES) {
            break;
        }
        kept->lists[p] = PV_NEW_ZEROED(pv_kept_list, n);
        ready = kept->lists[p] != NULL;
        kept->n_positions += ready;
    }
    return ready;
}

static void drop(pv_kept *kept, pv_kept_list *list)
{
    for (size_t i = 0; list->groups != NULL && i < kept->n_layers; i++) {
        pv_i_groups_deinit(&list->groups[i]);
    }
    pv_i_free(list->groups);
    kept->left += list->bytes;
    *list = (pv_kept_list){0};
}

/* Calls `visit` for every list kept. */
static void for_each(pv_kept *kept, void (*visit)(pv_kept *, pv_kept_list *, uint64_t *),
                     uint64_t *ctx)
{
    for (size_t p = 0; p < kept->n_positions; p++) {
        const uint64_t n = prefixes_of(kept, p);
        for (uint64_t i = 0; i < n; i++) {
            if (kept->lists[p][i].groups != NULL) {
                visit(kept, &kept->lists[p][i], ctx);
            }
        }
    }
}

static void drop_any(pv_kept *kept, pv_kept_list *list, uint64_t *unused)
{
    (void)unused;
    drop(kept, list);
}

void pv_i_kept_deinit(pv_kept *kept)
{
    if (kept->lists == NULL) {
        return;
    }
    for_each(kept, drop_any, NULL);
    for (size_t p = 0; p < kept->n_positions; p++) {
        pv_i_free(kept->lists[p]);
    }
    pv_i_free(kept->lists);
    (void)pthread_mutex_destroy(&kept->lock);
    *kept = (pv_kept){0};
}

/* The number of the path's prefix with level 0 at the position: its levels follow one another. */
static uint64_t first_prefix(const pv_kept *kept, const uint8_t *path, size_t position)
{
    uint64_t prefix = 0;
    for (size_t p = 0; p <= position; p++) {
        prefix =
            prefix * (kept->lattice->heights[kept->order[p]] + 1u) + (p < position ? path[p] : 0);
    }
    return prefix;
}

const pv_groups *pv_i_kept_find(pv_kept *kept, const uint8_t *path, size_t position, uint8_t *level)
{
    const pv_groups *found = NULL;
    if (position >= kept->n_positions) {
        return NULL;
    }
    pv_kept_list *const lists = kept->lists[position] + first_prefix(kept, path, position);
    (void)pthread_mutex_lock(&kept->lock);
    for (uint8_t l = path[position]; l > 0 && found == NULL; l--) {
        if (lists[l].groups != NULL) {
            lists[l].used = ++kept->clock;
            *level = l;
            found = lists[l].groups;
        }
    }
    (void)pthread_mutex_unlock(&kept->lock);
    return found;
}

static pv_groups *copy_of(const pv_groups *groups, size_t n_layers)
{
    pv_groups *const copy = PV_NEW_ZEROED(pv_groups, n_layers);
    for (size_t i = 0; copy != NULL && i < n_layers; i++) {
        if (!pv_i_groups_copy(&groups[i], &copy[i])) {
            for (size_t j = 0; j < i; j++) {
                pv_i_groups_deinit(&copy[j]);
            }
            pv_i_free(copy);
            return NULL;
        }
    }
    return copy;
}

void pv_i_kept_add(pv_kept *kept, const uint8_t *path, size_t position, const pv_groups *groups)
{
    const size_t bytes = pv_i_groups_bytes(groups, kept->n_layers);
    if (position >= kept->n_positions) {
        return;
    }
    pv_kept_list *const list =
        &kept->lists[position][first_prefix(kept, path, position) + path[position]];
    (void)pthread_mutex_lock(&kept->lock);
    if (list->groups == NULL && bytes <= kept->left) {
        list->groups = copy_of(groups, kept->n_layers);
        if (list->groups != NULL) {
            list->bytes = bytes;
            list->used = ++kept->clock;
            kept->left -= bytes;
        }
    }
    (void)pthread_mutex_unlock(&kept->lock);
}

/* Collects when lists were used; ctx[0] counts, the times follow. */
static void note_time(pv_kept *kept, pv_kept_list *list, uint64_t *ctx)
{
    (void)kept;
    ctx[++ctx[0]] = list->used;
}

static void count_list(pv_kept *kept, pv_kept_list *list, uint64_t *n)
{
    (void)kept;
    (void)list;
    ++*n;
}

static void drop_older(pv_kept *kept, pv_kept_list *list, uint64_t *limit)
{
    if (list->used < *limit) {
        drop(kept, list);
    }
}

void pv_i_kept_make_room(pv_kept *kept)
{
    uint64_t n = 0;
    if (kept->left > kept->memory / 8) {
        return;
    }
    for_each(kept, count_list, &n);
    uint64_t *const times = PV_NEW_ZEROED(uint64_t, n + 1);
    if (times == NULL || n < 2) {
        pv_i_free(times);
        return;
    }
    for_each(kept, note_time, times);
    qsort(times + 1, n, sizeof *times, pv_i_compare_u64);
    uint64_t middle = times[1 + n / 2]; /* the less recently used half goes */
    for_each(kept, drop_older, &middle);
    pv_i_free(times);
}
