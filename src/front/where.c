/* Leaving out the points nobody wants to see. They are still known: a front says how many. */
#include "base/error.h"
#include "front/front_bounds.h"

static size_t count_kept(const pv_front_bounds *bounds)
{
    size_t n = 0;
    for (size_t i = 0; i < bounds->front->n_points; i++) {
        n += pv_i_front_bounds_keep(bounds, i);
    }
    return n;
}

/* The points stay in their order; what they point to stays where it is. */
static void drop_others(pv_front *front, const pv_front_bounds *bounds)
{
    size_t kept = 0;
    for (size_t i = 0; i < front->n_points; i++) {
        if (pv_i_front_bounds_keep(bounds, i)) {
            front->points[kept++] = front->points[i];
        }
    }
    front->n_hidden += front->n_points - kept;
    front->n_points = kept;
}

pv_status pv_front_where(pv_front *front, const pv_profile *profile, const char *text,
                         pv_error *error)
{
    pv_front_bounds bounds;
    PV_TRY(pv_i_front_bounds_parse(front, profile, text, &bounds, error));
    if (count_kept(&bounds) == 0) {
        return pv_i_front_none_keeps(&bounds, error);
    }
    drop_others(front, &bounds);
    return PV_STATUS_OK;
}
