/* Blocks of people, and simple loops over them.
 *
 * A block fits into the nearest cache, so passing over it for each index costs little; and loops
 * that treat all people alike, without branches, are what a processor does several at a time. Sums
 * and products fold the block in halves,
 *
 *     a b c d e f g h  ->  a+e b+f c+g d+h  ->  a+e+c+g b+f+d+h  ->  ...
 *
 * which is done several at a time, too, and rounds each value only as often as it is folded. */
#include "compare/duel_scan.h"

#include <float.h>

enum { BLOCK = 512 }; /* mantissas below 2: their product stays a double */

typedef struct {
    size_t n; /* people */
    /* Values that differ only by rounding are made equal here, and nobody need think of it again */
    double first[BLOCK], second[BLOCK];
    double rise[BLOCK], fall[BLOCK]; /* by how much they are better off in one of them, or 0 */
    const double *target;            /* NULL = the better of both */
    double work[BLOCK];              /* for folding */
} block;

/* ------------------------------------------------------------------ folding */

static inline double plus(double x, double y)
{
    return x + y;
}

static inline double times(double x, double y)
{
    return x * y;
}

static inline double lesser(double x, double y)
{
    return x < y ? x : y;
}

static inline double greater(double x, double y)
{
    return x > y ? x : y;
}

/* Folds n > 0 values into the first. */
static inline double fold(double *values, size_t n, double (*both)(double, double))
{
    for (size_t half; n > 1; n = half) {
        half = (n + 1) / 2;
        double *restrict const low = values;
        const double *restrict const high = values + half;
        for (size_t i = 0; i < n - half; i++) {
            low[i] = both(low[i], high[i]);
        }
    }
    return values[0];
}

/* --------------------------------------------------------------------- sums */

static void settle(block *k, const double *first, const double *second)
{
    for (size_t i = 0; i < k->n; i++) {
        const double a = first[i];
        const double b = second[i];
        const double low = lesser(a, b);
        const bool differs = fabs(a - b) > PV_ROUNDING * lesser(fabs(a), fabs(b));
        k->first[i] = differs ? a : low;
        k->second[i] = differs ? b : low;
    }
    for (size_t i = 0; i < k->n; i++) {
        k->rise[i] = greater(k->first[i] - k->second[i], 0);
        k->fall[i] = greater(k->second[i] - k->first[i], 0);
    }
}

/* In floating point, as everything around it; a block has few people. */
static uint64_t count_above_zero(block *k, const double *values)
{
    for (size_t i = 0; i < k->n; i++) {
        k->work[i] = values[i] > 0 ? 1 : 0;
    }
    return (uint64_t)fold(k->work, k->n, plus);
}

static double least_of(block *k, const double *values)
{
    memcpy(k->work, values, k->n * sizeof *values);
    return fold(k->work, k->n, lesser);
}

static double sum_of(block *k, const double *values)
{
    memcpy(k->work, values, k->n * sizeof *values);
    return fold(k->work, k->n, plus);
}

static double squares_of(block *k, const double *values)
{
    for (size_t i = 0; i < k->n; i++) {
        k->work[i] = values[i] * values[i];
    }
    return fold(k->work, k->n, plus);
}

static double squares_from_target(block *k, const double *values)
{
    for (size_t i = 0; i < k->n; i++) {
        k->work[i] = (values[i] - k->target[i]) * (values[i] - k->target[i]);
    }
    return fold(k->work, k->n, plus);
}

static void add_sizes(pv_duel_scan *s, block *k)
{
    double sizes[BLOCK];
    for (size_t i = 0; i < k->n; i++) {
        const double size = greater(fabs(k->first[i]), fabs(k->second[i]));
        sizes[i] = k->rise[i] + k->fall[i] > 0 ? size : 0;
    }
    s->size += sum_of(k, sizes);
    s->square += squares_of(k, sizes);
}

static void add_side(pv_duel_side *side, block *k, const double *values, const double *better,
                     const double *worse)
{
    side->better += count_above_zero(k, better);
    side->least = lesser(side->least, least_of(k, values));
    pv_i_sum_add(&side->spread, sum_of(k, better));
    pv_i_sum_add(&side->squares, k->target ? squares_from_target(k, values) : squares_of(k, worse));
}

/* ------------------------------------------------------------------ volumes */

/* One by one, where some values are not above 0, or hardly are. */
static void meet_nothing(pv_duel_scan *s, pv_duel_side *high, pv_duel_side *low, double more,
                         double less)
{
    s->has_negative |= less < 0;
    low->has_zero = true;
    if (more > 0) {
        pv_i_product_multiply(&high->growth, pv_i_product_of(more));
    } else {
        high->has_zero = true;
    }
}

static void add_volume_of(pv_duel_scan *s, pv_duel_side *high, pv_duel_side *low, double more,
                          double less)
{
    if (!(less > 0)) {
        meet_nothing(s, high, low, more, less);
        return;
    }
    const pv_product shared = pv_i_product_of(less);
    pv_i_product_multiply(&s->common, shared);
    pv_i_product_multiply(&high->growth, pv_i_product_ratio(pv_i_product_of(more), shared));
}

static void add_volumes_one_by_one(pv_duel_scan *s, const block *k)
{
    for (size_t i = 0; i < k->n && !s->has_negative; i++) {
        if (k->first[i] < k->second[i]) {
            add_volume_of(s, &s->second, &s->first, k->second[i], k->first[i]);
        } else {
            add_volume_of(s, &s->first, &s->second, k->first[i], k->second[i]);
        }
    }
}

static void add_common(pv_duel_scan *s, block *k)
{
    int64_t exponent = 0;
    for (size_t i = 0; i < k->n; i++) {
        const pv_product low = pv_i_product_split(lesser(k->first[i], k->second[i]));
        k->work[i] = low.mantissa;
        exponent += low.exponent;
    }
    pv_i_product_multiply(&s->common, pv_i_product_make(fold(k->work, k->n, times), exponent));
}

static void add_growth(pv_duel_side *side, block *k, const double *values, const double *others)
{
    int64_t exponent = 0;
    for (size_t i = 0; i < k->n; i++) {
        const pv_product high = pv_i_product_split(greater(values[i], others[i]));
        const pv_product low = pv_i_product_split(others[i]);
        k->work[i] = high.mantissa / low.mantissa;
        exponent += high.exponent - low.exponent;
    }
    pv_i_product_multiply(&side->growth, pv_i_product_make(fold(k->work, k->n, times), exponent));
}

static void add_volumes(pv_duel_scan *s, block *k)
{
    if (lesser(least_of(k, k->first), least_of(k, k->second)) < DBL_MIN) {
        add_volumes_one_by_one(s, k);
        return;
    }
    add_common(s, k);
    add_growth(&s->first, k, k->first, k->second);
    add_growth(&s->second, k, k->second, k->first);
}

/* --------------------------------------------------------------------- all */

static void add_block(pv_duel_scan *s, block *k)
{
    add_sizes(s, k);
    add_side(&s->first, k, k->first, k->rise, k->fall);
    add_side(&s->second, k, k->second, k->fall, k->rise);
    if (!s->has_negative) {
        add_volumes(s, k);
    }
}

pv_duel_scan pv_i_duel_scan(const double *first, const double *second, uint64_t n,
                            const double *target)
{
    const pv_duel_side empty = {.least = HUGE_VAL, .growth = PV_PRODUCT_OF_NOTHING};
    pv_duel_scan s = {.first = empty, .second = empty, .common = PV_PRODUCT_OF_NOTHING};
    block k;
    for (uint64_t done = 0; done < n; done += k.n) {
        k.n = n - done < BLOCK ? (size_t)(n - done) : BLOCK;
        k.target = target ? target + done : NULL;
        settle(&k, first + done, second + done);
        add_block(&s, &k);
    }
    return s;
}
