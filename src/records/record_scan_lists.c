/* Lists of all records with some attributes fixed, and how one more is fixed.
 *
 * Before a position, the attributes before it are generalized to the levels of the path, and the
 * others are raw. A *run* is one combination of the generalized values, an *entry* of it the
 * records that also share all raw values after them: one suffix (record_scan.h), in ascending
 * order.
 *
 *     list before position 2                           parts, by the value of attribute 2
 *     run 0: age 20-39, sex M   entry 0: suffix 3 (2 people)    \  zip 101
 *                               entry 1: suffix 9 (1)           /
 *                               entry 2: suffix 12 (4)           - zip 102
 *     run 1: age 20-39, sex F   entry 3: suffix 3 (1)            - zip 101
 *                               entry 4: suffix 7 (6)            - zip 102
 *
 *     child, with attribute 2 at the level where 101 and 102 are one group
 *     run 0: age 20-39, M, 10*  the suffixes after 3, 9 and 12, merged where they have become equal
 *     run 1: age 20-39, F, 10*  ...
 *
 *     map[entry] = entry of the child it went into
 *
 * Because suffixes are numbered in order, the entries of a run with one value are neighbours (a
 * *part*), and because leaves are numbered in tree order, so are the parts of one group. To fix an
 * attribute at a level, neighbouring parts of one group become one run of the child. What is found
 * for an entry of the child is found for all records in it: it comes back along `map`. Runs never
 * meet again, so one that cannot lead to anything better for any of its records is left out.
 *
 * Who fits a run? Where the dictionary is the table: its own records, counted in the entries.
 * Otherwise every run also has dictionary entries, the rows consistent with its fixed values and
 * their own suffixes. A dictionary value may be consistent with no group of a level, with one, or
 * with several; with `*` it always is. */
#include "records/record_scan.h"

#include "base/bitset.h"
#include "base/error.h"
#include "base/memory.h"

/* ------------------------------------------------------------------ memory */

bool pv_i_scan_list_reserve(pv_scan_list *list, size_t n)
{
    list->n = list->n_runs = list->n_dict = 0;
    if (n <= list->capacity) {
        return true;
    }
    pv_arena *const arena = &list->arena;
    pv_i_scan_list_deinit(list);
    list->suffix = PV_ARENA_ARRAY(arena, uint32_t, n);
    list->count = PV_ARENA_ARRAY(arena, uint32_t, n);
    list->limit = PV_ARENA_ARRAY(arena, pv_rank, n);
    list->start = PV_ARENA_ARRAY(arena, uint32_t, n + 1);
    list->worth = PV_ARENA_ARRAY(arena, pv_worth, n);
    list->total = PV_ARENA_ARRAY(arena, uint32_t, n);
    list->is_improved = PV_ARENA_ARRAY(arena, bool, n);
    list->dict_start = PV_ARENA_ARRAY(arena, uint32_t, n + 1);
    list->capacity = arena->failed ? 0 : n;
    return !arena->failed;
}

void pv_i_scan_list_deinit(pv_scan_list *list)
{
    pv_i_arena_deinit(&list->arena);
    pv_i_free(list->dict_suffix);
    pv_i_free(list->dict_count);
    *list = (pv_scan_list){0};
}

static bool reserve_frame(pv_scan_frame *frame, size_t n)
{
    if (n <= frame->capacity) {
        return true;
    }
    pv_arena *const arena = &frame->arena;
    pv_i_arena_deinit(arena);
    frame->parts = PV_ARENA_ARRAY(arena, pv_scan_part, n);
    frame->origin = PV_ARENA_ARRAY(arena, pv_scan_origin, n);
    frame->map = PV_ARENA_ARRAY(arena, uint32_t, n);
    frame->best = PV_ARENA_ARRAY(arena, pv_scan_best, n);
    frame->capacity = arena->failed ? 0 : n;
    return !arena->failed;
}

bool pv_i_scan_worker_init(pv_scan_worker *worker, const pv_scan_tables *tables)
{
    const uint32_t n_dict = tables->is_table ? 0 : tables->dict.n[0];
    const uint32_t n_suffixes = tables->suffixes.n[0] > n_dict ? tables->suffixes.n[0] : n_dict;
    const size_t n_words = PV_BITSET_WORDS((size_t)n_suffixes);
    uint32_t n_groups = 1;
    for (size_t p = 0; p < tables->n; p++) {
        const uint32_t here = tables->attributes[p].n_groups;
        n_groups = here > n_groups ? here : n_groups;
    }
    *worker = (pv_scan_worker){.tables = tables};
    pv_arena *const arena = &worker->arena;
    worker->frames = PV_ARENA_ARRAY(arena, pv_scan_frame, tables->n);
    worker->marks.n_summary = PV_BITSET_WORDS(n_words);
    worker->marks.bits = PV_ARENA_ARRAY(arena, uint64_t, n_words);
    worker->marks.summary = PV_ARENA_ARRAY(arena, uint64_t, worker->marks.n_summary);
    worker->marks.number = PV_ARENA_ARRAY(arena, uint32_t, n_suffixes);
    worker->group_total = PV_ARENA_ARRAY(arena, uint32_t, n_groups);
    worker->group_run = PV_ARENA_ARRAY(arena, uint32_t, n_groups);
    if (!arena->failed) {
        memset(worker->group_run, 0xff, n_groups * sizeof *worker->group_run); /* PV_NOWHERE */
    }
    return !arena->failed;
}

void pv_i_scan_worker_deinit(pv_scan_worker *worker)
{
    for (size_t p = 0; worker->frames != NULL && p < worker->tables->n; p++) {
        pv_i_scan_list_deinit(&worker->frames[p].child);
        pv_i_arena_deinit(&worker->frames[p].arena);
    }
    pv_i_free(worker->scratch);
    pv_i_arena_deinit(&worker->arena);
    *worker = (pv_scan_worker){0};
}

/* --------------------------------------------------------- dictionary's side */

/* The groups that a value of the dictionary is consistent with. */
typedef struct {
    const uint32_t *group;
    uint32_t n;
} group_list;

static inline group_list groups_at(const pv_scan_attribute *a, unsigned level, uint32_t value)
{
    static const uint32_t top = 0;
    if (level == a->height) {
        return (group_list){&top, 1};
    }
    const pv_consistency *const at = &a->known->levels[level];
    return (group_list){at->group + at->start[value], at->start[value + 1] - at->start[value]};
}

/* Adds to group_total how many dictionary rows of a run go to each group. */
static void dict_count(pv_scan_worker *worker, size_t position, const pv_scan_list *list,
                       size_t run, unsigned level)
{
    const pv_scan_attribute *const a = &worker->tables->attributes[position];
    const uint32_t *const value = worker->tables->dict.value[position];
    for (uint32_t i = list->dict_start[run]; i < list->dict_start[run + 1]; i++) {
        const group_list to = groups_at(a, level, value[list->dict_suffix[i]]);
        for (uint32_t g = 0; g < to.n; g++) {
            worker->group_total[to.group[g]] += list->dict_count[i];
        }
    }
}

/* Memory for the child's dictionary entries up to `end`, and scratch to merge the new ones. */
static bool dict_reserve(pv_scan_worker *worker, pv_scan_list *child, size_t end)
{
    const size_t n_new = end - child->n_dict;
    if (end > child->dict_capacity) {
        const size_t wanted = 2 * end;
        uint32_t *const suffix = pv_i_resize(child->dict_suffix, wanted, sizeof *suffix);
        child->dict_suffix = suffix != NULL ? suffix : child->dict_suffix;
        uint32_t *const count = pv_i_resize(child->dict_count, wanted, sizeof *count);
        child->dict_count = count != NULL ? count : child->dict_count;
        if (suffix == NULL || count == NULL) {
            return false;
        }
        child->dict_capacity = wanted;
    }
    if (n_new > worker->scratch_capacity) {
        pv_i_free(worker->scratch);
        worker->scratch = PV_NEW_ARRAY(uint32_t, 3 * n_new);
        worker->scratch_capacity = worker->scratch != NULL ? n_new : 0;
    }
    return n_new <= worker->scratch_capacity;
}

/* A counting sort by run, in three passes over the entries of the run that is divided: how many go
 * to each of the child's new runs, copying them there, merging what has become equal.
 *
 *     dict_start after the first pass    where a run's entries begin
 *                after copying           where they end
 *                after merging           where they begin, closed up
 *
 * Here the first: makes a place for the entries. Returns where all end. */
static size_t dict_lay_out(const pv_scan_worker *worker, size_t position, const pv_scan_list *list,
                           size_t run, unsigned level, size_t first_new)
{
    const pv_scan_attribute *const a = &worker->tables->attributes[position];
    const uint32_t *const value = worker->tables->dict.value[position];
    const pv_scan_list *const child = &worker->frames[position].child;
    uint32_t *const start = child->dict_start;
    size_t end = child->n_dict;
    memset(start + first_new, 0, (child->n_runs - first_new) * sizeof *start);
    for (uint32_t i = list->dict_start[run]; i < list->dict_start[run + 1]; i++) {
        const group_list to = groups_at(a, level, value[list->dict_suffix[i]]);
        for (uint32_t g = 0; g < to.n; g++) {
            const uint32_t at = worker->group_run[to.group[g]];
            if (at != PV_NOWHERE) {
                start[at]++;
            }
        }
    }
    for (size_t r = first_new; r < child->n_runs; r++) {
        const uint32_t here = start[r];
        start[r] = (uint32_t)end;
        end += here;
    }
    return end;
}

/* Copies them there. Afterwards dict_start of a run is where its entries end. */
static void dict_copy(const pv_scan_worker *worker, size_t position, const pv_scan_list *list,
                      size_t run, unsigned level)
{
    const pv_scan_attribute *const a = &worker->tables->attributes[position];
    const uint32_t *const value = worker->tables->dict.value[position];
    const uint32_t *const next = worker->tables->dict.next[position];
    const pv_scan_list *const child = &worker->frames[position].child;
    for (uint32_t i = list->dict_start[run]; i < list->dict_start[run + 1]; i++) {
        const uint32_t suffix = list->dict_suffix[i];
        const group_list to = groups_at(a, level, value[suffix]);
        for (uint32_t g = 0; g < to.n; g++) {
            const uint32_t at = worker->group_run[to.group[g]];
            if (at != PV_NOWHERE) {
                const uint32_t slot = child->dict_start[at]++;
                child->dict_suffix[slot] = next[suffix];
                child->dict_count[slot] = list->dict_count[i];
            }
        }
    }
}

/* Merges the entries [from, end) into those from child->n_dict on. Both may overlap, since merging
 * only shortens. */
static void dict_merge(pv_scan_worker *worker, pv_scan_list *child, size_t from, size_t end)
{
    const size_t n = end - from;
    if (n == 0) {
        return;
    }
    uint32_t *const sums = worker->scratch;
    uint32_t *const distinct = sums + worker->scratch_capacity;
    uint32_t *const number = distinct + worker->scratch_capacity;
    const size_t n_new =
        pv_i_scan_distinct(&worker->marks, child->dict_suffix + from, n, distinct, number);
    memset(sums, 0, n_new * sizeof *sums);
    for (size_t i = 0; i < n; i++) {
        sums[number[i]] += child->dict_count[from + i];
    }
    memcpy(child->dict_suffix + child->n_dict, distinct, n_new * sizeof *distinct);
    memcpy(child->dict_count + child->n_dict, sums, n_new * sizeof *sums);
    child->n_dict += n_new;
}

/* Sends what is left of the dictionary rows of a run to the child's runs from `first_new` on
 * (group_run says which; PV_NOWHERE for groups left out). */
static bool dict_send(pv_scan_worker *worker, size_t position, const pv_scan_list *list, size_t run,
                      unsigned level, size_t first_new)
{
    pv_scan_list *const child = &worker->frames[position].child;
    if (child->n_runs == first_new) {
        return true;
    }
    const size_t end = dict_lay_out(worker, position, list, run, level, first_new);
    if (end > UINT32_MAX || !dict_reserve(worker, child, end)) {
        return false;
    }
    size_t from = child->n_dict;
    dict_copy(worker, position, list, run, level);
    for (size_t r = first_new; r < child->n_runs; r++) {
        const size_t run_end = child->dict_start[r];
        child->dict_start[r] = (uint32_t)child->n_dict;
        dict_merge(worker, child, from, run_end);
        from = run_end;
    }
    child->dict_start[child->n_runs] = (uint32_t)child->n_dict;
    return true;
}

/* ----------------------------------------------------------------- choices */

/* What releasing something of that worth, in units, and that rho comes to. False: not accepted. */
static inline bool weigh(const pv_scan_worker *worker, pv_worth worth, uint32_t rho,
                         pv_scan_best *choice)
{
    const pv_weighing *const w = worker->tables->weighing;
    choice->rho = rho;
    if (worker->is_counting) { /* of what is equally good the lowest levels win */
        choice->rank = (pv_rank){0, 0};
        return true;
    }
    const double risk = pv_i_weighing_risk(w, worth.phi, rho);
    choice->rank = pv_i_weighing_rank(w, worth.utility, risk);
    return pv_i_weighing_accepts(w, worker->floor, worth.utility, risk);
}

/* In a ragged tree a value may be `*` below the top. It is skipped there and met again at the top,
 * together with everyone who fits `*`. */
static inline bool is_early_root(const pv_scan_attribute *a, uint32_t leaf, unsigned level)
{
    return level < a->height && a->root_level[leaf] <= level;
}

/* Fixing the attribute of a position at a level. */
typedef struct {
    pv_scan_worker *worker;
    size_t position;
    unsigned level;
    uint32_t node; /* of the levels fixed so far, this one included */
    pv_scan_list *list;
    pv_scan_best *best; /* per entry of the list */
} fixing;

/* Some parts that become one run of the child. */
typedef struct {
    pv_scan_part *parts;
    size_t n_parts;
    uint32_t first, end; /* entries: [first, end) */
    pv_worth worth;
    uint32_t total;
    pv_rank limit; /* the worst that any of its records has use for, as far as is known */
} new_run;

/* All open attributes at `*`: this fits everyone that the run does. False: of no use to anyone. */
static bool offer_top(const fixing *f, const new_run *r)
{
    const pv_scan_remaining *const open = &f->worker->tables->remaining[f->position + 1];
    pv_scan_best choice = {.node = f->node + open->top_node};
    const pv_worth worth = {r->worth.utility + open->top_utility, r->worth.phi};
    if (!open->may_be_top || !weigh(f->worker, worth, r->total, &choice) ||
        pv_i_rank_compare(choice.rank, r->limit) > 0) {
        return false;
    }
    bool improved = false;
    for (uint32_t i = r->first; i < r->end; i++) {
        improved |= pv_i_scan_offer(&choice, &f->best[i], &f->list->limit[i]);
    }
    f->list->is_improved[r->parts->run] |= improved;
    return true;
}

/* All open attributes raw. */
static void offer_raw(const fixing *f, const new_run *r)
{
    const pv_scan_tables *const tables = f->worker->tables;
    const uint32_t *const next = tables->suffixes.next[f->position];
    pv_scan_list *const list = f->list;
    for (uint32_t i = r->first; i < r->end; i++) {
        const pv_raw_suffix raw = tables->remaining[f->position + 1].raw[next[list->suffix[i]]];
        pv_scan_best choice = {.node = f->node + raw.node};
        const pv_worth worth = {r->worth.utility + raw.worth.utility, r->worth.phi + raw.worth.phi};
        if (weigh(f->worker, worth, r->total, &choice)) {
            list->is_improved[r->parts->run] |=
                pv_i_scan_offer(&choice, &f->best[i], &list->limit[i]);
        }
    }
}

/* Limits are what they were when the run was divided, unless something was found since. */
static void renew_limits(const fixing *f, new_run *r)
{
    if (!f->list->is_improved[r->parts->run]) {
        return;
    }
    r->limit = PV_NOTHING_WANTED;
    for (size_t p = 0; p < r->n_parts; p++) {
        pv_scan_part *const part = &r->parts[p];
        part->limit = PV_NOTHING_WANTED;
        for (uint32_t i = part->start; i < part->end; i++) {
            part->limit = pv_i_rank_worse(part->limit, f->list->limit[i]);
        }
        r->limit = pv_i_rank_worse(r->limit, part->limit);
    }
}

/* A rank that no choice for the open attributes, other than the top, can beat. False: none can be
 * accepted.
 *
 * Valid because each part of it is: utility is at most that of the raw values; sensitivity at least
 * what the missing utility costs (record_scan_tables.c), or if none is missing, that of the least
 * sensitive value, since something but `*` is released; and rho at most that of the run, since
 * fixing more attributes only takes people away. Model III alone has rho 0 count as everyone. */
static bool look_ahead(const fixing *f, const new_run *r, pv_rank *bound)
{
    const pv_scan_tables *const tables = f->worker->tables;
    const pv_weighing *const w = tables->weighing;
    const pv_scan_remaining *const open = &tables->remaining[f->position + 1];
    const bool may_vanish = !tables->is_table && !pv_i_weighing_is_monotone(w);
    const int64_t missing = f->worker->floor - r->worth.utility - open->top_utility;
    const int64_t price = w->aim == PV_AIM_LEAST_RISK && missing > 0
                              ? pv_i_scan_price(&open->prices, missing)
                              : open->least_phi;
    const pv_prospect prospect = {.utility = r->worth.utility + open->most.utility,
                                  .least_phi = r->worth.phi + price,
                                  .most_phi = r->worth.phi + open->most.phi,
                                  .rho = may_vanish ? w->n_rows : r->total};
    const double risk = pv_i_prospect_risk(w, &prospect);
    *bound = pv_i_weighing_rank(w, prospect.utility, risk);
    return pv_i_weighing_accepts(w, f->worker->floor, prospect.utility, risk);
}

/* If nothing that is still to be chosen changes rho, then in models II and III the open attributes
 * are best released raw: that is the most useful, and runs no more risk than anything less (model
 * II counts people only; in III more sensitivity at the same rho is less risk). So it is where a
 * run is one entry of the table itself, or the attacker knows none of the open attributes. In model
 * I sensitivity still counts. */
static bool is_settled(const fixing *f, const new_run *r)
{
    const pv_scan_tables *const tables = f->worker->tables;
    return tables->weighing->model != PV_RISK_I && tables->remaining[f->position + 1].may_be_raw &&
           (tables->is_table ? r->end - r->first == 1 : f->position + 1 >= tables->n_known);
}

/* Offers the choices that are known at once. Is there more to it? The limits at hand may be too
 * generous: only if they allow anything, those of the entries are looked at. */
static bool is_promising(const fixing *f, new_run *r)
{
    pv_rank bound;
    if (f->worker->is_counting) {
        return true;
    }
    const bool offered = offer_top(f, r);
    const bool possible = look_ahead(f, r, &bound);
    const bool promising = possible && pv_i_rank_compare(bound, r->limit) <= 0;
    if (!offered && !promising) {
        return false;
    }
    renew_limits(f, r);
    if (!promising || pv_i_rank_compare(bound, r->limit) > 0) {
        return false;
    }
    if (is_settled(f, r)) {
        offer_raw(f, r);
        return false;
    }
    return true;
}

/* At a lower level the parts of a run are no less sensitive and fit no more people. Is that too
 * much already? Then lower levels need not be looked at. */
static bool is_finished(const fixing *f, const new_run *r)
{
    const pv_weighing *const w = f->worker->tables->weighing;
    if (!pv_i_weighing_is_monotone(w) || w->aim == PV_AIM_BALANCE || f->worker->is_counting) {
        return false;
    }
    const double risk = pv_i_weighing_risk(w, r->worth.phi, r->total);
    return w->aim == PV_AIM_LEAST_RISK ? pv_i_blur(risk) > r->limit.first
                                       : !pv_i_weighing_bears(w, risk);
}

/* --------------------------------------------------------- fix an attribute */

bool pv_i_scan_divide(pv_scan_worker *worker, size_t position, const pv_scan_list *list)
{
    pv_scan_frame *const frame = &worker->frames[position];
    const uint32_t *const value = worker->tables->suffixes.value[position];
    if (!reserve_frame(frame, list->n)) {
        return false;
    }
    memset(list->is_improved, 0, list->n_runs * sizeof *list->is_improved);
    pv_scan_part *next = frame->parts;
    for (uint32_t run = 0; run < list->n_runs; run++) {
        for (uint32_t i = list->start[run]; i < list->start[run + 1];) {
            pv_scan_part part = {
                .start = i, .leaf = value[list->suffix[i]], .run = run, .limit = PV_NOTHING_WANTED};
            for (; i < list->start[run + 1] && value[list->suffix[i]] == part.leaf; i++) {
                part.total += list->count[i];
                part.limit = pv_i_rank_worse(part.limit, list->limit[i]);
            }
            part.end = i;
            *next++ = part;
        }
    }
    frame->n_parts = (size_t)(next - frame->parts);
    return true;
}

/* One part: its suffixes stay different, since they had the same value. */
static void copy_entries(const fixing *f, const new_run *r)
{
    const pv_scan_frame *const frame = &f->worker->frames[f->position];
    pv_scan_list *const child = &f->worker->frames[f->position].child;
    const uint32_t *const next = f->worker->tables->suffixes.next[f->position];
    size_t to = child->n;
    for (uint32_t i = r->first; i < r->end; i++, to++) {
        frame->map[i] = (uint32_t)to;
        child->suffix[to] = next[f->list->suffix[i]];
        child->count[to] = f->list->count[i];
        child->limit[to] = f->list->limit[i];
    }
    child->n = to;
}

/* Several parts: suffixes that differed only in the value that is now generalized have become
 * equal, and are one entry with all their people. Its limit is the worst of theirs: something is of
 * use if it is to anybody in it. */
static void merge_entries(const fixing *f, const new_run *r)
{
    pv_scan_frame *const frame = &f->worker->frames[f->position];
    pv_scan_list *const child = &frame->child;
    const uint32_t *const next = f->worker->tables->suffixes.next[f->position];
    const size_t n = r->end - r->first;
    const uint32_t base = (uint32_t)child->n;
    uint32_t *const map = frame->map + r->first; /* first their suffixes, then where they went */
    for (size_t i = 0; i < n; i++) {
        map[i] = next[f->list->suffix[r->first + i]];
    }
    const size_t n_new = pv_i_scan_distinct(&f->worker->marks, map, n, child->suffix + base, map);
    memset(child->count + base, 0, n_new * sizeof *child->count);
    for (size_t i = 0; i < n_new; i++) {
        child->limit[base + i] = PV_NOTHING_WANTED;
    }
    for (size_t i = 0; i < n; i++) {
        const uint32_t to = base + map[i];
        const pv_rank limit = f->list->limit[r->first + i];
        map[i] = to;
        child->count[to] += f->list->count[r->first + i];
        child->limit[to] = pv_i_rank_worse(limit, child->limit[to]);
    }
    child->n += n_new;
}

static void add_run(const fixing *f, const new_run *r)
{
    pv_scan_frame *const frame = &f->worker->frames[f->position];
    pv_scan_list *const child = &frame->child;
    const size_t run = child->n_runs++;
    frame->origin[run] = (pv_scan_origin){r->first, r->end, r->parts->run};
    child->start[run] = (uint32_t)child->n;
    child->worth[run] = r->worth;
    child->is_improved[run] = false; /* even if memory runs out before anybody looks */
    child->total[run] = r->total;
    if (r->n_parts == 1) {
        copy_entries(f, r);
    } else {
        merge_entries(f, r);
    }
}

/* The parts from one on that are in one group at the level. Their limits are as of the time the run
 * was divided: that they may be outdated only makes the first bound below more generous. */
static new_run take_group(const fixing *f, pv_scan_part *part, const pv_scan_part *end)
{
    const pv_scan_attribute *const a = &f->worker->tables->attributes[f->position];
    const uint32_t *const group = a->group[f->level];
    const pv_worth before = f->list->worth[part->run];
    const pv_worth now = a->worth[f->level][part->leaf];
    new_run r = {.parts = part,
                 .first = part->start,
                 .worth = {before.utility + now.utility, before.phi + now.phi},
                 .limit = PV_NOTHING_WANTED};
    const pv_scan_part *next = part;
    do {
        r.total += next->total;
        r.limit = pv_i_rank_worse(r.limit, next->limit);
        r.end = next->end;
        next++;
    } while (next < end && next->run == part->run && group[next->leaf] == group[part->leaf]);
    r.n_parts = (size_t)(next - part);
    return r;
}

static void fix_parts(const fixing *f, pv_scan_part *part, const pv_scan_part *end)
{
    pv_scan_worker *const worker = f->worker;
    const pv_scan_tables *const tables = worker->tables;
    const pv_scan_attribute *const a = &tables->attributes[f->position];
    while (part < end) {
        new_run r = take_group(f, part, end);
        const uint32_t group = a->group[f->level][part->leaf];
        if (!tables->is_table) {
            r.total = a->known != NULL ? worker->group_total[group] : f->list->total[part->run];
        }
        if (!is_early_root(a, part->leaf, f->level)) {
            if (is_promising(f, &r)) {
                worker->group_run[group] = (uint32_t)worker->frames[f->position].child.n_runs;
                add_run(f, &r);
            }
            const bool finished = is_finished(f, &r);
            for (size_t p = 0; p < r.n_parts; p++) {
                r.parts[p].is_finished = finished;
            }
        }
        part += r.n_parts;
    }
}

/* Scratch per group is only ever touched for the groups of one run's parts. */
static void reset_groups(const fixing *f, const pv_scan_part *part, const pv_scan_part *end)
{
    const uint32_t *const group = f->worker->tables->attributes[f->position].group[f->level];
    for (; part < end; part++) {
        f->worker->group_total[group[part->leaf]] = 0;
        f->worker->group_run[group[part->leaf]] = PV_NOWHERE;
    }
}

/* Run by run, with the dictionary beside the records. After the last attribute it knows, what is
 * left of it is nothing. */
static bool fix_with_dictionary(const fixing *f)
{
    pv_scan_worker *const worker = f->worker;
    const pv_scan_frame *const frame = &worker->frames[f->position];
    const pv_scan_part *const end = frame->parts + frame->n_parts;
    pv_scan_part *next;
    bool ready = true;
    for (pv_scan_part *part = frame->parts; ready && part < end; part = next) {
        const size_t first_new = frame->child.n_runs;
        for (next = part; next < end && next->run == part->run;) {
            next++;
        }
        reset_groups(f, part, next);
        dict_count(worker, f->position, f->list, part->run, f->level);
        fix_parts(f, part, next);
        ready = f->position + 1 == worker->tables->n_known ||
                dict_send(worker, f->position, f->list, part->run, f->level, first_new);
        reset_groups(f, part, next);
    }
    return ready;
}

bool pv_i_scan_fix(pv_scan_worker *worker, size_t position, pv_scan_list *list, unsigned level,
                   uint32_t node, pv_scan_best *best)
{
    pv_scan_frame *const frame = &worker->frames[position];
    const fixing f = {worker, position, level, node, list, best};
    if (!pv_i_scan_list_reserve(&frame->child, list->n)) {
        return false;
    }
    if (worker->tables->is_table || worker->tables->attributes[position].known == NULL) {
        fix_parts(&f, frame->parts, frame->parts + frame->n_parts);
    } else if (!fix_with_dictionary(&f)) {
        return false;
    }
    frame->child.start[frame->child.n_runs] = (uint32_t)frame->child.n;
    size_t n = 0;
    for (size_t p = 0; p < frame->n_parts; p++) {
        if (!frame->parts[p].is_finished) {
            frame->parts[n++] = frame->parts[p];
        }
    }
    frame->n_parts = n;
    return true;
}

/* ---------------------------------------------------------- last attribute */

/* How many rows of the dictionary are consistent with the entries [first, end) of a run, all in one
 * group. */
static uint32_t count_rows(const pv_scan_worker *worker, const pv_scan_list *list, size_t run,
                           uint32_t first, uint32_t end, uint32_t group)
{
    const pv_scan_tables *const tables = worker->tables;
    if (!tables->is_table) {
        return tables->n_known == tables->n ? worker->group_total[group] : list->total[run];
    }
    uint32_t rows = 0;
    for (uint32_t i = first; i < end; i++) {
        rows += list->count[i];
    }
    return rows;
}

/* All groups of a run at one level of the last attribute. The suffixes of its entries are values,
 * in order, so that those of a group are neighbours at every level: no list need be made. */
static void read_level(const pv_scan_worker *worker, const pv_scan_list *list, size_t run,
                       unsigned level, uint32_t node, pv_scan_best *best)
{
    const size_t position = worker->tables->n - 1;
    const pv_scan_attribute *const a = &worker->tables->attributes[position];
    const uint32_t *const leaf_of = worker->tables->suffixes.value[position];
    const uint32_t *const group_of = a->group[level];
    const uint32_t run_end = list->start[run + 1];
    for (uint32_t i = list->start[run]; i < run_end;) {
        const uint32_t leaf = leaf_of[list->suffix[i]];
        const uint32_t group = group_of[leaf];
        uint32_t end = i + 1;
        while (end < run_end && group_of[leaf_of[list->suffix[end]]] == group) {
            end++;
        }
        const pv_worth now = a->worth[level][leaf];
        const pv_worth worth = {list->worth[run].utility + now.utility,
                                list->worth[run].phi + now.phi};
        pv_scan_best choice = {.node = node};
        if (!is_early_root(a, leaf, level) &&
            weigh(worker, worth, count_rows(worker, list, run, i, end, group), &choice)) {
            for (uint32_t k = i; k < end; k++) {
                if (pv_i_scan_is_better(&choice, &best[k])) {
                    best[k] = choice;
                    list->is_improved[run] = true;
                }
            }
        }
        i = end;
    }
}

void pv_i_scan_fix_last(pv_scan_worker *worker, const pv_scan_list *list, uint8_t wanted,
                        uint32_t node, pv_scan_best *best)
{
    const pv_scan_tables *const tables = worker->tables;
    const size_t position = tables->n - 1;
    const pv_scan_attribute *const a = &tables->attributes[position];
    const uint32_t *const leaf_of = tables->suffixes.value[position];
    memset(list->is_improved, 0, list->n_runs * sizeof *list->is_improved);
    for (size_t run = 0; run < list->n_runs; run++) {
        for (unsigned level = 0; level <= a->height; level++) {
            if (!pv_i_scan_wants(a, wanted, level)) {
                continue;
            }
            if (!tables->is_table && tables->n_known == tables->n) {
                for (uint32_t i = list->start[run]; i < list->start[run + 1]; i++) {
                    worker->group_total[a->group[level][leaf_of[list->suffix[i]]]] = 0;
                }
                dict_count(worker, position, list, run, level);
            }
            read_level(worker, list, run, level, node + level * a->stride, best);
        }
    }
}
