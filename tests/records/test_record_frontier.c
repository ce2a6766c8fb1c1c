/* Theorem 3 of ARUBA's paper by brute force: is the frontier connected?
 *
 * On random lattices with random sets of accepted choices, such that whatever is more specific than
 * an accepted choice is accepted. The paper promises n neighbours on the frontier, in the adjacency
 * cube, to every choice of it that is not at a border; nothing is said of borders. What the search
 * needs is that the frontier is connected, borders included, by the neighbours it looks at. */
#include "base/rng.h"
#include "support/testing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MOST_AXES 4
#define MOST_NODES 625

typedef struct {
    size_t n;
    int height[MOST_AXES];
    size_t n_nodes;
    bool accepted[MOST_NODES];
    bool frontier[MOST_NODES];
} lattice;

typedef struct {
    int at[MOST_AXES];
} node;

static node node_at(const lattice *l, size_t number)
{
    node x = {{0}};
    for (size_t j = l->n; j-- > 0;) {
        x.at[j] = (int)(number % (size_t)(l->height[j] + 1));
        number /= (size_t)(l->height[j] + 1);
    }
    return x;
}

static bool is_inside(const lattice *l, const node *x)
{
    for (size_t j = 0; j < l->n; j++) {
        if (x->at[j] < 0 || x->at[j] > l->height[j]) {
            return false;
        }
    }
    return true;
}

static size_t number_of(const lattice *l, const node *x)
{
    size_t number = 0;
    for (size_t j = 0; j < l->n; j++) {
        number = number * (size_t)(l->height[j] + 1) + (size_t)x->at[j];
    }
    return number;
}

static bool is_accepted(const lattice *l, const node *x)
{
    return l->accepted[number_of(l, x)];
}

static node moved(node x, size_t j, int step)
{
    x.at[j] += step;
    return x;
}

/* ------------------------------------------------------------------ random */

/* Everything below some choices; the root never, the bottom always. */
static void accept_some(lattice *l, pv_rng *rng)
{
    memset(l->accepted, 0, sizeof l->accepted);
    l->accepted[0] = true;
    const size_t n_corners = 1 + (size_t)pv_i_rng_below(rng, 6);
    for (size_t c = 0; c < n_corners; c++) {
        const size_t number = (size_t)pv_i_rng_below(rng, l->n_nodes - 1);
        const node corner = node_at(l, number);
        for (size_t i = 0; i < l->n_nodes; i++) {
            const node x = node_at(l, i);
            bool below = true;
            for (size_t j = 0; j < l->n; j++) {
                below = below && x.at[j] <= corner.at[j];
            }
            l->accepted[i] = l->accepted[i] || below;
        }
    }
}

static void find_frontier(lattice *l)
{
    for (size_t i = 0; i < l->n_nodes; i++) {
        const node x = node_at(l, i);
        l->frontier[i] = false;
        for (size_t j = 0; j < l->n && l->accepted[i]; j++) {
            const node up = moved(x, j, 1);
            l->frontier[i] = l->frontier[i] || (is_inside(l, &up) && !is_accepted(l, &up));
        }
    }
}

static void lattice_init(lattice *l, pv_rng *rng)
{
    l->n = 1 + (size_t)pv_i_rng_below(rng, MOST_AXES);
    l->n_nodes = 1;
    for (size_t j = 0; j < l->n; j++) {
        l->height[j] = 1 + (int)pv_i_rng_below(rng, 4);
        l->n_nodes *= (size_t)(l->height[j] + 1);
    }
    accept_some(l, rng);
    find_frontier(l);
}

/* ------------------------------------------------------------- connectedness */

typedef struct {
    const lattice *lattice;
    bool reached[MOST_NODES];
    size_t queue[MOST_NODES];
    size_t n;
} flood;

static void reach(flood *f, const node *x)
{
    const size_t number = number_of(f->lattice, x);
    assert_true(f->lattice->frontier[number]); /* what is looked at must be on the frontier */
    if (!f->reached[number]) {
        f->reached[number] = true;
        f->queue[f->n++] = number;
    }
}

/* The neighbours that the search looks at: a step of i leaves the frontier; one of j is exchanged
 * with it. */
static void spread(flood *f, node x, size_t i, size_t j)
{
    const lattice *const l = f->lattice;
    const node up = moved(x, j, 1);
    const node down = moved(x, j, -1);
    const node across = moved(down, i, 1);
    if (is_inside(l, &up) && is_accepted(l, &up)) {
        reach(f, &up);
    }
    if (is_inside(l, &down)) {
        reach(f, is_accepted(l, &across) ? &across : &down);
    }
}

static void spread_all(flood *f, size_t number)
{
    const lattice *const l = f->lattice;
    const node x = node_at(l, number);
    for (size_t i = 0; i < l->n; i++) {
        const node up = moved(x, i, 1);
        for (size_t j = 0; is_inside(l, &up) && !is_accepted(l, &up) && j < l->n; j++) {
            if (j != i) {
                spread(f, x, i, j);
            }
        }
    }
}

static size_t flood_from(const lattice *l, size_t first)
{
    flood *const f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->lattice = l;
    const node start = node_at(l, first);
    reach(f, &start);
    for (size_t i = 0; i < f->n; i++) {
        spread_all(f, f->queue[i]);
    }
    const size_t n = f->n;
    free(f);
    return n;
}

static size_t count_frontier(const lattice *l, size_t *first)
{
    size_t n = 0;
    for (size_t i = l->n_nodes; i-- > 0;) {
        n += l->frontier[i];
        *first = l->frontier[i] ? i : *first;
    }
    return n;
}

static void the_frontier_is_connected(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 7);
    for (size_t trial = 0; trial < effort(20000); trial++) {
        static lattice l;
        size_t first = 0;
        lattice_init(&l, &rng);
        const size_t n = count_frontier(&l, &first);
        assert_true(n > 0); /* the bottom is accepted, the root is not */
        assert_int_equal(flood_from(&l, first), n);
    }
}

/* --------------------------------------------------------------- theorem 3 */

static bool is_at_border(const lattice *l, const node *x)
{
    for (size_t j = 0; j < l->n; j++) {
        if (x->at[j] == 0 || x->at[j] == l->height[j]) {
            return true;
        }
    }
    return false;
}

static size_t count_cube(const lattice *l, const node *x)
{
    size_t n = 0;
    for (size_t i = 0; i < l->n_nodes; i++) {
        const node y = node_at(l, i);
        bool near = l->frontier[i];
        bool same = true;
        for (size_t j = 0; j < l->n; j++) {
            near = near && abs(y.at[j] - x->at[j]) <= 1;
            same = same && y.at[j] == x->at[j];
        }
        n += near && !same;
    }
    return n;
}

static void inner_choices_have_n_neighbours(void **state)
{
    pv_rng rng;
    size_t n_inner = 0;
    (void)state;
    pv_i_rng_init(&rng, 8);
    for (size_t trial = 0; trial < effort(4000); trial++) {
        static lattice l;
        lattice_init(&l, &rng);
        for (size_t i = 0; i < l.n_nodes; i++) {
            const node x = node_at(&l, i);
            if (l.n > 1 && l.frontier[i] && !is_at_border(&l, &x)) {
                assert_true(count_cube(&l, &x) >= l.n);
                n_inner++;
            }
        }
    }
    assert_true(n_inner > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_frontier_is_connected),
        cmocka_unit_test(inner_choices_have_n_neighbours),
    };
    return cmocka_run_group_tests_name("the frontier", tests, NULL, NULL);
}
