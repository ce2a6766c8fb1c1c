/* Two property vectors, person by person: the verdict of every index.
 *
 * The volumes of hv are products over millions of people. With m = prod min(d1, d2) and the growths
 *
 *     g1 = ln prod d1/d2 over the people better off in the first,   hv(1,2) = m (e^g1 - 1)
 *     g2 = ln prod d2/d1 over the people better off in the second,  hv(2,1) = m (e^g2 - 1)
 *
 * what both have in common cancels before it is ever computed: the larger growth wins, it is 0
 * exactly if nobody is better off, and one person among millions is not lost in rounding.
 *
 * One pass makes everything, in blocks of values and simple loops over them. A block fits into the
 * nearest cache, so passing over it for each index costs little; and loops that treat all values
 * alike, without branches, are what a processor does several at a time. Sums fold the block in
 * halves,
 *
 *     a b c d e f g h  ->  a+e b+f c+g d+h  ->  a+e+c+g b+f+d+h  ->  ...
 *
 * which is done several at a time, too, and rounds each value only as often as it is folded. The
 * sums of blocks are added with what they lost (Knuth's two-sum). Volumes are logarithms, one by
 * one: they cost most of the time.
 *
 *      first, second, people        512 values of each, in the nearest cache
 *        settle                      equal up to rounding -> equal; rise, fall
 *        fold counts, sums, squares, least                          vectors
 *        add volumes                                                one by one, with logarithms
 *
 * Memory: one block on the stack, about 25 KiB; nothing is allocated. O(n), one pass; with `people`
 * a value stands for so many of them, and every index is as if they were listed one by one.
 *
 * Dewri, Ray, Ray, Whitley: on the comparison of microdata disclosure control algorithms. */
#include "compare/vectors.h"

#include <float.h>
#include <string.h>

/* ----------------------------------------------------------------- the scan */

/* What is seen of one vector beside the other. */
typedef struct {
    uint64_t better; /* people better off here */
    double least;    /* value of the worst off; infinite without people */
    pv_sum spread;   /* by how much those are better off */
    pv_sum squares;  /* of the distances to the target */
    pv_sum growth;   /* ln of the factor by which they are better off; where the other has 0: of all
                        they have */
    bool has_zero;   /* its volume is 0 */
} side;

typedef struct {
    uint64_t people;
    side first, second;
    pv_sum common;       /* ln of what both volumes share */
    bool has_negative;   /* there are no volumes, and those above mean nothing */
    double size, square; /* of the values that differ, and of their squares, summed: what rounding
                            is relative to */
} scan;

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

/* Two values that differ by less than 2^-46 of the smaller become one, and nothing after this loop
 * has to think of rounding again: rise and fall are exactly 0 for people treated alike. Branchless
 * on purpose, so that both loops are vectorized. */
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

/* In floating point, as everything around it, and exact: there are fewer people than 2^53. */
static uint64_t count_above_zero(block *k, const double *values)
{
    for (size_t i = 0; i < k->n; i++) {
        k->work[i] = values[i] > 0 ? k->people[i] : 0;
    }
    return (uint64_t)fold(k->work, k->n, plus);
}

/* By folding, too: it is a reduction like the sums, and the values must survive. */
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

/* Of distances from a target; NULL = of the values themselves. For rank: the distance from what
 * everyone should have. Without a target it is the distance from the better of both, which is how
 * much one falls behind the other, or 0. */
static double squares_of(block *k, const double *values, const double *target)
{
    for (size_t i = 0; target == NULL && i < k->n; i++) {
        k->work[i] = k->people[i] * (values[i] * values[i]);
    }
    for (size_t i = 0; target != NULL && i < k->n; i++) {
        const double distance = values[i] - target[i];
        k->work[i] = k->people[i] * (distance * distance);
    }
    return fold(k->work, k->n, plus);
}

/* What rounding is relative to: only values that differ contribute to an index, so only their size
 * limits how exactly it is known. */
static void add_sizes(scan *s, block *k)
{
    double sizes[BLOCK];
    for (size_t i = 0; i < k->n; i++) {
        const double size = greater(fabs(k->first[i]), fabs(k->second[i]));
        sizes[i] = k->rise[i] + k->fall[i] > 0 ? size : 0;
    }
    s->size += sum_of(k, sizes);
    s->square += squares_of(k, sizes, NULL);
}

/* What one side has: `better` is by how much its people are better off here, `worse` by how much
 * there. */
static void add_side(side *own, block *k, const double *values, const double *better,
                     const double *worse)
{
    own->better += count_above_zero(k, better);
    own->least = lesser(own->least, least_of(k, values));
    pv_i_sum_add(&own->spread, sum_of(k, better));
    pv_i_sum_add(&own->squares, squares_of(k, k->target != NULL ? values : worse, k->target));
}

/* ------------------------------------------------------------------ volumes */

/* ln more/less. What hardly differs is taken by its difference, which is exact. */
static double growth_of(double more, double less)
{
    const double step = (more - less) / less;
    return isfinite(step) ? log1p(step) : log(more) - log(less);
}

static void add_volume_of(scan *s, side *high, side *low, double more, double less, double people)
{
    if (!(less > 0)) { /* no side of the box: the lower volume is 0, or there is none at all */
        s->has_negative |= less < 0;
        low->has_zero = true;
        if (more > 0) {
            pv_i_sum_add(&high->growth, people * log(more));
        } else {
            high->has_zero = true;
        }
        return;
    }
    pv_i_sum_add(&s->common, people * log(less));
    if (more > less) {
        pv_i_sum_add(&high->growth, people * growth_of(more, less));
    }
}

/* One value below 0 anywhere ends it: a volume of negative sides means nothing. */
static void add_volumes(scan *s, const block *k)
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

/* The one pass over both vectors: everything their indices are made of. */
static scan scan_vectors(const double *first, const double *second, uint64_t n,
                         const uint64_t *people, const double *target)
{
    const side empty = {.least = HUGE_VAL};
    scan s = {.first = empty, .second = empty};
    block k;
    for (uint64_t i = 0; i < n; i++) {
        s.people += people != NULL ? people[i] : 1;
    }
    for (uint64_t done = 0; done < n; done += k.n) {
        k.n = n - done < BLOCK ? (size_t)(n - done) : BLOCK;
        k.target = target != NULL ? target + done : NULL;
        for (size_t i = 0; i < k.n; i++) { /* as doubles: they are multiplied with doubles */
            k.people[i] = people != NULL ? (double)people[done + i] : 1;
        }
        settle(&k, first + done, second + done);
        add_sizes(&s, &k);
        add_side(&s.first, &k, k.first, k.rise, k.fall);
        add_side(&s.second, &k, k.second, k.fall, k.rise);
        add_volumes(&s, &k);
    }
    return s;
}

/* ------------------------------------------------------------- the verdicts */

/* Every index has its own idea of how exactly it is known (the slack), so that two releases that
 * treat everyone alike never win against each other by rounding, whatever the index. More wins,
 * unless the difference may be one of rounding. */
static pv_winner more_wins(double first, double second, double slack)
{
    return first - second > slack   ? PV_FIRST_WINS
           : second - first > slack ? PV_SECOND_WINS
                                    : PV_NOBODY_WINS;
}

/* The logarithm of what one side encloses and the other does not. -infinity = it has none: nobody
 * is better off here, or the volume is 0 or means nothing. Where the other has a 0, all of the
 * volume is its own; else the part above the common one, ln(e^g - 1) = g + ln(1 - e^-g), which does
 * not overflow. */
static double own_volume(const scan *s, const side *one, const side *other)
{
    const double growth = pv_i_sum_value(&one->growth);
    if (s->has_negative || one->has_zero || one->better == 0) {
        return -HUGE_VAL;
    }
    return pv_i_sum_value(&s->common) + growth + (other->has_zero ? 0 : log(-expm1(-growth)));
}

static void enter(pv_duel *duel, pv_index index, double first, double second, pv_winner winner)
{
    duel->first[index] = first;
    duel->second[index] = second;
    duel->winner[index] = winner;
}

void pv_duel_fight(const double *first, const double *second, uint64_t n, const uint64_t *people,
                   const double *target, double tolerance, pv_duel *duel)
{
    const scan s = scan_vectors(first, second, n, people, target);
    const side *const a = &s.first;
    const side *const b = &s.second;
    *duel = (pv_duel){.n = s.people,
                      .first_better = a->better,
                      .second_better = b->better,
                      .dominance = pv_i_dominance(a->better > 0, b->better > 0)};
    if (n > 0) {
        /* min: the values themselves are compared, up to rounding. */
        enter(duel, PV_INDEX_MIN, a->least, b->least,
              pv_i_exceeds(a->least, b->least)   ? PV_FIRST_WINS
              : pv_i_exceeds(b->least, a->least) ? PV_SECOND_WINS
                                                 : PV_NOBODY_WINS);
        /* cov: whoever is not better off in the other is at least as well off here. People are
         * counted, so the winner is exact. */
        enter(duel, PV_INDEX_COV, (double)(s.people - b->better) / (double)s.people,
              (double)(s.people - a->better) / (double)s.people,
              more_wins((double)a->better, (double)b->better, 0));
    }
    /* rank: less distance wins. The slack: a square root halves relative errors; 16 covers
     * squaring, weighting and the folds. */
    const double rank_a = sqrt(pv_i_sum_value(&a->squares));
    const double rank_b = sqrt(pv_i_sum_value(&b->squares));
    const double rounding = 16 * DBL_EPSILON * (rank_a + rank_b + sqrt(s.square));
    enter(duel, PV_INDEX_RANK, rank_a, rank_b, more_wins(rank_b, rank_a, tolerance + rounding));
    /* spr: sums of differences, each known up to its last bits. */
    const double spread_a = pv_i_sum_value(&a->spread);
    const double spread_b = pv_i_sum_value(&b->spread);
    enter(duel, PV_INDEX_SPR, spread_a, spread_b,
          more_wins(spread_a, spread_b, 16 * DBL_EPSILON * s.size));
    /* hv: a vector with a 0 encloses nothing; the other one's volume is then its own entirely, and
     * it wins without any arithmetic. Otherwise the growths decide, of which a value and a ratio
     * are rounded for each person who is better off. */
    const bool has_a = !s.has_negative && !a->has_zero;
    const bool has_b = !s.has_negative && !b->has_zero;
    const double growth_a = pv_i_sum_value(&a->growth);
    const double growth_b = pv_i_sum_value(&b->growth);
    const double better = (double)a->better + (double)b->better;
    const double slack = DBL_EPSILON * (2 * better + 4 * (fabs(growth_a) + fabs(growth_b)));
    enter(duel, PV_INDEX_HV, own_volume(&s, a, b), own_volume(&s, b, a),
          has_a && has_b ? more_wins(growth_a, growth_b, slack)
          : has_a        ? PV_FIRST_WINS
          : has_b        ? PV_SECOND_WINS
                         : PV_NOBODY_WINS);
}
