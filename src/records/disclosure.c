/* Disclosures as results: what was chosen, what comes of it once demands are kept, and the sum of
 * it over people. */
#include "records/disclosure.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/pool.h"
#include "classes/grouping.h"
#include "classes/keys.h"
#include "records/record_methods.h"
#include "scheme/scheme.h"

#include <stdatomic.h>
#include <string.h>

/* ------------------------------------------------------------------- fields */

void pv_disclosure_free(pv_disclosure *disclosure)
{
    if (disclosure == NULL) {
        return;
    }
    pv_i_free(disclosure->tuples);
    pv_i_free(disclosure->memory);
    pv_i_free(disclosure);
}

pv_aim pv_disclosure_aim(const pv_disclosure *disclosure)
{
    return disclosure->aim;
}

const char *pv_disclosure_method(const pv_disclosure *disclosure)
{
    return disclosure->method;
}

const char *pv_disclosure_reason(const pv_disclosure *disclosure)
{
    return disclosure->reason;
}

double pv_disclosure_n_nodes(const pv_disclosure *disclosure)
{
    return disclosure->nodes;
}

uint64_t pv_disclosure_n_visited(const pv_disclosure *disclosure)
{
    return disclosure->visited;
}

double pv_disclosure_seconds(const pv_disclosure *disclosure)
{
    return disclosure->seconds;
}

bool pv_disclosure_is_stopped(const pv_disclosure *disclosure)
{
    return disclosure->stopped;
}

pv_stop pv_disclosure_stop(const pv_disclosure *disclosure)
{
    return disclosure->stop;
}

size_t pv_disclosure_n_tuples(const pv_disclosure *disclosure)
{
    return disclosure->n_tuples;
}

const uint8_t *pv_disclosure_levels(const pv_disclosure *disclosure, size_t tuple, size_t *n_levels)
{
    const uint8_t *const levels = disclosure->tuples[tuple].levels;
    if (n_levels != NULL) {
        *n_levels = levels != NULL ? disclosure->n_quasi : 0;
    }
    return levels;
}

double pv_disclosure_risk(const pv_disclosure *disclosure, size_t tuple)
{
    return disclosure->tuples[tuple].risk;
}

double pv_disclosure_utility(const pv_disclosure *disclosure, size_t tuple)
{
    return disclosure->tuples[tuple].utility;
}

double pv_disclosure_risk_raw(const pv_disclosure *disclosure, size_t tuple)
{
    return disclosure->tuples[tuple].risk_raw;
}

double pv_disclosure_utility_raw(const pv_disclosure *disclosure, size_t tuple)
{
    return disclosure->tuples[tuple].most;
}

uint64_t pv_disclosure_n_consistent(const pv_disclosure *disclosure, size_t tuple)
{
    return disclosure->tuples[tuple].consistent;
}

uint64_t pv_disclosure_n_consistent_raw(const pv_disclosure *disclosure, size_t tuple)
{
    return disclosure->tuples[tuple].consistent_raw;
}

bool pv_disclosure_is_feasible(const pv_disclosure *disclosure, size_t tuple)
{
    return disclosure->tuples[tuple].is_feasible;
}

bool pv_disclosure_is_optimal(const pv_disclosure *disclosure, size_t tuple)
{
    return disclosure->tuples[tuple].is_optimal;
}

/* -------------------------------------------------------------- as released */

/* What a release by records comes to for the attacker, after demands have changed some choices.
 *
 * Of who is released as chosen everything is known. Others who are released alike, by the same
 * levels, fit the same dictionary records, which are counted once for them. */
typedef struct {
    const pv_disclosure *chosen;
    const uint8_t *levels; /* of the scheme: tuples * quasi-identifiers */
    pv_disclose_run *run;
    pv_classes *classes;
    pv_consistent_index *index;
    pv_consistent_scratch **scratch; /* one per thread */
    uint32_t *leaves;                /* the same: of one record */
    atomic_size_t next;              /* class */
} assessing;

static const uint8_t *levels_of(const assessing *c, size_t tuple)
{
    return c->levels + tuple * c->run->values.n_quasi;
}

static uint64_t count_fitting(const assessing *c, size_t tuple, unsigned worker)
{
    uint32_t *const leaves = c->leaves + worker * c->run->values.n_quasi;
    for (size_t q = 0; q < c->run->values.n_quasi; q++) {
        leaves[q] = pv_profile_leaf(c->run->profile, tuple, q);
    }
    return pv_i_consistent_count(c->index, c->scratch[worker], leaves, levels_of(c, tuple));
}

static void report(const assessing *c, size_t tuple, uint64_t rho)
{
    const pv_disclosed *const chosen = &c->chosen->tuples[tuple];
    const pv_record_answer answer = {.levels = levels_of(c, tuple),
                                     .is_feasible = true,
                                     .is_optimal = chosen->is_optimal,
                                     .rho = rho,
                                     .raw_rho = chosen->consistent_raw,
                                     .visited = chosen->visited};
    pv_i_disclose_report(c->run, tuple, &answer);
    c->run->disclosure->tuples[tuple].is_feasible = chosen->is_feasible;
}

static bool has_levels(const assessing *c, size_t tuple, const uint8_t *levels)
{
    return levels != NULL && memcmp(levels_of(c, tuple), levels, c->run->values.n_quasi) == 0;
}

static void count_class(const assessing *c, size_t number, unsigned worker)
{
    const pv_classes *const classes = c->classes;
    const uint8_t *counted = NULL; /* levels of somebody in this class */
    uint64_t rho = 0;
    for (uint32_t m = classes->member_start[number]; m < classes->member_start[number + 1]; m++) {
        const size_t tuple = classes->member[m];
        const pv_disclosed *const chosen = &c->chosen->tuples[tuple];
        if (has_levels(c, tuple, chosen->levels)) {
            report(c, tuple, chosen->consistent);
            continue;
        }
        if (!has_levels(c, tuple, counted)) {
            rho = count_fitting(c, tuple, worker);
            counted = levels_of(c, tuple);
        }
        report(c, tuple, rho);
    }
}

static void count_classes(void *ctx, unsigned worker)
{
    assessing *const c = ctx;
    for (size_t i = atomic_fetch_add(&c->next, 1); i < c->classes->n_classes;
         i = atomic_fetch_add(&c->next, 1)) {
        count_class(c, i, worker);
    }
}

static pv_status assess(pv_disclose_run *run, pv_error *error)
{
    assessing *const c = run->task;
    pv_status status = PV_STATUS_OK;
    c->run = run;
    c->scratch = PV_NEW_ZEROED(pv_consistent_scratch *, run->threads);
    c->leaves = PV_NEW_ARRAY(uint32_t, run->threads * run->values.n_quasi);
    if (c->scratch == NULL || c->leaves == NULL) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    PV_TRY_CLEAN(pv_classes_create_records(run->profile, c->levels, &c->classes, error));
    PV_TRY_CLEAN(pv_i_consistent_index_create(run->attacker, run->memory, &c->index, error));
    for (unsigned i = 0; i < run->threads; i++) {
        PV_TRY_CLEAN(pv_i_consistent_scratch_create(c->index, &c->scratch[i], error));
    }
    pv_i_pool_run(run->threads, count_classes, c);
cleanup:
    for (unsigned i = 0; c->scratch != NULL && i < run->threads; i++) {
        pv_i_consistent_scratch_free(c->scratch[i]);
    }
    pv_i_free(c->scratch);
    pv_i_free(c->leaves);
    pv_i_consistent_index_free(c->index);
    pv_classes_free(c->classes);
    return status;
}

pv_status pv_disclosure_released(const pv_disclosure *chosen, const pv_profile *profile,
                                 const pv_disclose_options *options, const pv_scheme *scheme,
                                 const pv_context *context, pv_disclosure **disclosure,
                                 pv_error *error)
{
    static const pv_record_entry entry = {.solve_all = assess};
    assessing task = {.chosen = chosen, .levels = scheme->records};
    atomic_init(&task.next, 0);
    if (scheme->records == NULL || options->only != NULL || chosen->n_tuples != profile->n_tuples) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT,
                         "only a scheme of records for the whole table can be assessed");
    }
    PV_TRY(pv_i_disclose_by(&entry, &task, profile, options, context, disclosure, error));
    pv_disclosure *const d = *disclosure;
    d->method = chosen->method;
    d->reason = chosen->reason;
    d->visited = chosen->visited;
    d->seconds = chosen->seconds;
    d->stopped = chosen->stopped;
    d->stop = chosen->stop;
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------ summary */

#define STEPS 10

/* A quantity of some people. */
typedef struct {
    double value;
    uint64_t people;
} weighted;

/* One entry per tuple that was asked for. */
typedef struct {
    weighted *all;
    uint64_t *keys;  /* ascending as their values do */
    uint32_t *order; /* of `all`, by value */
    size_t n;
} weighted_list;

/* A whole number that ascends as the value does, so that millions of risks are sorted by digits.
 * The bits of a double, read as a whole number, ascend with it if it is positive, and descend if it
 * is negative: these are inverted, and come before all others. Adding 0 makes -0 the same as 0. */
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

static double risk_before(const pv_disclosed *record)
{
    return record->risk_raw;
}

static double risk_after(const pv_disclosed *record)
{
    return record->risk;
}

/* Who has nothing to lose keeps all of it. */
static double utility_kept(const pv_disclosed *record)
{
    return record->most > 0 ? record->utility / record->most : 1;
}

static bool spread_by(const pv_disclosure *disclosure, const pv_profile *profile, uint64_t rows,
                      double (*quantity)(const pv_disclosed *record), weighted_list *list,
                      pv_spread *spread)
{
    list->n = 0;
    for (size_t t = 0; t < disclosure->n_tuples; t++) {
        const pv_disclosed *const record = &disclosure->tuples[t];
        if (record->levels != NULL) {
            list->all[list->n++] = (weighted){quantity(record), pv_profile_count(profile, t)};
        }
    }
    return fill_spread(spread, list, rows);
}

static void count_people(const pv_disclosure *disclosure, const pv_profile *profile,
                         pv_disclosure_summary *summary)
{
    for (size_t t = 0; t < disclosure->n_tuples; t++) {
        const pv_disclosed *const record = &disclosure->tuples[t];
        const uint64_t people = pv_profile_count(profile, t);
        if (record->levels == NULL) {
            continue;
        }
        summary->n_rows += people;
        summary->n_infeasible += record->is_feasible ? 0 : people;
        summary->n_proven += record->is_optimal ? people : 0;
        summary->n_unique_before += record->consistent_raw <= 1 ? people : 0;
        summary->n_unique_after += record->consistent <= 1 ? people : 0;
        for (size_t q = 0; q < disclosure->n_quasi; q++) {
            summary->at_level[q * (PV_MAX_HEIGHT + 1) + record->levels[q]] += people;
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
        spread_by(disclosure, profile, s->n_rows, risk_before, &list, &s->risk_before) &&
        spread_by(disclosure, profile, s->n_rows, risk_after, &list, &s->risk_after) &&
        spread_by(disclosure, profile, s->n_rows, utility_kept, &list, &s->utility_kept);
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

uint64_t pv_disclosure_summary_n_rows(const pv_disclosure_summary *summary)
{
    return summary->n_rows;
}

uint64_t pv_disclosure_summary_n_infeasible(const pv_disclosure_summary *summary)
{
    return summary->n_infeasible;
}

uint64_t pv_disclosure_summary_n_proven(const pv_disclosure_summary *summary)
{
    return summary->n_proven;
}

uint64_t pv_disclosure_summary_n_unique_before(const pv_disclosure_summary *summary)
{
    return summary->n_unique_before;
}

uint64_t pv_disclosure_summary_n_unique_after(const pv_disclosure_summary *summary)
{
    return summary->n_unique_after;
}

const pv_spread *pv_disclosure_summary_risk_before(const pv_disclosure_summary *summary)
{
    return &summary->risk_before;
}

const pv_spread *pv_disclosure_summary_risk_after(const pv_disclosure_summary *summary)
{
    return &summary->risk_after;
}

const pv_spread *pv_disclosure_summary_utility_kept(const pv_disclosure_summary *summary)
{
    return &summary->utility_kept;
}

const uint64_t *pv_disclosure_summary_levels(const pv_disclosure_summary *summary, size_t quasi,
                                             size_t *n_levels)
{
    if (n_levels != NULL) {
        *n_levels = PV_MAX_HEIGHT + 1;
    }
    return summary->at_level + quasi * (PV_MAX_HEIGHT + 1);
}
