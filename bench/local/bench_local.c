/* Local recoding: how little it loses, how much of that is proven to be needed, and how fast. One
 * line:
 *
 *     LOSS BOUND GAP SEARCH_SECONDS BOUND_SECONDS PROCESSOR_SECONDS PEAK_MB CLASSES SUPPRESSED
 *
 * Losses are shares, processor seconds are those of search and bound on all threads.
 *
 *     bench_local PLAN DEMANDS BUDGET THREADS [IMPROVE_SECONDS [BOUND_SECONDS]] */
#include "front/opened.h"

#include <time.h>

static double processor_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

int main(int argc, char **argv)
{
    bench_require(argc >= 5,
                  "bench_local PLAN DEMANDS BUDGET THREADS [IMPROVE_SECONDS [BOUND_SECONDS]]");
    opened o = open_plan(argv[1]);
    pv_error error = {0};
    const pv_profile *profile = NULL;
    pv_constraint demands[PV_MAX_CONSTRAINTS];
    const pv_context context = {.threads = (unsigned)atoi(argv[4])};
    const pv_budget budget = {.rows = strtoull(argv[3], NULL, 10)};
    pv_local_options options = {.context = &context,
                                .demands = demands,
                                .budget = &budget,
                                .improve_seconds = argc > 5 ? atof(argv[5]) : 0,
                                .bound_seconds = argc > 6 ? atof(argv[6]) : 0};
    pv_local *local = NULL;
    bench_require(pv_study_profile(o.study, &profile, &error) == PV_STATUS_OK, error.message);
    bench_require(pv_constraints_parse(argv[2], demands, &options.n_demands, &error) ==
                      PV_STATUS_OK,
                  error.message);
    const double began = processor_seconds();
    bench_require(pv_local_find(o.study, &options, &local, &error) == PV_STATUS_OK, error.message);
    const double spent = processor_seconds() - began;
    const double cells =
        (double)pv_profile_rows(profile) * (double)pv_study_quasis(o.study); /* of glm */
    printf("%.6f %.6f %.4f %.3f %.3f %.3f %.0f %llu %llu\n", pv_local_value(local) / cells,
           pv_local_bound(local) / cells, pv_local_gap(local), pv_local_seconds(local),
           pv_local_bound_seconds(local), spent, bench_peak_megabytes(),
           (unsigned long long)pv_local_classes(local),
           (unsigned long long)pv_local_suppressed(local));
    pv_local_free(local);
    close_plan(&o);
    return 0;
}
