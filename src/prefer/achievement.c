/* The achievement function: how near a point comes to a wish (MODEL section 6). */
#include "prefer/achievement.h"

#include "base/error.h"

#include <math.h>

/* Better than the best thinkable by this much. */
#define BEYOND 1e-6

static bool is_wish(double value)
{
    return isfinite(value) && value >= 0;
}

pv_status pv_achievement_init(pv_achievement *achievement, pv_aspiration wish, pv_error *error)
{
    if (!is_wish(wish.necd) || !is_wish(wish.nwp)) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                   "bias and loss to aspire to must be numbers of 0 or more"),
                         error, "0 is none at all, 1 is all there can be");
    }
    const double necd = 1 / (wish.necd + BEYOND);
    const double nwp = 1 / (wish.nwp + BEYOND);
    *achievement = (pv_achievement){.wish = wish, .weight = necd / (necd + nwp), .utopia = -BEYOND};
    return PV_STATUS_OK;
}

double pv_achievement_value(const pv_achievement *achievement, pv_aspiration point)
{
    return fmax(achievement->weight * (point.necd - achievement->utopia),
                (1 - achievement->weight) * (point.nwp - achievement->utopia));
}

double pv_achievement_deviation(const pv_achievement *achievement, pv_aspiration point)
{
    return point.necd + point.nwp - achievement->wish.necd - achievement->wish.nwp;
}

double pv_achievement_wish(const pv_achievement *achievement)
{
    return pv_achievement_value(achievement, achievement->wish);
}

pv_cut_goal pv_i_achievement_goal(const pv_achievement *achievement, uint64_t k)
{
    const double slope = achievement->weight / (1 - achievement->weight);
    return (pv_cut_goal){.k = k,
                         .bias_base = achievement->utopia - slope * achievement->utopia,
                         .bias_slope = slope};
}

double pv_i_achievement_of(const pv_achievement *achievement, double value)
{
    return (1 - achievement->weight) * (value - achievement->utopia);
}
