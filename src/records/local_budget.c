/* Where the rows that may be suppressed save most.
 *
 * A suppressed row loses everything, so suppressing pays only for what it does to others: a class
 * of five whose fifth row is unlike the rest loses for all five. Without it the four lose little,
 * with a row borrowed from a class that can spare one.
 *
 *     class: (20-39, *)  x5          suppress the odd one        (28, 13053) x4 + 1 borrowed
 *
 * For every class the best such move is known: all rows below one child of its node in one
 * attribute go; if too few are left, they join a class near them or borrow from one. The move that
 * saves most per suppressed row is made, again and again, until none saves anything or the next
 * does not fit into the budget.
 *
 * **Never worse with more.** Nothing before this looks at the budget, unless rows cannot be
 * released at all; the order of moves does not depend on it either. So a larger budget makes the
 * moves of a smaller one and then perhaps more, each of which saves something. */
#include "records/local.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/ticker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PARTS 64 /* classes of more tuples are not looked at: one of them matters little */
#define ORDERS 4      /* in which near classes are looked for */
#define LEAST_SAVED 1e-6

/* What is done with one class. */
typedef struct {
    uint32_t class;
    uint32_t child; /* who is below it goes ... */
    size_t axis;    /* ... in this attribute */
    uint64_t rows;  /* that are suppressed */
    double saved;
    uint32_t partner; /* whom those who stay join; PV_LOCAL_LOST = nobody */
    size_t part;      /* of the partner, from which they borrow; SIZE_MAX = all of it joins */
} move;

typedef struct {
    pv_local_draft *classes;
    pv_class_scorer scorer;
    pv_local_near *near;
    move *moves; /* one per class where one saves something */
    size_t n_moves, capacity;
    uint32_t *rest;     /* nodes of those who stay */
    uint64_t n_allowed; /* rows that may still be suppressed */
} spending;

/* The child of the class's node above a tuple. */
static uint32_t child_above(const spending *s, size_t c, size_t q, uint32_t tuple)
{
    const pv_local_space *const space = s->classes->space;
    const pv_local_tree *const tree = &space->trees[q];
    const uint32_t top = pv_i_local_nodes(s->classes, c)[q];
    uint32_t node = space->raw[(size_t)tuple * space->n_quasi + q];
    while (node != top && tree->parent[node] != top) {
        node = tree->parent[node];
    }
    return node;
}

/* The lowest nodes above those who stay, and what each of them loses there. */
static double join_rest(spending *s, const move *m)
{
    const pv_local_space *const space = s->classes->space;
    const pv_local_class *const own = &s->classes->list[m->class];
    bool any = false;
    double cost = (double)INFINITY;
    for (size_t p = 0; p < own->n_parts; p++) {
        const uint32_t tuple = own->parts[p].tuple;
        const uint32_t *const raw = space->raw + (size_t)tuple * space->n_quasi;
        if (child_above(s, m->class, m->axis, tuple) != m->child) {
            cost = pv_i_local_join_cost(space, any ? s->rest : raw, raw, s->rest, (double)INFINITY);
            any = true;
        }
    }
    return cost;
}

/* Do those who stay keep the demands? */
static bool rest_keeps(spending *s, const move *m)
{
    const pv_local_space *const space = s->classes->space;
    const pv_local_class *const own = &s->classes->list[m->class];
    if (own->size - m->rows < space->k || space->rules.n_rules == 0) {
        return own->size - m->rows >= space->k;
    }
    pv_i_class_scorer_clear(&s->scorer);
    for (size_t p = 0; p < own->n_parts; p++) {
        if (child_above(s, m->class, m->axis, own->parts[p].tuple) != m->child) {
            pv_i_class_scorer_add(&s->scorer, own->parts[p].tuple);
        }
    }
    return !pv_i_class_scorer_breaks(&s->scorer, false);
}

/* Those who stay, with a class near them or some of its rows: what is added to the loss. */
static void find_partner(const spending *s, move *m, uint32_t other, double *least)
{
    const pv_local_space *const space = s->classes->space;
    const pv_local_class *const own = &s->classes->list[m->class];
    const pv_local_class *const partner = &s->classes->list[other];
    const uint64_t stay = own->size - m->rows;
    const uint64_t missing = space->k - stay;
    if (other == m->class || partner->size == 0 || partner->n_parts > MOST_PARTS) {
        return;
    }
    const double together =
        pv_i_local_join_cost(space, s->rest, pv_i_local_nodes(s->classes, other), NULL, 2);
    const double merged =
        (double)(stay + partner->size) * together - (double)partner->size * partner->cost;
    if (merged < *least) {
        *least = merged;
        m->partner = other;
        m->part = SIZE_MAX;
    }
    for (size_t p = 0; partner->size >= space->k + missing && p < partner->n_parts; p++) {
        const uint32_t tuple = partner->parts[p].tuple;
        const double cost = pv_i_local_join_cost(
            space, s->rest, space->raw + (size_t)tuple * space->n_quasi, NULL, 2);
        const double borrowed = (double)space->k * cost - (double)missing * partner->cost;
        if (partner->parts[p].rows >= missing && borrowed < *least) {
            *least = borrowed;
            m->partner = other;
            m->part = p;
        }
    }
}

/* What a move saves, and with whom. */
static void judge(spending *s, move *m)
{
    const pv_local_space *const space = s->classes->space;
    const pv_local_class *const own = &s->classes->list[m->class];
    const uint64_t stay = own->size - m->rows;
    const double before = (double)own->size * own->cost - (double)m->rows;
    m->partner = PV_LOCAL_LOST;
    m->part = SIZE_MAX;
    m->saved = -1;
    if (stay == 0 || before < LEAST_SAVED) {
        return;
    }
    const double cost = join_rest(s, m);
    if (rest_keeps(s, m)) {
        m->saved = before - (double)stay * cost;
    } else if (space->divides && stay < space->k && (double)space->k * cost < before) {
        double least = before;
        for (size_t o = 0; o < ORDERS; o++) {
            size_t n = 0;
            const uint32_t *const near = pv_i_local_near(s->near, o, m->class, &n);
            for (size_t i = 0; i < n; i++) {
                find_partner(s, m, near[i], &least);
            }
        }
        m->saved = m->partner != PV_LOCAL_LOST ? before - least : -1;
    }
}

static double worth(const move *m)
{
    return m->saved / (double)m->rows;
}

/* The best move with a class; `saved` is not positive if there is none. */
static move best_move(spending *s, uint32_t c)
{
    const pv_local_class *const own = &s->classes->list[c];
    move best = {.class = c, .rows = 1, .saved = -1};
    const bool is_candidate =
        own->size > 0 && own->n_parts <= MOST_PARTS && (double)own->size * own->cost > 1;
    for (size_t q = 0; is_candidate && q < s->classes->space->n_quasi; q++) {
        for (size_t p = 0; p < own->n_parts; p++) {
            move m = {.class = c, .axis = q, .child = child_above(s, c, q, own->parts[p].tuple)};
            bool is_first = true;
            for (size_t other = 0; other < own->n_parts; other++) {
                const bool goes = child_above(s, c, q, own->parts[other].tuple) == m.child;
                is_first &= !goes || other >= p;
                m.rows += goes ? own->parts[other].rows : 0;
            }
            if (is_first) {
                judge(s, &m);
                best = m.saved > LEAST_SAVED && worth(&m) > worth(&best) ? m : best;
            }
        }
    }
    return best;
}

/* Suppresses, and joins or borrows for those who stay. */
static bool make_move(spending *s, const move *m)
{
    pv_local_draft *const classes = s->classes;
    pv_local_class *const own = &classes->list[m->class];
    bool done = true;
    size_t n = 0;
    for (size_t p = 0; p < own->n_parts; p++) {
        const pv_local_part part = own->parts[p];
        if (child_above(s, m->class, m->axis, part.tuple) == m->child) {
            done &= pv_i_local_class_add(classes, PV_LOCAL_LOST, part.tuple, part.rows);
            own->size -= part.rows;
        } else {
            own->parts[n++] = part;
        }
    }
    own->n_parts = n;
    s->n_allowed -= m->rows;
    pv_i_local_tighten(classes, PV_LOCAL_LOST);
    if (m->partner != PV_LOCAL_LOST && m->part == SIZE_MAX) {
        return pv_i_local_merge(classes, m->class, m->partner) && done;
    }
    if (m->partner != PV_LOCAL_LOST) {
        const uint64_t missing = classes->space->k - own->size;
        const uint32_t tuple = classes->list[m->partner].parts[m->part].tuple;
        pv_i_local_class_take(classes, m->partner, m->part, missing);
        done &= pv_i_local_class_add(classes, m->class, tuple, missing);
    }
    pv_i_local_tighten(classes, m->class);
    return done;
}

static bool list_moves(spending *s)
{
    for (uint32_t c = PV_LOCAL_LOST + 1; c < s->classes->n; c++) {
        const move m = best_move(s, c);
        if (m.saved <= 0) {
            continue;
        }
        if (!pv_i_reserve((void **)&s->moves, &s->capacity, s->n_moves + 1, sizeof *s->moves)) {
            return false;
        }
        s->moves[s->n_moves++] = m;
    }
    return true;
}

/* The move that saves most per row; of equals the class with the lowest number. */
static size_t choose_move(const spending *s)
{
    size_t best = 0;
    for (size_t i = 1; i < s->n_moves; i++) {
        best = worth(&s->moves[i]) > worth(&s->moves[best]) ? i : best;
    }
    return best;
}

static pv_status spend(spending *s, const pv_context *context, pv_error *error)
{
    pv_ticker ticker = pv_i_ticker(context, "suppressing", s->n_allowed);
    const uint64_t budget = s->n_allowed;
    if (!list_moves(s)) {
        return pv_i_no_memory(error);
    }
    while (s->n_moves > 0 && pv_i_tick(&ticker, budget - s->n_allowed)) {
        move *const top = &s->moves[choose_move(s)];
        const double believed = worth(top);
        *top = best_move(s, top->class); /* a class near it may have changed */
        if (top->saved <= 0) {
            *top = s->moves[--s->n_moves];
        } else if (worth(top) >= believed - 1e-12) {
            if (top->rows > s->n_allowed) {
                break;
            }
            if (!make_move(s, top)) {
                return pv_i_no_memory(error);
            }
        }
    }
    return PV_STATUS_OK;
}

pv_status pv_i_local_spend_budget(pv_local_draft *classes, const pv_context *context,
                                  pv_error *error)
{
    const pv_local_space *const space = classes->space;
    spending s = {.classes = classes, .n_allowed = space->budget - classes->list[0].size};
    pv_status status = PV_STATUS_OK;
    if (classes->list[PV_LOCAL_LOST].size >= space->budget) {
        return PV_STATUS_OK;
    }
    s.near = pv_i_local_near_create(space);
    s.rest = PV_NEW_ARRAY(uint32_t, space->n_quasi);
    if (s.near == NULL || s.rest == NULL || !pv_i_local_near_fill(s.near, classes)) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    PV_TRY_CLEAN(pv_i_class_scorer_init(&s.scorer, &space->rules, error));
    PV_TRY_CLEAN(spend(&s, context, error));
cleanup:
    pv_i_class_scorer_deinit(&s.scorer);
    pv_i_local_near_free(s.near);
    pv_i_free(s.rest);
    pv_i_free(s.moves);
    return status;
}
