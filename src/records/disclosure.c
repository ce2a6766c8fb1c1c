/* Disclosures as results: what was chosen, what comes of it once demands are kept, and the sum of
 * it over people. */
#include "records/disclosure.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/tasks.h"
#include "classes/grouping.h"
#include "classes/keys.h"
#include "records/record_methods.h"
#include "scheme/scheme.h"

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

PV_FIELD(pv_aim, pv_disclosure, aim, aim)
PV_FIELD(const char *, pv_disclosure, method, method)
PV_FIELD(const char *, pv_disclosure, reason, reason)
PV_FIELD(double, pv_disclosure, n_nodes, nodes)
PV_FIELD(uint64_t, pv_disclosure, n_visited, visited)
PV_FIELD(double, pv_disclosure, seconds, seconds)
PV_FIELD(bool, pv_disclosure, is_stopped, stopped)
PV_FIELD(pv_stop, pv_disclosure, stop, stop)
PV_FIELD(size_t, pv_disclosure, n_tuples, n_tuples)
PV_FIELD_AT(double, pv_disclosure, risk, tuples, risk)
PV_FIELD_AT(double, pv_disclosure, utility, tuples, utility)
PV_FIELD_AT(double, pv_disclosure, risk_raw, tuples, risk_raw)
PV_FIELD_AT(double, pv_disclosure, utility_raw, tuples, most)
PV_FIELD_AT(uint64_t, pv_disclosure, n_consistent, tuples, consistent)
PV_FIELD_AT(uint64_t, pv_disclosure, n_consistent_raw, tuples, consistent_raw)
PV_FIELD_AT(bool, pv_disclosure, is_feasible, tuples, is_feasible)
PV_FIELD_AT(bool, pv_disclosure, is_optimal, tuples, is_optimal)

const uint8_t *pv_disclosure_levels(const pv_disclosure *disclosure, size_t tuple, size_t *n_levels)
{
    const uint8_t *const levels = disclosure->tuples[tuple].levels;
    if (n_levels != NULL) {
        *n_levels = levels != NULL ? disclosure->n_quasi : 0;
    }
    return levels;
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
    pv_arena arena;
} assessing;

static bool has_levels(const assessing *c, size_t tuple, const uint8_t *levels)
{
    const size_t n = c->run->values.n_quasi;
    return levels != NULL && memcmp(c->levels + tuple * n, levels, n) == 0;
}

static uint64_t count_fitting(const assessing *c, size_t tuple, unsigned worker)
{
    const size_t n = c->run->values.n_quasi;
    uint32_t *const leaves = c->leaves + worker * n;
    for (size_t q = 0; q < n; q++) {
        leaves[q] = pv_profile_leaf(c->run->profile, tuple, q);
    }
    return pv_i_consistent_count(c->index, c->scratch[worker], leaves, c->levels + tuple * n);
}

static pv_status assess_class(void *ctx, size_t number, const pv_thread *thread, pv_error *error)
{
    const assessing *const c = ctx;
    const uint8_t *counted = NULL; /* levels of somebody in this class, and who fits them */
    uint64_t rho = 0;
    for (uint32_t m = c->classes->member_start[number]; m < c->classes->member_start[number + 1];
         m++) {
        const size_t tuple = c->classes->member[m];
        const pv_disclosed *const chosen = &c->chosen->tuples[tuple];
        const bool is_as_chosen = has_levels(c, tuple, chosen->levels);
        if (!is_as_chosen && !has_levels(c, tuple, counted)) {
            rho = count_fitting(c, tuple, thread->number);
            counted = c->levels + tuple * c->run->values.n_quasi;
        }
        const pv_record_answer answer = {.levels = c->levels + tuple * c->run->values.n_quasi,
                                         .is_feasible = true,
                                         .is_optimal = chosen->is_optimal,
                                         .rho = is_as_chosen ? chosen->consistent : rho,
                                         .raw_rho = chosen->consistent_raw,
                                         .visited = chosen->visited};
        pv_i_disclose_report(c->run, tuple, &answer);
        c->run->disclosure->tuples[tuple].is_feasible = chosen->is_feasible;
    }
    (void)error;
    return PV_STATUS_OK;
}

static pv_status assess(pv_disclose_run *run, pv_error *error)
{
    assessing *const c = run->task;
    pv_status status = PV_STATUS_OK;
    c->run = run;
    PV_TRY_CLEAN(pv_classes_create_records(run->profile, c->levels, &c->classes, error));
    PV_TRY_CLEAN(pv_i_consistent_index_create(run->attacker, run->memory, &c->index, error));
    c->scratch = PV_ARENA_ARRAY(&c->arena, pv_consistent_scratch *, run->threads);
    c->leaves = PV_ARENA_ARRAY(&c->arena, uint32_t, run->threads * run->values.n_quasi);
    for (unsigned i = 0; c->scratch != NULL && i < run->threads; i++) {
        c->scratch[i] = pv_i_consistent_scratch(c->index, &c->arena);
    }
    PV_TRY_CLEAN(c->arena.failed ? pv_i_no_memory(error)
                                 : pv_i_tasks_run(run->threads, c->classes->n_classes, assess_class,
                                                  c, NULL, error));
cleanup:
    pv_i_arena_deinit(&c->arena);
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

/* A quantity of each tuple that was asked for. */
typedef struct {
    double *values;
    uint64_t *people;
    uint64_t *keys;  /* ascending as their values do */
    uint32_t *order; /* places, by value */
    size_t n;
} spread_list;

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

/* Mean and quantiles: the least value that at least so many tenths of the people do not exceed.
 * False when memory runs out. */
static bool fill_spread(pv_spread *spread, const spread_list *list, uint64_t rows)
{
    double sum = 0;
    if (rows == 0) {
        return true;
    }
    for (size_t i = 0; i < list->n; i++) {
        list->keys[i] = ascending_key(list->values[i]);
    }
    if (!pv_i_keys_order(list->keys, list->n, 1, list->order)) {
        return false;
    }
    size_t next = 0; /* steps that are not filled in */
    uint64_t up_to = 0;
    for (size_t i = 0; i < list->n; i++) {
        const double value = list->values[list->order[i]];
        const uint64_t people = list->people[list->order[i]];
        sum += value * (double)people;
        up_to += people;
        for (; next <= STEPS && (unsigned __int128)up_to * STEPS >= (unsigned __int128)rows * next;
             next++) {
            spread->quantile[next] = value;
        }
    }
    spread->mean = sum / (double)rows;
    spread->least = spread->quantile[0];
    spread->most = spread->quantile[STEPS];
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

static bool spread_by(const pv_disclosure *disclosure, uint64_t rows,
                      double (*quantity)(const pv_disclosed *record), const spread_list *list,
                      pv_spread *spread)
{
    size_t n = 0;
    for (size_t t = 0; t < disclosure->n_tuples; t++) {
        if (disclosure->tuples[t].levels != NULL) {
            list->values[n++] = quantity(&disclosure->tuples[t]);
        }
    }
    return fill_spread(spread, list, rows);
}

pv_status pv_disclosure_summarise(const pv_disclosure *disclosure, const pv_profile *profile,
                                  pv_disclosure_summary **summary, pv_error *error)
{
    const size_t n = disclosure->n_tuples;
    const size_t n_counts = disclosure->n_quasi * (PV_MAX_HEIGHT + 1);
    pv_arena arena = {0};
    spread_list list = {.values = PV_ARENA_ARRAY(&arena, double, n),
                        .people = PV_ARENA_ARRAY(&arena, uint64_t, n),
                        .keys = PV_ARENA_ARRAY(&arena, uint64_t, n),
                        .order = PV_ARENA_ARRAY(&arena, uint32_t, n)};
    pv_disclosure_summary *const s = pv_i_zeroed(1, sizeof *s + n_counts * sizeof *s->at_level);
    for (size_t t = 0; !arena.failed && s != NULL && t < n; t++) {
        const pv_disclosed *const record = &disclosure->tuples[t];
        const uint64_t people = pv_profile_count(profile, t);
        if (record->levels == NULL) {
            continue;
        }
        list.people[list.n++] = people;
        s->n_rows += people;
        s->n_infeasible += record->is_feasible ? 0 : people;
        s->n_proven += record->is_optimal ? people : 0;
        s->n_unique_before += record->consistent_raw <= 1 ? people : 0;
        s->n_unique_after += record->consistent <= 1 ? people : 0;
        for (size_t q = 0; q < disclosure->n_quasi; q++) {
            s->at_level[q * (PV_MAX_HEIGHT + 1) + record->levels[q]] += people;
        }
    }
    const bool ready = !arena.failed && s != NULL &&
                       spread_by(disclosure, s->n_rows, risk_before, &list, &s->risk_before) &&
                       spread_by(disclosure, s->n_rows, risk_after, &list, &s->risk_after) &&
                       spread_by(disclosure, s->n_rows, utility_kept, &list, &s->utility_kept);
    pv_i_arena_deinit(&arena);
    if (!ready) {
        pv_i_free(s);
        return pv_i_no_memory(error);
    }
    *summary = s;
    return PV_STATUS_OK;
}

void pv_disclosure_summary_free(pv_disclosure_summary *summary)
{
    pv_i_free(summary);
}

PV_FIELD(uint64_t, pv_disclosure_summary, n_rows, n_rows)
PV_FIELD(uint64_t, pv_disclosure_summary, n_infeasible, n_infeasible)
PV_FIELD(uint64_t, pv_disclosure_summary, n_proven, n_proven)
PV_FIELD(uint64_t, pv_disclosure_summary, n_unique_before, n_unique_before)
PV_FIELD(uint64_t, pv_disclosure_summary, n_unique_after, n_unique_after)

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
