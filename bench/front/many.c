/* How good a front does a search find in a lattice too large to visit, in so many seconds?
 *
 *     bench_many PLAN THREADS SECONDS SEED [METHOD]
 *
 * Prints one line per figure, NAME VALUE UNIT: the least loss among the schemes found with at least
 * a k, and the moments of the search, each `moment EVALUATED SECONDS POINTS HYPERVOLUME`. */
#include "front/opened.h"

#include <inttypes.h>
#include <math.h>

static double least_loss(const pv_front *front, uint64_t k)
{
    double least = HUGE_VAL;
    for (size_t i = 0; i < pv_front_n_points(front); i++) {
        if (pv_front_k(front, i) >= k) {
            least = fmin(least, pv_front_values(front, i, NULL)[1]);
        }
    }
    return least;
}

static void print_losses(const pv_front *front, const pv_profile *profile)
{
    static const uint64_t wanted[] = {2, 5, 10, 50};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        const double loss = least_loss(front, wanted[i]);
        printf("loss_k%" PRIu64 " %.1f glm\n", wanted[i], loss);
        printf("share_k%" PRIu64 " %.6f of_all\n", wanted[i],
               pv_measure_share(pv_front_objectives(front)[1].measure, profile, loss));
    }
}

static void print_account(const pv_front *front)
{
    printf("nodes %.3g nodes\n", pv_front_n_schemes(front));
    printf("seconds %.2f s\n", pv_front_seconds(front));
    printf("evaluated %" PRIu64 " schemes\n", pv_front_n_evaluated(front));
    printf("rate %.1f per_second\n", (double)pv_front_n_evaluated(front) / pv_front_seconds(front));
    printf("points %zu points\n", pv_front_n_points(front));
    printf("generations %" PRIu64 " generations\n", pv_front_n_iterations(front));
    printf("stop %d reason\n", (int)pv_front_stop(front));
    size_t n = 0;
    const double *m = pv_front_moments(front, &n);
    for (size_t i = 0; i < n; i++, m += PV_MOMENT_NUMBERS) {
        printf("moment %.0f %.2f %.0f %.6f\n", m[0], m[1], m[2], m[3]);
    }
}

int main(int argc, char **argv)
{
    bench_require(argc == 5 || argc == 6, "usage: bench_many PLAN THREADS SECONDS SEED [METHOD]");
    opened o = open_plan(argv[1]);
    const pv_measure_ref objectives[] = {{.measure = pv_measure_find("k")},
                                         {.measure = pv_measure_find("glm")}};
    const pv_search_options options = {
        .objectives = objectives,
        .n_objectives = 2,
        .method = argc > 5 ? argv[5] : "pbg-hybrid",
        .suppression = {.whole_budget = true, .budget = pv_study_budget(o.study)},
        .max_seconds = atof(argv[3]),
        .seed = strtoull(argv[4], NULL, 10)};
    const pv_context context = {.threads = (unsigned)atoi(argv[2])};
    pv_front *front = NULL;
    pv_error error = {0};
    bench_require(pv_search(o.profile, &options, &context, &front, &error) == PV_STATUS_OK,
                  error.message);
    print_losses(front, o.profile);
    print_account(front);
    printf("peak %.0f MB\n", bench_peak_megabytes());
    pv_front_free(front);
    close_plan(&o);
    return 0;
}
