/* The search for a local recoding of least loss (docs/model.md, section 7b).
 *
 *     price = a little
 *     repeat, the price a fifth higher each time:
 *         for every node of the lattice, those of least cost first:
 *             group the tuples that are not released yet
 *             release every group that keeps the demands and costs a row no more than the price
 *     see to those who are left: each joins the class where that costs least
 *     take neighbouring classes apart and put them together again (local_rebuild.c)
 *     suppress rows where that saves most, if some may be (local_budget.c)
 *
 * **Why by price.** A row is released at the first price at which enough others like it are still
 * there. Cheap classes come first, so nobody who could have a cheap one is spent on a dear one; and
 * the few rows that are unlike all others, which carry most of the loss, choose last, among
 * themselves.
 *
 * **Screening.** Before each price all nodes are screened together, on threads (local_screen.c):
 * which of them have a group of k rows for the price? That only counts rows, and leaves out most of
 * the lattice. So few nodes are grouped that have nothing to release.
 *
 * **Keys.** The key of a group is the sum of random marks of its nodes. Should two groups ever have
 * the same, their rows become one class, at the lowest nodes above them: correct, only dearer.
 *
 * **Many attributes.** A lattice of more than some 10^5 nodes is not gone through. Then rows are
 * divided from the top down into blocks (local_divide.c).
 *
 * **When nothing works out.** Someone can be left who has nothing in common with any class that was
 * made, but has with people in it. These are taken out of their classes, at best of such as can
 * spare them. If that does not end well either, it begins again with a scheme of levels for
 * everyone and divides its classes (local_levels.c). So whenever levels can keep the demands, this
 * can.
 *
 * Tried and lost: letting groups that are too small borrow rows from classes that can spare them
 * during the ascent costs ten times the time and gains less than rebuilding does afterwards. */
#include "records/local.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/ticker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_PRICE 0.0005
#define PRICE_RATIO 1.2
#define NOBODY UINT32_MAX
#define MOST_COMPARED 1e8 /* tuples, to find whom to take out of a class */

/* Tuples that look alike on a node. */
typedef struct {
    uint64_t rows;
    double cost;
    uint32_t first; /* tuple; the others follow in `next` */
} group;

typedef struct {
    const pv_local_space *space;
    pv_local_draft *classes;
    pv_class_scorer scorer;
    uint32_t *live; /* tuples that are not released, ascending; of those alike the first */
    size_t n_live;
    bool *released; /* per tuple */
    uint32_t *next; /* per tuple: another one of its group */
    group *groups;
    size_t n_groups;
    uint64_t *keys;  /* the table of groups: by key */
    uint32_t *slots; /* group + 1; only those stamped with the present node count */
    uint32_t *stamps;
    uint32_t stamp;
    size_t mask;
    const uint32_t **rung; /* per quasi-identifier: the nodes of its starts at the present node */
    size_t n_robberies;    /* that are still allowed */
    bool robbed;           /* some class has lost rows it may need */
    pv_ticker ticker;
    pv_arena arena;
    pv_error *error;
} search;

/* ---------------------------------------------------------------- releasing */

/* Do tuples that follow each other keep the demands, with all that are alike? Asked before a class
 * is made of them: with t most groups do not. */
static bool group_keeps(search *s, uint32_t first)
{
    if (s->space->rules.n_rules == 0) {
        return true;
    }
    pv_i_class_scorer_clear(&s->scorer);
    for (uint32_t t = first; t != NOBODY; t = s->next[t]) {
        for (uint32_t other = t; other != NOBODY; other = s->space->alike[other]) {
            pv_i_class_scorer_add(&s->scorer, other);
        }
    }
    return !pv_i_class_scorer_breaks(&s->scorer, false);
}

/* Adds a tuple and all that are alike. */
static bool add_alike(const search *s, size_t c, uint32_t first)
{
    bool added = true;
    for (uint32_t t = first; added && t != NOBODY; t = s->space->alike[t]) {
        added = pv_i_local_class_add(s->classes, c, t, s->space->profile->count[t]);
    }
    return added;
}

/* Makes a class of tuples that follow each other. Those who break a demand are not released. */
static pv_status release_group(search *s, uint32_t first, bool *released)
{
    *released = false;
    if (!group_keeps(s, first)) {
        return PV_STATUS_OK;
    }
    const size_t c = pv_i_local_class_new(s->classes);
    if (c == SIZE_MAX) {
        return pv_i_no_memory(s->error);
    }
    for (uint32_t t = first; t != NOBODY; t = s->next[t]) {
        if (!add_alike(s, c, t)) {
            return pv_i_no_memory(s->error);
        }
    }
    pv_i_local_tighten(s->classes, c);
    const uint32_t *const nodes = pv_i_local_nodes(s->classes, c);
    *released = !isinf(pv_i_local_join_cost(s->space, nodes, nodes, NULL, (double)INFINITY)) &&
                s->classes->list[c].size >= s->space->k;
    if (!*released) {
        pv_i_local_class_clear(s->classes, c);
        pv_i_free(s->classes->list[c].parts);
        s->classes->n--;
        return PV_STATUS_OK;
    }
    for (uint32_t t = first; t != NOBODY; t = s->next[t]) {
        s->released[t] = true;
    }
    return PV_STATUS_OK;
}

static void forget_released(search *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n_live; i++) {
        if (!s->released[s->live[i]]) {
            s->live[n++] = s->live[i];
        }
    }
    s->n_live = n;
}

/* Nobody is released. Who is `*` altogether where it starts, or may not be released there, can only
 * be suppressed. */
static pv_status begin(search *s)
{
    const size_t n = s->space->n_quasi;
    s->n_live = 0;
    for (uint32_t t = 0; t < s->space->n_tuples; t++) {
        const uint32_t *const raw = s->space->raw + t * n;
        s->released[t] = isinf(pv_i_local_join_cost(s->space, raw, raw, NULL, (double)INFINITY));
        if (!s->released[t] && s->space->rows[t] > 0) {
            s->live[s->n_live++] = t;
        }
        if (s->released[t] &&
            !pv_i_local_class_add(s->classes, PV_LOCAL_LOST, t, s->space->profile->count[t])) {
            return pv_i_no_memory(s->error);
        }
    }
    pv_i_local_tighten(s->classes, PV_LOCAL_LOST);
    return s->classes->list[PV_LOCAL_LOST].size <= s->space->budget ? PV_STATUS_OK
                                                                    : PV_STATUS_UNSATISFIED;
}

/* Whoever needs nobody else is released as is. */
static pv_status release_common(search *s)
{
    const size_t n = s->space->n_quasi;
    for (uint32_t t = 0; t < s->space->n_tuples; t++) {
        bool released = false;
        double cost = 0;
        for (size_t q = 0; q < n; q++) {
            cost += s->space->trees[q].cost[s->space->raw[t * n + q]];
        }
        s->next[t] = NOBODY;
        if (!s->released[t] && cost <= 0 && s->space->rows[t] >= s->space->k) {
            PV_TRY(release_group(s, t, &released));
        }
    }
    forget_released(s);
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------ a node */

/* The group of a key, which is added if it is new. */
static group *group_of(search *s, uint64_t key, double cost)
{
    size_t slot = (size_t)pv_i_hash_u64(key) & s->mask;
    while (s->stamps[slot] == s->stamp && s->keys[slot] != key) {
        slot = (slot + 1) & s->mask;
    }
    if (s->stamps[slot] != s->stamp) {
        s->stamps[slot] = s->stamp;
        s->keys[slot] = key;
        s->slots[slot] = (uint32_t)s->n_groups;
        s->groups[s->n_groups++] = (group){.cost = cost, .first = NOBODY};
    }
    return &s->groups[s->slots[slot]];
}

/* Sets the rungs of a node of the lattice. */
static void go_to(search *s, size_t node)
{
    for (size_t i = s->space->n_quasi; i-- > 0;) {
        const size_t q = s->space->order[i];
        const pv_local_tree *const tree = &s->space->trees[q];
        s->rung[q] = tree->rungs + node % tree->n_rungs * tree->n_starts;
        node /= tree->n_rungs;
    }
}

static void group_live(search *s, double price)
{
    const size_t n = s->space->n_quasi;
    const pv_local_tree *const trees = s->space->trees;
    s->stamp++;
    s->n_groups = 0;
    for (size_t i = 0; i < s->n_live; i++) {
        const uint32_t t = s->live[i];
        const uint32_t *const starts = s->space->starts + t * n;
        uint64_t key = 0;
        double cost = 0;
        for (size_t q = 0; q < n; q++) {
            const uint32_t node = s->rung[q][starts[q]];
            key += trees[q].mark[node];
            cost += trees[q].cost[node];
        }
        if (cost <= price) {
            group *const own = group_of(s, key, cost);
            own->rows += s->space->rows[t];
            s->next[t] = own->first;
            own->first = t;
        }
    }
}

/* Releases what can be had at a node for the price. What breaks a demand today may keep it at the
 * next price, without those who leave. */
static pv_status visit(search *s, size_t node, double price)
{
    bool any = false;
    go_to(s, node);
    group_live(s, price);
    for (size_t g = 0; g < s->n_groups; g++) {
        bool released = false;
        if (s->groups[g].rows >= s->space->k) {
            PV_TRY(release_group(s, s->groups[g].first, &released));
            any |= released;
        }
    }
    if (any) {
        forget_released(s);
    }
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------- the lattice */

static pv_status climb_prices(search *s)
{
    pv_local_screen *screen = NULL;
    pv_status status = PV_STATUS_OK;
    PV_TRY(pv_i_local_screen_create(s->space, s->ticker.context, &screen, s->error));
    for (double price = FIRST_PRICE; s->n_live > 0 && price < PRICE_RATIO; price *= PRICE_RATIO) {
        const uint32_t *nodes = NULL; /* that have something to release, the cheapest first */
        size_t n = 0;
        PV_TRY_CLEAN(
            pv_i_local_screen_run(screen, s->live, s->n_live, price, &nodes, &n, s->error));
        for (size_t i = 0; i < n && s->n_live > 0; i++) {
            PV_TRY_CLEAN(visit(s, nodes[i], price));
        }
        s->ticker = pv_i_ticker(s->ticker.context, "releasing", s->space->n_tuples);
        if (!pv_i_tick(&s->ticker, s->space->n_tuples - s->n_live)) {
            status = pv_i_cancelled(s->error);
            break;
        }
    }
cleanup:
    pv_i_local_screen_free(screen);
    return status;
}

static pv_status release_blocks(search *s, uint64_t seed)
{
    uint32_t *const tuples = PV_ARENA_ARRAY(&s->arena, uint32_t, s->space->n_tuples);
    size_t end = 0;
    for (size_t i = 0; tuples != NULL && i < s->n_live; i++) {
        for (uint32_t t = s->live[i]; t != NOBODY; t = s->space->alike[t]) {
            tuples[end++] = t;
        }
    }
    if (tuples == NULL) {
        return pv_i_no_memory(s->error);
    }
    PV_TRY(pv_i_local_divide(s->classes, tuples, &end, 1, s->released, seed, s->ticker.context,
                             s->error));
    forget_released(s);
    return PV_STATUS_OK;
}

/* --------------------------------------------------------------- who is left */

/* How those who are left can keep the demands: with all of another class, or with some rows that it
 * can spare. */
typedef struct {
    size_t partner; /* SIZE_MAX = there is none */
    size_t part;    /* of it, from which rows are borrowed; SIZE_MAX = all of the class joins */
    uint64_t rows;
    double added; /* loss */
} remedy;

static void consider_merging(const search *s, size_t c, size_t other, remedy *best)
{
    const pv_local_class *const own = &s->classes->list[c];
    const pv_local_class *const partner = &s->classes->list[other];
    const double together =
        pv_i_local_join_cost(s->space, pv_i_local_nodes(s->classes, c),
                             pv_i_local_nodes(s->classes, other), NULL, (double)INFINITY);
    const double added = (double)own->size * (together - own->cost) +
                         (double)partner->size * (together - partner->cost);
    if (added < best->added) {
        *best = (remedy){.partner = other, .part = SIZE_MAX, .added = added};
    }
}

/* Rows are counted per class: what one of its parts lends, no other can. */
static void consider_borrowing(const search *s, size_t c, size_t other, remedy *best)
{
    const pv_local_class *const own = &s->classes->list[c];
    const pv_local_class *const donor = &s->classes->list[other];
    const uint64_t missing = s->space->k - own->size;
    for (size_t i = 0; donor->size >= s->space->k + missing && i < donor->n_parts; i++) {
        if (donor->parts[i].rows < missing) {
            continue;
        }
        const double together =
            pv_i_local_join_cost(s->space, pv_i_local_nodes(s->classes, c),
                                 s->space->raw + (size_t)donor->parts[i].tuple * s->space->n_quasi,
                                 NULL, (double)INFINITY);
        const double added =
            (double)own->size * (together - own->cost) + (double)missing * (together - donor->cost);
        if (added < best->added) {
            *best = (remedy){.partner = other, .part = i, .rows = missing, .added = added};
        }
    }
}

static remedy find_remedy(const search *s, size_t c)
{
    const pv_local_class *const own = &s->classes->list[c];
    remedy best = {.partner = SIZE_MAX, .added = (double)INFINITY};
    for (size_t other = PV_LOCAL_LOST + 1; other < s->classes->n; other++) {
        const uint64_t size = s->classes->list[other].size;
        if (other == c || size == 0) {
            continue;
        }
        if (!s->space->divides || size + own->size >= s->space->k) {
            consider_merging(s, c, other, &best);
        }
        if (s->space->divides && own->size < s->space->k) {
            consider_borrowing(s, c, other, &best);
        }
    }
    return best;
}

static bool apply_remedy(search *s, size_t c, const remedy *r)
{
    if (r->part == SIZE_MAX) {
        return pv_i_local_merge(s->classes, c, r->partner);
    }
    const uint32_t tuple = s->classes->list[r->partner].parts[r->part].tuple;
    pv_i_local_class_take(s->classes, r->partner, r->part, r->rows);
    const bool added = pv_i_local_class_add(s->classes, c, tuple, r->rows);
    pv_i_local_tighten(s->classes, c);
    return added;
}

/* A tuple of another class with which a class would lose least, if any has something in common with
 * it; at best one that its class can spare. */
static remedy find_victim(const search *s, size_t c)
{
    const pv_local_space *const space = s->space;
    const pv_local_class *const own = &s->classes->list[c];
    const uint64_t missing = own->size < space->k ? space->k - own->size : UINT64_MAX;
    remedy best[2] = {{.partner = SIZE_MAX, .added = (double)INFINITY},
                      {.partner = SIZE_MAX, .added = (double)INFINITY}};
    for (size_t other = PV_LOCAL_LOST + 1; other < s->classes->n; other++) {
        const pv_local_class *const donor = &s->classes->list[other];
        for (size_t i = 0; other != c && donor->size > 0 && i < donor->n_parts; i++) {
            const uint64_t all = donor->parts[i].rows;
            const uint64_t rows = space->divides && missing < all ? missing : all;
            const double together =
                pv_i_local_join_cost(space, pv_i_local_nodes(s->classes, c),
                                     space->raw + (size_t)donor->parts[i].tuple * space->n_quasi,
                                     NULL, (double)INFINITY);
            const double added = (double)own->size * (together - own->cost) +
                                 (double)rows * (together - donor->cost);
            remedy *const kind = &best[donor->size - rows >= space->k ? 0 : 1];
            if (added / (double)rows < kind->added) {
                *kind = (remedy){
                    .partner = other, .part = i, .rows = rows, .added = added / (double)rows};
            }
        }
    }
    return best[best[0].partner != SIZE_MAX ? 0 : 1];
}

/* One step of a class that breaks a demand: it joins or borrows at least cost; where nobody can
 * take it in, it is suppressed, or takes what others may need. Where suppressing saves something is
 * found out when all classes are known. */
static pv_status settle_once(search *s, size_t c)
{
    pv_local_draft *const classes = s->classes;
    remedy best = find_remedy(s, c);
    if (best.partner == SIZE_MAX &&
        classes->list[c].size <= s->space->budget - classes->list[PV_LOCAL_LOST].size) {
        return pv_i_local_merge(classes, PV_LOCAL_LOST, c) ? PV_STATUS_OK
                                                           : pv_i_no_memory(s->error);
    }
    if (best.partner == SIZE_MAX && s->n_robberies > 0) {
        best = find_victim(s, c);
        s->n_robberies--;
        s->robbed = true;
    }
    return best.partner == SIZE_MAX    ? PV_STATUS_UNSATISFIED
           : apply_remedy(s, c, &best) ? PV_STATUS_OK
                                       : pv_i_no_memory(s->error);
}

static bool is_settled(search *s, size_t c)
{
    return s->classes->list[c].size == 0 || pv_i_local_keeps(s->classes, &s->scorer, c);
}

pv_status pv_i_local_together(pv_local_draft *classes, pv_class_scorer *scorer, pv_error *error)
{
    const pv_local_space *const space = classes->space;
    pv_i_local_classes_clear(classes);
    const size_t all = pv_i_local_class_new(classes);
    for (uint32_t t = 0; all != SIZE_MAX && t < space->n_tuples; t++) {
        if (!pv_i_local_class_add(classes, all, t, space->profile->count[t])) {
            return pv_i_no_memory(error);
        }
    }
    if (all == SIZE_MAX) {
        return pv_i_no_memory(error);
    }
    pv_i_local_tighten(classes, all);
    return isinf(classes->list[all].cost) || !pv_i_local_keeps(classes, scorer, all)
               ? PV_STATUS_UNSATISFIED
               : PV_STATUS_OK;
}

/* A class for each that is not released yet; the number of the first. */
static pv_status class_each(search *s, size_t *first)
{
    *first = s->classes->n;
    for (size_t i = 0; i < s->n_live; i++) {
        const size_t c = pv_i_local_class_new(s->classes);
        if (c == SIZE_MAX || !add_alike(s, c, s->live[i])) {
            return pv_i_no_memory(s->error);
        }
        pv_i_local_tighten(s->classes, c);
    }
    return PV_STATUS_OK;
}

/* From one class on; all over again where someone was robbed. */
static pv_status settle_from(search *s, size_t first)
{
    s->robbed = false;
    for (size_t c = first; c < s->classes->n; c++) {
        while (!is_settled(s, c)) {
            PV_TRY(settle_once(s, c));
        }
        if (!pv_i_tick(&s->ticker, s->space->n_tuples)) {
            return pv_i_cancelled(s->error);
        }
    }
    return PV_STATUS_OK;
}

static pv_status settle_rest(search *s)
{
    size_t first = 0;
    PV_TRY(class_each(s, &first));
    s->n_robberies = 100 + (size_t)fmin(MOST_COMPARED / (double)s->space->n_tuples,
                                        4 * (double)s->space->n_tuples);
    do {
        PV_TRY(settle_from(s, first));
        first = PV_LOCAL_LOST + 1;
    } while (s->robbed);
    pv_i_local_tighten(s->classes, PV_LOCAL_LOST);
    return PV_STATUS_OK;
}

/* From the other end: from levels for everyone, or with everyone in one class. */
static pv_status settle_from_levels(search *s, uint64_t seed, bool *all_seen)
{
    uint8_t *const levels = PV_ARENA_ARRAY(&s->arena, uint8_t, s->space->n_quasi);
    pv_i_local_classes_clear(s->classes);
    if (levels == NULL) {
        return pv_i_no_memory(s->error);
    }
    pv_status status =
        pv_i_local_find_levels(s->space, s->ticker.context, levels, all_seen, s->error);
    if (status == PV_STATUS_OK) {
        status = pv_i_local_from_levels(s->classes, levels, seed, s->ticker.context, s->error);
    }
    return status == PV_STATUS_UNSATISFIED ? pv_i_local_together(s->classes, &s->scorer, s->error)
                                           : status;
}

/* --------------------------------------------------------------------- all */

static pv_status search_init(search *s)
{
    const size_t n = s->space->n_tuples;
    size_t slots = 16;
    while (slots < 2 * n) {
        slots *= 2;
    }
    s->mask = slots - 1;
    s->live = PV_ARENA_ARRAY(&s->arena, uint32_t, n);
    s->released = PV_ARENA_ARRAY(&s->arena, bool, n);
    s->next = PV_ARENA_ARRAY(&s->arena, uint32_t, n);
    s->groups = PV_ARENA_ARRAY(&s->arena, group, n);
    s->keys = PV_ARENA_ARRAY(&s->arena, uint64_t, slots);
    s->slots = PV_ARENA_ARRAY(&s->arena, uint32_t, slots);
    s->stamps = PV_ARENA_ARRAY(&s->arena, uint32_t, slots);
    s->rung = PV_ARENA_ARRAY(&s->arena, const uint32_t *, s->space->n_quasi);
    return s->arena.failed ? pv_i_no_memory(s->error)
                           : pv_i_class_scorer_init(&s->scorer, &s->space->rules, s->error);
}

static pv_status finish(pv_local_draft *classes, const pv_local_settings *settings,
                        pv_local_account *account, pv_error *error)
{
    PV_TRY(pv_i_local_improve(classes, settings, account, error));
    PV_TRY(pv_i_local_spend_budget(classes, settings->context, error));
    return pv_i_local_merge_equal(classes) ? PV_STATUS_OK : pv_i_no_memory(error);
}

/* Where some had to be suppressed: rather all of them in one class, and that improved, if it loses
 * less. This is what there is without a budget, so that one is never worse. */
static pv_status prefer_together(search *s, const pv_local_settings *settings,
                                 pv_local_account *account)
{
    pv_local_draft *const found = s->classes;
    pv_local_draft other;
    pv_local_account spent = {0};
    bool is_better = false;
    pv_status status = pv_i_local_classes_init(&other, s->space)
                           ? pv_i_local_together(&other, &s->scorer, s->error)
                           : pv_i_no_memory(s->error);
    if (status == PV_STATUS_OK) {
        status = finish(&other, settings, &spent, s->error);
        account->steps += spent.steps;
        account->improved += spent.improved;
        account->stop = spent.stop != PV_STOP_FINISHED ? spent.stop : account->stop;
        is_better = pv_i_local_loss(&other) < pv_i_local_loss(found);
    }
    if (status == PV_STATUS_OK && is_better) {
        const pv_local_draft worse = *found;
        *found = other;
        other = worse;
    }
    pv_i_local_classes_deinit(&other);
    return status == PV_STATUS_UNSATISFIED ? PV_STATUS_OK : status;
}

pv_status pv_i_local_find(const pv_local_space *space, const pv_local_settings *settings,
                          pv_local_draft *classes, pv_local_account *account, pv_error *error)
{
    const double began = pv_i_now();
    search s = {.space = space, .classes = classes, .error = error};
    pv_status status = PV_STATUS_OK;
    s.ticker.context = settings->context;
    *account = (pv_local_account){.by_blocks = pv_i_local_lattice(space) > PV_LOCAL_MOST_NODES,
                                  .all_levels_seen = true};
    PV_TRY_CLEAN(search_init(&s));
    status = begin(&s);
    const uint64_t hopeless = classes->list[PV_LOCAL_LOST].size;
    if (status == PV_STATUS_OK) {
        PV_TRY_CLEAN(release_common(&s));
        PV_TRY_CLEAN(account->by_blocks ? release_blocks(&s, settings->seed) : climb_prices(&s));
        status = settle_rest(&s);
    }
    if (status == PV_STATUS_UNSATISFIED) {
        status = settle_from_levels(&s, settings->seed, &account->all_levels_seen);
    }
    PV_TRY_CLEAN(status);
    /* Others than those who cannot be released at all. */
    const bool some_lost = classes->list[PV_LOCAL_LOST].size > 0 && hopeless == 0;
    pv_local_settings each = *settings; /* there are two recodings to improve if some are lost */
    each.improve_seconds /= some_lost && each.improve_seconds > 0 ? 2 : 1;
    PV_TRY_CLEAN(finish(classes, &each, account, error));
    if (some_lost) {
        PV_TRY_CLEAN(prefer_together(&s, &each, account));
    }
cleanup:
    pv_i_class_scorer_deinit(&s.scorer);
    pv_i_arena_deinit(&s.arena);
    account->seconds = pv_i_now() - began;
    return status;
}
