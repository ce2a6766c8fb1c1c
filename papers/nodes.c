/* Prints what every node of the lattice of a plan comes to, which `paravent front` does not: it
 * shows the front alone.
 *
 *     nodes PLAN BUDGET [LOSS]
 *
 * A line for each node, in the order of their numbers (the last attribute counts fastest): k, and
 * the loss if one is named. BUDGET is the number of rows that may be suppressed; "plan" takes that
 * of the plan. */
#include "base/memory.h"
#include "lattice/driver.h"

#include <paravent/paravent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const pv_run *run;
    double *values; /* k and the loss of each node */
} sweep;

static void require(bool holds, const char *what)
{
    if (!holds) {
        (void)fprintf(stderr, "nodes: %s\n", what);
        exit(1);
    }
}

static pv_status keep(void *ctx, unsigned worker, uint64_t node, const pv_classes *classes)
{
    const sweep *const s = ctx;
    pv_outcome outcome;
    const pv_status status = pv_i_run_measure(s->run, worker, classes, &outcome);
    s->values[2 * node] = (double)outcome.k;
    s->values[2 * node + 1] = outcome.values[1];
    return status;
}

int main(int argc, char **argv)
{
    require(argc == 3 || argc == 4, "usage: nodes PLAN BUDGET [LOSS]");
    pv_plan *plan = NULL;
    pv_study *study = NULL;
    pv_profile *profile = NULL;
    pv_error error = {0};
    require(pv_plan_read(argv[1], &plan, &error) == PV_STATUS_OK &&
                pv_study_open(plan, NULL, NULL, &study, &error) == PV_STATUS_OK &&
                pv_profile_create(study, NULL, &profile, &error) == PV_STATUS_OK,
            error.message);

    const pv_measure_ref objectives[] = {{.measure = pv_measure_find("k")},
                                         {.measure = pv_measure_find(argc > 3 ? argv[3] : "dcn")}};
    const bool planned = strcmp(argv[2], "plan") == 0;
    const pv_search_options options = {.objectives = objectives,
                                       .n_objectives = 2,
                                       .suppression.whole_budget = true,
                                       .suppression.budget = planned ? pv_study_budget(study)
                                                                     : strtoull(argv[2], NULL, 10)};
    const pv_context context = {.threads = 2};
    require(objectives[1].measure != NULL, "there is no such measure");

    pv_run run;
    require(pv_i_run_init(&run, profile, &options, &context, &error) == PV_STATUS_OK,
            error.message);
    sweep s = {&run, PV_NEW_ARRAY(double, 2 * (size_t)run.lattice.n_nodes)};
    require(s.values != NULL, "out of memory");
    require(pv_i_evaluate_all(run.evaluator, keep, &s, NULL, 0, &error) == PV_STATUS_OK,
            error.message);
    for (uint64_t node = 0; node < run.lattice.n_nodes; node++) {
        (void)printf("%.0f", s.values[2 * node]);
        (void)(argc > 3 ? printf(" %.17g\n", s.values[2 * node + 1]) : printf("\n"));
    }

    pv_i_free(s.values);
    pv_i_run_deinit(&run);
    pv_profile_free(profile);
    pv_study_free(study);
    pv_plan_free(plan);
    return 0;
}
