/* What a scan reads while it searches: the attributes in the order they are fixed, the suffixes of
 * records and dictionary, and bounds on what the attributes still open can add.
 *
 * **Order of attributes.** Dictionary attributes first (after the last of them rho is settled),
 * then by how much utility an attribute can give, then by how much its generalization shortens the
 * lists.
 *
 * **Bound on sensitivity.** A record must keep `floor` utility. What the fixed attributes and `*`
 * everywhere else do not give must be bought from the attributes still open, and utility has its
 * price in sensitivity:
 *
 *     sensitivity |            .
 *                 |        .  /          the values of an attribute, and the convex line below all
 *                 |    .   _/            of them: so much utility cannot be had for less
 *                 |   __--
 *                 |_--__________ utility beyond that of `*`
 *
 * Allow every attribute any point of its line, not only the values. Then the cheapest way to buy is
 * to take the pieces of all lines by ascending price (a fractional knapsack), and what that costs
 * is no more than any real choice does. The sums along the sorted pieces are the price list; a
 * look-up is a binary search. */
#include "records/record_scan.h"

#include "base/bitset.h"
#include "base/checked.h"
#include "base/error.h"
#include "base/memory.h"
#include "classes/keys.h"
#include "classes/profile.h"
#include "hierarchy/tree.h"

#include <stdlib.h>

/* More units than any sum has: there is no value but `*`. */
#define NO_VALUE ((int64_t)1 << 61)

static const pv_hierarchy *hierarchy_of(const pv_scan_tables *tables, size_t quasi)
{
    return pv_study_hierarchy(tables->run->profile->study, quasi);
}

static uint32_t leaves_of(const pv_scan_tables *tables, const pv_scan_attribute *attribute)
{
    return pv_hierarchy_leaves(hierarchy_of(tables, attribute->quasi));
}

/* -------------------------------------------------------------- attributes */

static void fill_attribute(pv_scan_tables *tables, pv_scan_attribute *a, size_t quasi)
{
    const pv_disclose_run *const run = tables->run;
    const pv_hierarchy *const hierarchy = hierarchy_of(tables, quasi);
    const pv_known *const known = &run->attacker->known[quasi];
    const uint32_t n_leaves = pv_hierarchy_leaves(hierarchy);
    *a = (pv_scan_attribute){
        .quasi = quasi,
        .height = run->values.heights[quasi],
        .lowest = run->values.lowest[quasi],
        .highest = run->values.highest[quasi],
        .stride = (uint32_t)run->lattice.strides[quasi],
        .worth = run->weighing.worth[quasi],
        .root_level = run->values.root_level[quasi],
        .known = known->is_known ? known : NULL,
        .group = PV_ARENA_ARRAY(&tables->arena, uint32_t *, run->values.heights[quasi] + 1)};
    for (unsigned level = 0; a->group != NULL && level <= a->height; level++) {
        const uint32_t n_groups = pv_hierarchy_groups(hierarchy, level);
        a->n_groups = n_groups > a->n_groups ? n_groups : a->n_groups;
        a->group[level] = PV_ARENA_ARRAY(&tables->arena, uint32_t, n_leaves);
        for (uint32_t leaf = 0; a->group[level] != NULL && leaf < n_leaves; leaf++) {
            a->group[level][leaf] = pv_hierarchy_group(hierarchy, level, leaf);
            a->has_root_leaf |= a->root_level[leaf] == 0;
        }
    }
}

static int64_t most_utility(const pv_scan_tables *tables, size_t quasi)
{
    const pv_worth *const raw = tables->weighing->worth[quasi][0];
    int64_t most = 0;
    for (uint32_t leaf = 0; leaf < pv_hierarchy_leaves(hierarchy_of(tables, quasi)); leaf++) {
        most = raw[leaf].utility > most ? raw[leaf].utility : most;
    }
    return most;
}

/* What decides most about utility comes first: then it is known soon what is out of reach. On Adult
 * this halves the work. Otherwise the order stays (an insertion sort is stable). */
static void useful_first(const pv_scan_tables *tables, size_t *order)
{
    for (size_t i = 1; i < tables->n; i++) {
        const size_t quasi = order[i];
        const int64_t most = most_utility(tables, quasi);
        size_t p = i;
        for (; p > 0 && most_utility(tables, order[p - 1]) < most; p--) {
            order[p] = order[p - 1];
        }
        order[p] = quasi;
    }
}

/* Those the attacker knows come first; otherwise the order stays. */
static void known_first(const pv_attacker *attacker, size_t *order, size_t n)
{
    size_t n_known = 0;
    for (size_t p = 0; p < n; p++) {
        const size_t quasi = order[p];
        if (attacker->known[quasi].is_known) {
            memmove(order + n_known + 1, order + n_known, (p - n_known) * sizeof *order);
            order[n_known++] = quasi;
        }
    }
}

static pv_status fill_attributes(pv_scan_tables *tables, pv_error *error)
{
    size_t *const order = PV_ARENA_ARRAY(&tables->arena, size_t, tables->n);
    tables->attributes = PV_ARENA_ARRAY(&tables->arena, pv_scan_attribute, tables->n);
    PV_TRY(tables->arena.failed ? pv_i_no_memory(error)
                                : pv_i_attribute_order(tables->run->profile, order, error));
    useful_first(tables, order);
    known_first(tables->run->attacker, order, tables->n);
    for (size_t p = 0; p < tables->n; p++) {
        fill_attribute(tables, &tables->attributes[p], order[p]);
        tables->n_known += tables->attributes[p].known != NULL;
    }
    return tables->arena.failed ? pv_i_no_memory(error) : PV_STATUS_OK;
}

/* ---------------------------------------------------------------- suffixes */

typedef uint32_t (*value_fn)(const pv_scan_tables *tables, size_t tuple, size_t position);

/* From the last position to the first: one sort of 64-bit keys (value, then next suffix) each.
 * Equal keys are one suffix; of_tuple becomes the suffix there. */
static pv_status suffixes_init(pv_suffixes *s, pv_scan_tables *tables, size_t n_positions,
                               size_t n_tuples, value_fn value_at, pv_error *error)
{
    pv_arena *const arena = &tables->arena;
    *s = (pv_suffixes){.n = PV_ARENA_ARRAY(arena, uint32_t, n_positions + 1),
                       .value = PV_ARENA_ARRAY(arena, uint32_t *, n_positions),
                       .next = PV_ARENA_ARRAY(arena, uint32_t *, n_positions),
                       .of_tuple = PV_ARENA_ARRAY(arena, uint32_t, n_tuples)};
    uint64_t *const keys = PV_NEW_ARRAY(uint64_t, n_tuples);
    uint32_t *const order = PV_NEW_ARRAY(uint32_t, n_tuples); /* tuples by ascending key */
    bool ready = !arena->failed && keys != NULL && order != NULL;
    for (size_t position = n_positions; ready && position-- > 0;) {
        for (size_t t = 0; t < n_tuples; t++) {
            keys[t] = (uint64_t)value_at(tables, t, position) << 32 | s->of_tuple[t];
        }
        ready = pv_i_keys_order(keys, n_tuples, 1, order);
        uint32_t n = n_tuples > 0;
        for (size_t i = 1; ready && i < n_tuples; i++) {
            n += keys[order[i]] != keys[order[i - 1]];
        }
        uint32_t *const value = s->value[position] = PV_ARENA_ARRAY(arena, uint32_t, n);
        uint32_t *const next = s->next[position] = PV_ARENA_ARRAY(arena, uint32_t, n);
        s->n[position] = n;
        ready = ready && !arena->failed;
        uint32_t suffix = 0;
        for (size_t i = 0; ready && i < n_tuples; i++) {
            const uint64_t key = keys[order[i]];
            suffix += i > 0 && key != keys[order[i - 1]];
            value[suffix] = (uint32_t)(key >> 32);
            next[suffix] = (uint32_t)key;
            s->of_tuple[order[i]] = suffix;
        }
    }
    pv_i_free(keys);
    pv_i_free(order);
    if (!ready) {
        return pv_i_no_memory(error);
    }
    s->n[n_positions] = 1;
    return PV_STATUS_OK;
}

static uint32_t leaf_at(const pv_scan_tables *tables, size_t tuple, size_t position)
{
    return pv_profile_leaf(tables->run->profile, tuple, tables->attributes[position].quasi);
}

static uint32_t known_at(const pv_scan_tables *tables, size_t tuple, size_t position)
{
    return pv_i_known_value(tables->run->attacker, tables->attributes[position].quasi, tuple);
}

/* --------------------------------------------------------- distinct suffixes */

/* Few are sorted, many are marked in a set: one bit each, in ascending order when read back, so
 * that no comparison is made at all. The summary tells which words have any: reading is O(members +
 * words / 64). */
#define FEW ((size_t)16)

static size_t distinct_of_few(const uint32_t *suffixes, size_t n, uint32_t *distinct,
                              uint32_t *number)
{
    uint64_t sorted[FEW];
    for (size_t i = 0; i < n; i++) {
        const uint64_t item = (uint64_t)suffixes[i] << 32 | i;
        size_t j = i;
        for (; j > 0 && sorted[j - 1] > item; j--) {
            sorted[j] = sorted[j - 1];
        }
        sorted[j] = item;
    }
    size_t m = 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t suffix = (uint32_t)(sorted[i] >> 32);
        if (m == 0 || distinct[m - 1] != suffix) {
            distinct[m++] = suffix;
        }
        number[(uint32_t)sorted[i]] = (uint32_t)(m - 1);
    }
    return m;
}

/* The members of one word of the set, in order; the word is cleared. */
static size_t read_word(pv_suffix_marks *marks, size_t word, size_t m, uint32_t *distinct)
{
    for (uint64_t bits = marks->bits[word]; bits != 0; bits &= bits - 1) {
        const uint32_t suffix = (uint32_t)(word * 64 + (unsigned)__builtin_ctzll(bits));
        marks->number[suffix] = (uint32_t)m;
        distinct[m++] = suffix;
    }
    marks->bits[word] = 0;
    return m;
}

size_t pv_i_scan_distinct(pv_suffix_marks *marks, const uint32_t *suffixes, size_t n,
                          uint32_t *distinct, uint32_t *number)
{
    if (n <= FEW) {
        return distinct_of_few(suffixes, n, distinct, number);
    }
    size_t m = 0;
    for (size_t i = 0; i < n; i++) {
        pv_i_bit_set(marks->bits, suffixes[i]);
        pv_i_bit_set(marks->summary, suffixes[i] / 64);
    }
    for (size_t s = 0; s < marks->n_summary; s++) {
        for (uint64_t words = marks->summary[s]; words != 0; words &= words - 1) {
            m = read_word(marks, s * 64 + (unsigned)__builtin_ctzll(words), m, distinct);
        }
        marks->summary[s] = 0;
    }
    for (size_t i = 0; i < n; i++) {
        number[i] = marks->number[suffixes[i]];
    }
    return m;
}

/* ------------------------------------------------------------------ prices */

/* A value of an attribute: utility beyond the top, and sensitivity. Or a piece of its line: what
 * the next value has more of both. */
typedef struct {
    double utility, phi;
} point;

typedef struct {
    point *points;
    size_t n;
} point_list;

static int by_utility(const void *a, const void *b)
{
    const point *const left = a;
    const point *const right = b;
    const int order = (left->utility > right->utility) - (left->utility < right->utility);
    return order != 0 ? order : (left->phi > right->phi) - (left->phi < right->phi);
}

static int by_price(const void *a, const void *b)
{
    const point *const p = a;
    const point *const q = b;
    const double left = p->phi / p->utility;
    const double right = q->phi / q->utility;
    return (left > right) - (left < right);
}

/* Is b not below the line from a to c? Then no mixture needs it. */
static bool is_above_line(point a, point b, point c)
{
    return (b.phi - a.phi) * (c.utility - a.utility) >= (c.phi - a.phi) * (b.utility - a.utility);
}

/* The corners of the convex line below all points, which are replaced by them: the lower half of
 * Andrew's monotone chain. */
static size_t keep_corners(point *points, size_t n)
{
    size_t m = 0;
    qsort(points, n, sizeof *points, by_utility);
    for (size_t i = 0; i < n; i++) {
        if (m > 0 && points[i].utility <= points[m - 1].utility) {
            continue; /* as useful and no cheaper */
        }
        while (m > 1 && is_above_line(points[m - 2], points[m - 1], points[i])) {
            m--;
        }
        points[m++] = points[i];
    }
    return m;
}

/* Adds the pieces of an attribute's line to those of the attributes after it, by ascending price.
 * The line begins at `*`, which costs nothing and is worth nothing beyond itself. Because a line is
 * convex, its own pieces come in their order: no piece is bought before one that leads to it. */
static bool add_pieces(const pv_scan_tables *tables, const pv_scan_attribute *attribute,
                       point_list *pieces)
{
    const uint32_t n_leaves = leaves_of(tables, attribute);
    point *const points = PV_NEW_ARRAY(point, (size_t)n_leaves * attribute->height + 1);
    if (points == NULL) {
        return false;
    }
    size_t n = 0;
    points[n++] = (point){0, 0};
    for (uint32_t leaf = 0; leaf < n_leaves; leaf++) {
        for (unsigned level = 0; level < attribute->root_level[leaf]; level++) {
            const pv_worth worth = attribute->worth[level][leaf];
            const int64_t beyond =
                worth.utility - attribute->worth[attribute->height][leaf].utility;
            points[n++] = (point){(double)beyond, (double)worth.phi};
        }
    }
    n = keep_corners(points, n);
    point *const longer = pv_i_resize(pieces->points, pieces->n + n, sizeof *longer);
    if (longer != NULL) {
        pieces->points = longer;
        for (size_t i = 1; i < n; i++) {
            longer[pieces->n++] = (point){points[i].utility - points[i - 1].utility,
                                          points[i].phi - points[i - 1].phi};
        }
        qsort(longer, pieces->n, sizeof *longer, by_price);
    }
    pv_i_free(points);
    return longer != NULL;
}

/* The list of a position are the sums along all pieces from it on. */
static void add_up(const point_list *pieces, pv_price_list *prices, pv_arena *arena)
{
    prices->n = pieces->n;
    prices->utility = PV_ARENA_ARRAY(arena, double, pieces->n + 1);
    prices->phi = PV_ARENA_ARRAY(arena, double, pieces->n + 1);
    for (size_t i = 0; !arena->failed && i < pieces->n; i++) {
        prices->utility[i + 1] = prices->utility[i] + pieces->points[i].utility;
        prices->phi[i + 1] = prices->phi[i] + pieces->points[i].phi;
    }
}

/* More than all pieces have: the sum of all, though nothing can be accepted then. */
int64_t pv_i_scan_price(const pv_price_list *prices, int64_t utility)
{
    const double wanted = (double)utility;
    size_t i = 0; /* pieces that are not enough */
    for (size_t step = pv_i_next_power(prices->n + 1) / 2; step > 0; step /= 2) {
        i += i + step <= prices->n && prices->utility[i + step] < wanted ? step : 0;
    }
    if (i == prices->n) {
        return (int64_t)prices->phi[i];
    }
    const double part =
        (wanted - prices->utility[i]) / (prices->utility[i + 1] - prices->utility[i]);
    const double phi = prices->phi[i] + part * (prices->phi[i + 1] - prices->phi[i]);
    return phi > 0 ? (int64_t)(phi * (1 - 0x1p-30)) : 0; /* rounding must not make it more */
}

/* --------------------------------------------------------------- remaining */

/* From the last position to the first, each from the one after it. `least_phi` is of one value, not
 * a sum: a choice that is not `*` in all open attributes has at least one value in one of them. */
static void fill_bounds(const pv_scan_tables *tables, size_t position)
{
    const pv_scan_attribute *const a = &tables->attributes[position];
    const pv_scan_remaining *const after = &tables->remaining[position + 1];
    pv_scan_remaining *const here = &tables->remaining[position];
    pv_worth most = {0};
    here->least_phi = after->least_phi;
    for (uint32_t leaf = 0; leaf < leaves_of(tables, a); leaf++) {
        const pv_worth raw = a->worth[0][leaf];
        most.utility = raw.utility > most.utility ? raw.utility : most.utility;
        most.phi = raw.phi > most.phi ? raw.phi : most.phi;
        for (unsigned level = 0; level < a->root_level[leaf]; level++) {
            const int64_t phi = a->worth[level][leaf].phi;
            here->least_phi = phi < here->least_phi ? phi : here->least_phi;
        }
    }
    here->most.utility = after->most.utility + most.utility;
    here->most.phi = after->most.phi + most.phi;
    here->may_be_raw = after->may_be_raw && a->lowest == 0;
    here->may_be_top = after->may_be_top && a->highest == a->height;
    here->top_utility = after->top_utility + a->worth[a->height][0].utility;
    here->top_node = after->top_node + a->height * a->stride;
}

static pv_worth add_worth(pv_worth a, pv_worth b)
{
    return (pv_worth){a.utility + b.utility, a.phi + b.phi};
}

/* Suffixes share what comes after them: one addition each. */
static void fill_raw(pv_scan_tables *tables, size_t position)
{
    const pv_scan_attribute *const a = &tables->attributes[position];
    const pv_suffixes *const s = &tables->suffixes;
    pv_raw_suffix *const raw = PV_ARENA_ARRAY(&tables->arena, pv_raw_suffix, s->n[position]);
    tables->remaining[position].raw = raw;
    for (uint32_t i = 0; raw != NULL && i < s->n[position]; i++) {
        const uint32_t leaf = s->value[position][i];
        const pv_raw_suffix after = tables->remaining[position + 1].raw[s->next[position][i]];
        raw[i].worth = add_worth(a->worth[0][leaf], after.worth);
        raw[i].node = after.node + (a->root_level[leaf] == 0 ? a->height * a->stride : 0);
    }
}

pv_worth pv_i_scan_raw_worth(const pv_scan_tables *tables, uint32_t suffix)
{
    const pv_suffixes *const s = &tables->suffixes;
    return add_worth(tables->attributes[0].worth[0][s->value[0][suffix]],
                     tables->remaining[1].raw[s->next[0][suffix]].worth);
}

static pv_status fill_remaining(pv_scan_tables *tables, pv_error *error)
{
    pv_arena *const arena = &tables->arena;
    point_list pieces = {0};
    tables->remaining = PV_ARENA_ARRAY(arena, pv_scan_remaining, tables->n + 1);
    if (tables->remaining == NULL) {
        return pv_i_no_memory(error);
    }
    pv_scan_remaining *const end = &tables->remaining[tables->n];
    end->least_phi = NO_VALUE;
    end->may_be_raw = end->may_be_top = true;
    end->raw = PV_ARENA_ARRAY(arena, pv_raw_suffix, 1);
    add_up(&pieces, &end->prices, arena);
    bool ready = !arena->failed;
    for (size_t p = tables->n; ready && p-- > 0;) {
        fill_bounds(tables, p);
        if (p > 0) { /* there are most suffixes at position 0, and nobody needs them twice */
            fill_raw(tables, p);
        }
        ready = add_pieces(tables, &tables->attributes[p], &pieces);
        add_up(&pieces, &tables->remaining[p].prices, arena);
        ready = ready && !arena->failed;
    }
    pv_i_free(pieces.points);
    return ready ? PV_STATUS_OK : pv_i_no_memory(error);
}

/* --------------------------------------------------------------------- all */

pv_status pv_i_scan_tables_init(pv_scan_tables *tables, const pv_disclose_run *run, pv_error *error)
{
    pv_scan_tables *const t = tables;
    *t = (pv_scan_tables){.run = run,
                          .weighing = &run->weighing,
                          .n = run->values.n_quasi,
                          .is_table = run->attacker->is_table};
    for (size_t quasi = 0; quasi < t->n; quasi++) { /* does a group hold everybody who fits it? */
        t->is_table = t->is_table && pv_study_hierarchy(run->profile->study, quasi)->is_level_wise;
    }
    PV_TRY(fill_attributes(t, error));
    PV_TRY(suffixes_init(&t->suffixes, t, t->n, run->profile->n_tuples, leaf_at, error));
    PV_TRY(fill_remaining(t, error));
    return t->is_table
               ? PV_STATUS_OK
               : suffixes_init(&t->dict, t, t->n_known, run->attacker->n_tuples, known_at, error);
}
