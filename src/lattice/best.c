/* The best scheme: branch and bound over boxes of schemes.
 *
 * A box is, for every attribute, a set of levels that may still be used; its bits are the levels of
 * all attributes. Its coarsest scheme has the coarsest allowed level everywhere, and the box holds
 * the partition of the table under that scheme (partition.h): what is dead there is dead in the
 * whole box.
 *
 *              age      sex   zip            a box: 3 * 1 * 2 schemes
 *     box    . x x x    x .   . x x .
 *                  ^    ^         ^          its coarsest scheme
 *
 * Looking at a box. For every attribute and allowed level, that attribute alone is lowered to the
 * level: D = what the rows that live gain, B = what those that die kept so far. A row that dies
 * when one attribute alone is lowered dies in every scheme of the box that lowers it so far. So
 * with K = what the coarsest scheme keeps, every scheme x of the box keeps at most
 *
 *     K + sum over attributes j of (D(j, x_j) - m_j B(j, x_j))      with m_j >= 0, sum of m_j <= 1,
 *
 * for a row that several attributes kill has no more than B to lose: each claims its share m_j. The
 * bound takes the best level of each attribute. Its multipliers are found greedily: each term is
 * convex in m_j, so the next bit of multiplier goes where it lowers the bound most (`share_out`).
 * Then the claims are split row by row among the attributes that kill just this row
 * (`share_by_row`), which is tighter where different attributes kill different rows.
 *
 * Where nothing may be suppressed, every single row bounds the whole box, too (`ask_witness`): it
 * needs k - 1 others that look like it. Any other row q looks like it only in schemes no finer than
 * the levels at which the two first meet; so with v(q) = what those levels keep, the scheme keeps
 * no more than the (k-1)-th largest v(q). Rows that were seen dying are asked: outliers, whose
 * fellows agree with them in little.
 *
 * A level that cannot reach the best known scheme even with the best of all other attributes is
 * removed, as is one that kills more than the budget. Removing the coarsest level makes the box's
 * coarsest scheme finer, which kills more; so this is repeated until nothing changes. A box whose
 * bound is not above the best known is done. Otherwise it is branched on the attribute where most
 * depends on the choice: the best and the second best level differ most.
 *
 * Boxes wait in a heap, the highest bound first: the bound of the first is what is proven of all.
 * From the box that is taken the search dives: it goes on with the best child at once, since its
 * partition is at hand, and leaves the others in the heap. Every coarsest scheme on the way is a
 * candidate.
 *
 * Good schemes early prune much: the search begins with descents from the top, each step lowering
 * the attribute that gains most, with some noise; and while branch and bound goes on, it repairs
 * the best known scheme: a few attributes are freed, the others stay, and the small box is searched
 * by the same branch and bound.
 *
 * Rules that a finer class may keep again (t-closeness, l-entropy) do not kill for good. The bounds
 * from k and l-distinct stay valid; candidates are checked class by class; and of a class that
 * breaks such a rule at least `doomed` rows die however it is split, which is one more claim.
 *
 * A step is a round of tasks that know only what was known when the round began; their results are
 * taken in the order of the tasks. So the same number of steps gives the same scheme on any number
 * of threads. */
#include "lattice/best.h"
#include "lattice/boxes.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/rng.h"
#include "base/tasks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DESCENTS 8         /* at the beginning: one without noise, the others with */
#define ROUND 16           /* tasks of a step */
#define REPAIRS 8          /* of them, once branch and bound did not end quickly */
#define PATIENT_STEPS 4    /* steps of branch and bound alone before the repairs begin */
#define FEW_BOXES 64       /* that wait: no repairs */
#define REPAIR_NODES 150   /* boxes of one repair */
#define REPAIR_FAILURES 60 /* before the repairs begin anew from another scheme */
#define MOST_LISTED 256    /* schemes of a box that are looked at one by one */
#define MERGE_WORTH 80     /* percent of its tuples that a box may have after merging */
#define LEAST_FREED 3
#define MOST_FREED 10
/* Bounds are sums of millions of terms: differences below this share of everything are rounding. */
#define ROUNDING 1e-11
#define MOST_WAITING (UINT64_C(256) << 20) /* bytes of boxes in the pv_box_heap */

/* ---------------------------------------------------------------- the pv_box_heap */

static pv_box *heap_at(const pv_box_heap *h, size_t i)
{
    return (pv_box *)(void *)(h->nodes + i * h->node_size);
}

static bool goes_before(const pv_box *a, const pv_box *b)
{
    return a->bound > b->bound || (!(a->bound < b->bound) && a->number < b->number);
}

/* False when memory runs out. A full heap takes nothing: what is left out is remembered. */
static bool heap_push(pv_box_heap *h, double bound, const uint64_t *bits)
{
    if ((h->n + 1) * h->node_size > MOST_WAITING) {
        h->full = true;
        return true;
    }
    if (!pv_i_reserve((void **)&h->nodes, &h->capacity, h->n + 2, h->node_size)) {
        return false;
    }
    pv_box *const fresh = heap_at(h, h->n + 1); /* behind the end, while a place is made */
    fresh->bound = bound;
    fresh->number = h->made++;
    memcpy(fresh->bits, bits, h->words * sizeof *bits);
    size_t i = h->n++;
    while (i > 0 && goes_before(fresh, heap_at(h, (i - 1) / 2))) {
        memcpy(heap_at(h, i), heap_at(h, (i - 1) / 2), h->node_size);
        i = (i - 1) / 2;
    }
    memcpy(heap_at(h, i), fresh, h->node_size);
    return true;
}

/* Takes the first out, into `to`. */
static void heap_pop(pv_box_heap *h, pv_box *to)
{
    memcpy(to, heap_at(h, 0), h->node_size);
    const pv_box *const moved = heap_at(h, --h->n);
    size_t i = 0;
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= h->n) {
            break;
        }
        child += child + 1 < h->n && goes_before(heap_at(h, child + 1), heap_at(h, child));
        if (!goes_before(heap_at(h, child), moved)) {
            break;
        }
        memcpy(heap_at(h, i), heap_at(h, child), h->node_size);
        i = child;
    }
    if (h->n > 0 && heap_at(h, i) != moved) {
        memcpy(heap_at(h, i), moved, h->node_size);
    }
}

/* ------------------------------------------------------------------- searcher */

static size_t words_of(const pv_quest *quest)
{
    return (quest->n_bits + 63) / 64;
}

static void searcher_deinit(pv_box_searcher *s)
{
    pv_i_splitter_deinit(&s->splitter);
    pv_i_partition_deinit(&s->here);
    pv_i_partition_deinit(&s->next);
    pv_i_partition_deinit(&s->chain[0]);
    pv_i_partition_deinit(&s->chain[1]);
    pv_i_partition_deinit(&s->base);
    for (size_t i = 0; i < PV_LISTED; i++) {
        pv_i_partition_deinit(&s->listed[i]);
    }
    pv_i_merger_deinit(&s->merger);
    pv_i_tuples_deinit(&s->merged[0]);
    pv_i_tuples_deinit(&s->merged[1]);
    pv_i_tuples_deinit(&s->base_tuples);
    pv_i_free(s->waiting.nodes);
    pv_i_arena_deinit(&s->arena);
}

static pv_status searcher_init(pv_box_searcher *s, const pv_quest *quest, pv_error *error)
{
    const size_t words = words_of(quest);
    const size_t n_axes = quest->n_axes;
    const size_t cells = n_axes * quest->tuples.n;
    const size_t node_size = sizeof(pv_box) + words * sizeof(uint64_t);
    pv_arena *const arena = &s->arena;
    *s = (pv_box_searcher){.quest = quest, .waiting = {.words = words, .node_size = node_size}};
    s->bits = PV_ARENA_ARRAY(arena, uint64_t, words);
    s->other = PV_ARENA_ARRAY(arena, uint64_t, words);
    s->base_high = PV_ARENA_ARRAY(arena, uint8_t, n_axes);
    s->high = PV_ARENA_ARRAY(arena, uint8_t, n_axes);
    s->low = PV_ARENA_ARRAY(arena, uint8_t, n_axes);
    s->base_low = PV_ARENA_ARRAY(arena, uint8_t, n_axes);
    s->open = PV_ARENA_ARRAY(arena, bool, n_axes);
    s->meetings = PV_ARENA_ARRAY(arena, pv_meeting, n_axes);
    s->meeting_levels = PV_ARENA_ARRAY(arena, uint8_t, quest->n_bits);
    s->gain = PV_ARENA_ARRAY(arena, double, quest->n_bits);
    s->loss = PV_ARENA_ARRAY(arena, double, quest->n_bits);
    s->value = PV_ARENA_ARRAY(arena, double, quest->n_bits);
    s->share = PV_ARENA_ARRAY(arena, double, n_axes);
    s->best = PV_ARENA_ARRAY(arena, uint8_t, n_axes);
    s->killed = PV_ARENA_ARRAY(arena, uint8_t, cells);
    s->claims = PV_ARENA_ARRAY(arena, uint8_t, cells);
    s->claimants = PV_ARENA_ARRAY(arena, uint16_t, quest->tuples.n);
    s->claimed = PV_ARENA_ARRAY(arena, double, quest->n_bits);
    s->best_here.levels = PV_ARENA_ARRAY(arena, uint8_t, n_axes);
    s->taken = pv_i_arena_alloc(arena, node_size);
    if (arena->failed || !pv_i_partition_init(&s->here, quest) ||
        !pv_i_partition_init(&s->next, quest) || !pv_i_partition_init(&s->chain[0], quest) ||
        !pv_i_partition_init(&s->chain[1], quest) || !pv_i_partition_init(&s->base, quest) ||
        !pv_i_merger_init(&s->merger, quest)) {
        return pv_i_no_memory(error);
    }
    return pv_i_splitter_init(&s->splitter, quest, error);
}

/* ------------------------------------------------------------ looking at a box */

/* Lowers the partition at hand to the coarsest scheme of the box, from where `high` says it is.
 * False: there is no scheme left, or more than the budget is dead. */
static bool catch_up(pv_box_searcher *s)
{
    for (size_t j = 0; j < s->quest->n_axes; j++) {
        const pv_quest_axis *const axis = &s->quest->axes[j];
        const unsigned level = pv_i_box_coarsest(axis, s->bits);
        pv_split_sums sums;
        if (level == axis->n_levels) {
            return false;
        }
        if (level == s->high[j]) {
            continue;
        }
        if (!pv_i_split(&s->splitter, &s->here, j, s->high[j], level, &s->next, NULL, false,
                        &sums)) {
            return false;
        }
        pv_i_partition_lower(&s->splitter, &s->next, j, s->high[j], level);
        const pv_partition old = s->here;
        s->here = s->next;
        s->next = old;
        s->high[j] = (uint8_t)level;
    }
    return true;
}

/* Merges the tuples that the box does not tell apart, and renumbers those of the partition; `to` is
 * not what the partition is of now. Where that would not save much, all stays as it is. */
static void merge_into(pv_box_searcher *s, pv_quest_tuples *to)
{
    pv_partition *const here = &s->here;
    size_t n_merged;
    if (!pv_i_tuples_merge(&s->merger, s->quest, s->splitter.tuples, here->tuples, here->n_tuples,
                           s->low, here->n_tuples * MERGE_WORTH / 100, to, &n_merged)) {
        s->failed = true;
        return;
    }
    if (n_merged == 0) {
        return;
    }
    for (size_t c = 0; c < here->n_classes; c++) {
        here->classes[c].first = s->merger.into[here->classes[c].first];
    }
    here->classes[here->n_classes].first = (uint32_t)n_merged;
    for (size_t t = 0; t < n_merged; t++) {
        here->tuples[t] = (uint32_t)t;
    }
    here->n_tuples = n_merged;
    s->splitter.tuples = to;
}

/* The finest level of every axis that the box allows. Are there coarser ones than before? */
static bool find_low(pv_box_searcher *s)
{
    bool coarser = false;
    for (size_t j = 0; j < s->quest->n_axes; j++) {
        const pv_quest_axis *const axis = &s->quest->axes[j];
        unsigned low = 0;
        while (low < s->high[j] && !pv_i_box_has(s->bits, axis->first_bit + low)) {
            low++;
        }
        coarser |= low > s->low[j];
        s->low[j] = (uint8_t)low;
    }
    return coarser;
}

/* If the box lost fine levels since its tuples were merged last. */
static void merge(pv_box_searcher *s)
{
    if (find_low(s)) {
        merge_into(s, &s->merged[s->splitter.tuples == &s->merged[0]]);
    }
}

/* Takes the coarsest scheme of the box as a candidate. */
static void offer(pv_box_searcher *s, const pv_partition *part)
{
    const double kept = s->kept - s->check.kept_broken;
    pv_candidate *const best = &s->best_here;
    if (part->dead + s->check.broken > s->quest->budget || (best->found && kept <= best->kept)) {
        return;
    }
    best->found = true;
    best->kept = kept;
    best->suppressed = part->dead + s->check.broken;
    memcpy(best->levels, s->high, s->quest->n_axes);
    s->target = fmax(s->target, kept + ROUNDING * s->quest->everything);
}

static bool is_late(pv_box_searcher *s)
{
    s->late =
        s->late || s->failed || (s->deadline > 0 && pv_i_now() > s->deadline) || !pv_i_goes_on(s->thread, 0);
    return s->late;
}

/* Makes the partition fit the box and offers its coarsest scheme. False: nothing is left in it. */
static bool arrive(pv_box_searcher *s)
{
    if (!catch_up(s)) {
        return false;
    }
    s->nodes++;
    merge(s);
    pv_i_partition_check(&s->splitter, &s->here, &s->check);
    s->kept = pv_i_partition_kept(&s->here);
    offer(s, &s->here);
    return s->here.dead + s->check.doomed <= s->quest->budget;
}

/* Bounds the box and removes what is of no use. False: nothing is left, or it is late. */
static bool look(pv_box_searcher *s)
{
    bool settled = false;
    while (!settled) {
        if (!arrive(s) || is_late(s)) {
            return false;
        }
        if (!pv_i_box_bound(s)) {
            return false;
        }
        settled = true;
        for (size_t j = 0; j < s->quest->n_axes; j++) {
            settled &= pv_i_box_coarsest(&s->quest->axes[j], s->bits) == s->high[j];
        }
    }
    return true;
}

/* Begins at a partition of `tuples` whose axes are at the levels `high`. */
static void begin_at(pv_box_searcher *s, const pv_quest_tuples *tuples, const pv_partition *part,
                     const uint8_t *high, const uint64_t *bits)
{
    s->splitter.tuples = tuples;
    memset(s->low, 0, s->quest->n_axes);
    pv_i_partition_copy(&s->here, part);
    memcpy(s->high, high, s->quest->n_axes);
    memcpy(s->bits, bits, words_of(s->quest) * sizeof *bits);
}

/* How many schemes the box has; MOST_LISTED + 1 if more than that are too many to be listed. */
static unsigned count_schemes(const pv_box_searcher *s)
{
    unsigned n = 1;
    for (size_t j = 0; j < s->quest->n_axes && n <= MOST_LISTED; j++) {
        unsigned levels = 0;
        for (unsigned level = 0; level < s->quest->axes[j].n_levels; level++) {
            levels += pv_i_box_has(s->bits, s->quest->axes[j].first_bit + level);
        }
        n *= levels;
    }
    return n <= MOST_LISTED ? n : MOST_LISTED + 1;
}

/* The axes of a small box that have a choice, those that kill most first. */
static size_t order_open_axes(const pv_box_searcher *s, size_t *order)
{
    double deaths[PV_LISTED];
    size_t n = 0;
    for (size_t j = 0; j < s->quest->n_axes; j++) {
        const pv_quest_axis *const axis = &s->quest->axes[j];
        double most = 0;
        if (pv_i_box_is_fixed(axis, s->bits)) {
            continue;
        }
        for (unsigned level = 0; level < axis->n_levels; level++) {
            const size_t bit = axis->first_bit + level;
            most = pv_i_box_has(s->bits, bit) ? fmax(most, s->loss[bit]) : most;
        }
        size_t place = n++;
        for (; place > 0 && deaths[place - 1] < most; place--) {
            deaths[place] = deaths[place - 1];
            order[place] = order[place - 1];
        }
        deaths[place] = most;
        order[place] = j;
    }
    return n;
}

/* What is left to decide in a small box. */
typedef struct {
    size_t order[PV_LISTED];
    size_t n;
    double most_gain[PV_LISTED + 1];  /* of the axes from here on, by all that live now */
    double most_value[PV_LISTED + 1]; /* ... by the values of the box's bound */
} listing;

/* Goes through the schemes of a small box, axis by axis, each level split from the partition of the
 * axes before. Every step is one split, where a box takes one for each level of all its axes.
 * `kept` is at least what the schemes that follow keep of the axes decided so far, `summed` what the
 * box's bound says of them. */
static void list_schemes(pv_box_searcher *s, const listing *list, size_t depth,
                         const pv_partition *part, double kept, double summed)
{
    const size_t j = list->order[depth];
    const pv_quest_axis *const axis = &s->quest->axes[j];
    const unsigned high = s->high[j];
    const bool last = depth + 1 == list->n;
    for (unsigned level = high + 1; level-- > 0 && !is_late(s);) {
        const size_t bit = axis->first_bit + level;
        const double sum = summed + s->value[bit];
        if (!pv_i_box_has(s->bits, bit) || sum + list->most_value[depth + 1] <= s->target) {
            continue;
        }
        pv_partition *next = &s->listed[depth];
        double most = kept;
        if (level < high) {
            pv_split_sums sums;
            if (!pv_i_split(&s->splitter, part, j, high, level, next, NULL, !last, &sums)) {
                break; /* finer levels kill as many */
            }
            most += sums.alive_gain - sums.dead_kept - sums.doomed_kept;
        }
        s->nodes++;
        if (most + list->most_gain[depth + 1] <= s->target) {
            continue;
        }
        if (level < high) {
            pv_i_partition_lower(&s->splitter, next, j, high, level);
        } else if (last) {
            pv_i_partition_copy(next, part); /* for checking may remove classes */
        }
        s->high[j] = (uint8_t)level;
        if (last) {
            pv_i_partition_check(&s->splitter, next, &s->check);
            s->kept = pv_i_partition_kept(next);
            offer(s, next);
        } else {
            list_schemes(s, list, depth + 1, level < high ? next : part, most, sum);
        }
        s->high[j] = (uint8_t)high;
    }
}

static bool list_box(pv_box_searcher *s)
{
    listing list = {.n = order_open_axes(s, list.order)};
    for (size_t depth = list.n; depth-- > 0;) {
        const pv_quest_axis *const axis = &s->quest->axes[list.order[depth]];
        double most = 0;
        for (unsigned level = 0; level < axis->n_levels; level++) {
            const size_t bit = axis->first_bit + level;
            most = pv_i_box_has(s->bits, bit) ? fmax(most, s->gain[bit]) : most;
        }
        list.most_gain[depth] = list.most_gain[depth + 1] + most;
        list.most_value[depth] =
            list.most_value[depth + 1] + pv_i_box_best(s, list.order[depth], NULL);
        if (!pv_i_partition_reserve(&s->listed[depth], &s->here)) {
            return false;
        }
    }
    const double values = s->summed - list.most_value[0];
    list_schemes(s, &list, 0, &s->here, s->kept - s->check.kept_doomed, values);
    return true;
}

/* From a box down to a single scheme, always by the best child; the others go to the heap. False
 * when memory runs out. */
static bool dive(pv_box_searcher *s, pv_box_heap *children)
{
    while (look(s)) {
        size_t branch = s->quest->n_axes;
        double widest = -1;
        for (size_t j = 0; j < s->quest->n_axes; j++) {
            double margin;
            (void)pv_i_box_best(s, j, &margin);
            if (!pv_i_box_is_fixed(&s->quest->axes[j], s->bits) && margin > widest) {
                widest = margin;
                branch = j;
            }
        }
        if (branch == s->quest->n_axes) {
            return true; /* a single scheme, which was offered */
        }
        if (count_schemes(s) <= MOST_LISTED) {
            return list_box(s) && (!s->late || heap_push(children, s->bound, s->bits));
        }
        const pv_quest_axis *const axis = &s->quest->axes[branch];
        const double best = s->value[axis->first_bit + s->best[branch]];
        for (unsigned level = 0; level < axis->n_levels; level++) {
            const size_t bit = axis->first_bit + level;
            if (level != s->best[branch] && pv_i_box_has(s->bits, bit)) {
                memcpy(s->other, s->bits, words_of(s->quest) * sizeof *s->bits);
                pv_i_box_fix(axis, s->other, level);
                if (!heap_push(children, fmin(s->bound, s->summed - best + s->value[bit]),
                               s->other)) {
                    return false;
                }
            }
        }
        pv_i_box_fix(axis, s->bits, s->best[branch]);
    }
    return !s->failed && (!s->late || heap_push(children, s->bound, s->bits));
}

/* From the top always the step that gains most, give or take some noise. */
static void descend(pv_box_searcher *s, pv_rng *rng, double noise)
{
    while (arrive(s) && !is_late(s)) {
        double most = 0;
        size_t chosen = s->quest->n_axes;
        unsigned chosen_level = 0;
        for (size_t j = 0; j < s->quest->n_axes; j++) {
            const pv_quest_axis *const axis = &s->quest->axes[j];
            const double factor = 1 + noise * (2 * pv_i_rng_unit(rng) - 1);
            pv_i_box_lower(s, j);
            for (unsigned level = 0; level < s->high[j]; level++) {
                const size_t bit = axis->first_bit + level;
                const double worth =
                    pv_i_box_has(s->bits, bit) ? factor * (s->gain[bit] - s->loss[bit]) : 0;
                if (worth > most) {
                    most = worth;
                    chosen = j;
                    chosen_level = level;
                }
            }
        }
        if (chosen == s->quest->n_axes) {
            return;
        }
        const pv_quest_axis *const axis = &s->quest->axes[chosen];
        for (unsigned level = chosen_level + 1; level < axis->n_levels; level++) {
            pv_i_box_drop(s->bits, axis->first_bit + level);
        }
    }
}

/* ----------------------------------------------------------------- the search */

/* What a task of a step begins with, and what comes of it. */
typedef struct {
    bool done;
    pv_candidate best;
    pv_box_heap children;
    uint64_t nodes;
    pv_box *box; /* of a dive */
    uint32_t witnesses[PV_WITNESSES];
    size_t n_witnesses;
} task;

typedef struct {
    const pv_quest *quest;
    const pv_best_settings *settings;
    unsigned threads;
    pv_box_searcher *searchers;
    pv_partition root;             /* of the box that everything else is in ... */
    const pv_quest_tuples *tuples; /* ... by these */
    pv_quest_tuples root_tuples;
    uint64_t *root_bits;
    uint8_t *root_high;
    bool root_is_open; /* may something in it be better? */
    pv_box_heap waiting;
    pv_candidate best;
    pv_candidate current; /* what is being repaired */
    unsigned failures;    /* to repair it, in a row */
    unsigned freed;       /* attributes that a repair frees */
    uint64_t steps, nodes;
    bool boxes_begun;                 /* until then nothing is proven */
    uint32_t witnesses[PV_WITNESSES]; /* to begin a task with */
    size_t n_witnesses;
    size_t n_descents, n_dives; /* of the step: descents or dives first, then repairs */
    task tasks[ROUND];
    double deadline;
    pv_stop stop;
    char note[64];
    pv_ticker ticker;
} search;

/* What is not above it is of no use. */
static double target_of(const search *run)
{
    return run->best.found ? run->best.kept + ROUNDING * run->quest->everything
                           : -(double)INFINITY;
}

static pv_rng rng_of(const search *run, size_t number)
{
    pv_rng rng;
    pv_i_rng_init(&rng, run->settings->seed + (run->steps * ROUND + number) * 0x9e3779b97f4a7c15u);
    return rng;
}

/* Frees a few attributes of the current scheme and searches that box. */
static bool repair(pv_box_searcher *s, const search *run, pv_rng *rng)
{
    const pv_quest *const quest = run->quest;
    size_t n_free = 0;
    size_t n_left = 0;
    memcpy(s->other, run->root_bits, words_of(quest) * sizeof *s->other);
    for (size_t j = 0; j < quest->n_axes; j++) {
        n_left += !pv_i_box_is_fixed(&quest->axes[j], run->root_bits);
    }
    for (size_t j = 0; j < quest->n_axes; j++) {
        if (pv_i_box_is_fixed(&quest->axes[j], run->root_bits)) {
            continue;
        }
        const size_t bit = quest->axes[j].first_bit + run->current.levels[j];
        if (pv_i_rng_below(rng, n_left--) < run->freed - n_free) {
            n_free++;
        } else if (pv_i_box_has(run->root_bits, bit)) { /* else it is known to be no use */
            pv_i_box_fix(&quest->axes[j], s->other, run->current.levels[j]);
        }
    }
    s->target = run->current.kept + ROUNDING * quest->everything;
    begin_at(s, run->tuples, &run->root, run->root_high, s->other);
    if (!catch_up(s)) {
        return true;
    }
    find_low(s);
    merge_into(s, &s->base_tuples);
    const pv_quest_tuples *const base = s->splitter.tuples;
    pv_i_partition_copy(&s->base, &s->here);
    memcpy(s->base_high, s->high, quest->n_axes);
    memcpy(s->base_low, s->low, quest->n_axes);
    s->waiting.n = 0;
    s->waiting.full = false;
    bool fits = !s->failed && heap_push(&s->waiting, (double)INFINITY, s->bits);
    const uint64_t end = s->nodes + REPAIR_NODES;
    while (fits && s->waiting.n > 0 && s->nodes < end && !s->late) {
        heap_pop(&s->waiting, s->taken);
        if (s->taken->bound <= s->target) {
            break;
        }
        begin_at(s, base, &s->base, s->base_high, s->taken->bits);
        memcpy(s->low, s->base_low, quest->n_axes);
        fits = dive(s, &s->waiting);
    }
    return fits;
}

static pv_status do_task(void *ctx, size_t number, const pv_thread *thread, pv_error *error)
{
    search *const run = ctx;
    pv_box_searcher *const s = &run->searchers[thread->number];
    task *const t = &run->tasks[number];
    pv_rng rng = rng_of(run, number);
    bool fits = true;
    s->thread = thread;
    s->late = false;
    s->nodes = 0;
    memcpy(s->witnesses, run->witnesses, sizeof s->witnesses);
    s->n_witnesses = run->n_witnesses;
    s->deadline = run->deadline;
    s->best_here.found = false;
    if (number < run->n_descents) {
        s->target = -(double)INFINITY;
        begin_at(s, run->tuples, &run->root, run->root_high, run->root_bits);
        descend(s, &rng, run->steps == 0 && number == 0 ? 0 : 0.5);
    } else if (number < run->n_dives) {
        s->target = target_of(run);
        begin_at(s, run->tuples, &run->root, run->root_high, t->box->bits);
        s->bound = t->box->bound;
        fits = dive(s, &t->children);
    } else {
        fits = repair(s, run, &rng);
    }
    if (!fits || s->failed) {
        return pv_i_no_memory(error);
    }
    t->best.found = s->best_here.found;
    t->best.kept = s->best_here.kept;
    t->best.suppressed = s->best_here.suppressed;
    memcpy(t->best.levels, s->best_here.levels, run->quest->n_axes);
    t->nodes = s->nodes;
    memcpy(t->witnesses, s->witnesses, sizeof t->witnesses);
    t->n_witnesses = s->n_witnesses;
    t->done = true;
    return PV_STATUS_OK;
}

static void take_candidate(pv_candidate *to, const pv_candidate *from, size_t n_axes)
{
    to->found = true;
    to->kept = from->kept;
    to->suppressed = from->suppressed;
    memcpy(to->levels, from->levels, n_axes);
}

/* No scheme keeps more than this. */
static double proven_bound(const search *run)
{
    const double open = run->waiting.full    ? run->quest->everything
                        : run->waiting.n > 0 ? heap_at(&run->waiting, 0)->bound
                                             : -(double)INFINITY;
    return fmin(run->quest->everything, run->best.found ? fmax(open, run->best.kept) : open);
}

/* Being stopped is no failure: what was found is the result. */
static pv_status run_tasks(search *run, size_t n_tasks, pv_task_fn work, pv_error *error)
{
    const pv_status status = pv_i_tasks_run(run->threads, n_tasks, work, run, &run->ticker, error);
    if (status == PV_STATUS_CANCELLED) {
        run->stop = PV_STOP_CANCELLED;
        if (error != NULL) {
            *error = (pv_error){0};
        }
        return PV_STATUS_OK;
    }
    return status;
}

static pv_status run_step(search *run, size_t n_tasks, pv_error *error)
{
    const size_t n_axes = run->quest->n_axes;
    for (size_t i = 0; i < n_tasks; i++) {
        run->tasks[i].done = false;
        run->tasks[i].children.n = 0;
        run->tasks[i].nodes = 0;
    }
    PV_TRY(run_tasks(run, n_tasks, do_task, error));
    bool repaired = run->n_dives == n_tasks;
    for (size_t i = 0; i < n_tasks; i++) {
        task *const t = &run->tasks[i];
        const bool dived = i >= run->n_descents && i < run->n_dives;
        run->nodes += t->nodes;
        if (dived && !t->done && !heap_push(&run->waiting, t->box->bound, t->box->bits)) {
            return pv_i_no_memory(error);
        }
        for (size_t c = 0; t->done && dived && c < t->children.n; c++) {
            const pv_box *const child = heap_at(&t->children, c);
            if (!heap_push(&run->waiting, fmin(child->bound, t->box->bound), child->bits)) {
                return pv_i_no_memory(error);
            }
        }
        if (t->done && dived) {
            memcpy(run->witnesses, t->witnesses, sizeof run->witnesses);
            run->n_witnesses = t->n_witnesses;
        }
        if (!t->done || !t->best.found) {
            continue;
        }
        if (i >= run->n_dives && t->best.kept > run->current.kept) {
            take_candidate(&run->current, &t->best, n_axes);
            repaired = true;
        }
        if (!run->best.found || t->best.kept > run->best.kept) {
            take_candidate(&run->best, &t->best, n_axes);
        }
    }
    run->failures = repaired ? 0 : run->failures + (unsigned)(n_tasks - run->n_dives);
    run->steps++;
    return PV_STATUS_OK;
}

static bool goes_on(search *run)
{
    if (run->stop != PV_STOP_FINISHED) {
        return false;
    }
    if (run->settings->max_steps > 0 && run->steps >= run->settings->max_steps) {
        run->stop = PV_STOP_EVALUATIONS;
    } else if (run->deadline > 0 && pv_i_now() > run->deadline) {
        run->stop = PV_STOP_TIME;
    } else if (!pv_i_tick(&run->ticker, run->nodes)) {
        run->stop = PV_STOP_CANCELLED;
    }
    return run->stop == PV_STOP_FINISHED;
}

static pv_status do_root(void *ctx, size_t number, const pv_thread *thread, pv_error *error)
{
    search *const run = ctx;
    pv_box_searcher *const s = &run->searchers[0];
    (void)number;
    s->thread = thread;
    s->late = false;
    s->nodes = 0;
    s->n_witnesses = 0;
    s->deadline = run->deadline;
    s->best_here.found = false;
    s->target = target_of(run);
    begin_at(s, run->tuples, &run->root, run->root_high, run->root_bits);
    s->bound = run->quest->everything;
    run->root_is_open = look(s);
    return s->failed ? pv_i_no_memory(error) : PV_STATUS_OK;
}

/* Looks at the box of all schemes. The levels it loses there, no other box has: all begin with the
 * tuples that are left to tell apart. */
static pv_status look_at_root(search *run, pv_error *error)
{
    const pv_quest *const quest = run->quest;
    pv_box_searcher *const s = &run->searchers[0];
    PV_TRY(run_tasks(run, 1, do_root, error));
    run->nodes += s->nodes;
    if (s->best_here.found && (!run->best.found || s->best_here.kept > run->best.kept)) {
        take_candidate(&run->best, &s->best_here, quest->n_axes);
    }
    if (!s->late && !run->root_is_open) {
        return PV_STATUS_OK; /* nothing is better */
    }
    if (!s->late) {
        memcpy(run->root_bits, s->bits, words_of(quest) * sizeof *s->bits);
        memcpy(run->root_high, s->high, quest->n_axes);
        pv_i_partition_copy(&run->root, &s->here);
        if (s->splitter.tuples != run->tuples) { /* the searcher gives them away */
            pv_quest_tuples *const merged = &s->merged[s->splitter.tuples == &s->merged[1]];
            run->root_tuples = *merged;
            *merged = (pv_quest_tuples){0};
            run->tuples = &run->root_tuples;
        }
    }
    return heap_push(&run->waiting, s->late ? quest->everything : s->bound, run->root_bits)
               ? PV_STATUS_OK
               : pv_i_no_memory(error);
}

/* Dives into the most promising boxes, and repairs beside them. */
static pv_status search_boxes(search *run, pv_error *error)
{
    const pv_quest *const quest = run->quest;
    size_t n_free = 0;
    run->boxes_begun = true;
    PV_TRY(look_at_root(run, error));
    for (size_t j = 0; j < quest->n_axes; j++) {
        n_free += !pv_i_box_is_fixed(&quest->axes[j], run->root_bits);
    }
    while (run->waiting.n > 0 && goes_on(run)) {
        const double target = target_of(run);
        /* With few boxes left, to finish them is sooner done than to find something better. */
        const bool repairs = run->waiting.n > FEW_BOXES && run->steps > PATIENT_STEPS &&
                             n_free > LEAST_FREED && run->best.found;
        if (heap_at(&run->waiting, 0)->bound <= target) {
            run->waiting.n = 0; /* nor are the others better */
            break;
        }
        if (repairs && (!run->current.found || run->failures >= REPAIR_FAILURES)) {
            run->failures = 0;
            run->n_descents = run->n_dives = 1;
            if (run->current.found) { /* begin anew, elsewhere */
                PV_TRY(run_step(run, 1, error));
                take_candidate(&run->current,
                               run->tasks[0].done && run->tasks[0].best.found ? &run->tasks[0].best
                                                                              : &run->best,
                               quest->n_axes);
                continue;
            }
            take_candidate(&run->current, &run->best, quest->n_axes);
        }
        run->n_descents = 0;
        run->n_dives = 0;
        const size_t most = repairs ? ROUND - REPAIRS : ROUND;
        while (run->n_dives < most && run->waiting.n > 0 &&
               heap_at(&run->waiting, 0)->bound > target) {
            heap_pop(&run->waiting, run->tasks[run->n_dives++].box);
        }
        if (repairs) {
            const unsigned most_freed = n_free < MOST_FREED ? (unsigned)n_free : MOST_FREED;
            run->freed = LEAST_FREED + (unsigned)(run->steps % (most_freed - LEAST_FREED + 1u));
        }
        PV_TRY(run_step(run, run->n_dives + (repairs ? REPAIRS : 0), error));
        if (run->best.found) {
            const double all = run->quest->everything;
            (void)snprintf(run->note, sizeof run->note, "keeps %.2f%%, at most %.2f%% possible",
                           100 * run->best.kept / all, 100 * proven_bound(run) / all);
        }
    }
    return PV_STATUS_OK;
}

static void search_deinit(search *run)
{
    for (unsigned i = 0; run->searchers != NULL && i < run->threads; i++) {
        searcher_deinit(&run->searchers[i]);
    }
    for (size_t i = 0; i < ROUND; i++) {
        pv_i_free(run->tasks[i].best.levels);
        pv_i_free(run->tasks[i].children.nodes);
        pv_i_free(run->tasks[i].box);
    }
    pv_i_free(run->searchers);
    pv_i_partition_deinit(&run->root);
    pv_i_tuples_deinit(&run->root_tuples);
    pv_i_free(run->root_bits);
    pv_i_free(run->root_high);
    pv_i_free(run->waiting.nodes);
    pv_i_free(run->best.levels);
    pv_i_free(run->current.levels);
}

static pv_status search_init(search *run, pv_error *error)
{
    const pv_quest *const quest = run->quest;
    const size_t words = words_of(quest);
    const pv_box_heap empty = {.words = words,
                               .node_size = sizeof(pv_box) + words * sizeof(uint64_t)};
    run->searchers = PV_NEW_ZEROED(pv_box_searcher, run->threads);
    run->root_bits = PV_NEW_ZEROED(uint64_t, words);
    run->root_high = PV_NEW_ARRAY(uint8_t, quest->n_axes);
    run->best.levels = PV_NEW_ARRAY(uint8_t, quest->n_axes);
    run->current.levels = PV_NEW_ARRAY(uint8_t, quest->n_axes);
    run->waiting = empty;
    bool ready = run->searchers != NULL && run->root_bits != NULL && run->root_high != NULL &&
                 run->best.levels != NULL && run->current.levels != NULL &&
                 pv_i_partition_init(&run->root, quest);
    for (size_t i = 0; ready && i < ROUND; i++) {
        run->tasks[i].children = empty;
        run->tasks[i].best.levels = PV_NEW_ARRAY(uint8_t, quest->n_axes);
        run->tasks[i].box = pv_i_malloc(empty.node_size);
        ready = run->tasks[i].best.levels != NULL && run->tasks[i].box != NULL;
    }
    if (!ready) {
        return pv_i_no_memory(error);
    }
    for (unsigned i = 0; i < run->threads; i++) {
        PV_TRY(searcher_init(&run->searchers[i], quest, error));
    }
    for (size_t bit = 0; bit < quest->n_bits; bit++) {
        pv_i_box_put(run->root_bits, bit);
    }
    for (size_t j = 0; j < quest->n_axes; j++) {
        run->root_high[j] = (uint8_t)(quest->axes[j].n_levels - 1);
    }
    return PV_STATUS_OK;
}

pv_status pv_i_best(const pv_quest *quest, const pv_best_settings *settings, pv_best_found *found,
                    pv_error *error)
{
    const double started = pv_i_now();
    pv_status status = PV_STATUS_OK;
    search run = {.quest = quest,
                  .settings = settings,
                  .tuples = &quest->tuples,
                  .threads = pv_i_threads(settings->context),
                  .deadline = settings->max_seconds > 0 ? started + settings->max_seconds : 0,
                  .ticker = pv_i_ticker(settings->context, "searching", 0)};
    *found = (pv_best_found){0};
    run.ticker.note = run.note;
    PV_TRY_CLEAN(search_init(&run, error));
    if (pv_i_partition_start(&run.searchers[0].splitter, &run.root)) {
        run.n_descents = run.n_dives = DESCENTS;
        PV_TRY_CLEAN(run_step(&run, DESCENTS, error));
        PV_TRY_CLEAN(search_boxes(&run, error));
    } else {
        run.boxes_begun = true; /* and done: not even the coarsest scheme keeps the demands */
    }
    found->found = run.best.found;
    /* Also if it was stopped just when nothing was left to look at. */
    const bool open =
        run.waiting.n > 0 && (!run.best.found || heap_at(&run.waiting, 0)->bound >
                                                     run.best.kept + ROUNDING * quest->everything);
    found->proven = !open && !run.waiting.full && run.boxes_begun;
    found->bound = proven_bound(&run);
    found->kept = run.best.kept;
    found->suppressed = run.best.suppressed;
    found->nodes = run.nodes;
    found->steps = run.steps;
    found->stop = found->proven ? PV_STOP_FINISHED : run.stop;
    if (run.best.found) {
        found->levels = run.best.levels;
        run.best.levels = NULL;
        for (size_t j = 0; j < quest->n_axes; j++) {
            found->levels[j] = quest->axes[j].levels[found->levels[j]].level;
        }
    }
cleanup:
    search_deinit(&run);
    found->seconds = pv_i_now() - started;
    return status;
}
