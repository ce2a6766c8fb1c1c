/* Risk against utility: everyone is disclosed once for every model and every share of utility.
 *
 *     risk |                  .      a point is a disclosure of the whole table: the least risk at
 *          |             . '         which everyone keeps so much of their utility; curves rise
 * from |  . . . - '              left to right, and where they bend is where detail gets dear
 *          +--------------- utility kept
 *
 * A limit of time is for all points together: each gets an equal part of what is left. */
#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/options.h"
#include "records/disclosure.h"

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

/* ------------------------------------------------------------------- time */

/* Every point gets an equal part of the time that is left. */
static double time_for_point(const drawing *d)
{
    const double left = d->until - pv_i_now();
    const double part = left / (double)(d->n_points - d->n_drawn);
    return part > LEAST_SECONDS ? part : LEAST_SECONDS;
}

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

/* ----------------------------------------------------------------- points */

static bool is_exact(const pv_disclosure *disclosure)
{
    bool exact = true;
    for (size_t t = 0; exact && t < disclosure->n_tuples; t++) {
        exact = disclosure->tuples[t].is_optimal;
    }
    return exact;
}

static uint64_t count_unique(const drawing *d, const pv_disclosure *disclosure)
{
    uint64_t people = 0;
    for (size_t t = 0; t < disclosure->n_tuples; t++) {
        people += disclosure->tuples[t].consistent == 1 ? pv_profile_count(d->profile, t) : 0;
    }
    return people;
}

static pv_status add_point(const drawing *d, const pv_disclosure *disclosure, pv_risk_curve *curve,
                           pv_error *error)
{
    pv_disclosure_summary *summary = NULL;
    PV_TRY(pv_disclosure_summarise(disclosure, d->profile, &summary, error));
    curve->mean_raw = summary->risk_before.mean;
    curve->most_raw = summary->risk_before.most;
    curve->points[curve->n_points++] = (pv_risk_point){.asked = d->options.bound,
                                                       .kept = summary->utility_kept.mean,
                                                       .mean = summary->risk_after.mean,
                                                       .most = summary->risk_after.most,
                                                       .unique = count_unique(d, disclosure),
                                                       .visited = disclosure->visited,
                                                       .is_exact = is_exact(disclosure)};
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
    if (d->until > 0) {
        d->options.max_seconds = time_for_point(d);
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

static pv_status draw(drawing *d, bool one_model, pv_error *error)
{
    const pv_risk asked = d->options.risk;
    for (size_t risk = 0; risk < PV_RISK_COUNT && !is_over(d); risk++) {
        if (!one_model || (pv_risk)risk == asked) {
            PV_TRY(draw_curve(d, (pv_risk)risk, error));
        }
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
    const pv_status status = draw(&d, o.one_model, error);
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

pv_utility pv_risk_front_utility(const pv_risk_front *front)
{
    return front->utility;
}

const char *pv_risk_front_method(const pv_risk_front *front)
{
    return front->method;
}

const char *pv_risk_front_reason(const pv_risk_front *front)
{
    return front->reason;
}

double pv_risk_front_n_nodes(const pv_risk_front *front)
{
    return front->nodes;
}

double pv_risk_front_seconds(const pv_risk_front *front)
{
    return front->seconds;
}

bool pv_risk_front_is_stopped(const pv_risk_front *front)
{
    return front->stopped;
}

pv_stop pv_risk_front_stop(const pv_risk_front *front)
{
    return front->stop;
}

size_t pv_risk_front_n_curves(const pv_risk_front *front)
{
    return front->n_curves;
}

pv_risk pv_risk_front_risk(const pv_risk_front *front, size_t curve)
{
    return front->curves[curve].risk;
}

double pv_risk_front_mean_raw(const pv_risk_front *front, size_t curve)
{
    return front->curves[curve].mean_raw;
}

double pv_risk_front_most_raw(const pv_risk_front *front, size_t curve)
{
    return front->curves[curve].most_raw;
}

const pv_risk_point *pv_risk_front_points(const pv_risk_front *front, size_t curve,
                                          size_t *n_points)
{
    *n_points = front->curves[curve].n_points;
    return front->curves[curve].points;
}
