/* Numbers that rounding must not decide about.
 *
 * A person who loses 0.1 + 0.2 + 0.3 in one release and 0.3 + 0.2 + 0.1 in another is treated the
 * same, yet the two sums differ in their last bit. Whoever counts people must not count such a
 * difference; whoever adds up millions of values must not make new ones. */
#ifndef PV_COMPARE_ROUNDING_H
#define PV_COMPARE_ROUNDING_H

#include <math.h>
#include <stdbool.h>

/* Room for sums over dozens of attributes; counts of people below 2^46 are still told apart. */
#define PV_ROUNDING 0x1p-46

/* Does a exceed b beyond rounding? What is infinite exceeds what is not. */
static inline bool pv_i_exceeds(double a, double b)
{
    const double size = fabs(a) < fabs(b) ? fabs(a) : fabs(b);
    return a > b && a - b > PV_ROUNDING * size;
}

/* -------------------------------------------------------------------- sums */

/* A sum with what was lost on the way (Knuth's two-sum): as if added up in twice the digits.
 * Zero-initialised = nothing yet. */
typedef struct pv_sum {
    double sum, lost;
} pv_sum;

static inline void pv_i_sum_add(pv_sum *s, double x)
{
    const double next = s->sum + x;
    const double added = next - s->sum;
    s->lost += (s->sum - (next - added)) + (x - added);
    s->sum = next;
}

/* Once a sum is infinite, what was lost is no number. */
static inline double pv_i_sum_value(const pv_sum *s)
{
    return isfinite(s->sum) ? s->sum + s->lost : s->sum;
}

#endif
