/* How people fare: on average, and how many of them have the worst there is. */
#include "compare/judgement.h"

#include <math.h>

/* A group stands out if it has the worst value at least so many times as often as everyone, ... */
#define TIMES 2.0
/* ... by more than so many standard errors. */
#define ERRORS 3.0

void pv_i_fare_take(const double *values, const uint64_t *rows, uint64_t n, double worst,
                    pv_fare *fare)
{
    double sum = 0.0;
    uint64_t n_worst = 0;
    for (uint64_t i = 0; i < n; i++) {
        const double value = values[rows != NULL ? rows[i] : i];
        sum += value;
        n_worst += value <= worst;
    }
    fare->mean = n > 0 ? sum / (double)n : (double)NAN;
    fare->worst_share = n > 0 ? (double)n_worst / (double)n : (double)NAN;
    fare->is_singled_out = false;
}

bool pv_i_fare_is_singled_out(const pv_fare *fare, const pv_fare *everyone, uint64_t n)
{
    const double share = everyone->worst_share;
    const double error = sqrt(share * (1.0 - share) / (double)n);
    return n > 0 && fare->worst_share >= TIMES * share &&
           fare->worst_share - share > ERRORS * error;
}

/* Suppressed people lose everything, and nobody else does: they are told by their detail. */
static double detail_of_suppressed(const double *detail, uint64_t n_rows, uint64_t suppressed)
{
    double nothing = (double)INFINITY;
    if (suppressed == 0 || detail == NULL) {
        return -(double)INFINITY;
    }
    for (uint64_t i = 0; i < n_rows; i++) {
        nothing = fmin(nothing, detail[i]);
    }
    return nothing;
}

uint64_t pv_i_least_class(const double *sizes, const double *detail, uint64_t n_rows,
                          uint64_t suppressed)
{
    const double nothing = detail_of_suppressed(detail, n_rows, suppressed);
    double least = (double)INFINITY;
    for (uint64_t i = 0; i < n_rows; i++) {
        if (detail[i] > nothing) {
            least = fmin(least, sizes[i]);
        }
    }
    return isfinite(least) ? (uint64_t)llround(least) : n_rows;
}

uint64_t pv_i_given_away(const double *distinct, const double *detail, uint64_t n_rows,
                         uint64_t suppressed)
{
    const double nothing = detail_of_suppressed(detail, n_rows, suppressed);
    uint64_t n = 0;
    for (uint64_t i = 0; i < n_rows; i++) {
        n += distinct[i] <= 1.0 && (detail == NULL || detail[i] > nothing);
    }
    return n;
}

pv_winner pv_i_advise(uint64_t first_least, uint64_t second_least, uint64_t enough,
                      const pv_duel *detail)
{
    const uint64_t first = first_least < enough ? first_least : enough;
    const uint64_t second = second_least < enough ? second_least : enough;
    if (first != second) {
        return first > second ? PV_FIRST_WINS : PV_SECOND_WINS;
    }
    return detail->winner[PV_INDEX_COV];
}
