/* Ladders for programs: the searches for the one best scheme of each kind, asked once for every k.
 */
#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/options.h"
#include "front/ladder.h"
#include "plan/plan.h"
#include "scheme/scheme.h"

#include <math.h>
#include <paravent/ladder.h>
#include <paravent/local.h>
#include <paravent/search.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t usual_ks[] = {2, 5, 10, 25, 50, 100};
#define N_USUAL (sizeof usual_ks / sizeof *usual_ks)

/* One search at a time. */
typedef struct climb {
    const pv_study *study;
    const pv_ladder_options *asked;
    const pv_context *context;
    pv_ladder *ladder;
    pv_constraint demands[PV_MAX_CONSTRAINTS]; /* asked for, and last the k */
    size_t n_demands;
    double begin;
} climb;

/* ----------------------------------------------------------------- questions */

static int by_size(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a;
    const uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* What is demanded besides the k of each point; returns that k which is demanded of all. */
static pv_status take_demands(climb *c, uint64_t *least_k, pv_error *error)
{
    pv_ladder *const ladder = c->ladder;
    const pv_plan *const plan = pv_study_plan(c->study);
    pv_constraint all[PV_MAX_CONSTRAINTS];
    size_t n = 0;
    PV_TRY(pv_plan_demands(plan, all, &n, error));
    for (size_t i = 0; i < c->asked->n_demands; i++) {
        PV_TRY(pv_constraints_add(all, &n, &c->asked->demands[i], error));
    }
    *least_k = pv_plan_target_k(plan);
    for (size_t i = 0; i < n; i++) {
        if (all[i].ref.measure->rule == PV_RULE_SIZE) {
            *least_k = (double)*least_k < all[i].bound ? (uint64_t)ceil(all[i].bound) : *least_k;
        } else {
            PV_TRY(pv_constraints_add(ladder->demands, &ladder->n_demands, &all[i], error));
        }
    }
    return PV_STATUS_OK;
}

/* Ascending, each once, none below what is demanded anyway; the usual ones only as far as the
 * table has so many rows. */
static pv_status take_ks(climb *c, uint64_t least_k, uint64_t rows, uint64_t **ks, size_t *n_ks,
                         pv_error *error)
{
    const bool own = c->asked->ks != NULL && c->asked->n_ks > 0;
    const uint64_t *const given = own ? c->asked->ks : usual_ks;
    const size_t n_given = own ? c->asked->n_ks : N_USUAL;
    if (n_given > PV_MAX_LADDER_POINTS) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "at most %d values of k, not %zu",
                         PV_MAX_LADDER_POINTS, n_given);
    }
    uint64_t *const list = PV_NEW_ARRAY(uint64_t, n_given);
    size_t n = 0;
    if (list == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < n_given; i++) {
        const uint64_t k = given[i] > least_k ? given[i] : least_k;
        if (own || k <= rows || n == 0) {
            list[n++] = k > 0 ? k : 1;
        }
    }
    qsort(list, n, sizeof *list, by_size);
    size_t kept = 1;
    for (size_t i = 1; i < n; i++) {
        if (list[i] != list[kept - 1]) {
            list[kept++] = list[i];
        }
    }
    *ks = list;
    *n_ks = kept;
    return PV_STATUS_OK;
}

static pv_status take_loss(climb *c, pv_error *error)
{
    const char *const name = c->asked->minimize != NULL ? c->asked->minimize : "glm";
    PV_TRY(pv_measure_parse(name, &c->ladder->loss, error));
    return c->ladder->loss.measure == pv_measure_find("glm") ||
                   c->ladder->loss.measure == pv_measure_find("nwp")
               ? PV_STATUS_OK
               : pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                     "local recoding does not minimise '%s'",
                                     c->ladder->loss.measure->name),
                           error, "minimise glm or nwp");
}

/* ------------------------------------------------------------------ searches */

/* What is left of the time; 0 = there is no limit. Never 0 otherwise: that is checked before. */
static double time_left(const climb *c)
{
    return c->asked->max_seconds > 0 ? fmax(c->asked->max_seconds - (pv_i_now() - c->begin), 1e-3)
                                     : 0;
}

static pv_status search_local(climb *c, pv_ladder_point *point, pv_scheme **scheme, pv_stop *stop,
                              pv_error *error)
{
    const double left = time_left(c);
    pv_local_options options = {.size = sizeof options,
                                .context = c->context,
                                .minimize = c->asked->minimize,
                                .demands = c->demands,
                                .n_demands = c->n_demands,
                                .budget = c->asked->budget,
                                .improve_seconds = c->asked->improve_seconds,
                                .bound_seconds = c->asked->bound_seconds,
                                .seed = c->asked->seed};
    if (left > 0 && options.bound_seconds >= 0) {
        options.bound_seconds =
            options.bound_seconds > 0 ? fmin(options.bound_seconds, left) : left;
    }
    pv_local *local = NULL;
    const pv_status status = pv_local_find(c->study, &options, &local, error);
    if (status == PV_STATUS_UNSATISFIED) {
        *error = (pv_error){0};
        return PV_STATUS_OK;
    }
    PV_TRY(status);
    point->value = pv_local_value(local);
    point->bound = pv_local_bound(local);
    point->suppressed = pv_local_suppressed(local);
    *stop = pv_local_stop(local) == PV_STOP_CANCELLED ? PV_STOP_CANCELLED : PV_STOP_FINISHED;
    *scheme = pv_local_take_scheme(local);
    pv_local_free(local);
    return PV_STATUS_OK;
}

/* Cuts begin with the best levels of the same k, where these were searched. */
static pv_status search_best(climb *c, pv_scheme_kind kind, size_t at, pv_ladder_point *point,
                             pv_scheme **scheme, pv_stop *stop, pv_error *error)
{
    const pv_ladder_curve *const levels = &c->ladder->curves[PV_SCHEME_LEVELS];
    const pv_best_options options = {
        .size = sizeof options,
        .context = c->context,
        .kind = kind,
        .minimize = c->asked->minimize,
        .demands = c->demands,
        .n_demands = c->n_demands,
        .budget = c->asked->budget,
        .max_seconds = time_left(c),
        .seed = c->asked->seed,
        .start = kind == PV_SCHEME_CUTS && levels->searched ? levels->schemes[at] : NULL};
    pv_best *best = NULL;
    pv_status status = pv_best_find(c->study, &options, &best, error);
    PV_TRY(status);
    const pv_scheme *const found = pv_best_scheme(best);
    *stop = pv_best_stop(best) == PV_STOP_CANCELLED ? PV_STOP_CANCELLED : PV_STOP_FINISHED;
    if (found != NULL) {
        point->value = pv_best_value(best);
        point->bound = pv_best_bound(best);
        point->suppressed = pv_best_suppressed(best);
        status = pv_i_scheme_copy(found, c->ladder->n_tuples, scheme, error);
    }
    pv_best_free(best);
    return status;
}

/* A kind that does not go with this plan is no failure while others are asked for, too. */
static bool may_refuse(const climb *c, pv_status status)
{
    size_t n = 0;
    for (size_t i = 0; i < PV_N_SCHEME_KINDS; i++) {
        n += c->asked->kinds[i];
    }
    return n > 1 &&
           (status == PV_STATUS_ARGUMENT || status == PV_STATUS_LIMIT || status == PV_STATUS_INPUT);
}

static pv_status refuse(pv_ladder_curve *curve, pv_error *error)
{
    curve->refusal = pv_i_strdup(error != NULL ? error->message : "the plan does not allow it");
    curve->searched = false;
    if (curve->refusal == NULL) {
        return pv_i_no_memory(error);
    }
    if (error != NULL) {
        *error = (pv_error){0};
    }
    return PV_STATUS_OK;
}

/* One kind at one k. */
static pv_status take_step(climb *c, pv_scheme_kind kind, size_t at, pv_error *error)
{
    pv_ladder_curve *const curve = &c->ladder->curves[kind];
    pv_ladder_point *const point = &curve->points[at];
    const double begin = pv_i_now();
    const pv_constraint k = {.ref = {.measure = pv_measure_find("k")}, .bound = (double)point->k};
    pv_stop stop = PV_STOP_FINISHED;
    c->n_demands = 0;
    for (size_t i = 0; i < c->ladder->n_demands; i++) {
        PV_TRY(pv_constraints_add(c->demands, &c->n_demands, &c->ladder->demands[i], error));
    }
    PV_TRY(pv_constraints_add(c->demands, &c->n_demands, &k, error));
    const pv_status status =
        kind == PV_SCHEME_RECORDS
            ? search_local(c, point, &curve->schemes[at], &stop, error)
            : search_best(c, kind, at, point, &curve->schemes[at], &stop, error);
    if (status == PV_STATUS_CANCELLED) {
        c->ladder->stop = PV_STOP_CANCELLED;
        *error = (pv_error){0};
        return PV_STATUS_OK;
    }
    if (may_refuse(c, status)) {
        return refuse(curve, error);
    }
    PV_TRY(status);
    c->ladder->stop = stop;
    point->scheme = curve->schemes[at];
    point->seconds = pv_i_now() - begin;
    return PV_STATUS_OK;
}

static bool out_of_time(const climb *c)
{
    return c->asked->max_seconds > 0 && (pv_i_now() - c->begin) >= c->asked->max_seconds;
}

static pv_status walk(climb *c, pv_error *error)
{
    for (size_t i = 0; i < c->ladder->n; i++) {
        for (size_t kind = 0; kind < PV_N_SCHEME_KINDS; kind++) {
            if (!c->ladder->curves[kind].searched) {
                continue;
            }
            if (out_of_time(c)) {
                c->ladder->stop = PV_STOP_TIME;
                return PV_STATUS_OK;
            }
            PV_TRY(take_step(c, (pv_scheme_kind)kind, i, error));
            if (c->ladder->stop == PV_STOP_CANCELLED) {
                return PV_STATUS_OK;
            }
        }
    }
    return PV_STATUS_OK;
}

static pv_status make_curves(climb *c, const uint64_t *ks, pv_error *error)
{
    bool any = false;
    for (size_t i = 0; i < PV_N_SCHEME_KINDS; i++) {
        any |= c->asked->kinds[i];
    }
    for (size_t kind = 0; kind < PV_N_SCHEME_KINDS; kind++) {
        pv_ladder_curve *const curve = &c->ladder->curves[kind];
        curve->searched = any ? c->asked->kinds[kind] : kind == PV_SCHEME_RECORDS;
        if (!curve->searched) {
            continue;
        }
        curve->points = PV_NEW_ZEROED(pv_ladder_point, c->ladder->n);
        curve->schemes = PV_NEW_ZEROED(pv_scheme *, c->ladder->n);
        if (curve->points == NULL || curve->schemes == NULL) {
            return pv_i_no_memory(error);
        }
        for (size_t i = 0; i < c->ladder->n; i++) {
            curve->points[i].k = curve->points[i].found_for = ks[i];
        }
    }
    return PV_STATUS_OK;
}

static pv_status find(climb *c, pv_error *error)
{
    const pv_profile *profile = NULL;
    const pv_budget *const budget =
        c->asked->budget != NULL ? c->asked->budget : &pv_study_plan(c->study)->suppression;
    uint64_t least_k = 0;
    uint64_t *ks = NULL;
    PV_TRY(pv_study_profile(c->study, &profile, error));
    PV_TRY(take_loss(c, error));
    PV_TRY(take_demands(c, &least_k, error));
    c->ladder->n_tuples = pv_profile_tuples(profile);
    c->ladder->budget = pv_budget_rows(budget, pv_profile_rows(profile));
    PV_TRY(take_ks(c, least_k, pv_profile_rows(profile), &ks, &c->ladder->n, error));
    pv_status status = make_curves(c, ks, error);
    if (status == PV_STATUS_OK) {
        status = walk(c, error);
    }
    pv_i_free(ks);
    PV_TRY(status);
    pv_i_ladder_settle(c->ladder, profile);
    c->ladder->seconds = (pv_i_now() - c->begin);
    return PV_STATUS_OK;
}

pv_status pv_ladder_find(const pv_study *study, const pv_ladder_options *options,
                         pv_ladder **ladder, pv_error *error)
{
    pv_ladder_options asked = {0};
    pv_error own = {0};
    PV_TRY(PV_TAKE_OPTIONS(asked, options, error));
    climb c = {.study = study,
               .asked = &asked,
               .context = asked.context != NULL ? asked.context : pv_study_context(study),
               .ladder = PV_NEW(pv_ladder),
               .begin = pv_i_now()};
    if (c.ladder == NULL) {
        return pv_i_no_memory(error);
    }
    const pv_status status = find(&c, error != NULL ? error : &own);
    if (status != PV_STATUS_OK) {
        pv_ladder_free(c.ladder);
        return status;
    }
    *ladder = c.ladder;
    return PV_STATUS_OK;
}
