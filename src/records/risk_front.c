/* Risk against utility: everyone is disclosed once for every model and every share of utility.
 *
 *     risk |                  .     a point is a disclosure of the whole table: the least risk at
 *          |             . '        which everyone keeps so much of their utility; curves rise from
 *          |  . . . - '             left to right, and where they bend is where detail gets dear
 *          +--------------- utility kept
 *
 * A limit of time is for all points together: each gets an equal part of what is left. */
#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/options.h"
#include "records/disclosure.h"

#include <math.h>
#include <stdio.h>

#define DEFAULT_STEPS 10
#define LEAST_SECONDS 1e-9 /* too late, but not without a limit */

typedef struct {
    const pv_profile *profile;
    const pv_context *context;
    pv_disclose_options options;
    size_t steps;
    size_t n_points, n_drawn;
    double until; /* when the time is over; 0 = never */
    pv_risk_front *front;
} drawing;

/* Everyone is given something for a point whatever the time: no more points are begun then. */
static bool is_over(const drawing *d)
{
    return d->front->stopped || (d->until > 0 && d->n_drawn > 0 && pv_i_now() > d->until);
}

/* Says which point is being drawn: how far that one is does not show how long it all takes. */
static bool show_progress(void *ctx, const pv_progress *at)
{
    const drawing *const d = ctx;
    char note[64];
    (void)snprintf(note, sizeof note, "point %zu of %zu", d->n_drawn + 1, d->n_points);
    pv_progress shown = *at;
    shown.note = note;
    return d->context->progress(d->context->progress_ctx, &shown);
}

static pv_status add_point(const drawing *d, const pv_disclosure *disclosure, pv_risk_curve *curve,
                           pv_error *error)
{
    pv_disclosure_summary *summary = NULL;
    PV_TRY(pv_disclosure_summarise(disclosure, d->profile, &summary, error));
    pv_risk_point point = {.asked = d->options.bound,
                           .kept = summary->utility_kept.mean,
                           .mean = summary->risk_after.mean,
                           .most = summary->risk_after.most,
                           .visited = disclosure->visited,
                           .is_exact = true};
    for (size_t t = 0; t < disclosure->n_tuples; t++) {
        const pv_disclosed *const record = &disclosure->tuples[t];
        point.unique += record->consistent == 1 ? pv_profile_count(d->profile, t) : 0;
        point.is_exact = point.is_exact && record->is_optimal;
    }
    curve->mean_raw = summary->risk_before.mean;
    curve->most_raw = summary->risk_before.most;
    curve->points[curve->n_points++] = point;
    pv_disclosure_summary_free(summary);
    return PV_STATUS_OK;
}

/* A point that was interrupted is none. */
static pv_status draw_point(drawing *d, pv_risk_curve *curve, pv_error *error)
{
    pv_disclosure *disclosure = NULL;
    pv_status status = PV_STATUS_OK;
    pv_context context = d->context != NULL ? *d->context : (pv_context){0};
    if (context.progress != NULL) {
        context.progress = show_progress;
        context.progress_ctx = d;
    }
    if (d->until > 0) { /* every point gets an equal part of the time that is left */
        d->options.max_seconds =
            fmax((d->until - pv_i_now()) / (double)(d->n_points - d->n_drawn), LEAST_SECONDS);
    }
    PV_TRY(pv_disclose(d->profile, &d->options, &context, &disclosure, error));
    d->n_drawn++;
    d->front->method = disclosure->method;
    d->front->reason = disclosure->reason;
    d->front->nodes = disclosure->nodes;
    d->front->stopped = disclosure->stopped;
    d->front->stop = disclosure->stop != PV_STOP_FINISHED ? disclosure->stop : d->front->stop;
    if (!disclosure->stopped) {
        status = add_point(d, disclosure, curve, error);
    }
    pv_disclosure_free(disclosure);
    return status;
}

static pv_status draw_curve(drawing *d, pv_risk risk, pv_error *error)
{
    pv_risk_curve *const curve = &d->front->curves[d->front->n_curves++];
    curve->risk = risk;
    curve->points = PV_NEW_ZEROED(pv_risk_point, d->steps + 1);
    if (curve->points == NULL) {
        return pv_i_no_memory(error);
    }
    d->options.risk = risk;
    for (size_t i = 0; i <= d->steps && !is_over(d); i++) {
        d->options.bound = (double)i / (double)d->steps;
        PV_TRY(draw_point(d, curve, error));
    }
    return PV_STATUS_OK;
}

pv_status pv_risk_front_create(const pv_profile *profile, const pv_risk_front_options *options,
                               const pv_context *context, pv_risk_front **front, pv_error *error)
{
    const double started = pv_i_now();
    pv_risk_front_options o = {0};
    PV_TRY(PV_TAKE_OPTIONS(o, options, error));
    drawing d = {.profile = profile,
                 .context = context,
                 .options = o.disclose,
                 .steps = o.steps > 0 ? o.steps : DEFAULT_STEPS,
                 .front = PV_NEW_ZEROED(pv_risk_front, 1)};
    if (d.front == NULL) {
        return pv_i_no_memory(error);
    }
    d.n_points = (o.one_model ? 1 : (size_t)PV_RISK_COUNT) * (d.steps + 1);
    d.until = d.options.max_seconds > 0 ? started + d.options.max_seconds : 0;
    d.options.aim = PV_AIM_LEAST_RISK;
    d.options.is_share = true;
    d.front->utility = d.options.utility;
    pv_status status = PV_STATUS_OK;
    for (size_t i = 0; status == PV_STATUS_OK && i < PV_RISK_COUNT && !is_over(&d); i++) {
        if (!o.one_model || (pv_risk)i == o.disclose.risk) {
            status = draw_curve(&d, (pv_risk)i, error);
        }
    }
    if (!d.front->stopped && d.n_drawn < d.n_points) {
        d.front->stop = PV_STOP_TIME;
    }
    if (status != PV_STATUS_OK) {
        pv_risk_front_free(d.front);
        return status;
    }
    d.front->seconds = pv_i_now() - started;
    *front = d.front;
    return PV_STATUS_OK;
}

void pv_risk_front_free(pv_risk_front *front)
{
    if (front == NULL) {
        return;
    }
    for (size_t i = 0; i < front->n_curves; i++) {
        pv_i_free(front->curves[i].points);
    }
    pv_i_free(front);
}

/* ------------------------------------------------------------------- fields */

PV_FIELD(pv_utility, pv_risk_front, utility, utility)
PV_FIELD(const char *, pv_risk_front, method, method)
PV_FIELD(const char *, pv_risk_front, reason, reason)
PV_FIELD(double, pv_risk_front, n_nodes, nodes)
PV_FIELD(double, pv_risk_front, seconds, seconds)
PV_FIELD(bool, pv_risk_front, is_stopped, stopped)
PV_FIELD(pv_stop, pv_risk_front, stop, stop)
PV_FIELD(size_t, pv_risk_front, n_curves, n_curves)
PV_FIELD_AT(pv_risk, pv_risk_front, risk, curves, risk)
PV_FIELD_AT(double, pv_risk_front, mean_raw, curves, mean_raw)
PV_FIELD_AT(double, pv_risk_front, most_raw, curves, most_raw)

const pv_risk_point *pv_risk_front_points(const pv_risk_front *front, size_t curve,
                                          size_t *n_points)
{
    *n_points = front->curves[curve].n_points;
    return front->curves[curve].points;
}
