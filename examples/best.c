/* The release that loses least detail with at least 5 people alike, and at least 2 sensitive values
 * among them: found with a proof, written and verified. */
#include <paravent/paravent.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    const pv_constraint demands[] = {
        {.ref = {.measure = pv_measure_find("k")}, .bound = 5},
        {.ref = {.measure = pv_measure_find("l-distinct")}, .bound = 2}};
    const pv_best_options options = {.size = sizeof options, .demands = demands, .n_demands = 2};
    pv_study *study = NULL;
    pv_best *best = NULL;
    pv_error error = {0};
    if (pv_open(argc > 1 ? argv[1] : "plan.yaml", NULL, &study, &error) == PV_STATUS_OK &&
        pv_best_find(study, &options, &best, &error) == PV_STATUS_OK &&
        pv_release_write(study, pv_best_scheme(best), "out.csv", NULL, NULL, &error) ==
            PV_STATUS_OK) { /* the scheme knows what it was found for */
        printf("glm = %.1f, %s\n", pv_best_value(best),
               pv_best_is_proven(best) ? "proven to be the least" : "perhaps not the least");
        printf("%llu rows suppressed\n", (unsigned long long)pv_best_suppressed(best));
    }
    pv_best_free(best);
    best = NULL;
    /* The same among all ways to cut ordered values into groups. */
    pv_best_options cuts = options;
    cuts.kind = PV_SCHEME_CUTS;
    if (error.status == PV_STATUS_OK && pv_best_find(study, &cuts, &best, &error) == PV_STATUS_OK) {
        printf("with cuts glm = %.1f%s\n", pv_best_value(best),
               pv_best_is_proven(best) ? ", proven to be the least" : "");
    }
    if (error.status != PV_STATUS_OK) {
        fprintf(stderr, "%s: %s\n", error.message, error.hint);
    }
    pv_best_free(best);
    pv_study_free(study);
    return error.status == PV_STATUS_OK ? 0 : 1;
}
