/* How fast is the evaluator, and how little does exact search look at? Prints one line per figure:
 *
 *     NAME VALUE UNIT
 *
 *     bench_front PLAN THREADS [LABEL_PLAN]
 */
#include "front/opened.h"
#include "front/plain.h"
#include "lattice/driver.h"
#include "measure/entry.h"

#include "base/memory.h"

#include <math.h>

#define ROUNDS 5

/* ------------------------------------------------- all nodes, k glm dcn */

typedef struct {
    const pv_run *run;
    pv_plain_result *results;
} sweep;

static pv_status take(void *ctx, unsigned worker, uint64_t node, const pv_classes *classes)
{
    const sweep *const s = ctx;
    pv_outcome outcome;
    const pv_status status = pv_i_run_measure(s->run, worker, classes, &outcome);
    s->results[node] = (pv_plain_result){.k = outcome.k,
                                         .suppressed = outcome.suppressed,
                                         .glm = outcome.values[1],
                                         .dcn = outcome.values[2]};
    return status;
}

static double sweep_all(const opened *o, unsigned threads, pv_plain_result *results)
{
    const pv_measure_ref objectives[] = {{.measure = pv_measure_find("k")},
                                         {.measure = pv_measure_find("glm")},
                                         {.measure = pv_measure_find("dcn")}};
    const pv_search_options options = {
        .objectives = objectives,
        .n_objectives = 3,
        .suppression = {.whole_budget = true, .budget = pv_study_budget(o->study)}};
    const pv_context context = {.threads = threads};
    double best = HUGE_VAL;
    for (unsigned round = 0; round < ROUNDS; round++) {
        pv_run run;
        const double start = pv_i_now();
        bench_require(pv_i_run_init(&run, o->profile, &options, &context, NULL) == PV_STATUS_OK,
                      "init");
        sweep s = {.run = &run, .results = results};
        bench_require(pv_i_evaluate_all(run.evaluator, take, &s, NULL, 0, NULL) == PV_STATUS_OK,
                      "sweep");
        best = fmin(best, pv_i_now() - start);
        pv_i_run_deinit(&run);
    }
    return best;
}

static bool agree(const pv_plain_result *a, const pv_plain_result *b)
{
    return a->k == b->k && a->suppressed == b->suppressed &&
           fabs(a->glm - b->glm) <= 1e-9 * fabs(a->glm) &&
           fabs(a->dcn - b->dcn) <= 1e-9 * fabs(a->dcn);
}

static void bench_all_nodes(const opened *o, unsigned threads)
{
    pv_lattice lattice;
    bench_require(pv_i_lattice_init(&lattice, o->study, NULL) == PV_STATUS_OK, "lattice");
    pv_plain_result *const plain = PV_NEW_ZEROED(pv_plain_result, lattice.n_nodes);
    pv_plain_result *const rolled = PV_NEW_ZEROED(pv_plain_result, lattice.n_nodes);
    bench_require(plain != NULL && rolled != NULL, "memory");
    const double start = pv_i_now();
    bench_require(pv_plain_all(o->profile, &lattice, pv_study_budget(o->study), threads, plain),
                  "plain");
    const double plain_seconds = pv_i_now() - start;
    const double rolled_seconds = sweep_all(o, threads, rolled);
    for (uint64_t node = 0; node < lattice.n_nodes; node++) {
        bench_require(agree(&plain[node], &rolled[node]), "the two evaluators disagree");
    }
    printf("nodes %llu nodes\n", (unsigned long long)lattice.n_nodes);
    printf("plain %.3f s\n", plain_seconds);
    printf("all_nodes %.4f s\n", rolled_seconds);
    printf("times_plain %.1f x\n", plain_seconds / rolled_seconds);
    pv_i_free(plain);
    pv_i_free(rolled);
    pv_i_lattice_deinit(&lattice);
}

/* --------------------------------------------------------------- fronts */

static double bench_search(const opened *o, unsigned threads, const char *method, const char *loss,
                           double *share)
{
    const pv_measure_ref objectives[] = {{.measure = pv_measure_find("k")},
                                         {.measure = pv_measure_find(loss)}};
    const pv_search_options options = {
        .objectives = objectives,
        .n_objectives = 2,
        .method = method,
        .suppression = {.whole_budget = true, .budget = pv_study_budget(o->study)}};
    const pv_context context = {.threads = threads};
    double best = HUGE_VAL;
    for (unsigned round = 0; round < ROUNDS; round++) {
        pv_front *front = NULL;
        pv_error error = {0};
        bench_require(pv_search(o->profile, &options, &context, &front, &error) == PV_STATUS_OK,
                      error.message);
        best = fmin(best, pv_front_seconds(front));
        *share = (double)pv_front_n_evaluated(front) / pv_front_n_schemes(front);
        pv_front_free(front);
    }
    return best;
}

static void bench_front(const opened *o, unsigned threads, const char *loss)
{
    double share = 0;
    const double all = bench_search(o, threads, "exhaustive", loss, &share);
    const double exact = bench_search(o, threads, "exact", loss, &share);
    printf("exhaustive_%s %.4f s\n", loss, all);
    printf("exact_%s %.4f s\n", loss, exact);
    printf("exact_%s_time %.2f of_exhaustive\n", loss, exact / all);
    printf("exact_%s_evaluated %.2f %%\n", loss, 100 * share);
}

int main(int argc, char **argv)
{
    bench_require(argc >= 3, "usage: bench_front PLAN THREADS [LABEL_PLAN]");
    const unsigned threads = (unsigned)atoi(argv[2]);
    opened o = open_plan(argv[1]);
    bench_all_nodes(&o, threads);
    bench_front(&o, threads, "glm");
    bench_front(&o, threads, "dcn");
    close_plan(&o);
    if (argc > 3) {
        o = open_plan(argv[3]);
        bench_front(&o, threads, "cm");
        close_plan(&o);
    }
    return 0;
}
