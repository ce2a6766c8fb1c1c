/* Choosing a point by what is demanded of it.
 *
 * Points that keep every bound are compared objective by objective. What is demanded is paid by the
 * other side: whoever bounds privacy gets the least loss, whoever bounds loss gets the most
 * privacy. Objectives with a bound decide last. */
#include "base/error.h"
#include "front/front_bounds.h"
#include "front/front_values.h"

#include <string.h>

typedef struct picker {
    const pv_front *front;
    pv_front_bounds demanded;
    size_t order[PV_MAX_OBJECTIVES]; /* objectives, the first to decide first */
} picker;

/* ------------------------------------------------------------------ the order */

static bool bounds_losses_only(const pv_front_bounds *demanded)
{
    for (size_t i = 0; i < demanded->n_bounds; i++) {
        if (demanded->bounds[i].ref.measure->family != PV_FAMILY_LOSS) {
            return false;
        }
    }
    return true;
}

/* Three rounds: the side that pays, the rest without a bound, those with one. */
static void choose_order(picker *p)
{
    const bool losses_pay = !bounds_losses_only(&p->demanded);
    size_t n = 0;
    for (unsigned round = 0; round < 3; round++) {
        for (size_t i = 0; i < p->front->n_objectives; i++) {
            const bool is_loss = p->front->objectives[i].measure->family == PV_FAMILY_LOSS;
            const bool bounded = pv_i_front_is_bounded(&p->demanded, i);
            const unsigned its_round = bounded ? 2 : losses_pay && is_loss ? 0 : 1;
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

/* ----------------------------------------------------------------------- pick */

static pv_status not_a_pick(pv_error *error)
{
    return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                               "a point of the front is picked by `knee` or by a bound"),
                     error, "such as knee, k=5 or 'glm<=0.3'");
}

static pv_status pick_by_bounds(picker *p, size_t *point, pv_error *error)
{
    size_t best = SIZE_MAX;
    choose_order(p);
    for (size_t i = 0; i < p->front->n_points; i++) {
        if (pv_i_front_bounds_keep(&p->demanded, i) &&
            (best == SIZE_MAX || is_better(p, i, best))) {
            best = i;
        }
    }
    if (best == SIZE_MAX) {
        return pv_i_front_none_keeps(&p->demanded, error);
    }
    *point = best;
    return PV_STATUS_OK;
}

pv_status pv_front_pick(const pv_front *front, const pv_profile *profile, const char *text,
                        size_t *point, pv_error *error)
{
    picker p = {.front = front};
    if (strcmp(text, "knee") == 0) {
        if (front->n_points == 0) {
            return pv_i_front_is_empty(error);
        }
        *point = pv_front_knee(front);
        return PV_STATUS_OK;
    }
    if (strchr(text, '=') == NULL) {
        return not_a_pick(error);
    }
    PV_TRY(pv_i_front_bounds_parse(front, profile, text, &p.demanded, error));
    return pick_by_bounds(&p, point, error);
}
