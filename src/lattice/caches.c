/* Two caches of rolled-up lists.
 *
 * Attributes are generalized in a fixed order, one position after the other. The path of a scheme
 * is its levels in that order.
 *
 * The prefix cache has the lists of schemes whose later positions are still raw: all schemes that
 * agree on the first positions can start there. A prefix is found by its number in a mixed radix:
 *
 *     path 3 1 0 2, heights 4 2 1 2     position 0: prefixes[0][3]
 *                                       position 1: prefixes[1][3 * 3 + 1]
 *                                       position 2: prefixes[2][(3 * 3 + 1) * 2 + 0] ...
 *
 * Levels of one prefix at its last position are neighbours in that table, so the next lower level
 * (from which the wanted one is one roll-up away) is found by stepping down. Positions with more
 * than MOST_PREFIXES prefixes have no table: deep prefixes are rarely asked for twice.
 *
 * The anchor cache has the lists of a few whole schemes anywhere in the lattice. A search that is
 * about to look at many schemes above one drops an anchor there first: each of them then costs what
 * a short list costs, not what the table costs. Few anchors, so they are looked through.
 *
 * Lists are never changed once cached, and never dropped while workers run. Which list a scheme is
 * rolled up from changes how long that takes, never what comes of it. */
#include "lattice/caches.h"

#include "base/compare.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define MOST_PREFIXES ((uint64_t)1 << 16)
/* Prefixes are dropped when less than this part of their memory is left. */
#define SHORT_PART 8
/* The part of the memory that anchors may take, besides the prefixes. */
#define ANCHOR_PART 4

static uint64_t prefixes_at(const pv_caches *caches, size_t position)
{
    uint64_t n = 1;
    for (size_t p = 0; p <= position && n <= MOST_PREFIXES; p++) {
        n *= caches->lattice->heights[caches->order[p]] + 1u;
    }
    return n;
}

bool pv_i_caches_init(pv_caches *caches, const pv_lattice *lattice, const size_t *order,
                      size_t n_layers, uint64_t memory)
{
    *caches = (pv_caches){.lattice = lattice,
                          .order = order,
                          .n_layers = n_layers,
                          .prefixes = PV_NEW_ZEROED(pv_cached *, lattice->n_axes),
                          .memory = memory,
                          .left = memory,
                          .anchor_memory = memory / ANCHOR_PART,
                          .anchor_left = memory / ANCHOR_PART};
    (void)pthread_mutex_init(&caches->lock, NULL);
    bool ready = caches->prefixes != NULL;
    /* The last position is never cached: nothing is rolled up from it. */
    for (size_t p = 0; ready && p + 1 < lattice->n_axes; p++) {
        const uint64_t n = prefixes_at(caches, p);
        if (n > MOST_PREFIXES) {
            break;
        }
        caches->prefixes[p] = PV_NEW_ZEROED(pv_cached, n);
        ready = caches->prefixes[p] != NULL;
        caches->n_positions += ready;
    }
    return ready;
}

/* ---------------------------------------------------------------- entries */

/* Gives its bytes back to `left`. */
static void drop(const pv_caches *caches, pv_cached *cached, uint64_t *left)
{
    for (size_t i = 0; cached->lists != NULL && i < caches->n_layers; i++) {
        pv_i_groups_deinit(&cached->lists[i]);
    }
    pv_i_free(cached->lists);
    pv_i_free(cached->path);
    *left += cached->bytes;
    *cached = (pv_cached){0};
}

/* Takes a copy and its bytes from `left`, which must be enough. False when memory runs out. */
static bool copy_lists(pv_caches *caches, const pv_groups *lists, size_t bytes, pv_cached *cached,
                       uint64_t *left)
{
    *cached = (pv_cached){.lists = PV_NEW_ZEROED(pv_groups, caches->n_layers)};
    bool ready = cached->lists != NULL;
    for (size_t i = 0; ready && i < caches->n_layers; i++) {
        ready = pv_i_groups_copy(&lists[i], &cached->lists[i]);
    }
    if (!ready) {
        drop(caches, cached, left);
        return false;
    }
    cached->used = ++caches->clock;
    cached->bytes = bytes;
    *left -= bytes;
    return true;
}

/* --------------------------------------------------------------- prefixes */

/* The entry of the path's prefix with level 0 at the position: its other levels follow. */
static pv_cached *prefix_entry(const pv_caches *caches, const uint8_t *path, size_t position)
{
    uint64_t number = 0;
    for (size_t p = 0; p <= position; p++) {
        number = number * (caches->lattice->heights[caches->order[p]] + 1u) +
                 (p < position ? path[p] : 0);
    }
    return &caches->prefixes[position][number];
}

const pv_groups *pv_i_prefix_find(pv_caches *caches, const uint8_t *path, size_t position,
                                  uint8_t *level)
{
    const pv_groups *found = NULL;
    if (position >= caches->n_positions) {
        return NULL;
    }
    pv_cached *const entries = prefix_entry(caches, path, position);
    (void)pthread_mutex_lock(&caches->lock);
    for (uint8_t l = path[position]; l > 0 && found == NULL; l--) {
        if (entries[l].lists != NULL) {
            entries[l].used = ++caches->clock;
            *level = l;
            found = entries[l].lists;
        }
    }
    (void)pthread_mutex_unlock(&caches->lock);
    return found;
}

void pv_i_prefix_add(pv_caches *caches, const uint8_t *path, size_t position,
                     const pv_groups *lists)
{
    if (position >= caches->n_positions) {
        return;
    }
    const size_t bytes = pv_i_groups_bytes(lists, caches->n_layers);
    pv_cached *const entry = prefix_entry(caches, path, position) + path[position];
    /* Two workers may have rolled up the same prefix: the first copy stays. Copying under the lock
     * is no bottleneck, since a list is cached once and then read many times. */
    (void)pthread_mutex_lock(&caches->lock);
    if (entry->lists == NULL && bytes <= caches->left) {
        (void)copy_lists(caches, lists, bytes, entry, &caches->left);
    }
    (void)pthread_mutex_unlock(&caches->lock);
}

/* Half of them at once, so that this is rare: finding out which takes a look at every entry. */
void pv_i_prefix_evict(pv_caches *caches)
{
    size_t n = 0;
    size_t most = 0;
    if (caches->left > caches->memory / SHORT_PART) {
        return;
    }
    for (size_t p = 0; p < caches->n_positions; p++) {
        most += (size_t)prefixes_at(caches, p);
    }
    uint64_t *const times = PV_NEW_ARRAY(uint64_t, most);
    for (size_t p = 0; times != NULL && p < caches->n_positions; p++) {
        const uint64_t n_prefixes = prefixes_at(caches, p);
        for (uint64_t i = 0; i < n_prefixes; i++) {
            if (caches->prefixes[p][i].lists != NULL) {
                times[n++] = caches->prefixes[p][i].used;
            }
        }
    }
    if (n >= 2) {
        qsort(times, n, sizeof *times, pv_i_compare_u64);
        for (size_t p = 0; p < caches->n_positions; p++) {
            const uint64_t n_prefixes = prefixes_at(caches, p);
            for (uint64_t i = 0; i < n_prefixes; i++) {
                if (caches->prefixes[p][i].used < times[n / 2]) {
                    drop(caches, &caches->prefixes[p][i], &caches->left);
                }
            }
        }
    }
    pv_i_free(times);
}

/* ---------------------------------------------------------------- anchors */

static bool is_below(const uint8_t *a, const uint8_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (a[i] > b[i]) {
            return false;
        }
    }
    return true;
}

const pv_cached *pv_i_anchor_below(const pv_caches *caches, const uint8_t *path)
{
    const pv_cached *best = NULL;
    for (size_t i = 0; i < caches->n_anchors; i++) {
        const pv_cached *const anchor = &caches->anchors[i];
        if ((best == NULL || anchor->lists[0].n < best->lists[0].n) &&
            is_below(anchor->path, path, caches->lattice->n_axes)) {
            best = anchor;
        }
    }
    return best;
}

bool pv_i_anchor_touch(pv_caches *caches, const uint8_t *path)
{
    for (size_t i = 0; i < caches->n_anchors; i++) {
        if (memcmp(caches->anchors[i].path, path, caches->lattice->n_axes) == 0) {
            caches->anchors[i].used = ++caches->clock;
            return true;
        }
    }
    return false;
}

static void drop_oldest_anchor(pv_caches *caches)
{
    size_t oldest = 0;
    for (size_t i = 1; i < caches->n_anchors; i++) {
        oldest = caches->anchors[i].used < caches->anchors[oldest].used ? i : oldest;
    }
    drop(caches, &caches->anchors[oldest], &caches->anchor_left);
    caches->anchors[oldest] = caches->anchors[--caches->n_anchors];
}

void pv_i_anchor_add(pv_caches *caches, const uint8_t *path, const pv_groups *lists)
{
    const size_t n_axes = caches->lattice->n_axes;
    const size_t bytes = n_axes + pv_i_groups_bytes(lists, caches->n_layers);
    uint8_t *const copy = bytes <= caches->anchor_memory ? PV_NEW_ARRAY(uint8_t, n_axes) : NULL;
    if (copy == NULL) {
        return;
    }
    while (caches->n_anchors == PV_MOST_ANCHORS || bytes > caches->anchor_left) {
        drop_oldest_anchor(caches);
    }
    pv_cached *const anchor = &caches->anchors[caches->n_anchors];
    if (!copy_lists(caches, lists, bytes, anchor, &caches->anchor_left)) {
        pv_i_free(copy);
        return;
    }
    memcpy(copy, path, n_axes);
    anchor->path = copy;
    caches->n_anchors++;
}

void pv_i_caches_deinit(pv_caches *caches)
{
    if (caches->lattice == NULL) {
        return;
    }
    for (size_t p = 0; p < caches->n_positions; p++) {
        const uint64_t n_prefixes = prefixes_at(caches, p);
        for (uint64_t i = 0; i < n_prefixes; i++) {
            drop(caches, &caches->prefixes[p][i], &caches->left);
        }
        pv_i_free(caches->prefixes[p]);
    }
    while (caches->n_anchors > 0) {
        drop_oldest_anchor(caches);
    }
    pv_i_free(caches->prefixes);
    (void)pthread_mutex_destroy(&caches->lock);
    *caches = (pv_caches){0};
}
