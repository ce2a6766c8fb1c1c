/* The best release for programs: the plan's demands, budget and weights, carried into the search
 * for the one scheme of least loss, among levels or among cuts. */
#include "lattice/best.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/tasks.h"
#include "cuts/cut_best.h"
#include "cuts/cut_search.h"
#include "front/front.h"
#include "lattice/best_moves.h"
#include "measure/entry.h"
#include "plan/plan.h"
#include "scheme/lattice.h"
#include "scheme/scheme.h"

#include <math.h>
#include <paravent/search.h>
#include <string.h>

#define USUAL_SECONDS 10.0

struct pv_best {
    pv_scheme *scheme; /* NULL = none */
    pv_scheme *levels; /* of cuts: the scheme of levels that their search began with */
    double kept_bound; /* of levels: none keeps more; 0 = nothing is known */
    pv_measure_ref loss;
    double value, bound;
    bool proven;
    pv_constraint demands[PV_MAX_CONSTRAINTS];
    uint64_t broken[PV_MAX_CONSTRAINTS];
    size_t n_demands;
    uint64_t suppressed, budget, nodes, steps, work;
    double n_schemes, seconds;
    pv_stop stop;
};

void pv_best_free(pv_best *best)
{
    if (best != NULL) {
        pv_scheme_free(best->scheme);
        pv_scheme_free(best->levels);
        pv_i_free(best);
    }
}

static pv_status take_demands(pv_best *best, const pv_study *study, const pv_best_options *asked,
                              pv_error *error)
{
    pv_constraint planned[PV_MAX_CONSTRAINTS];
    size_t n_planned = 0;
    PV_TRY(pv_plan_demands(pv_study_plan(study), planned, &n_planned, error));
    for (size_t i = 0; i < n_planned; i++) {
        PV_TRY(pv_constraints_add(best->demands, &best->n_demands, &planned[i], error));
    }
    const uint64_t target_k = pv_plan_target_k(pv_study_plan(study));
    if (target_k > 0) {
        const pv_constraint k = {.ref = {.measure = pv_measure_find("k")},
                                 .bound = (double)target_k};
        PV_TRY(pv_constraints_add(best->demands, &best->n_demands, &k, error));
    }
    for (size_t i = 0; i < asked->n_demands; i++) {
        PV_TRY(pv_constraints_add(best->demands, &best->n_demands, &asked->demands[i], error));
    }
    return PV_STATUS_OK;
}

/* Measures the scheme as a release would be measured: the search itself only adds up what is kept.
 */
static pv_status measure(pv_best *best, const pv_profile *profile, const uint8_t *levels,
                         double missing, pv_error *error)
{
    const bool less = best->loss.measure->direction == PV_LESS_IS_BETTER;
    pv_classes *classes = NULL;
    PV_TRY(pv_classes_create_demanding(profile, levels, best->demands, best->n_demands,
                                       best->budget, best->broken, &classes, error));
    best->suppressed = pv_classes_suppressed(classes);
    const pv_status status = pv_measure_value(best->loss, classes, &best->value, error);
    pv_classes_free(classes);
    best->bound = less ? best->value - missing : best->value + missing;
    return status;
}

/* The scheme knows what it was found for. */
static pv_status write_demands(pv_best *best, pv_error *error)
{
    pv_buffer out = {0};
    for (size_t i = 0; i < best->n_demands; i++) {
        char name[PV_MEASURE_TEXT_SIZE];
        pv_measure_text(best->demands[i].ref, name, sizeof name);
        pv_i_buffer_format(&out, "%s%s=%.17g", i > 0 ? "," : "", name, best->demands[i].bound);
    }
    return pv_i_buffer_take(&out, &best->scheme->demands, error);
}

/* How large a lattice may be, counted in schemes times distinct tuples, for its whole front to be
 * looked for: some seconds. */
#define FRONT_WORK 4e9

/* A loss that is no sum over attributes: the best is the point that loses least of the whole front
 * of k and the loss, restricted to what keeps the demands. Without time for the whole front, it is
 * the best point of what was found, and nothing is proven. */
static pv_status find_on_front(pv_best *best, const pv_profile *profile, double seconds,
                               uint64_t max_evaluations, const pv_context *context,
                               pv_best_found *found, pv_error *error)
{
    const pv_measure_ref objectives[2] = {{.measure = pv_measure_find("k")}, best->loss};
    const pv_search_options options = {.objectives = objectives,
                                       .n_objectives = 2,
                                       .suppression = {.budget = best->budget},
                                       .demands = best->demands,
                                       .n_demands = best->n_demands,
                                       .proof_work = FRONT_WORK,
                                       .max_evaluations = max_evaluations,
                                       .max_seconds = seconds};
    const bool less = best->loss.measure->direction == PV_LESS_IS_BETTER;
    const size_t n_axes = pv_study_quasis(profile->study);
    pv_front *front = NULL;
    pv_status status = pv_search(profile, &options, context, &front, error);
    if (status != PV_STATUS_OK) {
        return status;
    }
    size_t least = 0;
    for (size_t i = 1; i < front->n_points; i++) {
        const double value = front->points[i].values[1];
        const double known = front->points[least].values[1];
        least = (less ? value < known : value > known) ? i : least;
    }
    best->nodes += front->evaluated;
    best->seconds += front->seconds;
    best->stop = front->stop;
    if (front->complete || front->n_points > 0) {
        pv_i_free(found->levels);
        *found = (pv_best_found){.found = front->n_points > 0, .proven = front->complete};
        found->levels = PV_NEW_ARRAY(uint8_t, n_axes);
        if (found->levels == NULL) {
            status = pv_i_no_memory(error);
        } else if (found->found) {
            memcpy(found->levels, front->points[least].levels, n_axes);
        }
    }
    pv_front_free(front);
    return status;
}

/* Branch and bound over boxes of schemes, which takes a loss that is a sum over attributes. */
static pv_status find_in_boxes(pv_best *best, const pv_profile *profile, const pv_meter *meter,
                               const pv_best_settings *settings, pv_best_found *found,
                               pv_error *error)
{
    pv_quest quest = {0};
    PV_TRY(pv_i_quest_init(&quest, profile, meter, best->demands, best->n_demands, best->budget,
                           NULL, NULL, error));
    const pv_status status = pv_i_best(&quest, settings, found, error);
    best->nodes += found->nodes;
    best->steps += found->steps;
    best->work += found->work;
    best->seconds += found->seconds;
    best->stop = found->stop;
    pv_i_quest_deinit(&quest);
    return status;
}

/* Of the time: for a front, whose best point is where the moves begin. */
#define FRONT_PART 2
#define EVALUATIONS_OF_STEP 16

/* A loss that is no sum, in a lattice too large for its whole front: the best of the front that can
 * be found, improved by local search. Where a front finds nothing that keeps the demands, boxes
 * find it, or prove that there is nothing. */
static pv_status find_by_moves(pv_best *best, const pv_profile *profile, const pv_lattice *lattice,
                               const pv_best_settings *settings, pv_best_found *found,
                               pv_error *error)
{
    pv_meter detail = {0};
    pv_status status = PV_STATUS_OK;
    const double started = pv_i_now();
    const uint64_t steps = settings->max_steps * EVALUATIONS_OF_STEP;
    const uint64_t work = settings->max_work / profile->n_tuples; /* 0 = no limit; else: */
    const uint64_t most = steps > 0 ? steps : settings->max_work > 0 ? 1 + work : 0;
    const pv_measure_ref glm = {.measure = pv_measure_find("glm")};
    PV_TRY(find_on_front(best, profile, settings->max_seconds / FRONT_PART, most, settings->context,
                         found, error));
    if (!found->found && !found->proven && best->stop != PV_STOP_CANCELLED) {
        PV_TRY(pv_i_meter_init(&detail, glm, profile, error));
        PV_TRY_CLEAN(find_in_boxes(best, profile, &detail, settings, found, error));
        found->proven &= !found->found; /* the least of another loss is none of this one */
    }
    if (found->found && !found->proven && best->stop != PV_STOP_CANCELLED) {
        const pv_moves_settings moves = {
            .context = settings->context,
            .loss = best->loss,
            .demands = best->demands,
            .n_demands = best->n_demands,
            .budget = best->budget,
            .max_evaluations = /* of one scheme alone, attribute by attribute */
            steps > 0 || most == 0 ? most : 1 + work / lattice->n_axes,
            .deadline = settings->max_seconds > 0 ? started + settings->max_seconds : 0,
            .start = settings->start,
            .seed = settings->seed};
        pv_moves_found moved = {.levels = found->levels};
        PV_TRY_CLEAN(pv_i_best_moves(profile, lattice, &moves, &moved, error));
        best->nodes += moved.evaluated;
        best->stop = moved.stop;
    }
    best->seconds = pv_i_now() - started;
cleanup:
    pv_i_meter_deinit(&detail);
    return status;
}

/* What no scheme loses less than, of a loss that is no sum. */
static pv_status bound_without_sums(pv_best *best, const pv_profile *profile,
                                    const pv_lattice *lattice, pv_error *error)
{
    const pv_moves_settings asked = {
        .loss = best->loss, .demands = best->demands, .n_demands = best->n_demands};
    PV_TRY(pv_i_best_least(profile, lattice, &asked, &best->bound, error));
    if (best->value <= best->bound) {
        best->bound = best->value;
        best->proven = true;
        best->stop = PV_STOP_FINISHED;
    }
    return PV_STATUS_OK;
}

static pv_status parse_loss(pv_best *best, const pv_best_options *asked, pv_error *error)
{
    PV_TRY(pv_measure_parse(asked->minimize != NULL ? asked->minimize : "glm", &best->loss, error));
    if (best->loss.measure->family != PV_FAMILY_LOSS) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT, "'%s' is no loss of detail",
                                   best->loss.measure->name),
                         error, "minimise glm, nwp, dcn, cm, precision, aecs or entropy");
    }
    return PV_STATUS_OK;
}

/* ------------------------------------------------------- what is known already */

/* Does whatever keeps the demands of `strict` keep those of `lax`, too, within its budget? Classes
 * that break a demand break the stricter one, so every scheme keeps no more of the table under
 * `strict` than under `lax`. */
static bool includes(const pv_best *lax, const pv_best *strict)
{
    bool all = strict->budget <= lax->budget;
    for (size_t i = 0; i < lax->n_demands; i++) {
        const pv_constraint *const demand = &lax->demands[i];
        bool kept = false;
        for (size_t j = 0; j < strict->n_demands; j++) {
            kept |= pv_measure_same(&demand->ref, &strict->demands[j].ref) &&
                    pv_constraint_holds(demand, strict->demands[j].bound);
        }
        all &= kept;
    }
    return all;
}

/* No scheme keeps more than this; 0 = nothing is known. */
static double ceiling_of(const pv_best *best, const pv_best *known)
{
    return known != NULL && pv_measure_same(&known->loss, &best->loss) && includes(known, best)
               ? known->kept_bound
               : 0;
}

/* NULL if it is no scheme of levels for this study. */
static const uint8_t *levels_of(const pv_scheme *scheme, const pv_study *study)
{
    return scheme != NULL && pv_scheme_kind_of(scheme) == PV_SCHEME_LEVELS &&
                   scheme->n_levels == pv_study_quasis(study)
               ? scheme->levels
               : NULL;
}

static const uint8_t *start_of(const pv_best_options *asked, const pv_study *study)
{
    const pv_best *const known = asked->known;
    const uint8_t *levels = levels_of(asked->start, study);
    if (levels == NULL && known != NULL) {
        levels = levels_of(known->levels != NULL ? known->levels : known->scheme, study);
    }
    return levels;
}

static pv_status find_levels(pv_best *best, const pv_study *study, const pv_profile *profile,
                             const pv_best_options *asked, const pv_context *context,
                             pv_error *error)
{
    pv_meter meter = {0};
    pv_lattice lattice = {0};
    pv_best_found found = {0};
    pv_status status = PV_STATUS_OK;
    const pv_budget *const budget =
        asked->budget != NULL ? asked->budget : &pv_study_plan(study)->suppression;
    pv_best_settings settings = {.context = context,
                                 .max_steps = asked->max_steps,
                                 .max_seconds = asked->max_seconds < 0   ? 0
                                                : asked->max_seconds > 0 ? asked->max_seconds
                                                                         : USUAL_SECONDS,
                                 .seed = asked->seed > 0 ? asked->seed : 1,
                                 .max_work = asked->max_work,
                                 .start = start_of(asked, study)};
    best->budget = pv_budget_rows(budget, pv_profile_rows(profile));
    PV_TRY(parse_loss(best, asked, error));
    settings.ceiling = ceiling_of(best, asked->known);
    PV_TRY_CLEAN(pv_i_meter_init(&meter, best->loss, profile, error));
    PV_TRY_CLEAN(pv_i_lattice_init_distinct(&lattice, study, error));
    best->n_schemes = lattice.size;
    const bool sums = meter.entry->bound == PV_BOUND_SEPARABLE;
    if (sums) {
        PV_TRY_CLEAN(find_in_boxes(best, profile, &meter, &settings, &found, error));
    } else {
        const bool small = lattice.size * (double)profile->n_tuples <= FRONT_WORK;
        if (small && asked->max_work == 0) {
            PV_TRY_CLEAN(
                find_on_front(best, profile, settings.max_seconds, 0, context, &found, error));
        }
        if (!found.found && !found.proven && best->stop != PV_STOP_CANCELLED) {
            PV_TRY_CLEAN(find_by_moves(best, profile, &lattice, &settings, &found, error));
        }
    }
    best->proven = found.proven;
    best->kept_bound = sums && found.found ? found.bound : 0;
    if (found.found) {
        const double missing = found.proven ? 0 : fmax(found.bound - found.kept, 0);
        PV_TRY_CLEAN(measure(best, profile, found.levels, missing, error));
        if (!found.proven && !sums) {
            PV_TRY_CLEAN(bound_without_sums(best, profile, &lattice, error));
        }
        PV_TRY_CLEAN(pv_scheme_from_levels(found.levels, lattice.n_axes, &best->scheme, error));
        PV_TRY_CLEAN(write_demands(best, error));
    }
cleanup:
    pv_i_free(found.levels);
    pv_i_lattice_deinit(&lattice);
    pv_i_meter_deinit(&meter);
    return status;
}

/* --------------------------------------------------------------------- cuts */

/* Of the time: for the best scheme of levels, which the search over cuts begins with. */
#define LEVELS_PART 0.2

/* The cuts as a release would be: levels of hierarchies made for them. */
static pv_status measure_cuts(pv_best *best, const pv_study *study, const pv_cut_best_found *found,
                              const pv_context *context, pv_error *error)
{
    pv_study *cut = NULL;
    pv_profile *profile = NULL;
    pv_scheme *scheme = NULL;
    pv_status status = PV_STATUS_OK;
    const double missing = found->proven ? 0 : fmax(found->share - found->bound, 0) * found->range;
    PV_TRY_CLEAN(pv_study_cut(study, found->cuts, &cut, error));
    PV_TRY_CLEAN(pv_profile_create(cut, context, &profile, error));
    PV_TRY_CLEAN(pv_scheme_from_plan(cut, &scheme, error));
    PV_TRY_CLEAN(measure(best, profile, scheme->levels, missing, error));
    if (found->range <= 0) { /* nothing is known of what others lose */
        best->bound = 0;
    }
    PV_TRY_CLEAN(pv_scheme_from_cuts(found->cuts, &best->scheme, error));
    PV_TRY_CLEAN(write_demands(best, error));
cleanup:
    pv_scheme_free(scheme);
    pv_profile_free(profile);
    pv_study_free(cut);
    return status;
}

/* The best scheme of levels, if it can be had soon: `best` stays NULL otherwise. */
static pv_status begin_with_levels(const pv_study *study, const pv_profile *profile,
                                   const pv_best_options *asked, const pv_context *context,
                                   pv_best *best, pv_error *error)
{
    pv_best_options soon = *asked;
    if (asked->max_seconds >= 0) {
        soon.max_seconds =
            LEVELS_PART * (asked->max_seconds > 0 ? asked->max_seconds : USUAL_SECONDS);
    }
    PV_TRY(take_demands(best, study, asked, error));
    return find_levels(best, study, profile, &soon, context, error);
}

static pv_status find_cuts(pv_best *best, const pv_study *study, const pv_profile *profile,
                           const pv_best_options *asked, const pv_context *context, pv_error *error)
{
    pv_best levels = {0};
    pv_cut_best_found found = {0};
    pv_status status = PV_STATUS_OK;
    const pv_budget *const budget =
        asked->budget != NULL ? asked->budget : &pv_study_plan(study)->suppression;
    best->budget = pv_budget_rows(budget, pv_profile_rows(profile));
    PV_TRY(parse_loss(best, asked, error));
    const bool sums = pv_i_measure_entry(best->loss.measure)->bound == PV_BOUND_SEPARABLE;
    const pv_best *const known = asked->known;
    if (known != NULL && known->scheme != NULL && levels_of(known->scheme, study) != NULL &&
        includes(best, known)) { /* they keep these demands: nothing to look for */
        PV_TRY_CLEAN(pv_scheme_from_levels(known->scheme->levels, known->scheme->n_levels,
                                           &levels.scheme, error));
    } else if (sums) {
        PV_TRY_CLEAN(begin_with_levels(study, profile, asked, context, &levels, error));
    }
    const double seconds = asked->max_seconds > 0 ? asked->max_seconds : USUAL_SECONDS;
    const pv_cut_best_settings settings = {
        .context = context,
        .demands = best->demands,
        .n_demands = best->n_demands,
        .loss = best->loss,
        .budget = best->budget,
        .max_steps = asked->max_steps,
        .brief = asked->max_work > 0,
        .max_seconds = asked->max_seconds < 0 ? 0 : fmax(seconds - levels.seconds, seconds / 2),
        .seed = asked->seed > 0 ? asked->seed : 1,
        .levels = levels.scheme != NULL ? levels.scheme->levels : NULL,
        .n_levels = levels.scheme != NULL};
    PV_TRY_CLEAN(pv_i_cut_best(profile, &settings, &found, error));
    best->proven = found.proven;
    best->n_schemes = found.n_schemes;
    best->nodes = found.nodes;
    best->steps = found.steps;
    best->seconds = found.seconds + levels.seconds;
    best->levels = levels.scheme;
    levels.scheme = NULL;
    best->stop = found.stop;
    if (found.cuts != NULL) {
        PV_TRY_CLEAN(measure_cuts(best, study, &found, context, error));
    }
cleanup:
    pv_scheme_free(levels.scheme);
    pv_cuts_free(found.cuts);
    return status;
}

pv_status pv_best_find(const pv_study *study, const pv_best_options *options, pv_best **best,
                       pv_error *error)
{
    pv_best_options asked;
    const pv_profile *profile = NULL;
    PV_TRY(PV_TAKE_OPTIONS(asked, options, error));
    PV_TRY(pv_study_profile(study, &profile, error));
    if (asked.kind != PV_SCHEME_LEVELS && asked.kind != PV_SCHEME_CUTS) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "the best scheme is one of levels or of cuts");
    }
    pv_best *const found = PV_NEW(pv_best);
    if (found == NULL) {
        return pv_i_no_memory(error);
    }
    pv_status status = take_demands(found, study, &asked, error);
    if (status == PV_STATUS_OK) {
        status = (asked.kind == PV_SCHEME_CUTS ? find_cuts : find_levels)(
            found, study, profile, &asked,
            asked.context != NULL ? asked.context : pv_study_context(study), error);
    }
    if (status != PV_STATUS_OK) {
        pv_best_free(found);
        return status;
    }
    *best = found;
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------ several questions */

typedef struct {
    const pv_study *study;
    const pv_best_options *const *options;
    pv_best **best;
} questions;

/* Whoever asked is heard of on its own thread; the others learn whether to go on. */
static bool hear(void *ctx, const pv_progress *progress)
{
    return pv_i_goes_on(ctx, progress->done);
}

static pv_status answer(void *ctx, size_t number, const pv_thread *thread, pv_error *error)
{
    const questions *const all = ctx;
    pv_thread own = *thread;
    const pv_context context = {.threads = 1, .progress = hear, .progress_ctx = &own};
    pv_best_options asked;
    PV_TRY(PV_TAKE_OPTIONS(asked, all->options[number], error));
    asked.context = &context;
    const pv_status status = pv_best_find(all->study, &asked, &all->best[number], error);
    const bool none = status == PV_STATUS_ARGUMENT || status == PV_STATUS_INPUT ||
                      status == PV_STATUS_LIMIT || status == PV_STATUS_CANCELLED;
    if (none && error != NULL) { /* there is no search for it, or the reason is known */
        *error = (pv_error){0};
    }
    return none ? PV_STATUS_OK : status;
}

pv_status pv_best_find_many(const pv_study *study, const pv_best_options *const *options, size_t n,
                            pv_best **best, pv_error *error)
{
    const pv_context *const context =
        n > 0 && options[0]->context != NULL ? options[0]->context : pv_study_context(study);
    questions all = {.study = study, .options = options, .best = best};
    const pv_profile *profile = NULL;
    pv_ticker ticker = pv_i_ticker(context, "searching", 0);
    memset(best, 0, n * sizeof *best);
    if (n == 0) {
        return PV_STATUS_OK;
    }
    PV_TRY(pv_study_profile(study, &profile, error)); /* once, before all of them want it */
    const pv_status status = pv_i_tasks_run(pv_i_threads(context), n, answer, &all, &ticker, error);
    for (size_t i = 0; status != PV_STATUS_OK && i < n; i++) {
        pv_best_free(best[i]);
        best[i] = NULL;
    }
    return status;
}

double pv_best_gap(const pv_best *best)
{
    const double apart = fabs(best->value - best->bound);
    return apart > 0 ? apart / fmax(fabs(best->value), fabs(best->bound)) : 0;
}

const pv_constraint *pv_best_demands(const pv_best *best, size_t *n_demands)
{
    *n_demands = best->n_demands;
    return best->demands;
}

const uint64_t *pv_best_broken(const pv_best *best, size_t *n_demands)
{
    *n_demands = best->n_demands;
    return best->broken;
}

/* clang-format off */
const pv_scheme *pv_best_scheme(const pv_best *b) { return b->scheme; }
bool pv_best_is_proven(const pv_best *b) { return b->proven; }
pv_measure_ref pv_best_loss(const pv_best *b) { return b->loss; }
double pv_best_value(const pv_best *b) { return b->value; }
double pv_best_bound(const pv_best *b) { return b->bound; }
uint64_t pv_best_suppressed(const pv_best *b) { return b->suppressed; }
uint64_t pv_best_budget(const pv_best *b) { return b->budget; }
double pv_best_n_schemes(const pv_best *b) { return b->n_schemes; }
uint64_t pv_best_nodes(const pv_best *b) { return b->nodes; }
uint64_t pv_best_steps(const pv_best *b) { return b->steps; }
uint64_t pv_best_work(const pv_best *b) { return b->work; }
double pv_best_seconds(const pv_best *b) { return b->seconds; }
pv_stop pv_best_stop(const pv_best *b) { return b->stop; }
/* clang-format on */
