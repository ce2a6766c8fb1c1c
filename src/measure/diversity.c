/* l-diversity in its three forms (Machanavajjhala et al., "l-Diversity: Privacy Beyond
 * k-Anonymity", 2007). A missing value is no value: it makes a class no more diverse, and a class
 * of nothing else has l = 0. */
#include "measure/entry.h"
#include "measure/sensitive.h"

#include "base/compare.h"
#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

static uint64_t count_missing(const pv_tally *tally)
{
    return tally->missing != PV_NO_CODE ? tally->counts[tally->missing] : 0;
}

static double score_distinct(void *ground, const pv_tally *tally, double parameter)
{
    (void)ground;
    (void)parameter;
    return (double)(tally->n_touched - (count_missing(tally) > 0));
}

/* exp(H) with H = ln n - (1/n) sum c ln c. */
static double score_entropy(void *ground, const pv_tally *tally, double parameter)
{
    (void)ground;
    (void)parameter;
    const double n = (double)(tally->total - count_missing(tally));
    double sum = 0;
    for (size_t i = 0; i < tally->n_touched; i++) {
        const double count = (double)tally->counts[tally->touched[i]];
        sum += tally->touched[i] != tally->missing ? count * log(count) : 0;
    }
    return n > 0 ? exp(log(n) - sum / n) : 0;
}

/* The largest l with r_1 < c (r_l + ... + r_m): the tails shrink as l grows, so walk l from m down.
 * `state` is room for the counts. */
static double score_recursive(void *ground, const pv_tally *tally, double c)
{
    uint64_t *const sorted = ground;
    uint64_t tail = 0;
    size_t n = 0;
    for (size_t i = 0; i < tally->n_touched; i++) {
        if (tally->touched[i] != tally->missing) {
            sorted[n++] = tally->counts[tally->touched[i]];
        }
    }
    if (n == 0) {
        return 0;
    }
    qsort(sorted, n, sizeof *sorted, pv_i_compare_u64);
    const double largest = (double)sorted[n - 1];
    for (size_t i = 0; i < n; i++) {
        tail += sorted[i];
        if (largest < c * (double)tail) {
            return (double)(n - i);
        }
    }
    return 0;
}

static pv_status prepare_room(const pv_profile *profile, size_t sensitive, void **ground,
                              pv_error *error)
{
    *ground = PV_NEW_ARRAY(uint64_t, profile->sensitive[sensitive].n_codes);
    return *ground != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
}

static const pv_scorer distinct = {.direction = PV_MORE_IS_BETTER, .score = score_distinct};
static const pv_scorer entropy = {.direction = PV_MORE_IS_BETTER, .score = score_entropy};
static const pv_scorer recursive = {.direction = PV_MORE_IS_BETTER,
                                    .score = score_recursive,
                                    .prepare = prepare_room,
                                    .discard = pv_i_free};

pv_status pv_i_prepare_l_distinct(const pv_profile *profile, double parameter, void **state,
                                  pv_error *error)
{
    (void)parameter;
    return pv_i_prepare_scores(&distinct, profile, state, error);
}

pv_status pv_i_prepare_l_entropy(const pv_profile *profile, double parameter, void **state,
                                 pv_error *error)
{
    (void)parameter;
    return pv_i_prepare_scores(&entropy, profile, state, error);
}

pv_status pv_i_prepare_l_recursive(const pv_profile *profile, double parameter, void **state,
                                   pv_error *error)
{
    (void)parameter;
    return pv_i_prepare_scores(&recursive, profile, state, error);
}
