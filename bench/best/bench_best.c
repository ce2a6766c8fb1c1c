/* The best scheme that keeps demands: how good, when, and proven how fast. One line:
 *
 *     LOSS BOUND PROVEN SECONDS NODES SUPPRESSED
 *
 *     bench_best PLAN DEMANDS BUDGET SECONDS THREADS [MEASURE] */
#include "front/opened.h"
#include "lattice/best.h"

#include "base/memory.h"

int main(int argc, char **argv)
{
    bench_require(argc >= 6, "bench_best PLAN DEMANDS BUDGET SECONDS THREADS [MEASURE]");
    opened o = open_plan(argv[1]);

    pv_constraint demands[PV_MAX_CONSTRAINTS];
    size_t n_demands = 0;
    pv_measure_ref loss;
    pv_meter meter;
    pv_quest quest;
    pv_best_found found;
    pv_error error = {0};
    bench_require(pv_constraints_parse(argv[2], demands, &n_demands, &error) == PV_STATUS_OK,
                  error.message);
    bench_require(pv_measure_parse(argc > 6 ? argv[6] : "glm", &loss, &error) == PV_STATUS_OK,
                  error.message);
    bench_require(pv_i_meter_init(&meter, loss, o.profile, &error) == PV_STATUS_OK, error.message);
    const double start = pv_i_now();
    bench_require(pv_i_quest_init(&quest, o.profile, &meter, demands, n_demands,
                                  strtoull(argv[3], NULL, 10), NULL, NULL, &error) == PV_STATUS_OK,
                  error.message);
    const pv_context context = {.threads = (unsigned)atoi(argv[5])};
    const pv_best_settings settings = {
        .context = &context, .max_seconds = atof(argv[4]), .seed = 1};
    bench_require(pv_i_best(&quest, &settings, &found, &error) == PV_STATUS_OK, error.message);
    const double cells = (double)pv_profile_rows(o.profile) * (double)quest.n_axes;
    if (found.found) {
        printf("%.6f %.6f %s %.3f %llu %llu ", 1 - found.kept / cells, 1 - found.bound / cells,
               found.proven ? "proven" : "open", pv_i_now() - start,
               (unsigned long long)found.nodes, (unsigned long long)found.suppressed);
        for (size_t j = 0; j < quest.n_axes; j++) {
            printf("%s%u", j > 0 ? "," : "", found.levels[j]);
        }
        printf("\n");
    } else {
        printf("none %s %.3f %llu\n", found.proven ? "proven" : "open", pv_i_now() - start,
               (unsigned long long)found.nodes);
    }
    pv_i_free(found.levels);
    pv_i_quest_deinit(&quest);
    pv_i_meter_deinit(&meter);
    close_plan(&o);
    return 0;
}
