/* The question, and merging the tuples that a box of schemes does not tell apart. */
#include "lattice/quest.h"

#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------- tuples */

static void free_tuple_arrays(pv_quest_tuples *tuples)
{
    for (size_t j = 0; tuples->leaf != NULL && j < tuples->n_axes; j++) {
        pv_i_free(tuples->leaf[j]);
    }
    for (size_t i = 0; tuples->values != NULL && i < tuples->n_columns; i++) {
        pv_i_free(tuples->values[i].start);
        tuples->values[i].start = NULL;
    }
    pv_i_free(tuples->count);
    pv_i_free(tuples->origin);
    pv_i_free(tuples->set);
    pv_i_free(tuples->cells);
}

void pv_i_tuples_deinit(pv_quest_tuples *tuples)
{
    free_tuple_arrays(tuples);
    for (size_t i = 0; tuples->values != NULL && i < tuples->n_columns; i++) {
        pv_i_free(tuples->values[i].code);
        pv_i_free(tuples->values[i].count);
    }
    pv_i_free(tuples->leaf);
    pv_i_free(tuples->values);
    *tuples = (pv_quest_tuples){0};
}

/* Space for n tuples; what is there may be lost. A box has fewer than the one it is in, so the
 * first that is merged mostly decides. */
static bool reserve_tuples(pv_quest_tuples *tuples, const pv_quest *quest, size_t n)
{
    if (tuples->leaf == NULL) {
        tuples->n_axes = quest->n_axes;
        tuples->n_columns = quest->n_columns;
        tuples->leaf = PV_NEW_ZEROED(uint32_t *, quest->n_axes);
        tuples->values = PV_NEW_ZEROED(pv_tuple_values, quest->n_columns + 1);
    }
    if (tuples->leaf == NULL || tuples->values == NULL) {
        return false;
    }
    if (n <= tuples->n_most) {
        return true;
    }
    free_tuple_arrays(tuples);
    tuples->n_most = 0;
    tuples->count = PV_NEW_ARRAY(uint32_t, n);
    tuples->origin = PV_NEW_ARRAY(uint32_t, n);
    tuples->set = quest->sets ? PV_NEW_ARRAY(uint64_t, n) : NULL;
    tuples->cells = quest->n_codes > 0 ? PV_NEW_ARRAY(uint32_t, n * quest->n_codes) : NULL;
    bool ready = tuples->count != NULL && tuples->origin != NULL &&
                 (tuples->set != NULL || !quest->sets) &&
                 (tuples->cells != NULL || quest->n_codes == 0);
    for (size_t j = 0; j < tuples->n_axes; j++) {
        tuples->leaf[j] = PV_NEW_ARRAY(uint32_t, n);
        ready &= tuples->leaf[j] != NULL;
    }
    for (size_t i = 0; i < tuples->n_columns; i++) {
        tuples->values[i].start = PV_NEW_ARRAY(uint32_t, n + 1);
        ready &= tuples->values[i].start != NULL;
    }
    tuples->n_most = ready ? n : 0;
    return ready;
}

static bool reserve_values(pv_tuple_values *values, size_t n)
{
    if (n > values->n_most || values->code == NULL) {
        pv_i_free(values->code);
        pv_i_free(values->count);
        values->code = PV_NEW_ARRAY(uint32_t, n);
        values->count = PV_NEW_ARRAY(uint32_t, n);
        values->n_most = n;
    }
    return values->code != NULL && values->count != NULL;
}

static void take_sets(pv_quest *quest)
{
    memset(quest->tuples.set, 0, quest->tuples.n * sizeof *quest->tuples.set);
    for (size_t i = 0; i < quest->n_varieties; i++) {
        const pv_variety *const variety = &quest->varieties[i];
        const pv_histogram *const h = &quest->profile->sensitive[variety->column];
        for (size_t t = 0; t < quest->tuples.n; t++) {
            for (size_t e = h->start[t]; e < h->start[t + 1]; e++) {
                quest->tuples.set[t] |= UINT64_C(1) << (variety->first_bit + h->code[e]);
            }
        }
    }
}

static void take_cells(pv_quest *quest)
{
    memset(quest->tuples.cells, 0, quest->tuples.n * quest->n_codes * sizeof(uint32_t));
    for (size_t i = 0; i < quest->profile->n_sensitive && i < PV_MOST_RULED_COLUMNS; i++) {
        const pv_histogram *const h = &quest->profile->sensitive[i];
        for (size_t t = 0; quest->counted[i] && t < quest->tuples.n; t++) {
            uint32_t *const cells = quest->tuples.cells + t * quest->n_codes + quest->first_code[i];
            for (size_t e = h->start[t]; e < h->start[t + 1]; e++) {
                cells[h->code[e]] = (uint32_t)h->count[e];
            }
        }
    }
}

/* The tuples of the profile, without their leaves. */
static bool take_tuples(pv_quest *quest)
{
    const pv_profile *const profile = quest->profile;
    pv_quest_tuples *const tuples = &quest->tuples;
    const size_t n = profile->n_tuples;
    if (!reserve_tuples(tuples, quest, n)) {
        return false;
    }
    tuples->n = n;
    for (size_t t = 0; t < n; t++) {
        tuples->count[t] = (uint32_t)profile->count[t];
        tuples->origin[t] = (uint32_t)t;
    }
    if (quest->sets) {
        take_sets(quest);
    } else if (quest->n_codes > 0) {
        take_cells(quest);
    }
    for (size_t i = 0; i < quest->n_columns; i++) {
        const pv_histogram *const h = &profile->sensitive[i];
        pv_tuple_values *const values = &tuples->values[i];
        if (!reserve_values(values, h->start[n])) {
            return false;
        }
        for (size_t t = 0; t <= n; t++) {
            values->start[t] = (uint32_t)h->start[t];
        }
        for (size_t e = 0; e < h->start[n]; e++) {
            values->code[e] = h->code[e];
            values->count[e] = (uint32_t)h->count[e];
        }
    }
    return true;
}

/* ---------------------------------------------------------------- the quest */

static bool add_level(pv_quest_axis *axis, const pv_profile *profile, const pv_meter *loss,
                      size_t quasi, unsigned level)
{
    const pv_hierarchy *const h = pv_study_hierarchy(profile->study, quasi);
    const uint32_t n_leaves = pv_hierarchy_leaves(h);
    const uint32_t n_groups = pv_hierarchy_groups(h, level);
    pv_quest_level *const added = &axis->levels[axis->n_levels++];
    added->level = (uint8_t)level;
    added->n_groups = n_groups;
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
    if (axis->n_levels < 2) {
        return true;
    }
    pv_quest_level *const below = added - 1;
    below->up = PV_NEW_ZEROED(uint32_t, below->n_groups);
    for (uint32_t leaf = 0; below->up != NULL && leaf < n_leaves; leaf++) {
        below->up[below->group[leaf]] = added->group[leaf];
    }
    return below->up != NULL;
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
    if (axis->levels == NULL) {
        return false;
    }
    for (size_t t = 0; t < profile->n_tuples; t++) {
        quest->tuples.leaf[quasi][t] = pv_profile_leaf(profile, t, quasi);
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

static void demand_variety(pv_quest *quest, size_t column, double least)
{
    size_t i = 0;
    while (i < quest->n_varieties && quest->varieties[i].column != column) {
        i++;
    }
    pv_variety *const v = &quest->varieties[i];
    if (i == quest->n_varieties) {
        *v = (pv_variety){.column = column};
        quest->n_varieties++;
    }
    v->least = least > v->least ? (uint32_t)fmin(least, UINT32_MAX) : v->least;
}

/* Whoever counts different values needs no more of them than which there are. */
static void use_sets(pv_quest *quest)
{
    unsigned n_bits = 0;
    for (size_t i = 0; i < quest->n_varieties; i++) {
        const pv_histogram *const h = &quest->profile->sensitive[quest->varieties[i].column];
        if (h->n_codes > 64 - n_bits) {
            return;
        }
        n_bits += h->n_codes;
    }
    unsigned first = 0;
    for (size_t i = 0; i < quest->n_varieties; i++) {
        pv_variety *const variety = &quest->varieties[i];
        const pv_histogram *const h = &quest->profile->sensitive[variety->column];
        variety->first_bit = first;
        for (uint32_t code = 0; code < h->n_codes; code++) {
            variety->bits |= code != h->missing ? UINT64_C(1) << (first + code) : 0;
        }
        first += h->n_codes;
    }
    quest->sets = true;
    quest->n_columns = 0;
}

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

/* Sensitive values in all; of more, cells take longer to add up than lists. */
#define MOST_CODES 64

static void use_cells(pv_quest *quest)
{
    size_t n_codes = 0;
    for (size_t i = 0; i < quest->n_columns; i++) {
        quest->first_code[i] = n_codes;
        quest->counted[i] = is_asked_of(quest, i);
        n_codes += quest->counted[i] ? quest->profile->sensitive[i].n_codes : 0;
    }
    if (n_codes <= MOST_CODES) {
        quest->n_codes = (n_codes + PV_CELL_BLOCK - 1) / PV_CELL_BLOCK * PV_CELL_BLOCK;
        quest->n_columns = 0;
    }
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
                demand_variety(quest, i, least);
            }
        }
    }
    rules->n_rules = n_left;
    quest->n_columns = rules->n_sensitive;
    rules->n_sensitive = n_left > 0 ? rules->n_sensitive : 0;
    quest->breakable = n_left > 0;
    if (!quest->breakable && quest->n_varieties > 0) {
        use_sets(quest);
    } else if (quest->breakable) {
        use_cells(quest);
    }
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
    bool ready = quest->axes != NULL && take_tuples(quest);
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
                    quest->tuples.count[t] * level->kept[level->group[quest->tuples.leaf[q][t]]];
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
            pv_i_free(quest->axes[q].levels[l].up);
        }
        pv_i_free(quest->axes[q].levels);
    }
    pv_i_free(quest->axes);
    pv_i_tuples_deinit(&quest->tuples);
    pv_i_free(quest->all_rows);
    *quest = (pv_quest){0};
}

/* ---------------------------------------------------------------- merging */

static size_t slots_for(size_t n)
{
    size_t slots = 16;
    while (slots < 2 * n) {
        slots *= 2;
    }
    return slots;
}

bool pv_i_merger_init(pv_merger *merger, const pv_quest *quest)
{
    const size_t n = quest->tuples.n;
    size_t most_codes = 1;
    for (size_t i = 0; i < quest->n_columns; i++) {
        const size_t n_codes = quest->profile->sensitive[i].n_codes;
        most_codes = n_codes > most_codes ? n_codes : most_codes;
    }
    *merger = (pv_merger){.hash = PV_NEW_ARRAY(uint64_t, n),
                          .into = PV_NEW_ARRAY(uint32_t, n),
                          .first = PV_NEW_ARRAY(uint32_t, n + 1),
                          .member = PV_NEW_ARRAY(uint32_t, n),
                          .slots = PV_NEW_ARRAY(uint32_t, slots_for(n)),
                          .seen = PV_NEW_ARRAY(uint32_t, most_codes),
                          .entry = PV_NEW_ARRAY(uint32_t, most_codes)};
    return merger->hash != NULL && merger->into != NULL && merger->first != NULL &&
           merger->member != NULL && merger->slots != NULL && merger->seen != NULL &&
           merger->entry != NULL;
}

void pv_i_merger_deinit(pv_merger *merger)
{
    pv_i_free(merger->hash);
    pv_i_free(merger->into);
    pv_i_free(merger->first);
    pv_i_free(merger->member);
    pv_i_free(merger->slots);
    pv_i_free(merger->seen);
    pv_i_free(merger->entry);
    *merger = (pv_merger){0};
}

static bool are_alike(const pv_quest *quest, const pv_quest_tuples *from, uint32_t a, uint32_t b,
                      const uint8_t *low)
{
    for (size_t j = 0; j < quest->n_axes; j++) {
        const uint32_t *const group = quest->axes[j].levels[low[j]].group;
        if (group[from->leaf[j][a]] != group[from->leaf[j][b]]) {
            return false;
        }
    }
    return true;
}

/* Numbers the merged tuples: `into` and `first`. Returns how many there are, or 0 for too many. */
static size_t number_merged(pv_merger *m, const pv_quest *quest, const pv_quest_tuples *from,
                            const uint32_t *places, size_t n, const uint8_t *low, size_t worth)
{
    const size_t n_slots = slots_for(n);
    size_t n_merged = 0;
    memset(m->hash, 0, n * sizeof *m->hash);
    for (size_t j = 0; j < quest->n_axes; j++) {
        const uint32_t *const group = quest->axes[j].levels[low[j]].group;
        const uint32_t *const leaf = from->leaf[j];
        for (size_t i = 0; i < n; i++) {
            const uint64_t mixed = (m->hash[i] ^ group[leaf[places[i]]]) * 0x9e3779b97f4a7c15u;
            m->hash[i] = mixed ^ mixed >> 29;
        }
    }
    memset(m->slots, 0, n_slots * sizeof *m->slots);
    for (size_t i = 0; i < n; i++) {
        size_t slot = m->hash[i] & (n_slots - 1);
        while (m->slots[slot] != 0 &&
               (m->hash[m->first[m->slots[slot] - 1]] != m->hash[i] ||
                !are_alike(quest, from, places[m->first[m->slots[slot] - 1]], places[i], low))) {
            slot = (slot + 1) & (n_slots - 1);
        }
        if (m->slots[slot] == 0) {
            if (n_merged == worth) {
                return 0;
            }
            m->first[n_merged++] = (uint32_t)i;
            m->slots[slot] = (uint32_t)n_merged;
        }
        m->into[i] = m->slots[slot] - 1;
    }
    return n_merged;
}

/* The places that became each merged tuple: member[first[m]] .. member[first[m + 1] - 1]. */
static void sort_members(pv_merger *m, size_t n, size_t n_merged)
{
    memset(m->first, 0, (n_merged + 1) * sizeof *m->first);
    for (size_t i = 0; i < n; i++) {
        m->first[m->into[i]]++;
    }
    uint32_t end = 0;
    for (size_t t = 0; t <= n_merged; t++) { /* behind its last, while they are put in */
        end += m->first[t];
        m->first[t] = end;
    }
    for (size_t i = n; i-- > 0;) {
        m->member[--m->first[m->into[i]]] = (uint32_t)i;
    }
}

static bool merge_values(pv_merger *m, const pv_tuple_values *from, const uint32_t *places,
                         size_t n, size_t n_merged, size_t n_codes, pv_tuple_values *to)
{
    size_t most = 0;
    uint32_t end = 0;
    for (size_t i = 0; i < n; i++) {
        most += from->start[places[i] + 1] - from->start[places[i]];
    }
    if (!reserve_values(to, most)) {
        return false;
    }
    memset(m->seen, 0, n_codes * sizeof *m->seen);
    for (size_t t = 0; t < n_merged; t++) {
        to->start[t] = end;
        for (uint32_t i = m->first[t]; i < m->first[t + 1]; i++) {
            const uint32_t tuple = places[m->member[i]];
            for (uint32_t e = from->start[tuple]; e < from->start[tuple + 1]; e++) {
                const uint32_t code = from->code[e];
                if (m->seen[code] != t + 1) {
                    m->seen[code] = (uint32_t)(t + 1);
                    m->entry[code] = end;
                    to->code[end] = code;
                    to->count[end++] = 0;
                }
                to->count[m->entry[code]] += from->count[e];
            }
        }
    }
    to->start[n_merged] = end;
    return true;
}

bool pv_i_tuples_merge(pv_merger *m, const pv_quest *quest, const pv_quest_tuples *from,
                       const uint32_t *places, size_t n, const uint8_t *low, size_t worth,
                       pv_quest_tuples *to, size_t *n_merged)
{
    *n_merged = number_merged(m, quest, from, places, n, low, worth);
    if (*n_merged == 0) {
        return true;
    }
    if (!reserve_tuples(to, quest, *n_merged)) {
        return false;
    }
    to->n = *n_merged;
    for (size_t j = 0; j < quest->n_axes; j++) {
        for (size_t t = 0; t < to->n; t++) {
            to->leaf[j][t] = from->leaf[j][places[m->first[t]]];
        }
    }
    for (size_t t = 0; t < to->n; t++) {
        to->origin[t] = from->origin[places[m->first[t]]];
        to->count[t] = 0;
    }
    for (size_t i = 0; i < n; i++) {
        to->count[m->into[i]] += from->count[places[i]];
    }
    if (quest->sets) {
        memset(to->set, 0, to->n * sizeof *to->set);
    }
    for (size_t i = 0; quest->sets && i < n; i++) {
        to->set[m->into[i]] |= from->set[places[i]];
    }
    if (quest->n_codes > 0) {
        memset(to->cells, 0, to->n * quest->n_codes * sizeof *to->cells);
    }
    for (size_t i = 0; quest->n_codes > 0 && i < n; i++) {
        pv_i_cells_add(to->cells + m->into[i] * quest->n_codes,
                       from->cells + places[i] * quest->n_codes, quest->n_codes);
    }
    if (quest->n_columns > 0) {
        sort_members(m, n, to->n);
    }
    for (size_t i = 0; i < quest->n_columns; i++) {
        if (!merge_values(m, &from->values[i], places, n, to->n,
                          quest->profile->sensitive[i].n_codes, &to->values[i])) {
            return false;
        }
    }
    return true;
}
