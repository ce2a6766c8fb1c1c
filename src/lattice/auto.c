/* What `auto` does: a proof where one can be had, and in any case something to look at soon.
 *
 * Small problems go straight to the method that proves their front. In a larger lattice the front
 * of k and a loss that is a sum over attributes is found point by point, however large the lattice.
 * For other objectives pbg-hybrid finds a first front, within a second on most tables. Then it is
 * asked what a proof would take. A sample of schemes says how many of them nothing but their own
 * evaluation can settle; if those are too many, or the lattice is too large, pbg-hybrid goes on. If
 * not, `exact` tries, with the first front to prune by, as long as it is allowed to, and hands over
 * to pbg-hybrid again when it takes longer.
 *
 * All of this is decided by counted work, never by the clock: the same table, options and seed give
 * the same front on any machine and any number of threads. */
#include "lattice/driver.h"

#include "base/error.h"
#include "base/memory.h"
#include "lattice/evolution.h"

#include <math.h>
#include <string.h>

/* Work is counted in groups: schemes times distinct tuples. One takes 5 to 50 ns. */
#define PROOF_WORK 4e9
/* Unless something else is allowed, a whole lattice of so much work goes to `exact` at once, which
 * does a tenth of it or less: ten million rows of a census over 17,920 schemes take a second. */
#define EXACT_AT_ONCE 1.6e10
/* Groups added up on the way through the whole lattice take less time than those of single schemes.
 */
#define VISITING 5
/* Lattices larger than that would take too much memory, or too much time for any table. */
#define PROVABLE_BY_BOUNDS 2e7
#define PROVABLE_BY_VISITING 5e6
/* Nodes times distinct tuples for all points of a front together. A node touches few of them. */
#define POINTWISE_WORK 3e10
#define SAMPLE 128
#define BATCH 8

static const pv_method_choice by_bounds = {
    .method = "exact", .reason = "the objectives have bounds, so most schemes need not be grouped"};
static const pv_method_choice by_visiting = {
    .method = "exhaustive",
    .reason = "the objectives have no bounds to prune by, but the lattice is small enough to visit "
              "every scheme"};
static const pv_method_choice by_points = {
    .method = "pointwise",
    .reason =
        "the lattice is large, and the least loss of one k after the other can be proven in it"};
static const pv_method_choice by_points_in_part = {
    .method = "pointwise",
    .reason = "the lattice is large; for every k the best was looked for as long as is sensible",
    .alternative = "pointwise itself goes on to the end"};
static const pv_method_choice too_large = {
    .method = "pbg-hybrid",
    .reason = "the lattice is too large to prove its front whole in minutes"};
static const pv_method_choice too_many = {
    .method = "pbg-hybrid",
    .reason = "a sample of schemes says that a proof would take too long",
    .alternative = "exact tries it"};
static const pv_method_choice given_up = {.method = "pbg-hybrid",
                                          .reason = "a proof was begun and took too long",
                                          .alternative = "exact goes on to the end"};
static const pv_method_choice too_slow = {
    .method = "pbg-hybrid",
    .reason = "the objectives have no bounds to prune by, and a sample of schemes says that "
              "visiting all would take too long",
    .alternative = "exhaustive does it"};

static bool can_bound(const pv_run *run)
{
    return pv_i_exact_refuses(run) == NULL && run->lattice.size <= PROVABLE_BY_BOUNDS;
}

static bool can_visit(const pv_run *run)
{
    return pv_i_exhaustive_refuses(run) == NULL && run->lattice.size <= PROVABLE_BY_VISITING;
}

/* --------------------------------------------------------- a proof in sight */

/* Gives the run an empty archive without boxes: a proof is about all points. Returns the old one.
 */
static pv_archive put_aside(pv_run *run)
{
    const pv_archive found = run->archive;
    pv_i_archive_init(&run->archive, run->objectives, run->n_objectives, run->lattice.n_axes, NULL);
    return found;
}

static pv_status prove_at_once(pv_run *run, pv_method_choice *choice, pv_error *error)
{
    const bool bounded = can_bound(run);
    pv_archive unused = put_aside(run);
    pv_i_archive_deinit(&unused);
    *choice = bounded ? by_bounds : by_visiting;
    return bounded ? pv_i_exact(run, error) : pv_i_exhaustive(run, error);
}

/* Has another method prove the front found so far, which is put aside meanwhile. If it gives up,
 * what it found is merged into that front, and the account is as if it had been part of the search.
 */
static pv_status prove_found(pv_run *run, pv_status (*search)(pv_run *, pv_error *),
                             pv_error *error)
{
    pv_archive found = put_aside(run);
    run->known = &found;
    run->explored = run->evaluated;
    run->phase = "proving";
    pv_status status = search(run, error);
    run->known = NULL;
    run->phase = "searching";
    run->total = 0;
    if (status == PV_STATUS_OK && run->complete) {
        pv_i_archive_deinit(&found);
        return PV_STATUS_OK;
    }
    run->explored = 0;
    run->pruned_loss = run->pruned_mark = 0;
    if (status == PV_STATUS_OK && !pv_i_archive_merge(&found, &run->archive)) {
        status = pv_i_no_memory(error);
    }
    pv_i_archive_deinit(&run->archive);
    run->archive = found;
    return status;
}

/* ------------------------------------------------------------------- sample */

typedef struct {
    pv_run *run;
    pv_rng rng;
    uint8_t *levels; /* of one scheme */
    uint8_t *above;  /* BATCH schemes */
    pv_outcome outcomes[BATCH];
} sample;

/* Can the scheme be on the front, as far as its own levels say and these privacy values, the least
 * of all schemes above it? */
static bool may_be_on_front(const sample *s, const pv_outcome *self, const double *least)
{
    const pv_run *const run = s->run;
    double values[PV_MAX_OBJECTIVES];
    for (size_t o = 0; o < run->n_objectives; o++) {
        values[o] = pv_i_run_bound(run, o) == PV_BOUND_ABOVE ? run->archive.signs[o] * least[o]
                                                             : self->unsuppressed[o];
        if (pv_i_run_bound(run, o) == PV_BOUND_SEPARABLE) {
            values[o] = pv_i_run_separable(run, &run->meters[o], s->levels);
        }
    }
    return !pv_i_archive_rejects(&run->archive, values);
}

static size_t fill_above(sample *s, size_t *axis)
{
    const pv_lattice *const lattice = &s->run->lattice;
    size_t n = 0;
    for (; *axis < lattice->n_axes && n < BATCH; ++*axis) {
        if (s->levels[*axis] < lattice->heights[*axis]) {
            uint8_t *const above = s->above + n++ * lattice->n_axes;
            memcpy(above, s->levels, lattice->n_axes);
            above[*axis]++;
        }
    }
    return n;
}

/* Is evaluating it the only way to settle this scheme? It is if its direct generalizations, the
 * best that anything above can say about it, leave it a place on the front. */
static pv_status needs_itself(sample *s, bool *needs, pv_error *error)
{
    pv_run *const run = s->run;
    double least[PV_MAX_OBJECTIVES];
    size_t axis = 0;
    pv_outcome self;
    for (size_t o = 0; o < run->n_objectives; o++) {
        least[o] = (double)INFINITY;
    }
    PV_TRY(pv_i_evaluator_anchor(run->evaluator, s->levels, error));
    PV_TRY(pv_i_run_evaluate(run, s->levels, 1, &self, error));
    *needs = may_be_on_front(s, &self, least);
    for (size_t n = fill_above(s, &axis); n > 0 && *needs; n = fill_above(s, &axis)) {
        PV_TRY(pv_i_run_evaluate(run, s->above, n, s->outcomes, error));
        for (size_t i = 0; i < n; i++) {
            for (size_t o = 0; o < run->n_objectives; o++) {
                least[o] = fmin(least[o], run->archive.signs[o] * s->outcomes[i].values[o]);
            }
        }
        *needs = may_be_on_front(s, &self, least);
    }
    return PV_STATUS_OK;
}

/* Will `exact` have to evaluate more than it is allowed to? One of the sample alone proves nothing.
 */
static pv_status sample_needs(sample *s, bool *too_long, pv_error *error)
{
    pv_run *const run = s->run;
    const double work_each = run->lattice.size / (double)SAMPLE * (double)run->profile->n_tuples;
    size_t needing = 0;
    *too_long = false;
    for (size_t i = 0; i < SAMPLE && !*too_long && pv_i_run_goes_on(run, run->evaluated); i++) {
        bool needs;
        pv_i_random_scheme(&run->lattice, &s->rng, s->levels);
        PV_TRY(needs_itself(s, &needs, error));
        needing += needs;
        *too_long = needing > 1 && (double)needing * work_each > run->options.proof_work;
    }
    return PV_STATUS_OK;
}

static pv_status count_classes(void *ctx, unsigned worker, uint64_t number,
                               const pv_classes *classes)
{
    (void)worker;
    ((uint64_t *)ctx)[number] = classes->n_classes;
    return PV_STATUS_OK;
}

/* Would visiting every scheme take too long? A scheme is rolled up from one that has about as many
 * classes. */
static pv_status sample_classes(sample *s, bool *too_long, pv_error *error)
{
    pv_run *const run = s->run;
    uint64_t sum = 0;
    for (size_t i = 0; i < SAMPLE / BATCH && pv_i_run_goes_on(run, run->evaluated); i++) {
        uint64_t classes[BATCH];
        for (size_t j = 0; j < BATCH; j++) {
            pv_i_random_scheme(&run->lattice, &s->rng, s->above + j * run->lattice.n_axes);
        }
        PV_TRY(pv_i_evaluate_batch(run->evaluator, s->above, BATCH, count_classes, classes, error));
        for (size_t j = 0; j < BATCH; j++) {
            sum += classes[j];
        }
    }
    *too_long = (double)sum / SAMPLE * run->lattice.size > VISITING * run->options.proof_work;
    return PV_STATUS_OK;
}

static pv_status take_sample(pv_run *run, pv_status (*take)(sample *, bool *, pv_error *),
                             bool *too_long, pv_error *error)
{
    sample s = {.run = run,
                .levels = PV_NEW_ARRAY(uint8_t, run->lattice.n_axes),
                .above = pv_i_array(BATCH, run->lattice.n_axes)};
    pv_i_rng_init(&s.rng, run->options.seed);
    const pv_status status =
        s.levels != NULL && s.above != NULL ? take(&s, too_long, error) : pv_i_no_memory(error);
    pv_i_free(s.levels);
    pv_i_free(s.above);
    return status;
}

/* -------------------------------------------------------------------- search */

/* Tries to prove the front found so far, if that does not take too long. */
static pv_status try_to_prove(pv_run *run, pv_method_choice *choice, pv_error *error)
{
    const bool bounded = can_bound(run);
    bool too_long = false;
    if (!bounded && !can_visit(run)) {
        return PV_STATUS_OK;
    }
    PV_TRY(take_sample(run, bounded ? sample_needs : sample_classes, &too_long, error));
    *choice = bounded ? too_many : too_slow;
    if (too_long || run->stop != PV_STOP_FINISHED) {
        return PV_STATUS_OK;
    }
    run->allowance = run->options.proof_work;
    PV_TRY(prove_found(run, bounded ? pv_i_exact : pv_i_exhaustive, error));
    *choice = !run->complete ? given_up : bounded ? by_bounds : by_visiting;
    return PV_STATUS_OK;
}

pv_status pv_i_auto(pv_run *run, pv_method_choice *choice, pv_error *error)
{
    const double whole = run->lattice.size * (double)run->profile->n_tuples;
    double at_once = run->options.proof_work;
    pv_hybrid *hybrid = NULL;
    pv_status status = PV_STATUS_OK;
    if (!(run->options.proof_work > 0)) {
        run->options.proof_work = PROOF_WORK;
        at_once = EXACT_AT_ONCE;
    }
    if ((can_bound(run) && whole <= at_once) ||
        (can_visit(run) && whole <= run->options.proof_work)) {
        return prove_at_once(run, choice, error);
    }
    if (pv_i_pointwise_refuses(run) == NULL) {
        pv_archive unused = put_aside(run);
        pv_i_archive_deinit(&unused);
        run->allowance = POINTWISE_WORK;
        status = pv_i_pointwise(run, error);
        *choice = run->complete ? by_points : by_points_in_part;
        return status;
    }
    *choice = too_large;
    PV_TRY(pv_i_hybrid_create(run, &hybrid, error));
    PV_TRY_CLEAN(pv_i_hybrid_glance(hybrid, error));
    if (run->stop == PV_STOP_FINISHED) {
        PV_TRY_CLEAN(try_to_prove(run, choice, error));
    }
    if (!run->complete) {
        PV_TRY_CLEAN(pv_i_hybrid_explore(hybrid, error));
    }
cleanup:
    pv_i_hybrid_free(hybrid);
    return status;
}
