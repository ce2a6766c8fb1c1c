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
    uint64_t rows;
} pv_slot;

#define DEAD UINT32_MAX

/* ---------------------------------------------------------------- the quest */

static bool add_level(pv_quest_axis *axis, const pv_profile *profile, const pv_meter *loss,
                      size_t quasi, unsigned level)
{
    const pv_hierarchy *const h = pv_study_hierarchy(profile->study, quasi);
    const uint32_t n_leaves = pv_hierarchy_leaves(h);
    const uint32_t n_groups = pv_hierarchy_groups(h, level);
    pv_quest_level *const added = &axis->levels[axis->n_levels++];
    added->level = (uint8_t)level;
    added->group = PV_NEW_ARRAY(uint32_t, n_leaves);
    added->kept = PV_NEW_ARRAY(double, n_groups);
    if (added->group == NULL || added->kept == NULL) {
        return false;
    }
    for (uint32_t leaf = 0; leaf < n_leaves; leaf++) {
        added->group[leaf] = pv_hierarchy_group(h, level, leaf);
    }
    for (uint32_t group = 0; group < n_groups; group++) {
        added->kept[group] = pv_i_detail_kept(loss->state, quasi, level, group);
    }
    return true;
}

/* Nested levels with equally many groups have the same groups. */
static bool groups_like_the_last(const pv_quest_axis *axis, const pv_hierarchy *h, unsigned level)
{
    return axis->n_levels > 0 && pv_hierarchy_groups(h, axis->levels[axis->n_levels - 1].level) ==
                                     pv_hierarchy_groups(h, level);
}

static bool init_axis(pv_quest *quest, const pv_meter *loss, size_t quasi, pv_allowed_fn allowed,
                      const void *ctx)
{
    const pv_profile *const profile = quest->profile;
    const pv_hierarchy *const h = pv_study_hierarchy(profile->study, quasi);
    const unsigned height = pv_hierarchy_height(h);
    pv_quest_axis *const axis = &quest->axes[quasi];
    axis->first_bit = (unsigned)quest->n_bits;
    axis->levels = PV_NEW_ZEROED(pv_quest_level, height + 1);
    axis->leaf = PV_NEW_ARRAY(uint32_t, profile->n_tuples);
    if (axis->levels == NULL || axis->leaf == NULL) {
        return false;
    }
    for (size_t t = 0; t < profile->n_tuples; t++) {
        axis->leaf[t] = pv_profile_leaf(profile, t, quasi);
    }
    for (unsigned level = 0; level <= height; level++) {
        const bool may = pv_study_allows(profile->study, quasi, level) &&
                         (allowed == NULL || allowed(ctx, quasi, level));
        if (may && !groups_like_the_last(axis, h, level) &&
            !add_level(axis, profile, loss, quasi, level)) {
            return false;
        }
    }
    const size_t n_groups = axis->n_levels > 0 ? pv_hierarchy_groups(h, axis->levels[0].level) : 0;
    quest->most_groups = n_groups > quest->most_groups ? n_groups : quest->most_groups;
    quest->n_bits += axis->n_levels;
    return true;
}

static void demand_variety(pv_quest *quest, const pv_histogram *histogram, double least)
{
    size_t i = 0;
    while (i < quest->n_varieties && quest->varieties[i].histogram != histogram) {
        i++;
    }
    pv_variety *const v = &quest->varieties[i];
    if (i == quest->n_varieties) {
        *v = (pv_variety){.histogram = histogram};
        quest->n_varieties++;
    }
    v->least = least > v->least ? (uint32_t)fmin(least, UINT32_MAX) : v->least;
}

/* k and l-distinct make rows die for good; the other rules stay rules. */
static pv_status take_demands(pv_quest *quest, const pv_constraint *demands, size_t n_demands,
                              pv_error *error)
{
    pv_class_rules *const rules = &quest->rules;
    PV_TRY(pv_i_class_rules_init(rules, quest->profile, demands, n_demands, error));
    if (rules->n_rules > 0) {
        PV_TRY(pv_i_profile_count(quest->profile, error));
    }
    quest->k = rules->k > 0 ? rules->k : 1;
    quest->n_varieties = 0;
    size_t n_left = 0;
    for (size_t r = 0; r < rules->n_rules; r++) {
        if (!pv_i_measure_entry(rules->rules[r].ref.measure)->breaks_for_good) {
            rules->about[n_left] = rules->about[r];
            rules->rules[n_left++] = rules->rules[r];
            continue;
        }
        const double least = ceil(rules->rules[r].bound);
        for (size_t i = 0; i < quest->profile->n_sensitive; i++) {
            if (pv_i_rule_is_about(rules, r, i)) {
                demand_variety(quest, &quest->profile->sensitive[i], least);
            }
        }
    }
    rules->n_rules = n_left;
    rules->n_sensitive = n_left > 0 ? rules->n_sensitive : 0;
    quest->breakable = n_left > 0;
    return PV_STATUS_OK;
}

pv_status pv_i_quest_init(pv_quest *quest, const pv_profile *profile, const pv_meter *loss,
                          const pv_constraint *demands, size_t n_demands, uint64_t budget,
                          pv_allowed_fn allowed, const void *ctx, pv_error *error)
{
    pv_status status = PV_STATUS_OK;
    *quest = (pv_quest){.profile = profile,
                        .n_axes = pv_study_quasis(profile->study),
                        .budget = budget < profile->n_rows ? budget : profile->n_rows - 1};
    PV_TRY_CLEAN(take_demands(quest, demands, n_demands, error));
    quest->axes = PV_NEW_ZEROED(pv_quest_axis, quest->n_axes);
    quest->count = PV_NEW_ARRAY(uint32_t, profile->n_tuples);
    bool ready = quest->axes != NULL && quest->count != NULL;
    for (size_t t = 0; ready && t < profile->n_tuples; t++) {
        quest->count[t] = (uint32_t)profile->count[t];
    }
    for (size_t q = 0; ready && q < quest->n_axes; q++) {
        ready = init_axis(quest, loss, q, allowed, ctx);
    }
    if (!ready) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    quest->all_rows = PV_NEW_ZEROED(double, quest->n_bits);
    if (quest->all_rows == NULL) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    for (size_t q = 0; q < quest->n_axes; q++) {
        const pv_quest_axis *const axis = &quest->axes[q];
        for (unsigned l = 0; l < axis->n_levels; l++) {
            const pv_quest_level *const level = &axis->levels[l];
            for (size_t t = 0; t < profile->n_tuples; t++) {
                quest->all_rows[axis->first_bit + l] +=
                    quest->count[t] * level->kept[level->group[axis->leaf[t]]];
            }
        }
        quest->everything += axis->n_levels > 0 ? quest->all_rows[axis->first_bit] : 0;
    }
    return PV_STATUS_OK;
cleanup:
    pv_i_quest_deinit(quest);
    return status;
}

void pv_i_quest_deinit(pv_quest *quest)
{
    for (size_t q = 0; quest->axes != NULL && q < quest->n_axes; q++) {
        for (unsigned l = 0; l < quest->axes[q].n_levels; l++) {
            pv_i_free(quest->axes[q].levels[l].group);
            pv_i_free(quest->axes[q].levels[l].kept);
        }
        pv_i_free(quest->axes[q].levels);
        pv_i_free(quest->axes[q].leaf);
    }
    pv_i_free(quest->axes);
    pv_i_free(quest->count);
    pv_i_free(quest->all_rows);
    *quest = (pv_quest){0};
}

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

void pv_i_partition_lower(const pv_quest *quest, pv_partition *part, size_t axis, unsigned high,
                          unsigned level)
{
    const pv_quest_axis *const a = &quest->axes[axis];
    const pv_quest_level *const to = &a->levels[level];
    const pv_quest_level *const from = high < a->n_levels ? &a->levels[high] : NULL;
    for (size_t c = 0; c < part->n_classes; c++) {
        const uint32_t leaf = a->leaf[part->tuples[part->classes[c].first]];
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
        const size_t n_codes = quest->varieties[i].histogram->n_codes;
        most_codes = n_codes > most_codes ? n_codes : most_codes;
    }
    *splitter = (pv_splitter){.quest = quest,
                              .slots = PV_NEW_ZEROED(pv_slot, quest->most_groups + 1),
                              .touched = PV_NEW_ARRAY(uint32_t, quest->most_groups + 1),
                              .groups = PV_NEW_ARRAY(uint32_t, n),
                              .seen = PV_NEW_ZEROED(uint32_t, most_codes)};
    if (splitter->slots == NULL || splitter->touched == NULL || splitter->groups == NULL ||
        splitter->seen == NULL || !pv_i_partition_init(&splitter->spare, quest)) {
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
    pv_i_free(splitter->touched);
    pv_i_free(splitter->groups);
    pv_i_free(splitter->seen);
    pv_i_partition_deinit(&splitter->spare);
    if (splitter->scorer.rules != NULL) {
        pv_i_class_scorer_deinit(&splitter->scorer);
    }
    *splitter = (pv_splitter){0};
}

/* Has a class so many different values of a sensitive column? A missing value is none. Most classes
 * have, after a few tuples. */
static bool is_various(pv_splitter *s, const pv_variety *variety, const uint32_t *tuples, size_t n)
{
    const pv_histogram *const h = variety->histogram;
    uint32_t distinct = 0;
    if (++s->stamp == 0) { /* once in four billion classes */
        memset(s->seen, 0, h->n_codes * sizeof *s->seen);
        s->stamp = 1;
    }
    for (size_t i = 0; i < n && distinct < variety->least; i++) {
        for (uint64_t e = h->start[tuples[i]]; e < h->start[tuples[i] + 1]; e++) {
            distinct += s->seen[h->code[e]] != s->stamp && h->code[e] != h->missing;
            s->seen[h->code[e]] = s->stamp;
        }
    }
    return distinct >= variety->least;
}

static bool are_various(pv_splitter *s, const uint32_t *tuples, size_t n)
{
    for (size_t i = 0; i < s->quest->n_varieties; i++) {
        if (!is_various(s, &s->quest->varieties[i], tuples, n)) {
            return false;
        }
    }
    return true;
}

/* --------------------------------------------------------------------- rules */

/* Of a class of n rows at distance d, r rows must go until the others are at distance t. A distance
 * between distributions is convex and at most 1: d <= (1 - r/n) t + (r/n) 1, so r >= n (d - t) /
 * (1 - t). Of other rules it is only known that someone must go. */
static uint64_t least_to_go(const pv_class_scorer *scorer, uint64_t rows)
{
    const pv_class_rules *const rules = scorer->rules;
    uint64_t least = 0;
    for (size_t r = 0; r < rules->n_rules; r++) {
        const pv_constraint *const rule = &rules->rules[r];
        const bool is_distance = pv_i_measure_entry(rule->ref.measure)->is_distance;
        for (size_t i = 0; i < rules->n_sensitive; i++) {
            if (!pv_i_rule_is_about(rules, r, i)) {
                continue;
            }
            const double score = pv_i_score_tally(scorer->meters[r].state, i, &scorer->tallies[i],
                                                  rule->ref.parameter);
            if (pv_constraint_holds(rule, score)) {
                continue;
            }
            const double share =
                is_distance && rule->bound < 1 ? (score - rule->bound) / (1 - rule->bound) : 0;
            const double go = fmax(1, floor(share * (double)rows * (1 - 1e-9)));
            least = go > (double)least ? (uint64_t)go : least;
        }
    }
    return least;
}

/* How many rows of a class die however it is split; 0 if it keeps all rules. */
static uint64_t doomed_rows(pv_splitter *s, const uint32_t *tuples, size_t n, uint64_t rows)
{
    pv_i_class_scorer_clear(&s->scorer);
    for (size_t i = 0; i < n; i++) {
        pv_i_class_scorer_add(&s->scorer, tuples[i]);
    }
    return least_to_go(&s->scorer, rows);
}

/* ---------------------------------------------------------------- one split */

/* One split of one class. */
typedef struct {
    const pv_quest_axis *axis;
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

/* Gives every group of the class its place, or none. */
static void place_groups(pv_splitter *s, const cut *c, size_t n_touched, pv_partition *to)
{
    uint32_t place = (uint32_t)to->n_tuples;
    for (size_t i = 0; i < n_touched; i++) {
        pv_slot *const slot = &s->slots[s->touched[i]];
        if (slot->rows < s->quest->k) {
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

/* Of the classes from `first` on, just made, those with too little variety die, too: the tuples
 * behind them move up. */
static void drop_uniform(pv_splitter *s, const cut *c, size_t first, pv_partition *to)
{
    const size_t end = to->n_classes;
    uint32_t place = to->classes[first].first;
    to->classes[end].first = (uint32_t)to->n_tuples;
    to->n_classes = first;
    for (size_t i = first; i < end; i++) {
        pv_part_class class = to->classes[i];
        const uint32_t *const tuples = to->tuples + class.first;
        const size_t n = to->classes[i + 1].first - class.first;
        if (are_various(s, tuples, n)) {
            memmove(to->tuples + place, tuples, n * sizeof *tuples);
            class.first = place;
            to->classes[to->n_classes++] = class;
            place += (uint32_t)n;
            continue;
        }
        const uint32_t group = c->fine->group[c->axis->leaf[tuples[0]]];
        c->sums->alive_gain -= class.rows * (c->fine->kept[group] - c->shown);
        count_dead(c, class.rows);
        for (size_t t = 0; c->killed != NULL && t < n; t++) {
            c->killed[tuples[t]] = c->mark;
        }
    }
    to->n_tuples = place;
}

/* Of the classes from `first` on, just made: rows that die however they are split further. Who they
 * are is not known, so they stay; but they are lost as surely as the dead. */
static void count_doomed(pv_splitter *s, const cut *c, size_t first, pv_partition *to)
{
    to->classes[to->n_classes].first = (uint32_t)to->n_tuples;
    for (size_t i = first; i < to->n_classes; i++) {
        const pv_part_class *const class = &to->classes[i];
        const uint32_t *const tuples = to->tuples + class->first;
        const uint64_t go = doomed_rows(s, tuples, class[1].first - class->first, class->rows);
        const uint32_t group = c->fine->group[c->axis->leaf[tuples[0]]];
        c->sums->doomed += go;
        c->sums->doomed_kept += (double)go * class->kept;
        c->sums->alive_gain -= (double)go * (c->fine->kept[group] - c->shown);
    }
}

bool pv_i_split(pv_splitter *s, const pv_partition *from, size_t axis, unsigned high,
                unsigned level, pv_partition *to, uint8_t *killed, bool judged, pv_split_sums *sums)
{
    const pv_quest_axis *const a = &s->quest->axes[axis];
    const pv_quest_level *const coarse = high < a->n_levels ? &a->levels[high] : NULL;
    const bool moves =
        to != NULL || s->quest->n_varieties > 0 || s->quest->breakable || killed != NULL;
    pv_partition *const out = to != NULL ? to : &s->spare;
    cut c = {.axis = a,
             .fine = &a->levels[level],
             .killed = killed,
             .mark = (uint8_t)(level + 1),
             .sums = sums};
    *sums = (pv_split_sums){0};
    out->n_tuples = out->n_classes = 0;
    for (size_t i = 0; i < from->n_classes; i++) {
        const pv_part_class *const class = &from->classes[i];
        const uint32_t *const tuples = from->tuples + class->first;
        const size_t n = class[1].first - class->first;
        size_t n_touched = 0;
        if (to == NULL) { /* the spare is written over class by class */
            out->n_tuples = out->n_classes = 0;
        }
        const size_t first = out->n_classes;
        for (size_t t = 0; t < n; t++) {
            const uint32_t group = c.fine->group[a->leaf[tuples[t]]];
            pv_slot *const slot = &s->slots[group];
            s->groups[t] = group;
            if (slot->tuples++ == 0) {
                s->touched[n_touched++] = group;
            }
            slot->rows += s->quest->count[tuples[t]];
        }
        c.shown = coarse != NULL ? coarse->kept[coarse->group[a->leaf[tuples[0]]]] : 0;
        c.kept = class->kept;
        place_groups(s, &c, n_touched, out);
        if (moves) {
            move_tuples(s, &c, tuples, n, out->tuples);
        }
        for (size_t t = 0; t < n_touched; t++) {
            s->slots[s->touched[t]] = (pv_slot){0};
        }
        /* A class that did not break up is what it was, and kept every demand. */
        if (s->quest->n_varieties > 0 && n_touched > 1 && out->n_classes > first) {
            drop_uniform(s, &c, first, out);
        }
        if (s->quest->breakable && judged) {
            count_doomed(s, &c, first, out);
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
static bool class_lives(pv_splitter *s, const pv_quest_axis *a, const pv_quest_level *fine,
                        const uint32_t *tuples, size_t n)
{
    size_t n_touched = 0;
    bool lives = true;
    for (size_t t = 0; t < n; t++) {
        const uint32_t group = fine->group[a->leaf[tuples[t]]];
        pv_slot *const slot = &s->slots[group];
        if (slot->rows == 0) {
            s->touched[n_touched++] = group;
        }
        slot->rows += s->quest->count[tuples[t]];
    }
    for (size_t t = 0; t < n && lives; t++) {
        lives = s->slots[fine->group[a->leaf[tuples[t]]]].rows >= s->quest->k;
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
    /* Small classes first: they are the first to break, and quickly counted. */
    for (int large = 0; large < 2; large++) {
        for (size_t i = 0; i < from->n_classes; i++) {
            const pv_part_class *const class = &from->classes[i];
            if ((class->rows >= 8 * s->quest->k) == (large != 0) &&
                !class_lives(s, a, &a->levels[level], from->tuples + class->first,
                             class[1].first - class->first)) {
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
    const size_t n = quest->profile->n_tuples;
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
        pv_i_partition_lower(quest, &s->spare, axis, top + 1, top);
        other = *part; /* the two change places */
        *part = s->spare;
        s->spare = other;
    }
    return true;
}

void pv_i_partition_check(pv_splitter *s, const pv_partition *part, pv_part_check *check)
{
    *check = (pv_part_check){0};
    if (!s->quest->breakable) {
        return;
    }
    for (size_t c = 0; c < part->n_classes; c++) {
        const pv_part_class *const class = &part->classes[c];
        const uint64_t go =
            doomed_rows(s, part->tuples + class->first, class[1].first - class->first, class->rows);
        if (go > 0) {
            check->broken += class->rows;
            check->kept_broken += class->rows * class->kept;
            check->doomed += go;
            check->kept_doomed += (double)go * class->kept;
        }
    }
}
