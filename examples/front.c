/* All trade-offs between k and detail that nothing beats, one line each. */
#include <paravent/paravent.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    pv_study *study = NULL;
    pv_front *front = NULL;
    pv_error error = {0};
    const pv_status status = pv_open(argc > 1 ? argv[1] : "plan.yaml", NULL, &study, &error);
    if (status == PV_STATUS_OK && pv_front_find(study, NULL, &front, &error) == PV_STATUS_OK) {
        const size_t knee = pv_front_knee(front);
        for (size_t i = 0; i < pv_front_n_points(front); i++) {
            const double *const values = pv_front_values(front, i, NULL);
            printf("%s k = %.0f, glm = %.1f\n", i == knee ? "*" : " ", values[0], values[1]);
        }
        printf("%s\n", pv_front_is_complete(front) ? "complete" : "there may be more");
    } else {
        fprintf(stderr, "%s: %s\n", error.message, error.hint);
    }
    pv_front_free(front);
    pv_study_free(study);
    return error.status == PV_STATUS_OK ? 0 : 1;
}
