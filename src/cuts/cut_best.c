/* The best cut scheme that keeps demands: which search finds it.
 *
 * Where nobody may be suppressed, an evolution with local search (memetic.c) finds a scheme and
 * branch and bound (cut_bnb.c) proves it best, as for every point of a front. Where classes may be
 * suppressed, cut_needed.c does both. Losses that are no sum over attributes are looked for, and
 * nothing is proven of them; what is found without suppression is where the search with it begins.
 * Levels are mostly cuts, too: the best scheme of levels is where either begins, and so the result
 * is never worse. */
#include "cuts/cut_best.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "cuts/cut_needed.h"
#include "cuts/cut_search.h"
#include "scheme/cuts.h"

#include <math.h>
#include <string.h>

#define EVALUATIONS 50000
#define BRIEF_EVALUATIONS 1000
/* Of the time: for the search before a proof. */
#define SEARCH_PART 0.4
#define NODES_OF_STEP 8 /* that cut_bnb.c looks at together */

/* ------------------------------------------------------------------- levels */

/* The group of a value: of its first leaf. */
static uint32_t group_of(const pv_cut_axis *axis, unsigned level, uint32_t leaf)
{
    return pv_hierarchy_group(axis->hierarchy, level, leaf);
}

/* Cuts where two neighbours are in different groups; of a granule its first leaf speaks. */
static void cut_by_level(const pv_cut_axis *axis, unsigned level, uint32_t *groups, uint8_t *cuts)
{
    for (uint32_t leaf = pv_hierarchy_leaves(axis->hierarchy); leaf-- > 0;) {
        groups[axis->value_of[leaf]] = group_of(axis, level, leaf);
    }
    for (uint32_t v = 0; v + 1 < axis->n; v++) {
        cuts[axis->first_bit + v] = groups[v] != groups[v + 1];
    }
}

/* Is a level a partition into neighbours, with as many groups, and as dear? */
static bool is_divided(const pv_cut_axis *axis, unsigned level)
{
    const pv_hierarchy *const h = axis->hierarchy;
    const uint32_t n = pv_hierarchy_leaves(h);
    uint32_t changes = 0;
    if (axis->n != n || pv_hierarchy_domain(h) != n) {
        return false; /* granules; or leaves count that nobody has */
    }
    for (uint32_t leaf = 0; leaf < n; leaf++) { /* leaves that are next to each other by value */
        for (uint32_t other = 0; other < n; other++) {
            changes += axis->value_of[other] == axis->value_of[leaf] + 1 &&
                       group_of(axis, level, leaf) != group_of(axis, level, other);
        }
        const bool root = pv_hierarchy_is_root(h, level, group_of(axis, level, leaf));
        if (root && pv_hierarchy_groups(h, level) > 1) {
            return false; /* `*` for some of the values only: it costs the whole domain */
        }
    }
    return changes + 1 == pv_hierarchy_groups(h, level);
}

bool pv_i_cuts_have_levels(const pv_cut_space *space)
{
    for (size_t a = 0; a < space->n_axes; a++) {
        for (unsigned level = 0; level <= pv_hierarchy_height(space->axes[a].hierarchy); level++) {
            if (!is_divided(&space->axes[a], level)) {
                return false;
            }
        }
    }
    return true;
}

/* The schemes of levels as cuts, as far as they are any, and space for one more. Owned. */
static uint8_t *cuts_of_levels(const pv_cut_space *space, const uint8_t *levels, size_t n)
{
    uint8_t *const cuts = pv_i_array(n + 1, space->n_bits);
    uint32_t *const groups = PV_NEW_ARRAY(uint32_t, pv_i_cut_most_values(space));
    for (size_t i = 0; i < n && cuts != NULL && groups != NULL; i++) {
        for (size_t a = 0; a < space->n_axes; a++) {
            cut_by_level(&space->axes[a], levels[i * space->n_axes + a], groups,
                         cuts + i * space->n_bits);
        }
        pv_i_cut_respect(space, cuts + i * space->n_bits);
    }
    if (groups == NULL) {
        pv_i_free(cuts);
    }
    pv_i_free(groups);
    return groups != NULL ? cuts : NULL;
}

/* glm is a sum over cells, nwp a mean. */
static double range_of(const pv_cut_search *search)
{
    const pv_measure_entry *const loss = pv_i_measure_entry(search->criteria.loss.measure);
    double sum = 0;
    if (search->criteria.loss_kind != PV_CUT_LOSS_SUM) {
        return 0;
    }
    for (size_t a = 0; a < search->space.n_axes && loss->cut_weight != NULL; a++) {
        sum += loss->cut_weight(search->space.axes[a].n);
    }
    return loss->cut_weight != NULL ? sum * (double)search->space.n_rows : 1;
}

/* ------------------------------------------------------- without suppression */

/* Proves what was found, or finds better, as long as there is time. */
static pv_status prove(pv_cut_search *search, const pv_cut_best_settings *settings,
                       const pv_cut_goal *goal, uint32_t start, pv_cut_best_found *found,
                       pv_error *error)
{
    pv_cut_proof proof;
    PV_TRY(pv_i_cut_search_prove(search, goal, start, settings->max_steps * NODES_OF_STEP, &proof,
                                 error));
    found->nodes = proof.nodes;
    found->steps = (proof.nodes + NODES_OF_STEP - 1) / NODES_OF_STEP;
    found->bound = pv_i_cut_nwp(&search->prices, proof.bound);
    found->proven = proof.bound >= proof.best;
    return PV_STATUS_OK;
}

/* The best that the run knows; the cuts of it, if there is any. */
static pv_status take_best(const pv_cut_search *search, const pv_cut_goal *goal, uint32_t *best,
                           pv_cut_best_found *found, uint8_t *cuts, pv_error *error)
{
    pv_cut_result result = {0};
    PV_TRY(pv_i_cut_result_of(&search->run, goal, &result, error));
    *best = result.best;
    if (result.best != PV_CUT_NO_SCHEME) {
        pv_i_cut_run_scheme(&search->run, result.best, cuts);
        found->share =
            pv_i_cut_nwp(&search->prices, pv_i_cut_run_outcome(&search->run, result.best)->cost);
    }
    pv_i_cut_result_deinit(&result);
    return PV_STATUS_OK;
}

static pv_status find_whole(pv_cut_search *search, const pv_cut_best_settings *settings,
                            double started, uint8_t *start, uint8_t *cuts, pv_cut_best_found *found,
                            pv_error *error)
{
    const pv_cut_goal goal = {.k = search->settings.k};
    const double seconds = settings->max_seconds;
    const bool limited = seconds > 0;
    uint32_t known[2] = {0};
    uint32_t best;
    search->finds_end = limited ? started + SEARCH_PART * seconds : 0;
    search->proofs_end = limited ? started + seconds : (double)INFINITY;
    search->phase.counts = true;
    const size_t n_known = settings->n_levels < 2 ? settings->n_levels : 2;
    PV_TRY(pv_i_cut_run_evaluate(&search->run, start, n_known, known, error));
    PV_TRY(pv_i_cut_search_find(search, &goal, 0, known, n_known, error));
    PV_TRY(take_best(search, &goal, &best, found, cuts, error));
    if (search->stop == PV_STOP_TIME) {
        search->stop = PV_STOP_FINISHED; /* of the search: the proof has time of its own */
    }
    if (best != PV_CUT_NO_SCHEME && search->stop == PV_STOP_FINISHED && !settings->brief &&
        search->criteria.loss_kind == PV_CUT_LOSS_SUM) {
        PV_TRY(prove(search, settings, &goal, best, found, error));
        PV_TRY(take_best(search, &goal, &best, found, cuts, error));
    } else {
        found->nodes = search->run.evaluated;
    }
    const bool stepped =
        settings->brief || (settings->max_steps > 0 && found->steps >= settings->max_steps);
    found->stop = found->proven || search->stop != PV_STOP_FINISHED ? search->stop
                  : stepped                                         ? PV_STOP_EVALUATIONS
                                                                    : PV_STOP_FINISHED;
    found->stop = found->proven ? PV_STOP_FINISHED : found->stop;
    return best != PV_CUT_NO_SCHEME
               ? pv_i_cuts_from_bits(&search->space, pv_profile_study(search->profile), cuts,
                                     &found->cuts, error)
               : PV_STATUS_OK;
}

/* ---------------------------------------------------------- with suppression */

/* Whoever may suppress need not: the best without it is one more scheme to begin with, and so the
 * answer is no worse. */
static pv_status begin_whole(pv_cut_search *search, const pv_cut_best_settings *settings,
                             double started, uint8_t *start, size_t *n_start,
                             pv_cut_best_found *found, pv_error *error)
{
    const pv_cut_goal goal = {.k = search->settings.k};
    uint32_t known[2] = {0};
    uint32_t best;
    const size_t n_known = *n_start < 2 ? *n_start : 2;
    search->finds_end =
        settings->max_seconds > 0 ? started + SEARCH_PART * settings->max_seconds : 0;
    search->phase.counts = true;
    PV_TRY(pv_i_cut_run_evaluate(&search->run, start, n_known, known, error));
    PV_TRY(pv_i_cut_search_find(search, &goal, 0, known, n_known, error));
    PV_TRY(take_best(search, &goal, &best, found, start + *n_start * search->space.n_bits, error));
    *n_start += best != PV_CUT_NO_SCHEME;
    return PV_STATUS_OK;
}

static pv_status find_needed(pv_cut_search *search, const pv_cut_best_settings *settings,
                             double started, uint8_t *start, uint8_t *cuts,
                             pv_cut_best_found *found, pv_error *error)
{
    const bool sums = search->criteria.loss_kind == PV_CUT_LOSS_SUM;
    size_t n_start = settings->n_levels;
    if (!sums) {
        PV_TRY(begin_whole(search, settings, started, start, &n_start, found, error));
    }
    pv_cut_question question;
    pv_cut_needed_found best;
    const pv_cut_needed_options options = {
        .context = settings->context,
        .start = start,
        .n_start = n_start,
        .seed = settings->seed,
        .memory = search->settings.memory,
        .max_steps = settings->max_steps,
        .brief = settings->brief,
        .deadline = settings->max_seconds > 0 ? started + settings->max_seconds : 0};
    search->criteria.rules.k = search->settings.k;
    PV_TRY(pv_i_cut_question_init(&question, &search->table, &search->prices,
                                  &search->criteria.rules, settings->budget, error));
    question.criteria = sums ? NULL : &search->criteria;
    pv_status status = pv_i_cut_needed(&question, &options, cuts, &best, error);
    pv_i_cut_question_deinit(&question);
    PV_TRY(status);
    found->nodes = best.nodes;
    found->steps = best.steps;
    found->stop = best.stop;
    found->proven = best.proven;
    found->bound = pv_i_cut_nwp(&search->prices, best.bound);
    if (!best.found && n_start > settings->n_levels) { /* it was stopped before it began */
        memcpy(cuts, start + settings->n_levels * search->space.n_bits, search->space.n_bits);
        status = pv_i_cuts_from_bits(&search->space, pv_profile_study(search->profile), cuts,
                                     &found->cuts, error);
    } else if (best.found) {
        found->share = pv_i_cut_nwp(&search->prices, best.account.cost);
        status = pv_i_cuts_from_bits(&search->space, pv_profile_study(search->profile), cuts,
                                     &found->cuts, error);
    }
    return status;
}

/* ---------------------------------------------------------------------- both */

pv_status pv_i_cut_best(const pv_profile *profile, const pv_cut_best_settings *settings,
                        pv_cut_best_found *found, pv_error *error)
{
    const double started = pv_i_now();
    /* At the end of a brief search nothing is proven: then cut_needed.c is quick without a budget.
     */
    const bool sums = pv_i_measure_entry(settings->loss.measure)->bound == PV_BOUND_SEPARABLE;
    const bool suppresses = settings->budget > 0 || (settings->brief && sums);
    const pv_cut_settings how = {.k = 1,
                                 .demands = settings->demands,
                                 .n_demands = settings->n_demands,
                                 .loss = &settings->loss,
                                 .suppresses = suppresses,
                                 .evaluations = settings->brief ? BRIEF_EVALUATIONS : EVALUATIONS,
                                 .further = 1,
                                 .prove = 1,
                                 .seed = settings->seed};
    pv_cut_search search;
    uint8_t *start = NULL;
    uint8_t *cuts = NULL;
    *found = (pv_cut_best_found){0};
    pv_status status = pv_i_cut_search_init(&search, profile, &how, settings->context, error);
    if (status == PV_STATUS_UNSATISFIED) { /* more people than there are; merged, they break it */
        *found = (pv_cut_best_found){.proven = true, .seconds = pv_i_now() - started};
        if (error != NULL) {
            *error = (pv_error){0};
        }
        return PV_STATUS_OK;
    }
    PV_TRY(status);
    start = cuts_of_levels(&search.space, settings->levels, settings->n_levels);
    cuts = PV_NEW_ARRAY(uint8_t, search.space.n_bits);
    if (start == NULL || cuts == NULL || !pv_i_cut_ways(&search.space, &found->n_schemes)) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    found->range = range_of(&search);
    PV_TRY_CLEAN((suppresses ? find_needed : find_whole)(&search, settings, started, start, cuts,
                                                         found, error));
cleanup:
    pv_i_free(start);
    pv_i_free(cuts);
    pv_i_cut_search_deinit(&search);
    found->seconds = pv_i_now() - started;
    if (status != PV_STATUS_OK) {
        pv_cuts_free(found->cuts);
        found->cuts = NULL;
    }
    return status;
}
