/* How people fare: on average, and how many of them have the worst there is. */
#include "compare/judgement.h"
#include "compare/rounding.h"

#include <math.h>

/* A group stands out if it has the worst value at least so many times as often as everyone, ... */
#define TIMES 2.0
/* ... by more than so many standard errors. */
#define ERRORS 3.0

/* Some people at a time: their values are added up as they come, these sums with care. */
#define AT_A_TIME 256

void pv_i_fare_take(const double *values, const uint32_t *kinds, const uint64_t *counts, size_t n,
                    double worst, pv_fare *fare)
{
    pv_sum sum = {0};
    uint64_t people = 0;
    uint64_t n_worst = 0;
    for (size_t begin = 0; begin < n; begin += AT_A_TIME) {
        const size_t end = n - begin < AT_A_TIME ? n : begin + AT_A_TIME;
        double some = 0;
        for (size_t i = begin; i < end; i++) {
            const double value = values[kinds != NULL ? kinds[i] : i];
            const uint64_t count = counts != NULL ? counts[i] : 1;
            some += (double)count * value;
            people += count;
            n_worst += pv_i_exceeds(value, worst) ? 0 : count;
        }
        pv_i_sum_add(&sum, some);
    }
    fare->mean = people > 0 ? pv_i_sum_value(&sum) / (double)people : (double)NAN;
    fare->worst_share = people > 0 ? (double)n_worst / (double)people : (double)NAN;
    fare->is_singled_out = false;
}

bool pv_i_fare_is_singled_out(const pv_fare *fare, const pv_fare *everyone, uint64_t n)
{
    const double share = everyone->worst_share;
    const double error = sqrt(share * (1.0 - share) / (double)n);
    return n > 0 && fare->worst_share >= TIMES * share &&
           fare->worst_share - share > ERRORS * error;
}

static bool is_suppressed(const pv_vectors *vectors, size_t kind)
{
    return vectors->is_suppressed != NULL && vectors->is_suppressed[kind];
}

uint64_t pv_i_least_class(const pv_comparison *comparison, size_t release, size_t sizes)
{
    const pv_vectors *const vectors = comparison->releases[release];
    double least = (double)INFINITY;
    for (size_t kind = 0; kind < comparison->n_kinds; kind++) {
        if (!is_suppressed(vectors, kind)) {
            least = fmin(least, vectors->values[sizes][kind]);
        }
    }
    return isfinite(least) ? (uint64_t)llround(least) : comparison->n_rows;
}

uint64_t pv_i_given_away(const pv_comparison *comparison, size_t release, size_t distinct)
{
    const pv_vectors *const vectors = comparison->releases[release];
    uint64_t n = 0;
    for (size_t kind = 0; kind < comparison->n_kinds; kind++) {
        /* With 0 all of them are missing: there is nothing to give away. */
        const double n_values = vectors->values[distinct][kind];
        if (n_values > 0 && n_values <= 1.0 && !is_suppressed(vectors, kind)) {
            n += comparison->n_of_kind != NULL ? comparison->n_of_kind[kind] : 1;
        }
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
