/* Losses that are no sum over attributes of what values were merged with, where classes that break
 * a demand are suppressed: dcn, cm and aecs are read from the classes, entropy from the groups'
 * rows. Nothing is known of how they change along an interval, so nothing can be proven of them; a
 * search moves by prices, as for nwp, and compares schemes by what is computed here.
 *
 * They become costs as shares of the largest possible loss, on the scale of the prices. */
#include "cuts/cut_deaths.h"

#include "base/memory.h"

#include <math.h>
#include <paravent/front.h>
#include <string.h>

bool pv_i_cut_other_init(pv_cut_other *other, const pv_cut_question *question, pv_status *status,
                         pv_error *error)
{
    const pv_cut_criteria *const criteria = question->criteria;
    const size_t n_tuples = question->table->base.n;
    *status = PV_STATUS_OK;
    if (criteria == NULL) {
        return true;
    }
    other->dropped = PV_NEW_ARRAY(uint8_t, n_tuples);
    other->lost = PV_NEW_ARRAY(pv_lost_class, n_tuples);
    other->bits = PV_NEW_ARRAY(double, question->space->n_bits + question->space->n_axes);
    if (other->dropped == NULL || other->lost == NULL || other->bits == NULL) {
        return false;
    }
    if (criteria->loss_kind == PV_CUT_LOSS_CLASSES) {
        *status = pv_i_meter_init(&other->meter, criteria->loss, criteria->profile, error);
    }
    return true;
}

void pv_i_cut_other_deinit(pv_cut_other *other)
{
    pv_i_free(other->dropped);
    pv_i_free(other->lost);
    pv_i_free(other->bits);
    pv_i_meter_deinit(&other->meter);
    *other = (pv_cut_other){0};
}

/* The classes as a release would have them: with those that are dropped suppressed. */
static bool share_of_classes(pv_cut_deaths *d, const uint8_t *cuts, double *share)
{
    const pv_cut_criteria *const criteria = d->question->criteria;
    pv_cut_other *const o = &d->other;
    pv_classes classes;
    double value;
    if (!pv_i_cut_classes(d->question->table, &d->scratch, &d->classes, criteria->profile, cuts,
                          &classes)) {
        return false;
    }
    for (size_t c = 0; c < classes.n_classes; c++) {
        if (o->dropped[c] != 0) {
            o->lost[classes.n_lost++] = (pv_lost_class){(uint32_t)c, classes.size[c]};
            classes.n_suppressed += classes.size[c];
            classes.n_remaining--;
        }
    }
    classes.lost = o->lost;
    classes.dropped = o->dropped;
    if (classes.n_remaining == 0) { /* nobody is left of whom anything could be said */
        *share = 1;
        return true;
    }
    if (pv_i_meter_read(&o->meter, &classes, &value, NULL) != PV_STATUS_OK) {
        return false;
    }
    *share = pv_measure_share(criteria->loss.measure, criteria->profile, value);
    return true;
}

/* Entropy: a living row loses log2(rows of its group) of each attribute, a dead one log2(all rows),
 * both but for what its own value's rows are, which is the same in every scheme. */
static double share_of_groups(pv_cut_deaths *d, const uint8_t *cuts, const pv_cut_view *view)
{
    const pv_cut_question *const q = d->question;
    const pv_cut_criteria *const criteria = q->criteria;
    const double all = log2((double)q->space->n_rows);
    const double range = criteria->bits_most - criteria->bits_least;
    double spared = 0; /* of what everybody merged into one would lose */
    for (size_t a = 0; a < q->space->n_axes; a++) {
        const pv_cut_axis *const axis = &q->space->axes[a];
        const uint8_t *const own = cuts + axis->first_bit;
        double *const bits = d->other.bits + axis->first_bit + a;
        if (axis->n < 2 || memchr(own, 1, axis->n - 1) == NULL) {
            continue; /* the view need not have it */
        }
        for (uint32_t v = 0, first = 0; v < axis->n; v++) {
            if (v + 1 == axis->n || own[v] != 0) {
                const double kept = all - log2((double)pv_i_cut_rows(axis, first, v));
                for (; first <= v; first++) {
                    bits[first] = kept;
                }
            }
        }
        for (size_t t = 0; t < view->n; t++) {
            if (d->other.dropped[d->scratch.keys[t]] == 0) {
                spared += (double)view->counts[t] * bits[view->values[a][t]];
            }
        }
    }
    return range > 0 ? 1 - spared / range : 0;
}

bool pv_i_cut_other_cost(pv_cut_deaths *deaths, const uint8_t *cuts, const pv_cut_view *view,
                         uint64_t *cost)
{
    const pv_cut_question *const q = deaths->question;
    double share;
    if (q->criteria->loss_kind == PV_CUT_LOSS_BITS) {
        share = share_of_groups(deaths, cuts, view);
    } else if (!share_of_classes(deaths, cuts, &share)) {
        return false;
    }
    *cost = (uint64_t)llround(fmin(fmax(share, 0), 1) * q->prices->one);
    return true;
}
