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
    for (size_t i = 0; i < front->n_points; i++) {
        if (front->points[i].k >= k) {
            least = fmin(least, front->points[i].values[1]);
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
               pv_measure_share(front->objectives[1].measure, profile, loss));
    }
}

static void print_account(const pv_front *front)
{
    printf("nodes %.3g nodes\n", front->nodes);
    printf("seconds %.2f s\n", front->seconds);
    printf("evaluated %" PRIu64 " schemes\n", front->evaluated);
    printf("rate %.1f per_second\n", (double)front->evaluated / front->seconds);
    printf("points %zu points\n", front->n_points);
    printf("generations %" PRIu64 " generations\n", front->iterations);
    printf("stop %d reason\n", (int)front->stop);
    for (size_t i = 0; i < front->n_moments; i++) {
        const pv_moment *const m = &front->moments[i];
        printf("moment %" PRIu64 " %.2f %zu %.6f\n", m->evaluated, m->seconds, m->points,
               m->hypervolume);
    }
}

int main(int argc, char **argv)
{
    bench_require(argc == 5 || argc == 6, "usage: bench_many PLAN THREADS SECONDS SEED [METHOD]");
    opened o = open_plan(argv[1]);
    const pv_measure_ref objectives[] = {{.measure = pv_measure_find("k")},
                                         {.measure = pv_measure_find("glm")}};
    const pv_search_options options = {.objectives = objectives,
                                       .n_objectives = 2,
                                       .method = argc > 5 ? argv[5] : "pbg-hybrid",
                                       .suppression = {.budget = pv_study_budget(o.study)},
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
