/* Which classes are near another, without comparing it with all of them.
 *
 * Classes are sorted several times, each time by their nodes in another order of the attributes,
 * siblings of a tree beside each other. Classes that agree in all attributes but a few are close
 * together in every order in which these few come late; whoever looks at a window around a class in
 * some orders sees most of those that matter.
 *
 *     order 1: sex, race, age, ...     ... [ F black 20-39 | F black 40-59 | F white 20 ] ...
 *     order 2: age, sex, race, ...     ... [ 20 F white | 20 M black | 20 M white ] ...
 *
 * Orders grow old as classes change: places are those of when they were made, and a class that is
 * gone or new is not near anything until they are made again. Nodes are always read anew. */
#include "records/local.h"

#include "base/memory.h"

#include <stdlib.h>

struct pv_local_near {
    const pv_local_space *space;
    uint32_t **rank;  /* per attribute and node: its place when the tree is walked depth first */
    size_t *axes;     /* per order: all attributes */
    uint32_t *orders; /* per order: all classes */
    uint32_t *places; /* per order and class */
    size_t n;         /* classes that there are */
    size_t n_places;  /* and numbers of classes */
    size_t n_capacity, p_capacity;
};

/* --------------------------------------------------------------------- ranks */

/* Depth first: a node comes before those below it, and all of them before its next sibling. */
static bool rank_nodes(const pv_local_tree *tree, uint32_t *rank)
{
    uint32_t *const first = PV_NEW_ZEROED(uint32_t, (size_t)tree->n + 2);
    uint32_t *const children = PV_NEW_ARRAY(uint32_t, tree->n);
    uint32_t *const stack = PV_NEW_ARRAY(uint32_t, tree->n);
    const bool ready = first != NULL && children != NULL && stack != NULL;
    if (ready) {
        const uint32_t root = tree->n - 1;
        for (uint32_t node = 0; node < root; node++) {
            first[tree->parent[node] + 2]++;
        }
        for (uint32_t node = 0; node < tree->n; node++) {
            first[node + 2] += first[node + 1];
        }
        for (uint32_t node = 0; node < root; node++) {
            children[first[tree->parent[node] + 1]++] = node;
        }
        uint32_t n = 0;
        uint32_t n_stack = 0;
        stack[n_stack++] = root;
        while (n_stack > 0) {
            const uint32_t node = stack[--n_stack];
            rank[node] = n++;
            for (uint32_t i = first[node]; i < first[node + 1]; i++) {
                stack[n_stack++] = children[i];
            }
        }
    }
    pv_i_free(first);
    pv_i_free(children);
    pv_i_free(stack);
    return ready;
}

/* -------------------------------------------------------------------- orders */

typedef struct {
    const pv_local_near *near;
    const pv_local_draft *classes;
    const size_t *axes;
} sorting;

static int compare_classes(const void *left, const void *right, void *ctx)
{
    const sorting *const s = ctx;
    const uint32_t a = *(const uint32_t *)left;
    const uint32_t b = *(const uint32_t *)right;
    const uint32_t *const x = pv_i_local_nodes(s->classes, a);
    const uint32_t *const y = pv_i_local_nodes(s->classes, b);
    for (size_t i = 0; i < s->near->space->n_quasi; i++) {
        const size_t q = s->axes[i];
        if (x[q] != y[q]) {
            return s->near->rank[q][x[q]] < s->near->rank[q][y[q]] ? -1 : 1;
        }
    }
    return (a > b) - (a < b);
}

bool pv_i_local_near_fill(pv_local_near *near, const pv_local_draft *classes)
{
    if (!pv_i_reserve((void **)&near->orders, &near->n_capacity, PV_LOCAL_ORDERS * classes->n,
                      sizeof *near->orders) ||
        !pv_i_reserve((void **)&near->places, &near->p_capacity, PV_LOCAL_ORDERS * classes->n,
                      sizeof *near->places)) {
        return false;
    }
    near->n = 0;
    for (uint32_t c = PV_LOCAL_LOST + 1; c < classes->n; c++) {
        if (classes->list[c].size > 0) {
            near->orders[near->n++] = c;
        }
    }
    for (size_t o = PV_LOCAL_ORDERS; o-- > 0;) { /* the first is where they are listed */
        uint32_t *const order = near->orders + o * near->n;
        uint32_t *const places = near->places + o * classes->n;
        const sorting by = {near, classes, near->axes + o * near->space->n_quasi};
        for (size_t i = 0; o > 0 && i < near->n; i++) {
            order[i] = near->orders[i];
        }
        qsort_r(order, near->n, sizeof *order, compare_classes, (void *)(uintptr_t)&by);
        for (size_t c = 0; c < classes->n; c++) {
            places[c] = UINT32_MAX;
        }
        for (size_t i = 0; i < near->n; i++) {
            places[order[i]] = (uint32_t)i;
        }
    }
    near->n_places = classes->n;
    return true;
}

const uint32_t *pv_i_local_near(const pv_local_near *near, size_t order, size_t class, size_t *n)
{
    const size_t place =
        class < near->n_places ? near->places[order * near->n_places + class] : UINT32_MAX;
    const size_t from = place > PV_LOCAL_WINDOW ? place - PV_LOCAL_WINDOW : 0;
    const size_t to = place + PV_LOCAL_WINDOW < near->n ? place + PV_LOCAL_WINDOW : near->n;
    *n = place == UINT32_MAX ? 0 : to - from;
    return near->orders + order * near->n + from;
}

/* ------------------------------------------------------------------ lifetime */

void pv_i_local_near_free(pv_local_near *near)
{
    if (near == NULL) {
        return;
    }
    for (size_t q = 0; near->rank != NULL && q < near->space->n_quasi; q++) {
        pv_i_free(near->rank[q]);
    }
    pv_i_free(near->rank);
    pv_i_free(near->axes);
    pv_i_free(near->orders);
    pv_i_free(near->places);
    pv_i_free(near);
}

/* A random order of the attributes; the same every time. */
static void shuffle(size_t *axes, size_t n, pv_rng *rng)
{
    for (size_t i = 0; i < n; i++) {
        const size_t j = (size_t)pv_i_rng_below(rng, i + 1);
        axes[i] = axes[j];
        axes[j] = i;
    }
}

pv_local_near *pv_i_local_near_create(const pv_local_space *space)
{
    pv_local_near *const near = PV_NEW(pv_local_near);
    pv_rng rng;
    if (near == NULL) {
        return NULL;
    }
    pv_i_rng_init(&rng, 3);
    near->space = space;
    near->rank = PV_NEW_ZEROED(uint32_t *, space->n_quasi);
    near->axes = PV_NEW_ARRAY(size_t, PV_LOCAL_ORDERS * space->n_quasi);
    bool ready = near->rank != NULL && near->axes != NULL;
    for (size_t o = 0; ready && o < PV_LOCAL_ORDERS; o++) {
        shuffle(near->axes + o * space->n_quasi, space->n_quasi, &rng);
    }
    for (size_t q = 0; ready && q < space->n_quasi; q++) {
        near->rank[q] = PV_NEW_ARRAY(uint32_t, space->trees[q].n);
        ready = near->rank[q] != NULL && rank_nodes(&space->trees[q], near->rank[q]);
    }
    if (!ready) {
        pv_i_local_near_free(near);
        return NULL;
    }
    return near;
}
