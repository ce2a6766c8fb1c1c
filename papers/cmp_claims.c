/* Every number of the paper's text, beside ours. */
#include "cmp_report.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* -------------------------------------------------------------------- rows */

/* A row for each statement: what the paper says beside what was computed. */
typedef struct {
    pv_buffer *page;
    size_t n, same;
} claims;

static claims begin_claims(pv_buffer *page)
{
    pv_i_buffer_text(page, "| section | the paper says | | ours | |\n|---|---|---:|---:|---|\n");
    return (claims){.page = page};
}

static void end_claim(claims *c, bool same)
{
    c->n++;
    c->same += same;
    pv_i_buffer_text(c->page, same ? " | agrees |\n" : " | **differs** |\n");
}

/* A number, printed with so many decimals. */
static void claim_number(claims *c, const char *section, const char *what, double printed,
                         double ours, unsigned decimals)
{
    const double scale = pow(10, decimals);
    pv_i_buffer_format(c->page, "| %s | %s | %.*f | %.*f", section, what, (int)decimals, printed,
                       (int)decimals, ours);
    end_claim(c, lround(printed * scale) == lround(ours * scale));
}

/* Something in words, and the numbers it follows from. */
PV_PRINTF(5, 6)
static void claim(claims *c, const char *section, const char *what, bool holds, const char *why,
                  ...)
{
    char text[128];
    va_list values;
    va_start(values, why);
    (void)vsnprintf(text, sizeof text, why, values);
    va_end(values);
    pv_i_buffer_format(c->page, "| %s | %s | | %s", section, what, text);
    end_claim(c, holds);
}

/* ------------------------------------------------------------ sections 1, 2 */

static double least(const double *values)
{
    double value = values[0];
    for (size_t i = 1; i < TUPLES; i++) {
        value = fmin(value, values[i]);
    }
    return value;
}

static double mean(const double *values)
{
    double sum = 0;
    for (size_t i = 0; i < TUPLES; i++) {
        sum += values[i];
    }
    return sum / TUPLES;
}

static size_t count(const double *values, double value)
{
    size_t n = 0;
    for (size_t i = 0; i < TUPLES; i++) {
        n += fabs(values[i] - value) < 1e-9;
    }
    return n;
}

static void claim_introduction(claims *c, const tables *t)
{
    const double *const a = cmp_vector(t, T3A, SIZE);
    const double *const b = cmp_vector(t, T3B, SIZE);
    const double *const d = cmp_vector(t, T4, SIZE);
    claim_number(c, "1", "k of T3a", 3, (double)t->k[T3A], 0);
    claim_number(c, "1", "k of T3b", 3, (double)t->k[T3B], 0);
    claim_number(c, "1", "largest risk in both, 1/3", 1 / 3., 1 / fmin(least(a), least(b)), 4);
    claim_number(c, "1", "tuples with a risk of 1/7 in T3b", 7, (double)count(b, 7), 0);
    claim(c, "1", "these have a higher risk in T3a", cmp_duel(t, SIZE, T3B, T3A).first_better == 7,
          "%.0f tuples", (double)cmp_duel(t, SIZE, T3B, T3A).first_better);
    claim(c, "1", "T3a is less generalized",
          mean(cmp_vector(t, T3A, UTILITY)) > mean(cmp_vector(t, T3B, UTILITY)),
          "leaf-utility %.2f and %.2f a tuple", mean(cmp_vector(t, T3A, UTILITY)),
          mean(cmp_vector(t, T3B, UTILITY)));
    claim_number(c, "2", "k of T4", 4, (double)t->k[T4], 0);
    claim(c, "2", "tuple 8 is better off in T4 than in T3b", d[7] > b[7], "%.0f > %.0f", d[7],
          b[7]);
    claim(c, "2", "tuple 3 is better off in T3b than in T4", b[2] > d[2], "%.0f > %.0f", b[2],
          d[2]);
}

/* --------------------------------------------------------------- section 3 */

static void claim_unary_and_binary(claims *c, const tables *t)
{
    const pv_duel d = cmp_duel(t, SIZE, T3A, T3B);
    claim_number(c, "3", "P_k-anon of T3a: least class size", 3, least(cmp_vector(t, T3A, SIZE)),
                 0);
    claim_number(c, "3", "P_s-avg of T3a: mean class size", 3.4, mean(cmp_vector(t, T3A, SIZE)), 1);
    claim_number(c, "3", "P_l-div of T3a: least own count", 1, least(cmp_vector(t, T3A, OWN_COUNT)),
                 0);
    claim_number(c, "3", "P_binary(T3a, T3b): better off in T3a", 0, (double)d.first_better, 0);
    claim_number(c, "3", "P_binary(T3b, T3a): better off in T3b", 7, (double)d.second_better, 0);
}

/* ------------------------------------------------------------ sections 5.2-5.4 */

static void claim_coverage(claims *c, const tables *t)
{
    const pv_duel last = cmp_duel(t, SIZE, T4, T3A);
    const pv_duel middle = cmp_duel(t, SIZE, T3B, T4);
    const pv_duel first = cmp_duel(t, SIZE, T3B, T3A);
    const double one = first.first[PV_INDEX_COV];
    const double other = first.second[PV_INDEX_COV];
    claim(c, "5.2", "T4 is cov-better than T3a", last.winner[PV_INDEX_COV] == PV_FIRST_WINS,
          "%.1f > %.1f", last.first[PV_INDEX_COV], last.second[PV_INDEX_COV]);
    claim(c, "5.2", "T3b is cov-better than T4", middle.winner[PV_INDEX_COV] == PV_FIRST_WINS,
          "%.1f > %.1f", middle.first[PV_INDEX_COV], middle.second[PV_INDEX_COV]);
    claim(c, "5.2", "cov 1 one way and 0 the other means strong dominance (T4, T3a)",
          last.dominance == PV_DOMINANCE_FIRST_STRONG, "%.0f and %.0f: it dominates",
          last.first[PV_INDEX_COV], last.second[PV_INDEX_COV]);
    claim(c, "5.2", "and vice versa (T3b, T3a)",
          first.dominance != PV_DOMINANCE_FIRST_STRONG || !(other > 0),
          "it dominates with %.0f and %.1f", one, other);
}

static pv_duel fight(const double *first, const double *second, uint64_t n)
{
    pv_duel duel;
    pv_duel_fight(first, second, n, NULL, NULL, 0, &duel);
    return duel;
}

static void claim_spread(claims *c)
{
    static const double d1[] = {2, 2, 3, 4, 5}, d2[] = {3, 2, 4, 2, 3};
    const pv_duel d = fight(d1, d2, 5);
    claim_number(c, "5.3", "P_cov of (2,2,3,4,5) over (3,2,4,2,3)", .6, d.first[PV_INDEX_COV], 1);
    claim_number(c, "5.3", "P_cov the other way", .6, d.second[PV_INDEX_COV], 1);
    claim_number(c, "5.3", "each of the two better off gains 2", 2,
                 d.first[PV_INDEX_SPR] / (double)d.first_better, 0);
    claim_number(c, "5.3", "each of the two worse off loses 1", 1,
                 d.second[PV_INDEX_SPR] / (double)d.second_better, 0);
    claim(c, "5.3", "the first is spr-better", d.winner[PV_INDEX_SPR] == PV_FIRST_WINS,
          "%.0f > %.0f", d.first[PV_INDEX_SPR], d.second[PV_INDEX_SPR]);
}

static void claim_spread_against_k(claims *c, const tables *t)
{
    static const double three[] = {3, 3, 3, 5, 5, 5, 5, 5, 3, 3, 3, 4, 4, 4, 4};
    static const double two[] = {2, 2, 6, 6, 6, 6, 6, 6, 3, 3, 3, 4, 4, 4, 4};
    const pv_duel d = fight(three, two, 15);
    const pv_duel weak = cmp_duel(t, SIZE, T3A, T3B);
    claim_number(c, "5.3", "15 tuples, k of the first", 3, d.first[PV_INDEX_MIN], 0);
    claim_number(c, "5.3", "15 tuples, k of the second", 2, d.second[PV_INDEX_MIN], 0);
    claim_number(c, "5.3", "better off in the 2-anonymous one", 6, (double)d.second_better, 0);
    claim_number(c, "5.3", "worse off in it", 2, (double)d.first_better, 0);
    claim_number(c, "5.3", "P_spr of the first", 2, d.first[PV_INDEX_SPR], 0);
    claim_number(c, "5.3", "P_spr of the second", 8, d.second[PV_INDEX_SPR], 0);
    claim(c, "5.3", "P_cov points at the same", d.winner[PV_INDEX_COV] == PV_SECOND_WINS,
          "%.4f < %.4f", d.first[PV_INDEX_COV], d.second[PV_INDEX_COV]);
    claim(c, "5.3", "P_spr is 0 where the other is not worse (T3a, T3b)",
          weak.dominance == PV_DOMINANCE_SECOND_STRONG && !(weak.first[PV_INDEX_SPR] > 0), "%.0f",
          weak.first[PV_INDEX_SPR]);
}

static void claim_volume(claims *c, const tables *t)
{
    static const double s[] = {3, 3, 3, 5, 5, 5, 5, 5}, u[] = {4, 4, 4, 4, 4, 4, 4, 4};
    const pv_duel d = fight(s, u, 8);
    const pv_duel weak = cmp_duel(t, SIZE, T3A, T3B);
    claim(c, "5.4", "(3,3,3,5,5,5,5,5) is hv-better than 4 for all",
          d.winner[PV_INDEX_HV] == PV_FIRST_WINS, "%.0f > %.0f", exp(d.first[PV_INDEX_HV]),
          exp(d.second[PV_INDEX_HV]));
    claim(c, "5.4", "P_hv is 0 where the other is not worse (T3a, T3b)",
          weak.dominance == PV_DOMINANCE_SECOND_STRONG && isinf(weak.first[PV_INDEX_HV]) != 0,
          "%.0f", exp(weak.first[PV_INDEX_HV]));
}

/* ------------------------------------------------------------- section 5.5 */

static void claim_weights(claims *c, const tables *t)
{
    const pv_term terms[] = {{.property = SIZE, .index = PV_INDEX_COV, .weight = .5},
                             {.property = UTILITY, .index = PV_INDEX_COV, .weight = .5}};
    const pv_combination equal = {.kind = PV_COMBINE_WTD, .terms = terms, .n_terms = 2};
    const pv_duel sizes = cmp_duel(t, SIZE, T3A, T3B);
    const pv_duel utilities = cmp_duel(t, UTILITY, T3A, T3B);
    pv_verdict_of_two v;
    pv_error error = {0};
    require(pv_combine(t->comparison, T3A, T3B, &equal, &v, &error) == PV_STATUS_OK, error.message);
    claim_number(c, "5.5", "P_cov(p_a, p_b), class sizes", .3, sizes.first[PV_INDEX_COV], 1);
    claim_number(c, "5.5", "P_cov(p_b, p_a)", 1, sizes.second[PV_INDEX_COV], 1);
    claim_number(c, "5.5", "P_cov(u_a, u_b), utilities", 1, utilities.first[PV_INDEX_COV], 1);
    claim_number(c, "5.5", "P_cov(u_b, u_a)", .3, utilities.second[PV_INDEX_COV], 1);
    claim(c, "5.5", "with equal weights T3a and T3b are equally good", v.winner == PV_NOBODY_WINS,
          "%.2f and %.2f", v.first, v.second);
}

void cmp_write_claims(pv_buffer *page, const tables *t)
{
    claims c = begin_claims(page);
    claim_introduction(&c, t);
    claim_unary_and_binary(&c, t);
    claim_coverage(&c, t);
    claim_spread(&c);
    claim_spread_against_k(&c, t);
    claim_volume(&c, t);
    claim_weights(&c, t);
    pv_i_buffer_format(page, "\nOf these %zu statements %zu agree.\n\n", c.n, c.same);
}
