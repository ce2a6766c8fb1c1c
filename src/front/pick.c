/* Choosing a point by what is demanded of it.
 *
 * Points that keep every bound are compared objective by objective. What is demanded is paid by the
 * other side: whoever bounds privacy gets the least loss, whoever bounds loss gets the most
 * privacy. Objectives with a bound decide last. */
#include "base/error.h"
#include "front/front_axis.h"
#include "measure/bound.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct picker {
    const pv_front *front;
    const pv_profile *profile;
    pv_constraint bounds[PV_MAX_CONSTRAINTS];
    size_t n_bounds;
    size_t order[PV_MAX_OBJECTIVES]; /* objectives, the first to decide first */
} picker;

#define NOT_AN_OBJECTIVE SIZE_MAX

static size_t objective_of(const pv_front *front, pv_measure_ref ref)
{
    for (size_t i = 0; i < front->n_objectives; i++) {
        if (front->objectives[i].measure == ref.measure &&
            fabs(front->objectives[i].parameter - ref.parameter) <= 0) {
            return i;
        }
    }
    return NOT_AN_OBJECTIVE;
}

static bool is_k(const pv_measure *measure)
{
    return strcmp(measure->name, "k") == 0;
}

/* The value a bound speaks of; k is known of every point, whatever the objectives. */
static double value_for(const picker *p, const pv_constraint *bound, size_t point)
{
    const pv_measure *const measure = bound->ref.measure;
    const size_t objective = objective_of(p->front, bound->ref);
    const double value = objective == NOT_AN_OBJECTIVE ? (double)p->front->points[point].k
                                                       : p->front->points[point].values[objective];
    const bool as_share = bound->bound <= 1 && pv_measure_reads_as_share(measure, p->profile);
    return as_share ? pv_measure_share(measure, p->profile, value) : value;
}

static bool keeps(const picker *p, size_t point)
{
    for (size_t i = 0; i < p->n_bounds; i++) {
        if (!pv_constraint_holds(&p->bounds[i], value_for(p, &p->bounds[i], point))) {
            return false;
        }
    }
    return true;
}

/* ------------------------------------------------------------------ the order */

static bool is_bounded(const picker *p, size_t objective)
{
    for (size_t i = 0; i < p->n_bounds; i++) {
        if (objective_of(p->front, p->bounds[i].ref) == objective) {
            return true;
        }
    }
    return false;
}

static bool bounds_losses_only(const picker *p)
{
    for (size_t i = 0; i < p->n_bounds; i++) {
        if (p->bounds[i].ref.measure->family != PV_FAMILY_LOSS) {
            return false;
        }
    }
    return true;
}

/* Three rounds: the side that pays, the rest without a bound, those with one. */
static void choose_order(picker *p)
{
    const bool losses_pay = !bounds_losses_only(p);
    size_t n = 0;
    for (unsigned round = 0; round < 3; round++) {
        for (size_t i = 0; i < p->front->n_objectives; i++) {
            const bool is_loss = p->front->objectives[i].measure->family == PV_FAMILY_LOSS;
            const unsigned its_round = is_bounded(p, i) ? 2 : losses_pay && is_loss ? 0 : 1;
            if (its_round == round) {
                p->order[n++] = i;
            }
        }
    }
}

static bool is_better(const picker *p, size_t a, size_t b)
{
    for (size_t i = 0; i < p->front->n_objectives; i++) {
        const size_t objective = p->order[i];
        const double left = p->front->points[a].values[objective];
        const double right = p->front->points[b].values[objective];
        if (pv_i_front_better(p->front, objective, left, right)) {
            return true;
        }
        if (pv_i_front_better(p->front, objective, right, left)) {
            return false;
        }
    }
    return false;
}

/* ------------------------------------------------------------------- refusals */

static pv_status not_a_pick(pv_error *error)
{
    return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                               "a point of the front is picked by `knee` or by a bound"),
                     error, "such as knee, k=5 or 'glm<=0.3'");
}

static pv_status check_objectives(const picker *p, pv_error *error)
{
    for (size_t i = 0; i < p->n_bounds; i++) {
        const pv_measure_ref ref = p->bounds[i].ref;
        if (objective_of(p->front, ref) == NOT_AN_OBJECTIVE && !is_k(ref.measure)) {
            return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                       "'%s' is no objective of this front", ref.measure->name),
                             error, "make it one: --objectives %s,%s,%s",
                             p->front->objectives[0].measure->name,
                             p->front->objectives[1].measure->name, ref.measure->name);
        }
    }
    return PV_STATUS_OK;
}

/* The best that any point offers for a bound. */
static double best_offer(const picker *p, const pv_constraint *bound)
{
    const bool more = bound->ref.measure->direction == PV_MORE_IS_BETTER;
    double best = value_for(p, bound, 0);
    for (size_t i = 1; i < p->front->n_points; i++) {
        const double value = value_for(p, bound, i);
        best = more ? fmax(best, value) : fmin(best, value);
    }
    return best;
}

static pv_status none_keeps(const picker *p, pv_error *error)
{
    const char *const may_be = p->front->complete ? "" : "; the search was not complete";
    for (size_t i = 0; i < p->n_bounds; i++) {
        const pv_constraint *const bound = &p->bounds[i];
        const double best = best_offer(p, bound);
        if (!pv_constraint_holds(bound, best)) {
            char text[128];
            pv_constraint_text(bound, text, sizeof text);
            return pv_i_hint(
                pv_i_fail(error, PV_STATUS_UNSATISFIED, "no point of the front has %s", text),
                error, "the %s %s on the front is %.6g%s",
                bound->ref.measure->direction == PV_MORE_IS_BETTER ? "highest" : "lowest",
                bound->ref.measure->name, best, may_be);
        }
    }
    return pv_i_hint(pv_i_fail(error, PV_STATUS_UNSATISFIED,
                               "no point of the front keeps all of these bounds together"),
                     error, "each of them alone can be kept%s", may_be);
}

/* ----------------------------------------------------------------------- pick */

static pv_status pick_by_bounds(picker *p, size_t *point, pv_error *error)
{
    size_t best = SIZE_MAX;
    PV_TRY(check_objectives(p, error));
    choose_order(p);
    for (size_t i = 0; i < p->front->n_points; i++) {
        if (keeps(p, i) && (best == SIZE_MAX || is_better(p, i, best))) {
            best = i;
        }
    }
    if (best == SIZE_MAX) {
        return none_keeps(p, error);
    }
    *point = best;
    return PV_STATUS_OK;
}

pv_status pv_front_pick(const pv_front *front, const pv_profile *profile, const char *text,
                        size_t *point, pv_error *error)
{
    picker p = {.front = front, .profile = profile};
    if (strcmp(text, "knee") != 0) {
        if (strchr(text, '=') == NULL) {
            return not_a_pick(error);
        }
        PV_TRY(pv_i_bounds_parse(text, p.bounds, &p.n_bounds, error));
    }
    if (front->n_points == 0) {
        return pv_i_fail(error, PV_STATUS_UNSATISFIED, "the front is empty: no scheme was found");
    }
    if (p.n_bounds > 0) {
        return pick_by_bounds(&p, point, error);
    }
    *point = pv_front_knee(front);
    return PV_STATUS_OK;
}
