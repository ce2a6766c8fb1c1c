/* Fixing one more attribute: parts of a run that are in one group of its level become one run of
 * the child, unless nothing can come of it. */
#include "records/record_walk.h"

/* Fixing the attribute of a position at a level. */
typedef struct {
    size_t position;
    unsigned level;
    uint32_t node; /* that the path ends at then */
    pv_record_list *list;
    pv_record_best *best; /* per entry of the list */
} raising;

/* Some parts that become one run of the child. */
typedef struct {
    const raising *raising;
    pv_record_part *parts;
    size_t n_parts;
    uint32_t first, last; /* entries: [first, last) */
    pv_worth worth;
    uint32_t total;
    pv_rank limit; /* the worst that any of its records has use for, as far as is known */
} merger;

/* ------------------------------------------------------------------ promise */

/* All the rest at the top: this fits everyone that the run does. False: of no use to anyone. */
static bool offer_top(const pv_record_walker *walker, const merger *m)
{
    const pv_record_rest *const rest = &walker->ground->rest[m->raising->position + 1];
    pv_record_best choice = {.node = m->raising->node + rest->top_node};
    const pv_worth worth = {m->worth.utility + rest->top, m->worth.phi};
    if (!pv_i_walker_weigh(walker, worth, m->total, &choice) ||
        pv_i_rank_compare(choice.rank, m->limit) > 0) {
        return false;
    }
    bool is_news = false;
    for (uint32_t i = m->first; i < m->last; i++) {
        is_news |= pv_i_best_offer(&choice, &m->raising->best[i], &m->raising->list->limit[i]);
    }
    m->raising->list->has_news[m->parts->run] |= is_news;
    return true;
}

/* They are what they were when the run was divided, unless something was found since. */
static void renew_limits(merger *m)
{
    if (!m->raising->list->has_news[m->parts->run]) {
        return;
    }
    m->limit = PV_NO_INTEREST;
    for (size_t p = 0; p < m->n_parts; p++) {
        pv_record_part *const part = &m->parts[p];
        part->limit = PV_NO_INTEREST;
        for (uint32_t i = part->start; i < part->end; i++) {
            part->limit = pv_i_rank_worse(part->limit, m->raising->list->limit[i]);
        }
        m->limit = pv_i_rank_worse(m->limit, part->limit);
    }
}

/* What any choice for the rest of the attributes, other than the top, comes to at best. False: none
 * can be accepted. */
static bool look_ahead(const pv_record_walker *walker, const merger *m, pv_rank *bound)
{
    const pv_weighing *const w = walker->ground->weighing;
    const pv_record_rest *const rest = &walker->ground->rest[m->raising->position + 1];
    const bool may_vanish = !walker->ground->is_table && !pv_i_weighing_is_monotone(w);
    const int64_t missing = walker->floor - m->worth.utility - rest->top;
    const int64_t price = w->aim == PV_AIM_LEAST_RISK && missing > 0
                              ? pv_i_price(&rest->list, missing)
                              : rest->least_phi;
    const pv_prospect prospect = {.utility = m->worth.utility + rest->most.utility,
                                  .least_phi = m->worth.phi + price,
                                  .most_phi = m->worth.phi + rest->most.phi,
                                  .rho = may_vanish ? w->n_rows : m->total};
    const double risk = pv_i_prospect_risk(w, &prospect);
    *bound = pv_i_weighing_rank(w, prospect.utility, risk);
    return pv_i_weighing_accepts(w, walker->floor, prospect.utility, risk);
}

/* At a lower level its parts are no less sensitive and fit no more people. Is that too much
 * already? */
static bool is_over(const pv_record_walker *walker, const merger *m)
{
    const pv_weighing *const w = walker->ground->weighing;
    if (!pv_i_weighing_is_monotone(w) || w->aim == PV_AIM_BALANCE || walker->is_counting) {
        return false;
    }
    const double risk = pv_i_weighing_risk(w, m->worth.phi, m->total);
    return w->aim == PV_AIM_LEAST_RISK ? pv_i_blur(risk) > m->limit.first
                                       : !pv_i_weighing_bears(w, risk);
}

/* If nothing that is still to be chosen changes rho, then in models II and III the rest is told as
 * it is: that is the most useful, and runs no more risk than anything less. */
static bool is_settled(const pv_record_walker *walker, const merger *m)
{
    const pv_record_ground *const ground = walker->ground;
    return ground->weighing->model != PV_RISK_I &&
           (ground->is_table ? m->last - m->first == 1
                             : m->raising->position + 1 >= ground->n_known);
}

static void offer_raw(const pv_record_walker *walker, const merger *m)
{
    const pv_record_ground *const ground = walker->ground;
    const uint32_t *const after = ground->tails.rest[m->raising->position];
    pv_record_list *const list = m->raising->list;
    for (uint32_t i = m->first; i < m->last; i++) {
        const pv_raw_tail raw = ground->rest[m->raising->position + 1].raw[after[list->tail[i]]];
        pv_record_best choice = {.node = m->raising->node + raw.node};
        const pv_worth worth = {m->worth.utility + raw.worth.utility, m->worth.phi + raw.worth.phi};
        if (pv_i_walker_weigh(walker, worth, m->total, &choice)) {
            list->has_news[m->parts->run] |=
                pv_i_best_offer(&choice, &m->raising->best[i], &list->limit[i]);
        }
    }
}

/* Tells what can be told of some parts at once. Is there more to it? The limits that are at hand
 * may be too generous: only if they allow anything, those of the entries are looked at. */
static bool goes_on(const pv_record_walker *walker, merger *m)
{
    pv_rank bound;
    if (walker->is_counting) {
        return true;
    }
    const bool offered = offer_top(walker, m);
    const bool possible = look_ahead(walker, m, &bound);
    const bool promising = possible && pv_i_rank_compare(bound, m->limit) <= 0;
    if (!offered && !promising) {
        return false;
    }
    renew_limits(m);
    if (!promising || pv_i_rank_compare(bound, m->limit) > 0) {
        return false;
    }
    if (is_settled(walker, m)) {
        offer_raw(walker, m);
        return false;
    }
    return true;
}

/* ------------------------------------------------------------------- merge */

/* One part: its entries stay what they are. */
static void copy_entries(pv_record_walker *walker, const merger *m)
{
    pv_record_frame *const frame = &walker->frames[m->raising->position];
    pv_record_list *const child = &frame->child;
    const uint32_t *const rest = walker->ground->tails.rest[m->raising->position];
    size_t to = child->n;
    for (uint32_t i = m->first; i < m->last; i++, to++) {
        frame->map[i] = (uint32_t)to;
        child->tail[to] = rest[m->raising->list->tail[i]];
        child->count[to] = m->raising->list->count[i];
        child->limit[to] = m->raising->list->limit[i];
    }
    child->n = to;
}

static void merge_entries(pv_record_walker *walker, const merger *m)
{
    pv_record_frame *const frame = &walker->frames[m->raising->position];
    pv_record_list *const child = &frame->child;
    const uint32_t *const rest = walker->ground->tails.rest[m->raising->position];
    const size_t n = m->last - m->first;
    const uint32_t base = (uint32_t)child->n;
    uint32_t *const map = frame->map + m->first; /* first their tails, then where they went */
    for (size_t i = 0; i < n; i++) {
        map[i] = rest[m->raising->list->tail[m->first + i]];
    }
    const size_t n_new = pv_i_merge_tails(&walker->marks, map, n, child->tail + base, map);
    memset(child->count + base, 0, n_new * sizeof *child->count);
    for (size_t i = 0; i < n_new; i++) {
        child->limit[base + i] = PV_NO_INTEREST;
    }
    for (size_t i = 0; i < n; i++) {
        const uint32_t to = base + map[i];
        const pv_rank limit = m->raising->list->limit[m->first + i];
        map[i] = to;
        child->count[to] += m->raising->list->count[m->first + i];
        child->limit[to] = pv_i_rank_worse(limit, child->limit[to]);
    }
    child->n += n_new;
}

static void add_run(pv_record_walker *walker, const merger *m)
{
    pv_record_frame *const frame = &walker->frames[m->raising->position];
    pv_record_list *const child = &frame->child;
    frame->origin[child->n_runs] = (pv_record_origin){m->first, m->last, m->parts->run};
    child->start[child->n_runs] = (uint32_t)child->n;
    child->worth[child->n_runs] = m->worth;
    child->has_news[child->n_runs] = false; /* even if memory runs out before anybody looks */
    child->total[child->n_runs++] = m->total;
    if (m->n_parts == 1) {
        copy_entries(walker, m);
    } else {
        merge_entries(walker, m);
    }
}

/* The parts from one on that are in one group at the level. */
static merger take_group(const pv_record_walker *walker, const raising *r, pv_record_part *part,
                         const pv_record_part *end)
{
    const pv_record_axis *const axis = &walker->ground->axes[r->position];
    const uint32_t *const group = axis->group[r->level];
    const pv_worth before = r->list->worth[part->run];
    const pv_worth now = axis->worth[r->level][part->leaf];
    merger m = {.raising = r,
                .parts = part,
                .first = part->start,
                .worth = {before.utility + now.utility, before.phi + now.phi},
                .limit = PV_NO_INTEREST};
    const pv_record_part *next = part;
    do {
        m.total += next->total;
        m.limit = pv_i_rank_worse(m.limit, next->limit);
        m.last = next->end;
        next++;
    } while (next < end && next->run == part->run && group[next->leaf] == group[part->leaf]);
    m.n_parts = (size_t)(next - part);
    return m;
}

static void raise_group(pv_record_walker *walker, merger *m, uint32_t group)
{
    if (goes_on(walker, m)) {
        walker->group_run[group] = (uint32_t)walker->frames[m->raising->position].child.n_runs;
        add_run(walker, m);
    }
    const bool over = is_over(walker, m);
    for (size_t p = 0; p < m->n_parts; p++) {
        m->parts[p].is_over = over;
    }
}

static void raise_parts(pv_record_walker *walker, const raising *r, pv_record_part *part,
                        const pv_record_part *end)
{
    const pv_record_ground *const ground = walker->ground;
    const pv_record_axis *const axis = &ground->axes[r->position];
    while (part < end) {
        merger m = take_group(walker, r, part, end);
        const uint32_t group = axis->group[r->level][part->leaf];
        if (!ground->is_table) {
            m.total = axis->known != NULL ? walker->group_total[group] : r->list->total[part->run];
        }
        if (!pv_i_is_early_root(axis, part->leaf, r->level)) {
            raise_group(walker, &m, group);
        }
        part += m.n_parts;
    }
}

/* -------------------------------------------------------------- dictionary */

/* Scratch per group is only ever touched for the groups of one run's parts. */
static void reset_groups(pv_record_walker *walker, const raising *r, const pv_record_part *part,
                         const pv_record_part *end)
{
    const uint32_t *const group = walker->ground->axes[r->position].group[r->level];
    for (; part < end; part++) {
        walker->group_total[group[part->leaf]] = 0;
        walker->group_run[group[part->leaf]] = PV_NOWHERE;
    }
}

/* The parts of one run, with the dictionary beside the records. */
static bool raise_with_theta(pv_record_walker *walker, const raising *r, pv_record_part *part,
                             const pv_record_part *end)
{
    const size_t first_new = walker->frames[r->position].child.n_runs;
    reset_groups(walker, r, part, end);
    pv_i_theta_count(walker, r->position, r->list, part->run, r->level);
    raise_parts(walker, r, part, end);
    const bool ready =
        r->position + 1 == walker->ground->n_known ||
        pv_i_theta_send(walker, r->position, r->list, part->run, r->level, first_new);
    reset_groups(walker, r, part, end);
    return ready;
}

static bool raise_runs_with_theta(pv_record_walker *walker, const raising *r)
{
    const pv_record_frame *const frame = &walker->frames[r->position];
    const pv_record_part *const end = frame->parts + frame->n_parts;
    for (pv_record_part *part = frame->parts; part < end;) {
        pv_record_part *next = part;
        while (next < end && next->run == part->run) {
            next++;
        }
        if (!raise_with_theta(walker, r, part, next)) {
            return false;
        }
        part = next;
    }
    return true;
}

/* ------------------------------------------------------------------- raise */

static void drop_parts(pv_record_frame *frame)
{
    size_t n = 0;
    for (size_t p = 0; p < frame->n_parts; p++) {
        if (!frame->parts[p].is_over) {
            frame->parts[n++] = frame->parts[p];
        }
    }
    frame->n_parts = n;
}

bool pv_i_walker_raise(pv_record_walker *walker, size_t position, pv_record_list *list,
                       unsigned level, uint32_t node, pv_record_best *best)
{
    pv_record_frame *const frame = &walker->frames[position];
    const raising r = {position, level, node, list, best};
    if (!pv_i_record_list_reserve(&frame->child, list->n)) {
        return false;
    }
    if (walker->ground->is_table || walker->ground->axes[position].known == NULL) {
        raise_parts(walker, &r, frame->parts, frame->parts + frame->n_parts);
    } else if (!raise_runs_with_theta(walker, &r)) {
        return false;
    }
    frame->child.start[frame->child.n_runs] = (uint32_t)frame->child.n;
    drop_parts(frame);
    return true;
}
