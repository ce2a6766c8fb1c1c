/* Rolling up from list to list. */
#include "lattice/worker.h"

#include "base/checked.h"
#include "base/error.h"
#include "base/memory.h"

#include <string.h>

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

/* All layers of `source`, which stands for level `from` at the position, raised to level `to`. The
 * result goes to one of the two lists at `place`, not to the one it comes from. */
static const pv_groups *roll(pv_worker *w, size_t position, const pv_groups *source, unsigned from,
                             unsigned to, size_t place)
{
    const size_t n_layers = w->ground->n_layers;
    pv_groups *const sides = w->lists + place * 2 * n_layers;
    pv_groups *const target = source == sides ? sides + n_layers : sides;
    fill_step(w, position, from, to);
    for (size_t i = 0; i < n_layers; i++) {
        w->rolled += source[i].n;
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
                   : roll(worker, position, worker->at[position + 1], standing, level, position);
    } else if (level > 0) {
        list = roll(worker, position, list, 0, level, position);
    }
    worker->at[position + 1] = list;
    worker->path[position] = level;
    worker->n_valid = list != NULL ? position + 1 : position;
    return list != NULL;
}

/* --------------------------------------------------------------- reach */

/* The longest prefix of the path that is kept; at[] stands for it then. Returns its length. */
static size_t start_from_kept(pv_worker *w, const uint8_t *path)
{
    for (size_t p = w->ground->n_axes; p-- > 0;) {
        uint8_t level = 0;
        const pv_groups *const kept = path[p] > 0 ? pv_i_kept_find(w->kept, path, p, &level) : NULL;
        if (kept != NULL) {
            w->at[p + 1] = level == path[p] ? kept : roll(w, p, kept, level, path[p], 0);
            if (w->at[p + 1] != NULL && level != path[p]) {
                pv_i_kept_add(w->kept, path, p, w->at[p + 1]);
            }
            return p + 1;
        }
    }
    w->at[0] = w->ground->base;
    return 0;
}

/* Attribute by attribute, in order, from a list that stands for a prefix of the path. */
static const pv_groups *reach_from_prefix(pv_worker *w, const uint8_t *path, size_t position)
{
    const pv_groups *list = w->at[position];
    for (size_t p = position; list != NULL && p < w->ground->n_axes; p++) {
        if (path[p] > 0) {
            list = roll(w, p, list, 0, path[p], 0);
            if (list != NULL) {
                pv_i_kept_add(w->kept, path, p, list);
            }
        }
    }
    return list;
}

/* Those attributes that the stand has lower. */
static const pv_groups *reach_from_stand(pv_worker *w, const uint8_t *path, const pv_stand *stand)
{
    const pv_groups *list = stand->groups;
    for (size_t p = 0; list != NULL && p < w->ground->n_axes; p++) {
        if (path[p] > stand->path[p]) {
            list = roll(w, p, list, stand->path[p], path[p], 0);
        }
    }
    return list;
}

/* Two lists in turn are enough: what is worth reusing is kept. */
bool pv_i_worker_reach(pv_worker *worker, const uint8_t *path)
{
    const pv_stand *const stand = pv_i_stands_best(&worker->ground->stands, path);
    const size_t start = start_from_kept(worker, path);
    const pv_groups *const kept = worker->at[start];
    const pv_groups *const list = stand != NULL && kept != NULL && stand->groups[0].n <= kept[0].n
                                      ? reach_from_stand(worker, path, stand)
                                      : reach_from_prefix(worker, path, start);
    memcpy(worker->path, path, worker->ground->n_axes);
    worker->n_valid = 0; /* nothing stands for a prefix */
    worker->at[0] = worker->ground->base;
    worker->at[worker->ground->n_axes] = list;
    return list != NULL;
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

pv_status pv_i_worker_init(pv_worker *worker, const pv_ground *ground, pv_kept *kept,
                           pv_error *error)
{
    const size_t n_tuples = ground->profile->n_tuples;
    *worker =
        (pv_worker){.ground = ground,
                    .kept = kept,
                    .lists = PV_NEW_ZEROED(pv_groups, ground->n_axes * 2 * ground->n_layers),
                    .at = PV_NEW_ZEROED(const pv_groups *, ground->n_axes + 1),
                    .path = PV_NEW_ZEROED(uint8_t, ground->n_axes),
                    .step = PV_NEW_ARRAY(uint32_t, most_leaves(ground)),
                    .levels = PV_NEW_ZEROED(uint8_t, ground->n_axes),
                    .sizes = PV_NEW_ARRAY(uint32_t, n_tuples),
                    .wide_sizes = PV_NEW_ARRAY(uint64_t, ground->options.sizes ? n_tuples : 0)};
    if (worker->lists == NULL || worker->at == NULL || worker->path == NULL ||
        worker->step == NULL || worker->levels == NULL || worker->sizes == NULL ||
        worker->wide_sizes == NULL || !init_counted(worker)) {
        pv_i_worker_deinit(worker);
        return pv_i_no_memory(error);
    }
    worker->at[0] = ground->base;
    return PV_STATUS_OK;
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
