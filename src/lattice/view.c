/* The view: classes as measures see them, from the sorted groups a worker stands on. */
#include "lattice/worker.h"

#include "base/memory.h"

#include <string.h>

/* Where the classes of a counted layer begin, and the value of each of its groups. Returns their
 * number. */
static size_t split_classes(const pv_layer *layer, const pv_groups *groups, pv_counted *counted)
{
    size_t n = 0;
    for (size_t i = 0; i < groups->n; i++) {
        const uint64_t *const key = groups->keys + i * layer->words;
        if (i == 0 || !pv_i_layer_same_class(layer, key - layer->words, key)) {
            counted->start[n++] = (uint32_t)i;
        }
        counted->code[i] = pv_i_layer_field(layer->value, key);
    }
    counted->start[n] = (uint32_t)groups->n;
    return n;
}

/* Class sizes from the first layer: its counts themselves, or their sums class by class. */
static const uint32_t *class_sizes(pv_worker *w, const pv_groups *list, size_t *n_classes)
{
    if (w->ground->layers[0].histogram == NULL) {
        *n_classes = list[0].n;
        return list[0].counts;
    }
    const uint32_t *const start = w->counted[0].start;
    for (size_t c = 0; c < *n_classes; c++) {
        uint32_t size = 0;
        for (uint32_t i = start[c]; i < start[c + 1]; i++) {
            size += list[0].counts[i];
        }
        w->sizes[c] = size;
    }
    return w->sizes;
}

static void count_layers(pv_worker *w, const pv_groups *list, pv_classes *view)
{
    view->entries = w->entries;
    for (size_t i = 0; i < w->ground->n_layers; i++) {
        const pv_layer *const layer = &w->ground->layers[i];
        if (layer->histogram != NULL) {
            view->n_classes = split_classes(layer, &list[i], &w->counted[i]);
            w->entries[view->n_entries++] = (pv_class_entries){.column = layer->histogram->column,
                                                               .start = w->counted[i].start,
                                                               .code = w->counted[i].code,
                                                               .count = list[i].counts};
        }
    }
}

/* From the key of a layer to the key the profile packs. */
static void translate_key(const pv_ground *ground, const uint64_t *from, uint64_t *to)
{
    const pv_packing *const packing = &ground->profile->packing;
    memset(to, 0, packing->words * sizeof *to);
    for (size_t p = 0; p < ground->n_axes; p++) {
        const pv_field field = packing->fields[ground->order[p]];
        to[field.word] |= (uint64_t)pv_i_layer_field(ground->layers[0].places[p], from)
                          << field.shift;
    }
}

static bool reserve_lost(pv_worker *w, size_t needed)
{
    if (needed <= w->lost_capacity) {
        return true;
    }
    const size_t capacity = needed * 2;
    const unsigned words = w->ground->profile->packing.words;
    pv_i_free(w->lost);
    pv_i_free(w->lost_keys);
    w->lost = PV_NEW_ARRAY(pv_lost_class, capacity);
    w->lost_keys = PV_NEW_ARRAY(uint64_t, capacity * words);
    w->lost_capacity = w->lost != NULL && w->lost_keys != NULL ? capacity : 0;
    return w->lost_capacity > 0;
}

static size_t count_lost(const uint32_t *sizes, size_t n, uint64_t smallest_kept)
{
    size_t lost = 0;
    for (size_t c = 0; c < n; c++) {
        lost += sizes[c] < smallest_kept;
    }
    return lost;
}

static bool list_lost(pv_worker *w, const pv_groups *list, const uint32_t *sizes, pv_classes *view)
{
    const pv_ground *const ground = w->ground;
    const uint32_t *const start = w->counted[0].start; /* NULL: groups are classes */
    const unsigned words = ground->profile->packing.words;
    if (!reserve_lost(w, count_lost(sizes, view->n_classes, view->smallest_kept))) {
        return false;
    }
    for (size_t c = 0; c < view->n_classes; c++) {
        if (sizes[c] < view->smallest_kept) {
            const size_t group = start != NULL ? start[c] : c;
            translate_key(ground, list[0].keys + group * ground->layers[0].words,
                          w->lost_keys + view->n_lost * words);
            w->lost[view->n_lost++] = (pv_lost_class){.number = (uint32_t)c, .size = sizes[c]};
        }
    }
    view->lost = w->lost;
    view->lost_keys = w->lost_keys;
    return true;
}

static void widen_sizes(pv_worker *w, const uint32_t *sizes, pv_classes *view)
{
    for (size_t c = 0; c < view->n_classes; c++) {
        w->wide_sizes[c] = sizes[c];
    }
    view->size = w->wide_sizes;
}

bool pv_i_worker_view(pv_worker *worker, pv_classes *view)
{
    const pv_ground *const ground = worker->ground;
    const pv_groups *const list = worker->at[ground->n_axes];
    pv_threshold threshold;
    for (size_t p = 0; p < ground->n_axes; p++) {
        worker->levels[ground->order[p]] = worker->path[p];
    }
    *view = (pv_classes){.profile = ground->profile, .levels = worker->levels};
    count_layers(worker, list, view);
    const uint32_t *const sizes = class_sizes(worker, list, &view->n_classes);
    if (!pv_i_threshold(sizes, view->n_classes, &ground->options.suppression, &worker->threshold,
                        &threshold)) {
        return false;
    }
    view->smallest_kept = view->k = threshold.smallest_kept;
    view->n_suppressed = threshold.n_suppressed;
    view->largest = threshold.largest;
    view->squares = threshold.squares;
    view->feasible = threshold.feasible;
    if (threshold.n_suppressed > 0 && !list_lost(worker, list, sizes, view)) {
        return false;
    }
    view->n_remaining = view->n_classes - view->n_lost;
    if (ground->options.sizes) {
        widen_sizes(worker, sizes, view);
    }
    return true;
}
