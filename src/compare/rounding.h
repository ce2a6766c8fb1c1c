/* Numbers that rounding must not decide about.
 *
 * A person who loses 0.1 + 0.2 + 0.3 in one release and 0.3 + 0.2 + 0.1 in another is treated the
 * same, yet the two sums differ in their last bit. Whoever counts people must not count such a
 * difference; whoever adds up or multiplies millions of values must not make new ones. */
#ifndef PV_COMPARE_ROUNDING_H
#define PV_COMPARE_ROUNDING_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Room for sums over dozens of attributes; counts of people below 2^46 are still told apart. */
#define PV_ROUNDING 0x1p-46

/* Does a exceed b beyond rounding? What is infinite exceeds what is not. */
static inline bool pv_i_exceeds(double a, double b)
{
    return a > b && a - b > PV_ROUNDING * fmin(fabs(a), fabs(b));
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

/* ---------------------------------------------------------------- products */

/* A product too large or small for any double: mantissa * 2^exponent with 1 <= mantissa < 2. */
typedef struct pv_product {
    double mantissa;
    int64_t exponent;
} pv_product;

#define PV_PRODUCT_OF_NOTHING ((pv_product){.mantissa = 1})

/* Of a normal number above 0; much faster than frexp, which must think of all others. */
static inline pv_product pv_i_product_split(double x)
{
    const uint64_t fraction = (UINT64_C(1) << 52) - 1;
    const uint64_t one = UINT64_C(1023) << 52;
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    pv_product p = {.exponent = (int64_t)(bits >> 52) - 1023};
    bits = (bits & fraction) | one;
    memcpy(&p.mantissa, &bits, sizeof bits);
    return p;
}

/* Of any finite number above 0. */
static inline pv_product pv_i_product_of(double x)
{
    if (x >= 0x1p-1022) {
        return pv_i_product_split(x);
    }
    pv_product p = pv_i_product_split(x * 0x1p54);
    p.exponent -= 54;
    return p;
}

static inline void pv_i_product_multiply(pv_product *p, pv_product factor)
{
    const pv_product next = pv_i_product_split(p->mantissa * factor.mantissa);
    p->mantissa = next.mantissa;
    p->exponent += factor.exponent + next.exponent;
}

/* mantissa * 2^exponent, for any mantissa above 0. */
static inline pv_product pv_i_product_make(double mantissa, int64_t exponent)
{
    pv_product p = pv_i_product_of(mantissa);
    p.exponent += exponent;
    return p;
}

static inline pv_product pv_i_product_ratio(pv_product a, pv_product b)
{
    pv_product p = pv_i_product_split(a.mantissa / b.mantissa);
    p.exponent += a.exponent - b.exponent;
    return p;
}

/* The natural logarithm. Near 1 the mantissa is taken from the other side, so that two large parts
 * never cancel. */
static inline double pv_i_product_log(const pv_product *p)
{
    const bool high = p->mantissa > 0x1.6a09e667f3bcdp0; /* the square root of 2 */
    const double mantissa = high ? p->mantissa / 2 : p->mantissa;
    return log(mantissa) + (double)(p->exponent + high) * 0x1.62e42fefa39efp-1; /* ln 2 */
}

#endif
