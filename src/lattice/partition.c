/* Splitting classes, and what it costs.
 *
 * One split takes two passes over the tuples that are alive: the first counts rows per group within
 * a class, the second moves the tuples of the groups that live on. Counters are per group of the
 * attribute and are reset through the list of those touched, so a class of three tuples costs three
 * steps even where the attribute has 20,000 values. Tuples keep their order within a class: the
 * same tuples in the same order come out whatever the way down was. */
#include "lattice/partition.h"

#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

/* What is known of one group of the class that is being split. */
typedef struct pv_slot {
    uint32_t tuples;
    uint32_t place; /* where its next tuple goes; DEAD = nowhere */
    bool seen;      /* its two halves were added up */
    uint64_t rows;
} pv_slot;

#define DEAD UINT32_MAX

/* ---------------------------------------------------------------- partitions */

bool pv_i_partition_init(pv_partition *part, const pv_quest *quest)
{
    /* Every class but the first has k rows or more, so there are few where k is large. */
    const size_t most = (size_t)(quest->profile->n_rows / quest->k) + 2;
    const size_t n = quest->profile->n_tuples;
    *part = (pv_partition){.tuples = PV_NEW_ARRAY(uint32_t, n),
                           .classes = PV_NEW_ARRAY(pv_part_class, most < n + 2 ? most : n + 2)};
    return part->tuples != NULL && part->classes != NULL;
}

bool pv_i_partition_reserve(pv_partition *part, const pv_partition *like)
{
    const size_t n = like->n_tuples;
    if (n > part->most_tuples || part->tuples == NULL) {
        pv_i_partition_deinit(part);
        *part = (pv_partition){.tuples = PV_NEW_ARRAY(uint32_t, n),
                               .classes = PV_NEW_ARRAY(pv_part_class, n + 2),
                               .most_tuples = n};
    }
    return part->tuples != NULL && part->classes != NULL;
}

void pv_i_partition_deinit(pv_partition *part)
{
    pv_i_free(part->tuples);
    pv_i_free(part->classes);
    *part = (pv_partition){0};
}

void pv_i_partition_copy(pv_partition *to, const pv_partition *from)
{
    memcpy(to->tuples, from->tuples, from->n_tuples * sizeof *to->tuples);
    memcpy(to->classes, from->classes, (from->n_classes + 1) * sizeof *to->classes);
    to->n_tuples = from->n_tuples;
    to->n_classes = from->n_classes;
    to->dead = from->dead;
}

double pv_i_partition_kept(const pv_partition *part)
{
    double sum = 0;
    for (size_t c = 0; c < part->n_classes; c++) {
        sum += part->classes[c].rows * part->classes[c].kept;
    }
    return sum;
}

void pv_i_partition_lower(const pv_splitter *s, pv_partition *part, size_t axis, unsigned high,
                          unsigned level)
{
    const pv_quest_axis *const a = &s->quest->axes[axis];
    const pv_quest_level *const to = &a->levels[level];
    const pv_quest_level *const from = high < a->n_levels ? &a->levels[high] : NULL;
    for (size_t c = 0; c < part->n_classes; c++) {
        const uint32_t leaf = s->tuples->leaf[axis][part->tuples[part->classes[c].first]];
        part->classes[c].kept +=
            to->kept[to->group[leaf]] - (from != NULL ? from->kept[from->group[leaf]] : 0);
    }
}

/* --------------------------------------------------------------------- split */

pv_status pv_i_splitter_init(pv_splitter *splitter, const pv_quest *quest, pv_error *error)
{
    const size_t n = quest->profile->n_tuples;
    size_t most_codes = 1;
    pv_status status = PV_STATUS_OK;
    for (size_t i = 0; i < quest->n_varieties; i++) {
        const size_t n_codes = quest->profile->sensitive[quest->varieties[i].column].n_codes;
        most_codes = n_codes > most_codes ? n_codes : most_codes;
    }
    *splitter = (pv_splitter){.quest = quest,
                              .tuples = &quest->tuples,
                              .slots = PV_NEW_ZEROED(pv_slot, quest->most_groups + 1),
                              .odd_slots = PV_NEW_ZEROED(pv_slot, quest->most_groups + 1),
                              .touched = PV_NEW_ARRAY(uint32_t, 2 * quest->most_groups + 2),
                              .groups = PV_NEW_ARRAY(uint32_t, n),
                              .seen = PV_NEW_ZEROED(uint32_t, most_codes),
                              .n_seen = most_codes};
    if (splitter->slots == NULL || splitter->odd_slots == NULL || splitter->touched == NULL ||
        splitter->groups == NULL || splitter->seen == NULL ||
        !pv_i_partition_init(&splitter->spare, quest) ||
        !pv_i_level_counter_init(&splitter->counter, quest)) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    PV_TRY_CLEAN(pv_i_class_scorer_init(&splitter->scorer, &quest->rules, error));
    return PV_STATUS_OK;
cleanup:
    pv_i_splitter_deinit(splitter);
    return status;
}

void pv_i_splitter_deinit(pv_splitter *splitter)
{
    pv_i_free(splitter->slots);
    pv_i_free(splitter->odd_slots);
    pv_i_free(splitter->touched);
    pv_i_free(splitter->groups);
    pv_i_free(splitter->seen);
    pv_i_partition_deinit(&splitter->spare);
    pv_i_level_counter_deinit(&splitter->counter);
    if (splitter->scorer.rules != NULL) {
        pv_i_class_scorer_deinit(&splitter->scorer);
    }
    *splitter = (pv_splitter){0};
}

/* Has a class so many different values of a sensitive column? A missing value is none. Most classes
 * have, after a few tuples. */
static bool is_various(pv_splitter *s, const pv_variety *variety, const uint32_t *tuples, size_t n)
{
    const pv_tuple_values *const values = &s->tuples->values[variety->column];
    const uint32_t missing = s->quest->profile->sensitive[variety->column].missing;
    uint32_t distinct = 0;
    if (++s->stamp == 0) { /* once in four billion classes */
        memset(s->seen, 0, s->n_seen * sizeof *s->seen);
        s->stamp = 1;
    }
    for (size_t i = 0; i < n && distinct < variety->least; i++) {
        for (uint32_t e = values->start[tuples[i]]; e < values->start[tuples[i] + 1]; e++) {
            distinct += s->seen[values->code[e]] != s->stamp && values->code[e] != missing;
            s->seen[values->code[e]] = s->stamp;
        }
    }
    return distinct >= variety->least;
}

static void sum_cells(pv_splitter *s, const uint32_t *tuples, size_t n)
{
    const size_t n_codes = s->quest->n_codes;
    for (size_t block = 0; block < n_codes; block += PV_CELL_BLOCK) {
        uint32_t sum[PV_CELL_BLOCK] = {0}; /* stays in registers */
        for (size_t i = 0; i < n; i++) {
            const uint32_t *const of = s->tuples->cells + tuples[i] * n_codes + block;
            for (size_t j = 0; j < PV_CELL_BLOCK; j++) {
                sum[j] += of[j];
            }
        }
        memcpy(s->counter.sum + block, sum, sizeof sum);
    }
}

bool pv_i_cells_are_various(const pv_quest *quest, const uint32_t *cells)
{
    for (size_t i = 0; i < quest->n_varieties; i++) {
        const pv_variety *const variety = &quest->varieties[i];
        const pv_histogram *const column = &quest->profile->sensitive[variety->column];
        const uint32_t *const of = cells + quest->first_code[variety->column];
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

static bool are_various(pv_splitter *s, const uint32_t *tuples, size_t n)
{
    if (s->quest->sets) {
        uint64_t set = 0;
        for (size_t i = 0; i < n; i++) {
            set |= s->tuples->set[tuples[i]];
        }
        return pv_i_set_is_various(s->quest, set);
    }
    if (s->quest->n_codes > 0 && s->quest->n_varieties > 0) {
        sum_cells(s, tuples, n);
        return pv_i_cells_are_various(s->quest, s->counter.sum);
    }
    for (size_t i = 0; i < s->quest->n_varieties; i++) {
        if (!is_various(s, &s->quest->varieties[i], tuples, n)) {
            return false;
        }
    }
    return true;
}

/* --------------------------------------------------------------------- rules */

static void tally_class(pv_splitter *s, const uint32_t *tuples, size_t n, uint64_t rows)
{
    s->work += n;
    pv_i_class_scorer_clear(&s->scorer);
    for (size_t i = 0; i < s->quest->rules.n_sensitive; i++) {
        const pv_tuple_values *const values = &s->tuples->values[i];
        pv_tally *const tally = &s->scorer.tallies[i];
        for (size_t t = 0; s->scorer.reads[i] && t < n; t++) {
            for (uint32_t e = values->start[tuples[t]]; e < values->start[tuples[t] + 1]; e++) {
                const uint32_t code = values->code[e];
                if (tally->counts[code] == 0) {
                    tally->touched[tally->n_touched++] = code;
                }
                tally->counts[code] += values->count[e];
            }
        }
        tally->total = rows;
    }
}

/* All of them if the rules are kept. */
static uint64_t tallied_survivors(const pv_splitter *s, uint64_t rows)
{
    bool holds;
    const uint64_t most = pv_i_class_scorer_survivors(&s->scorer, &holds);
    return holds ? rows : most < s->quest->k ? 0 : most;
}

uint64_t pv_i_cells_survivors(pv_splitter *s, const uint32_t *cells, uint64_t rows)
{
    pv_i_class_scorer_clear(&s->scorer);
    for (size_t i = 0; i < s->quest->rules.n_sensitive; i++) {
        pv_tally *const tally = &s->scorer.tallies[i];
        const uint32_t *const of = cells + s->quest->first_code[i];
        const uint32_t n_codes = s->quest->profile->sensitive[i].n_codes;
        for (uint32_t code = 0; s->scorer.reads[i] && code < n_codes; code++) {
            if (of[code] > 0) {
                tally->touched[tally->n_touched++] = code;
                tally->counts[code] = of[code];
            }
        }
        tally->total = rows;
    }
    return tallied_survivors(s, rows);
}

/* How many rows of a class live on at most, however it is split. It is counted once. */
static uint64_t survivors(pv_splitter *s, const pv_part_class *class, const uint32_t *tuples,
                          size_t n)
{
    if (class->live > 0) {
        return class->live;
    }
    if (s->quest->n_codes > 0) {
        s->work += n;
        sum_cells(s, tuples, n);
        return pv_i_cells_survivors(s, s->counter.sum, class->rows);
    }
    tally_class(s, tuples, n, class->rows);
    return tallied_survivors(s, class->rows);
}

/* ---------------------------------------------------------------- one split */

/* One split of one class. */
typedef struct {
    const uint32_t *leaf; /* per tuple */
    const pv_quest_level *fine;
    double shown;    /* what a row of the class showed of the attribute */
    double kept;     /* ... and of all attributes */
    uint8_t *killed; /* per tuple; NULL = nobody asks */
    uint8_t mark;
    pv_split_sums *sums;
} cut;

static void count_dead(const cut *c, uint64_t rows)
{
    c->sums->dead += rows;
    c->sums->dead_kept += (double)rows * c->kept;
}

/* Counts rows and tuples per group. Neighbours are mostly in one group, and a counter that was just
 * written is slow to read again: every other tuple counts in slots of its own. */
static size_t count_groups(pv_splitter *s, const cut *c, const uint32_t *tuples, size_t n)
{
    const uint32_t *const count = s->tuples->count;
    const uint32_t *const group = c->fine->group;
    const uint32_t *const leaf = c->leaf;
    uint32_t *const groups = s->groups;
    pv_slot *const even = s->slots;
    pv_slot *const odd = s->odd_slots;
    size_t n_touched = 0;
    for (size_t t = 0; t < n; t++) {
        groups[t] = group[leaf[tuples[t]]];
    }
    for (size_t t = 0; t < n; t++) {
        pv_slot *const slot = &(t % 2 == 0 ? even : odd)[groups[t]];
        if (slot->tuples++ == 0) {
            s->touched[n_touched++] = groups[t];
        }
        slot->rows += count[tuples[t]];
    }
    size_t n_groups = 0;
    for (size_t i = 0; i < n_touched; i++) { /* a group may be there twice */
        pv_slot *const slot = &even[s->touched[i]];
        pv_slot *const other = &odd[s->touched[i]];
        if (slot->seen) {
            continue;
        }
        slot->seen = true;
        slot->tuples += other->tuples;
        slot->rows += other->rows;
        *other = (pv_slot){0};
        s->touched[n_groups++] = s->touched[i];
    }
    return n_groups;
}

/* Gives every group of the class its place, or none. Returns whether one dies. */
static bool place_groups(pv_splitter *s, const cut *c, size_t n_touched, pv_partition *to)
{
    uint32_t place = (uint32_t)to->n_tuples;
    bool dies = false;
    for (size_t i = 0; i < n_touched; i++) {
        pv_slot *const slot = &s->slots[s->touched[i]];
        if (slot->rows < s->quest->k) {
            dies = true;
            slot->place = DEAD;
            count_dead(c, slot->rows);
            continue;
        }
        to->classes[to->n_classes++] =
            (pv_part_class){.first = place, .rows = (uint32_t)slot->rows, .kept = c->kept};
        c->sums->alive_gain += (double)slot->rows * (c->fine->kept[s->touched[i]] - c->shown);
        slot->place = place;
        place += slot->tuples;
    }
    to->n_tuples = place;
    return dies;
}

static void move_tuples(const pv_splitter *s, const cut *c, const uint32_t *tuples, size_t n,
                        uint32_t *to)
{
    for (size_t i = 0; i < n; i++) {
        pv_slot *const slot = &s->slots[s->groups[i]];
        if (slot->place != DEAD) {
            to[slot->place++] = tuples[i];
        } else if (c->killed != NULL) {
            c->killed[tuples[i]] = c->mark;
        }
    }
}

/* Of the classes from `first` on, just made: those of which nobody can live on, for want of variety
 * or however they are split further, die; the tuples behind them move up. Where only some must die,
 * it is not known who: all stay, but so many are lost as surely as the dead. */
static void judge_classes(pv_splitter *s, const cut *c, size_t first, bool varied, bool judged,
                          pv_partition *to)
{
    const size_t end = to->n_classes;
    uint32_t place = to->classes[first].first;
    to->classes[end].first = (uint32_t)to->n_tuples;
    to->n_classes = first;
    for (size_t i = first; i < end; i++) {
        pv_part_class class = to->classes[i];
        const uint32_t *const tuples = to->tuples + class.first;
        const size_t n = to->classes[i + 1].first - class.first;
        const uint32_t group = c->fine->group[c->leaf[tuples[0]]];
        const double gain = c->fine->kept[group] - c->shown;
        const uint64_t live = !varied && !are_various(s, tuples, n) ? 0
                              : judged ? survivors(s, &class, tuples, n)
                                       : class.rows;
        c->sums->alive_gain -= (double)(class.rows - live) * gain;
        if (live > 0) {
            c->sums->doomed += class.rows - live;
            c->sums->doomed_kept += (double)(class.rows - live) * class.kept;
            memmove(to->tuples + place, tuples, n * sizeof *tuples);
            class.first = place;
            class.live = judged ? (uint32_t)live : class.live;
            to->classes[to->n_classes++] = class;
            place += (uint32_t)n;
            continue;
        }
        count_dead(c, class.rows);
        for (size_t t = 0; c->killed != NULL && t < n; t++) {
            c->killed[tuples[t]] = c->mark;
        }
    }
    to->n_tuples = place;
}

bool pv_i_split(pv_splitter *s, const pv_partition *from, size_t axis, unsigned high,
                unsigned level, pv_partition *to, uint8_t *killed, bool judged, pv_split_sums *sums)
{
    const pv_quest_axis *const a = &s->quest->axes[axis];
    const pv_quest_level *const coarse = high < a->n_levels ? &a->levels[high] : NULL;
    const bool moves = to != NULL || s->quest->n_varieties > 0 || s->quest->breakable;
    pv_partition *const out = to != NULL ? to : &s->spare;
    cut c = {.leaf = s->tuples->leaf[axis],
             .fine = &a->levels[level],
             .killed = killed,
             .mark = (uint8_t)(level + 1),
             .sums = sums};
    *sums = (pv_split_sums){0};
    out->n_tuples = out->n_classes = 0;
    s->work += from->n_tuples;
    for (size_t i = 0; i < from->n_classes; i++) {
        const pv_part_class *const class = &from->classes[i];
        const uint32_t *const tuples = from->tuples + class->first;
        const size_t n = class[1].first - class->first;
        if (to == NULL) { /* the spare is written over class by class */
            out->n_tuples = out->n_classes = 0;
        }
        const size_t first = out->n_classes;
        const size_t n_touched = count_groups(s, &c, tuples, n);
        c.shown = coarse != NULL ? coarse->kept[coarse->group[c.leaf[tuples[0]]]] : 0;
        c.kept = class->kept;
        const bool dies = place_groups(s, &c, n_touched, out);
        if (n_touched == 1 && !dies) {
            out->classes[first].live = class->live;
        }
        if (moves && n_touched == 1 && !dies) {
            memcpy(out->tuples + out->classes[first].first, tuples, n * sizeof *tuples);
        } else if (moves || (dies && killed != NULL)) {
            move_tuples(s, &c, tuples, n, out->tuples);
        }
        for (size_t t = 0; t < n_touched; t++) {
            s->slots[s->touched[t]] = (pv_slot){0};
        }
        /* A class that did not break up is what it was, and has the variety it had. */
        const bool varied = s->quest->n_varieties == 0 || n_touched == 1;
        const bool judges = s->quest->breakable && judged;
        if ((!varied || judges) && out->n_classes > first) {
            judge_classes(s, &c, first, varied, judges, out);
        }
        if (from->dead + sums->dead + sums->doomed > s->quest->budget) {
            return false;
        }
    }
    out->classes[out->n_classes].first = (uint32_t)out->n_tuples;
    out->dead = from->dead + sums->dead;
    return true;
}

/* Counts one class by its groups. False: a group dies. The slots are clean again afterwards. */
static bool class_lives(pv_splitter *s, const uint32_t *leaf, const pv_quest_level *fine,
                        const uint32_t *tuples, size_t n)
{
    size_t n_touched = 0;
    bool lives = true;
    for (size_t t = 0; t < n; t++) {
        const uint32_t group = fine->group[leaf[tuples[t]]];
        pv_slot *const slot = &s->slots[group];
        if (slot->rows == 0) {
            s->touched[n_touched++] = group;
        }
        slot->rows += s->tuples->count[tuples[t]];
    }
    for (size_t t = 0; t < n && lives; t++) {
        lives = s->slots[fine->group[leaf[tuples[t]]]].rows >= s->quest->k;
        s->victim = tuples[t];
    }
    for (size_t t = 0; t < n_touched; t++) {
        s->slots[s->touched[t]].rows = 0;
    }
    return lives;
}

bool pv_i_splits_alive(pv_splitter *s, const pv_partition *from, size_t axis, unsigned level)
{
    const pv_quest_axis *const a = &s->quest->axes[axis];
    s->work += from->n_tuples;
    /* Small classes first: they are the first to break, and quickly counted. */
    for (int large = 0; large < 2; large++) {
        for (size_t i = 0; i < from->n_classes; i++) {
            const pv_part_class *const class = &from->classes[i];
            if ((class->rows >= 8 * s->quest->k) == (large != 0) &&
                !class_lives(s, s->tuples->leaf[axis], &a->levels[level],
                             from->tuples + class->first, class[1].first - class->first)) {
                return false;
            }
        }
    }
    if (s->quest->n_varieties > 0 || s->quest->breakable) {
        pv_split_sums sums;
        return pv_i_split(s, from, axis, level, level, NULL, NULL, true, &sums);
    }
    return true;
}

bool pv_i_partition_start(pv_splitter *s, pv_partition *part)
{
    const pv_quest *const quest = s->quest;
    const size_t n = s->tuples->n;
    pv_partition other = {0};
    for (size_t t = 0; t < n; t++) {
        part->tuples[t] = (uint32_t)t;
    }
    part->n_tuples = n;
    part->n_classes = 1;
    part->dead = 0;
    part->classes[0] = (pv_part_class){.rows = (uint32_t)quest->profile->n_rows};
    part->classes[1] = (pv_part_class){.first = (uint32_t)n};
    if (quest->profile->n_rows < quest->k || !are_various(s, part->tuples, n)) {
        return false;
    }
    for (size_t axis = 0; axis < quest->n_axes; axis++) {
        const unsigned top = quest->axes[axis].n_levels - 1;
        pv_split_sums sums;
        if (!pv_i_split(s, part, axis, top + 1, top, &s->spare, NULL, false, &sums)) {
            return false;
        }
        pv_i_partition_lower(s, &s->spare, axis, top + 1, top);
        other = *part; /* the two change places */
        *part = s->spare;
        s->spare = other;
    }
    return true;
}

void pv_i_partition_check(pv_splitter *s, pv_partition *part, pv_part_check *check)
{
    const size_t end = part->n_classes;
    uint32_t place = 0;
    *check = (pv_part_check){0};
    if (!s->quest->breakable) {
        return;
    }
    part->n_classes = 0;
    for (size_t c = 0; c < end; c++) {
        pv_part_class class = part->classes[c];
        const uint32_t *const tuples = part->tuples + class.first;
        const size_t n = part->classes[c + 1].first - class.first;
        const uint64_t live = survivors(s, &class, tuples, n);
        class.live = (uint32_t)live;
        if (live == 0) {
            part->dead += class.rows;
            continue;
        }
        if (live < class.rows) {
            check->broken += class.rows;
            check->kept_broken += class.rows * class.kept;
            check->doomed += class.rows - live;
            check->kept_doomed += (double)(class.rows - live) * class.kept;
        }
        memmove(part->tuples + place, tuples, n * sizeof *tuples);
        class.first = place;
        part->classes[part->n_classes++] = class;
        place += (uint32_t)n;
    }
    part->classes[part->n_classes].first = place;
    part->n_tuples = place;
}

bool pv_i_partition_broken(pv_splitter *s, const pv_partition *part, uint64_t most_rows,
                           double most_kept, pv_part_check *check)
{
    *check = (pv_part_check){0};
    for (size_t c = 0; s->quest->breakable && c < part->n_classes; c++) {
        const pv_part_class *const class = &part->classes[c];
        if (survivors(s, class, part->tuples + class->first, class[1].first - class->first) <
            class->rows) {
            check->broken += class->rows;
            check->kept_broken += class->rows * class->kept;
            if (check->broken > most_rows || check->kept_broken >= most_kept) {
                return false;
            }
        }
    }
    return true;
}
