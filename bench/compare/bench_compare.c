/* Two releases of one table, person by person: all properties and indices against the time it takes
 * to read the two files. Prints one line per figure:
 *
 *     NAME VALUE UNIT
 *
 *     bench_compare PLAN THREADS DATA RELEASE RELEASE
 */
#include "support/bench.h"

#include <paravent/compare.h>

enum { N_RELEASES = 2, ARGUMENTS = 6 };

/* Reads both files as the comparison does it, one after the other. */
static double read_both(const char *const *paths, const pv_context *context)
{
    const double start = pv_i_now();
    for (size_t i = 0; i < N_RELEASES; i++) {
        pv_table *table = NULL;
        pv_error error = {0};
        bench_require(pv_table_read(paths[i], NULL, context, &table, &error) == PV_STATUS_OK,
                      error.message);
        pv_table_free(table);
    }
    return pv_i_now() - start;
}

/* Everyone against everyone by all properties and indices; tournaments and the advice are part of
 * it. */
static double judge(const pv_comparison *comparison, const pv_context *context)
{
    pv_judgement *judgement = NULL;
    pv_error error = {0};
    const double start = pv_i_now();
    bench_require(pv_judgement_create(comparison, NULL, context, &judgement, &error) ==
                      PV_STATUS_OK,
                  error.message);
    const double seconds = pv_i_now() - start;
    pv_judgement_free(judgement);
    return seconds;
}

static void measure(const pv_study *study, const char *const *paths, const pv_context *context)
{
    pv_comparison *comparison = NULL;
    pv_error error = {0};
    const double reading = read_both(paths, context);
    const double start = pv_i_now();
    bench_require(pv_comparison_open(study, paths, N_RELEASES, NULL, context, &comparison,
                                     &error) == PV_STATUS_OK,
                  error.message);
    const double vectors = pv_i_now() - start;
    const double judging = judge(comparison, context);
    const double cells =
        (double)pv_comparison_n_rows(comparison) * (double)pv_comparison_n_properties(comparison);
    printf("rows %llu rows\n", (unsigned long long)pv_comparison_n_rows(comparison));
    printf("properties %zu properties\n", pv_comparison_n_properties(comparison));
    printf("kinds %zu kinds\n", pv_comparison_n_kinds(comparison));
    printf("reading %.3f s\n", reading);
    printf("vectors %.3f s\n", vectors);
    printf("judging %.3f s\n", judging);
    printf("comparing %.3f s\n", vectors + judging);
    printf("peak %.0f MB\n", bench_peak_megabytes());
    printf("bytes %.1f B\n", bench_peak_megabytes() * 1048576 / cells);
    pv_comparison_free(comparison);
}

int main(int argc, char **argv)
{
    if (argc != ARGUMENTS) {
        (void)fprintf(stderr, "usage: bench_compare PLAN THREADS DATA RELEASE RELEASE\n");
        return 2;
    }
    const pv_context context = {.threads = (unsigned)atoi(argv[2])};
    const pv_study_options opening = {.data = argv[3]};
    const char *const paths[N_RELEASES] = {argv[4], argv[5]};
    pv_error error = {0};
    pv_plan *plan = NULL;
    pv_study *study = NULL;
    bench_require(pv_plan_read(argv[1], &plan, &error) == PV_STATUS_OK, error.message);
    bench_require(pv_study_open(plan, &opening, &context, &study, &error) == PV_STATUS_OK,
                  error.message);
    measure(study, paths, &context);
    pv_study_free(study);
    pv_plan_free(plan);
    return 0;
}
