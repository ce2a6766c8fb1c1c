/* One attribute lowered to each of its levels, all of them at once.
 *
 * Looking at a box asks of every attribute what lowering it alone would do, level by level. Levels
 * are nested, so the tuples are counted once, by the groups of the finest level; what they add up
 * to on the coarser ones is a matter of groups, which are fewer:
 *
 *     class     tuples of 20..23, 25, 31, 34      rows 1 2 1 1 2 3 1
 *     level 0   20:1  21:2  22:1  23:1  25:2  31:3  34:1       nodes, counted tuple by tuple
 *     level 1   20-24:5           25-29:2   30-34:4            added up, node by node
 *     level 2   20-29:7                     30-39:4
 *
 * Then from the coarsest level down: a group that is too small, or of which nobody can live on, is
 * dead, and with it all groups under it. Where demands speak of sensitive values, every node has
 * the set or a histogram of them, which is added up alike; that is worth it for columns of few
 * values. */
#include "lattice/partition.h"

#include "base/memory.h"

#include <string.h>

/* A group of a class on one level. */
typedef struct pv_level_node {
    uint32_t group;
    uint32_t above; /* the node on the next level */
    uint32_t rows;
    uint32_t live; /* rows that may live on; 0 = none */
    uint64_t set;  /* of sensitive values, where quest->sets */
    uint8_t mark;  /* coarsest level on which it is dead, + 1; 0 = on none */
} pv_level_node;

#define MOST_CELLS ((size_t)1 << 22)

bool pv_i_level_counter_init(pv_level_counter *counter, const pv_quest *quest)
{
    const size_t n_codes = quest->n_codes;
    size_t most = 0;
    for (size_t j = 0; j < quest->n_axes; j++) {
        size_t nodes = 0;
        for (unsigned l = 0; l < quest->axes[j].n_levels; l++) {
            nodes += quest->axes[j].levels[l].n_groups;
        }
        most = nodes > most ? nodes : most;
    }
    counter->fits = quest->n_columns == 0 && most * (n_codes + 1) <= MOST_CELLS;
    counter->sum = PV_NEW_ARRAY(uint32_t, n_codes + 1);
    if (!counter->fits) {
        return counter->sum != NULL;
    }
    counter->nodes = PV_NEW_ARRAY(pv_level_node, most + 1);
    counter->index = PV_NEW_ZEROED(uint32_t, quest->most_groups + 1);
    counter->cells = PV_NEW_ARRAY(uint32_t, most * n_codes + 1);
    return counter->sum != NULL && counter->nodes != NULL && counter->index != NULL &&
           counter->cells != NULL;
}

void pv_i_level_counter_deinit(pv_level_counter *counter)
{
    pv_i_free(counter->nodes);
    pv_i_free(counter->index);
    pv_i_free(counter->cells);
    pv_i_free(counter->sum);
    *counter = (pv_level_counter){0};
}

/* ------------------------------------------------------------------ counting */

/* What is asked of one class. */
typedef struct {
    pv_splitter *s;
    pv_level_counter *counter;
    const pv_quest_axis *axis;
    const uint32_t *leaf; /* per tuple */
    unsigned low, high;
    const bool *asked; /* per level */
    const pv_part_class *class;
    const uint32_t *tuples;
    size_t n;
    size_t first[PV_MOST_LEVELS + 1]; /* per level: its first node; they end where the next begin */
} levels;

static uint32_t *cells_of(const levels *q, size_t node)
{
    return q->counter->cells + node * q->s->quest->n_codes;
}

/* The node of a group on the level that is being counted, made if it is new. */
static size_t node_of(const levels *q, uint32_t group, size_t *n_nodes)
{
    pv_level_counter *const counter = q->counter;
    const uint32_t known = counter->index[group];
    if (known > 0) {
        return known - 1;
    }
    const size_t node = (*n_nodes)++;
    counter->index[group] = (uint32_t)node + 1;
    counter->nodes[node] = (pv_level_node){.group = group};
    memset(cells_of(q, node), 0, q->s->quest->n_codes * sizeof *counter->cells);
    return node;
}

static void forget_groups(pv_level_counter *counter, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        counter->index[counter->nodes[i].group] = 0;
    }
}

/* The nodes of the finest level; the splitter's `groups` has the node of each tuple. */
static size_t count_tuples(levels *q)
{
    pv_level_counter *const counter = q->counter;
    const uint32_t *const group = q->axis->levels[q->low].group;
    const pv_quest_tuples *const tuples = q->s->tuples;
    size_t n_nodes = 0;
    for (size_t t = 0; t < q->n; t++) {
        const size_t node = node_of(q, group[q->leaf[q->tuples[t]]], &n_nodes);
        q->s->groups[t] = (uint32_t)node;
        counter->nodes[node].rows += tuples->count[q->tuples[t]];
    }
    for (size_t t = 0; q->s->quest->sets && t < q->n; t++) {
        counter->nodes[q->s->groups[t]].set |= tuples->set[q->tuples[t]];
    }
    const size_t n_codes = q->s->quest->n_codes;
    for (size_t t = 0; n_codes > 0 && t < q->n; t++) {
        pv_i_cells_add(cells_of(q, q->s->groups[t]), tuples->cells + q->tuples[t] * n_codes,
                       n_codes);
    }
    forget_groups(counter, 0, n_nodes);
    return n_nodes;
}

/* Adds the nodes of a level up to those of the next one. */
static size_t add_up(levels *q, unsigned level, size_t n_nodes)
{
    pv_level_counter *const counter = q->counter;
    const uint32_t *const up = q->axis->levels[level].up;
    const size_t end = n_nodes;
    for (size_t i = q->first[level]; i < end; i++) {
        pv_level_node *const node = &counter->nodes[i];
        const size_t above = node_of(q, up[node->group], &n_nodes);
        node->above = (uint32_t)above;
        counter->nodes[above].rows += node->rows;
        counter->nodes[above].set |= node->set;
        pv_i_cells_add(cells_of(q, above), cells_of(q, i), q->s->quest->n_codes);
    }
    forget_groups(counter, end, n_nodes);
    return n_nodes;
}

/* ------------------------------------------------------------------- judging */

/* How many rows of a node may live on. What is the whole class is known. */
static uint32_t live_of(const levels *q, size_t number)
{
    const pv_level_node *const node = &q->counter->nodes[number];
    const pv_quest *const quest = q->s->quest;
    if (node->rows < quest->k) {
        return 0;
    }
    if (node->rows == q->class->rows && (!quest->breakable || q->class->live > 0)) {
        return quest->breakable ? q->class->live : node->rows;
    }
    if (quest->sets) {
        return pv_i_set_is_various(quest, node->set) ? node->rows : 0;
    }
    if (!quest->breakable) {
        return node->rows;
    }
    const uint32_t *const cells = cells_of(q, number);
    return pv_i_cells_are_various(quest, cells)
               ? (uint32_t)pv_i_cells_survivors(q->s, cells, node->rows)
               : 0;
}

static void judge_level(levels *q, unsigned level, pv_split_sums *sums)
{
    const pv_quest_level *const here = &q->axis->levels[level];
    const pv_quest_level *const coarse = &q->axis->levels[q->high];
    const double shown = coarse->kept[coarse->group[q->leaf[q->tuples[0]]]];
    for (size_t i = q->first[level]; i < q->first[level + 1]; i++) {
        pv_level_node *const node = &q->counter->nodes[i];
        const pv_level_node *const above =
            level + 1 < q->high ? &q->counter->nodes[node->above] : NULL;
        if (above != NULL && above->mark > 0) {
            node->mark = above->mark;
            node->live = 0;
        } else if (q->asked[level]) {
            node->live = live_of(q, i);
            node->mark = (uint8_t)(node->live == 0 ? level + 1 : 0);
        } else {
            node->live = node->rows;
        }
        const double dead = node->live == 0 ? node->rows : 0;
        const double doomed = node->live == 0 ? 0 : (double)node->rows - node->live;
        sums->dead += (uint64_t)dead;
        sums->dead_kept += dead * q->class->kept;
        sums->doomed += (uint64_t)doomed;
        sums->doomed_kept += doomed * q->class->kept;
        sums->alive_gain += node->live * (here->kept[node->group] - shown);
    }
}

static void lower_class(levels *q, uint8_t *killed, pv_split_sums *sums)
{
    size_t n_nodes = count_tuples(q);
    bool dies = false;
    q->first[q->low] = 0;
    for (unsigned level = q->low; level + 1 < q->high; level++) {
        q->first[level + 1] = n_nodes;
        n_nodes = add_up(q, level, n_nodes);
    }
    q->first[q->high] = n_nodes;
    for (unsigned level = q->high; level-- > q->low;) {
        judge_level(q, level, &sums[level]);
    }
    for (size_t i = 0; i < q->first[q->low + 1] && !dies; i++) {
        dies = q->counter->nodes[i].mark > 0;
    }
    for (size_t t = 0; killed != NULL && t < q->n; t++) {
        killed[q->tuples[t]] = dies ? q->counter->nodes[q->s->groups[t]].mark : 0;
    }
}

unsigned pv_i_split_levels(pv_splitter *s, const pv_partition *from, size_t axis, unsigned high,
                           unsigned low, const bool *asked, uint8_t *killed, pv_split_sums *sums)
{
    levels q = {.s = s,
                .counter = &s->counter,
                .axis = &s->quest->axes[axis],
                .leaf = s->tuples->leaf[axis],
                .low = low,
                .high = high,
                .asked = asked};
    memset(sums, 0, high * sizeof *sums);
    s->work += from->n_tuples;
    for (size_t i = 0; i < from->n_classes && q.low < high; i++) {
        q.class = &from->classes[i];
        q.tuples = from->tuples + q.class->first;
        q.n = q.class[1].first - q.class->first;
        lower_class(&q, killed, sums);
        /* What a level kills, every finer one kills: it is not counted any further. */
        while (q.low < high &&
               from->dead + sums[q.low].dead + sums[q.low].doomed > s->quest->budget) {
            q.low++;
        }
    }
    return q.low;
}
