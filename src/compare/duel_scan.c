/* Blocks of values, and simple loops over them.
 *
 * A block fits into the nearest cache, so passing over it for each index costs little; and loops
 * that treat all values alike, without branches, are what a processor does several at a time. Sums
 * fold the block in halves,
 *
 *     a b c d e f g h  ->  a+e b+f c+g d+h  ->  a+e+c+g b+f+d+h  ->  ...
 *
 * which is done several at a time, too, and rounds each value only as often as it is folded.
 * Volumes are logarithms, one by one. */
#include "compare/duel_scan.h"

#include <string.h>

enum { BLOCK = 512 };

typedef struct {
    size_t n; /* values */
    /* Values that differ only by rounding are made equal here, and nobody need think of it again */
    double first[BLOCK], second[BLOCK];
    double rise[BLOCK], fall[BLOCK]; /* by how much they are better off in one of them, or 0 */
    double people[BLOCK];            /* how many */
    const double *target;            /* NULL = the better of both */
    double work[BLOCK];              /* for folding */
} block;

/* ------------------------------------------------------------------ folding */

static inline double plus(double x, double y)
{
    return x + y;
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

static void populate(block *k, const uint64_t *people)
{
    for (size_t i = 0; i < k->n; i++) {
        k->people[i] = people != NULL ? (double)people[i] : 1;
    }
}

/* In floating point, as everything around it: there are fewer people than 2^53. */
static uint64_t count_above_zero(block *k, const double *values)
{
    for (size_t i = 0; i < k->n; i++) {
        k->work[i] = values[i] > 0 ? k->people[i] : 0;
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
    for (size_t i = 0; i < k->n; i++) {
        k->work[i] = k->people[i] * values[i];
    }
    return fold(k->work, k->n, plus);
}

static double squares_of(block *k, const double *values)
{
    for (size_t i = 0; i < k->n; i++) {
        k->work[i] = k->people[i] * (values[i] * values[i]);
    }
    return fold(k->work, k->n, plus);
}

static double squares_from_target(block *k, const double *values)
{
    for (size_t i = 0; i < k->n; i++) {
        const double distance = values[i] - k->target[i];
        k->work[i] = k->people[i] * (distance * distance);
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

/* ln more/less. What hardly differs is taken by its difference, which is exact. */
static double growth_of(double more, double less)
{
    const double step = (more - less) / less;
    return isfinite(step) ? log1p(step) : log(more) - log(less);
}

/* Where a value is not above 0. */
static void meet_nothing(pv_duel_scan *s, pv_duel_side *high, pv_duel_side *low, double more,
                         double less, double people)
{
    s->has_negative |= less < 0;
    low->has_zero = true;
    if (more > 0) {
        pv_i_sum_add(&high->growth, people * log(more));
    } else {
        high->has_zero = true;
    }
}

static void add_volume_of(pv_duel_scan *s, pv_duel_side *high, pv_duel_side *low, double more,
                          double less, double people)
{
    if (!(less > 0)) {
        meet_nothing(s, high, low, more, less, people);
        return;
    }
    pv_i_sum_add(&s->common, people * log(less));
    if (more > less) {
        pv_i_sum_add(&high->growth, people * growth_of(more, less));
    }
}

static void add_volumes(pv_duel_scan *s, const block *k)
{
    for (size_t i = 0; i < k->n && !s->has_negative; i++) {
        if (k->first[i] < k->second[i]) {
            add_volume_of(s, &s->second, &s->first, k->second[i], k->first[i], k->people[i]);
        } else {
            add_volume_of(s, &s->first, &s->second, k->first[i], k->second[i], k->people[i]);
        }
    }
}

/* --------------------------------------------------------------------- all */

static void add_block(pv_duel_scan *s, block *k)
{
    add_sizes(s, k);
    add_side(&s->first, k, k->first, k->rise, k->fall);
    add_side(&s->second, k, k->second, k->fall, k->rise);
    add_volumes(s, k);
}

static uint64_t count_people(const uint64_t *people, uint64_t n)
{
    uint64_t sum = people != NULL ? 0 : n;
    for (uint64_t i = 0; people != NULL && i < n; i++) {
        sum += people[i];
    }
    return sum;
}

pv_duel_scan pv_i_duel_scan(const double *first, const double *second, uint64_t n,
                            const pv_duel_options *options)
{
    const pv_duel_side empty = {.least = HUGE_VAL};
    pv_duel_scan s = {.people = count_people(options->people, n), .first = empty, .second = empty};
    block k;
    for (uint64_t done = 0; done < n; done += k.n) {
        k.n = n - done < BLOCK ? (size_t)(n - done) : BLOCK;
        k.target = options->target ? options->target + done : NULL;
        populate(&k, options->people ? options->people + done : NULL);
        settle(&k, first + done, second + done);
        add_block(&s, &k);
    }
    return s;
}
