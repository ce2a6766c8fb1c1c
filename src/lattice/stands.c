/* Places to stand on. */
#include "lattice/stands.h"

#include "base/memory.h"

#include <string.h>

void pv_i_stands_init(pv_stands *stands, size_t n_axes, size_t n_layers, uint64_t memory)
{
    *stands = (pv_stands){.n_axes = n_axes, .n_layers = n_layers, .memory = memory};
}

static void stand_deinit(const pv_stands *stands, pv_stand *stand)
{
    for (size_t i = 0; stand->groups != NULL && i < stands->n_layers; i++) {
        pv_i_groups_deinit(&stand->groups[i]);
    }
    pv_i_free(stand->groups);
    pv_i_free(stand->path);
    *stand = (pv_stand){0};
}

void pv_i_stands_deinit(pv_stands *stands)
{
    for (size_t i = 0; i < stands->n; i++) {
        stand_deinit(stands, &stands->list[i]);
    }
    stands->n = 0;
}

/* ------------------------------------------------------------------- find */

static bool is_below(const uint8_t *a, const uint8_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (a[i] > b[i]) {
            return false;
        }
    }
    return true;
}

const pv_stand *pv_i_stands_best(const pv_stands *stands, const uint8_t *path)
{
    const pv_stand *best = NULL;
    for (size_t i = 0; i < stands->n; i++) {
        const pv_stand *const stand = &stands->list[i];
        if ((best == NULL || stand->groups[0].n < best->groups[0].n) &&
            is_below(stand->path, path, stands->n_axes)) {
            best = stand;
        }
    }
    return best;
}

bool pv_i_stands_touch(pv_stands *stands, const uint8_t *path)
{
    for (size_t i = 0; i < stands->n; i++) {
        if (memcmp(stands->list[i].path, path, stands->n_axes) == 0) {
            stands->list[i].used = ++stands->clock;
            return true;
        }
    }
    return false;
}

/* ------------------------------------------------------------------- take */

static void drop_oldest(pv_stands *stands)
{
    size_t oldest = 0;
    for (size_t i = 1; i < stands->n; i++) {
        oldest = stands->list[i].used < stands->list[oldest].used ? i : oldest;
    }
    stands->taken -= stands->list[oldest].bytes;
    stand_deinit(stands, &stands->list[oldest]);
    stands->list[oldest] = stands->list[--stands->n];
}

static bool copy_stand(const pv_stands *stands, const uint8_t *path, const pv_groups *groups,
                       pv_stand *stand)
{
    *stand = (pv_stand){.path = PV_NEW_ARRAY(uint8_t, stands->n_axes),
                        .groups = PV_NEW_ZEROED(pv_groups, stands->n_layers)};
    bool ready = stand->path != NULL && stand->groups != NULL;
    for (size_t i = 0; ready && i < stands->n_layers; i++) {
        ready = pv_i_groups_copy(&groups[i], &stand->groups[i]);
    }
    if (!ready) {
        stand_deinit(stands, stand);
        return false;
    }
    memcpy(stand->path, path, stands->n_axes);
    return true;
}

void pv_i_stands_take(pv_stands *stands, const uint8_t *path, const pv_groups *groups)
{
    const size_t bytes = stands->n_axes + pv_i_groups_bytes(groups, stands->n_layers);
    pv_stand stand;
    if (bytes > stands->memory || !copy_stand(stands, path, groups, &stand)) {
        return;
    }
    while (stands->n == PV_MOST_STANDS || stands->taken + bytes > stands->memory) {
        drop_oldest(stands);
    }
    stand.bytes = bytes;
    stand.used = ++stands->clock;
    stands->taken += bytes;
    stands->list[stands->n++] = stand;
}
