/* The plain evaluator. */
#include "front/plain.h"

#include "base/compare.h"
#include "base/memory.h"
#include "base/tasks.h"
#include "classes/keys.h"
#include "table/column.h"

#include <stdatomic.h>
#include <stdlib.h>

typedef struct {
    const pv_profile *profile;
    const pv_lattice *lattice;
    pv_packing packing;
    uint64_t budget;
    pv_plain_result *results;
    atomic_uint_fast64_t next;
    atomic_bool failed;
} plain;

/* What one thread works with. */
typedef struct {
    uint64_t **tables;  /* per attribute: code -> shifted group */
    double **costs;     /* per attribute: code -> cost of a cell */
    uint64_t *size;     /* per class */
    double *class_cost; /* per class: cost of its rows together */
    uint8_t *levels;
    uint64_t *sorted;
    uint64_t *key;
} bench_room;

static void fill_tables(const plain *p, bench_room *room)
{
    const pv_study *const study = pv_profile_study(p->profile);
    for (size_t q = 0; q < p->lattice->n_axes; q++) {
        const pv_hierarchy *const h = pv_study_hierarchy(study, q);
        const double others = (double)(pv_hierarchy_domain(h) > 1 ? pv_hierarchy_domain(h) - 1 : 1);
        for (uint32_t code = 0; code < pv_hierarchy_leaves(h); code++) {
            const uint32_t group =
                pv_hierarchy_group(h, room->levels[q], pv_hierarchy_leaf(h, code));
            room->tables[q][code] = (uint64_t)group << p->packing.fields[q].shift;
            room->costs[q][code] =
                (double)(pv_hierarchy_group_leaves(h, room->levels[q], group) - 1) / others;
        }
    }
}

static bool hash_rows(const plain *p, bench_room *room, pv_keymap *map)
{
    const pv_study *const study = pv_profile_study(p->profile);
    const pv_table *const table = pv_study_table(study);
    for (uint64_t row = 0; row < pv_table_rows(table); row++) {
        double cost = 0;
        for (unsigned w = 0; w < p->packing.words; w++) {
            room->key[w] = 0;
        }
        for (size_t q = 0; q < p->lattice->n_axes; q++) {
            const uint32_t code =
                pv_i_codes_at(pv_i_table_codes(table, pv_study_quasi_column(study, q)), row);
            room->key[p->packing.fields[q].word] |= room->tables[q][code];
            cost += room->costs[q][code];
        }
        const size_t known = map->n;
        const uint32_t c = pv_i_keymap_add(map, room->key);
        if (c == PV_KEYMAP_FULL) {
            return false;
        }
        room->size[c] = c == known ? 1 : room->size[c] + 1;
        room->class_cost[c] = c == known ? cost : room->class_cost[c] + cost;
    }
    return true;
}

static void sum_up(const plain *p, bench_room *room, size_t n, pv_plain_result *result)
{
    const double n_rows = (double)pv_profile_rows(p->profile);
    size_t i = 0;
    for (size_t c = 0; c < n; c++) {
        room->sorted[c] = room->size[c];
    }
    qsort(room->sorted, n, sizeof *room->sorted, pv_i_compare_u64);
    *result = (pv_plain_result){0};
    while (i < n) {
        size_t end = i;
        uint64_t rows = 0;
        for (; end < n && room->sorted[end] == room->sorted[i]; end++) {
            rows += room->sorted[end];
        }
        if (rows > p->budget - result->suppressed) {
            break;
        }
        result->suppressed += rows;
        i = end;
    }
    result->k = room->sorted[i];
    for (size_t c = 0; c < n; c++) {
        const double size = (double)room->size[c];
        const bool lost = room->size[c] < result->k;
        result->glm += lost ? size * (double)p->lattice->n_axes : room->class_cost[c];
        result->dcn += lost ? size * n_rows : size * size;
    }
}

static bool evaluate(plain *p, bench_room *room, uint64_t node)
{
    pv_keymap map = {0};
    pv_i_lattice_levels(p->lattice, node, room->levels);
    fill_tables(p, room);
    const bool ready = pv_i_keymap_init(&map, p->packing.words, 0) && hash_rows(p, room, &map);
    if (ready) {
        sum_up(p, room, map.n, &p->results[node]);
    }
    pv_i_keymap_deinit(&map);
    return ready;
}

static bool room_init(const plain *p, bench_room *room)
{
    const size_t n_axes = p->lattice->n_axes;
    const size_t n_tuples = pv_profile_tuples(p->profile);
    *room = (bench_room){.tables = PV_NEW_ZEROED(uint64_t *, n_axes),
                         .costs = PV_NEW_ZEROED(double *, n_axes),
                         .size = PV_NEW_ARRAY(uint64_t, n_tuples),
                         .class_cost = PV_NEW_ARRAY(double, n_tuples),
                         .levels = PV_NEW_ARRAY(uint8_t, n_axes),
                         .sorted = PV_NEW_ARRAY(uint64_t, n_tuples),
                         .key = PV_NEW_ARRAY(uint64_t, p->packing.words)};
    bool ready = room->tables != NULL && room->costs != NULL && room->size != NULL &&
                 room->class_cost != NULL && room->levels != NULL && room->sorted != NULL &&
                 room->key != NULL;
    for (size_t q = 0; ready && q < n_axes; q++) {
        const uint32_t n = pv_hierarchy_leaves(pv_study_hierarchy(pv_profile_study(p->profile), q));
        room->tables[q] = PV_NEW_ARRAY(uint64_t, n);
        room->costs[q] = PV_NEW_ARRAY(double, n);
        ready = room->tables[q] != NULL && room->costs[q] != NULL;
    }
    return ready;
}

static void room_deinit(const plain *p, bench_room *room)
{
    for (size_t q = 0; q < p->lattice->n_axes; q++) {
        pv_i_free(room->tables != NULL ? room->tables[q] : NULL);
        pv_i_free(room->costs != NULL ? room->costs[q] : NULL);
    }
    pv_i_free(room->tables);
    pv_i_free(room->costs);
    pv_i_free(room->size);
    pv_i_free(room->class_cost);
    pv_i_free(room->levels);
    pv_i_free(room->sorted);
    pv_i_free(room->key);
}

static pv_status work(void *ctx, size_t task, const pv_thread *thread, pv_error *error)
{
    plain *const p = ctx;
    bench_room room;
    (void)task;
    (void)thread;
    (void)error;
    bool ready = room_init(p, &room);
    while (ready && !atomic_load(&p->failed)) {
        const uint64_t node = atomic_fetch_add(&p->next, 1);
        if (node >= p->lattice->n_nodes) {
            break;
        }
        ready = evaluate(p, &room, node);
    }
    if (!ready) {
        atomic_store(&p->failed, true);
    }
    room_deinit(p, &room);
    return PV_STATUS_OK;
}

bool pv_plain_all(const pv_profile *profile, const pv_lattice *lattice, uint64_t budget,
                  unsigned threads, pv_plain_result *results)
{
    plain p = {.profile = profile, .lattice = lattice, .budget = budget, .results = results};
    if (pv_i_packing_init(&p.packing, pv_profile_study(profile), NULL) != PV_STATUS_OK) {
        return false;
    }
    atomic_init(&p.next, 0);
    atomic_init(&p.failed, false);
    const pv_status status = pv_i_tasks_run(threads, threads, work, &p, NULL, NULL);
    pv_i_packing_deinit(&p.packing);
    return status == PV_STATUS_OK && !atomic_load(&p.failed);
}
