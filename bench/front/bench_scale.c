/* From a file to its front, once: how long, and how much memory at most. Prints one line per
 * figure:
 *
 *     NAME VALUE UNIT
 *
 *     bench_scale PLAN THREADS [DATA|-] [MEMORY_MB]
 */
#include "support/bench.h"

#include <paravent/paravent.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 3) {
        (void)fprintf(stderr, "usage: bench_scale PLAN THREADS [DATA|-] [MEMORY_MB]\n");
        return 2;
    }
    const pv_context context = {.threads = (unsigned)atoi(argv[2])};
    const pv_study_options opening = {.data =
                                          argc > 3 && strcmp(argv[3], "-") != 0 ? argv[3] : NULL};
    pv_search_options searching = {.memory =
                                       argc > 4 ? (uint64_t)strtoull(argv[4], NULL, 10) << 20 : 0};
    pv_error error = {0};
    pv_plan *plan = NULL;
    pv_study *study = NULL;
    pv_profile *profile = NULL;
    pv_front *front = NULL;
    const double start = pv_i_now();
    bench_require(pv_plan_read(argv[1], &plan, &error) == PV_STATUS_OK, error.message);
    bench_require(pv_study_open(plan, &opening, &context, &study, &error) == PV_STATUS_OK,
                  error.message);
    const double read = pv_i_now() - start;
    bench_require(pv_profile_create(study, &context, &profile, &error) == PV_STATUS_OK,
                  error.message);
    searching.suppression.budget = pv_study_budget(study);
    bench_require(pv_search(profile, &searching, &context, &front, &error) == PV_STATUS_OK,
                  error.message);
    const double total = pv_i_now() - start;
    printf("rows %llu rows\n", (unsigned long long)pv_profile_rows(profile));
    printf("tuples %zu tuples\n", pv_profile_tuples(profile));
    printf("nodes %.0f nodes\n", pv_front_n_schemes(front));
    printf("read %.3f s\n", read);
    printf("front %.3f s\n", pv_front_seconds(front));
    printf("total %.3f s\n", total);
    printf("times_parts %.2f x\n", total / (read + pv_front_seconds(front)));
    printf("evaluated %.2f %%\n",
           100 * (double)pv_front_n_evaluated(front) / pv_front_n_schemes(front));
    printf("complete %d yes\n", pv_front_is_complete(front));
    printf("points %zu points\n", pv_front_n_points(front));
    printf("peak %.0f MB\n", bench_peak_megabytes());
    pv_front_free(front);
    pv_profile_free(profile);
    pv_study_free(study);
    pv_plan_free(plan);
    return 0;
}
