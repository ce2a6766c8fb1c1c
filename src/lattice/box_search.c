/* Going through boxes of schemes, one thread's part: looking at a box, diving into it, listing its
 * schemes one by one where they are few, and descents through all of them. What a box is, and what
 * bounds it, is told in best.c. */
#include "lattice/boxes.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

#define MERGE_WORTH 80 /* percent of its tuples that a box may have after merging */
#define MOST_WAITING (UINT64_C(256) << 20) /* bytes of boxes in the heap */

/* -------------------------------------------------------------------- the heap */

pv_box *pv_i_box_heap_at(const pv_box_heap *h, size_t i)
{
    return (pv_box *)(void *)(h->nodes + i * h->node_size);
}

static bool goes_before(const pv_box *a, const pv_box *b)
{
    return a->bound > b->bound || (!(a->bound < b->bound) && a->number < b->number);
}

/* False when memory runs out. A full heap takes nothing: what is left out is remembered. */
bool pv_i_box_heap_push(pv_box_heap *h, double bound, const uint64_t *bits)
{
    if ((h->n + 1) * h->node_size > MOST_WAITING) {
        h->full = true;
        return true;
    }
    if (!pv_i_reserve((void **)&h->nodes, &h->capacity, h->n + 2, h->node_size)) {
        return false;
    }
    pv_box *const fresh = pv_i_box_heap_at(h, h->n + 1); /* behind the end, while a place is made */
    fresh->bound = bound;
    fresh->number = h->made++;
    memcpy(fresh->bits, bits, h->words * sizeof *bits);
    size_t i = h->n++;
    while (i > 0 && goes_before(fresh, pv_i_box_heap_at(h, (i - 1) / 2))) {
        memcpy(pv_i_box_heap_at(h, i), pv_i_box_heap_at(h, (i - 1) / 2), h->node_size);
        i = (i - 1) / 2;
    }
    memcpy(pv_i_box_heap_at(h, i), fresh, h->node_size);
    return true;
}

/* Takes the first out, into `to`. */
void pv_i_box_heap_pop(pv_box_heap *h, pv_box *to)
{
    memcpy(to, pv_i_box_heap_at(h, 0), h->node_size);
    const pv_box *const moved = pv_i_box_heap_at(h, --h->n);
    size_t i = 0;
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= h->n) {
            break;
        }
        child += child + 1 < h->n &&
                 goes_before(pv_i_box_heap_at(h, child + 1), pv_i_box_heap_at(h, child));
        if (!goes_before(pv_i_box_heap_at(h, child), moved)) {
            break;
        }
        memcpy(pv_i_box_heap_at(h, i), pv_i_box_heap_at(h, child), h->node_size);
        i = child;
    }
    if (h->n > 0 && pv_i_box_heap_at(h, i) != moved) {
        memcpy(pv_i_box_heap_at(h, i), moved, h->node_size);
    }
}

/* ------------------------------------------------------------------- searcher */

size_t pv_i_box_words(const pv_quest *quest)
{
    return (quest->n_bits + 63) / 64;
}

void pv_i_searcher_deinit(pv_box_searcher *s)
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

pv_status pv_i_searcher_init(pv_box_searcher *s, const pv_quest *quest, pv_error *error)
{
    const size_t words = pv_i_box_words(quest);
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
    s->deaths = PV_ARENA_ARRAY(arena, uint64_t, quest->n_bits);
    s->value = PV_ARENA_ARRAY(arena, double, quest->n_bits);
    s->share = PV_ARENA_ARRAY(arena, double, n_axes);
    s->best = PV_ARENA_ARRAY(arena, uint8_t, n_axes);
    s->worth = PV_ARENA_ARRAY(arena, double, n_axes);
    s->factor = PV_ARENA_ARRAY(arena, double, n_axes);
    s->to_level = PV_ARENA_ARRAY(arena, uint8_t, n_axes);
    s->fresh = PV_ARENA_ARRAY(arena, bool, n_axes);
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
bool pv_i_box_catch_up(pv_box_searcher *s)
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

void pv_i_box_merge(pv_box_searcher *s, pv_quest_tuples *to)
{
    if (find_low(s)) {
        merge_into(s, to);
    }
}

/* Takes a scheme, whose levels are `high`, as a candidate. */
static void offer(pv_box_searcher *s, double kept, uint64_t suppressed)
{
    pv_candidate *const best = &s->best_here;
    if (suppressed > s->quest->budget || (best->found && kept <= best->kept)) {
        return;
    }
    best->found = true;
    best->kept = kept;
    best->suppressed = suppressed;
    memcpy(best->levels, s->high, s->quest->n_axes);
    s->target = fmax(s->target, kept + PV_ROUNDING * s->quest->everything);
}

static bool is_late(pv_box_searcher *s)
{
    s->late = s->late || s->failed || (s->deadline > 0 && pv_i_now() > s->deadline) ||
              (s->most_work > 0 && s->splitter.work > s->most_work) || !pv_i_goes_on(s->thread, 0);
    return s->late;
}

bool pv_i_box_arrive(pv_box_searcher *s)
{
    if (!pv_i_box_catch_up(s)) {
        return false;
    }
    s->nodes++;
    pv_i_box_merge(s, &s->merged[s->splitter.tuples == &s->merged[0]]);
    pv_i_partition_check(&s->splitter, &s->here, &s->check);
    s->kept = pv_i_partition_kept(&s->here);
    offer(s, s->kept - s->check.kept_broken, s->here.dead + s->check.broken);
    return s->here.dead + s->check.doomed <= s->quest->budget;
}

/* Bounds the box and removes what is of no use. False: nothing is left, or it is late. */
bool pv_i_box_look(pv_box_searcher *s)
{
    bool settled = false;
    while (!settled) {
        if (!pv_i_box_arrive(s) || is_late(s)) {
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
void pv_i_box_begin(pv_box_searcher *s, const pv_quest_tuples *tuples, const pv_partition *part,
                    const uint8_t *high, const uint64_t *bits)
{
    s->splitter.tuples = tuples;
    memset(s->low, 0, s->quest->n_axes);
    pv_i_partition_copy(&s->here, part);
    memcpy(s->high, high, s->quest->n_axes);
    memcpy(s->bits, bits, pv_i_box_words(s->quest) * sizeof *bits);
}

/* Has the box so few schemes that they can be listed? */
static bool is_short(const pv_box_searcher *s)
{
    size_t n = 1;
    for (size_t j = 0; j < s->quest->n_axes && n <= s->most_listed; j++) {
        unsigned levels = 0;
        for (unsigned level = 0; level < s->quest->axes[j].n_levels; level++) {
            levels += pv_i_box_has(s->bits, s->quest->axes[j].first_bit + level);
        }
        n *= levels;
    }
    return n <= s->most_listed;
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

/* Takes a scheme of a small box as a candidate, if it is one. */
static void offer_complete(pv_box_searcher *s, const pv_partition *part)
{
    s->kept = pv_i_partition_kept(part);
    if (part->dead <= s->quest->budget &&
        pv_i_partition_broken(&s->splitter, part, s->quest->budget - part->dead,
                              s->kept - s->target, &s->check)) {
        offer(s, s->kept - s->check.kept_broken, part->dead + s->check.broken);
    }
}

/* The last attribute of a list where all that is demanded of a class kills it for good: its levels
 * are counted at once, and no tuple is moved. */
static void list_last(pv_box_searcher *s, size_t j, const pv_partition *part, double kept,
                      double summed)
{
    const pv_quest_axis *const axis = &s->quest->axes[j];
    const unsigned high = s->high[j];
    bool asked[PV_MOST_LEVELS] = {false};
    unsigned low = high;
    for (unsigned level = high; level-- > 0;) {
        const size_t bit = axis->first_bit + level;
        asked[level] = pv_i_box_has(s->bits, bit) && summed + s->value[bit] > s->target;
        low = asked[level] ? level : low;
    }
    s->nodes++;
    offer(s, kept, part->dead);
    if (low == high) {
        return;
    }
    low = pv_i_split_levels(&s->splitter, part, j, high, low, asked, NULL, s->level_sums);
    for (unsigned level = low; level < high; level++) {
        const pv_split_sums *const sums = &s->level_sums[level];
        s->nodes += asked[level];
        s->high[j] = (uint8_t)level;
        if (asked[level]) {
            offer(s, kept + sums->alive_gain - sums->dead_kept, part->dead + sums->dead);
        }
    }
    s->high[j] = (uint8_t)high;
}

/* Goes through the schemes of a small box, axis by axis, each level split from the partition of the
 * axes before. Every step is one split, where a box takes one for each level of all its axes.
 * `kept` is what the rows of the partition keep, `doomed` what those of them keep that die in every
 * scheme that follows, whoever they are: a row that dies in a split may have been one of them, so
 * the doomed are not subtracted for good. `summed` is what the box's bound says of the axes decided
 * so far. */
static void list_schemes(pv_box_searcher *s, const listing *list, size_t depth,
                         const pv_partition *part, double kept, double doomed, double summed)
{
    const size_t j = list->order[depth];
    const pv_quest_axis *const axis = &s->quest->axes[j];
    const unsigned high = s->high[j];
    const bool last = depth + 1 == list->n;
    if (last && !s->quest->breakable && s->splitter.counter.fits) {
        list_last(s, j, part, kept, summed);
        return;
    }
    for (unsigned level = high + 1; level-- > 0 && !is_late(s);) {
        const size_t bit = axis->first_bit + level;
        const double sum = summed + s->value[bit];
        if (!pv_i_box_has(s->bits, bit) || sum + list->most_value[depth + 1] <= s->target) {
            continue;
        }
        pv_partition *next = &s->listed[depth];
        double most = kept - doomed;
        if (level < high) {
            pv_split_sums sums;
            if (!pv_i_split(&s->splitter, part, j, high, level, next, NULL, !last, &sums)) {
                break; /* finer levels kill as many */
            }
            most = kept + sums.alive_gain - sums.dead_kept - sums.doomed_kept;
        }
        s->nodes++;
        if (most + list->most_gain[depth + 1] <= s->target) {
            continue;
        }
        if (level < high) {
            pv_i_partition_lower(&s->splitter, next, j, high, level);
        }
        s->high[j] = (uint8_t)level;
        if (last) {
            offer_complete(s, level < high ? next : part);
        } else if (level < high) {
            const double all = pv_i_partition_kept(next);
            list_schemes(s, list, depth + 1, next, all, all - most, sum);
        } else {
            list_schemes(s, list, depth + 1, part, kept, doomed, sum);
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
    list_schemes(s, &list, 0, &s->here, s->kept, s->check.kept_doomed, values);
    return true;
}

/* From a box down to a single scheme, always by the best child; the others go to the heap. False
 * when memory runs out. */
bool pv_i_box_dive(pv_box_searcher *s, pv_box_heap *children)
{
    while (pv_i_box_look(s)) {
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
        if (is_short(s)) {
            return list_box(s) && (!s->late || pv_i_box_heap_push(children, s->bound, s->bits));
        }
        const pv_quest_axis *const axis = &s->quest->axes[branch];
        const double best = s->value[axis->first_bit + s->best[branch]];
        for (unsigned level = 0; level < axis->n_levels; level++) {
            const size_t bit = axis->first_bit + level;
            if (level != s->best[branch] && pv_i_box_has(s->bits, bit)) {
                memcpy(s->other, s->bits, pv_i_box_words(s->quest) * sizeof *s->bits);
                pv_i_box_fix(axis, s->other, level);
                if (!pv_i_box_heap_push(children, fmin(s->bound, s->summed - best + s->value[bit]),
                                        s->other)) {
                    return false;
                }
            }
        }
        pv_i_box_fix(axis, s->bits, s->best[branch]);
    }
    return !s->failed && (!s->late || pv_i_box_heap_push(children, s->bound, s->bits));
}

/* What lowering one attribute is worth at most, and to which level. With thrift, a step is worth
 * less the more of the budget that is left it takes. */
static double worth_of(pv_box_searcher *s, size_t j, double thrift, unsigned *to)
{
    const pv_quest_axis *const axis = &s->quest->axes[j];
    double most = 0;
    pv_i_box_lower(s, j);
    for (unsigned level = 0; level < s->high[j]; level++) {
        const size_t bit = axis->first_bit + level;
        if (!pv_i_box_has(s->bits, bit)) {
            continue;
        }
        const double left = (double)(s->quest->budget - s->here.dead) + 1;
        const double worth =
            (s->gain[bit] - s->loss[bit]) / (1 + thrift * (double)s->deaths[bit] / left);
        if (worth > most) {
            most = worth;
            *to = level;
        }
    }
    return most;
}

/* From the top always the step that is worth most, give or take some noise.
 *
 * What a step is worth mostly shrinks as others are taken, because more rows die. So only the step
 * that seemed to be worth most is looked at again; if it still is, it is taken. */
void pv_i_box_descend(pv_box_searcher *s, pv_rng *rng, double noise, double thrift)
{
    const size_t n_axes = s->quest->n_axes;
    for (size_t j = 0; j < n_axes; j++) {
        s->worth[j] = (double)INFINITY; /* not looked at yet */
        s->factor[j] = 1 + noise * (2 * pv_i_rng_unit(rng) - 1);
    }
    while (pv_i_box_arrive(s) && !is_late(s)) {
        size_t chosen = n_axes;
        unsigned level = 0;
        memset(s->fresh, 0, n_axes * sizeof *s->fresh);
        for (;;) {
            chosen = 0;
            for (size_t j = 1; j < n_axes; j++) {
                chosen = s->worth[j] > s->worth[chosen] ? j : chosen;
            }
            if (s->fresh[chosen] || !(s->worth[chosen] > 0)) {
                break;
            }
            s->worth[chosen] = s->factor[chosen] * worth_of(s, chosen, thrift, &level);
            s->to_level[chosen] = (uint8_t)level;
            s->fresh[chosen] = true;
        }
        if (!(s->worth[chosen] > 0)) {
            return;
        }
        const pv_quest_axis *const axis = &s->quest->axes[chosen];
        for (unsigned l = s->to_level[chosen] + 1u; l < axis->n_levels; l++) {
            pv_i_box_drop(s->bits, axis->first_bit + l);
        }
        s->worth[chosen] = (double)INFINITY; /* a further step of the same is another one */
    }
}
