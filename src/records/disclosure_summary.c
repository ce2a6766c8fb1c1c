/* A disclosure over people: every tuple counts as often as it occurs. */
#include "base/error.h"
#include "base/memory.h"

#include <paravent/disclose.h>
#include <stdlib.h>

#define STEPS 10

/* A quantity of some people. */
typedef struct {
    double value;
    uint64_t people;
} weighted;

static int by_value(const void *a, const void *b)
{
    const double left = ((const weighted *)a)->value;
    const double right = ((const weighted *)b)->value;
    return (left > right) - (left < right);
}

/* The least value that at least so many tenths of the people do not exceed. */
static void fill_quantiles(pv_spread *spread, const weighted *sorted, size_t n, uint64_t rows)
{
    size_t i = 0;
    uint64_t up_to = sorted[0].people;
    for (unsigned step = 0; step <= STEPS; step++) {
        while (i + 1 < n && (unsigned __int128)up_to * STEPS < (unsigned __int128)rows * step) {
            up_to += sorted[++i].people;
        }
        spread->quantile[step] = sorted[i].value;
    }
}

static pv_spread spread_of(weighted *all, size_t n, uint64_t rows)
{
    pv_spread spread = {0};
    if (rows == 0) {
        return spread;
    }
    double sum = 0;
    qsort(all, n, sizeof *all, by_value);
    for (size_t i = 0; i < n; i++) {
        sum += all[i].value * (double)all[i].people;
    }
    spread.mean = sum / (double)rows;
    spread.least = all[0].value;
    spread.most = all[n - 1].value;
    fill_quantiles(&spread, all, n, rows);
    return spread;
}

static double risk_before(const pv_disclosed *told)
{
    return told->risk_raw;
}

static double risk_after(const pv_disclosed *told)
{
    return told->risk;
}

/* Who has nothing to lose keeps all of it. */
static double utility_kept(const pv_disclosed *told)
{
    return told->most > 0 ? told->utility / told->most : 1;
}

static pv_spread spread_by(const pv_disclosure *disclosure, const pv_profile *profile,
                           uint64_t rows, double (*quantity)(const pv_disclosed *told),
                           weighted *scratch)
{
    size_t n = 0;
    for (size_t t = 0; t < disclosure->n_tuples; t++) {
        const pv_disclosed *const told = &disclosure->tuples[t];
        if (told->levels != NULL) {
            scratch[n++] = (weighted){quantity(told), pv_profile_count(profile, t)};
        }
    }
    return spread_of(scratch, n, rows);
}

static void count_people(const pv_disclosure *disclosure, const pv_profile *profile,
                         pv_disclosure_summary *summary)
{
    for (size_t t = 0; t < disclosure->n_tuples; t++) {
        const pv_disclosed *const told = &disclosure->tuples[t];
        const uint64_t people = pv_profile_count(profile, t);
        if (told->levels == NULL) {
            continue;
        }
        summary->rows += people;
        summary->infeasible += told->is_feasible ? 0 : people;
        summary->proven += told->is_optimal ? people : 0;
        summary->unique_before += told->consistent_raw <= 1 ? people : 0;
        summary->unique_after += told->consistent <= 1 ? people : 0;
        for (size_t q = 0; q < disclosure->n_quasi; q++) {
            summary->at_level[q * (PV_MAX_HEIGHT + 1) + told->levels[q]] += people;
        }
    }
}

pv_status pv_disclosure_summarise(const pv_disclosure *disclosure, const pv_profile *profile,
                                  pv_disclosure_summary **summary, pv_error *error)
{
    pv_disclosure_summary *const s = PV_NEW(pv_disclosure_summary);
    weighted *const scratch = PV_NEW_ARRAY(weighted, disclosure->n_tuples);
    if (s != NULL) {
        s->at_level = PV_NEW_ZEROED(uint64_t, disclosure->n_quasi * (PV_MAX_HEIGHT + 1));
    }
    if (s == NULL || scratch == NULL || s->at_level == NULL) {
        pv_disclosure_summary_free(s);
        pv_i_free(scratch);
        return pv_i_no_memory(error);
    }
    count_people(disclosure, profile, s);
    s->risk_before = spread_by(disclosure, profile, s->rows, risk_before, scratch);
    s->risk_after = spread_by(disclosure, profile, s->rows, risk_after, scratch);
    s->utility_kept = spread_by(disclosure, profile, s->rows, utility_kept, scratch);
    pv_i_free(scratch);
    *summary = s;
    return PV_STATUS_OK;
}

void pv_disclosure_summary_free(pv_disclosure_summary *summary)
{
    if (summary != NULL) {
        pv_i_free(summary->at_level);
        pv_i_free(summary);
    }
}
