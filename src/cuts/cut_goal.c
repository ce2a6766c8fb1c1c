/* Values of cut schemes. */
#include "cuts/cut_goal.h"

#include <math.h>

unsigned pv_i_cut_shift(const pv_cut_goal *goal)
{
    int bits = 0;
    if (goal->bias_slope > 0) {
        (void)frexp(fabs(goal->bias_base) + goal->bias_slope, &bits);
    }
    return bits > 0 ? (unsigned)bits : 0;
}

double pv_i_cut_worth(const pv_cut_goal *goal, const pv_cut_prices *prices, uint64_t value)
{
    return ldexp((double)value, (int)pv_i_cut_shift(goal)) / prices->one;
}

/* Prices are exact to about 2^-52 of all there is to lose, and shifting drops bits. */
uint64_t pv_i_cut_tie(const pv_cut_goal *goal, const pv_cut_prices *prices, uint64_t value)
{
    const double exact = ldexp(1e-13 * prices->one, -(int)pv_i_cut_shift(goal));
    return 2 + (uint64_t)(exact + 1e-13 * (double)value);
}

/* Bias and loss together, half of it: it must not overflow. */
static uint64_t sum_of(const pv_cut_prices *prices, uint64_t cost, double bias)
{
    return cost / 2 + (uint64_t)llround(fmin(bias, 1) * prices->one / 2);
}

static uint64_t larger_of(const pv_cut_goal *goal, const pv_cut_prices *prices, uint64_t cost,
                          double bias)
{
    if (!(goal->bias_slope > 0)) {
        return cost;
    }
    const unsigned shift = pv_i_cut_shift(goal);
    const double priced = goal->bias_base + goal->bias_slope * bias;
    const uint64_t loss = cost >> shift;
    const uint64_t as_loss =
        priced > 0 ? (uint64_t)llround(ldexp(priced * prices->one, -(int)shift)) : 0;
    return as_loss > loss ? as_loss : loss;
}

uint64_t pv_i_cut_value(const pv_cut_goal *goal, const pv_cut_prices *prices, uint64_t cost,
                        double bias)
{
    const uint64_t larger = larger_of(goal, prices, cost, bias);
    return goal->most == 0       ? larger
           : larger > goal->most ? PV_CUT_IMPOSSIBLE
                                 : sum_of(prices, cost, bias);
}
