/* The driver of all searches over cuts.
 *
 * Memory, as the caller limits it:
 *
 *     | 1/4 views of the table | 1/4 schemes remembered (prefer) |          1/2 a proof        |
 *                                                                | nodes | tables of intervals |
 *
 * Views and tables make things faster only: without memory for them the answer is the same. Nodes
 * end a proof, whose bound then holds as far as it got; schemes end a search with an error. */
#include "cuts/cut_search.h"

#include "base/bitset.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/tasks.h"
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
/* Schemes evaluated by one task. */
#define SHARE 8
/* Sums of bias and loss closer than this are equal. */
#define DEVIATION_TIE 1e-12

/* ---------------------------------------------------- everything evaluated
 *
 * A scheme is remembered as a row of bits, found by hashing; its id is the order of its first
 * appearance, so it does not depend on threads:
 *
 *     map.keys   | bits of scheme 0 | bits of scheme 1 | ...       words per scheme
 *     outcomes   | cost, sizes, ... | cost, sizes, ... | ...
 *
 * A batch is entered first, in order, and then evaluated in parallel, each outcome in its own
 * place; if that fails, the map is cut back to what it had before. Of the feasible schemes a result
 * keeps those that no other equals in value with more k, or in k with less value. By ascending k
 * their values ascend:
 *
 *     value |            o           A newcomer is compared with the first that has at least its
 *           |       o                k: if that one is no worse, it is not needed. Otherwise it
 *           |    o                   goes before it, and replaces those just before it whose
 *           | o                      value is no less.
 *           +-------------- k
 */

pv_status pv_i_cut_run_init(pv_cut_run *run, pv_cut_table *table, const pv_cut_prices *prices,
                            const pv_cut_criteria *criteria, const pv_context *context,
                            pv_error *error)
{
    const unsigned words = (unsigned)PV_BITSET_WORDS(table->space->n_bits + 1);
    *run = (pv_cut_run){.table = table,
                        .space = table->space,
                        .prices = prices,
                        .criteria = criteria,
                        .key = PV_NEW_ARRAY(uint64_t, words),
                        .cuts = PV_NEW_ARRAY(uint8_t, table->space->n_bits)};
    const pv_status status =
        run->key != NULL && run->cuts != NULL && pv_i_keymap_init(&run->map, words, 0)
            ? pv_i_cut_run_set_threads(run, context, error)
            : pv_i_no_memory(error);
    if (status != PV_STATUS_OK) {
        pv_i_cut_run_deinit(run);
    }
    return status;
}

static void free_evaluators(pv_cut_run *run)
{
    for (unsigned i = 0; run->evaluators != NULL && i < run->threads; i++) {
        pv_i_cut_evaluator_deinit(&run->evaluators[i]);
    }
    pv_i_free(run->evaluators);
    run->evaluators = NULL;
    run->threads = 0;
}

pv_status pv_i_cut_run_set_threads(pv_cut_run *run, const pv_context *context, pv_error *error)
{
    const unsigned threads = pv_i_threads(context);
    if (threads == run->threads) {
        return PV_STATUS_OK;
    }
    free_evaluators(run);
    run->evaluators = PV_NEW_ZEROED(pv_cut_evaluator, threads);
    run->threads = run->evaluators != NULL ? threads : 0;
    pv_status status = run->evaluators != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
    for (unsigned i = 0; status == PV_STATUS_OK && i < threads; i++) {
        status = pv_i_cut_evaluator_init(&run->evaluators[i], run->table, run->prices,
                                         run->criteria, error);
    }
    if (status != PV_STATUS_OK) {
        free_evaluators(run);
    }
    return status;
}

void pv_i_cut_run_deinit(pv_cut_run *run)
{
    free_evaluators(run);
    pv_i_free(run->key);
    pv_i_free(run->cuts);
    pv_i_free(run->outcomes);
    pv_i_keymap_deinit(&run->map);
    *run = (pv_cut_run){0};
}

/* ---------------------------------------------------------------- remember */

/* A byte per cut becomes a bit: schemes are kept by the hundred thousand. */
static const uint64_t *key_of(const pv_cut_run *run, const uint8_t *cuts)
{
    memset(run->key, 0, run->map.words * sizeof *run->key);
    for (size_t i = 0; i < run->space->n_bits; i++) {
        run->key[i / 64] |= (uint64_t)(cuts[i] != 0) << i % 64;
    }
    return run->key;
}

void pv_i_cut_run_scheme(const pv_cut_run *run, uint32_t id, uint8_t *cuts)
{
    const uint64_t *const key = run->map.keys + (size_t)id * run->map.words;
    for (size_t i = 0; i < run->space->n_bits; i++) {
        cuts[i] = pv_i_bit_get(key, i);
    }
}

uint32_t pv_i_cut_run_find(const pv_cut_run *run, const uint8_t *cuts)
{
    /* A slot holds id + 1: an empty one gives PV_KEYMAP_FULL. */
    return run->map.slots[pv_i_keymap_slot(&run->map, key_of(run, cuts))] - 1;
}

static bool reserve_outcomes(pv_cut_run *run)
{
    return pv_i_reserve((void **)&run->outcomes, &run->capacity, run->map.n, sizeof *run->outcomes);
}

/* Before anything is entered: a run that is full stays as it is. */
static pv_status check_limit(const pv_cut_run *run, size_t n, pv_error *error)
{
    if (run->most == 0 || run->map.n + n <= run->most) {
        return PV_STATUS_OK;
    }
    return pv_i_hint(pv_i_fail(error, PV_STATUS_LIMIT,
                               "more than the %zu schemes that memory allows to remember",
                               run->most),
                     error, "give it more memory");
}

/* For outcomes that were computed elsewhere: by local search on its own evaluators, or in an
 * earlier session. */
pv_status pv_i_cut_run_remember(pv_cut_run *run, const uint8_t *cuts, const pv_cut_outcome *outcome,
                                uint32_t *id, pv_error *error)
{
    const size_t known = run->map.n;
    PV_TRY(check_limit(run, 1, error));
    const uint32_t own = pv_i_keymap_add(&run->map, key_of(run, cuts));
    if (own == PV_KEYMAP_FULL) {
        return pv_i_no_memory(error);
    }
    if (!reserve_outcomes(run)) {
        pv_i_keymap_cut(&run->map, known);
        return pv_i_no_memory(error);
    }
    if (own == known) {
        run->outcomes[own] = *outcome;
        run->evaluated++;
    }
    if (id != NULL) {
        *id = own;
    }
    return PV_STATUS_OK;
}

/* Sizes and bias do not depend on prices: other weights cost one pass over the cuts of each scheme.
 */
void pv_i_cut_run_reprice(pv_cut_run *run)
{
    for (size_t id = 0; id < run->map.n; id++) {
        pv_i_cut_run_scheme(run, (uint32_t)id, run->cuts);
        run->outcomes[id].cost = pv_i_cut_cost(run->space, run->prices, run->cuts);
    }
}

/* ---------------------------------------------------------------- evaluate */

/* The new schemes of a run: those from `first` on. */
typedef struct {
    pv_cut_run *run;
    size_t first;
} new_schemes;

/* SHARE of them. */
static pv_status evaluate_share(void *ctx, size_t task, const pv_thread *thread, pv_error *error)
{
    const new_schemes *const w = ctx;
    const pv_cut_run *const run = w->run;
    const size_t first = w->first + task * SHARE;
    uint8_t *const cuts = PV_NEW_ARRAY(uint8_t, run->space->n_bits);
    bool ready = cuts != NULL;
    for (size_t id = first; ready && id < first + SHARE && id < run->map.n; id++) {
        pv_i_cut_run_scheme(run, (uint32_t)id, cuts);
        ready = pv_i_cut_evaluate(&run->evaluators[thread->number], cuts, &run->outcomes[id]);
    }
    pv_i_free(cuts);
    return ready ? PV_STATUS_OK : pv_i_no_memory(error);
}

/* Gives every scheme an id, in their order, and evaluates the new ones, on any thread. */
static pv_status add_schemes(pv_cut_run *run, const uint8_t *schemes, size_t n, uint32_t *ids,
                             pv_error *error)
{
    new_schemes w = {.run = run, .first = run->map.n};
    for (size_t i = 0; i < n; i++) {
        ids[i] = pv_i_keymap_add(&run->map, key_of(run, schemes + i * run->space->n_bits));
        if (ids[i] == PV_KEYMAP_FULL) {
            return pv_i_no_memory(error);
        }
    }
    const size_t n_shares = (run->map.n - w.first + SHARE - 1) / SHARE;
    return reserve_outcomes(run)
               ? pv_i_tasks_run(run->threads, n_shares, evaluate_share, &w, NULL, error)
               : pv_i_no_memory(error);
}

pv_status pv_i_cut_run_evaluate(pv_cut_run *run, const uint8_t *schemes, size_t n, uint32_t *ids,
                                pv_error *error)
{
    const size_t known = run->map.n;
    PV_TRY(check_limit(run, n, error));
    const pv_status status = add_schemes(run, schemes, n, ids, error);
    if (status != PV_STATUS_OK) {
        pv_i_keymap_cut(&run->map, known);
        return status;
    }
    run->asked += n;
    run->evaluated += run->map.n - known;
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------ better */

static uint64_t value_of(const pv_cut_run *run, const pv_cut_goal *goal, uint32_t id)
{
    const pv_cut_outcome *const outcome = pv_i_cut_run_outcome(run, id);
    return pv_i_cut_value(goal, run->prices, outcome->cost, outcome->bias);
}

/* Bias and loss: how far from a wish a scheme is in both together, but for a constant. */
static double deviation_of(const pv_cut_run *run, uint32_t id)
{
    const pv_cut_outcome *const outcome = pv_i_cut_run_outcome(run, id);
    return outcome->bias + pv_i_cut_nwp(run->prices, outcome->cost);
}

static uint64_t k_of(const pv_cut_run *run, uint32_t id)
{
    return pv_i_cut_run_outcome(run, id)->sizes.smallest;
}

bool pv_i_cut_is_better(const pv_cut_run *run, const pv_cut_goal *goal, uint32_t a, uint32_t b)
{
    const uint64_t value_a = value_of(run, goal, a);
    const uint64_t value_b = value_of(run, goal, b);
    if (value_a != value_b) {
        return value_a < value_b;
    }
    const double deviation_a = deviation_of(run, a);
    const double deviation_b = deviation_of(run, b);
    if (deviation_a < deviation_b || deviation_a > deviation_b) {
        return deviation_a < deviation_b;
    }
    return k_of(run, a) > k_of(run, b);
}

/* ------------------------------------------------------------------- front */

typedef struct {
    uint64_t k, value;
    double deviation;
    uint32_t id;
} point;

typedef struct {
    const pv_cut_run *run;
    const pv_cut_goal *goal;
    point *points; /* k and value ascend */
    size_t n, capacity;
    uint64_t least; /* value of all that were looked at */
} collection;

/* The first point with at least this k. */
static size_t place_of(const collection *c, uint64_t k)
{
    size_t low = 0;
    size_t high = c->n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (c->points[middle].k < k) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Ties go to the nearer one, then to the first known: the front must not depend on what was looked
 * at again since. */
static bool is_needed(const point *newcomer, const point *old)
{
    if (newcomer->k == old->k && newcomer->value == old->value) {
        const bool nearer = newcomer->deviation < old->deviation;
        const bool farther = newcomer->deviation > old->deviation;
        return nearer || (!farther && newcomer->id < old->id);
    }
    return newcomer->value < old->value;
}

/* Adds a scheme to the front if it belongs there; false when memory runs out. log n steps and a
 * move of the tail: fronts have some hundred points, runs a hundred thousand schemes. */
static bool offer(collection *c, uint32_t id)
{
    if (!pv_i_cut_is_feasible(c->goal, pv_i_cut_run_outcome(c->run, id))) {
        return true;
    }
    const point newcomer = {.k = k_of(c->run, id),
                            .value = value_of(c->run, c->goal, id),
                            .deviation = deviation_of(c->run, id),
                            .id = id};
    c->least = newcomer.value < c->least ? newcomer.value : c->least;
    const size_t place = place_of(c, newcomer.k);
    if (place < c->n && !is_needed(&newcomer, &c->points[place])) {
        return true;
    }
    const size_t end = place + (place < c->n && c->points[place].k == newcomer.k);
    size_t first = place;
    while (first > 0 && c->points[first - 1].value >= newcomer.value) {
        first--;
    }
    if (!pv_i_reserve((void **)&c->points, &c->capacity, c->n + 1, sizeof *c->points)) {
        return false;
    }
    memmove(c->points + first + 1, c->points + end, (c->n - end) * sizeof *c->points);
    c->points[first] = newcomer;
    c->n = c->n + 1 - (end - first);
    return true;
}

/* -------------------------------------------------------------------- best */

/* Values are rounded to units of price: those that would be equal if numbers were exact may differ
 * by a few. */
static bool is_tied(const collection *c, uint32_t id)
{
    return pv_i_cut_is_feasible(c->goal, pv_i_cut_run_outcome(c->run, id)) &&
           value_of(c->run, c->goal, id) <=
               c->least + pv_i_cut_tie(c->goal, c->run->prices, c->least);
}

/* Of those of least value, the one with least deviation, then most k; of equals the first known.
 * Compared with the least of all, never pair by pair: being nearly equal is not transitive. */
static uint32_t best_of(const collection *c, const uint32_t *ids, size_t n)
{
    uint32_t best = PV_CUT_NO_SCHEME;
    double least = (double)INFINITY;
    for (size_t i = 0; i < n; i++) {
        const uint32_t id = ids != NULL ? ids[i] : (uint32_t)i;
        if (is_tied(c, id)) {
            least = fmin(least, deviation_of(c->run, id));
        }
    }
    for (size_t i = 0; i < n; i++) {
        const uint32_t id = ids != NULL ? ids[i] : (uint32_t)i;
        if (!is_tied(c, id) || deviation_of(c->run, id) > least + DEVIATION_TIE) {
            continue;
        }
        const uint64_t k = k_of(c->run, id);
        const uint64_t most = best != PV_CUT_NO_SCHEME ? k_of(c->run, best) : 0;
        if (best == PV_CUT_NO_SCHEME || k > most || (k == most && id < best)) {
            best = id;
        }
    }
    return best;
}

pv_status pv_i_cut_result_among(const pv_cut_run *run, const pv_cut_goal *goal, const uint32_t *ids,
                                size_t n, pv_cut_result *result, pv_error *error)
{
    collection c = {.run = run, .goal = goal, .least = UINT64_MAX};
    bool ready = true;
    for (size_t i = 0; i < n && ready; i++) {
        ready = offer(&c, ids != NULL ? ids[i] : (uint32_t)i);
    }
    uint32_t *const front = ready ? PV_NEW_ARRAY(uint32_t, c.n) : NULL;
    if (front != NULL) {
        for (size_t i = 0; i < c.n; i++) {
            front[i] = c.points[i].id;
        }
        *result = (pv_cut_result){.best = best_of(&c, ids, n), .front = front, .n_front = c.n};
    }
    pv_i_free(c.points);
    return front != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
}

pv_status pv_i_cut_result_of(const pv_cut_run *run, const pv_cut_goal *goal, pv_cut_result *result,
                             pv_error *error)
{
    return pv_i_cut_result_among(run, goal, NULL, run->map.n, result, error);
}

void pv_i_cut_result_deinit(pv_cut_result *result)
{
    pv_i_free(result->front);
    *result = (pv_cut_result){.best = PV_CUT_NO_SCHEME};
}

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

/* A method without mutation (its default is 0) has none, whatever is asked for. */
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

/* Refused here, before the table is counted. */
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

/* If not even the coarsest scheme has k and meets the rules, nothing does: merging never breaks
 * one. Where the plan limits nothing, that is all people in one class. */
static pv_status check_coarsest(const pv_cut_search *search, pv_error *error)
{
    const pv_cut_space *const space = &search->space;
    pv_cut_outcome coarsest;
    if ((search->criteria.rules.n_rules == 0 && !space->limited) || search->settings.suppresses) {
        return PV_STATUS_OK;
    }
    if (!pv_i_cut_evaluate(&search->run.evaluators[0], space->coarsest, &coarsest)) {
        return pv_i_no_memory(error);
    }
    if (coarsest.compliance >= 1 && coarsest.sizes.smallest >= search->settings.k) {
        return PV_STATUS_OK;
    }
    return space->limited
               ? pv_i_hint(pv_i_fail(error, PV_STATUS_UNSATISFIED,
                                     "no cuts keep what is demanded: not even the coarsest groups "
                                     "that `level` and `max-level` of the plan allow do"),
                           error, "allow higher levels, or demand less")
               : pv_i_hint(pv_i_fail(error, PV_STATUS_UNSATISFIED,
                                     "no release can keep what is demanded of the sensitive "
                                     "values: not even all people in one class do"),
                           error, "demand less");
}

/* In this order: settings, the space of cuts, what is asked of classes, the table, prices, the run.
 * Each needs those before it. */
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
    PV_TRY_CLEAN(check_coarsest(search, error));
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
    pv_cut_search *const search = ctx;
    (void)best;
    if (search->finds_end > 0 && pv_i_now() >= search->finds_end &&
        search->stop == PV_STOP_FINISHED) {
        search->stop = PV_STOP_TIME;
    }
    return report(search, run->asked);
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

/* What a proof finds is evaluated like any other scheme: so the run knows it, and the next goal may
 * start from it. */
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
