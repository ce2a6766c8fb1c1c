/* Two property vectors, person by person: the verdict of every index.
 *
 * The volumes of hv are products over millions of people. With m = prod min(d1, d2) and the growths
 *
 *     g1 = ln prod d1/d2 over the people better off in the first,   hv(1,2) = m (e^g1 - 1)
 *     g2 = ln prod d2/d1 over the people better off in the second,  hv(2,1) = m (e^g2 - 1)
 *
 * what both have in common cancels before it is ever computed: the larger growth wins, it is 0
 * exactly if nobody is better off, and one person among millions is not lost in rounding. */
#include "compare/duel_scan.h"

#include <paravent/compare.h>

#include <float.h>

/* More wins, unless the difference may be one of rounding. */
static pv_winner more_wins(double first, double second, double slack)
{
    return first - second > slack   ? PV_FIRST_WINS
           : second - first > slack ? PV_SECOND_WINS
                                    : PV_NOBODY_WINS;
}

static void judge_least(const pv_duel_scan *s, pv_duel *duel)
{
    const double a = s->first.least;
    const double b = s->second.least;
    duel->first[PV_INDEX_MIN] = a;
    duel->second[PV_INDEX_MIN] = b;
    duel->winner[PV_INDEX_MIN] = pv_i_exceeds(a, b)   ? PV_FIRST_WINS
                                 : pv_i_exceeds(b, a) ? PV_SECOND_WINS
                                                      : PV_NOBODY_WINS;
}

static void judge_rank(const pv_duel_scan *s, double tolerance, pv_duel *duel)
{
    const double a = sqrt(pv_i_sum_value(&s->first.squares));
    const double b = sqrt(pv_i_sum_value(&s->second.squares));
    const double rounding = 16 * DBL_EPSILON * (a + b + sqrt(s->square));
    duel->first[PV_INDEX_RANK] = a;
    duel->second[PV_INDEX_RANK] = b;
    duel->winner[PV_INDEX_RANK] = more_wins(b, a, tolerance + rounding);
}

static void judge_coverage(const pv_duel_scan *s, pv_duel *duel)
{
    const uint64_t a = s->first.better;
    const uint64_t b = s->second.better;
    duel->first[PV_INDEX_COV] = (double)(duel->n - b) / (double)duel->n;
    duel->second[PV_INDEX_COV] = (double)(duel->n - a) / (double)duel->n;
    duel->winner[PV_INDEX_COV] = a > b ? PV_FIRST_WINS : b > a ? PV_SECOND_WINS : PV_NOBODY_WINS;
}

static void judge_spread(const pv_duel_scan *s, pv_duel *duel)
{
    const double a = pv_i_sum_value(&s->first.spread);
    const double b = pv_i_sum_value(&s->second.spread);
    duel->first[PV_INDEX_SPR] = a;
    duel->second[PV_INDEX_SPR] = b;
    duel->winner[PV_INDEX_SPR] = more_wins(a, b, 16 * DBL_EPSILON * s->size);
}

/* The logarithm of what one side encloses and the other does not. */
static double own_volume(const pv_duel_scan *s, const pv_duel_side *one, const pv_duel_side *other)
{
    const double growth = pv_i_sum_value(&one->growth);
    if (s->has_negative || one->has_zero || one->better == 0) {
        return -HUGE_VAL;
    }
    return pv_i_sum_value(&s->common) + growth + (other->has_zero ? 0 : log(-expm1(-growth)));
}

/* A value and a ratio are rounded for each person who is better off. */
static pv_winner wins_volume(const pv_duel_scan *s)
{
    const double a = pv_i_sum_value(&s->first.growth);
    const double b = pv_i_sum_value(&s->second.growth);
    const double people = (double)s->first.better + (double)s->second.better;
    return more_wins(a, b, DBL_EPSILON * (2 * people + 4 * (fabs(a) + fabs(b))));
}

static void judge_volume(const pv_duel_scan *s, pv_duel *duel)
{
    const bool first_has = !s->has_negative && !s->first.has_zero;
    const bool second_has = !s->has_negative && !s->second.has_zero;
    duel->first[PV_INDEX_HV] = own_volume(s, &s->first, &s->second);
    duel->second[PV_INDEX_HV] = own_volume(s, &s->second, &s->first);
    duel->winner[PV_INDEX_HV] = first_has && second_has ? wins_volume(s)
                                : first_has             ? PV_FIRST_WINS
                                : second_has            ? PV_SECOND_WINS
                                                        : PV_NOBODY_WINS;
}

static pv_dominance dominance_of(const pv_duel_scan *s)
{
    const bool first = s->first.better > 0;
    const bool second = s->second.better > 0;
    return first && second ? PV_DOMINANCE_NONE
           : first         ? PV_DOMINANCE_FIRST_STRONG
           : second        ? PV_DOMINANCE_SECOND_STRONG
                           : PV_DOMINANCE_EQUAL;
}

void pv_duel_fight(const double *first, const double *second, uint64_t n,
                   const pv_duel_options *options, pv_duel *duel)
{
    const pv_duel_options chosen = options ? *options : (pv_duel_options){0};
    const pv_duel_scan s = pv_i_duel_scan(first, second, n, &chosen);
    *duel = (pv_duel){.n = s.people,
                      .first_better = s.first.better,
                      .second_better = s.second.better,
                      .dominance = dominance_of(&s)};
    if (n > 0) {
        judge_least(&s, duel);
        judge_coverage(&s, duel);
    }
    judge_rank(&s, chosen.tolerance, duel);
    judge_spread(&s, duel);
    judge_volume(&s, duel);
}
