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

/* Sensitive values in all; of more the histograms cost more than they save. */
#define MOST_CODES 64
#define MOST_CELLS ((size_t)1 << 22)

/* Does a demand speak of the column? */
static bool is_asked_of(const pv_quest *quest, size_t column)
{
    bool asked = false;
    for (size_t i = 0; i < quest->n_varieties; i++) {
        asked |= quest->varieties[i].column == column;
    }
    for (size_t r = 0; r < quest->rules.n_rules; r++) {
        asked |= pv_i_rule_is_about(&quest->rules, r, column);
    }
    return asked;
}

bool pv_i_level_counter_init(pv_level_counter *counter, const pv_quest *quest)
{
    size_t n_codes = 0;
    size_t most = 0;
    for (size_t j = 0; j < quest->n_axes; j++) {
        size_t nodes = 0;
        for (unsigned l = 0; l < quest->axes[j].n_levels; l++) {
            nodes += quest->axes[j].levels[l].n_groups;
        }
        most = nodes > most ? nodes : most;
    }
    for (size_t i = 0; i < quest->n_columns; i++) {
        counter->first_code[i] = n_codes;
        counter->counts[i] = is_asked_of(quest, i);
        n_codes += counter->counts[i] ? quest->profile->sensitive[i].n_codes : 0;
    }
    counter->fits = n_codes <= MOST_CODES && most * (n_codes + 1) <= MOST_CELLS;
    if (!counter->fits) {
        return true;
    }
    counter->n_codes = n_codes;
    counter->nodes = PV_NEW_ARRAY(pv_level_node, most + 1);
    counter->index = PV_NEW_ZEROED(uint32_t, quest->most_groups + 1);
    counter->cells = PV_NEW_ARRAY(uint32_t, most * n_codes + 1);
    return counter->nodes != NULL && counter->index != NULL && counter->cells != NULL;
}

void pv_i_level_counter_deinit(pv_level_counter *counter)
{
    pv_i_free(counter->nodes);
    pv_i_free(counter->index);
    pv_i_free(counter->cells);
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

static uint32_t *cells_of(const pv_level_counter *counter, size_t node)
{
    return counter->cells + node * counter->n_codes;
}

/* The node of a group on the level that is being counted, made if it is new. */
static size_t node_of(pv_level_counter *counter, uint32_t group, size_t *n_nodes)
{
    const uint32_t known = counter->index[group];
    if (known > 0) {
        return known - 1;
    }
    const size_t node = (*n_nodes)++;
    counter->index[group] = (uint32_t)node + 1;
    counter->nodes[node] = (pv_level_node){.group = group};
    memset(cells_of(counter, node), 0, counter->n_codes * sizeof *counter->cells);
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
        const size_t node = node_of(counter, group[q->leaf[q->tuples[t]]], &n_nodes);
        q->s->groups[t] = (uint32_t)node;
        counter->nodes[node].rows += tuples->count[q->tuples[t]];
    }
    for (size_t t = 0; q->s->quest->sets && t < q->n; t++) {
        counter->nodes[q->s->groups[t]].set |= tuples->set[q->tuples[t]];
    }
    for (size_t i = 0; i < q->s->quest->n_columns; i++) {
        const pv_tuple_values *const values = &tuples->values[i];
        for (size_t t = 0; counter->counts[i] && t < q->n; t++) {
            uint32_t *const cells = cells_of(counter, q->s->groups[t]) + counter->first_code[i];
            const uint32_t end = values->start[q->tuples[t] + 1];
            for (uint32_t e = values->start[q->tuples[t]]; e < end; e++) {
                cells[values->code[e]] += values->count[e];
            }
        }
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
        const size_t above = node_of(counter, up[node->group], &n_nodes);
        const uint32_t *const from = cells_of(counter, i);
        uint32_t *const to = cells_of(counter, above);
        node->above = (uint32_t)above;
        counter->nodes[above].rows += node->rows;
        counter->nodes[above].set |= node->set;
        for (size_t c = 0; c < counter->n_codes; c++) {
            to[c] += from[c];
        }
    }
    forget_groups(counter, end, n_nodes);
    return n_nodes;
}

/* ------------------------------------------------------------------- judging */

static bool is_various(const levels *q, const uint32_t *cells)
{
    for (size_t i = 0; i < q->s->quest->n_varieties; i++) {
        const pv_variety *const variety = &q->s->quest->varieties[i];
        const pv_histogram *const column = &q->s->quest->profile->sensitive[variety->column];
        const uint32_t *const of = cells + q->counter->first_code[variety->column];
        uint32_t distinct = 0;
        for (uint32_t code = 0; code < column->n_codes && distinct < variety->least; code++) {
            distinct += of[code] > 0 && code != column->missing;
        }
        if (distinct < variety->least) {
            return false;
        }
    }
    return true;
}

static uint64_t survivors(const levels *q, const uint32_t *cells, uint32_t rows)
{
    pv_class_scorer *const scorer = &q->s->scorer;
    pv_i_class_scorer_clear(scorer);
    for (size_t i = 0; i < q->s->quest->rules.n_sensitive; i++) {
        pv_tally *const tally = &scorer->tallies[i];
        const uint32_t *const of = cells + q->counter->first_code[i];
        const uint32_t n_codes = q->s->quest->profile->sensitive[i].n_codes;
        for (uint32_t code = 0; scorer->reads[i] && code < n_codes; code++) {
            if (of[code] > 0) {
                tally->touched[tally->n_touched++] = code;
                tally->counts[code] = of[code];
            }
        }
        tally->total = rows;
    }
    return pv_i_splitter_survivors(q->s, rows);
}

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
    const uint32_t *const cells = cells_of(q->counter, number);
    if (!is_various(q, cells)) {
        return 0;
    }
    return quest->breakable ? (uint32_t)survivors(q, cells, node->rows) : node->rows;
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
