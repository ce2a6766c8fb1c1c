/* Rolling up from list to list, and keeping lists for later. */
#include "classes/worker.h"

#include "base/checked.h"
#include "base/error.h"
#include "base/memory.h"

#include <string.h>

/* Prefixes of a position are kept only while there are not more of them than this. */
#define MOST_PREFIXES ((uint64_t)1 << 16)

static const pv_hierarchy *hierarchy_at(const pv_ground *ground, size_t position)
{
    return pv_study_hierarchy(ground->profile->study, ground->order[position]);
}

/* ------------------------------------------------------------- roll up */

/* From the groups of one level to those of a higher one. */
static void fill_step(pv_worker *w, size_t position, unsigned from, unsigned to)
{
    const pv_hierarchy *const h = hierarchy_at(w->ground, position);
    const uint32_t n = pv_hierarchy_leaves(h);
    for (uint32_t leaf = 0; leaf < n; leaf++) {
        w->step[pv_hierarchy_group(h, from, leaf)] = pv_hierarchy_group(h, to, leaf);
    }
}

/* All layers of `source`, which stands for level `from` at the position, raised to level `to`. */
static const pv_groups *roll(pv_worker *w, size_t position, const pv_groups *source, unsigned from,
                             unsigned to)
{
    const size_t n_layers = w->ground->n_layers;
    pv_groups *const sides = w->lists + position * 2 * n_layers;
    pv_groups *const target = source == sides ? sides + n_layers : sides;
    fill_step(w, position, from, to);
    for (size_t i = 0; i < n_layers; i++) {
        if (!pv_i_rollup(&source[i], w->ground->layers[i].places[position], w->step, &target[i],
                         &w->rollup)) {
            return NULL;
        }
    }
    return target;
}

bool pv_i_worker_raise(pv_worker *worker, size_t position, uint8_t level)
{
    const bool stands = worker->n_valid > position;
    const uint8_t standing = worker->path[position];
    const pv_groups *list = worker->at[position];
    if (stands && standing > 0 && standing <= level) {
        list = standing == level
                   ? worker->at[position + 1]
                   : roll(worker, position, worker->at[position + 1], standing, level);
    } else if (level > 0) {
        list = roll(worker, position, list, 0, level);
    }
    worker->at[position + 1] = list;
    worker->path[position] = level;
    worker->n_valid = list != NULL ? position + 1 : position;
    return list != NULL;
}

/* ---------------------------------------------------------------- keep */

/* The number of a prefix of path among those of its position, or of its first prefix that ends in
 * `level`. */
static uint64_t prefix_of(const pv_ground *ground, const uint8_t *path, size_t position,
                          uint8_t level)
{
    uint64_t prefix = 0;
    for (size_t p = 0; p <= position; p++) {
        const size_t q = ground->order[p];
        prefix = prefix * (ground->lattice->heights[q] + 1u) + (p < position ? path[p] : level);
    }
    return prefix;
}

static size_t bytes_of(const pv_groups *list, size_t n_layers)
{
    size_t bytes = n_layers * sizeof *list;
    for (size_t i = 0; i < n_layers; i++) {
        bytes += (list[i].n + 1) * (list[i].words * sizeof(uint64_t) + sizeof(uint32_t));
    }
    return bytes;
}

static void free_list(pv_groups *list, size_t n_layers)
{
    for (size_t i = 0; list != NULL && i < n_layers; i++) {
        pv_i_groups_deinit(&list[i]);
    }
    pv_i_free(list);
}

/* Keeps a copy while there is memory for it; being unable to is no failure. */
static void keep(pv_worker *w, size_t position, const uint8_t *path, const pv_groups *list)
{
    const size_t n_layers = w->ground->n_layers;
    const size_t bytes = bytes_of(list, n_layers);
    if (position >= w->n_kept_positions || bytes > w->memory_left) {
        return;
    }
    pv_groups **const slot =
        &w->kept[position][prefix_of(w->ground, path, position, path[position])];
    pv_groups *const copy = *slot == NULL ? PV_NEW_ZEROED(pv_groups, n_layers) : NULL;
    if (copy == NULL) {
        return;
    }
    for (size_t i = 0; i < n_layers; i++) {
        if (!pv_i_groups_copy(&list[i], &copy[i])) {
            free_list(copy, n_layers);
            return;
        }
    }
    w->memory_left -= bytes;
    *slot = copy;
}

/* The kept list of the path's prefix, or of a lower level at the position; its level through
 * `level`. */
static const pv_groups *find_kept(const pv_worker *w, const uint8_t *path, size_t position,
                                  uint8_t *level)
{
    if (position >= w->n_kept_positions) {
        return NULL;
    }
    const uint64_t first = prefix_of(w->ground, path, position, 0);
    for (uint8_t l = path[position]; l > 0; l--) {
        if (w->kept[position][first + l] != NULL) {
            *level = l;
            return w->kept[position][first + l];
        }
    }
    return NULL;
}

static bool reach_position(pv_worker *w, const uint8_t *path, size_t position)
{
    uint8_t level = 0;
    const pv_groups *const kept = find_kept(w, path, position, &level);
    if (kept != NULL) {
        w->at[position + 1] = kept;
        w->path[position] = level;
        w->n_valid = position + 1;
    }
    if (!pv_i_worker_raise(w, position, path[position])) {
        return false;
    }
    if (path[position] > 0 && w->at[position + 1] != kept) {
        keep(w, position, path, w->at[position + 1]);
    }
    return true;
}

bool pv_i_worker_reach(pv_worker *worker, const uint8_t *path)
{
    size_t position = 0;
    while (position < worker->n_valid && worker->path[position] == path[position]) {
        position++;
    }
    for (; position < worker->ground->n_axes; position++) {
        if (worker->n_valid > position + 1) {
            worker->n_valid = position + 1; /* what stood beyond stood on another list */
        }
        if (!reach_position(worker, path, position)) {
            return false;
        }
    }
    return true;
}

/* ------------------------------------------------------------- lifetime */

static uint32_t most_leaves(const pv_ground *ground)
{
    uint32_t most = 1;
    for (size_t p = 0; p < ground->n_axes; p++) {
        const uint32_t n = pv_hierarchy_leaves(hierarchy_at(ground, p));
        most = n > most ? n : most;
    }
    return most;
}

/* The last position is never kept: nothing is rolled up from it. */
static bool init_kept(pv_worker *w)
{
    const pv_ground *const ground = w->ground;
    uint64_t prefixes = 1;
    w->kept = PV_NEW_ZEROED(pv_groups **, ground->n_axes);
    if (w->kept == NULL) {
        return false;
    }
    for (size_t p = 0; p + 1 < ground->n_axes; p++) {
        prefixes *= ground->lattice->heights[ground->order[p]] + 1u;
        if (prefixes > MOST_PREFIXES) {
            break;
        }
        w->kept[p] = PV_NEW_ZEROED(pv_groups *, prefixes);
        if (w->kept[p] == NULL) {
            return false;
        }
        w->n_kept_positions = p + 1;
    }
    return true;
}

static bool init_counted(pv_worker *w)
{
    const pv_ground *const ground = w->ground;
    w->counted = PV_NEW_ZEROED(pv_counted, ground->n_layers);
    w->entries = PV_NEW_ZEROED(pv_class_entries, ground->n_layers);
    if (w->counted == NULL || w->entries == NULL) {
        return false;
    }
    for (size_t i = 0; i < ground->n_layers; i++) {
        const size_t n = ground->layers[i].base.n;
        if (ground->layers[i].histogram != NULL) {
            w->counted[i].start = PV_NEW_ARRAY(uint32_t, n + 1);
            w->counted[i].code = PV_NEW_ARRAY(uint32_t, n);
            if (w->counted[i].start == NULL || w->counted[i].code == NULL) {
                return false;
            }
        }
    }
    return true;
}

pv_status pv_i_worker_init(pv_worker *worker, const pv_ground *ground, pv_error *error)
{
    const size_t n_tuples = ground->profile->n_tuples;
    *worker =
        (pv_worker){.ground = ground,
                    .lists = PV_NEW_ZEROED(pv_groups, ground->n_axes * 2 * ground->n_layers),
                    .at = PV_NEW_ZEROED(const pv_groups *, ground->n_axes + 1),
                    .path = PV_NEW_ZEROED(uint8_t, ground->n_axes),
                    .step = PV_NEW_ARRAY(uint32_t, most_leaves(ground)),
                    .levels = PV_NEW_ZEROED(uint8_t, ground->n_axes),
                    .sizes = PV_NEW_ARRAY(uint32_t, n_tuples),
                    .wide_sizes = PV_NEW_ARRAY(uint64_t, ground->options.sizes ? n_tuples : 0),
                    .memory_left = ground->options.memory / ground->options.threads};
    if (worker->lists == NULL || worker->at == NULL || worker->path == NULL ||
        worker->step == NULL || worker->levels == NULL || worker->sizes == NULL ||
        worker->wide_sizes == NULL || !init_counted(worker) || !init_kept(worker)) {
        pv_i_worker_deinit(worker);
        return pv_i_no_memory(error);
    }
    worker->at[0] = ground->base;
    return PV_STATUS_OK;
}

static void deinit_kept(pv_worker *w)
{
    uint64_t prefixes = 1;
    for (size_t p = 0; p < w->n_kept_positions; p++) {
        prefixes *= w->ground->lattice->heights[w->ground->order[p]] + 1u;
        for (uint64_t i = 0; i < prefixes; i++) {
            free_list(w->kept[p][i], w->ground->n_layers);
        }
        pv_i_free(w->kept[p]);
    }
    pv_i_free(w->kept);
}

void pv_i_worker_deinit(pv_worker *worker)
{
    if (worker->ground == NULL) {
        return;
    }
    const size_t n_layers = worker->ground->n_layers;
    for (size_t i = 0; worker->lists != NULL && i < worker->ground->n_axes * 2 * n_layers; i++) {
        pv_i_groups_deinit(&worker->lists[i]);
    }
    for (size_t i = 0; worker->counted != NULL && i < n_layers; i++) {
        pv_i_free(worker->counted[i].start);
        pv_i_free(worker->counted[i].code);
    }
    deinit_kept(worker);
    pv_i_rollup_scratch_deinit(&worker->rollup);
    pv_i_free(worker->threshold.large);
    pv_i_free(worker->lists);
    pv_i_free(worker->at);
    pv_i_free(worker->path);
    pv_i_free(worker->step);
    pv_i_free(worker->levels);
    pv_i_free(worker->sizes);
    pv_i_free(worker->wide_sizes);
    pv_i_free(worker->counted);
    pv_i_free(worker->entries);
    pv_i_free(worker->lost);
    pv_i_free(worker->lost_keys);
    *worker = (pv_worker){0};
}
