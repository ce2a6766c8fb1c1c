/* The front of k and nwp over cuts.
 *
 * First the finding: a ladder of k, from what the raw table has to everybody in one class. On each
 * rung a memetic search looks for the least loss with at least that k, beginning with the best that
 * is known; what it meets on the way is remembered, and the front of all that fills the room
 * between the rungs. Then the proving (cut_front_prove.c), which also finds what was missed. */
#include "cuts/cut_front.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/options.h"
#include "front/front.h"
#include "scheme/cuts.h"

#include <math.h>
#include <string.h>

#define EVALUATIONS 50000
/* Further rungs start from what is known: so much less is enough. */
#define FURTHER 4
#define PROVE_SECONDS 30.0
#define MEMORY (UINT64_C(256) << 20)
#define POPULATION 100
#define CROSSOVER 0.8
/* The part of the memory that views of the table may take. */
#define VIEWS_PART 4
#define REPORT_SECONDS 0.1
/* Known schemes a search starts from. */
#define MOST_STARTS 40
/* A rung is a part of this higher than the one before. */
#define RUNG_PART 8

/* ---------------------------------------------------------------- progress */

double pv_i_cut_front_seconds(const pv_cut_front *front)
{
    return pv_i_now() - front->started;
}

bool pv_i_cut_front_report(pv_cut_front *front, const char *phase, uint64_t done, uint64_t total)
{
    const pv_context *const context = front->context;
    const double time = pv_i_now();
    if (front->stop == PV_STOP_FINISHED && context != NULL && context->progress != NULL &&
        time >= front->next_report) {
        const pv_progress progress = {.phase = phase, .done = done, .total = total};
        front->next_report = time + REPORT_SECONDS;
        if (!context->progress(context->progress_ctx, &progress)) {
            front->stop = PV_STOP_CANCELLED;
        }
    }
    return front->stop == PV_STOP_FINISHED;
}

pv_status pv_i_cut_front_review(pv_cut_front *front, pv_error *error)
{
    const pv_cut_goal goal = {.k = front->options.least_k};
    pv_cut_result known = {0};
    PV_TRY(pv_i_cut_result_of(&front->run, &goal, &known, error));
    pv_i_cut_result_deinit(&front->known);
    front->known = known;
    return PV_STATUS_OK;
}

/* -------------------------------------------------------------------- find */

/* The two ends: as it is, which has `raw_k`, and everything merged. */
static pv_status look_at_ends(pv_cut_front *front, uint64_t *raw_k, pv_error *error)
{
    const size_t n_bits = front->space.n_bits;
    uint32_t ids[2];
    uint8_t *const ends = PV_NEW_ZEROED(uint8_t, 2 * n_bits);
    if (ends == NULL) {
        return pv_i_no_memory(error);
    }
    memset(ends, 1, n_bits);
    const pv_status status = pv_i_cut_run_evaluate(&front->run, ends, 2, ids, error);
    pv_i_free(ends);
    PV_TRY(status);
    *raw_k = pv_i_cut_run_outcome(&front->run, ids[0])->sizes.smallest;
    return pv_i_cut_front_review(front, error);
}

typedef struct {
    pv_cut_front *front;
    uint64_t k; /* of the rung */
} climber;

/* Rungs are powers: the logarithm tells how far it is. */
static uint64_t height_of(uint64_t k)
{
    return (uint64_t)(1000 * log2((double)k));
}

static bool search_goes_on(void *ctx, const pv_cut_run *run, uint32_t best)
{
    const climber *const c = ctx;
    (void)best;
    return pv_i_cut_front_report(c->front, "searching", height_of(c->k),
                                 height_of(run->space->n_rows));
}

/* The points of the known front from this k on, and the one before them. */
static size_t known_starts(const pv_cut_front *front, uint64_t k, uint8_t *starts)
{
    const pv_cut_result *const known = &front->known;
    size_t first = 0;
    while (first + 1 < known->n_front &&
           pv_i_cut_run_outcome(&front->run, known->front[first + 1])->sizes.smallest < k) {
        first++;
    }
    size_t n = 0;
    for (; n < MOST_STARTS && first + n < known->n_front; n++) {
        pv_i_cut_run_scheme(&front->run, known->front[first + n], starts + n * front->space.n_bits);
    }
    return n;
}

static pv_status climb_rung(pv_cut_front *front, uint64_t k, uint64_t rung, uint8_t *starts,
                            pv_error *error)
{
    const pv_cut_front_options *const o = &front->options;
    climber c = {.front = front, .k = k};
    pv_cut_result found = {0};
    const pv_cut_search_options options = {.goal = {.k = k},
                                           .seed = o->seed + rung,
                                           .evaluations = rung == 0 ? o->evaluations
                                                                    : 1 + o->evaluations / FURTHER,
                                           .population = o->population,
                                           .crossover = o->crossover,
                                           .start = starts,
                                           .n_start = known_starts(front, k, starts),
                                           .keep_going = search_goes_on,
                                           .ctx = &c};
    PV_TRY(pv_i_memetic(&front->run, &options, &found, error));
    pv_i_cut_result_deinit(&found);
    return pv_i_cut_front_review(front, error);
}

/* The k of the raw table is had for nothing. */
static pv_status climb(pv_cut_front *front, uint64_t raw_k, pv_error *error)
{
    pv_status status = PV_STATUS_OK;
    uint64_t k = front->options.least_k > raw_k ? front->options.least_k : raw_k + 1;
    uint8_t *const starts = pv_i_array(MOST_STARTS, front->space.n_bits);
    if (starts == NULL) {
        return pv_i_no_memory(error);
    }
    for (uint64_t rung = 0; k <= front->space.n_rows && front->stop == PV_STOP_FINISHED; rung++) {
        PV_TRY_CLEAN(climb_rung(front, k, rung, starts, error));
        k += k / RUNG_PART > 1 ? k / RUNG_PART : 1;
    }
cleanup:
    pv_i_free(starts);
    return status;
}

/* ------------------------------------------------------------------ set up */

static pv_status check_options(const pv_cut_front *front, uint64_t n_rows, pv_error *error)
{
    const pv_cut_front_options *const o = &front->options;
    if (isnan(o->prove)) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "the seconds for proofs must be a number");
    }
    if (o->least_k > n_rows) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_UNSATISFIED,
                                   "no release can have classes of %llu people: the table has %llu",
                                   (unsigned long long)o->least_k, (unsigned long long)n_rows),
                         error, "ask for a smaller k");
    }
    return pv_i_chances_check(o->population, pv_i_chance(o->crossover, CROSSOVER), 0, error);
}

static void fill_options(pv_cut_front_options *o)
{
    o->least_k = o->least_k > 0 ? o->least_k : 1;
    o->evaluations = o->evaluations > 0 ? o->evaluations : EVALUATIONS;
    o->prove = o->prove < 0 ? 0 : o->prove > 0 || isnan(o->prove) ? o->prove : PROVE_SECONDS;
    o->memory = o->memory > 0 ? o->memory : MEMORY;
    o->seed = o->seed > 0 ? o->seed : 1;
    o->population = o->population > 0 ? o->population : POPULATION;
}

static void deinit(pv_cut_front *front)
{
    pv_i_cut_ledger_deinit(&front->ledger);
    pv_i_cut_result_deinit(&front->known);
    pv_i_cut_run_deinit(&front->run);
    pv_i_cut_table_deinit(&front->table);
    pv_i_cut_space_deinit(&front->space);
}

static pv_status init(pv_cut_front *front, const pv_profile *profile, pv_error *error)
{
    const pv_cut_front_options *const o = &front->options;
    fill_options(&front->options);
    PV_TRY(check_options(front, pv_profile_rows(profile), error));
    PV_TRY(pv_i_cut_space_init(&front->space, pv_profile_study(profile), !o->free_groups, error));
    pv_i_cut_prices_init(&front->prices, &front->space);
    PV_TRY(
        pv_i_cut_table_init(&front->table, profile, &front->space, o->memory / VIEWS_PART, error));
    return pv_i_cut_run_init(&front->run, &front->table, &front->prices, NULL, front->context,
                             error);
}

/* -------------------------------------------------------------------- tell */

/* In how many ways the values of an axis can be divided: the paths over its allowed groups. */
static double ways_to_divide(const pv_cut_axis *axis, double *ways)
{
    if (!axis->respects) {
        return ldexp(1, (int)axis->n - 1);
    }
    ways[0] = 1;
    for (uint32_t last = 0; last < axis->n; last++) {
        ways[last + 1] = 0;
        for (uint32_t first = 0; first <= last; first++) {
            ways[last + 1] += pv_i_cut_joinable(axis, first, last) ? ways[first] : 0;
        }
    }
    return ways[axis->n];
}

static bool count_schemes(const pv_cut_space *space, double *n)
{
    double *const room = PV_NEW_ARRAY(double, space->n_bits + 2);
    *n = 1;
    for (size_t a = 0; room != NULL && a < space->n_axes; a++) {
        *n *= ways_to_divide(&space->axes[a], room);
    }
    pv_i_free(room);
    return room != NULL;
}

/* Other schemes with the very values of a point. */
static uint64_t count_ties(const pv_cut_run *run, const pv_cut_target *target)
{
    uint64_t n = 0;
    for (size_t id = 0; id < run->map.n; id++) {
        const pv_cut_outcome *const outcome = pv_i_cut_run_outcome(run, (uint32_t)id);
        n += id != target->id && outcome->cost == target->cost &&
             outcome->sizes.smallest == target->k;
    }
    return n;
}

static pv_status tell_point(const pv_cut_front *f, const pv_study *study,
                            const pv_cut_target *target, uint8_t *bits, pv_front *front,
                            pv_error *error)
{
    const size_t i = front->n_points;
    double *const values = (double *)front->memory + 2 * i;
    values[0] = (double)target->k;
    values[1] = pv_i_cut_nwp(&f->prices, target->cost);
    pv_i_cut_run_scheme(&f->run, target->id, bits);
    PV_TRY(pv_i_cuts_from_bits(&f->space, study, bits, &front->cuts[i], error));
    front->points[i] =
        (pv_point){.cuts = front->cuts[i],
                   .values = values,
                   .k = target->k,
                   .ties = count_ties(&f->run, target),
                   .bound = pv_i_cut_nwp(&f->prices, pv_i_cut_ledger_bound(&f->ledger, target->k))};
    front->n_points = front->n_cuts = i + 1;
    return PV_STATUS_OK;
}

/* Costs are rounded, each attribute's by itself: two that differ by nothing but that have the same
 * nwp, and the point with more k beats the other. */
static bool is_beaten(const pv_cut_front *f, size_t point)
{
    if (point + 1 == f->known.n_front) {
        return false;
    }
    const pv_cut_target own = pv_i_cut_front_target(f, point);
    const pv_cut_target next = pv_i_cut_front_target(f, point + 1);
    return pv_i_cut_nwp(&f->prices, next.cost) <= pv_i_cut_nwp(&f->prices, own.cost);
}

static pv_status tell_points(const pv_cut_front *f, const pv_study *study, pv_front *front,
                             pv_error *error)
{
    const size_t n = f->known.n_front;
    pv_status status = PV_STATUS_OK;
    uint8_t *const bits = PV_NEW_ARRAY(uint8_t, f->space.n_bits);
    front->points = PV_NEW_ZEROED(pv_point, n);
    front->cuts = PV_NEW_ZEROED(pv_cuts *, n);
    front->memory = PV_NEW_ARRAY(double, 2 * n);
    if (bits == NULL || front->points == NULL || front->cuts == NULL || front->memory == NULL) {
        status = pv_i_no_memory(error);
    }
    for (size_t i = 0; i < n && status == PV_STATUS_OK; i++) {
        const pv_cut_target target = pv_i_cut_front_target(f, i);
        if (!is_beaten(f, i)) {
            status = tell_point(f, study, &target, bits, front, error);
        }
    }
    pv_i_free(bits);
    return status;
}

static bool is_complete(const pv_cut_front *f)
{
    for (size_t i = 0; i < f->known.n_front; i++) {
        const pv_cut_target target = pv_i_cut_front_target(f, i);
        if (!pv_i_cut_front_is_settled(f, &target)) {
            return false;
        }
    }
    return true;
}

static pv_status tell(const pv_cut_front *f, const pv_study *study, pv_front *front,
                      pv_error *error)
{
    PV_TRY(tell_points(f, study, front, error));
    if (!count_schemes(&f->space, &front->nodes)) {
        return pv_i_no_memory(error);
    }
    front->objectives[0] = (pv_measure_ref){.measure = pv_measure_find("k")};
    front->objectives[1] = (pv_measure_ref){.measure = pv_measure_find("nwp")};
    front->n_objectives = 2;
    front->method = f->nodes > 0 ? "bnb" : "memetic";
    front->complete = is_complete(f);
    front->keeps_branches = !f->options.free_groups;
    front->stop = front->complete ? PV_STOP_FINISHED : f->stop;
    front->evaluated = f->run.evaluated;
    front->proof_nodes = f->nodes;
    front->seconds = pv_i_cut_front_seconds(f);
    front->seed = f->options.seed;
    front->most_points = (double)INFINITY;
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------- whole */

static pv_status search(pv_cut_front *front, pv_error *error)
{
    uint64_t raw_k = 0;
    PV_TRY(look_at_ends(front, &raw_k, error));
    PV_TRY(climb(front, raw_k, error));
    return front->options.prove > 0 ? pv_i_cut_front_prove(front, error) : PV_STATUS_OK;
}

pv_status pv_search_cuts(const pv_profile *profile, const pv_cut_front_options *options,
                         const pv_context *context, pv_front **front, pv_error *error)
{
    pv_cut_front f = {.context = context, .started = pv_i_now()};
    pv_status status = PV_STATUS_OK;
    pv_front *const found = PV_NEW(pv_front);
    if (found == NULL) {
        return pv_i_no_memory(error);
    }
    PV_TRY_CLEAN(PV_TAKE_OPTIONS(f.options, options, error));
    PV_TRY_CLEAN(init(&f, profile, error));
    PV_TRY_CLEAN(search(&f, error));
    PV_TRY_CLEAN(tell(&f, pv_profile_study(profile), found, error));
    *front = found;
cleanup:
    deinit(&f);
    if (status != PV_STATUS_OK) {
        pv_front_free(found);
    }
    return status;
}
