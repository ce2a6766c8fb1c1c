/* A disclosure over people: every tuple counts as often as it occurs. */
#include "base/error.h"
#include "base/memory.h"
#include "classes/sort.h"

#include <paravent/disclose.h>
#include <string.h>

#define STEPS 10

/* A quantity of some people. */
typedef struct {
    double value;
    uint64_t people;
} weighted;

/* Room for all people who have something. */
typedef struct {
    weighted *all;
    uint64_t *keys;  /* ascending as their values do */
    uint32_t *order; /* of `all`, by value */
    size_t n;
} weighted_list;

/* Whole numbers ascend as the values of the same sign do, of negative ones the other way round.
 * Adding 0 makes -0 the same as 0. */
static uint64_t ascending_key(double value)
{
    const double number = value + 0.0;
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits >> 63 != 0 ? ~bits : bits | (uint64_t)1 << 63;
}

/* The least value that at least so many tenths of the people do not exceed. */
static void fill_quantiles(pv_spread *spread, const weighted_list *list, uint64_t rows)
{
    size_t i = 0;
    uint64_t up_to = list->all[list->order[0]].people;
    for (unsigned step = 0; step <= STEPS; step++) {
        while (i + 1 < list->n &&
               (unsigned __int128)up_to * STEPS < (unsigned __int128)rows * step) {
            up_to += list->all[list->order[++i]].people;
        }
        spread->quantile[step] = list->all[list->order[i]].value;
    }
}

/* False when memory runs out. */
static bool fill_spread(pv_spread *spread, weighted_list *list, uint64_t rows)
{
    double sum = 0;
    if (rows == 0) {
        return true;
    }
    for (size_t i = 0; i < list->n; i++) {
        list->keys[i] = ascending_key(list->all[i].value);
    }
    if (!pv_i_keys_order(list->keys, list->n, 1, list->order)) {
        return false;
    }
    for (size_t i = 0; i < list->n; i++) {
        const weighted *const next = &list->all[list->order[i]];
        sum += next->value * (double)next->people;
    }
    spread->mean = sum / (double)rows;
    spread->least = list->all[list->order[0]].value;
    spread->most = list->all[list->order[list->n - 1]].value;
    fill_quantiles(spread, list, rows);
    return true;
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

static bool spread_by(const pv_disclosure *disclosure, const pv_profile *profile, uint64_t rows,
                      double (*quantity)(const pv_disclosed *told), weighted_list *list,
                      pv_spread *spread)
{
    list->n = 0;
    for (size_t t = 0; t < disclosure->n_tuples; t++) {
        const pv_disclosed *const told = &disclosure->tuples[t];
        if (told->levels != NULL) {
            list->all[list->n++] = (weighted){quantity(told), pv_profile_count(profile, t)};
        }
    }
    return fill_spread(spread, list, rows);
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

static bool spread_all(const pv_disclosure *disclosure, const pv_profile *profile,
                       pv_disclosure_summary *s)
{
    const size_t n = disclosure->n_tuples;
    weighted_list list = {.all = PV_NEW_ARRAY(weighted, n),
                          .keys = PV_NEW_ARRAY(uint64_t, n),
                          .order = PV_NEW_ARRAY(uint32_t, n)};
    const bool ready =
        list.all != NULL && list.keys != NULL && list.order != NULL &&
        spread_by(disclosure, profile, s->rows, risk_before, &list, &s->risk_before) &&
        spread_by(disclosure, profile, s->rows, risk_after, &list, &s->risk_after) &&
        spread_by(disclosure, profile, s->rows, utility_kept, &list, &s->utility_kept);
    pv_i_free(list.all);
    pv_i_free(list.keys);
    pv_i_free(list.order);
    return ready;
}

pv_status pv_disclosure_summarise(const pv_disclosure *disclosure, const pv_profile *profile,
                                  pv_disclosure_summary **summary, pv_error *error)
{
    pv_disclosure_summary *const s = PV_NEW(pv_disclosure_summary);
    if (s != NULL) {
        s->at_level = PV_NEW_ZEROED(uint64_t, disclosure->n_quasi * (PV_MAX_HEIGHT + 1));
    }
    if (s == NULL || s->at_level == NULL) {
        pv_disclosure_summary_free(s);
        return pv_i_no_memory(error);
    }
    count_people(disclosure, profile, s);
    if (!spread_all(disclosure, profile, s)) {
        pv_disclosure_summary_free(s);
        return pv_i_no_memory(error);
    }
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
