/* The driver of all searches over the lattice: the registry of methods, what a run provides, and
 * what becomes of the archive at the end.
 *
 * A search is deterministic: the same table, options and seed give the same front on any number of
 * threads. For that, methods ask for batches whose size does not depend on the threads, outcomes
 * come back by position in the batch, and they are offered to the archive in that order. Only a
 * limit of time and an interruption depend on the clock; whatever was found by then is the result,
 * marked incomplete. */
#include "lattice/driver.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/tasks.h"
#include "front/front.h"
#include "front/indicators.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_MEMORY (UINT64_C(48) << 20)
#define REPORT_SECONDS 0.1
/* Members of an archive nobody asked to be smaller. */
#define MOST_MEMBERS 1000

/* --------------------------------------------------------------- registry */

#define PBG                                                                               \
    "property based generalizations: the box-dominance archive (algorithm 1) and PBG-EA " \
    "(algorithm 2)"

static const pv_search_entry entries[] = {
    {{.name = "exact",
      .summary = "the whole front with few evaluations, and the proof that it is whole"},
     .refuses = pv_i_exact_refuses,
     .search = pv_i_exact},
    {{.name = "exhaustive", .summary = "every scheme of the lattice: the yardstick"},
     .refuses = pv_i_exhaustive_refuses,
     .search = pv_i_exhaustive},
    {{.name = "pointwise",
      .summary = "the least loss for every k, one after the other, each with a proof or its gap: "
                 "for large lattices"},
     .refuses = pv_i_pointwise_refuses,
     .search = pv_i_pointwise},
    {{.name = "poka",
      .summary = "from one trade-off down to the next: an approximation that proves nothing",
      .reference = "Dewri, Ray, Ray, Whitley: POkA: identifying Pareto-optimal k-anonymous nodes "
                   "in a domain hierarchy lattice, CIKM 2009",
      .has_depth = true},
     .refuses = pv_i_poka_refuses,
     .search = pv_i_poka},
    {{.name = "pbg-ea",
      .summary = "evolution with an archive of boxes, as published: any lattice, any objectives",
      .reference = PBG,
      .evolves = true},
     .boxes_as_asked = true,
     .search = pv_i_pbg_ea},
    {{.name = "pbg-hybrid",
      .summary = "the same archive, searched from both ends along the lattice and then by "
                 "evolution: finds more with fewer evaluations",
      .reference = PBG,
      .evolves = true},
     .search = pv_i_pbg_hybrid},
};

#define N_ENTRIES (sizeof entries / sizeof *entries)

size_t pv_n_methods(void)
{
    return N_ENTRIES;
}

const pv_method *pv_method_at(size_t index)
{
    return index < N_ENTRIES ? &entries[index].info : NULL;
}

static const pv_search_entry *find(const char *name)
{
    for (size_t i = 0; i < N_ENTRIES; i++) {
        if (strcmp(entries[i].info.name, name) == 0) {
            return &entries[i];
        }
    }
    return NULL;
}

const pv_method *pv_method_find(const char *name)
{
    const pv_search_entry *const entry = find(name);
    return entry != NULL ? &entry->info : NULL;
}

/* -------------------------------------------------------------- the run */

static pv_status choose_objectives(pv_run *run, pv_error *error)
{
    const pv_search_options *const options = &run->options;
    if (options->objectives == NULL) {
        run->objectives[0] = (pv_measure_ref){.measure = pv_measure_find("k")};
        run->objectives[1] = (pv_measure_ref){.measure = pv_measure_find("glm")};
        run->n_objectives = 2;
        return PV_STATUS_OK;
    }
    if (options->n_objectives < 2 || options->n_objectives > PV_MAX_OBJECTIVES) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                   "a front needs 2 to %d objectives, not %zu", PV_MAX_OBJECTIVES,
                                   options->n_objectives),
                         error, "such as k,glm");
    }
    for (size_t i = 0; i < options->n_objectives; i++) {
        if (options->objectives[i].column[0] != '\0') {
            return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                       "the objective '%s' is about every sensitive column and "
                                       "cannot be asked of one",
                                       options->objectives[i].measure->name),
                             error, "leave out the column, and demand it of that column");
        }
        for (size_t j = 0; j < i; j++) {
            if (options->objectives[i].measure == options->objectives[j].measure) {
                return pv_i_fail(error, PV_STATUS_ARGUMENT, "the objective '%s' is given twice",
                                 options->objectives[i].measure->name);
            }
        }
        run->objectives[i] = options->objectives[i];
    }
    run->n_objectives = options->n_objectives;
    return PV_STATUS_OK;
}

/* What is demanded of every point: k is the target of suppression, the rest are rules for classes.
 */
static pv_status take_demands(pv_run *run, pv_error *error)
{
    pv_suppression *const rule = &run->options.suppression;
    PV_TRY(pv_i_class_rules_init(&run->demands, run->profile, run->options.demands,
                                 run->options.n_demands, error));
    rule->target_k = run->demands.k > rule->target_k ? run->demands.k : rule->target_k;
    return run->demands.n_rules > 0 ? pv_i_profile_count(run->profile, error) : PV_STATUS_OK;
}

/* Is l-distinct an objective, and suppression as needed? */
static bool is_by_variety(const pv_run *run)
{
    const pv_suppression *const rule = &run->options.suppression;
    for (size_t o = 0; o < run->n_objectives; o++) {
        const pv_measure *const measure = run->objectives[o].measure;
        if (measure->rule == PV_RULE_SENSITIVE && pv_i_measure_entry(measure)->breaks_for_good) {
            return rule->budget > 0 &&
                   !(rule->whole_budget && rule->target_k == 0 && run->demands.n_rules == 0);
        }
    }
    return false;
}

/* A meter per thread and objective, and an evaluator that provides what they read. */
static pv_status init_evaluator(pv_run *run, pv_error *error)
{
    unsigned reads = 0;
    run->meters = PV_NEW_ZEROED(pv_meter, (size_t)run->threads * run->n_objectives);
    run->lower = PV_NEW_ZEROED(pv_lower_thresholds, run->threads);
    if (run->meters == NULL || run->lower == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < run->threads * run->n_objectives; i++) {
        PV_TRY(pv_i_meter_init(&run->meters[i], run->objectives[i % run->n_objectives],
                               run->profile, error));
        reads |= run->meters[i].entry->reads;
    }
    if ((reads & PV_READS_JOINTLY) != 0 && run->profile->n_sensitive > 1) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                   "sum-l over several sensitive attributes cannot be searched "
                                   "for"),
                         error, "leave one of them sensitive and make the others `other`");
    }
    const pv_evaluator_options options = {
        .suppression = run->options.suppression,
        .demands = run->demands.n_rules > 0 ? &run->demands : NULL,
        .by_variety = is_by_variety(run),
        .memory = run->options.memory,
        .sizes = (reads & PV_READS_SIZES) != 0,
        .sensitives = (reads & PV_READS_SENSITIVES) != 0 || run->demands.n_rules > 0,
        .label = (reads & PV_READS_LABEL) != 0,
        .threads = run->threads};
    return pv_i_evaluator_create(run->profile, &run->lattice, &options, &run->evaluator, error);
}

/* Schemes to begin with, in levels of the lattice. A level that is not among them becomes the next
 * finer one that is, or the finest. */
static pv_status take_start(pv_run *run, pv_error *error)
{
    const pv_search_options *const options = &run->options;
    const size_t n = options->n_start * run->lattice.n_axes;
    run->start = PV_NEW_ARRAY(uint8_t, n);
    if (run->start == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < n; i++) {
        const size_t axis = i % run->lattice.n_axes;
        if (options->start[i] >
            pv_hierarchy_height(pv_study_hierarchy(run->profile->study, axis))) {
            return pv_i_fail(error, PV_STATUS_ARGUMENT,
                             "a scheme to begin with is higher than the hierarchies");
        }
        uint8_t level = run->lattice.heights[axis];
        while (level > 0 && pv_i_lattice_real(&run->lattice, axis, level) > options->start[i]) {
            level--;
        }
        run->start[i] = level;
    }
    run->options.start = run->start;
    return PV_STATUS_OK;
}

pv_status pv_i_run_init(pv_run *run, const pv_profile *profile, const pv_search_options *options,
                        const pv_context *context, pv_error *error)
{
    pv_status status = PV_STATUS_OK;
    *run = (pv_run){.profile = profile,
                    .context = context,
                    .threads = pv_i_threads(context),
                    .started = pv_i_now(),
                    .phase = "searching"};
    PV_TRY(PV_TAKE_OPTIONS(run->options, options, error));
    run->options.memory = run->options.memory != 0 ? run->options.memory : DEFAULT_MEMORY;
    run->options.seed = run->options.seed != 0 ? run->options.seed : 1;
    PV_TRY_CLEAN(choose_objectives(run, error));
    PV_TRY_CLEAN(pv_i_lattice_init_distinct(&run->lattice, profile->study, error));
    run->real = PV_NEW_ARRAY(uint8_t, run->lattice.n_axes);
    if (run->real == NULL) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    PV_TRY_CLEAN(take_start(run, error));
    PV_TRY_CLEAN(take_demands(run, error));
    PV_TRY_CLEAN(init_evaluator(run, error));
    pv_i_archive_init(&run->archive, run->objectives, run->n_objectives, run->lattice.n_axes, NULL);
    return PV_STATUS_OK;
cleanup:
    pv_i_run_deinit(run);
    return status;
}

void pv_i_run_deinit(pv_run *run)
{
    for (size_t i = 0; run->meters != NULL && i < run->threads * run->n_objectives; i++) {
        pv_i_meter_deinit(&run->meters[i]);
    }
    pv_i_free(run->meters);
    for (unsigned i = 0; run->lower != NULL && i < run->threads; i++) {
        pv_i_free(run->lower[i].list);
    }
    pv_i_free(run->lower);
    pv_i_free(run->thresholds.list);
    pv_i_evaluator_free(run->evaluator);
    pv_i_archive_deinit(&run->archive);
    pv_i_free(run->trace.moments);
    pv_i_free(run->k_bounds.list);
    pv_i_lattice_deinit(&run->lattice);
    pv_i_free(run->real);
    pv_i_free(run->start);
    *run = (pv_run){0};
}

/* The measure's own bound (docs/model.md, section 3), unless suppression spoils it: with a budget,
 * a class rescued from suppression by merging may be the worst one of l or t. The k of an outcome
 * is that of its highest threshold, which never falls when a scheme is generalized. */
pv_bound pv_i_run_bound(const pv_run *run, size_t objective)
{
    const pv_bound bound = run->meters[objective].entry->bound;
    const bool raw = run->options.suppression.budget == 0;
    if (bound != PV_BOUND_ABOVE && bound != PV_BOUND_ABOVE_RAW) {
        return bound;
    }
    /* The rows that break such a rule never grow with generalizing; those of others can, but with
     * no budget a rule is kept above where it is kept if its measure is bounded. */
    for (size_t i = 0; i < run->demands.n_rules; i++) {
        const pv_measure_entry *const rule = pv_i_measure_entry(run->demands.rules[i].ref.measure);
        if (!rule->breaks_for_good &&
            !(raw && (rule->bound == PV_BOUND_ABOVE || rule->bound == PV_BOUND_ABOVE_RAW))) {
            return PV_BOUND_NONE;
        }
    }
    return bound == PV_BOUND_ABOVE || raw ? PV_BOUND_ABOVE : PV_BOUND_NONE;
}

double pv_i_run_separable(const pv_run *run, const pv_meter *meter, const uint8_t *levels)
{
    for (size_t axis = 0; axis < run->lattice.n_axes; axis++) {
        run->real[axis] = (uint8_t)pv_i_lattice_real(&run->lattice, axis, levels[axis]);
    }
    return meter->entry->separable(meter->state, run->real);
}

/* --------------------------------------------------------------- evaluate */

/* With the meters of the worker's own, since a meter has scratch memory. */
pv_status pv_i_run_measure(const pv_run *run, unsigned worker, const pv_classes *classes,
                           pv_outcome *outcome)
{
    const pv_meter *const meters = run->meters + (size_t)worker * run->n_objectives;
    for (size_t i = 0; i < run->n_objectives; i++) {
        PV_TRY(pv_i_meter_read(&meters[i], classes, &outcome->values[i], NULL));
        outcome->unsuppressed[i] = meters[i].entry->bound == PV_BOUND_BELOW
                                       ? meters[i].entry->unsuppressed(meters[i].state, classes)
                                       : outcome->values[i];
    }
    outcome->k = classes->k;
    outcome->suppressed = classes->n_suppressed;
    outcome->feasible = classes->feasible;
    return PV_STATUS_OK;
}

typedef struct {
    const pv_run *run;
    pv_outcome *outcomes;
} batch;

/* The first call for a scheme has its highest threshold: that is its outcome, and what bounds are
 * made of. Of lower thresholds only those are kept that nothing known dominates. */
static pv_status measure_one(void *ctx, unsigned worker, uint64_t number, const pv_classes *classes)
{
    const batch *const b = ctx;
    pv_lower_thresholds *const lower = &b->run->lower[worker];
    pv_outcome outcome = {0};
    if (lower->scheme != number + 1) {
        lower->scheme = number + 1;
        b->outcomes[number] = outcome;
        return pv_i_run_measure(b->run, worker, classes, &b->outcomes[number]);
    }
    PV_TRY(pv_i_run_measure(b->run, worker, classes, &outcome));
    if (pv_i_archive_rejects(&b->run->archive, outcome.values)) {
        return PV_STATUS_OK;
    }
    if (!pv_i_reserve((void **)&lower->list, &lower->capacity, lower->n + 1, sizeof *lower->list)) {
        return PV_STATUS_NO_MEMORY;
    }
    pv_lower_threshold *const kept = &lower->list[lower->n++];
    *kept = (pv_lower_threshold){
        .number = (uint32_t)number, .k = outcome.k, .suppressed = outcome.suppressed};
    memcpy(kept->values, outcome.values, sizeof kept->values);
    return PV_STATUS_OK;
}

static int compare_thresholds(const void *left, const void *right)
{
    const pv_lower_threshold *const a = left;
    const pv_lower_threshold *const b = right;
    return a->number != b->number ? (a->number > b->number) - (a->number < b->number)
                                  : (a->k < b->k) - (a->k > b->k);
}

/* Brings the thresholds of all workers into one order, whoever measured them. */
static bool gather_thresholds(pv_run *run, pv_outcome *outcomes)
{
    pv_lower_thresholds *const all = &run->thresholds;
    all->n = 0;
    for (unsigned i = 0; i < run->threads; i++) {
        const pv_lower_thresholds *const lower = &run->lower[i];
        if (!pv_i_reserve((void **)&all->list, &all->capacity, all->n + lower->n,
                          sizeof *all->list)) {
            return false;
        }
        if (lower->n > 0) {
            memcpy(all->list + all->n, lower->list, lower->n * sizeof *lower->list);
        }
        all->n += lower->n;
    }
    if (all->n > 1) {
        qsort(all->list, all->n, sizeof *all->list, compare_thresholds);
    }
    for (size_t i = all->n; i-- > 0;) {
        pv_outcome *const outcome = &outcomes[all->list[i].number];
        outcome->first_threshold = i;
        outcome->n_thresholds++;
    }
    return true;
}

pv_status pv_i_run_evaluate(pv_run *run, const uint8_t *levels, size_t n, pv_outcome *outcomes,
                            pv_error *error)
{
    batch b = {.run = run, .outcomes = outcomes};
    for (unsigned i = 0; i < run->threads; i++) {
        run->lower[i].n = 0;
        run->lower[i].scheme = 0;
    }
    PV_TRY(pv_i_evaluate_batch(run->evaluator, levels, n, measure_one, &b, error));
    run->evaluated += n;
    if (!gather_thresholds(run, outcomes)) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; run->options.observe != NULL && i < n; i++) {
        pv_i_run_tell(run, levels + i * run->lattice.n_axes,
                      outcomes[i].feasible ? outcomes[i].values : NULL);
    }
    return PV_STATUS_OK;
}

void pv_i_run_tell(pv_run *run, const uint8_t *levels, const double *values)
{
    if (run->options.observe == NULL) {
        return;
    }
    for (size_t axis = 0; axis < run->lattice.n_axes; axis++) {
        run->real[axis] = (uint8_t)pv_i_lattice_real(&run->lattice, axis, levels[axis]);
    }
    run->options.observe(run->options.observe_ctx, run->real, values, run->n_objectives);
}

pv_status pv_i_run_offer(pv_run *run, const uint8_t *levels, const pv_outcome *outcome,
                         pv_error *error)
{
    if (outcome->feasible && !pv_i_archive_offer(&run->archive, outcome->values, levels, outcome->k,
                                                 outcome->suppressed)) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; outcome->feasible && i < outcome->n_thresholds; i++) {
        const pv_lower_threshold *const t = &run->thresholds.list[outcome->first_threshold + i];
        if (!pv_i_archive_offer(&run->archive, t->values, levels, t->k, t->suppressed)) {
            return pv_i_no_memory(error);
        }
    }
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------ trace */

void pv_i_run_trace(pv_run *run, const double *bottom, const double *top)
{
    pv_trace *const t = &run->trace;
    for (size_t i = 0; i < run->n_objectives; i++) {
        t->worst[i] = fmin(bottom[i], top[i]);
        t->best[i] = fmax(bottom[i], top[i]);
        if (t->worst[i] >= t->best[i]) { /* worst between the ends, like a bias */
            t->worst[i] = t->best[i] - fmax(1, fabs(t->best[i]));
        }
        t->logarithmic[i] = run->objectives[i].measure->class_size;
        if (!isfinite(t->worst[i]) || !isfinite(t->best[i])) {
            return; /* an end breaks the suppression rule: nothing to measure by */
        }
    }
    t->begun = true;
}

static bool measure_quality(const pv_run *run, double *volume)
{
    const pv_trace *const t = &run->trace;
    bool estimated;
    return pv_i_archive_volume(&run->archive, t->worst, t->best, t->logarithmic, volume,
                               &estimated);
}

/* Records a moment when a quarter more was evaluated than at the one before, or at the end: some
 * forty moments for ten thousand evaluations. A hypervolume may take as long as many evaluations.
 */
static bool take_moment(pv_run *run, bool is_end)
{
    pv_trace *const t = &run->trace;
    double volume;
    if (!t->begun || (run->evaluated < t->next && !is_end)) {
        return true;
    }
    if (!measure_quality(run, &volume) ||
        !pv_i_reserve((void **)&t->moments, &t->capacity, t->n + 1, sizeof *t->moments)) {
        return false;
    }
    if (t->n > 0 && t->moments[t->n - 1].evaluated >= (double)run->evaluated) {
        t->n--; /* the end of the search replaces it */
    }
    t->moments[t->n++] = (pv_moment){.evaluated = (double)run->evaluated,
                                     .seconds = pv_i_now() - run->started,
                                     .points = (double)run->archive.n_members,
                                     .hypervolume = volume};
    t->next = run->evaluated + run->evaluated / 4 + 1;
    return true;
}

pv_status pv_i_run_review(pv_run *run, pv_error *error)
{
    if (run->most_members > 0 && run->archive.n_members > run->most_members &&
        !pv_i_archive_coarsen(&run->archive, run->most_members)) {
        return pv_i_no_memory(error);
    }
    return take_moment(run, false) ? PV_STATUS_OK : pv_i_no_memory(error);
}

/* ----------------------------------------------------------------- limits */

/* With "145 points, quality 93.2%" on the progress line, or only how many. */
static bool report(pv_run *run, uint64_t done)
{
    char note[64] = "";
    double volume;
    if (run->context == NULL || run->context->progress == NULL) {
        return true;
    }
    if (run->trace.begun && measure_quality(run, &volume)) {
        (void)snprintf(note, sizeof note, "%zu points, quality %.2f%%", run->archive.n_members,
                       100 * volume);
    } else if (run->archive.n_members > 0) {
        (void)snprintf(note, sizeof note, "%zu points so far", run->archive.n_members);
    }
    const pv_progress progress = {.phase = run->phase,
                                  .done = done,
                                  .total = run->total,
                                  .note = note[0] != '\0' ? note : NULL};
    return run->context->progress(run->context->progress_ctx, &progress);
}

/* A limit of evaluations is looked at before that of time, and time before the caller is asked:
 * what the same input gives every time comes first. */
bool pv_i_run_goes_on(pv_run *run, uint64_t done)
{
    if (run->stop != PV_STOP_FINISHED) {
        return false;
    }
    if (run->options.max_evaluations > 0 && run->evaluated >= run->options.max_evaluations) {
        run->stop = PV_STOP_EVALUATIONS;
        return false;
    }
    const double now = pv_i_now();
    if (run->options.max_seconds > 0 && now - run->started > run->options.max_seconds) {
        run->stop = PV_STOP_TIME;
        return false;
    }
    if (now >= run->next_report) {
        run->next_report = now + REPORT_SECONDS;
        if (!report(run, done)) {
            run->stop = PV_STOP_CANCELLED;
            return false;
        }
    }
    return true;
}

/* ------------------------------------------------------------------ boxes */

static bool are_given(const double *epsilons)
{
    bool given = false;
    for (size_t i = 0; i < PV_MAX_OBJECTIVES; i++) {
        given |= epsilons[i] > 0;
    }
    return given;
}

static pv_status check_options(const pv_run *run, pv_error *error)
{
    const pv_search_options *const options = &run->options;
    for (size_t i = 0; i < PV_MAX_OBJECTIVES; i++) {
        if (!(options->epsilons[i] >= 0) || isinf(options->epsilons[i])) {
            return pv_i_fail(error, PV_STATUS_ARGUMENT, "an epsilon must be a positive number");
        }
    }
    if (options->archive > 0 && are_given(options->epsilons)) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT,
                         "the size of the archive follows from the epsilons: give one of both");
    }
    return PV_STATUS_OK;
}

/* The boxes an evolutionary search works with. PBG-EA, as published, works in the boxes asked for.
 * A search that lives on its archive, looking around its members, needs more of it than is asked
 * for in the end: it takes the usual boxes and as many members as it can handle, and the boxes
 * asked for are made at the end. Twice the archive asked for, since boxes are made coarser by
 * doubling: about that many remain. */
static void set_boxes(pv_run *run, bool as_asked)
{
    const pv_search_options *const options = &run->options;
    const bool given = are_given(options->epsilons);
    const size_t wished = 2 * options->archive;
    double epsilons[PV_MAX_OBJECTIVES] = {0};
    for (size_t i = 0; i < run->n_objectives; i++) {
        const double usual = run->objectives[i].measure->counts ? 1 : 0; /* of what is counted */
        const double asked = given ? options->epsilons[i] : usual;
        epsilons[i] = as_asked ? asked : fmin(asked, usual);
    }
    run->most_members = wished > MOST_MEMBERS || (wished > 0 && as_asked) ? wished : MOST_MEMBERS;
    if (given && as_asked) {
        run->most_members = 0;
    }
    pv_i_archive_init(&run->archive, run->objectives, run->n_objectives, run->lattice.n_axes,
                      epsilons);
}

/* The boxes asked for, if they are not smaller than those there are: what has been dropped cannot
 * come back. */
static bool settle_boxes(pv_run *run)
{
    const pv_search_options *const options = &run->options;
    pv_i_archive_sort(&run->archive); /* on several threads schemes come in any order */
    if (are_given(options->epsilons)) {
        double epsilons[PV_MAX_OBJECTIVES] = {0};
        for (size_t i = 0; i < run->n_objectives; i++) {
            epsilons[i] = fmax(options->epsilons[i], run->archive.epsilons[i]);
        }
        return pv_i_archive_rebox(&run->archive, epsilons);
    }
    return options->archive == 0 || pv_i_archive_thin(&run->archive, options->archive);
}

/* ----------------------------------------------------------------- search */

static pv_status search_by_method(pv_run *run, const pv_search_entry *entry, pv_error *error)
{
    const char *const name = run->options.method;
    if (entry == NULL) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT, "there is no method '%s'", name),
                         error, "the methods are auto, exact, exhaustive, ...: see the manual");
    }
    const char *const refusal = entry->refuses != NULL ? entry->refuses(run) : NULL;
    if (refusal != NULL) {
        return pv_i_hint(
            pv_i_fail(error, PV_STATUS_ARGUMENT, "%s cannot search this: %s", name, refusal), error,
            "leave the method to the program (auto)");
    }
    if (entry->info.evolves) {
        set_boxes(run, entry->boxes_as_asked);
    }
    return entry->search(run, error);
}

static void fill_front(pv_run *run, const pv_method_choice *choice, pv_front *front)
{
    memcpy(front->objectives, run->objectives, sizeof front->objectives);
    front->n_objectives = run->n_objectives;
    front->n_levels = run->lattice.n_axes;
    front->method = find(choice->method)->info.name;
    front->reason = choice->reason;
    front->alternative = choice->alternative;
    front->complete = run->complete;
    front->bounded = run->k_bounds.asked;
    front->suppression = run->options.suppression;
    front->stop = run->stop;
    front->nodes = run->lattice.size;
    front->evaluated = run->evaluated - run->explored;
    front->explored = run->explored;
    front->pruned_loss = run->pruned_loss;
    front->pruned_mark = run->pruned_mark;
    front->proof_nodes = run->proof_nodes;
    front->seconds = pv_i_now() - run->started;
    front->seed = run->options.seed;
    memcpy(front->epsilons, run->archive.epsilons, sizeof front->epsilons);
    front->most_points = pv_i_archive_bound(&run->archive);
    front->iterations = run->iterations;
    front->moments = run->trace.moments;
    front->n_moments = run->trace.n;
    run->trace.moments = NULL; /* now the front's */
}

static pv_status search(pv_run *run, pv_front *front, pv_error *error)
{
    pv_method_choice choice = {.method = run->options.method};
    PV_TRY(check_options(run, error));
    if (choice.method == NULL || strcmp(choice.method, "auto") == 0) {
        set_boxes(run, false);
        PV_TRY(pv_i_auto(run, &choice, error));
    } else {
        PV_TRY(search_by_method(run, find(choice.method), error));
    }
    if (!settle_boxes(run) || !take_moment(run, true)) {
        return pv_i_no_memory(error);
    }
    PV_TRY(pv_i_archive_points(&run->archive, front, error));
    front->n_demands = run->options.n_demands;
    front->demands = PV_NEW_ARRAY(pv_constraint, front->n_demands);
    if (front->demands == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < front->n_demands; i++) {
        front->demands[i] = run->options.demands[i];
    }
    for (size_t i = 0; i < front->n_points; i++) {
        for (size_t axis = 0; axis < run->lattice.n_axes; axis++) {
            uint8_t *const level = &front->points[i].levels[axis];
            *level = (uint8_t)pv_i_lattice_real(&run->lattice, axis, *level);
        }
    }
    for (size_t i = 0; run->k_bounds.asked && i < front->n_points; i++) {
        front->points[i].bound = pv_i_k_bounds_at(&run->k_bounds, front->points[i].k);
    }
    fill_front(run, &choice, front);
    return PV_STATUS_OK;
}

pv_status pv_search(const pv_profile *profile, const pv_search_options *options,
                    const pv_context *context, pv_front **front, pv_error *error)
{
    pv_run run;
    pv_front *const found = PV_NEW(pv_front);
    if (found == NULL) {
        return pv_i_no_memory(error);
    }
    pv_status status = pv_i_run_init(&run, profile, options, context, error);
    if (status == PV_STATUS_OK) {
        status = search(&run, found, error);
        pv_i_run_deinit(&run);
    }
    if (status == PV_STATUS_OK) {
        *front = found;
    } else {
        pv_front_free(found);
    }
    return status;
}
