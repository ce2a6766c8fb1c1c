/* What no local recoding can lose less than (docs/model.md, section 7b), by weak duality.
 *
 * Give every row a price, such that in every tuple of nodes that covers at least k rows the k
 * highest prices sum to at most k times what a row loses there. Every class has at least k rows and
 * is covered by its own tuple, so the average price of its rows is at most what each of them loses;
 * hence the prices of all rows sum to no more than the loss of any recoding. A suppressed row loses
 * 1, and no price is above that.
 *
 *     prices = from what each row loses in the recoding that was found
 *     repeat: raise them
 *             sweep: lower them in every group that breaks its condition    (local_sweep.c)
 *
 * After any sweep all conditions hold, whatever the prices were: each is a proof by itself, and the
 * best one counts. A sweep has less to look at the lower prices are, so the first ones are rather
 * too low, and prices rise in small steps.
 *
 * **Who is raised.** A row that the last sweep did not lower could have had more, and rises by
 * half. One that was lowered is at the limit of some group: it rises less from sweep to sweep, so
 * that others come to what it leaves them.
 *
 * **Effort** is counted in tuples looked at, never in time, unless time is what was asked for: the
 * same bound on any machine and any number of threads.
 *
 * **Many attributes.** What a row loses is a sum over attributes, so bounds of disjoint sets of
 * attributes add up. Where the lattice of all is too large, attributes are put into blocks whose
 * lattices are not. */
#include "records/local_sweep.h"
#include "records/local_table.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Nodes of the lattice times tuples: more is not looked at together, and then blocks are no larger.
 */
#define MOST_WORK 4e9
#define BLOCK_WORK 1e9
/* Without limits, so many sweeps at most, while the tuples they look at are no more than this; a
 * block has its share. */
#define USUAL_SWEEPS 5
#define USUAL_WORK 3.4e8
#define USUAL_WORK_PER_TUPLE 6e3
#define FIRST_SCALE 0.5  /* of the prices to begin with */
#define LEAST_PRICE 1e-6 /* the same, as a share of what a suppressed row loses */
#define QUANTILE 0.99    /* of these: where they are cut */
#define LEAST_GAIN 0.004 /* a sweep that gains less is the last */

/* By what prices rise before each sweep; the last one is that of all that follow. */
static const struct {
    double free, limited;
} rise[] = {{1, 1}, {1.5, 1.2}, {1.5, 1.1}, {1.3, 1.05}};

/* A block of attributes. */
typedef struct {
    const pv_local_space *space;
    const pv_local_proof_settings *settings;
    pv_local_base base;
    pv_local_sweeper *sweeper;
    uint32_t *base_of; /* per tuple */
    double *prices;    /* per tuple of the base */
    double *asked;     /* the same: what the last sweep began with */
    double *held;      /* the best ones that keep all conditions; 0 = there are none yet */
    double full;       /* what a row loses that is suppressed */
} block;

static bool same_nodes(const block *b, size_t tuple, size_t at)
{
    for (size_t a = 0; a < b->base.n_axes; a++) {
        const size_t q = b->base.axes[a];
        const uint32_t *const raw = b->space->trees[q].rungs;
        if (raw[b->base.starts[a][at]] != b->space->raw[tuple * b->space->n_quasi + q]) {
            return false;
        }
    }
    return true;
}

/* The distinct tuples of the block's attributes, numbered in order of first appearance. Should two
 * have the same key, the second is a tuple of its own every time: the conditions stay the same. */
static bool find_base(block *b)
{
    const pv_local_space *const space = b->space;
    pv_local_table table = {0};
    if (!pv_i_local_table_reserve(&table, space->n_tuples)) {
        return false;
    }
    pv_i_local_table_clear(&table, space->n_tuples);
    for (size_t t = 0; t < space->n_tuples; t++) {
        uint64_t key = 0;
        for (size_t a = 0; a < b->base.n_axes; a++) {
            const size_t q = b->base.axes[a];
            key += space->trees[q].mark[space->raw[t * space->n_quasi + q]];
        }
        uint32_t at = pv_i_local_table_find(&table, key, (uint32_t)b->base.n);
        at = at < b->base.n && !same_nodes(b, t, at) ? (uint32_t)b->base.n : at;
        if (at == b->base.n) {
            b->base.n++;
            for (size_t a = 0; a < b->base.n_axes; a++) {
                b->base.starts[a][at] = space->starts[t * space->n_quasi + b->base.axes[a]];
            }
        }
        b->base.rows[at] += space->profile->count[t];
        b->base_of[t] = at;
    }
    pv_i_local_table_deinit(&table);
    return true;
}

/* Nearly the 0.6th power. In the recoding that was found few rows lose much and most lose little;
 * in the best prices the difference is smaller, since everyone pays for those whom they help. */
static double flatten(double share)
{
    return sqrt(share) * sqrt(sqrt(sqrt(share)));
}

static int compare_prices(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

/* No price begins above that of the most expensive but a few rows: there are groups with these in
 * every corner of the lattice, and a sweep would have to go there. */
static bool cut_prices(block *b)
{
    double *const sorted = PV_NEW_ARRAY(double, b->base.n);
    if (sorted == NULL) {
        return false;
    }
    memcpy(sorted, b->prices, b->base.n * sizeof *sorted);
    qsort(sorted, b->base.n, sizeof *sorted, compare_prices);
    const double most = sorted[(size_t)((double)(b->base.n - 1) * QUANTILE)];
    for (size_t i = 0; i < b->base.n; i++) {
        b->prices[i] = fmin(b->prices[i], most);
    }
    pv_i_free(sorted);
    return true;
}

/* The prices to begin with: what rows lose in the block's attributes, on average over those that
 * are alike in them. */
static bool first_prices(block *b, const pv_local_draft *classes)
{
    const pv_local_space *const space = b->space;
    double *const lost = PV_NEW_ZEROED(double, b->base.n);
    if (lost == NULL) {
        return false;
    }
    for (size_t a = 0; a < b->base.n_axes; a++) {
        b->full += space->trees[b->base.axes[a]].full;
    }
    for (size_t c = 0; c < classes->n; c++) {
        const pv_local_class *const own = &classes->list[c];
        double cost = 0;
        for (size_t a = 0; a < b->base.n_axes && own->size > 0; a++) {
            const pv_local_tree *const tree = &space->trees[b->base.axes[a]];
            cost += c == PV_LOCAL_LOST ? tree->full
                                       : tree->cost[pv_i_local_nodes(classes, c)[b->base.axes[a]]];
        }
        for (size_t p = 0; p < own->n_parts; p++) {
            lost[b->base_of[own->parts[p].tuple]] += cost * (double)own->parts[p].rows;
        }
    }
    for (size_t i = 0; i < b->base.n; i++) {
        const double share = b->full > 0 ? lost[i] / (double)b->base.rows[i] / b->full : 0;
        b->prices[i] = fmax(flatten(share), LEAST_PRICE) * b->full * FIRST_SCALE;
    }
    pv_i_free(lost);
    return cut_prices(b);
}

static void block_deinit(block *b)
{
    for (size_t a = 0; b->base.starts != NULL && a < b->base.n_axes; a++) {
        pv_i_free(b->base.starts[a]);
    }
    pv_i_free(b->base.starts);
    pv_i_free(b->base.rows);
    pv_i_local_sweeper_free(b->sweeper);
    pv_i_free(b->base_of);
    pv_i_free(b->prices);
    pv_i_free(b->asked);
    pv_i_free(b->held);
}

static bool block_init(block *b, const pv_local_draft *classes)
{
    const size_t n = b->space->n_tuples;
    b->base_of = PV_NEW_ARRAY(uint32_t, n);
    b->prices = PV_NEW_ARRAY(double, n);
    b->asked = PV_NEW_ZEROED(double, n);
    b->held = PV_NEW_ZEROED(double, n);
    b->base.rows = PV_NEW_ZEROED(uint64_t, n);
    b->base.starts = PV_NEW_ZEROED(uint32_t *, b->base.n_axes);
    bool ready = b->base_of != NULL && b->prices != NULL && b->asked != NULL && b->held != NULL &&
                 b->base.rows != NULL && b->base.starts != NULL;
    for (size_t a = 0; ready && a < b->base.n_axes; a++) {
        b->base.starts[a] = PV_NEW_ARRAY(uint32_t, n);
        ready = b->base.starts[a] != NULL;
    }
    ready = ready && find_base(b) && first_prices(b, classes);
    b->sweeper = ready ? pv_i_local_sweeper_create(&b->base, b->settings->context) : NULL;
    return b->sweeper != NULL;
}

static double sum_prices(const block *b)
{
    double sum = 0;
    for (size_t i = 0; i < b->base.n; i++) {
        sum += b->prices[i] * (double)b->base.rows[i];
    }
    return sum;
}

/* Nobody loses more than a suppressed row. */
static void raise_prices(block *b, uint64_t number)
{
    const size_t n = sizeof rise / sizeof *rise;
    const size_t step = number < n ? (size_t)number : n - 1;
    for (size_t i = 0; i < b->base.n; i++) {
        const bool limited = b->prices[i] < b->asked[i];
        b->prices[i] *= limited ? rise[step].limited : rise[step].free;
        b->prices[i] = fmin(b->prices[i], b->full * (1 - 1e-9));
        b->asked[i] = b->prices[i];
    }
}

/* Sweeps until one gains little, or there have been enough of them. What a sweep that was
 * interrupted found is worth nothing; those before it still hold. */
static pv_status bound_block(block *b, double until, pv_local_proof *bound, pv_error *error)
{
    const uint64_t asked = b->settings->max_sweeps;
    const uint64_t most = asked > 0 ? asked : until > 0 ? UINT64_MAX : USUAL_SWEEPS;
    const double most_work = until > 0 || asked > 0
                                 ? (double)INFINITY
                                 : (USUAL_WORK + USUAL_WORK_PER_TUPLE * (double)b->base.n) *
                                       (double)b->base.n_axes / (double)b->space->n_quasi;
    uint64_t work = 0;
    double sum = 0;
    for (uint64_t number = 0; number < most; number++) {
        const uint64_t before = work;
        pv_local_sweep_end end = PV_SWEEP_DONE;
        raise_prices(b, number);
        PV_TRY(pv_i_local_sweep(b->sweeper, b->prices, until, &work, &end, error));
        if (end != PV_SWEEP_DONE) {
            bound->stop = end == PV_SWEEP_LATE ? PV_STOP_TIME : PV_STOP_CANCELLED;
            break;
        }
        const double gained = sum_prices(b) - sum;
        bound->sweeps++;
        if (gained > 0) {
            memcpy(b->held, b->prices, b->base.n * sizeof *b->held);
            sum += gained;
        }
        if (gained <= LEAST_GAIN * sum || 2 * (double)work - (double)before > most_work) {
            break;
        }
    }
    bound->loss += sum * (1 - 1e-9);
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------ blocks */

/* Attributes with many values first: generalizing them shortens the lists most. */
static void order_axes(const pv_local_space *space, size_t *axes, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const size_t q = axes[i];
        size_t j = i;
        for (; j > 0 && space->trees[axes[j - 1]].n_starts < space->trees[q].n_starts; j--) {
            axes[j] = axes[j - 1];
        }
        axes[j] = q;
    }
}

/* The next attributes whose lattice is not too large, at least one. */
static size_t next_block(const pv_local_space *space, const size_t *axes, size_t n)
{
    const double all = pv_i_local_lattice(space);
    const double tuples = (double)space->n_tuples;
    const bool one = all <= PV_LOCAL_MOST_NODES && all * tuples <= MOST_WORK;
    double nodes = 1;
    size_t taken = 0;
    while (taken < n && (one || taken == 0 ||
                         nodes * space->trees[axes[taken]].n_rungs * tuples <= BLOCK_WORK)) {
        nodes *= space->trees[axes[taken++]].n_rungs;
    }
    return taken;
}

/* Attributes by what is lost in them, most first: these are looked at together. */
static bool sort_by_loss(const pv_local_draft *classes, size_t *axes)
{
    const pv_local_space *const space = classes->space;
    double *const lost = PV_NEW_ZEROED(double, space->n_quasi);
    for (size_t q = 0; lost != NULL && q < space->n_quasi; q++) {
        for (size_t c = PV_LOCAL_LOST + 1; c < classes->n; c++) {
            if (classes->list[c].size > 0) {
                lost[q] += (double)classes->list[c].size *
                           space->trees[q].cost[pv_i_local_nodes(classes, c)[q]];
            }
        }
        size_t i = q;
        for (; i > 0 && lost[axes[i - 1]] < lost[q]; i--) {
            axes[i] = axes[i - 1];
        }
        axes[i] = q;
    }
    pv_i_free(lost);
    return lost != NULL;
}

static pv_status bound_all(const pv_local_draft *classes, size_t *axes,
                           const pv_local_proof_settings *settings, pv_local_proof *bound,
                           pv_error *error)
{
    const pv_local_space *const space = classes->space;
    const double began = pv_i_now();
    pv_status status = PV_STATUS_OK;
    for (size_t i = 0;
         status == PV_STATUS_OK && bound->stop != PV_STOP_CANCELLED && i < space->n_quasi;) {
        const size_t n = next_block(space, axes + i, space->n_quasi - i);
        block b = {.space = space,
                   .settings = settings,
                   .base = {.space = space, .axes = axes + i, .n_axes = n}};
        const double share = (double)(i + n) / (double)space->n_quasi;
        order_axes(space, axes + i, n);
        status =
            block_init(&b, classes)
                ? bound_block(&b, settings->seconds > 0 ? began + settings->seconds * share : 0,
                              bound, error)
                : pv_i_no_memory(error);
        for (size_t t = 0; bound->prices != NULL && b.held != NULL && t < space->n_tuples; t++) {
            bound->prices[t] = b.held[b.base_of[t]];
        }
        block_deinit(&b);
        bound->blocks++;
        i += n;
    }
    bound->seconds = pv_i_now() - began;
    return status;
}

pv_status pv_i_local_bound(const pv_local_draft *classes, const pv_local_proof_settings *settings,
                           pv_local_proof *bound, pv_error *error)
{
    const pv_local_space *const space = classes->space;
    double *const prices = bound->prices;
    size_t *const axes = PV_NEW_ARRAY(size_t, space->n_quasi);
    *bound = (pv_local_proof){.prices = prices};
    pv_status status = axes != NULL && sort_by_loss(classes, axes)
                           ? bound_all(classes, axes, settings, bound, error)
                           : pv_i_no_memory(error);
    pv_i_free(axes);
    return status;
}
