/* What no scheme of a box can beat: the bounds that best.c speaks of. Everything here looks at one
 * box, whose partition is at hand, and changes nothing but its levels and the searcher's scratch
 * memory. */
#include "lattice/boxes.h"

#include <math.h>
#include <string.h>

#define ROW_SHARES 3     /* rounds of share_by_row */
#define MOST_FELLOWS 256 /* k up to which witnesses are asked */

/* Remembers a tuple, of the profile, that was seen dying. */
static void call_witness(pv_box_searcher *s, uint32_t tuple)
{
    for (size_t i = 0; i < s->n_witnesses; i++) {
        if (s->witnesses[i] == tuple) {
            return;
        }
    }
    s->n_witnesses += s->n_witnesses < PV_WITNESSES;
    s->witnesses[s->n_witnesses - 1] = tuple; /* in the place of the one that said least */
}

/* D of every allowed level of one attribute where nothing may be suppressed: it does not depend on
 * the box, only whether a level may be used does. What a level allows, every coarser one allows; so
 * the finest is tried first. */
static void lower_unsuppressed(pv_box_searcher *s, size_t j)
{
    const pv_quest_axis *const axis = &s->quest->axes[j];
    const double *const all_rows = s->quest->all_rows + axis->first_bit;
    bool alive = false;
    for (unsigned level = 0; level <= s->high[j]; level++) {
        const size_t bit = axis->first_bit + level;
        if (!pv_i_box_has(s->bits, bit)) {
            continue;
        }
        if (!alive && level < s->high[j]) {
            alive = pv_i_splits_alive(&s->splitter, &s->here, j, level);
            if (!alive) {
                call_witness(s, s->splitter.tuples->origin[s->splitter.victim]);
            }
        }
        alive |= level == s->high[j];
        s->gain[bit] = all_rows[level] - all_rows[s->high[j]];
        s->loss[bit] = 0;
        s->deaths[bit] = 0;
        if (!alive) {
            pv_i_box_drop(s->bits, bit);
        }
    }
}

static void lower_at_once(pv_box_searcher *s, size_t j, unsigned lowest, uint8_t *killed)
{
    const pv_quest_axis *const axis = &s->quest->axes[j];
    const unsigned high = s->high[j];
    bool asked[PV_MOST_LEVELS];
    for (unsigned level = lowest; level < high; level++) {
        asked[level] = pv_i_box_has(s->bits, axis->first_bit + level);
    }
    const unsigned finest =
        pv_i_split_levels(&s->splitter, &s->here, j, high, lowest, asked, killed, s->level_sums);
    for (unsigned level = lowest; level < high; level++) {
        const size_t bit = axis->first_bit + level;
        const pv_split_sums *const sums = &s->level_sums[level];
        if (level < finest) {
            pv_i_box_drop(s->bits, bit);
            continue;
        }
        s->deaths[bit] = sums->dead + sums->doomed;
        s->gain[bit] = sums->alive_gain;
        s->loss[bit] = sums->dead_kept + sums->doomed_kept;
    }
}

/* D and B of every allowed level of one attribute. Levels that kill too many are removed. */
void pv_i_box_lower(pv_box_searcher *s, size_t j)
{
    if (s->quest->budget == 0) {
        lower_unsuppressed(s, j);
        return;
    }
    const pv_quest_axis *const axis = &s->quest->axes[j];
    const size_t n_tuples = s->quest->tuples.n;
    uint8_t *const killed = s->killed + j * n_tuples;
    const pv_partition *from = &s->here;
    unsigned lowest = 0;
    double loss = 0;
    uint64_t deaths = 0;
    s->gain[axis->first_bit + s->high[j]] = s->loss[axis->first_bit + s->high[j]] = 0;
    while (!pv_i_box_has(s->bits, axis->first_bit + lowest)) {
        lowest++;
    }
    if (lowest == s->high[j]) {
        return;
    }
    if (s->splitter.counter.fits) {
        lower_at_once(s, j, lowest, killed);
        return;
    }
    for (size_t i = 0; i < s->here.n_tuples; i++) {
        killed[s->here.tuples[i]] = 0;
    }
    for (unsigned level = s->high[j]; level-- > lowest;) {
        const size_t bit = axis->first_bit + level;
        pv_partition *const to = from == &s->chain[0] ? &s->chain[1] : &s->chain[0];
        pv_split_sums sums;
        if (!pv_i_box_has(s->bits, bit)) {
            continue;
        }
        if (!pv_i_split(&s->splitter, from, j, s->high[j], level, level > lowest ? to : NULL,
                        killed, true, &sums)) {
            for (unsigned l = 0; l <= level; l++) {
                pv_i_box_drop(s->bits, axis->first_bit + l);
            }
            return;
        }
        /* The rows alive in the chain; those that died before gained nothing. */
        loss += sums.dead_kept;
        deaths += sums.dead;
        s->deaths[bit] = deaths + sums.doomed;
        s->gain[bit] = sums.alive_gain;
        s->loss[bit] = loss + sums.doomed_kept;
        from = to;
    }
}

/* The best level of an axis under the values, and the difference to the second best. */
double pv_i_box_best(pv_box_searcher *s, size_t j, double *margin)
{
    const pv_quest_axis *const axis = &s->quest->axes[j];
    double best = -(double)INFINITY;
    double second = -(double)INFINITY;
    for (unsigned level = axis->n_levels; level-- > 0;) {
        const double value = s->value[axis->first_bit + level];
        if (!pv_i_box_has(s->bits, axis->first_bit + level)) {
            continue;
        }
        if (value > best) {
            second = best;
            best = value;
            s->best[j] = (uint8_t)level;
        } else if (value > second) {
            second = value;
        }
    }
    if (margin != NULL) {
        *margin = best - second;
    }
    return best;
}

static void set_values(pv_box_searcher *s, size_t j)
{
    const pv_quest_axis *const axis = &s->quest->axes[j];
    for (unsigned level = 0; level < axis->n_levels; level++) {
        const size_t bit = axis->first_bit + level;
        if (pv_i_box_has(s->bits, bit)) {
            s->value[bit] = s->gain[bit] - s->share[j] * s->loss[bit];
        }
    }
}

/* How much multiplier the axis takes until another of its levels is best. */
static double until_change(const pv_box_searcher *s, size_t j)
{
    const pv_quest_axis *const axis = &s->quest->axes[j];
    const size_t now = axis->first_bit + s->best[j];
    double least = (double)INFINITY;
    for (unsigned level = 0; level < axis->n_levels; level++) {
        const size_t bit = axis->first_bit + level;
        if (pv_i_box_has(s->bits, bit) && s->loss[bit] < s->loss[now]) {
            const double step =
                fmax(0, (s->value[now] - s->value[bit]) / (s->loss[now] - s->loss[bit]));
            least = step < least ? step : least;
        }
    }
    return least;
}

/* The multipliers, greedily; returns the bound. What the doomed rows of breakable rules kept is a
 * claim like that of an attribute without a choice: it takes what is left as soon as it is the
 * steepest. */
static double share_out(pv_box_searcher *s)
{
    double left = 1;
    double bound = s->kept;
    for (size_t j = 0; j < s->quest->n_axes; j++) {
        s->share[j] = 0;
        set_values(s, j);
        (void)pv_i_box_best(s, j, NULL);
    }
    while (left > 0) {
        size_t steepest = s->quest->n_axes;
        double slope = s->check.kept_doomed;
        for (size_t j = 0; j < s->quest->n_axes; j++) {
            const double loss = s->loss[s->quest->axes[j].first_bit + s->best[j]];
            if (loss > slope) {
                slope = loss;
                steepest = j;
            }
        }
        if (steepest == s->quest->n_axes) {
            break;
        }
        /* A hair further than where the levels are equal, so that the next round sees the other. */
        const double step = until_change(s, steepest) * (1 + 1e-12) + 1e-15;
        s->share[steepest] += step < left ? step : left;
        left -= step;
        set_values(s, steepest);
        (void)pv_i_box_best(s, steepest, NULL);
    }
    for (size_t j = 0; j < s->quest->n_axes; j++) {
        bound += pv_i_box_best(s, j, NULL);
    }
    return bound - fmax(left, 0) * s->check.kept_doomed;
}

/* Removes what cannot beat the target. */
static void remove_levels(pv_box_searcher *s, double bound)
{
    for (size_t j = 0; j < s->quest->n_axes; j++) {
        const pv_quest_axis *const axis = &s->quest->axes[j];
        const double best = s->value[axis->first_bit + s->best[j]];
        for (unsigned level = 0; level < axis->n_levels; level++) {
            const size_t bit = axis->first_bit + level;
            if (pv_i_box_has(s->bits, bit) && bound - best + s->value[bit] <= s->target) {
                pv_i_box_drop(s->bits, bit);
            }
        }
    }
}

/* Which attributes kill a tuple at their best levels? They share its claim from now on. */
static void count_claims(pv_box_searcher *s, bool first)
{
    const size_t n_tuples = s->quest->tuples.n;
    for (size_t i = 0; first && i < s->here.n_tuples; i++) {
        s->claimants[s->here.tuples[i]] = 0;
    }
    for (size_t j = 0; j < s->quest->n_axes; j++) {
        const uint8_t *const killed = s->killed + j * n_tuples;
        uint8_t *const claims = s->claims + j * n_tuples;
        const unsigned level = s->best[j];
        if (!s->open[j]) {
            continue;
        }
        for (size_t i = 0; i < s->here.n_tuples; i++) {
            const uint32_t t = s->here.tuples[i];
            const bool dies = killed[t] > level;
            claims[t] = (uint8_t)((first ? 0 : claims[t]) + dies);
            s->claimants[t] = (uint16_t)(s->claimants[t] + dies);
        }
    }
}

/* What each level of an axis claims: a tuple counts at the levels that kill it, by the axis's part
 * of its claims. */
static void sum_claims(pv_box_searcher *s, size_t j)
{
    const pv_quest_axis *const axis = &s->quest->axes[j];
    const size_t n_tuples = s->quest->tuples.n;
    const uint8_t *const killed = s->killed + j * n_tuples;
    const uint8_t *const claims = s->claims + j * n_tuples;
    double *const claimed = s->claimed + axis->first_bit;
    memset(claimed, 0, axis->n_levels * sizeof *claimed);
    for (size_t c = 0; c < s->here.n_classes; c++) {
        const pv_part_class *const class = &s->here.classes[c];
        for (uint32_t i = class->first; i < class[1].first; i++) {
            const uint32_t t = s->here.tuples[i];
            if (claims[t] > 0) { /* so it dies somewhere */
                claimed[killed[t] - 1] +=
                    class->kept * s->splitter.tuples->count[t] * claims[t] / s->claimants[t];
            }
        }
    }
    for (unsigned level = axis->n_levels - 1; level-- > 0;) {
        claimed[level] += claimed[level + 1];
    }
    for (unsigned level = 0; level < axis->n_levels; level++) {
        if (pv_i_box_has(s->bits, axis->first_bit + level)) {
            s->value[axis->first_bit + level] = s->gain[axis->first_bit + level] - claimed[level];
        }
    }
}

/* Claims split row by row. The attributes that are best now get equal parts of the rows they kill;
 * that makes other levels best, which get their part in the next round. */
static double share_by_row(pv_box_searcher *s, double bound)
{
    for (int round = 0; round < ROW_SHARES && bound > s->target; round++) {
        double by_row = s->kept;
        count_claims(s, round == 0);
        for (size_t j = 0; j < s->quest->n_axes; j++) {
            if (!s->open[j]) {
                continue;
            }
            sum_claims(s, j);
            by_row += pv_i_box_best(s, j, NULL);
        }
        if (by_row > s->target) {
            remove_levels(s, by_row);
        }
        s->summed = by_row;
        bound = by_row < bound ? by_row : bound;
    }
    return bound;
}

/* Are a witness and a tuple in one class of the coarsest scheme? */
static bool are_together(const pv_box_searcher *s, uint32_t witness, uint32_t tuple)
{
    for (size_t j = 0; j < s->quest->n_axes; j++) {
        const pv_quest_axis *const axis = &s->quest->axes[j];
        const uint32_t *const group = axis->levels[s->high[j]].group;
        if (group[s->quest->tuples.leaf[j][witness]] != group[s->splitter.tuples->leaf[j][tuple]]) {
            return false;
        }
    }
    return true;
}

/* The attributes with a choice, those with most to gain first, for meeting_gain. */
static void prepare_meetings(pv_box_searcher *s)
{
    s->n_meetings = 0;
    for (size_t j = 0; j < s->quest->n_axes; j++) {
        const pv_quest_axis *const axis = &s->quest->axes[j];
        pv_meeting m = {.axis = axis, .number = j, .places = s->meeting_levels + axis->first_bit};
        for (unsigned level = 0; s->open[j] && level < s->high[j]; level++) {
            if (pv_i_box_has(s->bits, axis->first_bit + level)) {
                m.places[m.n++] = (uint8_t)level;
            }
        }
        if (m.n > 0) {
            m.most = s->gain[axis->first_bit + m.places[0]];
            size_t place = s->n_meetings++;
            for (; place > 0 && s->meetings[place - 1].most < m.most; place--) {
                s->meetings[place] = s->meetings[place - 1];
            }
            s->meetings[place] = m;
        }
    }
    double most = 0;
    for (size_t i = s->n_meetings; i-- > 0;) {
        most += s->meetings[i].most;
        s->meetings[i].most = most; /* from here on, all together */
    }
}

/* What the finest scheme in which q looks like the witness gains; less than `least` if that is no
 * more than `least`. */
static double meeting_gain(const pv_box_searcher *s, uint32_t witness, uint32_t q, double least)
{
    double gain = 0;
    for (size_t i = 0; i < s->n_meetings; i++) {
        const pv_meeting *const m = &s->meetings[i];
        const uint32_t a = s->quest->tuples.leaf[m->number][witness];
        const uint32_t b = s->splitter.tuples->leaf[m->number][q];
        if (gain + m->most <= least) {
            return -1;
        }
        for (unsigned l = 0; l < m->n; l++) {
            const uint32_t *const group = m->axis->levels[m->places[l]].group;
            if (group[a] == group[b]) {
                gain += s->gain[m->axis->first_bit + m->places[l]];
                break;
            }
        }
    }
    return gain;
}

/* No scheme in which the witness lives gains more than this: the gain of its fellow that completes
 * the k, the nearest first. Those that the box does not tell apart from it, itself included, are
 * the first. */
static double ask_witness(pv_box_searcher *s, uint32_t witness)
{
    struct {
        double gain;
        uint64_t rows;
    } nearest[MOST_FELLOWS];
    const uint64_t needed = s->quest->k;
    double least = -1; /* of no use from here on down */
    size_t n = 0;
    uint64_t rows = 0;
    size_t c = 0;
    while (c < s->here.n_classes &&
           !are_together(s, witness, s->here.tuples[s->here.classes[c].first])) {
        c++;
    }
    if (c == s->here.n_classes) {
        return (double)INFINITY;
    }
    const uint32_t end = s->here.classes[c + 1].first;
    s->asked += end - s->here.classes[c].first;
    for (uint32_t i = s->here.classes[c].first; i < end; i++) {
        const uint32_t q = s->here.tuples[i];
        const double gain = meeting_gain(s, witness, q, least);
        if (gain < 0) {
            continue;
        }
        size_t place = n++;
        for (; place > 0 && nearest[place - 1].gain < gain; place--) {
            nearest[place] = nearest[place - 1];
        }
        nearest[place].gain = gain;
        nearest[place].rows = s->splitter.tuples->count[q];
        rows += nearest[place].rows;
        while (rows - nearest[n - 1].rows >= needed) {
            rows -= nearest[--n].rows;
        }
        least = rows >= needed ? nearest[n - 1].gain : -1;
    }
    return rows >= needed ? nearest[n - 1].gain : 0;
}

/* The witness that says most is asked first next time. */
static double ask_witnesses(pv_box_searcher *s, double bound)
{
    if (s->quest->budget > 0 || s->quest->k < 2 || s->quest->k > MOST_FELLOWS) {
        return bound;
    }
    prepare_meetings(s);
    s->asked = 0;
    size_t best = 0;
    for (size_t i = 0; i < s->n_witnesses && bound > s->target && s->asked < 2 * s->here.n_tuples;
         i++) {
        const double said = s->kept + ask_witness(s, s->witnesses[i]);
        if (said < bound) {
            bound = said;
            best = i;
        }
    }
    const uint32_t first = s->n_witnesses > 0 ? s->witnesses[best] : 0;
    for (; best > 0; best--) {
        s->witnesses[best] = s->witnesses[best - 1];
    }
    s->witnesses[0] = first;
    return bound;
}

bool pv_i_box_bound(pv_box_searcher *s)
{
    bool costs = false;
    for (size_t j = 0; j < s->quest->n_axes; j++) {
        pv_i_box_lower(s, j);
        s->open[j] = !pv_i_box_is_fixed(&s->quest->axes[j], s->bits);
    }
    s->summed = s->bound = share_out(s);
    if (s->bound <= s->target) {
        return false;
    }
    remove_levels(s, s->bound);
    for (size_t j = 0; j < s->quest->n_axes; j++) {
        costs |= s->loss[s->quest->axes[j].first_bit + s->best[j]] > 0;
    }
    s->bound = costs ? share_by_row(s, s->bound) : ask_witnesses(s, s->bound);
    return s->bound > s->target;
}
