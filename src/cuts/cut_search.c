/* The driver of all searches over cuts.
 *
 * Memory, as the caller limits it:
 *
 *     |  1/4 views of the table  |  1/4 schemes remembered (prefer)  |   1/2 a proof | | nodes |
 * tables of intervals |
 *
 * Views and tables make things faster only: without memory for them the answer is the same. Nodes
 * end a proof, whose bound then holds as far as it got; schemes end a search with an error. */
#include "cuts/cut_search.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "front/front.h"

#include <math.h>
#include <string.h>

/* The part of the memory that views of the table may take, and that a proof may. */
#define VIEWS_PART 4
#define PROOF_PART 2
#define REPORT_SECONDS 0.1
/* Known schemes a search starts from: less than half of the usual population, so that chance has a
 * share in it, too. */
#define MOST_STARTS 40

/* ----------------------------------------------------------------- methods */

/* The defaults are those of Dewri and others, section 8, which leave both methods the same effort.
 * Moves take the place of mutation in memetic. */
static const pv_cut_method_entry methods[] = {
    {.about = {.name = "memetic",
               .summary = "evolution with local search: attribute after attribute gets its best "
                          "partition",
               .evaluations = 50000,
               .population = 100,
               .crossover = 0.8},
     .search = pv_i_memetic},
    {.about = {.name = "nsga2",
               .summary = "NSGA-II as published",
               .reference = "Dewri, Ray, Ray, Whitley: k-anonymization in the presence of "
                            "publisher preferences, section 7",
               .evaluations = 50000,
               .population = 100,
               .crossover = 0.8,
               .mutation = 0.001},
     .search = pv_i_nsga2},
};
#define N_METHODS (sizeof methods / sizeof *methods)

const pv_cut_method_entry *pv_i_cut_method(const char *name)
{
    for (size_t i = 0; i < N_METHODS; i++) {
        if (name == NULL || strcmp(methods[i].about.name, name) == 0) {
            return &methods[i];
        }
    }
    return NULL;
}

size_t pv_n_cut_methods(void)
{
    return N_METHODS;
}

const pv_cut_method *pv_cut_method_at(size_t index)
{
    return index < N_METHODS ? &methods[index].about : NULL;
}

const pv_cut_method *pv_cut_method_find(const char *name)
{
    const pv_cut_method_entry *const entry = name != NULL ? pv_i_cut_method(name) : NULL;
    return entry != NULL ? &entry->about : NULL;
}

pv_status pv_i_cut_search_fill(const char *method, pv_cut_search_options *options, pv_error *error)
{
    const pv_cut_method *const usual = &pv_i_cut_method(method)->about;
    pv_cut_search_options *const o = options;
    o->seed = o->seed > 0 ? o->seed : 1;
    o->evaluations = o->evaluations > 0 ? o->evaluations : usual->evaluations;
    o->population = o->population > 0 ? o->population : usual->population;
    o->crossover = pv_i_chance(o->crossover, usual->crossover);
    o->mutation = usual->mutation > 0 ? pv_i_chance(o->mutation, usual->mutation) : 0;
    return pv_i_chances_check(o->population, o->crossover, o->mutation, error);
}

/* ------------------------------------------------------------------ set up */

static pv_status fill_settings(pv_cut_search *search, pv_error *error)
{
    pv_cut_settings *const s = &search->settings;
    search->method = pv_i_cut_method(s->method);
    if (search->method == NULL) {
        return pv_i_hint(
            pv_i_fail(error, PV_STATUS_ARGUMENT, "there is no method '%s' over cuts", s->method),
            error, "the methods are memetic and nsga2");
    }
    if (isnan(s->prove)) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "the seconds for proofs must be a number");
    }
    pv_cut_search_options checked = {
        .population = s->population, .crossover = s->crossover, .mutation = s->mutation};
    PV_TRY(pv_i_cut_search_fill(search->method->about.name, &checked, error));
    s->evaluations = s->evaluations > 0 ? s->evaluations : search->method->about.evaluations;
    s->memory = s->memory > 0 ? s->memory : PV_CUT_MEMORY;
    s->seed = s->seed > 0 ? s->seed : 1;
    s->prove = s->prove < 0 ? 0 : s->prove > 0 ? s->prove : s->prove_usually;
    return PV_STATUS_OK;
}

/* k may be among the demands, too. */
static pv_status check_k(pv_cut_search *search, pv_error *error)
{
    const uint64_t rows = pv_profile_rows(search->profile);
    uint64_t *const k = &search->settings.k;
    *k = search->criteria.rules.k > *k ? search->criteria.rules.k : *k;
    return *k <= rows
               ? PV_STATUS_OK
               : pv_i_hint(pv_i_fail(error, PV_STATUS_UNSATISFIED,
                                     "no release can have classes of %llu people: the table has "
                                     "%llu",
                                     (unsigned long long)*k, (unsigned long long)rows),
                           error, "ask for a smaller k");
}

/* If not even all people in one class meet a rule, nothing does: merging never breaks one. */
static pv_status check_rules(const pv_cut_search *search, pv_error *error)
{
    pv_cut_outcome merged;
    if (search->criteria.rules.n_rules == 0) {
        return PV_STATUS_OK;
    }
    memset(search->run.cuts, 0, search->space.n_bits);
    if (!pv_i_cut_evaluate(&search->run.evaluators[0], search->run.cuts, &merged)) {
        return pv_i_no_memory(error);
    }
    return merged.compliance >= 1
               ? PV_STATUS_OK
               : pv_i_hint(pv_i_fail(error, PV_STATUS_UNSATISFIED,
                                     "no release can keep what is demanded of the sensitive "
                                     "values: not even all people in one class do"),
                           error, "demand less");
}

pv_status pv_i_cut_search_init(pv_cut_search *search, const pv_profile *profile,
                               const pv_cut_settings *settings, const pv_context *context,
                               pv_error *error)
{
    pv_cut_settings *const s = &search->settings;
    pv_status status = PV_STATUS_OK;
    *search = (pv_cut_search){.profile = profile, .settings = *settings, .context = context};
    PV_TRY(fill_settings(search, error));
    PV_TRY_CLEAN(
        pv_i_cut_space_init(&search->space, pv_profile_study(profile), !s->free_groups, error));
    PV_TRY_CLEAN(pv_i_cut_criteria_init(&search->criteria, profile, &search->space, s->demands,
                                        s->n_demands, s->bias, s->loss, error));
    PV_TRY_CLEAN(check_k(search, error));
    PV_TRY_CLEAN(pv_i_cut_table_init_counting(&search->table, profile, &search->space,
                                              search->criteria.columns, search->criteria.n_columns,
                                              s->memory / VIEWS_PART, error));
    pv_i_cut_criteria_prices(&search->criteria, NULL, &search->prices);
    PV_TRY_CLEAN(pv_i_cut_run_init(&search->run, &search->table, &search->prices, &search->criteria,
                                   context, error));
    PV_TRY_CLEAN(check_rules(search, error));
    s->demands = NULL; /* they were borrowed for the call */
    s->bias = s->loss = NULL;
cleanup:
    if (status != PV_STATUS_OK) {
        pv_i_cut_search_deinit(search);
    }
    return status;
}

void pv_i_cut_search_deinit(pv_cut_search *search)
{
    pv_i_cut_run_deinit(&search->run);
    pv_i_cut_table_deinit(&search->table);
    pv_i_cut_space_deinit(&search->space);
    *search = (pv_cut_search){0};
}

pv_status pv_i_cut_search_begin(pv_cut_search *search, const pv_context *context, pv_error *error)
{
    search->context = context;
    search->stop = PV_STOP_FINISHED;
    search->next_report = 0;
    return pv_i_cut_run_set_threads(&search->run, context, error);
}

/* ---------------------------------------------------------------- progress */

/* At most ten times a second, on the caller's thread: methods ask between generations, proofs
 * between batches. Whatever stopped it first is the reason. False if it is not to go on. */
static bool report(pv_cut_search *search, uint64_t counted)
{
    const pv_context *const context = search->context;
    const double time = pv_i_now();
    if (search->stop == PV_STOP_FINISHED && context != NULL && context->progress != NULL &&
        time >= search->next_report) {
        const pv_progress progress = {.phase = search->phase.name,
                                      .done = search->phase.counts ? counted : search->phase.done,
                                      .total = search->phase.total};
        search->next_report = time + REPORT_SECONDS;
        if (!context->progress(context->progress_ctx, &progress)) {
            search->stop = PV_STOP_CANCELLED;
        }
    }
    return search->stop == PV_STOP_FINISHED;
}

static bool method_goes_on(void *ctx, const pv_cut_run *run, uint32_t best)
{
    (void)best;
    return report(ctx, run->asked);
}

static bool proof_goes_on(void *ctx, uint64_t best, uint64_t bound, uint64_t nodes)
{
    pv_cut_search *const search = ctx;
    (void)best;
    (void)bound;
    if (pv_i_now() >= search->proofs_end && search->stop == PV_STOP_FINISHED) {
        search->stop = PV_STOP_TIME;
    }
    return report(search, nodes);
}

/* --------------------------------------------------------- find and prove */

/* Every search has a seed of its own: the same again would draw what is known already. */
pv_status pv_i_cut_search_find(pv_cut_search *search, const pv_cut_goal *goal, uint64_t number,
                               const uint32_t *known, size_t n_known, pv_error *error)
{
    const pv_cut_settings *const s = &search->settings;
    const size_t n_bits = search->space.n_bits;
    const size_t n_starts = n_known < MOST_STARTS ? n_known : MOST_STARTS;
    uint8_t *const starts = pv_i_array(n_starts, n_bits);
    if (starts == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < n_starts; i++) {
        pv_i_cut_run_scheme(&search->run, known[i], starts + i * n_bits);
    }
    const pv_cut_search_options options = {
        .goal = *goal,
        .seed = s->seed + number,
        .evaluations = number == 0 ? s->evaluations : 1 + s->evaluations / s->further,
        .population = s->population,
        .crossover = s->crossover,
        .mutation = s->mutation,
        .start = starts,
        .n_start = n_starts,
        .keep_going = method_goes_on,
        .ctx = search};
    pv_cut_result found = {0};
    search->phase.name = "searching";
    if (search->phase.counts) {
        search->phase.total = search->run.asked + options.evaluations;
    }
    const pv_status status = search->method->search(&search->run, &options, &found, error);
    pv_i_cut_result_deinit(&found); /* all of it is in the run */
    pv_i_free(starts);
    return status;
}

pv_status pv_i_cut_search_prove(pv_cut_search *search, const pv_cut_goal *goal, uint32_t start,
                                uint64_t max_nodes, pv_cut_proof *proof, pv_error *error)
{
    uint32_t found;
    uint8_t *const cuts = PV_NEW_ARRAY(uint8_t, search->space.n_bits);
    if (cuts == NULL) {
        return pv_i_no_memory(error);
    }
    pv_i_cut_run_scheme(&search->run, start, cuts);
    const pv_cut_bnb_options options = {.goal = *goal,
                                        .criteria = &search->criteria,
                                        .start = cuts,
                                        .threads = search->run.threads,
                                        .max_nodes = max_nodes,
                                        .memory = search->settings.memory / PROOF_PART,
                                        .keep_going = proof_goes_on,
                                        .ctx = search};
    search->phase.name = "proving";
    if (search->phase.counts) {
        search->phase.total = 0;
    }
    pv_status status = pv_i_cut_bnb(&search->table, &search->prices, &options, cuts, proof, error);
    if (status == PV_STATUS_OK) {
        status = pv_i_cut_run_evaluate(&search->run, cuts, 1, &found, error);
    }
    pv_i_free(cuts);
    return status;
}
