/* Record-by-record disclosure: the registry of methods and their one driver.
 *
 *     options --> values, weighing, lattice --> method --> pv_i_disclose_report, tuple by tuple
 *                 (what is weighed up)          scan: all records at once
 *                                               others: one by one (record_each.c)
 *
 * `auto` scans where that is done in minutes: it is exact for every model, and the fastest by far
 * where every node of the lattice can be looked at. Otherwise branch and bound decides record by
 * record. */
#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/pool.h"
#include "records/record_methods.h"

#include <math.h>

#define ARUBA "ARUBA: a risk-utility-based algorithm for data disclosure"
#define DEFAULT_MEMORY ((uint64_t)512 << 20)

/* ---------------------------------------------------------------- registry */

static const char *refuses_balance(const pv_disclose_run *run)
{
    return run->options->aim == PV_AIM_BALANCE
               ? "it needs a bound that choices keep or break, and a balance has none"
               : NULL;
}

static const char *refuses_nothing(const pv_disclose_run *run)
{
    (void)run;
    return NULL;
}

static const pv_record_entry entries[] = {
    {{.name = "scan",
      .summary = "all records at once, every node of the lattice",
      .exact_for = "I, II, III"},
     .refuses = pv_i_record_scan_refuses,
     .solve_all = pv_i_record_scan},
    {{.name = "aruba",
      .summary = "record by record along the frontier of what is useful enough",
      .exact_for = "I, II",
      .reference = ARUBA ", algorithm 2",
      .needs_monotone = true},
     .refuses = refuses_balance,
     .solve = pv_i_aruba},
    {{.name = "btda",
      .summary = "record by record from * down, by a queue of the least risks",
      .exact_for = "I, II",
      .reference = ARUBA ", algorithm 1",
      .needs_monotone = true},
     .refuses = refuses_balance,
     .solve = pv_i_btda},
    {{.name = "bnb", .summary = "record by record by branch and bound", .exact_for = "I, II, III"},
     .refuses = refuses_nothing,
     .solve = pv_i_record_bnb,
     .takes_start = true},
};

#define N_ENTRIES (sizeof entries / sizeof *entries)

size_t pv_n_record_methods(void)
{
    return N_ENTRIES;
}

const pv_record_method *pv_record_method_at(size_t index)
{
    return index < N_ENTRIES ? &entries[index].info : NULL;
}

static const pv_record_entry *find(const char *name)
{
    for (size_t i = 0; i < N_ENTRIES; i++) {
        if (strcmp(entries[i].info.name, name) == 0) {
            return &entries[i];
        }
    }
    return NULL;
}

const pv_record_method *pv_record_method_find(const char *name)
{
    const pv_record_entry *const entry = find(name);
    return entry != NULL ? &entry->info : NULL;
}

/* The method asked for, if it can do this. */
static pv_status choose_asked(const pv_disclose_run *run, const char *name,
                              const pv_record_entry **entry, pv_error *error)
{
    *entry = find(name);
    if (*entry == NULL) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT, "there is no method '%s'", name),
                         error, "the methods are auto, scan, aruba, btda and bnb");
    }
    const char *const refusal = (*entry)->refuses(run);
    if (refusal != NULL) {
        return pv_i_hint(
            pv_i_fail(error, PV_STATUS_ARGUMENT, "%s cannot do this: %s", name, refusal), error,
            "leave the method to the program (auto)");
    }
    return PV_STATUS_OK;
}

/* Records times nodes that a scan is done with in minutes: it looks at a few of a thousand. */
#define AFFORDABLE 1e12
#define AFFORDABLE_PER_SECOND 5e8
#define MOST_SCANNED 1e9 /* nodes, whatever the records */

static double affordable(const pv_disclose_options *options)
{
    return options->max_seconds > 0 ? fmin(AFFORDABLE, options->max_seconds * AFFORDABLE_PER_SECOND)
                                    : AFFORDABLE;
}

static const pv_record_entry *choose_best(const pv_disclose_run *run, const char **reason)
{
    const double entries_in_all = run->lattice.size * (double)run->profile->n_tuples;
    if (run->options->only != NULL) {
        *reason = "only some records are asked for";
    } else if (pv_i_record_scan_refuses(run) != NULL || run->lattice.size > MOST_SCANNED ||
               entries_in_all > AFFORDABLE) {
        *reason = "the lattice is too large to be scanned for all records in minutes";
    } else if (entries_in_all > affordable(run->options)) {
        *reason = "the lattice is too large to be scanned for all records in that time";
    } else {
        *reason = "every node of the lattice can be scanned for all records at once";
        return find("scan");
    }
    return find("bnb");
}

static pv_status choose(const pv_disclose_run *run, const pv_record_entry **entry,
                        const char **reason, pv_error *error)
{
    const char *const name = run->options->method;
    if (name != NULL && strcmp(name, "auto") != 0) {
        return choose_asked(run, name, entry, error);
    }
    *entry = choose_best(run, reason);
    return PV_STATUS_OK;
}

/* --------------------------------------------------------------- reporting */

/* Utility and sensitivity as they are, for people: not rounded to units. */
typedef struct {
    double utility, phi;
} plain_worth;

static plain_worth worth_at(const pv_disclose_run *run, size_t tuple, const uint8_t *levels)
{
    plain_worth sum = {0};
    for (size_t q = 0; q < run->values.n_quasi; q++) {
        const uint32_t leaf = pv_profile_leaf(run->profile, tuple, q);
        const pv_record_level *const level = &run->values.levels[q][levels != NULL ? levels[q] : 0];
        sum.utility += level->utility[leaf];
        sum.phi += level->sensitivity[leaf];
    }
    return sum;
}

static double risk_of(const pv_disclose_run *run, double phi, uint64_t rho)
{
    return pv_i_record_risk(run->options->risk, phi, rho, run->attacker->n_rows);
}

void pv_i_disclose_report(pv_disclose_run *run, size_t tuple, const pv_record_answer *answer)
{
    const size_t n = run->values.n_quasi;
    pv_disclosed *const record = &run->disclosure->tuples[tuple];
    uint8_t *const levels = run->levels + tuple * n;
    for (size_t q = 0; q < n; q++) {
        levels[q] = answer->is_feasible
                        ? answer->levels[q]
                        : run->values.root_level[q][pv_profile_leaf(run->profile, tuple, q)];
    }
    const plain_worth raw = worth_at(run, tuple, NULL);
    const plain_worth kept = worth_at(run, tuple, levels);
    const uint64_t rho = answer->is_feasible ? answer->rho : run->attacker->n_rows;
    *record = (pv_disclosed){.levels = levels,
                             .risk = risk_of(run, kept.phi, rho),
                             .utility = kept.utility,
                             .consistent = rho,
                             .risk_raw = risk_of(run, raw.phi, answer->raw_rho),
                             .most = raw.utility,
                             .consistent_raw = answer->raw_rho,
                             .is_feasible = answer->is_feasible,
                             .is_optimal = answer->is_optimal,
                             .visited = answer->visited};
}

/* ------------------------------------------------------------------ driver */

static pv_status check_only(const pv_disclose_options *options, size_t n_tuples, pv_error *error)
{
    for (size_t i = 0; options->only != NULL && i < options->n_only; i++) {
        if (options->only[i] >= n_tuples || (i > 0 && options->only[i] <= options->only[i - 1])) {
            return pv_i_fail(error, PV_STATUS_ARGUMENT,
                             "the tuples asked for must be ascending and in the profile");
        }
    }
    return PV_STATUS_OK;
}

static pv_status check_options(const pv_disclose_options *options, const pv_profile *profile,
                               pv_error *error)
{
    if ((unsigned)options->utility >= PV_UTILITY_COUNT ||
        (unsigned)options->risk >= PV_RISK_COUNT || (unsigned)options->aim >= PV_AIM_COUNT) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "there is no such utility, risk or aim");
    }
    if (!isfinite(options->bound)) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "the bound must be a number");
    }
    if (options->is_share &&
        (options->aim != PV_AIM_LEAST_RISK || options->bound < 0 || options->bound > 1)) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT,
                         "a share is one of the utility to keep, from 0 to 1");
    }
    if (options->aim == PV_AIM_BALANCE && options->bound < 0) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "lambda must not be negative");
    }
    if (!(options->max_seconds >= 0)) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "a limit of time must not be negative");
    }
    if (options->attacker != NULL && options->attacker->profile != profile) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "the dictionary belongs to another profile");
    }
    return check_only(options, profile->n_tuples, error);
}

static pv_status disclosure_init(pv_disclose_run *run, pv_error *error)
{
    const size_t n_tuples = run->profile->n_tuples;
    pv_disclosure *const d = run->disclosure;
    d->aim = run->options->aim;
    d->n_quasi = run->values.n_quasi;
    d->n_tuples = n_tuples;
    d->nodes = run->lattice.size;
    d->tuples = PV_NEW_ZEROED(pv_disclosed, n_tuples);
    d->memory = run->levels = pv_i_zeroed(n_tuples, d->n_quasi);
    return d->tuples != NULL && d->memory != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
}

static pv_status disclose(pv_disclose_run *run, const pv_record_entry *entry, pv_error *error)
{
    const double started = pv_i_now();
    PV_TRY(pv_i_record_values_init(&run->values, run->profile, run->options->utility,
                                   run->options->sensitivities, error));
    PV_TRY(pv_i_weighing_init(&run->weighing, &run->values, run->options, run->attacker->n_rows,
                              error));
    PV_TRY(pv_i_lattice_init(&run->lattice, run->profile->study, error));
    if (entry == NULL) {
        PV_TRY(choose(run, &entry, &run->disclosure->reason, error));
    }
    PV_TRY(disclosure_init(run, error));
    PV_TRY(entry->solve != NULL ? pv_i_solve_each(run, entry, error)
                                : entry->solve_all(run, error));
    if (entry->solve == NULL && run->disclosure->stop == PV_STOP_TIME) {
        PV_TRY(pv_i_solve_unfinished(run, error));
    }
    run->disclosure->method = entry->info.name;
    run->disclosure->seconds = pv_i_now() - started;
    return PV_STATUS_OK;
}

pv_status pv_i_disclose_by(const pv_record_entry *entry, void *task, const pv_profile *profile,
                           const pv_disclose_options *options, const pv_context *context,
                           pv_disclosure **disclosure, pv_error *error)
{
    pv_disclose_options taken = {0};
    pv_attacker *table = NULL;
    pv_disclose_run run = {.profile = profile,
                           .task = task,
                           .options = &taken,
                           .context = context,
                           .threads = pv_i_threads(context)};
    pv_status status = PV_STATUS_OK;
    PV_TRY(PV_TAKE_OPTIONS(taken, options, error));
    PV_TRY(check_options(run.options, profile, error));
    run.until = run.options->max_seconds > 0 ? pv_i_now() + run.options->max_seconds : 0;
    run.memory = run.options->memory > 0 ? run.options->memory : DEFAULT_MEMORY;
    run.attacker = run.options->attacker;
    run.disclosure = PV_NEW(pv_disclosure);
    if (run.disclosure == NULL) {
        return pv_i_no_memory(error);
    }
    if (run.attacker == NULL) {
        PV_TRY_CLEAN(pv_attacker_open(profile, NULL, context, &table, error));
        run.attacker = table;
    }
    PV_TRY_CLEAN(disclose(&run, entry, error));
    *disclosure = run.disclosure;
    run.disclosure = NULL;
cleanup:
    pv_disclosure_free(run.disclosure);
    pv_i_weighing_deinit(&run.weighing);
    pv_i_record_values_deinit(&run.values);
    pv_i_lattice_deinit(&run.lattice);
    pv_attacker_free(table);
    return status;
}

pv_status pv_disclose(const pv_profile *profile, const pv_disclose_options *options,
                      const pv_context *context, pv_disclosure **disclosure, pv_error *error)
{
    return pv_i_disclose_by(NULL, NULL, profile, options, context, disclosure, error);
}
