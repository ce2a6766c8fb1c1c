/* Judging cut schemes. */
#include "cuts/cut_judge.h"

#include "base/error.h"
#include "base/memory.h"

#include <paravent/front.h>

#include <math.h>
#include <string.h>

/* ------------------------------------------------------------------ set up */

static pv_status init_meters(pv_cut_judge *judge, pv_error *error)
{
    const pv_cut_aspects *const aspects = judge->aspects;
    PV_TRY(pv_i_class_scorer_init(&judge->scorer, &aspects->rules, error));
    if (!aspects->is_necd) {
        PV_TRY(pv_i_meter_init(&judge->bias, aspects->bias, aspects->profile, error));
    }
    if (aspects->loss_kind == PV_CUT_LOSS_CLASSES) {
        PV_TRY(pv_i_meter_init(&judge->loss, aspects->loss, aspects->profile, error));
    }
    return PV_STATUS_OK;
}

pv_status pv_i_cut_judge_init(pv_cut_judge *judge, pv_cut_table *table, const pv_cut_prices *prices,
                              const pv_cut_aspects *aspects, pv_error *error)
{
    pv_cut_judge j = {.table = table, .prices = prices, .aspects = aspects};
    pv_status status = PV_STATUS_OK;
    j.reads_classes = !pv_i_cut_aspects_plain(aspects);
    if (!pv_i_cut_scratch_init(&j.scratch, table) ||
        (j.reads_classes && !pv_i_cut_room_init(&j.room, table))) {
        status = pv_i_no_memory(error);
    } else if (j.reads_classes) {
        status = init_meters(&j, error);
    }
    if (status == PV_STATUS_OK) {
        *judge = j;
    } else {
        pv_i_cut_judge_deinit(&j);
    }
    return status;
}

void pv_i_cut_judge_deinit(pv_cut_judge *judge)
{
    pv_i_class_scorer_deinit(&judge->scorer);
    pv_i_meter_deinit(&judge->bias);
    pv_i_meter_deinit(&judge->loss);
    pv_i_cut_room_deinit(&judge->room);
    pv_i_cut_scratch_deinit(&judge->scratch);
    *judge = (pv_cut_judge){0};
}

/* ------------------------------------------------------------------- judge */

/* How near a value comes to what a rule demands: 1 = it keeps it. */
static double nearness(const pv_constraint *rule, double value)
{
    if (pv_constraint_holds(rule, value)) {
        return 1;
    }
    const double near = rule->ref.measure->direction == PV_MORE_IS_BETTER ? value / rule->bound
                                                                          : rule->bound / value;
    return near < 1 ? fmax(near, 0) : nextafter(1, 0);
}

static uint64_t to_cost(const pv_cut_judge *judge, double share)
{
    return (uint64_t)llround(fmin(fmax(share, 0), 1) * judge->prices->one);
}

/* Entropy as a share: rows * log2(rows) of the groups, between every value apart and all merged. */
static double share_of_bits(const pv_cut_judge *judge, const uint8_t *cuts)
{
    const pv_cut_aspects *const aspects = judge->aspects;
    double bits = 0;
    for (size_t a = 0; a < aspects->space->n_axes; a++) {
        const pv_cut_axis *const axis = &aspects->space->axes[a];
        uint32_t first = 0;
        for (uint32_t v = 0; v < axis->n; v++) {
            if (v + 1 == axis->n || cuts[axis->first_bit + v] != 0) {
                const double rows = (double)pv_i_cut_rows(axis, first, v);
                bits += rows > 0 ? rows * log2(rows) : 0;
                first = v + 1;
            }
        }
    }
    const double range = aspects->bits_most - aspects->bits_least;
    return range > 0 ? (bits - aspects->bits_least) / range : 0;
}

static bool read_meter(const pv_meter *meter, const pv_classes *classes, double *value)
{
    return pv_i_meter_read(meter, classes, value, NULL) == PV_STATUS_OK;
}

/* The rules, the bias and the loss that need more than the sizes. */
static bool read_classes(pv_cut_judge *judge, const uint8_t *cuts, pv_cut_outcome *outcome)
{
    const pv_cut_aspects *const aspects = judge->aspects;
    pv_classes classes;
    double value = 0;
    bool ready = pv_i_cut_classes(judge->table, &judge->scratch, &judge->room, aspects->profile,
                                  cuts, &classes);
    for (size_t i = 0; ready && i < aspects->rules.n_rules; i++) {
        ready = read_meter(&judge->scorer.meters[i], &classes, &value);
        outcome->kept = fmin(outcome->kept, nearness(&aspects->rules.rules[i], value));
    }
    if (ready && !aspects->is_necd) {
        ready = read_meter(&judge->bias, &classes, &outcome->bias);
    }
    if (ready && aspects->loss_kind == PV_CUT_LOSS_CLASSES) {
        ready = read_meter(&judge->loss, &classes, &value);
        outcome->cost =
            to_cost(judge, pv_measure_share(aspects->loss.measure, aspects->profile, value));
    }
    return ready;
}

static double necd_of(const pv_cut_sizes *sizes)
{
    const double others = sizes->n_rows > 1 ? (double)(sizes->n_rows - 1) : 1;
    return (double)(sizes->largest - sizes->smallest) / others;
}

bool pv_i_cut_judge(pv_cut_judge *judge, const uint8_t *cuts, pv_cut_outcome *outcome)
{
    pv_cut_outcome o = {.kept = 1};
    if (!pv_i_cut_count(judge->table, &judge->scratch, cuts, &o.sizes)) {
        return false;
    }
    o.bias = necd_of(&o.sizes);
    o.cost = judge->aspects != NULL && judge->aspects->loss_kind == PV_CUT_LOSS_BITS
                 ? to_cost(judge, share_of_bits(judge, cuts))
                 : pv_i_cut_cost(judge->table->space, judge->prices, cuts);
    if (judge->reads_classes && !read_classes(judge, cuts, &o)) {
        return false;
    }
    *outcome = o;
    return true;
}

/* --------------------------------------------------------------- intervals */

/* The tuples of a view by class and, within it, by value of an axis. */
typedef struct {
    const pv_cut_view *view;
    const uint16_t *values; /* of the axis */
    const uint32_t *class_of;
    const uint32_t *order;
    size_t end; /* of the class at hand, in `order` */
} sorted;

static void tally_tuple(pv_cut_judge *judge, const pv_cut_view *view, uint32_t t)
{
    const size_t n_axes = judge->table->space->n_axes;
    for (size_t i = 0; i < judge->aspects->rules.n_sensitive; i++) {
        pv_i_tally_add(&judge->scorer.tallies[i], view->values[n_axes + i][t], view->counts[t]);
    }
}

/* The intervals that begin after value `before` - 1 and no later than the value of the tuple at
 * `start`, for one class. Those that are unfit anyway are not looked at. */
static void judge_starts(pv_cut_judge *judge, const sorted *s, size_t start, uint32_t before,
                         uint32_t n, bool *unfit)
{
    const uint32_t own = s->values[s->order[start]];
    size_t next = start;
    pv_i_class_scorer_clear(&judge->scorer);
    while (next < s->end) {
        const uint32_t value = s->values[s->order[next]];
        while (next < s->end && s->values[s->order[next]] == value) {
            tally_tuple(judge, s->view, s->order[next++]);
        }
        const uint32_t last = next < s->end ? s->values[s->order[next]] : n; /* before this */
        bool open = false;
        for (uint32_t first = before; first <= own && !open; first++) {
            open = memchr(unfit + (size_t)first * n + value, 0, last - value) != NULL;
        }
        if (open && pv_i_class_scorer_breaks(&judge->scorer, true)) {
            for (uint32_t first = before; first <= own; first++) {
                memset(unfit + (size_t)first * n + value, 1, last - value);
            }
        }
    }
}

static void judge_class(pv_cut_judge *judge, const sorted *s, size_t start, uint32_t n, bool *unfit)
{
    uint32_t before = 0;
    for (size_t i = start; i < s->end;) {
        const uint32_t value = s->values[s->order[i]];
        judge_starts(judge, s, i, before, n, unfit);
        before = value + 1;
        while (i < s->end && s->values[s->order[i]] == value) {
            i++;
        }
    }
}

static bool break_rules(pv_cut_judge *judge, size_t axis, const uint8_t *cuts, bool *unfit)
{
    const uint32_t n = judge->table->space->axes[axis].n;
    pv_cut_scratch *const scratch = &judge->scratch;
    sorted s = {.class_of = scratch->keys, .order = judge->room.order};
    const size_t n_classes = pv_i_cut_number_others(judge->table, scratch, axis, cuts, &s.view);
    if (n_classes == 0) {
        return false;
    }
    s.values = s.view->values[axis];
    pv_i_cut_room_sort(&judge->room, s.view, s.values, n, s.class_of, n_classes);
    for (size_t start = 0; start < s.view->n; start = s.end) {
        const uint32_t own = s.class_of[s.order[start]];
        s.end = start + 1;
        while (s.end < s.view->n && s.class_of[s.order[s.end]] == own) {
            s.end++;
        }
        judge_class(judge, &s, start, n, unfit);
    }
    return true;
}

bool pv_i_cut_unfit(pv_cut_judge *judge, size_t axis, const uint8_t *cuts, uint64_t k, bool *unfit)
{
    if (!pv_i_cut_too_small(judge->table, &judge->scratch, axis, cuts, k, unfit)) {
        return false;
    }
    const bool has_rules = judge->aspects != NULL && judge->aspects->rules.n_rules > 0;
    return !has_rules || break_rules(judge, axis, cuts, unfit);
}
