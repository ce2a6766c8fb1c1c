/* The experiments: every search the page tells about. */
#include "poka_report.h"

#include "base/memory.h"
#include "lattice/driver.h"

#include <math.h>

#define ROUNDS 5

/* k and a loss. The objectives are filled in and must outlive the options. */
static pv_search_options options_for(const opened *table, const char *loss,
                                     pv_measure_ref objectives[2])
{
    objectives[0] = (pv_measure_ref){.measure = pv_measure_find("k")};
    objectives[1] = (pv_measure_ref){.measure = pv_measure_find(loss)};
    return (pv_search_options){.objectives = objectives,
                               .n_objectives = 2,
                               .suppression.budget = pv_study_budget(table->study)};
}

static pv_front *search(const opened *table, const char *loss, const char *method, unsigned depth)
{
    pv_measure_ref objectives[2];
    pv_search_options options = options_for(table, loss, objectives);
    options.method = method;
    options.depth = depth;
    return report_search(table, &options);
}

/* The best of some rounds: the others were disturbed. */
static double best_seconds(const opened *table, const char *loss, const char *method)
{
    double best = HUGE_VAL;
    for (size_t i = 0; i < ROUNDS; i++) {
        pv_front *const front = search(table, loss, method, 0);
        best = fmin(best, front->seconds);
        pv_front_free(front);
    }
    return best;
}

/* ----------------------------------------------------------------- comparing */

size_t poka_common(const pv_front *front, const pv_front *other)
{
    size_t n = 0;
    for (size_t i = 0; i < front->n_points; i++) {
        n += report_is_on(front, i, other);
    }
    return n;
}

double poka_share(const pv_front *front)
{
    return (double)front->evaluated / front->nodes;
}

unsigned poka_default_depth(const pv_study *study)
{
    const size_t n = pv_study_quasis(study);
    size_t sum = 0;
    for (size_t q = 0; q < n; q++) {
        sum += pv_hierarchy_height(pv_study_hierarchy(study, q));
    }
    return (unsigned)((sum + n - 1) / n);
}

/* ----------------------------------------------------------------- all nodes */

typedef struct {
    const pv_run *run;
    trade_off *to;
} sweep;

static pv_status keep_values(void *ctx, unsigned worker, uint64_t node, const pv_classes *classes)
{
    const sweep *const s = ctx;
    pv_outcome outcome;
    const pv_status status = pv_i_run_measure(s->run, worker, classes, &outcome);
    s->to->k_of[node] = (double)outcome.k;
    s->to->loss_of[node] = outcome.values[1];
    return status;
}

static void measure_all(trade_off *t)
{
    pv_measure_ref objectives[2];
    const pv_search_options options = options_for(&t->table, t->loss, objectives);
    pv_run run;
    pv_error error = {0};
    require(pv_i_run_init(&run, t->table.profile, &options, &report_context, &error) ==
                PV_STATUS_OK,
            error.message);
    t->n_nodes = (size_t)run.lattice.n_nodes;
    t->k_of = PV_NEW_ARRAY(double, t->n_nodes);
    t->loss_of = PV_NEW_ARRAY(double, t->n_nodes);
    require(t->k_of != NULL && t->loss_of != NULL, "out of memory");
    sweep s = {.run = &run, .to = t};
    require(pv_i_evaluate_all(run.evaluator, keep_values, &s, NULL, 0, &error) == PV_STATUS_OK,
            error.message);
    pv_i_run_deinit(&run);
}

/* ---------------------------------------------------------------- experiments */

trade_off poka_trade_off(const source *from, const char *loss)
{
    const bool label = (pv_measure_find(loss)->needs & PV_NEEDS_LABEL) != 0;
    trade_off t = {.table = report_open(from, label, SIZE_MAX), .loss = loss};
    measure_all(&t);
    t.truth = search(&t.table, loss, "exhaustive", 0);
    t.exact = search(&t.table, loss, "exact", 0);
    for (unsigned depth = 0; depth <= DEPTHS; depth++) {
        t.poka[depth] = search(&t.table, loss, "poka", depth);
    }
    t.truth_seconds = best_seconds(&t.table, loss, "exhaustive");
    t.exact_seconds = best_seconds(&t.table, loss, "exact");
    t.poka_seconds = best_seconds(&t.table, loss, "poka");
    require(t.exact->complete && t.exact->n_points == t.truth->n_points &&
                poka_common(t.exact, t.truth) == t.truth->n_points,
            "exact and exhaustive search disagree");
    return t;
}

void poka_trade_off_free(trade_off *t)
{
    for (unsigned depth = 0; depth <= DEPTHS; depth++) {
        pv_front_free(t->poka[depth]);
    }
    pv_front_free(t->exact);
    pv_front_free(t->truth);
    pv_i_free(t->k_of);
    pv_i_free(t->loss_of);
    report_close(&t->table);
}

size_trial poka_size_trial(const source *from, const char *loss, size_t n_attributes)
{
    opened table = report_open(from, false, n_attributes);
    const size_trial t = {.n_attributes = n_attributes,
                          .depth = poka_default_depth(table.study),
                          .exact = search(&table, loss, "exact", 0),
                          .poka = search(&table, loss, "poka", 0)};
    report_close(&table);
    return t;
}

void poka_size_trial_free(size_trial *t)
{
    pv_front_free(t->exact);
    pv_front_free(t->poka);
}
